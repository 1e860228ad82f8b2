/* Constraint networks for the public interface: calls into scsp/exact/game_network.h. */
#include <string.h>

#include "api/api_internal.h"
#include "scsp/macucb/macucb_measure.h"
#include "scsp/network/network_export.h"
#include "scsp/network/unfold.h"
#include "server/json/inside_json.h"
#include "server/json/json.h"
#include "server/json/network_json.h"

struct MarelleNetwork {
    GameNetwork *inner;
};

MarelleStatus marelle_network_create(MarelleGame *game, const MarelleNetworkOptions *options,
                                     MarelleNetwork **network, MarelleProblem *problem) {
    _Static_assert((int)MARELLE_MOST_TURNS == UNFOLD_MAX_TURNS, "the public name stands for ours");
    Report report = {0};
    *network = NULL;
    if (!is_zero(options->reserved))
        return refuse(problem, MARELLE_BAD_ARGUMENT, "a reserved field is not zero");
    if (options->horizon > UNFOLD_MAX_TURNS)
        return refuse(problem, MARELLE_BAD_ARGUMENT, "the horizon is %d turns at most",
                      UNFOLD_MAX_TURNS);
    if (!game_has_circuit(game->game))
        return refuse_without_circuit(problem, game->game);
    begin_stoppable(options->stopped);
    GameNetwork *inner =
        game_network_build(game->game, NULL, options->horizon, options->plain, &report);
    if (end_stoppable(options->stopped)) {
        game_network_free(inner);
        report_free(&report);
        return refuse(problem, MARELLE_SPENT, WAS_STOPPED);
    }
    if (!inner)
        return refuse_by_report(problem, MARELLE_UNFIT, &report);
    report_free(&report);
    *network = memory_zalloc(sizeof **network);
    (*network)->inner = inner;
    return succeed(problem);
}

MarelleStatus marelle_network_build(MarelleGame *game, uint32_t horizon, bool plain,
                                    MarelleNetwork **network, MarelleProblem *problem) {
    return marelle_network_create(
        game, &(MarelleNetworkOptions){.horizon = horizon, .plain = plain}, network, problem);
}

void marelle_network_free(MarelleNetwork *network) {
    if (!network)
        return;
    game_network_free(network->inner);
    free(network);
}

char *marelle_network_json(const MarelleNetwork *network) {
    return dump_json(network_json(network->inner));
}

char *marelle_network_write(const MarelleNetwork *network, const char *format, uint32_t role) {
    const GameNetwork *n = network->inner;
    Text text = {0};
    if (role >= n->game->role_count)
        return NULL;
    if (strcmp(format, "minizinc") == 0)
        export_minizinc(n->t, &n->network, role, &text);
    else if (strcmp(format, "xcsp") == 0)
        export_xcsp(n->t, &n->network, role, &text);
    else
        return NULL;
    return give_text(&text);
}

/* A policy with what its texts belong to. */
typedef struct {
    MarellePolicy public;
    NetworkAnswer answer;
    Text fraction, graph;
    char *json;
} PolicyResult;

/* Fills in the question. Returns what is wrong with the options; NULL if nothing is. */
static const char *read_options(const GameNetwork *n, const MarellePolicyOptions *o,
                                NetworkQuestion *q) {
    static const char *const names[] = {"maxn", "paranoid", "cooperative"};
    static const DecisionRule rules[] = {RULE_MAXN, RULE_PARANOID, RULE_COOPERATIVE};
    size_t rule = 0;
    uint32_t role = o->role;
    if (!is_time(o->seconds) || !is_zero(o->reserved))
        return "an option is out of range, or a reserved field is not zero";
    while (o->rule && rule < 3 && strcmp(o->rule, names[rule]) != 0)
        rule++;
    if (rule == 3)
        return "the rule is `maxn`, `paranoid` or `cooperative`";
    if (role == MARELLE_FIRST_PLAYER)
        for (role = 0; role < n->game->role_count && game_is_chance(n->game, role);)
            role++;
    if (role >= n->game->role_count)
        return "there is no such role";
    if (o->has_threshold && !(o->threshold >= 0 && o->threshold <= 1))
        return "the threshold is a number from 0 to 1";
    if (o->has_threshold && (!n->horizon || game_hides(n->game)))
        return "a threshold needs a horizon and a game in which nothing is hidden";
    *q = (NetworkQuestion){.player = role,
                           .rule = rules[rule],
                           .has_threshold = o->has_threshold,
                           .threshold = o->threshold,
                           .forgets = o->forgets,
                           .deadline = o->seconds > 0 ? deadline_in(o->seconds) : (Deadline){0},
                           .stopped = o->stopped};
    return NULL;
}

static void describe(const GameNetwork *n, const NetworkQuestion *q, PolicyResult *result) {
    const NetworkAnswer *a = &result->answer;
    if (a->has_fraction)
        rational_write(a->fraction, &result->fraction);
    if (a->policy) {
        PolicyView view = network_answer_view(n, q, a);
        policy_write_dot(&view, &result->graph);
        result->json = dump_json(policy_json(&view));
    }
    result->public = (MarellePolicy){.has_value = !a->failure && !a->is_below,
                                     .reason = a->failure    ? a->failure
                                               : a->is_below ? "no policy reaches the threshold"
                                                             : "",
                                     .is_exhausted = a->is_exhausted,
                                     .is_below = a->is_below,
                                     .value = network_answer_value(a),
                                     .fraction = text_string(&result->fraction),
                                     .method = a->method ? a->method : "",
                                     .nodes = a->work,
                                     .cpu_seconds = a->cpu_seconds,
                                     .json = result->json ? result->json : "null",
                                     .graph = text_string(&result->graph)};
}

MarelleStatus marelle_network_solve(const MarelleNetwork *network,
                                    const MarellePolicyOptions *options, MarellePolicy **policy,
                                    MarelleProblem *problem) {
    static const MarellePolicyOptions defaults = {.role = MARELLE_FIRST_PLAYER};
    NetworkQuestion question;
    *policy = NULL;
    const char *complaint = read_options(network->inner, options ? options : &defaults, &question);
    if (complaint)
        return refuse(problem, MARELLE_BAD_ARGUMENT, "%s", complaint);
    PolicyResult *result = memory_zalloc(sizeof *result);
    game_network_solve(network->inner, &question, &result->answer);
    describe(network->inner, &question, result);
    *policy = &result->public;
    return succeed(problem);
}

void marelle_policy_free(MarellePolicy *policy) {
    PolicyResult *result = (PolicyResult *)policy;
    if (!result)
        return;
    network_answer_free(&result->answer);
    vectors_free(&result->fraction, &result->graph);
    memory_free(result->json, result);
}

MarelleStatus marelle_network_savings(MarelleGame *game, uint64_t pulls, double cpu_seconds,
                                      uint64_t seed, const bool *stopped, MarelleSavings *savings,
                                      MarelleProblem *problem) {
    MacUcbMeasures m;
    double started = clock_thread_cpu_seconds();
    *savings = (MarelleSavings){0};
    if (!is_time(cpu_seconds))
        return refuse(problem, MARELLE_BAD_ARGUMENT, "the time is out of range");
    begin_stoppable(stopped);
    bool is_measured = macucb_measure(game->game, pulls, cpu_seconds, seed, &m);
    if (end_stoppable(stopped))
        return refuse(problem, MARELLE_SPENT, WAS_STOPPED);
    if (!is_measured)
        return refuse(problem, MARELLE_UNFIT, "the search `mac-ucb` cannot play this game");
    *savings = (MarelleSavings){.is_translated = m.is_translated,
                                .is_whole_group = m.is_whole_group,
                                .forbidden = m.forbidden,
                                .log10_order = m.log10_order,
                                .generators = m.generators,
                                .solved = m.solved,
                                .arrivals = m.arrivals,
                                .classes = m.classes,
                                .proved = m.proved,
                                .predicted = m.predicted,
                                .cpu_seconds = clock_thread_cpu_seconds() - started};
    return succeed(problem);
}
