/* The study of constraint searches: `mac-ucb-sym` and `mac-ucb` against baselines that never
 * change, on deterministic games, games of dice, games for one who sees little, and games of
 * several who see the same. Seats change from match to match; teams play on the same seeds, and so
 * do those who play alone. Players that this version does not have are left out of the plan. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/experiment.h"
#include "cli/output.h"
#include "server/match.h"
#include "server/standings.h"

static const char *const keys[] = {"budget", "part",   "group", "game",
                                   "first",  "second", "match", NULL};
static const char *const values[] = {"score",  "goal",    "other_goal", "turns",
                                     "errors", "seconds", NULL};
enum { KEY_BUDGET, KEY_PART, KEY_GROUP, KEY_GAME, KEY_FIRST, KEY_SECOND, KEY_MATCH };

/* How much is played. */
static const struct {
    double startclock, playclock;
    uint32_t
        matches; /* of a game and pair; of games with chance, four times as many in tier 2 up */
} tiers[] = {{20, 1, 100}, {180, 15, 100}, {180, 15, 100}};
enum { UNHURRIED = 60 /* seconds */, QUICK_PLAYOUTS = 10, QUICK_MATCHES = 1 };

typedef enum { PART_DUEL, PART_SOLO, PART_TEAM } Part;
static const char *const part_names[] = {"duel", "solo", "team"};

/* Players by number, and who meets whom. */
enum { SYM, MAC, UCT, CFR, GRAVE, CHANCE, PLAYERS };
static const char *const players[PLAYERS] = {"mac-ucb-sym",  "mac-ucb",        "baseline-uct",
                                             "baseline-cfr", "baseline-grave", "random"};
static const struct {
    int first, second;
} pairs[] = {{SYM, MAC}, {SYM, UCT},   {SYM, CFR},   {SYM, GRAVE},
             {MAC, UCT}, {GRAVE, UCT}, {GRAVE, CFR}, {UCT, CHANCE}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* A game, and what the authors of the method report of it: percentages of won matches of
 * mac-ucb-sym against mac-ucb, uct, cfr and grave; of what each of the five solves alone in group
 * 3; 0 where they have none. Games of group 1 are files of the corpus. */
typedef struct {
    int group;
    Part part;
    const char *name;
    bool is_named; /* one of those that tier 2 plays */
    double best;   /* percentage that nobody can exceed, where it is known */
    double reported[5];
} StudyGame;

static const StudyGame games[] = {
    {1, PART_DUEL, "amazonsTorus_10x10", false, 0, {81, 96, 95, 76}},
    {1, PART_DUEL, "battlebrushes", false, 0, {46, 76, 56, 53}},
    {1, PART_DUEL, "breakthroughSuicide", true, 0, {92, 93, 95, 58}},
    {1, PART_DUEL, "chess", false, 0, {77, 94, 90, 86}},
    {1, PART_DUEL, "connectFourLarger", true, 0, {86, 98, 96, 62}},
    {1, PART_DUEL, "connectFourSimultaneous", false, 0, {74, 89, 64, 74}},
    {1, PART_DUEL, "copolymer_4_pie", false, 0, {74, 87, 88, 80}},
    {1, PART_DUEL, "dotsAndBoxesSuicide", false, 0, {63, 96, 95, 80}},
    {1, PART_DUEL, "englishDraughts", false, 0, {84, 98, 98, 66}},
    {1, PART_DUEL, "2pffa", false, 0, {52, 84, 82, 59}},
    {1, PART_DUEL, "hex", false, 0, {84, 100, 100, 72}},
    {1, PART_DUEL, "knightThrough", false, 0, {81, 97, 95, 80}},
    {1, PART_DUEL, "majorities", false, 0, {83, 97, 94, 80}},
    {1, PART_DUEL, "pentago", false, 0, {52, 84, 73, 70}},
    {1, PART_DUEL, "quarto", false, 0, {53, 86, 71, 64}},
    {1, PART_DUEL, "shmup", false, 0, {56, 86, 76, 53}},
    {1, PART_DUEL, "skirmishZeroSum", false, 0, {84, 98, 99, 79}},
    {1, PART_DUEL, "2pttc", false, 0, {95, 98, 94, 74}},
    {1, PART_DUEL, "ttcc4_2player", false, 0, {82, 97, 98, 60}},
    {1, PART_DUEL, "reversiSuicide", true, 0, {71, 100, 100, 62}},
    {2, PART_DUEL, "backgammon", false, 0, {91.2, 98.7, 94.1, 68}},
    {2, PART_DUEL, "cant_stop", true, 0, {88.5, 93.5, 88.5, 92}},
    {2, PART_DUEL, "kaeseklau", false, 0, {72.1, 69.4, 78.4, 67}},
    {2, PART_DUEL, "pickomino", true, 0, {74.6, 73.7, 71.1, 86.4}},
    {2, PART_DUEL, "yahtzee", false, 0, {86.7, 86.4, 89.4, 62.4}},
    {3, PART_SOLO, "guess_dice", true, 100.0 / 6, {15.6, 15, 15.7, 16, 16.5}},
    {3, PART_SOLO, "mastermind", true, 100.0 * 43 / 64, {63.9, 67.8, 53.8, 68.1, 60.1}},
    {3, PART_SOLO, "monty_hall", true, 200.0 / 3, {65.1, 65.2, 62.5, 63.1, 64.3}},
    {3, PART_SOLO, "vacuum_cleaner", true, 83.94, {74.8, 61.5, 34, 46, 58.8}},
    {3, PART_SOLO, "wumpus", true, 86.2, {71.2, 32.1, 40.1, 44.1, 51.2}},
    {4, PART_DUEL, "pacman", false, 0, {62.3, 61.2, 64.2, 60.4}},
    {4, PART_TEAM, "schnappt_hubi", false, 0, {79.3, 84.4, 76.2, 74.7}},
    {4, PART_TEAM, "sheep_and_wolf", false, 0, {84.1, 90.2, 74.3, 73.2}},
    {4, PART_DUEL, "latent_tic_tac_toe", true, 0, {84.5, 95.1, 91.7, 84.6}},
    {4, PART_DUEL, "war", true, 0, {63.2, 71.3, 68.4, 62.4}},
};
enum { GAMES = sizeof games / sizeof *games, GROUPS = 4 };

/* Quick ones for tests: one of each part. */
static bool is_quick_game(const StudyGame *game) {
    return strcmp(game->name, "monty_hall") == 0 || strcmp(game->name, "sheep_and_wolf") == 0 ||
           strcmp(game->name, "pacman") == 0;
}

/* ---- the jobs ---- */

static bool can_play(const char *player) {
    Report report = {0};
    Contestant contestant;
    bool can = contestant_read(&contestant, player, &report);
    contestant_free(&contestant);
    report_free(&report);
    return can;
}

/* Where the game is, or nothing: those of group 1 are in the corpus of $MARELLE_SHARED. */
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

/* Of a move; 0: as many as the clock allows. Play-outs do not depend on what else the machine does.
 */
static uint64_t playouts_of(const ExperimentSetup *setup) {
    return setup->playouts || !setup->is_quick ? setup->playouts : QUICK_PLAYOUTS;
}

static double playclock(const ExperimentSetup *setup) {
    if (playouts_of(setup))
        return UNHURRIED;
    return setup->move_seconds > 0 ? setup->move_seconds : tiers[setup->tier - 1].playclock;
}

static void plan_job(const ExperimentSetup *setup, Records *jobs, const StudyGame *game,
                     const char *first, const char *second, uint64_t match) {
    records_add_row(jobs);
    if (playouts_of(setup))
        records_add_cell(jobs, "%lu play-outs", (unsigned long)playouts_of(setup));
    else
        records_add_cell(jobs, "%g s", playclock(setup));
    records_add_cell(jobs, "%s", part_names[game->part]);
    records_add_cell(jobs, "%d", game->group);
    records_add_cell(jobs, "%s", game->name);
    records_add_cell(jobs, "%s", first);
    records_add_cell(jobs, "%s", second);
    records_add_cell(jobs, "%lu", (unsigned long)(setup->first_seed + match));
}

static void plan_match(const ExperimentSetup *setup, Records *jobs, const StudyGame *game,
                       const bool *has_player, uint64_t match) {
    if (game->part == PART_DUEL) {
        for (size_t p = 0; p < PAIRS; p++)
            if (has_player[pairs[p].first] && has_player[pairs[p].second])
                plan_job(setup, jobs, game, players[pairs[p].first], players[pairs[p].second],
                         match);
        return;
    }
    for (int p = 0; p < PLAYERS; p++)
        if (has_player[p])
            plan_job(setup, jobs, game, players[p], "", match);
}

/* Match after match, so that a study cut short has seen all games. */
static void plan(const ExperimentSetup *setup, Records *jobs) {
    bool has_player[PLAYERS];
    Text path = {0};
    uint64_t most = 0;
    for (int p = 0; p < PLAYERS; p++)
        has_player[p] = can_play(players[p]);
    for (size_t g = 0; g < GAMES; g++)
        most = matches_of(setup, &games[g]) > most ? matches_of(setup, &games[g]) : most;
    for (uint64_t m = 0; m < most; m++)
        for (size_t g = 0; g < GAMES; g++)
            if (is_wanted(setup, &games[g]) && m < matches_of(setup, &games[g]) &&
                find_game(&games[g], &path))
                plan_match(setup, jobs, &games[g], has_player, m);
    vector_free(&path);
}

static const StudyGame *game_named(const char *name) {
    for (size_t g = 0; g < GAMES; g++)
        if (strcmp(games[g].name, name) == 0)
            return &games[g];
    return NULL;
}

/* Whether the first player sits there in the match of that number: over the matches each of both
 * has half of the seats, and every seat as often as the other. */
static bool sits_first(size_t seat, uint64_t match) {
    return (seat + match) % 2 == 0;
}

typedef struct {
    const StudyGame *game;
    Contestant contestants[2];
    uint64_t match;
} Meeting;

static double score_of(const Meeting *meeting, const MatchRecord *record, double *goal,
                       double *other) {
    size_t seat = 0, own_seats = 0, other_seats = 0;
    *goal = *other = 0;
    for (uint32_t r = 0; r < record->role_count; r++) {
        if (match_is_chance(record, r))
            continue;
        int value = record->goals[r] >= 0 ? record->goals[r] : 0;
        bool is_first = meeting->game->part != PART_DUEL || sits_first(seat, meeting->match);
        *(is_first ? goal : other) += value;
        own_seats += is_first;
        other_seats += !is_first;
        seat++;
    }
    *goal /= own_seats ? (double)own_seats : 1;
    *other /= other_seats ? (double)other_seats : 1;
    if (meeting->game->part != PART_DUEL)
        return *goal / 100;
    return *goal > *other ? 1 : *goal == *other ? 0.5 : 0;
}

static bool play(ExperimentWork *work, const Meeting *meeting, Game *game, Records *cells) {
    const ExperimentSetup *setup = experiment_setup(work);
    const Contestant **seats = memory_zalloc((game->role_count + 1) * sizeof *seats);
    Report report = {0};
    size_t count = match_seats(game);
    for (size_t i = 0; i < count; i++)
        seats[i] =
            &meeting
                 ->contestants[meeting->game->part == PART_DUEL && !sits_first(i, meeting->match)];
    MatchSetup plan = {.game = game,
                       .game_name = meeting->game->name,
                       .contestants = seats,
                       .contestant_count = count,
                       .startclock = tiers[setup->tier - 1].startclock,
                       .playclock = playclock(setup),
                       .seed = meeting->match,
                       .stopped = interrupt_flag()};
    double started = clock_cpu_seconds();
    MatchRecord *record = match_play(&plan, &report);
    if (!record)
        complain("%s: %s", meeting->game->name,
                 report.items.count ? report.items.items[0].message : "no match");
    if (record) {
        double goal, other;
        records_add_cell(cells, "%g", score_of(meeting, record, &goal, &other));
        records_add_cell(cells, "%g", goal);
        records_add_cell(cells, "%g", other);
        records_add_cell(cells, "%zu", record->moves.count);
        records_add_cell(cells, "%zu", record->errors.count);
        records_add_cell(cells, "%.2f", clock_cpu_seconds() - started);
    }
    bool well = record && (record->is_completed || !interrupt_requested());
    match_free(record);
    report_free(&report);
    free(seats);
    return well && !interrupt_requested();
}

static bool run(ExperimentWork *work, const char *const *key, Records *cells) {
    Meeting meeting = {.game = game_named(key[KEY_GAME]),
                       .match = strtoull(key[KEY_MATCH], NULL, 10)};
    const char *names[] = {key[KEY_FIRST], *key[KEY_SECOND] ? key[KEY_SECOND] : key[KEY_FIRST]};
    Text path = {0};
    Report report = {0};
    bool well = find_game(meeting.game, &path);
    Game *game = well ? experiment_game(work, text_string(&path)) : NULL;
    for (int i = 0; i < 2; i++) {
        well &= contestant_read(&meeting.contestants[i], names[i], &report);
        meeting.contestants[i].playouts = playouts_of(experiment_setup(work));
    }
    well = well && game && play(work, &meeting, game, cells);
    for (int i = 0; i < 2; i++)
        contestant_free(&meeting.contestants[i]);
    vector_free(&path);
    report_free(&report);
    return well;
}

/* ---- the page ---- */

typedef struct {
    double sum, low, high; /* sum of scores; Wilson's interval of their mean, in per cent */
    uint64_t count, errors;
} Score;

static void close_score(Score *score) {
    if (!score->count)
        return;
    wilson_interval(score->sum / (double)score->count, (double)score->count, &score->low,
                    &score->high);
    score->low *= 100;
    score->high *= 100;
}

static double percent(const Score *score) {
    return score->count ? 100 * score->sum / (double)score->count : NAN;
}

static Score look_up(const Records *runs, const char *game, const char *first, const char *second) {
    Score score = {0};
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (strcmp(records_text(runs, i, "game"), game) != 0 ||
            strcmp(records_text(runs, i, "first"), first) != 0 ||
            strcmp(records_text(runs, i, "second"), second) != 0)
            continue;
        score.sum += records_number(runs, i, "score");
        score.errors += (uint64_t)records_number(runs, i, "errors");
        score.count++;
    }
    close_score(&score);
    return score;
}

/* Two teams on the same seeds: how often the first did better, ties counted half. */
static Score compare_teams(const Records *runs, const char *game, const char *first,
                           const char *second) {
    Score score = {0};
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (strcmp(records_text(runs, i, "game"), game) != 0 ||
            strcmp(records_text(runs, i, "first"), first) != 0)
            continue;
        for (size_t j = 0; j < runs->rows.count; j++) {
            if (strcmp(records_text(runs, j, "game"), game) != 0 ||
                strcmp(records_text(runs, j, "first"), second) != 0 ||
                strcmp(records_text(runs, j, "match"), records_text(runs, i, "match")) != 0 ||
                strcmp(records_text(runs, j, "budget"), records_text(runs, i, "budget")) != 0)
                continue;
            double a = records_number(runs, i, "score"), b = records_number(runs, j, "score");
            score.sum += a > b ? 1 : a == b ? 0.5 : 0;
            score.count++;
        }
    }
    close_score(&score);
    return score;
}

static Score score_of_pair(const Records *runs, const StudyGame *game, size_t pair) {
    const char *first = players[pairs[pair].first], *second = players[pairs[pair].second];
    return game->part == PART_TEAM ? compare_teams(runs, game->name, first, second)
                                   : look_up(runs, game->name, first, second);
}

/* "62 [48, 74] of 40"; a number in brackets is what was reported. */
static void add_score(Records *table, const Score *score, double reported) {
    if (!score->count)
        records_add_cell(table, "-");
    else if (reported > 0)
        records_add_cell(table, "%.0f [%.0f, %.0f] of %lu (%.0f)", percent(score), score->low,
                         score->high, (unsigned long)score->count, reported);
    else
        records_add_cell(table, "%.0f [%.0f, %.0f] of %lu", percent(score), score->low, score->high,
                         (unsigned long)score->count);
}

static double reported_of(const StudyGame *game, size_t pair) {
    return pairs[pair].first == SYM ? game->reported[pairs[pair].second - MAC] : 0;
}

/* The mean over the games of a group that were played, each with the same weight. */
static Score mean_of_group(const Records *runs, int group, size_t pair, size_t *played) {
    Score mean = {0};
    *played = 0;
    for (size_t g = 0; g < GAMES; g++) {
        if (games[g].group != group || games[g].part == PART_SOLO)
            continue;
        Score score = score_of_pair(runs, &games[g], pair);
        if (!score.count)
            continue;
        mean.sum += score.sum / (double)score.count;
        mean.count += score.count;
        ++*played;
    }
    if (*played)
        mean.sum *= (double)mean.count / (double)*played;
    close_score(&mean);
    return mean;
}

typedef struct {
    size_t items[PAIRS];
    size_t count;
    char labels[PAIRS][80];
} PlayedPairs;

static PlayedPairs pairs_of_group(const Records *runs, int group) {
    PlayedPairs found = {.count = 0};
    for (size_t p = 0; p < PAIRS; p++) {
        size_t played;
        mean_of_group(runs, group, p, &played);
        if (!played)
            continue;
        snprintf(found.labels[found.count], sizeof found.labels[0], "%s : %s",
                 players[pairs[p].first], players[pairs[p].second]);
        found.items[found.count++] = p;
    }
    return found;
}

static bool was_played(const Records *runs, const StudyGame *game) {
    for (size_t i = 0; i < runs->rows.count; i++)
        if (strcmp(records_text(runs, i, "game"), game->name) == 0)
            return true;
    return false;
}

static void add_means(const Records *runs, int group, const PlayedPairs *played, Records *table) {
    records_add_row(table);
    records_add_cell(table, "mean");
    for (size_t p = 0; p < played->count; p++) {
        size_t count;
        Score mean = mean_of_group(runs, group, played->items[p], &count);
        add_score(table, &mean, 0);
    }
}

static void add_group(ExperimentWork *work, const Records *runs, int group, const char *title,
                      Text *page) {
    PlayedPairs played = pairs_of_group(runs, group);
    const char *columns[PAIRS + 2] = {"game"};
    char name[20];
    text_printf(page, "## Group %d: %s\n\n", group, title);
    if (!played.count) {
        text_add(page, "Not played yet.\n\n");
        return;
    }
    Records table;
    Plot plot = {.title = title, .y_label = "score of the first in per cent"};
    for (size_t p = 0; p < played.count; p++) {
        columns[p + 1] = played.labels[p];
        plot_add_series(&plot, played.labels[p]);
    }
    records_init(&table, columns);
    for (size_t g = 0; g < GAMES; g++) {
        if (games[g].group != group || !was_played(runs, &games[g]))
            continue;
        records_add_row(&table);
        records_add_cell(&table, "%s", games[g].name);
        for (size_t p = 0; p < played.count; p++) {
            Score score = score_of_pair(runs, &games[g], played.items[p]);
            add_score(&table, &score, reported_of(&games[g], played.items[p]));
            if (score.count)
                plot_add_bar(&plot, &plot.series[p], games[g].name, percent(&score));
        }
    }
    add_means(runs, group, &played, &table);
    snprintf(name, sizeof name, "group%d", group);
    experiment_add_table(work, page, name, &table);
    experiment_add_plot(work, page, name, &plot);
}

/* What players reach alone, or as a team of their own kind. */
static void add_alone(ExperimentWork *work, const Records *runs, Part part, const char *title,
                      Text *page) {
    const char *columns[PLAYERS + 3] = {"game", "best possible"};
    int shown[PLAYERS], count = 0;
    Records table;
    Plot plot = {.title = title, .y_label = "solved in per cent"};
    for (int p = 0; p < PLAYERS; p++) {
        if (!can_play(players[p]))
            continue;
        columns[count + 2] = players[p];
        plot_add_series(&plot, players[p]);
        shown[count++] = p;
    }
    records_init(&table, columns);
    for (size_t g = 0; g < GAMES; g++) {
        if (games[g].part != part || !was_played(runs, &games[g]))
            continue;
        records_add_row(&table);
        records_add_cell(&table, "%s", games[g].name);
        records_add_cell(&table, games[g].best > 0 ? "%.1f" : "-", games[g].best);
        for (int i = 0; i < count; i++) {
            Score score = look_up(runs, games[g].name, players[shown[i]], "");
            add_score(&table, &score,
                      part == PART_SOLO && shown[i] < CHANCE ? games[g].reported[shown[i]] : 0);
            if (score.count)
                plot_add_bar(&plot, &plot.series[i], games[g].name, percent(&score));
        }
    }
    text_printf(page, "## %s\n\n", title);
    experiment_add_table(work, page, part_names[part], &table);
    experiment_add_plot(work, page, part_names[part], &plot);
}

/* What is wanted of the means of groups, by the lower end of Wilson's interval above 50. */
static const struct {
    const char *point;
    int group;
    size_t pair;
    double target, reported;
} wanted[] = {
    {"M17", 1, 4, 60, 0},    {"M17", 2, 4, 65, 0},    {"M18", 1, 0, 60, 73.5},
    {"M18", 2, 0, 65, 82.6}, {"M18", 4, 0, 60, 74.7}, {"M19", 1, 1, 70, 92.7},
    {"M19", 1, 2, 70, 88.0}, {"M19", 1, 3, 55, 69.4}, {"M19", 2, 1, 70, 84.3},
    {"M19", 2, 2, 70, 84.3}, {"M19", 2, 3, 55, 75.2}, {"M19", 4, 1, 70, 80.4},
    {"M19", 4, 2, 70, 75.0}, {"M19", 4, 3, 55, 71.1},
};

static void add_wanted(ExperimentWork *work, const Records *runs, Text *page) {
    static const char *const columns[] = {"point",    "group", "first",    "second",
                                          "games",    "score", "interval", "target",
                                          "reported", "holds", NULL};
    Records table;
    records_init(&table, columns);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        size_t pair = wanted[i].pair, played;
        Score mean = mean_of_group(runs, wanted[i].group, pair, &played);
        bool holds = mean.count && mean.low > 50 && percent(&mean) >= wanted[i].target;
        records_add_row(&table);
        records_add_cell(&table, "%s", wanted[i].point);
        records_add_cell(&table, "%d", wanted[i].group);
        records_add_cell(&table, "%s", players[pairs[pair].first]);
        records_add_cell(&table, "%s", players[pairs[pair].second]);
        records_add_cell(&table, "%zu", played);
        records_add_cell(&table, mean.count ? "%.1f" : "-", percent(&mean));
        if (mean.count)
            records_add_cell(&table, "%.0f to %.0f", mean.low, mean.high);
        else
            records_add_cell(&table, "-");
        records_add_cell(&table, "%.0f", wanted[i].target);
        records_add_cell(&table, wanted[i].reported > 0 ? "%.1f" : "-", wanted[i].reported);
        records_add_cell(&table, "%s", !mean.count ? "not played" : holds ? "yes" : "no");
    }
    text_add(page, "## What is wanted\n\nMeans over the games of a group that were played. A "
                   "target holds if the mean reaches it and the interval lies above 50.\n\n");
    experiment_add_table(work, page, "wanted", &table);
}

static void add_costs(ExperimentWork *work, const Records *runs, Text *page) {
    static const char *const columns[] = {"game",          "budget", "matches", "turns a match",
                                          "CPU s a match", "errors", NULL};
    Records table;
    records_init(&table, columns);
    for (size_t g = 0; g < GAMES; g++) {
        Summary turns = {0}, seconds = {0};
        double errors = 0;
        const char *budget = "";
        for (size_t i = 0; i < runs->rows.count; i++) {
            if (strcmp(records_text(runs, i, "game"), games[g].name) != 0)
                continue;
            summary_add(&turns, records_number(runs, i, "turns"));
            summary_add(&seconds, records_number(runs, i, "seconds"));
            errors += records_number(runs, i, "errors");
            budget = records_text(runs, i, "budget");
        }
        if (!turns.count)
            continue;
        records_add_row(&table);
        records_add_cell(&table, "%s", games[g].name);
        records_add_cell(&table, "%s", budget);
        records_add_cell(&table, "%lu", (unsigned long)turns.count);
        records_add_cell(&table, "%.0f", turns.mean);
        records_add_cell(&table, "%.1f", seconds.mean);
        records_add_cell(&table, "%.0f", errors);
    }
    text_add(page, "## What it took\n\nErrors are moves that were late or illegal, and were "
                   "replaced.\n\n");
    experiment_add_table(work, page, "costs", &table);
}

static void report(ExperimentWork *work, const Records *runs, Text *page) {
    text_add(page,
             "# Constraint searches against baselines\n\n"
             "Written by `marelle experiment scsp`; `runs.csv` holds every match. Scores are in "
             "per cent with Wilson's 95 % interval and the number of matches; a draw counts half, "
             "and numbers in parentheses are those that the authors of the method report. The "
             "budget is the clock of one move, or its play-outs. docs/search.md says what the "
             "baselines are.\n\n");
    add_wanted(work, runs, page);
    add_group(work, runs, 1, "deterministic games", page);
    add_group(work, runs, 2, "dice and cards in the open", page);
    add_alone(work, runs, PART_SOLO, "Group 3: alone, seeing little", page);
    add_group(work, runs, 4, "several who see the same", page);
    add_alone(work, runs, PART_TEAM, "Teams of one kind", page);
    add_costs(work, runs, page);
}

const Experiment experiment_scsp = {
    .name = "scsp",
    .summary = "constraint searches against uct, cfr and grave, with chance and hidden information",
    .keys = keys,
    .values = values,
    .plan = plan,
    .run = run,
    .report = report,
};
