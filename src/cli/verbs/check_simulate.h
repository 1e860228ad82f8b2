/* Checks a description by random matches for errors that no static check finds: a role without a
 * legal move, no or several goal values at the end, matches beyond the step limit. */
#pragma once

#include "cli/options.h"
#include "gdl/rules.h"

/* Plays that many random matches and adds diagnostics to the report. */
void check_simulate(const Rules *rules, uint64_t matches, const CommonOptions *options,
                    Report *report);
