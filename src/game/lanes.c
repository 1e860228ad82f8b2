/* Bit l of a row is lane l. The networks have no constants, since the states of a batch need not
 * share a phase. */
#include "game/lanes.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"
#include "circuit/cone.h"
#include "game/goal.h"
#include "game/transpose.h"

/* Shared by all batches of a game. */
struct LaneKernels {
    Kernel *answers; /* fluents -> legal of each move, terminal, goals */
    Kernel *next;    /* fluents, moves -> next of each fluent */
    Kernel *sees;    /* fluents, moves -> percepts */
};

struct LaneBatch {
    Game *game;
    const LaneKernels *kernels;
    Lanes *inputs, *answers, *next, *sees, *scratch;
    uint64_t has_moves[LANE_WORDS];
    uint32_t *moves; /* by lane and role */
    int *goals;      /* game_goal_values */
};

/* The rows of the answers: legal of each move, terminal, goals. */
static size_t goal_row(const Circuit *c, size_t goal) {
    return c->move_count + 1 + goal;
}

LaneKernels *lane_kernels_create(const Circuit *c, KernelKind kind, const bool *stopped) {
    LaneKernels *k = memory_zalloc(sizeof *k);
    ConeOptions options = {.gates = kernel_chosen_gates(kind), .stopped = stopped};
    U32Vector outputs = {0};
    circuit_outputs(c, &outputs);
    const Signal *next = outputs.items, *answers = next + c->fluent_count;
    size_t answer_count = goal_row(c, c->goals.count);
    k->answers = kernel_create(cone_network(c, answers, answer_count, &options, NULL), kind);
    options.with_moves = true;
    k->next = kernel_create(cone_network(c, next, c->fluent_count, &options, NULL), kind);
    k->sees = kernel_create(
        cone_network(c, answers + answer_count, c->percepts.count, &options, NULL), kind);
    vector_free(&outputs);
    return k;
}

void lane_kernels_free(LaneKernels *k) {
    if (!k)
        return;
    kernel_free(k->answers);
    kernel_free(k->next);
    kernel_free(k->sees);
    free(k);
}

static size_t scratch_lanes(const LaneKernels *k) {
    const Kernel *all[] = {k->answers, k->next, k->sees};
    size_t most = 0;
    for (size_t i = 0; i < 3; i++)
        most = kernel_scratch_lanes(all[i]) > most ? kernel_scratch_lanes(all[i]) : most;
    return most;
}

LaneBatch *lane_batch_create(Game *game) {
    assert(game_has_circuit(game));
    const Circuit *c = game->circuit;
    LaneBatch *b = memory_zalloc(sizeof *b);
    b->game = game;
    b->kernels = game_lane_kernels(game);
    b->inputs = lanes_alloc(c->fluent_count + c->move_count);
    b->answers = lanes_alloc(goal_row(c, c->goals.count));
    b->next = lanes_alloc(c->fluent_count);
    b->sees = lanes_alloc(c->percepts.count);
    b->scratch = lanes_alloc(scratch_lanes(b->kernels));
    b->moves = memory_zalloc(LANES * (c->role_count + 1) * sizeof *b->moves);
    b->goals = game_goal_values(game);
    return b;
}

void lane_batch_free(LaneBatch *b) {
    if (!b)
        return;
    memory_free(b->inputs, b->answers, b->next, b->sees, b->scratch, b->moves, b->goals, b);
}

void lane_batch_clear(LaneBatch *b) {
    const Circuit *c = b->game->circuit;
    memset(b->inputs, 0, (c->fluent_count + c->move_count) * sizeof *b->inputs);
    memset(b->has_moves, 0, sizeof b->has_moves);
}

static inline uint64_t *row(Lanes *lanes, size_t index) {
    return (uint64_t *)&lanes[index];
}

static inline bool lane_bit(const Lanes *lanes, size_t index, uint32_t lane) {
    return lanes[index][lane / 64] >> (lane % 64) & 1;
}

void lane_batch_set(LaneBatch *b, uint32_t lane, const State *state, const uint32_t *moves) {
    lane_batch_fill(b, lane, lane + 1, state);
    if (moves)
        lane_batch_set_moves(b, lane, moves);
}

void lane_batch_set_moves(LaneBatch *b, uint32_t lane, const uint32_t *moves) {
    assert(lane < LANES);
    const Circuit *c = b->game->circuit;
    bitset_set(b->has_moves, lane);
    for (uint32_t r = 0; r < c->role_count; r++) {
        b->moves[lane * c->role_count + r] = moves[r];
        bitset_set(row(b->inputs, c->fluent_count + c->first_move[r] + moves[r]), lane);
    }
}

/* The bits first to end - 1 of a word. */
static uint64_t bits_between(uint32_t first, uint32_t end) {
    return (end < 64 ? (UINT64_C(1) << end) - 1 : ~UINT64_C(0)) & ~UINT64_C(0) << first;
}

void lane_batch_fill(LaneBatch *b, uint32_t first, uint32_t end, const State *state) {
    uint32_t fluents = b->game->circuit->fluent_count;
    assert(end <= LANES);
    for (uint32_t word = first / 64; word * 64 < end; word++) {
        uint64_t bits = bits_between(first > word * 64 ? first - word * 64 : 0, end - word * 64);
        for (uint32_t f = 0; f < fluents; f++) {
            uint64_t *to = row(b->inputs, f) + word;
            bool holds = state_holds(state, f);
            *to = holds ? *to | bits : *to & ~bits;
        }
        b->has_moves[word] &= ~bits;
    }
}

void lane_batch_advance(LaneBatch *b) {
    const Circuit *c = b->game->circuit;
    memcpy(b->inputs, b->next, c->fluent_count * sizeof *b->inputs);
    memset(b->inputs + c->fluent_count, 0, c->move_count * sizeof *b->inputs);
    memset(b->has_moves, 0, sizeof b->has_moves);
}

void lane_batch_evaluate_answers(LaneBatch *b) {
    kernel_run(b->kernels->answers, b->inputs, b->answers, b->scratch);
}

void lane_batch_evaluate_next(LaneBatch *b) {
    kernel_run(b->kernels->next, b->inputs, b->next, b->scratch);
}

void lane_batch_evaluate_percepts(LaneBatch *b) {
    kernel_run(b->kernels->sees, b->inputs, b->sees, b->scratch);
}

void lane_batch_evaluate(LaneBatch *b) {
    lane_batch_evaluate_answers(b);
    if (!bitset_any(b->has_moves, LANE_WORDS))
        return;
    lane_batch_evaluate_next(b);
    if (b->game->circuit->percepts.count)
        lane_batch_evaluate_percepts(b);
}

Lanes *lane_batch_fluent_rows(LaneBatch *b) {
    return b->inputs;
}

Lanes *lane_batch_move_rows(LaneBatch *b) {
    return b->inputs + b->game->circuit->fluent_count;
}

const Lanes *lane_batch_terminal_row(const LaneBatch *b) {
    return b->answers + b->game->circuit->move_count;
}

const Lanes *lane_batch_legal_rows(const LaneBatch *b) {
    return b->answers;
}

const Lanes *lane_batch_next_rows(const LaneBatch *b) {
    return b->next;
}

Lanes *lane_batch_percept_rows(LaneBatch *b) {
    return b->sees;
}

bool lane_batch_is_terminal(const LaneBatch *b, uint32_t lane) {
    return lane_bit(lane_batch_terminal_row(b), 0, lane);
}

void lane_batch_legal(const LaneBatch *b, uint32_t lane, uint32_t role, U32Vector *moves) {
    const Circuit *c = b->game->circuit;
    vector_clear(moves);
    for (uint32_t m = c->first_move[role]; m < c->first_move[role + 1]; m++)
        if (lane_bit(b->answers, m, lane))
            vector_push(moves, m - c->first_move[role]);
}

int lane_batch_goal(const LaneBatch *b, uint32_t lane, uint32_t role) {
    const Circuit *c = b->game->circuit;
    int found = GOAL_NONE;
    for (size_t i = 0; i < c->goals.count; i++)
        if (c->goals.items[i].role == role && lane_bit(b->answers, goal_row(c, i), lane))
            found = goal_join_value(found, b->goals[i]);
    return found;
}

static void read_state(const LaneBatch *b, const Lanes *fluents, uint32_t lane, State *state) {
    state_clear(state);
    for (uint32_t f = 0; f < b->game->circuit->fluent_count; f++)
        if (lane_bit(fluents, f, lane))
            state_set(state, f);
}

void lane_batch_next(const LaneBatch *b, uint32_t lane, State *next) {
    read_state(b, b->next, lane, next);
}

ALWAYS_INLINE void next_words_generic(const LaneBatch *b, uint32_t count, uint64_t *words) {
    uint32_t fluents = b->game->circuit->fluent_count, each = (uint32_t)bitset_words(fluents);
    for (uint32_t w = 0; w < each; w++) {
        const Lanes *rows[64];
        uint32_t here = fluents - w * 64 < 64 ? fluents - w * 64 : 64;
        for (uint32_t f = 0; f < here; f++)
            rows[f] = &b->next[w * 64 + f];
        transpose_rows(rows, here, count, words + w, each);
    }
}

CPU_DISPATCH(void, next_words, (const LaneBatch *b, uint32_t count, uint64_t *words),
             (b, count, words))

void lane_batch_next_words(const LaneBatch *b, uint32_t count, uint64_t *words) {
    next_words(b, count, words);
}

void lane_batch_percept_keys(const LaneBatch *b, uint32_t lane, uint64_t *keys) {
    const Circuit *c = b->game->circuit;
    memset(keys, 0, c->role_count * sizeof *keys);
    for (size_t i = 0; i < c->percepts.count; i++)
        if (lane_bit(b->sees, i, lane))
            keys[c->percepts.items[i].role] += game_percept_key(c->percepts.items[i].term);
}

static bool turns_agree(const LaneBatch *b, uint32_t lane, GameWork *work, const State *state) {
    uint32_t roles = b->game->circuit->role_count;
    const uint32_t *moves = b->moves + lane * roles;
    uint64_t *ours = memory_zalloc(2 * (roles + 1) * sizeof *ours), *theirs = ours + roles + 1;
    State next = {0}, other = {0};
    game_next(work, state, moves, &next);
    lane_batch_next(b, lane, &other);
    bool agree = state_equal(&next, &other);
    game_percept_keys(work, state, moves, theirs);
    lane_batch_percept_keys(b, lane, ours);
    agree = agree && memcmp(ours, theirs, roles * sizeof *ours) == 0;
    state_free(&next);
    state_free(&other);
    free(ours);
    return agree;
}

bool lane_batch_agree(const LaneBatch *b, uint32_t lane, GameWork *work) {
    const Circuit *c = b->game->circuit;
    State state = {0};
    U32Vector ours = {0}, theirs = {0};
    read_state(b, b->inputs, lane, &state);
    bool agree = game_is_terminal(work, &state) == lane_batch_is_terminal(b, lane);
    for (uint32_t r = 0; r < c->role_count && agree; r++) {
        lane_batch_legal(b, lane, r, &ours);
        game_legal(work, &state, r, &theirs);
        agree =
            lane_batch_goal(b, lane, r) == game_goal(work, &state, r) && u32_equal(&ours, &theirs);
    }
    agree = agree && (!bitset_get(b->has_moves, lane) || turns_agree(b, lane, work, &state));
    vectors_free(&ours, &theirs);
    state_free(&state);
    return agree;
}
