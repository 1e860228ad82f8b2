/* Finds dependencies by depth-first walks over the gates. A walk through time continues from a
 * fluent to its next value and from a move to its legality. */
#include "analysis/facts/relevance.h"

#include <assert.h>
#include <string.h>

#include "analysis/circuit_index.h"
#include "base/bitset.h"

typedef struct {
    const Circuit *c;
    CircuitIndex index;
    uint8_t *marks; /* by node: it was pushed onto the stack */
    U32Vector stack;
} Walk;

static Walk walk_begin(const Circuit *c) {
    return (Walk){
        .c = c, .index = circuit_index_make(c), .marks = memory_zalloc(c->aig.nodes.count)};
}

static void walk_end(Walk *w) {
    circuit_index_free(&w->index);
    free(w->marks);
    vector_free(&w->stack);
}

static void push(Walk *w, Signal s) {
    uint32_t node = signal_node(s);
    if (!w->marks[node]) {
        w->marks[node] = 1;
        vector_push(&w->stack, node);
    }
}

/* Visits everything that was pushed and all it depends on, and clears the marks afterwards. */
static void walk(Walk *w, bool through_time, uint64_t *fluents, uint64_t *moves) {
    const Circuit *c = w->c;
    while (w->stack.count) {
        uint32_t node = vector_pop(&w->stack);
        uint32_t fluent = w->index.fluent_of[node], move = w->index.move_of[node];
        if (fluent != UINT32_MAX) {
            bitset_set(fluents, fluent);
            if (through_time)
                push(w, c->next[fluent]);
        } else if (move != UINT32_MAX) {
            if (moves)
                bitset_set(moves, move);
            if (through_time)
                push(w, c->legal[move]);
        } else if (w->index.update_of[node] != SIGNAL_NONE) {
            push(w, w->index.update_of[node]);
        } else if (aig_is_and(&c->aig, node)) {
            push(w, c->aig.nodes.items[node].a);
            push(w, c->aig.nodes.items[node].b);
        }
    }
    memset(w->marks, 0, c->aig.nodes.count);
}

static void push_goals(Walk *w) {
    for (size_t i = 0; i < w->c->goals.count; i++)
        push(w, w->c->goals.items[i].signal);
}

static void push_legal(Walk *w) {
    for (uint32_t m = 0; m < w->c->move_count; m++)
        push(w, w->c->legal[m]);
}

static void push_percepts(Walk *w) {
    for (size_t i = 0; i < w->c->percepts.count; i++)
        push(w, w->c->percepts.items[i].signal);
}

static void find_premises(Relevance *r, Walk *w) {
    push(w, w->c->terminal);
    walk(w, false, r->in_terminal, NULL);
    push_goals(w);
    walk(w, false, r->in_goal, NULL);
    push_legal(w);
    walk(w, false, r->in_legal, NULL);
    push_percepts(w);
    walk(w, false, r->in_sees, NULL);
}

static void find_needed(Relevance *r, Walk *w) {
    push(w, w->c->terminal);
    push_goals(w);
    walk(w, true, r->needed_for_result, r->moves_needed_for_result);
    push(w, w->c->terminal);
    push_goals(w);
    push_legal(w);
    push_percepts(w);
    walk(w, true, r->needed, r->moves_needed);
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
    Walk w = walk_begin(c);
    find_premises(r, &w);
    find_needed(r, &w);
    walk_end(&w);
    uint8_t *depends = circuit_nodes_that_depend_on_moves(c);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (!depends[signal_node(c->next[f])])
            bitset_set(r->explicitly_independent, f);
    free(depends);
    return r;
}

void relevance_for_role(const Circuit *c, uint32_t role, uint64_t *fluents, uint64_t *moves) {
    assert(role < c->role_count);
    Walk w = walk_begin(c);
    push(&w, c->terminal);
    for (size_t i = 0; i < c->goals.count; i++)
        if (c->goals.items[i].role == role)
            push(&w, c->goals.items[i].signal);
    walk(&w, true, fluents, moves);
    walk_end(&w);
}

void relevance_free(Relevance *r) {
    if (!r)
        return;
    arena_free(&r->arena);
    free(r);
}
