/* Tests search over several trees on games small enough to know the right result. The figures in
 * the comments are those of an independent prototype over 200 seeds. */
#include "game/bounds.h"
#include "search/trees.h"

typedef struct {
    uint64_t most_descents, most_playouts;
    double mean_descents;
    int unsolved;
} Study;

static Study study(Fixture *f, TreesOptions options, int seeds, uint64_t playouts) {
    Study s = {0};
    for (int seed = 0; seed < seeds; seed++) {
        options.seed = (uint64_t)seed;
        MtmctsTrees *trees = mtmcts_trees_create(f->game, &f->parts, &options);
        SearchBudget budget = {.deadline = deadline_in(20), .playouts = playouts};
        mtmcts_trees_run(trees, &budget);
        TreesCounts counts = mtmcts_trees_counts(trees);
        s.unsolved += !mtmcts_trees_is_solved(trees);
        s.mean_descents += (double)counts.descents / seeds;
        s.most_descents = counts.descents > s.most_descents ? counts.descents : s.most_descents;
        s.most_playouts = counts.playouts > s.most_playouts ? counts.playouts : s.most_playouts;
        mtmcts_trees_free(trees);
    }
    return s;
}

/* ---- one descent at a time ---- */

static MtmctsTrees *trees_to_watch(Fixture *f, TreesOptions options, uint64_t seed) {
    options.seed = seed;
    options.descent_limit = 1;
    return mtmcts_trees_create(f->game, &f->parts, &options);
}

/* Makes one descent, which is in the path of the trees afterwards. True if it made a playout. */
static bool descend(MtmctsTrees *trees) {
    SearchBudget budget = {.deadline = deadline_never()};
    uint64_t before = mtmcts_trees_counts(trees).playouts;
    mtmcts_trees_run(trees, &budget);
    return mtmcts_trees_counts(trees).playouts > before;
}

/* ---- micro-games ---- */

/* After two of the three moves were tried, the trees know the effect of the third. */
Test(mtmcts_trees, known_transitions_need_no_playout) {
    Fixture f = open_text(TWO_PARTS);
    put(&f, "one", 0);
    put(&f, "two", 1);
    TreesOptions options = by_depth();
    bool saved_one = false;
    for (uint64_t seed = 0; seed < 30; seed++) {
        options.seed = seed;
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
        SearchBudget budget = {.deadline = deadline_in(20), .playouts = 2};
        mtmcts_trees_run(trees, &budget);
        cr_assert_eq(mtmcts_trees_counts(trees).playouts, 2);
        uint64_t before = mtmcts_trees_counts(trees).transitions;
        budget.playouts = 1;
        mtmcts_trees_run(trees, &budget);
        SearchResult result = {0};
        mtmcts_trees_moves(trees, &result);
        cr_assert_eq(result.moves.count, 3);
        saved_one |= before == 4; /* there are two arcs at each root */
        search_result_free(&result);
        mtmcts_trees_free(trees);
    }
    cr_assert(saved_one);
    fixture_free(&f);
}

#define OSCILLATION                                                                                \
    "(role r) (init (x 0)) (init (y 0)) (init (step 0))"                                           \
    "(legal r a) (legal r b) (legal r c) (<= (next (step 1)) (true (step 0)))"                     \
    "(<= (next (x 1)) (does r a)) (<= (next (y 1)) (does r a))"                                    \
    "(<= (next (x 2)) (does r c)) (<= (next (y 2)) (does r c))"                                    \
    "(<= (next (x 1)) (does r b)) (<= (next (y 2)) (does r b))"                                    \
    "(<= terminal (true (step 1))) (<= win (true (x 1)) (true (y 2)))"                             \
    "(<= (goal r 100) win) (<= (goal r 0) (not win))"

/* Only b wins, and both its parts are known after a and c were tried. Mean 2.0, at most 3. */
Test(mtmcts_trees, a_perfect_move_is_seen_one_step_ahead) {
    Fixture f = open_text(OSCILLATION);
    put(&f, "(x", 0);
    put(&f, "(y", 1);
    Study s = study(&f, by_depth(), 200, 100);
    cr_assert_eq(s.unsolved, 0);
    cr_assert_leq(s.most_descents, 3);
    TreesOptions blind = by_depth();
    blind.alpha = 1;
    s = study(&f, blind, 200, 1000);
    cr_assert_eq(s.unsolved, 0);
    cr_assert_leq(s.most_descents, 3);
    fixture_free(&f);
}

/* Without the rule for terminal moves (perfect ones are taken at once, others are left for last)
 * and with the score alone, trees waver between a and c. Mean 3.4, at most 35, always found, over
 * 500 seeds. */
Test(mtmcts_trees, without_the_rule_for_ends_trees_waver) {
    Fixture f = open_text(OSCILLATION);
    put(&f, "(x", 0);
    put(&f, "(y", 1);
    TreesOptions options = by_depth();
    options.alpha = 1;
    options.keeps_terminal_moves = true;
    uint64_t most = 0, sum = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        MtmctsTrees *trees = trees_to_watch(&f, options, seed);
        while (!mtmcts_trees_is_solved(trees)) {
            cr_assert(descend(trees));
            /* With this option, the test itself has to make the search overlook a perfect end. The
             * only position is the first. */
            trees->positions.items[0].winning = TREES_NONE;
        }
        uint64_t descents = mtmcts_trees_counts(trees).descents;
        cr_expect_eq(replay_score(&f, mtmcts_trees_best_line(trees)), 100);
        cr_assert_lt(descents, 1000);
        most = descents > most ? descents : most;
        sum += descents;
        mtmcts_trees_free(trees);
    }
    cr_expect(sum > 500 * 2.4 && sum < 500 * 4.4, "%g", (double)sum / 500);
    cr_expect(most > 10 && most < 100, "%lu", (unsigned long)most);
    fixture_free(&f);
}

#define TRAP                                                                                       \
    "(role r) (init (one s)) (init (two s)) (init (turn 0))"                                       \
    "(<= (next (turn 1)) (true (turn 0))) (<= (next (turn 2)) (true (turn 1)))"                    \
    "(<= (next (turn 3)) (true (turn 2))) (<= (legal r a) (true (turn 0)))"                        \
    "(<= (legal r b) (true (turn 0))) (<= (legal r c) (true (turn 0)))"                            \
    "(<= (legal r d) (true (turn 1))) (<= (legal r e) (true (turn 1)))"                            \
    "(<= (legal r f) (true (turn 2))) (<= (next (one x)) (does r a))"                              \
    "(<= (next (two y)) (does r a)) (<= (next (one z)) (does r b))"                                \
    "(<= (next (two y)) (does r b)) (<= (next (one z)) (does r c))"                                \
    "(<= (next (two u)) (does r c)) (<= (next (one w)) (does r d) (true (one z)))"                 \
    "(<= (next (one v)) (does r d) (true (one x)))"                                                \
    "(<= (next (two w)) (does r d) (true (two y)))"                                                \
    "(<= (next (two v)) (does r d) (true (two u))) (<= (next (one q)) (does r e))"                 \
    "(<= (next (two q)) (does r e)) (<= (next (one f)) (does r f))"                                \
    "(<= (next (two f)) (does r f)) (<= goes_on (true (one w)) (true (two w)))"                    \
    "(<= won (true (one f))) (<= terminal (true (turn 2)) (not goes_on)) (<= terminal won)"        \
    "(<= (goal r 100) won) (<= (goal r 0) (not won))"

/* All sequences of two moves end the match except b-d, which goes on to the win: marks on parts of
 * states would close it by mistake. Mean 6.5, at most 10 descents. */
Test(mtmcts_trees, marks_on_moves_keep_the_way_open) {
    Fixture f = open_text(TRAP);
    put(&f, "(one", 0);
    put(&f, "(two", 1);
    Study s = study(&f, by_depth(), 200, 100);
    cr_assert_eq(s.unsolved, 0);
    cr_assert_leq(s.most_descents, 14);
    cr_assert_leq(s.mean_descents, 8.0);
    fixture_free(&f);
}

/* True if both trees know the effects of d and e from their parts of the state after b. */
static bool knows_all_after_b(Fixture *f, MtmctsTrees *trees) {
    const TreesPosition *root = root_of(trees);
    for (uint32_t k = 0; k < 2; k++) {
        if (!root->is_evaluated || root->nodes[k] == TREES_NONE ||
            !bitset_get(tested_moves(trees, root->nodes[k]), move_of(f, "b")))
            return false;
        uint32_t id = mtmcts_trees_transition(trees, root->nodes[k], move_of(f, "b"));
        const uint64_t *tested = tested_moves(trees, trees->transitions.items[id].child);
        if (!bitset_get(tested, move_of(f, "d")) || !bitset_get(tested, move_of(f, "e")))
            return false;
    }
    return true;
}

/* If everything after a ends the match, a descent marks a, and nothing else, in both roots; the
 * same holds for c. b is never marked. If d is known in both parts after b, although b-d was never
 * played, the first descent through b takes d and expands below it. */
Test(mtmcts_trees, marks_are_those_of_moves_followed_to_the_end) {
    Fixture f = open_text(TRAP);
    put(&f, "(one", 0);
    put(&f, "(two", 1);
    uint32_t a = move_of(&f, "a"), b = move_of(&f, "b"), c = move_of(&f, "c");
    uint32_t with_a = 0, with_c = 0, with_both = 0, through_known = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        MtmctsTrees *trees = trees_to_watch(&f, by_depth(), seed);
        uint64_t *expected = memory_zalloc((trees->set_words + 1) * sizeof *expected);
        while (!mtmcts_trees_is_solved(trees)) {
            cr_assert_lt(mtmcts_trees_counts(trees).descents, 100);
            bool was_known = knows_all_after_b(&f, trees);
            bool is_expansion = descend(trees);
            const U32Vector *played = &trees->played;
            if (!is_expansion) { /* a dead end */
                cr_assert_eq(played->count, 1);
                cr_assert(played->items[0] == a || played->items[0] == c);
                bitset_set(expected, played->items[0]);
            } else if (played->items[0] == b && was_known) {
                cr_assert(mtmcts_trees_is_solved(trees));
                cr_assert_eq(played->count, 3);
                cr_assert_eq(played->items[1], move_of(&f, "d"));
                cr_assert_eq(played->items[2], move_of(&f, "f"));
                cr_assert_eq(trees->path.count, 3 * 2); /* all three moves are in the trees */
                through_known++;
            }
            for (uint32_t k = 0; k < 2; k++)
                cr_assert(bitset_equal(explored_moves(trees, root_of(trees)->nodes[k]), expected,
                                       trees->set_words));
            bool has_a = bitset_get(expected, a), has_c = bitset_get(expected, c);
            with_a += has_a && !has_c;
            with_c += has_c && !has_a;
            with_both += has_a && has_c;
        }
        free(expected);
        mtmcts_trees_free(trees);
    }
    cr_expect(with_a && with_c && with_both && through_known, "%u %u %u %u", with_a, with_c,
              with_both, through_known);
    fixture_free(&f);
}

/* The goal counts at step 4 alone, so the same place has different values at different depths. Mean
 * 2.9, at most 6. */
Test(mtmcts_trees, depth_tells_equal_places_apart) {
    Fixture f = open_text("(role r)" STEPS "(init (at p))"
                          "(<= (legal r go) (true (at p))) (<= (legal r back) (true (at q)))"
                          "(<= (legal r reach) (true (at q)))"
                          "(<= (next (at q)) (does r go)) (<= (next (at p)) (does r back))"
                          "(<= (next (at goal)) (does r reach))"
                          "(<= terminal (true (at goal))) (<= terminal (true (step 6)))"
                          "(<= win (true (at goal)) (true (step 4)))"
                          "(<= (goal r 100) win) (<= (goal r 0) (not win))");
    put(&f, "(at", 0);
    Study s = study(&f, by_depth(), 200, 100);
    cr_assert_eq(s.unsolved, 0);
    cr_assert_leq(s.most_descents, 8);
    s = study(&f, by_passage(), 200, 100); /* the second visit of q has its own row */
    cr_assert_eq(s.unsolved, 0);
    cr_assert_leq(s.most_descents, 12);
    fixture_free(&f);
}

/* Taking the prize scores after two waits. Waiting returns to the same part, so it makes a new
 * passage. */
Test(mtmcts_trees, waiting_is_a_passage) {
    Fixture f = open_text("(role r)" STEPS "(init (at p))"
                          "(<= (legal r wait) (true (at p))) (<= (legal r take) (true (at p)))"
                          "(<= (next (at p)) (does r wait)) (<= (next (at goal)) (does r take))"
                          "(<= terminal (true (at goal))) (<= terminal (true (step 6)))"
                          "(<= win (true (at goal)) (true (step 3)))"
                          "(<= (goal r 100) win) (<= (goal r 0) (not win))");
    put(&f, "(at", 0);
    Study s = study(&f, by_passage(), 100, 100);
    cr_assert_eq(s.unsolved, 0);
    cr_assert_leq(s.most_descents, 12);
    fixture_free(&f);
}

/* The nodes of one tree do not depend on the number of moves made in another. */
Test(mtmcts_trees, moves_elsewhere_are_no_passages) {
    Fixture f = open_text("(role r) (lamp a) (lamp b) (lamp c) (lamp d) (lamp e)"
                          "(<= (legal r (push ?l)) (lamp ?l) (not (true (lit ?l))))"
                          "(<= (next (lit ?l)) (does r (push ?l)))"
                          "(<= (next (lit ?l)) (true (lit ?l)))"
                          "(<= terminal (not some)) (<= some (lamp ?l) (not (true (lit ?l))))"
                          "(<= (goal r 50) (true (lit a))) (<= (goal r 100) (not (true (lit a))))");
    put(&f, "(lit a)", 0);
    put(&f, "(lit b)", 1);
    put(&f, "(lit c)", 2);
    put(&f, "(lit d)", 3);
    put(&f, "(lit e)", 4);
    uint64_t nodes[2];
    for (int way = 0; way < 2; way++) {
        TreesOptions options = way ? by_passage() : by_depth();
        options.descent_limit = 500;
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
        SearchBudget budget = {.deadline = deadline_in(20)};
        mtmcts_trees_run(trees, &budget);
        nodes[way] = mtmcts_trees_counts(trees).nodes;
        mtmcts_trees_free(trees);
    }
    cr_expect_eq(nodes[1], 5 * 2); /* each lamp is off or on */
    cr_expect_gt(nodes[0], 2 * nodes[1]);
    fixture_free(&f);
}

/* Either switch alone is good, but both end the match with goal 0. Mean 8.0, at most 18. */
#define SUDDEN_DEATH                                                                               \
    "(role r)" STEPS "(legal r on1) (legal r on2) (legal r wait)"                                  \
    "(<= (next one) (does r on1)) (<= (next one) (true one))"                                      \
    "(<= (next two) (does r on2)) (<= (next two) (true two)) (<= both (true one) (true two))"      \
    "(<= terminal both) (<= terminal (true (step 5)))"                                             \
    "(<= some (true one) (not both)) (<= some (true two) (not both))"                              \
    "(<= win (true (step 5)) some) (<= (goal r 100) win) (<= (goal r 0) (not win))"

/* A move that ends the match is made only if it is perfect or nothing else is left. */
Test(mtmcts_trees, sudden_death_is_avoided) {
    Fixture f = open_text(SUDDEN_DEATH);
    put(&f, "one", 0);
    put(&f, "two", 1);
    Study s = study(&f, by_depth(), 200, 200);
    cr_assert_eq(s.unsolved, 0);
    cr_assert_leq(s.mean_descents, 11.0);
    fixture_free(&f);
}

/* True if the last move of the descent ends the match with goal 0 and was chosen, not tried. A move
 * that is tried makes a transition, which then has one visit. */
static bool has_chosen_death(const MtmctsTrees *trees) {
    size_t last = trees->path_positions.count - 1;
    const TreesPosition *position = &trees->positions.items[trees->path_positions.items[last]];
    uint32_t move = trees->played.items[last];
    if (!bitset_get(position->ends, move) ||
        position->goals[mtmcts_trees_index_of(position, move)] == 100)
        return false;
    for (size_t i = trees->path.count - trees->parts.count; i < trees->path.count; i++)
        if (trees->transitions.items[trees->path.items[i]].visits == 1)
            return false;
    return true;
}

/* Only untried moves and playouts turn on the second switch; without the rule for terminal moves,
 * it is chosen as well. There is always another move. */
Test(mtmcts_trees, the_second_switch_is_never_chosen) {
    Fixture f = open_text(SUDDEN_DEATH);
    put(&f, "one", 0);
    put(&f, "two", 1);
    uint32_t deaths[2] = {0};
    for (uint64_t seed = 0; seed < 200; seed++)
        for (int without = 0; without < 2; without++) {
            TreesOptions options = by_depth();
            options.keeps_terminal_moves = without;
            MtmctsTrees *trees = trees_to_watch(&f, options, seed);
            while (!mtmcts_trees_is_solved(trees) && mtmcts_trees_counts(trees).descents < 200) {
                cr_assert(descend(trees));
                deaths[without] += has_chosen_death(trees);
            }
            mtmcts_trees_free(trees);
        }
    cr_expect_eq(deaths[0], 0);
    cr_expect_gt(deaths[1], 0);
    fixture_free(&f);
}

#define FOUR_LAMPS                                                                                 \
    "(role p) (lamp a) (lamp b) (lamp c) (lamp d)"                                                 \
    "(<= (legal p (push ?l)) (lamp ?l) (not (true (lit ?l))))"                                     \
    "(<= (next (lit ?l)) (does p (push ?l))) (<= (next (lit ?l)) (true (lit ?l)))"                 \
    "(<= terminal (true (lit a)))"                                                                 \
    "(<= (goal p 0) (not (true (lit b))) (not (true (lit c))))"                                    \
    "(<= (goal p 40) (true (lit b)) (not (true (lit c))))"                                         \
    "(<= (goal p 60) (not (true (lit b))) (true (lit c)))"                                         \
    "(<= (goal p 100) (true (lit b)) (true (lit c)))"

/* Mean 2.7, at most 7; the lamp that ends the match comes last. */
Test(mtmcts_trees, four_lamps) {
    Fixture f = open_text(FOUR_LAMPS);
    put(&f, "(lit a)", 0);
    put(&f, "(lit b)", 1);
    put(&f, "(lit c)", 2);
    Study s = study(&f, by_depth(), 200, 100);
    cr_assert_eq(s.unsolved, 0);
    cr_assert_leq(s.most_descents, 9);
    TreesOptions options = by_depth();
    MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
    SearchBudget budget = {.deadline = deadline_in(20)};
    mtmcts_trees_run(trees, &budget);
    cr_assert(mtmcts_trees_is_solved(trees));
    cr_assert_eq(replay_score(&f, mtmcts_trees_best_line(trees)), 100);
    Text last = {0};
    const U32Vector *line = mtmcts_trees_best_line(trees);
    game_move_text(f.work, 0, line->items[line->count - 1], &last);
    cr_assert_str_eq(text_string(&last), "(push a)");
    vector_free(&last);
    mtmcts_trees_free(trees);
    fixture_free(&f);
}

/* If lamp b is lit, 100 is possible, else 60; for lamp c these are 100 and 40. */
Test(mtmcts_trees, bounds_of_goals_from_parts) {
    Fixture f = open_text(FOUR_LAMPS);
    uint64_t *parts_of = memory_zalloc((f.game->circuit->fluent_count + 1) * sizeof *parts_of);
    uint32_t b = game_find_fluent(f.work, "(lit b)", 7), c = game_find_fluent(f.work, "(lit c)", 7);
    parts_of[b] = 1;
    parts_of[c] = 2;
    GoalBounds *bounds = bounds_create(f.game, parts_of, 2);
    State state = {0};
    int least, greatest;
    game_initial(f.work, &state);
    bounds_evaluate(bounds, &state);
    bounds_goal(bounds, 0, 0, &least, &greatest);
    cr_assert(least == 0 && greatest == 60);
    bounds_goal(bounds, 1, 0, &least, &greatest);
    cr_assert(least == 0 && greatest == 40);
    state_set(&state, b);
    state_set(&state, c);
    bounds_evaluate(bounds, &state);
    bounds_goal(bounds, 0, 0, &least, &greatest);
    cr_assert(least == 40 && greatest == 100);
    bounds_goal(bounds, 1, 0, &least, &greatest);
    cr_assert(least == 60 && greatest == 100);
    bounds_free(bounds);
    free(parts_of);
    state_free(&state);
    fixture_free(&f);
}

/* The parts cut through fluents that belong together. The trees disagree with each other and are
 * merged, and the game is still solved. */
Test(mtmcts_trees, a_wrong_decomposition_is_noticed) {
    Fixture f = open_text("(role r)" STEPS "(init (x 0)) (init (y 0)) (legal r up) (legal r stay)"
                          "(<= (next (x ?n)) (does r up) (true (x ?o)) (succ ?o ?n))"
                          "(<= (next (x ?o)) (does r stay) (true (x ?o)))"
                          "(<= (next (y ?n)) (does r up) (true (x 1)) (true (y ?o)) (succ ?o ?n))"
                          "(<= (next (y ?o)) (does r up) (not (true (x 1))) (true (y ?o)))"
                          "(<= (next (y ?o)) (does r stay) (true (y ?o)))"
                          "(<= terminal (true (step 5))) (<= win (true (y 1)) (true (x 2)))"
                          "(<= (goal r 100) win) (<= (goal r 0) (not win))");
    put(&f, "(x", 0);
    put(&f, "(y", 1);
    uint64_t merges = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        TreesOptions options = by_depth();
        options.seed = seed;
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
        SearchBudget budget = {.deadline = deadline_in(20), .playouts = 2000};
        mtmcts_trees_run(trees, &budget);
        cr_assert(mtmcts_trees_is_solved(trees));
        cr_assert_eq(replay_score(&f, mtmcts_trees_best_line(trees)), 100);
        merges += mtmcts_trees_counts(trees).illegal_merges;
        mtmcts_trees_free(trees);
    }
    cr_assert_gt(merges, 0);
    fixture_free(&f);
}

/* For every partition of the fluents, all moves are legal, every line has the score that the search
 * reports, and one seed gives one result. */
Test(mtmcts_trees, any_partition_plays_by_the_rules) {
    static const char *const names[] = {"incredible", "blocks_world", "maze", "lights_on"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Fixture f = {0};
        open_file(&f, names[i]);
        Random random;
        random_seed(&random, 7);
        for (uint32_t parts = 1; parts <= 4; parts++) { /* even seeds by passage */
            for (uint32_t k = 0; k < f.game->circuit->fluent_count; k++)
                f.subgame_of[k] = (uint32_t)random_below(&random, parts);
            f.parts.count = parts;
            uint64_t playouts[2];
            for (int again = 0; again < 2; again++) {
                TreesOptions options = parts % 2 ? by_depth() : by_passage();
                options.seed = parts;
                options.descent_limit = 3000;
                MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
                SearchBudget budget = {.deadline = deadline_in(60), .playouts = 300};
                mtmcts_trees_run(trees, &budget);
                TreesCounts counts = mtmcts_trees_counts(trees);
                if (counts.best_score >= 0)
                    cr_assert_eq(replay_score(&f, mtmcts_trees_best_line(trees)),
                                 counts.best_score);
                playouts[again] = counts.playouts + 1000 * counts.nodes;
                mtmcts_trees_free(trees);
            }
            cr_assert_eq(playouts[0], playouts[1]);
        }
        fixture_free(&f);
    }
}

/* When the match moves on, the nodes below are kept and the best line is shortened. */
Test(mtmcts_trees, goes_on_with_the_match) {
    Fixture f = open_text(SUDDEN_DEATH);
    put(&f, "one", 0);
    put(&f, "two", 1);
    TreesOptions options = by_depth();
    MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
    State state = {0}, next = {0};
    game_initial(f.work, &state);
    mtmcts_trees_set_state(trees, &state);
    while (!game_is_terminal(f.work, &state)) {
        SearchBudget budget = {.deadline = deadline_in(20), .playouts = 20};
        mtmcts_trees_run(trees, &budget);
        SearchResult result = {0};
        mtmcts_trees_moves(trees, &result);
        cr_assert_gt(result.moves.count, 0);
        uint32_t move = result.moves.items[0].move;
        search_result_free(&result);
        game_next(f.work, &state, &move, &next);
        mtmcts_trees_advance(trees, &next);
        state_copy(&state, &next);
    }
    cr_assert_eq(game_goal(f.work, &state, 0), 100);
    mtmcts_trees_free(trees);
    state_free(&state);
    state_free(&next);
    fixture_free(&f);
}

/* Both hands have the same effects: every move has a twin, and playouts make either of them. */
#define TWINS                                                                                      \
    "(role r)" STEPS "(hand left) (hand right) (<= (legal r (up ?h)) (hand ?h))"                   \
    "(<= (legal r (stay ?h)) (hand ?h)) (init (n 0))"                                              \
    "(<= (next (n ?k)) (does r (up ?h)) (true (n ?i)) (succ ?i ?k))"                               \
    "(<= (next (n ?i)) (does r (stay ?h)) (true (n ?i)))"                                          \
    "(<= terminal (true (step 5))) (<= (goal r 80) (true (n 3)))"                                  \
    "(<= (goal r 0) (true (n ?i)) (distinct ?i 3))"

/* A proven line is played, also if the line goes on with a move that stands for its twin, and if
 * the manager reports a twin of the chosen move. */
Test(mtmcts_trees, a_line_of_twins_is_kept) {
    Fixture f = open_text(TWINS);
    put(&f, "(n", 0);
    int other_names = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        TreesOptions options = seed % 2 ? by_depth() : by_passage();
        options.seed = seed;
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
        State state = {0}, next = {0}, after = {0};
        U32Vector legal = {0};
        SearchResult result = {0};
        SearchBudget budget = {.deadline = deadline_never()};
        mtmcts_trees_run(trees, &budget);
        cr_assert(mtmcts_trees_is_solved(trees));
        game_initial(f.work, &state);
        for (size_t left = 5; left; left--) {
            cr_assert(mtmcts_trees_is_solved(trees));
            const U32Vector *line = mtmcts_trees_best_line(trees);
            cr_assert_eq(line->count, left);
            uint32_t planned = line->items[0];
            mtmcts_trees_moves(trees, &result);
            uint32_t move = result.moves.items[0].move;
            cr_assert_eq(result.moves.count, 2);
            cr_assert_eq(line->items[0], move);
            other_names += move != planned;
            game_next(f.work, &state, &move, &next);
            game_legal(f.work, &state, 0, &legal);
            for (size_t i = 0; i < legal.count && seed % 3 == 0; i++) {
                game_next(f.work, &state, &legal.items[i], &after);
                if (state_equal(&after, &next))
                    move = legal.items[i];
            }
            game_next(f.work, &state, &move, &next);
            mtmcts_trees_advance(trees, &next);
            state_copy(&state, &next);
        }
        cr_expect(game_is_terminal(f.work, &state));
        cr_expect_eq(game_goal(f.work, &state, 0), mtmcts_trees_counts(trees).best_score);
        search_result_free(&result);
        vector_free(&legal);
        state_free(&state);
        state_free(&next);
        state_free(&after);
        mtmcts_trees_free(trees);
    }
    cr_expect_gt(other_names, 0);
    fixture_free(&f);
}
