/* The public interface: thin calls into gdl/ and game/. Texts and lists that are returned stay with
 * the object that was asked. Every number from outside is range-checked. */
#include "api/api_internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "gdl/asp.h"
#include "gdl/check/check.h"
#include "gdl/write.h"
#include "gpu/accelerator.h"

const char *marelle_version(void) {
    return MARELLE_VERSION;
}

const char *marelle_status_text(MarelleStatus status) {
    static const char *const texts[] = {"ok",           "unreadable", "malformed", "unplayable",
                                        "bad argument", "unfit",      "spent"};
    return (size_t)status < sizeof texts / sizeof *texts ? texts[status] : "unknown status";
}

MarelleStatus refuse(MarelleProblem *problem, MarelleStatus status, const char *format, ...) {
    if (problem) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(problem->text, sizeof problem->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

MarelleStatus refuse_by_report(MarelleProblem *problem, MarelleStatus status, Report *report) {
    refuse(problem, status, "%s", report->items.count ? report->items.items[0].message : "");
    report_free(report);
    return status;
}

static MarelleStatus read_rules(Source *source, MarelleRules *rules) {
    if (!source)
        return MARELLE_UNREADABLE;
    rules->rules = rules_lower(syntax_read(source, &rules->report), &rules->report);
    return rules->rules ? MARELLE_OK : MARELLE_MALFORMED;
}

MarelleStatus marelle_rules_read_file(const char *path, MarelleRules **rules) {
    *rules = memory_zalloc(sizeof **rules);
    return read_rules(source_read(path, &(*rules)->report), *rules);
}

MarelleStatus marelle_rules_read_text(const char *name, const char *text, size_t length,
                                      MarelleRules **rules) {
    *rules = memory_zalloc(sizeof **rules);
    return read_rules(source_from_text(name, text, length, &(*rules)->report), *rules);
}

void marelle_rules_free(MarelleRules *rules) {
    if (!rules)
        return;
    rules_free(rules->rules);
    report_free(&rules->report);
    free(rules);
}

size_t marelle_rules_check(MarelleRules *rules) {
    if (rules->rules)
        rules_check(rules->rules, &rules->report);
    return rules->report.counts[SEVERITY_ERROR];
}

size_t marelle_diagnostic_count(const MarelleRules *rules) {
    return rules->report.items.count;
}

MarelleDiagnostic marelle_diagnostic(const MarelleRules *rules, size_t number) {
    static const MarelleSeverity severities[] = {
        [SEVERITY_NOTE] = MARELLE_NOTE,
        [SEVERITY_WARNING] = MARELLE_WARNING,
        [SEVERITY_ERROR] = MARELLE_ERROR,
    };
    static const MarelleDiagnostic none = {.code = "", .file = "", .message = "", .hint = ""};
    if (number >= rules->report.items.count)
        return none;
    const Diagnostic *d = &rules->report.items.items[number];
    return (MarelleDiagnostic){.severity = severities[d->severity],
                               .code = d->code,
                               .file = d->file ? d->file : "",
                               .line = d->line,
                               .column = d->column,
                               .message = d->message,
                               .hint = d->hint ? d->hint : ""};
}

char *marelle_rules_write(const MarelleRules *rules, MarelleNotation notation) {
    if (!rules->rules)
        return NULL;
    Text text = {0};
    text_add(&text, "");
    switch (notation) {
    case MARELLE_KIF:
    case MARELLE_INFIX:
        rules_format(&text, rules->rules->syntax,
                     notation == MARELLE_KIF ? NOTATION_KIF : NOTATION_INFIX);
        break;
    case MARELLE_ASP:
        rules_write_asp(&text, rules->rules);
        break;
    case MARELLE_PLAN:
        rules_write_plan(&text, rules->rules);
        break;
    default:
        vector_free(&text);
    }
    return text.items;
}

void marelle_text_free(char *text) {
    free(text);
}

MarelleStatus marelle_game_build(MarelleRules *rules, const MarelleGameOptions *options,
                                 MarelleGame **game) {
    *game = NULL;
    if (!rules->rules)
        return MARELLE_MALFORMED;
    GameOptions own = {0};
    if (options)
        own = (GameOptions){.build_seconds = options->build_seconds,
                            .build_bytes = options->build_bytes,
                            .interpreter_only = options->interpreter_only,
                            .stopped = options->stopped};
    if (options && (!is_time(options->build_seconds) || !is_zero(options->reserved))) {
        report_error(&rules->report, "bad-option", "an option of the game is out of range");
        return MARELLE_BAD_ARGUMENT;
    }
    if (options && !game_find_kernel(options->kernel, &own.kernel, &rules->report))
        return MARELLE_BAD_ARGUMENT;
    Game *built = game_create(rules_share(rules->rules), &own, &rules->report);
    if (flag_is_set(own.stopped)) {
        game_free(built);
        report_error(&rules->report, "stopped", "building was stopped");
        return MARELLE_SPENT;
    }
    if (!built)
        return MARELLE_UNPLAYABLE;
    game_ignore_stopping(built);
    *game = memory_zalloc(sizeof **game);
    (*game)->game = built;
    (*game)->role_names = memory_zalloc((built->role_count + 1) * sizeof *(*game)->role_names);
    for (uint32_t role = 0; role < built->role_count; role++)
        (*game)->role_names[role] = memory_strdup(built->roles[role]);
    return MARELLE_OK;
}

void marelle_game_free(MarelleGame *game) {
    if (!game)
        return;
    for (uint32_t role = 0; role < game->game->role_count; role++)
        free(game->role_names[role]);
    game_free(game->game);
    memory_free(game->role_names, game);
}

const char *marelle_game_why_interpreted(const MarelleGame *game) {
    return game->game->why_interpreted;
}

uint32_t marelle_game_role_count(const MarelleGame *game) {
    return game->game->role_count;
}

const char *marelle_game_role_name(const MarelleGame *game, uint32_t role) {
    return role < game->game->role_count ? game->role_names[role] : NULL;
}

static uint32_t fluent_count(const Game *game) {
    return game_has_circuit(game) ? game->circuit->fluent_count
                                  : interpreter_fluent_count(game->interpreter);
}

bool marelle_game_hides(const MarelleGame *game) {
    return game_hides(game->game);
}

uint32_t marelle_game_move_count(const MarelleGame *game, uint32_t role) {
    return move_count(game->game, role);
}

uint32_t marelle_game_fluent_count(const MarelleGame *game) {
    return fluent_count(game->game);
}

MarellePlay *marelle_play_create(MarelleGame *game) {
    MarellePlay *play = memory_zalloc(sizeof *play);
    play->game = game->game;
    play->work = game_work_create(game->game, REASONER_AUTO);
    play->legal = memory_zalloc((game->game->role_count + 1) * sizeof *play->legal);
    return play;
}

void marelle_play_free(MarellePlay *play) {
    if (!play)
        return;
    for (uint32_t role = 0; role < play->game->role_count; role++)
        vector_free(&play->legal[role]);
    vector_free(&play->text);
    game_work_free(play->work);
    memory_free(play->legal, play);
}

MarelleState *marelle_state_create(void) {
    return memory_zalloc(sizeof(MarelleState));
}

void marelle_state_free(MarelleState *state) {
    if (!state)
        return;
    state_free(&state->state);
    free(state);
}

void marelle_state_copy(MarelleState *to, const MarelleState *from) {
    state_copy(&to->state, &from->state);
}

bool marelle_state_equal(const MarelleState *a, const MarelleState *b) {
    return state_equal(&a->state, &b->state);
}

uint64_t marelle_state_hash(const MarelleState *state) {
    return state_hash(&state->state);
}

void marelle_initial(MarellePlay *play, MarelleState *state) {
    game_initial(play->work, &state->state);
}

bool marelle_is_terminal(MarellePlay *play, const MarelleState *state) {
    return game_is_terminal(play->work, &state->state);
}

size_t marelle_legal(MarellePlay *play, const MarelleState *state, uint32_t role,
                     const uint32_t **moves) {
    *moves = NULL;
    if (role >= play->game->role_count)
        return 0;
    game_legal(play->work, &state->state, role, &play->legal[role]);
    *moves = play->legal[role].items;
    return play->legal[role].count;
}

static bool are_moves(const Game *game, const uint32_t *moves) {
    for (uint32_t role = 0; role < game->role_count; role++)
        if (moves[role] >= move_count(game, role))
            return false;
    return true;
}

MarelleStatus marelle_next(MarellePlay *play, const MarelleState *state, const uint32_t *moves,
                           MarelleState *next) {
    if (!are_moves(play->game, moves))
        return MARELLE_BAD_ARGUMENT;
    game_next(play->work, &state->state, moves, &next->state);
    return MARELLE_OK;
}

int marelle_goal(MarellePlay *play, const MarelleState *state, uint32_t role) {
    _Static_assert((int)MARELLE_GOAL_NONE == GOAL_NONE && (int)MARELLE_GOAL_SEVERAL == GOAL_SEVERAL,
                   "the public names stand for our own");
    return role < play->game->role_count ? game_goal(play->work, &state->state, role)
                                         : MARELLE_GOAL_NONE;
}

const char *marelle_move_text(MarellePlay *play, uint32_t role, uint32_t move) {
    if (move >= move_count(play->game, role))
        return NULL;
    text_clear(&play->text);
    game_move_text(play->work, role, move, &play->text);
    return text_string(&play->text);
}

const char *marelle_fluent_text(MarellePlay *play, uint32_t fluent) {
    if (fluent >= fluent_count(play->game))
        return NULL;
    text_clear(&play->text);
    game_fluent_text(play->work, fluent, &play->text);
    return text_string(&play->text);
}

const char *marelle_state_text(MarellePlay *play, const MarelleState *state) {
    text_clear(&play->text);
    game_state_text(play->work, &state->state, &play->text);
    return text_string(&play->text);
}

const char *marelle_sees(MarellePlay *play, const MarelleState *state, const uint32_t *moves,
                         uint32_t role) {
    if (role >= play->game->role_count || !are_moves(play->game, moves))
        return NULL;
    text_clear(&play->text);
    game_sees(play->work, &state->state, moves, role, &play->text);
    return text_string(&play->text);
}

uint32_t marelle_find_move(MarellePlay *play, uint32_t role, const char *text) {
    _Static_assert(MARELLE_NO_MOVE == MOVE_NONE, "the public name stands for our own");
    return role < play->game->role_count ? game_find_move(play->work, role, text, strlen(text))
                                         : MARELLE_NO_MOVE;
}

static MarelleStatus play_matches(MatchPlan *plan, bool gpu, MatchStatistics *matches) {
    if (!gpu) {
        matches_play(plan, matches);
        return MARELLE_OK;
    }
    Accelerator accelerator;
    bool is_open =
        accelerator_open(&accelerator, plan->game, &(GpuPlayerOptions){.seed = plan->seed});
    plan->device = &accelerator.device;
    plan->reasoner = REASONER_GPU;
    if (is_open)
        matches_play(plan, matches);
    bool failed = accelerator_problem(&accelerator) != NULL;
    accelerator_close(&accelerator);
    return failed ? MARELLE_UNFIT : MARELLE_OK;
}

MarelleStatus marelle_playouts(MarelleGame *game, const MarellePlayoutOptions *options,
                               MarellePlayoutStatistics *statistics, double *mean_goals) {
    *statistics = (MarellePlayoutStatistics){0};
    if (!is_time(options->seconds) || !is_zero(options->reserved) ||
        options->threads > MAX_API_THREADS || (!options->playouts && options->seconds <= 0) ||
        (options->gpu && options->from))
        return MARELLE_BAD_ARGUMENT;
    if (options->gpu && !game_has_circuit(game->game))
        return MARELLE_UNFIT;
    MatchPlan plan = {.game = game->game,
                      .playouts = options->playouts,
                      .seconds = options->seconds,
                      .seed = options->seed,
                      .from = options->from ? &options->from->state : NULL,
                      .threads = options->threads ? options->threads : 1,
                      .stopped = options->stopped,
                      .step_limit = options->step_limit ? options->step_limit : DEFAULT_STEP_LIMIT};
    MatchStatistics matches = {0};
    MarelleStatus status = play_matches(&plan, options->gpu, &matches);
    statistics->playouts = matches.playouts;
    statistics->stuck = matches.stuck;
    statistics->too_long = matches.too_long;
    statistics->turns = matches.turns;
    statistics->cpu_seconds = matches.cpu_seconds;
    for (uint32_t role = 0; mean_goals && role < game->game->role_count; role++)
        if (!matches_mean_goal(&matches, role, &mean_goals[role]))
            mean_goals[role] = NAN;
    matches_free(&matches);
    return status;
}
