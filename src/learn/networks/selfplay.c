/* Matches form two groups. While the leaves of one group are evaluated, threads work on the trees
 * of the other. Each job of a thread concerns its own matches only. Matches are started and the
 * window is filled between the jobs, in an order that does not depend on the number of threads. */
#include "learn/networks/selfplay.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "learn/data/window.h"
#include "search/uct/uct.h"

/* Constants of this module. */
enum {
    DEFAULT_VISITS = 100,  /* visits per search (untuned) */
    DEFAULT_AT_ONCE = 128, /* concurrent matches (untuned) */
    GROUPS = DENSE_SLOTS,  /* number of groups of matches: one per slot of the engine */
    MATCHES_PER_JOB = 8,   /* matches per job of a thread (untuned) */
    TREE_BYTES = 4 << 20,  /* memory of one tree, at most (untuned) */
    MAX_TURNS = 2000,      /* turns after which a match is given up (untuned) */
    BATCH = 512,           /* rows per training step (untuned) */
    MIN_ROWS = 2 * BATCH,  /* positions in the window before training starts (untuned) */
    LOOK_STEPS = 200,      /* training steps between checks of soundness (untuned) */
    REUSE = 8,             /* training rows per new position (untuned) */
    IMAGES = 8             /* images of a position under symmetries, at most (untuned) */
};
static const size_t TREES_BYTES = (size_t)2 << 30; /* memory of all trees (untuned) */
/* Memory of positions of running matches (untuned). */
static const size_t TRAINING_POSITION_BYTES = (size_t)1 << 30;
static const double DEFAULT_RATE = 0.001; /* step size at the start (Kingma and Ba 2015) */
static const double LAST_RATE = 0.1;      /* last step size divided by the first (untuned) */
static const double DECAY = 1e-2;         /* weight decay (untuned) */
static const double NOISE = 0.25;         /* share of Dirichlet noise (Silver and others 2017) */
static const double NOISE_MOVES = 10;     /* its concentration, times the moves (Silver 2017) */
/* Share of a match in which moves are drawn by visits (untuned). */
static const double DRAWN_PART = 0.33;
static const double SEARCHED_SHARE = 0.5; /* share of the search value in a target (untuned) */
static const double SYMMETRY_SECONDS = 5; /* to find symmetries, at most (untuned) */
/* Largest share of the time limit that is spent on symmetries (untuned). */
static const double SYMMETRY_SHARE = 0.05;
/* Wall-clock time between calls of the watcher (untuned). */
static const double WATCH_SECONDS = 0.5;

typedef struct {
    Search *search;
    State state;
    Random random;
    UctLeaf *leaf; /* leaf that is being evaluated; NULL: none */
    Advice advice; /* for the leaf */
    uint32_t row;  /* row of the leaf in the batch */
    uint32_t turn;
    bool is_running, has_ended, is_given_up, wants_noise;
    VECTOR(TrainingPosition) training_positions; /* positions of the match so far */
    size_t training_position_bytes;              /* memory of these positions, in bytes */
    uint32_t joint[DATASET_MAX_ROLES];
} Match;

typedef struct {
    Match *matches;
    uint32_t count;
    DenseBatch *parts; /* by job: the rows of its leaves */
    uint32_t part_count;
    DenseBatch batch;
    FloatVector sums;
    bool is_under_way;
} Group;

typedef struct {
    Game *game;
    Model *model;
    PolicyMap *map;
    const DenseEngine *engine;
    const SelfplayOptions *options;
    SelfplayCounts *counts;
    GameWork **works; /* one per thread */
    Group groups[GROUPS];
    Group *current;
    Window *window;
    DenseBatch batch; /* batch of training */
    FloatVector targets;
    Dense *sound, *looked_at; /* the last network that was sound, and room for one to be checked */
    Random random;            /* random numbers of training */
    uint64_t begun, turns;
    double started, allowed, watched;
    uint32_t visits, at_once;
    size_t training_position_bytes; /* memory for the positions of one match, in bytes */
} Selfplay;

/* ---- chance ---- */

/* A gamma variate (Marsaglia and Tsang 2000). */
static double draw_gamma(Random *random, double shape) {
    if (shape < 1)
        return draw_gamma(random, shape + 1) * pow(1 - random_double(random), 1 / shape);
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double u = 1 - random_double(random), angle = 6.283185307179586 * random_double(random);
        double x = sqrt(-2 * log(u)) * cos(angle), v = 1 + c * x;
        v = v * v * v;
        if (v > 0 && log(1 - random_double(random)) < 0.5 * x * x + d - d * v + d * log(v))
            return d * v;
    }
}

/* Mixes Dirichlet noise into the prior of a role's moves. */
static void add_noise(Match *m, const TreeNode *root, uint32_t role) {
    Arm *arms = tree_arms(root, role);
    uint32_t count = tree_arm_count(root, role);
    VECTOR(double) noise = {0};
    double sum = 1e-30;
    for (uint32_t a = 0; a < count; a++) {
        vector_push(&noise, draw_gamma(&m->random, NOISE_MOVES / count));
        sum += noise.items[a];
    }
    for (uint32_t a = 0; a < count; a++)
        if (!arms[a].is_proven && arms[a].prior >= 0)
            arms[a].prior =
                (float)((1 - NOISE) * (double)arms[a].prior + NOISE * noise.items[a] / sum);
    vector_free(&noise);
}

static void disturb(Selfplay *s, Match *m) {
    const TreeNode *root = uct_root(m->search);
    if (!m->wants_noise || !root->is_advised)
        return;
    for (uint32_t r = 0; r < s->game->role_count; r++)
        if (tree_arm_count(root, r) > 1 && !game_is_chance(s->game, r))
            add_noise(m, root, r);
    m->wants_noise = false;
}

/* ---- one turn ---- */

static double visits_of(const TreeNode *root, uint32_t role) {
    double visits = 0;
    for (uint32_t a = 0; a < tree_arm_count(root, role); a++)
        visits += tree_arms(root, role)[a].visits;
    return visits;
}

/* Returns the best proven arm if the value of the role is proven, else the most visited arm. */
static uint32_t best_arm(const TreeNode *root, uint32_t role) {
    const Arm *arms = tree_arms(root, role);
    uint32_t best = 0;
    for (uint32_t a = 1; a < tree_arm_count(root, role); a++) {
        bool is_decided = root->is_proven && root->mover == (int)role;
        double worth = is_decided ? arms[a].is_proven ? (double)arms[a].exact : -1 : arms[a].visits;
        double most =
            is_decided ? arms[best].is_proven ? (double)arms[best].exact : -1 : arms[best].visits;
        best = worth > most ? a : best;
    }
    return best;
}

static uint32_t choose_arm(const Selfplay *s, Match *m, const TreeNode *root, uint32_t role) {
    uint32_t count = tree_arm_count(root, role);
    if (game_is_chance(s->game, role))
        return (uint32_t)random_below(&m->random, count);
    bool is_drawn =
        !root->is_proven && (!s->counts->matches || m->turn < DRAWN_PART * s->counts->mean_length);
    double visits = visits_of(root, role);
    if (!is_drawn || visits < 1)
        return best_arm(root, role);
    double left = random_double(&m->random) * visits;
    for (uint32_t a = 0; a < count; a++) {
        left -= tree_arms(root, role)[a].visits;
        if (left < 0)
            return a;
    }
    return count - 1;
}

/* Expected value for the role, 0..1. */
static double expectation(const TreeNode *root, uint32_t role) {
    double visits = visits_of(root, role), total = 0;
    for (uint32_t a = 0; a < tree_arm_count(root, role); a++)
        total += tree_arms(root, role)[a].total;
    return root->is_proven || visits < 1 ? root->values[role] : total / visits;
}

/* Adds the policy target: the share of visits per move, or 1 for the best move if it is proven. */
static void note_shares(const Selfplay *s, const TreeNode *root, uint32_t role,
                        TrainingPosition *training_position) {
    const Arm *arms = tree_arms(root, role);
    uint32_t count = tree_arm_count(root, role), best = best_arm(root, role);
    double visits = visits_of(root, role);
    bool is_sure = (root->is_proven && root->mover == (int)role) || visits < 1;
    if (count < 2 || game_is_chance(s->game, role) || (visits < 1 && !root->is_proven))
        count = 0;
    for (uint32_t a = 0; a < count; a++) {
        float share = is_sure ? (float)(a == best) : (float)(arms[a].visits / visits);
        training_position_add_output(training_position, policy_output(s->map, role, arms[a].move),
                                     share);
    }
    training_position_end_group(training_position);
}

/* A match beyond its share of memory keeps a random sample of its positions. */
static void keep_training_position(const Selfplay *s, Match *m,
                                   TrainingPosition training_position) {
    vector_push(&m->training_positions, training_position);
    m->training_position_bytes += training_position_bytes(&training_position);
    while (m->training_positions.count > 1 &&
           m->training_position_bytes > s->training_position_bytes) {
        TrainingPosition *dropped =
            &m->training_positions.items[random_below(&m->random, m->training_positions.count)];
        m->training_position_bytes -= training_position_bytes(dropped);
        training_position_free(dropped);
        *dropped = vector_pop(&m->training_positions);
    }
}

static void note_position(const Selfplay *s, Match *m) {
    const TreeNode *root = uct_root(m->search);
    TrainingPosition training_position = {0};
    training_position_begin(&training_position, &m->state);
    for (uint32_t r = 0; r < s->game->role_count; r++)
        training_position_add_output(&training_position, r, (float)expectation(root, r));
    training_position_end_group(&training_position);
    for (uint32_t r = 0; r < s->game->role_count; r++)
        note_shares(s, root, r, &training_position);
    keep_training_position(s, m, training_position);
}

/* Mixes the result of the match into the value targets of its positions. */
static void end_match(const Selfplay *s, Match *m, GameWork *work) {
    for (uint32_t r = 0; r < s->game->role_count; r++) {
        const ScoreRange *range = &s->model->ranges[r];
        double span = range->highest - range->lowest;
        int goal = game_goal(work, &m->state, r);
        double value = span <= 0 ? 0.5 : goal < 0 ? 0 : (goal - range->lowest) / span;
        for (size_t i = 0; i < m->training_positions.count; i++) {
            float *target = &m->training_positions.items[i].targets.items[r];
            *target = (float)(SEARCHED_SHARE * (double)*target + (1 - SEARCHED_SHARE) * value);
        }
    }
    m->has_ended = true;
}

/* Plays the move that the finished search chose. */
static void take_turn(const Selfplay *s, Match *m, GameWork *work) {
    const TreeNode *root = uct_root(m->search);
    if (root->is_stuck || !root->arms || m->turn >= MAX_TURNS) {
        m->is_given_up = true;
        return;
    }
    note_position(s, m);
    for (uint32_t r = 0; r < s->game->role_count; r++)
        m->joint[r] = tree_arms(root, r)[choose_arm(s, m, root, r)].move;
    game_next(work, &m->state, m->joint, &m->state);
    m->turn++;
    if (game_is_terminal(work, &m->state)) {
        end_match(s, m, work);
        return;
    }
    search_advance(m->search, m->joint, &m->state);
    m->wants_noise = true;
}

/* Continues a match until a leaf has to be evaluated or the match is over. */
static void go_on(Selfplay *s, Match *m, GameWork *work, DenseBatch *batch) {
    if (m->leaf)
        uct_return_leaf(m->search, m->leaf);
    m->leaf = NULL;
    while (!m->leaf && !m->has_ended && !m->is_given_up) {
        disturb(s, m);
        m->leaf = uct_next_leaf(m->search, s->visits);
        if (!m->leaf)
            take_turn(s, m, work);
    }
    if (!m->leaf)
        return;
    m->advice = uct_ask(m->leaf, (const Uct *)m->search);
    m->row = batch->rows;
    policy_ask(s->map, &m->advice, batch);
}

static void part_job(void *context, size_t job, unsigned worker) {
    Selfplay *s = context;
    Group *g = s->current;
    DenseBatch *batch = &g->parts[job];
    dense_batch_clear(batch, policy_groups(s->model));
    for (uint32_t i = (uint32_t)job * MATCHES_PER_JOB;
         i < g->count && i < (uint32_t)(job + 1) * MATCHES_PER_JOB; i++) {
        Match *m = &g->matches[i];
        if (m->leaf)
            policy_answer(s->map, &g->batch, m->row, g->sums.items, &m->advice);
        if (m->is_running)
            go_on(s, m, s->works[worker], batch);
    }
}

/* ---- all matches ---- */

static void begin_match(Selfplay *s, Match *m) {
    uint64_t seed = hash_finish(hash_mix(s->options->seed, s->begun++));
    random_seed(&m->random, seed);
    uct_reseed(m->search, seed);
    game_initial(s->works[0], &m->state);
    search_set_state(m->search, &m->state);
    m->turn = 0;
    m->is_running = m->wants_noise = true;
}

static bool may_begin(const Selfplay *s) {
    return !s->options->matches || s->begun < s->options->matches;
}

static void store_match(Selfplay *s, Match *m) {
    SelfplayCounts *c = s->counts;
    if (m->has_ended) {
        c->matches++;
        c->positions += m->training_positions.count;
        s->turns += m->turn;
        c->mean_length = (double)s->turns / (double)c->matches;
    }
    c->given_up += m->is_given_up;
    for (size_t i = 0; i < m->training_positions.count; i++)
        if (m->has_ended)
            window_add(s->window, &m->training_positions.items[i]);
        else
            training_position_free(&m->training_positions.items[i]);
    vector_clear(&m->training_positions);
    m->training_position_bytes = 0;
    m->is_running = m->has_ended = m->is_given_up = false;
}

/* Joins the batches of a group's jobs to one batch. */
static void gather(Selfplay *s, Group *g) {
    dense_batch_clear(&g->batch, policy_groups(s->model));
    for (uint32_t p = 0; p < g->part_count; p++) {
        uint32_t first = g->batch.rows;
        dense_batch_append(&g->batch, &g->parts[p]);
        for (uint32_t i = p * MATCHES_PER_JOB; i < g->count && i < (p + 1) * MATCHES_PER_JOB; i++)
            g->matches[i].row += first;
    }
    vector_clear(&g->sums);
    (void)vector_extend(&g->sums, g->batch.outputs.count + 1);
}

static bool work_on(Selfplay *s, unsigned number) {
    Group *g = s->current = &s->groups[number];
    const DenseEngine *e = s->engine;
    bool is_back = !g->is_under_way || e->finish(e->context, number);
    g->is_under_way = false;
    if (!is_back)
        return false;
    pool_run(s->options->pool, g->part_count, part_job, s);
    for (uint32_t i = 0; i < g->count; i++) {
        Match *m = &g->matches[i];
        if (m->has_ended || m->is_given_up)
            store_match(s, m);
        if (!m->is_running && may_begin(s))
            begin_match(s, m);
    }
    gather(s, g);
    s->counts->evaluations += g->batch.rows;
    g->is_under_way = g->batch.rows > 0 && e->start(e->context, number, &g->batch, g->sums.items);
    return g->is_under_way || g->batch.rows == 0;
}

static bool is_running(const Selfplay *s) {
    for (unsigned n = 0; n < GROUPS; n++)
        for (uint32_t i = 0; i < s->groups[n].count; i++)
            if (s->groups[n].matches[i].is_running)
                return true;
    return false;
}

/* ---- training ---- */

static bool is_over(const Selfplay *s) {
    return s->counts->has_diverged || work_must_end(s->options->deadline, s->options->stopped);
}

static double progress_of(const Selfplay *s) {
    const SelfplayOptions *o = s->options;
    double done = 0;
    if (o->matches)
        done = (double)s->counts->matches / (double)o->matches;
    if (s->allowed > 0) {
        double by_time = (clock_wall_seconds() - s->started) / s->allowed;
        done = by_time > done ? by_time : done;
    }
    return done < 1 ? done : 1;
}

static bool train_once(Selfplay *s) {
    SelfplayCounts *c = s->counts;
    const DenseEngine *e = s->engine;
    double first = s->options->rate > 0 ? s->options->rate : DEFAULT_RATE, loss = 0;
    DenseStep step = {.rate = first * (1 - (1 - LAST_RATE) * progress_of(s)), .decay = DECAY};
    dense_batch_clear(&s->batch, policy_groups(s->model));
    vector_clear(&s->targets);
    for (int i = 0; i < BATCH; i++)
        window_draw(s->window, &s->random, &s->batch, &s->targets);
    if (!e->train(e->context, &s->batch, s->targets.items, &step, &loss))
        return false;
    c->loss = c->steps++ ? 0.99 * c->loss + 0.01 * loss : loss;
    return true;
}

/* Checks whether training diverged: the loss does not show that weights have become NaN. */
static bool look_at_network(Selfplay *s) {
    SelfplayCounts *c = s->counts;
    if (c->has_diverged || c->sound_steps == c->steps)
        return true;
    if (!s->engine->fetch(s->engine->context, s->looked_at))
        return false;
    c->has_diverged = !dense_is_sound(s->looked_at);
    if (c->has_diverged)
        return true;
    Dense *now = s->looked_at;
    s->looked_at = s->sound;
    s->sound = now;
    c->sound_steps = c->steps;
    return true;
}

static bool train_if_due(Selfplay *s) {
    bool ok = true;
    while (ok && !is_over(s) && window_rows(s->window) >= MIN_ROWS &&
           s->counts->steps * BATCH < s->counts->positions * REUSE)
        ok = train_once(s) && (s->counts->steps % LOOK_STEPS || look_at_network(s));
    return ok;
}

/* ---- from beginning to end ---- */

/* Leaves are evaluated from outside: the searches themselves never ask for advice. */
static void advise_never(void *own, const Advice *asked, size_t count) {
    (void)own;
    (void)asked;
    (void)count;
    assert(!"asked in a search that is led step by step");
}

static void open_matches(Selfplay *s, Group *g) {
    static const SearchEvaluation elsewhere = {.advise = advise_never};
    size_t share = TREES_BYTES / s->at_once;
    SearchOptions options = {.batch = 1,
                             .leaf_playouts = 1,
                             .node_bytes = share < TREE_BYTES ? share : TREE_BYTES,
                             .evaluation = &elsewhere};
    Report report = {0};
    g->matches = memory_zalloc((g->count + 1) * sizeof *g->matches);
    g->part_count = (g->count + MATCHES_PER_JOB - 1) / MATCHES_PER_JOB;
    g->parts = memory_zalloc((g->part_count + 1) * sizeof *g->parts);
    for (uint32_t i = 0; i < g->count; i++)
        g->matches[i].search = search_create(&uct_search, s->game, 0, &options, &report);
    report_free(&report);
}

static void close_matches(Group *g) {
    for (uint32_t i = 0; i < g->count; i++) {
        Match *m = &g->matches[i];
        search_free(m->search);
        state_free(&m->state);
        for (size_t k = 0; k < m->training_positions.count; k++)
            training_position_free(&m->training_positions.items[k]);
        vector_free(&m->training_positions);
    }
    for (uint32_t p = 0; p < g->part_count; p++)
        dense_batch_free(&g->parts[p]);
    memory_free(g->matches, g->parts);
    dense_batch_free(&g->batch);
    vector_free(&g->sums);
}

static void tell(Selfplay *s) {
    const SelfplayOptions *o = s->options;
    double now = clock_wall_seconds();
    s->counts->seconds = now - s->started;
    if (!o->watch || now - s->watched < WATCH_SECONDS)
        return;
    s->watched = now;
    o->watch(o->context, s->counts);
}

bool selfplay_learn(Game *game, Model *model, const DenseEngine *engine,
                    const SelfplayOptions *options, SelfplayCounts *counts) {
    Selfplay s = {.game = game,
                  .model = model,
                  .map = policy_map_create(model, game),
                  .engine = engine,
                  .options = options,
                  .counts = counts,
                  .sound = dense_copy(model->dense),
                  .looked_at = dense_copy(model->dense),
                  .started = clock_wall_seconds(),
                  .visits = options->visits ? options->visits : DEFAULT_VISITS,
                  .at_once = options->at_once ? options->at_once : DEFAULT_AT_ONCE};
    assert(s.map);
    *counts = (SelfplayCounts){0};
    s.allowed = options->deadline.at > 0 ? deadline_left(options->deadline) : 0;
    random_seed(&s.random, options->seed);
    s.training_position_bytes = (options->training_position_bytes ? options->training_position_bytes
                                                                  : TRAINING_POSITION_BYTES) /
                                s.at_once;
    /* With a number of matches no time limit may influence the result. */
    double seconds = options->matches && options->deadline.at <= 0 ? 0 : SYMMETRY_SECONDS;
    if (s.allowed > 0)
        seconds = fmin(seconds, s.allowed * SYMMETRY_SHARE);
    s.window = window_create(game, &(WindowOptions){.images = IMAGES, .seconds = seconds});
    unsigned threads = pool_threads(options->pool);
    s.works = memory_zalloc(threads * sizeof *s.works);
    for (unsigned t = 0; t < threads; t++)
        s.works[t] = game_work_create(game, REASONER_AUTO);
    for (unsigned n = 0; n < GROUPS; n++) {
        s.groups[n].count = (s.at_once + GROUPS - 1 - n) / GROUPS;
        open_matches(&s, &s.groups[n]);
    }
    bool ok = true, runs = true;
    for (unsigned n = 0; ok && runs && !is_over(&s); n = (n + 1) % GROUPS) {
        ok = work_on(&s, n) && train_if_due(&s);
        runs = is_running(&s) || may_begin(&s);
        tell(&s);
    }
    for (unsigned n = 0; n < GROUPS; n++)
        if (s.groups[n].is_under_way)
            ok = engine->finish(engine->context, n) && ok;
    ok = ok && look_at_network(&s);
    if (ok)
        memcpy(model->dense->parameters, s.sound->parameters,
               dense_parameter_count(&s.sound->shape) * sizeof *s.sound->parameters);
    counts->seconds = clock_wall_seconds() - s.started;
    for (unsigned n = 0; n < GROUPS; n++)
        close_matches(&s.groups[n]);
    for (unsigned t = 0; t < threads; t++)
        game_work_free(s.works[t]);
    free(s.works);
    window_free(s.window);
    dense_free(s.sound);
    dense_free(s.looked_at);
    policy_map_free(s.map);
    dense_batch_free(&s.batch);
    vector_free(&s.targets);
    return ok;
}
