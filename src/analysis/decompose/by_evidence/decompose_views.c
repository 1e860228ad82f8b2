/* Joins sets that neither the end nor the score depends on. They have no victory condition that
 * could tie them together, so that a useless board would fall apart into single cells. Views help
 * here: predicates that the author wrote for all boards but that no output uses on this one. Its
 * fluents were meant as one thing. Joining useless sets never makes play wrong. */
#include "analysis/decompose/by_rules/dnf.h"
#include "analysis/decompose/decompose_internal.h"

enum { MAX_ATOMS = 200000 /* larger groundings are not searched for views (untuned) */ };

/* Returns, by representative, true for acted sets that no output needs. The caller frees it. */
static bool *useless_sets(Decomposer *d, uint32_t *count) {
    bool *useless = decompose_acted_sets(d);
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        if (d->in_terminal[f] || d->in_goal[f] || d->stage[f])
            useless[sets_find(d->parent, f)] = false;
    *count = 0;
    for (uint32_t v = 0; v < d->vertex_count; v++)
        *count += useless[v];
    return useless;
}

/* Returns, by atom, true if it is an input or output, which is no view. The caller frees it. */
static bool *mark_outputs(const Grounding *g) {
    bool *marks = memory_zalloc(g->atom_relations.count + 1);
    for (size_t i = 0; i < g->fluents.count; i++) {
        marks[g->fluents.items[i].current] = true;
        if (g->fluents.items[i].next != ATOM_NONE)
            marks[g->fluents.items[i].next] = true;
    }
    for (size_t i = 0; i < g->moves.count; i++) {
        if (g->moves.items[i].legal != ATOM_NONE)
            marks[g->moves.items[i].legal] = true;
        if (g->moves.items[i].does != ATOM_NONE)
            marks[g->moves.items[i].does] = true;
    }
    return marks;
}

/* Links the sets that the view depends on, if all of those with actions are useless. */
static void tie_view(Decomposer *d, const DnfCone *cone, const bool *acted, const bool *useless) {
    uint32_t first = UINT32_MAX;
    for (size_t i = 0; i < cone->fluents.count; i++) {
        uint32_t set = sets_find(d->parent, cone->fluents.items[i]);
        if (acted[set] && !useless[set])
            return;
    }
    for (size_t i = 0; i < cone->fluents.count; i++) {
        uint32_t f = cone->fluents.items[i], set = sets_find(d->parent, f);
        if (!useless[set])
            continue;
        if (first == UINT32_MAX)
            first = f;
        else if (sets_find(d->parent, first) != set)
            decompose_add_link(d, first, f, LINK_GOAL, 1);
    }
}

/* Works on the ground rules, because the circuit has no predicate that no output uses. */
void decompose_join_by_views(Decomposer *d) {
    uint32_t count;
    bool *useless = useless_sets(d, &count);
    if (count < 2 || decomposer_is_late(d)) {
        free(useless);
        return;
    }
    const Grounding *g =
        game_ground_rules(d->game, ground_budget_until(d->deadline, (size_t)4 << 30));
    if (g && g->atom_relations.count <= MAX_ATOMS) {
        bool *acted = decompose_acted_sets(d), *is_output = mark_outputs(g);
        DnfForms *forms = dnf_create(g, DNF_SHORT, &d->deadline);
        for (Atom a = 0; a < g->atom_relations.count && !decomposer_is_late(d); a++) {
            const DnfCone *cone = is_output[a] ? NULL : dnf_cone(forms, a);
            if (cone && !cone->moves.count && cone->fluents.count > 1)
                tie_view(d, cone, acted, useless);
        }
        dnf_free(forms);
        memory_free(is_output, acted);
    }
    free(useless);
    decompose_join(d);
}
