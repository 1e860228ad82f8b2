/* Random matches that show which facts are true together. With a circuit all its fluents are listed
 * too, so that squares that no match has reached are known. */
#include <math.h>

#include "analysis/board/board_internal.h"
#include "analysis/samples.h"
#include "base/bitset.h"

/* The bounds (untuned) are no times, so that a game gives the same sample on every machine. */
enum {
    MATCHES = 10,
    MAX_STEPS = 150,     /* turns per match */
    MAX_FACTS = 200000,  /* facts in all sampled states together */
    MAX_FLUENTS = 200000 /* a circuit with more fluents does not get them listed */
};

typedef struct {
    BoardSample *sample;
    const Samples *samples;
    uint32_t *number; /* by fluent of the game: 1 + its number in the sample; 0 if it has none */
    bool *move_is_listed; /* by move index of the samples */
} Reader;

static uint32_t fluent_index(Reader *r, uint32_t fluent) {
    if (!r->number[fluent]) {
        Text text = {0};
        game_fluent_text(r->samples->work, fluent, &text);
        vector_push(&r->sample->fluents, text.items);
        r->number[fluent] = (uint32_t)r->sample->fluents.count;
    }
    return r->number[fluent] - 1;
}

static void note_moves(Reader *r, size_t state, uint32_t role) {
    const uint32_t *legal = samples_legal(r->samples, state, role);
    for (uint32_t i = 0; i < samples_choices(r->samples, state, role); i++) {
        bool *is_listed = &r->move_is_listed[samples_move_index(r->samples, role, legal[i])];
        if (*is_listed)
            continue;
        Text text = {0};
        game_move_text(r->samples->work, role, legal[i], &text);
        vector_push(&r->sample->moves, text.items);
        *is_listed = true;
    }
}

static void note_state(Reader *r, size_t state) {
    BoardSample *sample = r->sample;
    const Sample *from = &r->samples->items.items[state];
    uint32_t mover, choosers = samples_choosers(r->samples, state, &mover);
    for (uint32_t role = 0; role < r->samples->role_count; role++)
        note_moves(r, state, role);
    bitset_each(fluent, from->state.words, from->state.word_count)
        vector_push(&sample->facts, fluent_index(r, (uint32_t)fluent));
    vector_push(&sample->first_fact, (uint32_t)sample->facts.count);
    vector_push(&sample->step, from->time);
    vector_push(&sample->mover, choosers == 1 ? mover : BOARD_NONE);
}

void board_sample_play(BoardSample *sample, Game *game, const BoardOptions *options) {
    double seconds = options && options->seconds > 0 ? options->seconds : INFINITY;
    Samples *samples = samples_take(game, &(SampleOptions){.matches = MATCHES,
                                                           .turns = MAX_STEPS,
                                                           .seed = options ? options->seed : 0,
                                                           .budget = cpu_budget_in(seconds)});
    Reader r = {.sample = sample, .samples = samples};
    r.number = memory_zalloc((samples->fluent_count + 1) * sizeof *r.number);
    r.move_is_listed = memory_zalloc(samples_move_count(samples) + 1);
    *sample = (BoardSample){0};
    vector_push(&sample->first_fact, 0);
    for (size_t i = 0; i < samples->items.count && sample->facts.count <= MAX_FACTS; i++)
        if (samples->items.items[i].time < MAX_STEPS)
            note_state(&r, i);
    sample->seen_fluents = (uint32_t)sample->fluents.count;
    bool has_list = game_work_reasoner(samples->work) != REASONER_INTERPRETER &&
                    game_has_circuit(game) && game->circuit->fluent_count <= MAX_FLUENTS;
    for (uint32_t f = 0; has_list && f < game->circuit->fluent_count; f++)
        fluent_index(&r, f);
    memory_free(r.number, r.move_is_listed);
    samples_free(samples);
}

static void free_strings(StringVector *strings) {
    for (size_t i = 0; i < strings->count; i++)
        free(strings->items[i]);
    vector_free(strings);
}

void board_sample_free(BoardSample *sample) {
    free_strings(&sample->fluents);
    free_strings(&sample->moves);
    vectors_free(&sample->facts, &sample->first_fact, &sample->step, &sample->mover);
}
