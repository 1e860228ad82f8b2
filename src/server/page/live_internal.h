/* Functions shared by the files that implement live.h. */
#pragma once

#include "server/page/live.h"

/* Copies the text into the arena of the match. */
const char *live_keep_text(LiveMatch *match, const char *text);
/* A turn with room for one move per role, in which nobody was asked. */
LiveTurn live_new_turn(LiveMatch *match);
/* A visitor of STORE_THOUGHTS that adds a thought to the match. */
void live_load_thought(void *context, const char *const *texts);
/* Forgets the thoughts from that turn on. */
void live_forget_thoughts(LiveMatch *match, size_t from);
void live_forget_faults(LiveMatch *match);
/* Restarts the belief filter of each human at the initial state. */
void live_renew_filters(LiveMatch *match);

/* True if everybody may see everything: nothing is hidden, or the match is over. Call inside the
 * monitor. */
bool live_shows_all(const LiveMatch *match);
/* Waits until the opening has been replayed. Call inside the monitor. */
void live_settle(LiveMatch *match);
/* The thought as JSON, with at most `max_moves` of its moves. */
json_t *live_thought(const MatchThought *thought, const char *role, size_t max_moves);
