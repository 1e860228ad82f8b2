/* The example of include/marelle/analysis.h, word for word after this comment. */
#include <marelle/marelle.h>
#include <stdio.h>

static void print_subgames(MarelleGame *game, const MarelleDecomposition *found) {
    MarellePlay *play = marelle_play_create(game);
    for (size_t i = 0; i < found->subgame_count; i++) {
        const MarelleSubgame *g = &found->subgames[i];
        printf("%s subgame with %zu fluents, such as %s\n", g->is_useful ? "a" : "a useless",
               g->fluent_count, marelle_fluent_text(play, g->fluents[0]));
    }
    marelle_play_free(play);
}

int main(int argc, char **argv) {
    MarelleRules *rules;
    MarelleGame *game = NULL;
    MarelleDecomposition *found = NULL;
    MarelleProblem problem = {""};
    MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
    if (status == MARELLE_OK)
        status = marelle_game_build(rules, NULL, &game);
    if (status == MARELLE_OK)
        status = marelle_decompose(game, NULL, &found, &problem);
    if (status == MARELLE_OK)
        print_subgames(game, found);
    else
        fprintf(stderr, "%s: %s\n", marelle_status_text(status), problem.text);
    marelle_decomposition_free(found);
    marelle_game_free(game);
    marelle_rules_free(rules);
    return status;
}
