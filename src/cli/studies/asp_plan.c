/* Runs clingo once for each number of turns. The program is sent through a pipe, and the exit
 * status of clingo tells the result. */
#include "cli/studies/asp_plan.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/output.h"
#include "gdl/asp.h"

/* Exit statuses of clingo, and a bound. */
enum {
    CLINGO_UNKNOWN = 0,
    CLINGO_INTERRUPTED = 1,
    CLINGO_FOUND = 10,
    CLINGO_FOUND_ALL = 30,
    CLINGO_NONE = 20,
    MAX_TURNS = 1000
};

/* Starts clingo and discards its output. Returns a descriptor of its standard input; -1 if that
 * fails. */
static int start_clingo(char *const *arguments, pid_t *pid) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failure = posix_spawnp(pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (failure)
        close(ends[1]);
    return failure ? -1 : ends[1];
}

/* Writes the program to clingo, which may exit without reading everything. */
static void hand_over(int fd, const Text *program) {
    struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignored, &before);
    for (size_t done = 0; done < program->count;) {
        ssize_t written = write(fd, program->items + done, program->count - done);
        if (written <= 0)
            break;
        done += (size_t)written;
    }
    close(fd);
    sigaction(SIGPIPE, &before, NULL);
}

/* Returns the exit status of a run, -1 if clingo did not run. Adds its CPU time. */
static int run_clingo(char *const *arguments, const Text *program, double *cpu_seconds) {
    pid_t pid;
    int fd = start_clingo(arguments, &pid), status;
    struct rusage usage;
    if (fd < 0)
        return -1;
    hand_over(fd, program);
    if (wait4(pid, &status, 0, &usage) != pid)
        return -1;
    *cpu_seconds += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                    (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool asp_is_installed(void) {
    double ignored = 0;
    Text nothing = {0};
    char *arguments[] = {"clingo", "--version", NULL};
    return run_clingo(arguments, &nothing, &ignored) == 0;
}

bool asp_plan(const Game *game, int greatest_goal, double cpu_seconds, AspPlan *plan) {
    Text program = {0};
    bool ok = true, gave_up = false;
    *plan = (AspPlan){0};
    rules_write_plan(&program, game->rules);
    while (ok && !gave_up && !plan->is_solved && plan->turns < MAX_TURNS &&
           plan->cpu_seconds < cpu_seconds && !interrupt_requested()) {
        char turns[40], best[40], limit[40];
        snprintf(turns, sizeof turns, "aux_turns=%u", ++plan->turns);
        snprintf(best, sizeof best, "aux_best=%d", greatest_goal);
        snprintf(limit, sizeof limit, "--time-limit=%.0f", cpu_seconds - plan->cpu_seconds + 1);
        char *arguments[] = {"clingo", "-c", turns, "-c", best, limit, NULL};
        int status = run_clingo(arguments, &program, &plan->cpu_seconds);
        plan->is_solved = status == CLINGO_FOUND || status == CLINGO_FOUND_ALL;
        gave_up = status == CLINGO_UNKNOWN || status == CLINGO_INTERRUPTED;
        ok = plan->is_solved || gave_up || status == CLINGO_NONE;
        if (!ok && !interrupt_requested())
            complain("clingo ended with status %d", status);
    }
    vector_free(&program);
    return ok;
}
