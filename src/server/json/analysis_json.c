/* The findings of the analysis as JSON: each one with its certainty, proved from the circuit or
 * observed in random matches. */
#include "base/bitset.h"
#include "server/json/inside_json.h"
#include "server/json/json.h"

static json_t *json_fluent_set(const Analysis *a, const uint64_t *set) {
    json_t *array = json_array();
    for (size_t f = bitset_next(set, a->fluent_words, 0); f != BITSET_END;
         f = bitset_next(set, a->fluent_words, f + 1))
        json_array_append_new(array, json_fluent(a->samples->work, (uint32_t)f));
    return array;
}

static json_t *json_certainty(Certainty certainty) {
    return json_text(certainty_name(certainty));
}

static json_t *json_clocks(const Analysis *a, ClockKind kind) {
    json_t *array = json_array();
    for (size_t i = 0; i < a->clocks->items.count; i++) {
        const Clock *clock = &a->clocks->items.items[i];
        if (clock->kind != kind)
            continue;
        json_t *object = json_object();
        json_object_set_new(object, "fluents", json_fluents(a->samples->work, &clock->fluents));
        json_object_set_new(object, "lead", json_integer(clock->lead));
        json_object_set_new(object, "period", json_integer(clock->period));
        json_object_set_new(object, "certainty", json_certainty(a->clocks->certainty));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *json_controls(const Analysis *a) {
    json_t *array = json_array();
    for (size_t i = 0; i < a->turns.controls.count; i++) {
        const Control *control = &a->turns.controls.items[i];
        json_t *object = json_object();
        json_object_set_new(object, "fluent", json_fluent(a->samples->work, control->fluent));
        json_object_set_new(object, "role",
                            control->role == ROLE_NONE ? json_null()
                                                       : json_role(a->game, control->role));
        json_object_set_new(object, "certainty", json_certainty(control->certainty));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *json_noops(const Analysis *a) {
    json_t *array = json_array();
    for (size_t i = 0; i < a->noops.count; i++) {
        const Noop *noop = &a->noops.items[i];
        json_t *object = json_object();
        json_object_set_new(object, "role", json_role(a->game, noop->role));
        json_object_set_new(object, "move", json_move(a->samples->work, noop->role, noop->move));
        json_object_set_new(object, "kind", json_text(noop_kind_name(noop->kind)));
        json_object_set_new(object, "certainty", json_certainty(noop->certainty));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *json_mutexes(const Analysis *a) {
    json_t *array = json_array();
    for (size_t i = 0; i < a->mutexes.count; i++) {
        const MutexGroup *group = &a->mutexes.items[i];
        json_t *object = json_object();
        json_object_set_new(object, "fluents", json_fluents(a->samples->work, &group->fluents));
        json_object_set_new(object, "at_most_one", json_certainty(group->at_most_one));
        json_object_set_new(object, "at_least_one", json_certainty(group->at_least_one));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *json_latches(const Analysis *a, const uint8_t *latches) {
    json_t *array = json_array();
    for (uint32_t f = 0; f < a->latches.fluent_count; f++)
        if (latches[f])
            json_array_append_new(array,
                                  json_pack("{s:o,s:o}", "fluent", json_fluent(a->samples->work, f),
                                            "certainty", json_certainty(latches[f])));
    return array;
}

/* Lists the fluents that are not in the set; the function below does so for moves. Fluents that
 * never change are left out. */
static json_t *json_missing_fluents(const Analysis *a, const uint64_t *needed) {
    json_t *array = json_array();
    for (uint32_t f = 0; f < a->samples->fluent_count; f++)
        if (!bitset_get(needed, f) && !bitset_get(a->unchanging, f))
            json_array_append_new(array, json_fluent(a->samples->work, f));
    return array;
}

static json_t *json_missing_moves(const Analysis *a, const uint64_t *needed) {
    json_t *array = json_array();
    const Samples *s = a->samples;
    for (uint32_t r = 0; r < s->role_count; r++)
        for (uint32_t m = s->first_move[r]; m < s->first_move[r + 1]; m++)
            if (!bitset_get(needed, m))
                json_array_append_new(array,
                                      json_pack("{s:o,s:o}", "role", json_role(a->game, r), "move",
                                                json_move(s->work, r, m - s->first_move[r])));
    return array;
}

static json_t *json_fragments(const Analysis *a) {
    json_t *object = json_object();
    json_object_set_new(object, "oblivious", json_text(oblivious_name(a->fragments.oblivious)));
    json_object_set_new(object, "sees", json_text(sees_name(a->fragments.sees)));
    json_object_set_new(object, "moves_public", json_boolean(a->fragments.moves_public));
    json_object_set_new(object, "legal_known", json_boolean(a->fragments.legal_known));
    json_object_set_new(object, "twin_moves",
                        a->fragments.twin_moves ? json_integer(a->fragments.twin_moves)
                                                : json_null());
    json_object_set_new(object, "all_states", json_integer((json_int_t)a->fragments.all_states));
    json_object_set_new(object, "horizon",
                        a->horizon_certainty ? json_integer(a->horizon) : json_null());
    json_object_set_new(object, "horizon_certainty", json_certainty(a->horizon_certainty));
    return object;
}

static void add_relevance(const Analysis *a, json_t *object) {
    if (!a->relevance)
        return;
    const Relevance *r = a->relevance;
    json_object_set_new(object, "useless_fluents", json_missing_fluents(a, r->needed));
    json_object_set_new(object, "useless_moves", json_missing_moves(a, r->moves_needed));
    json_object_set_new(object, "fluents_without_influence_on_result",
                        json_missing_fluents(a, r->needed_for_result));
    json_object_set_new(object, "moves_without_influence_on_result",
                        json_missing_moves(a, r->moves_needed_for_result));
}

json_t *json_analysis(const Analysis *a) {
    json_t *object = json_object();
    json_object_set_new(object, "circuit", json_boolean(game_has_circuit(a->game)));
    json_object_set_new(object, "samples", json_integer((json_int_t)a->samples->items.count));
    json_object_set_new(object, "matches", json_integer(a->samples->matches));
    json_object_set_new(object, "steppers", json_clocks(a, CLOCK_STEPPER));
    json_object_set_new(object, "cycles", json_clocks(a, CLOCK_CYCLE));
    json_object_set_new(object, "controls", json_controls(a));
    json_object_set_new(object, "noops", json_noops(a));
    json_object_set_new(object, "mutex_groups", json_integer((json_int_t)a->mutexes.count));
    json_object_set_new(object, "mutexes", json_mutexes(a));
    json_object_set_new(object, "once_true", json_latches(a, a->latches.once_true));
    json_object_set_new(object, "once_false", json_latches(a, a->latches.once_false));
    json_object_set_new(object, "action_independent", json_fluent_set(a, a->action_independent));
    json_object_set_new(object, "unchanging", json_fluent_set(a, a->unchanging));
    json_object_set_new(object, "unchanging_certainty", json_certainty(a->unchanging_certainty));
    add_relevance(a, object);
    json_object_set_new(object, "turns", json_text(turn_kind_name(a->turns.kind)));
    json_object_set_new(object, "turns_certainty", json_certainty(a->turns.certainty));
    json_object_set_new(object, "impartial", json_boolean(a->turns.impartial));
    json_object_set_new(object, "zero_sum", json_boolean(a->scores.constant_sum));
    json_object_set_new(object, "zero_sum_certainty", json_certainty(a->scores.constant_sum));
    json_object_set_new(object, "sum",
                        a->scores.constant_sum ? json_integer(a->scores.sum) : json_null());
    json_object_set_new(object, "cooperative", json_boolean(a->scores.always_equal));
    json_object_set_new(object, "cooperative_certainty", json_certainty(a->scores.always_equal));
    json_object_set_new(object, "fragments", json_fragments(a));
    json_object_set_new(object, "cpu_seconds", json_real(a->cpu_seconds));
    return object;
}
