/* Random play of small games in registers. A thread plays a unit of 32 matches, a gate is one LOP3
 * instruction, and whole matches are played in one launch. kernel_source.c writes `networks.h` for
 * a game: its sizes, and functions that evaluate its networks. */
#define S(fluent) s[fluent]
#define N(output) n[output]
#include "network.cuh"

#include "networks.h"

/* Plays one turn in every lane: matches that have ended are counted, the others go on. */
#define TURN(phase)                                                                                \
    if (phase >= skipped) {                                                                        \
        step##phase(s, next, v, &dice);                                                            \
        word ended = next[KEPT] & p->alive;                                                        \
        if (ANY(ended)) {                                                                          \
            goals##phase(s, goals, v, &dice);                                                      \
            count_goals(tally, goals, ended);                                                      \
            end_matches(p, ended);                                                                 \
        }                                                                                          \
        move_on(p, stuck_lanes(next), play->step_limit);                                           \
        copy(s, next);                                                                             \
    }

DEVICE void count_goals(word *tally, const word *goals, word ended) {
    UNROLLED
    for (word i = 0; i < GOALS; i++)
        tally[i] += COUNT(goals[i] & ended);
}

DEVICE word stuck_lanes(const word *next) {
    word stuck = 0;
    UNROLLED
    for (word r = 0; r < ROLES; r++)
        stuck |= next[KEPT + 1 + r];
    return stuck;
}

DEVICE void copy(word *s, const word *next) {
    UNROLLED
    for (word i = 0; i < KEPT; i++)
        s[i] = next[i];
}

DEVICE void load_start(word *s, const word *start, word stride) {
    UNROLLED
    for (word i = 0; i < KEPT; i++)
        s[i] = 0u - (start[i / 32 * stride] >> i % 32 & 1u);
}

DEVICE void play_unit(const Play *play, word unit, Progress *p, word *tally) {
    word s[KEPT + 1], next[KEPT + 1 + ROLES], goals[GOALS + 1], v[SLOTS + 1];
    Dice dice = dice_of_thread(play->seed, unit);
    word skipped = phase_of_unit(play, unit);
    p->left = matches_of_unit(play, unit);
    UNROLLED
    for (word i = 0; i < KEPT; i++)
        s[i] = 0;
    if (play->starts) {
        load_start(s, play->starts + unit, play->stride);
        take_lanes(p, play->step_limit);
        p->left = 0;
    }
    while (ANY(p->alive | p->left)) {
        if (ANY(p->left))
            begin(s, take_lanes(p, play->step_limit));
        EACH_PHASE(TURN)
        skipped = 0;
    }
}

#ifdef __CUDACC__
DEVICE void add_up(wide *total, wide value) {
    for (int distance = 16; distance; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, value);
}

extern "C" __global__ void __launch_bounds__(BLOCK, 2) play(const Play play) {
    word unit = blockIdx.x * blockDim.x + threadIdx.x;
#else
DEVICE void add_up(wide *total, wide value) {
    *total += value;
}

void play(const Play play, word unit) {
#endif
    Progress p = {0};
    word tally[GOALS + 1] = {0};
    play_unit(&play, unit, &p, tally);
    const word counts[FIRST_GOAL] = {p.playouts, p.moves, p.stuck, p.too_long};
    UNROLLED
    for (word i = 0; i < FIRST_GOAL + GOALS; i++) {
        word count = i < FIRST_GOAL ? counts[i] : tally[i - FIRST_GOAL];
        if (play.starts)
            play.results[i * play.stride + unit] = count;
        else
            add_up(&play.totals[i], count);
    }
}
