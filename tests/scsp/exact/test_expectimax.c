/* Compares search in networks with brute force. */
#include "scsp/exact/expectimax.h"

#include <math.h>

#include "../fractions.h"
#include "base/random.h"
#include "support.h"

enum { MOST = 6 };

static uint32_t add_variable(Scsp *n, bool is_stochastic, uint32_t size) {
    ScspVariable x = {.kind = is_stochastic ? VARIABLE_CHANCE : VARIABLE_ACTION,
                      .role = SCSP_NONE,
                      .size = size,
                      .is_stochastic = is_stochastic};
    return scsp_add_variable(n, x);
}

/* Variables x, y and z have three values, and y is drawn. x equals z, and the value is 1 if x + y
 * is at least 1. */
static void example(Scsp *n) {
    static const uint32_t sizes[2] = {3, 3}, equal[2] = {0, 2}, paid[2] = {0, 1};
    static const uint16_t same[] = {0, 0, 1, 1, 2, 2};
    static const uint32_t weights[] = {1, 1, 1};
    uint16_t pairs[18];
    int32_t amounts[9];
    *n = (Scsp){.player_count = 1, .unit = 1, .most = 1};
    add_variable(n, false, 3);
    add_variable(n, true, 3);
    add_variable(n, false, 3);
    scsp_add_chances(n, 1, NULL, 0, weights);
    scsp_add_table(n, CONSTRAINT_OTHER, equal, scsp_make_rows(n, same, 3, sizes, 2));
    for (uint16_t i = 0; i < 9; i++) {
        pairs[2 * i] = i / 3;
        pairs[2 * i + 1] = i % 3;
        amounts[i] = i > 0;
    }
    scsp_add_soft(n, paid, scsp_make_rows(n, pairs, 9, sizes, 2), amounts, 0);
}

Test(expectimax, small_example) {
    Scsp n;
    ExpectimaxResult result;
    ExpectimaxOptions options = {0};
    example(&n);
    expectimax_solve(&n, &options, &result);
    cr_assert_eq(result.end, EXPECTIMAX_SOLVED);
    cr_assert(fraction_is(policy_value(&result.policy, 0), 1, 1));
    policy_free(&result.policy);
    ScspLiteral zero = {0, 0, true};
    scsp_add_clause(&n, CONSTRAINT_OTHER, &zero, 1);
    expectimax_solve(&n, &options, &result);
    cr_assert(fraction_is(policy_value(&result.policy, 0), 2, 3));
    policy_free(&result.policy);
    options.window_given = true;
    options.alpha = 0;
    options.beta = 0.5;
    expectimax_solve(&n, &options, &result);
    cr_assert(result.value >= 0.5, "a policy that is good enough");
    cr_assert_neq(result.policy.root, POLICY_NONE);
    policy_free(&result.policy);
    scsp_free(&n);
}

static bool allows(const Scsp *n, const uint32_t *values) {
    for (size_t t = 0; t < n->tables.count; t++) {
        const TableRows *rows = n->tables.items[t].rows;
        const uint32_t *scope = scsp_scope(n, n->tables.items[t].first_scope);
        bool holds = false;
        for (uint32_t r = 0; r < rows->count && !holds; r++) {
            holds = true;
            for (uint32_t k = 0; k < rows->arity; k++)
                holds &= rows->values[r * rows->arity + k] == values[scope[k]];
        }
        if (!holds)
            return false;
    }
    return true;
}

static double paid(const Scsp *n, const uint32_t *values) {
    double sum = 0;
    for (size_t i = 0; i < n->softs.count; i++) {
        const ScspSoft *soft = &n->softs.items[i];
        const uint32_t *scope = scsp_scope(n, soft->first_scope);
        for (uint32_t r = 0; r < soft->rows->count; r++)
            if (soft->rows->values[2 * r] == values[scope[0]] &&
                soft->rows->values[2 * r + 1] == values[scope[1]]) {
                sum += (double)soft->amounts[r] / n->unit;
                break;
            }
    }
    return sum;
}

/* Computes the value by definition, without propagation. */
static double brute_force(const Scsp *n, uint32_t index, uint32_t *values) {
    if (index == n->variables.count)
        return allows(n, values) ? paid(n, values) : -INFINITY;
    const ScspVariable *x = &n->variables.items[index];
    double best = -INFINITY, sum = 0, total = 0;
    const ScspChances *chances = scsp_chances_of(n, index);
    uint32_t row =
        chances && chances->parent_count ? values[n->scopes.items[chances->first_scope]] : 0;
    for (uint32_t v = 0; v < x->size; v++) {
        uint32_t weight = chances ? chances->weights[row * x->size + v] : 0;
        values[index] = v;
        if (x->is_stochastic && !weight)
            continue;
        double r = brute_force(n, index + 1, values);
        best = r > best ? r : best;
        sum += weight ? weight * r : 0;
        total += weight;
    }
    return x->is_stochastic ? sum / total : best;
}

static void add_random_table(Scsp *n, Random *random) {
    uint32_t a = (uint32_t)random_below(random, n->variables.count);
    uint32_t b = (uint32_t)random_below(random, n->variables.count - 1);
    uint32_t scope[2] = {a, b + (b >= a)};
    uint32_t sizes[2] = {n->variables.items[scope[0]].size, n->variables.items[scope[1]].size};
    VECTOR(uint16_t) rows = {0};
    for (uint16_t i = 0; i < sizes[0]; i++)
        for (uint16_t j = 0; j < sizes[1]; j++)
            if (random_below(random, 8)) {
                vector_push(&rows, i);
                vector_push(&rows, j);
            }
    if (rows.count)
        scsp_add_table(n, CONSTRAINT_OTHER, scope,
                       scsp_make_rows(n, rows.items, (uint32_t)rows.count / 2, sizes, 2));
    vector_free(&rows);
}

static void add_random_payment(Scsp *n, Random *random) {
    uint32_t a = (uint32_t)random_below(random, n->variables.count);
    uint32_t b = (uint32_t)random_below(random, n->variables.count - 1);
    uint32_t scope[2] = {a, b + (b >= a)};
    uint32_t sizes[2] = {n->variables.items[scope[0]].size, n->variables.items[scope[1]].size};
    uint16_t rows[18];
    int32_t amounts[9];
    uint32_t count = 0;
    for (uint16_t i = 0; i < sizes[0]; i++)
        for (uint16_t j = 0; j < sizes[1]; j++) {
            rows[2 * count] = i;
            rows[2 * count + 1] = j;
            amounts[count++] = (int32_t)random_below(random, 11);
        }
    scsp_add_soft(n, scope, scsp_make_rows(n, rows, count, sizes, 2), amounts, 0);
    n->most += 10;
}

static void random_network(Scsp *n, Random *random) {
    *n = (Scsp){.player_count = 1, .unit = 20};
    uint32_t variables = 3 + (uint32_t)random_below(random, 4);
    for (uint32_t x = 0; x < variables; x++) {
        bool is_stochastic = random_below(random, 2);
        uint32_t size = 2 + (uint32_t)random_below(random, 2), weights[9];
        add_variable(n, is_stochastic, size);
        uint32_t parent = x ? (uint32_t)random_below(random, x) : 0;
        for (uint32_t i = 0; i < 9; i++)
            weights[i] = (uint32_t)random_below(random, 4) + (i % size == 0);
        if (is_stochastic)
            scsp_add_chances(n, x, &parent, x > 0, weights);
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (random_below(random, 2))
            add_random_table(n, random);
        add_random_payment(n, random);
    }
}

/* Compares search with windows and brute force on 10,000 random networks. */
Test(expectimax, agrees_with_brute_force) {
    Random random;
    random_seed(&random, 1);
    uint64_t solved = 0;
    for (int round = 0; round < 10000; round++) {
        Scsp n;
        uint32_t values[MOST];
        ExpectimaxResult plain, windowed, bounded;
        random_network(&n, &random);
        double expected = brute_force(&n, 0, values);
        expectimax_solve(&n, &(ExpectimaxOptions){.is_unwindowed = true}, &plain);
        expectimax_solve(&n, &(ExpectimaxOptions){0}, &windowed);
        cr_assert_eq(plain.end == EXPECTIMAX_SOLVED, expected > -INFINITY);
        cr_assert_eq(windowed.end, plain.end);
        cr_assert_leq(windowed.nodes, plain.nodes, "a window costs nothing");
        double alpha = random_double(&random), beta = alpha + random_double(&random) / 4;
        expectimax_solve(
            &n, &(ExpectimaxOptions){.window_given = true, .alpha = alpha, .beta = beta}, &bounded);
        if (plain.end == EXPECTIMAX_SOLVED) {
            solved++;
            cr_assert_float_eq(plain.value, expected, 1e-9);
            cr_assert_float_eq(windowed.value, expected, 1e-9);
            cr_assert_float_eq(rational_to_double(policy_value(&windowed.policy, 0)), expected,
                               1e-9);
            if (bounded.value > alpha + 1e-9 && bounded.value < beta - 1e-9)
                cr_assert_float_eq(bounded.value, expected, 1e-9);
            else if (bounded.value <= alpha + 1e-9)
                cr_assert(expected <= alpha + 1e-9);
            else
                cr_assert(expected >= beta - 1e-9);
        }
        policy_free(&plain.policy);
        policy_free(&windowed.policy);
        policy_free(&bounded.policy);
        scsp_free(&n);
    }
    cr_assert_gt(solved, 3000);
}
