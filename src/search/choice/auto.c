/* Nothing but the kind of game counts: how many roles choose, and when, whether chance or hidden
 * information is in it, whether there is a circuit to play batches on. Better ways to play a kind
 * of game are new rows of the table. */
#include "search/choice/auto.h"
#include "search/methods.h"

#include <string.h>

typedef struct {
    uint32_t players; /* roles that are not chance */
    bool has_chance, is_hidden, has_circuit;
    bool is_simultaneous; /* in some state of a few random matches, more than one player chooses */
} GameKind;

static bool is_alone(const GameKind *kind) {
    return kind->players == 1 && !kind->has_chance;
}

static bool is_hidden(const GameKind *kind) {
    return kind->is_hidden;
}

static bool is_interpreted(const GameKind *kind) {
    return !kind->has_circuit;
}

static bool is_simultaneous(const GameKind *kind) {
    return kind->is_simultaneous;
}

static bool is_for_several(const GameKind *kind) {
    return kind->players > 1;
}

static bool is_anything(const GameKind *kind) {
    (void)kind;
    return true;
}

/* The first row that suits decides. */
static const struct {
    bool (*suits)(const GameKind *kind);
    AutoChoice choice;
} table[] = {
    {is_alone, {"solo", "one role decides everything, so the best line found is kept and played"}},
    {is_hidden,
     {"uct", "hidden information: searches the states that agree with what was perceived"}},
    {is_interpreted, {"grave", "no circuit, so playouts are few and their moves are learnt from"}},
    {is_simultaneous,
     {"rivals", "moves at the same time: parts, or what wins against it in the start clock"}},
    {is_for_several,
     {"rivals", "moves in turn: parts, or what wins against it in the start clock"}},
    {is_anything,
     {"parts", "one role and chance: playouts in batches, and proofs of what is decided"}},
};

static bool several_choose(GameWork *work, const Game *game, const State *state) {
    U32Vector legal = {0};
    Text name = {0};
    uint32_t choosing = 0;
    for (uint32_t r = 0; r < game->role_count; r++) {
        text_clear(&name);
        game_role_text(game, r, &name);
        game_legal(work, state, r, &legal);
        choosing += legal.count > 1 && strcmp(text_string(&name), "random") != 0;
    }
    vector_free(&legal);
    vector_free(&name);
    return choosing > 1;
}

/* An interpreted state may take long: only the first is looked at. */
static bool find_simultaneous(Game *game) {
    enum { MATCHES = 4, MOST_TURNS = 64 };
    GameWork *work = game_work(game, REASONER_AUTO);
    State state = {0};
    Random random;
    uint32_t turns;
    bool found = false;
    random_seed(&random, 0);
    for (int m = 0; m < (game_has_circuit(game) ? MATCHES : 1) && !found; m++) {
        game_initial(work, &state);
        for (int t = 0; t < (game_has_circuit(game) ? MOST_TURNS : 1) && !found; t++) {
            found = several_choose(work, game, &state);
            if (game_play_randomly(work, &state, &random, 1, &turns) != MATCH_TOO_LONG)
                break;
        }
    }
    state_free(&state);
    game_work_free(work);
    return found;
}

AutoChoice auto_choose(Game *game) {
    GameKind kind = {.players = game_count_players(game),
                     .has_chance = game->rules->has_random,
                     .is_hidden = game->rules->has_sees,
                     .has_circuit = game_has_circuit(game)};
    kind.is_simultaneous = kind.players > 1 && find_simultaneous(game);
    size_t row = 0;
    while (!table[row].suits(&kind))
        row++;
    return table[row].choice;
}

static Search *create(Game *game, uint32_t role, const SearchOptions *options) {
    return search_method(auto_choose(game).method)->create(game, role, options);
}

/* The search it makes is one of the chosen method: the other functions are never called. */
const SearchMethod auto_search = {
    .name = "auto", .summary = "the method that suits the game", .create = create};
