/* Plays random matches and compares the answers of all reasoners in every state: interpreter,
 * scalar, incremental, the lanes of a batch, and sliced random play. There all kernels of the
 * machine get the same random bits and must give the same outputs, bit for bit, and each lane must
 * have moved to a successor by some legal joint move.
 *
 * compare_reasoners [--seed N] [--matches N] [--steps N] GAME... prints each difference, then the
 * number of comparisons, and exits with 1 if there was a difference. Without arguments it lists the
 * kernels, with what this machine lacks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "game/game.h"
#include "game/lanes.h"
#include "game/sliced.h"

enum { JOINT_MOVES_MOST = 2000, CHECKED_LANES = 24 };

typedef struct {
    const char *path;
    Game *game;
    GameWork *interpreter, *scalar, *incremental;
    LaneBatch *batch;
    uint32_t batched; /* lanes filled since the last evaluation */
    Random random;
    uint32_t *joint, *interpreted_joint;
    U32Vector legal, other;
    Text text, other_text;
    bool failed;
    uint64_t states, lanes; /* numbers of comparisons */
} Comparison;

static void complain(Comparison *c, const char *what, const State *state) {
    Text text = {0};
    if (state)
        game_state_text(c->scalar, state, &text);
    printf("%s: %s\n    in %s\n", c->path, what, text_string(&text));
    vector_free(&text);
    c->failed = true;
}

static void complain_texts(Comparison *c, const char *what, const State *state) {
    Text message = {0};
    text_printf(&message, "%s differ:\n    interpreter %s\n    scalar      %s", what,
                text_string(&c->other_text), text_string(&c->text));
    complain(c, text_string(&message), state);
    vector_free(&message);
}

static int compare_strings(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void write_moves(const GameWork *work, uint32_t role, const U32Vector *moves, Text *out) {
    char **texts = memory_alloc((moves->count + 1) * sizeof *texts);
    for (size_t i = 0; i < moves->count; i++) {
        Text text = {0};
        game_move_text(work, role, moves->items[i], &text);
        texts[i] = text.items;
    }
    qsort(texts, moves->count, sizeof *texts, compare_strings);
    text_clear(out);
    for (size_t i = 0; i < moves->count; i++) {
        text_printf(out, " %s", texts[i]);
        free(texts[i]);
    }
    free(texts);
}

static bool same_texts(const Comparison *c) {
    return strcmp(text_string(&c->text), text_string(&c->other_text)) == 0;
}

static bool same_numbers(const U32Vector *a, const U32Vector *b) {
    return a->count == b->count &&
           (!a->count || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

static void compare_state_texts(Comparison *c, const State *state, const State *interpreted) {
    text_clear(&c->text);
    text_clear(&c->other_text);
    game_state_text(c->scalar, state, &c->text);
    game_state_text(c->interpreter, interpreted, &c->other_text);
    if (!same_texts(c))
        complain_texts(c, "states", state);
}

static void compare_answers(Comparison *c, const State *state, const State *interpreted) {
    bool terminal = game_is_terminal(c->scalar, state);
    c->states++;
    if (terminal != game_is_terminal(c->interpreter, interpreted))
        complain(c, "terminal differs between interpreter and scalar", state);
    if (terminal != game_is_terminal(c->incremental, state))
        complain(c, "terminal differs between incremental and scalar", state);
    for (uint32_t r = 0; r < c->game->role_count; r++) {
        int goal = game_goal(c->scalar, state, r);
        if (goal != game_goal(c->interpreter, interpreted, r))
            complain(c, "a goal differs between interpreter and scalar", state);
        if (goal != game_goal(c->incremental, state, r))
            complain(c, "a goal differs between incremental and scalar", state);
        game_legal(c->scalar, state, r, &c->legal);
        write_moves(c->scalar, r, &c->legal, &c->text);
        game_legal(c->incremental, state, r, &c->other);
        if (!same_numbers(&c->legal, &c->other))
            complain(c, "legal moves differ between incremental and scalar", state);
        game_legal(c->interpreter, interpreted, r, &c->other);
        write_moves(c->interpreter, r, &c->other, &c->other_text);
        if (!same_texts(c))
            complain_texts(c, "legal moves", state);
    }
}

/* Chooses a random joint move. False if some role has no legal move. */
static bool choose_moves(Comparison *c, const State *state) {
    for (uint32_t r = 0; r < c->game->role_count; r++) {
        game_legal(c->scalar, state, r, &c->legal);
        if (!c->legal.count)
            return false;
        c->joint[r] = c->legal.items[random_below(&c->random, c->legal.count)];
        text_clear(&c->text);
        game_move_text(c->scalar, r, c->joint[r], &c->text);
        c->interpreted_joint[r] = game_find_move(c->interpreter, r, c->text.items, c->text.count);
        if (c->interpreted_joint[r] == MOVE_NONE) {
            complain(c, "the interpreter does not know a legal move", state);
            return false;
        }
    }
    return true;
}

static void compare_percepts(Comparison *c, const State *state, const State *interpreted) {
    for (uint32_t r = 0; r < c->game->role_count; r++) {
        text_clear(&c->text);
        text_clear(&c->other_text);
        game_sees(c->scalar, state, c->joint, r, &c->text);
        game_sees(c->interpreter, interpreted, c->interpreted_joint, r, &c->other_text);
        if (!same_texts(c))
            complain_texts(c, "percepts", state);
    }
}

static void check_batch(Comparison *c) {
    lane_batch_evaluate(c->batch);
    for (uint32_t lane = 0; lane < c->batched; lane++)
        if (!lane_batch_agree(c->batch, lane, c->scalar))
            complain(c, "a lane of a batch differs from scalar", NULL);
    lane_batch_clear(c->batch);
    c->batched = 0;
}

static void add_to_batch(Comparison *c, const State *state, const uint32_t *moves) {
    lane_batch_set(c->batch, c->batched++, state, moves);
    if (c->batched == LANES)
        check_batch(c);
}

static void play_match(Comparison *c, uint32_t most_steps) {
    State state = {0}, interpreted = {0}, next = {0}, other = {0};
    game_initial(c->scalar, &state);
    game_initial(c->interpreter, &interpreted);
    compare_state_texts(c, &state, &interpreted);
    for (uint32_t step = 0; step < most_steps && !c->failed; step++) {
        compare_answers(c, &state, &interpreted);
        if (c->failed || game_is_terminal(c->scalar, &state) || !choose_moves(c, &state)) {
            add_to_batch(c, &state, NULL);
            break;
        }
        compare_percepts(c, &state, &interpreted);
        add_to_batch(c, &state, c->joint);
        game_next(c->scalar, &state, c->joint, &next);
        game_next(c->incremental, &state, c->joint, &other);
        if (!state_equal(&next, &other))
            complain(c, "next states differ between incremental and scalar", &state);
        game_next(c->interpreter, &interpreted, c->interpreted_joint, &interpreted);
        state_copy(&state, &next);
        compare_state_texts(c, &state, &interpreted);
    }
    state_free(&state);
    state_free(&interpreted);
    state_free(&next);
    state_free(&other);
}

/* A lane of sliced play, and its state for scalar reasoning. */
typedef struct {
    State state;
    bool ended;
} CheckedLane;

static bool lane_bit(const Lanes *lanes, uint32_t lane) {
    return ((const uint64_t *)lanes)[lane / 64] >> (lane % 64) & 1;
}

static bool lane_has(const TurnNetworks *turn, const Lanes *lanes, uint32_t lane,
                     const State *state) {
    for (size_t i = 0; i < turn->kept.count; i++)
        if (lane_bit(&lanes[i], lane) != bitset_get(state->words, turn->kept.items[i]))
            return false;
    return true;
}

static bool phase_matches(const TurnNetworks *turn, uint32_t phase, const State *state) {
    const Phases *p = &turn->phases;
    for (size_t i = 0; i < p->fluents.count; i++)
        if (bitset_get(state->words, p->fluents.items[i]) !=
            (bool)p->values[phase * p->fluents.count + i])
            return false;
    return true;
}

typedef enum { SUCCESSOR_NONE, SUCCESSOR_FOUND, SUCCESSOR_UNKNOWN } Successor;

/* Looks for a joint move that leads from the lane's old state to its new one, among a limited
 * number of them. */
static Successor find_successor(Comparison *c, const TurnNetworks *turn, const Lanes *lanes,
                                uint32_t lane, State *state) {
    uint32_t roles = c->game->role_count, tries = 0;
    U32Vector *legal = memory_zalloc((roles + 1) * sizeof *legal);
    uint32_t *at = memory_zalloc((roles + 1) * sizeof *at);
    State next = {0};
    bool found = false, more = true;
    for (uint32_t r = 0; r < roles; r++)
        game_legal(c->scalar, state, r, &legal[r]);
    while (more && !found && tries++ < JOINT_MOVES_MOST) {
        for (uint32_t r = 0; r < roles; r++)
            c->joint[r] = legal[r].items[at[r]];
        game_next(c->scalar, state, c->joint, &next);
        found = lane_has(turn, lanes, lane, &next);
        uint32_t r = 0;
        while (r < roles && ++at[r] == legal[r].count)
            at[r++] = 0;
        more = r < roles;
    }
    if (found)
        state_copy(state, &next);
    for (uint32_t r = 0; r < roles; r++)
        vector_free(&legal[r]);
    free(legal);
    free(at);
    state_free(&next);
    return found ? SUCCESSOR_FOUND : more ? SUCCESSOR_UNKNOWN : SUCCESSOR_NONE;
}

static void check_goals(Comparison *c, const TurnNetworks *turn, const Lanes *goals, uint32_t lane,
                        const State *state) {
    for (uint32_t r = 0; r < c->game->role_count; r++) {
        uint32_t held = 0;
        for (size_t i = 0; i < turn->circuit->goals.count; i++)
            held += turn->circuit->goals.items[i].role == r && lane_bit(&goals[i], lane);
        int goal = game_goal(c->scalar, state, r);
        if (goal == GOAL_NONE ? held != 0 : goal == GOAL_SEVERAL ? held < 2 : held != 1)
            complain(c, "goals of sliced play differ", state);
    }
}

static void check_lane(Comparison *c, const TurnNetworks *turn, uint32_t phase,
                       const Lanes *outputs, const Lanes *goals, uint32_t number,
                       CheckedLane *lane) {
    size_t kept = turn->kept.count;
    bool stuck = false;
    c->lanes++;
    if (!phase_matches(turn, phase, &lane->state))
        complain(c, "the phase of sliced play is wrong", &lane->state);
    if (lane_bit(&outputs[kept], number) != game_is_terminal(c->scalar, &lane->state))
        complain(c, "terminal of sliced play differs", &lane->state);
    for (uint32_t r = 0; r < c->game->role_count; r++) {
        game_legal(c->scalar, &lane->state, r, &c->legal);
        stuck |= c->legal.count == 0;
        if (lane_bit(&outputs[kept + 1 + r], number) != (c->legal.count == 0))
            complain(c, "sliced play is wrong about a role without moves", &lane->state);
    }
    if (game_is_terminal(c->scalar, &lane->state)) {
        check_goals(c, turn, goals, number, &lane->state);
        lane->ended = true;
    } else if (stuck) {
        lane->ended = true;
    } else {
        Successor successor = find_successor(c, turn, outputs, number, &lane->state);
        if (successor == SUCCESSOR_NONE)
            complain(c, "sliced play went where no joint move leads", &lane->state);
        lane->ended = successor != SUCCESSOR_FOUND;
    }
}

/* The networks of a turn for all kernels of this machine, which get the same inputs. */
typedef struct {
    TurnNetworks *turns[KERNEL_KINDS];
    Lanes *next[KERNEL_KINDS], *goals[KERNEL_KINDS];
    Lanes *state, *scratch;
    int first; /* the kernel with which the others are compared */
} Kernels;

static size_t rows_of_turn(const TurnNetworks *turn) {
    return turn->max_inputs > turn->max_outputs ? turn->max_inputs : turn->max_outputs;
}

static void kernels_init(Kernels *k, const Circuit *circuit, bool keep_all_fluents) {
    size_t scratch = 0;
    *k = (Kernels){.first = KERNEL_INTERPRETED};
    for (int kind = KERNEL_INTERPRETED; kind < KERNEL_KINDS; kind++) {
        if (!kernel_kind_available((KernelKind)kind))
            continue;
        TurnNetworks *turn =
            turn_create(circuit, &(TurnOptions){.kernel = (KernelKind)kind,
                                                .keep_all_fluents = keep_all_fluents});
        k->turns[kind] = turn;
        k->next[kind] = lanes_alloc(rows_of_turn(turn));
        k->goals[kind] = lanes_alloc(turn->max_outputs);
        scratch = turn->scratch_lanes > scratch ? turn->scratch_lanes : scratch;
    }
    k->state = lanes_alloc(rows_of_turn(k->turns[k->first]));
    k->scratch = lanes_alloc(scratch);
}

static void kernels_free(Kernels *k) {
    for (int kind = KERNEL_INTERPRETED; kind < KERNEL_KINDS; kind++) {
        turn_free(k->turns[kind]);
        memory_free(k->next[kind], k->goals[kind]);
    }
    memory_free(k->state, k->scratch);
}

/* Runs a turn with every kernel. All lanes of all outputs must be the same. */
static void run_turn(Comparison *c, Kernels *k, uint32_t phase) {
    for (int kind = k->first; kind < KERNEL_KINDS && !c->failed; kind++) {
        const TurnNetworks *turn = k->turns[kind];
        if (!turn)
            continue;
        const TurnPhase *p = &turn->by_phase[phase];
        kernel_run(p->step, k->state, k->next[kind], k->scratch);
        kernel_run(p->goals, k->state, k->goals[kind], k->scratch);
        size_t outputs = kernel_network(p->step)->outputs.count;
        size_t goals = kernel_network(p->goals)->outputs.count;
        if (memcmp(k->next[kind], k->next[k->first], outputs * sizeof(Lanes)) ||
            memcmp(k->goals[kind], k->goals[k->first], goals * sizeof(Lanes))) {
            Text text = {0};
            text_printf(&text, "sliced play differs with the kernel %s",
                        kernel_kind_name((KernelKind)kind));
            complain(c, text_string(&text), NULL);
            vector_free(&text);
        }
    }
}

static void check_sliced(Comparison *c, bool keep_all_fluents, uint32_t most_steps) {
    Kernels k;
    kernels_init(&k, c->game->circuit, keep_all_fluents);
    const TurnNetworks *turn = k.turns[k.first];
    CheckedLane lanes[CHECKED_LANES] = {0};
    RandomWide random;
    random_wide_seed(&random, random_next(&c->random));
    uint32_t stride = LANES / CHECKED_LANES, phase = 0;
    for (size_t i = 0; i < turn->kept.count; i++)
        if (c->game->circuit->initial[turn->kept.items[i]])
            memset(&k.state[i], 0xff, sizeof k.state[i]);
    for (uint32_t l = 0; l < CHECKED_LANES; l++)
        game_initial(c->scalar, &lanes[l].state);
    for (uint32_t step = 0; step < most_steps && !c->failed; step++) {
        random_wide_fill(&random, (uint64_t *)(k.state + turn->kept.count),
                         turn->by_phase[phase].random_bits * LANE_WORDS);
        run_turn(c, &k, phase);
        for (uint32_t l = 0; l < CHECKED_LANES && !c->failed; l++)
            if (!lanes[l].ended)
                check_lane(c, turn, phase, k.next[k.first], k.goals[k.first], l * stride,
                           &lanes[l]);
        Lanes *swap = k.state;
        k.state = k.next[k.first];
        k.next[k.first] = swap;
        phase = (phase + 1) % turn->phases.count;
    }
    for (uint32_t l = 0; l < CHECKED_LANES; l++)
        state_free(&lanes[l].state);
    kernels_free(&k);
}

static void check_playouts(Comparison *c, uint32_t most_steps) {
    const TurnNetworks *turn = game_turn_networks(c->game);
    Sliced *sliced = sliced_create(turn, random_next(&c->random));
    PlayoutCounts counts = {0};
    int *values = game_goal_values(c->game);
    counts.goal_values = values;
    counts.goal_counts = memory_zalloc((turn->circuit->goals.count + 1) * sizeof(uint64_t));
    counts.several = memory_zalloc((turn->circuit->role_count + 1) * sizeof(uint64_t));
    PlayoutBudget budget = {.playouts = 700, .deadline = deadline_in(60), .step_limit = most_steps};
    sliced_play(sliced, &budget, &counts);
    if (counts.playouts + counts.stuck + counts.too_long != budget.playouts)
        complain(c, "matches of sliced play are lost", NULL);
    memory_free(values, counts.goal_counts, counts.several);
    sliced_free(sliced);
}

static void start(Comparison *c) {
    c->interpreter = game_work_create(c->game, REASONER_INTERPRETER);
    c->scalar = game_work_create(c->game, REASONER_SCALAR);
    c->incremental = game_work_create(c->game, REASONER_INCREMENTAL);
    c->batch = lane_batch_create(c->game);
    c->joint = memory_alloc((c->game->role_count + 1) * sizeof *c->joint);
    c->interpreted_joint = memory_alloc((c->game->role_count + 1) * sizeof *c->joint);
}

static void finish(Comparison *c) {
    game_work_free(c->interpreter);
    game_work_free(c->scalar);
    game_work_free(c->incremental);
    lane_batch_free(c->batch);
    free(c->joint);
    free(c->interpreted_joint);
    vector_free(&c->legal);
    vector_free(&c->other);
    vector_free(&c->text);
    vector_free(&c->other_text);
    game_free(c->game);
}

typedef struct {
    uint64_t games, failures, states, lanes;
} Totals;

/* The kernel of the single-state reasoners changes with the seed; sliced play tries them all. With
 * every other seed, grounding soon loses patience and rewrites the rules. */
static bool compare_game(const char *path, uint64_t seed, uint32_t matches, uint32_t most_steps,
                         Totals *totals) {
    Report report = {0};
    GameOptions options = {
        .build_seconds = 60,
        .kernel = (KernelKind)(KERNEL_INTERPRETED + seed % (KERNEL_KINDS - KERNEL_INTERPRETED)),
        .rewrite_threshold = seed % 2 ? 0 : 1 + (uint32_t)(seed / 2 % 10)};
    Comparison c = {.path = path, .game = game_open(path, &options, &report)};
    if (!c.game || !game_has_circuit(c.game)) {
        printf("%s: %s\n", path, c.game ? c.game->why_interpreted : report.items.items[0].message);
        game_free(c.game);
        report_free(&report);
        return false;
    }
    random_seed(&c.random, seed);
    start(&c);
    for (uint32_t m = 0; m < matches && !c.failed; m++)
        play_match(&c, most_steps);
    if (c.batched)
        check_batch(&c);
    for (int keep_all = 0; keep_all < 2 && !c.failed; keep_all++)
        check_sliced(&c, keep_all, most_steps);
    if (!c.failed)
        check_playouts(&c, most_steps);
    finish(&c);
    report_free(&report);
    totals->states += c.states;
    totals->lanes += c.lanes;
    return !c.failed;
}

static void list_kernels(void) {
    for (int kind = KERNEL_INTERPRETED; kind < KERNEL_KINDS; kind++) {
        const char *needs = kernel_kind_needs((KernelKind)kind);
        printf("%s %s\n", kernel_kind_name((KernelKind)kind),
               kernel_kind_available((KernelKind)kind) ? "compared" : needs);
    }
}

int main(int count, char **arguments) {
    uint64_t seed = 1;
    uint32_t matches = 3, steps = 60;
    Totals totals = {0};
    if (count == 1) {
        list_kernels();
        return 0;
    }
    for (int i = 1; i < count; i++) {
        if (i + 1 < count && strcmp(arguments[i], "--seed") == 0)
            seed = strtoull(arguments[++i], NULL, 10);
        else if (i + 1 < count && strcmp(arguments[i], "--matches") == 0)
            matches = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else if (i + 1 < count && strcmp(arguments[i], "--steps") == 0)
            steps = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else {
            totals.games++;
            totals.failures += !compare_game(arguments[i], seed++, matches, steps, &totals);
        }
        fflush(stdout);
    }
    printf("%lu games, %lu states, %lu lanes of sliced play, %lu failures\n", totals.games,
           totals.states, totals.lanes, totals.failures);
    return totals.failures ? 1 : 0;
}
