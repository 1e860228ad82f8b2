/* Examines all states of a game by breadth-first search from the initial state over all joint
 * moves, or some sampled states. A table contains each state once. */
#include "analysis/facts/fragments_states.h"

#include <assert.h>
#include <string.h>

#include "base/table.h"

enum {
    MAX_TURNS = 100000,         /* joint moves tried before the search gives up (untuned) */
    MOVES_BETWEEN_CHECKS = 256, /* joint moves between two looks at the clock (untuned) */
    MAX_JOINT_STATES = 100,     /* sampled states in which other joint moves are tried (untuned) */
    MAX_JOINT_MOVES = 256       /* joint moves tried per sampled state (untuned) */
};

typedef struct {
    Game *game;
    GameWork *work;
    VECTOR(State) states;
    Table table;
    U32Vector *legal;       /* by role: its legal moves in the current state */
    U32Vector first;        /* legal moves of chance in the first examined state */
    uint32_t *index;        /* by role: index in `legal` of its next move */
    uint32_t *joint;        /* by role: its move in the current joint move */
    uint64_t *keys;         /* by role: key of its percepts */
    KnowledgeVector *shown; /* by role: what each joint move of the current state shows it */
    State next;
    uint64_t turns;
    CpuBudget budget;
    StateFragments found;
    bool is_sampled; /* only joint moves are examined, and no further states are reached */
    uint32_t chance; /* the role of chance; role_count if there is none */
    Arena arena;     /* owns the arrays indexed by role */
} Walk;

/* Returns the least common multiple of two numbers; 0 if it is too large or one of them is 0. */
static uint32_t common_twin(uint32_t a, uint32_t b) {
    if (!a || !b)
        return 0;
    uint64_t x = a, y = b;
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    uint64_t multiple = a / x * b;
    return multiple <= MAX_TWIN_MOVES ? (uint32_t)multiple : 0;
}

static int compare_knowledge(const void *a, const void *b) {
    const Knowledge *x = a, *y = b;
    if (x->known != y->known)
        return (x->known > y->known) - (x->known < y->known);
    return (x->fact > y->fact) - (x->fact < y->fact);
}

bool knowledge_decides(KnowledgeVector *list) {
    vector_sort(list, compare_knowledge);
    for (size_t i = 1; i < list->count; i++)
        if (list->items[i].known == list->items[i - 1].known &&
            list->items[i].fact != list->items[i - 1].fact)
            return false;
    return true;
}

void fragments_add_chance(StateFragments *f, U32Vector *first, const uint32_t *moves,
                          size_t count) {
    if (f->chance_states++ == 0)
        vector_append(first, moves, count);
    if (count)
        f->twin_moves = common_twin(f->twin_moves, (uint32_t)count);
    if (count != first->count)
        f->oblivious = OBLIVIOUS_NOT;
    else if (f->oblivious == OBLIVIOUS_SEMANTIC && count &&
             memcmp(moves, first->items, count * sizeof *moves) != 0)
        f->oblivious = OBLIVIOUS_WEAK;
}

bool fragments_same_percepts(const Game *game, const uint64_t *keys) {
    uint32_t any = UINT32_MAX;
    for (uint32_t r = 0; r < game->role_count; r++) {
        if (game_is_chance(game, r))
            continue;
        any = any == UINT32_MAX ? r : any;
        if (keys[r] != keys[any])
            return false;
    }
    return true;
}

/* Adds what the joint move and the percepts tell the role, and the moves of the other players. */
static void add_shown(Walk *w, uint32_t role) {
    uint64_t others = 1;
    for (uint32_t r = 0; r < w->game->role_count; r++)
        if (r != role && r != w->chance)
            others = hash_mix(others, w->joint[r]);
    uint64_t own = hash_mix(hash_mix(1, w->joint[role]), w->keys[role]);
    vector_push(&w->shown[role], ((Knowledge){hash_finish(own), hash_finish(others)}));
}

static void add_state(Walk *w, const State *state) {
    uint64_t hash = state_hash(state);
    uint32_t id;
    for (TableProbe p = table_probe(&w->table, hash); table_next(&w->table, &p, &id);)
        if (state_equal(&w->states.items[id], state))
            return;
    State copy = {0};
    state_copy(&copy, state);
    table_insert(&w->table, hash, (uint32_t)w->states.count);
    vector_push(&w->states, copy);
}

static void look_at_turn(Walk *w, const State *state) {
    game_percept_keys(w->work, state, w->joint, w->keys);
    for (uint32_t r = 0; r < w->game->role_count; r++)
        if (r != w->chance)
            add_shown(w, r);
    if (w->is_sampled)
        return;
    w->found.perceive_the_same &= fragments_same_percepts(w->game, w->keys);
    game_next(w->work, state, w->joint, &w->next);
    add_state(w, &w->next);
}

/* Sets the joint move of the indices and advances these. False after the last joint move. */
static bool next_joint(Walk *w) {
    bool has_more = false;
    for (uint32_t r = 0; r < w->game->role_count; r++)
        w->joint[r] = w->legal[r].items[w->index[r]];
    for (uint32_t r = 0; r < w->game->role_count && !has_more; r++) {
        has_more = ++w->index[r] < w->legal[r].count;
        w->index[r] = has_more ? w->index[r] : 0;
    }
    return has_more;
}

/* Examines all joint moves of a state. False if the search must give up. */
static bool look_at_state(Walk *w, const State *state) {
    if (game_is_terminal(w->work, state))
        return true;
    for (uint32_t r = 0; r < w->game->role_count; r++) {
        game_legal(w->work, state, r, &w->legal[r]);
        if (!w->legal[r].count)
            return true;
        vector_clear(&w->shown[r]);
    }
    if (w->chance < w->game->role_count)
        fragments_add_chance(&w->found, &w->first, w->legal[w->chance].items,
                             w->legal[w->chance].count);
    memset(w->index, 0, w->game->role_count * sizeof *w->index);
    uint32_t most = w->is_sampled ? MAX_JOINT_MOVES : UINT32_MAX;
    for (bool has_more = true; has_more && most > 0; most--) {
        has_more = next_joint(w);
        if (++w->turns > MAX_TURNS ||
            (w->turns % MOVES_BETWEEN_CHECKS == 0 && cpu_budget_spent(w->budget)))
            return false;
        look_at_turn(w, state);
    }
    for (uint32_t r = 0; r < w->game->role_count; r++)
        w->found.moves_public &= knowledge_decides(&w->shown[r]);
    return true;
}

static Walk open_walk(Game *game, CpuBudget budget, bool is_sampled) {
    size_t roles = game->role_count + 1;
    Walk w = {.game = game,
              .work = game_work_create(game, REASONER_AUTO),
              .budget = budget,
              .found = fragments_of_nothing(),
              .chance = game->chance_role,
              .is_sampled = is_sampled};
    w.legal = arena_zalloc(&w.arena, roles * sizeof *w.legal);
    w.shown = arena_zalloc(&w.arena, roles * sizeof *w.shown);
    w.index = arena_zalloc(&w.arena, roles * sizeof *w.index);
    w.joint = arena_zalloc(&w.arena, roles * sizeof *w.joint);
    w.keys = arena_zalloc(&w.arena, roles * sizeof *w.keys);
    return w;
}

static void close_walk(Walk *w) {
    for (size_t i = 0; i < w->states.count; i++)
        state_free(&w->states.items[i]);
    for (uint32_t r = 0; r < w->game->role_count; r++)
        vectors_free(&w->legal[r], &w->shown[r]);
    vectors_free(&w->states, &w->first);
    table_free(&w->table);
    state_free(&w->next);
    arena_free(&w->arena);
    game_work_free(w->work);
}

bool fragments_of_all_states(Game *game, CpuBudget budget, StateFragments *found) {
    Walk w = open_walk(game, budget, false);
    game_initial(w.work, &w.next);
    add_state(&w, &w.next);
    bool is_complete = true;
    State state = {0};
    for (size_t i = 0; i < w.states.count && is_complete; i++) {
        state_copy(&state, &w.states.items[i]);
        is_complete = look_at_state(&w, &state);
    }
    *found = w.found;
    found->states = w.states.count;
    state_free(&state);
    close_walk(&w);
    return is_complete;
}

bool fragments_show_moves(const Samples *s, CpuBudget budget) {
    Walk w = open_walk(s->game, budget, true);
    size_t stride = s->items.count / MAX_JOINT_STATES + 1;
    for (size_t i = 0; i < s->items.count && w.found.moves_public && !cpu_budget_spent(budget);
         i += stride)
        if (s->items.items[i].has_next && !look_at_state(&w, &s->items.items[i].state))
            break;
    close_walk(&w);
    return w.found.moves_public;
}
