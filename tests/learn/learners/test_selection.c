/* Tests selection: scaling keeps the mean fitness, and samplers draw each parent as often as
 * expected, within known bounds. */
#include <math.h>

#include "../material.h"
#include "learn/learners/selection.h"

TestSuite(selection, .timeout = 600);

enum { PEOPLE = 40 };

static void draw_fitness(Random *random, double *fitness) {
    for (int i = 0; i < PEOPLE; i++)
        fitness[i] = 100 * pow(random_double(random), 3);
}

static double mean_of(const double *values) {
    double sum = 0;
    for (int i = 0; i < PEOPLE; i++)
        sum += values[i];
    return sum / PEOPLE;
}

Test(selection, scaling_keeps_the_mean) {
    Random random;
    double fitness[PEOPLE], scaled[PEOPLE];
    random_seed(&random, 3);
    for (int round = 0; round < 1000; round++) {
        double highest = 0, lowest = INFINITY;
        draw_fitness(&random, fitness);
        selection_rescale(fitness, PEOPLE, scaled);
        double mean = mean_of(fitness);
        cr_assert_float_eq(mean_of(scaled), mean, 1e-9);
        for (int i = 0; i < PEOPLE; i++) {
            highest = scaled[i] > highest ? scaled[i] : highest;
            lowest = scaled[i] < lowest ? scaled[i] : lowest;
        }
        cr_assert_geq(lowest, -1e-9);
        cr_assert(fabs(highest - 2 * mean) < 1e-9 || fabs(lowest) < 1e-9);
    }
    for (int i = 0; i < PEOPLE; i++)
        fitness[i] = 42;
    selection_rescale(fitness, PEOPLE, scaled);
    cr_assert_float_eq(scaled[7], 42, 1e-9);
}

/* The wheel draws the exact number of parents, none more often than its rate rounded up. It favours
 * the least fit, as measured for the wheel of the thesis. */
Test(selection, the_wheel_is_bounded_and_biased) {
    Random random;
    double fitness[PEOPLE], rates[PEOPLE], due[PEOPLE];
    double poor_due = 0, poor_drawn = 0, rich_due = 0, rich_drawn = 0;
    uint32_t parents[PEOPLE];
    random_seed(&random, 4);
    for (int round = 0; round < 10000; round++) {
        unsigned drawn[PEOPLE] = {0};
        draw_fitness(&random, fitness);
        selection_rates(fitness, PEOPLE, rates);
        memcpy(due, rates, sizeof due);
        selection_spin(rates, PEOPLE, &random, parents);
        for (int i = 0; i < PEOPLE; i++)
            drawn[parents[i]]++;
        for (int i = 0; i < PEOPLE; i++) {
            cr_assert_leq(drawn[i], ceil(due[i]));
            poor_due += due[i] < 0.5 ? due[i] : 0;
            poor_drawn += due[i] < 0.5 ? drawn[i] : 0;
            rich_due += due[i] > 1 ? due[i] : 0;
            rich_drawn += due[i] > 1 ? drawn[i] : 0;
        }
    }
    cr_log_info("of their due, those below a half get %.3f, those above one %.3f",
                poor_drawn / poor_due, rich_drawn / rich_due);
    cr_assert_float_eq(poor_drawn / poor_due, 1.835, 0.02);
    cr_assert_float_eq(rich_drawn / rich_due, 0.929, 0.005);
}

/* Every parent is drawn within one of its expected number in every round, and within 1 % on
 * average. The mean of these rounds has that precision only if five standard errors are less than 1
 * %, which does not hold for the least fit: each of them must be within five standard errors, and
 * all together within 1 %. */
Test(selection, universal_sampling_gives_what_is_due) {
    enum { ROUNDS = 300000 };
    Random random;
    double fitness[PEOPLE], rates[PEOPLE], total[PEOPLE] = {0};
    double poor_due = 0, poor_drawn = 0;
    uint32_t parents[PEOPLE], known = 0;
    bool is_near = true;
    random_seed(&random, 5);
    draw_fitness(&random, fitness);
    selection_rates(fitness, PEOPLE, rates);
    for (int round = 0; round < ROUNDS; round++) {
        unsigned drawn[PEOPLE] = {0};
        selection_universal(rates, PEOPLE, &random, parents);
        for (int i = 0; i < PEOPLE; i++)
            drawn[parents[i]]++;
        for (int i = 0; i < PEOPLE; i++) {
            is_near = is_near && fabs(drawn[i] - rates[i]) < 1;
            total[i] += drawn[i];
        }
    }
    cr_assert(is_near);
    for (int i = 0; i < PEOPLE; i++) {
        double part = rates[i] - floor(rates[i]);
        double error = sqrt(part * (1 - part) / ROUNDS), mean = total[i] / ROUNDS;
        bool is_known = 5 * error < 0.01 * rates[i];
        cr_assert_leq(fabs(mean - rates[i]), is_known ? 0.01 * rates[i] : 5 * error, "%g for %g",
                      mean, rates[i]);
        known += is_known;
        poor_due += is_known ? 0 : rates[i];
        poor_drawn += is_known ? 0 : mean;
    }
    cr_log_info("%u of %d within 1 %% one by one, the others %.5f of their due", known, PEOPLE,
                poor_drawn / poor_due);
    cr_assert_geq(known, PEOPLE / 2);
    cr_assert_float_eq(poor_drawn / poor_due, 1, 0.01);
}
