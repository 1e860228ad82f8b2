/* Tournaments without matches: games that have only seats, and invented results. */
#ifndef MARELLE_TESTS_SERVER_INVENT_H
#define MARELLE_TESTS_SERVER_INVENT_H

#include "server/tournament/pairing.h"
#include "support.h"

__attribute__((unused)) static void define(Definition *d, TournamentFormat format,
                                           uint32_t players) {
    *d = (Definition){.format = format, .replays = 2, .rounds = 3, .seed = 1};
    for (uint32_t p = 0; p < players; p++) {
        Contestant c = {0};
        Text name = {0};
        text_printf(&name, "p%u", p);
        c.name = name.items;
        vector_push(&d->players, c);
    }
}

__attribute__((unused)) static void add_game(Definition *d, uint32_t seats, uint32_t matches) {
    vector_push(&d->games,
                ((DefinedGame){.name = memory_strdup("game"), .seats = seats, .matches = matches}));
}

typedef int Referee(const Job *job, uint32_t player, Random *random);

__attribute__((unused)) static int better_wins(const Job *job, uint32_t player, Random *random) {
    (void)random;
    for (uint32_t s = 0; s < job->seat_count; s++)
        if (job->players[s] < player)
            return 0;
    return job->seat_count == 1 ? 100 - (int)player : 100;
}

__attribute__((unused)) static int all_draw(const Job *job, uint32_t player, Random *random) {
    (void)job;
    (void)player;
    (void)random;
    return 50;
}

__attribute__((unused)) static int anything(const Job *job, uint32_t player, Random *random) {
    (void)job;
    (void)player;
    return (int)random_below(random, 3) * 50;
}

__attribute__((unused)) static void play_jobs(Jobs *jobs, Referee *referee, Random *random) {
    for (size_t i = 0; i < jobs->items.count; i++) {
        Job *job = &jobs->items.items[i];
        for (uint32_t s = 0; s < job->seat_count && !job->is_played; s++)
            job->goals[s] =
                job->players[s] == JOB_NOBODY ? 0 : referee(job, job->players[s], random);
        job->is_played = job->is_completed = true;
    }
}

#endif
