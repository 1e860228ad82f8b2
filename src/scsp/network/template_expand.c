/* Makes tables over fluents and moves alone: derived atoms are evaluated for every row instead of
 * becoming variables. The result does not depend on how a description splits its rules. */
#include "base/bitset.h"
#include "scsp/network/template_internal.h"

/* Tuning constants. */
enum {
    MAX_DEPTH = 60,     /* deepest nesting of derived atoms (untuned) */
    MAX_RULES = 5000,   /* greatest number of rules behind one variable (untuned) */
    MAX_WORK = 20000000 /* greatest product of rows and rules of one table (untuned) */
};

typedef struct {
    TemplateBuilder *b;
    TemplateExpansion *expansion;
    uint32_t rules; /* number of rules visited so far */
    uint32_t most;  /* greatest number of columns */
    const uint16_t *row;
} Walk;

/* True for literals whose variable is an input of the expansion: a fluent or a move. */
static bool is_input(const TemplateBuilder *b, ScspLiteral literal) {
    if (literal.variable == SCSP_NONE)
        return false;
    VariableKind kind = b->t->network.variables.items[literal.variable].kind;
    return kind == VARIABLE_FLUENT || kind == VARIABLE_ACTION || kind == VARIABLE_CHANCE;
}

/* Adds the inputs of the atom. False if there are too many or the atom depends on itself. */
static bool collect(Walk *w, Atom atom, uint32_t depth) {
    TemplateBuilder *b = w->b;
    const CanonicalRules *n = b->normal;
    if (is_input(b, b->literals[atom]))
        return scope_add(w->expansion->scope, &w->expansion->arity, w->most,
                         b->literals[atom].variable);
    if (b->memo_stamps[atom] == b->stamp)
        return true;
    if (depth > MAX_DEPTH)
        return false;
    for (uint32_t i = n->rule_starts[atom]; i < n->rule_starts[atom + 1]; i++) {
        const CanonicalRule *rule = &n->rules.items[n->rule_order[i]];
        if (rule->is_dropped)
            continue;
        if (++w->rules > MAX_RULES)
            return false;
        for (size_t l = 0; l < rule->literals.count; l++) {
            GroundLiteral value = canonical_rules_value(n, rule->literals.items[l]);
            if (value < CANONICAL_FALSE && !collect(w, value >> 1, depth + 1))
                return false;
        }
    }
    /* The atom is marked only at the end, so that a cycle runs into the depth limit. */
    b->memo_stamps[atom] = b->stamp;
    return true;
}

bool template_expand(TemplateBuilder *b, const TemplateHeads *heads, uint32_t head_size,
                     TemplateExpansion *expansion) {
    uint32_t most = b->limits.max_variables < EXPANSION_MAX_COLUMNS ? b->limits.max_variables
                                                                    : EXPANSION_MAX_COLUMNS;
    Walk w = {.b = b, .expansion = expansion, .most = most};
    double rows = 1;
    expansion->arity = 1;
    b->stamp++;
    for (size_t i = 0; i < heads->count; i++)
        if (b->normal->values[heads->items[i].atom] < CANONICAL_FALSE &&
            !collect(&w, heads->items[i].atom, 0))
            return false;
    for (uint32_t k = 1; k < expansion->arity; k++)
        rows *= b->t->network.variables.items[expansion->scope[k]].size;
    return rows <= b->limits.max_rows && rows * (w.rules + head_size) <= MAX_WORK;
}

static bool holds(Walk *w, Atom atom);

static bool literal_holds(Walk *w, GroundLiteral literal) {
    GroundLiteral value = canonical_rules_value(w->b->normal, literal);
    if (value >= CANONICAL_FALSE)
        return value == CANONICAL_TRUE;
    return holds(w, value >> 1) != (value & 1);
}

static bool derive(Walk *w, Atom atom) {
    const CanonicalRules *n = w->b->normal;
    for (uint32_t i = n->rule_starts[atom]; i < n->rule_starts[atom + 1]; i++) {
        const CanonicalRule *rule = &n->rules.items[n->rule_order[i]];
        bool fires = !rule->is_dropped;
        for (size_t l = 0; fires && l < rule->literals.count; l++)
            fires = literal_holds(w, rule->literals.items[l]);
        if (fires)
            return true;
    }
    return false;
}

/* True if the atom is true in the row. Recurses as deep as `collect`. */
static bool holds(Walk *w, Atom atom) {
    TemplateBuilder *b = w->b;
    ScspLiteral input = b->literals[atom];
    if (is_input(b, input))
        return w->row[scope_column(w->expansion->scope, w->expansion->arity, input.variable)] ==
               input.value;
    if (b->memo_stamps[atom] != b->stamp) {
        b->memo_values[atom] = derive(w, atom);
        b->memo_stamps[atom] = b->stamp;
    }
    return b->memo_values[atom];
}

typedef VECTOR(uint16_t) Rows;

static void push_row(const TemplateExpansion *e, uint16_t *row, uint32_t head, Rows *rows) {
    row[0] = (uint16_t)head;
    vector_append(rows, row, e->arity);
}

/* Adds the row with each possible value of the defined variable. A row with two values at once is
 * impossible in reachable states and left out. */
static void add_rows(Walk *w, uint16_t *row, bool is_choice, const TemplateHeads *heads,
                     Rows *rows) {
    uint32_t fired = 0, value = 0;
    w->b->stamp++;
    for (size_t i = 0; i < heads->count; i++) {
        TemplateHead head = heads->items[i];
        GroundLiteral constant = w->b->normal->values[head.atom];
        if (!(constant >= CANONICAL_FALSE ? constant == CANONICAL_TRUE : holds(w, head.atom)))
            continue;
        fired++;
        value = head.value;
        if (is_choice)
            push_row(w->expansion, row, value, rows);
    }
    if (!is_choice && fired < 2)
        push_row(w->expansion, row, value, rows);
}

void template_add_expanded(TemplateBuilder *b, TemplateExpansion *e, uint32_t variable,
                           ConstraintKind kind, bool is_choice, const TemplateHeads *heads) {
    uint16_t row[EXPANSION_MAX_COLUMNS] = {0};
    uint32_t sizes[EXPANSION_MAX_COLUMNS];
    Rows rows = {0};
    Walk w = {.b = b, .expansion = e, .row = row};
    e->scope[0] = variable;
    for (uint32_t k = 0; k < e->arity; k++)
        sizes[k] = b->t->network.variables.items[e->scope[k]].size;
    do
        add_rows(&w, row, is_choice, heads, &rows);
    while (scsp_next_row(row, sizes, 1, e->arity));
    scsp_add_rows(&b->t->network, kind, e->scope, e->arity, rows.items,
                  (uint32_t)(rows.count / e->arity));
    vector_free(&rows);
}
