/* Tests the replay of recorded matches: our own records replay with every reasoner, and each kind
 * of change is noticed. */
#include "game/replay.h"

#include "play.h"

TestSuite(replay, .timeout = 600);

static Game *game;

static void open_game_for_test(void) {
    game = game_named("tic_tac_toe", NULL);
}

static void free_game(void) {
    game_free(game);
}

static char *recorded(void) {
    Report report = {0};
    Source *source = source_read(MARELLE_TESTS "/../games/tic_tac_toe.trace", &report);
    cr_assert_not_null(source);
    char *text = memory_strdup(source->text);
    source_free(source);
    return text;
}

/* Replays the text and returns the difference found, "" if there is none. The caller frees it. */
static char *difference(const char *text, Reasoner reasoner, uint32_t *line) {
    Report report = {0};
    Trace *trace = trace_read_text("test", text, strlen(text), &report);
    cr_assert_not_null(trace, "%s", report.items.count ? report.items.items[0].message : "");
    Replay replay;
    cr_assert(replay_trace(game, trace, reasoner, &replay, &report));
    cr_expect_eq(replay.is_equal, replay.difference.count == 0);
    *line = replay.line;
    char *result = memory_strdup(text_string(&replay.difference));
    vector_free(&replay.difference);
    trace_free(trace);
    report_free(&report);
    return result;
}

Test(replay, finds_nothing_in_a_true_record, .init = open_game_for_test, .fini = free_game) {
    char *text = recorded();
    for (int r = REASONER_AUTO; r <= REASONER_SLICED; r++) {
        uint32_t line;
        char *found = difference(text, (Reasoner)r, &line);
        cr_expect_str_eq(found, "", "%s: %s", reasoner_name((Reasoner)r), found);
        free(found);
    }
    free(text);
}

/* Replaces the first `from` after the mark in a record with `to`, which is as long. Asserts that
 * replay with every reasoner reports the difference. */
static void expect_change(const char *mark, const char *from, const char *to, const char *says) {
    for (int r = REASONER_INTERPRETER; r <= REASONER_SLICED; r++) {
        char *text = recorded();
        char *at = strstr(strstr(text, mark), from);
        cr_assert_not_null(at);
        cr_assert_eq(strlen(from), strlen(to));
        memcpy(at, to, strlen(to));
        uint32_t line;
        char *found = difference(text, (Reasoner)r, &line);
        cr_expect_eq(strncmp(found, says, strlen(says)), 0, "%s: %s", reasoner_name((Reasoner)r),
                     found);
        free(found);
        free(text);
    }
}

Test(replay, notices_each_kind_of_difference, .init = open_game_for_test, .fini = free_game) {
    expect_change("match 2", "(cell 1 1 blank)", "(cell 1 1 black)", "state: recorded [");
    expect_change("match 2", "(mark 1 1)", "(mark 9 1)", "legal moves of x: recorded [");
    expect_change("goal x", "goal x 0", "goal x 1", "goal of x: recorded [1]");
    expect_change("does", "does (mark ", "does (murk ", "move (murk ");
}

Test(replay, notices_other_roles, .init = open_game_for_test, .fini = free_game) {
    uint32_t line;
    char *found = difference("roles x\nmatch 1\nstate\ncut\n", REASONER_SCALAR, &line);
    cr_expect_str_eq(found, "recorded 1 roles, the rules have 2");
    free(found);
}

Test(replay, notices_a_match_that_is_not_over, .init = open_game_for_test, .fini = free_game) {
    char *text = recorded();
    char *state = strstr(text, "state"), *end = strchr(state, '\n');
    Text early = {0};
    text_printf(&early, "roles x o\nmatch 1\n%.*s\nterminal\ngoal x 0\ngoal o 0\nend\n",
                (int)(end - state), state);
    uint32_t line;
    char *found = difference(early.items, REASONER_SCALAR, &line);
    cr_expect_str_eq(found, "terminal: recorded [yes], ours [no]");
    cr_expect_eq(line, 3);
    free(found);
    free(text);
    vector_free(&early);
}

Test(replay, needs_a_circuit_for_some_reasoners) {
    Game *interpreted = game_named("tic_tac_toe", &(GameOptions){.interpreter_only = true});
    Report report = {0};
    Trace *trace = trace_read(MARELLE_TESTS "/../games/tic_tac_toe.trace", &report);
    Replay replay;
    cr_expect_not(replay_trace(interpreted, trace, REASONER_SCALAR, &replay, &report));
    cr_expect(strncmp(first_problem(&report), "no-circuit", 10) == 0);
    trace_free(trace);
    report_free(&report);
    game_free(interpreted);
}
