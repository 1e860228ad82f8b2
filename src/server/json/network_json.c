/* Constraint networks and what came out of them as JSON. */
#include "server/json/network_json.h"

#include "base/bitset.h"
#include "server/json/inside_json.h"
#include "server/json/json.h"

static json_t *variables_json(const GameNetwork *n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n->network.variables.count; i++) {
        const ScspVariable *x = &n->network.variables.items[i];
        json_t *domain = json_array();
        Text name = {0};
        template_write_variable(n->t, x, &name);
        for (uint32_t v = 0; v < x->size; v++) {
            Text value = {0};
            if (x->allowed && !bitset_get(x->allowed, v))
                continue;
            template_write_value(n->t, x, v, &value);
            array_push(domain, take_text_json(&value));
        }
        array_push(array,
                   object_of("name", take_text_json(&name), "turn", json_integer(x->turn + 1),
                             "stochastic", json_boolean(x->is_stochastic), "domain", domain));
    }
    return array;
}

static json_t *scope_json(const uint32_t *scope, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        array_push(array, json_integer(scope[i]));
    return array;
}

static void append_constraint(json_t *array, const char *form, ConstraintKind kind, json_t *scope,
                              size_t rows) {
    array_push(array,
               object_of("form", text_json(form), "kind", text_json(constraint_kind_name(kind)),
                         "scope", scope, "rows", count_json(rows)));
}

static json_t *constraints_json(const Scsp *n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n->tables.count; i++) {
        const ScspTable *t = &n->tables.items[i];
        append_constraint(array, "table", t->kind,
                          scope_json(scsp_scope(n, t->first_scope), t->rows->arity),
                          t->rows->count);
    }
    for (size_t i = 0; i < n->clauses.count; i++) {
        const ScspClause *c = &n->clauses.items[i];
        json_t *scope = json_array();
        for (uint32_t k = 0; k < c->count; k++)
            array_push(scope, json_integer(n->literals.items[c->first + k].variable));
        append_constraint(array, "clause", c->kind, scope, c->count);
    }
    for (size_t i = 0; i < n->functions.count; i++) {
        const ScspFunction *f = &n->functions.items[i];
        append_constraint(array, "function", CONSTRAINT_AUXILIARY,
                          scope_json(scsp_scope(n, f->first_scope),
                                     f->rules->input_count + f->rules->output_count),
                          f->rules->rules.count);
    }
    return array;
}

json_t *network_json(const GameNetwork *n) {
    return object_of("horizon", n->horizon ? count_json(n->horizon) : json_null(), "variables",
                     variables_json(n), "constraints", constraints_json(&n->network),
                     "translation_cpu_seconds", json_real(n->t->cpu_seconds));
}

/* Policies that were counted: all, the best ones, and those that reach the threshold. */
static json_t *policies_json(const NetworkQuestion *question, const NetworkAnswer *answer) {
    if (!answer->policies.count)
        return json_null();
    Rational best = vector_last(&answer->policies).value;
    Text text = {0};
    rational_write(best, &text);
    return object_of(
        "count", json_real(network_answer_policies(answer, 0)), "best_value", take_text_json(&text),
        "best", json_real(network_answer_policies(answer, rational_to_double(best))),
        "at_threshold",
        question->has_threshold ? json_real(network_answer_policies(answer, question->threshold))
                                : json_null());
}

json_t *network_answer_json(const GameNetwork *n, const NetworkQuestion *question,
                            const NetworkAnswer *answer) {
    Text fraction = {0};
    PolicyView view = network_answer_view(n, question, answer);
    rational_write(answer->fraction, &fraction);
    json_t *object = object_of(
        "role", role_json(n->game, question->player), "value",
        text_json(answer->has_fraction ? text_string(&fraction) : NULL), "value_decimal",
        answer->failure || answer->is_below ? json_null() : json_real(network_answer_value(answer)),
        "value_is", text_json(answer->failure ? NULL : network_answer_relation(answer)), "failure",
        text_json(answer->is_below ? "no policy reaches the threshold" : answer->failure),
        "policies", policies_json(question, answer), "policy",
        answer->policy ? policy_json(&view) : json_null(), "nodes", count_json(answer->work),
        "cpu_seconds", json_real(answer->cpu_seconds));
    vector_free(&fraction);
    return object;
}
