/* Exact solving for games of a single player: searches all beliefs of the player within the limits
 * of time and memory. Before the first turn this is tried for the whole match, and the result is
 * stored for all matches of the game. Later, each turn spends a share on the rest. */
#include <math.h>
#include <pthread.h>

#include "scsp/exact/belief_search.h"
#include "scsp/macucb/macucb.h"

/* Tuning constants. */
enum { MAX_STATES = 1 << 14 }; /* beliefs with more states are not tried (untuned) */
/* A new attempt needs this many times the time of the failed one (untuned). */
static const double MUCH_MORE = 2;
static const double SHARE = 0.25; /* share of a turn's time, 0 to 1 (untuned) */
/* States of a start belief that may be tried per second of time (untuned). */
static const double STATES_PER_SECOND = 2e5;
static const double MIN_SECONDS = 1e-3; /* seconds; with less time nothing is tried (untuned) */

/* The solution of a game, stored for all its matches. */
typedef struct {
    BeliefSolver *solver; /* NULL if the game is not solved; immutable afterwards */
    double seconds;       /* CPU seconds of the longest failed attempt */
    bool is_being_solved;
} SolvedGame;

/* The record that is attached to the game. */
typedef struct {
    SolvedGame *solved;
} SolvedNote;
static const char solved_owner;
/* Protects all SolvedGame structures; locked for short times only. */
static pthread_mutex_t solved_lock = PTHREAD_MUTEX_INITIALIZER;

static void solved_note_free(void *note) {
    SolvedGame *solved = ((SolvedNote *)note)->solved;
    belief_solver_free(solved->solver);
    memory_free(solved, note);
}

/* Returns the game's entry. The caller must hold the lock. */
static SolvedGame *solved_game_of(Game *game) {
    const SolvedNote *kept = game_note(game, &solved_owner);
    if (kept)
        return kept->solved;
    SolvedNote *note = memory_alloc(sizeof *note);
    note->solved = memory_zalloc(sizeof *note->solved);
    game_keep_note(game, &solved_owner, note, solved_note_free);
    return note->solved;
}

/* True if exact solving applies. It does not to the beliefs of the paper (halves_unknown_fluents).
 */
static bool is_possible(const MacUcb *m) {
    return !m->own.never_solves_match && !m->own.halves_unknown_fluents &&
           belief_solver_can(m->search.game, m->search.role);
}

/* Returns 7/8 of the memory for nodes, so that the tree has some left. */
static size_t max_solver_bytes(const MacUcb *m) {
    return m->options.node_bytes / 8 * 7;
}

size_t macucb_tree_bytes(const MacUcb *m) {
    const BeliefSolver *solver = m->solver ? m->solver : m->solved_game;
    size_t used = solver ? belief_solver_bytes(solver) : 0;
    return m->options.node_bytes - (size_t)fmin((double)used, (double)max_solver_bytes(m));
}

/* True if this search has to solve the game. Otherwise it is solved, another search is solving it,
 * or an attempt with not much less time failed. */
static bool claim_game(MacUcb *m, double seconds) {
    pthread_mutex_lock(&solved_lock);
    SolvedGame *solved = solved_game_of(m->search.game);
    bool is_claimed =
        !solved->solver && !solved->is_being_solved && seconds >= MUCH_MORE * solved->seconds;
    m->solved_game = solved->solver;
    m->awaits_solution = solved->is_being_solved;
    solved->is_being_solved = solved->is_being_solved || is_claimed;
    pthread_mutex_unlock(&solved_lock);
    return is_claimed;
}

/* Attaches the solver to the game if that is solved; else uses it for the rest of the match. */
static void release_game(MacUcb *m, BeliefSolver *solver, bool is_solved, double seconds) {
    pthread_mutex_lock(&solved_lock);
    SolvedGame *solved = solved_game_of(m->search.game);
    solved->is_being_solved = false;
    if (is_solved)
        m->solved_game = solved->solver = solver;
    else
        solved->seconds = fmax(solved->seconds, seconds);
    pthread_mutex_unlock(&solved_lock);
    if (!is_solved)
        m->solver = solver;
}

/* Checks whether another search has solved the game meanwhile. */
static void await_solution(MacUcb *m) {
    if (!m->awaits_solution)
        return;
    pthread_mutex_lock(&solved_lock);
    const SolvedGame *solved = solved_game_of(m->search.game);
    m->solved_game = solved->solver;
    m->awaits_solution = solved->is_being_solved;
    pthread_mutex_unlock(&solved_lock);
}

static void solve_game(MacUcb *m, const SearchBudget *budget, double seconds) {
    Belief start = {0};
    State initial = {0};
    BeliefAnswer answer;
    double started = clock_thread_cpu_seconds();
    SolvingBudget limits = {.deadline = budget->deadline,
                            .cpu_until = started + seconds,
                            .bytes = max_solver_bytes(m),
                            .stopped = budget->stopped};
    BeliefSolver *solver = belief_solver_create(m->search.game, m->search.role, m->group);
    game_initial(m->work, &initial);
    belief_set_state(&start, &initial, m->roles);
    bool is_solved = belief_solver_solve(solver, &start, MOVE_NONE, &limits, &answer);
    bool is_in_vain = limits.is_out_of_memory || belief_solver_is_endless(solver);
    release_game(m, solver, is_solved, is_in_vain ? seconds : clock_thread_cpu_seconds() - started);
    belief_clear(&start);
    state_free(&initial);
}

void macucb_prepare_exact(MacUcb *m, const SearchBudget *budget, double seconds) {
    if (is_possible(m) && !m->solved_game && seconds > 0 && !search_must_stop(budget) &&
        claim_game(m, seconds))
        solve_game(m, budget, seconds);
}

static void settle(MacUcb *m, const BeliefAnswer *answer) {
    vector_push(&m->settled, ((SearchMove){.move = answer->move,
                                           .value = 100 * answer->value,
                                           .is_proven = answer->is_exact}));
}

/* Solves the other moves, which may be equally good, while the budget lasts. */
static void settle_others(MacUcb *m, uint32_t best, SolvingBudget *limits) {
    U32Vector moves = {0};
    BeliefAnswer answer;
    belief_legal(&m->belief, m->work, m->search.role, &moves);
    for (size_t i = 0; i < moves.count && !limits->is_over; i++)
        if (moves.items[i] != best &&
            belief_solver_solve(m->solver, &m->belief, moves.items[i], limits, &answer))
            settle(m, &answer);
    vector_free(&moves);
}

/* Returns the budget of an attempt to solve the root. */
static SolvingBudget budget_of_attempt(const MacUcb *m, const SearchBudget *budget) {
    double left = SHARE * deadline_left(budget->deadline);
    SolvingBudget limits = {
        .deadline = deadline_in(left), .bytes = max_solver_bytes(m), .stopped = budget->stopped};
    if (budget->playouts)
        limits.work = (uint64_t)(SHARE * (double)budget->playouts) + 1;
    else
        limits.cpu_until = clock_thread_cpu_seconds() + left;
    return limits;
}

bool macucb_find_solved_root(MacUcb *m) {
    BeliefAnswer answer;
    if (!m->settled.count && m->solved_game && m->belief.kind == BELIEF_EXACT &&
        belief_solver_find(m->solved_game, &m->belief, &answer))
        settle(m, &answer);
    return m->settled.count > 0;
}

void macucb_settle_root(MacUcb *m, const SearchBudget *budget) {
    BeliefAnswer answer;
    await_solution(m);
    if (macucb_find_solved_root(m) || m->is_endless || m->is_too_large || !is_possible(m) ||
        m->belief.kind != BELIEF_EXACT)
        return;
    double seconds = SHARE * deadline_left(budget->deadline);
    double most = budget->playouts ? SHARE * (double)budget->playouts : seconds * STATES_PER_SECOND;
    if ((double)m->belief.states.count > fmin(most, MAX_STATES) || seconds < MIN_SECONDS)
        return;
    if (!m->solver)
        m->solver = belief_solver_create(m->search.game, m->search.role, m->group);
    SolvingBudget limits = budget_of_attempt(m, budget);
    if (belief_solver_solve(m->solver, &m->belief, MOVE_NONE, &limits, &answer)) {
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
