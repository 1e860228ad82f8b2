/* Ties what only the rules connect. Random play may never reach a part of a board, and then there
 * is no evidence that what lies around it is independent. A fluent that was never seen to change,
 * but may and matters, is linked to what it depends on and to what its untried moves need. */
#include <assert.h>

#include "analysis/decompose/decompose_internal.h"
#include "base/bitset.h"
#include "circuit/ternary.h"

/* Returns, by fluent, true if it was never seen to change although it may. The caller frees it. */
static bool *fluents_that_may_change(const Decomposer *d) {
    const Circuit *c = d->circuit;
    bool *may = memory_zalloc(c->fluent_count + 1);
    Ternary *values = d->start ? ternary_reachable_from(c, d->start) : ternary_reachable(c);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        may[f] = d->result->kinds[f] == FLUENT_UNSEEN && values[f] == TERNARY_UNKNOWN;
    free(values);
    return may;
}

/* Clears the marks of fluents on which neither the end, a goal nor a legality depends. */
static void keep_what_matters(const Decomposer *d, bool *marks) {
    uint32_t count = d->circuit->fluent_count;
    bool *matters = memory_zalloc(count + 1);
    U32Vector stack = {0};
    for (uint32_t f = 0; f < count; f++)
        matters[f] = d->in_terminal[f] || d->in_goal[f];
    for (uint32_t m = 0; m < d->circuit->move_count; m++)
        for (size_t i = 0; i < d->legality.premises[m].count; i++)
            matters[d->legality.premises[m].items[i] / 2] = true;
    for (uint32_t f = 0; f < count; f++)
        if (matters[f])
            vector_push(&stack, f);
    while (stack.count) {
        uint32_t f = vector_pop(&stack);
        for (size_t i = 0; i < d->premises[f].count; i++) {
            uint32_t g = d->premises[f].items[i];
            if (!matters[g])
                vector_push(&stack, g);
            matters[g] = true;
        }
    }
    for (uint32_t f = 0; f < count; f++)
        marks[f] &= matters[f];
    vector_free(&stack);
    free(matters);
}

static void tie(Decomposer *d, uint32_t f, uint32_t g, const bool *marks) {
    bool counts =
        marks[g] || d->result->kinds[g] == FLUENT_ACTED || d->result->kinds[g] == FLUENT_DERIVED;
    if (f != g && counts && !d->ignored[g])
        decompose_add_link(d, f, g, LINK_PREMISE, 1);
}

/* True if the move was never played and may make the fluent true. */
static bool may_bring_about(Decomposer *d, const uint64_t *untried, uint32_t move, uint32_t f) {
    if (!bitset_get(untried, move))
        return false;
    Signal next = d->circuit->next[f];
    influence_focus(d->influence, &next, 1);
    influence_give_move(d->influence, 0, move);
    influence_give_fluent(d->influence, 0, f, false);
    influence_evaluate(d->influence);
    LaneMask may_hold = influence_may_be(d->influence, next, true);
    return bitset_get(may_hold.words, 0);
}

/* Links the fluent to what all its untried moves of a role need. Moves that act in several subgames
 * need the same only in the one of the fluent. */
static void tie_to_needs(Decomposer *d, uint32_t f, const uint64_t *untried, const bool *marks) {
    const Circuit *c = d->circuit;
    const U32Vector *moves = decompose_moves_under(d, f);
    for (uint32_t r = 0; r < c->role_count; r++) {
        U32Vector shared = {0};
        bool any = false;
        for (size_t i = 0; i < moves->count && (shared.count || !any); i++) {
            uint32_t m = moves->items[i];
            if (m < c->first_move[r] || m >= c->first_move[r + 1] ||
                !may_bring_about(d, untried, m, f))
                continue;
            const U32Vector *needs = &d->legality.premises[m];
            size_t kept = 0;
            for (size_t k = 0; any && k < shared.count; k++)
                if (u32_contains(needs, shared.items[k]))
                    shared.items[kept++] = shared.items[k];
            shared.count = kept;
            if (!any)
                u32_append(&shared, needs);
            any = true;
        }
        for (size_t k = 0; k < shared.count; k++)
            tie(d, f, shared.items[k] / 2, marks);
        vector_free(&shared);
    }
}

void decompose_tie_unseen(Decomposer *d) {
    const Circuit *c = d->circuit;
    bool *marks = fluents_that_may_change(d);
    keep_what_matters(d, marks);
    uint64_t *untried = memory_zalloc((bitset_words(c->move_count) + 1) * sizeof *untried);
    for (size_t i = 0; i < d->result->unplayed.count; i++)
        bitset_set(untried, d->result->unplayed.items[i]);
    for (uint32_t f = 0; f < c->fluent_count && !decomposer_is_late(d); f++) {
        if (!marks[f])
            continue;
        d->result->unseen_count++;
        for (size_t i = 0; i < d->premises[f].count; i++)
            tie(d, f, d->premises[f].items[i], marks);
        if (d->result->unplayed.count)
            tie_to_needs(d, f, untried, marks);
    }
    memory_free(untried, marks);
    decompose_join(d);
}

static bool is_unseen(const Decomposer *d, uint32_t vertex) {
    return vertex < d->circuit->fluent_count && d->result->kinds[vertex] == FLUENT_UNSEEN;
}

/* Returns, by vertex, disjoint sets joined by links between what was seen to change. The caller
 * frees the array. */
static uint32_t *sets_by_evidence(const Decomposer *d) {
    uint32_t *parent = memory_alloc((d->vertex_count + 1) * sizeof *parent);
    sets_init(parent, d->vertex_count);
    for (size_t i = 0; i < d->result->links.count; i++) {
        const DependencyLink *link = &d->result->links.items[i];
        if (!link->is_cut && !link->is_untested && !is_unseen(d, link->a) && !is_unseen(d, link->b))
            sets_join(parent, link->a, link->b);
    }
    return parent;
}

void decompose_list_kept_together(Decomposer *d) {
    Decomposition *r = d->result;
    uint32_t fluents = d->circuit->fluent_count;
    uint32_t *parent = sets_by_evidence(d);
    bool *has_action = memory_zalloc(d->vertex_count + 1);
    for (uint32_t v = fluents; v < d->vertex_count; v++)
        has_action[sets_find(parent, v)] = true;
    for (size_t i = 0; i < r->subgames.count; i++) {
        const Subgame *g = &r->subgames.items[i];
        U32Vector groups = {0};
        for (size_t k = 0; k < g->fluents.count && g->has_actions; k++) {
            uint32_t f = g->fluents.items[k], set = sets_find(parent, f);
            if (has_action[set] && !is_unseen(d, f)) {
                vector_push(&groups, f);
                has_action[set] = false; /* each group is listed once */
            }
        }
        if (groups.count > 1)
            vector_push(&r->kept_together, groups);
        else
            vector_free(&groups);
    }
    memory_free(parent, has_action);
}
