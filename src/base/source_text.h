/* A text with a name: the bytes of a rule file, a message, a string. Everything later points into
 * it by byte offset; lines and columns are computed only for messages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

enum { SOURCE_LARGEST = 1 << 30 }; /* bytes; offsets are 32 bits wide */

typedef struct {
    uint32_t line, column; /* from 1; columns count characters, not bytes */
} Place;

typedef struct {
    char *name;
    char *text; /* NUL-terminated, may contain further NULs */
    size_t length;
    U32Vector line_starts;             /* filled by the first source_place */
    uint32_t last_offset, last_column; /* of the last source_place; the next may continue there */
} Source;

typedef struct Report Report;

/* Reads a file ("-" is standard input) whole; NULL and an error in the report if it cannot. */
Source *source_read(const char *path, Report *report);
/* Copies the text. NULL and an error in the report if it is larger than SOURCE_LARGEST. */
Source *source_from_text(const char *name, const char *text, size_t length, Report *report);
Place source_place(Source *source, uint32_t offset);
/* The line without the column; fast even if the text is one line of megabytes. */
uint32_t source_line_number(Source *source, uint32_t offset);
/* The line without its end; its length in *length. Lines count from 1. */
const char *source_line(Source *source, uint32_t line, size_t *length);
void source_free(Source *source);
