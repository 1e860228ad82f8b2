/* Tests the interpreter on games with known answers, and on the oddities that real descriptions
 * contain. */
#include "game/interpreter/interpreter.h"

#include <pthread.h>

#include "support.h"

typedef struct {
    Rules *rules;
    Interpreter *interpreter;
    InterpreterWork *work;
    NumberSet set; /* the last set of facts */
} Play;

static Play play_rules(Rules *rules) {
    Report report = {0};
    Play play = {.rules = rules, .interpreter = interpreter_create(rules, &report)};
    cr_assert_not_null(play.interpreter, "%s", first_problem(&report));
    play.work = interpreter_work(play.interpreter);
    report_free(&report);
    return play;
}

static Play play_text(const char *text) {
    return play_rules(rules_of(text));
}

static void play_end(Play *play) {
    interpreter_work_free(play->work);
    interpreter_free(play->interpreter);
    rules_free(play->rules);
    vector_free(&play->set);
}

static int compare_strings(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef void TextOf(const Interpreter *interpreter, uint32_t number, Text *out);

/* Returns the sorted texts of a set with single blanks between them. */
static const char *texts_of(const Play *play, TextOf *text_of, const NumberSet *set) {
    static Text joined;
    char **texts = memory_alloc((set->count + 1) * sizeof *texts);
    for (size_t i = 0; i < set->count; i++) {
        Text text = {0};
        text_of(play->interpreter, set->items[i], &text);
        texts[i] = memory_strdup(text_string(&text));
        vector_free(&text);
    }
    qsort(texts, set->count, sizeof *texts, compare_strings);
    text_clear(&joined);
    for (size_t i = 0; i < set->count; i++) {
        text_printf(&joined, "%s%s", i ? " " : "", texts[i]);
        free(texts[i]);
    }
    free(texts);
    return text_string(&joined);
}

static const char *state_text(const Play *play, const NumberSet *state) {
    return texts_of(play, interpreter_fluent_text, state);
}

static const char *legal_text(Play *play, const NumberSet *state, uint32_t role) {
    interpreter_legal(play->work, state, role, &play->set);
    return texts_of(play, interpreter_move_text, &play->set);
}

static uint32_t move_named(Play *play, const char *text) {
    uint32_t move = interpreter_find_move(play->interpreter, text, strlen(text));
    cr_assert_neq(move, INTERPRETER_NONE, "no move %s", text);
    return move;
}

/* Returns the state with these fluents. */
static NumberSet state_of(Play *play, const char *const *fluents, size_t count) {
    NumberSet state = {0};
    for (size_t i = 0; i < count; i++) {
        uint32_t fluent =
            interpreter_find_fluent(play->interpreter, fluents[i], strlen(fluents[i]));
        cr_assert_neq(fluent, INTERPRETER_NONE, "no fluent %s", fluents[i]);
        size_t k = state.count;
        vector_push(&state, fluent);
        for (; k > 0 && state.items[k - 1] > fluent; k--)
            state.items[k] = state.items[k - 1];
        state.items[k] = fluent;
    }
    return state;
}

/* Asserts the legal moves of role 0 in the initial state of a game with these rules. */
static void assert_legal(const char *rules, const char *expected) {
    Play play = play_text(rules);
    NumberSet state = {0};
    interpreter_initial(play.work, &state);
    const char *legal = legal_text(&play, &state, 0);
    cr_assert_str_eq(legal, expected, "`%.200s` allows `%s`, not `%s`", rules, legal, expected);
    cr_assert(!interpreter_failed(play.work));
    vector_free(&state);
    play_end(&play);
}

static const char *creation_problem(const char *text) {
    Rules *rules = rules_of(text);
    Report report = {0};
    Interpreter *interpreter = interpreter_create(rules, &report);
    cr_assert_null(interpreter);
    const char *problem = first_problem(&report);
    report_free(&report);
    rules_free(rules);
    return problem;
}

/* Counts by ply. The walk visits each position of a ply once, with the number of paths to it. */
enum { PLIES = 12 };

typedef struct {
    uint64_t positions[PLIES], terminals[PLIES], paths[PLIES], ended_paths[PLIES], moves[PLIES];
} Census;

typedef VECTOR(NumberSet) States;

typedef struct {
    States states;
    VECTOR(uint64_t) paths;
} Ply;

static void add_position(Ply *ply, NumberSet *state, uint64_t paths) {
    for (size_t i = 0; i < ply->states.count; i++) {
        const NumberSet *other = &ply->states.items[i];
        if (other->count == state->count &&
            memcmp(other->items, state->items, state->count * sizeof *state->items) == 0) {
            ply->paths.items[i] += paths;
            vector_free(state);
            return;
        }
    }
    vector_push(&ply->states, *state);
    vector_push(&ply->paths, paths);
}

static void ply_free(Ply *ply) {
    for (size_t i = 0; i < ply->states.count; i++)
        vector_free(&ply->states.items[i]);
    vector_free(&ply->states);
    vector_free(&ply->paths);
}

/* Adds the successors of a state in a game of two roles. */
static void add_successors(Play *play, const NumberSet *state, uint64_t paths, Ply *next,
                           uint64_t *moves) {
    NumberSet first = {0}, second = {0};
    interpreter_legal(play->work, state, 0, &first);
    interpreter_legal(play->work, state, 1, &second);
    cr_assert(first.count > 0 && second.count > 0);
    for (size_t i = 0; i < first.count; i++)
        for (size_t k = 0; k < second.count; k++) {
            uint32_t choice[2] = {first.items[i], second.items[k]};
            NumberSet after = {0};
            interpreter_next(play->work, state, choice, &after);
            add_position(next, &after, paths);
            *moves += paths;
        }
    vector_free(&first);
    vector_free(&second);
}

static Census take_census(Play *play) {
    Census census = {0};
    Ply ply = {0};
    NumberSet initial = {0};
    interpreter_initial(play->work, &initial);
    add_position(&ply, &initial, 1);
    for (int depth = 0; depth < PLIES && ply.states.count > 0; depth++) {
        Ply next = {0};
        for (size_t i = 0; i < ply.states.count; i++) {
            uint64_t paths = ply.paths.items[i];
            bool is_over = interpreter_is_terminal(play->work, &ply.states.items[i]);
            census.positions[depth]++;
            census.paths[depth] += paths;
            census.terminals[depth] += is_over;
            census.ended_paths[depth] += is_over ? paths : 0;
            if (!is_over)
                add_successors(play, &ply.states.items[i], paths, &next, &census.moves[depth]);
        }
        ply_free(&ply);
        ply = next;
    }
    ply_free(&ply);
    return census;
}

static uint64_t sum(const uint64_t *counts) {
    uint64_t total = 0;
    for (int i = 0; i < PLIES; i++)
        total += counts[i];
    return total;
}

static void assert_tic_tac_toe(const Census *census) {
    static const uint64_t ended[PLIES] = {[5] = 1440, 5328, 47952, 72576, 81792 + 46080};
    cr_assert_eq(sum(census->positions), 5478);
    cr_assert_eq(sum(census->terminals), 958);
    cr_assert_eq(sum(census->paths), 549946);
    cr_assert_eq(sum(census->ended_paths), 255168);
    for (int i = 0; i < PLIES; i++)
        cr_assert_eq(census->ended_paths[i], ended[i]);
}

Test(interpreter, counts_the_positions_of_tic_tac_toe) {
    Report report = {0};
    Rules *rules = rules_read(MARELLE_TESTS "/../games/tic_tac_toe.kif", &report);
    cr_assert_not_null(rules);
    Play play = play_rules(rules);
    Census census = take_census(&play);
    assert_tic_tac_toe(&census);
    report_free(&report);
    play_end(&play);
}

#define SAME_TIC_TAC_TOE                                                                           \
    "(role x) (role o) (i 1) (i 2) (i 3) (init (control x))"                                       \
    "(<= (legal ?r (mark ?m ?n)) (true (control ?r)) (blank ?m ?n))"                               \
    "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))"                                     \
    "(<= (next (cell ?m ?n ?r)) (does ?r (mark ?m ?n)))"                                           \
    "(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))"        \
    "(<= (line ?r) (role ?r) (true (cell ?m 1 ?r)) (true (cell ?m 2 ?r)) (true (cell ?m 3 ?r)))"   \
    "(<= (line ?r) (role ?r) (true (cell 1 ?m ?r)) (true (cell 2 ?m ?r)) (true (cell 3 ?m ?r)))"   \
    "(<= (line ?r) (role ?r) (true (cell 1 1 ?r)) (true (cell 2 2 ?r)) (true (cell 3 3 ?r)))"      \
    "(<= (line ?r) (role ?r) (true (cell 1 3 ?r)) (true (cell 2 2 ?r)) (true (cell 3 1 ?r)))"      \
    "(<= terminal (line ?r)) (<= open (blank ?m ?n)) (<= terminal (not open))"                     \
    "(<= (goal ?r 100) (line ?r))"
#define BLANK_FLUENTS                                                                              \
    "(<= (init (cell ?m ?n b)) (i ?m) (i ?n)) (<= (blank ?m ?n) (true (cell ?m ?n b)))"

Test(interpreter, reads_three_formulations_of_one_game_alike) {
    static const char *const formulations[] = {
        /* a cell keeps its value for every action on another cell */
        SAME_TIC_TAC_TOE BLANK_FLUENTS
        "(<= (next (cell ?m ?n ?v)) (true (cell ?m ?n ?v)) (distinct ?v b))"
        "(<= (next (cell ?m ?n b)) (does ?w (mark ?j ?k)) (true (cell ?m ?n b))"
        "    (or (distinct ?m ?j) (distinct ?n ?k)))",
        /* a cell keeps its value unless some role marks it */
        SAME_TIC_TAC_TOE BLANK_FLUENTS
        "(<= (next (cell ?m ?n ?v)) (not (does ?w (mark ?m ?n))) (true (cell ?m ?n ?v)))",
        /* no fluents for blanks */
        SAME_TIC_TAC_TOE
        "(<= (blank ?m ?n) (i ?m) (i ?n) (not (true (cell ?m ?n x))) (not (true (cell ?m ?n o))))"
        "(<= (next ?f) (true ?f) (cell ?f)) (<= (cell (cell ?m ?n ?r)) (i ?m) (i ?n) (role ?r))",
    };
    for (size_t i = 0; i < 3; i++) {
        Play play = play_text(formulations[i]);
        Census census = take_census(&play);
        assert_tic_tac_toe(&census);
        play_end(&play);
    }
}

#define SMALL_GAME                                                                                 \
    "(role r) (base c) (base e) (base f) (input r a) (input r b) (legal r a)"                      \
    "(<= (legal r b) (true c)) (<= (next c) (does r a)) (<= d (does r a)) (<= d (true f))"         \
    "(<= (next e) d) (<= (next f) (does r b) (true e))"                                            \
    "(<= (goal r 100) (not (true e))) (<= (goal r 0) (true e)) (<= terminal (true f))"

Test(interpreter, plays_the_small_game) {
    Play play = play_text(SMALL_GAME);
    NumberSet state = {0}, next = {0};
    uint32_t a = move_named(&play, "a"), b = move_named(&play, "B");
    interpreter_initial(play.work, &state);
    cr_assert_str_eq(state_text(&play, &state), "");
    cr_assert_str_eq(legal_text(&play, &state, 0), "a");
    interpreter_next(play.work, &state, &a, &next);
    cr_assert_str_eq(state_text(&play, &next), "c e");
    cr_assert(!interpreter_is_terminal(play.work, &next));
    cr_assert_str_eq(legal_text(&play, &next, 0), "a b");
    interpreter_next(play.work, &next, &a, &state);
    cr_assert_str_eq(state_text(&play, &state), "c e");
    interpreter_next(play.work, &state, &b, &next);
    cr_assert_str_eq(state_text(&play, &next), "f");
    cr_assert(interpreter_is_terminal(play.work, &next));
    cr_assert_eq(interpreter_goal(play.work, &next, 0), 100);
    vector_free(&state);
    vector_free(&next);
    play_end(&play);
}

Test(interpreter, follows_left_recursion_in_any_order) {
    static const char *const less[] = {
        "(<= (less ?a ?b) (less ?a ?c) (succ ?c ?b)) (<= (less ?a ?b) (succ ?a ?b))",
        "(<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?b) (succ ?c ?b) (less ?a ?c))",
        "(<= (less ?a ?b) (less ?a ?c) (less ?c ?b)) (<= (less ?a ?b) (succ ?a ?b))",
    };
    for (size_t i = 0; i < 3; i++) {
        Text text = {0};
        text_printf(&text,
                    "(role r) (succ 1 2) (succ 2 3) (succ 3 4) (<= (legal r (p ?a ?b)) "
                    "(less ?a ?b)) %s",
                    less[i]);
        assert_legal(text_string(&text), "(p 1 2) (p 1 3) (p 1 4) (p 2 3) (p 2 4) (p 3 4)");
        vector_free(&text);
    }
}

Test(interpreter, follows_recursion_through_the_state) {
    assert_legal("(role r) (init (edge a b)) (init (edge b c)) (init (edge c a)) (init (edge d e))"
                 "(<= (reach ?x ?y) (true (edge ?x ?y)))"
                 "(<= (reach ?x ?y) (reach ?x ?z) (reach ?z ?y))"
                 "(<= (legal r (go ?y)) (reach a ?y))",
                 "(go a) (go b) (go c)");
    assert_legal("(role r) (init (at 1)) (n 1 2) (n 2 3) (n 3 4) (init (wall 4))"
                 "(<= (even ?x) (true (at ?x))) (<= (odd ?y) (even ?x) (n ?x ?y))"
                 "(<= (even ?y) (odd ?x) (n ?x ?y) (not (true (wall ?y))))"
                 "(<= (legal r ?x) (odd ?x))",
                 "2 4");
}

Test(interpreter, takes_negation_as_no_instance) {
    assert_legal("(role r) (q 1 a) (p 1) (p 2) (<= (legal r ?x) (p ?x) (not (q ?x ?any)))", "2");
    assert_legal("(role r) (q 1 a) (<= (legal r yes) (not (q 2 ?x)))"
                 "(<= (legal r no) (not (q ?y ?x)))",
                 "yes");
    assert_legal("(role r) (q 1 2) (<= (legal r same) (not (q ?x ?x)))", "same");
    assert_legal("(role r) (q 1 1) (<= (legal r same) (not (q ?x ?x)))", "");
    assert_legal("(role r) (init (f (g 1))) (<= (legal r a) (not (true (f (h ?x)))))"
                 "(<= (legal r b) (not (true (f (g ?x)))))",
                 "a");
}

Test(interpreter, handles_or_not_and_distinct) {
    assert_legal("(role r) (p 1) (p 2) (p 3)"
                 "(<= (legal r (m ?x ?y)) (p ?x) (p ?y) (or (distinct ?x ?y) (undefined ?x))"
                 "    (not (or (distinct ?x 1) (not (p ?y)))))",
                 "(m 1 2) (m 1 3)");
    assert_legal("(role r) (p (f 1)) (p 2) (q 1)"
                 "(<= (legal r ?x) (distinct ?x (f ?y)) (q ?y) (p ?x))",
                 "2");
    assert_legal("(role r) (p 1) (<= (legal r a) (p ?x) (not (distinct ?x 1)))", "a");
    assert_legal("(role r) (<= (legal r a) (not (undefined ?x))) (<= (legal r b) undefined)", "a");
}

Test(interpreter, matches_and_builds_nested_terms) {
    assert_legal("(role r) (init (holds (pair (s 1) 2))) (init (holds (pair 3 4)))"
                 "(<= (legal r (swap (pair ?y ?x))) (true (holds (pair ?x ?y))))"
                 "(<= (legal r (peel ?x)) (true (holds (pair (s ?x) ?y))) (known (t ?y)))"
                 "(known (t 2))",
                 "(peel 1) (swap (pair 2 (s 1))) (swap (pair 4 3))");
}

Test(interpreter, treats_every_fluent_alike_where_the_rules_do) {
    assert_legal("(role r) (init a) (init (b 1)) (init (c 1 2)) (<= (legal r (drop ?f)) (true ?f)"
                 " (distinct ?f a))",
                 "(drop (b 1)) (drop (c 1 2))");
}

Test(interpreter, lets_rules_use_keywords_as_premises) {
    assert_legal("(role r) (role s) (base (b 1)) (input r (m 1)) (init (at 0))"
                 "(<= (legal ?p ?m) (input ?p ?m)) (<= (legal s (n ?x)) (base (b ?x)))"
                 "(<= (legal r stop) terminal) (<= (legal r (see ?f)) (init ?f))"
                 "(<= terminal (goal r 100)) (<= (goal r 100) (true (at 0)))"
                 "(<= (legal r (copy ?m)) (legal s ?m))",
                 "(copy (n 1)) (m 1) (see (at 0)) stop");
}

Test(interpreter, finds_none_one_or_several_goals) {
    Play play = play_text("(role r) (role s) (role t) (legal r a) (legal s a) (legal t a)"
                          "(goal r 30) (goal s 10) (<= (goal s 20) (not (true x))) (next x)");
    NumberSet state = {0}, next = {0};
    uint32_t a = move_named(&play, "a"), moves[3] = {a, a, a};
    interpreter_initial(play.work, &state);
    cr_assert_eq(interpreter_goal(play.work, &state, 0), 30);
    cr_assert_eq(interpreter_goal(play.work, &state, 1), GOAL_SEVERAL);
    cr_assert_eq(interpreter_goal(play.work, &state, 2), GOAL_NONE);
    interpreter_next(play.work, &state, moves, &next);
    cr_assert_eq(interpreter_goal(play.work, &next, 1), 10);
    vector_free(&state);
    vector_free(&next);
    play_end(&play);
}

Test(interpreter, lets_a_goal_exclude_another_goal) {
    Play play = play_text("(role r) (role s) (init x) (<= (goal r 100) (true x))"
                          "(<= (goal ?p 0) (role ?p) (not (goal ?p 100)) (not (goal ?p 50)))"
                          "(<= (goal ?p 50) (role ?p) (not (goal ?p 100)))");
    NumberSet state = {0};
    interpreter_initial(play.work, &state);
    cr_assert_eq(interpreter_goal(play.work, &state, 0), 100);
    cr_assert_eq(interpreter_goal(play.work, &state, 1), 50);
    vector_free(&state);
    play_end(&play);
}

Test(interpreter, tells_each_role_what_it_sees) {
    Play play = play_text("(role random) (role r) (legal random (deal 1)) (legal random (deal 2))"
                          "(legal r noop) (<= (sees r (card ?c)) (does random (deal ?c)))"
                          "(<= (sees ?p turn) (not (true over)))");
    NumberSet state = {0};
    uint32_t moves[2] = {move_named(&play, "(deal 2)"), move_named(&play, "noop")};
    interpreter_sees(play.work, &state, moves, 1, &play.set);
    cr_assert_str_eq(texts_of(&play, interpreter_percept_text, &play.set), "(card 2) turn");
    interpreter_sees(play.work, &state, moves, 0, &play.set);
    cr_assert_str_eq(texts_of(&play, interpreter_percept_text, &play.set), "turn");
    play_end(&play);
}

Test(interpreter, asks_unsafe_predicates_only_about_what_is_known) {
    assert_legal("(role r) (p 1) (p 2) (<= (differ ?x ?y ?z) (distinct ?x ?y))"
                 "(<= (indirect ?x ?y) (differ ?x ?y free)) (equal ?x ?x)"
                 "(<= (legal r (m ?x ?y)) (indirect ?x ?y) (p ?x) (p ?y))"
                 "(<= (legal r (e ?x ?y)) (p ?x) (p ?y) (equal ?x ?y))"
                 "(<= (legal r (n ?x ?y)) (p ?x) (p ?y) (not (indirect ?x ?y)))"
                 "(<= (legal ?any noop) (not (true busy)))",
                 "(e 1 1) (e 2 2) (m 1 2) (m 2 1) (n 1 1) (n 2 2) noop");
}

Test(interpreter, asks_endless_predicates_only_about_what_is_known) {
    assert_legal("(role r) (num z) (<= (num (s ?x)) (num ?x)) (p (s (s z))) (p (s (t z))) (p z)"
                 "(<= (plus ?x z ?x) (num ?x)) (<= (plus ?x (s ?y) (s ?z)) (plus ?x ?y ?z))"
                 "(<= (legal r ?x) (p ?x) (num ?x))"
                 "(<= (legal r (sum ?z)) (p ?x) (p ?y) (plus ?x ?y ?z))",
                 "(s (s z)) (sum (s (s (s (s z))))) (sum (s (s z))) (sum z) z");
}

Test(interpreter, gives_up_on_growth_without_end) {
    cr_assert_str_eq(creation_problem("(role r) (num z) (<= (num (s ?x)) (num ?x))"
                                      "(<= (legal r ?x) (num ?x))"),
                     "too-large 1:10");
    Play play = play_text("(role r) (init (at z)) (legal r go) (<= (more ?x) (true (at ?x)))"
                          "(<= (more (s ?x)) (more ?x)) (<= (next (at ?x)) (more ?x))");
    NumberSet state = {0}, next = {0};
    uint32_t go = move_named(&play, "go");
    interpreter_initial(play.work, &state);
    interpreter_next(play.work, &state, &go, &next);
    cr_assert(interpreter_failed(play.work));
    cr_assert_str_eq(legal_text(&play, &state, 0), "go");
    cr_assert(!interpreter_failed(play.work));
    vector_free(&state);
    vector_free(&next);
    play_end(&play);
}

Test(interpreter, gives_up_on_joins_without_end) {
    Text text = {0};
    text_add(&text, "(role r) (<= (legal r a) (big ?a ?b ?c ?d ?e ?f) (true x)) (init x)");
    for (int i = 0; i < 100; i++)
        text_printf(&text, "(n %d)", i);
    text_add(&text, "(<= (big ?a ?b ?c ?d ?e ?f) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (true y)"
                    " (true (z ?a ?b ?c ?d ?e ?f)))"
                    "(<= (next ?q) (n ?a) (n ?b) (n ?c) (n ?d) (not (true (v ?a ?b ?c ?d))) (w ?q))"
                    "(<= (w (v ?a ?b ?c ?d)) (n ?a) (n ?b) (n ?c) (n ?d) (true x)"
                    " (distinct ?a ?b))");
    Play play = play_text(text_string(&text));
    NumberSet state = {0}, next = {0};
    interpreter_set_limits(play.work, (InterpreterLimits){1000, 1000});
    interpreter_initial(play.work, &state);
    uint32_t a = move_named(&play, "a");
    interpreter_next(play.work, &state, &a, &next);
    cr_assert(interpreter_failed(play.work));
    vector_free(&text);
    vector_free(&state);
    vector_free(&next);
    play_end(&play);
}

Test(interpreter, refuses_what_has_no_meaning) {
    cr_assert_str_eq(creation_problem("(role r) (<= (legal r ?x) (not (p ?x)))"),
                     "unsafe-variable 1:10");
    cr_assert_str_eq(creation_problem("(role r)\n(<= (legal r a) (p ?x) (distinct ?x ?y)) (p 1)"),
                     "unsafe-distinct 2:24");
    cr_assert_str_eq(creation_problem("(role r) (<= p (not q)) (<= q (not p)) (<= terminal p)"),
                     "unstratified 1:21");
    cr_assert_str_eq(creation_problem("(role r) (<= (true x) (p 1))"), "bad-head 1:10");
}

Test(interpreter, survives_descriptions_without_content) {
    static const char *const texts[] = {"", "(role r)", "(p 1)", "(<= terminal (not p))"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Play play = play_text(texts[i]);
        NumberSet state = {0};
        interpreter_initial(play.work, &state);
        cr_assert_eq(state.count, 0);
        cr_assert_eq(interpreter_is_terminal(play.work, &state), i == 3);
        for (uint32_t r = 0; r < interpreter_role_count(play.interpreter); r++)
            cr_assert_str_eq(legal_text(&play, &state, r), "");
        vector_free(&state);
        play_end(&play);
    }
}

Test(interpreter, finds_fluents_and_moves_by_their_text) {
    Play play = play_text("(role r) (init (Cell 1 (f B))) (legal r Go)");
    static const char *const names[] = {"(cell 1 (f b))"};
    NumberSet state = state_of(&play, names, 1), initial = {0};
    interpreter_initial(play.work, &initial);
    cr_assert_str_eq(state_text(&play, &initial), "(cell 1 (f b))");
    cr_assert_eq(initial.items[0], state.items[0]);
    static const char *const bad[] = {"",   "(",  "(cell",  "(cell 1))",  "nobody",
                                      "()", "?x", "cell 1", "((cell) 1)", "(cell ?x)"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_eq(interpreter_find_fluent(play.interpreter, bad[i], strlen(bad[i])),
                     INTERPRETER_NONE, "`%s` is a fluent", bad[i]);
    vector_free(&state);
    vector_free(&initial);
    play_end(&play);
}

static void *census_thread(void *context) {
    Play mine = *(Play *)context;
    mine.work = interpreter_work(mine.interpreter);
    Census *census = memory_alloc(sizeof *census);
    *census = take_census(&mine);
    interpreter_work_free(mine.work);
    return census;
}

Test(interpreter, serves_several_threads_at_once) {
    Report report = {0};
    Play play = play_rules(rules_read(MARELLE_TESTS "/../games/tic_tac_toe.kif", &report));
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, census_thread, &play);
    for (int i = 0; i < 3; i++) {
        void *census;
        pthread_join(threads[i], &census);
        assert_tic_tac_toe(census);
        free(census);
    }
    report_free(&report);
    play_end(&play);
}
