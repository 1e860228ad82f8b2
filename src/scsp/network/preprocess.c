/* Simplifies networks. Open columns of tables are expanded first, unless that would make the tables
 * too long. Tables that stay open are only filtered. */
#include "scsp/network/preprocess.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "base/table.h"
#include "scsp/exact/solver.h"

enum {
    MAX_COLUMNS = 16, /* greatest number of columns of a table */
    MAX_ROWS = 200000 /* a longer table does not get its open columns expanded (untuned) */
};

typedef struct {
    ConstraintKind kind;
    uint32_t arity;
    uint32_t scope[MAX_COLUMNS];
    VECTOR(uint16_t) rows;
    bool is_dropped, is_open; /* `is_open`: some rows leave columns open */
    bool is_fresh;            /* it changed in the last round, so that it is examined again */
    bool is_changed;          /* it changed in this round */
    bool is_cut;              /* it has lost rows or columns for another reason than the domains */
} Work;

typedef VECTOR(Work) Works;

typedef struct {
    const Scsp *network;
    Solver *solver;
    Works tables;
} Preprocess;

static size_t row_count(const Work *w) {
    return w->arity ? w->rows.count / w->arity : 0;
}

static bool is_possible(const Preprocess *p, const Work *w, const uint16_t *row) {
    for (uint32_t k = 0; k < w->arity; k++)
        if (row[k] != VALUE_ANY && !solver_has(p->solver, w->scope[k], row[k]))
            return false;
    return true;
}

/* Appends the row once for each combination of values of its open columns. */
static void push_expanded(const Preprocess *p, Work *w, const uint16_t *row) {
    uint16_t filled[MAX_COLUMNS];
    for (uint32_t k = 0; k < w->arity; k++)
        filled[k] = row[k] == VALUE_ANY ? (uint16_t)solver_value(p->solver, w->scope[k]) : row[k];
    for (bool goes_on = true; goes_on;) {
        vector_append(&w->rows, filled, w->arity);
        goes_on = false;
        for (uint32_t k = w->arity; k-- > 0 && !goes_on;) {
            if (row[k] != VALUE_ANY)
                continue;
            uint32_t size = p->network->variables.items[w->scope[k]].size;
            uint32_t next = solver_next_value(p->solver, w->scope[k], filled[k] + 1u);
            goes_on = next < size;
            filled[k] = (uint16_t)(goes_on ? next : solver_value(p->solver, w->scope[k]));
        }
    }
}

static int compare_rows(const void *a, const void *b, void *context) {
    return memcmp(a, b, *(uint32_t *)context * sizeof(uint16_t));
}

/* Removes duplicate rows, because open rows may overlap. */
static void remove_doubles(Work *w) {
    size_t count = row_count(w), kept = 0;
    if (count < 2)
        return;
    qsort_r(w->rows.items, count, w->arity * sizeof(uint16_t), compare_rows, &w->arity);
    for (size_t r = 0; r < count; r++) {
        const uint16_t *row = w->rows.items + r * w->arity;
        if (kept == 0 ||
            memcmp(w->rows.items + (kept - 1) * w->arity, row, w->arity * sizeof *row) != 0)
            memmove(w->rows.items + kept++ * w->arity, row, w->arity * sizeof *row);
    }
    w->rows.count = kept * w->arity;
}

static void read_table(Preprocess *p, const ScspTable *table) {
    Work w = {.kind = table->kind, .arity = table->rows->arity, .is_fresh = true};
    uint32_t sizes[MAX_COLUMNS];
    assert(w.arity <= MAX_COLUMNS);
    memcpy(w.scope, scsp_scope(p->network, table->first_scope), w.arity * sizeof *w.scope);
    for (uint32_t k = 0; k < w.arity; k++)
        sizes[k] = solver_size(p->solver, w.scope[k]);
    w.is_open = scsp_row_count(table->rows, sizes) > MAX_ROWS;
    for (uint32_t r = 0; r < table->rows->count; r++) {
        const uint16_t *row = table->rows->values + (size_t)r * w.arity;
        if (!is_possible(p, &w, row))
            continue;
        if (!w.is_open)
            push_expanded(p, &w, row);
        else
            vector_append(&w.rows, row, w.arity);
    }
    if (!w.is_open)
        remove_doubles(&w);
    vector_push(&p->tables, w);
}

static bool filter_rows(const Preprocess *p, Work *w) {
    size_t kept = 0, count = row_count(w);
    for (size_t r = 0; r < count; r++) {
        const uint16_t *row = w->rows.items + r * w->arity;
        if (is_possible(p, w, row))
            memmove(w->rows.items + kept++ * w->arity, row, w->arity * sizeof *row);
    }
    w->rows.count = kept * w->arity;
    w->is_changed |= kept != count;
    return kept != count;
}

static bool find_columns(const Work *small, const Work *large, uint32_t *columns) {
    for (uint32_t k = 0; k < small->arity; k++) {
        columns[k] = 0;
        while (columns[k] < large->arity && large->scope[columns[k]] != small->scope[k])
            columns[k]++;
        if (columns[k] == large->arity)
            return false;
    }
    return true;
}

static uint64_t hash_columns(const uint16_t *row, const uint32_t *columns, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t k = 0; k < count; k++)
        hash = hash_mix(hash, row[columns[k]]);
    return hash_finish(hash);
}

static void index_rows(const Work *w, Table *table) {
    uint32_t all[MAX_COLUMNS];
    for (uint32_t k = 0; k < w->arity; k++)
        all[k] = k;
    for (uint32_t r = 0; r < row_count(w); r++)
        table_insert(table, hash_columns(w->rows.items + (size_t)r * w->arity, all, w->arity), r);
}

static bool has_row(const Work *w, const Table *table, const uint16_t *row,
                    const uint32_t *columns) {
    uint32_t id;
    uint64_t hash = hash_columns(row, columns, w->arity);
    for (TableProbe probe = table_probe(table, hash); table_next(table, &probe, &id);) {
        bool same = true;
        for (uint32_t k = 0; k < w->arity && same; k++)
            same = w->rows.items[(size_t)id * w->arity + k] == row[columns[k]];
        if (same)
            return true;
    }
    return false;
}

/* Removes rows of the large table that the small one forbids; drops an equal small one. */
static bool cut_down(Work *small, Work *large) {
    uint32_t columns[MAX_COLUMNS];
    if (!find_columns(small, large, columns))
        return false;
    Table table = {0};
    size_t kept = 0, count = row_count(large);
    index_rows(small, &table);
    for (size_t r = 0; r < count; r++) {
        const uint16_t *row = large->rows.items + r * large->arity;
        if (has_row(small, &table, row, columns))
            memmove(large->rows.items + kept++ * large->arity, row, large->arity * sizeof *row);
    }
    large->rows.count = kept * large->arity;
    table_free(&table);
    small->is_dropped = small->arity == large->arity;
    large->is_changed |= kept != count;
    large->is_cut |= kept != count;
    return kept != count || small->is_dropped;
}

static bool merge_tables(Preprocess *p) {
    bool changed = false;
    for (size_t i = 0; i < p->tables.count && !work_must_end((Deadline){0}, NULL); i++)
        for (size_t j = 0; j < p->tables.count; j++) {
            Work *small = &p->tables.items[i], *large = &p->tables.items[j];
            if (i == j || small->is_dropped || large->is_dropped || small->is_open ||
                large->is_open || small->arity > large->arity ||
                !(small->is_fresh || large->is_fresh))
                continue;
            changed |= cut_down(small, large);
        }
    return changed;
}

static void remove_column(Work *w, uint32_t column) {
    size_t count = row_count(w), at = 0;
    for (size_t r = 0; r < count; r++)
        for (uint32_t k = 0; k < w->arity; k++)
            if (k != column)
                w->rows.items[at++] = w->rows.items[r * w->arity + k];
    memmove(w->scope + column, w->scope + column + 1, (w->arity - column - 1) * sizeof *w->scope);
    w->arity--;
    w->rows.count = at;
    remove_doubles(w);
}

/* True if every value of the column occurs together with every combination in the other columns. */
static bool is_universal(const Preprocess *p, const Work *w, uint32_t column) {
    size_t count = row_count(w);
    if (count % solver_size(p->solver, w->scope[column]))
        return false;
    Work rest = {.arity = w->arity};
    memcpy(rest.scope, w->scope, w->arity * sizeof *w->scope);
    vector_append(&rest.rows, w->rows.items, w->rows.count);
    remove_column(&rest, column);
    size_t others = rest.arity ? row_count(&rest) : count > 0;
    bool result = others * solver_size(p->solver, w->scope[column]) == count;
    vector_free(&rest.rows);
    return result;
}

static bool drop_universal(const Preprocess *p, Work *w) {
    bool changed = false;
    for (;;) {
        uint32_t widest = w->arity, size = 0;
        for (uint32_t k = 0; k < w->arity; k++)
            if (solver_size(p->solver, w->scope[k]) > size && is_universal(p, w, k)) {
                widest = k;
                size = solver_size(p->solver, w->scope[k]);
            }
        if (widest == w->arity)
            return changed;
        changed = w->is_changed = w->is_cut = true;
        if (w->arity == 1) {
            w->is_dropped = true;
            return true;
        }
        remove_column(w, widest);
    }
}

/* Replaces a table over one variable by the domain of that variable. */
static bool apply_unary(Preprocess *p, Work *w) {
    uint32_t x = w->scope[0], size = p->network->variables.items[x].size;
    bool holds = true;
    for (uint32_t v = 0; v < size && holds; v++) {
        bool found = false;
        for (size_t r = 0; r < w->rows.count; r++)
            found |= w->rows.items[r] == v;
        holds = found || solver_remove(p->solver, x, v);
    }
    w->is_dropped = true;
    return holds && solver_propagate(p->solver, PROPAGATE_GAC);
}

static bool simplify_table(Preprocess *p, Work *w, bool *changed) {
    bool is_filtered = filter_rows(p, w);
    *changed |= is_filtered;
    if (w->is_open)
        return w->rows.count > 0;
    if (is_filtered || w->is_fresh || w->is_changed)
        *changed |= drop_universal(p, w);
    if (!w->is_dropped && w->arity == 1) {
        *changed = true;
        return apply_unary(p, w);
    }
    return w->is_dropped || w->rows.count > 0;
}

/* The result is a network with the same policies, however early an interrupt ends it. */
static bool simplify(Preprocess *p) {
    bool changed = true, holds = true;
    while (changed && holds && !work_must_end((Deadline){0}, NULL)) {
        changed = merge_tables(p);
        for (size_t i = 0; i < p->tables.count && holds && !work_must_end((Deadline){0}, NULL); i++)
            if (!p->tables.items[i].is_dropped)
                holds = simplify_table(p, &p->tables.items[i], &changed);
        for (size_t i = 0; i < p->tables.count; i++) {
            p->tables.items[i].is_fresh = p->tables.items[i].is_changed;
            p->tables.items[i].is_changed = false;
        }
    }
    return holds;
}

static void copy_variables(const Preprocess *p, Scsp *out) {
    for (uint32_t x = 0; x < p->network->variables.count; x++) {
        ScspVariable variable = p->network->variables.items[x];
        variable.allowed = NULL;
        scsp_add_variable(out, variable);
        if (solver_size(p->solver, x) < variable.size)
            scsp_allow(out, x, p->solver->words + p->solver->domains[x]);
    }
}

/* Takes the original rows, before open columns were expanded. */
static void take_open_rows(const Preprocess *p, const ScspTable *table, Work *w) {
    vector_clear(&w->rows);
    for (uint32_t r = 0; r < table->rows->count; r++) {
        const uint16_t *row = table->rows->values + (size_t)r * w->arity;
        if (is_possible(p, w, row))
            vector_append(&w->rows, row, w->arity);
    }
}

static void copy_tables(const Preprocess *p, Scsp *out) {
    for (size_t i = 0; i < p->tables.count; i++) {
        Work *w = &p->tables.items[i];
        if (w->is_dropped)
            continue;
        if (!w->is_cut && !w->is_open)
            take_open_rows(p, &p->network->tables.items[i], w);
        scsp_add_rows(out, w->kind, w->scope, w->arity, w->rows.items, (uint32_t)row_count(w));
    }
}

/* Copies clauses without false literals, and leaves out satisfied clauses. */
static void copy_clauses(const Preprocess *p, Scsp *out) {
    const Scsp *n = p->network;
    VECTOR(ScspLiteral) kept = {0};
    for (size_t c = 0; c < n->clauses.count; c++) {
        bool is_satisfied = false;
        vector_clear(&kept);
        for (uint32_t i = 0; i < n->clauses.items[c].count; i++) {
            ScspLiteral l = n->literals.items[n->clauses.items[c].first + i];
            bool has = solver_has(p->solver, l.variable, l.value);
            bool is_fixed = has && solver_is_fixed(p->solver, l.variable);
            is_satisfied |= l.is_equal ? is_fixed : !has;
            if (l.is_equal ? has : !is_fixed)
                vector_push(&kept, l);
        }
        if (!is_satisfied)
            scsp_add_clause(out, n->clauses.items[c].kind, kept.items, (uint32_t)kept.count);
    }
    vector_free(&kept);
}

static void copy_rest(const Preprocess *p, Scsp *out) {
    const Scsp *n = p->network;
    for (size_t i = 0; i < n->functions.count; i++)
        scsp_add_function(out, scsp_scope(n, n->functions.items[i].first_scope),
                          n->functions.items[i].guard, n->functions.items[i].rules);
    for (size_t i = 0; i < n->softs.count; i++) {
        const ScspSoft *soft = &n->softs.items[i];
        scsp_add_soft(out, scsp_scope(n, soft->first_scope), soft->rows, soft->amounts,
                      soft->player);
    }
    for (size_t i = 0; i < n->chances.count; i++) {
        const ScspChances *c = &n->chances.items[i];
        scsp_add_chances(out, c->variable, scsp_scope(n, c->first_scope), c->parent_count,
                         c->weights);
    }
}

/* Simplifies the network for the current domains of the solver. */
static bool run(Scsp *out, const Scsp *network, Solver *solver) {
    Preprocess p = {.network = network, .solver = solver};
    *out = (Scsp){.player_count = network->player_count,
                  .unit = network->unit,
                  .least = network->least,
                  .most = network->most,
                  .is_cut_short = network->is_cut_short};
    for (size_t i = 0; i < network->tables.count && scsp_goes_on(out); i++)
        read_table(&p, &network->tables.items[i]);
    bool holds = out->is_cut_short || simplify(&p);
    copy_variables(&p, out);
    if (holds && scsp_goes_on(out)) {
        copy_tables(&p, out);
        copy_clauses(&p, out);
        copy_rest(&p, out);
    }
    for (size_t i = 0; i < p.tables.count; i++)
        vector_free(&p.tables.items[i].rows);
    vector_free(&p.tables);
    return holds;
}

bool preprocess(Scsp *smaller, const Scsp *network) {
    Solver *solver = solver_create(network);
    bool holds = !solver->is_failed;
    *smaller = (Scsp){0};
    if (holds)
        holds = run(smaller, network, solver);
    solver_free(solver);
    return holds;
}

/* Restricts the fluents to the values that were found so far. */
static bool restrict_fluents(Solver *s, const Template *t, uint64_t *const *found) {
    bool holds = solver_assign(s, t->terminal, 0);
    for (size_t i = 0; i < t->groups.count && holds; i++)
        for (uint32_t v = 0; v <= t->groups.items[i].fluents.count && holds; v++)
            holds = bitset_get(found[i], v) || solver_remove(s, t->currents[i], v);
    return solver_propagate(s, PROPAGATE_GAC) && holds;
}

static bool add_found(const Solver *s, const Template *t, uint64_t *const *found) {
    bool changed = false;
    for (size_t i = 0; i < t->groups.count; i++)
        for (uint32_t v = 0; v <= t->groups.items[i].fluents.count; v++)
            if (solver_has(s, t->nexts[i], v) && !bitset_get(found[i], v)) {
                bitset_set(found[i], v);
                changed = true;
            }
    return changed;
}

bool preprocess_turn(Scsp *smaller, const Template *t) {
    Solver *s = solver_create(&t->network);
    uint64_t **found = memory_zalloc((t->groups.count + 1) * sizeof *found);
    for (size_t i = 0; i < t->groups.count; i++) {
        size_t words = bitset_words(t->groups.items[i].fluents.count + 1);
        found[i] = memory_zalloc(words * sizeof **found);
        bitset_set(found[i], t->initial[i]);
    }
    *smaller = (Scsp){0};
    bool holds = !s->is_failed, changed = holds;
    while (changed && holds && scsp_goes_on(smaller)) {
        SolverMark mark = solver_mark(s);
        holds = restrict_fluents(s, t, found);
        changed = holds && add_found(s, t, found);
        if (holds && !changed)
            holds = run(smaller, &t->network, s);
        solver_undo(s, mark);
    }
    for (size_t i = 0; i < t->groups.count; i++)
        free(found[i]);
    free(found);
    solver_free(s);
    return holds;
}
