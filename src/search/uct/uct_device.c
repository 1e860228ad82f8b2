/* Playouts of leaves on a device, pass by pass. The device returns sums of goals; values are linear
 * in goals, so sums of values follow. If the device fails, it is given up, and all unfinished and
 * later playouts are made on this processor. */
#include <math.h>

#include "search/uct/uct.h"

static const double TINY = 1e-6; /* rounding error of a sum of goals */

bool uct_open_device(Uct *uct) {
    const SearchOptions *o = &uct->options;
    UctDevice *d = &uct->device;
    size_t roles = uct->search.game->role_count;
    if (!o->device)
        return true;
    LeafOptions leaves = {.seed = o->seed,
                          .batches = UCT_PASSES,
                          .states = o->batch,
                          .playouts = o->leaf_playouts,
                          .step_limit = o->step_limit};
    d->player = o->device->open(o->device->context, uct->search.game, &leaves, o->report);
    uct->options.report = NULL; /* valid during this call only */
    d->states = memory_zalloc((o->batch + 1) * sizeof *d->states);
    d->sums = memory_zalloc((o->batch + 1) * sizeof *d->sums);
    for (uint32_t i = 0; i < o->batch; i++)
        d->sums[i].goals = memory_zalloc((roles + 1) * sizeof(double));
    return d->player != NULL;
}

static void give_up(Uct *uct) {
    if (uct->device.player)
        uct->options.device->close(uct->device.player);
    uct->device.player = NULL;
}

void uct_close_device(Uct *uct) {
    give_up(uct);
    for (uint32_t i = 0; uct->device.sums && i < uct->options.batch; i++)
        free(uct->device.sums[i].goals);
    memory_free(uct->device.sums, uct->device.states);
}

void uct_send_leaves(Uct *uct, uint32_t pass, const UctLeaf *leaves, size_t count) {
    UctDevice *d = &uct->device;
    size_t unknown = 0;
    for (size_t i = 0; i < count; i++)
        if (!leaves[i].is_known)
            d->states[unknown++] = &leaves[i].state;
    if (d->player && !uct->options.device->start(d->player, pass, d->states, unknown))
        give_up(uct);
}

bool uct_can_fetch(const Uct *uct, uint32_t pass) {
    const UctDevice *d = &uct->device;
    return !d->player || uct->options.device->is_done(d->player, pass);
}

static void take_value(UctWorker *w, const LeafSums *sums, UctLeaf *leaf) {
    const Uct *uct = w->uct;
    double of_all = 0;
    for (uint32_t r = 0; r < uct->search.game->role_count; r++) {
        GoalRange range = uct->ranges[r];
        double value = range.span > 0 ? (sums->goals[r] - range.lowest * sums->ended) / range.span
                                      : 0.5 * sums->ended;
        leaf->values[r] = value;
        of_all += game_is_chance(uct->search.game, r) ? 0 : value;
    }
    if (fabs(of_all - sums->ended) > TINY)
        w->saw_other_sum = true;
}

void uct_fetch_leaves(UctWorker *w, uint32_t pass, UctLeaf *leaves, size_t count) {
    Uct *uct = w->uct;
    UctDevice *d = &uct->device;
    if (d->player && !uct->options.device->finish(d->player, pass, d->sums))
        give_up(uct);
    if (!d->player) {
        uct_play_out(w, leaves, count);
        return;
    }
    const LeafSums *sums = d->sums;
    for (size_t i = 0; i < count; i++)
        if (!leaves[i].is_known)
            take_value(w, sums++, &leaves[i]);
}
