/* Matches are played in blocks, in which the rival has each player's seat once and what is held all
 * others, a turn at a time; after each block a sequential test looks at who has more (wager.h). A
 * rival that is no stronger is taken in one case of 50 at most, and most are dropped after a few
 * matches. */
#include "search/choice/rivals.h"

#include <math.h>
#include <string.h>

#include "base/table.h"
#include "search/choice/bout.h"
#include "search/methods.h"
#include "search/multitree/multirole.h"
#include "search/sums/uct_relevant.h"

enum {
    FEWEST_MATCHES = 24,   /* for which there must be room, for each rival */
    PLANNED_MATCHES = 100, /* by which the time a move is found, within its bounds */
    MOST_MATCHES = 200,    /* of a rival */
    MOST_TURNS = 1000,     /* of a match */
    LEAST_PLAYOUTS = 32,   /* a move, where they are counted */
    SLICE_PLAYOUTS = 1024,
    SAMPLED_MATCHES = 4,
    SAMPLED_TURNS = 200,
    BOUT_BYTES = 64 << 20 /* for the tree of a search in a match */
};
/* Seconds a move; and of the search of the position, between two turns. */
static const double LEAST_SECONDS = 0.001, MOST_SECONDS = 0.01, SLICE_SECONDS = 0.005;
/* Of the start clock at most. */
static const double LOOK_SHARE = 0.05, DECOMPOSITION_SHARE = 0.125;

typedef enum { STEP_LOOK, STEP_DECOMPOSE, STEP_PLAY, STEP_NONE } Step;

typedef struct {
    Search search;
    SearchOptions options;
    Search *player;     /* which is asked for moves */
    const char *picked; /* its name */
    State state;
    Step step;            /* what is to do next in the start clock */
    bool counts_playouts; /* the units of the following */
    double all;           /* of the start clock */
    double measured, searched, move_units;
    RivalRecord records[RIVALS_MOST];
    uint32_t players;     /* roles that are not chance */
    double choices;       /* of all players in a random match */
    bool has_twins;       /* two moves with the same effect were seen */
    bool has_idle;        /* moves that wait in `parts` were */
    MultiTreeParts parts; /* until it is known who plays */
    bool has_parts, has_bout;
    size_t rival;  /* in the match under way */
    uint32_t seat; /* number of the player that it is there */
    Wager block;   /* its record, and the matches of the block under way */
    Bout bout;
    uint64_t seed;     /* of the block */
    uint64_t playouts; /* in matches and by those who were replaced, since the table moved on */
    double cpu_seconds;
} Rivals;

/* ---- who takes part ---- */

static const char held[] = "parts";

/* NULL if it cannot play; nobody asks why. */
static Search *create_named(const char *method, Game *game, uint32_t role,
                            const SearchOptions *options) {
    Report report = {0};
    Search *search = search_create(method, game, role, options, &report);
    report_free(&report);
    return search;
}

static Search *create_plain(const Rivals *r, uint32_t role, const SearchOptions *options) {
    return create_named("uct", r->search.game, role, options);
}

static Search *create_held(const Rivals *r, uint32_t role, const SearchOptions *options) {
    return create_named(held, r->search.game, role, options);
}

static Search *create_merging(const Rivals *r, uint32_t role, const SearchOptions *options) {
    SearchOptions merging = *options;
    merging.merges_twins = true;
    return create_held(r, role, &merging);
}

static Search *create_trees(const Rivals *r, uint32_t role, const SearchOptions *options) {
    if (options->threads > 1)
        return create_named("trees", r->search.game, role, options);
    return multirole_create(r->search.game, role, &r->parts, options);
}

static bool has_idle_moves(const Rivals *r) {
    return r->has_idle;
}

static bool has_twins(const Rivals *r) {
    return r->has_twins;
}

static bool has_subgames(const Rivals *r) {
    return r->has_parts && r->parts.count > 1;
}

/* What others there are than the one that is held, the most promising first. */
static const struct {
    const char *name;
    bool (*suits)(const Rivals *r);
    Search *(*create)(const Rivals *r, uint32_t role, const SearchOptions *options);
} rivals[RIVALS_MOST] = {{"uct1", has_twins, create_merging},
                         {"trees", has_subgames, create_trees},
                         {"uct", has_idle_moves, create_plain}};

/* ---- what is worth a match ---- */

/* Whether two moves of the only role that has a choice lead to the same state. */
static bool find_twins(const Game *game, GameWork *work, const State *state,
                       const U32Vector *legal) {
    enum { MOST_MOVES = 64 };
    uint32_t mover = MOVE_NONE, joint[MULTIROLE_MOST_ROLES];
    for (uint32_t r = 0; r < game->role_count; r++) {
        if (legal[r].count > 1 && mover != MOVE_NONE)
            return false;
        mover = legal[r].count > 1 ? r : mover;
        joint[r] = legal[r].items[0];
    }
    if (mover == MOVE_NONE || game_is_chance(game, mover))
        return false;
    size_t count = legal[mover].count < MOST_MOVES ? legal[mover].count : MOST_MOVES;
    State next[MOST_MOVES] = {{0}};
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

/* False if the match is over, or somebody has no move. */
static bool look_at(Rivals *r, GameWork *work, const State *state, U32Vector *legal) {
    const Game *game = r->search.game;
    if (game_is_terminal(work, state))
        return false;
    for (uint32_t role = 0; role < game->role_count; role++) {
        game_legal(work, state, role, &legal[role]);
        if (!legal[role].count)
            return false;
        r->choices += legal[role].count > 1 && !game_is_chance(game, role);
        r->has_idle = r->has_idle || uct_relevant_postpones_moves(r->player, role, &legal[role]);
    }
    r->has_twins = r->has_twins || find_twins(game, work, state, legal);
    return true;
}

/* False if there was too little time for that. */
static bool sample_matches(Rivals *r, const SearchBudget *budget) {
    Game *game = r->search.game;
    GameWork *work = game_work(game, REASONER_AUTO);
    U32Vector *legal = memory_zalloc(game->role_count * sizeof *legal);
    State state = {0};
    Random random;
    Deadline end = r->counts_playouts ? deadline_never() : deadline_in(r->all * LOOK_SHARE);
    bool is_cut_off = false;
    random_seed(&random, r->options.seed);
    for (int match = 0; match < SAMPLED_MATCHES; match++) {
        uint32_t turns;
        state_copy(&state, &r->state);
        for (int turn = 0; turn < SAMPLED_TURNS && !is_cut_off && look_at(r, work, &state, legal);
             turn++) {
            game_play_randomly(work, &state, &random, 1, &turns);
            is_cut_off = search_must_stop(budget) || deadline_passed(end);
        }
    }
    r->choices = fmax(1, r->choices / SAMPLED_MATCHES);
    for (uint32_t role = 0; role < game->role_count; role++)
        vector_free(&legal[role]);
    free(legal);
    state_free(&state);
    game_work_free(work);
    return !is_cut_off;
}

/* ---- the plan ---- */

static double least_units(const Rivals *r) {
    return r->counts_playouts ? LEAST_PLAYOUTS : LEAST_SECONDS;
}

/* What matches may still have, which is half of the clock in all. */
static double units_left(const Rivals *r) {
    return r->all / 2 - r->measured;
}

/* In whole blocks. */
static double units_of_rival(const Rivals *r) {
    double blocks = ceil((double)FEWEST_MATCHES / r->players);
    return blocks * r->players * r->choices * least_units(r);
}

static void stop_measuring(Rivals *r) {
    if (r->has_bout)
        bout_free(&r->bout);
    if (r->has_parts)
        mtmcts_parts_free(&r->parts);
    r->has_bout = r->has_parts = false;
    r->step = STEP_NONE;
}

static void look(Rivals *r, const SearchBudget *budget) {
    bool is_worth_it = sample_matches(r, budget) && units_left(r) >= units_of_rival(r);
    r->step = is_worth_it ? STEP_DECOMPOSE : STEP_NONE;
}

static void decompose_game(Rivals *r) {
    Deadline end =
        r->counts_playouts ? deadline_never() : deadline_in(r->all * DECOMPOSITION_SHARE);
    r->parts = mtmcts_find_parts(r->search.game, NULL, OVERLAP_NONE, r->options.seed, end);
    r->has_parts = true;
    if (has_subgames(r))
        r->parts.acting = multirole_find_acting(r->search.game, &r->parts);
    size_t rooms = (size_t)fmax(0, units_left(r) / units_of_rival(r)), heard = 0;
    for (size_t i = 0; i < RIVALS_MOST; i++) {
        bool fits = rivals[i].suits(r);
        r->records[i].verdict = !fits ? RIVAL_UNFIT : heard < rooms ? RIVAL_OPEN : RIVAL_UNHEARD;
        heard += fits && heard < rooms;
    }
    if (!heard) {
        stop_measuring(r);
        return;
    }
    double units = units_left(r) / ((double)heard * PLANNED_MATCHES * r->choices);
    units = fmax(units, least_units(r));
    r->move_units = r->counts_playouts ? floor(units) : fmin(units, MOST_SECONDS);
    r->step = STEP_PLAY;
}

/* ---- matches ---- */

/* No two searches of a start clock have the same random numbers: matches are independent. */
static void begin_match(Rivals *r, uint32_t seat) {
    Game *game = r->search.game;
    uint64_t playouts = r->counts_playouts ? (uint64_t)r->move_units : 0;
    uint64_t seed = hash_mix(r->seed, seat);
    SearchOptions options = r->options;
    options.threads = 1;
    options.leaves_sums = true; /* where there may be one, nothing is measured */
    options.node_bytes =
        options.node_bytes && options.node_bytes < BOUT_BYTES ? options.node_bytes : BOUT_BYTES;
    bout_init(&r->bout, game, &r->state, hash_finish(seed));
    r->bout.seconds = r->counts_playouts ? INFINITY : r->move_units;
    r->has_bout = true;
    r->seat = seat;
    for (uint32_t number = 0; number < r->players; number++) {
        uint32_t role = bout_player(game, number);
        options.seed = hash_finish(hash_mix(seed, role));
        Search *search = number == seat ? rivals[r->rival].create(r, role, &options)
                                        : create_held(r, role, &options);
        if (search)
            bout_seat(&r->bout, search, playouts);
    }
}

/* At the end of a block. */
static RivalVerdict judge(Wager *wager, uint32_t players) {
    switch (wager_judge(wager, players)) {
    case WAGER_WON:
        return RIVAL_WON;
    case WAGER_LOST:
        return RIVAL_LOST;
    case WAGER_OPEN:
        break;
    }
    return wager_matches(wager) >= MOST_MATCHES ? RIVAL_LOST : RIVAL_OPEN;
}

/* Playouts of the player so far, and whether it needs no more. */
static uint64_t playouts_of_player(const Rivals *r, bool *is_decided) {
    SearchResult result = {0};
    search_result(r->player, &result);
    uint64_t playouts = result.playouts;
    *is_decided = result.is_decided;
    search_result_free(&result);
    return playouts;
}

/* It plays from now on, with all that was asked for. What was held stays if it cannot. */
static void take_rival(Rivals *r) {
    Search *taken = rivals[r->rival].create(r, r->search.role, &r->options);
    if (taken) {
        bool is_decided;
        r->playouts += playouts_of_player(r, &is_decided);
        search_set_state(taken, &r->state);
        search_free(r->player);
        r->player = taken;
        r->picked = rivals[r->rival].name;
    }
    stop_measuring(r);
}

/* The next one whose matches have not decided; false if there is none. */
static bool turn_to_next(Rivals *r) {
    for (size_t i = 1; i <= RIVALS_MOST; i++) {
        size_t next = (r->rival + i) % RIVALS_MOST;
        if (r->records[next].verdict == RIVAL_OPEN) {
            r->rival = next;
            r->seed++;
            return true;
        }
    }
    return false;
}

static void end_match(Rivals *r) {
    RivalRecord *record = &r->records[r->rival];
    double values[MULTIROLE_MOST_ROLES];
    bout_values(&r->bout, values);
    wager_add(&r->block, values, r->players, r->seat);
    bout_free(&r->bout);
    r->has_bout = false;
    if (r->seat + 1 < r->players) {
        begin_match(r, r->seat + 1);
        return;
    }
    record->verdict = judge(&r->block, r->players);
    record->wager = r->block;
    if (record->verdict == RIVAL_WON)
        take_rival(r);
    else if (!turn_to_next(r))
        stop_measuring(r);
}

static uint64_t playouts_of_bout(const Rivals *r) {
    uint64_t sum = 0;
    for (uint32_t role = 0; r->has_bout && role < r->search.game->role_count; role++)
        sum += r->bout.seats[role].made;
    return sum;
}

static void play(Rivals *r, const SearchBudget *budget) {
    if (!r->has_bout) {
        if (r->records[r->rival].verdict != RIVAL_OPEN)
            turn_to_next(r);
        r->block = r->records[r->rival].wager;
        begin_match(r, 0);
    }
    uint64_t before = playouts_of_bout(r);
    r->bout.stopped = budget->stopped;
    bool goes_on = r->bout.turns < MOST_TURNS && bout_turn(&r->bout);
    uint64_t made = playouts_of_bout(r) - before;
    r->playouts += made;
    if (r->counts_playouts)
        r->measured += (double)made;
    if (!goes_on && !search_is_stopped(budget))
        end_match(r);
}

/* ---- the start clock ---- */

static double clock_of(const Rivals *r) {
    return r->options.threads > 1 ? clock_wall_seconds() : clock_thread_cpu_seconds();
}

static void measure(Rivals *r, const SearchBudget *budget) {
    double started = clock_of(r);
    switch (r->step) {
    case STEP_LOOK:
        look(r, budget);
        break;
    case STEP_DECOMPOSE:
        decompose_game(r);
        break;
    case STEP_PLAY:
        play(r, budget);
        break;
    case STEP_NONE:
        break;
    }
    double spent = clock_of(r) - started;
    r->cpu_seconds += spent;
    if (!r->counts_playouts)
        r->measured += spent;
    if (units_left(r) <= 0)
        stop_measuring(r);
}

/* All playouts since the table moved on. */
static uint64_t playouts_in_all(const Rivals *r) {
    bool is_decided;
    return r->playouts + playouts_of_player(r, &is_decided);
}

/* A slice for the position on the table. */
static void search_on(Rivals *r, const SearchBudget *budget, uint64_t left) {
    SearchBudget slice = *budget;
    double started = clock_of(r);
    bool is_decided;
    uint64_t before = playouts_of_player(r, &is_decided);
    if (r->counts_playouts) {
        uint64_t most = (uint64_t)fmax(SLICE_PLAYOUTS, r->all / 100);
        slice.playouts = most < left ? most : left;
    } else {
        Deadline end = deadline_in(fmax(SLICE_SECONDS, r->all / 100));
        slice.deadline = end.at < budget->deadline.at ? end : budget->deadline;
    }
    search_run(r->player, &slice);
    uint64_t made = playouts_of_player(r, &is_decided) - before;
    r->searched += r->counts_playouts ? (double)made : clock_of(r) - started;
    if (is_decided || !made || uct_relevant_solves_exactly(r->player))
        stop_measuring(r);
}

/* The search of the position first, then turns of matches whenever they have had less, until there
 * is nothing more to measure. The playouts that were made. */
static uint64_t choose_player(Rivals *r, const SearchBudget *budget) {
    uint64_t before = playouts_in_all(r), done = 0;
    bool has_left = true;
    while (r->step != STEP_NONE && has_left && !search_must_stop(budget)) {
        if (r->measured < r->searched)
            measure(r, budget);
        else
            search_on(r, budget, budget->playouts - done);
        done = playouts_in_all(r) - before;
        has_left = !budget->playouts || done < budget->playouts;
    }
    return done;
}

/* A clock of so many units; false if it is not the time to measure. */
static bool take_clock(Rivals *r, const SearchBudget *budget, double units) {
    bool counts_playouts = budget->playouts > 0;
    if (r->step == STEP_LOOK && units > 0) {
        r->counts_playouts = counts_playouts;
        r->all = units;
    }
    return r->step != STEP_NONE && units > 0 && r->counts_playouts == counts_playouts;
}

static void rivals_run(Search *search, const SearchBudget *budget) {
    Rivals *r = (Rivals *)search;
    SearchBudget rest = *budget;
    if (take_clock(r, budget, budget->start)) {
        uint64_t done = choose_player(r, budget);
        if (search_must_stop(budget) || (budget->playouts && done >= budget->playouts))
            return;
        rest.playouts = budget->playouts ? budget->playouts - done : 0;
    }
    search_run(r->player, &rest);
}

/* Measuring ends when matches have had half of the seconds, and the search of the position the
 * other half. */
static void rivals_prepare(Search *search, const SearchBudget *budget, double seconds) {
    Rivals *r = (Rivals *)search;
    if (take_clock(r, budget, budget->playouts ? (double)budget->playouts : seconds))
        choose_player(r, budget);
}

/* ---- the method ---- */

static void drop_match(Rivals *r) {
    if (r->has_bout)
        bout_free(&r->bout);
    r->has_bout = false;
}

static void rivals_set_state(Search *search, const State *state) {
    Rivals *r = (Rivals *)search;
    drop_match(r);
    state_copy(&r->state, state);
    search_set_state(r->player, state);
    r->playouts = 0;
    r->cpu_seconds = 0;
}

static void rivals_advance(Search *search, const uint32_t *joint, const State *next) {
    Rivals *r = (Rivals *)search;
    stop_measuring(r);
    state_copy(&r->state, next);
    search_advance(r->player, joint, next);
    r->playouts = 0;
    r->cpu_seconds = 0;
}

static void rivals_result(Search *search, SearchResult *result) {
    const Rivals *r = (const Rivals *)search;
    search_result(r->player, result);
    result->playouts += r->playouts;
    result->cpu_seconds += r->cpu_seconds;
}

static void rivals_free(Search *search) {
    Rivals *r = (Rivals *)search;
    stop_measuring(r);
    search_free(r->player);
    state_free(&r->state);
    free(r);
}

/* Where nothing can be measured it is what is held itself; so it is with options that are only read
 * while a search is made. */
static Search *create(Game *game, uint32_t role, const SearchOptions *options) {
    uint32_t players = game_count_players(game);
    if (players < 2 || game->role_count > MULTIROLE_MOST_ROLES || !game_has_circuit(game) ||
        game_hides(game) || options->evaluation || options->device || options->ignored)
        return create_named(held, game, role, options);
    Rivals *r = memory_zalloc(sizeof *r);
    r->search = (Search){&rivals_search, game, role};
    r->options = *options;
    r->players = players;
    r->picked = held;
    r->seed = hash_finish(options->seed); /* far from those of other searches */
    for (size_t i = 0; i < RIVALS_MOST; i++)
        r->records[i] = (RivalRecord){.name = rivals[i].name, .verdict = RIVAL_UNHEARD};
    r->options.report = NULL;
    r->player = create_held(r, role, options);
    if (r->player)
        return &r->search;
    free(r);
    return NULL;
}

const SearchMethod rivals_search = {
    .name = "rivals",
    .summary = "parts, or what wins against it in matches of the start clock",
    .create = create,
    .free = rivals_free,
    .set_state = rivals_set_state,
    .advance = rivals_advance,
    .prepare = rivals_prepare,
    .run = rivals_run,
    .result = rivals_result,
    .takes_device = true,
    .deals_out_threads = true};

/* ---- what is said about it ---- */

bool rivals_report(const Search *search, RivalsReport *report) {
    const Rivals *r = (const Rivals *)search;
    if (search->method != &rivals_search)
        return false;
    *report = (RivalsReport){.picked = r->picked,
                             .seconds = r->counts_playouts ? 0 : r->move_units,
                             .playouts = r->counts_playouts ? (uint64_t)r->move_units : 0,
                             .count = RIVALS_MOST};
    memcpy(report->records, r->records, sizeof r->records);
    return true;
}

const char *rival_verdict_word(RivalVerdict verdict) {
    static const char *const words[] = {[RIVAL_UNFIT] = "unfit",
                                        [RIVAL_UNHEARD] = "not measured",
                                        [RIVAL_OPEN] = "undecided",
                                        [RIVAL_LOST] = "not stronger",
                                        [RIVAL_WON] = "stronger"};
    return words[verdict];
}

bool rivals_has_measured(const RivalsReport *report) {
    for (size_t i = 0; i < report->count; i++)
        if (wager_matches(&report->records[i].wager))
            return true;
    return false;
}

void rivals_write(const RivalsReport *report, Text *text) {
    text_printf(text, "%s plays", report->picked);
    if (!rivals_has_measured(report))
        text_add(text, ", nothing was measured");
    else if (report->seconds > 0)
        text_printf(text, ", after matches against parts with %.4g s a move", report->seconds);
    else
        text_printf(text, ", after matches against parts with %lu playouts a move",
                    (unsigned long)report->playouts);
    for (size_t i = 0; i < report->count; i++) {
        const RivalRecord *record = &report->records[i];
        const Wager *wager = &record->wager;
        if (wager_matches(wager))
            text_printf(text, "; %s won %lu, drew %lu, lost %lu, %+.1f on average (%s)",
                        record->name, (unsigned long)wager->won, (unsigned long)wager->drawn,
                        (unsigned long)wager->lost, 100 * wager_lead(wager),
                        rival_verdict_word(record->verdict));
    }
}
