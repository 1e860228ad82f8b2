/* marelle analyze: one page about a game's structure. Every statement says whether it is proved
 * from the circuit or observed in random matches. */
#include <stdio.h>

#include "analysis/analysis.h"
#include "base/bitset.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "server/json/inside_json.h"

enum { SHOWN = 12 }; /* items of a list on the page, at most; --verbose shows all */

typedef struct {
    double cpu_seconds;
} VerbOptions;

static const Option options[] = {
    {"cpu", 0, OPTION_SECONDS, "S", OWN(cpu_seconds),
     "CPU seconds to spend once the game is built (default 10)"},
};

static const char *const clock_names[] = {"stepper", "control", "cycle"};

static char *fluent_text(const Analysis *a, uint32_t fluent) {
    Text text = {0};
    game_fluent_text(a->samples->work, fluent, &text);
    return text.items;
}

typedef struct {
    const Analysis *a;
    bool all;
} Page;

static void print_fluents(const Page *page, const U32Vector *fluents) {
    size_t shown = page->all || fluents->count <= SHOWN ? fluents->count : SHOWN - 1;
    for (size_t i = 0; i < shown; i++) {
        char *text = fluent_text(page->a, fluents->items[i]);
        printf("%s%s", i ? ", " : "", text);
        free(text);
    }
    if (shown < fluents->count)
        printf(", and %zu more", fluents->count - shown);
    puts("");
}

static void print_fluent_line(const Page *page, const char *label, const U32Vector *fluents) {
    if (!fluents->count)
        return;
    printf("%s%zu: ", label, fluents->count);
    print_fluents(page, fluents);
}

static void print_clocks(const Page *page) {
    const Clocks *k = page->a->clocks;
    for (size_t i = 0; i < k->items.count; i++) {
        const Clock *clock = &k->items.items[i];
        printf("%-13s %s", clock_names[clock->kind], certainty_name(k->certainty));
        if (clock->kind == CLOCK_STEPPER)
            printf(", %zu fluents: ", clock->fluents.count);
        else
            printf(", every %u turns: ", clock->period);
        print_fluents(page, &clock->fluents);
    }
    if (!k->items.count)
        puts("steppers      none: no fluent changes whatever the players do");
}

static void print_turns(const Page *page) {
    const Turns *t = &page->a->turns;
    printf("turns         %s (%s)\n", turn_kind_name(t->kind), certainty_name(t->certainty));
    for (size_t i = 0; i < t->controls.count; i++) {
        const Control *control = &t->controls.items[i];
        char *text = fluent_text(page->a, control->fluent);
        bool has_role = control->role != ROLE_NONE;
        printf("  %s %s%s (%s)\n", text,
               has_role ? "gives the choice to " : "decides what is legal",
               has_role ? page->a->game->roles[control->role] : "",
               certainty_name(control->certainty));
        free(text);
    }
    if (t->impartial)
        printf("impartial     %s: giving the turn to the other changes nothing else\n",
               certainty_name(t->impartial));
}

static void print_noops(const Page *page) {
    const Noops *noops = &page->a->noops;
    if (!noops->count) {
        puts("noops         none");
        return;
    }
    printf("noops         %zu\n", noops->count);
    Text text = {0};
    size_t shown = page->all || noops->count <= SHOWN ? noops->count : SHOWN - 1;
    for (size_t i = 0; i < shown; i++) {
        const Noop *noop = &noops->items[i];
        text_clear(&text);
        text_printf(&text, "%s %s with ", page->a->game->roles[noop->role],
                    noop_kind_name(noop->kind));
        game_move_text(page->a->samples->work, noop->role, noop->move, &text);
        printf("  %s (%s)\n", text_string(&text), certainty_name(noop->certainty));
    }
    if (shown < noops->count)
        printf("  and %zu more\n", noops->count - shown);
    vector_free(&text);
}

static size_t count_groups(const MutexGroups *groups, bool exactly, Certainty certainty) {
    size_t count = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const MutexGroup *g = &groups->items[i];
        bool is_exactly = g->at_least_one != CERTAINTY_NONE;
        Certainty weaker =
            is_exactly && g->at_least_one < g->at_most_one ? g->at_least_one : g->at_most_one;
        count += is_exactly == exactly && weaker == certainty;
    }
    return count;
}

static void print_mutexes(const Page *page) {
    const MutexGroups *groups = &page->a->mutexes;
    printf("mutex groups  %zu: exactly one true in %zu proved and %zu observed, at most one in %zu "
           "and %zu\n",
           groups->count, count_groups(groups, true, CERTAINTY_PROVED),
           count_groups(groups, true, CERTAINTY_OBSERVED),
           count_groups(groups, false, CERTAINTY_PROVED),
           count_groups(groups, false, CERTAINTY_OBSERVED));
    size_t shown = page->all || groups->count <= SHOWN ? groups->count : SHOWN - 1;
    for (size_t i = 0; i < shown; i++) {
        const MutexGroup *g = &groups->items[i];
        printf("  %s: ", g->at_least_one ? "one of" : "at most one of");
        print_fluents(page, &g->fluents);
    }
    if (shown < groups->count)
        printf("  and %zu more\n", groups->count - shown);
}

static void print_latches(const Page *page, const char *label, const uint8_t *latches) {
    static const char *const titles[] = {"", "observed", "proved"};
    for (Certainty wanted = CERTAINTY_PROVED; wanted > CERTAINTY_NONE; wanted--) {
        U32Vector fluents = {0};
        for (uint32_t f = 0; f < page->a->latches.fluent_count; f++)
            if (latches[f] == wanted)
                vector_push(&fluents, f);
        if (fluents.count) {
            printf("%s %s, %zu: ", label, titles[wanted], fluents.count);
            print_fluents(page, &fluents);
        }
        vector_free(&fluents);
    }
}

static void print_useless(const Page *page) {
    const Analysis *a = page->a;
    if (!a->relevance)
        return;
    U32Vector useless = {0}, no_influence = {0};
    for (uint32_t f = 0; f < a->samples->fluent_count; f++) {
        if (bitset_get(a->unchanging, f))
            continue;
        if (!bitset_get(a->relevance->needed, f))
            vector_push(&useless, f);
        else if (!bitset_get(a->relevance->needed_for_result, f))
            vector_push(&no_influence, f);
    }
    print_fluent_line(page, "useless       fluents ", &useless);
    print_fluent_line(page, "no influence  on end or goals, fluents ", &no_influence);
    size_t moves = 0, moves_for_result = 0;
    for (uint32_t m = 0; m < samples_move_count(a->samples); m++) {
        moves += !bitset_get(a->relevance->moves_needed, m);
        moves_for_result += !bitset_get(a->relevance->moves_needed_for_result, m);
    }
    if (moves_for_result)
        printf("moves         %zu of %u cannot influence end or goals, %zu nothing at all\n",
               moves_for_result, samples_move_count(a->samples), moves);
    vectors_free(&useless, &no_influence);
}

static void print_scores(const Page *page) {
    const Scores *s = &page->a->scores;
    if (s->players < 2)
        puts("scores        one player");
    else if (s->constant_sum)
        printf("scores        constant sum of %d (%s)\n", s->sum, certainty_name(s->constant_sum));
    else if (!s->always_equal)
        puts("scores        neither constant-sum nor cooperative");
    if (s->always_equal)
        printf("scores        cooperative: always equal (%s)\n", certainty_name(s->always_equal));
    if (s->ends && s->outcomes == 1)
        puts("              all sampled matches ended alike");
}

static void print_fragments(const Page *page) {
    const Analysis *a = page->a;
    printf(
        "fragment      obl=%s sees=%s moves-public=%s T=", oblivious_name(a->fragments.oblivious),
        sees_name(a->fragments.sees), a->fragments.moves_public ? "y" : "n");
    if (a->horizon_certainty)
        printf("%u (%s)\n", a->horizon,
               a->horizon_certainty == CERTAINTY_PROVED ? "proved" : "estimated");
    else
        puts("unknown");
    if (a->fragments.all_states)
        printf("              by all %lu states", (unsigned long)a->fragments.all_states);
    else
        printf("              by the rules and random matches");
    if (a->fragments.oblivious != OBLIVIOUS_NO_CHANCE && a->fragments.twin_moves)
        printf("; chance could have %u moves always", a->fragments.twin_moves);
    puts(a->fragments.legal_known ? "" : "; a player cannot know its legal moves");
}

static void print_as_text(const Command *command, const Analysis *a) {
    Page page = {a, command->common.verbose};
    printf("samples       %zu states of %u random matches; %s\n", a->samples->items.count,
           a->samples->matches,
           game_has_circuit(a->game) ? "proofs from the circuit" : "no circuit, so nothing proved");
    print_turns(&page);
    print_clocks(&page);
    print_scores(&page);
    print_noops(&page);
    print_mutexes(&page);
    print_latches(&page, "once true     stays true,", a->latches.once_true);
    print_latches(&page, "once false    stays false,", a->latches.once_false);
    size_t unchanging = bitset_count(a->unchanging, a->fluent_words);
    printf("fluents       %u: %zu no move affects, %zu never change (%zu proved)\n",
           a->samples->fluent_count, bitset_count(a->action_independent, a->fluent_words),
           unchanging, bitset_count(a->constant, a->fluent_words));
    print_useless(&page);
    print_fragments(&page);
}

static int analyze(const Command *command, Game *game) {
    const VerbOptions *own = command->options;
    double seconds = own->cpu_seconds > 0 ? own->cpu_seconds : command_seconds_left(command);
    AnalysisOptions analysis_options = {
        .seconds = seconds, .matches = command->common.playouts, .seed = command->common.seed};
    Ticker *ticker = ticker_start(!command->common.quiet, "analysing", command->end);
    Analysis *analysis = analysis_run(game, &analysis_options);
    ticker_stop(ticker);
    if (command->common.json)
        print_json_about(command->arguments[0], analysis_json(analysis));
    else
        print_as_text(command, analysis);
    analysis_free(analysis);
    return STATUS_DONE;
}

const Verb verb_analyze = {
    .name = "analyze",
    .arguments = "GAME",
    .summary = "say how a game is built: counters, turns, noops, mutexes, scores",
    .description =
        "Prints what can be said about a game without playing it well: step counters and\n"
        "other fluents that change by themselves, whose turn it is, moves that do\n"
        "nothing, groups of fluents of which one is true, fluents that change only once,\n"
        "fluents and moves without influence, whether goals have a constant sum, and the\n"
        "fragments of GDL-II the game belongs to. Everything is labelled proved (from the\n"
        "circuit) or observed (in random matches). Names of things play no part in it.\n"
        "Long lists are cut on the page; --verbose or --json gives all.",
    .example = "analyze tic_tac_toe",
    VERB_OPTIONS,
    .unused = "threads",
    .takes = {1, 1},
    .play = analyze,
};
