/* The rules go to the process as a file in memory, which it reads as standard input; its answer
 * comes through a pipe. Its limits are options of the verb, so that nothing has to be done between
 * fork and exec, where a program with many threads may do next to nothing. */
#include "server/page/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum {
    NICENESS = 5,              /* players come before onlookers (untuned) */
    LATER_NICENESS = 19,       /* of what takes long: everybody else comes first */
    POLL_MILLISECONDS = 100,   /* between questions whether to go on (untuned) */
    PIECE = 1 << 16,           /* bytes read at once */
    LARGEST_ANSWER = 16 << 20, /* bytes; more is taken for a failure (untuned) */
    LONGEST_REASON = 400,      /* bytes of a complaint that are kept (untuned) */
    STATUS_EXHAUSTED = 3       /* exit status of marelle when a budget is used up */
};

/* Seconds after which a look counts as one that takes long (untuned). */
static const double short_seconds = 2;

/* The share of the time that the process is told, so that it can end by itself (untuned). */
static const double time_share = 0.9;

typedef struct {
    pid_t pid;
    int output, errors; /* ends of pipes to read from; -1: closed */
} Worker;

static int file_of_text(const char *text, size_t length) {
    int file = memfd_create("rules", MFD_CLOEXEC);
    for (size_t written = 0; file >= 0 && written < length;) {
        ssize_t count = write(file, text + written, length - written);
        if (count <= 0) {
            close(file);
            return -1;
        }
        written += (size_t)count;
    }
    if (file >= 0)
        lseek(file, 0, SEEK_SET);
    return file;
}

/* Starts the program with these files as its standard streams. Signals are as usual in it, and
 * those of a terminal do not reach it. */
static bool spawn(const WorkerTask *task, int input, int output, int errors, pid_t *pid) {
    char seconds[32], megabytes[32];
    snprintf(seconds, sizeof seconds, "%.3f", time_share * task->seconds);
    snprintf(megabytes, sizeof megabytes, "%zu", task->bytes >> 20);
    char *words[] = {(char *)task->program,
                     "look",
                     (char *)task->look,
                     "-",
                     "--time",
                     seconds,
                     "--limit",
                     megabytes,
                     NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    sigaddset(&usual, SIGPIPE);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    bool ok = posix_spawn(pid, task->program, &files, &attributes, words, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return ok;
}

static bool start(const WorkerTask *task, Worker *worker) {
    int output[2] = {-1, -1}, errors[2] = {-1, -1};
    int input = file_of_text(task->rules, task->length);
    bool ok = input >= 0 && pipe2(output, O_CLOEXEC) == 0 && pipe2(errors, O_CLOEXEC) == 0 &&
              spawn(task, input, output[1], errors[1], &worker->pid);
    const int unneeded[] = {input, output[1], errors[1], ok ? -1 : output[0], ok ? -1 : errors[0]};
    for (size_t i = 0; i < sizeof unneeded / sizeof *unneeded; i++)
        if (unneeded[i] >= 0)
            close(unneeded[i]);
    worker->output = output[0];
    worker->errors = errors[0];
    if (ok && !task->is_awaited)
        setpriority(PRIO_PROCESS, (id_t)worker->pid, NICENESS);
    return ok;
}

/* Reads what is there; closes the pipe at its end, or when there is more than allowed. */
static void read_some(int *pipe_end, size_t most, Text *text) {
    char piece[PIECE];
    ssize_t count = read(*pipe_end, piece, sizeof piece);
    if (count < 0 && errno == EINTR)
        return;
    if (count > 0)
        text_add_bytes(text, piece, (size_t)count);
    if (count > 0 && text->count <= most)
        return;
    close(*pipe_end);
    *pipe_end = -1;
}

/* Reads until the process closes its output. Returns WORKER_DONE, or why it must end. */
static WorkerEnd follow(const WorkerTask *task, Worker *worker, bool (*goes_on)(void *),
                        void *context, Text *answer, Text *errors) {
    Deadline deadline = deadline_in(task->seconds), short_end = deadline_in(short_seconds);
    bool is_slow = task->is_awaited; /* it keeps the server's priority */
    while (worker->output >= 0) {
        struct pollfd ends[] = {{.fd = worker->output, .events = POLLIN},
                                {.fd = worker->errors, .events = POLLIN}};
        poll(ends, 2, POLL_MILLISECONDS);
        if (!goes_on(context))
            return WORKER_STOPPED;
        if (deadline_passed(deadline))
            return WORKER_TIME;
        if (!is_slow && deadline_passed(short_end)) {
            is_slow = true;
            setpriority(PRIO_PGRP, (id_t)worker->pid, LATER_NICENESS); /* all its threads */
        }
        if (worker->errors >= 0 && ends[1].revents)
            read_some(&worker->errors, PIECE, errors);
        if (ends[0].revents)
            read_some(&worker->output, LARGEST_ANSWER, answer);
    }
    return answer->count <= LARGEST_ANSWER ? WORKER_DONE : WORKER_FAILED;
}

/* What the exit status of a process that ended by itself means. */
static WorkerEnd judge(int status) {
    if (WIFEXITED(status))
        return WEXITSTATUS(status) == 0                  ? WORKER_DONE
               : WEXITSTATUS(status) == STATUS_EXHAUSTED ? WORKER_MEMORY
                                                         : WORKER_REFUSED;
    int number = WTERMSIG(status);
    return number == SIGABRT || number == SIGKILL ? WORKER_MEMORY
           : number == SIGXCPU                    ? WORKER_TIME
                                                  : WORKER_FAILED;
}

/* Copies the first line of what the process complained about. */
static void copy_reason(const Text *errors, Text *answer) {
    static const char *const prefixes[] = {"marelle: ", "error: "};
    const char *line = errors->count ? text_string((Text *)errors) : "";
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(line, prefixes[i], strlen(prefixes[i])) == 0)
            line += strlen(prefixes[i]);
    size_t length = strcspn(line, "\n");
    text_clear(answer);
    text_add_bytes(answer, line, length < LONGEST_REASON ? length : LONGEST_REASON);
}

WorkerEnd worker_run(const WorkerTask *task, bool (*goes_on)(void *context), void *context,
                     Text *answer) {
    Worker worker;
    Text errors = {0};
    int status = 0;
    if (!start(task, &worker))
        return WORKER_FAILED;
    WorkerEnd end = follow(task, &worker, goes_on, context, answer, &errors);
    if (end != WORKER_DONE)
        kill(worker.pid, SIGKILL);
    while (waitpid(worker.pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (end == WORKER_DONE)
        end = judge(status);
    for (int i = 0; i < 2; i++)
        if ((i ? worker.errors : worker.output) >= 0)
            close(i ? worker.errors : worker.output);
    if (end == WORKER_REFUSED)
        copy_reason(&errors, answer);
    vector_free(&errors);
    return end;
}
