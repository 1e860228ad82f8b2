/* The file is a packet: the identity, then number, length and bytes of each result. An incomplete
 * result at the end is dropped. */
#include "cluster/joblog.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/packet.h"
#include "base/table.h"

typedef struct {
    uint64_t job;
    Text result;
} Entry;

struct JobLog {
    char *path; /* NULL: the results are only in memory */
    int fd;
    VECTOR(Entry) entries;
    Table by_job;
};

static uint64_t hash_of(uint64_t job) {
    return hash_finish(hash_mix(0, job));
}

const Text *joblog_find(const JobLog *log, uint64_t job) {
    uint32_t at;
    for (TableProbe p = table_probe(&log->by_job, hash_of(job)); table_next(&log->by_job, &p, &at);)
        if (log->entries.items[at].job == job)
            return &log->entries.items[at].result;
    return NULL;
}

static void remember(JobLog *log, uint64_t job, const char *bytes, size_t count) {
    Entry entry = {.job = job};
    text_add_bytes(&entry.result, bytes, count);
    table_insert(&log->by_job, hash_of(job), (uint32_t)log->entries.count);
    vector_push(&log->entries, entry);
}

/* Reads all complete results. Returns the position in bytes after the last one; 0 if the identity
 * differs. */
static size_t take_over(JobLog *log, const Text *text, const char *identity) {
    Arena arena = {0};
    PacketReader in = packet_reader(text);
    const char *whose = packet_get_text(&in, &arena);
    bool is_own = !in.is_short && whose && strcmp(whose, identity) == 0;
    arena_free(&arena);
    size_t whole = is_own ? in.at : 0;
    while (is_own && in.at < in.count) {
        uint64_t job = packet_get_number(&in);
        size_t length = packet_get_count(&in, 1);
        if (in.is_short)
            break;
        remember(log, job, in.bytes + in.at, length);
        in.at += length;
        whole = in.at;
    }
    return whole;
}

static bool open_file(JobLog *log, const char *identity, Report *report) {
    Text text = {0};
    log->fd = open(log->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool is_mine = log->fd >= 0 && flock(log->fd, LOCK_EX | LOCK_NB) == 0;
    bool ok = is_mine && text_add_file(&text, log->fd);
    if (log->fd >= 0 && !is_mine)
        report_error(report, "job-log", "%s: another process is at work on it", log->path);
    else if (!ok)
        report_error(report, "job-log", "%s: %s", log->path, strerror(errno));
    size_t whole = ok && text.count ? take_over(log, &text, identity) : 0;
    if (ok && text.count && !whole) {
        report_error(report, "job-log", "%s belongs to something else; remove it to begin anew",
                     log->path);
        ok = false;
    }
    text_clear(&text);
    if (ok && !whole)
        packet_put_text(&text, identity);
    if (ok && (ftruncate(log->fd, (off_t)whole) != 0 ||
               lseek(log->fd, (off_t)whole, SEEK_SET) < 0 || !text_write(&text, log->fd))) {
        report_error(report, "job-log", "%s: %s", log->path, strerror(errno));
        ok = false;
    }
    vector_free(&text);
    return ok;
}

JobLog *joblog_open(const char *path, const char *identity, Report *report) {
    JobLog *log = memory_zalloc(sizeof *log);
    log->fd = -1;
    log->path = path ? memory_strdup(path) : NULL;
    if (!path || open_file(log, identity, report))
        return log;
    joblog_close(log, false);
    return NULL;
}

bool joblog_add(JobLog *log, uint64_t job, const Text *result, Report *report) {
    assert(!joblog_find(log, job));
    Text entry = {0};
    remember(log, job, result->items, result->count);
    packet_put_number(&entry, job);
    packet_put_number(&entry, result->count);
    packet_put(&entry, result->items, result->count);
    bool ok = log->fd < 0 || text_write(&entry, log->fd);
    if (!ok)
        report_error(report, "job-log", "%s: %s", log->path, strerror(errno));
    vector_free(&entry);
    return ok;
}

void joblog_close(JobLog *log, bool removes) {
    if (!log)
        return;
    if (removes && log->path)
        unlink(log->path);
    if (log->fd >= 0)
        close(log->fd);
    for (size_t i = 0; i < log->entries.count; i++)
        vector_free(&log->entries.items[i].result);
    vector_free(&log->entries);
    table_free(&log->by_job);
    memory_free(log->path, log);
}
