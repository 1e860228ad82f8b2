/* Symmetries as JSON: permutations and orbits, with their members by name. */
#include <assert.h>

#include "server/json/inside_json.h"
#include "server/json/json.h"

void write_circuit_fluent(const CircuitNames *names, uint32_t fluent, Text *out) {
    game_fluent_text(names->work, fluent, out);
}

void write_circuit_move(const CircuitNames *names, uint32_t move, Text *out) {
    const Circuit *c = names->game->circuit;
    uint32_t role = 0;
    assert(move < c->move_count);
    while (move >= c->first_move[role + 1])
        role++;
    if (names->game->role_count > 1) {
        game_role_text(names->game, role, out);
        text_add_char(out, ' ');
    }
    game_move_text(names->work, role, move - c->first_move[role], out);
}

void write_circuit_role(const CircuitNames *names, uint32_t role, Text *out) {
    game_role_text(names->game, role, out);
}

static json_t *json_thing(const CircuitNames *names, uint32_t thing, CircuitNameWriter *write) {
    Text text = {0};
    write(names, thing, &text);
    json_t *json = json_text(text_string(&text));
    vector_free(&text);
    return json;
}

/* Writes pairs: each name that the permutation moves, and its image. */
static json_t *json_images(const CircuitNames *names, const uint32_t *images, uint32_t count,
                           CircuitNameWriter *write) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        if (images[i] != i)
            json_array_append_new(array, json_pack("[o,o]", json_thing(names, i, write),
                                                   json_thing(names, images[i], write)));
    return array;
}

static json_t *json_permutations(const CircuitNames *names, const Symmetries *s) {
    json_t *array = json_array();
    for (size_t i = 0; i < s->generators.count; i++) {
        const GamePermutation *p = &s->generators.items[i];
        json_t *object = json_object();
        json_object_set_new(object, "roles",
                            json_images(names, p->roles, s->role_count, write_circuit_role));
        json_object_set_new(object, "fluents",
                            json_images(names, p->fluents, s->fluent_count, write_circuit_fluent));
        json_object_set_new(object, "moves",
                            json_images(names, p->moves, s->move_count, write_circuit_move));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *json_orbits(const CircuitNames *names, const uint32_t *orbits, uint32_t count,
                           CircuitNameWriter *write) {
    json_t *array = json_array();
    json_t **orbit_of = memory_zalloc((count + 1) * sizeof *orbit_of);
    for (uint32_t i = 0; i < count; i++) {
        if (orbits[i] == i) {
            orbit_of[i] = json_array();
            json_array_append_new(array, orbit_of[i]);
        }
        json_array_append_new(orbit_of[orbits[i]], json_thing(names, i, write));
    }
    free(orbit_of);
    return array;
}

/* The order of the group: a number while it is exact, else its decimal digits as text; null if
 * unknown. */
static json_t *json_order(const Symmetries *s) {
    if (!s->order)
        return json_null();
    return s->log10_order < 18 ? json_integer(strtoll(s->order, NULL, 10)) : json_text(s->order);
}

json_t *json_symmetries(const Game *game, const GameWork *work, const Symmetries *fixed,
                        const Symmetries *swapping) {
    const CircuitNames here = {game, work}, *names = &here;
    const Symmetries *s = fixed;
    json_t *object = json_object();
    json_object_set_new(object, "order", json_order(s));
    json_object_set_new(object, "log10_order", json_real(s->log10_order));
    json_object_set_new(object, "complete", json_boolean(s->is_complete));
    json_object_set_new(object, "generators", json_integer((json_int_t)s->generators.count));
    json_object_set_new(object, "refuted", json_integer(s->refuted));
    json_object_set_new(object, "permutations", json_permutations(names, s));
    json_object_set_new(
        object, "orbits",
        json_orbits(names, s->fluent_orbits, s->fluent_count, write_circuit_fluent));
    json_object_set_new(object, "move_orbits",
                        json_orbits(names, s->move_orbits, s->move_count, write_circuit_move));
    json_object_set_new(object, "order_with_roles", json_order(swapping ? swapping : s));
    json_object_set_new(object, "permutations_with_roles",
                        json_permutations(names, swapping ? swapping : s));
    json_object_set_new(object, "vertices", json_integer(s->vertices));
    json_object_set_new(object, "edges", json_integer((json_int_t)s->edges));
    json_object_set_new(object, "cpu_seconds",
                        json_real(s->cpu_seconds + (swapping ? swapping->cpu_seconds : 0)));
    return object;
}
