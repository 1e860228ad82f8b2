/* Boards for the public interface: what analysis/board recognises, as JSON and as pictures. */
#include "analysis/board/board_svg.h"
#include "analysis/board/picture.h"
#include "api/api_internal.h"
#include "server/json/inside_json.h"
#include "server/json/json.h"

struct MarelleBoard {
    Board *board;
};

MarelleStatus marelle_board_create(MarelleGame *game, const MarelleBoardOptions *options,
                                   MarelleBoard **board, MarelleProblem *problem) {
    *board = NULL;
    if (!is_time(options->cpu_seconds) || !is_zero(options->reserved))
        return refuse(problem, MARELLE_BAD_ARGUMENT,
                      "an option is out of range, or a reserved field is not zero");
    begin_stoppable(options->stopped);
    Board *found = board_recognise(
        game->game, &(BoardOptions){.seed = options->seed, .seconds = options->cpu_seconds});
    if (end_stoppable(options->stopped)) {
        board_free(found);
        return refuse(problem, MARELLE_SPENT, WAS_STOPPED);
    }
    *board = memory_zalloc(sizeof **board);
    (*board)->board = found;
    return succeed(problem);
}

MarelleBoard *marelle_board_recognise(MarelleGame *game, uint64_t seed) {
    MarelleBoard *board;
    marelle_board_create(game, &(MarelleBoardOptions){.seed = seed}, &board, NULL);
    return board;
}

void marelle_board_free(MarelleBoard *board) {
    if (!board)
        return;
    board_free(board->board);
    free(board);
}

char *marelle_board_json(const MarelleBoard *board) {
    return dump_json(boards_json(board->board));
}

char *marelle_board_state_json(const MarelleBoard *board, MarellePlay *play,
                               const MarelleState *state, bool with_legal) {
    return dump_json(
        position_json(play->game, board->board, play->work, &state->state, with_legal));
}

static BoardView *view_of(const MarelleBoard *board, MarellePlay *play, const MarelleState *state) {
    Report report = {0};
    text_clear(&play->text);
    game_state_text(play->work, &state->state, &play->text);
    BoardView *view = board_view(board->board, text_string(&play->text), &report);
    report_free(&report);
    return view;
}

char *marelle_board_text(const MarelleBoard *board, MarellePlay *play, const MarelleState *state,
                         const MarellePictureOptions *options) {
    enum { WIDEST = 10000 };
    PictureOptions own = {0};
    if (options)
        own = (PictureOptions){.ascii = options->ascii,
                               .colour = options->colour,
                               .no_legend = options->no_legend,
                               .width = options->width < WIDEST ? options->width : WIDEST};
    Text text = {0};
    BoardView *view = view_of(board, play, state);
    if (view)
        picture_draw(board->board, view, &own, &text);
    board_view_free(view);
    return give_text(&text);
}

char *marelle_board_svg(const MarelleBoard *board, MarellePlay *play, const MarelleState *state,
                        bool turned) {
    Text text = {0};
    BoardView *view = view_of(board, play, state);
    if (view)
        board_svg(board->board, view, &(SvgOptions){.is_turned = turned}, &text);
    board_view_free(view);
    return give_text(&text);
}
