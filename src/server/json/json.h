/* Conversions to JSON that never fail on odd bytes: texts, names of a game, diagnostics and records
 * of matches. */
#pragma once

#include <jansson.h>

#include "server/referee/match.h"

/* A string of any bytes; bytes that are not valid UTF-8 become U+FFFD. */
json_t *json_text(const char *text);
/* A string, or null for NULL. */
json_t *json_text_or_null(const char *text);
/* An array of strings. */
json_t *json_texts(const char *const *texts, size_t count);

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
