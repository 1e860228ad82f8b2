/* A row of the records has the lanes of all blocks side by side, so that the lanes of a batch (four
 * blocks) are a row of the observer without conversion. If a turn is wanted that is not played yet,
 * all matches advance by GPU_RECORDED_TURNS turns. */
#include "gpu/recorded_matches.h"

#include <assert.h>
#include <string.h>

#include "base/table.h"

static const size_t MAX_KEPT = (size_t)1 << 29; /* bytes of records kept in memory (untuned) */

struct GpuRecorder {
    Gpu *gpu;
    TurnNetworks *turn;
    GpuBlocks blocks;
    MatchRecorder matches;
    GpuTape tape; /* its seed is that of the next launch */
    uint64_t seed, launches;
    VECTOR(uint32_t *) records; /* one buffer per launch since the matches began */
    bool has_forgotten; /* records of early turns were freed, so that no other batch can be read */
    bool has_start;
    State start;
    uint32_t batches, batch, turn_number; /* played together; the one read; its next turn */
    Report report;
};

/* ---- tapes ---- */

TurnNetworks *gpu_record_turn(const Circuit *circuit) {
    TurnOptions options = {
        .kernel = KERNEL_INTERPRETED, .keep_all_fluents = true, .show_moves = true};
    return turn_create(circuit, &options);
}

static size_t rows_of(const TurnNetworks *turn) {
    return 1 + turn->kept.count + turn->circuit->move_count;
}

size_t gpu_tape_state_words(const GpuTape *tape, const TurnNetworks *turn) {
    return (turn->kept.count + 1) * tape->blocks * GPU_UNITS;
}

size_t gpu_tape_record_words(const GpuTape *tape, const TurnNetworks *turn) {
    return rows_of(turn) * tape->turns * tape->blocks * GPU_UNITS;
}

static bool holds(const Circuit *circuit, const State *start, uint32_t fluent) {
    return start ? state_holds(start, fluent) : circuit->initial[fluent];
}

void gpu_tape_set_start(const GpuTape *tape, const TurnNetworks *turn, const State *start,
                        uint32_t *state_words) {
    size_t row = (size_t)tape->blocks * GPU_UNITS;
    for (uint32_t f = 0; f < turn->kept.count; f++)
        memset(state_words + f * row, holds(turn->circuit, start, f) ? 0xff : 0,
               row * sizeof *state_words);
    memset(state_words + turn->kept.count * row, 0xff, row * sizeof *state_words);
}

void gpu_tape_read(const GpuTape *tape, const TurnNetworks *turn, const uint32_t *record_words,
                   uint32_t turn_number, uint32_t batch, LaneMask *playing, Lanes *next,
                   Lanes *moves) {
    assert(turn_number < tape->turns && (batch + 1) * GPU_BLOCKS_PER_BATCH <= tape->blocks);
    size_t row = (size_t)tape->blocks * GPU_UNITS;
    const uint32_t *from = record_words + turn_number * rows_of(turn) * row +
                           (size_t)batch * GPU_BLOCKS_PER_BATCH * GPU_UNITS;
    memcpy(playing, from, sizeof *playing);
    for (size_t f = 0; f < turn->kept.count; f++)
        memcpy(&next[f], from += row, sizeof *next);
    for (uint32_t m = 0; m < turn->circuit->move_count; m++)
        memcpy(&moves[m], from += row, sizeof *moves);
}

/* ---- the recorder ---- */

static void forget_records(GpuRecorder *r) {
    for (size_t i = 0; i < r->records.count; i++)
        free(r->records.items[i]);
    vector_clear(&r->records);
}

/* Frees the records of early turns, so that an endless match does not fill the memory. */
static void forget_early_turns(GpuRecorder *r) {
    for (size_t i = 0; i < r->records.count; i++) {
        free(r->records.items[i]);
        r->records.items[i] = NULL;
    }
    r->has_forgotten = r->has_forgotten || r->records.count;
}

/* Advances all matches by one launch. */
static bool record_more(GpuRecorder *r) {
    void *arguments[] = {&r->tape, &r->blocks.argument};
    size_t bytes = gpu_tape_record_words(&r->tape, r->turn) * sizeof(uint32_t);
    uint32_t *words = memory_alloc(bytes);
    if ((r->records.count + 1) * bytes > MAX_KEPT)
        forget_early_turns(r);
    r->tape.seed = hash_finish(hash_mix(r->seed, r->launches++));
    bool ok = gpu_launch(r->blocks.kernel, NULL, r->tape.blocks, r->blocks.program->threads,
                         arguments, &r->report) &&
              gpu_read(r->gpu, words, r->tape.records, bytes, &r->report);
    if (ok)
        vector_push(&r->records, words);
    else
        free(words);
    return ok;
}

static bool is_same_start(const GpuRecorder *r, const State *start) {
    return start ? r->has_start && state_equal(&r->start, start) : !r->has_start;
}

static bool begin_matches(GpuRecorder *r, const State *start) {
    size_t count = gpu_tape_state_words(&r->tape, r->turn);
    uint32_t *words = memory_alloc(count * sizeof *words);
    forget_records(r);
    r->has_forgotten = false;
    r->has_start = start != NULL;
    if (start)
        state_copy(&r->start, start);
    gpu_tape_set_start(&r->tape, r->turn, start, words);
    bool ok = gpu_write(r->gpu, r->tape.state, words, count * sizeof *words, &r->report);
    r->batch = 0;
    free(words);
    return ok;
}

static bool begin(void *context, const State *start) {
    GpuRecorder *r = context;
    r->turn_number = 0;
    if (r->records.count && !r->has_forgotten && is_same_start(r, start) &&
        r->batch + 1 < r->batches) {
        r->batch++;
        return true;
    }
    return begin_matches(r, start);
}

static bool read_turn(void *context, LaneMask *playing, Lanes *next, Lanes *moves) {
    GpuRecorder *r = context;
    uint32_t number = r->turn_number++;
    if (number / GPU_RECORDED_TURNS >= r->records.count && !record_more(r))
        return false;
    gpu_tape_read(&r->tape, r->turn, r->records.items[number / GPU_RECORDED_TURNS],
                  number % GPU_RECORDED_TURNS, r->batch, playing, next, moves);
    return true;
}

/* As many batches as the matches need, as long as their records fit into memory. */
static uint32_t choose_batches(const TurnNetworks *turn, uint64_t matches) {
    enum { TURNS = 128, MAX_BYTES = 1 << 28, MAX_BATCHES = 64 };
    size_t bytes = rows_of(turn) * sizeof(Lanes) * TURNS;
    uint64_t wanted = (matches + LANES - 1) / LANES, most = MAX_BYTES / bytes;
    most = most > MAX_BATCHES ? MAX_BATCHES : most;
    wanted = wanted > most ? most : wanted;
    return wanted ? (uint32_t)wanted : 1;
}

GpuRecorder *gpu_recorder_create(Gpu *gpu, const Game *game, uint64_t matches, uint64_t seed,
                                 Report *report) {
    assert(game_has_circuit(game));
    GpuRecorder *r = memory_zalloc(sizeof *r);
    r->gpu = gpu;
    r->seed = seed;
    r->matches = (MatchRecorder){r, begin, read_turn};
    r->turn = gpu_record_turn(game->circuit);
    r->batches = choose_batches(r->turn, matches);
    r->tape = (GpuTape){.blocks = r->batches * GPU_BLOCKS_PER_BATCH,
                        .turns = GPU_RECORDED_TURNS,
                        .moves = game->circuit->move_count};
    if (gpu_blocks_open(&r->blocks, gpu, r->turn, &(GpuBlockOptions){0}, "record", report)) {
        r->tape.state =
            gpu_alloc(gpu, gpu_tape_state_words(&r->tape, r->turn) * sizeof(uint32_t), report);
        r->tape.records =
            r->tape.state
                ? gpu_alloc(gpu, gpu_tape_record_words(&r->tape, r->turn) * sizeof(uint32_t),
                            report)
                : 0;
    }
    if (r->tape.records)
        return r;
    gpu_recorder_free(r);
    return NULL;
}

void gpu_recorder_free(GpuRecorder *r) {
    if (!r)
        return;
    forget_records(r);
    vector_free(&r->records);
    gpu_free(r->gpu, r->tape.state);
    gpu_free(r->gpu, r->tape.records);
    gpu_blocks_close(&r->blocks);
    turn_free(r->turn);
    state_free(&r->start);
    report_free(&r->report);
    free(r);
}

const MatchRecorder *gpu_recorder_matches(const GpuRecorder *r) {
    return &r->matches;
}

const Report *gpu_recorder_report(const GpuRecorder *r) {
    return &r->report;
}
