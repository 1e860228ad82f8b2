/* Converts fluents, moves and roles to text and back. */
#include <assert.h>

#include "game/interpreter/interpreter_internal.h"

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static void write_value(const Interpreter *in, Value value, Text *out) {
    const GroundTerm *term = store_get(&in->store, value);
    const Symbols *symbols = in->rules->terms.symbols;
    if (term->arity > 0)
        text_add_char(out, '(');
    const char *name = symbols_name(symbols, term->symbol);
    for (uint32_t i = 0; i < symbols_length(symbols, term->symbol); i++)
        text_add_char(out, lower(name[i]));
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
    write_value(in, store_numbered(&in->store, NUMBER_FLUENT, fluent), out);
}

void interpreter_move_text(const Interpreter *in, uint32_t move, Text *out) {
    assert(move < INTERPRETER_NONE);
    write_value(in, store_numbered(&in->store, NUMBER_MOVE, move), out);
}

void interpreter_percept_text(const Interpreter *in, uint32_t percept, Text *out) {
    write_value(in, store_numbered(&in->store, NUMBER_PERCEPT, percept), out);
}

typedef struct {
    Interpreter *interpreter;
    const char *at, *end;
    uint32_t depth;
} Reader;

static void skip_blanks(Reader *r) {
    while (r->at < r->end && (unsigned char)*r->at <= ' ')
        r->at++;
}

static Symbol read_name(Reader *r) {
    skip_blanks(r);
    const char *start = r->at;
    while (r->at < r->end && (unsigned char)*r->at > ' ' && *r->at != '(' && *r->at != ')')
        r->at++;
    if (r->at == start || *start == '?')
        return SYMBOL_NONE;
    return symbols_find(r->interpreter->rules->terms.symbols, start, (size_t)(r->at - start));
}

static Value read_value(Reader *r) {
    skip_blanks(r);
    bool is_list = r->at < r->end && *r->at == '(';
    if (r->depth == STORE_DEEPEST)
        return VALUE_NONE;
    r->at += is_list;
    Symbol symbol = read_name(r);
    if (symbol == SYMBOL_NONE)
        return VALUE_NONE;
    U32Vector arguments = {0};
    bool is_good = true;
    r->depth++;
    for (skip_blanks(r); is_list && is_good; skip_blanks(r)) {
        if (r->at < r->end && *r->at == ')') {
            r->at++;
            break;
        }
        Value argument = read_value(r);
        is_good = argument != VALUE_NONE;
        vector_push(&arguments, argument);
    }
    r->depth--;
    Table no_mirror = {0};
    Value value = is_good ? store_make(&r->interpreter->store, &no_mirror, symbol, arguments.items,
                                       (uint32_t)arguments.count)
                          : VALUE_NONE;
    table_free(&no_mirror);
    vector_free(&arguments);
    return value;
}

static uint32_t find_number(Interpreter *in, NumberKind kind, const char *text, size_t length) {
    assert(text || length == 0);
    Reader r = {in, text, text + length, 0};
    Value value = read_value(&r);
    skip_blanks(&r);
    return value == VALUE_NONE || r.at < r.end ? INTERPRETER_NONE
                                               : store_number(&in->store, kind, value);
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

void interpreter_visit_static_rows(const Interpreter *in, uint32_t arity, uint32_t most_rows,
                                   StaticRowVisitor *visit, void *context) {
    assert(arity <= INTERPRETER_VISITED_ARITY);
    for (uint32_t r = 0; r < in->predicates.items.count; r++) {
        const InterpretedRelation *info = &in->relations.items[r];
        if (info->arity != arity || info->depends != DEPENDS_ON_NOTHING ||
            info->content.count > most_rows)
            continue;
        for (uint32_t i = 0; i < info->content.count; i++)
            visit_row(in, r, tuples_row(&info->content, i), visit, context);
    }
}
