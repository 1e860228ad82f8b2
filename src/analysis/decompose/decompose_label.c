/* Makes subgames from sets of vertices and labels them: with or without actions, useful, terminal,
 * scoring, turn marker or step counter, place in a series. */
#include <assert.h>

#include "analysis/decompose/decompose_internal.h"
#include "base/bitset.h"

/* True if the fluent was seen to change, so that its set is a subgame. */
static bool is_listed(const Decomposer *d, uint32_t f) {
    return d->result->kinds[f] != FLUENT_UNSEEN;
}

static void number_subgames(Decomposer *d, const bool *acted, bool has_actions, uint32_t *number) {
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++) {
        uint32_t set = is_listed(d, f) ? sets_find(d->parent, f) : UINT32_MAX;
        if (set == UINT32_MAX || acted[set] != has_actions)
            continue;
        if (number[set] == SUBGAME_NONE) {
            number[set] = (uint32_t)d->result->subgames.count;
            vector_push(&d->result->subgames, ((Subgame){.has_actions = has_actions}));
        }
        Subgame *s = &d->result->subgames.items[number[set]];
        d->result->subgame_of[f] = number[set];
        vector_push(&s->fluents, f);
        s->is_terminal |= d->in_terminal[f];
        s->is_scoring |= d->in_goal[f];
        s->is_useful |= d->leads_on[f] || d->is_recorded[f];
        if (has_actions && d->stage[f] > s->order)
            s->order = d->stage[f];
    }
}

/* Marks the subgames that the wanted fluents depend on, directly or through fluents that are in no
 * subgame. The subgames inherit the use of these fluents. */
static void inherit_use(Decomposer *d, const bool *wanted, bool scores) {
    bool *visited = memory_zalloc(d->circuit->fluent_count + 1);
    U32Vector stack = {0};
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++) {
        visited[f] = d->result->subgame_of[f] == SUBGAME_NONE && wanted[f];
        if (visited[f])
            vector_push(&stack, f);
    }
    while (stack.count) {
        uint32_t f = vector_pop(&stack);
        if (d->result->subgame_of[f] != SUBGAME_NONE) {
            Subgame *s = &d->result->subgames.items[d->result->subgame_of[f]];
            *(scores ? &s->is_scoring : &s->is_terminal) = true;
            continue;
        }
        for (size_t i = 0; i < d->premises[f].count; i++) {
            uint32_t g = d->premises[f].items[i];
            if (!visited[g] && !d->ignored[g])
                vector_push(&stack, g);
            visited[g] = true;
        }
    }
    vector_free(&stack);
    free(visited);
}

/* Returns, by fluent, true if something outside its subgame depends on it. Legality counts only for
 * moves with effects, unlike the last bite in Chomp. The caller frees it. */
static bool *fluents_looked_at(const Decomposer *d) {
    bool *looked_at = memory_zalloc(d->circuit->fluent_count + 1);
    bool *acts = memory_zalloc(d->circuit->move_count + 1);
    for (size_t i = 0; i < d->result->actions.count; i++)
        for (size_t k = 0; k < d->result->actions.items[i].moves.count; k++)
            acts[d->result->actions.items[i].moves.items[k]] = true;
    for (uint32_t m = 0; m < d->circuit->move_count; m++)
        for (size_t i = 0; acts[m] && i < d->legality.premises[m].count; i++)
            looked_at[d->legality.premises[m].items[i] / 2] = true;
    free(acts);
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        for (size_t i = 0; i < d->premises[f].count; i++) {
            uint32_t g = d->premises[f].items[i];
            looked_at[g] |= d->result->subgame_of[f] != d->result->subgame_of[g];
        }
    return looked_at;
}

/* True if, according to the circuit, the move may make the fluent true or false. */
static bool may_change(Decomposer *d, uint32_t move, uint32_t f) {
    assert(move < d->circuit->move_count && f < d->circuit->fluent_count);
    Signal next = d->circuit->next[f];
    influence_focus(d->influence, &next, 1);
    for (uint32_t held = 0; held < 2; held++) {
        influence_give_move(d->influence, held, move);
        influence_give_fluent(d->influence, held, f, held);
    }
    influence_evaluate(d->influence);
    LaneMask may_hold = influence_may_be(d->influence, next, true);
    LaneMask may_fail = influence_may_be(d->influence, next, false);
    return bitset_get(may_hold.words, 0) || bitset_get(may_fail.words, 1);
}

static bool may_change_something(Decomposer *d, uint32_t move) {
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        if (d->is_moved[f] && u32_contains(decompose_moves_under(d, f), move) &&
            (decomposer_is_late(d) || may_change(d, move, f)))
            return true;
    return false;
}

/* True if the legality of an unplayed move that may change something depends on the subgame. */
static bool opens_unplayed(Decomposer *d, uint32_t subgame) {
    const Decomposition *r = d->result;
    for (size_t i = 0; i < r->unplayed.count; i++) {
        const U32Vector *premises = &d->legality.premises[r->unplayed.items[i]];
        bool is_premise = false;
        for (size_t k = 0; k < premises->count; k++)
            is_premise |= r->subgame_of[premises->items[k] / 2] == subgame;
        if (is_premise && may_change_something(d, r->unplayed.items[i]))
            return true;
    }
    return false;
}

/* True if the set is not worth being a subgame: it has no actions, no score or end depends on it,
 * and it is no clock, or a clock on which nothing depends. */
static bool is_nothing(Decomposer *d, uint32_t subgame, const bool *looked_at) {
    const Subgame *s = &d->result->subgames.items[subgame];
    if (s->has_actions || s->is_scoring || s->is_terminal)
        return false;
    bool is_clock = false, is_looked_at = false;
    for (size_t i = 0; i < s->fluents.count; i++) {
        is_clock |= d->is_clock[s->fluents.items[i]];
        is_looked_at |= looked_at[s->fluents.items[i]];
    }
    return !is_clock || (!is_looked_at && !opens_unplayed(d, subgame));
}

static void drop_nothings(Decomposer *d) {
    Decomposition *r = d->result;
    bool *looked_at = fluents_looked_at(d);
    size_t kept = 0;
    for (uint32_t i = 0; i < r->subgames.count; i++) {
        Subgame *s = &r->subgames.items[i];
        bool drop = is_nothing(d, i, looked_at);
        for (size_t k = 0; k < s->fluents.count; k++)
            r->subgame_of[s->fluents.items[k]] = drop ? SUBGAME_NONE : (uint32_t)kept;
        if (drop)
            vector_free(&s->fluents);
        else
            r->subgames.items[kept++] = *s;
    }
    r->subgames.count = kept;
    free(looked_at);
}

/* Puts each meta-action into its subgame; `number` has the subgame of each set. */
static void place_actions(Decomposer *d, const uint32_t *number) {
    Decomposition *r = d->result;
    for (uint32_t id = 0; id < r->actions.count; id++) {
        uint32_t set = sets_find(d->parent, d->circuit->fluent_count + id);
        r->actions.items[id].subgame = number[set];
        if (number[set] != SUBGAME_NONE) /* otherwise all its effects were too weak */
            vector_push(&r->subgames.items[number[set]].actions, id);
    }
}

/* Adds a subgame: `only` is the only acted one so far; a second one sets `several`. */
static void join_subgame(const Decomposition *r, uint32_t s, uint32_t *only, bool *several) {
    assert(s == SUBGAME_NONE || s < r->subgames.count);
    if (s == SUBGAME_NONE || !r->subgames.items[s].has_actions)
        return;
    *several |= *only != SUBGAME_NONE && *only != s;
    *only = s;
}

/* Returns the likely subgame of a fluent that was never seen to change: that of the fluents it
 * depends on, else that of its moves. SUBGAME_NONE if none or several. */
static uint32_t likely_subgame(Decomposer *d, uint32_t f, const uint32_t *of_move) {
    const Decomposition *r = d->result;
    uint32_t only = SUBGAME_NONE;
    bool several = false;
    for (size_t i = 0; i < d->premises[f].count; i++)
        join_subgame(r, r->subgame_of[d->premises[f].items[i]], &only, &several);
    if (only == SUBGAME_NONE && d->is_moved[f]) {
        const U32Vector *moves = decompose_moves_under(d, f);
        for (size_t i = 0; i < moves->count; i++)
            join_subgame(r, of_move[moves->items[i]], &only, &several);
    }
    return several ? SUBGAME_NONE : only;
}

static void place_unseen(Decomposer *d, const uint32_t *number) {
    Decomposition *r = d->result;
    uint32_t *of_move = u32_none(d->circuit->move_count);
    for (size_t i = 0; i < r->actions.count; i++)
        for (size_t k = 0; k < r->actions.items[i].moves.count; k++)
            of_move[r->actions.items[i].moves.items[k]] = r->actions.items[i].subgame;
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++) {
        bool never = d->circuit->next[f] == SIGNAL_FALSE || d->circuit->next[f] == SIGNAL_TRUE;
        if (is_listed(d, f) || r->subgame_of[f] != SUBGAME_NONE || never)
            continue;
        uint32_t s = number[sets_find(d->parent, f)];
        if (s == SUBGAME_NONE || s >= r->subgames.count || !r->subgames.items[s].has_actions)
            s = likely_subgame(d, f, of_move);
        if (s == SUBGAME_NONE)
            continue;
        r->subgame_of[f] = s;
        vector_push(&r->subgames.items[s].fluents, f);
        r->subgames.items[s].is_terminal |= d->in_terminal[f];
        r->subgames.items[s].is_scoring |= d->in_goal[f];
    }
    free(of_move);
}

void subgoals_place(Decomposition *r) {
    for (size_t i = 0; i < r->subgoals.count; i++) {
        SubGoal *goal = &r->subgoals.items[i];
        uint32_t only = SUBGAME_NONE;
        bool several = false;
        for (size_t k = 0; k < goal->fluents.count; k++)
            join_subgame(r, r->subgame_of[goal->fluents.items[k]], &only, &several);
        goal->subgame = several ? SUBGAME_NONE : only;
    }
}

/* Marks useful subgames: the end or score depends on them, or they must be played before such. */
static void judge_use(Decomposition *r) {
    uint32_t last = 0;
    for (size_t i = 0; i < r->subgames.count; i++) {
        Subgame *s = &r->subgames.items[i];
        s->is_useful |= s->is_terminal || s->is_scoring;
        if (s->is_useful && s->order > last)
            last = s->order;
    }
    for (size_t i = 0; i < r->subgames.count; i++)
        r->subgames.items[i].is_useful |=
            r->subgames.items[i].order && r->subgames.items[i].order < last;
}

static void name_clocks(Decomposer *d) {
    Decomposition *r = d->result;
    bool only_control = true, any = false;
    for (size_t i = 0; i < r->subgames.count; i++) {
        Subgame *s = &r->subgames.items[i];
        bool decides = false;
        for (size_t k = 0; k < s->fluents.count; k++) {
            s->is_control |= !s->has_actions && d->ignored[s->fluents.items[k]];
            decides |= d->decides_score[s->fluents.items[k]];
        }
        s->is_stepper = !s->has_actions && !s->is_control && s->is_useful && s->fluents.count > 1;
        any |= decides;
        only_control &= !decides || (s->is_control && !s->is_terminal);
    }
    r->is_impartial = any && only_control;
}

void decompose_label(Decomposer *d) {
    assert(d->parent);
    Decomposition *r = d->result;
    bool *acted = decompose_acted_sets(d);
    subgames_clear(r);
    uint32_t *number = u32_none(d->vertex_count);
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        r->subgame_of[f] = SUBGAME_NONE;
    number_subgames(d, acted, true, number);
    number_subgames(d, acted, false, number);
    place_actions(d, number);
    drop_nothings(d);
    place_unseen(d, number);
    inherit_use(d, d->in_terminal, false);
    inherit_use(d, d->in_goal, true);
    judge_use(r);
    name_clocks(d);
    subgoals_place(r);
    memory_free(acted, number);
}

void decompose_label_whole(Decomposer *d) {
    Decomposition *r = d->result;
    const Circuit *c = d->circuit;
    Subgame all = {.has_actions = true, .is_useful = true, .is_terminal = true, .is_scoring = true};
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        bool never = c->next[f] == c->fluents[f]; /* the fluent never changes */
        r->subgame_of[f] = never ? SUBGAME_NONE : 0;
        if (!never)
            vector_push(&all.fluents, f);
    }
    vector_push(&r->subgames, all);
    subgoals_place(r);
}

void subgames_clear(Decomposition *r) {
    for (size_t i = 0; i < r->subgames.count; i++)
        vectors_free(&r->subgames.items[i].fluents, &r->subgames.items[i].actions);
    vector_clear(&r->subgames);
}

DecompositionCounts decomposition_counts(const Decomposition *d) {
    DecompositionCounts c = {0};
    for (size_t i = 0; i < d->subgames.count; i++) {
        const Subgame *s = &d->subgames.items[i];
        if (s->has_actions) {
            c.with_actions++;
            c.useless_with_actions += !s->is_useful;
        } else {
            c.autonomous++;
            c.useless_autonomous += !s->is_useful;
        }
    }
    return c;
}
