/* Tests the values of nodes and actions of MAC-UCB: when nodes are solved and pulled, how sampled
 * values are kept, how outcomes of chance share their values, and the sizes of leaves. */
#include "macucb_support.h"

/* A deer that stays while the hunter shoots loses at once. Everything else goes on for more turns
 * than can be searched, and a deer that stayed then wins. */
static const char DEER_AND_HUNTER[] =
    "(role deer) (role hunter) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)"
    "(succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11)"
    "(succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16)"
    "(<= (legal deer stay) (true (step 0))) (<= (legal deer hide) (true (step 0)))"
    "(<= (legal hunter shoot) (true (step 0))) (<= (legal hunter wait) (true (step 0)))"
    "(<= (legal ?r left) (role ?r) (not (true (step 0))))"
    "(<= (legal ?r right) (role ?r) (not (true (step 0))))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= (next (went ?r ?m)) (true (step ?m)) (does ?r left))"
    "(<= (next (went ?r ?m)) (true (went ?r ?m)))"
    "(<= (next hidden) (does deer hide)) (<= (next hidden) (true hidden))"
    "(<= (next shot) (does deer stay) (does hunter shoot))"
    "(<= terminal (true shot)) (<= terminal (true (step 16)))"
    "(<= (goal deer 40) (true hidden)) (<= (goal hunter 60) (true hidden))"
    "(<= (goal deer 0) (true shot)) (<= (goal hunter 100) (true shot))"
    "(<= (goal deer 100) (not (true hidden)) (not (true shot)))"
    "(<= (goal hunter 0) (not (true hidden)) (not (true shot)))";

/* The hunter has to learn that shooting wins, although nothing below it is left to solve, and the
 * deer that staying loses. */
Test(macucb_values, what_is_known_to_the_end_counts_where_several_choose) {
    SearchTable t =
        table_create(game_of_text(DEER_AND_HUNTER, NULL), "mac-ucb", 0, (SearchOptions){.seed = 1});
    search_set_state(t.search, &t.state);
    think(&t, 50000);
    cr_assert_eq(t.result.best, game_find_move(t.work, 0, "hide", 4));
    cr_assert_float_eq(value_of(&t, "hide"), 40, 1e-6);
    cr_assert_lt(value_of(&t, "stay"), 35);
    table_release(&t);
}

/* If several roles choose at once, the visits of the moves are still at most the number of
 * playouts. */
Test(macucb_values, visits_of_arms_are_pulls) {
    for (uint32_t leaf = 4; leaf <= 64; leaf *= 4) {
        SearchTable t = table_create(game_of_text(DEER_AND_HUNTER, NULL), "mac-ucb", 0,
                                     (SearchOptions){.seed = 5, .leaf_playouts = leaf});
        uint64_t visits = 0;
        search_set_state(t.search, &t.state);
        think(&t, 20000);
        for (size_t i = 0; i < t.result.moves.count; i++)
            visits += t.result.moves.items[i].visits;
        cr_assert(visits > 100 && visits <= t.result.playouts, "leaf %u: %lu", leaf,
                  (unsigned long)visits);
        table_release(&t);
    }
}

/* If a turn has many successors, most nodes are never solved; they have a sampled value
 * nevertheless. */
Test(macucb_values, nodes_are_solved_when_ways_lead_to_them) {
    SearchTable t = solve("breakthrough", "mac-ucb", (MacUcbOptions){0}, 20000);
    const MacUcb *m = (const MacUcb *)t.search;
    uint32_t sampled = 0, solved = 0;
    for (uint32_t i = 0; i < m->nodes.count; i++) {
        const MacUcbNode *n = &m->nodes.items[i];
        if (n->status == MAC_NEW && n->is_sampled) {
            cr_assert(macucb_has_value(n) && !macucb_is_evaluated(n) &&
                      n->pulls >= MACUCB_MIN_VALUE_PULLS);
            double value = macucb_node_values((MacUcb *)t.search, i, MAC_VALUE)[0];
            cr_assert(value >= 0 && value <= 1);
            sampled++;
        } else if (n->status == MAC_EVALUATED && i != m->root) {
            cr_assert_geq(n->visits, 2);
            solved++;
        }
    }
    cr_assert(sampled > 10 && solved > 10, "%u and %u", sampled, solved);
    table_release(&t);
    t = solve("tic_tac_toe", "mac-ucb", (MacUcbOptions){0}, 20000);
    m = (const MacUcb *)t.search;
    for (uint32_t i = 0; i < m->nodes.count; i++)
        cr_assert_not(m->nodes.items[i].is_sampled);
    table_release(&t);
}

/* One of twenty keys loses at once, and a door that has just been solved shows no more than that.
 * It keeps its sampled value, and no other value is backed up, until its keys are pulled. */
Test(macucb_values, sampled_values_stay_until_actions_are_pulled) {
    static const char rules[] =
        "(role a) (init (at 0)) (s 1 2) (s 2 3) (s 3 4) (s 4 5) (s 5 6)"
        "(n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9) (n 10) (n 11) (n 12) (n 13) (n 14)"
        "(n 15) (n 16) (n 17) (n 18) (n 19) (n 20)"
        "(<= (legal a (door ?i)) (true (at 0)) (n ?i))"
        "(<= (legal a (key ?i)) (not (true (at 0))) (n ?i))"
        "(<= (next (at 1)) (does a (door ?i)))"
        "(<= (next (door ?i)) (does a (door ?i))) (<= (next (door ?i)) (true (door ?i)))"
        "(<= (next (key ?i)) (does a (key ?i)))"
        "(<= (next (at ?y)) (true (at ?x)) (s ?x ?y))"
        "(<= (next lost) (does a (key 1)) (true (at 1)))"
        "(<= terminal (true lost)) (<= terminal (true (at 6)))"
        "(<= (goal a 0) (true lost)) (<= (goal a 100) (not (true lost)))";
    SearchTable t =
        table_create(game_of_text(rules, NULL), "mac-ucb", 0, (SearchOptions){.seed = 1});
    MacUcb *m = (MacUcb *)t.search;
    uint32_t solved = 0, known = 0;
    search_set_state(t.search, &t.state);
    think(&t, 1500);
    known = (uint32_t)m->nodes.count;
    for (uint32_t i = 0; i < known; i++) {
        if (m->nodes.items[i].status != MAC_NEW || !m->nodes.items[i].is_sampled)
            continue;
        double sampled = macucb_node_values(m, i, MAC_VALUE)[0];
        uint32_t above = m->nodes.items[i].parent;
        macucb_plan(m, i);
        macucb_solve_planned(m);
        macucb_back_up(m, &i, 1);
        const MacUcbNode *n = &m->nodes.items[i];
        cr_assert(n->status == MAC_SOLVED && n->edge_count == 20 && macucb_has_value(n));
        cr_assert_eq(macucb_node_values(m, i, MAC_VALUE)[0], sampled);
        cr_assert_eq(n->reported_value, sampled);
        cr_assert_eq(macucb_edge_values(m, above, MAC_VALUE)[0], sampled);
        macucb_pull(m, &i, 1);
        macucb_back_up(m, &i, 1);
        cr_assert(macucb_is_evaluated(&m->nodes.items[i]));
        cr_assert_gt(macucb_node_values(m, i, MAC_VALUE)[0], 0.8);
        solved++;
    }
    cr_assert_gt(solved, 5, "%u", solved);
    table_release(&t);
}

/* Behind each of twenty doors both roles pick one of seventy cards: too many joint actions for
 * edges. The sampled value of such a room still counts when its arms are pulled. */
Test(macucb_values, sampled_values_stay_where_actions_are_too_many) {
    static const char rules[] =
        "(role a) (role b) (init outside)"
        "(n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9) (n 10) (n 11) (n 12) (n 13) (n 14)"
        "(n 15) (n 16) (n 17) (n 18) (n 19) (n 20)"
        "(suit 1) (suit 2) (suit 3) (suit 4) (suit 5) (suit 6) (suit 7)"
        "(rank 1) (rank 2) (rank 3) (rank 4) (rank 5) (rank 6) (rank 7) (rank 8) (rank 9) (rank 10)"
        "(<= (legal a (door ?i)) (true outside) (n ?i)) (<= (legal b noop) (true outside))"
        "(<= (legal ?r (pick ?s ?k)) (role ?r) (true inside) (suit ?s) (rank ?k))"
        "(<= (next inside) (true outside)) (<= (next (door ?i)) (does a (door ?i)))"
        "(<= (next over) (true inside))"
        "(<= (next same) (does a (pick ?s ?k)) (does b (pick ?s ?l)))"
        "(<= terminal (true over))"
        "(<= (goal a 100) (true same)) (<= (goal a 0) (not (true same)))"
        "(<= (goal b 0) (true same)) (<= (goal b 100) (not (true same)))";
    SearchTable t =
        table_create(game_of_text(rules, NULL), "mac-ucb", 0, (SearchOptions){.seed = 1});
    MacUcb *m = (MacUcb *)t.search;
    uint32_t flat = 0;
    search_set_state(t.search, &t.state);
    think(&t, 1500);
    for (uint32_t i = 0; i < m->nodes.count; i++) {
        MacUcbNode *n = &m->nodes.items[i];
        if (n->status != MAC_NEW || !n->is_sampled)
            continue;
        uint32_t sampled = n->pulls;
        double sum = sampled * macucb_node_values(m, i, MAC_VALUE)[0];
        macucb_plan(m, i);
        cr_assert(n->status == MAC_FLAT && n->rewards == sampled);
        macucb_pull(m, &i, 1);
        for (uint32_t a = n->first_arm; a < n->first_arm + n->arm_count; a++)
            sum += m->arms.items[a].role == 0 ? m->arms.items[a].sum : 0;
        cr_assert_eq(n->rewards, sampled + n->pulls);
        cr_assert_float_eq(macucb_node_values(m, i, MAC_VALUE)[0], sum / n->rewards, 1e-9);
        flat++;
    }
    cr_assert_gt(flat, 5, "%u", flat);
    table_release(&t);
}

/* Nodes in which nobody has a choice need no estimate: they are never pulled for their own sake,
 * and their sampled value stands for outcomes of unknown value. */
Test(macucb_values, ways_go_on_where_nobody_chooses) {
    SearchTable t = solve("kaeseklau", "mac-ucb", (MacUcbOptions){0}, 20000);
    MacUcb *m = (MacUcb *)t.search;
    uint32_t passed = 0, waiting = 0, decisions = 0;
    for (uint32_t i = 0; i < m->nodes.count; i++) {
        const MacUcbNode *n = &m->nodes.items[i];
        waiting += n->waits_for;
        decisions += n->status == MAC_EVALUATED && n->mover < m->roles;
        if (n->mover != MAC_NOBODY || (n->status != MAC_SOLVED && n->status != MAC_EVALUATED))
            continue;
        const MacUcbEdge *e = &m->edges.items[n->first_edge];
        cr_assert(!n->waits_for && macucb_is_open(n) && !macucb_lacking(n));
        cr_assert_eq(n->edge_count, 1);
        cr_assert_geq(e->pulls, n->pulls);
        cr_assert(n->status == MAC_SOLVED || e->is_known);
        passed++;
    }
    cr_assert_eq(waiting, m->waiting);
    cr_assert(passed > 20 && decisions > 5, "%u and %u", passed, decisions);
    table_release(&t);
}

/* Dice that are thrown one after the other are nodes in which nobody chooses. A path goes on below
 * them until a node is pulled, so every visit of a node is a pull of it or of a node below. The
 * first pulls of a node are 8 where chance moves and 30 where a role has a choice, unless the lanes
 * of the pass are full. */
Test(macucb_values, every_way_through_chance_ends_with_pulls) {
    static const char *const games[] = {"cant_stop", "kaeseklau"};
    uint32_t small = 0, few = 0, enough = 0, later = 0;
    for (size_t g = 0; g < 2; g++) {
        SearchTable t = solve(games[g], "mac-ucb", (MacUcbOptions){0}, 20000);
        MacUcb *m = (MacUcb *)t.search;
        cr_assert_eq(m->leaf_pulls, 8);
        for (uint32_t i = 0; i < m->nodes.count; i++) {
            const MacUcbNode *n = &m->nodes.items[i];
            if (n->status != MAC_NEW || !n->visits || n->waits_for)
                continue;
            cr_assert(n->is_sampled && n->pulls >= m->leaf_pulls * n->visits, "node %u", i);
            bool is_first = n->visits == 1, is_choice = n->mover != MAC_NOBODY;
            small += !is_choice && is_first && n->pulls == 8;
            few += is_choice && n->pulls < MACUCB_MIN_VALUE_PULLS;
            enough += is_choice && is_first && n->pulls == MACUCB_MIN_VALUE_PULLS;
            later += is_choice && n->visits == 2 && n->pulls == MACUCB_MIN_VALUE_PULLS + 8;
        }
        cr_assert_geq(m->search.depth, 5, "behind the four dice of the first throw: %u",
                      m->search.depth);
        table_release(&t);
    }
    cr_assert(small > 5 && enough > 10 * few && later > 5, "%u %u %u %u", small, few, enough,
              later);
}

/* A path goes on through chance until it has made as many states as there are lanes, or the memory
 * is full, but it does not expand all throws at once. Pulls are slow without a circuit, and the
 * first ones end the run. */
Test(macucb_values, ways_through_chance_keep_to_work_and_memory) {
    static const char rules[] =
        "(role player) (role random) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)"
        "(succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11)"
        "(succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16)"
        "(face 1) (face 2) (face 3) (face 4) (face 5) (face 6) (face 7) (face 8) (face 9)"
        "(<= (legal player high) (true (step 0))) (<= (legal player low) (true (step 0)))"
        "(<= (legal player wait) (not (true (step 0))))"
        "(<= (legal random (throw ?x ?y)) (face ?x) (face ?y))"
        "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
        "(<= (next (dice ?x ?y)) (does random (throw ?x ?y)))"
        "(<= (next low) (does player low)) (<= (next low) (true low))"
        "(<= terminal (true (step 16))) (goal random 0)"
        "(<= (goal player 100) (true (dice ?x ?x)) (not (true low)))"
        "(<= (goal player 50) (true (dice ?x ?y)) (distinct ?x ?y))"
        "(<= (goal player 0) (true (dice ?x ?x)) (true low))";
    enum { THROWS = 81, MOST = 2 * THROWS + LANES + THROWS + 1 };
    GameOptions interpreted = {.interpreter_only = true};
    size_t bytes = 0;
    for (int is_tight = 0; is_tight < 2; is_tight++) {
        SearchTable t =
            table_create(game_of_text(rules, &interpreted), "mac-ucb", 0,
                         (SearchOptions){.seed = 5,
                                         .node_bytes = is_tight ? bytes : 0,
                                         .own = &(MacUcbOptions){.never_solves_match = true}});
        MacUcb *m = (MacUcb *)t.search;
        search_set_state(t.search, &t.state);
        think(&t, 1);
        cr_assert_gt(m->nodes.count, 2 * THROWS);
        cr_assert_leq(m->nodes.count, is_tight ? MOST / 2 + THROWS : MOST, "%zu", m->nodes.count);
        bytes = m->bytes / 2; /* half of what the first search used, as the limit of the second */
        uint64_t solved = m->statistics.solved;
        think(&t, 3000);
        cr_assert_eq(m->statistics.solved > solved, !is_tight);
        table_release(&t);
    }
}

/* Checks the value of an action with six outcomes, two pulls of its own that won, and one outcome
 * that is worth a quarter after 64 pulls. That outcome counts with its own value as far as it is
 * trusted, and else as so many pulls of the action. */
static void check_one_outcome_of_six(bool is_spent, double trust) {
    SearchTable t = solve("cant_stop", "mac-ucb", (MacUcbOptions){0}, 2000);
    MacUcb *m = (MacUcb *)t.search;
    uint32_t edge = 0;
    while (m->edges.items[edge].outcome_count != 6)
        edge++;
    MacUcbEdge *e = &m->edges.items[edge];
    uint32_t node = e->node;
    for (uint32_t i = 0; i < 6; i++) {
        MacUcbNode *child = &m->nodes.items[m->outcomes.items[e->first_outcome + i].node];
        child->status = MAC_NEW;
        child->is_exact = false;
        child->is_spent = is_spent && i == 0;
        child->is_sampled = i == 0;
        child->pulls = i == 0 ? 64 : 0;
    }
    uint32_t first = m->outcomes.items[e->first_outcome].node;
    double p = m->outcomes.items[e->first_outcome].probability, weight = 6 * p * 12 * trust;
    macucb_node_values(m, first, MAC_VALUE)[0] = 0.25;
    macucb_edge_values(m, edge, MAC_SUM)[0] = 2;
    e->pulls = 2;
    e->is_stale = true;
    macucb_back_up(m, &node, 1);
    double mean = (2 + weight * 0.25) / (2 + weight);
    double expected = p * (trust * 0.25 + (1 - trust) * mean) + (1 - p) * mean;
    cr_assert_float_eq(macucb_edge_values(m, edge, MAC_VALUE)[0], expected, 1e-9, "%g %g p %g",
                       macucb_edge_values(m, edge, MAC_VALUE)[0], expected, p);
    cr_assert_lt(expected, 0.4);
    table_release(&t);
}

/* Two lucky pulls do not decide the value of all outcomes that were not followed yet: it is closer
 * to that of the outcome with 64 pulls. */
Test(macucb_values, outcomes_not_followed_yet_are_like_the_others) {
    check_one_outcome_of_six(false, 64 / 76.0);
}

/* The value of a spent outcome cannot improve, so it counts in full, however few its pulls. */
Test(macucb_values, spent_outcomes_count_for_themselves) {
    check_one_outcome_of_six(true, 1);
}

/* Checks that outcomes with a value count with it, and the others with the mean of the edge's own
 * pulls or, without pulls, of the valued outcomes. Returns the number of edges checked. */
static uint32_t check_edges_by_outcomes(MacUcb *m) {
    uint32_t several = 0;
    for (uint32_t edge = 0; edge < m->edges.count; edge++) {
        MacUcbEdge *e = &m->edges.items[edge];
        MacUcbStatus status = m->nodes.items[e->node].status;
        if (e->outcome_count < 2 || (status != MAC_SOLVED && status != MAC_EVALUATED))
            continue;
        double known = 0, sum = 0, own = macucb_edge_values(m, edge, MAC_SUM)[0];
        e->is_stale = true;
        macucb_back_up(m, &e->node, 1);
        for (uint32_t i = e->first_outcome; i < e->first_outcome + e->outcome_count; i++) {
            const MacUcbOutcome *o = &m->outcomes.items[i];
            if (!macucb_has_value(&m->nodes.items[o->node]))
                continue;
            known += o->probability;
            sum += o->probability * macucb_node_values(m, o->node, MAC_VALUE)[0];
        }
        double mean = e->pulls ? own / e->pulls : known > 0 ? sum / known : 0.5;
        cr_assert_float_eq(macucb_edge_values(m, edge, MAC_VALUE)[0], sum + (1 - known) * mean,
                           1e-9, "edge %u", edge);
        cr_assert_eq(e->is_known, e->pulls || known > 0);
        several += known > 0;
    }
    return several;
}

/* If leaves are not small, as in games with hidden information, outcomes do not share their
 * values. */
Test(macucb_values, outcomes_share_nothing_without_small_leaves) {
    static const char *const games[] = {"war", "pacman", "mastermind", "kaeseklau"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Game *game = game_named(games[i], NULL);
        uint32_t role = game_is_chance(game, 0);
        SearchTable t =
            table_create(game, "mac-ucb", role,
                         (SearchOptions){.seed = 5,
                                         .leaf_playouts = 64,
                                         .own = &(MacUcbOptions){.never_solves_match = true}});
        BeliefFilter *filter = belief_create(game, role, NULL, 1);
        search_set_belief(t.search, &filter->belief);
        think(&t, 3000);
        MacUcb *m = (MacUcb *)t.search;
        cr_assert(!macucb_has_small_leaves(m) && m->is_hidden == (i < 3), "%s", games[i]);
        uint32_t several = check_edges_by_outcomes(m);
        cr_assert_gt(several, 0, "%s", games[i]);
        belief_free(filter);
        table_release(&t);
    }
}

/* Leaves are small only in games with chance, unless options ask for another size. If they are not
 * small, confidence counts paths and not pulls. */
Test(macucb_values, leaves_are_small_where_there_is_chance) {
    static const struct {
        const char *game;
        uint32_t asked, pulls;
    } cases[] = {{"kaeseklau", 0, 8},   {"kaeseklau", 64, 64},  {"kaeseklau", 1000, 64},
                 {"mastermind", 0, 64}, {"tic_tac_toe", 0, 64}, {"tic_tac_toe", 4, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SearchTable t = table_create(game_named(cases[i].game, NULL), "mac-ucb", 0,
                                     (SearchOptions){.seed = 1, .leaf_playouts = cases[i].asked});
        MacUcb *m = (MacUcb *)t.search;
        search_set_state(t.search, &t.state);
        think(&t, 3000);
        cr_assert_eq(m->leaf_pulls, cases[i].pulls, "%s", cases[i].game);
        cr_assert_eq(macucb_has_small_leaves(m), cases[i].pulls < 64);
        cr_assert_neq(t.result.best, MOVE_NONE);
        table_release(&t);
    }
}
