/* HTTP requests to players: one POST, then an answer or the reason why there is none, within a time
 * limit. */
#pragma once

#include "base/text.h"

typedef enum { POST_ANSWERED, POST_TIMED_OUT, POST_FAILED } PostEnd;

/* Initialises libcurl; to be called before any thread posts. */
void client_prepare(void);

/* Posts the body and waits `seconds` seconds at most. Replaces the text in `answer`, by the reason
 * in words if there is no answer. */
PostEnd client_post(const char *url, const Text *body, double seconds, Text *answer);
