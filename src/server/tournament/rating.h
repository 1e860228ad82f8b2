/* Ratings of players from comparisons of pairs: the model of Bradley and Terry (1952) on Elo's
 * scale. Player a beats b with probability 1 / (1 + 10^((b - a) / 400)); a draw is half a win for
 * each. The ratings are those that make the results most likely, found by Newton's method. */
#pragma once

#include <stddef.h>

/* Each player also gets a drawn match of weight `prior` against a player in the middle of the
 * scale, so that players who won or lost everything have finite ratings. */
typedef struct {
    size_t count;
    double prior; /* weight of the drawn match; above 0 unless results connect all players */
    double *wins; /* wins[a * count + b]: weighted wins of a against b; a draw counts half */
} RatingResults;

typedef struct {
    double rating; /* Elo points; the mean of all players is 0 */
    double error;  /* standard error of the difference from that mean, Elo points */
} Rating;

/* Initialises the results without any comparison. */
void rating_start(RatingResults *results, size_t count, double prior);
/* Adds a comparison: score 1 if a won, 0.5 for a draw, 0 if b won. */
void rating_add(RatingResults *results, size_t a, size_t b, double score, double weight);
/* Fills one rating for each player. */
void rating_compute(const RatingResults *results, Rating *ratings);
void rating_free(RatingResults *results);
