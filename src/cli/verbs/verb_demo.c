/* marelle demo: a short tour for newcomers. Each stop shows a command and its output, by running
 * the verb itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"

enum { MAX_WORDS = 8 };

typedef struct {
    const char *says;
    const Verb *verb;
    const char *words[MAX_WORDS]; /* NULL at the end; %FAULTY is the file of the last stop */
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
    {"A match between two players who move at random:",
     &verb_match,
     {"tic_tac_toe", "random", "random", "--seed", "2", "--watch", NULL}},
};

static bool write_example(char *path, const char *text) {
    int file = mkstemps(path, 4);
    bool ok = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return ok;
}

static void visit(const Stop *stop, const char *faulty, const char *crowded) {
    char *words[MAX_WORDS];
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
        verb_run(stop->verb, &command);
    command_free(&command);
}

/* The stops of the tour, as commands to run. */
static int print_stops(void) {
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        json_t *words = json_array();
        array_push(words, text_json(stops[i].verb->name));
        for (const char *const *word = stops[i].words; *word; word++)
            array_push(words, text_json(**word == '%' ? "FILE" : *word));
        array_push(list, object_of("says", text_json(stops[i].says), "command", words));
    }
    print_json(object_of("stops", list));
    return STATUS_DONE;
}

static int run_demo(const Command *command) {
    if (command->common.json)
        return print_stops();
    char faulty[] = "/tmp/marelle-demo-XXXXXX.kif", crowded[] = "/tmp/marelle-demo-XXXXXX.kif";
    bool ready = write_example(faulty, faulty_text) && write_example(crowded, crowded_text);
    if (ready) {
        puts("Marelle reads the rules of any game written in GDL, the language of General Game\n"
             "Playing. Here is a short tour.");
        for (size_t i = 0; i < sizeof stops / sizeof *stops && !interrupt_requested(); i++)
            visit(&stops[i], faulty, crowded);
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
    .description =
        "Shows what the program can do on a built-in game and two small examples. --json lists\n"
        "the commands of the tour without running them.",
    .example = "demo",
    .unused = "seed threads playouts verbose",
    .time = TIME_OF_PARTS,
    .run = run_demo,
};
