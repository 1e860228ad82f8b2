/* Tests games with chance and hidden information: the optimal value is computed by plain searches
 * over the rules and by independent models of the games. */
#include <math.h>

#include "game/play.h"
#include "search/exact/state_graph.h"

TestSuite(chance, .timeout = 600);

/* ---- Optimal play of one player that knows its moves and percepts ---- */

typedef struct {
    State state;
    double weight;
    uint64_t percept;
} World;

typedef VECTOR(World) Worlds;

static void free_worlds(Worlds *worlds) {
    for (size_t i = 0; i < worlds->count; i++)
        state_free(&worlds->items[i].state);
    vector_free(worlds);
}

static void add_world(Worlds *worlds, const State *state, double weight, uint64_t percept) {
    for (size_t i = 0; i < worlds->count; i++) {
        World *world = &worlds->items[i];
        if (world->percept == percept && state_equal(&world->state, state)) {
            world->weight += weight;
            return;
        }
    }
    World world = {.weight = weight, .percept = percept};
    state_copy(&world.state, state);
    vector_push(worlds, world);
}

/* Lists the worlds after the player's move. *ended becomes the value of all that are terminal. Role
 * 0 plays, role 1 is chance. */
static void worlds_after(GameWork *work, const Worlds *worlds, uint32_t move, Worlds *after,
                         double *ended) {
    U32Vector draws = {0};
    State next = {0};
    for (size_t i = 0; i < worlds->count; i++) {
        const World *world = &worlds->items[i];
        game_legal(work, &world->state, 1, &draws);
        for (size_t d = 0; d < draws.count; d++) {
            uint32_t joint[2] = {move, draws.items[d]};
            uint64_t keys[2];
            double weight = world->weight / (double)draws.count;
            game_percept_keys(work, &world->state, joint, keys);
            game_next(work, &world->state, joint, &next);
            if (game_is_terminal(work, &next))
                *ended += weight * game_goal(work, &next, 0) / 100;
            else
                add_world(after, &next, weight, keys[0]);
        }
    }
    vector_free(&draws);
    state_free(&next);
}

static double best_of(GameWork *work, const Worlds *worlds, const U32Vector *moves);

/* Weights are not normalised: a value is the probability of the past times that of winning. */
static double value_of(GameWork *work, const Worlds *worlds) {
    U32Vector moves = {0};
    game_legal(work, &worlds->items[0].state, 0, &moves);
    double best = best_of(work, worlds, &moves);
    vector_free(&moves);
    return best;
}

static double best_of(GameWork *work, const Worlds *worlds, const U32Vector *moves) {
    double best = 0;
    for (size_t m = 0; m < moves->count; m++) {
        Worlds after = {0}, alike = {0};
        double value = 0;
        worlds_after(work, worlds, moves->items[m], &after, &value);
        for (size_t i = 0; i < after.count; i++) {
            if (after.items[i].weight < 0)
                continue;
            alike.count = 0;
            for (size_t j = i; j < after.count; j++) {
                if (after.items[j].weight < 0 || after.items[j].percept != after.items[i].percept)
                    continue;
                World world = after.items[j];
                after.items[j].weight = -1;
                world.percept = 0;
                vector_push(&alike, world);
            }
            value += value_of(work, &alike);
        }
        best = fmax(best, value);
        vector_free(&alike);
        free_worlds(&after);
    }
    return best;
}

static void start_worlds(GameWork *work, Worlds *worlds) {
    State state = {0};
    game_initial(work, &state);
    add_world(worlds, &state, 1, 0);
    state_free(&state);
}

static double optimum_of(const char *name) {
    Game *game = game_named(name, NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Worlds worlds = {0};
    start_worlds(work, &worlds);
    double value = value_of(work, &worlds);
    free_worlds(&worlds);
    game_work_free(work);
    game_free(game);
    return value;
}

Test(chance, best_play_under_hidden_information) {
    cr_expect_float_eq(optimum_of("guess_dice"), 1.0 / 6, 1e-12);
    cr_expect_float_eq(optimum_of("monty_hall"), 2.0 / 3, 1e-12);
}

static uint32_t move_named(GameWork *work, uint32_t role, const char *text) {
    uint32_t move = game_find_move(work, role, text, strlen(text));
    cr_assert_neq(move, MOVE_NONE, "%s", text);
    return move;
}

static void play(GameWork *work, State *state, const char *player, const char *chance) {
    uint32_t joint[2] = {move_named(work, 0, player), move_named(work, 1, chance)};
    game_next(work, state, joint, state);
}

/* Up to the names of colours and the order of positions there are three first guesses. */
Test(chance, mastermind) {
    Game *game = game_named("mastermind", NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Worlds worlds = {0};
    start_worlds(work, &worlds);
    for (int i = 0; i < 3; i++) {
        Worlds after = {0};
        double ended = 0;
        worlds_after(work, &worlds, move_named(work, 0, "noop"), &after, &ended);
        free_worlds(&worlds);
        worlds = after;
        for (size_t w = 0; w < worlds.count; w++)
            worlds.items[w].percept = 0;
    }
    cr_assert_eq(worlds.count, 64);
    U32Vector first = {0};
    vector_push(&first, move_named(work, 0, "( guess 1 1 1 )"));
    vector_push(&first, move_named(work, 0, "( guess 1 1 2 )"));
    vector_push(&first, move_named(work, 0, "( guess 1 2 3 )"));
    cr_expect_float_eq(best_of(work, &worlds, &first), 43.0 / 64, 1e-12);
    vector_free(&first);
    free_worlds(&worlds);
    game_work_free(work);
    game_free(game);
}

/* ---- The vacuum cleaner: a model of the robot's knowledge ---- */

enum { ROOMS = 9, ROBOT_STEPS = 17 };

typedef struct {
    float value[ROBOT_STEPS + 1][ROOMS][1 << ROOMS][2]; /* steps left, room, unknown, dirty here */
    bool known[ROBOT_STEPS + 1][ROOMS][1 << ROOMS][2];
} RobotModel;

/* To leave dirt behind never helps, and rooms that were never seen do not count as clean. */
static float robot_value(RobotModel *model, int steps, int room, int unknown, int dirty) {
    if (!dirty && !unknown)
        return 1;
    if (steps == 0)
        return 0;
    float *value = &model->value[steps][room][unknown][dirty];
    if (model->known[steps][room][unknown][dirty])
        return *value;
    if (dirty) {
        *value = robot_value(model, steps - 1, room, unknown, 0);
    } else {
        static const int dx[] = {0, 1, 0, -1}, dy[] = {1, 0, -1, 0};
        for (int d = 0; d < 4; d++) {
            int x = room % 3 + dx[d], y = room / 3 + dy[d];
            if (x < 0 || x > 2 || y < 0 || y > 2)
                continue;
            int other = y * 3 + x, rest = unknown & ~(1 << other);
            float there = robot_value(model, steps - 1, other, rest, 0);
            if (unknown != rest)
                there = (there + robot_value(model, steps - 1, other, rest, 1)) / 2;
            float stay = robot_value(model, steps - 1, room, unknown, 0);
            *value = fmaxf(*value, 0.75f * there + 0.25f * stay);
        }
    }
    model->known[steps][room][unknown][dirty] = true;
    return *value;
}

/* Returns the value in the first room, whose state is seen at once. */
static double robot_start(RobotModel *model, int steps, int unknown) {
    return (robot_value(model, steps, 0, unknown & ~1, 0) +
            robot_value(model, steps, 0, unknown & ~1, 1)) /
           2;
}

Test(chance, vacuum_cleaner) {
    RobotModel *model = memory_zalloc(sizeof *model);
    cr_expect_float_eq(robot_start(model, 16, 511), 0.7297, 5e-5);
    cr_expect_float_eq(robot_start(model, 17, 511), 0.8394, 5e-5);

    /* The game is compared in a state in which six rooms are known to be clean and five actions are
     * left. */
    Game *game = game_named("vacuum_cleaner", NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Worlds worlds = {0};
    static const char *const tour[] = {"( move east )", "( move east )", "( move north )",
                                       "( move west )", "( move west )"};
    for (int dirt = 0; dirt < 8; dirt++) {
        State state = {0};
        game_initial(work, &state);
        for (int room = 1; room <= ROOMS; room++)
            play(work, &state, "noop", room > 6 && dirt >> (room - 7) & 1 ? "dirty" : "clean");
        for (int i = 0; i < ROBOT_STEPS - 5; i++)
            play(work, &state, tour[i < 5 ? i : 4], "grip1");
        add_world(&worlds, &state, 1.0 / 8, 0);
        state_free(&state);
    }
    double value = value_of(work, &worlds);
    cr_expect_float_eq(value, robot_value(model, 5, 3, 0x1C0, 0), 1e-6);
    cr_expect_gt(value, 0.3);
    free_worlds(&worlds);
    game_work_free(work);
    game_free(game);
    free(model);
}

/* ---- Visible chance: values by steps to go ---- */

/* Makes all reachable states. Values of nonterminal states are 0 at first. */
static double *expand_all(StateGraph *graph) {
    for (uint32_t n = 0; n < graph->nodes.count; n++)
        state_graph_settle(graph, n);
    double *values = memory_zalloc(graph->nodes.count * sizeof *values);
    for (uint32_t n = 0; n < graph->nodes.count; n++)
        if (graph->nodes.items[n].kind == NODE_TERMINAL)
            values[n] = graph->goals.items[graph->nodes.items[n].first_edge] / 100.0;
    return values;
}

/* Edges are joint moves ordered by the move of the first role or by that of chance; the numbers of
 * choices tell which. */
static double node_value(StateGraph *graph, uint32_t n, const double *values) {
    const StateNode *node = &graph->nodes.items[n];
    if (node->kind == NODE_TERMINAL)
        return values[n];
    uint32_t choices = state_graph_choices(graph, n, 0);
    double sums[64] = {0}, best = 0;
    cr_assert_leq(choices, 64);
    for (uint32_t e = 0; e < node->edge_count; e++) {
        uint32_t joint[2];
        if (choices > 1)
            state_graph_joint_move(graph, n, e, joint);
        double *sum = &sums[choices > 1 ? joint[0] : 0];
        *sum += values[state_graph_child(graph, node, e)] * choices / node->edge_count;
        best = fmax(best, *sum);
    }
    return best;
}

static void step_values(StateGraph *graph, double *values) {
    double *before = memory_alloc(graph->nodes.count * sizeof *before);
    memcpy(before, values, graph->nodes.count * sizeof *before);
    for (uint32_t n = 0; n < graph->nodes.count; n++)
        values[n] = node_value(graph, n, before);
    free(before);
}

Test(chance, light_orchard_by_horizon) {
    static const double expected[] = {
        0, 0, 0, 27.0 / 128, 21.0 / 64, 737.0 / 2048, 1509.0 / 4096, 12147.0 / 32768};
    Game *game = game_named("orchard_light", NULL);
    StateGraph graph;
    state_graph_init(&graph, game, NULL, 0);
    double *values = expand_all(&graph);
    cr_expect_eq(graph.nodes.count, 25);
    for (int turns = 1; turns <= 200; turns++) {
        step_values(&graph, values);
        if (turns <= 8)
            cr_expect_float_eq(values[0], expected[turns - 1], 1e-12, "%d turns: %g", turns,
                               values[0]);
    }
    cr_expect_float_eq(values[0], 107.0 / 288, 1e-12);
    free(values);
    state_graph_free(&graph);
    game_free(game);
}

/* ---- The orchard: a model over numbers of fruits ---- */

enum { TREES = 4, MAX_FRUITS = 10, MAX_PIECES = 9, PICKS = 3 };

typedef double OrchardModel[MAX_PIECES + 1][11 * 11 * 11 * 11][PICKS]; /* picks to come */

static size_t orchard_index(const int *fruits) {
    size_t index = 0;
    for (int t = 0; t < TREES; t++)
        index = index * 11 + (size_t)fruits[t];
    return index;
}

/* The player picks from the best tree that bears fruits, or from the worst one. */
static double orchard_pick(const OrchardModel *model, int pieces, int *fruits, int picks,
                           bool is_best) {
    double value = -1;
    for (int t = 0; t < TREES; t++) {
        if (fruits[t] == 0)
            continue;
        fruits[t]--;
        double other = (*model)[pieces][orchard_index(fruits)][picks - 1];
        fruits[t]++;
        if (value < 0 || (is_best ? other > value : other < value))
            value = other;
    }
    return value;
}

/* A roll of an empty tree changes nothing, so only the other faces count. */
static double orchard_roll(const OrchardModel *model, int pieces, int *fruits, double basket) {
    double sum = basket + (*model)[pieces - 1][orchard_index(fruits)][0];
    int faces = 2;
    for (int t = 0; t < TREES; t++) {
        if (fruits[t] == 0)
            continue;
        fruits[t]--;
        sum += (*model)[pieces][orchard_index(fruits)][0];
        fruits[t]++;
        faces++;
    }
    return sum / faces;
}

static void fill_orchard(OrchardModel *model, int most, bool is_best) {
    int fruits[TREES];
    int sizes = most + 1, count = sizes * sizes * sizes * sizes;
    for (int pieces = 0; pieces <= MAX_PIECES; pieces++) {
        for (int i = 0; i < count; i++) {
            for (int t = 0, rest = i; t < TREES; t++, rest /= sizes)
                fruits[t] = rest % sizes;
            double *values = (*model)[pieces][orchard_index(fruits)];
            for (int picks = 0; picks < PICKS; picks++)
                values[picks] = i == 0 ? 1 : 0;
            if (i == 0 || pieces == 0)
                continue;
            for (int picks = 1; picks < PICKS; picks++)
                values[picks] = orchard_pick(model, pieces, fruits, picks, is_best);
            values[0] = orchard_roll(model, pieces, fruits, values[2]);
        }
    }
}

Test(chance, orchard) {
    OrchardModel *model = memory_zalloc(sizeof *model);
    int full[] = {10, 10, 10, 10}, few[] = {3, 3, 2, 3};
    fill_orchard(model, MAX_FRUITS, false);
    cr_expect_float_eq((*model)[9][orchard_index(full)][0], 0.5323991, 5e-8);
    fill_orchard(model, MAX_FRUITS, true);
    cr_expect_float_eq((*model)[9][orchard_index(full)][0], 0.6840475, 5e-8);

    /* The game is compared in a state in which few fruits are left. */
    Game *game = game_named("orchard", NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    game_initial(work, &state);
    static const char *const rolls[] = {"( roll apple )", "( roll pear )", "( roll cherry )",
                                        "( roll plum )"};
    for (int t = 0; t < TREES; t++)
        for (int i = few[t]; i < 10; i++)
            play(work, &state, "noop", rolls[t]);
    for (int i = 3; i < 9; i++)
        play(work, &state, "noop", "( roll raven )");
    StateGraph graph;
    state_graph_init(&graph, game, &state, 0);
    double *values = expand_all(&graph);
    for (int turns = 0; turns < 150; turns++)
        step_values(&graph, values);
    cr_expect_float_eq(values[0], (*model)[3][orchard_index(few)][0], 1e-9);
    free(values);
    state_graph_free(&graph);
    state_free(&state);
    game_work_free(work);
    game_free(game);
    free(model);
}

/* ---- Wumpus: play with full information ---- */

enum { CAVE = 4, WORLDS = 15 * 15 * 15 * 15 };

/* Returns, as bits, the squares that can be reached from the first one without entering blocked
 * ones. */
static unsigned cave_reach(unsigned blocked) {
    unsigned reached = 1, before = 0;
    while (reached != before) {
        before = reached;
        unsigned east = (reached & 0x7777) << 1, west = (reached & 0xeeee) >> 1;
        reached |= (reached << CAVE | reached >> CAVE | east | west) & 0xffff & ~blocked;
    }
    return reached;
}

static unsigned cave_lines(int square) {
    return 0x1111u << square % CAVE | 0xfu << square / CAVE * CAVE;
}

/* `squares` are those of the wumpus, the gold and the pits, counted from 0. */
static bool cave_is_won(const int *squares, bool may_shoot) {
    unsigned pits = 1u << squares[2] | 1u << squares[3], wumpus = 1u << squares[0];
    unsigned safe = cave_reach(pits | wumpus), gold = 1u << squares[1];
    bool can_hit = may_shoot && safe & cave_lines(squares[0]);
    return safe & gold || (can_hit && cave_reach(pits) & gold);
}

static void world_squares(int world, int *squares) {
    for (int i = 0; i < 4; i++, world /= 15)
        squares[i] = 1 + world % 15;
}

static bool cave_is_won_by_the_rules(Game *game, GameWork *work, const int *squares) {
    static const int order[] = {2, 3, 1, 0};
    State state = {0};
    StateGraph graph;
    bool is_won = false;
    game_initial(work, &state);
    for (int i = 0; i < 4; i++) {
        char draw[32];
        snprintf(draw, sizeof draw, "( draw %d )", squares[order[i]] + 1);
        play(work, &state, "noop", draw);
    }
    play(work, &state, "noop", "noop");
    /* 24 actions are enough time. */
    for (int i = 0; i < 40 - 24; i++)
        play(work, &state, "grab", "noop");
    state_graph_init(&graph, game, &state, 0);
    double *values = expand_all(&graph);
    for (uint32_t n = 0; n < graph.nodes.count; n++)
        is_won |= values[n] > 0;
    free(values);
    state_graph_free(&graph);
    state_free(&state);
    return is_won;
}

Test(chance, wumpus) {
    int squares[4], safe = 0, won = 0;
    for (int world = 0; world < WORLDS; world++) {
        world_squares(world, squares);
        safe += cave_is_won(squares, false);
        won += cave_is_won(squares, true);
    }
    cr_expect_float_eq((double)safe / WORLDS, 0.781, 5e-4);
    cr_expect_float_eq((double)won / WORLDS, 0.862, 5e-4);

    Game *game = game_named("wumpus", NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    for (int world = 7; world < WORLDS; world += WORLDS / 12) {
        world_squares(world, squares);
        cr_expect_eq(cave_is_won_by_the_rules(game, work, squares), cave_is_won(squares, true),
                     "wumpus %d, gold %d, pits %d and %d", squares[0], squares[1], squares[2],
                     squares[3]);
    }
    game_work_free(work);
    game_free(game);
}
