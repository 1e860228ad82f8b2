/* marelle decompose: the independent games inside a game. */
#include <stdio.h>
#include <string.h>

#include "analysis/decompose/decompose_methods.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/position.h"
#include "cli/verbs.h"
#include "cli/verbs/draw_decomposition.h"
#include "gpu/recorded_matches.h"
#include "server/json/inside_json.h"

typedef struct {
    const char *method, *svg, *explain, *moves, *reasoner, *dnf;
    bool board, attempts;
    uint64_t psi, theta;
    double phi, omega;
} VerbOptions;

static const Option options[] = {
    {"method", 0, OPTION_CHOICE, DECOMPOSE_METHODS, OWN(method),
     "how to look for subgames (default auto)"},
    {"svg", 0, OPTION_TEXT, "FILE", OWN(svg),
     "draw the dependency graph, coloured by subgame (needs graphviz)"},
    {"explain", 0, OPTION_TEXT, "FLUENT", OWN(explain), "say what put a fluent where it is"},
    {"board", 0, OPTION_FLAG, NULL, OWN(board),
     "draw the board with the number of the subgame on each square"},
    {"moves", 'm', OPTION_TEXT, "MOVES", OWN(moves),
     "joint moves to make first: what is left of the game is decomposed"},
    {"reasoner", 0, OPTION_CHOICE, "auto|gpu", OWN(reasoner),
     "gpu: playouts on a GPU, their evaluation here"},
    {"dnf", 0, OPTION_CHOICE, "short|long", OWN(dnf),
     "rules: predicates of the rules stay in the normal forms, or are developed, too (default "
     "short)"},
    {"attempts", 0, OPTION_FLAG, NULL, OWN(attempts),
     "stats: an attempt after every 1000 playouts, to the last; the counts of each"},
    {"psi", 0, OPTION_COUNT, "N", OWN(psi),
     "stats: effects seen together count if seen more often (default 3)"},
    {"theta", 0, OPTION_COUNT, "N", OWN(theta), "stats: the same for one move (default 5)"},
    {"phi", 0, OPTION_SECONDS, "X", OWN(phi),
     "stats: a move so many times likelier takes the effect (default 1.5)"},
    {"omega", 0, OPTION_SECONDS, "X", OWN(omega),
     "stats: effects less probable are weak (default 0.1)"},
};

typedef struct {
    const Command *command;
    Game *game;
    GameWork *work;
    const DecomposeOptions *how;
    Decomposition *d;
} Show;

enum { FLUENTS_SHOWN = 12 };

/* ---- text ---- */

static void print_fluents(const Show *s, const Subgame *g) {
    Text text = {0};
    size_t shown = s->command->common.verbose || g->fluents.count <= FLUENTS_SHOWN
                       ? g->fluents.count
                       : FLUENTS_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        text_add_char(&text, ' ');
        game_fluent_text(s->work, g->fluents.items[i], &text);
    }
    printf("    %zu fluents:%s%s\n", g->fluents.count, text_string(&text),
           shown < g->fluents.count ? " ..." : "");
    vector_free(&text);
}

static void print_actions(const Show *s, const Subgame *g) {
    size_t most = 0, goals = 0;
    uint32_t number = (uint32_t)(g - s->d->subgames.items);
    for (size_t i = 0; i < g->actions.count; i++) {
        size_t moves = s->d->actions.items[g->actions.items[i]].moves.count;
        most = moves > most ? moves : most;
    }
    for (size_t i = 0; i < s->d->subgoals.count; i++)
        goals += s->d->subgoals.items[i].subgame == number;
    printf("    %zu meta-actions of at most %zu moves, %zu sub-goals\n", g->actions.count, most,
           goals);
}

static void print_subgame(const Show *s, size_t number) {
    const Subgame *g = &s->d->subgames.items[number];
    printf("subgame %zu    %s%s%s%s%s%s%s", number + 1,
           g->has_actions ? "action-dependent" : "action-independent",
           g->is_useful ? "" : ", useless", g->is_terminal ? ", terminal" : "",
           g->is_scoring ? ", scoring" : "", g->is_control ? ", control" : "",
           g->is_stepper ? ", stepper" : "", g->is_synchronous ? ", synchronous" : "");
    if (g->order)
        printf(", number %u of a series", g->order);
    printf("\n");
    print_fluents(s, g);
    if (g->has_actions)
        print_actions(s, g);
}

static void print_kept_together(const Show *s, const U32Vector *groups) {
    Text text = {0};
    size_t shown = s->command->common.verbose || groups->count <= FLUENTS_SHOWN ? groups->count
                                                                                : FLUENTS_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        text_add_char(&text, ' ');
        game_fluent_text(s->work, groups->items[i], &text);
    }
    printf("by the rules alone subgame %u is one game, not %zu:%s%s\n",
           s->d->subgame_of[groups->items[0]] + 1, groups->count, text_string(&text),
           shown < groups->count ? " ..." : "");
    vector_free(&text);
}

static void print_as_text(const Show *s) {
    const Decomposition *d = s->d;
    DecompositionCounts c = decomposition_counts(d);
    printf("subgames     %u action-dependent (%u useless), %u action-independent (%u useless)\n",
           c.with_actions, c.useless_with_actions, c.autonomous, c.useless_autonomous);
    printf("class        %s%s%s%s%s\n", composition_name(decomposition_class(d, s->game, s->how)),
           d->is_compound ? ", compound moves" : "", d->is_multiple ? ", multiple" : "",
           d->has_stepper ? ", stepper" : "",
           d->is_impartial ? ", impartial: the score looks at nothing but whose turn it is" : "");
    for (size_t i = 0; i < d->subgames.count; i++)
        print_subgame(s, i);
    printf("confidence   %.2f%s\n", d->confidence,
           d->is_imperfect ? ", imperfect: some moves were never tried or time ran out" : "");
    if (d->unseen_count)
        printf("unseen       %u that may change; what the rules connect there stays together\n",
               d->unseen_count);
    for (size_t i = 0; i < d->kept_together.count; i++)
        print_kept_together(s, &d->kept_together.items[i]);
    printf("playouts    %lu\n", (unsigned long)d->playouts);
    for (size_t i = 0; i < d->attempts.count; i++) {
        c = d->attempts.items[i].counts;
        printf("attempt      after %lu playouts: %u (%u), %u (%u)\n",
               (unsigned long)d->attempts.items[i].playouts, c.with_actions, c.useless_with_actions,
               c.autonomous, c.useless_autonomous);
    }
    printf("CPU seconds  %.3f:", d->cpu_seconds);
    for (int i = 0, shown = 0; i < STEP_COUNT; i++)
        if (d->step_seconds[i] > 0)
            printf("%s %s %.3f", shown++ ? "," : "", decompose_step_name(i), d->step_seconds[i]);
    printf("\n");
}

/* ---- explanations ---- */

static void add_vertex_text(const Show *s, uint32_t vertex, Text *text) {
    uint32_t fluents = s->game->circuit->fluent_count;
    if (vertex < fluents) {
        game_fluent_text(s->work, vertex, text);
        return;
    }
    const MetaAction *m = &s->d->actions.items[vertex - fluents];
    text_printf(text, "%s ", s->game->roles[m->role]);
    game_move_text(s->work, m->role, m->moves.items[0] - s->game->circuit->first_move[m->role],
                   text);
    if (m->moves.count > 1)
        text_printf(text, " and %zu like it", m->moves.count - 1);
}

/* Prints a reason, or adds it to the list of JSON. */
static void explain_link(const Show *s, const DependencyLink *link, uint32_t fluent, json_t *list) {
    static const char *const reasons[] = {
        [LINK_EFFECT] = "effect of",      [LINK_CONTEXT] = "effects depend on it:",
        [LINK_CONDITION] = "legality of", [LINK_PREMISE] = "depends on, or the reverse:",
        [LINK_GOAL] = "same sub-goal as", [LINK_CHOICE] = "not free of",
    };
    Text text = {0};
    add_vertex_text(s, link->a == fluent ? link->b : link->a, &text);
    Text line = {0};
    text_printf(&line, "%s %s", reasons[link->kind], text_string(&text));
    if (link->kind == LINK_EFFECT)
        text_printf(&line, ", probability %.2f", (double)link->weight);
    text_add(&line, link->is_cut ? " (cut)" : "");
    if (list)
        array_push(list, text_json(text_string(&line)));
    else
        printf("    %s\n", text_string(&line));
    vectors_free(&text, &line);
}

static int explain(const Show *s, const char *fluent_text) {
    static const char *const kinds[] = {
        [FLUENT_UNSEEN] = "never seen to change: placed by what it would depend on",
        [FLUENT_CLOCK] = "the same at the same turn of every match",
        [FLUENT_DERIVED] = "changes with the state, no move makes a difference at once",
        [FLUENT_ACTED] = "changed by moves",
    };
    uint32_t fluent = game_find_fluent(s->work, fluent_text, strlen(fluent_text));
    if (fluent == MOVE_NONE)
        return wrong_usage(
            "there is no fluent `%s`; write it as `marelle decompose --json` shows it",
            fluent_text);
    uint32_t subgame = s->d->subgame_of[fluent];
    json_t *reasons = s->command->common.json ? json_array() : NULL;
    if (!reasons)
        printf("%s: %s\n", fluent_text, kinds[s->d->kinds[fluent]]);
    if (!reasons && subgame != SUBGAME_NONE)
        printf("subgame %u, because\n", subgame + 1);
    for (size_t i = 0; i < s->d->links.count; i++)
        if (s->d->links.items[i].a == fluent || s->d->links.items[i].b == fluent)
            explain_link(s, &s->d->links.items[i], fluent, reasons);
    if (reasons)
        print_json(object_of(
            "game", text_json(s->command->arguments[0]), "fluent", text_json(fluent_text), "kind",
            text_json(kinds[s->d->kinds[fluent]]), "subgame",
            subgame != SUBGAME_NONE ? json_integer(subgame + 1) : json_null(), "reasons", reasons));
    return STATUS_DONE;
}

static int show(const Show *s) {
    const VerbOptions *own = s->command->options;
    int status = STATUS_DONE;
    if (own->svg && !draw_decomposition(s->game, s->work, s->d, own->svg))
        status = STATUS_EXHAUSTED;
    if (own->explain)
        return explain(s, own->explain);
    if (s->command->common.json)
        print_json_about(
            s->command->arguments[0],
            decomposition_json(s->game, s->work, s->d, decomposition_class(s->d, s->game, s->how)));
    else
        print_as_text(s);
    if (own->board && !s->command->common.json && !draw_subgames(s->game, s->work, s->d, stdout)) {
        complain("%s: no board was recognised", s->command->arguments[0]);
        status = STATUS_EXHAUSTED;
    }
    return status;
}

/* Playouts recorded by the GPU instead of the processor. */
typedef struct {
    Gpu *gpu;
    GpuRecorder *recorder;
    Report report;
} Recording;

static bool open_recording(Recording *recording, const Command *command, const Game *game,
                           DecomposeOptions *how) {
    enum { MATCHES = 4096 };
    recording->gpu = gpu_open(&recording->report);
    if (recording->gpu)
        recording->recorder = gpu_recorder_create(recording->gpu, game, MATCHES,
                                                  command->common.seed, &recording->report);
    if (recording->recorder)
        how->recorder = gpu_recorder_matches(recording->recorder);
    else
        complain("%s", recording->report.items.items[0].message);
    return recording->recorder != NULL;
}

/* Reports if the processor had to play after all. Returns false on failure. */
static bool recording_is_ok(const Recording *recording, const Decomposition *d) {
    if (!recording->recorder || d->is_recorded)
        return true;
    const Report *report = gpu_recorder_report(recording->recorder);
    return complain("%s; the playouts are the processor's",
                    report_failed(report) ? report->items.items[0].message
                                          : "the GPU plays other matches than the rules allow");
}

static void close_recording(Recording *recording) {
    gpu_recorder_free(recording->recorder);
    gpu_close(recording->gpu);
    report_free(&recording->report);
}

static int decompose_game(const Command *command, Game *game, const State *start,
                          Deadline deadline) {
    const VerbOptions *own = command->options;
    int status = STATUS_EXHAUSTED;
    DecomposeOptions how = {.playouts = command->common.playouts,
                            .deadline = deadline,
                            .seed = command->common.seed,
                            .start = start,
                            .lists_attempts = own->attempts,
                            .has_long_forms = choice_index("long", own->dnf, -1) == 0};
    Recording recording = {0};
    if (own->reasoner && strcmp(own->reasoner, "gpu") == 0 && game_has_circuit(game) &&
        !open_recording(&recording, command, game, &how)) {
        close_recording(&recording);
        return status;
    }
    Show s = {.command = command,
              .game = game,
              .how = &how,
              .work = game_work_create(game, REASONER_AUTO)};
    StatsParameters parameters = {(uint32_t)own->psi, (uint32_t)own->theta, own->phi, own->omega};
    Ticker *ticker = ticker_start(!command->common.quiet, "decomposing", command->end);
    s.d = decompose_by_method(game, own->method, &how, &parameters);
    ticker_stop(ticker);
    if (s.d) {
        status = show(&s);
        if (!recording_is_ok(&recording, s.d))
            status = STATUS_EXHAUSTED;
    } else if (game_has_circuit(game))
        complain("%s: time or clauses did not suffice for the normal forms of the rules",
                 command->arguments[0]);
    else
        complain("%s: no circuit could be built: %s", command->arguments[0], game->why_interpreted);
    decomposition_free(s.d);
    game_work_free(s.work);
    close_recording(&recording);
    return status;
}

static int run_decompose(const Command *command) {
    const VerbOptions *own = command->options;
    int status = STATUS_DONE;
    if (own->moves && own->method && strcmp(own->method, "rules") == 0)
        return wrong_usage(
            "--method rules looks at the rules alone: --moves makes no difference to it");
    if (own->attempts && (!own->method || strcmp(own->method, "stats") != 0))
        return wrong_usage("--attempts is for --method stats");
    if (own->dnf && (!own->method || strcmp(own->method, "rules") != 0))
        return wrong_usage("--dnf is for --method rules");
    if (own->reasoner && own->method && strcmp(own->method, "rules") == 0)
        return wrong_usage("--method rules plays nothing: --reasoner makes no difference to it");
    GameOptions build = {.build_seconds = command->common.seconds};
    Deadline deadline = command->common.seconds > 0 ? command->end : (Deadline){0};
    Game *game = open_game(command, command->arguments[0], &build, &status);
    if (!game)
        return status;
    MatchPosition position;
    position_init(&position, game);
    if (own->moves && !position_play(&position, own->moves))
        status = STATUS_USAGE;
    else
        status = decompose_game(command, game, own->moves ? &position.state : NULL, deadline);
    position_free(&position);
    game_free(game);
    return status;
}

const Verb verb_decompose = {
    .name = "decompose",
    .arguments = "GAME",
    .summary = "find the independent games inside a game",
    .description =
        "Finds groups of fluents and moves that do not influence each other. Each group is a\n"
        "subgame: action-dependent if moves change it, useless if neither the end nor a goal\n"
        "depends on it. Methods:\n"
        "  auto   plays random matches, compares each move with an alternative, and reads off\n"
        "         the circuit what moves and goals depend on; when in doubt it keeps groups\n"
        "         together, and the confidence says how much doubt is left\n"
        "  rules  reads everything off the disjunctive normal forms of the rules, without play;\n"
        "         the confidence is 0 where effects are only implied\n"
        "  stats  counts what occurs together in playouts, with four thresholds\n"
        "--time and --playouts (default 10000) bound the work. With --moves the rest of a match\n"
        "is decomposed, since games may fall apart during play.",
    .example = "decompose incredible",
    VERB_OPTIONS,
    .unused = "threads",
    .takes = {1, 1},
    .run = run_decompose,
};
