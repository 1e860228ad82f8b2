/* Solves sums by backward induction over all combinations of classes, so that every end is seen. */
#include "base/bitset.h"
#include "search/sums/sums_internal.h"

enum {
    MAX_POSITIONS = 1000000, /* combinations of classes to solve (untuned) */
    MAX_UNREACHED = 10000000 /* combinations, reachable or not, of a sum worth trying (untuned) */
};

/* Copies a state, which may lack zero words at its end, as a state of `words` words. */
static void copy_whole(State *to, const State *from, uint32_t words) {
    uint32_t known = from->word_count < words ? from->word_count : words;
    state_free(to);
    *to = (State){memory_zalloc((words + 1) * sizeof *to->words), words};
    memcpy(to->words, from->words, known * sizeof *to->words);
}

/* Makes s->state a state of the whole game in which the parts have these classes. */
static void compose(Sums *s, uint32_t phase, const uint32_t *classes) {
    uint32_t words = s->parts.word_count;
    state_copy(&s->state, &s->base);
    sums_put(s->state.words, s->parts.phases.items[phase].words, s->parts.rest, words);
    for (uint32_t k = 0; k < s->parts.count; k++)
        sums_put(s->state.words, sums_local_words(s, s->classes.items[classes[k]].local),
                 sumparts_fluents(&s->parts, k), words);
}

static bool can_pass(Sums *s, uint32_t role) {
    uint32_t first = s->game->circuit->first_move[role];
    game_legal(s->rules, &s->state, role, &s->legal);
    for (size_t i = 0; i < s->legal.count; i++)
        if (s->parts.part_of_move[first + s->legal.items[i]] == SUMPARTS_IDLE)
            return true;
    return false;
}

const SumOutlook *sums_outlook(Sums *s, const uint32_t *position) {
    vector_clear(&s->key);
    vector_push(&s->key, position[0]);
    for (uint32_t k = 0; k < s->parts.count; k++)
        vector_push(&s->key, sums_view(s, position[k + 1]));
    uint32_t id = key_table_list(&s->outlook_keys, s->key.items, s->key.count);
    if (id < s->outlooks.count)
        return &s->outlooks.items[id];
    SumOutlook made = {0};
    compose(s, position[0], position + 1);
    s->work += 3 * sums_question_cost(s);
    made.is_terminal = game_is_terminal(s->rules, &s->state);
    for (uint32_t r = 0; r < 2; r++) {
        made.goals[r] = made.is_terminal ? game_goal(s->rules, &s->state, r) : GOAL_NONE;
        made.can_pass[r] = can_pass(s, r);
    }
    vector_push(&s->outlooks, made);
    return &vector_last(&s->outlooks);
}

bool sums_have_goals(Sums *s, const SumOutlook *outlook) {
    if (outlook->goals[0] < 0 || outlook->goals[1] < 0)
        return false;
    int sum = outlook->goals[0] + outlook->goals[1];
    if (s->goal_sum == GOAL_NONE)
        s->goal_sum = sum;
    return s->goal_sum == sum;
}

/* ---- players move in turn ---- */

static uint32_t position_of(Sums *s, const uint32_t *key) {
    uint32_t id = key_table_list(&s->position_keys, key, s->parts.count + 1);
    if (id == s->positions.count)
        vector_push(&s->positions, ((SumPosition){.key = key_table_key(&s->position_keys, id)}));
    return id;
}

/* The role that can change a part at the turn; SUMPARTS_NOBODY if none can. */
static uint32_t chooser_at(const Sums *s, uint32_t turn) {
    uint32_t chooser = SUMPARTS_NOBODY;
    for (uint32_t k = 0; k < s->parts.count && chooser == SUMPARTS_NOBODY; k++)
        chooser = sumparts_driver(&s->parts, k, turn);
    return chooser;
}

/* Adds the successors of a position that is not terminal. False if a role has no legal move. */
static bool list_successors(Sums *s, uint32_t id) {
    const uint32_t *now = s->positions.items[id].key;
    const SumOutlook outlook = *sums_outlook(s, now);
    uint32_t turn = s->parts.phases.items[now[0]].turn, chooser = chooser_at(s, turn);
    size_t before = s->successors.count, length = s->parts.count + 1;
    uint32_t *then = memory_alloc(length * sizeof *then);
    memcpy(then, now, length * sizeof *then);
    then[0] = s->parts.phases.items[now[0]].next;
    bool others_can = true;
    for (uint32_t r = 0; r < 2; r++)
        others_can = others_can && (r == chooser || outlook.can_pass[r]);
    if (chooser == SUMPARTS_NOBODY || outlook.can_pass[chooser])
        vector_push(&s->successors, position_of(s, then));
    for (uint32_t k = 0; k < s->parts.count && chooser != SUMPARTS_NOBODY; k++) {
        const uint32_t *options = sums_options(s, now[k + 1], turn);
        for (uint32_t i = 0; i < sums_option_count(s, now[k + 1], turn); i++) {
            then[k + 1] = options[i];
            vector_push(&s->successors, position_of(s, then));
        }
        then[k + 1] = now[k + 1];
    }
    s->work += s->successors.count - before + s->parts.count;
    free(then);
    return others_can && s->successors.count > before;
}

typedef struct {
    uint32_t position, first, count, next; /* first, count, next: of its successors */
} Frame;

/* Sets the value of a position if it is terminal; otherwise fills in a frame for it. */
static bool open_position(Sums *s, uint32_t id, Frame *frame) {
    SumPosition *position = &s->positions.items[id];
    const SumOutlook *outlook = sums_outlook(s, position->key);
    *frame = (Frame){.position = id, .first = (uint32_t)s->successors.count};
    if (outlook->is_terminal) {
        position->value = outlook->goals[0];
        position->is_known = true;
        return sums_have_goals(s, outlook);
    }
    position->is_open = true;
    bool ok = list_successors(s, id);
    frame->count = (uint32_t)s->successors.count - frame->first;
    return ok;
}

static void close_position(Sums *s, const Frame *frame) {
    assert(frame->count);
    SumPosition *position = &s->positions.items[frame->position];
    uint32_t chooser = chooser_at(s, s->parts.phases.items[position->key[0]].turn);
    for (uint32_t i = 0; i < frame->count; i++) {
        int value = s->positions.items[s->successors.items[frame->first + i]].value;
        if (!i || (chooser == 0 ? value > position->value : value < position->value))
            position->value = value;
    }
    position->is_open = false;
    position->is_known = true;
    s->successors.count = frame->first;
}

typedef VECTOR(Frame) Frames;

/* Takes one step of the depth-first search. False if a role has no legal move, a position recurs,
 * or the sum of goals is not constant. */
static bool step(Sums *s, Frames *frames) {
    Frame *top = &vector_last(frames), opened;
    while (top->next < top->count &&
           s->positions.items[s->successors.items[top->first + top->next]].is_known)
        top->next++;
    if (top->next == top->count) {
        close_position(s, top);
        frames->count--;
        return true;
    }
    uint32_t child = s->successors.items[top->first + top->next];
    if (s->positions.items[child].is_open || !open_position(s, child, &opened))
        return false;
    if (!s->positions.items[child].is_known)
        vector_push(frames, opened);
    return true;
}

/* Solves everything below the position, so that every terminal state is seen. */
static bool solve(Sums *s, uint32_t id) {
    Frames frames = {0};
    Frame first;
    if (s->positions.items[id].is_known)
        return true;
    vector_clear(&s->successors);
    s->is_refuted = !open_position(s, id, &first);
    if (!s->positions.items[id].is_known)
        vector_push(&frames, first);
    while (frames.count && !s->is_refuted && s->positions.count < MAX_POSITIONS &&
           !sums_are_out_of_time(s, 1))
        s->is_refuted = !step(s, &frames);
    for (size_t i = 0; i < frames.count; i++)
        s->positions.items[frames.items[i].position].is_open = false;
    s->is_refuted |= s->positions.count >= MAX_POSITIONS;
    vector_free(&frames);
    return !s->is_refuted && s->positions.items[id].is_known;
}

/* ---- is the game such a sum? ---- */

/* True if there are few combinations of classes, reachable or not. */
static bool are_few(const Sums *s) {
    double combinations = (double)s->parts.phases.count;
    uint32_t *classes = memory_zalloc((s->parts.count + 1) * sizeof *classes);
    for (size_t c = 0; c < s->classes.count; c++)
        classes[s->classes.items[c].key[0]]++;
    for (uint32_t k = 0; k < s->parts.count; k++)
        combinations *= classes[k];
    free(classes);
    return combinations <= MAX_UNREACHED;
}

/* Finds the kind of sum. In turn: at every turn only one role can change parts. In step: no role
 * can change two parts at one turn. False if neither holds. */
static bool find_kind(Sums *s) {
    bool can_choose_part = false;
    for (uint32_t t = 0; t < s->parts.turns.count; t++) {
        uint32_t parts_of_role[3] = {0};
        for (uint32_t k = 0; k < s->parts.count; k++)
            parts_of_role[sumparts_driver(&s->parts, k, t)]++;
        s->is_in_step |= parts_of_role[0] && parts_of_role[1];
        can_choose_part |= parts_of_role[0] > 1 || parts_of_role[1] > 1;
    }
    return !s->is_in_step || !can_choose_part;
}

/* Explores the parts, as far as time allows. True when that is done. */
static bool get_ready(Sums *s) {
    if (s->is_ready)
        return !s->is_refuted;
    for (uint32_t k = 0; k < s->parts.count; k++)
        if (!sums_classify(s, sums_local(s, k, s->base.words)))
            return false;
    bool is_sum = find_kind(s) && (s->is_in_step ? sums_solve_in_step(s) : are_few(s));
    s->is_ready = is_sum || !s->is_out_of_time;
    s->is_refuted = s->is_ready && !is_sum;
    return is_sum;
}

Sums *sums_create(Game *game, const State *state, size_t byte_limit, const SearchBudget *budget) {
    assert(game_has_circuit(game));
    if (game->role_count != 2 || game->rules->has_random || game_hides(game))
        return NULL;
    Sums *s = memory_zalloc(sizeof *s);
    *s = (Sums){.game = game,
                .goal_sum = GOAL_NONE,
                .byte_limit = byte_limit,
                .rules = game_work_create(game, REASONER_SCALAR)};
    copy_whole(&s->base, state, (uint32_t)bitset_words(game->circuit->fluent_count));
    if (sumparts_find(game, &s->base, budget, &s->parts))
        return s;
    sums_free(s);
    return NULL;
}

void sums_free(Sums *s) {
    if (!s)
        return;
    for (size_t i = 0; i < s->locals.count; i++)
        vector_free(&s->locals.items[i].options);
    key_table_free(&s->local_keys);
    key_table_free(&s->class_keys);
    key_table_free(&s->view_keys);
    key_table_free(&s->outlook_keys);
    key_table_free(&s->position_keys);
    arena_free(&s->arena);
    vectors_free(&s->locals, &s->classes, &s->outlooks, &s->positions, &s->part_values, &s->legal,
                 &s->key, &s->successors);
    states_free(&s->base, &s->here, &s->state, &s->next);
    sumparts_free(&s->parts);
    game_work_free(s->rules);
    free(s);
}

bool sums_may_answer(const Sums *sums) {
    return !sums->is_refuted && !sums->is_too_large;
}

size_t sums_bytes(const Sums *s) {
    return s->arena.bytes + s->parts.arena.bytes + s->locals.capacity * sizeof *s->locals.items +
           s->option_count * sizeof(uint32_t) + s->classes.capacity * sizeof *s->classes.items +
           s->outlooks.capacity * sizeof *s->outlooks.items +
           s->positions.capacity * sizeof *s->positions.items +
           s->part_values.capacity * sizeof *s->part_values.items +
           s->successors.capacity * sizeof *s->successors.items + key_table_bytes(&s->local_keys) +
           key_table_bytes(&s->class_keys) + key_table_bytes(&s->view_keys) +
           key_table_bytes(&s->outlook_keys) + key_table_bytes(&s->position_keys);
}

/* ---- answers ---- */

/* Finds the position of a state. False if no match leads there from the first state. */
static bool find_position(Sums *s, const uint64_t *words, uint32_t *position) {
    bool is_known = bitset_agree(words, s->base.words, s->parts.fixed, s->parts.word_count);
    position[0] = sumparts_phase(&s->parts, words);
    for (uint32_t k = 0; k < s->parts.count && is_known; k++) {
        uint32_t local = sums_local(s, k, words); /* the vector may move */
        position[k + 1] = s->locals.items[local].class;
        is_known = position[k + 1] != SUMS_NONE;
    }
    return is_known && position[0] != SUMS_NONE;
}

/* Computes the goal of the first role from the position on. False if it is not known. */
static bool value_position(Sums *s, const uint32_t *position, int *value) {
    if (s->is_in_step) {
        *value = s->base_goal;
        for (uint32_t k = 0; k < s->parts.count; k++)
            *value += sums_part_value(s, position, k);
        return true;
    }
    uint32_t id = position_of(s, position);
    bool is_solved = solve(s, id);
    *value = s->positions.items[id].value;
    return is_solved;
}

/* Makes a move in its part of `here`, at this position. False if the class reached is not known. */
static bool make_move(Sums *s, uint32_t role, uint32_t move, uint32_t *position) {
    uint32_t part = s->parts.part_of_move[s->game->circuit->first_move[role] + move];
    const PhaseClass *turn = &s->parts.turns.items[s->parts.phases.items[position[0]].turn];
    position[0] = s->parts.phases.items[position[0]].next;
    if (part == SUMPARTS_IDLE)
        return true;
    uint32_t joint[2] = {turn->possible[0].items[0], turn->possible[1].items[0]};
    joint[role] = move;
    game_next(s->rules, &s->here, joint, &s->next);
    uint32_t local = sums_local(s, part, s->next.words); /* the vector may move */
    position[part + 1] = s->locals.items[local].class;
    return position[part + 1] != SUMS_NONE;
}

/* Computes the first role's goal after this move under perfect play. False if it is not known. */
static bool value_move(Sums *s, uint32_t role, uint32_t move, const uint32_t *now, int *value) {
    uint32_t part = s->parts.part_of_move[s->game->circuit->first_move[role] + move];
    size_t length = s->parts.count + 1;
    bool is_choice = chooser_at(s, s->parts.phases.items[now[0]].turn) == role;
    if (s->is_in_step ? part == SUMPARTS_IDLE : !is_choice)
        return value_position(s, now, value);
    uint32_t *then = memory_alloc(length * sizeof *then);
    memcpy(then, now, length * sizeof *then);
    bool ok =
        make_move(s, role, move, then) && value_position(s, s->is_in_step ? now : then, value);
    if (ok && s->is_in_step)
        *value += sums_part_value(s, then, part) - sums_part_value(s, now, part);
    free(then);
    return ok;
}

bool sums_moves(Sums *s, const State *state, uint32_t role, const SearchBudget *budget,
                SumMoves *moves) {
    assert(role < 2);
    U32Vector legal = {0};
    uint32_t *position = memory_alloc((s->parts.count + 1) * sizeof *position);
    s->budget = *budget;
    s->work = s->next_check = 0;
    s->is_out_of_time = false;
    vector_clear(moves);
    copy_whole(&s->here, state, s->parts.word_count);
    bool ok = sums_may_answer(s) && get_ready(s) && find_position(s, s->here.words, position);
    if (ok)
        game_legal(s->rules, &s->here, role, &legal);
    for (size_t i = 0; i < legal.count && ok; i++) {
        SumMove move = {.move = legal.items[i]};
        ok = value_move(s, role, move.move, position, &move.value);
        if (role == 1)
            move.value = s->goal_sum - move.value;
        vector_push(moves, move);
    }
    vector_free(&legal);
    free(position);
    return ok;
}
