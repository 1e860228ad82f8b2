/* "Did you mean ...?": the candidate nearest to a misspelled word. Start with the word, offer the
 * candidates one by one, ask for the best. Letters count without case. */
#pragma once

#include <stddef.h>

typedef struct {
    const char *word;
    size_t length;
    const char *best; /* NULL while nothing is near enough */
    unsigned best_distance;
    unsigned tries; /* candidates still looked at: bounds the work on hostile input */
} Suggestion;

Suggestion suggestion_for(const char *word);
void suggestion_offer(Suggestion *suggestion, const char *candidate);

/* Insertions, deletions, changes and swaps of neighbours that lead from a to b (Damerau 1964, each
 * letter edited once at most); limit + 1 as soon as it is more than the limit. */
unsigned edit_distance(const char *a, const char *b, unsigned limit);
