/* Fluents and moves by their texts, moves with their role in front where there are several. */
#include "server/json/inside_json.h"
#include "server/json/json.h"

typedef struct {
    const Game *game;
    const GameWork *work;
} Naming;

static void add_fluent(const Naming *naming, uint32_t fluent, Text *out) {
    game_fluent_text(naming->work, fluent, out);
}

/* Moves by circuit number, with their role in front where there are several. */
static void add_move(const Naming *naming, uint32_t move, Text *out) {
    const Circuit *c = naming->game->circuit;
    uint32_t role = 0;
    while (move >= c->first_move[role + 1])
        role++;
    if (naming->game->role_count > 1) {
        game_role_text(naming->game, role, out);
        text_add_char(out, ' ');
    }
    game_move_text(naming->work, role, move - c->first_move[role], out);
}

static void add_role(const Naming *naming, uint32_t role, Text *out) {
    game_role_text(naming->game, role, out);
}

typedef void Writer(const Naming *naming, uint32_t thing, Text *out);

static json_t *json_thing(const Naming *naming, uint32_t thing, Writer *write) {
    Text text = {0};
    write(naming, thing, &text);
    json_t *json = json_text(text_string(&text));
    vector_free(&text);
    return json;
}

/* Pairs of what a permutation moves and where to. */
static json_t *json_images(const Naming *naming, const uint32_t *images, uint32_t count,
                           Writer *write) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        if (images[i] != i)
            json_array_append_new(array, json_pack("[o,o]", json_thing(naming, i, write),
                                                   json_thing(naming, images[i], write)));
    return array;
}

static json_t *json_permutations(const Naming *naming, const Symmetries *s) {
    json_t *array = json_array();
    for (size_t i = 0; i < s->generators.count; i++) {
        const GamePermutation *p = &s->generators.items[i];
        json_t *object = json_object();
        json_object_set_new(object, "roles",
                            json_images(naming, p->roles, s->role_count, add_role));
        json_object_set_new(object, "fluents",
                            json_images(naming, p->fluents, s->fluent_count, add_fluent));
        json_object_set_new(object, "moves",
                            json_images(naming, p->moves, s->move_count, add_move));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *json_orbits(const Naming *naming, const uint32_t *orbits, uint32_t count,
                           Writer *write) {
    json_t *array = json_array();
    json_t **orbit_of = memory_zalloc((count + 1) * sizeof *orbit_of);
    for (uint32_t i = 0; i < count; i++) {
        if (orbits[i] == i) {
            orbit_of[i] = json_array();
            json_array_append_new(array, orbit_of[i]);
        }
        json_array_append_new(orbit_of[orbits[i]], json_thing(naming, i, write));
    }
    free(orbit_of);
    return array;
}

/* A number while it is exact, else its decimals as text; null if unknown. */
static json_t *json_order(const Symmetries *s) {
    if (!s->order)
        return json_null();
    return s->log10_order < 18 ? json_integer(strtoll(s->order, NULL, 10)) : json_text(s->order);
}

json_t *json_symmetries(const Game *game, const GameWork *work, const Symmetries *fixed,
                        const Symmetries *swapping) {
    Naming here = {game, work}, *naming = &here;
    const Symmetries *s = fixed;
    json_t *object = json_object();
    json_object_set_new(object, "order", json_order(s));
    json_object_set_new(object, "log10_order", json_real(s->log10_order));
    json_object_set_new(object, "complete", json_boolean(s->is_complete));
    json_object_set_new(object, "generators", json_integer((json_int_t)s->generators.count));
    json_object_set_new(object, "refuted", json_integer(s->refuted));
    json_object_set_new(object, "permutations", json_permutations(naming, s));
    json_object_set_new(object, "orbits",
                        json_orbits(naming, s->fluent_orbits, s->fluent_count, add_fluent));
    json_object_set_new(object, "move_orbits",
                        json_orbits(naming, s->move_orbits, s->move_count, add_move));
    json_object_set_new(object, "order_with_roles", json_order(swapping ? swapping : s));
    json_object_set_new(object, "permutations_with_roles",
                        json_permutations(naming, swapping ? swapping : s));
    json_object_set_new(object, "vertices", json_integer(s->vertices));
    json_object_set_new(object, "edges", json_integer((json_int_t)s->edges));
    json_object_set_new(object, "cpu_seconds",
                        json_real(s->cpu_seconds + (swapping ? swapping->cpu_seconds : 0)));
    return object;
}
