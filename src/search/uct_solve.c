/* A hook sees every play-out with its moves and keeps the best; reaching the greatest goal stops
 * the run through the flag of its budget. */
#include "search/uct_solve.h"

#include <assert.h>
#include <string.h>

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

static void solver_set_state(Search *search, const State *state) {
    Solver *solver = ((Uct *)search)->own;
    solver->has_line = solver->is_over = false;
    uct_set_state(search, state);
}

/* The line goes on if it was followed. */
static void solver_advance(Search *search, const uint32_t *joint, const State *next) {
    Solver *solver = ((Uct *)search)->own;
    if (solver->has_line && solver->line.count && solver->line.items[0] == joint[0]) {
        solver->line.count--;
        memmove(solver->line.items, solver->line.items + 1,
                solver->line.count * sizeof *solver->line.items);
    } else {
        solver->has_line = solver->is_over = false;
    }
    uct_advance(search, joint, next);
}

static void solver_run(Search *search, const SearchBudget *budget) {
    Solver *solver = ((Uct *)search)->own;
    SearchBudget until_solved = *budget;
    until_solved.is_over = &solver->is_over;
    if (!solver->is_over)
        uct_run(search, &until_solved);
}

static const SearchMethod solver_method = {.name = "solver",
                                           .summary = "uct that keeps the best line",
                                           .free = uct_free,
                                           .set_state = solver_set_state,
                                           .advance = solver_advance,
                                           .run = solver_run,
                                           .result = uct_result,
                                           .is_alone = true};

Search *uct_solver_create(Game *game, const SearchOptions *options) {
    assert(game->role_count == 1);
    SearchOptions own = *options;
    own.threads = 1;
    own.batch = 1;
    return uct_create(&solver_method, &hooks, game, 0, &own);
}

UctSolution uct_solver_solution(const Search *search) {
    const Uct *uct = (const Uct *)search;
    const Solver *solver = uct->own;
    bool is_proven = uct->root->is_proven && solver->value >= uct->root->values[0];
    return (UctSolution){.line = solver->has_line ? &solver->line : NULL,
                         .score = (int)(uct_goal(uct, 0, solver->value) + 0.5),
                         .is_best = solver->has_line && (solver->is_over || is_proven),
                         .playouts = uct->playouts};
}

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
    Search *search = uct_solver_create(game, options);
    const Uct *uct = (Uct *)search;
    State state = {0};
    put_initial(game, from, &state);
    solver_set_state(search, &state);
    solver_run(search, budget);
    UctSolution found = uct_solver_solution(search);
    *result = (NestedResult){.has_line = found.line || uct->root->is_terminal,
                             .is_best = found.is_best,
                             .score = found.score,
                             .playouts = found.playouts,
                             .cpu_seconds = uct->cpu_seconds};
    for (size_t i = 0; found.line && i < found.line->count; i++)
        vector_push(&result->line, found.line->items[i]);
    if (uct->root->is_terminal) {
        result->is_best = true;
        result->score = (int)(uct_goal(uct, 0, uct->root->values[0]) + 0.5);
    }
    state_free(&state);
    search_free(search);
}
