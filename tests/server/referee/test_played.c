/* Tests reading recorded matches from files. */
#include "server/referee/played.h"

#include <stdio.h>
#include <unistd.h>

#include "support.h"

static Played *played_of(const char *text, Report *report) {
    char path[] = "/tmp/marelle-played-XXXXXX";
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    Played *played = played_read(path, report);
    unlink(path);
    return played;
}

static void assert_refused(const char *text, const char *code_and_place) {
    Report report = {0};
    Played *played = played_of(text, &report);
    cr_assert_null(played);
    cr_assert_str_eq(first_problem(&report), code_and_place, "%s", text);
    report_free(&report);
}

Test(played, json_one_object_a_match) {
    Report report = {0};
    Played *played = played_of(
        "{\"matchId\":\"m1\",\"game\":\"g\",\"roles\":[\"x\",\"o\"],\"moves\":[[\"a\",\"b\"]],"
        "\"states\":[\"((true p))\",\"((true q))\"],\"isCompleted\":true,\"goalValues\":[100,null],"
        "\"faults\":[{\"turn\":0,\"role\":\"o\",\"message\":\"late\"},{\"turn\":\"odd\"}]}\n"
        "{\"roles\":[\"x\"],\"moves\":[],\"states\":[\"()\"]}\n",
        &report);
    cr_assert_not_null(played);
    cr_assert_eq(played->matches.count, 2);
    const PlayedMatch *m = &played->matches.items[0];
    cr_assert_str_eq(m->id, "m1");
    cr_assert_str_eq(m->moves.items[0][1], "b");
    cr_assert_str_eq(m->states.items[1], "((true q))");
    cr_assert_eq(m->goals[0], 100);
    cr_assert_eq(m->goals[1], GOAL_NONE);
    cr_assert_eq(m->faults.count, 1);
    cr_assert_null(played->matches.items[1].goals);
    cr_assert_null(played->matches.items[1].id);
    played_free(played);
    report_free(&report);
}

Test(played, traces) {
    Report report = {0};
    Played *played = played_of("roles x\nmatch 1\ncut\nmatch 2\nstate p\nlegal x a\ndoes a\n"
                               "state q (r 1)\nterminal\ngoal x 50\nend\n",
                               &report);
    cr_assert_not_null(played);
    cr_assert_eq(played->matches.count, 1);
    const PlayedMatch *m = &played->matches.items[0];
    cr_assert_str_eq(m->id, "2");
    cr_assert_eq(m->states.count, 2);
    cr_assert_str_eq(m->states.items[1], "q (r 1)");
    cr_assert_str_eq(m->moves.items[0][0], "a");
    cr_assert_eq(m->goals[0], 50);
    played_free(played);
    report_free(&report);
}

Test(played, what_is_broken_is_told_with_its_place) {
    assert_refused("{\"roles\": [\"x\"],\n \"moves\": [}", "bad-record 2:12");
    assert_refused("{\"roles\": [\"x\"], \"moves\": [], \"states\": []}", "bad-record 1:1");
    assert_refused("{\"roles\": [\"x\"], \"moves\": [], \"states\": [7]}", "bad-record 1:1");
    assert_refused("{\"roles\": [\"x\"], \"moves\": [[7]], \"states\": [\"\", \"\"]}",
                   "bad-record 1:1");
    assert_refused("{\"roles\": []}", "bad-record 1:1");
    assert_refused("\n[]", "bad-record 2:1");
    assert_refused("roles x\nmatch 1\nstate p\n", "bad-trace 4:1");
    assert_refused("", "bad-trace 1:1");
}
