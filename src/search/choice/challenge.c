/* `challenge`: games of two players and more, played by the search that proved to be the strongest.
 * In the start clock other searches, the challengers, play short matches against the incumbent,
 * `uct-relevant`, which plays unless one of them clearly wins. Beside the matches, and as long as
 * all of them together, the incumbent searches the current position, so there is always a move. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "search/choice/bout.h"
#include "search/choice/search_choice.h"
#include "search/choice/sequential_test.h"
#include "search/multitree/multitree.h"
#include "search/sums/uct_relevant.h"

/* Matches are played in blocks: the challenger plays each seat once, the incumbent plays the
 * others. After each block a sequential test looks at who is ahead (sequential_test.h). A
 * challenger that is no stronger is taken in at most one case of 50; most are dropped soon. */

/* Constants are guesses unless a source is given; what they achieve: docs/results/searches.md. */
enum {
    MIN_MATCHES = 24,      /* matches that the clock must have time for, per challenger */
    PLANNED_MATCHES = 100, /* matches per challenger that the time per move is chosen for */
    MAX_MATCHES = 200,     /* matches of one challenger at most */
    MAX_TURNS = 1000,      /* turns of a match at most */
    MIN_PLAYOUTS = 32,     /* per move of a match, where playouts are counted */
    SLICE_PLAYOUTS = 1024, /* least playouts for the position between turns of matches */
    SAMPLED_MATCHES = 4,   /* random matches that show which challengers may differ */
    SAMPLED_TURNS = 200,   /* joint moves of such a match at most */
    BOUT_BYTES = 64 << 20  /* memory for the tree of a search in a match */
};
static const double MIN_SECONDS = 0.001;   /* per move of a match */
static const double MAX_SECONDS = 0.01;    /* per move of a match */
static const double SLICE_SECONDS = 0.005; /* least time for the current position between turns */
static const double LOOK_SHARE = 0.05;     /* share of the start clock at most */
static const double DECOMPOSITION_SHARE = 0.125; /* share of the start clock at most */

typedef enum { STEP_LOOK, STEP_DECOMPOSE, STEP_PLAY, STEP_NONE } Step;

typedef struct {
    ChallengerVerdict verdict;
    SequentialTest test;
} Record;

typedef struct {
    Search search; /* its counts are those of matches and of replaced searches */
    SearchOptions options;
    UctRelevantOptions own; /* options.own points here */
    Search *player;         /* the search that is asked for moves */
    const char *picked;     /* name of the method that plays */
    State state;
    Step step;            /* next step of the start clock */
    bool counts_playouts; /* the next four fields count playouts, else CPU seconds */
    double start_clock;   /* length of the start clock */
    double measured, searched, move_units; /* for matches, for the position; per move */
    Record records[SEARCH_MAX_CHALLENGERS];
    uint32_t players; /* roles that are not chance */
    double choices;   /* mean number of decisions of all players in a random match */
    bool has_twins;   /* two moves with the same effect were seen */
    bool has_idle;    /* moves were seen that the incumbent postpones */
    GameParts parts;  /* the subgames; freed when it is known who plays */
    bool is_solved;   /* the position needs no more search */
    bool has_bout;
    size_t challenger;    /* index of the challenger in the present match */
    uint32_t seat;        /* number of the player whose seat the challenger has */
    SequentialTest block; /* the challenger's record, including the present block */
    Bout bout;
    uint64_t seed; /* seed of the present block */
} Challenge;

/* ---- the challengers ---- */

/* Creates a search. Returns NULL if the method cannot play the game; the error is dropped. */
static Search *create_quietly(const SearchMethod *method, Game *game, uint32_t role,
                              const SearchOptions *options) {
    Report report = {0};
    Search *search = search_create(method, game, role, options, &report);
    report_free(&report);
    return search;
}

static Search *create_plain(const Challenge *c, uint32_t role, const SearchOptions *options) {
    return create_quietly(&uct_search, c->search.game, role, options);
}

static Search *create_incumbent(const Challenge *c, uint32_t role, const SearchOptions *options) {
    return create_quietly(&uct_relevant_search, c->search.game, role, options);
}

static Search *create_merging(const Challenge *c, uint32_t role, const SearchOptions *options) {
    UctRelevantOptions own = c->own;
    SearchOptions merging = *options;
    own.uct.merges_twins = true;
    merging.own = &own;
    return create_incumbent(c, role, &merging);
}

static Search *create_trees(const Challenge *c, uint32_t role, const SearchOptions *given) {
    SearchOptions options = *given;
    options.own = NULL;
    if (options.threads > 1)
        return create_quietly(&multitree_search, c->search.game, role, &options);
    return multitree_create(c->search.game, role, &c->parts, &options);
}

/* All challengers, the most promising first: for games with twins, subgames and idle moves. */
static const struct {
    const char *name;
    Search *(*create)(const Challenge *c, uint32_t role, const SearchOptions *options);
} challengers[SEARCH_MAX_CHALLENGERS] = {
    {"uct1", create_merging}, {"multitree", create_trees}, {"uct", create_plain}};

/* ---- which challengers are worth a match ---- */

/* True if two moves of the only role that has a choice lead to the same state. */
static bool find_twins(const Game *game, GameWork *work, const State *state,
                       const U32Vector *legal) {
    enum { MAX_MOVES = 64 };
    uint32_t mover = ROLE_NONE, joint[MULTITREE_MAX_ROLES];
    for (uint32_t r = 0; r < game->role_count; r++) {
        if (legal[r].count > 1 && mover != ROLE_NONE)
            return false;
        mover = legal[r].count > 1 ? r : mover;
        joint[r] = legal[r].items[0];
    }
    if (mover == ROLE_NONE || game_is_chance(game, mover))
        return false;
    size_t count = legal[mover].count < MAX_MOVES ? legal[mover].count : MAX_MOVES;
    State next[MAX_MOVES] = {{0}};
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        joint[mover] = legal[mover].items[i];
        game_next(work, state, joint, &next[i]);
        for (size_t k = 0; k < i && !found; k++)
            found = state_equal(&next[i], &next[k]);
    }
    for (size_t i = 0; i < count; i++)
        state_free(&next[i]);
    return found;
}

/* Notes what a state shows about the game. False if the match is over or a role has no move. */
static bool look_at(Challenge *c, GameWork *work, const State *state, U32Vector *legal) {
    const Game *game = c->search.game;
    if (game_is_terminal(work, state))
        return false;
    for (uint32_t role = 0; role < game->role_count; role++) {
        game_legal(work, state, role, &legal[role]);
        if (!legal[role].count)
            return false;
        c->choices += legal[role].count > 1 && !game_is_chance(game, role);
        c->has_idle = c->has_idle || uct_relevant_postpones_moves(c->player, role, &legal[role]);
    }
    c->has_twins = c->has_twins || find_twins(game, work, state, legal);
    return true;
}

/* Plays random matches to learn about the game. False if time was too short. */
static bool sample_matches(Challenge *c, const SearchBudget *budget) {
    Game *game = c->search.game;
    GameWork *work = game_work_create(game, REASONER_AUTO);
    U32Vector *legal = memory_zalloc(game->role_count * sizeof *legal);
    State state = {0};
    Random random;
    Deadline end = c->counts_playouts ? deadline_never() : deadline_in(c->start_clock * LOOK_SHARE);
    bool is_cut_off = false;
    random_seed(&random, c->options.seed);
    for (int match = 0; match < SAMPLED_MATCHES; match++) {
        uint32_t turns;
        state_copy(&state, &c->state);
        for (int turn = 0; turn < SAMPLED_TURNS && !is_cut_off && look_at(c, work, &state, legal);
             turn++) {
            game_play_randomly(work, &state, &random, 1, &turns);
            is_cut_off = search_must_stop(budget) || deadline_passed(end);
        }
    }
    c->choices = fmax(1, c->choices / SAMPLED_MATCHES);
    for (uint32_t role = 0; role < game->role_count; role++)
        vector_free(&legal[role]);
    free(legal);
    state_free(&state);
    game_work_free(work);
    return !is_cut_off;
}

/* ---- the plan ---- */

static double least_units(const Challenge *c) {
    return c->counts_playouts ? MIN_PLAYOUTS : MIN_SECONDS;
}

/* The units left for matches, which get half of the clock in all. */
static double units_left(const Challenge *c) {
    return c->start_clock / 2 - c->measured;
}

/* The units for the fewest matches of a challenger, in whole blocks. */
static double units_per_challenger(const Challenge *c) {
    double blocks = ceil((double)MIN_MATCHES / c->players);
    return blocks * c->players * c->choices * least_units(c);
}

static void drop_match(Challenge *c) {
    if (c->has_bout)
        bout_free(&c->bout);
    c->has_bout = false;
}

static void stop_measuring(Challenge *c) {
    drop_match(c);
    mtmcts_parts_free(&c->parts);
    c->step = STEP_NONE;
}

static void look(Challenge *c, const SearchBudget *budget) {
    bool is_worth_it = sample_matches(c, budget) && units_left(c) >= units_per_challenger(c);
    c->step = is_worth_it ? STEP_DECOMPOSE : STEP_NONE;
}

static void decompose_game(Challenge *c) {
    assert(!c->parts.count && c->choices >= 1);
    Deadline end =
        c->counts_playouts ? deadline_never() : deadline_in(c->start_clock * DECOMPOSITION_SHARE);
    c->parts = mtmcts_find_parts(c->search.game, NULL, OVERLAP_NONE, c->options.seed, end);
    const bool suits[SEARCH_MAX_CHALLENGERS] = {c->has_twins, c->parts.count > 1, c->has_idle};
    if (c->parts.count > 1)
        c->parts.part_moves = multitree_find_acting(c->search.game, &c->parts);
    size_t room = (size_t)fmax(0, units_left(c) / units_per_challenger(c)), chosen = 0;
    for (size_t i = 0; i < SEARCH_MAX_CHALLENGERS; i++) {
        c->records[i].verdict = !suits[i]       ? CHALLENGER_UNFIT
                                : chosen < room ? CHALLENGER_OPEN
                                                : CHALLENGER_UNMEASURED;
        chosen += c->records[i].verdict == CHALLENGER_OPEN;
    }
    if (!chosen) {
        stop_measuring(c);
        return;
    }
    double units = units_left(c) / ((double)chosen * PLANNED_MATCHES * c->choices);
    units = fmax(units, least_units(c));
    c->move_units = c->counts_playouts ? floor(units) : fmin(units, MAX_SECONDS);
    c->step = STEP_PLAY;
}

/* ---- matches ---- */

/* Every search of a start clock has its own random numbers, so matches are independent. */
static void begin_match(Challenge *c, uint32_t seat) {
    assert(!c->has_bout && seat < c->players && c->challenger < SEARCH_MAX_CHALLENGERS);
    Game *game = c->search.game;
    uint64_t playouts = c->counts_playouts ? (uint64_t)c->move_units : 0;
    uint64_t seed = hash_mix(c->seed, seat);
    SearchOptions options = c->options;
    options.threads = 1;
    options.skips_sums = true; /* no match is played in a game that may be a sum */
    options.node_bytes =
        options.node_bytes && options.node_bytes < BOUT_BYTES ? options.node_bytes : BOUT_BYTES;
    bout_init(&c->bout, game, &c->state, hash_finish(seed));
    c->bout.seconds = c->counts_playouts ? INFINITY : c->move_units;
    c->has_bout = true;
    c->seat = seat;
    for (uint32_t number = 0; number < c->players; number++) {
        uint32_t role = bout_player(game, number);
        options.seed = hash_finish(hash_mix(seed, role));
        Search *search = number == seat ? challengers[c->challenger].create(c, role, &options)
                                        : create_incumbent(c, role, &options);
        if (search)
            bout_seat(&c->bout, search, playouts);
    }
}

/* The verdict at the end of a block. */
static ChallengerVerdict verdict_of(SequentialTest *test, uint32_t players) {
    SequentialTestVerdict verdict = sequential_test_verdict(test, players);
    bool is_lost = verdict == SEQUENTIAL_TEST_LOST || sequential_test_matches(test) >= MAX_MATCHES;
    return verdict == SEQUENTIAL_TEST_WON ? CHALLENGER_WON
           : is_lost                      ? CHALLENGER_LOST
                                          : CHALLENGER_OPEN;
}

/* Returns the player's playouts. *is_decided, unless NULL, becomes true if it needs no more. */
static uint64_t playouts_of_player(const Challenge *c, bool *is_decided) {
    SearchResult result = {0};
    search_result(c->player, &result);
    uint64_t playouts = result.playouts;
    if (is_decided)
        *is_decided = result.is_decided;
    search_result_free(&result);
    return playouts;
}

/* Makes the challenger the player, with the user's options, if it can be created. */
static void replace_incumbent(Challenge *c) {
    Search *taken = challengers[c->challenger].create(c, c->search.role, &c->options);
    if (taken) {
        c->search.playouts += playouts_of_player(c, NULL);
        search_set_state(taken, &c->state);
        search_free(c->player);
        c->player = taken;
        c->picked = challengers[c->challenger].name;
    }
    stop_measuring(c);
}

/* Goes on with the next challenger that is neither taken nor dropped. False if there is none. */
static bool turn_to_next(Challenge *c) {
    for (size_t i = 1; i <= SEARCH_MAX_CHALLENGERS; i++) {
        size_t next = (c->challenger + i) % SEARCH_MAX_CHALLENGERS;
        if (c->records[next].verdict == CHALLENGER_OPEN) {
            c->challenger = next;
            c->seed++;
            return true;
        }
    }
    return false;
}

static void end_match(Challenge *c) {
    assert(c->has_bout);
    Record *record = &c->records[c->challenger];
    double values[MULTITREE_MAX_ROLES];
    bout_values(&c->bout, values);
    sequential_test_add(&c->block, values, c->players, c->seat);
    drop_match(c);
    if (c->seat + 1 < c->players) {
        begin_match(c, c->seat + 1);
        return;
    }
    record->verdict = verdict_of(&c->block, c->players);
    record->test = c->block;
    if (record->verdict == CHALLENGER_WON)
        replace_incumbent(c);
    else if (!turn_to_next(c))
        stop_measuring(c);
}

static uint64_t playouts_of_bout(const Challenge *c) {
    uint64_t sum = 0;
    for (uint32_t role = 0; c->has_bout && role < c->search.game->role_count; role++)
        sum += c->bout.seats[role].playouts_made;
    return sum;
}

static void play(Challenge *c, const SearchBudget *budget) {
    if (!c->has_bout) {
        if (c->records[c->challenger].verdict != CHALLENGER_OPEN)
            turn_to_next(c);
        c->block = c->records[c->challenger].test;
        begin_match(c, 0);
    }
    uint64_t before = playouts_of_bout(c);
    c->bout.stopped = budget->stopped;
    bool goes_on = c->bout.turns < MAX_TURNS && bout_turn(&c->bout);
    uint64_t made = playouts_of_bout(c) - before;
    c->search.playouts += made;
    if (c->counts_playouts)
        c->measured += (double)made;
    if (!goes_on && !search_is_stopped(budget))
        end_match(c);
}

/* ---- the start clock ---- */

static double clock_of(const Challenge *c) {
    return c->options.threads > 1 ? clock_wall_seconds() : clock_thread_cpu_seconds();
}

static void measure(Challenge *c, const SearchBudget *budget) {
    double started = clock_of(c);
    switch (c->step) {
    case STEP_LOOK:
        look(c, budget);
        break;
    case STEP_DECOMPOSE:
        decompose_game(c);
        break;
    case STEP_PLAY:
        play(c, budget);
        break;
    case STEP_NONE:
        break;
    }
    double spent = clock_of(c) - started;
    c->search.cpu_seconds += spent;
    if (!c->counts_playouts)
        c->measured += spent;
    if (units_left(c) <= 0)
        stop_measuring(c);
}

/* All playouts since the current position was set. */
static uint64_t playouts_in_all(const Challenge *c) {
    return c->search.playouts + playouts_of_player(c, NULL);
}

/* Searches the current position for one slice of time. */
static void search_on(Challenge *c, const SearchBudget *budget, uint64_t left) {
    SearchBudget slice = *budget;
    double started = clock_of(c);
    bool is_decided;
    uint64_t before = playouts_of_player(c, &is_decided);
    if (c->counts_playouts) {
        uint64_t most = (uint64_t)fmax(SLICE_PLAYOUTS, c->start_clock / 100);
        slice.playouts = most < left ? most : left;
    } else {
        Deadline end = deadline_in(fmax(SLICE_SECONDS, c->start_clock / 100));
        slice.deadline = deadline_min(end, budget->deadline);
    }
    search_run(c->player, &slice);
    uint64_t made = playouts_of_player(c, &is_decided) - before;
    c->searched += c->counts_playouts ? (double)made : clock_of(c) - started;
    c->is_solved = is_decided || uct_relevant_solves_exactly(c->player);
    if (c->is_solved || !made)
        stop_measuring(c);
}

/* Searches the position first. Then plays turns of matches whenever these have had less than half,
 * until there is nothing more to measure. Returns the playouts made. */
static uint64_t choose_player(Challenge *c, const SearchBudget *budget) {
    uint64_t before = playouts_in_all(c), done = 0;
    bool has_left = true;
    while (c->step != STEP_NONE && has_left && !search_must_stop(budget)) {
        if (c->measured < c->searched)
            measure(c, budget);
        else
            search_on(c, budget, budget->playouts - done);
        done = playouts_in_all(c) - before;
        has_left = !budget->playouts || done < budget->playouts;
    }
    return done;
}

/* Begins or continues a start clock of so many units. False if nothing is to be measured now. */
static bool take_clock(Challenge *c, const SearchBudget *budget, double units) {
    bool counts_playouts = budget->playouts > 0;
    if (c->step == STEP_LOOK && units > 0) {
        c->counts_playouts = counts_playouts;
        c->start_clock = units;
    }
    return c->step != STEP_NONE && units > 0 && c->counts_playouts == counts_playouts;
}

static void challenge_run(Search *search, const SearchBudget *budget) {
    Challenge *c = (Challenge *)search;
    SearchBudget rest = *budget;
    if (take_clock(c, budget, budget->start_clock)) {
        uint64_t done = choose_player(c, budget);
        if (search_must_stop(budget) || (budget->playouts && done >= budget->playouts))
            return;
        rest.playouts = budget->playouts ? budget->playouts - done : 0;
    }
    search_run(c->player, &rest);
}

/* Measuring ends when matches and the search of the position have had half of the seconds each. */
static void challenge_prepare(Search *search, const SearchBudget *budget, double seconds) {
    Challenge *c = (Challenge *)search;
    if (take_clock(c, budget, budget->playouts ? (double)budget->playouts : seconds))
        choose_player(c, budget);
}

/* ---- the method ---- */

static void challenge_set_state(Search *search, const State *state) {
    Challenge *c = (Challenge *)search;
    assert(search->method == &challenge_search && c->player);
    drop_match(c);
    state_copy(&c->state, state);
    search_set_state(c->player, state);
}

static void challenge_advance(Search *search, const uint32_t *joint, const State *next) {
    Challenge *c = (Challenge *)search;
    stop_measuring(c);
    state_copy(&c->state, next);
    search_advance(c->player, joint, next);
}

static void challenge_result(Search *search, SearchResult *result) {
    const Challenge *c = (const Challenge *)search;
    search_result(c->player, result);
    result->playouts += c->search.playouts;
    result->cpu_seconds += c->search.cpu_seconds;
}

static void challenge_free(Search *search) {
    Challenge *c = (Challenge *)search;
    stop_measuring(c);
    search_free(c->player);
    state_free(&c->state);
    free(c);
}

/* Creates the incumbent itself if nothing can be measured, or options are read only at creation. */
static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options) {
    uint32_t players = game_count_players(game);
    if (players < 2 || game->role_count > MULTITREE_MAX_ROLES || !game_has_circuit(game) ||
        game_hides(game) || options->evaluation || options->device || options->ignored)
        return create_quietly(&uct_relevant_search, game, role, options);
    Challenge *c = search_instance(method, game, role, sizeof *c);
    c->options = *options;
    c->players = players;
    c->picked = uct_relevant_search.name;
    c->seed = hash_finish(options->seed); /* different from the seeds of other searches */
    for (size_t i = 0; i < SEARCH_MAX_CHALLENGERS; i++)
        c->records[i].verdict = CHALLENGER_UNMEASURED;
    search_own_options(options, &c->own, sizeof c->own);
    c->options.own = &c->own;
    c->options.report = NULL;
    c->player = create_incumbent(c, role, options);
    if (c->player)
        return &c->search;
    free(c);
    return NULL;
}

static void challenge_describe(const Search *search, SearchChoice *choice) {
    const Challenge *c = (const Challenge *)search;
    *choice = (SearchChoice){.picked = c->picked,
                             .incumbent = uct_relevant_search.name,
                             .seconds = c->counts_playouts ? 0 : c->move_units,
                             .playouts = c->counts_playouts ? (uint64_t)c->move_units : 0,
                             .is_solved = c->is_solved,
                             .count = SEARCH_MAX_CHALLENGERS};
    for (size_t i = 0; i < SEARCH_MAX_CHALLENGERS; i++) {
        const SequentialTest *test = &c->records[i].test;
        choice->challengers[i] = (SearchChallenger){.name = challengers[i].name,
                                                    .verdict = c->records[i].verdict,
                                                    .won = test->won,
                                                    .drawn = test->drawn,
                                                    .lost = test->lost,
                                                    .lead = sequential_test_lead(test)};
    }
}

/* ---- the choice in words ---- */

static uint64_t matches_of(const SearchChallenger *challenger) {
    return challenger->won + challenger->drawn + challenger->lost;
}

const char *challenger_verdict_text(ChallengerVerdict verdict) {
    static const char *const texts[] = {[CHALLENGER_UNFIT] = "unfit",
                                        [CHALLENGER_UNMEASURED] = "not measured",
                                        [CHALLENGER_OPEN] = "undecided",
                                        [CHALLENGER_LOST] = "not stronger",
                                        [CHALLENGER_WON] = "stronger"};
    assert(verdict < sizeof texts / sizeof *texts);
    return texts[verdict];
}

uint64_t search_choice_matches(const SearchChoice *choice) {
    uint64_t sum = 0;
    assert(choice->count <= SEARCH_MAX_CHALLENGERS);
    for (size_t i = 0; i < choice->count; i++)
        sum += matches_of(&choice->challengers[i]);
    return sum;
}

static const char *why_unmeasured(const SearchChoice *choice) {
    ChallengerVerdict last = CHALLENGER_UNFIT;
    for (size_t i = 0; i < choice->count; i++)
        last = choice->challengers[i].verdict > last ? choice->challengers[i].verdict : last;
    return choice->is_solved               ? "the position was solved"
           : last == CHALLENGER_UNFIT      ? "none would play this game differently"
           : last == CHALLENGER_UNMEASURED ? "the start clock was too short for test matches"
                                           : "no test match ended within the start clock";
}

void search_choice_write(const SearchChoice *choice, Text *text) {
    unsigned long matches = search_choice_matches(choice);
    text_printf(text, "%s plays; challengers: ", choice->picked);
    if (!matches) {
        text_printf(text, "none was tried, because %s", why_unmeasured(choice));
        return;
    }
    if (strcmp(choice->picked, choice->incumbent) == 0)
        text_add(text, "none was clearly better");
    else
        text_printf(text, "it was clearly better than %s", choice->incumbent);
    text_printf(text, " in %lu test matches with %.6g %s per move", matches,
                choice->seconds > 0 ? choice->seconds : (double)choice->playouts,
                choice->seconds > 0 ? "s" : "playouts");
    for (size_t i = 0; i < choice->count; i++) {
        const SearchChallenger *c = &choice->challengers[i];
        if (matches_of(c))
            text_printf(text, "; %s won %lu, drew %lu, lost %lu, %+.1f on average (%s)", c->name,
                        (unsigned long)c->won, (unsigned long)c->drawn, (unsigned long)c->lost,
                        100 * c->lead, challenger_verdict_text(c->verdict));
    }
}

/* ---- the table ---- */

static const SearchOption options[] = {UCT_RELEVANT_OPTIONS, {0}};

const SearchMethod challenge_search = {
    .name = "challenge",
    .alias = "rivals",
    .summary = "uct-relevant, or another search that beats it in short matches before the start",
    .options = options,
    .own_size = sizeof(UctRelevantOptions),
    .takes_evaluation = true,
    .create = create,
    .free = challenge_free,
    .set_state = challenge_set_state,
    .advance = challenge_advance,
    .prepare = challenge_prepare,
    .run = challenge_run,
    .result = challenge_result,
    .describe = challenge_describe,
    .takes_device = true,
    .deals_out_threads = true};
