/* Computes three rows of the usual table. Names that are longer than the rows are never
 * suggested. */
#include "gdl/check/suggest.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/symbols.h"

enum { MAX_NAME_LENGTH = 60, MAX_TRIES = 20000 }; /* bytes; candidates per word (untuned) */

static unsigned smaller(unsigned a, unsigned b) {
    return a < b ? a : b;
}

unsigned edit_distance(const char *a, const char *b, unsigned limit) {
    assert(a && b);
    size_t m = strlen(a), n = strlen(b);
    if (m > MAX_NAME_LENGTH || n > MAX_NAME_LENGTH || m > n + limit || n > m + limit)
        return limit + 1;
    unsigned rows[3][MAX_NAME_LENGTH + 1];
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        unsigned least = row[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            char x = ascii_lower(a[i - 1]), y = ascii_lower(b[j - 1]);
            row[j] = smaller(above[j - 1] + (x != y), smaller(above[j], row[j - 1]) + 1);
            bool swapped =
                i > 1 && j > 1 && x == ascii_lower(b[j - 2]) && ascii_lower(a[i - 2]) == y;
            if (swapped)
                row[j] = smaller(row[j], above2[j - 2] + 1);
            least = smaller(least, row[j]);
        }
        if (least > limit)
            return limit + 1;
    }
    return smaller(rows[m % 3][n], limit + 1);
}

Suggestion suggestion_for(const char *word) {
    size_t length = strlen(word);
    unsigned tolerance = length < 3 ? 0 : length < 6 ? 1 : 2;
    return (Suggestion){word, length, NULL, tolerance + 1, MAX_TRIES};
}

void suggestion_offer(Suggestion *suggestion, const char *candidate) {
    if (suggestion->best_distance <= 1 || !suggestion->tries)
        return;
    suggestion->tries--;
    unsigned limit = suggestion->best_distance - 1;
    unsigned distance = edit_distance(suggestion->word, candidate, limit);
    if (distance == 0 || distance > limit)
        return;
    suggestion->best = candidate;
    suggestion->best_distance = distance;
}
