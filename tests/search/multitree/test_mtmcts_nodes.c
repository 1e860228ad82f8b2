/* Tests the invariants of the trees: labels, votes, marks, depths, bounds, and that every position
 * agrees with the reference reasoner. */
#include "search/exact/exact.h"
#include "search/multitree/mtmcts.h"
#include "search/trees.h"

static MtmctsTrees *trees_of(Fixture *f, uint64_t seed) {
    TreesOptions options = by_depth();
    options.seed = seed;
    MtmctsTrees *trees = trees_create(f->game, &f->parts, &options);
    cr_assert_not_null(trees);
    return trees;
}

static void run(MtmctsTrees *trees, uint64_t playouts) {
    SearchBudget budget = {.deadline = deadline_in(60), .playouts = playouts};
    trees_run(trees, &budget);
}

/* ---- labels and votes ---- */

/* The transition of a move from the root of a tree, and how many moves share it. */
static Transition *root_transition(MtmctsTrees *trees, uint32_t tree, uint32_t move,
                                   size_t *labels) {
    uint32_t id = trees_transition(trees, root_of(trees)->nodes[tree], move);
    *labels = bitset_count(transition_moves(trees, id), trees->set_words);
    return &trees->transitions.items[id];
}

static uint32_t votes_of(const MtmctsTrees *trees, uint32_t move) {
    uint32_t votes = 0;
    for (uint32_t p = 0; p < trees->plane_count; p++)
        votes |= (uint32_t)bitset_get(trees->planes + (size_t)p * trees->set_words, move) << p;
    return votes;
}

/* A transition of a tree knows all moves that cause it, so equal effects are learnt once. */
Test(mtmcts_nodes, moves_share_the_transitions_they_cause) {
    Fixture f = open_text(TWO_PARTS);
    put(&f, "one", 0);
    put(&f, "two", 1);
    uint32_t a = move_of(&f, "a"), b = move_of(&f, "b"), c = move_of(&f, "c");
    for (uint64_t seed = 0; seed < 20; seed++) {
        MtmctsTrees *trees = trees_of(&f, seed);
        size_t labels;
        run(trees, 10);
        Transition *one = root_transition(trees, 0, a, &labels);
        cr_expect_eq(labels, 2);
        cr_expect_eq(root_transition(trees, 0, c, &labels), one);
        cr_expect_neq(root_transition(trees, 0, b, &labels), one);
        cr_expect_eq(labels, 1);
        Transition *two = root_transition(trees, 1, b, &labels);
        cr_expect_eq(labels, 2);
        cr_expect_eq(root_transition(trees, 1, c, &labels), two);
        /* If both trees like their change best, the move that does both has both votes. */
        one->value = two->value = 1000;
        const Position *root = root_of(trees);
        memcpy(trees->candidates, root->open, trees->set_words * sizeof(uint64_t));
        cr_expect_eq(root->moves[trees_choose(trees, root, 0, true)], c);
        cr_expect(votes_of(trees, a) == 1 && votes_of(trees, b) == 1 && votes_of(trees, c) == 2);
        trees_free(trees);
    }
    fixture_free(&f);
}

/* ---- the shape of the trees ---- */

static bool is_same_part(const MtmctsTrees *t, const PartNode *a, const PartNode *b) {
    return a->subgame == b->subgame && a->row == b->row &&
           memcmp(a->words, b->words, t->word_count * sizeof(uint64_t)) == 0;
}

static void check_shape(const MtmctsTrees *t) {
    for (uint32_t node = 0; node < t->nodes.count; node++) {
        uint64_t *seen = memory_zalloc((t->set_words + 1) * sizeof *seen);
        for (uint32_t id = t->nodes.items[node].first_transition; id != NONE;
             id = t->transitions.items[id].next) {
            const PartNode *child = &t->nodes.items[t->transitions.items[id].child];
            cr_assert_eq(child->row,
                         t->options.keys == KEYS_DEPTH ? t->nodes.items[node].row + 1 : 0);
            cr_assert_eq(child->subgame, t->nodes.items[node].subgame);
            for (uint32_t i = 0; i < t->set_words; i++) {
                cr_assert_eq(seen[i] & transition_moves(t, id)[i], 0);
                seen[i] |= transition_moves(t, id)[i];
            }
        }
        cr_assert(bitset_equal(seen, tested_moves(t, node), t->set_words));
        free(seen);
        for (uint32_t other = 0; other < node && node < 300; other++)
            cr_assert_not(is_same_part(t, &t->nodes.items[node], &t->nodes.items[other]));
    }
}

/* The interpreter numbers fluents and moves in its own way. */
typedef struct {
    GameWork *work;
    uint32_t *fluents, *moves; /* its numbers for ours */
} Reference;

static Reference reference_of(Fixture *f) {
    const Circuit *c = f->game->circuit;
    Reference r = {.work = game_work(f->game, REASONER_INTERPRETER),
                   .fluents = memory_alloc((c->fluent_count + 1) * sizeof *r.fluents),
                   .moves = memory_alloc((c->move_count + 1) * sizeof *r.moves)};
    Text text = {0};
    for (uint32_t i = 0; i < c->fluent_count; i++) {
        text_clear(&text);
        game_fluent_text(f->work, i, &text);
        r.fluents[i] = game_find_fluent(r.work, text.items, text.count);
    }
    for (uint32_t i = 0; i < c->move_count; i++) {
        text_clear(&text);
        game_move_text(f->work, 0, i, &text);
        r.moves[i] = game_find_move(r.work, 0, text.items, text.count);
    }
    vector_free(&text);
    return r;
}

static void reference_free(Reference *r) {
    game_work_free(r->work);
    free(r->fluents);
    free(r->moves);
}

static void refer(const MtmctsTrees *t, const Reference *r, const uint64_t *words, State *state) {
    if (state->word_count)
        memset(state->words, 0, state->word_count * sizeof *state->words);
    for (uint32_t i = 0; i < t->parts.fluent_count; i++)
        if (bitset_get(words, i))
            state_set(state, r->fluents[i]);
}

static bool is_among(const U32Vector *legal, uint32_t move) {
    for (size_t i = 0; i < legal->count; i++)
        if (legal->items[i] == move)
            return true;
    return false;
}

/* Every position that descents went through, as the interpreter sees it. */
static void check_positions(MtmctsTrees *t, const Reference *r, size_t most) {
    State state = {0}, next = {0}, after = {0};
    U32Vector legal = {0};
    for (size_t i = 0; i < t->positions.count && i < most; i++) {
        const Position *position = &t->positions.items[i];
        if (!position->is_evaluated)
            continue;
        refer(t, r, position->words, &state);
        cr_assert_not(game_is_terminal(r->work, &state));
        game_legal(r->work, &state, 0, &legal);
        cr_assert_leq(position->move_count, legal.count);
        for (uint32_t m = 0; m < position->move_count; m++) {
            uint32_t move = r->moves[position->moves[m]];
            cr_assert(is_among(&legal, move));
            game_next(r->work, &state, &move, &next);
            refer(t, r, successor_of(t, position, m), &after);
            cr_assert(state_equal(&next, &after));
            bool ends = game_is_terminal(r->work, &next);
            cr_assert_eq(bitset_get(position->ends, position->moves[m]), ends);
            cr_assert(!ends || !bitset_get(position->open, position->moves[m]));
            if (ends)
                cr_assert_eq(position->goals[m], game_goal(r->work, &next, 0));
        }
    }
    vector_free(&legal);
    state_free(&state);
    state_free(&next);
    state_free(&after);
}

/* The games of one role in games/ that have a circuit; NULL at the end. */
static const char *const solitaires[] = {"asteroids",
                                         "asteroids_parallel",
                                         "asteroids_serial",
                                         "best_buttons_and_lights",
                                         "blocks_world",
                                         "blocks_world_parallel",
                                         "blocks_world_serial",
                                         "buttons_and_lights",
                                         "eight_puzzle",
                                         "futoshiki_4",
                                         "hamilton",
                                         "hunter",
                                         "incredible",
                                         "joint_buttons_and_lights",
                                         "knights_tour",
                                         "lights_on",
                                         "lights_on_parallel",
                                         "lights_on_simultaneous",
                                         "lights_out",
                                         "maze",
                                         "multiple_buttons_and_lights",
                                         "multiple_hamilton",
                                         "nonogram_box",
                                         "nonogram_chequers",
                                         "nonogram_closed_chequers",
                                         "nonogram_cube",
                                         "nonogram_dog",
                                         "nonogram_g",
                                         "nonogram_g_negative",
                                         "nonogram_tetris",
                                         "queens_guided",
                                         "queens_unguided",
                                         "selective_sukoshi",
                                         "sudoku",
                                         "turtle_brain_easy",
                                         NULL};

enum { RIGHT, FINEST, BY_CHANCE, MERGED, PARTIAL, WAYS };

/* As found, one fluent each, dealt out at random, as found with the first two parts as one, or
 * dealt out at random with a third of the fluents in no part. */
static void deal_out(Fixture *f, int way) {
    uint32_t fluents = f->game->circuit->fluent_count;
    Random random;
    random_seed(&random, 3);
    if (way == RIGHT || way == MERGED) {
        DecomposeOptions how = {.playouts = way == RIGHT ? 2000 : 500,
                                .deadline = deadline_never()};
        Decomposition *d = decompose(f->game, &how);
        free(f->subgame_of);
        f->parts = mtmcts_parts(f->game, d);
        f->subgame_of = (uint32_t *)f->parts.subgame_of;
        decomposition_free(d);
        bool merges = way == MERGED && f->parts.count > 1;
        for (uint32_t i = 0; i < fluents && merges; i++)
            if (f->subgame_of[i] > 0 && f->subgame_of[i] < f->parts.count)
                f->subgame_of[i]--;
        f->parts.count -= merges;
        return;
    }
    f->parts.count = way == FINEST ? fluents : way == PARTIAL ? 2 : 3;
    for (uint32_t i = 0; i < fluents; i++) {
        uint32_t drawn = (uint32_t)random_below(&random, 3);
        f->subgame_of[i] = way == FINEST ? i : way == PARTIAL && drawn == 2 ? PARTS_NOWHERE : drawn;
    }
}

/* One run by depth and one by passage, or as many as it takes to make all descents. */
static void check_way(const char *name, int way, uint64_t descents, bool wants_all) {
    Fixture f = {0};
    open_file(&f, name);
    deal_out(&f, way);
    Reference reference = reference_of(&f);
    TreesOptions options = by_depth();
    options.descent_limit = descents / 2;
    for (uint64_t left = descents; left && left <= descents;) {
        MtmctsTrees *trees = trees_create(f.game, &f.parts, &options);
        run(trees, 0);
        check_shape(trees);
        check_positions(trees, &reference, wants_all ? 40 : 8);
        left -= trees_counts(trees).descents + 1;
        options.seed++;
        options.keys = options.seed % 2 ? KEYS_PASSAGE : KEYS_DEPTH;
        trees_free(trees);
        left = wants_all || options.keys == KEYS_PASSAGE ? left : 0;
    }
    reference_free(&reference);
    fixture_free(&f);
}

/* MARELLE_DESCENTS=1000000 takes minutes. */
Test(mtmcts_nodes, positions_and_trees_are_sound) {
    const char *asked = getenv("MARELLE_DESCENTS");
    uint64_t descents = asked ? strtoull(asked, NULL, 10) : 28000, count = 0;
    while (solitaires[count])
        count++;
    for (size_t i = 0; i < count; i++)
        for (int way = 0; way < WAYS; way++)
            check_way(solitaires[i], way, descents / count / WAYS, asked != NULL);
}

/* A right decomposition never contradicts itself. */
Test(mtmcts_nodes, right_parts_are_never_joined) {
    static const char *const names[] = {"incredible", "nonogram_g", "blocks_world_parallel",
                                        "asteroids_serial"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Fixture f = {0};
        open_file(&f, names[i]);
        deal_out(&f, RIGHT);
        cr_expect_gt(f.parts.count, 1, "%s", names[i]);
        MtmctsTrees *trees = trees_of(&f, 1);
        run(trees, 3000);
        cr_expect_eq(trees_counts(trees).illegal_merges, 0, "%s", names[i]);
        trees_free(trees);
        fixture_free(&f);
    }
}

/* ---- wrong parts ---- */

/* A move from a state at a depth; of games with no more than 64 fluents. */
typedef struct {
    uint32_t depth, move;
    uint64_t before, after;
} Execution;

typedef VECTOR(Execution) Executions;

/* Whether one move from one node of a tree led to two parts. */
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

/* Everything that can happen in the game; moves with the same successor count as one, as they do
 * in the search. */
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

/* Notes what was played in the trees by the last descent. Every transition must lead to what the
 * move did. */
static void note_descent(const MtmctsTrees *t, Executions *seen) {
    for (size_t i = 0; i < t->path_positions.count; i++) {
        const Position *position = &t->positions.items[t->path_positions.items[i]];
        uint32_t move = t->played.items[i];
        const uint64_t *after = successor_of(t, position, trees_index_of(position, move));
        for (size_t k = i * t->parts.count; k < (i + 1) * t->parts.count; k++)
            cr_assert(trees_is_part(t, t->transitions.items[t->path.items[k]].child, after));
        vector_push(seen, ((Execution){position->depth, move, position->words[0], *after}));
    }
}

/* One descent at a time: parts are joined only if two executions can disagree, and those that were
 * played in the trees never do, since that is noticed (by passage those of one passage). The number
 * of merges. */
static uint64_t watch_merges(Fixture *f, const Executions *all, NodeKeys keys, uint64_t seed) {
    TreesOptions options = by_depth();
    options.keys = keys;
    options.seed = seed;
    options.descent_limit = 1;
    MtmctsTrees *trees = trees_create(f->game, &f->parts, &options);
    trees->greatest_goal = 101; /* never to be satisfied */
    Executions seen = {0};
    bool can_disagree = some_disagree(trees, all, 0);
    uint64_t merges = 0;
    for (int descents = 0; descents < 150 && !trees_is_exhausted(trees); descents++) {
        run(trees, 0);
        if (trees_counts(trees).illegal_merges > merges) {
            cr_assert(can_disagree);
            can_disagree = some_disagree(trees, all, 0);
            merges = trees_counts(trees).illegal_merges;
            seen.count = 0;
            continue;
        }
        size_t first = seen.count;
        note_descent(trees, &seen);
        cr_assert(keys != KEYS_DEPTH || !some_disagree(trees, &seen, first));
    }
    vector_free(&seen);
    trees_free(trees);
    return merges;
}

typedef struct {
    bool can_disagree; /* by any play at all */
    uint64_t merges;   /* of all seeds */
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
    trees_free(trees);
    return watched;
}

/* Blocks in two piles. A move takes whatever is on top, so what it does to one block depends on the
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

/* Cuts the game in two in many ways; the number of cuts by which executions can disagree by depth.
 * Parts are joined in these and no others. By passage a search may be over before it has played all
 * that disagrees. */
static uint32_t count_harmful(Fixture *f, uint32_t cuts) {
    uint32_t harmful = 0;
    Random random;
    random_seed(&random, 5);
    f->parts.count = 2;
    for (uint32_t cut = 0; cut < cuts; cut++) {
        uint64_t share = 2 + cut % 4 * 3; /* one fluent in so many is in the second part */
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

/* In blocks_world moves name all that they change, so that every fluent follows from itself and the
 * move: no cut does harm by depth. With the piles half of them do. */
Test(mtmcts_nodes, blocks_cut_in_two) {
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

/* Marks on four cells in turn, x and o, as many as there is time for. Nothing is worth 100. */
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

/* A part for each cell, and whose turn it is in that of the first. Turns alternate, so that the
 * depth tells whose it is; but not where one may wait, nor by passage. */
Test(mtmcts_nodes, cells_apart_from_the_turn) {
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

/* ---- bounds of goals ---- */

static bool holds(Fixture *f, const State *state, const char *fluent) {
    uint32_t id = game_find_fluent(f->work, fluent, strlen(fluent));
    cr_assert_lt(id, f->game->circuit->fluent_count, "%s", fluent);
    return bitset_get(state->words, id);
}

/* What is built in a state of incredible. */
typedef struct {
    bool gold, bdf, cae;
} Built;

static Built built_in(Fixture *f, const State *state) {
    return (Built){.gold = holds(f, state, "(gold w)"),
                   .bdf = holds(f, state, "(on b d)") && holds(f, state, "(on d f)"),
                   .cae = holds(f, state, "(on c a)") && holds(f, state, "(on a e)")};
}

/* The bounds of the maze and of the blocks follow from what is built in the one or the other: 45
 * points for the gold, 25 and 30 for the towers. */
static void check_table(Fixture *f, MtmctsTrees *trees, const State *state) {
    uint32_t maze = f->subgame_of[game_find_fluent(f->work, "(gold w)", 8)];
    uint32_t blocks = f->subgame_of[game_find_fluent(f->work, "(on b d)", 8)];
    cr_assert(f->parts.count == 2 && maze + blocks == 1);
    Built built = built_in(f, state);
    int least, greatest, towers = built.bdf * 25 + built.cae * 30;
    bounds_evaluate(trees->parts.bounds[0], state);
    bounds_goal(trees->parts.bounds[0], maze, 0, &least, &greatest);
    cr_assert(least == (built.gold ? 45 : 0) && greatest == (built.gold ? 100 : 55));
    bounds_goal(trees->parts.bounds[0], blocks, 0, &least, &greatest);
    cr_assert(least == towers && greatest == towers + 45);
}

/* In the ends of random matches, and in all eight cases of the table. */
Test(mtmcts_nodes, bounds_are_those_of_incredible) {
    static const char *const fluents[][2] = {
        {"(gold w)", "(gold w)"}, {"(on b d)", "(on d f)"}, {"(on c a)", "(on a e)"}};
    Fixture f = {0};
    open_file(&f, "incredible");
    deal_out(&f, RIGHT);
    MtmctsTrees *trees = trees_of(&f, 0);
    Random random;
    State state = {0};
    uint32_t seen[8] = {0}, turns;
    random_seed(&random, 0);
    for (int match = 0; match < 10000; match++) {
        game_initial(f.work, &state);
        game_play_randomly(f.work, &state, &random, 0, &turns);
        check_table(&f, trees, &state);
        Built built = built_in(&f, &state);
        seen[built.gold + 2 * built.bdf + 4 * built.cae]++;
    }
    cr_expect(seen[1] > 0 && seen[2] + seen[4] > 0, "%u %u %u", seen[1], seen[2], seen[4]);
    for (uint32_t which = 0; which < 8; which++) {
        game_initial(f.work, &state);
        memset(state.words, 0, state.word_count * sizeof *state.words);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 2 && which >> i & 1; k++)
                state_set(&state, game_find_fluent(f.work, fluents[i][k], 8));
        state_set(&state, game_find_fluent(f.work, "(step 20)", 9));
        cr_assert(game_is_terminal(f.work, &state));
        check_table(&f, trees, &state);
    }
    state_free(&state);
    trees_free(trees);
    fixture_free(&f);
}

/* The real score lies between the bounds of every part, whatever the parts are. */
static void check_bounds(Fixture *f, int matches) {
    MtmctsTrees *trees = trees_of(f, 0);
    Random random;
    State state = {0};
    random_seed(&random, 0);
    for (int match = 0; match < matches; match++) {
        uint32_t turns;
        int least, greatest;
        game_initial(f->work, &state);
        if (game_play_randomly(f->work, &state, &random, 1000, &turns) != MATCH_TERMINAL)
            continue;
        int score = game_goal(f->work, &state, 0);
        for (uint32_t k = 0; k < trees->parts.count; k++) {
            if (k % BOUNDS_MOST_PARTS == 0)
                bounds_evaluate(trees->parts.bounds[k / BOUNDS_MOST_PARTS], &state);
            bounds_goal(trees->parts.bounds[k / BOUNDS_MOST_PARTS], k % BOUNDS_MOST_PARTS, 0,
                        &least, &greatest);
            cr_assert(least <= score && score <= greatest, "%d, not %d to %d", score, least,
                      greatest);
        }
    }
    state_free(&state);
    trees_free(trees);
}

/* Bounds over partial states hold at random ends, for right and for wrong partitions. */
Test(mtmcts_nodes, bounds_hold_in_all_games) {
    for (size_t i = 0; solitaires[i]; i++)
        for (int way = 0; way < WAYS; way++) {
            Fixture f = {0};
            open_file(&f, solitaires[i]);
            cr_assert(game_has_circuit(f.game) && f.game->role_count == 1, "%s", solitaires[i]);
            deal_out(&f, way);
            check_bounds(&f, 100);
            fixture_free(&f);
        }
}

/* ---- marks ---- */

static double best_after(Fixture *f, uint32_t move) {
    State state = {0}, next = {0};
    ExactResult exact;
    ExactBudget budget = {.deadline = deadline_in(60)};
    game_initial(f->work, &state);
    game_next(f->work, &state, &move, &next);
    exact_solve(f->game, &next, &budget, &exact);
    cr_assert_eq(exact.end, EXACT_SOLVED);
    double best = exact.values[0];
    exact_result_free(&exact);
    state_free(&state);
    state_free(&next);
    return best;
}

/* No proof is known that marks are right; on games small enough to be enumerated they are: nothing
 * better than what was found lies below a move that all trees have marked. */
Test(mtmcts_nodes, marked_moves_hide_nothing_better) {
    static const char *const names[] = {"buttons_and_lights", "maze", "blocks_world",
                                        "blocks_world_parallel", "joint_buttons_and_lights"};
    uint32_t games_with_marks = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Fixture f = {0};
        uint32_t marked = 0;
        open_file(&f, names[i]);
        deal_out(&f, RIGHT);
        for (uint64_t seed = 0; seed < 10; seed++) {
            MtmctsTrees *trees = trees_of(&f, seed);
            for (int step = 0; step < 40 && !trees_is_solved(trees); step++) {
                run(trees, 5);
                const Position *root = root_of(trees);
                for (uint32_t m = 0; m < root->move_count; m++) {
                    bool is_marked = true;
                    for (uint32_t k = 0; k < trees->parts.count; k++)
                        is_marked &=
                            bitset_get(explored_moves(trees, root->nodes[k]), root->moves[m]);
                    marked += is_marked;
                    if (is_marked)
                        cr_expect_leq(best_after(&f, root->moves[m]),
                                      trees_counts(trees).best_score, "%s", names[i]);
                }
            }
            trees_free(trees);
        }
        games_with_marks += marked > 0;
        fixture_free(&f);
    }
    cr_expect_geq(games_with_marks, 3); /* else nothing was tested */
}

/* What is closed by passage is closed for good: nothing better lies behind it. A match that goes
 * through one transition many times counts as one visit. */
Test(mtmcts_nodes, closed_moves_hide_nothing_better) {
    static const char *const names[] = {"buttons_and_lights", "maze", "blocks_world",
                                        "blocks_world_parallel", "joint_buttons_and_lights"};
    uint32_t closed = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Fixture f = {0};
        open_file(&f, names[i]);
        deal_out(&f, RIGHT);
        for (uint64_t seed = 0; seed < 10; seed++) {
            TreesOptions options = by_passage();
            options.seed = seed;
            MtmctsTrees *trees = trees_create(f.game, &f.parts, &options);
            for (int step = 0; step < 40 && !trees_is_solved(trees); step++) {
                run(trees, 5);
                const Position *root = root_of(trees);
                for (uint32_t m = 0; m < root->move_count; m++) {
                    uint32_t move = root->moves[m];
                    if (bitset_get(root->ends, move) || bitset_get(root->open, move))
                        continue;
                    closed++;
                    cr_expect_leq(best_after(&f, move), trees_counts(trees).best_score, "%s",
                                  names[i]);
                }
            }
            for (size_t k = 0; k < trees->transitions.count; k++)
                cr_assert_leq(trees->transitions.items[k].visits, trees_counts(trees).descents);
            trees_free(trees);
        }
        fixture_free(&f);
    }
    cr_expect_gt(closed, 0);
}

/* Two lamps and a clock; the greatest goal asks for both after one move, so that nothing but an end
 * to the search says that 60 is the best. After another move than the best the search begins
 * anew. */
Test(mtmcts_nodes, a_search_ends_when_all_is_known) {
    Fixture f = open_text("(role r)" STEPS "(legal r a) (legal r b) (legal r wait)"
                          "(<= (next one) (does r a)) (<= (next one) (true one))"
                          "(<= (next two) (does r b)) (<= (next two) (true two))"
                          "(<= (next prize) (true one) (true two) (true (step 1)))"
                          "(<= (next prize) (true prize))"
                          "(<= terminal (true (step 4))) (<= (goal r 100) (true prize))"
                          "(<= (goal r 60) (true one) (not (true two)))"
                          "(<= (goal r 30) (true two) (not (true one)))"
                          "(<= (goal r 0) (true one) (true two))"
                          "(<= (goal r 0) (not (true one)) (not (true two)))");
    put(&f, "one", 0);
    put(&f, "two", 1);
    uint32_t b = move_of(&f, "b");
    for (uint64_t seed = 0; seed < 20; seed++) {
        TreesOptions options = by_passage();
        options.seed = seed;
        MtmctsTrees *trees = trees_create(f.game, &f.parts, &options);
        run(trees, 100000);
        cr_assert(trees_is_exhausted(trees) && !trees_is_solved(trees));
        cr_expect_eq(trees_counts(trees).best_score, 60);
        cr_expect_eq(replay_score(&f, trees_best_line(trees)), 60);
        State state = {0}, next = {0};
        game_initial(f.work, &state);
        game_next(f.work, &state, &b, &next);
        trees_advance(trees, &next);
        cr_assert_not(trees_is_exhausted(trees));
        run(trees, 100000);
        cr_assert(trees_is_exhausted(trees));
        cr_expect_eq(trees_counts(trees).best_score, 30);
        state_free(&state);
        state_free(&next);
        trees_free(trees);
    }
    MtmctsOptions options = {.trees = by_passage()};
    MtmctsSolution solution;
    SearchBudget budget = {.deadline = deadline_never(), .playouts = 100000};
    mtmcts_solve(f.game, &options, &budget, &solution);
    cr_expect(solution.result.is_best);
    cr_expect_eq(solution.result.score, 60);
    nested_result_free(&solution.result);
    fixture_free(&f);
}

static bool has_marks(const MtmctsTrees *trees) {
    return bitset_any(trees->mark_sets.items, trees->mark_sets.count);
}

/* After a long series of dead ends the trees by passage start over and have twice as long the next
 * time; by depth marks are taken away. The search comes to its end all the same. */
Test(mtmcts_nodes, a_series_of_dead_ends_is_left) {
    Fixture f = open_text("(role r)" STEPS "(legal r a) (legal r b) (legal r wait)"
                          "(<= (next (one ?n)) (does r a) (true (one ?o)) (succ ?o ?n))"
                          "(<= (next (one ?o)) (not (does r a)) (true (one ?o)))"
                          "(<= (next (two ?n)) (does r b) (true (two ?o)) (succ ?o ?n))"
                          "(<= (next (two ?o)) (not (does r b)) (true (two ?o)))"
                          "(init (one 0)) (init (two 0)) (<= terminal (true (step 5)))"
                          "(<= win (true (one 3)) (true (two 3))) (<= (goal r 100) win)"
                          "(<= (goal r 40) (true (one 2)) (not win))"
                          "(<= (goal r 0) (not (true (one 2))) (not win))");
    put(&f, "(one", 0);
    put(&f, "(two", 1);
    uint32_t times[2] = {0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        TreesOptions options = seed % 2 ? by_passage() : by_depth();
        options.seed = seed;
        options.descent_limit = 1;
        MtmctsTrees *trees = trees_create(f.game, &f.parts, &options);
        trees->dead_end_limit = 2;
        for (int step = 0; step < 20000 && !trees_is_exhausted(trees); step++) {
            uint64_t series = trees->dead_ends, limit = trees->dead_end_limit;
            bool had_marks = has_marks(trees);
            run(trees, 0);
            bool is_left =
                seed % 2 ? trees->dead_end_limit != limit : had_marks && !has_marks(trees);
            if (!is_left)
                continue;
            times[seed % 2]++;
            cr_assert(series + 1 == limit && trees->dead_ends == 0);
            cr_assert_eq(trees->dead_end_limit, seed % 2 ? 2 * limit : limit);
            cr_assert_eq(trees->nodes.count == 0, seed % 2 == 1);
        }
        cr_expect_eq(trees_is_exhausted(trees), seed % 2 == 1);
        cr_expect_eq(trees_counts(trees).best_score, 40);
        cr_expect_eq(replay_score(&f, trees_best_line(trees)), 40);
        trees_free(trees);
    }
    cr_expect(times[0] > 0 && times[1] > 0);
    fixture_free(&f);
}

/* ---- where values say nothing ---- */

/* Two lines of 15 places with a step on one of them a turn, and a clock. */
#define PLACES                                                                                     \
    "(role r) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)"        \
    "(succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14)"        \
    "(succ 14 15) (succ 15 16) (succ 16 17) (succ 17 18) (succ 18 19) (succ 19 20) (succ 20 21)"   \
    "(succ 21 22) (succ 22 23) (succ 23 24) (succ 24 25) (succ 25 26) (succ 26 27) (succ 27 28)"   \
    "(succ 28 29) (succ 29 30) (succ 30 31) (succ 31 32) (init (step 0))"                          \
    "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t)) (<= terminal (true (step 32)))"           \
    "(place 1) (place 2) (place 3) (place 4) (place 5) (place 6) (place 7) (place 8) (place 9)"    \
    "(place 10) (place 11) (place 12) (place 13) (place 14) (init (x 0)) (init (y 0))"             \
    "(<= (beside ?i ?j) (succ ?i ?j) (place ?j)) (<= (beside ?j ?i) (succ ?i ?j) (place ?j))"      \
    "(<= (legal r (go x ?j)) (true (x ?i)) (beside ?i ?j))"                                        \
    "(<= (legal r (go y ?j)) (true (y ?i)) (beside ?i ?j))"                                        \
    "(<= (next (x ?j)) (does r (go x ?j))) (<= (next (y ?j)) (does r (go y ?j)))"                  \
    "(<= (next (x ?i)) (true (x ?i)) (does r (go y ?j)))"                                          \
    "(<= (next (y ?i)) (true (y ?i)) (does r (go x ?j)))"                                          \
    "(<= there (true (x 14)) (true (y 14))) (<= terminal there)"                                   \
    "(<= (goal r 100) there (true (step 28))) (<= (goal r 0) (not there))"                         \
    "(<= (goal r 99) there (true (step ?s)) (distinct ?s 28))"

/* As after ten thousand playouts that came out the same. */
static void go_blind(MtmctsTrees *trees) {
    trees->was_blind = true;
    trees->alike = 10000;
}

/* Places are met in order of their distance, each with one playout, so that the far corner is
 * found by a line without a move too many. */
Test(mtmcts_nodes, what_is_far_is_found_in_order) {
    Fixture f = open_text(PLACES);
    put(&f, "(x", 0);
    put(&f, "(y", 0);
    for (uint64_t seed = 0; seed < 6; seed++) {
        TreesOptions options = seed % 2 ? by_depth() : by_passage();
        options.seed = seed;
        MtmctsTrees *trees = trees_create(f.game, &f.parts, &options);
        for (uint32_t before = 0; !trees_is_solved(trees); before = trees->deepest) {
            go_blind(trees);
            run(trees, 1);
            cr_assert(trees->deepest == before || trees->deepest == before + 1);
            cr_assert_leq(trees->nodes.count, trees_counts(trees).playouts + 1);
        }
        cr_expect_eq(replay_score(&f, trees_best_line(trees)), 100);
        cr_expect_eq(trees_best_line(trees)->count, 28);
        cr_expect_leq(trees->nodes.count, options.keys == KEYS_DEPTH ? 225 * 28 : 225);
        check_shape(trees);
        trees_free(trees);
    }
    fixture_free(&f);
}

/* With a tree for each line there is soon nothing new in either, and values decide again. */
Test(mtmcts_nodes, when_all_is_tried_values_decide) {
    Fixture f = open_text(PLACES);
    put(&f, "(x", 0);
    put(&f, "(y", 1);
    for (uint64_t seed = 0; seed < 4; seed++) {
        TreesOptions options = by_passage();
        options.seed = seed;
        MtmctsTrees *trees = trees_create(f.game, &f.parts, &options);
        while (!trees->knows_all && trees_counts(trees).playouts < 100) {
            go_blind(trees);
            run(trees, 1);
        }
        cr_expect(trees->knows_all);
        cr_expect_geq(trees->nodes.count, 15 + 15);
        run(trees, 20000);
        cr_expect(trees_is_solved(trees));
        check_shape(trees);
        trees_free(trees);
    }
    fixture_free(&f);
}

/* The board of eight_puzzle is a long way from being solved at random. */
Test(mtmcts_nodes, values_that_say_nothing_are_noticed) {
    Fixture f;
    open_file(&f, "eight_puzzle");
    for (uint32_t i = 0; i < f.game->circuit->fluent_count; i++)
        f.subgame_of[i] = PARTS_NOWHERE;
    put(&f, "(cell", 0);
    uint64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        TreesOptions options = by_passage();
        options.keeps_to_values = i > 0;
        MtmctsTrees *trees = trees_create(f.game, &f.parts, &options);
        run(trees, 10100);
        nodes[i] = trees->nodes.count;
        run(trees, 400);
        nodes[i] = trees->nodes.count - nodes[i];
        trees_free(trees);
    }
    cr_expect_eq(nodes[0], 400);
    cr_expect_lt(nodes[1], 300);
    fixture_free(&f);
}

/* Every line of this nonogram decides a cell by itself, so no line is a sub-goal: the cells are. */
Test(mtmcts_nodes, lines_are_what_the_goal_demands) {
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
