/* How a search has chosen, among several methods, the one that plays: who challenged the incumbent,
 * how these matches went, and what followed. Filled in by search_describe. */
#pragma once

#include "base/text.h"
#include "search/search.h"

typedef enum {
    CHALLENGER_UNFIT,      /* it would play like the incumbent, or cannot play the game */
    CHALLENGER_UNMEASURED, /* the start clock had no time for its matches */
    CHALLENGER_OPEN,       /* its matches have not decided yet */
    CHALLENGER_LOST,       /* it is not clearly stronger and plays no more matches */
    CHALLENGER_WON         /* it is clearly stronger and has replaced the incumbent */
} ChallengerVerdict;

typedef struct {
    const char *name;
    ChallengerVerdict verdict;
    uint64_t won, drawn, lost; /* matches against the incumbent */
    double lead;               /* mean lead per match, -1..1 */
} SearchChallenger;

enum { SEARCH_MAX_CHALLENGERS = 3 };

struct SearchChoice {
    const char *picked;    /* name of the method that plays */
    const char *incumbent; /* name of the method that plays unless another one clearly wins */
    double seconds;        /* CPU seconds per move of the matches; 0 if playouts were counted */
    uint64_t playouts;     /* playouts per move of the matches; 0 if seconds were counted */
    bool is_solved;        /* the first position was solved, so nothing more was measured */
    SearchChallenger challengers[SEARCH_MAX_CHALLENGERS];
    size_t count;
};

/* Number of matches that were played. */
uint64_t search_choice_matches(const SearchChoice *choice);
/* Appends a sentence without its full stop. */
void search_choice_write(const SearchChoice *choice, Text *text);
/* The verdict in words. */
const char *challenger_verdict_text(ChallengerVerdict verdict);
