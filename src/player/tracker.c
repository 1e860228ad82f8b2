/* A reported move that the rules do not know is replaced by a legal one: a wrong state is better
 * than none, and a manager that sends such a move is most likely about to end the match. */
#include "player/tracker.h"

#include <assert.h>
#include <string.h>

#include "game/upgrade.h"

Tracker *tracker_create(const Text *rules, const char *role, uint64_t seed, Log *log,
                        Report *report) {
    Rules *read = rules_read_text("rules", text_string(rules), rules->count, report);
    GameOptions options = {.interpreter_only = true};
    Game *game = read ? game_create(read, &options, report) : NULL;
    if (!game)
        return NULL;
    Tracker *t = memory_zalloc(sizeof *t);
    t->game = game;
    t->work = game_work_create(game, REASONER_AUTO);
    t->log = log;
    random_seed(&t->random, seed);
    t->role = game_find_role(game, role);
    if (t->role == ROLE_NONE) {
        report_error(report, "unknown-role", "the rules have no role `%s`", role);
        tracker_free(t);
        return NULL;
    }
    game_initial(t->work, &t->state);
    if (game_hides(game))
        t->filter = belief_create(game, t->role, NULL, seed);
    return t;
}

void tracker_free(Tracker *t) {
    if (!t)
        return;
    belief_free(t->filter);
    vectors_free(&t->joint, &t->legal);
    state_free(&t->state);
    game_work_free(t->work);
    game_free(t->game);
    memory_free(t->last_report, t->answer, t);
}

Game *tracker_upgrade(Tracker *t, Game *better) {
    GameWork *work = game_work_create(better, REASONER_AUTO);
    State state = {0};
    game_initial(work, &state);
    if (!state_translate(t->work, &t->state, work, &state) ||
        (t->filter && !belief_translate(t->filter, better))) {
        state_free(&state);
        game_work_free(work);
        return NULL;
    }
    Game *old = t->game;
    state_free(&t->state);
    game_work_free(t->work);
    t->game = better;
    t->work = work;
    t->state = state;
    return old;
}

/* Random joint moves tried to guess a turn that was not reported (untuned). */
enum { GAP_TRIALS = 400 };

static uint32_t draw_move(Tracker *t) {
    return t->legal.count ? t->legal.items[random_below(&t->random, t->legal.count)] : MOVE_NONE;
}

static uint32_t some_move(Tracker *t, const State *state, uint32_t role) {
    game_legal(t->work, state, role, &t->legal);
    return draw_move(t);
}

/* Lists the legal moves of the player, as far as it knows them. */
static void list_legal(Tracker *t) {
    if (t->filter && t->filter->belief.states.count)
        belief_legal(&t->filter->belief, t->work, t->role, &t->legal);
    else
        game_legal(t->work, &t->state, t->role, &t->legal);
}

uint32_t tracker_random_move(Tracker *t) {
    list_legal(t);
    return draw_move(t);
}

void tracker_note_answer(Tracker *t, const char *move) {
    free(t->answer);
    t->answer = memory_strdup(move);
}

bool tracker_has_choice(Tracker *t) {
    list_legal(t);
    return t->legal.count > 1;
}

bool tracker_is_legal(Tracker *t, uint32_t move) {
    list_legal(t);
    return u32_contains(&t->legal, move);
}

/* Returns the number of a move. Some managers write (noop) for noop. */
static uint32_t find_move(Tracker *t, uint32_t role, const char *text) {
    size_t length = strlen(text);
    uint32_t move = game_find_move(t->work, role, text, length);
    if (move == MOVE_NONE && length > 2 && text[0] == '(' && !strchr(text, ' '))
        move = game_find_move(t->work, role, text + 1, length - 2);
    return move;
}

static void write_moves(const Message *m, Text *out) {
    for (size_t i = 0; i < m->moves.count; i++)
        text_printf(out, " %s", m->moves.items[i]);
}

/* Reads the joint move of the message in a state, with random moves in place of unknown ones. False
 * if a role has no legal move. *is_right becomes true if all moves were legal. */
static bool read_joint(Tracker *t, const State *state, const Message *m, bool *is_right) {
    *is_right = m->moves.count == t->game->role_count;
    vector_clear(&t->joint);
    for (uint32_t r = 0; r < t->game->role_count; r++) {
        /* Moves are listed first, because an interpreted game only knows moves that were listed. */
        game_legal(t->work, state, r, &t->legal);
        uint32_t move = r < m->moves.count ? find_move(t, r, m->moves.items[r]) : MOVE_NONE;
        *is_right = *is_right && u32_contains(&t->legal, move);
        if (move == MOVE_NONE)
            move = draw_move(t);
        if (move != MOVE_NONE)
            vector_push(&t->joint, move);
    }
    return t->joint.count == t->game->role_count;
}

static bool is_said_again(const Tracker *t, const Message *m) {
    Text said = {0};
    write_moves(m, &said);
    bool again = t->last_report && strcmp(t->last_report, text_string(&said)) == 0;
    vector_free(&said);
    return again;
}

bool tracker_expects(Tracker *t, const Message *m) {
    bool is_right = true;
    if (m->has_turn)
        return m->turn <= t->turns + 1;
    if (m->has_moves)
        read_joint(t, &t->state, m, &is_right);
    return is_right || is_said_again(t, m);
}

/* Guesses a turn that was not reported: a random joint move after which the moves of the message
 * are legal. The first half of the trials assumes that the player's move was its answer. */
static bool bridge_gap(Tracker *t, const Message *m) {
    State state = {0};
    U32Vector missing = {0};
    bool fits = false;
    for (int i = 0; i < GAP_TRIALS && !fits && !game_is_terminal(t->work, &t->state); i++) {
        vector_clear(&missing);
        for (uint32_t r = 0; r < t->game->role_count; r++) {
            uint32_t move = some_move(t, &t->state, r);
            if (r == t->role && t->answer && i < GAP_TRIALS / 2)
                move = find_move(t, r, t->answer);
            if (move != MOVE_NONE)
                vector_push(&missing, move);
        }
        if (missing.count < t->game->role_count)
            continue;
        game_next(t->work, &t->state, missing.items, &state);
        read_joint(t, &state, m, &fits);
    }
    if (fits)
        state_copy(&t->state, &state);
    vector_free(&missing);
    state_free(&state);
    return fits;
}

/* Makes the joint move that read_joint read. */
static void make_move(Tracker *t, const Message *m) {
    assert(t->joint.count == t->game->role_count);
    Text said = {0};
    write_moves(m, &said);
    free(t->last_report);
    t->last_report = memory_strdup(text_string(&said));
    vector_free(&said);
    game_next(t->work, &t->state, t->joint.items, &t->state);
    if (t->filter)
        belief_reveal(t->filter, &t->state);
    t->turns++;
}

static Followed follow_moves(Tracker *t, const Message *m) {
    bool is_right = false;
    bool is_possible = read_joint(t, &t->state, m, &is_right);
    if (!is_right && is_said_again(t, m)) {
        log_warn(t->log, "turn %u: the same moves were reported again; nothing changes", t->turns);
        return FOLLOW_STAYED;
    }
    if (!is_right && bridge_gap(t, m)) {
        log_warn(t->log, "turn %u: a turn was not reported, and is guessed", t->turns++);
        make_move(t, m);
        return FOLLOW_JUMPED;
    }
    if (!is_right) {
        log_warn(t->log, "turn %u: the manager reports moves that are not legal", t->turns);
        is_possible = read_joint(t, &t->state, m, &is_right);
    }
    if (!is_possible)
        return FOLLOW_STAYED;
    make_move(t, m);
    return FOLLOW_ADVANCED;
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *sorted_percepts(const Message *m) {
    Text text = {0};
    if (m->percepts.count)
        qsort(m->percepts.items, m->percepts.count, sizeof(char *), compare_texts);
    for (size_t i = 0; i < m->percepts.count; i++)
        text_printf(&text, "%s%s", i ? " " : "", m->percepts.items[i]);
    return text.items ? text.items : memory_strdup("");
}

/* Guesses the next state: the player's own move and random moves of the others. */
static void guess_turn(Tracker *t, const char *own_move) {
    vector_clear(&t->joint);
    for (uint32_t r = 0; r < t->game->role_count; r++) {
        uint32_t move = r == t->role ? find_move(t, r, own_move) : MOVE_NONE;
        move = move == MOVE_NONE ? some_move(t, &t->state, r) : move;
        if (move == MOVE_NONE)
            return;
        vector_push(&t->joint, move);
    }
    game_next(t->work, &t->state, t->joint.items, &t->state);
}

static void believe(Tracker *t, const Message *m, const BeliefModel *model, Deadline deadline) {
    Text own = {0};
    char *percepts = sorted_percepts(m);
    uint32_t move = find_move(t, t->role, m->own_move);
    if (move != MOVE_NONE)
        game_move_text(t->work, t->role, move, &own);
    else
        text_add(&own, m->own_move);
    belief_observe(t->filter, text_string(&own), percepts, m->kind == MESSAGE_PLAY, model,
                   deadline);
    const Belief *belief = &t->filter->belief;
    if (belief->states.count) {
        state_copy(&t->state, &belief->states.items[belief_draw(belief, &t->random)].state);
    } else {
        log_warn(t->log, "turn %u: no state found that explains the percepts: %s", t->turns,
                 percepts);
        guess_turn(t, m->own_move);
    }
    vector_free(&own);
    free(percepts);
}

static Followed follow_percepts(Tracker *t, const Message *m, const BeliefModel *model,
                                Deadline deadline) {
    if ((m->turn <= t->turns && t->turns) || !m->own_move)
        return FOLLOW_STAYED;
    t->turns++;
    if (t->filter) {
        believe(t, m, model, deadline);
    } else {
        log_warn(t->log, "turn %u: the manager sends percepts, although the rules have no `sees`",
                 t->turns);
        guess_turn(t, m->own_move);
    }
    return FOLLOW_JUMPED;
}

/* True for a PLAY without moves in the middle of a match: the manager starts the match again. */
static bool is_new_beginning(const Tracker *t, const Message *m) {
    bool says_nothing = m->has_turn ? !m->own_move && m->turn == 0 : !m->has_moves;
    return t->turns && m->kind == MESSAGE_PLAY && says_nothing;
}

static Followed follow_new_beginning(Tracker *t) {
    log_warn(t->log, "turn %u: the manager begins anew", t->turns);
    free(t->last_report);
    t->last_report = NULL;
    t->turns = 0;
    game_initial(t->work, &t->state);
    if (t->filter)
        belief_reveal(t->filter, &t->state);
    return FOLLOW_JUMPED;
}

Followed tracker_follow(Tracker *t, const Message *message, const BeliefModel *model,
                        Deadline deadline) {
    assert(message->kind == MESSAGE_PLAY || message->kind == MESSAGE_STOP);
    if (is_new_beginning(t, message))
        return follow_new_beginning(t);
    if (message->has_turn)
        return follow_percepts(t, message, model, deadline);
    return message->has_moves ? follow_moves(t, message) : FOLLOW_STAYED;
}
