/* The searches and their options, for `marelle help searches`. tools/generate_reference.py makes
 * the shell completions, the manual and the page's list from the JSON form. */
#pragma once

#include <stdbool.h>

void print_search_help(bool as_json);
