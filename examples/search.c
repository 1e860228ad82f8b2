/* The example of include/marelle/search.h, word for word after this comment. */
#include <marelle/marelle.h>
#include <stdio.h>

static void print_moves(MarelleGame *game, const MarelleSearchResult *result) {
    MarellePlay *play = marelle_play_create(game);
    for (size_t i = 0; i < result->move_count; i++) {
        const MarelleSearchMove *m = &result->moves[i];
        printf("%6.2f %10llu %s%s\n", m->value, (unsigned long long)m->visits,
               marelle_move_text(play, 0, m->move), m->is_proven ? " (proven)" : "");
    }
    marelle_play_free(play);
}

int main(int argc, char **argv) {
    MarelleRules *rules;
    MarelleGame *game = NULL;
    MarelleSearch *search = NULL;
    MarelleProblem problem = {""};
    MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
    if (status == MARELLE_OK)
        status = marelle_game_build(rules, NULL, &game);
    if (status == MARELLE_OK)
        status = marelle_search_create(game, 0, "auto:seed=1", NULL, &search, &problem);
    if (status == MARELLE_OK)
        status = marelle_search_run(search, &(MarelleBudget){.seconds = 1}, &problem);
    if (status == MARELLE_OK)
        print_moves(game, marelle_search_result(search));
    else
        fprintf(stderr, "%s: %s\n", marelle_status_text(status), problem.text);
    marelle_search_free(search);
    marelle_game_free(game);
    marelle_rules_free(rules);
    return status;
}
