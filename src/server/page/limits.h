/* Rate limits per client address: requests per second, and seconds of search per hour. Clients that
 * have been silent are forgotten when there are too many. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Limits Limits;

/* Requests may come in bursts of four seconds' worth. The time for searches is refilled evenly over
 * the hour. */
Limits *limits_create(double requests_per_second, double thinking_per_hour);
void limits_free(Limits *limits);

/* True if one more request is allowed, which is then counted. `now` is on the wall clock. */
bool limits_request(Limits *limits, const char *client, double now);
/* True if the client has seconds of search left. */
bool limits_may_think(Limits *limits, const char *client, double now);
/* Charges seconds of search to the client. */
void limits_spend(Limits *limits, const char *client, double seconds, double now);
