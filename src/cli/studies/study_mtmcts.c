/* The study of decomposed search: `uct`, `uct1` and `mtmcts` on games that consist of subgames, the
 * weight alpha of the global score, and the contribution of each rule of the algorithm. */
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/output.h"
#include "cli/studies/asp_plan.h"
#include "cli/studies/experiment.h"
#include "search/exact/state_graph.h"
#include "search/single/cds.h"
#include "search/uct/uct_solve.h"

enum {
    ASP_SECONDS = 30,
    SEEDS = 30,
    QUICK_SEEDS = 2,
    FEW = 3,                     /* seeds of jobs that take long and tell little */
    MAX_PLAYOUTS = 1000000,      /* playouts of uct and uct1, at most */
    MAX_TREE_PLAYOUTS = 2000000, /* playouts of mtmcts and cds, at most */
    QUICK_PLAYOUTS = 20000,
    MOVE_PLAYOUTS = 500, /* playouts per move, in jobs that make moves */
    CDS_BYTES = 1 << 30
};

static const char *const keys[] = {"part", "game", "variant", "seed", NULL};
static const char *const values[] = {
    "solved", "score",    "playouts",  "cpu_seconds", "decomposition_cpu_seconds",
    "moves",  "descents", "positions", "nodes",       NULL};

/* Variants of the search over several trees. */
typedef struct {
    const char *part, *name;
    double alpha;
    LocalEstimate local;
    JoinValues join;
    NodeKeys keys;
    Overlap overlap;
    bool keeps_terminal_moves, forgets_explored, keeps_part;
    bool plays, redecomposes;
    bool is_ours;  /* true if it has rules of ours that were not published */
    bool is_short; /* true if it gets only FEW seeds */
} Variant;

static const Variant variants[] = {
    {"solve", "mtmcts", .alpha = 0.5, .keys = KEYS_PASSAGE, .is_ours = true},
    {"solve", "by depth", .alpha = 0.5},
    {"solve", "overlapping", .alpha = 0.5, .keys = KEYS_PASSAGE, .is_ours = true,
     .overlap = OVERLAP_SUBGOALS},
    {"solve", "overlapping by depth", .alpha = 0.5, .overlap = OVERLAP_SUBGOALS},
    {"solve", "lines", .alpha = 0.5, .keys = KEYS_PASSAGE, .is_ours = true,
     .overlap = OVERLAP_DEMANDS},
    {"solve", "lines by depth", .alpha = 0.5, .overlap = OVERLAP_DEMANDS},
    {"cycles", "by depth", .alpha = 0.5, .keeps_part = true, .is_short = true},
    {"cycles", "by passage", .alpha = 0.5, .keys = KEYS_PASSAGE, .keeps_part = true,
     .is_short = true},
    {"cycles", "by depth, in order", .alpha = 0.5, .keeps_part = true, .is_ours = true,
     .is_short = true},
    {"cycles", "by passage, in order", .alpha = 0.5, .keys = KEYS_PASSAGE, .keeps_part = true,
     .is_ours = true},
    {"alpha", "0", .alpha = 0},
    {"alpha", "0.25", .alpha = 0.25},
    {"alpha", "0.5", .alpha = 0.5},
    {"alpha", "0.75", .alpha = 0.75},
    {"alpha", "1", .alpha = 1},
    {"alpha", "least", .alpha = 0, .local = LOCAL_LEAST},
    {"alpha", "middle", .alpha = 0, .local = LOCAL_MIDDLE},
    {"ablation", "all rules", .alpha = 0.5},
    {"ablation", "sum of gains", .alpha = 0.5, .join = JOIN_SUM},
    {"ablation", "subgames by sub-goals", .alpha = 0.5, .overlap = OVERLAP_SUBGOALS},
    {"ablation", "no rule for ends", .alpha = 0.5, .keeps_terminal_moves = true},
    {"ablation", "no marks", .alpha = 0.5, .forgets_explored = true},
    {"ablation", "by passage", .alpha = 0.5, .keys = KEYS_PASSAGE, .is_ours = true},
    {"play", "first subgames", .alpha = 0.5, .plays = true},
    {"play", "subgames found again", .alpha = 0.5, .plays = true, .redecomposes = true},
    {"play", "first, by passage", .alpha = 0.5, .keys = KEYS_PASSAGE, .is_ours = true,
     .plays = true},
    {"play", "found again, by passage", .alpha = 0.5, .keys = KEYS_PASSAGE, .is_ours = true,
     .plays = true, .redecomposes = true},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* The first PLOTTED ones are in the plots. */
static const char *const algorithms[] = {
    "mtmcts", "by depth", "overlapping",          "lines",         "cds", "uct1",
    "uct",    "asp",      "overlapping by depth", "lines by depth"};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms, PLOTTED = PLOT_MAX_SERIES };

static const char *const solve_games[] = {"incredible",          "queens_guided",
                                          "futoshiki_4",         "selective_sukoshi",
                                          "nonogram_chequers",   "nonogram_g",
                                          "nonogram_g_negative", "nonogram_dog",
                                          "nonogram_tetris",     "nonogram_closed_chequers"};
enum { EASY_GAMES = 4 }; /* number of first games, which `uct1` solves soon */
/* Nonograms that are hard to solve. The first one is also solved by depth. */
static const char *const hard_games[] = {"nonogram_box", "nonogram_cube"};
/* Games whose sub-goals depend on rows and columns. */
static const char *const lined_games[] = {"nonogram_chequers",   "nonogram_g",
                                          "nonogram_g_negative", "nonogram_dog",
                                          "nonogram_tetris",     "nonogram_closed_chequers"};
/* Games with cycles that only a step counter ends. */
static const char *const cyclic_games[] = {"eight_puzzle"};
static const char *const policy_games[] = {"incredible", "nonogram_chequers"};
static const char *const quick_games[] = {"queens_guided", "nonogram_chequers"};

/* ---- the jobs ---- */

static void plan_job(ResultRows *jobs, const char *part, const char *game, const char *variant,
                     uint64_t seed) {
    result_rows_add_row(jobs);
    result_rows_add_cell(jobs, "%s", part);
    result_rows_add_cell(jobs, "%s", game);
    result_rows_add_cell(jobs, "%s", variant);
    result_rows_add_cell(jobs, "%lu", (unsigned long)seed);
}

typedef struct {
    const char *const *items;
    size_t count;
} Names;

/* Returns these games, unless the user names others or the study is quick. */
static Names special(const ExperimentSetup *setup, const char *const *games, size_t count) {
    return (Names){games, setup->game_count || setup->is_quick ? 0 : count};
}

static Names games_of(const ExperimentSetup *setup, bool is_policy) {
    if (setup->game_count)
        return (Names){setup->games, setup->game_count};
    if (setup->is_quick)
        return (Names){quick_games, sizeof quick_games / sizeof *quick_games};
    if (is_policy)
        return (Names){policy_games, sizeof policy_games / sizeof *policy_games};
    return (Names){solve_games, sizeof solve_games / sizeof *solve_games};
}

static void plan_solving(const ExperimentSetup *setup, Names games, const char *algorithm,
                         uint64_t seeds, ResultRows *jobs) {
    for (uint64_t s = 0; s < seeds; s++)
        for (size_t g = 0; g < games.count; g++)
            plan_job(jobs, "solve", games.items[g], algorithm, setup->first_seed + s);
}

/* Plans all kinds of jobs except `solve`. */
static void plan_variants(const ExperimentSetup *setup, uint64_t seeds, ResultRows *jobs) {
    Names studied = games_of(setup, true);
    Names lined = special(setup, lined_games, sizeof lined_games / sizeof *lined_games);
    Names cyclic = special(setup, cyclic_games, sizeof cyclic_games / sizeof *cyclic_games);
    for (uint64_t s = 0; s < seeds; s++)
        for (size_t v = 0; v < VARIANTS; v++) {
            bool is_play = strcmp(variants[v].part, "play") == 0;
            bool is_cycles = strcmp(variants[v].part, "cycles") == 0;
            Names on = is_play ? lined : is_cycles ? cyclic : studied;
            bool is_wanted =
                strcmp(variants[v].part, "solve") != 0 && !(variants[v].is_short && s >= FEW);
            for (size_t g = 0; g < on.count && is_wanted; g++)
                plan_job(jobs, variants[v].part, on.items[g], variants[v].name,
                         setup->first_seed + s);
        }
}

/* Quick jobs come first. `uct1` gets few seeds in nonograms, where it takes long. */
static void plan(const ExperimentSetup *setup, ResultRows *jobs) {
    uint64_t seeds = setup->seeds ? setup->seeds : setup->is_quick ? QUICK_SEEDS : SEEDS;
    uint64_t few = seeds < FEW ? seeds : FEW;
    Names games = games_of(setup, false);
    Names hard = special(setup, hard_games, sizeof hard_games / sizeof *hard_games);
    Names lined = special(setup, lined_games, sizeof lined_games / sizeof *lined_games);
    Names easy = special(setup, solve_games, EASY_GAMES);
    Names slow = {games.items + easy.count, games.count - easy.count};
    plan_solving(setup, games, "mtmcts", seeds, jobs);
    plan_solving(setup, hard, "mtmcts", seeds, jobs);
    plan_solving(setup, games, "by depth", seeds, jobs);
    plan_solving(setup, games, "cds", seeds, jobs);
    plan_solving(setup, lined, "overlapping", seeds, jobs);
    plan_solving(setup, hard, "overlapping", seeds, jobs);
    plan_solving(setup, lined, "overlapping by depth", seeds, jobs);
    plan_solving(setup, lined, "lines", seeds, jobs);
    plan_solving(setup, hard, "lines", seeds, jobs);
    /* Clingo is deterministic, so one seed is enough. */
    if (!setup->is_quick && asp_is_installed()) {
        plan_solving(setup, games, "asp", 1, jobs);
        plan_solving(setup, hard, "asp", 1, jobs);
    }
    plan_variants(setup, seeds, jobs);
    plan_solving(setup, easy, "uct1", seeds, jobs);
    plan_solving(setup, slow, "uct1", few, jobs);
    plan_solving(setup, games, "uct", seeds, jobs);
    plan_solving(setup, lined, "lines by depth", few, jobs);
    plan_solving(setup, hard, "cds", few, jobs);
    plan_solving(setup, hard, "uct", few, jobs);
    plan_solving(setup, special(setup, hard_games, 1), "by depth", seeds, jobs);
}

static void run_trees(Game *game, const Variant *variant, uint64_t seed, const SearchBudget *budget,
                      MtmctsSolution *solution) {
    MtmctsOptions options = {.trees = mtmcts_trees_default_options(),
                             .drops_rest = variant->keeps_part,
                             .overlap = variant->overlap,
                             .move_playouts = variant->plays ? MOVE_PLAYOUTS : 0,
                             .redecomposes = variant->redecomposes};
    options.trees.seed = seed;
    options.trees.alpha = variant->alpha;
    options.trees.local = variant->local;
    options.trees.join = variant->join;
    options.trees.keys = variant->keys;
    options.trees.keeps_terminal_moves = variant->keeps_terminal_moves;
    options.trees.forgets_explored = variant->forgets_explored;
    options.trees.ignores_untried = !variant->is_ours;
    options.trees.descent_limit = 2 * budget->playouts;
    mtmcts_solve(game, &options, budget, solution);
}

static void run_one_tree(Game *game, uint64_t seed, const SearchBudget *budget,
                         MtmctsSolution *solution) {
    MtmctsOptions options = mtmcts_uct1_options();
    options.trees.seed = seed;
    options.trees.descent_limit = 2 * budget->playouts;
    mtmcts_solve(game, &options, budget, solution);
}

static const Variant *find_variant(const char *part, const char *name) {
    for (size_t v = 0; v < VARIANTS; v++)
        if (strcmp(variants[v].part, part) == 0 && strcmp(variants[v].name, name) == 0)
            return &variants[v];
    return NULL;
}

/* Policies are compared by their results after a hundred thousand playouts. */
static uint64_t most_playouts(const ExperimentSetup *setup, const char *part, const char *variant) {
    enum { POLICY_PLAYOUTS = 100000, CYCLES_PLAYOUTS = 300000 };
    if (setup->playouts)
        return setup->playouts;
    if (setup->is_quick)
        return QUICK_PLAYOUTS;
    if (strcmp(part, "cycles") == 0)
        return find_variant(part, variant)->is_ours ? MAX_PLAYOUTS : CYCLES_PLAYOUTS;
    if (strcmp(part, "solve") != 0)
        return POLICY_PLAYOUTS;
    return strncmp(variant, "uct", 3) == 0 ? MAX_PLAYOUTS : MAX_TREE_PLAYOUTS;
}

static bool run_asp(Game *game, MtmctsSolution *solution) {
    AspPlan plan;
    int greatest = greatest_goal_of(game, 0);
    if (!asp_plan(game, greatest, ASP_SECONDS, &plan))
        return false;
    solution->result = (NestedResult){.is_best = plan.is_solved,
                                      .has_line = plan.is_solved,
                                      .score = greatest,
                                      .cpu_seconds = plan.cpu_seconds};
    for (uint32_t i = 0; plan.is_solved && i < plan.turns; i++)
        vector_push(&solution->result.line, 0); /* only the length of the line is known */
    return true;
}

static bool run(ExperimentWork *work, const char *const *key, ResultRows *cells) {
    Game *game = experiment_game(work, key[1]);
    if (!game)
        return false;
    if (game->role_count != 1 || !game_has_circuit(game)) {
        complain("%s: the study is about games of one role that have a circuit", key[1]);
        return false;
    }
    SearchBudget budget = {.deadline = deadline_never(),
                           .playouts = most_playouts(experiment_setup(work), key[0], key[2]),
                           .stopped = interrupt_flag()};
    uint64_t seed = strtoull(key[3], NULL, 10);
    const Variant *variant = find_variant(key[0], key[2]);
    MtmctsSolution solution = {0};
    if (variant) {
        run_trees(game, variant, seed, &budget, &solution);
    } else if (strcmp(key[2], "asp") == 0) {
        if (!run_asp(game, &solution))
            return false;
    } else if (strcmp(key[2], "cds") == 0) {
        cds_solve(game, seed, CDS_BYTES, &budget, &solution);
    } else if (strcmp(key[2], "uct1") == 0) {
        run_one_tree(game, seed, &budget, &solution);
    } else {
        SearchOptions options = {.seed = seed};
        uct_solve(game, NULL, &options, &budget, &solution.result);
    }
    const NestedResult *r = &solution.result;
    result_rows_add_cell(cells, "%d", r->is_best);
    if (r->has_line)
        result_rows_add_cell(cells, "%d", r->score);
    else
        result_rows_add_cell(cells, "-");
    result_rows_add_cell(cells, "%lu", (unsigned long)r->playouts);
    result_rows_add_cell(cells, "%.6f", r->cpu_seconds);
    result_rows_add_cell(cells, "%.6f", solution.decomposition_seconds);
    result_rows_add_cell(cells, "%zu", r->line.count);
    result_rows_add_cell(cells, "%lu", (unsigned long)solution.counts.descents);
    result_rows_add_cell(cells, "%lu", (unsigned long)solution.counts.positions);
    result_rows_add_cell(cells, "%lu", (unsigned long)solution.counts.nodes);
    nested_result_free(&solution.result);
    return !interrupt_requested();
}

/* ---- the page ---- */

typedef struct {
    Summary playouts, seconds, decomposition; /* over the runs that solved the game */
    /* Number of nodes, of all runs in which they were counted. */
    Summary nodes;
    uint64_t runs, solved;
    double all_playouts, all_seconds; /* sums over all runs, without decomposition */
} Cell;

static Cell look_up(const ResultRows *runs, const char *part, const char *game,
                    const char *variant) {
    Cell cell = {0};
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (strcmp(result_rows_text(runs, i, "part"), part) != 0 ||
            strcmp(result_rows_text(runs, i, "game"), game) != 0 ||
            strcmp(result_rows_text(runs, i, "variant"), variant) != 0)
            continue;
        double seconds = result_rows_number(runs, i, "cpu_seconds");
        double before = result_rows_number(runs, i, "decomposition_cpu_seconds");
        cell.runs++;
        cell.all_playouts += result_rows_number(runs, i, "playouts");
        cell.all_seconds += seconds;
        if (strcmp(result_rows_text(runs, i, "nodes"), "-") != 0)
            summary_add(&cell.nodes, result_rows_number(runs, i, "nodes"));
        if (result_rows_number(runs, i, "solved") == 0)
            continue;
        cell.solved++;
        summary_add(&cell.playouts, result_rows_number(runs, i, "playouts"));
        summary_add(&cell.seconds, seconds + before);
        summary_add(&cell.decomposition, before);
    }
    return cell;
}

/* Distinct names in a column of the runs of one kind, in the order of their first appearance. */
typedef VECTOR(const char *) NameVector;
static void names_in(const ResultRows *runs, const char *part, const char *column,
                     NameVector *names) {
    vector_clear(names);
    for (size_t i = 0; i < runs->rows.count; i++) {
        const char *name = result_rows_text(runs, i, column);
        size_t known = 0;
        while (known < names->count && strcmp(names->items[known], name) != 0)
            known++;
        if (known == names->count && strcmp(result_rows_text(runs, i, "part"), part) == 0)
            vector_push(names, name);
    }
}

static void add_ratio(ResultRows *table, double over, double under, bool is_more) {
    const char *more = is_more ? "> " : "";
    if (over > 0 && under > 0)
        result_rows_add_cell(table, over / under < 10 ? "%s%.2f" : "%s%.0f", more, over / under);
    else
        result_rows_add_cell(table, "-");
}

/* Playouts per run. Failed runs are included; they would have taken longer. */
static double playouts_per_run(const Cell *cell) {
    return cell->runs ? cell->all_playouts / (double)cell->runs : 0;
}

static double seconds_per_run(const Cell *cell) {
    return cell->runs ? cell->all_seconds / (double)cell->runs + cell->decomposition.mean : 0;
}

static void add_results(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {"game",  "method",           "solved",       "playouts",
                                          "CPU s", "of decomposition", "µs a playout", NULL};
    ResultRows table;
    NameVector games = {0};
    Plot playouts = {.title = "Playouts until solved", .y_label = "playouts", .y_is_log = true};
    Plot seconds = {.title = "CPU seconds until solved, decomposition included",
                    .y_label = "CPU s",
                    .y_is_log = true};
    result_rows_init(&table, columns);
    names_in(runs, "solve", "game", &games);
    for (size_t a = 0; a < PLOTTED; a++) {
        plot_add_series(&playouts, algorithms[a]);
        plot_add_series(&seconds, algorithms[a]);
    }
    for (size_t g = 0; g < games.count; g++)
        for (size_t a = 0; a < ALGORITHMS; a++) {
            Cell cell = look_up(runs, "solve", games.items[g], algorithms[a]);
            if (!cell.runs)
                continue;
            result_rows_add_row(&table);
            result_rows_add_cell(&table, "%s", games.items[g]);
            result_rows_add_cell(&table, "%s", algorithms[a]);
            result_rows_add_cell(&table, "%lu of %lu", (unsigned long)cell.solved,
                                 (unsigned long)cell.runs);
            experiment_add_mean(&table, &cell.playouts, 0);
            experiment_add_mean(&table, &cell.seconds, 4);
            experiment_add_mean(&table, &cell.decomposition, 4);
            if (cell.all_playouts > 0)
                result_rows_add_cell(&table, "%.2f", 1e6 * cell.all_seconds / cell.all_playouts);
            if (cell.solved && a < PLOTTED) {
                plot_add_bar(&playouts, &playouts.series[a], games.items[g], cell.playouts.mean);
                plot_add_bar(&seconds, &seconds.series[a], games.items[g], cell.seconds.mean);
            }
        }
    text_add(page,
             "## Solving\n\n"
             "Runs end when the greatest goal is found, or after 1,000,000 playouts of `uct` and "
             "`uct1` and 2,000,000 of the others (fewer with `--quick` and `--playouts`). Means "
             "and standard deviations are over the runs that found it. Seconds are CPU time with "
             "decomposition; microseconds are those of the search alone, over all runs. `mtmcts` "
             "has one node per part of a state and passage, and cuts the game in other ways as "
             "well where it finds nothing better for 20,000 descents. `by depth` has one node per "
             "depth, as published; `uct1` is that with one tree for the whole game. In "
             "`overlapping` (sub-goals) and `lines` (everything that the goal demands at once, "
             "such as rows and columns) parts share fluents. `cds` counts states of subgames and "
             "of the game as playouts. `asp` is clingo, asked for a line of 1, 2, 3 ... turns "
             "(`translate --to plan`).\n\n");
    experiment_add_table(work, page, "solving", &table);
    experiment_add_plot(work, page, "playouts", &playouts);
    experiment_add_plot(work, page, "seconds", &seconds);
    vector_free(&games);
}

/* Adds the ratios between `mtmcts` and the other searches. */
static void add_ratios(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {
        "game", "playouts, uct", "CPU time, uct", "playouts, uct1", "CPU time, uct1", "cost factor",
        NULL};
    ResultRows table;
    NameVector games = {0};
    result_rows_init(&table, columns);
    names_in(runs, "solve", "game", &games);
    for (size_t g = 0; g < games.count; g++) {
        Cell trees = look_up(runs, "solve", games.items[g], "mtmcts");
        Cell uct = look_up(runs, "solve", games.items[g], "uct");
        Cell uct1 = look_up(runs, "solve", games.items[g], "uct1");
        result_rows_add_row(&table);
        result_rows_add_cell(&table, "%s", games.items[g]);
        const Cell *others[] = {&uct, &uct1};
        for (int i = 0; i < 2; i++) {
            bool is_more = others[i]->solved < others[i]->runs;
            add_ratio(&table, playouts_per_run(others[i]), playouts_per_run(&trees), is_more);
            add_ratio(&table, seconds_per_run(others[i]), seconds_per_run(&trees), is_more);
        }
        add_ratio(&table, trees.all_seconds / (trees.all_playouts + 1e-9),
                  uct.all_seconds / (uct.all_playouts + 1e-9), false);
    }
    text_add(page, "## Against one tree\n\nWhat `uct` and `uct1` need, as multiples of `mtmcts`; "
                   "with > where some of their runs ended at the limit, for which the limit "
                   "counts. The cost factor is the time of one playout of "
                   "`mtmcts` as a multiple of one of `uct`.\n\n");
    experiment_add_table(work, page, "ratios", &table);
    vector_free(&games);
}

static void add_policies(ExperimentWork *work, const ResultRows *runs, const char *part,
                         const char *title, Text *page) {
    static const char *const columns[] = {"game",  "variant",         "solved", "playouts",
                                          "CPU s", "nodes, all runs", NULL};
    ResultRows table;
    NameVector games = {0}, names = {0};
    result_rows_init(&table, columns);
    names_in(runs, part, "game", &games);
    names_in(runs, part, "variant", &names);
    for (size_t g = 0; g < games.count; g++)
        for (size_t v = 0; v < names.count; v++) {
            Cell cell = look_up(runs, part, games.items[g], names.items[v]);
            if (!cell.runs)
                continue;
            result_rows_add_row(&table);
            result_rows_add_cell(&table, "%s", games.items[g]);
            result_rows_add_cell(&table, "%s", names.items[v]);
            result_rows_add_cell(&table, "%lu of %lu", (unsigned long)cell.solved,
                                 (unsigned long)cell.runs);
            experiment_add_mean(&table, &cell.playouts, 0);
            experiment_add_mean(&table, &cell.seconds, 4);
            experiment_add_mean(&table, &cell.nodes, 0);
        }
    if (games.count) {
        text_printf(page, "## %s\n\n", title);
        experiment_add_table(work, page, part, &table);
    } else {
        result_rows_free(&table);
    }
    vector_free(&games);
    vector_free(&names);
}

static void add_alpha_plot(ExperimentWork *work, const ResultRows *runs, Text *page) {
    Plot plot = {.title = "Playouts by the weight of the global score",
                 .x_label = "alpha",
                 .y_label = "playouts",
                 .y_is_log = true};
    NameVector games = {0};
    names_in(runs, "alpha", "game", &games);
    for (size_t g = 0; g < games.count && g < PLOT_MAX_SERIES; g++) {
        PlotSeries *series = plot_add_series(&plot, games.items[g]);
        for (size_t v = 0; v < VARIANTS; v++) {
            if (strcmp(variants[v].part, "alpha") != 0 || variants[v].local != LOCAL_GREATEST)
                continue;
            Cell cell = look_up(runs, "alpha", games.items[g], variants[v].name);
            if (cell.solved)
                plot_add_point(series, variants[v].alpha, cell.playouts.mean,
                               summary_error(&cell.playouts));
        }
    }
    experiment_add_plot(work, page, "alpha", &plot);
    vector_free(&games);
}

static void report(ExperimentWork *work, const ResultRows *runs, Text *page) {
    text_add(page, "# Search over several trees\n\n"
                   "Written by `marelle experiment mtmcts`; `runs.csv` holds every run. "
                   "docs/how-it-works/searches.md explains the methods.\n\n");
    add_results(work, runs, page);
    add_ratios(work, runs, page);
    add_policies(
        work, runs, "alpha",
        "The weight of the global score, by depth (`least`, `middle`: other local estimates)",
        page);
    add_alpha_plot(work, runs, page);
    add_policies(work, runs, "ablation",
                 "Without one of the rules, by depth where not said otherwise", page);
    add_policies(work, runs, "cycles",
                 "Cycles behind a step counter: a tree of the subgame alone, at most 300,000 "
                 "playouts (`in order`: 1,000,000)",
                 page);
    add_policies(work, runs, "play", "The best move made after every 500 playouts, as in a match",
                 page);
}

const Experiment experiment_mtmcts = {
    .name = "mtmcts",
    .summary = "solving decomposed games: uct, uct1 and a tree for each subgame",
    .keys = keys,
    .values = values,
    .plan = plan,
    .run = run,
    .report = report,
};
