/* Compares matchings of small random graphs with the best of all matchings. */
#include "server/tournament/matching.h"

#include <criterion/criterion.h>

#include "base/random.h"

/* Returns the greatest number of pairs among the vertices that are still free. */
static unsigned most_pairs(const Matching *m, unsigned taken) {
    unsigned first = 0, best;
    while (first < m->count && taken >> first & 1)
        first++;
    if (first == m->count)
        return 0;
    best = most_pairs(m, taken | 1u << first);
    for (unsigned v = first + 1; v < m->count; v++)
        if (!(taken >> v & 1) && m->edges[first * m->count + v]) {
            unsigned pairs = 1 + most_pairs(m, taken | 1u << first | 1u << v);
            best = pairs > best ? pairs : best;
        }
    return best;
}

static unsigned count_pairs(const Matching *m) {
    unsigned count = 0;
    for (uint32_t v = 0; v < m->count; v++) {
        uint32_t partner = m->partners[v];
        if (partner == MATCHING_NONE)
            continue;
        cr_assert_eq(m->partners[partner], v);
        cr_assert(m->edges[v * m->count + partner]);
        count++;
    }
    return count / 2;
}

static void draw_graph(Matching *m, Random *random, size_t count, unsigned percent) {
    matching_start(m, count);
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < a; b++)
            matching_set_edge(m, a, b, random_below(random, 100) < percent);
}

Test(matching, as_many_pairs_as_there_can_be) {
    Random random;
    random_seed(&random, 1);
    for (unsigned i = 0; i < 3000; i++) {
        Matching m;
        draw_graph(&m, &random, 1 + i % 10, 10 + i % 50);
        unsigned best = most_pairs(&m, 0);
        cr_expect_eq(matching_complete(&m), best * 2 == m.count);
        cr_expect_eq(count_pairs(&m), best);
        matching_free(&m);
    }
}

/* A pair can be fixed if and only if the others can be paired without it. */
Test(matching, fixed_pairs) {
    Random random;
    random_seed(&random, 2);
    for (unsigned i = 0; i < 2000; i++) {
        Matching m;
        draw_graph(&m, &random, 2 + i % 5 * 2, 30 + i % 50);
        bool is_complete = matching_complete(&m);
        unsigned taken = 0;
        for (unsigned a = 0; a < m.count && is_complete; a++)
            for (unsigned b = a + 1; b < m.count; b++) {
                if ((taken >> a & 1) || (taken >> b & 1))
                    continue;
                unsigned both = taken | 1u << a | 1u << b, rest = 0;
                for (unsigned v = 0; v < m.count; v++)
                    rest += !(both >> v & 1);
                bool can = m.edges[a * m.count + b] && most_pairs(&m, both) * 2 == rest;
                cr_assert_eq(matching_fix(&m, a, b), can);
                if (can) {
                    cr_assert_eq(m.partners[a], b);
                    taken = both;
                }
            }
        cr_expect(!is_complete || taken == (1u << m.count) - 1);
        matching_free(&m);
    }
}
