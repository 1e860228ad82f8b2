/* A text with a name, such as a rule file or a message. Later stages refer to it by byte offset;
 * lines and columns are computed only for diagnostics. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

enum { SOURCE_MAX_SIZE = 1 << 28 }; /* bytes; the largest game of others takes one megabyte */

typedef struct {
    uint32_t line, column; /* from 1; columns count characters, not bytes */
} SourcePlace;

typedef struct {
    char *name;
    char *text; /* NUL-terminated, may contain further NULs */
    size_t length;
    U32Vector line_starts;             /* filled by the first source_place */
    uint32_t last_offset, last_column; /* where the next source_place may continue */
} Source;

typedef struct Report Report;

/* Reads a whole text, decompressed if it is a gzip file; "-" is standard input. NULL with an error
 * in the report if that fails, or if the file is no text. */
Source *source_read(const char *path, Report *report);
/* True if a file that begins with these bytes, all of it or some thousands, is to be read. */
typedef bool SourceIsWanted(const char *bytes, size_t length);
/* The same for files that may hold any bytes; others are refused by what they begin with. */
Source *source_read_if(const char *path, SourceIsWanted *is_wanted, Report *report);
/* Copies the text. NULL with an error in the report if it is larger than SOURCE_MAX_SIZE. */
Source *source_from_text(const char *name, const char *text, size_t length, Report *report);
SourcePlace source_place(Source *source, uint32_t offset);
/* The line number alone; fast even if the text is one line of megabytes. */
uint32_t source_line_number(Source *source, uint32_t offset);
/* The text of a line without its line end. Writes its length. Lines count from 1. */
const char *source_line(Source *source, uint32_t line, size_t *length);
void source_free(Source *source);
