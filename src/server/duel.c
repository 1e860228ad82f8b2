/* A match of the search layer between two contestants. */
#include "server/duel.h"

#include "search/bout.h"

static bool seat(const DuelSetup *setup, uint32_t role, const Contestant *side, uint64_t seed,
                 Bout *bout, Report *report) {
    SearchOptions options = {0};
    if (!contestant_options(side, setup->game, &options, report))
        return false;
    options.seed = seed;
    Search *search = search_create(side->method, setup->game, role, &options, report);
    if (search)
        bout_seat(bout, search, side->playouts);
    return search != NULL;
}

static bool is_stopped(const DuelSetup *setup) {
    return search_is_stopped(&(SearchBudget){.stopped = setup->stopped});
}

bool duel_play(const DuelSetup *setup, uint64_t match, DuelOutcome *outcome, Report *report) {
    uint32_t roles = setup->game->role_count;
    uint64_t first_seed = match * roles;
    Bout bout;
    assert(roles >= 2 && !game_hides(setup->game));
    *outcome = (DuelOutcome){0};
    bout_init(&bout, setup->game, NULL, first_seed);
    bout.seconds = setup->seconds;
    bout.by_the_clock = setup->by_the_clock;
    bout.stopped = setup->stopped;
    bool well = true;
    for (uint32_t r = 0; r < 2 && well; r++)
        well = seat(setup, r, setup->sides[(r + match) % 2], first_seed + r, &bout, report);
    if (well && setup->start_seconds > 0)
        bout_think_ahead(&bout, setup->start_seconds);
    while (well && bout_turn(&bout))
        ;
    for (uint32_t r = 0; r < 2; r++) {
        uint32_t side = (r + match) % 2;
        outcome->goals[side] = game_goal(bout.work, &bout.state, r);
        outcome->playouts[side] = bout.seats[r].made;
        outcome->moves[side] = bout.seats[r].decisions;
    }
    bout_free(&bout);
    return well && !is_stopped(setup);
}
