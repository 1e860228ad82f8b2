/* Tests the log of jobs: entries that were complete when the writer was killed are found again. */
#include "cluster/joblog.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const results[] = {"first", "", "the third one"};
enum { RESULTS = sizeof results / sizeof *results };

static void make_path(char *path) {
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    close(fd);
    unlink(path);
}

static JobLog *open_log(const char *path) {
    Report report = {0};
    JobLog *log = joblog_open(path, "these jobs", &report);
    cr_assert_not_null(log);
    report_free(&report);
    return log;
}

static void add(JobLog *log, uint64_t job, const char *text) {
    Report report = {0};
    Text result = {0};
    text_add(&result, text);
    cr_assert(joblog_add(log, job, &result, &report));
    vector_free(&result);
}

static size_t known(const JobLog *log) {
    size_t count = 0;
    for (uint64_t job = 0; job < RESULTS; job++) {
        const Text *result = joblog_find(log, 7 * job);
        if (!result)
            continue;
        cr_assert_eq(result->count, strlen(results[job]));
        cr_assert(!result->count || !memcmp(result->items, results[job], result->count));
        count++;
    }
    return count;
}

Test(joblog, what_is_whole_is_found_again) {
    char path[] = "/tmp/marelle_joblog_XXXXXX";
    make_path(path);
    off_t sizes[RESULTS + 1];
    struct stat status;
    for (size_t i = 0; i <= RESULTS; i++) {
        JobLog *log = open_log(path);
        cr_assert_eq(known(log), i);
        if (i < RESULTS)
            add(log, 7 * i, results[i]);
        stat(path, &status);
        sizes[i] = status.st_size;
        joblog_close(log, false);
    }
    for (off_t size = sizes[RESULTS]; size > sizes[0]; size--) {
        cr_assert_eq(truncate(path, size), 0);
        JobLog *log = open_log(path);
        size_t whole = 1 + (size >= sizes[1]) + (size >= sizes[2]);
        cr_assert_eq(known(log), whole, "%zu of %ld bytes", whole, (long)size);
        joblog_close(log, false);
    }
    joblog_close(open_log(path), true);
    cr_assert_neq(stat(path, &status), 0, "removed");
}

Test(joblog, files_of_others_are_refused) {
    char path[] = "/tmp/marelle_joblog_XXXXXX";
    make_path(path);
    JobLog *log = open_log(path);
    Report report = {0};
    cr_assert_null(joblog_open(path, "these jobs", &report), "it is in use");
    joblog_close(log, false);
    cr_assert_null(joblog_open(path, "other jobs", &report));
    cr_assert_eq(report.items.count, 2);
    report_free(&report);
    unlink(path);
}

Test(joblog, memory_will_do) {
    JobLog *log = open_log(NULL);
    add(log, 0, results[0]);
    cr_assert_eq(known(log), 1);
    joblog_close(log, true);
}
