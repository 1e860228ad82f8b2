/* The trail, the queues, clauses with two watched literals, functions. See also compact_table.c. */
#include "scsp/exact/solver.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"

void solver_set_word(Solver *s, uint32_t index, uint64_t word) {
    if (s->stamps[index] != s->stamp) {
        vector_push(&s->trail, ((SavedWord){index, s->stamps[index], s->words[index]}));
        s->stamps[index] = s->stamp;
    }
    s->words[index] = word;
}

SolverMark solver_mark(Solver *s) {
    vector_push(&s->marks, s->stamp);
    s->stamp = ++s->next_stamp;
    return s->trail.count;
}

void solver_undo(Solver *s, SolverMark mark) {
    assert(s->marks.count > 0 && mark <= s->trail.count);
    while (s->trail.count > mark) {
        SavedWord saved = vector_pop(&s->trail);
        s->words[saved.index] = saved.word;
        s->stamps[saved.index] = saved.stamp;
    }
    s->stamp = vector_pop(&s->marks);
}

uint32_t solver_next_value(const Solver *s, uint32_t variable, uint32_t from) {
    uint32_t size = s->network->variables.items[variable].size;
    size_t next = bitset_next(s->words + s->domains[variable], bitset_words(size), from);
    return next == BITSET_END ? size : (uint32_t)next;
}

static void note_change(Solver *s, uint32_t variable) {
    if (!s->is_changed[variable]) {
        s->is_changed[variable] = 1;
        vector_push(&s->changed, variable);
    }
}

bool solver_remove(Solver *s, uint32_t variable, uint32_t value) {
    assert(variable < s->network->variables.count);
    if (!solver_has(s, variable, value))
        return true;
    uint32_t index = s->domains[variable] + value / 64;
    solver_set_word(s, index, s->words[index] & ~(UINT64_C(1) << value % 64));
    solver_set_word(s, s->sizes[variable], solver_size(s, variable) - 1);
    note_change(s, variable);
    return solver_size(s, variable) > 0;
}

bool solver_assign(Solver *s, uint32_t variable, uint32_t value) {
    assert(value < s->network->variables.items[variable].size);
    if (!solver_has(s, variable, value))
        return false;
    if (solver_is_fixed(s, variable))
        return true;
    uint32_t words = (uint32_t)bitset_words(s->network->variables.items[variable].size);
    for (uint32_t w = 0; w < words; w++) {
        uint64_t word = w == value / 64 ? UINT64_C(1) << value % 64 : 0;
        if (s->words[s->domains[variable] + w] != word)
            solver_set_word(s, s->domains[variable] + w, word);
    }
    solver_set_word(s, s->sizes[variable], 1);
    note_change(s, variable);
    return true;
}

void solver_blame(Solver *s, const uint32_t *scope, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        s->weights[scope[i]]++;
}

typedef enum { LITERAL_FALSE, LITERAL_OPEN, LITERAL_TRUE } LiteralState;

static LiteralState state_of(const Solver *s, const ScspLiteral *l) {
    bool has = solver_has(s, l->variable, l->value);
    if (!has)
        return l->is_equal ? LITERAL_FALSE : LITERAL_TRUE;
    if (solver_is_fixed(s, l->variable))
        return l->is_equal ? LITERAL_TRUE : LITERAL_FALSE;
    return LITERAL_OPEN;
}

static bool make_true(Solver *s, const ScspLiteral *l) {
    return l->is_equal ? solver_assign(s, l->variable, l->value)
                       : solver_remove(s, l->variable, l->value);
}

/* Updates a watched literal that may have become false: watches another literal instead, or makes
 * the other watched literal true. Returns true if the watch stays. */
static bool visit_clause(Solver *s, uint32_t clause, uint32_t which, bool *holds) {
    const ScspClause *c = &s->network->clauses.items[clause];
    const ScspLiteral *literals = s->network->literals.items + c->first;
    uint32_t *watch = &s->watches[2 * clause + which];
    uint32_t other = s->watches[2 * clause + 1 - which];
    if (state_of(s, &literals[*watch]) != LITERAL_FALSE)
        return true;
    if (other != *watch && state_of(s, &literals[other]) == LITERAL_TRUE)
        return true;
    for (uint32_t i = 0; i < c->count; i++)
        if (i != other && i != *watch && state_of(s, &literals[i]) != LITERAL_FALSE) {
            *watch = i;
            vector_push(&s->watching[literals[i].variable], 2 * clause + which);
            return false;
        }
    *holds = other != *watch && state_of(s, &literals[other]) == LITERAL_OPEN &&
             make_true(s, &literals[other]);
    if (!*holds)
        for (uint32_t i = 0; i < c->count; i++)
            s->weights[literals[i].variable]++;
    return true;
}

static bool visit_watching(Solver *s, uint32_t variable) {
    U32Vector *list = &s->watching[variable];
    bool holds = true;
    size_t kept = 0, i = 0;
    for (; i < list->count && holds; i++) {
        uint32_t entry = list->items[i];
        /* A new watch on the same variable is appended; the old entry is removed. */
        if (visit_clause(s, entry / 2, entry % 2, &holds))
            list->items[kept++] = entry;
    }
    for (; i < list->count; i++)
        list->items[kept++] = list->items[i];
    list->count = kept;
    return holds;
}

static bool premise_holds(const Solver *s, const FunctionLiteral *l, const uint32_t *inputs) {
    if (l->is_output)
        return s->function_values[l->index];
    return (solver_value(s, inputs[l->index]) == l->value) == l->is_equal;
}

static bool body_holds(const Solver *s, const FunctionRules *rules, const FunctionRule *rule,
                       const uint32_t *inputs) {
    for (uint32_t i = 0; i < rule->count; i++)
        if (!premise_holds(s, &rules->literals.items[rule->first + i], inputs))
            return false;
    return true;
}

static bool evaluate_function(Solver *s, const ScspFunction *f) {
    const FunctionRules *rules = f->rules;
    const uint32_t *inputs = scsp_scope(s->network, f->first_scope);
    const uint32_t *outputs = inputs + rules->input_count;
    bool changed = true, holds = true;
    memset(s->function_values, 0, rules->output_count);
    while (changed) {
        changed = false;
        for (size_t r = 0; r < rules->rules.count; r++) {
            const FunctionRule *rule = &rules->rules.items[r];
            if (!s->function_values[rule->head] && body_holds(s, rules, rule, inputs))
                s->function_values[rule->head] = changed = true;
        }
    }
    for (uint32_t o = 0; o < rules->output_count && holds; o++)
        holds = solver_assign(s, outputs[o], s->function_values[o]);
    if (!holds)
        solver_blame(s, inputs, rules->input_count + rules->output_count);
    return holds;
}

static bool visit_function(Solver *s, uint32_t function) {
    const ScspFunction *f = &s->network->functions.items[function];
    const uint32_t *inputs = scsp_scope(s->network, f->first_scope);
    uint32_t count = f->rules->input_count, *watch = &s->function_watch[function];
    if (f->guard != SCSP_NONE && !(solver_is_fixed(s, f->guard) && solver_value(s, f->guard) == 0))
        return true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t input = *watch + i < count ? *watch + i : *watch + i - count;
        if (!solver_is_fixed(s, inputs[input])) {
            *watch = input;
            return true;
        }
    }
    return evaluate_function(s, f);
}

static bool has_many_open(const Solver *s, const ScspTable *t) {
    const uint32_t *scope = scsp_scope(s->network, t->first_scope);
    uint32_t open = 0;
    for (uint32_t k = 0; k < t->rows->arity && open < 2; k++)
        open += !solver_is_fixed(s, scope[k]);
    return open > 1;
}

static bool visit_variable(Solver *s, uint32_t variable) {
    const U32Vector *tables = &s->tables_of[variable], *functions = &s->functions_of[variable];
    for (size_t i = 0; i < tables->count; i++)
        if (!s->is_queued[tables->items[i]]) {
            s->is_queued[tables->items[i]] = 1;
            vector_push(&s->table_queue, tables->items[i]);
        }
    bool holds = visit_watching(s, variable);
    for (size_t i = 0; i < functions->count && holds; i++)
        holds = visit_function(s, functions->items[i]);
    return holds;
}

static void clear_queues(Solver *s) {
    while (s->changed.count)
        s->is_changed[vector_pop(&s->changed)] = 0;
    while (s->table_queue.count)
        s->is_queued[vector_pop(&s->table_queue)] = 0;
}

bool solver_propagate(Solver *s, Propagation propagation) {
    enum { STEPS_BETWEEN_LOOKS = 64 };
    bool holds = true;
    for (uint32_t step = 1; holds && (s->changed.count || s->table_queue.count); step++) {
        if (step % STEPS_BETWEEN_LOOKS == 0 && work_must_end((Deadline){0}, NULL))
            break; /* the search that asks for it ends, too */
        if (s->changed.count) {
            uint32_t variable = vector_pop(&s->changed);
            s->is_changed[variable] = 0;
            holds = solver_size(s, variable) > 0 && visit_variable(s, variable);
            continue;
        }
        uint32_t table = vector_pop(&s->table_queue);
        s->is_queued[table] = 0;
        if (propagation == PROPAGATE_FORWARD && has_many_open(s, &s->network->tables.items[table]))
            continue;
        holds = compact_table_propagate(s, table);
    }
    clear_queues(s);
    return holds;
}

static bool is_satisfied(const Solver *s, uint32_t clause) {
    const ScspClause *c = &s->network->clauses.items[clause];
    for (uint32_t i = 0; i < c->count; i++)
        if (state_of(s, &s->network->literals.items[c->first + i]) == LITERAL_TRUE)
            return true;
    return false;
}

bool solver_is_free(const Solver *s, uint32_t variable) {
    const Scsp *n = s->network;
    const U32Vector *tables = &s->tables_of[variable], *clauses = &s->clauses_of[variable];
    assert(n->variables.items[variable].is_stochastic);
    for (size_t i = 0; i < tables->count; i++) {
        const ScspTable *t = &n->tables.items[tables->items[i]];
        const uint32_t *scope = scsp_scope(n, t->first_scope);
        for (uint32_t k = 0; k < t->rows->arity; k++)
            if (scope[k] != variable && !solver_is_fixed(s, scope[k]))
                return false;
    }
    for (size_t i = 0; i < s->functions_of[variable].count; i++) {
        const ScspFunction *f = &n->functions.items[s->functions_of[variable].items[i]];
        const uint32_t *scope = scsp_scope(n, f->first_scope);
        for (uint32_t k = 0; k < f->rules->output_count; k++)
            if (!solver_is_fixed(s, scope[f->rules->input_count + k]))
                return false;
    }
    for (size_t i = 0; i < clauses->count; i++)
        if (!is_satisfied(s, clauses->items[i]))
            return false;
    return true;
}

static void lay_out_words(Solver *s, uint32_t *count) {
    const Scsp *n = s->network;
    uint32_t next = 0, longest = 0;
    for (uint32_t x = 0; x < n->variables.count; x++) {
        s->domains[x] = next;
        next += (uint32_t)bitset_words(n->variables.items[x].size);
        s->sizes[x] = next++;
    }
    for (uint32_t t = 0; t < n->tables.count; t++) {
        compact_table_init(s, t, &next);
        uint32_t words = n->tables.items[t].rows->word_count;
        longest = words > longest ? words : longest;
    }
    s->scratch = memory_zalloc((longest + 1) * sizeof *s->scratch);
    *count = next;
}

static void fill_domains(Solver *s) {
    const Scsp *n = s->network;
    for (uint32_t x = 0; x < n->variables.count; x++) {
        const ScspVariable *variable = &n->variables.items[x];
        for (uint32_t v = 0; v < variable->size; v++)
            if (!variable->allowed || bitset_get(variable->allowed, v)) {
                bitset_set(s->words + s->domains[x], v);
                s->words[s->sizes[x]]++;
            }
        note_change(s, x);
    }
    for (uint32_t t = 0; t < n->tables.count; t++)
        compact_table_start(s, t);
}

static void index_constraints(Solver *s) {
    const Scsp *n = s->network;
    uint32_t max_outputs = 0;
    for (uint32_t t = 0; t < n->tables.count; t++) {
        const ScspTable *table = &n->tables.items[t];
        for (uint32_t k = 0; k < table->rows->arity; k++)
            vector_push(&s->tables_of[n->scopes.items[table->first_scope + k]], t);
        s->is_queued[t] = 1;
        vector_push(&s->table_queue, t);
    }
    for (uint32_t f = 0; f < n->functions.count; f++) {
        const ScspFunction *function = &n->functions.items[f];
        const FunctionRules *rules = function->rules;
        for (uint32_t k = 0; k < rules->input_count; k++)
            vector_push(&s->functions_of[n->scopes.items[function->first_scope + k]], f);
        if (function->guard != SCSP_NONE)
            vector_push(&s->functions_of[function->guard], f);
        max_outputs = rules->output_count > max_outputs ? rules->output_count : max_outputs;
    }
    s->function_values = memory_zalloc(max_outputs + 1);
    for (uint32_t c = 0; c < n->clauses.count; c++) {
        const ScspClause *clause = &n->clauses.items[c];
        s->watches[2 * c + 1] = clause->count > 1;
        for (uint32_t i = 0; i < clause->count; i++) {
            uint32_t variable = n->literals.items[clause->first + i].variable;
            if (n->variables.items[variable].is_stochastic)
                vector_push(&s->clauses_of[variable], c);
        }
        for (uint32_t w = 0; w < 2 && clause->count; w++) {
            uint32_t variable = n->literals.items[clause->first + s->watches[2 * c + w]].variable;
            vector_push(&s->watching[variable], 2 * c + w);
        }
    }
}

/* Propagates clauses of fewer than two literals once, because they are not watched. */
static bool settle_short_clauses(Solver *s) {
    const Scsp *n = s->network;
    bool holds = true;
    for (uint32_t c = 0; c < n->clauses.count && holds; c++) {
        const ScspClause *clause = &n->clauses.items[c];
        if (clause->count < 2)
            holds = clause->count && make_true(s, &n->literals.items[clause->first]);
    }
    return holds;
}

Solver *solver_create(const Scsp *n) {
    Solver *s = memory_zalloc(sizeof *s);
    size_t variables = n->variables.count + 1, tables = n->tables.count + 1;
    uint32_t words;
    s->network = n;
    s->domains = memory_zalloc(variables * sizeof *s->domains);
    s->sizes = memory_zalloc(variables * sizeof *s->sizes);
    s->weights = memory_zalloc(variables * sizeof *s->weights);
    s->tables_of = memory_zalloc(variables * sizeof *s->tables_of);
    s->functions_of = memory_zalloc(variables * sizeof *s->functions_of);
    s->clauses_of = memory_zalloc(variables * sizeof *s->clauses_of);
    s->watching = memory_zalloc(variables * sizeof *s->watching);
    s->is_changed = memory_zalloc(variables);
    s->currents = memory_zalloc(tables * sizeof *s->currents);
    s->limits = memory_zalloc(tables * sizeof *s->limits);
    s->last_sizes = memory_zalloc(tables * sizeof *s->last_sizes);
    s->orders = memory_zalloc(tables * sizeof *s->orders);
    s->residues = memory_zalloc(tables * sizeof *s->residues);
    s->is_queued = memory_zalloc(tables);
    s->watches = memory_zalloc((2 * n->clauses.count + 1) * sizeof *s->watches);
    s->function_watch = memory_zalloc((n->functions.count + 1) * sizeof *s->function_watch);
    lay_out_words(s, &words);
    s->words = memory_zalloc((words + 1) * sizeof *s->words);
    s->stamps = memory_zalloc((words + 1) * sizeof *s->stamps);
    fill_domains(s);
    index_constraints(s);
    s->is_failed = !settle_short_clauses(s) || !solver_propagate(s, PROPAGATE_GAC);
    vector_clear(&s->trail);
    return s;
}

void solver_free(Solver *s) {
    if (!s)
        return;
    for (size_t x = 0; x < s->network->variables.count; x++)
        vectors_free(&s->tables_of[x], &s->functions_of[x], &s->clauses_of[x], &s->watching[x]);
    for (size_t t = 0; t < s->network->tables.count; t++)
        memory_free(s->orders[t], s->residues[t]);
    vectors_free(&s->trail, &s->marks, &s->changed, &s->table_queue);
    memory_free(s->domains, s->sizes, s->weights, s->tables_of, s->functions_of, s->clauses_of,
                s->watching, s->is_changed, s->currents, s->limits, s->last_sizes, s->orders,
                s->residues, s->is_queued, s->watches, s->function_watch, s->function_values,
                s->words, s->stamps, s->scratch, s);
}
