/* Finds symmetries: the ground rules in canonical form become a graph, which nauty examines. */
#include "analysis/symmetry/symmetry.h"

#include <math.h>

#include "analysis/symmetry/automorphisms.h"
#include "analysis/symmetry/symmetry_graph.h"
#include "base/disjoint_sets.h"

enum {
    DEFAULT_SECONDS = 10, /* CPU seconds if the caller gives none (untuned) */
    MAX_SIZE = 20000000   /* graphs with more vertices and edges are not searched (untuned) */
};

/* Adds the exponents of the prime factors of all numbers; subtracts them if the sign is -1. */
static void count_primes(const U32Vector *numbers, U32Vector *exponents, int sign) {
    for (size_t i = 0; i < numbers->count; i++) {
        uint32_t rest = numbers->items[i];
        for (uint32_t prime = 2; rest > 1; prime = prime * prime > rest ? rest : prime + 1)
            for (; rest % prime == 0; rest /= prime) {
                while (exponents->count <= prime)
                    vector_push(exponents, 0);
                exponents->items[prime] += (uint32_t)sign;
            }
    }
}

/* Returns the product of the primes with these exponents as a decimal number. */
static char *product_of(const U32Vector *exponents, double *log10_product) {
    enum { BASE = 1000000000 };
    U32Vector digits = {0}; /* decimal digits, least significant first */
    vector_push(&digits, 1);
    *log10_product = 0;
    for (uint32_t prime = 2; prime < exponents->count; prime++)
        for (uint32_t i = 0; i < exponents->items[prime]; i++) {
            uint64_t carry = 0;
            *log10_product += log10(prime);
            for (size_t d = 0; d < digits.count; d++) {
                carry += (uint64_t)digits.items[d] * prime;
                digits.items[d] = (uint32_t)(carry % BASE);
                carry /= BASE;
            }
            for (; carry; carry /= BASE)
                vector_push(&digits, (uint32_t)(carry % BASE));
        }
    Text text = {0};
    text_printf(&text, "%u", vector_last(&digits));
    for (size_t d = digits.count - 1; d-- > 0;)
        text_printf(&text, "%09u", digits.items[d]);
    vector_free(&digits);
    return text.items;
}

/* Translates images of vertices into images of fluents, moves or roles. */
static uint32_t *images_of(const uint32_t *vertices, uint32_t count, const uint32_t *automorphism,
                           const uint32_t *thing_of_vertex) {
    uint32_t *images = memory_alloc((count + 1) * sizeof *images);
    for (uint32_t i = 0; i < count; i++)
        images[i] = vertices[i] == VERTEX_NONE ? i : thing_of_vertex[automorphism[vertices[i]]];
    return images;
}

static bool is_identity(const uint32_t *images, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (images[i] != i)
            return false;
    return true;
}

static void number_elements(const uint32_t *vertices, uint32_t count, uint32_t *thing_of_vertex) {
    for (uint32_t i = 0; i < count; i++)
        if (vertices[i] != VERTEX_NONE)
            thing_of_vertex[vertices[i]] = i;
}

/* Adds the automorphisms as generators. Returns how many move neither fluents nor moves. */
static size_t add_generators(Symmetries *s, const SymmetryGraph *graph,
                             const Automorphisms *found) {
    uint32_t *thing = memory_zalloc((graph->colours.count + 1) * sizeof *thing);
    size_t trivial = 0;
    number_elements(graph->fluents, s->fluent_count, thing);
    number_elements(graph->moves, s->move_count, thing);
    number_elements(graph->roles, s->role_count, thing);
    for (size_t i = 0; i < found->generators.count; i++) {
        const uint32_t *automorphism = found->generators.items[i];
        GamePermutation p = {images_of(graph->fluents, s->fluent_count, automorphism, thing),
                             images_of(graph->moves, s->move_count, automorphism, thing),
                             images_of(graph->roles, s->role_count, automorphism, thing)};
        if (is_identity(p.fluents, s->fluent_count) && is_identity(p.moves, s->move_count)) {
            permutation_free(&p);
            trivial++;
        } else {
            vector_push(&s->generators, p);
        }
    }
    free(thing);
    return trivial;
}

static uint32_t *orbits_of(const Symmetries *s, bool moves) {
    uint32_t count = moves ? s->move_count : s->fluent_count;
    uint32_t *orbits = memory_alloc((count + 1) * sizeof *orbits);
    sets_init(orbits, count);
    for (size_t g = 0; g < s->generators.count; g++) {
        const GamePermutation *p = &s->generators.items[g];
        for (uint32_t i = 0; i < count; i++)
            sets_join(orbits, i, (moves ? p->moves : p->fluents)[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        orbits[i] = sets_find(orbits, i);
    return orbits;
}

static void drop_refuted(Symmetries *s, Game *game, uint64_t seed, CpuBudget budget) {
    size_t kept = 0;
    for (size_t i = 0; i < s->generators.count; i++) {
        GamePermutation *p = &s->generators.items[i];
        if (symmetry_holds_in_play(game, p, seed + i, cpu_budget_share(budget, 0.5))) {
            s->generators.items[kept++] = *p;
        } else {
            s->refuted++;
            permutation_free(p);
        }
    }
    s->generators.count = kept;
    s->is_complete &= s->refuted == 0;
}

static SymmetryGraph *make_graph(Game *game, const Grounding *grounding, bool swap_roles,
                                 CpuBudget budget) {
    Ternary *constants = ternary_reachable(game->circuit);
    CanonicalRules *rules = canonical_rules_create(grounding, constants, budget);
    SymmetryGraph *graph = NULL;
    if (rules)
        graph = symmetry_graph_create(rules, constants, game->chance_role, swap_roles);
    canonical_rules_free(rules);
    free(constants);
    return graph;
}

/* Finds the automorphisms that keep all fluents and moves and only exchange auxiliary atoms. */
static void find_kernel(const Symmetries *s, const SymmetryGraph *graph, Automorphisms *kernel,
                        CpuBudget budget) {
    U32Vector colours = {0};
    u32_append(&colours, &graph->colours);
    uint32_t own = UINT32_MAX;
    for (uint32_t f = 0; f < s->fluent_count; f++)
        if (graph->fluents[f] != VERTEX_NONE)
            colours.items[graph->fluents[f]] = own--;
    for (uint32_t m = 0; m < s->move_count; m++)
        if (graph->moves[m] != VERTEX_NONE)
            colours.items[graph->moves[m]] = own--;
    automorphisms_find(kernel, &colours, &graph->edges, budget);
    vector_free(&colours);
}

/* Searches for generators and the order of the group on fluents and moves: the order of the group
 * of all automorphisms divided by that of the kernel. */
static void search(Symmetries *s, const SymmetryGraph *graph, CpuBudget budget) {
    Automorphisms found = {0}, kernel = {.is_complete = true};
    s->vertices = (uint32_t)graph->colours.count;
    s->edges = graph->edges.count;
    if (s->vertices + s->edges <= MAX_SIZE)
        automorphisms_find(&found, &graph->colours, &graph->edges, budget);
    if (add_generators(s, graph, &found))
        find_kernel(s, graph, &kernel, budget);
    s->is_complete = found.is_complete;
    if (found.is_complete && kernel.is_complete) {
        U32Vector exponents = {0};
        count_primes(&found.indices, &exponents, 1);
        count_primes(&kernel.indices, &exponents, -1);
        s->order = product_of(&exponents, &s->log10_order);
        vector_free(&exponents);
    }
    automorphisms_free(&found);
    automorphisms_free(&kernel);
}

Symmetries *symmetry_find(Game *game, const SymmetryOptions *options) {
    if (!game_has_circuit(game))
        return NULL;
    double started = clock_thread_cpu_seconds();
    double seconds = options->seconds > 0 ? options->seconds : DEFAULT_SECONDS;
    CpuBudget budget = cpu_budget_in(seconds);
    const Grounding *grounding = game_ground_rules(game, (GroundBudget){.seconds = seconds / 2});
    SymmetryGraph *graph = NULL;
    if (grounding)
        graph = make_graph(game, grounding, options->swap_roles, cpu_budget_share(budget, 0.5));
    if (!graph)
        return NULL;
    SymmetryOptions rest = *options;
    rest.seconds = seconds - (clock_thread_cpu_seconds() - started);
    Symmetries *s = symmetry_of_graph(game, graph, &rest);
    symmetry_graph_free(graph);
    s->cpu_seconds = clock_thread_cpu_seconds() - started;
    return s;
}

Symmetries *symmetry_of_graph(Game *game, const SymmetryGraph *graph,
                              const SymmetryOptions *options) {
    double started = clock_thread_cpu_seconds();
    CpuBudget budget = cpu_budget_in(options->seconds > 0 ? options->seconds : 0.01);
    Symmetries *s = memory_zalloc(sizeof *s);
    s->fluent_count = game->circuit->fluent_count;
    s->move_count = game->circuit->move_count;
    s->role_count = game->role_count;
    search(s, graph, cpu_budget_share(budget, 0.7));
    if (!options->unverified)
        drop_refuted(s, game, options->seed, budget);
    s->fluent_orbits = orbits_of(s, false);
    s->move_orbits = orbits_of(s, true);
    s->cpu_seconds = clock_thread_cpu_seconds() - started;
    return s;
}

void symmetry_free(Symmetries *s) {
    if (!s)
        return;
    for (size_t i = 0; i < s->generators.count; i++)
        permutation_free(&s->generators.items[i]);
    vector_free(&s->generators);
    memory_free(s->order, s->fluent_orbits, s->move_orbits, s);
}

void symmetry_find_both(Game *game, const SymmetryOptions *options, Symmetries **fixed,
                        Symmetries **swapping) {
    SymmetryOptions half = *options;
    half.seconds /= 2;
    *fixed = symmetry_find(game, &half);
    half.swap_roles = true;
    *swapping = *fixed && game_count_players(game) > 1 ? symmetry_find(game, &half) : NULL;
}
