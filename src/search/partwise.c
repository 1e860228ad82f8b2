/* `parts`: UCT on the part of a game that matters to the player. A move on which neither the end
 * nor the player's own goal ever depends is idle: moves on boards that do not count, or all that
 * the others do in games in which everybody plays alone. Of a role's idle moves in a position the
 * first is searched like any other, the rest wait until everything else is decided; so the tree is
 * as narrow as the game that is left. What is idle is read off the circuit and holds for certain.
 * Others who can do something to the player's result keep what matters to theirs.
 *
 * And a sum of impartial games is not searched but computed (nimbers.h): where random matches do
 * not speak against it, that is found out when the search is first run. Where nothing comes of
 * either, this is plain UCT. */
#include <math.h>
#include <string.h>

#include "analysis/relevance.h"
#include "base/bitset.h"
#include "search/methods.h"
#include "search/nimbers.h"
#include "search/uct.h"

enum { MOST_TRIES = 3 };
/* For finding out whether the game is a sum of impartial games: of the time of a run, but no less
 * than this, since it is needed once. */
static const double SHARE = 0.5, LEAST_SECONDS = 0.02;

typedef struct {
    uint64_t *relevant; /* moves of the circuit; NULL without one */
    bool is_tested;     /* whether the game is a sum of impartial games */
    uint32_t tries;     /* to find that out; some ran out of time */
    Nimbers *nimbers;   /* NULL: it is not, so far as is known */
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

static void close_partwise(Uct *uct) {
    Partwise *p = uct->own;
    nimbers_free(p->nimbers);
    free(p->relevant);
    free(p);
}

/* The prior of an arm says whether it has to wait. */
static void expanded(UctWorker *w, TreeNode *node, const State *state) {
    (void)state;
    const Uct *uct = w->uct;
    const Partwise *p = uct->own;
    for (uint32_t r = 0; r < uct->search.game->role_count; r++) {
        Arm *arms = tree_arms(node, r);
        bool has_idle = false;
        for (uint32_t a = 0; a < tree_arm_count(node, r); a++) {
            bool is_idle =
                p->relevant &&
                !bitset_get(p->relevant, uct->search.game->circuit->first_move[r] + arms[a].move);
            arms[a].prior = is_idle && has_idle ? -INFINITY : NAN;
            has_idle |= is_idle;
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

static void find_sum(Uct *uct, Deadline deadline) {
    Partwise *p = uct->own;
    Game *game = uct->search.game;
    p->is_tested = true;
    if (!p->relevant || uct->clock.is_used || !nimbers_are_likely(game, &uct->root->state))
        return;
    Deadline end = deadline_in(fmax(LEAST_SECONDS, deadline_left(deadline) * SHARE));
    p->nimbers = nimbers_create(game, &uct->root->state, end);
    p->is_tested = p->nimbers || !deadline_passed(end) || ++p->tries >= MOST_TRIES;
}

static void partwise_run(Search *search, const SearchBudget *budget) {
    Uct *uct = (Uct *)search;
    const Partwise *p = uct->own;
    if (!p->is_tested && uct->root && !uct->root->is_terminal) {
        double started = clock_thread_cpu_seconds();
        find_sum(uct, budget->deadline);
        uct->cpu_seconds += clock_thread_cpu_seconds() - started;
    }
    uct_run(search, budget);
}

static void partwise_result(Search *search, SearchResult *result) {
    Uct *uct = (Uct *)search;
    const Partwise *p = uct->own;
    uint32_t move;
    uct_result(search, result);
    if (!p->nimbers || !uct->root || uct->root->is_terminal ||
        !nimbers_winning_move(p->nimbers, &uct->root->state, search->role, &move))
        return;
    result->best = move;
    for (size_t i = 0; i < result->moves.count; i++)
        if (result->moves.items[i].move == move)
            result->moves.items[i].value = uct_goal(uct, search->role, 1);
    search_sort_moves(result);
}

static Search *create(Game *game, uint32_t role, const SearchOptions *options) {
    if (game_hides(game) || options->evaluation) /* which has priors of its own */
        return search_method("uct")->create(game, role, options);
    return uct_create(&partwise_search, &hooks, game, role, options);
}

const SearchMethod partwise_search = {
    .name = "parts",
    .summary = "uct on the part of a game that matters to the player; sums of impartial games",
    .create = create,
    .free = uct_free,
    .set_state = uct_set_state,
    .advance = uct_advance,
    .run = partwise_run,
    .result = partwise_result,
    .takes_device = true};
