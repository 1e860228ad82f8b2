/* What the page shows of a game before anybody plays it: board, first position, a position of a
 * random match, sizes, and the kinds of first moves. Also how much memory the game takes, so that
 * the server knows before it opens it. */
#include <string.h>

#include "base/clock.h"
#include "server/json/inside_json.h"
#include "server/json/json.h"
#include "server/page/inside.h"

enum { MAX_MATCH_LENGTH = 2000 };           /* turns of the random match, at most (untuned) */
static const double position_seconds = 0.3; /* for the random match (untuned) */

static void add_sizes(const Game *game, json_t *object) {
    const Circuit *c = game->circuit;
    object_add(object, "circuit", json_boolean(c != NULL), "why_interpreted",
               c ? NULL : text_json(game->why_interpreted), "reasoner",
               text_json(c ? "circuit" : "interpreter"));
    if (!c)
        return;
    json_t *moves = json_array();
    for (uint32_t r = 0; r < c->role_count; r++)
        array_push(moves, json_integer(c->first_move[r + 1] - c->first_move[r]));
    object_add(object, "fluents", json_integer(c->fluent_count), "moves", moves, "ands",
               count_json(c->aig.and_count));
}

/* Plays randomly from the initial state, with the same seed in each call. Returns the number of
 * turns made. */
static uint32_t play_some(GameWork *work, uint32_t max_turns, State *state) {
    uint32_t turns = 0, made;
    MatchEnd end = MATCH_TOO_LONG;
    Random random;
    Deadline deadline = deadline_in(position_seconds);
    random_seed(&random, 0);
    game_initial(work, state);
    for (; turns < max_turns && end == MATCH_TOO_LONG && !deadline_passed(deadline); turns += made)
        end = game_play_randomly(work, state, &random, 1, &made);
    return turns;
}

/* A position from the middle of a random match. */
static json_t *middle_json(const Board *board, GameWork *work) {
    State position = {0};
    Text facts = {0};
    uint32_t turns = play_some(work, MAX_MATCH_LENGTH, &position);
    play_some(work, turns / 2, &position);
    game_state_text(work, &position, &facts);
    json_t *view = inside_view_json(board, text_string(&facts));
    state_free(&position);
    vector_free(&facts);
    return view;
}

/* The entry for moves of this kind by this role, which is added if it is new. */
static json_t *kind_of(json_t *kinds, const char *role, const char *name, size_t squares) {
    for (size_t i = 0; i < json_array_size(kinds); i++) {
        json_t *kind = json_array_get(kinds, i);
        if (strcmp(json_string_value(json_object_get(kind, "role")), role) == 0 &&
            strcmp(json_string_value(json_object_get(kind, "name")), name) == 0)
            return kind;
    }
    json_t *kind = object_of("role", text_json(role), "name", text_json(name), "squares",
                             count_json(squares), "count", json_integer(0));
    array_push(kinds, kind);
    return kind;
}

/* The first moves by role and name: how many there are, and how many squares one names. */
static json_t *first_moves_json(const Game *game, const Board *board, GameWork *work,
                                const State *initial) {
    json_t *kinds = json_array();
    U32Vector legal = {0};
    Text text = {0};
    for (uint32_t r = 0; r < game->role_count; r++) {
        game_legal(work, initial, r, &legal);
        for (size_t i = 0; i < legal.count; i++) {
            text_clear(&text);
            game_move_text(work, r, legal.items[i], &text);
            json_t *move = board_move_json(board, text_string(&text));
            const char *name = text_string(&text) + (*text_string(&text) == '(');
            text.items[strcspn(name, " )") + (size_t)(name - text.items)] = '\0';
            json_t *kind = kind_of(kinds, game->roles[r], name,
                                   json_array_size(json_object_get(move, "squares")));
            json_object_set_new(
                kind, "count",
                json_integer(json_integer_value(json_object_get(kind, "count")) + 1));
            json_decref(move);
        }
    }
    vectors_free(&legal, &text);
    return kinds;
}

json_t *inside_opening(Game *game) {
    json_t *object = json_object();
    Board *board = inside_board(game);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State initial = {0};
    Text facts = {0};
    game_initial(work, &initial);
    game_state_text(work, &initial, &facts);
    add_sizes(game, object);
    object_add(object, "board", boards_json(board), "start",
               inside_view_json(board, text_string(&facts)), "view", middle_json(board, work),
               "first_moves", first_moves_json(game, board, work, &initial), "memory_mb",
               json_real(clock_memory_mb())); /* little but the game */
    state_free(&initial);
    vector_free(&facts);
    game_work_free(work);
    board_free(board);
    return object;
}
