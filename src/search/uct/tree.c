/* Nodes are numbered, and links store numbers, so that a node can move in memory. Everything
 * lies in one arena; a collection copies what it keeps into a new one. It marks the nodes
 * reachable from the root, then finds by a histogram the least number of visits so that half of
 * the room suffices. The blocks of the old arena are used again. */
#include "search/uct/tree.h"

#include <assert.h>
#include <string.h>

enum {
    NODE_OVERHEAD = 64, /* bytes per node in the table, in lists and for alignment (untuned) */
    VISIT_CLASSES = 33, /* numbers of visits by their bits, 0 to 32 */
    MIN_LINK_PLACES = 4 /* places of a node's first hash table of children (untuned) */
};

void tree_init(Tree *t, uint32_t role_count, size_t budget) {
    assert(role_count > 0);
    *t = (Tree){.role_count = role_count};
    tree_set_budget(t, budget);
}

/* A collection copies up to half of the nodes, so it needs one and a half times the room. */
void tree_set_budget(Tree *t, size_t budget) {
    t->max_bytes = budget - budget / 3;
}

static void *take(Tree *t, size_t bytes) {
    t->bytes += bytes;
    return arena_alloc(&t->memory, bytes);
}

static void *take_cleared(Tree *t, size_t bytes) {
    return memset(take(t, bytes), 0, bytes);
}

static size_t node_bytes(const Tree *t, uint32_t word_count) {
    return sizeof(TreeNode) + t->role_count * sizeof(double) + word_count * sizeof(uint64_t);
}

/* Bytes of `first_arm`, which lies before the rates, rounded up to the alignment of arms. */
static size_t first_arm_bytes(const Tree *t) {
    size_t bytes = (t->role_count + 1) * sizeof(uint32_t);
    return (bytes + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

static size_t arms_bytes(const Tree *t, size_t arms) {
    return first_arm_bytes(t) + arms * (sizeof(ArmRate) + sizeof(Arm));
}

/* The parts of a descent come first: where arms begin, and their rates. */
static void point_to_arms(const Tree *t, TreeNode *n, void *block, size_t arms) {
    n->first_arm = block;
    n->rates = (ArmRate *)((char *)block + first_arm_bytes(t));
    n->arms = (Arm *)(n->rates + arms);
}

static size_t bytes_of(const Tree *t, const TreeNode *n) {
    size_t bytes = NODE_OVERHEAD + node_bytes(t, n->state.word_count) + n->extra_bytes;
    if (n->arms)
        bytes += arms_bytes(t, n->first_arm[t->role_count]);
    return bytes + n->link_places * sizeof(TreeLink);
}

static bool has_room(Tree *t, size_t bytes) {
    bool fits = t->bytes + bytes <= t->max_bytes;
    t->is_full = t->is_full || !fits;
    return fits;
}

void tree_clear(Tree *t) {
    arena_free(&t->memory);
    vector_clear(&t->nodes);
    vector_clear(&t->free_ids);
    table_clear(&t->table);
    t->bytes = t->count = 0;
    t->is_full = false;
}

void tree_free(Tree *t) {
    tree_clear(t);
    table_free(&t->table);
    vectors_free(&t->nodes, &t->free_ids);
}

static TreeNode *find_hashed(const Tree *t, const State *state, uint64_t hash) {
    uint32_t id;
    for (TableProbe p = table_probe(&t->table, hash); table_next(&t->table, &p, &id);)
        if (state_equal(&t->nodes.items[id]->state, state))
            return t->nodes.items[id];
    return NULL;
}

TreeNode *tree_find(const Tree *t, const State *state) {
    return find_hashed(t, state, state_hash(state));
}

/* Sets the node's pointers: its values and its state lie right behind it. */
static void point_inside(const Tree *t, TreeNode *n, uint32_t word_count) {
    n->values = (double *)(n + 1);
    n->state = (State){(uint64_t *)(n->values + t->role_count), word_count};
}

TreeNode *tree_add(Tree *t, const State *state, bool forced) {
    size_t bytes = node_bytes(t, state->word_count);
    if (!forced && !has_room(t, bytes + NODE_OVERHEAD))
        return NULL;
    TreeNode *n = take_cleared(t, bytes);
    point_inside(t, n, state->word_count);
    if (state->word_count)
        memcpy(n->state.words, state->words, state->word_count * sizeof(uint64_t));
    n->hash = state_hash(state);
    if (t->free_ids.count) {
        n->id = vector_pop(&t->free_ids);
        t->nodes.items[n->id] = n;
    } else {
        n->id = (uint32_t)t->nodes.count;
        vector_push(&t->nodes, n);
    }
    table_insert(&t->table, n->hash, n->id);
    t->bytes += NODE_OVERHEAD;
    t->count++;
    return n;
}

bool tree_expand(Tree *t, TreeNode *n, const U32Vector *legal, bool forced) {
    size_t arms = 0, bytes;
    for (uint32_t r = 0; r < t->role_count; r++)
        arms += legal[r].count;
    bytes = arms_bytes(t, arms);
    if (!forced && !has_room(t, bytes))
        return false;
    point_to_arms(t, n, take_cleared(t, bytes), arms);
    n->mover = MOVER_NOBODY;
    for (uint32_t r = 0, arm = 0; r < t->role_count; r++) {
        n->first_arm[r] = arm;
        for (size_t i = 0; i < legal[r].count; i++, arm++) {
            n->arms[arm].move = legal[r].items[i];
            tree_rate(n, &n->arms[arm]);
        }
        n->first_arm[r + 1] = arm;
        n->is_stuck = n->is_stuck || legal[r].count == 0;
        if (legal[r].count > 1)
            n->mover = n->mover == MOVER_NOBODY ? (int)r : MOVER_SEVERAL;
    }
    return true;
}

void *tree_alloc_extra(Tree *t, TreeNode *n, size_t bytes) {
    if (!has_room(t, bytes))
        return NULL;
    n->extra = take_cleared(t, bytes);
    n->extra_bytes = bytes;
    return n->extra;
}

bool tree_joint(const Tree *t, const TreeNode *n, const uint32_t *chosen, uint64_t *joint) {
    *joint = 0;
    for (uint32_t r = 0; r < t->role_count; r++)
        if (__builtin_mul_overflow(*joint, (uint64_t)tree_arm_count(n, r), joint) ||
            __builtin_add_overflow(*joint, (uint64_t)chosen[r], joint))
            return false;
    return true;
}

/* Finds the place of the joint move in the hash table, or the free place where it belongs. */
static uint32_t place_of(const TreeNode *n, uint64_t joint) {
    uint32_t mask = n->link_places - 1;
    uint32_t place = (uint32_t)(joint * 0x9e3779b97f4a7c15ull >> 32) & mask;
    while (n->links[place].node != TREE_NODE_NONE && n->links[place].joint != joint)
        place = (place + 1) & mask;
    return place;
}

/* The arm that stands for the joint move, if at most one role has a choice; else NULL. */
static Arm *arm_of_joint(const TreeNode *n, uint64_t joint) {
    if (n->mover == MOVER_SEVERAL || !n->arms)
        return NULL;
    return n->arms + (n->mover < 0 ? 0 : n->first_arm[n->mover]) + joint;
}

TreeNode *tree_child(const Tree *t, const TreeNode *n, uint64_t joint) {
    const Arm *arm = arm_of_joint(n, joint);
    if (arm)
        return arm->child;
    if (!n->links)
        return NULL;
    const TreeLink *link = &n->links[place_of(n, joint)];
    return link->node == TREE_NODE_NONE ? NULL : t->nodes.items[link->node];
}

/* Makes a table for the links whose nodes exist. The old one stays until the next collection. */
static void replace_links(Tree *t, TreeNode *n, uint32_t places) {
    const TreeLink *old = n->links;
    uint32_t old_places = n->link_places;
    n->link_places = places;
    n->link_count = 0;
    n->links = places ? take(t, places * sizeof *n->links) : NULL;
    for (uint32_t i = 0; i < places; i++)
        n->links[i].node = TREE_NODE_NONE;
    for (uint32_t i = 0; i < old_places; i++)
        if (old[i].node != TREE_NODE_NONE && t->nodes.items[old[i].node]) {
            n->links[place_of(n, old[i].joint)] = old[i];
            n->link_count++;
        }
}

void tree_link(Tree *t, TreeNode *n, uint64_t joint, TreeNode *child) {
    Arm *arm = arm_of_joint(n, joint);
    if (arm) {
        arm->child = child;
        return;
    }
    if ((n->link_count + 1) * 4 > n->link_places * 3) {
        uint32_t places = n->link_places ? 2 * n->link_places : MIN_LINK_PLACES;
        if (!has_room(t, places * sizeof(TreeLink)))
            return;
        replace_links(t, n, places);
    }
    n->links[place_of(n, joint)] = (TreeLink){joint, child->id};
    n->link_count++;
}

typedef VECTOR(TreeNode *) NodeVector;

static void reach(TreeNode *n, NodeVector *open) {
    if (!n || n->is_reached)
        return;
    n->is_reached = true;
    vector_push(open, n);
}

static void mark_reached(Tree *t, TreeNode *root) {
    NodeVector open = {0};
    for (size_t i = 0; i < t->nodes.count; i++)
        if (t->nodes.items[i])
            t->nodes.items[i]->is_reached = false;
    reach(root, &open);
    while (open.count) {
        const TreeNode *n = vector_pop(&open);
        for (uint32_t a = 0; n->arms && a < n->first_arm[t->role_count]; a++)
            reach(n->arms[a].child, &open);
        for (uint32_t i = 0; i < n->link_places; i++)
            if (n->links[i].node != TREE_NODE_NONE)
                reach(t->nodes.items[n->links[i].node], &open);
    }
    vector_free(&open);
}

static uint32_t visit_class(const TreeNode *n) {
    return n->visits ? 32 - (uint32_t)__builtin_clz(n->visits) : 0;
}

/* The least class such that nodes of this class and above fit into half of the room. */
static uint32_t lowest_class_kept(const Tree *t) {
    size_t bytes[VISIT_CLASSES] = {0}, sum = 0;
    for (size_t i = 0; i < t->nodes.count; i++) {
        const TreeNode *n = t->nodes.items[i];
        if (n && n->is_reached)
            bytes[visit_class(n)] += bytes_of(t, n);
    }
    uint32_t kept = VISIT_CLASSES;
    while (kept && sum + bytes[kept - 1] <= t->max_bytes / 2)
        sum += bytes[--kept];
    return kept;
}

static uint32_t places_for(const Tree *t, const TreeNode *n) {
    uint32_t count = 0, places = MIN_LINK_PLACES;
    for (uint32_t i = 0; i < n->link_places; i++)
        count += n->links[i].node != TREE_NODE_NONE && t->nodes.items[n->links[i].node];
    while (count * 4 > places * 3)
        places *= 2;
    return count ? places : 0;
}

static void *copy(Tree *t, const void *block, size_t bytes) {
    return memcpy(take(t, bytes), block, bytes);
}

static void copy_arms(Tree *t, TreeNode *n, const TreeNode *old) {
    size_t arms = old->first_arm[t->role_count];
    point_to_arms(t, n, copy(t, old->first_arm, arms_bytes(t, arms)), arms);
}

/* Copies a node into the new arena. Its links and children are still in the old one. */
static TreeNode *copy_node(Tree *t, const TreeNode *old) {
    uint32_t word_count = old->state.word_count;
    TreeNode *n = copy(t, old, node_bytes(t, word_count));
    point_inside(t, n, word_count);
    if (old->arms)
        copy_arms(t, n, old);
    if (old->extra)
        n->extra = copy(t, old->extra, old->extra_bytes);
    t->bytes += NODE_OVERHEAD;
    return n;
}

static void drop(Tree *t, const TreeNode *n) {
    vector_push(&t->free_ids, n->id);
    t->nodes.items[n->id] = NULL;
    t->count--;
}

TreeNode *tree_collect(Tree *t, TreeNode *root) {
    uint32_t root_id = root->id;
    mark_reached(t, root);
    uint32_t kept = lowest_class_kept(t);
    Arena old = t->memory;
    t->memory = (Arena){.spare = old.spare, .bytes = old.bytes};
    old.spare = NULL;
    old.bytes = 0;
    t->bytes = 0;
    t->is_full = false;
    table_clear(&t->table);
    for (size_t i = 0; i < t->nodes.count; i++) {
        const TreeNode *n = t->nodes.items[i];
        if (!n)
            continue;
        if (n == root || (n->is_reached && visit_class(n) >= kept))
            t->nodes.items[i] = copy_node(t, n);
        else
            drop(t, n);
    }
    for (size_t i = 0; i < t->nodes.count; i++) {
        TreeNode *n = t->nodes.items[i];
        if (!n)
            continue;
        for (uint32_t a = 0; n->arms && a < n->first_arm[t->role_count]; a++)
            if (n->arms[a].child)
                n->arms[a].child = t->nodes.items[n->arms[a].child->id];
        replace_links(t, n, places_for(t, n));
        table_insert(&t->table, n->hash, n->id);
    }
    arena_recycle(&t->memory, &old);
    return t->nodes.items[root_id];
}
