/* Knock-out rounds. The players still in the tournament are not stored; they are computed from the
 * bracket and the encounters so far. */
#include "server/tournament/pairing_internal.h"

/* Makes the usual seeding: the first two players of the file can only meet in the final. Places
 * without a player are byes. */
static void draw_bracket(size_t players, U32Vector *bracket) {
    vector_push(bracket, 0);
    while (bracket->count < players) {
        U32Vector larger = {0};
        uint32_t sum = (uint32_t)bracket->count * 2 - 1;
        for (size_t i = 0; i < bracket->count; i++) {
            vector_push(&larger, bracket->items[i]);
            vector_push(&larger, sum - bracket->items[i]);
        }
        vector_free(bracket);
        *bracket = larger;
    }
    for (size_t i = 0; i < bracket->count; i++)
        if (bracket->items[i] >= players)
            bracket->items[i] = JOB_NOBODY;
}

/* Returns the winner of all encounters between two players; JOB_NOBODY if they have to play
 * (again). After the last drawn replay, the player who comes first in the file wins. */
static uint32_t knockout_winner(const Definition *d, const Encounters *encounters, uint32_t a,
                                uint32_t b) {
    uint32_t drawn = 0;
    if (a == JOB_NOBODY || b == JOB_NOBODY)
        return a == JOB_NOBODY ? b : a;
    for (size_t i = 0; i < encounters->count; i++) {
        const Encounter *e = &encounters->items[i];
        bool is_theirs = (e->players[0] == a && e->players[1] == b) ||
                         (e->players[0] == b && e->players[1] == a);
        if (!is_theirs)
            continue;
        if (e->is_open)
            return JOB_NOBODY;
        if (e->goals[0] != e->goals[1])
            return e->players[e->goals[1] > e->goals[0]];
        drawn++;
    }
    if (drawn <= d->replays)
        return JOB_NOBODY;
    return a < b ? a : b;
}

/* Goes through the rounds up to the first that is not decided, and lists its open pairs. Counts the
 * rounds that each player survived, unless `points` is NULL. */
static void follow_bracket(const Definition *d, const Jobs *jobs, U32Vector *pairs,
                           double *points) {
    U32Vector alive = {0};
    Encounters encounters = {0};
    pairing_collect(jobs, &encounters);
    draw_bracket(d->players.count, &alive);
    while (alive.count > 1 && !pairs->count) {
        for (size_t i = 0; i < alive.count; i += 2) {
            uint32_t a = alive.items[i], b = alive.items[i + 1];
            uint32_t winner = knockout_winner(d, &encounters, a, b);
            alive.items[i / 2] = winner;
            if (winner == JOB_NOBODY) {
                vector_push(pairs, a);
                vector_push(pairs, b);
            } else if (points) {
                points[winner]++;
            }
        }
        alive.count /= 2;
    }
    vectors_free(&alive, &encounters);
}

bool knockout_next(const Definition *definition, Jobs *jobs) {
    U32Vector pairs = {0};
    uint32_t round = jobs->items.count ? vector_last(&jobs->items).round + 1 : 0;
    follow_bracket(definition, jobs, &pairs, NULL);
    bool goes_on = pairs.count > 0;
    for (size_t i = 0; i < pairs.count; i += 2)
        pairing_add_pair(definition, jobs, round, pairs.items[i], pairs.items[i + 1]);
    vector_free(&pairs);
    return goes_on;
}

void knockout_points(const Definition *definition, const Jobs *jobs, double *points) {
    U32Vector open = {0};
    follow_bracket(definition, jobs, &open, points);
    vector_free(&open);
}
