/* marelle translate: writes a game in another notation. */
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/verbs.h"
#include "gdl/asp.h"
#include "gdl/write.h"

typedef struct {
    const char *to;
} VerbOptions;

static const Option options[] = {
    {"to", 0, OPTION_CHOICE, "kif|infix|asp|plan", OWN(to),
     "prefix, infix, answer set program, or a planning problem as one"},
};

static int translate(const Command *command, const Rules *rules) {
    const VerbOptions *own = command->options;
    if (!own->to)
        return wrong_usage("`translate` needs to know the notation: --to kif|infix|asp|plan");
    Text text = {0};
    if (strcmp(own->to, "asp") == 0)
        rules_write_asp(&text, rules);
    else if (strcmp(own->to, "plan") == 0)
        rules_write_plan(&text, rules);
    else
        rules_format(&text, rules->syntax,
                     strcmp(own->to, "kif") == 0 ? NOTATION_KIF : NOTATION_INFIX);
    if (was_cut_short(command->arguments[0])) {
        vector_free(&text);
        return STATUS_EXHAUSTED;
    }
    if (command->common.json)
        print_json(json_pack("{s:o,s:s,s:o}", "file", text_json(command->arguments[0]), "to",
                             own->to, "text", text_json(text_string(&text))));
    else
        fwrite(text_string(&text), 1, text.count, stdout);
    vector_free(&text);
    return STATUS_DONE;
}

const Verb verb_translate = {
    .name = "translate",
    .arguments = "GAME --to kif|infix|asp|plan",
    .summary = "print a description in another notation",
    .description = "Prints the description in prefix notation (kif), in the infix notation of\n"
                   "Stanford (infix), comments kept, or as an answer set program that gringo and\n"
                   "clingo read: the rules for one state (asp), or the search for joint moves\n"
                   "that end the match with a goal after so many turns (plan).",
    .example = "translate tic_tac_toe --to infix",
    VERB_OPTIONS,
    .unused = "seed threads playouts quiet verbose kernel",
    .takes = {1, 1},
    .read = translate,
};
