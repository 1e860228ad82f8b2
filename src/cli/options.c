/* Parses `--name value`, `--name=value` and `-x`. Words after `--` are arguments even if they start
 * with a hyphen. */
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/kernels.h"
#include "cli/output.h"
#include "cluster/cluster.h"
#include "gdl/check/suggest.h"
#include "search/search.h"

#define COMMON(field) offsetof(CommonOptions, field)

static const Option common_options[] = {
    {"json", 0, OPTION_FLAG, NULL, COMMON(json), "print JSON: one object, or one per line"},
    {"seed", 0, OPTION_COUNT, "N", COMMON(seed), "seed of everything random"},
    {"threads", 0, OPTION_COUNT, "N", COMMON(threads), "threads to work with"},
    {"time", 0, OPTION_SECONDS, "SECONDS", COMMON(seconds),
     "budget of time, by the wall clock unless stated"},
    {"playouts", 0, OPTION_COUNT, "N", COMMON(playouts), "budget of random matches"},
    {"kernel", 0, OPTION_TEXT, KERNEL_CHOICES, COMMON(kernel),
     "how gates are evaluated (default auto: the fastest of this machine)"},
    {"quiet", 'q', OPTION_FLAG, NULL, COMMON(quiet), "print results and errors only"},
    {"verbose", 'v', OPTION_FLAG, NULL, COMMON(verbose), "say more"},
    {"help", 'h', OPTION_FLAG, NULL, COMMON(help), "explain this verb"},
    {"version", 0, OPTION_FLAG, NULL, COMMON(version), "print the version"},
};

enum { COMMON_COUNT = sizeof common_options / sizeof *common_options };

typedef struct {
    Command *command;
    char **words;
    int count, next;
} Parser;

typedef struct {
    const Option *option;
    void *field;
} Target;

static Target find_option(Command *command, const char *name, size_t length, char letter) {
    const Verb *verb = command->verb;
    for (size_t i = 0; i < verb->option_count + COMMON_COUNT; i++) {
        bool own = i < verb->option_count;
        const Option *o = own ? &verb->options[i] : &common_options[i - verb->option_count];
        bool same_name = name && strlen(o->name) == length && memcmp(o->name, name, length) == 0;
        if (same_name || (letter && o->letter == letter))
            return (Target){o, (char *)(own ? command->options : &command->common) + o->field};
    }
    return (Target){NULL, NULL};
}

static bool complain_unknown(const Command *command, const char *word) {
    const Verb *verb = command->verb;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    Suggestion suggestion = suggestion_for(name);
    for (size_t i = 0; word[1] == '-' && i < verb->option_count; i++)
        suggestion_offer(&suggestion, verb->options[i].name);
    for (size_t i = 0; word[1] == '-' && i < COMMON_COUNT; i++)
        suggestion_offer(&suggestion, common_options[i].name);
    if (suggestion.best)
        complain("`%s` has no option `%.*s`; did you mean `--%s`?", verb->name,
                 (int)strcspn(word, "="), word, suggestion.best);
    else
        complain("`%s` has no option `%.*s`; see `marelle %s --help`", verb->name,
                 (int)strcspn(word, "="), word, verb->name);
    return false;
}

int choice_index(const char *choices, const char *word, int otherwise) {
    size_t length = word ? strlen(word) : 0;
    for (int index = 0; length > 0 && *choices; index++) {
        size_t choice = strcspn(choices, "|");
        if (choice == length && memcmp(choices, word, length) == 0)
            return index;
        choices += choice + (choices[choice] == '|');
    }
    return otherwise;
}

static bool store_count(const char *value, uint64_t *field) {
    char *end;
    errno = 0;
    *field = strtoull(value, &end, 10);
    return value[0] >= '0' && value[0] <= '9' && !*end && !errno;
}

static bool store_seconds(const char *value, double *field) {
    char *end;
    *field = strtod(value, &end);
    bool is_plain = (value[0] >= '0' && value[0] <= '9') || value[0] == '.';
    return is_plain && end > value && !*end && isfinite(*field) && *field > 0;
}

static bool complain_no_value(const Option *o) {
    return complain("`--%s` needs a value: --%s %s", o->name, o->name, o->value);
}

static const Option *find_threads(void) {
    const Option *o = common_options;
    while (o->field != COMMON(threads))
        o++;
    return o;
}

static bool store(Target target, const char *value) {
    const Option *o = target.option;
    bool ok = true;
    if (o->kind == OPTION_FLAG)
        *(bool *)target.field = true;
    else if (o->kind == OPTION_COUNT)
        ok = store_count(value, target.field);
    else if (o->kind == OPTION_SECONDS)
        ok = store_seconds(value, target.field);
    else
        *(const char **)target.field = value;
    if (o->kind == OPTION_TEXT && !*value)
        return complain_no_value(o);
    if (o->kind == OPTION_CHOICE)
        ok = choice_index(o->value, value, -1) >= 0;
    if (ok && o == find_threads() && *(const uint64_t *)target.field > SEARCH_MAX_THREADS)
        return complain("`--threads` goes up to %d, not `%s`", SEARCH_MAX_THREADS, value);
    if (!ok)
        complain("`--%s` takes %s%s, not `%s`", o->name,
                 o->kind == OPTION_COUNT        ? "a whole number"
                 : strcmp(o->value, "MIN") == 0 ? "a positive number of minutes"
                 : o->kind == OPTION_SECONDS    ? "a positive number of seconds"
                                                : "one of ",
                 o->kind == OPTION_CHOICE ? o->value : "", value);
    return ok;
}

static bool parse_long(Parser *p, const char *word) {
    size_t length = strcspn(word + 2, "=");
    const char *value = word[2 + length] == '=' ? word + 2 + length + 1 : NULL;
    Target target = find_option(p->command, word + 2, length, 0);
    if (!target.option)
        return complain_unknown(p->command, word);
    if (target.option->kind == OPTION_FLAG && value)
        return complain("`--%s` takes no value", target.option->name);
    if (target.option->kind != OPTION_FLAG && !value) {
        if (p->next == p->count)
            return complain_no_value(target.option);
        value = p->words[p->next++];
    }
    return store(target, value ? value : "");
}

/* Only flags have short forms; several may share a hyphen. */
static bool parse_short(Parser *p, const char *word) {
    for (const char *c = word + 1; *c; c++) {
        Target target = find_option(p->command, NULL, 0, *c);
        if (!target.option)
            return complain_unknown(p->command, word);
        store(target, "");
    }
    return true;
}

static bool check_arguments(const Command *command) {
    const Verb *verb = command->verb;
    if (command->common.help || command->common.version)
        return true;
    if (command->argument_count < verb->takes.fewest)
        return complain("`%s` needs more: marelle %s %s", verb->name, verb->name, verb->arguments);
    if (command->argument_count > verb->takes.most)
        return complain("`%s` has no use for `%s`: marelle %s%s%s", verb->name,
                        command->arguments[verb->takes.most], verb->name,
                        *verb->arguments ? " " : "", verb->arguments);
    return true;
}

bool command_parse(Command *command, const Verb *verb, int count, char **words) {
    *command = (Command){.verb = verb,
                         .cluster = cluster_alone(),
                         .end = deadline_never(),
                         .options = memory_zalloc(verb->options_size),
                         .arguments = memory_zalloc(((size_t)count + 1) * sizeof(char *))};
    Parser p = {command, words, count, 0};
    bool only_arguments = false;
    while (p.next < count) {
        const char *word = words[p.next++];
        bool is_option = !only_arguments && word[0] == '-' && word[1];
        if (!is_option)
            command->arguments[command->argument_count++] = word;
        else if (strcmp(word, "--") == 0)
            only_arguments = true;
        else if (!(word[1] == '-' ? parse_long(&p, word) : parse_short(&p, word)))
            return false;
    }
    if (command->common.seconds > 0)
        command->end = deadline_in(command->common.seconds);
    return check_arguments(command);
}

double command_seconds_left(const Command *command) {
    bool has_time = command->common.seconds > 0;
    return has_time ? fmax(deadline_left(command->end), 1e-3) : 0;
}

void command_free(Command *command) {
    memory_free(command->options, command->arguments);
    *command = (Command){0};
}

static void print_option(const Option *o) {
    enum { COLUMN = 24 };
    char shown[80];
    snprintf(shown, sizeof shown, "--%s%s%s%s%.1s", o->name, o->value ? " " : "",
             o->value ? o->value : "", o->letter ? ", -" : "", &o->letter);
    if (strlen(shown) <= COLUMN)
        printf("  %-*s %s\n", COLUMN, shown, o->summary);
    else
        printf("  %s\n  %*s %s\n", shown, COLUMN, "", o->summary);
}

/* Writes the description of the verb, and the text that a table elsewhere adds to it. */
static void describe(const Verb *verb, Text *out) {
    text_printf(out, "%s\n", verb->description);
    if (verb->describe_more) {
        text_add_char(out, '\n');
        verb->describe_more(out);
    }
}

/* True if the option is among those that do nothing for the verb, or the verb has its own in the
 * place of it. */
static bool is_unused(const Verb *verb, const Option *o) {
    size_t length = strlen(o->name);
    const char *at = verb->unused ? verb->unused : "";
    for (size_t i = 0; i < verb->option_count; i++)
        if (strcmp(verb->options[i].name, o->name) == 0)
            return true;
    while (*at && (strncmp(at, o->name, length) != 0 || (at[length] != ' ' && at[length]))) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    return *at;
}

void verb_print_help(const Verb *verb) {
    Text description = {0};
    describe(verb, &description);
    printf("usage: marelle %s%s%s [OPTION...]\n\n%s", verb->name, *verb->arguments ? " " : "",
           verb->arguments, text_string(&description));
    vector_free(&description);
    if (verb->option_count)
        puts("\nOptions:");
    for (size_t i = 0; i < verb->option_count; i++)
        print_option(&verb->options[i]);
    puts("\nCommon options:");
    for (size_t i = 0; i < COMMON_COUNT; i++)
        if (!is_unused(verb, &common_options[i]))
            print_option(&common_options[i]);
    printf("\nExample:\n  marelle %s\n", verb->example);
}

static json_t *options_json(const Option *options, size_t count) {
    static const char *const kinds[] = {"flag", "count", "seconds", "text", "choice"};
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        const Option *o = &options[i];
        json_t *item = json_pack("{s:s,s:s,s:s}", "name", o->name, "kind", kinds[o->kind],
                                 "summary", o->summary);
        if (o->letter)
            json_object_set_new(item, "letter", json_stringn(&o->letter, 1));
        if (o->value)
            json_object_set_new(item, "value", json_string(o->value));
        array_push(list, item);
    }
    return list;
}

json_t *verb_json(const Verb *verb) {
    Text description = {0};
    describe(verb, &description);
    json_t *object = json_pack(
        "{s:s,s:s,s:s,s:s%,s:s,s:o}", "name", verb->name, "arguments", verb->arguments, "summary",
        verb->summary, "description", text_string(&description), description.count - 1, "example",
        verb->example, "options", options_json(verb->options, verb->option_count));
    vector_free(&description);
    return object;
}

json_t *common_options_json(void) {
    return options_json(common_options, COMMON_COUNT);
}
