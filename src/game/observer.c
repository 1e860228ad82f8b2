/* Moves are picked lane by lane: one walk over the rows of legal moves counts the options of every
 * lane, a second finds the move of the rank that was drawn, and another one beside it. */
#include "game/observer.h"

#include <string.h>

#include "base/bitset.h"

struct Observer {
    Game *game;
    Random random;
    LaneBatch *batch;
    Lanes *next; /* of the turn that is shown */
    LaneMask playing;
    uint32_t *moves, *others; /* by lane and role */
    uint32_t *options;        /* by lane and role */
    uint32_t *other_moves;    /* by lane, as handed out */
    uint32_t rank[LANES], other_rank[LANES], seen[LANES];
};

Observer *observer_create(Game *game, uint64_t seed) {
    Observer *o = memory_zalloc(sizeof *o);
    size_t places = (size_t)LANES * (game->role_count + 1);
    o->game = game;
    random_seed(&o->random, seed);
    o->batch = lanes_create(game);
    o->next = lanes_alloc(game->circuit->fluent_count + 1);
    o->moves = memory_zalloc(places * sizeof *o->moves);
    o->others = memory_zalloc(places * sizeof *o->others);
    o->options = memory_zalloc(places * sizeof *o->options);
    o->other_moves = memory_zalloc(LANES * sizeof *o->other_moves);
    return o;
}

void observer_free(Observer *o) {
    if (!o)
        return;
    lanes_free(o->batch);
    free(o->next);
    free(o->moves);
    free(o->others);
    free(o->options);
    free(o->other_moves);
    free(o);
}

static void load_start(Observer *o, const State *start, uint32_t matches) {
    const Circuit *c = o->game->circuit;
    LaneMask all = {{0}};
    for (uint32_t lane = 0; lane < matches; lane++)
        bitset_set(all.words, lane);
    lanes_clear(o->batch);
    Lanes *rows = lanes_fluent_rows(o->batch);
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        bool holds =
            start ? f / 64 < start->word_count && bitset_get(start->words, f) : c->initial[f];
        if (holds)
            memcpy(&rows[f], &all, sizeof all);
    }
    o->playing = all;
}

/* Calls for every lane in which a move of the role is legal, moves in order. */
#define FOR_LEGAL(o, role, move, lane)                                                             \
    for (uint32_t move = (o)->game->circuit->first_move[role];                                     \
         move < (o)->game->circuit->first_move[(role) + 1]; move++)                                \
        for (int w_ = 0; w_ < LANE_WORDS; w_++)                                                    \
            for (uint64_t left_ = lanes_legal_rows((o)->batch)[move][w_] & (o)->playing.words[w_], \
                          lane = 0;                                                                \
                 left_ && (lane = (uint64_t)w_ * 64 + (uint64_t)__builtin_ctzll(left_), true);     \
                 left_ &= left_ - 1)

static void count_options(Observer *o, uint32_t role) {
    memset(o->seen, 0, sizeof o->seen);
    FOR_LEGAL(o, role, move, lane)
    o->seen[lane]++;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t count = o->seen[lane];
        o->options[lane * o->game->role_count + role] = count;
        if (count == 0)
            continue;
        o->rank[lane] = o->other_rank[lane] = (uint32_t)random_below(&o->random, count);
        if (count > 1)
            o->other_rank[lane] =
                (o->rank[lane] + 1 + (uint32_t)random_below(&o->random, count - 1)) % count;
    }
}

static void pick_moves(Observer *o, uint32_t role) {
    uint32_t roles = o->game->role_count;
    count_options(o, role);
    memset(o->seen, 0, sizeof o->seen);
    FOR_LEGAL(o, role, move, lane) {
        uint32_t rank = o->seen[lane]++;
        if (rank == o->rank[lane])
            o->moves[lane * roles + role] = move;
        if (rank == o->other_rank[lane])
            o->others[lane * roles + role] = move;
    }
    for (uint32_t lane = 0; lane < LANES; lane++)
        if (!o->options[lane * roles + role])
            bitset_clear(o->playing.words, lane);
}

/* Marks or unmarks in the rows of moves what the playing lanes do. */
static void assign_moves(Observer *o, bool done) {
    uint32_t roles = o->game->role_count;
    Lanes *rows = lanes_move_rows(o->batch);
    for (size_t lane = bitset_next(o->playing.words, LANE_WORDS, 0); lane != BITSET_END;
         lane = bitset_next(o->playing.words, LANE_WORDS, lane + 1))
        for (uint32_t r = 0; r < roles; r++)
            bitset_assign((uint64_t *)&rows[o->moves[lane * roles + r]], lane, done);
}

/* False when no lane plays on. */
static bool begin_turn(Observer *o, ObservedCounts *counts) {
    lanes_evaluate_answers(o->batch);
    LaneMask ended = mask_of(lanes_terminal_row(o->batch));
    ended = mask_and(&ended, &o->playing);
    counts->playouts += mask_count(&ended);
    mask_remove(&o->playing, &ended);
    uint64_t before = mask_count(&o->playing);
    for (uint32_t r = 0; r < o->game->role_count; r++)
        pick_moves(o, r);
    counts->unfinished += before - mask_count(&o->playing);
    return mask_any(&o->playing);
}

void observer_play(Observer *o, const State *start, uint32_t matches, uint32_t step_limit,
                   Deadline deadline, const Visitor *visitor, ObservedCounts *counts) {
    uint32_t fluents = o->game->circuit->fluent_count;
    load_start(o, start, matches < LANES ? matches : LANES);
    for (uint32_t turn = 0; begin_turn(o, counts); turn++) {
        if ((step_limit && turn >= step_limit) || deadline_passed(deadline)) {
            counts->unfinished += mask_count(&o->playing);
            break;
        }
        assign_moves(o, true);
        lanes_evaluate_next(o->batch);
        memcpy(o->next, lanes_next_rows(o->batch), fluents * sizeof *o->next);
        ObservedTurn shown = {.state = lanes_fluent_rows(o->batch),
                              .next = o->next,
                              .moves = o->moves,
                              .options = o->options,
                              .playing = o->playing,
                              .turn = turn};
        visitor->turn(visitor->context, o, &shown);
        counts->moves += mask_count(&o->playing);
        assign_moves(o, false);
        memcpy(lanes_fluent_rows(o->batch), o->next, fluents * sizeof *o->next);
    }
}

OtherTurn observer_other(Observer *o, uint32_t role) {
    uint32_t roles = o->game->role_count;
    Lanes *rows = lanes_move_rows(o->batch);
    OtherTurn other = {.moves = o->other_moves};
    for (size_t lane = bitset_next(o->playing.words, LANE_WORDS, 0); lane != BITSET_END;
         lane = bitset_next(o->playing.words, LANE_WORDS, lane + 1)) {
        size_t place = lane * roles + role;
        o->other_moves[lane] = o->others[place];
        if (o->options[place] < 2)
            continue;
        bitset_set(other.lanes.words, lane);
        bitset_clear((uint64_t *)&rows[o->moves[place]], lane);
        bitset_set((uint64_t *)&rows[o->others[place]], lane);
    }
    lanes_evaluate_next(o->batch);
    for (size_t lane = bitset_next(other.lanes.words, LANE_WORDS, 0); lane != BITSET_END;
         lane = bitset_next(other.lanes.words, LANE_WORDS, lane + 1)) {
        size_t place = lane * roles + role;
        bitset_clear((uint64_t *)&rows[o->others[place]], lane);
        bitset_set((uint64_t *)&rows[o->moves[place]], lane);
    }
    other.next = lanes_next_rows(o->batch);
    return other;
}
