/* marelle symmetry: the automorphisms of a game's rules, once with every role fixed and once with
 * players exchanged. */
#include <stdio.h>

#include "analysis/symmetry/symmetry.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "server/json/inside_json.h"

enum { SHOWN_CYCLES = 6, SHOWN_ORBITS = 12, SHOWN_MEMBERS = 8 };

typedef struct {
    double cpu_seconds;
} VerbOptions;

static const Option options[] = {
    {"cpu", 0, OPTION_SECONDS, "S", OWN(cpu_seconds),
     "CPU seconds to spend once the game is built (default 10)"},
};

typedef struct {
    CircuitNames names;
    const Symmetries *fixed, *swapping; /* swapping: NULL if there is only one player */
    bool all;
} Page;

/* Prints the cycles of a permutation without its fixed points. A long list is cut off. */
static void print_cycles(const Page *page, const char *label, const uint32_t *images,
                         uint32_t count, CircuitNameWriter *write) {
    uint8_t *seen = memory_zalloc(count + 1);
    Text line = {0};
    size_t cycles = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (seen[i] || images[i] == i)
            continue;
        bool shown = page->all || cycles < SHOWN_CYCLES;
        cycles++;
        text_add(&line, shown ? "  [" : "");
        for (uint32_t j = i; !seen[j]; j = images[j]) {
            seen[j] = 1;
            if (shown)
                write(&page->names, j, &line);
            if (shown && images[j] != i)
                text_add(&line, " -> ");
        }
        text_add(&line, shown ? "]" : "");
    }
    if (cycles)
        printf("    %s%s", label, text_string(&line));
    if (!page->all && cycles > SHOWN_CYCLES)
        printf("  and %zu more cycles", cycles - SHOWN_CYCLES);
    if (cycles)
        puts("");
    vector_free(&line);
    free(seen);
}

static void print_generators(const Page *page, const Symmetries *s) {
    enum { SHOWN_GENERATORS = 10 };
    size_t shown = page->all || s->generators.count < SHOWN_GENERATORS ? s->generators.count
                                                                       : SHOWN_GENERATORS;
    for (size_t i = 0; i < shown; i++) {
        const GamePermutation *p = &s->generators.items[i];
        printf("  generator %zu\n", i + 1);
        print_cycles(page, "roles  ", p->roles, s->role_count, write_circuit_role);
        print_cycles(page, "fluents", p->fluents, s->fluent_count, write_circuit_fluent);
        print_cycles(page, "moves  ", p->moves, s->move_count, write_circuit_move);
    }
    if (shown < s->generators.count)
        printf("  and %zu more\n", s->generators.count - shown);
}

static size_t count_orbits(const uint32_t *orbits, uint32_t count) {
    size_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += orbits[i] == i;
    return found;
}

/* Prints the orbits with more than one element. */
static void print_orbits(const Page *page, const char *label, const uint32_t *orbits,
                         uint32_t count, CircuitNameWriter *write) {
    printf("%s%u in %zu orbits\n", label, count, count_orbits(orbits, count));
    size_t shown = 0;
    for (uint32_t i = 0; i < count && (page->all || shown < SHOWN_ORBITS); i++) {
        Text line = {0};
        size_t members = 0;
        for (uint32_t j = i; j < count; j++) {
            if (orbits[j] != i)
                continue;
            if (page->all || members < SHOWN_MEMBERS) {
                text_add(&line, members ? ", " : "");
                write(&page->names, j, &line);
            }
            members++;
        }
        if (members > 1) {
            printf("  %zu: %s%s\n", members, text_string(&line),
                   !page->all && members > SHOWN_MEMBERS ? ", ..." : "");
            shown++;
        }
        vector_free(&line);
    }
}

static void print_group(const Symmetries *s, const char *what) {
    if (s->order)
        printf("symmetries    %s %s (%zu generator%s, tried in random matches)\n", s->order, what,
               s->generators.count, s->generators.count == 1 ? "" : "s");
    else
        printf("symmetries    %zu generators %s before time was up\n", s->generators.count, what);
    if (s->refuted)
        printf("              %u more failed in play and were dropped\n", s->refuted);
}

static void print_as_text(const Page *page) {
    print_group(page->fixed, "that keep every role in its place");
    print_generators(page, page->fixed);
    if (page->swapping)
        print_group(page->swapping, "if players may change places");
    print_orbits(page, "fluents       ", page->fixed->fluent_orbits, page->fixed->fluent_count,
                 write_circuit_fluent);
    print_orbits(page, "moves         ", page->fixed->move_orbits, page->fixed->move_count,
                 write_circuit_move);
    printf("graph         %u vertices, %zu edges\n", page->fixed->vertices, page->fixed->edges);
}

static int show_symmetries(const Command *command, Game *game) {
    const VerbOptions *own = command->options;
    int status = STATUS_DONE;
    double seconds = own->cpu_seconds > 0 ? own->cpu_seconds : command_seconds_left(command);
    SymmetryOptions how = {.seconds = seconds, .seed = command->common.seed};
    Symmetries *fixed, *swapping;
    Ticker *ticker = ticker_start(!command->common.quiet, "looking for symmetries", command->end);
    symmetry_find_both(game, &how, &fixed, &swapping);
    ticker_stop(ticker);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Page page = {{game, work}, fixed, swapping, command->common.verbose};
    if (!fixed) {
        complain("%s: no ground rules within the budget, so no symmetries", command->arguments[0]);
        status = STATUS_EXHAUSTED;
    } else if (command->common.json) {
        print_json_about(command->arguments[0], symmetries_json(game, work, fixed, swapping));
    } else {
        print_as_text(&page);
    }
    symmetry_free(fixed);
    symmetry_free(swapping);
    game_work_free(work);
    return status;
}

const Verb verb_symmetry = {
    .name = "symmetry",
    .arguments = "GAME",
    .summary = "find the symmetries of a game's rules",
    .description =
        "Prints the permutations of fluents and moves under which the rules stay the\n"
        "same: how many there are, generators as cycles, and orbits, once with every role\n"
        "in its place and once with players changing places. The initial state is not\n"
        "looked at, so symmetries hold for all states. Long lists are cut on the page;\n"
        "--verbose or --json gives all. Exit status 3 if the rules cannot be grounded\n"
        "within the budget.",
    .example = "symmetry tic_tac_toe",
    VERB_OPTIONS,
    .unused = "threads playouts",
    .takes = {1, 1},
    .play = show_symmetries,
};
