/* The files of web/, embedded in the program. tools/embed.py makes the table. */
#pragma once

#include <stddef.h>

typedef struct {
    const char *name, *type;
    const char *tag; /* hash of the content, for caches */
    const unsigned char *bytes;
    size_t length;
} Asset;

extern const Asset assets[]; /* sorted by name */
extern const size_t asset_count;
