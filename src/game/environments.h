/* Many matches of one game that step together with moves that the caller chooses, for those who
 * learn from play. Matches are lanes, 512 in a block; a step is one pass of the kernels per block.
 * A game without a circuit is played match by match. Moves of `random` are drawn here. One seed
 * gives one result, whatever the number of threads.
 *
 *     Environments *e = environments_create(game, &(EnvironmentOptions){.count = 4096});
 *     environments_reset(e, NULL, &outputs);
 *     for (;;) { ... moves from outputs.masks ... environments_step(e, moves, &outputs); } */
#pragma once

#include "game/game.h"

typedef struct {
    uint32_t count;        /* matches; at least 1 */
    uint32_t threads;      /* 0: one */
    uint64_t seed;         /* seed of chance, and of moves that replace illegal ones */
    uint32_t step_limit;   /* turns after which a match ends; 0: never */
    bool keeps_ended;      /* a match that has ended stays as it is until it is reset; else the next
                              one begins in the same step */
    bool replaces_illegal; /* an illegal move is replaced by a random legal one; else the match
                              stays where it is */
    uint32_t room;         /* without a circuit: moves of a role, fluents and percepts of a role
                              that have a bit; 0: ENVIRONMENT_ROOM */
} EnvironmentOptions;

enum { ENVIRONMENT_ROOM = 4096 /* (untuned) */ };

/* What a step did to a match. */
typedef enum {
    END_NONE,     /* it goes on */
    END_TERMINAL, /* it ended */
    END_STUCK,    /* a role has no legal move */
    END_TOO_LONG  /* the step limit is reached */
} EnvironmentEnd;

/* Sizes of the outputs. */
typedef struct {
    uint32_t count, roles;
    uint32_t moves;       /* most moves of a role: bits of a mask */
    uint32_t mask_words;  /* 64-bit words of a mask */
    uint32_t views;       /* observations per match: 1, or one per role if something is hidden */
    uint32_t facts;       /* bits of an observation */
    uint32_t fact_words;  /* 64-bit words of an observation */
    uint32_t plane_cells; /* bytes of the planes of one match; 0 before environments_set_planes */
} EnvironmentShape;

/* The sizes of environments with a circuit, without planes. */
EnvironmentShape environment_shape(const Game *game, uint32_t count);

enum { TURN_NOBODY = -1, TURN_SEVERAL = -2 };

/* Buffers of the caller, each of `count` items of the type that the comment gives; NULL if it is
 * not wanted. */
typedef struct {
    uint8_t *ends;       /* EnvironmentEnd */
    int32_t *rewards;    /* [roles]: goals of a match that became terminal in this step, else 0 */
    int32_t *turns;      /* the player with a choice among several moves, TURN_NOBODY, TURN_SEVERAL
                          */
    uint8_t *illegal;    /* 1 if a move of the last step was illegal */
    uint64_t *masks;     /* [roles][mask_words]: legal moves; none for `random` and ended matches */
    uint8_t *mask_bytes; /* [roles][moves]: the same, a byte per move */
    uint64_t *observations;     /* [views][fact_words]: fluents; percepts if something is hidden */
    uint8_t *observation_bytes; /* [views][facts] */
    uint8_t *planes;            /* [plane_cells] */
} EnvironmentOutputs;

typedef struct Environments Environments;

Environments *environments_create(Game *game, const EnvironmentOptions *options);
void environments_free(Environments *e);
const EnvironmentShape *environments_shape(const Environments *e);

/* Planes are bytes in an order of the caller. A cell shows a fluent, or a constant in all cells of
 * its plane: PLANE_TURN + role is 1 if the role has a choice among several moves. PLANE_BLANK is
 * always 0. The cells are copied. Only with a circuit and without hidden information. */
#define PLANE_BLANK UINT32_MAX
#define PLANE_TURN (UINT32_C(1) << 31)
void environments_set_planes(Environments *e, const uint32_t *cells, uint32_t count);

/* Begins new matches where `which` is not 0 (NULL: everywhere) and fills in the outputs. */
void environments_reset(Environments *e, const uint8_t *which, const EnvironmentOutputs *outputs);
/* One turn in every match: moves[match * roles + role]. The entries of `random` are not read. */
void environments_step(Environments *e, const uint32_t *moves, const EnvironmentOutputs *outputs);

/* True if matches can go on where those of `from` stand: these are others of the same game with the
 * same sizes, keep ended matches only if `to` does, and count turns if `to` does. */
bool environments_can_copy(const Environments *to, const Environments *from);
/* Match `first` + i goes on where match sources[i] of `from` stands, for i below `count`. Random
 * numbers stay those of `to`, whose outputs are filled in (NULL: not wanted) as by a reset. */
void environments_copy(Environments *to, uint32_t first, uint32_t count, const Environments *from,
                       const uint32_t *sources, const EnvironmentOutputs *outputs);

/* The state of a match, with all that is hidden. */
void environments_state(Environments *e, uint32_t match, State *state);
/* Illegal moves since the creation. */
uint64_t environments_illegal_moves(const Environments *e);
/* Without a circuit: how often a move, fluent or percept had no bit left in an output. */
uint64_t environments_lost(const Environments *e);
/* Appends the text of a percept, one of the bits of a role's observations. False if there is none
 * with this number. */
bool environments_percept_text(const Environments *e, uint32_t role, uint32_t number, Text *out);

/* Draws one bit of each mask, all equally likely, and writes its number; MOVE_NONE for a mask
 * without bits. */
void masks_draw(const uint64_t *masks, size_t count, uint32_t words, Random *random,
                uint32_t *moves);
