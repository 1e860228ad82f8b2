/* `mtmcts`: search over several trees as a method like the others. The game is decomposed when the
 * search is first run, within a part of its budget; whatever comes out, play is by the rules. */
#include "search/mtmcts.h"
#include "search/methods.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

enum { DECOMPOSITION_PLAYOUTS = 5000, DESCENTS_A_PLAYOUT = 4 };

typedef struct {
    Search search;
    MtmctsOptions options;
    MultiTree *trees; /* NULL before the first run */
    State state;
    uint32_t part_count;
    double decomposition_seconds;
} Mtmcts;

static void one_part(const Game *game, uint32_t *subgame_of, MultiTreeParts *parts) {
    memset(subgame_of, 0, game->circuit->fluent_count * sizeof *subgame_of);
    *parts = (MultiTreeParts){.count = 1, .subgame_of = subgame_of};
}

MultiTreeParts mtmcts_parts(const Game *game, const Decomposition *d) {
    uint32_t fluents = game->circuit->fluent_count;
    uint32_t *subgame_of = memory_alloc((fluents + 1) * sizeof *subgame_of);
    uint32_t *number = memory_alloc((d->subgames.count + 1) * sizeof *number);
    MultiTreeParts parts = {.subgame_of = subgame_of};
    for (size_t i = 0; i < d->subgames.count; i++) {
        const Subgame *subgame = &d->subgames.items[i];
        number[i] = subgame->has_actions && subgame->is_useful ? parts.count++ : MULTITREE_NOWHERE;
    }
    for (uint32_t f = 0; f < fluents; f++)
        subgame_of[f] =
            d->subgame_of[f] == SUBGAME_NONE ? MULTITREE_EVERYWHERE : number[d->subgame_of[f]];
    if (!parts.count)
        one_part(game, subgame_of, &parts);
    free(number);
    return parts;
}

void mtmcts_parts_free(MultiTreeParts *parts) {
    free((void *)parts->subgame_of);
    free((void *)parts->fluents);
    free((void *)parts->idle_ends);
    *parts = (MultiTreeParts){0};
}

/* Whether the subset's words all lie in the set. */
static bool is_within(const uint64_t *subset, const uint64_t *set, size_t words) {
    for (size_t w = 0; w < words; w++)
        if (subset[w] & ~set[w])
            return false;
    return true;
}

/* Adds a set unless another contains it; drops those that it contains. */
static void add_set(uint64_t *sets, uint32_t *count, const uint64_t *set, size_t words) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (is_within(set, sets + i * words, words))
            return;
    for (uint32_t i = 0; i < *count; i++)
        if (!is_within(sets + i * words, set, words))
            memmove(sets + kept++ * words, sets + i * words, words * sizeof *sets);
    memcpy(sets + kept * words, set, words * sizeof *sets);
    *count = kept + 1;
}

MultiTreeParts mtmcts_overlapping_parts(const Game *game, const Decomposition *d) {
    uint32_t fluents = game->circuit->fluent_count, count = 0;
    size_t words = bitset_words(fluents), most = d->subgoals.count + d->subgames.count + 1;
    uint64_t *sets = memory_zalloc(most * words * sizeof *sets);
    uint64_t *set = memory_alloc((words + 1) * sizeof *set);
    for (size_t i = 0; i < d->subgoals.count; i++) {
        const SubGoal *goal = &d->subgoals.items[i];
        memset(set, 0, words * sizeof *set);
        for (size_t k = 0; k < goal->fluents.count; k++)
            bitset_set(set, goal->fluents.items[k]);
        if (goal->fluents.count * 2 <= fluents)
            add_set(sets, &count, set, words);
    }
    for (size_t i = 0; i < d->subgames.count; i++) {
        const Subgame *subgame = &d->subgames.items[i];
        memset(set, 0, words * sizeof *set);
        for (uint32_t f = 0; f < fluents; f++)
            if (d->subgame_of[f] == i)
                bitset_set(set, f);
        if (subgame->has_actions && subgame->is_useful && subgame->fluents.count * 2 <= fluents)
            add_set(sets, &count, set, words);
    }
    free(set);
    for (uint32_t f = 0; f < fluents; f++) /* of every subgame */
        for (uint32_t k = 0; k < count && d->subgame_of[f] == SUBGAME_NONE; k++)
            bitset_set(sets + k * words, f);
    MultiTreeParts parts = {.count = count, .fluents = sets};
    if (count >= 2)
        return parts;
    free(sets);
    return mtmcts_parts(game, d);
}

static void mtmcts_free(Search *search) {
    Mtmcts *m = (Mtmcts *)search;
    multitree_free(m->trees);
    state_free(&m->state);
    free(m);
}

static void mtmcts_set_state(Search *search, const State *state) {
    Mtmcts *m = (Mtmcts *)search;
    state_copy(&m->state, state);
    if (m->trees)
        multitree_set_state(m->trees, state);
}

static void mtmcts_advance(Search *search, const uint32_t *joint, const State *next) {
    Mtmcts *m = (Mtmcts *)search;
    state_copy(&m->state, next);
    if (m->trees)
        multitree_advance(m->trees, joint[0], next);
}

static MultiTreeParts whole_game(const Game *game) {
    MultiTreeParts parts;
    one_part(game, memory_alloc((game->circuit->fluent_count + 1) * sizeof(uint32_t)), &parts);
    return parts;
}

/* What matters to the score in one subgame may still depend on moves that others leave: a single
 * tree is one of the whole game. */
static MultiTree *trees_of(Game *game, const MultiTreeParts *parts, const MultiTreeOptions *options,
                           bool keeps_part) {
    if (parts->count > 1 || keeps_part)
        return multitree_create(game, parts, options);
    MultiTreeParts whole = whole_game(game);
    whole.idle_ends = parts->idle_ends;
    MultiTree *trees = multitree_create(game, &whole, options);
    whole.idle_ends = NULL;
    mtmcts_parts_free(&whole);
    return trees;
}

/* Moves that act in nothing but subgames which can end the match and have no score; NULL if there
 * are none. */
static uint64_t *find_idle_ends(const Game *game, const Decomposition *d) {
    size_t words = bitset_words(game->circuit->move_count);
    uint64_t *found = memory_zalloc((words + 1) * sizeof *found);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < d->actions.count; i++) {
            const MetaAction *action = &d->actions.items[i];
            const Subgame *subgame =
                action->subgame == SUBGAME_NONE ? NULL : &d->subgames.items[action->subgame];
            bool is_idle = subgame && subgame->is_terminal && !subgame->is_scoring;
            for (size_t m = 0; m < action->moves.count && is_idle == (pass == 0); m++)
                bitset_assign(found, action->moves.items[m], is_idle);
        }
    if (bitset_any(found, words))
        return found;
    free(found);
    return NULL;
}

MultiTreeParts mtmcts_find_parts(Game *game, const State *start, bool overlaps, uint64_t seed,
                                 Deadline deadline) {
    DecomposeOptions how = {
        .playouts = DECOMPOSITION_PLAYOUTS, .seed = seed, .deadline = deadline, .start = start};
    Decomposition *d = decompose(game, &how);
    MultiTreeParts parts = overlaps ? mtmcts_overlapping_parts(game, d) : mtmcts_parts(game, d);
    parts.idle_ends = find_idle_ends(game, d);
    decomposition_free(d);
    return parts;
}

/* The trees of the present state, unless there are some and no more subgames than these are found.
 */
static void make_trees(Mtmcts *m, const State *start, Deadline deadline) {
    double started = clock_thread_cpu_seconds();
    Game *game = m->search.game;
    const MtmctsOptions *o = &m->options;
    Deadline part = deadline_in(deadline_left(deadline) * MTMCTS_DECOMPOSITION_SHARE);
    MultiTreeParts parts = o->keeps_whole
                               ? whole_game(game)
                               : mtmcts_find_parts(game, start, o->overlaps, o->trees.seed, part);
    if (!m->trees || parts.count > m->part_count) {
        multitree_free(m->trees);
        m->trees = trees_of(game, &parts, &o->trees, o->keeps_part);
        m->part_count = parts.count;
        multitree_set_state(m->trees, &m->state);
    }
    mtmcts_parts_free(&parts);
    m->decomposition_seconds += clock_thread_cpu_seconds() - started;
}

static void mtmcts_run(Search *search, const SearchBudget *budget) {
    Mtmcts *m = (Mtmcts *)search;
    if (!m->trees)
        make_trees(m, NULL, budget->deadline);
    multitree_run(m->trees, budget);
}

static void list_legal_moves(Mtmcts *m, SearchResult *result) {
    GameWork *work = game_work(m->search.game, REASONER_SCALAR);
    U32Vector legal = {0};
    game_legal(work, &m->state, 0, &legal);
    for (size_t i = 0; i < legal.count; i++) {
        SearchMove move = {.move = legal.items[i]};
        vector_push(&result->moves, move);
    }
    vector_free(&legal);
    game_work_free(work);
}

static void mtmcts_result(Search *search, SearchResult *result) {
    Mtmcts *m = (Mtmcts *)search;
    search_result_free(result);
    if (m->trees) {
        MultiTreeMoves moves = {0};
        multitree_moves(m->trees, &moves);
        for (size_t i = 0; i < moves.count; i++) {
            const MultiTreeMove *move = &moves.items[i];
            SearchMove item = {move->move, 100 * move->value, move->visits, move->ends};
            vector_push(&result->moves, item);
        }
        vector_free(&moves);
        MultiTreeCounts counts = multitree_counts(m->trees);
        const U32Vector *line = multitree_best_line(m->trees);
        for (size_t i = 0; i < line->count; i++)
            vector_push(&result->line, line->items[i]);
        if (multitree_is_solved(m->trees) && result->moves.count) {
            result->moves.items[0].value = counts.best_score;
            result->moves.items[0].is_proven = true;
        }
        result->playouts = counts.playouts;
        result->nodes = counts.nodes;
        result->depth = (uint32_t)line->count;
        result->cpu_seconds = counts.cpu_seconds + m->decomposition_seconds;
    }
    if (!result->moves.count)
        list_legal_moves(m, result);
    result->best = result->moves.count ? result->moves.items[0].move : MOVE_NONE;
}

static Mtmcts *make(Game *game, uint32_t role, const MtmctsOptions *options) {
    Mtmcts *m = memory_zalloc(sizeof *m);
    m->search = (Search){&mtmcts_search, game, role};
    m->options = *options;
    if (options->move_playouts) /* after a wrong move there may be nothing left to play out */
        m->options.trees.descent_limit = DESCENTS_A_PLAYOUT * options->move_playouts;
    return m;
}

static MtmctsOptions options_from(const SearchOptions *options) {
    MtmctsOptions own = {.trees = multitree_default_options()};
    own.trees.seed = options->seed;
    own.trees.step_limit = options->step_limit;
    own.trees.byte_limit = options->node_bytes;
    if (options->exploration > 0)
        own.trees.exploration = options->exploration;
    return own;
}

static Search *create(Game *game, uint32_t role, const SearchOptions *options) {
    if (game->role_count != 1 || !game_has_circuit(game))
        return NULL;
    MtmctsOptions own = options_from(options);
    return &make(game, role, &own)->search;
}

Search *mtmcts_create(Game *game, const MultiTreeParts *parts, const SearchOptions *options) {
    MtmctsOptions own = options_from(options);
    Mtmcts *m = make(game, 0, &own);
    m->trees = trees_of(game, parts, &own.trees, own.keeps_part);
    return &m->search;
}

/* The best move is made, and subgames that it has set free are looked for if that is wanted. False
 * at the end of the match. */
static bool make_move(Mtmcts *m, GameWork *work, Deadline deadline, U32Vector *line) {
    MultiTreeMoves moves = {0};
    State next = {0};
    multitree_moves(m->trees, &moves);
    bool goes_on = moves.count && !moves.items[0].ends;
    if (goes_on) {
        uint32_t move = moves.items[0].move;
        game_next(work, &m->state, &move, &next);
        mtmcts_advance(&m->search, &move, &next);
        vector_push(line, move);
        if (m->options.redecomposes)
            make_trees(m, &m->state, deadline);
    }
    vector_free(&moves);
    state_free(&next);
    return goes_on;
}

/* Of all moves together, as far as it is about work; what the trees are is that of the last ones.
 */
static void add_counts(const MultiTreeCounts *counts, MtmctsSolution *solution) {
    MultiTreeCounts before = solution->counts;
    solution->counts = *counts;
    solution->counts.descents += before.descents;
    solution->counts.playouts += before.playouts;
    solution->counts.cpu_seconds += before.cpu_seconds;
    solution->result.playouts = solution->counts.playouts;
    solution->result.cpu_seconds = solution->counts.cpu_seconds;
}

void mtmcts_solve(Game *game, const MtmctsOptions *options, const SearchBudget *budget,
                  MtmctsSolution *solution) {
    assert(game->role_count == 1 && game_has_circuit(game));
    Mtmcts *m = make(game, 0, options);
    if (!m->options.trees.descent_limit) /* trees that know all moves play nothing out */
        m->options.trees.descent_limit = DESCENTS_A_PLAYOUT * budget->playouts;
    GameWork *work = game_work(game, REASONER_SCALAR);
    NestedResult *result = &solution->result;
    U32Vector made = {0};
    bool goes_on;
    *solution = (MtmctsSolution){0};
    game_initial(work, &m->state);
    do {
        SearchBudget share = *budget;
        uint64_t left = budget->playouts - result->playouts;
        if (options->move_playouts)
            share.playouts =
                budget->playouts && left < options->move_playouts ? left : options->move_playouts;
        mtmcts_run(&m->search, &share);
        MultiTreeCounts counts = multitree_counts(m->trees);
        add_counts(&counts, solution);
        result->is_best = multitree_is_solved(m->trees);
        result->score = counts.best_score;
        goes_on = options->move_playouts && !result->is_best &&
                  !(budget->playouts && result->playouts >= budget->playouts) &&
                  !search_must_stop(budget);
    } while (goes_on && make_move(m, work, budget->deadline, &made));
    const U32Vector *line = multitree_best_line(m->trees);
    for (size_t i = 0; i < made.count && line->count; i++)
        vector_push(&result->line, made.items[i]);
    for (size_t i = 0; i < line->count; i++)
        vector_push(&result->line, line->items[i]);
    result->has_line = line->count > 0;
    solution->decomposition_seconds = m->decomposition_seconds;
    vector_free(&made);
    game_work_free(work);
    mtmcts_free(&m->search);
}

const SearchMethod mtmcts_search = {
    .name = "mtmcts",
    .summary = "games with one role that fall into subgames: a tree for each, one state for all",
    .create = create,
    .free = mtmcts_free,
    .set_state = mtmcts_set_state,
    .advance = mtmcts_advance,
    .run = mtmcts_run,
    .result = mtmcts_result,
    .is_alone = true};
