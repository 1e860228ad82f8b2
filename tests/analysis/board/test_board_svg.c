/* Tests how pieces look: whose they are, their symbols and colours; and boards as SVG. */
#include "analysis/board/board_svg.h"

#include <stdio.h>

#include "support.h"

static Board *board_of(const char *text) {
    Report report = {0};
    Game *game = game_create(rules_of(text), NULL, &report);
    cr_assert_not_null(game);
    Board *board = board_recognise(game, NULL);
    game_free(game);
    report_free(&report);
    return board;
}

static Board *builtin_board(const char *name) {
    Text path = {0};
    Report report = {0};
    text_printf(&path, MARELLE_TESTS "/../games/%s.kif", name);
    Game *game = game_open(path.items, NULL, &report);
    cr_assert_not_null(game);
    Board *board = board_recognise(game, NULL);
    game_free(game);
    vector_free(&path);
    report_free(&report);
    return board;
}

static const PieceLook *look(const Board *board, const char *text) {
    for (size_t g = 0; g < board->grids.count; g++)
        for (size_t i = 0; i < board->grids.items[g].pieces.count; i++) {
            const BoardPiece *piece = &board->grids.items[g].pieces.items[i];
            if (strcmp(symbols_name(&board->symbols, piece->text), text) == 0)
                return &piece->look;
        }
    cr_assert_fail("no piece %s", text);
    return NULL;
}

static void assert_looks(const Board *board, const char *text, const char *symbol, uint32_t side) {
    const PieceLook *l = look(board, text);
    cr_assert_not_null(l->glyph, "%s", text);
    cr_assert_str_eq(l->glyph->name, symbol, "%s is drawn as %s", text, l->glyph->name);
    cr_assert_eq(l->side, side, "%s belongs to %u", text, l->side);
}

/* Two sides race over a board of 4 x 4; each piece steps forward on its own file. */
static Board *race(const char *pieces) {
    Text rules = {0};
    text_add(&rules, "(role white) (role black) (init (control white)) (succ 1 2) (succ 2 3)"
                     "(succ 3 4) (other white black) (other black white) (init (cell 1 2 b))"
                     "(init (cell 2 2 b)) (init (cell 3 2 b)) (init (cell 4 2 b))"
                     "(init (cell 1 3 b)) (init (cell 2 3 b)) (init (cell 3 3 b))"
                     "(init (cell 4 3 b))"
                     "(<= (legal ?r (move ?x ?y ?z)) (true (control ?r)) (true (cell ?x ?y ?p))"
                     "    (owner ?p ?r) (step ?r ?y ?z) (true (cell ?x ?z b)))"
                     "(<= (legal ?r pass) (true (control ?r)))"
                     "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))"
                     "(<= (step white ?y ?z) (succ ?y ?z)) (<= (step black ?y ?z) (succ ?z ?y))"
                     "(<= (next (cell ?x ?z ?p)) (does ?r (move ?x ?y ?z)) (true (cell ?x ?y ?p)))"
                     "(<= (next (cell ?x ?y b)) (does ?r (move ?x ?y ?z)))"
                     "(<= moved (does ?r (move ?x ?y ?z)))"
                     "(<= (touched ?x ?y) (does ?r (move ?x ?y ?z)))"
                     "(<= (touched ?x ?z) (does ?r (move ?x ?y ?z)))"
                     "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (touched ?x ?y)))"
                     "(<= (next (control ?s)) (true (control ?r)) (other ?r ?s))"
                     "(<= (next (turn ?m)) (true (turn ?n)) (after ?n ?m)) (init (turn 0))"
                     "(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)"
                     "(<= terminal (true (turn 6))) (goal white 50) (goal black 50)");
    text_add(&rules, pieces);
    Board *board = board_of(text_string(&rules));
    vector_free(&rules);
    return board;
}

Test(looks, letters_are_chess_pieces_within_one_game) {
    Board *board = race("(init (cell 1 1 wk)) (init (cell 2 1 wn)) (init (cell 3 1 wp))"
                        "(init (cell 4 1 wb)) (init (cell 1 4 bk)) (init (cell 2 4 bn))"
                        "(init (cell 3 4 bp)) (init (cell 4 4 bb))"
                        "(owner wk white) (owner wn white) (owner wp white) (owner wb white)"
                        "(owner bk black) (owner bn black) (owner bp black) (owner bb black)");
    assert_looks(board, "wk", "king", 0);
    assert_looks(board, "wn", "knight", 0);
    assert_looks(board, "bb", "bishop", 1);
    assert_looks(board, "bp", "pawn", 1);
    cr_assert(board->grids.items[0].is_chequered);
    cr_assert_eq(board->grids.items[0].bottom, 0);
    board_free(board);
}

Test(looks, one_kind_on_each_side_is_a_plain_disc) {
    Board *board = race("(init (cell 1 1 ours)) (init (cell 2 1 ours)) (init (cell 3 1 ours))"
                        "(init (cell 4 1 ours)) (init (cell 1 4 theirs)) (init (cell 2 4 theirs))"
                        "(init (cell 3 4 theirs)) (init (cell 4 4 theirs))"
                        "(owner ours white) (owner theirs black)");
    assert_looks(board, "ours", "disc", 0);
    assert_looks(board, "theirs", "disc", 1);
    cr_assert_str_eq(look(board, "ours")->label, "");
    cr_assert_neq(look(board, "ours")->fill, look(board, "theirs")->fill);
    board_free(board);
}

Test(looks, kinds_without_a_symbol_have_different_letters) {
    Board *board = race("(init (cell 1 1 zig)) (init (cell 2 1 zag)) (init (cell 3 1 zig))"
                        "(init (cell 4 1 zag)) (init (cell 1 4 zog)) (init (cell 2 4 zeg))"
                        "(init (cell 3 4 zog)) (init (cell 4 4 zeg))"
                        "(owner zig white) (owner zag white) (owner zog black) (owner zeg black)");
    cr_assert_str_neq(look(board, "zig")->label, look(board, "zag")->label);
    cr_assert_eq(look(board, "zeg")->side, 1);
    board_free(board);
}

Test(looks, words_are_chess_pieces) {
    Board *board = builtin_board("chess");
    assert_looks(board, "white king", "king", 0);
    assert_looks(board, "black knight", "knight", 1);
    assert_looks(board, "black pawn", "pawn", 1);
    cr_assert_eq(board->grids.items[0].bottom, 0);
    board_free(board);
}

Test(looks, men_and_crowned_men) {
    Board *board = builtin_board("checkers");
    assert_looks(board, "white man", "man", 1);
    assert_looks(board, "black king", "crowned", 0);
    cr_assert_eq(look(board, "white man")->fill, 0xfaf6ea);
    board_free(board);
}

/* In no game of ours do two kinds of pieces on one board look the same. */
Test(looks, no_two_kinds_look_the_same) {
    static const char *const games[] = {"checkers",  "reversi",    "hex",    "breakthrough",
                                        "sudoku",    "pacman",     "wumpus", "connect_four",
                                        "lights_on", "tic_tac_toe"};
    for (size_t n = 0; n < sizeof games / sizeof *games; n++) {
        Board *board = builtin_board(games[n]);
        for (size_t g = 0; g < board->grids.count; g++) {
            const BoardGrid *grid = &board->grids.items[g];
            for (size_t i = 0; i < grid->pieces.count; i++)
                for (size_t k = 0; k < i; k++) {
                    const PieceLook *a = &grid->pieces.items[i].look;
                    const PieceLook *b = &grid->pieces.items[k].look;
                    bool same = a->glyph == b->glyph && a->fill == b->fill &&
                                a->is_small == b->is_small && a->is_hollow == b->is_hollow &&
                                strcmp(a->label, b->label) == 0;
                    cr_assert(!same || grid->pieces.items[i].is_blank ||
                                  grid->pieces.items[k].is_blank,
                              "%s: two kinds look alike", games[n]);
                }
        }
        board_free(board);
    }
}

static size_t count(const char *text, const char *what) {
    size_t found = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        found++;
    return found;
}

Test(svg, squares_pieces_and_labels) {
    Board *board = builtin_board("tic_tac_toe");
    Report report = {0};
    Text text = {0};
    BoardView *view =
        board_view(board, "(cell 1 1 x) (cell 2 2 o) (cell 3 1 blank) (control x) (odd)", &report);
    board_svg(board, view, NULL, &text);
    cr_assert_eq(count(text.items, "class=\"cell\""), 9);
    cr_assert_eq(count(text.items, "class=\"piece\""), 2);
    cr_assert_eq(count(text.items, "class=\"label "), 6);
    cr_assert_eq(count(text.items, "<title>2 2: o</title>"), 1);
    cr_assert_eq(count(text.items, "odd"), 1, "facts of no family are written");
    cr_assert_eq(count(text.items, "<svg"), count(text.items, "</svg>"));
    cr_assert_eq(count(text.items, "<g"), count(text.items, "</g>"));
    vector_free(&text);
    board_view_free(view);
    board_free(board);
    report_free(&report);
}

Test(svg, a_turned_board_has_its_top_row_below) {
    Board *board = builtin_board("tic_tac_toe");
    Report report = {0};
    Text ahead = {0}, turned = {0};
    BoardView *view = board_view(board, "(cell 1 1 x)", &report);
    board_svg(board, view, NULL, &ahead);
    board_svg(board, view, &(SvgOptions){.is_turned = true}, &turned);
    const char *first = "data-square=\"0.0.0.0\" transform=\"translate(20 100)\"";
    const char *far = "data-square=\"0.0.0.0\" transform=\"translate(100 20)\"";
    cr_assert_eq(count(ahead.items, first), 1);
    cr_assert_eq(count(turned.items, far), 1);
    vectors_free(&ahead, &turned);
    board_view_free(view);
    board_free(board);
    report_free(&report);
}

Test(svg, names_are_escaped) {
    Board *board = builtin_board("tic_tac_toe");
    Report report = {0};
    Text text = {0};
    BoardView *view = board_view(board, "(cell 1 1 <script>) (<b> &)", &report);
    board_svg(board, view, NULL, &text);
    cr_assert_eq(count(text.items, "<script"), 0);
    cr_assert_eq(count(text.items, "<b>"), 0);
    vector_free(&text);
    board_view_free(view);
    board_free(board);
    report_free(&report);
}

/* The picture of a state of a built-in game. */
static Text picture_of(const char *name, const char *state) {
    Report report = {0};
    Text svg = {0};
    Board *board = builtin_board(name);
    BoardView *view = board_view(board, state, &report);
    cr_assert_not_null(view);
    board_svg(board, view, NULL, &svg);
    board_view_free(view);
    board_free(board);
    report_free(&report);
    return svg;
}

static void assert_shows(Text *svg, const char *part) {
    cr_assert_not_null(strstr(svg->items, part), "no %s", part);
    vector_free(svg);
}

Test(looks, roles_x_and_o_write_x_and_o) {
    Board *board = builtin_board("tic_tac_toe");
    assert_looks(board, "x", "x", 0);
    assert_looks(board, "o", "o", 1);
    board_free(board);
}

Test(looks, sides_of_equal_lightness_differ_by_a_ring) {
    Board *board = builtin_board("hex");
    cr_assert_not(look(board, "red")->is_ringed);
    cr_assert(look(board, "blue")->is_ringed);
    board_free(board);
    board = builtin_board("checkers");
    cr_assert_not(look(board, "black man")->is_ringed, "black and white need none");
    board_free(board);
}

Test(svg, cards_have_their_suits_and_equal_ones_are_counted) {
    Text svg = picture_of("war", "(row red left 5 clubs) (row blue right 12 hearts)");
    cr_assert_not_null(strstr(svg.items, "Q\u2665"));
    assert_shows(&svg, "left 5\u2663");
}

Test(svg, dice_show_their_faces) {
    Text svg = picture_of("yahtzee", "(die 1 6) (die 2 3)");
    cr_assert_null(strstr(svg.items, ">6</text>"));
    assert_shows(&svg, glyph_named("die 6")->detail);
}

Test(svg, clues_and_signs_are_drawn) {
    Text svg = picture_of("nonogram_g", "(blank 1 1)");
    assert_shows(&svg, "label clue");
    svg = picture_of("futoshiki_4", "(cell 2 2 2)");
    assert_shows(&svg, "class=\"link\"");
    svg = picture_of("hex", "(cell 1 1 red)");
    assert_shows(&svg, "class=\"edge\"");
}

Test(svg, a_card_that_a_player_holds_is_a_card) {
    Text svg = picture_of("kuhn_poker", "(holds alice queen)");
    assert_shows(&svg, ">queen</text>");
    svg = picture_of("kuhn_poker", "(holds alice queen)");
    assert_shows(&svg, "class=\"card\"");
}

Test(looks, names_that_count_on_are_one_kind) {
    Board *board = race("(init (cell 1 1 k1)) (init (cell 2 1 n1)) (init (cell 3 1 n2))"
                        "(init (cell 4 1 b1)) (init (cell 1 4 k2)) (init (cell 2 4 n3))"
                        "(init (cell 3 4 n4)) (init (cell 4 4 b2))"
                        "(owner k1 white) (owner n1 white) (owner n2 white) (owner b1 white)"
                        "(owner k2 black) (owner n3 black) (owner n4 black) (owner b2 black)");
    assert_looks(board, "k1", "king", 0);
    assert_looks(board, "n2", "knight", 0);
    assert_looks(board, "b2", "bishop", 1);
    cr_assert_str_eq(look(board, "n1")->label, "");
    cr_assert_str_eq(look(board, "n2")->label, "");
    board_free(board);
}

Test(looks, a_b_beside_longer_names_is_no_bishop) {
    Board *board = race("(init (cell 1 1 wp)) (init (cell 2 1 wk)) (init (cell 3 1 wp))"
                        "(init (cell 4 1 wk)) (init (cell 1 4 bp)) (init (cell 2 4 bk))"
                        "(init (cell 3 4 bp)) (init (cell 4 4 bk))"
                        "(owner wp white) (owner wk white) (owner bp black) (owner bk black)");
    const BoardGrid *grid = &board->grids.items[0];
    for (size_t i = 0; i < grid->pieces.count; i++)
        if (strcmp(symbols_name(&board->symbols, grid->pieces.items[i].text), "b") == 0)
            cr_assert(grid->pieces.items[i].is_blank);
    board_free(board);
}
