/* Flags between the threads are atomic and checked by naps of a millisecond: no wake-up can be
 * lost, and a millisecond is nothing to a clock. Each search has one thread at a time; joining it
 * hands its memory over. */
#include "player/thinker.h"

#include <time.h>

#include "game/upgrade.h"
#include "player/pupil.h"
#include "search/choice/search_choice.h"
#include "strategy/strategy.h"

struct Thinker {
    const char *method;
    SearchOptions options;
    uint32_t role;
    Search *search;
    SearchBudget budget;
    pthread_t thread;
    bool has_thread;
    bool halted, done; /* atomic */
    pthread_mutex_t lock;
    SearchResult latest; /* under the lock: for whoever cannot wait */

    pthread_t builder;
    bool has_builder;
    GameBuild *build;
    Game *better;          /* the builder's until `built` */
    Search *better_search; /* likewise; NULL if there is nothing better */
    bool cancelled, built; /* atomic */

    Pupil *pupil; /* NULL: none, or none yet */
    bool has_learnt;
};

void thinker_nap(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static bool is_set(const bool *flag) {
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void set(bool *flag, bool value) {
    __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

/* Networks are compiled when first asked for: one short search asks for all of them, so that no
 * play clock pays for it. */
static void warm_up(Thinker *t) {
    State state = {0};
    GameWork *work = game_work(t->better, REASONER_AUTO);
    game_initial(work, &state);
    search_set_state(t->better_search, &state);
    SearchBudget budget = {.deadline = deadline_in(0.05), .playouts = 1, .stopped = &t->cancelled};
    search_run(t->better_search, &budget);
    state_free(&state);
    game_work_free(work);
}

static void *build_better(void *context) {
    Thinker *t = context;
    while (!build_is_done(t->build) && !is_set(&t->cancelled))
        thinker_nap();
    if (is_set(&t->cancelled)) {
        build_cancel(t->build);
    } else {
        t->better = build_take(t->build);
        Report report = {0};
        if (t->better)
            t->better_search = strategy_create(t->method, t->better, t->role, &t->options, &report);
        if (t->better_search)
            warm_up(t);
        report_free(&report);
    }
    set(&t->built, true);
    return NULL;
}

static void start_building(Thinker *t, const Tracker *tracker) {
    t->build = build_start(tracker->game->rules, NULL);
    if (!t->build)
        return;
    t->has_builder = pthread_create(&t->builder, NULL, build_better, t) == 0;
    if (!t->has_builder)
        build_cancel(t->build);
}

static void tell_search(Thinker *t, const Tracker *tracker) {
    if (tracker->filter)
        search_set_belief(t->search, &tracker->filter->belief);
    else
        search_set_state(t->search, &tracker->state);
}

Thinker *thinker_create(const char *method, const SearchOptions *options, Tracker *tracker,
                        Report *report) {
    Thinker *t = memory_zalloc(sizeof *t);
    t->method = method;
    t->options = *options;
    t->role = tracker->role;
    t->done = true;
    t->latest.best = MOVE_NONE;
    pthread_mutex_init(&t->lock, NULL);
    t->search = strategy_create(method, tracker->game, tracker->role, options, report);
    if (!t->search) {
        pthread_mutex_destroy(&t->lock);
        free(t);
        return NULL;
    }
    tell_search(t, tracker);
    start_building(t, tracker);
    return t;
}

static void swap_latest(Thinker *t, SearchResult *result) {
    pthread_mutex_lock(&t->lock);
    SearchResult old = t->latest;
    t->latest = *result;
    *result = old;
    pthread_mutex_unlock(&t->lock);
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
    set(&t->cancelled, true);
    thinker_halt(t);
    thinker_settle(t, deadline_never());
    join_builder(t);
    discard_better(t);
    search_free(t->search);
    pupil_free(t->pupil);
    search_result_free(&t->latest);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

bool thinker_has_better(const Thinker *t) {
    return t->has_builder && is_set(&t->built);
}

bool thinker_is_building(const Thinker *t) {
    return t->has_builder && !is_set(&t->built);
}

void thinker_take_better(Thinker *t, Tracker *tracker) {
    join_builder(t);
    thinker_halt(t);
    thinker_settle(t, deadline_never());
    Game *old = t->better_search ? tracker_upgrade(tracker, t->better) : NULL;
    if (!old) {
        discard_better(t);
        return;
    }
    search_free(t->search);
    game_free(old);
    t->search = t->better_search;
    t->better_search = NULL;
    t->better = NULL;
    forget_latest(t); /* its moves have other numbers */
    tell_search(t, tracker);
}

void thinker_learn(Thinker *t, const Tracker *tracker, double seconds) {
    if (!t->pupil && !t->has_builder)
        t->pupil = pupil_start(tracker->game, t->method, &t->options, seconds);
}

bool thinker_has_lesson(const Thinker *t) {
    return t->pupil && !t->has_learnt && pupil_is_done(t->pupil);
}

bool thinker_take_lesson(Thinker *t, const Tracker *tracker) {
    SearchOptions options = t->options;
    Report report = {0};
    t->has_learnt = true;
    if (!pupil_teaches(t->pupil, &options))
        return false;
    Search *search = strategy_create(t->method, tracker->game, t->role, &options, &report);
    report_free(&report);
    if (!search)
        return false;
    thinker_halt(t);
    thinker_settle(t, deadline_never());
    search_free(t->search);
    t->search = search;
    forget_latest(t);
    tell_search(t, tracker);
    return true;
}

/* In three parts, so that there is something to answer if the last one should not come back. */
static void *think(void *context) {
    Thinker *t = context;
    double now = clock_wall_seconds(), all = deadline_left(t->budget.deadline);
    for (int part = 0; part < 3 && !is_set(&t->halted); part++) {
        SearchBudget budget = t->budget;
        publish(t);
        if (part < 2)
            budget.deadline.at = now + all / (part == 0 ? 4 : 2);
        search_run(t->search, &budget);
    }
    set(&t->done, true);
    return NULL;
}

void thinker_start(Thinker *t, Deadline deadline, bool is_start) {
    if (t->has_thread)
        return;
    t->budget = (SearchBudget){.deadline = deadline,
                               .stopped = &t->halted,
                               .start = is_start ? deadline_left(deadline) : 0};
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
    while (!is_set(&t->done)) {
        if (deadline_passed(deadline))
            return false;
        thinker_nap();
    }
    pthread_join(t->thread, NULL);
    t->has_thread = false;
    return true;
}

void thinker_follow(Thinker *t, const Tracker *tracker, Followed followed) {
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
    search_result(t->search, result);
}

void thinker_latest(Thinker *t, SearchResult *result) {
    swap_latest(t, result);
}
