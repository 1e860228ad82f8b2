/* marelle format: lays out rules in the house style, on standard output or in place, or only checks
 * them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/games.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "gdl/write.h"

typedef struct {
    bool check, in_place;
} VerbOptions;

static const Option options[] = {
    {"check", 0, OPTION_FLAG, NULL, OWN(check),
     "only name the files that would change; exit status 1 if any"},
    {"in-place", 'i', OPTION_FLAG, NULL, OWN(in_place), "write the result back into the file"},
};

/* Writes the new text to disk under another name and renames it over the file, so that a failure
 * leaves the old text intact. */
static bool replace_file(const char *path, const Text *text) {
    Text temporary = {0};
    struct stat status;
    char *real = realpath(path, NULL); /* a symbolic link stays a link */
    text_printf(&temporary, "%s.XXXXXX", real ? real : path);
    int file = real && stat(real, &status) == 0 ? mkstemp(temporary.items) : -1;
    bool ok = file >= 0 && fchmod(file, status.st_mode & 07777) == 0 && text_write(text, file) &&
              fsync(file) == 0;
    int reason = errno;
    if (file >= 0 && close(file) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    if (ok && rename(temporary.items, real) != 0) {
        ok = false;
        reason = errno;
    }
    if (!ok) {
        complain("cannot write '%s': %s; it is as it was", path, strerror(reason));
        if (file >= 0)
            unlink(temporary.items);
    }
    free(real);
    vector_free(&temporary);
    return ok;
}

static void print_formatted(const Command *command, const char *file, const Text *text,
                            bool changed) {
    const VerbOptions *own = command->options;
    bool prints_text = !own->check && !own->in_place;
    if (command->common.json) {
        print_json(object_of("file", text_json(file), "changed", json_boolean(changed), "text",
                             prints_text ? text_json(text_string(text)) : NULL));
    } else if (prints_text) {
        fwrite(text_string(text), 1, text->count, stdout);
    } else if (own->check && changed) {
        puts(file);
    }
}

static int format_file(const Command *command, const char *file) {
    const VerbOptions *own = command->options;
    Report report = {0};
    Text text = {0};
    int status = STATUS_DONE;
    Syntax *syntax = NULL;
    if (own->in_place) {
        Source *source = source_read(file, &report);
        syntax = source ? syntax_read(source, &report) : NULL;
    } else {
        syntax = game_read_syntax(file, &report);
    }
    if (!syntax || report_failed(&report)) {
        print_failure(&report);
        status = unreadable_status();
    } else if (rules_format(&text, syntax, syntax->notation), was_cut_short(file)) {
        status = STATUS_EXHAUSTED;
    } else {
        const Source *source = syntax->source;
        bool changed = text.count != source->length ||
                       memcmp(text_string(&text), source->text, text.count) != 0;
        if (own->in_place && changed && !own->check && !replace_file(file, &text))
            status = STATUS_EXHAUSTED;
        else if (own->check && changed)
            status = STATUS_NO;
        print_formatted(command, file, &text, changed);
    }
    syntax_free(syntax);
    vector_free(&text);
    report_free(&report);
    return status;
}

static int run_format(const Command *command) {
    const VerbOptions *own = command->options;
    int status = STATUS_DONE;
    for (size_t i = 0; i < command->argument_count && !interrupt_requested(); i++) {
        const char *file = command->arguments[i];
        if (own->in_place && strcmp(file, "-") == 0)
            return wrong_usage("standard input cannot be changed in place");
        int one = format_file(command, file);
        status = one > status ? one : status;
    }
    return status;
}

const Verb verb_format = {
    .name = "format",
    .arguments = "FILE... [--check | --in-place]",
    .summary = "print descriptions in the house layout",
    .description =
        "Prints each description in the house layout. Comments and the spelling of names\n"
        "are kept; formatting a second time changes nothing. Exit status 2 if a file\n"
        "cannot be read or has unbalanced parentheses: then nothing is written.",
    .example = "format tic_tac_toe",
    VERB_OPTIONS,
    .unused = "seed threads playouts verbose kernel",
    .takes = {1, SIZE_MAX},
    .run = run_format,
};
