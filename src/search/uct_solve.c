/* A hook sees every play-out with its moves and keeps the best; reaching the greatest goal stops
 * the run through the flag of its budget. */
#include "search/uct_solve.h"

#include <assert.h>

#include "search/uct.h"

typedef struct {
    bool has_line, is_over; /* atomic is not needed: one thread */
    double value;
    U32Vector line;
} Solver;

static void open_solver(Uct *uct) {
    uct->own = memory_zalloc(sizeof(Solver));
}

static void close_solver(Uct *uct) {
    Solver *solver = uct->own;
    vector_free(&solver->line);
    free(solver);
}

/* A play-out may have been given up; a leaf that is known may be proven without being an end. */
static bool has_ended(UctWorker *w, const UctLeaf *leaf) {
    return leaf->is_known ? leaf->end->is_terminal : game_is_terminal(w->work, &w->next);
}

static void keep_the_best(UctWorker *w, const UctLeaf *leaf, const double *values) {
    Solver *solver = w->uct->own;
    if ((solver->has_line && values[0] <= solver->value) || !has_ended(w, leaf))
        return;
    solver->has_line = true;
    solver->value = values[0];
    solver->is_over = values[0] >= 1;
    vector_clear(&solver->line);
    for (size_t i = 0; i < leaf->path.nodes.count; i++)
        vector_push(&solver->line,
                    tree_arms(leaf->path.nodes.items[i], 0)[leaf->path.arms.items[i]].move);
    for (size_t i = 0; i < w->record.count; i++)
        vector_push(&solver->line, w->record.items[i]);
}

static const UctHooks hooks = {.open = open_solver, .close = close_solver, .learn = keep_the_best};
static const SearchMethod solver_method = {.name = "solver", .summary = "uct that keeps a line"};

static void put_initial(Game *game, const State *from, State *state) {
    GameWork *work = game_work(game, REASONER_AUTO);
    if (from)
        state_copy(state, from);
    else
        game_initial(work, state);
    game_work_free(work);
}

void uct_solve(Game *game, const State *from, const SearchOptions *options,
               const SearchBudget *budget, NestedResult *result) {
    assert(game->role_count == 1);
    SearchOptions own = *options;
    own.threads = 1;
    own.batch = 1;
    Search *search = uct_create(&solver_method, &hooks, game, 0, &own);
    Uct *uct = (Uct *)search;
    Solver *solver = uct->own;
    State state = {0};
    SearchBudget until_solved = *budget;
    until_solved.is_over = &solver->is_over;
    put_initial(game, from, &state);
    uct_set_state(search, &state);
    uct_run(search, &until_solved);
    bool is_proven = uct->root->is_proven && solver->value >= uct->root->values[0];
    *result = (NestedResult){.has_line = solver->has_line || uct->root->is_terminal,
                             .is_best = (solver->has_line && (solver->is_over || is_proven)) ||
                                        uct->root->is_terminal,
                             .playouts = uct->playouts,
                             .cpu_seconds = uct->cpu_seconds,
                             .line = solver->line};
    double value = solver->has_line ? solver->value : uct->root->values[0];
    result->score = (int)(uct_goal(uct, 0, value) + 0.5);
    solver->line = (U32Vector){0};
    state_free(&state);
    uct_free(search);
}
