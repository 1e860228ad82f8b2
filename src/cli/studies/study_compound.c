/* The study of games with one role that consist of several games: the scores of plain UCT and
 * `auto` in equal time. */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/output.h"
#include "cli/studies/experiment.h"
#include "search/uct/uct_solve.h"
#include "strategy/strategy.h"

enum { SEEDS = 3, SLICES = 2 };
static const double RUN_SECONDS = 2, QUICK_SECONDS = 0.1;
static const double EASY_SECONDS = 0.01, MIN_DIFFERENCE = 0.005;

static const char *const keys[] = {"game", "method", "seed", NULL};
static const char *const values[] = {"solved", "score", "cpu_seconds", "cpu_seconds_to_score",
                                     NULL};

static const char *const own_games[] = {"asteroids_parallel",
                                        "asteroids_serial",
                                        "best_buttons_and_lights",
                                        "blocks_world_parallel",
                                        "blocks_world_serial",
                                        "futoshiki_4",
                                        "incredible",
                                        "joint_buttons_and_lights",
                                        "lights_on_parallel",
                                        "lights_on_simultaneous",
                                        "multiple_buttons_and_lights",
                                        "multiple_hamilton",
                                        "nonogram_chequers",
                                        "nonogram_closed_chequers",
                                        "nonogram_g",
                                        "nonogram_tetris",
                                        "queens_guided",
                                        "selective_sukoshi"};
static const char *const quick_games[] = {"incredible", "queens_guided"};
static const char *const methods[] = {"uct", "auto"};

static void plan(const ExperimentSetup *setup, ResultRows *jobs) {
    const char *const *games = setup->game_count ? setup->games
                               : setup->is_quick ? quick_games
                                                 : own_games;
    size_t count = setup->game_count ? setup->game_count
                   : setup->is_quick ? sizeof quick_games / sizeof *quick_games
                                     : sizeof own_games / sizeof *own_games;
    uint64_t seeds = setup->seeds ? setup->seeds : setup->is_quick ? 1 : SEEDS;
    for (uint64_t s = 0; s < seeds; s++)
        for (size_t g = 0; g < count; g++)
            for (size_t m = 0; m < 2; m++) {
                result_rows_add_row(jobs);
                result_rows_add_cell(jobs, "%s", games[g]);
                result_rows_add_cell(jobs, "%s", methods[m]);
                result_rows_add_cell(jobs, "%lu", (unsigned long)(setup->first_seed + s));
            }
}

typedef struct {
    bool is_best;
    int score;
    double seconds, seconds_to_score;
} Found;

/* Returns the goal at the end of a line of moves from the initial state; -1 if the line does not
 * end the match. */
static int goal_of(GameWork *work, const State *initial, const U32Vector *line) {
    State state = {0};
    state_copy(&state, initial);
    for (size_t i = 0; line && i < line->count && !game_is_terminal(work, &state); i++)
        game_next(work, &state, &line->items[i], &state);
    int goal = game_is_terminal(work, &state) ? game_goal(work, &state, 0) : -1;
    state_free(&state);
    return goal;
}

/* Returns the score of the best line that the search has found so far. */
static int look(Search *search, bool is_plain, GameWork *work, const State *initial,
                bool *is_best) {
    if (is_plain) {
        UctSolution found = uct_solver_solution(search);
        *is_best = found.is_best;
        return found.line ? found.score : -1;
    }
    SearchResult result = {0};
    search_result(search, &result);
    int score = goal_of(work, initial, &result.line);
    *is_best = score >= 0 && result.is_decided;
    search_result_free(&result);
    return score;
}

/* Runs the search in slices until it has used that much CPU time. Searches have wall-clock
 * deadlines, so a slice is longer if other programs use the machine. */
static Found run_for(Search *search, bool is_plain, GameWork *work, const State *initial,
                     double seconds) {
    Found found = {.score = -1};
    double started = clock_thread_cpu_seconds(), begun = clock_wall_seconds(), stretch = 1;
    while (!found.is_best && found.seconds < seconds && !interrupt_requested()) {
        SearchBudget budget = {.deadline = deadline_in(stretch * seconds / SLICES),
                               .stopped = interrupt_flag()};
        search_run(search, &budget);
        found.seconds = clock_thread_cpu_seconds() - started;
        stretch = fmax(1, (clock_wall_seconds() - begun) / fmax(found.seconds, 1e-3));
        int score = look(search, is_plain, work, initial, &found.is_best);
        if (score > found.score) {
            found.score = score;
            found.seconds_to_score = found.seconds;
        }
    }
    return found;
}

static bool run(ExperimentWork *work, const char *const *key, ResultRows *cells) {
    Game *game = experiment_game(work, key[0]);
    if (!game)
        return false;
    if (game->role_count != 1) {
        complain("%s: the study is about games of one role", key[0]);
        return false;
    }
    bool is_plain = strcmp(key[1], "uct") == 0;
    GameWork *asked = game_work_create(game, REASONER_AUTO);
    State initial = {0};
    game_initial(asked, &initial);
    double started = clock_thread_cpu_seconds();
    SearchOptions options = {.seed = strtoull(key[2], NULL, 10)};
    Search *search = is_plain ? uct_solver_create(game, &options)
                              : auto_search.create(&auto_search, game, 0, &options);
    search_set_state(search, &initial);
    double before = clock_thread_cpu_seconds() - started;
    double seconds = experiment_setup(work)->is_quick ? QUICK_SECONDS : RUN_SECONDS;
    Found found = run_for(search, is_plain, asked, &initial, seconds);
    result_rows_add_cell(cells, "%d", found.is_best);
    result_rows_add_cell(cells, "%d", found.score);
    result_rows_add_cell(cells, "%.6f", found.seconds + before);
    result_rows_add_cell(cells, "%.6f", found.seconds_to_score + before);
    search_free(search);
    state_free(&initial);
    game_work_free(asked);
    return !interrupt_requested();
}

/* ---- the page ---- */

typedef struct {
    Summary score, seconds;
    uint64_t runs, solved;
} Cell;

static Cell look_up(const ResultRows *runs, const char *game, const char *method) {
    Cell cell = {0};
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (strcmp(result_rows_text(runs, i, "game"), game) != 0 ||
            strcmp(result_rows_text(runs, i, "method"), method) != 0)
            continue;
        cell.runs++;
        cell.solved += result_rows_number(runs, i, "solved") > 0;
        summary_add(&cell.score, result_rows_number(runs, i, "score"));
        summary_add(&cell.seconds, result_rows_number(runs, i, "cpu_seconds_to_score"));
    }
    return cell;
}

typedef enum { EASY, BETTER, SOONER, SAME, LATER, WORSE, VERDICTS } Verdict;
static const char *const verdict_names[] = {"easy", "better", "sooner", "same", "later", "worse"};

static bool is_easy(const Cell *cell) {
    return cell->solved == cell->runs && cell->seconds.mean < EASY_SECONDS;
}

/* True if one side needs at most half of the other's seconds, and the difference is large enough to
 * be measured. */
static bool is_sooner(const Cell *one, const Cell *other) {
    return 2 * one->seconds.mean <= other->seconds.mean &&
           other->seconds.mean - one->seconds.mean > MIN_DIFFERENCE;
}

/* Compares two searches as docs/reference/experiments.md defines it: by the mean score; if that is
 * equal, by the number of solved runs; if all were solved, by the time. */
static Verdict verdict_of(const Cell *plain, const Cell *own) {
    double lead = own->score.mean - plain->score.mean;
    if (is_easy(plain) && is_easy(own))
        return EASY;
    if (fabs(lead) > 1e-9)
        return lead > 0 ? BETTER : WORSE;
    if (own->solved != plain->solved)
        return own->solved > plain->solved ? BETTER : WORSE;
    if (own->solved < own->runs)
        return SAME;
    return is_sooner(own, plain) ? SOONER : is_sooner(plain, own) ? LATER : SAME;
}

static void report(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {"game",   "uct",   "solved",  "CPU s", "auto",
                                          "solved", "CPU s", "auto is", NULL};
    ResultRows table;
    uint64_t count[VERDICTS] = {0};
    result_rows_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++) {
        const char *game = result_rows_text(runs, i, "game");
        size_t first = 0;
        while (strcmp(result_rows_text(runs, first, "game"), game) != 0)
            first++;
        Cell plain = look_up(runs, game, "uct"), own = look_up(runs, game, "auto");
        if (first != i || !plain.runs || !own.runs)
            continue;
        result_rows_add_row(&table);
        result_rows_add_cell(&table, "%s", game);
        for (int m = 0; m < 2; m++) {
            const Cell *cell = m ? &own : &plain;
            result_rows_add_cell(&table, "%.1f", cell->score.mean);
            result_rows_add_cell(&table, "%lu of %lu", (unsigned long)cell->solved,
                                 (unsigned long)cell->runs);
            result_rows_add_cell(&table, "%.3f", cell->seconds.mean);
        }
        Verdict verdict = verdict_of(&plain, &own);
        count[verdict]++;
        result_rows_add_cell(&table, "%s", verdict_names[verdict]);
    }
    uint64_t compared = table.rows.count - count[EASY];
    text_printf(
        page,
        "# Games of one role that are made of others\n\n"
        "Written by `marelle experiment compound`; `runs.csv` holds every run, and "
        "docs/reference/experiments.md defines the measure. The mean of the best scores that plain "
        "UCT and "
        "`auto` found in %g CPU seconds (less where the game was solved, which is to say that the "
        "greatest goal was reached or the best score proven), and how long the score took. %lu of "
        "%zu games are easy: both solve them within %g s. Of the other %lu `auto` is better on "
        "%lu, solves %lu more in half the time or less, is the same on %lu, takes twice the time "
        "or more on %lu, and is worse on %lu.\n\n",
        experiment_setup(work)->is_quick ? QUICK_SECONDS : RUN_SECONDS, (unsigned long)count[EASY],
        table.rows.count, EASY_SECONDS, (unsigned long)compared, (unsigned long)count[BETTER],
        (unsigned long)count[SOONER], (unsigned long)count[SAME], (unsigned long)count[LATER],
        (unsigned long)count[WORSE]);
    experiment_add_table(work, page, "compound", &table);
}

const Experiment experiment_compound = {
    .name = "compound",
    .summary = "games of one role made of others: auto against plain UCT in equal time",
    .keys = keys,
    .values = values,
    .plan = plan,
    .run = run,
    .report = report,
};
