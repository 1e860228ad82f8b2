/* What jobs came to, in a file that survives whoever writes it: a result is on its way to the disk
 * before the next one is taken, and the same command, started again, finds it. Without a file it is
 * kept in memory alone. */
#pragma once

#include "base/report.h"
#include "base/text.h"

typedef struct JobLog JobLog;

/* The file of that path, or none if it is NULL. The identity says what the jobs are: a file of
 * others is refused. NULL with the reason in the report. */
JobLog *joblog_open(const char *path, const char *identity, Report *report);
/* NULL if the job has no result yet. Valid until the next is added. */
const Text *joblog_find(const JobLog *log, uint64_t job);
bool joblog_add(JobLog *log, uint64_t job, const Text *result, Report *report);
/* Once all of it is kept elsewhere, the file can go. */
void joblog_close(JobLog *log, bool removes);
