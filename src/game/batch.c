/* Starts are sorted by their phase, so that lanes that play together share the networks of that
 * phase; states that fit no phase play on networks without one. Lanes are not refilled. */
#include "game/batch.h"

#include <string.h>

#include "base/bitset.h"
#include "game/goal.h"
#include "game/lanes.h"
#include "game/mask.h"

typedef struct {
    const Turn *turn;
    Lanes *state, *other, *goals, *scratch;
} TurnArea;

struct Batch {
    Game *game;
    RandomWide random;
    TurnArea phased, plain;
    LaneBatch *first_moves; /* made when first asked for */
    U32Vector *by_phase;    /* starts of each phase, and of none */
    State state;            /* scratch */
};

static TurnArea area_create(const Turn *turn) {
    uint32_t lanes =
        turn->most_inputs > turn->most_outputs ? turn->most_inputs : turn->most_outputs;
    return (TurnArea){turn, lanes_alloc(lanes), lanes_alloc(lanes), lanes_alloc(turn->most_outputs),
                      lanes_alloc(turn->scratch_lanes)};
}

static void area_free(TurnArea *area) {
    free(area->state);
    free(area->other);
    free(area->goals);
    free(area->scratch);
}

Batch *batch_create(Game *game, uint64_t seed) {
    const Turn *turn = game_turn(game);
    if (!turn)
        return NULL;
    Batch *b = memory_zalloc(sizeof *b);
    b->game = game;
    random_wide_seed(&b->random, seed);
    b->phased = area_create(turn);
    b->by_phase = memory_zalloc((turn->phases.count + 1) * sizeof *b->by_phase);
    return b;
}

void batch_free(Batch *b) {
    if (!b)
        return;
    for (uint32_t p = 0; p <= b->phased.turn->phases.count; p++)
        vector_free(&b->by_phase[p]);
    free(b->by_phase);
    area_free(&b->phased);
    area_free(&b->plain);
    lanes_free(b->first_moves);
    state_free(&b->state);
    free(b);
}

static bool holds(const State *state, uint32_t fluent) {
    return fluent / 64 < state->word_count && bitset_get(state->words, fluent);
}

static void load_lane(const TurnArea *area, uint32_t lane, const State *state) {
    for (size_t i = 0; i < area->turn->kept.count; i++)
        bitset_assign((uint64_t *)&area->state[i], lane, holds(state, area->turn->kept.items[i]));
}

static void read_goals(Batch *b, const TurnArea *area, uint32_t phase, const LaneMask *ended,
                       const uint32_t *members, PlayoutResult *results) {
    const Circuit *c = b->game->circuit;
    kernel_run(area->turn->by_phase[phase].goals, area->state, area->goals, area->scratch);
    for (size_t g = 0; g < c->goals.count; g++) {
        LaneMask mask = mask_of(&area->goals[g]);
        mask = mask_and(&mask, ended);
        for (size_t lane = bitset_next(mask.words, LANE_WORDS, 0); lane < LANES;
             lane = bitset_next(mask.words, LANE_WORDS, lane + 1)) {
            int *goal = &results[members[lane]].goals[c->goals.items[g].role];
            *goal = goal_join(*goal, grounding_terms(b->game->grounding), c->goals.items[g].term);
        }
    }
}

static void finish_lanes(const LaneMask *lanes, MatchEnd end, uint32_t turns,
                         const uint32_t *members, PlayoutResult *results) {
    for (size_t lane = bitset_next(lanes->words, LANE_WORDS, 0); lane < LANES;
         lane = bitset_next(lanes->words, LANE_WORDS, lane + 1)) {
        results[members[lane]].end = end;
        results[members[lane]].length += turns;
    }
}

/* Plays the loaded lanes, `count` of them, from a phase on. */
static void play_lanes(Batch *b, TurnArea *area, uint32_t phase, const uint32_t *members,
                       size_t count, uint32_t step_limit, PlayoutResult *results) {
    size_t kept = area->turn->kept.count;
    LaneMask alive = {{0}};
    for (size_t lane = 0; lane < count; lane++)
        bitset_set(alive.words, lane);
    for (uint32_t turns = 0; mask_any(&alive); turns++) {
        const TurnPhase *networks = &area->turn->by_phase[phase];
        random_wide_fill(&b->random, (uint64_t *)(area->state + kept),
                         networks->random_bits * LANE_WORDS);
        kernel_run(networks->step, area->state, area->other, area->scratch);
        LaneMask ended = mask_of(&area->other[kept]);
        ended = mask_and(&ended, &alive);
        if (mask_any(&ended)) {
            read_goals(b, area, phase, &ended, members, results);
            finish_lanes(&ended, MATCH_TERMINAL, turns, members, results);
            mask_remove(&alive, &ended);
        }
        for (uint32_t r = 0; r < b->game->role_count; r++) {
            LaneMask stuck = mask_of(&area->other[kept + 1 + r]);
            stuck = mask_and(&stuck, &alive);
            finish_lanes(&stuck, MATCH_STUCK, turns, members, results);
            mask_remove(&alive, &stuck);
        }
        if (step_limit && turns >= step_limit) {
            finish_lanes(&alive, MATCH_TOO_LONG, turns, members, results);
            break;
        }
        Lanes *swap = area->state;
        area->state = area->other;
        area->other = swap;
        phase = phase + 1 == area->turn->phases.count ? 0 : phase + 1;
    }
}

static void play_phase(Batch *b, TurnArea *area, uint32_t phase, const U32Vector *members,
                       const State *states, uint32_t step_limit, PlayoutResult *results) {
    for (size_t first = 0; first < members->count; first += LANES) {
        size_t count = members->count - first < LANES ? members->count - first : LANES;
        for (uint32_t lane = 0; lane < count; lane++)
            load_lane(area, lane, &states[members->items[first + lane]]);
        play_lanes(b, area, phase, members->items + first, count, step_limit, results);
    }
}

/* The states that random play starts from: those given, or their successors under the moves. */
static State *starting_states(Batch *b, const PlayoutStart *starts, size_t count,
                              PlayoutResult *results) {
    State *states = memory_zalloc((count + 1) * sizeof *states);
    if (!b->first_moves)
        b->first_moves = lanes_create(b->game);
    for (size_t first = 0; first < count; first += LANES) {
        size_t lanes = count - first < LANES ? count - first : LANES;
        lanes_clear(b->first_moves);
        for (uint32_t lane = 0; lane < lanes; lane++)
            lanes_set(b->first_moves, lane, starts[first + lane].state, starts[first + lane].moves);
        lanes_evaluate(b->first_moves);
        for (uint32_t lane = 0; lane < lanes; lane++) {
            bool moves = starts[first + lane].moves != NULL;
            if (moves)
                lanes_next(b->first_moves, lane, &states[first + lane]);
            else
                state_copy(&states[first + lane], starts[first + lane].state);
            results[first + lane].length = moves;
        }
    }
    return states;
}

void batch_play(Batch *b, const PlayoutStart *starts, size_t count, uint32_t step_limit,
                PlayoutResult *results) {
    const Phases *phases = &b->phased.turn->phases;
    State *states = starting_states(b, starts, count, results);
    for (uint32_t p = 0; p <= phases->count; p++)
        vector_clear(&b->by_phase[p]);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t r = 0; r < b->game->role_count; r++)
            results[i].goals[r] = GOAL_NONE;
        vector_push(&b->by_phase[phases_of_state(phases, states[i].words, states[i].word_count)],
                    (uint32_t)i);
    }
    for (uint32_t p = 0; p < phases->count; p++)
        play_phase(b, &b->phased, p, &b->by_phase[p], states, step_limit, results);
    if (b->by_phase[phases->count].count) {
        if (!b->plain.turn)
            b->plain = area_create(game_plain_turn(b->game));
        play_phase(b, &b->plain, 0, &b->by_phase[phases->count], states, step_limit, results);
    }
    for (size_t i = 0; i < count; i++)
        state_free(&states[i]);
    free(states);
}
