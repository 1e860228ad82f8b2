/* A batch is a flight. Its states are sorted by phase. Those of one phase fill whole groups of
 * units; the rest of the last group repeats the last state, and its result is ignored. States that
 * fit no phase, which random play never reaches, are played by the processor.
 *
 * The device counts each goal separately. If a role has two goals at once both are added, but
 * well-formed games have no such terminal states. */
#include "gpu/leaves.h"

#include <assert.h>

#include "game/batch.h"
#include "gpu/flight.h"

#define HERE UINT32_MAX

typedef struct {
    GpuFlight *flight;
    uint32_t *first_unit; /* by state: the first of its units; HERE: played by the processor */
    LeafSums *here;       /* by state: the results of the processor */
    size_t count;         /* number of states */
} LeafBatch;

struct LeafPlayer {
    Game *game;
    const TurnNetworks *turn;
    LeafOptions options;
    GpuPlayer *player;
    LeafBatch *batches;
    int *goal_values; /* game_goal_values */
    uint32_t *bits;   /* scratch: a state */
    Batch *processor; /* NULL until it is needed */
    Report report;    /* failures of the device during play */
};

static uint32_t units_of_state(const LeafPlayer *p) {
    return p->options.playouts / GPU_UNIT_LANES;
}

static bool open_batch(LeafPlayer *p, LeafBatch *batch, Report *report) {
    size_t states = p->options.states, roles = p->game->role_count;
    batch->first_unit = memory_zalloc((states + 1) * sizeof *batch->first_unit);
    batch->here = memory_zalloc((states + 1) * sizeof *batch->here);
    for (size_t i = 0; i < states; i++)
        batch->here[i].goals = memory_zalloc((roles + 1) * sizeof(double));
    batch->flight = gpu_flight_create(
        p->player, states * units_of_state(p) + p->turn->phases.count * GPU_UNITS_PER_PHASE,
        report);
    return batch->flight != NULL;
}

static void close_batch(const LeafPlayer *p, LeafBatch *batch) {
    gpu_flight_free(batch->flight);
    for (size_t i = 0; batch->here && i < p->options.states; i++)
        free(batch->here[i].goals);
    memory_free(batch->here, batch->first_unit);
}

static void close_player(LeafPlayer *p) {
    for (uint32_t i = 0; i < p->options.batches; i++)
        close_batch(p, &p->batches[i]);
    gpu_player_free(p->player);
    batch_free(p->processor);
    report_free(&p->report);
    memory_free(p->batches, p->goal_values, p->bits, p);
}

static LeafPlayer *open_player(void *context, Game *game, const LeafOptions *options,
                               Report *report) {
    assert(game_has_circuit(game) && options->playouts % GPU_UNIT_LANES == 0);
    LeafPlayer *p = memory_zalloc(sizeof *p);
    p->game = game;
    p->turn = game_turn_networks(game);
    p->options = *options;
    p->bits = memory_zalloc((gpu_start_words(p->turn) + 1) * sizeof *p->bits);
    p->goal_values = game_goal_values(game);
    p->batches = memory_zalloc((options->batches + 1) * sizeof *p->batches);
    p->player =
        gpu_player_create(context, p->turn, &(GpuPlayerOptions){.seed = options->seed}, report);
    bool is_open = p->player != NULL;
    for (uint32_t i = 0; is_open && i < options->batches; i++)
        is_open = open_batch(p, &p->batches[i], report);
    if (is_open)
        return p;
    close_player(p);
    return NULL;
}

/* ---- starting ---- */

static void read_bits(LeafPlayer *p, const State *state) {
    for (size_t w = 0; w < gpu_start_words(p->turn); w++)
        p->bits[w] = 0;
    for (size_t i = 0; i < p->turn->kept.count; i++)
        p->bits[i / 32] |= (uint32_t)state_holds(state, p->turn->kept.items[i]) << i % 32;
}

static void play_here(LeafPlayer *p, const State *state, LeafSums *sums) {
    uint32_t roles = p->game->role_count, playouts = p->options.playouts;
    PlayoutStart *starts = memory_zalloc(playouts * sizeof *starts);
    PlayoutResult *results = memory_zalloc(playouts * sizeof *results);
    int *goals = memory_zalloc(((size_t)playouts * roles + 1) * sizeof *goals);
    if (!p->processor)
        p->processor = batch_create(p->game, p->options.seed);
    for (uint32_t i = 0; i < playouts; i++) {
        starts[i].state = state;
        results[i].goals = goals + (size_t)i * roles;
    }
    batch_play(p->processor, starts, playouts, p->options.step_limit, results);
    sums->ended = 0;
    for (uint32_t r = 0; r < roles; r++)
        sums->goals[r] = 0;
    for (uint32_t i = 0; i < playouts; i++) {
        sums->ended += results[i].end == MATCH_TERMINAL;
        for (uint32_t r = 0; r < roles; r++)
            sums->goals[r] += results[i].goals[r] > 0 ? results[i].goals[r] : 0;
    }
    memory_free(starts, results, goals);
}

/* Loads the states of one phase from a unit on. Returns the number of units so far. */
static size_t load_phase(LeafPlayer *p, LeafBatch *batch, const State *const *states,
                         const uint32_t *phases, uint32_t phase, size_t unit) {
    size_t first = unit;
    for (size_t i = 0; i < batch->count; i++) {
        if (phases[i] != phase)
            continue;
        read_bits(p, states[i]);
        batch->first_unit[i] = (uint32_t)unit;
        for (uint32_t k = 0; k < units_of_state(p); k++)
            gpu_flight_set(batch->flight, unit++, p->bits);
    }
    for (; unit % GPU_UNITS_PER_PHASE; unit++)
        gpu_flight_set(batch->flight, unit, p->bits);
    for (; first < unit; first += GPU_UNITS_PER_PHASE)
        gpu_flight_set_phase(batch->flight, first, phase);
    return unit;
}

static bool start(LeafPlayer *p, uint32_t number, const State *const *states, size_t count) {
    assert(number < p->options.batches && count <= p->options.states);
    LeafBatch *batch = &p->batches[number];
    const Phases *cycle = &p->turn->phases;
    uint32_t *phases = memory_alloc((count + 1) * sizeof *phases);
    size_t units = 0;
    batch->count = count;
    for (size_t i = 0; i < count; i++) {
        phases[i] = phases_of_state(cycle, states[i]->words, states[i]->word_count);
        batch->first_unit[i] = HERE;
    }
    for (uint32_t phase = 0; phase < cycle->count; phase++)
        units = load_phase(p, batch, states, phases, phase, units);
    bool ok = gpu_flight_start(batch->flight, units, gpu_player_next_seed(p->player),
                               p->options.step_limit, &p->report);
    for (size_t i = 0; ok && i < count; i++)
        if (phases[i] == cycle->count)
            play_here(p, states[i], &batch->here[i]);
    free(phases);
    return ok;
}

/* ---- landing ---- */

static void add_up(const LeafPlayer *p, const LeafBatch *batch, size_t state, LeafSums *sums) {
    const Circuit *c = p->game->circuit;
    for (uint32_t k = 0; k < units_of_state(p); k++) {
        size_t unit = batch->first_unit[state] + k;
        sums->ended += gpu_flight_counter(batch->flight, unit, GPU_PLAYOUTS);
        for (size_t g = 0; g < c->goals.count; g++)
            if (p->goal_values[g] > 0)
                sums->goals[c->goals.items[g].role] +=
                    (double)p->goal_values[g] *
                    gpu_flight_counter(batch->flight, unit, GPU_FIRST_GOAL + g);
    }
}

static bool is_done(LeafPlayer *p, uint32_t number) {
    return gpu_flight_is_done(p->batches[number].flight);
}

static bool finish(LeafPlayer *p, uint32_t number, LeafSums *sums) {
    assert(number < p->options.batches);
    const LeafBatch *batch = &p->batches[number];
    if (!gpu_flight_land(batch->flight, &p->report))
        return false;
    for (size_t i = 0; i < batch->count; i++) {
        bool is_here = batch->first_unit[i] == HERE;
        sums[i].ended = is_here ? batch->here[i].ended : 0;
        for (uint32_t r = 0; r < p->game->role_count; r++)
            sums[i].goals[r] = is_here ? batch->here[i].goals[r] : 0;
        if (!is_here)
            add_up(p, batch, i, &sums[i]);
    }
    return true;
}

LeafDevice gpu_leaf_device(Gpu *gpu) {
    return (LeafDevice){.context = gpu,
                        .lanes = GPU_UNIT_LANES,
                        .open = open_player,
                        .close = close_player,
                        .start = start,
                        .is_done = is_done,
                        .finish = finish};
}
