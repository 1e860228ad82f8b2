/* Makes passes over the tree until the budget is spent: leaves are gathered, played out and backed
 * up. One thread does it all; if a device makes the playouts, the thread gathers the leaves of the
 * next passes meanwhile. In leaf mode the other threads help with the playouts. In tree mode every
 * thread makes passes of its own and takes the lock while it is in the tree. Playouts take most of
 * the time and need no lock, so one lock for the whole tree is enough. */
#include <assert.h>
#include <math.h>

#include "search/uct/uct.h"

static const double TINY = 1e-6; /* rounding error of a sum of goals */

typedef struct {
    Uct *uct;
    const SearchBudget *budget;
    uint64_t begun;     /* playouts of this run, including those in progress */
    uint32_t under_way; /* passes in progress that have pointers into the tree; tree mode only */
    pthread_cond_t is_quiet; /* signalled when no pass is in progress, or there is room again */
} UctRun;

/* Returns the number of leaves of the next pass; 0 if no pass may begin, or if it would not end
 * within the time left. */
static size_t begin_pass(UctRun *run, double longest) {
    const TreeNode *root = run->uct->root;
    if (!root || root->is_proven || root->is_stuck ||
        deadline_left(run->budget->deadline) <= longest || search_is_stopped(run->budget))
        return 0;
    size_t leaves = search_leaves_allowed(&run->uct->options, run->budget, run->begun);
    run->begun += leaves * run->uct->options.leaf_playouts;
    return leaves;
}

/* Estimates the time of a pass: a long one raises it at once, shorter ones lower it slowly. */
static double longest_pass(double longest, double taken) {
    return taken > longest / 2 ? taken : longest / 2;
}

static void update_zero_sum(Uct *uct, UctWorker *w) {
    uct->is_zero_sum = uct->is_zero_sum && !w->saw_other_sum;
    w->saw_other_sum = false;
}

static void finish_pass(UctWorker *w, UctLeaf *leaves, size_t count) {
    Uct *uct = w->uct;
    update_zero_sum(uct, w);
    for (size_t i = 0; i < count; i++)
        uct_back_up(uct, &leaves[i]);
    uct->search.playouts += count * uct->options.leaf_playouts;
}

static void make_room(Uct *uct) {
    if (uct->tree.is_full)
        uct->root = tree_collect(&uct->tree, uct->root);
}

/* ---- one thread in the tree, alone or with helpers ---- */

typedef struct {
    Uct *uct;
    size_t leaves;
} SharedPlay;

/* A share is played with the memory and the random numbers of its worker, by whichever thread. So
 * one seed gives one result, also with several threads. */
static void play_share(void *context, size_t share, unsigned thread) {
    const SharedPlay *play = context;
    UctWorker *w = &play->uct->workers[share];
    double started = clock_thread_cpu_seconds();
    size_t shares = play->uct->worker_count, each = (play->leaves + shares - 1) / shares;
    size_t first = share * each, end = first + each < play->leaves ? first + each : play->leaves;
    if (first < end)
        uct_play_out(w, play->uct->workers[0].leaves + first, end - first);
    if (thread)
        w->cpu_seconds += clock_thread_cpu_seconds() - started;
}

static void play_in_shares(Uct *uct, size_t leaves) {
    pool_run(uct->pool, uct->worker_count, play_share, &(SharedPlay){uct, leaves});
    for (uint32_t i = 0; i < uct->worker_count; i++) {
        update_zero_sum(uct, &uct->workers[i]);
        uct->search.cpu_seconds += uct->workers[i].cpu_seconds;
        uct->workers[i].cpu_seconds = 0;
    }
}

static void run_alone(UctRun *run) {
    Uct *uct = run->uct;
    UctWorker *w = &uct->workers[0];
    double cpu_started = clock_thread_cpu_seconds(), longest = 0;
    for (size_t leaves; (leaves = begin_pass(run, longest));) {
        double started = clock_wall_seconds();
        uct_descend(w, w->leaves, leaves);
        if (uct->worker_count > 1)
            play_in_shares(uct, leaves);
        else
            uct_play_out(w, w->leaves, leaves);
        finish_pass(w, w->leaves, leaves);
        make_room(uct);
        longest = longest_pass(longest, clock_wall_seconds() - started);
    }
    uct->search.cpu_seconds += clock_thread_cpu_seconds() - cpu_started;
}

/* ---- playouts on a device, pass by pass ---- */

/* The device returns sums of goals; values are linear in goals, so sums of values follow. If the
 * device fails, it is given up, and all unfinished and later playouts are made on this processor.
 */

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

static void send_leaves(Uct *uct, uint32_t pass, const UctLeaf *leaves, size_t count) {
    UctDevice *d = &uct->device;
    size_t unknown = 0;
    for (size_t i = 0; i < count; i++)
        if (!leaves[i].is_known)
            d->states[unknown++] = &leaves[i].state;
    if (d->player && !uct->options.device->start(d->player, pass, d->states, unknown))
        give_up(uct);
}

static bool can_fetch(const Uct *uct, uint32_t pass) {
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

static void fetch_leaves(UctWorker *w, uint32_t pass, UctLeaf *leaves, size_t count) {
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

/* ---- one thread in the tree, playouts on a device ---- */

typedef struct {
    UctLeaf *leaves;
    size_t count;
    double started;
} Pass;

/* Passes on a device, in a ring buffer; `first` is the oldest in progress. */
typedef struct {
    UctWorker *worker;
    Pass passes[UCT_PASSES];
    uint32_t first, under_way;
    double longest;
} Pipeline;

static void send_pass(Pipeline *p, size_t leaves) {
    uint32_t number = (p->first + p->under_way++) % UCT_PASSES;
    Pass *pass = &p->passes[number];
    pass->started = clock_wall_seconds();
    pass->count = leaves;
    uct_descend(p->worker, pass->leaves, leaves);
    send_leaves(p->worker->uct, number, pass->leaves, leaves);
}

static void fetch_pass(Pipeline *p) {
    const Pass *pass = &p->passes[p->first];
    fetch_leaves(p->worker, p->first, pass->leaves, pass->count);
    finish_pass(p->worker, pass->leaves, pass->count);
    p->longest = longest_pass(p->longest, clock_wall_seconds() - pass->started);
    p->first = (p->first + 1) % UCT_PASSES;
    p->under_way--;
}

/* Passes in progress are as few as possible: those sent now cannot use results of earlier ones. */
static bool must_fetch(const Pipeline *p) {
    const Uct *uct = p->worker->uct;
    return p->under_way == UCT_PASSES || uct->tree.is_full || can_fetch(uct, p->first);
}

/* Leaves in progress have pointers into the tree, so nodes are dropped only when there are none. */
static void run_with_device(UctRun *run) {
    Uct *uct = run->uct;
    Pipeline p = {.worker = &uct->workers[0]};
    double cpu_started = clock_thread_cpu_seconds();
    for (uint32_t i = 0; i < UCT_PASSES; i++)
        p.passes[i].leaves = p.worker->leaves + (size_t)i * uct->options.batch;
    for (size_t leaves; (leaves = begin_pass(run, p.longest));) {
        send_pass(&p, leaves);
        while (p.under_way && must_fetch(&p))
            fetch_pass(&p);
        make_room(uct);
    }
    while (p.under_way)
        fetch_pass(&p);
    make_room(uct);
    uct->search.cpu_seconds += clock_thread_cpu_seconds() - cpu_started;
}

/* ---- several threads in one tree ---- */

/* Nodes are dropped only while no pass has pointers to them. A thread that finds the tree full
 * waits until no pass is in progress; the first thread to wake up then makes room. */
static void make_room_when_quiet(UctRun *run) {
    while (run->uct->tree.is_full && run->under_way)
        pthread_cond_wait(&run->is_quiet, &run->uct->lock);
    if (!run->uct->tree.is_full)
        return;
    make_room(run->uct);
    pthread_cond_broadcast(&run->is_quiet);
}

static void work_in_tree(void *context, size_t number, unsigned thread) {
    UctRun *run = context;
    Uct *uct = run->uct;
    UctWorker *w = &uct->workers[number];
    double cpu_started = clock_thread_cpu_seconds(), longest = 0, started = clock_wall_seconds();
    (void)thread;
    pthread_mutex_lock(&uct->lock);
    make_room_when_quiet(run);
    for (size_t leaves; (leaves = begin_pass(run, longest));) {
        run->under_way++;
        uct_descend(w, w->leaves, leaves);
        pthread_mutex_unlock(&uct->lock);
        uct_play_out(w, w->leaves, leaves);
        pthread_mutex_lock(&uct->lock);
        finish_pass(w, w->leaves, leaves);
        if (--run->under_way == 0)
            pthread_cond_broadcast(&run->is_quiet);
        make_room_when_quiet(run);
        longest = longest_pass(longest, clock_wall_seconds() - started);
        started = clock_wall_seconds();
    }
    uct->search.cpu_seconds += clock_thread_cpu_seconds() - cpu_started;
    pthread_mutex_unlock(&uct->lock);
}

static void run_together(UctRun *run) {
    pthread_cond_init(&run->is_quiet, NULL);
    pool_run(run->uct->pool, run->uct->worker_count, work_in_tree, run);
    pthread_cond_destroy(&run->is_quiet);
}

/* Drops what a move has left behind, so that its memory is used again: the system takes long to
 * clear new pages (a sixth of the CPU time in breakthroughSmall), and a small tree is in the
 * caches. Not if that took a good part of the time. */
static void leave_behind(Uct *uct, const SearchBudget *budget) {
    static const double SECONDS_PER_BYTE = 1e-10, SHARE = 0.5; /* (untuned) */
    enum { MIN_BYTES = 1 << 20 };                              /* (untuned) */
    if (!uct->has_moved || uct->tree.bytes < MIN_BYTES ||
        (double)uct->tree.bytes * SECONDS_PER_BYTE > SHARE * deadline_left(budget->deadline))
        return;
    double cpu_started = clock_thread_cpu_seconds();
    uct->root = tree_collect(&uct->tree, uct->root);
    uct->has_moved = false;
    uct->search.cpu_seconds += clock_thread_cpu_seconds() - cpu_started;
}

void uct_run(Search *search, const SearchBudget *budget) {
    Uct *uct = (Uct *)search;
    UctRun run = {.uct = uct, .budget = budget};
    uct->budget = budget;
    leave_behind(uct, budget);
    if (uct->options.device)
        run_with_device(&run);
    else if (uct->worker_count > 1 && uct->options.parallel != PARALLEL_LEAF)
        run_together(&run);
    else
        run_alone(&run);
}

/* ---- one leaf at a time, evaluated by the caller ---- */

static void finish_leaf(Uct *uct, UctLeaf *leaf) {
    update_zero_sum(uct, &uct->workers[0]);
    uct_back_up(uct, leaf);
    uct->search.playouts += uct->options.leaf_playouts;
    make_room(uct);
}

UctLeaf *uct_next_leaf(Search *search, uint64_t visits) {
    Uct *uct = (Uct *)search;
    UctWorker *w = &uct->workers[0];
    UctLeaf *leaf = &w->leaves[0];
    assert(uct_advises(uct) && uct->worker_count == 1);
    while (uct->search.playouts < visits && !uct->root->is_proven && !uct->root->is_stuck) {
        uct_descend(w, leaf, 1);
        if (uct_needs_advice(uct, leaf))
            return leaf;
        uct_play_out(w, leaf, 1);
        finish_leaf(uct, leaf);
    }
    return NULL;
}

void uct_return_leaf(Search *search, UctLeaf *leaf) {
    Uct *uct = (Uct *)search;
    uct_take_advice(uct, leaf);
    finish_leaf(uct, leaf);
}

const TreeNode *uct_root(const Search *search) {
    return ((const Uct *)search)->root;
}

void uct_reseed(Search *search, uint64_t seed) {
    Uct *uct = (Uct *)search;
    for (uint32_t i = 0; i < uct->worker_count; i++)
        random_seed(&uct->workers[i].random, search_seed_of_thread(seed, i));
}
