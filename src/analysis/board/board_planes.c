/* Every fluent by itself is viewed as a state, which tells the square and the kind of piece that it
 * shows. Grids share the planes, so that height and width are those of the largest. */
#include "analysis/board/board_planes.h"

#include "game/environments.h"

/* Where a channel begins: the first channel of each grid, and then those of the roles. */
static U32Vector first_channels(const Board *board, BoardPlanes *p) {
    U32Vector first = {0};
    for (size_t g = 0; g < board->grids.count; g++) {
        const BoardGrid *grid = &board->grids.items[g];
        uint32_t planes = grid->planes.values.count ? (uint32_t)grid->planes.values.count : 1;
        vector_push(&first, p->channels);
        p->channels += planes * (uint32_t)grid->pieces.count;
        p->width = grid_width(grid) > p->width ? grid_width(grid) : p->width;
        p->height = grid_height(grid) > p->height ? grid_height(grid) : p->height;
    }
    vector_push(&first, p->channels);
    return first;
}

/* Puts the fluent into the cells of the pieces that it shows. */
static void place_fluent(const Board *board, const U32Vector *first, const BoardView *view,
                         uint32_t fluent, BoardPlanes *p) {
    for (size_t i = 0; i < view->pieces.count; i++) {
        const PlacedPiece *placed = &view->pieces.items[i];
        if (!placed->piece)
            continue;
        const BoardGrid *grid = &board->grids.items[placed->grid];
        size_t kind = (size_t)(placed->piece - grid->pieces.items);
        size_t channel = first->items[placed->grid] + placed->plane * grid->pieces.count + kind;
        p->cells[(channel * p->height + placed->y) * p->width + placed->x] = fluent;
    }
}

bool board_find_planes(const Board *board, Game *game, BoardPlanes *p) {
    *p = (BoardPlanes){0};
    if (!board->grids.count)
        return false;
    U32Vector first = first_channels(board, p);
    size_t square = (size_t)p->height * p->width, pieces = p->channels * square;
    p->channels += game->role_count;
    p->cells = memory_alloc((p->channels * square + 1) * sizeof *p->cells);
    for (size_t i = 0; i < p->channels * square; i++)
        p->cells[i] = i < pieces ? PLANE_BLANK : PLANE_TURN + (uint32_t)((i - pieces) / square);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Report report = {0};
    Text text = {0};
    for (uint32_t f = 0; f < game->circuit->fluent_count; f++) {
        text_clear(&text);
        game_fluent_text(work, f, &text);
        BoardView *view = board_view_facts(board, text_string(&text), &report);
        if (view)
            place_fluent(board, &first, view, f, p);
        board_view_free(view);
    }
    vector_free(&text);
    report_free(&report);
    game_work_free(work);
    vector_free(&first);
    return true;
}
