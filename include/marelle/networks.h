/* Constraint networks: a game of a bounded number of turns as a stochastic constraint network
 * (variables, tables, clauses, draws of chance), its exact value and its best policy. Included by
 * <marelle/marelle.h>. A whole program, which plays Monty Hall to perfection:
 *
 *     #include <marelle/marelle.h>
 *     #include <stdio.h>
 *
 *     int main(int argc, char **argv) {
 *         MarelleRules *rules;
 *         MarelleGame *game = NULL;
 *         MarelleNetwork *network = NULL;
 *         MarellePolicy *policy = NULL;
 *         MarelleProblem problem = {""};
 *         MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
 *         if (status == MARELLE_OK)
 *             status = marelle_game_build(rules, NULL, &game);
 *         if (status == MARELLE_OK)
 *             status = marelle_network_build(game, 3, false, &network, &problem);
 *         if (status == MARELLE_OK)
 *             status = marelle_network_solve(network, NULL, &policy, &problem);
 *         if (status == MARELLE_OK)
 *             printf("%s\n", policy->has_value ? policy->fraction : policy->reason);
 *         else
 *             fprintf(stderr, "%s: %s\n", marelle_status_text(status), problem.text);
 *         marelle_policy_free(policy);
 *         marelle_network_free(network);
 *         marelle_game_free(game);
 *         marelle_rules_free(rules);
 *         return status;
 *     }
 */
#ifndef MARELLE_NETWORKS_H
#define MARELLE_NETWORKS_H

#include <marelle/marelle.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MarelleNetwork MarelleNetwork;

/* Builds the network of a match of at most `horizon` turns, simplified unless it shall be `plain`;
 * horizon 0: of a single turn, whose value counts any number of turns. MARELLE_UNFIT, with *network
 * NULL, if the game has no circuit or is too large for tables; MARELLE_BAD_ARGUMENT above
 * MARELLE_MOST_TURNS. */
enum { MARELLE_MOST_TURNS = 1000 };
MARELLE_API MarelleStatus marelle_network_build(MarelleGame *game, uint32_t horizon, bool plain,
                                                MarelleNetwork **network, MarelleProblem *problem);
typedef struct {
    uint32_t horizon;
    bool plain;
    const bool *stopped;  /* the call ends soon after another thread sets this; NULL: nobody does */
    uint64_t reserved[4]; /* must be zero */
} MarelleNetworkOptions;

/* The same with a flag; MARELLE_SPENT, with *network NULL, if it was stopped. */
MARELLE_API MarelleStatus marelle_network_create(MarelleGame *game,
                                                 const MarelleNetworkOptions *options,
                                                 MarelleNetwork **network, MarelleProblem *problem);
/* NULL is allowed, also below. */
MARELLE_API void marelle_network_free(MarelleNetwork *network);

/* Variables with their domains, and constraints: the keys of `marelle scsp --json`. */
MARELLE_API char *marelle_network_json(const MarelleNetwork *network);
/* The network for another solver: "minizinc" or "xcsp", with the goals of that role. NULL if there
 * is no such format or role. */
MARELLE_API char *marelle_network_write(const MarelleNetwork *network, const char *format,
                                        uint32_t role);

/* Role MARELLE_FIRST_PLAYER: the first one that is not `random`. */
#define MARELLE_FIRST_PLAYER UINT32_MAX

typedef struct {
    uint32_t role;        /* whose value */
    const char *rule;     /* who decides for whom: "maxn" (the default; each role for itself),
                             "paranoid" (all others against the role) or "cooperative" */
    bool has_threshold;   /* any policy worth at least the threshold will do */
    double threshold;     /* from 0 to 1. Needs a horizon and a game in which nothing is hidden. */
    bool forgets;         /* search without remembering states */
    double seconds;       /* wall-clock time; 0: no limit */
    const bool *stopped;  /* NULL: nobody stops it */
    uint64_t reserved[4]; /* must be zero */
} MarellePolicyOptions;

typedef struct {
    bool has_value;
    const char *reason;   /* why there is no value, half a sentence; "" if there is one */
    bool is_exhausted;    /* the reason is a lack of time or memory */
    bool is_below;        /* no policy reaches the threshold, and no more is known */
    double value;         /* expected goal of the role as a share of 100 */
    const char *fraction; /* the same exactly, such as "2/3"; "" if it is not exact */
    const char *method;
    uint64_t nodes; /* effort: values tried, or states */
    double cpu_seconds;
    const char *json;     /* the policy as a graph, the key `policy` of `marelle scsp --json` */
    const char *graph;    /* the policy in the language of graphviz; "" if there is none */
    uint64_t reserved[4]; /* always zero */
} MarellePolicy;

/* Finds the best policy. `options` may be NULL: the first player, and no limits. A value that
 * cannot be found is MARELLE_OK with a reason. MARELLE_BAD_ARGUMENT, with *policy NULL, if an
 * option is out of range. */
MARELLE_API MarelleStatus marelle_network_solve(const MarelleNetwork *network,
                                                const MarellePolicyOptions *options,
                                                MarellePolicy **policy, MarelleProblem *problem);
MARELLE_API void marelle_policy_free(MarellePolicy *policy);

/* ---- Symmetries of the network -------------------------------------------------------------- */

/* What symmetries save the search "mac-ucb" in a game. */
typedef struct {
    bool is_translated;   /* the network of one turn was made in time; else the next four are 0 */
    bool is_whole_group;  /* classes are counted by the whole group, not by some elements alone */
    double forbidden;     /* rows missing in its tables, the vertices of nogoods */
    double log10_order;   /* decimal logarithm of the order of the group */
    uint64_t generators;  /* of the group */
    uint64_t solved;      /* states or beliefs that the search solved, */
    uint64_t arrivals;    /* moves that led to them, */
    uint64_t classes;     /* and their classes up to symmetry */
    uint64_t proved;      /* nogoods by proof, */
    uint64_t predicted;   /* and by prediction */
    double cpu_seconds;   /* of the whole call */
    uint64_t reserved[4]; /* always zero */
} MarelleSavings;

/* Searches from the initial state with so many pulls, and with at most so many CPU seconds for the
 * network and its symmetries. MARELLE_UNFIT if the search cannot play the game, MARELLE_SPENT if
 * the flag, which may be NULL, was set. */
MARELLE_API MarelleStatus marelle_network_savings(MarelleGame *game, uint64_t pulls,
                                                  double cpu_seconds, uint64_t seed,
                                                  const bool *stopped, MarelleSavings *savings,
                                                  MarelleProblem *problem);

#ifdef __cplusplus
}
#endif

#endif
