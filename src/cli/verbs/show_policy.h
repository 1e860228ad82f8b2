/* A policy as indented lines. */
#pragma once

#include "scsp/exact/policy_view.h"

/* Prints at most `max_lines` lines. */
void print_policy(const PolicyView *view, size_t max_lines);
