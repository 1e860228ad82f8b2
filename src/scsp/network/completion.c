/* Tables are filled by enumerating all combinations of values of the variables in the bodies. */
#include "scsp/network/completion.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

enum {
    MAX_SCOPE = 16,     /* greatest number of columns of a table (untuned) */
    MAX_WORK = 20000000 /* greatest product of rows and rules of a table (untuned) */
};

void completion_clear(Completion *c, uint32_t head, ConstraintKind kind, bool is_choice) {
    c->head = head;
    c->kind = kind;
    c->is_choice = is_choice;
    vector_clear(&c->rules);
    vector_clear(&c->literals);
}

void completion_rule(Completion *c, uint32_t value) {
    vector_push(&c->rules, ((CompletionRule){(uint16_t)value, (uint32_t)c->literals.count, 0}));
}

/* Adds a premise. `x is not w` is dropped if another premise is `x is v`, which implies it. */
void completion_premise(Completion *c, ScspLiteral literal) {
    assert(c->rules.count > 0);
    CompletionRule *rule = &vector_last(&c->rules);
    size_t kept = rule->first;
    bool is_implied = false;
    for (size_t i = rule->first; i < c->literals.count; i++) {
        ScspLiteral other = c->literals.items[i];
        bool same = other.variable == literal.variable;
        bool weaker = same && literal.is_equal && !other.is_equal && other.value != literal.value;
        is_implied |=
            same && ((other.is_equal && !literal.is_equal && other.value != literal.value) ||
                     (other.is_equal == literal.is_equal && other.value == literal.value));
        if (!weaker)
            c->literals.items[kept++] = other;
    }
    c->literals.count = kept;
    if (!is_implied)
        vector_push(&c->literals, literal);
    rule->count = (uint32_t)(c->literals.count - rule->first);
}

bool scope_add(uint32_t *scope, uint32_t *arity, uint32_t most, uint32_t variable) {
    uint32_t at = 1;
    while (at < *arity && scope[at] < variable)
        at++;
    if (at < *arity && scope[at] == variable)
        return true;
    if (*arity >= most)
        return false;
    memmove(scope + at + 1, scope + at, (*arity - at) * sizeof *scope);
    scope[at] = variable;
    ++*arity;
    return true;
}

uint32_t scope_column(const uint32_t *scope, uint32_t arity, uint32_t variable) {
    uint32_t k = 1;
    while (k < arity && scope[k] != variable)
        k++;
    assert(k < arity);
    return k;
}

typedef struct {
    const Completion *completion;
    const uint32_t *scope;
    uint32_t arity;
    uint16_t row[MAX_SCOPE];
    uint32_t *columns; /* by literal: the column of its variable */
    uint64_t *fired;   /* bitset of the head's values for which a rule fires */
    uint32_t words;
    VECTOR(uint16_t) rows;
    uint32_t count;
} TableMaker;

static bool fires(const TableMaker *m, const CompletionRule *rule) {
    for (uint32_t i = rule->first; i < rule->first + rule->count; i++) {
        const ScspLiteral *l = &m->completion->literals.items[i];
        if ((m->row[m->columns[i]] == l->value) != l->is_equal)
            return false;
    }
    return true;
}

static void push_row(TableMaker *m, uint16_t head) {
    m->row[0] = head;
    vector_append(&m->rows, m->row, m->arity);
    m->count++;
}

/* Adds the rows of one combination. A combination that gives the head two values at once is
 * impossible in reachable states and left out. */
static void add_rows(TableMaker *m) {
    const Completion *c = m->completion;
    memset(m->fired, 0, m->words * sizeof *m->fired);
    for (size_t r = 0; r < c->rules.count; r++)
        if (fires(m, &c->rules.items[r]))
            bitset_set(m->fired, c->rules.items[r].value);
    size_t first = bitset_next(m->fired, m->words, 0);
    if (c->is_choice)
        for (size_t v = first; v != BITSET_END; v = bitset_next(m->fired, m->words, v + 1))
            push_row(m, (uint16_t)v);
    else if (first == BITSET_END)
        push_row(m, 0);
    else if (bitset_next(m->fired, m->words, first + 1) == BITSET_END)
        push_row(m, (uint16_t)first);
}

static void find_columns(TableMaker *m) {
    const Completion *c = m->completion;
    m->columns = memory_alloc((c->literals.count + 1) * sizeof *m->columns);
    for (size_t i = 0; i < c->literals.count; i++)
        m->columns[i] = scope_column(m->scope, m->arity, c->literals.items[i].variable);
}

static void add_table(const Completion *c, Scsp *n, const uint32_t *scope, uint32_t arity,
                      const uint32_t *sizes) {
    TableMaker m = {.completion = c, .scope = scope, .arity = arity};
    m.words = (uint32_t)bitset_words(sizes[0]);
    m.fired = memory_zalloc((m.words + 1) * sizeof *m.fired);
    find_columns(&m);
    do
        add_rows(&m);
    while (scsp_next_row(m.row, sizes, 1, arity));
    scsp_add_rows(n, c->kind, scope, arity, m.rows.items, m.count);
    memory_free(m.columns, m.fired);
    vector_free(&m.rows);
}

static bool fits_table(const Completion *c, const Scsp *n, const CompletionLimits *limits,
                       uint32_t *scope, uint32_t *arity, uint32_t *sizes) {
    uint32_t most = limits->max_variables < MAX_SCOPE ? limits->max_variables : MAX_SCOPE;
    double rows = 1;
    *arity = 1;
    scope[0] = c->head;
    for (size_t i = 0; i < c->literals.count; i++)
        if (!scope_add(scope, arity, most, c->literals.items[i].variable))
            return false;
    for (uint32_t k = 0; k < *arity; k++) {
        sizes[k] = n->variables.items[scope[k]].size;
        rows *= k ? sizes[k] : 1;
    }
    return rows <= limits->max_rows && rows * (double)(c->rules.count + 1) <= MAX_WORK;
}

static ScspLiteral negated(ScspLiteral l) {
    l.is_equal = !l.is_equal;
    return l;
}

typedef VECTOR(ScspLiteral) Literals;

/* Returns a literal equivalent to a body. One with several premises gets a new variable. */
static ScspLiteral body_literal(const Completion *c, Scsp *n, const CompletionRule *rule,
                                uint32_t *body_count) {
    const ScspLiteral *premises = c->literals.items + rule->first;
    if (rule->count == 1)
        return premises[0];
    ScspVariable body = {
        .kind = VARIABLE_AUXILIARY, .role = SCSP_NONE, .index_in_kind = (*body_count)++, .size = 2};
    uint32_t variable = scsp_add_variable(n, body);
    Literals clause = {0};
    vector_push(&clause, scsp_literal(variable, 1, true));
    for (uint32_t i = 0; i < rule->count; i++) {
        ScspLiteral part[2] = {scsp_literal(variable, 1, false), premises[i]};
        scsp_add_clause(n, CONSTRAINT_AUXILIARY, part, 2);
        vector_push(&clause, negated(premises[i]));
    }
    scsp_add_clause(n, CONSTRAINT_AUXILIARY, clause.items, (uint32_t)clause.count);
    vector_free(&clause);
    return scsp_literal(variable, 1, true);
}

/* Adds a clause: a rule that fires gives its value to the head. */
static void add_implication(const Completion *c, Scsp *n, const CompletionRule *rule) {
    Literals clause = {0};
    vector_push(&clause, scsp_literal(c->head, rule->value, true));
    for (uint32_t i = 0; i < rule->count; i++)
        vector_push(&clause, negated(c->literals.items[rule->first + i]));
    scsp_add_clause(n, c->kind, clause.items, (uint32_t)clause.count);
    vector_free(&clause);
}

/* Adds a clause: the head has the value only if a rule for it fires. */
static void add_support(const Completion *c, Scsp *n, uint32_t value, const uint32_t *rules,
                        size_t count, uint32_t *body_count) {
    Literals clause = {0};
    ScspLiteral head = scsp_literal(c->head, value, false);
    vector_push(&clause, head);
    bool is_single = count == 1;
    for (size_t i = 0; i < count; i++) {
        const CompletionRule *rule = &c->rules.items[rules[i]];
        assert(rule->count > 0);
        for (uint32_t j = 0; is_single && j < rule->count; j++) {
            ScspLiteral part[2] = {head, c->literals.items[rule->first + j]};
            scsp_add_clause(n, c->kind, part, 2);
        }
        if (!is_single)
            vector_push(&clause, body_literal(c, n, rule, body_count));
    }
    if (!is_single)
        scsp_add_clause(n, c->kind, clause.items, (uint32_t)clause.count);
    vector_free(&clause);
}

static int compare_rules(const void *a, const void *b) {
    const CompletionRule *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static void add_clauses(Completion *c, Scsp *n, uint32_t *body_count) {
    uint32_t size = n->variables.items[c->head].size;
    U32Vector rules = {0};
    vector_sort(&c->rules, compare_rules);
    size_t r = 0;
    for (uint32_t v = c->is_choice ? 0 : 1; v < size; v++) {
        bool is_certain = false;
        vector_clear(&rules);
        for (; r < c->rules.count && c->rules.items[r].value <= v; r++) {
            if (c->rules.items[r].value < v)
                continue;
            is_certain |= c->rules.items[r].count == 0;
            vector_push(&rules, (uint32_t)r);
            if (!c->is_choice)
                add_implication(c, n, &c->rules.items[r]);
        }
        if (!is_certain)
            add_support(c, n, v, rules.items, rules.count, body_count);
    }
    vector_free(&rules);
}

void completion_add(Completion *c, Scsp *n, const CompletionLimits *limits, uint32_t *body_count) {
    uint32_t scope[MAX_SCOPE + 1], sizes[MAX_SCOPE + 1], arity;
    if (fits_table(c, n, limits, scope, &arity, sizes))
        add_table(c, n, scope, arity, sizes);
    else
        add_clauses(c, n, body_count);
}
