/* The circuit is copied with constants in place of the moves and the turn. All copies go into one
 * graph, in which equal functions mostly become the same signal. A fluent whose next value is
 * itself does not change. One that changes is joined with the move that changes it, with the
 * fluents that its new value depends on, and with those that the move's legality depends on. So
 * parts may come out too large, but never too small. */
#include "search/sums/sumparts.h"

#include <assert.h>
#include <string.h>

#include "analysis/facts/relevance.h"
#include "base/bitset.h"
#include "base/disjoint_sets.h"
#include "base/graph.h"

enum {
    NONE = UINT32_MAX,
    MIXED = UINT32_MAX - 1, /* label of a node that depends on several parts, or on the rest */
    MAX_PHASES = 512        /* phases of the autonomous fluents (untuned) */
};
static const uint64_t MAX_COPIED = 2000000, /* nodes of the circuit copied in all (untuned) */
    MAX_LOOKED = 20000000,                  /* nodes of the copies visited in all (untuned) */
    NODES_BETWEEN_CHECKS = 50000;           /* nodes between two looks at the clock (untuned) */

typedef struct {
    Game *game;
    const Circuit *c;
    SumParts *parts;
    const SearchBudget *budget;
    uint64_t work, next_check; /* nodes visited; look at the clock at so many */
    bool is_out_of_time;
    const uint64_t *start;  /* words of the first state */
    uint64_t copied;        /* nodes copied so far */
    const uint64_t *needed; /* set of the fluents that a goal or terminal depends on */
    uint32_t *parents;      /* union-find over fluents, followed by moves */
    bool *is_changing;      /* by move: it changes a fluent of a part */
    uint8_t *cone;
    /* Copies of the circuit with constants: */
    uint8_t *next_marks, *legal_marks;
    Signal *map;
    Aig copies;
    U32Vector stamps; /* by node of the copies: number of the last walk that visited it */
    U32Vector stack;
    uint32_t stamp;
    uint64_t looked;
    uint32_t *part_of_fluent; /* by fluent, then by move; NONE: in no part */
    uint8_t *drivers;         /* by turn and fluent: the role that can change it */
} Finder;

/* Counts visited nodes. True if time is up or the search is stopped; it stays true. */
static bool is_out_of_time(Finder *f, uint64_t work) {
    f->work += work;
    if (!f->is_out_of_time && f->work >= f->next_check) {
        f->next_check = f->work + NODES_BETWEEN_CHECKS;
        f->is_out_of_time = search_must_stop(f->budget);
    }
    return f->is_out_of_time;
}

static bool is_of_a_part(const Finder *f, uint32_t fluent) {
    return bitset_get(f->needed, fluent) && !bitset_get(f->parts->rest, fluent) &&
           !bitset_get(f->parts->fixed, fluent);
}

/* ---- the rest ---- */

/* Edges from every node to the gates made from it and to the fluents whose next value it is. */
static void list_users(const Circuit *c, Graph *users) {
    Edges edges = {0};
    for (uint32_t n = 0; n < c->aig.nodes.count; n++) {
        if (!aig_is_and(&c->aig, n))
            continue;
        vector_push(&edges, ((Edge){signal_node(c->aig.nodes.items[n].a), n}));
        vector_push(&edges, ((Edge){signal_node(c->aig.nodes.items[n].b), n}));
    }
    for (uint32_t g = 0; g < c->fluent_count; g++)
        vector_push(&edges, ((Edge){signal_node(c->next[g]), signal_node(c->fluents[g])}));
    graph_build(users, (uint32_t)c->aig.nodes.count, &edges);
    vector_free(&edges);
}

static void mark_driven(uint8_t *is_driven, U32Vector *stack, uint32_t node) {
    if (!is_driven[node])
        vector_push(stack, node);
    is_driven[node] = 1;
}

/* Finds the rest: the largest set of needed fluents that depend on nothing but each other. */
static void find_rest(Finder *f) {
    const Circuit *c = f->c;
    uint8_t *is_driven = memory_zalloc(c->aig.nodes.count + 1);
    U32Vector stack = {0};
    Graph users;
    list_users(c, &users);
    for (uint32_t m = 0; m < c->move_count; m++)
        mark_driven(is_driven, &stack, signal_node(c->moves[m]));
    for (uint32_t g = 0; g < c->fluent_count; g++)
        if (!bitset_get(f->needed, g))
            mark_driven(is_driven, &stack, signal_node(c->fluents[g]));
    while (stack.count) {
        uint32_t node = vector_pop(&stack);
        for (uint32_t u = users.starts[node]; u < users.starts[node + 1]; u++)
            mark_driven(is_driven, &stack, users.targets[u]);
    }
    for (uint32_t g = 0; g < c->fluent_count; g++)
        if (!is_driven[signal_node(c->fluents[g])])
            bitset_set(f->parts->rest, g);
    graph_free(&users);
    vector_free(&stack);
    free(is_driven);
}

/* Marks the cones that are copied, and the autonomous fluents in them. */
static void find_seen(Finder *f) {
    const Circuit *c = f->c;
    U32Vector next = {0};
    for (uint32_t g = 0; g < c->fluent_count; g++)
        if (is_of_a_part(f, g))
            vector_push(&next, c->next[g]);
    aig_mark_cone(&c->aig, next.items, next.count, f->next_marks);
    vector_free(&next);
    aig_mark_cone(&c->aig, c->legal, c->move_count, f->legal_marks);
    for (uint32_t g = 0; g < c->fluent_count; g++) {
        uint32_t node = signal_node(c->fluents[g]);
        if (bitset_get(f->parts->rest, g) && (f->next_marks[node] || f->legal_marks[node]))
            bitset_set(f->parts->seen, g);
    }
}

static uint32_t find_phase(const SumParts *p, const uint64_t *words, const uint64_t *mask) {
    for (uint32_t i = 0; i < p->phases.count; i++)
        if (bitset_agree(p->phases.items[i].words, words, mask, p->word_count))
            return i;
    return NONE;
}

uint32_t sumparts_phase(const SumParts *parts, const uint64_t *words) {
    return find_phase(parts, words, parts->rest);
}

/* Lists the phases from the state on until one recurs. False if there are too many. */
static bool find_phases(Finder *f, const State *start) {
    static const uint32_t any[2] = {0, 0};
    SumParts *p = f->parts;
    GameWork *work = game_work_create(f->game, REASONER_SCALAR);
    State state = {0}, next = {0};
    uint32_t again = NONE;
    state_copy(&state, start);
    while (again == NONE && p->phases.count < MAX_PHASES && p->turns.count < SUMPARTS_MAX_TURNS &&
           !is_out_of_time(f, f->c->aig.nodes.count + p->phases.count * p->word_count)) {
        SumPhase phase = {.words = arena_alloc(&p->arena, p->word_count * sizeof(uint64_t))};
        memcpy(phase.words, state.words, p->word_count * sizeof *phase.words);
        uint32_t like = find_phase(p, state.words, p->seen);
        phase.turn = like == NONE ? (uint32_t)p->turns.count : p->phases.items[like].turn;
        if (like == NONE)
            vector_push(&p->turns, ((PhaseClass){.phase = (uint32_t)p->phases.count}));
        vector_push(&p->phases, phase);
        game_next(work, &state, any, &next);
        state_copy(&state, &next);
        again = sumparts_phase(p, state.words);
        vector_last(&p->phases).next = again == NONE ? (uint32_t)p->phases.count : again;
    }
    game_work_free(work);
    states_free(&state, &next);
    return again != NONE;
}

/* ---- copies ---- */

/* In the copies the fluents are the first nodes after the constant. */
static Signal copy_of_fluent(uint32_t fluent) {
    return 2 * (fluent + 1);
}

static void start_copies(Finder *f) {
    aig_init(&f->copies);
    for (uint32_t g = 0; g < f->c->fluent_count; g++)
        aig_input(&f->copies);
}

static Signal constant(const uint64_t *words, uint32_t fluent) {
    return bitset_get(words, fluent) ? SIGNAL_TRUE : SIGNAL_FALSE;
}

/* Copies the marked nodes with constants for the autonomous fluents of the turn, for the fixed
 * fluents and, unless `moves` is NULL, for the moves. */
static void copy(Finder *f, const uint8_t *marks, uint32_t turn, const uint32_t *moves) {
    const Circuit *c = f->c;
    const SumParts *p = f->parts;
    const uint64_t *words = p->phases.items[p->turns.items[turn].phase].words;
    memset(f->map, 0xff, c->aig.nodes.count * sizeof *f->map);
    for (uint32_t m = 0; m < c->move_count; m++)
        f->map[signal_node(c->moves[m])] = SIGNAL_FALSE;
    for (uint32_t r = 0; r < 2 && moves; r++)
        f->map[signal_node(c->moves[c->first_move[r] + moves[r]])] = SIGNAL_TRUE;
    for (uint32_t g = 0; g < c->fluent_count; g++) {
        f->map[signal_node(c->fluents[g])] = bitset_get(p->rest, g)    ? constant(words, g)
                                             : bitset_get(p->fixed, g) ? constant(f->start, g)
                                                                       : copy_of_fluent(g);
    }
    aig_copy_marked(&f->copies, &c->aig, marks, f->map);
}

/* Joins the item with all fluents of parts that the signal of the copies depends on. */
static void join_support(Finder *f, Signal signal, uint32_t item) {
    while (f->stamps.count < f->copies.nodes.count)
        vector_push(&f->stamps, 0);
    f->stamp++;
    vector_push(&f->stack, signal_node(signal));
    while (f->stack.count) {
        uint32_t node = vector_pop(&f->stack);
        if (f->stamps.items[node] == f->stamp)
            continue;
        f->stamps.items[node] = f->stamp;
        f->looked++;
        if (aig_is_and(&f->copies, node)) {
            vector_push(&f->stack, signal_node(f->copies.nodes.items[node].a));
            vector_push(&f->stack, signal_node(f->copies.nodes.items[node].b));
        } else if (node) {
            sets_join(f->parents, item, node - 1);
        }
    }
}

/* ---- possible moves ---- */

/* Lists the moves that can be legal at the turn. False if a role has no such move, or if there are
 * too many pairs of moves. */
static bool find_possible_moves(Finder *f, uint32_t turn) {
    const Circuit *c = f->c;
    PhaseClass *t = &f->parts->turns.items[turn];
    copy(f, f->legal_marks, turn, NULL);
    for (uint32_t r = 0; r < 2; r++) {
        vector_clear(&t->possible[r]);
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++)
            if (signal_mapped(f->map, c->legal[m]) != SIGNAL_FALSE)
                vector_push(&t->possible[r], m - c->first_move[r]);
    }
    uint64_t pairs = (uint64_t)t->possible[0].count * t->possible[1].count;
    f->copied += pairs * (c->aig.nodes.count + c->fluent_count);
    return pairs && f->copied <= MAX_COPIED && !is_out_of_time(f, c->aig.nodes.count);
}

/* ---- fixed fluents ---- */

/* Removes from the fixed fluents those that a possible pair of moves changes. False if none. */
static bool unfix_changing(Finder *f, uint32_t turn) {
    const PhaseClass *t = &f->parts->turns.items[turn];
    uint64_t *fixed = f->parts->fixed;
    size_t words = f->parts->word_count;
    bool has_unfixed = false;
    for (size_t i = 0; i < t->possible[0].count; i++)
        for (size_t j = 0; j < t->possible[1].count && !is_out_of_time(f, f->c->aig.nodes.count);
             j++) {
            copy(f, f->next_marks, turn,
                 (uint32_t[]){t->possible[0].items[i], t->possible[1].items[j]});
            bitset_each(g, fixed, words)
                if (signal_mapped(f->map, f->c->next[g]) != constant(f->start, (uint32_t)g)) {
                    bitset_clear(fixed, g);
                    has_unfixed = true;
                }
        }
    return has_unfixed;
}

/* Removes changing fluents at every turn. True if another round is needed. If moves cannot be
 * listed, nothing stays fixed. */
static bool unfix_round(Finder *f) {
    bool has_unfixed = false, ok = true;
    for (uint32_t t = 0; t < f->parts->turns.count && ok; t++) {
        ok = find_possible_moves(f, t);
        has_unfixed |= ok && unfix_changing(f, t);
    }
    if (!ok)
        memset(f->parts->fixed, 0, f->parts->word_count * sizeof *f->parts->fixed);
    return ok && has_unfixed && !f->is_out_of_time;
}

/* The fixed fluents are a greatest fixed point: fluents that keep their values whatever is played,
 * as long as the others do, such as covered squares. */
static void find_fixed(Finder *f) {
    for (uint32_t g = 0; g < f->c->fluent_count; g++)
        bitset_assign(f->parts->fixed, g,
                      bitset_get(f->needed, g) && !bitset_get(f->parts->rest, g));
    while (unfix_round(f))
        continue;
    f->copied = 0;
}

/* ---- what moves change ---- */

/* The next values of all fluents for each pair of possible moves; incomplete if time is up. */
static Signal *copy_pairs(Finder *f, uint32_t turn) {
    const PhaseClass *t = &f->parts->turns.items[turn];
    size_t fluents = f->c->fluent_count;
    Signal *next =
        memory_alloc((t->possible[0].count * t->possible[1].count * fluents + 1) * sizeof *next);
    Signal *at = next;
    for (size_t i = 0; i < t->possible[0].count; i++)
        for (size_t j = 0;
             j < t->possible[1].count && !is_out_of_time(f, f->c->aig.nodes.count + fluents);
             j++, at += fluents) {
            copy(f, f->next_marks, turn,
                 (uint32_t[]){t->possible[0].items[i], t->possible[1].items[j]});
            for (uint32_t g = 0; g < fluents; g++)
                at[g] = is_of_a_part(f, g) ? signal_mapped(f->map, f->c->next[g]) : SIGNAL_NONE;
        }
    return next;
}

/* True if the fluent's next value does not depend on the role's move. */
static bool is_all_the_same(const Finder *f, const PhaseClass *t, const Signal *next, uint32_t role,
                            uint32_t fluent) {
    size_t rows = t->possible[0].count, columns = t->possible[1].count;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            size_t like = role == 0 ? j : i * columns; /* with the role's first move */
            if (next[(i * columns + j) * f->c->fluent_count + fluent] !=
                next[like * f->c->fluent_count + fluent])
                return false;
        }
    return true;
}

/* True if time is up, or more nodes were visited than allowed. */
static bool has_looked_enough(Finder *f, uint64_t looked_before) {
    return is_out_of_time(f, f->looked - looked_before + 1) || f->looked > MAX_LOOKED;
}

/* Joins a fluent that depends on this role only with its moves. False if this takes too long. */
static bool join_drivers(Finder *f, uint32_t turn, const Signal *next, uint32_t role,
                         uint32_t fluent) {
    const PhaseClass *t = &f->parts->turns.items[turn];
    size_t columns = t->possible[1].count;
    for (size_t i = 0; i < t->possible[role].count; i++) {
        size_t pair = role == 0 ? i * columns : i;
        Signal value = next[pair * f->c->fluent_count + fluent];
        uint64_t before = f->looked;
        if (value == copy_of_fluent(fluent))
            continue;
        uint32_t move = f->c->first_move[role] + t->possible[role].items[i];
        f->is_changing[move] = true;
        f->drivers[(size_t)turn * f->c->fluent_count + fluent] = (uint8_t)role;
        sets_join(f->parents, fluent, f->c->fluent_count + move);
        join_support(f, value, fluent);
        if (has_looked_enough(f, before))
            return false;
    }
    return true;
}

/* Joins fluents with the moves that change them. False if a fluent depends on the moves of both
 * roles, or if this takes too long. */
static bool join_changes(Finder *f, uint32_t turn) {
    const PhaseClass *t = &f->parts->turns.items[turn];
    Signal *next = copy_pairs(f, turn);
    bool ok = !f->is_out_of_time;
    for (uint32_t g = 0; g < f->c->fluent_count && ok; g++) {
        if (!is_of_a_part(f, g))
            continue;
        bool is_free_of[2] = {is_all_the_same(f, t, next, 0, g), is_all_the_same(f, t, next, 1, g)};
        ok = !is_out_of_time(f, t->possible[0].count * t->possible[1].count) &&
             (is_free_of[0] || is_free_of[1]) &&
             join_drivers(f, turn, next, is_free_of[1] ? 0 : 1, g);
    }
    free(next);
    return ok;
}

/* Joins each move with the fluents that its legality depends on. False if this takes too long. */
static bool join_legality(Finder *f, uint32_t turn) {
    const Circuit *c = f->c;
    bool ok = !is_out_of_time(f, c->aig.nodes.count);
    if (ok)
        copy(f, f->legal_marks, turn, NULL);
    for (uint32_t m = 0; m < c->move_count && ok; m++) {
        uint64_t before = f->looked;
        if (!f->is_changing[m])
            continue;
        join_support(f, signal_mapped(f->map, c->legal[m]), c->fluent_count + m);
        ok = !has_looked_enough(f, before);
    }
    return ok;
}

static bool join_all(Finder *f) {
    size_t drivers = f->parts->turns.count * f->c->fluent_count;
    f->drivers = memory_alloc(drivers + 1);
    memset(f->drivers, SUMPARTS_NOBODY, drivers);
    for (uint32_t t = 0; t < f->parts->turns.count; t++)
        if (!find_possible_moves(f, t))
            return false;
    for (uint32_t t = 0; t < f->parts->turns.count; t++)
        if (!join_changes(f, t))
            return false;
    for (uint32_t t = 0; t < f->parts->turns.count; t++)
        if (!join_legality(f, t))
            return false;
    return true;
}

uint32_t *sumparts_number_sets(const Circuit *c, uint32_t *parents, const uint64_t *inside,
                               uint32_t *count, uint64_t **fluents) {
    uint32_t items = c->fluent_count + c->move_count;
    size_t words = bitset_words(c->fluent_count);
    uint32_t *number = u32_none(items); /* by representative */
    uint32_t *part_of = memory_alloc((items + 1) * sizeof *part_of);
    *count = 0;
    for (uint32_t g = 0; g < c->fluent_count; g++)
        if (bitset_get(inside, g) && number[sets_find(parents, g)] == NONE)
            number[sets_find(parents, g)] = (*count)++;
    *fluents = memory_zalloc((*count * words + 1) * sizeof **fluents);
    for (uint32_t i = 0; i < items; i++) {
        bool is_fluent = i < c->fluent_count, is_inside = !is_fluent || bitset_get(inside, i);
        part_of[i] = is_inside ? number[sets_find(parents, i)] : (uint32_t)NONE;
        if (is_fluent && is_inside)
            bitset_set(*fluents + part_of[i] * words, i);
    }
    free(number);
    return part_of;
}

static void number_parts(Finder *f) {
    const Circuit *c = f->c;
    SumParts *p = f->parts;
    uint64_t *inside = memory_zalloc((p->word_count + 1) * sizeof *inside);
    for (uint32_t g = 0; g < c->fluent_count; g++)
        bitset_assign(inside, g, is_of_a_part(f, g));
    f->part_of_fluent = sumparts_number_sets(c, f->parents, inside, &p->count, &p->fluents);
    p->part_of_move = memory_alloc((c->move_count + 1) * sizeof *p->part_of_move);
    for (uint32_t m = 0; m < c->move_count; m++) {
        p->part_of_move[m] = f->part_of_fluent[c->fluent_count + m];
        assert(f->is_changing[m] == (p->part_of_move[m] != SUMPARTS_IDLE));
    }
    free(inside);
}

/* Finds, by part and turn, the role that can change the part. False if both roles can at one
 * turn. */
static bool find_drivers(Finder *f) {
    SumParts *p = f->parts;
    p->drivers = memory_alloc((size_t)p->count * p->turns.count + 1);
    memset(p->drivers, SUMPARTS_NOBODY, (size_t)p->count * p->turns.count);
    for (uint32_t t = 0; t < p->turns.count; t++)
        for (uint32_t g = 0; g < f->c->fluent_count; g++) {
            uint8_t role = f->drivers[(size_t)t * f->c->fluent_count + g];
            if (role == SUMPARTS_NOBODY || f->part_of_fluent[g] == NONE)
                continue;
            uint8_t *driver = &p->drivers[(size_t)f->part_of_fluent[g] * p->turns.count + t];
            if (*driver != SUMPARTS_NOBODY && *driver != role)
                return false;
            *driver = role;
        }
    return true;
}

/* ---- local concepts ---- */

static uint8_t value_of(const uint8_t *values, Signal signal) {
    return values[signal_node(signal)] ^ signal_is_complemented(signal);
}

static uint8_t value_of_and(const SumParts *p, uint32_t node) {
    const AigNode *gate = &p->circuit->aig.nodes.items[node];
    return value_of(p->values, gate->a) & value_of(p->values, gate->b);
}

static uint32_t label_of_both(uint32_t a, uint32_t b) {
    return a == NONE || a == b ? b : b == NONE ? a : (uint32_t)MIXED;
}

/* By node: the part that it depends on, NONE for constants, MIXED for several parts or the rest. */
static uint32_t *label_nodes(const Finder *f) {
    const Aig *aig = &f->c->aig;
    uint32_t *labels = memory_alloc((aig->nodes.count + 1) * sizeof *labels);
    for (size_t n = 0; n < aig->nodes.count; n++)
        labels[n] = n ? (uint32_t)MIXED : (uint32_t)NONE;
    for (uint32_t g = 0; g < f->c->fluent_count; g++)
        if (f->part_of_fluent[g] != NONE || bitset_get(f->parts->fixed, g))
            labels[signal_node(f->c->fluents[g])] = f->part_of_fluent[g];
    for (uint32_t n = 0; n < aig->nodes.count; n++)
        if (aig_is_and(aig, n))
            labels[n] = label_of_both(labels[signal_node(aig->nodes.items[n].a)],
                                      labels[signal_node(aig->nodes.items[n].b)]);
    return labels;
}

static void add_concept(SumParts *p, const uint32_t *labels, uint32_t node, uint8_t *is_concept) {
    if (labels[node] >= p->count || is_concept[node])
        return;
    is_concept[node] = 1;
    vector_push(&p->concepts[labels[node]], node);
}

static void list_outputs(const Finder *f, U32Vector *outputs) {
    const Circuit *c = f->c;
    vector_push(outputs, c->terminal);
    for (size_t i = 0; i < c->goals.count; i++)
        vector_push(outputs, c->goals.items[i].signal);
    for (uint32_t m = 0; m < c->move_count; m++)
        if (f->parts->part_of_move[m] == SUMPARTS_IDLE)
            vector_push(outputs, c->legal[m]);
}

static void find_concepts(Finder *f) {
    const Aig *aig = &f->c->aig;
    SumParts *p = f->parts;
    U32Vector outputs = {0};
    uint32_t *labels = label_nodes(f);
    uint8_t *is_concept = memory_zalloc(aig->nodes.count + 1);
    p->concepts = memory_zalloc((p->count + 1) * sizeof *p->concepts);
    p->nodes = memory_zalloc((p->count + 1) * sizeof *p->nodes);
    p->values = memory_zalloc(aig->nodes.count + 1);
    list_outputs(f, &outputs);
    memset(f->cone, 0, aig->nodes.count);
    aig_mark_cone(aig, outputs.items, outputs.count, f->cone);
    for (size_t i = 0; i < outputs.count; i++)
        add_concept(p, labels, signal_node(outputs.items[i]), is_concept);
    for (uint32_t n = 0; n < aig->nodes.count; n++)
        if (f->cone[n] && labels[n] == MIXED && aig_is_and(aig, n)) {
            add_concept(p, labels, signal_node(aig->nodes.items[n].a), is_concept);
            add_concept(p, labels, signal_node(aig->nodes.items[n].b), is_concept);
        }
    memset(f->cone, 0, aig->nodes.count);
    vector_clear(&outputs);
    for (uint32_t n = 0; n < aig->nodes.count; n++)
        if (is_concept[n])
            vector_push(&outputs, 2 * n);
    aig_mark_cone(aig, outputs.items, outputs.count, f->cone);
    for (uint32_t g = 0; g < f->c->fluent_count; g++)
        p->values[signal_node(f->c->fluents[g])] =
            bitset_get(p->fixed, g) && bitset_get(f->start, g);
    for (uint32_t n = 1; n < aig->nodes.count; n++)
        if (f->cone[n] && labels[n] != NONE)
            vector_push(&p->nodes[labels[n]], n);
        else if (f->cone[n] && aig_is_and(aig, n))
            p->values[n] = value_of_and(p, n);
    vector_free(&outputs);
    memory_free(labels, is_concept);
}

static bool find_parts(Finder *f, const State *state) {
    const Circuit *c = f->c;
    size_t nodes = c->aig.nodes.count;
    uint32_t items = c->fluent_count + c->move_count;
    f->parents = memory_alloc((items + 1) * sizeof *f->parents);
    sets_init(f->parents, items);
    f->cone = memory_alloc(nodes + 1);
    f->next_marks = memory_zalloc(nodes + 1);
    f->legal_marks = memory_zalloc(nodes + 1);
    f->map = memory_alloc((nodes + 1) * sizeof *f->map);
    f->is_changing = memory_zalloc((c->move_count + 1) * sizeof *f->is_changing);
    f->start = state->words;
    start_copies(f);
    find_rest(f);
    find_seen(f);
    bool ok = find_phases(f, state);
    if (ok) {
        find_fixed(f);
        ok = !f->is_out_of_time && join_all(f);
    }
    if (ok) {
        number_parts(f);
        ok = f->parts->count >= 2 && find_drivers(f);
    }
    if (ok)
        find_concepts(f);
    memory_free(f->parents, f->cone, f->next_marks, f->legal_marks, f->map, f->is_changing,
                f->drivers, f->part_of_fluent);
    aig_free(&f->copies);
    vectors_free(&f->stamps, &f->stack);
    return ok;
}

bool sumparts_find(Game *game, const State *state, const SearchBudget *budget, SumParts *parts) {
    const Circuit *c = game->circuit;
    *parts = (SumParts){.circuit = c, .word_count = (uint32_t)bitset_words(c->fluent_count)};
    if (game->role_count != 2 || c->aig.loops.count || c->first_move[1] == 0 ||
        c->first_move[2] == c->first_move[1] || search_must_stop(budget))
        return false;
    Relevance *relevance = relevance_find(c);
    parts->rest = memory_zalloc((parts->word_count + 1) * sizeof *parts->rest);
    parts->seen = memory_zalloc((parts->word_count + 1) * sizeof *parts->seen);
    parts->fixed = memory_zalloc((parts->word_count + 1) * sizeof *parts->fixed);
    Finder finder = {
        .game = game, .c = c, .parts = parts, .budget = budget, .needed = relevance->needed};
    bool ok = find_parts(&finder, state);
    relevance_free(relevance);
    return ok;
}

void sumparts_free(SumParts *parts) {
    for (uint32_t k = 0; k < parts->count && parts->concepts; k++)
        vectors_free(&parts->concepts[k], &parts->nodes[k]);
    for (size_t t = 0; t < parts->turns.count; t++)
        for (uint32_t r = 0; r < 2; r++)
            vector_free(&parts->turns.items[t].possible[r]);
    arena_free(&parts->arena);
    vectors_free(&parts->turns, &parts->phases);
    memory_free(parts->concepts, parts->nodes, parts->values, parts->fluents, parts->rest,
                parts->seen, parts->fixed, parts->part_of_move, parts->drivers);
    *parts = (SumParts){0};
}

void sumparts_look(SumParts *p, uint32_t part, const uint64_t *words, uint32_t *concepts) {
    const Aig *aig = &p->circuit->aig;
    const U32Vector *nodes = &p->nodes[part];
    const uint64_t *fluents = sumparts_fluents(p, part);
    bitset_each(g, fluents, p->word_count)
        p->values[signal_node(p->circuit->fluents[g])] = bitset_get(words, g);
    for (size_t i = 0; i < nodes->count; i++) {
        uint32_t n = nodes->items[i];
        if (aig_is_and(aig, n))
            p->values[n] = value_of_and(p, n);
    }
    memset(concepts, 0, sumparts_concept_words(p, part) * sizeof *concepts);
    for (size_t i = 0; i < p->concepts[part].count; i++)
        concepts[i / 32] |= (uint32_t)p->values[p->concepts[part].items[i]] << (i % 32);
}
