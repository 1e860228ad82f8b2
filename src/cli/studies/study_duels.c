/* The study of games with several roles that consist of several games: `auto` and `trees` against
 * plain UCT, with equal CPU time or equal playouts per move. Each match is a job, and matches are
 * planned in rounds over all games, so that an interrupted study has played every game. */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/output.h"
#include "cli/studies/experiment.h"
#include "server/referee/duel.h"

enum { MATCHES = 200, QUICK_MATCHES = 2, PLAYOUTS = 100 };
static const double MOVE_SECONDS = 0.02, QUICK_SECONDS = 0.001;
/* Time before the first move: START is in moves. The other two are in seconds, for matches in which
 * `auto` has time to try out what to play. */
static const double START = 10, LONG_START_SECONDS = 2, QUICK_START_SECONDS = 0.02;
/* Seconds per move that are enough for any number of playouts. */
static const double NO_HURRY = 60;
/* The 97.5 % quantile of the standard normal distribution. */
static const double LIMIT = 1.96;

static const char *const keys[] = {"game", "method", "limit", "match", NULL};
static const char *const parts[] = {"auto", "start", "trees", "playouts", NULL};
static const char *const values[] = {"goal", "other_goal", "playouts", "other_playouts", NULL};

static const char *const own_games[] = {"nim",
                                        "nim_misere",
                                        "dual_hamilton",
                                        "dual_connect_four",
                                        "multiple_tic_tac_toe",
                                        "double_tic_tac_toe",
                                        "double_tic_tac_toe_free",
                                        "tic_tac_toe_parallel",
                                        "tic_tac_toe_serial"};
/* Games with one tree per subgame: asynchronous, synchronous and serial games, and games in which
 * each role plays its own. */
static const char *const tree_games[] = {"double_tic_tac_toe_free", "double_tic_tac_toe",
                                         "tic_tac_toe_serial", "tic_tac_toe_parallel",
                                         "dual_hamilton"};
/* Games in which `auto` has several candidates to choose from; in the others it knows what to
 * play. */
static const char *const start_games[] = {"tic_tac_toe_parallel", "dual_hamilton",
                                          "multiple_tic_tac_toe", "tic_tac_heaven", "row_pairs"};
static const char *const quick_games[] = {"nim", "dual_hamilton"};

static double seconds_of(const ExperimentSetup *setup) {
    return setup->move_seconds > 0 ? setup->move_seconds
           : setup->is_quick       ? QUICK_SECONDS
                                   : MOVE_SECONDS;
}

typedef struct {
    const char *const *items;
    size_t count;
} Names;

typedef enum { BY_TIME, BY_TIME_AFTER_START, BY_PLAYOUTS } Limit;

/* A limit is "0.02 s", "0.02 s after 2 s" or "100 playouts". */
static void add_limit(const ExperimentSetup *setup, Limit limit, ResultRows *jobs) {
    uint64_t playouts = setup->playouts ? setup->playouts : PLAYOUTS;
    if (limit == BY_PLAYOUTS)
        result_rows_add_cell(jobs, "%lu playouts", (unsigned long)playouts);
    else if (limit == BY_TIME)
        result_rows_add_cell(jobs, "%g s", seconds_of(setup));
    else
        result_rows_add_cell(jobs, "%g s after %g s", seconds_of(setup),
                             setup->is_quick ? QUICK_START_SECONDS : LONG_START_SECONDS);
}

static void plan_pair(const ExperimentSetup *setup, Names own, const char *method, Limit limit,
                      ResultRows *jobs) {
    Names quick = {quick_games, sizeof quick_games / sizeof *quick_games};
    Names games = setup->game_count ? (Names){setup->games, setup->game_count}
                  : setup->is_quick ? quick
                                    : own;
    uint64_t matches = setup->seeds ? setup->seeds : setup->is_quick ? QUICK_MATCHES : MATCHES;
    for (uint64_t m = 0; m < matches; m++)
        for (size_t g = 0; g < games.count; g++) {
            result_rows_add_row(jobs);
            result_rows_add_cell(jobs, "%s", games.items[g]);
            result_rows_add_cell(jobs, "%s", method);
            add_limit(setup, limit, jobs);
            result_rows_add_cell(jobs, "%lu", (unsigned long)(setup->first_seed + m));
        }
}

static void plan(const ExperimentSetup *setup, ResultRows *jobs) {
    Names own = {own_games, sizeof own_games / sizeof *own_games};
    Names in_trees = {tree_games, sizeof tree_games / sizeof *tree_games};
    Names to_choose = {start_games, sizeof start_games / sizeof *start_games};
    if (experiment_has_part(setup, "playouts"))
        plan_pair(setup, in_trees, "trees", BY_PLAYOUTS, jobs);
    if (experiment_has_part(setup, "trees"))
        plan_pair(setup, in_trees, "trees", BY_TIME, jobs);
    if (experiment_has_part(setup, "auto"))
        plan_pair(setup, own, "auto", BY_TIME, jobs);
    if (experiment_has_part(setup, "start"))
        plan_pair(setup, to_choose, "auto", BY_TIME_AFTER_START, jobs);
}

/* UCT with a limit on playouts runs them one by one, so that each uses the tree of all earlier
 * ones. */
static bool play(Game *game, const char *method, const char *limit, uint64_t match,
                 DuelOutcome *outcome) {
    Report report = {0};
    Contestant own = {0}, other = {0};
    char *unit;
    double amount = strtod(limit, &unit), start = START * amount;
    bool is_timed = strncmp(unit, " s", 2) == 0;
    if (strncmp(unit, " s after ", 9) == 0)
        start = strtod(unit + 9, NULL);
    const char *plain = is_timed ? "uct" : "uct:batch=1,leaf=1";
    bool ok = contestant_read(&own, method, &report) && contestant_read(&other, plain, &report);
    if (!is_timed)
        own.strategy.playouts = other.strategy.playouts = (uint64_t)amount;
    DuelSetup setup = {.game = game,
                       .sides = {&own, &other},
                       .seconds = is_timed ? amount : NO_HURRY,
                       .start_seconds = is_timed ? start : 0,
                       .stopped = interrupt_flag()};
    ok = ok && duel_play(&setup, match, outcome, &report);
    contestant_free(&own);
    contestant_free(&other);
    report_free(&report);
    return ok;
}

static bool run(ExperimentWork *work, const char *const *key, ResultRows *cells) {
    Game *game = experiment_game(work, key[0]);
    DuelOutcome outcome;
    if (!game)
        return false;
    if (!duel_suits(game)) {
        complain("%s: the study is about games of several roles that hide nothing", key[0]);
        return false;
    }
    if (!play(game, key[1], key[2], strtoull(key[3], NULL, 10), &outcome))
        return false;
    for (int side = 0; side < 2; side++)
        result_rows_add_cell(cells, "%.4g", outcome.goals[side]);
    for (int side = 0; side < 2; side++)
        result_rows_add_cell(cells, "%.0f",
                             (double)outcome.playouts[side] / fmax(1, (double)outcome.moves[side]));
    return true;
}

/* ---- the page ---- */

typedef struct {
    uint64_t matches, wins, losses;
    double lead, squares; /* sum of the differences of goals, and of their squares */
    Summary goals, other_goals, playouts, other_playouts;
} Cell;

/* True if two runs have the same game, method and limit. */
static bool is_same_duel(const ResultRows *runs, size_t a, size_t b) {
    static const char *const columns[] = {"game", "method", "limit"};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        if (strcmp(result_rows_text(runs, a, columns[c]), result_rows_text(runs, b, columns[c])) !=
            0)
            return false;
    return true;
}

static Cell look_up(const ResultRows *runs, size_t row) {
    Cell cell = {0};
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!is_same_duel(runs, i, row))
            continue;
        double goal = result_rows_number(runs, i, "goal");
        double other = result_rows_number(runs, i, "other_goal");
        cell.matches++;
        cell.wins += goal > other;
        cell.losses += goal < other;
        cell.lead += goal - other;
        cell.squares += (goal - other) * (goal - other);
        summary_add(&cell.goals, goal);
        summary_add(&cell.other_goals, other);
        summary_add(&cell.playouts, result_rows_number(runs, i, "playouts"));
        summary_add(&cell.other_playouts, result_rows_number(runs, i, "other_playouts"));
    }
    return cell;
}

/* Decides by the sum of the goal differences, divided by the root of the sum of their squares. If
 * goals are 0, 50 and 100, this is the sign test over the matches that somebody won. Seats need not
 * be equal, because each side has each seat equally often, up to one match. One won match is
 * deducted, because a few matches do not follow a normal distribution. */
static const char *verdict_of(const Cell *cell, uint64_t *stronger, uint64_t *weaker) {
    double one = sqrt(cell->squares / fmax(1, (double)(cell->wins + cell->losses)));
    double limit = LIMIT * sqrt(cell->squares) + one;
    *stronger += cell->lead > limit;
    *weaker += cell->lead < -limit;
    return cell->lead > limit ? "stronger" : cell->lead < -limit ? "weaker" : "even";
}

static bool is_first_of_its_kind(const ResultRows *runs, size_t row) {
    for (size_t i = 0; i < row; i++)
        if (is_same_duel(runs, i, row))
            return false;
    return true;
}

static void add_game(ResultRows *table, const ResultRows *runs, size_t row, const Cell *cell,
                     const char *verdict) {
    result_rows_add_row(table);
    result_rows_add_cell(table, "%s", experiment_short_name(result_rows_text(runs, row, "game")));
    result_rows_add_cell(table, "%s", result_rows_text(runs, row, "limit"));
    result_rows_add_cell(table, "%lu", (unsigned long)cell->matches);
    result_rows_add_cell(table, "%lu", (unsigned long)cell->wins);
    result_rows_add_cell(table, "%lu", (unsigned long)(cell->matches - cell->wins - cell->losses));
    result_rows_add_cell(table, "%lu", (unsigned long)cell->losses);
    result_rows_add_cell(table, "%.1f : %.1f", cell->goals.mean, cell->other_goals.mean);
    result_rows_add_cell(table, "%.0f : %.0f", cell->playouts.mean, cell->other_playouts.mean);
    result_rows_add_cell(table, "%s", verdict);
}

/* Adds a table of the results of one method. */
static void add_method(ExperimentWork *work, const ResultRows *runs, const char *method,
                       const char *name, Text *page) {
    static const char *const columns[] = {"game", "a move", "matches",         "won",   "drawn",
                                          "lost", "goals",  "playouts a move", "it is", NULL};
    ResultRows table;
    uint64_t stronger = 0, weaker = 0;
    result_rows_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (strcmp(result_rows_text(runs, i, "method"), method) != 0 ||
            !is_first_of_its_kind(runs, i))
            continue;
        Cell cell = look_up(runs, i);
        add_game(&table, runs, i, &cell, verdict_of(&cell, &stronger, &weaker));
    }
    if (table.rows.count) {
        text_printf(
            page,
            "## `%s` against plain UCT\n\nSignificantly stronger in %lu of %zu rows, weaker "
            "in %lu.\n\n",
            method, (unsigned long)stronger, table.rows.count, (unsigned long)weaker);
        experiment_add_table(work, page, name, &table);
    } else {
        result_rows_free(&table);
    }
}

static void report(ExperimentWork *work, const ResultRows *runs, Text *page) {
    text_printf(
        page,
        "# Games of several roles that are made of others\n\n"
        "Written by `marelle experiment duels`; `runs.csv` holds every match. Seats change "
        "after every match. With three players or more plain UCT has all seats but one. "
        "Unless a row says something else, both have the same CPU time per move and %g times "
        "as much before the first, or the same number of playouts per move and nothing "
        "before. The higher goal wins a match. Where UCT has several seats, its goal is "
        "their mean. A result is significant at 95 %% by the differences of goals: their "
        "sum, less one match, over the root of the sum of their squares. That is a sign test "
        "where goals are 0, 50 and 100.\n\n",
        START);
    add_method(work, runs, "auto", "duels", page);
    add_method(work, runs, "trees", "trees", page);
}

const Experiment experiment_duels = {
    .name = "duels",
    .summary = "games of several roles made of others: auto and trees against plain UCT",
    .keys = keys,
    .values = values,
    .parts = parts,
    .plan = plan,
    .run = run,
    .report = report,
};
