/* Roles one after the other, each told of the whole state. */
#include "server/duel.h"

#include <string.h>

/* A match under way. */
typedef struct {
    const DuelSetup *setup;
    DuelOutcome *outcome;
    Search **players; /* by role */
    uint32_t *joint;
    GameWork *work;
    State state;
    bool is_swapped;
} Duel;

/* Until the time is spent, or the play-outs if there is a number of them. */
static void think(const Duel *duel, Search *search, double seconds, uint64_t playouts,
                  SearchResult *result) {
    SearchBudget budget = {
        .deadline = deadline_never(), .playouts = playouts, .stopped = duel->setup->stopped};
    if (!duel->setup->by_the_clock) {
        search_think(search, &budget, seconds, result);
        return;
    }
    budget.deadline = deadline_in(seconds);
    search_run(search, &budget);
    search_result(search, result);
}

static const Contestant *side_of(const Duel *duel, uint32_t role) {
    return duel->setup->sides[duel->is_swapped ? 1 - role : role];
}

/* Others than the two sides are random, and need no time. */
static bool seat(Duel *duel, uint32_t role, uint64_t seed, Report *report) {
    const DuelSetup *setup = duel->setup;
    SearchOptions options = {0};
    const char *method = "random";
    if (role < 2) {
        const Contestant *side = side_of(duel, role);
        if (!contestant_options(side, setup->game, &options, report))
            return false;
        method = side->method;
    }
    options.seed = seed;
    duel->players[role] = search_create(method, setup->game, role, &options, report);
    if (!duel->players[role])
        return false;
    search_set_state(duel->players[role], &duel->state);
    if (role < 2 && setup->start_seconds > 0) {
        SearchResult result = {0};
        think(duel, duel->players[role], setup->start_seconds, side_of(duel, role)->playouts,
              &result);
        search_result_free(&result);
    }
    return true;
}

static void choose(Duel *duel, uint32_t role, bool has_choice) {
    SearchResult result = {0};
    bool counts = has_choice && role < 2;
    think(duel, duel->players[role], counts ? duel->setup->seconds : 0,
          counts ? side_of(duel, role)->playouts : 0, &result);
    duel->joint[role] = result.best;
    if (counts) {
        uint32_t side = duel->is_swapped ? 1 - role : role;
        duel->outcome->playouts[side] += result.playouts;
        duel->outcome->moves[side]++;
    }
    search_result_free(&result);
}

static bool is_stopped(const Duel *duel) {
    return search_is_stopped(&(SearchBudget){.stopped = duel->setup->stopped});
}

static void play_turns(Duel *duel) {
    Game *game = duel->setup->game;
    U32Vector legal = {0};
    while (!game_is_terminal(duel->work, &duel->state) && !is_stopped(duel)) {
        for (uint32_t r = 0; r < game->role_count; r++) {
            game_legal(duel->work, &duel->state, r, &legal);
            choose(duel, r, legal.count > 1);
        }
        game_next(duel->work, &duel->state, duel->joint, &duel->state);
        for (uint32_t r = 0; r < game->role_count; r++)
            search_advance(duel->players[r], duel->joint, &duel->state);
    }
    vector_free(&legal);
}

bool duel_play(const DuelSetup *setup, uint64_t match, DuelOutcome *outcome, Report *report) {
    uint32_t roles = setup->game->role_count;
    Duel duel = {.setup = setup, .outcome = outcome, .is_swapped = match % 2};
    assert(roles >= 2 && !game_hides(setup->game));
    *outcome = (DuelOutcome){0};
    duel.players = memory_zalloc(roles * sizeof *duel.players);
    duel.joint = memory_zalloc(roles * sizeof *duel.joint);
    duel.work = game_work(setup->game, REASONER_AUTO);
    game_initial(duel.work, &duel.state);
    bool well = true;
    for (uint32_t r = 0; r < roles && well; r++)
        well = seat(&duel, r, match * roles + r, report);
    if (well)
        play_turns(&duel);
    for (uint32_t r = 0; r < 2; r++)
        outcome->goals[duel.is_swapped ? 1 - r : r] = game_goal(duel.work, &duel.state, r);
    well = well && !is_stopped(&duel);
    for (uint32_t r = 0; r < roles; r++)
        search_free(duel.players[r]);
    free(duel.players);
    free(duel.joint);
    state_free(&duel.state);
    game_work_free(duel.work);
    return well;
}
