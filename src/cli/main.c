/* marelle VERB [arguments] [options]: finds the verb, parses its options, runs it. */
#define _GNU_SOURCE 1
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "cli/kernels.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cluster/cluster.h"
#include "gdl/check/suggest.h"

#define POINT_AT_VERB(name) &verb_##name,
const Verb *const all_verbs[] = {VERBS(POINT_AT_VERB) NULL};

const Verb *verb_find(const char *name) {
    for (const Verb *const *verb = all_verbs; *verb; verb++)
        if (strcmp((*verb)->name, name) == 0)
            return *verb;
    return NULL;
}

void complain_unknown_verb(const char *name) {
    Suggestion suggestion = suggestion_for(name);
    for (const Verb *const *verb = all_verbs; *verb; verb++)
        suggestion_offer(&suggestion, (*verb)->name);
    if (suggestion.best)
        complain("there is no verb `%s`; did you mean `%s`?", name, suggestion.best);
    else
        complain("there is no verb `%s`; `marelle help` lists them", name);
}

/* In a cluster, processes other than the first print errors only, and take part in distributed
 * verbs only. */
static bool takes_part(Cluster *cluster, Command *command) {
    command->cluster = command->verb->is_distributed ? cluster : cluster_alone();
    if (cluster_rank(cluster) == 0)
        return true;
    command->common.quiet = true;
    return command->verb->is_distributed && discard_output();
}

static int run(const Verb *verb, Cluster *cluster, int count, char **words) {
    Command command;
    int status = STATUS_USAGE;
    if (command_parse(&command, verb, count, words) &&
        kernel_from_name(command.common.kernel, &command.common.kernel_kind, &status)) {
        if (!takes_part(cluster, &command)) {
            command_free(&command);
            return STATUS_DONE;
        }
        bool explains = command.common.help && verb != &verb_help;
        if (explains && command.common.json)
            print_json(verb_json(verb));
        else if (explains)
            verb_print_help(verb);
        else if (command.common.version)
            verb = &verb_version;
        if (!explains && !command.common.quiet && verb != &verb_help && verb != &verb_version)
            note_forbidden_code();
        if (command.common.seconds > 0 && verb->time == TIME_OF_COMMAND)
            end_command_in(command.common.seconds);
        status = explains ? STATUS_DONE : verb_run(verb, &command);
    }
    command_free(&command);
    return status;
}

/* Not even the reserve was enough. Other threads may hold any lock, so nothing more is freed. */
static void end_without_memory(void) {
    static const char words[] = "marelle: out of memory\n";
    if (ftrylockfile(stdout) == 0)
        fflush_unlocked(stdout);
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
        _exit(STATUS_EXHAUSTED);
    _exit(STATUS_EXHAUSTED);
}

/* The exit status of the program. What was found before an interrupt or a shortage is printed. */
static int final_status(int status) {
    if (interrupt_requested())
        return 128 + interrupt_signal();
    if (!memory_was_short())
        return status;
    fflush(stdout);
    complain("memory ran short: this is what was found until then (the limit is %zu MB)",
             memory_limit() >> 20);
    return STATUS_EXHAUSTED;
}

/* `marelle --help` and `marelle --version` work without a verb. */
static const Verb *choose_verb(int count, char **words) {
    if (count < 2 || (words[1][0] == '-' && strcmp(words[1], "--help") != 0 &&
                      strcmp(words[1], "-h") != 0 && strcmp(words[1], "--version") != 0)) {
        if (count < 2)
            print_overview();
        else
            complain("a verb has to come first; `marelle help` lists them");
        return NULL;
    }
    if (words[1][0] == '-')
        return &verb_help;
    const Verb *verb = verb_find(words[1]);
    if (!verb)
        complain_unknown_verb(words[1]);
    return verb;
}

static bool wants_json(int count, char **words) {
    bool wants = false;
    for (int i = 1; i < count; i++)
        wants |= strcmp(words[i], "--json") == 0;
    return wants;
}

int main(int count, char **words) {
    signal(SIGXFSZ, SIG_IGN); /* a file that may grow no more is an error of writing */
    memory_share_heap();
    interrupt_install();
    memory_guard(end_without_memory);
    guard_terminals();
    json_set_alloc_funcs(memory_alloc, free);
    const Verb *verb = choose_verb(count, words);
    if (!verb) {
        if (wants_json(count, words))
            print_errors_json(STATUS_USAGE);
        return STATUS_USAGE;
    }
    int used = words[1][0] == '-' ? 1 : 2;
    Cluster *cluster = cluster_open();
    int status = run(verb, cluster, count - used, words + used);
    if (cluster_rank(cluster)) /* only the first process prints results */
        status = STATUS_DONE;
    status = final_status(status);
    if (wants_json(count, words))
        print_errors_json(status);
    status = finish_output(status);
    cluster_close(cluster, !interrupt_requested());
    return status;
}
