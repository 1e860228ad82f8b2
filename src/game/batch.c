/* All lanes that play are in one phase and share its networks: starts of other phases wait in their
 * lanes until the play reaches their phase. States that fit no phase use networks without phases.
 * Lanes are not refilled. */
#include "game/batch.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"
#include "game/goal.h"
#include "game/lanes.h"
#include "game/turn_area.h"

enum { FEW_STATES = 8 /* so few different states in 64 lanes are loaded one by one (untuned) */ };

/* The lanes first to end - 1 begin when the play reaches their phase, after so many turns. */
typedef struct {
    uint32_t first, end, turn;
} PhaseLanes;

struct Batch {
    Game *game;
    RandomWide random, before; /* generator now, and before the last batch_play */
    PlayoutTrail *trail;       /* states of playout `followed` while it is retraced, else NULL */
    size_t followed;
    TurnArea phased, plain;
    LaneBatch *first_moves; /* made on first use */
    U32Vector *by_phase;    /* starts of each phase; the last list has those that fit no phase */
    U32Vector in_order;     /* starts that fit a phase, in the order in which they begin */
    PhaseLanes *joined;     /* by phase: its lanes among those that play */
    int *goal_values;       /* game_goal_values */
    Lanes *made;            /* by move of the circuit: lanes in which it was made; or NULL */
};

Batch *batch_create(Game *game, uint64_t seed) {
    return batch_create_on(game, game_turn_networks(game), seed);
}

Batch *batch_create_on(Game *game, const TurnNetworks *turn, uint64_t seed) {
    if (!turn)
        return NULL;
    Batch *b = memory_zalloc(sizeof *b);
    b->game = game;
    random_wide_seed(&b->random, seed);
    b->phased = turn_area_create(turn);
    b->goal_values = game_goal_values(game);
    if (turn->shows_moves)
        b->made = lanes_alloc(game->circuit->move_count);
    b->by_phase = memory_zalloc((turn->phases.count + 1) * sizeof *b->by_phase);
    b->joined = memory_zalloc((turn->phases.count + 1) * sizeof *b->joined);
    return b;
}

void batch_free(Batch *b) {
    if (!b)
        return;
    for (uint32_t p = 0; p <= b->phased.turn->phases.count; p++)
        vector_free(&b->by_phase[p]);
    turn_area_free(&b->phased);
    turn_area_free(&b->plain);
    lane_batch_free(b->first_moves);
    vector_free(&b->in_order);
    memory_free(b->by_phase, b->joined, b->goal_values, b->made, b);
}

/* ---- the moves that were made ---- */

static void note_moves(const Batch *b, const TurnArea *area, uint32_t phase,
                       const LaneMask *alive) {
    const U32Vector *open = &area->turn->by_phase[phase].open_moves;
    const Lanes *chosen = area->other + area->turn->kept.count + 1 + b->game->role_count;
    Lanes mask;
    memcpy(&mask, alive, sizeof mask);
    for (size_t i = 0; i < open->count; i++)
        b->made[open->items[i]] |= chosen[open->items[i]] & mask;
}

/* Transposes 64 moves of 64 lanes at a time. */
static void read_moves(const Batch *b, const uint32_t *members, size_t count,
                       PlayoutResult *results) {
    uint32_t moves = b->game->circuit->move_count;
    uint64_t block[64];
    for (size_t lane = 0; lane < count; lane += 64)
        for (uint32_t first = 0; first < moves; first += 64) {
            size_t here = moves - first < 64 ? moves - first : 64;
            memset(block, 0, sizeof block);
            for (size_t m = 0; m < here; m++)
                block[m] = ((const uint64_t *)&b->made[first + m])[lane / 64];
            bitset_transpose(block);
            for (size_t i = 0; i < 64 && lane + i < count; i++)
                if (results[members[lane + i]].moves)
                    results[members[lane + i]].moves[first / 64] = block[i];
        }
}

/* ---- goals and ends ---- */

static void read_goals(Batch *b, const TurnArea *area, uint32_t phase, const Lanes *state,
                       const LaneMask *ended, const uint32_t *members, PlayoutResult *results) {
    const Circuit *c = b->game->circuit;
    kernel_run(area->turn->by_phase[phase].goals, state, area->goals, area->scratch);
    for (size_t g = 0; g < c->goals.count; g++) {
        LaneMask mask = mask_within(&area->goals[g], ended);
        FOR_LANES(&mask, lane) {
            int *goal = &results[members[lane]].goals[c->goals.items[g].role];
            *goal = goal_join_value(*goal, b->goal_values[g]);
        }
    }
}

static void finish_lanes(const LaneMask *lanes, MatchEnd end, uint32_t turns,
                         const uint32_t *members, PlayoutResult *results) {
    FOR_LANES(lanes, lane) {
        results[members[lane]].end = end;
        results[members[lane]].length += turns;
    }
}

static void read_state(const TurnArea *area, uint32_t phase, size_t lane, State *state) {
    const TurnNetworks *turn = area->turn;
    const Phases *phases = &turn->phases;
    state_clear(state);
    for (size_t i = 0; i < turn->kept.count; i++)
        if (bitset_get((const uint64_t *)&area->state[i], lane))
            state_set(state, turn->kept.items[i]);
    for (size_t i = 0; i < phases->fluents.count; i++)
        if (phases->values[phase * phases->fluents.count + i])
            state_set(state, phases->fluents.items[i]);
}

static void read_last_states(const TurnArea *area, uint32_t phase, const LaneMask *lanes,
                             const uint32_t *members, const PlayoutResult *results) {
    FOR_LANES(lanes, lane) {
        if (results[members[lane]].last)
            read_state(area, phase, lane, results[members[lane]].last);
    }
}

/* The lane of the playout that is retraced; LANES if it is in none of these. */
static size_t followed_lane(const Batch *b, const uint32_t *members, size_t count) {
    size_t lane = 0;
    if (!b->trail)
        return LANES;
    while (lane < count && members[lane] != b->followed)
        lane++;
    return lane < count ? lane : LANES;
}

static void add_to_trail(PlayoutTrail *trail, const TurnArea *area, uint32_t phase, size_t lane) {
    State state = {0};
    read_state(area, phase, lane, &state);
    vector_push(&trail->states, state);
}

static void note_known_fluents(PlayoutTrail *trail, const TurnNetworks *turn) {
    for (size_t i = 0; i < turn->kept.count; i++)
        state_set(&trail->known, turn->kept.items[i]);
    for (size_t i = 0; i < turn->phases.fluents.count; i++)
        state_set(&trail->known, turn->phases.fluents.items[i]);
}

static void end_lanes(Batch *b, TurnArea *area, uint32_t phase, const LaneMask *ended,
                      const uint32_t *members, PlayoutResult *results) {
    if (area->finals.phases)
        final_states_keep(&area->finals, phase, ended, area->state);
    else
        read_goals(b, area, phase, area->state, ended, members, results);
}

static void read_kept_goals(Batch *b, TurnArea *area, const uint32_t *members,
                            PlayoutResult *results) {
    for (uint32_t p = 0; p < area->finals.phases; p++) {
        LaneMask *waiting = &area->finals.waiting[p];
        if (mask_any(waiting))
            read_goals(b, area, p, final_states_of(&area->finals, p), waiting, members, results);
        memset(waiting, 0, sizeof *waiting);
    }
}

/* Counts the starts whose state differs from that of the start before. */
static size_t count_changes(const uint32_t *members, size_t count, const State *const *states) {
    size_t changes = 0;
    for (size_t i = 0; i < count; i++)
        changes += i == 0 || states[members[i]] != states[members[i - 1]];
    return changes;
}

/* Searches start several playouts in one state: neighbours are loaded together. */
static void load_runs(const TurnArea *area, uint32_t lane, const uint32_t *members, size_t count,
                      const State *const *states) {
    const U32Vector *kept = &area->turn->kept;
    for (size_t i = 0; i < count;) {
        const State *state = states[members[i]];
        uint64_t lanes = 0;
        for (; i < count && states[members[i]] == state; i++)
            lanes |= UINT64_C(1) << (lane % 64 + i);
        for (size_t k = 0; k < kept->count; k++) {
            uint64_t *row = (uint64_t *)&area->state[k] + lane / 64;
            *row = (*row & ~lanes) | (state_holds(state, kept->items[k]) ? lanes : 0);
        }
    }
}

/* Loads states by transposing 64 x 64 bits: fluents of a state become lanes of a fluent. */
static void load_blocks(const TurnArea *area, uint32_t lane, const uint32_t *members, size_t count,
                        const State *const *states) {
    const U32Vector *kept = &area->turn->kept;
    uint64_t block[64], lanes = (UINT64_MAX >> (64 - count)) << lane % 64;
    for (size_t i = 0; i < kept->count;) {
        uint32_t w = kept->items[i] / 64;
        memset(block, 0, sizeof block);
        for (size_t m = 0; m < count; m++) {
            const State *state = states[members[m]];
            block[lane % 64 + m] = w < state->word_count ? state->words[w] : 0;
        }
        bitset_transpose(block);
        for (; i < kept->count && kept->items[i] / 64 == w; i++) {
            uint64_t *row = (uint64_t *)&area->state[i] + lane / 64;
            *row = (*row & ~lanes) | (block[kept->items[i] % 64] & lanes);
        }
    }
}

/* Loads the states of the lanes, whose members are those of the same numbers, and wakes them. */
static void load_lanes(const TurnArea *area, const PhaseLanes *lanes, const uint32_t *members,
                       const State *const *states, LaneMask *alive) {
    for (uint32_t lane = lanes->first; lane < lanes->end;) {
        uint32_t end = lane / 64 * 64 + 64 < lanes->end ? lane / 64 * 64 + 64 : lanes->end;
        if (count_changes(members + lane, end - lane, states) > FEW_STATES)
            load_blocks(area, lane, members + lane, end - lane, states);
        else
            load_runs(area, lane, members + lane, end - lane, states);
        for (; lane < end; lane++)
            bitset_set(alive->words, lane);
    }
}

/* Gives up the lanes that began `step_limit` turns ago. */
static void stop_late_lanes(const Batch *b, const TurnArea *area, uint32_t phase, uint32_t turns,
                            uint32_t step_limit, const uint32_t *members, LaneMask *alive,
                            PlayoutResult *results) {
    for (uint32_t p = 0; p < area->turn->phases.count; p++) {
        const PhaseLanes *joined = &b->joined[p];
        LaneMask late = {{0}};
        if (joined->turn + step_limit != turns)
            continue;
        for (uint32_t lane = joined->first; lane < joined->end; lane++)
            bitset_set(late.words, lane);
        late = mask_and(&late, alive);
        finish_lanes(&late, MATCH_TOO_LONG, turns, members, results);
        read_last_states(area, phase, &late, members, results);
        mask_remove(alive, &late);
    }
}

/* One turn of the lanes that play. Those that end, are too late or stuck are taken out. */
static void play_turn(Batch *b, TurnArea *area, uint32_t phase, uint32_t turns, uint32_t step_limit,
                      const uint32_t *members, LaneMask *alive, PlayoutResult *results) {
    size_t kept = area->turn->kept.count;
    const TurnPhase *networks = &area->turn->by_phase[phase];
    random_wide_fill(&b->random, (uint64_t *)(area->state + kept),
                     networks->random_bits * LANE_WORDS);
    kernel_run(networks->step, area->state, area->other, area->scratch);
    LaneMask ended = mask_within(&area->other[kept], alive);
    if (mask_any(&ended)) {
        end_lanes(b, area, phase, &ended, members, results);
        finish_lanes(&ended, MATCH_TERMINAL, turns, members, results);
        mask_remove(alive, &ended);
    }
    if (step_limit && turns >= step_limit)
        stop_late_lanes(b, area, phase, turns, step_limit, members, alive, results);
    for (uint32_t r = 0; r < b->game->role_count; r++) {
        LaneMask stuck = mask_within(&area->other[kept + 1 + r], alive);
        if (!mask_any(&stuck))
            continue;
        finish_lanes(&stuck, MATCH_STUCK, turns, members, results);
        mask_remove(alive, &stuck);
    }
    if (area->turn->shows_moves)
        note_moves(b, area, phase, alive);
    Lanes *swap = area->state;
    area->state = area->other;
    area->other = swap;
}

/* Plays `count` lanes; b->joined says which of them begin in which phase. A length is counted from
 * the turn in which the lane begins. */
static void play_lanes(Batch *b, TurnArea *area, uint32_t phase, const uint32_t *members,
                       size_t count, const State *const *states, uint32_t step_limit,
                       PlayoutResult *results) {
    size_t followed = followed_lane(b, members, count);
    uint32_t begun = 0;
    LaneMask alive = {{0}};
    if (followed < LANES)
        note_known_fluents(b->trail, area->turn);
    if (area->turn->shows_moves)
        memset(b->made, 0, b->game->circuit->move_count * sizeof *b->made);
    for (uint32_t turns = 0; begun < count || mask_any(&alive); turns++) {
        PhaseLanes *joined = &b->joined[phase];
        if (begun < count && joined->first == begun && joined->end > begun) {
            joined->turn = turns;
            load_lanes(area, joined, members, states, &alive);
            for (; begun < joined->end; begun++)
                results[members[begun]].length -= turns;
        }
        if (followed < LANES && bitset_get(alive.words, followed))
            add_to_trail(b->trail, area, phase, followed);
        if (mask_any(&alive))
            play_turn(b, area, phase, turns, step_limit, members, &alive, results);
        phase = phase + 1 == area->turn->phases.count ? 0 : phase + 1;
    }
    read_kept_goals(b, area, members, results);
    if (area->turn->shows_moves)
        read_moves(b, members, count, results);
}

/* Neighbours that start in one state are put into their lanes together. */
static void put_first_moves_into_lanes(Batch *b, const PlayoutStart *starts, uint32_t count) {
    lane_batch_clear(b->first_moves);
    for (uint32_t lane = 0; lane < count;) {
        uint32_t end = lane + 1;
        while (end < count && starts[end].state == starts[lane].state)
            end++;
        lane_batch_fill(b->first_moves, lane, end, starts[lane].state);
        for (; lane < end; lane++)
            if (starts[lane].moves)
                lane_batch_set_moves(b->first_moves, lane, starts[lane].moves);
    }
}

/* Writes the states after the first moves of the starts; starts without first moves are skipped. */
static void make_first_moves(Batch *b, const PlayoutStart *starts, size_t count, State *reached) {
    uint32_t words = (uint32_t)bitset_words(b->game->circuit->fluent_count);
    if (!b->first_moves)
        b->first_moves = lane_batch_create(b->game);
    put_first_moves_into_lanes(b, starts, (uint32_t)count);
    lane_batch_evaluate_next(b->first_moves);
    uint64_t *next = memory_alloc((count * words + 1) * sizeof *next);
    lane_batch_next_words(b->first_moves, (uint32_t)count, next);
    for (size_t lane = 0; lane < count; lane++)
        if (starts[lane].moves)
            state_copy(&reached[lane], &(State){next + lane * words, words});
    free(next);
}

/* Sorts the starts by the phases of the states from which random play goes on. */
static void sort_by_phase(Batch *b, const State *const *states, size_t count) {
    const Phases *phases = &b->phased.turn->phases;
    uint32_t last = 0;
    for (uint32_t p = 0; p <= phases->count; p++)
        vector_clear(&b->by_phase[p]);
    for (size_t i = 0; i < count; i++) {
        uint32_t phase = i && states[i] == states[i - 1]
                             ? last
                             : phases_of_state(phases, states[i]->words, states[i]->word_count);
        vector_push(&b->by_phase[phase], (uint32_t)i);
        last = phase;
    }
}

/* The phase in which play begins: the one after the longest run of phases without starts, so that
 * lanes wait as short as possible. */
static uint32_t first_phase(const Batch *b) {
    uint32_t phases = b->phased.turn->phases.count, gap = 0, longest = 0, first = 0;
    for (uint32_t i = 0; i < 2 * phases; i++) {
        bool is_empty = !b->by_phase[i % phases].count;
        if (!is_empty && gap >= longest) {
            longest = gap;
            first = i % phases;
        }
        gap = is_empty ? gap + 1 : 0;
    }
    return first;
}

/* Plays up to 512 starts of the order, which begins with the given phase. Returns how many. */
static size_t play_some(Batch *b, uint32_t first, size_t done, const State *const *states,
                        uint32_t step_limit, PlayoutResult *results) {
    uint32_t phases = b->phased.turn->phases.count, start = first;
    size_t before = 0, end = done + LANES;
    end = end < b->in_order.count ? end : b->in_order.count;
    for (uint32_t i = 0, p = first; i < phases; i++, p = p + 1 == phases ? 0 : p + 1) {
        size_t from = before < done ? done : before, to = before + b->by_phase[p].count;
        before = to;
        to = to < end ? to : end;
        b->joined[p] = (PhaseLanes){0};
        if (from >= to)
            continue;
        b->joined[p] = (PhaseLanes){(uint32_t)(from - done), (uint32_t)(to - done), 0};
        if (from == done)
            start = p;
    }
    play_lanes(b, &b->phased, start, b->in_order.items + done, end - done, states, step_limit,
               results);
    return end - done;
}

static void play_without_phase(Batch *b, const U32Vector *starts, const State *const *states,
                               uint32_t step_limit, PlayoutResult *results) {
    if (starts->count && !b->plain.turn)
        b->plain = turn_area_create(game_plain_networks(b->game));
    for (size_t done = 0; done < starts->count; done += LANES) {
        size_t count = starts->count - done < LANES ? starts->count - done : LANES;
        b->joined[0] = (PhaseLanes){0, (uint32_t)count, 0};
        play_lanes(b, &b->plain, 0, starts->items + done, count, states, step_limit, results);
    }
}

static void play_states(Batch *b, const State *const *states, size_t count, uint32_t step_limit,
                        PlayoutResult *results) {
    uint32_t phases = b->phased.turn->phases.count;
    sort_by_phase(b, states, count);
    uint32_t first = first_phase(b);
    vector_clear(&b->in_order);
    for (uint32_t i = 0, p = first; i < phases; i++, p = p + 1 == phases ? 0 : p + 1)
        for (size_t k = 0; k < b->by_phase[p].count; k++)
            vector_push(&b->in_order, b->by_phase[p].items[k]);
    for (size_t done = 0; done < b->in_order.count;)
        done += play_some(b, first, done, states, step_limit, results);
    play_without_phase(b, &b->by_phase[phases], states, step_limit, results);
}

void batch_play(Batch *b, const PlayoutStart *starts, size_t count, uint32_t step_limit,
                PlayoutResult *results) {
    assert(starts && results);
    const State **states = memory_zalloc((count + 1) * sizeof *states);
    State *reached = memory_zalloc((count + 1) * sizeof *reached);
    bool has_moves = false;
    b->before = b->random;
    for (size_t i = 0; i < count; i++) {
        has_moves |= starts[i].moves != NULL;
        states[i] = starts[i].moves ? &reached[i] : starts[i].state;
        results[i].length = starts[i].moves != NULL;
        if (results[i].moves)
            memset(results[i].moves, 0,
                   bitset_words(b->game->circuit->move_count) * sizeof(uint64_t));
        for (uint32_t r = 0; r < b->game->role_count; r++)
            results[i].goals[r] = GOAL_NONE;
    }
    for (size_t first = 0; has_moves && first < count; first += LANES)
        make_first_moves(b, starts + first, count - first < LANES ? count - first : LANES,
                         reached + first);
    play_states(b, states, count, step_limit, results);
    for (size_t i = 0; has_moves && i < count; i++)
        state_free(&reached[i]);
    memory_free(reached, states);
}

void batch_retrace(Batch *b, const PlayoutStart *starts, size_t count, uint32_t step_limit,
                   PlayoutResult *results, size_t which, PlayoutTrail *trail) {
    assert(which < count);
    batch_trail_free(trail);
    b->random = b->before;
    b->trail = trail;
    b->followed = which;
    batch_play(b, starts, count, step_limit, results);
    b->trail = NULL;
}

void batch_trail_free(PlayoutTrail *trail) {
    for (size_t i = 0; i < trail->states.count; i++)
        state_free(&trail->states.items[i]);
    vector_free(&trail->states);
    state_free(&trail->known);
    *trail = (PlayoutTrail){0};
}
