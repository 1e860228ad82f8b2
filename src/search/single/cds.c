/* Phases alternate. First the subgames are explored, until they show how the greatest goal could be
 * reached or a number of states is spent; then states of the whole game are searched, for the same
 * number. The number doubles with each round, until the subgames are exhausted. Among states of
 * equal distance the last one is expanded first: depth-first, while distances do not rise. */
#include "search/single/cds.h"

#include <string.h>

#include "search/exact/state_graph.h"
#include "search/single/subgame_distances.h"

enum {
    NONE = UINT32_MAX,
    STATES_BETWEEN_CHECKS = 64, /* states of subgames between two looks at the clock (untuned) */
    FIRST_SLICE_STATES =
        2048,          /* states of the first phase, of subgames or of the whole game (untuned) */
    MAX_BUCKETS = 4096 /* distances from this one on share a bucket (untuned) */
};

/* A state of the whole game: the state before it and the move that led here. */
typedef struct {
    uint32_t parent, move;
} CdsNode;

struct Cds {
    LookAhead ahead;
    SubgameDistances *locals;
    bool is_whole; /* the phase: true if the whole game is searched, false if subgames are explored
                    */
    bool is_explored; /* the subgames are exhausted, or their memory is used up */
    bool is_done, is_over;
    uint64_t slice, left; /* states of this phase, and how many of them are left */
    uint32_t rounds;
    size_t byte_limit; /* bytes for states of the whole game; the subgames may use as many again */
    int greatest_goal;
    VECTOR(CdsNode) nodes;
    KeyTable keys;      /* states of the nodes, by node */
    U32Vector *buckets; /* by distance: open nodes of the whole game, a stack each */
    uint32_t bucket_count, lowest;
    uint64_t looked; /* states of the whole game that were expanded */
    int score;       /* best goal of a terminal state found; GOAL_NONE before the first */
    U32Vector line;  /* moves from the root to that state */
    uint64_t *root;
};

Cds *cds_create(Game *game, const GameParts *parts, size_t byte_limit) {
    Cds *c = memory_zalloc(sizeof *c);
    c->byte_limit = byte_limit / 2;
    lookahead_init(&c->ahead, game);
    c->locals = distances_create(&c->ahead, parts, byte_limit / 2);
    c->greatest_goal = greatest_goal_of(game, 0);
    c->buckets = memory_zalloc(MAX_BUCKETS * sizeof *c->buckets);
    c->root = memory_zalloc((c->ahead.word_count + 1) * sizeof *c->root);
    return c;
}

static void forget(Cds *c) {
    for (uint32_t b = 0; b < c->bucket_count; b++)
        vector_clear(&c->buckets[b]);
    vector_clear(&c->nodes);
    key_table_clear(&c->keys);
    c->lowest = 0;
}

void cds_free(Cds *c) {
    if (!c)
        return;
    forget(c);
    for (uint32_t b = 0; b < MAX_BUCKETS; b++)
        vector_free(&c->buckets[b]);
    distances_free(c->locals);
    lookahead_free(&c->ahead);
    key_table_free(&c->keys);
    vectors_free(&c->nodes, &c->line);
    memory_free(c->buckets, c->root, c);
}

/* ---- states of the whole game ---- */

static size_t bytes_of(const Cds *c) {
    return c->nodes.count * (sizeof(CdsNode) + sizeof(uint32_t) + 2 * sizeof(uint64_t) +
                             c->ahead.word_count * sizeof(uint64_t));
}

static void open_node(Cds *c, uint32_t id, uint32_t distance) {
    uint32_t b = distance < MAX_BUCKETS ? distance : MAX_BUCKETS - 1;
    vector_push(&c->buckets[b], id);
    c->lowest = b < c->lowest ? b : c->lowest;
    c->bucket_count = b >= c->bucket_count ? b + 1 : c->bucket_count;
}

/* Adds a state as an open node, unless it is known or a subgame cannot reach its best any more. */
static void meet(Cds *c, const uint64_t *words, uint32_t parent, uint32_t move) {
    size_t bytes = c->ahead.word_count * sizeof *words;
    if (key_table_find(&c->keys, words, bytes) != KEY_NONE)
        return;
    uint32_t distance = distances_distance(c->locals, words);
    if (distance == DISTANCE_NEVER)
        return;
    vector_push(&c->nodes, ((CdsNode){parent, move}));
    open_node(c, key_table_number(&c->keys, words, bytes), distance);
}

static void remember_line(Cds *c, uint32_t id, uint32_t last_move) {
    vector_clear(&c->line);
    vector_push(&c->line, last_move);
    for (; c->nodes.items[id].parent != NONE; id = c->nodes.items[id].parent)
        vector_push(&c->line, c->nodes.items[id].move);
    for (size_t i = 0, k = c->line.count - 1; i < k; i++, k--) {
        uint32_t move = c->line.items[i];
        c->line.items[i] = c->line.items[k];
        c->line.items[k] = move;
    }
}

static void look_at(Cds *c, uint32_t id) {
    const LookAhead *a = &c->ahead;
    lookahead_all(&c->ahead, key_table_key(&c->keys, id));
    c->looked++;
    for (uint32_t i = 0; i < a->legal.count; i++) {
        if (!a->ends[i]) {
            meet(c, a->successors + (size_t)i * a->word_count, id, a->legal.items[i]);
        } else if (a->goals[i] > c->score) {
            c->score = a->goals[i];
            remember_line(c, id, a->legal.items[i]);
        }
    }
}

/* Expands the most promising open node. False if no node is open. */
static bool search_whole(Cds *c) {
    while (c->lowest < c->bucket_count && !c->buckets[c->lowest].count)
        c->lowest++;
    if (c->lowest == c->bucket_count)
        return false;
    look_at(c, vector_pop(&c->buckets[c->lowest]));
    return true;
}

/* ---- phases ---- */

static void start_whole(Cds *c) {
    forget(c);
    distances_aim(c->locals);
    c->is_whole = true;
    c->left = c->slice;
    meet(c, c->root, NONE, NONE);
}

static void start_subgames(Cds *c) {
    c->is_whole = false;
    c->slice *= 2;
    c->left = c->slice;
    c->rounds++;
}

/* Takes one step of the present phase. In the first round subgames are explored only until they
 * show the goal; later phases use up their number of states. */
static void take_turn(Cds *c) {
    if (!c->is_whole) {
        bool has_more = distances_explore(c->locals, STATES_BETWEEN_CHECKS);
        c->is_explored = !has_more;
        c->left -= c->left < STATES_BETWEEN_CHECKS ? c->left : STATES_BETWEEN_CHECKS;
        if (!has_more || !c->left || (!c->rounds && distances_has_goal_state(c->locals)))
            start_whole(c);
        return;
    }
    bool has_more = search_whole(c) && bytes_of(c) < c->byte_limit;
    c->left -= c->left > 0;
    c->is_done = c->score >= c->greatest_goal || (c->is_explored && !has_more);
    if (!c->is_done && !c->is_explored && (!has_more || !c->left))
        start_subgames(c);
}

/* ---- the interface ---- */

static void enter(Cds *c, const State *state) {
    forget(c);
    vector_clear(&c->line);
    c->score = GOAL_NONE;
    c->is_done = false;
    c->looked = 0;
    c->slice = c->left = FIRST_SLICE_STATES;
    c->rounds = 0;
    lookahead_words(&c->ahead, state, c->root);
    c->is_over = game_is_terminal(c->ahead.work, state);
}

void cds_set_state(Cds *c, const State *state) {
    enter(c, state);
    c->is_whole = c->is_explored = false;
    distances_start(c->locals, c->root);
}

void cds_advance(Cds *c, const State *next) {
    enter(c, next);
    if (c->is_explored)
        start_whole(c);
    else
        cds_set_state(c, next);
}

void cds_run(Cds *c, const SearchBudget *budget) {
    uint64_t first = cds_states(c);
    while (!c->is_done && !c->is_over && !search_must_stop(budget) &&
           !(budget->playouts && cds_states(c) - first >= budget->playouts))
        take_turn(c);
}

bool cds_is_solved(const Cds *c) {
    return c->score != GOAL_NONE && c->score >= c->greatest_goal;
}

int cds_score(const Cds *c) {
    return c->score;
}

const U32Vector *cds_line(const Cds *c) {
    return &c->line;
}

uint64_t cds_states(const Cds *c) {
    return distances_count(c->locals) + c->looked;
}

void cds_solve(Game *game, uint64_t seed, size_t byte_limit, const SearchBudget *budget,
               MtmctsSolution *solution) {
    double started = clock_thread_cpu_seconds();
    Deadline part = deadline_in(deadline_left(budget->deadline) * MTMCTS_DECOMPOSITION_SHARE);
    GameParts parts = mtmcts_find_parts(game, NULL, OVERLAP_NONE, seed, part);
    *solution = (MtmctsSolution){.decomposition_seconds = clock_thread_cpu_seconds() - started};
    Cds *c = cds_create(game, &parts, byte_limit);
    State initial = {0};
    game_initial(c->ahead.work, &initial);
    started = clock_thread_cpu_seconds();
    cds_set_state(c, &initial);
    cds_run(c, budget);
    solution->result = (NestedResult){.has_line = c->score != GOAL_NONE,
                                      .is_best = cds_is_solved(c),
                                      .score = c->score,
                                      .playouts = cds_states(c),
                                      .cpu_seconds = clock_thread_cpu_seconds() - started};
    u32_append(&solution->result.line, &c->line);
    state_free(&initial);
    cds_free(c);
    mtmcts_parts_free(&parts);
}
