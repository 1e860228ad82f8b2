/* marelle demo: a short tour for newcomers. Each stop shows a command and its output, by running
 * the verb itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/games.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"

enum { MOST_WORDS = 8 };

typedef struct {
    const char *says;
    const Verb *verb;
    const char *words[MOST_WORDS]; /* NULL at the end; %FAULTY is the file of the last stop */
} Stop;

/* A description with typical mistakes. */
static const char faulty_text[] = "(role white)\n"
                                  "(init (step 1))\n"
                                  "(succ 1 2)\n"
                                  "(<= (legal white go)\n"
                                  "    (true (step ?n)))\n"
                                  "(<= (next (step ?m))\n"
                                  "    (true (step ?n))\n"
                                  "    (suc ?n ?m))\n"
                                  "(<= (goal white ?score)\n"
                                  "    (true (step 2)))\n"
                                  "(<= terminal\n"
                                  "    (true (step 2)))\n";

static const char crowded_text[] =
    "(<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y)) ; a mark stays\n"
    "(true (cell ?x ?y b))) (role x)(role o)\n";

static const Stop stops[] = {
    {"Games that come with the program:", &verb_games, {NULL}},
    {"What one of them consists of:", &verb_info, {"tic_tac_toe", "--quiet", NULL}},
    {"Is it well-formed?", &verb_check, {"tic_tac_toe", NULL}},
    {"And this description, with two mistakes in it?", &verb_check, {"%FAULTY", NULL}},
    {"Rules in the house layout:", &verb_format, {"%CROWDED", NULL}},
    {"The same rules in infix notation:", &verb_translate, {"%CROWDED", "--to", "infix", NULL}},
    {"What random matches are like:",
     &verb_simulate,
     {"connect_four", "--playouts", "20000", NULL}},
    {"And how fast they are played, from the rules alone:",
     &verb_bench,
     {"tic_tac_toe", "--seconds", "1", "--quiet", NULL}},
};

static bool write_example(char *path, const char *text) {
    int file = mkstemps(path, 4);
    bool ok = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return ok;
}

static void visit(const Stop *stop, const char *faulty, const char *crowded) {
    char *words[MOST_WORDS];
    int count = 0;
    printf("\n%s\n$ marelle %s", stop->says, stop->verb->name);
    for (; stop->words[count]; count++) {
        const char *word = stop->words[count];
        if (strcmp(word, "%FAULTY") == 0)
            word = faulty;
        else if (strcmp(word, "%CROWDED") == 0)
            word = crowded;
        words[count] = (char *)word;
        printf(" %s", word);
    }
    puts("");
    Command command;
    if (command_parse(&command, stop->verb, count, words))
        stop->verb->run(&command);
    command_free(&command);
}

/* The board of tic_tac_toe, from the fluents (cell ROW COLUMN CONTENT). */
static void print_board(const GameWork *work, const State *state) {
    char board[3][4] = {"...", "...", "..."};
    Text text = {0};
    game_state_text(work, state, &text);
    const char *at = text_string(&text);
    int column, row;
    char content;
    while ((at = strstr(at, "(cell"))) {
        if (sscanf(at, "(cell %d %d %c)", &row, &column, &content) == 3 && content != 'b' &&
            column >= 1 && column <= 3 && row >= 1 && row <= 3)
            board[row - 1][column - 1] = content;
        at++;
    }
    for (int r = 0; r < 3; r++)
        printf("    %s\n", board[r]);
    vector_free(&text);
}

/* Returns false if a role has no legal move, which means that the name belongs to another game. */
static bool play_turn(GameWork *work, const Game *game, State *state, Random *random) {
    bool stuck = false;
    U32Vector legal = {0};
    uint32_t *joint = memory_alloc(game->role_count * sizeof *joint);
    Text text = {0};
    for (uint32_t r = 0; r < game->role_count && !stuck; r++) {
        game_legal(work, state, r, &legal);
        stuck = legal.count == 0;
        if (stuck)
            break;
        joint[r] = legal.items[random_below(random, legal.count)];
        text_printf(&text, "%s%s ", r ? ", " : "  ", game->roles[r]);
        game_move_text(work, r, joint[r], &text);
    }
    if (!stuck) {
        puts(text_string(&text));
        game_next(work, state, joint, state);
    }
    vector_free(&text);
    vector_free(&legal);
    free(joint);
    return !stuck;
}

static void play_a_match(void) {
    int status;
    Game *game = open_game("tic_tac_toe", NULL, &status);
    if (!game)
        return;
    puts("\nA match of tic_tac_toe between two players who move at random:");
    GameWork *work = game_work(game, REASONER_AUTO);
    State state = {0};
    Random random;
    random_seed(&random, 2);
    game_initial(work, &state);
    while (!game_is_terminal(work, &state) && !interrupt_requested() &&
           play_turn(work, game, &state, &random))
        print_board(work, &state);
    for (uint32_t r = 0; r < game->role_count; r++)
        printf("  %s gets %d points\n", game->roles[r], game_goal(work, &state, r));
    state_free(&state);
    game_work_free(work);
    game_free(game);
}

static int run_demo(const Command *command) {
    (void)command;
    char faulty[] = "/tmp/marelle-demo-XXXXXX.kif", crowded[] = "/tmp/marelle-demo-XXXXXX.kif";
    bool ready = write_example(faulty, faulty_text) && write_example(crowded, crowded_text);
    if (ready) {
        puts("Marelle reads the rules of any game written in GDL, the language of General Game\n"
             "Playing. Here is a short tour.");
        for (size_t i = 0; i < sizeof stops / sizeof *stops && !interrupt_requested(); i++)
            visit(&stops[i], faulty, crowded);
        play_a_match();
        puts("\n`marelle help` lists all verbs.");
    } else {
        complain("cannot write the examples of the tour to /tmp");
    }
    unlink(faulty);
    unlink(crowded);
    return ready ? STATUS_DONE : STATUS_EXHAUSTED;
}

const Verb verb_demo = {
    .name = "demo",
    .arguments = "",
    .summary = "a short tour of what the program can do",
    .description = "Shows what the program can do on a built-in game and two small examples.",
    .example = "demo",
    .run = run_demo,
};
