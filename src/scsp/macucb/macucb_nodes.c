/* The table of nodes by belief. The hash of a belief does not depend on the order of its states;
 * with symmetries the image with the least hash represents all images. */
#include <math.h>
#include <string.h>

#include "scsp/macucb/macucb.h"

static uint64_t hash_world(const State *state, double weight) {
    return hash_finish(hash_mix(state_hash(state), (uint64_t)llround(weight * (1 << 20))));
}

static uint64_t hash_image(MacUcb *m, const MacUcbWorld *worlds, uint32_t count, size_t element) {
    uint64_t sum = count;
    for (uint32_t i = 0; i < count; i++) {
        const State *state = &worlds[i].state;
        if (element) {
            symmetry_apply(&m->group->items.items[element], m->group->fluent_count, state,
                           &m->image);
            state = &m->image;
        }
        sum += hash_world(state, worlds[i].weight);
    }
    return hash_finish(sum);
}

/* Maps worlds to their images. The search owns the images; they are valid until the next call. */
static void map_worlds(MacUcb *m, MacUcbWorld *worlds, uint32_t count, size_t element) {
    while (m->images.count < count)
        vector_push(&m->images, (State){0});
    for (uint32_t i = 0; i < count; i++) {
        symmetry_apply(&m->group->items.items[element], m->group->fluent_count, &worlds[i].state,
                       &m->images.items[i]);
        worlds[i].state = m->images.items[i];
    }
}

static bool same_worlds(const MacUcbNode *node, const MacUcbWorld *worlds, uint32_t count) {
    if (node->world_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        bool found = false;
        for (uint32_t j = 0; j < count && !found; j++) {
            uint32_t k = i + j < count ? i + j : i + j - count;
            found = fabs(node->worlds[k].weight - worlds[i].weight) < 1e-6 &&
                    state_equal(&node->worlds[k].state, &worlds[i].state);
        }
        if (!found)
            return false;
    }
    return true;
}

/* Copies worlds and their states into one block of memory. */
static MacUcbWorld *copy_worlds(MacUcb *m, const MacUcbWorld *worlds, uint32_t count) {
    size_t words = 0;
    for (uint32_t i = 0; i < count; i++)
        words += worlds[i].state.word_count;
    size_t bytes = count * sizeof *worlds + words * sizeof(uint64_t);
    MacUcbWorld *copy = memory_alloc(bytes + 1);
    uint64_t *at = (uint64_t *)(copy + count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t some = worlds[i].state.word_count;
        copy[i] = (MacUcbWorld){{at, some}, worlds[i].weight};
        if (some)
            memcpy(at, worlds[i].state.words, some * sizeof *at);
        at += some;
    }
    m->bytes += bytes;
    return copy;
}

static uint32_t add_node(MacUcb *m, const MacUcbWorld *worlds, uint32_t count, uint64_t hash) {
    MacUcbNode node = {.worlds = copy_worlds(m, worlds, count),
                       .world_count = count,
                       .hash = hash,
                       .mover = MAC_UNKNOWN,
                       .parent = MAC_NONE};
    uint32_t number = (uint32_t)m->nodes.count;
    double *values = vector_extend(&m->node_values, (size_t)3 * m->roles);
    for (uint32_t i = 0; i < 3 * m->roles; i++)
        values[i] = i >= 2 * m->roles;
    vector_push(&m->nodes, node);
    table_insert(&m->table, hash, number);
    m->bytes += sizeof node + 3 * m->roles * sizeof *values + 16;
    return number;
}

/* Finds a node by an image under the symmetries of a single node. */
static uint32_t find_in_base(const MacUcb *m, const MacUcbWorld *worlds, uint32_t count) {
    uint32_t id;
    if (count != 1 || !m->base_nodes.count)
        return MAC_NONE;
    for (TableProbe p = table_probe(&m->base, state_hash(&worlds[0].state));
         table_next(&m->base, &p, &id);)
        if (state_equal(&m->base_states.items[id], &worlds[0].state))
            return m->base_nodes.items[id];
    return MAC_NONE;
}

/* Returns the least hash of all images; `hash` is that of the belief itself. */
static uint64_t least_image(MacUcb *m, const MacUcbWorld *worlds, uint32_t count, uint64_t hash,
                            size_t *element) {
    *element = 0;
    for (size_t i = 1; m->group && i < m->group->items.count; i++) {
        uint64_t other = hash_image(m, worlds, count, i);
        if (other < hash) {
            hash = other;
            *element = i;
        }
    }
    return hash;
}

uint64_t macucb_class(MacUcb *m, const MacUcbWorld *worlds, uint32_t count, size_t *element) {
    return least_image(m, worlds, count, hash_image(m, worlds, count, 0), element);
}

/* Images of beliefs below a root that no symmetry keeps are hardly ever beliefs below it. */
bool macucb_is_symmetric(MacUcb *m, const MacUcbWorld *worlds, uint32_t count) {
    uint64_t hash = hash_image(m, worlds, count, 0);
    for (size_t i = 1; m->group && i < m->group->items.count; i++)
        if (hash_image(m, worlds, count, i) == hash)
            return true;
    return false;
}

static uint32_t find_node(const MacUcb *m, const MacUcbWorld *worlds, uint32_t count,
                          uint64_t hash) {
    uint32_t id;
    if (m->own.is_tree)
        return MAC_NONE;
    for (TableProbe p = table_probe(&m->table, hash); table_next(&m->table, &p, &id);)
        if (same_worlds(&m->nodes.items[id], worlds, count))
            return id;
    return MAC_NONE;
}

/* Looks a belief up and adds it if it is new. It is stored under its own hash only if that is the
 * least of its images, or if images were not used when it was added. */
uint32_t macucb_node(MacUcb *m, MacUcbWorld *worlds, uint32_t count, size_t *element) {
    size_t best = 0;
    assert(count > 0);
    uint64_t hash = hash_image(m, worlds, count, 0);
    uint32_t found = find_node(m, worlds, count, hash);
    if (found == MAC_NONE && m->uses_images)
        hash = least_image(m, worlds, count, hash, &best);
    if (best) {
        map_worlds(m, worlds, count, best);
        found = find_node(m, worlds, count, hash);
    }
    if (element)
        *element = best;
    m->statistics.hits += best && found != MAC_NONE;
    if (found == MAC_NONE) {
        found = find_in_base(m, worlds, count);
        m->statistics.hits += found != MAC_NONE;
    }
    return found == MAC_NONE ? add_node(m, worlds, count, hash) : found;
}

void macucb_stop_waiting(MacUcb *m) {
    for (size_t i = 0; i < m->newest.count; i++)
        m->nodes.items[m->newest.items[i]].waits_for = 0;
    vector_clear(&m->newest);
    m->waiting = 0;
}

void macucb_clear_nodes(MacUcb *m) {
    macucb_stop_waiting(m);
    for (size_t i = 0; i < m->nodes.count; i++) {
        free(m->nodes.items[i].worlds);
        vector_free(&m->nodes.items[i].more_parents);
    }
    for (size_t i = 0; i < m->base_states.count; i++)
        state_free(&m->base_states.items[i]);
    vectors_free(&m->nodes, &m->edges, &m->outcomes, &m->arms, &m->edge_joints, &m->node_values,
                 &m->edge_values, &m->base_states, &m->base_nodes);
    table_clear(&m->table);
    table_clear(&m->base);
    m->bytes = 0;
}

void macucb_thin(MacUcb *m, MacUcbWorld *worlds, uint32_t *count, uint32_t most) {
    assert(most > 0);
    double total = 0, at, sum = 0;
    uint32_t kept = 0, drawn = 0;
    for (uint32_t i = 0; i < *count; i++)
        total += worlds[i].weight;
    at = random_double(&m->random) / most;
    for (uint32_t i = 0; i < *count; i++) {
        double share = worlds[i].weight / total;
        uint32_t times = 0;
        sum += share;
        for (; *count > most && drawn < most && at < sum; at += 1.0 / most, drawn++)
            times++;
        worlds[i].weight = *count > most ? (double)times / most : share;
        if (*count > most && !times)
            continue;
        worlds[kept++] = worlds[i];
    }
    *count = kept;
}
