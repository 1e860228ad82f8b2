/* Swiss rounds. Players that have not met are neighbours in a graph, and a pairing is a perfect
 * matching of it. First any perfect matching is found. Then it is changed, pair by pair, so that
 * players with similar points meet. */
#include <string.h>

#include "server/tournament/matching.h"
#include "server/tournament/pairing_internal.h"

/* Returns 1, 0.5 or 0 points for the first player. */
static double encounter_points(const Encounter *e) {
    return e->goals[0] > e->goals[1] ? 1 : e->goals[0] == e->goals[1] ? 0.5 : 0;
}

typedef struct {
    uint32_t n, vertices; /* number of players; and with one more for the bye if n is odd */
    uint32_t round;
    double *points, *goals;
    uint32_t *met;   /* by a * vertices + b: the number of times they met */
    uint32_t *order; /* players, best first */
} Swiss;

static void note_meeting(Swiss *s, uint32_t a, uint32_t b) {
    s->met[a * s->vertices + b]++;
    s->met[b * s->vertices + a]++;
}

static bool goes_before(const Swiss *s, uint32_t a, uint32_t b) {
    if (s->points[a] != s->points[b])
        return s->points[a] > s->points[b];
    if (s->goals[a] != s->goals[b])
        return s->goals[a] > s->goals[b];
    return a < b;
}

static void note_encounters(Swiss *s, const Encounters *encounters, bool *had_bye) {
    for (size_t i = 0; i < encounters->count; i++) {
        const Encounter *e = &encounters->items[i];
        uint32_t a = e->players[0], b = e->players[1];
        s->points[a] += e->is_open ? 0 : encounter_points(e);
        s->points[b] += e->is_open ? 0 : 1 - encounter_points(e);
        s->goals[a] += (double)e->goals[0];
        s->goals[b] += (double)e->goals[1];
        note_meeting(s, a, b);
        had_bye[e->round * s->n + a] = had_bye[e->round * s->n + b] = false;
    }
}

static void swiss_start(Swiss *s, const Definition *d, const Jobs *jobs) {
    uint32_t n = (uint32_t)d->players.count;
    *s = (Swiss){.n = n, .vertices = n + n % 2};
    s->round = jobs->items.count ? vector_last(&jobs->items).round + 1 : 0;
    s->points = memory_zalloc(n * sizeof *s->points);
    s->goals = memory_zalloc(n * sizeof *s->goals);
    s->met = memory_zalloc((size_t)s->vertices * s->vertices * sizeof *s->met);
    s->order = memory_zalloc(n * sizeof *s->order);
    bool *had_bye = memory_alloc((size_t)s->round * n + 1);
    memset(had_bye, true, (size_t)s->round * n + 1);
    Encounters encounters = {0};
    pairing_collect(jobs, &encounters);
    note_encounters(s, &encounters, had_bye);
    for (uint32_t i = 0; i < s->round * n; i++)
        if (had_bye[i] && n % 2) {
            s->points[i % n] += 1;
            note_meeting(s, i % n, n);
        }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = i;
        for (; place && goes_before(s, i, s->order[place - 1]); place--)
            s->order[place] = s->order[place - 1];
        s->order[place] = i;
    }
    free(had_bye);
    vector_free(&encounters);
}

static void swiss_free(Swiss *s) {
    memory_free(s->points, s->goals, s->met, s->order);
}

/* Pairs that have met more often are allowed only if there is no perfect matching without them. */
static void match_those_who_met_least(const Swiss *s, Matching *matching) {
    for (uint32_t most = 0;; most++) {
        for (uint32_t a = 0; a < s->vertices; a++)
            for (uint32_t b = 0; b < a; b++)
                if (s->met[a * s->vertices + b] <= most)
                    matching_set_edge(matching, a, b, true);
        if (matching_complete(matching))
            return;
    }
}

/* The bye goes to the last player that can have it. Then each player, best first, meets the nearest
 * one in the standings that allows a pairing of all others. */
bool swiss_next(const Definition *definition, Jobs *jobs) {
    const Definition *d = definition;
    Swiss s;
    swiss_start(&s, d, jobs);
    bool goes_on = s.round < d->rounds;
    if (goes_on) {
        Matching matching;
        bool *is_paired = memory_zalloc(s.vertices * sizeof *is_paired);
        matching_start(&matching, s.vertices);
        match_those_who_met_least(&s, &matching);
        for (uint32_t i = s.n; s.n % 2 && i-- > 0;)
            if (matching_fix(&matching, s.n, s.order[i])) {
                is_paired[s.order[i]] = true;
                break;
            }
        for (uint32_t i = 0; i < s.n; i++)
            for (uint32_t k = i + 1; k < s.n && !is_paired[s.order[i]]; k++)
                if (!is_paired[s.order[k]] && matching_fix(&matching, s.order[i], s.order[k])) {
                    is_paired[s.order[i]] = is_paired[s.order[k]] = true;
                    pairing_add_pair(d, jobs, s.round, s.order[i], s.order[k]);
                }
        matching_free(&matching);
        free(is_paired);
    }
    swiss_free(&s);
    return goes_on;
}

void swiss_points(const Definition *definition, const Jobs *jobs, double *points) {
    Swiss s;
    swiss_start(&s, definition, jobs);
    memcpy(points, s.points, s.n * sizeof *points);
    swiss_free(&s);
}
