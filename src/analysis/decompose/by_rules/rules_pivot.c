/* Finds the pivot between two games in series: a pair of auxiliary predicates, or one and its
 * negation, such that every action with an effect needs exactly one of the two. An action needs a
 * literal if all clauses of its `legal` contain it, or if all clauses by which it acts do. */
#include "analysis/decompose/by_rules/rules_internal.h"
#include "base/bitset.h"

typedef struct {
    DnfLiteral literal;
    uint64_t *actions;
    size_t count;
} Need;

typedef struct {
    Need *items;
    size_t count, capacity;
    Table table;
} Needs;

static uint64_t *actions_that_need(RulesAnalysis *an, Needs *needs, DnfLiteral literal) {
    uint64_t hash = hash_finish(hash_mix(0, literal));
    uint32_t id;
    for (TableProbe p = table_probe(&needs->table, hash); table_next(&needs->table, &p, &id);)
        if (needs->items[id].literal == literal)
            return needs->items[id].actions;
    table_insert(&needs->table, hash, (uint32_t)needs->count);
    uint64_t *actions = arena_zalloc(&an->arena, an->move_words * sizeof *actions);
    vector_push(needs, ((Need){literal, actions, 0}));
    return actions;
}

static bool all_clauses_have(const DnfFormula *form, DnfLiteral literal) {
    for (uint32_t i = 0; i < form->count; i++)
        if (!rules_clause_has(&form->clauses[i], literal))
            return false;
    return form->count > 0;
}

static bool is_auxiliary(const RulesAnalysis *an, DnfLiteral literal) {
    return !dnf_is_moves(literal) && dnf_fluent(an->forms, dnf_subject(literal)) == UINT32_MAX;
}

static void collect_from_legality(RulesAnalysis *an, Needs *needs) {
    for (uint32_t m = 0; m < an->move_count; m++) {
        if (!an->has_effect[m] || !an->legal[m]->count)
            continue;
        const DnfClause *first = &an->legal[m]->clauses[0];
        for (uint32_t k = 0; k < first->count; k++)
            if (is_auxiliary(an, first->literals[k]) &&
                all_clauses_have(an->legal[m], first->literals[k]))
                bitset_set(actions_that_need(an, needs, first->literals[k]), m);
    }
}

typedef struct {
    U32Vector *common; /* by move: auxiliary literals of all clauses by which it acts */
    bool *is_known;    /* by move: `common` is set, because there is such a clause */
} EffectNeeds;

static void narrow(const RulesAnalysis *an, EffectNeeds *e, uint32_t move,
                   const DnfClause *clause) {
    U32Vector *common = &e->common[move];
    if (!e->is_known[move]) {
        for (uint32_t k = 0; k < clause->count; k++)
            if (is_auxiliary(an, clause->literals[k]))
                vector_push(common, clause->literals[k]);
        e->is_known[move] = true;
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < common->count; i++)
        if (rules_clause_has(clause, common->items[i]))
            common->items[kept++] = common->items[i];
    common->count = kept;
}

/* Removes literals that the clause lacks from the needs of the moves responsible for the fluent. */
static void narrow_by_clause(RulesAnalysis *an, EffectNeeds *e, uint32_t fluent,
                             const DnfClause *clause) {
    if (rules_clause_has(clause, an->g->fluents.items[fluent].current << 2))
        return;
    for (uint32_t k = 0; k < clause->count; k++) {
        DnfLiteral literal = clause->literals[k];
        if (!dnf_is_moves(literal) || dnf_is_negated(literal))
            continue;
        const MoveSet *set = dnf_moves(an->forms, dnf_subject(literal));
        uint32_t first = dnf_first_move(an->forms, set->role);
        size_t words = bitset_words(dnf_move_count(an->forms, set->role));
        bitset_each(m, set->moves, words)
            if (bitset_get(rules_responsible(an, fluent), first + m))
                narrow(an, e, first + (uint32_t)m, clause);
    }
}

static void collect_from_effects(RulesAnalysis *an, Needs *needs) {
    EffectNeeds e = {.common = memory_zalloc((an->move_count + 1) * sizeof *e.common),
                     .is_known = memory_zalloc(an->move_count + 1)};
    for (uint32_t f = 0; f < an->fluent_count; f++)
        for (uint32_t i = 0; i < an->next[f]->count; i++)
            narrow_by_clause(an, &e, f, &an->next[f]->clauses[i]);
    for (uint32_t m = 0; m < an->move_count; m++)
        for (size_t i = 0; i < e.common[m].count; i++)
            bitset_set(actions_that_need(an, needs, e.common[m].items[i]), m);
    u32_free_lists(e.common, an->move_count);
    free(e.is_known);
}

typedef enum { VALUE_UNKNOWN, VALUE_OPEN, VALUE_FALSE, VALUE_TRUE } AtomValue;

typedef struct {
    RulesAnalysis *an;
    uint8_t *values; /* by atom: an AtomValue */
    uint32_t depth;  /* current depth of the recursion */
    bool is_certain; /* false if an atom recursed, was too deep or had no normal form */
} FirstState;

enum { MAX_DEPTH = 1000 /* greatest depth of the recursion (untuned) */ };

static bool literal_at_first(FirstState *s, DnfLiteral literal);

static bool holds_at_first(FirstState *s, Atom atom) {
    RulesAnalysis *an = s->an;
    uint32_t fluent = dnf_fluent(an->forms, atom);
    if (fluent != UINT32_MAX)
        return an->g->fluents.items[fluent].initial;
    s->is_certain &= s->values[atom] != VALUE_OPEN;
    if (s->values[atom] != VALUE_UNKNOWN)
        return s->values[atom] == VALUE_TRUE;
    s->values[atom] = VALUE_OPEN;
    s->is_certain &= s->depth++ < MAX_DEPTH;
    const DnfFormula *form = dnf_of(an->forms, atom);
    s->is_certain &= form != NULL;
    bool holds = false;
    for (uint32_t i = 0; s->is_certain && i < form->count && !holds; i++) {
        holds = true;
        for (uint32_t k = 0; k < form->clauses[i].count && holds; k++) {
            DnfLiteral literal = form->clauses[i].literals[k];
            s->is_certain &= !dnf_is_moves(literal);
            holds = !dnf_is_moves(literal) && literal_at_first(s, literal);
        }
    }
    s->depth--;
    s->values[atom] = holds ? VALUE_TRUE : VALUE_FALSE;
    return holds;
}

static bool literal_at_first(FirstState *s, DnfLiteral literal) {
    return holds_at_first(s, dnf_subject(literal)) != dnf_is_negated(literal);
}

/* True if at first the literal of the early half is true and that of the late half is false. */
static bool comes_before(RulesAnalysis *an, const Need *early, const Need *late) {
    FirstState s = {.an = an, .is_certain = true};
    s.values = memory_zalloc(an->g->atom_relations.count + 1);
    bool early_holds = literal_at_first(&s, early->literal);
    bool late_holds = literal_at_first(&s, late->literal);
    free(s.values);
    return s.is_certain && early_holds && !late_holds;
}

void rules_find_pivot(RulesAnalysis *an) {
    Needs needs = {0};
    collect_from_legality(an, &needs);
    collect_from_effects(an, &needs);
    for (size_t i = 0; i < needs.count; i++)
        needs.items[i].count = bitset_count(needs.items[i].actions, an->move_words);
    size_t effective = 0;
    for (uint32_t m = 0; m < an->move_count; m++)
        effective += an->has_effect[m];
    for (size_t i = 0; i < needs.count && !an->pivot.late; i++)
        for (size_t k = i + 1; k < needs.count && !an->pivot.late; k++) {
            Need *a = &needs.items[i], *b = &needs.items[k];
            if (a->count + b->count != effective ||
                bitset_overlaps(a->actions, b->actions, an->move_words))
                continue;
            const Need *late = comes_before(an, a, b) ? b : comes_before(an, b, a) ? a : NULL;
            if (late)
                an->pivot = (RulesPivot){late->literal, late->actions};
        }
    vector_free(&needs);
    table_free(&needs.table);
}
