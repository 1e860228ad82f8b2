/* Matches go on where matches of other environments stand. */
#include <assert.h>

#include "game/environments_internal.h"

typedef struct {
    Environments *to;
    const Environments *from;
    uint32_t first, count;
    const uint32_t *sources;
} Copy;

bool environments_can_copy(const Environments *to, const Environments *from) {
    return to != from && to->game == from->game && to->shape.moves == from->shape.moves &&
           (to->options.keeps_ended || !from->options.keeps_ended) &&
           (!to->options.step_limit || from->options.step_limit);
}

/* What both ways of playing know of a match. */
static void copy_counters(const Copy *c, size_t match, size_t source) {
    size_t mask = (size_t)c->to->shape.roles * c->to->shape.mask_words;
    c->to->steps[match] = c->from->steps[source];
    c->to->ends[match] = c->from->ends[source];
    memcpy(masks_of(c->to, match, 0), masks_of(c->from, source, 0), mask * sizeof(uint64_t));
}

/* The states of matches `match` to `end` - 1, which are lanes of one word of a block. */
static void copy_lanes(const Copy *c, size_t match, size_t end) {
    uint32_t fluents = c->to->game->circuit->fluent_count;
    uint64_t *to = (uint64_t *)(c->to->states + match / LANES * fluents) + match % LANES / 64;
    const uint64_t *rows[64];
    uint32_t shifts[64], lanes = (uint32_t)(end - match), shift = match % 64;
    uint64_t kept = ~(~UINT64_C(0) >> (64 - lanes) << shift);
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t source = c->sources[match + i - c->first];
        rows[i] = (const uint64_t *)(c->from->states + (size_t)(source / LANES) * fluents) +
                  source % LANES / 64;
        shifts[i] = source % 64;
    }
    for (size_t f = 0; f < fluents; f++) {
        uint64_t bits = 0;
        for (uint32_t i = 0; i < lanes; i++)
            bits |= (rows[i][f * LANE_WORDS] >> shifts[i] & 1) << i;
        to[f * LANE_WORDS] = (to[f * LANE_WORDS] & kept) | bits << shift;
    }
}

/* What is to be copied into the block; the first one is that of match `first`. */
static void copy_block(void *context, size_t block, unsigned worker) {
    const Copy *c = context;
    size_t begin = (c->first / LANES + block) * LANES, end = begin + LANES, next;
    (void)worker;
    begin = begin > c->first ? begin : c->first;
    end = end < c->first + (size_t)c->count ? end : c->first + (size_t)c->count;
    for (size_t match = begin; match < end; match++) {
        uint32_t source = c->sources[match - c->first];
        copy_counters(c, match, source);
        if (c->to->single)
            state_copy(&c->to->single[match], &c->from->single[source]);
    }
    for (size_t match = begin; !c->to->single && match < end; match = next) {
        next = (match / 64 + 1) * 64;
        next = next < end ? next : end;
        copy_lanes(c, match, next);
    }
}

void environments_copy(Environments *to, uint32_t first, uint32_t count, const Environments *from,
                       const uint32_t *sources, const EnvironmentOutputs *outputs) {
    Copy copy = {.to = to, .from = from, .first = first, .count = count, .sources = sources};
    assert(environments_can_copy(to, from) && first <= to->shape.count &&
           count <= to->shape.count - first);
    if (count)
        pool_run(to->pool, ((size_t)first + count - 1) / LANES - first / LANES + 1, copy_block,
                 &copy);
    if (outputs)
        environments_reset(to, to->nowhere, outputs);
}
