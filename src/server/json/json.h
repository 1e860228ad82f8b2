/* Conversions to JSON that never fail on odd bytes: texts, names of a game, diagnostics and records
 * of matches. */
#pragma once

#include <jansson.h>

#include "server/referee/match.h"

/* A string of any bytes, or null for NULL; bytes that are not valid UTF-8 become U+FFFD. */
json_t *json_text(const char *text);
/* The text as a string; frees the text. */
json_t *json_take(Text *text);
/* An array of strings. */
json_t *json_texts(const char *const *texts, size_t count);

/* An object of pairs: a key, then its value, which the object owns. A pair whose value is NULL is
 * left out. json_add adds such pairs to an object and returns it. */
#define json_of(...) json_add(json_object(), __VA_ARGS__)
#define json_add(object, ...) json_add_pairs(object, __VA_ARGS__, (char *)NULL)
json_t *json_add_pairs(json_t *object, ...) __attribute__((sentinel));
/* A number that counts something. */
static inline json_t *json_count(uint64_t count) {
    return json_integer((json_int_t)count);
}

/* A goal value, or null for a negative number, which stands for none. */
static inline json_t *json_goal(int goal) {
    return goal >= 0 ? json_integer(goal) : json_null();
}
/* Appends the value to the array, which owns it. */
static inline void json_push(json_t *array, json_t *value) {
    json_array_append_new(array, value);
}

/* Names as the rules write them. A move is a number within its role. */
json_t *json_role(const Game *game, uint32_t role);
json_t *json_fluent(const GameWork *work, uint32_t fluent);
json_t *json_fluents(const GameWork *work, const U32Vector *fluents);
json_t *json_move(const GameWork *work, uint32_t role, uint32_t move);

/* The value as compact text; releases the value. */
char *json_dump(json_t *value);
/* Appends the value as compact text; releases the value. */
void json_write(Text *out, json_t *value);

/* An array of objects with line, col, severity, code, message and hint. */
json_t *json_diagnostics(const Report *report);

/* The record in the layout of ggp.org, with `goals` by role and all errors also as a flat list
 * `faults`; see docs/reference/protocol.md. */
json_t *json_match(const MatchRecord *record);
