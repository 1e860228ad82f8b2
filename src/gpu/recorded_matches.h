/* Random matches on the device with a record of every state and move: a MatchRecorder
 * (game/recorder.h). Some thousand matches advance together. Their records are copied back after
 * some turns and read by one batch of lanes after the other. */
#pragma once

#include "game/recorder.h"
#include "gpu/block.h"

enum { GPU_RECORDED_TURNS = 16 /* turns of a launch (untuned) */ };

/* The task of one launch. Has the layout of Tape in block.cu, with addresses on the device. */
typedef struct {
    uint64_t seed, state, records;
    uint32_t blocks, turns, moves;
} GpuTape;

/* Networks for a recorder: all fluents, in one phase, with the moves shown. */
TurnNetworks *gpu_record_turn(const Circuit *circuit);
/* The number of words of a tape's state and of its records. */
size_t gpu_tape_state_words(const GpuTape *tape, const TurnNetworks *turn);
size_t gpu_tape_record_words(const GpuTape *tape, const TurnNetworks *turn);
/* Writes the state of all lanes at the start (NULL: the initial state). */
void gpu_tape_set_start(const GpuTape *tape, const TurnNetworks *turn, const State *start,
                        uint32_t *state_words);
/* Reads a turn of one batch of LANES matches, as MatchRecorder.turn delivers it. */
void gpu_tape_read(const GpuTape *tape, const TurnNetworks *turn, const uint32_t *record_words,
                   uint32_t turn_number, uint32_t batch, LaneMask *playing, Lanes *next,
                   Lanes *moves);
/* The number of blocks that play the lanes of a batch. */
enum { GPU_BLOCKS_PER_BATCH = LANES / (GPU_UNITS * 32) };

typedef struct GpuRecorder GpuRecorder;

/* A recorder for a game with a circuit that plays about so many matches at a time. NULL with an
 * error in the report. The device and the game must outlive it. */
GpuRecorder *gpu_recorder_create(Gpu *gpu, const Game *game, uint64_t matches, uint64_t seed,
                                 Report *report);
void gpu_recorder_free(GpuRecorder *recorder);
/* Valid until the recorder is freed. */
const MatchRecorder *gpu_recorder_matches(const GpuRecorder *recorder);
/* Errors during play. */
const Report *gpu_recorder_report(const GpuRecorder *recorder);
