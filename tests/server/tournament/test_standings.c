/* Tests the computation of standings from results. */
#include "server/tournament/standings.h"

#include "server/invent.h"

Test(standings, goals_decide) {
    Definition d;
    Jobs jobs = {0};
    Standings s;
    define(&d, FORMAT_ROUND_ROBIN, 3);
    add_game(&d, 2, 2);
    add_game(&d, 1, 1);
    cr_assert(pairing_next(&d, &jobs));
    standings_compute(&s, &d, &jobs);
    cr_expect_eq(s.played, 0);
    cr_expect(s.items[2].place == 1 && s.items[2].matches == 0 && s.items[2].high == 100);
    standings_free(&s);
    play_jobs(&jobs, better_wins, NULL);
    standings_compute(&s, &d, &jobs);
    cr_expect_eq(s.played, 9);
    /* Player 0 wins four matches and the game for one player, with 100 each. */
    cr_expect(s.items[0].player == 0 && s.items[0].wins == 5 && s.items[0].score == 500);
    cr_expect(s.items[1].player == 1 && s.items[1].wins == 2 && s.items[1].losses == 3);
    cr_expect(s.items[2].player == 2 && s.items[2].wins == 0 && s.items[2].score == 98);
    cr_expect_eq(s.items[2].place, 3);
    cr_expect_eq(s.against[0 * 3 + 2].score, 3);
    cr_expect(s.items[0].rating.rating > s.items[1].rating.rating);
    standings_free(&s);
    jobs_free(&jobs);
    definition_free(&d);
}

Test(standings, wilson) {
    double low, high;
    /* 8 of 10 is a textbook case. */
    wilson_interval(0.8, 10, &low, &high);
    cr_expect(low > 0.4901 && low < 0.4903 && high > 0.9433 && high < 0.9434, "%g %g", low, high);
    wilson_interval(1, 10, &low, &high);
    cr_expect(low > 0.72 && low < 0.73 && high > 0.9999);
    wilson_interval(0, 0, &low, &high);
    cr_expect(low == 0 && high == 1);
}
