/* Lets a caller evaluate the leaves of many searches together, for instance in one batch of a
 * network. A search hands out one leaf at a time, and takes it back with its advice. */
#include <assert.h>

#include "search/uct/uct.h"

static void finish_leaf(Uct *uct, UctLeaf *leaf) {
    uct_back_up(uct, leaf);
    uct->search.playouts += uct->options.leaf_playouts;
    if (uct->tree.is_full)
        uct->root = tree_collect(&uct->tree, uct->root);
}

UctLeaf *uct_next_leaf(Search *search, uint64_t visits) {
    Uct *uct = (Uct *)search;
    UctWorker *w = &uct->workers[0];
    UctLeaf *leaf = &w->leaves[0];
    assert(uct_advises(uct) && uct->worker_count == 1);
    while (uct->search.playouts < visits && !uct->root->is_proven && !uct->root->is_stuck) {
        uct_descend(w, leaf);
        if (uct_is_to_be_advised(uct, leaf))
            return leaf;
        uct_play_out(w, leaf, 1);
        finish_leaf(uct, leaf);
    }
    return NULL;
}

void uct_return_leaf(Search *search, UctLeaf *leaf) {
    Uct *uct = (Uct *)search;
    uct_take_advice(uct, leaf);
    finish_leaf(uct, leaf);
}

const TreeNode *uct_root(const Search *search) {
    return ((const Uct *)search)->root;
}

void uct_reseed(Search *search, uint64_t seed) {
    Uct *uct = (Uct *)search;
    for (uint32_t i = 0; i < uct->worker_count; i++)
        random_seed(&uct->workers[i].random, search_seed_of_thread(seed, i));
}
