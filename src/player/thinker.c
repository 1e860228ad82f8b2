/* Flags between the threads are atomic; each change is announced on the player's monitor. Only one
 * thread at a time runs a search; joining the thread makes its memory visible to the next. */
#include "player/thinker.h"

#include <assert.h>

#include "game/upgrade.h"
#include "player/background_learner.h"
#include "search/choice/search_choice.h"
#include "strategy/strategy.h"

enum { SLICES = 3 }; /* slices of one search per move (untuned) */
/* Ends of all slices but the last, as shares of the time (untuned). */
static const double slice_ends[] = {0.25, 0.5};
static const double warm_up_seconds = 0.05; /* seconds of the first search on a circuit (untuned) */

struct Thinker {
    const char *method;
    SearchOptions options;
    KernelKind kernel; /* kernel of the circuit */
    uint32_t role;
    Monitor *monitor; /* monitor of the player */
    Search *search;
    SearchBudget budget;
    pthread_t thread;
    bool has_thread;
    bool halted, done;   /* atomic */
    SearchResult latest; /* the last published result; guarded by the monitor */

    pthread_t builder;
    bool has_builder;
    Rules *rules; /* rules of the game that is played, which outlives the thread */
    Game *better; /* owned by the builder's thread until `built` */
    /* Owned by the builder's thread until `built`; NULL if there is no circuit. */
    Search *better_search;
    bool stopped, built; /* atomic */

    BackgroundLearner *learner; /* NULL before thinker_learn, and if there is nothing to learn */
    bool has_learnt;
};

static bool is_set(const bool *flag) {
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void set(bool *flag, bool value) {
    __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

static void set_and_announce(Thinker *t, bool *flag) {
    monitor_enter(t->monitor);
    set(flag, true);
    monitor_announce(t->monitor);
    monitor_leave(t->monitor);
}

/* Kernels are compiled when they are first used. One short search uses all of them, so that no play
 * clock has to pay for that. */
static void warm_up(Thinker *t) {
    State state = {0};
    GameWork *work = game_work_create(t->better, REASONER_AUTO);
    game_initial(work, &state);
    search_set_state(t->better_search, &state);
    SearchBudget budget = {
        .deadline = deadline_in(warm_up_seconds), .playouts = 1, .stopped = &t->stopped};
    search_run(t->better_search, &budget);
    state_free(&state);
    game_work_free(work);
}

static void *build_better(void *context) {
    Thinker *t = context;
    Report report = {0};
    GameBuild *build =
        game_build_start(t->rules, &(GameOptions){.kernel = t->kernel, .stopped = &t->stopped});
    t->better = build ? game_build_finish(build) : NULL;
    if (t->better && !is_set(&t->stopped))
        t->better_search =
            strategy_create_named(t->method, t->better, t->role, &t->options, &report);
    if (t->better_search)
        warm_up(t);
    report_free(&report);
    set_and_announce(t, &t->built);
    return NULL;
}

static void tell_search(Thinker *t, const Tracker *tracker) {
    if (tracker->filter)
        search_set_belief(t->search, &tracker->filter->belief);
    else
        search_set_state(t->search, &tracker->state);
}

Thinker *thinker_create(const char *method, const SearchOptions *options, KernelKind kernel,
                        Tracker *tracker, Monitor *monitor, Report *report) {
    assert(tracker->role < tracker->game->role_count);
    Search *search = strategy_create_named(method, tracker->game, tracker->role, options, report);
    if (!search)
        return NULL;
    Thinker *t = memory_zalloc(sizeof *t);
    *t = (Thinker){.method = method,
                   .options = *options,
                   .kernel = kernel,
                   .role = tracker->role,
                   .rules = tracker->game->rules,
                   .monitor = monitor,
                   .search = search,
                   .done = true,
                   .latest = {.best = MOVE_NONE}};
    tell_search(t, tracker);
    t->has_builder = pthread_create(&t->builder, NULL, build_better, t) == 0;
    return t;
}

static void swap_latest(Thinker *t, SearchResult *result) {
    monitor_enter(t->monitor);
    SearchResult old = t->latest;
    t->latest = *result;
    *result = old;
    monitor_leave(t->monitor);
}

static void publish(Thinker *t) {
    SearchResult result = {0};
    search_result(t->search, &result);
    swap_latest(t, &result);
    search_result_free(&result);
}

static void forget_latest(Thinker *t) {
    SearchResult none = {.best = MOVE_NONE};
    swap_latest(t, &none);
    search_result_free(&none);
}

static void discard_better(Thinker *t) {
    search_free(t->better_search);
    game_free(t->better);
    t->better_search = NULL;
    t->better = NULL;
}

static void join_builder(Thinker *t) {
    if (t->has_builder)
        pthread_join(t->builder, NULL);
    t->has_builder = false;
}

void thinker_free(Thinker *t) {
    if (!t)
        return;
    set(&t->stopped, true);
    thinker_halt(t);
    thinker_settle(t, deadline_never());
    join_builder(t);
    discard_better(t);
    search_free(t->search);
    background_learner_free(t->learner);
    search_result_free(&t->latest);
    free(t);
}

bool thinker_has_upgrade(const Thinker *t) {
    return t->has_builder && is_set(&t->built);
}

static void replace_search(Thinker *t, Search *search, const Tracker *tracker) {
    assert(!t->has_thread);
    search_free(t->search);
    t->search = search;
    forget_latest(t); /* moves of another game have other numbers */
    tell_search(t, tracker);
}

void thinker_take_upgrade(Thinker *t, Tracker *tracker) {
    assert(thinker_has_upgrade(t));
    join_builder(t);
    if (t->better)
        game_ignore_stopping(t->better);
    Game *old = t->better_search ? tracker_upgrade(tracker, t->better) : NULL;
    if (!old) {
        discard_better(t);
        return;
    }
    replace_search(t, t->better_search, tracker);
    game_free(old);
    t->better_search = NULL;
    t->better = NULL;
}

void thinker_learn(Thinker *t, const Tracker *tracker, double seconds) {
    if (!t->learner && !t->has_builder)
        t->learner =
            background_learner_start(tracker->game, t->method, &t->options, seconds, t->monitor);
}

bool thinker_is_learning(const Thinker *t) {
    return t->learner && !background_learner_is_done(t->learner);
}

bool thinker_has_new_model(const Thinker *t) {
    return t->learner && !t->has_learnt && background_learner_is_done(t->learner);
}

void thinker_take_new_model(Thinker *t, const Tracker *tracker, Text *text) {
    SearchOptions options = t->options;
    Report report = {0};
    assert(thinker_has_new_model(t));
    t->has_learnt = true;
    if (!background_learner_apply(t->learner, &options, text))
        return;
    Search *search = strategy_create_named(t->method, tracker->game, t->role, &options, &report);
    report_free(&report);
    if (search)
        replace_search(t, search, tracker);
}

/* Runs the search in slices and publishes the result before each slice, so that there is an answer
 * should the last slice not return in time. */
static void *think(void *context) {
    Thinker *t = context;
    double now = clock_wall_seconds(), all = deadline_left(t->budget.deadline);
    for (int slice = 0; slice < SLICES && !is_set(&t->halted); slice++) {
        SearchBudget budget = t->budget;
        publish(t);
        if (slice < SLICES - 1)
            budget.deadline.at = now + all * slice_ends[slice];
        search_run(t->search, &budget);
    }
    set_and_announce(t, &t->done);
    return NULL;
}

void thinker_start(Thinker *t, Deadline deadline, bool is_start) {
    if (t->has_thread)
        return;
    t->budget = (SearchBudget){.deadline = deadline,
                               .stopped = &t->halted,
                               .start_clock = is_start ? deadline_left(deadline) : 0};
    set(&t->halted, false);
    set(&t->done, false);
    t->has_thread = pthread_create(&t->thread, NULL, think, t) == 0;
    if (!t->has_thread)
        set(&t->done, true);
}

bool thinker_is_idle(const Thinker *t) {
    return is_set(&t->done);
}

void thinker_halt(Thinker *t) {
    set(&t->halted, true);
}

bool thinker_settle(Thinker *t, Deadline deadline) {
    if (!t->has_thread)
        return true;
    monitor_enter(t->monitor);
    while (!is_set(&t->done) && monitor_wait(t->monitor, deadline))
        ;
    monitor_leave(t->monitor);
    if (!is_set(&t->done))
        return false;
    pthread_join(t->thread, NULL);
    t->has_thread = false;
    return true;
}

void thinker_follow(Thinker *t, const Tracker *tracker, Followed followed) {
    assert(thinker_is_idle(t));
    forget_latest(t);
    if (followed == FOLLOW_ADVANCED && !tracker->filter)
        search_advance(t->search, tracker->joint.items, &tracker->state);
    else if (followed != FOLLOW_STAYED)
        tell_search(t, tracker);
}

BeliefModel thinker_model(const Thinker *t) {
    return search_model(t->search);
}

bool thinker_tell_choice(const Thinker *t, Text *text) {
    SearchChoice choice;
    bool has_choice = search_describe(t->search, &choice);
    if (has_choice)
        search_choice_write(&choice, text);
    return has_choice;
}

void thinker_result(Thinker *t, SearchResult *result) {
    assert(thinker_is_idle(t));
    search_result(t->search, result);
}

void thinker_latest(Thinker *t, SearchResult *result) {
    swap_latest(t, result);
}
