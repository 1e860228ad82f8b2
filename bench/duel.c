/* Two searches against each other, sides swapped after every match, each with the same time a move:
 *
 *     duel GAME-FILE MATCHES SECONDS SEARCH SEARCH
 *
 * A SEARCH is METHOD[:BATCH:LEAF-PLAYOUTS[:EXPLORATION]], 0 for the default. Prints the mean goal
 * of each (all other roles are random), wins of the first, draws, and play-outs a move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/search.h"

typedef struct {
    char method[32];
    SearchOptions options;
    double goals;
    uint64_t playouts, moves;
} Side;

static Side read_side(const char *text) {
    Side side = {0};
    unsigned batch = 0, leaf = 0;
    if (sscanf(text, "%31[^:]:%u:%u:%lf", side.method, &batch, &leaf, &side.options.exploration) <
        1)
        snprintf(side.method, sizeof side.method, "random");
    side.options.batch = batch;
    side.options.leaf_playouts = leaf;
    return side;
}

static void choose(Search *search, Side *side, double seconds, uint32_t *move) {
    SearchResult result = {0};
    search_run(search, &(SearchBudget){.deadline = deadline_in(seconds)});
    search_result(search, &result);
    *move = result.best;
    if (result.moves.count > 1) {
        side->playouts += result.playouts;
        side->moves++;
    }
    search_result_free(&result);
}

/* The first two roles are played by the sides; goals in their order. */
static void play(Game *game, Side *const sides[2], uint64_t seed, double seconds, int goals[2]) {
    GameWork *work = game_work(game, REASONER_AUTO);
    State state = {0};
    Search *players[16];
    uint32_t joint[16] = {0};
    game_initial(work, &state);
    for (uint32_t r = 0; r < game->role_count; r++) {
        SearchOptions options = r < 2 ? sides[r]->options : (SearchOptions){0};
        options.seed = seed * 16 + r;
        players[r] = search_create(r < 2 ? sides[r]->method : "random", game, r, &options, NULL);
        search_set_state(players[r], &state);
    }
    while (!game_is_terminal(work, &state)) {
        for (uint32_t r = 0; r < game->role_count; r++) {
            U32Vector legal = {0};
            game_legal(work, &state, r, &legal);
            choose(players[r], sides[r < 2 ? r : 1], legal.count > 1 ? seconds : 0, &joint[r]);
            vector_free(&legal);
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
    state_free(&state);
    game_work_free(work);
}

int main(int count, char **words) {
    if (count != 6)
        return 2;
    Report report = {0};
    Game *game = game_open(words[1], NULL, &report);
    if (!game || game->role_count < 2 || game->role_count > 16)
        return 2;
    Side first = read_side(words[4]), second = read_side(words[5]);
    unsigned long matches = strtoul(words[2], NULL, 10), wins = 0, draws = 0;
    for (unsigned long m = 0; m < matches; m++) {
        int goals[2];
        bool swapped = m % 2;
        Side *sides[2] = {swapped ? &second : &first, swapped ? &first : &second};
        play(game, sides, m, strtod(words[3], NULL), goals);
        int own = goals[swapped], others = goals[!swapped];
        first.goals += own;
        second.goals += others;
        wins += own > others;
        draws += own == others;
    }
    printf("%s %s %s: %.1f %.1f, %lu wins %lu draws of %lu, play-outs a move %.0f %.0f\n", words[1],
           words[4], words[5], first.goals / (double)matches, second.goals / (double)matches, wins,
           draws, matches, (double)first.playouts / ((double)first.moves + 1e-9),
           (double)second.playouts / ((double)second.moves + 1e-9));
    game_free(game);
    report_free(&report);
    return 0;
}
