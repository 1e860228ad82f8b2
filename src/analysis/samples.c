/* Plays random matches one by one until there are enough states. Limits on states, bits and legal
 * moves bound the memory for the largest games. */
#include "analysis/samples.h"

#include <string.h>

#include "base/bitset.h"

enum {
    DEFAULT_MATCHES = 1000, /* matches if the caller gives no number (untuned) */
    MAX_SAMPLES = 20000,    /* recorded states (untuned) */
    MAX_TURNS = 2000,       /* turns after which a match is cut off (untuned) */
    MAX_LEGAL = 1 << 23,    /* legal moves in all recorded states; 32 MiB */
    MAX_BITS = 1 << 29      /* number of fluents times number of samples; 64 MiB */
};

const char *certainty_name(Certainty certainty) {
    static const char *const names[] = {"none", "observed", "proved"};
    assert(certainty < sizeof names / sizeof *names);
    return names[certainty];
}

const uint32_t *samples_legal(const Samples *s, size_t sample, uint32_t role) {
    assert(sample < s->items.count && role < s->role_count);
    uint32_t first = s->items.items[sample].first_legal;
    for (uint32_t r = 0; r < role; r++)
        first += samples_choices(s, sample, r);
    return s->legal.items + first;
}

static bool is_full(const Samples *s, CpuBudget budget) {
    size_t bits = s->items.count * 64 * s->items.items[0].state.word_count;
    return s->items.count >= MAX_SAMPLES || s->legal.count >= MAX_LEGAL || bits >= MAX_BITS ||
           cpu_budget_spent(budget);
}

/* Records the state with its legal moves and goals. False if the match cannot go on. */
static bool add_sample(Samples *s, const State *state, uint32_t time, U32Vector *legal) {
    Sample sample = {.time = time, .first_legal = (uint32_t)s->legal.count};
    state_copy(&sample.state, state);
    sample.is_terminal = game_is_terminal(s->work, state);
    bool can_move = !sample.is_terminal;
    for (uint32_t r = 0; r < s->role_count; r++) {
        vector_clear(legal);
        if (!sample.is_terminal) {
            game_legal(s->work, state, r, legal);
            can_move = can_move && legal->count > 0;
        }
        u32_append(&s->legal, legal);
        vector_push(&s->choices, (uint32_t)legal->count);
        vector_push(&s->moves, MOVE_NONE);
        vector_push(&s->goals, sample.is_terminal ? game_goal(s->work, state, r) : GOAL_NONE);
    }
    vector_push(&s->items, sample);
    return can_move;
}

static void play_match(Samples *s, Random *random, const SampleOptions *options) {
    State state = {0};
    U32Vector legal = {0};
    uint32_t max_turns = options->turns ? options->turns : MAX_TURNS;
    game_initial(s->work, &state);
    s->matches++;
    for (uint32_t time = 0;; time++) {
        bool can_move = add_sample(s, &state, time, &legal);
        size_t sample = s->items.count - 1;
        if (s->items.items[sample].is_terminal) {
            s->ended++;
            s->longest = time > s->longest ? time : s->longest;
        }
        if (!can_move || time == max_turns || is_full(s, options->budget))
            break;
        uint32_t *moves = s->moves.items + sample * s->role_count;
        for (uint32_t r = 0; r < s->role_count; r++)
            moves[r] =
                samples_legal(s, sample, r)[random_below(random, samples_choices(s, sample, r))];
        game_next(s->work, &state, moves, &state);
        s->items.items[sample].has_next = true;
    }
    state_free(&state);
    vector_free(&legal);
}

static void fill_columns(Samples *s) {
    s->column_size = bitset_words(s->items.count);
    s->columns = memory_zalloc((s->fluent_count * s->column_size + 1) * sizeof *s->columns);
    for (size_t i = 0; i < s->items.count; i++) {
        const State *state = &s->items.items[i].state;
        bitset_each(f, state->words, state->word_count)
            bitset_set(s->columns + f * s->column_size, i);
    }
}

static void number_moves(Samples *s) {
    const Circuit *c = s->game->circuit;
    uint32_t each = c ? 0 : interpreter_move_count(s->game->interpreter);
    s->first_move = memory_alloc((s->role_count + 1) * sizeof *s->first_move);
    for (uint32_t r = 0; r <= s->role_count; r++)
        s->first_move[r] = c ? c->first_move[r] : r * each;
}

Samples *samples_take(Game *game, const SampleOptions *options) {
    assert(game && game->role_count > 0);
    Samples *s = memory_zalloc(sizeof *s);
    s->game = game;
    s->work = game_work_create(game, REASONER_AUTO);
    s->role_count = game->role_count;
    Random random;
    random_seed(&random, options->seed);
    uint64_t matches = options->matches ? options->matches : DEFAULT_MATCHES;
    do
        play_match(s, &random, options);
    while (s->matches < matches && !is_full(s, options->budget));
    s->fluent_count = game_has_circuit(game) ? game->circuit->fluent_count
                                             : interpreter_fluent_count(game->interpreter);
    number_moves(s);
    fill_columns(s);
    return s;
}

void samples_free(Samples *s) {
    if (!s)
        return;
    for (size_t i = 0; i < s->items.count; i++)
        state_free(&s->items.items[i].state);
    vectors_free(&s->items, &s->legal, &s->choices, &s->moves, &s->goals);
    game_work_free(s->work);
    memory_free(s->columns, s->first_move, s);
}
