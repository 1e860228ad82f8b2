/* A player's search in a thread of its own. The player can stop waiting for it, so that a clock is
 * kept even if the search overruns its deadline. Meanwhile a second thread builds the circuit of
 * the game and warms up a search on it.
 *
 * All threads report to the player's monitor: whenever thinker_is_idle, thinker_has_upgrade or
 * thinker_has_new_model becomes true, it is announced there. */
#pragma once

#include "base/monitor.h"
#include "player/tracker.h"
#include "search/search.h"

typedef struct Thinker Thinker;

/* Creates a thinker for the tracker's role and game; its circuit gets kernels of that kind. NULL
 * with the reason if the method cannot play. The monitor must outlive it. */
Thinker *thinker_create(const char *method, const SearchOptions *options, KernelKind kernel,
                        Tracker *tracker, Monitor *monitor, Report *report);
void thinker_free(Thinker *thinker);

/* True if building has ended and thinker_take_upgrade is due. */
bool thinker_has_upgrade(const Thinker *thinker);
/* Replaces the idle search by one on the circuit, if there is one; the tracker follows. */
void thinker_take_upgrade(Thinker *thinker, Tracker *tracker);

/* Starts to learn an evaluation of the game in the background, for `seconds` seconds. Does nothing
 * if learning was started before or while the circuit is being built. */
void thinker_learn(Thinker *thinker, const Tracker *tracker, double seconds);
/* True if learning has ended and thinker_take_new_model is due. */
/* True while an evaluation is being learnt. */
bool thinker_is_learning(const Thinker *thinker);
bool thinker_has_new_model(const Thinker *thinker);
/* Replaces the idle search by one that uses the evaluation, if that helps; the text says why. */
void thinker_take_new_model(Thinker *thinker, const Tracker *tracker, Text *text);

/* Starts to search from the tracker's state until the deadline or thinker_halt. `is_start` is true
 * in the start clock, in which a search may find out how to play. */
void thinker_start(Thinker *thinker, Deadline deadline, bool is_start);
bool thinker_is_idle(const Thinker *thinker);
/* Asks the search to stop; returns at once. */
void thinker_halt(Thinker *thinker);
/* Waits until the search has stopped; false if the deadline comes first. */
bool thinker_settle(Thinker *thinker, Deadline deadline);

/* Tells the idle search how the match has moved on. */
void thinker_follow(Thinker *thinker, const Tracker *tracker, Followed followed);
/* Returns how an idle search expects the others to play. */
BeliefModel thinker_model(const Thinker *thinker);
/* Writes the measurements by which an idle search chose how to play, as a sentence without its full
 * stop. False if it is not a search that chooses. */
bool thinker_tell_choice(const Thinker *thinker, Text *text);
/* The result of an idle search. */
void thinker_result(Thinker *thinker, SearchResult *result);
/* Copies an earlier result of a search that is still busy; the caller frees it. It has no moves if
 * the search has not followed the last turn. */
void thinker_latest(Thinker *thinker, SearchResult *result);
