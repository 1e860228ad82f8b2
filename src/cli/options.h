/* The command line: verbs, their options as tables, and one parser for all of them. A verb declares
 * a struct for its options and says in a table which option goes to which field. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"

/* Exit statuses, as scripts know them. */
enum {
    STATUS_DONE = 0,
    STATUS_NO = 1,        /* the answer is no: errors found, difference found */
    STATUS_USAGE = 2,     /* wrong usage or unreadable input */
    STATUS_EXHAUSTED = 3, /* a budget or resource is exhausted */
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
    char letter;      /* letter of the short form; 0 if there is none */
    OptionKind kind;
    const char *value; /* placeholder of the value in the help; NULL for a flag */
    size_t field;      /* offset of the field in the options struct */
    const char *summary;
} Option;

/* Options that every verb accepts. A verb that has no use for one ignores it. */
typedef struct {
    bool json, quiet, verbose, help, version;
    uint64_t seed, threads, playouts;
    /* Budget of time, wall-clock unless the verb says otherwise; 0: none was given. */
    double seconds;
    const char *kernel;     /* name of a kernel; NULL: auto */
    KernelKind kernel_kind; /* the kernel of that name */
} CommonOptions;

typedef struct Command Command;

/* What --time means to a verb. */
typedef enum {
    TIME_OF_COMMAND, /* the whole command ends then, by the wall clock */
    TIME_OF_PARTS,   /* a budget of parts of the work, or of CPU time; the verb keeps it */
} TimeMeaning;

typedef struct {
    const char *name;
    const char *arguments; /* as the usage line shows them, with the verb's own options */
    const char *summary;   /* one line for the list of verbs */
    const char *description;
    /* Appends a text made from a table elsewhere; NULL: nothing. */
    void (*describe_more)(Text *out);
    const char *example; /* a working command, without the word `marelle` */
    const Option *options;
    size_t option_count;
    size_t options_size; /* size of the struct that the options fill, in bytes */
    const char *unused;  /* common options that do nothing here, separated by blanks; NULL: none */
    TimeMeaning time;
    struct {
        size_t fewest, most;
    } takes;             /* numbers of arguments */
    bool is_distributed; /* true if the processes of a cluster share the work; else the first one
                            does it all */
    /* What the verb does; returns the exit status. It has exactly one of these functions: one that
     * is given the command alone, or also the game or the rules of the first argument. */
    int (*run)(const Command *command);
    int (*play)(const Command *command, Game *game);
    int (*read)(const Command *command, const Rules *rules);
    const GameOptions *build; /* how the game of `play` is built; NULL: as usual */
} Verb;

/* A verb with options calls their struct VerbOptions and their table `options`. These are the
 * offset of a field in the table, and the fields of the Verb that follow. */
#define OWN(field) offsetof(VerbOptions, field)
#define VERB_OPTIONS                                                                               \
    .options = options, .option_count = sizeof options / sizeof *options,                          \
    .options_size = sizeof(VerbOptions)

struct Command {
    const Verb *verb;
    struct Cluster *cluster; /* never NULL; a cluster of one process unless started by mpirun */
    CommonOptions common;
    Deadline end;  /* when its --time is over, counted from the start; never without that */
    void *options; /* the verb's own struct; zero where an option was not given */
    const char **arguments;
    size_t argument_count;
};

/* Fills the command from the words after the verb. Returns false, with the reason on standard
 * error, if they are wrong. Call command_free either way. */
bool command_parse(Command *command, const Verb *verb, int count, char **words);
void command_free(Command *command);

/* Seconds of --time that are left, at least a thousandth; 0 if there is no --time. */
double command_seconds_left(const Command *command);

/* The number of a word among choices that are separated by |, as in a table of options; `otherwise`
 * if it is none of them or NULL. */
int choice_index(const char *choices, const char *word, int otherwise);

/* Prints usage, description, options and example of a verb to standard output. */
void verb_print_help(const Verb *verb);
/* The tables behind the help as JSON: one verb, and the options of all verbs. The caller owns the
 * reference. */
json_t *verb_json(const Verb *verb);
json_t *common_options_json(void);
