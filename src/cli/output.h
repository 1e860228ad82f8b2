/* Output of the program: results on standard output, complaints on standard error. */
#pragma once

#include "base/report.h"
#include "base/text.h"
#include "server/json/json.h"

/* From here on, standard output and standard error show control characters and characters that
 * reorder text as escapes if they are terminals: names in rules, answers of players and titles in
 * files come from strangers. Colours, line ends and tabs stay. */
void guard_terminals(void);
/* The text as a terminal is shown it; for guard_terminals. Returns the number of bytes that belong
 * to a character or sequence which the rest of the text will complete. */
size_t add_shown_text(Text *out, const char *text, size_t length);
/* From here on, nothing reaches standard output. False if the system does not allow that. */
bool discard_output(void);
/* Clears the screen of a terminal. */
void clear_screen(void);

/* Prints one line "marelle: ..." to standard error. Returns false. */
bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Complains about the command line or unreadable input. Returns STATUS_USAGE. */
#define wrong_usage(...) (complain(__VA_ARGS__), STATUS_USAGE)

/* Prints what was complained about as JSON, unless the status is STATUS_DONE or there is JSON
 * already: with --json, standard output is never empty. Once, at the end. */
void print_errors_json(int status);

/* Prints the object as one line and releases it. */
void print_json(json_t *object);
/* Like print_json, with the game's name as the first key. */
void print_json_about(const char *game, json_t *object);

/* True, after complaining, if an interrupt or the end of the time cut the work on a file short, so
 * that there is nothing whole to write. */
bool was_cut_short(const char *file);

/* Writes the text to a file, or to standard output for `-`. Returns false, with errno, if not all
 * of it could be written. */
bool write_text(const char *path, const Text *text);

/* Prints the errors of the report to standard error. */
void print_failure(const Report *report);

/* Flushes standard output. Returns the status, or STATUS_EXHAUSTED with a complaint if not
 * everything could be written (full disk, closed pipe). */
int finish_output(int status);
