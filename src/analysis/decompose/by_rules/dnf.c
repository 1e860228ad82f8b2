/* Normal forms are computed on demand, bottom up with an explicit stack, once per atom and sign.
 * Clauses that differ only in the moves of one role become one. */
#include "analysis/decompose/by_rules/dnf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "base/components.h"
#include "base/graph.h"
#include "base/table.h"

enum {
    MAX_CLAUSES = 4000, /* clauses of one form; more make it fail (untuned) */
    MAX_PRODUCTS = 64,  /* times MAX_CLAUSES: clauses before absorption (untuned) */
    MAX_COMPARED = 400, /* forms with more clauses are not compared clause by clause (untuned) */
    CLAUSES_BETWEEN_LOOKS = 64 /* new clauses between two looks at the clock (untuned) */
};

typedef VECTOR(DnfClause) Clauses;

typedef enum { FORM_UNKNOWN, FORM_DONE, FORM_FAILED } FormState;

struct DnfForms {
    const Grounding *g;
    DnfKind kind;
    Deadline deadline;
    uint32_t atom_count, role_count;
    /* Rules by the atom they conclude, as by grounding_sort_rules. */
    uint32_t *rule_starts, *rule_order;
    uint32_t *fluent_of, *move_of; /* by atom: its fluent or move; UINT32_MAX if it is none */
    bool *is_kept;                 /* by atom: it stays a literal and is not expanded */
    uint32_t *first_move;          /* by role: its first move; one more for the end */
    VECTOR(MoveSet) sets;
    Table set_table;     /* maps a role and its moves to the number of their set */
    DnfFormula *forms;   /* by literal: its normal form */
    uint8_t *states;     /* by literal: a FormState */
    DnfCone *cones;      /* by atom: its cone, valid if cone_known */
    bool *cone_known;    /* by atom */
    uint32_t since_look; /* clauses made since the last look at the clock */
    bool out_of_time;
    Arena arena; /* owns the arrays, the forms and the sets */
};

static uint32_t set_words(const DnfForms *nf, uint32_t role) {
    return (uint32_t)bitset_words(nf->first_move[role + 1] - nf->first_move[role]);
}

static uint32_t intern_set(DnfForms *nf, uint32_t role, const uint64_t *moves) {
    assert(role < nf->role_count);
    uint32_t words = set_words(nf, role);
    uint64_t hash = hash_finish(hash_mix(role, hash_bytes(moves, words * sizeof *moves)));
    uint32_t id;
    for (TableProbe p = table_probe(&nf->set_table, hash); table_next(&nf->set_table, &p, &id);) {
        const MoveSet *set = &nf->sets.items[id];
        if (set->role == role && bitset_equal(set->moves, moves, words))
            return id;
    }
    id = (uint32_t)nf->sets.count;
    uint64_t *copy = arena_alloc(&nf->arena, words * sizeof *moves);
    memcpy(copy, moves, words * sizeof *moves);
    vector_push(&nf->sets, ((MoveSet){role, (uint32_t)bitset_count(copy, words), copy}));
    table_insert(&nf->set_table, hash, id);
    return id;
}

static DnfLiteral set_literal(uint32_t set, bool negated) {
    return set << 2 | (uint32_t)negated << 1 | 1;
}

static DnfLiteral atom_literal(Atom atom, bool negated) {
    return atom << 2 | (uint32_t)negated << 1;
}

static bool time_is_up(DnfForms *nf) {
    if (++nf->since_look >= CLAUSES_BETWEEN_LOOKS) {
        nf->since_look = 0;
        nf->out_of_time = nf->out_of_time || deadline_passed(nf->deadline);
    }
    return nf->out_of_time;
}

/* Frees clauses under construction, which own their literals; those of a finished form do not. */
static void clauses_free(Clauses *clauses) {
    for (size_t i = 0; i < clauses->count; i++)
        free(clauses->items[i].literals);
    vector_free(clauses);
}

static int compare_clauses(const void *a, const void *b) {
    const DnfClause *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->literals[i] != y->literals[i])
            return x->literals[i] < y->literals[i] ? -1 : 1;
    return 0;
}

static DnfClause clause_join(const DnfClause *a, const DnfClause *b) {
    size_t size = sizeof *a->literals;
    DnfClause both = {a->count + b->count, memory_alloc((a->count + b->count) * size)};
    if (a->count)
        memcpy(both.literals, a->literals, a->count * size);
    if (b->count)
        memcpy(both.literals + a->count, b->literals, b->count * size);
    return both;
}

/* Replaces all sets of moves of one role in a clause by one set: the moves that are in all plain
 * sets and in no negated one. False if no move is left. */
static bool resolve_moves_of_role(DnfForms *nf, DnfClause *clause, uint32_t role) {
    uint32_t words = set_words(nf, role), kept = 0, found = 0;
    uint64_t *done = memory_zalloc((2 * (size_t)words + 1) * sizeof *done), *avoided = done + words;
    bool has_done = false, has_avoided = false;
    for (uint32_t i = 0; i < clause->count; i++) {
        DnfLiteral literal = clause->literals[i];
        if (!dnf_is_moves(literal) || nf->sets.items[dnf_subject(literal)].role != role) {
            clause->literals[kept++] = literal;
            continue;
        }
        found++;
        const uint64_t *moves = nf->sets.items[dnf_subject(literal)].moves;
        if (dnf_is_negated(literal))
            bitset_or(avoided, moves, words), has_avoided = true;
        else if (has_done)
            bitset_and(done, moves, words);
        else
            memcpy(done, moves, words * sizeof *done), has_done = true;
    }
    bool possible = true;
    clause->count = kept;
    if (has_done) {
        bitset_andnot(done, avoided, words);
        possible = bitset_any(done, words);
        uint32_t all = nf->first_move[role + 1] - nf->first_move[role];
        if (possible && bitset_count(done, words) < all)
            clause->literals[clause->count++] = set_literal(intern_set(nf, role, done), false);
    } else if (has_avoided) {
        clause->literals[clause->count++] = set_literal(intern_set(nf, role, avoided), true);
    }
    assert(clause->count <= kept + found);
    free(done);
    return possible;
}

/* Sorts a conjunction and resolves its sets of moves. False if it is contradictory. */
static bool clause_simplify(DnfForms *nf, DnfClause *clause) {
    for (uint32_t i = 0; i < clause->count; i++) {
        if (!dnf_is_moves(clause->literals[i]))
            continue;
        uint32_t role = nf->sets.items[dnf_subject(clause->literals[i])].role;
        bool again = false; /* true if the role has a second set */
        for (uint32_t k = i + 1; k < clause->count && !again; k++)
            again = dnf_is_moves(clause->literals[k]) &&
                    nf->sets.items[dnf_subject(clause->literals[k])].role == role;
        if (again) {
            if (!resolve_moves_of_role(nf, clause, role))
                return false;
            i = UINT32_MAX; /* restart the loop, because literals have moved */
        }
    }
    qsort(clause->literals, clause->count, sizeof *clause->literals, u32_compare);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < clause->count; i++) {
        DnfLiteral literal = clause->literals[i];
        if (kept && clause->literals[kept - 1] == literal)
            continue;
        if (kept && !dnf_is_moves(literal) && clause->literals[kept - 1] == (literal ^ 2))
            return false;
        clause->literals[kept++] = literal;
    }
    clause->count = kept;
    return true;
}

static bool clause_includes(const DnfClause *clause, const DnfClause *part) {
    uint32_t i = 0;
    for (uint32_t k = 0; k < part->count; k++) {
        while (i < clause->count && clause->literals[i] < part->literals[k])
            i++;
        if (i == clause->count || clause->literals[i] != part->literals[k])
            return false;
    }
    return true;
}

/* Drops repeated clauses and clauses that include another one. */
static void absorb(Clauses *clauses) {
    if (clauses->count < 2)
        return;
    qsort(clauses->items, clauses->count, sizeof *clauses->items, compare_clauses);
    size_t kept = 0;
    for (size_t i = 0; i < clauses->count; i++) {
        DnfClause *clause = &clauses->items[i];
        bool is_needed = kept == 0 || compare_clauses(&clauses->items[kept - 1], clause) != 0;
        if (clauses->count <= MAX_COMPARED)
            for (size_t k = 0; k < kept && is_needed; k++)
                is_needed = !clause_includes(clause, &clauses->items[k]);
        if (is_needed)
            clauses->items[kept++] = *clause;
        else
            free(clause->literals);
    }
    clauses->count = kept;
}

/* Returns the index of the role's plain set of moves in a clause; UINT32_MAX if it has none. */
static uint32_t place_of_moves(const DnfForms *nf, const DnfClause *clause, uint32_t role) {
    for (uint32_t i = 0; i < clause->count; i++)
        if (dnf_is_moves(clause->literals[i]) && !dnf_is_negated(clause->literals[i]) &&
            nf->sets.items[dnf_subject(clause->literals[i])].role == role)
            return i;
    return UINT32_MAX;
}

static uint64_t hash_without(const DnfClause *clause, uint32_t place) {
    uint64_t hash = clause->count;
    for (uint32_t i = 0; i < clause->count; i++)
        if (i != place)
            hash = hash_mix(hash, clause->literals[i]);
    return hash_finish(hash);
}

static bool equal_without(const DnfClause *a, uint32_t a_place, const DnfClause *b,
                          uint32_t b_place) {
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0, k = 0;; i++, k++) {
        i += i == a_place;
        k += k == b_place;
        if (i >= a->count || k >= b->count)
            return i >= a->count && k >= b->count;
        if (a->literals[i] != b->literals[k])
            return false;
    }
}

/* Merges clauses that differ only in the moves of this role. */
static void merge_moves(DnfForms *nf, Clauses *clauses, uint32_t role) {
    uint32_t words = set_words(nf, role), all = nf->first_move[role + 1] - nf->first_move[role];
    Table table = {0};
    U32Vector places = {0};
    VECTOR(uint64_t *) unions = {0};
    size_t kept = 0;
    for (size_t i = 0; i < clauses->count; i++) {
        DnfClause clause = clauses->items[i];
        uint32_t place = place_of_moves(nf, &clause, role), id = 0;
        bool merged = false;
        if (place != UINT32_MAX) {
            const uint64_t *moves = nf->sets.items[dnf_subject(clause.literals[place])].moves;
            uint64_t hash = hash_without(&clause, place);
            for (TableProbe p = table_probe(&table, hash); !merged && table_next(&table, &p, &id);)
                merged = equal_without(&clauses->items[id], places.items[id], &clause, place);
            if (merged) {
                if (!unions.items[id]) {
                    const DnfClause *first = &clauses->items[id];
                    unions.items[id] = memory_alloc(words * sizeof(uint64_t));
                    memcpy(unions.items[id],
                           nf->sets.items[dnf_subject(first->literals[places.items[id]])].moves,
                           words * sizeof(uint64_t));
                }
                bitset_or(unions.items[id], moves, words);
                free(clause.literals);
                continue;
            }
            table_insert(&table, hash, (uint32_t)kept);
        }
        clauses->items[kept++] = clause;
        vector_push(&places, place);
        vector_push(&unions, NULL);
    }
    clauses->count = kept;
    for (size_t i = 0; i < kept; i++) {
        if (!unions.items[i])
            continue;
        DnfClause *clause = &clauses->items[i];
        uint32_t place = places.items[i];
        if (bitset_count(unions.items[i], words) == all)
            clause->literals[place] = clause->literals[--clause->count];
        else
            clause->literals[place] = set_literal(intern_set(nf, role, unions.items[i]), false);
        qsort(clause->literals, clause->count, sizeof *clause->literals, u32_compare);
        free(unions.items[i]);
    }
    vectors_free(&places, &unions);
    table_free(&table);
}

/* Merges and absorbs clauses. False if too many clauses remain. */
static bool tidy(DnfForms *nf, Clauses *clauses) {
    for (uint32_t role = 0; role < nf->role_count; role++)
        if (clauses->count > 1)
            merge_moves(nf, clauses, role);
    absorb(clauses);
    return clauses->count <= MAX_CLAUSES;
}

/* Multiplies the sum by the factor. False if the product grows too large or time ran out. */
static bool multiply(DnfForms *nf, Clauses *sum, const DnfFormula *factor) {
    if (sum->count * (size_t)factor->count > MAX_PRODUCTS * (size_t)MAX_CLAUSES)
        return false;
    Clauses product = {0};
    bool within = true;
    for (size_t i = 0; i < sum->count && within; i++)
        for (uint32_t k = 0; k < factor->count && within; k++) {
            DnfClause both = clause_join(&sum->items[i], &factor->clauses[k]);
            if (clause_simplify(nf, &both))
                vector_push(&product, both);
            else
                free(both.literals);
            within = !time_is_up(nf);
        }
    clauses_free(sum);
    *sum = product;
    return within && tidy(nf, sum);
}

/* Returns the form of a literal whose atom is kept, is a move or already has its form. */
static DnfFormula form_of_literal(DnfForms *nf, GroundLiteral literal) {
    Atom atom = literal >> 1;
    bool negated = literal & 1;
    if (!nf->is_kept[atom] && nf->move_of[atom] == UINT32_MAX)
        return nf->forms[literal];
    DnfClause *clause = arena_alloc(&nf->arena, sizeof *clause);
    clause->count = 1;
    clause->literals = arena_alloc(&nf->arena, sizeof *clause->literals);
    clause->literals[0] = atom_literal(atom, negated);
    uint32_t move = nf->move_of[atom];
    if (move != UINT32_MAX) {
        uint32_t role = nf->g->moves.items[move].role;
        uint64_t *moves = memory_zalloc(((size_t)set_words(nf, role) + 1) * sizeof *moves);
        bitset_set(moves, move - nf->first_move[role]);
        if (nf->first_move[role + 1] - nf->first_move[role] == 1)
            clause->count = 0; /* the role has no other move */
        else
            clause->literals[0] = set_literal(intern_set(nf, role, moves), negated);
        free(moves);
        if (clause->count == 0 && negated)
            return (DnfFormula){0, NULL};
    }
    return (DnfFormula){1, clause};
}

/* Returns the literals of a rule, given by its index in rule_order. */
static const GroundLiteral *rule_literals(const DnfForms *nf, uint32_t place, uint32_t *count) {
    const GroundRule *rule = &nf->g->rules.items[nf->rule_order[place]];
    *count = rule->literal_count;
    return nf->g->literals.items + rule->first_literal;
}

/* Makes the form of an atom: it is true if all literals of one of its rules are true. */
static bool make_plain(DnfForms *nf, Atom atom, Clauses *sum) {
    for (uint32_t r = nf->rule_starts[atom]; r < nf->rule_starts[atom + 1]; r++) {
        uint32_t count;
        const GroundLiteral *literals = rule_literals(nf, r, &count);
        Clauses body = {0};
        vector_push(&body, ((DnfClause){0, memory_alloc(0)}));
        bool within = true;
        for (uint32_t i = 0; i < count && within; i++) {
            DnfFormula factor = form_of_literal(nf, literals[i]);
            within = multiply(nf, &body, &factor);
        }
        if (within) {
            vector_append(sum, body.items, body.count);
            body.count = 0;
        }
        clauses_free(&body);
        if (!within)
            return false;
    }
    return tidy(nf, sum);
}

/* Makes the form of a negated atom: it is true if each rule has a literal that is false. */
static bool make_negated(DnfForms *nf, Atom atom, Clauses *sum) {
    vector_push(sum, ((DnfClause){0, memory_alloc(0)}));
    for (uint32_t r = nf->rule_starts[atom]; r < nf->rule_starts[atom + 1]; r++) {
        uint32_t count;
        const GroundLiteral *literals = rule_literals(nf, r, &count);
        Clauses choices = {0};
        for (uint32_t i = 0; i < count; i++) {
            DnfFormula choice = form_of_literal(nf, literals[i] ^ 1);
            for (uint32_t k = 0; k < choice.count; k++)
                vector_push(&choices, clause_join(&choice.clauses[k], &(DnfClause){0}));
        }
        bool within = tidy(nf, &choices);
        DnfFormula factor = {(uint32_t)choices.count, choices.items};
        within = within && multiply(nf, sum, &factor);
        clauses_free(&choices);
        if (!within)
            return false;
    }
    return true;
}

static void make(DnfForms *nf, GroundLiteral literal) {
    Clauses sum = {0};
    bool within =
        literal & 1 ? make_negated(nf, literal >> 1, &sum) : make_plain(nf, literal >> 1, &sum);
    assert(nf->states[literal] == FORM_UNKNOWN);
    nf->states[literal] = within ? FORM_DONE : FORM_FAILED;
    if (within) {
        DnfFormula *form = &nf->forms[literal];
        form->count = (uint32_t)sum.count;
        form->clauses = arena_alloc(&nf->arena, sum.count * sizeof *form->clauses);
        for (size_t i = 0; i < sum.count; i++) {
            const DnfClause *clause = &sum.items[i];
            size_t bytes = clause->count * sizeof *clause->literals;
            form->clauses[i] = (DnfClause){clause->count, arena_alloc(&nf->arena, bytes)};
            if (clause->count)
                memcpy(form->clauses[i].literals, clause->literals, bytes);
        }
    }
    clauses_free(&sum);
}

/* True if all forms that this one consists of are known. Pushes the unknown ones onto the stack. An
 * atom whose form failed is kept as a literal. */
static bool parts_are_known(DnfForms *nf, Atom atom, bool negated, U32Vector *stack) {
    bool known = true;
    for (uint32_t r = nf->rule_starts[atom]; r < nf->rule_starts[atom + 1]; r++) {
        uint32_t count;
        const GroundLiteral *literals = rule_literals(nf, r, &count);
        for (uint32_t i = 0; i < count; i++) {
            GroundLiteral literal = literals[i] ^ (GroundLiteral)negated;
            Atom part = literal >> 1;
            if (nf->is_kept[part] || nf->move_of[part] != UINT32_MAX)
                continue;
            FormState state = (FormState)nf->states[literal];
            if (state == FORM_UNKNOWN) {
                vector_push(stack, literal);
                known = false;
            } else if (state == FORM_FAILED) {
                nf->is_kept[part] = true;
            }
        }
    }
    return known;
}

const DnfFormula *dnf_of(DnfForms *nf, Atom atom) {
    static const DnfFormula never = {0, NULL};
    if (atom == ATOM_NONE)
        return &never;
    assert(atom < nf->atom_count);
    U32Vector stack = {0};
    vector_push(&stack, atom << 1);
    while (stack.count) {
        GroundLiteral top = vector_last(&stack);
        if (nf->states[top] != FORM_UNKNOWN)
            stack.count--;
        else if (nf->out_of_time)
            nf->states[top] = FORM_FAILED;
        else if (parts_are_known(nf, top >> 1, top & 1, &stack))
            make(nf, top);
    }
    vector_free(&stack);
    return nf->states[2 * atom] == FORM_DONE ? &nf->forms[2 * atom] : NULL;
}

static void find_inputs(DnfForms *nf) {
    const Grounding *g = nf->g;
    nf->fluent_of = u32_none(nf->atom_count);
    nf->move_of = u32_none(nf->atom_count);
    for (size_t f = 0; f < g->fluents.count; f++)
        nf->fluent_of[g->fluents.items[f].current] = (uint32_t)f;
    nf->role_count = (uint32_t)g->roles.count;
    nf->first_move = arena_zalloc(&nf->arena, (nf->role_count + 1) * sizeof *nf->first_move);
    for (size_t m = 0; m < g->moves.count; m++) {
        nf->move_of[g->moves.items[m].does] = (uint32_t)m;
        nf->first_move[g->moves.items[m].role + 1]++;
    }
    for (uint32_t r = 0; r < nf->role_count; r++)
        nf->first_move[r + 1] += nf->first_move[r];
}

/* Finds the atoms kept as literals: fluents, recursive and, if short, shared ones without moves. */
static void find_kept(DnfForms *nf) {
    const Grounding *g = nf->g;
    Edges edges = {0};
    uint32_t *uses = memory_zalloc((nf->atom_count + 1) * sizeof *uses);
    for (size_t i = 0; i < g->rules.count; i++) {
        const GroundRule *rule = &g->rules.items[i];
        for (uint32_t k = 0; k < rule->literal_count; k++) {
            Atom premise = g->literals.items[rule->first_literal + k] >> 1;
            vector_push(&edges, ((Edge){rule->head, premise}));
            uses[premise]++;
        }
    }
    Graph graph;
    graph_build(&graph, nf->atom_count, &edges);
    uint32_t *component = memory_alloc((nf->atom_count + 1) * sizeof *component);
    uint32_t components = components_find(nf->atom_count, graph.starts, graph.targets, component);
    bool *moves_in = memory_zalloc(components + 1), *recurses = memory_zalloc(components + 1);
    Graph members; /* maps components to their atoms */
    vector_clear(&edges);
    for (uint32_t a = 0; a < nf->atom_count; a++)
        vector_push(&edges, ((Edge){component[a], a}));
    graph_build(&members, components, &edges);
    for (uint32_t i = 0; i < nf->atom_count; i++) {
        uint32_t a = members.targets[i], c = component[a];
        recurses[c] = recurses[c] || members.starts[c + 1] - members.starts[c] > 1;
        moves_in[c] = moves_in[c] || nf->move_of[a] != UINT32_MAX;
        for (uint32_t e = graph.starts[a]; e < graph.starts[a + 1]; e++) {
            uint32_t target = graph.targets[e];
            moves_in[c] = moves_in[c] || moves_in[component[target]];
            recurses[c] = recurses[c] || target == a;
        }
    }
    nf->is_kept = arena_zalloc(&nf->arena, nf->atom_count + 1);
    for (uint32_t a = 0; a < nf->atom_count; a++)
        nf->is_kept[a] = nf->fluent_of[a] != UINT32_MAX || recurses[component[a]] ||
                         (nf->kind == DNF_SHORT && !moves_in[component[a]] && uses[a] >= 2);
    graph_free(&members);
    memory_free(moves_in, recurses, component, uses);
    graph_free(&graph);
    vector_free(&edges);
}

DnfForms *dnf_create(const Grounding *grounding, DnfKind kind, const Deadline *deadline) {
    DnfForms *nf = memory_zalloc(sizeof *nf);
    nf->g = grounding;
    nf->kind = kind;
    nf->deadline = *deadline;
    nf->atom_count = (uint32_t)grounding->atom_relations.count;
    grounding_sort_rules(grounding, &nf->rule_starts, &nf->rule_order);
    find_inputs(nf);
    find_kept(nf);
    nf->forms = arena_zalloc(&nf->arena, (2 * (size_t)nf->atom_count + 1) * sizeof *nf->forms);
    nf->states = arena_zalloc(&nf->arena, 2 * (size_t)nf->atom_count + 1);
    nf->cones = arena_zalloc(&nf->arena, (nf->atom_count + 1) * sizeof *nf->cones);
    nf->cone_known = arena_zalloc(&nf->arena, nf->atom_count + 1);
    return nf;
}

void dnf_free(DnfForms *nf) {
    if (!nf)
        return;
    for (uint32_t a = 0; a < nf->atom_count; a++)
        vectors_free(&nf->cones[a].fluents, &nf->cones[a].moves);
    vector_free(&nf->sets);
    table_free(&nf->set_table);
    arena_free(&nf->arena);
    memory_free(nf->move_of, nf->fluent_of, nf->rule_starts, nf->rule_order, nf);
}

const MoveSet *dnf_moves(const DnfForms *nf, uint32_t set) {
    assert(set < nf->sets.count);
    return &nf->sets.items[set];
}

uint32_t dnf_first_move(const DnfForms *nf, uint32_t role) {
    assert(role < nf->role_count);
    return nf->first_move[role];
}

uint32_t dnf_move_count(const DnfForms *nf, uint32_t role) {
    assert(role < nf->role_count);
    return nf->first_move[role + 1] - nf->first_move[role];
}

uint32_t dnf_fluent(const DnfForms *nf, Atom atom) {
    assert(atom < nf->atom_count);
    return nf->fluent_of[atom];
}

uint8_t *dnf_atoms_below(const DnfForms *nf, Atom atom) {
    uint8_t *seen = memory_zalloc(nf->atom_count + 1);
    U32Vector stack = {0};
    if (atom != ATOM_NONE) {
        vector_push(&stack, atom);
        seen[atom] = 1;
    }
    while (stack.count) {
        Atom a = stack.items[--stack.count];
        for (uint32_t r = nf->rule_starts[a]; r < nf->rule_starts[a + 1]; r++) {
            uint32_t count;
            const GroundLiteral *literals = rule_literals(nf, r, &count);
            for (uint32_t i = 0; i < count; i++)
                if (!seen[literals[i] >> 1]) {
                    seen[literals[i] >> 1] = 1;
                    vector_push(&stack, literals[i] >> 1);
                }
        }
    }
    vector_free(&stack);
    return seen;
}

const DnfCone *dnf_cone(DnfForms *nf, Atom atom) {
    assert(atom < nf->atom_count);
    DnfCone *cone = &nf->cones[atom];
    if (nf->cone_known[atom])
        return cone;
    nf->cone_known[atom] = true;
    uint8_t *below = dnf_atoms_below(nf, atom);
    for (uint32_t a = 0; a < nf->atom_count; a++) {
        if (below[a] && nf->fluent_of[a] != UINT32_MAX)
            vector_push(&cone->fluents, nf->fluent_of[a]);
        if (below[a] && nf->move_of[a] != UINT32_MAX)
            vector_push(&cone->moves, nf->move_of[a]);
    }
    free(below);
    return cone;
}
