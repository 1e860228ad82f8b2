/* The basis of all kernels for random play. A unit is a word of 32 bits, that is 32 matches that
 * advance together; each unit has its own counters. Without CUDA these files are C code that runs
 * one thread after the other, for tests. */
typedef unsigned int word;
typedef unsigned long long wide;

#ifdef __CUDACC__
#define DEVICE static __device__ __forceinline__
#define RESTRICT __restrict__
#define COUNT(lanes) ((word)__popc(lanes))
#define UNROLLED _Pragma("unroll")
#else
#define DEVICE static inline
#define RESTRICT restrict
#define COUNT(lanes) ((word)__builtin_popcount(lanes))
#define UNROLLED
#endif

/* xoshiro128++ (Blackman and Vigna 2021): 32 random bits at a time. */
typedef struct {
    word a, b, c, d;
} Dice;

DEVICE word rotate(word x, unsigned by) {
    return x << by | x >> (32 - by);
}

DEVICE word roll(Dice *dice) {
    word result = rotate(dice->a + dice->d, 7) + dice->a, shifted = dice->b << 9;
    dice->c ^= dice->a;
    dice->d ^= dice->b;
    dice->b ^= dice->c;
    dice->a ^= dice->d;
    dice->c ^= shifted;
    dice->d = rotate(dice->d, 11);
    return result;
}

/* Item `place` of the sequence that SplitMix64 (Steele, Lea and Flood 2014) makes from a seed. */
DEVICE wide scramble(wide seed, wide place) {
    wide z = seed + (place + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

DEVICE Dice dice_of_thread(wide seed, word thread) {
    wide low = scramble(seed, 2 * (wide)thread), high = scramble(seed, 2 * (wide)thread + 1);
    Dice dice = {(word)low | 1, (word)(low >> 32), (word)high, (word)(high >> 32)};
    return dice;
}

enum { PLAYOUTS, MOVES, STUCK, TOO_LONG, FIRST_GOAL };

/* The argument of the kernel `play`; playouts.h declares the same struct. There are two modes: with
 * start states, each unit has results of its own; without, all units play from the initial state
 * and add to the totals. */
typedef struct {
    wide seed;
    const word *starts; /* bits of the kept fluents: word i of unit u is starts[i * stride + u];
                           NULL for the initial state */
    word *results;      /* only with starts: counter i of unit u is results[i * stride + u] */
    wide *totals;       /* only without starts: counters summed over all units */
    const word *phases; /* only with starts: entry i is the phase in which units 32 * i to 32 * i +
                           31 start */
    word units, stride; /* number of units; words in `starts` or counters in `results` per row */
    word each, extra;   /* matches per unit; the first `extra` units play one more */
    word step_limit;    /* a match that is not over after so many turns is given up; 0: never */
} Play;

enum { UNITS_OF_PHASE = 32 };

DEVICE word phase_of_unit(const Play *play, word unit) {
    return play->starts ? play->phases[unit / UNITS_OF_PHASE] : 0;
}

typedef struct {
    word alive;     /* lanes with a match under way */
    word survivors; /* lanes whose match was under way when the current window of turns began */
    word left;      /* matches still to begin */
    word turn;      /* of the window: 0 to step_limit - 1 */
    word playouts, moves, stuck, too_long;
    word begin_turn[32]; /* bit i of the turn of its window in which a lane's match began */
} Progress;

DEVICE word matches_of_unit(const Play *play, word unit) {
    return unit < play->units ? play->each + (unit < play->extra) : 0;
}

/* Begins matches in idle lanes, if any are left to begin. Returns these lanes. */
DEVICE word take_lanes(Progress *p, word step_limit) {
    word fresh = ~p->alive;
    while (COUNT(fresh) > p->left)
        fresh &= fresh - 1;
    p->left -= COUNT(fresh);
    p->alive |= fresh;
    p->survivors &= ~fresh;
    word turn = p->turn;
    for (word i = 0, bits = step_limit - (step_limit > 0); bits; i++, bits >>= 1, turn >>= 1)
        p->begin_turn[i] = (p->begin_turn[i] & ~fresh) | (turn & 1 ? fresh : 0);
    return fresh;
}

DEVICE void end_matches(Progress *p, word ended) {
    p->playouts += COUNT(ended);
    p->alive &= ~ended;
}

/* Gives up matches that have had `step_limit` turns. Turns are counted in windows of `step_limit`
 * turns: a match that began in turn t of one window is too long in turn t of the next. */
DEVICE void enforce_step_limit(Progress *p, word step_limit) {
    word late = p->survivors & p->alive, turn = p->turn;
    if (!late)
        return;
    for (word i = 0, bits = step_limit - 1; bits; i++, bits >>= 1, turn >>= 1)
        late &= turn & 1 ? p->begin_turn[i] : ~p->begin_turn[i];
    p->too_long += COUNT(late);
    p->alive &= ~late;
}

/* Ends a turn; in the lanes `stuck` a role has no legal move. */
DEVICE void move_on(Progress *p, word stuck, word step_limit) {
    enforce_step_limit(p, step_limit);
    stuck &= p->alive;
    p->stuck += COUNT(stuck);
    p->alive &= ~stuck;
    p->moves += COUNT(p->alive);
    if (++p->turn == step_limit) {
        p->survivors = p->alive;
        p->turn = 0;
    }
}
