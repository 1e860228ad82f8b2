/* Runs of solving as JSON: values are whole numbers where they can be, lines are texts of joint
 * moves. */
#include "server/json/solving_json.h"

#include <math.h>

static json_t *value_json(double value) {
    return value == floor(value) ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *line_json(const GameWork *work, uint32_t roles, const U32Vector *line) {
    json_t *array = json_array();
    for (size_t i = 0; i < line->count; i += roles) {
        Text text = {0};
        for (uint32_t r = 0; r < roles; r++) {
            if (r)
                text_add_char(&text, ' ');
            game_move_text(work, r, line->items[i + r], &text);
        }
        array_push(array, take_text_json(&text));
    }
    return array;
}

json_t *solved_json(const Game *game, const GameWork *work, const Solved *s) {
    json_t *run = object_of("seed", count_json(s->seed), "solved", json_boolean(s->is_solved),
                            "score", s->has_score ? value_json(s->score) : json_null(), "playouts",
                            count_json(s->playouts), "cpu_seconds", json_real(s->cpu_seconds),
                            "decomposition_cpu_seconds", json_real(s->decomposition_cpu_seconds),
                            "line", line_json(work, game->role_count, &s->line));
    if (s->counts.descents)
        object_add(run, "descents", count_json(s->counts.descents));
    if (s->counts.nodes)
        object_add(run, "positions", count_json(s->counts.positions), "nodes",
                   count_json(s->counts.nodes));
    return run;
}

void solved_add_exact(json_t *object, const Game *game, const ExactResult *e) {
    if (e->end == EXACT_SOLVED) {
        json_t *values = json_object();
        for (uint32_t r = 0; r < game->role_count; r++)
            object_add(values, game->roles[r], value_json(e->values[r]));
        json_object_set_new(object, "values", values);
    }
    object_add(object, "method", text_json(e->method), "outcome", text_json(exact_end_text(e->end)),
               "states", count_json(e->states), "terminal_states", count_json(e->terminal_states));
}
