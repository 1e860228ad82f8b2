/* Options as a user writes them, `key=value`, by the rows of tables (search/search_options.h). */
#pragma once

#include "base/report.h"
#include "base/text.h"
#include "search/search_options.h"

/* Reads a value into its field. False, with the field as it was, if it is out of range or of
 * another type. Files are read elsewhere. */
bool option_read(const SearchOption *option, const char *value, void *field);
/* Writes what the option takes, such as "a number from 0 to 1". */
void option_range_text(const SearchOption *option, Text *text);
/* Reads "key=value,..." by the rows of a table, which has no files, into the struct they are fields
 * of. False with the reason in the report. `name` is whose options they are. */
bool options_read(const SearchOption *table, const char *name, const char *text, void *own,
                  Report *report);
