/* `mtmcts`: MT-MCTS (mtmcts_trees.h) as a search method. The first run decomposes the game, within
 * a share of its time; however the decomposition turns out, play follows the rules. A subgame may
 * be so large that its tree finds nothing for a long time. Then the game is cut in other ways as
 * well, by sub-goals and by the demands of the greatest goal; these parts may overlap. All cuts
 * then get slices of equal work, which double with each round and restart with a better match. */
#include "search/multitree/mtmcts.h"
#include "search/search_options.h"

#include <assert.h>

enum {
    DESCENTS_PER_PLAYOUT = 4,     /* descents allowed for each playout of a budget (untuned) */
    FIRST_SLICE_DESCENTS = 20000, /* descents of the first slice without a better match (untuned) */
    SLICE = 1000,                 /* descents between two looks at the best score (untuned) */
    CUTS = MTMCTS_CUTS
};

typedef struct {
    Search search;
    MtmctsOptions options;
    MtmctsTrees *trees[CUTS]; /* by cut: its trees; NULL before the first slice of the cut */
    MtmctsCuts waiting;       /* by cut: its parts, if it has no trees yet */
    State state;
    uint32_t part_count;          /* parts of the first cut */
    uint32_t turn;                /* the cut that has the present slice */
    uint64_t waited, waited_work; /* descents without a better match in this slice, and work */
    uint64_t patience;      /* length of a slice in units of work; 0: `first_slice` descents */
    uint64_t descent_limit; /* descents of one run; 0: no limit */
    double decomposition_seconds;
} Mtmcts;

static void mtmcts_free(Search *search) {
    Mtmcts *m = (Mtmcts *)search;
    for (int c = 0; c < CUTS; c++)
        mtmcts_trees_free(m->trees[c]);
    mtmcts_cuts_free(&m->waiting);
    state_free(&m->state);
    free(m);
}

static void begin_turns(Mtmcts *m) {
    m->waited = m->waited_work = 0;
    m->patience = 0;
}

static void mtmcts_set_state(Search *search, const State *state) {
    Mtmcts *m = (Mtmcts *)search;
    state_copy(&m->state, state);
    for (int c = 0; c < CUTS; c++)
        if (m->trees[c])
            mtmcts_trees_set_state(m->trees[c], state);
    m->turn = 0;
    begin_turns(m);
}

static void mtmcts_advance(Search *search, const uint32_t *joint, const State *next) {
    Mtmcts *m = (Mtmcts *)search;
    (void)joint;
    state_copy(&m->state, next);
    for (int c = 0; c < CUTS; c++)
        if (m->trees[c])
            mtmcts_trees_advance(m->trees[c], next);
    begin_turns(m);
}

/* ---- the trees ---- */

/* A single subgame gets a tree of the whole game, since what matters to its score may depend on
 * moves that act elsewhere. By depth this is `uct1`, which ignores idle ends. */
static MtmctsTrees *trees_of(Game *game, const GameParts *parts, const MtmctsOptions *options,
                             size_t bytes) {
    TreesOptions own = options->trees;
    own.byte_limit = bytes;
    if (parts->count > 1 || options->drops_rest)
        return mtmcts_trees_create(game, parts, &own);
    GameParts whole = mtmcts_whole_game(game);
    whole.last_resort_moves = own.keys == KEYS_DEPTH ? NULL : parts->last_resort_moves;
    MtmctsTrees *trees = mtmcts_trees_create(game, &whole, &own);
    whole.last_resort_moves = NULL;
    mtmcts_parts_free(&whole);
    return trees;
}

static bool may_cut_again(const MtmctsOptions *o) {
    return o->trees.keys != KEYS_DEPTH && !o->is_undivided && !o->overlap && !o->drops_rest &&
           !o->redecomposes;
}

/* Makes the trees of the first cut. Cuts with other parts are kept for later. */
static void take_cuts(Mtmcts *m, MtmctsCuts *cuts) {
    const MtmctsOptions *o = &m->options;
    m->part_count = cuts->items[0].count;
    m->trees[0] = trees_of(m->search.game, &cuts->items[0], o, o->trees.byte_limit);
    for (int c = 1; c < CUTS && may_cut_again(o) && m->part_count >= 2; c++)
        if (cuts->items[c].count >= 2 && !mtmcts_trees_has_parts(m->trees[0], &cuts->items[c])) {
            m->waiting.items[c] = cuts->items[c];
            cuts->items[c] = (GameParts){0};
        }
}

static Deadline part_of(Deadline deadline) {
    return deadline_in(deadline_left(deadline) * MTMCTS_DECOMPOSITION_SHARE);
}

/* Makes trees for the present state. They replace earlier ones only if there are more subgames. */
static void make_trees(Mtmcts *m, const State *start, Deadline deadline) {
    double started = clock_thread_cpu_seconds();
    Game *game = m->search.game;
    const MtmctsOptions *o = &m->options;
    MtmctsCuts cuts = {0};
    if (o->is_undivided)
        cuts.items[0] = mtmcts_whole_game(game);
    else if (may_cut_again(o))
        cuts = mtmcts_find_cuts(game, o->trees.seed, part_of(deadline));
    else
        cuts.items[0] =
            mtmcts_find_parts(game, start, o->overlap, o->trees.seed, part_of(deadline));
    if (!m->trees[0] || cuts.items[0].count > m->part_count) {
        mtmcts_trees_free(m->trees[0]);
        take_cuts(m, &cuts);
        mtmcts_trees_set_state(m->trees[0], &m->state);
    }
    mtmcts_cuts_free(&cuts);
    m->decomposition_seconds += clock_thread_cpu_seconds() - started;
}

static bool is_cut_so_already(const Mtmcts *m, const GameParts *parts) {
    for (int c = 1; c < CUTS; c++)
        if (m->trees[c] && mtmcts_trees_has_parts(m->trees[c], parts))
            return true;
    return false;
}

/* Makes the trees of another cut. From now on all cuts have equal shares of the memory. */
static void make_more_trees(Mtmcts *m, int cut) {
    double started = clock_thread_cpu_seconds();
    size_t share = m->options.trees.byte_limit / CUTS;
    if (!is_cut_so_already(m, &m->waiting.items[cut])) {
        m->trees[cut] = trees_of(m->search.game, &m->waiting.items[cut], &m->options, share);
        mtmcts_trees_set_state(m->trees[cut], &m->state);
        mtmcts_trees_limit_bytes(m->trees[0], share);
    }
    mtmcts_parts_free(&m->waiting.items[cut]);
    m->decomposition_seconds += clock_thread_cpu_seconds() - started;
}

static bool is_decided(const MtmctsTrees *trees) {
    return mtmcts_trees_is_solved(trees) || mtmcts_trees_is_exhausted(trees);
}

static int best_score(const MtmctsTrees *trees) {
    return mtmcts_trees_counts(trees).best_score;
}

/* The trees that know the best line. */
static MtmctsTrees *leading_trees(const Mtmcts *m) {
    MtmctsTrees *leading = m->trees[0];
    for (int c = 1; c < CUTS && !is_decided(leading); c++)
        if (m->trees[c] &&
            (is_decided(m->trees[c]) || best_score(m->trees[c]) > best_score(leading)))
            leading = m->trees[c];
    return leading;
}

/* Adds up the counts over the trees of all cuts. */
static TreesCounts counts_of(const Mtmcts *m) {
    TreesCounts sum = mtmcts_trees_counts(leading_trees(m));
    for (int c = 0; c < CUTS; c++) {
        if (!m->trees[c] || m->trees[c] == leading_trees(m))
            continue;
        TreesCounts counts = mtmcts_trees_counts(m->trees[c]);
        sum.descents += counts.descents;
        sum.playouts += counts.playouts;
        sum.nodes += counts.nodes;
        sum.transitions += counts.transitions;
        sum.positions += counts.positions;
        sum.work += counts.work;
        sum.illegal_merges += counts.illegal_merges;
        sum.cpu_seconds += counts.cpu_seconds;
    }
    return sum;
}

static bool is_turn_over(const Mtmcts *m) {
    return m->patience ? m->waited_work >= m->patience : m->waited >= m->options.first_slice;
}

/* The next cut that has trees or can have some; the first cut if there is none. */
static uint32_t next_cut(Mtmcts *m) {
    for (uint32_t c = m->turn + 1; c < CUTS; c++) {
        if (m->waiting.items[c].count)
            make_more_trees(m, (int)c);
        if (m->trees[c])
            return c;
    }
    return 0;
}

static void end_turn(Mtmcts *m) {
    uint32_t before = m->turn;
    if (!m->patience)
        m->patience = m->waited_work;
    m->turn = next_cut(m);
    if (before && !m->turn) /* every cut has had its slice */
        m->patience *= 2;
    m->waited = m->waited_work = 0;
}

/* The number of descents until the best score is looked at again. */
static uint64_t slice_of(const Mtmcts *m, uint64_t descents) {
    uint64_t slice = m->options.first_slice < SLICE ? m->options.first_slice : SLICE;
    uint64_t left = m->descent_limit - descents;
    return m->descent_limit && left < slice ? left : slice;
}

static void mtmcts_run(Search *search, const SearchBudget *budget) {
    Mtmcts *m = (Mtmcts *)search;
    SearchBudget left = *budget;
    uint64_t descents = 0, made, playouts = 0;
    if (!m->trees[0])
        make_trees(m, NULL, budget->deadline);
    do {
        TreesCounts before = mtmcts_trees_counts(m->trees[m->turn]);
        int score = best_score(leading_trees(m));
        left.playouts = budget->playouts - (budget->playouts ? playouts : 0);
        mtmcts_trees_limit_descents(m->trees[m->turn], slice_of(m, descents));
        mtmcts_trees_run(m->trees[m->turn], &left);
        TreesCounts after = mtmcts_trees_counts(m->trees[m->turn]);
        made = after.descents - before.descents;
        descents += made;
        playouts += after.playouts - before.playouts;
        bool is_better = after.best_score > score;
        m->waited = is_better ? 0 : m->waited + made;
        m->waited_work = is_better ? 0 : m->waited_work + after.work - before.work;
        if (is_decided(m->trees[m->turn]))
            return;
        if (is_turn_over(m))
            end_turn(m);
    } while (made && !(budget->playouts && playouts >= budget->playouts) &&
             !(m->descent_limit && descents >= m->descent_limit) && !search_must_stop(budget));
}

static void mtmcts_result(Search *search, SearchResult *result) {
    Mtmcts *m = (Mtmcts *)search;
    if (m->trees[0]) {
        MtmctsTrees *trees = leading_trees(m);
        mtmcts_trees_moves(trees, result);
        TreesCounts counts = counts_of(m);
        const U32Vector *line = mtmcts_trees_best_line(trees);
        u32_append(&result->line, line);
        result->is_decided = is_decided(trees);
        if (result->is_decided && line->count && result->moves.count &&
            result->moves.items[0].move == line->items[0]) {
            result->moves.items[0].value = counts.best_score;
            result->moves.items[0].is_proven = true;
        }
        result->playouts = counts.playouts;
        result->nodes = counts.nodes;
        result->depth = (uint32_t)line->count;
        result->cpu_seconds = counts.cpu_seconds + m->decomposition_seconds;
    }
    if (!result->moves.count) {
        GameWork *work = game_work_create(search->game, REASONER_SCALAR);
        search_list_legal(search, work, &m->state, result);
        game_work_free(work);
    }
    if (result->moves.count)
        result->best = result->moves.items[0].move;
}

static Mtmcts *make(Game *game, const MtmctsOptions *options) {
    Mtmcts *m = search_instance(&mtmcts_search, game, 0, sizeof *m);
    m->options = *options;
    if (options->is_published) {
        m->options.trees.keys = KEYS_DEPTH;
        m->options.trees.ignores_untried = true;
    }
    if (!options->first_slice)
        m->options.first_slice = FIRST_SLICE_DESCENTS;
    if (options->move_playouts) /* after a wrong move nothing may be left to play out */
        m->options.trees.descent_limit = DESCENTS_PER_PLAYOUT * options->move_playouts;
    m->descent_limit = m->options.trees.descent_limit;
    begin_turns(m);
    return m;
}

MtmctsOptions mtmcts_uct1_options(void) {
    MtmctsOptions options = {.trees = mtmcts_trees_default_options(), .is_undivided = true};
    options.trees.keys = KEYS_DEPTH;
    options.trees.ignores_untried = true;
    return options;
}

static const MtmctsOptions default_options = {.trees = {TREES_DEFAULTS}};

static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *given) {
    SearchOptions options = search_defaults(given);
    MtmctsOptions own = given->own ? *(const MtmctsOptions *)given->own : default_options;
    assert(method == &mtmcts_search && role < game->role_count);
    if (game->role_count != 1 || !game_has_circuit(game))
        return NULL;
    own.trees.seed = options.seed;
    own.trees.step_limit = options.step_limit;
    own.trees.byte_limit = options.node_bytes;
    if (options.exploration > 0)
        own.trees.exploration = options.exploration;
    return &make(game, &own)->search;
}

Search *mtmcts_create(Game *game, MtmctsCuts *cuts, const SearchOptions *options) {
    Search *search = create(&mtmcts_search, game, 0, options);
    take_cuts((Mtmcts *)search, cuts);
    return search;
}

/* Makes the best move, and new trees if it separated subgames. False at the end of the match. */
static bool make_move(Mtmcts *m, GameWork *work, Deadline deadline, U32Vector *line) {
    SearchResult result = {0};
    State next = {0};
    mtmcts_trees_moves(leading_trees(m), &result);
    bool goes_on = result.moves.count && !result.moves.items[0].is_proven;
    if (goes_on) {
        uint32_t move = result.moves.items[0].move;
        game_next(work, &m->state, &move, &next);
        mtmcts_advance(&m->search, &move, &next);
        vector_push(line, move);
        if (m->options.redecomposes)
            make_trees(m, &m->state, deadline);
    }
    search_result_free(&result);
    state_free(&next);
    return goes_on;
}

/* Adds up descents, playouts and time over a match. Sizes are those after the last move. */
static void add_counts(const TreesCounts *counts, MtmctsSolution *solution) {
    TreesCounts before = solution->counts;
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
    Mtmcts *m = make(game, options);
    if (!m->descent_limit) /* trees in which every move is known make no playouts */
        m->descent_limit = DESCENTS_PER_PLAYOUT * budget->playouts;
    GameWork *work = game_work_create(game, REASONER_SCALAR);
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
        const MtmctsTrees *trees = leading_trees(m);
        TreesCounts counts = counts_of(m);
        add_counts(&counts, solution);
        result->is_best =
            mtmcts_trees_is_solved(trees) || /* moves made earlier are not proven */
            (mtmcts_trees_is_exhausted(trees) && counts.best_score >= 0 && !made.count);
        result->score = counts.best_score;
        goes_on = options->move_playouts && !result->is_best &&
                  !(budget->playouts && result->playouts >= budget->playouts) &&
                  !search_must_stop(budget);
    } while (goes_on && make_move(m, work, budget->deadline, &made));
    const U32Vector *line = mtmcts_trees_best_line(leading_trees(m));
    if (line->count)
        u32_copy(&result->line, &made);
    u32_append(&result->line, line);
    result->has_line = line->count > 0;
    for (int c = 0; c < CUTS; c++)
        solution->work[c] = m->trees[c] ? mtmcts_trees_counts(m->trees[c]).work : 0;
    if (options->is_undivided) /* making the tree is a part of searching it */
        result->cpu_seconds += m->decomposition_seconds;
    else
        solution->decomposition_seconds = m->decomposition_seconds;
    vector_free(&made);
    game_work_free(work);
    mtmcts_free(&m->search);
}

#define FIELD(member) OWN_FIELD(MtmctsOptions, member)
static const SearchOption options_table[] = {
    SEARCH_OPTION_C("0.4"), MTMCTS_OPTIONS(FIELD), SEARCH_OPTIONS_COMMON, {0}};

const SearchMethod mtmcts_search = {
    .name = "mtmcts",
    .summary = "games with one role that fall into subgames: a tree per subgame",
    .options = options_table,
    .own_size = sizeof(MtmctsOptions),
    .own_defaults = &default_options,
    .create = create,
    .free = mtmcts_free,
    .set_state = mtmcts_set_state,
    .advance = mtmcts_advance,
    .run = mtmcts_run,
    .result = mtmcts_result,
    .for_one_role = true};
