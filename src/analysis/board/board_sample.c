/* Random matches that show which facts are true together. With a circuit all its fluents are listed
 * too, so that squares that no match has reached are known. */
#include <assert.h>

#include "analysis/board/board_internal.h"
#include "base/clock.h"

/* The bounds are counts, not times, so that the same game gives the same sample on every machine.
 * All are guesses. */
enum {
    MATCHES = 10,
    MOST_STEPS = 150,     /* turns per match */
    MOST_FACTS = 200000,  /* facts in all sampled states together */
    MOST_FLUENTS = 200000 /* a circuit with more fluents does not get them listed */
};

typedef struct {
    Sample *sample;
    GameWork *work;
    uint32_t role_count;
    Random random;
    Deadline deadline;
    /* By fluent of the game: 1 + its number in the sample; 0 if it has none yet. */
    U32Vector number_of_fluent;
    VECTOR(U32Vector) move_is_listed; /* by role, then move */
    U32Vector legal;
    uint32_t *joint;
} Sampler;

static uint32_t *slot(U32Vector *numbers, uint32_t at) {
    while (numbers->count <= at)
        vector_push(numbers, 0);
    return &numbers->items[at];
}

static uint32_t fluent_index(Sampler *s, uint32_t fluent) {
    uint32_t *number = slot(&s->number_of_fluent, fluent);
    if (!*number) {
        Text text = {0};
        game_fluent_text(s->work, fluent, &text);
        vector_push(&s->sample->fluents, text.items);
        *number = (uint32_t)s->sample->fluents.count;
    }
    return *number - 1;
}

static void note_moves(Sampler *s, uint32_t role) {
    assert(role < s->move_is_listed.count);
    for (size_t i = 0; i < s->legal.count; i++) {
        uint32_t *listed = slot(&s->move_is_listed.items[role], s->legal.items[i]);
        if (*listed)
            continue;
        Text text = {0};
        game_move_text(s->work, role, s->legal.items[i], &text);
        vector_push(&s->sample->moves, text.items);
        *listed = 1;
    }
}

static void note_state(Sampler *s, const State *state, uint32_t step, uint32_t mover) {
    Sample *sample = s->sample;
    for (uint32_t w = 0; w < state->word_count; w++)
        for (uint64_t bits = state->words[w]; bits; bits &= bits - 1)
            vector_push(&sample->facts, fluent_index(s, w * 64 + (uint32_t)__builtin_ctzll(bits)));
    vector_push(&sample->first_fact, (uint32_t)sample->facts.count);
    vector_push(&sample->step, step);
    vector_push(&sample->mover, mover);
}

/* Chooses a random joint move. False if some role has no legal move. */
static bool choose_moves(Sampler *s, const State *state, uint32_t *mover) {
    uint32_t choosers = 0;
    *mover = BOARD_NONE;
    for (uint32_t r = 0; r < s->role_count; r++) {
        game_legal(s->work, state, r, &s->legal);
        if (!s->legal.count)
            return false;
        note_moves(s, r);
        if (s->legal.count > 1 && choosers++ == 0)
            *mover = r;
        s->joint[r] = s->legal.items[random_below(&s->random, s->legal.count)];
    }
    if (choosers != 1)
        *mover = BOARD_NONE;
    return true;
}

static bool is_enough(const Sampler *s) {
    return s->sample->facts.count > MOST_FACTS || deadline_passed(s->deadline);
}

static void play_match(Sampler *s) {
    State state = {0};
    game_initial(s->work, &state);
    for (uint32_t step = 0; step < MOST_STEPS; step++) {
        uint32_t mover = BOARD_NONE;
        bool goes_on = !game_is_terminal(s->work, &state) && choose_moves(s, &state, &mover);
        note_state(s, &state, step, mover);
        if (!goes_on || is_enough(s))
            break;
        game_next(s->work, &state, s->joint, &state);
    }
    state_free(&state);
}

static void list_possible_fluents(Sampler *s, const Game *game) {
    if (!game_has_circuit(game) || game->circuit->fluent_count > MOST_FLUENTS)
        return;
    for (uint32_t f = 0; f < game->circuit->fluent_count; f++)
        fluent_index(s, f);
}

void sample_play(Sample *sample, Game *game, const BoardOptions *options) {
    Sampler s = {.sample = sample,
                 .work = game_work(game, REASONER_AUTO),
                 .role_count = game->role_count,
                 .deadline = options && options->seconds > 0 ? deadline_in(options->seconds)
                                                             : deadline_never()};
    *sample = (Sample){0};
    random_seed(&s.random, options ? options->seed : 0);
    s.joint = memory_zalloc((game->role_count + 1) * sizeof *s.joint);
    for (uint32_t r = 0; r < game->role_count; r++)
        vector_push(&s.move_is_listed, (U32Vector){0});
    vector_push(&sample->first_fact, 0);
    for (int m = 0; m < MATCHES && !is_enough(&s); m++)
        play_match(&s);
    sample->seen_fluents = (uint32_t)sample->fluents.count;
    if (game_work_reasoner(s.work) != REASONER_INTERPRETER)
        list_possible_fluents(&s, game);
    for (uint32_t r = 0; r < game->role_count; r++)
        vector_free(&s.move_is_listed.items[r]);
    vector_free(&s.move_is_listed);
    vector_free(&s.number_of_fluent);
    vector_free(&s.legal);
    free(s.joint);
    game_work_free(s.work);
}

static void free_strings(StringVector *strings) {
    for (size_t i = 0; i < strings->count; i++)
        free(strings->items[i]);
    vector_free(strings);
}

void sample_free(Sample *sample) {
    free_strings(&sample->fluents);
    free_strings(&sample->moves);
    vector_free(&sample->facts);
    vector_free(&sample->first_fact);
    vector_free(&sample->step);
    vector_free(&sample->mover);
}
