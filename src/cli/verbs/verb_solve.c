/* marelle solve: the value of a game for every role, or a line of moves that reaches the best goal.
 * A run is one attempt with one seed; exact solving is deterministic and makes one run. */
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "server/json/solving_json.h"

enum { DEFAULT_SECONDS = 10, DEFAULT_MEGABYTES = 4096 };
/* Share of the memory that the process may take, 0..1 (untuned). */
static const double MEMORY_SHARE = 0.5;

#define ALGO_CHOICES "auto|exact|plan|nmcs|nrpa|uct|uct1|mtmcts|cds"

typedef struct {
    const char *algo;
    uint64_t seeds, level, megabytes;
} VerbOptions;

static const Option options[] = {
    {"algo", 0, OPTION_TEXT, ALGO_CHOICES, OWN(algo),
     "how to solve (default auto); options may follow: mtmcts:keys=depth,alpha=1"},
    {"seeds", 0, OPTION_COUNT, "N", OWN(seeds),
     "runs of a random method, from --seed on, which share --time (default 1)"},
    {"level", 0, OPTION_COUNT, "L", OWN(level),
     "nesting level of nmcs (default 2) and nrpa (default 3)"},
    {"memory", 0, OPTION_COUNT, "MB", OWN(megabytes), "memory for states (default 4096)"},
};

typedef struct {
    const Command *command;
    Game *game;
    GameWork *work; /* used for texts of moves */
    Solving solving;
    VECTOR(Solved) runs;
    Text reason; /* why it is not solved, and what to try next; empty if it is */
    int status;
} Solve;

/* ---- solving ---- */

static size_t bytes_of(const Solve *s) {
    const VerbOptions *own = s->command->options;
    return own->megabytes ? own->megabytes << 20
                          : memory_share((size_t)DEFAULT_MEGABYTES << 20, MEMORY_SHARE);
}

static void run_once(Solve *s, uint64_t seed, const SearchBudget *budget) {
    Solved solved;
    s->solving.options.seed = seed;
    solving_run(&s->solving, s->game, NULL, budget, &solved);
    vector_push(&s->runs, solved);
    s->status = solved.is_solved ? s->status : STATUS_NO;
}

/* What may help where exact solving did not. */
static const char *advice_after(ExactEnd end) {
    switch (end) {
    case EXACT_NO_TIME:
        return "; give it more by --time";
    case EXACT_NO_MEMORY:
        return "; give it more by --memory";
    case EXACT_SIMULTANEOUS:
        return "; try `search`";
    case EXACT_HIDDEN:
        return "; try `scsp`, or `search`";
    case EXACT_ENDLESS:
        return "; try `search`";
    default:
        return "";
    }
}

static void solve_exactly(Solve *s) {
    const CommonOptions *common = &s->command->common;
    run_once(s, common->seed,
             &(SearchBudget){.deadline = common->seconds > 0 ? s->command->end : deadline_never(),
                             .stopped = interrupt_flag()});
    const ExactResult *e = &s->runs.items[0].exact;
    if (e->end == EXACT_SOLVED)
        return;
    text_printf(&s->reason, "%s%s", exact_end_text(e->end), advice_after(e->end));
    s->status = e->end == EXACT_NO_MEMORY ? STATUS_EXHAUSTED : STATUS_NO;
}

/* Says which budget ended the runs that did not solve the game, and what to try next. */
static void add_reason(Solve *s) {
    const CommonOptions *common = &s->command->common;
    const char *algo = s->solving.method->name;
    bool has_spent_playouts = false;
    for (size_t i = 0; i < s->runs.count; i++)
        has_spent_playouts |= common->playouts && !s->runs.items[i].is_solved &&
                              s->runs.items[i].playouts >= common->playouts;
    text_add(&s->reason, "not solved ");
    if (interrupt_requested())
        text_add(&s->reason, "when it was stopped");
    else if (interrupt_lacks_memory())
        text_add(&s->reason, "in the memory that there is");
    else if (has_spent_playouts)
        text_printf(&s->reason, "in %lu playouts; give it more by --playouts",
                    (unsigned long)common->playouts);
    else if (common->seconds > 0)
        text_printf(&s->reason, "in %g seconds; give it more by --time", common->seconds);
    else if (!common->playouts)
        text_printf(&s->reason, "in %d seconds, the default; give it more by --time",
                    DEFAULT_SECONDS);
    else
        text_add(&s->reason, "by this method");
    text_printf(&s->reason, ", or try another --algo: %s",
                strcmp(algo, "plan") == 0   ? "auto, nrpa"
                : strcmp(algo, "nrpa") == 0 ? "auto, plan"
                                            : "plan, nrpa");
}

static void run_stochastic(Solve *s) {
    const VerbOptions *own = s->command->options;
    const CommonOptions *common = &s->command->common;
    double seconds = common->seconds;
    bool no_budget = seconds <= 0 && !common->playouts;
    uint64_t seeds = own->seeds ? own->seeds : 1;
    uint64_t first = s->solving.options.seed ? s->solving.options.seed : common->seed;
    for (uint64_t i = 0; i < seeds && !interrupt_requested(); i++) {
        double left = command_seconds_left(s->command) / (double)(seeds - i);
        SearchBudget budget = {.deadline = no_budget     ? deadline_in(DEFAULT_SECONDS)
                                           : seconds > 0 ? deadline_in(left)
                                                         : deadline_never(),
                               .playouts = common->playouts,
                               .stopped = interrupt_flag()};
        run_once(s, first + i, &budget);
    }
    if (s->status == STATUS_NO)
        add_reason(s);
}

/* ---- printing ---- */

static void add_joint_text(const Solve *s, const uint32_t *joint, Text *text) {
    for (uint32_t r = 0; r < s->game->role_count; r++) {
        if (r)
            text_add_char(text, ' ');
        game_move_text(s->work, r, joint[r], text);
    }
}

/* The result of exact solving; NULL if it was not tried. */
static const ExactResult *exact_of(const Solve *s) {
    return s->runs.count && s->runs.items[0].has_exact ? &s->runs.items[0].exact : NULL;
}

static const char *algo_of(const Solve *s) {
    return exact_of(s) ? "exact" : s->solving.method->name;
}

static void print_as_json(const Solve *s) {
    json_t *runs = json_array();
    bool solved = s->runs.count > 0;
    for (size_t i = 0; i < s->runs.count; i++) {
        solved = solved && s->runs.items[i].is_solved;
        array_push(runs, solved_json(s->game, s->work, &s->runs.items[i]));
    }
    json_t *object =
        object_of("game", text_json(s->command->arguments[0]), "algo", text_json(algo_of(s)),
                  "solved", json_boolean(solved), "reason",
                  s->reason.count ? text_json(text_string(&s->reason)) : json_null(), "runs", runs);
    if (exact_of(s))
        solved_add_exact(object, s->game, exact_of(s));
    print_json(object);
}

static void print_exact(const Solve *s, const ExactResult *e) {
    printf("exact        %s, %s: %lu states, %lu of them terminal, in %.3f CPU seconds\n",
           e->method, exact_end_text(e->end), (unsigned long)e->states,
           (unsigned long)e->terminal_states, e->cpu_seconds);
    for (uint32_t r = 0; e->has_values && r < s->game->role_count; r++)
        printf("%s    %s %g\n", e->end == EXACT_SOLVED ? "value    " : "so far   ",
               s->game->roles[r], e->values[r]);
}

static void print_line(const Solve *s, const Solved *run) {
    Text text = {0};
    for (size_t i = 0; i < run->line.count; i += s->game->role_count) {
        text_clear(&text);
        add_joint_text(s, run->line.items + i, &text);
        printf("%5zu  %s\n", i / s->game->role_count + 1, text_string(&text));
    }
    vector_free(&text);
}

static void print_as_text(const Solve *s) {
    if (exact_of(s))
        print_exact(s, exact_of(s));
    for (size_t i = 0; i < s->runs.count; i++) {
        const Solved *run = &s->runs.items[i];
        if (!run->has_exact) {
            printf("%-12s seed %lu: ", algo_of(s), (unsigned long)run->seed);
            printf(run->has_score ? "%s, score %g, " : "%s, ",
                   run->is_solved ? "solved" : "not solved", run->score);
            printf("%lu playouts in %.3f CPU seconds", (unsigned long)run->playouts,
                   run->cpu_seconds);
            if (run->decomposition_cpu_seconds > 0)
                printf(", after %.3f of decomposition", run->decomposition_cpu_seconds);
            putchar('\n');
        }
        print_line(s, run);
    }
}

static int solve(const Command *command, Game *game, const Solving *solving) {
    const VerbOptions *own = command->options;
    Solve s = {.command = command,
               .game = game,
               .work = game_work_create(game, REASONER_AUTO),
               .solving = *solving};
    if (own->level)
        s.solving.options.level = own->level > UINT32_MAX ? UINT32_MAX : (uint32_t)own->level;
    s.solving.options.bytes = bytes_of(&s);
    Ticker *ticker = ticker_start(!command->common.quiet, "solving", command->end);
    if (solving_is_exact(solving, game))
        solve_exactly(&s);
    else
        run_stochastic(&s);
    ticker_stop(ticker);
    if (command->common.json)
        print_as_json(&s);
    else
        print_as_text(&s);
    if (s.reason.count)
        complain("%s: %s", command->arguments[0], text_string(&s.reason));
    for (size_t i = 0; i < s.runs.count; i++)
        solved_free(&s.runs.items[i]);
    vectors_free(&s.runs, &s.reason);
    game_work_free(s.work);
    return s.status;
}

static int solve_game(const Command *command, Game *game) {
    const VerbOptions *own = command->options;
    Report report = {0};
    Solving solving;
    int status = STATUS_DONE;
    if (!solving_read(&solving, own->algo ? own->algo : "auto", &report))
        status = wrong_usage("%s", report.items.items[0].message);
    report_free(&report);
    if (status)
        return status;
    if (solving.method->for_one_role && game->role_count != 1)
        return wrong_usage("`--algo %s` is for games with one role; this one has %u", own->algo,
                           game->role_count);
    bool is_exact = solving_is_exact(&solving, game),
         plans = strcmp(solving.method->name, "plan") == 0;
    if (command->common.playouts && (is_exact || plans))
        return wrong_usage("`--playouts` does nothing here: `--algo %s` plays none; limit it by "
                           "--time%s",
                           is_exact ? "exact" : "plan", is_exact ? " or --memory" : "");
    if (!solving.method->needs_circuit || game_has_circuit(game))
        return solve(command, game, &solving);
    complain("`--algo %s` needs a circuit, and none could be built: %s", own->algo,
             game->why_interpreted);
    return STATUS_EXHAUSTED;
}

const Verb verb_solve = {
    .name = "solve",
    .arguments = "GAME",
    .summary = "find the value of a game, or a line to the best goal",
    .description =
        "Finds the value of a game, or for one role a line of moves to the best goal. Methods:\n"
        "  exact   explores states until the value is proven for every role, and prints a line\n"
        "          of best play\n"
        "  plan    one role: asks a SAT solver for longer and longer lines, and proves that no\n"
        "          line is better where matches must end\n"
        "  uct     one role: UCT; stops when it has proven that nothing is better; --playouts\n"
        "          counts its descents\n"
        "  uct1    one role: MT-MCTS with one tree of the whole game, nodes by depth; moves of\n"
        "          equal effect count as one\n"
        "  mtmcts  one role: decomposes the game and searches with one tree per subgame\n"
        "  cds     one role: solves the subgames, then combines their solutions\n"
        "  nmcs    one role: nested Monte Carlo search\n"
        "  nrpa    one role: nested rollout policy adaptation\n"
        "  auto    exact with several roles; with one role uct, plan, nmcs, cds, mtmcts, exact\n"
        "          and nrpa take turns until one of them is done\n"
        "Without --time and --playouts all but exact end after 10 seconds; exact and plan play no\n"
        "playouts. Exit status 1 if that was not enough, 3 if the memory was not; the reason and\n"
        "what to try next are printed.",
    .example = "solve tic_tac_toe",
    VERB_OPTIONS,
    .unused = "threads verbose",
    .takes = {1, 1},
    .play = solve_game,
};
