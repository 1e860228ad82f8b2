/* Conversions to JSON that never fail on odd bytes: texts, names of a game, diagnostics and records
 * of matches. */
#pragma once

#include <jansson.h>

#include "server/referee/match.h"

/* A string of any bytes, or null for NULL; bytes that are not valid UTF-8 become U+FFFD. */
json_t *text_json(const char *text);
/* The text as a string; frees the text. */
json_t *take_text_json(Text *text);
/* An array of strings. */
json_t *texts_json(const char *const *texts, size_t count);

/* An object of pairs: a key, then its value, which the object owns. A pair whose value is NULL is
 * left out. object_add adds such pairs to an object and returns it. */
#define object_of(...) object_add(json_object(), __VA_ARGS__)
#define object_add(object, ...) object_add_pairs(object, __VA_ARGS__, (char *)NULL)
json_t *object_add_pairs(json_t *object, ...) __attribute__((sentinel));
/* A number that counts something. */
static inline json_t *count_json(uint64_t count) {
    return json_integer((json_int_t)count);
}

/* A goal value, or null for a negative number, which stands for none. */
static inline json_t *goal_json(int goal) {
    return goal >= 0 ? json_integer(goal) : json_null();
}
/* Appends the value to the array, which owns it. */
static inline void array_push(json_t *array, json_t *value) {
    json_array_append_new(array, value);
}

/* Names as the rules write them. A move is a number within its role. */
json_t *role_json(const Game *game, uint32_t role);
json_t *fluent_json(const GameWork *work, uint32_t fluent);
json_t *fluents_json(const GameWork *work, const U32Vector *fluents);
json_t *move_json(const GameWork *work, uint32_t role, uint32_t move);

/* The value as compact text; releases the value. */
char *dump_json(json_t *value);
/* Appends the value as compact text; releases the value. */
void write_json(Text *out, json_t *value);

/* An array of objects with line, col, severity, code, message and hint. */
json_t *diagnostics_json(const Report *report);

/* The record in the layout of ggp.org, with `goals` by role and all errors also as a flat list
 * `faults`; see docs/reference/protocol.md. */
json_t *match_json(const MatchRecord *record);
