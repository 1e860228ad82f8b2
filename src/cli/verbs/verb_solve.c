/* marelle solve: the value of a game for every role, or a line of moves that reaches the best goal.
 * A run is one attempt with one seed; exact solving is deterministic and makes one run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "search/exact/exact.h"
#include "search/single/cds.h"
#include "search/single/nested.h"
#include "search/single/planner.h"
#include "search/uct/uct_solve.h"
#include "strategy/strategy.h"

enum { DEFAULT_SECONDS = 10, DEFAULT_MEGABYTES = 4096 };
/* Share of the memory that the process may take, 0..1 (untuned). */
static const double MEMORY_SHARE = 0.5;

#define ALGO_CHOICES "auto|exact|plan|nmcs|nrpa|uct|uct1|mtmcts|cds"

typedef struct {
    const char *algo;
    uint64_t seeds, level, megabytes;
} VerbOptions;

static const Option options[] = {
    {"algo", 0, OPTION_TEXT, ALGO_CHOICES, OWN(algo),
     "how to solve (default auto); uct and mtmcts take options: NAME:key=value,..."},
    {"seeds", 0, OPTION_COUNT, "N", OWN(seeds),
     "runs of a random method, from --seed on, which share --time (default 1)"},
    {"level", 0, OPTION_COUNT, "L", OWN(level),
     "nesting level of nmcs (default 2) and nrpa (default 3)"},
    {"memory", 0, OPTION_COUNT, "MB", OWN(megabytes), "memory for states (default 4096)"},
};

/* In the order of ALGO_CHOICES. */
typedef enum {
    ALGO_AUTO,
    ALGO_EXACT,
    ALGO_PLAN,
    ALGO_NMCS,
    ALGO_NRPA,
    ALGO_UCT,
    ALGO_UCT1,
    ALGO_MTMCTS,
    ALGO_CDS
} Algo;

typedef struct {
    uint64_t seed;
    bool solved, has_score;
    double score; /* goal of the first role */
    uint64_t playouts;
    uint64_t descents;  /* by tree search: with those to ends that were known already; else 0 */
    double cpu_seconds; /* time without decomposition */
    double decomposition_cpu_seconds;
    U32Vector line; /* joint moves, role after role */
} Run;

typedef struct {
    const Command *command;
    Game *game;
    GameWork *work; /* used for texts of moves */
    VECTOR(Run) runs;
    ExactResult exact; /* all zero if exact solving was not tried */
    bool has_exact;
    const char *algo;         /* method of the last run */
    const Strategy *strategy; /* options of the method; NULL: it has none */
    int status;
} Solve;

/* ---- solving ---- */

static size_t bytes_of(const Solve *s) {
    const VerbOptions *own = s->command->options;
    return own->megabytes ? own->megabytes << 20
                          : memory_share((size_t)DEFAULT_MEGABYTES << 20, MEMORY_SHARE);
}

static void solve_exactly(Solve *s, double seconds) {
    ExactBudget budget = {.deadline = seconds > 0 ? s->command->end : deadline_never(),
                          .bytes = bytes_of(s),
                          .stopped = interrupt_flag()};
    exact_solve(s->game, NULL, &budget, &s->exact);
    s->has_exact = true;
    s->algo = "exact";
}

static void add_exact_run(Solve *s) {
    const ExactResult *e = &s->exact;
    Run run = {.seed = s->command->common.seed,
               .solved = e->end == EXACT_SOLVED,
               .has_score = e->has_values,
               .score = e->has_values ? e->values[0] : 0,
               .cpu_seconds = e->cpu_seconds};
    for (size_t i = 0; i < e->line.count; i++)
        vector_push(&run.line, e->line.items[i]);
    vector_push(&s->runs, run);
    if (e->end == EXACT_SOLVED)
        return;
    complain("%s: %s", s->command->arguments[0], exact_end_text(e->end));
    s->status = e->end == EXACT_NO_MEMORY ? STATUS_EXHAUSTED : STATUS_NO;
}

static void add_run(Solve *s, uint64_t seed, const NestedResult *r) {
    Run run = {.seed = seed,
               .solved = r->is_best,
               .has_score = r->has_line,
               .score = r->score,
               .playouts = r->playouts,
               .descents = r->descents,
               .cpu_seconds = r->cpu_seconds,
               .line = r->line};
    vector_push(&s->runs, run);
    s->status = r->is_best ? s->status : STATUS_NO;
}

static void run_nested(Solve *s, Algo algo, uint64_t seed, const SearchBudget *budget) {
    const VerbOptions *own = s->command->options;
    NestedOptions nested = {.kind = algo == ALGO_NMCS ? NESTED_NMCS : NESTED_NRPA,
                            .level = own->level > UINT32_MAX ? UINT32_MAX : (uint32_t)own->level,
                            .seed = seed};
    NestedResult r;
    nested_search(s->game, NULL, &nested, budget, &r);
    add_run(s, seed, &r);
}

static void run_planner(Solve *s, Algo algo, uint64_t seed, const SearchBudget *budget) {
    (void)algo;
    NestedResult r;
    planner_solve(s->game, NULL, budget, &r);
    add_run(s, seed, &r);
}

/* The options given after the name of the method, with the seed and the memory. */
static SearchOptions options_of(const Solve *s, uint64_t seed) {
    SearchOptions search = s->strategy->search;
    search.seed = seed;
    search.node_bytes = search.node_bytes ? search.node_bytes : bytes_of(s);
    return search;
}

static void run_uct(Solve *s, Algo algo, uint64_t seed, const SearchBudget *budget) {
    (void)algo;
    SearchOptions search = options_of(s, seed);
    NestedResult r;
    uct_solve(s->game, NULL, &search, budget, &r);
    add_run(s, seed, &r);
}

static void run_trees(Solve *s, Algo algo, uint64_t seed, const SearchBudget *budget) {
    size_t bytes = bytes_of(s);
    MtmctsOptions mtmcts = mtmcts_uct1_options();
    mtmcts.trees.seed = seed;
    mtmcts.trees.byte_limit = bytes;
    if (algo == ALGO_MTMCTS) {
        SearchOptions given = options_of(s, seed);
        mtmcts = mtmcts_options_of(given.own, &given);
    }
    MtmctsSolution solution;
    if (algo == ALGO_CDS)
        cds_solve(s->game, seed, bytes, budget, &solution);
    else
        mtmcts_solve(s->game, &mtmcts, budget, &solution);
    solution.result.descents = solution.counts.descents;
    add_run(s, seed, &solution.result);
    s->runs.items[s->runs.count - 1].decomposition_cpu_seconds = solution.decomposition_seconds;
}

/* Runs the portfolio that players use for such games. It ends when it cannot find anything
 * better. */
static void run_solo(Solve *s, Algo algo, uint64_t seed, const SearchBudget *budget) {
    (void)algo;
    SearchOptions options = {.seed = seed, .node_bytes = bytes_of(s)};
    State state = {0};
    SearchResult found = {0};
    Search *search = single_player_search.create(&single_player_search, s->game, 0, &options);
    game_initial(s->work, &state);
    search_set_state(search, &state);
    search_run(search, budget);
    search_result(search, &found);
    NestedResult r = {.playouts = found.playouts, .cpu_seconds = found.cpu_seconds};
    for (size_t i = 0; i < found.line.count && !game_is_terminal(s->work, &state); i++) {
        vector_push(&r.line, found.line.items[i]);
        game_next(s->work, &state, &found.line.items[i], &state);
    }
    r.has_line = game_is_terminal(s->work, &state);
    r.score = r.has_line ? game_goal(s->work, &state, 0) : 0;
    r.is_best = r.has_line && (r.line.count == 0 || found.is_decided);
    add_run(s, seed, &r);
    search_result_free(&found);
    state_free(&state);
    search_free(search);
}

static void run_stochastic(Solve *s, Algo algo, double seconds) {
    const VerbOptions *own = s->command->options;
    const CommonOptions *common = &s->command->common;
    bool no_budget = seconds <= 0 && !common->playouts;
    void (*run)(Solve *, Algo, uint64_t, const SearchBudget *) = algo == ALGO_AUTO   ? run_solo
                                                                 : algo >= ALGO_UCT1 ? run_trees
                                                                 : algo == ALGO_PLAN ? run_planner
                                                                 : algo == ALGO_UCT  ? run_uct
                                                                                     : run_nested;
    uint64_t seeds = own->seeds ? own->seeds : 1;
    s->algo = own->algo ? own->algo : "auto";
    for (uint64_t i = 0; i < seeds && !interrupt_requested(); i++) {
        double left = command_seconds_left(s->command) / (double)(seeds - i);
        SearchBudget budget = {.deadline = no_budget     ? deadline_in(DEFAULT_SECONDS)
                                           : seconds > 0 ? deadline_in(left)
                                                         : deadline_never(),
                               .playouts = common->playouts,
                               .stopped = interrupt_flag()};
        run(s, algo, common->seed + i, &budget);
    }
    if (no_budget && s->status == STATUS_NO)
        complain(
            "%s: not solved in %d seconds, the default; give it more by --time, or try another "
            "--algo: plan, nrpa",
            s->command->arguments[0], DEFAULT_SECONDS);
}

/* ---- printing ---- */

static void add_joint_text(const Solve *s, const uint32_t *joint, Text *text) {
    for (uint32_t r = 0; r < s->game->role_count; r++) {
        if (r)
            text_add_char(text, ' ');
        game_move_text(s->work, r, joint[r], text);
    }
}

static json_t *line_json(const Solve *s, const U32Vector *line) {
    json_t *array = json_array();
    Text text = {0};
    for (size_t i = 0; i < line->count; i += s->game->role_count) {
        text_clear(&text);
        add_joint_text(s, line->items + i, &text);
        array_push(array, text_json(text_string(&text)));
    }
    vector_free(&text);
    return array;
}

static json_t *value_json(double value) {
    return value == floor(value) ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *run_json(const Solve *s, const Run *run) {
    return object_of("seed", count_json(run->seed), "solved", json_boolean(run->solved), "score",
                     run->has_score ? value_json(run->score) : json_null(), "playouts",
                     count_json(run->playouts), "descents", count_json(run->descents),
                     "cpu_seconds", json_real(run->cpu_seconds), "decomposition_cpu_seconds",
                     json_real(run->decomposition_cpu_seconds), "line", line_json(s, &run->line));
}

static void add_exact_json(const Solve *s, json_t *object) {
    const ExactResult *e = &s->exact;
    if (e->end == EXACT_SOLVED) {
        json_t *values = json_object();
        for (uint32_t r = 0; r < s->game->role_count; r++)
            object_add(values, s->game->roles[r], value_json(e->values[r]));
        json_object_set_new(object, "values", values);
    }
    object_add(object, "method", text_json(e->method), "outcome", text_json(exact_end_text(e->end)),
               "states", count_json(e->states), "terminal_states", count_json(e->terminal_states));
}

static void print_as_json(const Solve *s) {
    json_t *runs = json_array();
    bool solved = s->runs.count > 0;
    for (size_t i = 0; i < s->runs.count; i++) {
        solved = solved && s->runs.items[i].solved;
        array_push(runs, run_json(s, &s->runs.items[i]));
    }
    json_t *object = object_of("game", text_json(s->command->arguments[0]), "algo",
                               text_json(s->algo), "solved", json_boolean(solved), "runs", runs);
    if (s->has_exact)
        add_exact_json(s, object);
    print_json(object);
}

static void print_exact(const Solve *s) {
    const ExactResult *e = &s->exact;
    printf("exact        %s, %s: %lu states, %lu of them terminal, in %.3f CPU seconds\n",
           e->method, exact_end_text(e->end), (unsigned long)e->states,
           (unsigned long)e->terminal_states, e->cpu_seconds);
    for (uint32_t r = 0; e->has_values && r < s->game->role_count; r++)
        printf("%s    %s %g\n", e->end == EXACT_SOLVED ? "value    " : "so far   ",
               s->game->roles[r], e->values[r]);
}

static void print_line(const Solve *s, const Run *run) {
    Text text = {0};
    for (size_t i = 0; i < run->line.count; i += s->game->role_count) {
        text_clear(&text);
        add_joint_text(s, run->line.items + i, &text);
        printf("%5zu  %s\n", i / s->game->role_count + 1, text_string(&text));
    }
    vector_free(&text);
}

static void print_as_text(const Solve *s) {
    if (s->has_exact)
        print_exact(s);
    for (size_t i = 0; i < s->runs.count; i++) {
        const Run *run = &s->runs.items[i];
        if (strcmp(s->algo, "exact") != 0) {
            printf("%-12s seed %lu: ", s->algo, (unsigned long)run->seed);
            printf(run->has_score ? "%s, score %g, " : "%s, ",
                   run->solved ? "solved" : "not solved", run->score);
            printf("%lu playouts in %.3f CPU seconds", (unsigned long)run->playouts,
                   run->cpu_seconds);
            if (run->decomposition_cpu_seconds > 0)
                printf(", after %.3f of decomposition", run->decomposition_cpu_seconds);
            putchar('\n');
        }
        print_line(s, run);
    }
}

/* Reads the options after the name of the method. Those that `solve` has itself are refused. */
static int read_strategy(const Command *command, Algo algo, Strategy *strategy) {
    const VerbOptions *own = command->options;
    const SearchMethod *method = algo == ALGO_UCT      ? &uct_solver
                                 : algo == ALGO_MTMCTS ? &mtmcts_search
                                                       : NULL;
    if (!method)
        return own->algo && strchr(own->algo, ':')
                   ? wrong_usage("only uct and mtmcts take options, not `--algo %s`", own->algo)
                   : STATUS_DONE;
    Report report = {0};
    int status = STATUS_DONE;
    if (!strategy_read_for(strategy, method, own->algo, &report))
        status = wrong_usage("%s", report.items.items[0].message);
    else if (strategy->has_seed || strategy->seconds > 0 || strategy->playouts ||
             strategy->search.threads > 1)
        status = wrong_usage("`--algo %s`: --seed, --time and --playouts hold for all methods of "
                             "solve, which work with one thread",
                             own->algo);
    report_free(&report);
    return status;
}

static int solve(const Command *command, Game *game, Algo algo, const Strategy *strategy) {
    double seconds = command->common.seconds;
    Solve s = {.command = command,
               .game = game,
               .work = game_work_create(game, REASONER_AUTO),
               .algo = "none",
               .strategy = strategy};
    Ticker *ticker = ticker_start(!command->common.quiet, "solving", command->end);
    if (algo == ALGO_EXACT || (algo == ALGO_AUTO && game->role_count != 1)) {
        solve_exactly(&s, seconds);
        add_exact_run(&s);
    } else {
        run_stochastic(&s, algo, seconds);
    }
    ticker_stop(ticker);
    if (command->common.json)
        print_as_json(&s);
    else
        print_as_text(&s);
    for (size_t i = 0; i < s.runs.count; i++)
        vector_free(&s.runs.items[i].line);
    vector_free(&s.runs);
    exact_result_free(&s.exact);
    game_work_free(s.work);
    return s.status;
}

static int solve_game(const Command *command, Game *game) {
    const VerbOptions *own = command->options;
    char *name = memory_strdup(own->algo ? own->algo : "auto");
    name[strcspn(name, ":")] = 0;
    int choice = choice_index(ALGO_CHOICES, name, -1);
    free(name);
    if (choice < 0)
        return wrong_usage("`--algo` takes one of " ALGO_CHOICES ", not `%s`", own->algo);
    Algo algo = (Algo)choice;
    if (algo != ALGO_AUTO && algo != ALGO_EXACT && game->role_count != 1)
        return wrong_usage("`--algo %s` is for games with one role; this one has %u", own->algo,
                           game->role_count);
    if ((algo < ALGO_UCT1 && algo != ALGO_PLAN) || game_has_circuit(game)) {
        Strategy strategy = {0};
        int status = read_strategy(command, algo, &strategy);
        if (status == STATUS_DONE)
            status = solve(command, game, algo, &strategy);
        strategy_free(&strategy);
        return status;
    }
    complain("`--algo %s` needs a circuit, and none could be built: %s", own->algo,
             game->why_interpreted);
    return STATUS_EXHAUSTED;
}

const Verb verb_solve = {
    .name = "solve",
    .arguments = "GAME",
    .summary = "find the value of a game, or a line to the best goal",
    .description =
        "Finds the value of a game, or for one role a line of moves to the best goal. Methods:\n"
        "  exact   explores states until the value is proven for every role, and prints a line\n"
        "          of best play\n"
        "  plan    one role: asks a SAT solver for longer and longer lines, and proves that no\n"
        "          line is better where matches must end\n"
        "  uct     one role: UCT; stops when it has proven that nothing is better; --playouts\n"
        "          counts its descents\n"
        "  uct1    one role: MT-MCTS with one tree of the whole game, nodes by depth; moves of\n"
        "          equal effect count as one\n"
        "  mtmcts  one role: decomposes the game and searches with one tree per subgame\n"
        "  cds     one role: solves the subgames, then combines their solutions\n"
        "  nmcs    one role: nested Monte Carlo search\n"
        "  nrpa    one role: nested rollout policy adaptation\n"
        "  auto    exact with several roles; with one role uct, plan, nmcs, cds, mtmcts, exact\n"
        "          and nrpa take turns until one of them is done\n"
        "Without --time and --playouts all but exact end after 10 seconds. Exit status 1 if that\n"
        "was not enough, 3 if the memory was not.",
    .example = "solve tic_tac_toe",
    VERB_OPTIONS,
    .unused = "threads verbose",
    .takes = {1, 1},
    .play = solve_game,
};
