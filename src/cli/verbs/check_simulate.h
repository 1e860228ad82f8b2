/* What random matches find out about a description that no static check can: a role without a
 * legal move, none or several goal values at the end, matches past a step limit. */
#pragma once

#include "cli/options.h"
#include "gdl/rules.h"

/* Plays that many random matches and adds what goes wrong to the report. False, after telling
 * standard error, if it could not. */
bool check_simulate(const Rules *rules, uint64_t matches, const CommonOptions *options,
                    Report *report);
