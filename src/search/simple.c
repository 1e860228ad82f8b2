/* The two simplest players, a random and the first legal move: opponents and the last resort. */
#include "search/search.h"

typedef struct {
    Search search;
    GameWork *work;
    U32Vector legal;
    Random random;
} Simple;

static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options) {
    Simple *s = search_instance(method, game, role, sizeof *s);
    s->work = game_work_create(game, REASONER_AUTO);
    random_seed(&s->random, options->seed);
    return &s->search;
}

static void simple_free(Search *search) {
    Simple *s = (Simple *)search;
    game_work_free(s->work);
    vector_free(&s->legal);
    free(s);
}

static void simple_set_state(Search *search, const State *state) {
    Simple *s = (Simple *)search;
    game_legal(s->work, state, search->role, &s->legal);
}

static void simple_set_belief(Search *search, const Belief *belief) {
    Simple *s = (Simple *)search;
    belief_legal(belief, s->work, search->role, &s->legal);
}

static void simple_result(Search *search, SearchResult *result) {
    Simple *s = (Simple *)search;
    const U32Vector *legal = &s->legal;
    bool is_random = search->method == &random_search;
    size_t chosen = is_random && legal->count ? random_below(&s->random, legal->count) : 0;
    if (legal->count)
        result->best = legal->items[chosen];
    for (size_t i = 0; i < legal->count; i++) {
        SearchMove move = {.move = legal->items[(chosen + i) % legal->count]};
        vector_push(&result->moves, move);
    }
}

#define SIMPLE_METHOD(title, meaning)                                                              \
    {                                                                                              \
        .name = title, .summary = meaning, .create = create, .free = simple_free,                  \
        .set_state = simple_set_state, .set_belief = simple_set_belief, .result = simple_result    \
    }

const SearchMethod random_search = SIMPLE_METHOD("random", "a random legal move");
const SearchMethod legal_search = SIMPLE_METHOD("legal", "the first legal move");
