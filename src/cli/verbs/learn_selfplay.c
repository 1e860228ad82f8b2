/* The model is saved every half minute, by replacing the file in one step, so that an interrupted
 * run leaves a complete model. */
#include "cli/verbs/learn_selfplay.h"

#include <stdio.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/open.h"
#include "cli/output.h"

static const double DEFAULT_SECONDS = 60, SAVE_SECONDS = 30;

typedef struct {
    const Command *command;
    const SelfplayArguments *arguments;
    Game *game;
    Model *model;
    SelfplayPlace place;
    SelfplayCounts counts;
    Progress progress;
    double saved; /* time of the last save, in seconds since the start */
    bool has_failed;
} Run;

/* Writes a new file, then renames it over the old one. */
static bool save(const Run *run) {
    const char *path = run->arguments->output;
    Text text = {0}, other = {0};
    if (!path)
        return true;
    model_write(run->model, &text);
    text_printf(&other, "%s.new", path);
    bool is_written = write_text(other.items, &text) && rename(other.items, path) == 0;
    if (!is_written)
        complain("cannot write `%s`", path);
    vectors_free(&text, &other);
    return is_written;
}

static void watch(void *context, const SelfplayCounts *counts) {
    Run *run = context;
    const DenseEngine *engine = &run->place.engine;
    progress_update(&run->progress,
                    run->arguments->matches ? counts->matches : (uint64_t)counts->seconds);
    if (counts->seconds - run->saved < SAVE_SECONDS)
        return;
    run->saved = counts->seconds;
    if (engine->fetch(engine->context, run->model->dense) && dense_is_sound(run->model->dense) &&
        !save(run))
        run->has_failed = true;
}

static void show(const Run *run) {
    const SelfplayCounts *c = &run->counts;
    size_t parameters = dense_parameter_count(&run->model->dense->shape);
    const char *place = run->place.gpu ? gpu_properties(run->place.gpu)->name : "processor";
    if (run->command->common.json) {
        print_json_about(
            run->command->arguments[1],
            json_pack("{s:o,s:o,s:I,s:I,s:I,s:I,s:I,s:I,s:f,s:f,s:f}", "learner",
                      text_json(run->model->learner), "model", text_json(run->arguments->output),
                      "parameters", (json_int_t)parameters, "matches", (json_int_t)c->matches,
                      "given_up", (json_int_t)c->given_up, "positions", (json_int_t)c->positions,
                      "evaluations", (json_int_t)c->evaluations, "steps", (json_int_t)c->steps,
                      "loss", c->loss, "mean_length", c->mean_length, "seconds", c->seconds));
        return;
    }
    printf("model        %u layers of %u units, %zu parameters, on the %s\n",
           run->model->dense->shape.layers, run->model->dense->shape.units, parameters, place);
    printf("matches      %lu, %.1f turns each, %lu given up\n", (unsigned long)c->matches,
           c->mean_length, (unsigned long)c->given_up);
    printf("positions    %lu, and %lu asked about by searches\n", (unsigned long)c->positions,
           (unsigned long)c->evaluations);
    printf("training     %lu steps, loss %.3f\n", (unsigned long)c->steps, c->loss);
}

static int learn(Run *run, Pool *pool) {
    const CommonOptions *common = &run->command->common;
    const SelfplayArguments *arguments = run->arguments;
    SelfplayOptions options = {.matches = arguments->matches,
                               .stopped = interrupt_flag(),
                               .seed = common->seed,
                               .visits = (uint32_t)common->playouts,
                               .at_once = arguments->on_gpu ? SELFPLAY_GPU_MATCHES : 0,
                               .pool = pool,
                               .watch = watch,
                               .context = run};
    double seconds = common->seconds > 0  ? common->seconds
                     : arguments->matches ? 0
                                          : DEFAULT_SECONDS;
    if (seconds > 0)
        options.deadline = common->seconds > 0 ? run->command->end : deadline_in(seconds);
    progress_start(&run->progress, common->quiet ? NULL : stderr, "learning",
                   arguments->matches ? arguments->matches : (uint64_t)seconds);
    bool ok = selfplay_learn(run->game, run->model, &run->place.engine, &options, &run->counts);
    progress_finish(&run->progress);
    if (!ok) {
        complain("%s", run->place.report.items.items[0].message);
        return STATUS_EXHAUSTED;
    }
    if (!save(run) || run->has_failed)
        return STATUS_EXHAUSTED;
    show(run);
    if (!run->counts.has_diverged)
        return STATUS_DONE;
    complain("training diverged after %lu steps: the model is that of step %lu",
             (unsigned long)run->counts.steps, (unsigned long)run->counts.sound_steps);
    return STATUS_EXHAUSTED;
}

static bool can_learn(Run *run, int *status) {
    const char *name = run->command->arguments[1];
    uint32_t units = run->arguments->hidden ? (uint32_t)run->arguments->hidden : SELFPLAY_UNITS;
    *status = STATUS_USAGE;
    if (!policy_suits(run->game))
        return complain(
            "%s: a policy is learnt where nothing is hidden and there is a circuit, of at most "
            "%d moves",
            name, DENSE_MAX_OUTPUTS);
    run->model = policy_create(run->game, SELFPLAY_LAYERS, units, run->command->common.seed);
    if (!run->model)
        return complain(
            "--hidden: layers have a multiple of %d units, %d at most, and %d parameters in "
            "all",
            DENSE_UNITS, DENSE_MAX_UNITS, DENSE_MAX_PARAMETERS);
    *status = STATUS_DONE;
    return true;
}

int learn_by_selfplay(const Command *command, const SelfplayArguments *arguments) {
    Run run = {.command = command, .arguments = arguments};
    int status = STATUS_DONE;
    run.game = open_game(command, command->arguments[1], NULL, &status);
    Pool *pool = pool_create(command->common.threads ? (unsigned)command->common.threads : 1);
    if (run.game && can_learn(&run, &status)) {
        if (selfplay_open(&run.place, run.model, arguments->on_gpu, pool)) {
            status = learn(&run, pool);
        } else {
            complain("%s", run.place.report.items.items[0].message);
            status = STATUS_EXHAUSTED;
        }
        selfplay_close(&run.place);
    }
    model_free(run.model);
    pool_free(pool);
    game_free(run.game);
    return status;
}
