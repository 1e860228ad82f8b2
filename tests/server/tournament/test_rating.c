/* Compares ratings with cases worked out by hand, and with players of known strength. */
#include "server/tournament/rating.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/memory.h"
#include "base/random.h"

#define assert_near(value, expected, tolerance)                                                    \
    cr_expect(fabs((value) - (expected)) < (tolerance), "%g, expected %g", value, expected)

/* Three wins of four give odds of 3 to 1, so the ratings are 400 log10(3) = 190.85 points apart.
 * The information about the difference is 4 * 3/4 * 1/4, so its error is 1 / sqrt(3/4) units of
 * 173.72 points; each player is half of that away from the mean. */
Test(rating, two_players_by_hand) {
    RatingResults results;
    Rating ratings[2];
    rating_start(&results, 2, 0);
    for (int i = 0; i < 4; i++)
        rating_add(&results, 0, 1, i < 3, 1);
    rating_compute(&results, ratings);
    assert_near(ratings[0].rating - ratings[1].rating, 400 * log10(3), 1e-3);
    assert_near(ratings[0].rating, 200 * log10(3), 1e-3);
    assert_near(ratings[0].error, 173.7177928 / sqrt(0.75) / 2, 1e-3);
    assert_near(ratings[1].error, ratings[0].error, 1e-9);
    rating_free(&results);
}

/* After one win, with a prior of weight 2, a is as far above the middle as b is below it, and the
 * derivative 1 - s(2r) + 1 - 2 s(r) is zero. With x = e^r and s(r) = x / (1 + x) this is x^3 - x^2
 * = 2, whose root is x = 1.69562. */
Test(rating, the_prior_by_hand) {
    RatingResults results;
    Rating ratings[2];
    rating_start(&results, 2, 2);
    rating_add(&results, 0, 1, 1, 1);
    rating_compute(&results, ratings);
    assert_near(ratings[0].rating, 400 * log10(1.69562077), 1e-3);
    assert_near(ratings[0].rating, -ratings[1].rating, 1e-6);
    rating_free(&results);
}

Test(rating, unbeaten_players_stay_finite) {
    RatingResults results;
    Rating ratings[3];
    rating_start(&results, 3, 1);
    for (int i = 0; i < 100; i++) {
        rating_add(&results, 0, 1, 1, 1);
        rating_add(&results, 1, 2, 1, 1);
    }
    rating_compute(&results, ratings);
    for (int i = 0; i < 3; i++)
        cr_expect(isfinite(ratings[i].rating) && isfinite(ratings[i].error));
    cr_expect(ratings[0].rating > ratings[1].rating && ratings[1].rating > ratings[2].rating);
    cr_expect(ratings[0].rating < 3000);
    rating_free(&results);
}

Test(rating, without_results_all_are_alike) {
    RatingResults results;
    Rating ratings[3];
    for (int prior = 0; prior < 2; prior++) {
        rating_start(&results, 3, prior);
        rating_compute(&results, ratings);
        for (int i = 0; i < 3; i++)
            assert_near(ratings[i].rating, 0.0, 1e-9);
        rating_free(&results);
    }
}

Test(rating, draws_are_half_wins) {
    RatingResults a, b;
    Rating one[2], two[2];
    rating_start(&a, 2, 1);
    rating_start(&b, 2, 1);
    for (int i = 0; i < 10; i++) {
        rating_add(&a, 0, 1, 0.5, 1);
        rating_add(&b, 0, 1, i % 2, 1);
    }
    rating_compute(&a, one);
    rating_compute(&b, two);
    assert_near(one[0].rating, two[0].rating, 1e-9);
    assert_near(one[0].error, two[0].error, 1e-9);
    rating_free(&a);
    rating_free(&b);
}

enum { PLAYERS = 6, MATCHES = 60, TRIALS = 200 };

/* Returns the sum of the squares of (estimate - truth) / error in one tournament among players 60
 * points apart. */
static double squared_deviations(uint64_t seed) {
    RatingResults results;
    Rating ratings[PLAYERS];
    Random random;
    double sum = 0;
    random_seed(&random, seed);
    rating_start(&results, PLAYERS, 0.01);
    for (size_t a = 0; a < PLAYERS; a++)
        for (size_t b = 0; b < a; b++)
            for (int i = 0; i < MATCHES; i++) {
                double p = 1 / (1 + pow(10, 60 * ((double)b - (double)a) / 400));
                rating_add(&results, a, b, random_double(&random) < p, 1);
            }
    rating_compute(&results, ratings);
    for (size_t a = 0; a < PLAYERS; a++) {
        double truth = 60 * ((double)a - (PLAYERS - 1) / 2.0);
        double off = (ratings[a].rating - truth) / ratings[a].error;
        cr_expect(fabs(off) < 5, "%g errors off", off);
        sum += off * off;
    }
    rating_free(&results);
    return sum;
}

/* Over many tournaments the errors are as large as stated. */
Test(rating, known_strengths_are_recovered) {
    double sum = 0;
    for (uint64_t seed = 0; seed < TRIALS; seed++)
        sum += squared_deviations(seed);
    assert_near(sum / (TRIALS * PLAYERS), 1.0, 0.15);
}
