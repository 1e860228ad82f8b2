/* What one client may ask for: so many requests a second, so many seconds of thinking an hour. A
 * client is an address. Forgets clients that have been quiet. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Limits Limits;

/* Requests a second may come four at a time; thinking is given back evenly over the hour. */
Limits *limits_create(double requests_a_second, double thinking_an_hour);
void limits_free(Limits *limits);

/* Whether one more request is well; `now` on the wall clock. */
bool limits_request(Limits *limits, const char *client, double now);
/* Whether the client has seconds left to let searches think. */
bool limits_may_think(Limits *limits, const char *client, double now);
/* Takes them off. */
void limits_spend(Limits *limits, const char *client, double seconds, double now);
