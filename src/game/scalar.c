/* The networks of a phase are cones of the circuit in which the fluents of the phase are constants.
 * Moves that are thereby always or never legal need no output of a network. */
#include "game/scalar.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"
#include "base/cpu.h"

enum {
    MAX_SPECIALISED = 300000, /* gates; a larger circuit gets only the networks without
                                     constants, to save time (untuned) */
    PACKED = 64,              /* values packed into one word at a time */
};

static Kernel *make_kernel(Scalar *s, const Signal *outputs, size_t count,
                           const ConeOptions *options, KernelKind kind) {
    LutNetwork *network = cone_network(s->circuit, outputs, count, options, NULL);
    Kernel *kernel = kernel_create_narrow(network, kind);
    size_t values = kernel_scratch_lanes(kernel);
    if (values > s->scratch_values)
        s->scratch_values = values;
    return kernel;
}

static void sort_moves_by_legality(const Circuit *c, ScalarPhase *p) {
    p->first_open = memory_zalloc((c->role_count + 1) * sizeof *p->first_open);
    p->first_legal = memory_zalloc((c->role_count + 1) * sizeof *p->first_legal);
    for (uint32_t r = 0; r < c->role_count; r++) {
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++) {
            if (p->legality[m] == 2)
                vector_push(&p->open_moves, m - c->first_move[r]);
            else if (p->legality[m] == 1)
                vector_push(&p->legal_moves, m - c->first_move[r]);
        }
        p->first_open[r + 1] = (uint32_t)p->open_moves.count;
        p->first_legal[r + 1] = (uint32_t)p->legal_moves.count;
    }
}

/* `terminal` is output 0, even in phases where it is constant. */
static void make_answers(Scalar *s, ScalarPhase *p, ConeOptions options, KernelKind kind) {
    const Circuit *c = s->circuit;
    U32Vector outputs = {0};
    p->legality = memory_alloc(c->move_count + 1);
    lut_free(cone_network(c, c->legal, c->move_count, &options, p->legality));
    sort_moves_by_legality(c, p);
    vector_push(&outputs, c->terminal);
    for (uint32_t m = 0; m < c->move_count; m++)
        if (p->legality[m] == 2)
            vector_push(&outputs, c->legal[m]);
    p->answers = make_kernel(s, outputs.items, outputs.count, &options, kind);
    vector_free(&outputs);
}

static void make_phase(Scalar *s, uint32_t phase, KernelKind kind, const bool *stopped) {
    const Circuit *c = s->circuit;
    ScalarPhase *p = &s->by_phase[phase];
    ConeOptions options = {.phases = phase < s->phases.count ? &s->phases : NULL,
                           .phase = phase,
                           .gates = kernel_chosen_gates(kind),
                           .stopped = stopped};
    U32Vector outputs = {0};
    circuit_outputs(c, &outputs);
    const Signal *goals = outputs.items + c->fluent_count + c->move_count + 1;
    make_answers(s, p, options, kind);
    p->goals = make_kernel(s, goals, c->goals.count, &options, kind);
    options.with_moves = true;
    options.legality = options.phases ? p->legality : NULL;
    p->next = make_kernel(s, c->next, c->fluent_count, &options, kind);
    p->percepts = make_kernel(s, goals + c->goals.count, c->percepts.count, &options, kind);
    size_t gates = kernel_network(p->answers)->luts.count + kernel_network(p->next)->luts.count;
    if (gates > s->gates)
        s->gates = gates;
    vector_free(&outputs);
}

Scalar *scalar_create(const Circuit *circuit, KernelKind kind, const bool *stopped) {
    Scalar *s = memory_zalloc(sizeof *s);
    s->circuit = circuit;
    s->words = (circuit->fluent_count + 63) / 64;
    s->can_pack_fast = cpu_can_pack_64();
    if (circuit->aig.and_count <= MAX_SPECIALISED)
        s->phases = phases_find(circuit);
    if (s->phases.count <= 1) {
        phases_free(&s->phases);
        s->phases.count = 0;
    }
    s->by_phase = memory_zalloc((s->phases.count + 1) * sizeof *s->by_phase);
    for (uint32_t p = 0; p <= s->phases.count; p++)
        make_phase(s, p, kind, stopped);
    return s;
}

void scalar_free(Scalar *s) {
    if (!s)
        return;
    for (uint32_t i = 0; i <= s->phases.count; i++) {
        ScalarPhase *p = &s->by_phase[i];
        kernel_free(p->answers);
        kernel_free(p->next);
        kernel_free(p->goals);
        kernel_free(p->percepts);
        vectors_free(&p->open_moves, &p->legal_moves);
        memory_free(p->first_open, p->first_legal, p->legality);
    }
    phases_free(&s->phases);
    memory_free(s->by_phase, s);
}

static ScalarArea area_create(const Scalar *s) {
    const Circuit *c = s->circuit;
    return (ScalarArea){narrow_alloc(c->fluent_count + c->move_count + PACKED),
                        memory_zalloc((s->words + 1) * sizeof(uint64_t))};
}

ScalarWork *scalar_work(const Scalar *scalar) {
    const Circuit *c = scalar->circuit;
    ScalarWork *work = memory_zalloc(sizeof *work);
    work->scalar = scalar;
    work->now = area_create(scalar);
    work->next = area_create(scalar);
    work->answers = narrow_alloc(1 + c->move_count + PACKED);
    work->goals = narrow_alloc(c->goals.count);
    work->percepts = narrow_alloc(c->percepts.count);
    work->scratch = narrow_alloc(scalar->scratch_values);
    work->phase = phases_of_state(&scalar->phases, work->now.words,
                                  scalar->words); /* both areas contain the empty state */
    return work;
}

void scalar_work_free(ScalarWork *work) {
    if (!work)
        return;
    memory_free(work->now.values, work->now.words, work->next.values, work->next.words,
                work->answers, work->goals, work->percepts, work->scratch, work);
}

static inline bool words_equal(const uint64_t *a, const uint64_t *b, uint32_t count) {
    uint64_t difference = 0;
    for (uint32_t w = 0; w < count; w++)
        difference |= a[w] ^ b[w];
    return difference == 0;
}

static void spread(const ScalarWork *work, ScalarArea *area, const uint64_t *state) {
    uint32_t fluents = work->scalar->circuit->fluent_count;
    for (uint32_t f = 0; f < fluents; f++)
        area->values[f] = (NarrowLanes){bitset_get(state, f)};
    for (uint32_t w = 0; w < work->scalar->words; w++)
        area->words[w] = state[w];
}

/* Packs the lowest bits of up to 64 values into one word. The fast version reads 64 values, so the
 * arrays are at least that long; the surplus bits are masked out. */
static inline uint64_t pack_up_to_64(const Scalar *s, const NarrowLanes *v, uint32_t count) {
    if (s->can_pack_fast)
        return cpu_pack_64(v) & (UINT64_MAX >> (64 - count));
    uint64_t word = 0;
    for (uint32_t i = 0; i < count; i++)
        word |= (v[i][0] & 1) << i;
    return word;
}

static void pack(const ScalarWork *work, ScalarArea *area) {
    uint32_t fluents = work->scalar->circuit->fluent_count;
    for (uint32_t w = 0; w < work->scalar->words; w++) {
        uint32_t first = w * 64, count = fluents - first < 64 ? fluents - first : 64;
        area->words[w] = pack_up_to_64(work->scalar, area->values + first, count);
    }
}

static void load(ScalarWork *work, const uint64_t *state) {
    uint32_t words = work->scalar->words;
    if (words_equal(work->now.words, state, words))
        return;
    if (words_equal(work->next.words, state, words)) {
        ScalarArea swap = work->now;
        work->now = work->next;
        work->next = swap;
    } else {
        spread(work, &work->now, state);
    }
    work->phase = phases_of_state(&work->scalar->phases, work->now.words, words);
    work->has_answers = work->has_goals = false;
}

static void answer(ScalarWork *work, const uint64_t *state) {
    load(work, state);
    if (work->has_answers)
        return;
    kernel_run_narrow(work->scalar->by_phase[work->phase].answers, work->now.values, work->answers,
                      work->scratch);
    work->has_answers = true;
}

bool scalar_is_terminal(ScalarWork *work, const uint64_t *state) {
    answer(work, state);
    return work->answers[0][0] & 1;
}

static void insert_in_order(U32Vector *moves, uint32_t move) {
    size_t at = moves->count++;
    for (; at > 0 && moves->items[at - 1] > move; at--)
        moves->items[at] = moves->items[at - 1];
    moves->items[at] = move;
}

/* Appends the moves of the list `open` whose answers are true. */
static void add_legal(const ScalarWork *work, const uint32_t *open, const NarrowLanes *answers,
                      uint32_t count, U32Vector *moves) {
    uint32_t *out = moves->items + moves->count;
    for (uint32_t first = 0; first < count; first += 64) {
        uint32_t some = count - first < 64 ? count - first : 64;
        uint64_t legal = pack_up_to_64(work->scalar, answers + first, some);
        for (; legal; legal &= legal - 1)
            *out++ = open[first + (uint32_t)__builtin_ctzll(legal)];
    }
    moves->count = (size_t)(out - moves->items);
}

void scalar_legal(ScalarWork *work, const uint64_t *state, uint32_t role, U32Vector *moves) {
    answer(work, state);
    const ScalarPhase *p = &work->scalar->by_phase[work->phase];
    uint32_t first = p->first_open[role], open = p->first_open[role + 1] - first;
    uint32_t always = p->first_legal[role + 1] - p->first_legal[role];
    vector_reserve(moves, moves->count + open + always);
    if (open)
        add_legal(work, p->open_moves.items + first, work->answers + 1 + first, open, moves);
    for (uint32_t i = 0; i < always; i++)
        insert_in_order(moves, p->legal_moves.items[p->first_legal[role] + i]);
}

bool scalar_goal(ScalarWork *work, const uint64_t *state, size_t goal) {
    assert(goal < work->scalar->circuit->goals.count);
    load(work, state);
    if (!work->has_goals)
        kernel_run_narrow(work->scalar->by_phase[work->phase].goals, work->now.values, work->goals,
                          work->scratch);
    work->has_goals = true;
    return work->goals[goal][0] & 1;
}

static void set_moves(ScalarWork *work, const uint32_t *moves, uint64_t value) {
    const Circuit *c = work->scalar->circuit;
    for (uint32_t r = 0; r < c->role_count; r++)
        work->now.values[c->fluent_count + moves[r]] = (NarrowLanes){value};
}

/* The networks of a phase assume legal moves. Illegal ones use the networks for all states. */
static const ScalarPhase *phase_for_moves(const ScalarWork *work, const uint32_t *moves) {
    const Scalar *s = work->scalar;
    const ScalarPhase *p = &s->by_phase[work->phase];
    for (uint32_t r = 0; r < s->circuit->role_count; r++)
        if (!p->legality[moves[r]])
            return &s->by_phase[s->phases.count];
    return p;
}

void scalar_next(ScalarWork *work, const uint64_t *state, const uint32_t *moves, uint64_t *next) {
    load(work, state);
    set_moves(work, moves, 1);
    kernel_run_narrow(phase_for_moves(work, moves)->next, work->now.values, work->next.values,
                      work->scratch);
    set_moves(work, moves, 0);
    pack(work, &work->next);
    for (uint32_t w = 0; w < work->scalar->words; w++)
        next[w] = work->next.words[w];
}

void scalar_perceive(ScalarWork *work, const uint64_t *state, const uint32_t *moves) {
    load(work, state);
    set_moves(work, moves, 1);
    kernel_run_narrow(phase_for_moves(work, moves)->percepts, work->now.values, work->percepts,
                      work->scratch);
    set_moves(work, moves, 0);
}
