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

#include "server/contestant.h"

/* Processor time is looked at after turns of this part of the time a move has. */
static const double TURN = 0.125;

typedef struct {
    Contestant who;
    double goals;
    uint64_t playouts, moves;
} Side;

typedef struct {
    Game *game;
    double seconds, start_seconds;
    bool by_the_clock;
    Report *report;
} Duel;

static void search_for(Search *search, double seconds, bool by_the_clock, SearchResult *result) {
    double started = clock_thread_cpu_seconds();
    do {
        double left = seconds - (clock_thread_cpu_seconds() - started);
        double turn = by_the_clock || left < seconds * TURN ? left : seconds * TURN;
        search_run(search, &(SearchBudget){.deadline = deadline_in(turn)});
        search_result(search, result);
    } while (!by_the_clock && clock_thread_cpu_seconds() - started < 0.95 * seconds &&
             result->playouts && !result->moves.items[0].is_proven);
}

static uint32_t choose(Search *search, Side *side, const Duel *duel, bool has_choice) {
    SearchResult result = {0};
    search_for(search, has_choice ? duel->seconds : 0, duel->by_the_clock, &result);
    uint32_t best = result.best;
    if (has_choice) {
        side->playouts += result.playouts;
        side->moves++;
    }
    search_result_free(&result);
    return best;
}

static void prepare(Search *search, const Duel *duel) {
    SearchResult result = {0};
    search_for(search, duel->start_seconds, duel->by_the_clock, &result);
    search_result_free(&result);
}

/* The first two roles are played by the sides; goals in their order. */
static void play(const Duel *duel, Side *const sides[2], uint64_t seed, int goals[2]) {
    Game *game = duel->game;
    GameWork *work = game_work(game, REASONER_AUTO);
    State state = {0};
    Search *players[16];
    uint32_t joint[16] = {0};
    U32Vector legal = {0};
    game_initial(work, &state);
    for (uint32_t r = 0; r < game->role_count; r++) {
        SearchOptions options = {0};
        if (r < 2)
            contestant_options(&sides[r]->who, game, &options, duel->report);
        options.seed = seed * 16 + r;
        players[r] =
            search_create(r < 2 ? sides[r]->who.method : "random", game, r, &options, NULL);
        search_set_state(players[r], &state);
        if (r < 2 && duel->start_seconds > 0)
            prepare(players[r], duel);
    }
    while (!game_is_terminal(work, &state)) {
        for (uint32_t r = 0; r < game->role_count; r++) {
            game_legal(work, &state, r, &legal);
            joint[r] = choose(players[r], sides[r < 2 ? r : 1], duel, r < 2 && legal.count > 1);
        }
        game_next(work, &state, joint, &state);
        for (uint32_t r = 0; r < game->role_count; r++)
            search_advance(players[r], joint, &state);
    }
    for (uint32_t r = 0; r < game->role_count; r++) {
        if (r < 2)
            goals[r] = game_goal(work, &state, r);
        search_free(players[r]);
    }
    vector_free(&legal);
    state_free(&state);
    game_work_free(work);
}

static void fight(const Duel *duel, Side *first, Side *second, unsigned long matches) {
    unsigned long wins = 0, draws = 0;
    for (unsigned long m = 0; m < matches; m++) {
        int goals[2];
        bool swapped = m % 2;
        Side *sides[2] = {swapped ? second : first, swapped ? first : second};
        play(duel, sides, m, goals);
        int own = goals[swapped], others = goals[!swapped];
        first->goals += own;
        second->goals += others;
        wins += own > others;
        draws += own == others;
    }
    printf("{\"matches\": %lu, \"wins\": %lu, \"draws\": %lu, \"goals\": [%.1f, %.1f], "
           "\"playouts\": [%.0f, %.0f]}\n",
           matches, wins, draws, first->goals / (double)matches, second->goals / (double)matches,
           (double)first->playouts / ((double)first->moves + 1e-9),
           (double)second->playouts / ((double)second->moves + 1e-9));
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
    Side first = {0}, second = {0};
    Duel duel = {game_open(words[1], NULL, &report), strtod(words[3], NULL), start_seconds,
                 by_the_clock, &report};
    bool is_fit = duel.game && duel.game->role_count >= 2 && duel.game->role_count <= 16 &&
                  contestant_read(&first.who, words[4], &report) &&
                  contestant_read(&second.who, words[5], &report);
    if (is_fit) {
        duel.by_the_clock =
            by_the_clock || first.who.options.threads > 1 || second.who.options.threads > 1;
        fight(&duel, &first, &second, strtoul(words[2], NULL, 10));
    }
    report_print(&report, stderr, SEVERITY_ERROR);
    contestant_free(&first.who);
    contestant_free(&second.who);
    game_free(duel.game);
    report_free(&report);
    return is_fit ? 0 : 2;
}
