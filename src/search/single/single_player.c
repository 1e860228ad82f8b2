/* Games of one role. The best line counts, not the mean: the best line found by any search is kept
 * and played to its end. Nobody knows beforehand which search finds it, so eight searches run in
 * rounds, with slices that double from round to round: UCT, which solves easy games; plans by SAT,
 * which can also prove that nothing is better; NMCS, which makes the most playouts per second;
 * searches of a decomposed game (cds, mtmcts); breadth-first search, another proof; NRPA; and UCT
 * with batches of playouts. */
#include <math.h>

#include "search/exact/state_graph.h"
#include "search/search_options.h"
#include "search/single/cds.h"
#include "search/single/planner.h"
#include "search/uct/uct_solve.h"

enum {
    FIRST_UNITS = 500,             /* playouts or states per slice in the first round (untuned) */
    FIRST_MILLISECONDS = 20,       /* length of a slice in the first round (untuned) */
    FIRST_PLAIN_MILLISECONDS = 30, /* length of the first slice of plain UCT (untuned) */
    TRUSTED_VISITS =
        1000,            /* visits of a move before its mean may overrule the best line (untuned) */
    QUICK_GATES = 20000, /* gates of a circuit whose batch kernels are compiled quickly (untuned) */
    SEARCHES_SHARING_MEMORY = 5, /* searches that share the memory */
    SEARCHERS = 8
};
/* Seconds that a decomposition gets in any round (untuned). */
static const double least_to_decompose = 0.3;

typedef struct {
    Search search; /* its playouts are playouts, states looked at and conflicts of the planner */
    SearchOptions options, part_options; /* `part_options`: for the searches run in slices */
    GameWork *work;
    State state;
    Search *plain;    /* uct that keeps the best line */
    Cds *cds;         /* NULL before its first slice, and without a circuit */
    Search *trees;    /* mtmcts; NULL before its first slice, and without a circuit */
    Search *uct;      /* uct with batches; NULL before its first slice */
    Planner *planner; /* plans from `state`; NULL before its first slice, and without a circuit */
    StateGraph graph; /* breadth-first search from `state` */
    bool has_graph, is_searched_through;
    uint32_t next_node;
    int greatest;        /* greatest goal that the rules can give */
    int score;           /* goal at the end of `line`; -1 if there is no line */
    bool is_best;        /* nothing better than `score` exists */
    U32Vector line;      /* moves still to make */
    U32Vector found;     /* scratch */
    unsigned turn;       /* index of the search that has the present slice */
    unsigned rounds;     /* rounds since the state was set */
    double turn_seconds; /* CPU seconds left of the slice, if the budget counts time */
    uint64_t turn_units; /* units left of the slice, if the budget counts playouts */
    Deadline run_end;    /* end of the run in progress */
    uint64_t seed;       /* for the next nested search */
} SinglePlayer;

static void drop_graph(SinglePlayer *s) {
    if (s->has_graph)
        state_graph_free(&s->graph);
    s->has_graph = false;
    s->next_node = 0;
    s->is_searched_through = false;
}

static void drop_plans(SinglePlayer *s) {
    planner_free(s->planner);
    s->planner = NULL;
}

static void single_player_free(Search *search) {
    SinglePlayer *s = (SinglePlayer *)search;
    drop_graph(s);
    drop_plans(s);
    search_free(s->plain);
    search_free(s->uct);
    search_free(s->trees);
    cds_free(s->cds);
    game_work_free(s->work);
    vectors_free(&s->line, &s->found);
    state_free(&s->state);
    free(s);
}

/* ---- the best line ---- */

static void forget_line(SinglePlayer *s) {
    s->score = -1;
    s->is_best = false;
    vector_clear(&s->line);
}

static void take_line(SinglePlayer *s, const U32Vector *line, int score) {
    if (score <= s->score)
        return;
    s->score = score;
    s->is_best = score >= s->greatest;
    u32_copy(&s->line, line);
}

static bool begins_anew(unsigned turn);

/* Sets the length of a slice, in seconds or, if the budget counts playouts, in units. */
static void begin_turn(SinglePlayer *s) {
    unsigned doublings = s->rounds < 20 ? s->rounds : 20;
    bool is_first = s->turn + s->rounds == 0;
    double milliseconds =
        is_first ? FIRST_PLAIN_MILLISECONDS : FIRST_MILLISECONDS * (double)(1u << doublings);
    s->turn_seconds = milliseconds / 1000 * (begins_anew(s->turn) ? 2 : 1);
    s->turn_units = (uint64_t)FIRST_UNITS << doublings;
}

static void start_anew(SinglePlayer *s) {
    drop_graph(s);
    drop_plans(s);
    s->turn = s->rounds = 0;
    begin_turn(s);
}

static void single_player_set_state(Search *search, const State *state) {
    SinglePlayer *s = (SinglePlayer *)search;
    state_copy(&s->state, state);
    search_set_state(s->plain, state);
    if (s->uct)
        search_set_state(s->uct, state);
    if (s->trees)
        search_set_state(s->trees, state);
    if (s->cds)
        cds_set_state(s->cds, state);
    forget_line(s);
    start_anew(s);
}

/* The line is kept if the match followed it; then a proof that it is best stays valid. */
static void single_player_advance(Search *search, const uint32_t *joint, const State *next) {
    SinglePlayer *s = (SinglePlayer *)search;
    bool follows = s->line.count && s->line.items[0] == joint[0];
    state_copy(&s->state, next);
    search_advance(s->plain, joint, next);
    if (s->uct)
        search_advance(s->uct, joint, next);
    if (s->trees)
        search_advance(s->trees, joint, next);
    if (s->cds)
        cds_advance(s->cds, next);
    if (follows)
        u32_drop_first(&s->line);
    else
        forget_line(s);
    start_anew(s);
}

/* ---- slices ---- */

static void look_at_node(SinglePlayer *s, uint32_t index) {
    state_graph_settle(&s->graph, index);
    const StateNode *node = &s->graph.nodes.items[index];
    int goal = state_graph_goal(&s->graph, node, 0);
    if (!is_end_of_match(node) || goal <= s->score)
        return;
    state_graph_line_to(&s->graph, index, &s->found);
    take_line(s, &s->found, goal);
}

/* Continues the breadth-first search. When all states were seen, the best line is optimal. */
static void search_states(SinglePlayer *s, const SearchBudget *budget) {
    uint64_t looked = 0;
    if (!s->has_graph) {
        state_graph_init(&s->graph, s->search.game, &s->state, s->part_options.node_bytes);
        s->has_graph = true;
    }
    StateGraph *g = &s->graph;
    while (!s->is_searched_through && !s->is_best && !search_must_stop(budget) &&
           !(budget->playouts && looked >= budget->playouts)) {
        if (s->next_node == g->nodes.count) {
            s->is_searched_through = true;
            s->is_best = !g->is_full && s->score >= 0;
            break;
        }
        look_at_node(s, s->next_node++);
        s->is_searched_through = g->is_full;
        looked++;
    }
    s->search.playouts += looked;
}

static void search_plans(SinglePlayer *s, const SearchBudget *budget) {
    s->planner = s->planner ? s->planner : planner_create(s->search.game, &s->state);
    if (!s->planner)
        return;
    uint64_t before = planner_result(s->planner)->playouts;
    planner_set_score(s->planner, s->score);
    planner_run(s->planner, budget);
    const NestedResult *found = planner_result(s->planner);
    if (found->has_line)
        take_line(s, &found->line, found->score);
    s->is_best = s->is_best || found->is_best;
    s->search.playouts += found->playouts - before;
}

static void search_nested(SinglePlayer *s, NestedKind kind, const SearchBudget *budget) {
    NestedOptions options = {.kind = kind, .step_limit = s->options.step_limit, .seed = s->seed++};
    NestedResult result;
    nested_search(s->search.game, &s->state, &options, budget, &result);
    if (result.has_line)
        take_line(s, &result.line, result.score);
    s->search.playouts += result.playouts;
    nested_result_free(&result);
}

/* The goal at the end of a line; -1 if the line does not reach a defined goal. */
static int goal_of_line(SinglePlayer *s, const U32Vector *line) {
    State state = {0};
    state_copy(&state, &s->state);
    for (size_t i = 0; i < line->count && !game_is_terminal(s->work, &state); i++)
        game_next(s->work, &state, &line->items[i], &state);
    int goal = game_is_terminal(s->work, &state) ? game_goal(s->work, &state, 0) : -1;
    state_free(&state);
    return goal;
}

static void search_tree(SinglePlayer *s, Search *search, const SearchBudget *budget) {
    SearchResult result = {0};
    search_result(search, &result);
    uint64_t before = result.playouts;
    search_run(search, budget);
    search_result(search, &result);
    take_line(s, &result.line, goal_of_line(s, &result.line));
    s->is_best = s->is_best || (s->score >= 0 && search_knows_no_better(&result, s->score));
    s->search.playouts += result.playouts - before;
    search_result_free(&result);
}

static void search_plainly(SinglePlayer *s, const SearchBudget *budget) {
    uint64_t before = uct_solver_solution(s->plain).playouts;
    search_run(s->plain, budget);
    UctSolution found = uct_solver_solution(s->plain);
    s->search.playouts += found.playouts - before;
    if (!found.line)
        return;
    take_line(s, found.line, found.score);
    s->is_best = s->is_best || (found.is_best && found.score >= s->score);
}

/* Decomposes the game when the first of the two searches that need subgames has its slice, in at
 * most as much time as the slices of a round take together, and half of what is left in the run, so
 * that no search starves. If that is too short, the next round tries again with twice the time. */
static void decompose_game(SinglePlayer *s) {
    Game *game = s->search.game;
    if (s->cds || !game_has_circuit(game))
        return;
    bool counts_time = deadline_left(s->run_end) < INFINITY;
    double round = SEARCHERS * s->turn_seconds;
    Deadline end = deadline_in(
        counts_time ? fmin(deadline_left(s->run_end) / 2, fmax(round, least_to_decompose))
                    : INFINITY);
    MtmctsCuts cuts = mtmcts_find_cuts(game, s->options.seed, end);
    if (!deadline_passed(end)) {
        s->cds = cds_create(game, &cuts.items[0], s->part_options.node_bytes);
        cds_set_state(s->cds, &s->state);
        s->trees = mtmcts_create(game, &cuts, &s->part_options);
        search_set_state(s->trees, &s->state);
    }
    mtmcts_cuts_free(&cuts);
}

static void search_subgames(SinglePlayer *s, const SearchBudget *budget) {
    decompose_game(s);
    if (!s->cds)
        return;
    uint64_t before = cds_states(s->cds);
    cds_run(s->cds, budget);
    s->search.playouts += cds_states(s->cds) - before;
    if (cds_line(s->cds)->count)
        take_line(s, cds_line(s->cds), cds_score(s->cds));
}

static void search_nmcs(SinglePlayer *s, const SearchBudget *slice) {
    const Game *game = s->search.game;
    bool is_slow = game_has_circuit(game) && game->circuit->aig.nodes.count > QUICK_GATES;
    if (s->rounds || !is_slow)
        search_nested(s, NESTED_NMCS, slice);
}

static void search_nrpa(SinglePlayer *s, const SearchBudget *slice) {
    search_nested(s, NESTED_NRPA, slice);
}

static void search_trees(SinglePlayer *s, const SearchBudget *slice) {
    if (s->trees)
        search_tree(s, s->trees, slice);
}

static void search_in_batches(SinglePlayer *s, const SearchBudget *slice) {
    if (!s->uct) {
        s->uct = uct_search.create(&uct_search, s->search.game, 0, &s->part_options);
        search_set_state(s->uct, &s->state);
    }
    search_tree(s, s->uct, slice);
}

/* In the order of their turns. */
static const struct {
    void (*run)(SinglePlayer *s, const SearchBudget *slice);
    bool begins_anew; /* in each slice, so it needs longer ones */
} searchers[SEARCHERS] = {{search_plainly, false}, {search_plans, false},
                          {search_nmcs, true},     {search_subgames, false},
                          {search_trees, false},   {search_states, false},
                          {search_nrpa, true},     {search_in_batches, false}};

static bool begins_anew(unsigned turn) {
    return searchers[turn].begins_anew;
}

/* The rest of the slice, limited by the budget. */
static SearchBudget slice_of(const SinglePlayer *s, const SearchBudget *budget, uint64_t left) {
    SearchBudget slice = *budget;
    if (budget->playouts) {
        slice.playouts = s->turn_units < left ? s->turn_units : left;
        return slice;
    }
    slice.deadline = deadline_min(deadline_in(s->turn_seconds), budget->deadline);
    return slice;
}

/* A slice that was cut short continues in the next run, unless its search did nothing. */
static void end_turn(SinglePlayer *s, bool counts_units, uint64_t units, double seconds) {
    s->turn_units -= units < s->turn_units ? units : s->turn_units;
    s->turn_seconds -= seconds;
    if (units && (counts_units ? s->turn_units > 0 : s->turn_seconds > 1e-3))
        return;
    s->turn = (s->turn + 1) % SEARCHERS;
    s->rounds += s->turn == 0;
    begin_turn(s);
}

/* Slices are measured in CPU time of this thread; helper threads are not counted. */
static double turn_clock(const SinglePlayer *s) {
    return s->options.threads > 1 ? clock_wall_seconds() : clock_thread_cpu_seconds();
}

static void single_player_run(Search *search, const SearchBudget *budget) {
    SinglePlayer *s = (SinglePlayer *)search;
    double started = clock_thread_cpu_seconds();
    uint64_t before = s->search.playouts;
    s->run_end = budget->deadline;
    while (!s->is_best && !game_is_terminal(s->work, &s->state) && !search_must_stop(budget)) {
        uint64_t done = s->search.playouts - before;
        if (budget->playouts && done >= budget->playouts)
            break;
        SearchBudget slice = slice_of(s, budget, budget->playouts - done);
        double begun = turn_clock(s);
        searchers[s->turn].run(s, &slice);
        end_turn(s, budget->playouts > 0, s->search.playouts - before - done,
                 turn_clock(s) - begun);
    }
    s->search.cpu_seconds += clock_thread_cpu_seconds() - started;
}

/* Finds a line before the first move, if possible. The time is spent in one run, so that
 * decomposition can have its share of all of it; more runs follow if the processor was busy. */
static void single_player_prepare(Search *search, const SearchBudget *budget, double seconds) {
    /* No other run begins after this share of the time (untuned). */
    static const double SPENT = 0.95;
    SinglePlayer *s = (SinglePlayer *)search;
    SearchBudget run = *budget;
    double started = turn_clock(s), spent = 0;
    if (budget->playouts) {
        single_player_run(search, budget);
        return;
    }
    while (spent < SPENT * seconds && !s->is_best && !game_is_terminal(s->work, &s->state) &&
           !search_must_stop(budget)) {
        run.deadline = deadline_in(fmin(seconds - spent, deadline_left(budget->deadline)));
        single_player_run(search, &run);
        spent = turn_clock(s) - started;
    }
}

/* ---- the result ---- */

/* True unless the tree expects more on average than the line's goal. */
static bool prefers_line(const SinglePlayer *s, const SearchResult *result) {
    if (!s->line.count || !result->moves.count)
        return s->line.count > 0;
    const SearchMove *best = &result->moves.items[0];
    return s->is_best || best->visits < TRUSTED_VISITS || best->value <= s->score;
}

static void put_line_first(const SinglePlayer *s, SearchResult *result) {
    result->best = s->line.items[0];
    u32_copy(&result->line, &s->line);
    SearchMove *best = search_find_move(result, result->best);
    if (!best)
        return;
    best->value = s->score;
    best->is_proven = s->is_best;
    search_put_first(result, result->best);
}

static void single_player_result(Search *search, SearchResult *result) {
    SinglePlayer *s = (SinglePlayer *)search;
    search_result(s->uct ? s->uct : s->plain, result);
    if (prefers_line(s, result))
        put_line_first(s, result);
    result->is_decided = s->is_best;
    if (s->line.count > result->depth)
        result->depth = (uint32_t)s->line.count;
    result->nodes += s->has_graph ? s->graph.nodes.count : 0;
    result->playouts = s->search.playouts;
    result->cpu_seconds = s->search.cpu_seconds;
}

static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options) {
    if (game->role_count != 1)
        return NULL;
    SinglePlayer *s = search_instance(method, game, role, sizeof *s);
    s->options = s->part_options = search_defaults(options);
    s->part_options.node_bytes /= SEARCHES_SHARING_MEMORY;
    s->plain = uct_solver_create(game, &s->part_options);
    s->work = game_work_create(game, REASONER_AUTO);
    s->greatest = greatest_goal_of(game, 0);
    s->seed = options->seed;
    s->score = -1;
    return &s->search;
}

static const SearchOption options_table[] = {SEARCH_OPTION_C("0.4"),
                                             SEARCH_OPTION_LEAF("as uct"),
                                             SEARCH_OPTION_BATCH("as uct"),
                                             SEARCH_OPTIONS_COMMON,
                                             {0}};

const SearchMethod single_player_search = {
    .name = "single-player",
    .alias = "solo",
    .summary = "games with one role: eight searches take turns, and the best line found is played",
    .options = options_table,
    .takes_evaluation = true,
    .create = create,
    .free = single_player_free,
    .set_state = single_player_set_state,
    .advance = single_player_advance,
    .prepare = single_player_prepare,
    .run = single_player_run,
    .result = single_player_result,
    .for_one_role = true};
