/* Plays random matches and compares the network of a turn with the reasoner in every state: joint
 * actions, successors, percepts, ends and goals.
 *
 * compare_network [--seed N] [--matches N] [--seconds S] GAME-FILE... prints a line of JSON for
 * each game, and exits with 1 if there was a difference. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

enum { STEPS = 1000 };
static const double TRANSLATION = 60; /* CPU seconds */

typedef struct {
    uint64_t seed, matches;
    double seconds; /* CPU seconds per game */
} Settings;

static bool compare_game(const char *path, const Settings *settings) {
    Report report = {0};
    Game *game = game_open(path, NULL, &report);
    Template *t = NULL;
    const char *difference = "no network";
    Comparison c = {0};
    uint64_t played = 0;
    if (game && game_has_circuit(game))
        t = template_create(game, &(TemplateOptions){.seconds = TRANSLATION}, &report);
    double started = clock_thread_cpu_seconds();
    if (t) {
        comparison_open(&c, t);
        played = compare_in_matches(&c, settings->matches, STEPS, settings->seed,
                                    cpu_budget_in(settings->seconds), &difference);
        comparison_close(&c);
    }
    printf("{\"game\": \"%s\", \"matches\": %lu, \"states\": %lu, \"outcomes\": %lu, "
           "\"cpu_seconds\": %.1f, \"difference\": \"%s\"}\n",
           path, (unsigned long)played, (unsigned long)c.states, (unsigned long)c.outcomes,
           clock_thread_cpu_seconds() - started, difference ? difference : "");
    fflush(stdout);
    template_free(t);
    game_free(game);
    report_free(&report);
    return !difference;
}

int main(int count, char **words) {
    Settings settings = {.matches = 1000, .seconds = INFINITY};
    bool ok = true;
    int at = 1;
    for (; at + 1 < count && strncmp(words[at], "--", 2) == 0; at += 2) {
        if (strcmp(words[at], "--seed") == 0)
            settings.seed = strtoull(words[at + 1], NULL, 10);
        else if (strcmp(words[at], "--matches") == 0)
            settings.matches = strtoull(words[at + 1], NULL, 10);
        else if (strcmp(words[at], "--seconds") == 0)
            settings.seconds = strtod(words[at + 1], NULL);
        else
            return 2;
    }
    for (; at < count; at++)
        ok &= compare_game(words[at], &settings);
    return ok ? 0 : 1;
}
