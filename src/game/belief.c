/* Every filter makes the same step for a turn: list the successors of the states, by all joint
 * moves or by some drawn at random, keep those that explain the percept, and merge equal ones. */
#include "game/belief.h"

#include <assert.h>
#include <string.h>

#include "base/table.h"
#include "game/belief_internal.h"
#include "game/upgrade.h"

enum {
    DEFAULT_STATES = 32768,     /* most states of an exact filter (untuned) */
    DEFAULT_PARTICLES = 1024,   /* size of a sample (untuned) */
    DEFAULT_SUCCESSORS = 65536, /* most successors of an exact step (untuned) */
    MAX_DRAWS = 64,             /* draws per particle before a turn is given up (untuned) */
    MAX_PATHS = 256,            /* most matches found when the match is replayed (untuned) */
    STEPS_PER_PATH = 4096,      /* most turns tried for one of them, dead ends included (untuned) */
};

uint64_t belief_open_knowledge(uint32_t role, const State *state) {
    return hash_finish(hash_mix(state_hash(state), role + 1));
}

uint64_t belief_knowledge(uint64_t knowledge, uint32_t move, uint64_t percept_key) {
    return hash_finish(hash_mix(hash_mix(knowledge, move + 1), percept_key));
}

void belief_state_free(BeliefState *s) {
    state_free(&s->state);
    free(s->knowledge);
}

void belief_states_free(BeliefStates *states) {
    for (size_t i = 0; i < states->count; i++)
        belief_state_free(&states->items[i]);
    vector_free(states);
}

void belief_clear(Belief *belief) {
    belief_states_free(&belief->states);
    *belief = (Belief){.kind = BELIEF_LOST};
}

BeliefState belief_state_copy(const BeliefState *from, uint32_t roles) {
    BeliefState copy = {.weight = from->weight,
                        .sum = from->sum,
                        .knowledge = memory_alloc(roles * sizeof *copy.knowledge)};
    state_copy(&copy.state, &from->state);
    memcpy(copy.knowledge, from->knowledge, roles * sizeof *copy.knowledge);
    return copy;
}

void belief_copy(Belief *to, const Belief *from, uint32_t role_count) {
    belief_clear(to);
    to->kind = from->kind;
    for (size_t i = 0; i < from->states.count; i++)
        vector_push(&to->states, belief_state_copy(&from->states.items[i], role_count));
}

void belief_set_state(Belief *belief, const State *state, uint32_t role_count) {
    belief_clear(belief);
    belief->kind = BELIEF_EXACT;
    BeliefState only = {.weight = 1,
                        .sum = 1,
                        .knowledge = memory_alloc((role_count + 1) * sizeof *only.knowledge)};
    state_copy(&only.state, state);
    for (uint32_t r = 0; r < role_count; r++)
        only.knowledge[r] = belief_open_knowledge(r, state);
    vector_push(&belief->states, only);
}

static void forget(BeliefFilter *f) {
    for (size_t i = 0; i < f->history.count; i++)
        memory_free(f->history.items[i].move, f->history.items[i].percepts);
    vector_clear(&f->history);
    belief_state_free(&f->start);
}

void belief_reveal(BeliefFilter *f, const State *state) {
    belief_set_state(&f->belief, state, f->game->role_count);
    forget(f);
    f->start = belief_state_copy(&f->belief.states.items[0], f->game->role_count);
}

BeliefFilter *belief_create(Game *game, uint32_t role, const BeliefOptions *options,
                            uint64_t seed) {
    assert(role < game->role_count);
    BeliefFilter *f = memory_zalloc(sizeof *f);
    struct BeliefScratch *s = memory_zalloc(sizeof *s);
    State state = {0};
    size_t roles = game->role_count + 1;
    *f = (BeliefFilter){.game = game, .role = role, .scratch = s};
    f->work = game_work_create(game, REASONER_AUTO);
    f->options = options ? *options : (BeliefOptions){0};
    if (!f->options.max_states)
        f->options.max_states = DEFAULT_STATES;
    if (!f->options.particles)
        f->options.particles = DEFAULT_PARTICLES;
    if (!f->options.max_successors)
        f->options.max_successors = DEFAULT_SUCCESSORS;
    random_seed(&f->random, seed);
    f->is_chance = memory_zalloc(roles * sizeof *f->is_chance);
    for (uint32_t r = 0; r < game->role_count; r++)
        f->is_chance[r] = game_is_chance(game, r);
    s->legal = memory_zalloc(roles * sizeof *s->legal);
    s->joint = memory_zalloc(roles * sizeof *s->joint);
    s->index = memory_zalloc(roles * sizeof *s->index);
    s->keys = memory_zalloc(roles * sizeof *s->keys);
    game_initial(f->work, &state);
    belief_reveal(f, &state);
    state_free(&state);
    return f;
}

void belief_free(BeliefFilter *f) {
    if (!f)
        return;
    forget(f);
    for (uint32_t r = 0; r < f->game->role_count; r++)
        vector_free(&f->scratch->legal[r]);
    vectors_free(&f->scratch->seen, &f->history);
    memory_free(f->scratch->legal, f->scratch->joint, f->scratch->index, f->scratch->keys,
                f->scratch);
    belief_clear(&f->belief);
    game_work_free(f->work);
    memory_free(f->is_chance, f);
}

size_t belief_draw(const Belief *belief, Random *random) {
    const BeliefStates *states = &belief->states;
    assert(states->count);
    size_t low = 0, high = states->count - 1;
    double drawn = random_double(random) * states->items[high].sum;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (states->items[middle].sum > drawn)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void add_up(BeliefStates *states) {
    double sum = 0;
    for (size_t i = 0; i < states->count; i++)
        states->items[i].sum = sum += states->items[i].weight;
}

void belief_legal(const Belief *belief, GameWork *work, uint32_t role, U32Vector *moves) {
    U32Vector legal = {0};
    size_t likeliest = 0;
    vector_clear(moves);
    for (size_t i = 0; i < belief->states.count; i++) {
        if (belief->states.items[i].weight > belief->states.items[likeliest].weight)
            likeliest = i;
        game_legal(work, &belief->states.items[i].state, role, i ? &legal : moves);
        if (i)
            u32_intersect(moves, &legal);
    }
    if (!moves->count && belief->states.count)
        game_legal(work, &belief->states.items[likeliest].state, role, moves);
    vector_free(&legal);
}

double belief_move_probability(const BeliefFilter *f, const BeliefState *from,
                               const BeliefModel *model, uint32_t role, size_t i) {
    const U32Vector *legal = &f->scratch->legal[role];
    if (role == f->role)
        return 1;
    if (f->is_chance[role] || !model || !model->probability)
        return 1 / (double)legal->count;
    return model->probability(model->context, role, from->knowledge[role], legal->items[i],
                              legal->count);
}

uint64_t belief_list_joints(BeliefFilter *f, const State *state, BeliefTurn *turn, uint64_t most) {
    uint64_t product = 1;
    if (game_is_terminal(f->work, state))
        return 0;
    for (uint32_t r = 0; r < f->game->role_count; r++) {
        U32Vector *legal = &f->scratch->legal[r];
        game_legal(f->work, state, r, legal);
        if (r == f->role) {
            if (turn->number == MOVE_NONE)
                turn->number = game_find_move(f->work, r, turn->move, strlen(turn->move));
            if (!u32_contains(legal, turn->number))
                return 0;
            vector_clear(legal);
            vector_push(legal, turn->number);
        }
        if (__builtin_mul_overflow(product, (uint64_t)legal->count, &product) || product > most)
            product = most;
    }
    return product;
}

bool belief_explains(BeliefFilter *f, const State *state, BeliefTurn *turn) {
    struct BeliefScratch *s = f->scratch;
    game_percept_keys(f->work, state, s->joint, s->keys);
    if (turn->has_key)
        return s->keys[f->role] == turn->key;
    text_clear(&s->seen);
    game_sees(f->work, state, s->joint, f->role, &s->seen);
    if (strcmp(text_string(&s->seen), turn->percepts) != 0)
        return false;
    turn->has_key = true;
    turn->key = s->keys[f->role];
    return true;
}

void belief_add_successor(BeliefFilter *f, const BeliefState *from, const BeliefTurn *turn,
                          double weight, BeliefStates *list) {
    const struct BeliefScratch *s = f->scratch;
    uint32_t roles = f->game->role_count;
    BeliefState next = {.weight = weight};
    game_next(f->work, &from->state, s->joint, &next.state);
    if (turn->goes_on && game_is_terminal(f->work, &next.state)) {
        state_free(&next.state);
        return;
    }
    next.knowledge = memory_alloc(roles * sizeof *next.knowledge);
    /* Chance plays uniformly whatever it did before, so its information set is not tracked. */
    for (uint32_t r = 0; r < roles; r++)
        next.knowledge[r] =
            f->is_chance[r] ? 0 : belief_knowledge(from->knowledge[r], s->joint[r], s->keys[r]);
    vector_push(list, next);
}

void belief_draw_joint(BeliefFilter *f, const BeliefState *from, const BeliefModel *model) {
    struct BeliefScratch *s = f->scratch;
    for (uint32_t r = 0; r < f->game->role_count; r++) {
        const U32Vector *legal = &s->legal[r];
        size_t chosen = 0;
        if (legal->count > 1 && (f->is_chance[r] || !model || !model->probability)) {
            chosen = random_below(&f->random, legal->count);
        } else if (legal->count > 1) {
            double left = random_double(&f->random);
            while (chosen + 1 < legal->count &&
                   (left -= belief_move_probability(f, from, model, r, chosen)) >= 0)
                chosen++;
        }
        s->joint[r] = legal->items[chosen];
    }
}

bool belief_next_joint(BeliefFilter *f) {
    for (uint32_t r = 0; r < f->game->role_count; r++) {
        if (++f->scratch->index[r] < f->scratch->legal[r].count)
            return true;
        f->scratch->index[r] = 0;
    }
    return false;
}

/* Appends the successors of a state that explain the percept: by all joint moves if there are at
 * most `most`, else by so many drawn at random. The list is incomplete if time runs out. */
static void add_successors(BeliefFilter *f, const BeliefState *from, BeliefTurn *turn,
                           const BeliefModel *model, uint64_t most, Deadline deadline,
                           BeliefStates *list) {
    struct BeliefScratch *s = f->scratch;
    uint64_t joints = belief_list_joints(f, &from->state, turn, most + 1);
    if (!joints)
        return;
    if (joints > most) {
        for (uint64_t i = 0; i < most; i++) {
            belief_draw_joint(f, from, model);
            if (belief_explains(f, &from->state, turn))
                belief_add_successor(f, from, turn, from->weight / (double)most, list);
        }
        return;
    }
    memset(s->index, 0, f->game->role_count * sizeof *s->index);
    do {
        double weight = from->weight;
        for (uint32_t r = 0; r < f->game->role_count; r++) {
            s->joint[r] = s->legal[r].items[s->index[r]];
            weight *= belief_move_probability(f, from, model, r, s->index[r]);
        }
        if (weight > 0 && belief_explains(f, &from->state, turn))
            belief_add_successor(f, from, turn, weight, list);
    } while (belief_next_joint(f) && !deadline_passed(deadline));
}

static uint64_t hash_of(const BeliefState *s, uint32_t roles) {
    uint64_t hash = state_hash(&s->state);
    for (uint32_t r = 0; r < roles; r++)
        hash = hash_mix(hash, s->knowledge[r]);
    return hash_finish(hash);
}

/* Merges equal states and normalises the weights. */
static void merge(BeliefStates *states, uint32_t roles) {
    Table table = {0};
    size_t kept = 0;
    double sum = 0;
    for (size_t i = 0; i < states->count; i++) {
        BeliefState *s = &states->items[i];
        uint64_t hash = hash_of(s, roles);
        uint32_t id, found = UINT32_MAX;
        for (TableProbe p = table_probe(&table, hash);
             found == UINT32_MAX && table_next(&table, &p, &id);)
            if (state_equal(&states->items[id].state, &s->state) &&
                memcmp(states->items[id].knowledge, s->knowledge, roles * sizeof *s->knowledge) ==
                    0)
                found = id;
        sum += s->weight;
        if (found != UINT32_MAX) {
            states->items[found].weight += s->weight;
            belief_state_free(s);
            continue;
        }
        table_insert(&table, hash, (uint32_t)kept);
        states->items[kept++] = *s;
    }
    states->count = kept;
    for (size_t i = 0; i < kept; i++)
        states->items[i].weight /= sum;
    table_free(&table);
}

/* Systematic resampling (Kitagawa 1996): `wanted` particles, each state in proportion to its
 * weight. */
static void resample(BeliefFilter *f, BeliefStates *states, size_t wanted) {
    size_t kept = 0, drawn = 0;
    double sum = 0, start = random_double(&f->random);
    for (size_t i = 0; i < states->count; i++) {
        BeliefState *s = &states->items[i];
        size_t copies = 0;
        for (sum += s->weight * (double)wanted; drawn < wanted && start + (double)drawn < sum;
             drawn++)
            copies++;
        s->weight = (double)copies / (double)wanted;
        if (copies)
            states->items[kept++] = *s;
        else
            belief_state_free(s);
    }
    states->count = kept;
}

/* True if all successors of all states are within the limit and the time. */
static bool is_affordable(BeliefFilter *f, BeliefTurn *turn, Deadline deadline) {
    uint64_t sum = 0, most = f->options.max_successors;
    const BeliefStates *states = &f->belief.states;
    for (size_t i = 0; i < states->count && sum <= most; i++) {
        sum += belief_list_joints(f, &states->items[i].state, turn, most + 1);
        if (deadline_passed(deadline))
            return false;
    }
    return sum <= most;
}

/* Makes all successors of all states. False if time ran out. */
static bool step_fully(BeliefFilter *f, BeliefTurn *turn, const BeliefModel *model,
                       Deadline deadline, BeliefStates *list) {
    for (size_t i = 0; i < f->belief.states.count; i++) {
        add_successors(f, &f->belief.states.items[i], turn, model, UINT64_MAX - 1, deadline, list);
        if (deadline_passed(deadline))
            return false;
    }
    return true;
}

/* Draws a state and a joint move until there are enough that explain the percept. If none is found
 * in half of the time, the rest is left for replaying the match. */
static void step_by_sampling(BeliefFilter *f, BeliefTurn *turn, const BeliefModel *model,
                             Deadline deadline, BeliefStates *list) {
    size_t wanted = f->options.particles;
    Deadline half = deadline_in(deadline_left(deadline) / 2);
    for (size_t trial = 0; trial < wanted * MAX_DRAWS && list->count < wanted &&
                           !deadline_passed(list->count ? deadline : half);
         trial++) {
        BeliefState drawn = f->belief.states.items[belief_draw(&f->belief, &f->random)];
        drawn.weight = 1;
        add_successors(f, &drawn, turn, model, 1, deadline, list);
    }
}

/* Draws a state by weight and removes it from the list. Its weight becomes that of the whole
 * list. */
static BeliefState take_one(BeliefFilter *f, BeliefStates *states) {
    double sum = 0;
    for (size_t i = 0; i < states->count; i++)
        sum += states->items[i].weight;
    double left = random_double(&f->random) * sum;
    size_t chosen = 0;
    while (chosen + 1 < states->count && (left -= states->items[chosen].weight) >= 0)
        chosen++;
    BeliefState taken = states->items[chosen];
    taken.weight = sum;
    states->items[chosen] = vector_pop(states);
    return taken;
}

typedef VECTOR(BeliefStates) BeliefPath;

/* Finds one match that explains all percepts, by depth-first search in random order. Each turn
 * keeps its other successors for backtracking. The weight of the result is the total weight of the
 * successors that agreed with the last percept. */
static bool find_match(BeliefFilter *f, const BeliefModel *model, Deadline deadline,
                       BeliefPath *path, BeliefState *found) {
    size_t turns = f->history.count, depth = 0;
    BeliefState now = belief_state_copy(&f->start, f->game->role_count);
    bool is_dead = false;
    for (size_t step = 0; depth < turns && !is_dead; step++) {
        BeliefStates *next = &path->items[depth];
        add_successors(f, &now, &f->history.items[depth], model, BELIEF_MAX_WIDTH, deadline, next);
        belief_state_free(&now);
        now = (BeliefState){0};
        size_t at = depth;
        while (!path->items[at].count && at)
            at--;
        is_dead = !path->items[at].count || step == STEPS_PER_PATH || deadline_passed(deadline);
        if (is_dead)
            break;
        now = take_one(f, &path->items[at]);
        depth = at + 1;
    }
    for (size_t i = 0; i < turns; i++)
        belief_states_free(&path->items[i]);
    *found = now;
    return !is_dead;
}

/* Replays the match from its start several times. If that finds only dead ends, matches are
 * repaired at an earlier turn (belief_repair.c). */
static void rebuild(BeliefFilter *f, const BeliefModel *model, Deadline deadline,
                    BeliefStates *list) {
    BeliefPath path = {0};
    BeliefState found;
    Deadline third = deadline_in(deadline_left(deadline) / 3);
    for (size_t i = 0; i < f->history.count; i++)
        vector_push(&path, ((BeliefStates){0}));
    for (size_t i = 0; i < MAX_PATHS && find_match(f, model, third, &path, &found); i++)
        vector_push(list, found);
    for (size_t i = list->count; i < MAX_PATHS && belief_repair(f, model, deadline, &found); i++)
        vector_push(list, found);
    vector_free(&path);
}

/* Tries the methods in order of cost until one finds a state. */
static BeliefKind step(BeliefFilter *f, const BeliefModel *model, Deadline deadline,
                       BeliefStates *list) {
    BeliefTurn *turn = &vector_last(&f->history);
    BeliefKind kind = f->belief.kind;
    Deadline half = deadline_in(deadline_left(deadline) / 2);
    bool is_full = kind != BELIEF_LOST && is_affordable(f, turn, half) &&
                   step_fully(f, turn, model, half, list);
    if (kind != BELIEF_LOST && !is_full) {
        belief_states_free(list);
        kind = BELIEF_SAMPLED;
        step_by_sampling(f, turn, model, deadline, list);
    }
    /* An exact step has seen all possible states; nothing else can be found. */
    if (!list->count && kind != BELIEF_EXACT) {
        kind = BELIEF_SAMPLED;
        rebuild(f, model, deadline, list);
    }
    return list->count ? kind : BELIEF_LOST;
}

BeliefKind belief_observe(BeliefFilter *f, const char *move, const char *percepts, bool goes_on,
                          const BeliefModel *model, Deadline deadline) {
    assert(move && percepts);
    BeliefTurn turn = {.move = memory_strdup(move),
                       .number = MOVE_NONE,
                       .percepts = memory_strdup(percepts),
                       .goes_on = goes_on};
    BeliefStates list = {0};
    vector_push(&f->history, turn);
    BeliefKind kind = step(f, model, deadline, &list);
    merge(&list, f->game->role_count);
    if (list.count > f->options.max_states) {
        kind = BELIEF_SAMPLED;
        resample(f, &list, f->options.particles);
    }
    add_up(&list);
    belief_clear(&f->belief);
    f->belief = (Belief){list, kind};
    return kind;
}

static bool translate(const BeliefFilter *f, GameWork *work, BeliefState *s) {
    State state = {0};
    game_initial(work, &state);
    bool possible = state_translate(f->work, &s->state, work, &state);
    state_free(&s->state);
    s->state = state;
    return possible;
}

/* Names of information sets do not depend on the numbering of a game, so they stay. */
bool belief_translate(BeliefFilter *f, Game *game) {
    assert(game->role_count == f->game->role_count);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    BeliefFilter new = {.game = game, .work = work};
    new.start = belief_state_copy(&f->start, f->game->role_count);
    belief_copy(&new.belief, &f->belief, f->game->role_count);
    bool possible = translate(f, work, &new.start);
    for (size_t i = 0; i < new.belief.states.count &&possible; i++)
        possible = translate(f, work, &new.belief.states.items[i]);
    BeliefFilter dropped = possible ? *f : new;
    if (possible) {
        f->work = work;
        f->belief = new.belief;
        f->start = new.start;
        f->game = game;
        for (size_t i = 0; i < f->history.count; i++) {
            f->history.items[i].number = MOVE_NONE;
            f->history.items[i].has_key = false;
        }
    }
    belief_clear(&dropped.belief);
    belief_state_free(&dropped.start);
    game_work_free(dropped.work);
    return possible;
}
