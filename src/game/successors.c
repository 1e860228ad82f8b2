/* Questions are sorted by network: the phase of the state, and whether a move is made. The states
 * of up to 128 of them are transposed from words into rows by fluent, one bit per lane. The
 * output rows of the network of next states are the input rows of the network of answers. */
#include "game/successors.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"
#include "game/goal.h"
#include "game/scalar.h"
#include "game/transpose.h"

typedef struct {
    size_t first; /* into the words, or into the moves */
    uint32_t count;
} Span;

typedef struct {
    Span words;
    uint32_t phase;
} GivenState;

typedef struct {
    uint32_t from;    /* the given state */
    uint32_t network; /* 2 * index of the phase, + 1 if a move is made */
} Question;

struct Successors {
    Game *game;
    GameWork *work; /* answers one after the other; NULL: abreast */
    const Scalar *scalar;
    uint32_t roles;
    bool is_evaluated;
    /* The questions. */
    VECTOR(uint64_t) given_words;
    VECTOR(GivenState) given;
    VECTOR(Question) questions;
    U32Vector joints; /* by question and role, numbers of the role; unused without a move */
    /* The answers, by question. */
    VECTOR(uint64_t) words;
    VECTOR(Span) states;
    VECTOR(bool) ends;
    VECTOR(int) goals; /* by question and role */
    U32Vector moves;
    VECTOR(Span) legal; /* by question and role */
    /* Scratch. */
    U32Vector order, first_of_network, made;
    NarrowLanes *now, *next, *answers, *goal_rows, *scratch; /* rows as of a scalar workspace */
    uint64_t *bits;                                          /* by lane: words of legal moves */
    uint64_t *lane_words[SUCCESSORS_LANES];                  /* where rows are stored */
    int *goal_values;                                        /* game_goal_values */
    State state, other;
    U32Vector list;
};

_Static_assert(sizeof(NarrowLanes) * 8 == SUCCESSORS_LANES, "a row has a bit per lane");

Successors *successors_create(Game *game, Reasoner reasoner) {
    bool abreast =
        game_has_circuit(game) && (reasoner == REASONER_AUTO || reasoner == REASONER_SCALAR);
    GameWork *work = abreast ? NULL : game_work_create(game, reasoner);
    if (!abreast && !work)
        return NULL;
    Successors *s = memory_zalloc(sizeof *s);
    s->game = game;
    s->work = work;
    s->roles = game->role_count;
    if (!abreast)
        return s;
    const Circuit *c = game->circuit;
    s->scalar = game->scalar;
    size_t rows = c->fluent_count + c->move_count + 1;
    s->now = narrow_alloc(rows);
    s->next = narrow_alloc(rows);
    s->answers = narrow_alloc(1 + c->move_count);
    s->goal_rows = narrow_alloc(c->goals.count);
    s->scratch = narrow_alloc(s->scalar->scratch_values);
    s->bits = memory_alloc(SUCCESSORS_LANES * (bitset_words(c->move_count) + 1) * sizeof *s->bits);
    s->goal_values = game_goal_values(game);
    return s;
}

void successors_free(Successors *s) {
    if (!s)
        return;
    vectors_free(&s->given_words, &s->given, &s->questions, &s->joints, &s->words, &s->states,
                 &s->ends, &s->goals, &s->moves, &s->legal, &s->order, &s->first_of_network,
                 &s->made, &s->list);
    memory_free(s->now, s->next, s->answers, s->goal_rows, s->scratch, s->bits, s->goal_values);
    states_free(&s->state, &s->other);
    game_work_free(s->work);
    free(s);
}

bool successors_are_abreast(const Successors *s) {
    return !s->work;
}

/* ---- questions ---- */

/* Gives the list so many items, with any values. */
static uint32_t *resize(U32Vector *list, size_t count) {
    vector_clear(list);
    return vector_extend(list, count);
}

void successors_clear(Successors *s) {
    vector_clear(&s->given_words);
    vector_clear(&s->given);
    vector_clear(&s->questions);
    vector_clear(&s->joints);
    s->is_evaluated = false;
}

void successors_from(Successors *s, const State *state) {
    uint32_t count = s->work ? state->word_count : s->scalar->words;
    Span span = {s->given_words.count, count};
    uint64_t *words = vector_extend(&s->given_words, count);
    for (uint32_t w = 0; w < count; w++)
        words[w] = w < state->word_count ? state->words[w] : 0;
    uint32_t phase = s->work ? 0 : phases_of_state(&s->scalar->phases, words, count);
    vector_push(&s->given, ((GivenState){span, phase}));
}

static State given_state(const Successors *s, uint32_t from) {
    Span span = s->given.items[from].words;
    return (State){vector_from(&s->given_words, span.first), span.count};
}

/* The networks of a phase assume legal moves. Others use the networks for all states. */
static uint32_t network_for(const Successors *s, uint32_t phase, const uint32_t *joint) {
    const Circuit *c = s->game->circuit;
    const uint8_t *legality = s->scalar->by_phase[phase].legality;
    for (uint32_t r = 0; joint && r < s->roles; r++)
        if (!legality[c->first_move[r] + joint[r]])
            phase = s->scalar->phases.count;
    return 2 * phase + (joint ? 1 : 0);
}

uint32_t successors_add(Successors *s, const uint32_t *joint) {
    assert(s->given.count && !s->is_evaluated);
    Question q = {(uint32_t)s->given.count - 1, joint ? 1 : 0};
    uint32_t *moves = vector_extend(&s->joints, s->roles);
    for (uint32_t r = 0; r < s->roles; r++)
        moves[r] = joint ? joint[r] : 0;
    if (!s->work)
        q.network = network_for(s, vector_last(&s->given).phase, joint);
    vector_push(&s->questions, q);
    return (uint32_t)s->questions.count - 1;
}

uint32_t successors_add_all(Successors *s, const U32Vector *legal) {
    uint32_t first = (uint32_t)s->questions.count;
    size_t count = 1;
    for (uint32_t r = 0; r < s->roles; r++)
        count *= legal[r].count;
    resize(&s->made, s->roles);
    for (size_t i = 0; i < count; i++) {
        size_t rest = i;
        for (uint32_t r = s->roles; r-- > 0;) {
            s->made.items[r] = legal[r].items[rest % legal[r].count];
            rest /= legal[r].count;
        }
        successors_add(s, s->made.items);
    }
    return first;
}

uint32_t successors_count(const Successors *s) {
    return (uint32_t)s->questions.count;
}

/* ---- rows and words ---- */

/* The words of the lanes become rows by bit. */
ALWAYS_INLINE void load_rows_generic(const Successors *s, const uint32_t *lanes, uint32_t count,
                                     NarrowLanes *rows) {
    uint32_t words = s->scalar->words, fluents = s->game->circuit->fluent_count;
    for (uint32_t w = 0; w < words; w++) {
        uint32_t here = fluents - w * 64 < 64 ? fluents - w * 64 : 64;
        for (uint32_t first = 0; first < SUCCESSORS_LANES; first += 64) {
            BitMatrix m = {.rows = {0}};
            for (uint32_t l = first; l < count && l < first + 64; l++) {
                const Question *q = &s->questions.items[lanes[l]];
                m.rows[l - first] = s->given_words.items[s->given.items[q->from].words.first + w];
            }
            if (first < count)
                transpose_matrix(&m);
            for (uint32_t f = 0; f < here; f++)
                rows[w * 64 + f][first / 64] = m.rows[f];
        }
    }
}

CPU_DISPATCH(void, load_rows,
             (const Successors *s, const uint32_t *lanes, uint32_t count, NarrowLanes *rows),
             (s, lanes, count, rows))

/* All lanes have the same state. */
static void load_one_state(const Successors *s, uint32_t from, NarrowLanes *rows) {
    State state = given_state(s, from);
    uint32_t fluents = s->game->circuit->fluent_count;
    for (uint32_t w = 0; w < state.word_count; w++) {
        uint32_t here = fluents - w * 64 < 64 ? fluents - w * 64 : 64;
        for (uint32_t f = 0; f < here; f++)
            rows[w * 64 + f] = (NarrowLanes){0} - (state.words[w] >> f & 1);
    }
}

/* Rows become words by lane: to[lane] receives as many words as the rows need. */
ALWAYS_INLINE void store_rows_generic(const NarrowLanes *rows, uint32_t row_count, uint32_t lanes,
                                      uint64_t *const *to) {
    for (uint32_t w = 0; w * 64 < row_count; w++) {
        uint32_t here = row_count - w * 64 < 64 ? row_count - w * 64 : 64;
        for (uint32_t first = 0; first < lanes; first += 64) {
            BitMatrix m;
            for (uint32_t f = 0; f < 64; f++)
                m.rows[f] = f < here ? rows[w * 64 + f][first / 64] : 0;
            transpose_matrix(&m);
            for (uint32_t l = first; l < lanes && l < first + 64; l++)
                to[l][w] = m.rows[l - first];
        }
    }
}

CPU_DISPATCH(void, store_rows,
             (const NarrowLanes *rows, uint32_t row_count, uint32_t lanes, uint64_t *const *to),
             (rows, row_count, lanes, to))

static inline bool lane_bit(const NarrowLanes *row, uint32_t lane) {
    return (*row)[lane / 64] >> lane % 64 & 1;
}

/* ---- a chunk of questions for one network, a lane each ---- */

typedef struct {
    const uint32_t *lanes; /* questions */
    uint32_t count;
    SuccessorsWanted wanted;
} Chunk;

static void set_moves(Successors *s, const Chunk *chunk, bool on) {
    const Circuit *c = s->game->circuit;
    NarrowLanes *rows = s->now + c->fluent_count;
    for (uint32_t l = 0; l < chunk->count; l++) {
        const uint32_t *joint = s->joints.items + (size_t)chunk->lanes[l] * s->roles;
        for (uint32_t r = 0; r < s->roles; r++) {
            NarrowLanes *row = &rows[c->first_move[r] + joint[r]];
            if (on)
                (*row)[l / 64] |= UINT64_C(1) << l % 64;
            else
                *row = (NarrowLanes){0};
        }
    }
}

/* Writes the states after the moves; returns the phase of all of them, or that of none. */
static uint32_t store_states(Successors *s, const Chunk *chunk) {
    uint64_t **to = s->lane_words;
    uint32_t phase = 0;
    for (uint32_t l = 0; l < chunk->count; l++)
        to[l] = vector_from(&s->words, s->states.items[chunk->lanes[l]].first);
    store_rows(s->next, s->game->circuit->fluent_count, chunk->count, to);
    for (uint32_t l = 0; l < chunk->count && s->scalar->phases.count; l++) {
        uint32_t own = phases_of_state(&s->scalar->phases, to[l], s->scalar->words);
        phase = l == 0 || own == phase ? own : s->scalar->phases.count;
    }
    return phase;
}

/* Writes the states that no move is made in. */
static void copy_states(Successors *s, const Chunk *chunk) {
    for (uint32_t l = 0; l < chunk->count; l++) {
        State given = given_state(s, s->questions.items[chunk->lanes[l]].from);
        if (given.word_count)
            memcpy(s->words.items + s->states.items[chunk->lanes[l]].first, given.words,
                   given.word_count * sizeof *given.words);
    }
}

static void read_goals(Successors *s, const Chunk *chunk, const ScalarPhase *p,
                       const NarrowLanes *rows) {
    const Circuit *c = s->game->circuit;
    kernel_run_narrow(p->goals, rows, s->goal_rows, s->scratch);
    for (uint32_t l = 0; l < chunk->count; l++) {
        if (!lane_bit(s->answers, l))
            continue;
        int *goals = s->goals.items + (size_t)chunk->lanes[l] * s->roles;
        for (uint32_t r = 0; r < s->roles; r++)
            goals[r] = GOAL_NONE;
        for (size_t i = 0; i < c->goals.count; i++)
            if (lane_bit(&s->goal_rows[i], l))
                goals[c->goals.items[i].role] =
                    goal_join_value(goals[c->goals.items[i].role], s->goal_values[i]);
    }
}

/* Appends the moves of a role whose bits are set, merged with those that are always legal. */
static void list_legal(Successors *s, const ScalarPhase *p, const uint64_t *bits, uint32_t role,
                       Span *span) {
    uint32_t always = p->first_legal[role], end = p->first_legal[role + 1];
    uint32_t open_end = p->first_open[role + 1];
    span->first = s->moves.count;
    vector_reserve(&s->moves, span->first + open_end - p->first_open[role] + end - always);
    uint32_t *out = vector_from(&s->moves, span->first);
    for (size_t m = bitset_next(bits, bitset_words(open_end), p->first_open[role]); m < open_end;
         m = bitset_next(bits, bitset_words(open_end), m + 1)) {
        while (always < end && p->legal_moves.items[always] < p->open_moves.items[m])
            *out++ = p->legal_moves.items[always++];
        *out++ = p->open_moves.items[m];
    }
    while (always < end)
        *out++ = p->legal_moves.items[always++];
    s->moves.count = (size_t)(out - s->moves.items);
    span->count = (uint32_t)(s->moves.count - span->first);
}

static void read_legal(Successors *s, const Chunk *chunk, const ScalarPhase *p) {
    uint64_t **to = s->lane_words;
    uint32_t open = (uint32_t)p->open_moves.count;
    for (uint32_t l = 0; l < chunk->count; l++)
        to[l] = s->bits + l * bitset_words(open);
    store_rows(s->answers + 1, open, chunk->count, to);
    for (uint32_t l = 0; l < chunk->count; l++)
        for (uint32_t r = 0; r < s->roles && !lane_bit(s->answers, l); r++)
            list_legal(s, p, to[l], r, &s->legal.items[(size_t)chunk->lanes[l] * s->roles + r]);
}

static void evaluate_chunk(Successors *s, const Chunk *chunk) {
    uint32_t network = s->questions.items[chunk->lanes[0]].network;
    const NarrowLanes *rows = s->now;
    uint32_t phase = network / 2, from = s->questions.items[chunk->lanes[0]].from;
    if (from == s->questions.items[chunk->lanes[chunk->count - 1]].from)
        load_one_state(s, from, s->now);
    else
        load_rows(s, chunk->lanes, chunk->count, s->now);
    if (network & 1) {
        set_moves(s, chunk, true);
        kernel_run_narrow(s->scalar->by_phase[phase].next, s->now, s->next, s->scratch);
        set_moves(s, chunk, false);
        phase = store_states(s, chunk);
        rows = s->next;
    } else {
        copy_states(s, chunk);
    }
    if (!chunk->wanted)
        return;
    const ScalarPhase *p = &s->scalar->by_phase[phase];
    kernel_run_narrow(p->answers, rows, s->answers, s->scratch);
    bool some_end = false;
    for (uint32_t l = 0; l < chunk->count; l++)
        some_end |= s->ends.items[chunk->lanes[l]] = lane_bit(s->answers, l);
    if (some_end && (chunk->wanted & SUCCESSORS_GOALS) == SUCCESSORS_GOALS)
        read_goals(s, chunk, p, rows);
    if ((chunk->wanted & SUCCESSORS_LEGAL) == SUCCESSORS_LEGAL)
        read_legal(s, chunk, p);
}

/* Lists the questions network by network, in the order of their numbers. */
static void sort_by_network(Successors *s) {
    uint32_t networks = 2 * (s->scalar->phases.count + 1);
    uint32_t *first = resize(&s->first_of_network, networks + 1);
    uint32_t *order = resize(&s->order, s->questions.count);
    memset(first, 0, (networks + 1) * sizeof *first);
    for (size_t i = 0; i < s->questions.count; i++)
        first[s->questions.items[i].network + 1]++;
    for (uint32_t n = 0; n < networks; n++)
        first[n + 1] += first[n];
    for (size_t i = 0; i < s->questions.count; i++)
        order[first[s->questions.items[i].network]++] = (uint32_t)i;
}

static void evaluate_abreast(Successors *s, SuccessorsWanted wanted) {
    uint32_t count = (uint32_t)s->questions.count;
    vector_clear(&s->words);
    (void)vector_extend(&s->words, (size_t)count * s->scalar->words);
    for (uint32_t i = 0; i < count; i++)
        s->states.items[i] = (Span){(size_t)i * s->scalar->words, s->scalar->words};
    sort_by_network(s);
    for (uint32_t first = 0, end = 0; first < count; first = end) {
        uint32_t network = s->questions.items[s->order.items[first]].network;
        while (end < count && end - first < SUCCESSORS_LANES &&
               s->questions.items[s->order.items[end]].network == network)
            end++;
        evaluate_chunk(s, &(Chunk){s->order.items + first, end - first, wanted});
    }
}

/* ---- one after the other ---- */

static void answer_one(Successors *s, uint32_t i, SuccessorsWanted wanted) {
    const Question *q = &s->questions.items[i];
    State given = given_state(s, q->from);
    state_copy(&s->state, &given);
    if (q->network & 1)
        game_next(s->work, &s->state, s->joints.items + (size_t)i * s->roles, &s->state);
    s->states.items[i] = (Span){s->words.count, s->state.word_count};
    vector_append(&s->words, s->state.words, s->state.word_count);
    if (!wanted)
        return;
    s->ends.items[i] = game_is_terminal(s->work, &s->state);
    for (uint32_t r = 0; r < s->roles; r++) {
        size_t at = (size_t)i * s->roles + r;
        if (s->ends.items[i] && (wanted & SUCCESSORS_GOALS) == SUCCESSORS_GOALS)
            s->goals.items[at] = game_goal(s->work, &s->state, r);
        if (s->ends.items[i] || (wanted & SUCCESSORS_LEGAL) != SUCCESSORS_LEGAL)
            continue;
        game_legal(s->work, &s->state, r, &s->list);
        s->legal.items[at] = (Span){s->moves.count, (uint32_t)s->list.count};
        u32_append(&s->moves, &s->list);
    }
}

/* ---- answers ---- */

void successors_evaluate(Successors *s, SuccessorsWanted wanted) {
    assert(!s->is_evaluated);
    size_t count = s->questions.count;
    s->is_evaluated = true;
    vector_clear(&s->words);
    vector_clear(&s->moves);
    vector_clear(&s->states);
    vector_clear(&s->ends);
    vector_clear(&s->goals);
    vector_clear(&s->legal);
    (void)vector_extend(&s->states, count);
    (void)vector_extend(&s->ends, count);
    (void)vector_extend(&s->goals, count * s->roles);
    (void)vector_extend(&s->legal, count * s->roles);
    if (!s->work)
        evaluate_abreast(s, wanted);
    for (uint32_t i = 0; s->work && i < count; i++)
        answer_one(s, i, wanted);
}

State successors_state(const Successors *s, uint32_t question) {
    assert(question < s->states.count && s->is_evaluated);
    Span span = s->states.items[question];
    return (State){vector_from(&s->words, span.first), span.count};
}

bool successors_is_terminal(const Successors *s, uint32_t question) {
    assert(question < s->ends.count && s->is_evaluated);
    return s->ends.items[question];
}

int successors_goal(const Successors *s, uint32_t question, uint32_t role) {
    assert(successors_is_terminal(s, question) && role < s->roles);
    return s->goals.items[(size_t)question * s->roles + role];
}

const uint32_t *successors_legal(const Successors *s, uint32_t question, uint32_t role,
                                 uint32_t *count) {
    assert(!successors_is_terminal(s, question) && role < s->roles);
    Span span = s->legal.items[(size_t)question * s->roles + role];
    *count = span.count;
    return vector_from(&s->moves, span.first);
}
