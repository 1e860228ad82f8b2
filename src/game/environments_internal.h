/* Shared by the files of environments.h: environments.c has what both ways of playing need,
 * environments_lanes.c plays blocks of 512 lanes, environments_single.c match by match. */
#pragma once

#include "base/pool.h"
#include "base/symbols.h"
#include "game/environments.h"
#include "game/lanes.h"
#include "game/mask.h"
#include "game/transpose.h"

/* The memory of one thread. */
typedef struct {
    LaneBatch *batch;
    const Lanes **rows; /* rows of an output, as many as the longest has */
    Lanes *several;     /* by role: lanes in which it has several legal moves */
    uint32_t *joint;    /* one move per role */
    uint64_t *words;    /* a word per lane */
    uint64_t illegal_moves;
} EnvironmentWorker;

struct Environments {
    Game *game;
    EnvironmentOptions options;
    EnvironmentShape shape;
    uint32_t blocks;
    uint64_t *masks;       /* [match][role][mask_words], those of `random` too */
    uint32_t *steps;       /* by match: turns played */
    uint8_t *ends;         /* by match: not END_NONE if it is over and kept */
    uint8_t *nowhere;      /* by match: 0 */
    Random *randoms;       /* by block */
    uint64_t *first_masks; /* [role][mask_words] in the initial state */
    bool *first_several;   /* by role: it has several legal moves in the initial state */
    uint32_t *cells;       /* environments_set_planes */
    EnvironmentWorker *workers;
    Pool *pool;
    /* With a circuit. */
    KernelKind kernel;   /* asked once: the question needs calls of the system */
    Lanes *states;       /* by block: a row per fluent */
    U32Vector *percepts; /* by role: its percepts among those of the circuit */
    /* Without a circuit. */
    GameWork *work;
    State *single, next; /* single: by match */
    U32Vector legal;
    Symbols *names; /* by role: texts of percepts that were met */
    uint64_t lost;
};

/* The matches of a block. */
static inline uint32_t block_size(const Environments *e, size_t block) {
    size_t left = e->shape.count - block * LANES;
    return left < LANES ? (uint32_t)left : LANES;
}

static inline uint64_t *masks_of(const Environments *e, size_t match, uint32_t role) {
    return e->masks + (match * e->shape.roles + role) * e->shape.mask_words;
}

/* Counters of a match that begins. */
static inline void environments_begin(Environments *e, size_t match) {
    e->steps[match] = 0;
    e->ends[match] = END_NONE;
}

/* One bit of the mask at random; MOVE_NONE if there is none. */
ALWAYS_INLINE uint32_t mask_draw(const uint64_t *mask, uint32_t words, Random *random) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++)
        count += (uint32_t)__builtin_popcountll(mask[w]);
    if (!count)
        return MOVE_NONE;
    uint32_t left = count > 1 ? (uint32_t)random_below(random, count) : 0, w = 0;
    for (uint32_t here; left >= (here = (uint32_t)__builtin_popcountll(mask[w])); w++)
        left -= here;
    uint64_t bits = mask[w];
    for (; left; left--)
        bits &= bits - 1;
    return w * 64 + (uint32_t)__builtin_ctzll(bits);
}

/* Completes the joint move of a match in `joint`: moves of `random` are drawn, illegal ones
 * replaced. False if the match stays where it is, as it must where a role has no legal move. */
ALWAYS_INLINE bool complete_moves(Environments *e, EnvironmentWorker *w, size_t match,
                                  const uint32_t *moves, const EnvironmentOutputs *out) {
    const EnvironmentShape *s = &e->shape;
    Random *random = &e->randoms[match / LANES];
    bool is_legal = true, can_move = true;
    for (uint32_t r = 0; r < s->roles; r++) {
        const uint64_t *mask = masks_of(e, match, r);
        uint32_t move = moves[match * s->roles + r];
        if (game_is_chance(e->game, r)) {
            move = mask_draw(mask, s->mask_words, random);
        } else if (move >= s->moves || !(mask[move / 64] >> move % 64 & 1)) {
            is_legal = false;
            w->illegal_moves++;
            move = mask_draw(mask, s->mask_words, random);
        }
        w->joint[r] = move;
        can_move = can_move && move != MOVE_NONE;
    }
    if (out->illegal)
        out->illegal[match] = !is_legal;
    return can_move && (is_legal || e->options.replaces_illegal);
}

/* Plays one block, or with `moves` NULL begins matches in it where `which` says so (NULL:
 * everywhere). */
typedef struct {
    Environments *e;
    const uint32_t *moves;
    const uint8_t *which;
    const EnvironmentOutputs *out;
} EnvironmentTask;

void environments_play_block(const EnvironmentTask *task, size_t block, EnvironmentWorker *w);
void environments_play_single(const EnvironmentTask *task, size_t block, EnvironmentWorker *w);
/* The masks of a block as the caller wants them. */
void environments_give_masks(const Environments *e, size_t block, const EnvironmentOutputs *out);
