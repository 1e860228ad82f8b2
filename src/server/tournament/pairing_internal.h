/* Types and functions shared by the files that implement pairing.h. */
#pragma once

#include "server/tournament/pairing.h"

/* The result of two players against each other. */
typedef struct {
    uint32_t round;
    uint32_t players[2];
    long goals[2]; /* sums over completed matches */
    bool is_open;  /* true if a match has not been played yet */
} Encounter;

typedef VECTOR(Encounter) Encounters;

/* Collects the encounters of two players, in the order of their numbers. */
void pairing_collect(const Jobs *jobs, Encounters *encounters);
/* Adds the boards of two players in all games. The player who had the first seat less often gets
 * it. */
void pairing_add_pair(const Definition *definition, Jobs *jobs, uint32_t round, uint32_t a,
                      uint32_t b);

bool swiss_next(const Definition *definition, Jobs *jobs);
void swiss_points(const Definition *definition, const Jobs *jobs, double *points);
bool knockout_next(const Definition *definition, Jobs *jobs);
void knockout_points(const Definition *definition, const Jobs *jobs, double *points);
