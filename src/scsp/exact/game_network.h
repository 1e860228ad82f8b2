/* A game as a constraint network, and its best policy by the method that suits the game: expectimax
 * where nothing is hidden, a search over what a single player knows, value iteration without a
 * horizon.
 *
 *     GameNetwork *n = game_network_build(game, 3, false, &report);
 *     NetworkAnswer answer;
 *     game_network_solve(n, &(NetworkQuestion){.player = 0}, &answer);
 *     ... answer.value, answer.policy ...
 *     network_answer_free(&answer); */
#pragma once

#include "scsp/exact/bounded_play.h"
#include "scsp/exact/expectimax.h"
#include "scsp/exact/policy_view.h"

typedef struct {
    Game *game;
    uint32_t horizon; /* turns; 0: one turn, which is repeated without end */
    Template *t;
    Scsp network;     /* network of the whole match, or of one turn */
    bool is_feasible; /* false if no policy keeps all constraints */
} GameNetwork;

/* The match begins in the state `from`, or in the initial one if that is NULL; another state needs
 * a game in which nothing is hidden. `horizon` is at most UNFOLD_MAX_TURNS; `is_plain`: without
 * preprocessing. NULL with the reason in the report. The game must outlive the network. */
GameNetwork *game_network_build(Game *game, const State *from, uint32_t horizon, bool is_plain,
                                Report *report);
void game_network_free(GameNetwork *n);

typedef struct {
    uint32_t player; /* the role whose value it is */
    DecisionRule rule;
    bool has_play; /* a single player plays by `play`, not as well as it can; no policy is made */
    PlayRule play;
    bool counts_policies; /* of a single player; needs a horizon, and nothing hidden */
    bool has_threshold;   /* any policy worth so much; needs a horizon, and nothing hidden */
    double threshold;     /* from 0 to 1 */
    bool forgets;         /* searches without remembering states */
    Deadline deadline;    /* {0}: none */
    const bool *stopped;
} NetworkQuestion;

typedef struct {
    const char *method;  /* NULL if none suits the game */
    const char *failure; /* why there is no value; NULL if there is one */
    bool is_exhausted;   /* the failure is a lack of time or memory */
    bool is_below;       /* it is only known that no policy reaches the threshold */
    bool is_bound;     /* the value is that of a policy that reaches the threshold, not the best */
    bool has_fraction; /* the value is `fraction`; otherwise `value`, rounded */
    Rational fraction;
    double value;
    const Policy *policy;  /* NULL if there is none to show */
    PolicyValues policies; /* all policies by value, if they were to be counted */
    uint64_t work;         /* effort: number of nodes, beliefs or states */
    double cpu_seconds;
    ExpectimaxResult expectimax;
    BeliefSearchResult beliefs;
} NetworkAnswer;

void game_network_solve(const GameNetwork *n, const NetworkQuestion *question,
                        NetworkAnswer *answer);
void network_answer_free(NetworkAnswer *answer);
/* What the value of an answer without a failure is: "exact", "at least" or "less than". */
const char *network_answer_relation(const NetworkAnswer *answer);
/* Number of policies that were counted and are worth that much, up to rounding. */
double network_answer_policies(const NetworkAnswer *answer, double at_least);

/* The value as a number. */
double network_answer_value(const NetworkAnswer *answer);
/* For showing the policy of the answer. */
PolicyView network_answer_view(const GameNetwork *n, const NetworkQuestion *question,
                               const NetworkAnswer *answer);
