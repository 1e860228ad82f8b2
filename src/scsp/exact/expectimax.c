/* The search recurses once per variable with a choice; the caller bounds the number of turns. */
#include "scsp/exact/expectimax.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/table.h"

enum { VALUES_BETWEEN_CHECKS = 1024 }; /* tried values between two looks at the clock (untuned) */

typedef struct {
    uint32_t first_value; /* index into Search.keys of the first fluent value */
    uint32_t first_payoff;
    uint32_t level, node;
} CacheEntry;

typedef struct {
    const Scsp *network;
    const ExpectimaxOptions *options;
    Solver *solver;
    ExpectimaxResult *result;
    double lowest, highest; /* least and greatest possible value */
    Table cache;
    VECTOR(CacheEntry) entries;
    VECTOR(uint16_t) keys;
    VECTOR(double) payoffs;
    VECTOR(PolicyBranch) branches; /* branches of the draws on the current path */
    bool is_over;
} Search;

/* The result of a sub-tree. Payoffs are passed separately; all count only with RULE_MAXN. */
typedef struct {
    uint32_t node;
    double value; /* value for the player; -INFINITY if the constraints cannot be satisfied */
} Outcome;

static const Outcome INFEASIBLE = {POLICY_NONE, -INFINITY};

static Outcome search(Search *s, uint32_t index, double alpha, double beta, double *payoffs);

static bool is_over(Search *s) {
    if (!s->is_over && ++s->result->nodes % VALUES_BETWEEN_CHECKS == 0)
        s->is_over = work_must_end(s->options->deadline, s->options->stopped);
    return s->is_over;
}

/* Returns the first variable from `index` on that is not decided yet. */
static uint32_t next_open(const Search *s, uint32_t index) {
    const Scsp *n = s->network;
    for (; index < n->variables.count; index++) {
        const ScspVariable *x = &n->variables.items[index];
        if (x->is_stochastic && !x->is_uniform)
            break;
        if (!solver_is_fixed(s->solver, index) &&
            !(x->is_stochastic && solver_is_free(s->solver, index)))
            break;
    }
    return index;
}

static int32_t amount_of(const Search *s, const ScspSoft *soft) {
    const uint32_t *scope = scsp_scope(s->network, soft->first_scope);
    const TableRows *rows = soft->rows;
    for (uint32_t r = 0; r < rows->count; r++) {
        bool fits = true;
        for (uint32_t k = 0; k < rows->arity && fits; k++) {
            uint16_t value = rows->values[(size_t)r * rows->arity + k];
            fits = value == VALUE_ANY || value == solver_value(s->solver, scope[k]);
        }
        if (fits)
            return soft->amounts[r];
    }
    return 0;
}

static Outcome leaf(Search *s, double *payoffs) {
    const Scsp *n = s->network;
    int32_t amounts[64] = {0};
    for (size_t i = 0; i < n->softs.count; i++)
        amounts[n->softs.items[i].player] += amount_of(s, &n->softs.items[i]);
    for (uint32_t p = 0; p < n->player_count; p++)
        payoffs[p] = (double)amounts[p] / n->unit;
    uint32_t node = policy_add_leaf(&s->result->policy, amounts);
    return (Outcome){node, payoffs[s->options->player]};
}

/* Lengths of the policy's lists, to remove a branch that was not chosen. */
typedef struct {
    size_t nodes, branches, amounts;
} PolicyMark;

static PolicyMark mark_policy(const Policy *p) {
    return (PolicyMark){p->nodes.count, p->branches.count, p->amounts.count};
}

static void forget_policy(Search *s, PolicyMark mark) {
    if (s->options->caches)
        return;
    s->result->policy.nodes.count = mark.nodes;
    s->result->policy.branches.count = mark.branches;
    s->result->policy.amounts.count = mark.amounts;
}

/* True if another role has a choice in the same turn. */
static bool is_simultaneous(const Search *s, uint32_t index) {
    const Scsp *n = s->network;
    const ScspVariable *x = &n->variables.items[index];
    if (x->kind != VARIABLE_ACTION || s->options->rule == RULE_COOPERATIVE)
        return false;
    for (uint32_t i = index + 1; i < n->variables.count; i++) {
        const ScspVariable *y = &n->variables.items[i];
        if (y->turn != x->turn)
            break;
        if (y->kind == VARIABLE_ACTION && y->role != x->role && !solver_is_fixed(s->solver, i))
            return true;
    }
    return false;
}

/* Returns the player that decides. */
static uint32_t owner_of(const Search *s, const ScspVariable *x) {
    return s->options->rule == RULE_COOPERATIVE || x->role == SCSP_NONE ? s->options->player
                                                                        : x->role;
}

/* True if the payoffs are better for the owner; ties are broken against the player. */
static bool is_better(const Search *s, uint32_t owner, const double *payoffs, const double *best) {
    if (payoffs[owner] != best[owner])
        return payoffs[owner] > best[owner];
    return payoffs[s->options->player] < best[s->options->player];
}

/* Assigns a value and searches the rest of the variables. */
static Outcome try_value(Search *s, uint32_t index, uint32_t value, double alpha, double beta,
                         double *payoffs) {
    Outcome r = INFEASIBLE;
    SolverMark mark = solver_mark(s->solver);
    if (solver_assign(s->solver, index, value) && solver_propagate(s->solver, PROPAGATE_GAC))
        r = search(s, index + 1, alpha, beta, payoffs);
    solver_undo(s->solver, mark);
    return r;
}

/* Chooses the value of a decision. With RULE_MAXN its owner maximises its own payoff; otherwise the
 * player maximises and opponents minimise the player's value within the window. */
static Outcome decide(Search *s, uint32_t index, double alpha, double beta, double *payoffs) {
    const ScspVariable *x = &s->network->variables.items[index];
    uint32_t owner = owner_of(s, x);
    bool is_selfish = s->options->rule == RULE_MAXN && s->network->player_count > 1;
    bool is_max = owner == s->options->player;
    bool is_unbounded = is_selfish || s->options->is_unwindowed;
    double own[64];
    Outcome best = INFEASIBLE;
    uint32_t choice = 0;
    for (uint32_t v = solver_value(s->solver, index); v < x->size && !is_over(s);
         v = solver_next_value(s->solver, index, v + 1)) {
        bool has_best = best.value > -INFINITY;
        double low = is_max && has_best && best.value > alpha ? best.value : alpha;
        double high = !is_max && has_best && best.value < beta ? best.value : beta;
        PolicyMark forget = mark_policy(&s->result->policy);
        Outcome r = try_value(s, index, v, is_unbounded ? -INFINITY : low,
                              is_unbounded ? INFINITY : high, is_selfish ? own : payoffs);
        bool improves = r.value > -INFINITY && (!has_best    ? true
                                                : is_selfish ? is_better(s, owner, own, payoffs)
                                                : is_max     ? r.value > best.value
                                                             : r.value < best.value);
        if (improves) {
            best = r;
            choice = v;
            if (is_selfish)
                memcpy(payoffs, own, s->network->player_count * sizeof *own);
        } else {
            forget_policy(s, forget);
        }
        bool is_outside = is_max ? best.value >= beta : best.value <= alpha;
        if (!is_selfish && best.value > -INFINITY && is_outside)
            break;
    }
    if (best.node != POLICY_NONE)
        best.node = policy_add_decision(&s->result->policy, index, choice, best.node);
    payoffs[s->options->player] = best.value;
    return best;
}

static const uint32_t *weights_of(const Search *s, uint32_t index) {
    const ScspChances *chances = scsp_chances_of(s->network, index);
    assert(chances);
    const uint32_t *parents = scsp_scope(s->network, chances->first_scope);
    size_t row = 0;
    for (uint32_t i = 0; i < chances->parent_count; i++)
        row = row * s->network->variables.items[parents[i]].size +
              solver_value(s->solver, parents[i]);
    return chances->weights + row * s->network->variables.items[index].size;
}

static int compare_branches(const void *a, const void *b) {
    const PolicyBranch *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Pushes the values of a draw with their weights onto the stack of branches, the likeliest first.
 * False if a value with positive weight violates a constraint. */
static bool push_branches(Search *s, uint32_t index, size_t *first, uint64_t *total) {
    const ScspVariable *x = &s->network->variables.items[index];
    const uint32_t *weights = x->is_uniform ? NULL : weights_of(s, index);
    *first = s->branches.count;
    *total = 0;
    for (uint32_t v = 0; v < x->size; v++) {
        bool is_left = solver_has(s->solver, index, v);
        uint32_t weight = weights ? weights[v] : is_left;
        if (weight && !is_left)
            return false;
        if (weight)
            vector_push(&s->branches, ((PolicyBranch){weight, v, POLICY_NONE}));
        *total += weight;
    }
    size_t count = s->branches.count - *first;
    if (count > 1)
        qsort(s->branches.items + *first, count, sizeof *s->branches.items, compare_branches);
    return count > 0;
}

static Outcome try_branch(Search *s, uint32_t index, size_t branch, double alpha, double beta,
                          double *payoffs) {
    Outcome r = INFEASIBLE;
    if (!is_over(s))
        r = try_value(s, index, s->branches.items[branch].value, alpha, beta, payoffs);
    s->branches.items[branch].node = r.node;
    return r;
}

/* Finds any policy for the remaining branches, because the value is already outside the window. */
static bool complete_branches(Search *s, uint32_t index, size_t from, size_t end, double *payoffs) {
    for (size_t i = from; i < end; i++)
        if (try_branch(s, index, i, -INFINITY, s->lowest, payoffs).value == -INFINITY)
            return false;
    return true;
}

static Outcome average(Search *s, uint32_t index, size_t first, uint64_t total, double alpha,
                       double beta, double *payoffs) {
    size_t end = s->branches.count;
    double own[64], sums[64] = {0}, sum = 0, rest = 1;
    bool is_complete = true;
    for (size_t i = first; i < end; i++) {
        double p = (double)s->branches.items[i].weight / (double)total;
        rest = i + 1 == end ? 0 : rest - p;
        double low = (alpha - sum - rest * s->highest) / p;
        double high = (beta - sum - rest * s->lowest) / p;
        Outcome r = try_branch(s, index, i, low, high, own);
        if (r.value == -INFINITY)
            return INFEASIBLE;
        sum += p * r.value;
        for (uint32_t player = 0; player < s->network->player_count; player++)
            sums[player] += p * own[player];
        is_complete = is_complete && r.node != POLICY_NONE;
        if (r.value <= low)
            return (Outcome){POLICY_NONE, alpha};
        if (r.value >= high && rest > 0) {
            if (!complete_branches(s, index, i + 1, end, own))
                return INFEASIBLE;
            sum = sum + rest * s->lowest > beta ? sum + rest * s->lowest : beta;
            break;
        }
    }
    memcpy(payoffs, sums, s->network->player_count * sizeof *sums);
    payoffs[s->options->player] = sum;
    if (!is_complete)
        return (Outcome){POLICY_NONE, sum};
    return (Outcome){policy_add_chance(&s->result->policy, index, s->branches.items + first,
                                       (uint32_t)(end - first)),
                     sum};
}

static Outcome draw(Search *s, uint32_t index, double alpha, double beta, double *payoffs) {
    size_t first;
    uint64_t total;
    Outcome r = INFEASIBLE;
    if (push_branches(s, index, &first, &total))
        r = average(s, index, first, total, alpha, beta, payoffs);
    s->branches.count = first;
    return r;
}

/* Pushes the fluents of the turn as a key onto `keys`. Returns its hash. */
static uint64_t push_key(Search *s, uint32_t level) {
    uint64_t hash = level;
    for (uint32_t i = 0; i < s->network->variables.count; i++) {
        const ScspVariable *x = &s->network->variables.items[i];
        if (x->turn != level || x->kind != VARIABLE_FLUENT)
            continue;
        uint32_t value = solver_value(s->solver, i);
        vector_push(&s->keys, (uint16_t)value);
        hash = hash_mix(hash, value);
    }
    return hash_finish(hash);
}

static const CacheEntry *find_cached(const Search *s, uint64_t hash, uint32_t level, size_t first) {
    size_t bytes = (s->keys.count - first) * sizeof *s->keys.items;
    uint32_t id;
    for (TableProbe p = table_probe(&s->cache, hash); table_next(&s->cache, &p, &id);) {
        const CacheEntry *e = &s->entries.items[id];
        if (e->level == level &&
            memcmp(s->keys.items + e->first_value, s->keys.items + first, bytes) == 0)
            return e;
    }
    return NULL;
}

static Outcome branch(Search *s, uint32_t index, double alpha, double beta, double *payoffs) {
    const ScspVariable *x = &s->network->variables.items[index];
    if (x->is_stochastic)
        return draw(s, index, alpha, beta, payoffs);
    if (is_simultaneous(s, index)) {
        s->result->end = EXPECTIMAX_SIMULTANEOUS;
        s->is_over = true;
        return INFEASIBLE;
    }
    return decide(s, index, alpha, beta, payoffs);
}

static Outcome search_once(Search *s, uint32_t index, double *payoffs) {
    uint32_t level = s->network->variables.items[index].turn;
    uint32_t players = s->network->player_count;
    size_t first = s->keys.count;
    uint64_t hash = push_key(s, level);
    const CacheEntry *known = find_cached(s, hash, level, first);
    if (known) {
        s->keys.count = first;
        memcpy(payoffs, s->payoffs.items + known->first_payoff, players * sizeof *payoffs);
        return (Outcome){known->node, payoffs[s->options->player]};
    }
    Outcome r = branch(s, index, -INFINITY, INFINITY, payoffs);
    if (r.value == -INFINITY || s->is_over)
        return r;
    CacheEntry entry = {(uint32_t)first, (uint32_t)s->payoffs.count, level, r.node};
    for (uint32_t p = 0; p < players; p++)
        vector_push(&s->payoffs, payoffs[p]);
    table_insert(&s->cache, hash, (uint32_t)s->entries.count);
    vector_push(&s->entries, entry);
    return r;
}

static Outcome search(Search *s, uint32_t index, double alpha, double beta, double *payoffs) {
    uint32_t before = index > 0 ? s->network->variables.items[index - 1].turn : UINT32_MAX;
    index = next_open(s, index);
    if (index == s->network->variables.count)
        return leaf(s, payoffs);
    if (s->options->caches && s->network->variables.items[index].turn != before)
        return search_once(s, index, payoffs);
    return branch(s, index, alpha, beta, payoffs);
}

void expectimax_solve(const Scsp *n, const ExpectimaxOptions *options, ExpectimaxResult *result) {
    double payoffs[64] = {0};
    assert(n->player_count <= 64 && options->player < n->player_count);
    *result = (ExpectimaxResult){
        .policy = {.root = POLICY_NONE, .player_count = n->player_count, .unit = n->unit}};
    Search s = {.network = n,
                .options = options,
                .solver = solver_create(n),
                .result = result,
                .lowest = (double)n->least / n->unit,
                .highest = (double)n->most / n->unit};
    double alpha = options->window_given ? options->alpha : -INFINITY;
    double beta = options->window_given ? options->beta : s.highest;
    Outcome r = INFEASIBLE;
    s.is_over = n->is_cut_short;
    if (!s.solver->is_failed && !s.is_over)
        r = search(&s, 0, alpha, beta, payoffs);
    result->value = r.value;
    result->policy.root = r.value > alpha ? r.node : POLICY_NONE;
    if (result->end != EXPECTIMAX_SIMULTANEOUS)
        result->end = s.is_over              ? EXPECTIMAX_STOPPED
                      : r.value == -INFINITY ? EXPECTIMAX_INFEASIBLE
                                             : EXPECTIMAX_SOLVED;
    solver_free(s.solver);
    table_free(&s.cache);
    vectors_free(&s.entries, &s.keys, &s.payoffs, &s.branches);
}
