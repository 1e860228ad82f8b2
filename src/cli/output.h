/* What the program says: results on standard output, complaints on standard error. */
#pragma once

#include "base/report.h"
#include "server/json/json.h"

/* One line "marelle: ..." on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the object as one line and lets it go. */
void print_json(json_t *object);
/* The same with the game's name before the rest. */
void print_json_about(const char *game, json_t *object);

/* Prints what stands in the way of reading a description, on standard error. */
void print_failure(const Report *report);

/* Writes out what is buffered. The status, or STATUS_EXHAUSTED with a complaint if standard output
 * could not take it all (full disk, closed pipe). */
int finish_output(int status);
