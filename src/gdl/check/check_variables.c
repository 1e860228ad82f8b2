/* Variables, clause by clause: those that occur once, and those that are probably misspelled. A
 * budget bounds the comparisons of names, whose number is quadratic in the variables of a rule. */
#include <ctype.h>
#include <string.h>

#include "gdl/check/check_internal.h"
#include "gdl/check/suggest.h"

enum { MIN_NAME_LENGTH = 3 }; /* letters of a name that may be a misspelling (untuned) */

typedef struct {
    Check *check;
    uint32_t root;
    U32Vector variables; /* symbols of the current expression */
    uint32_t *owner;     /* by symbol: 1 + the root of the expression in which it was met last */
    uint32_t *count;     /* by symbol: occurrences in that expression */
    uint32_t *node;      /* by symbol: its first occurrence there */
    uint32_t *total;     /* by symbol: occurrences in the whole text */
    Symbol *variable_of; /* by symbol of a constant: the variable of the same name, if any */
    unsigned budget;
} Variables;

static const char *name_of(const Variables *v, Symbol symbol) {
    return symbols_name(&v->check->syntax->symbols, symbol);
}

/* ?x1 and ?x2, ?xfrom and ?yfrom, ?row and ?rows are intended. A misspelling is an edit inside the
 * word that changes no digit. */
static bool looks_like_slip(const char *a, const char *b) {
    size_t m = strlen(a), n = strlen(b), same = 0;
    while (a[same] && tolower((unsigned char)a[same]) == tolower((unsigned char)b[same]))
        same++;
    bool at_start = same <= 1, at_end = same + 1 >= m || same + 1 >= n;
    bool digit = isdigit((unsigned char)a[same]) || isdigit((unsigned char)b[same]);
    bool swapped =
        m == n && a[same] && a[same + 1] && a[same] == b[same + 1] && a[same + 1] == b[same];
    return !digit && (swapped || (!at_start && !at_end));
}

static bool is_misspelling(Variables *v, Symbol single) {
    Check *check = v->check;
    const char *name = name_of(v, single);
    if (strlen(name) < MIN_NAME_LENGTH + 1)
        return false;
    for (size_t i = 0; i < v->variables.count && v->budget; i++, v->budget--) {
        Symbol other = v->variables.items[i];
        if (other == single || v->count[other] < 2)
            continue;
        if (edit_distance(name, name_of(v, other), 1) > 1 ||
            !looks_like_slip(name + 1, name_of(v, other) + 1))
            continue;
        if (check_say(check, CODE_PROBABLE_TYPO, v->node[single],
                      "`%s` occurs once in this rule and differs little from `%s`",
                      check_name(check, single), check_name(check, other)))
            report_hint(check->report, "did you mean `%s`?", check_name(check, other));
        return true;
    }
    return false;
}

static void check_singletons(Variables *v) {
    for (size_t i = 0; i < v->variables.count; i++) {
        Symbol symbol = v->variables.items[i];
        bool meant = name_of(v, symbol)[1] == '_' || name_of(v, symbol)[1] == '\0';
        if (v->count[symbol] > 1 || meant || is_misspelling(v, symbol))
            continue;
        check_say(v->check, CODE_SINGLETON_VARIABLE, v->node[symbol],
                  "`%s` occurs only once in this rule", check_name(v->check, symbol));
    }
}

/* A constant that occurs nowhere else, while the rule has a variable of the same name, probably
 * lacks its `?`. */
static void check_constants(Variables *v, uint32_t atom) {
    Check *check = v->check;
    const Syntax *syntax = check->syntax;
    for (uint32_t n = atom + 2; n < node_end(syntax, atom); n++) {
        Symbol symbol = syntax->nodes.items[n].symbol;
        if (symbol == SYMBOL_NONE || node_is_list(syntax, n - 1) || v->total[symbol] != 1)
            continue;
        Symbol variable = v->variable_of[symbol];
        bool beside = variable != SYMBOL_NONE && v->owner[variable] == v->root + 1;
        if (!beside || symbols_length(&syntax->symbols, symbol) < MIN_NAME_LENGTH)
            continue;
        if (check_say(check, CODE_PROBABLE_TYPO, n,
                      "the constant `%s` occurs only here, beside the variable `%s`",
                      check_name(check, symbol), check_name(check, variable)))
            report_hint(check->report, "did you mean `%s`?", check_name(check, variable));
    }
}

static void count_variables(Variables *v) {
    const Syntax *syntax = v->check->syntax;
    vector_clear(&v->variables);
    for (uint32_t n = v->root; n < node_end(syntax, v->root); n++) {
        if (!node_is_variable(syntax, n))
            continue;
        Symbol symbol = syntax->nodes.items[n].symbol;
        if (v->owner[symbol] != v->root + 1) {
            v->owner[symbol] = v->root + 1;
            v->count[symbol] = 0;
            v->node[symbol] = n;
            vector_push(&v->variables, symbol);
        }
        v->count[symbol]++;
    }
}

static void count_symbols(Variables *v) {
    Symbols *symbols = &v->check->rules->syntax->symbols;
    const Syntax *syntax = v->check->syntax;
    for (uint32_t n = 0; n < syntax->nodes.count; n++)
        if (!node_is_list(syntax, n))
            v->total[syntax->nodes.items[n].symbol]++;
    for (Symbol s = 0; s < symbols->names.count; s++)
        v->variable_of[s] = SYMBOL_NONE;
    for (Symbol s = 0; s < symbols->names.count; s++) {
        if (!symbol_is_variable(symbols, s) || symbols_length(symbols, s) < 2)
            continue;
        Symbol constant =
            symbols_find(symbols, symbols_name(symbols, s) + 1, symbols_length(symbols, s) - 1);
        if (constant != SYMBOL_NONE)
            v->variable_of[constant] = s;
    }
}

void check_clause_variables(Check *check) {
    size_t symbols = check->syntax->symbols.names.count;
    Variables v = {.check = check,
                   .root = SYNTAX_NODE_NONE,
                   .owner = check_zalloc(check, symbols, sizeof(uint32_t)),
                   .count = check_zalloc(check, symbols, sizeof(uint32_t)),
                   .node = check_zalloc(check, symbols, sizeof(uint32_t)),
                   .total = check_zalloc(check, symbols, sizeof(uint32_t)),
                   .variable_of = check_zalloc(check, symbols, sizeof(Symbol)),
                   .budget = 1000000};
    count_symbols(&v);
    for (AtomWalk walk = {0}; check_next_atom(check, &walk);) {
        if (walk.root != v.root) {
            v.root = walk.root;
            count_variables(&v);
            bool is_rule = check_head_node(check, v.root) != v.root;
            if (is_rule)
                check_singletons(&v);
        }
        check_constants(&v, walk.atom);
    }
    vector_free(&v.variables);
}
