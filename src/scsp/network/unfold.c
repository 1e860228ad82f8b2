/* Copies the constraints of the template turn by turn. The first variable of a constraint decides
 * whether it belongs to the state or to the moves. */
#include "scsp/network/unfold.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

typedef struct {
    Scsp *network;
    const Template *t;
    const Scsp *turn;   /* network of the template */
    uint8_t *is_moving; /* by variable of the template: 1 if it depends on moves */
    /* By variable of the template: its copy in this turn and in the last one. */
    uint32_t *now, *before;
    /* By table of the template: its rows with a first column for finished matches. */
    TableRows **guarded;
    uint32_t turns;
    U32Vector scope;
    VECTOR(ScspLiteral) clause;
} Unfolding;

static bool is_free_kind(VariableKind kind) {
    return kind == VARIABLE_FLUENT || kind == VARIABLE_TERMINAL || kind == VARIABLE_SCORE;
}

static bool note_moving(Unfolding *u, uint32_t head, uint32_t used) {
    bool is_new = u->is_moving[used] && !u->is_moving[head] &&
                  !is_free_kind(u->turn->variables.items[head].kind);
    u->is_moving[head] |= is_new;
    return is_new;
}

static bool spread_moving(Unfolding *u) {
    const Scsp *n = u->turn;
    bool changed = false;
    for (size_t i = 0; i < n->tables.count; i++) {
        const uint32_t *scope = scsp_scope(n, n->tables.items[i].first_scope);
        for (uint32_t k = 1; k < n->tables.items[i].rows->arity; k++)
            changed |= note_moving(u, scope[0], scope[k]);
    }
    for (size_t i = 0; i < n->clauses.count; i++) {
        const ScspLiteral *l = n->literals.items + n->clauses.items[i].first;
        for (uint32_t k = 1; k < n->clauses.items[i].count; k++)
            changed |= note_moving(u, l[0].variable, l[k].variable);
    }
    for (size_t i = 0; i < n->functions.count; i++) {
        const ScspFunction *f = &n->functions.items[i];
        const uint32_t *inputs = scsp_scope(n, f->first_scope);
        for (uint32_t k = 0; k < f->rules->input_count; k++)
            for (uint32_t o = 0; o < f->rules->output_count; o++)
                changed |= note_moving(u, inputs[f->rules->input_count + o], inputs[k]);
    }
    return changed;
}

static void find_moving(Unfolding *u) {
    for (size_t x = 0; x < u->turn->variables.count; x++) {
        VariableKind kind = u->turn->variables.items[x].kind;
        u->is_moving[x] = kind == VARIABLE_ACTION || kind == VARIABLE_CHANCE ||
                          kind == VARIABLE_NEXT || kind == VARIABLE_PERCEPT;
    }
    while (spread_moving(u)) {
    }
}

/* True if the variable has an additional value for the time after the end of the match. */
static bool has_undefined(const ScspVariable *x) {
    return x->kind == VARIABLE_FLUENT || x->kind == VARIABLE_NEXT || x->kind == VARIABLE_ACTION;
}

static uint32_t guarded_size(const Unfolding *u, uint32_t variable) {
    const ScspVariable *x = &u->turn->variables.items[variable];
    return x->size + has_undefined(x);
}

/* Returns the value of the variable when the match is over; VALUE_ANY for chance. */
static uint16_t over_value(const ScspVariable *x) {
    if (x->kind == VARIABLE_CHANCE)
        return VALUE_ANY;
    if (x->kind == VARIABLE_TERMINAL)
        return 1;
    return has_undefined(x) ? (uint16_t)x->size : 0;
}

static TableRows *guard_rows(Unfolding *u, const ScspTable *table) {
    const TableRows *rows = table->rows;
    const uint32_t *scope = scsp_scope(u->turn, table->first_scope);
    uint32_t arity = rows->arity + 1;
    uint16_t *values = memory_alloc((size_t)(rows->count + 1) * arity * sizeof *values);
    uint32_t *sizes = memory_alloc(arity * sizeof *sizes);
    sizes[0] = 2;
    for (uint32_t k = 0; k < rows->arity; k++)
        sizes[k + 1] = guarded_size(u, scope[k]);
    for (uint32_t r = 0; r < rows->count; r++) {
        values[(size_t)r * arity] = 0;
        memcpy(values + (size_t)r * arity + 1, rows->values + (size_t)r * rows->arity,
               rows->arity * sizeof *values);
    }
    uint16_t *over = values + (size_t)rows->count * arity;
    over[0] = 1;
    over[1] = over_value(&u->turn->variables.items[scope[0]]);
    for (uint32_t k = 2; k < arity; k++)
        over[k] = VALUE_ANY;
    TableRows *guarded = scsp_make_rows(u->network, values, rows->count + 1, sizes, arity);
    memory_free(values, sizes);
    return guarded;
}

static void add_variables(Unfolding *u, uint32_t level) {
    for (uint32_t x = 0; x < u->turn->variables.count; x++) {
        ScspVariable variable = u->turn->variables.items[x];
        u->now[x] = SCSP_NONE;
        if (variable.kind == VARIABLE_NEXT || (level == u->turns && u->is_moving[x]))
            continue;
        variable.turn = level;
        variable.allowed = NULL;
        if (variable.kind == VARIABLE_ACTION || (variable.kind == VARIABLE_FLUENT && level > 0))
            variable.size++;
        u->now[x] = scsp_add_variable(u->network, variable);
    }
}

static void link_nexts(Unfolding *u) {
    for (size_t i = 0; i < u->t->groups.count; i++)
        u->before[u->t->nexts[i]] = u->now[u->t->currents[i]];
}

/* Gives the variable its value for finished matches if and only if the match is over. */
static void tie_to_guard(Unfolding *u, const uint32_t *map, uint32_t variable, uint32_t guard) {
    const ScspVariable *x = &u->turn->variables.items[variable];
    uint16_t over = over_value(x);
    if (over == VALUE_ANY)
        return;
    ScspLiteral stays[2] = {scsp_literal(map[variable], over, true), scsp_literal(guard, 1, false)};
    scsp_add_clause(u->network, CONSTRAINT_OTHER, stays, 2);
    ScspLiteral defined[2] = {scsp_literal(map[variable], over, false),
                              scsp_literal(guard, 1, true)};
    if (has_undefined(x))
        scsp_add_clause(u->network, CONSTRAINT_OTHER, defined, 2);
}

static void add_table(Unfolding *u, size_t index, const uint32_t *map, uint32_t guard) {
    const ScspTable *table = &u->turn->tables.items[index];
    const uint32_t *scope = scsp_scope(u->turn, table->first_scope);
    vector_clear(&u->scope);
    if (guard != SCSP_NONE)
        vector_push(&u->scope, guard);
    for (uint32_t k = 0; k < table->rows->arity; k++)
        vector_push(&u->scope, map[scope[k]]);
    if (guard == SCSP_NONE) {
        scsp_add_rows(u->network, table->kind, u->scope.items, table->rows->arity,
                      table->rows->values, table->rows->count);
        return;
    }
    if (!u->guarded[index])
        u->guarded[index] = guard_rows(u, table);
    scsp_add_table(u->network, table->kind, u->scope.items, u->guarded[index]);
}

static void add_clause(Unfolding *u, const ScspClause *clause, const uint32_t *map,
                       uint32_t guard) {
    const ScspLiteral *literals = u->turn->literals.items + clause->first;
    vector_clear(&u->clause);
    for (uint32_t i = 0; i < clause->count; i++) {
        ScspLiteral copy = literals[i];
        copy.variable = map[copy.variable];
        vector_push(&u->clause, copy);
    }
    if (guard != SCSP_NONE)
        vector_push(&u->clause, scsp_literal(guard, 1, true));
    scsp_add_clause(u->network, clause->kind, u->clause.items, (uint32_t)u->clause.count);
}

static void add_function(Unfolding *u, const ScspFunction *f, const uint32_t *map, uint32_t guard) {
    const uint32_t *scope = scsp_scope(u->turn, f->first_scope);
    vector_clear(&u->scope);
    for (uint32_t k = 0; k < f->rules->input_count + f->rules->output_count; k++)
        vector_push(&u->scope, map[scope[k]]);
    scsp_add_function(u->network, u->scope.items, guard, f->rules);
}

/* Adds the constraints whose first variable depends on moves, or all others. */
static void add_constraints(Unfolding *u, bool moving, const uint32_t *map, uint32_t guard) {
    const Scsp *n = u->turn;
    uint8_t *is_loose = memory_zalloc(n->variables.count + 1);
    for (size_t i = 0; i < n->tables.count && scsp_goes_on(u->network); i++)
        if (u->is_moving[scsp_scope(n, n->tables.items[i].first_scope)[0]] == moving)
            add_table(u, i, map, guard);
    for (size_t i = 0; i < n->clauses.count && !u->network->is_cut_short; i++) {
        uint32_t head = n->literals.items[n->clauses.items[i].first].variable;
        if (u->is_moving[head] != moving)
            continue;
        add_clause(u, &n->clauses.items[i], map, guard);
        is_loose[head] = 1;
    }
    for (size_t i = 0; i < n->functions.count; i++) {
        const ScspFunction *f = &n->functions.items[i];
        const uint32_t *outputs = scsp_scope(n, f->first_scope) + f->rules->input_count;
        if (u->is_moving[outputs[0]] != moving)
            continue;
        add_function(u, f, map, guard);
        for (uint32_t o = 0; o < f->rules->output_count; o++)
            is_loose[outputs[o]] = 1;
    }
    for (uint32_t x = 0; guard != SCSP_NONE && x < n->variables.count; x++)
        if (is_loose[x] && map[x] != SCSP_NONE)
            tie_to_guard(u, map, x, guard);
    free(is_loose);
}

static void add_payments(Unfolding *u) {
    for (size_t i = 0; i < u->turn->softs.count; i++) {
        const ScspSoft *soft = &u->turn->softs.items[i];
        const uint32_t *scope = scsp_scope(u->turn, soft->first_scope);
        assert(soft->rows->arity == 2);
        uint32_t mapped[2] = {u->now[scope[0]], u->now[scope[1]]};
        scsp_add_soft(u->network, mapped, soft->rows, soft->amounts, soft->player);
    }
}

static void fix_start(Unfolding *u, const uint16_t *state) {
    for (size_t i = 0; i < u->t->groups.count; i++) {
        ScspLiteral literal =
            scsp_literal(u->now[u->t->currents[i]], state ? state[i] : u->t->initial[i], true);
        scsp_add_clause(u->network, CONSTRAINT_OTHER, &literal, 1);
    }
}

/* Constrains `terminal` to stay true once it is true. */
static void keep_over(Unfolding *u, uint32_t last_terminal) {
    ScspLiteral stays[2] = {scsp_literal(u->now[u->t->terminal], 1, true),
                            scsp_literal(last_terminal, 1, false)};
    scsp_add_clause(u->network, CONSTRAINT_OTHER, stays, 2);
}

/* Adds the effects of the last turn's moves, now that the fluents of this turn exist. */
static void close_turn(Unfolding *u) {
    add_constraints(u, true, u->before, u->before[u->t->terminal]);
}

static void open_unfolding(Unfolding *u, Scsp *network, const Template *t, uint32_t turns) {
    size_t variables = t->network.variables.count + 1;
    *network = (Scsp){.player_count = t->network.player_count,
                      .unit = t->network.unit,
                      .least = t->network.least,
                      .most = t->network.most,
                      .is_cut_short = t->network.is_cut_short};
    *u = (Unfolding){.network = network, .t = t, .turn = &t->network, .turns = turns};
    u->is_moving = memory_zalloc(variables);
    u->now = memory_alloc(variables * sizeof *u->now);
    u->before = memory_alloc(variables * sizeof *u->before);
    u->guarded = memory_zalloc((t->network.tables.count + 1) * sizeof(TableRows *));
    find_moving(u);
}

static void close_unfolding(Unfolding *u) {
    memory_free(u->is_moving, u->now, u->before, u->guarded);
    vectors_free(&u->scope, &u->clause);
}

void unfold(Scsp *network, const Template *t, uint32_t turns, const uint16_t *state) {
    Unfolding u;
    assert(turns <= UNFOLD_MAX_TURNS);
    open_unfolding(&u, network, t, turns);
    for (uint32_t level = 0; level <= turns && scsp_goes_on(network); level++) {
        uint32_t guard = level ? u.before[t->terminal] : SCSP_NONE;
        add_variables(&u, level);
        if (level == 0)
            fix_start(&u, state);
        add_constraints(&u, false, u.now, guard);
        add_payments(&u);
        if (level > 0) {
            keep_over(&u, guard);
            link_nexts(&u);
            close_turn(&u);
        }
        memcpy(u.before, u.now, t->network.variables.count * sizeof *u.now);
    }
    close_unfolding(&u);
}

void unfold_state(Scsp *network, const Template *t) {
    Unfolding u;
    open_unfolding(&u, network, t, 0);
    add_variables(&u, 0);
    add_constraints(&u, false, u.now, SCSP_NONE);
    close_unfolding(&u);
}
