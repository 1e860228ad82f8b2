/* Calls nauty. Its hooks have no context argument; they use a thread-local variable instead. */
#include "analysis/symmetry/automorphisms.h"

#include <assert.h>
#include <nausparse.h>
#include <setjmp.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/table.h"

enum {
    LARGE = 1000,     /* in graphs with more vertices every hook looks at the clock (untuned) */
    STRIDE = 16,      /* hooks between two looks at the clock in smaller graphs (untuned) */
    NAUTY_BYTES = 256 /* more than nauty takes for a vertex */
};

typedef struct {
    Automorphisms *found;
    CpuBudget budget;
    uint32_t hooks;  /* number of calls of hooks so far */
    uint32_t stride; /* calls between two looks at the clock */
    jmp_buf give_up;
} Search;

static _Thread_local Search *search_under_way;

static void look_at_clock(void) {
    Search *s = search_under_way;
    if (++s->hooks % s->stride == 0 && cpu_budget_spent(s->budget))
        longjmp(s->give_up, 1);
}

static void on_automorphism(int count, int *images, int *orbits, int orbit_count, int stabiliser,
                            int vertices) {
    (void)count, (void)orbits, (void)orbit_count, (void)stabiliser;
    uint32_t *copy = memory_alloc((size_t)vertices * sizeof *copy);
    for (int v = 0; v < vertices; v++)
        copy[v] = (uint32_t)images[v];
    vector_push(&search_under_way->found->generators, copy);
    look_at_clock();
}

static void on_level(int *lab, int *ptn, int level, int *orbits, statsblk *stats, int vertex,
                     int index, int cell_size, int cells, int children, int vertices) {
    (void)lab, (void)ptn, (void)level, (void)orbits, (void)stats, (void)vertex, (void)cell_size;
    (void)cells, (void)children, (void)vertices;
    if (index > 1)
        vector_push(&search_under_way->found->indices, (uint32_t)index);
}

static void on_node(graph *g, int *lab, int *ptn, int level, int cells, int target, int code, int m,
                    int vertices) {
    (void)g, (void)lab, (void)ptn, (void)level, (void)cells, (void)target, (void)code, (void)m;
    (void)vertices;
    look_at_clock();
}

/* Fills in nauty's graph: e[v[i]] ... e[v[i] + d[i] - 1] are the neighbours of i, each once. */
static void fill_graph(sparsegraph *sg, uint32_t vertices, const Edges *edges) {
    size_t count = 0;
    uint64_t *pairs = memory_alloc((2 * edges->count + 1) * sizeof *pairs);
    for (size_t i = 0; i < edges->count; i++) {
        uint64_t a = edges->items[i].from, b = edges->items[i].to;
        assert(a < vertices && b < vertices);
        pairs[count++] = a << 32 | b;
        pairs[count++] = b << 32 | a;
    }
    qsort(pairs, count, sizeof *pairs, u64_compare);
    sg->nv = (int)vertices;
    sg->vlen = sg->dlen = vertices;
    sg->v = memory_zalloc((vertices + 1) * sizeof *sg->v);
    sg->d = memory_zalloc((vertices + 1) * sizeof *sg->d);
    sg->e = memory_alloc((count + 1) * sizeof *sg->e);
    for (size_t i = 0; i < count; i++) {
        if (i && pairs[i] == pairs[i - 1])
            continue;
        uint32_t from = (uint32_t)(pairs[i] >> 32);
        if (!sg->d[from]++)
            sg->v[from] = sg->nde;
        sg->e[sg->nde++] = (int)(uint32_t)pairs[i];
    }
    sg->elen = sg->nde;
    free(pairs);
}

/* Combines the colour of each vertex with a hash of its neighbours' colours in any order. */
static void look_at_neighbours(const sparsegraph *sg, const uint64_t *colours, uint64_t *finer) {
    for (int v = 0; v < sg->nv; v++) {
        uint64_t sum = hash_mix(colours[v], 1);
        for (int i = 0; i < sg->d[v]; i++)
            sum += hash_finish(colours[sg->e[sg->v[v] + (size_t)i]]);
        finer[v] = hash_finish(sum);
    }
}

/* Colour refinement: distinguishes vertices by their colours, by the colours of their neighbours
 * and so on, until no more are distinguished. nauty does this too, but without looking at a clock;
 * a large graph takes seconds. Replaces the colours by finer ones. False if it ran out of time. */
static bool refine_colours(const sparsegraph *sg, U32Vector *colours, size_t *distinct,
                           CpuBudget budget) {
    size_t count = colours->count, before = 0;
    uint64_t *keys = memory_alloc(count * sizeof *keys), *next = memory_alloc(count * sizeof *next);
    uint64_t *sorted = memory_alloc(count * sizeof *sorted);
    for (size_t v = 0; v < count; v++)
        keys[v] = hash_finish(colours->items[v]);
    memcpy(sorted, keys, count * sizeof *sorted);
    *distinct = u64_count_distinct(sorted, count);
    while (*distinct > before && *distinct < count && !cpu_budget_spent(budget)) {
        look_at_neighbours(sg, keys, next);
        memcpy(keys, next, count * sizeof *keys);
        memcpy(sorted, next, count * sizeof *sorted);
        before = *distinct;
        *distinct = u64_count_distinct(sorted, count);
    }
    for (size_t v = 0; v < count; v++) {
        const uint64_t *place = bsearch(&keys[v], sorted, count, sizeof *sorted, u64_compare);
        colours->items[v] = (uint32_t)(place - sorted);
    }
    memory_free(keys, next, sorted);
    return *distinct == count || *distinct == before;
}

/* Fills in nauty's partition: vertices by colour; ptn is 0 at the last vertex of a colour. */
static void fill_partition(const U32Vector *colours, int *lab, int *ptn) {
    size_t count = colours->count;
    uint64_t *keys = memory_alloc((count + 1) * sizeof *keys);
    for (size_t i = 0; i < count; i++)
        keys[i] = (uint64_t)colours->items[i] << 32 | i;
    qsort(keys, count, sizeof *keys, u64_compare);
    for (size_t i = 0; i < count; i++) {
        lab[i] = (int)(uint32_t)keys[i];
        ptn[i] = i + 1 < count && keys[i] >> 32 == keys[i + 1] >> 32;
    }
    free(keys);
}

/* nauty ends the program when memory is refused, so what it will need is taken and freed before. */
static bool has_memory(size_t vertices) {
    free(memory_alloc(vertices * NAUTY_BYTES));
    return !interrupt_lacks_memory();
}

/* Runs nauty. True if it finished. No local variable is used after the jump. */
static bool run_nauty(Search *search, sparsegraph *sg, int *lab, int *ptn, int *orbits) {
    static DEFAULTOPTIONS_SPARSEGRAPH(defaults);
    optionblk options = defaults;
    statsblk stats;
    options.defaultptn = FALSE;
    options.userautomproc = on_automorphism;
    options.userlevelproc = on_level;
    options.usernodeproc = on_node;
    if (setjmp(search->give_up))
        return false;
    sparsenauty(sg, lab, ptn, orbits, &options, &stats, NULL);
    return stats.errstatus == 0;
}

void automorphisms_find(Automorphisms *found, const U32Vector *colours, const Edges *edges,
                        CpuBudget budget) {
    *found = (Automorphisms){0};
    if (!colours->count) {
        found->is_complete = true;
        return;
    }
    Search search = {
        .found = found, .budget = budget, .stride = colours->count < LARGE ? STRIDE : 1};
    sparsegraph sg = {0};
    int *lab = memory_alloc(3 * colours->count * sizeof *lab);
    int *ptn = lab + colours->count, *orbits = ptn + colours->count;
    fill_graph(&sg, (uint32_t)colours->count, edges);
    U32Vector refined = {0};
    size_t distinct;
    u32_append(&refined, colours);
    if (refine_colours(&sg, &refined, &distinct, budget)) {
        fill_partition(&refined, lab, ptn);
        search_under_way = &search;
        found->is_complete =
            distinct == colours->count ||
            (has_memory(colours->count) && run_nauty(&search, &sg, lab, ptn, orbits));
        search_under_way = NULL;
        nauty_freedyn();
        nautil_freedyn();
        nausparse_freedyn();
    }
    vector_free(&refined);
    memory_free(sg.v, sg.d, sg.e, lab);
}

void automorphisms_free(Automorphisms *found) {
    for (size_t i = 0; i < found->generators.count; i++)
        free(found->generators.items[i]);
    vectors_free(&found->generators, &found->indices);
}
