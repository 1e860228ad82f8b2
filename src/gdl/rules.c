/* Lowers syntax trees to clauses. Most bodies are plain and are copied unchanged. The others are
 * computed with lists of alternative conjunctions: `and` multiplies the lists, `or` joins them. */
#include "gdl/rules.h"

#include <assert.h>
#include <string.h>

#include "gdl/unify.h"

typedef struct {
    bool is_equality; /* (not (distinct a b)) */
    Literal literal;
} Part;

typedef VECTOR(Part) Conjunction;
typedef VECTOR(Conjunction) Alternatives;

typedef struct {
    Rules *rules;
    const Syntax *syntax;
    Report *report;
    uint32_t root;
    uint64_t *expanded; /* premises copied so far while multiplying out, in all expressions */
    bool failed;        /* the current expression has an error */
} Lowering;

bool report_node(Report *report, Severity severity, const char *code, const Syntax *syntax,
                 uint32_t node, const char *format, ...) {
    assert(node < syntax->nodes.count);
    va_list arguments;
    va_start(arguments, format);
    Arena scratch = {0};
    const char *message = arena_vprintf(&scratch, format, arguments);
    va_end(arguments);
    report_at(report, severity, code, syntax->source, syntax->nodes.items[node].offset,
              node_width(syntax, node), "%s", message);
    arena_free(&scratch);
    return false;
}

static void fail(Lowering *l, const char *code, uint32_t node, const char *message) {
    report_node(l->report, SEVERITY_ERROR, code, l->syntax, node, "%s", message);
    l->failed = true;
}

/* Finds the innermost node that prevents a list from being a term, so that the message points
 * there. */
static void fail_no_term(Lowering *l, uint32_t node) {
    for (uint32_t i = node; i < node_end(l->syntax, node); i++) {
        if (!node_is_list(l->syntax, i))
            continue;
        if (node_children(l->syntax, i) == 0) {
            fail(l, "empty-list", i, "`()` is neither a term nor a premise");
            return;
        }
        bool is_list = node_is_list(l->syntax, i + 1);
        if (is_list || node_is_variable(l->syntax, i + 1)) {
            fail(l, "bad-term", i + 1,
                 is_list ? "a list cannot stand where the name of a term is expected"
                         : "a variable cannot be the name of a term or relation");
            return;
        }
    }
    assert(!"node is a term");
}

static Term lower_atom(Lowering *l, uint32_t node, const char *what) {
    if (node_is_variable(l->syntax, node)) {
        report_node(l->report, SEVERITY_ERROR, "bad-atom", l->syntax, node,
                    "a variable cannot stand alone as %s", what);
        l->failed = true;
        return TERM_NONE;
    }
    Term term = terms_from_node(&l->rules->terms, l->syntax, node);
    if (term == TERM_NONE)
        fail_no_term(l, node);
    else if (term_is_oversized(&l->rules->terms, term))
        fail(l, "too-deep", node, "this term is longer than 65536 bytes");
    return term;
}

static bool is_plain_literal(const Syntax *syntax, uint32_t node) {
    Symbol head = list_head(syntax, node);
    if (!is_connective(head) || head == KEYWORD_DISTINCT)
        return true;
    return head == KEYWORD_NOT && node_children(syntax, node) == 2 &&
           !is_connective(node_head(syntax, node + 2));
}

static Literal lower_simple(Lowering *l, uint32_t node, bool negated) {
    Literal literal = {negated ? LITERAL_NEGATIVE : LITERAL_POSITIVE, TERM_NONE, node};
    Symbol head = node_head(l->syntax, node);
    if (head == KEYWORD_DISTINCT) {
        literal.kind = LITERAL_DISTINCT;
        if (node_children(l->syntax, node) != 3) {
            fail(l, "keyword-arity", node, "`distinct` takes exactly two terms");
            return literal;
        }
    } else if (head == KEYWORD_IMPLIES) {
        fail(l, "bad-premise", node, "`<=` cannot stand inside a rule");
        return literal;
    } else if (head == KEYWORD_NOT || head == KEYWORD_OR || head == KEYWORD_AND) {
        fail(l, "bad-premise", node, "this connective has nothing to connect");
        return literal;
    }
    literal.atom = lower_atom(l, node, "a premise");
    return literal;
}

static void lower_plain(Lowering *l, uint32_t node) {
    bool negated = list_head(l->syntax, node) == KEYWORD_NOT;
    vector_push(&l->rules->literals, lower_simple(l, negated ? node + 2 : node, negated));
}

static void alternatives_free(Alternatives *a) {
    for (size_t i = 0; i < a->count; i++)
        vector_free(&a->items[i]);
    vector_free(a);
}

/* a := a and b; b becomes empty. */
static void multiply(Lowering *l, Alternatives *a, Alternatives *b) {
    size_t parts = 0;
    for (size_t i = 0; i < a->count; i++)
        parts += (a->items[i].count + 1) * b->count;
    *l->expanded += parts;
    if (a->count * b->count > RULES_MAX_ALTERNATIVES || *l->expanded > RULES_MAX_EXPANDED) {
        if (!l->failed)
            fail(l, "too-many-alternatives", l->root,
                 "multiplying out the disjunctions of this rule gives too many clauses");
        alternatives_free(b);
        return;
    }
    Alternatives product = {0};
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            Conjunction both = {0};
            vector_append(&both, a->items[i].items, a->items[i].count);
            vector_append(&both, b->items[j].items, b->items[j].count);
            vector_push(&product, both);
        }
    alternatives_free(a);
    alternatives_free(b);
    *a = product;
}

static void add(Alternatives *a, Alternatives *b) {
    vector_append(a, b->items, b->count);
    vector_free(b);
}

static Alternatives one_empty_conjunction(void) {
    Alternatives a = {0};
    vector_push(&a, ((Conjunction){0}));
    return a;
}

static Alternatives expand(Lowering *l, uint32_t node, bool negated) {
    Symbol head = list_head(l->syntax, node);
    uint32_t children = node_children(l->syntax, node);
    if (head == KEYWORD_NOT) {
        if (children == 2)
            return expand(l, node + 2, !negated);
        fail(l, "keyword-arity", node, "`not` takes exactly one premise");
        return (Alternatives){0};
    }
    if ((head != KEYWORD_OR && head != KEYWORD_AND) || children == 1) {
        Alternatives a = one_empty_conjunction();
        Part part = {.is_equality = negated && head == KEYWORD_DISTINCT,
                     .literal = lower_simple(l, node, negated)};
        vector_push(&a.items[0], part);
        return a;
    }
    bool is_or = (head == KEYWORD_OR) != negated;
    Alternatives all = is_or ? (Alternatives){0} : one_empty_conjunction();
    uint32_t child = node + 2;
    for (; child < node_end(l->syntax, node); child = node_next(l->syntax, child)) {
        Alternatives more = expand(l, child, negated);
        if (is_or)
            add(&all, &more);
        else
            multiply(l, &all, &more);
    }
    return all;
}

static void add_clause(Lowering *l, Term head, uint32_t first_literal) {
    uint32_t count = (uint32_t)l->rules->literals.count - first_literal;
    vector_push(&l->rules->clauses, ((Clause){head, l->root, first_literal, count}));
}

/* Adds one clause for a conjunction, or none if its equalities contradict each other. */
static void add_conjunction(Lowering *l, Term head, const Conjunction *parts) {
    Terms *terms = &l->rules->terms;
    Substitution bindings = {0};
    bool possible = true;
    for (size_t i = 0; i < parts->count && possible; i++)
        if (parts->items[i].is_equality) {
            Term both = parts->items[i].literal.atom;
            possible = unify(terms, term_argument(terms, both, 0), term_argument(terms, both, 1),
                             &bindings);
        }
    uint32_t first = (uint32_t)l->rules->literals.count;
    for (size_t i = 0; i < parts->count && possible; i++) {
        Literal literal = parts->items[i].literal;
        if (parts->items[i].is_equality)
            continue;
        literal.atom = substitute(terms, literal.atom, &bindings);
        vector_push(&l->rules->literals, literal);
    }
    if (possible)
        add_clause(l, substitute(terms, head, &bindings), first);
    if (bindings.is_too_large)
        fail(l, "too-deep", l->root, "solving the equalities of this rule gives terms too large");
    substitution_free(&bindings);
}

static void lower_body_with_connectives(Lowering *l, Term head, uint32_t first, uint32_t end) {
    Alternatives all = one_empty_conjunction();
    for (uint32_t n = first; n < end; n = node_next(l->syntax, n)) {
        Alternatives more = expand(l, n, false);
        multiply(l, &all, &more);
    }
    for (size_t i = 0; i < all.count && !l->failed; i++)
        add_conjunction(l, head, &all.items[i]);
    alternatives_free(&all);
}

static void lower_rule(Lowering *l) {
    const Syntax *syntax = l->syntax;
    uint32_t end = node_end(syntax, l->root);
    if (node_children(syntax, l->root) < 2) {
        fail(l, "bad-rule", l->root, "a rule needs a conclusion after `<=`");
        return;
    }
    uint32_t head_node = l->root + 2;
    if (is_connective(node_head(syntax, head_node))) {
        fail(l, "bad-head", head_node, "a connective cannot be the conclusion of a rule");
        return;
    }
    Term head = lower_atom(l, head_node, "a conclusion");
    if (l->failed)
        return;
    uint32_t body = node_next(syntax, head_node);
    bool plain = true;
    for (uint32_t n = body; n < end; n = node_next(syntax, n))
        plain &= is_plain_literal(syntax, n);
    if (!plain) {
        lower_body_with_connectives(l, head, body, end);
        return;
    }
    uint32_t first = (uint32_t)l->rules->literals.count;
    for (uint32_t n = body; n < end && !l->failed; n = node_next(syntax, n))
        lower_plain(l, n);
    if (!l->failed)
        add_clause(l, head, first);
}

bool rules_is_foreign_arrow(const char *name) {
    static const char *const arrows[] = {"=>", ":-", "->", "<-", "==>", "::", "<==", "-->", "::="};
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
        if (strcmp(name, arrows[i]) == 0)
            return true;
    return false;
}

/* What to do instead of an atom that stands outside every expression and looks like the sign of
 * another notation; NULL if it does not. */
static const char *advice_on(const char *name) {
    if (rules_is_foreign_arrow(name) || strcmp(name, "<=") == 0 || strstr(name, ":-"))
        return "a rule is written (<= CONCLUSION PREMISE ...)";
    if (strcmp(name, ",") == 0 || strcmp(name, ".") == 0)
        return "nothing stands between expressions in this notation";
    if (strcmp(name, "#|") == 0 || strcmp(name, "|#") == 0 || *name == '%')
        return "comments start with `;` in this notation";
    return NULL;
}

static void lower_fact(Lowering *l) {
    if (is_connective(list_head(l->syntax, l->root))) {
        fail(l, "bad-head", l->root, "a connective cannot be a fact");
        return;
    }
    const char *advice = NULL;
    if (!node_is_list(l->syntax, l->root))
        advice =
            advice_on(symbols_name(&l->syntax->symbols, l->syntax->nodes.items[l->root].symbol));
    if (advice) {
        fail(l, "stray-atom", l->root, "this stands outside every expression and is no fact");
        report_hint(l->report, "%s", advice);
        return;
    }
    Term atom = lower_atom(l, l->root, "a fact");
    if (!l->failed)
        add_clause(l, atom, (uint32_t)l->rules->literals.count);
}

static void lower_expression(Lowering *l) {
    const Syntax *syntax = l->syntax;
    if (node_depth(syntax, l->root) > RULES_MAX_DEPTH) {
        fail(l, "too-deep", l->root, "this expression is nested too deeply");
        return;
    }
    if (list_head(syntax, l->root) == KEYWORD_IMPLIES)
        lower_rule(l);
    else
        lower_fact(l);
}

static void note_role(Rules *rules, Term role) {
    u32_place(&rules->roles, role);
    rules->has_random |= role == terms_constant(&rules->terms, KEYWORD_RANDOM);
}

static void find_roles_and_version(Rules *rules) {
    Terms *terms = &rules->terms;
    for (size_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        Symbol head = term_symbol(terms, clause->head);
        rules->has_sees |= head == KEYWORD_SEES;
        bool is_role = head == KEYWORD_ROLE && term_arity(terms, clause->head) == 1 &&
                       clause->literal_count == 0 && term_is_ground(terms, clause->head);
        if (is_role)
            note_role(rules, term_argument(terms, clause->head, 0));
    }
}

Rules *rules_lower(Syntax *syntax, Report *report) {
    assert(syntax && report);
    Rules *rules = memory_zalloc(sizeof *rules);
    rules->syntax = syntax;
    rules->terms.symbols = &syntax->symbols;
    /* The arrays must not be NULL, so that pointers to empty ranges are valid. */
    vector_reserve(&rules->literals, 1);
    vector_reserve(&rules->terms.arguments, 1);
    bool failed = report_failed(report);
    uint64_t expanded = 0;
    for (size_t i = 0; i < syntax->roots.count; i++) {
        Lowering l = {rules, syntax, report, syntax->roots.items[i], &expanded, false};
        if (!syntax_may_go_on(syntax, (uint32_t)i + 1, report)) {
            failed = true;
            break;
        }
        lower_expression(&l);
        failed |= l.failed;
    }
    if (failed) {
        rules_free(rules);
        return NULL;
    }
    find_roles_and_version(rules);
    vector_shrink(&rules->clauses);
    vector_shrink(&rules->literals);
    vector_shrink(&rules->terms.cells);
    vector_shrink(&rules->terms.arguments);
    return rules;
}

void clause_bound_variables(const Rules *rules, const Clause *clause, U32Vector *bound) {
    const Literal *literals = clause_literals(rules, clause);
    for (uint32_t i = 0; i < clause->literal_count; i++)
        if (literals[i].kind == LITERAL_POSITIVE)
            term_variables(&rules->terms, literals[i].atom, bound);
}

Term clause_open_role(const Rules *rules, const Clause *clause) {
    const Terms *terms = &rules->terms;
    Symbol symbol = term_symbol(terms, clause->head);
    bool has_role = symbol == KEYWORD_LEGAL || symbol == KEYWORD_GOAL || symbol == KEYWORD_SEES;
    if (!has_role || term_arity(terms, clause->head) != 2)
        return TERM_NONE;
    Term role = term_argument(terms, clause->head, 0);
    U32Vector bound = {0};
    clause_bound_variables(rules, clause, &bound);
    bool is_open = term_is_variable(terms, role) && !u32_contains(&bound, role);
    vector_free(&bound);
    return is_open ? role : TERM_NONE;
}

static Rules *read_source(Source *source, Report *report) {
    return source ? rules_lower(syntax_read(source, report), report) : NULL;
}

Rules *rules_read(const char *path, Report *report) {
    return read_source(source_read(path, report), report);
}

Rules *rules_read_text(const char *name, const char *text, size_t length, Report *report) {
    return read_source(source_from_text(name, text, length, report), report);
}

Rules *rules_share(Rules *rules) {
    __atomic_fetch_add(&rules->more_owners, 1, __ATOMIC_RELAXED);
    return rules;
}

void rules_free(Rules *rules) {
    if (!rules || __atomic_fetch_sub(&rules->more_owners, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    syntax_free(rules->syntax);
    terms_free(&rules->terms);
    vectors_free(&rules->clauses, &rules->literals, &rules->roles);
    free(rules);
}
