/* An augmenting path leads from one unpaired vertex to another and alternates between unpaired and
 * paired edges; swapping them adds one pair. Odd cycles (blossoms) are shrunk to one vertex, their
 * base. */
#include "server/tournament/matching.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"

void matching_start(Matching *matching, size_t count) {
    *matching = (Matching){.count = count,
                           .edges = memory_zalloc(count * count * sizeof(bool)),
                           .partners = memory_alloc(count * sizeof(uint32_t)),
                           .parents = memory_alloc(count * sizeof(uint32_t)),
                           .bases = memory_alloc(count * sizeof(uint32_t)),
                           .queue = memory_alloc(count * sizeof(uint32_t)),
                           .reached = memory_alloc(count * sizeof(bool)),
                           .blossom = memory_alloc(count * sizeof(bool)),
                           .fixed = memory_zalloc(count * sizeof(bool))};
    memset(matching->partners, 0xff, count * sizeof(uint32_t));
}

void matching_free(Matching *matching) {
    memory_free(matching->edges, matching->partners, matching->parents, matching->bases,
                matching->queue, matching->reached, matching->blossom, matching->fixed);
}

void matching_set_edge(Matching *matching, size_t a, size_t b, bool is_edge) {
    assert(a < matching->count && b < matching->count);
    matching->edges[a * matching->count + b] = is_edge;
    matching->edges[b * matching->count + a] = is_edge;
}

/* Returns the base where the paths from a and b back to the root meet. */
static uint32_t common_base(Matching *m, uint32_t a, uint32_t b) {
    bool *seen = m->blossom;
    memset(seen, 0, m->count * sizeof *seen);
    for (;;) {
        a = m->bases[a];
        seen[a] = true;
        if (m->partners[a] == MATCHING_NONE)
            break;
        a = m->parents[m->partners[a]];
    }
    for (;;) {
        b = m->bases[b];
        if (seen[b])
            return b;
        b = m->parents[m->partners[b]];
    }
}

static void mark_path(Matching *m, uint32_t vertex, uint32_t base, uint32_t child) {
    while (m->bases[vertex] != base) {
        uint32_t partner = m->partners[vertex];
        m->blossom[m->bases[vertex]] = m->blossom[m->bases[partner]] = true;
        m->parents[vertex] = child;
        child = partner;
        vertex = m->parents[partner];
    }
}

/* Shrinks the odd cycle that the edge a-b closes. */
static void shrink(Matching *m, uint32_t a, uint32_t b, size_t *queued) {
    uint32_t base = common_base(m, a, b);
    memset(m->blossom, 0, m->count * sizeof *m->blossom);
    mark_path(m, a, base, b);
    mark_path(m, b, base, a);
    for (uint32_t v = 0; v < m->count; v++)
        if (m->blossom[m->bases[v]]) {
            m->bases[v] = base;
            if (!m->reached[v]) {
                m->reached[v] = true;
                m->queue[(*queued)++] = v;
            }
        }
}

/* Returns the unpaired end of an augmenting path from the root; MATCHING_NONE if there is no such
 * path. */
static uint32_t find_path(Matching *m, uint32_t root) {
    size_t queued = 0;
    memset(m->reached, 0, m->count * sizeof *m->reached);
    memset(m->parents, 0xff, m->count * sizeof *m->parents);
    for (uint32_t v = 0; v < m->count; v++)
        m->bases[v] = v;
    m->reached[root] = true;
    m->queue[queued++] = root;
    for (size_t next = 0; next < queued; next++) {
        uint32_t v = m->queue[next];
        for (uint32_t to = 0; to < m->count; to++) {
            if (m->fixed[to] || !m->edges[v * m->count + to] || m->bases[v] == m->bases[to] ||
                m->partners[v] == to)
                continue;
            uint32_t partner = m->partners[to];
            if (to == root || (partner != MATCHING_NONE && m->parents[partner] != MATCHING_NONE)) {
                shrink(m, v, to, &queued);
            } else if (m->parents[to] == MATCHING_NONE) {
                m->parents[to] = v;
                if (partner == MATCHING_NONE)
                    return to;
                m->reached[partner] = true;
                m->queue[queued++] = partner;
            }
        }
    }
    return MATCHING_NONE;
}

static bool augment(Matching *m, uint32_t root) {
    uint32_t v = find_path(m, root);
    if (v == MATCHING_NONE)
        return false;
    while (v != MATCHING_NONE) {
        uint32_t parent = m->parents[v], next = m->partners[parent];
        m->partners[v] = parent;
        m->partners[parent] = v;
        v = next;
    }
    return true;
}

bool matching_complete(Matching *matching) {
    bool is_complete = true;
    for (uint32_t v = 0; v < matching->count; v++)
        if (matching->partners[v] == MATCHING_NONE)
            is_complete = augment(matching, v) && is_complete;
    return is_complete;
}

bool matching_fix(Matching *matching, size_t a, size_t b) {
    Matching *m = matching;
    assert(a < m->count && b < m->count && a != b);
    if (m->fixed[a] || m->fixed[b] || !m->edges[a * m->count + b])
        return false;
    uint32_t left = m->partners[a], right = m->partners[b];
    assert(left != MATCHING_NONE && right != MATCHING_NONE);
    m->fixed[a] = m->fixed[b] = true;
    m->partners[a] = (uint32_t)b;
    m->partners[b] = (uint32_t)a;
    if (left == b)
        return true;
    m->partners[left] = m->partners[right] = MATCHING_NONE;
    if (augment(m, left))
        return true;
    m->fixed[a] = m->fixed[b] = false;
    m->partners[a] = left;
    m->partners[left] = (uint32_t)a;
    m->partners[b] = right;
    m->partners[right] = (uint32_t)b;
    return false;
}
