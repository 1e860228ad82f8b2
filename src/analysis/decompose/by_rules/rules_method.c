/* The driver of the decomposition by rules: the dependency graph over fluents and meta-actions, its
 * connected parts, and the joining of parts that a sub-goal spans. */
#include "analysis/decompose/by_rules/rules_method.h"

#include <assert.h>
#include <string.h>

#include "analysis/decompose/by_rules/rules_internal.h"
#include "analysis/decompose/decompose_internal.h"
#include "base/bitset.h"
#include "base/disjoint_sets.h"
#include "base/graph.h"
#include "game/goal.h"

/* The clock of the steps. */
typedef struct {
    double last, seconds[STEP_COUNT];
} Laps;

typedef struct {
    RulesAnalysis *an;
    uint32_t *parents; /* disjoint sets over fluents, meta-actions and the pivot */
    uint8_t *is_tied;  /* by vertex: it has a link */
    uint32_t anchor;   /* fluents are tied to it; if UINT32_MAX, to the first of them */
} Links;

static void lap(Laps *laps, DecomposeStep step) {
    double now = clock_thread_cpu_seconds();
    laps->seconds[step] += now - laps->last;
    laps->last = now;
}

static uint32_t vertex_of_meta_action(const RulesAnalysis *an, size_t index) {
    return an->fluent_count + (uint32_t)index;
}

static uint32_t vertex_of_pivot(const RulesAnalysis *an) {
    return an->fluent_count + (uint32_t)an->meta_actions.count;
}

static void tie(Links *links, uint32_t a, uint32_t b) {
    assert(a <= vertex_of_pivot(links->an) && b <= vertex_of_pivot(links->an));
    if (a == b)
        return;
    links->is_tied[a] = links->is_tied[b] = true;
    sets_join(links->parents, a, b);
}

/* Ties the fluents that the literal depends on to the anchor. */
static void tie_to_anchor(Links *links, DnfLiteral literal) {
    const U32Vector *fluents = rules_list_fluents(links->an, literal);
    for (size_t i = 0; i < fluents->count; i++) {
        if (links->anchor == UINT32_MAX)
            links->anchor = fluents->items[i];
        tie(links, links->anchor, fluents->items[i]);
    }
}

/* True if all actions of the meta-action come after the pivot. */
static bool is_late(const RulesAnalysis *an, const RulesMetaAction *meta) {
    return an->pivot.late && bitset_includes(an->pivot.late, meta->actions, an->move_words);
}

/* Ties meta-actions to their effects and contexts. Where late actions need the pivot, the pivot
 * stands for the fluents it depends on, so that these stay early. */
static void tie_meta_actions(Links *links) {
    RulesAnalysis *an = links->an;
    for (size_t i = 0; i < an->meta_actions.count; i++) {
        const RulesMetaAction *meta = &an->meta_actions.items[i];
        uint32_t vertex = vertex_of_meta_action(an, i);
        bool late = is_late(an, meta);
        for (size_t k = 0; k < meta->effects.count; k++)
            tie(links, vertex, meta->effects.items[k]);
        for (size_t k = 0; k < meta->context.count; k++) {
            if (late && meta->context.items[k] == an->pivot.literal) {
                tie(links, vertex, vertex_of_pivot(an));
                continue;
            }
            links->anchor = vertex;
            tie_to_anchor(links, meta->context.items[k]);
        }
    }
}

/* Lists the fluents in the normal form of the fluent's next value. */
static void list_premises(const RulesAnalysis *an, uint32_t fluent, U32Vector *premises) {
    premises->count = 0;
    for (uint32_t i = 0; i < an->next[fluent]->count; i++) {
        const DnfClause *clause = &an->next[fluent]->clauses[i];
        for (uint32_t k = 0; k < clause->count; k++) {
            if (dnf_is_moves(clause->literals[k]))
                continue;
            uint32_t premise = dnf_fluent(an->forms, dnf_subject(clause->literals[k]));
            if (premise != UINT32_MAX)
                vector_push(premises, premise);
        }
    }
}

/* Returns, by fluent, true if it lies on a cycle of several fluents that depend on nothing else,
 * such as turn markers. The caller frees the array. */
static bool *find_circles(const RulesAnalysis *an) {
    Edges edges = {0};
    U32Vector premises = {0};
    for (uint32_t f = 0; f < an->fluent_count; f++) {
        list_premises(an, f, &premises);
        for (size_t i = 0; i < premises.count; i++)
            vector_push(&edges, ((Edge){f, premises.items[i]}));
    }
    uint32_t *component = memory_alloc((an->fluent_count + 1) * sizeof *component);
    uint32_t count = graph_components(an->fluent_count, &edges, component);
    uint32_t *sizes = memory_zalloc((count + 1) * sizeof *sizes);
    bool *is_open = memory_zalloc(count + 1), *in_circle = memory_zalloc(an->fluent_count + 1);
    for (uint32_t f = 0; f < an->fluent_count; f++) {
        sizes[component[f]]++;
        is_open[component[f]] |= !an->is_independent[f];
    }
    for (size_t i = 0; i < edges.count; i++)
        is_open[component[edges.items[i].from]] |=
            component[edges.items[i].from] != component[edges.items[i].to];
    for (uint32_t f = 0; f < an->fluent_count; f++)
        in_circle[f] = sizes[component[f]] > 1 && !is_open[component[f]];
    memory_free(sizes, is_open, component);
    vectors_free(&edges, &premises);
    return in_circle;
}

/* Ties fluents that no move changes to their premises; turn markers only to turn markers. */
static void tie_independent_fluents(Links *links) {
    RulesAnalysis *an = links->an;
    bool *in_circle = find_circles(an);
    U32Vector premises = {0};
    for (uint32_t f = 0; f < an->fluent_count; f++) {
        if (!an->is_independent[f])
            continue;
        list_premises(an, f, &premises);
        for (size_t i = 0; i < premises.count; i++)
            if (in_circle[f] || !in_circle[premises.items[i]])
                tie(links, f, premises.items[i]);
    }
    vector_free(&premises);
    free(in_circle);
}

/* Returns the goal atom of the role's highest value; ATOM_NONE if it has no goals. */
static Atom highest_goal(const RulesAnalysis *an, uint32_t role) {
    Atom best = ATOM_NONE;
    int highest = -1;
    for (size_t i = 0; i < an->g->goals.count; i++) {
        const RoleOutput *goal = &an->g->goals.items[i];
        int value = goal_join(GOAL_NONE, grounding_terms(an->g), goal->term);
        if (goal->role == role && value > highest) {
            highest = value;
            best = goal->atom;
        }
    }
    return best;
}

static bool form_has(const DnfFormula *form, Atom atom) {
    for (uint32_t i = 0; form && i < form->count; i++)
        for (uint32_t k = 0; k < form->clauses[i].count; k++)
            if (!dnf_is_moves(form->clauses[i].literals[k]) &&
                dnf_subject(form->clauses[i].literals[k]) == atom)
                return true;
    return false;
}

/* True if a goal of another role depends on the atom. */
static bool others_score_with(const RulesAnalysis *an, uint32_t role, Atom atom) {
    for (size_t i = 0; i < an->g->goals.count; i++)
        if (an->g->goals.items[i].role != role &&
            form_has(dnf_of(an->short_forms, an->g->goals.items[i].atom), atom))
            return true;
    return false;
}

/* True if there are several roles and no part has meta-actions of two of them. */
static bool roles_play_apart(Links *links) {
    RulesAnalysis *an = links->an;
    if (an->role_count < 2)
        return false;
    uint32_t vertices = vertex_of_pivot(an) + 1;
    uint32_t *role_of = u32_none(vertices);
    bool apart = true;
    for (size_t i = 0; i < an->meta_actions.count && apart; i++) {
        uint32_t root = sets_find(links->parents, vertex_of_meta_action(an, i));
        uint32_t role = an->meta_actions.items[i].role;
        apart = role_of[root] == UINT32_MAX || role_of[root] == role;
        role_of[root] = role;
    }
    free(role_of);
    return apart;
}

/* Ties the fluents of each clause of a sub-goal together. */
static void tie_clauses(Links *links, const DnfFormula *form) {
    for (uint32_t i = 0; i < form->count; i++) {
        links->anchor = UINT32_MAX;
        for (uint32_t k = 0; k < form->clauses[i].count; k++)
            tie_to_anchor(links, form->clauses[i].literals[k]);
    }
}

static void tie_sub_goal(Links *links, DnfForms *long_forms, Atom atom) {
    const DnfFormula *form = dnf_of(long_forms, atom);
    links->anchor = UINT32_MAX;
    if (form)
        tie_clauses(links, form);
    else
        tie_to_anchor(links, atom << 2);
}

static bool clause_in_form(const DnfClause *clause, const DnfFormula *form) {
    for (uint32_t i = 0; i < form->count; i++)
        if (form->clauses[i].count == clause->count &&
            (clause->count == 0 || memcmp(form->clauses[i].literals, clause->literals,
                                          clause->count * sizeof *clause->literals) == 0))
            return true;
    return false;
}

typedef struct {
    Links *links;
    DnfForms *long_forms;
    const DnfFormula *terminal;
    uint8_t *ends;  /* by atom: `terminal` depends on it */
    uint8_t *seen;  /* by atom: it was looked at */
    bool apart;     /* result of roles_play_apart */
    U32Vector open; /* auxiliary predicates that still have to be examined */
} SubGoalSearch;

static void look_for_sub_goals(SubGoalSearch *search, const DnfFormula *form, uint32_t role) {
    RulesAnalysis *an = search->links->an;
    for (uint32_t i = 0; form && i < form->count; i++) {
        DnfClause *clause = &form->clauses[i];
        if (search->terminal && clause_in_form(clause, search->terminal))
            tie_clauses(search->links, &(DnfFormula){1, clause});
        for (uint32_t k = 0; k < clause->count; k++) {
            Atom atom = dnf_subject(clause->literals[k]);
            if (dnf_is_moves(clause->literals[k]) || search->seen[atom] ||
                dnf_fluent(an->short_forms, atom) != UINT32_MAX)
                continue;
            search->seen[atom] = true;
            if (search->ends[atom] || (search->apart && !others_score_with(an, role, atom)))
                tie_sub_goal(search->links, search->long_forms, atom);
            else
                vector_push(&search->open, atom);
        }
    }
}

/* Ties the fluents of each sub-goal together. A sub-goal is a predicate that the highest score and
 * the end of the game depend on, or that only one of several players who play apart scores with.
 * Such a predicate rarely spans several subgames. It may occur inside other predicates. If the
 * author wrote none, the clauses that `goal` and `terminal` have in common serve as sub-goals. */
static void tie_sub_goals(Links *links, const Deadline *deadline) {
    RulesAnalysis *an = links->an;
    SubGoalSearch search = {.links = links,
                            .long_forms = dnf_create(an->g, DNF_LONG, deadline),
                            .terminal = dnf_of(an->short_forms, an->g->terminal),
                            .ends = dnf_atoms_below(an->short_forms, an->g->terminal),
                            .apart = roles_play_apart(links)};
    for (uint32_t role = 0; role < an->role_count; role++) {
        search.seen = memory_zalloc(an->g->atom_relations.count + 1);
        look_for_sub_goals(&search, dnf_of(an->short_forms, highest_goal(an, role)), role);
        while (search.open.count)
            look_for_sub_goals(
                &search, dnf_of(an->short_forms, search.open.items[--search.open.count]), role);
        free(search.seen);
    }
    vector_free(&search.open);
    free(search.ends);
    dnf_free(search.long_forms);
}

/* True if most fluents that depend on moves have no explicit effect. */
static bool effects_are_implied(const RulesAnalysis *an) {
    uint32_t with_moves = 0, without_effect = 0;
    for (uint32_t f = 0; f < an->fluent_count; f++) {
        if (an->is_independent[f])
            continue;
        with_moves++;
        without_effect += !bitset_any(rules_responsible(an, f), an->move_words);
    }
    return 2 * without_effect > with_moves;
}

static void number_parts(Links *links, RulesParts *parts) {
    RulesAnalysis *an = links->an;
    uint32_t *number = u32_none(vertex_of_pivot(an) + 1);
    parts->part_of_fluent = u32_none(an->fluent_count);
    parts->part_of_action = u32_none(an->meta_actions.count);
    for (uint32_t f = 0; f < an->fluent_count; f++) {
        uint32_t root = sets_find(links->parents, f);
        if (!links->is_tied[f])
            continue;
        if (number[root] == UINT32_MAX)
            number[root] = parts->part_count++;
        parts->part_of_fluent[f] = number[root];
    }
    for (size_t i = 0; i < an->meta_actions.count; i++) {
        uint32_t part = number[sets_find(links->parents, vertex_of_meta_action(an, i))];
        assert(part < parts->part_count);
        parts->part_of_action[i] = part;
        if (an->pivot.late)
            u32_place(is_late(an, &an->meta_actions.items[i]) ? &parts->late : &parts->early, part);
    }
    if (an->pivot.late) { /* fluents that the pivot depends on come before it */
        const DnfCone *cone = dnf_cone(an->forms, dnf_subject(an->pivot.literal));
        for (size_t i = 0; i < cone->fluents.count; i++)
            if (parts->part_of_fluent[cone->fluents.items[i]] != PART_NONE)
                u32_place(&parts->early, parts->part_of_fluent[cone->fluents.items[i]]);
    }
    free(number);
}

/* Finds the connected parts. False if time ran out before the effects were known. */
static bool find_parts(RulesAnalysis *an, RulesParts *parts, const Deadline *deadline, Laps *laps) {
    if (!rules_find_effects(an, deadline))
        return false;
    rules_find_needs(an);
    rules_find_meta_actions(an);
    rules_find_pivot(an);
    lap(laps, STEP_ACTIONS);
    uint32_t vertices = vertex_of_pivot(an) + 1;
    Links links = {.an = an,
                   .parents = memory_alloc(vertices * sizeof(uint32_t)),
                   .is_tied = memory_zalloc(vertices)};
    sets_init(links.parents, vertices);
    tie_meta_actions(&links);
    tie_independent_fluents(&links);
    lap(laps, STEP_GRAPH);
    tie_sub_goals(&links, deadline);
    lap(laps, STEP_GOALS);
    parts->is_unreliable = effects_are_implied(an);
    number_parts(&links, parts);
    memory_free(links.parents, links.is_tied);
    return true;
}

static void analysis_free(RulesAnalysis *an) {
    for (size_t i = 0; i < an->meta_actions.count; i++)
        vectors_free(&an->meta_actions.items[i].effects, &an->meta_actions.items[i].context);
    vectors_free(&an->meta_actions, &an->pairs);
    table_free(&an->meta_action_table);
    table_free(&an->pair_table);
    u32_free_lists(an->needs, an->move_count);
    vector_free(&an->listed);
    arena_free(&an->arena);
    if (an->short_forms != an->forms)
        dnf_free(an->short_forms);
    dnf_free(an->forms);
}

Decomposition *rules_decompose(Game *game, DnfKind kind, Deadline deadline) {
    if (!game_has_circuit(game))
        return NULL;
    double started = clock_thread_cpu_seconds();
    Laps laps = {.last = started};
    const Grounding *grounding =
        game_ground_rules(game, ground_budget_until(deadline, (size_t)4 << 30));
    if (!grounding)
        return NULL;
    RulesAnalysis an = {.g = grounding,
                        .fluent_count = (uint32_t)grounding->fluents.count,
                        .move_count = (uint32_t)grounding->moves.count,
                        .role_count = (uint32_t)grounding->roles.count};
    an.move_words = (uint32_t)bitset_words(an.move_count);
    lap(&laps, STEP_GROUND);
    an.forms = dnf_create(grounding, kind, &deadline);
    an.short_forms = kind == DNF_SHORT ? an.forms : dnf_create(grounding, DNF_SHORT, &deadline);
    RulesParts parts = {0};
    Decomposition *decomposition = NULL;
    bool has_forms = rules_find_forms(&an);
    lap(&laps, STEP_FORMS);
    if (has_forms && find_parts(&an, &parts, &deadline, &laps)) {
        decomposition = rules_label(game, &an, &parts);
        decompose_find_traits(decomposition, game->circuit->move_count);
        lap(&laps, STEP_GRAPH);
        decomposition->cpu_seconds = laps.last - started;
        memcpy(decomposition->step_seconds, laps.seconds, sizeof laps.seconds);
    }
    analysis_free(&an);
    vectors_free(&parts.early, &parts.late);
    memory_free(parts.part_of_fluent, parts.part_of_action);
    return decomposition;
}
