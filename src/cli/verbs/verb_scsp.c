/* marelle scsp: a game as a stochastic constraint network, and its best policy. */
#include <errno.h>
#include <stdio.h>

#include "base/bitset.h"
#include "base/interrupt.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/position.h"
#include "cli/verbs.h"
#include "cli/verbs/show_policy.h"
#include "scsp/network/network_export.h"
#include "scsp/network/unfold.h"
#include "server/json/network_json.h"

enum { SHOWN_LINES = 40, SHOWN_VALUES = 12 };

typedef struct {
    uint64_t horizon;
    const char *moves, *role, *rule, *threshold;
    const char *dot, *minizinc, *xcsp;
    bool plain, tree, count;
} VerbOptions;

#define RULES "maxn|paranoid|cooperative|worst|uniform"
enum { RULE_WORST = 3, RULE_UNIFORM = 4 }; /* the last two of these */

static const Option options[] = {
    {"horizon", 0, OPTION_COUNT, "T", OWN(horizon),
     "turns (default: the turn alone, and its value over any number of turns)"},
    {"moves", 0, OPTION_TEXT, "MOVES", OWN(moves),
     "begin after these joint moves, e.g. \"noop (roll 6); left noop\""},
    {"role", 0, OPTION_TEXT, "ROLE", OWN(role),
     "whose value (default: the first role that is not random)"},
    {"rule", 0, OPTION_CHOICE, RULES, OWN(rule),
     "who decides for whom (default maxn: each role for itself); worst, uniform: the worst or\n"
     "random play of one player against chance"},
    {"count", 0, OPTION_FLAG, NULL, OWN(count),
     "how many policies there are, and how many of them are the best ones or reach V"},
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
    GameNetwork *n;
    NetworkQuestion question;
    NetworkAnswer answer;
} Job;

static bool find_role(Job *job, const Game *game) {
    const char *wanted = job->own->role;
    uint32_t r = 0;
    while (!wanted && r < game->role_count && game_is_chance(game, r))
        r++;
    job->question.player = wanted ? game_find_role(game, wanted) : r;
    bool found = job->question.player < game->role_count;
    if (!found)
        complain("%s: there is no role `%s`", job->command->arguments[0],
                 wanted ? wanted : "but chance");
    return found;
}

static void ask(Job *job) {
    static const DecisionRule rules[] = {RULE_MAXN, RULE_PARANOID, RULE_COOPERATIVE};
    NetworkQuestion *q = &job->question;
    size_t rule = choice_index(RULES, job->own->rule, 0);
    q->has_play = rule >= RULE_WORST;
    q->play = rule == RULE_WORST ? PLAY_WORST : PLAY_UNIFORM;
    q->rule = q->has_play ? RULE_MAXN : rules[rule];
    q->counts_policies = job->own->count;
    q->has_threshold = job->own->threshold != NULL;
    q->threshold = q->has_threshold ? strtod(job->own->threshold, NULL) : 0;
    q->forgets = job->own->tree;
    q->deadline = job->command->common.seconds > 0 ? job->command->end : (Deadline){0};
    q->stopped = interrupt_flag();
    game_network_solve(job->n, q, &job->answer);
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
    const Scsp *n = job->n->horizon ? &job->n->t->network : &job->n->network;
    bool all = job->command->common.verbose;
    for (size_t i = 0; i < n->variables.count; i++) {
        const ScspVariable *x = &n->variables.items[i];
        Text line = {0};
        uint32_t shown = 0, size = domain_size(x);
        if (!all && (x->kind == VARIABLE_AUXILIARY || x->kind == VARIABLE_NEXT))
            continue;
        template_write_variable(job->n->t, x, &line);
        text_printf(&line, ": %u values:", size);
        for (uint32_t v = 0; v < x->size && (all || shown < SHOWN_VALUES); v++) {
            if (x->allowed && !bitset_get(x->allowed, v))
                continue;
            text_add(&line, shown++ ? ", " : " ");
            template_write_value(job->n->t, x, v, &line);
        }
        printf("  %s%s\n", text_string(&line), shown < size ? ", ..." : "");
        vector_free(&line);
    }
}

static void print_value(const Job *job) {
    Text fraction = {0};
    const NetworkAnswer *a = &job->answer;
    const char *role = job->n->game->roles[job->question.player];
    if (a->has_fraction) {
        rational_write(a->fraction, &fraction);
        text_add(&fraction, " = ");
    }
    if (a->is_below)
        printf("value         %s gets less than %s (%s: %llu)\n", role, job->own->threshold,
               a->method, (unsigned long long)a->work);
    else
        printf("value         %s gets %s%s%.9g (%s: %llu)\n", role,
               job->own->threshold ? "at least " : "", text_string(&fraction),
               network_answer_value(a), a->method, (unsigned long long)a->work);
    vector_free(&fraction);
}

static void print_policies(const Job *job) {
    const NetworkAnswer *a = &job->answer;
    Text best = {0};
    if (!a->policies.count)
        return;
    Rational value = vector_last(&a->policies).value;
    rational_write(value, &best);
    printf("policies      %.15g, of which %.15g are worth %s, the most",
           network_answer_policies(a, 0), network_answer_policies(a, rational_to_double(value)),
           text_string(&best));
    if (job->question.has_threshold)
        printf("; %.15g reach %s", network_answer_policies(a, job->question.threshold),
               job->own->threshold);
    puts("");
    vector_free(&best);
}

static void print_as_text(const Job *job) {
    const Template *t = job->n->t;
    printf("turn          %u fluents in %zu variables, %u moves\n", t->fluent_count,
           t->groups.count, job->n->game->circuit->move_count);
    print_sizes("", &t->network);
    if (job->n->horizon)
        printf("horizon       %u turns\n", job->n->horizon);
    print_sizes("network", &job->n->network);
    puts("variables of a turn");
    print_variables(job);
    if (job->answer.failure)
        printf("value         unknown: %s\n", job->answer.failure);
    else
        print_value(job);
    print_policies(job);
    if (job->answer.policy) {
        PolicyView view = network_answer_view(job->n, &job->question, &job->answer);
        puts("policy");
        print_policy(&view, job->command->common.verbose ? SIZE_MAX : SHOWN_LINES);
    }
}

static void print_as_json(const Job *job) {
    json_t *object = network_json(job->n);
    json_t *answer = network_answer_json(job->n, &job->question, &job->answer);
    json_object_update(object, answer);
    json_decref(answer);
    print_json_about(job->command->arguments[0], object);
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
    const GameNetwork *n = job->n;
    if (job->own->minizinc)
        export_minizinc(n->t, &n->network, job->question.player, &minizinc);
    if (job->own->xcsp)
        export_xcsp(n->t, &n->network, job->question.player, &xcsp);
    if (job->own->dot && job->answer.policy) {
        PolicyView view = network_answer_view(n, &job->question, &job->answer);
        policy_write_dot(&view, &dot);
    }
    bool done = write_file(job->own->minizinc, &minizinc);
    done = write_file(job->own->xcsp, &xcsp) && done;
    return write_file(job->own->dot, &dot) && done;
}

static int run_job(Job *job) {
    const NetworkAnswer *a = &job->answer;
    Ticker *ticker = ticker_start(!job->command->common.quiet, "solving", job->command->end);
    ask(job);
    ticker_stop(ticker);
    if (job->command->common.json)
        print_as_json(job);
    else
        print_as_text(job);
    if (!write_files(job))
        return STATUS_USAGE;
    return a->is_exhausted ? STATUS_EXHAUSTED : a->failure || a->is_below ? STATUS_NO : STATUS_DONE;
}

static bool is_threshold(const char *text) {
    char *end;
    double value = strtod(text, &end);
    return end > text && !*end && value >= 0 && value <= 1;
}

/* The status for options that do not go together, or do not suit the game. */
static int check_options(const VerbOptions *own, const Game *game) {
    bool is_open = !game_hides(game) && game_count_players(game) == 1;
    bool plays = choice_index(RULES, own->rule, 0) >= RULE_WORST;
    if (own->threshold && !is_threshold(own->threshold))
        return wrong_usage("--threshold takes a number from 0 to 1, not `%s`", own->threshold);
    if (own->threshold && (game_hides(game) || !own->horizon))
        return wrong_usage("--threshold needs a horizon and a game in which nothing is hidden");
    if (own->threshold && plays)
        return wrong_usage("--threshold does not go with --rule %s", own->rule);
    if (own->moves && game_hides(game))
        return wrong_usage("--moves needs a game in which nothing is hidden");
    if (own->count && (!own->horizon || !is_open))
        return wrong_usage("--count needs a horizon, and one player who sees everything");
    if (plays && !is_open)
        return wrong_usage("--rule %s needs one player who sees everything", own->rule);
    return STATUS_DONE;
}

static int unfold_and_solve(const Command *command, Game *game) {
    Job job = {.command = command, .own = command->options};
    int status = STATUS_EXHAUSTED;
    MatchPosition from;
    Report report = {0};
    if (job.own->horizon > UNFOLD_MAX_TURNS)
        return wrong_usage("--horizon goes up to %d", UNFOLD_MAX_TURNS);
    if (!find_role(&job, game))
        return STATUS_USAGE;
    if (check_options(job.own, game) != STATUS_DONE)
        return STATUS_USAGE;
    position_init(&from, game);
    if (job.own->moves && !position_play(&from, job.own->moves)) {
        position_free(&from);
        return STATUS_USAGE;
    }
    Ticker *ticker = ticker_start(!command->common.quiet, "translating", command->end);
    job.n = game_network_build(game, job.own->moves ? &from.state : NULL,
                               (uint32_t)job.own->horizon, job.own->plain, &report);
    ticker_stop(ticker);
    position_free(&from);
    if (job.n)
        status = run_job(&job);
    else
        print_failure(&report);
    report_free(&report);
    network_answer_free(&job.answer);
    game_network_free(job.n);
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
