/* Every tree recommends the moves of its transitions with the greatest bound. Votes are counted in
 * bit planes: bit m of plane p is binary digit p of the votes for move m. So the moves with the
 * most votes are found in as many steps as the count has digits. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "search/multitree/mtmcts_internal.h"

static const double TIE = 1e-12; /* relative difference of bounds that count as equal (untuned) */

static double local_estimate(const MtmctsTrees *t, const Transition *transition) {
    switch (t->options.local) {
    case LOCAL_GREATEST:
        return transition->greatest;
    case LOCAL_LEAST:
        return transition->least;
    case LOCAL_MIDDLE:
        return (transition->greatest + transition->least) / 2;
    }
    return 0;
}

void mtmcts_trees_refresh(const MtmctsTrees *t, Transition *transition) {
    double n = transition->visits;
    transition->mean = transition->score / n;
    transition->value = (t->options.alpha * transition->score +
                         (1 - t->options.alpha) * local_estimate(t, transition)) /
                        n;
    transition->width =
        transition->visits < TABULATED_VISITS ? t->inverse_roots[transition->visits] : 1 / sqrt(n);
}

static double log_root(const MtmctsTrees *t, uint32_t visits) {
    return visits < TABULATED_VISITS ? t->log_roots[visits] : sqrt(log(visits));
}

/* Sets t->allowed to the candidates that the tree has not explored, or to all if there are none. */
static void find_allowed(MtmctsTrees *t, uint32_t node, bool heeds_marks) {
    uint64_t any = 0;
    for (uint32_t i = 0; heeds_marks && i < t->set_words; i++)
        any |= t->allowed[i] = t->candidates[i] & ~explored_moves(t, node)[i];
    if (!any)
        memcpy(t->allowed, t->candidates, t->set_words * sizeof *t->allowed);
}

/* Fills t->voted with the allowed moves of the transitions with the greatest bound. */
static void recommend(MtmctsTrees *t, uint32_t node, double exploration) {
    double factor = exploration * log_root(t, t->nodes.items[node].visits);
    double best = -INFINITY;
    vector_clear(&t->recommended);
    for (uint32_t id = t->nodes.items[node].first_transition; id != TREES_NONE;
         id = t->transitions.items[id].next) {
        const Transition *transition = &t->transitions.items[id];
        if (!bitset_overlaps(transition_moves(t, id), t->allowed, t->set_words))
            continue;
        double bound =
            transition->visits ? transition->value + factor * transition->width : INFINITY;
        vector_push(&t->recommended, ((Recommended){id, bound}));
        best = bound > best ? bound : best;
    }
    double enough = isinf(best) ? best : best - TIE * fmax(1, fabs(best));
    memset(t->voted, 0, t->set_words * sizeof *t->voted);
    for (size_t i = 0; i < t->recommended.count; i++)
        if (t->recommended.items[i].bound >= enough)
            bitset_or(t->voted, transition_moves(t, t->recommended.items[i].transition),
                      t->set_words);
    bitset_and(t->voted, t->allowed, t->set_words);
}

static void count_votes(MtmctsTrees *t) {
    for (uint32_t i = 0; i < t->set_words; i++) {
        uint64_t carry = t->voted[i];
        for (uint32_t p = 0; carry; p++) {
            assert(p < t->plane_count);
            uint64_t *plane = &t->planes[(size_t)p * t->set_words + i];
            uint64_t both = *plane & carry;
            *plane ^= carry;
            carry = both;
        }
    }
}

/* Keeps the candidates with the most votes. */
static void keep_most_voted(MtmctsTrees *t) {
    for (uint32_t p = t->plane_count; p-- > 0;) {
        const uint64_t *plane = t->planes + (size_t)p * t->set_words;
        if (bitset_overlaps(plane, t->candidates, t->set_words))
            bitset_and(t->candidates, plane, t->set_words);
    }
}

/* Keeps the candidates that some tree has not explored, if there are any. */
static void keep_unexplored(MtmctsTrees *t, const TreesPosition *position) {
    memset(t->allowed, 0, t->set_words * sizeof *t->allowed);
    for (uint32_t k = 0; k < t->parts.count; k++) {
        const uint64_t *explored = explored_moves(t, position->nodes[k]);
        for (uint32_t i = 0; i < t->set_words; i++)
            t->allowed[i] |= t->candidates[i] & ~explored[i];
    }
    if (bitset_any(t->allowed, t->set_words))
        memcpy(t->candidates, t->allowed, t->set_words * sizeof *t->allowed);
}

/* Sets t->gains: the expected scores of the candidates, from their means in all trees. */
static void expect_gains(MtmctsTrees *t, const TreesPosition *position) {
    bool by_sum = t->options.join == JOIN_SUM || (t->options.join == JOIN_AUTO && t->joins_by_sum);
    bool is_hopeless = t->best_score <= 0; /* all means are 0 */
    for (uint32_t i = 0; i < position->move_count; i++)
        t->gains[position->moves[i]] = by_sum || is_hopeless ? 0 : 1;
    if (is_hopeless)
        return;
    for (uint32_t k = 0; k < t->parts.count; k++)
        for (uint32_t id = t->nodes.items[position->nodes[k]].first_transition; id != TREES_NONE;
             id = t->transitions.items[id].next) {
            const Transition *transition = &t->transitions.items[id];
            double mean = transition->mean;
            const uint64_t *moves = transition_moves(t, id);
            for (uint32_t i = 0; i < t->set_words; i++)
                for (uint64_t left = moves[i] & t->candidates[i]; left; left &= left - 1) {
                    double *gain = &t->gains[i * 64 + (uint32_t)__builtin_ctzll(left)];
                    *gain = by_sum ? *gain + mean : *gain * mean;
                }
        }
}

static uint32_t draw_best(MtmctsTrees *t) {
    uint32_t chosen = TREES_NONE, equals = 0;
    double best = -1;
    bitset_each(m, t->candidates, t->set_words) {
        if (t->gains[m] > best) {
            best = t->gains[m];
            equals = 0;
        }
        if (t->gains[m] == best && random_below(&t->random, ++equals) == 0)
            chosen = (uint32_t)m;
    }
    return chosen;
}

uint32_t mtmcts_trees_choose(MtmctsTrees *t, const TreesPosition *position, double exploration,
                             bool heeds_marks) {
    assert(bitset_any(t->candidates, t->set_words));
    memset(t->planes, 0, (size_t)t->plane_count * t->set_words * sizeof *t->planes);
    for (uint32_t k = 0; k < t->parts.count; k++) {
        find_allowed(t, position->nodes[k], heeds_marks);
        recommend(t, position->nodes[k], exploration);
        count_votes(t);
    }
    keep_most_voted(t);
    if (heeds_marks)
        keep_unexplored(t, position);
    uint32_t move = (uint32_t)bitset_next(t->candidates, t->set_words, 0);
    if (bitset_next(t->candidates, t->set_words, move + 1) != BITSET_END) {
        expect_gains(t, position);
        move = draw_best(t);
    }
    return mtmcts_trees_index_of(position, move);
}
