/* The example of include/marelle/matches.h, word for word after this comment. */
#include <marelle/marelle.h>
#include <stdio.h>

static size_t take_first(void *context, const MarelleQuestion *question) {
    (void)context;
    printf("%s takes %s\n", question->role_name, question->legal[0]);
    return 0;
}

int main(int argc, char **argv) {
    MarelleRules *rules;
    MarelleGame *game = NULL;
    MarelleMatch *match = NULL;
    MarelleProblem problem = {""};
    MarelleSeat seats[] = {{.name = "uct:playouts=1000"}, {.choose = take_first}};
    MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
    if (status == MARELLE_OK)
        status = marelle_game_build(rules, NULL, &game);
    if (status == MARELLE_OK)
        status = marelle_match_play(game, seats, 2, NULL, &match, &problem);
    if (status == MARELLE_OK)
        printf("%d : %d\n", match->goals[0], match->goals[1]);
    else
        fprintf(stderr, "%s: %s\n", marelle_status_text(status), problem.text);
    marelle_match_free(match);
    marelle_game_free(game);
    marelle_rules_free(rules);
    return status;
}
