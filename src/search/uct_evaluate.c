/* Where an evaluation takes part: priors of moves, and judgements of states in place of random
 * play. An evaluation knows goals, the tree values 0..1. */
#include <math.h>

#include "search/uct.h"

/* Moves that were never tried come before all others, the promising ones first. */
static const double BEFORE_ANY = 1e9;

static double value_of(const Uct *uct, uint32_t role, double goal) {
    GoalRange range = uct->ranges[role];
    double value = range.span > 0 ? (goal - range.lowest) / range.span : 0.5;
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

void uct_foresee(UctWorker *w, TreeNode *node, const State *state) {
    const Uct *uct = w->uct;
    const SearchEvaluation *evaluation = uct->options.evaluation;
    if (!evaluation)
        return;
    for (uint32_t r = 0; r < uct->search.game->role_count; r++) {
        Arm *arms = tree_arms(node, r);
        uint32_t count = tree_arm_count(node, r);
        double *goals = memory_zalloc((count + 1) * sizeof *goals);
        bool is_known = count > 1 && !uct->is_chance[r] && evaluation->foresee &&
                        evaluation->foresee(w->evaluation, state, r, &w->legal[r], goals);
        for (uint32_t a = 0; a < count; a++)
            arms[a].prior = is_known ? (float)value_of(uct, r, goals[a]) : NAN;
        free(goals);
    }
}

double uct_bound_with_prior(const Uct *uct, const Arm *arm, double log_visits) {
    const SearchEvaluation *evaluation = uct->options.evaluation;
    bool has_prior = !isnan(arm->prior);
    double prior = has_prior ? (double)arm->prior : 0;
    double virtual_visits = has_prior ? evaluation->prior_visits : 0;
    double visits = arm->visits + virtual_visits;
    if (visits <= 0)
        return BEFORE_ANY + prior;
    return (arm->total + prior * virtual_visits) / visits +
           uct->options.exploration * sqrt(log_visits / visits) +
           evaluation->bias * prior / (arm->visits + 1.0);
}

bool uct_judges(const Uct *uct) {
    return uct->options.evaluation && uct->options.evaluation->judge;
}

void uct_judge_states(UctWorker *w, size_t count) {
    const Uct *uct = w->uct;
    uint32_t roles = uct->search.game->role_count;
    if (!count)
        return;
    uct->options.evaluation->judge(w->evaluation, w->judged, count, w->judgements);
    for (size_t i = 0; i < count * roles; i++)
        w->judgements[i] = value_of(uct, (uint32_t)(i % roles), w->judgements[i]);
}
