/* A policy as indented lines and as a graph for graphviz. */
#pragma once

#include "scsp/exact/policy_view.h"

/* Prints at most `max_lines` lines. */
void print_policy(const PolicyView *view, size_t max_lines);
void write_policy_dot(const PolicyView *view, Text *out);
