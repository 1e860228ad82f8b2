/* The definition of a tournament as its file gives it: format, games with clocks, players. See
 * docs/reference/tournaments.md. The caller opens the games, because it knows where their rules
 * are. */
#pragma once

#include "server/referee/contestant.h"

typedef enum { FORMAT_ROUND_ROBIN, FORMAT_SWISS, FORMAT_KNOCKOUT, FORMAT_DUEL } TournamentFormat;

typedef struct {
    char *name;                   /* a GAME argument, or an id of the page's library */
    double startclock, playclock; /* seconds */
    /* Matches per encounter; 0 until the game is set, if the file gives no number. */
    uint32_t matches;
    Game *game;     /* owned; NULL until it is set */
    uint32_t seats; /* number of roles except `random` */
} DefinedGame;

typedef struct {
    char *name;
    TournamentFormat format;
    uint64_t seed;
    uint32_t parallel;   /* matches at the same time */
    uint32_t rounds;     /* rounds of a Swiss tournament */
    uint32_t replays;    /* replays of a drawn encounter in a knock-out, at most */
    uint32_t step_limit; /* turns after which a match is broken off; 0: the referee's default */
    VECTOR(DefinedGame) games;
    VECTOR(Contestant) players;
} Definition;

const char *format_name(TournamentFormat format);

/* Reads and checks a text or a file. Call definition_free even after a failure. */
bool definition_parse(Definition *definition, Source *source, Report *report);
bool definition_read(Definition *definition, const char *path, Report *report);
void definition_free(Definition *definition);
/* Sets the game of an entry and takes ownership of it. False with the reason if it cannot be
 * used. */
bool definition_set_game(Definition *definition, size_t index, Game *game, Report *report);

/* Returns everything that influences pairings and matches, including the rules of the games, as one
 * line of JSON. The caller frees it. Two files with the same identity define the same
 * tournament. */
char *definition_identity(const Definition *definition);
