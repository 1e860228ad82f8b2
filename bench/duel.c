/* Two searches against each other, sides swapped after every match, each with the same time a move:
 *
 *     duel [--wall] [--start SECONDS] GAME-FILE MATCHES SECONDS SEARCH SEARCH
 *
 * With --start both may also think before the first move, as a start clock allows.
 * A SEARCH is written as a player of `marelle match`: uct:c=0.2,batch=1,leaf=1. Seconds are those
 * of the processor, so that other programs do not decide who wins; with --wall, and for searches
 * with several threads, those of the clock. Prints one line of JSON: goals (all other roles are
 * random), wins of the first, draws, play-outs a move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/duel.h"

static bool fight(const DuelSetup *setup, unsigned long matches, Report *report) {
    unsigned long wins = 0, draws = 0;
    double goals[2] = {0}, playouts[2] = {0}, moves[2] = {1e-9, 1e-9};
    for (unsigned long m = 0; m < matches; m++) {
        DuelOutcome outcome;
        if (!duel_play(setup, m, &outcome, report))
            return false;
        wins += outcome.goals[0] > outcome.goals[1];
        draws += outcome.goals[0] == outcome.goals[1];
        for (int side = 0; side < 2; side++) {
            goals[side] += outcome.goals[side];
            playouts[side] += (double)outcome.playouts[side];
            moves[side] += (double)outcome.moves[side];
        }
    }
    printf("{\"matches\": %lu, \"wins\": %lu, \"draws\": %lu, \"goals\": [%.1f, %.1f], "
           "\"playouts\": [%.0f, %.0f]}\n",
           matches, wins, draws, goals[0] / (double)matches, goals[1] / (double)matches,
           playouts[0] / moves[0], playouts[1] / moves[1]);
    return true;
}

int main(int count, char **words) {
    bool by_the_clock = count > 1 && strcmp(words[1], "--wall") == 0;
    words += by_the_clock;
    count -= by_the_clock;
    bool has_start = count > 2 && strcmp(words[1], "--start") == 0;
    double start_seconds = has_start ? strtod(words[2], NULL) : 0;
    words += 2 * has_start;
    count -= 2 * has_start;
    if (count != 6)
        return 2;
    Report report = {0};
    Contestant first = {0}, second = {0};
    Game *game = game_open(words[1], NULL, &report);
    bool is_fit = game && game->role_count >= 2 && !game_hides(game) &&
                  contestant_read(&first, words[4], &report) &&
                  contestant_read(&second, words[5], &report);
    if (is_fit) {
        DuelSetup setup = {.game = game,
                           .sides = {&first, &second},
                           .seconds = strtod(words[3], NULL),
                           .start_seconds = start_seconds,
                           .by_the_clock = by_the_clock || first.options.threads > 1 ||
                                           second.options.threads > 1};
        is_fit = fight(&setup, strtoul(words[2], NULL, 10), &report);
    }
    report_print(&report, stderr, SEVERITY_ERROR);
    contestant_free(&first);
    contestant_free(&second);
    game_free(game);
    report_free(&report);
    return is_fit ? 0 : 2;
}
