/* Expands states in lanes: the joint moves of many states are queued and evaluated together, and
 * their outcomes are added in the same order. */
#include "scsp/exact/known_states.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"
#include "search/goals.h"

enum {
    WORK_BETWEEN_CHECKS = 64, /* units of work between two looks at the clock (untuned) */
    STEPS_OF_WORK = 64,       /* small steps per unit of work (untuned) */
    STATES_AT_ONCE = 64,      /* states expanded together (untuned) */
    FEW_OUTCOMES = 8,     /* an action with fewer outcomes is scanned; more are hashed (untuned) */
    MANY_OUTCOMES = 4096, /* number of entries at which the hash table is cleared (untuned) */
    IMAGE_UNKNOWN = 1,    /* KNOWN_NONE minus this marks an image that was not computed yet */
};

bool solving_is_over(SolvingBudget *b, uint64_t work) {
    uint64_t before = b->done;
    b->done += work;
    b->is_over = b->is_over || (b->work && b->done >= b->work);
    if (b->is_over || before / WORK_BETWEEN_CHECKS == b->done / WORK_BETWEEN_CHECKS)
        return b->is_over;
    b->is_over = work_must_end(b->deadline, b->stopped) ||
                 (b->cpu_until > 0 && clock_thread_cpu_seconds() >= b->cpu_until);
    return b->is_over;
}

bool solving_has_passed(SolvingBudget *b, uint64_t steps) {
    steps += b->steps;
    b->steps = (uint32_t)(steps % STEPS_OF_WORK);
    return solving_is_over(b, steps / STEPS_OF_WORK);
}

bool solving_is_too_large(SolvingBudget *b, size_t bytes) {
    b->is_out_of_memory = b->is_out_of_memory || (b->bytes && bytes > b->bytes);
    b->is_over = b->is_over || b->is_out_of_memory;
    return b->is_over;
}

KnownStates *known_states_create(Game *game, uint32_t player, const SymmetryGroup *group,
                                 bool keeps_texts) {
    assert(game_has_circuit(game) && player < game->role_count);
    KnownStates *k = memory_zalloc(sizeof *k);
    k->game = game;
    k->player = player;
    k->roles = game->role_count;
    GoalRange goals = goal_range(game, player);
    k->highest = (goals.lowest + goals.span) / 100;
    k->words = (uint32_t)bitset_words(game->circuit->fluent_count);
    k->group = group;
    k->keeps_texts = keeps_texts;
    k->work = game_work_create(game, REASONER_AUTO);
    k->lanes = lane_batch_create(game);
    k->legal = memory_zalloc(k->roles * sizeof *k->legal);
    return k;
}

void known_states_free(KnownStates *k) {
    if (!k)
        return;
    game_work_free(k->work);
    lane_batch_free(k->lanes);
    for (uint32_t r = 0; r < k->roles; r++)
        vector_free(&k->legal[r]);
    free(k->legal);
    table_free(&k->state_table);
    table_free(&k->percept_table);
    table_free(&k->outcome_table);
    vectors_free(&k->bits, &k->states, &k->outcomes, &k->action_ends, &k->action_moves,
                 &k->action_bounds, &k->percepts);
    for (size_t i = 0; i < k->percept_texts.count; i++)
        free(k->percept_texts.items[i]);
    vectors_free(&k->percept_texts, &k->images, &k->list, &k->path, &k->draws, &k->joints,
                 &k->made);
    state_free(&k->image);
    free(k);
}

size_t known_states_bytes(const KnownStates *k) {
    return k->states.capacity * sizeof(KnownState) + k->outcomes.capacity * sizeof(KnownOutcome) +
           k->draws.capacity * sizeof(KnownDraw) + k->action_bounds.capacity * sizeof(double) +
           (k->action_ends.capacity + k->action_moves.capacity + k->images.capacity +
            k->list.capacity + k->path.capacity + k->joints.capacity) *
               sizeof(uint32_t) +
           (k->bits.capacity + k->percepts.capacity + k->made.capacity) * sizeof(uint64_t) +
           (k->state_table.mask + k->percept_table.mask + k->outcome_table.mask + 3) *
               sizeof(uint64_t);
}

static State view_of(const KnownStates *k, uint32_t state) {
    return (State){k->bits.items + (size_t)state * k->words, k->words};
}

static uint32_t find_state(const KnownStates *k, const State *state, uint64_t hash) {
    uint32_t id;
    for (TableProbe p = table_probe(&k->state_table, hash); table_next(&k->state_table, &p, &id);)
        if (memcmp(k->bits.items + (size_t)id * k->words, state->words,
                   k->words * sizeof(uint64_t)) == 0)
            return id;
    return KNOWN_NONE;
}

uint32_t known_states_find(const KnownStates *k, const State *state) {
    return find_state(k, state, state_hash(state));
}

static void end_state(KnownStates *k, uint32_t number, int goal) {
    KnownState *s = &k->states.items[number];
    s->is_terminal = s->is_expanded = s->is_bounded = true;
    s->goal = goal < 0 ? 0 : goal;
    s->bound = s->goal / 100.0;
    s->depth = 0;
    s->action_count = 0;
}

static uint32_t intern_state(KnownStates *k, const State *state, bool is_terminal) {
    uint64_t hash = state_hash(state);
    uint32_t id = find_state(k, state, hash);
    if (id != KNOWN_NONE)
        return id;
    id = (uint32_t)k->states.count;
    table_insert(&k->state_table, hash, id);
    uint64_t *bits = vector_extend(&k->bits, k->words);
    memcpy(bits, state->words, k->words * sizeof *bits);
    vector_push(&k->states, ((KnownState){.bound = k->highest, .depth = KNOWN_NONE}));
    for (size_t e = 0; k->group && e < k->group->items.count; e++)
        vector_push(&k->images, e ? KNOWN_NONE - IMAGE_UNKNOWN : id);
    if (is_terminal)
        end_state(k, id, game_goal(k->work, state, k->player));
    return id;
}

uint32_t known_states_add(KnownStates *k, const State *state) {
    return intern_state(k, state, game_is_terminal(k->work, state));
}

uint32_t known_states_image(KnownStates *k, uint32_t state, size_t element) {
    assert(state < k->states.count && element < k->group->items.count);
    uint32_t *image = &k->images.items[state * k->group->items.count + element];
    if (*image == KNOWN_NONE - IMAGE_UNKNOWN) {
        State view = view_of(k, state);
        symmetry_apply(&k->group->items.items[element], k->group->fluent_count, &view, &k->image);
        *image = find_state(k, &k->image, state_hash(&k->image));
    }
    return *image;
}

uint32_t known_states_action(const KnownStates *k, uint32_t state, uint32_t move, uint32_t guess) {
    const KnownState *s = &k->states.items[state];
    const uint32_t *moves = k->action_moves.items + s->first_action;
    if (guess < s->action_count && moves[guess] == move)
        return s->first_action + guess;
    for (uint32_t a = 0; a < s->action_count; a++)
        if (moves[a] == move)
            return s->first_action + a;
    return KNOWN_NONE;
}

void known_states_outcomes(const KnownStates *k, uint32_t state, uint32_t action, uint32_t *first,
                           uint32_t *end) {
    const KnownState *s = &k->states.items[state];
    assert(action >= s->first_action && action < s->first_action + s->action_count);
    *first = action > s->first_action ? k->action_ends.items[action - 1] : s->first_outcome;
    *end = k->action_ends.items[action];
}

/* Returns the number of the player's percepts, given by the reasoner's key. */
static uint32_t intern_percepts(KnownStates *k, const State *state, const uint32_t *joint,
                                uint64_t key) {
    uint32_t id;
    for (TableProbe p = table_probe(&k->percept_table, key);
         table_next(&k->percept_table, &p, &id);)
        if (k->percepts.items[id] == key)
            return id;
    id = (uint32_t)k->percepts.count;
    table_insert(&k->percept_table, key, id);
    vector_push(&k->percepts, key);
    if (!k->keeps_texts)
        return id;
    Text text = {0};
    game_sees(k->work, state, joint, k->player, &text);
    text_add(&text, "");
    vector_push(&k->percept_texts, text.items);
    return id;
}

/* Removes the outcomes of the state that is being expanded. */
static void drop_state(KnownStates *k) {
    KnownState *s = &k->states.items[k->drawn_state];
    k->outcomes.count = s->first_outcome;
    k->action_ends.count = k->action_moves.count = k->action_bounds.count = s->first_action;
    s->action_count = 0;
}

static void begin_action(KnownStates *k, KnownState *s, uint32_t move) {
    s->action_count++;
    vector_push(&k->action_moves, move);
    vector_push(&k->action_ends, (uint32_t)k->outcomes.count);
    vector_push(&k->action_bounds, k->highest);
    if (k->outcome_table.count >= MANY_OUTCOMES)
        table_clear(&k->outcome_table);
}

static bool count_again(KnownOutcome *o, uint32_t to, uint32_t percepts) {
    bool is_same = o->state == to && o->percepts == percepts;
    o->times += is_same;
    return is_same;
}

/* If the outcome already exists from `first` on, counts it once more and returns true. */
static bool repeat_outcome(KnownStates *k, size_t first, uint64_t hash, uint32_t to,
                           uint32_t percepts) {
    uint32_t id;
    for (size_t i = first; i < k->outcomes.count && i < first + FEW_OUTCOMES; i++)
        if (count_again(&k->outcomes.items[i], to, percepts))
            return true;
    if (k->outcomes.count < first + FEW_OUTCOMES)
        return false;
    for (TableProbe p = table_probe(&k->outcome_table, hash);
         table_next(&k->outcome_table, &p, &id);)
        if (id >= first && id < k->outcomes.count &&
            count_again(&k->outcomes.items[id], to, percepts))
            return true;
    return false;
}

/* Adds an outcome, in the order of states and moves. Equal outcomes of chance moves are merged. */
static void note_outcome(KnownStates *k, uint32_t from, uint32_t move, uint32_t to,
                         uint32_t percepts) {
    KnownState *s = &k->states.items[from];
    if (k->drawn_state != from) {
        s->first_outcome = (uint32_t)k->outcomes.count;
        s->first_action = (uint32_t)k->action_ends.count;
        s->action_count = 0;
        k->drawn_state = from;
    }
    if (!s->action_count || vector_last(&k->action_moves) != move)
        begin_action(k, s, move);
    size_t first =
        s->action_count > 1 ? k->action_ends.items[k->action_ends.count - 2] : s->first_outcome;
    uint64_t hash = hash_finish(hash_mix(hash_mix(first, to), percepts));
    if (repeat_outcome(k, first, hash, to, percepts))
        return;
    if (k->outcomes.count >= first + FEW_OUTCOMES)
        table_insert(&k->outcome_table, hash, (uint32_t)k->outcomes.count);
    vector_push(&k->outcomes, ((KnownOutcome){to, percepts, 1}));
    vector_last(&k->action_ends) = (uint32_t)k->outcomes.count;
}

/* Evaluates all queued joint moves. */
static void evaluate_draws(KnownStates *k) {
    uint32_t count = (uint32_t)k->draws.count;
    uint64_t keys[64], *percept_keys;
    if (!count)
        return;
    vector_clear(&k->made);
    uint64_t *made = vector_extend(&k->made, (size_t)count * (k->words + 1));
    percept_keys = made + (size_t)count * k->words;
    lane_batch_clear(k->lanes);
    for (uint32_t lane = 0, first = 0; lane < count; first = lane) {
        while (lane < count && k->draws.items[lane].state == k->draws.items[first].state)
            lane++;
        State view = view_of(k, k->draws.items[first].state);
        lane_batch_fill(k->lanes, first, lane, &view);
    }
    for (uint32_t lane = 0; lane < count; lane++)
        lane_batch_set_moves(k->lanes, lane, k->joints.items + k->draws.items[lane].joint);
    lane_batch_evaluate_next(k->lanes);
    lane_batch_next_words(k->lanes, count, made);
    lane_batch_evaluate_percepts(k->lanes);
    for (uint32_t lane = 0; lane < count; lane++) {
        lane_batch_percept_keys(k->lanes, lane, keys);
        percept_keys[lane] = keys[k->player];
    }
    lane_batch_advance(k->lanes);
    lane_batch_evaluate_answers(k->lanes);
    for (uint32_t lane = 0; lane < count; lane++) {
        const KnownDraw *draw = &k->draws.items[lane];
        State next = {made + (size_t)lane * k->words, k->words};
        State from = view_of(k, draw->state);
        uint32_t percepts =
            intern_percepts(k, &from, k->joints.items + draw->joint, percept_keys[lane]);
        uint32_t to = intern_state(k, &next, lane_batch_is_terminal(k->lanes, lane));
        note_outcome(k, draw->state, draw->move, to, percepts);
    }
    vector_clear(&k->draws);
    vector_clear(&k->joints);
}

static bool is_too_large(const KnownStates *k, SolvingBudget *budget) {
    return solving_is_too_large(budget, budget->other_bytes + known_states_bytes(k));
}

/* Evaluates the queue. False if the budget is spent afterwards. */
static bool finish_draws(KnownStates *k, SolvingBudget *budget) {
    uint64_t work = k->draws.count;
    evaluate_draws(k);
    return !is_too_large(k, budget) && !solving_is_over(budget, work);
}

/* Queues all joint moves of the others with one move of the player. */
static bool line_up_draws(KnownStates *k, uint32_t state, uint32_t move, uint64_t draws,
                          SolvingBudget *budget) {
    for (uint64_t draw = 0; draw < draws; draw++) {
        uint64_t left = draw;
        vector_push(&k->draws, ((KnownDraw){state, move, (uint32_t)k->joints.count}));
        for (uint32_t r = 0; r < k->roles; r++) {
            size_t count = k->legal[r].count;
            vector_push(&k->joints, r == k->player ? move : k->legal[r].items[left % count]);
            left /= r == k->player ? 1 : count;
        }
        if (k->draws.count < LANES)
            continue;
        if (!finish_draws(k, budget) && draw + 1 < draws)
            return false;
    }
    return true;
}

/* Queues all joint moves of the state. */
static bool line_up(KnownStates *k, uint32_t number, SolvingBudget *budget) {
    State view = view_of(k, number);
    double draws = 1;
    for (uint32_t r = 0; r < k->roles; r++) {
        game_legal(k->work, &view, r, &k->legal[r]);
        draws *= r == k->player && k->legal[r].count ? 1 : (double)k->legal[r].count;
    }
    if (draws < 1) {
        end_state(k, number, 0);
        return true;
    }
    if (draws > UINT32_MAX) {
        budget->is_over = true;
        return false;
    }
    k->states.items[number].draws = (uint32_t)draws;
    for (size_t a = 0; a < k->legal[k->player].count; a++)
        if (budget->is_over ||
            !line_up_draws(k, number, k->legal[k->player].items[a], (uint64_t)draws, budget))
            return false;
    return true;
}

/* Expands the next state of a batch. False if the budget is spent. */
static bool expand_next(KnownStates *k, uint32_t number, SolvingBudget *budget) {
    if (k->states.items[number].is_expanded)
        return true;
    solving_is_over(budget, 1);
    return line_up(k, number, budget);
}

/* Expands states in order. If the budget is spent, those that are finished stay expanded. */
static bool expand_all(KnownStates *k, const uint32_t *numbers, size_t count,
                       SolvingBudget *budget) {
    size_t done = 0;
    k->drawn_state = KNOWN_NONE;
    while (done < count && !budget->is_over && expand_next(k, numbers[done], budget))
        done++;
    finish_draws(k, budget);
    if (done < count && k->drawn_state == numbers[done])
        drop_state(k);
    for (size_t i = 0; i < done; i++)
        k->states.items[numbers[i]].is_expanded = true;
    return done == count;
}

bool known_states_expand(KnownStates *k, uint32_t state, SolvingBudget *budget) {
    assert(state < k->states.count);
    return k->states.items[state].is_expanded || expand_all(k, &state, 1, budget);
}

static uint32_t end_of_outcomes(const KnownStates *k, const KnownState *s) {
    return s->action_count ? k->action_ends.items[s->first_action + s->action_count - 1]
                           : s->first_outcome;
}

static void list_state(KnownStates *k, uint32_t state) {
    if (k->states.items[state].is_listed)
        return;
    k->states.items[state].is_listed = true;
    vector_push(&k->list, state);
}

/* Lists the successors unless the state is bounded. Returns the number of steps taken. */
static uint64_t list_successors(KnownStates *k, uint32_t state) {
    const KnownState *s = &k->states.items[state];
    uint32_t end = end_of_outcomes(k, s);
    if (s->is_bounded)
        return 1;
    for (uint32_t o = s->first_outcome; o < end; o++)
        list_state(k, k->outcomes.items[o].state);
    return 1 + (end - s->first_outcome);
}

static void start_list(KnownStates *k, const uint32_t *from, size_t count) {
    bool is_same = count == k->from_count && memcmp(k->list.items, from, count * sizeof *from) == 0;
    if (is_same && count)
        return;
    for (size_t i = 0; i < k->list.count; i++)
        k->states.items[k->list.items[i]].is_listed = false;
    vector_clear(&k->list);
    for (size_t i = 0; i < count; i++)
        list_state(k, from[i]);
    k->from_count = k->layer_end = k->list.count;
    k->explored = 0;
    k->layer = 0;
}

/* Computes a bound from those of the successors. A state on the current path still has the highest
 * possible bound, so that cycles are safe. */
static void bound_state(KnownStates *k, uint32_t number) {
    KnownState *s = &k->states.items[number];
    uint32_t o = s->first_outcome, depth = 0;
    double most = 0;
    for (uint32_t a = 0; a < s->action_count; a++) {
        double sum = 0;
        for (; o < k->action_ends.items[s->first_action + a]; o++) {
            const KnownOutcome *outcome = &k->outcomes.items[o];
            const KnownState *next = &k->states.items[outcome->state];
            sum += outcome->times * next->bound;
            if (next->depth == KNOWN_NONE)
                depth = KNOWN_NONE;
            else if (depth != KNOWN_NONE && depth <= next->depth)
                depth = next->depth + 1;
        }
        k->action_bounds.items[s->first_action + a] = sum / s->draws;
        most = sum / s->draws > most ? sum / s->draws : most;
    }
    s->bound = most;
    s->depth = depth;
    s->is_bounded = true;
    s->is_open = false;
}

/* Starts a new path and abandons an unfinished one; bounds below it stay. */
static void start_path(KnownStates *k, uint32_t root) {
    for (size_t i = 0; i < k->path.count; i += 2)
        k->states.items[k->path.items[i]].is_open = false;
    vector_clear(&k->path);
    vector_push(&k->path, root);
    vector_push(&k->path, k->states.items[root].first_outcome);
    k->states.items[root].is_open = true;
}

/* Computes bounds depth first. False if the budget is spent. */
static bool bound_below(KnownStates *k, uint32_t root, SolvingBudget *budget) {
    start_path(k, root);
    while (k->path.count) {
        if (solving_has_passed(budget, 1))
            return false;
        uint32_t at = k->path.items[k->path.count - 2];
        const KnownState *s = &k->states.items[at];
        if (vector_last(&k->path) == end_of_outcomes(k, s)) {
            solving_has_passed(budget, end_of_outcomes(k, s) - s->first_outcome);
            bound_state(k, at);
            k->path.count -= 2;
            continue;
        }
        uint32_t next = k->outcomes.items[vector_last(&k->path)++].state;
        KnownState *n = &k->states.items[next];
        if (!n->is_expanded || n->is_bounded || n->is_open)
            continue;
        n->is_open = true;
        vector_push(&k->path, next);
        vector_push(&k->path, k->states.items[next].first_outcome);
    }
    return !is_too_large(k, budget);
}

bool known_states_explore(KnownStates *k, const uint32_t *from, size_t count, uint32_t turns,
                          SolvingBudget *budget) {
    start_list(k, from, count);
    while (k->explored < k->list.count && k->layer < turns) {
        size_t some = k->layer_end - k->explored;
        uint64_t steps = 0;
        some = some > STATES_AT_ONCE ? STATES_AT_ONCE : some;
        if (!expand_all(k, k->list.items + k->explored, some, budget))
            return false;
        for (size_t i = 0; i < some; i++)
            steps += list_successors(k, k->list.items[k->explored + i]);
        k->explored += some;
        if (k->explored == k->layer_end) {
            k->layer++;
            k->layer_end = k->list.count;
        }
        if (is_too_large(k, budget) || solving_has_passed(budget, steps))
            return false;
    }
    for (size_t i = 0; i < k->from_count; i++)
        if (k->states.items[k->list.items[i]].is_expanded &&
            !k->states.items[k->list.items[i]].is_bounded &&
            !bound_below(k, k->list.items[i], budget))
            return false;
    return !budget->is_over;
}
