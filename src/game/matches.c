/* The matches are shared by one job per thread. Each job has its own counts, which are added at the
 * end. */
#include "game/matches.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pool.h"

typedef struct {
    const MatchPlan *plan;
    Reasoner reasoner;
    unsigned threads;
    Deadline deadline;
    MatchStatistics *by_thread;
    atomic_uint_fast64_t done; /* matches, for the progress line */
} Round;

/* Job 0 uses the seed itself, so that a single thread plays the matches of that seed. */
static uint64_t seed_of_job(const Round *round, size_t job) {
    job += round->plan->first_stream;
    return job ? hash_finish(hash_mix(round->plan->seed, job)) : round->plan->seed;
}

static uint64_t share_of_job(const Round *round, size_t job) {
    uint64_t playouts = round->plan->playouts;
    uint64_t streams = round->plan->streams ? round->plan->streams : round->threads;
    return playouts / streams + (round->plan->first_stream + job < playouts % streams);
}

static void show_progress(const Round *round) {
    const MatchPlan *plan = round->plan;
    if (plan->on_progress)
        plan->on_progress(plan->context, (uint64_t)atomic_load(&round->done));
}

static bool is_stopped(const MatchPlan *plan) {
    return work_must_end((Deadline){0}, plan->stopped);
}

static void count_goal(MatchStatistics *m, uint32_t role, int value, uint64_t count) {
    size_t at = 0;
    for (; at < m->goals.count; at++) {
        GoalCount *g = &m->goals.items[at];
        if (g->role == role && g->value == value) {
            g->count += count;
            return;
        }
        if (g->role > role || (g->role == role && g->value > value))
            break;
    }
    (void)vector_extend(&m->goals, 1);
    for (size_t i = m->goals.count - 1; i > at; i--)
        m->goals.items[i] = m->goals.items[i - 1];
    m->goals.items[at] = (GoalCount){role, value, count};
}

typedef struct {
    Round *round;
    const PlayoutCounts *counts;
    uint64_t shown;
} SlicedContext;

static bool sliced_stopped(void *context) {
    SlicedContext *c = context;
    atomic_fetch_add(&c->round->done, c->counts->playouts - c->shown);
    c->shown = c->counts->playouts;
    show_progress(c->round);
    return is_stopped(c->round->plan);
}

/* Seconds for which matches may go on after the deadline, so that short ones are not preferred. */
static double grace_of(const MatchPlan *plan) {
    static const double GRACE = 0.2; /* share of the time (untuned) */
    return plan->seconds * GRACE;
}

/* Returns the seconds it took: CPU time of this thread, wall-clock time of a device. */
static double play_lanes(const Round *round, size_t job, const PlayoutBudget *budget,
                         PlayoutCounts *counts) {
    const MatchPlan *plan = round->plan;
    if (round->reasoner == REASONER_GPU) {
        double started = clock_wall_seconds();
        plan->device->play(plan->device->context, budget, counts);
        return clock_wall_seconds() - started;
    }
    Sliced *sliced = sliced_create(game_turn_networks(plan->game), seed_of_job(round, job));
    double started = clock_thread_cpu_seconds();
    sliced_play(sliced, budget, counts);
    double seconds = clock_thread_cpu_seconds() - started;
    sliced_free(sliced);
    return seconds;
}

static void count_values(const Circuit *circuit, uint32_t role, const PlayoutCounts *counts,
                         MatchStatistics *m) {
    uint64_t found = counts->several[role];
    if (found)
        count_goal(m, role, GOAL_SEVERAL, found);
    for (size_t i = 0; i < circuit->goals.count; i++)
        if (circuit->goals.items[i].role == role && counts->goal_values[i] != GOAL_NONE) {
            count_goal(m, role, counts->goal_values[i], counts->goal_counts[i]);
            found += counts->goal_counts[i];
        }
    if (found < counts->playouts)
        count_goal(m, role, GOAL_NONE, counts->playouts - found);
    m->goals_unknown |= m->reasoner == REASONER_GPU && found != counts->playouts;
}

static void play_sliced(Round *round, size_t job, MatchStatistics *m) {
    const MatchPlan *plan = round->plan;
    const Circuit *circuit = plan->game->circuit;
    int *values = game_goal_values(plan->game);
    PlayoutCounts counts = {.goal_values = values,
                            .goal_counts =
                                memory_zalloc((circuit->goals.count + 1) * sizeof(uint64_t)),
                            .several = memory_zalloc((circuit->role_count + 1) * sizeof(uint64_t))};
    SlicedContext context = {round, &counts, 0};
    PlayoutBudget budget = {.playouts = share_of_job(round, job),
                            .deadline = round->deadline,
                            .step_limit = plan->step_limit,
                            .stopped = sliced_stopped,
                            .context = &context,
                            .grace = grace_of(plan)};
    if (budget.playouts || !plan->playouts)
        m->cpu_seconds = play_lanes(round, job, &budget, &counts);
    m->reasoner = round->reasoner;
    m->playouts = counts.playouts;
    m->stuck = counts.stuck;
    m->too_long = counts.too_long;
    m->unfinished = counts.unfinished;
    m->unfinished_turns = counts.unfinished_turns;
    m->turns = counts.turns;
    for (uint32_t r = 0; r < circuit->role_count; r++)
        count_values(circuit, r, &counts, m);
    memory_free(values, counts.goal_counts, counts.several);
}

typedef struct {
    Round *round;
    GameWork *work;
    State state;
    U32Vector legal;
    uint32_t *joint; /* one move per role */
    Random random;
    uint32_t interval; /* turns between two looks at the clock */
    uint32_t turns;    /* turns since the last look */
    double looked;     /* time of the last look, wall-clock seconds */
    uint64_t reported; /* matches already reported as progress */
} Player;

/* Looks at the clock about every two milliseconds, however slow a turn is. */
static void look_at_the_clock(Player *p, const MatchStatistics *m) {
    double now = clock_wall_seconds();
    if (now - p->looked < 0.001)
        p->interval *= 2;
    else if (now - p->looked > 0.004 && p->interval > 1)
        p->interval /= 2;
    p->looked = now;
    p->turns = 0;
    atomic_fetch_add_explicit(&p->round->done, matches_count(m) - p->reported,
                              memory_order_relaxed);
    p->reported = matches_count(m);
    show_progress(p->round);
}

/* Like game_play_randomly, but counts the legal moves of every state. */
static MatchEnd play_counting(const MatchPlan *plan, Player *p, uint32_t limit, MatchStatistics *m,
                              uint32_t *steps) {
    uint32_t roles = plan->game->role_count;
    for (*steps = 0; !game_is_terminal(p->work, &p->state); ++*steps) {
        if (*steps >= limit)
            return MATCH_TOO_LONG;
        bool stuck = false;
        for (uint32_t r = 0; r < roles; r++) {
            game_legal(p->work, &p->state, r, &p->legal);
            m->legal_by_role.items[r] += p->legal.count;
            if (p->legal.count)
                p->joint[r] = p->legal.items[random_below(&p->random, p->legal.count)];
            stuck |= p->legal.count == 0;
        }
        m->states++;
        if (stuck)
            return MATCH_STUCK;
        game_next(p->work, &p->state, p->joint, &p->state);
    }
    return MATCH_TERMINAL;
}

static void count_match(const MatchPlan *plan, Player *p, MatchEnd end, uint32_t length,
                        MatchStatistics *m) {
    m->turns += length;
    m->playouts += end == MATCH_TERMINAL;
    m->stuck += end == MATCH_STUCK;
    m->too_long += end == MATCH_TOO_LONG;
    for (uint32_t r = 0; end == MATCH_TERMINAL && r < plan->game->role_count; r++)
        count_goal(m, r, game_goal(p->work, &p->state, r), 1);
    if (plan->details) {
        while (m->lengths.count <= length)
            vector_push(&m->lengths, 0);
        m->lengths.items[length]++;
    }
}

/* Plays a match, with pauses to read the clock. False if time was up before its end. */
static bool play_match(const MatchPlan *plan, Player *p, MatchStatistics *m) {
    uint32_t length = 0, steps;
    game_start(p->work, plan->from, &p->state);
    for (;;) {
        uint32_t limit = p->interval;
        if (plan->step_limit && limit > plan->step_limit - length)
            limit = plan->step_limit - length;
        MatchEnd end = plan->details
                           ? play_counting(plan, p, limit, m, &steps)
                           : game_play_randomly(p->work, &p->state, &p->random, limit, &steps);
        length += steps;
        p->turns += steps + 1;
        bool is_doubtful = end == MATCH_STUCK && is_stopped(plan); /* an answer was cut short */
        if (is_doubtful) {
            m->unfinished++;
            m->unfinished_turns += length;
            return false;
        }
        if (end != MATCH_TOO_LONG || (plan->step_limit && length >= plan->step_limit)) {
            count_match(plan, p, end, length, m);
            return true;
        }
        look_at_the_clock(p, m);
        if (is_stopped(plan) || p->looked > p->round->deadline.at + grace_of(plan)) {
            m->unfinished++;
            m->unfinished_turns += length;
            return false;
        }
    }
}

static void play_singly(Round *round, size_t job, MatchStatistics *m) {
    const MatchPlan *plan = round->plan;
    uint64_t share = share_of_job(round, job);
    uint32_t roles = plan->game->role_count;
    Player p = {.round = round,
                .work = game_work_create(plan->game, round->reasoner),
                .joint = memory_zalloc((roles + 1) * sizeof *p.joint),
                .interval = 1};
    random_seed(&p.random, seed_of_job(round, job));
    for (uint32_t r = 0; r < roles; r++)
        vector_push(&m->legal_by_role, 0);
    double started = clock_thread_cpu_seconds();
    for (uint64_t played = 0; !plan->playouts || played < share; played++) {
        if (p.turns >= p.interval || !played)
            look_at_the_clock(&p, m);
        if (is_stopped(plan) || p.looked > round->deadline.at || !play_match(plan, &p, m))
            break;
    }
    m->cpu_seconds = clock_thread_cpu_seconds() - started;
    game_work_free(p.work);
    state_free(&p.state);
    vector_free(&p.legal);
    free(p.joint);
}

static void play_job(void *context, size_t job, unsigned worker) {
    Round *round = context;
    (void)worker;
    if (round->reasoner == REASONER_SLICED || round->reasoner == REASONER_GPU)
        play_sliced(round, job, &round->by_thread[job]);
    else
        play_singly(round, job, &round->by_thread[job]);
}

static void add_counts(Counts *to, const Counts *from) {
    while (to->count < from->count)
        vector_push(to, 0);
    for (size_t i = 0; i < from->count; i++)
        to->items[i] += from->items[i];
}

void matches_add(MatchStatistics *to, const MatchStatistics *from) {
    to->playouts += from->playouts;
    to->stuck += from->stuck;
    to->too_long += from->too_long;
    to->turns += from->turns;
    to->unfinished += from->unfinished;
    to->unfinished_turns += from->unfinished_turns;
    to->states += from->states;
    to->goals_unknown |= from->goals_unknown;
    to->cpu_seconds += from->cpu_seconds;
    for (size_t i = 0; i < from->goals.count; i++)
        count_goal(to, from->goals.items[i].role, from->goals.items[i].value,
                   from->goals.items[i].count);
    add_counts(&to->lengths, &from->lengths);
    add_counts(&to->legal_by_role, &from->legal_by_role);
}

void matches_play(const MatchPlan *plan, MatchStatistics *matches) {
    assert(plan->game && (plan->device || plan->reasoner != REASONER_GPU));
    assert(!plan->from || (plan->reasoner != REASONER_GPU && plan->reasoner != REASONER_SLICED));
    *matches = (MatchStatistics){0};
    unsigned wanted = plan->threads && plan->reasoner != REASONER_GPU ? plan->threads : 1;
    Pool *pool = pool_create(wanted); /* its threads may be fewer; then each takes several jobs */
    Round round = {.plan = plan,
                   .reasoner = plan->reasoner,
                   .threads = wanted,
                   .deadline = plan->seconds > 0 ? deadline_in(plan->seconds) : deadline_never()};
    if (round.reasoner == REASONER_AUTO)
        round.reasoner = !game_has_circuit(plan->game) ? REASONER_INTERPRETER
                         : plan->from                  ? REASONER_SCALAR
                                                       : REASONER_SLICED;
    round.by_thread = memory_zalloc(round.threads * sizeof *round.by_thread);
    if (pool)
        pool_run(pool, round.threads, play_job, &round);
    for (size_t job = 0; !pool && job < wanted; job++)
        play_job(&round, job, 0);
    pool_free(pool);
    matches->reasoner = round.reasoner;
    for (unsigned t = 0; t < round.threads; t++) {
        matches_add(matches, &round.by_thread[t]);
        matches_free(&round.by_thread[t]);
    }
    free(round.by_thread);
}

void matches_free(MatchStatistics *m) {
    vectors_free(&m->goals, &m->lengths, &m->legal_by_role);
}

double matches_mean_length(const MatchStatistics *m) {
    return matches_count(m) ? (double)m->turns / (double)matches_count(m) : 0;
}

bool matches_mean_goal(const MatchStatistics *m, uint32_t role, double *mean) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < m->goals.count; i++) {
        const GoalCount *g = &m->goals.items[i];
        if (g->role != role || g->value < 0)
            continue;
        sum += (double)g->value * (double)g->count;
        count += (double)g->count;
    }
    *mean = count > 0 ? sum / count : 0;
    return count > 0;
}
