/* Matches without a circuit, one after the other. The interpreter numbers moves and fluents as they
 * are met; those whose number is too large for the outputs are left out and counted. */
#include "game/environments_internal.h"

/* Sets a bit of an output if there is room for it. */
static void set_bit(Environments *e, uint64_t *words, uint32_t bit, uint32_t room) {
    if (bit < room)
        words[bit / 64] |= UINT64_C(1) << bit % 64;
    else
        e->lost++;
}

/* Fills in the masks; false if a role has no legal move. Counts players with several moves. */
static bool write_masks(Environments *e, size_t match, int32_t *turn) {
    bool can_move = true;
    *turn = TURN_NOBODY;
    for (uint32_t r = 0; r < e->shape.roles; r++) {
        uint64_t *mask = masks_of(e, match, r);
        memset(mask, 0, e->shape.mask_words * sizeof *mask);
        game_legal(e->work, &e->single[match], r, &e->legal);
        for (size_t i = 0; i < e->legal.count; i++)
            set_bit(e, mask, e->legal.items[i], e->shape.moves);
        can_move = can_move && bitset_any(mask, e->shape.mask_words);
        if (e->legal.count > 1 && !game_is_chance(e->game, r))
            *turn = *turn == TURN_NOBODY ? (int32_t)r : TURN_SEVERAL;
    }
    return can_move;
}

/* Sets the bits of percepts in a text such as `a (b c) d`. */
static void write_percepts(Environments *e, uint32_t role, const char *text, uint64_t *words) {
    int depth = 0;
    const char *from = text;
    for (const char *c = text;; c++) {
        depth += (*c == '(') - (*c == ')');
        if (*c && (depth || *c != ' '))
            continue;
        if (c > from)
            set_bit(e, words, symbols_intern(&e->names[role], from, (size_t)(c - from)),
                    e->shape.facts);
        from = c + 1;
        if (!*c)
            return;
    }
}

/* The words of one view; `before` is the state in which the joint move was made, NULL if none was.
 */
static void write_view(Environments *e, EnvironmentWorker *w, size_t match, uint32_t view,
                       const State *before, uint64_t *words) {
    memset(words, 0, e->shape.fact_words * sizeof *words);
    if (e->shape.views == 1) {
        bitset_each(fluent, e->single[match].words, e->single[match].word_count)
            set_bit(e, words, (uint32_t)fluent, e->shape.facts);
    } else if (before) {
        Text text = {0};
        game_sees(e->work, before, w->joint, view, &text);
        write_percepts(e, view, text_string(&text), words);
        vector_free(&text);
    }
}

static void write_observations(Environments *e, EnvironmentWorker *w, size_t match,
                               const State *before, const EnvironmentOutputs *out) {
    const EnvironmentShape *s = &e->shape;
    if (!out->observations && !out->observation_bytes)
        return;
    for (uint32_t view = 0; view < s->views; view++) {
        size_t place = match * s->views + view;
        uint64_t *words = out->observations ? out->observations + place * s->fact_words : w->words;
        write_view(e, w, match, view, before, words);
        for (uint32_t i = 0; out->observation_bytes && i < s->facts; i++)
            out->observation_bytes[place * s->facts + i] = words[i / 64] >> i % 64 & 1;
    }
}

static EnvironmentEnd find_end(const Environments *e, size_t match, bool can_move) {
    if (game_is_terminal(e->work, &e->single[match]))
        return END_TERMINAL;
    if (!can_move)
        return END_STUCK;
    uint32_t limit = e->options.step_limit;
    return limit && e->steps[match] >= limit ? END_TOO_LONG : END_NONE;
}

static void begin_match(Environments *e, size_t match) {
    game_initial(e->work, &e->single[match]);
    environments_begin(e, match);
}

/* What follows the move of a match; `turn` is whose turn it is now. */
static void end_match(Environments *e, size_t match, EnvironmentEnd end, int32_t *turn,
                      const EnvironmentOutputs *out) {
    uint32_t roles = e->shape.roles;
    if (out->ends)
        out->ends[match] = end;
    for (uint32_t r = 0; out->rewards && end == END_TERMINAL && r < roles; r++) {
        int goal = game_goal(e->work, &e->single[match], r);
        out->rewards[match * roles + r] = goal > 0 ? goal : 0;
    }
    if (e->options.keeps_ended) {
        e->ends[match] = (uint8_t)end;
        memset(masks_of(e, match, 0), 0, (size_t)roles * e->shape.mask_words * sizeof(uint64_t));
        *turn = TURN_NOBODY;
    } else {
        begin_match(e, match);
        write_masks(e, match, turn);
    }
}

static void play_match(const EnvironmentTask *task, size_t match, EnvironmentWorker *w) {
    Environments *e = task->e;
    const EnvironmentOutputs *out = task->out;
    bool moves = task->moves && !e->ends[match] && complete_moves(e, w, match, task->moves, out);
    int32_t turn = TURN_NOBODY;
    if (!task->moves && (!task->which || task->which[match]))
        begin_match(e, match);
    if (out->ends)
        out->ends[match] = e->ends[match];
    if (moves) {
        game_next(e->work, &e->single[match], w->joint, &e->next);
        State before = e->single[match];
        e->single[match] = e->next;
        e->next = before;
        e->steps[match]++;
    }
    bool can_move = e->ends[match] || write_masks(e, match, &turn);
    EnvironmentEnd end = moves ? find_end(e, match, can_move) : END_NONE;
    if (end)
        end_match(e, match, end, &turn, out);
    bool has_begun = end && !e->options.keeps_ended;
    if (out->turns)
        out->turns[match] = turn;
    write_observations(e, w, match, moves && !has_begun ? &e->next : NULL, out);
}

void environments_play_single(const EnvironmentTask *task, size_t block, EnvironmentWorker *w) {
    const Environments *e = task->e;
    const EnvironmentOutputs *out = task->out;
    size_t first = block * LANES, roles = e->shape.roles;
    uint32_t size = block_size(e, block);
    if (out->rewards)
        memset(out->rewards + first * roles, 0, size * roles * sizeof *out->rewards);
    if (out->illegal)
        memset(out->illegal + first, 0, size);
    for (uint32_t i = 0; i < size; i++)
        play_match(task, first + i, w);
    environments_give_masks(e, block, out);
}
