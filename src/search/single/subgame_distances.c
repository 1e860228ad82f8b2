/* A few states of each subgame are explored at a time, so that a large subgame does not delay the
 * small ones. Every second state comes from a breadth-first queue, which finds short paths; the
 * others are the most promising, which finds good final states early. Distances come from a second
 * walk, backwards from the best states. */
#include "search/single/subgame_distances.h"

#include <assert.h>
#include <string.h>

#include "base/graph.h"
#include "search/exact/state_graph.h"
#include "search/multitree/part_masks.h"

enum {
    NONE = UINT32_MAX,
    STATES_PER_SLICE = 16, /* states of one subgame explored before the next subgame (untuned) */
    PRIORITIES = 256,      /* priorities: least plus greatest goal that a state leaves possible */
    MAX_TURNS = 4000 /* turns of random matches that look for a subgame's beginning (untuned) */
};

/* A local: a state of a subgame. */
typedef struct {
    const uint64_t *whole; /* words of a state of the whole game in which it was found */
    int least, greatest;   /* goals that it leaves possible, 0 to 100 */
    uint32_t distance;     /* moves in the subgame to its nearest best state */
    bool is_end;           /* the match had ended in that state */
    bool is_looked_at;
} Local;

typedef struct {
    VECTOR(Local) locals;
    KeyTable keys; /* the subgame's fluents, by local */
    Edges arcs;    /* reversed: from the local that a move leads to, to the one where it is made */
    U32Vector queue; /* locals in breadth-first order; those from `head` on are to be explored */
    size_t head;
    U32Vector priority_stacks[PRIORITIES]; /* by priority: locals to be explored, a stack each */
    uint32_t highest;                      /* upper bound of the priorities in use */
    bool takes_by_priority; /* the next local comes from `priority_stacks`, else from `queue` */
    int secured, possible;  /* greatest goals that some local secures, or leaves possible */
    uint32_t farthest;      /* greatest distance known */
    bool has_aim;           /* the locals differ in the goals they leave possible */
    bool is_seeded;         /* a state in which the subgame begins to change was looked for */
} ExploredSubgame;

struct SubgameDistances {
    LookAhead *ahead;
    PartMasks parts;
    uint32_t count, words;
    ExploredSubgame *games;
    Arena arena;
    size_t byte_limit;
    uint64_t locals, arcs; /* totals over all subgames */
    uint32_t turn;         /* the subgame that is explored next */
    int greatest_goal;
    uint64_t *part; /* scratch */
};

SubgameDistances *distances_create(LookAhead *ahead, const GameParts *parts, size_t byte_limit) {
    assert(parts->count > 0);
    SubgameDistances *g = memory_zalloc(sizeof *g);
    g->byte_limit = byte_limit;
    g->ahead = ahead;
    g->count = parts->count;
    g->words = ahead->word_count;
    g->greatest_goal = greatest_goal_of(ahead->game, 0);
    g->parts = part_masks_of(ahead->game, parts, UINT32_MAX);
    part_masks_make_bounds(&g->parts, ahead->game);
    g->games = memory_zalloc((g->count + 1) * sizeof *g->games);
    g->part = memory_alloc((g->words + 1) * sizeof *g->part);
    return g;
}

static void forget(SubgameDistances *g) {
    for (uint32_t k = 0; k < g->count; k++) {
        ExploredSubgame *game = &g->games[k];
        vectors_free(&game->locals, &game->arcs, &game->queue);
        for (uint32_t h = 0; h < PRIORITIES; h++)
            vector_free(&game->priority_stacks[h]);
        key_table_free(&game->keys);
        *game = (ExploredSubgame){.secured = GOAL_NONE, .possible = GOAL_NONE};
    }
    arena_free(&g->arena);
    g->locals = g->arcs = 0;
    g->turn = 0;
}

void distances_free(SubgameDistances *g) {
    if (!g)
        return;
    forget(g);
    part_masks_free(&g->parts);
    memory_free(g->games, g->part, g);
}

/* ---- states of a subgame ---- */

static State state_of(const SubgameDistances *g, const uint64_t *words) {
    return (State){(uint64_t *)words, g->words};
}

static const uint64_t *keep_words(SubgameDistances *g, const uint64_t *words) {
    size_t bytes = g->words * sizeof *words;
    return memcpy(arena_alloc(&g->arena, bytes), words, bytes);
}

static void put_into_queues(ExploredSubgame *game, uint32_t id) {
    const Local *local = &game->locals.items[id];
    int hope = (local->least > 0 ? local->least : 0) + (local->greatest > 0 ? local->greatest : 0);
    uint32_t h = hope < PRIORITIES ? (uint32_t)hope : PRIORITIES - 1;
    vector_push(&game->queue, id);
    vector_push(&game->priority_stacks[h], id);
    game->highest = h > game->highest ? h : game->highest;
}

static void add_local(SubgameDistances *g, uint32_t k, const uint64_t *words, bool is_end) {
    ExploredSubgame *game = &g->games[k];
    Local local = {.whole = keep_words(g, words), .is_end = is_end};
    part_masks_evaluate(&g->parts, k, lookahead_state(g->ahead, words));
    part_masks_goal(&g->parts, k, 0, &local.least, &local.greatest);
    vector_push(&game->locals, local);
    put_into_queues(game, (uint32_t)game->locals.count - 1);
    game->secured = local.least > game->secured ? local.least : game->secured;
    game->possible = local.greatest > game->possible ? local.greatest : game->possible;
    g->locals++;
}

/* Adds the local of this state. If the match ended there for a reason outside the subgame, a later
 * state in which it goes on replaces it, since that state can be explored. */
static uint32_t meet(SubgameDistances *g, uint32_t k, const uint64_t *words, bool is_end) {
    ExploredSubgame *game = &g->games[k];
    State state = state_of(g, words);
    uint32_t id = key_table_part(&game->keys, 0, &state, part_mask(&g->parts, k), g->words);
    if (id == game->locals.count)
        add_local(g, k, words, is_end);
    Local *local = &game->locals.items[id];
    if (local->is_end && !is_end) {
        local->is_end = false;
        local->whole = keep_words(g, words);
        put_into_queues(game, id);
    }
    return id;
}

static void look_at(SubgameDistances *g, uint32_t k, uint32_t id) {
    ExploredSubgame *game = &g->games[k];
    const LookAhead *a = g->ahead;
    uint32_t last = id;
    game->locals.items[id].is_looked_at = true;
    lookahead_all(g->ahead, game->locals.items[id].whole);
    for (uint32_t i = 0; i < a->legal.count; i++) {
        uint32_t to = meet(g, k, a->successors + (size_t)i * g->words, a->ends[i]);
        if (to == id || to == last) /* it acts elsewhere, or like the last one */
            continue;
        vector_push(&game->arcs, ((Edge){.from = to, .to = id}));
        g->arcs++;
        last = to;
    }
}

/* Plays randomly to the state before the first joint move that changes the subgame, if any does. */
static bool play_until_it_begins(SubgameDistances *g, uint32_t k, Random *random, int *turns,
                                 State *state) {
    const uint64_t *first = g->games[k].locals.items[0].whole;
    GameWork *work = g->ahead->work;
    State next = {0};
    uint32_t steps;
    bool found = false;
    while (!found && *turns < MAX_TURNS && !game_is_terminal(work, state)) {
        state_copy(&next, state);
        ++*turns;
        if (game_play_randomly(work, &next, random, 1, &steps) == MATCH_STUCK)
            break;
        lookahead_words(g->ahead, &next, g->part);
        found = !bitset_agree(first, g->part, part_mask(&g->parts, k), g->words);
        if (!found)
            state_copy(state, &next);
    }
    state_free(&next);
    return found;
}

/* A subgame may begin only after another one has changed. Random matches look for such a state. */
static void find_beginning(SubgameDistances *g, uint32_t k) {
    ExploredSubgame *game = &g->games[k];
    State state = {0};
    Random random;
    int turns = 0;
    bool found = false;
    random_seed(&random, k);
    game->is_seeded = true;
    while (turns < MAX_TURNS && !found) {
        state_copy(&state, lookahead_state(g->ahead, game->locals.items[0].whole));
        found = play_until_it_begins(g, k, &random, &turns, &state);
        turns++; /* counted even if the match had ended at once */
    }
    if (found) {
        lookahead_words(g->ahead, &state, g->part);
        game->locals.items[0].whole = keep_words(g, g->part);
        game->locals.items[0].is_looked_at = false;
        put_into_queues(game, 0);
    }
    state_free(&state);
}

/* ---- the interface ---- */

void distances_start(SubgameDistances *g, const uint64_t *words) {
    forget(g);
    for (uint32_t k = 0; k < g->count; k++)
        meet(g, k, words, false);
}

/* The next local to explore; NONE if there is none. Both queues contain all locals. */
static uint32_t next_local(ExploredSubgame *game) {
    uint32_t id = NONE;
    game->takes_by_priority = !game->takes_by_priority;
    while (id == NONE && game->takes_by_priority) {
        while (game->highest && !game->priority_stacks[game->highest].count)
            game->highest--;
        if (!game->priority_stacks[game->highest].count)
            break;
        id = vector_pop(&game->priority_stacks[game->highest]);
        id = game->locals.items[id].is_end || game->locals.items[id].is_looked_at ? NONE : id;
    }
    while (id == NONE && game->head < game->queue.count) {
        id = game->queue.items[game->head++];
        id = game->locals.items[id].is_end || game->locals.items[id].is_looked_at ? NONE : id;
    }
    return id;
}

static bool look_at_next(SubgameDistances *g, uint32_t k) {
    ExploredSubgame *game = &g->games[k];
    uint32_t id = next_local(game);
    if (id == NONE && game->locals.count == 1 && !game->is_seeded) {
        find_beginning(g, k);
        id = next_local(game);
    }
    if (id != NONE)
        look_at(g, k, id);
    return id != NONE;
}

/* Each local takes a place in both queues and in the table. */
static size_t bytes_of(const SubgameDistances *g) {
    return g->arena.bytes + g->arcs * sizeof(Edge) +
           g->locals * (sizeof(Local) + sizeof(Key) + 2 * sizeof(uint32_t) +
                        (g->words + 3) * sizeof(uint64_t));
}

bool distances_explore(SubgameDistances *g, uint32_t count) {
    uint32_t looked = 0, idle = 0;
    while (looked < count && idle < g->count && bytes_of(g) < g->byte_limit) {
        uint32_t k = g->turn, first = looked;
        while (looked < first + STATES_PER_SLICE && look_at_next(g, k))
            looked++;
        idle = looked == first ? idle + 1 : 0;
        g->turn = (k + 1) % g->count;
    }
    return looked >= count;
}

bool distances_has_goal_state(const SubgameDistances *g) {
    bool is_possible = true;
    for (uint32_t k = 0; k < g->count; k++) {
        if (g->games[k].secured >= g->greatest_goal)
            return true;
        is_possible = is_possible && g->games[k].possible >= g->greatest_goal;
    }
    return is_possible;
}

uint64_t distances_count(const SubgameDistances *g) {
    return g->locals;
}

/* ---- best states and distances to them ---- */

/* Computes the distances backwards from the locals of distance 0, breadth first. */
static void measure(ExploredSubgame *game) {
    U32Vector queue = {0};
    Graph graph;
    graph_build(&graph, (uint32_t)game->locals.count, &game->arcs);
    for (uint32_t i = 0; i < game->locals.count; i++)
        if (game->locals.items[i].distance == 0)
            vector_push(&queue, i);
    game->farthest = 0;
    for (size_t head = 0; head < queue.count; head++) {
        uint32_t to = queue.items[head];
        for (uint32_t a = graph.starts[to]; a < graph.starts[to + 1]; a++) {
            Local *from = &game->locals.items[graph.targets[a]];
            if (from->distance != DISTANCE_NEVER)
                continue;
            game->farthest = from->distance = game->locals.items[to].distance + 1;
            vector_push(&queue, graph.targets[a]);
        }
    }
    graph_free(&graph);
    vector_free(&queue);
}

static bool is_best(const Local *local, bool secures, int goal) {
    return secures ? local->least >= goal : local->greatest >= goal;
}

static void aim_at(ExploredSubgame *game, bool secures, int goal) {
    uint64_t best = 0;
    for (size_t i = 0; i < game->locals.count; i++) {
        Local *local = &game->locals.items[i];
        local->distance = is_best(local, secures, goal) ? 0 : DISTANCE_NEVER;
        best += local->distance == 0;
    }
    game->has_aim = best > 0 && best < game->locals.count;
    if (game->has_aim)
        measure(game);
}

/* If single subgames can secure the greatest goal, only the nearest of them is the aim. */
static bool aim_at_one(SubgameDistances *g) {
    uint32_t nearest = NONE;
    for (uint32_t k = 0; k < g->count; k++) {
        ExploredSubgame *game = &g->games[k];
        aim_at(game, true, g->greatest_goal);
        uint32_t distance = game->has_aim ? game->locals.items[0].distance : DISTANCE_NEVER;
        if (distance != DISTANCE_NEVER &&
            (nearest == NONE || distance < g->games[nearest].locals.items[0].distance))
            nearest = k;
    }
    for (uint32_t k = 0; k < g->count && nearest != NONE; k++)
        g->games[k].has_aim = k == nearest;
    return nearest != NONE;
}

void distances_aim(SubgameDistances *g) {
    if (aim_at_one(g))
        return;
    for (uint32_t k = 0; k < g->count; k++)
        aim_at(&g->games[k], false, g->games[k].possible);
}

uint32_t distances_distance(SubgameDistances *g, const uint64_t *words) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < g->count; k++) {
        ExploredSubgame *game = &g->games[k];
        if (!game->has_aim)
            continue;
        State state = state_of(g, words);
        uint32_t id =
            key_table_find_part(&game->keys, 0, &state, part_mask(&g->parts, k), g->words);
        uint32_t distance = id == NONE ? game->farthest + 1 : game->locals.items[id].distance;
        if (distance == DISTANCE_NEVER)
            return DISTANCE_NEVER;
        sum += distance;
    }
    return sum;
}
