/* Environments on a device: matches that step together with moves of the caller. A block of threads
 * has a group of 1,024 matches. All that is known about them is in rows: one for each fluent, move,
 * goal and so on, with a word for each of 32 units, and a bit of it for each of the unit's matches.
 * Inputs and outputs of the caller, which are ordered by match, are read and written by all threads.
 * gpu_environments.c writes `networks.h` for a game: the sizes in capital letters below and, unless
 * it is INTERPRETED, its networks as functions, which the first 32 threads evaluate, a unit each:
 * next0, answers0 (legal moves, and whether a state is terminal), goals0 and sees0. Large networks
 * are data (environment_program.c) that all threads interpret, gate by gate. */
enum { GROUP_UNITS = 32, GROUP = 32 * GROUP_UNITS };

/* STRIDE is the number of words of a row. In shared memory it is one more than there are units. So
 * threads that read one row for different units, and threads that read different rows for one unit,
 * find their words in different banks. */
#define S(input) s[(input) * STRIDE]
#define N(output) n[(output) * STRIDE]
#include "network.cuh"

#include "networks.h"

#ifdef __CUDACC__
/* Loops over all words of some rows: threads side by side have the units of a row. */
#define EACH_UNIT(g, unit) for (word unit = (g)->thread % 32, ends = 0; !ends; ends = 1)
#define EACH_ROW(g, row, rows)                                                                     \
    for (word row = (g)->thread / 32; row < (rows); row += (g)->threads / 32)
#define SYNC() __syncthreads()
#define SYNC_ANY(condition) __syncthreads_or(condition)
/* Makes a word of the conditions of the 32 lanes of a unit, which are 32 threads side by side. */
#define SET_LANE(place, lane, condition)                                                           \
    {                                                                                              \
        word lanes = __ballot_sync(0xffffffffu, (condition) != 0);                                 \
        if ((lane) == 0)                                                                           \
            (place) = lanes;                                                                       \
    }
#define OR(place, bits) atomicOr(&(place), bits)
/* All lanes of a unit with the same place, NULL for none, set their bits there. */
#define SET_LANES_OF(place, lane)                                                                  \
    {                                                                                              \
        word *there = (place);                                                                     \
        word same = __match_any_sync(0xffffffffu, (wide)there);                                    \
        if (there && (lane) + 1 == (word)__ffs((int)same))                                         \
            *there = same;                                                                         \
    }
#define ADD(place, count) atomicAdd(place, (wide)(count))
#define COUNT_WIDE(lanes) ((word)__popcll(lanes))
#else
#define EACH_UNIT(g, unit) for (word unit = 0; unit < GROUP_UNITS; unit++)
#define EACH_ROW(g, row, rows) for (word row = 0; row < (rows); row++)
#define SYNC() ((void)0)
#define SYNC_ANY(condition) (condition)
#define SET_LANE(place, lane, condition)                                                           \
    (place) = ((place) & ~(1u << (lane))) | (word)((condition) != 0) << (lane);
#define OR(place, bits) ((place) |= (bits))
#define SET_LANES_OF(place, lane)                                                                  \
    {                                                                                              \
        word *there = (place);                                                                     \
        if (there)                                                                                 \
            *there |= 1u << (lane);                                                                \
    }
#define ADD(place, count) (*(place) += (count))
#define COUNT_WIDE(lanes) ((word)__builtin_popcountll(lanes))
#endif

typedef unsigned char byte;

/* A gate of an interpreted network: rows of its operands and of its result, and its function as a
 * polynomial over GF(2): k7 abc + k6 ab + k5 ac + k4 a + k3 bc + k2 b + k1 c + k0. */
typedef struct {
    word a, b, c;
    word result; /* row: 24 bits, coefficients: 8 bits */
} Gate;

/* Gates of a round do not depend on each other. */
typedef struct {
    word first_round, end_round;
    word first_pair, pairs; /* of a loop: pairs in the lists, rows of a variable and its update */
    word is_loop;
} Segment;

/* The argument of the kernel `step`; gpu_environments.h declares the same struct. Outputs are NULL
 * if nobody wants them; game/environments.h says what is in them. */
typedef struct {
    const word *moves; /* by match and role; NULL: matches begin */
    const byte *which; /* where they begin, by match; NULL: everywhere */
    word *states;      /* by group: rows of fluents */
    word *legal;       /* by group: rows of moves, those of `random` too */
    byte *kept_ends;   /* by match: how it ended, if it stays as it is; NULL if matches do not */
    word *turns_played; /* by match; NULL without a step limit */
    const word *table;  /* facts about the game; see below */
    wide *illegal_moves; /* their number */
    byte *ends;
    int *rewards, *turns;
    byte *illegal;
    wide *masks;
    byte *mask_bytes;
    wide *observations;
    byte *observation_bytes, *planes;
    const word *cells; /* of the planes of a match */
    const Gate *gates;
    const word *rounds; /* first gate of each; then the number of gates */
    const Segment *segments;
    const word *lists;
    word *arenas; /* rows of all blocks, if they are not in shared memory */
    wide seed, round;  /* round: number of the call, for random numbers */
    word count;        /* matches */
    word step_limit, replaces_illegal, plane_cells;
} Step;

/* The table, one list after the other. */
enum {
    FIRST_SEVERAL = 0,               /* by role: all ones if it has several moves initially */
    INITIAL = FIRST_SEVERAL + ROLES, /* by fluent: all ones if it holds initially */
    FIRST_LEGAL = INITIAL + FLUENTS  /* by move: all ones if it is legal initially */
};

/* By role its first move and its first percept; then their number. Where the role is known when
 * this is compiled, so is the result. */
DEVICE word first_move(word role) {
    const word firsts[] = {FIRST_MOVES};
    return firsts[role];
}

DEVICE word first_percept(word role) {
    const word firsts[] = {FIRST_PERCEPTS};
    return firsts[role];
}

DEVICE word goal_role(word goal) {
    const word roles[] = {GOAL_ROLES};
    return roles[goal];
}

DEVICE word goal_value(word goal) {
    const word values[] = {GOAL_VALUES};
    return values[goal];
}

DEVICE word moves_of(word role) {
    return first_move(role + 1) - first_move(role);
}

/* The rows. What is legal before a step, the next states, and then the answers about these (legal,
 * terminal, goals) share the same rows. */
enum {
    ANSWERS = MOVES + 1 + GOALS,
    STATE_ROW = 0,
    MOVE_ROW = STATE_ROW + FLUENTS,
    SHARED_ROW = MOVE_ROW + MOVES,
    TERMINAL_ROW = SHARED_ROW + MOVES,
    GOAL_ROW = TERMINAL_ROW + 1,
    PERCEPT_ROW = SHARED_ROW + (FLUENTS > ANSWERS ? FLUENTS : ANSWERS),
    SEVERAL_ROW = PERCEPT_ROW + PERCEPTS, /* by role: lanes in which it has several legal moves */
    MOVED_ROW = SEVERAL_ROW + ROLES,      /* lanes that made a move in this step */
    STUCK_ROW,                            /* lanes in which a role has no legal move */
    BEGUN_ROW,                            /* lanes in which a match begins */
    OVER_ROW,                             /* lanes whose match has ended and stays as it is */
    ALL_ROW,                              /* all lanes */
    ZERO_ROW,                             /* no lane */
    VALUE_ROW,                            /* variables of loops and gates, if INTERPRETED */
    ROW_COUNT = VALUE_ROW + VALUES
};

enum { NO_END, TERMINAL, STUCK_END, TOO_LONG_END };
#define NO_MOVE 0xffffffffu
#define BLANK_CELL 0xffffffffu
#define TURN_CELL 0x80000000u

typedef struct {
    const Step *step;
    word *rows;
    word group, thread, threads;
} Group;

DEVICE word *word_at(const Group *g, word row, word unit) {
    return &g->rows[row * STRIDE + unit];
}

/* Places count the matches of a group. */
DEVICE word bit_at(const Group *g, word row, word place) {
    return *word_at(g, row, place / 32) >> place % 32 & 1;
}

DEVICE word match_at(const Group *g, word place) {
    return g->group * GROUP + place;
}

/* Copies rows between the memory of the block and that of the device, where they have no gaps. */
DEVICE void load_rows(const Group *g, word first_row, word rows, const word *from) {
    from += (wide)g->group * rows * GROUP_UNITS;
    EACH_UNIT(g, unit)
    EACH_ROW(g, row, rows)
        *word_at(g, first_row + row, unit) = from[row * GROUP_UNITS + unit];
}

DEVICE void store_rows(const Group *g, word first_row, word rows, word *to) {
    to += (wide)g->group * rows * GROUP_UNITS;
    EACH_UNIT(g, unit)
    EACH_ROW(g, row, rows)
        to[row * GROUP_UNITS + unit] = *word_at(g, first_row + row, unit);
}

DEVICE void clear_rows(const Group *g, word first_row, word rows) {
    EACH_UNIT(g, unit)
    EACH_ROW(g, row, rows)
        *word_at(g, first_row + row, unit) = 0;
}

/* ---- moves ---- */

/* A number below `bound`, the same whenever and wherever this match and role want one. */
DEVICE word random_below(wide seed, wide place, word bound) {
    return (word)((scramble(seed, place) >> 32) * bound >> 32);
}

/* A legal move of the role, all equally likely; NO_MOVE if there is none. */
DEVICE word draw_legal(const Group *g, word role, word place) {
    const Step *step = g->step;
    word row = SHARED_ROW + first_move(role), count = moves_of(role), found = 0;
    for (word m = 0; m < count; m++)
        found += bit_at(g, row + m, place);
    wide where = ((wide)step->round * step->count + match_at(g, place)) * ROLES + role;
    word left = random_below(step->seed, where, found);
    for (word m = 0; m < count; m++)
        if (bit_at(g, row + m, place) && left-- == 0)
            return m;
    return NO_MOVE;
}

/* Completes the joint move of a match. Returns the number of its illegal moves. */
DEVICE word complete_moves(const Group *g, word place, word *joint) {
    const Step *step = g->step;
    const word *given = step->moves + (wide)match_at(g, place) * ROLES;
    word illegal = 0;
    UNROLLED
    for (word r = 0; r < ROLES; r++) {
        word row = SHARED_ROW + first_move(r);
        joint[r] = r == CHANCE ? NO_MOVE : given[r];
        if (r != CHANCE && joint[r] < moves_of(r) && bit_at(g, row + joint[r], place))
            continue;
        illegal += r != CHANCE;
        joint[r] = r == CHANCE || step->replaces_illegal ? draw_legal(g, r, place) : NO_MOVE;
    }
    return illegal;
}

/* Fills in the rows of moves, and MOVED_ROW. */
DEVICE void decide(const Group *g) {
    const Step *step = g->step;
    word illegal_moves = 0;
    clear_rows(g, MOVE_ROW, MOVES);
    SYNC();
    for (word place = g->thread; place < GROUP; place += g->threads) {
        word match = match_at(g, place), unit = place / 32, lane = place % 32, moved = 0;
        word joint[ROLES], illegal = 0;
        if (match < step->count && !bit_at(g, OVER_ROW, place)) {
            illegal = complete_moves(g, place, joint);
            moved = 1;
            UNROLLED
            for (word r = 0; r < ROLES; r++)
                moved &= joint[r] != NO_MOVE;
            illegal_moves += illegal;
        }
        UNROLLED
        for (word r = 0; r < ROLES; r++)
            SET_LANES_OF(moved ? word_at(g, MOVE_ROW + first_move(r) + joint[r], unit) : 0, lane)
        if (step->illegal && match < step->count)
            step->illegal[match] = illegal > 0;
        SET_LANE(*word_at(g, MOVED_ROW, unit), lane, moved)
    }
    if (illegal_moves)
        ADD(step->illegal_moves, illegal_moves);
    SYNC();
}

/* ---- states ---- */

DEVICE void advance(const Group *g) {
    EACH_UNIT(g, unit) {
        word moved = *word_at(g, MOVED_ROW, unit);
        EACH_ROW(g, row, FLUENTS) {
            word *state = word_at(g, STATE_ROW + row, unit);
            *state = (*word_at(g, SHARED_ROW + row, unit) & moved) | (*state & ~moved);
        }
    }
    SYNC();
}

/* Finds the roles with several moves, and the lanes in which a role has none. */
DEVICE void count_legal(const Group *g) {
    clear_rows(g, STUCK_ROW, 1);
    SYNC();
    EACH_UNIT(g, unit)
    EACH_ROW(g, role, ROLES) {
        word one = 0, several = 0, row = SHARED_ROW + first_move(role), moves = moves_of(role);
        for (word m = 0; m < moves; m++) {
            word legal = *word_at(g, row + m, unit);
            several |= one & legal;
            one |= legal;
        }
        OR(*word_at(g, STUCK_ROW, unit), ~one);
        *word_at(g, SEVERAL_ROW + role, unit) = role == CHANCE ? 0 : several;
    }
    SYNC();
}

/* ---- ends ---- */

/* The goal of a role; 0 if there is none, or several. */
DEVICE int reward_of(const Group *g, word role, word place) {
    word found = 0, some = 0, several = 0;
    UNROLLED
    for (word i = 0; i < GOALS; i++)
        if (goal_role(i) == role && bit_at(g, GOAL_ROW + i, place)) {
            several |= some && found != goal_value(i);
            found = goal_value(i);
            some = 1;
        }
    return several ? 0 : (int)found;
}

/* How the match ended in this step. */
DEVICE word end_of(const Group *g, word place) {
    const Step *step = g->step;
    if (!bit_at(g, MOVED_ROW, place))
        return NO_END;
    word turns = step->turns_played ? ++step->turns_played[match_at(g, place)] : 0;
    return bit_at(g, TERMINAL_ROW, place)                  ? TERMINAL
           : bit_at(g, STUCK_ROW, place)                   ? STUCK_END
           : step->step_limit && turns >= step->step_limit ? TOO_LONG_END
                                                           : NO_END;
}

DEVICE void write_end(const Group *g, word place, word end) {
    const Step *step = g->step;
    word match = match_at(g, place);
    if (step->ends)
        step->ends[match] = (byte)(end || !step->kept_ends ? end : step->kept_ends[match]);
    UNROLLED
    for (word r = 0; r < ROLES; r++)
        if (step->rewards)
            step->rewards[(wide)match * ROLES + r] = end == TERMINAL ? reward_of(g, r, place) : 0;
    if (step->kept_ends && end)
        step->kept_ends[match] = (byte)end;
}

/* Ends matches, and finds those that begin. */
DEVICE void end_matches_of(const Group *g) {
    const Step *step = g->step;
    for (word place = g->thread; place < GROUP; place += g->threads) {
        word unit = place / 32, lane = place % 32, end = NO_END;
        if (match_at(g, place) < step->count) {
            end = end_of(g, place);
            write_end(g, place, end);
            if (step->turns_played && end && !step->kept_ends)
                step->turns_played[match_at(g, place)] = 0;
        }
        SET_LANE(*word_at(g, BEGUN_ROW, unit), lane, end && !step->kept_ends)
        if (step->kept_ends)
            SET_LANE(*word_at(g, OVER_ROW, unit), lane, bit_at(g, OVER_ROW, place) || end)
    }
    SYNC();
}

/* Begins the matches that the caller names. */
DEVICE void begin_named(const Group *g) {
    const Step *step = g->step;
    for (word place = g->thread; place < GROUP; place += g->threads) {
        word match = match_at(g, place), unit = place / 32, lane = place % 32;
        word begins = match >= step->count || !step->which || step->which[match];
        if (begins && match < step->count) {
            if (step->kept_ends)
                step->kept_ends[match] = NO_END;
            if (step->turns_played)
                step->turns_played[match] = 0;
        }
        if (match < step->count) {
            if (step->illegal)
                step->illegal[match] = 0;
            write_end(g, place, NO_END);
        }
        SET_LANE(*word_at(g, MOVED_ROW, unit), lane, 0)
        SET_LANE(*word_at(g, BEGUN_ROW, unit), lane, begins)
        SET_LANE(*word_at(g, OVER_ROW, unit), lane, !begins && bit_at(g, OVER_ROW, place))
    }
    SYNC();
}

/* Puts what holds initially into the lanes that begin. */
DEVICE void begin_rows(const Group *g, word first_row, word rows, const word *initial) {
    EACH_UNIT(g, unit) {
        word begun = *word_at(g, BEGUN_ROW, unit);
        EACH_ROW(g, row, rows) {
            word *at = word_at(g, first_row + row, unit);
            *at = (*at & ~begun) | (initial[row] & begun);
        }
    }
}

/* Only the lanes that a row has may stay set in the rows. */
DEVICE void mask_rows(const Group *g, word first_row, word rows, word mask_row, word without_row) {
    EACH_UNIT(g, unit) {
        word mask = *word_at(g, mask_row, unit) & ~*word_at(g, without_row, unit);
        EACH_ROW(g, row, rows)
            *word_at(g, first_row + row, unit) &= mask;
    }
}

/* What is perceived is a result of moves; matches that are over have no legal moves. */
DEVICE void begin_matches_of(const Group *g) {
    const word *table = g->step->table;
    begin_rows(g, STATE_ROW, FLUENTS, table + INITIAL);
    begin_rows(g, SHARED_ROW, MOVES, table + FIRST_LEGAL);
    begin_rows(g, SEVERAL_ROW, ROLES, table + FIRST_SEVERAL);
    mask_rows(g, PERCEPT_ROW, PERCEPTS, MOVED_ROW, BEGUN_ROW);
    if (g->step->kept_ends) {
        SYNC();
        mask_rows(g, SHARED_ROW, MOVES, ALL_ROW, OVER_ROW);
        mask_rows(g, SEVERAL_ROW, ROLES, ALL_ROW, OVER_ROW);
    }
    SYNC();
}

/* ---- outputs ---- */

DEVICE void write_turns(const Group *g) {
    for (word place = g->thread; place < GROUP; place += g->threads) {
        int turn = -1; /* nobody; -2: several */
        for (word r = 0; r < ROLES; r++)
            if (bit_at(g, SEVERAL_ROW + r, place))
                turn = turn == -1 ? (int)r : -2;
        if (match_at(g, place) < g->step->count)
            g->step->turns[match_at(g, place)] = turn;
    }
}

/* The rows of the items of a view: fluents, or the percepts of a role. */
DEVICE word first_fact_row(word view) {
    return VIEWS > 1 ? PERCEPT_ROW + first_percept(view) : STATE_ROW;
}

DEVICE word facts_of(word view) {
    return VIEWS > 1 ? first_percept(view + 1) - first_percept(view) : FLUENTS;
}

DEVICE word row_of_cell(const word *cells, word cell) {
    return cells[cell] == BLANK_CELL  ? NO_MOVE
           : cells[cell] & TURN_CELL ? SEVERAL_ROW + (cells[cell] & ~TURN_CELL)
                                     : STATE_ROW + cells[cell];
}

/* What the lane has in up to 32 rows that begin with this one, as the bits of a word. All lanes of
 * a unit ask at the same time. */
DEVICE word gather(const word *row, word count, word lane) {
#ifdef __CUDACC__
    word x = lane < count ? row[lane * STRIDE] : 0;
    UNROLLED
    for (word distance = 16, low = 0x0000ffffu; distance; distance /= 2, low ^= low << distance) {
        word y = __shfl_xor_sync(0xffffffffu, x, distance);
        x = lane & distance ? (x & ~low) | (y >> distance & low) : (x & low) | (y & low) << distance;
    }
    return x;
#else
    word bits = 0;
    for (word b = 0; b < count; b++)
        bits |= (row[b * STRIDE] >> lane & 1) << b;
    return bits;
#endif
}

DEVICE word within(word count, word most) {
    return count < most ? count : most;
}

/* Writes `rows` rows as the bits of `words` 64-bit words of every match; a match has `stride` of
 * them, and `to` is the first one of the first match. */
DEVICE void write_words(const Group *g, word first_row, word rows, word words, word stride,
                        wide *to) {
    for (word w = 0; w < words; w++) {
        word from = w * 64 < rows ? w * 64 : rows, count = rows - from;
        for (word place = g->thread; place < GROUP; place += g->threads) {
            const word *row = word_at(g, first_row + from, place / 32);
            word lane = place % 32, high = 0, low = count ? gather(row, within(count, 32), lane) : 0;
            if (count > 32)
                high = gather(row + 32 * STRIDE, within(count - 32, 32), lane);
            if (match_at(g, place) < g->step->count)
                to[(wide)match_at(g, place) * stride + w] = (wide)high << 32 | low;
        }
    }
}

/* If all moves fit into a word, they are gathered together. */
DEVICE void write_few_masks(const Group *g, wide *to) {
    for (word place = g->thread; place < GROUP; place += g->threads) {
        word moves = gather(word_at(g, SHARED_ROW, place / 32), MOVES, place % 32);
        UNROLLED
        for (word r = 0; r < ROLES; r++) {
            word mask = r == CHANCE ? 0 : (word)((1ull << moves_of(r)) - 1);
            if (match_at(g, place) < g->step->count)
                to[(wide)match_at(g, place) * ROLES + r] = moves >> first_move(r) % 32 & mask;
        }
    }
}

DEVICE void write_masks(const Group *g, wide *to) {
    if (MOVES <= 32) {
        write_few_masks(g, to);
        return;
    }
    UNROLLED
    for (word r = 0; r < ROLES; r++)
        write_words(g, SHARED_ROW + first_move(r), r == CHANCE ? 0 : moves_of(r), MASK_WORDS,
                    ROLES * MASK_WORDS, to + r * MASK_WORDS);
}

DEVICE void write_observations(const Group *g, wide *to) {
    UNROLLED
    for (word view = 0; view < VIEWS; view++)
        write_words(g, first_fact_row(view), facts_of(view), FACT_WORDS, VIEWS * FACT_WORDS,
                    to + view * FACT_WORDS);
}

typedef enum { OF_MOVES, OF_FACTS, OF_CELLS } Kind;

/* The row of an item of a part (a role or a view); NO_MOVE if it is always 0. */
DEVICE word row_of(const Step *step, Kind kind, word part, word item) {
    if (kind == OF_CELLS)
        return row_of_cell(step->cells, item);
    if (kind == OF_MOVES)
        return part != CHANCE && item < moves_of(part) ? SHARED_ROW + first_move(part) + item
                                                       : NO_MOVE;
    return item < facts_of(part) ? first_fact_row(part) + item : NO_MOVE;
}

/* Writes bits as bytes, four by a thread, in the order of the output. */
DEVICE void write_bytes(const Group *g, Kind kind, word parts, word items, byte *to) {
    word each = parts * items, end = within(g->step->count - g->group * GROUP, GROUP) * each;
    to += (wide)g->group * GROUP * each;
    for (word i = g->thread * 4; i < end; i += g->threads * 4)
        for (word k = i; k < i + 4 && k < end; k++) {
            word row = row_of(g->step, kind, k % each / items, k % items);
            to[k] = row != NO_MOVE && bit_at(g, row, k / each);
        }
}

DEVICE void write_outputs(const Group *g) {
    const Step *step = g->step;
    if (step->turns)
        write_turns(g);
    if (step->masks)
        write_masks(g, step->masks);
    if (step->mask_bytes)
        write_bytes(g, OF_MOVES, ROLES, MASK_BITS, step->mask_bytes);
    if (step->observations)
        write_observations(g, step->observations);
    if (step->observation_bytes)
        write_bytes(g, OF_FACTS, VIEWS, FACTS, step->observation_bytes);
    if (step->planes)
        write_bytes(g, OF_CELLS, 1, step->plane_cells, step->planes);
}

/* ---- networks ---- */

DEVICE word result_of(word coefficients, word a, word b, word c) {
#define TERM(i) (0u - (coefficients >> (i) & 1u))
    word with_a = (((TERM(7) & c) ^ TERM(6)) & b) ^ (TERM(5) & c) ^ TERM(4);
    word without = (((TERM(3) & c) ^ TERM(2)) & b) ^ (TERM(1) & c) ^ TERM(0);
#undef TERM
    return (with_a & a) ^ without;
}

DEVICE void run_rounds(const Group *g, const Segment *segment) {
    for (word r = segment->first_round; r < segment->end_round; r++) {
        const Gate *gates = g->step->gates + g->step->rounds[r];
        word count = g->step->rounds[r + 1] - g->step->rounds[r];
        EACH_UNIT(g, unit)
        EACH_ROW(g, i, count) {
            const Gate gate = gates[i];
            word a = *word_at(g, gate.a, unit), b = *word_at(g, gate.b, unit);
            word c = *word_at(g, gate.c, unit);
            *word_at(g, gate.result & 0xffffff, unit) = result_of(gate.result >> 24, a, b, c);
        }
        SYNC();
    }
}

DEVICE word update_variables(const Group *g, const Segment *segment) {
    const word *pairs = g->step->lists + segment->first_pair;
    word grown = 0;
    EACH_UNIT(g, unit)
    EACH_ROW(g, i, segment->pairs) {
        word *variable = word_at(g, pairs[2 * i], unit);
        word update = *word_at(g, pairs[2 * i + 1], unit);
        grown |= update & ~*variable;
        *variable |= update;
    }
    return grown;
}

/* Evaluates the segments of a network and copies its outputs, whose rows are listed. */
DEVICE void interpret(const Group *g, word first, word end, const word *outputs, word count,
                      word to_row) {
    for (word s = first; s < end; s++) {
        const Segment segment = g->step->segments[s];
        const word *pairs = g->step->lists + segment.first_pair;
        EACH_UNIT(g, unit)
        EACH_ROW(g, i, segment.pairs)
            *word_at(g, pairs[2 * i], unit) = 0;
        SYNC();
        do
            run_rounds(g, &segment);
        while (segment.is_loop && SYNC_ANY(update_variables(g, &segment) != 0));
    }
    EACH_UNIT(g, unit)
    EACH_ROW(g, i, count)
        *word_at(g, to_row + i, unit) = *word_at(g, outputs[i], unit);
    SYNC();
}

/* Evaluates a network from the rows of states and moves into other rows. */
#ifdef INTERPRETED
#define EVALUATE(network, to_row)                                                                  \
    interpret(g, network##_first, network##_end, g->step->lists + network##_outputs,               \
              network##_count, to_row);
#else
#define EVALUATE(network, to_row)                                                                  \
    {                                                                                              \
        word v[SLOTS + 1];                                                                         \
        Dice dice = {0, 0, 0, 0};                                                                  \
        for (word unit = g->thread; unit < GROUP_UNITS; unit += g->threads)                        \
            network##0(word_at(g, STATE_ROW, unit), word_at(g, to_row, unit), v, &dice);           \
        SYNC();                                                                                    \
    }
#endif

/* ---- a step ---- */

DEVICE void load_group(const Group *g) {
    const Step *step = g->step;
    load_rows(g, STATE_ROW, FLUENTS, step->states);
    load_rows(g, SHARED_ROW, MOVES, step->legal);
    clear_rows(g, ZERO_ROW, 1);
    clear_rows(g, OVER_ROW, 1);
    for (word unit = g->thread; unit < GROUP_UNITS; unit += g->threads)
        *word_at(g, ALL_ROW, unit) = 0xffffffffu;
    SYNC();
    for (word place = g->thread; step->kept_ends && place < GROUP; place += g->threads) {
        word match = match_at(g, place);
        SET_LANE(*word_at(g, OVER_ROW, place / 32), place % 32,
                 match < step->count && step->kept_ends[match])
    }
    SYNC();
}

DEVICE void step_group(const Group *g) {
    load_group(g);
    if (g->step->moves) {
        decide(g);
#if PERCEPTS > 0
        EVALUATE(sees, PERCEPT_ROW)
#endif
        EVALUATE(next, SHARED_ROW)
        advance(g);
        EVALUATE(answers, SHARED_ROW)
        EVALUATE(goals, GOAL_ROW) /* of an interpreted game, they are among the answers */
        count_legal(g);
        end_matches_of(g);
    } else {
        count_legal(g);
        begin_named(g);
    }
    begin_matches_of(g);
    write_outputs(g);
    store_rows(g, STATE_ROW, FLUENTS, g->step->states);
    store_rows(g, SHARED_ROW, MOVES, g->step->legal);
    SYNC();
}

/* ---- copies ---- */

/* The argument of the kernel `copy`; gpu_environments.h declares the same struct. The matches from
 * `first` on go on where others stand. */
typedef struct {
    const word *sources; /* by match from the first on */
    const word *from_states, *from_legal;
    const byte *from_ends;  /* NULL: no match is over */
    const word *from_turns; /* not NULL if turns_played is not */
    word *states, *legal;
    byte *kept_ends;
    word *turns_played;
    word first, count, from_count;
} Copy;

/* NO_MOVE if the match stays as it is. */
DEVICE word source_of(const Copy *c, word match) {
    word i = match - c->first;
    return match >= c->first && i < c->count && c->sources[i] < c->from_count ? c->sources[i]
                                                                              : NO_MOVE;
}

/* The word of a row in the memory of the device in which a match has its bit. */
DEVICE wide place_in_rows(word match, word row, word rows) {
    return ((wide)(match / GROUP) * rows + row) * GROUP_UNITS + match % GROUP / 32;
}

DEVICE void copy_rows(const Copy *c, word unit, word thread, word threads, word rows,
                      const word *from, word *to) {
    for (word i = thread; i < rows * 32; i += threads) {
        word row = i / 32, lane = i % 32, match = unit * 32 + lane, source = source_of(c, match);
        word *place = to + place_in_rows(match, row, rows), bit = *place >> lane & 1;
        if (source != NO_MOVE)
            bit = from[place_in_rows(source, row, rows)] >> source % 32 & 1;
        SET_LANE(*place, lane, bit)
    }
}

/* Copies into the matches of a unit. */
DEVICE void copy_unit(const Copy *c, word unit, word thread, word threads) {
    copy_rows(c, unit, thread, threads, FLUENTS, c->from_states, c->states);
    copy_rows(c, unit, thread, threads, MOVES, c->from_legal, c->legal);
    for (word lane = thread; lane < 32; lane += threads) {
        word match = unit * 32 + lane, source = source_of(c, match);
        if (source != NO_MOVE && c->kept_ends)
            c->kept_ends[match] = c->from_ends ? c->from_ends[source] : NO_END;
        if (source != NO_MOVE && c->turns_played)
            c->turns_played[match] = c->from_turns[source];
    }
}

/* ---- draws ---- */

/* The argument of the kernel `draw`, which draws a bit of each mask, all equally likely;
 * gpu_environments.h declares the same struct. */
typedef struct {
    const wide *masks;
    word *moves;
    wide seed, count;
    word words;
} Draw;

/* The place of bit number `left` among those that are set in a word. */
DEVICE word place_of_bit(wide bits, word left) {
    word place = 0;
    UNROLLED
    for (word width = 32; width; width /= 2) {
        word below = COUNT_WIDE(bits >> place & ((1ull << width) - 1));
        word is_above = left >= below;
        place += is_above ? width : 0;
        left -= is_above ? below : 0;
    }
    return place;
}

DEVICE void draw_move(const Draw *d, wide row) {
    const wide *mask = d->masks + row * d->words;
    word found = 0, w = 0;
    for (word i = 0; i < d->words; i++)
        found += COUNT_WIDE(mask[i]);
    word left = random_below(d->seed, row, found);
    while (w + 1 < d->words && left >= COUNT_WIDE(mask[w]))
        left -= COUNT_WIDE(mask[w++]);
    d->moves[row] = found ? w * 64 + place_of_bit(mask[w], left) : NO_MOVE;
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(THREADS) step(const Step step) {
#ifdef SHARED_ROWS
    extern __shared__ word rows[];
#else
    word *rows = step.arenas + (wide)blockIdx.x * ROW_COUNT * STRIDE;
#endif
    for (word group = blockIdx.x; group * (wide)GROUP < step.count; group += gridDim.x) {
        const Group g = {&step, rows, group, threadIdx.x, blockDim.x};
        step_group(&g);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) copy(const Copy task) {
    copy_unit(&task, task.first / 32 + blockIdx.x, threadIdx.x, blockDim.x);
}

extern "C" __global__ void __launch_bounds__(THREADS) draw(const Draw task) {
    wide row = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    if (row < task.count)
        draw_move(&task, row);
}
#else
void step(const Step step, word block) {
    static word rows[ROW_COUNT * STRIDE];
    const Group group = {&step, rows, block, 0, 1};
    step_group(&group);
}

void copy(const Copy task, word unit) {
    copy_unit(&task, unit, 0, 1);
}

void draw(const Draw task, wide row) {
    draw_move(&task, row);
}
#endif
