/* The findings of the analysis as JSON: each one with its certainty, proved from the circuit or
 * observed in random matches. */
#include "base/bitset.h"
#include "server/json/inside_json.h"
#include "server/json/json.h"

static json_t *json_fluent_set(const Analysis *a, const uint64_t *set) {
    json_t *array = json_array();
    for (size_t f = bitset_next(set, a->fluent_words, 0); f != BITSET_END;
         f = bitset_next(set, a->fluent_words, f + 1))
        json_push(array, json_fluent(a->samples->work, (uint32_t)f));
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
        json_push(array, json_of("fluents", json_fluents(a->samples->work, &clock->fluents), "lead",
                                 json_integer(clock->lead), "period", json_integer(clock->period),
                                 "certainty", json_certainty(a->clocks->certainty)));
    }
    return array;
}

static json_t *json_controls(const Analysis *a) {
    json_t *array = json_array();
    for (size_t i = 0; i < a->turns.controls.count; i++) {
        const Control *control = &a->turns.controls.items[i];
        json_push(array, json_of("fluent", json_fluent(a->samples->work, control->fluent), "role",
                                 control->role == ROLE_NONE ? json_null()
                                                            : json_role(a->game, control->role),
                                 "certainty", json_certainty(control->certainty)));
    }
    return array;
}

static json_t *json_noops(const Analysis *a) {
    json_t *array = json_array();
    for (size_t i = 0; i < a->noops.count; i++) {
        const Noop *noop = &a->noops.items[i];
        json_push(array, json_of("role", json_role(a->game, noop->role), "move",
                                 json_move(a->samples->work, noop->role, noop->move), "kind",
                                 json_text(noop_kind_name(noop->kind)), "certainty",
                                 json_certainty(noop->certainty)));
    }
    return array;
}

static json_t *json_mutexes(const Analysis *a) {
    json_t *array = json_array();
    for (size_t i = 0; i < a->mutexes.count; i++) {
        const MutexGroup *group = &a->mutexes.items[i];
        json_push(array, json_of("fluents", json_fluents(a->samples->work, &group->fluents),
                                 "at_most_one", json_certainty(group->at_most_one), "at_least_one",
                                 json_certainty(group->at_least_one)));
    }
    return array;
}

static json_t *json_latches(const Analysis *a, const uint8_t *latches) {
    json_t *array = json_array();
    for (uint32_t f = 0; f < a->latches.fluent_count; f++)
        if (latches[f])
            json_push(array, json_of("fluent", json_fluent(a->samples->work, f), "certainty",
                                     json_certainty(latches[f])));
    return array;
}

/* Lists the fluents that are not in the set; the function below does so for moves. Fluents that
 * never change are left out. */
static json_t *json_missing_fluents(const Analysis *a, const uint64_t *needed) {
    json_t *array = json_array();
    for (uint32_t f = 0; f < a->samples->fluent_count; f++)
        if (!bitset_get(needed, f) && !bitset_get(a->unchanging, f))
            json_push(array, json_fluent(a->samples->work, f));
    return array;
}

static json_t *json_missing_moves(const Analysis *a, const uint64_t *needed) {
    json_t *array = json_array();
    const Samples *s = a->samples;
    for (uint32_t r = 0; r < s->role_count; r++)
        for (uint32_t m = s->first_move[r]; m < s->first_move[r + 1]; m++)
            if (!bitset_get(needed, m))
                json_push(array, json_of("role", json_role(a->game, r), "move",
                                         json_move(s->work, r, m - s->first_move[r])));
    return array;
}

static json_t *json_fragments(const Analysis *a) {
    return json_of("oblivious", json_text(oblivious_name(a->fragments.oblivious)), "sees",
                   json_text(sees_name(a->fragments.sees)), "moves_public",
                   json_boolean(a->fragments.moves_public), "legal_known",
                   json_boolean(a->fragments.legal_known), "twin_moves",
                   a->fragments.twin_moves ? json_integer(a->fragments.twin_moves) : json_null(),
                   "all_states", json_count(a->fragments.all_states), "horizon",
                   a->horizon_certainty ? json_integer(a->horizon) : json_null(),
                   "horizon_certainty", json_certainty(a->horizon_certainty));
}

json_t *json_analysis(const Analysis *a) {
    const Relevance *r = a->relevance;
    return json_of(
        "circuit", json_boolean(game_has_circuit(a->game)), "samples",
        json_count(a->samples->items.count), "matches", json_integer(a->samples->matches),
        "steppers", json_clocks(a, CLOCK_STEPPER), "cycles", json_clocks(a, CLOCK_CYCLE),
        "controls", json_controls(a), "noops", json_noops(a), "mutex_groups",
        json_count(a->mutexes.count), "mutexes", json_mutexes(a), "once_true",
        json_latches(a, a->latches.once_true), "once_false", json_latches(a, a->latches.once_false),
        "action_independent", json_fluent_set(a, a->action_independent), "unchanging",
        json_fluent_set(a, a->unchanging), "unchanging_certainty",
        json_certainty(a->unchanging_certainty), "useless_fluents",
        r ? json_missing_fluents(a, r->needed) : NULL, "useless_moves",
        r ? json_missing_moves(a, r->moves_needed) : NULL, "fluents_without_influence_on_result",
        r ? json_missing_fluents(a, r->needed_for_result) : NULL,
        "moves_without_influence_on_result",
        r ? json_missing_moves(a, r->moves_needed_for_result) : NULL, "turns",
        json_text(turn_kind_name(a->turns.kind)), "turns_certainty",
        json_certainty(a->turns.certainty), "impartial", json_boolean(a->turns.impartial),
        "zero_sum", json_boolean(a->scores.constant_sum), "zero_sum_certainty",
        json_certainty(a->scores.constant_sum), "sum",
        a->scores.constant_sum ? json_integer(a->scores.sum) : json_null(), "cooperative",
        json_boolean(a->scores.always_equal), "cooperative_certainty",
        json_certainty(a->scores.always_equal), "fragments", json_fragments(a), "cpu_seconds",
        json_real(a->cpu_seconds));
}
