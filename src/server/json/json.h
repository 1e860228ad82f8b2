/* JSON that never fails on odd bytes, and the records of matches in it. */
#pragma once

#include <jansson.h>

#include "server/referee/match.h"

/* A string that may hold any bytes; those that are no UTF-8 become U+FFFD. */
json_t *json_text(const char *text);

/* Each with line, col, severity, code, message and hint. */
json_t *json_diagnostics(const Report *report);

/* The record in the layout of ggp.org, with `goals` by role and the errors again as a flat list
 * `faults`; see docs/reference/protocol.md. */
json_t *json_match(const MatchRecord *record);
