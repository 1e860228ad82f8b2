/* Finds the parts that get trees of their own: subgames that share no fluents, or sets of fluents
 * that may overlap. Also finds the moves that playouts should avoid: they lose at once, or act only
 * in subgames that can end the match but have no score. */
#include <string.h>

#include "base/bitset.h"
#include "game/goal.h"
#include "search/multitree/mtmcts.h"

enum { DECOMPOSITION_PLAYOUTS = 5000, MAX_MARKED = 50000000 /* nodes, over all demands */ };

GameParts mtmcts_whole_game(const Game *game) {
    size_t bytes = (game->circuit->fluent_count + 1) * sizeof(uint32_t);
    return (GameParts){.count = 1, .subgame_of = memory_zalloc(bytes)};
}

GameParts mtmcts_parts(const Game *game, const Decomposition *d) {
    uint32_t fluents = game->circuit->fluent_count;
    uint32_t *subgame_of = memory_alloc((fluents + 1) * sizeof *subgame_of);
    uint32_t *number = memory_alloc((d->subgames.count + 1) * sizeof *number);
    GameParts parts = {.subgame_of = subgame_of};
    for (size_t i = 0; i < d->subgames.count; i++) {
        const Subgame *subgame = &d->subgames.items[i];
        number[i] = subgame->has_actions && subgame->is_useful ? parts.count++ : PARTS_NOWHERE;
    }
    for (uint32_t f = 0; f < fluents; f++)
        subgame_of[f] =
            d->subgame_of[f] == SUBGAME_NONE ? PARTS_EVERYWHERE : number[d->subgame_of[f]];
    free(number);
    if (parts.count)
        return parts;
    free(subgame_of);
    return mtmcts_whole_game(game);
}

void mtmcts_parts_free(GameParts *parts) {
    memory_free((void *)parts->subgame_of, (void *)parts->fluents, (void *)parts->last_resort_moves,
                (void *)parts->part_moves);
    *parts = (GameParts){0};
}

/* Adds a set unless another one contains it; drops the sets that it contains. */
static void add_set(uint64_t *sets, uint32_t *count, const uint64_t *set, size_t words) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (bitset_includes(sets + i * words, set, words))
            return;
    for (uint32_t i = 0; i < *count; i++)
        if (!bitset_includes(set, sets + i * words, words))
            memmove(sets + kept++ * words, sets + i * words, words * sizeof *sets);
    memcpy(sets + kept * words, set, words * sizeof *sets);
    *count = kept + 1;
}

/* Sets of fluents, none of which contains another. */
typedef struct {
    const Game *game;
    const Decomposition *d;
    size_t words; /* words per set */
    uint64_t *sets;
    uint64_t *set; /* scratch */
    uint32_t count;
} FluentSets;

/* Adds the scratch set unless it is empty or has more than half of all fluents. */
static void add_scratch(FluentSets *s) {
    size_t size = bitset_count(s->set, s->words);
    if (size && size * 2 <= s->game->circuit->fluent_count)
        add_set(s->sets, &s->count, s->set, s->words);
}

static void add_subgoals(FluentSets *s) {
    for (size_t i = 0; i < s->d->subgoals.count; i++) {
        const SubGoal *goal = &s->d->subgoals.items[i];
        memset(s->set, 0, s->words * sizeof *s->set);
        for (size_t k = 0; k < goal->fluents.count; k++)
            bitset_set(s->set, goal->fluents.items[k]);
        add_scratch(s);
    }
}

/* The signal of the greatest goal of the rules, or of the least one. */
static Signal goal_signal(const Game *game, bool is_greatest) {
    const Circuit *c = game->circuit;
    Signal signal = SIGNAL_FALSE;
    int best = -1;
    bool are_several = false;
    for (size_t i = 0; i < c->goals.count; i++) {
        int value = goal_join(GOAL_NONE, grounding_terms(game->grounding), c->goals.items[i].term);
        if (value < 0 || c->goals.items[i].signal == SIGNAL_FALSE)
            continue;
        are_several |= best >= 0 && value != best;
        if (best < 0 || (is_greatest ? value > best : value < best)) {
            best = value;
            signal = c->goals.items[i].signal;
        }
    }
    return is_greatest || are_several ? signal : SIGNAL_FALSE;
}

/* Lists the demands of the greatest goal: the signals whose conjunction it is. */
static void list_demands(const Game *game, U32Vector *demands) {
    const Aig *aig = &game->circuit->aig;
    U32Vector stack = {0};
    uint8_t *is_seen = memory_zalloc(aig->nodes.count + 1);
    vector_push(&stack, goal_signal(game, true));
    while (stack.count) {
        Signal signal = vector_pop(&stack);
        uint32_t node = signal_node(signal);
        if (is_seen[node])
            continue;
        is_seen[node] = 1;
        if (!signal_is_complemented(signal) && aig_is_and(aig, node)) {
            vector_push(&stack, aig->nodes.items[node].a);
            vector_push(&stack, aig->nodes.items[node].b);
        } else {
            vector_push(demands, signal);
        }
    }
    vector_free(&stack);
    free(is_seen);
}

/* Adds a set per demand: the fluents in its cone that moves can change. */
static void add_demands(FluentSets *s, const U32Vector *demands) {
    const Circuit *c = s->game->circuit;
    uint8_t *cone = memory_alloc(c->aig.nodes.count + 1);
    for (size_t i = 0; i < demands->count; i++) {
        memset(s->set, 0, s->words * sizeof *s->set);
        memset(cone, 0, c->aig.nodes.count);
        aig_mark_cone(&c->aig, &demands->items[i], 1, cone);
        for (uint32_t f = 0; f < c->fluent_count; f++) {
            uint32_t subgame = s->d->subgame_of[f];
            bool is_driven = subgame == SUBGAME_NONE || s->d->subgames.items[subgame].has_actions;
            if (is_driven && cone[signal_node(c->fluents[f])])
                bitset_set(s->set, f);
        }
        add_scratch(s);
    }
    free(cone);
}

/* True if every fluent of the scratch set is in some set. */
static bool is_covered(const FluentSets *s) {
    for (size_t w = 0; w < s->words; w++) {
        uint64_t left = s->set[w];
        for (uint32_t k = 0; k < s->count; k++)
            left &= ~s->sets[k * s->words + w];
        if (left)
            return false;
    }
    return true;
}

static void add_subgames(FluentSets *s, bool skips_covered) {
    for (size_t i = 0; i < s->d->subgames.count; i++) {
        const Subgame *subgame = &s->d->subgames.items[i];
        memset(s->set, 0, s->words * sizeof *s->set);
        for (uint32_t f = 0; f < s->game->circuit->fluent_count; f++)
            if (s->d->subgame_of[f] == i)
                bitset_set(s->set, f);
        if (subgame->has_actions && subgame->is_useful && !(skips_covered && is_covered(s)))
            add_scratch(s);
    }
}

GameParts mtmcts_overlapping_parts(const Game *game, const Decomposition *d, Overlap overlap) {
    uint32_t fluents = game->circuit->fluent_count;
    FluentSets s = {.game = game, .d = d, .words = bitset_words(fluents)};
    U32Vector demands = {0};
    if (overlap == OVERLAP_DEMANDS)
        list_demands(game, &demands);
    if (demands.count * game->circuit->aig.nodes.count > MAX_MARKED)
        vector_clear(&demands);
    size_t most = demands.count + d->subgoals.count + d->subgames.count + 1;
    s.sets = memory_zalloc(most * s.words * sizeof *s.sets);
    s.set = memory_alloc((s.words + 1) * sizeof *s.set);
    if (overlap == OVERLAP_DEMANDS)
        add_demands(&s, &demands);
    else
        add_subgoals(&s);
    add_subgames(&s, overlap == OVERLAP_DEMANDS);
    for (uint32_t f = 0; f < fluents; f++) /* fluents of every subgame */
        for (uint32_t k = 0; k < s.count && d->subgame_of[f] == SUBGAME_NONE; k++)
            bitset_set(s.sets + k * s.words, f);
    GameParts parts = {.count = s.count, .fluents = s.sets};
    vector_free(&demands);
    free(s.set);
    if (s.count >= 2)
        return parts;
    free(s.sets);
    return mtmcts_parts(game, d);
}

/* Finds the moves that act only in subgames which can end the match and have no score. */
static void find_moves_of_idle_ends(const Decomposition *d, uint64_t *found) {
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < d->actions.count; i++) {
            const MetaAction *action = &d->actions.items[i];
            const Subgame *subgame =
                action->subgame == SUBGAME_NONE ? NULL : &d->subgames.items[action->subgame];
            bool is_idle = subgame && subgame->is_terminal && !subgame->is_scoring;
            for (size_t m = 0; m < action->moves.count && is_idle == (pass == 0); m++)
                bitset_assign(found, action->moves.items[m], is_idle);
        }
}

/* The circuit with one move made: constants are propagated through two copies. */
typedef struct {
    const Circuit *c;
    Aig copies;
    Signal *now, *then; /* by node: signals before the move, and in the state after it */
    uint8_t *next_marks, *end_marks;
    Signal least; /* signal of the least goal of the only role */
} Giving;

/* True if making the move always ends the match with the least goal. */
static bool gives_up(Giving *g, uint32_t move) {
    const Circuit *c = g->c;
    memset(g->now, 0xff, c->aig.nodes.count * sizeof *g->now);
    memset(g->then, 0xff, c->aig.nodes.count * sizeof *g->then);
    for (uint32_t m = 0; m < c->move_count; m++)
        g->now[signal_node(c->moves[m])] = m == move ? SIGNAL_TRUE : SIGNAL_FALSE;
    for (uint32_t f = 0; f < c->fluent_count; f++)
        g->now[signal_node(c->fluents[f])] = 2 * (f + 1);
    aig_copy_marked(&g->copies, &c->aig, g->next_marks, g->now);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        g->then[signal_node(c->fluents[f])] = signal_mapped(g->now, c->next[f]);
    aig_copy_marked(&g->copies, &c->aig, g->end_marks, g->then);
    return signal_mapped(g->then, c->terminal) == SIGNAL_TRUE &&
           signal_mapped(g->then, g->least) == SIGNAL_TRUE;
}

/* Finds the moves proven on the circuit to lose at once, unless that would take long. */
static void find_moves_that_give_up(const Game *game, uint64_t *found) {
    static const uint64_t MAX_COPIED = 2000000; /* nodes over all moves (untuned) */
    const Circuit *c = game->circuit;
    size_t nodes = c->aig.nodes.count;
    Giving g = {.c = c, .least = goal_signal(game, false)};
    if (nodes * c->move_count > MAX_COPIED || c->aig.loops.count)
        return;
    g.now = memory_alloc((nodes + 1) * sizeof *g.now);
    g.then = memory_alloc((nodes + 1) * sizeof *g.then);
    g.next_marks = memory_zalloc(nodes + 1);
    g.end_marks = memory_zalloc(nodes + 1);
    aig_mark_cone(&c->aig, c->next, c->fluent_count, g.next_marks);
    aig_mark_cone(&c->aig, (Signal[]){c->terminal, g.least}, 2, g.end_marks);
    aig_init(&g.copies);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        aig_input(&g.copies);
    for (uint32_t m = 0; m < c->move_count; m++)
        if (gives_up(&g, m))
            bitset_set(found, m);
    aig_free(&g.copies);
    memory_free(g.now, g.then, g.next_marks, g.end_marks);
}

/* The set of moves that playouts make only if there is no other move; NULL if it is empty. */
static uint64_t *find_idle_ends(const Game *game, const Decomposition *d) {
    size_t words = bitset_words(game->circuit->move_count);
    uint64_t *found = memory_zalloc((words + 1) * sizeof *found);
    find_moves_of_idle_ends(d, found);
    if (game->role_count == 1)
        find_moves_that_give_up(game, found);
    if (bitset_any(found, words))
        return found;
    free(found);
    return NULL;
}

static Decomposition *decompose_from(Game *game, const State *start, uint64_t seed,
                                     Deadline deadline) {
    DecomposeOptions how = {
        .playouts = DECOMPOSITION_PLAYOUTS, .seed = seed, .deadline = deadline, .start = start};
    return decompose(game, &how);
}

GameParts mtmcts_find_parts(Game *game, const State *start, Overlap overlap, uint64_t seed,
                            Deadline deadline) {
    Decomposition *d = decompose_from(game, start, seed, deadline);
    GameParts parts = overlap ? mtmcts_overlapping_parts(game, d, overlap) : mtmcts_parts(game, d);
    parts.last_resort_moves = find_idle_ends(game, d);
    decomposition_free(d);
    return parts;
}

static size_t largest_part(const GameParts *parts, size_t words) {
    size_t largest = 0;
    for (uint32_t i = 0; i < parts->count && parts->fluents; i++) {
        size_t size = bitset_count(parts->fluents + i * words, words);
        largest = size > largest ? size : largest;
    }
    return largest;
}

MtmctsCuts mtmcts_find_cuts(Game *game, uint64_t seed, Deadline deadline) {
    Decomposition *d = decompose_from(game, NULL, seed, deadline);
    size_t words = bitset_words(game->circuit->fluent_count);
    MtmctsCuts cuts = {{mtmcts_parts(game, d), mtmcts_overlapping_parts(game, d, OVERLAP_SUBGOALS),
                        mtmcts_overlapping_parts(game, d, OVERLAP_DEMANDS)}};
    GameParts by_goals = cuts.items[1], by_demands = cuts.items[2];
    if (largest_part(&by_demands, words) < largest_part(&by_goals, words)) {
        cuts.items[1] = by_demands;
        cuts.items[2] = by_goals;
    }
    uint64_t *last_resort_moves = find_idle_ends(game, d);
    for (int c = 0; c < MTMCTS_CUTS && last_resort_moves; c++) {
        size_t bytes = bitset_words(game->circuit->move_count) * sizeof *last_resort_moves;
        cuts.items[c].last_resort_moves = memcpy(memory_alloc(bytes), last_resort_moves, bytes);
    }
    free(last_resort_moves);
    decomposition_free(d);
    return cuts;
}

void mtmcts_cuts_free(MtmctsCuts *cuts) {
    for (int c = 0; c < MTMCTS_CUTS; c++)
        mtmcts_parts_free(&cuts->items[c]);
}
