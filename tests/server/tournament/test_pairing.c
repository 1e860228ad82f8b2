/* Tests pairings with invented results: who meets whom, how often and on which seat. */
#include "server/tournament/pairing.h"

#include "server/invent.h"

static void play_all(const Definition *d, Jobs *jobs, Referee *referee, uint64_t seed) {
    Random random;
    random_seed(&random, seed);
    while (pairing_next(d, jobs))
        play_jobs(jobs, referee, &random);
}

static uint32_t times_on_seat(const Jobs *jobs, uint32_t player, uint32_t seat) {
    uint32_t count = 0;
    for (size_t i = 0; i < jobs->items.count; i++)
        count += jobs->items.items[i].players[seat] == player;
    return count;
}

static bool takes_part(const Job *job, uint32_t player) {
    for (uint32_t s = 0; s < job->seat_count; s++)
        if (job->players[s] == player)
            return true;
    return false;
}

static uint32_t meetings(const Jobs *jobs, uint32_t a, uint32_t b) {
    uint32_t count = 0;
    for (size_t i = 0; i < jobs->items.count; i++)
        count += takes_part(&jobs->items.items[i], a) && takes_part(&jobs->items.items[i], b);
    return count;
}

Test(pairing, round_robin_in_games_for_two) {
    for (uint32_t n = 2; n < 10; n++)
        for (uint32_t matches = 1; matches < 4; matches++) {
            Definition d;
            Jobs jobs = {0};
            define(&d, FORMAT_ROUND_ROBIN, n);
            add_game(&d, 2, matches);
            cr_assert(pairing_next(&d, &jobs));
            cr_expect_eq(jobs.items.count, pairing_total(&d));
            for (uint32_t a = 0; a < n; a++) {
                for (uint32_t b = 0; b < a; b++)
                    cr_expect_eq(meetings(&jobs, a, b), matches);
                int first = (int)times_on_seat(&jobs, a, 0),
                    second = (int)times_on_seat(&jobs, a, 1);
                cr_expect(abs(first - second) <= (matches % 2 ? 1 : 0), "%d and %d", first, second);
            }
            cr_expect(!pairing_next(&d, &jobs));
            jobs_free(&jobs);
            definition_free(&d);
        }
}

Test(pairing, everybody_has_every_seat) {
    for (uint32_t n = 2; n < 9; n++)
        for (uint32_t seats = 3; seats < 6; seats++) {
            Definition d;
            Jobs jobs = {0};
            define(&d, FORMAT_ROUND_ROBIN, n);
            add_game(&d, seats, seats);
            cr_assert(pairing_next(&d, &jobs));
            cr_expect_eq(jobs.items.count, pairing_total(&d));
            for (uint32_t p = 0; p < n; p++)
                for (uint32_t s = 0; s < seats; s++)
                    cr_expect_eq(times_on_seat(&jobs, p, s), times_on_seat(&jobs, 0, 0));
            cr_expect_gt(times_on_seat(&jobs, 0, 0), 0);
            jobs_free(&jobs);
            definition_free(&d);
        }
}

Test(pairing, alone_in_games_for_one) {
    Definition d;
    Jobs jobs = {0};
    define(&d, FORMAT_ROUND_ROBIN, 5);
    add_game(&d, 1, 3);
    cr_assert(pairing_next(&d, &jobs));
    cr_expect_eq(jobs.items.count, 15);
    for (uint32_t p = 0; p < 5; p++)
        cr_expect_eq(times_on_seat(&jobs, p, 0), 3);
    jobs_free(&jobs);
    definition_free(&d);
}

Test(pairing, duels) {
    Definition d;
    Jobs jobs = {0};
    define(&d, FORMAT_DUEL, 2);
    add_game(&d, 2, 7);
    add_game(&d, 3, 3);
    play_all(&d, &jobs, anything, 1);
    cr_expect_eq(jobs.items.count, 10);
    cr_expect_eq(pairing_total(&d), 10);
    for (size_t i = 0; i < 7; i++)
        cr_expect_eq(jobs.items.items[i].players[i % 2], 0);
    jobs_free(&jobs);
    definition_free(&d);
}

/* Each player plays at most once per round. No two players meet twice as long as there are few
 * rounds, and byes alternate. */
Test(pairing, swiss_without_repetition) {
    for (uint32_t n = 2; n < 14; n++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            Definition d;
            Jobs jobs = {0};
            define(&d, FORMAT_SWISS, n);
            add_game(&d, 2, 1);
            /* With at most half as many rounds as players a pairing always exists (Dirac). */
            d.rounds = n < 4 ? 1 : n / 2;
            play_all(&d, &jobs, anything, seed);
            cr_expect_eq(jobs.items.count, d.rounds * (n / 2));
            for (uint32_t a = 0; a < n; a++) {
                uint32_t played = 0;
                for (uint32_t b = 0; b < n; b++) {
                    if (a == b)
                        continue;
                    cr_expect_leq(meetings(&jobs, a, b), 1);
                    played += meetings(&jobs, a, b);
                }
                cr_expect_geq(played + n % 2, d.rounds);
            }
            jobs_free(&jobs);
            definition_free(&d);
        }
}

Test(pairing, swiss_repeats_when_it_must) {
    Definition d;
    Jobs jobs = {0};
    define(&d, FORMAT_SWISS, 3);
    add_game(&d, 2, 2);
    d.rounds = 6;
    play_all(&d, &jobs, better_wins, 1);
    cr_expect_eq(jobs.items.count, 12);
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t b = 0; b < a; b++)
            cr_expect_eq(meetings(&jobs, a, b), 4);
    double points[3];
    pairing_points(&d, &jobs, points);
    cr_expect_eq(points[0], 6);
    cr_expect_eq(points[1], 4);
    cr_expect_eq(points[2], 2);
    jobs_free(&jobs);
    definition_free(&d);
}

Test(pairing, the_best_wins_a_knockout) {
    for (uint32_t n = 2; n < 20; n++) {
        Definition d;
        Jobs jobs = {0};
        double points[20], best = 0;
        define(&d, FORMAT_KNOCKOUT, n);
        add_game(&d, 2, 2);
        add_game(&d, 1, 1);
        play_all(&d, &jobs, better_wins, 1);
        cr_expect_eq(jobs.items.count, 4 * (n - 1));
        cr_expect_eq(jobs.items.count, pairing_total(&d));
        pairing_points(&d, &jobs, points);
        for (uint32_t p = 1; p < n; p++)
            best = points[p] > best ? points[p] : best;
        cr_expect_gt(points[0], best);
        cr_expect_eq(points[1], best);
        jobs_free(&jobs);
        definition_free(&d);
    }
}

Test(pairing, drawn_knockouts_are_replayed) {
    Definition d;
    Jobs jobs = {0};
    double points[4];
    define(&d, FORMAT_KNOCKOUT, 4);
    add_game(&d, 2, 1);
    play_all(&d, &jobs, all_draw, 1);
    cr_expect_eq(jobs.items.count, 3 * 3);
    pairing_points(&d, &jobs, points);
    cr_expect(points[0] == 2 && points[1] == 1 && points[2] == 0 && points[3] == 0);
    jobs_free(&jobs);
    definition_free(&d);
}
