/* Checks a description that could be read: errors (no player can run it), warnings (legal, but
 * probably not intended) and notes. The codes are in codes.h. */
#pragma once

#include "gdl/rules.h"

/* Adds its findings to the report and sorts the report. */
void rules_check(const Rules *rules, Report *report);
