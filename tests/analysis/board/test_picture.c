/* Tests pictures of states as text. */
#include "analysis/board/picture.h"

#include "support.h"

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

static void assert_picture(const Board *board, const char *state, PictureOptions options,
                           const char *expected) {
    Report report = {0};
    Text text = {0};
    BoardView *view = board_view(board, state, &report);
    cr_assert_not_null(view);
    picture_draw(board, view, &options, &text);
    cr_assert_str_eq(text_string(&text), expected, "\n%s", text_string(&text));
    vector_free(&text);
    board_view_free(view);
    report_free(&report);
}

Test(picture, grid_with_coordinates) {
    Board *board = builtin_board("tic_tac_toe");
    assert_picture(board, "(cell 1 1 x) (cell 2 2 o) (cell 3 1 blank) (control x) (odd)",
                   (PictureOptions){.ascii = true},
                   "  +-------+\n"
                   "3 | . . . |\n"
                   "2 | . o . |\n"
                   "1 | x . . |\n"
                   "  +-------+\n"
                   "    1 2 3\n"
                   "  .=blank\n"
                   "  to move: x\n"
                   "  (odd)\n");
    board_free(board);
}

Test(picture, frames_and_colours) {
    Board *board = builtin_board("tic_tac_toe");
    assert_picture(board, "(cell 1 3 x)", (PictureOptions){.colour = true},
                   "  ┌───────┐\n"
                   "3 │ \033[31mx\033[0m . . │\n"
                   "2 │ . . . │\n"
                   "1 │ . . . │\n"
                   "  └───────┘\n"
                   "    1 2 3\n"
                   "  .=blank\n");
    board_free(board);
}

Test(picture, a_narrow_page_splits_boards_and_lists) {
    Board *board = builtin_board("connect_four");
    assert_picture(board, "(cell 7 1 red) (a long fact) (another fact)",
                   (PictureOptions){.ascii = true, .width = 20},
                   "  +---------------+\n"
                   "6 | . . . . . . . |\n"
                   "5 | . . . . . . . |\n"
                   "4 | . . . . . . . |\n"
                   "3 | . . . . . . . |\n"
                   "2 | . . . . . . . |\n"
                   "1 | . . . . . . r |\n"
                   "  +---------------+\n"
                   "    1 2 3 4 5 6 7\n"
                   "  r=red  y=yellow\n"
                   "  (a long fact)\n"
                   "     (another fact)\n");
    board_free(board);
}

Test(picture, heaps) {
    Board *board = builtin_board("nim");
    assert_picture(board, "(heap a 0) (heap b 3) (control first)", (PictureOptions){.ascii = true},
                   "  to move: first\n"
                   "  heap:\n"
                   "    a 0\n"
                   "    b ooo 3\n");
    board_free(board);
}
