/* marelle simulate: statistics of random matches of a game. Means come from sliced play, which is
 * hundreds of times faster. Lengths and branching need single matches, and come from a sample of
 * them. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cluster/cluster.h"
#include "gpu/accelerator.h"
#include "search/search.h"

enum { DEFAULT_PLAYOUTS = 10000, DEFAULT_SECONDS = 10, DETAILED_PLAYOUTS = 1000 };

typedef struct {
    const char *reasoner;
    uint64_t step_limit;
} VerbOptions;

static const Option options[] = {
    {"reasoner", 0, OPTION_CHOICE, REASONER_CHOICES "|gpu", OWN(reasoner),
     "who reasons; auto takes sliced where it can"},
    {"steps", 0, OPTION_COUNT, "N", OWN(step_limit),
     "give a match up after N turns (default 10000)"},
};

typedef struct {
    Game *game;
    MatchStatistics all;    /* matches for the means */
    MatchStatistics single; /* matches for lengths and branching */
} Simulation;

static const MatchStatistics *detailed(const Simulation *s) {
    bool gives_sums = s->all.reasoner == REASONER_SLICED || s->all.reasoner == REASONER_GPU;
    return gives_sums ? &s->single : &s->all;
}

static void play(const Command *command, Simulation *s, Reasoner reasoner,
                 const MatchDevice *device) {
    const CommonOptions *common = &command->common;
    const VerbOptions *own = command->options;
    bool no_budget = !common->playouts && common->seconds <= 0;
    double seconds = no_budget ? DEFAULT_SECONDS : command_seconds_left(command);
    double started = clock_wall_seconds();
    MatchPlan plan = {.game = s->game,
                      .reasoner = reasoner,
                      .device = device,
                      .playouts = no_budget ? DEFAULT_PLAYOUTS : common->playouts,
                      .seconds = seconds,
                      .seed = common->seed,
                      .threads = (unsigned)common->threads,
                      .step_limit =
                          own->step_limit ? (uint32_t)own->step_limit : DEFAULT_STEP_LIMIT,
                      .details = true};
    bool gives_sums = game_has_circuit(s->game) &&
                      (device || reasoner == REASONER_AUTO || reasoner == REASONER_SLICED);
    if (!gives_sums) {
        play_matches(command, &plan, common->quiet ? NULL : "simulate", &s->all);
        return;
    }
    MatchPlan sample = plan;
    sample.reasoner = REASONER_SCALAR;
    if (!plan.playouts || plan.playouts > DETAILED_PLAYOUTS)
        sample.playouts = DETAILED_PLAYOUTS;
    sample.seconds = seconds / 4;
    play_matches(command, &sample, common->quiet ? NULL : "simulate", &s->single);
    if (seconds > 0) {
        plan.seconds = seconds - (clock_wall_seconds() - started);
        plan.seconds = plan.seconds > 0 ? plan.seconds : 1e-9;
    }
    play_matches(command, &plan, common->quiet ? NULL : "simulate", &s->all);
    if (matches_count(&s->all))
        return;
    matches_free(&s->all); /* time was up before the first sliced match ended: the sample counts */
    s->all = s->single;
    s->single = (MatchStatistics){0};
}

static uint32_t shortest(const MatchStatistics *m) {
    uint32_t length = 0;
    while (length < m->lengths.count && !m->lengths.items[length])
        length++;
    return length;
}

static uint32_t longest(const MatchStatistics *m) {
    return m->lengths.count ? (uint32_t)m->lengths.count - 1 : 0;
}

static double branching(const MatchStatistics *m, uint32_t role) {
    return (double)m->legal_by_role.items[role] / (double)m->states;
}

static json_t *json_length(const MatchStatistics *m, uint32_t length) {
    return matches_count(m) ? json_integer(length) : json_null();
}

static json_t *goals_json(const MatchStatistics *m, uint32_t role) {
    json_t *object = json_object();
    char name[24];
    for (size_t i = 0; i < m->goals.count; i++) {
        const GoalCount *g = &m->goals.items[i];
        if (g->role != role || !g->count)
            continue;
        snprintf(name, sizeof name, "%d", g->value);
        json_object_set_new(object,
                            g->value == GOAL_NONE      ? "none"
                            : g->value == GOAL_SEVERAL ? "several"
                                                       : name,
                            json_integer((json_int_t)g->count));
    }
    return object;
}

static json_t *lengths_json(const MatchStatistics *m) {
    json_t *array = json_array();
    for (size_t i = 0; i < m->lengths.count; i++)
        if (m->lengths.items[i])
            array_push(array, json_pack("[I,I]", (json_int_t)i, (json_int_t)m->lengths.items[i]));
    return array;
}

static void print_as_json(const Command *command, const Simulation *s) {
    const MatchStatistics *all = &s->all, *single = detailed(s);
    json_t *means = json_object(), *goals = json_object(), *branches = json_object();
    for (uint32_t r = 0; r < s->game->role_count; r++) {
        const char *role = s->game->roles[r];
        double mean;
        bool has_mean = matches_mean_goal(all, r, &mean);
        object_add(means, role, has_mean ? json_real(mean) : json_null());
        object_add(goals, role, goals_json(all, r));
        object_add(branches, role, single->states ? json_real(branching(single, r)) : json_null());
    }
    print_json(object_of(
        "game", text_json(command->arguments[0]), "reasoner",
        text_json(reasoner_name(all->reasoner)), "ranks",
        json_integer(cluster_size(command->cluster)), "seed", count_json(command->common.seed),
        "playouts", count_json(all->playouts), "stuck", count_json(all->stuck), "unfinished",
        count_json(all->unfinished), "too_long", count_json(all->too_long), "mean_length",
        matches_count(all) ? json_real(matches_mean_length(all)) : json_null(), "mean_goals", means,
        "goals", goals, "branching", branches, "detailed_playouts",
        count_json(matches_count(single)), "min_length", json_length(single, shortest(single)),
        "max_length", json_length(single, longest(single)), "lengths", lengths_json(single),
        "interrupted", json_boolean(interrupt_requested())));
}

/* Prints at most 20 rows; each covers an equal range of lengths. */
static void print_histogram(const MatchStatistics *m) {
    enum { MAX_ROWS = 20, MAX_BAR_WIDTH = 50 };
    uint32_t first = shortest(m), last = longest(m);
    uint32_t width = (last - first) / MAX_ROWS + 1;
    uint64_t most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t from = first; from <= last; from += width) {
            uint64_t count = 0;
            for (uint32_t l = from; l < from + width && l <= last; l++)
                count += m->lengths.items[l];
            most = count > most ? count : most;
            if (pass == 0)
                continue;
            char range[32];
            snprintf(range, sizeof range, width > 1 ? "%u-%u" : "%u", from, from + width - 1);
            int bar = (int)((double)count * MAX_BAR_WIDTH / (double)(most ? most : 1) + 0.5);
            printf("  %11s %10lu %.*s\n", range, (unsigned long)count, bar,
                   "##################################################");
        }
}

static void print_role(const Simulation *s, uint32_t role) {
    const MatchStatistics *all = &s->all;
    const char *name = s->game->roles[role];
    double mean;
    if (matches_mean_goal(all, role, &mean))
        printf("  %-14s mean %8.4f  ", name, mean);
    else
        printf("  %-14s mean     none  ", name);
    for (size_t i = 0; i < all->goals.count; i++) {
        const GoalCount *g = &all->goals.items[i];
        if (g->role != role || !g->count)
            continue;
        double share = 100.0 * (double)g->count / (double)all->playouts;
        if (g->value < 0)
            printf("  %s: %.2f%%", g->value == GOAL_NONE ? "none" : "several", share);
        else
            printf("  %d: %.2f%%", g->value, share);
    }
    puts("");
}

static void print_as_text(const Command *command, const Simulation *s) {
    const MatchStatistics *all = &s->all, *single = detailed(s);
    printf("matches      %lu played to the end by the %s reasoner\n", (unsigned long)all->playouts,
           reasoner_name(all->reasoner));
    if (all->stuck)
        printf("stuck        %lu more: a role had no legal move\n", (unsigned long)all->stuck);
    if (all->too_long)
        printf("too long     %lu more were given up\n", (unsigned long)all->too_long);
    if (all->unfinished)
        printf("unfinished   %lu more were cut when time was up\n", (unsigned long)all->unfinished);
    if (!matches_count(all)) {
        puts("mean length  none: no match ended in this time");
        return;
    }
    printf("mean length  %.4f turns\ngoals\n", matches_mean_length(all));
    for (uint32_t r = 0; r < s->game->role_count; r++)
        print_role(s, r);
    if (!single->states) {
        puts("branching    none: no match had a turn");
        return;
    }
    printf("branching    mean legal moves over %lu states of %lu matches\n",
           (unsigned long)single->states, (unsigned long)matches_count(single));
    for (uint32_t r = 0; r < s->game->role_count; r++)
        printf("  %-14s %8.4f\n", s->game->roles[r], branching(single, r));
    if (command->common.quiet || !matches_count(single))
        return;
    printf("lengths      %u to %u turns in %lu matches\n", shortest(single), longest(single),
           (unsigned long)matches_count(single));
    print_histogram(single);
}

static int play_and_print(const Command *command, Simulation *s, Reasoner reasoner,
                          const MatchDevice *device) {
    play(command, s, reasoner, device);
    if (command->common.json)
        print_as_json(command, s);
    else
        print_as_text(command, s);
    if (s->all.goals_unknown)
        complain(
            "a role had several goal values or none, which the GPU cannot tell apart: the goal "
            "counts are not those of matches; use --reasoner sliced");
    return matches_count(&s->all) && !s->all.goals_unknown ? STATUS_DONE : STATUS_EXHAUSTED;
}

static void play_on_gpu(const Command *command, Simulation *s, int *status) {
    GpuPlayerOptions gpu_options = {
        .seed = search_seed_of_thread(command->common.seed, cluster_rank(command->cluster))};
    Accelerator accelerator;
    if (accelerator_open(&accelerator, s->game, &gpu_options))
        *status = play_and_print(command, s, REASONER_GPU, &accelerator.device);
    if (accelerator_problem(&accelerator)) {
        complain("%s", accelerator_problem(&accelerator));
        *status = STATUS_EXHAUSTED;
    }
    accelerator_close(&accelerator);
}

static int run_simulate(const Command *command) {
    const VerbOptions *own = command->options;
    int status = STATUS_DONE;
    GameOptions game_options = {.interpreter_only =
                                    own->reasoner && !strcmp(own->reasoner, "interpreter")};
    Simulation s = {.game = open_game(command, command->arguments[0], &game_options, &status)};
    Reasoner reasoner;
    if (s.game && choose_reasoner(s.game, own->reasoner, &reasoner, &status)) {
        if (reasoner == REASONER_GPU)
            play_on_gpu(command, &s, &status);
        else
            status = play_and_print(command, &s, reasoner, NULL);
    }
    matches_free(&s.all);
    matches_free(&s.single);
    game_free(s.game);
    return status;
}

const Verb verb_simulate = {
    .name = "simulate",
    .arguments = "GAME",
    .summary = "play random matches and say what they are like",
    .description =
        "Plays random matches and prints how long they are, how they end for each role,\n"
        "and how many legal moves there are. Without --playouts and --time it plays\n"
        "10000 matches or for 10 seconds. Means rest on all matches; lengths and\n"
        "branching on single ones, up to 1000 of them when the others are played sliced.\n"
        "--time is for playing: building the game is not counted. One seed and one thread\n"
        "(the default) give one result, if no clock ends the play.",
    .example = "simulate tic_tac_toe --playouts 100000 --seed 7",
    VERB_OPTIONS,
    .unused = "verbose",
    .takes = {1, 1},
    .is_distributed = true,
    .run = run_simulate,
};
