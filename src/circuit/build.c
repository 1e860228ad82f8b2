/* Ground rules to gates. Atoms are visited in order of evaluation; an atom is the disjunction of
 * its rules, each a conjunction of literals. Factoring happens here, where the sums of products
 * are still visible: terms are grouped by the literal that occurs most often in the sum, and that
 * literal is pulled out, recursively. */
#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "base/components.h"
#include "base/interrupt.h"
#include "circuit/circuit.h"
#include "circuit/movesets.h"
#include "circuit/ternary.h"

typedef struct {
    uint32_t first, count; /* into Builder.literals */
} Product;

typedef struct {
    Circuit *circuit;
    const Grounding *g;
    const CircuitOptions *options;
    Signal *atoms;         /* by Atom: its signal; SIGNAL_NONE until visited */
    uint32_t *rule_starts; /* rules of atom i: rule_order[rule_starts[i]] ... */
    uint32_t *rule_order;
    uint32_t *move_of_node; /* by node: the move that is this input; UINT32_MAX if none */
    uint32_t move_nodes_end;
    MoveSets *move_sets; /* NULL without factoring */
    U32Vector literals;
    U32Vector counts; /* scratch, by signal: occurrences in the current sum */
    double started;
    uint32_t components; /* number built so far */
} Builder;

static uint32_t move_of_signal(const Builder *b, Signal s) {
    uint32_t node = signal_node(s);
    return node < b->move_nodes_end ? b->move_of_node[node] : UINT32_MAX;
}

static uint32_t role_of_move(const Builder *b, uint32_t move) {
    assert(move < b->g->moves.count);
    return b->g->moves.items[move].role;
}

static Signal and_of(Builder *b, Signal *signals, size_t count) {
    if (b->options->factors)
        count = movesets_gather(b->move_sets, signals, count, true);
    return aig_and_many(&b->circuit->aig, signals, count);
}

static Signal or_of(Builder *b, Signal *signals, size_t count) {
    if (b->options->factors)
        count = movesets_gather(b->move_sets, signals, count, false);
    return aig_or_many(&b->circuit->aig, signals, count);
}

/* Sorts and simplifies a product in place; false if it can never hold. Two moves of one role
 * exclude each other, and one of them makes the negations of the others redundant. */
static bool simplify_product(Builder *b, Product *p) {
    if (p->count == 0)
        return true;
    Signal *s = b->literals.items + p->first;
    u32_sort(s, p->count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        if (s[i] == SIGNAL_FALSE || (kept && s[kept - 1] == signal_not(s[i])))
            return false;
        if (s[i] != SIGNAL_TRUE && (kept == 0 || s[kept - 1] != s[i]))
            s[kept++] = s[i];
    }
    p->count = kept;
    if (!b->options->factors)
        return true;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t move = move_of_signal(b, s[i]);
        if (move == UINT32_MAX || signal_is_complemented(s[i]))
            continue;
        kept = 0;
        for (uint32_t j = 0; j < p->count; j++) {
            uint32_t other = move_of_signal(b, s[j]);
            bool same_role = j != i && other != UINT32_MAX && other != move &&
                             role_of_move(b, other) == role_of_move(b, move);
            if (same_role && !signal_is_complemented(s[j]))
                return false;
            if (!same_role)
                s[kept++] = s[j];
        }
        p->count = kept;
        break;
    }
    return true;
}

typedef VECTOR(Product) Products;

static Signal sum_of_products(Builder *b, Products *products);

static void count_literals(Builder *b, const Products *products, int change) {
    for (size_t i = 0; i < products->count; i++)
        for (uint32_t j = 0; j < products->items[i].count; j++) {
            Signal s = b->literals.items[products->items[i].first + j];
            while (b->counts.count <= s)
                vector_push(&b->counts, 0);
            b->counts.items[s] += (uint32_t)change;
        }
}

/* The literal of a product that occurs most often in the sum. */
static Signal key_literal(const Builder *b, const Product *p) {
    Signal best = SIGNAL_NONE;
    for (uint32_t j = 0; j < p->count; j++) {
        Signal s = b->literals.items[p->first + j];
        if (best == SIGNAL_NONE || b->counts.items[s] > b->counts.items[best])
            best = s;
    }
    return best;
}

typedef struct {
    Signal key;
    Product product;
} KeyedProduct;

static int compare_keys(const void *a, const void *b) {
    const KeyedProduct *x = a, *y = b;
    if (x->key != y->key)
        return (x->key > y->key) - (x->key < y->key);
    return (x->product.first > y->product.first) - (x->product.first < y->product.first);
}

static void drop_literal(Builder *b, Product *p, Signal literal) {
    Signal *s = b->literals.items + p->first;
    uint32_t kept = 0;
    for (uint32_t j = 0; j < p->count; j++)
        if (s[j] != literal)
            s[kept++] = s[j];
    p->count = kept;
}

/* Factors the products that share a key literal: key & (sum of the remainders). */
static Signal factored_group(Builder *b, const KeyedProduct *group, size_t count) {
    if (count == 1)
        return and_of(b, b->literals.items + group[0].product.first, group[0].product.count);
    Products rest = {0};
    for (size_t i = 0; i < count; i++) {
        Product p = group[i].product;
        drop_literal(b, &p, group[0].key);
        vector_push(&rest, p);
    }
    Signal sum = sum_of_products(b, &rest);
    vector_free(&rest);
    return aig_and(&b->circuit->aig, group[0].key, sum);
}

static Signal sum_of_products(Builder *b, Products *products) {
    U32Vector terms = {0};
    VECTOR(KeyedProduct) keyed = {0};
    bool holds = false;
    count_literals(b, products, 1);
    for (size_t i = 0; i < products->count; i++) {
        const Product *p = &products->items[i];
        holds |= p->count == 0;
        if (p->count == 1) {
            vector_push(&terms, b->literals.items[p->first]);
        } else if (p->count > 1) {
            KeyedProduct k = {key_literal(b, p), *p};
            vector_push(&keyed, k);
        }
    }
    count_literals(b, products, -1);
    if (b->options->factors && !holds && keyed.count) {
        qsort(keyed.items, keyed.count, sizeof *keyed.items, compare_keys);
        for (size_t i = 0, end; i < keyed.count; i = end) {
            for (end = i; end < keyed.count && keyed.items[end].key == keyed.items[i].key;)
                end++;
            vector_push(&terms, factored_group(b, keyed.items + i, end - i));
        }
    } else if (!holds) {
        for (size_t i = 0; i < keyed.count; i++) {
            const Product *p = &keyed.items[i].product;
            vector_push(&terms, and_of(b, b->literals.items + p->first, p->count));
        }
    }
    Signal sum = holds ? SIGNAL_TRUE : or_of(b, terms.items, terms.count);
    vectors_free(&terms, &keyed);
    return sum;
}

static Signal literal_signal(const Builder *b, GroundLiteral literal) {
    Signal s = b->atoms[literal >> 1];
    assert(s != SIGNAL_NONE);
    return s ^ (literal & 1);
}

static Signal atom_function(Builder *b, Atom atom) {
    Products products = {0};
    vector_clear(&b->literals);
    for (uint32_t r = b->rule_starts[atom]; r < b->rule_starts[atom + 1]; r++) {
        const GroundRule *rule = &b->g->rules.items[b->rule_order[r]];
        Product p = {(uint32_t)b->literals.count, rule->literal_count};
        for (uint32_t i = 0; i < rule->literal_count; i++)
            vector_push(&b->literals,
                        literal_signal(b, b->g->literals.items[rule->first_literal + i]));
        if (simplify_product(b, &p))
            vector_push(&products, p);
    }
    Signal s = sum_of_products(b, &products);
    vector_free(&products);
    return s;
}

static bool is_input_atom(const Builder *b, Atom atom) {
    RelationId relation = b->g->atom_relations.items[atom];
    Symbol keyword = b->g->program->relations.items[relation].keyword;
    return keyword == KEYWORD_TRUE || keyword == KEYWORD_DOES;
}

static uint32_t *find_atom_components(const Builder *b, uint32_t *count) {
    uint32_t atoms = (uint32_t)b->g->atom_relations.count;
    uint32_t *first = memory_alloc((atoms + 1) * sizeof *first);
    U32Vector targets = {0};
    for (Atom a = 0; a < atoms; a++) {
        first[a] = (uint32_t)targets.count;
        for (uint32_t r = b->rule_starts[a]; r < b->rule_starts[a + 1]; r++) {
            const GroundRule *rule = &b->g->rules.items[b->rule_order[r]];
            for (uint32_t i = 0; i < rule->literal_count; i++)
                vector_push(&targets, b->g->literals.items[rule->first_literal + i] >> 1);
        }
    }
    first[atoms] = (uint32_t)targets.count;
    uint32_t *component = memory_alloc((atoms + 1) * sizeof *component);
    *count = components_find(atoms, first, targets.items, component);
    free(first);
    vector_free(&targets);
    return component;
}

/* True if a rule of the atom mentions an atom of its own component. Sets *negated if that is under
 * a negation. */
static bool depends_on_own_component(const Builder *b, Atom atom, const uint32_t *component,
                                     bool *negated) {
    bool recursive = false;
    for (uint32_t r = b->rule_starts[atom]; r < b->rule_starts[atom + 1]; r++) {
        const GroundRule *rule = &b->g->rules.items[b->rule_order[r]];
        for (uint32_t i = 0; i < rule->literal_count; i++) {
            GroundLiteral literal = b->g->literals.items[rule->first_literal + i];
            if (component[literal >> 1] == component[atom]) {
                recursive = true;
                *negated |= literal & 1;
            }
        }
    }
    return recursive;
}

static bool build_component(Builder *b, const Atom *members, size_t count,
                            const uint32_t *component, Report *report) {
    assert(count > 0);
    bool negated = false, recursive = false;
    for (size_t i = 0; i < count; i++)
        recursive |= depends_on_own_component(b, members[i], component, &negated);
    if (!recursive) {
        if (b->atoms[members[0]] == SIGNAL_NONE)
            b->atoms[members[0]] = atom_function(b, members[0]);
        return true;
    }
    if (negated) {
        Text name = {0};
        ground_write_atom(b->g, members[0], &name);
        report_error(report, "unstratified", "%s depends on its own negation", text_string(&name));
        vector_free(&name);
        return false;
    }
    Aig *aig = &b->circuit->aig;
    AigLoop loop = {.first_node = (uint32_t)aig->nodes.count};
    for (size_t i = 0; i < count; i++) {
        b->atoms[members[i]] = aig_input(aig);
        vector_push(&loop.variables, signal_node(b->atoms[members[i]]));
    }
    for (size_t i = 0; i < count; i++)
        vector_push(&loop.updates, atom_function(b, members[i]));
    loop.end_node = (uint32_t)aig->nodes.count;
    vector_push(&aig->loops, loop);
    return true;
}

static bool within_budget(Builder *b, Report *report) {
    enum { COMPONENTS_BETWEEN_CHECKS = 1024 }; /* between checks of the budget (untuned) */
    const CircuitOptions *o = b->options;
    bool large = o->max_gates && b->circuit->aig.and_count > o->max_gates;
    if (!large && ++b->components % COMPONENTS_BETWEEN_CHECKS)
        return true;
    bool late = (o->seconds > 0 && clock_thread_cpu_seconds() - b->started > o->seconds) ||
                work_must_end(o->until, NULL);
    bool stopped = work_must_end(deadline_never(), o->stopped);
    if (!late && !large && !stopped)
        return true;
    report_error(report, "budget", "building the circuit stopped: %s",
                 large                      ? "too many gates"
                 : interrupt_lacks_memory() ? "out of memory"
                 : stopped                  ? "cancelled"
                                            : "out of time");
    return false;
}

static bool build_atoms(Builder *b, Report *report) {
    uint32_t atoms = (uint32_t)b->g->atom_relations.count, count;
    uint32_t *component = find_atom_components(b, &count);
    uint32_t *starts = memory_zalloc((count + 2) * sizeof *starts);
    Atom *order = memory_alloc((atoms + 1) * sizeof *order);
    for (Atom a = 0; a < atoms; a++)
        starts[component[a] + 2]++;
    for (uint32_t k = 0; k < count; k++)
        starts[k + 2] += starts[k + 1];
    for (Atom a = 0; a < atoms; a++)
        order[starts[component[a] + 1]++] = a;
    bool ok = true;
    for (uint32_t k = 0; k < count && ok; k++)
        ok = within_budget(b, report) &&
             build_component(b, order + starts[k], starts[k + 1] - starts[k], component, report);
    memory_free(component, starts, order);
    return ok;
}

static void make_inputs(Builder *b) {
    Circuit *c = b->circuit;
    const Grounding *g = b->g;
    size_t atoms = g->atom_relations.count;
    b->atoms = memory_alloc((atoms + 1) * sizeof *b->atoms);
    for (size_t a = 0; a < atoms; a++)
        b->atoms[a] = is_input_atom(b, (Atom)a) ? SIGNAL_FALSE : SIGNAL_NONE;
    for (size_t i = 0; i < g->fluents.count; i++) {
        c->fluents[i] = aig_input(&c->aig);
        c->initial[i] = g->fluents.items[i].initial;
        b->atoms[g->fluents.items[i].current] = c->fluents[i];
    }
    b->move_nodes_end = (uint32_t)(c->aig.nodes.count + g->moves.count);
    b->move_of_node = u32_none(b->move_nodes_end);
    for (uint32_t i = 0; i < g->moves.count; i++) {
        c->moves[i] = aig_input(&c->aig);
        b->atoms[g->moves.items[i].does] = c->moves[i];
        b->move_of_node[signal_node(c->moves[i])] = i;
    }
}

static Signal output_signal(const Builder *b, Atom atom) {
    assert(atom == ATOM_NONE || b->atoms[atom] != SIGNAL_NONE);
    return atom == ATOM_NONE ? SIGNAL_FALSE : b->atoms[atom];
}

static void add_role_outputs(const Builder *b, const RoleOutputs *from, CircuitOutputs *to) {
    for (size_t i = 0; i < from->count; i++) {
        const RoleOutput *o = &from->items[i];
        CircuitOutput output = {o->role, o->term, output_signal(b, o->atom)};
        vector_push(to, output);
    }
}

static void set_outputs(Builder *b) {
    Circuit *c = b->circuit;
    const Grounding *g = b->g;
    for (size_t i = 0; i < g->fluents.count; i++)
        c->next[i] = output_signal(b, g->fluents.items[i].next);
    for (size_t i = 0; i < g->moves.count; i++)
        c->legal[i] = output_signal(b, g->moves.items[i].legal);
    c->terminal = output_signal(b, g->terminal);
    add_role_outputs(b, &g->goals, &c->goals);
    add_role_outputs(b, &g->percepts, &c->percepts);
}

static Circuit *circuit_new(const Grounding *g) {
    Circuit *c = memory_zalloc(sizeof *c);
    aig_init(&c->aig);
    c->fluent_count = (uint32_t)g->fluents.count;
    c->move_count = (uint32_t)g->moves.count;
    c->role_count = (uint32_t)g->roles.count;
    c->fluents = memory_zalloc((c->fluent_count + 1) * sizeof *c->fluents);
    c->next = memory_zalloc((c->fluent_count + 1) * sizeof *c->next);
    c->initial = memory_zalloc((c->fluent_count + 1) * sizeof *c->initial);
    c->moves = memory_zalloc((c->move_count + 1) * sizeof *c->moves);
    c->legal = memory_zalloc((c->move_count + 1) * sizeof *c->legal);
    c->first_move = memory_zalloc((c->role_count + 2) * sizeof *c->first_move);
    for (size_t i = 0; i < g->moves.count; i++)
        c->first_move[g->moves.items[i].role + 1] = (uint32_t)i + 1;
    for (uint32_t r = 1; r <= c->role_count; r++)
        if (c->first_move[r] < c->first_move[r - 1])
            c->first_move[r] = c->first_move[r - 1];
    return c;
}

Circuit *circuit_build(const Grounding *grounding, const CircuitOptions *options, Report *report) {
    assert(grounding && options && report);
    double started = clock_thread_cpu_seconds();
    Circuit *circuit = circuit_new(grounding);
    Builder b = {.circuit = circuit, .g = grounding, .options = options, .started = started};
    grounding_sort_rules(grounding, &b.rule_starts, &b.rule_order);
    make_inputs(&b);
    if (options->factors)
        b.move_sets = movesets_create(circuit);
    bool ok = build_atoms(&b, report);
    if (ok)
        set_outputs(&b);
    memory_free(b.atoms, b.rule_starts, b.rule_order, b.move_of_node);
    if (b.move_sets)
        movesets_free(b.move_sets);
    vectors_free(&b.literals, &b.counts);
    if (!ok) {
        circuit_free(circuit);
        return NULL;
    }
    circuit_sweep(circuit, options->finds_constants);
    circuit->cpu_seconds = clock_thread_cpu_seconds() - started;
    return circuit;
}

static void mark_dependents(const Aig *aig, uint8_t *depends, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++)
        if (aig_is_and(aig, i))
            depends[i] |= depends[signal_node(aig->nodes.items[i].a)] |
                          depends[signal_node(aig->nodes.items[i].b)];
}

uint8_t *circuit_nodes_that_depend_on_moves(const Circuit *c) {
    const Aig *aig = &c->aig;
    uint8_t *depends = memory_zalloc(aig->nodes.count);
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->move_count; i++)
        depends[signal_node(c->moves[i])] = 1;
    for (size_t l = 0; l < aig->loops.count; l++) {
        const AigLoop *loop = &aig->loops.items[l];
        mark_dependents(aig, depends, at, loop->end_node);
        uint8_t any = 0;
        for (size_t v = 0; v < loop->updates.count; v++)
            any |= depends[signal_node(loop->updates.items[v])];
        for (size_t v = 0; v < loop->variables.count; v++)
            depends[loop->variables.items[v]] = any;
        at = loop->first_node; /* the nodes of the loop again, now that its variables are known */
    }
    mark_dependents(aig, depends, at, (uint32_t)aig->nodes.count);
    return depends;
}

void circuit_goal_signals(const Circuit *c, U32Vector *outputs) {
    for (size_t i = 0; i < c->goals.count; i++)
        vector_push(outputs, c->goals.items[i].signal);
}

void circuit_outputs(const Circuit *c, U32Vector *outputs) {
    vector_append(outputs, c->next, c->fluent_count);
    vector_append(outputs, c->legal, c->move_count);
    vector_push(outputs, c->terminal);
    circuit_goal_signals(c, outputs);
    for (size_t i = 0; i < c->percepts.count; i++)
        vector_push(outputs, c->percepts.items[i].signal);
}

void circuit_free(Circuit *c) {
    if (!c)
        return;
    aig_free(&c->aig);
    vectors_free(&c->goals, &c->percepts);
    memory_free(c->first_move, c->fluents, c->moves, c->next, c->legal, c->initial, c);
}
