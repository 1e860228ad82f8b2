/* One iteration goes down from the present state. Where a legal move was never tried in one of the
 * trees it is tried now, and a random match is played from there unless all trees know where it
 * leads. Else every tree recommends moves, the most recommended with the best expected gain is
 * played, and so on. Moves that end the match are looked at one step ahead: a perfect one is taken
 * at once, the others only when nothing else is left.
 *
 * A move in a node is marked as explored when all that can follow in the tree is marked or ends the
 * match; marks give others precedence and never stop the search. */
#include "search/multitree.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/bitset.h"
#include "base/table.h"
#include "game/bounds.h"
#include "game/goal.h"
#include "game/lanes.h"
#include "search/states.h"

enum {
    NONE = UINT32_MAX,
    DEFAULT_STEP_LIMIT = 10000,
    MOST_DEAD_ENDS = 10000, /* in a row before all marks are forgotten */
    DESCENTS_BETWEEN_LOOKS = 16
};

static const size_t default_byte_limit = (size_t)1 << 30;
static const double tie = 1e-12;

typedef struct {
    uint32_t subgame, depth;
    uint32_t visits;
    uint32_t first_transition;
    const uint64_t *words; /* the subgame's fluents of the state */
} PartNode;

typedef struct {
    uint32_t child; /* node */
    uint32_t next;  /* transition of the same node */
    uint32_t visits;
    double score, greatest, least; /* sums */
} Transition;

/* A move in a node. */
typedef struct {
    uint32_t node, move, transition;
    uint32_t witness; /* position where it was tried first */
    bool is_explored;
} Label;

/* A state of the whole game at a depth, with all that one step ahead shows. */
typedef struct {
    uint32_t depth, move_count;
    const uint64_t *words;
    uint32_t *moves;      /* one for each successor */
    uint64_t *successors; /* word_count a move */
    int *goals;           /* by move; GOAL_NONE where the match goes on */
    bool *ends;           /* by move */
    uint32_t *labels;     /* by move and subgame; NONE: not tried there yet */
    uint32_t *positions;  /* by move: after it; NONE: not found yet */
    uint32_t *nodes;      /* by subgame */
    uint32_t winning;     /* index of a move with the greatest goal; NONE without */
    bool is_tested;       /* every move has a label in every tree */
    bool is_evaluated;
} Position;

typedef enum { EXPANDED, DEAD_END, FINISHED, INCONSISTENT } Outcome;

struct MultiTree {
    Game *game;
    MultiTreeOptions options;
    uint32_t subgame_count, word_count, fluent_count;
    uint32_t *subgame_of; /* by fluent; as MultiTreeParts */
    uint64_t *masks;      /* word_count a subgame */
    int greatest_goal;
    bool joins_by_sum;
    GameWork *work;
    LaneBatch *lanes;
    GoalBounds **bounds; /* one for each 64 subgames */
    Random random;

    VECTOR(PartNode) nodes;
    VECTOR(Transition) transitions;
    VECTOR(Label) labels;
    VECTOR(Position) positions;
    Table node_table, label_table, position_table;
    Table successor_table; /* scratch of one position */
    Arena arena, position_arena;

    State root;
    uint32_t root_depth;
    U32Vector path;       /* transitions, subgame after subgame, step after step */
    U32Vector path_nodes; /* the nodes they leave */
    U32Vector played;     /* moves of the present descent and match */
    U32Vector best_line;
    int best_score;
    bool is_solved;
    uint32_t dead_ends;
    MultiTreeCounts counts;

    /* Scratch. */
    uint64_t *part;
    State state, end;
    U32Vector untested, candidates, legal;
    U32Vector votes;          /* by index of a move */
    VECTOR(double) bounds_of; /* by transition: last bound computed */
    U32Vector stamps;         /* by transition: when */
    uint32_t stamp;
    double *local_greatest, *local_least; /* by subgame */
};

MultiTreeOptions multitree_default_options(void) {
    return (MultiTreeOptions){.exploration = 0.4, .alpha = 0.5};
}

/* ---- the trees ---- */

static uint64_t *mask_of(const MultiTree *t, uint32_t subgame) {
    return t->masks + (size_t)subgame * t->word_count;
}

static uint64_t hash_part(const MultiTree *t, uint32_t subgame, uint32_t depth,
                          const uint64_t *words) {
    const uint64_t *mask = mask_of(t, subgame);
    uint64_t hash = hash_mix(subgame, depth);
    for (uint32_t i = 0; i < t->word_count; i++)
        hash = hash_mix(hash, words[i] & mask[i]);
    return hash_finish(hash);
}

static bool is_part_of(const MultiTree *t, const PartNode *node, const uint64_t *words) {
    const uint64_t *mask = mask_of(t, node->subgame);
    for (uint32_t i = 0; i < t->word_count; i++)
        if ((words[i] & mask[i]) != node->words[i])
            return false;
    return true;
}

/* The node of a subgame for a state; NONE if there is none. */
static uint32_t find_node(const MultiTree *t, uint32_t subgame, uint32_t depth,
                          const uint64_t *words) {
    uint64_t hash = hash_part(t, subgame, depth, words);
    uint32_t id;
    for (TableProbe p = table_probe(&t->node_table, hash); table_next(&t->node_table, &p, &id);) {
        const PartNode *node = &t->nodes.items[id];
        if (node->subgame == subgame && node->depth == depth && is_part_of(t, node, words))
            return id;
    }
    return NONE;
}

static uint32_t node_of(MultiTree *t, uint32_t subgame, uint32_t depth, const uint64_t *words) {
    uint32_t id = find_node(t, subgame, depth, words);
    if (id != NONE)
        return id;
    id = (uint32_t)t->nodes.count;
    uint64_t *own = arena_alloc(&t->arena, t->word_count * sizeof *own);
    const uint64_t *mask = mask_of(t, subgame);
    for (uint32_t i = 0; i < t->word_count; i++)
        own[i] = words[i] & mask[i];
    vector_push(&t->nodes, ((PartNode){subgame, depth, 0, NONE, own}));
    table_insert(&t->node_table, hash_part(t, subgame, depth, words), id);
    return id;
}

static uint32_t find_transition(const MultiTree *t, uint32_t node, uint32_t child) {
    uint32_t id = t->nodes.items[node].first_transition;
    while (id != NONE && t->transitions.items[id].child != child)
        id = t->transitions.items[id].next;
    return id;
}

static uint32_t transition_to(MultiTree *t, uint32_t node, uint32_t child) {
    uint32_t id = find_transition(t, node, child);
    if (id != NONE)
        return id;
    assert(t->nodes.items[child].depth == t->nodes.items[node].depth + 1);
    id = (uint32_t)t->transitions.count;
    vector_push(&t->transitions,
                ((Transition){.child = child, .next = t->nodes.items[node].first_transition}));
    vector_push(&t->bounds_of, 0);
    vector_push(&t->stamps, 0);
    t->nodes.items[node].first_transition = id;
    return id;
}

static uint64_t hash_label(uint32_t node, uint32_t move) {
    return hash_finish(hash_mix(node, move));
}

static uint32_t find_label(const MultiTree *t, uint32_t node, uint32_t move) {
    uint32_t id;
    for (TableProbe p = table_probe(&t->label_table, hash_label(node, move));
         table_next(&t->label_table, &p, &id);)
        if (t->labels.items[id].node == node && t->labels.items[id].move == move)
            return id;
    return NONE;
}

static uint32_t add_label(MultiTree *t, uint32_t node, uint32_t move, uint32_t transition,
                          uint32_t witness) {
    uint32_t id = (uint32_t)t->labels.count;
    vector_push(&t->labels, ((Label){node, move, transition, witness, false}));
    table_insert(&t->label_table, hash_label(node, move), id);
    return id;
}

/* ---- positions of the whole game ---- */

static uint64_t hash_position(const MultiTree *t, uint32_t depth, const uint64_t *words) {
    uint64_t hash = hash_mix(0, depth);
    for (uint32_t i = 0; i < t->word_count; i++)
        hash = hash_mix(hash, words[i]);
    return hash_finish(hash);
}

static uint32_t position_of(MultiTree *t, uint32_t depth, const uint64_t *words) {
    uint64_t hash = hash_position(t, depth, words);
    size_t bytes = t->word_count * sizeof *words;
    uint32_t id;
    for (TableProbe p = table_probe(&t->position_table, hash);
         table_next(&t->position_table, &p, &id);)
        if (t->positions.items[id].depth == depth &&
            memcmp(t->positions.items[id].words, words, bytes) == 0)
            return id;
    id = (uint32_t)t->positions.count;
    uint64_t *own = arena_alloc(&t->position_arena, bytes);
    memcpy(own, words, bytes);
    vector_push(&t->positions, ((Position){.depth = depth, .words = own, .winning = NONE}));
    table_insert(&t->position_table, hash, id);
    return id;
}

static void forget_positions(MultiTree *t) {
    t->positions.count = 0;
    table_clear(&t->position_table);
    arena_free(&t->position_arena);
    t->position_arena = (Arena){0};
    for (size_t i = 0; i < t->labels.count; i++)
        t->labels.items[i].witness = NONE;
}

static void set_state(MultiTree *t, State *state, const uint64_t *words) {
    assert(state->word_count == t->word_count);
    memcpy(state->words, words, t->word_count * sizeof *words);
}

/* Successors of up to 512 moves: one pass for the next states, one for what they are. */
static void look_ahead(MultiTree *t, Position *position, uint32_t first, uint32_t count) {
    uint64_t *successors = position->successors + (size_t)first * t->word_count;
    set_state(t, &t->state, position->words);
    lanes_clear(t->lanes);
    for (uint32_t i = 0; i < count; i++)
        lanes_set(t->lanes, i, &t->state, &position->moves[first + i]);
    lanes_evaluate(t->lanes);
    for (uint32_t i = 0; i < count; i++) {
        lanes_next(t->lanes, i, &t->state);
        memcpy(successors + (size_t)i * t->word_count, t->state.words,
               t->word_count * sizeof *successors);
    }
    lanes_clear(t->lanes);
    for (uint32_t i = 0; i < count; i++) {
        set_state(t, &t->state, successors + (size_t)i * t->word_count);
        lanes_set(t->lanes, i, &t->state, NULL);
    }
    lanes_evaluate(t->lanes);
    for (uint32_t i = 0; i < count; i++) {
        position->ends[first + i] = lanes_is_terminal(t->lanes, i);
        position->goals[first + i] =
            position->ends[first + i] ? lanes_goal(t->lanes, i, 0) : GOAL_NONE;
    }
}

/* Of moves with the same successor the first stands for all. */
static void merge_equal_moves(MultiTree *t, Position *position) {
    size_t bytes = t->word_count * sizeof(uint64_t);
    uint32_t kept = 0;
    table_clear(&t->successor_table);
    for (uint32_t i = 0; i < position->move_count; i++) {
        uint64_t *words = position->successors + (size_t)i * t->word_count;
        uint64_t hash = hash_bytes(words, bytes);
        uint32_t other;
        bool is_known = false;
        for (TableProbe p = table_probe(&t->successor_table, hash);
             !is_known && table_next(&t->successor_table, &p, &other);)
            is_known =
                memcmp(position->successors + (size_t)other * t->word_count, words, bytes) == 0;
        if (is_known)
            continue;
        table_insert(&t->successor_table, hash, kept);
        position->moves[kept] = position->moves[i];
        position->ends[kept] = position->ends[i];
        position->goals[kept] = position->goals[i];
        if (kept != i)
            memcpy(position->successors + (size_t)kept * t->word_count, words, bytes);
        if (position->ends[kept] && position->goals[kept] == t->greatest_goal)
            position->winning = kept;
        kept++;
    }
    position->move_count = kept;
}

static void evaluate_position(MultiTree *t, uint32_t id) {
    Position *position = &t->positions.items[id];
    if (position->is_evaluated)
        return;
    set_state(t, &t->state, position->words);
    game_legal(t->work, &t->state, 0, &t->legal);
    uint32_t count = position->move_count = (uint32_t)t->legal.count;
    Arena *arena = &t->position_arena;
    size_t pairs = (size_t)count * t->subgame_count;
    position->moves = arena_alloc(arena, count * sizeof *position->moves);
    position->successors =
        arena_alloc(arena, (size_t)count * t->word_count * sizeof *position->successors);
    position->goals = arena_alloc(arena, count * sizeof *position->goals);
    position->ends = arena_alloc(arena, count * sizeof *position->ends);
    position->labels = arena_alloc(arena, pairs * sizeof *position->labels);
    position->positions = arena_alloc(arena, count * sizeof *position->positions);
    position->nodes = arena_alloc(arena, t->subgame_count * sizeof *position->nodes);
    if (count)
        memcpy(position->moves, t->legal.items, count * sizeof *position->moves);
    for (size_t i = 0; i < pairs; i++)
        position->labels[i] = NONE;
    for (uint32_t i = 0; i < count; i++)
        position->positions[i] = NONE;
    for (uint32_t first = 0; first < count; first += LANES)
        look_ahead(t, position, first, count - first < LANES ? count - first : LANES);
    merge_equal_moves(t, position);
    for (uint32_t k = 0; k < t->subgame_count; k++)
        position->nodes[k] = node_of(t, k, position->depth, position->words);
    position->is_evaluated = true;
    t->counts.positions++;
}

static const uint64_t *successor_of(const MultiTree *t, const Position *position, uint32_t index) {
    return position->successors + (size_t)index * t->word_count;
}

static uint32_t *label_of(const MultiTree *t, const Position *position, uint32_t index,
                          uint32_t subgame) {
    return &position->labels[(size_t)index * t->subgame_count + subgame];
}

/* ---- decompositions that turn out wrong ---- */

static void forget_trees(MultiTree *t) {
    forget_positions(t);
    t->nodes.count = t->transitions.count = t->labels.count = 0;
    t->bounds_of.count = t->stamps.count = 0;
    table_clear(&t->node_table);
    table_clear(&t->label_table);
    arena_free(&t->arena);
    t->arena = (Arena){0};
}

static void make_masks(MultiTree *t) {
    memset(t->masks, 0, (size_t)t->subgame_count * t->word_count * sizeof *t->masks);
    for (uint32_t f = 0; f < t->fluent_count; f++)
        for (uint32_t k = 0; k < t->subgame_count; k++)
            if (t->subgame_of[f] == k || t->subgame_of[f] == MULTITREE_EVERYWHERE)
                bitset_set(mask_of(t, k), f);
}

static void free_bounds(MultiTree *t, uint32_t subgames) {
    for (uint32_t i = 0; t->bounds && i * BOUNDS_MOST_PARTS < subgames; i++)
        bounds_free(t->bounds[i]);
    free(t->bounds);
    t->bounds = NULL;
}

static void make_bounds(MultiTree *t) {
    uint32_t groups = (t->subgame_count + BOUNDS_MOST_PARTS - 1) / BOUNDS_MOST_PARTS;
    t->bounds = memory_zalloc((groups + 1) * sizeof(GoalBounds *));
    uint64_t *parts_of = memory_alloc((t->fluent_count + 1) * sizeof *parts_of);
    for (uint32_t g = 0; g < groups; g++) {
        uint32_t first = g * BOUNDS_MOST_PARTS;
        uint32_t count = t->subgame_count - first;
        if (count > BOUNDS_MOST_PARTS)
            count = BOUNDS_MOST_PARTS;
        for (uint32_t f = 0; f < t->fluent_count; f++) {
            uint32_t subgame = t->subgame_of[f];
            parts_of[f] = subgame == MULTITREE_EVERYWHERE ? ~UINT64_C(0) : 0;
            if (subgame >= first && subgame < first + count)
                parts_of[f] = UINT64_C(1) << (subgame - first);
        }
        t->bounds[g] = bounds_create(t->game, parts_of, count);
    }
    free(parts_of);
}

/* Joins the marked subgames with the first of them; with none but one, the fluents that no tree
 * looks at are what made the difference, and from now on all do. */
static void join_subgames(MultiTree *t, const bool *joined) {
    uint32_t *number = memory_alloc((t->subgame_count + 1) * sizeof *number);
    uint32_t old = t->subgame_count, count = 0, target = NONE, members = 0;
    for (uint32_t k = 0; k < old; k++)
        members += joined[k];
    for (uint32_t k = 0; k < old; k++) {
        if (joined[k] && target != NONE) {
            number[k] = target;
            continue;
        }
        number[k] = count++;
        if (joined[k])
            target = number[k];
    }
    for (uint32_t f = 0; f < t->fluent_count; f++) {
        if (t->subgame_of[f] < old)
            t->subgame_of[f] = number[t->subgame_of[f]];
        else if (members < 2 && t->subgame_of[f] == MULTITREE_NOWHERE)
            t->subgame_of[f] = MULTITREE_EVERYWHERE;
    }
    free(number);
    free_bounds(t, old);
    t->subgame_count = count;
    forget_trees(t);
    make_masks(t);
    make_bounds(t);
    t->counts.illegal_merges++;
}

/* A move in a node led elsewhere before: what differed between then and now belongs together. */
static void resolve_inconsistency(MultiTree *t, const Label *label, const Position *now) {
    uint32_t subgame = t->nodes.items[label->node].subgame;
    bool *joined = memory_zalloc(t->subgame_count + 1);
    joined[subgame] = true;
    for (uint32_t k = 0; k < t->subgame_count; k++)
        joined[k] |=
            label->witness == NONE || t->positions.items[label->witness].nodes[k] != now->nodes[k];
    join_subgames(t, joined);
    free(joined);
}

/* ---- one iteration ---- */

/* Fills in labels that other positions have brought into the nodes; the moves that still lack one
 * go to `untested`. False if a label contradicts what the move does here. */
static bool find_untested(MultiTree *t, uint32_t id) {
    Position *position = &t->positions.items[id];
    t->untested.count = 0;
    for (uint32_t i = 0; i < position->move_count; i++) {
        bool is_tested = true;
        for (uint32_t k = 0; k < t->subgame_count; k++) {
            uint32_t *label = label_of(t, position, i, k);
            if (*label != NONE)
                continue;
            *label = find_label(t, position->nodes[k], position->moves[i]);
            if (*label == NONE) {
                is_tested = false;
                continue;
            }
            const Label *known = &t->labels.items[*label];
            uint32_t child = t->transitions.items[known->transition].child;
            if (!is_part_of(t, &t->nodes.items[child], successor_of(t, position, i))) {
                resolve_inconsistency(t, known, position);
                return false;
            }
        }
        if (!is_tested)
            vector_push(&t->untested, i);
    }
    return true;
}

static void enter(MultiTree *t, const Position *position, uint32_t index) {
    for (uint32_t k = 0; k < t->subgame_count; k++) {
        vector_push(&t->path_nodes, position->nodes[k]);
        vector_push(&t->path, t->labels.items[*label_of(t, position, index, k)].transition);
    }
    vector_push(&t->played, position->moves[index]);
}

static void label_in_all_trees(MultiTree *t, uint32_t id, uint32_t index) {
    Position *position = &t->positions.items[id];
    for (uint32_t k = 0; k < t->subgame_count; k++) {
        uint32_t *label = label_of(t, position, index, k);
        if (*label != NONE)
            continue;
        uint32_t child = node_of(t, k, position->depth + 1, successor_of(t, position, index));
        uint32_t transition = transition_to(t, position->nodes[k], child);
        *label = add_label(t, position->nodes[k], position->moves[index], transition, id);
    }
}

/* Whether some tree has no transition yet to where the move leads. */
static bool leads_somewhere_new(const MultiTree *t, const Position *position, uint32_t index) {
    for (uint32_t k = 0; k < t->subgame_count; k++) {
        uint32_t child = find_node(t, k, position->depth + 1, successor_of(t, position, index));
        if (child == NONE || find_transition(t, position->nodes[k], child) == NONE)
            return true;
    }
    return false;
}

static void remember_line(MultiTree *t, int score) {
    if (score <= t->best_score)
        return;
    t->best_score = score;
    t->best_line.count = 0;
    for (size_t i = 0; i < t->played.count; i++)
        vector_push(&t->best_line, t->played.items[i]);
    t->is_solved = score >= t->greatest_goal;
}

static double scaled(const MultiTree *t, int goal) {
    return goal <= 0 || t->greatest_goal <= 0 ? 0 : (double)goal / t->greatest_goal;
}

static void back_up(MultiTree *t, int goal, const State *end) {
    double score = scaled(t, goal);
    for (uint32_t k = 0; k < t->subgame_count; k++) {
        int least, greatest;
        if (k % BOUNDS_MOST_PARTS == 0)
            bounds_evaluate(t->bounds[k / BOUNDS_MOST_PARTS], end);
        bounds_goal(t->bounds[k / BOUNDS_MOST_PARTS], k % BOUNDS_MOST_PARTS, 0, &least, &greatest);
        t->local_least[k] = scaled(t, least);
        t->local_greatest[k] = scaled(t, greatest);
        t->joins_by_sum |= t->subgame_count > 1 && least >= t->greatest_goal && least > 0;
    }
    for (size_t i = 0; i < t->path.count; i++) {
        uint32_t k = (uint32_t)(i % t->subgame_count);
        Transition *transition = &t->transitions.items[t->path.items[i]];
        t->nodes.items[t->path_nodes.items[i]].visits++;
        transition->visits++;
        transition->score += score;
        transition->greatest += t->local_greatest[k];
        transition->least += t->local_least[k];
    }
}

/* A random match from the state on; its moves are added to those played if it is worth keeping. */
static void play_out(MultiTree *t, const uint64_t *words) {
    Random before = t->random;
    uint32_t steps, limit = t->options.step_limit ? t->options.step_limit : DEFAULT_STEP_LIMIT;
    set_state(t, &t->end, words);
    MatchEnd end = game_play_randomly(t->work, &t->end, &t->random, limit, &steps);
    int goal = end == MATCH_TERMINAL ? game_goal(t->work, &t->end, 0) : GOAL_NONE;
    t->counts.playouts++;
    back_up(t, goal, &t->end);
    if (goal <= t->best_score)
        return;
    set_state(t, &t->state, words);
    for (uint32_t i = 0; i < steps; i++) { /* the same match again, for its moves */
        game_legal(t->work, &t->state, 0, &t->legal);
        uint32_t move = t->legal.items[random_below(&before, t->legal.count)];
        vector_push(&t->played, move);
        game_next(t->work, &t->state, &move, &t->end);
        set_state(t, &t->state, t->end.words);
    }
    assert(end != MATCH_TERMINAL || game_goal(t->work, &t->state, 0) == goal);
    remember_line(t, goal);
}

static Outcome expand(MultiTree *t, uint32_t id) {
    while (t->untested.count) {
        size_t drawn = random_below(&t->random, t->untested.count);
        uint32_t index = t->untested.items[drawn];
        t->untested.items[drawn] = t->untested.items[--t->untested.count];
        bool is_new = leads_somewhere_new(t, &t->positions.items[id], index);
        label_in_all_trees(t, id, index);
        if (!is_new)
            continue;
        const Position *position = &t->positions.items[id];
        enter(t, position, index);
        play_out(t, successor_of(t, position, index));
        return EXPANDED;
    }
    t->positions.items[id].is_tested = true;
    return FINISHED;
}

/* Marks the move that led here in every tree where nothing is left to explore below it. */
static void mark_explored(MultiTree *t, const Position *position, const uint32_t *previous) {
    for (uint32_t k = 0; k < t->subgame_count; k++) {
        bool is_done = true;
        for (uint32_t i = 0; i < position->move_count && is_done; i++)
            is_done =
                position->ends[i] || t->labels.items[*label_of(t, position, i, k)].is_explored;
        if (is_done)
            t->labels.items[previous[k]].is_explored = true;
    }
}

static double local_estimate(const MultiTree *t, const Transition *transition) {
    switch (t->options.local) {
    case LOCAL_GREATEST:
        return transition->greatest;
    case LOCAL_LEAST:
        return transition->least;
    case LOCAL_MIDDLE:
        return (transition->greatest + transition->least) / 2;
    }
    return 0;
}

static double upper_bound(MultiTree *t, uint32_t id, double exploration) {
    if (t->stamps.items[id] == t->stamp)
        return t->bounds_of.items[id];
    const Transition *transition = &t->transitions.items[id];
    double n = transition->visits;
    double bound = INFINITY;
    if (n > 0)
        bound = (t->options.alpha * transition->score +
                 (1 - t->options.alpha) * local_estimate(t, transition)) /
                    n +
                exploration / sqrt(n);
    t->stamps.items[id] = t->stamp;
    t->bounds_of.items[id] = bound;
    return bound;
}

/* Adds a vote for each move that leads to a transition of the greatest bound in this tree. */
static void vote(MultiTree *t, const Position *position, uint32_t subgame, double exploration) {
    bool has_unexplored = false;
    for (size_t i = 0; i < t->candidates.count && !has_unexplored; i++)
        has_unexplored =
            !t->labels.items[*label_of(t, position, t->candidates.items[i], subgame)].is_explored;
    uint32_t visits = t->nodes.items[position->nodes[subgame]].visits;
    double factor = visits ? exploration * sqrt(log(visits)) : 0;
    double best = -INFINITY;
    t->stamp++;
    for (size_t i = 0; i < t->candidates.count; i++) {
        const Label *label =
            &t->labels.items[*label_of(t, position, t->candidates.items[i], subgame)];
        if (has_unexplored && label->is_explored)
            continue;
        double bound = upper_bound(t, label->transition, factor);
        best = bound > best ? bound : best;
    }
    double enough = isinf(best) ? best : best - tie * fmax(1, fabs(best));
    for (size_t i = 0; i < t->candidates.count; i++) {
        const Label *label =
            &t->labels.items[*label_of(t, position, t->candidates.items[i], subgame)];
        if ((!has_unexplored || !label->is_explored) &&
            t->bounds_of.items[label->transition] >= enough)
            t->votes.items[t->candidates.items[i]]++;
    }
}

static bool is_explored_everywhere(const MultiTree *t, const Position *position, uint32_t index) {
    for (uint32_t k = 0; k < t->subgame_count; k++)
        if (!t->labels.items[*label_of(t, position, index, k)].is_explored)
            return false;
    return true;
}

/* The expected score of a move from the trees' scores of it. */
static double expected_gain(const MultiTree *t, const Position *position, uint32_t index) {
    bool by_sum = t->options.join == JOIN_SUM || (t->options.join == JOIN_AUTO && t->joins_by_sum);
    double gain = by_sum ? 0 : 1;
    for (uint32_t k = 0; k < t->subgame_count; k++) {
        const Transition *transition =
            &t->transitions.items[t->labels.items[*label_of(t, position, index, k)].transition];
        double mean = transition->visits ? transition->score / transition->visits : 0;
        gain = by_sum ? gain + mean : gain * mean;
    }
    return gain;
}

/* Of the candidates those with the most votes, of these those with something left to explore, of
 * these the one with the greatest gain. */
static uint32_t choose(MultiTree *t, const Position *position, double exploration) {
    t->votes.count = 0;
    for (uint32_t i = 0; i < position->move_count; i++)
        vector_push(&t->votes, 0);
    for (uint32_t k = 0; k < t->subgame_count; k++)
        vote(t, position, k, exploration);
    uint32_t most = 0;
    for (size_t i = 0; i < t->candidates.count; i++)
        if (t->votes.items[t->candidates.items[i]] > most)
            most = t->votes.items[t->candidates.items[i]];
    size_t kept = 0, unexplored = 0;
    for (size_t i = 0; i < t->candidates.count; i++)
        if (t->votes.items[t->candidates.items[i]] == most)
            t->candidates.items[kept++] = t->candidates.items[i];
    for (size_t i = 0; i < kept; i++)
        if (!is_explored_everywhere(t, position, t->candidates.items[i])) {
            uint32_t index = t->candidates.items[i];
            t->candidates.items[i] = t->candidates.items[unexplored];
            t->candidates.items[unexplored++] = index;
        }
    if (unexplored)
        kept = unexplored;
    uint32_t chosen = NONE, equals = 0;
    double best = -1;
    for (size_t i = 0; i < kept; i++) {
        double gain = expected_gain(t, position, t->candidates.items[i]);
        if (gain > best) {
            best = gain;
            equals = 0;
        }
        if (gain == best && random_below(&t->random, ++equals) == 0)
            chosen = t->candidates.items[i];
    }
    return chosen;
}

static void find_candidates(MultiTree *t, const Position *position) {
    t->candidates.count = 0;
    for (uint32_t i = 0; i < position->move_count; i++)
        if (!position->ends[i] || t->options.keeps_terminal_moves)
            vector_push(&t->candidates, i);
}

/* The end of a match inside the trees. */
static Outcome finish(MultiTree *t, const Position *position, uint32_t index) {
    enter(t, position, index);
    set_state(t, &t->end, successor_of(t, position, index));
    back_up(t, position->goals[index], &t->end);
    t->counts.playouts++;
    remember_line(t, position->goals[index]);
    return EXPANDED;
}

static uint32_t position_after(MultiTree *t, const Position *position, uint32_t index) {
    uint32_t *after = &position->positions[index];
    if (*after == NONE)
        *after = position_of(t, position->depth + 1, successor_of(t, position, index));
    return *after;
}

static Outcome iterate(MultiTree *t) {
    uint32_t id = position_of(t, t->root_depth, t->root.words);
    t->path.count = t->path_nodes.count = t->played.count = 0;
    const uint32_t *previous = NULL;
    for (;;) {
        evaluate_position(t, id);
        if (!t->positions.items[id].is_tested) {
            if (!find_untested(t, id))
                return INCONSISTENT;
            if (expand(t, id) == EXPANDED)
                return EXPANDED;
        }
        const Position *position = &t->positions.items[id];
        if (position->winning != NONE)
            return finish(t, position, position->winning);
        if (previous && !t->options.forgets_explored)
            mark_explored(t, position, previous);
        find_candidates(t, position);
        if (!t->candidates.count)
            return DEAD_END;
        uint32_t index = choose(t, position, t->options.exploration);
        if (position->ends[index])
            return finish(t, position, index);
        enter(t, position, index);
        previous = label_of(t, position, index, 0);
        id = position_after(t, position, index);
    }
}

/* ---- the interface ---- */

MultiTree *multitree_create(Game *game, const MultiTreeParts *parts,
                            const MultiTreeOptions *options) {
    if (!game_has_circuit(game) || game->role_count != 1 || parts->count == 0)
        return NULL;
    MultiTree *t = memory_zalloc(sizeof *t);
    t->game = game;
    t->options = *options;
    t->fluent_count = game->circuit->fluent_count;
    t->word_count = (uint32_t)bitset_words(t->fluent_count);
    t->subgame_count = parts->count;
    t->subgame_of = memory_alloc((t->fluent_count + 1) * sizeof *t->subgame_of);
    memcpy(t->subgame_of, parts->subgame_of, t->fluent_count * sizeof *t->subgame_of);
    t->masks = memory_alloc(((size_t)t->subgame_count * t->word_count + 1) * sizeof *t->masks);
    t->greatest_goal = states_greatest_goal(game, 0);
    t->work = game_work(game, REASONER_SCALAR);
    t->lanes = lanes_create(game);
    t->local_greatest = memory_zalloc((t->subgame_count + 1) * sizeof *t->local_greatest);
    t->local_least = memory_zalloc((t->subgame_count + 1) * sizeof *t->local_least);
    random_seed(&t->random, options->seed);
    make_masks(t);
    make_bounds(t);
    game_initial(t->work, &t->root);
    multitree_set_state(t, &t->root);
    return t;
}

void multitree_free(MultiTree *t) {
    if (!t)
        return;
    forget_trees(t);
    free_bounds(t, t->subgame_count);
    lanes_free(t->lanes);
    game_work_free(t->work);
    table_free(&t->node_table);
    table_free(&t->label_table);
    table_free(&t->position_table);
    table_free(&t->successor_table);
    vector_free(&t->nodes);
    vector_free(&t->transitions);
    vector_free(&t->labels);
    vector_free(&t->positions);
    vector_free(&t->path);
    vector_free(&t->path_nodes);
    vector_free(&t->played);
    vector_free(&t->best_line);
    vector_free(&t->untested);
    vector_free(&t->candidates);
    vector_free(&t->legal);
    vector_free(&t->votes);
    vector_free(&t->bounds_of);
    vector_free(&t->stamps);
    state_free(&t->root);
    state_free(&t->state);
    state_free(&t->end);
    free(t->local_greatest);
    free(t->local_least);
    free(t->masks);
    free(t->subgame_of);
    free(t);
}

static void copy_state(MultiTree *t, State *to, const State *from) {
    if (to != from)
        state_copy(to, from);
    if (to->word_count < t->word_count) {
        to->words = memory_realloc(to->words, t->word_count * sizeof *to->words);
        memset(to->words + to->word_count, 0, (t->word_count - to->word_count) * sizeof *to->words);
        to->word_count = t->word_count;
    }
}

static void forget_match(MultiTree *t) {
    t->best_line.count = 0;
    t->best_score = GOAL_NONE;
    t->is_solved = false;
}

void multitree_set_state(MultiTree *t, const State *state) {
    copy_state(t, &t->root, state);
    copy_state(t, &t->state, state);
    copy_state(t, &t->end, state);
    forget_trees(t);
    forget_match(t);
    t->root_depth = 0;
    t->counts = (MultiTreeCounts){0};
}

void multitree_advance(MultiTree *t, uint32_t move, const State *next) {
    copy_state(t, &t->root, next);
    t->root_depth++;
    if (t->best_line.count && t->best_line.items[0] == move)
        memmove(t->best_line.items, t->best_line.items + 1,
                --t->best_line.count * sizeof *t->best_line.items);
    else
        forget_match(t);
    t->counts.descents = t->counts.playouts = 0;
    t->counts.cpu_seconds = 0;
}

static size_t bytes_of(const MultiTree *t) {
    return t->arena.bytes + t->position_arena.bytes + t->nodes.capacity * sizeof(PartNode) +
           t->labels.capacity * sizeof(Label) + t->transitions.capacity * sizeof(Transition);
}

/* When memory runs out, positions go first; they are found again. Trees that are too large by
 * themselves start over. */
static void stay_within_memory(MultiTree *t) {
    size_t limit = t->options.byte_limit ? t->options.byte_limit : default_byte_limit;
    if (bytes_of(t) <= limit)
        return;
    forget_positions(t);
    if (bytes_of(t) > limit / 2)
        forget_trees(t);
}

/* Dead ends without end: the marks have closed what is still open. */
static void reopen(MultiTree *t) {
    for (size_t i = 0; i < t->labels.count; i++)
        t->labels.items[i].is_explored = false;
    t->dead_ends = 0;
}

void multitree_run(MultiTree *t, const SearchBudget *budget) {
    double started = clock_cpu_seconds();
    uint64_t first = t->counts.playouts, first_descent = t->counts.descents;
    set_state(t, &t->state, t->root.words);
    bool is_over = game_is_terminal(t->work, &t->state);
    for (uint32_t since_look = 0; !is_over && !t->is_solved; since_look++) {
        if (since_look % DESCENTS_BETWEEN_LOOKS == 0) {
            if (deadline_passed(budget->deadline) ||
                (budget->stopped && __atomic_load_n(budget->stopped, __ATOMIC_RELAXED)))
                break;
            stay_within_memory(t);
        }
        if ((budget->playouts && t->counts.playouts - first >= budget->playouts) ||
            (t->options.descent_limit &&
             t->counts.descents - first_descent >= t->options.descent_limit))
            break;
        Outcome outcome = iterate(t);
        t->counts.descents++;
        t->dead_ends = outcome == DEAD_END ? t->dead_ends + 1 : 0;
        if (t->dead_ends >= MOST_DEAD_ENDS)
            reopen(t);
    }
    t->counts.cpu_seconds += clock_cpu_seconds() - started;
}

bool multitree_is_solved(const MultiTree *t) {
    return t->is_solved;
}

const U32Vector *multitree_best_line(const MultiTree *t) {
    return &t->best_line;
}

MultiTreeCounts multitree_counts(const MultiTree *t) {
    MultiTreeCounts counts = t->counts;
    counts.nodes = t->nodes.count;
    counts.transitions = t->transitions.count;
    counts.subgames = t->subgame_count;
    counts.best_score = t->best_score;
    return counts;
}

static int compare_moves(const void *a, const void *b) {
    const MultiTreeMove *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

static void put_first(MultiTreeMoves *moves, uint32_t move) {
    for (size_t i = 0; i < moves->count; i++)
        if (moves->items[i].move == move) {
            MultiTreeMove first = moves->items[i];
            memmove(moves->items + 1, moves->items, i * sizeof first);
            moves->items[0] = first;
            return;
        }
}

/* Of moves that end the match the score is known; the others have the mean over the trees. What the
 * trees would choose without exploring comes first unless an end is better; a match that reached
 * the greatest goal goes before both. */
void multitree_moves(MultiTree *t, MultiTreeMoves *moves) {
    moves->count = 0;
    uint32_t id = position_of(t, t->root_depth, t->root.words);
    evaluate_position(t, id);
    bool is_known = find_untested(t, id);
    const Position *position = &t->positions.items[id];
    for (uint32_t i = 0; is_known && i < position->move_count; i++) {
        MultiTreeMove move = {.move = position->moves[i], .ends = position->ends[i]};
        double sum = 0;
        for (uint32_t k = 0; k < t->subgame_count; k++) {
            uint32_t label = *label_of(t, position, i, k);
            if (label == NONE)
                continue;
            const Transition *transition = &t->transitions.items[t->labels.items[label].transition];
            move.visits = transition->visits > move.visits ? transition->visits : move.visits;
            sum += transition->visits ? transition->score / transition->visits : 0;
        }
        move.value = move.ends ? scaled(t, position->goals[i]) : sum / t->subgame_count;
        vector_push(moves, move);
    }
    if (moves->count > 1)
        qsort(moves->items, moves->count, sizeof *moves->items, compare_moves);
    if (is_known && !t->untested.count && moves->count) {
        find_candidates(t, position);
        double best_end = -1;
        for (size_t i = 0; i < moves->count; i++)
            if (moves->items[i].ends && moves->items[i].value > best_end)
                best_end = moves->items[i].value;
        if (t->candidates.count) {
            uint32_t chosen = position->moves[choose(t, position, 0)];
            for (size_t i = 0; i < moves->count; i++)
                if (moves->items[i].move == chosen && moves->items[i].value >= best_end) {
                    put_first(moves, chosen);
                    break;
                }
        }
    }
    if (t->best_line.count && t->best_score > 0)
        put_first(moves, t->best_line.items[0]);
}
