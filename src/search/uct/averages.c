/* Every move stores its weight in the Gibbs distribution, so that drawing needs no exponentials. */
#include "search/uct/averages.h"

#include <assert.h>
#include <math.h>

static const double TEMPERATURE = 0.1; /* Gibbs temperature for values 0..1 (guess) */

RoleAverages *averages_create(uint32_t role_count) {
    return memory_zalloc((role_count + 1) * sizeof(RoleAverages));
}

void averages_free(RoleAverages *roles, uint32_t role_count) {
    for (uint32_t r = 0; r < role_count; r++)
        vector_free(&roles[r].moves);
    free(roles);
}

/* A move that was never played starts with a good average, so that it is tried. */
static MoveAverage *average_of(RoleAverages *role, uint32_t move) {
    while (role->moves.count <= move) {
        MoveAverage fresh = {.weight = exp(1 / TEMPERATURE)};
        vector_push(&role->moves, fresh);
    }
    return &role->moves.items[move];
}

size_t averages_draw(RoleAverages *role, const U32Vector *legal, Random *random) {
    double sum = 0;
    assert(legal->count > 0);
    if (legal->count == 1)
        return 0;
    for (size_t i = 0; i < legal->count; i++)
        sum += average_of(role, legal->items[i])->weight;
    double left = random_double(random) * sum;
    for (size_t i = 0; i + 1 < legal->count; i++) {
        left -= average_of(role, legal->items[i])->weight;
        if (left < 0)
            return i;
    }
    return legal->count - 1;
}

void averages_learn(RoleAverages *role, uint32_t move, double value) {
    MoveAverage *average = average_of(role, move);
    average->total += value;
    average->count++;
    average->weight = exp(average->total / (double)average->count / TEMPERATURE);
}

void averages_learn_playout(RoleAverages *roles, uint32_t role_count, const U32Vector *record,
                            const double *values) {
    for (size_t i = 0; i < record->count; i++)
        averages_learn(&roles[i % role_count], record->items[i], values[i % role_count]);
}
