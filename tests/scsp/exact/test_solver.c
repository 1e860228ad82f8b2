/* Tests exact fractions, and compares propagation with enumeration. */
#include "scsp/exact/solver.h"

#include "../fractions.h"
#include "base/clock.h"
#include "base/random.h"
#include "support.h"

Test(rational, adds_and_multiplies_without_rounding) {
    Rational third = rational_of(2, 6), sum = {0, 1};
    for (int i = 0; i < 3; i++)
        sum = rational_add(sum, third);
    cr_assert(fraction_is(sum, 1, 1));
    cr_assert(fraction_is(rational_multiply(rational_of(3, 8), rational_of(2, 9)), 1, 12));
    Text text = {0};
    rational_write(rational_of(107, 288), &text);
    cr_assert_str_eq(text.items, "107/288");
    vector_free(&text);
}

Test(rational, says_so_when_it_does_not_fit) {
    Rational small = rational_of(1, UINT64_MAX);
    Rational smaller = rational_multiply(small, small);
    cr_assert(rational_is_exact(smaller));
    cr_assert(!rational_is_exact(rational_multiply(smaller, small)));
    cr_assert(!rational_is_exact(rational_add(rational_of(1, 2), (Rational){0, 0})));
}

static uint32_t add_plain_variable(Scsp *n, uint32_t size) {
    return scsp_add_variable(
        n, (ScspVariable){.kind = VARIABLE_ACTION, .role = SCSP_NONE, .size = size});
}

/* A random table; with probability 1/8 a column of a row is left open. */
static TableRows *random_rows(Scsp *n, const uint32_t *scope, uint32_t arity, uint32_t count,
                              Random *random) {
    VECTOR(uint16_t) values = {0};
    uint32_t sizes[8];
    for (uint32_t k = 0; k < arity; k++)
        sizes[k] = n->variables.items[scope[k]].size;
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t k = 0; k < arity; k++)
            vector_push(&values, random_below(random, 8) ? (uint16_t)random_below(random, sizes[k])
                                                         : VALUE_ANY);
    TableRows *rows = scsp_make_rows(n, values.items, count, sizes, arity);
    vector_free(&values);
    return rows;
}

/* Looks for a support by going through all rows. */
static bool has_support(const Solver *s, const ScspTable *t, uint32_t column, uint32_t value) {
    const uint32_t *scope = scsp_scope(s->network, t->first_scope);
    for (uint32_t r = 0; r < t->rows->count; r++) {
        bool fits = true;
        for (uint32_t k = 0; k < t->rows->arity && fits; k++) {
            uint16_t v = t->rows->values[r * t->rows->arity + k];
            fits = v == VALUE_ANY || (k == column ? v == value : solver_has(s, scope[k], v));
        }
        if (fits)
            return true;
    }
    return false;
}

static void assert_consistent(Solver *s) {
    for (size_t t = 0; t < s->network->tables.count; t++) {
        const ScspTable *table = &s->network->tables.items[t];
        const uint32_t *scope = scsp_scope(s->network, table->first_scope);
        for (uint32_t k = 0; k < table->rows->arity; k++)
            for (uint32_t v = 0; v < s->network->variables.items[scope[k]].size; v++)
                cr_assert(!solver_has(s, scope[k], v) || has_support(s, table, k, v));
    }
}

/* Computes the fixpoint of the naive filter, in its own domains. */
static bool filter_naively(const Scsp *n, uint64_t *domains) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t t = 0; t < n->tables.count; t++) {
            const TableRows *rows = n->tables.items[t].rows;
            const uint32_t *scope = scsp_scope(n, n->tables.items[t].first_scope);
            uint64_t kept[8] = {0};
            for (uint32_t r = 0; r < rows->count; r++) {
                const uint16_t *row = rows->values + (size_t)r * rows->arity;
                bool fits = true;
                for (uint32_t k = 0; k < rows->arity && fits; k++)
                    fits = row[k] == VALUE_ANY || domains[scope[k]] >> row[k] & 1;
                for (uint32_t k = 0; k < rows->arity && fits; k++)
                    kept[k] |= row[k] == VALUE_ANY ? ~0ull : 1ull << row[k];
            }
            for (uint32_t k = 0; k < rows->arity; k++) {
                changed |= (domains[scope[k]] & ~kept[k]) != 0;
                domains[scope[k]] &= kept[k];
                if (!domains[scope[k]])
                    return false;
            }
        }
    }
    return true;
}

static void random_network(Scsp *n, Random *random) {
    uint32_t variables = 3 + (uint32_t)random_below(random, 3);
    uint32_t tables = 1 + (uint32_t)random_below(random, 3);
    for (uint32_t x = 0; x < variables; x++)
        add_plain_variable(n, 2 + (uint32_t)random_below(random, 4));
    for (uint32_t t = 0; t < tables; t++) {
        uint32_t scope[3] = {0, 1, 2};
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t other = (uint32_t)random_below(random, variables);
            bool is_new = other != scope[0] && other != scope[1] && other != scope[2];
            scope[k] = is_new ? other : scope[k];
        }
        uint32_t rows = 1 + (uint32_t)random_below(random, 100);
        scsp_add_table(n, CONSTRAINT_OTHER, scope, random_rows(n, scope, 3, rows, random));
    }
}

Test(solver, compact_tables_filter_as_enumeration_does) {
    Random random;
    random_seed(&random, 5);
    for (int round = 0; round < 10000; round++) {
        Scsp n = {0};
        uint64_t domains[8];
        random_network(&n, &random);
        Solver *s = solver_create(&n);
        for (uint32_t x = 0; x < n.variables.count; x++)
            domains[x] = (1ull << n.variables.items[x].size) - 1;
        bool holds = filter_naively(&n, domains);
        cr_assert_eq(s->is_failed, !holds);
        uint32_t x = (uint32_t)random_below(&random, n.variables.count);
        for (int tries = 0; holds && tries < 2; tries++) {
            uint64_t before[8], *d = before;
            memcpy(before, domains, sizeof before);
            uint32_t value = solver_value(s, x);
            SolverMark mark = solver_mark(s);
            bool goes_on = solver_assign(s, x, value) && solver_propagate(s, PROPAGATE_GAC);
            d[x] = 1ull << value;
            cr_assert_eq(goes_on, filter_naively(&n, d));
            for (uint32_t y = 0; goes_on && y < n.variables.count; y++)
                cr_assert_eq(s->words[s->domains[y]], d[y]);
            solver_undo(s, mark);
            for (uint32_t y = 0; y < n.variables.count; y++)
                cr_assert_eq(s->words[s->domains[y]], domains[y]);
            x = (x + 1) % (uint32_t)n.variables.count;
        }
        if (holds)
            assert_consistent(s);
        solver_free(s);
        scsp_free(&n);
    }
}

/* Assigns the values of one variable one after the other, on a table of 10^5 rows. */
Test(solver, compact_tables_are_ten_times_faster_on_large_tables) {
    enum { ROWS = 100000, SIZE = 60, ARITY = 4 };
    Random random;
    random_seed(&random, 9);
    Scsp n = {0};
    uint32_t scope[ARITY];
    for (uint32_t k = 0; k < ARITY; k++)
        scope[k] = add_plain_variable(&n, SIZE);
    scsp_add_table(&n, CONSTRAINT_OTHER, scope, random_rows(&n, scope, ARITY, ROWS, &random));
    Solver *s = solver_create(&n);
    double started = clock_thread_cpu_seconds();
    for (uint32_t a = 0; a < SIZE; a++) {
        SolverMark mark = solver_mark(s);
        bool holds = solver_assign(s, 0, a) && solver_propagate(s, PROPAGATE_GAC);
        for (uint32_t b = 0; b < 3 && holds; b++) {
            SolverMark inner = solver_mark(s);
            if (solver_assign(s, 1, b))
                solver_propagate(s, PROPAGATE_GAC);
            solver_undo(s, inner);
        }
        solver_undo(s, mark);
    }
    double compact = clock_thread_cpu_seconds() - started;
    started = clock_thread_cpu_seconds();
    for (uint32_t a = 0; a < SIZE; a++)
        for (uint32_t b = 0; b < 4; b++) {
            uint64_t d[ARITY];
            for (uint32_t k = 0; k < ARITY; k++)
                d[k] = (1ull << SIZE) - 1;
            d[0] = 1ull << a;
            if (b)
                d[1] = 1ull << (b - 1);
            filter_naively(&n, d);
        }
    double naive = clock_thread_cpu_seconds() - started;
    cr_assert(compact * 10 < naive, "%.4f s against %.4f s", compact, naive);
    solver_free(s);
    scsp_free(&n);
}

static bool count_solution(Solver *s, void *context) {
    (void)s;
    ++*(uint64_t *)context;
    return true;
}

/* Clauses with several values per variable: MAC and enumeration count the same solutions. */
Test(solver, mac_finds_all_solutions_of_clauses) {
    Random random;
    random_seed(&random, 3);
    for (int round = 0; round < 1000; round++) {
        Scsp n = {0};
        uint32_t variables[4];
        for (uint32_t x = 0; x < 4; x++)
            variables[x] = add_plain_variable(&n, 3);
        for (int c = 0; c < 8; c++) {
            ScspLiteral clause[3];
            uint32_t count = 1 + (uint32_t)random_below(&random, 3);
            for (uint32_t i = 0; i < count; i++)
                clause[i] = (ScspLiteral){(uint32_t)random_below(&random, 4),
                                          (uint16_t)random_below(&random, 3),
                                          count > 1 && random_below(&random, 2)};
            scsp_add_clause(&n, CONSTRAINT_OTHER, clause, count);
        }
        uint64_t expected = 0, found = 0;
        for (uint32_t code = 0; code < 81; code++) {
            uint32_t values[4] = {code % 3, code / 3 % 3, code / 9 % 3, code / 27};
            bool holds = true;
            for (size_t c = 0; c < n.clauses.count && holds; c++) {
                holds = false;
                for (uint32_t i = 0; i < n.clauses.items[c].count; i++) {
                    ScspLiteral l = n.literals.items[n.clauses.items[c].first + i];
                    holds |= (values[l.variable] == l.value) == l.is_equal;
                }
            }
            expected += holds;
        }
        Solver *s = solver_create(&n);
        if (!s->is_failed)
            solver_enumerate_solutions(s, variables, 4, count_solution, &found);
        cr_assert_eq(found, expected);
        solver_free(s);
        scsp_free(&n);
    }
}
