/* Which method suits a game, and what it found, in one form. */
#include "scsp/exact/game_network.h"

#include <assert.h>

#include "scsp/exact/micro_graph.h"
#include "scsp/network/preprocess.h"
#include "scsp/network/unfold.h"

enum { MAX_ELEMENTS = 1000, MAX_STATES = 2000000 };
static const double SYMMETRY_SECONDS = 5; /* CPU time (untuned) */

GameNetwork *game_network_build(Game *game, const State *from, uint32_t horizon, bool is_plain,
                                Report *report) {
    Template *t = template_create(game, &(TemplateOptions){0}, report);
    Scsp whole;
    assert(!from || !game_hides(game));
    if (!t)
        return NULL;
    if (from)
        template_read_state(t, from, t->initial);
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

/* All states of a game with one player who sees everything. NULL, with the reason in the answer, if
 * the game is another one or too large. */
static MicroGraph *find_states(const GameNetwork *n, const NetworkQuestion *q, NetworkAnswer *a) {
    if (game_hides(n->game) || game_count_players(n->game) != 1) {
        a->failure = n->horizon ? "only one player who sees everything can play by another rule"
                                : "only one player who sees everything has a value without a "
                                  "horizon";
        return NULL;
    }
    MicroGraph *g = micro_graph_create(n->t, NULL, MAX_STATES, q->deadline, q->stopped);
    a->work = g->states.count;
    if (g->is_complete)
        return g;
    a->failure = g->states.count > MAX_STATES ? "there are too many states" : "the time is spent";
    a->is_exhausted = true;
    micro_graph_free(g);
    return NULL;
}

/* Without a horizon, or by a rule of play. */
static void solve_by_states(const GameNetwork *n, const NetworkQuestion *q, NetworkAnswer *a) {
    PlayRule rule = q->has_play ? q->play : PLAY_BEST;
    MicroGraph *g = find_states(n, q, a);
    if (!g)
        return;
    a->method = n->horizon ? "backward induction" : "value iteration";
    if (n->horizon) {
        a->value = bounded_value(g, q->player, rule, n->horizon);
    } else {
        double *values = micro_graph_values(g, q->player, rule);
        a->value = values[0];
        free(values);
    }
    micro_graph_free(g);
}

static void count_policies(const GameNetwork *n, const NetworkQuestion *q, NetworkAnswer *a) {
    MicroGraph *g = find_states(n, q, a);
    if (!g)
        return;
    if (!bounded_policies(g, q->player, n->horizon, q->deadline, q->stopped, &a->policies)) {
        a->failure = "there are too many policies of different value to count them";
        a->is_exhausted = true;
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
    else if (!n->horizon || q->has_play)
        solve_by_states(n, q, a);
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
    a->is_bound = q->has_threshold && !a->failure && a->policy;
    if (q->counts_policies && !a->failure)
        count_policies(n, q, a);
    a->cpu_seconds = clock_thread_cpu_seconds() - started;
}

void network_answer_free(NetworkAnswer *answer) {
    policy_free(&answer->expectimax.policy);
    belief_search_free(&answer->beliefs);
    vector_free(&answer->policies);
}

const char *network_answer_relation(const NetworkAnswer *a) {
    return a->is_below ? "less than" : a->is_bound ? "at least" : "exact";
}

double network_answer_policies(const NetworkAnswer *a, double at_least) {
    double count = 0;
    for (size_t i = 0; i < a->policies.count; i++)
        if (rational_to_double(a->policies.items[i].value) > at_least - 1e-9)
            count += a->policies.items[i].count;
    return count;
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
