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
    if (names->game->role_count > 1)
        text_printf(out, "%s ", names->game->roles[role]);
    game_move_text(names->work, role, move - c->first_move[role], out);
}

void write_circuit_role(const CircuitNames *names, uint32_t role, Text *out) {
    text_add(out, names->game->roles[role]);
}

static json_t *element_json(const CircuitNames *names, uint32_t element, CircuitNameWriter *write) {
    Text text = {0};
    write(names, element, &text);
    return take_text_json(&text);
}

/* Writes pairs: each name that the permutation moves, and its image. */
static json_t *images_json(const CircuitNames *names, const uint32_t *images, uint32_t count,
                           CircuitNameWriter *write) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        if (images[i] != i)
            array_push(array, json_pack("[o,o]", element_json(names, i, write),
                                        element_json(names, images[i], write)));
    return array;
}

static json_t *permutations_json(const CircuitNames *names, const Symmetries *s) {
    json_t *array = json_array();
    for (size_t i = 0; i < s->generators.count; i++) {
        const GamePermutation *p = &s->generators.items[i];
        array_push(
            array,
            object_of("roles", images_json(names, p->roles, s->role_count, write_circuit_role),
                      "fluents",
                      images_json(names, p->fluents, s->fluent_count, write_circuit_fluent),
                      "moves", images_json(names, p->moves, s->move_count, write_circuit_move)));
    }
    return array;
}

static json_t *orbits_json(const CircuitNames *names, const uint32_t *orbits, uint32_t count,
                           CircuitNameWriter *write) {
    json_t *array = json_array();
    json_t **orbit_of = memory_zalloc((count + 1) * sizeof *orbit_of);
    for (uint32_t i = 0; i < count; i++) {
        if (orbits[i] == i) {
            orbit_of[i] = json_array();
            array_push(array, orbit_of[i]);
        }
        array_push(orbit_of[orbits[i]], element_json(names, i, write));
    }
    free(orbit_of);
    return array;
}

/* The order of the group: a number while it is exact, else its decimal digits as text; null if
 * unknown. */
static json_t *order_json(const Symmetries *s) {
    if (!s->order)
        return json_null();
    return s->log10_order < 18 ? json_integer(strtoll(s->order, NULL, 10)) : text_json(s->order);
}

json_t *symmetries_json(const Game *game, const GameWork *work, const Symmetries *fixed,
                        const Symmetries *swapping) {
    const CircuitNames here = {game, work}, *names = &here;
    const Symmetries *s = fixed;
    return object_of(
        "order", order_json(s), "log10_order", json_real(s->log10_order), "complete",
        json_boolean(s->is_complete), "generators", count_json(s->generators.count), "refuted",
        json_integer(s->refuted), "permutations", permutations_json(names, s), "orbits",
        orbits_json(names, s->fluent_orbits, s->fluent_count, write_circuit_fluent), "move_orbits",
        orbits_json(names, s->move_orbits, s->move_count, write_circuit_move), "order_with_roles",
        order_json(swapping ? swapping : s), "permutations_with_roles",
        permutations_json(names, swapping ? swapping : s), "vertices", json_integer(s->vertices),
        "edges", count_json(s->edges), "cpu_seconds",
        json_real(s->cpu_seconds + (swapping ? swapping->cpu_seconds : 0)));
}
