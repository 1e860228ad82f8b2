/* Takes any bytes as calls of the public interface, with right and wrong arguments, on a small game
 * with a circuit, the same without one, and one with hidden information. Nothing may crash, a
 * failed call must leave a sentence and no object, and results must be within their ranges.
 *
 * With LIBRARY_RANDOM_CALLS it is a program of its own, which draws the bytes: a test of some
 * seconds that needs no libFuzzer. */
#include <assert.h>
#include <marelle/marelle.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NIM                                                                                        \
    "(role a) (role b) (init (heap 3)) (init (control a)) (succ 0 1) (succ 1 2) (succ 2 3)"        \
    "(<= (legal ?p take) (true (control ?p))) (<= (legal ?p two) (true (control ?p))"              \
    " (true (heap 3))) (<= (legal ?p noop) (role ?p) (not (true (control ?p))))"                   \
    "(<= (next (heap ?m)) (does ?p take) (true (heap ?n)) (succ ?m ?n))"                           \
    "(<= (next (heap 1)) (does ?p two)) (<= (next (control a)) (true (control b)))"                \
    "(<= (next (control b)) (true (control a))) (<= terminal (true (heap 0)))"                     \
    "(<= (goal ?p 100) (role ?p) (not (true (control ?p)))) (<= (goal ?p 0) (true (control ?p)))"
#define GUESS                                                                                      \
    "(role you) (role random) (init (step 1)) (<= (legal random (hide 1)) (true (step 1)))"        \
    "(<= (legal random (hide 2)) (true (step 1))) (<= (legal random noop) (true (step 2)))"        \
    "(<= (legal you noop) (true (step 1))) (<= (legal you (say 1)) (true (step 2)))"               \
    "(<= (legal you (say 2)) (true (step 2))) (<= (next (hidden ?x)) (does random (hide ?x)))"     \
    "(<= (next (hidden ?x)) (true (hidden ?x))) (<= (next (said ?x)) (does you (say ?x)))"         \
    "(<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))"                    \
    "(<= (sees you odd) (does random (hide 1))) (<= terminal (true (step 3)))"                     \
    "(<= (goal you 100) (true (hidden ?x)) (true (said ?x)))"                                      \
    "(<= (goal you 0) (true (hidden ?x)) (not (true (said ?x)))) (goal random 0)"

/* More than a word of fluents. */
#define MANY                                                                                       \
    "(role a) (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7)"     \
    "(digit 8) (digit 9) (<= (init (on ?x ?x)) (digit ?x))"                                        \
    "(<= (legal a (flip ?x ?y)) (digit ?x) (digit ?y) (not (true (on ?x ?y))))"                    \
    "(<= (next (on ?x ?y)) (does a (flip ?x ?y))) (<= (next (on ?x ?y)) (true (on ?x ?y)))"        \
    "(<= terminal (true (on 0 9))) (<= (goal a 100) (true (on 0 9)))"                              \
    "(<= (goal a 0) (not (true (on 0 9))))"

enum { GAMES = 4, OBJECTS = 3 };

/* Longer inputs are games, the seeds of other targets: they take a second each. */
enum { MAX_SIZE = 500 };

static MarelleGame *games[GAMES];

/* The bytes that are left, and the objects of one input. */
typedef struct {
    const uint8_t *data;
    size_t left;
    MarelleGame *game;
    uint32_t roles;
    MarellePlay *play;
    MarelleState *states[OBJECTS];
    MarelleSearch *search;
    MarelleEnvironments *environments;
    MarelleNetwork *network;
    MarelleModel *model;
    MarellePlayer *player;
} Run;

static uint32_t byte(Run *r) {
    if (!r->left)
        return 0;
    r->left--;
    return *r->data++;
}

/* A small number, or now and then one that is far out of range. */
static uint32_t number(Run *r) {
    uint32_t n = byte(r);
    return n < 200 ? n % 8 : n < 250 ? n : UINT32_MAX - (n - 250);
}

static double seconds(Run *r) {
    static const double some[] = {0, 0.001, 0.002, -1, NAN, INFINITY, 1e-300, 0.001};
    return some[byte(r) % 8];
}

/* The same where 0 stands for a long time. */
static double few_seconds(Run *r) {
    double s = seconds(r);
    return s == 0 ? 0.001 : s;
}

/* A string of the input, or a name that means something. */
static const char *text(Run *r, char out[32]) {
    static const char *const names[] = {"uct:seed=1,memory=1",
                                        "legal",
                                        "random",
                                        "auto:memory=1",
                                        "stats",
                                        "rules",
                                        "policy",
                                        "evaluation",
                                        "take",
                                        "noop",
                                        "(say 1)",
                                        "odd",
                                        "(INFO)",
                                        "uct:playouts=",
                                        "",
                                        "cfr:memory=1",
                                        "maxn",
                                        "dot"};
    uint32_t n = byte(r);
    if (n < 200)
        return names[n % (sizeof names / sizeof *names)];
    size_t length = byte(r) % 31;
    for (size_t i = 0; i < length; i++)
        out[i] = (char)byte(r);
    out[length] = '\0';
    return out;
}

static MarelleState *state(Run *r) {
    return r->states[byte(r) % OBJECTS];
}

static MarelleBudget budget(Run *r) {
    static const bool stopped = true;
    MarelleBudget b = {.seconds = seconds(r), .playouts = byte(r), .bytes = (size_t)byte(r) << 10};
    b.stopped = byte(r) % 4 == 0 ? &stopped : NULL;
    b.reserved[0] = byte(r) > 250;
    return b;
}

/* A call either succeeds, and leaves no problem, or fails with a sentence. */
static bool check(MarelleStatus status, const MarelleProblem *problem) {
    assert(strlen(problem->text) < sizeof problem->text);
    assert((status == MARELLE_OK) == (problem->text[0] == '\0'));
    return status == MARELLE_OK;
}

static void ask_play(Run *r) {
    uint32_t joint[4] = {number(r), number(r), number(r), number(r)}, role = number(r);
    const uint32_t *moves;
    MarelleState *s = state(r);
    char own[32];
    size_t count = marelle_legal(r->play, s, role, &moves);
    if (count && role < r->roles && byte(r) % 4)
        for (uint32_t p = 0; p < r->roles; p++) {
            size_t n = marelle_legal(r->play, s, p, &moves);
            joint[p] = n ? moves[byte(r) % n] : joint[p];
        }
    marelle_next(r->play, s, joint, state(r));
    marelle_is_terminal(r->play, s);
    int goal = marelle_goal(r->play, s, role);
    assert(goal >= MARELLE_GOAL_SEVERAL && goal <= 100);
    marelle_move_text(r->play, role, joint[0]);
    marelle_fluent_text(r->play, number(r));
    assert(marelle_state_text(r->play, s));
    marelle_sees(r->play, s, joint, role);
    marelle_find_move(r->play, role, text(r, own));
    marelle_state_copy(state(r), s);
    if (byte(r) % 4 == 0)
        marelle_initial(r->play, state(r));
}

static void use_search(Run *r) {
    MarelleProblem problem;
    char own[32];
    uint32_t joint[4] = {number(r), number(r), number(r), number(r)};
    if (!r->search || byte(r) % 8 == 0) {
        marelle_search_free(r->search);
        check(marelle_search_create(r->game, number(r), text(r, own), byte(r) % 2 ? r->model : NULL,
                                    &r->search, &problem),
              &problem);
    }
    if (!r->search)
        return;
    MarelleBudget b = budget(r);
    b.playouts %= 64;
    if (!b.stopped && !b.playouts && !(b.seconds < 1))
        return;
    switch (byte(r) % 6) {
    case 0:
        check(marelle_search_set_state(r->search, state(r), &problem), &problem);
        break;
    case 1:
        check(marelle_search_advance(r->search, joint, &problem), &problem);
        break;
    case 2:
        check(marelle_search_observe(r->search, joint[0], text(r, own), &b, &problem), &problem);
        break;
    case 3:
        check(marelle_search_prepare(r->search, &b, &problem), &problem);
        break;
    default:
        check(marelle_search_run(r->search, &b, &problem), &problem);
    }
    const MarelleSearchResult *result = marelle_search_result(r->search);
    for (size_t i = 0; i < result->move_count; i++)
        assert(result->moves[i].value >= 0 && result->moves[i].value <= 100);
    assert(marelle_search_choice(r->search));
}

static void copy_matches(Run *r, const MarelleEnvironmentOutputs *out) {
    enum { COUNT = 3 };
    MarelleEnvironments *from;
    MarelleProblem problem;
    const MarelleEnvironmentOptions o = {.count = COUNT,
                                         .step_limit = byte(r) % 4,
                                         .keeps_ended = byte(r) % 2,
                                         .room = byte(r) % 4 ? 4 : 8};
    uint32_t sources[COUNT], first = byte(r) % 2 ? 0 : number(r);
    uint32_t count = byte(r) % 4;
    for (size_t i = 0; i < COUNT; i++)
        sources[i] = byte(r) % 2 ? (uint32_t)i : number(r);
    check(marelle_environments_create(r->game, &o, &from, &problem), &problem);
    check(marelle_environments_copy(r->environments, first, count,
                                    byte(r) % 5 ? from : r->environments, sources,
                                    byte(r) % 2 ? out : NULL, &problem),
          &problem);
    marelle_environments_free(from);
}

static void use_environments(Run *r) {
    enum { COUNT = 5, ROOM = 4 };
    MarelleProblem problem;
    if (!r->environments || byte(r) % 8 == 0) {
        marelle_environments_free(r->environments);
        MarelleEnvironmentOptions o = {.count = byte(r) % 8 ? COUNT : 0,
                                       .threads = byte(r) % 3,
                                       .step_limit = byte(r) % 4,
                                       .keeps_ended = byte(r) % 2,
                                       .replaces_illegal = byte(r) % 2,
                                       .room = byte(r) % 4 ? ROOM : number(r),
                                       .planes = byte(r) % 2};
        if (o.room > 1000 && o.room <= 1 << 20)
            o.room = ROOM;
        check(marelle_environments_create(r->game, &o, &r->environments, &problem), &problem);
    }
    if (!r->environments)
        return;
    MarelleEnvironmentShape s = marelle_environments_shape(r->environments);
    uint32_t moves[COUNT * 4];
    uint8_t ends[COUNT], which[COUNT];
    uint64_t *masks = calloc((size_t)s.count * s.roles * s.mask_words + 1, sizeof *masks);
    uint8_t *bytes = calloc((size_t)s.count * s.views * s.facts + 1, 1);
    MarelleEnvironmentOutputs out = {.ends = ends, .masks = masks, .observation_bytes = bytes};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        moves[i] = number(r);
    for (size_t i = 0; i < COUNT; i++)
        which[i] = byte(r) % 2;
    if (byte(r) % 3 == 0)
        marelle_environments_reset(r->environments, byte(r) % 2 ? which : NULL, &out);
    else
        marelle_environments_step(r->environments, moves, &out);
    marelle_environments_state(r->environments, number(r), state(r));
    marelle_environments_percept_text(r->environments, number(r), number(r));
    if (byte(r) % 3 == 0)
        copy_matches(r, &out);
    free(masks);
    free(bytes);
}

static void analyse(Run *r) {
    MarelleProblem problem;
    char own[32];
    MarelleAnalysis *analysis = NULL;
    MarelleDecomposition *decomposition = NULL;
    MarelleSymmetries *symmetries = NULL;
    MarelleCount counts[6];
    uint32_t counted;
    MarelleBudget b = budget(r);
    switch (byte(r) % 6) {
    case 0:
        check(marelle_analyze(
                  r->game, &(MarelleAnalysisOptions){.cpu_seconds = few_seconds(r), .matches = 3},
                  &analysis, &problem),
              &problem);
        break;
    case 1:
        check(marelle_decompose(
                  r->game,
                  &(MarelleDecompositionOptions){.method = byte(r) % 2 ? text(r, own) : NULL,
                                                 .seconds = few_seconds(r),
                                                 .playouts = 1 + byte(r),
                                                 .from = byte(r) % 2 ? state(r) : NULL,
                                                 .phi = seconds(r)},
                  &decomposition, &problem),
              &problem);
        break;
    case 2:
        check(marelle_symmetries(r->game, &(MarelleSymmetryOptions){.cpu_seconds = few_seconds(r)},
                                 &symmetries, &problem),
              &problem);
        break;
    case 3:
        b.bytes += 1 << 12;
        check(marelle_count(r->game, byte(r) % 6, &b, counts, &counted, &problem), &problem);
        assert(counted <= 6);
        break;
    case 4:
        check(marelle_game_write_circuit(r->game, text(r, own), "/dev/null", &problem), &problem);
        break;
    default:
        marelle_text_free(marelle_game_circuit(r->game));
    }
    marelle_analysis_free(analysis);
    marelle_decomposition_free(decomposition);
    marelle_symmetries_free(symmetries);
}

static void use_board(Run *r) {
    MarelleBoard *board = marelle_board_recognise(r->game, byte(r));
    MarellePictureOptions o = {.ascii = byte(r) % 2, .colour = byte(r) % 2, .width = number(r)};
    MarelleState *s = state(r);
    marelle_text_free(marelle_board_json(board));
    marelle_text_free(marelle_board_state_json(board, r->play, s, byte(r) % 2));
    marelle_text_free(marelle_board_text(board, r->play, s, byte(r) % 2 ? &o : NULL));
    marelle_text_free(marelle_board_svg(board, r->play, s, byte(r) % 2));
    marelle_board_free(board);
}

static void use_model(Run *r) {
    MarelleProblem problem;
    char own[32];
    double goals[8];
    float shares[128]; /* MANY has ninety moves at first */
    MarelleTrainingOptions o = {.kind = byte(r) % 4 ? "policy" : text(r, own),
                                .seconds = seconds(r),
                                .matches = 1,
                                .units = byte(r) % 4 ? 64 : number(r),
                                .visits = 2,
                                .threads = byte(r) % 8 ? 1 : number(r)};
    if (o.units > 64 && o.units < UINT32_MAX - 8)
        o.units = 64;
    if (!r->model && o.seconds < 1)
        check(marelle_model_train(r->game, &o, &r->model, &problem), &problem);
    if (!r->model)
        return;
    check(marelle_model_evaluate(r->model, r->play, state(r), goals, byte(r) % 2 ? shares : NULL,
                                 &problem),
          &problem);
    char *written = marelle_model_write(r->model);
    size_t length = strlen(written), at = length ? byte(r) * length / 256 : 0;
    MarelleModel *read;
    written[at] = (char)byte(r);
    check(marelle_model_read("model", written, length, &read, &problem), &problem);
    marelle_model_free(read);
    marelle_text_free(written);
}

static void use_network(Run *r) {
    MarelleProblem problem;
    char own[32];
    if (!r->network)
        check(marelle_network_build(r->game, byte(r) % 4 ? byte(r) % 4 : number(r) | 2048,
                                    byte(r) % 2, &r->network, &problem),
              &problem);
    if (!r->network)
        return;
    MarellePolicyOptions o = {.role = byte(r) % 4 ? MARELLE_FIRST_PLAYER : number(r),
                              .rule = byte(r) % 4 ? NULL : text(r, own),
                              .has_threshold = byte(r) % 4 == 0,
                              .threshold = seconds(r),
                              .forgets = byte(r) % 2,
                              .seconds = few_seconds(r)};
    MarellePolicy *policy;
    if (check(marelle_network_solve(r->network, &o, &policy, &problem), &problem))
        assert(policy->has_value == (policy->reason[0] == '\0'));
    marelle_policy_free(policy);
    marelle_text_free(marelle_network_json(r->network));
    marelle_text_free(marelle_network_write(r->network, text(r, own), number(r)));
}

static size_t choose(void *context, const MarelleQuestion *question) {
    (void)question;
    return number(context);
}

static void play_match(Run *r) {
    MarelleProblem problem;
    char own[2][32];
    MarelleMatch *match;
    MarelleSeat seats[3] = {{0}};
    for (int i = 0; i < 2; i++) {
        if (byte(r) % 2)
            seats[i].choose = choose;
        seats[i].context = r;
        seats[i].name = byte(r) % 2 ? "legal" : byte(r) % 2 ? NULL : text(r, own[i]);
        if (seats[i].name && strstr(seats[i].name, "gpu"))
            seats[i].name = "random";
    }
    MarelleMatchOptions o = {.startclock = 0.001,
                             .playclock = byte(r) % 4 ? 0.002 : seconds(r),
                             .step_limit = 1 + byte(r) % 8};
    if (!(o.playclock > 0))
        o.playclock = byte(r) % 2 ? 0.001 : -1;
    check(marelle_match_play(r->game, seats, byte(r) % 4, &o, &match, &problem), &problem);
    marelle_match_free(match);
}

static void use_player(Run *r) {
    static const char start[] = "(START m a (" NIM ") 1 1)";
    static const char *const messages[] = {
        "(INFO)",    "(PLAY m NIL)", "(PLAY m (take noop))", "(STOP m (take noop))",
        "(ABORT m)", start};
    MarelleProblem problem;
    char own[32], *answer;
    if (!r->player)
        check(marelle_player_create(
                  &(MarellePlayerOptions){.strategy = byte(r) % 4 ? "legal" : text(r, own),
                                          .margin = seconds(r),
                                          .rests = true,
                                          .never_learns = true},
                  &r->player, &problem),
              &problem);
    if (!r->player)
        return;
    const char *message = byte(r) % 4 ? messages[byte(r) % 6] : text(r, own);
    marelle_player_answer(r->player, message, strlen(message), &answer);
    assert(answer);
    marelle_text_free(answer);
}

static void read_rules(Run *r) {
    MarelleRules *rules;
    MarelleGame *game;
    MarelleProblem problem;
    char *json, own[32];
    size_t length = r->left < 64 ? r->left : 64;
    if (byte(r) % 2)
        marelle_rules_read_text("text", NIM, sizeof NIM - 1, &rules);
    else
        marelle_rules_read_text("text", (const char *)r->data, length < r->left ? length : r->left,
                                &rules);
    marelle_rules_check(rules);
    for (size_t i = 0; i < marelle_diagnostic_count(rules); i++)
        assert(marelle_diagnostic(rules, i).message);
    assert(marelle_diagnostic(rules, number(r) + 1000).message);
    marelle_text_free(marelle_rules_write(rules, (MarelleNotation)(byte(r) % 5)));
    marelle_text_free(marelle_rules_info(rules));
    MarelleBudget b = budget(r);
    b.bytes += 1 << 12;
    check(marelle_rules_ground(rules, &b, &json, &problem), &problem);
    marelle_text_free(json);
    MarelleGameOptions o = {.build_seconds = seconds(r),
                            .interpreter_only = byte(r) % 2,
                            .kernel = byte(r) % 4 ? NULL : text(r, own)};
    marelle_game_build(rules, &o, &game);
    marelle_rules_free(rules);
    marelle_game_free(game);
}

static void play_at_random(Run *r) {
    MarellePlayoutStatistics statistics;
    double means[4];
    MarellePlayoutOptions o = {.playouts = byte(r), .seconds = seconds(r), .step_limit = byte(r)};
    marelle_playouts(r->game, &o, &statistics, byte(r) % 2 ? means : NULL);
    MarelleBudget b = budget(r);
    MarelleSolution *solution;
    MarelleProblem problem;
    check(marelle_solve(r->game, byte(r) % 2 ? state(r) : NULL, &b, &solution, &problem), &problem);
    marelle_solution_free(solution);
}

static void build_games(void) {
    for (int i = 0; i < GAMES; i++) {
        MarelleRules *rules;
        const char *source = i == 2 ? GUESS : i == 3 ? MANY : NIM;
        marelle_rules_read_text("game", source, strlen(source), &rules);
        marelle_game_build(rules, &(MarelleGameOptions){.interpreter_only = i == 1}, &games[i]);
        marelle_rules_free(rules);
        assert(games[i]);
    }
}

/* Now and then a state is empty, or one of another game. */
static void put_strange_states(Run *r) {
    uint32_t which = byte(r) % 8;
    MarellePlay *other = marelle_play_create(games[which % GAMES]);
    MarelleState *empty = marelle_state_create();
    if (which < 3)
        marelle_initial(other, r->states[0]);
    if (which == 3)
        marelle_state_copy(r->states[1], empty);
    marelle_state_free(empty);
    marelle_play_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const calls[])(Run *) = {
        ask_play,   ask_play,   use_search,       use_search,    analyse,
        use_board,  use_model,  use_environments, play_match,    use_network,
        use_player, read_rules, use_environments, play_at_random};
    if (size > MAX_SIZE)
        return -1;
    if (!games[0])
        build_games();
    Run run = {.data = data, .left = size}, *r = &run;
    r->game = games[byte(r) % GAMES];
    r->roles = marelle_game_role_count(r->game);
    r->play = marelle_play_create(r->game);
    for (int i = 0; i < OBJECTS; i++) {
        r->states[i] = marelle_state_create();
        marelle_initial(r->play, r->states[i]);
    }
    put_strange_states(r);
    for (int i = 0; i < 50 && r->left; i++)
        calls[byte(r) % (sizeof calls / sizeof *calls)](r);
    marelle_player_free(r->player);
    marelle_network_free(r->network);
    marelle_environments_free(r->environments);
    marelle_search_free(r->search);
    marelle_model_free(r->model);
    for (int i = 0; i < OBJECTS; i++)
        marelle_state_free(r->states[i]);
    marelle_play_free(r->play);
    return 0;
}

#ifdef LIBRARY_RANDOM_CALLS
int main(int argc, char **argv) {
    enum { SIZE = 400 };
    unsigned long inputs = argc > 1 ? strtoul(argv[1], NULL, 10) : 300;
    uint64_t random[4];
    uint8_t data[SIZE];
    marelle_random_seed(argc > 2 ? strtoul(argv[2], NULL, 10) : 1, random);
    for (unsigned long i = 0; i < inputs; i++) {
        uint64_t mask = UINT64_MAX;
        for (int k = 0; k < SIZE; k++) {
            uint32_t bit[1];
            int value = 0;
            for (int b = 0; b < 2; b++) {
                uint64_t nibble = mask >> 48;
                marelle_masks_draw(&nibble, 1, 1, random, bit);
                value = value * 16 + (int)bit[0];
            }
            data[k] = (uint8_t)value;
        }
        LLVMFuzzerTestOneInput(data, SIZE);
    }
    for (int i = 0; i < GAMES; i++)
        marelle_game_free(games[i]);
    printf("%lu inputs\n", inputs);
    return 0;
}
#endif
