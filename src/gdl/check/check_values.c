/* Finds the values that each argument can have. Each argument of each relation and function is a
 * place, and rules carry values from the places of their premises to those of their conclusion (the
 * domain graph of Schiffel and Thielscher 2007). `true`, `init` and `next` share a place, as do
 * `legal` and `does`, so the graph covers the whole match. It shows constants that premises test
 * but no rule produces, and function terms that grow with every application of a rule. */
#include <assert.h>
#include <string.h>

#include "base/components.h"
#include "base/graph.h"
#include "base/text.h"
#include "gdl/check/check_internal.h"
#include "gdl/check/suggest.h"

enum { MAX_VALUES = 2000000, MAX_SHOWN = 6 }; /* values kept; values in a hint (untuned) */

/* A value is a ground term, or the first place of a shape + SHAPE_VALUE, or ANYTHING. */
#define ANYTHING UINT32_MAX
#define SHAPE_VALUE 0x80000000u

enum { PLACE_STATE, PLACE_ROLE, PLACE_MOVE, PLACE_COUNT };

typedef struct {
    uint32_t clause; /* number + 1 of the clause this belongs to */
    uint32_t place;
    uint32_t rank; /* priority of the source: the higher, the better */
} Origin;

typedef struct {
    Check *check;
    TupleSet shapes;       /* relations and functions: symbol, arity, 1 for a relation */
    U32Vector first_place; /* by shape: the thing itself, followed by one place per argument */
    uint32_t place_count;
    Edges flows;      /* flows of values, along variables */
    Edges builds;     /* flows from the arguments of function terms to the places of these terms */
    Origin *origins;  /* by term: where the clause takes a variable's values from */
    TupleSet values;  /* place, value */
    U32Vector older;  /* by row of `values`: older value of the same place, or SYNTAX_NODE_NONE */
    U32Vector newest; /* by place: row of its last value, or SYNTAX_NODE_NONE */
    uint32_t clause;  /* number of the current clause */
    uint32_t *component; /* by place: component of the graph of all flows */
} Values;

static uint32_t shape_of(Values *v, Symbol symbol, uint32_t arity, bool is_relation) {
    const uint32_t shape[] = {symbol, arity, is_relation};
    if (tuples_insert(&v->shapes, shape)) {
        vector_push(&v->first_place, v->place_count);
        v->place_count += arity + 1;
    }
    return v->first_place.items[tuples_find(&v->shapes, shape)];
}

static uint32_t function_shape(Values *v, Term term) {
    return shape_of(v, term_symbol(v->check->terms, term), term_arity(v->check->terms, term),
                    false);
}

static uint32_t place_of_argument(Values *v, Term atom, uint32_t index) {
    const Terms *terms = v->check->terms;
    int content = check_content_of(v->check, atom);
    if (content == 0)
        return PLACE_STATE;
    if (content == 1)
        return index == 1 ? PLACE_MOVE : PLACE_ROLE;
    return shape_of(v, term_symbol(terms, atom), term_arity(terms, atom), true) + 1 + index;
}

static bool has_value(Values *v, uint32_t place, uint32_t value) {
    return tuples_find(&v->values, (uint32_t[]){place, value}) != TUPLE_NONE;
}

static void add_value(Values *v, uint32_t place, uint32_t value) {
    assert(place < v->place_count);
    if (v->values.count >= MAX_VALUES || !tuples_insert(&v->values, (uint32_t[]){place, value}))
        return;
    while (v->newest.count <= place)
        vector_push(&v->newest, SYNTAX_NODE_NONE);
    vector_push(&v->older, v->newest.items[place]);
    v->newest.items[place] = v->values.count - 1;
}

/* If several premises bind a variable, the tightest bound comes from a premise that no move can
 * change; among equals, from the premise that has the variable deepest inside a term. */
static void note_origins(Values *v, Term term, uint32_t place, uint32_t rank) {
    const Terms *terms = v->check->terms;
    if (term_is_variable(terms, term)) {
        Origin *origin = &v->origins[term];
        if (origin->clause != v->clause + 1 || origin->rank < rank)
            *origin = (Origin){v->clause + 1, place, rank};
    } else if (!term_is_ground(terms, term)) {
        uint32_t shape = function_shape(v, term);
        for (uint32_t i = 0; i < term_arity(terms, term); i++)
            note_origins(v, term_argument(terms, term, i), shape + 1 + i, rank + 1);
    }
}

static void note_premises(Values *v, const Clause *clause) {
    const Check *check = v->check;
    const Literal *literals = clause_literals(check->rules, clause);
    for (uint32_t k = 0; k < clause->literal_count; k++) {
        Term atom = literals[k].atom;
        if (literals[k].kind != LITERAL_POSITIVE)
            continue;
        uint32_t p = predicate_of_atom(&check->predicates, check->terms, atom);
        const Predicate *predicate = predicate_at(check, p);
        bool is_static = !predicate->depends_on_true && !predicate->depends_on_does;
        for (uint32_t i = 0; i < predicate->arity; i++)
            note_origins(v, term_argument(check->terms, atom, i), place_of_argument(v, atom, i),
                         is_static ? 2 * RULES_MAX_DEPTH : 0);
    }
}

static void put_term(Values *v, Term term, uint32_t place) {
    const Terms *terms = v->check->terms;
    if (term_is_variable(terms, term)) {
        const Origin *origin = &v->origins[term];
        if (origin->clause == v->clause + 1)
            vector_push(&v->flows, ((Edge){origin->place, place}));
        else
            add_value(v, place, ANYTHING);
        return;
    }
    if (term_arity(terms, term) == 0) {
        add_value(v, place, term);
        return;
    }
    uint32_t shape = function_shape(v, term);
    add_value(v, place, shape + SHAPE_VALUE);
    if (!term_is_ground(terms, term))
        vector_push(&v->builds, ((Edge){shape, place}));
    for (uint32_t i = 0; i < term_arity(terms, term); i++)
        put_term(v, term_argument(terms, term, i), shape + 1 + i);
}

/* `base` and `input` only declare what other rules produce. */
static bool is_announcement(const Check *check, Term head) {
    return check_is_keyword(check, head, KEYWORD_BASE) ||
           check_is_keyword(check, head, KEYWORD_INPUT);
}

static void note_clause(Values *v) {
    const Clause *clause = &v->check->rules->clauses.items[v->clause];
    note_premises(v, clause);
    if (is_announcement(v->check, clause->head))
        return;
    for (uint32_t i = 0; i < term_arity(v->check->terms, clause->head); i++)
        put_term(v, term_argument(v->check->terms, clause->head, i),
                 place_of_argument(v, clause->head, i));
}

/* Another check reports relations that no rule concludes. Here their arguments may have any
 * value. */
static void open_undefined(Values *v) {
    const Predicates *predicates = &v->check->predicates;
    for (size_t i = 0; i < predicates->items.count; i++) {
        const Predicate *p = &predicates->items.items[i];
        bool announced = p->symbol == KEYWORD_BASE || p->symbol == KEYWORD_INPUT;
        bool is_state = p->symbol == KEYWORD_TRUE || p->symbol == KEYWORD_DOES;
        if (is_state || (p->clauses.count && !announced))
            continue;
        uint32_t shape = shape_of(v, p->symbol, p->arity, true);
        for (uint32_t j = 0; j < p->arity; j++)
            add_value(v, shape + 1 + j, ANYTHING);
    }
}

/* Passes values on to all places that they flow to. False if there are too many values. */
static bool spread_values(Values *v) {
    Graph graph;
    graph_build(&graph, v->place_count, &v->flows);
    for (uint32_t i = 0; i < v->values.count; i++) {
        uint32_t place = tuples_row(&v->values, i)[0], value = tuples_row(&v->values, i)[1];
        for (uint32_t e = graph.starts[place]; e < graph.starts[place + 1]; e++)
            add_value(v, graph.targets[e], value);
    }
    graph_free(&graph);
    while (v->newest.count < v->place_count)
        vector_push(&v->newest, SYNTAX_NODE_NONE);
    return v->values.count < MAX_VALUES;
}

static const char *value_name(const Values *v, uint32_t value) {
    const Symbols *symbols = &v->check->syntax->symbols;
    return value >= SHAPE_VALUE ? "" : symbols_name(symbols, term_symbol(v->check->terms, value));
}

static void hint_values(Values *v, uint32_t place, const char *asked) {
    Check *check = v->check;
    Suggestion suggestion = suggestion_for(asked);
    Text text = {0};
    unsigned shown = 0;
    for (uint32_t i = v->newest.items[place]; i != SYNTAX_NODE_NONE; i = v->older.items[i]) {
        uint32_t value = tuples_row(&v->values, i)[1];
        suggestion_offer(&suggestion, value_name(v, value));
        if (shown++ < MAX_SHOWN && value < SHAPE_VALUE)
            text_printf(&text, "%s`%s`", text.count ? ", " : "", check_term(check, value));
    }
    if (suggestion.best)
        report_hint(check->report, "did you mean `%s`?", suggestion.best);
    else if (text.count)
        report_hint(check->report, "it can be %s%s", text_string(&text),
                    shown > MAX_SHOWN ? ", ..." : "");
    vector_free(&text);
}

typedef struct {
    Symbol holder; /* relation or function whose argument it is */
    uint32_t index, place, node;
} Asked;

static void ask(Values *v, Term term, const Asked *asked) {
    Check *check = v->check;
    const Terms *terms = check->terms;
    if (term_is_variable(terms, term) || node_is_variable(check->syntax, asked->node))
        return;
    bool is_constant = term_arity(terms, term) == 0;
    uint32_t shape = is_constant ? 0 : function_shape(v, term);
    uint32_t value = is_constant ? term : shape + SHAPE_VALUE;
    bool known = asked->place >= v->newest.count ||
                 v->newest.items[asked->place] == SYNTAX_NODE_NONE ||
                 has_value(v, asked->place, ANYTHING) || has_value(v, asked->place, value);
    if (known || asked->place < PLACE_COUNT) {
        uint32_t node = asked->node + 2;
        for (uint32_t i = 0; i < term_arity(terms, term); i++) {
            Asked inner = {term_symbol(terms, term), i, shape + 1 + i, node};
            ask(v, term_argument(terms, term, i), &inner);
            node = node_next(check->syntax, node);
        }
        return;
    }
    if (!check_say(check, CODE_UNKNOWN_VALUE, check_name_node(check, asked->node),
                   "`%s` never occurs as argument %u of `%s`", check_term(check, term),
                   asked->index + 1, check_name(check, asked->holder)) ||
        !check->suggestions)
        return;
    check->suggestions--;
    hint_values(v, asked->place, is_constant ? value_name(v, value) : "");
}

static void ask_premise(Values *v, const Literal *literal) {
    const Terms *terms = v->check->terms;
    Symbol holder = term_symbol(terms, literal->atom);
    uint32_t node = literal->node + 2;
    for (uint32_t i = 0; i < term_arity(terms, literal->atom); i++) {
        Asked asked = {holder, i, place_of_argument(v, literal->atom, i), node};
        if (!is_keyword_relation(holder) || asked.place < PLACE_COUNT)
            ask(v, term_argument(terms, literal->atom, i), &asked);
        node = node_next(v->check->syntax, node);
    }
}

static void check_asked_values(Values *v) {
    const Rules *rules = v->check->rules;
    for (size_t i = 0; i < rules->literals.count; i++)
        if (rules->literals.items[i].kind != LITERAL_DISTINCT)
            ask_premise(v, &rules->literals.items[i]);
}

/* A function term in a conclusion grows with each application if it is on a cycle with its own
 * arguments. check_recursion reports cycles inside one relation. */
static void find_growth(Values *v, Term term, uint32_t place, uint32_t node) {
    Check *check = v->check;
    const Terms *terms = check->terms;
    bool is_written = node_is_list(check->syntax, node); /* if not, an equality made the term */
    if (term_is_ground(terms, term) || term_is_variable(terms, term) || !is_written)
        return;
    uint32_t shape = function_shape(v, term), inner = node + 2;
    for (uint32_t i = 0; i < term_arity(terms, term); i++) {
        Term argument = term_argument(terms, term, i);
        find_growth(v, argument, shape + 1 + i, inner);
        inner = node_next(check->syntax, inner);
        bool on_cycle = term_is_variable(terms, argument) &&
                        v->origins[argument].clause == v->clause + 1 &&
                        v->component[v->origins[argument].place] == v->component[shape] &&
                        v->component[shape + 1 + i] == v->component[shape] &&
                        v->component[place] == v->component[shape];
        if (on_cycle &&
            check_say(
                check, CODE_GROWING_FLUENT, check_name_node(check, node),
                "`%s` may wrap a `%s` that this rule built in an earlier step: terms can grow "
                "without end",
                check_term(check, term), check_term(check, argument)))
            report_hint(check->report, "a premise that lists the values of `%s` bounds them",
                        check_term(check, argument));
    }
}

static void check_clause_growth(Values *v) {
    Check *check = v->check;
    const Clause *clause = &check->rules->clauses.items[v->clause];
    if (is_announcement(check, clause->head) || term_is_ground(check->terms, clause->head) ||
        check_is_recursive(check, clause))
        return;
    note_premises(v, clause);
    uint32_t node = check_head_node(check, clause->root) + 2;
    for (uint32_t i = 0; i < term_arity(check->terms, clause->head); i++) {
        find_growth(v, term_argument(check->terms, clause->head, i),
                    place_of_argument(v, clause->head, i), node);
        node = node_next(check->syntax, node);
    }
}

static void check_growth(Values *v) {
    vector_append(&v->builds, v->flows.items, v->flows.count);
    for (uint32_t i = 0; i < v->shapes.count; i++) {
        const uint32_t *shape = tuples_row(&v->shapes, i), first = v->first_place.items[i];
        for (uint32_t j = 0; j < shape[1] && !shape[2]; j++)
            vector_push(&v->builds, ((Edge){first + 1 + j, first}));
    }
    Graph graph;
    graph_build(&graph, v->place_count, &v->builds);
    v->component = check_zalloc(v->check, v->place_count, sizeof *v->component);
    components_find(v->place_count, graph.starts, graph.targets, v->component);
    graph_free(&graph);
    for (v->clause = 0; v->clause < v->check->rules->clauses.count; v->clause++)
        check_clause_growth(v);
}

void check_values(Check *check) {
    Values v = {.check = check,
                .place_count = PLACE_COUNT,
                .origins = check_zalloc(check, check->terms->cells.count, sizeof(Origin))};
    tuples_init(&v.shapes, 3);
    tuples_init(&v.values, 2);
    for (v.clause = 0; v.clause < check->rules->clauses.count; v.clause++)
        note_clause(&v);
    open_undefined(&v);
    if (spread_values(&v))
        check_asked_values(&v);
    memset(v.origins, 0, (check->terms->cells.count + 1) * sizeof(Origin));
    check_growth(&v);
    tuples_free(&v.shapes);
    tuples_free(&v.values);
    vectors_free(&v.first_place, &v.flows, &v.builds, &v.older, &v.newest);
}
