/* The searches and their options, for `marelle help searches`. From its JSON come the completions,
 * the manual and the page's list (tools/generate_reference.py). */
#pragma once

#include <stdbool.h>

void print_search_help(bool as_json);
