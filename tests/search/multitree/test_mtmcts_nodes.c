/* Tests the nodes of the trees: moves that share a transition, the shape of the trees, and that
 * every position agrees with the interpreter. */
#include "mtmcts_support.h"

/* Returns the transition of a move from the root of a tree. *labels becomes the number of moves
 * that share it. */
static Transition *root_transition(MtmctsTrees *trees, uint32_t tree, uint32_t move,
                                   size_t *labels) {
    uint32_t id = mtmcts_trees_transition(trees, root_of(trees)->nodes[tree], move);
    *labels = bitset_count(transition_moves(trees, id), trees->set_words);
    return &trees->transitions.items[id];
}

static uint32_t votes_of(const MtmctsTrees *trees, uint32_t move) {
    uint32_t votes = 0;
    for (uint32_t p = 0; p < trees->plane_count; p++)
        votes |= (uint32_t)bitset_get(trees->planes + (size_t)p * trees->set_words, move) << p;
    return votes;
}

/* A transition of a tree has all moves that cause it as its labels, so equal effects are learnt
 * once. */
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
        /* If both trees prefer their own change, the move that makes both has both votes. */
        one->value = two->value = 1000;
        const TreesPosition *root = root_of(trees);
        memcpy(trees->candidates, root->open, trees->set_words * sizeof(uint64_t));
        cr_expect_eq(root->moves[mtmcts_trees_choose(trees, root, 0, true)], c);
        cr_expect(votes_of(trees, a) == 1 && votes_of(trees, b) == 1 && votes_of(trees, c) == 2);
        mtmcts_trees_free(trees);
    }
    fixture_free(&f);
}

/* The interpreter, which numbers fluents and moves differently. */
typedef struct {
    GameWork *work;
    uint32_t *fluents,
        *moves; /* number in the interpreter of each fluent and move of the circuit */
} Reference;

static Reference reference_of(Fixture *f) {
    const Circuit *c = f->game->circuit;
    Reference r = {.work = game_work_create(f->game, REASONER_INTERPRETER),
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

/* Compares every position met by descents, `most` of them at most, with the interpreter. */
static void check_positions(MtmctsTrees *t, const Reference *r, size_t most) {
    State state = {0}, next = {0}, after = {0};
    U32Vector legal = {0};
    for (size_t i = 0; i < t->positions.count && i < most; i++) {
        const TreesPosition *position = &t->positions.items[i];
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

/* Checks one run by depth and one by passage, or as many as it takes to make all descents. */
static void check_way(const char *name, int way, uint64_t descents, bool wants_all) {
    Fixture f = {0};
    open_file(&f, name);
    deal_out(&f, way);
    Reference reference = reference_of(&f);
    TreesOptions options = by_depth();
    options.descent_limit = descents / 2;
    for (uint64_t left = descents; left && left <= descents;) {
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
        run(trees, 0);
        check_shape(trees);
        check_positions(trees, &reference, wants_all ? 40 : 8);
        left -= mtmcts_trees_counts(trees).descents + 1;
        options.seed++;
        options.keys = options.seed % 2 ? KEYS_PASSAGE : KEYS_DEPTH;
        mtmcts_trees_free(trees);
        left = wants_all || options.keys == KEYS_PASSAGE ? left : 0;
    }
    reference_free(&reference);
    fixture_free(&f);
}

/* With MARELLE_DESCENTS=1000000 this takes minutes. */
Test(mtmcts_nodes, positions_and_trees_are_sound) {
    const char *asked = getenv("MARELLE_DESCENTS");
    uint64_t descents = asked ? strtoull(asked, NULL, 10) : 28000, count = 0;
    while (solitaires[count])
        count++;
    for (size_t i = 0; i < count; i++)
        for (int way = 0; way < WAYS; way++)
            check_way(solitaires[i], way, descents / count / WAYS, asked != NULL);
}
