/* A policy as JSON, for `--json` and the page. */
#pragma once

#include <jansson.h>

#include "scsp/exact/policy_view.h"

/* An object with the number of the root, and nodes that name their children by number. */
json_t *json_policy(const PolicyView *view);
