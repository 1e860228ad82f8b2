/* Checks names of relations and functions: used but never defined, defined but never used, with two
 * arities, in two spellings. */
#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "gdl/check/check_internal.h"
#include "gdl/check/suggest.h"

static uint32_t name_node_of(const Check *check, const Predicate *p) {
    return check_name_node(check, check_head_node(check, p->first_node));
}

static size_t mentions(const Predicate *p) {
    return p->uses + p->clauses.count;
}

static bool is_auxiliary(const Predicate *p) {
    return !is_keyword_relation(p->symbol);
}

static void report_arity(Check *check, const Predicate *odd, const Predicate *usual) {
    assert(odd->symbol == usual->symbol && odd->arity != usual->arity);
    if (check_say(check, CODE_ARITY_MISMATCH, name_node_of(check, odd),
                  "`%s` has %s here, but %u at line %u", check_name(check, odd->symbol),
                  check_arguments(check, odd->arity), usual->arity,
                  check_line(check, name_node_of(check, usual))) &&
        !odd->clauses.count)
        report_hint(check->report, "no rule concludes `%s` with %s: this premise never holds",
                    check_name(check, odd->symbol), check_arguments(check, odd->arity));
}

void check_arities(Check *check) {
    size_t symbols = check->syntax->symbols.names.count;
    uint32_t *usual = u32_none(symbols); /* by symbol: its most frequent predicate */
    uint32_t count = (uint32_t)check->predicates.items.count;
    for (uint32_t i = 0; i < count; i++) {
        const Predicate *p = predicate_at(check, i);
        uint32_t *best = &usual[p->symbol];
        if (*best == PREDICATE_NONE || mentions(predicate_at(check, *best)) < mentions(p))
            *best = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        const Predicate *p = predicate_at(check, i);
        if (is_auxiliary(p) && usual[p->symbol] != i)
            report_arity(check, p, predicate_at(check, usual[p->symbol]));
    }
    free(usual);
}

/* Suggests a keyword of the same arity, or an auxiliary predicate, with a similar name. */
static void suggest_name(Check *check, const Predicate *p, bool may_be_auxiliary) {
    if (!check->suggestions)
        return;
    check->suggestions--;
    const Symbols *symbols = &check->syntax->symbols;
    Suggestion suggestion = suggestion_for(symbols_name(symbols, p->symbol));
    for (Symbol k = KEYWORD_ROLE; k <= KEYWORD_SEES; k++)
        if (keyword_arity(k) == (int)p->arity)
            suggestion_offer(&suggestion, symbols_name(symbols, k));
    for (size_t i = 0; may_be_auxiliary && i < check->predicates.items.count; i++) {
        const Predicate *other = &check->predicates.items.items[i];
        if (other->clauses.count && is_auxiliary(other))
            suggestion_offer(&suggestion, symbols_name(symbols, other->symbol));
    }
    if (suggestion.best)
        report_hint(check->report, "did you mean `%s`?", suggestion.best);
}

static void suggest_relation(Check *check, const Predicate *p) {
    const char *name = check_name(check, p->symbol);
    const Functor *fluent = functors_find(&check->fluents, p->symbol, p->arity);
    const Functor *move = functors_find(&check->moves, p->symbol, p->arity);
    bool infix = check->syntax->notation == NOTATION_INFIX;
    if (rules_is_foreign_arrow(name)) {
        report_hint(check->report, "a rule is written (<= CONCLUSION PREMISE ...)");
        return;
    }
    if (fluent && fluent->written != SYNTAX_NODE_NONE) {
        report_hint(check->report,
                    infix ? "`%s` is a fluent: did you mean `true(%s...)`?"
                          : "`%s` is a fluent: did you mean `(true (%s ...))`?",
                    name, name);
        return;
    }
    if (move && move->written != SYNTAX_NODE_NONE) {
        report_hint(check->report, "`%s` is a move: did you forget `does`?", name);
        return;
    }
    suggest_name(check, p, true);
}

void check_undefined(Check *check) {
    bool *defined = check_zalloc(check, check->syntax->symbols.names.count, sizeof *defined);
    size_t count = check->predicates.items.count;
    for (size_t i = 0; i < count; i++)
        defined[check->predicates.items.items[i].symbol] |=
            check->predicates.items.items[i].clauses.count > 0;
    for (uint32_t i = 0; i < count; i++) {
        const Predicate *p = predicate_at(check, i);
        /* If another arity is defined, check_arities reports it. */
        if (p->clauses.count || !is_auxiliary(p) || defined[p->symbol])
            continue;
        const char *more =
            p->uses > 1 ? arena_printf(&check->scratch, " (used %u times)", p->uses) : "";
        if (check_say(check, CODE_UNDEFINED_PREDICATE, name_node_of(check, p),
                      "no rule or fact concludes `%s`%s: this premise never holds",
                      check_name(check, p->symbol), more))
            suggest_relation(check, p);
    }
}

/* A hint for relations that nobody meant as such: arrows of other notations, and prose. */
static void suggest_syntax(Check *check, const Predicate *p, uint32_t root) {
    bool is_bare = !node_is_list(check->syntax, root);
    if (rules_is_foreign_arrow(symbols_name(&check->syntax->symbols, p->symbol)))
        report_hint(check->report, "a rule is written (<= CONCLUSION PREMISE ...)");
    else if (is_bare && check->syntax->notation == NOTATION_KIF)
        report_hint(check->report, "if this is a comment: comments start with `;`");
    else
        suggest_name(check, p, false);
}

static void mark_needed(const Check *check, bool *needed) {
    U32Vector pending = {0};
    for (uint32_t i = 0; i < check->predicates.items.count; i++)
        if (!is_auxiliary(predicate_at(check, i))) {
            needed[i] = true;
            vector_push(&pending, i);
        }
    while (pending.count) {
        const Predicate *p = predicate_at(check, vector_pop(&pending));
        for (size_t i = 0; i < p->dependencies.count; i++) {
            uint32_t target = p->dependencies.items[i].target;
            if (needed[target])
                continue;
            needed[target] = true;
            vector_push(&pending, target);
        }
    }
    vector_free(&pending);
}

void check_unused(Check *check) {
    bool *needed = check_zalloc(check, check->predicates.items.count, sizeof *needed);
    mark_needed(check, needed);
    for (uint32_t i = 0; i < check->predicates.items.count; i++) {
        const Predicate *p = predicate_at(check, i);
        if (needed[i] || !p->clauses.count)
            continue;
        uint32_t root = check->rules->clauses.items[p->clauses.items[0]].root;
        if (check_say(check, CODE_UNUSED_PREDICATE,
                      check_name_node(check, check_head_node(check, root)),
                      "nothing in the game depends on `%s`", check_name(check, p->symbol)))
            suggest_syntax(check, p, root);
    }
}

typedef struct {
    uint32_t node, arity;
} FunctionUse;

static void check_function(Check *check, FunctionUse *first, uint32_t node) {
    Symbol symbol = node_head(check->syntax, node);
    uint32_t arity = node_children(check->syntax, node) - 1;
    FunctionUse *use = &first[symbol];
    if (use->node == SYNTAX_NODE_NONE) {
        *use = (FunctionUse){node, arity};
    } else if (use->node != SYNTAX_NODE_NONE - 1 && use->arity != arity) {
        check_say(check, CODE_FUNCTION_ARITY, node + 1, "`%s` has %s here, but %u at line %u",
                  check_name(check, symbol), check_arguments(check, arity), use->arity,
                  check_line(check, use->node));
        use->node = SYNTAX_NODE_NONE - 1; /* report each name only once */
    }
}

void check_functions(Check *check) {
    size_t symbols = check->syntax->symbols.names.count;
    FunctionUse *first = memory_alloc(symbols * sizeof *first);
    memset(first, 0xff, symbols * sizeof *first);
    for (AtomWalk walk = {0}; check_next_atom(check, &walk);)
        for (uint32_t n = walk.atom + 1; n < node_end(check->syntax, walk.atom); n++)
            if (node_is_list(check->syntax, n))
                check_function(check, first, n);
    free(first);
}

/* The spelling of a name in the text; NULL if the text has something else there. */
static const char *spelling_at(const Check *check, uint32_t node, uint32_t *length) {
    const Node *n = &check->syntax->nodes.items[node];
    const char *name = symbols_name(&check->syntax->symbols, n->symbol);
    const char *text = check->syntax->source->text + n->offset;
    *length = symbols_length(&check->syntax->symbols, n->symbol);
    if (check->syntax->notation == NOTATION_INFIX && *name == '?') {
        name++;
        (*length)--;
    }
    return strncasecmp(text, name, *length) == 0 ? text : NULL;
}

static void check_spelling_of(Check *check, uint32_t *first, uint32_t node) {
    Symbol symbol = check->syntax->nodes.items[node].symbol;
    uint32_t length;
    const char *here = spelling_at(check, node, &length);
    if (!here)
        return;
    if (first[symbol] == SYNTAX_NODE_NONE) {
        first[symbol] = node;
        return;
    }
    const char *there = spelling_at(check, first[symbol], &length);
    if (memcmp(here, there, length) == 0)
        return;
    int shown = length > 60 ? 60 : (int)length;
    if (check_say(check, CODE_SPELLING_CASE, node,
                  "`%.*s` is spelled `%.*s` at line %u; both count as the same name", shown, here,
                  shown, there, check_line(check, first[symbol])))
        report_hint(check->report, "other engines keep the two apart, so matches may differ there");
    first[symbol] = node; /* report again only when the spelling changes back */
}

void check_spelling(Check *check) {
    const Syntax *syntax = check->syntax;
    size_t symbols = syntax->symbols.names.count;
    uint32_t *first = u32_none(symbols);
    bool *reported = check_zalloc(check, symbols, sizeof *reported);
    uint32_t root_end = 0;
    for (uint32_t n = 0, root = 0; n < syntax->nodes.count; n++) {
        if (n >= root_end) {
            root = n;
            root_end = node_end(syntax, n);
        }
        Symbol symbol = syntax->nodes.items[n].symbol;
        if (symbol == SYMBOL_NONE || symbol < KEYWORD_COUNT || reported[symbol])
            continue;
        bool new_scope = symbol_is_variable(&syntax->symbols, symbol) && first[symbol] < root;
        if (new_scope)
            first[symbol] = SYNTAX_NODE_NONE;
        size_t before = check->said.count;
        check_spelling_of(check, first, n);
        reported[symbol] = check->said.count > before;
    }
    free(first);
}
