/* The driver of the checker, its shared helpers, and the check for definitions that every game
 * needs.
 */
#include "gdl/check/check.h"

#include <assert.h>
#include <string.h>

#include "gdl/check/check_internal.h"
#include "gdl/check/suggest.h"
#include "gdl/write.h"

static const CodeInfo codes[CODE_COUNT] = {
#define CODE_ROW(id, severity, name, summary) [CODE_##id] = {name, SEVERITY_##severity, summary},
    CODES(CODE_ROW)
#undef CODE_ROW
};

const CodeInfo *code_info(DiagnosticCode code) {
    assert(code < CODE_COUNT);
    return &codes[code];
}

enum { MAX_TEXT_LENGTH = 80, MAX_SUGGESTIONS = 100 }; /* bytes of a term; hints (untuned) */

bool check_say(Check *check, DiagnosticCode code, uint32_t node, const char *format, ...) {
    assert(node < check->syntax->nodes.count);
    if (!tuples_insert(&check->said, (uint32_t[]){code, node}))
        return false;
    const CodeInfo *info = code_info(code);
    if (check_is_full(check)) {
        check->report->counts[info->severity]++;
        return true;
    }
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(&check->scratch, format, arguments);
    va_end(arguments);
    report_node(check->report, info->severity, info->name, check->syntax, node, "%s", message);
    return true;
}

/* A full report only counts, so no texts need to be made. */
bool check_is_full(const Check *check) {
    return check->report->items.count >= REPORT_MAX_DIAGNOSTICS;
}

static const char *shortened(Check *check, Text *text) {
    size_t length = text->count;
    if (length > MAX_TEXT_LENGTH) {
        length = MAX_TEXT_LENGTH;
        while (length > 0 && ((unsigned char)text->items[length] & 0xc0) == 0x80)
            length--;
    }
    const char *copy = arena_printf(&check->scratch, "%.*s%s", (int)length, text_string(text),
                                    length < text->count ? "..." : "");
    vector_free(text);
    return copy;
}

const char *check_name(Check *check, Symbol symbol) {
    if (check_is_full(check))
        return "";
    Text text = {0};
    write_symbol(&text, &check->syntax->symbols, symbol, check->syntax->notation);
    return shortened(check, &text);
}

const char *check_term(Check *check, Term term) {
    if (check_is_full(check))
        return "";
    Text text = {0};
    write_term(&text, check->terms, term, check->syntax->notation);
    return shortened(check, &text);
}

const char *check_node(Check *check, uint32_t node) {
    if (check_is_full(check))
        return "";
    Text text = {0};
    write_node(&text, check->syntax, node, check->syntax->notation, WRITE_TERM);
    return shortened(check, &text);
}

const char *check_arguments(Check *check, uint32_t count) {
    if (count < 2)
        return count ? "1 argument" : "no argument";
    return arena_printf(&check->scratch, "%u arguments", count);
}

uint32_t check_line(Check *check, uint32_t node) {
    assert(node < check->syntax->nodes.count);
    if (check_is_full(check))
        return 0;
    return source_line_number(check->syntax->source, check->syntax->nodes.items[node].offset);
}

uint32_t check_name_node(const Check *check, uint32_t node) {
    bool has_name = node_is_list(check->syntax, node) && check->syntax->nodes.items[node].size > 1;
    return has_name ? node + 1 : node;
}

uint32_t check_head_node(const Check *check, uint32_t root) {
    assert(root < check->syntax->nodes.count);
    return list_head(check->syntax, root) == KEYWORD_IMPLIES ? root + 2 : root;
}

uint32_t check_argument_node(const Check *check, uint32_t atom, uint32_t index) {
    if (!node_is_list(check->syntax, atom))
        return atom;
    uint32_t end = node_end(check->syntax, atom);
    for (uint32_t n = atom + 2; n < end; n = node_next(check->syntax, n))
        if (index-- == 0)
            return n;
    return atom;
}

uint32_t check_find_symbol(const Check *check, uint32_t node, Symbol symbol) {
    for (uint32_t n = node; n < node_end(check->syntax, node); n++)
        if (check->syntax->nodes.items[n].symbol == symbol)
            return n;
    return node;
}

void check_forget_variables(Check *check) {
    check->stamp++;
}

/* Terms made by equalities can share subterms, so each subterm is visited once. */
void check_variables(Check *check, Term term, U32Vector *variables) {
    vector_push(&check->pending, term);
    while (check->pending.count) {
        Term t = vector_pop(&check->pending);
        if (term_is_ground(check->terms, t) || check->stamps[t] == check->stamp)
            continue;
        check->stamps[t] = check->stamp;
        if (term_is_variable(check->terms, t))
            vector_push(variables, t);
        for (uint32_t i = term_arity(check->terms, t); i > 0; i--)
            vector_push(&check->pending, term_argument(check->terms, t, i - 1));
    }
}

bool check_is_keyword(const Check *check, Term atom, Keyword keyword) {
    return term_symbol(check->terms, atom) == (Symbol)keyword &&
           (int)term_arity(check->terms, atom) == keyword_arity(keyword);
}

int check_content_index(Symbol keyword) {
    switch (keyword) {
    case KEYWORD_BASE:
    case KEYWORD_INIT:
    case KEYWORD_TRUE:
    case KEYWORD_NEXT:
        return 0;
    case KEYWORD_INPUT:
    case KEYWORD_LEGAL:
    case KEYWORD_DOES:
        return 1;
    default:
        return -1;
    }
}

int check_content_of(const Check *check, Term atom) {
    Symbol keyword = term_symbol(check->terms, atom);
    return check_is_keyword(check, atom, keyword) ? check_content_index(keyword) : -1;
}

void *check_zalloc(Check *check, size_t count, size_t item_bytes) {
    return arena_zalloc(&check->scratch, (count + 1) * item_bytes);
}

static bool opens_formula(const Syntax *syntax, uint32_t node) {
    Symbol head = list_head(syntax, node);
    return is_connective(head) && head != KEYWORD_DISTINCT;
}

bool check_next_atom(const Check *check, AtomWalk *walk) {
    const Syntax *syntax = check->syntax;
    uint32_t node = walk->started ? node_end(syntax, walk->atom) : SYNTAX_NODE_NONE;
    while (!walk->started || node >= node_end(syntax, walk->root)) {
        walk->root_index += walk->started;
        walk->started = true;
        if (walk->root_index == syntax->roots.count)
            return false;
        node = walk->root = syntax->roots.items[walk->root_index];
    }
    while (node < node_end(syntax, walk->root) && opens_formula(syntax, node))
        node += 2;
    walk->atom = node;
    walk->is_head = node == check_head_node(check, walk->root);
    return true;
}

static uint32_t count_clauses(const Check *check, Keyword keyword) {
    uint32_t p = predicates_find(&check->predicates, keyword, (uint32_t)keyword_arity(keyword));
    return p == PREDICATE_NONE ? 0 : (uint32_t)check->predicates.items.items[p].clauses.count;
}

/* Suggests a relation of this arity whose name resembles the missing keyword. */
static void suggest_for_missing(Check *check, Keyword keyword) {
    Suggestion suggestion = suggestion_for(symbols_name(&check->syntax->symbols, keyword));
    uint32_t line = 0;
    for (size_t i = 0; i < check->predicates.items.count; i++) {
        const Predicate *p = &check->predicates.items.items[i];
        if (is_keyword_relation(p->symbol) || !p->clauses.count)
            continue;
        const char *before = suggestion.best;
        suggestion_offer(&suggestion, symbols_name(&check->syntax->symbols, p->symbol));
        if (suggestion.best != before)
            line = check_line(check, p->first_node);
    }
    if (suggestion.best)
        report_hint(check->report, "line %u concludes `%s`: is that meant?", line, suggestion.best);
}

static void need(Check *check, Keyword keyword, DiagnosticCode code, const char *sentence) {
    assert(is_keyword_relation(keyword));
    if (count_clauses(check, keyword))
        return;
    const CodeInfo *info = code_info(code);
    report_at(check->report, info->severity, info->name, check->syntax->source, 0, 1, "%s",
              sentence);
    suggest_for_missing(check, keyword);
}

void check_missing_definitions(Check *check) {
    need(check, KEYWORD_ROLE, CODE_MISSING_ROLE, "no role is declared: nobody plays this game");
    need(check, KEYWORD_LEGAL, CODE_MISSING_LEGAL,
         "no rule concludes `legal`: no role ever has a move");
    need(check, KEYWORD_GOAL, CODE_MISSING_GOAL,
         "no rule concludes `goal`: no role ever gets a score");
    need(check, KEYWORD_TERMINAL, CODE_MISSING_TERMINAL,
         "no rule concludes `terminal`: the game never ends");
    if (!count_clauses(check, KEYWORD_INIT) && !count_clauses(check, KEYWORD_NEXT)) {
        need(check, KEYWORD_NEXT, CODE_MISSING_STATE,
             "neither `init` nor `next` is concluded: there is only one, empty state");
        return;
    }
    need(check, KEYWORD_INIT, CODE_MISSING_INIT,
         "no rule concludes `init`: nothing holds in the initial state");
    need(check, KEYWORD_NEXT, CODE_MISSING_NEXT,
         "no rule concludes `next`: nothing holds after the first move");
}

Functor *functors_find(const Functors *functors, Symbol symbol, uint32_t arity) {
    uint32_t id = tuples_find(&functors->keys, (uint32_t[]){symbol, arity});
    return id == TUPLE_NONE ? NULL : &functors->items.items[id];
}

static void note_functor(Check *check, Functors *functors, Term content, uint32_t node,
                         bool is_written) {
    if (term_is_variable(check->terms, content)) {
        *(is_written ? &functors->any_written : &functors->any_read) = true;
        return;
    }
    Symbol symbol = term_symbol(check->terms, content);
    uint32_t arity = term_arity(check->terms, content);
    if (tuples_insert(&functors->keys, (uint32_t[]){symbol, arity}))
        vector_push(&functors->items,
                    ((Functor){symbol, arity, SYNTAX_NODE_NONE, SYNTAX_NODE_NONE}));
    Functor *functor = functors_find(functors, symbol, arity);
    uint32_t *place = is_written ? &functor->written : &functor->read;
    if (*place == SYNTAX_NODE_NONE)
        *place = node;
}

static void note_atom(Check *check, Term atom, uint32_t node, bool is_head) {
    Symbol keyword = term_symbol(check->terms, atom);
    int index = check_content_of(check, atom);
    bool writes = keyword == KEYWORD_INIT || keyword == KEYWORD_NEXT || keyword == KEYWORD_LEGAL;
    bool reads = keyword == KEYWORD_TRUE || keyword == KEYWORD_DOES;
    if (index < 0 || !(is_head ? writes : reads))
        return;
    Functors *functors = index == 0 ? &check->fluents : &check->moves;
    note_functor(check, functors, term_argument(check->terms, atom, (uint32_t)index),
                 check_argument_node(check, node, (uint32_t)index), is_head);
}

static void collect_functors(Check *check) {
    for (size_t i = 0; i < check->rules->clauses.count; i++) {
        const Clause *clause = &check->rules->clauses.items[i];
        note_atom(check, clause->head, check_head_node(check, clause->root), true);
        const Literal *literals = clause_literals(check->rules, clause);
        for (uint32_t j = 0; j < clause->literal_count; j++)
            note_atom(check, literals[j].atom, literals[j].node, false);
    }
}

static void check_free(Check *check) {
    predicates_free(&check->predicates);
    arena_free(&check->scratch);
    vectors_free(&check->pending, &check->fluents.items, &check->moves.items);
    tuples_free(&check->said);
    tuples_free(&check->fluents.keys);
    tuples_free(&check->moves.keys);
}

/* A description of a million facts takes seconds. */
#define RUN(name)                                                                                  \
    if (check_goes_on(&check))                                                                     \
        check_##name(&check);

void rules_check(const Rules *rules, Report *report) {
    if (!rules->syntax->roots.count) {
        const CodeInfo *info = code_info(CODE_EMPTY_DESCRIPTION);
        report_at(report, info->severity, info->name, rules->syntax->source, 0, 1,
                  "this description states no rule at all");
        return;
    }
    Check check = {.rules = rules,
                   .syntax = rules->syntax,
                   .terms = &rules->terms,
                   .report = report,
                   .suggestions = MAX_SUGGESTIONS};
    check.stamps = check_zalloc(&check, rules->terms.cells.count, sizeof *check.stamps);
    tuples_init(&check.said, 2);
    tuples_init(&check.fluents.keys, 2);
    tuples_init(&check.moves.keys, 2);
    predicates_collect(&check.predicates, rules);
    collect_functors(&check);
    CHECKS(RUN)
    if (!check_goes_on(&check))
        report_error(report, "cut-short", "checking was cut short");
    check_free(&check);
    report_sort(report);
}
