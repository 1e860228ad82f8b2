/* New predicates have names with blanks, which no name of a description has. The calls of a premise
 * are derived from the premises before it, in an order that binds as many of its arguments as
 * possible. Negative premises are left out of that derivation: a superset of the calls is harmless,
 * and a negation might close a cycle. */
#include "game/interpreter/interpreter_demand.h"

#include <assert.h>
#include <inttypes.h>

#include "base/text.h"

/* A call of a predicate with these arguments bound. */
typedef struct {
    uint32_t demand; /* index into the demands */
    ColumnSet bound;
} Request;

typedef struct {
    const Demands *demands;
    Rules *out;
    Terms *terms;
    const Rules *in;
    VECTOR(Request) queue;
} Rewriter;

/* The position of the predicate among the demands, or UINT32_MAX. */
static uint32_t find_demand(const Demands *demands, Symbol symbol, uint32_t arity) {
    for (uint32_t i = 0; i < demands->count; i++)
        if (demands->items[i].symbol == symbol && demands->items[i].arity == arity)
            return i;
    return UINT32_MAX;
}

static uint32_t demand_of_atom(const Demands *demands, const Terms *terms, Term atom) {
    return find_demand(demands, term_symbol(terms, atom), term_arity(terms, atom));
}

bool demands_add(Demands *demands, Symbol symbol, uint32_t arity) {
    if (symbol < KEYWORD_COUNT || arity == 0 || find_demand(demands, symbol, arity) != UINT32_MAX)
        return false;
    vector_push(demands, ((DemandedPredicate){.symbol = symbol, .arity = arity}));
    return true;
}

bool demands_add_callers(Demands *demands, const Rules *rules, Symbol symbol, uint32_t arity) {
    const Terms *terms = &rules->terms;
    bool is_new = false;
    for (size_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        for (uint32_t k = 0; k < clause->literal_count; k++) {
            const Literal *literal = &clause_literals(rules, clause)[k];
            if (literal->kind != LITERAL_DISTINCT && term_symbol(terms, literal->atom) == symbol &&
                term_arity(terms, literal->atom) == arity)
                is_new |= demands_add(demands, term_symbol(terms, clause->head),
                                      term_arity(terms, clause->head));
        }
    }
    return is_new;
}

/* True if some positive premise has the variable. Premises on `excluded` predicates do not count.
 */
static bool is_bound_by_premises(const Rules *rules, const Clause *clause, Term variable,
                                 const Demands *excluded) {
    const Terms *terms = &rules->terms;
    for (uint32_t i = 0; i < clause->literal_count; i++) {
        const Literal *literal = &clause_literals(rules, clause)[i];
        if (literal->kind == LITERAL_POSITIVE && term_contains(terms, literal->atom, variable) &&
            demand_of_atom(excluded, terms, literal->atom) == UINT32_MAX)
            return true;
    }
    return false;
}

static bool add_unsafe_once(Demands *demands, const Rules *rules) {
    const Terms *terms = &rules->terms;
    bool is_new = false;
    U32Vector variables = {0};
    for (size_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        vector_clear(&variables);
        term_variables(terms, clause->head, &variables);
        for (size_t v = 0; v < variables.count; v++)
            if (!is_bound_by_premises(rules, clause, variables.items[v], demands) &&
                demands_add(demands, term_symbol(terms, clause->head),
                            term_arity(terms, clause->head))) {
                vector_last(demands).is_unsafe = vector_last(demands).wants_all = true;
                is_new = true;
            }
    }
    vector_free(&variables);
    return is_new;
}

void demands_add_unsafe(Demands *demands, const Rules *rules) {
    while (add_unsafe_once(demands, rules))
        continue;
}

bool rules_leave_roles_open(const Rules *rules) {
    for (size_t i = 0; i < rules->clauses.count; i++)
        if (clause_open_role(rules, &rules->clauses.items[i]) != TERM_NONE)
            return true;
    return false;
}

static uint32_t demand_index(const Rewriter *r, Term atom) {
    return demand_of_atom(r->demands, r->terms, atom);
}

static uint32_t count_unbound(const Rewriter *r, Term term, const U32Vector *bound,
                              uint32_t *bound_count) {
    U32Vector variables = {0};
    term_variables(r->terms, term, &variables);
    uint32_t unbound = 0;
    for (size_t i = 0; i < variables.count; i++)
        unbound += !u32_contains(bound, variables.items[i]);
    *bound_count = (uint32_t)variables.count - unbound;
    vector_free(&variables);
    return unbound;
}

/* The atom "PREFIX NAME BOUND" over the given arguments of another atom. */
static Term atom_named(Rewriter *r, const char *prefix, Term atom, ColumnSet bound,
                       bool bound_only) {
    Text name = {0};
    Symbol symbol = term_symbol(r->terms, atom);
    text_printf(&name, "%s %s %" PRIx64, prefix, symbols_name(r->terms->symbols, symbol), bound);
    Symbol fresh = symbols_intern(r->terms->symbols, name.items, name.count);
    vector_free(&name);
    U32Vector arguments = {0};
    for (uint32_t i = 0; i < term_arity(r->terms, atom); i++)
        if (!bound_only || column_in(bound, i))
            vector_push(&arguments, term_argument(r->terms, atom, i));
    Term made = terms_make(r->terms, fresh, arguments.items, (uint32_t)arguments.count);
    vector_free(&arguments);
    return made;
}

static void request(Rewriter *r, Request wanted) {
    assert(wanted.demand < r->demands->count);
    for (size_t i = 0; i < r->queue.count; i++)
        if (r->queue.items[i].demand == wanted.demand && r->queue.items[i].bound == wanted.bound)
            return;
    vector_push(&r->queue, wanted);
}

static void add_clause(Rewriter *r, Term head, uint32_t root, const Literal *literals,
                       size_t count) {
    Clause clause = {head, root, (uint32_t)r->out->literals.count, (uint32_t)count};
    vector_append(&r->out->literals, literals, count);
    vector_push(&r->out->clauses, clause);
}

typedef VECTOR(Literal) Body;

/* The clause that records a call, from the positive premises placed so far. */
static void add_call(Rewriter *r, Term call, uint32_t root, const Body *placed) {
    Body before = {0};
    bool records_itself = false;
    for (size_t i = 0; i < placed->count; i++) {
        records_itself |= placed->items[i].atom == call;
        if (placed->items[i].kind != LITERAL_NEGATIVE)
            vector_push(&before, placed->items[i]);
    }
    if (!records_itself)
        add_clause(r, call, root, before.items, before.count);
    vector_free(&before);
}

/* The priority of a premise: the least comes first. UINT32_MAX if it cannot be placed yet. */
static uint32_t rank(const Rewriter *r, const Clause *clause, const Literal *literal,
                     const U32Vector *bound) {
    uint32_t known, unbound = count_unbound(r, literal->atom, bound, &known);
    if (literal->kind == LITERAL_DISTINCT)
        return unbound == 0 ? 0 : UINT32_MAX;
    uint32_t demanded = demand_index(r, literal->atom);
    bool is_demanded = demanded != UINT32_MAX;
    if (literal->kind == LITERAL_NEGATIVE) {
        U32Vector variables = {0}, binding = {0};
        term_variables(r->terms, literal->atom, &variables);
        clause_bound_variables(r->in, clause, &binding);
        bool must_wait = false;
        for (size_t i = 0; i < variables.count; i++)
            must_wait |= !u32_contains(bound, variables.items[i]) &&
                         u32_contains(&binding, variables.items[i]);
        vectors_free(&variables, &binding);
        return must_wait ? UINT32_MAX : 1;
    }
    if (unbound == 0)
        return is_demanded ? 2 : 1;
    bool is_connected = known > 0 || bound->count == 0;
    if (!is_demanded)
        return (is_connected ? 100 : 20000) + unbound;
    bool can_start = known > 0 && !r->demands->items[demanded].wants_all;
    return (can_start ? 10000 : 30000) + unbound;
}

/* True if the premises that are not on demand bind all variables of the call. Lists these premises
 * in `plain`. */
static bool is_bound_plainly(const Rewriter *r, const Clause *clause, Term call, Body *plain) {
    U32Vector bound = {0};
    for (uint32_t i = 0; i < clause->literal_count; i++) {
        const Literal *other = &r->in->literals.items[clause->first_literal + i];
        if (other->kind == LITERAL_POSITIVE && demand_index(r, other->atom) == UINT32_MAX) {
            vector_push(plain, *other);
            term_variables(r->terms, other->atom, &bound);
        }
    }
    bool is_bound = term_is_bound(r->terms, call, &bound);
    vector_free(&bound);
    return is_bound;
}

/* Records the call of a premise. An unsafe predicate is asked about whatever the plain premises
 * bind, if they can: more than needed, but then the calls do not depend on other answers, which
 * keeps negations out of cycles. */
static void record_call(Rewriter *r, const Clause *clause, Term atom, Request wanted,
                        const Body *placed) {
    Term call = atom_named(r, "asked", atom, wanted.bound, true);
    Body plain = {0};
    bool is_plain =
        r->demands->items[wanted.demand].is_unsafe && is_bound_plainly(r, clause, call, &plain);
    add_call(r, call, clause->root, is_plain ? &plain : placed);
    vector_free(&plain);
}

/* Places the premises one by one, renaming those that are demanded and recording their calls. */
static void rewrite_body(Rewriter *r, const Clause *clause, U32Vector *bound, Body *placed) {
    const Literal *literals = clause_literals(r->in, clause);
    bool *is_placed = memory_zalloc(clause->literal_count);
    for (;;) {
        uint32_t best = UINT32_MAX, least = UINT32_MAX;
        for (uint32_t i = 0; i < clause->literal_count; i++) {
            uint32_t here = is_placed[i] ? UINT32_MAX : rank(r, clause, &literals[i], bound);
            if (here < least) {
                least = here;
                best = i;
            }
        }
        if (best == UINT32_MAX)
            break;
        is_placed[best] = true;
        Literal literal = literals[best];
        uint32_t demanded =
            literal.kind == LITERAL_DISTINCT ? UINT32_MAX : demand_index(r, literal.atom);
        Term original = literal.atom;
        if (demanded != UINT32_MAX) {
            Request wanted = {demanded, columns_bound(r->terms, term_arguments(r->terms, original),
                                                      term_arity(r->terms, original), bound)};
            request(r, wanted);
            record_call(r, clause, original, wanted, placed);
            literal.atom = atom_named(r, "answer", original, wanted.bound, false);
        }
        vector_push(placed, literal);
        if (literal.kind == LITERAL_POSITIVE)
            term_variables(r->terms, original, bound);
    }
    for (uint32_t i = 0; i < clause->literal_count; i++) /* a distinct that nothing binds */
        if (!is_placed[i])
            vector_push(placed, literals[i]);
    free(is_placed);
}

/* Rewrites a clause. `wanted` is the request for its predicate, NULL if that is not on demand. */
static void rewrite_clause(Rewriter *r, const Clause *clause, const Request *wanted) {
    Body placed = {0};
    U32Vector bound = {0};
    Term head = clause->head, role = clause_open_role(r->in, clause);
    if (wanted) {
        Term asked = atom_named(r, "asked", head, wanted->bound, true);
        vector_push(&placed, ((Literal){LITERAL_POSITIVE, asked, clause->root}));
        columns_variables(r->terms, term_arguments(r->terms, head), wanted->bound, &bound);
        head = atom_named(r, "answer", head, wanted->bound, false);
    }
    if (role != TERM_NONE) {
        Term any = terms_make(r->terms, KEYWORD_ROLE, &role, 1);
        vector_push(&placed, ((Literal){LITERAL_POSITIVE, any, clause->root}));
        vector_push(&bound, role);
    }
    rewrite_body(r, clause, &bound, &placed);
    add_clause(r, head, clause->root, placed.items, placed.count);
    vectors_free(&placed, &bound);
}

static bool is_ground_fact(const Rules *rules, const Clause *clause) {
    return clause->literal_count == 0 && term_is_ground(&rules->terms, clause->head);
}

/* Ground facts stay together in a relation of their own, which one clause reads. */
static Term facts_atom(Rewriter *r, Term atom) {
    return atom_named(r, "facts", atom, 0, false);
}

static void rewrite_facts(Rewriter *r, const Clause *clause, ColumnSet bound) {
    U32Vector variables = {0};
    for (uint32_t i = 0; i < term_arity(r->terms, clause->head); i++) {
        char name[24];
        size_t length = (size_t)snprintf(name, sizeof name, "?%u", i);
        Symbol symbol = symbols_intern(r->terms->symbols, name, length);
        vector_push(&variables, terms_constant(r->terms, symbol));
    }
    Term head = terms_make(r->terms, term_symbol(r->terms, clause->head), variables.items,
                           (uint32_t)variables.count);
    Term asked = atom_named(r, "asked", head, bound, true);
    Literal body[2] = {{LITERAL_POSITIVE, asked, clause->root},
                       {LITERAL_POSITIVE, facts_atom(r, head), clause->root}};
    add_clause(r, atom_named(r, "answer", head, bound, false), clause->root, body, 2);
    vector_free(&variables);
}

static void answer_request(Rewriter *r, const Request *wanted) {
    const Clause *fact = NULL;
    for (size_t i = 0; i < r->in->clauses.count; i++) {
        const Clause *clause = &r->in->clauses.items[i];
        if (demand_index(r, clause->head) != wanted->demand)
            continue;
        if (is_ground_fact(r->in, clause))
            fact = clause;
        else
            rewrite_clause(r, clause, wanted);
    }
    if (fact)
        rewrite_facts(r, fact, wanted->bound);
}

static Rules *copy_empty(const Rules *rules) {
    Rules *out = memory_zalloc(sizeof *out);
    Symbols *symbols = memory_zalloc(sizeof *symbols);
    const Symbols *old = rules->terms.symbols;
    for (uint32_t s = 0; s < old->names.count; s++)
        symbols_intern(symbols, symbols_name(old, s), symbols_length(old, s));
    out->syntax = rules->syntax;
    out->terms.symbols = symbols;
    for (Term t = 0; t < rules->terms.cells.count; t++)
        terms_make(&out->terms, term_symbol(&rules->terms, t), term_arguments(&rules->terms, t),
                   term_arity(&rules->terms, t));
    vector_append(&out->roles, rules->roles.items, rules->roles.count);
    out->has_random = rules->has_random;
    out->has_sees = rules->has_sees;
    return out;
}

Rules *demand_rewrite(const Rules *rules, const Demands *demands) {
    assert(rules && demands);
    Rules *out = copy_empty(rules);
    Rewriter r = {.demands = demands, .out = out, .terms = &out->terms, .in = rules};
    for (size_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        if (demand_index(&r, clause->head) == UINT32_MAX)
            rewrite_clause(&r, clause, NULL);
        else if (is_ground_fact(rules, clause))
            add_clause(&r, facts_atom(&r, clause->head), clause->root, NULL, 0);
    }
    for (size_t i = 0; i < r.queue.count; i++) { /* the queue grows meanwhile */
        Request wanted = r.queue.items[i];
        answer_request(&r, &wanted);
    }
    vector_free(&r.queue);
    return out;
}

void demand_free(Rules *rewritten) {
    if (!rewritten)
        return;
    symbols_free(rewritten->terms.symbols);
    terms_free(&rewritten->terms);
    vectors_free(&rewritten->clauses, &rewritten->literals, &rewritten->roles);
    memory_free(rewritten->terms.symbols, rewritten);
}
