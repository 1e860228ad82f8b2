/* Computes the canonical form by passes over all rules, linear but for sorting, to a fixpoint. */
#include "analysis/symmetry/canonical_rules.h"

#include <assert.h>
#include <string.h>

#include "base/table.h"

enum {
    MAX_PASSES = 200,     /* greatest number of passes (untuned) */
    MAX_SUBSUMPTION = 64, /* atoms with more rules are not checked for subsumption (untuned) */
    MAX_BODY_LENGTH = 100 /* literals of a rule after expansion (untuned) */
};

static Atom atom_of(GroundLiteral literal) {
    return literal >> 1;
}

GroundLiteral canonical_rules_value(const CanonicalRules *rules, GroundLiteral literal) {
    while (literal < CANONICAL_FALSE) {
        assert(atom_of(literal) < rules->grounding->atom_relations.count);
        GroundLiteral value = rules->values[atom_of(literal)];
        if (value == (literal & ~1u))
            break;
        bool negated = literal & 1;
        if (value >= CANONICAL_FALSE)
            return (value == CANONICAL_TRUE) != negated ? CANONICAL_TRUE : CANONICAL_FALSE;
        literal = value ^ negated;
    }
    return literal;
}

/* Replaces premises that are conjunctions by their literals. Otherwise a chain of conjunctions, in
 * any order, would hide a symmetry between the literals. */
static bool expand_conjunctions(const CanonicalRules *n, CanonicalRule *rule) {
    U32Vector *l = &rule->literals;
    size_t count = l->count;
    for (size_t i = 0; i < count; i++) {
        GroundLiteral literal = l->items[i];
        if (literal & 1 || literal >= CANONICAL_FALSE)
            continue;
        uint32_t only = n->conjunctions[atom_of(literal)];
        if (only == UINT32_MAX || n->values[atom_of(literal)] != literal)
            continue;
        const U32Vector *parts = &n->rules.items[only].literals;
        if (parts == l || l->count + parts->count > MAX_BODY_LENGTH)
            continue;
        l->items[i] = CANONICAL_TRUE;
        u32_append(l, parts);
    }
    return l->count != count;
}

/* Replaces literals by their values. Drops the rule if it can never fire or is a tautology. */
static bool simplify_rule(const CanonicalRules *n, CanonicalRule *rule, Atom head) {
    U32Vector *l = &rule->literals;
    bool changed = expand_conjunctions(n, rule);
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        GroundLiteral value = canonical_rules_value(n, l->items[i]);
        changed |= value != l->items[i];
        if (value == CANONICAL_FALSE || value == ground_literal(head, false))
            rule->is_dropped = true;
        if (value != CANONICAL_TRUE)
            l->items[kept++] = value;
    }
    l->count = kept;
    if (kept && changed)
        qsort(l->items, kept, sizeof *l->items, u32_compare);
    kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        if (kept && l->items[kept - 1] == (l->items[i] ^ 1))
            rule->is_dropped = true;
        if (!kept || l->items[kept - 1] != l->items[i])
            l->items[kept++] = l->items[i];
    }
    l->count = kept;
    return changed || rule->is_dropped;
}

/* True if every literal of the first rule is in the second. */
static bool subsumes(const CanonicalRule *a, const CanonicalRule *b) {
    size_t j = 0;
    for (size_t i = 0; i < a->literals.count; i++) {
        while (j < b->literals.count && b->literals.items[j] < a->literals.items[i])
            j++;
        if (j == b->literals.count || b->literals.items[j] != a->literals.items[i])
            return false;
    }
    return true;
}

static int compare_bodies(const CanonicalRule *a, const CanonicalRule *b) {
    if (a->literals.count != b->literals.count)
        return a->literals.count < b->literals.count ? -1 : 1;
    return a->literals.count
               ? memcmp(a->literals.items, b->literals.items, a->literals.count * sizeof(uint32_t))
               : 0;
}

static int compare_rules(const void *a, const void *b, void *rules) {
    const CanonicalRules *n = rules;
    return compare_bodies(&n->rules.items[*(const uint32_t *)a],
                          &n->rules.items[*(const uint32_t *)b]);
}

/* Moves the rules of an atom that are left to the front, short ones first. Returns their number. */
static uint32_t gather_rules(CanonicalRules *n, Atom atom) {
    assert(atom < n->grounding->atom_relations.count);
    uint32_t *row = n->rule_order + n->rule_starts[atom];
    uint32_t all = n->rule_starts[atom + 1] - n->rule_starts[atom], count = 0;
    for (uint32_t i = 0; i < all; i++)
        if (!n->rules.items[row[i]].is_dropped) {
            uint32_t rule = row[i];
            row[i] = row[count];
            row[count++] = rule;
        }
    if (count > 1)
        qsort_r(row, count, sizeof *row, compare_rules, n);
    return count;
}

static bool drop_subsumed(CanonicalRules *n, Atom atom, uint32_t count) {
    const uint32_t *row = n->rule_order + n->rule_starts[atom];
    bool changed = false;
    for (uint32_t i = 1; i < count; i++) {
        CanonicalRule *rule = &n->rules.items[row[i]];
        uint32_t first = count > MAX_SUBSUMPTION ? i - 1 : 0;
        for (uint32_t j = first; j < i && !rule->is_dropped; j++)
            if (!n->rules.items[row[j]].is_dropped && subsumes(&n->rules.items[row[j]], rule))
                changed = rule->is_dropped = true;
    }
    return changed;
}

/* Sets the value of an atom. True if it is new. */
static bool set_value(CanonicalRules *n, Atom atom, GroundLiteral value) {
    assert(atom < n->grounding->atom_relations.count);
    if (value < CANONICAL_FALSE && atom_of(value) == atom)
        value = CANONICAL_FALSE; /* a cycle of rules derives nothing */
    bool changed = n->values[atom] != value;
    n->values[atom] = value;
    return changed;
}

/* Finds the value of an atom. An atom without rules is false. An atom with an unconditional rule is
 * true. An atom whose only rule has one literal is another name of that literal. Outputs are never
 * replaced as names, because choosing one of two equal outputs would break the symmetry. */
static bool find_value(CanonicalRules *n, Atom atom, uint32_t count) {
    const uint32_t *row = n->rule_order + n->rule_starts[atom];
    if (count == 0)
        return set_value(n, atom, CANONICAL_FALSE);
    const CanonicalRule *first = &n->rules.items[row[0]];
    if (first->literals.count == 0)
        return set_value(n, atom, CANONICAL_TRUE);
    if (!n->is_output[atom] && count == 1 && first->literals.count == 1)
        return set_value(n, atom, canonical_rules_value(n, first->literals.items[0]));
    return false;
}

static uint64_t hash_of_rules(const CanonicalRules *n, Atom atom, uint32_t count) {
    const uint32_t *row = n->rule_order + n->rule_starts[atom];
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        const U32Vector *l = &n->rules.items[row[i]].literals;
        hash = hash_mix(hash, l->count);
        for (size_t j = 0; j < l->count; j++)
            hash = hash_mix(hash, l->items[j]);
    }
    return hash_finish(hash);
}

static bool same_rules(const CanonicalRules *n, Atom a, Atom b, uint32_t count) {
    const uint32_t *x = n->rule_order + n->rule_starts[a], *y = n->rule_order + n->rule_starts[b];
    if (n->rule_starts[b + 1] - n->rule_starts[b] < count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (n->rules.items[y[i]].is_dropped ||
            compare_bodies(&n->rules.items[x[i]], &n->rules.items[y[i]]) != 0)
            return false;
    return n->rule_starts[b] + count == n->rule_starts[b + 1] ||
           n->rules.items[y[count]].is_dropped;
}

static bool is_derived(const CanonicalRules *n, Atom atom) {
    return n->rule_starts[atom + 1] > n->rule_starts[atom];
}

/* Makes moves that are never legal false. */
static bool exclude_illegal_moves(CanonicalRules *n) {
    const Grounding *g = n->grounding;
    bool changed = false;
    for (size_t m = 0; m < g->moves.count; m++) {
        const Move *move = &g->moves.items[m];
        bool never = move->legal == ATOM_NONE || n->values[move->legal] == CANONICAL_FALSE;
        if (never && move->does != ATOM_NONE)
            changed |= set_value(n, move->does, CANONICAL_FALSE);
    }
    return changed;
}

static bool run_pass(CanonicalRules *n) {
    const Grounding *g = n->grounding;
    bool changed = exclude_illegal_moves(n);
    Table seen = {0};
    for (size_t r = 0; r < n->rules.count; r++)
        if (!n->rules.items[r].is_dropped)
            changed |= simplify_rule(n, &n->rules.items[r], g->rules.items[r].head);
    for (Atom a = 0; a < g->atom_relations.count; a++) {
        if (!is_derived(n, a) || n->values[a] != ground_literal(a, false))
            continue;
        uint32_t count = gather_rules(n, a);
        if (drop_subsumed(n, a, count)) {
            changed = true;
            count = gather_rules(n, a);
        }
        if (find_value(n, a, count)) {
            changed = true;
            continue;
        }
        if (n->is_output[a])
            continue;
        if (count == 1 && n->conjunctions[a] == UINT32_MAX) {
            n->conjunctions[a] = n->rule_order[n->rule_starts[a]];
            changed = true;
        }
        uint64_t hash = hash_of_rules(n, a, count);
        uint32_t id;
        bool merged = false;
        for (TableProbe p = table_probe(&seen, hash); !merged && table_next(&seen, &p, &id);)
            if (same_rules(n, a, id, count))
                merged = set_value(n, a, ground_literal(id, false));
        changed |= merged;
        if (!merged)
            table_insert(&seen, hash, a);
    }
    table_free(&seen);
    return changed;
}

static void copy_rules(CanonicalRules *n) {
    const Grounding *g = n->grounding;
    grounding_sort_rules(g, &n->rule_starts, &n->rule_order);
    for (size_t r = 0; r < g->rules.count; r++) {
        const GroundRule *rule = &g->rules.items[r];
        CanonicalRule copy = {0};
        vector_append(&copy.literals, g->literals.items + rule->first_literal, rule->literal_count);
        vector_sort(&copy.literals, u32_compare);
        vector_push(&n->rules, copy);
    }
}

static void mark_output(CanonicalRules *n, Atom atom) {
    if (atom != ATOM_NONE)
        n->is_output[atom] = 1;
}

/* Marks outputs and inputs. Sets the values of constants and of atoms without rules. */
static void set_inputs(CanonicalRules *n, const Ternary *constants) {
    const Grounding *g = n->grounding;
    size_t atoms = g->atom_relations.count;
    uint8_t *is_input = memory_zalloc(atoms + 1);
    for (uint32_t f = 0; f < g->fluents.count; f++) {
        Atom current = g->fluents.items[f].current;
        mark_output(n, g->fluents.items[f].next);
        if (current == ATOM_NONE)
            continue;
        is_input[current] = 1;
        if (constants[f] != TERNARY_UNKNOWN)
            n->values[current] = constants[f] == TERNARY_TRUE ? CANONICAL_TRUE : CANONICAL_FALSE;
    }
    for (size_t m = 0; m < g->moves.count; m++) {
        mark_output(n, g->moves.items[m].legal);
        if (g->moves.items[m].does != ATOM_NONE)
            is_input[g->moves.items[m].does] = 1;
    }
    for (size_t i = 0; i < g->goals.count; i++)
        mark_output(n, g->goals.items[i].atom);
    for (size_t i = 0; i < g->percepts.count; i++)
        mark_output(n, g->percepts.items[i].atom);
    mark_output(n, g->terminal);
    for (Atom a = 0; a < atoms; a++)
        if (!is_input[a] && !is_derived(n, a))
            n->values[a] = CANONICAL_FALSE;
    free(is_input);
}

static void mark_needed(CanonicalRules *n) {
    U32Vector stack = {0};
    for (Atom a = 0; a < n->grounding->atom_relations.count; a++)
        if (n->is_output[a]) {
            n->is_needed[a] = 1;
            vector_push(&stack, a);
        }
    while (stack.count) {
        Atom a = vector_pop(&stack);
        for (uint32_t i = n->rule_starts[a]; i < n->rule_starts[a + 1]; i++) {
            const CanonicalRule *rule = &n->rules.items[n->rule_order[i]];
            for (size_t l = 0; !rule->is_dropped && l < rule->literals.count; l++) {
                Atom used = atom_of(rule->literals.items[l]);
                if (!n->is_needed[used]) {
                    n->is_needed[used] = 1;
                    vector_push(&stack, used);
                }
            }
        }
    }
    vector_free(&stack);
}

CanonicalRules *canonical_rules_create(const Grounding *g, const Ternary *constants,
                                       CpuBudget budget) {
    CanonicalRules *n = memory_zalloc(sizeof *n);
    size_t atoms = g->atom_relations.count;
    n->grounding = g;
    n->values = memory_alloc((atoms + 1) * sizeof *n->values);
    n->conjunctions = u32_none(atoms);
    n->is_output = memory_zalloc(atoms + 1);
    n->is_needed = memory_zalloc(atoms + 1);
    for (Atom a = 0; a < atoms; a++)
        n->values[a] = ground_literal(a, false);
    copy_rules(n);
    set_inputs(n, constants);
    bool changed = true;
    for (int pass = 0; pass < MAX_PASSES && changed && !cpu_budget_spent(budget); pass++)
        changed = run_pass(n);
    if (cpu_budget_spent(budget)) {
        canonical_rules_free(n);
        return NULL;
    }
    mark_needed(n);
    return n;
}

void canonical_rules_free(CanonicalRules *rules) {
    if (!rules)
        return;
    for (size_t r = 0; r < rules->rules.count; r++)
        vector_free(&rules->rules.items[r].literals);
    vector_free(&rules->rules);
    memory_free(rules->rule_starts, rules->rule_order, rules->values, rules->conjunctions,
                rules->is_output, rules->is_needed, rules);
}
