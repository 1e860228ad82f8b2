/* Measures a game for the list of games. Each measurement has a small budget of its own; one that
 * does not finish in time is left out. */
#include "server/page/survey.h"

#include "analysis/decompose/decompose.h"
#include "base/clock.h"
#include "game/matches.h"
#include "server/json/json.h"

/* Budgets per game (untuned): numbers of playouts, turns of a match, seconds. */
enum { PLAYOUTS = 2000, DECOMPOSE_PLAYOUTS = 3000, MAX_MATCH_LENGTH = 2000 };
static const double play_seconds = 1, decompose_seconds = 3, position_seconds = 0.3;

static bool is_stopped(const bool *stopped) {
    return __atomic_load_n(stopped, __ATOMIC_RELAXED);
}

static void add_sizes(const Game *game, json_t *object) {
    const Circuit *c = game->circuit;
    object_add(object, "circuit", json_boolean(c != NULL), "why_interpreted",
               c ? NULL : text_json(game->why_interpreted));
    if (!c)
        return;
    json_t *moves = json_array();
    for (uint32_t r = 0; r < c->role_count; r++)
        array_push(moves, json_integer(c->first_move[r + 1] - c->first_move[r]));
    object_add(object, "fluents", json_integer(c->fluent_count), "moves", moves, "ands",
               count_json(c->aig.and_count));
}

static void add_matches(Game *game, const bool *stopped, json_t *object) {
    Matches matches = {0};
    json_t *goals = json_array();
    matches_play(&(MatchPlan){.game = game,
                              .playouts = PLAYOUTS,
                              .seconds = play_seconds,
                              .step_limit = MAX_MATCH_LENGTH,
                              .stopped = stopped},
                 &matches);
    for (uint32_t r = 0; r < game->role_count; r++) {
        double mean;
        bool is_known = matches_mean_goal(&matches, r, &mean);
        array_push(goals, is_known ? json_real(mean) : json_null());
    }
    object_add(object, "mean_length", json_real(matches_mean_length(&matches)), "mean_goals",
               goals);
    matches_free(&matches);
}

/* Plays randomly from the initial state, with the same seed in each call. Returns the number of
 * turns made. */
static uint32_t play_some(GameWork *work, uint32_t max_turns, State *state) {
    uint32_t turns = 0, made;
    MatchEnd end = MATCH_TOO_LONG;
    Random random;
    Deadline deadline = deadline_in(position_seconds);
    random_seed(&random, 0);
    game_initial(work, state);
    for (; turns < max_turns && end == MATCH_TOO_LONG && !deadline_passed(deadline); turns += made)
        end = game_play_randomly(work, state, &random, 1, &made);
    return turns;
}

void survey_position(Game *game, Text *state) {
    State position = {0};
    GameWork *work = game_work(game, REASONER_AUTO);
    uint32_t turns = play_some(work, MAX_MATCH_LENGTH, &position);
    play_some(work, turns / 2, &position);
    game_state_text(work, &position, state);
    state_free(&position);
    game_work_free(work);
}

/* Counts the useful subgames that depend on actions. */
static void add_subgames(Game *game, json_t *object) {
    Decomposition *d =
        decompose(game, &(DecomposeOptions){.playouts = DECOMPOSE_PLAYOUTS,
                                            .deadline = deadline_in(decompose_seconds)});
    if (!d)
        return;
    DecompositionCounts counts = decomposition_counts(d);
    json_object_set_new(object, "subgames", json_integer(counts.ad - counts.uad));
    decomposition_free(d);
}

json_t *survey_game(Game *game, const bool *stopped) {
    json_t *object = json_object();
    add_sizes(game, object);
    if (!is_stopped(stopped))
        add_matches(game, stopped, object);
    if (!is_stopped(stopped))
        add_subgames(game, object);
    return object;
}
