/* The choice depends on the kind of game: the roles that choose, chance, hidden information, and a
 * circuit, which allows playouts in batches. A better method for some kind is a new row. */
#include "strategy/strategy.h"

#include <assert.h>

#include "search/search_options.h"

static bool is_for_one(const Game *game) {
    return game_count_players(game) == 1 && !game->rules->has_random;
}

static bool is_hidden(const Game *game) {
    return game->rules->has_sees;
}

static bool has_no_circuit(const Game *game) {
    return !game_has_circuit(game);
}

static bool is_for_several(const Game *game) {
    return game_count_players(game) > 1;
}

static bool is_anything(const Game *game) {
    (void)game;
    return true;
}

/* The first row that suits the game decides. */
static const struct {
    bool (*suits)(const Game *game);
    AutoChoice choice;
} rows[] = {
    {is_for_one,
     {&single_player_search,
      "one role decides everything, so the best line found is kept and played"}},
    {is_hidden,
     {&uct_search, "information is hidden, so it searches states that agree with what was seen"}},
    {has_no_circuit,
     {&grave_search, "there is no circuit, so playouts are few and much is learnt from each move"}},
    {is_for_several,
     {&challenge_search,
      "uct-relevant plays, unless another search beats it in matches during the start clock"}},
    {is_anything,
     {&uct_relevant_search, "one role plays against chance, with playouts in batches and proofs"}},
};

AutoChoice auto_choose(const Game *game) {
    size_t row = 0;
    while (row + 1 < sizeof rows / sizeof *rows && !rows[row].suits(game))
        row++;
    assert(rows[row].suits(game));
    return rows[row].choice;
}

static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options) {
    method = auto_choose(game).method;
    return method->create(method, game, role, options);
}

static const SearchOption options[] = {SEARCH_OPTION_C("as the method chosen"),
                                       SEARCH_OPTION_LEAF("as the method chosen"),
                                       SEARCH_OPTION_BATCH("as the method chosen"),
                                       SEARCH_OPTIONS_COMMON,
                                       {0}};

/* The search that is created belongs to the chosen method: other functions are never called. */
const SearchMethod auto_search = {.name = "auto",
                                  .summary = "the method that suits the game",
                                  .options = options,
                                  .create = create,
                                  .takes_evaluation = true,
                                  .takes_device = true};
