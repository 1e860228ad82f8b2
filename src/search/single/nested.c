/* The lowest level of NMCS plays in batches: all moves of a state get as many random matches as
 * fill the lanes of one pass. The batch gives the goal of each match but not its moves. So the
 * moves are retraced only for a match that beats all earlier ones of the match being
 * played. NRPA plays its matches one by one, since each learns from the last. */
#include "search/single/nested.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "game/batch.h"
#include "search/exact/state_graph.h"
#include "search/single/lookahead.h"

enum {
    NRPA_REPEATS = 100, /* calls of the level below (Rosin 2011) */
    MAX_LEVELS = 8      /* greatest level (untuned) */
};

/* ---- the moves of a match that was played in a batch ---- */

/* A batch keeps no moves; only the states of a match are available, by playing it again. So all
 * legal moves are tried at once in each state, and the one that leads to the next
 * state is the move that was made (or one with the same effect). */
typedef struct {
    LookAhead ahead;
    PlayoutTrail trail;
    State state; /* scratch */
    U32Vector legal;
} Retracer;

static void retracer_init(Retracer *r, Game *game) {
    *r = (Retracer){0};
    lookahead_init(&r->ahead, game);
}

static void retracer_free(Retracer *r) {
    lookahead_free(&r->ahead);
    batch_trail_free(&r->trail);
    state_free(&r->state);
    vector_free(&r->legal);
}

/* True if the state agrees with `met` in all fluents that the trail knows. */
static bool leads_to(const Retracer *r, const State *state, const State *met) {
    const State *known = &r->trail.known;
    for (uint32_t w = 0; w < known->word_count && w < state->word_count; w++)
        if ((state->words[w] ^ (w < met->word_count ? met->words[w] : 0)) & known->words[w])
            return false;
    return true;
}

/* Finds a move to the state `met`, appends it and makes it. False if there is none: a bug. */
static bool follow(Retracer *r, const State *met, U32Vector *moves) {
    Successors *made = r->ahead.made;
    game_legal(r->ahead.work, &r->state, 0, &r->legal);
    successors_clear(made);
    successors_from(made, &r->state);
    successors_add_all(made, &r->legal);
    successors_evaluate(made, SUCCESSORS_STATES);
    for (uint32_t i = 0; i < r->legal.count; i++) {
        State next = successors_state(made, i);
        if (!leads_to(r, &next, met))
            continue;
        vector_push(moves, r->legal.items[i]);
        state_copy(&r->state, &next);
        return true;
    }
    return false;
}

/* Lists the moves of playout `which` of the batch just played (see batch_retrace), including the
 * first move that its start prescribes. False if the budget's time was too short. */
static bool retracer_moves(Retracer *r, Batch *batch, const PlayoutStart *starts, size_t count,
                           uint32_t step_limit, PlayoutResult *results, size_t which,
                           const SearchBudget *budget, U32Vector *moves) {
    const PlayoutStart *start = &starts[which];
    vector_clear(moves);
    batch_retrace(batch, starts, count, step_limit, results, which, &r->trail);
    state_copy(&r->state, start->state);
    if (start->moves) {
        vector_push(moves, *start->moves);
        game_next(r->ahead.work, &r->state, start->moves, &r->state);
    }
    for (size_t i = 1; i < r->trail.states.count; i++)
        if (search_must_stop(budget) || !follow(r, &r->trail.states.items[i], moves))
            return false;
    return true;
}

/* ---- matches ---- */

/* One match: its moves and, for NRPA, the legal alternatives at each step. */
typedef struct {
    int score; /* -1 if it did not end */
    U32Vector moves, counts, legal;
} Match;

typedef VECTOR(double) Policy; /* logarithms of the weights, by code of a move */

typedef struct {
    Game *game;
    GameWork *work;
    Batch *batch;      /* NULL without a circuit */
    Retracer retracer; /* only with a batch */
    U32Vector retraced;
    Random random;
    const SearchBudget *budget;
    NestedResult *result;
    int greatest; /* greatest goal that the rules can give */
    uint32_t step_limit;
    uint64_t playouts;
    PlayoutStart starts[LANES];
    PlayoutResult results[LANES];
    int goals[LANES];
    size_t policy_moves; /* codes of moves; with `codes_by_step` so many per step */
    bool codes_by_step;  /* the policy learns a move separately for each step */
    Policy old_policy;   /* scratch */
} Nested;

static void match_clear(Match *m) {
    m->score = -1;
    vector_clear(&m->moves);
    vector_clear(&m->counts);
    vector_clear(&m->legal);
}

static void match_free(Match *m) {
    vectors_free(&m->moves, &m->counts, &m->legal);
}

static void match_copy(Match *to, const Match *from) {
    to->score = from->score;
    u32_copy(&to->moves, &from->moves);
    u32_copy(&to->counts, &from->counts);
    u32_copy(&to->legal, &from->legal);
}

static bool is_over(const Nested *n) {
    return (n->result->has_line && n->result->score >= n->greatest) ||
           (n->budget->playouts && n->playouts >= n->budget->playouts) ||
           search_must_stop(n->budget);
}

/* Keeps the line of `played` (NULL: none) and the moves of `m`, if it is the best so far. */
static void keep_if_better(Nested *n, const U32Vector *played, const Match *m) {
    NestedResult *r = n->result;
    if (m->score < 0 || (r->has_line && m->score <= r->score))
        return;
    r->has_line = true;
    r->score = m->score;
    vector_clear(&r->line);
    if (played)
        u32_append(&r->line, played);
    u32_append(&r->line, &m->moves);
}

static int score_of(Nested *n, const State *state) {
    int goal = game_goal(n->work, state, 0);
    return goal < 0 ? 0 : goal;
}

static uint32_t draw_move(Nested *n, Policy *policy, size_t step, const uint32_t *legal,
                          size_t count);

/* Plays one match from a state. With a policy, moves are drawn by it and the alternatives are
 * recorded, to learn from. Without one, moves are uniformly random. */
static void play_one(Nested *n, const State *from, Policy *policy, Match *m) {
    State state = {0};
    U32Vector legal = {0};
    state_copy(&state, from);
    match_clear(m);
    n->playouts++;
    while (m->moves.count < n->step_limit) {
        if (game_is_terminal(n->work, &state)) {
            m->score = score_of(n, &state);
            break;
        }
        if (!game_has_circuit(n->game) && search_must_stop(n->budget))
            break; /* one interpreted playout may take longer than the clock allows */
        game_legal(n->work, &state, 0, &legal);
        if (!legal.count)
            break;
        uint32_t move = policy ? draw_move(n, policy, m->moves.count, legal.items, legal.count)
                               : legal.items[random_below(&n->random, legal.count)];
        vector_push(&m->moves, move);
        if (policy) {
            vector_push(&m->counts, (uint32_t)legal.count);
            u32_append(&m->legal, &legal);
        }
        game_next(n->work, &state, &move, &state);
    }
    state_free(&state);
    vector_free(&legal);
}

/* Replaces the moves of `m` after the first `steps` by those of match `which` of the batch just
 * played, unless time is too short to retrace them. */
static void take_match(Nested *n, size_t count, size_t which, size_t steps, int score, Match *m) {
    if (!retracer_moves(&n->retracer, n->batch, n->starts, count, n->step_limit, n->results, which,
                        n->budget, &n->retraced))
        return;
    m->score = score;
    m->moves.count = steps;
    u32_append(&m->moves, &n->retraced);
}

/* Fills the lanes with random matches, cycling through the moves of the state. The best one
 * replaces the rest of `m` if it scores more. A score of 0 counts only if there is no line yet. */
static void play_batch(Nested *n, const State *state, const U32Vector *legal, size_t steps,
                       Match *m) {
    uint64_t left = n->budget->playouts ? n->budget->playouts - n->playouts : LANES;
    size_t count = left < LANES ? left : LANES, best = count;
    int score = m->score < 0 && n->result->has_line ? 0 : m->score;
    uint32_t shift = (uint32_t)random_below(&n->random, legal->count);
    for (size_t i = 0; i < count; i++)
        n->starts[i] = (PlayoutStart){state, &legal->items[(i + shift) % legal->count]};
    batch_play(n->batch, n->starts, count, n->step_limit, n->results);
    n->playouts += count;
    for (size_t i = 0; i < count; i++) {
        int goal = n->goals[i] > 0 ? n->goals[i] : 0;
        if (n->results[i].end == MATCH_TERMINAL && goal > score) {
            score = goal;
            best = i;
        }
    }
    if (best < count)
        take_match(n, count, best, steps, score, m);
}

/* Plays a match with a batch of random matches for each move. `m` is the best continuation met. */
static void play_in_batches(Nested *n, const State *from, Match *m) {
    State state = {0};
    U32Vector legal = {0};
    state_copy(&state, from);
    match_clear(m);
    for (size_t steps = 0; steps < n->step_limit && !is_over(n) && m->score < n->greatest;
         steps++) {
        if (game_is_terminal(n->work, &state)) {
            if (m->score < 0)
                m->score = score_of(n, &state);
            break;
        }
        game_legal(n->work, &state, 0, &legal);
        if (!legal.count)
            break;
        play_batch(n, &state, &legal, steps, m);
        if (m->score < 0) {
            m->moves.count = steps; /* there is no line to follow, so any move will do */
            vector_push(&m->moves, legal.items[random_below(&n->random, legal.count)]);
        }
        game_next(n->work, &state, &m->moves.items[steps], &state);
    }
    state_free(&state);
    vector_free(&legal);
}

static void search_level(Nested *n, const State *from, uint32_t level, U32Vector *played, Match *m);

static void search_below(Nested *n, const State *from, uint32_t level, U32Vector *played,
                         Match *m) {
    if (level == 0)
        play_one(n, from, NULL, m);
    else if (level == 1 && n->batch)
        play_in_batches(n, from, m);
    else
        search_level(n, from, level, played, m);
    keep_if_better(n, played, m);
}

/* Calls the level below for every move and keeps the best match in `m`. */
static void try_moves(Nested *n, const State *state, uint32_t level, U32Vector *played,
                      const U32Vector *legal, size_t steps, Match *m) {
    Match below = {0};
    State next = {0};
    for (size_t i = 0; i < legal->count && !is_over(n); i++) {
        uint32_t move = legal->items[i];
        game_next(n->work, state, &move, &next);
        vector_push(played, move);
        search_below(n, &next, level - 1, played, &below);
        (void)vector_pop(played);
        if (below.score <= m->score)
            continue;
        m->score = below.score;
        m->moves.count = steps;
        vector_push(&m->moves, move);
        u32_append(&m->moves, &below.moves);
    }
    match_free(&below);
    state_free(&next);
}

/* Plays a match, asking the level below for every move. `m` is the best continuation known. */
static void search_level(Nested *n, const State *from, uint32_t level, U32Vector *played,
                         Match *m) {
    State state = {0};
    U32Vector legal = {0};
    size_t before = played->count;
    state_copy(&state, from);
    match_clear(m);
    for (size_t steps = 0; steps < n->step_limit && !is_over(n); steps++) {
        if (game_is_terminal(n->work, &state)) {
            if (steps == 0)
                m->score = score_of(n, &state);
            break;
        }
        game_legal(n->work, &state, 0, &legal);
        if (!legal.count)
            break;
        try_moves(n, &state, level, played, &legal, steps, m);
        if (m->score < 0) {
            m->moves.count = steps; /* no match below ended, so any move will do */
            vector_push(&m->moves, legal.items[random_below(&n->random, legal.count)]);
        }
        uint32_t move = m->moves.items[steps];
        vector_push(played, move);
        game_next(n->work, &state, &move, &state);
    }
    played->count = before;
    state_free(&state);
    vector_free(&legal);
}

static void run_nmcs(Nested *n, const State *from, uint32_t level) {
    Match match = {0};
    U32Vector played = {0};
    do {
        search_below(n, from, level, &played, &match);
    } while (!is_over(n));
    match_free(&match);
    vector_free(&played);
}

/* Looks up the weight of a move at a step. The policy grows on demand. */
static double *weight(const Nested *n, Policy *policy, size_t step, uint32_t move) {
    enum { MAX_STEPS = 1024 };
    size_t row = n->codes_by_step ? step % MAX_STEPS : 0;
    size_t code = row * n->policy_moves + move % n->policy_moves;
    if (code >= policy->count) {
        size_t more = (row + 1) * n->policy_moves - policy->count;
        memset(vector_extend(policy, more), 0, more * sizeof(double));
    }
    return &policy->items[code];
}

static void policy_copy(Policy *to, const Policy *from) {
    vector_clear(to);
    vector_append(to, from->items, from->count);
}

static uint32_t draw_move(Nested *n, Policy *policy, size_t step, const uint32_t *legal,
                          size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += exp(*weight(n, policy, step, legal[i]));
    double left = random_double(&n->random) * sum;
    for (size_t i = 0; i + 1 < count; i++) {
        left -= exp(*weight(n, policy, step, legal[i]));
        if (left < 0)
            return legal[i];
    }
    return legal[count - 1];
}

static void adapt(Nested *n, Policy *policy, const Match *m) {
    Policy *old = &n->old_policy;
    policy_copy(old, policy);
    size_t first = 0;
    for (size_t step = 0; step < m->moves.count; step++) {
        const uint32_t *legal = m->legal.items + first;
        uint32_t count = m->counts.items[step];
        double sum = 0;
        for (uint32_t i = 0; i < count; i++)
            sum += exp(*weight(n, old, step, legal[i]));
        for (uint32_t i = 0; i < count; i++)
            *weight(n, policy, step, legal[i]) -= exp(*weight(n, old, step, legal[i])) / sum;
        *weight(n, policy, step, m->moves.items[step]) += 1;
        first += count;
    }
}

static void adapt_level(Nested *n, const State *from, uint32_t level, const Policy *start,
                        Match *m) {
    Policy policy = {0};
    Match below = {0};
    policy_copy(&policy, start);
    match_clear(m);
    for (int i = 0; i < NRPA_REPEATS && !is_over(n); i++) {
        if (level == 1) {
            play_one(n, from, &policy, &below);
            keep_if_better(n, NULL, &below);
        } else {
            adapt_level(n, from, level - 1, &policy, &below);
        }
        if (below.score >= m->score)
            match_copy(m, &below);
        if (m->score > 0) /* a goal of 0 teaches nothing */
            adapt(n, &policy, m);
    }
    match_free(&below);
    vector_free(&policy);
}

/* A move may be good at any step or only at a certain one, so runs alternate between codes. */
static void run_nrpa(Nested *n, const State *from, uint32_t level) {
    enum { CODES_WITHOUT_CIRCUIT = 4096 };
    const Policy uniform = {0};
    Match match = {0};
    n->policy_moves = n->game->circuit ? n->game->circuit->move_count : CODES_WITHOUT_CIRCUIT;
    do {
        adapt_level(n, from, level, &uniform, &match);
        n->codes_by_step = !n->codes_by_step;
    } while (!is_over(n));
    match_free(&match);
    vector_free(&n->old_policy);
}

void nested_search(Game *game, const State *from, const NestedOptions *options,
                   const SearchBudget *budget, NestedResult *result) {
    assert(game->role_count == 1);
    double started = clock_thread_cpu_seconds();
    *result = (NestedResult){0};
    Nested *n = memory_zalloc(sizeof *n);
    n->game = game;
    n->work = game_work_create(game, REASONER_AUTO);
    n->budget = budget;
    n->result = result;
    n->greatest = greatest_goal_of(game, 0);
    n->step_limit = options->step_limit ? options->step_limit : DEFAULT_STEP_LIMIT;
    random_seed(&n->random, options->seed);
    if (options->kind == NESTED_NMCS)
        n->batch = batch_create(game, options->seed);
    if (n->batch)
        retracer_init(&n->retracer, game);
    for (size_t i = 0; i < LANES; i++)
        n->results[i].goals = &n->goals[i];
    State state = {0};
    game_initial(n->work, &state);
    uint32_t level = options->level ? options->level : options->kind == NESTED_NMCS ? 2 : 3;
    level = level < MAX_LEVELS ? level : MAX_LEVELS;
    (options->kind == NESTED_NMCS ? run_nmcs : run_nrpa)(n, from ? from : &state, level);
    result->is_best = result->has_line && result->score >= n->greatest;
    result->playouts = n->playouts;
    state_free(&state);
    if (n->batch)
        retracer_free(&n->retracer);
    batch_free(n->batch);
    game_work_free(n->work);
    vector_free(&n->retraced);
    free(n);
    result->cpu_seconds = clock_thread_cpu_seconds() - started;
}

void nested_result_free(NestedResult *result) {
    vector_free(&result->line);
    *result = (NestedResult){0};
}
