/* A hook sees every playout with its moves and keeps the best line. When the greatest goal is
 * reached, the hook stops the run through a flag of its budget. */
#include "search/uct/uct_solve.h"

#include <assert.h>

#include "search/exact/state_graph.h"
#include "search/uct/uct.h"

typedef struct {
    bool has_line, is_over; /* `is_over` stops the run; there is one thread */
    int score;              /* goal at the end of the line; 0 if it is undefined */
    uint64_t expansions;    /* playouts, and ends reached for the first time */
    int greatest;           /* greatest goal that the rules can give */
    U32Vector line;
} Solver;

static void *open_solver(const Search *search, const SearchOptions *options) {
    Solver *solver = memory_zalloc(sizeof *solver);
    (void)options;
    solver->greatest = greatest_goal_of(search->game, 0);
    return solver;
}

static void close_solver(void *own, const Search *search) {
    Solver *solver = own;
    (void)search;
    vector_free(&solver->line);
    free(solver);
}

/* True if the playout reached a terminal state. A playout may have been abandoned, and a leaf with
 * known values may be proven without being terminal. */
static bool has_ended(UctWorker *w, const UctLeaf *leaf) {
    return leaf->is_known ? leaf->end->is_terminal : game_is_terminal(w->work, &w->next);
}

/* A value of 0 may be an undefined goal, so one of the same value may replace such a line. */
static bool may_be_better(const Uct *uct, double value) {
    const Solver *solver = uct->own;
    return !solver->has_line || solver->score < uct->ranges[0].lowest ||
           value > goal_to_value(uct->ranges[0], solver->score);
}

static void keep_the_best(UctWorker *w, const UctLeaf *leaf, const double *values) {
    Solver *solver = w->uct->own;
    solver->expansions += !leaf->is_known || leaf->end->visits == w->uct->options.leaf_playouts;
    if (!may_be_better(w->uct, values[0]) || !has_ended(w, leaf))
        return;
    int goal = game_goal(w->work, leaf->is_known ? &leaf->state : &w->next, 0);
    goal = goal < 0 ? 0 : goal;
    if (solver->has_line && goal <= solver->score)
        return;
    solver->has_line = true;
    solver->score = goal;
    solver->is_over = goal >= solver->greatest;
    vector_clear(&solver->line);
    for (size_t i = 0; i < leaf->path.nodes.count; i++)
        vector_push(&solver->line,
                    tree_arms(leaf->path.nodes.items[i], 0)[leaf->path.arms.items[i]].move);
    u32_append(&solver->line, &w->record);
}

static const UctHooks hooks = {.open = open_solver, .close = close_solver, .learn = keep_the_best};

static void solver_set_state(Search *search, const State *state) {
    Solver *solver = ((Uct *)search)->own;
    solver->has_line = solver->is_over = false;
    uct_set_state(search, state);
}

/* The line is kept if the match followed it. */
static void solver_advance(Search *search, const uint32_t *joint, const State *next) {
    Solver *solver = ((Uct *)search)->own;
    if (solver->has_line && solver->line.count && solver->line.items[0] == joint[0])
        u32_drop_first(&solver->line);
    else
        solver->has_line = solver->is_over = false;
    uct_advance(search, joint, next);
}

static void solver_run(Search *search, const SearchBudget *budget) {
    Solver *solver = ((Uct *)search)->own;
    SearchBudget until_solved = *budget;
    until_solved.outer_stopped = &solver->is_over;
    if (!solver->is_over)
        uct_run(search, &until_solved);
}

static const SearchMethod solver_method = {.name = "solver",
                                           .summary = "uct that keeps the best line",
                                           .own_size = sizeof(UctOptions),
                                           .free = uct_free,
                                           .set_state = solver_set_state,
                                           .advance = solver_advance,
                                           .run = solver_run,
                                           .result = uct_result,
                                           .for_one_role = true};

Search *uct_solver_create(Game *game, const SearchOptions *options) {
    assert(game->role_count == 1);
    UctOptions plain = {0};
    SearchOptions own = *options;
    search_own_options(options, &plain, sizeof plain);
    plain.keeps_means = true;
    own.threads = 1;
    own.batch = 1;
    own.own = &plain;
    return uct_create(&solver_method, &hooks, game, 0, &own);
}

UctSolution uct_solver_solution(const Search *search) {
    const Uct *uct = (const Uct *)search;
    const Solver *solver = uct->own;
    bool is_proven = uct->root->is_proven && solver->score >= uct->ranges[0].lowest &&
                     goal_to_value(uct->ranges[0], solver->score) >= uct->root->values[0];
    return (UctSolution){.line = solver->has_line ? &solver->line : NULL,
                         .score = solver->score,
                         .is_best = solver->has_line && (solver->is_over || is_proven),
                         .playouts = uct->search.playouts,
                         .expansions = solver->expansions};
}

/* Sets the state to `from`; NULL: to the initial state. Returns its goal if it is terminal. */
static int put_initial(Game *game, const State *from, State *state) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    game_start(work, from, state);
    int goal = game_is_terminal(work, state) ? game_goal(work, state, 0) : GOAL_NONE;
    game_work_free(work);
    return goal < 0 ? 0 : goal;
}

void uct_solve(Game *game, const State *from, const SearchOptions *options,
               const SearchBudget *budget, NestedResult *result) {
    Search *search = uct_solver_create(game, options);
    const Uct *uct = (Uct *)search;
    State state = {0};
    int goal = put_initial(game, from, &state);
    search_set_state(search, &state);
    search_run(search, budget);
    UctSolution found = uct_solver_solution(search);
    *result = (NestedResult){.has_line = found.line || uct->root->is_terminal,
                             .is_best = found.is_best,
                             .score = found.score,
                             .playouts = found.expansions,
                             .descents = found.playouts,
                             .cpu_seconds = uct->search.cpu_seconds};
    if (found.line)
        u32_append(&result->line, found.line);
    if (uct->root->is_terminal) {
        result->is_best = true;
        result->score = goal;
    }
    state_free(&state);
    search_free(search);
}
