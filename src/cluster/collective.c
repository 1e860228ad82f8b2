/* Messages are numbers in the byte order of the machine; all processes run on equal machines. */
#include "cluster/collective.h"

#include <string.h>

#include "base/packet.h"

/* ---- matches ---- */

static void write_matches(const MatchStatistics *m, Text *out) {
    const uint64_t sums[] = {m->playouts, m->stuck,        m->too_long,
                             m->turns,    m->unfinished,   m->unfinished_turns,
                             m->states,   m->goals_unknown};
    packet_put(out, sums, sizeof sums);
    packet_put(out, &m->cpu_seconds, sizeof m->cpu_seconds);
    packet_put_vector(out, &m->goals);
    packet_put_vector(out, &m->lengths);
    packet_put_vector(out, &m->legal_by_role);
}

static void read_matches(const Text *text, MatchStatistics *m) {
    PacketReader in = packet_reader(text);
    uint64_t sums[8];
    packet_get(&in, sums, sizeof sums);
    *m = (MatchStatistics){.playouts = sums[0],
                           .stuck = sums[1],
                           .too_long = sums[2],
                           .turns = sums[3],
                           .unfinished = sums[4],
                           .unfinished_turns = sums[5],
                           .goals_unknown = sums[7] > 0,
                           .states = sums[6]};
    packet_get(&in, &m->cpu_seconds, sizeof m->cpu_seconds);
    packet_get_vector(&in, &m->goals);
    packet_get_vector(&in, &m->lengths);
    packet_get_vector(&in, &m->legal_by_role);
}

static Text *exchange(Cluster *cluster, Text *mine) {
    Text *all = memory_zalloc(cluster_size(cluster) * sizeof *all);
    cluster_exchange(cluster, mine, all);
    vector_free(mine);
    return all;
}

static void free_texts(const Cluster *cluster, Text *all) {
    for (unsigned r = 0; r < cluster_size(cluster); r++)
        vector_free(&all[r]);
    free(all);
}

void cluster_play_matches(Cluster *cluster, const MatchPlan *plan, MatchStatistics *matches) {
    MatchPlan own = *plan;
    unsigned threads = plan->threads ? plan->threads : 1;
    own.first_stream = cluster_rank(cluster) * threads;
    own.streams = cluster_size(cluster) * threads;
    matches_play(&own, matches);
    if (cluster_size(cluster) == 1)
        return;
    Reasoner reasoner = matches->reasoner;
    Text mine = {0};
    write_matches(matches, &mine);
    matches_free(matches);
    Text *all = exchange(cluster, &mine);
    *matches = (MatchStatistics){.reasoner = reasoner};
    for (unsigned r = 0; r < cluster_size(cluster); r++) {
        MatchStatistics one;
        read_matches(&all[r], &one);
        matches_add(matches, &one);
        matches_free(&one);
    }
    free_texts(cluster, all);
}

/* ---- messages ---- */

/* An empty message means that its sender has finished. */
static void echo(Cluster *cluster) {
    Text message = {0};
    for (unsigned left = cluster_size(cluster) - 1, from; left;) {
        if (!cluster_receive(cluster, &from, &message))
            continue;
        if (message.count)
            cluster_send(cluster, from, &message);
        else
            left--;
    }
    vector_free(&message);
}

static uint64_t ping(Cluster *cluster, size_t bytes, double seconds) {
    Text message = {0};
    uint64_t sent = 0;
    Deadline deadline = deadline_in(seconds);
    memset(vector_extend(&message, bytes), 'x', bytes);
    for (unsigned from; !deadline_passed(deadline); sent++) {
        cluster_send(cluster, 0, &message);
        while (!cluster_receive(cluster, &from, &message))
            ;
    }
    text_clear(&message);
    cluster_send(cluster, 0, &message);
    vector_free(&message);
    return sent;
}

uint64_t cluster_ping(Cluster *cluster, size_t bytes, double seconds, double *taken) {
    double started = clock_wall_seconds();
    uint64_t sum = 0, sent = 0;
    Text mine = {0};
    if (cluster_size(cluster) > 1 && cluster_rank(cluster) == 0)
        echo(cluster);
    else if (cluster_size(cluster) > 1)
        sent = ping(cluster, bytes, seconds);
    *taken = clock_wall_seconds() - started;
    packet_put_number(&mine, sent);
    Text *all = exchange(cluster, &mine);
    for (unsigned r = 0; r < cluster_size(cluster); r++) {
        PacketReader in = packet_reader(&all[r]);
        sum += packet_get_number(&in);
    }
    free_texts(cluster, all);
    return sum;
}

/* ---- search ---- */

uint64_t cluster_seed(const Cluster *cluster, uint64_t seed) {
    return search_seed_of_thread(seed, cluster_rank(cluster));
}

static void write_result(const SearchResult *r, Text *out) {
    packet_put_number(out, r->playouts);
    packet_put_number(out, r->nodes);
    packet_put_number(out, r->depth);
    packet_put_number(out, r->best);
    packet_put_number(out, r->is_decided);
    packet_put(out, &r->cpu_seconds, sizeof r->cpu_seconds);
    packet_put_vector(out, &r->moves);
    packet_put_vector(out, &r->line);
}

static void read_result(const Text *text, SearchResult *r) {
    PacketReader in = packet_reader(text);
    *r = (SearchResult){0};
    r->playouts = packet_get_number(&in);
    r->nodes = packet_get_number(&in);
    r->depth = (uint32_t)packet_get_number(&in);
    r->best = (uint32_t)packet_get_number(&in);
    r->is_decided = packet_get_number(&in) != 0;
    packet_get(&in, &r->cpu_seconds, sizeof r->cpu_seconds);
    packet_get_vector(&in, &r->moves);
    packet_get_vector(&in, &r->line);
}

/* Adds up the root statistics of all processes. */
static void merge(Cluster *cluster, Search *search, SearchResult *result) {
    Text mine = {0};
    search_result(search, result);
    write_result(result, &mine);
    Text *all = exchange(cluster, &mine);
    SearchResult *results = memory_zalloc(cluster_size(cluster) * sizeof *results);
    for (unsigned r = 0; r < cluster_size(cluster); r++)
        read_result(&all[r], &results[r]);
    search_add_results(results, cluster_size(cluster), search->method->is_mixed, MERGE_SUM, result);
    for (unsigned r = 0; r < cluster_size(cluster); r++)
        search_result_free(&results[r]);
    free(results);
    free_texts(cluster, all);
}

static bool is_known(const SearchResult *result) {
    return result->moves.count == 0 || result->is_decided;
}

/* All processes see the same merged result, so that all of them go on or none. */
void cluster_search(Cluster *cluster, Search *search, const SearchBudget *budget, unsigned merges,
                    SearchResult *result) {
    double left = deadline_left(budget->deadline);
    unsigned size = cluster_size(cluster), parts = size > 1 && merges ? merges : 1;
    uint64_t share = budget->playouts / size + (cluster_rank(cluster) < budget->playouts % size);
    double started = clock_wall_seconds();
    for (unsigned part = 1; part <= parts; part++) {
        SearchBudget own = *budget;
        if (budget->playouts)
            own.playouts = share * part / parts - share * (part - 1) / parts;
        if (left < 1e9)
            own.deadline = deadline_in(started + left * part / parts - clock_wall_seconds());
        if (own.playouts || !budget->playouts)
            search_run(search, &own);
        merge(cluster, search, result);
        if (is_known(result))
            break;
    }
}
