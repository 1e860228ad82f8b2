/* There are two locks. The monitor guards which match the player is in; it is locked for moments
 * only, and threads that wait for anything sleep on it. `turn` is locked while a message of the
 * match is handled, including the search. A thread that wants `turn` first increments `waiting`,
 * which ends the search of the thread that has it. This is how ABORT gets through. */
#include "player/player.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/pool.h"
#include "player/thinker.h"
#include "strategy/strategy.h"

static const double default_margin = 0.2; /* seconds of each clock that are left over (untuned) */
/* What is left of the measured lag after each answer that came sooner (untuned). */
static const double lag_kept = 0.9;
/* Seconds to wait for the message before one that came too early (untuned). */
static const double longest_wait = 0.3;
/* Seconds that a search may take to stop once another message waits (untuned). */
static const double halt_seconds = 0.02;
/* Seconds of silence past the clocks until a match is given up (untuned). */
static const double default_patience = 3;
/* Seconds left of the start clock, once the circuit is built, from which on `auto` learns
 * (untuned). */
static const double default_learns_from = 4;
/* Share of the start clock for learning; the rest is for setting up a search on the result
 * (untuned). */
static const double share_to_read = 0.6; /* share of the start clock, at most (untuned) */
static const double share_to_learn = 0.8;

enum { MAX_RETIRED = 8 }; /* matches that end in the background at once, at most (untuned) */

typedef struct {
    uint64_t number; /* the player's `number` when the match was reserved */
    Tracker *tracker;
    Thinker *thinker;
    bool is_behind;     /* true if the search has not followed the last turn */
    char *rules, *role; /* texts of the START message */
    double playclock;   /* seconds per move */
    /* When it has ended: the player's `retired`, and the thread of the match that ended before. */
    unsigned *retired;
    pthread_t previous;
    bool has_previous;
} Match;

struct Player {
    PlayerOptions options;
    Monitor monitor;
    char *match_id;  /* NULL if the player is available; guarded by the monitor */
    uint64_t number; /* number of matches so far, `match_id` included; guarded by the monitor */
    /* Wall-clock time after which another match may replace this one; guarded by the monitor. */
    double abandoned_at;
    /* Number of messages of matches; changed inside the monitor with `turn` locked. */
    uint64_t handled;
    unsigned waiting;     /* number of threads that want `turn`; atomic */
    bool stopped;         /* atomic: true when the program is about to end */
    pthread_mutex_t turn; /* guards the fields below */
    Match *match;
    double lag; /* seconds from the end of a search to its answer, as measured lately */
    pthread_t closing_thread; /* the last thread that ends a match; it joins the one before it */
    bool has_closing_thread;
    unsigned retired; /* number of matches that end in the background; atomic */
};

Player *player_create(const PlayerOptions *options, Report *report) {
    PlayerOptions chosen = *options;
    if (!chosen.strategy)
        chosen.strategy = "auto";
    if (!strategy_require_method(chosen.strategy, report))
        return NULL;
    if (chosen.margin <= 0)
        chosen.margin = default_margin;
    if (chosen.patience <= 0)
        chosen.patience = default_patience;
    if (chosen.min_learning_clock == 0)
        chosen.min_learning_clock = default_learns_from;
    Player *p = memory_zalloc(sizeof *p);
    p->options = chosen;
    monitor_init(&p->monitor);
    pthread_mutex_init(&p->turn, NULL);
    return p;
}

static void *free_match(void *context) {
    Match *match = context;
    thinker_free(match->thinker);
    tracker_free(match->tracker);
    memory_trim();
    __atomic_sub_fetch(match->retired, 1, __ATOMIC_ACQ_REL);
    if (match->has_previous)
        pthread_join(match->previous, NULL);
    memory_free(match->rules, match->role, match);
    return NULL;
}

/* Ends the match in a thread of its own: its search or its circuit may take seconds to stop. Waits
 * for that only if too many matches are ending already, or no thread can be started. */
static void drop_match(Player *p) {
    Match *match = p->match;
    if (!match)
        return;
    p->match = NULL;
    match->retired = &p->retired;
    match->previous = p->closing_thread;
    match->has_previous = p->has_closing_thread;
    p->has_closing_thread = __atomic_add_fetch(&p->retired, 1, __ATOMIC_ACQ_REL) <= MAX_RETIRED &&
                            pthread_create(&p->closing_thread, NULL, free_match, match) == 0;
    if (!p->has_closing_thread)
        free_match(match);
}

void player_free(Player *p) {
    if (!p)
        return;
    player_stop(p);
    drop_match(p);
    if (p->has_closing_thread)
        pthread_join(p->closing_thread, NULL);
    free(p->match_id);
    monitor_free(&p->monitor);
    pthread_mutex_destroy(&p->turn);
    free(p);
}

void player_stop(Player *p) {
    __atomic_store_n(&p->stopped, true, __ATOMIC_RELEASE);
    monitor_wake(&p->monitor);
}

static bool must_hurry(const Player *p) {
    return __atomic_load_n(&p->stopped, __ATOMIC_ACQUIRE) ||
           __atomic_load_n(&p->waiting, __ATOMIC_ACQUIRE) > 0;
}

/* Interrupts the thread that has `turn`, and locks it. */
static void begin_entering(Player *p) {
    __atomic_add_fetch(&p->waiting, 1, __ATOMIC_ACQ_REL);
    monitor_wake(&p->monitor);
    pthread_mutex_lock(&p->turn);
}

static void end_entering(Player *p) {
    __atomic_sub_fetch(&p->waiting, 1, __ATOMIC_ACQ_REL);
    if (p->match)
        thinker_halt(p->match->thinker);
}

static void enter(Player *p) {
    begin_entering(p);
    end_entering(p);
}

static void leave(Player *p) {
    monitor_enter(&p->monitor);
    p->handled++;
    monitor_announce(&p->monitor);
    monitor_leave(&p->monitor);
    pthread_mutex_unlock(&p->turn);
}

/* Call inside the monitor. */
static bool is_available(const Player *p) {
    return !p->match_id || clock_wall_seconds() > p->abandoned_at;
}

/* Call inside the monitor. */
static bool is_named(const Player *p, const char *match) {
    return p->match_id && strcasecmp(p->match_id, match) == 0;
}

/* True if the player is in the match of this name and number; 0: of any number. */
static bool is_playing(Player *p, const char *match, uint64_t number) {
    monitor_enter(&p->monitor);
    bool is = is_named(p, match) && (!number || p->number == number);
    monitor_leave(&p->monitor);
    return is;
}

/* Drops the match if its next message does not come within the clock and the patience. */
static void expect_message(Player *p, double clock) {
    monitor_enter(&p->monitor);
    if (p->match->number == p->number)
        p->abandoned_at = clock_wall_seconds() + clock + p->options.patience;
    monitor_leave(&p->monitor);
}

/* Makes the player available at once, before its threads have stopped. Returns the number of the
 * match that has ended; 0 if the player is in another one. */
static uint64_t become_available(Player *p, const char *match) {
    monitor_enter(&p->monitor);
    uint64_t number = is_named(p, match) ? p->number : 0;
    if (number) {
        free(p->match_id);
        p->match_id = NULL;
    }
    monitor_leave(&p->monitor);
    return number;
}

/* Binds the player to a match, if it is free or already in this match. Returns the number of the
 * match; 0 if another one is running. */
static uint64_t reserve(Player *p, const Message *m) {
    uint64_t number = 0;
    monitor_enter(&p->monitor);
    bool same = is_named(p, m->match);
    if (same || is_available(p)) {
        free(p->match_id);
        p->match_id = memory_strdup(m->match);
        p->abandoned_at = clock_wall_seconds() + m->startclock + m->playclock + p->options.patience;
        number = same ? p->number : ++p->number;
    }
    monitor_leave(&p->monitor);
    return number;
}

static void log_refusal(Player *p, const char *match, const Report *report) {
    enum { SHOWN = 5 };
    for (size_t i = 0; i < report->items.count && i < SHOWN; i++) {
        const Diagnostic *d = &report->items.items[i];
        if (d->severity == SEVERITY_ERROR && d->line)
            log_error(p->options.log, "%s: refused, line %u of the rules: %s", match, d->line,
                      d->message);
        else if (d->severity == SEVERITY_ERROR)
            log_error(p->options.log, "%s: refused: %s", match, d->message);
    }
}

/* Reads the rules and makes the search, within most of the start clock: what is too large for it is
 * refused in time. */
static Match *create_match(Player *p, const Message *m, uint64_t number, double came) {
    Report report = {0};
    if (!memory_recover()) {
        log_error(p->options.log, "%s: refused, memory is short", m->match);
        return NULL;
    }
    interrupt_thread_at(came + share_to_read * m->startclock);
    Match *match = memory_zalloc(sizeof *match);
    SearchOptions search = p->options.search;
    search.seed += number - 1;
    match->number = number;
    match->playclock = m->playclock;
    match->tracker = tracker_create(&m->rules, m->role, search.seed, p->options.log, &report);
    if (match->tracker)
        match->thinker = thinker_create(p->options.strategy, &search, p->options.kernel,
                                        match->tracker, &p->monitor, &report);
    if (!match->thinker) {
        log_refusal(p, m->match, &report);
        tracker_free(match->tracker);
        free(match);
        match = NULL;
    } else {
        match->rules = memory_strdup(text_string(&m->rules));
        match->role = memory_strdup(m->role);
    }
    interrupt_thread_at(INFINITY);
    report_free(&report);
    return match;
}

/* A manager that got no answer in time may send START again. */
static bool is_repeated_start(const Player *p, const Message *m, uint64_t number) {
    return p->match && p->match->number == number && strcasecmp(p->match->role, m->role) == 0 &&
           strcmp(p->match->rules, text_string(&m->rules)) == 0;
}

/* The search ends at `soft`, the margin and the lag before the deadline; at `hard`, half the margin
 * before it, the answer is sent even if the search still runs. */
typedef struct {
    Deadline deadline, soft, hard;
} Clock;

static Clock clock_of(const Player *p, double came, double seconds) {
    double margin = fmin(p->options.margin, seconds / 2);
    double end = came + seconds;
    return (Clock){
        {.at = end}, {.at = end - margin - fmin(p->lag, seconds / 4)}, {.at = end - margin / 2}};
}

static void log_strategy(Player *p, const char *when) {
    Tracker *tracker = p->match->tracker;
    const char *reasoner = game_has_circuit(tracker->game) ? "circuit" : "interpreter";
    if (strcmp(p->options.strategy, "auto") == 0) {
        AutoChoice choice = auto_choose(tracker->game);
        log_info(p->options.log, "%s: %s, strategy %s: %s", when, reasoner, choice.method->name,
                 choice.reason);
    } else {
        log_info(p->options.log, "%s: %s, strategy %s", when, reasoner, p->options.strategy);
    }
}

static void take_upgrade(Player *p) {
    if (!thinker_has_upgrade(p->match->thinker))
        return;
    thinker_take_upgrade(p->match->thinker, p->match->tracker);
    log_strategy(p, "from now on");
}

static void take_new_model(Player *p) {
    Match *match = p->match;
    if (!thinker_has_new_model(match->thinker))
        return;
    Text text = {0};
    thinker_take_new_model(match->thinker, match->tracker, &text);
    log_info(p->options.log, "%s", text_string(&text));
    vector_free(&text);
}

/* Starts to learn if the strategy is `auto`, the circuit is built and the start clock is long
 * enough. */
static void begin_to_learn(Player *p, Deadline deadline) {
    Match *match = p->match;
    double left = deadline_left(deadline);
    if (p->options.min_learning_clock > 0 && left >= p->options.min_learning_clock &&
        strcmp(p->options.strategy, "auto") == 0)
        thinker_learn(match->thinker, match->tracker, share_to_learn * left);
}

static void think_on(Player *p) {
    Match *match = p->match;
    if (!p->options.searches_own_turn_only && !must_hurry(p) &&
        thinker_settle(match->thinker, deadline_in(0)))
        thinker_start(match->thinker, deadline_in(match->playclock + p->options.patience), false);
}

static bool has_progress(const Player *p, const Clock *clock) {
    const Thinker *thinker = p->match->thinker;
    return !deadline_passed(clock->soft) &&
           (thinker_has_upgrade(thinker) || thinker_has_new_model(thinker));
}

/* Waits until the search has stopped; false if it is too late for that or another message waits. */
static bool settle(Player *p, Deadline deadline) {
    Thinker *thinker = p->match->thinker;
    monitor_enter(&p->monitor);
    while (!thinker_is_idle(thinker) && !must_hurry(p) && monitor_wait(&p->monitor, deadline))
        ;
    monitor_leave(&p->monitor);
    return thinker_settle(thinker, deadline_in(must_hurry(p) ? halt_seconds : 0));
}

/* In the start clock an evaluation is worth more than a tree, so the learner gets the processor for
 * itself if the search would take it away. */
static bool gives_way_to_learner(const Player *p, bool is_start) {
    return is_start && thinker_is_learning(p->match->thinker) &&
           pool_processors() <= (p->options.search.threads ? p->options.search.threads : 1);
}

/* Sleeps until the search is idle, has to end, or can be replaced by a better one. True in the last
 * case. */
static bool await_progress(Player *p, const Clock *clock, bool is_start) {
    const Thinker *thinker = p->match->thinker;
    bool in_time = true;
    monitor_enter(&p->monitor);
    while (in_time && (!thinker_is_idle(thinker) || gives_way_to_learner(p, is_start)) &&
           !must_hurry(p) && !has_progress(p, clock))
        in_time = monitor_wait(&p->monitor, clock->hard);
    monitor_leave(&p->monitor);
    return in_time && !must_hurry(p) && (!thinker_is_idle(thinker) || has_progress(p, clock));
}

/* Searches while the clock allows, and changes to a better search as soon as there is one. True if
 * the search returned in time. */
static bool think(Player *p, const Clock *clock, bool is_start) {
    Thinker *thinker = p->match->thinker;
    bool has_time = true;
    while (has_time) {
        take_upgrade(p);
        take_new_model(p);
        if (is_start)
            begin_to_learn(p, clock->soft);
        if (!gives_way_to_learner(p, is_start))
            thinker_start(thinker, clock->soft, is_start);
        has_time = await_progress(p, clock, is_start);
        thinker_halt(thinker);
        if (!settle(p, clock->hard))
            return false;
    }
    return true;
}

static void log_choice(Player *p) {
    Text text = {0};
    if (thinker_tell_choice(p->match->thinker, &text))
        log_info(p->options.log, "%s", text_string(&text));
    vector_free(&text);
}

/* Uses the whole start clock for searching, first with the interpreter and then with the circuit,
 * unless the search ends by itself. */
static void begin_match(Player *p, const Message *m, double came, bool repeated) {
    log_info(p->options.log, "%s: %s as %s, clocks %g and %g s, threads: %u", m->match,
             repeated ? "START again" : "starts", m->role, m->startclock, m->playclock,
             p->options.search.threads ? p->options.search.threads : 1);
    log_strategy(p, "at first");
    Clock clock = clock_of(p, came, m->startclock);
    if (!repeated && think(p, &clock, true)) {
        log_choice(p);
        think_on(p);
    }
    log_info(p->options.log, "%s: ready after %.3f s", m->match, clock_wall_seconds() - came);
    expect_message(p, m->startclock + m->playclock);
}

static void handle_start(Player *p, const Message *m, double came, Text *answer) {
    uint64_t number = reserve(p, m);
    if (!number) {
        log_warn(p->options.log, "%s: refused, another match is running", m->match);
        text_add(answer, "busy");
        return;
    }
    enter(p);
    bool repeated = is_repeated_start(p, m, number);
    if (!repeated) {
        drop_match(p);
        p->match = is_playing(p, m->match, number) ? create_match(p, m, number, came) : NULL;
    }
    if (p->match) {
        begin_match(p, m, came, repeated);
        text_add(answer, "ready");
    } else {
        if (is_playing(p, m->match, number))
            become_available(p, m->match);
        text_add(answer, "busy");
    }
    leave(p);
}

/* Applies the moves or percepts of the message. False if the search is still busy with an earlier
 * state. */
static bool follow(Player *p, const Message *m, Deadline deadline) {
    Match *match = p->match;
    thinker_halt(match->thinker);
    bool settled = settle(p, deadline);
    Deadline guessing = deadline_in(deadline_left(deadline) / 4);
    BeliefModel model = settled ? thinker_model(match->thinker) : (BeliefModel){0};
    Followed followed = tracker_follow(match->tracker, m, &model, guessing);
    if (settled)
        thinker_follow(match->thinker, match->tracker, match->is_behind ? FOLLOW_JUMPED : followed);
    match->is_behind = !settled;
    return settled;
}

static void log_turn(Player *p, const SearchResult *result, const char *move, Deadline deadline) {
    const Tracker *tracker = p->match->tracker;
    double value = result->moves.count ? result->moves.items[0].value : 0;
    log_info(p->options.log, "turn %u: depth %u, %lu playouts, value %.1f, move %s, %.2f s left",
             tracker->turns, result->depth, (unsigned long)result->playouts, value, move,
             deadline_left(deadline));
}

/* Answers with the move of the search, with an earlier one if the search did not return in time, or
 * with a random one if neither is legal. */
static void answer_move(Player *p, bool searched, Deadline deadline, Text *answer) {
    Match *match = p->match;
    Tracker *tracker = match->tracker;
    SearchResult result = {.best = MOVE_NONE};
    if (searched)
        thinker_result(match->thinker, &result);
    else if (!match->is_behind)
        thinker_latest(match->thinker, &result);
    uint32_t move = result.best;
    if (move == MOVE_NONE || !tracker_is_legal(tracker, move)) {
        move = tracker_random_move(tracker);
        log_warn(p->options.log, "turn %u: the search gave no legal move; a random move is sent",
                 tracker->turns);
    }
    size_t start = answer->count;
    if (move == MOVE_NONE)
        text_add(answer, "noop");
    else
        game_move_text(tracker->work, tracker->role, move, answer);
    tracker_note_answer(tracker, answer->items + start);
    log_turn(p, &result, answer->items + start, deadline);
    search_result_free(&result);
}

/* Sleeps with `turn` unlocked until another message was handled. */
static void await_message(Player *p, Deadline deadline) {
    uint64_t seen = p->handled;
    pthread_mutex_unlock(&p->turn);
    monitor_enter(&p->monitor);
    while (p->handled == seen && monitor_wait(&p->monitor, deadline))
        ;
    monitor_leave(&p->monitor);
    pthread_mutex_lock(&p->turn);
}

/* Locks `turn`. Each message has a thread of its own, and a busy machine may let a later one in
 * first; it then waits a moment for the one before it. Returns the match; NULL if it has ended. */
static Match *enter_in_order(Player *p, const Message *m, double came) {
    bool is_ours;
    begin_entering(p);
    while ((is_ours = p->match && is_playing(p, m->match, p->match->number))) {
        Deadline deadline = {.at = came + fmin(p->match->playclock / 4, longest_wait)};
        if (tracker_expects(p->match->tracker, m) || deadline_passed(deadline))
            break;
        await_message(p, deadline);
    }
    end_entering(p);
    return is_ours ? p->match : NULL;
}

static void handle_play(Player *p, const Message *m, double came, Text *answer) {
    double began = clock_wall_seconds();
    Match *match = enter_in_order(p, m, came);
    if (match) {
        Clock clock = clock_of(p, came, match->playclock);
        bool searched = follow(p, m, clock.soft) &&
                        (!tracker_has_choice(match->tracker) || think(p, &clock, false));
        answer_move(p, searched, clock.deadline, answer);
        p->lag = fmax(p->lag * lag_kept, clock_wall_seconds() - fmax(clock.soft.at, began));
        if (searched)
            think_on(p);
        expect_message(p, match->playclock);
    } else {
        text_add(answer, "busy");
    }
    leave(p);
}

static void log_end(Player *p) {
    Tracker *tracker = p->match->tracker;
    if (game_is_terminal(tracker->work, &tracker->state))
        log_info(p->options.log, "the match ends after %u turns, goal %d", tracker->turns,
                 game_goal(tracker->work, &tracker->state, tracker->role));
    else
        log_info(p->options.log, "the match is stopped after %u turns", tracker->turns);
}

/* A START may come in from now on, so a later match is left alone. */
static void handle_end(Player *p, const Message *m, Text *answer) {
    uint64_t number = become_available(p, m->match);
    text_add(answer, number ? "done" : "busy");
    enter(p);
    if (number && p->match && p->match->number == number) {
        if (m->kind == MESSAGE_STOP) {
            tracker_follow(p->match->tracker, m, &(BeliefModel){0}, deadline_in(halt_seconds));
            log_end(p);
        } else {
            log_info(p->options.log, "%s: aborted", m->match);
        }
        drop_match(p);
    }
    leave(p);
}

static void handle_info(Player *p, Text *answer) {
    monitor_enter(&p->monitor);
    text_add(answer, is_available(p) ? "available" : "busy");
    monitor_leave(&p->monitor);
}

static void answer_error(const Report *report, Text *answer) {
    for (size_t i = 0; i < report->items.count; i++) {
        const Diagnostic *d = &report->items.items[i];
        if (d->severity != SEVERITY_ERROR)
            continue;
        if (d->line)
            text_printf(answer, "error at %u:%u: %s", d->line, d->column, d->message);
        else
            text_printf(answer, "error: %s", d->message);
        return;
    }
}

bool player_handle(Player *p, const char *bytes, size_t length, double delay, Text *answer) {
    double came = clock_wall_seconds() - delay;
    Report report = {0};
    Message m;
    bool ok = message_read(&m, bytes, length, &report);
    if (!ok) {
        answer_error(&report, answer);
        log_warn(p->options.log, "%zu bytes that are no message: %s", length, text_string(answer));
    } else if (m.kind == MESSAGE_INFO) {
        handle_info(p, answer);
    } else if (m.kind == MESSAGE_PREVIEW) {
        text_add(answer, "done");
    } else if (m.kind == MESSAGE_START) {
        handle_start(p, &m, came, answer);
    } else if (!is_playing(p, m.match, 0)) {
        log_warn(p->options.log, "%s for match %s, which is not running", message_name(m.kind),
                 m.match);
        text_add(answer, "busy");
    } else if (m.kind == MESSAGE_PLAY) {
        handle_play(p, &m, came, answer);
    } else {
        handle_end(p, &m, answer);
    }
    message_free(&m);
    report_free(&report);
    return ok;
}
