/* Terms are made bottom-up, so the arguments of a term have smaller numbers than the term. The
 * functions below recurse on terms; rules_lower rejects expressions deeper than RULES_MAX_DEPTH,
 * which bounds the recursion. */
#include "gdl/terms.h"

#include <assert.h>
#include <string.h>

static uint64_t hash_term(Symbol symbol, const Term *arguments, uint32_t arity) {
    uint64_t hash = hash_mix(arity, symbol);
    for (uint32_t i = 0; i < arity; i++)
        hash = hash_mix(hash, arguments[i]);
    return hash_finish(hash);
}

static bool equals(const Terms *terms, Term term, Symbol symbol, const Term *arguments,
                   uint32_t arity) {
    const TermCell *cell = &terms->cells.items[term];
    return cell->symbol == symbol && cell->arity == arity &&
           (arity == 0 ||
            memcmp(term_arguments(terms, term), arguments, arity * sizeof(Term)) == 0);
}

static Term find_hashed(const Terms *terms, uint64_t hash, Symbol symbol, const Term *arguments,
                        uint32_t arity) {
    Term found;
    for (TableProbe p = table_probe(&terms->table, hash); table_next(&terms->table, &p, &found);)
        if (equals(terms, found, symbol, arguments, arity))
            return found;
    return TERM_NONE;
}

Term terms_find(const Terms *terms, Symbol symbol, const Term *arguments, uint32_t arity) {
    return find_hashed(terms, hash_term(symbol, arguments, arity), symbol, arguments, arity);
}

Term terms_make(Terms *terms, Symbol symbol, const Term *arguments, uint32_t arity) {
    uint64_t hash = hash_term(symbol, arguments, arity);
    Term found = find_hashed(terms, hash, symbol, arguments, arity);
    if (found != TERM_NONE)
        return found;
    TermCell cell = {.symbol = symbol,
                     .first_argument = (uint32_t)terms->arguments.count,
                     .arity = arity,
                     .is_variable = arity == 0 && symbol_is_variable(terms->symbols, symbol)};
    cell.is_ground = !cell.is_variable;
    size_t written = symbols_length(terms->symbols, symbol) + (arity > 0 ? 2 : 0);
    for (uint32_t i = 0; i < arity; i++) {
        assert(arguments[i] < terms->cells.count);
        const TermCell *argument = &terms->cells.items[arguments[i]];
        cell.is_ground &= argument->is_ground;
        cell.depth = argument->depth >= cell.depth ? argument->depth + 1 : cell.depth;
        written += 1 + argument->written;
    }
    cell.written = written > TERM_MAX_WRITTEN ? TERM_MAX_WRITTEN + 1 : (uint32_t)written;
    vector_append(&terms->arguments, arguments, arity);
    Term term = (Term)terms->cells.count;
    vector_push(&terms->cells, cell);
    table_insert(&terms->table, hash, term);
    return term;
}

/* The arguments of open lists are on the stack. */
static Term make_from_node(Terms *terms, const Syntax *syntax, uint32_t node, U32Vector *stack) {
    Symbol head = node_head(syntax, node);
    size_t bottom = stack->count;
    if (!node_is_list(syntax, node))
        return terms_constant(terms, head);
    if (head == SYMBOL_NONE || symbol_is_variable(&syntax->symbols, head))
        return TERM_NONE;
    for (uint32_t n = node + 2; n < node_end(syntax, node); n = node_next(syntax, n)) {
        Term argument = make_from_node(terms, syntax, n, stack);
        if (argument == TERM_NONE)
            return TERM_NONE;
        vector_push(stack, argument);
    }
    uint32_t arity = (uint32_t)(stack->count - bottom);
    stack->count = bottom;
    return terms_make(terms, head, stack->items + bottom, arity);
}

Term terms_from_node(Terms *terms, const Syntax *syntax, uint32_t node) {
    U32Vector stack = {0};
    vector_reserve(&stack, 1);
    Term term = make_from_node(terms, syntax, node, &stack);
    vector_free(&stack);
    return term;
}

bool term_contains(const Terms *terms, Term term, Term variable) {
    if (term == variable)
        return true;
    if (term_is_ground(terms, term))
        return false;
    for (uint32_t i = 0; i < term_arity(terms, term); i++)
        if (term_contains(terms, term_argument(terms, term, i), variable))
            return true;
    return false;
}

void term_variables(const Terms *terms, Term term, U32Vector *variables) {
    if (term_is_ground(terms, term))
        return;
    if (term_is_variable(terms, term)) {
        u32_place(variables, term);
        return;
    }
    for (uint32_t i = 0; i < term_arity(terms, term); i++)
        term_variables(terms, term_argument(terms, term, i), variables);
}

void columns_variables(const Terms *terms, const Term *columns, ColumnSet set,
                       U32Vector *variables) {
    for (ColumnSet left = set; left; left &= left - 1)
        term_variables(terms, columns[__builtin_ctzll(left)], variables);
}

bool term_is_bound(const Terms *terms, Term term, const U32Vector *bound) {
    if (term_is_ground(terms, term))
        return true;
    if (term_is_variable(terms, term))
        return u32_contains(bound, term);
    for (uint32_t i = 0; i < term_arity(terms, term); i++)
        if (!term_is_bound(terms, term_argument(terms, term, i), bound))
            return false;
    return true;
}

ColumnSet columns_bound(const Terms *terms, const Term *columns, uint32_t count,
                        const U32Vector *bound) {
    ColumnSet set = 0;
    for (uint32_t i = 0; i < count && i < 64; i++)
        if (term_is_bound(terms, columns[i], bound))
            set |= 1ull << i;
    return set;
}

void columns_select(const Term *columns, ColumnSet set, U32Vector *selected) {
    for (ColumnSet left = set; left; left &= left - 1)
        vector_push(selected, columns[__builtin_ctzll(left)]);
}

void terms_copy(Terms *to, const Terms *from) {
    to->symbols = from->symbols;
    vector_append(&to->cells, from->cells.items, from->cells.count);
    vector_append(&to->arguments, from->arguments.items, from->arguments.count);
    table_copy(&to->table, &from->table);
}

void terms_free(Terms *terms) {
    vectors_free(&terms->cells, &terms->arguments);
    table_free(&terms->table);
}
