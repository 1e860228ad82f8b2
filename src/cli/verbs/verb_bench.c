/* marelle bench: how fast a reasoner plays random matches, in work per CPU second, so that a busy
 * machine or several threads do not change the result. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "cli/kernels.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cluster/collective.h"
#include "game/scalar.h"
#include "gpu/accelerator.h"
#include "search/search.h"

enum { DEFAULT_SECONDS = 5, MAX_MESSAGE_BYTES = 1 << 24 };

typedef struct {
    const char *reasoner, *kernel;
    double seconds;
    uint64_t messages; /* size of a message in bytes */
    bool code;
} VerbOptions;

static const Option options[] = {
    {"reasoner", 0, OPTION_CHOICE, REASONER_CHOICES "|gpu", OWN(reasoner),
     "who reasons; auto takes sliced where it can"},
    {"seconds", 0, OPTION_SECONDS, "S", OWN(seconds), "wall-clock time to play for (default 5)"},
    {"kernel", 0, OPTION_TEXT, KERNEL_CHOICES "|thread|block", OWN(kernel),
     "how gates are evaluated; auto takes the fastest; thread and block are for the GPU"},
    {"code", 0, OPTION_FLAG, NULL, OWN(code),
     "instead of playing, count gates and instructions for all kernels, also those of other "
     "processors, or for the one named"},
    {"messages", 0, OPTION_COUNT, "BYTES", OWN(messages),
     "under mpirun: send messages of that size instead, to the first process and back"},
};

typedef struct {
    const char *kernel; /* name of the kernel; NULL: no gates are evaluated */
    size_t gates;       /* gates evaluated per pass, averaged over the phases */
    size_t working_set; /* memory that one thread touches besides code, in bytes */
    size_t code_bytes;
    uint64_t lanes;
    const char *device; /* name of the GPU; NULL: the processor */
} Engine;

static Engine describe_engine(Game *game, Reasoner reasoner) {
    Engine e = {.lanes = 1};
    if (reasoner == REASONER_INTERPRETER)
        return e;
    if (reasoner != REASONER_SLICED) {
        const Scalar *s = game->scalar;
        const ScalarPhase *phase = &s->by_phase[0];
        e.kernel = reasoner == REASONER_SCALAR ? kernel_kind_name(kernel_kind(phase->next)) : NULL;
        e.gates = s->gates;
        e.code_bytes = kernel_code_bytes(phase->answers) + kernel_code_bytes(phase->next);
        return e;
    }
    const TurnNetworks *turn = game_turn_networks(game);
    size_t area = turn->max_inputs > turn->max_outputs ? turn->max_inputs : turn->max_outputs;
    e.lanes = LANES;
    e.kernel = kernel_kind_name(kernel_kind(turn->by_phase[0].step));
    e.gates = turn->gates / turn->phases.count;
    e.working_set = (2 * area + turn->max_outputs + turn->scratch_lanes) * sizeof(Lanes);
    for (uint32_t p = 0; p < turn->phases.count; p++)
        e.code_bytes += kernel_code_bytes(turn->by_phase[p].step);
    return e;
}

static Engine describe_gpu(Game *game, const Accelerator *accelerator) {
    Engine e = describe_engine(game, REASONER_SLICED);
    e.kernel = accelerator_kernel_name(accelerator);
    e.lanes = gpu_player_lanes(accelerator->player);
    e.device = gpu_properties(accelerator->gpu)->name;
    e.working_set = e.code_bytes = 0;
    return e;
}

static json_t *mean_goals_json(const Game *game, const MatchStatistics *m) {
    json_t *means = json_object();
    for (uint32_t r = 0; r < game->role_count; r++) {
        double mean;
        bool has_mean = matches_mean_goal(m, r, &mean);
        object_add(means, game->roles[r], has_mean ? json_real(mean) : json_null());
    }
    return means;
}

static double per_second(uint64_t work, double seconds) {
    return seconds > 0 ? (double)work / seconds : 0;
}

static void print_as_json(const Command *command, const Game *game, const MatchStatistics *m,
                          const Engine *e, double build_seconds) {
    print_json(object_of(
        "game", text_json(command->arguments[0]), "reasoner", text_json(reasoner_name(m->reasoner)),
        "playouts", count_json(m->playouts), "moves", count_json(m->turns), "stuck",
        count_json(m->stuck), "unfinished", count_json(m->unfinished), "too_long",
        count_json(m->too_long), "cpu_seconds", json_real(m->cpu_seconds), "threads",
        json_integer(command->common.threads ? (json_int_t)command->common.threads : 1), "ranks",
        json_integer(cluster_size(command->cluster)), "playouts_per_cpu_second",
        json_real(per_second(m->playouts, m->cpu_seconds)), "moves_per_cpu_second",
        json_real(per_second(m->turns + m->unfinished_turns, m->cpu_seconds)), "mean_length",
        json_real(matches_mean_length(m)), "mean_goals", mean_goals_json(game, m), "lanes",
        count_json(e->lanes), "device", text_json(e->device), "kernel", text_json(e->kernel),
        "gates", count_json(e->gates), "working_set_bytes", count_json(e->working_set),
        "code_bytes", count_json(e->code_bytes), "build_cpu_seconds", json_real(build_seconds),
        "interrupted", json_boolean(interrupt_requested())));
}

static void print_as_text(const Game *game, const MatchStatistics *m, const Engine *e,
                          double build_seconds) {
    printf("reasoner     %s", reasoner_name(m->reasoner));
    if (e->lanes > 1)
        printf(", %lu lanes", (unsigned long)e->lanes);
    if (e->kernel)
        printf(", %s kernel", e->kernel);
    puts("");
    if (e->device)
        printf("device       %s; its seconds are those of the clock, transfers included\n",
               e->device);
    if (e->gates)
        printf("gates        %zu a pass, %zu KB of machine code\n", e->gates, e->code_bytes >> 10);
    if (e->working_set)
        printf("working set  %zu bytes for a batch of lanes\n", e->working_set);
    printf("built in     %.3f CPU seconds\n", build_seconds);
    printf("played       %lu matches, %lu moves in %.3f CPU seconds\n", (unsigned long)m->playouts,
           (unsigned long)m->turns, m->cpu_seconds);
    if (m->stuck || m->too_long)
        printf("given up     %lu stuck, %lu too long\n", (unsigned long)m->stuck,
               (unsigned long)m->too_long);
    printf("matches/s    %.0f\nmoves/s      %.0f\nmean length  %.4f\nmean goals  ",
           per_second(m->playouts, m->cpu_seconds),
           per_second(m->turns + m->unfinished_turns, m->cpu_seconds), matches_mean_length(m));
    for (uint32_t r = 0; r < game->role_count; r++) {
        double mean;
        if (matches_mean_goal(m, r, &mean))
            printf(" %s %.4f", game->roles[r], mean);
        else
            printf(" %s none", game->roles[r]);
    }
    puts("");
}

/* `accelerator` is NULL unless the reasoner is the GPU. */
static void measure(const Command *command, Game *game, Reasoner reasoner,
                    const Accelerator *accelerator) {
    const VerbOptions *own = command->options;
    const CommonOptions *common = &command->common;
    double seconds = own->seconds > 0 ? own->seconds : command_seconds_left(command);
    MatchPlan plan = {.game = game,
                      .reasoner = reasoner,
                      .device = accelerator ? &accelerator->device : NULL,
                      .playouts = common->playouts,
                      .seconds = seconds > 0        ? seconds
                                 : common->playouts ? 0
                                                    : DEFAULT_SECONDS,
                      .seed = common->seed,
                      .threads = (unsigned)common->threads,
                      .step_limit = DEFAULT_STEP_LIMIT};
    if (reasoner == REASONER_AUTO)
        plan.reasoner = game_has_circuit(game) ? REASONER_SLICED : REASONER_INTERPRETER;
    double started = clock_thread_cpu_seconds();
    Engine engine =
        accelerator ? describe_gpu(game, accelerator) : describe_engine(game, plan.reasoner);
    if (plan.reasoner == REASONER_INCREMENTAL)
        game_incremental(game);
    double build_seconds = game->build_cpu_seconds + clock_thread_cpu_seconds() - started;
    if (accelerator)
        build_seconds += gpu_player_build_seconds(accelerator->player);
    MatchStatistics matches = {0};
    play_matches(command, &plan, common->quiet ? NULL : "bench", &matches);
    if (common->json)
        print_as_json(command, game, &matches, &engine, build_seconds);
    else
        print_as_text(game, &matches, &engine, build_seconds);
    matches_free(&matches);
}

static void measure_on_gpu(const Command *command, Game *game, int *status) {
    const VerbOptions *own = command->options;
    GpuPlayerOptions options = {
        .seed = search_seed_of_thread(command->common.seed, cluster_rank(command->cluster))};
    Accelerator accelerator;
    if (own->kernel && !strcmp(own->kernel, "thread"))
        options.kind = GPU_KERNEL_THREAD;
    if (own->kernel && !strcmp(own->kernel, "block"))
        options.kind = GPU_KERNEL_BLOCK;
    if (accelerator_open(&accelerator, game, &options))
        measure(command, game, REASONER_GPU, &accelerator);
    if (accelerator_problem(&accelerator)) {
        complain("%s", accelerator_problem(&accelerator));
        *status = STATUS_EXHAUSTED;
    }
    accelerator_close(&accelerator);
}

static int measure_messages(const Command *command) {
    const VerbOptions *own = command->options;
    double seconds = own->seconds > 0 ? own->seconds : DEFAULT_SECONDS, taken;
    uint64_t messages = cluster_ping(command->cluster, own->messages, seconds, &taken);
    if (command->common.json)
        print_json(json_pack("{s:I,s:I,s:I,s:f}", "messages", (json_int_t)messages, "bytes",
                             (json_int_t)own->messages, "ranks",
                             (json_int_t)cluster_size(command->cluster), "seconds", taken));
    else
        printf("messages     %lu of %lu bytes and back, in %.3f s by %u processes\n",
               (unsigned long)messages, (unsigned long)own->messages, taken,
               cluster_size(command->cluster));
    return STATUS_DONE;
}

typedef struct {
    size_t phases;
    size_t gates, instructions, bytes; /* average over the phases */
    unsigned runs;
    double seconds, code_seconds; /* CPU: of all phases with mapping, of the code alone */
} InstructionCount;

static InstructionCount count_code_of(const Game *game, KernelKind kind) {
    double started = clock_thread_cpu_seconds();
    TurnNetworks *turn =
        turn_create(game->circuit, &(TurnOptions){.kernel = kind, .only_generated = true});
    size_t phases = turn->phases.count;
    InstructionCount c = {.phases = phases,
                          .gates = turn->gates / phases,
                          .runs = kernel_pieces(turn->by_phase[0].step),
                          .seconds = clock_thread_cpu_seconds() - started};
    for (size_t p = 0; p < phases; p++) {
        const Kernel *step = turn->by_phase[p].step, *goals = turn->by_phase[p].goals;
        c.bytes += kernel_code_bytes(step);
        c.instructions += kernel_instructions(step);
        c.code_seconds += kernel_code_seconds(step) + kernel_code_seconds(goals);
    }
    c.bytes /= phases;
    c.instructions /= phases;
    turn_free(turn);
    return c;
}

/* The code of the networks that questions about one state are answered with, of all phases. */
static json_t *one_state_json(const Scalar *scalar) {
    double seconds = 0;
    size_t bytes = 0;
    for (uint32_t i = 0; i <= scalar->phases.count; i++) {
        const ScalarPhase *p = &scalar->by_phase[i];
        const Kernel *const all[] = {p->answers, p->next, p->goals, p->percepts};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            seconds += kernel_code_seconds(all[k]);
            bytes += kernel_code_bytes(all[k]);
        }
    }
    return json_pack("{s:I,s:f}", "code_bytes", (json_int_t)bytes, "code_cpu_seconds", seconds);
}

/* The machine code of one turn of random play, for all kernels or the one that was named. */
static int count_code(const Command *command, Game *game, KernelKind only) {
    json_t *kernels = json_array();
    if (!game_has_circuit(game)) {
        complain("there is no circuit: %s", game->why_interpreted);
        json_decref(kernels);
        return STATUS_EXHAUSTED;
    }
    if (!command->common.json)
        puts("kernel        gates  instructions  runs  KB");
    for (int kind = KERNEL_SSE2; kind < KERNEL_KINDS; kind++) {
        if (only != KERNEL_AUTO && kind != (int)only)
            continue;
        InstructionCount c = count_code_of(game, (KernelKind)kind);
        const char *name = kernel_kind_name((KernelKind)kind);
        if (command->common.json)
            json_array_append_new(
                kernels, json_pack("{s:s,s:I,s:I,s:I,s:i,s:I,s:f,s:f}", "kernel", name, "phases",
                                   (json_int_t)c.phases, "gates", (json_int_t)c.gates,
                                   "instructions", (json_int_t)c.instructions, "runs", (int)c.runs,
                                   "code_bytes", (json_int_t)c.bytes, "cpu_seconds", c.seconds,
                                   "code_cpu_seconds", c.code_seconds));
        else
            printf("%-11s %7zu %13zu %5u %3zu\n", name, c.gates, c.instructions, c.runs,
                   c.bytes >> 10);
    }
    if (command->common.json)
        print_json_about(command->arguments[0],
                         json_pack("{s:f,s:f,s:o,s:o}", "build_cpu_seconds",
                                   game->build_cpu_seconds, "grounding_cpu_seconds",
                                   game->grounding->cpu_seconds, "one_state",
                                   one_state_json(game->scalar), "kernels", kernels));
    else
        json_decref(kernels);
    return STATUS_DONE;
}

static int run_bench(const Command *command) {
    const VerbOptions *own = command->options;
    int status = STATUS_DONE;
    if (own->messages > MAX_MESSAGE_BYTES)
        return wrong_usage("--messages is at most %d", MAX_MESSAGE_BYTES);
    if (own->messages)
        return measure_messages(command);
    bool is_of_gpu =
        own->kernel && (!strcmp(own->kernel, "thread") || !strcmp(own->kernel, "block"));
    GameOptions game_options = {.interpreter_only =
                                    own->reasoner && !strcmp(own->reasoner, "interpreter")};
    if (!kernel_from_name(is_of_gpu ? NULL : own->kernel, &game_options.kernel, &status))
        return status;
    Game *game = open_game(command, command->arguments[0], &game_options, &status);
    Reasoner reasoner;
    if (game && own->code)
        status = count_code(command, game, game_options.kernel);
    else if (game && choose_reasoner(game, own->reasoner, &reasoner, &status)) {
        if (reasoner == REASONER_GPU)
            measure_on_gpu(command, game, &status);
        else
            measure(command, game, reasoner, NULL);
    }
    game_free(game);
    return status;
}

const Verb verb_bench = {
    .name = "bench",
    .arguments = "GAME",
    .summary = "measure how fast random matches are played",
    .description =
        "Plays random matches from the initial state and prints matches and moves (turns)\n"
        "per second of processor time, added up over the threads (one unless --threads\n"
        "says more). The time to build the game is told apart. With --reasoner gpu the\n"
        "seconds are those of the clock, with all transfers in them.",
    .example = "bench tic_tac_toe --seconds 1",
    VERB_OPTIONS,
    .unused = "verbose",
    .takes = {1, 1},
    .is_distributed = true,
    .run = run_bench,
};
