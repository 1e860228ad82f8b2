/* Small networks become code (kernel_source.c), large ones data (environment_program.c). The rows
 * of a block are in shared memory if they fit, else in an arena of its own, and the block plays
 * several groups one after the other. States and legal moves rest in the memory of the device
 * between two steps. */
#include "gpu/gpu_environments.h"

#include <assert.h>

#include "base/bitset.h"
#include "circuit/cone.h"
#include "game/lanes.h"
#include "gpu/kernel_source.h"
#include "gpu/schedule.h"

enum {
    THREADS = 128,          /* per block, for networks that are code (untuned) */
    PROGRAM_THREADS = 1024, /* per block, for interpreted networks (untuned) */
    SHARED_STRIDE = 33,     /* words of a row, as in environments.cu */
    GROUP_UNITS = 32,       /* the same outside of shared memory */
    MAX_CODE_GATES = 20000, /* gates of all networks that become code, which compiles slowly: as for
                               random play (study: docs/results/gpu.md) */
    MAX_CODE_NETWORK_GATES = 6000, /* gates of one network, for the same reason */
    NETWORKS = 4
};

struct GpuEnvironments {
    Gpu *gpu;
    Game *game;
    EnvironmentShape shape;
    GpuKernel *step, *copy, *draw;
    GpuStep task;       /* what all steps share */
    GpuAddress nowhere; /* by match: 0 */
    uint32_t blocks, threads;
};

/* ---- code ---- */

typedef struct {
    const char *name;
    LutNetwork *network;
    uint32_t inputs; /* without the variables of loops */
} NamedNetwork;

static NamedNetwork make_network(const Circuit *circuit, const char *name, const Signal *outputs,
                                 size_t count, bool with_moves) {
    ConeOptions options = {.gates = GATES_THREE, .with_moves = with_moves};
    LutNetwork *network = cone_network(circuit, outputs, count, &options, NULL);
    return (NamedNetwork){name, network, network->input_count - gpu_loop_variables(network)};
}

static bool is_small(const NamedNetwork *networks) {
    size_t gates = 0, largest = 0;
    for (int i = 0; i < NETWORKS; i++) {
        size_t count = networks[i].network->luts.count;
        gates += count;
        largest = count > largest ? count : largest;
    }
    return gates <= MAX_CODE_GATES && largest <= MAX_CODE_NETWORK_GATES;
}

/* Rows in the order of environments.cu, up to those of values. */
static size_t rows_of(const Circuit *c) {
    size_t answers = c->move_count + 1 + c->goals.count;
    size_t shared = c->fluent_count > answers ? c->fluent_count : answers;
    return c->fluent_count + c->move_count + shared + c->percepts.count + c->role_count + 6;
}

static void write_program(const Circuit *c, const NamedNetwork *networks,
                          GpuEnvironmentCode *code) {
    uint32_t first = (uint32_t)rows_of(c);
    const EnvironmentRows rows = {0, first - 1, first};
    for (int i = 0; i < NETWORKS; i++)
        environment_program_add(&code->program, networks[i].network, networks[i].inputs, &rows,
                                networks[i].name, &code->networks);
    environment_program_end(&code->program);
    code->rows += code->program.value_rows;
    text_printf(&code->networks, "#define INTERPRETED\n#define VALUES %u\n",
                code->program.value_rows);
}

static void write_functions(const NamedNetwork *networks, GpuEnvironmentCode *code) {
    uint32_t slots = 0;
    for (int i = 0; i < NETWORKS; i++) {
        uint32_t most = gpu_source_write_network(networks[i].network, networks[i].name, 0,
                                                 networks[i].inputs, &code->networks);
        slots = most > slots ? most : slots;
    }
    text_printf(&code->networks, "#define SLOTS %u\n#define VALUES 0\n", slots);
}

/* Lists by role the first of its items, then their number. */
static void write_firsts(const char *name, const uint32_t *counts, uint32_t roles, Text *out) {
    uint32_t first = 0;
    text_printf(out, "#define %s 0", name);
    for (uint32_t r = 0; r < roles; r++)
        text_printf(out, ", %u", first += counts[r]);
    text_add(out, "\n");
}

/* Percepts in the order of the roles. */
static void order_percepts(const Circuit *c, U32Vector *signals, uint32_t *counts) {
    for (uint32_t r = 0; r < c->role_count; r++)
        for (size_t i = 0; i < c->percepts.count; i++)
            if (c->percepts.items[i].role == r) {
                vector_push(signals, c->percepts.items[i].signal);
                counts[r]++;
            }
}

/* By goal its role and its value, then 0. */
static void write_goals(Game *game, Text *out) {
    const CircuitOutputs *goals = &game->circuit->goals;
    int *values = game_goal_values(game);
    text_add(out, "#define GOAL_ROLES ");
    for (size_t i = 0; i < goals->count; i++)
        text_printf(out, "%u, ", goals->items[i].role);
    text_add(out, "0\n#define GOAL_VALUES ");
    for (size_t i = 0; i < goals->count; i++)
        text_printf(out, "%d, ", values[i] > 0 ? values[i] : 0);
    text_add(out, "0\n");
    free(values);
}

/* The sizes of a game, and its lists by role. */
static void write_sizes(Game *game, const EnvironmentShape *s, uint32_t *counts, Text *out) {
    const Circuit *c = game->circuit;
    uint32_t chance = game->chance_role < s->roles ? game->chance_role : s->roles;
    write_firsts("FIRST_PERCEPTS", counts, s->roles, out);
    for (uint32_t r = 0; r < s->roles; r++)
        counts[r] = c->first_move[r + 1] - c->first_move[r];
    write_firsts("FIRST_MOVES", counts, s->roles, out);
    write_goals(game, out);
    text_printf(out,
                "#define FLUENTS %u\n#define MOVES %u\n#define ROLES %u\n#define GOALS %zu\n"
                "#define PERCEPTS %zu\n#define CHANCE %u\n#define MASK_BITS %u\n"
                "#define MASK_WORDS %u\n#define VIEWS %u\n#define FACTS %u\n"
                "#define FACT_WORDS %u\n",
                c->fluent_count, c->move_count, s->roles, c->goals.count, c->percepts.count, chance,
                s->moves, s->mask_words, s->views, s->facts, s->fact_words);
}

static void write_networks(Game *game, GpuNetworks kind, size_t shared_bytes,
                           GpuEnvironmentCode *code) {
    const Circuit *c = game->circuit;
    U32Vector outputs = {0}, percepts = {0};
    uint32_t *counts = memory_zalloc((c->role_count + 1) * sizeof *counts);
    circuit_outputs(c, &outputs);
    order_percepts(c, &percepts, counts);
    const Signal *answers = outputs.items + c->fluent_count, *goals = answers + c->move_count + 1;
    NamedNetwork networks[NETWORKS] = {
        make_network(c, "next", outputs.items, c->fluent_count, true),
        make_network(c, "answers", answers, c->move_count + 1, false),
        make_network(c, "goals", goals, c->goals.count, false),
        make_network(c, "sees", percepts.items, percepts.count, true)};
    bool is_code = kind == GPU_NETWORKS_CODE || (kind == GPU_NETWORKS_AUTO && is_small(networks));
    if (!is_code) { /* what the goals share with the other answers is evaluated once */
        lut_free(networks[1].network);
        lut_free(networks[2].network);
        networks[1] =
            make_network(c, "answers", answers, c->move_count + 1 + c->goals.count, false);
        networks[2] = make_network(c, "goals", goals, 0, false);
    }
    code->rows = rows_of(c);
    if (!is_code)
        write_program(c, networks, code);
    code->is_shared = code->rows * SHARED_STRIDE * sizeof(uint32_t) <= shared_bytes;
    write_sizes(game, &code->shape, counts, &code->networks);
    text_printf(&code->networks, "#define THREADS %d\n#define STRIDE %d\n%s",
                is_code ? THREADS : PROGRAM_THREADS, code->is_shared ? SHARED_STRIDE : GROUP_UNITS,
                code->is_shared ? "#define SHARED_ROWS\n" : "");
    if (is_code)
        write_functions(networks, code);
    for (int i = 0; i < NETWORKS; i++)
        lut_free(networks[i].network);
    free(counts);
    vectors_free(&outputs, &percepts);
}

/* ---- the table ---- */

static void add_initial(Game *game, GpuEnvironmentCode *code) {
    const Circuit *c = game->circuit;
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State initial = {0};
    U32Vector legal = {0};
    uint32_t *is_legal = memory_zalloc((c->move_count + 1) * sizeof *is_legal);
    game_initial(work, &initial);
    for (uint32_t r = 0; r < c->role_count; r++) {
        game_legal(work, &initial, r, &legal);
        for (size_t i = 0; i < legal.count; i++)
            is_legal[c->first_move[r] + legal.items[i]] = UINT32_MAX;
        vector_push(&code->table, legal.count > 1 && !game_is_chance(game, r) ? UINT32_MAX : 0);
    }
    for (uint32_t f = 0; f < c->fluent_count; f++)
        vector_push(&code->table, c->initial[f] ? UINT32_MAX : 0);
    for (uint32_t m = 0; m < c->move_count; m++)
        vector_push(&code->table, is_legal[m]);
    free(is_legal);
    vector_free(&legal);
    state_free(&initial);
    game_work_free(work);
}

void gpu_environment_code_write(Game *game, uint32_t count, GpuNetworks networks,
                                size_t shared_bytes, GpuEnvironmentCode *code) {
    assert(game_has_circuit(game));
    *code = (GpuEnvironmentCode){.shape = environment_shape(game, count)};
    write_networks(game, networks, shared_bytes, code);
    add_initial(game, code);
}

void gpu_environment_code_free(GpuEnvironmentCode *code) {
    environment_program_free(&code->program);
    vectors_free(&code->networks, &code->table);
}

size_t gpu_environment_block_bytes(const GpuEnvironmentCode *code) {
    return code->rows * (code->is_shared ? SHARED_STRIDE : GROUP_UNITS) * sizeof(uint32_t);
}

/* ---- creation ---- */

static bool make_kernels(GpuEnvironments *e, const GpuEnvironmentCode *code, Report *report) {
    GpuBinary binary = {0};
    const GpuHeader headers[] = {{"unit.cuh", gpu_source_unit},
                                 {"network.cuh", gpu_source_network},
                                 {"networks.h", text_string(&code->networks)}};
    size_t shared = code->is_shared ? gpu_environment_block_bytes(code) : 0;
    e->threads = code->program.gates.count ? PROGRAM_THREADS : THREADS;
    if (gpu_binary(e->gpu, gpu_source_environments, headers, 3, &binary, report)) {
        e->step = gpu_kernel_create(e->gpu, &binary, "step", shared, report);
        e->copy = gpu_kernel_create(e->gpu, &binary, "copy", 0, report);
        e->draw = gpu_kernel_create(e->gpu, &binary, "draw", 0, report);
    }
    vector_free(&binary);
    return e->step && e->copy && e->draw;
}

/* Memory of the device, zero or with a copy of `from`. False if there is none. */
static bool place(Gpu *gpu, GpuAddress *address, const void *from, size_t bytes, Report *report) {
    *address = gpu_alloc(gpu, bytes, report);
    return *address && (from ? gpu_write(gpu, *address, from, bytes, report)
                             : gpu_zero(gpu, *address, bytes, report));
}

static bool place_program(Gpu *gpu, const EnvironmentProgram *p, GpuStep *task, Report *report) {
    return place(gpu, &task->gates, p->gates.items, p->gates.count * sizeof *p->gates.items,
                 report) &&
           place(gpu, &task->rounds, p->rounds.items, p->rounds.count * sizeof *p->rounds.items,
                 report) &&
           place(gpu, &task->segments, p->segments.items,
                 p->segments.count * sizeof *p->segments.items, report) &&
           place(gpu, &task->lists, p->lists.items, p->lists.count * sizeof *p->lists.items,
                 report);
}

/* As many blocks as the device runs at the same time, each with an arena, unless rows are shared.
 */
static bool make_blocks(GpuEnvironments *e, const GpuEnvironmentCode *code, Report *report) {
    uint32_t groups = (e->shape.count + GPU_GROUP - 1) / GPU_GROUP;
    uint32_t resident = gpu_kernel_blocks(e->step, e->threads) * gpu_properties(e->gpu)->processors;
    e->blocks = code->is_shared || groups < resident ? groups : resident;
    return code->is_shared || place(e->gpu, &e->task.arenas, NULL,
                                    e->blocks * gpu_environment_block_bytes(code), report);
}

static bool make_memory(GpuEnvironments *e, const GpuEnvironmentCode *code,
                        const EnvironmentOptions *options, Report *report) {
    const Circuit *c = e->game->circuit;
    size_t groups = (e->shape.count + GPU_GROUP - 1) / GPU_GROUP, count = e->shape.count;
    size_t row = groups * GROUP_UNITS * sizeof(uint32_t);
    GpuStep *t = &e->task;
    *t = (GpuStep){.seed = options->seed,
                   .count = e->shape.count,
                   .step_limit = options->step_limit,
                   .replaces_illegal = options->replaces_illegal};
    return place(e->gpu, &t->states, NULL, row * c->fluent_count, report) &&
           place(e->gpu, &t->legal, NULL, row * c->move_count, report) &&
           place(e->gpu, &t->table, code->table.items,
                 code->table.count * sizeof *code->table.items, report) &&
           place(e->gpu, &e->nowhere, NULL, count, report) &&
           place(e->gpu, &t->illegal_moves, NULL, sizeof(uint64_t), report) &&
           (!options->keeps_ended || place(e->gpu, &t->kept_ends, NULL, count, report)) &&
           (!options->step_limit ||
            place(e->gpu, &t->turns_played, NULL, count * sizeof(uint32_t), report)) &&
           (!code->program.gates.count || place_program(e->gpu, &code->program, t, report)) &&
           make_blocks(e, code, report);
}

GpuEnvironments *gpu_environments_create(Gpu *gpu, Game *game, const EnvironmentOptions *options,
                                         Report *report) {
    GpuEnvironmentCode code;
    assert(options->count > 0);
    if (!game_has_circuit(game)) {
        report_error(report, "no-circuit", "environments on a GPU need a game with a circuit");
        return NULL;
    }
    gpu_environment_code_write(game, options->count, GPU_NETWORKS_AUTO,
                               gpu_properties(gpu)->block_shared_bytes, &code);
    GpuEnvironments *e = memory_zalloc(sizeof *e);
    e->gpu = gpu;
    e->game = game;
    e->shape = code.shape;
    bool ok = make_kernels(e, &code, report) && make_memory(e, &code, options, report) &&
              gpu_environments_reset(e, NULL, &(EnvironmentOutputs){0}, NULL, report);
    gpu_environment_code_free(&code);
    if (ok)
        return e;
    gpu_environments_free(e);
    return NULL;
}

void gpu_environments_free(GpuEnvironments *e) {
    if (!e)
        return;
    const GpuStep *t = &e->task;
    const GpuAddress all[] = {t->states,    t->legal,        t->table,  t->cells,  t->illegal_moves,
                              t->kept_ends, t->turns_played, t->gates,  t->rounds, t->segments,
                              t->lists,     t->arenas,       e->nowhere};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        gpu_free(e->gpu, all[i]);
    gpu_kernel_free(e->step);
    gpu_kernel_free(e->copy);
    gpu_kernel_free(e->draw);
    free(e);
}

const EnvironmentShape *gpu_environments_shape(const GpuEnvironments *e) {
    return &e->shape;
}

bool gpu_environments_set_planes(GpuEnvironments *e, const uint32_t *cells, uint32_t count,
                                 Report *report) {
    assert(e->shape.views == 1);
    size_t bytes = count * sizeof *cells;
    gpu_free(e->gpu, e->task.cells);
    e->task.cells = gpu_alloc(e->gpu, bytes, report);
    bool ok = e->task.cells && gpu_write(e->gpu, e->task.cells, cells, bytes, report);
    e->task.plane_cells = e->shape.plane_cells = ok ? count : 0;
    return ok;
}

/* ---- steps ---- */

static GpuAddress address_of(const void *pointer) {
    return (GpuAddress)(uintptr_t)pointer;
}

static bool launch(GpuEnvironments *e, const void *moves, const void *which,
                   const EnvironmentOutputs *o, GpuStream *stream, Report *report) {
    GpuStep task = e->task;
    task.round = e->task.round++;
    task.moves = address_of(moves);
    task.which = address_of(which);
    task.ends = address_of(o->ends);
    task.rewards = address_of(o->rewards);
    task.turns = address_of(o->turns);
    task.illegal = address_of(o->illegal);
    task.masks = address_of(o->masks);
    task.mask_bytes = address_of(o->mask_bytes);
    task.observations = address_of(o->observations);
    task.observation_bytes = address_of(o->observation_bytes);
    task.planes = task.plane_cells ? address_of(o->planes) : 0;
    void *arguments[] = {&task};
    return gpu_launch(e->step, stream, e->blocks, e->threads, arguments, report);
}

bool gpu_environments_reset(GpuEnvironments *e, const uint8_t *which,
                            const EnvironmentOutputs *outputs, GpuStream *stream, Report *report) {
    return launch(e, NULL, which, outputs, stream, report);
}

bool gpu_environments_step(GpuEnvironments *e, const uint32_t *moves,
                           const EnvironmentOutputs *outputs, GpuStream *stream, Report *report) {
    assert(moves);
    return launch(e, moves, NULL, outputs, stream, report);
}

bool gpu_environments_can_copy(const GpuEnvironments *to, const GpuEnvironments *from) {
    return to != from && to->game == from->game && (to->task.kept_ends || !from->task.kept_ends) &&
           (!to->task.turns_played || from->task.turns_played);
}

bool gpu_environments_copy(GpuEnvironments *to, uint32_t first, uint32_t count,
                           const GpuEnvironments *from, const uint32_t *sources,
                           const EnvironmentOutputs *outputs, GpuStream *stream, Report *report) {
    const GpuStep *t = &to->task, *f = &from->task;
    GpuCopy task = {.sources = address_of(sources),
                    .from_states = f->states,
                    .from_legal = f->legal,
                    .from_ends = f->kept_ends,
                    .from_turns = f->turns_played,
                    .states = t->states,
                    .legal = t->legal,
                    .kept_ends = t->kept_ends,
                    .turns_played = t->turns_played,
                    .first = first,
                    .count = count,
                    .from_count = f->count};
    void *arguments[] = {&task};
    assert(gpu_environments_can_copy(to, from) && first <= t->count && count <= t->count - first);
    uint32_t units = count ? (first + count - 1) / 32 - first / 32 + 1 : 0;
    return (!units || gpu_launch(to->copy, stream, units, to->threads, arguments, report)) &&
           (!outputs ||
            launch(to, NULL, (const void *)(uintptr_t)to->nowhere, outputs, stream, report));
}

bool gpu_environments_draw(GpuEnvironments *e, const uint64_t *masks, uint64_t count, uint64_t seed,
                           uint32_t *moves, GpuStream *stream, Report *report) {
    GpuMaskDraw task = {.masks = address_of(masks),
                        .moves = address_of(moves),
                        .seed = seed,
                        .count = count,
                        .words = e->shape.mask_words};
    void *arguments[] = {&task};
    uint32_t blocks = (uint32_t)((count + e->threads - 1) / e->threads);
    return !count || gpu_launch(e->draw, stream, blocks, e->threads, arguments, report);
}

bool gpu_environments_state(GpuEnvironments *e, uint32_t match, State *state, Report *report) {
    assert(match < e->shape.count);
    uint32_t fluents = e->game->circuit->fluent_count, place = match % GPU_GROUP;
    size_t bytes = (size_t)fluents * GROUP_UNITS * sizeof(uint32_t);
    uint32_t *rows = memory_alloc(bytes + 1);
    bool ok = gpu_read(e->gpu, rows, e->task.states + match / GPU_GROUP * bytes, bytes, report);
    state_clear(state);
    for (uint32_t f = 0; ok && f < fluents; f++)
        if (rows[f * GROUP_UNITS + place / 32] >> place % 32 & 1)
            state_set(state, f);
    free(rows);
    return ok;
}

bool gpu_environments_illegal_moves(GpuEnvironments *e, uint64_t *count, Report *report) {
    return gpu_read(e->gpu, count, e->task.illegal_moves, sizeof *count, report);
}
