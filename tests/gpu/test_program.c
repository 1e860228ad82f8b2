/* Tests the kernel for large games, which evaluates gates in rounds, each value in its slot. Its C
 * version, a block of one thread, plays the same matches as the reference. */
#include "gpu/program.h"

#include "device_in_c.h"

TestSuite(program, .timeout = 600);

typedef void PlayBlock(GpuPlay play, GpuProgramArgument program, uint32_t block, void *memory);

enum { PLENTY = 1 << 20 /* bytes of shared memory */ };

/* Compares a program that may use `bytes` of shared memory with the reference. */
static void agrees_within(Game *game, size_t bytes, uint32_t each, bool is_refilled,
                          uint32_t step_limit) {
    const TurnNetworks *turn = game_turn_networks(game);
    size_t rows = gpu_counters(turn);
    GpuProgram *program = gpu_program_create(turn, 1, bytes);
    cr_assert_eq(gpu_program_is_spilled(program), bytes < PLENTY);
    DeviceCode code = device_code(gpu_source_block, "places.h", gpu_program_places(program));
    U32Vector gates = {0};
    gpu_program_pack(program, &gates);
    PlayBlock *play_block;
    memcpy(&play_block, &code.play, sizeof play_block);
    uint32_t *starts = initial_starts(turn, GPU_UNITS), phase = 0;
    uint32_t *results = memory_zalloc(2 * GPU_UNITS * rows * sizeof *results);
    uint32_t *expected = results + GPU_UNITS * rows;
    uint64_t *totals = memory_zalloc(rows * sizeof *totals);
    void *memory = memory_alloc(gpu_program_shared_bytes(program, turn->circuit->goals.count));
    void *arena = memory_alloc(gpu_program_arena_bytes(program) + 1);
    GpuPlay play = {.seed = 29,
                    .starts = is_refilled ? 0 : address(starts),
                    .results = address(results),
                    .totals = address(totals),
                    .phases = address(&phase),
                    .units = GPU_UNITS,
                    .stride = GPU_UNITS,
                    .each = each,
                    .step_limit = step_limit};
    GpuReference reference = {.seed = 29,
                              .threads = 1,
                              .unit_count = GPU_UNITS,
                              .each = each,
                              .is_refilled = is_refilled,
                              .step_limit = step_limit};
    play_block(play, argument(turn, program, &gates, arena), 0, memory);
    gpu_reference_play(turn, &reference, expected);
    for (size_t r = 0; r < rows; r++) {
        uint64_t sum = 0;
        for (uint32_t u = 0; u < GPU_UNITS; u++) {
            sum += expected[u * rows + r];
            if (!is_refilled)
                cr_assert_eq(results[r * GPU_UNITS + u], expected[u * rows + r],
                             "unit %u, counter %zu", u, r);
        }
        if (is_refilled)
            cr_assert_eq(totals[r], sum, "counter %zu", r);
    }
    free(arena);
    free(memory);
    vector_free(&gates);
    free(totals);
    free(results);
    free(starts);
    dlclose(code.library);
    gpu_program_free(program);
    game_free(game);
}

static void agrees(Game *game, uint32_t each, bool is_refilled, uint32_t step_limit) {
    agrees_within(game, PLENTY, each, is_refilled, step_limit);
}

Test(program, plays_what_the_reference_plays) {
    agrees(game_named("tic_tac_toe", NULL), 32, false, 100);
    agrees(game_named("tic_tac_toe", NULL), 500, true, 100);
    agrees(game_named("connect_four", NULL), 100, true, 1000);
    agrees(game_named("connect_four", NULL), 100, true, 9);
    agrees(game_named("tic_tac_toe", NULL), 100, true, 7);
}

/* Hex has loops, Kuhn poker has chance, and checkers has one phase. */
Test(program, plays_games_of_all_kinds) {
    agrees(game_named("hex", NULL), 32, false, 1000);
    agrees(game_named("kuhn_poker", NULL), 200, true, 1000);
    agrees(game_named("checkers", NULL), 32, false, 30);
    agrees(game_named("breakthrough", NULL), 40, true, 1000);
}

Test(program, plays_ill_formed_games) {
    agrees(game_of_text(coins_text, NULL), 77, true, 100);
    agrees(game_of_text(endless_text, NULL), 32, false, 5);
    agrees(game_of_text(endless_text, NULL), 100, true, 3);
    agrees(game_of_text(stuck_text, NULL), 32, false, 5);
    agrees(game_of_text(over_text, NULL), 32, false, 5);
    agrees(game_of_text(goals_text, NULL), 32, false, 5);
}

/* The programs have hardly any shared memory, or a part of what they need. */
Test(program, plays_with_spilled_values) {
    agrees_within(game_named("tic_tac_toe", NULL), 1112, 500, true, 100);
    agrees_within(game_named("connect_four", NULL), 1536, 100, true, 1000);
    agrees_within(game_named("hex", NULL), 4608, 32, false, 1000);
    agrees_within(game_named("kuhn_poker", NULL), 1012, 200, true, 1000);
    agrees_within(game_named("checkers", NULL), 10512, 32, false, 30);
    agrees_within(game_of_text(coins_text, NULL), 812, 77, true, 100);
}

/* Threads of a block run at the same time: no gate of a round may write what another one reads. */
static void has_no_races(const char *name, uint32_t threads, size_t bytes) {
    Game *game = game_named(name, NULL);
    const TurnNetworks *turn = game_turn_networks(game);
    GpuProgram *program = gpu_program_create(turn, threads, bytes);
    uint8_t *read = memory_zalloc(program->slots), *written = memory_zalloc(program->slots);
    uint8_t *is_fluent = memory_zalloc(program->slots);
    for (size_t i = 0; i < turn->kept.count; i++)
        is_fluent[program->lists.items[program->fluents + i]] = 1;
    for (size_t round = 0; round < program->gates.count / threads; round++) {
        memset(read, 0, program->slots);
        memset(written, 0, program->slots);
        for (uint32_t t = 0; t < threads; t++) {
            const GpuGate *g = &program->gates.items[round * threads + t];
            if (!g->result) /* the constant false */
                continue;
            for (int i = 0; i < 3; i++)
                read[g->operands[i]] = 1;
            cr_assert(!is_fluent[g->result], "fluents are not overwritten");
            cr_assert(!written[g->result]++);
        }
        for (uint32_t slot = 0; slot < program->slots; slot++)
            cr_assert(!read[slot] || !written[slot]);
    }
    free(is_fluent);
    free(read);
    free(written);
    gpu_program_free(program);
    game_free(game);
}

Test(program, has_no_races_between_threads) {
    has_no_races("tic_tac_toe", 32, PLENTY);
    has_no_races("hex", 64, PLENTY);
    has_no_races("breakthrough", 256, PLENTY);
    has_no_races("reversi", 1024, PLENTY);
    has_no_races("reversi", 1024, 8192);
}

Test(program, chooses_threads_that_fit) {
    Game *game = game_named("reversi", NULL);
    GpuProgram *program = gpu_program_choose(game_turn_networks(game), 228 << 10, 227 << 10);
    cr_assert_not_null(program);
    cr_expect(program->threads >= 32 && program->threads <= 1024);
    cr_expect(!gpu_program_is_spilled(program));
    gpu_program_free(program);
    program = gpu_program_choose(game_turn_networks(game), 8 << 10, 8 << 10);
    cr_assert_not_null(program);
    cr_expect(gpu_program_is_spilled(program));
    cr_expect_leq(gpu_program_shared_bytes(program, game->circuit->goals.count), 8 << 10);
    gpu_program_free(program);
    cr_expect_null(gpu_program_choose(game_turn_networks(game), 100, 100));
    game_free(game);
}
