/* Builds networks. The copies of a turn share rows and rules by pointers. */
#include "scsp/network/constraint_network.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"
#include "base/clock.h"

static void function_rules_free(FunctionRules *rules) {
    vectors_free(&rules->rules, &rules->literals);
    free(rules);
}

void scsp_free(Scsp *n) {
    for (size_t i = 0; i < n->function_rules.count; i++)
        function_rules_free(n->function_rules.items[i]);
    vectors_free(&n->variables, &n->scopes, &n->tables, &n->clauses, &n->literals, &n->functions,
                 &n->softs, &n->chances, &n->function_rules);
    arena_free(&n->arena);
    *n = (Scsp){0};
}

bool scsp_goes_on(Scsp *n) {
    n->is_cut_short = n->is_cut_short || work_must_end((Deadline){0}, NULL);
    return !n->is_cut_short;
}

uint32_t scsp_add_variable(Scsp *n, ScspVariable variable) {
    assert(variable.size > 0 && variable.size < VALUE_ANY);
    vector_push(&n->variables, variable);
    return (uint32_t)n->variables.count - 1;
}

/* Returns a copy that lives as long as the network. At least one item is allocated. */
static void *keep(Scsp *n, const void *items, size_t count, size_t item_bytes) {
    void *copy = arena_alloc(&n->arena, (count + 1) * item_bytes);
    if (count)
        memcpy(copy, items, count * item_bytes);
    return copy;
}

static uint32_t add_scope(Scsp *n, const uint32_t *scope, uint32_t count) {
    uint32_t first = (uint32_t)n->scopes.count;
    for (uint32_t i = 0; i < count; i++) {
        assert(scope[i] < n->variables.count);
        vector_push(&n->scopes, scope[i]);
    }
    return first;
}

static void fill_supports(TableRows *rows, const uint32_t *sizes) {
    for (uint32_t r = 0; r < rows->count; r++)
        for (uint32_t k = 0; k < rows->arity; k++) {
            uint16_t value = rows->values[(size_t)r * rows->arity + k];
            uint64_t *column = rows->supports + (size_t)rows->first_column[k] * rows->word_count;
            for (uint32_t v = 0; v < sizes[k]; v++)
                if (value == VALUE_ANY || value == v)
                    bitset_set(column + (size_t)v * rows->word_count, r);
        }
}

TableRows *scsp_make_rows(Scsp *n, const uint16_t *values, uint32_t count, const uint32_t *sizes,
                          uint32_t arity) {
    TableRows *rows = arena_alloc(&n->arena, sizeof *rows);
    *rows =
        (TableRows){.arity = arity, .count = count, .word_count = (uint32_t)bitset_words(count)};
    rows->values = keep(n, values, (size_t)count * arity, sizeof *values);
    rows->first_column = arena_alloc(&n->arena, (arity + 1) * sizeof *rows->first_column);
    rows->first_column[0] = 0;
    for (uint32_t k = 0; k < arity; k++)
        rows->first_column[k + 1] = rows->first_column[k] + sizes[k];
    rows->supports =
        arena_zalloc(&n->arena, ((size_t)rows->first_column[arity] * rows->word_count + 1) *
                                    sizeof *rows->supports);
    fill_supports(rows, sizes);
    return rows;
}

void scsp_add_table(Scsp *n, ConstraintKind kind, const uint32_t *scope, const TableRows *rows) {
    vector_push(&n->tables, ((ScspTable){kind, add_scope(n, scope, rows->arity), rows}));
}

void scsp_add_rows(Scsp *n, ConstraintKind kind, const uint32_t *scope, uint32_t arity,
                   const uint16_t *values, uint32_t count) {
    uint32_t *sizes = memory_alloc((arity + 1) * sizeof *sizes);
    for (uint32_t k = 0; k < arity; k++)
        sizes[k] = n->variables.items[scope[k]].size;
    scsp_add_table(n, kind, scope, scsp_make_rows(n, values, count, sizes, arity));
    free(sizes);
}

void scsp_add_clause(Scsp *n, ConstraintKind kind, const ScspLiteral *literals, uint32_t count) {
    ScspClause clause = {kind, (uint32_t)n->literals.count, count};
    vector_append(&n->literals, literals, count);
    vector_push(&n->clauses, clause);
}

void scsp_add_function(Scsp *n, const uint32_t *scope, uint32_t guard, const FunctionRules *rules) {
    vector_push(&n->functions,
                ((ScspFunction){add_scope(n, scope, rules->input_count + rules->output_count),
                                guard, rules}));
}

void scsp_add_soft(Scsp *n, const uint32_t *scope, const TableRows *rows, const int32_t *amounts,
                   uint32_t player) {
    int32_t *copy = keep(n, amounts, rows->count, sizeof *copy);
    vector_push(&n->softs, ((ScspSoft){add_scope(n, scope, rows->arity), rows, copy, player}));
}

void scsp_add_chances(Scsp *n, uint32_t variable, const uint32_t *parents, uint32_t parent_count,
                      const uint32_t *weights) {
    assert(variable < n->variables.count && n->variables.items[variable].is_stochastic);
    size_t count = n->variables.items[variable].size;
    for (uint32_t i = 0; i < parent_count; i++) {
        assert(parents[i] < variable);
        count *= n->variables.items[parents[i]].size;
    }
    uint32_t *copy = keep(n, weights, count, sizeof *copy);
    vector_push(&n->chances,
                ((ScspChances){variable, add_scope(n, parents, parent_count), parent_count, copy}));
}

const ScspChances *scsp_chances_of(const Scsp *n, uint32_t variable) {
    for (size_t i = 0; i < n->chances.count; i++)
        if (n->chances.items[i].variable == variable)
            return &n->chances.items[i];
    return NULL;
}

void scsp_allow(Scsp *n, uint32_t variable, const uint64_t *values) {
    assert(variable < n->variables.count);
    size_t words = bitset_words(n->variables.items[variable].size);
    n->variables.items[variable].allowed = keep(n, values, words, sizeof *values);
}

double scsp_row_count(const TableRows *rows, const uint32_t *sizes) {
    double count = 0;
    for (uint32_t r = 0; r < rows->count; r++) {
        double stands_for = 1;
        for (uint32_t k = 0; k < rows->arity; k++)
            if (rows->values[(size_t)r * rows->arity + k] == VALUE_ANY)
                stands_for *= sizes[k];
        count += stands_for;
    }
    return count;
}

const char *constraint_kind_name(ConstraintKind kind) {
    assert(kind <= CONSTRAINT_OTHER);
    static const char *const names[] = {"legal", "next",      "terminal", "score",
                                        "sees",  "auxiliary", "nogood",   "other"};
    return names[kind];
}
