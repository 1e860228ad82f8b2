/* Measures a game for the list of games. Each measurement has a small budget of its own; one that
 * does not finish in time is left out. */
#include "analysis/decompose/decompose.h"
#include "base/clock.h"
#include "game/matches.h"
#include "server/json/json.h"
#include "server/page/inside.h"

/* Budgets per game (untuned): numbers of playouts, turns of a match, seconds. */
enum { PLAYOUTS = 2000, DECOMPOSE_PLAYOUTS = 3000, MAX_MATCH_LENGTH = 2000 };
static const double play_seconds = 1, decompose_seconds = 3;

static void add_matches(Game *game, json_t *object) {
    MatchStatistics matches = {0};
    json_t *goals = json_array();
    matches_play(&(MatchPlan){.game = game,
                              .playouts = PLAYOUTS,
                              .seconds = play_seconds,
                              .step_limit = MAX_MATCH_LENGTH},
                 &matches);
    for (uint32_t r = 0; r < game->role_count; r++) {
        double mean;
        bool is_known = matches_mean_goal(&matches, r, &mean);
        array_push(goals, is_known ? json_real(mean) : json_null());
    }
    object_add(object, "matches", count_json(matches.playouts), "endless",
               count_json(matches.too_long), "mean_length",
               json_real(matches_mean_length(&matches)), "mean_goals", goals);
    matches_free(&matches);
}

/* Counts the useful subgames that depend on actions. */
static void add_subgames(Game *game, json_t *object) {
    Decomposition *d =
        decompose(game, &(DecomposeOptions){.playouts = DECOMPOSE_PLAYOUTS,
                                            .deadline = deadline_in(decompose_seconds)});
    if (!d)
        return;
    DecompositionCounts counts = decomposition_counts(d);
    json_object_set_new(object, "subgames",
                        json_integer(counts.with_actions - counts.useless_with_actions));
    decomposition_free(d);
}

json_t *inside_survey(Game *game) {
    json_t *object = json_object();
    add_matches(game, object);
    add_subgames(game, object);
    return object;
}
