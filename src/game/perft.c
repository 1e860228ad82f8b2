/* The states of a depth are stored in shards, chosen by their hash, so that threads that add states
 * seldom wait for each other. */
#include "game/perft.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "base/progress.h"
#include "game/successors.h"

enum {
    SHARDS = 64,
    MOVES_TOGETHER = 8 * SUCCESSORS_LANES /* joint moves made together (untuned) */
};

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
    Successors *classified, *made; /* positions, and those that moves lead to */
    VECTOR(uint64_t) sequences;    /* by question of `made` */
    const uint32_t **legal;        /* by role, as the following */
    uint32_t *legal_counts, *ranks, *joint;
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

static void check_budget(Count *count) {
    if (interrupt_lacks_memory())
        stop(count, PERFT_NO_MEMORY);
    else if (flag_is_set(count->plan->stopped) && !interrupt_is_late())
        stop(count, PERFT_INTERRUPTED);
    else if (deadline_passed(count->deadline))
        stop(count, PERFT_NO_TIME);
}

/* Adds the states that the moves asked for lead to. */
static void make_moves(Count *count, Expander *e) {
    successors_evaluate(e->made, SUCCESSORS_STATES);
    for (uint32_t i = 0; i < successors_count(e->made) && !is_stopped(count); i++) {
        State state = successors_state(e->made, i);
        add_position(count, count->to, &state, e->sequences.items[i]);
    }
    successors_clear(e->made);
    vector_clear(&e->sequences);
    check_budget(count);
}

/* Counts up in mixed radix; false after the last joint move. */
static bool next_joint_move(Expander *e, uint32_t roles) {
    for (uint32_t r = roles; r-- > 0;) {
        if (++e->ranks[r] < e->legal_counts[r]) {
            e->joint[r] = e->legal[r][e->ranks[r]];
            return true;
        }
        e->ranks[r] = 0;
        e->joint[r] = e->legal[r][0];
    }
    return false;
}

/* Asks for all joint moves of a position, the i-th of those that were classified. */
static void expand(Count *count, Expander *e, PerftDepth *sum, uint32_t i, uint64_t sequences) {
    uint32_t roles = count->plan->game->role_count;
    State state = successors_state(e->classified, i);
    for (uint32_t r = 0; r < roles; r++) {
        e->legal[r] = successors_legal(e->classified, i, r, &e->legal_counts[r]);
        if (e->legal_counts[r] == 0) {
            sum->stuck_positions++;
            return;
        }
        e->ranks[r] = 0;
        e->joint[r] = e->legal[r][0];
    }
    if (!count->expand)
        return;
    successors_from(e->made, &state);
    do {
        successors_add(e->made, e->joint);
        vector_push(&e->sequences, sequences);
        if (successors_count(e->made) < MOVES_TOGETHER)
            continue;
        make_moves(count, e);
        successors_from(e->made, &state);
    } while (!is_stopped(count) && next_joint_move(e, roles));
}

static void count_position(Count *count, unsigned worker, uint32_t i, uint64_t sequences) {
    Expander *e = &count->expanders[worker];
    PerftDepth *sum = &count->sums[worker];
    bool terminal = successors_is_terminal(e->classified, i);
    sum->positions++;
    sum->terminal_positions += terminal;
    bool overflow = __builtin_add_overflow(sum->sequences, sequences, &sum->sequences);
    if (overflow || sum->sequences > INT64_MAX)
        stop(count, PERFT_OVERFLOW);
    if (terminal)
        sum->terminal_sequences += sequences;
    else
        expand(count, e, sum, i, sequences);
}

static void visit_some(Count *count, unsigned worker, const Position *positions, uint32_t some) {
    Expander *e = &count->expanders[worker];
    successors_clear(e->classified);
    for (uint32_t i = 0; i < some; i++) {
        successors_from(e->classified,
                        &(State){(uint64_t *)positions[i].words, positions[i].word_count});
        successors_add(e->classified, NULL);
    }
    successors_evaluate(e->classified, SUCCESSORS_LEGAL);
    for (uint32_t i = 0; i < some && !is_stopped(count); i++)
        count_position(count, worker, i, positions[i].sequences);
}

static void visit_shard(void *context, size_t job, unsigned worker) {
    Count *count = context;
    const Shard *s = &count->from->shards[job];
    uint32_t some;
    for (size_t i = 0; i < s->positions.count && !is_stopped(count); i += some) {
        size_t left = s->positions.count - i;
        some = left < SUCCESSORS_LANES ? (uint32_t)left : SUCCESSORS_LANES;
        check_budget(count);
        progress_update(&count->progress, atomic_fetch_add(&count->done, some));
        visit_some(count, worker, s->positions.items + i, some);
    }
    if (!is_stopped(count))
        make_moves(count, &count->expanders[worker]);
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
    *e = (Expander){.classified = successors_create(plan->game, plan->reasoner),
                    .made = successors_create(plan->game, plan->reasoner),
                    .legal = memory_zalloc((roles + 1) * sizeof *e->legal),
                    .legal_counts = memory_zalloc((roles + 1) * sizeof *e->legal_counts),
                    .ranks = memory_zalloc((roles + 1) * sizeof *e->ranks),
                    .joint = memory_zalloc((roles + 1) * sizeof *e->joint)};
}

static void expander_free(Expander *e) {
    successors_free(e->classified);
    successors_free(e->made);
    vector_free(&e->sequences);
    memory_free(e->legal, e->legal_counts, e->ranks, e->joint);
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

static void add_initial_state(Count *count) {
    GameWork *work = game_work_create(count->plan->game, count->plan->reasoner);
    State state = {0};
    game_initial(work, &state);
    add_position(count, count->from, &state, 1);
    state_free(&state);
    game_work_free(work);
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
    if (plan->cpu_seconds > 0)
        count.deadline = deadline_with_cpu(count.deadline, plan->cpu_seconds);
    for (unsigned w = 0; w < workers; w++)
        expander_init(&count.expanders[w], plan);
    progress_start(&count.progress, plan->label ? stderr : NULL, plan->label ? plan->label : "", 0);
    add_initial_state(&count);
    count_depths(&count, pool, perft);
    progress_finish(&count.progress);
    perft->end = (PerftEnd)atomic_load(&count.end);
    for (unsigned w = 0; w < workers; w++)
        expander_free(&count.expanders[w]);
    memory_free(count.expanders, count.sums);
    pool_free(pool);
}
