/* Depth-first search with a lower bound: the exact value of a belief matters only if it exceeds an
 * alternative that is already known. The search recurses once per turn. */
#include "scsp/exact/belief_search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "scsp/network/rational.h"

enum {
    MAX_TURNS = 1000, /* longest match that is solved to its end, in turns (untuned) */
    /* Denominators tried to convert probabilities to integer weights (untuned). */
    MAX_DENOMINATORS = 64,
};
/* Number of turns that stands for the end of the match. */
#define TO_THE_END UINT32_MAX
/* Greatest weight of a world before rounding (untuned). */
static const uint64_t MAX_WEIGHT = UINT64_C(1) << 40;
/* Greatest weight of all outcomes of a belief together. */
static const uint64_t MAX_TOTAL = UINT64_C(1) << 62;
static const double TIE = 1e-15; /* smaller differences of values are rounding errors (untuned) */

typedef struct {
    uint32_t state;
    uint64_t weight;
} World;

typedef VECTOR(World) Worlds;

/* The value of a belief, or an upper bound that is at most the value that the caller has. */
typedef struct {
    double value;
    uint32_t node; /* node of the policy */
    uint32_t move;
    bool is_bound;
} Found;

typedef struct {
    uint32_t turns_left, world_count;
    size_t first_world;
    Found found;
} Known;

struct BeliefSolver {
    KnownStates *known;
    uint32_t player;
    Policy *policy;           /* the policy under construction; NULL if none is wanted */
    uint32_t action_variable; /* variable of the policy's decisions */
    bool is_inexact;          /* some result rests on rounded weights */
    bool is_endless;
    uint64_t searched;
    SolvingBudget *budget; /* budget of the current attempt */
    Table belief_table;
    VECTOR(Known) beliefs;
    Worlds worlds; /* worlds of all beliefs that are stored */
    U32Vector roots;
};

bool belief_solver_can(const Game *game, uint32_t player) {
    for (uint32_t r = 0; r < game->role_count; r++)
        if (r != player && !game_is_chance(game, r))
            return false;
    return game_has_circuit(game) && game->role_count <= 64 && !game_is_chance(game, player);
}

static BeliefSolver *create(KnownStates *known) {
    BeliefSolver *s = memory_zalloc(sizeof *s);
    s->player = known->player;
    s->known = known;
    return s;
}

BeliefSolver *belief_solver_create(Game *game, uint32_t player, const SymmetryGroup *group) {
    return create(known_states_create(game, player, group, false));
}

void belief_solver_free(BeliefSolver *s) {
    if (!s)
        return;
    known_states_free(s->known);
    table_free(&s->belief_table);
    vectors_free(&s->beliefs, &s->worlds, &s->roots);
    free(s);
}

bool belief_solver_is_endless(const BeliefSolver *s) {
    return s->is_endless;
}

static const KnownState *state_of(const BeliefSolver *s, const World *w) {
    return &s->known->states.items[w->state];
}

size_t belief_solver_bytes(const BeliefSolver *s) {
    return known_states_bytes(s->known) + s->beliefs.capacity * sizeof(Known) +
           s->worlds.capacity * sizeof(World) + (s->belief_table.mask + 1) * sizeof(uint64_t);
}

static bool is_over(BeliefSolver *s) {
    return solving_is_too_large(s->budget, belief_solver_bytes(s)) || solving_is_over(s->budget, 1);
}

static int compare_worlds(const void *a, const void *b) {
    const World *x = a, *y = b;
    return x->state < y->state ? -1 : x->state > y->state;
}

/* Merges equal states and divides the weights by their greatest common divisor. */
static void normalise(Worlds *w, bool *is_inexact) {
    size_t kept = 0;
    uint64_t common = 0, total = 0;
    vector_sort(w, compare_worlds);
    for (size_t i = 0; i < w->count; i++)
        if (kept && w->items[kept - 1].state == w->items[i].state)
            w->items[kept - 1].weight += w->items[i].weight;
        else
            w->items[kept++] = w->items[i];
    w->count = kept;
    for (size_t i = 0; i < kept; i++) {
        common = common == 1 ? 1 : (uint64_t)common_divisor(common, w->items[i].weight);
        total += w->items[i].weight;
    }
    for (size_t i = 0; i < kept && common > 1; i++)
        w->items[i].weight /= common;
    for (; total / (common ? common : 1) > MAX_WEIGHT; total /= 2) {
        *is_inexact = true;
        for (size_t i = 0; i < kept; i++)
            w->items[i].weight = (w->items[i].weight + 1) / 2;
    }
}

/* Compares lists of the same length in lexicographic order: negative if the first is less. */
static int compare(const Worlds *a, const Worlds *b) {
    for (size_t i = 0; i < a->count; i++) {
        const World *x = &a->items[i], *y = &b->items[i];
        if (x->state != y->state)
            return x->state < y->state ? -1 : 1;
        if (x->weight != y->weight)
            return x->weight < y->weight ? -1 : 1;
    }
    return 0;
}

/* Maps all worlds by a symmetry. False if an image is unknown or cannot be less than `least`. */
static bool map_worlds(const BeliefSolver *s, size_t element, const Worlds *w, uint32_t least,
                       Worlds *image) {
    uint32_t first = KNOWN_NONE;
    vector_clear(image);
    for (size_t i = 0; i < w->count; i++) {
        World world = {known_states_image(s->known, w->items[i].state, element),
                       w->items[i].weight};
        if (world.state == KNOWN_NONE)
            return false;
        first = world.state < first ? world.state : first;
        vector_push(image, world);
    }
    if (first > least)
        return false;
    vector_sort(image, compare_worlds);
    return true;
}

/* Returns the number of symmetries, including the identity. */
static size_t elements_of(const BeliefSolver *s) {
    return s->known->group ? s->known->group->items.count : 1;
}

/* Replaces the worlds by their least image under the group. Returns the element that maps them. */
static size_t make_canonical(const BeliefSolver *s, Worlds *w) {
    const SymmetryGroup *group = s->known->group;
    Worlds image = {0}, best = {0};
    size_t element = 0;
    for (size_t i = 1; group && i < group->items.count; i++) {
        const Worlds *least = element ? &best : w;
        if (!map_worlds(s, i, w, least->items[0].state, &image) || compare(&image, least) >= 0)
            continue;
        Worlds swap = best;
        best = image;
        image = swap;
        element = i;
    }
    if (element)
        memcpy(w->items, best.items, w->count * sizeof *w->items);
    vectors_free(&image, &best);
    return element;
}

static uint64_t hash_worlds(const Worlds *w, uint32_t turns_left) {
    uint64_t hash = turns_left;
    for (size_t i = 0; i < w->count; i++)
        hash = hash_mix(hash_mix(hash, w->items[i].state), w->items[i].weight);
    return hash_finish(hash);
}

static uint32_t find_known(const BeliefSolver *s, const Worlds *w, uint32_t turns_left,
                           uint64_t hash) {
    uint32_t id;
    for (TableProbe p = table_probe(&s->belief_table, hash);
         table_next(&s->belief_table, &p, &id);) {
        const Known *k = &s->beliefs.items[id];
        Worlds kept = {s->worlds.items + k->first_world, k->world_count, 0};
        if (k->turns_left == turns_left && kept.count == w->count && compare(&kept, w) == 0)
            return id;
    }
    return KNOWN_NONE;
}

static void keep(BeliefSolver *s, const Worlds *w, uint32_t turns_left, uint64_t hash,
                 Found found) {
    Known known = {turns_left, (uint32_t)w->count, s->worlds.count, found};
    vector_append(&s->worlds, w->items, w->count);
    table_insert(&s->belief_table, hash, (uint32_t)s->beliefs.count);
    vector_push(&s->beliefs, known);
}

static Found search(BeliefSolver *s, Worlds *w, uint32_t turns_left, double enough);

/* A weighted outcome; outcomes are sorted by percepts later. */
typedef struct {
    /* Number of the player's percepts; 0 if the match is over and only the goal counts. */
    uint32_t percepts;
    int goal; /* goal of the player if the match is over; UNDECIDED if it continues */
    World world;
} Draw;

typedef VECTOR(Draw) Draws;

#define UNDECIDED (-1)

static int compare_draws(const void *a, const void *b) {
    const Draw *x = a, *y = b;
    if (x->goal != y->goal)
        return x->goal < y->goal ? -1 : 1;
    if (x->percepts != y->percepts)
        return x->percepts < y->percepts ? -1 : 1;
    return x->world.state < y->world.state ? -1 : x->world.state > y->world.state;
}

/* Returns a common multiple of the numbers of chance moves of all worlds, which makes weights of
 * outcomes integers; the largest possible factor if weights would become too large. */
static uint64_t common_multiple(BeliefSolver *s, const Worlds *w) {
    uint64_t multiple = 1, sum = 0;
    for (size_t i = 0; i < w->count; i++)
        sum += w->items[i].weight;
    for (size_t i = 0; i < w->count; i++) {
        uint64_t draws = state_of(s, &w->items[i])->draws;
        if (multiple % draws == 0)
            continue;
        RationalPart next = multiple / common_divisor(multiple, draws) * draws;
        if (next > MAX_TOTAL / sum) {
            s->is_inexact = true;
            return MAX_TOTAL / sum;
        }
        multiple = (uint64_t)next;
    }
    return multiple;
}

/* Returns the weight of one chance move in the world. */
static uint64_t weight_of_draw(const World *world, uint64_t multiple, uint64_t draws) {
    if (multiple % draws == 0)
        return world->weight * (multiple / draws);
    RationalPart weight = ((RationalPart)world->weight * multiple + draws / 2) / draws;
    return weight ? (uint64_t)weight : 1;
}

/* Adds all outcomes of the move, which is legal in all worlds. False if the budget is spent. */
static bool draw_outcomes(BeliefSolver *s, const Worlds *w, uint32_t move, uint32_t guess,
                          Draws *draws, uint64_t *total) {
    uint32_t first, end;
    uint64_t multiple = common_multiple(s, w);
    *total = 0;
    for (size_t i = 0; i < w->count; i++) {
        uint32_t state = w->items[i].state;
        uint32_t action = known_states_action(s->known, state, move, guess);
        assert(action != KNOWN_NONE);
        known_states_outcomes(s->known, state, action, &first, &end);
        if (solving_has_passed(s->budget, end - first))
            return false;
        uint64_t unit = weight_of_draw(&w->items[i], multiple, s->known->states.items[state].draws);
        for (uint32_t o = first; o < end; o++) {
            KnownOutcome outcome = s->known->outcomes.items[o];
            if (!known_states_expand(s->known, outcome.state, s->budget))
                return false;
            World world = {outcome.state, unit * outcome.times};
            const KnownState *next = state_of(s, &world);
            Draw draw = {outcome.percepts, UNDECIDED, world};
            if (next->is_terminal)
                draw = (Draw){0, next->goal, world};
            vector_push(draws, draw);
            *total += world.weight;
        }
    }
    vector_sort(draws, compare_draws);
    return true;
}

static uint32_t leaf(BeliefSolver *s, int goal) {
    int32_t amounts[64] = {0};
    if (!s->policy)
        return POLICY_NONE;
    amounts[s->player] = goal;
    return policy_add_leaf(s->policy, amounts);
}

/* Returns an upper bound of the mean value of the outcomes. */
static double bound_draws(const BeliefSolver *s, const Draws *draws, uint64_t total) {
    double bound = 0;
    for (size_t i = 0; i < draws->count; i++)
        bound += (double)draws->items[i].world.weight * state_of(s, &draws->items[i].world)->bound;
    return bound / (double)total;
}

/* Collects the outcomes with equal percepts from index *at on. Returns their total weight. */
static uint64_t next_child(const BeliefSolver *s, const Draws *draws, size_t *at, Worlds *child,
                           double *bound) {
    Draw first = draws->items[*at];
    uint64_t weight = 0;
    vector_clear(child);
    *bound = 0;
    for (; *at < draws->count; ++*at) {
        const Draw *draw = &draws->items[*at];
        const World *world = &draw->world;
        if (draw->goal != first.goal || draw->percepts != first.percepts)
            break;
        weight += world->weight;
        *bound += (double)world->weight * state_of(s, world)->bound;
        vector_push(child, *world);
    }
    *bound /= (double)weight;
    return weight;
}

static Found end_of_match(BeliefSolver *s, int goal) {
    return (Found){goal / 100.0, leaf(s, goal), KNOWN_NONE, false};
}

/* Returns the value of a move, or an upper bound that does not exceed `enough`. */
static Found try_move(BeliefSolver *s, const Worlds *w, uint32_t move, uint32_t guess,
                      uint32_t turns_left, double enough) {
    Draws draws = {0};
    Worlds child = {0};
    VECTOR(PolicyBranch) branches = {0};
    uint64_t total;
    Found found = {s->known->highest, POLICY_NONE, move, true};
    bool goes_on = draw_outcomes(s, w, move, guess, &draws, &total);
    double at_most = goes_on ? bound_draws(s, &draws, total) : found.value;
    for (size_t i = 0; goes_on && i < draws.count;) {
        const Draw *first = &draws.items[i];
        double bound;
        PolicyBranch branch = {.value = first->goal == UNDECIDED ? first->percepts : POLICY_END};
        branch.weight = next_child(s, &draws, &i, &child, &bound);
        double p = (double)branch.weight / (double)total;
        Found below;
        if (first->goal != UNDECIDED) {
            below = end_of_match(s, first->goal);
        } else {
            normalise(&child, &s->is_inexact);
            below = search(s, &child, turns_left, bound - (at_most - enough) / p);
        }
        branch.node = below.node;
        vector_push(&branches, branch);
        at_most -= p * (bound - below.value);
        goes_on = !s->budget->is_over && !below.is_bound && at_most > enough + TIE;
    }
    found.value = at_most;
    if (goes_on) {
        found.is_bound = false;
        found.node = s->policy ? policy_add_chance(s->policy, POLICY_PERCEPTS, branches.items,
                                                   (uint32_t)branches.count)
                               : POLICY_NONE;
    }
    vectors_free(&draws, &child, &branches);
    return found;
}

typedef struct {
    uint32_t move, number;
    double bound;
} Choice;

typedef VECTOR(Choice) Choices;

static int compare_choices(const void *a, const void *b) {
    const Choice *x = a, *y = b;
    if (x->bound != y->bound)
        return x->bound > y->bound ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Lists the moves that are legal in all worlds, by decreasing upper bound. */
static void list_choices(const BeliefSolver *s, const Worlds *w, Choices *choices) {
    const KnownStates *k = s->known;
    const KnownState *first = state_of(s, &w->items[0]);
    for (uint32_t a = 0; a < first->action_count; a++) {
        Choice choice = {k->action_moves.items[first->first_action + a], a, 0};
        double total = 0;
        bool is_legal = true;
        for (size_t i = 0; i < w->count && is_legal; i++) {
            uint32_t action = known_states_action(k, w->items[i].state, choice.move, a);
            is_legal = action != KNOWN_NONE;
            if (is_legal)
                choice.bound += (double)w->items[i].weight * k->action_bounds.items[action];
            total += (double)w->items[i].weight;
        }
        choice.bound /= total;
        if (is_legal)
            vector_push(choices, choice);
    }
    vector_sort(choices, compare_choices);
}

static Found decide(BeliefSolver *s, const Worlds *w, uint32_t turns_left, double enough) {
    Choices choices = {0};
    Found best = {-1, POLICY_NONE, KNOWN_NONE, true};
    double at_most = 0;
    list_choices(s, w, &choices);
    if (!choices.count || choices.items[0].bound <= 0) {
        best = (Found){0, leaf(s, 0), choices.count ? choices.items[0].move : KNOWN_NONE, false};
        vector_free(&choices);
        return best;
    }
    for (size_t i = 0; i < choices.count && !is_over(s); i++) {
        const Choice *c = &choices.items[i];
        if (c->bound <= fmax(best.value, enough) + TIE) {
            at_most = fmax(at_most, c->bound);
            break;
        }
        Found found = try_move(s, w, c->move, c->number, turns_left, fmax(best.value, enough));
        if (found.is_bound)
            at_most = fmax(at_most, found.value);
        else if (found.value > best.value)
            best = found;
    }
    vector_free(&choices);
    s->searched++;
    if (best.is_bound)
        return (Found){at_most, POLICY_NONE, KNOWN_NONE, true};
    if (s->policy)
        best.node = policy_add_decision(s->policy, s->action_variable, best.move, best.node);
    return best;
}

/* Searches a belief. Its worlds are made canonical. */
static Found search(BeliefSolver *s, Worlds *w, uint32_t turns_left, double enough) {
    if (turns_left == 0)
        return (Found){0, leaf(s, 0), KNOWN_NONE, false};
    make_canonical(s, w);
    solving_has_passed(s->budget, w->count * elements_of(s));
    uint64_t hash = hash_worlds(w, turns_left);
    uint32_t known = find_known(s, w, turns_left, hash);
    const Found *old = known == KNOWN_NONE ? NULL : &s->beliefs.items[known].found;
    if (old && (!old->is_bound || old->value <= enough + TIE))
        return *old;
    for (size_t i = 0; i < w->count; i++)
        if (!known_states_expand(s->known, w->items[i].state, s->budget))
            return (Found){s->known->highest, POLICY_NONE, KNOWN_NONE, true};
    Found found = decide(s, w, turns_left == TO_THE_END ? turns_left : turns_left - 1, enough);
    if (s->budget->is_over)
        return found;
    if (known == KNOWN_NONE)
        keep(s, w, turns_left, hash, found);
    else
        s->beliefs.items[known].found = found;
    return found;
}

/* ---- Beliefs of matches ---- */

/* True if all weights are multiples of the unit. */
static bool are_whole(const Belief *belief, double unit) {
    for (size_t i = 0; i < belief->states.count; i++) {
        double parts = belief->states.items[i].weight / unit;
        if (parts > (double)MAX_WEIGHT || fabs(parts - round(parts)) > 1e-6)
            return false;
    }
    return true;
}

/* Returns a unit of which all probabilities are multiples, at least approximately. */
static double unit_of(const Belief *belief, bool *is_inexact) {
    double least = 1;
    for (size_t i = 0; i < belief->states.count; i++)
        least = fmin(least, belief->states.items[i].weight);
    for (int k = 1; k <= MAX_DENOMINATORS; k++)
        if (are_whole(belief, least / k))
            return least / k;
    *is_inexact = true;
    return 1.0 / (double)(UINT64_C(1) << 32);
}

static uint64_t whole_weight(const BeliefState *b, double unit) {
    double parts = round(b->weight / unit);
    return parts < 1 ? 1 : (uint64_t)parts;
}

uint32_t symmetry_real_move(const Game *game, const SymmetryGroup *group, size_t element,
                            uint32_t role, uint32_t move) {
    if (!element)
        return move;
    const uint32_t *firsts = game->circuit->first_move;
    uint32_t i = firsts[role];
    while (i < firsts[role + 1] && group->items.items[element].moves[i] != firsts[role] + move)
        i++;
    assert(i < firsts[role + 1]);
    return i - firsts[role];
}

static bool give_answer(const BeliefSolver *s, const Found *found, size_t element, bool is_inexact,
                        BeliefAnswer *answer) {
    if (found->move == KNOWN_NONE)
        return false;
    *answer = (BeliefAnswer){
        found->value,
        symmetry_real_move(s->known->game, s->known->group, element, s->player, found->move),
        !is_inexact && !s->is_inexact};
    return true;
}

/* Returns the number of a state's image; KNOWN_NONE if it was never met. */
static uint32_t find_image(const BeliefSolver *s, const State *state, size_t element,
                           State *scratch) {
    const SymmetryGroup *group = s->known->group;
    if (!element)
        return known_states_find(s->known, state);
    symmetry_apply(&group->items.items[element], group->fluent_count, state, scratch);
    return known_states_find(s->known, scratch);
}

/* Does not change the solver, because other threads may be reading it. */
bool belief_solver_find(const BeliefSolver *s, const Belief *belief, BeliefAnswer *answer) {
    bool is_found = false, is_inexact = false;
    double unit = unit_of(belief, &is_inexact);
    Worlds worlds = {0};
    State scratch = {0};
    for (size_t e = 0; e < elements_of(s) && !is_found && belief->states.count; e++) {
        bool is_known = true;
        vector_clear(&worlds);
        for (size_t i = 0; i < belief->states.count && is_known; i++) {
            const BeliefState *b = &belief->states.items[i];
            World world = {find_image(s, &b->state, e, &scratch), whole_weight(b, unit)};
            is_known = world.state != KNOWN_NONE;
            vector_push(&worlds, world);
        }
        if (!is_known)
            continue;
        normalise(&worlds, &is_inexact);
        uint32_t id = find_known(s, &worlds, TO_THE_END, hash_worlds(&worlds, TO_THE_END));
        is_found = id != KNOWN_NONE && !s->beliefs.items[id].found.is_bound &&
                   give_answer(s, &s->beliefs.items[id].found, e, is_inexact, answer);
    }
    vector_free(&worlds);
    state_free(&scratch);
    return is_found;
}

/* Explores all successors. True if that is complete and every match ends. */
static bool is_ready(BeliefSolver *s, const Worlds *w) {
    vector_clear(&s->roots);
    for (size_t i = 0; i < w->count; i++)
        vector_push(&s->roots, w->items[i].state);
    if (!known_states_explore(s->known, s->roots.items, s->roots.count, TO_THE_END, s->budget))
        return false;
    for (size_t i = 0; i < w->count; i++) {
        uint32_t depth = state_of(s, &w->items[i])->depth;
        s->is_endless = s->is_endless || depth == KNOWN_NONE || depth > MAX_TURNS;
    }
    return !s->is_endless;
}

/* Returns the worlds of the belief; none if not all its successors are explored. */
static Worlds prepare_worlds(BeliefSolver *s, const Belief *belief, bool *is_inexact) {
    Worlds worlds = {0};
    double unit = unit_of(belief, is_inexact);
    for (size_t i = 0; i < belief->states.count; i++) {
        const BeliefState *b = &belief->states.items[i];
        vector_push(&worlds,
                    ((World){known_states_add(s->known, &b->state), whole_weight(b, unit)}));
    }
    normalise(&worlds, is_inexact);
    if (worlds.count && (state_of(s, &worlds.items[0])->is_terminal || !is_ready(s, &worlds)))
        vector_clear(&worlds);
    return worlds;
}

bool belief_solver_solve(BeliefSolver *s, const Belief *belief, uint32_t move,
                         SolvingBudget *budget, BeliefAnswer *answer) {
    assert(!s->budget);
    s->budget = budget;
    budget->other_bytes = belief_solver_bytes(s) - known_states_bytes(s->known);
    bool is_inexact = false, is_given = move != MOVE_NONE;
    Worlds worlds = prepare_worlds(s, belief, &is_inexact);
    bool is_solved = worlds.count > 0;
    for (size_t i = 0; i < worlds.count && is_given; i++)
        is_solved = is_solved &&
                    known_states_action(s->known, worlds.items[i].state, move, 0) != KNOWN_NONE;
    if (is_solved) {
        size_t element = is_given ? 0 : make_canonical(s, &worlds);
        Found found = is_given ? try_move(s, &worlds, move, 0, TO_THE_END, -1)
                               : search(s, &worlds, TO_THE_END, -1);
        is_solved = !budget->is_over && give_answer(s, &found, element, is_inexact, answer);
    }
    s->budget = NULL;
    vector_free(&worlds);
    return is_solved;
}

/* ---- Policies ---- */

void belief_search(const Template *t, const BeliefSearchOptions *options,
                   BeliefSearchResult *result) {
    SolvingBudget budget = {.deadline = options->deadline, .stopped = options->stopped};
    *result = (BeliefSearchResult){
        .policy = {.root = POLICY_NONE, .player_count = t->role_count, .unit = 100}};
    BeliefSolver *s = create(known_states_create(t->game, options->player, options->group, true));
    Worlds start = {0};
    State initial = {0};
    s->policy = &result->policy;
    s->action_variable = t->actions[options->player];
    s->budget = &budget;
    game_initial(s->known->work, &initial);
    World world = {known_states_add(s->known, &initial), 1};
    vector_push(&start, world);
    Found found = {0};
    const KnownState *first = state_of(s, &world);
    if (first->is_terminal)
        found = end_of_match(s, first->goal);
    else if (known_states_explore(s->known, &world.state, 1, options->turns, &budget))
        found = search(s, &start, options->turns, -1);
    result->is_solved = !budget.is_over;
    result->is_inexact = s->is_inexact;
    result->value = found.value;
    result->policy.root = found.node;
    result->beliefs = s->searched;
    vector_append(&result->percepts, s->known->percept_texts.items, s->known->percept_texts.count);
    s->known->percept_texts.count = 0;
    vector_free(&start);
    state_free(&initial);
    belief_solver_free(s);
}

void belief_search_free(BeliefSearchResult *result) {
    for (size_t i = 0; i < result->percepts.count; i++)
        free(result->percepts.items[i]);
    vector_free(&result->percepts);
    policy_free(&result->policy);
}
