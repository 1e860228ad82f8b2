/* Two searches against each other, sides swapped after every match, each with the same time a move:
 *
 *     duel [--wall] [--start SECONDS] [--jobs N] [--seed N] GAME-FILE MATCHES SECONDS SEARCH SEARCH
 *
 * With --start both may also think before the first move, as a start clock allows; with --jobs so
 * many matches are played at a time, by the clock. --seed is the number of the first match, from
 * which seeds come; 0.
 * A SEARCH is written as a player of `marelle match`: uct:c=0.2,batch=1,leaf=1. Seconds are those
 * of the processor, so that other programs do not decide who wins; with --wall, and for searches
 * with several threads, those of the clock. With more than two players the first search has one
 * seat, the next in every match, and the second all others. Prints one line of JSON: goals (the
 * mean of those of the second), wins of the first, draws, playouts a move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "server/referee/duel.h"

typedef struct {
    DuelOutcome outcome;
    Report report;
    bool is_played;
} Bout;

typedef struct {
    const DuelSetup *setup;
    uint64_t first; /* number of the first match */
    Bout *bouts;
} Fight;

static void play_bout(void *context, size_t number, unsigned worker) {
    const Fight *fight = context;
    Bout *bout = &fight->bouts[number];
    (void)worker;
    bout->is_played = duel_play(fight->setup, fight->first + number, &bout->outcome, &bout->report);
}

/* Whether all matches were played; else the first reason is told. */
static bool add_up(const Fight *fight, size_t matches, Report *report) {
    unsigned long wins = 0, draws = 0;
    double goals[2] = {0}, playouts[2] = {0}, moves[2] = {1e-9, 1e-9};
    for (size_t m = 0; m < matches; m++) {
        const Bout *bout = &fight->bouts[m];
        if (!bout->is_played) {
            report_error(report, "duel", "%s", bout->report.items.items[0].message);
            return false;
        }
        wins += bout->outcome.goals[0] > bout->outcome.goals[1];
        draws += bout->outcome.goals[0] == bout->outcome.goals[1];
        for (int side = 0; side < 2; side++) {
            goals[side] += bout->outcome.goals[side];
            playouts[side] += (double)bout->outcome.playouts[side];
            moves[side] += (double)bout->outcome.moves[side];
        }
    }
    printf("{\"matches\": %zu, \"wins\": %lu, \"draws\": %lu, \"goals\": [%.1f, %.1f], "
           "\"playouts\": [%.0f, %.0f]}\n",
           matches, wins, draws, goals[0] / (double)matches, goals[1] / (double)matches,
           playouts[0] / moves[0], playouts[1] / moves[1]);
    return true;
}

static bool fight(const DuelSetup *setup, uint64_t first, size_t matches, unsigned jobs,
                  Report *report) {
    Fight fight = {setup, first, memory_zalloc((matches + 1) * sizeof *fight.bouts)};
    Pool *pool = pool_create(jobs);
    pool_run(pool, matches, play_bout, &fight);
    pool_free(pool);
    bool ok = add_up(&fight, matches, report);
    for (size_t m = 0; m < matches; m++)
        report_free(&fight.bouts[m].report);
    free(fight.bouts);
    return ok;
}

int main(int count, char **words) {
    bool counts_wall_clock = false;
    double start_seconds = 0;
    unsigned jobs = 1;
    uint64_t seed = 0;
    int at = 1;
    for (; at + 1 < count && strncmp(words[at], "--", 2) == 0; at++) {
        if (strcmp(words[at], "--wall") == 0)
            counts_wall_clock = true;
        else if (strcmp(words[at], "--start") == 0)
            start_seconds = strtod(words[++at], NULL);
        else if (strcmp(words[at], "--jobs") == 0)
            jobs = (unsigned)atoi(words[++at]);
        else if (strcmp(words[at], "--seed") == 0)
            seed = strtoull(words[++at], NULL, 10);
        else
            return 2;
    }
    if (count - at != 5)
        return 2;
    words += at - 1;
    Report report = {0};
    Contestant first = {0}, second = {0};
    Game *game = game_open(words[1], NULL, &report);
    bool is_fit = game && duel_suits(game) && contestant_read(&first, words[4], &report) &&
                  contestant_read(&second, words[5], &report);
    if (is_fit) {
        DuelSetup setup = {.game = game,
                           .sides = {&first, &second},
                           .seconds = strtod(words[3], NULL),
                           .start_seconds = start_seconds,
                           .counts_wall_clock = counts_wall_clock || jobs > 1 ||
                                                first.strategy.search.threads > 1 ||
                                                second.strategy.search.threads > 1};
        is_fit = fight(&setup, seed, strtoul(words[2], NULL, 10), jobs, &report);
    }
    report_print(&report, stderr, SEVERITY_ERROR);
    contestant_free(&first);
    contestant_free(&second);
    game_free(game);
    report_free(&report);
    return is_fit ? 0 : 2;
}
