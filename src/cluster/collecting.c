/* A job is a block of matches. Its result has the rows of their states, with facts by name, because
 * processes may number them differently. The data set is assembled in the order of the blocks. */
#include "cluster/collecting.h"

#include <string.h>

#include "base/packet.h"
#include "cluster/farm.h"

typedef struct {
    Collector *collector;
    Game *game;
    JobLog *log;
    uint64_t next;  /* number of the next block */
    size_t rows;    /* rows of the finished blocks */
    Report *report; /* errors of the log */
} Collecting;

static FarmNext next_block(void *context, uint64_t *job) {
    Collecting *c = context;
    while (collector_goes_on(c->collector, c->next, c->rows) && joblog_find(c->log, c->next))
        c->next++;
    if (!collector_goes_on(c->collector, c->next, c->rows) || report_failed(c->report))
        return FARM_NONE;
    *job = c->next++;
    return FARM_JOB;
}

static void write_set(const DataSet *set, size_t ended, Text *packet) {
    packet_put_number(packet, dataset_rows(set));
    packet_put_number(packet, ended);
    packet_put_number(packet, dataset_fact_count(set));
    for (uint32_t f = 0; f < dataset_fact_count(set); f++)
        packet_put_text(packet, symbols_name(&set->facts, f));
    for (size_t row = 0; row < dataset_rows(set); row++) {
        packet_put_number(packet, set->matches.items[row]);
        packet_put_number(packet, set->counts.items[row]);
        packet_put_number(packet, set->ends.items[row]);
        packet_put(packet, dataset_scores(set, row), set->role_count * sizeof(double));
        packet_put_number(packet, dataset_size(set, row));
        packet_put(packet, dataset_facts(set, row), dataset_size(set, row) * sizeof(uint32_t));
    }
}

static void read_row(PacketReader *in, const U32Vector *facts, DataSet *set) {
    double scores[DATASET_MAX_ROLES];
    U32Vector members = {0};
    DataRow row = {.scores = scores};
    row.match = (uint32_t)packet_get_number(in);
    row.count = (uint32_t)packet_get_number(in);
    row.is_end = packet_get_number(in) != 0;
    packet_get(in, scores, set->role_count * sizeof *scores);
    for (size_t left = packet_get_count(in, sizeof(uint32_t)); left; left--) {
        uint32_t fact;
        packet_get(in, &fact, sizeof fact);
        if (fact < facts->count)
            vector_push(&members, facts->items[fact]);
    }
    row.facts = members.items;
    row.fact_count = members.count;
    if (!in->is_short)
        dataset_add(set, &row);
    vector_free(&members);
}

/* Adds the rows of a block to the set. Returns the number of its matches that reached a terminal
 * state. */
static size_t read_set(const Text *packet, DataSet *set) {
    PacketReader in = packet_reader(packet);
    Arena arena = {0};
    U32Vector facts = {0}; /* by number in the packet: number in the set */
    uint64_t rows = packet_get_number(&in);
    size_t ended = (size_t)packet_get_number(&in);
    for (size_t left = packet_get_count(&in, sizeof(uint64_t)); left; left--) {
        const char *name = packet_get_text(&in, &arena);
        vector_push(&facts, symbols_intern(&set->facts, name ? name : "", name ? strlen(name) : 0));
    }
    for (; rows && !in.is_short; rows--)
        read_row(&in, &facts, set);
    vector_free(&facts);
    arena_free(&arena);
    return ended;
}

static bool play_block(void *context, uint64_t job, const Text *order, Text *result) {
    Collecting *c = context;
    DataSet *set = dataset_create(c->game->role_count);
    (void)order;
    size_t ended = collector_play(c->collector, job, set);
    collector_name_facts(c->collector, set);
    write_set(set, ended, result);
    dataset_free(set);
    return true;
}

static void keep_block(void *context, uint64_t job, bool is_ok, const Text *result) {
    Collecting *c = context;
    PacketReader in = packet_reader(result);
    if (is_ok) {
        c->rows += packet_get_number(&in);
        joblog_add(c->log, job, result, c->report);
    }
}

/* Assembles the data set from the log. NULL if no match reached a terminal state. */
static DataSet *put_together(const Collecting *c) {
    DataSet *set = dataset_create(c->game->role_count);
    size_t ended = 0;
    const Text *block;
    for (uint64_t b = 0; (block = joblog_find(c->log, b)); b++)
        ended += read_set(block, set);
    if (ended)
        return set;
    dataset_free(set);
    return NULL;
}

DataSet *cluster_collect(Cluster *cluster, Game *game, const CollectOptions *options, Pool *pool,
                         JobLog *log, Report *report) {
    Collecting c = {.collector = collector_create(game, options, pool),
                    .game = game,
                    .log = log,
                    .report = report};
    if (!c.collector)
        return NULL;
    farm_run(cluster, &(Farm){next_block, NULL, play_block, keep_block, &c});
    DataSet *set = cluster_rank(cluster) == 0 && !report_failed(report) ? put_together(&c) : NULL;
    collector_free(c.collector);
    return set;
}
