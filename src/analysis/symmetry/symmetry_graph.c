/* Builds the graph. An atom has up to three vertices: one where it is concluded, one where it is
 * used and one for its negation. Edges have no direction, so the first two differ. */
#include "analysis/symmetry/symmetry_graph.h"

#include <assert.h>

enum Colour {
    COLOUR_FLUENT,
    COLOUR_MOVE,
    COLOUR_RULE,
    COLOUR_USE,
    COLOUR_NEGATION,
    COLOUR_AUXILIARY,
    COLOUR_NEXT, /* from here on three colours each: derived, always false, always true */
    COLOUR_LEGAL = COLOUR_NEXT + 3,
    COLOUR_TERMINAL = COLOUR_LEGAL + 3,
    COLOUR_SEES = COLOUR_TERMINAL + 3,
    COLOUR_RANDOM = COLOUR_SEES + 3,
    COLOUR_PLAYERS,
    COLOUR_OPEN /* players' own colours follow, then one colour per goal value */
};

typedef struct {
    SymmetryGraph *graph;
    const CanonicalRules *n;
    uint32_t *concluded, *used, *negated; /* by atom: its vertices */
} Builder;

static uint32_t constant_shift(const Builder *b, Atom atom) {
    if (atom == ATOM_NONE)
        return 1;
    GroundLiteral value = b->n->values[atom];
    return value == CANONICAL_FALSE ? 1 : value == CANONICAL_TRUE ? 2 : 0;
}

/* Returns the vertex where an output is concluded. Its colour tells constants apart. */
static uint32_t add_output(Builder *b, Atom atom, uint32_t colour) {
    uint32_t vertex = symmetry_graph_add_vertex(b->graph, colour + constant_shift(b, atom));
    if (atom != ATOM_NONE)
        b->concluded[atom] = vertex;
    return vertex;
}

static uint32_t vertex_of_use(Builder *b, Atom atom) {
    if (b->used[atom] == VERTEX_NONE) {
        assert(b->concluded[atom] != VERTEX_NONE);
        b->used[atom] = symmetry_graph_add_vertex(b->graph, COLOUR_USE);
        symmetry_graph_add_edge(b->graph, b->used[atom], b->concluded[atom]);
    }
    return b->used[atom];
}

static uint32_t vertex_of_literal(Builder *b, GroundLiteral literal) {
    Atom atom = literal >> 1;
    assert(atom < b->n->grounding->atom_relations.count);
    uint32_t use = vertex_of_use(b, atom);
    if (!(literal & 1))
        return use;
    if (b->negated[atom] == VERTEX_NONE) {
        b->negated[atom] = symmetry_graph_add_vertex(b->graph, COLOUR_NEGATION);
        symmetry_graph_add_edge(b->graph, b->negated[atom], use);
    }
    return b->negated[atom];
}

static void add_roles(Builder *b, uint32_t random, bool swap_roles) {
    const Grounding *g = b->n->grounding;
    b->graph->roles = memory_alloc((g->roles.count + 1) * sizeof *b->graph->roles);
    for (uint32_t r = 0; r < g->roles.count; r++)
        b->graph->roles[r] =
            symmetry_graph_add_vertex(b->graph, r == random  ? (uint32_t)COLOUR_RANDOM
                                                : swap_roles ? (uint32_t)COLOUR_PLAYERS
                                                             : COLOUR_OPEN + r);
}

static void add_fluents(Builder *b, const Ternary *constants) {
    const Grounding *g = b->n->grounding;
    b->graph->fluents = memory_alloc((g->fluents.count + 1) * sizeof *b->graph->fluents);
    for (uint32_t f = 0; f < g->fluents.count; f++) {
        b->graph->fluents[f] = VERTEX_NONE;
        if (constants[f] != TERNARY_UNKNOWN)
            continue;
        b->graph->fluents[f] = symmetry_graph_add_vertex(b->graph, COLOUR_FLUENT);
        if (g->fluents.items[f].current != ATOM_NONE)
            b->used[g->fluents.items[f].current] = b->graph->fluents[f];
        symmetry_graph_add_edge(b->graph, b->graph->fluents[f],
                                add_output(b, g->fluents.items[f].next, COLOUR_NEXT));
    }
}

static void add_moves(Builder *b) {
    const Grounding *g = b->n->grounding;
    b->graph->moves = memory_alloc((g->moves.count + 1) * sizeof *b->graph->moves);
    for (uint32_t m = 0; m < g->moves.count; m++) {
        const Move *move = &g->moves.items[m];
        b->graph->moves[m] = VERTEX_NONE;
        if (constant_shift(b, move->legal) == 1)
            continue;
        b->graph->moves[m] = symmetry_graph_add_vertex(b->graph, COLOUR_MOVE);
        if (move->does != ATOM_NONE)
            b->used[move->does] = b->graph->moves[m];
        symmetry_graph_add_edge(b->graph, b->graph->moves[m], b->graph->roles[move->role]);
        symmetry_graph_add_edge(b->graph, b->graph->moves[m],
                                add_output(b, move->legal, COLOUR_LEGAL));
    }
}

/* Gives goals a colour for each value: terms are numbered by the first goal that has them. */
static void add_goals(Builder *b) {
    const Grounding *g = b->n->grounding;
    for (size_t i = 0; i < g->goals.count; i++) {
        size_t first = 0;
        while (g->goals.items[first].term != g->goals.items[i].term)
            first++;
        uint32_t colour = COLOUR_OPEN + (uint32_t)g->roles.count + 3 * (uint32_t)first;
        uint32_t vertex = add_output(b, g->goals.items[i].atom, colour);
        symmetry_graph_add_edge(b->graph, vertex, b->graph->roles[g->goals.items[i].role]);
    }
    for (size_t i = 0; i < g->percepts.count; i++) {
        uint32_t vertex = add_output(b, g->percepts.items[i].atom, COLOUR_SEES);
        symmetry_graph_add_edge(b->graph, vertex, b->graph->roles[g->percepts.items[i].role]);
    }
    add_output(b, g->terminal, COLOUR_TERMINAL);
}

static bool has_vertex_for_rules(const Builder *b, Atom atom) {
    return b->n->is_needed[atom] && b->n->values[atom] == ground_literal(atom, false);
}

static void add_rules(Builder *b) {
    const CanonicalRules *n = b->n;
    size_t atoms = n->grounding->atom_relations.count;
    for (Atom a = 0; a < atoms; a++)
        if (has_vertex_for_rules(b, a) && b->concluded[a] == VERTEX_NONE &&
            b->used[a] == VERTEX_NONE)
            b->concluded[a] = symmetry_graph_add_vertex(b->graph, COLOUR_AUXILIARY);
    for (Atom a = 0; a < atoms; a++) {
        if (!has_vertex_for_rules(b, a) || b->concluded[a] == VERTEX_NONE)
            continue;
        for (uint32_t i = n->rule_starts[a]; i < n->rule_starts[a + 1]; i++) {
            const CanonicalRule *rule = &n->rules.items[n->rule_order[i]];
            if (rule->is_dropped)
                continue;
            uint32_t vertex = symmetry_graph_add_vertex(b->graph, COLOUR_RULE);
            symmetry_graph_add_edge(b->graph, vertex, b->concluded[a]);
            for (size_t l = 0; l < rule->literals.count; l++)
                symmetry_graph_add_edge(b->graph, vertex,
                                        vertex_of_literal(b, rule->literals.items[l]));
        }
    }
}

SymmetryGraph *symmetry_graph_create(const CanonicalRules *rules, const Ternary *constants,
                                     uint32_t random, bool swap_roles) {
    size_t atoms = rules->grounding->atom_relations.count;
    Builder b = {.graph = memory_zalloc(sizeof *b.graph),
                 .n = rules,
                 .concluded = u32_none(atoms),
                 .used = u32_none(atoms),
                 .negated = u32_none(atoms)};
    add_roles(&b, random, swap_roles);
    add_fluents(&b, constants);
    add_moves(&b);
    add_goals(&b);
    add_rules(&b);
    memory_free(b.concluded, b.used, b.negated);
    return b.graph;
}

uint32_t symmetry_graph_add_vertex(SymmetryGraph *graph, uint32_t colour) {
    vector_push(&graph->colours, colour);
    return (uint32_t)graph->colours.count - 1;
}

void symmetry_graph_add_edge(SymmetryGraph *graph, uint32_t from, uint32_t to) {
    assert(from < graph->colours.count && to < graph->colours.count);
    vector_push(&graph->edges, ((Edge){from, to}));
}

void symmetry_graph_free(SymmetryGraph *graph) {
    if (!graph)
        return;
    vectors_free(&graph->colours, &graph->edges);
    memory_free(graph->fluents, graph->moves, graph->roles, graph);
}
