/* What the files of pairing.h share. */
#pragma once

#include "server/tournament/pairing.h"

/* What two players scored against each other. */
typedef struct {
    uint32_t round;
    uint32_t players[2];
    long goals[2]; /* sums; a match without an end counts nothing */
    bool is_open;  /* some match has not been played */
} Encounter;

typedef VECTOR(Encounter) Encounters;

/* Sums up the encounters of two, in the order of their numbers. */
void pairing_collect(const Jobs *jobs, Encounters *encounters);
/* Adds the boards of two players who meet in all games. */
void pairing_add_pair(const Definition *definition, Jobs *jobs, uint32_t round, uint32_t a,
                      uint32_t b);

bool swiss_next(const Definition *definition, Jobs *jobs);
void swiss_points(const Definition *definition, const Jobs *jobs, double *points);
bool knockout_next(const Definition *definition, Jobs *jobs);
void knockout_points(const Definition *definition, const Jobs *jobs, double *points);
