/* Tests a player without a socket: whole matches, and everything that a bad manager may send. */
#include "player/player.h"

#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "game/play.h"
#include "player/protocol.h"
#include "strategy/strategy.h"

TestSuite(player, .timeout = 600);

static Player *create(const char *strategy) {
    Report report = {0};
    Player *player = player_create(
        &(PlayerOptions){.strategy = strategy, .searches_own_turn_only = true}, &report);
    cr_assert_not_null(player);
    report_free(&report);
    return player;
}

/* Returns the answer, which is valid until the next call. */
static const char *say(Player *player, const char *format, ...) {
    static Text answer, message;
    va_list arguments;
    Arena arena = {0};
    va_start(arguments, format);
    text_clear(&message);
    text_add(&message, arena_vprintf(&arena, format, arguments));
    va_end(arguments);
    arena_free(&arena);
    text_clear(&answer);
    player_handle(player, message.items, message.count, 0, &answer);
    return text_string(&answer);
}

static const char *start(Player *player, const char *match, const char *game, const char *role,
                         double startclock, double playclock) {
    char *rules = text_of_game(game);
    const char *answer =
        say(player, "(START %s %s (%s\n) %g %g)", match, role, rules, startclock, playclock);
    free(rules);
    return answer;
}

static uint32_t legal_move(Game *game, GameWork *work, const State *state, uint32_t role,
                           const char *text) {
    U32Vector legal = {0};
    game_legal(work, state, role, &legal);
    uint32_t move = game_find_move(work, role, text, strlen(text)), found = MOVE_NONE;
    (void)game;
    for (size_t i = 0; i < legal.count; i++)
        found = legal.items[i] == move ? move : found;
    vector_free(&legal);
    return found;
}

/* Plays a match of a game with hidden information and reports it as managers do. Returns the goal
 * of the player, which has the first role. */
static int play_hidden(const char *name, const char *strategy, uint64_t seed) {
    Player *player = create(strategy);
    Game *game = game_named(name, NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    Random random;
    uint32_t joint[8], turn = 0;
    Text own = {0}, seen = {0};
    random_seed(&random, seed);
    game_initial(work, &state);
    cr_assert_str_eq(start(player, "hidden", name, game->roles[0], 1, 0.2), "ready");
    for (text_add(&own, "nil"); !game_is_terminal(work, &state); turn++) {
        const char *answer =
            say(player, "(PLAY hidden %u %s (%s))", turn, text_string(&own), text_string(&seen));
        cr_assert(random_moves(game, work, &state, &random, joint));
        joint[0] = legal_move(game, work, &state, 0, answer);
        cr_assert_neq(joint[0], MOVE_NONE, "%s", answer);
        text_clear(&own);
        text_clear(&seen);
        game_move_text(work, 0, joint[0], &own);
        game_sees(work, &state, joint, 0, &seen);
        game_next(work, &state, joint, &state);
    }
    int goal = game_goal(work, &state, 0);
    cr_expect_str_eq(
        say(player, "(STOP hidden %u %s (%s))", turn, text_string(&own), text_string(&seen)),
        "done");
    vector_free(&own);
    vector_free(&seen);
    state_free(&state);
    game_work_free(work);
    game_free(game);
    player_free(player);
    return goal;
}

Test(player, every_strategy_follows_percepts) {
    static const char *const strategies[] = {"auto", "uct", "cfr", "random"};
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        play_hidden("kuhn_poker", strategies[i], i);
        play_hidden("monty_hall", strategies[i], i);
    }
}

/* Without seeing the die nobody guesses it seven times out of ten. */
Test(player, does_not_look_under_the_cup) {
    int hits = 0;
    for (uint64_t seed = 0; seed < 10; seed++)
        hits += play_hidden("guess_dice", "uct", seed) == 100;
    cr_expect_lt(hits, 7);
}

/* The player has role x; o moves at random. Asserts that every answer is legal. */
static void play_match(const char *strategy) {
    Player *player = create(strategy);
    Game *game = game_named("tic_tac_toe", NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    uint32_t joint[2];
    Random random;
    random_seed(&random, 5);
    Text moves = {0};
    cr_expect_str_eq(say(player, "(INFO)"), "available");
    cr_assert_str_eq(start(player, "m1", "tic_tac_toe", "x", 2, 0.3), "ready");
    cr_expect_str_eq(say(player, "(info)"), "busy");
    game_initial(work, &state);
    text_add(&moves, "nil");
    while (!game_is_terminal(work, &state)) {
        double before = clock_cpu_seconds();
        const char *answer = say(player, "(PLAY m1 %s)", moves.items);
        /* Two threads, the search and the builder of the circuit, have a clock of 0.3 s. */
        cr_expect(clock_cpu_seconds() - before < 2 * 0.3);
        random_moves(game, work, &state, &random, joint);
        joint[0] = legal_move(game, work, &state, 0, answer);
        cr_assert_neq(joint[0], MOVE_NONE, "%s", answer);
        text_clear(&moves);
        text_printf(&moves, "(%s ", answer);
        game_move_text(work, 1, joint[1], &moves);
        text_add_char(&moves, ')');
        game_next(work, &state, joint, &state);
    }
    cr_expect_str_eq(say(player, "(STOP m1 %s)", moves.items), "done");
    cr_expect_str_eq(say(player, "(INFO)"), "available");
    vector_free(&moves);
    state_free(&state);
    game_work_free(work);
    game_free(game);
    player_free(player);
}

Test(player, plays_legally_to_the_end) {
    play_match("random");
    play_match("legal");
}

Test(player, plays_with_a_search) {
    if (!strategy_find_method("uct"))
        cr_skip_test("there is no uct");
    play_match("uct");
}

Test(player, unknown_strategy) {
    Report report = {0};
    cr_expect_null(player_create(&(PlayerOptions){.strategy = "nonsense"}, &report));
    cr_expect(report_failed(&report));
    report_free(&report);
}

Test(player, survives_wrong_messages) {
    Player *player = create("legal");
    cr_expect_str_eq(say(player, "(PLAY m1 nil)"), "busy");
    cr_expect_str_eq(say(player, "(STOP m1 nil)"), "busy");
    cr_expect_str_eq(say(player, "(ABORT m1)"), "busy");
    cr_expect(strstr(say(player, "nonsense"), "error at 1:1"));
    cr_expect(strstr(say(player, "(START m x ((role x) (init a) 1 1)"), "never closed"));
    cr_expect_str_eq(say(player, "(INFO)"), "available");
    player_free(player);
}

Test(player, refuses_what_it_cannot_play) {
    Player *player = create("legal");
    cr_expect_str_eq(start(player, "m1", "tic_tac_toe", "nobody", 1, 1), "busy");
    cr_expect_str_eq(say(player, "(START m1 x () 1 1)"), "busy");
    cr_expect_str_eq(say(player, "(INFO)"), "available");
    cr_expect_str_eq(start(player, "m1", "tic_tac_toe", "X", 1, 1), "ready");
    player_free(player);
}

Test(player, one_match_at_a_time) {
    Player *player = create("legal");
    cr_assert_str_eq(start(player, "m1", "tic_tac_toe", "x", 1, 1), "ready");
    cr_expect_str_eq(start(player, "m2", "tic_tac_toe", "x", 1, 1), "busy");
    cr_expect_str_eq(say(player, "(PLAY m2 nil)"), "busy");
    cr_expect_str_eq(start(player, "m1", "tic_tac_toe", "o", 1, 1), "ready");
    cr_expect_str_eq(say(player, "(PLAY m1 nil)"), "noop");
    cr_expect_str_eq(say(player, "(ABORT m1)"), "done");
    cr_expect_str_eq(start(player, "m2", "tic_tac_toe", "x", 1, 1), "ready");
    player_free(player);
}

/* A second START changes nothing at any time of the match; PLAY NIL starts the match again. */
Test(player, start_twice) {
    Player *player = create("legal");
    cr_assert_str_eq(start(player, "m1", "tic_tac_toe", "x", 1, 1), "ready");
    cr_expect_str_eq(start(player, "m1", "tic_tac_toe", "x", 1, 1), "ready");
    cr_expect(strstr(say(player, "(PLAY m1 nil)"), "(mark "));
    cr_expect_str_eq(say(player, "(PLAY m1 ((mark 1 1) noop))"), "noop");
    cr_expect_str_eq(start(player, "M1", "tic_tac_toe", "X", 1, 1), "ready");
    cr_expect(strstr(say(player, "(PLAY m1 (noop (mark 2 2)))"), "(mark "));
    cr_expect_str_eq(say(player, "(PLAY m1 ((mark 1 2) noop))"), "noop");
    cr_expect(strstr(say(player, "(PLAY m1 nil)"), "(mark "));
    cr_expect_str_eq(say(player, "(PLAY m1 ((mark 1 1) noop))"), "noop");
    cr_expect_str_eq(say(player, "(STOP m1 (noop (mark 2 2)))"), "done");
    player_free(player);
}

/* With 0.1 s per move, the line found in the start clock must not be forgotten. */
Test(player, alone_it_plays_the_line_it_found) {
    Player *player = create(NULL);
    Game *game = game_named("knights_tour", NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    char last[100] = "nil";
    char *rules = text_of_game("knights_tour");
    cr_assert_str_eq(say(player, "(START k %s (%s\n) 20 0.1)", game->roles[0], rules), "ready");
    game_initial(work, &state);
    while (!game_is_terminal(work, &state)) {
        char moves[120];
        snprintf(moves, sizeof moves, strcmp(last, "nil") ? "(%s)" : "%s", last);
        snprintf(last, sizeof last, "%s", say(player, "(PLAY k %s)", moves));
        uint32_t move = legal_move(game, work, &state, 0, last);
        cr_assert_neq(move, MOVE_NONE, "%s", last);
        game_next(work, &state, &move, &state);
    }
    cr_expect_eq(game_goal(work, &state, 0), 100);
    cr_expect_str_eq(say(player, "(STOP k (%s))", last), "done");
    free(rules);
    state_free(&state);
    game_work_free(work);
    game_free(game);
    player_free(player);
}

/* If the manager reports another move than the player's answer, the manager's counts. */
Test(player, follows_the_manager) {
    Player *player = create("legal");
    cr_assert_str_eq(start(player, "m1", "tic_tac_toe", "x", 1, 1), "ready");
    char first[100];
    snprintf(first, sizeof first, "%s", say(player, "(PLAY m1 nil)"));
    const char *other = strcmp(first, "(mark 1 2)") ? "(mark 1 2)" : "(mark 2 1)";
    cr_expect_str_eq(say(player, "(PLAY m1 (%s noop))", other), "noop");
    cr_expect_str_eq(say(player, "(PLAY m1 (noop (mark 2 2)))"), first);
    player_free(player);
}

Test(player, goes_on_after_illegal_or_missing_moves) {
    Player *player = create("legal");
    cr_assert_str_eq(start(player, "m1", "tic_tac_toe", "x", 1, 1), "ready");
    cr_expect(strstr(say(player, "(PLAY m1 nil)"), "(mark "));
    cr_expect_str_eq(say(player, "(PLAY m1 ((jump 1 1) noop))"), "noop");
    cr_expect_str_neq(say(player, "(PLAY m1 (noop))"), "");
    cr_expect_str_neq(say(player, "(PLAY m1 (noop noop noop noop))"), "");
    cr_expect_str_neq(say(player, "(PLAY m1 nil)"), "");
    cr_expect_str_eq(say(player, "(STOP m1 ((mark 9 9)))"), "done");
    player_free(player);
}

Test(player, the_same_message_twice_counts_once) {
    Player *player = create("legal");
    cr_assert_str_eq(start(player, "m1", "tic_tac_toe", "x", 1, 1), "ready");
    say(player, "(PLAY m1 nil)");
    cr_expect_str_eq(say(player, "(PLAY m1 ((mark 1 1) noop))"), "noop");
    cr_expect_str_eq(say(player, "(PLAY m1 ((mark 1 1) noop))"), "noop");
    cr_expect_str_eq(say(player, "(INFO)"), "busy");
    cr_expect(strstr(say(player, "(PLAY m1 (noop (mark 1 2)))"), "(mark "));
    player_free(player);
}

/* One message never arrives. The player takes its last answer for its own move. */
Test(player, a_turn_is_missed) {
    Player *player = create("legal");
    cr_assert_str_eq(start(player, "m1", "tic_tac_toe", "x", 1, 1), "ready");
    char first[100];
    snprintf(first, sizeof first, "%s", say(player, "(PLAY m1 nil)"));
    const char *other = strcmp(first, "(mark 3 3)") ? "(mark 3 3)" : "(mark 2 2)";
    const char *second = say(player, "(PLAY m1 (noop %s))", other);
    cr_expect(strstr(second, "(mark ") && strcmp(second, first) && strcmp(second, other));
    player_free(player);
}

typedef struct {
    Player *player;
    char answer[100];
} Overtaking;

static void *play_second_turn(void *context) {
    Overtaking *o = context;
    Text answer = {0};
    static const char message[] = "(PLAY m1 (noop (mark 3 3)))";
    player_handle(o->player, message, sizeof message - 1, 0, &answer);
    snprintf(o->answer, sizeof o->answer, "%s", text_string(&answer));
    vector_free(&answer);
    return NULL;
}

/* The second message comes in before the first. */
Test(player, a_message_is_overtaken) {
    Overtaking o = {.player = create("legal")};
    cr_assert_str_eq(start(o.player, "m1", "tic_tac_toe", "x", 1, 10), "ready");
    say(o.player, "(PLAY m1 nil)");
    pthread_t thread;
    pthread_create(&thread, NULL, play_second_turn, &o);
    usleep(20000);
    cr_expect_str_eq(say(o.player, "(PLAY m1 ((mark 1 1) noop))"), "noop");
    pthread_join(thread, NULL);
    cr_expect(strstr(o.answer, "(mark "));
    cr_expect(strcmp(o.answer, "(mark 1 1)") && strcmp(o.answer, "(mark 3 3)"), "%s", o.answer);
    player_free(o.player);
}

/* Starts a search of hours that only an interruption ends. */
static void *play_long(void *player) {
    Text answer = {0};
    player_handle(player, "(PLAY m1 nil)", 13, 0, &answer);
    vector_free(&answer);
    return NULL;
}

Test(player, abort_interrupts_thinking) {
    if (!strategy_find_method("uct"))
        cr_skip_test("there is no uct");
    Player *player = create("uct");
    cr_assert_str_eq(start(player, "m1", "connect_four", "red", 1, 100000), "ready");
    pthread_t thread;
    pthread_create(&thread, NULL, play_long, player);
    usleep(200000);
    cr_expect_str_eq(say(player, "(INFO)"), "busy");
    cr_expect_str_eq(say(player, "(ABORT m1)"), "done");
    pthread_join(thread, NULL);
    cr_expect_str_eq(say(player, "(INFO)"), "available");
    player_free(player);
}

/* A search that nobody can interrupt, until the gate is opened: all judgements wait for that. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static unsigned judging; /* number of threads that have come to the gate; atomic */

static void judge_behind_gate(void *own, const State *const *states, size_t count, double *goals) {
    (void)own, (void)states;
    __atomic_add_fetch(&judging, 1, __ATOMIC_ACQ_REL);
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    for (size_t i = 0; i < 2 * count; i++)
        goals[i] = 50;
}

static const SearchEvaluation gated = {.evaluate = judge_behind_gate};

static Player *create_gated(void) {
    Report report = {0};
    Player *player =
        player_create(&(PlayerOptions){.strategy = "uct", .search.evaluation = &gated}, &report);
    cr_assert_not_null(player);
    report_free(&report);
    return player;
}

/* Matches end, and others begin, while the threads of the earlier ones still run. */
Test(player, start_right_after_the_end) {
    static const char *const ends[] = {"(STOP m1 nil)", "(ABORT m1)"};
    Player *player = create_gated();
    pthread_mutex_lock(&gate);
    for (int i = 0; i < 2; i++) {
        cr_assert_str_eq(start(player, "m1", "connect_four", "red", 0.2, 10), "ready");
        cr_expect_str_eq(say(player, ends[i]), "done");
        cr_expect_str_eq(say(player, "(INFO)"), "available");
    }
    cr_expect_str_eq(start(player, "m2", "tic_tac_toe", "o", 0.2, 0.2), "ready");
    cr_expect_str_eq(say(player, "(PLAY m1 nil)"), "busy");
    cr_expect_str_eq(say(player, "(PLAY m2 nil)"), "noop");
    cr_expect_geq(__atomic_load_n(&judging, __ATOMIC_ACQUIRE), 3);
    pthread_mutex_unlock(&gate);
    player_free(player);
}

/* The search of a PLAY does not stop, and still the match ends at once. */
Test(player, abort_does_not_wait_for_the_search) {
    Player *player = create_gated();
    pthread_t thread;
    pthread_mutex_lock(&gate);
    cr_assert_str_eq(start(player, "m1", "connect_four", "red", 0.2, 100000), "ready");
    pthread_create(&thread, NULL, play_long, player);
    usleep(20000);
    cr_expect_str_eq(say(player, "(ABORT m1)"), "done");
    pthread_join(thread, NULL);
    cr_expect_str_eq(start(player, "m2", "connect_four", "red", 0.2, 1), "ready");
    pthread_mutex_unlock(&gate);
    player_free(player);
}

/* Returns the CPU time of all threads while no message arrives. */
static double idle_cpu_seconds(bool rests) {
    Report report = {0};
    Player *player = player_create(&(PlayerOptions){.searches_own_turn_only = rests}, &report);
    cr_assert_str_eq(start(player, "m1", "connect_four", "red", 0.4, 0.4), "ready");
    cr_expect(strstr(say(player, "(PLAY m1 nil)"), "(drop "));
    usleep(50000);
    double before = clock_cpu_seconds();
    usleep(400000);
    double spent = clock_cpu_seconds() - before;
    cr_expect_str_eq(say(player, "(PLAY m1 ((drop 1) noop))"), "noop");
    report_free(&report);
    player_free(player);
    return spent;
}

/* On a crowded machine a search may return too late to be continued by its player, or get no
 * processor, so it has several attempts. */
Test(player, thinks_in_the_opponents_time) {
    double rest = idle_cpu_seconds(true), busy = 0;
    for (int chance = 0; chance < 10 && busy <= 5 * rest + 0.001; chance++)
        busy = idle_cpu_seconds(false);
    cr_expect(busy > 5 * rest + 0.001, "%g and %g", busy, rest);
}

/* A manager that dies during a match does not occupy the player for ever. */
Test(player, the_manager_dies) {
    Report report = {0};
    PlayerOptions options = {.strategy = "legal", .searches_own_turn_only = true, .patience = 0.2};
    Player *player = player_create(&options, &report);
    cr_assert_str_eq(start(player, "m1", "tic_tac_toe", "x", 0.1, 0.1), "ready");
    say(player, "(PLAY m1 nil)");
    cr_expect_str_eq(start(player, "m2", "tic_tac_toe", "o", 0.1, 0.1), "busy");
    usleep(500000);
    cr_expect_str_eq(say(player, "(INFO)"), "available");
    cr_expect_str_eq(start(player, "m2", "tic_tac_toe", "o", 0.1, 5), "ready");
    cr_expect_str_eq(say(player, "(PLAY m1 ((mark 1 1) noop))"), "busy");
    cr_expect_str_eq(say(player, "(PLAY m2 nil)"), "noop");
    report_free(&report);
    player_free(player);
}

static const char guess_text[] =
    "(role you) (role random) (init start)\n"
    "(<= (legal random (hide ?c)) (coin ?c) (true start)) (<= (legal random noop) (not (true "
    "start)))\n"
    "(coin heads) (coin tails)\n"
    "(<= (legal you noop) (true start)) (<= (legal you (say ?c)) (true (hidden ?c)))\n"
    "(<= (sees you (shown ?c)) (does random (hide ?c)))\n"
    "(<= (next (hidden ?c)) (does random (hide ?c))) (<= (next over) (does you (say ?c)))\n"
    "(<= (goal you 100) (true over)) (goal random 0) (<= terminal (true over))\n";

/* The percepts decide which moves are legal. */
Test(player, hidden_information) {
    Player *player = create("legal");
    for (int i = 0; i < 2; i++) {
        const char *coin = i ? "heads" : "tails";
        char expected[40];
        snprintf(expected, sizeof expected, "(say %s)", coin);
        cr_assert_str_eq(say(player, "(START g you (%s) 1 1)", guess_text), "ready");
        cr_expect_str_eq(say(player, "(PLAY g 0 nil nil)"), "noop");
        cr_expect_str_eq(say(player, "(PLAY g 1 noop ((shown %s)))", coin), expected);
        cr_expect_str_eq(say(player, "(STOP g 2 (say %s) nil)", coin), "done");
    }
    player_free(player);
}

/* With a day for each move: a move that is forced or proven is answered at once, and so is one for
 * which the connection has taken the day. */
Test(player, does_not_use_the_clock_in_vain) {
    static const char first[] = "(PLAY m2 nil)";
    Text answer = {0};
    Player *player = create(NULL);
    cr_assert_str_eq(start(player, "m1", "tic_tac_toe", "o", 0.5, 86400), "ready");
    cr_expect_str_eq(say(player, "(PLAY m1 nil)"), "noop");
    cr_expect_str_eq(say(player, "(PLAY m1 ((mark 1 1) noop))"), "(mark 2 2)");
    cr_expect_str_eq(say(player, "(ABORT m1)"), "done");
    cr_assert_str_eq(start(player, "m2", "connect_four", "red", 0.5, 86400), "ready");
    cr_expect(player_handle(player, first, sizeof first - 1, 86400, &answer));
    cr_expect(strstr(text_string(&answer), "(drop "));
    vector_free(&answer);
    player_free(player);
}

static const char lesson[] = "an evaluation was learnt";

/* True if the player says that it has learnt something, in the start clock or in one of `moves`
 * moves, since a busy machine may leave it little time. */
static bool learns(double learns_from, double startclock, int moves) {
    char *lines = NULL;
    size_t length;
    FILE *file = open_memstream(&lines, &length);
    Log log;
    Report report = {0};
    log_to_file(&log, LOG_INFO, file);
    PlayerOptions options = {
        .searches_own_turn_only = true, .min_learning_clock = learns_from, .log = &log};
    Player *player = player_create(&options, &report);
    Game *game = game_named("breakthrough", NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    bool has_learnt = false;
    game_initial(work, &state);
    cr_assert_str_eq(start(player, "school", "breakthrough", "white", startclock, 0.3), "ready");
    for (int i = 0; i < moves && !has_learnt; i++) {
        const char *move = say(player, "(PLAY school NIL)");
        cr_assert_neq(legal_move(game, work, &state, 0, move), MOVE_NONE, "%s", move);
        fflush(file);
        has_learnt = strstr(lines, lesson) != NULL;
    }
    cr_assert_str_eq(say(player, "(ABORT school)"), "done");
    player_free(player);
    log_close(&log);
    fclose(file);
    free(lines);
    state_free(&state);
    game_work_free(work);
    game_free(game);
    report_free(&report);
    return has_learnt;
}

Test(player, learns_in_the_start_clock) {
    cr_assert(learns(0.5, 4, 100));
}

Test(player, does_not_learn_when_the_clock_is_short) {
    cr_assert(!learns(0, 2, 2));
    cr_assert(!learns(-1, 2, 2));
}
