/* Backward induction by depth-first search with an explicit stack, over residual games. A later
 * stage is solved when the search first reaches it. */
#include "search/sums/serial.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"
#include "search/exact/key_table.h"
#include "search/sums/residual.h"

enum {
    SAMPLED_MATCHES = 8,       /* random matches that show the stages (untuned) */
    SAMPLED_TURNS = 400,       /* turns of such a match at most (untuned) */
    MAX_CHOICES = 20000,       /* legal moves over all turns of such a match at most (untuned) */
    NODES_PER_UNIT = 64,       /* evaluated nodes of the circuit per unit of work (untuned) */
    WORK_BETWEEN_CHECKS = 500, /* units of work between two looks at the clock (untuned) */
    MAX_RESIDUALS = 300000,    /* residual games at which the solution is given up (untuned) */
    MAX_WANTED = 64            /* states that serial_goals keeps for the next call (untuned) */
};

/* The value of a residual game. */
typedef struct {
    int value;     /* goal of the first role under perfect play, 0 to 100 */
    bool is_open;  /* it is on the stack of the search */
    bool is_known; /* the value is exact */
} SerialValue;

typedef struct {
    uint32_t number, chooser;
    size_t first, next; /* in `children`: its first child, and the next to solve */
} SerialFrame;

struct Serial {
    Game *game;
    GameWork *rules;
    Residuals *residuals;
    VECTOR(SerialValue) values;
    KeyTable states;            /* states looked at, numbered */
    U32Vector number_of_state;  /* by state: the number of its residual game */
    VECTOR(SerialFrame) frames; /* stack of the search; it may go on in a later call */
    U32Vector children;         /* states that follow those on the stack */
    int goal_sum;               /* sum of both goals; GOAL_NONE before the first terminal state */
    bool is_refuted, is_too_large, is_out_of_time;
    size_t byte_limit;
    uint64_t *later;      /* set of the circuit's moves that are made after the first stage */
    VECTOR(State) wanted; /* states of later stages that serial_goals was asked about */
    SearchBudget budget;  /* budget of the call in progress */
    uint64_t work, work_before, next_check;
    U32Vector legal[2]; /* scratch */
    State next;         /* scratch */
};

/* ---- are there stages? ---- */

/* A random match: for each turn, the set of moves that a role with a choice had. */
typedef struct {
    size_t words;
    size_t count;             /* number of turns */
    uint64_t *turns;          /* by turn: set of the moves that could be chosen */
    uint64_t *rest;           /* by turn: set of the moves that could be chosen from then on */
    uint64_t *before, *after; /* moves of the first stage and of later stages, over all matches */
    uint64_t *first;          /* scratch */
} Stages;

/* Adds the moves of roles with a choice to the set. Returns the number of all legal moves. */
static size_t note_choices(const Game *game, GameWork *work, const State *state, U32Vector *legal,
                           uint64_t *set) {
    size_t choices = 0;
    for (uint32_t r = 0; r < 2; r++) {
        game_legal(work, state, r, legal);
        choices += legal->count;
        for (size_t i = 0; i < legal->count && legal->count > 1; i++)
            bitset_set(set, game->circuit->first_move[r] + legal->items[i]);
    }
    return choices;
}

/* Plays a random match. False if it is too long, has too many moves, or time is up. */
static bool watch_match(Stages *s, Game *game, GameWork *work, const State *from, Random *random,
                        const SearchBudget *budget) {
    State state = {0};
    U32Vector legal = {0};
    uint32_t steps;
    size_t choices = 0;
    bool goes_on = true;
    state_copy(&state, from);
    memset(s->turns, 0, SAMPLED_TURNS * s->words * sizeof *s->turns);
    for (s->count = 0; goes_on && !game_is_terminal(work, &state); s->count++) {
        choices += note_choices(game, work, &state, &legal, s->turns + s->count * s->words);
        game_play_randomly(work, &state, random, 1, &steps);
        goes_on =
            s->count + 1 < SAMPLED_TURNS && choices <= MAX_CHOICES && !search_must_stop(budget);
    }
    state_free(&state);
    vector_free(&legal);
    return goes_on;
}

/* Finds the first turn after which no move recurs that could be chosen before it. Adds the moves
 * before and after that turn to the stages. False if there is no such turn. */
static bool split_match(Stages *s) {
    size_t words = s->words;
    memset(s->first, 0, words * sizeof *s->first);
    memcpy(s->rest, s->turns, s->count * words * sizeof *s->rest);
    for (size_t t = s->count; t-- > 1;)
        bitset_or(s->rest + (t - 1) * words, s->rest + t * words, words);
    for (size_t turn = 1; turn < s->count; turn++) {
        const uint64_t *then = s->rest + turn * words;
        bitset_or(s->first, s->turns + (turn - 1) * words, words);
        if (!bitset_any(s->first, words) || !bitset_any(then, words) ||
            bitset_overlaps(s->first, then, words))
            continue;
        bitset_or(s->before, s->first, words);
        bitset_or(s->after, then, words);
        return true;
    }
    return false;
}

/* The set of moves made after the first stage; NULL if the game has no stages. */
static uint64_t *find_later_moves(Game *game, GameWork *work, const State *state, uint64_t seed,
                                  const SearchBudget *budget) {
    Stages s = {.words = bitset_words(game->circuit->move_count)};
    Random random;
    bool found = true;
    random_seed(&random, seed);
    s.turns = memory_alloc((SAMPLED_TURNS * s.words + 1) * sizeof *s.turns);
    s.before = memory_zalloc((s.words + 1) * sizeof *s.before);
    s.after = memory_zalloc((s.words + 1) * sizeof *s.after);
    s.first = memory_alloc((s.words + 1) * sizeof *s.first);
    s.rest = memory_alloc((SAMPLED_TURNS * s.words + 1) * sizeof *s.rest);
    for (int match = 0; match < SAMPLED_MATCHES && found; match++)
        found = watch_match(&s, game, work, state, &random, budget) && split_match(&s);
    found = found && !bitset_overlaps(s.before, s.after, s.words);
    memory_free(s.turns, s.before, s.first, s.rest);
    if (found)
        return s.after;
    free(s.after);
    return NULL;
}

Serial *serial_create(Game *game, const State *state, size_t byte_limit, uint64_t seed,
                      const SearchBudget *budget) {
    if (game->role_count != 2 || game->rules->has_random || game_hides(game) ||
        game->circuit->aig.loops.count)
        return NULL;
    GameWork *rules = game_work_create(game, REASONER_SCALAR);
    uint64_t *later = find_later_moves(game, rules, state, seed, budget);
    if (!later) {
        game_work_free(rules);
        return NULL;
    }
    Serial *s = memory_zalloc(sizeof *s);
    *s = (Serial){.game = game,
                  .rules = rules,
                  .later = later,
                  .residuals = residual_create(game),
                  .goal_sum = GOAL_NONE,
                  .byte_limit = byte_limit};
    return s;
}

void serial_forget_wanted(Serial *s) {
    while (s->wanted.count)
        state_free(&s->wanted.items[--s->wanted.count]);
}

void serial_free(Serial *s) {
    if (!s)
        return;
    serial_forget_wanted(s);
    vector_free(&s->wanted);
    free(s->later);
    residual_free(s->residuals);
    key_table_free(&s->states);
    game_work_free(s->rules);
    vectors_free(&s->values, &s->number_of_state, &s->frames, &s->children, &s->legal[0],
                 &s->legal[1]);
    state_free(&s->next);
    free(s);
}

bool serial_is_open(const Serial *s) {
    return !s->is_refuted && !s->is_too_large;
}

size_t serial_bytes(const Serial *s) {
    return residual_bytes(s->residuals) + key_table_bytes(&s->states) +
           s->values.capacity * sizeof *s->values.items +
           s->number_of_state.capacity * sizeof *s->number_of_state.items +
           s->children.capacity * sizeof *s->children.items;
}

/* ---- backward induction ---- */

static uint64_t work_done(const Serial *s) {
    return s->work + residual_work(s->residuals) / NODES_PER_UNIT;
}

static bool is_out_of_time(Serial *s) {
    uint64_t work = work_done(s);
    if (s->is_out_of_time || work < s->next_check)
        return s->is_out_of_time;
    s->next_check = work + WORK_BETWEEN_CHECKS;
    s->is_too_large =
        serial_bytes(s) > s->byte_limit || residual_count(s->residuals) > MAX_RESIDUALS;
    uint64_t playouts = (work - s->work_before) / SUMS_WORK_PER_PLAYOUT;
    s->is_out_of_time = (s->budget.playouts && playouts >= s->budget.playouts) ||
                        search_must_stop(&s->budget) || s->is_too_large;
    return s->is_out_of_time;
}

/* The number of the state; its residual game is numbered too. May move s->values. */
static uint32_t look_at(Serial *s, const State *state) {
    uint32_t id = key_table_state(&s->states, state);
    if (id == s->number_of_state.count)
        vector_push(&s->number_of_state, residual_number(s->residuals, state));
    while (s->values.count < residual_count(s->residuals))
        vector_push(&s->values, ((SerialValue){0}));
    return id;
}

/* The number of the state's residual game. */
static uint32_t number_of(Serial *s, const State *state) {
    uint32_t id = look_at(s, state);
    return s->number_of_state.items[id];
}

static SerialValue *value_of_child(const Serial *s, size_t place) {
    return &s->values.items[s->number_of_state.items[s->children.items[place]]];
}

static bool take_goals(Serial *s, uint32_t number, const State *state) {
    int own = game_goal(s->rules, state, 0), other = game_goal(s->rules, state, 1);
    if (s->goal_sum == GOAL_NONE)
        s->goal_sum = own + other;
    s->values.items[number] = (SerialValue){.value = own, .is_known = true};
    return own >= 0 && other >= 0 && own + other == s->goal_sum;
}

/* Finds the role with a choice; the first role if none has one. False if both roles have one, or if
 * a role has no legal move. */
static bool find_chooser(Serial *s, const State *state, uint32_t *chooser) {
    for (uint32_t r = 0; r < 2; r++)
        game_legal(s->rules, state, r, &s->legal[r]);
    *chooser = s->legal[1].count > 1;
    return s->legal[0].count && s->legal[1].count &&
           (s->legal[0].count == 1 || s->legal[1].count == 1);
}

static bool is_listed(const Serial *s, size_t first, uint32_t number) {
    for (size_t i = first; i < s->children.count; i++)
        if (s->number_of_state.items[s->children.items[i]] == number)
            return true;
    return false;
}

static void list_children(Serial *s, const State *state, const SerialFrame *frame) {
    for (size_t i = 0; i < s->legal[frame->chooser].count; i++) {
        uint32_t joint[2] = {s->legal[0].items[0], s->legal[1].items[0]};
        joint[frame->chooser] = s->legal[frame->chooser].items[i];
        game_next(s->rules, state, joint, &s->next);
        uint32_t child = look_at(s, &s->next);
        if (!is_listed(s, frame->first, s->number_of_state.items[child]))
            vector_push(&s->children, child);
    }
}

/* Takes the value of a terminal state, or pushes a frame. False if the game cannot be solved. */
static bool open_state(Serial *s, uint32_t number, const State *state) {
    SerialFrame frame = {.number = number, .first = s->children.count, .next = s->children.count};
    s->work += 1 + s->game->circuit->aig.nodes.count / NODES_PER_UNIT;
    if (game_is_terminal(s->rules, state))
        return take_goals(s, number, state);
    if (!find_chooser(s, state, &frame.chooser))
        return false;
    s->values.items[number].is_open = true;
    list_children(s, state, &frame);
    vector_push(&s->frames, frame);
    return true;
}

static void close_frame(Serial *s) {
    assert(s->frames.count);
    SerialFrame frame = vector_pop(&s->frames);
    SerialValue result = {.is_known = true};
    for (size_t i = frame.first; i < s->children.count; i++) {
        int value = value_of_child(s, i)->value;
        if (i == frame.first || (frame.chooser == 0 ? value > result.value : value < result.value))
            result.value = value;
    }
    s->values.items[frame.number] = result;
    s->children.count = frame.first;
}

static void step(Serial *s) {
    SerialFrame *top = &vector_last(&s->frames);
    while (top->next < s->children.count && value_of_child(s, top->next)->is_known)
        top->next++;
    if (top->next == s->children.count) {
        close_frame(s);
        return;
    }
    uint32_t child = s->children.items[top->next];
    State state = key_table_to_state(&s->states, child);
    s->is_refuted = value_of_child(s, top->next)->is_open ||
                    !open_state(s, s->number_of_state.items[child], &state);
}

static void give_up_search(Serial *s) {
    for (size_t i = 0; i < s->frames.count; i++)
        s->values.items[s->frames.items[i].number].is_open = false;
    s->frames.count = s->children.count = 0;
}

/* Solves everything below the state, so that every terminal state is seen. When time is up, the
 * next call about the same state goes on from there. */
static bool solve(Serial *s, uint32_t number, const State *state) {
    if (s->values.items[number].is_known)
        return true;
    if (s->frames.count && s->frames.items[0].number != number)
        give_up_search(s);
    if (!s->frames.count)
        s->is_refuted = !open_state(s, number, state);
    while (s->frames.count && !s->is_refuted && !is_out_of_time(s))
        step(s);
    if (!serial_is_open(s))
        give_up_search(s);
    return serial_is_open(s) && s->values.items[number].is_known;
}

static void begin_question(Serial *s, const SearchBudget *budget) {
    s->budget = *budget;
    s->is_out_of_time = false;
    s->work_before = work_done(s);
    s->next_check = s->work_before + WORK_BETWEEN_CHECKS;
}

/* The first role's value after a move of the role that has a choice. */
static int value_after(Serial *s, const State *state, uint32_t role, uint32_t move) {
    uint32_t joint[2] = {s->legal[0].items[0], s->legal[1].items[0]};
    joint[role] = move;
    game_next(s->rules, state, joint, &s->next);
    uint32_t number = number_of(s, &s->next);
    assert(s->values.items[number].is_known);
    return s->values.items[number].value;
}

bool serial_is_later(const Serial *s, uint32_t role, uint32_t move) {
    assert(role < 2 && s->game->circuit->first_move[role] + move < s->game->circuit->move_count);
    return bitset_get(s->later, s->game->circuit->first_move[role] + move);
}

bool serial_goals(Serial *s, const State *state, int goals[2]) {
    uint32_t seen = key_table_find_state(&s->states, state);
    const SerialValue *value =
        seen == KEY_NONE ? NULL : &s->values.items[s->number_of_state.items[seen]];
    if (value && value->is_known) {
        goals[0] = value->value;
        goals[1] = s->goal_sum - value->value;
        return true;
    }
    if (s->wanted.count < MAX_WANTED) {
        State copy = {0};
        state_copy(&copy, state);
        vector_push(&s->wanted, copy);
    }
    return false;
}

/* Solves the states that serial_goals was asked about. False if the time is too short. */
static bool solve_wanted(Serial *s) {
    while (s->wanted.count && serial_is_open(s)) {
        State *state = &vector_last(&s->wanted);
        if (!solve(s, number_of(s, state), state))
            return false;
        state_free(state);
        s->wanted.count--;
    }
    return true;
}

bool serial_moves(Serial *s, const State *state, uint32_t role, const SearchBudget *budget,
                  SumMoves *moves) {
    assert(role < 2);
    uint32_t chooser;
    vector_clear(moves);
    begin_question(s, budget);
    if (!serial_is_open(s) || !solve_wanted(s))
        return false;
    uint32_t number = number_of(s, state);
    if (!solve(s, number, state))
        return false;
    int value = s->values.items[number].value;
    find_chooser(s, state, &chooser);
    for (size_t i = 0; i < s->legal[role].count; i++) {
        if (role == chooser)
            value = value_after(s, state, role, s->legal[role].items[i]);
        vector_push(moves,
                    ((SumMove){s->legal[role].items[i], role == 0 ? value : s->goal_sum - value}));
    }
    return true;
}
