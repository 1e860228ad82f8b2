/* Tests the recognition of boards from rules: sizes, orders of coordinates and kinds of boards. The
 * names in the rules must not matter. */
#include "analysis/board/board.h"

#include <math.h>
#include <stdio.h>

#include "support.h"

static Game *game_of(const char *text, bool interpreted) {
    Report report = {0};
    Game *game =
        game_create(rules_of(text), &(GameOptions){.interpreter_only = interpreted}, &report);
    cr_assert_not_null(game);
    report_free(&report);
    return game;
}

static Board *board_of(const char *text) {
    Game *game = game_of(text, false);
    Board *board = board_recognise(game, NULL);
    game_free(game);
    return board;
}

static char *read_game(const char *name) {
    Text path = {0};
    Report report = {0};
    text_printf(&path, MARELLE_TESTS "/../games/%s.kif", name);
    Source *source = source_read(path.items, &report);
    cr_assert_not_null(source);
    char *text = memory_strdup(source->text);
    source_free(source);
    vector_free(&path);
    report_free(&report);
    return text;
}

static Board *builtin_board(const char *name) {
    char *text = read_game(name);
    Board *board = board_of(text);
    free(text);
    return board;
}

static const char *text_of(const Board *board, Symbol symbol) {
    return symbols_name(&board->symbols, symbol);
}

static const BoardFamily *fluent(const Board *board, const char *name) {
    for (size_t i = 0; i < board->fluents.count; i++)
        if (strcmp(text_of(board, board->fluents.items[i].functor), name) == 0)
            return &board->fluents.items[i];
    cr_assert_fail("no fluent %s", name);
    return NULL;
}

static uint32_t axis_index_of(const Board *board, const BoardAxis *axis, const char *name) {
    for (uint32_t i = 0; i < axis->values.count; i++)
        if (strcmp(text_of(board, axis->values.items[i]), name) == 0)
            return i;
    cr_assert_fail("no %s", name);
    return BOARD_NONE;
}

static void assert_grid(const Board *board, uint32_t number, uint32_t width, uint32_t height) {
    cr_assert_lt(number, board->grids.count);
    const BoardGrid *grid = &board->grids.items[number];
    cr_assert_eq(grid_width(grid), width, "width %u", grid_width(grid));
    cr_assert_eq(grid_height(grid), height, "height %u", grid_height(grid));
}

static void assert_axis(const Board *board, const BoardAxis *axis, const char *expected) {
    Text text = {0};
    for (size_t i = 0; i < axis->values.count; i++)
        text_printf(&text, "%s%s", i ? " " : "", text_of(board, axis->values.items[i]));
    cr_assert_str_eq(text_string(&text), expected);
    vector_free(&text);
}

static uint32_t axis_of(const Board *board, const BoardGrid *grid, const char *name) {
    Symbol symbol = symbols_find(&board->symbols, name, strlen(name));
    return u32_index_of(&grid->x.values, symbol);
}

Test(board, grids_of_our_games) {
    static const struct {
        const char *name;
        uint32_t width, height;
    } games[] = {{"tic_tac_toe", 3, 3},  {"connect_four", 7, 6}, {"breakthrough", 8, 8},
                 {"eight_puzzle", 3, 3}, {"sudoku", 9, 9},       {"hex", 9, 9},
                 {"lights_out", 5, 5},   {"reversi", 8, 8}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Board *board = builtin_board(games[i].name);
        cr_assert_eq(board->grids.count, 1, "%s has %zu boards", games[i].name, board->grids.count);
        assert_grid(board, 0, games[i].width, games[i].height);
        board_free(board);
    }
}

Test(board, hexagons_have_six_neighbours) {
    Board *board = builtin_board("hex");
    cr_assert_eq(board->grids.items[0].shape, GRID_HEXAGONS);
    cr_assert_eq(board->grids.items[0].slant, 1);
    board_free(board);
    board = builtin_board("connect_four");
    cr_assert_eq(board->grids.items[0].shape, GRID_SQUARES);
    board_free(board);
}

Test(board, heaps_and_turns) {
    Board *board = builtin_board("nim");
    cr_assert_eq(board->grids.count, 0);
    cr_assert_eq(fluent(board, "heap")->kind, FAMILY_HEAPS);
    cr_assert_eq(fluent(board, "control")->kind, FAMILY_TURN);
    board_free(board);
}

Test(board, blank_is_what_fills_the_first_board) {
    Board *board = builtin_board("tic_tac_toe");
    cr_assert_str_eq(text_of(board, fluent(board, "cell")->blank), "blank");
    board_free(board);
}

Test(board, blank_is_the_tile_that_every_slide_moves) {
    Board *board = builtin_board("eight_puzzle");
    cr_assert_str_eq(text_of(board, fluent(board, "cell")->blank), "blank");
    board_free(board);
}

/* In a nonogram only blank squares have facts, so a square is marked when its fact is removed. */
Test(board, squares_that_lose_their_fact_one_by_one_are_marked) {
    Board *board = builtin_board("nonogram_chequers");
    const BoardFamily *blank = fluent(board, "blank");
    Report report = {0};
    cr_assert(blank->shows_absence);
    cr_assert_eq(board->grids.items[0].pieces.count, 2);
    BoardView *view = board_view(board, "(blank 1 1) (blank 2 1)", &report);
    cr_assert_eq(view->pieces.count, 25);
    size_t marked = 0;
    for (size_t i = 0; i < view->pieces.count; i++)
        marked += view->pieces.items[i].piece->is_absence;
    cr_assert_eq(marked, 23);
    BoardView *some = board_view_facts(board, "(blank 1 1) (blank 2 1)", &report);
    cr_assert_eq(some->pieces.count, 2, "nothing is said of the other squares");
    board_view_free(view);
    board_view_free(some);
    board_free(board);
}

/* In Chomp and lights-out games facts are also removed, but they are pieces: chocolate is eaten
 * from the corner, and lights come back. */
Test(board, other_facts_that_go_are_pieces) {
    static const char *const games[] = {"chomp", "lights_out"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Board *board = builtin_board(games[i]);
        for (size_t f = 0; f < board->fluents.count; f++)
            cr_assert_not(board->fluents.items[f].shows_absence, "%s", games[i]);
        board_free(board);
    }
}

/* ---- Games made for one question ---- */

#define SOLO "(role solo) (<= terminal (true (over))) (goal solo 100)"

Test(board, any_order_of_arguments_and_nested_terms) {
    Board *board = board_of(
        SOLO "(next_row one two) (next_row two three) (next_col p q) (next_col q r) (next_col r s)"
             "(row one) (row two) (row three) (col p) (col q) (col r) (col s)"
             "(<= (init (at empty (pos ?c ?r))) (col ?c) (row ?r))"
             "(<= (legal solo (put ?c ?r)) (true (at empty (pos ?c ?r))))"
             "(<= (next (at full (pos ?c ?r))) (does solo (put ?c ?r)))"
             "(<= (next (at ?w (pos ?c ?r))) (true (at ?w (pos ?c ?r))) (not (filled ?c ?r)))"
             "(<= (filled ?c ?r) (does solo (put ?c ?r)))"
             "(<= (after ?x ?y) (next_row ?x ?y)) (<= (uses) (after ?x ?y) (next_col ?x ?y))"
             "(<= (next (over)) (uses))"
             "(<= (next (over)) (true (at full (pos p one))) (true (at full (pos s three))))");
    assert_grid(board, 0, 4, 3);
    assert_axis(board, &board->grids.items[0].x, "p q r s");
    assert_axis(board, &board->grids.items[0].y, "one two three");
    cr_assert_eq(board->grids.items[0].x.order, ORDER_CHAIN);
    BoardSquares squares = {0};
    board_move_squares(board, "(put r two)", &squares);
    cr_assert_eq(squares.count, 1);
    cr_assert_eq(squares.items[0].x, 2);
    cr_assert_eq(squares.items[0].y, 1);
    vector_free(&squares);
    board_free(board);
}

/* Two boards of one shape are two boards, whether an argument or the functor tells them apart. */
Test(board, several_boards) {
    static const char rules[] =
        "(role solo) (i 1) (i 2) (i 3) (b left) (b right)"
        "(<= (init (cell ?b ?x ?y e)) (b ?b) (i ?x) (i ?y))"
        "(<= (init (other ?x ?y e)) (i ?x) (i ?y))"
        "(<= (legal solo (mark ?b ?x ?y)) (true (cell ?b ?x ?y e)))"
        "(<= (next (cell ?b ?x ?y m)) (does solo (mark ?b ?x ?y)))"
        "(<= (next (cell ?b ?x ?y ?c)) (true (cell ?b ?x ?y ?c)) (not (does solo (mark ?b ?x ?y))))"
        "(<= (next (other ?x ?y m)) (does solo (mark ?b ?x ?y)))"
        "(<= (next (other ?x ?y ?c)) (true (other ?x ?y ?c)) (not (hit ?x ?y)))"
        "(<= (hit ?x ?y) (does solo (mark ?b ?x ?y)))"
        "(<= terminal (not (open))) (<= (open) (true (cell ?b ?x ?y e))) (goal solo 100)";
    Board *board = board_of(rules);
    cr_assert_eq(board->grids.count, 2);
    const BoardGrid *planes = &board->grids.items[fluent(board, "cell")->grid];
    assert_axis(board, &planes->planes, "left right");
    cr_assert_neq(fluent(board, "other")->grid, fluent(board, "cell")->grid);
    BoardSquares squares = {0};
    board_move_squares(board, "(mark right 3 1)", &squares);
    cr_assert_eq(squares.count, 1);
    cr_assert_eq(squares.items[0].plane, 1);
    cr_assert_eq(squares.items[0].x, 2);
    cr_assert_eq(squares.items[0].y, 0);
    vector_free(&squares);
    board_free(board);
}

Test(board, things_on_things_are_stacks) {
    Board *board = builtin_board("blocks_world");
    bool has_stacks = false;
    for (size_t i = 0; i < board->fluents.count; i++)
        has_stacks |= board->fluents.items[i].kind == FAMILY_STACKS;
    cr_assert(has_stacks);
    board_free(board);
}

#define ROWS "(succ 1 2) (succ 2 3) (row 1) (row 2) (row 3)"

/* At first most squares have a peg, but pegs move and become fewer, so squares with a peg are not
 * blank. */
Test(board, pieces_that_are_taken_are_no_blanks) {
    Board *board = board_of(
        "(role solo) " ROWS "(<= (init (at ?r 1 peg)) (row ?r)) (<= (init (at ?r 2 peg)) (row ?r))"
        "(<= (init (at ?r 3 hole)) (row ?r))"
        "(<= (legal solo (jump ?r)) (true (at ?r 1 peg)))"
        "(<= (next (at ?r 1 hole)) (does solo (jump ?r)))"
        "(<= (next (at ?r 2 hole)) (does solo (jump ?r)))"
        "(<= (next (at ?r 3 peg)) (does solo (jump ?r)))"
        "(<= (next (at ?r ?c ?what)) (true (at ?r ?c ?what)) (not (does solo (jump ?r))))"
        "(<= left (true (at ?r 1 peg))) (<= terminal (not left)) (goal solo 100)");
    assert_grid(board, 0, 3, 3);
    cr_assert_str_eq(text_of(board, fluent(board, "at")->blank), "hole");
    board_free(board);
}

/* Walls fill most of the board, but nothing ever happens to them. */
Test(board, walls_are_no_blanks) {
    Board *board =
        board_of("(role solo) " ROWS
                 "(<= (init (at ?r 1 wall)) (row ?r)) (<= (init (at ?r 3 wall)) (row ?r))"
                 "(init (at 1 2 robot)) (init (at 2 2 floor)) (init (at 3 2 floor))"
                 "(<= (legal solo (go ?r)) (true (at ?r 2 floor)))"
                 "(<= (next (at ?r 2 robot)) (does solo (go ?r)))"
                 "(<= (next (at ?r 2 floor)) (row ?r) (not (does solo (go ?r))))"
                 "(<= (next (at ?r ?c wall)) (true (at ?r ?c wall)))"
                 "(init (step 1)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
                 "(<= terminal (true (step 3))) (goal solo 100)");
    assert_grid(board, 0, 3, 3);
    cr_assert_str_eq(text_of(board, fluent(board, "at")->blank), "floor");
    board_free(board);
}

/* Things that roles hold: a thing is with one role at a time, and a role has several. */
Test(board, things_that_roles_hold_are_hands) {
    Board *board = board_of(
        "(role ann) (role bob) (init (holds ann red 1)) (init (holds ann blue 3))"
        "(init (holds bob red 2)) (init (holds bob blue 4)) (init (turn ann))"
        "(other ann bob) (other bob ann)"
        "(<= (legal ?r (play ?s ?c)) (true (turn ?r)) (true (holds ?r ?s ?c)))"
        "(<= (legal ?r wait) (true (turn ?o)) (other ?o ?r))"
        "(<= (next (holds ?r ?s ?c)) (true (holds ?r ?s ?c)) (not (does ?r (play ?s ?c))))"
        "(<= (next (turn ?r)) (true (turn ?o)) (other ?o ?r))"
        "(<= any (true (holds ?r ?s ?c))) (<= terminal (not any)) (<= (goal ?r 50) (role ?r))");
    Report report = {0};
    cr_assert_eq(fluent(board, "holds")->kind, FAMILY_HANDS);
    BoardView *view = board_view(board, "(holds ann red 1) (holds ann blue 3)", &report);
    cr_assert_eq(view->counters.count, 2);
    cr_assert_str_eq(view->counters.items[0].key, "ann");
    cr_assert_str_eq(view->counters.items[0].value, "red 1");
    board_view_free(view);
    board_free(board);
}

Test(board, a_move_that_names_one_coordinate_names_a_column) {
    Board *board = builtin_board("connect_four");
    BoardSquares squares = {0};
    board_move_squares(board, "(drop 3)", &squares);
    cr_assert_eq(squares.count, 1);
    cr_assert_eq(squares.items[0].x, 2);
    cr_assert_eq(squares.items[0].y, BOARD_NONE);
    vector_free(&squares);
    board_move_squares(board, "noop", &squares);
    board_move_squares(board, "(unknown 1 2", &squares);
    cr_assert_eq(squares.count, 0);
    board_free(board);
}

Test(board, moves_from_square_to_square) {
    Board *board = builtin_board("breakthrough");
    BoardSquares squares = {0};
    board_move_squares(board, "(move 2 2 3 3)", &squares);
    cr_assert_eq(squares.count, 2);
    cr_assert_eq(squares.items[0].x, 1);
    cr_assert_eq(squares.items[0].y, 1);
    cr_assert_eq(squares.items[1].x, 2);
    cr_assert_eq(squares.items[1].y, 2);
    vector_free(&squares);
    board_free(board);
}

Test(board, interpreted_games_have_boards_too) {
    char *text = read_game("breakthrough");
    Game *game = game_of(text, true);
    Board *board = board_recognise(game, NULL);
    assert_grid(board, 0, 8, 8);
    board_free(board);
    game_free(game);
    free(text);
}

/* ---- Names never matter ---- */

static int compare_strings(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Describes the recognised board without any names. */
static char *structure_of(const Board *board) {
    VECTOR(char *) parts = {0};
    Text all = {0};
    for (size_t i = 0; i < board->fluents.count; i++) {
        const BoardFamily *f = &board->fluents.items[i];
        Text part = {0};
        text_printf(&part, "fluent/%u kind %d x %d y %d plane %d", f->arity, (int)f->kind,
                    (int)f->x_column, (int)f->y_column, (int)f->plane_column);
        if (f->kind == FAMILY_GRID) {
            const BoardGrid *grid = &board->grids.items[f->grid];
            text_printf(&part, " on %ux%u shape %d pieces %zu%s%s", grid_width(grid),
                        grid_height(grid), (int)grid->shape, grid->pieces.count,
                        f->blank != SYMBOL_NONE ? " with a blank" : "",
                        f->shows_absence ? " and marks" : "");
        }
        vector_push(&parts, part.items);
    }
    for (size_t i = 0; i < board->moves.count; i++) {
        Text part = {0};
        text_printf(&part, "move/%u ", board->moves.items[i].arity);
        for (uint32_t c = 0; c < board->moves.items[i].column_count; c++)
            text_add_char(&part, board->moves.items[i].axes[c] ? (char)board->moves.items[i].axes[c]
                                                               : '-');
        vector_push(&parts, part.items);
    }
    qsort(parts.items, parts.count, sizeof *parts.items, compare_strings);
    for (size_t i = 0; i < parts.count; i++) {
        text_printf(&all, "%s\n", parts.items[i]);
        free(parts.items[i]);
    }
    vector_free(&parts);
    return all.items;
}

Test(board, names_never_matter, .timeout = 600) {
    static const char *const games[] = {"tic_tac_toe",  "connect_four", "breakthrough",
                                        "eight_puzzle", "hex",          "nim",
                                        "blocks_world", "lights_out",   "reversi"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        char *text = read_game(games[i]), *scrambled = scramble(text);
        Board *plain = board_of(text), *other = board_of(scrambled);
        char *expected = structure_of(plain), *got = structure_of(other);
        cr_assert_str_eq(got, expected, "%s:\n%s\nnot\n%s", games[i], got, expected);
        free(expected);
        free(got);
        board_free(plain);
        board_free(other);
        free(text);
        free(scrambled);
    }
}

/* Clues are known by names: "row", "column", "clue". Without such names a puzzle is drawn without
 * its clues and with its axes exchanged; pieces stay the same. */
Test(board, clues_are_known_by_names, .timeout = 600) {
    char *text = read_game("nonogram_chequers"), *scrambled = scramble(text);
    Board *plain = board_of(text), *other = board_of(scrambled);
    assert_grid(plain, 0, 5, 5);
    assert_grid(other, 0, 5, 5);
    cr_assert_gt(plain->grids.items[0].clues.count, 0);
    cr_assert_eq(other->grids.items[0].clues.count, 0);
    const BoardFamily *p = &plain->fluents.items[0], *o = &other->fluents.items[0];
    cr_assert_eq(p->kind, o->kind);
    cr_assert_eq(p->x_column, o->y_column);
    cr_assert_eq(p->shows_absence, o->shows_absence);
    cr_assert_eq(plain->grids.items[0].pieces.count, other->grids.items[0].pieces.count);
    board_free(plain);
    board_free(other);
    free(text);
    free(scrambled);
}

Test(board, a_domino_covers_two_squares) {
    Report report = {0};
    Board *board = builtin_board("domineering");
    BoardView *view = board_view(board, "(free 1 1) (free 1 2)", &report);
    size_t covered = 0;
    for (size_t i = 0; i < view->pieces.count; i++)
        covered += view->pieces.items[i].piece->is_absence;
    cr_assert_eq(covered, 14);
    board_view_free(view);
    board_free(board);
    report_free(&report);
}

/* ---- What never changes ---- */

Test(board, clues_of_a_puzzle_stand_at_their_lines) {
    Board *board = builtin_board("nonogram_g");
    const BoardGrid *grid = &board->grids.items[0];
    uint32_t third_row = axis_index_of(board, &grid->y, "3"), met = 0;
    for (size_t i = 0; i < grid->clues.count; i++) {
        const BoardClue *clue = &grid->clues.items[i];
        if (clue->is_row && clue->line == third_row)
            cr_assert_str_eq(text_of(board, clue->text), met++ ? "3" : "1");
    }
    cr_assert_eq(met, 2);
    cr_assert_eq(third_row, 2, "the first row is the upper one");
    cr_assert_eq(axis_index_of(board, &grid->y, "1"), 4);
    board_free(board);
}

Test(board, signs_point_at_the_smaller_number) {
    Board *board = builtin_board("futoshiki_4");
    const BoardGrid *grid = &board->grids.items[0];
    cr_assert_eq(grid->signs.count, 4);
    bool found = false; /* row 2, column 4 is smaller than the square below */
    for (size_t i = 0; i < 4; i++)
        found |= grid->signs.items[i].from == 2 * 4 + 3 && grid->signs.items[i].to == 1 * 4 + 3;
    cr_assert(found);
    board_free(board);
}

Test(board, lines_join_the_points_of_a_mill_board) {
    Board *board = builtin_board("nine_mens_morris");
    const BoardGrid *grid = &board->grids.items[0];
    assert_grid(board, 0, 7, 7);
    cr_assert_eq(grid->shape, GRID_PLACES);
    cr_assert_eq(grid->links.count, 32);
    board_free(board);
}

Test(board, edges_belong_to_those_who_join_them) {
    Board *board = builtin_board("hex");
    const uint32_t *edges = board->grids.items[0].edges;
    cr_assert_eq(edges[0], edges[1]);
    cr_assert_eq(edges[2], edges[3]);
    cr_assert_eq(edges[0], 1, "blue joins left and right");
    cr_assert_eq(edges[2], 0);
    board_free(board);
}

/* ---- States ---- */

static size_t count_at(const BoardView *view, uint32_t x, uint32_t y, const char *text) {
    size_t count = 0;
    for (size_t i = 0; i < view->pieces.count; i++)
        count += view->pieces.items[i].x == x && view->pieces.items[i].y == y &&
                 strcmp(view->pieces.items[i].text, text) == 0;
    return count;
}

Test(board, states_as_text_and_as_records_have_them) {
    static const char *const states[] = {
        "(cell 1 2 x) (control o) (weather fine)",
        "((true (cell 1 2 X)) (true (CONTROL o)) (true (weather fine)))"};
    Board *board = builtin_board("tic_tac_toe");
    Report report = {0};
    for (size_t i = 0; i < 2; i++) {
        BoardView *view = board_view(board, states[i], &report);
        cr_assert_not_null(view);
        cr_assert_eq(view->pieces.count, 1);
        cr_assert_eq(count_at(view, 0, 1, "x"), 1);
        cr_assert_eq(view->counters.count, 1);
        cr_assert_str_eq(view->counters.items[0].value, "o");
        cr_assert_eq(view->facts.count, 1);
        cr_assert_str_eq(view->facts.items[0], "(weather fine)");
        board_view_free(view);
    }
    BoardView *outside = board_view(board, "(cell 1 9 x)", &report);
    cr_assert_eq(outside->pieces.count, 0);
    cr_assert_eq(outside->facts.count, 1);
    board_view_free(outside);
    cr_assert(!report_failed(&report));
    cr_assert_null(board_view(board, "(cell 1 (2 x)", &report));
    cr_assert(report_failed(&report));
    report_free(&report);
    board_free(board);
}

Test(board, pieces_have_marks_of_their_own) {
    Board *board = builtin_board("checkers");
    const BoardGrid *grid = &board->grids.items[0];
    for (size_t i = 0; i < grid->pieces.count; i++)
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(grid->pieces.items[i].mark, grid->pieces.items[j].mark);
    board_free(board);
}

/* A placement game for one player: every square is filled once. */
static Board *placement(const char *squares, const char *extra) {
    Text rules = {0};
    text_printf(&rules,
                "(role robot) %s %s (<= (legal robot (fill ?s)) (true (cell ?s blank)))"
                "(<= (next (cell ?s full)) (does robot (fill ?s)))"
                "(<= (next (cell ?s ?c)) (true (cell ?s ?c)) (does robot (fill ?t))"
                "    (distinct ?s ?t))"
                "(<= open (true (cell ?s blank))) (<= terminal (not open))"
                "(goal robot 100)",
                squares, extra);
    Board *board = board_of(text_string(&rules));
    vector_free(&rules);
    return board;
}

Test(board, places_with_coordinates_in_their_names_are_squares) {
    Board *board = placement("(init (cell a1 blank)) (init (cell a2 blank)) (init (cell a3 blank))"
                             "(init (cell b1 blank)) (init (cell b2 blank)) (init (cell b3 blank))"
                             "(init (cell c1 blank)) (init (cell c2 blank)) (init (cell c3 blank))",
                             "");
    cr_assert_eq(board->grids.count, 1);
    const BoardGrid *grid = &board->grids.items[0];
    cr_assert_eq(grid->shape, GRID_PLACES);
    cr_assert(grid->is_lattice);
    uint32_t b3 = axis_of(board, grid, "b3"), a1 = axis_of(board, grid, "a1");
    cr_assert_float_eq(grid->points[b3].x - grid->points[a1].x, 1, 1e-9);
    cr_assert_float_eq(grid->points[b3].y - grid->points[a1].y, 2, 1e-9);
    board_free(board);
}

/* Six nodes around a seventh: linked places lie near each other, others far. */
Test(board, nodes_without_coordinates_lie_where_links_want_them) {
    Board *board =
        placement("(init (cell mid blank)) (init (cell ann blank)) (init (cell bob blank))"
                  "(init (cell cid blank)) (init (cell dan blank)) (init (cell eve blank))"
                  "(init (cell flo blank))",
                  "(road mid ann) (road mid bob) (road mid cid) (road mid dan)"
                  "(road mid eve) (road mid flo) (road ann bob) (road bob cid)"
                  "(road cid dan) (road dan eve) (road eve flo) (road flo ann)"
                  "(<= (goal robot 50) (road ?a ?b) (true (cell ?a ?b)))");
    const BoardGrid *grid = &board->grids.items[0];
    cr_assert_eq(grid->shape, GRID_PLACES);
    cr_assert_not(grid->is_lattice);
    cr_assert_eq(grid->links.count, 12);
    BoardPoint mid = grid->points[axis_of(board, grid, "mid")];
    BoardPoint ann = grid->points[axis_of(board, grid, "ann")];
    BoardPoint dan = grid->points[axis_of(board, grid, "dan")];
    double near = hypot(mid.x - ann.x, mid.y - ann.y), far = hypot(dan.x - ann.x, dan.y - ann.y);
    cr_assert_gt(far, 1.7 * near);
    board_free(board);
}

Test(board, boards_of_boards_are_one_grid) {
    Text rules = {0};
    text_add(&rules, "(role robot) (n 1) (n 2) (n 3) (s 1 2) (s 2 3)"
                     "(<= (init (cell ?a ?b ?c ?d blank)) (n ?a) (n ?b) (n ?c) (n ?d))"
                     "(<= (legal robot (fill ?a ?b ?c ?d)) (true (cell ?a ?b ?c ?d blank)))"
                     "(<= (next (cell ?a ?b ?c ?d full)) (does robot (fill ?a ?b ?c ?d)))"
                     "(<= (next (cell ?a ?b ?c ?d ?x)) (true (cell ?a ?b ?c ?d ?x))"
                     "    (not (does robot (fill ?a ?b ?c ?d))))"
                     "(<= terminal (true (cell 1 1 1 1 full))) (goal robot 100)");
    Board *board = board_of(text_string(&rules));
    assert_grid(board, 0, 9, 9);
    cr_assert_eq(board->grids.items[0].x.block, 3);
    assert_axis(board, &board->grids.items[0].y, "1 1 1 2 1 3 2 1 2 2 2 3 3 1 3 2 3 3");
    BoardSquares squares = {0};
    board_move_squares(board, "(fill 2 1 3 2)", &squares);
    cr_assert_eq(squares.count, 1);
    cr_assert_eq(squares.items[0].x, 5);
    cr_assert_eq(squares.items[0].y, 1);
    vector_free(&squares);
    vector_free(&rules);
    board_free(board);
}

/* Lines between dots: the dots are the corners of the boxes. */
Test(board, facts_of_two_squares_are_lines_between_corners) {
    Board *board = board_of("(role robot) (s 1 2) (s 2 3) (s 3 4) (i 1) (i 2) (i 3) (i 4)"
                            "(<= (edge ?x ?y ?x ?z) (i ?x) (s ?y ?z))"
                            "(<= (edge ?x ?y ?z ?y) (i ?y) (s ?x ?z))"
                            "(<= (legal robot (draw ?a ?b ?c ?d)) (edge ?a ?b ?c ?d)"
                            "    (not (true (line ?a ?b ?c ?d))))"
                            "(<= (next (line ?a ?b ?c ?d)) (does robot (draw ?a ?b ?c ?d)))"
                            "(<= (next (line ?a ?b ?c ?d)) (true (line ?a ?b ?c ?d)))"
                            "(<= (next (box ?x ?y)) (s ?x ?u) (s ?y ?v) (true (line ?x ?y ?x ?v))"
                            "    (true (line ?u ?y ?u ?v)) (true (line ?x ?y ?u ?y))"
                            "    (true (line ?x ?v ?u ?v)))"
                            "(<= open (legal robot ?m)) (<= terminal (true (line 1 1 1 2))"
                            "    (true (line 1 1 2 1)) (true (line 3 4 4 4)) (true (line 2 2 2 3))"
                            "    (true (line 2 2 3 2)) (true (line 3 3 3 4)))"
                            "(goal robot 100)");
    const BoardFamily *line = fluent(board, "line");
    cr_assert_eq(line->kind, FAMILY_LINKS);
    cr_assert(line->joins_corners);
    cr_assert_eq(fluent(board, "box")->grid, line->grid);
    Report report = {0};
    BoardView *view = board_view(board, "(line 1 2 1 3)", &report);
    cr_assert_eq(view->links.count, 1);
    cr_assert_eq(view->links.items[0].to_y, 2);
    board_view_free(view);
    board_free(board);
    report_free(&report);
}

/* A piece is never taken for the empty square where squares without a fact are empty. */
Test(board, pieces_on_a_crowded_board_are_not_blank) {
    Board *board = board_of(
        "(role red) (role blue) (s 1 2) (s 2 3) (s 3 4) (o red blue) (o blue red)"
        "(init (turn red)) (init (on 1 1 r)) (init (on 2 1 r)) (init (on 3 1 r)) (init (on 4 1 r))"
        "(init (on 1 2 r)) (init (on 2 2 r)) (init (on 3 2 r)) (init (on 4 2 r))"
        "(init (on 1 4 b)) (init (on 2 4 b)) (init (on 3 4 b)) (init (on 4 4 b))"
        "(<= (step red ?y ?z) (s ?y ?z)) (<= (step blue ?y ?z) (s ?z ?y)) (own r red) (own b blue)"
        "(<= (full ?x ?y) (true (on ?x ?y ?p)))"
        "(<= (legal ?r (go ?x ?y ?z)) (true (turn ?r)) (true (on ?x ?y ?p)) (own ?p ?r)"
        "    (step ?r ?y ?z) (not (full ?x ?z)))"
        "(<= (legal ?r rest) (true (turn ?r))) (<= (legal ?r wait) (o ?r ?s) (true (turn ?s)))"
        "(<= (next (on ?x ?z ?p)) (does ?r (go ?x ?y ?z)) (true (on ?x ?y ?p)))"
        "(<= (left ?x ?y) (does ?r (go ?x ?y ?z)))"
        "(<= (next (on ?x ?y ?p)) (true (on ?x ?y ?p)) (not (left ?x ?y)))"
        "(<= (next (turn ?s)) (true (turn ?r)) (o ?r ?s))"
        "(<= terminal (true (on 1 3 ?p)) (true (on 2 3 ?q)) (true (on 3 3 ?s))"
        "    (true (on 4 3 ?t))) (goal red 50) (goal blue 50)");
    cr_assert_geq(board->grids.items[0].pieces.count, 2);
    for (size_t i = 0; i < board->grids.items[0].pieces.count; i++)
        cr_assert_not(board->grids.items[0].pieces.items[i].is_blank);
    board_free(board);
}

Test(view, a_track_is_one_board_for_both_sides) {
    Report report = {0};
    Board *board = builtin_board("backgammon");
    BoardView *view = board_view(
        board, "(checkers black 13 5) (checkers white 13 4) (checkers white 25 1)", &report);
    cr_assert_eq(view->pieces.count, 3);
    cr_assert_eq(board->grids.items[view->pieces.items[0].grid].track, 26);
    cr_assert_eq(view->pieces.items[0].x + 1, 13, "the second side counts from the other end");
    cr_assert_eq(view->pieces.items[1].x, 13);
    board_view_free(view);
    board_free(board);
    report_free(&report);
}

Test(view, two_coordinates_in_two_facts_are_a_place) {
    Report report = {0};
    Board *board = builtin_board("asteroids");
    BoardView *view = board_view(board, "(place east 3) (place north 4) (speed east 5)", &report);
    cr_assert_eq(view->pieces.count, 1);
    const BoardGrid *grid = &board->grids.items[view->pieces.items[0].grid];
    cr_assert_str_eq(text_of(board, grid->x.values.items[view->pieces.items[0].x]), "3");
    cr_assert_str_eq(text_of(board, grid->y.values.items[view->pieces.items[0].y]), "4");
    cr_assert_eq(view->counters.count, 1);
    board_view_free(view);
    board_free(board);
    report_free(&report);
}
