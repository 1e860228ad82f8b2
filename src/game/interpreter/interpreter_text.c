/* Converts fluents, moves and roles to text and back. */
#include <assert.h>

#include "game/interpreter/interpreter_internal.h"

static void write_value(const Interpreter *in, Value value, Text *out) {
    const GroundTerm *term = term_store_get(&in->store, value);
    const Symbols *symbols = in->rules->terms.symbols;
    if (term->arity > 0)
        text_add_char(out, '(');
    const char *name = symbols_name(symbols, term->symbol);
    for (uint32_t i = 0; i < symbols_length(symbols, term->symbol); i++)
        text_add_char(out, ascii_lower(name[i]));
    for (uint32_t i = 0; i < term->arity; i++) {
        text_add_char(out, ' ');
        write_value(in, term->arguments[i], out);
    }
    if (term->arity > 0)
        text_add_char(out, ')');
}

void interpreter_role_text(const Interpreter *in, uint32_t role, Text *out) {
    assert(role < in->roles.count);
    write_value(in, in->roles.items[role], out);
}

void interpreter_fluent_text(const Interpreter *in, uint32_t fluent, Text *out) {
    assert(fluent < INTERPRETER_NONE);
    write_value(in, term_store_numbered(&in->store, NUMBER_FLUENT, fluent), out);
}

void interpreter_move_text(const Interpreter *in, uint32_t move, Text *out) {
    assert(move < INTERPRETER_NONE);
    write_value(in, term_store_numbered(&in->store, NUMBER_MOVE, move), out);
}

void interpreter_percept_text(const Interpreter *in, uint32_t percept, Text *out) {
    write_value(in, term_store_numbered(&in->store, NUMBER_PERCEPT, percept), out);
}

static Value value_of_node(Interpreter *in, const Syntax *syntax, uint32_t node) {
    Symbol head = node_head(syntax, node), symbol = SYMBOL_NONE;
    if (head != SYMBOL_NONE && !symbol_is_variable(&syntax->symbols, head))
        symbol = symbols_find(in->rules->terms.symbols, symbols_name(&syntax->symbols, head),
                              symbols_length(&syntax->symbols, head));
    U32Vector arguments = {0};
    bool is_good = symbol != SYMBOL_NONE;
    for (uint32_t n = node + 2; is_good && n < node_end(syntax, node); n = node_next(syntax, n)) {
        vector_push(&arguments, value_of_node(in, syntax, n));
        is_good = vector_last(&arguments) != VALUE_NONE;
    }
    Value value = is_good ? term_store_make(&in->store, NULL, symbol, arguments.items,
                                            (uint32_t)arguments.count)
                          : VALUE_NONE;
    vector_free(&arguments);
    return value;
}

static uint32_t find_number(Interpreter *in, NumberKind kind, const char *text, size_t length) {
    assert(text || length == 0);
    Syntax *syntax = syntax_read_term(text, length);
    Value value = VALUE_NONE;
    if (syntax && node_depth(syntax, syntax->roots.items[0]) <= TERM_STORE_MAX_DEPTH)
        value = value_of_node(in, syntax, syntax->roots.items[0]);
    syntax_free(syntax);
    return value == VALUE_NONE ? INTERPRETER_NONE : term_store_number(&in->store, kind, value);
}

uint32_t interpreter_find_fluent(Interpreter *in, const char *text, size_t length) {
    return find_number(in, NUMBER_FLUENT, text, length);
}

uint32_t interpreter_find_move(Interpreter *in, const char *text, size_t length) {
    return find_number(in, NUMBER_MOVE, text, length);
}

uint32_t interpreter_fluent_count(Interpreter *in) {
    return store_number_count(&in->store, NUMBER_FLUENT);
}

uint32_t interpreter_move_count(Interpreter *in) {
    return store_number_count(&in->store, NUMBER_MOVE);
}

static void visit_row(const Interpreter *in, uint32_t relation, const Value *row,
                      StaticRowVisitor *visit, void *context) {
    uint32_t arity = in->relations.items[relation].arity;
    Text texts[INTERPRETER_VISITED_ARITY] = {0};
    const char *strings[INTERPRETER_VISITED_ARITY] = {0};
    for (uint32_t i = 0; i < arity; i++) {
        write_value(in, row[i], &texts[i]);
        strings[i] = text_string(&texts[i]);
    }
    visit(context, relation, strings);
    for (uint32_t i = 0; i < arity; i++)
        vector_free(&texts[i]);
}

void interpreter_visit_static_rows(const Interpreter *in, uint32_t arity, uint32_t max_rows,
                                   StaticRowVisitor *visit, void *context) {
    assert(arity <= INTERPRETER_VISITED_ARITY);
    for (uint32_t r = 0; r < in->predicates.items.count; r++) {
        const InterpretedRelation *info = &in->relations.items[r];
        if (info->arity != arity || info->depends != DEPENDS_ON_NOTHING ||
            info->content.count > max_rows)
            continue;
        for (uint32_t i = 0; i < info->content.count; i++)
            visit_row(in, r, tuples_row(&info->content, i), visit, context);
    }
}
