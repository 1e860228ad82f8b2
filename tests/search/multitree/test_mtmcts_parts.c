/* Tests the parts of the trees: they are merged only if moves contradict the decomposition, and
 * they may be cut along what the goal demands. */
#include "mtmcts_support.h"

/* No two moves contradict a right decomposition, so its parts are never merged. */
Test(mtmcts_parts, right_parts_are_never_joined) {
    static const char *const names[] = {"incredible", "nonogram_g", "blocks_world_parallel",
                                        "asteroids_serial"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Fixture f = {0};
        open_file(&f, names[i]);
        deal_out(&f, RIGHT);
        cr_expect_gt(f.parts.count, 1, "%s", names[i]);
        MtmctsTrees *trees = trees_of(&f, 1);
        run(trees, 3000);
        cr_expect_eq(mtmcts_trees_counts(trees).illegal_merges, 0, "%s", names[i]);
        mtmcts_trees_free(trees);
        fixture_free(&f);
    }
}

/* A move from a state at a depth, in games with at most 64 fluents. */
typedef struct {
    uint32_t depth, move;
    uint64_t before, after;
} Execution;

typedef VECTOR(Execution) Executions;

/* True if the same move from the same node of a tree led to two different parts. */
static bool disagree(const MtmctsTrees *t, const Execution *a, const Execution *b) {
    if (a->move != b->move || (t->options.keys == KEYS_DEPTH && a->depth != b->depth))
        return false;
    for (uint32_t k = 0; k < t->parts.count; k++) {
        uint64_t mask = *part_mask(&t->parts, k);
        if (((a->before ^ b->before) & mask) == 0 && ((a->after ^ b->after) & mask) != 0)
            return true;
    }
    return false;
}

static bool some_disagree(const MtmctsTrees *t, const Executions *all, size_t first) {
    for (size_t i = first; i < all->count; i++)
        for (size_t k = 0; k < i; k++)
            if (disagree(t, &all->items[i], &all->items[k]))
                return true;
    return false;
}

static bool was_seen(const Executions *states, const Execution *state) {
    for (size_t i = 0; i < states->count; i++)
        if (states->items[i].depth == state->depth && states->items[i].after == state->after)
            return true;
    return false;
}

/* Returns all executions that are possible in the game. Moves with the same successor count as one,
 * as they do in the search. */
static Executions all_executions(Fixture *f) {
    Executions all = {0}, states = {0};
    State state = {0}, next = {0};
    U32Vector legal = {0};
    cr_assert_leq(f->game->circuit->fluent_count, 64);
    game_initial(f->work, &state);
    vector_push(&states, ((Execution){.after = state.words[0]}));
    for (size_t i = 0; i < states.count; i++) {
        Execution at = states.items[i];
        state.words[0] = at.after;
        if (game_is_terminal(f->work, &state))
            continue;
        game_legal(f->work, &state, 0, &legal);
        size_t first = all.count;
        for (size_t m = 0; m < legal.count; m++) {
            game_next(f->work, &state, &legal.items[m], &next);
            Execution now = {at.depth, legal.items[m], at.after, next.words[0]};
            bool is_first = m == 0 || legal.items[m] > legal.items[m - 1];
            cr_assert(is_first, "moves ascend");
            for (size_t k = first; k < all.count; k++)
                is_first &= all.items[k].after != now.after;
            if (is_first)
                vector_push(&all, now);
            Execution then = {.depth = at.depth + 1, .after = next.words[0]};
            if (is_first && !was_seen(&states, &then))
                vector_push(&states, then);
        }
    }
    vector_free(&legal);
    vector_free(&states);
    state_free(&state);
    state_free(&next);
    return all;
}

/* Adds the moves of the last descent to `seen`. Asserts that every transition leads to the effect
 * of its move. */
static void note_descent(const MtmctsTrees *t, Executions *seen) {
    for (size_t i = 0; i < t->path_positions.count; i++) {
        const TreesPosition *position = &t->positions.items[t->path_positions.items[i]];
        uint32_t move = t->played.items[i];
        const uint64_t *after = successor_of(t, position, mtmcts_trees_index_of(position, move));
        for (size_t k = i * t->parts.count; k < (i + 1) * t->parts.count; k++)
            cr_assert(mtmcts_trees_is_part(t, t->transitions.items[t->path.items[k]].child, after));
        vector_push(seen, ((Execution){position->depth, move, position->words[0], *after}));
    }
}

/* Runs one descent at a time and returns the number of merges. Parts are merged only if two
 * executions can disagree. Executions that were played never disagree, since the search notices
 * that; by passage this holds only within one passage. */
static uint64_t watch_merges(Fixture *f, const Executions *all, NodeKeys keys, uint64_t seed) {
    TreesOptions options = by_depth();
    options.keys = keys;
    options.seed = seed;
    options.descent_limit = 1;
    MtmctsTrees *trees = mtmcts_trees_create(f->game, &f->parts, &options);
    trees->greatest_goal = 101; /* a goal that is never reached */
    Executions seen = {0};
    bool can_disagree = some_disagree(trees, all, 0);
    uint64_t merges = 0;
    for (int descents = 0; descents < 150 && !mtmcts_trees_is_exhausted(trees); descents++) {
        run(trees, 0);
        if (mtmcts_trees_counts(trees).illegal_merges > merges) {
            cr_assert(can_disagree);
            can_disagree = some_disagree(trees, all, 0);
            merges = mtmcts_trees_counts(trees).illegal_merges;
            seen.count = 0;
            continue;
        }
        size_t first = seen.count;
        note_descent(trees, &seen);
        cr_assert(keys != KEYS_DEPTH || !some_disagree(trees, &seen, first));
    }
    vector_free(&seen);
    mtmcts_trees_free(trees);
    return merges;
}

typedef struct {
    bool can_disagree; /* two executions of the game disagree */
    uint64_t merges;   /* sum over all seeds */
} Watched;

static Watched watch(Fixture *f, NodeKeys keys, uint64_t seeds) {
    Watched watched = {0};
    MtmctsTrees *trees = trees_of(f, 0);
    Executions all = all_executions(f);
    trees->options.keys = keys;
    watched.can_disagree = some_disagree(trees, &all, 0);
    for (uint64_t seed = 0; seed < seeds; seed++)
        watched.merges += watch_merges(f, &all, keys, seed);
    vector_free(&all);
    mtmcts_trees_free(trees);
    return watched;
}

/* Blocks in two piles. A move takes the block on top, so its effect on one block depends on the
 * others. */
#define PILES                                                                                      \
    "(role r)" STEPS "(legal r wait) (init (at a 1 1)) (init (at b 1 2)) (init (at c 2 1))"        \
    "(other 1 2) (other 2 1) (<= (some ?p) (true (at ?b ?p 1)))"                                   \
    "(<= (legal r (carry ?p ?q)) (other ?p ?q) (some ?p))"                                         \
    "(<= (covered ?p ?h) (succ ?h ?g) (true (at ?b ?p ?g)))"                                       \
    "(<= (top ?b ?p ?h) (true (at ?b ?p ?h)) (not (covered ?p ?h)))"                               \
    "(<= (room ?p ?g) (top ?b ?p ?h) (succ ?h ?g)) (<= (room ?p 1) (other ?p ?q) (not (some ?p)))" \
    "(<= (next (at ?b ?q ?g)) (does r (carry ?p ?q)) (top ?b ?p ?h) (room ?q ?g))"                 \
    "(<= (next (at ?b ?p ?h)) (does r (carry ?p ?q)) (true (at ?b ?p ?h)) (not (top ?b ?p ?h)))"   \
    "(<= (next (at ?b ?q ?h)) (does r (carry ?p ?q)) (true (at ?b ?q ?h)))"                        \
    "(<= (next (at ?b ?p ?h)) (does r wait) (true (at ?b ?p ?h)))"                                 \
    "(<= terminal (true (step 4))) (<= (goal r 100) (true (at a 2 3)))"                            \
    "(<= (goal r 0) (not (true (at a 2 3))))"

/* Cuts the game in two parts in many ways. Returns the number of cuts by which executions can
 * disagree by depth. Parts are merged for these cuts and no others. By passage, a search may end
 * before it has played executions that disagree. */
static uint32_t count_harmful(Fixture *f, uint32_t cuts) {
    uint32_t harmful = 0;
    Random random;
    random_seed(&random, 5);
    f->parts.count = 2;
    for (uint32_t cut = 0; cut < cuts; cut++) {
        uint64_t share = 2 + cut % 4 * 3; /* one fluent in `share` is in the second part */
        for (uint32_t i = 0; i < f->game->circuit->fluent_count; i++)
            if (f->subgame_of[i] != PARTS_NOWHERE)
                f->subgame_of[i] = random_below(&random, share) == 0;
        Watched watched = watch(f, KEYS_DEPTH, 5);
        cr_expect_eq(watched.merges > 0, watched.can_disagree);
        harmful += watched.can_disagree;
        watched = watch(f, KEYS_PASSAGE, 2);
        cr_expect(watched.merges == 0 || watched.can_disagree);
    }
    return harmful;
}

/* In blocks_world a move names everything that it changes, so that every fluent follows from itself
 * and the move: no cut does harm by depth. In the piles about half of the cuts do. */
Test(mtmcts_parts, blocks_cut_in_two) {
    Fixture f = {0};
    open_file(&f, "blocks_world");
    cr_expect_eq(count_harmful(&f, 20), 0);
    fixture_free(&f);
    f = open_text(PILES);
    put(&f, "(at", 0);
    uint32_t harmful = count_harmful(&f, 40);
    cr_expect(harmful > 10 && harmful < 30, "%u", harmful);
    fixture_free(&f);
}

/* x and o mark four cells in turn until the time is over. No line scores 100. */
#define CELLS                                                                                      \
    "(role r)" STEPS "(cell 1) (cell 2) (cell 3) (cell 4) (init (control x))"                      \
    "(<= (filled ?c) (true (mark ?c ?p))) (<= (legal r (put ?c)) (cell ?c) (not (filled ?c)))"     \
    "(<= (next (mark ?c ?p)) (does r (put ?c)) (true (control ?p)))"                               \
    "(<= (next (mark ?c ?p)) (true (mark ?c ?p))) (<= terminal (true (step 4)))"                   \
    "(<= (next (control o)) (true (control x)) (not (does r wait)))"                               \
    "(<= (next (control x)) (true (control o)) (not (does r wait)))"                               \
    "(<= two (true (mark 1 x)) (true (mark 2 x))) (<= three two (true (mark 3 x)))"                \
    "(<= (goal r 100) three) (<= (goal r 50) two (not three)) (<= (goal r 0) (not two))"
#define WAITING "(legal r wait) (<= (next (control ?p)) (true (control ?p)) (does r wait))"

/* Each cell is a part, and the control fluents belong to that of the first. Turns alternate, so the
 * depth determines the turn, but not if a role may wait, nor by passage. */
Test(mtmcts_parts, cells_apart_from_the_turn) {
    for (int waits = 0; waits < 2; waits++) {
        Fixture f = open_text(waits ? CELLS WAITING : CELLS);
        put(&f, "(control", 0);
        put(&f, "(mark 1", 0);
        put(&f, "(mark 2", 1);
        put(&f, "(mark 3", 2);
        put(&f, "(mark 4", 3);
        Watched watched = watch(&f, KEYS_DEPTH, 10);
        cr_expect_eq(watched.can_disagree, waits);
        cr_expect_eq(watched.merges > 0, waits);
        watched = watch(&f, KEYS_PASSAGE, 10);
        cr_expect(watched.can_disagree && watched.merges > 0);
        fixture_free(&f);
    }
}

/* Every line of this nonogram decides a cell by itself, so the sub-goals are the cells and not the
 * lines. */
Test(mtmcts_parts, lines_are_what_the_goal_demands) {
    Fixture f;
    open_file(&f, "nonogram_g");
    size_t words = bitset_words(f.game->circuit->fluent_count);
    uint64_t playouts[3] = {0};
    for (Overlap overlap = OVERLAP_NONE; overlap <= OVERLAP_DEMANDS; overlap++) {
        GameParts parts = mtmcts_find_parts(f.game, NULL, overlap, 0, deadline_never());
        uint32_t lines = 0;
        for (uint32_t k = 0; parts.fluents && k < parts.count; k++)
            lines += bitset_count(parts.fluents + k * words, words) == 5;
        cr_expect_eq(lines, overlap == OVERLAP_DEMANDS ? 7 : 0);
        mtmcts_parts_free(&parts);
        for (uint64_t seed = 0; seed < 3; seed++) {
            MtmctsOptions options = {.trees = by_passage(), .overlap = overlap};
            MtmctsSolution solution;
            SearchBudget budget = {.deadline = deadline_never(), .playouts = 20000};
            options.trees.seed = seed;
            mtmcts_solve(f.game, &options, &budget, &solution);
            cr_expect(solution.result.is_best);
            cr_expect_eq(replay_score(&f, &solution.result.line), 100);
            playouts[overlap] += solution.result.playouts;
            nested_result_free(&solution.result);
        }
    }
    cr_expect_lt(2 * playouts[OVERLAP_DEMANDS], playouts[OVERLAP_NONE]);
    fixture_free(&f);
}
