/* The two simplest players: a random legal move, and the first one. They search nothing, and serve
 * as opponents and as the last resort. */
#include "search/search.h"

typedef struct {
    Search search;
    GameWork *work;
    State state;
    Random random;
    bool is_random;
} Simple;

static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options, bool is_random) {
    Simple *s = memory_zalloc(sizeof *s);
    s->search = (Search){method, game, role};
    s->work = game_work(game, REASONER_AUTO);
    s->is_random = is_random;
    random_seed(&s->random, options->seed);
    return &s->search;
}

static void simple_free(Search *search) {
    Simple *s = (Simple *)search;
    game_work_free(s->work);
    state_free(&s->state);
    free(s);
}

static void simple_set_state(Search *search, const State *state) {
    state_copy(&((Simple *)search)->state, state);
}

static void simple_advance(Search *search, const uint32_t *joint, const State *next) {
    (void)joint;
    simple_set_state(search, next);
}

static void simple_run(Search *search, const SearchBudget *budget) {
    (void)search;
    (void)budget;
}

static void simple_result(Search *search, SearchResult *result) {
    Simple *s = (Simple *)search;
    U32Vector legal = {0};
    search_result_free(result);
    game_legal(s->work, &s->state, search->role, &legal);
    size_t chosen = s->is_random && legal.count ? random_below(&s->random, legal.count) : 0;
    result->best = legal.count ? legal.items[chosen] : MOVE_NONE;
    for (size_t i = 0; i < legal.count; i++) {
        SearchMove move = {.move = legal.items[(chosen + i) % legal.count]};
        vector_push(&result->moves, move);
    }
    vector_free(&legal);
}

extern const SearchMethod random_search, legal_search;

static Search *create_random(Game *game, uint32_t role, const SearchOptions *options) {
    return create(&random_search, game, role, options, true);
}

static Search *create_legal(Game *game, uint32_t role, const SearchOptions *options) {
    return create(&legal_search, game, role, options, false);
}

const SearchMethod random_search = {"random",    "a random legal move", create_random,
                                    simple_free, simple_set_state,      simple_advance,
                                    simple_run,  simple_result};
const SearchMethod legal_search = {"legal",     "the first legal move", create_legal,
                                   simple_free, simple_set_state,       simple_advance,
                                   simple_run,  simple_result};
