/* Nodes, slots and positions of the search over several trees. Key tables number the states of
 * parts, the nodes and the positions, so equal ones are stored once. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "search/multitree/multitree.h"

static uint32_t part_of(MultiTree *t, uint32_t subgame, uint32_t position) {
    assert(subgame < t->parts.count);
    State state = multitree_state(t, position);
    return key_table_part(&t->part_keys, subgame, &state, part_mask(&t->parts, subgame),
                          t->word_count);
}

static uint32_t node_of(MultiTree *t, uint32_t part, uint32_t choosers) {
    uint32_t id = key_table_list(&t->node_keys, (uint32_t[]){part, choosers}, 2);
    if (id == t->nodes.count)
        vector_push(&t->nodes, ((MultiTreeNode){.first_slot = MULTITREE_NONE}));
    return id;
}

static void notice_end(MultiTree *t, const double *values) {
    double sum = 0;
    for (uint32_t r = 0; r < t->search.game->role_count; r++)
        sum += game_is_chance(t->search.game, r) ? 0 : values[r];
    if (t->is_zero_sum && fabs(sum - 1) > 1e-9) {
        t->is_zero_sum = false;
        t->has_misjudged = true;
    }
}

/* Sets the values of a position that is terminal. */
static void evaluate_position(MultiTree *t, uint32_t id, const State *state) {
    MultiTreePosition *p = &t->positions.items[id];
    uint32_t roles = t->search.game->role_count;
    if (!game_is_terminal(t->work, state))
        return;
    p->values = arena_alloc(&t->arena, roles * sizeof *p->values);
    for (uint32_t r = 0; r < roles; r++)
        p->values[r] = goal_to_value(t->ranges[r], game_goal(t->work, state, r));
    notice_end(t, p->values);
}

uint32_t multitree_position(MultiTree *t, const State *state) {
    uint32_t id = key_table_state(&t->position_keys, state);
    if (id == t->positions.count) {
        vector_push(&t->positions, ((MultiTreePosition){0}));
        evaluate_position(t, id, state);
    }
    return id;
}

/* Lists the moves of all roles. False if a role has none. */
static bool find_moves(MultiTree *t, MultiTreePosition *p, const State *state) {
    uint32_t roles = t->search.game->role_count, total = 0, choosing = 0;
    U32Vector all = {0};
    bool ok = true;
    p->mover = 0; /* also where no role has a choice */
    for (uint32_t r = 0; r < roles; r++) {
        game_legal(t->work, state, r, &t->legal);
        p->first[r] = total;
        total += (uint32_t)t->legal.count;
        ok &= t->legal.count > 0;
        for (size_t i = 0; i < t->legal.count; i++)
            vector_push(&all, t->legal.items[i]);
        if (t->legal.count > 1) {
            p->choosers |= UINT32_C(1) << r;
            p->mover = choosing++ ? MULTITREE_NONE : r;
        }
    }
    p->first[roles] = total;
    p->moves = arena_alloc(&t->arena, (total + 1) * sizeof *p->moves);
    if (total)
        memcpy(p->moves, all.items, total * sizeof *p->moves);
    vector_free(&all);
    return ok;
}

/* Finds the positions that the moves of the only role with a choice lead to. */
static void look_ahead(MultiTree *t, uint32_t id) {
    uint32_t roles = t->search.game->role_count, joint[MULTITREE_MAX_ROLES];
    MultiTreePosition *p = &t->positions.items[id];
    State state = multitree_state(t, id);
    uint32_t mover = p->mover, first = p->first[mover], count = p->first[mover + 1] - first;
    uint32_t *after = arena_alloc(&t->arena, count * sizeof *after);
    for (uint32_t r = 0; r < roles; r++)
        joint[r] = p->moves[p->first[r]];
    for (uint32_t i = 0; i < count; i++) {
        joint[mover] = t->positions.items[id].moves[first + i];
        game_next(t->work, &state, joint, &t->next);
        after[i] = multitree_position(t, &t->next);
    }
    t->positions.items[id].after = after;
    multitree_prove(t, id);
}

void multitree_open(MultiTree *t, uint32_t id) {
    uint32_t roles = t->search.game->role_count;
    MultiTreePosition *p = &t->positions.items[id];
    assert(!p->is_open && !p->values);
    State state = multitree_state(t, id);
    p->is_open = true;
    if (!find_moves(t, p, &state)) { /* the match is stuck: nobody scores */
        p->values = arena_alloc(&t->arena, roles * sizeof *p->values);
        memset(p->values, 0, roles * sizeof *p->values);
        notice_end(t, p->values);
        return;
    }
    size_t moves = p->first[roles], slots = moves * t->parts.count;
    p->visits = arena_alloc(&t->arena, (moves + 1) * sizeof *p->visits);
    memset(p->visits, 0, moves * sizeof *p->visits);
    p->slots = arena_alloc(&t->arena, (slots + 1) * sizeof *p->slots);
    memset(p->slots, 0xff, slots * sizeof *p->slots);
    p->nodes = arena_alloc(&t->arena, t->parts.count * sizeof *p->nodes);
    for (uint32_t k = 0; k < t->parts.count; k++)
        p->nodes[k] = node_of(t, part_of(t, k, id), p->choosers);
    if (p->mover != MULTITREE_NONE)
        look_ahead(t, id);
}

/* True if all best moves of the mover have the same values. All successors must be proven. */
static bool ties_agree(const MultiTree *t, const MultiTreePosition *p, const double *best) {
    uint32_t count = p->first[p->mover + 1] - p->first[p->mover];
    size_t bytes = t->search.game->role_count * sizeof *best;
    for (uint32_t i = 0; i < count; i++) {
        const double *values = t->positions.items[p->after[i]].values;
        if (values[p->mover] >= best[p->mover] && memcmp(values, best, bytes) != 0)
            return false;
    }
    return true;
}

bool multitree_prove(MultiTree *t, uint32_t id) {
    MultiTreePosition *p = &t->positions.items[id];
    if (p->values || !p->after || game_is_chance(t->search.game, p->mover))
        return p->values != NULL;
    uint32_t count = p->first[p->mover + 1] - p->first[p->mover], best = MULTITREE_NONE, known = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double *values = t->positions.items[p->after[i]].values;
        known += values != NULL;
        if (values && (best == MULTITREE_NONE ||
                       values[p->mover] > t->positions.items[p->after[best]].values[p->mover]))
            best = i;
    }
    if (best == MULTITREE_NONE)
        return false;
    double *values = t->positions.items[p->after[best]].values;
    bool one_value_says_all = game_count_players(t->search.game) == 1 || t->is_zero_sum;
    if (known < count && !(one_value_says_all && values[p->mover] >= 1))
        return false;
    if (!one_value_says_all && !ties_agree(t, p, values))
        return false;
    p->values = values;
    return true;
}

static uint32_t move_in(const MultiTree *t, uint32_t subgame, uint32_t role, uint32_t move) {
    uint32_t first = t->search.game->circuit->first_move[role];
    return bitset_get(multitree_acting(t, subgame), first + move) ? move : MULTITREE_IDLE;
}

uint32_t multitree_slot(MultiTree *t, uint32_t position, uint32_t subgame, uint32_t role,
                        uint32_t index, bool *is_new) {
    const MultiTreePosition *p = &t->positions.items[position];
    uint32_t at = p->first[role] + index;
    uint32_t *known = &multitree_slots(p, t->search.game->role_count, subgame)[at];
    if (*known != MULTITREE_NONE)
        return *known;
    uint32_t target = p->mover == MULTITREE_NONE ? move_in(t, subgame, role, p->moves[at])
                                                 : part_of(t, subgame, p->after[index]);
    uint32_t node = p->nodes[subgame], id = t->nodes.items[node].first_slot;
    while (id != MULTITREE_NONE &&
           (t->slots.items[id].role != role || t->slots.items[id].target != target))
        id = t->slots.items[id].next;
    if (id == MULTITREE_NONE) {
        id = (uint32_t)t->slots.count;
        vector_push(&t->slots,
                    ((MultiTreeSlot){
                        .next = t->nodes.items[node].first_slot, .role = role, .target = target}));
        t->nodes.items[node].first_slot = id;
        *is_new = true;
    }
    return *known = id;
}

void multitree_forget(MultiTree *t) {
    vectors_free(&t->nodes, &t->slots, &t->positions);
    key_table_clear(&t->part_keys);
    key_table_clear(&t->node_keys);
    key_table_clear(&t->position_keys);
    arena_free(&t->arena);
}

size_t multitree_bytes(const MultiTree *t) {
    return t->arena.bytes + key_table_bytes(&t->part_keys) + key_table_bytes(&t->node_keys) +
           key_table_bytes(&t->position_keys) + t->nodes.capacity * sizeof(MultiTreeNode) +
           t->slots.capacity * sizeof(MultiTreeSlot) +
           t->positions.capacity * sizeof(MultiTreePosition);
}
