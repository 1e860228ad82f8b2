/* The definition of a tournament as its file gives it: format, games with clocks, players. See
 * docs/reference/tournaments.md. The caller opens the games, because it knows where their rules
 * are. */
#pragma once

#include "server/referee/contestant.h"

typedef enum { FORMAT_ROUND_ROBIN, FORMAT_SWISS, FORMAT_KNOCKOUT, FORMAT_DUEL } TournamentFormat;

typedef struct {
    char *name;                   /* a GAME argument, or an id of the page's library */
    double startclock, playclock; /* seconds */
    uint32_t matches; /* per encounter; 0 until the game is set if the file does not say */
    Game *game;       /* owned; NULL until it is set */
    uint32_t seats;   /* number of roles without `random` */
} DefinedGame;

typedef struct {
    char *name;
    TournamentFormat format;
    uint64_t seed;
    uint32_t parallel;   /* matches at a time */
    uint32_t rounds;     /* of a Swiss tournament */
    uint32_t replays;    /* of a drawn encounter in a knock-out */
    uint32_t step_limit; /* most turns of a match; 0: the referee's default */
    VECTOR(DefinedGame) games;
    VECTOR(Contestant) players;
} Definition;

const char *format_name(TournamentFormat format);

/* Reads and checks a text or a file. The definition has to be freed also after a failure. */
bool definition_parse(Definition *definition, Source *source, Report *report);
bool definition_read(Definition *definition, const char *path, Report *report);
void definition_free(Definition *definition);
/* Sets the game of an entry, which takes it over; false with the reason if it cannot be used. */
bool definition_set_game(Definition *definition, size_t index, Game *game, Report *report);

/* Everything that influences pairings and matches, the rules of the games included, as one line of
 * JSON to be freed. Two files with the same identity define the same tournament. */
char *definition_identity(const Definition *definition);
