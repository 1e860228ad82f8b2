/* Analysis, decomposition, symmetries and sizes for the public interface. Each result is one struct
 * with what its texts and lists belong to behind it. */
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/decompose/decompose_methods.h"
#include "analysis/symmetry/symmetry.h"
#include "api/api_internal.h"
#include "circuit/circuit_export.h"
#include "game/perft.h"
#include "game/replay.h"
#include "server/json/inside_json.h"
#include "server/json/json.h"
#include "server/json/rules_json.h"

static const char bad_option[] = "an option is out of range, or a reserved field is not zero";

static bool has_code(const Report *report, const char *code) {
    return report->items.count && strcmp(report->items.items[0].code, code) == 0;
}

/* ---- findings ---- */

typedef struct {
    MarelleAnalysis public; /* first, because it is what the caller frees */
    char *json;
} AnalysisResult;

MarelleStatus marelle_analyze(MarelleGame *game, const MarelleAnalysisOptions *options,
                              MarelleAnalysis **analysis, MarelleProblem *problem) {
    _Static_assert((int)MARELLE_OBSERVED == CERTAINTY_OBSERVED &&
                       (int)MARELLE_PROVED == CERTAINTY_PROVED,
                   "the public names stand for our own");
    static const MarelleAnalysisOptions defaults;
    const MarelleAnalysisOptions *o = options ? options : &defaults;
    *analysis = NULL;
    if (!is_time(o->cpu_seconds) || !is_zero(o->reserved))
        return refuse(problem, MARELLE_BAD_ARGUMENT, bad_option);
    begin_stoppable(o->stopped);
    Analysis *a = analysis_run(
        game->game,
        &(AnalysisOptions){.seconds = o->cpu_seconds, .matches = o->matches, .seed = o->seed});
    end_stoppable(o->stopped);
    AnalysisResult *result = memory_zalloc(sizeof *result);
    result->json = dump_json(analysis_json(a));
    result->public = (MarelleAnalysis){.turns = turn_kind_name(a->turns.kind),
                                       .turns_certainty = (MarelleCertainty)a->turns.certainty,
                                       .zero_sum = (MarelleCertainty)a->scores.constant_sum,
                                       .sum = a->scores.constant_sum ? a->scores.sum : 0,
                                       .cooperative = (MarelleCertainty)a->scores.always_equal,
                                       .impartial = (MarelleCertainty)a->turns.impartial,
                                       .horizon = a->horizon_certainty ? a->horizon : 0,
                                       .horizon_certainty = (MarelleCertainty)a->horizon_certainty,
                                       .mutex_groups = a->mutexes.count,
                                       .noops = a->noops.count,
                                       .cpu_seconds = a->cpu_seconds,
                                       .json = result->json};
    analysis_free(a);
    *analysis = &result->public;
    return succeed(problem);
}

void marelle_analysis_free(MarelleAnalysis *analysis) {
    AnalysisResult *result = (AnalysisResult *)analysis;
    if (result)
        memory_free(result->json, result);
}

/* ---- the games inside a game ---- */

typedef struct {
    MarelleDecomposition public;
    Decomposition *d;
    VECTOR(MarelleSubgame) subgames;
    Arena arena; /* owns the lists of moves */
    char *json;
    Text graph;
} DecompositionResult;

static void list_subgame(DecompositionResult *result, const Game *game, const Subgame *g) {
    size_t count = 0;
    for (size_t i = 0; i < g->actions.count; i++)
        count += result->d->actions.items[g->actions.items[i]].moves.count;
    MarelleRoleMove *moves = arena_alloc(&result->arena, (count + 1) * sizeof *moves);
    MarelleRoleMove *next = moves;
    for (size_t i = 0; i < g->actions.count; i++) {
        const MetaAction *action = &result->d->actions.items[g->actions.items[i]];
        for (size_t k = 0; k < action->moves.count; k++) {
            uint32_t move = action->moves.items[k] - game->circuit->first_move[action->role];
            *next++ = (MarelleRoleMove){action->role, move};
        }
    }
    MarelleSubgame subgame = {.has_actions = g->has_actions,
                              .is_useful = g->is_useful,
                              .is_terminal = g->is_terminal,
                              .is_scoring = g->is_scoring,
                              .is_control = g->is_control,
                              .is_stepper = g->is_stepper,
                              .is_synchronous = g->is_synchronous,
                              .order = g->order,
                              .fluent_count = g->fluents.count,
                              .fluents = g->fluents.items,
                              .move_count = count,
                              .moves = moves};
    vector_push(&result->subgames, subgame);
}

static MarelleDecomposition *describe_decomposition(Game *game, Decomposition *d,
                                                    const DecomposeOptions *how) {
    DecompositionResult *result = memory_zalloc(sizeof *result);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Composition composition = decomposition_class(d, game, how);
    result->d = d;
    for (size_t i = 0; i < d->subgames.count; i++)
        list_subgame(result, game, &d->subgames.items[i]);
    result->json = dump_json(decomposition_json(game, work, d, composition));
    decomposition_write_dot(game, work, d, &result->graph);
    game_work_free(work);
    result->public = (MarelleDecomposition){.subgame_count = result->subgames.count,
                                            .subgames = result->subgames.items,
                                            .composition = composition_name(composition),
                                            .is_imperfect = d->is_imperfect,
                                            .confidence = d->confidence,
                                            .playouts = d->playouts,
                                            .cpu_seconds = d->cpu_seconds,
                                            .json = result->json,
                                            .graph = text_string(&result->graph)};
    return &result->public;
}

static bool is_method(const char *name) {
    return !name || strcmp(name, "auto") == 0 || strcmp(name, "rules") == 0 ||
           strcmp(name, "stats") == 0;
}

/* True if the state is one to start from. */
static bool is_open(Game *game, const MarelleState *state) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    bool is_over = game_is_terminal(work, &state->state);
    game_work_free(work);
    return !is_over;
}

MarelleStatus marelle_decompose(MarelleGame *game, const MarelleDecompositionOptions *options,
                                MarelleDecomposition **decomposition, MarelleProblem *problem) {
    static const MarelleDecompositionOptions defaults;
    const MarelleDecompositionOptions *o = options ? options : &defaults;
    *decomposition = NULL;
    if (!is_time(o->seconds) || !is_time(o->phi) || !is_time(o->omega) || !is_zero(o->reserved))
        return refuse(problem, MARELLE_BAD_ARGUMENT, bad_option);
    if (!is_method(o->method))
        return refuse(problem, MARELLE_BAD_ARGUMENT,
                      "there is no method `%s`; there are auto, rules and stats", o->method);
    if (!game_has_circuit(game->game))
        return refuse_without_circuit(problem, game->game);
    if (o->from && !is_open(game->game, o->from))
        return refuse(problem, MARELLE_BAD_ARGUMENT, "the match is over in this state");
    DecomposeOptions how = {.playouts = o->playouts,
                            .deadline = o->seconds > 0 ? deadline_in(o->seconds) : (Deadline){0},
                            .seed = o->seed,
                            .start = o->from ? &o->from->state : NULL};
    StatsParameters parameters = {o->psi, o->theta, o->phi, o->omega};
    begin_stoppable(o->stopped);
    Decomposition *d = decompose_by_method(game->game, o->method, &how, &parameters);
    if (end_stoppable(o->stopped)) {
        decomposition_free(d);
        return refuse(problem, MARELLE_SPENT, WAS_STOPPED);
    }
    if (!d)
        return refuse(problem, MARELLE_SPENT,
                      "time or clauses did not suffice for the normal forms of the rules");
    *decomposition = describe_decomposition(game->game, d, &how);
    return succeed(problem);
}

void marelle_decomposition_free(MarelleDecomposition *decomposition) {
    DecompositionResult *result = (DecompositionResult *)decomposition;
    if (!result)
        return;
    decomposition_free(result->d);
    vectors_free(&result->subgames, &result->graph);
    arena_free(&result->arena);
    memory_free(result->json, result);
}

/* ---- symmetries ---- */

typedef struct {
    MarelleSymmetries public;
    Symmetries *fixed, *swapping;
    MarellePermutation *generators, *swapping_generators;
    char *json;
} SymmetryResult;

static MarellePermutation *list_permutations(const Symmetries *s) {
    MarellePermutation *list = memory_alloc((s->generators.count + 1) * sizeof *list);
    for (size_t i = 0; i < s->generators.count; i++) {
        const GamePermutation *p = &s->generators.items[i];
        list[i] = (MarellePermutation){p->fluents, p->roles, p->moves};
    }
    return list;
}

static MarelleSymmetries *describe_symmetries(Game *game, Symmetries *fixed, Symmetries *swapping) {
    SymmetryResult *result = memory_zalloc(sizeof *result);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    const Symmetries *both = swapping ? swapping : fixed;
    result->fixed = fixed;
    result->swapping = swapping;
    result->json = dump_json(symmetries_json(game, work, fixed, swapping));
    result->generators = list_permutations(fixed);
    result->swapping_generators = list_permutations(both);
    result->public = (MarelleSymmetries){.fluent_count = fixed->fluent_count,
                                         .role_count = fixed->role_count,
                                         .move_count = fixed->move_count,
                                         .first_move = game->circuit->first_move,
                                         .order = fixed->order,
                                         .is_complete = fixed->is_complete,
                                         .generator_count = fixed->generators.count,
                                         .generators = result->generators,
                                         .fluent_orbits = fixed->fluent_orbits,
                                         .move_orbits = fixed->move_orbits,
                                         .swapping_order = both->order,
                                         .swapping_count = both->generators.count,
                                         .swapping = result->swapping_generators,
                                         .cpu_seconds = fixed->cpu_seconds +
                                                        (swapping ? swapping->cpu_seconds : 0),
                                         .json = result->json};
    game_work_free(work);
    return &result->public;
}

MarelleStatus marelle_symmetries(MarelleGame *game, const MarelleSymmetryOptions *options,
                                 MarelleSymmetries **symmetries, MarelleProblem *problem) {
    static const MarelleSymmetryOptions defaults;
    const MarelleSymmetryOptions *o = options ? options : &defaults;
    Symmetries *fixed, *swapping;
    *symmetries = NULL;
    if (!is_time(o->cpu_seconds) || !is_zero(o->reserved))
        return refuse(problem, MARELLE_BAD_ARGUMENT, bad_option);
    if (!game_has_circuit(game->game))
        return refuse_without_circuit(problem, game->game);
    begin_stoppable(o->stopped);
    symmetry_find_both(game->game, &(SymmetryOptions){.seconds = o->cpu_seconds, .seed = o->seed},
                       &fixed, &swapping);
    if (end_stoppable(o->stopped)) {
        symmetry_free(fixed);
        symmetry_free(swapping);
        return refuse(problem, MARELLE_SPENT, WAS_STOPPED);
    }
    if (!fixed)
        return refuse(problem, MARELLE_UNFIT, "the rules are too large for the time");
    *symmetries = describe_symmetries(game->game, fixed, swapping);
    return succeed(problem);
}

void marelle_symmetries_free(MarelleSymmetries *symmetries) {
    SymmetryResult *result = (SymmetryResult *)symmetries;
    if (!result)
        return;
    symmetry_free(result->fixed);
    symmetry_free(result->swapping);
    memory_free(result->generators, result->swapping_generators, result->json, result);
}

/* ---- sizes and counts ---- */

static const size_t default_bytes = (size_t)4 << 30;

char *marelle_rules_info(const MarelleRules *rules) {
    return rules->rules ? dump_json(rules_info_json(rules->rules, NULL)) : NULL;
}

MarelleStatus marelle_rules_ground(const MarelleRules *rules, const MarelleBudget *budget,
                                   char **json, MarelleProblem *problem) {
    enum { SECONDS = 60 };
    Report report = {0};
    *json = NULL;
    if (!is_budget(budget))
        return refuse(problem, MARELLE_BAD_ARGUMENT, bad_option);
    if (!rules->rules)
        return refuse(problem, MARELLE_MALFORMED, "the rules could not be read");
    double seconds = budget->cpu_seconds > 0 ? budget->cpu_seconds : budget->seconds;
    GroundBudget own = {.seconds = seconds > 0 ? seconds : SECONDS,
                        .bytes = budget->bytes ? budget->bytes : default_bytes,
                        .stopped = budget->stopped};
    Grounding *g = ground_rules(rules->rules, &own, &report);
    if (!g)
        return refuse_by_report(
            problem, has_code(&report, "budget") ? MARELLE_SPENT : MARELLE_UNPLAYABLE, &report);
    *json = dump_json(ground_json(g));
    grounding_free(g);
    report_free(&report);
    return succeed(problem);
}

char *marelle_game_circuit(const MarelleGame *game) {
    return game_has_circuit(game->game) ? dump_json(circuit_json(game->game)) : NULL;
}

MarelleStatus marelle_game_write_circuit(const MarelleGame *game, const char *format,
                                         const char *path, MarelleProblem *problem) {
    const Game *g = game->game;
    Report report = {0};
    bool is_aiger = strcmp(format, "aiger") == 0;
    if (!is_aiger && strcmp(format, "dot") != 0)
        return refuse(problem, MARELLE_BAD_ARGUMENT,
                      "there is no format `%s`; there are aiger and dot", format);
    if (!game_has_circuit(g))
        return refuse_without_circuit(problem, g);
    bool is_written = is_aiger ? circuit_write_aiger(g->circuit, g->grounding, path, &report)
                               : circuit_write_dot(g->circuit, g->grounding, path, &report);
    if (is_written) {
        report_free(&report);
        return succeed(problem);
    }
    return refuse_by_report(
        problem, has_code(&report, "too-large") ? MARELLE_UNFIT : MARELLE_UNREADABLE, &report);
}

MarelleStatus marelle_count(MarelleGame *game, uint32_t depth, const MarelleBudget *budget,
                            MarelleCount *counts, uint32_t *counted, MarelleProblem *problem) {
    static const char *const reasons[] = {[PERFT_DONE] = "",
                                          [PERFT_INTERRUPTED] = "it was stopped",
                                          [PERFT_NO_TIME] = "the time is spent",
                                          [PERFT_NO_MEMORY] = "the memory is spent",
                                          [PERFT_OVERFLOW] = "a number passes 2^63"};
    *counted = 0;
    if (!is_budget(budget))
        return refuse(problem, MARELLE_BAD_ARGUMENT, bad_option);
    Perft perft;
    perft_count(&(PerftPlan){.game = game->game,
                             .reasoner = REASONER_AUTO,
                             .depth = depth,
                             .seconds = budget->seconds,
                             .cpu_seconds = budget->cpu_seconds,
                             .bytes = budget->bytes ? budget->bytes : default_bytes,
                             .stopped = budget->stopped},
                &perft);
    for (size_t i = 0; i < perft.depths.count; i++) {
        const PerftDepth *d = &perft.depths.items[i];
        counts[(*counted)++] = (MarelleCount){.positions = d->positions,
                                              .terminal_positions = d->terminal_positions,
                                              .sequences = d->sequences,
                                              .terminal_sequences = d->terminal_sequences,
                                              .stuck_positions = d->stuck_positions};
    }
    vector_free(&perft.depths);
    return perft.end == PERFT_DONE ? succeed(problem)
                                   : refuse(problem, MARELLE_SPENT, "%s", reasons[perft.end]);
}

/* ---- recorded matches ---- */

MarelleStatus marelle_trace_check(MarelleGame *game, const char *path, MarelleTraceCheck *result,
                                  MarelleProblem *problem) {
    Report report = {0};
    *result = (MarelleTraceCheck){0};
    Trace *trace = trace_read(path, &report);
    if (!trace)
        return refuse_by_report(
            problem, has_code(&report, "unreadable") ? MARELLE_UNREADABLE : MARELLE_MALFORMED,
            &report);
    Replay replay = {0};
    Reasoner reasoner = game_has_circuit(game->game) ? REASONER_SCALAR : REASONER_INTERPRETER;
    bool is_compared = replay_trace(game->game, trace, reasoner, &replay, &report);
    *result = (MarelleTraceCheck){.is_equal = is_compared && replay.is_equal,
                                  .matches = replay.matches,
                                  .steps = replay.steps,
                                  .match = replay.match,
                                  .line = replay.line};
    snprintf(result->difference, sizeof result->difference, "%s", text_string(&replay.difference));
    vector_free(&replay.difference);
    trace_free(trace);
    if (!is_compared)
        return refuse_by_report(problem, MARELLE_MALFORMED, &report);
    report_free(&report);
    return succeed(problem);
}
