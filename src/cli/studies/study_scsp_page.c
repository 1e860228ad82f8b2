/* The page of the study of constraint searches: the targets, and tables and plots of all kinds of
 * jobs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/studies/study_scsp.h"
#include "server/tournament/standings.h"

typedef struct {
    double sum, low, high; /* sum of scores; Wilson's interval of their mean, in per cent */
    uint64_t count, wins, losses;
} Score;

static void add_result(Score *score, double result) {
    score->sum += result;
    score->count++;
    score->wins += result > 0.5;
    score->losses += result < 0.5;
}

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

static bool is_of_part(const ResultRows *runs, size_t row, Part part) {
    return strcmp(result_rows_text(runs, row, "part"), scsp_parts[part]) == 0;
}

static bool has_budget(const ResultRows *runs, size_t row, const char *budget) {
    return !budget || strcmp(result_rows_text(runs, row, "budget"), budget) == 0;
}

/* If `budget` is NULL, runs with any budget count. */
static Score look_up_at(const ResultRows *runs, const char *budget, Part part, const char *game,
                        const char *first, const char *second) {
    Score score = {0};
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!is_of_part(runs, i, part) || strcmp(result_rows_text(runs, i, "game"), game) != 0 ||
            strcmp(result_rows_text(runs, i, "first"), first) != 0 ||
            strcmp(result_rows_text(runs, i, "second"), second) != 0 ||
            !has_budget(runs, i, budget))
            continue;
        add_result(&score, result_rows_number(runs, i, "score"));
    }
    close_score(&score);
    return score;
}

static Score look_up(const ResultRows *runs, Part part, const char *game, const char *first,
                     const char *second) {
    return look_up_at(runs, NULL, part, game, first, second);
}

/* The distinct budgets of some runs, in order of appearance. */
typedef struct {
    const char *items[8];
    size_t count;
} Budgets;

static void add_budget(Budgets *found, const char *budget) {
    bool is_new = found->count < 8;
    for (size_t b = 0; b < found->count && is_new; b++)
        is_new = strcmp(found->items[b], budget) != 0;
    if (is_new)
        found->items[found->count++] = budget;
}

static Budgets budgets_of(const ResultRows *runs, Part part) {
    Budgets found = {.count = 0};
    for (size_t i = 0; i < runs->rows.count; i++)
        if (is_of_part(runs, i, part))
            add_budget(&found, result_rows_text(runs, i, "budget"));
    return found;
}

/* Lists the budgets of duels and teams in the group. */
static Budgets budgets_of_group(const ResultRows *runs, int group) {
    Budgets found = {.count = 0};
    for (size_t i = 0; i < runs->rows.count; i++)
        if ((is_of_part(runs, i, PART_DUEL) || is_of_part(runs, i, PART_TEAM)) &&
            (int)result_rows_number(runs, i, "group") == group)
            add_budget(&found, result_rows_text(runs, i, "budget"));
    return found;
}

/* Compares two teams on the same seeds: how often the first did better. Ties count half. */
static Score compare_teams(const ResultRows *runs, const char *budget, const char *game,
                           const char *first, const char *second) {
    Score score = {0};
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!is_of_part(runs, i, PART_TEAM) ||
            strcmp(result_rows_text(runs, i, "game"), game) != 0 ||
            strcmp(result_rows_text(runs, i, "first"), first) != 0 || !has_budget(runs, i, budget))
            continue;
        for (size_t j = 0; j < runs->rows.count; j++) {
            if (!is_of_part(runs, j, PART_TEAM) ||
                strcmp(result_rows_text(runs, j, "game"), game) != 0 ||
                strcmp(result_rows_text(runs, j, "first"), second) != 0 ||
                strcmp(result_rows_text(runs, j, "match"), result_rows_text(runs, i, "match")) !=
                    0 ||
                strcmp(result_rows_text(runs, j, "budget"), result_rows_text(runs, i, "budget")) !=
                    0)
                continue;
            double a = result_rows_number(runs, i, "score"),
                   b = result_rows_number(runs, j, "score");
            add_result(&score, a > b ? 1 : a == b ? 0.5 : 0);
        }
    }
    close_score(&score);
    return score;
}

static Score score_of_pair(const ResultRows *runs, const char *budget, const StudyGame *game,
                           size_t pair) {
    const char *first = scsp_players[scsp_pairs[pair].first],
               *second = scsp_players[scsp_pairs[pair].second];
    return game->part == PART_TEAM ? compare_teams(runs, budget, game->name, first, second)
                                   : look_up_at(runs, budget, PART_DUEL, game->name, first, second);
}

/* Adds a score such as "62 [48, 74] 24-2-14", where the last three are wins, draws and losses. The
 * figure reported by the authors follows in brackets. */
static void add_score(ResultRows *table, const Score *score, double reported) {
    if (!score->count) {
        result_rows_add_cell(table, "-");
        return;
    }
    char reports[20] = "";
    if (reported > 0)
        snprintf(reports, sizeof reports, " (%.0f)", reported);
    result_rows_add_cell(table, "%.0f [%.0f, %.0f] %lu-%lu-%lu%s", percent(score), score->low,
                         score->high, (unsigned long)score->wins,
                         (unsigned long)(score->count - score->wins - score->losses),
                         (unsigned long)score->losses, reports);
}

static double reported_of(const StudyGame *game, size_t pair) {
    return scsp_pairs[pair].first == SYM ? game->reported[scsp_pairs[pair].second - MAC] : 0;
}

/* Returns the mean over the games of a group that were played. All games have the same weight. */
static Score mean_of_group(const ResultRows *runs, const char *budget, int group, size_t pair,
                           size_t *played) {
    Score mean = {0};
    *played = 0;
    for (size_t g = 0; g < GAMES; g++) {
        if (scsp_games[g].group != group || scsp_games[g].part == PART_SOLO)
            continue;
        Score score = score_of_pair(runs, budget, &scsp_games[g], pair);
        if (!score.count)
            continue;
        mean.sum += score.sum / (double)score.count;
        mean.count += score.count;
        mean.wins += score.wins;
        mean.losses += score.losses;
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

static PlayedPairs pairs_of_group(const ResultRows *runs, int group) {
    PlayedPairs found = {.count = 0};
    for (size_t p = 0; p < PAIRS; p++) {
        size_t played;
        mean_of_group(runs, NULL, group, p, &played);
        if (!played)
            continue;
        snprintf(found.labels[found.count], sizeof found.labels[0], "%s : %s",
                 scsp_players[scsp_pairs[p].first], scsp_players[scsp_pairs[p].second]);
        found.items[found.count++] = p;
    }
    return found;
}

static bool was_played(const ResultRows *runs, const char *budget, const StudyGame *game) {
    for (size_t i = 0; i < runs->rows.count; i++)
        if (is_of_part(runs, i, game->part) && has_budget(runs, i, budget) &&
            strcmp(result_rows_text(runs, i, "game"), game->name) == 0)
            return true;
    return false;
}

static void add_means(const ResultRows *runs, const char *budget, int group,
                      const PlayedPairs *played, ResultRows *table) {
    result_rows_add_row(table);
    result_rows_add_cell(table, "mean");
    result_rows_add_cell(table, "%s", budget);
    for (size_t p = 0; p < played->count; p++) {
        size_t count;
        Score mean = mean_of_group(runs, budget, group, played->items[p], &count);
        add_score(table, &mean, 0);
    }
}

/* Adds a row for every game of the group that was played with the budget, and a row of their
 * means. */
static void add_group_rows(const ResultRows *runs, const char *budget, int group,
                           const PlayedPairs *played, ResultRows *table, Plot *plot,
                           Arena *labels) {
    for (size_t g = 0; g < GAMES; g++) {
        if (scsp_games[g].group != group || !was_played(runs, budget, &scsp_games[g]))
            continue;
        const char *label = arena_printf(labels, "%s, %s", scsp_games[g].name, budget);
        result_rows_add_row(table);
        result_rows_add_cell(table, "%s", scsp_games[g].name);
        result_rows_add_cell(table, "%s", budget);
        for (size_t p = 0; p < played->count; p++) {
            Score score = score_of_pair(runs, budget, &scsp_games[g], played->items[p]);
            add_score(table, &score, reported_of(&scsp_games[g], played->items[p]));
            if (score.count)
                plot_add_bar(plot, &plot->series[p], label, percent(&score));
        }
    }
    add_means(runs, budget, group, played, table);
}

static void add_group(ExperimentWork *work, const ResultRows *runs, int group, const char *title,
                      Text *page) {
    PlayedPairs played = pairs_of_group(runs, group);
    Budgets budgets = budgets_of_group(runs, group);
    const char *columns[PAIRS + 3] = {"game", "budget"};
    Arena labels = {0}; /* must outlive the plot */
    char name[20];
    text_printf(page, "## Group %d: %s\n\n", group, title);
    if (!played.count) {
        text_add(page, "Not played yet.\n\n");
        return;
    }
    ResultRows table;
    Plot plot = {.title = title, .y_label = "score of the first in per cent"};
    for (size_t p = 0; p < played.count; p++) {
        columns[p + 2] = played.labels[p];
        plot_add_series(&plot, played.labels[p]);
    }
    result_rows_init(&table, columns);
    for (size_t b = 0; b < budgets.count; b++)
        add_group_rows(runs, budgets.items[b], group, &played, &table, &plot, &labels);
    snprintf(name, sizeof name, "group%d", group);
    experiment_add_table(work, page, name, &table);
    experiment_add_plot(work, page, name, &plot);
    arena_free(&labels);
}

/* Adds one row of the table of players who play alone or in a team of their own kind. */
static bool add_alone_row(const ResultRows *runs, const StudyGame *game, const char *budget,
                          const int *shown, int count, ResultRows *table, Plot *plot,
                          Arena *labels) {
    Score scores[PLAYERS];
    bool was_played_so = false;
    for (int i = 0; i < count; i++) {
        scores[i] = look_up_at(runs, budget, game->part, game->name, scsp_players[shown[i]], "");
        was_played_so |= scores[i].count > 0;
    }
    if (!was_played_so)
        return false;
    const char *label = arena_printf(labels, "%s, %s", game->name, budget);
    result_rows_add_row(table);
    result_rows_add_cell(table, "%s", game->name);
    result_rows_add_cell(table, "%s", budget);
    result_rows_add_cell(table, game->best > 0 ? "%.1f" : "-", game->best);
    for (int i = 0; i < count; i++) {
        bool is_reported = game->part == PART_SOLO && shown[i] < CHANCE;
        add_score(table, &scores[i], is_reported ? game->reported[shown[i]] : 0);
        if (scores[i].count)
            plot_add_bar(plot, &plot->series[i], label, percent(&scores[i]));
    }
    return true;
}

static void add_alone(ExperimentWork *work, const ResultRows *runs, Part part, const char *title,
                      Text *page) {
    const char *columns[PLAYERS + 4] = {"game", "budget", "best possible"};
    int shown[PLAYERS], count = 0;
    ResultRows table;
    Plot plot = {.title = title, .y_label = "solved in per cent"};
    Arena labels = {0}; /* must outlive the plot */
    Budgets budgets = budgets_of(runs, part);
    for (int p = 0; p < PLAYERS; p++) {
        if (!scsp_can_play(scsp_players[p]))
            continue;
        columns[count + 3] = scsp_players[p];
        plot_add_series(&plot, scsp_players[p]);
        shown[count++] = p;
    }
    result_rows_init(&table, columns);
    for (size_t g = 0; g < GAMES; g++)
        for (size_t b = 0; b < budgets.count && scsp_games[g].part == part; b++)
            add_alone_row(runs, &scsp_games[g], budgets.items[b], shown, count, &table, &plot,
                          &labels);
    text_printf(page, "## %s\n\n", title);
    if (!table.rows.count) {
        text_add(page, "Not played yet.\n\n");
        result_rows_free(&table);
        plot_free(&plot);
        return;
    }
    experiment_add_table(work, page, scsp_parts[part], &table);
    experiment_add_plot(work, page, scsp_parts[part], &plot);
    arena_free(&labels);
}

/* Compares one search with all states that explain the percepts, with a sample of them, and with
 * the beliefs of the paper. */
static void add_beliefs(ExperimentWork *work, const ResultRows *runs, Text *page) {
    const char *columns[BELIEFS + 3] = {"game", "budget"};
    Budgets budgets = budgets_of(runs, PART_ABLATION);
    ResultRows table;
    for (size_t i = 0; i < BELIEFS; i++)
        columns[i + 2] = scsp_beliefs[i].what;
    result_rows_init(&table, columns);
    for (size_t g = 0; g < GAMES; g++)
        for (size_t b = 0; b < budgets.count && scsp_games[g].part == PART_SOLO; b++) {
            Score scores[BELIEFS];
            for (size_t i = 0; i < BELIEFS; i++)
                scores[i] = look_up_at(runs, budgets.items[b], i ? PART_ABLATION : PART_SOLO,
                                       scsp_games[g].name, scsp_beliefs[i].first, "");
            if (!scores[1].count && !scores[2].count)
                continue;
            result_rows_add_row(&table);
            result_rows_add_cell(&table, "%s", scsp_games[g].name);
            result_rows_add_cell(&table, "%s", budgets.items[b]);
            for (size_t i = 0; i < BELIEFS; i++)
                add_score(&table, &scores[i], 0);
        }
    if (!table.rows.count) {
        result_rows_free(&table);
        return;
    }
    text_add(page, "## Beliefs\n\nWhat `mac-ucb` solves alone with all states that explain what "
                   "it saw, with a sample of 1024, and with the paper's beliefs, in which "
                   "everything unknown is even.\n\n");
    experiment_add_table(work, page, "beliefs", &table);
}

/* Targets for the means of groups. The lower end of Wilson's interval must also be above 50. */
static const struct {
    int group;
    size_t pair;
    double target, reported;
} wanted[] = {
    {1, 4, 60, 0},    {2, 4, 65, 0},    {1, 0, 60, 73.5}, {2, 0, 65, 82.6}, {4, 0, 60, 74.7},
    {1, 1, 70, 92.7}, {1, 2, 70, 88.0}, {1, 3, 55, 69.4}, {2, 1, 70, 84.3}, {2, 2, 70, 84.3},
    {2, 3, 55, 75.2}, {4, 1, 70, 80.4}, {4, 2, 70, 75.0}, {4, 3, 55, 71.1},
};

/* Adds the target for a player alone, at the largest budget played: a percentage, and an interval
 * above that of `baseline-uct`. */
static void add_wanted_alone(const ResultRows *runs, const char *name, double target,
                             double reported, ResultRows *table) {
    Budgets budgets = budgets_of(runs, PART_SOLO);
    const char *largest = NULL;
    for (size_t b = 0; b < budgets.count; b++) {
        Score score = look_up_at(runs, budgets.items[b], PART_SOLO, name, scsp_players[SYM], "");
        if (score.count && (!largest || strtod(budgets.items[b], NULL) > strtod(largest, NULL)))
            largest = budgets.items[b];
    }
    Score own = {0}, other = {0};
    if (largest) {
        own = look_up_at(runs, largest, PART_SOLO, name, scsp_players[SYM], "");
        other = look_up_at(runs, largest, PART_SOLO, name, scsp_players[UCT], "");
    }
    result_rows_add_row(table);
    result_rows_add_cell(table, "3");
    result_rows_add_cell(table, "%s", scsp_players[SYM]);
    result_rows_add_cell(table, "%s alone", name);
    result_rows_add_cell(table, "%s", largest ? largest : "-");
    result_rows_add_cell(table, "%d", own.count > 0);
    result_rows_add_cell(table, own.count ? "%.1f" : "-", percent(&own));
    if (own.count)
        result_rows_add_cell(table, "%.0f to %.0f", own.low, own.high);
    else
        result_rows_add_cell(table, "-");
    result_rows_add_cell(table, "%.0f", target);
    result_rows_add_cell(table, "%.1f", reported);
    bool holds = percent(&own) >= target && other.count && own.low > other.high;
    result_rows_add_cell(table, "%s", !own.count ? "not played" : holds ? "yes" : "no");
}

/* Adds the mean of the group with the budget, if it was played. A NULL budget adds a row that says
 * "not played". */
static bool add_wanted_mean(const ResultRows *runs, size_t target, const char *budget,
                            ResultRows *table) {
    size_t pair = wanted[target].pair, played;
    Score mean = mean_of_group(runs, budget, wanted[target].group, pair, &played);
    bool holds = mean.count && mean.low > 50 && percent(&mean) >= wanted[target].target;
    if (budget && !mean.count)
        return false;
    result_rows_add_row(table);
    result_rows_add_cell(table, "%d", wanted[target].group);
    result_rows_add_cell(table, "%s", scsp_players[scsp_pairs[pair].first]);
    result_rows_add_cell(table, "%s", scsp_players[scsp_pairs[pair].second]);
    result_rows_add_cell(table, "%s", budget ? budget : "-");
    result_rows_add_cell(table, "%zu", played);
    result_rows_add_cell(table, mean.count ? "%.1f" : "-", percent(&mean));
    if (mean.count)
        result_rows_add_cell(table, "%.0f to %.0f", mean.low, mean.high);
    else
        result_rows_add_cell(table, "-");
    result_rows_add_cell(table, "%.0f", wanted[target].target);
    result_rows_add_cell(table, wanted[target].reported > 0 ? "%.1f" : "-",
                         wanted[target].reported);
    result_rows_add_cell(table, "%s", !mean.count ? "not played" : holds ? "yes" : "no");
    return true;
}

static void add_wanted(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {"group",    "first", "second",   "budget",
                                          "games",    "score", "interval", "target",
                                          "reported", "holds", NULL};
    ResultRows table;
    result_rows_init(&table, columns);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        Budgets budgets = budgets_of_group(runs, wanted[i].group);
        size_t rows = 0;
        for (size_t b = 0; b < budgets.count; b++)
            rows += add_wanted_mean(runs, i, budgets.items[b], &table);
        if (!rows)
            add_wanted_mean(runs, i, NULL, &table);
    }
    add_wanted_alone(runs, "vacuum_cleaner", 80, 74.8, &table);
    add_wanted_alone(runs, "wumpus", 60, 71.2, &table);
    text_add(
        page,
        "## What is wanted\n\nMeans over the games of a group that were played with the budget. A "
        "target holds if the mean reaches it and the interval lies above 50; of who "
        "plays alone, if the interval lies above that of baseline-uct.\n\n");
    experiment_add_table(work, page, "wanted", &table);
}

/* Adds the cost of one game with one budget, over all kinds of matches. */
static void add_cost(const ResultRows *runs, const char *game, const char *budget,
                     ResultRows *table) {
    Summary turns = {0}, seconds = {0}, seeds = {0};
    double errors = 0;
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (is_of_part(runs, i, PART_STRUCTURE) ||
            strcmp(result_rows_text(runs, i, "game"), game) != 0 ||
            strcmp(result_rows_text(runs, i, "budget"), budget) != 0)
            continue;
        summary_add(&turns, result_rows_number(runs, i, "turns"));
        summary_add(&seconds, result_rows_number(runs, i, "seconds"));
        summary_add(&seeds, result_rows_number(runs, i, "match"));
        errors += result_rows_number(runs, i, "errors");
    }
    if (!turns.count)
        return;
    result_rows_add_row(table);
    result_rows_add_cell(table, "%s", game);
    result_rows_add_cell(table, "%s", budget);
    result_rows_add_cell(table, "%.0f to %.0f", seeds.least, seeds.greatest);
    result_rows_add_cell(table, "%lu", (unsigned long)turns.count);
    result_rows_add_cell(table, "%.0f", turns.mean);
    result_rows_add_cell(table, "%.1f", seconds.mean);
    result_rows_add_cell(table, "%.0f", errors);
}

static void add_costs(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {"game",          "budget",        "seeds",  "matches",
                                          "turns a match", "CPU s a match", "errors", NULL};
    static const Part parts[] = {PART_DUEL, PART_SOLO, PART_TEAM};
    ResultRows table;
    result_rows_init(&table, columns);
    for (size_t g = 0; g < GAMES; g++)
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
            Budgets budgets = budgets_of(runs, parts[p]);
            for (size_t b = 0; b < budgets.count && scsp_games[g].part == parts[p]; b++)
                add_cost(runs, scsp_games[g].name, budgets.items[b], &table);
        }
    text_add(page, "## What it took\n\nErrors are moves that were late or illegal, and were "
                   "replaced.\n\n");
    experiment_add_table(work, page, "costs", &table);
}

/* Adds the number of symmetries and their savings. The share that symmetries alone can save is
 * bounded by the order of their group. */
static void add_structure(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {
        "game", "forbidden rows", "generators",         "log10 of order", "solved",     "nogoods",
        "hits", "Ame sym %",      "at most by order %", "Ame tree %",     "reported %", NULL};
    ResultRows table;
    result_rows_init(&table, columns);
    for (size_t g = 0; g < GAMES; g++)
        for (size_t i = 0; i < runs->rows.count; i++) {
            if (!is_of_part(runs, i, PART_STRUCTURE) ||
                strcmp(result_rows_text(runs, i, "game"), scsp_games[g].name) != 0)
                continue;
            double solved = result_rows_number(runs, i, "solved");
            double classes = result_rows_number(runs, i, "classes");
            double order = pow(10, result_rows_number(runs, i, "log10order"));
            bool is_known = isfinite(order);
            result_rows_add_row(&table);
            result_rows_add_cell(&table, "%s", scsp_games[g].name);
            result_rows_add_cell(&table, "%s",
                                 is_known ? result_rows_text(runs, i, "forbidden") : "-");
            result_rows_add_cell(&table, "%s",
                                 is_known ? result_rows_text(runs, i, "generators") : "-");
            result_rows_add_cell(&table, "%s",
                                 is_known ? result_rows_text(runs, i, "log10order") : "-");
            result_rows_add_cell(&table, "%s", result_rows_text(runs, i, "solved"));
            result_rows_add_cell(&table, "%s", result_rows_text(runs, i, "nogoods"));
            result_rows_add_cell(&table, "%.0f", solved - classes);
            result_rows_add_cell(&table, "%.1f", 100 * (1 - classes / solved));
            result_rows_add_cell(&table, is_known ? "%.1f" : "-", 100 * (1 - 1 / order));
            result_rows_add_cell(&table, "%.1f",
                                 100 * (1 - classes / result_rows_number(runs, i, "arrivals")));
            result_rows_add_cell(&table, scsp_games[g].saved > 0 ? "%.1f" : "-",
                                 scsp_games[g].saved);
            break; /* the budget per move makes no difference */
        }
    if (table.rows.count) {
        text_add(page, "## Symmetries\n\nOf the states that `mac-ucb` solves from the start, how "
                       "many are images of others (Ame sym), how many arrivals at them "
                       "symmetries and equal states save together (Ame tree), and what the "
                       "authors report. Lines without a group: the turn did not become a network "
                       "in time.\n\n");
        experiment_add_table(work, page, "structure", &table);
    } else {
        result_rows_free(&table);
    }
}

/* Returns the mean score of one player against `baseline-uct`, over the games on which shares were
 * varied. */
static Score score_of_share(const ResultRows *runs, const char *player) {
    Score score = {0};
    for (size_t i = 0; i < runs->rows.count; i++)
        if (is_of_part(runs, i, PART_SHARE) &&
            strcmp(result_rows_text(runs, i, "first"), player) == 0)
            add_result(&score, result_rows_number(runs, i, "score"));
    close_score(&score);
    return score;
}

/* Adds one point for each player of that kind, at the share in its name. */
static void add_curve(const ResultRows *runs, const char *start, const char *key,
                      PlotSeries *series, ResultRows *table) {
    for (size_t i = 0; i < runs->rows.count; i++) {
        const char *player = result_rows_text(runs, i, "first");
        const char *at = strstr(player, key);
        bool is_first =
            is_of_part(runs, i, PART_SHARE) && at && strncmp(player, start, strlen(start)) == 0;
        for (size_t j = 0; j < i && is_first; j++)
            is_first = strcmp(result_rows_text(runs, j, "first"), player) != 0;
        if (!is_first)
            continue;
        Score score = score_of_share(runs, player);
        double share = 100 * strtod(at + strlen(key), NULL);
        plot_add_point(series, share, percent(&score), 0);
        result_rows_add_row(table);
        result_rows_add_cell(table, "%s", series->name);
        result_rows_add_cell(table, "%.0f", share);
        add_score(table, &score, 0);
    }
}

static void add_shares(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {"share of", "per cent", "score", NULL};
    ResultRows table;
    Plot plot = {.title = "Shares of the time",
                 .x_label = "share in per cent",
                 .y_label = "score against baseline-uct in per cent"};
    result_rows_init(&table, columns);
    add_curve(runs, "mac-ucb:", "solving=", plot_add_series(&plot, "solving"), &table);
    add_curve(runs, "mac-ucb-sym:", "symmetry=", plot_add_series(&plot, "symmetries"), &table);
    if (!table.rows.count) {
        result_rows_free(&table);
        plot_free(&plot);
        return;
    }
    text_add(page, "## Shares of the time\n\nOf `mac-ucb`, the share for solving, the rest for "
                   "pulling; of `mac-ucb-sym` with the paper's symmetries, the share for these, "
                   "with 25 % for pulling. 1 and 99 stand for nothing and all. The authors find "
                   "the best between 72 and 78, and between 23 and 27.\n\n");
    experiment_add_table(work, page, "shares", &table);
    experiment_add_plot(work, page, "shares", &plot);
}

static bool has_ablations(const ResultRows *runs, const char *game) {
    for (size_t i = 0; i < runs->rows.count; i++)
        if (is_of_part(runs, i, PART_ABLATION) &&
            strcmp(result_rows_text(runs, i, "game"), game) == 0)
            return true;
    return false;
}

static void add_ablations(ExperimentWork *work, const ResultRows *runs, Text *page) {
    const char *columns[GAMES + 2] = {"first : second"};
    size_t swept[GAMES], count = 0, played = 0;
    ResultRows table;
    for (size_t g = 0; g < GAMES; g++)
        if (scsp_games[g].part != PART_SOLO && has_ablations(runs, scsp_games[g].name)) {
            columns[count + 1] = scsp_games[g].name;
            swept[count++] = g;
        }
    result_rows_init(&table, columns);
    for (size_t a = 0; a < ABLATIONS; a++) {
        result_rows_add_row(&table);
        result_rows_add_cell(&table, "%s", scsp_ablations[a].what);
        for (size_t i = 0; i < count; i++) {
            Score score = look_up(runs, PART_ABLATION, scsp_games[swept[i]].name,
                                  scsp_ablations[a].first, scsp_ablations[a].second);
            add_score(&table, &score, 0);
            played += score.count;
        }
    }
    if (!played) {
        result_rows_free(&table);
        return;
    }
    text_add(page, "## With something left out\n\nScores of the first.\n\n");
    experiment_add_table(work, page, "ablations", &table);
}

/* Counts the matches of the game that targets name and that were played with the clock of tier
 * 1. */
static uint64_t count_of_tier(const ResultRows *runs, const StudyGame *game) {
    uint64_t count = 0;
    for (size_t i = 0; i < runs->rows.count; i++) {
        const char *first = result_rows_text(runs, i, "first");
        bool is_named = false;
        for (int p = 0; p < PLAYERS; p++)
            if (strcmp(first, scsp_players[p]) == 0)
                is_named = scsp_is_constraint_search(p) || (p == UCT && game->part != PART_DUEL);
        count += is_named && is_of_part(runs, i, game->part) &&
                 has_budget(runs, i, SCSP_TIER_ONE_BUDGET) &&
                 strcmp(result_rows_text(runs, i, "game"), game->name) == 0 &&
                 result_rows_number(runs, i, "match") < SCSP_TIER_ONE_MATCHES;
    }
    return count;
}

/* CPU seconds per match with the clock of tier 1: the mean of the matches played, else one second
 * per turn. NaN if there is no match of the game. */
static double seconds_of_tier(const ResultRows *runs, const StudyGame *game) {
    Summary played = {0}, turns = {0};
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!is_of_part(runs, i, game->part) ||
            strcmp(result_rows_text(runs, i, "game"), game->name) != 0)
            continue;
        summary_add(&turns, result_rows_number(runs, i, "turns"));
        if (has_budget(runs, i, SCSP_TIER_ONE_BUDGET))
            summary_add(&played, result_rows_number(runs, i, "seconds"));
    }
    return played.count ? played.mean : turns.count ? turns.mean : NAN;
}

/* Adds the progress of tier 1, game by game, so that anybody can continue it. */
static void add_tier(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {"group", "game",        "planned", "played",
                                          "state", "CPU h to go", NULL};
    ResultRows table;
    uint64_t all = 0, there = 0, complete = 0, partly = 0;
    result_rows_init(&table, columns);
    for (size_t g = 0; g < GAMES; g++) {
        const StudyGame *game = &scsp_games[g];
        uint64_t planned = SCSP_TIER_ONE_MATCHES * scsp_named_meetings(game);
        uint64_t played = count_of_tier(runs, game);
        uint64_t left = planned > played ? planned - played : 0;
        double hours = seconds_of_tier(runs, game) * (double)left / 3600;
        all += planned;
        there += played;
        complete += !left;
        partly += played && left;
        result_rows_add_row(&table);
        result_rows_add_cell(&table, "%d", game->group);
        result_rows_add_cell(&table, "%s", game->name);
        result_rows_add_cell(&table, "%lu", (unsigned long)planned);
        result_rows_add_cell(&table, "%lu", (unsigned long)played);
        result_rows_add_cell(&table, "%s", !left ? "complete" : played ? "partly" : "missing");
        result_rows_add_cell(&table, isfinite(hours) ? "%.1f" : "?", hours);
    }
    text_printf(page,
                "## What there is of tier 1\n\nTier 1 is a second of the processor a move after "
                "20 seconds, and %d matches of whatever targets name: of five pairs, or of three "
                "who play alone or as a team. %lu of %lu matches were played: %lu of %d games are "
                "complete, %lu partly there, %lu missing. Anybody can go on with it, for any time "
                "and with any games:\n\n"
                "    marelle experiment scsp --tier 1 --parts duel,solo,team --time 28800 --out "
                "docs/experiments/scsp [GAME...]\n\n"
                "A match is a line of `runs.csv` as soon as it is over. How long the rest takes "
                "is judged by the processor seconds of the game's matches at this clock, or, while "
                "there are none, by the turns of its other matches, a second each.\n\n",
                SCSP_TIER_ONE_MATCHES, (unsigned long)there, (unsigned long)all,
                (unsigned long)complete, GAMES, (unsigned long)partly,
                (unsigned long)(GAMES - complete - partly));
    experiment_add_table(work, page, "tier", &table);
}

void scsp_write_page(ExperimentWork *work, const ResultRows *runs, Text *page) {
    text_add(page,
             "# Constraint searches against baselines\n\n"
             "Written by `marelle experiment scsp`; `runs.csv` holds every match. Scores are in "
             "per cent with Wilson's 95 % interval and wins, draws and losses; a draw counts half, "
             "and numbers in parentheses are those that the authors of the method report. The "
             "budget is the processor time of one move, or its playouts. "
             "docs/how-it-works/searches.md says what the "
             "baselines are.\n\n");
    add_wanted(work, runs, page);
    add_group(work, runs, 1, "deterministic games", page);
    add_group(work, runs, 2, "dice and cards in the open", page);
    add_alone(work, runs, PART_SOLO, "Group 3: alone, seeing little", page);
    add_group(work, runs, 4, "several who see the same", page);
    add_alone(work, runs, PART_TEAM, "Teams of one kind", page);
    add_structure(work, runs, page);
    add_shares(work, runs, page);
    add_ablations(work, runs, page);
    add_beliefs(work, runs, page);
    add_tier(work, runs, page);
    add_costs(work, runs, page);
}
