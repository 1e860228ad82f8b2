/* `rivals`: games of two players and more, played by the search that has shown to be the strongest.
 * In the start clock other searches play short matches against `parts`, which is what plays unless
 * one of them clearly wins; beside the matches, and as long as they all together, it searches the
 * position that is on the table, so that there is a move at any time. */
#pragma once

#include "base/text.h"
#include "search/choice/sequential_test.h"
#include "search/search.h"

typedef enum {
    RIVAL_UNFIT,   /* it would not differ, or cannot play the game */
    RIVAL_UNHEARD, /* the clock had no room for its matches */
    RIVAL_OPEN,    /* its matches have not decided */
    RIVAL_LOST,    /* it is not clearly stronger: no more matches */
    RIVAL_WON      /* it is what plays now */
} RivalVerdict;

/* One search against the one that is held. */
typedef struct {
    const char *name;
    RivalVerdict verdict;
    Wager wager;
} RivalRecord;

enum { RIVALS_MOST = 3 };

typedef struct {
    const char *picked; /* name of what plays */
    double seconds;     /* a move in these matches; 0 where playouts are counted, or none were */
    uint64_t playouts;  /* likewise */
    RivalRecord records[RIVALS_MOST];
    size_t count;
} RivalsReport;

/* What was measured. False if the search is of another method. */
bool rivals_report(const Search *search, RivalsReport *report);
/* Whether there were matches. */
bool rivals_has_measured(const RivalsReport *report);
/* The same in a sentence, without its full stop. */
void rivals_write(const RivalsReport *report, Text *text);
/* The word for a verdict. */
const char *rival_verdict_word(RivalVerdict verdict);
