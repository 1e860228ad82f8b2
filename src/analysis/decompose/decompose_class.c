/* Decides how the subgames of a game are combined, by watching matches. If a subgame rests while
 * another is played and is played later in the same match, they are asynchronous. If every subgame
 * is over before the next one begins, in the same order in all matches, they are a series. */
#include <assert.h>

#include "analysis/decompose/decompose_internal.h"
#include "base/bitset.h"

enum { MAX_TURNS = 1000 /* watched turns per match (untuned) */ };

const char *composition_name(Composition composition) {
    static const char *const names[] = {
        [COMPOSITION_SINGLE] = "single",
        [COMPOSITION_SERIAL] = "serial",
        [COMPOSITION_PARALLEL] = "parallel",
        [COMPOSITION_SYNCHRONOUS] = "parallel synchronous",
        [COMPOSITION_ASYNCHRONOUS] = "parallel asynchronous",
    };
    assert(composition < sizeof names / sizeof *names);
    return names[composition];
}

/* Marks subgames as synchronous if one move acts in two of them. */
static void find_compound_moves(Decomposition *d, uint32_t move_count) {
    uint32_t *first = u32_none(move_count);
    for (size_t i = 0; i < d->actions.count; i++) {
        const MetaAction *m = &d->actions.items[i];
        for (size_t k = 0; k < m->moves.count && m->subgame != SUBGAME_NONE; k++) {
            assert(m->moves.items[k] < move_count && m->subgame < d->subgames.count);
            uint32_t *other = &first[m->moves.items[k]];
            if (*other == SUBGAME_NONE)
                *other = m->subgame;
            if (*other != m->subgame)
                d->is_compound = d->subgames.items[*other].is_synchronous =
                    d->subgames.items[m->subgame].is_synchronous = true;
        }
    }
    free(first);
}

typedef struct {
    uint32_t role_count, subgame_count;
    U32Vector *touched_by;  /* by move: the subgames it acts in */
    uint32_t *last_touched; /* by subgame: number of the last turn and lane that acted in it */
    uint64_t *has_rested;   /* by lane: bitset of subgames that rested while another was played */
    uint64_t *was_played;   /* by lane: bitset of subgames that were played in earlier turns */
    uint64_t *before;       /* by subgame: bitset of the subgames played before it in some match */
    size_t words;           /* 64-bit words per bitset of subgames */
    bool is_asynchronous;   /* a subgame that had rested was played again */
    bool is_shared;         /* some turn acted in several subgames */
    Arena arena;            /* owns the other arrays */
} Watch;

/* Lists the subgames that each move acts in. An effect that more than half of the role's moves have
 * is the effect of not doing something else, and does not count. */
static void list_touched(Watch *w, const Decomposition *d, const Circuit *c) {
    for (size_t i = 0; i < d->actions.count; i++) {
        const MetaAction *m = &d->actions.items[i];
        size_t moves = c->first_move[m->role + 1] - c->first_move[m->role];
        if (m->subgame == SUBGAME_NONE || (moves > 1 && 2 * m->moves.count > moves))
            continue;
        for (size_t k = 0; k < m->moves.count; k++)
            vector_push(&w->touched_by[m->moves.items[k]], m->subgame);
    }
}

static void watch_lane(Watch *w, const uint32_t *moves, size_t lane, uint32_t stamp) {
    uint64_t *rested = w->has_rested + lane * w->words, *played = w->was_played + lane * w->words;
    uint32_t count = 0;
    for (uint32_t r = 0; r < w->role_count; r++) {
        const U32Vector *touched = &w->touched_by[moves[r]];
        for (size_t i = 0; i < touched->count; i++) {
            uint32_t s = touched->items[i];
            assert(s < w->subgame_count);
            if (w->last_touched[s] == stamp)
                continue;
            count++;
            w->last_touched[s] = stamp;
            w->is_asynchronous |= bitset_get(rested, s);
            bitset_or(w->before + s * w->words, played, w->words);
        }
    }
    w->is_shared |= count > 1;
    for (uint32_t s = 0; s < w->subgame_count && count; s++)
        bitset_set(w->last_touched[s] == stamp ? played : rested, s);
}

/* True if each subgame is over before the next one begins, always in the same order. */
static bool is_series(const Watch *w) {
    for (uint32_t a = 0; a < w->subgame_count; a++)
        for (uint32_t b = 0; b < a; b++)
            if (bitset_get(w->before + a * w->words, b) == bitset_get(w->before + b * w->words, a))
                return false;
    return !w->is_shared;
}

static void watch_turn(void *context, Observer *observer, const ObservedTurn *turn) {
    Watch *w = context;
    (void)observer;
    bitset_each(lane, turn->playing.words, LANE_WORDS)
        watch_lane(w, turn->moves + lane * w->role_count, lane,
                   (uint32_t)(turn->turn * LANES + lane + 1));
}

static Composition watch_matches(const Decomposition *d, Game *game,
                                 const DecomposeOptions *options, uint32_t acted) {
    const Circuit *c = game->circuit;
    Watch w = {
        .role_count = c->role_count, .subgame_count = acted, .words = bitset_words(acted) + 1};
    w.touched_by = memory_zalloc((c->move_count + 1) * sizeof *w.touched_by);
    w.last_touched = arena_zalloc(&w.arena, (acted + 1) * sizeof *w.last_touched);
    w.has_rested = arena_zalloc(&w.arena, LANES * w.words * sizeof *w.has_rested);
    w.was_played = arena_zalloc(&w.arena, LANES * w.words * sizeof *w.was_played);
    w.before = arena_zalloc(&w.arena, acted * w.words * sizeof *w.before);
    list_touched(&w, d, c);
    Observer *observer = observer_create(game, options->seed);
    Visitor visitor = {watch_turn, &w};
    ObservedCounts counts = {0};
    Deadline deadline = options->deadline.at > 0 ? options->deadline : deadline_never();
    if (!deadline_passed(deadline))
        observer_play(observer, options->start, LANES, MAX_TURNS, deadline, &visitor, &counts);
    observer_free(observer);
    u32_free_lists(w.touched_by, c->move_count);
    Composition found = !counts.playouts    ? COMPOSITION_PARALLEL
                        : is_series(&w)     ? COMPOSITION_SERIAL
                        : w.is_asynchronous ? COMPOSITION_ASYNCHRONOUS
                                            : COMPOSITION_SYNCHRONOUS;
    arena_free(&w.arena);
    return found;
}

void decompose_find_traits(Decomposition *d, uint32_t move_count) {
    DecompositionCounts counts = decomposition_counts(d);
    d->is_multiple = counts.with_actions > 1 && counts.useless_with_actions > 0;
    find_compound_moves(d, move_count);
    for (size_t i = 0; i < d->subgames.count; i++)
        d->has_stepper |= d->subgames.items[i].is_stepper;
}

Composition decomposition_class(const Decomposition *d, Game *game,
                                const DecomposeOptions *options) {
    DecompositionCounts counts = decomposition_counts(d);
    uint32_t stages = 0;
    for (size_t i = 0; i < d->subgames.count; i++)
        stages = d->subgames.items[i].order > stages ? d->subgames.items[i].order : stages;
    if (counts.with_actions < 2)
        return COMPOSITION_SINGLE;
    return stages > 1 ? COMPOSITION_SERIAL : watch_matches(d, game, options, counts.with_actions);
}
