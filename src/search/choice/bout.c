/* The roles choose one after the other; every search is told the whole state. */
#include "search/choice/bout.h"

#include <math.h>
#include <stdlib.h>

#include "search/goals.h"

void bout_init(Bout *b, Game *game, const State *from, uint64_t seed) {
    *b = (Bout){.game = game, .work = game_work_create(game, REASONER_AUTO)};
    b->seats = memory_zalloc(game->role_count * sizeof *b->seats);
    b->joint = memory_zalloc(game->role_count * sizeof *b->joint);
    random_seed(&b->random, seed);
    game_start(b->work, from, &b->state);
}

void bout_free(Bout *b) {
    for (uint32_t r = 0; b->seats && r < b->game->role_count; r++)
        search_free(b->seats[r].search);
    vector_free(&b->legal);
    memory_free(b->seats, b->joint);
    search_result_free(&b->thought);
    state_free(&b->state);
    game_work_free(b->work);
    *b = (Bout){0};
}

void bout_seat(Bout *b, Search *search, uint64_t playouts) {
    assert(search->role < b->game->role_count && search->game == b->game);
    BoutSeat *seat = &b->seats[search->role];
    assert(!seat->search);
    *seat = (BoutSeat){.search = search, .playouts = playouts};
    search_set_state(search, &b->state);
}

/* Lets a search think until the time is spent or, if there is a limit, the playouts. */
static void think(Bout *b, const BoutSeat *seat, double seconds, double start) {
    SearchBudget budget = {.deadline = deadline_never(),
                           .playouts = seat->playouts,
                           .stopped = b->stopped,
                           .start_clock = start};
    if (!b->counts_wall_clock) {
        search_think(seat->search, &budget, seconds, &b->thought);
        return;
    }
    budget.deadline = deadline_in(seconds);
    search_run(seat->search, &budget);
    search_result(seat->search, &b->thought);
}

void bout_think_ahead(Bout *b, double seconds) {
    for (uint32_t r = 0; r < b->game->role_count; r++) {
        const BoutSeat *seat = &b->seats[r];
        if (seat->search)
            think(b, seat, seconds, seat->playouts ? (double)seat->playouts : seconds);
    }
}

static void choose(Bout *b, uint32_t role) {
    BoutSeat *seat = &b->seats[role];
    b->joint[role] = b->legal.items[random_below(&b->random, b->legal.count)];
    if (!seat->search || b->legal.count == 1)
        return;
    think(b, seat, b->seconds, 0);
    if (b->thought.best != MOVE_NONE)
        b->joint[role] = b->thought.best;
    seat->playouts_made += b->thought.playouts;
    seat->decisions++;
}

static bool is_stopped(const Bout *b) {
    return search_is_stopped(&(SearchBudget){.stopped = b->stopped});
}

bool bout_turn(Bout *b) {
    if (game_is_terminal(b->work, &b->state))
        return false;
    for (uint32_t r = 0; r < b->game->role_count; r++) {
        game_legal(b->work, &b->state, r, &b->legal);
        if (!b->legal.count || is_stopped(b))
            return false;
        choose(b, r);
    }
    if (is_stopped(b))
        return false;
    game_next(b->work, &b->state, b->joint, &b->state);
    for (uint32_t r = 0; r < b->game->role_count; r++)
        if (b->seats[r].search)
            search_advance(b->seats[r].search, b->joint, &b->state);
    b->turns++;
    return true;
}

uint32_t bout_player(const Game *game, uint32_t number) {
    assert(number < game_count_players(game));
    return number + (number >= game->chance_role);
}

void bout_goals(const Bout *b, uint32_t role, double *own, double *others) {
    uint32_t players = game_count_players(b->game);
    assert(players >= 2);
    *own = *others = 0;
    for (uint32_t number = 0; number < players; number++) {
        uint32_t player = bout_player(b->game, number);
        *(player == role ? own : others) += fmax(0, game_goal(b->work, &b->state, player));
    }
    *others /= players - 1;
}

/* The range of goals over all players. */
static GoalRange range_of_players(const Game *game, uint32_t players) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t number = 0; number < players; number++) {
        GoalRange range = goal_range(game, bout_player(game, number));
        low = fmin(low, range.lowest);
        high = fmax(high, range.lowest + range.span);
    }
    return (GoalRange){low, high - low};
}

void bout_values(const Bout *b, double *values) {
    uint32_t players = game_count_players(b->game);
    GoalRange range = range_of_players(b->game, players);
    for (uint32_t number = 0; number < players; number++) {
        int goal = game_goal(b->work, &b->state, bout_player(b->game, number));
        double value = range.span > 0 ? goal_to_value(range, goal) : goal >= 0;
        values[number] = fmin(1, fmax(0, value)); /* goals may be unknown in advance */
    }
}
