/* The public handles and how calls end, shared by the files of the public interface. */
#pragma once

#include <math.h>

#include "analysis/board/board_planes.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "game/environments.h"
#include "game/game.h"
#include "learn/play/model.h"
#include "marelle/marelle.h"

struct MarelleGame {
    Game *game;
    char **role_names;
};

struct MarelleState {
    State state;
};

struct MarellePlay {
    Game *game;
    GameWork *work;
    U32Vector *legal; /* by role: the last answer */
    Text text;        /* the last answer */
};

struct MarelleModel {
    Model *model;
    Text use; /* how searches use it, as options of a search */
};

struct MarelleData {
    DataSet *set;
};

enum { MAX_API_THREADS = 1024, LEARNING_SECONDS = 10 /* by default */ };

struct MarelleRules {
    Report report;
    Rules *rules; /* NULL if they could not be read */
};

/* Notes the problem, a sentence, and returns the status. `problem` may be NULL, here and below. */
MarelleStatus refuse(MarelleProblem *problem, MarelleStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The first message of the report, which is freed. */
MarelleStatus refuse_by_report(MarelleProblem *problem, MarelleStatus status, Report *report);

static inline MarelleStatus succeed(MarelleProblem *problem) {
    if (problem)
        problem->text[0] = '\0';
    return MARELLE_OK;
}

/* The status where a call needs a circuit and the game has none. */
static inline MarelleStatus refuse_without_circuit(MarelleProblem *problem, const Game *game) {
    return refuse(problem, MARELLE_UNFIT, "the game has no circuit: %s", game->why_interpreted);
}

/* A time that a caller may give: 0 stands for a default or for no limit. */
static inline bool is_time(double seconds) {
    return seconds >= 0 && isfinite(seconds);
}

/* The deadline of a number of seconds; 0: none. */
static inline Deadline deadline_after(double seconds) {
    return seconds > 0 ? deadline_in(seconds) : deadline_never();
}

/* The deadline of a budget that is in range. */
static inline Deadline budget_deadline(const MarelleBudget *b) {
    Deadline deadline = deadline_after(b->seconds);
    return b->cpu_seconds > 0 ? deadline_with_cpu(deadline, b->cpu_seconds) : deadline;
}

/* True for the reserved fields of a struct of options, an array, that a caller has left alone. */
#define is_zero(reserved) all_zero(reserved, sizeof(reserved) / sizeof *(reserved))
static inline bool all_zero(const uint64_t *reserved, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (reserved[i])
            return false;
    return true;
}

/* True if the times of a budget are in range and it has no fields that are not known. */
static inline bool is_budget(const MarelleBudget *b) {
    return is_time(b->seconds) && is_time(b->cpu_seconds) && is_zero(b->reserved);
}
/* True if nothing in the budget would end a call that plays, or else holds states in memory. */
static inline bool is_empty_budget(const MarelleBudget *b, bool plays) {
    return (b->seconds <= 0 && b->cpu_seconds <= 0 && !b->stopped &&
            !(plays ? b->playouts : b->bytes)) ||
           !is_budget(b);
}
#define EMPTY_BUDGET "the budget is empty or has a field that is no limit"

/* A deep copy. */
Model *model_copy(const Model *model);
/* A handle that owns the model. */
MarelleModel *model_wrap(Model *model);
/* The data with the numbers of the game's fluents; NULL, with the problem, if it is about another
 * game. */
DataSet *data_of_game(const MarelleData *data, MarelleGame *game, MarelleProblem *problem);
/* The text as the caller's. */
static inline char *give_text(Text *text) {
    text_add(text, "");
    return text->items;
}

/* Moves of a role are numbered below this; 0 if there is no such role. */
static inline uint32_t move_count(const Game *game, uint32_t role) {
    if (role >= game->role_count)
        return 0;
    return game_has_circuit(game)
               ? game->circuit->first_move[role + 1] - game->circuit->first_move[role]
               : interpreter_move_count(game->interpreter);
}

/* Between these two, the jobs of the calling thread end once the flag, which may be NULL, is set.
 * end_stoppable returns true if it was. */
static inline void begin_stoppable(const bool *stopped) {
    interrupt_thread_by(stopped);
}
static inline bool end_stoppable(const bool *stopped) {
    interrupt_thread_by(NULL);
    return flag_is_set(stopped);
}
#define WAS_STOPPED "the call was stopped"

/* What environments of the processor and of a GPU share: the options as our own, if they are in
 * range; the sizes without planes; the buffers; and the planes of a recognised board, whose cells
 * the caller frees (false if there are none). */
MarelleStatus environment_options(const MarelleEnvironmentOptions *options, EnvironmentOptions *own,
                                  MarelleProblem *problem);
MarelleEnvironmentShape environment_public_shape(const EnvironmentShape *shape);
EnvironmentOutputs environment_outputs(const MarelleEnvironmentOutputs *outputs);
bool environment_planes(Game *game, BoardPlanes *planes);
/* Refuses to copy into matches that are not there, or where that is not possible at all. */
MarelleStatus environment_copy_check(bool can_copy, const EnvironmentShape *to, uint32_t first,
                                     uint32_t count, MarelleProblem *problem);
