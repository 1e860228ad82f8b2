/* Tests traces of matches: valid ones are read, invalid ones are refused with the number of the
 * line. */
#include "game/trace.h"

#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

#include "support.h"

static const char whole[] = "roles x o\n"
                            "match 1\n"
                            "state (cell 1 b) (control x)\n"
                            "legal x (mark 1) (mark 2)\n"
                            "legal o noop\n"
                            "does (mark 1) noop\n"
                            "state\n"
                            "terminal\n"
                            "goal x 100\n"
                            "goal o goal o undefined\n"
                            "end\n"
                            "match 2\n"
                            "state (cell 1 b) (control x)\n"
                            "legal x (mark 1)\n"
                            "legal o\n"
                            "nolegal\n"
                            "match 3\n"
                            "state (cell 1 b) (control x)\n"
                            "cut\n";

static void check_whole(const Trace *trace) {
    cr_assert_not_null(trace);
    cr_assert_eq(trace->roles.count, 2);
    cr_assert_str_eq(trace_text(trace, trace->roles, 1), "o");
    cr_assert_eq(trace->matches.count, 3);
    const TraceMatch *match = trace->matches.items;
    cr_assert_eq(match[0].step_count, 2);
    cr_assert_eq(match[0].end, TRACE_TERMINAL);
    cr_assert_eq(match[1].end, TRACE_NO_LEGAL);
    cr_assert_eq(match[2].end, TRACE_CUT);
    cr_assert_eq(match[2].number, 3);
    cr_assert_eq(trace->goals.items[match[0].first_goal], 100);
    cr_assert_eq(trace->goals.items[match[0].first_goal + 1], GOAL_NONE);
    const TraceStep *step = &trace->steps.items[match[0].first_step];
    cr_assert_eq(step->line, 3);
    cr_assert_eq(step->state.count, 2);
    cr_assert_str_eq(trace_text(trace, step->state, 0), "(cell 1 b)");
    cr_assert_eq(trace_legal(trace, step, 0).count, 2);
    cr_assert_str_eq(trace_text(trace, trace_legal(trace, step, 0), 1), "(mark 2)");
    cr_assert_str_eq(trace_text(trace, step->does, 1), "noop");
    cr_assert_eq(step[1].state.count, 0);
    cr_assert_eq(step[1].first_legal, TRACE_NONE);
    cr_assert_eq(trace->items.items[step[0].state.first], trace->items.items[step[2].state.first]);
}

Test(trace, reads_all_kinds_of_matches) {
    Report report = {0};
    Trace *trace = trace_read_text("test", whole, strlen(whole), &report);
    check_whole(trace);
    trace_free(trace);
    report_free(&report);
}

Test(trace, reads_files_plain_and_compressed) {
    for (int compressed = 0; compressed < 2; compressed++) {
        char path[] = "/tmp/marelle_trace_XXXXXX";
        close(mkstemp(path));
        gzFile file = gzopen(path, compressed ? "wb" : "wbT");
        gzwrite(file, whole, sizeof whole - 1);
        gzclose(file);
        Report report = {0};
        Trace *trace = trace_read(path, &report);
        check_whole(trace);
        trace_free(trace);
        report_free(&report);
        unlink(path);
    }
}

static void assert_refused(const char *text, uint32_t line) {
    Report report = {0};
    Trace *trace = trace_read_text("test", text, strlen(text), &report);
    cr_assert_null(trace, "accepted `%s`", text);
    cr_assert_eq(report.items.items[0].line, line, "`%s` is wrong in line %u", text,
                 report.items.items[0].line);
    report_free(&report);
}

Test(trace, refuses_malformed_traces) {
    assert_refused("", 1);
    assert_refused("match 1\n", 2);
    assert_refused("roles x\nstate a\n", 2);
    assert_refused("roles x\nmatch one\n", 2);
    assert_refused("roles x\nmatch 1\nstate a\n", 4);
    assert_refused("roles x\nmatch 1\nstate (a\ncut\n", 3);
    assert_refused("roles x\nmatch 1\nstate a)\ncut\n", 3);
    assert_refused("roles x\nmatch 1\nstate a\nlegal y b\ndoes b\n", 4);
    assert_refused("roles x\nmatch 1\nstate a\nlegal x b\nlegal x b\n", 5);
    assert_refused("roles x o\nmatch 1\nstate a\nlegal x b\nlegal o b\ndoes b\ncut\n", 6);
    assert_refused("roles x o\nmatch 1\nstate a\nterminal\ngoal x 1\nend\n", 6);
    assert_refused("roles x\nmatch 1\nstate a\nterminal\ngoal x many\nend\n", 5);
    assert_refused("roles x\nmatch 1\nstate a\nhello\n", 4);
    assert_refused("roles x\nroles y\n", 2);
}

Test(trace, reports_files_it_cannot_read) {
    Report report = {0};
    cr_assert_null(trace_read("/nonexistent/trace.gz", &report));
    cr_assert(report_failed(&report));
    report_free(&report);
}
