/* Merges and divides the connected sets of the dependency graph. Sets that one sub-goal depends on
 * are merged. A set is divided at weak effects if each of the pieces then has a victory condition
 * of its own. Sets are merged if a role cannot choose freely between them. */

#include <assert.h>

#include "analysis/decompose/decompose_internal.h"
#include "base/bitset.h"

/* Links every fluent that is added to the first one. */
typedef struct {
    Decomposer *d;
    uint32_t first;
} LinkHub;

static LinkHub link_hub_begin(Decomposer *d) {
    return (LinkHub){d, UINT32_MAX};
}

/* True if the fluent was never seen to change. */
static bool is_unseen(const Decomposer *d, uint32_t fluent) {
    return d->result->kinds[fluent] == FLUENT_UNSEEN;
}

static void link_hub_add(LinkHub *knot, uint32_t fluent) {
    assert(fluent < knot->d->circuit->fluent_count);
    if (knot->first == UINT32_MAX)
        knot->first = fluent;
    else
        decompose_add_link(knot->d, knot->first, fluent, LINK_GOAL, 1);
}

/* Returns, by fluent, true if the final score depends on it. Only goals in terminal states count.
 * If these depend on nothing, all fluents that goals depend on are marked. */
static bool *fluents_that_score(const Decomposer *d) {
    bool any = false;
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        any |= d->decides_score[f];
    return any ? d->decides_score : d->in_goal;
}

/* Returns, by representative, true if the score depends on the set. The caller frees the array. */
static bool *scoring_sets(Decomposer *d) {
    bool *scores = memory_zalloc(d->vertex_count + 1);
    const bool *of_fluent = fluents_that_score(d);
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        if (of_fluent[f])
            scores[sets_find(d->parent, f)] = true;
    return scores;
}

/* Returns, by fluent, true if a condition depends on it that all roles need. The caller frees it.
 */
static bool *fluents_of_shared_goals(const Decomposer *d) {
    bool *shared = memory_zalloc(d->circuit->fluent_count + 1);
    const SubGoals *goals = &d->result->subgoals;
    for (size_t i = 0; i < goals->count; i++)
        for (size_t k = 0; k < goals->items[i].fluents.count && goals->items[i].is_shared; k++)
            shared[goals->items[i].fluents.items[k]] = true;
    return shared;
}

/* Links the fluents of sets with actions that one sub-goal depends on, the unseen ones to those
 * that were seen to change. What all roles need ties nothing to what only one of them needs. */
static void merge_by_goals(Decomposer *d, bool victories_only) {
    bool *acted = decompose_acted_sets(d), *shared = fluents_of_shared_goals(d);
    SubGoals *goals = &d->result->subgoals;
    for (size_t i = 0; i < goals->count; i++) {
        if (victories_only && !goals->items[i].is_victory)
            continue;
        LinkHub knot = link_hub_begin(d);
        const U32Vector *fluents = &goals->items[i].fluents;
        for (int unseen = 0; unseen < 2; unseen++)
            for (size_t k = 0; k < fluents->count; k++)
                if (is_unseen(d, fluents->items[k]) == (unseen == 1) &&
                    acted[sets_find(d->parent, fluents->items[k])] &&
                    (goals->items[i].is_shared || !shared[fluents->items[k]]))
                    link_hub_add(&knot, fluents->items[k]);
    }
    memory_free(acted, shared);
    decompose_join(d);
}

/* True if each set with actions that the score depends on has a sub-goal that depends on no other
 * set of that kind. What was never seen to change is no evidence that a set can be judged, unless
 * `unseen_count`. If `lacking` is not NULL, the sets without a sub-goal are marked there. */
static bool each_has_goal(Decomposer *d, bool victories_only, bool unseen_count, bool *lacking) {
    bool *acted = decompose_acted_sets(d);
    bool *has = memory_zalloc(d->vertex_count + 1);
    SubGoals *goals = &d->result->subgoals;
    for (size_t i = 0; i < goals->count; i++) {
        uint32_t set = UINT32_MAX;
        bool alone = !victories_only || goals->items[i].is_victory;
        const U32Vector *fluents = &goals->items[i].fluents;
        for (size_t k = 0; k < fluents->count && alone; k++) {
            uint32_t of = sets_find(d->parent, fluents->items[k]);
            if (!acted[of])
                continue;
            alone = (set == UINT32_MAX || set == of) &&
                    (unseen_count || !is_unseen(d, fluents->items[k]));
            set = of;
        }
        if (alone && set != UINT32_MAX)
            has[set] = true;
    }
    bool all = true;
    const bool *scores = fluents_that_score(d);
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++) {
        uint32_t set = sets_find(d->parent, f);
        if (!scores[f] || !acted[set] || has[set])
            continue;
        all = false;
        if (lacking)
            lacking[set] = true;
    }
    memory_free(has, acted);
    return all;
}

/* True if goals depend on each acted set through one gate; then no sub-goal ties several sets. */
static bool can_be_won_one_by_one(Decomposer *d) {
    bool *acted = decompose_acted_sets(d);
    uint32_t *part_of = memory_alloc((d->circuit->fluent_count + 1) * sizeof *part_of);
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++) {
        uint32_t set = sets_find(d->parent, f);
        part_of[f] = acted[set] ? set : UINT32_MAX;
    }
    bool can_be = decompose_count_acted(d) > 1 && d->goals_complete &&
                  subgoals_find_by_part(d->game, d->influence, part_of, d->vertex_count, NULL);
    memory_free(part_of, acted);
    return can_be;
}

/* Merges scoring sets without a sub-goal of their own, because they cannot be judged separately. If
 * the search for sub-goals was incomplete, merges all scoring sets. */
static void merge_what_has_no_goal(Decomposer *d) {
    bool *lacking = memory_zalloc(d->vertex_count + 1);
    bool *lacking_for_good = memory_zalloc(d->vertex_count + 1);
    bool is_done = each_has_goal(d, false, false, lacking) && d->goals_complete;
    each_has_goal(d, false, true, lacking_for_good);
    bool *acted = decompose_acted_sets(d);
    LinkHub knot = link_hub_begin(d);
    const bool *scores = fluents_that_score(d);
    for (uint32_t f = 0; f < d->circuit->fluent_count && !is_done; f++) {
        uint32_t set = sets_find(d->parent, f);
        if (!scores[f] || !acted[set] || (d->goals_complete && !lacking[set]))
            continue;
        size_t before = d->result->links.count;
        link_hub_add(&knot, f);
        for (size_t i = before; i < d->result->links.count; i++)
            d->result->links.items[i].is_untested = !lacking_for_good[set];
    }
    memory_free(acted, lacking, lacking_for_good);
    decompose_join(d);
}

/* Finds the conditions of `terminal` for each turn marker, because these tie nothing together. */
static void find_ends(Decomposer *d) {
    U32Vector turns = {0};
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        if (d->ignored[f])
            vector_push(&turns, f);
    bool same = d->ends_known && u32_equal(&turns, &d->turns);
    vector_free(&d->turns);
    d->turns = turns;
    if (same)
        return;
    subgoals_free(&d->ends);
    d->ends_known = true;
    for (size_t i = 0; i < turns.count || i == 0; i++)
        d->goals_complete &=
            subgoals_find_ends(d->game, d->influence, d->deadline, &d->turns,
                               turns.count ? turns.items[i] : UINT32_MAX, &d->ends);
}

/* Merges sets without influence on the score if one condition of `terminal` depends on them. */
static void merge_by_ends(Decomposer *d) {
    find_ends(d);
    bool *acted = decompose_acted_sets(d);
    bool *scores = scoring_sets(d);
    for (size_t i = 0; i < d->ends.count; i++) {
        LinkHub knot = link_hub_begin(d);
        for (size_t k = 0; k < d->ends.items[i].fluents.count; k++) {
            uint32_t f = d->ends.items[i].fluents.items[k], set = sets_find(d->parent, f);
            if (acted[set] && !scores[set])
                link_hub_add(&knot, f);
        }
    }
    memory_free(scores, acted);
    decompose_join(d);
}

/* Links a fluent that only weak effects change to the fluents it depends on. */
static void tie_by_premises(Decomposer *d, uint32_t f) {
    for (size_t i = 0; i < d->premises[f].count; i++) {
        uint32_t g = d->premises[f].items[i];
        if (g != f && d->result->kinds[g] != FLUENT_UNSEEN && !d->ignored[g])
            decompose_add_link(d, f, g, LINK_PREMISE, 1);
    }
}

/* Cuts the links of weak effects and of their contexts. False if there are none. */
static bool cut_weak_effects(Decomposer *d) {
    bool *is_strong = memory_zalloc(d->vertex_count + 1), any = false;
    for (size_t i = 0; i < d->result->links.count; i++) {
        DependencyLink *link = &d->result->links.items[i];
        bool weak = link->weight < d->weak_effect;
        if (link->kind == LINK_EFFECT && !weak)
            is_strong[link->b] = true;
        if ((link->kind == LINK_EFFECT || link->kind == LINK_CONTEXT) && weak)
            any = link->is_cut = true;
    }
    for (uint32_t f = 0; f < d->circuit->fluent_count && any; f++)
        if (d->result->kinds[f] == FLUENT_ACTED && !is_strong[f])
            tie_by_premises(d, f);
    free(is_strong);
    return any;
}

/* True if the score depends on every set with actions. A set that does not score has no victory
 * condition that could prove it an independent game. */
static bool all_score(Decomposer *d) {
    bool *acted = decompose_acted_sets(d);
    bool *scores = scoring_sets(d);
    bool all = true;
    for (uint32_t v = 0; v < d->vertex_count; v++)
        all &= !acted[v] || scores[v];
    memory_free(scores, acted);
    return all;
}

static void split_at_weak_effects(Decomposer *d) {
    size_t before = d->result->links.count;
    bool *was_cut = memory_zalloc(before + 1);
    for (size_t i = 0; i < before; i++)
        was_cut[i] = d->result->links.items[i].is_cut;
    if (cut_weak_effects(d)) {
        decompose_join(d);
        d->is_evaluated_by_part = can_be_won_one_by_one(d);
        if (!d->is_evaluated_by_part)
            merge_by_goals(d, true);
        d->is_split = decompose_count_acted(d) > 1 &&
                      (d->is_evaluated_by_part || each_has_goal(d, true, false, NULL)) &&
                      all_score(d);
        if (!d->is_split) {
            d->is_evaluated_by_part = false;
            d->result->links.count = before;
            for (size_t i = 0; i < before; i++)
                d->result->links.items[i].is_cut &= was_cut[i];
            decompose_join(d);
        }
    }
    free(was_cut);
}

typedef struct {
    Decomposer *d;
    uint32_t role;
    bool *counts;       /* by meta-action: true if it takes part in the choice */
    U32Vector *of_move; /* by move of the role: its meta-actions */
    uint32_t *group;    /* disjoint sets over vertices: joins sets in which one move acts */
    bool *is_last;      /* by representative: every match ended with the role's moves there */
    uint32_t first_move, move_count;
} Choice;

static uint32_t set_of_action(Choice *k, uint32_t action) {
    return sets_find(k->d->parent, k->d->circuit->fluent_count + action);
}

/* Chooses the meta-actions that count. If weak effects were cut, meta-actions without a strong
 * effect do not count. Nor do those of most moves of the role: their effect is that of not doing
 * something else. */
static void choose_actions(Choice *k) {
    const Decomposition *r = k->d->result;
    for (uint32_t id = 0; id < r->actions.count; id++) {
        const MetaAction *m = &r->actions.items[id];
        bool strong = !k->d->is_split;
        for (size_t i = 0; i < m->effects.count; i++)
            strong |= m->effects.items[i].weight >= k->d->weak_effect;
        k->counts[id] = m->role == k->role && strong && 2 * m->moves.count <= k->move_count;
        for (size_t i = 0; k->counts[id] && i < m->moves.count; i++)
            vector_push(&k->of_move[m->moves.items[i] - k->first_move], id);
    }
}

/* Finds the sets in which the role acts in the last turn of a match only. Without evidence there
 * are none. */
static void find_last_sets(Choice *k) {
    const Evidence *e = k->d->evidence;
    for (uint32_t id = 0; e && id < k->d->result->actions.count; id++)
        if (k->counts[id])
            k->is_last[set_of_action(k, id)] = true;
    for (uint32_t m = 0; e && m < k->move_count; m++)
        for (size_t i = 0; i < k->of_move[m].count && e->goes_on[k->first_move + m]; i++)
            k->is_last[set_of_action(k, k->of_move[m].items[i])] = false;
}

/* Sets are in one group if a move acts in both, or if a move in either ends the match, so that only
 * one of them is ever chosen. */
static void group_sets(Choice *k) {
    uint32_t last = UINT32_MAX;
    for (uint32_t set = 0; set < k->d->vertex_count; set++) {
        if (!k->is_last[set])
            continue;
        if (last != UINT32_MAX)
            sets_join(k->group, last, set);
        last = set;
    }
    for (uint32_t m = 0; m < k->move_count; m++)
        for (size_t i = 1; i < k->of_move[m].count; i++)
            sets_join(k->group, set_of_action(k, k->of_move[m].items[0]),
                      set_of_action(k, k->of_move[m].items[i]));
}

/* Returns a hash of the move's effects in one set, or in the group for UINT32_MAX; 0 for none. */
static uint64_t doing_hash(Choice *k, uint32_t move, uint32_t group, uint32_t set) {
    uint64_t hash = 0;
    const U32Vector *all = &k->of_move[move];
    for (size_t i = 0; i < all->count; i++) {
        uint32_t of = set_of_action(k, all->items[i]);
        if (set == UINT32_MAX ? sets_find(k->group, of) == group : of == set)
            hash += hash_finish(hash_mix(7, all->items[i]));
    }
    return hash;
}

/* True if each move that acts in several sets can be replaced by a sequence of moves: for every
 * such set there is a move with the same effects there that acts in no other set. */
static bool is_free_in_sequence(Choice *k, uint32_t group, const U32Vector *sets) {
    Table alone = {0};
    uint32_t last = 0;
    for (size_t s = 0; s < sets->count; s++)
        last += k->is_last[sets->items[s]];
    if (last > 1) /* there is no turn after either of them */
        return false;
    for (uint32_t m = 0; m < k->move_count && !decomposer_is_late(k->d); m++) {
        uint64_t all = doing_hash(k, m, group, UINT32_MAX);
        for (size_t s = 0; all && s < sets->count; s++)
            if (doing_hash(k, m, group, sets->items[s]) == all)
                table_insert(&alone, all, m);
    }
    bool is_free = true;
    for (uint32_t m = 0; m < k->move_count && is_free && !decomposer_is_late(k->d); m++)
        for (size_t s = 0; s < sets->count && is_free; s++) {
            uint64_t doing = doing_hash(k, m, group, sets->items[s]);
            bool found = doing == 0;
            uint32_t id;
            for (TableProbe p = table_probe(&alone, doing); !found && table_next(&alone, &p, &id);)
                found = doing_hash(k, id, group, UINT32_MAX) == doing;
            is_free = found;
        }
    table_free(&alone);
    return is_free;
}

/* True if the moves realise more than half of all combinations of the effects in each set. */
static bool is_free_as_product(Choice *k, uint32_t group, const U32Vector *sets) {
    uint64_t *hashes = memory_alloc((k->move_count + 1) * sizeof *hashes);
    uint32_t count = 0;
    U32Vector moves = {0};
    for (uint32_t m = 0; m < k->move_count; m++)
        if (doing_hash(k, m, group, UINT32_MAX))
            vector_push(&moves, m);
    double combinations = 1;
    for (size_t s = 0; s < sets->count && !decomposer_is_late(k->d); s++) {
        count = 0;
        for (size_t i = 0; i < moves.count; i++)
            hashes[count++] = doing_hash(k, moves.items[i], group, sets->items[s]);
        combinations *= (double)u64_count_distinct(hashes, count);
    }
    count = 0;
    for (size_t i = 0; i < moves.count; i++)
        hashes[count++] = doing_hash(k, moves.items[i], group, UINT32_MAX);
    double realised = (double)u64_count_distinct(hashes, count);
    vector_free(&moves);
    free(hashes);
    return 2 * realised > combinations;
}

/* Links the sets of groups without free choice. True if there was such a group. */
static bool merge_groups(Choice *k) {
    bool merged = false;
    U32Vector *members = memory_zalloc((k->d->vertex_count + 1) * sizeof *members);
    bool *listed = memory_zalloc(k->d->vertex_count + 1);
    for (uint32_t id = 0; id < k->d->result->actions.count; id++) {
        uint32_t set = set_of_action(k, id);
        if (!k->counts[id] || listed[set])
            continue;
        listed[set] = true;
        vector_push(&members[sets_find(k->group, set)], set);
    }
    for (uint32_t g = 0; g < k->d->vertex_count; g++) {
        if (members[g].count > 1 && !is_free_in_sequence(k, g, &members[g]) &&
            !is_free_as_product(k, g, &members[g])) {
            for (size_t i = 1; i < members[g].count; i++)
                decompose_add_link(k->d, members[g].items[0], members[g].items[i], LINK_CHOICE, 1);
            merged = true;
        }
        vector_free(&members[g]);
    }
    memory_free(members, listed);
    return merged;
}

static bool merge_unfree_choices(Decomposer *d, uint32_t role) {
    assert(role < d->circuit->role_count);
    const Circuit *c = d->circuit;
    Choice k = {.d = d,
                .role = role,
                .first_move = c->first_move[role],
                .move_count = c->first_move[role + 1] - c->first_move[role]};
    k.counts = memory_zalloc(d->result->actions.count + 1);
    k.of_move = memory_zalloc((k.move_count + 1) * sizeof *k.of_move);
    k.group = memory_alloc((d->vertex_count + 1) * sizeof *k.group);
    k.is_last = memory_zalloc(d->vertex_count + 1);
    sets_init(k.group, d->vertex_count);
    choose_actions(&k);
    find_last_sets(&k);
    group_sets(&k);
    bool merged = merge_groups(&k);
    u32_free_lists(k.of_move, k.move_count);
    memory_free(k.counts, k.group, k.is_last);
    if (merged)
        decompose_join(d);
    return merged;
}

/* Lists the sets with a meta-action on whose moves next(f) depends; if it depends on no move, all
 * sets with a meta-action. Returns their number. */
static uint32_t sets_that_change(Decomposer *d, uint32_t f, U32Vector *sets) {
    bool *marked = memory_zalloc(d->vertex_count + 1);
    uint64_t *moves = memory_zalloc((bitset_words(d->circuit->move_count) + 1) * sizeof *moves);
    const U32Vector *list = decompose_moves_under(d, f);
    for (size_t i = 0; i < list->count; i++)
        bitset_set(moves, list->items[i]);
    vector_clear(sets);
    for (uint32_t id = 0; id < d->result->actions.count; id++) {
        const MetaAction *m = &d->result->actions.items[id];
        uint32_t set = sets_find(d->parent, d->circuit->fluent_count + id);
        bool touches = list->count == 0;
        for (size_t i = 0; i < m->moves.count && !touches; i++)
            touches = bitset_get(moves, m->moves.items[i]);
        if (touches && !marked[set])
            vector_push(sets, set);
        marked[set] |= touches;
    }
    memory_free(moves, marked);
    return (uint32_t)sets->count;
}

void decompose_attach(Decomposer *d, bool at_the_end) {
    bool *acted = decompose_acted_sets(d);
    U32Vector sets = {0};
    for (uint32_t f = 0; f < d->circuit->fluent_count && !decomposer_is_late(d); f++) {
        bool loose = d->result->kinds[f] == FLUENT_DERIVED && !acted[sets_find(d->parent, f)];
        if (!loose || sets_that_change(d, f, &sets) == 0)
            continue;
        if (sets.count > 1 && (!at_the_end || !d->is_moved[f]))
            continue;
        for (size_t i = 0; i < sets.count; i++)
            decompose_add_link(d, f, sets.items[i], LINK_PREMISE, 1);
    }
    vector_free(&sets);
    free(acted);
    decompose_join(d);
}

void decompose_regroup(Decomposer *d) {
    d->is_split = false;
    d->is_evaluated_by_part = can_be_won_one_by_one(d);
    uint32_t count = decompose_count_acted(d);
    if (count > 1 && !d->is_evaluated_by_part)
        merge_by_goals(d, false);
    else if (count == 1)
        split_at_weak_effects(d);
    for (bool merged = true; merged && !decomposer_is_late(d);) {
        merged = false;
        for (uint32_t r = 0; r < d->circuit->role_count; r++)
            merged |= merge_unfree_choices(d, r);
    }
    if (!d->is_evaluated_by_part && decompose_count_acted(d) > 1)
        merge_what_has_no_goal(d);
}

void decompose_merge(Decomposer *d) {
    decompose_attach(d, false);
    decompose_tie_unseen(d);
    decompose_regroup(d);
    if (decompose_count_acted(d) > 1)
        merge_by_ends(d);
    decompose_join_by_views(d);
    decompose_attach(d, true);
}
