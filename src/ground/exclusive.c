/* A group is the set of fluents of one relation that agree in some key columns. Groups are proven
 * together: all wanted groups are assumed, those for which two `next` rules can fire at once are
 * dropped, until nothing changes. Rules are searched a few levels deep. */
#include "ground/exclusive.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_COLUMNS = 3,         /* columns of a relation whose fluents are grouped (untuned) */
    KEYS = 1 << MAX_COLUMNS, /* number of choices of key columns */
    SMALL_RELATION = 16,     /* fluents; groups of such relations are always tried (untuned) */
    MAX_TUPLES = 4096,       /* tuples of a relation that may be asked about (untuned) */
    MAX_FACTS = 64,          /* facts gathered for one contradiction (untuned) */
    MAX_RULES = 100,         /* rules of an atom whose implications are computed (untuned) */
    MAX_LOOK_DEPTH = 3,      /* levels of rules searched for what an atom implies (untuned) */
    MAX_CASES_DEPTH = 4,     /* nested case distinctions by the rules of an atom (untuned) */
    MAX_WORK = 200000000     /* literals visited for all questions together (untuned) */
};
#define GROUP_NONE UINT32_MAX

typedef struct {
    U32Vector fluents; /* numbers into Grounding.fluents */
    uint32_t initially;
    bool is_assumed;
    bool is_wanted; /* wanted by the current question; the others may help to prove it */
    bool is_proven; /* proven by an earlier question */
} Group;

struct Exclusion {
    const Grounding *g;
    uint32_t *rule_starts, *rule_order; /* rules by head */
    uint32_t *fluent_of, *move_of;      /* by Atom; UINT32_MAX if it is neither */
    uint32_t *group_of;                 /* by fluent and key columns */
    VECTOR(Group) groups;
    Table table;                               /* groups by key, while they are made */
    uint32_t *implied_starts, *implied_counts; /* by move: what its legality implies, once known */
    U32Vector implied;
    uint64_t work;
};

typedef struct {
    uint32_t items[MAX_FACTS];
    uint32_t count;
    bool overflown;
} Facts;

static void facts_add(Facts *facts, uint32_t item) {
    for (uint32_t i = 0; i < facts->count; i++)
        if (facts->items[i] == item)
            return;
    if (facts->count == MAX_FACTS)
        facts->overflown = true;
    else
        facts->items[facts->count++] = item;
}

static const Term *fluent_columns(const Exclusion *x, uint32_t fluent, uint32_t *relation) {
    Atom atom = x->g->fluents.items[fluent].current;
    *relation = x->g->atom_relations.items[atom];
    return relation_tuple(x->g->relations.items[*relation], x->g->atom_tuples.items[atom]);
}

static bool same_group(const Exclusion *x, uint32_t a, uint32_t b, uint32_t keys) {
    uint32_t ra, rb;
    const Term *ta = fluent_columns(x, a, &ra), *tb = fluent_columns(x, b, &rb);
    if (ra != rb)
        return false;
    for (uint32_t m = keys; m; m &= m - 1)
        if (ta[__builtin_ctz(m)] != tb[__builtin_ctz(m)])
            return false;
    return true;
}

static uint32_t group_for(Exclusion *x, uint32_t fluent, uint32_t keys) {
    uint32_t relation, id;
    const Term *columns = fluent_columns(x, fluent, &relation);
    uint64_t hash = hash_mix(hash_mix(7, relation), keys);
    for (uint32_t m = keys; m; m &= m - 1)
        hash = hash_mix(hash, columns[__builtin_ctz(m)]);
    hash = hash_finish(hash);
    for (TableProbe p = table_probe(&x->table, hash); table_next(&x->table, &p, &id);) {
        uint32_t member = x->groups.items[id].fluents.items[0];
        if (x->group_of[member * KEYS + keys] == id && same_group(x, member, fluent, keys))
            return id;
    }
    vector_push(&x->groups, (Group){0});
    id = (uint32_t)x->groups.count - 1;
    table_insert(&x->table, hash, id);
    return id;
}

static void make_groups(Exclusion *x) {
    const Grounding *g = x->g;
    x->group_of = u32_none(g->fluents.count * KEYS);
    for (uint32_t f = 0; f < g->fluents.count; f++) {
        uint32_t relation;
        fluent_columns(x, f, &relation);
        uint32_t arity = g->program->relations.items[relation].arity;
        for (uint32_t keys = 0; keys + 1 < 1u << arity && arity <= MAX_COLUMNS; keys++) {
            uint32_t id = group_for(x, f, keys);
            x->group_of[f * KEYS + keys] = id;
            vector_push(&x->groups.items[id].fluents, f);
            x->groups.items[id].initially += g->fluents.items[f].initial;
        }
        bool is_small = g->relations.items[relation]->tuples.count <= SMALL_RELATION;
        for (uint32_t keys = 0; keys < KEYS && is_small; keys++)
            if (x->group_of[f * KEYS + keys] != GROUP_NONE)
                x->groups.items[x->group_of[f * KEYS + keys]].is_assumed = true;
    }
    for (size_t i = 0; i < x->groups.count; i++)
        x->groups.items[i].is_assumed &= x->groups.items[i].initially <= 1;
    table_free(&x->table);
}

Exclusion *exclusion_create(const Grounding *g) {
    assert(g);
    Exclusion *x = memory_zalloc(sizeof *x);
    size_t atoms = g->atom_relations.count;
    x->g = g;
    grounding_sort_rules(g, &x->rule_starts, &x->rule_order);
    x->implied_starts = memory_alloc((g->moves.count + 1) * sizeof *x->implied_starts);
    x->implied_counts = memory_alloc((g->moves.count + 1) * sizeof *x->implied_counts);
    x->fluent_of = u32_none(atoms);
    x->move_of = u32_none(atoms);
    for (uint32_t f = 0; f < g->fluents.count; f++)
        x->fluent_of[g->fluents.items[f].current] = f;
    for (uint32_t m = 0; m < g->moves.count; m++)
        x->move_of[g->moves.items[m].does] = m;
    make_groups(x);
    return x;
}

void exclusion_free(Exclusion *x) {
    if (!x)
        return;
    for (size_t i = 0; i < x->groups.count; i++)
        vector_free(&x->groups.items[i].fluents);
    vectors_free(&x->groups, &x->implied);
    memory_free(x->implied_starts, x->implied_counts, x->rule_starts, x->rule_order, x->fluent_of,
                x->move_of, x->group_of, x);
}

static bool is_grouped(const Exclusion *x, uint32_t fluent) {
    for (uint32_t keys = 0; keys < KEYS; keys++) {
        uint32_t id = x->group_of[fluent * KEYS + keys];
        if (id != GROUP_NONE && x->groups.items[id].is_assumed)
            return true;
    }
    return false;
}

static bool fluents_exclude(const Exclusion *x, uint32_t a, uint32_t b) {
    for (uint32_t keys = 0; keys < KEYS && a != b; keys++) {
        uint32_t id = x->group_of[a * KEYS + keys];
        if (id != GROUP_NONE && id == x->group_of[b * KEYS + keys] &&
            x->groups.items[id].is_assumed)
            return true;
    }
    return false;
}

static void implied_by_move(Exclusion *x, uint32_t move, Facts *implied);

/* Lists fluents of assumed groups that are true whenever the atom is: premises of all its rules. */
static void implied_fluents(Exclusion *x, Atom atom, unsigned depth, Facts *implied) {
    if (x->fluent_of[atom] != UINT32_MAX) {
        if (is_grouped(x, x->fluent_of[atom]))
            facts_add(implied, x->fluent_of[atom]);
        return;
    }
    if (x->move_of[atom] != UINT32_MAX) {
        implied_by_move(x, x->move_of[atom], implied);
        return;
    }
    if (depth == 0 || x->rule_starts[atom + 1] - x->rule_starts[atom] > MAX_RULES)
        return;
    Facts common = {.count = 0};
    for (uint32_t r = x->rule_starts[atom]; r < x->rule_starts[atom + 1]; r++) {
        const GroundRule *rule = &x->g->rules.items[x->rule_order[r]];
        Facts here = {.count = 0};
        for (uint32_t i = 0; i < rule->literal_count; i++) {
            GroundLiteral literal = x->g->literals.items[rule->first_literal + i];
            x->work++;
            if (!(literal & 1))
                implied_fluents(x, literal >> 1, depth - 1, &here);
        }
        if (r == x->rule_starts[atom]) {
            common = here;
        } else {
            uint32_t kept = 0;
            for (uint32_t i = 0; i < common.count; i++)
                for (uint32_t k = 0; k < here.count; k++)
                    if (here.items[k] == common.items[i]) {
                        common.items[kept++] = common.items[i];
                        break;
                    }
            common.count = kept;
        }
        if (common.count == 0)
            return;
    }
    for (uint32_t i = 0; i < common.count; i++)
        facts_add(implied, common.items[i]);
}

/* The premises of `legal` are true when a move is made. */
static void implied_by_move(Exclusion *x, uint32_t move, Facts *implied) {
    assert(move < x->g->moves.count);
    Atom legal = x->g->moves.items[move].legal;
    if (x->implied_starts[move] == UINT32_MAX) {
        Facts own = {.count = 0};
        if (legal != ATOM_NONE)
            implied_fluents(x, legal, MAX_LOOK_DEPTH, &own);
        x->implied_starts[move] = (uint32_t)x->implied.count;
        x->implied_counts[move] = own.count;
        for (uint32_t i = 0; i < own.count; i++)
            vector_push(&x->implied, own.items[i]);
    }
    for (uint32_t i = 0; i < x->implied_counts[move]; i++)
        facts_add(implied, x->implied.items[x->implied_starts[move] + i]);
}

/* Atoms that are assumed to be true together. */
typedef struct {
    Facts fluents, moves, cases; /* cases: atoms whose rules can be distinguished */
} Situation;

static bool add_fluents(Exclusion *x, Situation *s, Atom atom) {
    Facts implied = {.count = 0};
    implied_fluents(x, atom, 1, &implied); /* the case distinctions look deeper */
    for (uint32_t i = 0; i < implied.count; i++) {
        for (uint32_t k = 0; k < s->fluents.count; k++)
            if (fluents_exclude(x, implied.items[i], s->fluents.items[k]))
                return false;
        facts_add(&s->fluents, implied.items[i]);
    }
    return true;
}

/* Adds the premises of a rule to the situation; false if that contradicts it. */
static bool add_rule(Exclusion *x, Situation *s, uint32_t rule_number) {
    const GroundRule *rule = &x->g->rules.items[rule_number];
    for (uint32_t i = 0; i < rule->literal_count; i++) {
        GroundLiteral literal = x->g->literals.items[rule->first_literal + i];
        Atom atom = literal >> 1;
        x->work++;
        if (literal & 1)
            continue;
        uint32_t move = x->move_of[atom];
        for (uint32_t k = 0; k < s->moves.count && move != UINT32_MAX; k++)
            if (s->moves.items[k] != move &&
                x->g->moves.items[s->moves.items[k]].role == x->g->moves.items[move].role)
                return false;
        if (move != UINT32_MAX)
            facts_add(&s->moves, move);
        else if (x->fluent_of[atom] == UINT32_MAX)
            facts_add(&s->cases, atom);
        if (!add_fluents(x, s, atom))
            return false;
    }
    return true;
}

/* True if some atom of the situation has no rule that is consistent with the rest. */
static bool every_case_contradicts(Exclusion *x, const Situation *s, unsigned depth) {
    for (uint32_t c = 0; c < s->cases.count && depth > 0; c++) {
        Atom atom = s->cases.items[c];
        bool all = true;
        for (uint32_t r = x->rule_starts[atom]; r < x->rule_starts[atom + 1] && all; r++) {
            Situation with_rule = *s;
            with_rule.cases.count = 0; /* go deeper, do not repeat the cases */
            all = x->work < MAX_WORK && (!add_rule(x, &with_rule, x->rule_order[r]) ||
                                         every_case_contradicts(x, &with_rule, depth - 1));
        }
        if (all)
            return true;
    }
    return false;
}

static bool atoms_exclude(Exclusion *x, Atom a, Atom b) {
    for (uint32_t r = x->rule_starts[a]; r < x->rule_starts[a + 1]; r++) {
        Situation first = {.fluents.count = 0};
        if (!add_rule(x, &first, x->rule_order[r]))
            continue;
        for (uint32_t q = x->rule_starts[b]; q < x->rule_starts[b + 1]; q++) {
            Situation both = first;
            if (x->work >= MAX_WORK || (add_rule(x, &both, x->rule_order[q]) &&
                                        !every_case_contradicts(x, &both, MAX_CASES_DEPTH)))
                return false;
        }
    }
    return true;
}

static bool group_is_kept(Exclusion *x, const Group *group) {
    for (size_t i = 0; i < group->fluents.count; i++)
        for (size_t k = 0; k < i; k++) {
            Atom a = x->g->fluents.items[group->fluents.items[i]].next;
            Atom b = x->g->fluents.items[group->fluents.items[k]].next;
            if (a != ATOM_NONE && b != ATOM_NONE && !atoms_exclude(x, a, b))
                return false;
        }
    return true;
}

/* Drops the groups for which two `next` rules can fire. True if a group was dropped. */
static bool drop_groups_that_break(Exclusion *x, bool wanted) {
    bool changed = false;
    for (size_t i = 0; i < x->groups.count; i++) {
        Group *group = &x->groups.items[i];
        if (group->is_assumed && !group->is_proven && group->is_wanted == wanted &&
            !group_is_kept(x, group)) {
            group->is_assumed = false;
            changed = true;
        }
    }
    return changed;
}

/* Wanted groups are large, so they are proven after the others. */
static void prove_groups(Exclusion *x) {
    do
        while (drop_groups_that_break(x, false))
            continue;
    while (drop_groups_that_break(x, true));
    for (size_t i = 0; i < x->groups.count; i++) {
        x->groups.items[i].is_proven = x->groups.items[i].is_assumed;
        x->groups.items[i].is_wanted = false;
    }
}

static bool agree(const GroundRelation *r, uint32_t a, uint32_t b, uint64_t columns) {
    for (uint64_t m = columns; m; m &= m - 1)
        if (relation_tuple(r, a)[__builtin_ctzll(m)] != relation_tuple(r, b)[__builtin_ctzll(m)])
            return false;
    return true;
}

/* The fluents that occur in the rules of the atom themselves. */
static void named_fluents(const Exclusion *x, Atom atom, Facts *fluents) {
    if (x->fluent_of[atom] != UINT32_MAX)
        facts_add(fluents, x->fluent_of[atom]);
    for (uint32_t r = x->rule_starts[atom]; r < x->rule_starts[atom + 1]; r++) {
        const GroundRule *rule = &x->g->rules.items[x->rule_order[r]];
        for (uint32_t i = 0; i < rule->literal_count && !fluents->overflown; i++) {
            GroundLiteral literal = x->g->literals.items[rule->first_literal + i];
            if (!(literal & 1) && x->fluent_of[literal >> 1] != UINT32_MAX)
                facts_add(fluents, x->fluent_of[literal >> 1]);
        }
    }
}

/* For each pair of fluents of the two atoms, assumes the largest group that contains both. */
static void want_groups(Exclusion *x, Atom a, Atom b) {
    Facts of_a = {.count = 0}, of_b = {.count = 0};
    named_fluents(x, a, &of_a);
    named_fluents(x, b, &of_b);
    for (uint32_t i = 0; i < of_a.count; i++)
        for (uint32_t k = 0; k < of_b.count; k++)
            for (uint32_t keys = 0; keys < KEYS && of_a.items[i] != of_b.items[k]; keys++) {
                uint32_t id = x->group_of[of_a.items[i] * KEYS + keys];
                if (id == GROUP_NONE || id != x->group_of[of_b.items[k] * KEYS + keys] ||
                    x->groups.items[id].initially > 1)
                    continue;
                x->groups.items[id].is_assumed = x->groups.items[id].is_wanted = true;
                break;
            }
}

static bool is_input(const Exclusion *x, Atom atom) {
    return x->fluent_of[atom] != UINT32_MAX || x->move_of[atom] != UINT32_MAX;
}

bool exclusion_is_unique(Exclusion *x, RelationId relation, uint64_t key_columns) {
    assert(relation < x->g->relations.count);
    const GroundRelation *r = x->g->relations.items[relation];
    if (r->tuples.count > MAX_TUPLES)
        return false;
    for (uint32_t a = 0; a < r->tuples.count; a++)
        for (uint32_t b = 0; b < a; b++)
            if (agree(r, a, b, key_columns))
                want_groups(x, r->atoms.items[a], r->atoms.items[b]);
    vector_clear(&x->implied);
    memset(x->implied_starts, 0xff, (x->g->moves.count + 1) * sizeof *x->implied_starts);
    prove_groups(x);
    for (uint32_t a = 0; a < r->tuples.count; a++)
        for (uint32_t b = 0; b < a; b++)
            if (agree(r, a, b, key_columns)) {
                Situation s = {.fluents.count = 0};
                Atom first = r->atoms.items[a], second = r->atoms.items[b];
                bool exclude = !add_fluents(x, &s, first) || !add_fluents(x, &s, second);
                bool have_rules = !is_input(x, first) && !is_input(x, second);
                if (!exclude && !(have_rules && atoms_exclude(x, first, second)))
                    return false;
            }
    return true;
}
