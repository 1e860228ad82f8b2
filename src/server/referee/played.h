/* Recorded matches, read back for replay: JSON records in the layout of ggp.org, as `marelle match`
 * writes them, and text traces (game/trace.h), in one structure. */
#pragma once

#include "base/memory.h"
#include "base/report.h"
#include "base/vector.h"
#include "game/interpreter/interpreter.h"

typedef struct {
    uint32_t turn;    /* number of joint moves made before the error */
    const char *role; /* NULL if no role is to blame */
    const char *message;
} PlayedFault;

/* The arena of Played owns all texts. Texts that a record does not have are NULL. */
typedef struct {
    const char *id;
    const char *game, *rules; /* name of the game, and its rules in prefix notation */
    uint32_t role_count;
    const char **roles;
    const char **players;        /* by role */
    VECTOR(const char *) states; /* as facts; one more than turns */
    VECTOR(const char **) moves; /* by turn, then role */
    VECTOR(PlayedFault) faults;
    int *goals; /* by role; NULL if the match was not completed */
} PlayedMatch;

typedef struct {
    Arena arena;
    VECTOR(PlayedMatch) matches;
} Played;

/* Reads a file of either kind, recognised by its content. NULL with errors and their places in the
 * file if it is no record. */
Played *played_read(const char *path, Report *report);
void played_free(Played *played);
