/* The example of include/marelle/marelle.h, word for word after this comment. */
#include <marelle/marelle.h>
#include <stdio.h>

enum { MAX_ROLES = 16 };

static bool take_first_moves(MarellePlay *play, const MarelleState *state, uint32_t roles,
                             uint32_t *joint) {
    for (uint32_t role = 0; role < roles; role++) {
        const uint32_t *moves;
        if (marelle_legal(play, state, role, &moves) == 0)
            return false;
        joint[role] = moves[0];
    }
    return true;
}

static void play_one_match(MarelleGame *game) {
    MarellePlay *play = marelle_play_create(game);
    MarelleState *state = marelle_state_create();
    uint32_t roles = marelle_game_role_count(game), joint[MAX_ROLES];
    marelle_initial(play, state);
    while (!marelle_is_terminal(play, state) && take_first_moves(play, state, roles, joint))
        marelle_next(play, state, joint, state);
    printf("%s\n", marelle_state_text(play, state));
    for (uint32_t role = 0; role < roles; role++) {
        int goal = marelle_goal(play, state, role);
        printf("%s: %d\n", marelle_game_role_name(game, role), goal);
    }
    marelle_state_free(state);
    marelle_play_free(play);
}

int main(int argc, char **argv) {
    MarelleRules *rules;
    MarelleGame *game = NULL;
    MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
    if (status == MARELLE_OK)
        status = marelle_game_build(rules, NULL, &game);
    for (size_t i = 0; i < marelle_diagnostic_count(rules); i++) {
        MarelleDiagnostic d = marelle_diagnostic(rules, i);
        fprintf(stderr, "%s:%u:%u: %s\n", d.file, d.line, d.column, d.message);
    }
    if (status == MARELLE_OK && marelle_game_role_count(game) <= MAX_ROLES) {
        play_one_match(game);
        MarellePlayoutOptions options = {.playouts = 1000, .seed = 1};
        MarellePlayoutStatistics statistics;
        marelle_playouts(game, &options, &statistics, NULL);
        double mean = (double)statistics.turns / (double)statistics.playouts;
        printf("%.1f turns on average\n", mean);
    }
    marelle_game_free(game);
    marelle_rules_free(rules);
    return status;
}
