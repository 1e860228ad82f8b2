/* The results of jobs, in a file that survives a crash: each result is written before the next job
 * is taken, and the same command finds it when started again. Without a file the results are only
 * in memory. */
#pragma once

#include "base/report.h"
#include "base/text.h"

typedef struct JobLog JobLog;

/* `path` may be NULL for no file. The identity names the set of jobs; a file with another identity
 * is refused. NULL with an error in the report. */
JobLog *joblog_open(const char *path, const char *identity, Report *report);
/* NULL if the job has no result yet. Valid until the next result is added. */
const Text *joblog_find(const JobLog *log, uint64_t job);
bool joblog_add(JobLog *log, uint64_t job, const Text *result, Report *report);
/* Frees the log and, if `removes`, deletes the file. */
void joblog_close(JobLog *log, bool removes);
