/* The log-likelihood is concave, so that Newton steps find its only maximum; a step is halved while
 * it leads down. The negative matrix of second derivatives is the information matrix. Its inverse,
 * without the direction in which all ratings change alike, contains the squared standard errors. */
#include "server/tournament/rating.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    NEWTON_STEPS = 100,
    HALVINGS = 40
}; /* limits; convergence takes about ten steps (untuned) */
static const double points_per_unit = 173.71779276130073; /* 400 / ln 10 */
/* The iteration ends at steps below this share of the largest strength (untuned). */
static const double small_step = 1e-10;

void rating_start(RatingResults *results, size_t count, double prior) {
    assert(prior >= 0);
    *results = (RatingResults){count, prior, memory_zalloc(count * count * sizeof(double))};
}

void rating_free(RatingResults *results) {
    free(results->wins);
    results->wins = NULL;
}

void rating_add(RatingResults *results, size_t a, size_t b, double score, double weight) {
    assert(a != b && a < results->count && b < results->count && score >= 0 && score <= 1);
    results->wins[a * results->count + b] += weight * score;
    results->wins[b * results->count + a] += weight * (1 - score);
}

static double chance(double difference) {
    return 1 / (1 + exp(-difference));
}

/* Computes log(chance(difference)) without overflow. */
static double log_chance(double difference) {
    return difference < 0 ? difference - log1p(exp(difference)) : -log1p(exp(-difference));
}

static double log_likelihood(const RatingResults *results, const double *strengths) {
    size_t n = results->count;
    double sum = 0;
    for (size_t a = 0; a < n; a++) {
        sum += results->prior / 2 * (log_chance(strengths[a]) + log_chance(-strengths[a]));
        for (size_t b = 0; b < n; b++)
            if (results->wins[a * n + b] > 0)
                sum += results->wins[a * n + b] * log_chance(strengths[a] - strengths[b]);
    }
    return sum;
}

/* Computes the first derivatives, and the negative second derivatives, which form a positive
 * definite matrix. */
static void differentiate(const RatingResults *results, const double *strengths, double *slope,
                          double *information) {
    size_t n = results->count;
    memset(information, 0, n * n * sizeof *information);
    for (size_t a = 0; a < n; a++) {
        double p = chance(strengths[a]);
        slope[a] = results->prior * (0.5 - p);
        information[a * n + a] = results->prior * p * (1 - p);
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a; b++) {
            double won = results->wins[a * n + b], met = won + results->wins[b * n + a];
            double p = chance(strengths[a] - strengths[b]), weight = met * p * (1 - p);
            slope[a] += won - met * p;
            slope[b] -= won - met * p;
            information[a * n + a] += weight;
            information[b * n + b] += weight;
            information[a * n + b] -= weight;
            information[b * n + a] -= weight;
        }
}

/* Computes the Cholesky factor of a positive definite matrix, in its lower half. A pivot that
 * consists of rounding errors belongs to a direction without any results. It is replaced by a large
 * number, so that nothing changes in that direction. */
static void factorise(double *matrix, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = matrix[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= matrix[i * n + k] * matrix[j * n + k];
            if (i != j)
                matrix[i * n + j] = sum / matrix[j * n + j];
            else
                matrix[i * n + i] = sum > 1e-12 ? sqrt(sum) : 1e6;
        }
}

static void solve(const double *factor, size_t n, double *vector) {
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            vector[i] -= factor[i * n + k] * vector[k];
        vector[i] /= factor[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            vector[i] -= factor[k * n + i] * vector[k];
        vector[i] /= factor[i * n + i];
    }
}

/* Makes the step, halved until the likelihood grows. False if it never does. */
static bool climb(const RatingResults *results, double *strengths, const double *step,
                  double *trial) {
    size_t n = results->count;
    double before = log_likelihood(results, strengths), length = 1, largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(step[i]));
    if (largest < small_step)
        return false;
    for (int i = 0; i < HALVINGS; i++, length /= 2) {
        for (size_t k = 0; k < n; k++)
            trial[k] = strengths[k] + length * step[k];
        if (log_likelihood(results, trial) > before) {
            memcpy(strengths, trial, n * sizeof *strengths);
            return true;
        }
    }
    return false;
}

/* Returns the variance of the difference between one player's strength and the mean of all. */
static double variance(const double *factor, size_t n, size_t player, double *vector) {
    for (size_t i = 0; i < n; i++)
        vector[i] = (i == player) - 1.0 / (double)n;
    solve(factor, n, vector);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ((i == player) - 1.0 / (double)n) * vector[i];
    return sum > 0 ? sum : 0;
}

void rating_compute(const RatingResults *results, Rating *ratings) {
    size_t n = results->count;
    double *strengths = memory_zalloc(n * sizeof *strengths);
    double *slope = memory_zalloc(n * sizeof *slope);
    double *trial = memory_zalloc(n * sizeof *trial);
    double *information = memory_zalloc(n * n * sizeof *information);
    double mean = 0;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        differentiate(results, strengths, slope, information);
        factorise(information, n);
        solve(information, n, slope);
        if (!climb(results, strengths, slope, trial))
            break;
    }
    differentiate(results, strengths, slope, information);
    factorise(information, n);
    for (size_t i = 0; i < n; i++)
        mean += strengths[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        ratings[i] = (Rating){points_per_unit * (strengths[i] - mean),
                              points_per_unit * sqrt(variance(information, n, i, trial))};
    memory_free(strengths, slope, trial, information);
}
