/* The search methods and their options, in words and as JSON. */
#pragma once

#include <jansson.h>

#include "strategy/strategy.h"

/* An object with the list `searches`. */
json_t *searches_json(void);
/* All ways to solve a game, with their options. */
json_t *solving_methods_json(void);
/* The options of a table, which ends with a row without a key. */
json_t *options_json(const SearchOption *table);

/* The type of an option, such as "whole number". */
const char *search_option_type(ValueType type);
/* Writes the range of an option, such as "0 or 1", "0 to 1024" or "sum|sum10|best"; empty if any
 * value is allowed. */
const char *search_option_range(const SearchOption *o, Text *text);
