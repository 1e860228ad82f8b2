/* `cfr`: counterfactual regret minimisation by external sampling (Lanctot et al. 2009), on
 * information sets that are added one by one. A traversal is made for one role, which tries all its
 * moves; all others draw theirs from their current mixtures. A move's regret is what it would have
 * gained over the mixture. Mixtures proportional to positive regrets approach an equilibrium on
 * average, and the answer is drawn from that average. Without hidden information, a set is a
 * position. Below the last set, a random match gives the value. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "search/hidden/infosets.h"
#include "search/search_options.h"

enum {
    MAX_DEPTH = 200, /* turns that a traversal follows; bounds the recursion (untuned) */
    MAX_WIDTH =
        1000, /* visits of a traversal after which its role draws its moves as well (untuned) */
    VISITS_BETWEEN_CHECKS = 64, /* visits between two looks at the clock (untuned) */
};
#define NOBODY UINT32_MAX
/* Share of uniform play in the model of the others, so that no move has probability 0 (untuned). */
static const double UNIFORM_SHARE = 0.02;

typedef VECTOR(double) Mixture;

/* One turn of the traversal in progress; arrays are by role. */
typedef struct {
    State state;
    uint64_t *knowledge, *keys;
    uint32_t *joint;
    U32Vector *legal;
    InfoSet **sets;    /* NULL if the role has no choice */
    Mixture *mixtures; /* probabilities of the legal moves */
    Mixture values;    /* goals after each move of the role that tries all of them */
} CfrTurn;

typedef struct {
    Search search;
    SearchOptions options;
    GameWork *work;
    Random random;
    InfoSets sets;
    Belief belief;
    U32Vector root_moves;
    bool *has_grown; /* by role: it got a new set in this traversal */
    CfrTurn *turns;  /* by depth, MAX_DEPTH + 1 of them */
    State end;       /* scratch for playouts */
    uint64_t iteration;
    uint32_t role; /* the role that the traversal is for; NOBODY: only averages are updated */
    uint32_t visited;
    const SearchBudget *budget;
    bool is_stopped;
    double root_total, root_weight; /* at the root, weighted by iteration */
} Cfr;

static void open_turn(CfrTurn *t, size_t roles) {
    t->knowledge = memory_zalloc(roles * sizeof *t->knowledge);
    t->keys = memory_zalloc(roles * sizeof *t->keys);
    t->joint = memory_zalloc(roles * sizeof *t->joint);
    t->legal = memory_zalloc(roles * sizeof *t->legal);
    t->sets = memory_zalloc(roles * sizeof *t->sets);
    t->mixtures = memory_zalloc(roles * sizeof *t->mixtures);
}

static void close_turn(CfrTurn *t, size_t roles) {
    for (size_t r = 0; r < roles; r++)
        vectors_free(&t->legal[r], &t->mixtures[r]);
    vector_free(&t->values);
    state_free(&t->state);
    memory_free(t->knowledge, t->keys, t->joint, t->legal, t->sets, t->mixtures);
}

static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options) {
    if (options->threads > 1)
        return NULL;
    Cfr *c = search_instance(method, game, role, sizeof *c);
    size_t roles = game->role_count + 1;
    c->options = search_defaults(options);
    c->work = game_work_create(game, REASONER_AUTO);
    random_seed(&c->random, options->seed);
    c->sets.max_bytes = c->options.node_bytes;
    c->has_grown = memory_zalloc(roles * sizeof *c->has_grown);
    c->turns = memory_zalloc((MAX_DEPTH + 1) * sizeof *c->turns);
    for (size_t i = 0; i <= MAX_DEPTH; i++)
        open_turn(&c->turns[i], roles);
    return &c->search;
}

static void cfr_free(Search *search) {
    Cfr *c = (Cfr *)search;
    for (size_t i = 0; i <= MAX_DEPTH; i++)
        close_turn(&c->turns[i], search->game->role_count + 1);
    infosets_free(&c->sets);
    belief_clear(&c->belief);
    game_work_free(c->work);
    vector_free(&c->root_moves);
    state_free(&c->end);
    memory_free(c->turns, c->has_grown, c);
}

static void set_belief(Search *search, const Belief *belief) {
    Cfr *c = (Cfr *)search;
    belief_copy(&c->belief, belief, search->game->role_count);
    belief_legal(&c->belief, c->work, search->role, &c->root_moves);
    if (c->sets.bytes > c->sets.max_bytes / 2)
        infosets_clear(&c->sets);
    c->root_total = c->root_weight = 0;
}

static void check_clock(Cfr *c) {
    c->is_stopped = c->is_stopped || search_must_stop(c->budget);
}

static double goal_value(Cfr *c, const State *state) {
    uint32_t role = c->role == NOBODY ? c->search.role : c->role;
    int goal = game_goal(c->work, state, role);
    c->search.playouts++;
    return goal < 0 ? 0 : goal;
}

static double play_out(Cfr *c, const State *state) {
    uint32_t steps;
    state_copy(&c->end, state);
    MatchEnd end = game_play_randomly(c->work, &c->end, &c->random, c->options.step_limit, &steps);
    if (end == MATCH_TERMINAL)
        return goal_value(c, &c->end);
    c->search.playouts++;
    return 0;
}

/* The arm of the role's i-th legal move. */
static InfoArm *arm_of(Cfr *c, InfoSet *set, const U32Vector *legal, uint32_t i) {
    uint32_t a = infoset_arm(&c->sets, set, legal->items[i], i);
    return &set->arms[a];
}

/* Probabilities in proportion to positive regrets; uniform if there are none. */
static void match_regrets(Cfr *c, CfrTurn *t, uint32_t role) {
    InfoSet *set = t->sets[role];
    const U32Vector *legal = &t->legal[role];
    Mixture *mixture = &t->mixtures[role];
    double sum = 0;
    vector_clear(mixture);
    for (uint32_t i = 0; i < legal->count; i++) {
        double regret = arm_of(c, set, legal, i)->regret;
        vector_push(mixture, regret > 0 ? regret : 0);
        sum += mixture->items[i];
    }
    for (size_t i = 0; i < legal->count; i++)
        mixture->items[i] = sum > 0 ? mixture->items[i] / sum : 1 / (double)legal->count;
}

static size_t draw(Cfr *c, const Mixture *mixture) {
    double left = random_double(&c->random);
    size_t i = 0;
    while (i + 1 < mixture->count && (left -= mixture->items[i]) >= 0)
        i++;
    return i;
}

/* Finds the information sets of the roles with a choice. False if one of them is missing. Adds at
 * most one missing set per role and traversal. */
static bool find_sets(Cfr *c, CfrTurn *t) {
    bool is_inside = true;
    for (uint32_t r = 0; r < c->search.game->role_count; r++) {
        t->sets[r] = NULL;
        if (game_is_chance(c->search.game, r) || t->legal[r].count == 1)
            continue;
        t->sets[r] = infosets_find(&c->sets, r, t->knowledge[r]);
        if (!t->sets[r] && !c->has_grown[r]) {
            infosets_add(&c->sets, r, t->knowledge[r], &t->legal[r]);
            c->has_grown[r] = true;
        }
        is_inside = is_inside && t->sets[r];
    }
    return is_inside;
}

/* Draws every role's move, and adds the mixtures of the roles that the traversal is not for to
 * their averages. Late traversals have more weight, since their mixtures are better. */
static void draw_moves(Cfr *c, CfrTurn *t) {
    for (uint32_t r = 0; r < c->search.game->role_count; r++) {
        const U32Vector *legal = &t->legal[r];
        if (!t->sets[r]) {
            t->joint[r] = legal->items[random_below(&c->random, legal->count)];
            continue;
        }
        match_regrets(c, t, r);
        t->joint[r] = legal->items[draw(c, &t->mixtures[r])];
        for (uint32_t i = 0; i < legal->count && r != c->role; i++)
            arm_of(c, t->sets[r], legal, i)->strategy_sum +=
                (double)c->iteration * t->mixtures[r].items[i];
    }
}

static double traverse(Cfr *c, uint32_t depth);

/* Makes the joint move of the turn and returns the value after it. */
static double go_on(Cfr *c, uint32_t depth) {
    CfrTurn *t = &c->turns[depth], *next = t + 1;
    uint32_t roles = c->search.game->role_count;
    game_next(c->work, &t->state, t->joint, &next->state);
    if (game_hides(c->search.game))
        game_percept_keys(c->work, &t->state, t->joint, t->keys);
    for (uint32_t r = 0; r < roles; r++)
        next->knowledge[r] = game_hides(c->search.game)
                                 ? belief_knowledge(t->knowledge[r], t->joint[r], t->keys[r])
                                 : belief_open_knowledge(r, &next->state);
    return traverse(c, depth + 1);
}

/* Tries every move of the role against the same moves of the others, and updates its regrets. */
static double try_all(Cfr *c, uint32_t depth) {
    CfrTurn *t = &c->turns[depth];
    const U32Vector *legal = &t->legal[c->role];
    const Mixture *mixture = &t->mixtures[c->role];
    InfoSet *set = t->sets[c->role];
    double mean = 0;
    vector_clear(&t->values);
    for (size_t i = 0; i < legal->count && !c->is_stopped; i++) {
        t->joint[c->role] = legal->items[i];
        double value = go_on(c, depth);
        vector_push(&t->values, value);
        mean += mixture->items[i] * value;
    }
    if (c->is_stopped)
        return 0;
    set->visits++;
    set->weight += (double)c->iteration;
    for (uint32_t i = 0; i < legal->count; i++) {
        InfoArm *arm = arm_of(c, set, legal, i);
        arm->regret += t->values.items[i] - mean;
        arm->total += (double)c->iteration * t->values.items[i];
    }
    return mean;
}

/* The goal of the role that the traversal is for. The recursion is at most MAX_DEPTH deep. */
static double traverse(Cfr *c, uint32_t depth) {
    assert(depth <= MAX_DEPTH);
    CfrTurn *t = &c->turns[depth];
    if (++c->visited % VISITS_BETWEEN_CHECKS == 0)
        check_clock(c);
    if (c->is_stopped)
        return 0;
    c->search.depth = depth > c->search.depth ? depth : c->search.depth;
    if (game_is_terminal(c->work, &t->state))
        return goal_value(c, &t->state);
    for (uint32_t r = 0; r < c->search.game->role_count; r++) {
        game_legal(c->work, &t->state, r, &t->legal[r]);
        if (!t->legal[r].count)
            return 0;
    }
    if (depth == MAX_DEPTH || !find_sets(c, t))
        return play_out(c, &t->state);
    draw_moves(c, t);
    if (c->role != NOBODY && t->sets[c->role] && c->visited < MAX_WIDTH)
        return try_all(c, depth);
    return go_on(c, depth);
}

/* Traversals are made for all players in turn. Averages are updated in the traversals of other
 * players. A single player has none, so every second traversal updates its average only. */
static void choose_role(Cfr *c) {
    uint32_t roles = c->search.game->role_count;
    if (game_count_players(c->search.game) <= 1) {
        c->role = c->role == NOBODY ? c->search.role : NOBODY;
        return;
    }
    do
        c->role = c->role == NOBODY || c->role + 1 >= roles ? 0 : c->role + 1;
    while (game_is_chance(c->search.game, c->role));
}

static void iterate(Cfr *c) {
    const BeliefState *start = &c->belief.states.items[belief_draw(&c->belief, &c->random)];
    uint32_t roles = c->search.game->role_count;
    choose_role(c);
    c->iteration++;
    c->visited = 0;
    memset(c->has_grown, 0, roles * sizeof *c->has_grown);
    state_copy(&c->turns[0].state, &start->state);
    memcpy(c->turns[0].knowledge, start->knowledge, roles * sizeof *start->knowledge);
    double value = traverse(c, 0);
    if (c->role == c->search.role && !c->is_stopped) {
        c->root_total += (double)c->iteration * value;
        c->root_weight += (double)c->iteration;
    }
}

static void run(Search *search, const SearchBudget *budget) {
    Cfr *c = (Cfr *)search;
    uint64_t before = c->search.playouts;
    double cpu_started = clock_thread_cpu_seconds();
    c->budget = budget;
    c->is_stopped = false;
    check_clock(c);
    while (!c->is_stopped && c->belief.states.count &&
           !(budget->playouts && c->search.playouts - before >= budget->playouts)) {
        uint64_t last = c->search.playouts;
        iterate(c);
        if (c->search.playouts == last || c->iteration % VISITS_BETWEEN_CHECKS == 0)
            check_clock(c);
        if (c->search.playouts == last)
            c->search.playouts++; /* a role has no legal move: nothing is learnt, but the loop must
                                     end */
    }
    c->budget = NULL;
    c->search.cpu_seconds += clock_thread_cpu_seconds() - cpu_started;
}

/* The average probabilities of the moves at the root. */
static void average_strategy(Cfr *c, InfoSet *root, Mixture *mixture) {
    double sum = 0;
    for (uint32_t i = 0; i < c->root_moves.count; i++) {
        vector_push(mixture, root ? arm_of(c, root, &c->root_moves, i)->strategy_sum : 0);
        sum += mixture->items[i];
    }
    for (size_t i = 0; i < mixture->count; i++)
        mixture->items[i] = sum > 0 ? mixture->items[i] / sum : 1 / (double)mixture->count;
}

/* A mean of goals, which rounding must not lift above the best goal. */
static double mean_goal(double total, double weight) {
    return weight > 0 ? fmin(total / weight, 100) : 0;
}

static void result(Search *search, SearchResult *result) {
    Cfr *c = (Cfr *)search;
    uint32_t role = search->role;
    Mixture mixture = {0};
    result->nodes = c->sets.sets.count;
    if (!c->belief.states.count || !c->root_moves.count)
        return;
    InfoSet *root = infosets_find(&c->sets, role, c->belief.states.items[0].knowledge[role]);
    average_strategy(c, root, &mixture);
    for (uint32_t i = 0; i < c->root_moves.count; i++) {
        SearchMove move = {.move = c->root_moves.items[i],
                           .value = mean_goal(c->root_total, c->root_weight),
                           .visits = (uint64_t)(mixture.items[i] * (double)c->iteration + 0.5)};
        if (root && root->weight > 0)
            move.value = mean_goal(arm_of(c, root, &c->root_moves, i)->total, root->weight);
        vector_push(&result->moves, move);
    }
    result->best = c->root_moves.items[draw(c, &mixture)];
    search_sort_moves(result);
    vector_free(&mixture);
}

/* The model of the other roles: they play their average mixtures. */
static double probability(const void *context, uint32_t role, uint64_t knowledge, uint32_t move,
                          size_t legal_count) {
    const Cfr *c = context;
    const InfoSet *set = infosets_find(&c->sets, role, knowledge);
    double sum = 0, uniform = 1 / (double)legal_count;
    for (uint32_t a = 0; set && a < set->arm_count; a++)
        sum += set->arms[a].strategy_sum;
    for (uint32_t a = 0; sum > 0 && a < set->arm_count; a++)
        if (set->arms[a].move == move)
            return (1 - UNIFORM_SHARE) * set->arms[a].strategy_sum / sum + UNIFORM_SHARE * uniform;
    return uniform;
}

static void model(const Search *search, BeliefModel *model) {
    *model = (BeliefModel){probability, search};
}

static const SearchOption options_table[] = {SEARCH_OPTIONS_COMMON, {0}};

const SearchMethod cfr_search = {.name = "cfr",
                                 .summary = "counterfactual regret minimisation: a mixture of "
                                            "moves that nobody can exploit, in the limit",
                                 .options = options_table,
                                 .create = create,
                                 .is_mixed = true,
                                 .free = cfr_free,
                                 .set_belief = set_belief,
                                 .run = run,
                                 .result = result,
                                 .model = model};
