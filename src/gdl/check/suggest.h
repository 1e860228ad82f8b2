/* "Did you mean ...?": finds the candidate nearest to a misspelled word. Start with the word, offer
 * the candidates one by one, then read the best. Case is ignored. */
#pragma once

#include <stddef.h>

typedef struct {
    const char *word;
    size_t length;
    const char *best; /* NULL if no candidate is near enough */
    unsigned best_distance;
    unsigned tries; /* candidates that may still be compared; bounds the work on hostile input */
} Suggestion;

Suggestion suggestion_for(const char *word);
void suggestion_offer(Suggestion *suggestion, const char *candidate);

/* The number of insertions, deletions, changes and swaps of neighbours that lead from a to b
 * (Damerau 1964, each letter edited at most once). limit + 1 if it is greater than the limit. */
unsigned edit_distance(const char *a, const char *b, unsigned limit);
