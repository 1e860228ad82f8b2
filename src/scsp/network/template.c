/* Translates a game to a template. The ground rules are put into canonical form. Then each atom
 * that is needed gets its variable, and each variable its rules. */
#include "scsp/network/template.h"

#include <assert.h>
#include <string.h>

#include "analysis/facts/mutex.h"
#include "base/bitset.h"
#include "base/components.h"
#include "base/graph.h"
#include "circuit/ternary.h"
#include "game/goal.h"
#include "gdl/write.h"
#include "scsp/network/template_internal.h"

/* Tuning constants. */
enum {
    DEFAULT_SECONDS = 10,  /* CPU seconds of the translation (untuned) */
    DEFAULT_VARIABLES = 8, /* greatest number of columns of a table (untuned) */
    DEFAULT_ROWS = 20000,  /* greatest number of rows of a table (untuned) */
    MATCHES = 200          /* random matches in which groups are checked (untuned) */
};
#define SHARE_OF_SAMPLES 0.3 /* share of the budget of groups for samples, 0 to 1 (untuned) */

static uint32_t add_variable(TemplateBuilder *b, VariableKind kind, uint32_t role, uint32_t thing,
                             uint32_t size) {
    ScspVariable variable = {.kind = kind, .role = role, .index_in_kind = thing, .size = size};
    if (kind == VARIABLE_CHANCE)
        variable.is_stochastic = variable.is_uniform = true;
    return scsp_add_variable(&b->t->network, variable);
}

static void name_atom(TemplateBuilder *b, Atom atom, uint32_t variable, uint32_t value) {
    if (atom != ATOM_NONE)
        b->literals[atom] = (ScspLiteral){variable, (uint16_t)value, true};
}

static void forbid_none(TemplateBuilder *b, uint32_t variable) {
    ScspLiteral literal = {variable, 0, false};
    scsp_add_clause(&b->t->network, CONSTRAINT_OTHER, &literal, 1);
}

static void add_fluents(TemplateBuilder *b, const Ternary *constants) {
    Template *t = b->t;
    for (uint32_t f = 0; f < t->fluent_count; f++) {
        t->group_of[f] = SCSP_NONE;
        if (constants[f] == TERNARY_TRUE)
            bitset_set(t->always, f);
    }
    for (uint32_t i = 0; i < t->groups.count; i++) {
        const FluentGroup *group = &t->groups.items[i];
        t->currents[i] =
            add_variable(b, VARIABLE_FLUENT, SCSP_NONE, i, (uint32_t)group->fluents.count + 1);
        if (group->is_never_none)
            forbid_none(b, t->currents[i]);
        for (uint32_t v = 0; v < group->fluents.count; v++) {
            uint32_t f = group->fluents.items[v];
            t->group_of[f] = i;
            t->value_of[f] = v + 1;
            name_atom(b, b->g->fluents.items[f].current, t->currents[i], v + 1);
            if (b->g->fluents.items[f].initial)
                t->initial[i] = (uint16_t)(v + 1);
        }
    }
}

static void add_actions(TemplateBuilder *b) {
    Template *t = b->t;
    const uint32_t *first = t->game->circuit->first_move;
    for (int is_chance = 0; is_chance < 2; is_chance++)
        for (uint32_t r = 0; r < t->role_count; r++) {
            if ((r == t->chance) != (is_chance == 1) || first[r + 1] == first[r])
                continue;
            t->actions[r] = add_variable(b, is_chance ? VARIABLE_CHANCE : VARIABLE_ACTION, r, r,
                                         first[r + 1] - first[r]);
            for (uint32_t m = first[r]; m < first[r + 1]; m++)
                name_atom(b, b->g->moves.items[m].does, t->actions[r], m - first[r]);
        }
}

static void add_scores(TemplateBuilder *b) {
    for (uint32_t i = 0; i < b->g->goals.count; i++) {
        const RoleOutput *goal = &b->g->goals.items[i];
        int value = goal_join(GOAL_NONE, grounding_terms(b->g), goal->term);
        if (value < 0 || b->normal->values[goal->atom] == CANONICAL_FALSE)
            continue;
        TemplateScore score = {goal->role, value,
                               add_variable(b, VARIABLE_SCORE, goal->role, i, 2)};
        vector_push(&b->t->scores, score);
        name_atom(b, goal->atom, score.variable, 1);
    }
}

static bool is_derived(const TemplateBuilder *b, Atom atom) {
    return b->normal->is_needed[atom] && b->normal->values[atom] == ground_literal(atom, false) &&
           b->normal->rule_starts[atom + 1] > b->normal->rule_starts[atom];
}

static void give_variable(TemplateBuilder *b, Atom atom) {
    Text text = {0};
    ground_write_atom(b->g, atom, &text);
    uint32_t variable =
        add_variable(b, VARIABLE_AUXILIARY, SCSP_NONE, (uint32_t)b->t->atoms.count, 2);
    vector_push(&b->t->atoms, arena_copy(&b->t->network.arena, text.items, text.count));
    vector_free(&text);
    vector_push(&b->derived, atom);
    name_atom(b, atom, variable, 1);
}

/* Gives variables to the atoms in the rules, unless these become a table of fluents and moves. */
static void demand_atoms(TemplateBuilder *b, uint32_t head_size, const TemplateHeads *heads) {
    TemplateExpansion expansion;
    if (!scsp_goes_on(&b->t->network))
        return;
    if (template_expand(b, heads, head_size, &expansion))
        return;
    for (size_t h = 0; h < heads->count; h++) {
        Atom head = heads->items[h].atom;
        if (b->normal->values[head] >= CANONICAL_FALSE)
            continue;
        for (uint32_t i = b->normal->rule_starts[head]; i < b->normal->rule_starts[head + 1]; i++) {
            const CanonicalRule *rule = &b->normal->rules.items[b->normal->rule_order[i]];
            for (size_t l = 0; !rule->is_dropped && l < rule->literals.count; l++) {
                GroundLiteral value = canonical_rules_value(b->normal, rule->literals.items[l]);
                if (value < CANONICAL_FALSE && b->literals[value >> 1].variable == SCSP_NONE &&
                    is_derived(b, value >> 1))
                    give_variable(b, value >> 1);
            }
        }
    }
}

static void push_head(TemplateHeads *heads, Atom atom, uint32_t value) {
    if (atom != ATOM_NONE)
        vector_push(heads, ((TemplateHead){atom, value}));
}

static void demand_alone(TemplateBuilder *b, Atom atom) {
    TemplateHeads heads = {0};
    push_head(&heads, atom, 1);
    demand_atoms(b, 2, &heads);
    vector_free(&heads);
}

/* Lists the atoms that give values to the action of a role or to a group in the next state. */
static void legal_heads(const TemplateBuilder *b, uint32_t role, TemplateHeads *heads) {
    const uint32_t *first = b->t->game->circuit->first_move;
    vector_clear(heads);
    for (uint32_t m = first[role]; m < first[role + 1]; m++)
        push_head(heads, b->g->moves.items[m].legal, m - first[role]);
}

static void next_heads(const TemplateBuilder *b, uint32_t group, TemplateHeads *heads) {
    const U32Vector *fluents = &b->t->groups.items[group].fluents;
    vector_clear(heads);
    for (uint32_t v = 0; v < fluents->count; v++)
        push_head(heads, b->g->fluents.items[fluents->items[v]].next, v + 1);
}

/* Gives variables to all derived atoms that are needed, transitively. */
static void add_derived(TemplateBuilder *b) {
    const Template *t = b->t;
    TemplateHeads heads = {0};
    demand_alone(b, b->g->terminal);
    for (size_t i = 0; i < b->g->goals.count; i++)
        demand_alone(b, b->g->goals.items[i].atom);
    for (size_t i = 0; i < b->g->percepts.count; i++)
        demand_alone(b, b->g->percepts.items[i].atom);
    for (uint32_t r = 0; r < t->role_count; r++) {
        if (t->actions[r] == SCSP_NONE)
            continue;
        legal_heads(b, r, &heads);
        demand_atoms(b, t->network.variables.items[t->actions[r]].size, &heads);
    }
    for (uint32_t i = 0; i < t->groups.count; i++) {
        next_heads(b, i, &heads);
        demand_atoms(b, (uint32_t)t->groups.items[i].fluents.count + 1, &heads);
    }
    for (size_t i = 0; i < b->derived.count; i++)
        demand_alone(b, b->derived.items[i]);
    vector_free(&heads);
}

static void add_percepts(TemplateBuilder *b) {
    for (uint32_t i = 0; i < b->g->percepts.count; i++) {
        const RoleOutput *percept = &b->g->percepts.items[i];
        if (b->normal->values[percept->atom] == CANONICAL_FALSE)
            continue;
        Text text = {0};
        write_term_lower(&text, grounding_terms(b->g), percept->term);
        vector_push(&b->t->percepts,
                    ((TemplatePercept){percept->role,
                                       add_variable(b, VARIABLE_PERCEPT, percept->role, i, 2),
                                       arena_copy(&b->t->network.arena, text.items, text.count)}));
        vector_free(&text);
    }
}

static void add_variables(TemplateBuilder *b, const Ternary *constants) {
    Template *t = b->t;
    add_fluents(b, constants);
    t->terminal = add_variable(b, VARIABLE_TERMINAL, SCSP_NONE, 0, 2);
    name_atom(b, b->g->terminal, t->terminal, 1);
    add_scores(b);
    add_actions(b);
    add_derived(b);
    for (uint32_t i = 0; i < t->groups.count; i++) {
        t->nexts[i] = add_variable(b, VARIABLE_NEXT, SCSP_NONE, i,
                                   (uint32_t)t->groups.items[i].fluents.count + 1);
        if (t->groups.items[i].is_never_none)
            forbid_none(b, t->nexts[i]);
    }
    add_percepts(b);
}

/* Adds the body of a rule to the completion's last rule. Removes that rule if it never fires. */
static void add_body(TemplateBuilder *b, const CanonicalRule *rule) {
    Completion *c = &b->completion;
    for (size_t i = 0; i < rule->literals.count; i++) {
        GroundLiteral value = canonical_rules_value(b->normal, rule->literals.items[i]);
        if (value == CANONICAL_TRUE)
            continue;
        if (value == CANONICAL_FALSE) {
            c->literals.count = vector_last(&c->rules).first;
            c->rules.count--;
            return;
        }
        ScspLiteral literal = b->literals[value >> 1];
        assert(literal.variable != SCSP_NONE);
        literal.is_equal = !(value & 1);
        completion_premise(c, literal);
    }
}

static void add_rules_of(TemplateBuilder *b, Atom atom, uint32_t value) {
    const CanonicalRules *n = b->normal;
    if (atom == ATOM_NONE || n->values[atom] == CANONICAL_FALSE)
        return;
    if (n->values[atom] == CANONICAL_TRUE) {
        completion_rule(&b->completion, value);
        return;
    }
    for (uint32_t i = n->rule_starts[atom]; i < n->rule_starts[atom + 1]; i++) {
        const CanonicalRule *rule = &n->rules.items[n->rule_order[i]];
        if (rule->is_dropped)
            continue;
        completion_rule(&b->completion, value);
        add_body(b, rule);
    }
}

/* Constrains a variable by the rules of its heads: a table over fluents and moves alone, unless it
 * would be too large. A move is a choice; its legality may have a variable of its own. */
static void complete(TemplateBuilder *b, uint32_t variable, ConstraintKind kind, bool is_choice,
                     const TemplateHeads *heads) {
    TemplateExpansion expansion;
    if (template_expand(b, heads, b->t->network.variables.items[variable].size, &expansion)) {
        template_add_expanded(b, &expansion, variable, kind, is_choice, heads);
        return;
    }
    completion_clear(&b->completion, variable, kind, is_choice);
    for (size_t i = 0; i < heads->count; i++) {
        TemplateHead head = heads->items[i];
        if (!is_choice || b->literals[head.atom].variable == SCSP_NONE) {
            add_rules_of(b, head.atom, head.value);
            continue;
        }
        completion_rule(&b->completion, head.value);
        completion_premise(&b->completion, b->literals[head.atom]);
    }
    completion_add(&b->completion, &b->t->network, &b->limits, &b->t->body_count);
}

static void complete_atom(TemplateBuilder *b, uint32_t variable, Atom atom, ConstraintKind kind) {
    TemplateHeads heads = {0};
    push_head(&heads, atom, 1);
    complete(b, variable, kind, false, &heads);
    vector_free(&heads);
}

/* Finds the strongly connected components of derived atoms, by their index in `derived`. */
static uint32_t *find_components(TemplateBuilder *b, uint32_t *count, uint8_t **is_recursive) {
    const CanonicalRules *n = b->normal;
    uint32_t atoms = (uint32_t)b->derived.count;
    uint32_t *place = u32_none(b->g->atom_relations.count);
    uint32_t *component = memory_zalloc((atoms + 1) * sizeof *component);
    Edges edges = {0};
    Graph graph;
    for (uint32_t i = 0; i < atoms; i++)
        place[b->derived.items[i]] = i;
    for (uint32_t i = 0; i < atoms; i++) {
        Atom a = b->derived.items[i];
        for (uint32_t k = n->rule_starts[a]; k < n->rule_starts[a + 1]; k++) {
            const CanonicalRule *rule = &n->rules.items[n->rule_order[k]];
            for (size_t l = 0; !rule->is_dropped && l < rule->literals.count; l++) {
                GroundLiteral value = canonical_rules_value(n, rule->literals.items[l]);
                Edge edge = {i, value < CANONICAL_FALSE ? place[value >> 1] : SCSP_NONE};
                if (edge.to != SCSP_NONE)
                    vector_push(&edges, edge);
            }
        }
    }
    graph_build(&graph, atoms, &edges);
    *count = components_find(atoms, graph.starts, graph.targets, component);
    uint32_t *sizes = memory_zalloc((*count + 1) * sizeof *sizes);
    *is_recursive = memory_zalloc(*count + 1);
    for (uint32_t i = 0; i < atoms; i++)
        (*is_recursive)[component[i]] |= sizes[component[i]]++ > 0;
    for (size_t i = 0; i < edges.count; i++)
        (*is_recursive)[component[edges.items[i].from]] |= edges.items[i].from == edges.items[i].to;
    graph_free(&graph);
    vector_free(&edges);
    memory_free(place, sizes);
    return component;
}

/* Adds the rules of one component as a function of the variables that they read. */
static void add_function(TemplateBuilder *b, const U32Vector *atoms) {
    FunctionRules *f = memory_zalloc(sizeof *f);
    U32Vector inputs = {0}, outputs = {0};
    for (size_t i = 0; i < atoms->count; i++)
        vector_push(&outputs, b->literals[atoms->items[i]].variable);
    for (uint32_t i = 0; i < atoms->count; i++) {
        completion_clear(&b->completion, outputs.items[i], CONSTRAINT_AUXILIARY, false);
        add_rules_of(b, atoms->items[i], 1);
        for (size_t r = 0; r < b->completion.rules.count; r++) {
            const CompletionRule *rule = &b->completion.rules.items[r];
            FunctionRule copy = {i, (uint32_t)f->literals.count, rule->count};
            for (uint32_t l = rule->first; l < rule->first + rule->count; l++) {
                ScspLiteral literal = b->completion.literals.items[l];
                uint32_t output = u32_index_of(&outputs, literal.variable);
                FunctionLiteral premise = {.value = literal.value, .is_equal = literal.is_equal};
                premise.is_output = output != UINT32_MAX;
                premise.index = premise.is_output ? output : u32_place(&inputs, literal.variable);
                assert(!premise.is_output || literal.is_equal);
                vector_push(&f->literals, premise);
            }
            vector_push(&f->rules, copy);
        }
    }
    f->input_count = (uint32_t)inputs.count;
    f->output_count = (uint32_t)outputs.count;
    vector_push(&b->t->network.function_rules, f);
    vector_append(&inputs, outputs.items, outputs.count);
    scsp_add_function(&b->t->network, inputs.items, SCSP_NONE, f);
    vectors_free(&inputs, &outputs);
}

static void complete_derived(TemplateBuilder *b) {
    uint32_t count;
    uint8_t *is_recursive;
    if (!scsp_goes_on(&b->t->network))
        return;
    uint32_t *component = find_components(b, &count, &is_recursive);
    U32Vector *members = memory_zalloc((count + 1) * sizeof *members);
    for (uint32_t i = 0; i < b->derived.count; i++) {
        Atom atom = b->derived.items[i];
        if (is_recursive[component[i]])
            vector_push(&members[component[i]], atom);
        else
            complete_atom(b, b->literals[atom].variable, atom, CONSTRAINT_AUXILIARY);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (members[i].count && !b->t->network.is_cut_short)
            add_function(b, &members[i]);
        vector_free(&members[i]);
    }
    memory_free(members, component, is_recursive);
}

static void add_payments(TemplateBuilder *b) {
    Template *t = b->t;
    static const uint32_t sizes[2] = {2, 2};
    static const uint16_t paid[2] = {1, 1};
    t->network.player_count = t->role_count;
    t->network.unit = 100;
    t->network.most = 100;
    for (size_t i = 0; i < t->scores.count; i++) {
        uint32_t scope[2] = {t->terminal, t->scores.items[i].variable};
        TableRows *rows = scsp_make_rows(&t->network, paid, 1, sizes, 2);
        scsp_add_soft(&t->network, scope, rows, &t->scores.items[i].value, t->scores.items[i].role);
    }
}

static void add_constraints(TemplateBuilder *b) {
    Template *t = b->t;
    TemplateHeads heads = {0};
    complete_atom(b, t->terminal, b->g->terminal, CONSTRAINT_TERMINAL);
    for (size_t i = 0, s = 0; i < b->g->goals.count && s < t->scores.count; i++)
        if (t->network.variables.items[t->scores.items[s].variable].index_in_kind == i)
            complete_atom(b, t->scores.items[s++].variable, b->g->goals.items[i].atom,
                          CONSTRAINT_SCORE);
    for (uint32_t r = 0; r < t->role_count; r++) {
        if (t->actions[r] == SCSP_NONE)
            continue;
        legal_heads(b, r, &heads);
        complete(b, t->actions[r], CONSTRAINT_LEGAL, true, &heads);
    }
    complete_derived(b);
    for (uint32_t i = 0; i < t->groups.count; i++) {
        next_heads(b, i, &heads);
        complete(b, t->nexts[i], CONSTRAINT_NEXT, false, &heads);
    }
    vector_free(&heads);
    for (size_t i = 0; i < t->percepts.count; i++) {
        uint32_t variable = t->percepts.items[i].variable;
        uint32_t percept = t->network.variables.items[variable].index_in_kind;
        complete_atom(b, variable, b->g->percepts.items[percept].atom, CONSTRAINT_SEES);
        t->network.variables.items[variable].index_in_kind = (uint32_t)i;
    }
    for (uint32_t i = 0; i < t->scores.count; i++)
        t->network.variables.items[t->scores.items[i].variable].index_in_kind = i;
    add_payments(b);
}

/* Each group of fluents that provably exclude each other becomes one variable. Every other fluent
 * becomes a variable of its own, which is always correct but less compact. */
static void find_groups(FluentGroups *groups, Game *game, const Grounding *grounding,
                        const uint8_t *constants, CpuBudget budget) {
    SampleOptions sampling = {
        .matches = MATCHES, .seed = 1, .budget = cpu_budget_share(budget, SHARE_OF_SAMPLES)};
    Samples *samples = samples_take(game, &sampling);
    MutexGroups found = {0};
    mutex_find_by_keys(&found, samples, grounding, constants, budget);
    samples_free(samples);
    uint32_t count = (uint32_t)grounding->fluents.count;
    uint8_t *is_taken = memory_zalloc(count + 1);
    for (size_t i = 0; i < found.count; i++) {
        FluentGroup group = {.fluents = found.items[i].fluents,
                             .is_never_none = found.items[i].at_least_one == CERTAINTY_PROVED};
        for (size_t k = 0; k < group.fluents.count; k++)
            is_taken[group.fluents.items[k]] = 1;
        vector_push(groups, group);
    }
    vector_free(&found);
    for (uint32_t i = 0; i < count; i++) {
        FluentGroup alone = {0};
        if (is_taken[i] || constants[i] != TERNARY_UNKNOWN)
            continue;
        vector_push(&alone.fluents, i);
        vector_push(groups, alone);
    }
    free(is_taken);
}

static void free_groups(FluentGroups *groups) {
    for (size_t i = 0; i < groups->count; i++)
        vector_free(&groups->items[i].fluents);
    vector_free(groups);
}

/* Arrays and texts of the template belong to the arena of its network. */
static Template *allocate(Game *game) {
    Template *t = memory_zalloc(sizeof *t);
    Arena *arena = &t->network.arena;
    t->game = game;
    t->fluent_count = game->circuit->fluent_count;
    t->role_count = game->role_count;
    t->chance = SCSP_NONE;
    t->group_of = arena_zalloc(arena, (t->fluent_count + 1) * sizeof *t->group_of);
    t->value_of = arena_zalloc(arena, (t->fluent_count + 1) * sizeof *t->value_of);
    t->always = arena_zalloc(arena, (bitset_words(t->fluent_count) + 1) * sizeof *t->always);
    t->actions = arena_zalloc(arena, (t->role_count + 1) * sizeof *t->actions);
    for (uint32_t r = 0; r < t->role_count; r++) {
        t->actions[r] = SCSP_NONE;
        if (game_is_chance(game, r))
            t->chance = r;
    }
    return t;
}

static void build(Template *t, const Grounding *g, const CanonicalRules *normal,
                  const Ternary *constants, const TemplateOptions *options) {
    size_t atoms = g->atom_relations.count;
    TemplateBuilder b = {.t = t, .g = g, .normal = normal};
    b.limits.max_variables = options->max_variables ? options->max_variables : DEFAULT_VARIABLES;
    b.limits.max_rows = options->max_rows ? options->max_rows : DEFAULT_ROWS;
    b.literals = memory_alloc((atoms + 1) * sizeof *b.literals);
    for (size_t a = 0; a < atoms; a++)
        b.literals[a].variable = SCSP_NONE;
    t->initial = arena_zalloc(&t->network.arena, (t->groups.count + 1) * sizeof *t->initial);
    t->currents = arena_zalloc(&t->network.arena, (t->groups.count + 1) * sizeof *t->currents);
    t->nexts = arena_zalloc(&t->network.arena, (t->groups.count + 1) * sizeof *t->nexts);
    b.memo_stamps = memory_zalloc((atoms + 1) * sizeof *b.memo_stamps);
    b.memo_values = memory_zalloc(atoms + 1);
    add_variables(&b, constants);
    t->body_count = (uint32_t)t->atoms.count;
    add_constraints(&b);
    t->body_count -= (uint32_t)t->atoms.count;
    vectors_free(&b.completion.rules, &b.completion.literals);
    vector_free(&b.derived);
    memory_free(b.literals, b.memo_stamps, b.memo_values);
}

static bool has_wide_domains(const Game *game) {
    const Circuit *c = game->circuit;
    bool is_wide = c->fluent_count >= VALUE_ANY - 2;
    for (uint32_t r = 0; r < game->role_count; r++)
        is_wide |= c->first_move[r + 1] - c->first_move[r] >= VALUE_ANY - 2;
    return is_wide;
}

Template *template_create(Game *game, const TemplateOptions *options, Report *report) {
    if (!game_has_circuit(game) || has_wide_domains(game)) {
        report_error(report, "no-network", "the rules are too large for a constraint network");
        return NULL;
    }
    double started = clock_thread_cpu_seconds();
    double seconds = options->seconds > 0 ? options->seconds : DEFAULT_SECONDS;
    CpuBudget budget = cpu_budget_in(seconds);
    const Grounding *g = game_ground_rules(game, (GroundBudget){.seconds = seconds / 2});
    Ternary *constants = ternary_reachable(game->circuit);
    CanonicalRules *normal =
        g ? canonical_rules_create(g, constants, cpu_budget_share(budget, 0.5)) : NULL;
    Template *t = NULL;
    if (normal) {
        t = allocate(game);
        find_groups(&t->groups, game, g, constants, cpu_budget_share(budget, 0.7));
        if (scsp_goes_on(&t->network))
            build(t, g, normal, constants, options);
        t->cpu_seconds = clock_thread_cpu_seconds() - started;
    }
    if (t && t->network.is_cut_short) {
        template_free(t);
        t = NULL;
    }
    if (!t) {
        report_error(report, "no-network", "the rules take too long to be translated");
    }
    canonical_rules_free(normal);
    free(constants);
    return t;
}

void template_free(Template *t) {
    if (!t)
        return;
    vectors_free(&t->percepts, &t->atoms, &t->scores);
    free_groups(&t->groups);
    scsp_free(&t->network);
    free(t);
}

void template_read_state(const Template *t, const State *state, uint16_t *values) {
    assert(values && state);
    memset(values, 0, t->groups.count * sizeof *values);
    bitset_each(f, state->words, state->word_count)
        if (f < t->fluent_count && t->group_of[f] != SCSP_NONE)
            values[t->group_of[f]] = (uint16_t)t->value_of[f];
}

void template_write_state(const Template *t, const uint16_t *values, State *state) {
    state_clear(state);
    bitset_each(f, t->always, bitset_words(t->fluent_count))
        state_set(state, (uint32_t)f);
    for (size_t i = 0; i < t->groups.count; i++)
        if (values[i]) {
            assert(values[i] <= t->groups.items[i].fluents.count);
            state_set(state, t->groups.items[i].fluents.items[values[i] - 1]);
        }
}
