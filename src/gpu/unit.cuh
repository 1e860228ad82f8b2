/* What every kernel of random play shares: words of 32 matches, random numbers, what is to be
 * played and how far it is. A unit is one such word: 32 matches that advance together, with
 * counters of their own. Without CUDA the same text is C for one thread after the other, which is
 * how it is tested. */
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

/* The step of SplitMix64 (Steele, Lea and Flood 2014) at that place of its sequence. */
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

/* What to play; playouts.h has the same struct. */
typedef struct {
    wide seed;
    const word *starts; /* bits of the kept fluents: word i of unit u is starts[i * stride + u];
                           NULL for the initial state */
    word *results;      /* with starts: counter i of unit u is results[i * stride + u] */
    wide *totals;       /* without: counters over all units */
    const word *phases; /* with starts: the phase in which units 32 * i to 32 * i + 31 start */
    word units, stride; /* that play, and from one word or counter to the next */
    word each, extra;   /* matches a unit; the first `extra` units play one more */
    word step_limit;    /* turns after which a match is given up, at least; 0: never */
} Play;

enum { UNITS_OF_PHASE = 32 };

DEVICE word phase_of_unit(const Play *play, word unit) {
    return play->starts ? play->phases[unit / UNITS_OF_PHASE] : 0;
}

typedef struct {
    word alive;     /* lanes with a match under way */
    word survivors; /* lanes whose match was under way at the last check of the step limit */
    word left;      /* matches still to begin */
    word turns;     /* since that check */
    word playouts, moves, stuck, too_long;
} Progress;

DEVICE word matches_of_unit(const Play *play, word unit) {
    return unit < play->units ? play->each + (unit < play->extra) : 0;
}

/* Idle lanes in which matches begin now. */
DEVICE word take_lanes(Progress *p) {
    word fresh = ~p->alive;
    while (COUNT(fresh) > p->left)
        fresh &= fresh - 1;
    p->left -= COUNT(fresh);
    p->alive |= fresh;
    p->survivors &= ~fresh;
    return fresh;
}

DEVICE void end_matches(Progress *p, word ended) {
    p->playouts += COUNT(ended);
    p->alive &= ~ended;
}

/* After a turn in which the matches of the lanes `stuck` could not go on. Those that were under
 * way at the last check of the limit as well are at least a limit old. */
DEVICE void move_on(Progress *p, word stuck, word step_limit) {
    stuck &= p->alive;
    p->stuck += COUNT(stuck);
    p->alive &= ~stuck;
    p->moves += COUNT(p->alive);
    if (++p->turns == step_limit) {
        word late = p->survivors & p->alive;
        p->too_long += COUNT(late);
        p->alive &= ~late;
        p->survivors = p->alive;
        p->turns = 0;
    }
}
