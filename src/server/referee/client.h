/* HTTP requests to players: one POST, then an answer or the reason why there is none, within a time
 * limit. */
#pragma once

#include "server/referee/match.h"

PostFunction client_post;
