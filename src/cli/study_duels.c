/* The study of games of several roles that are made of others: `auto` against plain UCT, both with
 * the same processor time a move. A match is a job, so that a study cut short has seen all games.
 */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/experiment.h"
#include "cli/output.h"
#include "server/duel.h"

enum { MATCHES = 200, QUICK_MATCHES = 2 };
static const double MOVE_SECONDS = 0.02, QUICK_SECONDS = 0.001;
/* Thinking before the first move, in moves. */
static const double START = 10;
/* Of a standard normal number, either side left out in 5 % of the cases. */
static const double LIMIT = 1.96;

static const char *const keys[] = {"game", "seconds", "match", NULL};
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
static const char *const quick_games[] = {"nim", "dual_hamilton"};

static double seconds_of(const ExperimentSetup *setup) {
    return setup->move_seconds > 0 ? setup->move_seconds
           : setup->is_quick       ? QUICK_SECONDS
                                   : MOVE_SECONDS;
}

static void plan(const ExperimentSetup *setup, Records *jobs) {
    const char *const *games = setup->game_count ? setup->games
                               : setup->is_quick ? quick_games
                                                 : own_games;
    size_t count = setup->game_count ? setup->game_count
                   : setup->is_quick ? sizeof quick_games / sizeof *quick_games
                                     : sizeof own_games / sizeof *own_games;
    uint64_t matches = setup->seeds ? setup->seeds : setup->is_quick ? QUICK_MATCHES : MATCHES;
    for (uint64_t m = 0; m < matches; m++)
        for (size_t g = 0; g < count; g++) {
            records_add_row(jobs);
            records_add_cell(jobs, "%s", games[g]);
            records_add_cell(jobs, "%g", seconds_of(setup));
            records_add_cell(jobs, "%lu", (unsigned long)(setup->first_seed + m));
        }
}

static bool play(Game *game, double seconds, uint64_t match, DuelOutcome *outcome) {
    Report report = {0};
    Contestant own = {0}, other = {0};
    bool well = contestant_read(&own, "auto", &report) && contestant_read(&other, "uct", &report);
    DuelSetup setup = {.game = game,
                       .sides = {&own, &other},
                       .seconds = seconds,
                       .start_seconds = START * seconds,
                       .stopped = interrupt_flag()};
    well = well && duel_play(&setup, match, outcome, &report);
    contestant_free(&own);
    contestant_free(&other);
    report_free(&report);
    return well;
}

static bool run(ExperimentWork *work, const char *const *key, Records *cells) {
    Game *game = experiment_game(work, key[0]);
    DuelOutcome outcome;
    if (!game)
        return false;
    if (game->role_count < 2 || game_hides(game)) {
        complain("%s: the study is about games of several roles that hide nothing", key[0]);
        return false;
    }
    if (!play(game, strtod(key[1], NULL), strtoull(key[2], NULL, 10), &outcome))
        return false;
    for (int side = 0; side < 2; side++)
        records_add_cell(cells, "%d", outcome.goals[side]);
    for (int side = 0; side < 2; side++)
        records_add_cell(cells, "%.0f",
                         (double)outcome.playouts[side] / fmax(1, (double)outcome.moves[side]));
    return true;
}

/* ---- the page ---- */

typedef struct {
    uint64_t matches, wins, losses;
    Summary goals, other_goals, playouts, other_playouts;
} Cell;

static Cell look_up(const Records *runs, const char *game, const char *seconds) {
    Cell cell = {0};
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (strcmp(records_text(runs, i, "game"), game) != 0 ||
            strcmp(records_text(runs, i, "seconds"), seconds) != 0)
            continue;
        double goal = records_number(runs, i, "goal");
        double other = records_number(runs, i, "other_goal");
        cell.matches++;
        cell.wins += goal > other;
        cell.losses += goal < other;
        summary_add(&cell.goals, goal);
        summary_add(&cell.other_goals, other);
        summary_add(&cell.playouts, records_number(runs, i, "playouts"));
        summary_add(&cell.other_playouts, records_number(runs, i, "other_playouts"));
    }
    return cell;
}

/* Sign test over the matches that somebody won. */
static const char *judge(const Cell *cell, uint64_t *stronger, uint64_t *weaker) {
    double lead = (double)cell->wins - (double)cell->losses;
    double limit = LIMIT * sqrt((double)(cell->wins + cell->losses));
    *stronger += lead > limit;
    *weaker += lead < -limit;
    return lead > limit ? "stronger" : lead < -limit ? "weaker" : "even";
}

static bool is_first_of_its_kind(const Records *runs, size_t row) {
    for (size_t i = 0; i < row; i++)
        if (strcmp(records_text(runs, i, "game"), records_text(runs, row, "game")) == 0 &&
            strcmp(records_text(runs, i, "seconds"), records_text(runs, row, "seconds")) == 0)
            return false;
    return true;
}

static void add_game(Records *table, const char *game, const char *seconds, const Cell *cell,
                     const char *verdict) {
    const char *slash = strrchr(game, '/');
    records_add_row(table);
    records_add_cell(table, "%s", slash ? slash + 1 : game);
    records_add_cell(table, "%s", seconds);
    records_add_cell(table, "%lu", (unsigned long)cell->matches);
    records_add_cell(table, "%lu", (unsigned long)cell->wins);
    records_add_cell(table, "%lu", (unsigned long)(cell->matches - cell->wins - cell->losses));
    records_add_cell(table, "%lu", (unsigned long)cell->losses);
    records_add_cell(table, "%.1f : %.1f", cell->goals.mean, cell->other_goals.mean);
    records_add_cell(table, "%.0f : %.0f", cell->playouts.mean, cell->other_playouts.mean);
    records_add_cell(table, "%s", verdict);
}

static void report(ExperimentWork *work, const Records *runs, Text *page) {
    static const char *const columns[] = {"game",    "s a move", "matches", "won",
                                          "drawn",   "lost",     "goals",   "play-outs a move",
                                          "auto is", NULL};
    Records table;
    uint64_t stronger = 0, weaker = 0;
    records_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++) {
        const char *game = records_text(runs, i, "game");
        const char *seconds = records_text(runs, i, "seconds");
        if (!is_first_of_its_kind(runs, i))
            continue;
        Cell cell = look_up(runs, game, seconds);
        add_game(&table, game, seconds, &cell, judge(&cell, &stronger, &weaker));
    }
    text_printf(page,
                "# Games of several roles that are made of others\n\n"
                "Written by `marelle experiment duels`; `runs.csv` holds every match. `auto` "
                "against plain UCT, sides swapped after every match, each with the same CPU time a "
                "move and %g times as much before the first. Who has the higher goal has won. "
                "`auto` is significantly stronger in %lu of %zu games, weaker in %lu (sign test "
                "over the matches that were not drawn, 95 %%).\n\n",
                START, (unsigned long)stronger, table.rows.count, (unsigned long)weaker);
    experiment_add_table(work, page, "duels", &table);
}

const Experiment experiment_duels = {
    .name = "duels",
    .summary = "games of several roles made of others: auto against plain UCT in equal time",
    .keys = keys,
    .values = values,
    .plan = plan,
    .run = run,
    .report = report,
};
