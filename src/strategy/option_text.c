/* Values of options are read by type, and compared with the range in the option's row. */
#include "strategy/option_text.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Writes "a, b or c" for "a|b|c". */
static void add_words(const char *words, Text *text) {
    for (const char *word = words; *word;) {
        size_t length = strcspn(word, "|");
        text_add(text, word == words ? "" : word[length] ? ", " : " or ");
        text_printf(text, "%.*s", (int)length, word);
        word += length + (word[length] != '\0');
    }
}

void option_range_text(const SearchOption *o, Text *text) {
    switch (o->type) {
    case VALUE_FLAG:
        text_add(text, "0 or 1");
        break;
    case VALUE_WORD:
        add_words(o->words, text);
        break;
    case VALUE_FILE:
        text_add(text, "a file");
        break;
    case VALUE_REAL:
        text_printf(text, "a number from %.10g to %.10g", o->least, o->most);
        break;
    case VALUE_UINT32:
    case VALUE_COUNT:
    case VALUE_MEGABYTES:
        text_add(text, "a whole number");
        if (o->most < 0x1p64)
            text_printf(text, " from %.10g to %.10g", o->least, o->most);
        break;
    }
}

static bool read_word(const char *words, const char *value, unsigned *place) {
    size_t length = strlen(value);
    unsigned at = 0;
    for (const char *word = words; word; at++) {
        size_t here = strcspn(word, "|");
        if (here == length && strncmp(word, value, length) == 0) {
            *place = at;
            return true;
        }
        word = word[here] ? word + here + 1 : NULL;
    }
    return false;
}

static bool read_number(const SearchOption *o, const char *value, double *real, uint64_t *count) {
    char *end;
    errno = 0;
    *real = strtod(value, &end);
    if (!*value || *end || !(*real >= o->least && *real <= o->most))
        return false;
    *count = strtoull(value, &end, 10);
    return o->type == VALUE_REAL || (!*end && errno == 0);
}

bool option_read(const SearchOption *o, const char *value, void *field) {
    double real = 0;
    uint64_t count = 0;
    if (o->type == VALUE_WORD)
        return read_word(o->words, value, field);
    if (!read_number(o, value, &real, &count))
        return false;
    switch (o->type) {
    case VALUE_FLAG:
        *(bool *)field = count == 1;
        break;
    case VALUE_UINT32:
        *(uint32_t *)field = (uint32_t)count;
        break;
    case VALUE_COUNT:
        *(uint64_t *)field = count;
        break;
    case VALUE_REAL:
        *(double *)field = real;
        break;
    case VALUE_MEGABYTES:
        *(size_t *)field = (size_t)count << 20;
        break;
    case VALUE_WORD:
    case VALUE_FILE:
        assert(!"read elsewhere");
    }
    return true;
}

/* ---- texts ---- */

static const SearchOption *find(const SearchOption *table, const char *key) {
    for (const SearchOption *o = table; o && o->key; o++)
        if (strcmp(o->key, key) == 0)
            return o;
    return NULL;
}

static bool complain_about_key(const SearchOption *table, const char *name, const char *key,
                               Report *report) {
    Text text = {0};
    for (const SearchOption *o = table; o && o->key; o++)
        text_printf(&text, "%s%s", o == table ? "; there are " : ", ", o->key);
    report_error(report, "bad-option", "`%s` has no option `%s`%s", name, key, text_string(&text));
    vector_free(&text);
    return false;
}

static bool complain_about_value(const SearchOption *o, const char *name, Report *report) {
    Text text = {0};
    option_range_text(o, &text);
    report_error(report, "bad-option", "`%s`: %s takes %s", name, o->key, text_string(&text));
    vector_free(&text);
    return false;
}

bool options_read(const SearchOption *table, const char *name, const char *text, void *own,
                  Report *report) {
    char *copy = memory_strdup(text), *rest = *copy ? copy : NULL;
    bool ok = true;
    for (char *value; ok && (value = strsep(&rest, ","));) {
        const char *key = strsep(&value, "=");
        const SearchOption *option = find(table, key);
        if (!option)
            ok = complain_about_key(table, name, key, report);
        else if (!value || !option_read(option, value, (char *)own + option->field))
            ok = complain_about_value(option, name, report);
    }
    free(copy);
    return ok;
}
