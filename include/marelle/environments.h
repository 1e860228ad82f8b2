/* Environments: many matches of one game that step together with moves that you choose, for
 * programs that learn from play. Included by <marelle/marelle.h>. A whole program:
 *
 *     #include <marelle/marelle.h>
 *     #include <stdio.h>
 *     #include <stdlib.h>
 *
 *     enum { MATCHES = 1024, STEPS = 100 };
 *
 *     int main(int argc, char **argv) {
 *         MarelleRules *rules;
 *         MarelleGame *game = NULL;
 *         MarelleEnvironments *environments = NULL;
 *         MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
 *         if (status == MARELLE_OK)
 *             status = marelle_game_build(rules, NULL, &game);
 *         if (status == MARELLE_OK) {
 *             MarelleEnvironmentOptions options = {.count = MATCHES};
 *             status = marelle_environments_create(game, &options, &environments, NULL);
 *         }
 *         if (status == MARELLE_OK) {
 *             MarelleEnvironmentShape shape = marelle_environments_shape(environments);
 *             size_t rows = (size_t)MATCHES * shape.roles;
 *             uint64_t *masks = malloc(rows * shape.mask_words * sizeof *masks);
 *             uint32_t *moves = malloc(rows * sizeof *moves);
 *             uint8_t ends[MATCHES];
 *             uint64_t random[4], ended = 0;
 *             MarelleEnvironmentOutputs outputs = {.ends = ends, .masks = masks};
 *             marelle_random_seed(1, random);
 *             marelle_environments_reset(environments, NULL, &outputs);
 *             for (int step = 0; step < STEPS; step++) {
 *                 marelle_masks_draw(masks, rows, shape.mask_words, random, moves);
 *                 marelle_environments_step(environments, moves, &outputs);
 *                 for (int i = 0; i < MATCHES; i++)
 *                     ended += ends[i] == MARELLE_END_TERMINAL;
 *             }
 *             printf("%llu matches ended\n", (unsigned long long)ended);
 *             free(masks);
 *             free(moves);
 *         }
 *         marelle_environments_free(environments);
 *         marelle_game_free(game);
 *         marelle_rules_free(rules);
 *         return status;
 *     }
 *
 * Only one thread at a time may use a MarelleEnvironments; the game may be shared. */
#ifndef MARELLE_ENVIRONMENTS_H
#define MARELLE_ENVIRONMENTS_H

#include <marelle/marelle.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MarelleEnvironments MarelleEnvironments;

/* How the matches are played. Zero in all fields but `count` gives the defaults. */
typedef struct {
    uint32_t count;        /* matches, from 1 to 2^24 */
    uint32_t threads;      /* from 1 to 1024; 0: one. The results do not depend on it. */
    uint64_t seed;         /* seed of chance, and of moves that replace illegal ones */
    uint32_t step_limit;   /* turns after which a match ends; 0: never */
    bool keeps_ended;      /* a match that has ended stays as it is until it is reset; by default
                              the next one begins in the same step */
    bool replaces_illegal; /* an illegal move is replaced by a random legal one; by default the
                              match stays where it is. Both are counted. */
    bool planes;           /* the output `planes` is wanted */
    uint32_t room;         /* without a circuit: moves of a role, fluents and percepts of a role
                              that have a bit, up to 2^20; 0: 4096 */
    uint64_t reserved[4];  /* must be zero */
} MarelleEnvironmentOptions;

/* MARELLE_BAD_ARGUMENT, with *environments NULL, if an option is out of range. */
MARELLE_API MarelleStatus marelle_environments_create(MarelleGame *game,
                                                      const MarelleEnvironmentOptions *options,
                                                      MarelleEnvironments **environments,
                                                      MarelleProblem *problem);
/* NULL is allowed. */
MARELLE_API void marelle_environments_free(MarelleEnvironments *environments);

/* Sizes of the outputs. */
typedef struct {
    uint32_t count, roles; /* roles: with `random`, in the order of the game */
    uint32_t moves;        /* bits of a mask: the most moves that a role has */
    uint32_t mask_words;   /* 64-bit words of a mask */
    uint32_t views;        /* observations of a match: 1, or one per role if something is hidden */
    uint32_t facts;        /* bits of an observation */
    uint32_t fact_words;   /* 64-bit words of an observation */
    /* Planes: 0 if they were not asked for, no board is recognised, something is hidden, or the
     * game has no circuit. */
    uint32_t channels, height, width;
} MarelleEnvironmentShape;

MARELLE_API MarelleEnvironmentShape
marelle_environments_shape(const MarelleEnvironments *environments);

/* What a step did to a match. */
typedef enum {
    MARELLE_END_NONE,     /* it goes on */
    MARELLE_END_TERMINAL, /* it ended in a terminal state */
    MARELLE_END_STUCK,    /* it was given up: a role has no legal move */
    MARELLE_END_TOO_LONG  /* it was given up: the step limit is reached */
} MarelleEnd;

enum { MARELLE_TURN_NOBODY = -1, MARELLE_TURN_SEVERAL = -2 };

/* Your buffers, each with `count` times what the comment says; NULL if it is not wanted. Bit i of a
 * row of words is bit i % 64 of word i / 64. Where a new match began in the same step, `ends` and
 * `rewards` tell about the old one, all others about the new one. */
typedef struct {
    uint8_t *ends;              /* MarelleEnd */
    int32_t *rewards;           /* [roles]: goals if the match became terminal in this step, or 0 */
    int32_t *turns;             /* the player who has several legal moves; MARELLE_TURN_NOBODY;
                                   MARELLE_TURN_SEVERAL if there is more than one */
    uint8_t *illegal;           /* 1 if a move given in this step was illegal */
    uint64_t *masks;            /* [roles][mask_words]: legal moves. None for `random`, whose moves
                                   are drawn inside, and for matches that are over */
    uint8_t *mask_bytes;        /* [roles][moves]: the same, a byte per move */
    uint64_t *observations;     /* [views][fact_words]: bit f is fluent f. In a game with hidden
                                   information: for each role its percepts of this step, none in
                                   matches that just began or did not move */
    uint8_t *observation_bytes; /* [views][facts]: the same, a byte per bit */
    uint8_t *planes;            /* [channels][height][width]: a channel for each kind of piece,
                                   then one for each role, all 1 if it has several legal moves */
} MarelleEnvironmentOutputs;

/* Begins new matches where `which` (a byte per match) is not 0; NULL: everywhere. */
MARELLE_API void marelle_environments_reset(MarelleEnvironments *environments, const uint8_t *which,
                                            const MarelleEnvironmentOutputs *outputs);
/* One turn in every match that is not over: moves[match * roles + role]. Any number may be given;
 * those that are no legal moves are illegal. Entries of `random` are not read. Allocates nothing if
 * the game has a circuit. A match that cannot go on from the initial state stays there. */
MARELLE_API void marelle_environments_step(MarelleEnvironments *environments, const uint32_t *moves,
                                           const MarelleEnvironmentOutputs *outputs);

/* Match `first` + i goes on where match sources[i] of `from` stands, for each i below `count`: its
 * state, whether it is over, and the turns that it has taken. So positions can be kept, and a tree
 * of them searched: copy them, step, and keep what follows. Random numbers stay those of
 * `environments`. Then `outputs` (NULL: not wanted) are filled in for all matches as by a reset
 * that names none. `from` are other environments of the same game and `room`. They have a step
 * limit if `environments` have one, and they keep ended matches only if `environments` do. Else
 * MARELLE_BAD_ARGUMENT, as for a match that is not there; nothing is copied then. */
MARELLE_API MarelleStatus marelle_environments_copy(MarelleEnvironments *environments,
                                                    uint32_t first, uint32_t count,
                                                    const MarelleEnvironments *from,
                                                    const uint32_t *sources,
                                                    const MarelleEnvironmentOutputs *outputs,
                                                    MarelleProblem *problem);

/* Illegal moves since the creation. */
MARELLE_API uint64_t marelle_environments_illegal_moves(const MarelleEnvironments *environments);
/* Without a circuit: how often a move, fluent or percept had no bit. Always 0 with one. */
MARELLE_API uint64_t marelle_environments_lost(const MarelleEnvironments *environments);
/* Copies the state of a match, as its referee knows it: with all that is hidden. */
MARELLE_API MarelleStatus marelle_environments_state(MarelleEnvironments *environments,
                                                     uint32_t match, MarelleState *state);
/* The text of a percept, by its bit in the observations of a role with hidden information; NULL if
 * there is none. Valid until the next call. Texts of fluents: marelle_fluent_text. */
MARELLE_API const char *marelle_environments_percept_text(MarelleEnvironments *environments,
                                                          uint32_t role, uint32_t bit);

/* Starts a stream of random numbers. */
MARELLE_API void marelle_random_seed(uint64_t seed, uint64_t random[4]);
/* Draws one bit of each of `count` masks, all equally likely, and writes its number;
 * MARELLE_NO_MOVE for a mask without bits. Goes on with the stream. */
MARELLE_API void marelle_masks_draw(const uint64_t *masks, size_t count, uint32_t words,
                                    uint64_t random[4], uint32_t *moves);

#ifdef __cplusplus
}
#endif

#endif
