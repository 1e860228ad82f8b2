/* The range of a role's goals is read off the circuit; values are linear in goals. */
#include "search/goals.h"

#include <assert.h>
#include <math.h>

#include "game/goal.h"

GoalRange goal_range(const Game *game, uint32_t role) {
    assert(role < game->role_count);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; game->circuit && i < game->circuit->goals.count; i++) {
        const CircuitOutput *goal = &game->circuit->goals.items[i];
        int value = goal_join(GOAL_NONE, grounding_terms(game->grounding), goal->term);
        if (goal->role != role || value < 0)
            continue;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    return isfinite(low) ? (GoalRange){low, high - low} : (GoalRange){0, 100};
}

GoalRange *goal_ranges(const Game *game) {
    GoalRange *ranges = memory_zalloc((game->role_count + 1) * sizeof *ranges);
    for (uint32_t r = 0; r < game->role_count; r++)
        ranges[r] = goal_range(game, r);
    return ranges;
}

double goal_to_value(GoalRange range, int goal) {
    if (goal < 0)
        return 0;
    return range.span > 0 ? (goal - range.lowest) / range.span : 0.5;
}

double goal_of_value(GoalRange range, double value) {
    return range.span > 0 ? range.lowest + value * range.span : range.lowest;
}
