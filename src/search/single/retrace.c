/* The match is replayed state by state. In each state all legal moves are tried at once, one per
 * lane, and the move whose successor is the next state of the match is taken. */
#include "search/single/retrace.h"

#include "base/bitset.h"
#include "game/mask.h"

void retracer_init(Retracer *r, Game *game) {
    *r = (Retracer){0};
    lookahead_init(&r->ahead, game);
}

void retracer_free(Retracer *r) {
    lookahead_free(&r->ahead);
    batch_trail_free(&r->trail);
    state_free(&r->state);
    vector_free(&r->legal);
}

/* Makes the moves, one per lane. Returns the lanes in which the successor is the state `met`. */
static LaneMask try_moves(Retracer *r, const uint32_t *moves, uint32_t count, const State *met) {
    LaneMask leading = {{0}};
    lookahead_put_moves(&r->ahead, moves, count);
    for (uint32_t i = 0; i < count; i++)
        bitset_set(leading.words, i);
    lanes_evaluate_next(r->ahead.lanes);
    const Lanes *next = lanes_next_rows(r->ahead.lanes);
    for (uint32_t f = 0; f < r->ahead.fluent_count && mask_any(&leading); f++) {
        if (!state_holds(&r->trail.known, f))
            continue;
        LaneMask row = mask_of(&next[f]);
        if (state_holds(met, f))
            leading = mask_and(&leading, &row);
        else
            mask_remove(&leading, &row);
    }
    return leading;
}

/* Finds a move to the state `met`, appends it and goes there. False, a bug, if there is none. */
static bool follow(Retracer *r, const State *met, U32Vector *moves) {
    GameWork *work = r->ahead.work;
    lanes_fill(r->ahead.lanes, 0, LANES, &r->state);
    game_legal(work, &r->state, 0, &r->legal);
    for (size_t first = 0; first < r->legal.count; first += LANES) {
        size_t count = r->legal.count - first < LANES ? r->legal.count - first : LANES;
        LaneMask leading = try_moves(r, r->legal.items + first, (uint32_t)count, met);
        if (!mask_any(&leading))
            continue;
        uint32_t move = r->legal.items[first + bitset_next(leading.words, LANE_WORDS, 0)];
        vector_push(moves, move);
        game_next(work, &r->state, &move, &r->state);
        return true;
    }
    return false;
}

bool retracer_moves(Retracer *r, Batch *batch, const PlayoutStart *starts, size_t count,
                    uint32_t step_limit, PlayoutResult *results, size_t which,
                    const SearchBudget *budget, U32Vector *moves) {
    const PlayoutStart *start = &starts[which];
    vector_clear(moves);
    batch_retrace(batch, starts, count, step_limit, results, which, &r->trail);
    state_copy(&r->state, start->state);
    if (start->moves) {
        vector_push(moves, *start->moves);
        game_next(r->ahead.work, &r->state, start->moves, &r->state);
    }
    for (size_t i = 1; i < r->trail.states.count; i++)
        if (search_must_stop(budget) || !follow(r, &r->trail.states.items[i], moves))
            return false;
    return true;
}
