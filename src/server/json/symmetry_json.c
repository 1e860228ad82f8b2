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

static json_t *json_thing(const CircuitNames *names, uint32_t thing, CircuitNameWriter *write) {
    Text text = {0};
    write(names, thing, &text);
    return json_take(&text);
}

/* Writes pairs: each name that the permutation moves, and its image. */
static json_t *json_images(const CircuitNames *names, const uint32_t *images, uint32_t count,
                           CircuitNameWriter *write) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        if (images[i] != i)
            json_push(array, json_pack("[o,o]", json_thing(names, i, write),
                                       json_thing(names, images[i], write)));
    return array;
}

static json_t *json_permutations(const CircuitNames *names, const Symmetries *s) {
    json_t *array = json_array();
    for (size_t i = 0; i < s->generators.count; i++) {
        const GamePermutation *p = &s->generators.items[i];
        json_push(array,
                  json_of("roles", json_images(names, p->roles, s->role_count, write_circuit_role),
                          "fluents",
                          json_images(names, p->fluents, s->fluent_count, write_circuit_fluent),
                          "moves",
                          json_images(names, p->moves, s->move_count, write_circuit_move)));
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
            json_push(array, orbit_of[i]);
        }
        json_push(orbit_of[orbits[i]], json_thing(names, i, write));
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
    return json_of(
        "order", json_order(s), "log10_order", json_real(s->log10_order), "complete",
        json_boolean(s->is_complete), "generators", json_count(s->generators.count), "refuted",
        json_integer(s->refuted), "permutations", json_permutations(names, s), "orbits",
        json_orbits(names, s->fluent_orbits, s->fluent_count, write_circuit_fluent), "move_orbits",
        json_orbits(names, s->move_orbits, s->move_count, write_circuit_move), "order_with_roles",
        json_order(swapping ? swapping : s), "permutations_with_roles",
        json_permutations(names, swapping ? swapping : s), "vertices", json_integer(s->vertices),
        "edges", json_count(s->edges), "cpu_seconds",
        json_real(s->cpu_seconds + (swapping ? swapping->cpu_seconds : 0)));
}
