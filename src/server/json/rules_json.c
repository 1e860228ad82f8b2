/* A description as JSON: what it consists of, how large it is with its variables replaced, and how
 * large its circuit is. */
#include "server/json/rules_json.h"

#include "circuit/measure.h"
#include "gdl/write.h"
#include "ground/ground.h"
#include "server/json/json.h"

const char *notation_name(Notation notation) {
    return notation == NOTATION_KIF ? "kif" : "infix";
}

static json_t *roles_json(const Rules *rules) {
    json_t *roles = json_array();
    for (size_t i = 0; i < rules->roles.count; i++) {
        Text name = {0};
        write_term_lower(&name, &rules->terms, rules->roles.items[i]);
        array_push(roles, take_text_json(&name));
    }
    return roles;
}

static json_t *predicates_json(const Info *info, const Rules *rules) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < info->predicates.items.count; i++) {
        const Predicate *p = &info->predicates.items.items[i];
        const char *name = symbols_name(&rules->syntax->symbols, p->symbol);
        array_push(array, json_pack("{s:o,s:i,s:I,s:b,s:b}", "name", text_json(name), "arity",
                                    (int)p->arity, "clauses", (json_int_t)p->clauses.count,
                                    "dynamic", predicate_is_dynamic(p), "recursive",
                                    predicate_is_recursive(&info->predicates, i)));
    }
    return array;
}

GroundCounts rules_count_ground(const Rules *rules, const bool *stopped) {
    enum { SECONDS = 5 };
    const GroundBudget budget = {.seconds = SECONDS, .bytes = (size_t)1 << 30, .stopped = stopped};
    Report report = {0};
    Grounding *g = ground_rules(rules, &budget, &report);
    GroundCounts counts = {.known = g != NULL};
    if (g) {
        counts.fluents = g->fluents.count;
        counts.moves = g->moves.count;
    }
    grounding_free(g);
    report_free(&report);
    return counts;
}

static json_t *known_json(bool known, size_t count) {
    return known ? json_integer((json_int_t)count) : json_null();
}

json_t *rules_info_json(const Rules *rules, const bool *stopped) {
    Info collected, *info = &collected;
    info_collect(info, rules);
    GroundCounts ground = rules_count_ground(rules, stopped);
    json_t *object =
        object_of("roles", roles_json(rules), "gdl", text_json(rules_use_gdl2(rules) ? "II" : "I"),
                  "rules", count_json(info->rules), "facts", count_json(info->facts), "clauses",
                  count_json(info->clauses), "fluents", known_json(ground.known, ground.fluents),
                  "moves", known_json(ground.known, ground.moves), "notation",
                  text_json(notation_name(rules->syntax->notation)), "lines",
                  count_json(info->lines), "bytes", count_json(info->bytes), "nesting",
                  json_integer(info->deepest_nesting), "recursion",
                  object_of("longest_chain", json_integer(info->longest_chain), "predicates",
                            json_integer(info->recursive_predicates), "largest_component",
                            json_integer(info->largest_recursive_component)),
                  "predicates", predicates_json(info, rules));
    info_free(info);
    return object;
}

size_t ground_moves_of_role(const Grounding *g, uint32_t role) {
    size_t count = 0;
    for (size_t i = 0; i < g->moves.count; i++)
        count += g->moves.items[i].role == role;
    return count;
}

json_t *ground_json(const Grounding *g) {
    json_t *moves = json_array(), *roles = json_array();
    for (uint32_t r = 0; r < g->roles.count; r++) {
        Text role = {0};
        write_term_lower(&role, grounding_terms(g), g->roles.items[r]);
        array_push(roles, take_text_json(&role));
        array_push(moves, count_json(ground_moves_of_role(g, r)));
    }
    return object_of("roles", roles, "fluents", count_json(g->fluents.count), "moves", moves,
                     "rules", count_json(g->rules.count), "literals", count_json(g->literals.count),
                     "atoms", count_json(g->atom_relations.count), "goals",
                     count_json(g->goals.count), "percepts", count_json(g->percepts.count));
}

json_t *circuit_json(const Game *game) {
    const Circuit *c = game->circuit;
    CircuitMeasures m = circuit_measure(c, NULL);
    return object_of("fluents", json_integer(c->fluent_count), "constant_fluents",
                     json_integer(c->constant_fluents), "moves", json_integer(c->move_count),
                     "ands", count_json(c->aig.and_count), "luts", count_json(m.luts), "depth",
                     json_integer(m.depth), "loops", count_json(c->aig.loops.count), "phases",
                     json_integer(m.phases), "cpu_seconds", json_real(game->build_cpu_seconds));
}
