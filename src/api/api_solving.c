/* Solving for the public interface, by any method of strategy/solving.h. */
#include "api/api_internal.h"
#include "server/json/searches_json.h"
#include "server/json/solving_json.h"

/* A solution with what its texts and lists belong to. */
typedef struct {
    MarelleSolution public;
    Solved solved;
    char *json;
} Solution;

/* Why the game is not solved; "" if it is. */
static const char *reason_of(const Solved *s) {
    if (s->is_solved)
        return "";
    if (s->has_exact)
        return exact_end_text(s->exact.end);
    return s->has_score ? "nothing proves that no line is better" : "no line was found";
}

static MarelleSolution *describe(Game *game, Solution *s) {
    const Solved *found = &s->solved;
    GameWork *work = game_work_create(game, REASONER_AUTO);
    json_t *object = solved_json(game, work, found);
    if (found->has_exact)
        solved_add_exact(object, game, &found->exact);
    game_work_free(work);
    s->json = dump_json(object);
    s->public = (MarelleSolution){.is_solved = found->is_solved,
                                  .reason = reason_of(found),
                                  .method = !found->has_exact     ? found->method
                                            : found->exact.method ? found->exact.method
                                                                  : "",
                                  .value_count = found->has_score ? game->role_count : 0,
                                  .values = !found->has_score  ? NULL
                                            : found->has_exact ? found->exact.values
                                                               : &found->score,
                                  .line_turns = found->line.count / game->role_count,
                                  .line = found->line.items,
                                  .states = found->has_exact ? found->exact.states
                                                             : found->counts.positions,
                                  .cpu_seconds = found->cpu_seconds,
                                  .playouts = found->playouts,
                                  .decomposition_cpu_seconds = found->decomposition_cpu_seconds,
                                  .json = s->json};
    return &s->public;
}

MarelleStatus marelle_solve_by(MarelleGame *game, const MarelleState *from, const char *method,
                               const MarelleBudget *budget, MarelleSolution **solution,
                               MarelleProblem *problem) {
    Report report = {0};
    Solving solving;
    *solution = NULL;
    if (!solving_read(&solving, method, &report))
        return refuse_by_report(problem, MARELLE_BAD_ARGUMENT, &report);
    report_free(&report);
    if (is_empty_budget(budget, !solving_is_exact(&solving, game->game)))
        return refuse(problem, MARELLE_BAD_ARGUMENT, EMPTY_BUDGET);
    const State *state = from ? &from->state : NULL;
    const char *complaint = solving_complaint(&solving, game->game, state);
    if (complaint)
        return refuse(problem, MARELLE_UNFIT, "`%s`: %s", method, complaint);
    solving.options.bytes = budget->bytes;
    Solution *s = memory_zalloc(sizeof *s);
    SearchBudget own = {.deadline = budget_deadline(budget),
                        .playouts = budget->playouts,
                        .stopped = budget->stopped};
    solving_run(&solving, game->game, state, &own, &s->solved);
    *solution = describe(game->game, s);
    return succeed(problem);
}

MarelleStatus marelle_solve(MarelleGame *game, const MarelleState *from,
                            const MarelleBudget *budget, MarelleSolution **solution,
                            MarelleProblem *problem) {
    return marelle_solve_by(game, from, "exact", budget, solution, problem);
}

char *marelle_solving_methods(void) {
    return dump_json(solving_methods_json());
}

void marelle_solution_free(MarelleSolution *solution) {
    Solution *s = (Solution *)solution;
    if (!s)
        return;
    solved_free(&s->solved);
    memory_free(s->json, s);
}
