/* Plays a duel as a bout of the search layer (search/choice/bout.h) between two contestants. */
#include "server/referee/duel.h"

#include "search/choice/bout.h"

static bool take_seat(const DuelSetup *setup, uint32_t role, const Contestant *side, uint64_t seed,
                      Bout *bout, Report *report) {
    SearchOptions options = {0};
    if (!contestant_options(side, setup->game, &options, report))
        return false;
    options.seed = seed;
    Search *search = strategy_create_search(&side->strategy, setup->game, role, &options, report);
    if (search)
        bout_seat(bout, search, side->strategy.playouts);
    return search != NULL;
}

static bool is_stopped(const DuelSetup *setup) {
    return search_is_stopped(&(SearchBudget){.stopped = setup->stopped});
}

bool duel_suits(const Game *game) {
    return game_count_players(game) >= 2 && !game_hides(game);
}

bool duel_play(const DuelSetup *setup, uint64_t match, DuelOutcome *outcome, Report *report) {
    uint32_t players = game_count_players(setup->game);
    uint64_t first_seed = match * setup->game->role_count;
    Bout bout;
    assert(duel_suits(setup->game));
    uint32_t seat_of_first = bout_player(setup->game, (uint32_t)(match % players));
    *outcome = (DuelOutcome){0};
    bout_init(&bout, setup->game, NULL, first_seed);
    bout.seconds = setup->seconds;
    bout.counts_wall_clock = setup->counts_wall_clock;
    bout.stopped = setup->stopped;
    bool ok = true;
    for (uint32_t number = 0; number < players && ok; number++) {
        uint32_t role = bout_player(setup->game, number);
        ok = take_seat(setup, role, setup->sides[role != seat_of_first], first_seed + role, &bout,
                       report);
    }
    if (ok && setup->start_seconds > 0)
        bout_think_ahead(&bout, setup->start_seconds);
    while (ok && bout_turn(&bout))
        ;
    bout_goals(&bout, seat_of_first, &outcome->goals[0], &outcome->goals[1]);
    for (uint32_t number = 0; number < players; number++) {
        uint32_t role = bout_player(setup->game, number);
        outcome->playouts[role != seat_of_first] += bout.seats[role].playouts_made;
        outcome->moves[role != seat_of_first] += bout.seats[role].decisions;
    }
    bout_free(&bout);
    return ok && !is_stopped(setup);
}
