/* Potential effects of actions, read off the normal forms. A fluent is a potential effect of an
 * action if a clause of its `next` contains the action without the fluent itself, or the negation
 * of the action. Effects that the rules only imply are left out on purpose: an action would be
 * responsible for all fluents whose frame axioms do not mention it. */
#include <assert.h>
#include <string.h>

#include "analysis/decompose/by_rules/rules_internal.h"
#include "base/bitset.h"

enum {
    MAX_UNSORTED = 10000, /* literals of a context before duplicates are removed (untuned) */
    MAX_CLAUSES = 64 /* forms with more clauses are not compared for mutual exclusion (untuned) */
};
/* Values of RulesAnalysis.waiting. */
typedef enum { WAITING_UNKNOWN, WAITING_NO, WAITING_YES } Waiting;

bool rules_find_forms(RulesAnalysis *an) {
    an->next = arena_zalloc(&an->arena, (an->fluent_count + 1) * sizeof(DnfFormula *));
    an->legal = arena_zalloc(&an->arena, (an->move_count + 1) * sizeof(DnfFormula *));
    for (uint32_t f = 0; f < an->fluent_count; f++)
        if (!(an->next[f] = dnf_of(an->forms, an->g->fluents.items[f].next)))
            return false;
    for (uint32_t m = 0; m < an->move_count; m++)
        if (!(an->legal[m] = dnf_of(an->forms, an->g->moves.items[m].legal)))
            return false;
    return true;
}

/* Returns the plain set of moves of a role in the clause; NULL if all moves are allowed. */
static const MoveSet *moves_of_role(const RulesAnalysis *an, const DnfClause *clause,
                                    uint32_t role) {
    for (uint32_t i = 0; i < clause->count; i++) {
        DnfLiteral literal = clause->literals[i];
        if (dnf_is_moves(literal) && !dnf_is_negated(literal) &&
            dnf_moves(an->forms, dnf_subject(literal))->role == role)
            return dnf_moves(an->forms, dnf_subject(literal));
    }
    return NULL;
}

static bool sets_meet(const RulesAnalysis *an, const MoveSet *a, const MoveSet *b) {
    if (!a || !b)
        return true; /* the clause allows every move */
    assert(a->role == b->role);
    return bitset_overlaps(a->moves, b->moves, bitset_words(dnf_move_count(an->forms, a->role)));
}

/* True if two clauses differ in nothing but their moves. */
static bool same_circumstances(const DnfClause *a, const DnfClause *b) {
    uint32_t i = 0, k = 0;
    for (;; i++, k++) {
        while (i < a->count && dnf_is_moves(a->literals[i]))
            i++;
        while (k < b->count && dnf_is_moves(b->literals[k]))
            k++;
        if (i == a->count || k == b->count)
            return i == a->count && k == b->count;
        if (a->literals[i] != b->literals[k])
            return false;
    }
}

/* Counts the moves of the role that make the fluent true if the others move as in the clause. */
static uint32_t count_alternatives(const RulesAnalysis *an, const DnfFormula *form,
                                   const DnfClause *clause, uint32_t role) {
    size_t words = bitset_words(dnf_move_count(an->forms, role));
    uint64_t *all = memory_zalloc((words + 1) * sizeof *all);
    for (uint32_t i = 0; i < form->count; i++) {
        const MoveSet *own = moves_of_role(an, &form->clauses[i], role);
        bool shares = own != NULL && same_circumstances(clause, &form->clauses[i]);
        for (uint32_t r = 0; r < an->role_count && shares; r++)
            shares = r == role || sets_meet(an, moves_of_role(an, clause, r),
                                            moves_of_role(an, &form->clauses[i], r));
        if (shares)
            bitset_or(all, own->moves, words);
    }
    uint32_t count = (uint32_t)bitset_count(all, words);
    free(all);
    return count;
}

/* True if the clauses with this move of the role have exactly one combination of other moves. */
static bool others_have_one_choice(const RulesAnalysis *an, const DnfFormula *form,
                                   const DnfClause *like, uint32_t role, uint32_t option) {
    const DnfClause *only = NULL;
    for (uint32_t i = 0; i < form->count; i++) {
        const DnfClause *clause = &form->clauses[i];
        const MoveSet *own = moves_of_role(an, clause, role);
        if (!own || !bitset_get(own->moves, option) || !same_circumstances(like, clause))
            continue;
        for (uint32_t r = 0; r < an->role_count; r++) {
            const MoveSet *theirs = moves_of_role(an, clause, r);
            if (r != role && theirs && theirs->count > 1)
                return false;
            if (r != role && only && theirs != moves_of_role(an, only, r))
                return false;
        }
        only = clause;
    }
    return only != NULL;
}

/* True if the two literals are opposite, or are f and g, assumed to exclude each other. */
static bool exclude_each_other(const RulesAnalysis *an, DnfLiteral a, DnfLiteral b, uint32_t f,
                               uint32_t g) {
    if (dnf_is_moves(a) || dnf_is_moves(b))
        return false;
    if (dnf_subject(a) == dnf_subject(b))
        return dnf_is_negated(a) != dnf_is_negated(b);
    Atom x = an->g->fluents.items[f].current, y = an->g->fluents.items[g].current;
    return !dnf_is_negated(a) && !dnf_is_negated(b) &&
           ((dnf_subject(a) == x && dnf_subject(b) == y) ||
            (dnf_subject(a) == y && dnf_subject(b) == x));
}

static bool clauses_exclude(const RulesAnalysis *an, const DnfClause *a, const DnfClause *b,
                            uint32_t f, uint32_t g) {
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if (exclude_each_other(an, a->literals[i], b->literals[k], f, g))
                return true;
    return false;
}

/* Proves by induction that f and g are never true together. */
static bool prove_never_together(const RulesAnalysis *an, uint32_t f, uint32_t g) {
    const DnfFormula *x = an->next[f], *y = an->next[g];
    if (f == g || (an->g->fluents.items[f].initial && an->g->fluents.items[g].initial) ||
        x->count > MAX_CLAUSES || y->count > MAX_CLAUSES)
        return false;
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t k = 0; k < y->count; k++)
            if (!clauses_exclude(an, &x->clauses[i], &y->clauses[k], f, g))
                return false;
    return true;
}

/* True if two fluents are provably never true together. Results are cached by pair. */
static bool never_together(RulesAnalysis *an, uint32_t f, uint32_t g) {
    assert(f < an->fluent_count && g < an->fluent_count);
    uint32_t low = f < g ? f : g, high = f < g ? g : f, id;
    uint64_t hash = hash_finish(hash_mix(low, high));
    for (TableProbe p = table_probe(&an->pair_table, hash); table_next(&an->pair_table, &p, &id);)
        if (an->pairs.items[id].low == low && an->pairs.items[id].high == high)
            return an->pairs.items[id].is_exclusive;
    bool is_exclusive = prove_never_together(an, low, high);
    table_insert(&an->pair_table, hash, (uint32_t)an->pairs.count);
    vector_push(&an->pairs, ((RulesPair){low, high, is_exclusive}));
    return is_exclusive;
}

static bool is_fluent(const RulesAnalysis *an, DnfLiteral literal, uint32_t *fluent) {
    *fluent = dnf_is_moves(literal) ? UINT32_MAX : dnf_fluent(an->forms, dnf_subject(literal));
    return *fluent != UINT32_MAX;
}

/* True if the clauses cannot both be true in one state. */
static bool contradict(RulesAnalysis *an, const DnfClause *a, const DnfClause *b) {
    uint32_t f, g;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            DnfLiteral x = a->literals[i], y = b->literals[k];
            if (!is_fluent(an, x, &f) || !is_fluent(an, y, &g))
                continue;
            if (f == g ? dnf_is_negated(x) != dnf_is_negated(y)
                       : !dnf_is_negated(x) && !dnf_is_negated(y) && never_together(an, f, g))
                return true;
        }
    return false;
}

/* True if the role has no legal move outside the set wherever the clause is true. */
static bool leaves_no_other(RulesAnalysis *an, const DnfClause *clause, const MoveSet *set) {
    uint32_t first = dnf_first_move(an->forms, set->role);
    uint32_t count = dnf_move_count(an->forms, set->role);
    for (uint32_t m = 0; m < count; m++) {
        const DnfFormula *legal = an->legal[first + m];
        for (uint32_t i = 0; i < legal->count && !bitset_get(set->moves, m); i++)
            if (!contradict(an, clause, &legal->clauses[i]))
                return false;
    }
    return true;
}

/* True if the set is one move, the only legal one whenever it is legal. Cached by move. */
static bool is_waiting(RulesAnalysis *an, const MoveSet *set) {
    if (set->count != 1)
        return false;
    size_t words = bitset_words(dnf_move_count(an->forms, set->role));
    size_t move = dnf_first_move(an->forms, set->role) + bitset_next(set->moves, words, 0);
    bool waits = an->legal[move]->count > 0;
    for (uint32_t i = 0; i < an->legal[move]->count && waits && !an->waiting[move]; i++)
        waits = leaves_no_other(an, &an->legal[move]->clauses[i], set);
    if (an->waiting[move] == WAITING_UNKNOWN)
        an->waiting[move] = waits ? WAITING_YES : WAITING_NO;
    return an->waiting[move] == WAITING_YES;
}

/* True if the role had no other moves; then those of the set are responsible for nothing. */
static bool is_forced(RulesAnalysis *an, const DnfClause *clause, const MoveSet *set) {
    return is_waiting(an, set) || leaves_no_other(an, clause, set);
}

/* Makes all moves of the set responsible for the fluent. */
static void blame(RulesAnalysis *an, uint32_t fluent, const MoveSet *set) {
    uint32_t first = dnf_first_move(an->forms, set->role);
    size_t words = bitset_words(dnf_move_count(an->forms, set->role));
    bitset_each(m, set->moves, words)
        bitset_set(rules_responsible(an, fluent), first + m);
}

/* If several roles act in a clause, blames the role whose move cannot be exchanged for another. */
static void blame_in_joint_move(RulesAnalysis *an, uint32_t fluent, const DnfClause *clause,
                                const MoveSet *set) {
    const DnfFormula *form = an->next[fluent];
    uint32_t options = dnf_move_count(an->forms, set->role);
    uint32_t alternatives = count_alternatives(an, form, clause, set->role);
    if (alternatives == 1) {
        blame(an, fluent, set);
        return;
    }
    if (alternatives == options)
        return;
    uint32_t first = dnf_first_move(an->forms, set->role);
    size_t words = bitset_words(options);
    bitset_each(m, set->moves, words)
        if (!others_have_one_choice(an, form, clause, set->role, (uint32_t)m))
            bitset_set(rules_responsible(an, fluent), first + m);
}

static void blame_clause(RulesAnalysis *an, uint32_t fluent, const DnfClause *clause) {
    DnfLiteral itself = an->g->fluents.items[fluent].current << 2;
    bool keeps = rules_clause_has(clause, itself);
    uint32_t acting = 0;
    for (uint32_t i = 0; i < clause->count; i++)
        acting += dnf_is_moves(clause->literals[i]) && !dnf_is_negated(clause->literals[i]);
    for (uint32_t i = 0; i < clause->count; i++) {
        DnfLiteral literal = clause->literals[i];
        if (dnf_is_moves(literal)) {
            const MoveSet *set = dnf_moves(an->forms, dnf_subject(literal));
            if (!dnf_is_negated(literal) && !keeps && is_forced(an, clause, set))
                continue;
            if (dnf_is_negated(literal) || (!keeps && acting == 1))
                blame(an, fluent, set);
            else if (!keeps)
                blame_in_joint_move(an, fluent, clause, set);
            continue;
        }
        if (dnf_fluent(an->forms, dnf_subject(literal)) != UINT32_MAX)
            continue;
        /* A predicate was not expanded: every move that it depends on may matter. */
        const DnfCone *cone = dnf_cone(an->forms, dnf_subject(literal));
        for (size_t k = 0; k < cone->moves.count; k++)
            bitset_set(rules_responsible(an, fluent), cone->moves.items[k]);
    }
}

/* True if the form contains moves that some role chooses. */
static bool form_has_moves(RulesAnalysis *an, const DnfFormula *form) {
    for (uint32_t i = 0; i < form->count; i++)
        for (uint32_t k = 0; k < form->clauses[i].count; k++) {
            DnfLiteral literal = form->clauses[i].literals[k];
            if (dnf_is_moves(literal) &&
                (dnf_is_negated(literal) ||
                 !is_forced(an, &form->clauses[i], dnf_moves(an->forms, dnf_subject(literal)))))
                return true;
        }
    return false;
}

bool rules_find_effects(RulesAnalysis *an, const Deadline *deadline) {
    an->responsible = arena_zalloc(&an->arena, ((size_t)an->fluent_count * an->move_words + 1) *
                                                   sizeof(uint64_t));
    an->is_independent = arena_zalloc(&an->arena, an->fluent_count + 1);
    an->has_effect = arena_zalloc(&an->arena, an->move_count + 1);
    an->waiting = arena_zalloc(&an->arena, an->move_count + 1);
    for (uint32_t f = 0; f < an->fluent_count; f++) {
        for (uint32_t i = 0; i < an->next[f]->count; i++) {
            if (deadline_passed(*deadline))
                return false;
            blame_clause(an, f, &an->next[f]->clauses[i]);
        }
        const uint64_t *row = rules_responsible(an, f);
        an->is_independent[f] =
            !bitset_any(row, an->move_words) && !form_has_moves(an, an->next[f]);
        bitset_each(m, row, an->move_words)
            an->has_effect[m] = true;
    }
    return true;
}

const U32Vector *rules_list_fluents(RulesAnalysis *an, DnfLiteral literal) {
    vector_clear(&an->listed);
    if (dnf_is_moves(literal))
        return &an->listed;
    Atom atom = dnf_subject(literal);
    uint32_t fluent = dnf_fluent(an->forms, atom);
    if (fluent != UINT32_MAX) {
        if (!an->is_independent[fluent])
            vector_push(&an->listed, fluent);
        return &an->listed;
    }
    const DnfCone *cone = dnf_cone(an->forms, atom);
    for (size_t i = 0; i < cone->fluents.count; i++)
        if (!an->is_independent[cone->fluents.items[i]])
            vector_push(&an->listed, cone->fluents.items[i]);
    return &an->listed;
}

void rules_find_needs(RulesAnalysis *an) {
    an->needs = memory_zalloc((an->move_count + 1) * sizeof *an->needs);
    for (uint32_t m = 0; m < an->move_count; m++) {
        if (!an->has_effect[m])
            continue;
        for (uint32_t i = 0; i < an->legal[m]->count; i++) {
            const DnfClause *clause = &an->legal[m]->clauses[i];
            for (uint32_t k = 0; k < clause->count; k++)
                vector_push(&an->needs[m], clause->literals[k]);
        }
        u32_sort_unique(&an->needs[m]);
        size_t kept = 0;
        for (size_t i = 0; i < an->needs[m].count; i++)
            if (rules_list_fluents(an, an->needs[m].items[i])->count)
                an->needs[m].items[kept++] = an->needs[m].items[i];
        an->needs[m].count = kept;
    }
}

/* Adds the effect and its context to the meta-action with these actions, which may be new. */
static void emit(RulesAnalysis *an, uint32_t role, const uint64_t *actions, uint32_t fluent,
                 const DnfClause *clause, const U32Vector *common) {
    assert(role < an->role_count && fluent < an->fluent_count);
    uint64_t hash = hash_bytes(actions, an->move_words * sizeof *actions);
    RulesMetaAction *meta = NULL;
    uint32_t id;
    for (TableProbe p = table_probe(&an->meta_action_table, hash);
         !meta && table_next(&an->meta_action_table, &p, &id);)
        if (bitset_equal(an->meta_actions.items[id].actions, actions, an->move_words))
            meta = &an->meta_actions.items[id];
    if (!meta) {
        table_insert(&an->meta_action_table, hash, (uint32_t)an->meta_actions.count);
        vector_push(&an->meta_actions, ((RulesMetaAction){.role = role}));
        meta = &vector_last(&an->meta_actions);
        meta->actions = arena_alloc(&an->arena, an->move_words * sizeof *actions);
        memcpy(meta->actions, actions, an->move_words * sizeof *actions);
    }
    if (!meta->effects.count || meta->effects.items[meta->effects.count - 1] != fluent)
        vector_push(&meta->effects, fluent);
    for (uint32_t i = 0; i < clause->count; i++)
        if (!dnf_is_moves(clause->literals[i]))
            vector_push(&meta->context, clause->literals[i]);
    u32_append(&meta->context, common);
    if (meta->context.count > MAX_UNSORTED)
        u32_sort_unique(&meta->context);
}

/* Lists the literals that every action of the group needs. */
static void find_common_needs(const RulesAnalysis *an, const uint64_t *group, U32Vector *common) {
    common->count = 0;
    u32_append(common, &an->needs[bitset_next(group, an->move_words, 0)]);
    bitset_each(m, group, an->move_words)
        u32_intersect(common, &an->needs[m]);
}

/* Returns the literal that most actions of the group need. */
static DnfLiteral most_frequent_need(const RulesAnalysis *an, const uint64_t *group) {
    U32Vector all = {0};
    bitset_each(m, group, an->move_words)
        u32_append(&all, &an->needs[m]);
    assert(all.count);
    qsort(all.items, all.count, sizeof *all.items, u32_compare);
    DnfLiteral best = all.items[0];
    size_t most = 0, run = 0;
    for (size_t i = 0; i < all.count; i++) {
        run = i && all.items[i] == all.items[i - 1] ? run + 1 : 1;
        if (run > most) {
            most = run;
            best = all.items[i];
        }
    }
    vector_free(&all);
    return best;
}

/* Emits actions with one effect in one context. The group is divided until the actions of each
 * subset need a literal in common or need nothing. A literal that only one action needs may belong
 * to another subgame, in which a compound action acts. */
static void emit_by_needs(RulesAnalysis *an, uint32_t role, uint64_t *group, uint32_t fluent,
                          const DnfClause *clause) {
    uint64_t *part = memory_alloc(an->move_words * sizeof *part);
    U32Vector common = {0};
    for (;;) {
        memset(part, 0, an->move_words * sizeof *part);
        bool some_need = false;
        bitset_each(m, group, an->move_words) {
            if (an->needs[m].count)
                some_need = true;
            else
                bitset_set(part, m);
        }
        if (bitset_any(part, an->move_words)) { /* these actions are always legal */
            common.count = 0;
            emit(an, role, part, fluent, clause, &common);
            bitset_andnot(group, part, an->move_words);
        }
        if (!some_need)
            break;
        find_common_needs(an, group, &common);
        if (common.count) {
            emit(an, role, group, fluent, clause, &common);
            break;
        }
        DnfLiteral need = most_frequent_need(an, group);
        memset(part, 0, an->move_words * sizeof *part);
        bitset_each(m, group, an->move_words)
            if (u32_sorted_contains(&an->needs[m], need))
                bitset_set(part, m);
        find_common_needs(an, part, &common);
        emit(an, role, part, fluent, clause, &common);
        bitset_andnot(group, part, an->move_words);
        if (!bitset_any(group, an->move_words))
            break;
    }
    vector_free(&common);
    free(part);
}

/* Emits a meta-action of its own for each action that an unexpanded predicate depends on. */
static void emit_one_by_one(RulesAnalysis *an, uint64_t *group, uint32_t fluent,
                            const DnfClause *clause, Atom predicate) {
    const DnfCone *cone = dnf_cone(an->forms, predicate);
    for (size_t i = 0; i < cone->moves.count; i++) {
        uint32_t move = cone->moves.items[i];
        memset(group, 0, an->move_words * sizeof *group);
        bitset_set(group, move);
        emit_by_needs(an, an->g->moves.items[move].role, group, fluent, clause);
    }
}

void rules_find_meta_actions(RulesAnalysis *an) {
    uint64_t *group = memory_alloc((an->move_words + 1) * sizeof *group);
    for (uint32_t f = 0; f < an->fluent_count; f++) {
        DnfLiteral itself = an->g->fluents.items[f].current << 2;
        for (uint32_t i = 0; i < an->next[f]->count; i++) {
            const DnfClause *clause = &an->next[f]->clauses[i];
            bool keeps = rules_clause_has(clause, itself);
            for (uint32_t k = 0; k < clause->count; k++) {
                DnfLiteral literal = clause->literals[k];
                if (!dnf_is_moves(literal))
                    emit_one_by_one(an, group, f, clause, dnf_subject(literal));
                if (!dnf_is_moves(literal) || (keeps && !dnf_is_negated(literal)))
                    continue;
                const MoveSet *set = dnf_moves(an->forms, dnf_subject(literal));
                uint32_t first = dnf_first_move(an->forms, set->role);
                memset(group, 0, an->move_words * sizeof *group);
                size_t words = bitset_words(dnf_move_count(an->forms, set->role));
                bitset_each(m, set->moves, words)
                    if (bitset_get(rules_responsible(an, f), first + m))
                        bitset_set(group, first + m);
                if (bitset_any(group, an->move_words))
                    emit_by_needs(an, set->role, group, f, clause);
            }
        }
    }
    for (size_t i = 0; i < an->meta_actions.count; i++) {
        u32_sort_unique(&an->meta_actions.items[i].effects);
        u32_sort_unique(&an->meta_actions.items[i].context);
    }
    free(group);
}
