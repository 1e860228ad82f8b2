/* Use of a learnt evaluation: priors of moves, and evaluations of states in place of playouts. An
 * evaluation gives goals; the tree stores values 0..1. */
#include <assert.h>
#include <math.h>

#include "search/uct/uct.h"

/* Bound of moves never tried. The prior is added to it, so promising moves come first. */
static const double BEFORE_ANY = 1e9;
/* How much less an untried move is worth than the mean of others (first play urgency; untuned). */
static const double UNTRIED_LOSS = 0.1;

static double value_of(const Uct *uct, uint32_t role, double goal) {
    GoalRange range = uct->ranges[role];
    double value = range.span > 0 ? (goal - range.lowest) / range.span : 0.5;
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

void uct_evaluate_moves(UctWorker *w, TreeNode *node, const State *state) {
    const Uct *uct = w->uct;
    const SearchEvaluation *evaluation = uct->options.evaluation;
    if (!evaluation)
        return;
    for (uint32_t r = 0; r < uct->search.game->role_count; r++) {
        Arm *arms = tree_arms(node, r);
        uint32_t count = tree_arm_count(node, r);
        double *goals = memory_zalloc((count + 1) * sizeof *goals);
        bool is_known = count > 1 && !game_is_chance(uct->search.game, r) &&
                        evaluation->evaluate_moves &&
                        evaluation->evaluate_moves(w->evaluation, state, r, &w->legal[r], goals);
        for (uint32_t a = 0; a < count; a++)
            arms[a].prior = is_known ? (float)value_of(uct, r, goals[a]) : ARM_NO_PRIOR;
        free(goals);
    }
}

double uct_bound_with_prior(const Uct *uct, const Arm *arm, double log_visits) {
    const SearchEvaluation *evaluation = uct->options.evaluation;
    bool has_prior = arm->prior >= 0;
    double prior = has_prior ? (double)arm->prior : 0;
    double prior_visits = has_prior ? evaluation->prior_visits : 0;
    double visits = arm->visits + prior_visits;
    if (visits <= 0)
        return BEFORE_ANY + prior;
    return (arm->total + prior * prior_visits) / visits +
           uct->options.exploration * sqrt(log_visits / visits) +
           evaluation->bias * prior / (arm->visits + 1.0);
}

bool uct_uses_evaluation(const Uct *uct) {
    return uct->options.evaluation && uct->options.evaluation->evaluate;
}

void uct_evaluate_states(UctWorker *w, size_t count) {
    const Uct *uct = w->uct;
    uint32_t roles = uct->search.game->role_count;
    if (!count)
        return;
    uct->options.evaluation->evaluate(w->evaluation, w->evaluated, count, w->evaluations);
    for (size_t i = 0; i < count * roles; i++)
        w->evaluations[i] = value_of(uct, (uint32_t)(i % roles), w->evaluations[i]);
}

/* ---- advice ---- */

bool uct_advises(const Uct *uct) {
    return uct->options.evaluation && uct->options.evaluation->advise && !uct->hooks->bound &&
           !uct->hooks->choose && !uct->hooks->learn;
}

UctWeighing uct_weigh(const Uct *uct, const TreeNode *node, uint32_t role) {
    const Arm *arms = tree_arms(node, role);
    uint32_t count = tree_arm_count(node, role);
    assert(count > 0);
    double visits = 0, total = node->is_advised ? node->values[role] : 0.5;
    for (uint32_t a = 0; a < count; a++) {
        visits += arms[a].visits;
        total += arms[a].total;
    }
    double untried = total / (visits + 1) - UNTRIED_LOSS;
    return (UctWeighing){.spread = uct->options.exploration * sqrt(visits + 1),
                         .untried = untried > 0 ? untried : 0,
                         .share = 1.0 / count};
}

double uct_bound_with_share(const UctWeighing *w, const Arm *arm) {
    double share = arm->prior < 0 ? w->share : (double)arm->prior;
    double value = arm->visits ? arm->total / arm->visits : w->untried;
    return value + w->spread * share / (arm->visits + 1.0);
}

/* A leaf whose arms found no room in the tree is played out, like one that found no room itself. */
bool uct_needs_advice(const Uct *uct, const UctLeaf *leaf) {
    return uct_advises(uct) && leaf->end && leaf->end->arms && !leaf->is_known;
}

Advice uct_ask(UctLeaf *leaf, const Uct *uct) {
    const TreeNode *node = leaf->end;
    assert(node->arms); /* it must be expanded */
    uint32_t arms = node->first_arm[uct->search.game->role_count];
    vector_clear(&leaf->moves);
    vector_clear(&leaf->shares);
    (void)vector_extend(&leaf->shares, arms + 1);
    for (uint32_t a = 0; a < arms; a++)
        vector_push(&leaf->moves, node->arms[a].move);
    return (Advice){&leaf->state, leaf->moves.items, node->first_arm, leaf->goals,
                    leaf->shares.items};
}

void uct_take_advice(const Uct *uct, UctLeaf *leaf) {
    for (uint32_t r = 0; r < uct->search.game->role_count; r++) {
        leaf->goals[r] = value_of(uct, r, leaf->goals[r]);
        leaf->values[r] += leaf->goals[r] * uct->options.leaf_playouts;
    }
    leaf->is_advised = true;
}

void uct_note_advice(Uct *uct, UctLeaf *leaf) {
    TreeNode *node = leaf->end;
    assert(node || !leaf->is_advised);
    if (!leaf->is_advised || node->is_advised)
        return;
    for (uint32_t a = 0; a < leaf->moves.count; a++)
        if (!node->arms[a].is_proven)
            node->arms[a].prior = leaf->shares.items[a];
    for (uint32_t r = 0; r < uct->search.game->role_count && !node->is_proven; r++)
        node->values[r] = leaf->goals[r];
    node->is_advised = true;
}

void uct_advise_leaves(UctWorker *w, UctLeaf *leaves, size_t count) {
    const Uct *uct = w->uct;
    size_t asked = 0;
    for (size_t i = 0; i < count; i++)
        if (uct_needs_advice(uct, &leaves[i]))
            w->asked[asked++] = uct_ask(&leaves[i], uct);
    if (asked)
        uct->options.evaluation->advise(w->evaluation, w->asked, asked);
    for (size_t i = 0; i < count; i++)
        if (uct_needs_advice(uct, &leaves[i]))
            uct_take_advice(uct, &leaves[i]);
}
