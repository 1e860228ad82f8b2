/* Tests garbage collection of a tree: which nodes are kept, and where they are afterwards. */
#include "search/uct/tree.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { CHILDREN = 200, WORDS = 2, MOVES = 300 };

static State state_of(uint64_t number, uint64_t *words) {
    words[0] = number;
    words[1] = ~number;
    return (State){words, WORDS};
}

static TreeNode *add(Tree *tree, uint64_t number) {
    uint64_t words[WORDS];
    State state = state_of(number, words);
    return tree_add(tree, &state, false);
}

static TreeNode *find(const Tree *tree, uint64_t number) {
    uint64_t words[WORDS];
    State state = state_of(number, words);
    return tree_find(tree, &state);
}

static void expand(Tree *tree, TreeNode *node, size_t moves) {
    U32Vector legal[2] = {{0}};
    for (uint32_t move = 0; move < moves; move++)
        vector_push(&legal[0], 7 * move);
    vector_push(&legal[1], 5);
    cr_assert(tree_expand(tree, node, legal, true));
    vector_free(&legal[0]);
    vector_free(&legal[1]);
}

/* Makes a root whose children have 1, 2, 3, ... visits, each with an arm, a value and memory of the
 * method. */
static TreeNode *grow(Tree *tree) {
    TreeNode *root = add(tree, 0);
    expand(tree, root, CHILDREN);
    root->visits = 1 << 30;
    for (uint32_t i = 1; i <= CHILDREN; i++) {
        TreeNode *child = add(tree, i);
        cr_assert_not_null(child);
        expand(tree, child, MOVES);
        child->visits = i;
        child->values[1] = i;
        child->arms[3].visits = i;
        tree_rate(child, &child->arms[3]);
        uint32_t *extra = tree_alloc_extra(tree, child, sizeof *extra);
        cr_assert_not_null(extra);
        *extra = i;
        tree_link(tree, root, i - 1, child);
    }
    return root;
}

static void is_whole(const Tree *tree, const TreeNode *root, uint32_t i) {
    const TreeNode *child = find(tree, i);
    cr_assert_eq(child, tree_child(tree, root, i - 1));
    cr_expect_eq(child->visits, i);
    cr_expect_eq(child->values[1], i);
    cr_expect_eq(tree_arm_count(child, 0), MOVES);
    cr_expect_eq(tree_arms(child, 0)[3].visits, i);
    cr_expect_eq(tree_arms(child, 0)[3].move, 21);
    cr_expect_eq(child->rates[3].spread, sqrtf(1.0f / (float)i));
    cr_expect_eq(child->rates[4].mean, INFINITY);
    cr_expect_eq(tree_arms(child, 1)[0].move, 5);
    cr_expect_eq(*(const uint32_t *)child->extra, i);
}

Test(tree, a_collection_keeps_the_most_visited_whole) {
    Tree tree;
    tree_init(&tree, 2, 4 << 20);
    TreeNode *root = grow(&tree);
    size_t all = tree.count, held = tree.bytes;
    cr_expect_gt(held, tree.max_bytes / 2);
    root = tree_collect(&tree, root);
    cr_expect_eq(root, find(&tree, 0));
    cr_expect_eq(tree_arm_count(root, 0), CHILDREN);
    cr_expect_lt(tree.count, all);
    cr_expect_gt(tree.count, 1);
    cr_expect_leq(tree.bytes, tree.max_bytes / 2);
    uint32_t fewest = CHILDREN + 1 - (uint32_t)(tree.count - 1);
    for (uint32_t i = 1; i < fewest; i++) {
        cr_expect_null(find(&tree, i));
        cr_expect_null(tree_child(&tree, root, i - 1));
    }
    for (uint32_t i = fewest; i <= CHILDREN; i++)
        is_whole(&tree, root, i);
    cr_expect_not_null(add(&tree, 1)); /* takes the number of a dropped node */
    tree_free(&tree);
}

/* Nodes that the root does not reach are dropped, however many visits they have. */
Test(tree, what_the_root_does_not_reach_is_dropped) {
    Tree tree;
    tree_init(&tree, 2, 4 << 20);
    grow(&tree);
    TreeNode *child = tree_collect(&tree, find(&tree, CHILDREN));
    cr_expect_eq(child, find(&tree, CHILDREN));
    cr_expect_eq(tree.count, 1);
    tree_clear(&tree);
    cr_expect_eq(tree.bytes, 0);
    cr_expect_null(find(&tree, CHILDREN));
    cr_expect_not_null(grow(&tree));
    tree_free(&tree);
}

Test(tree, no_room_is_said) {
    Tree tree;
    tree_init(&tree, 2, 1 << 10);
    uint64_t number = 0;
    while (add(&tree, number))
        number++;
    cr_expect(tree.is_full);
    cr_expect_leq(tree.bytes, tree.max_bytes);
    cr_expect_eq(tree.count, number);
    tree_clear(&tree);
    cr_expect(!tree.is_full && add(&tree, 0));
    cr_expect(!tree.is_full);
    tree_free(&tree);
}

Test(tree, closed_arms_are_never_the_best) {
    Tree tree;
    tree_init(&tree, 2, 1 << 20);
    TreeNode *root = add(&tree, 0);
    expand(&tree, root, 4);
    Arm *arms = tree_arms(root, 0);
    for (uint32_t a = 0; a < 4; a++)
        arms[a].visits = 4;
    arms[0].total = 2;
    arms[1].is_proven = arms[2].is_twin = arms[3].is_postponed = true;
    for (uint32_t a = 0; a < 4; a++)
        tree_rate(root, &arms[a]);
    cr_expect_eq(root->rates[0].mean, 0.5f);
    cr_expect_eq(root->rates[0].spread, 0.5f);
    for (uint32_t a = 1; a < 4; a++)
        cr_expect_eq(root->rates[a].mean, -INFINITY);
    tree_free(&tree);
}
