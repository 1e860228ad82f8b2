/* The findings of the analysis as JSON: each one with its certainty, proved from the circuit or
 * observed in random matches. */
#include "base/bitset.h"
#include "server/json/inside_json.h"
#include "server/json/json.h"

static json_t *fluent_set_json(const Analysis *a, const uint64_t *set) {
    json_t *array = json_array();
    for (size_t f = bitset_next(set, a->fluent_words, 0); f != BITSET_END;
         f = bitset_next(set, a->fluent_words, f + 1))
        array_push(array, fluent_json(a->samples->work, (uint32_t)f));
    return array;
}

static json_t *certainty_json(Certainty certainty) {
    return text_json(certainty_name(certainty));
}

static json_t *clocks_json(const Analysis *a, ClockKind kind) {
    json_t *array = json_array();
    for (size_t i = 0; i < a->clocks->items.count; i++) {
        const Clock *clock = &a->clocks->items.items[i];
        if (clock->kind != kind)
            continue;
        array_push(array,
                   object_of("fluents", fluents_json(a->samples->work, &clock->fluents), "lead",
                             json_integer(clock->lead), "period", json_integer(clock->period),
                             "certainty", certainty_json(a->clocks->certainty)));
    }
    return array;
}

static json_t *controls_json(const Analysis *a) {
    json_t *array = json_array();
    for (size_t i = 0; i < a->turns.controls.count; i++) {
        const Control *control = &a->turns.controls.items[i];
        array_push(
            array,
            object_of("fluent", fluent_json(a->samples->work, control->fluent), "role",
                      control->role == ROLE_NONE ? json_null() : role_json(a->game, control->role),
                      "certainty", certainty_json(control->certainty)));
    }
    return array;
}

static json_t *noops_json(const Analysis *a) {
    json_t *array = json_array();
    for (size_t i = 0; i < a->noops.count; i++) {
        const Noop *noop = &a->noops.items[i];
        array_push(array, object_of("role", role_json(a->game, noop->role), "move",
                                    move_json(a->samples->work, noop->role, noop->move), "kind",
                                    text_json(noop_kind_name(noop->kind)), "certainty",
                                    certainty_json(noop->certainty)));
    }
    return array;
}

static json_t *mutexes_json(const Analysis *a) {
    json_t *array = json_array();
    for (size_t i = 0; i < a->mutexes.count; i++) {
        const MutexGroup *group = &a->mutexes.items[i];
        array_push(array, object_of("fluents", fluents_json(a->samples->work, &group->fluents),
                                    "at_most_one", certainty_json(group->at_most_one),
                                    "at_least_one", certainty_json(group->at_least_one)));
    }
    return array;
}

static json_t *latches_json(const Analysis *a, const uint8_t *latches) {
    json_t *array = json_array();
    for (uint32_t f = 0; f < a->latches.fluent_count; f++)
        if (latches[f])
            array_push(array, object_of("fluent", fluent_json(a->samples->work, f), "certainty",
                                        certainty_json(latches[f])));
    return array;
}

/* Lists the fluents that are not in the set; the function below does so for moves. Fluents that
 * never change are left out. */
static json_t *missing_fluents_json(const Analysis *a, const uint64_t *needed) {
    json_t *array = json_array();
    for (uint32_t f = 0; f < a->samples->fluent_count; f++)
        if (!bitset_get(needed, f) && !bitset_get(a->unchanging, f))
            array_push(array, fluent_json(a->samples->work, f));
    return array;
}

static json_t *missing_moves_json(const Analysis *a, const uint64_t *needed) {
    json_t *array = json_array();
    const Samples *s = a->samples;
    for (uint32_t r = 0; r < s->role_count; r++)
        for (uint32_t m = s->first_move[r]; m < s->first_move[r + 1]; m++)
            if (!bitset_get(needed, m))
                array_push(array, object_of("role", role_json(a->game, r), "move",
                                            move_json(s->work, r, m - s->first_move[r])));
    return array;
}

static json_t *fragments_json(const Analysis *a) {
    return object_of("oblivious", text_json(oblivious_name(a->fragments.oblivious)), "sees",
                     text_json(sees_name(a->fragments.sees)), "moves_public",
                     json_boolean(a->fragments.moves_public), "legal_known",
                     json_boolean(a->fragments.legal_known), "twin_moves",
                     a->fragments.twin_moves ? json_integer(a->fragments.twin_moves) : json_null(),
                     "all_states", count_json(a->fragments.all_states), "horizon",
                     a->horizon_certainty ? json_integer(a->horizon) : json_null(),
                     "horizon_certainty", certainty_json(a->horizon_certainty));
}

json_t *analysis_json(const Analysis *a) {
    const Relevance *r = a->relevance;
    return object_of(
        "circuit", json_boolean(game_has_circuit(a->game)), "samples",
        count_json(a->samples->items.count), "matches", json_integer(a->samples->matches),
        "steppers", clocks_json(a, CLOCK_STEPPER), "cycles", clocks_json(a, CLOCK_CYCLE),
        "controls", controls_json(a), "noops", noops_json(a), "mutex_groups",
        count_json(a->mutexes.count), "mutexes", mutexes_json(a), "once_true",
        latches_json(a, a->latches.once_true), "once_false", latches_json(a, a->latches.once_false),
        "action_independent", fluent_set_json(a, a->action_independent), "unchanging",
        fluent_set_json(a, a->unchanging), "unchanging_certainty",
        certainty_json(a->unchanging_certainty), "useless_fluents",
        r ? missing_fluents_json(a, r->needed) : NULL, "useless_moves",
        r ? missing_moves_json(a, r->moves_needed) : NULL, "fluents_without_influence_on_result",
        r ? missing_fluents_json(a, r->needed_for_result) : NULL,
        "moves_without_influence_on_result",
        r ? missing_moves_json(a, r->moves_needed_for_result) : NULL, "turns",
        text_json(turn_kind_name(a->turns.kind)), "turns_certainty",
        certainty_json(a->turns.certainty), "impartial", json_boolean(a->turns.impartial),
        "zero_sum", json_boolean(a->scores.constant_sum), "zero_sum_certainty",
        certainty_json(a->scores.constant_sum), "sum",
        a->scores.constant_sum ? json_integer(a->scores.sum) : json_null(), "cooperative",
        json_boolean(a->scores.always_equal), "cooperative_certainty",
        certainty_json(a->scores.always_equal), "fragments", fragments_json(a), "cpu_seconds",
        json_real(a->cpu_seconds));
}
