/* Runs the search without symmetries and then counts the classes of symmetric nodes. */
#include "scsp/macucb/macucb_measure.h"

#include "scsp/macucb/macucb.h"

enum {
    MAX_ELEMENTS = 1001, /* greatest number of elements; a group may be larger (untuned) */
    MAX_COLUMNS = 64     /* greatest number of columns of a table */
};

/* Returns the number of rows missing in the tables of the template. */
static double count_forbidden(const Scsp *network) {
    double forbidden = 0;
    for (size_t i = 0; i < network->tables.count; i++) {
        const ScspTable *table = &network->tables.items[i];
        const uint32_t *scope = scsp_scope(network, table->first_scope);
        uint32_t sizes[MAX_COLUMNS];
        double all = 1;
        assert(table->rows->arity <= MAX_COLUMNS);
        for (uint32_t k = 0; k < table->rows->arity; k++)
            all *= sizes[k] = network->variables.items[scope[k]].size;
        forbidden += all - scsp_row_count(table->rows, sizes);
    }
    return forbidden;
}

static SymmetryGroup *measure_group(Game *game, double seconds, uint64_t seed,
                                    MacUcbMeasures *measures) {
    Report ignored = {0};
    Template *t = template_create(game, &(TemplateOptions){.seconds = seconds / 2}, &ignored);
    report_free(&ignored);
    if (!t)
        return NULL;
    Symmetries *found;
    SymmetryGroup *group = macucb_group(t, MAX_ELEMENTS, seconds / 2, seed, &found);
    measures->is_translated = true;
    measures->is_whole_group = group && group->items.count < MAX_ELEMENTS;
    measures->forbidden = count_forbidden(&t->network);
    measures->generators = found ? found->generators.count : 0;
    measures->log10_order = found ? found->log10_order : 0;
    symmetry_free(found);
    template_free(t);
    return group;
}

static bool is_solved(const MacUcbNode *n) {
    return n->status == MAC_SOLVED || n->status == MAC_EVALUATED;
}

static void count_nodes(MacUcb *m, MacUcbMeasures *measures) {
    VECTOR(uint64_t) hashes = {0};
    for (size_t i = 0; i < m->nodes.count; i++) {
        const MacUcbNode *n = &m->nodes.items[i];
        size_t element;
        if (!is_solved(n))
            continue;
        measures->solved++;
        vector_push(&hashes, macucb_class(m, n->worlds, n->world_count, &element));
        for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++)
            for (uint32_t o = 0; o < m->edges.items[e].outcome_count; o++) {
                uint32_t to = m->outcomes.items[m->edges.items[e].first_outcome + o].node;
                measures->arrivals += is_solved(&m->nodes.items[to]);
            }
    }
    measures->arrivals++;
    vector_sort(&hashes, u64_compare);
    for (size_t i = 0; i < hashes.count; i++)
        measures->classes += i == 0 || hashes.items[i] != hashes.items[i - 1];
    vector_free(&hashes);
}

bool macucb_measure(Game *game, uint64_t pulls, double seconds, uint64_t seed,
                    MacUcbMeasures *measures) {
    Report ignored = {0};
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    uint32_t role = 0;
    *measures = (MacUcbMeasures){0};
    while (role + 1 < game->role_count && game_is_chance(game, role))
        role++;
    Search *search =
        search_create(&mac_ucb_search, game, role, &(SearchOptions){.seed = seed}, &ignored);
    if (search) {
        MacUcb *m = (MacUcb *)search;
        game_initial(work, &state);
        search_set_state(search, &state);
        search_run(search, &(SearchBudget){.deadline = deadline_never(), .playouts = pulls});
        SymmetryGroup *group = measure_group(game, seconds, seed, measures);
        m->group = group;
        count_nodes(m, measures);
        m->group = NULL;
        symmetry_group_free(group);
        measures->proved = m->statistics.proved;
        measures->predicted = m->statistics.predicted;
    }
    search_free(search);
    state_free(&state);
    game_work_free(work);
    report_free(&ignored);
    return search != NULL;
}
