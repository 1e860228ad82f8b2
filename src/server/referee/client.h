/* Talking to players over HTTP: one POST, an answer or a reason why not, never later than told. */
#pragma once

#include "base/text.h"

typedef enum { POST_ANSWERED, POST_TIMED_OUT, POST_FAILED } PostEnd;

/* Prepares the library; before any thread posts. */
void client_prepare(void);

/* Replaces the answer; when there is none, it holds the reason in words. */
PostEnd client_post(const char *url, const Text *body, double seconds, Text *answer);
