/* Each match is recorded state by state. Only a sample of its states is kept, because neighbours in
 * a match are nearly equal. The target of a state lies between the result of the match and an
 * estimate: the mean of playouts from the state, or the value of the search that chose the move. */
#include "learn/data/collect.h"

#include <math.h>
#include <string.h>

#include "base/bitset.h"
#include "base/table.h"
#include "game/batch.h"
#include "learn/data/fluents.h"
#include "search/uct/uct.h"

/* Constants of this module. */
enum {
    DEFAULT_PLAYOUTS = 256, /* playouts that estimate the value of a state (untuned) */
    DEFAULT_SEARCH = 1024,  /* playouts per search of UCT (untuned) */
    SURVEYED = 4,           /* positions taken from one search tree (untuned) */
    SURVEY_VISITS = 128,    /* fewest visits of a position that is taken from a tree (untuned) */
    SURVEY_JUDGED = 32,     /* the same where an evaluation judges leaves (untuned) */
    GUIDE = 64,             /* playouts per short search (untuned) */
    DEFAULT_PER_MATCH = 12, /* states kept per match (untuned) */
    MAX_TURNS = 2000,       /* turns after which a match is given up (untuned) */
    NODE_BYTES = 64 << 20   /* memory of one search tree (untuned) */
};
/* Share of random moves in matches of UCT, 0..1 (untuned). */
static const double DEFAULT_SHARE_RANDOM = 0.1;

typedef struct {
    State state;
    double *values; /* by role: estimated goal; NaN where there is none */
    bool is_end;
} RecordedState;

typedef struct {
    VECTOR(RecordedState) moments;
    VECTOR(RecordedState) surveyed; /* positions taken from search trees */
    double *goals;                  /* by role */
    bool is_over;                   /* the match reached its end and has goals */
} Match;

struct Collector {
    Game *game;
    CollectOptions options; /* defaults filled in */
    Pool *pool;
    uint64_t first; /* number of the first match of the current block */
    Match *matches;
    GameWork **works; /* by worker */
    bool has_match;   /* a match is over; set by any thread */
};

/* ---- one match ---- */

static void forget_moment(RecordedState *moment) {
    state_free(&moment->state);
    free(moment->values);
}

static void match_clear(Match *m) {
    for (size_t i = 0; i < m->moments.count; i++)
        forget_moment(&m->moments.items[i]);
    for (size_t i = 0; i < m->surveyed.count; i++)
        forget_moment(&m->surveyed.items[i]);
    vectors_free(&m->moments, &m->surveyed);
    free(m->goals);
    *m = (Match){0};
}

typedef struct {
    Collector *collection;
    GameWork *work;
    Batch *batch;
    Random random;
    Search **searches; /* by role; NULL for random play */
    State state;
    uint32_t *joint;
    U32Vector legal;
    Match *match;
} Playing;

static void write_down(Playing *t, bool is_end) {
    uint32_t roles = t->collection->game->role_count;
    RecordedState moment = {.is_end = is_end, .values = memory_alloc((roles + 1) * sizeof(double))};
    for (uint32_t r = 0; r < roles; r++)
        moment.values[r] = NAN;
    state_copy(&moment.state, &t->state);
    vector_push(&t->match->moments, moment);
}

/* A random sample of the positions of a tree, drawn while the tree is visited. */
typedef struct {
    Playing *playing;
    /* Index of the search's first position in `surveyed`, and number of positions visited. */
    size_t first, seen;
} Survey;

static void note_position(void *context, const State *state, const double *goals) {
    Survey *s = context;
    Match *m = s->playing->match;
    uint32_t roles = s->playing->collection->game->role_count;
    size_t place = random_below(&s->playing->random, ++s->seen);
    if (s->seen <= SURVEYED) {
        vector_push(&m->surveyed,
                    ((RecordedState){.values = memory_alloc((roles + 1) * sizeof(double))}));
        place = s->seen - 1;
    }
    if (place >= SURVEYED)
        return;
    RecordedState *moment = &m->surveyed.items[s->first + place];
    state_copy(&moment->state, state);
    memcpy(moment->values, goals, roles * sizeof *goals);
}

/* Searches for the move of a role that has a choice. *value is the goal that the search expects. */
static uint32_t search_move(Playing *t, uint32_t role, double *value) {
    const CollectOptions *o = &t->collection->options;
    SearchResult result = {0};
    search_run(t->searches[role],
               &(SearchBudget){.deadline = deadline_never(),
                               .playouts = o->source == COLLECT_GUIDED ? GUIDE : o->playouts,
                               .stopped = o->stopped});
    search_result(t->searches[role], &result);
    uint32_t best = result.best;
    if (result.moves.count)
        *value = result.moves.items[0].value;
    search_result_free(&result);
    if (o->source == COLLECT_UCT && o->states != COLLECT_ENDS) {
        Survey survey = {t, t->match->surveyed.count, 0};
        bool is_judged = o->search && o->search->evaluation;
        uct_visit_nodes(t->searches[role], is_judged ? SURVEY_JUDGED : SURVEY_VISITS, note_position,
                        &survey);
    }
    return best;
}

static uint32_t choose(Playing *t, uint32_t role) {
    const CollectOptions *o = &t->collection->options;
    game_legal(t->work, &t->state, role, &t->legal);
    if (!t->legal.count)
        return MOVE_NONE;
    uint32_t drawn = t->legal.items[random_below(&t->random, t->legal.count)];
    bool thinks = t->searches && t->searches[role] && t->legal.count > 1 &&
                  !game_is_chance(t->collection->game, role);
    if (!thinks)
        return drawn;
    double value = NAN;
    uint32_t found = search_move(t, role, &value);
    if (o->source == COLLECT_UCT)
        vector_last(&t->match->moments).values[role] = value;
    bool strays = random_double(&t->random) < o->share_random;
    return strays || found == MOVE_NONE ? drawn : found;
}

static bool play_turn(Playing *t) {
    uint32_t roles = t->collection->game->role_count;
    for (uint32_t r = 0; r < roles; r++) {
        t->joint[r] = choose(t, r);
        if (t->joint[r] == MOVE_NONE)
            return false;
    }
    game_next(t->work, &t->state, t->joint, &t->state);
    for (uint32_t r = 0; r < roles && t->searches; r++)
        if (t->searches[r])
            search_advance(t->searches[r], t->joint, &t->state);
    return true;
}

/* Matches under way are given up at the end of the time, but for want of any other match. */
static bool must_give_up(const Collector *c) {
    const CollectOptions *o = &c->options;
    return work_must_end((Deadline){0}, o->stopped) ||
           (__atomic_load_n(&c->has_match, __ATOMIC_RELAXED) && work_must_end(o->deadline, NULL));
}

static void play(Playing *t) {
    Match *m = t->match;
    uint32_t roles = t->collection->game->role_count;
    for (uint32_t turn = 0; turn < MAX_TURNS; turn++) {
        bool is_end = game_is_terminal(t->work, &t->state);
        write_down(t, is_end);
        if (is_end || must_give_up(t->collection) || !play_turn(t))
            break;
    }
    m->is_over = vector_last(&m->moments).is_end;
    m->goals = memory_zalloc((roles + 1) * sizeof *m->goals);
    for (uint32_t r = 0; r < roles && m->is_over; r++) {
        int goal = game_goal(t->work, &t->state, r);
        m->goals[r] = goal;
        m->is_over = goal != GOAL_NONE && goal != GOAL_SEVERAL && goal >= 0;
    }
    if (m->is_over)
        __atomic_store_n(&t->collection->has_match, true, __ATOMIC_RELAXED);
}

/* ---- what is kept of it ---- */

static void forget_all_but(Match *m, const bool *is_kept) {
    size_t kept = 0;
    for (size_t i = 0; i < m->moments.count; i++) {
        if (is_kept[i]) {
            m->moments.items[kept++] = m->moments.items[i];
            continue;
        }
        forget_moment(&m->moments.items[i]);
    }
    m->moments.count = kept;
}

static bool is_valued(const RecordedState *moment, uint32_t roles) {
    bool is = false;
    for (uint32_t r = 0; r < roles; r++)
        is = is || !isnan(moment->values[r]);
    return is;
}

/* All states that a search has valued are kept, because their values were expensive. */
static void draw_moments(Playing *t) {
    const CollectOptions *o = &t->collection->options;
    Match *m = t->match;
    size_t before_end = m->moments.count - 1;
    bool *is_kept = memory_zalloc(m->moments.count);
    is_kept[before_end] = o->states != COLLECT_BEFORE_ENDS;
    for (size_t i = 0; i < before_end && o->states != COLLECT_ENDS; i++)
        is_kept[i] = is_valued(&m->moments.items[i], t->collection->game->role_count);
    for (uint32_t k = 0;
         k < o->per_match && before_end && o->states != COLLECT_ENDS && o->source != COLLECT_UCT;
         k++)
        is_kept[random_below(&t->random, before_end)] = true;
    forget_all_but(m, is_kept);
    free(is_kept);
}

/* Estimates missing values by the mean goals of playouts from the state. */
static void play_out(Playing *t, RecordedState *moment) {
    const Collector *c = t->collection;
    uint32_t roles = c->game->role_count, count = c->options.playouts;
    PlayoutStart *starts = memory_zalloc(count * sizeof *starts);
    PlayoutResult *results = memory_zalloc(count * sizeof *results);
    int *goals = memory_zalloc((size_t)count * roles * sizeof *goals);
    for (uint32_t i = 0; i < count; i++) {
        starts[i] = (PlayoutStart){&moment->state, NULL};
        results[i].goals = goals + (size_t)i * roles;
    }
    batch_play(t->batch, starts, count, MAX_TURNS, results);
    for (uint32_t r = 0; r < roles; r++) {
        double sum = 0, ended = 0;
        for (uint32_t i = 0; i < count; i++)
            if (results[i].end == MATCH_TERMINAL && results[i].goals[r] >= 0) {
                sum += results[i].goals[r];
                ended++;
            }
        if (ended > 0 && isnan(moment->values[r]))
            moment->values[r] = sum / ended;
    }
    memory_free(starts, results, goals);
}

/* In constant-sum games of two, the value of one role gives that of the other. */
static void complete_values(const Match *m, RecordedState *moment, uint32_t roles) {
    for (uint32_t r = 0; r < roles && roles == 2; r++)
        if (isnan(moment->values[r]) && !isnan(moment->values[1 - r]))
            moment->values[r] = m->goals[0] + m->goals[1] - moment->values[1 - r];
}

static void open_searches(Playing *t, uint64_t seed) {
    Game *game = t->collection->game;
    t->searches = memory_zalloc((game->role_count + 1) * sizeof(Search *));
    for (uint32_t r = 0; r < game->role_count; r++) {
        const SearchOptions *given = t->collection->options.search;
        SearchOptions options = given ? *given : (SearchOptions){0};
        options.seed = seed + r;
        options.node_bytes = NODE_BYTES;
        Report report = {0};
        t->searches[r] = search_create(&uct_search, game, r, &options, &report);
        report_free(&report);
        if (t->searches[r])
            search_set_state(t->searches[r], &t->state);
    }
}

static void collect_match(void *context, size_t job, unsigned worker) {
    Collector *c = context;
    Playing t = {.collection = c, .work = c->works[worker], .match = &c->matches[job]};
    uint64_t seed = hash_finish(hash_mix(c->options.seed, c->first + job));
    if (must_give_up(c)) {
        *t.match = (Match){0};
        return;
    }
    t.joint = memory_zalloc((c->game->role_count + 1) * sizeof *t.joint);
    t.batch = c->options.source != COLLECT_UCT && c->options.states != COLLECT_ENDS &&
                      c->options.value_share > 0
                  ? batch_create(c->game, seed)
                  : NULL;
    random_seed(&t.random, seed);
    game_initial(t.work, &t.state);
    if (c->options.source != COLLECT_RANDOM)
        open_searches(&t, seed);
    play(&t);
    for (uint32_t r = 0; r < c->game->role_count && t.searches; r++)
        search_free(t.searches[r]);
    free(t.searches);
    draw_moments(&t);
    for (size_t i = 0; i < t.match->moments.count && t.match->is_over; i++) {
        RecordedState *moment = &t.match->moments.items[i];
        complete_values(t.match, moment, c->game->role_count);
        if (t.batch && !moment->is_end)
            play_out(&t, moment);
    }
    batch_free(t.batch);
    free(t.joint);
    state_free(&t.state);
    vector_free(&t.legal);
}

/* ---- all of them ---- */

static void add_moment(DataSet *set, const Match *m, const RecordedState *moment,
                       double value_share, uint32_t number) {
    double scores[DATASET_MAX_ROLES];
    U32Vector facts = {0};
    for (uint32_t r = 0; r < set->role_count; r++) {
        double share = isnan(moment->values[r]) ? 0 : value_share;
        scores[r] = share * moment->values[r] + (1 - share) * m->goals[r];
        scores[r] = share > 0 ? scores[r] : m->goals[r];
    }
    bitset_each(f, moment->state.words, moment->state.word_count)
        vector_push(&facts, (uint32_t)f);
    dataset_add(set, &(DataRow){facts.items, facts.count, scores, 1, number, moment->is_end});
    vector_free(&facts);
}

static size_t add_batch(Collector *c, DataSet *set, size_t count) {
    size_t over = 0;
    for (size_t i = 0; i < count; i++) {
        Match *m = &c->matches[i];
        for (size_t k = 0; k < m->moments.count && m->is_over; k++)
            add_moment(set, m, &m->moments.items[k], c->options.value_share,
                       (uint32_t)(c->first + i));
        bool has_surveyed = m->is_over && c->options.value_share >= 1;
        for (size_t k = 0; k < m->surveyed.count && has_surveyed; k++)
            add_moment(set, m, &m->surveyed.items[k], 1, (uint32_t)(c->first + i));
        over += m->is_over;
        match_clear(m);
    }
    return over;
}

/* The first block is played even if the deadline has passed. */
bool collector_goes_on(const Collector *c, uint64_t block, size_t rows) {
    const CollectOptions *o = &c->options;
    bool is_wanted = !o->matches || block * COLLECT_BLOCK < o->matches;
    bool has_room = !o->rows || rows < o->rows;
    return is_wanted && (!block || (has_room && !work_must_end(o->deadline, o->stopped)));
}

/* Fluents of the game are the facts, under the same numbers. */
void collector_name_facts(const Collector *c, DataSet *set) {
    uint32_t most = game_has_circuit(c->game) ? c->game->circuit->fluent_count : 0;
    for (size_t i = 0; i < set->members.count; i++)
        most = set->members.items[i] >= most ? set->members.items[i] + 1 : most;
    fluents_add_names(c->works[0], most, &set->facts);
}

static void set_defaults(CollectOptions *o) {
    uint32_t playouts = o->source == COLLECT_UCT ? DEFAULT_SEARCH : DEFAULT_PLAYOUTS;
    o->playouts = o->playouts ? o->playouts : playouts;
    o->per_match = o->per_match ? o->per_match : DEFAULT_PER_MATCH;
    o->share_random = o->share_random > 0 ? o->share_random : DEFAULT_SHARE_RANDOM;
    o->value_share = o->value_share < 0 ? 1 : o->value_share;
}

Collector *collector_create(Game *game, const CollectOptions *options, Pool *pool) {
    if (game->role_count > DATASET_MAX_ROLES)
        return NULL;
    Collector *c = memory_zalloc(sizeof *c);
    *c = (Collector){.game = game, .options = *options, .pool = pool};
    if (game_hides(game))
        c->options.source = COLLECT_RANDOM;
    set_defaults(&c->options);
    c->matches = memory_zalloc(COLLECT_BLOCK * sizeof *c->matches);
    c->works = memory_zalloc(pool_threads(pool) * sizeof *c->works);
    for (unsigned w = 0; w < pool_threads(pool); w++)
        c->works[w] = game_work_create(game, REASONER_AUTO);
    return c;
}

void collector_free(Collector *c) {
    for (unsigned w = 0; w < pool_threads(c->pool); w++)
        game_work_free(c->works[w]);
    memory_free(c->works, c->matches, c);
}

size_t collector_play(Collector *c, uint64_t block, DataSet *set) {
    assert(set->role_count == c->game->role_count);
    c->first = block * COLLECT_BLOCK;
    uint64_t left = c->options.matches ? c->options.matches - c->first : COLLECT_BLOCK;
    size_t count = left < COLLECT_BLOCK ? (size_t)left : COLLECT_BLOCK;
    pool_run(c->pool, count, collect_match, c);
    return add_batch(c, set, count);
}

DataSet *collect(Game *game, const CollectOptions *options, Pool *pool) {
    Collector *c = collector_create(game, options, pool);
    if (!c)
        return NULL;
    DataSet *set = dataset_create(game->role_count);
    Table known = {0};
    size_t over = 0;
    for (uint64_t block = 0; collector_goes_on(c, block, dataset_rows(set)); block++) {
        DataSet *played = options->merges ? dataset_create(game->role_count) : set;
        over += collector_play(c, block, played);
        if (options->merges) {
            dataset_merge(set, &known, played);
            dataset_free(played);
        }
    }
    table_free(&known);
    collector_name_facts(c, set);
    collector_free(c);
    if (over)
        return set;
    dataset_free(set);
    return NULL;
}
