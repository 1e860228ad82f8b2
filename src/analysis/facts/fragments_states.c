/* Examines all states of a game by breadth-first search from the initial state over all joint
 * moves. A table contains each state once. */
#include "analysis/facts/fragments_states.h"

#include <assert.h>
#include <string.h>

#include "base/table.h"

enum {
    MOST_TURNS = 100000, /* joint moves tried before the search gives up (guess) */
    CLOCK_EVERY = 256    /* joint moves between two looks at the clock (guess) */
};

typedef struct {
    Game *game;
    GameWork *work;
    VECTOR(State) states;
    Table table;
    U32Vector *legal;   /* by role: its legal moves in the current state */
    U32Vector first;    /* legal moves of chance in the first examined state */
    uint32_t *index;    /* by role: index in `legal` of its next move */
    uint32_t *joint;    /* by role: its move in the current joint move */
    uint64_t *keys;     /* by role: key of its percepts */
    ShownVector *shown; /* by role: percepts of each joint move in the current state */
    State next;
    uint64_t turns;
    CpuBudget budget;
    StateFragments *found;
    uint32_t chance; /* the role of chance; role_count if there is none */
    Arena arena;     /* owns the arrays indexed by role */
} Walk;

uint32_t fragments_common_twin(uint32_t a, uint32_t b) {
    if (!a || !b)
        return 0;
    uint64_t x = a, y = b;
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    uint64_t multiple = a / x * b;
    return multiple <= MOST_TWIN_MOVES ? (uint32_t)multiple : 0;
}

uint32_t fragments_chance_role(const Game *game) {
    uint32_t chance = 0;
    while (chance < game->role_count && !game_is_chance(game, chance))
        chance++;
    return chance;
}

static int compare_shown(const void *a, const void *b) {
    const Shown *x = a, *y = b;
    if (x->seen != y->seen)
        return (x->seen > y->seen) - (x->seen < y->seen);
    return (x->others > y->others) - (x->others < y->others);
}

void shown_add(ShownVector *shown, const Game *game, uint32_t role, const uint32_t *joint,
               uint64_t percepts) {
    assert(role < game->role_count);
    uint64_t others = 1;
    for (uint32_t r = 0; r < game->role_count; r++)
        if (r != role && !game_is_chance(game, r))
            others = hash_mix(others, joint[r]);
    vector_push(shown, ((Shown){hash_finish(hash_mix(hash_mix(1, joint[role]), percepts)),
                                hash_finish(others)}));
}

bool shown_hides_moves(ShownVector *shown) {
    vector_sort(shown, compare_shown);
    for (size_t i = 1; i < shown->count; i++)
        if (shown->items[i].seen == shown->items[i - 1].seen &&
            shown->items[i].others != shown->items[i - 1].others)
            return true;
    return false;
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

static void look_at_chance(Walk *w) {
    const U32Vector *moves = &w->legal[w->chance];
    StateFragments *f = w->found;
    if (!w->first.count)
        u32_append(&w->first, moves);
    f->twin_moves = fragments_common_twin(f->twin_moves, (uint32_t)moves->count);
    if (moves->count != w->first.count)
        f->oblivious = OBLIVIOUS_NOT;
    else if (f->oblivious == OBLIVIOUS_SEMANTIC &&
             memcmp(moves->items, w->first.items, moves->count * sizeof(uint32_t)) != 0)
        f->oblivious = OBLIVIOUS_WEAK;
}

static void look_at_turn(Walk *w, const State *state) {
    uint32_t any = UINT32_MAX;
    game_percept_keys(w->work, state, w->joint, w->keys);
    for (uint32_t r = 0; r < w->game->role_count; r++) {
        if (r == w->chance)
            continue;
        any = any == UINT32_MAX ? r : any;
        w->found->perceive_the_same &= w->keys[r] == w->keys[any];
        shown_add(&w->shown[r], w->game, r, w->joint, w->keys[r]);
    }
    game_next(w->work, state, w->joint, &w->next);
    add_state(w, &w->next);
}

/* Sets the joint move given by the indices and advances the indices. False after the last joint
 * move. */
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
        look_at_chance(w);
    memset(w->index, 0, w->game->role_count * sizeof *w->index);
    for (bool has_more = true; has_more;) {
        has_more = next_joint(w);
        if (++w->turns > MOST_TURNS || (w->turns % CLOCK_EVERY == 0 && cpu_budget_spent(w->budget)))
            return false;
        look_at_turn(w, state);
    }
    for (uint32_t r = 0; r < w->game->role_count; r++)
        w->found->moves_public &= !shown_hides_moves(&w->shown[r]);
    return true;
}

static void close_walk(Walk *w) {
    for (size_t i = 0; i < w->states.count; i++)
        state_free(&w->states.items[i]);
    for (uint32_t r = 0; r < w->game->role_count; r++) {
        vector_free(&w->legal[r]);
        vector_free(&w->shown[r]);
    }
    vector_free(&w->states);
    vector_free(&w->first);
    table_free(&w->table);
    state_free(&w->next);
    arena_free(&w->arena);
    game_work_free(w->work);
}

bool fragments_of_all_states(Game *game, CpuBudget budget, StateFragments *found) {
    size_t roles = game->role_count + 1;
    Walk w = {.game = game, .work = game_work(game, REASONER_AUTO), .budget = budget};
    *found = (StateFragments){.oblivious = OBLIVIOUS_SEMANTIC,
                              .perceive_the_same = true,
                              .moves_public = true,
                              .twin_moves = 1};
    w.found = found;
    w.legal = arena_zalloc(&w.arena, roles * sizeof *w.legal);
    w.shown = arena_zalloc(&w.arena, roles * sizeof *w.shown);
    w.index = arena_zalloc(&w.arena, roles * sizeof *w.index);
    w.joint = arena_zalloc(&w.arena, roles * sizeof *w.joint);
    w.keys = arena_zalloc(&w.arena, roles * sizeof *w.keys);
    w.chance = fragments_chance_role(game);
    game_initial(w.work, &w.next);
    add_state(&w, &w.next);
    bool is_complete = true;
    State state = {0};
    for (size_t i = 0; i < w.states.count && is_complete; i++) {
        state_copy(&state, &w.states.items[i]);
        is_complete = look_at_state(&w, &state);
    }
    found->states = w.states.count;
    state_free(&state);
    close_walk(&w);
    return is_complete;
}
