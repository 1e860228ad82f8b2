/* One pass over the rows of legal moves counts the options of every lane. A second pass finds the
 * legal move whose rank was drawn, and another legal move. For recorded moves the first pass finds
 * the rank instead of drawing it. */
#include "game/observer.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

struct Observer {
    Game *game;
    Random random;
    LaneBatch *batch;
    Lanes *next; /* states after the turn that is shown */
    LaneMask playing;
    uint32_t *moves, *others; /* by lane and role: move made, another legal move */
    uint32_t *options;        /* by lane and role: number of legal moves */
    uint32_t *other_moves;    /* by lane: the other moves of the role asked about */
    /* By lane, for one role: the rank of its move and of the other move among its legal moves, and
     * the number of legal moves met so far. */
    uint32_t rank[LANES], other_rank[LANES], seen[LANES];
    const MatchRecorder *recorder; /* NULL: the observer plays the matches itself */
    bool is_recorded;              /* the matches under way come from the recorder */
    bool is_checked; /* the states of some complete matches of the recorder were compared and
                        correct */
    LaneMask recorded_playing;
    Lanes *recorded_next, *recorded_moves;
};

Observer *observer_create(Game *game, uint64_t seed) {
    assert(game_has_circuit(game));
    Observer *o = memory_zalloc(sizeof *o);
    size_t places = (size_t)LANES * (game->role_count + 1);
    o->game = game;
    random_seed(&o->random, seed);
    o->batch = lane_batch_create(game);
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
    lane_batch_free(o->batch);
    memory_free(o->next, o->recorded_next, o->recorded_moves, o->moves, o->others, o->options,
                o->other_moves, o);
}

void observer_use_recorder(Observer *o, const MatchRecorder *recorder) {
    const Circuit *c = o->game->circuit;
    o->recorder = recorder;
    o->is_checked = false;
    if (!o->recorded_next) {
        o->recorded_next = lanes_alloc(c->fluent_count + 1);
        o->recorded_moves = lanes_alloc(c->move_count + 1);
    }
}

bool observer_trusts_recorder(const Observer *o) {
    return o->recorder != NULL;
}

/* Matches are played here from now on, including those in progress. */
static void distrust_recorder(Observer *o) {
    o->recorder = NULL;
    o->is_recorded = false;
}

static void load_start(Observer *o, const State *start, uint32_t matches) {
    const Circuit *c = o->game->circuit;
    LaneMask all = {{0}};
    for (uint32_t lane = 0; lane < matches; lane++)
        bitset_set(all.words, lane);
    lane_batch_clear(o->batch);
    Lanes *rows = lane_batch_fluent_rows(o->batch);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (start ? state_holds(start, f) : c->initial[f])
            memcpy(&rows[f], &all, sizeof all);
    o->playing = all;
}

/* Loops over the legal moves of a role in ascending order, and for each over the playing lanes in
 * which it is legal. */
#define FOR_LEGAL(o, role, move, lane)                                                             \
    for (uint32_t move = (o)->game->circuit->first_move[role];                                     \
         move < (o)->game->circuit->first_move[(role) + 1]; move++)                                \
        for (int w_ = 0; w_ < LANE_WORDS; w_++)                                                    \
            for (uint64_t                                                                          \
                     left_ = lane_batch_legal_rows((o)->batch)[move][w_] & (o)->playing.words[w_], \
                     lane = 0;                                                                     \
                 left_ && (lane = (uint64_t)w_ * 64 + (uint64_t)__builtin_ctzll(left_), true);     \
                 left_ &= left_ - 1)

/* Counts the legal moves of the role and chooses the ranks of its move and of another one. The rank
 * of a recorded move is looked up, others are drawn. */
static void count_options(Observer *o, uint32_t role) {
    memset(o->seen, 0, sizeof o->seen);
    FOR_LEGAL(o, role, move, lane) {
        if (o->is_recorded && bitset_get((const uint64_t *)&o->recorded_moves[move], lane))
            o->rank[lane] = o->seen[lane];
        o->seen[lane]++;
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t count = o->seen[lane];
        o->options[lane * o->game->role_count + role] = count;
        if (count == 0)
            continue;
        if (!o->is_recorded)
            o->rank[lane] = (uint32_t)random_below(&o->random, count);
        o->other_rank[lane] = o->rank[lane];
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

/* Sets or clears the moves of the playing lanes in the rows of moves. */
static void assign_moves(Observer *o, bool done) {
    uint32_t roles = o->game->role_count;
    Lanes *rows = lane_batch_move_rows(o->batch);
    FOR_LANES(&o->playing, lane) {
        for (uint32_t r = 0; r < roles; r++)
            bitset_assign((uint64_t *)&rows[o->moves[lane * roles + r]], lane, done);
    }
}

/* True if in every playing lane each role has recorded exactly one move, which is legal. */
static bool has_legal_moves(const Observer *o) {
    const Circuit *c = o->game->circuit;
    for (uint32_t r = 0; r < c->role_count; r++) {
        LaneMask missing = o->playing;
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++) {
            Lanes legal = o->recorded_moves[m] & lane_batch_legal_rows(o->batch)[m];
            LaneMask chosen = mask_within(&o->recorded_moves[m], &o->playing);
            LaneMask lawful = mask_within(&legal, &missing);
            if (memcmp(&chosen, &lawful, sizeof chosen) != 0)
                return false;
            mask_remove(&missing, &chosen);
        }
        if (mask_any(&missing))
            return false;
    }
    return true;
}

/* The playing lanes in which every role has a legal move. */
static LaneMask lanes_with_moves(const Observer *o) {
    const Circuit *c = o->game->circuit;
    LaneMask all = o->playing;
    for (uint32_t r = 0; r < c->role_count; r++) {
        Lanes any = {0};
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++)
            any |= lane_batch_legal_rows(o->batch)[m];
        LaneMask some = mask_of(&any);
        all = mask_and(&all, &some);
    }
    return all;
}

/* Fetches a recorded turn. The recorder is given up if its lanes or moves do not fit the states. */
static void fetch_turn(Observer *o, const LaneMask *begun) {
    LaneMask all = o->playing, expected = lanes_with_moves(o), played;
    bool is_right = o->recorder->turn(o->recorder->context, &o->recorded_playing, o->recorded_next,
                                      o->recorded_moves);
    played = mask_and(&o->recorded_playing, begun);
    o->playing = expected;
    is_right = is_right && memcmp(&played, &expected, sizeof played) == 0 && has_legal_moves(o);
    o->playing = all;
    if (!is_right)
        distrust_recorder(o);
}

/* Counts the matches that have ended and chooses moves in the others. False if none goes on. */
static bool begin_turn(Observer *o, ObservedCounts *counts) {
    lane_batch_evaluate_answers(o->batch);
    LaneMask ended = mask_of(lane_batch_terminal_row(o->batch)), begun = o->playing;
    ended = mask_and(&ended, &o->playing);
    counts->playouts += mask_count(&ended);
    mask_remove(&o->playing, &ended);
    if (o->is_recorded && mask_any(&o->playing))
        fetch_turn(o, &begun);
    uint64_t before = mask_count(&o->playing);
    for (uint32_t r = 0; r < o->game->role_count; r++)
        pick_moves(o, r);
    counts->unfinished += before - mask_count(&o->playing);
    return mask_any(&o->playing);
}

static bool is_next(const Observer *o, const Lanes *next) {
    for (uint32_t f = 0; f < o->game->circuit->fluent_count; f++) {
        Lanes difference = next[f] ^ o->recorded_next[f];
        LaneMask differ = mask_within(&difference, &o->playing);
        if (mask_any(&differ))
            return false;
    }
    return true;
}

/* Finds the states after the turn: from a recorder that was checked, else by evaluation. */
static void find_next(Observer *o) {
    const Lanes *next = o->recorded_next;
    if (!o->is_recorded || !o->is_checked) {
        lane_batch_evaluate_next(o->batch);
        next = lane_batch_next_rows(o->batch);
        if (o->is_recorded && !is_next(o, next))
            distrust_recorder(o);
    }
    memcpy(o->next, next, o->game->circuit->fluent_count * sizeof *o->next);
}

void observer_play(Observer *o, const State *start, uint32_t matches, uint32_t step_limit,
                   Deadline deadline, const Visitor *visitor, ObservedCounts *counts) {
    uint32_t fluents = o->game->circuit->fluent_count;
    load_start(o, start, matches < LANES ? matches : LANES);
    o->is_recorded = o->recorder && o->recorder->begin(o->recorder->context, start);
    if (o->recorder && !o->is_recorded)
        distrust_recorder(o);
    for (uint32_t turn = 0; begin_turn(o, counts); turn++) {
        if ((step_limit && turn >= step_limit) || deadline_passed(deadline)) {
            counts->unfinished += mask_count(&o->playing);
            break;
        }
        assign_moves(o, true);
        find_next(o);
        ObservedTurn shown = {.state = lane_batch_fluent_rows(o->batch),
                              .next = o->next,
                              .moves = o->moves,
                              .options = o->options,
                              .playing = o->playing,
                              .turn = turn};
        visitor->turn(visitor->context, o, &shown);
        counts->turns += mask_count(&o->playing);
        assign_moves(o, false);
        memcpy(lane_batch_fluent_rows(o->batch), o->next, fluents * sizeof *o->next);
    }
    /* Only complete matches prove that the recorder is right, not those cut off at a limit. */
    bool all_ended = bitset_next(o->playing.words, LANE_WORDS, 0) == BITSET_END;
    o->is_checked = o->is_checked || (o->is_recorded && all_ended);
}

OtherTurn observer_other(Observer *o, uint32_t role) {
    uint32_t roles = o->game->role_count;
    assert(role < roles);
    Lanes *rows = lane_batch_move_rows(o->batch);
    OtherTurn other = {.moves = o->other_moves};
    FOR_LANES(&o->playing, lane) {
        size_t place = lane * roles + role;
        o->other_moves[lane] = o->others[place];
        if (o->options[place] < 2)
            continue;
        bitset_set(other.lanes.words, lane);
        bitset_clear((uint64_t *)&rows[o->moves[place]], lane);
        bitset_set((uint64_t *)&rows[o->others[place]], lane);
    }
    lane_batch_evaluate_next(o->batch);
    FOR_LANES(&other.lanes, lane) {
        size_t place = lane * roles + role;
        bitset_clear((uint64_t *)&rows[o->others[place]], lane);
        bitset_set((uint64_t *)&rows[o->moves[place]], lane);
    }
    other.next = lane_batch_next_rows(o->batch);
    return other;
}
