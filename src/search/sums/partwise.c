/* `parts`: UCT on the part of a game that matters to the player. A move on which neither the end
 * nor the player's own goal ever depends is idle: moves on boards that do not count, or all that
 * the others do in games in which everybody plays alone. Of a role's idle moves in a position the
 * first is searched like any other, the rest wait until everything else is decided; so the tree is
 * as narrow as the game that is left. What is idle is read off the circuit and holds for certain.
 * Others who can do something to the player's result keep what matters to theirs.
 *
 * And a sum of games is not searched but computed: impartial games by their heaps (nimbers.h),
 * where random matches do not speak against it, others class by class (sums.h), and games one after
 * the other from the last one on (series.h). What it is, is found out when the search is first run,
 * and as an option again after every move as long as it is no such sum: boards fall apart during a
 * match. Of moves that are worth the same, the one that the tree likes best is made. Where nothing
 * comes of any of it, this is plain UCT. */
#include <math.h>
#include <string.h>

#include "analysis/facts/relevance.h"
#include "base/bitset.h"
#include "search/methods.h"
#include "search/sums/nimbers.h"
#include "search/sums/partwise.h"
#include "search/sums/series.h"
#include "search/sums/sums.h"
#include "search/uct/uct.h"

enum { MOST_TRIES = 3, MEMORY_SHARE = 2 /* a sum may have that part of the memory */ };
/* Of the time of a run: for finding out whether the game is a sum of impartial games, but no less
 * than this, since it is needed once; and for solving other sums, in the first run and later. */
static const double SHARE = 0.5, LEAST_SECONDS = 0.02, LATER_SHARE = 0.25;
/* For a sum that the match may have fallen into: to solve it, and to look for it. */
static const double AGAIN_SHARE = 0.1, LOOK_SHARE = 0.02;

typedef struct {
    PartwiseOptions options;
    uint64_t *relevant;  /* moves of the circuit; NULL without one */
    bool is_tested;      /* whether the game is a sum of impartial games */
    uint32_t tries;      /* to find that out; some ran out of time */
    Nimbers *nimbers;    /* NULL: it is not, so far as is known */
    Sums *sums;          /* NULL: there are none to be solved */
    Series *series;      /* likewise, if it is no sum */
    bool is_later;       /* the sums begin with a state of the match where it had fallen apart */
    State looked_at;     /* the last such state that was looked at; no words before the first */
    double look_seconds; /* what that took */
    bool has_run;
    bool looks_ahead; /* to where the first part of the series is over */
    double credit; /* seconds that sums and series may take: what they took too much is taken off */
    SumMoves exact; /* what the moves are worth, if there are any, in that state */
    State exact_state;
} Partwise;

static bool has_relevant_move(const Circuit *c, uint32_t role, const uint64_t *relevant) {
    size_t first = bitset_next(relevant, bitset_words(c->move_count), c->first_move[role]);
    return first != BITSET_END && first < c->first_move[role + 1];
}

/* What matters to the player, and what matters to those who can do something about it: else nobody
 * knew what they would rather do. */
static void find_relevant(const Circuit *c, uint32_t player, uint64_t *relevant) {
    uint64_t *fluents = memory_zalloc((bitset_words(c->fluent_count) + 1) * sizeof *fluents);
    size_t words = bitset_words(c->move_count);
    uint64_t *own = memory_zalloc((words + 1) * sizeof *own);
    relevance_for_role(c, player, fluents, own);
    memcpy(relevant, own, words * sizeof *own);
    for (uint32_t r = 0; r < c->role_count; r++)
        if (r != player && has_relevant_move(c, r, own))
            relevance_for_role(c, r, fluents, relevant);
    free(fluents);
    free(own);
}

static void open_partwise(Uct *uct) {
    Partwise *p = memory_zalloc(sizeof *p);
    const Circuit *c = uct->search.game->circuit;
    uct->own = p;
    if (!game_has_circuit(uct->search.game))
        return;
    p->relevant = memory_zalloc((bitset_words(c->move_count) + 1) * sizeof *p->relevant);
    find_relevant(c, uct->search.role, p->relevant);
}

/* What was found out holds for the matches that go on from there. */
static void forget(Partwise *p) {
    nimbers_free(p->nimbers);
    sums_free(p->sums);
    series_free(p->series);
    vector_free(&p->exact);
    state_free(&p->exact_state);
    state_free(&p->looked_at);
    *p = (Partwise){.relevant = p->relevant};
}

static void close_partwise(Uct *uct) {
    Partwise *p = uct->own;
    forget(p);
    free(p->relevant);
    free(p);
}

static bool is_idle(const Partwise *p, const Game *game, uint32_t role, uint32_t move) {
    return p->relevant && !bitset_get(p->relevant, game->circuit->first_move[role] + move);
}

/* Where the first part of a series is over, the rest may be known. */
static void look_up_goals(const Uct *uct, TreeNode *node, const State *state) {
    const Partwise *p = uct->own;
    uint32_t mover = (uint32_t)node->mover;
    int goals[2];
    node->is_proven = series_is_later(p->series, mover, tree_arms(node, mover)->move) &&
                      series_goals(p->series, state, goals);
    for (uint32_t r = 0; r < 2 && node->is_proven; r++)
        node->values[r] = uct_value(uct, r, goals[r]);
}

/* The prior of an arm says whether it has to wait. */
static void expanded(UctWorker *w, TreeNode *node, const State *state) {
    const Uct *uct = w->uct;
    const Partwise *p = uct->own;
    if (p->looks_ahead && node != uct->root && node->mover >= 0)
        look_up_goals(uct, node, state);
    for (uint32_t r = 0; r < uct->search.game->role_count; r++) {
        Arm *arms = tree_arms(node, r);
        bool has_idle = false;
        for (uint32_t a = 0; a < tree_arm_count(node, r); a++) {
            bool is_another = is_idle(p, uct->search.game, r, arms[a].move);
            arms[a].prior = is_another && has_idle ? -INFINITY : NAN;
            has_idle |= is_another;
        }
    }
}

static double bound(const UctWorker *w, uint32_t role, const Arm *arm, double log_visits) {
    (void)role;
    if (arm->prior == -INFINITY)
        return -INFINITY;
    if (!arm->visits)
        return INFINITY;
    double part = 1.0 / arm->visits;
    return arm->total * part + w->uct->options.exploration * sqrt(log_visits * part);
}

static const UctHooks hooks = {
    .open = open_partwise, .close = close_partwise, .bound = bound, .expanded = expanded};

/* The budget with a share of its time. */
static SearchBudget share_of(const SearchBudget *budget, double share) {
    SearchBudget part = *budget;
    part.deadline = deadline_in(deadline_left(budget->deadline) * share);
    return part;
}

static void find_sum(Uct *uct, const SearchBudget *budget) {
    Partwise *p = uct->own;
    Game *game = uct->search.game;
    const State *state = &uct->root->state;
    p->is_tested = true;
    if (!p->relevant || uct->clock.is_used)
        return;
    if (nimbers_are_likely(game, state)) {
        Deadline end = deadline_in(fmax(LEAST_SECONDS, deadline_left(budget->deadline) * SHARE));
        p->nimbers = nimbers_create(game, state, end);
        p->is_tested = p->nimbers || !deadline_passed(end) || ++p->tries >= MOST_TRIES;
    }
    if (p->is_tested && !p->nimbers && !uct->options.leaves_sums) {
        SearchBudget part = share_of(budget, SHARE);
        p->sums = sums_create(game, state, uct->options.node_bytes / MEMORY_SHARE, &part);
        p->is_tested = p->sums || !search_must_stop(&part) || ++p->tries >= MOST_TRIES;
        if (p->is_tested && !p->sums) {
            p->series = series_create(game, state, uct->options.node_bytes / MEMORY_SHARE,
                                      uct->options.seed, &part);
            p->is_tested = p->series || !search_must_stop(&part) || ++p->tries >= MOST_TRIES;
        }
    }
}

/* The tree has the memory that the sum or series leaves. One that cannot be solved is dropped. */
static void share_memory(Uct *uct) {
    Partwise *p = uct->own;
    if (p->sums && !sums_are_open(p->sums)) {
        sums_free(p->sums);
        p->sums = NULL;
    }
    if (p->series && !series_is_open(p->series)) {
        series_free(p->series);
        p->series = NULL;
    }
    size_t bytes = uct->options.node_bytes, taken = 0;
    taken += p->sums ? sums_bytes(p->sums) : 0;
    taken += p->series ? series_bytes(p->series) : 0;
    tree_set_budget(&uct->tree, taken < bytes ? bytes - taken : 0);
}

/* Whether another look is cheap enough. One that is not becomes so in time: there is less and less
 * to look at. Where playouts are counted, the work has a bound and nothing may depend on time. */
static bool can_look(Partwise *p, const SearchBudget *budget) {
    if (budget->playouts || p->look_seconds <= deadline_left(budget->deadline) * LOOK_SHARE)
        return true;
    p->look_seconds /= 2;
    return false;
}

/* The match has moved on, and what was one game may have become several. */
static void look_again(Uct *uct, const SearchBudget *budget) {
    Partwise *p = uct->own;
    const State *state = &uct->root->state;
    const SearchOptions *o = &uct->options;
    bool is_solved = p->sums && (!p->is_later || p->exact.count);
    if (!p->relevant || uct->clock.is_used || p->nimbers || p->series || is_solved ||
        o->leaves_sums || !p->options.looks_again || state_equal(&p->looked_at, state) ||
        !can_look(p, budget))
        return;
    sums_free(p->sums);
    SearchBudget part = share_of(budget, AGAIN_SHARE);
    double started = clock_thread_cpu_seconds();
    state_copy(&p->looked_at, state);
    p->sums = sums_create(uct->search.game, state, o->node_bytes / MEMORY_SHARE, &part);
    p->is_later = true;
    p->look_seconds = clock_thread_cpu_seconds() - started;
    share_memory(uct);
}

/* Where the first part is over already, all that is left is one question. */
static bool is_in_first_part(const Uct *uct) {
    const Partwise *p = uct->own;
    const TreeNode *root = uct->root;
    return root->arms && root->mover >= 0 &&
           !series_is_later(p->series, (uint32_t)root->mover,
                            tree_arms(root, (uint32_t)root->mover)->move);
}

/* As far as there is time: what the moves of the root are worth. */
static void solve_sum(Uct *uct, const SearchBudget *budget) {
    Partwise *p = uct->own;
    const State *state = &uct->root->state;
    double started = clock_wall_seconds(), left = deadline_left(budget->deadline);
    double share = p->is_later ? AGAIN_SHARE : p->has_run ? LATER_SHARE : SHARE;
    p->credit = fmin(p->credit + left * share, left * SHARE);
    p->has_run = true;
    p->looks_ahead = p->series && is_in_first_part(uct);
    if ((p->exact.count && state_equal(&p->exact_state, state)) || p->credit <= 0)
        return;
    SearchBudget part = *budget;
    part.deadline = deadline_in(p->credit);
    bool is_solved = p->sums ? sums_moves(p->sums, state, uct->search.role, &part, &p->exact)
                             : series_moves(p->series, state, uct->search.role, &part, &p->exact);
    if (!is_solved)
        vector_clear(&p->exact);
    state_copy(&p->exact_state, state);
    p->credit -= clock_wall_seconds() - started;
    share_memory(uct);
    p->looks_ahead = p->looks_ahead && p->series && !is_solved;
}

/* A root whose value was looked up has no moves that are known to bring it, whether or not the
 * series is still there. */
static void reopen_root(Uct *uct) {
    TreeNode *root = uct->root;
    if (!root->is_proven || !root->arms || root->mover < 0)
        return;
    const Arm *arms = tree_arms(root, (uint32_t)root->mover);
    bool has_proof = false;
    for (uint32_t a = 0; a < tree_arm_count(root, (uint32_t)root->mover); a++)
        has_proof |= arms[a].is_proven;
    root->is_proven = has_proof;
}

static void partwise_set_state(Search *search, const State *state) {
    Uct *uct = (Uct *)search;
    if (uct->root && !state_equal(&uct->root->state, state)) {
        forget(uct->own);
        share_memory(uct);
    }
    uct_set_state(search, state);
}

static void partwise_advance(Search *search, const uint32_t *joint, const State *next) {
    const Partwise *p = ((Uct *)search)->own;
    if (p->series)
        series_forget_wanted(p->series);
    uct_advance(search, joint, next);
}

static void partwise_run(Search *search, const SearchBudget *budget) {
    Uct *uct = (Uct *)search;
    const Partwise *p = uct->own;
    if (uct->root && !uct->root->is_terminal) {
        reopen_root(uct);
        double started = clock_thread_cpu_seconds();
        if (!p->is_tested && !search_must_stop(budget))
            find_sum(uct, budget);
        else if (p->is_tested)
            look_again(uct, budget);
        if (p->sums || p->series)
            solve_sum(uct, budget);
        uct->cpu_seconds += clock_thread_cpu_seconds() - started;
    }
    uct_run(search, budget);
}

static const SumMove *exact_of(const Partwise *p, uint32_t move) {
    for (size_t i = 0; i < p->exact.count; i++)
        if (p->exact.items[i].move == move)
            return &p->exact.items[i];
    return NULL;
}

/* Puts exact values in place of the tree's. Among the best moves its choice stands, or the one that
 * it visited most. */
static void take_exact_values(const Partwise *p, SearchResult *result) {
    const SearchMove *best = NULL;
    uint32_t choice = result->best;
    for (size_t i = 0; i < result->moves.count; i++) {
        SearchMove *move = &result->moves.items[i];
        const SumMove *exact = exact_of(p, move->move);
        if (!exact)
            return;
        move->value = exact->value;
        move->is_proven = true;
    }
    for (size_t i = 0; i < result->moves.count; i++) {
        const SearchMove *move = &result->moves.items[i];
        if (!best || move->value > best->value ||
            (move->value == best->value && best->move != choice &&
             (move->move == choice || move->visits > best->visits)))
            best = move;
    }
    if (best)
        result->best = best->move;
    result->is_decided = true;
}

static void take_winning_move(const Uct *uct, SearchResult *result) {
    const Partwise *p = uct->own;
    uint32_t move;
    if (!nimbers_winning_move(p->nimbers, &uct->root->state, uct->search.role, &move))
        return;
    result->best = move;
    for (size_t i = 0; i < result->moves.count; i++)
        if (result->moves.items[i].move == move)
            result->moves.items[i].value = uct_goal(uct, uct->search.role, 1);
}

static void partwise_result(Search *search, SearchResult *result) {
    const Uct *uct = (Uct *)search;
    const Partwise *p = uct->own;
    uct_result(search, result);
    if (!uct->root || uct->root->is_terminal)
        return;
    if (p->nimbers)
        take_winning_move(uct, result);
    else if (p->exact.count && state_equal(&p->exact_state, &uct->root->state))
        take_exact_values(p, result);
    search_sort_moves(result);
}

bool partwise_lets_wait(const Search *search, uint32_t role, const U32Vector *legal) {
    const Partwise *p = search->method == &partwise_search ? ((const Uct *)search)->own : NULL;
    size_t idle = 0;
    for (size_t i = 0; p && i < legal->count; i++)
        idle += is_idle(p, search->game, role, legal->items[i]);
    return idle > 1;
}

bool partwise_computes(const Search *search) {
    const Partwise *p = search->method == &partwise_search ? ((const Uct *)search)->own : NULL;
    return p && (p->nimbers || p->sums || p->series);
}

static Search *create(Game *game, uint32_t role, const SearchOptions *options) {
    if (game_hides(game) || options->evaluation) /* which has priors of its own */
        return uct_search.create(game, role, options);
    Search *search = uct_create(&partwise_search, &hooks, game, role, options);
    if (search) {
        Partwise *p = ((Uct *)search)->own;
        search_own_options(options, &p->options, sizeof p->options);
    }
    return search;
}

static const SearchOption options[] = {PARTWISE_OPTIONS, {0}};

const SearchMethod partwise_search = {
    .name = "uct-relevant",
    .alias = "parts",
    .summary = "uct on what matters to the player; sums of independent games are solved",
    .options = options,
    .own_size = sizeof(PartwiseOptions),
    .takes_evaluation = true,
    .create = create,
    .free = uct_free,
    .set_state = partwise_set_state,
    .advance = partwise_advance,
    .run = partwise_run,
    .result = partwise_result,
    .takes_device = true};
