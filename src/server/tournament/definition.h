/* What a tournament consists of, as its file says: format, games with clocks, players. See
 * docs/reference/tournaments.md. The games are opened by the caller, who knows where descriptions
 * lie. */
#pragma once

#include "server/referee/contestant.h"

typedef enum { FORMAT_ROUND_ROBIN, FORMAT_SWISS, FORMAT_KNOCKOUT, FORMAT_DUEL } TournamentFormat;

typedef struct {
    char *name; /* a GAME argument */
    double startclock, playclock;
    uint32_t matches; /* of each encounter; 0 until the game is set if the file does not say */
    Game *game;       /* owned; NULL until it is set */
    uint32_t seats;   /* roles but `random` */
} DefinedGame;

typedef struct {
    char *name;
    TournamentFormat format;
    uint64_t seed;
    uint32_t parallel; /* matches at a time */
    uint32_t rounds;   /* of a Swiss tournament */
    uint32_t replays;  /* of a drawn encounter in a knock-out */
    uint32_t step_limit;
    VECTOR(DefinedGame) games;
    VECTOR(Contestant) players;
} Definition;

const char *format_name(TournamentFormat format);

/* Reads and checks a file or a text; free the definition also when that failed. */
bool definition_parse(Definition *definition, Source *source, Report *report);
bool definition_read(Definition *definition, const char *path, Report *report);
void definition_free(Definition *definition);
/* Hands over the game of an entry; false if a tournament cannot have it. */
bool definition_set_game(Definition *definition, size_t index, Game *game, Report *report);

/* Everything that has a say in who plays whom and how, the rules of the games included, as one line
 * of JSON; free it. Two files with the same text here are the same tournament. */
char *definition_identity(const Definition *definition);
