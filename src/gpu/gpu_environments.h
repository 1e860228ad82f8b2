/* Environments (game/environments.h) whose matches live on a GPU: moves, masks, observations and
 * all other buffers of the caller are in the memory of the device, and nothing is copied. Only for
 * games with a circuit that is small enough for a kernel of its own. */
#pragma once

#include "game/environments.h"
#include "gpu/device.h"
#include "gpu/environment_program.h"

/* These have the layout of Step, Copy and Draw in environments.cu, with addresses on the device. */

typedef struct {
    uint64_t moves, which, states, legal, kept_ends, turns_played, table, illegal_moves;
    uint64_t ends, rewards, turns, illegal, masks, mask_bytes, observations, observation_bytes;
    uint64_t planes, cells, gates, rounds, segments, lists, arenas, seed, round;
    uint32_t count, step_limit, replaces_illegal, plane_cells;
} GpuStep;

typedef struct {
    uint64_t sources, from_states, from_legal, from_ends, from_turns, states, legal, kept_ends;
    uint64_t turns_played;
    uint32_t first, count, from_count;
} GpuCopy;

typedef struct {
    uint64_t masks, moves, seed, count;
    uint32_t words;
} GpuMaskDraw;

enum { GPU_GROUP = 1024 /* matches of a block of threads */ };

/* What a device has to know of a game. */
typedef struct {
    EnvironmentShape shape;
    Text networks;              /* the text of networks.h, which environments.cu includes */
    U32Vector table;            /* facts about the game, as environments.cu lists them */
    EnvironmentProgram program; /* empty if the networks are code */
    bool is_shared;             /* the rows of a block are in its shared memory */
    size_t rows;                /* rows of a block */
} GpuEnvironmentCode;

typedef enum { GPU_NETWORKS_AUTO, GPU_NETWORKS_CODE, GPU_NETWORKS_PROGRAM } GpuNetworks;

/* The game has a circuit. Rows are in shared memory if that many bytes are enough. Free it with
 * gpu_environment_code_free. */
void gpu_environment_code_write(Game *game, uint32_t count, GpuNetworks networks,
                                size_t shared_bytes, GpuEnvironmentCode *code);
void gpu_environment_code_free(GpuEnvironmentCode *code);
/* Bytes of the rows of a block. */
size_t gpu_environment_block_bytes(const GpuEnvironmentCode *code);

typedef struct GpuEnvironments GpuEnvironments;

/* Only threads and room are not read. All matches begin. NULL with an error in the report if the
 * game has no circuit, or the device fails or has not enough memory. The device must outlive it. */
GpuEnvironments *gpu_environments_create(Gpu *gpu, Game *game, const EnvironmentOptions *options,
                                         Report *report);
void gpu_environments_free(GpuEnvironments *e);
const EnvironmentShape *gpu_environments_shape(const GpuEnvironments *e);
/* As environments_set_planes. */
bool gpu_environments_set_planes(GpuEnvironments *e, const uint32_t *cells, uint32_t count,
                                 Report *report);

/* All addresses are on the device. These return when the work is queued in the stream (NULL: the
 * default one); false with an error in the report if that fails. */
bool gpu_environments_reset(GpuEnvironments *e, const uint8_t *which,
                            const EnvironmentOutputs *outputs, GpuStream *stream, Report *report);
bool gpu_environments_step(GpuEnvironments *e, const uint32_t *moves,
                           const EnvironmentOutputs *outputs, GpuStream *stream, Report *report);
/* As environments_can_copy and environments_copy. A match stays as it is where its source is not
 * there. */
bool gpu_environments_can_copy(const GpuEnvironments *to, const GpuEnvironments *from);
bool gpu_environments_copy(GpuEnvironments *to, uint32_t first, uint32_t count,
                           const GpuEnvironments *from, const uint32_t *sources,
                           const EnvironmentOutputs *outputs, GpuStream *stream, Report *report);
/* Draws one bit of each mask, all equally likely, as masks_draw. */
bool gpu_environments_draw(GpuEnvironments *e, const uint64_t *masks, uint64_t count, uint64_t seed,
                           uint32_t *moves, GpuStream *stream, Report *report);

/* These wait for the default stream. */
bool gpu_environments_state(GpuEnvironments *e, uint32_t match, State *state, Report *report);
bool gpu_environments_illegal_moves(GpuEnvironments *e, uint64_t *count, Report *report);
