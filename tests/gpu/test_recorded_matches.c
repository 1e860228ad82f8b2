/* Tests the kernel that records matches. Its C version plays the matches that an observer is shown.
 * The observer finds no error in them unless the records are changed. */
#include "gpu/recorded_matches.h"

#include "base/bitset.h"
#include "device_in_c.h"
#include "game/observer.h"

TestSuite(records, .timeout = 600);

enum { PLENTY = 1 << 20, BATCHES = 2 };

typedef void RecordBlock(GpuTape tape, GpuProgramArgument program, uint32_t block, void *memory);

typedef enum { HONEST, ILLEGAL_MOVE, WRONG_STATE, WRONG_END, FAILING } Fault;

/* A recorder without a device. */
typedef struct {
    Game *game;
    TurnNetworks *turn;
    GpuProgram *program;
    U32Vector gates;
    DeviceCode code;
    GpuTape tape;
    uint32_t *state, *records;
    void *memory, *arena;
    uint32_t batch, turn_number, launches;
    Fault fault;
} Twin;

static Twin twin_of(Game *game, size_t bytes, Fault fault) {
    Twin t = {.game = game, .turn = gpu_record_turn(game->circuit), .fault = fault};
    t.program = gpu_program_create(t.turn, 1, bytes);
    t.code = device_code(gpu_source_block, "places.h", gpu_program_places(t.program));
    gpu_program_pack(t.program, &t.gates);
    t.tape = (GpuTape){.blocks = BATCHES * GPU_BLOCKS_PER_BATCH,
                       .turns = GPU_RECORDED_TURNS,
                       .moves = game->circuit->move_count};
    t.state = memory_zalloc(gpu_tape_state_words(&t.tape, t.turn) * sizeof *t.state);
    t.records = memory_zalloc(gpu_tape_record_words(&t.tape, t.turn) * sizeof *t.records);
    t.tape.state = address(t.state);
    t.tape.records = address(t.records);
    t.memory = memory_alloc(gpu_program_shared_bytes(t.program, game->circuit->goals.count));
    t.arena = memory_alloc(gpu_program_arena_bytes(t.program) + 1);
    t.batch = BATCHES;
    return t;
}

static void twin_free(Twin *t) {
    dlclose(t->code.library);
    free(t->arena);
    free(t->memory);
    free(t->records);
    free(t->state);
    vector_free(&t->gates);
    gpu_program_free(t->program);
    turn_free(t->turn);
    game_free(t->game);
}

/* Records one batch at a time, so that a tape has the turns of one launch only. */
static bool twin_begin(void *context, const State *start) {
    Twin *t = context;
    t->turn_number = 0;
    t->batch = (t->batch + 1) % BATCHES;
    gpu_tape_set_start(&t->tape, t->turn, start, t->state);
    return true;
}

static void twin_record(Twin *t) {
    RecordBlock *record;
    memcpy(&record, &t->code.record, sizeof record);
    t->tape.seed = 11 + t->launches++;
    for (uint32_t b = 0; b < t->tape.blocks; b++)
        record(t->tape, argument(t->turn, t->program, &t->gates, t->arena), b, t->memory);
}

static bool twin_turn(void *context, LaneMask *playing, Lanes *next, Lanes *moves) {
    Twin *t = context;
    uint32_t number = t->turn_number++;
    if (number % GPU_RECORDED_TURNS == 0)
        twin_record(t);
    gpu_tape_read(&t->tape, t->turn, t->records, number % GPU_RECORDED_TURNS, t->batch, playing,
                  next, moves);
    if (number == 2 && t->fault == ILLEGAL_MOVE)
        for (uint32_t m = 0; m < t->tape.moves; m++)
            moves[m] = ~moves[m];
    if (number == 2 && t->fault == WRONG_STATE)
        next[0] = ~next[0];
    if (number == 2 && t->fault == WRONG_END)
        playing->words[0] ^= 1;
    return !(number == 2 && t->fault == FAILING);
}

typedef struct {
    Game *game;
    GameWork *work;
    uint64_t turns;
} Watch;

static void read_lane(const Game *game, const Lanes *rows, size_t lane, State *state) {
    *state = (State){0};
    for (uint32_t f = 0; f < game->circuit->fluent_count; f++)
        if (bitset_get((const uint64_t *)&rows[f], lane))
            state_set(state, f);
}

/* Compares one lane of each turn with the reasoner for single states. */
static void watch(void *context, Observer *observer, const ObservedTurn *turn) {
    Watch *w = context;
    Game *game = w->game;
    State state, shown, next = {0};
    uint32_t joint[8];
    (void)observer;
    size_t lane = bitset_next(turn->playing.words, LANE_WORDS, w->turns++ % LANES);
    if (lane == BITSET_END)
        return;
    read_lane(game, turn->state, lane, &state);
    read_lane(game, turn->next, lane, &shown);
    cr_assert(!game_is_terminal(w->work, &state));
    for (uint32_t r = 0; r < game->role_count; r++)
        joint[r] = turn->moves[lane * game->role_count + r] - game->circuit->first_move[r];
    game_next(w->work, &state, joint, &next);
    cr_assert(state_equal(&next, &shown));
    state_free(&state);
    state_free(&shown);
    state_free(&next);
}

static void observe(Twin t, uint32_t matches, uint32_t step_limit) {
    MatchRecorder recorder = {&t, twin_begin, twin_turn};
    Observer *observer = observer_create(t.game, 5);
    Watch w = {.game = t.game, .work = game_work_create(t.game, REASONER_SCALAR)};
    Visitor visitor = {watch, &w};
    ObservedCounts counts = {0};
    observer_use_recorder(observer, &recorder);
    for (int i = 0; i < 3; i++)
        observer_play(observer, NULL, matches, step_limit, deadline_never(), &visitor, &counts);
    cr_expect_eq(counts.playouts + counts.unfinished, 3 * matches);
    cr_expect_eq(observer_trusts_recorder(observer), t.fault == HONEST);
    cr_expect_gt(w.turns, 0);
    game_work_free(w.work);
    observer_free(observer);
    twin_free(&t);
}

Test(records, are_matches_of_the_game) {
    observe(twin_of(game_named("tic_tac_toe", NULL), PLENTY, HONEST), LANES, 0);
    observe(twin_of(game_named("connect_four", NULL), PLENTY, HONEST), 300, 0);
    observe(twin_of(game_named("breakthrough", NULL), PLENTY, HONEST), LANES, 40);
}

/* These games have chance, loops, simultaneous moves, matches that never end, and states without
 * legal moves. */
Test(records, are_matches_of_games_of_all_kinds) {
    observe(twin_of(game_named("kuhn_poker", NULL), PLENTY, HONEST), LANES, 0);
    observe(twin_of(game_named("hex", NULL), PLENTY, HONEST), LANES, 20);
    observe(twin_of(game_of_text(coins_text, NULL), PLENTY, HONEST), LANES, 0);
    observe(twin_of(game_of_text(endless_text, NULL), PLENTY, HONEST), LANES, 40);
    observe(twin_of(game_of_text(stuck_text, NULL), PLENTY, HONEST), LANES, 5);
}

Test(records, may_be_spilled) {
    observe(twin_of(game_named("connect_four", NULL), 2048, HONEST), LANES, 0);
}

Test(records, are_checked) {
    for (Fault fault = ILLEGAL_MOVE; fault <= FAILING; fault++)
        observe(twin_of(game_named("tic_tac_toe", NULL), PLENTY, fault), LANES, 0);
}
