/* The driver of decomposition by rules: the dependency graph over fluents and meta-actions, its
 * connected parts, and their re-composition by sub-goals. */
#include "analysis/decompose/by_rules/rules_method.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/decompose/by_rules/rules_internal.h"
#include "analysis/decompose/decompose_internal.h"
#include "base/bitset.h"
#include "base/components.h"
#include "base/disjoint_sets.h"
#include "base/graph.h"
#include "game/goal.h"

typedef struct {
    RulesAnalysis *an;
    uint32_t *parents; /* union-find over fluents, meta-actions and the pivot */
    uint8_t *is_tied;  /* to another vertex */
    uint32_t anchor;   /* what visited fluents are joined with */
} Links;

static void tie(Links *links, uint32_t a, uint32_t b) {
    if (a == b)
        return;
    links->is_tied[a] = links->is_tied[b] = true;
    sets_join(links->parents, a, b);
}

static void tie_to_anchor(void *context, uint32_t fluent) {
    Links *links = context;
    if (links->anchor == UINT32_MAX)
        links->anchor = fluent;
    tie(links, links->anchor, fluent);
}

static bool is_within(const uint64_t *part, const uint64_t *whole, size_t words) {
    for (size_t i = 0; i < words; i++)
        if (part[i] & ~whole[i])
            return false;
    return true;
}

static uint32_t vertex_of_meta_action(const RulesAnalysis *an, size_t index) {
    return an->fluent_count + (uint32_t)index;
}

static uint32_t vertex_of_pivot(const RulesAnalysis *an) {
    return an->fluent_count + (uint32_t)an->meta_actions.count;
}

/* The pivot stands for its fluents where late actions need it, so that these stay early. */
static void tie_meta_actions(Links *links) {
    RulesAnalysis *an = links->an;
    for (size_t i = 0; i < an->meta_actions.count; i++) {
        const RulesMetaAction *meta = &an->meta_actions.items[i];
        uint32_t vertex = vertex_of_meta_action(an, i);
        bool is_late = an->pivot.late && is_within(meta->actions, an->pivot.late, an->move_words);
        for (size_t k = 0; k < meta->effects.count; k++)
            tie(links, vertex, meta->effects.items[k]);
        for (size_t k = 0; k < meta->context.count; k++) {
            if (is_late && meta->context.items[k] == an->pivot.literal) {
                tie(links, vertex, vertex_of_pivot(an));
                continue;
            }
            links->anchor = vertex;
            rules_visit_fluents(an, meta->context.items[k], tie_to_anchor, links);
        }
    }
}

/* What the next value of a fluent that no move changes is made from. */
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

/* By fluent: whether it is one of several that turn in a circle and depend on nothing else, like
 * the marks of whose turn it is. The caller frees it. */
static bool *find_circles(const RulesAnalysis *an) {
    Edges edges = {0};
    U32Vector premises = {0};
    for (uint32_t f = 0; f < an->fluent_count; f++) {
        list_premises(an, f, &premises);
        for (size_t i = 0; i < premises.count; i++)
            vector_push(&edges, ((Edge){f, premises.items[i]}));
    }
    Graph graph;
    graph_build(&graph, an->fluent_count, &edges);
    uint32_t *component = memory_alloc((an->fluent_count + 1) * sizeof *component);
    uint32_t count = components_find(an->fluent_count, graph.starts, graph.targets, component);
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
    free(sizes);
    free(is_open);
    free(component);
    graph_free(&graph);
    vector_free(&edges);
    vector_free(&premises);
    return in_circle;
}

/* A fluent that no move changes belongs with what its next value is made from; but whoever asks
 * whose turn it is does not belong with the turn. */
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

/* The goal atom of the role's highest value that has one; ATOM_NONE without. */
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

static bool others_score_with(const RulesAnalysis *an, uint32_t role, Atom atom) {
    for (size_t i = 0; i < an->g->goals.count; i++)
        if (an->g->goals.items[i].role != role &&
            form_has(dnf_of(an->forms, an->g->goals.items[i].atom), atom))
            return true;
    return false;
}

/* Whether no part holds meta-actions of two roles, and there are two roles. */
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

/* Fluents that stand together in a clause of a sub-goal belong together. */
static void tie_clauses(Links *links, const DnfFormula *form) {
    for (uint32_t i = 0; i < form->count; i++) {
        links->anchor = UINT32_MAX;
        for (uint32_t k = 0; k < form->clauses[i].count; k++)
            rules_visit_fluents(links->an, form->clauses[i].literals[k], tie_to_anchor, links);
    }
}

static void tie_sub_goal(Links *links, DnfForms *long_forms, Atom atom) {
    const DnfFormula *form = dnf_of(long_forms, atom);
    links->anchor = UINT32_MAX;
    if (form)
        tie_clauses(links, form);
    else
        rules_visit_fluents(links->an, atom << 2, tie_to_anchor, links);
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
    uint8_t *ends, *seen; /* by atom: the end of the game depends on it; it was looked at */
    bool apart;
    U32Vector open; /* auxiliary predicates to look into */
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
                dnf_fluent(an->forms, atom) != UINT32_MAX)
                continue;
            search->seen[atom] = true;
            if (search->ends[atom] || (search->apart && !others_score_with(an, role, atom)))
                tie_sub_goal(search->links, search->long_forms, atom);
            else
                vector_push(&search->open, atom);
        }
    }
}

/* A predicate that brings the highest score and ends the game rarely spans several subgames; nor
 * does one that only one of several players who play apart scores with. It may stand behind other
 * predicates. Where the author wrote none, a clause that both `goal` and `terminal` have serves. */
static void tie_sub_goals(Links *links, const Deadline *deadline) {
    RulesAnalysis *an = links->an;
    SubGoalSearch search = {.links = links,
                            .long_forms = dnf_create(an->g, DNF_LONG, deadline),
                            .terminal = dnf_of(an->forms, an->g->terminal),
                            .ends = dnf_atoms_below(an->forms, an->g->terminal),
                            .apart = roles_play_apart(links)};
    for (uint32_t role = 0; role < an->role_count; role++) {
        search.seen = memory_zalloc(an->g->atom_relations.count + 1);
        look_for_sub_goals(&search, dnf_of(an->forms, highest_goal(an, role)), role);
        while (search.open.count)
            look_for_sub_goals(&search, dnf_of(an->forms, search.open.items[--search.open.count]),
                               role);
        free(search.seen);
    }
    vector_free(&search.open);
    free(search.ends);
    dnf_free(search.long_forms);
}

/* Most fluents that depend on moves have no explicit effect. */
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

static void mark_visit(void *context, uint32_t fluent) {
    bitset_set(context, fluent);
}

static void list_set(U32Vector *list, const uint64_t *set, size_t words) {
    bitset_each(i, set, words)
        vector_push(list, (uint32_t)i);
}

static void add_part(U32Vector *list, uint32_t part) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == part)
            return;
    vector_push(list, part);
}

static void number_parts(Links *links, RulesParts *parts) {
    RulesAnalysis *an = links->an;
    uint32_t vertices = vertex_of_pivot(an) + 1;
    size_t fluent_words = bitset_words(an->fluent_count);
    uint64_t *context = memory_alloc((fluent_words + 1) * sizeof *context);
    uint32_t *number = u32_none(vertices);
    for (uint32_t f = 0; f < an->fluent_count; f++) {
        parts->part_of_fluent[f] = PART_NONE;
        if (!links->is_tied[f])
            continue;
        uint32_t root = sets_find(links->parents, f);
        if (number[root] == UINT32_MAX)
            number[root] = parts->part_count++;
        parts->part_of_fluent[f] = number[root];
    }
    for (size_t i = 0; i < an->meta_actions.count; i++) {
        const RulesMetaAction *meta = &an->meta_actions.items[i];
        RulesAction action = {.role = meta->role};
        action.part = number[sets_find(links->parents, vertex_of_meta_action(an, i))];
        list_set(&action.actions, meta->actions, an->move_words);
        u32_append(&action.effects, &meta->effects);
        memset(context, 0, fluent_words * sizeof *context);
        for (size_t k = 0; k < meta->context.count; k++)
            rules_visit_fluents(an, meta->context.items[k], mark_visit, context);
        list_set(&action.context, context, fluent_words);
        vector_push(&parts->actions, action);
        if (!an->pivot.late)
            continue;
        if (is_within(meta->actions, an->pivot.late, an->move_words))
            add_part(&parts->late, action.part);
        else
            add_part(&parts->early, action.part);
    }
    if (an->pivot.late) { /* what the pivot is made of comes before it */
        const DnfCone *cone = dnf_cone(an->forms, dnf_subject(an->pivot.literal));
        for (size_t i = 0; i < cone->fluents.count; i++)
            if (parts->part_of_fluent[cone->fluents.items[i]] != PART_NONE)
                add_part(&parts->early, parts->part_of_fluent[cone->fluents.items[i]]);
    }
    free(number);
    free(context);
}

/* False if time ran out before the effects were known. */
static bool find_parts(RulesAnalysis *an, RulesParts *parts, const Deadline *deadline) {
    if (!rules_find_effects(an, deadline))
        return false;
    rules_find_needs(an);
    rules_find_meta_actions(an);
    rules_find_pivot(an);
    uint32_t vertices = vertex_of_pivot(an) + 1;
    Links links = {.an = an,
                   .parents = memory_alloc(vertices * sizeof(uint32_t)),
                   .is_tied = memory_zalloc(vertices)};
    sets_init(links.parents, vertices);
    tie_meta_actions(&links);
    tie_independent_fluents(&links);
    tie_sub_goals(&links, deadline);
    parts->is_unreliable = effects_are_implied(an);
    number_parts(&links, parts);
    memcpy(parts->is_independent, an->is_independent, an->fluent_count);
    free(links.parents);
    free(links.is_tied);
    return true;
}

static void analysis_free(RulesAnalysis *an) {
    for (size_t i = 0; i < an->meta_actions.count; i++) {
        free(an->meta_actions.items[i].actions);
        vector_free(&an->meta_actions.items[i].effects);
        vector_free(&an->meta_actions.items[i].context);
    }
    vector_free(&an->meta_actions);
    table_free(&an->meta_action_table);
    vector_free(&an->pairs);
    table_free(&an->pair_table);
    for (uint32_t m = 0; an->needs && m < an->move_count; m++)
        vector_free(&an->needs[m]);
    free(an->needs);
    free(an->next);
    free(an->legal);
    free(an->responsible);
    free(an->is_independent);
    free(an->has_effect);
    free(an->waiting);
    free(an->pivot.early);
    free(an->pivot.late);
    dnf_free(an->forms);
}

static void parts_free(RulesParts *parts) {
    for (size_t i = 0; i < parts->actions.count; i++) {
        vector_free(&parts->actions.items[i].actions);
        vector_free(&parts->actions.items[i].effects);
        vector_free(&parts->actions.items[i].context);
    }
    vector_free(&parts->actions);
    vector_free(&parts->early);
    vector_free(&parts->late);
    free(parts->part_of_fluent);
    free(parts->is_independent);
}

/* The circuit no longer has the rules it was made of, so they are grounded once more. */
Decomposition *rules_decompose(Game *game, DnfKind kind, Deadline deadline) {
    if (!game_has_circuit(game))
        return NULL;
    double started = clock_thread_cpu_seconds();
    Report report = {0};
    GroundBudget budget = ground_budget_until(deadline, (size_t)4 << 30);
    Grounding *grounding = ground_rules(game->rules, &budget, &report);
    report_free(&report);
    if (!grounding)
        return NULL;
    RulesAnalysis an = {.g = grounding,
                        .fluent_count = (uint32_t)grounding->fluents.count,
                        .move_count = (uint32_t)grounding->moves.count,
                        .role_count = (uint32_t)grounding->roles.count};
    an.move_words = (uint32_t)bitset_words(an.move_count);
    an.forms = dnf_create(grounding, kind, &deadline);
    RulesParts parts = {.part_of_fluent = memory_alloc((an.fluent_count + 1) * sizeof(uint32_t)),
                        .is_independent = memory_zalloc(an.fluent_count + 1)};
    Decomposition *decomposition = NULL;
    if (rules_find_forms(&an) && find_parts(&an, &parts, &deadline)) {
        decomposition = rules_label(game, &parts);
        decompose_find_traits(decomposition, game->circuit->move_count);
        decomposition->cpu_seconds = clock_thread_cpu_seconds() - started;
        decomposition->step_seconds[STEP_ACTIONS] = decomposition->cpu_seconds;
    }
    analysis_free(&an);
    parts_free(&parts);
    grounding_free(grounding);
    return decomposition;
}
