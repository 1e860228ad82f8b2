/* Tests messages in all the spellings that managers use, and texts that are no messages. */
#include "player/protocol.h"

#include <criterion/criterion.h>
#include <string.h>

static Message read_well(const char *text) {
    Report report = {0};
    Message m;
    bool ok = message_read(&m, text, strlen(text), &report);
    cr_assert(ok, "%s: %s", text, report.items.count ? report.items.items[0].message : "");
    report_free(&report);
    return m;
}

static void expect_error(const char *text, uint32_t line, uint32_t column, const char *part) {
    Report report = {0};
    Message m;
    cr_assert(!message_read(&m, text, strlen(text), &report), "%s", text);
    cr_assert(report.items.count > 0, "%s", text);
    const Diagnostic *d = &report.items.items[0];
    cr_expect_eq(d->line, line, "%s: line %u", text, d->line);
    cr_expect_eq(d->column, column, "%s: column %u", text, d->column);
    cr_expect(strstr(d->message, part), "%s: %s", text, d->message);
    message_free(&m);
    report_free(&report);
}

Test(protocol, info_in_any_case) {
    static const char *const texts[] = {"(INFO)", "(info)", "info", " ( Info )\r\n", "INFO\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Message m = read_well(texts[i]);
        cr_expect_eq(m.kind, MESSAGE_INFO);
        message_free(&m);
    }
}

Test(protocol, start_has_rules_and_clocks) {
    Message m = read_well("(start Match.7 XPlayer ((role xplayer) ; a comment\n (<= (legal ?p a)\n"
                          " (role ?p)) (<= terminal (or (true x) (not (true y))))) 30\n10)");
    cr_expect_eq(m.kind, MESSAGE_START);
    cr_expect_str_eq(m.match, "Match.7");
    cr_expect_str_eq(m.role, "xplayer");
    cr_expect_eq(m.startclock, 30);
    cr_expect_eq(m.playclock, 10);
    cr_expect_str_eq(text_string(&m.rules), "(role xplayer)\n(<= (legal ?p a) (role ?p))\n"
                                            "(<= terminal (or (true x) (not (true y))))\n");
    message_free(&m);
}

Test(protocol, moves_and_nil) {
    Message m = read_well("(PLAY m1 ((MARK 1  2)\n noop))");
    cr_assert(m.has_moves && !m.has_turn);
    cr_assert_eq(m.moves.count, 2);
    cr_expect_str_eq(m.moves.items[0], "(mark 1 2)");
    cr_expect_str_eq(m.moves.items[1], "noop");
    message_free(&m);
    m = read_well("(PLAY m1 nil)");
    cr_expect(!m.has_moves);
    message_free(&m);
    m = read_well("(stop m1 ())");
    cr_expect(m.kind == MESSAGE_STOP && !m.has_moves);
    message_free(&m);
    m = read_well("(ABORT m1)");
    cr_expect_eq(m.kind, MESSAGE_ABORT);
    message_free(&m);
}

Test(protocol, hidden_information_has_turn_and_percepts) {
    Message m = read_well("(PLAY m1 3 (Ask 2) ((card A) yes))");
    cr_assert(m.has_turn && !m.has_moves);
    cr_expect_eq(m.turn, 3);
    cr_expect_str_eq(m.own_move, "(ask 2)");
    cr_assert_eq(m.percepts.count, 2);
    cr_expect_str_eq(m.percepts.items[0], "(card a)");
    message_free(&m);
    m = read_well("(play m1 0 nil nil)");
    cr_assert(m.has_turn && !m.own_move && !m.percepts.count);
    message_free(&m);
}

Test(protocol, preview) {
    Message m = read_well("(PREVIEW ((role x)) 15)");
    cr_expect_eq(m.kind, MESSAGE_PREVIEW);
    cr_expect_eq(m.startclock, 15);
    message_free(&m);
}

Test(protocol, errors_have_a_place) {
    expect_error("", 1, 1, "no message");
    expect_error("GET / HTTP/1.1", 1, 1, "no message");
    expect_error("(PLAYING m)", 1, 1, "no message");
    expect_error("(PLAY m1)", 1, 1, "2 parts");
    expect_error("(PLAY m1 3 a)", 1, 1, "2 parts");
    expect_error("(START m x\n  rules 1 1)", 2, 3, "list of rules");
    expect_error("(START m x ((role x)) soon 1)", 1, 23, "number");
    expect_error("(START m x ((role x)) 1 -1)", 1, 25, "number");
    expect_error("(START m (x) ((role x)) 1 1)", 1, 10, "role");
    expect_error("(INFO) (INFO)", 1, 1, "one expression");
    Report report = {0};
    Message m;
    cr_expect(!message_read(&m, "(PLAY m (a b", 12, &report));
    cr_expect(report_failed(&report));
    message_free(&m);
    report_free(&report);
}

Test(protocol, too_large_is_refused_unread) {
    Report report = {0};
    Message m;
    cr_expect(!message_read(&m, "(INFO)", (size_t)PROTOCOL_MAX_MESSAGE_BYTES + 1, &report));
    message_free(&m);
    report_free(&report);
}

Test(protocol, what_is_written_is_read) {
    Text text = {0};
    message_write_start(&text, "m1", "x", "(role x) ; end", 2.5, 1);
    Message m = read_well(text.items);
    cr_expect_eq(m.startclock, 2.5);
    cr_expect_str_eq(text_string(&m.rules), "(role x)\n");
    message_free(&m);
    char *moves[] = {"(mark 1 1)", "noop"};
    text_clear(&text);
    message_write_moves(&text, MESSAGE_PLAY, "m1", moves, 2);
    cr_expect_str_eq(text.items, "(PLAY m1 ((mark 1 1) noop))");
    text_clear(&text);
    message_write_moves(&text, MESSAGE_PLAY, "m1", NULL, 2);
    cr_expect_str_eq(text.items, "(PLAY m1 NIL)");
    text_clear(&text);
    message_write_turn(&text, MESSAGE_STOP, "m1", 4, "a", "(b c)");
    cr_expect_str_eq(text.items, "(STOP m1 4 a ((b c)))");
    vector_free(&text);
}

Test(protocol, answers) {
    Text move = {0};
    cr_assert(answer_read_move(" ( MARK 1\n1 ) ", 14, &move));
    cr_expect_str_eq(text_string(&move), "(mark 1 1)");
    cr_expect(!answer_read_move("", 0, &move));
    cr_expect(!answer_read_move("a b", 3, &move));
    cr_expect(!answer_read_move("(a", 2, &move));
    vector_free(&move);
}
