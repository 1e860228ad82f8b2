/* marelle scsp: a game as a stochastic constraint network, and its best policy. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/verbs/show_policy.h"
#include "scsp/exact/expectimax.h"
#include "scsp/exact/micro_graph.h"
#include "scsp/exact/solver.h"
#include "scsp/network/network_export.h"
#include "scsp/network/preprocess.h"
#include "scsp/network/unfold.h"
#include "server/json/inside_json.h"

enum { SHOWN_LINES = 40, SHOWN_VALUES = 12, MAX_ELEMENTS = 1000, MAX_STATES = 2000000 };

typedef struct {
    uint64_t horizon;
    const char *role, *rule, *threshold;
    const char *dot, *minizinc, *xcsp;
    bool plain, tree;
} VerbOptions;

static const Option options[] = {
    {"horizon", 0, OPTION_COUNT, "T", OWN(horizon),
     "turns (default: the turn alone, and its value over any number of turns)"},
    {"role", 0, OPTION_TEXT, "ROLE", OWN(role),
     "whose value (default: the first role that is not random)"},
    {"rule", 0, OPTION_CHOICE, "maxn|paranoid|cooperative", OWN(rule),
     "who decides for whom (default maxn: each role for itself)"},
    {"threshold", 0, OPTION_TEXT, "V", OWN(threshold),
     "any policy worth at least V, from 0 to 1; exit status 1 if there is none"},
    {"dot", 0, OPTION_TEXT, "FILE", OWN(dot), "write the policy as a graph"},
    {"minizinc", 0, OPTION_TEXT, "FILE", OWN(minizinc), "write the network as a MiniZinc model"},
    {"xcsp", 0, OPTION_TEXT, "FILE", OWN(xcsp), "write it in XCSP3's format"},
    {"plain", 0, OPTION_FLAG, NULL, OWN(plain), "the network as translated, without preprocessing"},
    {"tree", 0, OPTION_FLAG, NULL, OWN(tree), "search without remembering states"},
};

typedef struct {
    const Command *command;
    const VerbOptions *own;
    Game *game;
    Template *t;
    Scsp network; /* network of the whole match, or of one turn */
    bool is_feasible;
    uint32_t player;
    const char *method;
    const char *failure; /* why there is no value; NULL if there is one */
    bool is_exhausted;
    bool has_fraction;
    Rational fraction;
    double value;
    ExpectimaxResult expectimax;
    BeliefSearchResult beliefs;
    const Policy *policy; /* NULL if there is none to show */
    uint64_t work;        /* effort: number of nodes, beliefs or states */
    double cpu_seconds;
} Job;

static bool find_role(Job *job) {
    const char *wanted = job->own->role;
    uint32_t r = 0;
    while (!wanted && r < job->game->role_count && game_is_chance(job->game, r))
        r++;
    job->player = wanted ? game_find_role(job->game, wanted) : r;
    bool found = job->player < job->game->role_count;
    if (!found)
        complain("%s: there is no role `%s`", job->command->arguments[0],
                 wanted ? wanted : "but chance");
    return found;
}

static Deadline deadline_of(const Job *job) {
    return job->command->common.seconds > 0 ? job->command->end : (Deadline){0};
}

static DecisionRule rule_of(const Job *job) {
    static const DecisionRule rules[] = {RULE_MAXN, RULE_PARANOID, RULE_COOPERATIVE};
    return rules[choice_index("maxn|paranoid|cooperative", job->own->rule, 0)];
}

static void solve_open(Job *job) {
    static const char *const failures[] = {
        [EXPECTIMAX_INFEASIBLE] = "no policy keeps all constraints",
        [EXPECTIMAX_SIMULTANEOUS] = "several roles choose at the same time",
        [EXPECTIMAX_STOPPED] = "the time is spent"};
    ExpectimaxOptions o = {.rule = rule_of(job),
                           .player = job->player,
                           .caches = !job->own->tree && !job->own->threshold,
                           .has_window = job->own->threshold != NULL,
                           .beta = job->own->threshold ? strtod(job->own->threshold, NULL) : 0,
                           .deadline = deadline_of(job),
                           .stopped = interrupt_flag()};
    o.alpha = o.beta - 1e-9;
    expectimax_solve(&job->network, &o, &job->expectimax);
    job->method = o.caches ? "expectimax, each state once a turn" : "expectimax with windows";
    job->work = job->expectimax.nodes;
    job->failure = failures[job->expectimax.end];
    job->is_exhausted = job->expectimax.end == EXPECTIMAX_STOPPED;
    job->value = job->expectimax.value;
    if (!job->failure && job->expectimax.policy.root != POLICY_NONE)
        job->policy = &job->expectimax.policy;
}

static void solve_hidden(Job *job) {
    Symmetries *symmetries = symmetry_find(job->game, &(SymmetryOptions){.seconds = 5});
    SymmetryGroup *group = symmetries ? symmetry_elements(symmetries, MAX_ELEMENTS) : NULL;
    BeliefSearchOptions o = {.player = job->player,
                             .turns = (uint32_t)job->own->horizon,
                             .group = group,
                             .deadline = deadline_of(job),
                             .stopped = interrupt_flag()};
    belief_search(job->t, &o, &job->beliefs);
    job->method = "search over what the player knows";
    job->work = job->beliefs.beliefs;
    job->failure = job->beliefs.is_solved ? NULL : "the time is spent";
    job->is_exhausted = !job->beliefs.is_solved;
    job->value = job->beliefs.value;
    if (!job->failure)
        job->policy = &job->beliefs.policy;
    symmetry_group_free(group);
    symmetry_free(symmetries);
}

/* Solves without a horizon, for one player without hidden information. */
static void solve_endless(Job *job) {
    if (game_hides(job->game) || game_count_players(job->game) != 1) {
        job->failure = "only one player who sees everything has a value without a horizon";
        return;
    }
    MicroGraph *g = micro_graph_create(job->t, NULL, MAX_STATES);
    job->method = "value iteration";
    job->work = g->states.count;
    job->failure = g->is_complete ? NULL : "there are too many states";
    job->is_exhausted = !g->is_complete;
    if (g->is_complete) {
        double *values = micro_graph_values(g, job->player, PLAY_BEST);
        job->value = values[0];
        free(values);
    }
    micro_graph_free(g);
}

static void solve(Job *job) {
    double started = clock_thread_cpu_seconds();
    if (!job->own->horizon)
        solve_endless(job);
    else if (!game_hides(job->game))
        solve_open(job);
    else if (game_count_players(job->game) == 1)
        solve_hidden(job);
    else
        job->failure = "several players know different things";
    if (job->policy && !(job->own->horizon && job->beliefs.is_inexact)) {
        job->fraction = policy_value(job->policy, job->player);
        job->has_fraction = rational_is_exact(job->fraction);
    }
    job->cpu_seconds = clock_thread_cpu_seconds() - started;
}

static void build_network(Job *job) {
    Scsp whole;
    if (!job->own->horizon) {
        job->is_feasible = preprocess_turn(&job->network, job->t);
        return;
    }
    unfold(&whole, job->t, (uint32_t)job->own->horizon, NULL);
    if (job->own->plain) {
        job->network = whole;
        job->is_feasible = true;
        return;
    }
    job->is_feasible = preprocess(&job->network, &whole);
    scsp_free(&whole);
}

static PolicyView view_of(const Job *job) {
    bool is_hidden = job->policy == &job->beliefs.policy;
    return (PolicyView){job->t, is_hidden ? NULL : &job->network, job->policy,
                        job->beliefs.percepts.items, job->player};
}

static size_t count_rows(const Scsp *n) {
    size_t rows = 0;
    for (size_t i = 0; i < n->tables.count; i++)
        rows += n->tables.items[i].rows->count;
    return rows;
}

static uint32_t domain_size(const ScspVariable *x) {
    return x->allowed ? (uint32_t)bitset_count(x->allowed, bitset_words(x->size)) : x->size;
}

static void print_sizes(const char *label, const Scsp *n) {
    printf("%-14s%zu variables; %zu tables with %zu rows, %zu clauses, %zu functions\n", label,
           n->variables.count, n->tables.count, count_rows(n), n->clauses.count,
           n->functions.count);
}

/* Prints the variables of one turn and their values. Variables of whole matches differ from these
 * by the turn only. */
static void print_variables(const Job *job) {
    const Scsp *n = job->own->horizon ? &job->t->network : &job->network;
    bool all = job->command->common.verbose;
    for (size_t i = 0; i < n->variables.count; i++) {
        const ScspVariable *x = &n->variables.items[i];
        Text line = {0};
        uint32_t shown = 0, size = domain_size(x);
        if (!all && (x->kind == VARIABLE_AUXILIARY || x->kind == VARIABLE_NEXT))
            continue;
        template_write_variable(job->t, x, &line);
        text_printf(&line, ": %u values:", size);
        for (uint32_t v = 0; v < x->size && (all || shown < SHOWN_VALUES); v++) {
            if (x->allowed && !bitset_get(x->allowed, v))
                continue;
            text_add(&line, shown++ ? ", " : " ");
            template_write_value(job->t, x, v, &line);
        }
        printf("  %s%s\n", text_string(&line), shown < size ? ", ..." : "");
        vector_free(&line);
    }
}

static double value_of(const Job *job) {
    return job->has_fraction ? rational_to_double(job->fraction) : job->value;
}

/* True if it is only known that no policy reaches the threshold. */
static bool is_below(const Job *job) {
    return job->own->threshold && !job->failure && !job->policy;
}

static void print_value(const Job *job) {
    Text fraction = {0};
    if (job->has_fraction) {
        rational_write(job->fraction, &fraction);
        text_add(&fraction, " = ");
    }
    if (is_below(job))
        printf("value         %s gets less than %s (%s: %llu)\n", job->game->roles[job->player],
               job->own->threshold, job->method, (unsigned long long)job->work);
    else
        printf("value         %s gets %s%s%.9g (%s: %llu)\n", job->game->roles[job->player],
               job->own->threshold ? "at least " : "", text_string(&fraction), value_of(job),
               job->method, (unsigned long long)job->work);
    vector_free(&fraction);
}

static void print_as_text(const Job *job) {
    printf("turn          %u fluents in %zu variables, %u moves\n", job->t->fluent_count,
           job->t->groups.count, job->game->circuit->move_count);
    print_sizes("", &job->t->network);
    if (job->own->horizon)
        printf("horizon       %llu turns\n", (unsigned long long)job->own->horizon);
    print_sizes("network", &job->network);
    puts("variables of a turn");
    print_variables(job);
    if (job->failure)
        printf("value         unknown: %s\n", job->failure);
    else
        print_value(job);
    if (job->policy) {
        PolicyView view = view_of(job);
        puts("policy");
        print_policy(&view, job->command->common.verbose ? SIZE_MAX : SHOWN_LINES);
    }
}

static json_t *variables_json(const Job *job) {
    json_t *array = json_array();
    for (size_t i = 0; i < job->network.variables.count; i++) {
        const ScspVariable *x = &job->network.variables.items[i];
        json_t *domain = json_array();
        Text name = {0};
        template_write_variable(job->t, x, &name);
        for (uint32_t v = 0; v < x->size; v++) {
            Text value = {0};
            if (x->allowed && !bitset_get(x->allowed, v))
                continue;
            template_write_value(job->t, x, v, &value);
            array_push(domain, take_text_json(&value));
        }
        array_push(array,
                   object_of("name", take_text_json(&name), "turn", json_integer(x->level + 1),
                             "stochastic", json_boolean(x->is_stochastic), "domain", domain));
    }
    return array;
}

static json_t *scope_json(const uint32_t *scope, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        array_push(array, json_integer(scope[i]));
    return array;
}

static void append_constraint(json_t *array, const char *form, ConstraintKind kind, json_t *scope,
                              size_t rows) {
    array_push(array,
               object_of("form", text_json(form), "kind", text_json(constraint_kind_name(kind)),
                         "scope", scope, "rows", count_json(rows)));
}

static json_t *constraints_json(const Scsp *n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n->tables.count; i++) {
        const ScspTable *t = &n->tables.items[i];
        append_constraint(array, "table", t->kind,
                          scope_json(scsp_scope(n, t->first_scope), t->rows->arity),
                          t->rows->count);
    }
    for (size_t i = 0; i < n->clauses.count; i++) {
        const ScspClause *c = &n->clauses.items[i];
        json_t *scope = json_array();
        for (uint32_t k = 0; k < c->count; k++)
            array_push(scope, json_integer(n->literals.items[c->first + k].variable));
        append_constraint(array, "clause", c->kind, scope, c->count);
    }
    for (size_t i = 0; i < n->functions.count; i++) {
        const ScspFunction *f = &n->functions.items[i];
        append_constraint(array, "function", CONSTRAINT_AUXILIARY,
                          scope_json(scsp_scope(n, f->first_scope),
                                     f->rules->input_count + f->rules->output_count),
                          f->rules->rules.count);
    }
    return array;
}

static void print_as_json(const Job *job) {
    Text fraction = {0};
    PolicyView view = view_of(job);
    rational_write(job->fraction, &fraction);
    print_json(
        object_of("game", text_json(job->command->arguments[0]), "horizon",
                  job->own->horizon ? count_json(job->own->horizon) : json_null(), "variables",
                  variables_json(job), "constraints", constraints_json(&job->network), "role",
                  role_json(job->game, job->player), "value",
                  text_json(job->has_fraction ? text_string(&fraction) : NULL), "value_decimal",
                  job->failure || is_below(job) ? json_null() : json_real(value_of(job)), "failure",
                  text_json(job->failure), "policy", job->policy ? policy_json(&view) : json_null(),
                  "nodes", count_json(job->work), "translation_cpu_seconds",
                  json_real(job->t->cpu_seconds), "cpu_seconds", json_real(job->cpu_seconds)));
    vector_free(&fraction);
}

/* Writes the file, if there is one to write, and frees the text. */
static bool write_file(const char *path, Text *text) {
    bool is_written = !path || !text->count || write_text(path, text);
    if (!is_written)
        complain("%s: %s", path, strerror(errno));
    vector_free(text);
    return is_written;
}

static bool write_files(const Job *job) {
    Text minizinc = {0}, xcsp = {0}, dot = {0};
    PolicyView view = view_of(job);
    if (job->own->minizinc)
        export_minizinc(job->t, &job->network, job->player, &minizinc);
    if (job->own->xcsp)
        export_xcsp(job->t, &job->network, job->player, &xcsp);
    if (job->own->dot && job->policy)
        write_policy_dot(&view, &dot);
    bool done = write_file(job->own->minizinc, &minizinc);
    done = write_file(job->own->xcsp, &xcsp) && done;
    return write_file(job->own->dot, &dot) && done;
}

static int run_job(Job *job) {
    build_network(job);
    Ticker *ticker = ticker_start(!job->command->common.quiet, "solving", job->command->end);
    if (job->network.is_cut_short) {
        job->failure = "the time is spent";
        job->is_exhausted = true;
    } else if (job->is_feasible)
        solve(job);
    else
        job->failure = "no policy keeps all constraints";
    ticker_stop(ticker);
    if (job->command->common.json)
        print_as_json(job);
    else
        print_as_text(job);
    int status = job->is_exhausted ? STATUS_EXHAUSTED : job->failure ? STATUS_NO : STATUS_DONE;
    if (!write_files(job))
        return STATUS_USAGE;
    return is_below(job) ? STATUS_NO : status;
}

static bool is_threshold(const char *text) {
    char *end;
    double value = strtod(text, &end);
    return end > text && !*end && value >= 0 && value <= 1;
}

static int unfold_and_solve(const Command *command, Game *game) {
    Job job = {.command = command, .own = command->options, .game = game};
    int status = STATUS_EXHAUSTED;
    Report report = {0};
    if (job.own->horizon > UNFOLD_MAX_TURNS)
        return wrong_usage("--horizon goes up to %d", UNFOLD_MAX_TURNS);
    if (!find_role(&job))
        return STATUS_USAGE;
    if (job.own->threshold && !is_threshold(job.own->threshold))
        return wrong_usage("--threshold takes a number from 0 to 1, not `%s`", job.own->threshold);
    if (job.own->threshold && (game_hides(game) || !job.own->horizon))
        return wrong_usage("--threshold needs a horizon and a game in which nothing is hidden");
    job.t = template_create(game, &(TemplateOptions){0}, &report);
    if (job.t)
        status = run_job(&job);
    else
        print_failure(&report);
    report_free(&report);
    policy_free(&job.expectimax.policy);
    belief_search_free(&job.beliefs);
    scsp_free(&job.network);
    template_free(job.t);
    return status;
}

const Verb verb_scsp = {
    .name = "scsp",
    .arguments = "GAME [--horizon T]",
    .summary = "write a game as a stochastic constraint network and solve it",
    .description =
        "Translates a match of at most T turns into variables and constraints, including draws\n"
        "of chance, and finds the best policy: its value as an exact fraction of 1, and the\n"
        "move to make after each course of events. A single player who does not see the state\n"
        "bases its moves on its percepts alone. Without a horizon, shows the network of one\n"
        "turn and the value over any number of turns. Exit status 1 if there is no value\n"
        "(several roles choose at once, or know different things), 3 if the rules are too large\n"
        "or the time is over.",
    .example = "scsp monty_hall --horizon 3",
    VERB_OPTIONS,
    .unused = "seed threads playouts",
    .takes = {1, 1},
    .play = unfold_and_solve,
};
