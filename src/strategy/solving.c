/* The list of all ways to solve a game, from the layers below, with their options. */
#include "strategy/solving.h"

#include <assert.h>
#include <string.h>

#include "search/single/cds.h"
#include "search/single/planner.h"
#include "search/uct/uct.h"
#include "search/uct/uct_solve.h"
#include "strategy/option_text.h"

/* ---- the methods ---- */

static void run_exact(Game *game, const State *from, const SolvingOptions *options,
                      const SearchBudget *budget, Solved *solved) {
    ExactResult *e = &solved->exact;
    exact_solve(game, from,
                &(ExactBudget){.deadline = budget->deadline,
                               .bytes = options->bytes,
                               .stopped = budget->stopped},
                e);
    solved->has_exact = true;
    solved->is_solved = e->end == EXACT_SOLVED;
    solved->has_score = e->has_values;
    solved->score = e->has_values ? e->values[0] : 0;
    solved->cpu_seconds = e->cpu_seconds;
    u32_append(&solved->line, &e->line);
}

/* Takes over the line. */
static void take(Solved *solved, const NestedResult *r) {
    solved->is_solved = r->is_best;
    solved->has_score = r->has_line;
    solved->score = r->score;
    solved->playouts = r->playouts;
    solved->counts.descents = r->descents;
    solved->cpu_seconds = r->cpu_seconds;
    solved->line = r->line;
}

static void run_nested(NestedKind kind, Game *game, const State *from,
                       const SolvingOptions *options, const SearchBudget *budget, Solved *solved) {
    NestedOptions nested = {.kind = kind, .level = options->level, .seed = options->seed};
    NestedResult r;
    nested_search(game, from, &nested, budget, &r);
    take(solved, &r);
}

static void run_nmcs(Game *game, const State *from, const SolvingOptions *options,
                     const SearchBudget *budget, Solved *solved) {
    run_nested(NESTED_NMCS, game, from, options, budget, solved);
}

static void run_nrpa(Game *game, const State *from, const SolvingOptions *options,
                     const SearchBudget *budget, Solved *solved) {
    run_nested(NESTED_NRPA, game, from, options, budget, solved);
}

static void run_planner(Game *game, const State *from, const SolvingOptions *options,
                        const SearchBudget *budget, Solved *solved) {
    NestedResult r;
    (void)options;
    planner_solve(game, from, budget, &r);
    take(solved, &r);
}

static void run_uct(Game *game, const State *from, const SolvingOptions *options,
                    const SearchBudget *budget, Solved *solved) {
    UctOptions own = {.merges_twins = options->merges_twins};
    SearchOptions search = {.seed = options->seed,
                            .node_bytes = options->bytes,
                            .exploration = options->exploration,
                            .own = &own};
    NestedResult r;
    uct_solve(game, from, &search, budget, &r);
    take(solved, &r);
}

static void take_trees(Solved *solved, const MtmctsSolution *solution) {
    take(solved, &solution->result);
    solved->decomposition_cpu_seconds = solution->decomposition_seconds;
    solved->counts = solution->counts;
}

static void run_trees(Game *game, const SolvingOptions *options, MtmctsOptions mtmcts,
                      const SearchBudget *budget, Solved *solved) {
    MtmctsSolution solution;
    mtmcts.trees.seed = options->seed;
    if (options->bytes)
        mtmcts.trees.byte_limit = options->bytes;
    if (options->exploration > 0)
        mtmcts.trees.exploration = options->exploration;
    mtmcts_solve(game, &mtmcts, budget, &solution);
    take_trees(solved, &solution);
}

static void run_mtmcts(Game *game, const State *from, const SolvingOptions *options,
                       const SearchBudget *budget, Solved *solved) {
    (void)from;
    run_trees(game, options, options->mtmcts, budget, solved);
}

static void run_uct1(Game *game, const State *from, const SolvingOptions *options,
                     const SearchBudget *budget, Solved *solved) {
    MtmctsOptions mtmcts = mtmcts_uct1_options();
    (void)from;
    mtmcts.trees.descent_limit = options->mtmcts.trees.descent_limit;
    run_trees(game, options, mtmcts, budget, solved);
}

static void run_cds(Game *game, const State *from, const SolvingOptions *options,
                    const SearchBudget *budget, Solved *solved) {
    MtmctsSolution solution;
    (void)from;
    cds_solve(game, options->seed, options->bytes ? options->bytes : SEARCH_DEFAULT_NODE_BYTES,
              budget, &solution);
    take_trees(solved, &solution);
}

/* Runs the portfolio that players use for games with one role. It ends when it cannot find anything
 * better. */
static void run_portfolio(Game *game, const State *from, const SolvingOptions *options,
                          const SearchBudget *budget, Solved *solved) {
    SearchOptions search_options = {.seed = options->seed, .node_bytes = options->bytes};
    State state = {0};
    SearchResult found = {0};
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Search *search = single_player_search.create(&single_player_search, game, 0, &search_options);
    game_start(work, from, &state);
    search_set_state(search, &state);
    search_run(search, budget);
    search_result(search, &found);
    for (size_t i = 0; i < found.line.count && !game_is_terminal(work, &state); i++) {
        vector_push(&solved->line, found.line.items[i]);
        game_next(work, &state, &found.line.items[i], &state);
    }
    solved->playouts = found.playouts;
    solved->cpu_seconds = found.cpu_seconds;
    solved->has_score = game_is_terminal(work, &state);
    solved->score = solved->has_score ? game_goal(work, &state, 0) : 0;
    solved->is_solved = solved->has_score && (solved->line.count == 0 || found.is_decided);
    search_result_free(&found);
    state_free(&state);
    search_free(search);
    game_work_free(work);
}

/* What players would do: the portfolio for one role, else exact solving. */
static void run_auto(Game *game, const State *from, const SolvingOptions *options,
                     const SearchBudget *budget, Solved *solved) {
    if (game->role_count == 1)
        run_portfolio(game, from, options, budget, solved);
    else
        run_exact(game, from, options, budget, solved);
}

/* ---- the tables ---- */

#define FIELD(member) OWN_FIELD(SolvingOptions, member)
#define TREE_FIELD(member) FIELD(mtmcts.member)
#define SEED                                                                                       \
    { "seed", VALUE_COUNT, COUNT_RANGE("0", 0x1p64), "seed of the random numbers", FIELD(seed) }
#define LEVEL(initial)                                                                             \
    { "level", VALUE_UINT32, COUNT_RANGE(initial, 20), "nesting level", FIELD(level) }
#define C(initial)                                                                                 \
    { "c", VALUE_REAL, initial, 0.001, 1000, NULL, "exploration constant", FIELD(exploration) }
#define DESCENTS                                                                                   \
    {                                                                                              \
        "descents", VALUE_COUNT, COUNT_RANGE("four for each playout", 0x1p64),                     \
            "descents of the trees at most", FIELD(mtmcts.trees.descent_limit)                     \
    }

static const SearchOption seed_options[] = {SEED, {0}};
static const SearchOption nmcs_options[] = {SEED, LEVEL("2"), {0}};
static const SearchOption nrpa_options[] = {SEED, LEVEL("3"), {0}};
static const SearchOption uct_options[] = {SEED,
                                           C("0.4"),
                                           {"twins", VALUE_FLAG, FLAG_RANGE,
                                            "moves that lead to one state count as one move",
                                            FIELD(merges_twins)},
                                           {0}};
static const SearchOption uct1_options[] = {SEED, C("0.4"), DESCENTS, {0}};
static const SearchOption mtmcts_options[] = {
    SEED,
    C("0.4"),
    DESCENTS,
    MTMCTS_OPTIONS(TREE_FIELD),
    {"alone", VALUE_FLAG, FLAG_RANGE, "a single subgame has a tree without the rest of the state",
     FIELD(mtmcts.drops_rest)},
    {"slice", VALUE_COUNT, COUNT_RANGE("20000", 0x1p64),
     "descents without a better match before another cut is tried", FIELD(mtmcts.first_slice)},
    {"move", VALUE_COUNT, COUNT_RANGE("never", 0x1p64),
     "playouts after which the best move is made, as in a match", FIELD(mtmcts.move_playouts)},
    {"again", VALUE_FLAG, FLAG_RANGE, "look for subgames again after every move that is made",
     FIELD(mtmcts.redecomposes)},
    {"ends", VALUE_FLAG, FLAG_RANGE, "moves that end the match are chosen like others",
     FIELD(mtmcts.trees.keeps_terminal_moves)},
    {"unmarked", VALUE_FLAG, FLAG_RANGE, "explored moves are not marked",
     FIELD(mtmcts.trees.forgets_explored)},
    {"unordered", VALUE_FLAG, FLAG_RANGE, "untried moves are never looked for",
     FIELD(mtmcts.trees.ignores_untried)},
    {0}};

/* In the order in which the verb `solve` lists them. */
static const SolvingMethod
    method_auto = {"auto",
                   "exact with several roles; with one role uct, plan, nmcs, cds, mtmcts, exact "
                   "and nrpa take turns until one of them is done",
                   seed_options,
                   false,
                   false,
                   true,
                   run_auto},
    method_exact = {"exact",  "explores states until the value is proven for every role",
                    NULL,     false,
                    false,    true,
                    run_exact},
    method_plan = {"plan",     "asks a SAT solver for longer and longer lines",
                   NULL,       true,
                   true,       true,
                   run_planner},
    method_nmcs = {"nmcs", "nested Monte Carlo search", nmcs_options, true, false, true, run_nmcs},
    method_nrpa = {"nrpa",  "nested rollout policy adaptation", nrpa_options, true, false, true,
                   run_nrpa},
    method_uct = {"uct",       "UCT; stops when it has proven that nothing is better",
                  uct_options, true,
                  false,       true,
                  run_uct},
    method_uct1 = {"uct1",       "MT-MCTS with one tree of the whole game, nodes by depth",
                   uct1_options, true,
                   true,         false,
                   run_uct1},
    method_mtmcts = {"mtmcts",       "decomposes the game and searches with one tree per subgame",
                     mtmcts_options, true,
                     true,           false,
                     run_mtmcts},
    method_cds = {"cds",        "solves the subgames, then combines their solutions",
                  seed_options, true,
                  true,         false,
                  run_cds};

const SolvingMethod *const solving_methods[] = {
    &method_auto, &method_exact, &method_plan,   &method_nmcs, &method_nrpa,
    &method_uct,  &method_uct1,  &method_mtmcts, &method_cds,  NULL};

/* ---- solving ---- */

static const SolvingMethod *find(const char *text, size_t length) {
    for (const SolvingMethod *const *m = solving_methods; *m; m++)
        if (strlen((*m)->name) == length && strncmp((*m)->name, text, length) == 0)
            return *m;
    return NULL;
}

bool solving_read(Solving *solving, const char *text, Report *report) {
    size_t length = strcspn(text, ":");
    Text names = {0};
    *solving = (Solving){.method = find(text, length),
                         .options.mtmcts.trees = mtmcts_trees_default_options()};
    for (const SolvingMethod *const *m = solving_methods; *m && !solving->method; m++)
        text_printf(&names, "%s%s", m == solving_methods ? "" : ", ", (*m)->name);
    if (!solving->method)
        report_error(report, "bad-option", "there is no way to solve called `%.*s`; there are %s",
                     (int)length, text, text_string(&names));
    vector_free(&names);
    return solving->method &&
           options_read(solving->method->options, solving->method->name,
                        text[length] ? text + length + 1 : "", &solving->options, report);
}

bool solving_is_exact(const Solving *solving, const Game *game) {
    return solving->method == &method_exact ||
           (solving->method == &method_auto && game->role_count != 1);
}

const char *solving_complaint(const Solving *solving, const Game *game, const State *from) {
    if (solving->method->for_one_role && game->role_count != 1)
        return "this method is for games with one role";
    if (solving->method->needs_circuit && !game_has_circuit(game))
        return "this method needs a circuit, and the game has none";
    if (from && !solving->method->starts_anywhere)
        return "this method begins in the initial state";
    return NULL;
}

void solving_run(const Solving *solving, Game *game, const State *from, const SearchBudget *budget,
                 Solved *solved) {
    assert(!solving_complaint(solving, game, from));
    *solved = (Solved){.method = solving->method->name, .seed = solving->options.seed};
    solving->method->run(game, from, &solving->options, budget, solved);
}

void solved_free(Solved *solved) {
    exact_result_free(&solved->exact);
    vector_free(&solved->line);
}
