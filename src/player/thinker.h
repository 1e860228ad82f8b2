/* The search of a player in a thread of its own, so that whoever waits for it can stop waiting: a
 * deadline is kept even if the search overruns it. Meanwhile a second thread builds the circuit of
 * the game and warms up a search on it. */
#pragma once

#include "player/tracker.h"
#include "search/search.h"

typedef struct Thinker Thinker;

/* For the tracker's role and game. NULL with the reason if the method cannot play. */
Thinker *thinker_create(const char *method, const SearchOptions *options, Tracker *tracker,
                        Report *report);
void thinker_free(Thinker *thinker);

/* Whether a better game is ready to be taken. */
bool thinker_has_better(const Thinker *thinker);
/* Whether one is still being built. */
bool thinker_is_building(const Thinker *thinker);
/* Takes it; the tracker goes on with it. Stops the search first. */
void thinker_take_better(Thinker *thinker, Tracker *tracker);

/* Lets a pupil learn to evaluate the game for so long, once and in the background. */
void thinker_learn(Thinker *thinker, const Tracker *tracker, double seconds);
/* Whether the pupil is done, so that what helps can be taken. */
bool thinker_has_lesson(const Thinker *thinker);
/* Takes it; false if there was nothing that helps. Stops the search first. */
bool thinker_take_lesson(Thinker *thinker, const Tracker *tracker);

/* Starts to search, from the tracker's state, until the deadline or thinker_halt. In the start
 * clock there is time to find out how to play. */
void thinker_start(Thinker *thinker, Deadline deadline, bool is_start);
bool thinker_is_idle(const Thinker *thinker);
/* Asks the search to stop; returns at once. */
void thinker_halt(Thinker *thinker);
/* Waits until it has stopped; false if the deadline comes first. */
bool thinker_settle(Thinker *thinker, Deadline deadline);

/* The match has moved on. The search must be idle. */
void thinker_follow(Thinker *thinker, const Tracker *tracker, Followed followed);
/* How an idle search expects the others to play. */
BeliefModel thinker_model(const Thinker *thinker);
/* What an idle search has measured to choose how to play, as a sentence without its full stop;
 * false if it is not of that kind. */
bool thinker_tell_choice(const Thinker *thinker, Text *text);
/* What an idle search has found. */
void thinker_result(Thinker *thinker, SearchResult *result);
/* What a search that is still busy had found a while ago; nothing if it was not told of the last
 * turn. */
void thinker_latest(Thinker *thinker, SearchResult *result);

/* For those who wait: sleeps a millisecond. */
void thinker_nap(void);
