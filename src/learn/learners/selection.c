/* A rate is the expected number of children of an individual, as in the thesis of 2013. */
#include "learn/learners/selection.h"

#include <assert.h>
#include <stdbool.h>

/* Scaled fitness of the best, as a multiple of the mean (thesis of 2013). */
static const double MULTIPLIER = 2;

Spread selection_spread(const double *fitness, size_t count) {
    assert(count > 0);
    Spread s = {fitness[0], fitness[0], 0};
    for (size_t i = 0; i < count; i++) {
        s.lowest = fitness[i] < s.lowest ? fitness[i] : s.lowest;
        s.highest = fitness[i] > s.highest ? fitness[i] : s.highest;
        s.mean += fitness[i] / (double)count;
    }
    return s;
}

void selection_rescale(const double *fitness, size_t count, double *scaled) {
    Spread s = selection_spread(fitness, count);
    double slope = 1, offset = 0;
    bool are_alike = s.highest - s.lowest < 1e-9;
    if (!are_alike && s.lowest > (MULTIPLIER * s.mean - s.highest) / (MULTIPLIER - 1)) {
        slope = (MULTIPLIER - 1) * s.mean / (s.highest - s.mean);
        offset = s.mean * (s.highest - MULTIPLIER * s.mean) / (s.highest - s.mean);
    } else if (!are_alike) {
        slope = s.mean / (s.mean - s.lowest);
        offset = -s.lowest * s.mean / (s.mean - s.lowest);
    }
    for (size_t i = 0; i < count; i++)
        scaled[i] = slope * fitness[i] + offset;
}

void selection_rates(const double *fitness, size_t count, double *rates) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += fitness[i] > 0 ? fitness[i] : 0;
    for (size_t i = 0; i < count; i++) {
        double own = fitness[i] > 0 ? fitness[i] : 0;
        rates[i] = sum > 0 ? own * (double)count / sum : 1;
    }
}

static uint32_t walk(const double *rates, size_t count, double spin) {
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++) {
        if (rates[i] <= 0)
            continue;
        last = (uint32_t)i;
        spin -= rates[i];
        if (spin <= 0)
            break;
    }
    return last;
}

void selection_spin(double *rates, size_t count, Random *random, uint32_t *parents) {
    for (size_t left = count; left > 0; left--) {
        uint32_t parent = walk(rates, count, random_double(random) * (double)left);
        rates[parent] = rates[parent] > 1 ? rates[parent] - 1 : 0;
        parents[count - left] = parent;
    }
}

void selection_universal(const double *rates, size_t count, Random *random, uint32_t *parents) {
    double pointer = random_double(random), passed = 0;
    size_t drawn = 0;
    for (size_t i = 0; i < count; i++) {
        passed += rates[i];
        while (drawn < count && (pointer < passed || i + 1 == count)) {
            parents[drawn++] = (uint32_t)i;
            pointer += 1;
        }
    }
    random_shuffle(random, parents, count);
}
