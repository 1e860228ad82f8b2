/* Tests environments on a device. Their kernel, compiled as C, does what the processor's
 * environments do: every output of every step is the same. */
#include "gpu/gpu_environments.h"

#include <criterion/criterion.h>

#include "base/random.h"
#include "device_in_c.h"

TestSuite(gpu_environments, .timeout = 600);

typedef void StepGroup(GpuStep step, uint32_t block);
typedef void CopyUnit(GpuCopy task, uint32_t unit);
typedef void DrawRow(GpuMaskDraw task, uint64_t row);

enum { MATCHES = 1300 }; /* of two groups, the second one not full */

/* One game played twice. */
typedef struct {
    Game *game;
    Environments *expected;
    GpuEnvironmentCode code;
    void *library;
    StepGroup *step;
    DrawRow *draw;
    GpuStep task;
    uint64_t illegal_moves;
    EnvironmentOutputs theirs, ours;
    uint32_t *moves;
    uint32_t cells[60];
} Pair;

static void *find(void *library, const char *name) {
    void *found = dlsym(library, name);
    cr_assert_not_null(found);
    return found;
}

static EnvironmentOutputs outputs_for(const EnvironmentShape *s) {
    size_t rows = (size_t)s->count * s->roles, views = (size_t)s->count * s->views;
    return (EnvironmentOutputs){.ends = memory_zalloc(s->count),
                                .rewards = memory_zalloc(rows * sizeof(int32_t) + 1),
                                .turns = memory_zalloc(s->count * sizeof(int32_t)),
                                .illegal = memory_zalloc(s->count),
                                .masks = memory_zalloc(rows * s->mask_words * sizeof(uint64_t) + 1),
                                .mask_bytes = memory_zalloc(rows * s->moves + 1),
                                .observations =
                                    memory_zalloc(views * s->fact_words * sizeof(uint64_t) + 1),
                                .observation_bytes = memory_zalloc(views * s->facts + 1),
                                .planes = memory_zalloc((size_t)s->count * s->plane_cells + 1)};
}

static void free_outputs(EnvironmentOutputs *o) {
    memory_free(o->ends, o->rewards, o->turns, o->illegal, o->masks, o->mask_bytes, o->observations,
                o->observation_bytes, o->planes);
}

static void point_to_outputs(GpuStep *task, const EnvironmentOutputs *o) {
    task->ends = address(o->ends);
    task->rewards = address(o->rewards);
    task->turns = address(o->turns);
    task->illegal = address(o->illegal);
    task->masks = address(o->masks);
    task->mask_bytes = address(o->mask_bytes);
    task->observations = address(o->observations);
    task->observation_bytes = address(o->observation_bytes);
    task->planes = address(o->planes);
}

/* Sixty cells: fluents, turns and blanks. */
static void set_planes(Pair *p) {
    uint32_t count = sizeof p->cells / sizeof *p->cells;
    for (uint32_t i = 0; i < count; i++)
        p->cells[i] = i % 7 == 3   ? PLANE_BLANK
                      : i % 7 == 5 ? PLANE_TURN | i % p->code.shape.roles
                                   : i % p->code.shape.facts;
    environments_set_planes(p->expected, p->cells, count);
    p->code.shape.plane_cells = p->task.plane_cells = count;
    p->task.cells = address(p->cells);
}

static void play_groups(Pair *p, const uint32_t *moves, const uint8_t *which) {
    p->task.moves = address(moves);
    p->task.which = address(which);
    for (uint32_t group = (p->task.count + GPU_GROUP - 1) / GPU_GROUP; group-- > 0;)
        p->step(p->task, group);
    p->task.round++;
}

static void pair_start(Pair *p, Game *game, const EnvironmentOptions *options, GpuNetworks networks,
                       size_t shared_bytes) {
    size_t groups = (options->count + GPU_GROUP - 1) / GPU_GROUP;
    size_t row = groups * 32 * sizeof(uint32_t);
    *p = (Pair){.game = game, .expected = environments_create(game, options)};
    gpu_environment_code_write(game, options->count, networks, shared_bytes, &p->code);
    p->library =
        device_library(gpu_source_environments, "networks.h", text_string(&p->code.networks));
    void *step = find(p->library, "step"), *draw = find(p->library, "draw");
    memcpy(&p->step, &step, sizeof step);
    memcpy(&p->draw, &draw, sizeof draw);
    p->task = (GpuStep){
        .states = address(memory_zalloc(row * game->circuit->fluent_count)),
        .legal = address(memory_zalloc(row * game->circuit->move_count)),
        .kept_ends = options->keeps_ended ? address(memory_zalloc(options->count)) : 0,
        .turns_played =
            options->step_limit ? address(memory_zalloc(options->count * sizeof(uint32_t))) : 0,
        .table = address(p->code.table.items),
        .gates = address(p->code.program.gates.items),
        .rounds = address(p->code.program.rounds.items),
        .segments = address(p->code.program.segments.items),
        .lists = address(p->code.program.lists.items),
        .illegal_moves = address(&p->illegal_moves),
        .seed = options->seed,
        .count = options->count,
        .step_limit = options->step_limit,
        .replaces_illegal = options->replaces_illegal};
    if (p->code.shape.views == 1)
        set_planes(p);
    p->theirs = outputs_for(environments_shape(p->expected));
    p->ours = outputs_for(&p->code.shape);
    point_to_outputs(&p->task, &p->ours);
    p->moves = memory_zalloc((size_t)options->count * (p->code.shape.roles + 1) * sizeof *p->moves);
    environments_reset(p->expected, NULL, &p->theirs);
    play_groups(p, NULL, NULL);
}

static void pair_end(Pair *p) {
    const uint64_t all[] = {p->task.states, p->task.legal, p->task.kept_ends, p->task.turns_played};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free((void *)(uintptr_t)all[i]);
    free_outputs(&p->theirs);
    free_outputs(&p->ours);
    free(p->moves);
    gpu_environment_code_free(&p->code);
    dlclose(p->library);
    environments_free(p->expected);
    game_free(p->game);
}

static void expect_equal_outputs(const Pair *p, uint32_t turn) {
    const EnvironmentShape *s = &p->code.shape;
    const EnvironmentOutputs *a = &p->ours, *b = &p->theirs;
    size_t rows = (size_t)s->count * s->roles, views = (size_t)s->count * s->views;
    cr_assert_eq(memcmp(a->ends, b->ends, s->count), 0, "ends, turn %u", turn);
    cr_assert_eq(memcmp(a->rewards, b->rewards, rows * sizeof *a->rewards), 0, "rewards %u", turn);
    cr_assert_eq(memcmp(a->turns, b->turns, s->count * sizeof *a->turns), 0, "turns %u", turn);
    cr_assert_eq(memcmp(a->illegal, b->illegal, s->count), 0, "illegal %u", turn);
    cr_assert_eq(memcmp(a->masks, b->masks, rows * s->mask_words * sizeof *a->masks), 0,
                 "masks, turn %u", turn);
    cr_assert_eq(memcmp(a->mask_bytes, b->mask_bytes, rows * s->moves), 0, "mask bytes %u", turn);
    cr_assert_eq(
        memcmp(a->observations, b->observations, views * s->fact_words * sizeof *a->observations),
        0, "observations, turn %u", turn);
    cr_assert_eq(memcmp(a->observation_bytes, b->observation_bytes, views * s->facts), 0,
                 "observation bytes, turn %u", turn);
    cr_assert_eq(memcmp(a->planes, b->planes, (size_t)s->count * s->plane_cells), 0, "planes %u",
                 turn);
}

/* Legal moves, but for one match in nine, and in some turns a reset of one match in five. */
static void agree_as(Game *game, const EnvironmentOptions *options, uint32_t turns,
                     GpuNetworks networks, size_t shared_bytes) {
    Pair p;
    Random random;
    random_seed(&random, 3);
    pair_start(&p, game, options, networks, shared_bytes);
    const EnvironmentShape *s = &p.code.shape;
    uint8_t *which = memory_zalloc(s->count);
    expect_equal_outputs(&p, 0);
    for (uint32_t turn = 1; turn <= turns; turn++) {
        masks_draw(p.theirs.masks, (size_t)s->count * s->roles, s->mask_words, &random, p.moves);
        for (size_t i = 0; i < s->count; i += 9)
            p.moves[i * s->roles + turn % s->roles] =
                turn % 2 ? MOVE_NONE : (uint32_t)random_below(&random, s->moves);
        environments_step(p.expected, p.moves, &p.theirs);
        play_groups(&p, p.moves, NULL);
        expect_equal_outputs(&p, turn);
        cr_assert_eq(p.illegal_moves, environments_illegal_moves(p.expected));
        if (turn % 6)
            continue;
        for (size_t i = 0; i < s->count; i++)
            which[i] = i % 5 == turn % 5;
        environments_reset(p.expected, which, &p.theirs);
        play_groups(&p, NULL, which);
        expect_equal_outputs(&p, turn);
    }
    free(which);
    pair_end(&p);
}

/* With networks as code, and rows in shared memory. */
static void agree(Game *game, const EnvironmentOptions *options, uint32_t turns) {
    agree_as(game, options, turns, GPU_NETWORKS_CODE, SIZE_MAX);
}

Test(gpu_environments, interpreted_networks) {
    agree_as(game_named("connect_four", NULL), &(EnvironmentOptions){.count = MATCHES}, 40,
             GPU_NETWORKS_PROGRAM, 0);
}

/* The rules have a loop: who is reached depends on who is reached. */
Test(gpu_environments, interpreted_loops) {
    static const char rules[] =
        "(role walker) (node a) (node b) (node c) (node d) (init (at a)) (init (step 1))"
        "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)"
        "(<= (legal walker (join ?x ?y)) (node ?x) (node ?y) (distinct ?x ?y))"
        "(<= (next (joined ?x ?y)) (does walker (join ?x ?y)))"
        "(<= (next (joined ?x ?y)) (true (joined ?x ?y)))"
        "(<= (next (at a)) (true (at a)))"
        "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
        "(<= (reached ?x) (true (at ?x)))"
        "(<= (reached ?y) (reached ?x) (true (joined ?x ?y)))"
        "(<= (next (seen ?x)) (reached ?x))"
        "(<= terminal (true (step 5)))"
        "(<= terminal (reached d))"
        "(<= (goal walker 100) (reached d))"
        "(<= (goal walker 0) (not (reached d)))";
    for (int kind = GPU_NETWORKS_CODE; kind <= GPU_NETWORKS_PROGRAM; kind++)
        agree_as(game_of_text(rules, NULL), &(EnvironmentOptions){.count = MATCHES}, 20,
                 (GpuNetworks)kind, 0);
}

Test(gpu_environments, a_board_game) {
    agree(game_named("connect_four", NULL), &(EnvironmentOptions){.count = MATCHES}, 40);
}

Test(gpu_environments, matches_that_have_ended_stay) {
    agree(game_named("tic_tac_toe", NULL),
          &(EnvironmentOptions){.count = MATCHES, .keeps_ended = true}, 20);
}

Test(gpu_environments, matches_are_given_up) {
    agree(game_named("eight_puzzle", NULL),
          &(EnvironmentOptions){.count = MATCHES, .step_limit = 7}, 20);
}

Test(gpu_environments, simultaneous_moves) {
    agree(game_named("rock_paper_scissors", NULL), &(EnvironmentOptions){.count = MATCHES}, 20);
}

Test(gpu_environments, views_of_what_is_hidden) {
    static const char rules[] = "(role x) (role y) (init (step 1)) (colour red) (colour blue)"
                                "(succ 1 2) (succ 2 3) (succ 3 4)"
                                "(<= (legal ?r (pick ?c)) (role ?r) (colour ?c))"
                                "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))"
                                "(<= (next (picked ?r ?c)) (does ?r (pick ?c)))"
                                "(<= (sees x (other ?c)) (does y (pick ?c)))"
                                "(<= (sees y hello) (does x (pick red)) (true (picked y blue)))"
                                "(<= terminal (true (step 4)))"
                                "(<= (goal x 100) (true (picked x ?c)) (true (picked y ?c)))"
                                "(<= (goal x 0) (true (picked x red)) (true (picked y blue)))"
                                "(<= (goal x 0) (true (picked x blue)) (true (picked y red)))"
                                "(<= (goal y 50) (role x))";
    agree(game_of_text(rules, NULL), &(EnvironmentOptions){.count = MATCHES}, 30);
}

/* As much memory as the matches of the pair have, in which they begin. */
static GpuStep other_matches(Pair *p) {
    GpuStep mine = p->task;
    size_t row = (mine.count + GPU_GROUP - 1) / GPU_GROUP * 32 * sizeof(uint32_t);
    p->task.states = address(memory_zalloc(row * p->game->circuit->fluent_count));
    p->task.legal = address(memory_zalloc(row * p->game->circuit->move_count));
    p->task.kept_ends = address(memory_zalloc(mine.count));
    p->task.turns_played = address(memory_zalloc(mine.count * sizeof(uint32_t)));
    play_groups(p, NULL, NULL);
    return mine;
}

static void copy_units(const Pair *p, const GpuStep *from, uint32_t first, uint32_t count,
                       const uint32_t *sources) {
    const GpuCopy task = {.sources = address(sources),
                          .from_states = from->states,
                          .from_legal = from->legal,
                          .from_ends = from->kept_ends,
                          .from_turns = from->turns_played,
                          .states = p->task.states,
                          .legal = p->task.legal,
                          .kept_ends = p->task.kept_ends,
                          .turns_played = p->task.turns_played,
                          .first = first,
                          .count = count,
                          .from_count = from->count};
    void *found = find(p->library, "copy");
    CopyUnit *copy;
    memcpy(&copy, &found, sizeof found);
    for (uint32_t unit = first / 32; unit <= (first + count - 1) / 32; unit++)
        copy(task, unit);
}

/* Plays some turns, copies matches of others into some of its own, and goes on; the matches of the
 * processor do the same. */
Test(gpu_environments, copied_matches_go_on) {
    enum { FIRST = 45, COUNT = 1200 };
    EnvironmentOptions options = {.count = MATCHES, .keeps_ended = true, .step_limit = 30};
    Pair p;
    Random random;
    uint32_t sources[COUNT];
    random_seed(&random, 6);
    pair_start(&p, game_named("connect_four", NULL), &options, GPU_NETWORKS_CODE, SIZE_MAX);
    const EnvironmentShape *s = &p.code.shape;
    GpuStep from = p.task;
    Environments *expected_from = p.expected;
    for (uint32_t turn = 0; turn < 40; turn++) {
        masks_draw(p.theirs.masks, (size_t)s->count * s->roles, s->mask_words, &random, p.moves);
        environments_step(p.expected, p.moves, &p.theirs);
        play_groups(&p, p.moves, NULL);
        expect_equal_outputs(&p, turn);
        if (turn != 14)
            continue;
        from = other_matches(&p);
        p.expected = environments_create(p.game, &options);
        environments_set_planes(p.expected, p.cells, s->plane_cells);
        for (uint32_t i = 0; i < COUNT; i++)
            sources[i] = i * 11 % MATCHES;
        environments_copy(p.expected, FIRST, COUNT, expected_from, sources, &p.theirs);
        sources[7] = MATCHES; /* is not there: the match stays as it is */
        copy_units(&p, &from, FIRST, COUNT, sources);
        uint8_t which[MATCHES] = {0};
        play_groups(&p, NULL, which);
        which[FIRST + 7] = 1;
        environments_reset(p.expected, which, &p.theirs);
        expect_equal_outputs(&p, turn);
    }
    const uint64_t all[] = {from.states, from.legal, from.kept_ends, from.turns_played};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free((void *)(uintptr_t)all[i]);
    environments_free(expected_from);
    pair_end(&p);
}

static void read_state(const Pair *p, uint32_t match, State *state) {
    const uint32_t *rows = (const uint32_t *)(uintptr_t)p->task.states;
    uint32_t fluents = p->game->circuit->fluent_count, place = match % GPU_GROUP;
    rows += (size_t)(match / GPU_GROUP) * fluents * 32;
    state_clear(state);
    for (uint32_t f = 0; f < fluents; f++)
        if (rows[f * 32 + place / 32] >> place % 32 & 1)
            state_set(state, f);
}

/* True if a move of `random` leads from one state to the other, where the players make the moves
 * `joint`, whose entry MOVE_NONE may be any legal move. */
static bool is_explained(const Pair *p, GameWork *work, const State *before, const State *after,
                         uint32_t *joint, uint32_t role) {
    if (role == p->game->role_count) {
        State next = {0};
        game_next(work, before, joint, &next);
        bool found = state_equal(&next, after);
        state_free(&next);
        return found;
    }
    if (joint[role] != MOVE_NONE)
        return is_explained(p, work, before, after, joint, role + 1);
    U32Vector legal = {0};
    bool found = false;
    game_legal(work, before, role, &legal);
    for (size_t i = 0; i < legal.count && !found; i++) {
        joint[role] = legal.items[i];
        found = is_explained(p, work, before, after, joint, role + 1);
    }
    joint[role] = MOVE_NONE;
    vector_free(&legal);
    return found;
}

/* Chance is played by the device, and illegal moves are replaced. */
Test(gpu_environments, chance_and_replaced_moves) {
    enum { COUNT = 200, TURNS = 12 };
    EnvironmentOptions options = {
        .count = COUNT, .keeps_ended = true, .replaces_illegal = true, .seed = 5};
    Pair p;
    Random random;
    State before[COUNT] = {{0}}, after = {0};
    random_seed(&random, 4);
    pair_start(&p, game_named("cant_stop", NULL), &options, GPU_NETWORKS_AUTO, SIZE_MAX);
    const EnvironmentShape *s = &p.code.shape;
    GameWork *work = game_work_create(p.game, REASONER_AUTO);
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        for (uint32_t i = 0; i < COUNT; i++)
            read_state(&p, i, &before[i]);
        masks_draw(p.ours.masks, (size_t)COUNT * s->roles, s->mask_words, &random, p.moves);
        for (size_t i = 0; i < COUNT; i += 3)
            p.moves[i * s->roles] = MOVE_NONE;
        play_groups(&p, p.moves, NULL);
        for (uint32_t i = 0; i < COUNT; i++) {
            if (game_is_terminal(work, &before[i]))
                continue;
            read_state(&p, i, &after);
            cr_assert_eq(p.ours.illegal[i], i % 3 == 0);
            cr_assert(is_explained(&p, work, &before[i], &after, p.moves + i * s->roles, 0),
                      "turn %u, match %u", turn, i);
        }
    }
    for (uint32_t i = 0; i < COUNT; i++)
        state_free(&before[i]);
    state_free(&after);
    game_work_free(work);
    pair_end(&p);
}

/* Draws are legal, and equally likely. */
Test(gpu_environments, draws_from_masks) {
    enum { ROWS = 6000, BITS = 70 };
    Pair p;
    pair_start(&p, game_named("tic_tac_toe", NULL), &(EnvironmentOptions){.count = 1},
               GPU_NETWORKS_AUTO, SIZE_MAX);
    static uint64_t masks[ROWS][2];
    static uint32_t moves[ROWS], counts[2 * 64 + 1];
    for (size_t i = 0; i < ROWS; i++) {
        masks[i][0] = i % 100 ? UINT64_C(0x8000000000000005) : 0;
        masks[i][1] = i % 100 ? UINT64_C(0x21) : 0;
    }
    GpuMaskDraw task = {
        .masks = address(masks), .moves = address(moves), .seed = 8, .count = ROWS, .words = 2};
    for (uint64_t row = 0; row < ROWS; row++) {
        p.draw(task, row);
        if (moves[row] == MOVE_NONE) {
            cr_assert_eq(row % 100, 0);
            continue;
        }
        cr_assert_lt(moves[row], BITS);
        cr_assert(masks[row][moves[row] / 64] >> moves[row] % 64 & 1);
        counts[moves[row]]++;
    }
    const uint32_t drawn[] = {0, 2, 63, 64, 69};
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        cr_assert_float_eq(counts[drawn[i]], 0.99 * ROWS / 5, 160);
    pair_end(&p);
}
