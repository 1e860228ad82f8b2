/* Environments on a GPU: as <marelle/environments.h>, but matches, moves and outputs are in the
 * memory of the device, and nothing is copied. For games with a circuit, on NVIDIA GPUs; the CUDA
 * driver and the compiler library NVRTC are looked for at run time. Included by
 * <marelle/marelle.h>. A whole program:
 *
 *     #include <marelle/marelle.h>
 *     #include <stdio.h>
 *
 *     enum { MATCHES = 4096, STEPS = 100 };
 *
 *     static MarelleStatus play(MarelleGame *game, MarelleProblem *problem) {
 *         MarelleGpuEnvironments *e = NULL;
 *         MarelleEnvironmentOptions options = {.count = MATCHES};
 *         MarelleStatus status = marelle_gpu_environments_create(game, &options, &e, problem);
 *         if (status != MARELLE_OK)
 *             return status;
 *         MarelleEnvironmentShape shape = marelle_gpu_environments_shape(e);
 *         size_t rows = (size_t)MATCHES * shape.roles;
 *         void *masks = marelle_gpu_alloc(e, rows * shape.mask_words * sizeof(uint64_t));
 *         void *moves = marelle_gpu_alloc(e, rows * sizeof(uint32_t));
 *         MarelleEnvironmentOutputs outputs = {.masks = masks};
 *         status = marelle_gpu_environments_reset(e, NULL, &outputs, NULL, problem);
 *         for (uint64_t step = 0; status == MARELLE_OK && step < STEPS; step++) {
 *             status = marelle_gpu_masks_draw(e, masks, rows, step, moves, NULL, problem);
 *             if (status == MARELLE_OK)
 *                 status = marelle_gpu_environments_step(e, moves, &outputs, NULL, problem);
 *         }
 *         if (status == MARELLE_OK)
 *             printf("%d steps of %d matches\n", STEPS, MATCHES);
 *         marelle_gpu_free(e, masks);
 *         marelle_gpu_free(e, moves);
 *         marelle_gpu_environments_free(e);
 *         return status;
 *     }
 *
 *     int main(int argc, char **argv) {
 *         MarelleRules *rules;
 *         MarelleGame *game = NULL;
 *         MarelleProblem problem = {0};
 *         MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
 *         if (status == MARELLE_OK)
 *             status = marelle_game_build(rules, NULL, &game);
 *         if (status == MARELLE_OK)
 *             status = play(game, &problem);
 *         if (status != MARELLE_OK)
 *             fprintf(stderr, "%s %s\n", marelle_status_text(status), problem.text);
 *         marelle_game_free(game);
 *         marelle_rules_free(rules);
 *         return status;
 *     }
 *
 * Only one thread at a time may use a MarelleGpuEnvironments; the game may be shared. */
#ifndef MARELLE_GPU_H
#define MARELLE_GPU_H

#include <marelle/environments.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MarelleGpuEnvironments MarelleGpuEnvironments;

/* All matches begin. The fields `threads` and `room` are not read. MARELLE_UNFIT if there is no GPU
 * or the game has no circuit, MARELLE_SPENT if the device has not enough memory or fails,
 * MARELLE_BAD_ARGUMENT if an option is out of range; *environments is then NULL. */
MARELLE_API MarelleStatus marelle_gpu_environments_create(MarelleGame *game,
                                                          const MarelleEnvironmentOptions *options,
                                                          MarelleGpuEnvironments **environments,
                                                          MarelleProblem *problem);
/* NULL is allowed. */
MARELLE_API void marelle_gpu_environments_free(MarelleGpuEnvironments *environments);
MARELLE_API MarelleEnvironmentShape
marelle_gpu_environments_shape(const MarelleGpuEnvironments *environments);

/* As for environments of the processor, with addresses of device memory everywhere: `which`,
 * `moves`, and the outputs. `stream` is a CUstream of the primary context, such as that of PyTorch,
 * or NULL for the default one. The calls return when the work is queued there. MARELLE_SPENT if the
 * device fails. */
MARELLE_API MarelleStatus marelle_gpu_environments_reset(MarelleGpuEnvironments *environments,
                                                         const uint8_t *which,
                                                         const MarelleEnvironmentOutputs *outputs,
                                                         void *stream, MarelleProblem *problem);
MARELLE_API MarelleStatus marelle_gpu_environments_step(MarelleGpuEnvironments *environments,
                                                        const uint32_t *moves,
                                                        const MarelleEnvironmentOutputs *outputs,
                                                        void *stream, MarelleProblem *problem);
/* As marelle_environments_copy, with `sources` on the device. A match stays as it is where its
 * source is not there. */
MARELLE_API MarelleStatus marelle_gpu_environments_copy(MarelleGpuEnvironments *environments,
                                                        uint32_t first, uint32_t count,
                                                        const MarelleGpuEnvironments *from,
                                                        const uint32_t *sources,
                                                        const MarelleEnvironmentOutputs *outputs,
                                                        void *stream, MarelleProblem *problem);
/* As marelle_masks_draw, on the device: masks of this game's `mask_words`. The same seed gives the
 * same draws. */
MARELLE_API MarelleStatus marelle_gpu_masks_draw(MarelleGpuEnvironments *environments,
                                                 const uint64_t *masks, size_t count, uint64_t seed,
                                                 uint32_t *moves, void *stream,
                                                 MarelleProblem *problem);

/* These wait for the default stream. */
MARELLE_API MarelleStatus marelle_gpu_environments_state(MarelleGpuEnvironments *environments,
                                                         uint32_t match, MarelleState *state,
                                                         MarelleProblem *problem);
/* Illegal moves since the creation. */
MARELLE_API MarelleStatus marelle_gpu_environments_illegal_moves(
    MarelleGpuEnvironments *environments, uint64_t *count, MarelleProblem *problem);

/* Device memory, filled with zeros; NULL if there is none left. Memory from elsewhere (CUDA,
 * PyTorch, JAX) is as good. */
MARELLE_API void *marelle_gpu_alloc(MarelleGpuEnvironments *environments, size_t bytes);
/* NULL is allowed. */
MARELLE_API void marelle_gpu_free(MarelleGpuEnvironments *environments, void *memory);
/* Copies from the device after all work of the default stream; and to the device. */
MARELLE_API MarelleStatus marelle_gpu_read(MarelleGpuEnvironments *environments, void *to,
                                           const void *device_memory, size_t bytes,
                                           MarelleProblem *problem);
MARELLE_API MarelleStatus marelle_gpu_write(MarelleGpuEnvironments *environments,
                                            void *device_memory, const void *from, size_t bytes,
                                            MarelleProblem *problem);

#ifdef __cplusplus
}
#endif

#endif
