/* Tests the kernel for small games. Its C version plays the same matches as the reference, and
 * these are random matches like those of the sliced reasoner. */
#include "device_in_c.h"

#include <math.h>

TestSuite(source, .timeout = 600);

typedef void PlayThread(GpuPlay play, uint32_t unit);

typedef struct {
    Game *game;
    const TurnNetworks *turn;
    DeviceCode code;
    PlayThread *play;
} Twin;

static Twin twin_of(Game *game) {
    Twin twin = {.game = game, .turn = game_turn_networks(game)};
    Text networks = {0};
    gpu_source_write(twin.turn, &networks);
    twin.code = device_code(gpu_source_thread, "networks.h", text_string(&networks));
    memcpy(&twin.play, &twin.code.play, sizeof twin.play);
    vector_free(&networks);
    return twin;
}

static void twin_free(Twin *twin) {
    dlclose(twin->code.library);
    game_free(twin->game);
}

/* Compares matches from given states, unit by unit, without refilling. */
static void agrees_from_starts(Game *game, uint32_t step_limit) {
    enum { UNITS = 3 };
    Twin twin = twin_of(game);
    size_t rows = gpu_counters(twin.turn);
    uint32_t *starts = initial_starts(twin.turn, UNITS), phase = 0;
    uint32_t *results = memory_zalloc(2 * UNITS * rows * sizeof *results);
    uint32_t *expected = results + UNITS * rows;
    GpuPlay play = {.seed = 11,
                    .starts = address(starts),
                    .results = address(results),
                    .phases = address(&phase),
                    .units = UNITS,
                    .stride = UNITS,
                    .each = 32,
                    .step_limit = step_limit};
    GpuReference reference = {
        .seed = 11, .unit_count = UNITS, .each = 32, .step_limit = step_limit};
    for (uint32_t u = 0; u < UNITS; u++)
        twin.play(play, u);
    gpu_reference_play(twin.turn, &reference, expected);
    uint64_t matches = 0;
    for (uint32_t u = 0; u < UNITS; u++)
        for (size_t r = 0; r < rows; r++) {
            cr_assert_eq(results[r * UNITS + u], expected[u * rows + r], "unit %u, counter %zu", u,
                         r);
            if (r == GPU_PLAYOUTS || r == GPU_STUCK || r == GPU_TOO_LONG)
                matches += results[r * UNITS + u];
        }
    cr_expect_eq(matches, UNITS * 32);
    free(starts);
    free(results);
    twin_free(&twin);
}

/* Compares the sums of matches from the initial state, with refilling. */
static void agrees_in_sums(Game *game, uint32_t each) {
    enum { UNITS = 2 };
    Twin twin = twin_of(game);
    size_t rows = gpu_counters(twin.turn);
    uint64_t *totals = memory_zalloc(rows * sizeof *totals);
    uint32_t *expected = memory_zalloc(UNITS * rows * sizeof *expected);
    GpuPlay play = {.seed = 5,
                    .totals = address(totals),
                    .units = UNITS,
                    .stride = UNITS,
                    .each = each,
                    .step_limit = 1000};
    GpuReference reference = {
        .seed = 5, .unit_count = UNITS, .each = each, .is_refilled = true, .step_limit = 1000};
    for (uint32_t u = 0; u < UNITS; u++)
        twin.play(play, u);
    gpu_reference_play(twin.turn, &reference, expected);
    for (size_t r = 0; r < rows; r++)
        cr_assert_eq(totals[r], (uint64_t)expected[r] + expected[rows + r], "counter %zu", r);
    cr_expect_eq(totals[GPU_PLAYOUTS] + totals[GPU_STUCK] + totals[GPU_TOO_LONG], UNITS * each);
    free(totals);
    free(expected);
    twin_free(&twin);
}

Test(source, plays_what_the_reference_plays) {
    agrees_from_starts(game_named("tic_tac_toe", NULL), 100);
    agrees_in_sums(game_named("tic_tac_toe", NULL), 1003);
    agrees_in_sums(game_named("connect_four", NULL), 100);
}

/* Hex has loops, Kuhn poker has chance, and checkers has one phase. */
Test(source, plays_games_of_all_kinds) {
    agrees_from_starts(game_named("hex", NULL), 1000);
    agrees_in_sums(game_named("kuhn_poker", NULL), 500);
    agrees_from_starts(game_named("checkers", NULL), 30);
    agrees_in_sums(game_named("eight_puzzle", NULL), 64);
}

Test(source, plays_ill_formed_games) {
    agrees_in_sums(game_of_text(coins_text, NULL), 77);
    agrees_from_starts(game_of_text(endless_text, NULL), 5);
    agrees_from_starts(game_of_text(stuck_text, NULL), 5);
    agrees_from_starts(game_of_text(over_text, NULL), 5);
    agrees_from_starts(game_of_text(goals_text, NULL), 5);
}

/* Compares with the exact probabilities of random Tictactoe. */
Test(source, plays_at_random) {
    enum { UNITS = 40, EACH = 1000 };
    Game *game = game_named("tic_tac_toe", NULL);
    const TurnNetworks *turn = game_turn_networks(game);
    size_t rows = gpu_counters(turn);
    uint32_t *counters = memory_zalloc(UNITS * rows * sizeof *counters);
    GpuReference reference = {
        .seed = 3, .unit_count = UNITS, .each = EACH, .is_refilled = true, .step_limit = 100};
    double n = UNITS * EACH, moves = 0, ends = 0;
    gpu_reference_play(turn, &reference, counters);
    for (uint32_t u = 0; u < UNITS; u++) {
        moves += counters[u * rows + GPU_TURNS];
        ends += counters[u * rows + GPU_PLAYOUTS];
    }
    cr_expect_eq(ends, n);
    /* The length of a match has mean 3203/420 and variance 1.72. */
    cr_expect(fabs(moves / n - 3203 / 420.0) <= 4 * sqrt(1.72 / n));
    free(counters);
    game_free(game);
}
