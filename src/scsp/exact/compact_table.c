/* Compact-table propagation (Demeulenaere and others 2016). The possible rows of a table are a
 * bitset, and so are the rows that support a value. When a domain changes, the bitset is reduced to
 * rows that have one of its values. A value stays if its support intersects the bitset; the word
 * that intersected last is tried first. Zero words are moved behind the others and come back when
 * their number is restored. */
#include "scsp/exact/solver.h"

void compact_table_init(Solver *s, uint32_t table, uint32_t *next_word) {
    const TableRows *rows = s->network->tables.items[table].rows;
    s->currents[table] = *next_word;
    *next_word += rows->word_count;
    s->limits[table] = (*next_word)++;
    s->last_sizes[table] = *next_word;
    *next_word += rows->arity;
}

void compact_table_start(Solver *s, uint32_t table) {
    const TableRows *rows = s->network->tables.items[table].rows;
    s->orders[table] = memory_alloc((rows->word_count + 1) * sizeof(uint32_t));
    s->residues[table] = memory_zalloc((rows->first_column[rows->arity] + 1) * sizeof(uint32_t));
    for (uint32_t w = 0; w < rows->word_count; w++)
        s->orders[table][w] = w;
    for (uint32_t r = 0; r < rows->count; r++)
        bitset_set(s->words + s->currents[table], r);
    s->words[s->limits[table]] = rows->word_count;
}

/* Removes the rows whose value in the column has left the domain. */
static void keep_rows_of_column(Solver *s, uint32_t table, uint32_t column, uint32_t variable) {
    const TableRows *rows = s->network->tables.items[table].rows;
    const uint64_t *supports =
        rows->supports + (size_t)rows->first_column[column] * rows->word_count;
    uint32_t *order = s->orders[table];
    uint32_t limit = (uint32_t)s->words[s->limits[table]];
    uint32_t size = s->network->variables.items[variable].size;
    for (uint32_t i = 0; i < limit; i++)
        s->scratch[order[i]] = 0;
    for (uint32_t v = solver_next_value(s, variable, 0); v < size;
         v = solver_next_value(s, variable, v + 1)) {
        const uint64_t *support = supports + (size_t)v * rows->word_count;
        for (uint32_t i = 0; i < limit; i++)
            s->scratch[order[i]] |= support[order[i]];
    }
    for (uint32_t i = limit; i-- > 0;) {
        uint32_t w = order[i], index = s->currents[table] + w;
        uint64_t left = s->words[index] & s->scratch[w];
        if (left == s->words[index])
            continue;
        solver_set_word(s, index, left);
        if (!left) {
            order[i] = order[--limit];
            order[limit] = w;
        }
    }
    if (limit != s->words[s->limits[table]])
        solver_set_word(s, s->limits[table], limit);
}

static bool has_support(Solver *s, uint32_t table, uint32_t column, uint32_t value) {
    const TableRows *rows = s->network->tables.items[table].rows;
    uint32_t entry = rows->first_column[column] + value;
    const uint64_t *support = rows->supports + (size_t)entry * rows->word_count;
    const uint64_t *current = s->words + s->currents[table];
    uint32_t *residue = &s->residues[table][entry];
    const uint32_t *order = s->orders[table];
    uint32_t limit = (uint32_t)s->words[s->limits[table]];
    if (current[*residue] & support[*residue])
        return true;
    for (uint32_t i = 0; i < limit; i++)
        if (current[order[i]] & support[order[i]]) {
            *residue = order[i];
            return true;
        }
    return false;
}

static bool filter_column(Solver *s, uint32_t table, uint32_t column, uint32_t variable) {
    uint32_t size = s->network->variables.items[variable].size;
    for (uint32_t v = solver_next_value(s, variable, 0); v < size;
         v = solver_next_value(s, variable, v + 1))
        if (!has_support(s, table, column, v) && !solver_remove(s, variable, v))
            return false;
    return true;
}

bool compact_table_propagate(Solver *s, uint32_t table) {
    const ScspTable *t = &s->network->tables.items[table];
    const uint32_t *scope = scsp_scope(s->network, t->first_scope);
    uint32_t arity = t->rows->arity;
    for (uint32_t k = 0; k < arity && s->words[s->limits[table]]; k++)
        if (s->words[s->last_sizes[table] + k] != solver_size(s, scope[k]))
            keep_rows_of_column(s, table, k, scope[k]);
    bool holds = s->words[s->limits[table]] != 0;
    for (uint32_t k = 0; k < arity && holds; k++) {
        holds = solver_is_fixed(s, scope[k]) || filter_column(s, table, k, scope[k]);
        solver_set_word(s, s->last_sizes[table] + k, solver_size(s, scope[k]));
    }
    if (!holds)
        solver_blame(s, scope, arity);
    return holds;
}
