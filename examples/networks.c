/* The example of include/marelle/networks.h, word for word after this comment. */
#include <marelle/marelle.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MarelleRules *rules;
    MarelleGame *game = NULL;
    MarelleNetwork *network = NULL;
    MarellePolicy *policy = NULL;
    MarelleProblem problem = {""};
    MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
    if (status == MARELLE_OK)
        status = marelle_game_build(rules, NULL, &game);
    if (status == MARELLE_OK)
        status = marelle_network_build(game, 3, false, &network, &problem);
    if (status == MARELLE_OK)
        status = marelle_network_solve(network, NULL, &policy, &problem);
    if (status == MARELLE_OK)
        printf("%s\n", policy->has_value ? policy->fraction : policy->reason);
    else
        fprintf(stderr, "%s: %s\n", marelle_status_text(status), problem.text);
    marelle_policy_free(policy);
    marelle_network_free(network);
    marelle_game_free(game);
    marelle_rules_free(rules);
    return status;
}
