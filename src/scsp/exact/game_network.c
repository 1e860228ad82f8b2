/* Which method suits a game, and what it found, in one form. */
#include "scsp/exact/game_network.h"

#include "scsp/exact/micro_graph.h"
#include "scsp/network/preprocess.h"
#include "scsp/network/unfold.h"

enum { MAX_ELEMENTS = 1000, MAX_STATES = 2000000 };
static const double SYMMETRY_SECONDS = 5; /* CPU time (untuned) */

GameNetwork *game_network_build(Game *game, uint32_t horizon, bool is_plain, Report *report) {
    Template *t = template_create(game, &(TemplateOptions){0}, report);
    Scsp whole;
    if (!t)
        return NULL;
    GameNetwork *n = memory_zalloc(sizeof *n);
    n->game = game;
    n->horizon = horizon;
    n->t = t;
    if (!horizon) {
        n->is_feasible = preprocess_turn(&n->network, t);
        return n;
    }
    unfold(&whole, t, horizon, NULL);
    if (is_plain) {
        n->network = whole;
        n->is_feasible = true;
        return n;
    }
    n->is_feasible = preprocess(&n->network, &whole);
    scsp_free(&whole);
    return n;
}

void game_network_free(GameNetwork *n) {
    if (!n)
        return;
    scsp_free(&n->network);
    template_free(n->t);
    free(n);
}

static void solve_open(const GameNetwork *n, const NetworkQuestion *q, NetworkAnswer *a) {
    static const char *const failures[] = {
        [EXPECTIMAX_INFEASIBLE] = "no policy keeps all constraints",
        [EXPECTIMAX_SIMULTANEOUS] = "several roles choose at the same time",
        [EXPECTIMAX_STOPPED] = "the time is spent"};
    ExpectimaxOptions o = {.rule = q->rule,
                           .player = q->player,
                           .caches = !q->forgets && !q->has_threshold,
                           .window_given = q->has_threshold,
                           .beta = q->has_threshold ? q->threshold : 0,
                           .deadline = q->deadline,
                           .stopped = q->stopped};
    o.alpha = o.beta - 1e-9;
    expectimax_solve(&n->network, &o, &a->expectimax);
    a->method = o.caches ? "expectimax, each state once a turn" : "expectimax with windows";
    a->work = a->expectimax.nodes;
    a->failure = failures[a->expectimax.end];
    a->is_exhausted = a->expectimax.end == EXPECTIMAX_STOPPED;
    a->value = a->expectimax.value;
    if (!a->failure && a->expectimax.policy.root != POLICY_NONE)
        a->policy = &a->expectimax.policy;
}

static void solve_hidden(const GameNetwork *n, const NetworkQuestion *q, NetworkAnswer *a) {
    Symmetries *symmetries =
        symmetry_find(n->game, &(SymmetryOptions){.seconds = SYMMETRY_SECONDS});
    SymmetryGroup *group = symmetries ? symmetry_elements(symmetries, MAX_ELEMENTS) : NULL;
    BeliefSearchOptions o = {.player = q->player,
                             .turns = n->horizon,
                             .group = group,
                             .deadline = q->deadline,
                             .stopped = q->stopped};
    belief_search(n->t, &o, &a->beliefs);
    a->method = "search over what the player knows";
    a->work = a->beliefs.beliefs;
    a->failure = a->beliefs.is_solved ? NULL : "the time is spent";
    a->is_exhausted = !a->beliefs.is_solved;
    a->value = a->beliefs.value;
    if (!a->failure)
        a->policy = &a->beliefs.policy;
    symmetry_group_free(group);
    symmetry_free(symmetries);
}

/* Without a horizon, for one player without hidden information. */
static void solve_endless(const GameNetwork *n, const NetworkQuestion *q, NetworkAnswer *a) {
    if (game_hides(n->game) || game_count_players(n->game) != 1) {
        a->failure = "only one player who sees everything has a value without a horizon";
        return;
    }
    MicroGraph *g = micro_graph_create(n->t, NULL, MAX_STATES, q->deadline, q->stopped);
    a->method = "value iteration";
    a->work = g->states.count;
    a->failure = g->is_complete                 ? NULL
                 : g->states.count > MAX_STATES ? "there are too many states"
                                                : "the time is spent";
    a->is_exhausted = !g->is_complete;
    if (g->is_complete) {
        double *values = micro_graph_values(g, q->player, PLAY_BEST);
        a->value = values[0];
        free(values);
    }
    micro_graph_free(g);
}

void game_network_solve(const GameNetwork *n, const NetworkQuestion *q, NetworkAnswer *a) {
    double started = clock_thread_cpu_seconds();
    *a = (NetworkAnswer){0};
    if (n->network.is_cut_short) {
        a->failure = "the time is spent";
        a->is_exhausted = true;
    } else if (!n->is_feasible)
        a->failure = "no policy keeps all constraints";
    else if (!n->horizon)
        solve_endless(n, q, a);
    else if (!game_hides(n->game))
        solve_open(n, q, a);
    else if (game_count_players(n->game) == 1)
        solve_hidden(n, q, a);
    else
        a->failure = "several players know different things";
    if (a->policy && !(n->horizon && a->beliefs.is_inexact)) {
        a->fraction = policy_value(a->policy, q->player);
        a->has_fraction = rational_is_exact(a->fraction);
    }
    a->is_below = q->has_threshold && !a->failure && !a->policy;
    a->cpu_seconds = clock_thread_cpu_seconds() - started;
}

void network_answer_free(NetworkAnswer *answer) {
    policy_free(&answer->expectimax.policy);
    belief_search_free(&answer->beliefs);
}

double network_answer_value(const NetworkAnswer *answer) {
    return answer->has_fraction ? rational_to_double(answer->fraction) : answer->value;
}

PolicyView network_answer_view(const GameNetwork *n, const NetworkQuestion *question,
                               const NetworkAnswer *answer) {
    bool is_hidden = answer->policy == &answer->beliefs.policy;
    return (PolicyView){n->t, is_hidden ? NULL : &n->network, answer->policy,
                        answer->beliefs.percepts.items, question->player};
}
