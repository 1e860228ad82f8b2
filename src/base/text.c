/* The buffer always has room for the final NUL. */
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void text_add_bytes(Text *text, const char *bytes, size_t length) {
    assert(bytes || length == 0);
    vector_reserve(text, text->count + length + 1);
    if (length) /* memcpy must not get a NULL pointer, even for 0 bytes */
        memcpy(text->items + text->count, bytes, length);
    text->count += length;
    text->items[text->count] = '\0';
}

void text_add(Text *text, const char *string) {
    text_add_bytes(text, string, strlen(string));
}

void text_add_char(Text *text, char c) {
    text_add_bytes(text, &c, 1);
}

void text_add_spaces(Text *text, size_t count) {
    vector_reserve(text, text->count + count + 1);
    memset(text->items + text->count, ' ', count);
    text->count += count;
    text->items[text->count] = '\0';
}

void text_add_csv(Text *text, const char *value) {
    text_add_char(text, '"');
    for (; *value; value++) {
        if (*value == '"')
            text_add_char(text, '"');
        text_add_char(text, *value);
    }
    text_add_char(text, '"');
}

void text_add_markup(Text *text, const char *value) {
    static const char *const escapes[256] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    for (; *value; value++) {
        unsigned char c = (unsigned char)*value;
        if (escapes[c])
            text_add(text, escapes[c]);
        else if (c < ' ' && c != '\n' && c != '\t')
            text_add(text, "&#xfffd;");
        else
            text_add_char(text, *value);
    }
}

int text_compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void text_add_sorted(Text *text, const Text *strings) {
    VECTOR(const char *) sorted = {0};
    for (size_t at = 0; at < strings->count; at += strlen(strings->items + at) + 1)
        vector_push(&sorted, strings->items + at);
    vector_sort(&sorted, text_compare);
    for (size_t i = 0; i < sorted.count; i++) {
        if (i && strcmp(sorted.items[i], sorted.items[i - 1]) == 0)
            continue;
        if (i)
            text_add_char(text, ' ');
        text_add(text, sorted.items[i]);
    }
    vector_free(&sorted);
}

bool text_add_file(Text *text, int fd) {
    char block[1 << 16];
    ssize_t got;
    while ((got = read(fd, block, sizeof block)) > 0)
        text_add_bytes(text, block, (size_t)got);
    return got == 0;
}

bool text_write(const Text *text, int fd) {
    for (size_t at = 0; at < text->count;) {
        ssize_t written = write(fd, text->items + at, text->count - at);
        if (written < 0 && errno != EINTR)
            return false;
        at += written > 0 ? (size_t)written : 0;
    }
    return true;
}

void text_printf(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Arena scratch = {0};
    text_add(text, arena_vprintf(&scratch, format, arguments));
    arena_free(&scratch);
    va_end(arguments);
}

const char *text_string(const Text *text) {
    return text->items ? text->items : "";
}

void text_clear(Text *text) {
    text->count = 0;
    if (text->items)
        text->items[0] = '\0';
}
