/* Lists candidates for the crossing point to the rest of a series: single hinges, and conjunctions
 * of hinges in rules. Every gate gets a disjunctive normal form over hinges. */
#include <assert.h>
#include <string.h>

#include "analysis/decompose/by_statistics/stats_causes.h"

enum {
    MAX_CANDIDATES = 10000, /* greatest number of candidates (untuned) */
    MAX_DOORS = 256,    /* greatest number of conjunctions from the rules for effects (untuned) */
    MAX_CLAUSES = 24,   /* clauses per form (untuned) */
    MAX_LITERALS = 12,  /* literals per clause (untuned) */
    MAX_GATES = 200000, /* larger circuits get no forms (untuned) */
    GATES_BETWEEN_LOOKS = 1024 /* gates between two looks at the clock (untuned) */
};

/* Adds the literals as a candidate unless there is an equal one. Empties the list. */
static void add_candidate(Causes *k, U32Vector *literals) {
    vector_sort(literals, u32_compare);
    uint64_t hash = literals->count;
    for (size_t i = 0; i < literals->count; i++)
        hash = hash_mix(hash, literals->items[i]);
    hash = hash_finish(hash);
    uint32_t id;
    bool is_new = k->candidates.count < MAX_CANDIDATES;
    for (TableProbe p = table_probe(&k->known, hash); is_new && table_next(&k->known, &p, &id);)
        is_new = !u32_equal(&k->candidates.items[id].literals, literals);
    if (is_new) {
        table_insert(&k->known, hash, (uint32_t)k->candidates.count);
        vector_push(&k->candidates, ((Crossing){.literals = *literals}));
        *literals = (U32Vector){0};
    }
    vector_clear(literals);
}

/* A form is a list of clauses: the length of each clause, then its literals in ascending order.
 * Only hinges count. A form too large becomes one empty clause: nothing is known. */
typedef struct {
    Causes *k;
    U32Vector *forms[2]; /* by node: the condition for its being false, and for its being true */
} Forms;

static uint32_t count_clauses(const U32Vector *form) {
    uint32_t count = 0;
    for (size_t at = 0; at < form->count; at += 1 + form->items[at])
        count++;
    return count;
}

/* Makes the form one empty clause. */
static void forget_form(U32Vector *form) {
    vector_clear(form);
    vector_push(form, 0);
}

static bool has_clause(const U32Vector *form, const uint32_t *literals, uint32_t count) {
    for (size_t at = 0; at < form->count; at += 1 + form->items[at])
        if (form->items[at] == count &&
            memcmp(form->items + at + 1, literals, count * sizeof *literals) == 0)
            return true;
    return false;
}

static void add_clause(U32Vector *form, const uint32_t *literals, uint32_t count) {
    if (has_clause(form, literals, count))
        return;
    vector_push(form, count);
    for (uint32_t i = 0; i < count; i++)
        vector_push(form, literals[i]);
}

/* Writes the union of two clauses and returns its length; UINT32_MAX if it is too long. */
static uint32_t unite(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count,
                      uint32_t *both) {
    uint32_t i = 0, j = 0, count = 0;
    while (i < a_count || j < b_count) {
        bool from_a = j == b_count || (i < a_count && a[i] <= b[j]);
        uint32_t x = from_a ? a[i] : b[j];
        i += i < a_count && a[i] == x;
        j += j < b_count && b[j] == x;
        if (count == MAX_LITERALS)
            return UINT32_MAX;
        both[count++] = x;
    }
    return count;
}

static void multiply_forms(const U32Vector *a, const U32Vector *b, U32Vector *product) {
    uint32_t both[MAX_LITERALS];
    for (size_t i = 0; i < a->count; i += 1 + a->items[i])
        for (size_t j = 0; j < b->count; j += 1 + b->items[j]) {
            uint32_t count =
                unite(a->items + i + 1, a->items[i], b->items + j + 1, b->items[j], both);
            if (count == UINT32_MAX || count_clauses(product) == MAX_CLAUSES) {
                forget_form(product);
                return;
            }
            add_clause(product, both, count);
        }
}

static void add_forms(const U32Vector *a, const U32Vector *b, U32Vector *sum) {
    const U32Vector *parts[2] = {a, b};
    for (int p = 0; p < 2; p++)
        for (size_t i = 0; i < parts[p]->count; i += 1 + parts[p]->items[i])
            add_clause(sum, parts[p]->items + i + 1, parts[p]->items[i]);
    if (count_clauses(sum) > MAX_CLAUSES)
        forget_form(sum);
}

static const U32Vector *form_of(const Forms *w, Signal signal, bool value) {
    return &w->forms[value ^ (signal & 1)][signal_node(signal)];
}

/* Computes the forms of all gates. Other inputs and loops tell nothing. False if time ran out. */
static bool make_forms(Forms *w, Deadline deadline) {
    const Circuit *c = w->k->c;
    for (uint32_t n = 0; n < c->aig.nodes.count; n++) {
        if (n % GATES_BETWEEN_LOOKS == 0 && deadline_passed(deadline))
            return false;
        if (aig_is_and(&c->aig, n)) {
            Signal a = c->aig.nodes.items[n].a, b = c->aig.nodes.items[n].b;
            multiply_forms(form_of(w, a, true), form_of(w, b, true), &w->forms[1][n]);
            add_forms(form_of(w, a, false), form_of(w, b, false), &w->forms[0][n]);
        } else if (w->forms[0][n].count == 0) {
            forget_form(&w->forms[0][n]);
            forget_form(&w->forms[1][n]);
        }
    }
    return true;
}

static void make_input_forms(Forms *w) {
    const Circuit *c = w->k->c;
    for (uint32_t f = 0; f < c->fluent_count; f++)
        for (uint32_t value = 0; value < 2; value++) {
            uint32_t literal = 2 * f + value;
            U32Vector *form = &w->forms[value][signal_node(c->fluents[f])];
            if (w->k->is_hinge[literal])
                add_clause(form, &literal, 1);
            else
                forget_form(form);
        }
}

static void take_clauses(Forms *w, Signal output) {
    const U32Vector *form = form_of(w, output, true);
    U32Vector literals = {0};
    for (size_t at = 0; at < form->count; at += 1 + form->items[at]) {
        assert(at + form->items[at] < form->count);
        for (uint32_t i = 0; i < form->items[at]; i++)
            vector_push(&literals, form->items[at + 1 + i]);
        if (literals.count > 1)
            add_candidate(w->k, &literals);
        vector_clear(&literals);
    }
    vector_free(&literals);
}

static void drop_candidates(Causes *k, size_t first) {
    assert(first <= k->candidates.count);
    for (size_t i = first; i < k->candidates.count; i++)
        crossing_free(&k->candidates.items[i]);
    k->candidates.count = first;
}

/* Adds the conjunctions in the rules for legality, for autonomous fluents and for effects of moves.
 * If the rules for effects have too many conjunctions, none of these is added. */
static void take_all_clauses(Forms *w) {
    Causes *k = w->k;
    for (uint32_t m = 0; m < k->c->move_count; m++)
        take_clauses(w, k->c->legal[m]);
    for (uint32_t f = 0; f < k->c->fluent_count; f++)
        if (k->s->is_idle[f])
            take_clauses(w, k->c->next[f]);
    size_t before = k->candidates.count;
    for (uint32_t f = 0; f < k->c->fluent_count; f++)
        if (k->s->d->result->kinds[f] == FLUENT_ACTED && k->candidates.count - before <= MAX_DOORS)
            take_clauses(w, k->c->next[f]);
    if (k->candidates.count - before > MAX_DOORS)
        drop_candidates(k, before);
}

void causes_list_candidates(Causes *k, Deadline deadline) {
    U32Vector single = {0};
    for (uint32_t x = 0; x < k->literals; x++)
        if (k->is_hinge[x]) {
            vector_push(&single, x);
            add_candidate(k, &single);
        }
    vector_free(&single);
    size_t nodes = k->c->aig.nodes.count;
    if (nodes > MAX_GATES)
        return;
    Forms w = {.k = k};
    for (int value = 0; value < 2; value++)
        w.forms[value] = memory_zalloc((nodes + 1) * sizeof *w.forms[value]);
    make_input_forms(&w);
    if (make_forms(&w, deadline))
        take_all_clauses(&w);
    for (int value = 0; value < 2; value++)
        u32_free_lists(w.forms[value], nodes);
}
