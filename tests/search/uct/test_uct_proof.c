/* Tests proofs: what is proven in the tree of a random small game is what backward induction finds,
 * and ends of the match that lie one or two turns ahead are seen at once. */
#include <math.h>

#include "../play_search.h"
#include "base/bitset.h"
#include "search/uct/uct.h"

TestSuite(uct_proof, .timeout = 600);

enum { NODES = 40, REACH = 9, MAX_MOVES = 3, LAST = 5, ROLES = 3, NOBODY = -1 };

/* The kinds of random games. */
typedef struct {
    const char *name, *roles[ROLES];
    uint32_t count;    /* roles */
    bool is_zero_sum;  /* of the first two roles */
    bool has_meetings; /* the first two roles sometimes choose at the same time */
} Kind;

static const Kind kinds[] = {
    {"two players", {"a", "b"}, 2, true, false},
    {"two players and chance", {"a", "b", "random"}, 3, true, false},
    {"moves at the same time", {"a", "b"}, 2, true, true},
    {"one player", {"a"}, 1, false, false},
    {"three players", {"a", "b", "c"}, 3, false, false},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A node of a random game: its end, or its moves. */
typedef struct {
    bool is_end, is_meeting; /* in a meeting both players have MAX_MOVES moves */
    uint32_t mover, count;
    uint32_t children[MAX_MOVES * MAX_MOVES];
    double values[ROLES]; /* 0..1, by backward induction */
    bool is_exact;        /* the values are certain by the rules of proofs (uct_proof.c) */
} Place;

static void settle_by_choice(const Kind *kind, const GoalRange *ranges, const Place *places,
                             Place *p) {
    const Place *best = NULL;
    bool all = true, agree = true;
    for (uint32_t i = 0; i < p->count; i++) {
        const Place *child = &places[p->children[i]];
        all &= child->is_exact;
        if (child->is_exact && (!best || child->values[p->mover] > best->values[p->mover]))
            best = child;
    }
    for (uint32_t i = 0; best && i < p->count; i++) {
        const Place *child = &places[p->children[i]];
        if (child->is_exact && child->values[p->mover] >= best->values[p->mover])
            agree &= memcmp(child->values, best->values, sizeof best->values) == 0;
    }
    bool one_decides = kind->is_zero_sum || kind->count == 1 || p->count == 1;
    double most = (ranges[p->mover].lowest + ranges[p->mover].span) / 100;
    p->is_exact =
        best && (one_decides ? all || best->values[p->mover] > most - 1e-9 : all && agree);
    if (p->is_exact)
        memcpy(p->values, best->values, sizeof p->values);
}

static void settle(const Kind *kind, const GoalRange *ranges, Place *places, uint32_t number) {
    Place *p = &places[number];
    p->is_exact = p->is_end;
    if (p->is_end || p->is_meeting)
        return;
    if (strcmp(kind->roles[p->mover], "random") != 0) {
        settle_by_choice(kind, ranges, places, p);
        return;
    }
    p->is_exact = true;
    for (uint32_t i = 0; i < p->count; i++) {
        p->is_exact &= places[p->children[i]].is_exact;
        for (uint32_t r = 0; r < ROLES; r++)
            p->values[r] += places[p->children[i]].values[r] / p->count;
    }
}

static void make_place(const Kind *kind, Random *random, Place *places, uint32_t number) {
    Place *p = &places[number];
    *p = (Place){.is_end = number && (number >= NODES - LAST || random_below(random, 3) == 0)};
    p->is_meeting = kind->has_meetings && random_below(random, 3) == 0;
    p->mover = (uint32_t)random_below(random, kind->has_meetings ? 2 : kind->count);
    p->count =
        p->is_meeting ? MAX_MOVES * MAX_MOVES : 1 + (uint32_t)random_below(random, MAX_MOVES);
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t child = number + 1 + (uint32_t)random_below(random, REACH);
        p->children[i] = child < NODES ? child : NODES - 1;
    }
    for (uint32_t r = 0; p->is_end && r < kind->count; r++)
        p->values[r] = (double)random_below(random, 3) / 2;
    if (p->is_end && kind->is_zero_sum)
        p->values[1] = 1 - p->values[0];
}

static void write_place(const Kind *kind, const Place *p, uint32_t number, Text *text) {
    if (p->is_end) {
        text_printf(text, "(end %u)", number);
        for (uint32_t r = 0; r < kind->count; r++)
            text_printf(text, "(pays %u %s %g)", number, kind->roles[r], 100 * p->values[r]);
        return;
    }
    for (uint32_t i = 0; i < p->count; i++)
        if (p->is_meeting)
            text_printf(text, "(meet %u m%u m%u %u)", number, i / MAX_MOVES, i % MAX_MOVES,
                        p->children[i]);
        else
            text_printf(text, "(way %u %s m%u %u)(acts %u %s)", number, kind->roles[p->mover], i,
                        p->children[i], number, kind->roles[p->mover]);
    if (p->is_meeting)
        text_printf(text, "(acts %u a)(acts %u b)", number, number);
}

static const char rules[] =
    "(init (at 0)) (acts none none) (meet none none none none) (way none none none none)\n"
    "(<= (legal ?r ?m) (true (at ?n)) (way ?n ?r ?m ?c))\n"
    "(<= (legal a ?m) (true (at ?n)) (meet ?n ?m ?k ?c))\n"
    "(<= (legal b ?k) (true (at ?n)) (meet ?n ?m ?k ?c))\n"
    "(<= (legal ?r noop) (role ?r) (true (at ?n)) (not (acts ?n ?r)))\n"
    "(<= (next (at ?c)) (true (at ?n)) (does ?r ?m) (way ?n ?r ?m ?c))\n"
    "(<= terminal (true (at ?n)) (end ?n))\n"
    "(<= (goal ?r ?v) (true (at ?n)) (pays ?n ?r ?v))\n";
static const char meetings[] =
    "(<= (next (at ?c)) (true (at ?n)) (does a ?m) (does b ?k) (meet ?n ?m ?k ?c))\n";

/* Makes the game and its exact values. */
static Game *make_game(const Kind *kind, uint64_t seed, Place *places, const GameOptions *options) {
    Random random;
    Text text = {0};
    random_seed(&random, seed);
    for (uint32_t r = 0; r < kind->count; r++)
        text_printf(&text, "(role %s)", kind->roles[r]);
    for (uint32_t n = 0; n < NODES; n++) {
        make_place(kind, &random, places, n);
        write_place(kind, &places[n], n, &text);
    }
    text_add(&text, rules);
    text_add(&text, kind->has_meetings ? meetings : "");
    Game *game = game_of_text(text_string(&text), options);
    vector_free(&text);
    GoalRange *ranges = goal_ranges(game);
    for (uint32_t n = NODES; n-- > 0;)
        settle(kind, ranges, places, n);
    free(ranges);
    return game;
}

static const Place *place_of(const SearchTable *t, const Place *places, const State *state) {
    char name[20];
    for (uint32_t n = 0; n < NODES; n++) {
        snprintf(name, sizeof name, "(at %u)", n);
        uint32_t fluent = game_find_fluent(t->work, name, strlen(name));
        if (fluent != MOVE_NONE && state_holds(state, fluent))
            return &places[n];
    }
    cr_assert_fail("a state is no place");
    return NULL;
}

/* Compares all that is proven in the tree; returns the number of proven nodes. */
static uint32_t compare_proofs(const SearchTable *t, const Kind *kind, const Place *places) {
    const Uct *uct = (const Uct *)t->search;
    uint32_t proven = 0;
    for (size_t i = 0; i < uct->tree.nodes.count; i++) {
        const TreeNode *node = uct->tree.nodes.items[i];
        if (!node || !node->is_proven)
            continue;
        const Place *place = place_of(t, places, &node->state);
        cr_assert(place->is_exact, "%s: node %td", kind->name, place - places);
        for (uint32_t r = 0; r < kind->count; r++)
            if (uct->ranges[r].span > 0 && strcmp(kind->roles[r], "random") != 0) {
                double goal = goal_of_value(uct->ranges[r], node->values[r]);
                cr_assert_float_eq(goal, 100 * place->values[r], 1e-4, "%s: node %td", kind->name,
                                   place - places);
            }
        proven++;
    }
    return proven;
}

/* A player whose value is certain must know it. */
static void play_random_game(const Kind *kind, uint64_t seed, SearchOptions options) {
    Place places[NODES];
    Game *game = make_game(kind, seed, places, NULL);
    SearchTable t = table_create(game, "uct", 0, options);
    const Uct *uct = (const Uct *)t.search;
    search_set_state(t.search, &t.state);
    think(&t, 64);
    compare_proofs(&t, kind, places);
    think(&t, 60000);
    compare_proofs(&t, kind, places);
    bool needs_meeting = kind->has_meetings;
    cr_expect(!places[0].is_exact || uct->root->is_proven || needs_meeting, "%s, seed %lu",
              kind->name, (unsigned long)seed);
    table_release(&t);
}

Test(uct_proof, random_games_are_proven_as_they_are) {
    for (size_t k = 0; k < KINDS; k++)
        for (uint64_t seed = 1; seed <= 40; seed++)
            play_random_game(&kinds[k], seed, (SearchOptions){.seed = seed});
}

Test(uct_proof, single_leaves_and_tight_trees_prove_nothing_else) {
    for (size_t k = 0; k < KINDS; k++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            play_random_game(&kinds[k], seed, (SearchOptions){.batch = 1, .leaf_playouts = 1});
            play_random_game(&kinds[k], seed, (SearchOptions){.batch = 3, .leaf_playouts = 2});
        }
}

Test(uct_proof, a_tree_without_room_proves_nothing_wrong) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Place places[NODES];
        Game *game = make_game(&kinds[0], seed, places, NULL);
        SearchTable t = table_create(game, "uct", 0, (SearchOptions){.node_bytes = 3000});
        search_set_state(t.search, &t.state);
        think(&t, 20000);
        compare_proofs(&t, &kinds[0], places);
        table_release(&t);
    }
}

/* One kernel is as good as another: proofs and visits are the same, bit for bit. */
Test(uct_proof, every_kernel_proves_the_same) {
    for (uint64_t seed = 1; seed <= 10; seed++) {
        SearchResult results[2] = {0};
        for (int i = 0; i < 2; i++) {
            Place places[NODES];
            GameOptions options = {.kernel = i ? KERNEL_INTERPRETED : KERNEL_AUTO};
            Game *game = make_game(&kinds[1], seed, places, &options);
            SearchTable t = table_create(game, "uct", 0, (SearchOptions){.seed = seed});
            search_set_state(t.search, &t.state);
            think(&t, 3000);
            results[i] = t.result;
            t.result = (SearchResult){0};
            table_release(&t);
        }
        cr_assert_eq(results[0].moves.count, results[1].moves.count);
        cr_assert_eq(results[0].nodes, results[1].nodes);
        for (size_t m = 0; m < results[0].moves.count; m++) {
            const SearchMove *a = &results[0].moves.items[m], *b = &results[1].moves.items[m];
            cr_assert(a->move == b->move && a->visits == b->visits && a->value == b->value &&
                      a->is_proven == b->is_proven);
        }
        search_result_free(&results[0]);
        search_result_free(&results[1]);
    }
}

/* No playout is needed to take a win that lies open. */
Test(uct_proof, a_win_in_one_is_seen_at_once) {
    static const char *const drops[] = {"(drop 4)", "noop", "noop", "(drop 1)",
                                        "(drop 4)", "noop", "noop", "(drop 1)",
                                        "(drop 4)", "noop", "noop", "(drop 1)"};
    SearchTable t = table_create(game_named("connect_four", NULL), "uct", 0, (SearchOptions){0});
    make_moves(&t, drops, sizeof drops / sizeof *drops);
    search_set_state(t.search, &t.state);
    search_result(t.search, &t.result);
    cr_assert(t.result.moves.items[0].is_proven);
    cr_assert_float_eq(t.result.moves.items[0].value, 100, 1e-9);
    assert_best(&t, "(drop 4)");
    cr_assert(t.result.is_decided);
    table_release(&t);
}

/* After one pass all moves but one are known to hand the other player a win. */
Test(uct_proof, a_threat_is_seen_within_a_pass) {
    static const char *const drops[] = {"(drop 4)", "noop", "noop",     "(drop 1)", "(drop 4)",
                                        "noop",     "noop", "(drop 2)", "(drop 4)", "noop"};
    SearchTable t = table_create(game_named("connect_four", NULL), "uct", 1, (SearchOptions){0});
    make_moves(&t, drops, sizeof drops / sizeof *drops);
    search_set_state(t.search, &t.state);
    think(&t, 512);
    assert_best(&t, "(drop 4)");
    for (size_t i = 1; i < t.result.moves.count; i++) {
        cr_expect(t.result.moves.items[i].is_proven);
        cr_expect_float_eq(t.result.moves.items[i].value, 0, 1e-9);
    }
    table_release(&t);
}

/* The value of the root may be known before its moves are: the move that makes it true is found. */
Test(uct_proof, a_proven_position_still_knows_its_move) {
    static const char *const drops[] = {"(drop 4)", "noop", "noop",     "(drop 1)", "(drop 4)",
                                        "noop",     "noop", "(drop 1)", "(drop 4)", "noop"};
    SearchTable t = table_create(game_named("connect_four", NULL), "uct", 0, (SearchOptions){0});
    make_moves(&t, drops, sizeof drops / sizeof *drops);
    search_set_state(t.search, &t.state);
    think(&t, 512);
    static const char *const careless[] = {"noop", "(drop 7)"};
    uint32_t joint[2];
    for (uint32_t r = 0; r < 2; r++)
        joint[r] = game_find_move(t.work, r, careless[r], strlen(careless[r]));
    game_next(t.work, &t.state, joint, &t.state);
    search_advance(t.search, joint, &t.state);
    search_result(t.search, &t.result);
    assert_best(&t, "(drop 4)");
    cr_assert(t.result.moves.items[0].is_proven);
    cr_assert_eq(t.result.line.count, 2);
    table_release(&t);
}
