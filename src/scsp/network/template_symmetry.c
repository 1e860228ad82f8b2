/* Rows are linked to their table, so that tables over the same variables stay distinct. */
#include "scsp/network/template_symmetry.h"

#include <string.h>

#include "analysis/symmetry/symmetry_graph.h"
#include "base/table.h"

enum {
    MAX_SIZE = 2000000, /* greatest number of vertices and edges (untuned) */
    /* Vertices and edges that nauty refines per second, without looking at a clock (untuned). */
    SIZE_PER_SECOND = 4000000,
    /* Only tables with fewer combinations are represented by their complement (untuned). */
    MAX_COMPLEMENT = 100000,
    /* Greatest number of rows of a table in the second attempt, with small tables (untuned). */
    ROWS_OF_SMALL_TABLES = 64,
    KINDS = 16, /* upper bound on the kinds of variables and on those of constraints */
};

enum Colour {
    COLOUR_NEGATION,
    COLOUR_HEAD,
    COLOUR_NOGOOD,
    COLOUR_RULE,
    COLOUR_FUNCTION,
    COLOUR_CLAUSE,
    /* Two colours for each kind: allowed and forbidden rows. */
    COLOUR_TABLE = COLOUR_CLAUSE + KINDS,
    COLOUR_ROW = COLOUR_TABLE + 2 * KINDS,
    /* Colours of variables and values, numbered by their description. */
    COLOUR_OPEN = COLOUR_ROW + 2 * KINDS
};

typedef struct {
    const Template *t;
    const TemplateSymmetryOptions *options;
    SymmetryGraph *graph;
    /* By variable: its vertex, and the vertex of its first literal. */
    uint32_t *variables, *literals;
    uint32_t *negations; /* by vertex of a literal: the vertex of its negation, if there is one */
    Table colours;       /* maps the description of a variable or value to its colour */
    VECTOR(uint64_t) descriptions;
} Builder;

/* Returns the colour of a description. Colours are numbered in order of appearance. */
static uint32_t colour_of(Builder *b, uint64_t description) {
    uint64_t hash = hash_finish(hash_mix(1, description));
    uint32_t id;
    for (TableProbe p = table_probe(&b->colours, hash); table_next(&b->colours, &p, &id);)
        if (b->descriptions.items[id] == description)
            return COLOUR_OPEN + id;
    id = (uint32_t)b->descriptions.count;
    table_insert(&b->colours, hash, id);
    vector_push(&b->descriptions, description);
    return COLOUR_OPEN + id;
}

/* Encodes the kind, the owner and, for a score, the goal. */
static uint64_t describe_variable(const Builder *b, const ScspVariable *x) {
    uint64_t goal =
        x->kind == VARIABLE_SCORE ? (uint64_t)b->t->scores.items[x->index_in_kind].value + 1 : 0;
    return goal << 40 | (uint64_t)(x->role + 1) << 8 | (uint64_t)x->kind;
}

/* Distinguishes the value 0 of groups, truth values and values of the given state. */
static uint64_t special_value(const Builder *b, uint32_t variable, uint32_t value) {
    const ScspVariable *x = &b->t->network.variables.items[variable];
    if (x->kind == VARIABLE_ACTION || x->kind == VARIABLE_CHANCE)
        return 0;
    if (x->kind != VARIABLE_FLUENT && x->kind != VARIABLE_NEXT)
        return 1 + value;
    bool is_marked = b->options->state && x->kind == VARIABLE_FLUENT &&
                     b->options->state[x->index_in_kind] == value;
    return (value == 0) + 2 * (uint64_t)is_marked;
}

static void add_variables(Builder *b) {
    const Scsp *n = &b->t->network;
    for (uint32_t x = 0; x < n->variables.count; x++) {
        uint64_t description = describe_variable(b, &n->variables.items[x]);
        b->variables[x] = symmetry_graph_add_vertex(b->graph, colour_of(b, description));
        b->literals[x] = (uint32_t)b->graph->colours.count;
        for (uint32_t v = 0; v < n->variables.items[x].size; v++) {
            uint64_t special = special_value(b, x, v);
            uint32_t literal = symmetry_graph_add_vertex(
                b->graph, colour_of(b, description | (special + 1) << 60));
            symmetry_graph_add_edge(b->graph, literal, b->variables[x]);
        }
    }
    b->negations = memory_zalloc((b->graph->colours.count + 1) * sizeof *b->negations);
}

static void tie_fluents(Builder *b) {
    for (size_t i = 0; i < b->t->groups.count; i++)
        for (uint32_t v = 0; v <= b->t->groups.items[i].fluents.count; v++)
            symmetry_graph_add_edge(b->graph, b->literals[b->t->currents[i]] + v,
                                    b->literals[b->t->nexts[i]] + v);
}

static uint32_t vertex_of(Builder *b, uint32_t variable, uint32_t value, bool is_equal) {
    uint32_t literal = b->literals[variable] + value;
    if (is_equal)
        return literal;
    if (!b->negations[literal]) {
        b->negations[literal] = symmetry_graph_add_vertex(b->graph, COLOUR_NEGATION);
        symmetry_graph_add_edge(b->graph, b->negations[literal], literal);
    }
    return b->negations[literal];
}

static void add_row(Builder *b, uint32_t table, uint32_t colour, const uint32_t *scope,
                    const uint16_t *row, uint32_t arity) {
    uint32_t vertex = symmetry_graph_add_vertex(b->graph, colour);
    symmetry_graph_add_edge(b->graph, vertex, table);
    for (uint32_t k = 0; k < arity; k++)
        if (row[k] != VALUE_ANY)
            symmetry_graph_add_edge(b->graph, vertex, b->literals[scope[k]] + row[k]);
}

static bool has_row(const TableRows *rows, const Table *index, const uint16_t *row) {
    uint32_t id;
    size_t bytes = rows->arity * sizeof *row;
    for (TableProbe p = table_probe(index, hash_bytes(row, bytes)); table_next(index, &p, &id);)
        if (memcmp(rows->values + (size_t)id * rows->arity, row, bytes) == 0)
            return true;
    return false;
}

/* Adds the rows that are missing in the table. */
static void add_complement(Builder *b, uint32_t vertex, uint32_t colour, const TableRows *rows,
                           const uint32_t *scope, const uint32_t *sizes) {
    uint16_t *row = memory_zalloc((rows->arity + 1) * sizeof *row);
    Table index = {0};
    for (uint32_t r = 0; r < rows->count; r++)
        table_insert(&index,
                     hash_bytes(rows->values + (size_t)r * rows->arity, rows->arity * sizeof *row),
                     r);
    do
        if (!has_row(rows, &index, row))
            add_row(b, vertex, colour, scope, row, rows->arity);
    while (scsp_next_row(row, sizes, 0, rows->arity));
    table_free(&index);
    free(row);
}

static void add_table(Builder *b, const ScspTable *table) {
    const TableRows *rows = table->rows;
    const uint32_t *scope = scsp_scope(&b->t->network, table->first_scope);
    uint32_t sizes[64];
    double all = 1;
    assert(rows->arity <= 64);
    for (uint32_t k = 0; k < rows->arity; k++) {
        sizes[k] = b->t->network.variables.items[scope[k]].size;
        all *= sizes[k];
    }
    bool is_smaller = all - rows->count < rows->count;
    bool forbids = all <= MAX_COMPLEMENT && (b->options->rows == ROWS_FORBIDDEN ||
                                             (b->options->rows == ROWS_FEWER && is_smaller));
    uint32_t shift = 2 * (uint32_t)table->kind + forbids;
    uint32_t vertex = symmetry_graph_add_vertex(b->graph, COLOUR_TABLE + shift);
    if (forbids)
        add_complement(b, vertex, COLOUR_ROW + shift, rows, scope, sizes);
    for (uint32_t r = 0; r < rows->count && !forbids; r++)
        add_row(b, vertex, COLOUR_ROW + shift, scope, rows->values + (size_t)r * rows->arity,
                rows->arity);
}

static void add_clauses(Builder *b) {
    const Scsp *n = &b->t->network;
    for (size_t i = 0; i < n->clauses.count; i++) {
        uint32_t vertex =
            symmetry_graph_add_vertex(b->graph, COLOUR_CLAUSE + (uint32_t)n->clauses.items[i].kind);
        for (uint32_t k = 0; k < n->clauses.items[i].count; k++) {
            ScspLiteral l = n->literals.items[n->clauses.items[i].first + k];
            symmetry_graph_add_edge(b->graph, vertex,
                                    vertex_of(b, l.variable, l.value, l.is_equal));
        }
    }
}

static void add_function(Builder *b, const ScspFunction *f) {
    const uint32_t *inputs = scsp_scope(&b->t->network, f->first_scope);
    const uint32_t *outputs = inputs + f->rules->input_count;
    uint32_t function = symmetry_graph_add_vertex(b->graph, COLOUR_FUNCTION);
    for (size_t r = 0; r < f->rules->rules.count; r++) {
        const FunctionRule *rule = &f->rules->rules.items[r];
        uint32_t vertex = symmetry_graph_add_vertex(b->graph, COLOUR_RULE),
                 head = symmetry_graph_add_vertex(b->graph, COLOUR_HEAD);
        symmetry_graph_add_edge(b->graph, vertex, function);
        symmetry_graph_add_edge(b->graph, vertex, head);
        symmetry_graph_add_edge(b->graph, head, b->literals[outputs[rule->head]] + 1);
        for (uint32_t k = 0; k < rule->count; k++) {
            const FunctionLiteral *l = &f->rules->literals.items[rule->first + k];
            uint32_t variable = l->is_output ? outputs[l->index] : inputs[l->index];
            symmetry_graph_add_edge(b->graph, vertex,
                                    vertex_of(b, variable, l->value, l->is_equal));
        }
    }
}

static void add_nogood(Builder *b, const TemplateNogood *nogood) {
    const Template *t = b->t;
    uint32_t vertex = symmetry_graph_add_vertex(b->graph, COLOUR_NOGOOD);
    for (size_t i = 0; i < t->groups.count; i++)
        symmetry_graph_add_edge(b->graph, vertex, b->literals[t->currents[i]] + nogood->state[i]);
    for (uint32_t r = 0; r < t->role_count; r++)
        if (t->actions[r] != SCSP_NONE && nogood->joint[r] != MOVE_NONE)
            symmetry_graph_add_edge(b->graph, vertex,
                                    b->literals[t->actions[r]] + nogood->joint[r]);
}

static void name_elements(Builder *b) {
    const Template *t = b->t;
    const uint32_t *first = t->game->circuit->first_move;
    SymmetryGraph *g = b->graph;
    g->fluents = memory_alloc((t->fluent_count + 1) * sizeof *g->fluents);
    g->moves = memory_alloc((first[t->role_count] + 1) * sizeof *g->moves);
    g->roles = memory_alloc((t->role_count + 1) * sizeof *g->roles);
    for (uint32_t f = 0; f < t->fluent_count; f++)
        g->fluents[f] = t->group_of[f] == SCSP_NONE
                            ? VERTEX_NONE
                            : b->literals[t->currents[t->group_of[f]]] + t->value_of[f];
    for (uint32_t r = 0; r < t->role_count; r++) {
        g->roles[r] = t->actions[r] == SCSP_NONE ? VERTEX_NONE : b->variables[t->actions[r]];
        for (uint32_t m = first[r]; m < first[r + 1]; m++)
            g->moves[m] = b->literals[t->actions[r]] + (m - first[r]);
    }
}

static size_t size_of(const Builder *b) {
    return b->graph->colours.count + b->graph->edges.count;
}

static bool is_too_large(const Builder *b, CpuBudget budget) {
    double left = budget.until - clock_thread_cpu_seconds();
    return size_of(b) > MAX_SIZE || (double)size_of(b) > left * SIZE_PER_SECOND;
}

static void build(Builder *b, CpuBudget budget) {
    const Scsp *n = &b->t->network;
    add_variables(b);
    if (!b->options->is_untied)
        tie_fluents(b);
    for (size_t i = 0; i < n->tables.count && !is_too_large(b, budget); i++)
        add_table(b, &n->tables.items[i]);
    add_clauses(b);
    for (size_t i = 0; i < n->functions.count; i++)
        add_function(b, &n->functions.items[i]);
    for (size_t i = 0; i < b->options->nogood_count; i++)
        add_nogood(b, &b->options->nogoods[i]);
    name_elements(b);
}

/* Finds the symmetries of one template. Returns NULL if the graph is too large. */
static Symmetries *symmetries_of(const Template *t, const TemplateSymmetryOptions *options,
                                 CpuBudget budget) {
    size_t variables = t->network.variables.count + 1;
    Builder b = {.t = t, .options = options, .graph = memory_zalloc(sizeof *b.graph)};
    b.variables = memory_alloc(variables * sizeof *b.variables);
    b.literals = memory_alloc(variables * sizeof *b.literals);
    build(&b, budget);
    Symmetries *found = NULL;
    if (!is_too_large(&b, budget))
        found = symmetry_of_graph(
            t->game, b.graph,
            &(SymmetryOptions){.seconds = budget.until - clock_thread_cpu_seconds(),
                               .seed = options->seed,
                               .unverified = options->is_untied});
    symmetry_graph_free(b.graph);
    table_free(&b.colours);
    vector_free(&b.descriptions);
    memory_free(b.variables, b.literals, b.negations);
    return found;
}

/* If large tables make the graph too large, makes a second attempt on a template with small tables,
 * whose rules are clauses with a variable per body. */
Symmetries *template_symmetries(const Template *t, const TemplateSymmetryOptions *options) {
    CpuBudget budget = cpu_budget_in(options->seconds);
    Symmetries *found = symmetries_of(t, options, budget);
    double left = budget.until - clock_thread_cpu_seconds();
    if (found || left <= 0)
        return found;
    Report ignored = {0};
    TemplateOptions small = {.seconds = left / 2, .max_rows = ROWS_OF_SMALL_TABLES};
    Template *slim = template_create(t->game, &small, &ignored);
    report_free(&ignored);
    if (slim)
        found = symmetries_of(slim, options, budget);
    template_free(slim);
    return found;
}
