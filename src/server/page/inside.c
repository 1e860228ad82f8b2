/* The views that need few lines, and the table of all views. */
#include "server/page/inside.h"

#include <string.h>

#include "server/json/inside_json.h"
#include "server/json/json.h"
#include "server/json/rules_json.h"

enum {
    MAX_VERTICES = 1200, /* vertices of a graph that the page draws, at most (untuned) */
    BUILD_SECONDS = 8    /* CPU time per game (untuned) */
};
/* Seconds per look (untuned). */
static const double analysis_seconds = 5, decompose_seconds = 6, symmetry_seconds = 4,
                    board_seconds = 2;

const GameOptions inside_build = {.build_seconds = BUILD_SECONDS, .build_bytes = (size_t)1 << 29};

Board *inside_board(Game *game) {
    return board_recognise(game, &(BoardOptions){.seconds = board_seconds});
}

json_t *inside_view_json(const Board *board, const char *state) {
    Report report = {0};
    BoardView *view = board_view(board, state, &report);
    json_t *json = view ? board_view_json(board, view) : json_null();
    board_view_free(view);
    report_free(&report);
    return json;
}

json_t *inside_missing(const char *why) {
    return json_pack("{s:o}", "missing", text_json(why));
}

json_t *inside_no_circuit(const Game *game) {
    return inside_missing(game->why_interpreted ? game->why_interpreted : "no circuit");
}

static json_t *look_at_structure(Game *game) {
    Analysis *a = analysis_run(game, &(AnalysisOptions){.seconds = analysis_seconds});
    json_t *object = analysis_json(a);
    analysis_free(a);
    return object;
}

static json_t *look_at_circuit(Game *game) {
    return game_has_circuit(game) ? circuit_json(game) : inside_no_circuit(game);
}

/* The squares of a list of fluents, each once, so that the page can colour them. */
static json_t *squares_json(const Board *board, const json_t *fluents) {
    Text facts = {0};
    Report report = {0};
    json_t *array = json_array(), *known = json_object();
    for (size_t i = 0; i < json_array_size(fluents); i++)
        text_printf(&facts, "%s ", json_string_value(json_array_get(fluents, i)));
    BoardView *view = board_view_facts(board, text_string(&facts), &report);
    for (size_t i = 0; view && i < view->pieces.count; i++) {
        const PlacedPiece *p = &view->pieces.items[i];
        text_clear(&facts);
        text_printf(&facts, "[%u,%u,%u,%u]", p->grid, p->plane, p->x, p->y);
        if (!json_object_get(known, text_string(&facts)))
            array_push(array, json_loads(text_string(&facts), 0, NULL));
        object_add(known, text_string(&facts), json_true());
    }
    json_decref(known);
    board_view_free(view);
    vector_free(&facts);
    report_free(&report);
    return array;
}

static json_t *look_for_subgames(Game *game) {
    const DecomposeOptions how = {.deadline = deadline_in(decompose_seconds)};
    Decomposition *d = decompose(game, &how);
    if (!d)
        return inside_no_circuit(game);
    Board *board = inside_board(game);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    json_t *object = decomposition_json(game, work, d, decomposition_class(d, game, &how));
    const json_t *subgames = json_object_get(object, "subgames");
    for (size_t i = 0; i < json_array_size(subgames); i++) {
        json_t *subgame = json_array_get(subgames, i);
        json_object_set_new(subgame, "squares",
                            squares_json(board, json_object_get(subgame, "fluents")));
    }
    if (game->circuit->fluent_count + d->actions.count <= MAX_VERTICES)
        json_object_set_new(object, "graph", decomposition_graph_json(game, work, d));
    object_add(object, "final", json_boolean(!deadline_passed(how.deadline)));
    board_free(board);
    game_work_free(work);
    decomposition_free(d);
    return object;
}

static json_t *look_for_symmetries(Game *game) {
    Symmetries *s = symmetry_find(game, &(SymmetryOptions){.seconds = symmetry_seconds});
    if (!s)
        return inside_no_circuit(game);
    Board *board = inside_board(game);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    json_t *object = symmetries_json(game, work, s, NULL), *squares = json_array();
    const json_t *orbits = json_object_get(object, "orbits");
    for (size_t i = 0; i < json_array_size(orbits); i++)
        array_push(squares, squares_json(board, json_array_get(orbits, i)));
    json_object_set_new(object, "orbit_squares", squares);
    object_add(object, "final", json_boolean(s->is_complete));
    board_free(board);
    game_work_free(work);
    symmetry_free(s);
    return object;
}

InsideView *inside_find_view(const char *name) {
    static const struct {
        const char *name;
        InsideView *look;
    } views[] = {{"analysis", look_at_structure},
                 {"circuit", look_at_circuit},
                 {"decomposition", look_for_subgames},
                 {"network", inside_network},
                 {"opening", inside_opening},
                 {"policy", inside_policy},
                 {"survey", inside_survey},
                 {"symmetry", look_for_symmetries}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (strcmp(views[i].name, name) == 0)
            return views[i].look;
    return NULL;
}
