/* The command line: verbs, their options as tables, and one parser for all of them. A verb declares
 * a struct for its options and says in a table which option goes to which field. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Exit statuses, as scripts know them. */
enum {
    STATUS_DONE = 0,
    STATUS_NO = 1,        /* the answer is no: errors found, difference found */
    STATUS_USAGE = 2,     /* wrong usage or unreadable input */
    STATUS_EXHAUSTED = 3, /* budget or resource */
};

typedef enum {
    OPTION_FLAG,    /* bool */
    OPTION_COUNT,   /* uint64_t, a whole number */
    OPTION_SECONDS, /* double, a positive number */
    OPTION_TEXT,    /* const char *, anything but the empty string */
    OPTION_CHOICE,  /* const char *, one of the words of `value`, which are separated by | */
} OptionKind;

typedef struct {
    const char *name; /* without its hyphens */
    char letter;      /* of the short form; 0 if it has none */
    OptionKind kind;
    const char *value; /* what the help calls it; NULL for a flag */
    size_t field;      /* offset in the options struct */
    const char *summary;
} Option;

/* Options every verb takes; those without a use for one ignore it. */
typedef struct {
    bool json, quiet, verbose, help, version;
    uint64_t seed, threads, playouts;
    double seconds; /* of wall-clock time; 0 if no budget was given */
} CommonOptions;

typedef struct Command Command;

typedef struct {
    const char *name;
    const char *arguments; /* as the usage line shows them, with the verb's own options */
    const char *summary;   /* one line for the list of verbs */
    const char *description;
    void (*describe_more)(Text *out); /* appends what a table elsewhere lists; NULL: nothing */
    const char *example;              /* a command that works, without the `marelle` */
    const Option *options;
    size_t option_count;
    size_t options_size; /* of the struct they fill */
    size_t fewest_arguments, most_arguments;
    bool is_distributed; /* processes of a cluster share the work; else the first one does it */
    int (*run)(const Command *command); /* returns the exit status */
} Verb;

struct Command {
    const Verb *verb;
    struct Cluster *cluster; /* often of one process; never NULL */
    CommonOptions common;
    void *options; /* the verb's struct, zero where nothing was said */
    const char **arguments;
    size_t argument_count;
};

/* Fills the command from the words after the verb. False after telling standard error what is
 * wrong. Free it either way. */
bool command_parse(Command *command, const Verb *verb, int count, char **words);
void command_free(Command *command);

/* Usage, description, options and example of a verb, on standard output. */
void verb_print_help(const Verb *verb);
