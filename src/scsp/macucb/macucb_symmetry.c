/* Symmetries of the rules, found once per game, and those of the paper, found node by node. */
#include "base/interrupt.h"
#include "scsp/macucb/macucb.h"
#include "scsp/network/template_symmetry.h"

enum {
    MAX_ELEMENTS = 64,   /* greatest number of elements of a group that are used (untuned) */
    MAX_IMAGES = 1 << 20 /* greatest number of stored images of states (untuned) */
};
/* A new attempt needs this many times the time of the failed one (untuned). */
static const double MUCH_MORE = 2;

/* Knowledge about the rules, stored for all matches of the game. */
typedef struct {
    Template *template;
    SymmetryGroup *group; /* NULL if there are no symmetries, or they were not found */
    bool with_symmetries; /* symmetries were looked for */
    bool is_complete;     /* all symmetries were found */
    double seconds;       /* CPU seconds of the attempt */
} MacUcbKnowledge;
static const char knowledge_owner;

static void knowledge_free(void *note) {
    MacUcbKnowledge *k = note;
    symmetry_group_free(k->group);
    template_free(k->template);
    free(k);
}

SymmetryGroup *macucb_group(const Template *template, size_t most, double seconds, uint64_t seed,
                            Symmetries **found) {
    *found =
        template_symmetries(template, &(TemplateSymmetryOptions){.seconds = seconds, .seed = seed});
    return *found ? symmetry_some_elements(*found, most) : NULL;
}

static void find_group(MacUcbKnowledge *k, uint64_t seed) {
    Symmetries *found;
    k->group = macucb_group(k->template, MAX_ELEMENTS, k->seconds / 2, seed, &found);
    k->is_complete = found && found->is_complete;
    symmetry_free(found);
    if (k->group && k->group->items.count == 1) {
        symmetry_group_free(k->group);
        k->group = NULL;
    }
}

static const MacUcbKnowledge *find_out(MacUcb *m, bool with_symmetries, double seconds) {
    Report ignored = {0};
    MacUcbKnowledge *k = memory_zalloc(sizeof *k);
    k->seconds = seconds;
    k->with_symmetries = with_symmetries;
    k->template =
        template_create(m->search.game, &(TemplateOptions){.seconds = seconds / 2}, &ignored);
    report_free(&ignored);
    if (k->template && with_symmetries)
        find_group(k, m->options.seed);
    if (interrupt_thread_stopped())
        k->seconds = 0; /* another attempt may find more */
    game_keep_note(m->search.game, &knowledge_owner, k, knowledge_free);
    return k;
}

/* True if another attempt would find no more or has hardly more time than the last one. */
static bool is_enough(const MacUcbKnowledge *k, bool with_symmetries, double seconds) {
    if (!k || (with_symmetries && !k->with_symmetries && k->template))
        return false;
    bool is_all = k->template && (!with_symmetries || k->is_complete);
    return is_all || seconds <= k->seconds || seconds < MUCH_MORE * k->seconds;
}

void macucb_prepare(MacUcb *m, double seconds) {
    bool with_symmetries = m->with_symmetries && !m->own.uses_nogood_symmetries;
    m->is_prepared = true;
    if (!game_has_circuit(m->search.game) || m->roles > 64)
        return;
    const MacUcbKnowledge *k = game_note(m->search.game, &knowledge_owner);
    if (!is_enough(k, with_symmetries, seconds))
        k = find_out(m, with_symmetries, seconds);
    m->template = k->template;
    m->micro = k->template ? micro_create(k->template) : NULL;
    m->group = with_symmetries ? k->group : NULL;
}

/* Stores the image of the node's state under a symmetry, unless it is stored already. */
static void note_image(MacUcb *m, uint32_t node, const GamePermutation *p) {
    const State *state = &m->nodes.items[node].worlds[0].state;
    uint32_t id;
    symmetry_apply(p, m->template->fluent_count, state, &m->image);
    uint64_t hash = state_hash(&m->image);
    if (state_equal(state, &m->image) || m->base_nodes.count >= MAX_IMAGES)
        return;
    for (TableProbe probe = table_probe(&m->base, hash); table_next(&m->base, &probe, &id);)
        if (state_equal(&m->base_states.items[id], &m->image))
            return;
    State copy = {0};
    state_copy(&copy, &m->image);
    table_insert(&m->base, hash, (uint32_t)m->base_nodes.count);
    vector_push(&m->base_states, copy);
    vector_push(&m->base_nodes, node);
}

static void analyse(MacUcb *m, uint32_t node, double seconds) {
    const MacUcbNode *n = &m->nodes.items[node];
    uint16_t *values = memory_alloc((m->template->groups.count + 1) * sizeof *values);
    VECTOR(TemplateNogood) nogoods = {0};
    template_read_state(m->template, &n->worlds[0].state, values);
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        if (m->edges.items[e].is_predicted || m->edges.items[e].is_proved)
            vector_push(&nogoods,
                        ((TemplateNogood){values, m->edge_joints.items + (size_t)e * m->roles}));
    }
    TemplateSymmetryOptions options = {.seconds = seconds,
                                       .is_untied = true,
                                       .nogoods = nogoods.items,
                                       .nogood_count = nogoods.count};
    Symmetries *found = template_symmetries(m->template, &options);
    SymmetryGroup *group = found ? symmetry_some_elements(found, MAX_ELEMENTS) : NULL;
    for (size_t i = 1; group && i < group->items.count; i++)
        note_image(m, node, &group->items.items[i]);
    symmetry_group_free(group);
    symmetry_free(found);
    vector_free(&nogoods);
    free(values);
    m->statistics.analysed++;
}

bool macucb_analyse(MacUcb *m, double seconds) {
    if (!m->template || !m->own.uses_nogood_symmetries)
        return false;
    for (uint32_t i = 0; i < m->nodes.count; i++) {
        MacUcbNode *n = &m->nodes.items[i];
        if (n->was_analysed || n->status != MAC_EVALUATED || n->world_count != 1)
            continue;
        n->was_analysed = true;
        analyse(m, i, seconds);
        return true;
    }
    return false;
}
