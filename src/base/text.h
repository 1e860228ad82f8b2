/* A growing string. Zero-initialise to use; `items` is NUL-terminated after every call. */
#pragma once

#include <stdbool.h>

#include "base/vector.h"

typedef VECTOR(char) Text;

void text_add_bytes(Text *text, const char *bytes, size_t length);
void text_add(Text *text, const char *string);
void text_add_char(Text *text, char c);
void text_add_spaces(Text *text, size_t count);
/* Appends a string escaped for HTML or XML, also inside quotes. */
void text_add_markup(Text *text, const char *value);
/* Appends a CSV cell, in quotes. */
void text_add_csv(Text *text, const char *value);
void text_printf(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends the strings that follow one another in `strings`, each with its NUL: in ascending order,
 * each once, separated by blanks. */
void text_add_sorted(Text *text, const Text *strings);
/* For qsort and vector_sort: ascending order of `char *`. */
int text_compare(const void *a, const void *b);
/* Appends the rest of a file; false, with errno, if it cannot be read. */
bool text_add_file(Text *text, int fd);
/* Writes the text to a file; false, with errno, if not all of it could be written. */
bool text_write(const Text *text, int fd);
/* The string, never NULL. */
const char *text_string(const Text *text);
void text_clear(Text *text);
