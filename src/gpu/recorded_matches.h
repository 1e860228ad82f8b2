/* Random matches on the device with every state and move written down, for those who watch play
 * (game/recorder.h). Some thousand matches advance together; what they did comes back some turns at
 * a time and is read by one batch of lanes after the other. */
#pragma once

#include "game/recorder.h"
#include "gpu/block.h"

enum { GPU_RECORDED_TURNS = 16 /* of a launch */ };

/* What one launch is to record; as in block.cu, with addresses on the device. */
typedef struct {
    uint64_t seed, state, records;
    uint32_t blocks, turns, moves;
} GpuTape;

/* Networks for a recorder: all fluents, in one phase, with the moves shown. */
Turn *gpu_record_turn(const Circuit *circuit);
/* Words of a tape's state and of its records. */
size_t gpu_tape_state_words(const GpuTape *tape, const Turn *turn);
size_t gpu_tape_record_words(const GpuTape *tape, const Turn *turn);
/* All lanes play, in this state (NULL: the initial one). */
void gpu_tape_set_start(const GpuTape *tape, const Turn *turn, const State *start,
                        uint32_t *state_words);
/* A turn of one batch of LANES matches, as MatchRecorder hands it over. */
void gpu_tape_read(const GpuTape *tape, const Turn *turn, const uint32_t *record_words,
                   uint32_t turn_number, uint32_t batch, LaneMask *playing, Lanes *next,
                   Lanes *moves);
/* Blocks that play the lanes of a batch. */
enum { GPU_BLOCKS_OF_BATCH = LANES / (GPU_UNITS * 32) };

typedef struct GpuRecorder GpuRecorder;

/* For a game with a circuit, to play about so many matches at a time. NULL with an error in the
 * report. The device and the game must outlive it. */
GpuRecorder *gpu_recorder_create(Gpu *gpu, const Game *game, uint64_t matches, uint64_t seed,
                                 Report *report);
void gpu_recorder_free(GpuRecorder *recorder);
/* Valid as long as the recorder. */
const MatchRecorder *gpu_recorder_matches(const GpuRecorder *recorder);
/* What went wrong while it played. */
const Report *gpu_recorder_report(const GpuRecorder *recorder);
