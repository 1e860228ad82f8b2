/* The states of a depth are stored in shards, chosen by their hash, so that threads that add states
 * seldom wait for each other. */
#include "cli/verbs/perft.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "base/progress.h"

enum { SHARDS = 64, STATES_PER_JOB = 64 };

typedef struct {
    const uint64_t *words; /* state without zero words at the end */
    uint32_t word_count;
    uint64_t sequences;
} Position;

typedef struct {
    pthread_mutex_t lock;
    VECTOR(Position) positions;
    Table table;
    Arena arena;
} Shard;

typedef struct {
    Shard shards[SHARDS];
} Layer;

typedef struct {
    GameWork *work;
    State state, next;
    VECTOR(U32Vector) legal; /* by role */
    uint32_t *ranks, *joint; /* by role */
} Expander;

typedef struct {
    const PerftPlan *plan;
    Layer *from, *to;
    bool expand;         /* false at the last depth, where states are only classified */
    Expander *expanders; /* by worker */
    PerftDepth *sums;    /* by worker */
    Deadline deadline;
    atomic_int end; /* PerftEnd; the first reason to stop counts */
    atomic_uint_fast64_t bytes, done;
    Progress progress;
} Count;

static Layer *layer_create(void) {
    Layer *layer = memory_zalloc(sizeof *layer);
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&layer->shards[i].lock, NULL);
    return layer;
}

static void layer_free(Layer *layer) {
    for (int i = 0; i < SHARDS; i++) {
        Shard *s = &layer->shards[i];
        pthread_mutex_destroy(&s->lock);
        vector_free(&s->positions);
        table_free(&s->table);
        arena_free(&s->arena);
    }
    free(layer);
}

static size_t shard_bytes(const Shard *s) {
    size_t slots = s->table.slots ? s->table.mask + 1 : 0;
    return s->arena.bytes + s->positions.capacity * sizeof *s->positions.items +
           slots * sizeof *s->table.slots;
}

static void stop(Count *count, PerftEnd end) {
    int none = PERFT_DONE;
    atomic_compare_exchange_strong(&count->end, &none, (int)end);
}

static bool is_stopped(Count *count) {
    return atomic_load_explicit(&count->end, memory_order_relaxed) != PERFT_DONE;
}

static Position *find_position(Shard *s, uint64_t hash, const uint64_t *words, uint32_t count) {
    uint32_t id;
    for (TableProbe p = table_probe(&s->table, hash); table_next(&s->table, &p, &id);) {
        Position *known = &s->positions.items[id];
        if (known->word_count == count &&
            (!count || memcmp(known->words, words, count * sizeof *words) == 0))
            return known;
    }
    return NULL;
}

static void add_position(Count *count, Layer *layer, const State *state, uint64_t sequences) {
    uint32_t words = state->word_count;
    while (words && !state->words[words - 1])
        words--;
    uint64_t hash = state_hash(state);
    Shard *s = &layer->shards[hash % SHARDS];
    pthread_mutex_lock(&s->lock);
    size_t before = shard_bytes(s);
    Position *known = find_position(s, hash, state->words, words);
    if (known) {
        if (__builtin_add_overflow(known->sequences, sequences, &known->sequences))
            stop(count, PERFT_OVERFLOW);
    } else {
        uint64_t *copy = arena_alloc(&s->arena, (words + 1) * sizeof *copy);
        if (words)
            memcpy(copy, state->words, words * sizeof *copy);
        table_insert(&s->table, hash, (uint32_t)s->positions.count);
        Position position = {copy, words, sequences};
        vector_push(&s->positions, position);
    }
    size_t grown = shard_bytes(s) - before;
    pthread_mutex_unlock(&s->lock);
    if (grown && atomic_fetch_add(&count->bytes, grown) + grown > count->plan->bytes)
        stop(count, PERFT_NO_MEMORY);
}

/* Counts up in mixed radix; false after the last joint move. */
static bool next_joint_move(Expander *e, uint32_t roles) {
    for (uint32_t r = roles; r-- > 0;) {
        if (++e->ranks[r] < e->legal.items[r].count) {
            e->joint[r] = e->legal.items[r].items[e->ranks[r]];
            return true;
        }
        e->ranks[r] = 0;
        e->joint[r] = e->legal.items[r].items[0];
    }
    return false;
}

static void check_budget(Count *count) {
    if (interrupt_lacks_memory())
        stop(count, PERFT_NO_MEMORY);
    else if (interrupt_requested())
        stop(count, PERFT_INTERRUPTED);
    else if (deadline_passed(count->deadline))
        stop(count, PERFT_NO_TIME);
}

static void expand(Count *count, Expander *e, PerftDepth *sum, uint64_t sequences) {
    enum { MOVES_BETWEEN_CHECKS = 256 };
    uint32_t roles = count->plan->game->role_count;
    for (uint32_t r = 0; r < roles; r++) {
        game_legal(e->work, &e->state, r, &e->legal.items[r]);
        if (e->legal.items[r].count == 0) {
            sum->stuck_positions++;
            return;
        }
        e->ranks[r] = 0;
        e->joint[r] = e->legal.items[r].items[0];
    }
    uint32_t moves = 0;
    do {
        if (!count->expand)
            return;
        game_next(e->work, &e->state, e->joint, &e->next);
        add_position(count, count->to, &e->next, sequences);
        if (++moves % MOVES_BETWEEN_CHECKS == 0)
            check_budget(count);
    } while (!is_stopped(count) && next_joint_move(e, roles));
}

static void visit(Count *count, unsigned worker, const Position *position) {
    Expander *e = &count->expanders[worker];
    PerftDepth *sum = &count->sums[worker];
    State stored = {(uint64_t *)position->words, position->word_count};
    state_copy(&e->state, &stored);
    bool terminal = game_is_terminal(e->work, &e->state);
    sum->positions++;
    sum->terminal_positions += terminal;
    bool overflow = __builtin_add_overflow(sum->sequences, position->sequences, &sum->sequences);
    if (overflow || sum->sequences > INT64_MAX)
        stop(count, PERFT_OVERFLOW);
    if (terminal)
        sum->terminal_sequences += position->sequences;
    else
        expand(count, e, sum, position->sequences);
}

static void visit_shard(void *context, size_t job, unsigned worker) {
    Count *count = context;
    const Shard *s = &count->from->shards[job];
    for (size_t i = 0; i < s->positions.count && !is_stopped(count); i++) {
        if (i % STATES_PER_JOB == 0) {
            check_budget(count);
            progress_update(&count->progress, atomic_fetch_add(&count->done, STATES_PER_JOB));
        }
        visit(count, worker, &s->positions.items[i]);
    }
}

static void count_layer(Count *count, Pool *pool, PerftDepth *total) {
    unsigned workers = pool_threads(pool);
    memset(count->sums, 0, workers * sizeof *count->sums);
    pool_run(pool, SHARDS, visit_shard, count);
    if (work_must_end((Deadline){0}, NULL)) /* an answer may have been cut short */
        check_budget(count);
    *total = (PerftDepth){0};
    for (unsigned w = 0; w < workers; w++) {
        const PerftDepth *s = &count->sums[w];
        total->positions += s->positions;
        total->terminal_positions += s->terminal_positions;
        total->stuck_positions += s->stuck_positions;
        total->terminal_sequences += s->terminal_sequences;
        if (__builtin_add_overflow(total->sequences, s->sequences, &total->sequences) ||
            total->sequences > INT64_MAX)
            stop(count, PERFT_OVERFLOW);
    }
}

static void expander_init(Expander *e, const PerftPlan *plan) {
    uint32_t roles = plan->game->role_count;
    e->work = game_work(plan->game, plan->reasoner);
    e->ranks = memory_zalloc((roles + 1) * sizeof *e->ranks);
    e->joint = memory_zalloc((roles + 1) * sizeof *e->joint);
    for (uint32_t r = 0; r < roles; r++)
        vector_push(&e->legal, (U32Vector){0});
}

static void expander_free(Expander *e) {
    for (size_t r = 0; r < e->legal.count; r++)
        vector_free(&e->legal.items[r]);
    vector_free(&e->legal);
    game_work_free(e->work);
    state_free(&e->state);
    state_free(&e->next);
    memory_free(e->ranks, e->joint);
}

static void count_depths(Count *count, Pool *pool, Perft *perft) {
    for (uint32_t depth = 0;; depth++) {
        count->expand = depth < count->plan->depth;
        count->to = layer_create();
        PerftDepth total;
        count_layer(count, pool, &total);
        bool goes_on = !is_stopped(count) && total.positions > 0;
        if (goes_on)
            vector_push(&perft->depths, total);
        size_t freed = 0;
        for (int i = 0; i < SHARDS; i++)
            freed += shard_bytes(&count->from->shards[i]);
        layer_free(count->from);
        atomic_fetch_sub(&count->bytes, freed);
        count->from = count->to;
        if (!goes_on || !count->expand)
            break;
    }
    layer_free(count->from);
}

void perft_count(const PerftPlan *plan, Perft *perft) {
    *perft = (Perft){0};
    Pool *pool = pool_create(plan->threads ? plan->threads : 1);
    unsigned workers = pool_threads(pool);
    Count count = {.plan = plan,
                   .expanders = memory_zalloc(workers * sizeof *count.expanders),
                   .sums = memory_zalloc(workers * sizeof *count.sums),
                   .deadline = plan->seconds > 0 ? deadline_in(plan->seconds) : deadline_never(),
                   .from = layer_create()};
    for (unsigned w = 0; w < workers; w++)
        expander_init(&count.expanders[w], plan);
    progress_start(&count.progress, plan->label ? stderr : NULL, plan->label ? plan->label : "", 0);
    game_initial(count.expanders[0].work, &count.expanders[0].state);
    add_position(&count, count.from, &count.expanders[0].state, 1);
    count_depths(&count, pool, perft);
    progress_finish(&count.progress);
    perft->end = (PerftEnd)atomic_load(&count.end);
    for (unsigned w = 0; w < workers; w++)
        expander_free(&count.expanders[w]);
    memory_free(count.expanders, count.sums);
    pool_free(pool);
}
