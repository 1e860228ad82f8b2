/* Finds dependencies by marking the cones of outputs. */
#include "analysis/facts/relevance.h"

#include <assert.h>

#include "base/bitset.h"

/* Finds all fluents and moves that the outputs depend on. A walk through time continues from a
 * fluent to its next value and from a move to its legality. Empties the list. */
static void walk(const Circuit *c, U32Vector *outputs, bool through_time, uint64_t *fluents,
                 uint64_t *moves) {
    enum { VISITED = 2 };
    uint8_t *marks = memory_zalloc(c->aig.nodes.count);
    while (outputs->count) {
        aig_mark_cone(&c->aig, outputs->items, outputs->count, marks);
        vector_clear(outputs);
        for (uint32_t i = 0; i < c->fluent_count + c->move_count; i++) {
            bool is_move = i >= c->fluent_count;
            uint32_t at = is_move ? i - c->fluent_count : i;
            uint8_t *mark = &marks[signal_node(is_move ? c->moves[at] : c->fluents[at])];
            if (*mark != 1)
                continue;
            *mark = VISITED;
            if (!is_move || moves)
                bitset_set(is_move ? moves : fluents, at);
            if (through_time)
                vector_push(outputs, is_move ? c->legal[at] : c->next[at]);
        }
    }
    free(marks);
}

static void push_outputs(U32Vector *list, const CircuitOutputs *outputs, uint32_t role) {
    for (size_t i = 0; i < outputs->count; i++)
        if (role == UINT32_MAX || outputs->items[i].role == role)
            vector_push(list, outputs->items[i].signal);
}

static void find_all(Relevance *r, const Circuit *c) {
    U32Vector from = {0};
    vector_push(&from, c->terminal);
    walk(c, &from, false, r->in_terminal, NULL);
    push_outputs(&from, &c->goals, UINT32_MAX);
    walk(c, &from, false, r->in_goal, NULL);
    vector_append(&from, c->legal, c->move_count);
    walk(c, &from, false, r->in_legal, NULL);
    push_outputs(&from, &c->percepts, UINT32_MAX);
    walk(c, &from, false, r->in_sees, NULL);
    vector_push(&from, c->terminal);
    push_outputs(&from, &c->goals, UINT32_MAX);
    walk(c, &from, true, r->needed_for_result, r->moves_needed_for_result);
    vector_push(&from, c->terminal);
    push_outputs(&from, &c->goals, UINT32_MAX);
    vector_append(&from, c->legal, c->move_count);
    push_outputs(&from, &c->percepts, UINT32_MAX);
    walk(c, &from, true, r->needed, r->moves_needed);
    vector_free(&from);
}

Relevance *relevance_find(const Circuit *c) {
    Relevance *r = memory_zalloc(sizeof *r);
    r->fluent_words = (uint32_t)bitset_words(c->fluent_count);
    r->move_words = (uint32_t)bitset_words(c->move_count);
    uint64_t **const by_fluent[] = {&r->in_terminal,
                                    &r->in_goal,
                                    &r->in_legal,
                                    &r->in_sees,
                                    &r->needed,
                                    &r->needed_for_result,
                                    &r->explicitly_independent};
    for (size_t s = 0; s < sizeof by_fluent / sizeof *by_fluent; s++)
        *by_fluent[s] = arena_zalloc(&r->arena, (r->fluent_words + 1) * sizeof(uint64_t));
    r->moves_needed = arena_zalloc(&r->arena, (r->move_words + 1) * sizeof(uint64_t));
    r->moves_needed_for_result = arena_zalloc(&r->arena, (r->move_words + 1) * sizeof(uint64_t));
    find_all(r, c);
    uint8_t *depends = circuit_nodes_that_depend_on_moves(c);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (!depends[signal_node(c->next[f])])
            bitset_set(r->explicitly_independent, f);
    free(depends);
    return r;
}

void relevance_for_role(const Circuit *c, uint32_t role, uint64_t *fluents, uint64_t *moves) {
    assert(role < c->role_count);
    U32Vector from = {0};
    vector_push(&from, c->terminal);
    push_outputs(&from, &c->goals, role);
    walk(c, &from, true, fluents, moves);
    vector_free(&from);
}

void relevance_free(Relevance *r) {
    if (!r)
        return;
    arena_free(&r->arena);
    free(r);
}
