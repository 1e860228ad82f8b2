/* marelle VERB [arguments] [options]: finds the verb, parses its options, runs it. */
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "gdl/suggest.h"

/* clang-format off: one a line, so that two changes merge */
const Verb *const all_verbs[] = {
    &verb_check,
    &verb_format,
    &verb_translate,
    &verb_info,
    &verb_games,
    &verb_show,
    &verb_analyze,
    &verb_symmetry,
    &verb_decompose,
    &verb_simulate,
    &verb_search,
    &verb_solve,
    &verb_learn,
    &verb_match,
    &verb_tournament,
    &verb_replay,
    &verb_player,
    &verb_serve,
    &verb_bench,
    &verb_experiment,
    &verb_ground,
    &verb_circuit,
    &verb_perft,
    &verb_trace_check,
    &verb_gdl_perf,
    &verb_demo,
    &verb_version,
    &verb_help,
    NULL,
};
/* clang-format on */

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

static int run(const Verb *verb, int count, char **words) {
    Command command;
    int status = STATUS_USAGE;
    if (command_parse(&command, verb, count, words)) {
        bool explains = command.common.help && verb != &verb_help;
        if (explains)
            verb_print_help(verb);
        else if (command.common.version)
            verb = &verb_version;
        status = explains ? STATUS_DONE : verb->run(&command);
    }
    command_free(&command);
    return status;
}

/* `marelle --help` and `marelle --version` work without a verb. */
static const Verb *choose_verb(int count, char **words) {
    if (count < 2 || (words[1][0] == '-' && strcmp(words[1], "--help") != 0 &&
                      strcmp(words[1], "-h") != 0 && strcmp(words[1], "--version") != 0)) {
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

int main(int count, char **words) {
    interrupt_install();
    const Verb *verb = choose_verb(count, words);
    if (!verb)
        return STATUS_USAGE;
    int used = words[1][0] == '-' ? 1 : 2;
    int status = run(verb, count - used, words + used);
    if (interrupt_requested())
        status = 128 + interrupt_signal();
    return finish_output(status);
}
