/* `multitree`: search over several trees for several roles (multitree.h). In a descent every tree
 * votes for the moves of a role with the greatest bound: the mean of the role's results and of the
 * most that the subgame's last state left possible, plus exploration. The move with the most votes
 * and the best combined value is made. Moves that some tree has not seen come first; they end the
 * descent with a playout unless all trees know where they lead. Final states are backed up like
 * playouts. Proofs are kept with the positions of the whole game where one role has a choice. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "analysis/facts/influence.h"
#include "search/multitree/multitree.h"
#include "search/search_options.h"

enum { MAX_TURNS = 4096 }; /* turns of a descent (untuned) */

/* Half of UCT's exploration constant, because every tree explores by itself, and a move that one
 * tree wants to explore is explored in all (measured: docs/results/sums-and-duels.md). ALPHA:
 * weight of the mean result against the local estimate (untuned). TIE: relative difference of equal
 * bounds (untuned). */
static const double DEFAULT_EXPLORATION = 0.2, ALPHA = 0.5, TIE = 1e-12;

/* ---- choosing ---- */

static double bound_of(const MultiTree *t, const MultiTreeSlot *slot, double log_visits) {
    if (!slot->visits)
        return INFINITY;
    double part = 1.0 / slot->visits;
    return (ALPHA * slot->score + (1 - ALPHA) * slot->greatest) * part +
           t->options.exploration * sqrt(log_visits * part);
}

/* Adds the votes of one tree for the role's moves. */
static void vote(MultiTree *t, const MultiTreePosition *p, uint32_t subgame, uint32_t role) {
    uint32_t first = p->first[role], count = p->first[role + 1] - first;
    const uint32_t *slots = multitree_slots(p, t->search.game->role_count, subgame) + first;
    double log_visits = log(fmax(1, t->nodes.items[p->nodes[subgame]].visits)), best = -INFINITY;
    for (uint32_t i = 0; i < count; i++)
        best = fmax(best, bound_of(t, &t->slots.items[slots[i]], log_visits));
    double enough = isinf(best) ? best : best - TIE * fmax(1, fabs(best));
    for (uint32_t i = 0; i < count; i++)
        t->votes.items[i] += bound_of(t, &t->slots.items[slots[i]], log_visits) >= enough;
}

static double mean_of(const MultiTreeSlot *slot) {
    return slot->visits ? slot->score / slot->visits : 0;
}

/* The expected value of a move, combined over all trees. */
static double gain_of(const MultiTree *t, const MultiTreePosition *p, uint32_t at) {
    double sum = 0, product = 1;
    for (uint32_t k = 0; k < t->parts.count; k++) {
        uint32_t slot = multitree_slots(p, t->search.game->role_count, k)[at];
        double mean = slot == MULTITREE_NONE ? 0 : mean_of(&t->slots.items[slot]);
        sum += mean;
        product *= mean;
    }
    return t->joins_by_sum ? sum : product;
}

/* True if the move is proven to give its role nothing. */
static bool is_lost(const MultiTree *t, const MultiTreePosition *p, uint32_t role, uint32_t index) {
    const double *values =
        p->after && p->mover == role ? t->positions.items[p->after[index]].values : NULL;
    return values && values[role] <= 0;
}

/* The move with the most votes and the best value; not one that is proven lost, unless all are. */
static uint32_t choose(MultiTree *t, const MultiTreePosition *p, uint32_t role) {
    uint32_t count = p->first[role + 1] - p->first[role], chosen = 0, most = 0, equals = 0;
    double best = -1;
    t->votes.count = 0;
    memset(vector_extend(&t->votes, count), 0, count * sizeof *t->votes.items);
    for (uint32_t k = 0; k < t->parts.count; k++)
        vote(t, p, k, role);
    for (uint32_t i = 0; i < count; i++)
        if (t->votes.items[i] > most && !is_lost(t, p, role, i))
            most = t->votes.items[i];
    for (uint32_t i = 0; i < count; i++) {
        if (t->votes.items[i] < most || is_lost(t, p, role, i))
            continue;
        double gain = gain_of(t, p, p->first[role] + i);
        if (gain > best) {
            best = gain;
            equals = 0;
        }
        if (gain == best && random_below(&t->random, ++equals) == 0)
            chosen = i;
    }
    return chosen;
}

/* Lists the moves of a role that some tree has not seen. */
static void find_untried(MultiTree *t, const MultiTreePosition *p, uint32_t role) {
    vector_clear(&t->untried);
    for (uint32_t i = p->first[role]; i < p->first[role + 1]; i++)
        for (uint32_t k = 0; k < t->parts.count; k++)
            if (multitree_slots(p, t->search.game->role_count, k)[i] == MULTITREE_NONE) {
                vector_push(&t->untried, i - p->first[role]);
                break;
            }
}

/* Makes the slots of the move in all trees; true if one is new. */
static bool try_move(MultiTree *t, uint32_t position, uint32_t role, uint32_t index) {
    bool is_new = false;
    for (uint32_t k = 0; k < t->parts.count; k++)
        multitree_slot(t, position, k, role, index, &is_new);
    return is_new;
}

/* Picks an untried move that is new to some tree, or else the move that the trees choose. */
static uint32_t pick(MultiTree *t, uint32_t position, uint32_t role, bool *is_new) {
    const MultiTreePosition *p = &t->positions.items[position];
    find_untried(t, p, role);
    while (t->untried.count) {
        size_t drawn = random_below(&t->random, t->untried.count);
        uint32_t index = t->untried.items[drawn];
        t->untried.items[drawn] = t->untried.items[--t->untried.count];
        if (try_move(t, position, role, index)) {
            *is_new = true;
            return index;
        }
    }
    return choose(t, &t->positions.items[position], role);
}

/* ---- one iteration ---- */

static void make(MultiTree *t, uint32_t position, uint32_t role, uint32_t index) {
    const MultiTreePosition *p = &t->positions.items[position];
    assert(p->is_open && index < p->first[role + 1] - p->first[role]);
    bool is_new = false;
    p->visits[p->first[role] + index]++;
    for (uint32_t k = 0; k < t->parts.count; k++)
        vector_push(&t->path,
                    ((MultiTreeStep){k, p->nodes[k],
                                     multitree_slot(t, position, k, role, index, &is_new)}));
}

/* The move of a role in this turn. Moves of chance are drawn at random; chance has no slots. */
static uint32_t turn_of(MultiTree *t, uint32_t position, uint32_t role, bool *is_new) {
    const MultiTreePosition *p = &t->positions.items[position];
    uint32_t count = p->first[role + 1] - p->first[role], index = 0;
    if (count > 1 && game_is_chance(t->search.game, role))
        return (uint32_t)random_below(&t->random, count);
    if (count > 1) {
        index = pick(t, position, role, is_new);
        make(t, position, role, index);
    }
    return index;
}

/* Backs up the results of a match and the greatest goals that its last state left possible. */
static void back_up(MultiTree *t, const State *end, const double *values) {
    uint32_t roles = t->search.game->role_count;
    part_masks_evaluate(&t->parts, 0, end);
    for (uint32_t k = 0; k < t->parts.count; k++)
        for (uint32_t r = 0; r < roles; r++) {
            int least, greatest;
            part_masks_goal(&t->parts, k, r, &least, &greatest);
            t->local[k * roles + r] = goal_to_value(t->ranges[r], greatest);
            t->joins_by_sum |= t->parts.count > 1 && goal_to_value(t->ranges[r], least) >= 1;
        }
    for (size_t i = 0; i < t->path.count; i++) {
        MultiTreeStep step = t->path.items[i];
        MultiTreeSlot *slot = &t->slots.items[step.slot];
        t->nodes.items[step.node].visits++;
        slot->visits++;
        slot->score += values[slot->role];
        slot->greatest += t->local[step.part * roles + slot->role];
    }
    t->search.playouts++;
}

static void play_out(MultiTree *t, uint32_t position) {
    uint32_t steps;
    double values[MULTITREE_MAX_ROLES] = {0};
    State start = multitree_state(t, position);
    state_copy(&t->state, &start);
    MatchEnd end =
        game_play_randomly(t->work, &t->state, &t->random, t->options.step_limit, &steps);
    for (uint32_t r = 0; end == MATCH_TERMINAL && r < t->search.game->role_count; r++)
        values[r] = goal_to_value(t->ranges[r], game_goal(t->work, &t->state, r));
    back_up(t, &t->state, values);
}

static uint32_t position_after(MultiTree *t, uint32_t id, const uint32_t *indices) {
    const MultiTreePosition *p = &t->positions.items[id];
    uint32_t joint[MULTITREE_MAX_ROLES];
    if (p->mover != MULTITREE_NONE)
        return p->after[indices[p->mover]];
    for (uint32_t r = 0; r < t->search.game->role_count; r++)
        joint[r] = p->moves[p->first[r] + indices[r]];
    State state = multitree_state(t, id);
    game_next(t->work, &state, joint, &t->next);
    return multitree_position(t, &t->next);
}

/* Carries proofs back along the path of the descent, as far as they go. */
static void prove_passed(MultiTree *t) {
    while (t->passed.count && multitree_prove(t, t->passed.items[t->passed.count - 1]))
        t->passed.count--;
}

static void iterate(MultiTree *t) {
    uint32_t id = multitree_position(t, &t->root), indices[MULTITREE_MAX_ROLES];
    bool is_new = false;
    t->path.count = t->passed.count = 0;
    for (uint32_t turn = 0; turn < MAX_TURNS; turn++) {
        t->search.depth = turn > t->search.depth ? turn : t->search.depth;
        if (!t->positions.items[id].values && !t->positions.items[id].is_open)
            multitree_open(t, id);
        const MultiTreePosition *p = &t->positions.items[id];
        if (p->values) {
            State end = multitree_state(t, id);
            back_up(t, &end, p->values);
            prove_passed(t);
            return;
        }
        if (is_new)
            break;
        vector_push(&t->passed, id);
        for (uint32_t r = 0; r < t->search.game->role_count; r++)
            indices[r] = turn_of(t, id, r, &is_new);
        id = position_after(t, id, indices);
    }
    play_out(t, id);
}

/* ---- the subgames ---- */

/* The moves in the cones of the next values of a subgame's fluents. */
uint64_t *multitree_find_acting(const Game *game, const GameParts *parts) {
    const Circuit *circuit = game->circuit;
    Influence *influence = influence_create(circuit);
    VECTOR(Signal) outputs = {0};
    PartMasks masks = part_masks_of(game, parts, BOUNDS_MAX_PARTS);
    size_t words = bitset_words(circuit->move_count);
    uint64_t *acting = memory_zalloc((masks.count * words + 1) * sizeof *acting);
    for (uint32_t k = 0; k < masks.count; k++) {
        vector_clear(&outputs);
        for (uint32_t f = 0; f < circuit->fluent_count; f++)
            if (bitset_get(part_mask(&masks, k), f))
                vector_push(&outputs, circuit->next[f]);
        influence_list(influence, outputs.items, outputs.count);
        const U32Vector *moves = influence_moves(influence);
        for (size_t i = 0; i < moves->count; i++)
            bitset_set(acting + k * words, moves->items[i]);
    }
    part_masks_free(&masks);
    vector_free(&outputs);
    influence_free(influence);
    return acting;
}

static void take_parts(MultiTree *t, const GameParts *parts) {
    const Game *game = t->search.game;
    t->parts = part_masks_of(game, parts, BOUNDS_MAX_PARTS);
    part_masks_make_bounds(&t->parts, game);
    t->local = memory_zalloc((size_t)t->parts.count * game->role_count * sizeof *t->local);
    if (!parts->part_moves) {
        t->acting = multitree_find_acting(game, parts);
        return;
    }
    size_t bytes = t->parts.count * bitset_words(game->circuit->move_count) * sizeof *t->acting;
    t->acting = memcpy(memory_alloc(bytes + 1), parts->part_moves, bytes);
}

/* Decomposes the game. A single subgame becomes the whole game: fluents outside it may matter. */
static void find_parts(MultiTree *t, Deadline deadline) {
    Deadline share = deadline_in(deadline_left(deadline) * MTMCTS_DECOMPOSITION_SHARE);
    GameParts parts = mtmcts_find_parts(t->search.game, NULL, OVERLAP_NONE, t->options.seed, share);
    if (parts.count == 1)
        memset((uint32_t *)parts.subgame_of, 0,
               t->search.game->circuit->fluent_count * sizeof *parts.subgame_of);
    take_parts(t, &parts);
    mtmcts_parts_free(&parts);
}

/* ---- the method ---- */

static bool is_proven(MultiTree *t) {
    uint32_t id = multitree_position(t, &t->root);
    return t->positions.items[id].values != NULL;
}

static void multitree_run(Search *search, const SearchBudget *budget) {
    MultiTree *t = (MultiTree *)search;
    double started = clock_thread_cpu_seconds();
    uint64_t first = t->search.playouts;
    if (!t->parts.count)
        find_parts(t, budget->deadline);
    bool is_over = game_is_terminal(t->work, &t->root);
    while (!is_over && !is_proven(t) && !search_must_stop(budget) &&
           !(budget->playouts && t->search.playouts - first >= budget->playouts)) {
        if (multitree_bytes(t) > t->options.node_bytes)
            multitree_forget(t);
        iterate(t);
        if (t->has_misjudged)
            multitree_forget(t);
        t->has_misjudged = false;
    }
    t->search.cpu_seconds += clock_thread_cpu_seconds() - started;
}

/* The value of a move: exact if proven, otherwise the mean over the trees. */
static SearchMove move_result(const MultiTree *t, const MultiTreePosition *p, uint32_t index) {
    uint32_t role = t->search.role, at = p->first[role] + index;
    const double *values =
        p->after && p->mover == role ? t->positions.items[p->after[index]].values : NULL;
    double sum = 0;
    for (uint32_t k = 0; k < t->parts.count; k++) {
        uint32_t slot = multitree_slots(p, t->search.game->role_count, k)[at];
        sum += slot == MULTITREE_NONE ? 0 : mean_of(&t->slots.items[slot]);
    }
    return (SearchMove){
        .move = p->moves[at],
        .value = goal_of_value(t->ranges[role], values ? values[role] : sum / t->parts.count),
        .visits = p->visits[at],
        .is_proven = values != NULL};
}

static void list_moves(MultiTree *t, SearchResult *result) {
    uint32_t role = t->search.role, id = multitree_position(t, &t->root);
    if (!t->positions.items[id].is_open && !t->positions.items[id].values && t->parts.count)
        multitree_open(t, id);
    const MultiTreePosition *p = &t->positions.items[id];
    for (uint32_t i = 0; p->is_open && p->slots && i < p->first[role + 1] - p->first[role]; i++)
        vector_push(&result->moves, move_result(t, p, i));
}

/* 2 for a proven win, 0 for a proven loss, 1 otherwise. */
static int certainty_of(const MultiTree *t, const SearchMove *move) {
    GoalRange range = t->ranges[t->search.role];
    if (!move->is_proven)
        return 1;
    return move->value >= goal_of_value(range, 1)   ? 2
           : move->value <= goal_of_value(range, 0) ? 0
                                                    : 1;
}

/* Orders moves by certainty first, then by visits, or by value if all moves are proven. */
static bool is_better(const MultiTree *t, const SearchMove *a, const SearchMove *b,
                      bool all_proven) {
    int certain_a = certainty_of(t, a), certain_b = certainty_of(t, b);
    if (certain_a != certain_b)
        return certain_a > certain_b;
    if (!all_proven && a->visits != b->visits)
        return a->visits > b->visits;
    return a->value > b->value;
}

static uint32_t best_of(const MultiTree *t, const SearchResult *result) {
    size_t best = 0;
    bool all_proven = true;
    for (size_t i = 0; i < result->moves.count; i++)
        all_proven &= result->moves.items[i].is_proven;
    for (size_t i = 1; i < result->moves.count; i++)
        if (is_better(t, &result->moves.items[i], &result->moves.items[best], all_proven))
            best = i;
    return result->moves.count ? result->moves.items[best].move : MOVE_NONE;
}

static void multitree_result(Search *search, SearchResult *result) {
    MultiTree *t = (MultiTree *)search;
    list_moves(t, result);
    if (!result->moves.count)
        search_list_legal(search, t->work, &t->root, result);
    result->best = best_of(t, result);
    search_sort_moves(result);
    result->is_decided = is_proven(t);
    result->nodes = t->nodes.count;
}

static void multitree_set_state(Search *search, const State *state) {
    MultiTree *t = (MultiTree *)search;
    multitree_forget(t);
    state_copy(&t->root, state);
}

/* Nodes do not depend on the turn of the match, so all trees are kept. */
static void multitree_advance(Search *search, const uint32_t *joint, const State *next) {
    MultiTree *t = (MultiTree *)search;
    (void)joint;
    state_copy(&t->root, next);
}

static void multitree_free(Search *search) {
    MultiTree *t = (MultiTree *)search;
    multitree_forget(t);
    key_table_free(&t->part_keys);
    key_table_free(&t->node_keys);
    key_table_free(&t->position_keys);
    vectors_free(&t->path, &t->passed, &t->legal, &t->untried, &t->votes);
    part_masks_free(&t->parts);
    game_work_free(t->work);
    states_free(&t->root, &t->state, &t->next);
    memory_free(t->acting, t->local, t);
}

/* Creates `uct` instead if the game has no circuit, which defines the parts, or hides its state. */
static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options) {
    (void)method;
    return multitree_create(game, role, NULL, options);
}

Search *multitree_create(Game *game, uint32_t role, const GameParts *parts,
                         const SearchOptions *options) {
    if (!game_has_circuit(game) || game_hides(game) || game->role_count > MULTITREE_MAX_ROLES)
        return uct_search.create(&uct_search, game, role, options);
    assert(role < game->role_count);
    MultiTree *t = search_instance(&multitree_search, game, role, sizeof *t);
    t->options = search_defaults(options);
    if (options->exploration <= 0)
        t->options.exploration = DEFAULT_EXPLORATION;
    t->work = game_work_create(game, REASONER_SCALAR);
    t->word_count = (uint32_t)bitset_words(game->circuit->fluent_count);
    random_seed(&t->random, options->seed);
    for (uint32_t r = 0; r < game->role_count; r++)
        t->ranges[r] = goal_range(game, r);
    t->is_zero_sum = game_count_players(game) == 2;
    game_initial(t->work, &t->root);
    if (parts)
        take_parts(t, parts);
    return &t->search;
}

static const SearchOption options_table[] = {SEARCH_OPTION_C("0.2"), SEARCH_OPTIONS_COMMON, {0}};

const SearchMethod multitree_search = {
    .name = "multitree",
    .alias = "trees",
    .summary = "games of several roles that fall into subgames: a tree per subgame",
    .options = options_table,
    .create = create,
    .free = multitree_free,
    .set_state = multitree_set_state,
    .advance = multitree_advance,
    .run = multitree_run,
    .result = multitree_result};
