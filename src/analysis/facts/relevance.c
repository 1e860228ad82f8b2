#include "analysis/facts/relevance.h"

#include <string.h>

#include "base/bitset.h"

typedef struct {
    const Circuit *c;
    uint32_t *fluent_of_node, *move_of_node; /* UINT32_MAX elsewhere */
    Signal *update_of_node;                  /* of loop variables; SIGNAL_NONE elsewhere */
    uint8_t *marks;
    U32Vector stack;
} Walk;

static void walk_init(Walk *w, const Circuit *c) {
    size_t nodes = c->aig.nodes.count;
    *w = (Walk){.c = c};
    w->fluent_of_node = memory_alloc(nodes * sizeof *w->fluent_of_node);
    w->move_of_node = memory_alloc(nodes * sizeof *w->move_of_node);
    w->update_of_node = memory_alloc(nodes * sizeof *w->update_of_node);
    w->marks = memory_zalloc(nodes);
    memset(w->fluent_of_node, 0xff, nodes * sizeof *w->fluent_of_node);
    memset(w->move_of_node, 0xff, nodes * sizeof *w->move_of_node);
    memset(w->update_of_node, 0xff, nodes * sizeof *w->update_of_node);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        w->fluent_of_node[signal_node(c->fluents[f])] = f;
    for (uint32_t m = 0; m < c->move_count; m++)
        w->move_of_node[signal_node(c->moves[m])] = m;
    for (size_t l = 0; l < c->aig.loops.count; l++) {
        const AigLoop *loop = &c->aig.loops.items[l];
        for (size_t v = 0; v < loop->variables.count; v++)
            w->update_of_node[loop->variables.items[v]] = loop->updates.items[v];
    }
}

static void walk_free(Walk *w) {
    free(w->fluent_of_node);
    free(w->move_of_node);
    free(w->update_of_node);
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

/* Goes on from everything pushed; through time if wanted: from a fluent to its next value, and from
 * a move to its legality. */
static void walk(Walk *w, bool through_time, uint64_t *fluents, uint64_t *moves) {
    const Circuit *c = w->c;
    while (w->stack.count) {
        uint32_t node = vector_pop(&w->stack);
        uint32_t fluent = w->fluent_of_node[node], move = w->move_of_node[node];
        if (fluent != UINT32_MAX) {
            bitset_set(fluents, fluent);
            if (through_time)
                push(w, c->next[fluent]);
        } else if (move != UINT32_MAX) {
            if (moves)
                bitset_set(moves, move);
            if (through_time)
                push(w, c->legal[move]);
        } else if (w->update_of_node[node] != SIGNAL_NONE) {
            push(w, w->update_of_node[node]);
        } else if (aig_is_and(&c->aig, node)) {
            push(w, c->aig.nodes.items[node].a);
            push(w, c->aig.nodes.items[node].b);
        }
    }
}

static void restart(Walk *w) {
    memset(w->marks, 0, w->c->aig.nodes.count);
}

static void push_outputs(Walk *w, bool legal, bool sees) {
    const Circuit *c = w->c;
    push(w, c->terminal);
    for (size_t i = 0; i < c->goals.count; i++)
        push(w, c->goals.items[i].signal);
    for (uint32_t m = 0; legal && m < c->move_count; m++)
        push(w, c->legal[m]);
    for (size_t i = 0; sees && i < c->percepts.count; i++)
        push(w, c->percepts.items[i].signal);
}

static void find_premises(Relevance *i, Walk *w) {
    const Circuit *c = w->c;
    push(w, c->terminal);
    walk(w, false, i->in_terminal, NULL);
    restart(w);
    for (size_t g = 0; g < c->goals.count; g++)
        push(w, c->goals.items[g].signal);
    walk(w, false, i->in_goal, NULL);
    restart(w);
    for (uint32_t m = 0; m < c->move_count; m++)
        push(w, c->legal[m]);
    walk(w, false, i->in_legal, NULL);
    restart(w);
    for (size_t p = 0; p < c->percepts.count; p++)
        push(w, c->percepts.items[p].signal);
    walk(w, false, i->in_sees, NULL);
    restart(w);
}

Relevance *relevance_find(const Circuit *c) {
    Relevance *i = memory_zalloc(sizeof *i);
    i->fluent_words = (uint32_t)bitset_words(c->fluent_count);
    i->move_words = (uint32_t)bitset_words(c->move_count);
    uint64_t **const by_fluent[] = {&i->in_terminal,
                                    &i->in_goal,
                                    &i->in_legal,
                                    &i->in_sees,
                                    &i->needed,
                                    &i->needed_for_result,
                                    &i->explicitly_independent};
    for (size_t s = 0; s < sizeof by_fluent / sizeof *by_fluent; s++)
        *by_fluent[s] = memory_zalloc((i->fluent_words + 1) * sizeof(uint64_t));
    i->moves_needed = memory_zalloc((i->move_words + 1) * sizeof(uint64_t));
    i->moves_needed_for_result = memory_zalloc((i->move_words + 1) * sizeof(uint64_t));
    Walk w;
    walk_init(&w, c);
    find_premises(i, &w);
    push_outputs(&w, true, true);
    walk(&w, true, i->needed, i->moves_needed);
    restart(&w);
    push_outputs(&w, false, false);
    walk(&w, true, i->needed_for_result, i->moves_needed_for_result);
    walk_free(&w);
    uint8_t *depends = circuit_nodes_that_depend_on_moves(c);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (!depends[signal_node(c->next[f])])
            bitset_set(i->explicitly_independent, f);
    free(depends);
    return i;
}

void relevance_for_role(const Circuit *c, uint32_t role, uint64_t *fluents, uint64_t *moves) {
    Walk w;
    walk_init(&w, c);
    push(&w, c->terminal);
    for (size_t i = 0; i < c->goals.count; i++)
        if (c->goals.items[i].role == role)
            push(&w, c->goals.items[i].signal);
    walk(&w, true, fluents, moves);
    walk_free(&w);
}

void relevance_free(Relevance *relevance) {
    if (!relevance)
        return;
    free(relevance->in_terminal);
    free(relevance->in_goal);
    free(relevance->in_legal);
    free(relevance->in_sees);
    free(relevance->needed);
    free(relevance->needed_for_result);
    free(relevance->moves_needed);
    free(relevance->moves_needed_for_result);
    free(relevance->explicitly_independent);
    free(relevance);
}
