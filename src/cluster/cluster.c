/* MPI behind a few calls. A process that waits sleeps between two polls, because there may be more
 * processes than processors. Only one thread of a process may be in here at a time. */
#include "cluster/cluster.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#ifdef MARELLE_HAS_MPI
#include <mpi.h>
#endif

struct Cluster {
    unsigned rank, size;
    bool is_started;
};

bool cluster_has_mpi(void) {
#ifdef MARELLE_HAS_MPI
    return true;
#else
    return false;
#endif
}

Cluster *cluster_alone(void) {
    static Cluster alone = {.size = 1}; /* never changed */
    return &alone;
}

unsigned cluster_rank(const Cluster *cluster) {
    return cluster->rank;
}

unsigned cluster_size(const Cluster *cluster) {
    return cluster->size;
}

void cluster_rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

bool cluster_agrees(Cluster *cluster, bool is_ok) {
    Text mine = {0}, *all = memory_zalloc(cluster->size * sizeof *all);
    text_add_char(&mine, is_ok ? '1' : '0');
    cluster_exchange(cluster, &mine, all);
    for (unsigned r = 0; r < cluster->size; r++) {
        is_ok = is_ok && all[r].count && all[r].items[0] == '1';
        vector_free(&all[r]);
    }
    vector_free(&mine);
    free(all);
    return is_ok;
}

#ifdef MARELLE_HAS_MPI

static bool was_started_by_mpi(void) {
    static const char *const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", NULL};
    for (const char *const *sign = signs; *sign; sign++)
        if (getenv(*sign))
            return true;
    return false;
}

Cluster *cluster_open(void) {
    Cluster *cluster = memory_zalloc(sizeof *cluster);
    int rank = 0, size = 1, provided;
    if (was_started_by_mpi() &&
        MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) == MPI_SUCCESS) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        cluster->is_started = true;
    }
    cluster->rank = (unsigned)rank;
    cluster->size = (unsigned)size;
    return cluster;
}

void cluster_close(Cluster *cluster, bool is_ok) {
    if (cluster->is_started && is_ok)
        MPI_Finalize();
    else if (cluster->is_started && cluster->size > 1)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    free(cluster);
}

static void wait_for(MPI_Request *request) {
    for (int done = 0; !done;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done)
            cluster_rest();
    }
}

void cluster_exchange(Cluster *cluster, const Text *mine, Text *all) {
    size_t size = cluster->size, sum = 0;
    int *counts = memory_zalloc(2 * size * sizeof *counts), *places = counts + size;
    int own = (int)mine->count;
    char *bytes = NULL;
    MPI_Request request;
    if (size > 1) {
        MPI_Iallgather(&own, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD, &request);
        wait_for(&request);
        for (size_t i = 0; i < size; i++) {
            places[i] = (int)sum;
            sum += (size_t)counts[i];
        }
        bytes = memory_alloc(sum + 1);
        MPI_Iallgatherv(mine->items, own, MPI_BYTE, bytes, counts, places, MPI_BYTE, MPI_COMM_WORLD,
                        &request);
        wait_for(&request);
    }
    for (size_t i = 0; i < size; i++) {
        text_clear(&all[i]);
        if (size > 1)
            text_add_bytes(&all[i], bytes + places[i], (size_t)counts[i]);
        else
            text_add_bytes(&all[i], text_string(mine), mine->count);
    }
    memory_free(bytes, counts);
}

void cluster_send(Cluster *cluster, unsigned to, const Text *message) {
    assert(to < cluster->size && message->count <= INT_MAX);
    MPI_Request request;
    MPI_Isend(text_string(message), (int)message->count, MPI_BYTE, (int)to, 0, MPI_COMM_WORLD,
              &request);
    wait_for(&request);
}

bool cluster_receive(Cluster *cluster, unsigned *from, Text *message) {
    MPI_Status status;
    int is_there = 0, bytes = 0;
    (void)cluster;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &status);
    if (!is_there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    text_clear(message);
    vector_reserve(message, (size_t)bytes + 1);
    MPI_Recv(message->items, bytes, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    message->count = (size_t)bytes;
    message->items[bytes] = 0;
    *from = (unsigned)status.MPI_SOURCE;
    return true;
}

#else

Cluster *cluster_open(void) {
    Cluster *cluster = memory_zalloc(sizeof *cluster);
    cluster->size = 1;
    return cluster;
}

void cluster_close(Cluster *cluster, bool is_ok) {
    (void)is_ok;
    free(cluster);
}

void cluster_exchange(Cluster *cluster, const Text *mine, Text *all) {
    (void)cluster;
    text_clear(all);
    text_add_bytes(all, text_string(mine), mine->count);
}

void cluster_send(Cluster *cluster, unsigned to, const Text *message) {
    (void)cluster;
    (void)to;
    (void)message;
}

bool cluster_receive(Cluster *cluster, unsigned *from, Text *message) {
    (void)cluster;
    (void)from;
    (void)message;
    return false;
}

#endif
