/* A block of 512 matches, one per lane. Moves become rows, the kernels give the next states and
 * then legal moves, ends and goals of these. Lanes that begin a new match get the initial state;
 * what is legal there is known, so nothing is evaluated twice. */
#include "game/environments_internal.h"

typedef struct {
    const EnvironmentTask *task;
    Environments *e;
    EnvironmentWorker *w;
    size_t block, first; /* first: its first match */
    uint32_t size;
    LaneMask moved; /* lanes that made a move in this step */
    LaneMask begun; /* lanes in which a match begins */
} Block;

ALWAYS_INLINE void add_lane(LaneMask *mask, uint32_t lane) {
    mask->words[lane / 64] |= UINT64_C(1) << lane % 64;
}

/* Sets the rows of moves for the lanes that move. */
ALWAYS_INLINE void place_moves(Block *b) {
    Environments *e = b->e;
    const Circuit *c = e->game->circuit;
    uint64_t *rows = (uint64_t *)lane_batch_move_rows(b->w->batch);
    memset(rows, 0, c->move_count * sizeof(Lanes));
    for (uint32_t lane = 0; lane < b->size; lane++) {
        if (e->ends[b->first + lane] ||
            !complete_moves(e, b->w, b->first + lane, b->task->moves, b->task->out))
            continue;
        for (uint32_t r = 0; r < c->role_count; r++) {
            size_t row = c->first_move[r] + b->w->joint[r];
            rows[row * LANE_WORDS + lane / 64] |= UINT64_C(1) << lane % 64;
        }
        add_lane(&b->moved, lane);
    }
}

/* Takes the next states over in the lanes that moved. */
ALWAYS_INLINE void advance(const Block *b, Lanes *states) {
    const Lanes *next = lane_batch_next_rows(b->w->batch);
    Lanes moved;
    memcpy(&moved, &b->moved, sizeof moved);
    for (uint32_t f = 0; f < b->e->game->circuit->fluent_count; f++)
        states[f] = (next[f] & moved) | (states[f] & ~moved);
}

ALWAYS_INLINE void begin(const Block *b, Lanes *states) {
    const Circuit *c = b->e->game->circuit;
    Lanes begun;
    memcpy(&begun, &b->begun, sizeof begun);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        states[f] = c->initial[f] ? states[f] | begun : states[f] & ~begun;
    FOR_LANES(&b->begun, lane)
    environments_begin(b->e, b->first + lane);
}

/* Counts legal moves by role up to two; returns the lanes in which a role has none. */
ALWAYS_INLINE LaneMask count_legal(const Block *b) {
    const Circuit *c = b->e->game->circuit;
    const Lanes *legal = lane_batch_legal_rows(b->w->batch);
    Lanes stuck = {0};
    for (uint32_t r = 0; r < c->role_count; r++) {
        Lanes one = {0}, several = {0};
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++) {
            several |= one & legal[m];
            one |= legal[m];
        }
        stuck |= ~one;
        b->w->several[r] = game_is_chance(b->e->game, r) ? (Lanes){0} : several;
    }
    return mask_of(&stuck);
}

ALWAYS_INLINE void end_match(Block *b, uint32_t lane, EnvironmentEnd end) {
    Environments *e = b->e;
    const EnvironmentOutputs *out = b->task->out;
    size_t match = b->first + lane;
    uint32_t roles = e->shape.roles;
    if (out->ends)
        out->ends[match] = end;
    for (uint32_t r = 0; out->rewards && end == END_TERMINAL && r < roles; r++) {
        int goal = lane_batch_goal(b->w->batch, lane, r);
        out->rewards[match * roles + r] = goal > 0 ? goal : 0;
    }
    if (e->options.keeps_ended)
        e->ends[match] = (uint8_t)end;
    else
        add_lane(&b->begun, lane);
}

/* Ends the matches that are over after this step. */
ALWAYS_INLINE void end_matches(Block *b, const LaneMask *stuck) {
    LaneMask terminal = mask_within(lane_batch_terminal_row(b->w->batch), &b->moved);
    LaneMask others = mask_and(stuck, &b->moved);
    mask_remove(&others, &terminal);
    FOR_LANES(&terminal, lane)
    end_match(b, (uint32_t)lane, END_TERMINAL);
    FOR_LANES(&others, lane)
    end_match(b, (uint32_t)lane, END_STUCK);
    mask_add(&terminal, &others);
    for (uint32_t lane = 0; b->e->options.step_limit && lane < b->size; lane++) {
        bool has_moved = b->moved.words[lane / 64] >> lane % 64 & 1;
        b->e->steps[b->first + lane] += has_moved;
        if (has_moved && !(terminal.words[lane / 64] >> lane % 64 & 1) &&
            b->e->steps[b->first + lane] >= b->e->options.step_limit)
            end_match(b, lane, END_TOO_LONG);
    }
}

/* The masks of all lanes; those of matches that begin or are over are known. */
ALWAYS_INLINE void write_masks(const Block *b) {
    const Environments *e = b->e;
    const Circuit *c = e->game->circuit;
    const Lanes *legal = lane_batch_legal_rows(b->w->batch);
    size_t stride = (size_t)e->shape.roles * e->shape.mask_words;
    for (uint32_t r = 0; r < c->role_count; r++)
        for (uint32_t word = 0; word < e->shape.mask_words; word++) {
            uint32_t from = c->first_move[r] + word * 64, end = c->first_move[r + 1];
            uint32_t count = from >= end ? 0 : end - from < 64 ? end - from : 64;
            for (uint32_t i = 0; i < count; i++)
                b->w->rows[i] = &legal[from + i];
            transpose_rows(b->w->rows, count, b->size, masks_of(e, b->first, r) + word, stride);
        }
    FOR_LANES(&b->begun, lane)
    memcpy(masks_of(e, b->first + lane, 0), e->first_masks, stride * sizeof(uint64_t));
    for (uint32_t lane = 0; e->options.keeps_ended && lane < b->size; lane++)
        if (e->ends[b->first + lane])
            memset(masks_of(e, b->first + lane, 0), 0, stride * sizeof(uint64_t));
}

ALWAYS_INLINE void write_turns(const Block *b) {
    const Environments *e = b->e;
    int32_t *turns = b->task->out->turns + b->first;
    for (uint32_t lane = 0; lane < b->size; lane++)
        turns[lane] = TURN_NOBODY;
    for (uint32_t r = 0; r < e->shape.roles; r++) {
        LaneMask several = mask_of(&b->w->several[r]);
        FOR_LANES(&several, lane)
        if (lane < b->size)
            turns[lane] = turns[lane] == TURN_NOBODY ? (int32_t)r : TURN_SEVERAL;
    }
}

/* Writes the rows w->rows as words and as bytes; NULL if they are not wanted. */
ALWAYS_INLINE void write_rows(const Block *b, uint32_t count, uint64_t *words, size_t word_stride,
                              uint8_t *bytes, size_t byte_stride) {
    for (uint32_t from = 0; from < count; from += 64) {
        uint32_t here = count - from < 64 ? count - from : 64;
        uint64_t *to = words ? words + from / 64 : b->w->words;
        size_t stride = words ? word_stride : 1;
        transpose_rows(b->w->rows + from, here, b->size, to, stride);
        for (uint32_t lane = 0; bytes && lane < b->size; lane++)
            spread_bits(to[lane * stride], here, bytes + lane * byte_stride + from);
    }
}

/* The rows of one view: the fluents, or what a role perceived in the lanes that moved. */
ALWAYS_INLINE void write_observations(const Block *b, const Lanes *states) {
    const Environments *e = b->e;
    const EnvironmentShape *s = &e->shape;
    const EnvironmentOutputs *out = b->task->out;
    if (!out->observations && !out->observation_bytes)
        return;
    size_t words = (size_t)s->views * s->fact_words, bytes = (size_t)s->views * s->facts;
    for (uint32_t view = 0; view < s->views; view++) {
        for (uint32_t i = 0; i < s->facts; i++) {
            if (s->views == 1)
                b->w->rows[i] = &states[i];
            else
                b->w->rows[i] = i < e->percepts[view].count ? lane_batch_percept_rows(b->w->batch) +
                                                                  e->percepts[view].items[i]
                                                            : NULL;
        }
        write_rows(
            b, s->facts,
            out->observations ? out->observations + b->first * words + view * s->fact_words : NULL,
            words,
            out->observation_bytes ? out->observation_bytes + b->first * bytes + view * s->facts
                                   : NULL,
            bytes);
    }
}

ALWAYS_INLINE void write_planes(const Block *b, const Lanes *states) {
    const Environments *e = b->e;
    size_t cells = e->shape.plane_cells;
    for (size_t i = 0; i < cells; i++) {
        uint32_t cell = e->cells[i];
        b->w->rows[i] = cell == PLANE_BLANK ? NULL
                        : cell & PLANE_TURN ? &b->w->several[cell & ~PLANE_TURN]
                                            : &states[cell];
    }
    write_rows(b, (uint32_t)cells, NULL, 0, b->task->out->planes + b->first * cells, cells);
}

/* Percepts of matches that did not move, or that begin, are none. */
ALWAYS_INLINE void hide_percepts(const Block *b) {
    Lanes *percepts = lane_batch_percept_rows(b->w->batch);
    LaneMask seeing = b->moved;
    Lanes shown;
    mask_remove(&seeing, &b->begun);
    memcpy(&shown, &seeing, sizeof shown);
    for (size_t i = 0; i < b->e->game->circuit->percepts.count; i++)
        percepts[i] &= shown;
}

ALWAYS_INLINE void clear_results(const Block *b) {
    const EnvironmentOutputs *out = b->task->out;
    const Environments *e = b->e;
    if (out->ends)
        memcpy(out->ends + b->first, e->ends + b->first, b->size);
    if (out->rewards)
        memset(out->rewards + b->first * e->shape.roles, 0,
               (size_t)b->size * e->shape.roles * sizeof *out->rewards);
    if (out->illegal)
        memset(out->illegal + b->first, 0, b->size);
}

/* In the lanes that begin, the roles with a choice are those of the initial state; where a match is
 * over there are none. */
ALWAYS_INLINE void begin_turns(const Block *b) {
    const Environments *e = b->e;
    LaneMask is_over = {{0}};
    Lanes begun, over;
    for (uint32_t lane = 0; e->options.keeps_ended && lane < b->size; lane++)
        if (e->ends[b->first + lane])
            add_lane(&is_over, lane);
    memcpy(&begun, &b->begun, sizeof begun);
    memcpy(&over, &is_over, sizeof over);
    for (uint32_t r = 0; r < e->shape.roles; r++) {
        Lanes *several = &b->w->several[r];
        *several = (e->first_several[r] ? *several | begun : *several & ~begun) & ~over;
    }
}

ALWAYS_INLINE void play_block_generic(const EnvironmentTask *task, size_t block,
                                      EnvironmentWorker *w) {
    Environments *e = task->e;
    const Circuit *c = e->game->circuit;
    Block b = {.task = task, .e = e, .w = w, .block = block, .first = block * LANES};
    b.size = block_size(e, block);
    Lanes *states = e->states + block * c->fluent_count, *inputs = lane_batch_fluent_rows(w->batch);
    clear_results(&b);
    if (task->moves) {
        memcpy(inputs, states, c->fluent_count * sizeof *states);
        place_moves(&b);
        lane_batch_evaluate_next(w->batch);
        if (e->shape.views > 1)
            lane_batch_evaluate_percepts(w->batch);
        advance(&b, states);
    } else {
        for (uint32_t lane = 0; lane < b.size; lane++) {
            if (task->which && !task->which[b.first + lane])
                continue;
            add_lane(&b.begun, lane);
            if (task->out->ends)
                task->out->ends[b.first + lane] = END_NONE;
        }
    }
    memcpy(inputs, states, c->fluent_count * sizeof *states);
    lane_batch_evaluate_answers(w->batch);
    LaneMask stuck = count_legal(&b);
    end_matches(&b, &stuck);
    if (mask_any(&b.begun))
        begin(&b, states);
    begin_turns(&b);
    write_masks(&b);
    environments_give_masks(e, block, task->out);
    if (task->out->turns)
        write_turns(&b);
    if (e->shape.views > 1)
        hide_percepts(&b);
    write_observations(&b, states);
    if (task->out->planes && e->cells)
        write_planes(&b, states);
}

CPU_DISPATCH(void, play_block, (const EnvironmentTask *task, size_t block, EnvironmentWorker *w),
             (task, block, w))

void environments_play_block(const EnvironmentTask *task, size_t block, EnvironmentWorker *w) {
    if (task->e->kernel == KERNEL_AVX2)
        play_block_avx2(task, block, w);
    else
        play_block(task, block, w);
}
