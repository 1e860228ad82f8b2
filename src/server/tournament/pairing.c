/* Round robin and duel plan everything at once; Swiss and knock-out plan round by round, in files
 * of their own. */
#include <assert.h>
#include <string.h>

#include "base/table.h"
#include "server/tournament/pairing_internal.h"

/* ---- matches ---- */

static uint64_t job_seed(const Definition *d, uint32_t number) {
    uint64_t hash = hash_finish(hash_mix(hash_mix(0, d->seed), number));
    return hash & 0xffffffffffff;
}

static Job *add_job(const Definition *d, Jobs *jobs, const Job *like, uint32_t seats) {
    Job *job = jobs_add(jobs, seats);
    job->round = like->round;
    job->encounter = like->encounter;
    job->game = like->game;
    job->board = like->board;
    job->seed = job_seed(d, job->number);
    return job;
}

/* Adds the boards of one encounter in one game. On the first board, the first member has seat
 * `offset`. */
static void add_boards(const Definition *d, Jobs *jobs, Job like, const uint32_t *members,
                       uint32_t count, uint32_t offset) {
    const DefinedGame *game = &d->games.items[like.game];
    uint32_t seats = game->seats;
    assert(seats == 1 || count <= seats);
    for (like.board = 0; like.board < game->matches; like.board++) {
        if (seats == 1) {
            for (uint32_t m = 0; m < count; m++)
                add_job(d, jobs, &like, 1)->players[0] = members[m];
        } else {
            Job *job = add_job(d, jobs, &like, seats);
            for (uint32_t m = 0; m < count; m++)
                job->players[(m + offset + like.board) % seats] = members[m];
        }
    }
}

static uint32_t encounter_count(const Jobs *jobs) {
    return jobs->items.count ? vector_last(&jobs->items).encounter + 1 : 0;
}

/* Returns how often the player had the first seat. */
static size_t first_seats(const Jobs *jobs, uint32_t player) {
    size_t count = 0;
    for (size_t i = 0; i < jobs->items.count; i++) {
        const Job *job = &jobs->items.items[i];
        count += job->seat_count > 1 && job->players[0] == player;
    }
    return count;
}

void pairing_add_pair(const Definition *definition, Jobs *jobs, uint32_t round, uint32_t a,
                      uint32_t b) {
    const Definition *d = definition;
    assert(a < d->players.count && b < d->players.count && a != b);
    bool swaps = first_seats(jobs, b) < first_seats(jobs, a);
    uint32_t members[2] = {swaps ? b : a, swaps ? a : b};
    Job like = {.round = round, .encounter = encounter_count(jobs)};
    for (like.game = 0; like.game < d->games.count; like.game++)
        add_boards(d, jobs, like, members, 2, 0);
}

/* ---- results of encounters of two players ---- */

static void add_goals(Encounter *encounter, const Job *job) {
    for (uint32_t s = 0; s < job->seat_count; s++) {
        uint32_t player = job->players[s];
        if (player == JOB_NOBODY)
            continue;
        if (encounter->players[0] == JOB_NOBODY)
            encounter->players[0] = player;
        else if (encounter->players[0] != player)
            encounter->players[1] = player;
        if (job->is_completed && job->goals[s] > 0)
            encounter->goals[encounter->players[0] != player] += job->goals[s];
    }
}

void pairing_collect(const Jobs *jobs, Encounters *encounters) {
    for (size_t i = 0; i < jobs->items.count; i++) {
        const Job *job = &jobs->items.items[i];
        if (job->encounter >= encounters->count)
            vector_push(encounters,
                        ((Encounter){.round = job->round, .players = {JOB_NOBODY, JOB_NOBODY}}));
        assert(job->encounter < encounters->count);
        Encounter *encounter = &encounters->items[job->encounter];
        encounter->is_open = encounter->is_open || !job->is_played;
        add_goals(encounter, job);
    }
}

/* ---- round robin ---- */

/* Adds all pairs in games for two, by the circle method, in which nobody has to wait long. */
static void add_all_pairs(const Definition *d, Jobs *jobs) {
    uint32_t n = (uint32_t)d->players.count, even = n + n % 2, turn = even - 1;
    for (uint32_t round = 0; round < turn; round++)
        for (uint32_t i = 0; i < even / 2; i++) {
            uint32_t a = i ? (round + i) % turn : turn, b = (round + turn - i) % turn;
            if (a >= n || b >= n)
                continue;
            uint32_t members[2] = {a < b ? a : b, a < b ? b : a};
            Job like = {.encounter = encounter_count(jobs)};
            for (like.game = 0; like.game < d->games.count; like.game++)
                if (d->games.items[like.game].seats == 2)
                    add_boards(d, jobs, like, members, 2, (a + b + 1) % 2);
        }
}

/* Adds one encounter of all players: for games for one, and for games with a seat for everybody. */
static void add_everybody(const Definition *d, Jobs *jobs, uint32_t game) {
    U32Vector members = {0};
    for (uint32_t p = 0; p < d->players.count; p++)
        vector_push(&members, p);
    add_boards(d, jobs, (Job){.encounter = encounter_count(jobs), .game = game}, members.items,
               (uint32_t)members.count, 0);
    vector_free(&members);
}

/* If there are more players than seats, groups of neighbours around a table meet. Each player is
 * once the first of a group, once the second and so on, so that all have each seat equally
 * often. */
static void add_neighbours(const Definition *d, Jobs *jobs, uint32_t game) {
    uint32_t seats = d->games.items[game].seats, n = (uint32_t)d->players.count;
    U32Vector members = {0};
    for (uint32_t first = 0; first < n; first++) {
        vector_clear(&members);
        for (uint32_t s = 0; s < seats; s++)
            vector_push(&members, (first + s) % n);
        add_boards(d, jobs, (Job){.encounter = encounter_count(jobs), .game = game}, members.items,
                   seats, 0);
    }
    vector_free(&members);
}

static bool next_round_robin(const Definition *d, Jobs *jobs) {
    if (jobs->items.count)
        return false;
    add_all_pairs(d, jobs);
    for (uint32_t g = 0; g < d->games.count; g++) {
        uint32_t seats = d->games.items[g].seats;
        if (seats == 1 || (seats > 2 && seats >= d->players.count))
            add_everybody(d, jobs, g);
        else if (seats > 2)
            add_neighbours(d, jobs, g);
    }
    return true;
}

static bool next_duel(const Definition *d, Jobs *jobs) {
    if (jobs->items.count)
        return false;
    pairing_add_pair(d, jobs, 0, 0, 1);
    return true;
}

bool pairing_next(const Definition *definition, Jobs *jobs) {
    switch (definition->format) {
    case FORMAT_ROUND_ROBIN:
        return next_round_robin(definition, jobs);
    case FORMAT_SWISS:
        return swiss_next(definition, jobs);
    case FORMAT_KNOCKOUT:
        return knockout_next(definition, jobs);
    case FORMAT_DUEL:
        return next_duel(definition, jobs);
    }
    return false;
}

/* The number of matches of one game in a round robin of n players. */
static uint64_t round_robin_matches(const DefinedGame *game, uint64_t n) {
    if (game->seats == 1 || (game->seats > 2 && game->seats < n))
        return n * game->matches;
    return (game->seats == 2 ? n * (n - 1) / 2 : 1) * game->matches;
}

uint64_t pairing_total(const Definition *definition) {
    uint64_t n = definition->players.count, everybody = 0, pair = 0;
    for (size_t i = 0; i < definition->games.count; i++) {
        const DefinedGame *game = &definition->games.items[i];
        everybody += round_robin_matches(game, n);
        pair += (uint64_t)game->matches * (game->seats == 1 ? 2 : 1);
    }
    switch (definition->format) {
    case FORMAT_ROUND_ROBIN:
        return everybody;
    case FORMAT_SWISS:
        return definition->rounds * (n / 2) * pair;
    case FORMAT_KNOCKOUT:
        return (n - 1) * pair;
    case FORMAT_DUEL:
        return pair;
    }
    return 0;
}

void pairing_points(const Definition *definition, const Jobs *jobs, double *points) {
    memset(points, 0, definition->players.count * sizeof *points);
    if (definition->format == FORMAT_SWISS)
        swiss_points(definition, jobs, points);
    else if (definition->format == FORMAT_KNOCKOUT)
        knockout_points(definition, jobs, points);
}
