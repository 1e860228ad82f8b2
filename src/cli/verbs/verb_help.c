/* marelle help [VERB]. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/search_help.h"
#include "cli/verbs.h"

void print_overview(void) {
    puts("Marelle reads the rules of any game in GDL and checks, explains and plays them.\n\n"
         "usage: marelle VERB [ARGUMENT...] [OPTION...]\n\nVerbs:");
    for (const Verb *const *verb = all_verbs; *verb; verb++)
        printf("  %-12s %s\n", (*verb)->name, (*verb)->summary);
    puts("\nThree to begin with:\n"
         "  marelle demo                           a short tour\n"
         "  marelle match tic_tac_toe human auto   play against the program\n"
         "  marelle serve                          the page: play, watch, look inside games");
    puts("\nA GAME is a file of rules, `-` for standard input, or the name of a built-in game.\n"
         "`marelle VERB --help` explains a verb and gives an example.");
}

static void print_overview_json(void) {
    json_t *verbs = json_array();
    for (const Verb *const *verb = all_verbs; *verb; verb++)
        array_push(verbs, verb_json(*verb));
    print_json(json_pack("{s:o,s:o}", "verbs", verbs, "common", common_options_json()));
}

static int run_help(const Command *command) {
    bool json = command->common.json;
    if (!command->argument_count) {
        json ? print_overview_json() : print_overview();
        return STATUS_DONE;
    }
    if (strcmp(command->arguments[0], "searches") == 0) {
        print_search_help(command->common.json);
        return STATUS_DONE;
    }
    const Verb *verb = verb_find(command->arguments[0]);
    if (!verb) {
        complain_unknown_verb(command->arguments[0]);
        return STATUS_USAGE;
    }
    if (json)
        print_json(verb_json(verb));
    else
        verb_print_help(verb);
    return STATUS_DONE;
}

const Verb verb_help = {
    .name = "help",
    .arguments = "[VERB | searches]",
    .summary = "explain the program or a verb",
    .description =
        "Lists the verbs, or explains one. `marelle help searches` lists the searches and\n"
        "their options, which --algo and players of matches take.",
    .example = "help check",
    .unused = "seed threads time playouts quiet verbose kernel",
    .takes = {0, 1},
    .run = run_help,
};
