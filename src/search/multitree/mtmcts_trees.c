/* One iteration descends from the present state. A legal move that some tree has not tried is
 * tried, and followed by a playout unless all trees know where it leads. Otherwise every tree
 * recommends moves, and the descent makes the most recommended move with the best expected gain.
 * Moves that end the match are seen one step ahead: one with the greatest goal is made at once,
 * others last. */
#include "search/multitree/mtmcts_trees.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "search/exact/state_graph.h"
#include "search/multitree/mtmcts_internal.h"

/* With KEYS_DEPTH, as published, a move in a node is marked as explored when everything that can
 * follow in the tree is marked or ends the match. Marks give other moves precedence and never stop
 * the search. With KEYS_PASSAGE there are no marks, since a node stands for positions with any
 * number of moves made elsewhere. Instead a dead end, a position all of whose moves end the match,
 * closes the move of the whole game's position that led to it. A position whose moves are all
 * closed is a dead end too. Closed moves lead to nothing better than the best line; when all moves
 * of the first position are closed, the search is exhausted.
 *
 * After a long run of playouts with the same result in all trees, values give no direction. Then
 * descents go to the nearest untried move (mtmcts_untried.c), and a playout is made for a new
 * node, not for every new transition. */

enum {
    MAX_DEAD_ENDS = 10000, /* dead ends in a row before marks or trees are discarded (untuned) */
    MANY_ALIKE = 10000,    /* playouts in a row with one result: values are useless (untuned) */
    DESCENTS_BETWEEN_LOOKS =
        16 /* descents between two looks at the clock and the memory (untuned) */
};

typedef enum { EXPANDED, LABELLED, DEAD_END, FINISHED, INCONSISTENT } Outcome;

TreesOptions mtmcts_trees_default_options(void) {
    return (TreesOptions){TREES_DEFAULTS, .step_limit = DEFAULT_STEP_LIMIT,
                          .byte_limit = SEARCH_DEFAULT_NODE_BYTES};
}

/* ---- one iteration ---- */

static void remember_line(MtmctsTrees *t, int score) {
    if (score <= t->best_score)
        return;
    t->best_score = score;
    u32_copy(&t->best_line, &t->played);
    t->is_solved = score >= t->greatest_goal;
}

static double scaled(const MtmctsTrees *t, int goal) {
    return goal <= 0 || t->greatest_goal <= 0 ? 0 : (double)goal / t->greatest_goal;
}

/* Counts a visit of the transition at this index of the path, once per descent. True the first
 * time. A transition that is taken repeatedly while moves are made elsewhere is one decision. */
static bool count_visit(MtmctsTrees *t, size_t place) {
    Transition *transition = &t->transitions.items[t->path.items[place]];
    if (transition->descent == t->descent)
        return false;
    transition->descent = t->descent;
    transition->visits++;
    t->nodes.items[t->path_nodes.items[place]].visits++;
    return true;
}

/* Counts playouts in a row with the same result. */
static void count_alike(MtmctsTrees *t, bool is_alike) {
    t->equal_playouts = is_alike ? t->equal_playouts + 1 : 0;
    t->was_uninformative |= t->equal_playouts >= MANY_ALIKE;
}

static void back_up(MtmctsTrees *t, int goal, const State *end) {
    double score = scaled(t, goal);
    bool is_alike = score == t->last_score;
    for (uint32_t k = 0; k < t->parts.count; k++) {
        int least, greatest;
        if (k % BOUNDS_MAX_PARTS == 0)
            part_masks_evaluate(&t->parts, k, end);
        part_masks_goal(&t->parts, k, 0, &least, &greatest);
        is_alike &=
            t->local_least[k] == scaled(t, least) && t->local_greatest[k] == scaled(t, greatest);
        t->local_least[k] = scaled(t, least);
        t->local_greatest[k] = scaled(t, greatest);
        t->joins_by_sum |= t->parts.count > 1 && least >= t->greatest_goal && least > 0;
    }
    t->last_score = score;
    count_alike(t, is_alike);
    for (size_t i = 0; i < t->path.count; i++) {
        uint32_t k = (uint32_t)(i % t->parts.count);
        Transition *transition = &t->transitions.items[t->path.items[i]];
        if (!count_visit(t, i))
            continue;
        transition->score += score;
        transition->greatest += t->local_greatest[k];
        transition->least += t->local_least[k];
        mtmcts_trees_refresh(t, transition);
    }
}

static void put_words(const MtmctsTrees *t, State *state, const uint64_t *words) {
    assert(words);
    assert(state->word_count == t->word_count);
    memcpy(state->words, words, t->word_count * sizeof *words);
}

/* Sets t->legal to the moves among which a playout chooses. */
static void find_playout_moves(MtmctsTrees *t, const State *state) {
    size_t kept = 0;
    game_legal(t->ahead.work, state, 0, &t->legal);
    for (size_t i = 0; t->last_resort_moves && i < t->legal.count; i++)
        if (!bitset_get(t->last_resort_moves, t->legal.items[i]))
            t->legal.items[kept++] = t->legal.items[i];
    if (kept)
        t->legal.count = kept;
}

static MatchEnd play_randomly(MtmctsTrees *t, State *state, uint32_t limit, uint32_t *steps) {
    if (!t->last_resort_moves)
        return game_play_randomly(t->ahead.work, state, &t->random, limit, steps);
    for (*steps = 0; !game_is_terminal(t->ahead.work, state); ++*steps) {
        find_playout_moves(t, state);
        if (!t->legal.count || *steps == limit)
            return t->legal.count ? MATCH_TOO_LONG : MATCH_STUCK;
        game_next(t->ahead.work, state, &t->legal.items[random_below(&t->random, t->legal.count)],
                  state);
    }
    return MATCH_TERMINAL;
}

/* Plays a random match from the state, backs it up, and keeps its line if it is the best so far. */
static void play_out(MtmctsTrees *t, const uint64_t *words) {
    Random before = t->random;
    uint32_t steps;
    put_words(t, &t->end, words);
    MatchEnd end = play_randomly(t, &t->end, t->options.step_limit, &steps);
    int goal = end == MATCH_TERMINAL ? game_goal(t->ahead.work, &t->end, 0) : GOAL_NONE;
    t->counts.playouts++;
    back_up(t, goal, &t->end);
    if (goal <= t->best_score)
        return;
    put_words(t, &t->state, words);
    for (uint32_t i = 0; i < steps; i++) { /* replays the match to find its moves */
        find_playout_moves(t, &t->state);
        uint32_t move = t->legal.items[random_below(&before, t->legal.count)];
        vector_push(&t->played, move);
        game_next(t->ahead.work, &t->state, &move, &t->end);
        put_words(t, &t->state, t->end.words);
    }
    assert(end != MATCH_TERMINAL || game_goal(t->ahead.work, &t->state, 0) == goal);
    remember_line(t, goal);
}

/* Moves with the greatest goal are not backed up here: iterate() makes them at once. */
void mtmcts_trees_look_at(MtmctsTrees *t, uint32_t id) {
    if (t->positions.items[id].is_evaluated)
        return;
    mtmcts_trees_look_ahead(t, id);
    const TreesPosition *position = &t->positions.items[id];
    for (uint32_t i = 0; i < position->move_count; i++)
        if (bitset_get(position->ends, position->moves[i]) &&
            position->goals[i] < t->greatest_goal) {
            vector_push(&t->played, position->moves[i]);
            remember_line(t, position->goals[i]);
            t->played.count--;
        }
}

/* Expands the first position of a descent and finds its nodes. */
static void begin_descent(MtmctsTrees *t, uint32_t id) {
    t->path.count = t->path_nodes.count = t->path_positions.count = t->played.count = 0;
    t->descent++;
    mtmcts_trees_look_at(t, id);
    const TreesPosition *position = &t->positions.items[id];
    for (uint32_t k = 0; k < t->parts.count; k++) {
        uint32_t node = mtmcts_trees_node(t, k, position->depth, position->words);
        position->nodes[k] = mtmcts_trees_passage(t, node, false);
    }
}

/* True if the last move changed nothing in any tree. */
static bool is_idle(const MtmctsTrees *t) {
    for (uint32_t k = 0; k < t->parts.count; k++) {
        size_t last = t->path.count - t->parts.count + k;
        if (!is_same_base(t, t->path_nodes.items[last],
                          t->transitions.items[t->path.items[last]].child))
            return false;
    }
    return true;
}

/* Expands the position that the last move led to and finds its nodes. False if they are not the
 * ones that the trees expect: the decomposition is inconsistent. */
static bool enter_position(MtmctsTrees *t, uint32_t id, uint32_t before, uint32_t index) {
    bool is_repeated = is_idle(t);
    mtmcts_trees_look_at(t, id);
    const TreesPosition *position = &t->positions.items[id];
    size_t last = t->path.count - t->parts.count;
    for (uint32_t k = 0; k < t->parts.count; k++) {
        uint32_t expected = t->transitions.items[t->path.items[last + k]].child;
        bool is_new = position->nodes[k] == TREES_NONE;
        if (is_new ? !mtmcts_trees_is_part(t, expected, position->words)
                   : !is_same_base(t, expected, position->nodes[k])) {
            mtmcts_trees_resolve(t, k, t->positions.items[before].moves[index], before);
            return false;
        }
        bool is_return = is_repeated || !is_same_base(t, expected, t->path_nodes.items[last + k]);
        position->nodes[k] = mtmcts_trees_passage(t, expected, is_return);
    }
    return true;
}

static void play(MtmctsTrees *t, uint32_t id, uint32_t index) {
    const TreesPosition *position = &t->positions.items[id];
    assert(index < position->move_count);
    uint32_t move = position->moves[index];
    vector_push(&t->path_positions, id);
    for (uint32_t k = 0; k < t->parts.count; k++) {
        vector_push(&t->path_nodes, position->nodes[k]);
        vector_push(&t->path, mtmcts_trees_transition(t, position->nodes[k], move));
    }
    vector_push(&t->played, move);
}

/* Sets t->untested to the indices of moves that some tree has not tested. */
static void find_untested(MtmctsTrees *t, const TreesPosition *position) {
    vector_clear(&t->untested);
    memset(t->allowed, 0, t->set_words * sizeof *t->allowed);
    for (uint32_t k = 0; k < t->parts.count; k++) {
        const uint64_t *tested = tested_moves(t, position->nodes[k]);
        for (uint32_t i = 0; i < t->set_words; i++)
            t->allowed[i] |= position->legal[i] & ~tested[i];
    }
    for (uint32_t i = 0; i < position->move_count; i++)
        if (bitset_get(t->allowed, position->moves[i]))
            vector_push(&t->untested, i);
}

/* Records in every tree where the move leads. EXPANDED if some tree has a new transition for it;
 * with `wants_nodes` only if that leads to a new node. */
static Outcome test_move(MtmctsTrees *t, uint32_t id, uint32_t index, bool wants_nodes) {
    Outcome outcome = FINISHED;
    const TreesPosition *position = &t->positions.items[id];
    uint32_t move = position->moves[index];
    const uint64_t *after = successor_of(t, position, index);
    for (uint32_t k = 0; k < t->parts.count; k++) {
        uint32_t node = position->nodes[k];
        if (!bitset_get(tested_moves(t, node), move)) {
            size_t known = t->nodes.count;
            uint32_t child = mtmcts_trees_node(t, k, position->depth + 1, after);
            bool is_new_node = t->nodes.count > known;
            if (is_new_node && t->played.count + 1 > t->deepest)
                t->deepest = (uint32_t)t->played.count + 1;
            if (mtmcts_trees_label(t, node, move, child) && (is_new_node || !wants_nodes))
                outcome = EXPANDED;
        } else {
            uint32_t known = mtmcts_trees_transition(t, node, move);
            if (!mtmcts_trees_is_part(t, t->transitions.items[known].child, after)) {
                mtmcts_trees_resolve(t, k, move, id);
                return INCONSISTENT;
            }
        }
    }
    return outcome;
}

static Outcome expand(MtmctsTrees *t, uint32_t id, bool wants_nodes) {
    find_untested(t, &t->positions.items[id]);
    while (t->untested.count) {
        size_t drawn = random_below(&t->random, t->untested.count);
        uint32_t index = t->untested.items[drawn];
        t->untested.items[drawn] = t->untested.items[--t->untested.count];
        Outcome outcome = test_move(t, id, index, wants_nodes);
        if (outcome == FINISHED)
            continue;
        if (outcome == EXPANDED) {
            play(t, id, index);
            play_out(t, successor_of(t, &t->positions.items[id], index));
        }
        return outcome;
    }
    t->positions.items[id].is_tested = true;
    return FINISHED;
}

/* Marks the move that led here as explored in every tree that has nothing left to explore below. */
static void mark_explored(MtmctsTrees *t, const TreesPosition *position,
                          const TreesPosition *before, uint32_t move) {
    for (uint32_t k = 0; k < t->parts.count; k++) {
        const uint64_t *explored = explored_moves(t, position->nodes[k]);
        if (bitset_includes(explored, position->open, t->set_words))
            bitset_set(explored_moves(t, before->nodes[k]), move);
    }
}

static void find_candidates(MtmctsTrees *t, const TreesPosition *position) {
    memcpy(t->candidates, position->open, t->set_words * sizeof *t->candidates);
    if (t->options.keeps_terminal_moves)
        bitset_or(t->candidates, position->ends, t->set_words);
}

/* Makes a move that ends the match, and backs its goal up. */
static Outcome finish(MtmctsTrees *t, uint32_t id, uint32_t index) {
    const TreesPosition *position = &t->positions.items[id];
    play(t, id, index);
    put_words(t, &t->end, successor_of(t, position, index));
    back_up(t, position->goals[index], &t->end);
    t->counts.playouts++;
    remember_line(t, position->goals[index]);
    return EXPANDED;
}

/* Closes the moves of the path that lead only to dead ends, from the end of the path upwards. */
static void close_path(MtmctsTrees *t) {
    for (size_t i = t->played.count; i-- > 0;) {
        const TreesPosition *position = &t->positions.items[t->path_positions.items[i]];
        bitset_clear(position->open, t->played.items[i]);
        if (bitset_any(position->open, t->set_words))
            return;
    }
    t->is_exhausted = true;
}

/* With KEYS_DEPTH marks lead the next descent elsewhere. With KEYS_PASSAGE the path shares nodes
 * with open paths, so it is backed up as a visit of score 0. */
static Outcome leave_dead_end(MtmctsTrees *t) {
    if (t->options.keys == KEYS_DEPTH)
        return DEAD_END;
    for (size_t i = 0; i < t->path.count; i++)
        if (count_visit(t, i))
            mtmcts_trees_refresh(t, &t->transitions.items[t->path.items[i]]);
    close_path(t);
    return DEAD_END;
}

/* Called after many dead ends in a row. With KEYS_DEPTH the marks hide open moves and are
 * discarded. With KEYS_PASSAGE so many visits of score 0 have spoiled the values: the trees start
 * over, and the limit doubles, so that closed moves are not discarded again and again. */
static void recover_from_dead_ends(MtmctsTrees *t) {
    t->dead_ends = 0;
    if (t->options.keys == KEYS_DEPTH) {
        mtmcts_trees_forget_marks(t);
    } else {
        mtmcts_trees_forget_trees(t);
        t->dead_end_limit *= 2;
    }
}

/* True if this descent goes to the nearest untried move: always while all playouts have the same
 * result, and every second time if they ever had for long. */
static bool seeks_untried(const MtmctsTrees *t) {
    return t->was_uninformative && !t->has_no_untried && !t->options.ignores_untried &&
           !t->options.keeps_terminal_moves &&
           (t->equal_playouts >= MANY_ALIKE || t->descent % 2 == 0);
}

static Outcome iterate(MtmctsTrees *t) {
    uint32_t id = mtmcts_trees_position(t, t->root_depth, t->root.words);
    uint32_t before = TREES_NONE, index = TREES_NONE;
    bool has_marks = t->options.keys == KEYS_DEPTH;
    bool has_route = seeks_untried(t) && mtmcts_trees_find_untried(t);
    if (t->is_exhausted)
        return DEAD_END;
    begin_descent(t, id);
    for (size_t step = 0;; step++) {
        if (before != TREES_NONE && !enter_position(t, id, before, index))
            return INCONSISTENT;
        if (!t->positions.items[id].is_tested || t->options.keys != KEYS_DEPTH) {
            Outcome outcome = expand(t, id, has_route);
            if (outcome != FINISHED)
                return outcome;
        }
        const TreesPosition *position = &t->positions.items[id];
        if (position->winning != TREES_NONE)
            return finish(t, id, position->winning);
        if (has_route && step == t->route.count)
            return LABELLED;
        if (before != TREES_NONE && has_marks && !t->options.forgets_explored)
            mark_explored(t, position, &t->positions.items[before],
                          t->positions.items[before].moves[index]);
        find_candidates(t, position);
        if (!bitset_any(t->candidates, t->set_words))
            return leave_dead_end(t);
        before = id;
        index = has_route ? t->route.items[step]
                          : mtmcts_trees_choose(t, position, t->options.exploration, has_marks);
        if (bitset_get(position->ends, position->moves[index]))
            return finish(t, id, index);
        play(t, id, index);
        id = mtmcts_trees_position_after(t, id, index);
    }
}

/* ---- the interface ---- */

static void make_scratch(MtmctsTrees *t) {
    size_t set_bytes = (t->set_words + 1) * sizeof(uint64_t);
    for (uint32_t left = t->parts.count; left; left /= 2)
        t->plane_count++;
    t->ends = memory_zalloc(t->game->circuit->move_count + 1);
    t->candidates = memory_zalloc(set_bytes);
    t->allowed = memory_zalloc(set_bytes);
    t->voted = memory_zalloc(set_bytes);
    t->planes = memory_zalloc(t->plane_count * set_bytes);
    t->gains = memory_zalloc((t->game->circuit->move_count + 1) * sizeof *t->gains);
    t->local_greatest = memory_zalloc((t->parts.count + 1) * sizeof *t->local_greatest);
    t->local_least = memory_zalloc((t->parts.count + 1) * sizeof *t->local_least);
    t->inverse_roots = memory_zalloc(TABULATED_VISITS * sizeof *t->inverse_roots);
    t->log_roots = memory_zalloc(TABULATED_VISITS * sizeof *t->log_roots);
    for (int n = 1; n < TABULATED_VISITS; n++) {
        t->inverse_roots[n] = 1 / sqrt(n);
        t->log_roots[n] = sqrt(log(n));
    }
}

MtmctsTrees *mtmcts_trees_create(Game *game, const GameParts *parts, const TreesOptions *options) {
    if (!game_has_circuit(game) || game->role_count != 1 || parts->count == 0)
        return NULL;
    MtmctsTrees *t = memory_zalloc(sizeof *t);
    t->game = game;
    t->options = *options;
    t->parts = part_masks_of(game, parts, UINT32_MAX);
    part_masks_make_bounds(&t->parts, game);
    t->word_count = t->parts.word_count;
    t->set_words = (uint32_t)bitset_words(game->circuit->move_count);
    if (parts->last_resort_moves) {
        t->last_resort_moves = memory_alloc(t->set_words * sizeof *t->last_resort_moves);
        memcpy(t->last_resort_moves, parts->last_resort_moves,
               t->set_words * sizeof *t->last_resort_moves);
    }
    t->greatest_goal = greatest_goal_of(game, 0);
    lookahead_init(&t->ahead, game);
    random_seed(&t->random, options->seed);
    make_scratch(t);
    State initial = {0};
    game_initial(t->ahead.work, &initial);
    mtmcts_trees_set_state(t, &initial);
    state_free(&initial);
    return t;
}

void mtmcts_trees_free(MtmctsTrees *t) {
    if (!t)
        return;
    mtmcts_trees_forget_trees(t);
    part_masks_free(&t->parts);
    lookahead_free(&t->ahead);
    key_table_free(&t->part_keys);
    key_table_free(&t->position_keys);
    vectors_free(&t->successor_slots, &t->path, &t->path_nodes, &t->path_positions, &t->played,
                 &t->best_line, &t->route, &t->route_positions, &t->route_nodes, &t->route_limits,
                 &t->untested, &t->legal, &t->recommended);
    states_free(&t->root, &t->state, &t->end);
    memory_free(t->ends, t->last_resort_moves, t->candidates, t->allowed, t->voted, t->planes,
                t->gains, t->inverse_roots, t->log_roots, t->local_greatest, t->local_least, t);
}

/* Copies a state, which may have fewer words than all fluents take. */
static void copy_state(MtmctsTrees *t, State *to, const State *from) {
    if (!to->words)
        *to = (State){memory_zalloc((t->word_count + 1) * sizeof *to->words), t->word_count};
    lookahead_words(&t->ahead, from, to->words);
}

static void forget_match(MtmctsTrees *t) {
    t->best_line.count = 0;
    t->best_score = GOAL_NONE;
    t->is_solved = false;
}

void mtmcts_trees_set_state(MtmctsTrees *t, const State *state) {
    copy_state(t, &t->root, state);
    copy_state(t, &t->state, state);
    copy_state(t, &t->end, state);
    mtmcts_trees_forget_trees(t);
    forget_match(t);
    t->is_exhausted = false;
    t->dead_ends = 0;
    t->dead_end_limit = MAX_DEAD_ENDS;
    t->root_depth = 0;
    t->equal_playouts = t->deepest = 0;
    t->was_uninformative = false;
    t->counts = (TreesCounts){0};
}

/* Discards the positions too, since their final states must count again as matches played. */
static void leave_best_line(MtmctsTrees *t) {
    forget_match(t);
    mtmcts_trees_forget_positions(t);
    t->is_exhausted = false;
}

/* Sets t->end to the state after a move in the present state, and returns its words. */
static const uint64_t *words_after(MtmctsTrees *t, uint32_t move) {
    put_words(t, &t->state, t->root.words);
    game_next(t->ahead.work, &t->state, &move, &t->end);
    return t->end.words;
}

static bool has_words(const MtmctsTrees *t, const uint64_t *words, const uint64_t *other) {
    return memcmp(words, other, t->word_count * sizeof *words) == 0;
}

/* The best line is also kept if its first move is another one that leads to the same state. */
void mtmcts_trees_advance(MtmctsTrees *t, const State *next) {
    const uint64_t *planned = t->best_line.count ? words_after(t, t->best_line.items[0]) : NULL;
    copy_state(t, &t->root, next);
    t->root_depth++;
    if (planned && has_words(t, planned, t->root.words))
        u32_drop_first(&t->best_line);
    else
        leave_best_line(t);
    t->counts.descents = t->counts.playouts = 0;
    t->counts.cpu_seconds = 0;
}

static size_t bytes_of(const MtmctsTrees *t) {
    return key_table_bytes(&t->part_keys) + key_table_bytes(&t->position_keys) +
           t->position_arena.bytes + t->nodes.capacity * sizeof(PartNode) +
           t->positions.capacity * sizeof(TreesPosition) +
           t->transitions.capacity * sizeof(Transition) +
           (t->node_sets.capacity + t->mark_sets.capacity + t->transition_sets.capacity) *
               sizeof(uint64_t);
}

/* When memory runs out, positions are discarded first, then the trees if they are too large. */
static void stay_within_memory(MtmctsTrees *t) {
    size_t limit = t->options.byte_limit;
    if (bytes_of(t) <= limit)
        return;
    mtmcts_trees_forget_positions(t);
    if (bytes_of(t) > limit / 2)
        mtmcts_trees_forget_trees(t);
}

void mtmcts_trees_limit_descents(MtmctsTrees *t, uint64_t descents) {
    t->options.descent_limit = descents;
}

void mtmcts_trees_limit_bytes(MtmctsTrees *t, size_t bytes) {
    t->options.byte_limit = bytes;
}

void mtmcts_trees_run(MtmctsTrees *t, const SearchBudget *budget) {
    double started = clock_cpu_seconds();
    uint64_t first = t->counts.playouts, first_descent = t->counts.descents;
    put_words(t, &t->state, t->root.words);
    bool is_over = game_is_terminal(t->ahead.work, &t->state);
    for (uint32_t since_look = 0; !is_over && !t->is_solved && !t->is_exhausted; since_look++) {
        /* A descent that looks for untried moves may be long. */
        if (since_look % DESCENTS_BETWEEN_LOOKS == 0 || t->was_uninformative) {
            if (search_must_stop(budget))
                break;
            stay_within_memory(t);
        }
        if ((budget->playouts && t->counts.playouts - first >= budget->playouts) ||
            (t->options.descent_limit &&
             t->counts.descents - first_descent >= t->options.descent_limit))
            break;
        Outcome outcome = iterate(t);
        t->counts.descents++;
        t->counts.work += t->path.count;
        t->dead_ends = outcome == DEAD_END ? t->dead_ends + 1 : 0;
        if (t->dead_ends >= t->dead_end_limit)
            recover_from_dead_ends(t);
    }
    t->counts.cpu_seconds += clock_cpu_seconds() - started;
}

bool mtmcts_trees_is_solved(const MtmctsTrees *t) {
    return t->is_solved;
}

bool mtmcts_trees_is_exhausted(const MtmctsTrees *t) {
    return t->is_exhausted;
}

const U32Vector *mtmcts_trees_best_line(const MtmctsTrees *t) {
    return &t->best_line;
}

TreesCounts mtmcts_trees_counts(const MtmctsTrees *t) {
    TreesCounts counts = t->counts;
    counts.nodes = t->nodes.count;
    counts.transitions = t->transitions.count;
    counts.subgames = t->parts.count;
    counts.best_score = t->best_score;
    return counts;
}

static int compare_moves(const void *a, const void *b) {
    const SearchMove *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

/* The value and visits of one move of the present state over all trees. */
static SearchMove move_result(const MtmctsTrees *t, const TreesPosition *position, uint32_t index) {
    uint32_t move = position->moves[index];
    SearchMove result_of_move = {.move = move, .is_proven = bitset_get(position->ends, move)};
    double sum = 0;
    for (uint32_t k = 0; k < t->parts.count; k++) {
        if (!bitset_get(tested_moves(t, position->nodes[k]), move))
            continue;
        const Transition *transition =
            &t->transitions.items[mtmcts_trees_transition(t, position->nodes[k], move)];
        result_of_move.visits =
            transition->visits > result_of_move.visits ? transition->visits : result_of_move.visits;
        sum += transition->visits ? transition->score / transition->visits : 0;
    }
    int goal = position->goals[index];
    result_of_move.value =
        result_of_move.is_proven ? (goal > 0 ? goal : 0) : t->greatest_goal * sum / t->parts.count;
    return result_of_move;
}

/* Puts the trees' choice without exploration first, unless a move that ends the match is better. */
static void put_choice_first(MtmctsTrees *t, const TreesPosition *position, SearchResult *result) {
    double best_end = -1;
    find_candidates(t, position);
    if (!bitset_any(t->candidates, t->set_words))
        return;
    for (size_t i = 0; i < result->moves.count; i++)
        if (result->moves.items[i].is_proven)
            best_end = fmax(best_end, result->moves.items[i].value);
    uint32_t chosen = mtmcts_trees_choose(t, position, 0, false);
    if (move_result(t, position, chosen).value >= best_end)
        search_put_first(result, position->moves[chosen]);
}

/* If the best line begins with another move to the same successor, it takes the listed one. */
static void begin_line_as_listed(MtmctsTrees *t, const TreesPosition *position) {
    uint32_t *first = &t->best_line.items[0];
    if (bitset_get(position->legal, *first))
        return;
    const uint64_t *after = words_after(t, *first);
    for (uint32_t i = 0; i < position->move_count; i++)
        if (has_words(t, successor_of(t, position, i), after)) {
            *first = position->moves[i];
            return;
        }
}

/* A move that ends the match has its exact goal, others the mean over the trees. The first move of
 * the best line goes first if the line scores or is known to be optimal. */
void mtmcts_trees_moves(MtmctsTrees *t, SearchResult *result) {
    vector_clear(&result->moves);
    uint32_t id = mtmcts_trees_position(t, t->root_depth, t->root.words);
    begin_descent(t, id);
    const TreesPosition *position = &t->positions.items[id];
    for (uint32_t i = 0; i < position->move_count; i++)
        vector_push(&result->moves, move_result(t, position, i));
    vector_sort(&result->moves, compare_moves);
    find_untested(t, position);
    if (!t->untested.count && position->move_count)
        put_choice_first(t, position, result);
    if (!t->best_line.count)
        return;
    begin_line_as_listed(t, position);
    if (t->best_score > 0 || t->is_solved || t->is_exhausted)
        search_put_first(result, t->best_line.items[0]);
}
