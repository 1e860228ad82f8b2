/* The study of constraint searches: `mac-ucb-sym` and `mac-ucb` against baselines that never
 * change, on deterministic games, games with dice, games for one player with hidden information,
 * and games of several players who see the same. Seats change from match to match. All teams play
 * on the same seeds, and so do all players who play alone. Players that this version does not have
 * are left out of the plan. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/output.h"
#include "cli/studies/study_scsp.h"
#include "scsp/macucb/macucb_measure.h"
#include "server/referee/match.h"

static const char *const keys[] = {"budget", "part",   "group", "game",
                                   "first",  "second", "match", NULL};
/* The last values, from `forbidden` on, are those of jobs that measure symmetries, which leave the
 * others empty. */
static const char *const values[] = {"score",   "goal",      "other_goal", "turns",      "errors",
                                     "seconds", "forbidden", "generators", "log10order", "solved",
                                     "classes", "arrivals",  "nogoods",    NULL};
enum { KEY_BUDGET, KEY_PART, KEY_GROUP, KEY_GAME, KEY_FIRST, KEY_SECOND, KEY_MATCH };

/* Clocks in seconds and numbers of matches, by tier. */
static const struct {
    double startclock, playclock;
    uint32_t
        /* Matches per game and pair; four times as many in games with chance from tier 2 on. */
        matches;
} tiers[] = {{20, 1, SCSP_TIER_ONE_MATCHES}, {180, 15, 100}, {180, 15, 100}};
enum {
    UNHURRIED = 60, /* seconds that a player may be late, because the machine may be busy */
    QUICK_PLAYOUTS = 10,
    QUICK_MATCHES = 1,
    MEASURED_PULLS = 20000,
    QUICK_PULLS = 500,
    SHARES_OF_SOLVING = 11, /* shares 0, 10, ... 100 % */
    SHARES_OF_SYMMETRY = 16 /* shares 0, 5, ... 75 % */
};
static const double MEASURED_SECONDS = 6, QUICK_SECONDS = 2;

const char *const scsp_parts[PARTS + 1] = {"duel",     "solo",      "team",     "share",
                                           "ablation", "structure", "baseline", NULL};

const char *const scsp_players[PLAYERS] = {"mac-ucb-sym",  "mac-ucb",        "baseline-uct",
                                           "baseline-cfr", "baseline-grave", "random"};
const StudyPair scsp_pairs[PAIRS] = {{SYM, MAC}, {SYM, UCT},   {SYM, CFR},   {SYM, GRAVE},
                                     {MAC, UCT}, {GRAVE, UCT}, {GRAVE, CFR}, {UCT, CHANCE}};

const StudyAblation scsp_ablations[ABLATIONS] = {
    {"mac-ucb-sym", "mac-ucb-sym:nogoods=1", "symmetries of the rules : the paper's"},
    {"mac-ucb", "mac-ucb:network=1", "the reasoner : the network"},
    {"mac-ucb", "mac-ucb:unpruned=1", "nogoods : none"},
    {"mac-ucb", "mac-ucb:paranoid=1", "each for itself : all against one"},
    {"mac-ucb", "mac-ucb:tree=1", "equal states are one : are several"},
};

const StudyAblation scsp_beliefs[BELIEFS] = {
    {"mac-ucb", NULL, "exact"},
    {"mac-ucb:sampled=1", NULL, "a sample"},
    {"mac-ucb:halves=1", NULL, "the paper's"},
};

const StudyGame scsp_games[GAMES] = {
    {1, PART_DUEL, "amazonsTorus_10x10", false, false, 0, 84.5, {81, 96, 95, 76}},
    {1, PART_DUEL, "battlebrushes", false, false, 0, 77.01, {46, 76, 56, 53}},
    {1, PART_DUEL, "breakthroughSuicide", true, true, 0, 84.54, {92, 93, 95, 58}},
    {1, PART_DUEL, "chess", false, false, 0, 83.97, {77, 94, 90, 86}},
    {1, PART_DUEL, "connectFourLarger", true, true, 0, 91.02, {86, 98, 96, 62}},
    {1, PART_DUEL, "connectFourSimultaneous", false, false, 0, 65.16, {74, 89, 64, 74}},
    {1, PART_DUEL, "copolymer_4_pie", false, false, 0, 70.24, {74, 87, 88, 80}},
    {1, PART_DUEL, "dotsAndBoxesSuicide", false, false, 0, 59.68, {63, 96, 95, 80}},
    {1, PART_DUEL, "englishDraughts", false, false, 0, 82.6, {84, 98, 98, 66}},
    {1, PART_DUEL, "2pffa", false, false, 0, 19.35, {52, 84, 82, 59}},
    {1, PART_DUEL, "hex", false, false, 0, 71.18, {84, 100, 100, 72}},
    {1, PART_DUEL, "knightThrough", false, false, 0, 71.35, {81, 97, 95, 80}},
    {1, PART_DUEL, "majorities", false, false, 0, 75.85, {83, 97, 94, 80}},
    {1, PART_DUEL, "pentago", false, true, 0, 15.97, {52, 84, 73, 70}},
    {1, PART_DUEL, "quarto", false, false, 0, 12.28, {53, 86, 71, 64}},
    {1, PART_DUEL, "shmup", false, false, 0, 33.33, {56, 86, 76, 53}},
    {1, PART_DUEL, "skirmishZeroSum", false, false, 0, 83.02, {84, 98, 99, 79}},
    {1, PART_DUEL, "2pttc", false, true, 0, 76.64, {95, 98, 94, 74}},
    {1, PART_DUEL, "ttcc4_2player", false, false, 0, 86.61, {82, 97, 98, 60}},
    {1, PART_DUEL, "reversiSuicide", true, false, 0, 61.36, {71, 100, 100, 62}},
    {2, PART_DUEL, "backgammon", false, false, 0, 88.4, {91.2, 98.7, 94.1, 68}},
    {2, PART_DUEL, "cant_stop", true, false, 0, 89.06, {88.5, 93.5, 88.5, 92}},
    {2, PART_DUEL, "kaeseklau", false, true, 0, 58.68, {72.1, 69.4, 78.4, 67}},
    {2, PART_DUEL, "pickomino", true, false, 0, 84.5, {74.6, 73.7, 71.1, 86.4}},
    {2, PART_DUEL, "yahtzee", false, false, 0, 91.48, {86.7, 86.4, 89.4, 62.4}},
    {3, PART_SOLO, "guess_dice", true, false, 100.0 / 6, 0, {15.6, 15, 15.7, 16, 16.5}},
    {3, PART_SOLO, "mastermind", true, true, 100.0 * 43 / 64, 0, {63.9, 67.8, 53.8, 68.1, 60.1}},
    {3, PART_SOLO, "monty_hall", true, false, 200.0 / 3, 0, {65.1, 65.2, 62.5, 63.1, 64.3}},
    {3, PART_SOLO, "vacuum_cleaner", true, false, 83.94, 83.79, {74.8, 61.5, 34, 46, 58.8}},
    {3, PART_SOLO, "wumpus", true, true, 86.2, 78.95, {71.2, 32.1, 40.1, 44.1, 51.2}},
    {4, PART_DUEL, "pacman", false, true, 0, 20.63, {62.3, 61.2, 64.2, 60.4}},
    {4, PART_TEAM, "schnappt_hubi", false, false, 0, 94.1, {79.3, 84.4, 76.2, 74.7}},
    {4, PART_TEAM, "sheep_and_wolf", false, false, 0, 61, {84.1, 90.2, 74.3, 73.2}},
    {4, PART_DUEL, "latent_tic_tac_toe", true, false, 0, 79.23, {84.5, 95.1, 91.7, 84.6}},
    {4, PART_DUEL, "war", true, false, 0, 56.8, {63.2, 71.3, 68.4, 62.4}},
};
/* True for the games of a quick study: one game for each kind of job. */
static bool is_quick_game(const StudyGame *game) {
    return strcmp(game->name, "monty_hall") == 0 || strcmp(game->name, "sheep_and_wolf") == 0 ||
           strcmp(game->name, "pacman") == 0;
}

/* ---- the jobs ---- */

bool scsp_can_play(const char *player) {
    Report report = {0};
    Contestant contestant;
    bool can = contestant_read(&contestant, player, &report);
    contestant_free(&contestant);
    report_free(&report);
    return can;
}

/* Finds the file of the game. False if there is none: games of group 1 are in the corpus of
 * $MARELLE_SHARED. */
static bool find_game(const StudyGame *game, Text *path) {
    const char *shared = getenv("MARELLE_SHARED");
    text_clear(path);
    if (game->group > 1) {
        text_add(path, game->name);
        return true;
    }
    text_printf(path, "%s/corpus/base/%s_v0.kif", shared ? shared : "", game->name);
    return shared && access(text_string(path), R_OK) == 0;
}

static bool is_wanted(const ExperimentSetup *setup, const StudyGame *game) {
    for (size_t i = 0; i < setup->game_count; i++)
        if (strcmp(setup->games[i], game->name) == 0)
            return true;
    if (setup->game_count)
        return false;
    if (setup->is_quick)
        return is_quick_game(game);
    return setup->tier != 2 || game->is_named;
}

static uint64_t matches_of(const ExperimentSetup *setup, const StudyGame *game) {
    if (setup->seeds)
        return setup->seeds;
    if (setup->is_quick)
        return QUICK_MATCHES;
    return (uint64_t)tiers[setup->tier - 1].matches * (setup->tier > 1 && game->group > 1 ? 4 : 1);
}

/* Playouts per move; 0: as many as the clock allows. Playouts do not depend on the load of the
 * machine. */
static uint64_t playouts_of(const ExperimentSetup *setup) {
    return setup->playouts || !setup->is_quick ? setup->playouts : QUICK_PLAYOUTS;
}

/* Seconds per move; 0 if playouts are counted instead. */
static double thinking_time(const ExperimentSetup *setup) {
    if (playouts_of(setup))
        return 0;
    return setup->move_seconds > 0 ? setup->move_seconds : tiers[setup->tier - 1].playclock;
}

/* Seconds before the first move, in the proportion of the tier's clocks; 0 if playouts are
 * counted. */
static double start_time(const ExperimentSetup *setup) {
    return thinking_time(setup) * tiers[setup->tier - 1].startclock /
           tiers[setup->tier - 1].playclock;
}

static void plan_job(const ExperimentSetup *setup, ResultRows *jobs, Part part,
                     const StudyGame *game, const char *first, const char *second, uint64_t match) {
    result_rows_add_row(jobs);
    if (playouts_of(setup))
        result_rows_add_cell(jobs, "%lu playouts", (unsigned long)playouts_of(setup));
    else if (setup->tier == 1)
        result_rows_add_cell(jobs, "%g CPU s", thinking_time(setup));
    else /* the start clock is not in proportion to that of tier 1 */
        result_rows_add_cell(jobs, "%g CPU s after %g", thinking_time(setup), start_time(setup));
    result_rows_add_cell(jobs, "%s", scsp_parts[part]);
    result_rows_add_cell(jobs, "%d", game->group);
    result_rows_add_cell(jobs, "%s", game->name);
    result_rows_add_cell(jobs, "%s", first);
    result_rows_add_cell(jobs, "%s", second);
    result_rows_add_cell(jobs, "%lu", (unsigned long)(setup->first_seed + match));
}

bool scsp_is_constraint_search(int player) {
    return player == SYM || player == MAC;
}

/* True for pairs in which a constraint search plays; targets name only these. */
static bool is_named_pair(size_t pair) {
    return scsp_is_constraint_search(scsp_pairs[pair].first);
}

/* True for players that targets name alone or in a team: also `baseline-uct`. */
static bool is_named_player(int player) {
    return scsp_is_constraint_search(player) || player == UCT;
}

uint64_t scsp_named_meetings(const StudyGame *game) {
    uint64_t count = 0;
    for (size_t p = 0; p < PAIRS && game->part == PART_DUEL; p++)
        count += is_named_pair(p);
    for (int p = 0; p < PLAYERS && game->part != PART_DUEL; p++)
        count += is_named_player(p);
    return count;
}

/* Plans the jobs of one match that targets name, or those that they do not name. */
static void plan_match(const ExperimentSetup *setup, ResultRows *jobs, const StudyGame *game,
                       const bool *has_player, uint64_t match, bool is_named) {
    for (size_t p = 0; p < PAIRS && game->part == PART_DUEL; p++)
        if (has_player[scsp_pairs[p].first] && has_player[scsp_pairs[p].second] &&
            is_named_pair(p) == is_named)
            plan_job(setup, jobs, PART_DUEL, game, scsp_players[scsp_pairs[p].first],
                     scsp_players[scsp_pairs[p].second], match);
    for (int p = 0; p < PLAYERS && game->part != PART_DUEL; p++)
        if (has_player[p] && is_named_player(p) == is_named)
            plan_job(setup, jobs, game->part, game, scsp_players[p], "", match);
}

/* The shares 0 and 1 cannot be asked for, so 0.01 and 0.99 replace them. */
static double fit_share(double share) {
    return share < 0.01 ? 0.01 : share > 0.99 ? 0.99 : share;
}

/* Plans matches with other shares of the time against `baseline-uct`, and variants of the search
 * against each other; for players who play alone, other beliefs. */
static void plan_sweeps(const ExperimentSetup *setup, ResultRows *jobs, const StudyGame *game,
                        uint64_t match) {
    char player[100];
    bool with_shares = experiment_has_part(setup, scsp_parts[PART_SHARE]);
    bool with_ablations = experiment_has_part(setup, scsp_parts[PART_ABLATION]);
    if (game->part == PART_SOLO) {
        for (int i = 1; i < BELIEFS && with_ablations; i++)
            plan_job(setup, jobs, PART_ABLATION, game, scsp_beliefs[i].first, "", match);
        return;
    }
    for (int i = 0; i < SHARES_OF_SOLVING && with_shares; i++) {
        snprintf(player, sizeof player, "mac-ucb:solving=%g", fit_share(0.1 * i));
        plan_job(setup, jobs, PART_SHARE, game, player, scsp_players[UCT], match);
    }
    for (int i = 0; i < SHARES_OF_SYMMETRY && with_shares; i++) {
        double symmetry = fit_share(0.05 * i);
        snprintf(player, sizeof player, "mac-ucb-sym:nogoods=1,solving=%g,symmetry=%g",
                 fit_share(0.75 - symmetry), symmetry);
        plan_job(setup, jobs, PART_SHARE, game, player, scsp_players[UCT], match);
    }
    for (int i = 0; i < ABLATIONS && with_ablations; i++)
        plan_job(setup, jobs, PART_ABLATION, game, scsp_ablations[i].first,
                 scsp_ablations[i].second, match);
}

/* A range of matches, for all games that were found. */
typedef struct {
    const ExperimentSetup *setup;
    ResultRows *jobs;
    bool has_player[PLAYERS], is_there[GAMES];
    uint64_t from, end;
} Round;

static void plan_matches(const Round *r, bool is_named) {
    /* Groups with short matches come first, games with dice last. */
    static const int groups[] = {3, 4, 1, 2};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        for (size_t g = 0; g < GAMES; g++) {
            const StudyGame *game = &scsp_games[g];
            uint64_t most = matches_of(r->setup, game);
            Part part = is_named ? game->part : PART_BASELINE;
            bool is_asked_for = r->is_there[g] && game->group == groups[i] &&
                                experiment_has_part(r->setup, scsp_parts[part]);
            for (uint64_t m = r->from; m < r->end && m < most && is_asked_for; m++)
                plan_match(r->setup, r->jobs, game, r->has_player, m, is_named);
        }
}

static void plan_named(const Round *r) {
    plan_matches(r, true);
}

static void plan_others(const Round *r) {
    plan_matches(r, false);
}

static void plan_all_sweeps(const Round *r) {
    for (size_t g = 0; g < GAMES && !r->setup->is_quick; g++)
        for (uint64_t m = r->from; m < r->end && r->is_there[g] && scsp_games[g].is_swept; m++)
            if (m < matches_of(r->setup, &scsp_games[g]))
                plan_sweeps(r->setup, r->jobs, &scsp_games[g], m);
}

/* Plans two matches of each game at a time, in which both sides have had both seats, so that an
 * interrupted study has played every game. */
static void plan_rounds(Round *r, uint64_t most, void (*plan_round)(const Round *)) {
    for (r->from = 0; r->from < most; r->from = r->end) {
        r->end = r->from + 2 < most ? r->from + 2 : most;
        plan_round(r);
    }
}

/* Matches that targets name come first, then sweeps and symmetries, then the matches among
 * baselines. */
static void plan(const ExperimentSetup *setup, ResultRows *jobs) {
    Round r = {.setup = setup, .jobs = jobs};
    Text path = {0};
    uint64_t most = 0;
    for (int p = 0; p < PLAYERS; p++)
        r.has_player[p] = scsp_can_play(scsp_players[p]);
    for (size_t g = 0; g < GAMES; g++) {
        uint64_t matches = matches_of(setup, &scsp_games[g]);
        r.is_there[g] = is_wanted(setup, &scsp_games[g]) && find_game(&scsp_games[g], &path);
        most = matches > most ? matches : most;
    }
    plan_rounds(&r, most, plan_named);
    plan_rounds(&r, most, plan_all_sweeps);
    for (size_t g = 0; g < GAMES && experiment_has_part(setup, scsp_parts[PART_STRUCTURE]); g++)
        if (r.is_there[g])
            plan_job(setup, jobs, PART_STRUCTURE, &scsp_games[g], scsp_players[SYM], "", 0);
    plan_rounds(&r, most, plan_others);
    vector_free(&path);
}

static const StudyGame *game_named(const char *name) {
    for (size_t g = 0; g < GAMES; g++)
        if (strcmp(scsp_games[g].name, name) == 0)
            return &scsp_games[g];
    return NULL;
}

static uint32_t bits_of(uint64_t set) {
    return (uint32_t)__builtin_popcountll(set);
}

/* Returns the set of seats that the first player has in a match. Matches go through all sets with
 * half of the seats; if their number is odd, through all sets with the smaller or the larger
 * half. */
static uint64_t seats_of_first(size_t seats, uint64_t match) {
    uint64_t ways = 0, all = 1ull << seats;
    uint32_t half = (uint32_t)(seats / 2), rest = (uint32_t)(seats - half);
    for (uint64_t set = 1; set < all; set++)
        ways += bits_of(set) == half || bits_of(set) == rest;
    uint64_t wanted = match % (ways ? ways : 1);
    for (uint64_t set = 1; set < all; set++)
        if ((bits_of(set) == half || bits_of(set) == rest) && wanted-- == 0)
            return set;
    return 0;
}

typedef struct {
    const StudyGame *game;
    Contestant contestants[2];
    uint64_t match;
    bool is_duel;
    uint64_t first_seats; /* bitset of the seats of the first player, in a duel */
} Meeting;

/* The score of the first player in a duel: 1, 0.5 or 0. With more than two seats it is the mean
 * goal of its seats, divided by the sum of both sides' mean goals. */
static double score_of_duel(double goal, double other, size_t seats) {
    if (seats > 2)
        return goal + other > 0 ? goal / (goal + other) : 0.5;
    return goal > other ? 1 : goal == other ? 0.5 : 0;
}

static double score_of(const Meeting *meeting, const MatchRecord *record, double *goal,
                       double *other) {
    size_t seat = 0, own_seats = 0, other_seats = 0;
    *goal = *other = 0;
    for (uint32_t r = 0; r < record->role_count; r++) {
        if (match_is_chance(record, r))
            continue;
        int value = record->goals[r] >= 0 ? record->goals[r] : 0;
        bool is_first = !meeting->is_duel || (meeting->first_seats >> seat & 1);
        *(is_first ? goal : other) += value;
        own_seats += is_first;
        other_seats += !is_first;
        seat++;
    }
    *goal /= own_seats ? (double)own_seats : 1;
    *other /= other_seats ? (double)other_seats : 1;
    return meeting->is_duel ? score_of_duel(*goal, *other, seat) : *goal / 100;
}

static void add_match(const Meeting *meeting, const MatchRecord *record, double seconds,
                      ResultRows *cells) {
    double goal, other;
    result_rows_add_cell(cells, "%g", score_of(meeting, record, &goal, &other));
    result_rows_add_cell(cells, "%g", goal);
    result_rows_add_cell(cells, "%g", other);
    result_rows_add_cell(cells, "%zu", record->moves.count);
    result_rows_add_cell(cells, "%zu", record->faults.count);
    result_rows_add_cell(cells, "%.2f", seconds);
}

static bool play(ExperimentWork *work, Meeting *meeting, Game *game, ResultRows *cells) {
    const ExperimentSetup *setup = experiment_setup(work);
    const Contestant **seats = memory_zalloc((game->role_count + 1) * sizeof *seats);
    Report report = {0};
    size_t count = game_count_players(game);
    meeting->first_seats = seats_of_first(count, meeting->match);
    for (size_t i = 0; i < count; i++)
        seats[i] = &meeting->contestants[meeting->is_duel && !(meeting->first_seats >> i & 1)];
    MatchSetup plan = {.game = game,
                       .game_name = meeting->game->name,
                       .contestants = seats,
                       .contestant_count = count,
                       .startclock = start_time(setup),
                       .playclock = UNHURRIED + thinking_time(setup),
                       .seed = meeting->match,
                       .stopped = interrupt_flag()};
    double started = clock_cpu_seconds();
    MatchRecord *record = match_play(&plan, &report);
    if (!record)
        complain("%s: %s", meeting->game->name,
                 report.items.count ? report.items.items[0].message : "no match");
    if (record)
        add_match(meeting, record, clock_cpu_seconds() - started, cells);
    bool ok = record && (record->is_completed || !interrupt_requested());
    match_free(record);
    report_free(&report);
    free(seats);
    return ok && !interrupt_requested();
}

/* Measures the symmetries of a game and their savings. The cells stay empty if the search cannot
 * play the game. */
static bool measure(ExperimentWork *work, Game *game, uint64_t seed, ResultRows *cells) {
    bool is_quick = experiment_setup(work)->is_quick;
    double started = clock_cpu_seconds();
    MacUcbMeasures m;
    bool can = macucb_measure(game, is_quick ? QUICK_PULLS : MEASURED_PULLS,
                              is_quick ? QUICK_SECONDS : MEASURED_SECONDS, seed, &m);
    for (int i = 0; i < 5; i++)
        result_rows_add_cell(cells, "%s", "");
    result_rows_add_cell(cells, "%.2f", clock_cpu_seconds() - started);
    if (!can)
        return true;
    if (m.is_translated) {
        result_rows_add_cell(cells, "%.0f", m.forbidden);
        result_rows_add_cell(cells, "%zu", m.generators);
        result_rows_add_cell(cells, "%.2f", m.log10_order);
    }
    for (int i = 0; i < 3 && !m.is_translated; i++)
        result_rows_add_cell(cells, "%s", "");
    result_rows_add_cell(cells, "%lu", (unsigned long)m.solved);
    result_rows_add_cell(cells, "%lu", (unsigned long)m.classes);
    result_rows_add_cell(cells, "%lu", (unsigned long)m.arrivals);
    result_rows_add_cell(cells, "%lu", (unsigned long)(m.proved + m.predicted));
    return !interrupt_requested();
}

static bool meet(ExperimentWork *work, const char *const *key, Game *game, ResultRows *cells) {
    const ExperimentSetup *setup = experiment_setup(work);
    Meeting meeting = {.game = game_named(key[KEY_GAME]),
                       .match = strtoull(key[KEY_MATCH], NULL, 10),
                       .is_duel = *key[KEY_SECOND] != 0};
    const char *names[] = {key[KEY_FIRST], meeting.is_duel ? key[KEY_SECOND] : key[KEY_FIRST]};
    Report report = {0};
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        ok &= contestant_read(&meeting.contestants[i], names[i], &report);
        meeting.contestants[i].strategy.playouts = playouts_of(setup);
        meeting.contestants[i].strategy.seconds = thinking_time(setup);
        meeting.contestants[i].counts_cpu_seconds = true;
    }
    ok = ok && play(work, &meeting, game, cells);
    for (int i = 0; i < 2; i++)
        contestant_free(&meeting.contestants[i]);
    report_free(&report);
    return ok;
}

static bool run(ExperimentWork *work, const char *const *key, ResultRows *cells) {
    Text path = {0};
    Game *game = NULL;
    if (find_game(game_named(key[KEY_GAME]), &path))
        game = experiment_game(work, text_string(&path));
    bool ok = game != NULL;
    if (ok && strcmp(key[KEY_PART], scsp_parts[PART_STRUCTURE]) == 0)
        ok = measure(work, game, strtoull(key[KEY_MATCH], NULL, 10), cells);
    else if (ok)
        ok = meet(work, key, game, cells);
    vector_free(&path);
    return ok;
}

const Experiment experiment_scsp = {
    .name = "scsp",
    .summary = "constraint searches against uct, cfr and grave, with chance and hidden information",
    .keys = keys,
    .values = values,
    .parts = scsp_parts,
    .plan = plan,
    .run = run,
    .report = scsp_write_page,
};
