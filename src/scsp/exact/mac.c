/* Maintains arc consistency (MAC, Sabin and Freuder 1994): branches on `x is v` and `x is not v`
 * with propagation after each. The next variable is the one with the least ratio of domain size to
 * number of failures (dom/wdeg, Boussemart and others 2004). The branch `x is not v` is the next
 * iteration of a loop, so that the recursion is at most as deep as there are variables. */
#include "scsp/exact/solver.h"

typedef struct {
    Solver *solver;
    const uint32_t *variables;
    uint32_t count;
    SolutionVisit *visit;
    void *context;
} Enumeration;

static uint32_t choose_variable(const Enumeration *e) {
    uint32_t best = SCSP_NONE;
    double least = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        uint32_t x = e->variables[i];
        double rank = solver_size(e->solver, x) / (1 + e->solver->weights[x]);
        if (!solver_is_fixed(e->solver, x) && (best == SCSP_NONE || rank < least)) {
            best = x;
            least = rank;
        }
    }
    return best;
}

static bool enumerate(const Enumeration *e) {
    Solver *s = e->solver;
    SolverMark mark = solver_mark(s);
    bool goes_on = true, is_open = true;
    while (goes_on && is_open) {
        uint32_t x = choose_variable(e);
        if (x == SCSP_NONE) {
            goes_on = e->visit(s, e->context);
            break;
        }
        uint32_t value = solver_value(s, x);
        SolverMark inner = solver_mark(s);
        if (solver_assign(s, x, value) && solver_propagate(s, PROPAGATE_GAC))
            goes_on = enumerate(e);
        solver_undo(s, inner);
        is_open = solver_remove(s, x, value) && solver_propagate(s, PROPAGATE_GAC);
    }
    solver_undo(s, mark);
    return goes_on;
}

void solver_enumerate_solutions(Solver *solver, const uint32_t *variables, uint32_t count,
                                SolutionVisit *visit, void *context) {
    Enumeration e = {solver, variables, count, visit, context};
    enumerate(&e);
}
