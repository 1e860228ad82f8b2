/* Describes in words how a search was chosen. */
#include "search/choice/search_choice.h"

#include <assert.h>

static uint64_t matches_of(const SearchChallenger *challenger) {
    return challenger->won + challenger->drawn + challenger->lost;
}

const char *challenger_verdict_text(ChallengerVerdict verdict) {
    static const char *const texts[] = {[CHALLENGER_UNFIT] = "unfit",
                                        [CHALLENGER_UNMEASURED] = "not measured",
                                        [CHALLENGER_OPEN] = "undecided",
                                        [CHALLENGER_LOST] = "not stronger",
                                        [CHALLENGER_WON] = "stronger"};
    assert(verdict < sizeof texts / sizeof *texts);
    return texts[verdict];
}

bool search_choice_is_measured(const SearchChoice *choice) {
    assert(choice->count <= SEARCH_MOST_CHALLENGERS);
    for (size_t i = 0; i < choice->count; i++)
        if (matches_of(&choice->challengers[i]))
            return true;
    return false;
}

void search_choice_write(const SearchChoice *choice, Text *text) {
    text_printf(text, "%s plays", choice->picked);
    if (!search_choice_is_measured(choice))
        text_add(text, ", nothing was measured");
    else if (choice->seconds > 0)
        text_printf(text, ", after matches against %s with %.4g s per move", choice->incumbent,
                    choice->seconds);
    else
        text_printf(text, ", after matches against %s with %lu playouts per move",
                    choice->incumbent, (unsigned long)choice->playouts);
    for (size_t i = 0; i < choice->count; i++) {
        const SearchChallenger *c = &choice->challengers[i];
        if (matches_of(c))
            text_printf(text, "; %s won %lu, drew %lu, lost %lu, %+.1f on average (%s)", c->name,
                        (unsigned long)c->won, (unsigned long)c->drawn, (unsigned long)c->lost,
                        100 * c->lead, challenger_verdict_text(c->verdict));
    }
}
