/* `uct-relevant`: UCT on the moves that can influence the player's result. A move is idle if
 * neither the end of the match nor the player's goal depends on it: a move on a board that does not
 * count, for instance. Of a role's idle moves in a position the first is searched like any other;
 * the others are postponed until everything else is decided. Idle moves are proven on the circuit.
 * A role that can influence the player's result also keeps the moves that matter to itself. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "analysis/facts/relevance.h"
#include "base/bitset.h"
#include "search/sums/nimbers.h"
#include "search/sums/serial.h"
#include "search/sums/sums.h"
#include "search/sums/uct_relevant.h"
#include "search/uct/uct.h"

/* Sums of games are solved exactly instead: impartial games by nimbers (nimbers.h), other sums by
 * classes of states (sums.h), and games played one after the other by backward induction
 * (serial.h). The first run looks for such a sum; as an option, later runs look again. Among moves
 * of equal exact value the tree decides. Without idle moves and sums this is plain UCT. */

enum {
    MAX_TRIES = 3,   /* runs that may look for a sum and run out of time (untuned) */
    MEMORY_SHARE = 2 /* a sum may use 1 / MEMORY_SHARE of the memory (untuned) */
};
static const double SHARE =
                        0.5, /* share of the first run's time to find and solve a sum (untuned) */
    MIN_SECONDS = 0.02, /* least time to look for impartial games, which is done once (untuned) */
    LATER_SHARE = 0.25, /* share of a later run's time to solve a sum (untuned) */
    AGAIN_SHARE = 0.1,  /* share of a run's time to solve a sum that appeared later (untuned) */
    LOOK_SHARE = 0.02;  /* share of a run's time to look for a sum again (untuned) */

typedef struct {
    UctRelevantOptions options;
    uint64_t *relevant;  /* set of the circuit's moves; NULL without a circuit */
    bool is_tested;      /* it is known whether the game is a sum */
    uint32_t tries;      /* runs that looked for a sum and ran out of time */
    Nimbers *nimbers;    /* NULL: not known to be a sum of impartial games */
    Sums *sums;          /* NULL: no sum to be solved */
    Serial *series;      /* NULL: no serial games to be solved */
    bool is_later;       /* `sums` begins with a later state of the match */
    State looked_at;     /* the last state in which a sum was looked for again; empty at first */
    double look_seconds; /* CPU time of that look */
    bool has_run;
    bool looks_ahead; /* nodes after the first of the serial games look up their exact value */
    double credit;    /* time credit for solving, in seconds; overruns are deducted */
    SumMoves exact;   /* exact values of the moves in `exact_state`; empty if not known */
    State exact_state;
} UctRelevant;

static bool has_relevant_move(const Circuit *c, uint32_t role, const uint64_t *relevant) {
    size_t first = bitset_next(relevant, bitset_words(c->move_count), c->first_move[role]);
    return first != BITSET_END && first < c->first_move[role + 1];
}

/* Finds the moves that matter to the player, and those that matter to roles that can influence the
 * player's result: otherwise the preferences of such a role would be unknown. */
static void find_relevant(const Circuit *c, uint32_t player, uint64_t *relevant) {
    uint64_t *fluents = memory_zalloc((bitset_words(c->fluent_count) + 1) * sizeof *fluents);
    size_t words = bitset_words(c->move_count);
    uint64_t *own = memory_zalloc((words + 1) * sizeof *own);
    relevance_for_role(c, player, fluents, own);
    memcpy(relevant, own, words * sizeof *own);
    for (uint32_t r = 0; r < c->role_count; r++)
        if (r != player && has_relevant_move(c, r, own))
            relevance_for_role(c, r, fluents, relevant);
    memory_free(fluents, own);
}

static void *open_uct_relevant(const Search *search, const SearchOptions *options) {
    UctRelevant *p = memory_zalloc(sizeof *p);
    const Circuit *c = search->game->circuit;
    search_own_options(options, &p->options, sizeof p->options);
    if (game_has_circuit(search->game)) {
        p->relevant = memory_zalloc((bitset_words(c->move_count) + 1) * sizeof *p->relevant);
        find_relevant(c, search->role, p->relevant);
    }
    return p;
}

/* Discards sums and solutions, which are valid only for matches from one state on. */
static void forget(UctRelevant *p) {
    nimbers_free(p->nimbers);
    sums_free(p->sums);
    serial_free(p->series);
    vector_free(&p->exact);
    states_free(&p->exact_state, &p->looked_at);
    *p = (UctRelevant){.options = p->options, .relevant = p->relevant};
}

static void close_uct_relevant(void *own, const Search *search) {
    UctRelevant *p = own;
    (void)search;
    forget(p);
    memory_free(p->relevant, p);
}

static bool is_idle(const UctRelevant *p, const Game *game, uint32_t role, uint32_t move) {
    assert(role < game->role_count);
    return p->relevant && !bitset_get(p->relevant, game->circuit->first_move[role] + move);
}

/* Looks up the exact goals of a node after the first of the serial games. */
static void look_up_goals(const Uct *uct, TreeNode *node, const State *state) {
    const UctRelevant *p = uct->own;
    uint32_t mover = (uint32_t)node->mover;
    int goals[2];
    node->is_proven = serial_is_later(p->series, mover, tree_arms(node, mover)->move) &&
                      serial_goals(p->series, state, goals);
    for (uint32_t r = 0; r < 2 && node->is_proven; r++)
        node->values[r] = goal_to_value(uct->ranges[r], goals[r]);
}

/* Postpones all idle moves of a role but the first. */
static void expanded(UctWorker *w, TreeNode *node, const State *state) {
    const Uct *uct = w->uct;
    const UctRelevant *p = uct->own;
    if (p->looks_ahead && node != uct->root && node->mover >= 0)
        look_up_goals(uct, node, state);
    for (uint32_t r = 0; r < uct->search.game->role_count; r++) {
        Arm *arms = tree_arms(node, r);
        bool has_idle = false;
        for (uint32_t a = 0; a < tree_arm_count(node, r); a++) {
            bool is_another = is_idle(p, uct->search.game, r, arms[a].move);
            arms[a].is_postponed = is_another && has_idle;
            has_idle |= is_another;
            tree_rate(node, &arms[a]);
        }
    }
}

static const UctHooks hooks = {
    .open = open_uct_relevant, .close = close_uct_relevant, .expanded = expanded};

/* The budget with a share of its time. */
static SearchBudget share_of(const SearchBudget *budget, double share) {
    SearchBudget part = *budget;
    part.deadline = deadline_in(deadline_left(budget->deadline) * share);
    return part;
}

static void find_sum(Uct *uct, const SearchBudget *budget) {
    UctRelevant *p = uct->own;
    Game *game = uct->search.game;
    const State *state = &uct->root->state;
    p->is_tested = true;
    if (!p->relevant || uct->clock.is_used)
        return;
    if (nimbers_are_likely(game, state)) {
        Deadline end = deadline_in(fmax(MIN_SECONDS, deadline_left(budget->deadline) * SHARE));
        p->nimbers = nimbers_create(game, state, end);
        p->is_tested = p->nimbers || !deadline_passed(end) || ++p->tries >= MAX_TRIES;
    }
    if (p->is_tested && !p->nimbers && !uct->options.skips_sums) {
        SearchBudget part = share_of(budget, SHARE);
        p->sums = sums_create(game, state, uct->options.node_bytes / MEMORY_SHARE, &part);
        p->is_tested = p->sums || !search_must_stop(&part) || ++p->tries >= MAX_TRIES;
        if (p->is_tested && !p->sums) {
            p->series = serial_create(game, state, uct->options.node_bytes / MEMORY_SHARE,
                                      uct->options.seed, &part);
            p->is_tested = p->series || !search_must_stop(&part) || ++p->tries >= MAX_TRIES;
        }
    }
}

/* Drops a sum that cannot be solved, and gives the tree the memory that the sum leaves. */
static void share_memory(Uct *uct) {
    UctRelevant *p = uct->own;
    if (p->sums && !sums_may_answer(p->sums)) {
        sums_free(p->sums);
        p->sums = NULL;
    }
    if (p->series && !serial_is_open(p->series)) {
        serial_free(p->series);
        p->series = NULL;
    }
    size_t bytes = uct->options.node_bytes, taken = 0;
    taken += p->sums ? sums_bytes(p->sums) : 0;
    taken += p->series ? serial_bytes(p->series) : 0;
    tree_set_budget(&uct->tree, taken < bytes ? bytes - taken : 0);
}

/* True if another look for a sum is cheap enough. Looks become cheaper during a match. If the
 * budget counts playouts, only sumparts.h bounds the work of a look. */
static bool can_look(UctRelevant *p, const SearchBudget *budget) {
    if (budget->playouts || p->look_seconds <= deadline_left(budget->deadline) * LOOK_SHARE)
        return true;
    p->look_seconds /= 2;
    return false;
}

/* Looks for a sum again, since one game may have become several during the match. */
static void look_again(Uct *uct, const SearchBudget *budget) {
    UctRelevant *p = uct->own;
    const State *state = &uct->root->state;
    const SearchOptions *o = &uct->options;
    bool is_solved = p->sums && (!p->is_later || p->exact.count);
    if (!p->relevant || uct->clock.is_used || p->nimbers || p->series || is_solved ||
        o->skips_sums || !p->options.looks_again || state_equal(&p->looked_at, state) ||
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

/* True if the root still belongs to the first of the serial games. */
static bool is_in_first_part(const Uct *uct) {
    const UctRelevant *p = uct->own;
    const TreeNode *root = uct->root;
    return root->arms && root->mover >= 0 &&
           !serial_is_later(p->series, (uint32_t)root->mover,
                            tree_arms(root, (uint32_t)root->mover)->move);
}

/* Computes the exact values of the root's moves, as far as the time credit allows. */
static void solve_sum(Uct *uct, const SearchBudget *budget) {
    UctRelevant *p = uct->own;
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
                             : serial_moves(p->series, state, uct->search.role, &part, &p->exact);
    if (!is_solved)
        vector_clear(&p->exact);
    state_copy(&p->exact_state, state);
    p->credit -= clock_wall_seconds() - started;
    share_memory(uct);
    p->looks_ahead = p->looks_ahead && p->series && !is_solved;
}

/* A root whose value was looked up has no proven move. It is reopened, so that one is found. */
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

static void uct_relevant_set_state(Search *search, const State *state) {
    Uct *uct = (Uct *)search;
    if (uct->root && !state_equal(&uct->root->state, state)) {
        forget(uct->own);
        share_memory(uct);
    }
    uct_set_state(search, state);
}

static void uct_relevant_advance(Search *search, const uint32_t *joint, const State *next) {
    const UctRelevant *p = ((Uct *)search)->own;
    if (p->series)
        serial_forget_wanted(p->series);
    uct_advance(search, joint, next);
}

static void uct_relevant_run(Search *search, const SearchBudget *budget) {
    Uct *uct = (Uct *)search;
    const UctRelevant *p = uct->own;
    assert(p);
    if (uct->root && !uct->root->is_terminal) {
        reopen_root(uct);
        double started = clock_thread_cpu_seconds();
        if (!p->is_tested && !search_must_stop(budget))
            find_sum(uct, budget);
        else if (p->is_tested)
            look_again(uct, budget);
        if (p->sums || p->series)
            solve_sum(uct, budget);
        uct->search.cpu_seconds += clock_thread_cpu_seconds() - started;
    }
    uct_run(search, budget);
}

static const SumMove *exact_of(const UctRelevant *p, uint32_t move) {
    for (size_t i = 0; i < p->exact.count; i++)
        if (p->exact.items[i].move == move)
            return &p->exact.items[i];
    return NULL;
}

/* Takes exact values. Among the best moves the tree's choice stays, or else the most visited. */
static void take_exact_values(const UctRelevant *p, SearchResult *result) {
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
    const UctRelevant *p = uct->own;
    uint32_t move;
    if (!nimbers_winning_move(p->nimbers, &uct->root->state, uct->search.role, &move))
        return;
    result->best = move;
    SearchMove *winning = search_find_move(result, move);
    if (winning)
        winning->value = goal_of_value(uct->ranges[uct->search.role], 1);
}

static void uct_relevant_result(Search *search, SearchResult *result) {
    const Uct *uct = (Uct *)search;
    const UctRelevant *p = uct->own;
    uct_result(search, result);
    if (!uct->root || uct->root->is_terminal)
        return;
    if (p->nimbers)
        take_winning_move(uct, result);
    else if (p->exact.count && state_equal(&p->exact_state, &uct->root->state))
        take_exact_values(p, result);
    search_sort_moves(result);
}

bool uct_relevant_postpones_moves(const Search *search, uint32_t role, const U32Vector *legal) {
    const UctRelevant *p =
        search->method == &uct_relevant_search ? ((const Uct *)search)->own : NULL;
    size_t idle = 0;
    for (size_t i = 0; p && i < legal->count; i++)
        idle += is_idle(p, search->game, role, legal->items[i]);
    return idle > 1;
}

bool uct_relevant_solves_exactly(const Search *search) {
    const UctRelevant *p =
        search->method == &uct_relevant_search ? ((const Uct *)search)->own : NULL;
    return p && (p->nimbers || p->sums || p->series);
}

static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options) {
    if (game_hides(game) || options->evaluation) /* an evaluation has priors of its own */
        return uct_search.create(&uct_search, game, role, options);
    return uct_create(method, &hooks, game, role, options);
}

static const SearchOption options[] = {UCT_RELEVANT_OPTIONS, {0}};

const SearchMethod uct_relevant_search = {
    .name = "uct-relevant",
    .alias = "parts",
    .summary = "uct on what matters to the player; sums of independent games are solved",
    .options = options,
    .own_size = sizeof(UctRelevantOptions),
    .takes_evaluation = true,
    .create = create,
    .free = uct_free,
    .set_state = uct_relevant_set_state,
    .advance = uct_relevant_advance,
    .run = uct_relevant_run,
    .result = uct_relevant_result,
    .takes_device = true};
