/* Solving to the end: where one player plays alone, what the root is worth can be found out by
 * searching all that the player may come to know, as far as time and memory go. Before the first
 * turn that is tried for the whole match, and what was solved is kept for all matches of the game;
 * then, in part of every turn, for what is left of the match. */
#include <math.h>

#include "scsp/belief_search.h"
#include "scsp/macucb.h"

enum { MOST_STATES = 1 << 14 /* of a belief that is worth trying */ };
static const double MUCH_MORE = 2;         /* times the time of an attempt that failed */
static const double SHARE = 0.25;          /* of the time of a turn */
static const double STATES_A_SECOND = 2e5; /* that an attempt may start from */
static const double LEAST = 1e-3;          /* seconds that an attempt is worth starting with */

/* Whether the game is solved: found out for one match, kept for the others. */
typedef struct {
    BeliefSolver *solver; /* NULL if it was not solved */
    double seconds;       /* that were given to it */
} SolvedGame;
static const char solved_owner;

static void solved_game_free(void *note) {
    SolvedGame *solved = note;
    belief_solver_free(solved->solver);
    free(solved);
}

/* The paper's beliefs are others than those that are solved. */
static bool is_possible(const MacUcb *m) {
    return !m->options.mac.is_estimated && !m->options.mac.by_halves &&
           belief_solver_can(m->search.game, m->search.role);
}

/* Keeps the solver with the game, or for what is left of the match. */
static void solve_game(MacUcb *m, double seconds) {
    Belief start = {0};
    State initial = {0};
    BeliefAnswer answer;
    SolvedGame *solved = memory_zalloc(sizeof *solved);
    SolvingBudget budget = {.cpu_until = clock_thread_cpu_seconds() + seconds,
                            .bytes = m->options.node_bytes};
    BeliefSolver *solver = belief_solver_create(m->search.game, m->search.role, m->group);
    game_initial(m->work, &initial);
    belief_set_state(&start, &initial, m->roles);
    solved->seconds = seconds;
    if (belief_solver_solve(solver, &start, &budget, &answer))
        m->solved_game = solved->solver = solver;
    else
        m->solver = solver;
    game_keep_note(m->search.game, &solved_owner, solved, solved_game_free);
    belief_clear(&start);
    state_free(&initial);
}

void macucb_prepare_exact(MacUcb *m, double seconds) {
    if (!is_possible(m) || m->solved_game || seconds <= 0)
        return;
    const SolvedGame *solved = game_note(m->search.game, &solved_owner);
    if (solved && solved->solver)
        m->solved_game = solved->solver;
    else if (!solved || seconds >= MUCH_MORE * solved->seconds)
        solve_game(m, seconds);
}

static void settle(MacUcb *m, const BeliefAnswer *answer) {
    SearchMove settled = {
        .move = answer->move, .value = 100 * answer->value, .is_proven = answer->is_exact};
    vector_push(&m->settled, settled);
}

/* What the other moves are worth, while the budget lasts: they may be as good. */
static void settle_others(MacUcb *m, uint32_t best, SolvingBudget *limits) {
    U32Vector moves = {0};
    BeliefAnswer answer;
    belief_legal(&m->belief, m->work, m->search.role, &moves);
    for (size_t i = 0; i < moves.count && !limits->is_over; i++)
        if (moves.items[i] != best &&
            belief_solver_solve_move(m->solver, &m->belief, moves.items[i], limits, &answer))
            settle(m, &answer);
    vector_free(&moves);
}

/* What an attempt to solve the root may take now. */
static SolvingBudget budget_of_attempt(const MacUcb *m, const SearchBudget *budget) {
    double left = SHARE * deadline_left(budget->deadline);
    SolvingBudget limits = {.deadline = deadline_in(left),
                            .bytes = m->options.node_bytes / 2,
                            .stopped = budget->stopped};
    if (budget->playouts)
        limits.work = (uint64_t)(SHARE * (double)budget->playouts) + 1;
    else
        limits.cpu_until = clock_thread_cpu_seconds() + left;
    return limits;
}

bool macucb_look_root_up(MacUcb *m) {
    BeliefAnswer answer;
    if (!m->settled.count && m->solved_game && m->belief.kind == BELIEF_EXACT &&
        belief_solver_find(m->solved_game, &m->belief, &answer))
        settle(m, &answer);
    return m->settled.count > 0;
}

void macucb_settle_root(MacUcb *m, const SearchBudget *budget) {
    BeliefAnswer answer;
    if (macucb_look_root_up(m) || m->is_endless || m->is_too_large || !is_possible(m) ||
        m->belief.kind != BELIEF_EXACT)
        return;
    double seconds = SHARE * deadline_left(budget->deadline);
    double most = budget->playouts ? SHARE * (double)budget->playouts : seconds * STATES_A_SECOND;
    if ((double)m->belief.states.count > fmin(most, MOST_STATES) || seconds < LEAST)
        return;
    if (!m->solver)
        m->solver = belief_solver_create(m->search.game, m->search.role, m->group);
    SolvingBudget limits = budget_of_attempt(m, budget);
    if (belief_solver_solve(m->solver, &m->belief, &limits, &answer)) {
        settle(m, &answer);
        settle_others(m, answer.move, &limits);
    }
    m->is_endless = belief_solver_is_endless(m->solver);
    m->is_too_large = limits.is_out_of_memory;
    if (m->is_too_large) {
        belief_solver_free(m->solver);
        m->solver = NULL;
    }
}

void macucb_free_exact(MacUcb *m) {
    belief_solver_free(m->solver);
    vector_free(&m->settled);
}
