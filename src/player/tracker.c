/* A reported move that the rules do not know is replaced by a legal one: a wrong state is better
 * than none, and most managers that send such a thing are about to end the match. */
#include "player/tracker.h"

#include <string.h>

#include "game/upgrade.h"

static bool find_role(Tracker *p, const char *role) {
    Text name = {0};
    bool found = false;
    for (uint32_t r = 0; r < p->game->role_count && !found; r++) {
        text_clear(&name);
        game_role_text(p->game, r, &name);
        found = strcasecmp(text_string(&name), role) == 0;
        if (found)
            p->role = r;
    }
    vector_free(&name);
    return found;
}

Tracker *tracker_create(const Text *rules, const char *role, uint64_t seed, Log *log,
                        Report *report) {
    Rules *read = rules_read_text("rules", text_string(rules), rules->count, report);
    GameOptions options = {.interpreter_only = true};
    Game *game = read ? game_create(read, &options, report) : NULL;
    if (!game)
        return NULL;
    Tracker *p = memory_zalloc(sizeof *p);
    p->game = game;
    p->work = game_work(game, REASONER_AUTO);
    p->log = log;
    random_seed(&p->random, seed);
    if (!find_role(p, role)) {
        report_error(report, "unknown-role", "the rules have no role `%s`", role);
        tracker_free(p);
        return NULL;
    }
    game_initial(p->work, &p->state);
    return p;
}

void tracker_free(Tracker *p) {
    if (!p)
        return;
    for (size_t i = 0; i < p->history.count; i++) {
        free(p->history.items[i].move);
        free(p->history.items[i].percepts);
    }
    vector_free(&p->history);
    vector_free(&p->joint);
    free(p->last_message);
    state_free(&p->state);
    game_work_free(p->work);
    game_free(p->game);
    free(p);
}

Game *tracker_upgrade(Tracker *p, Game *better) {
    GameWork *work = game_work(better, REASONER_AUTO);
    State state = {0};
    game_initial(work, &state);
    if (!state_translate(p->work, &p->state, work, &state)) {
        state_free(&state);
        game_work_free(work);
        return NULL;
    }
    Game *old = p->game;
    state_free(&p->state);
    game_work_free(p->work);
    p->game = better;
    p->work = work;
    p->state = state;
    return old;
}

static uint32_t some_move(Tracker *p, const State *state, uint32_t role) {
    U32Vector legal = {0};
    game_legal(p->work, state, role, &legal);
    uint32_t move = legal.count ? legal.items[random_below(&p->random, legal.count)] : MOVE_NONE;
    vector_free(&legal);
    return move;
}

uint32_t tracker_some_move(Tracker *p) {
    return some_move(p, &p->state, p->role);
}

/* Some managers write (noop) for noop. */
static uint32_t find_move(Tracker *p, uint32_t role, const char *text) {
    size_t length = strlen(text);
    uint32_t move = game_find_move(p->work, role, text, length);
    if (move == MOVE_NONE && length > 2 && text[0] == '(' && !strchr(text, ' '))
        move = game_find_move(p->work, role, text + 1, length - 2);
    return move;
}

static bool contains(const U32Vector *moves, uint32_t move) {
    for (size_t i = 0; i < moves->count; i++)
        if (moves->items[i] == move)
            return true;
    return false;
}

bool tracker_is_legal(Tracker *p, uint32_t role, uint32_t move) {
    U32Vector legal = {0};
    game_legal(p->work, &p->state, role, &legal);
    bool found = contains(&legal, move);
    vector_free(&legal);
    return found;
}

/* The joint move of the message, completed where it makes no sense; false if that is impossible.
 * *is_right says whether it was right as it stood. */
static bool read_joint(Tracker *p, const Message *m, bool *is_right) {
    U32Vector legal = {0};
    *is_right = m->moves.count == p->game->role_count;
    vector_clear(&p->joint);
    for (uint32_t r = 0; r < p->game->role_count; r++) {
        /* An interpreted game knows the moves it has listed. */
        game_legal(p->work, &p->state, r, &legal);
        uint32_t move = r < m->moves.count ? find_move(p, r, m->moves.items[r]) : MOVE_NONE;
        *is_right = *is_right && contains(&legal, move);
        if (move == MOVE_NONE && legal.count)
            move = legal.items[random_below(&p->random, legal.count)];
        if (move != MOVE_NONE)
            vector_push(&p->joint, move);
    }
    vector_free(&legal);
    return p->joint.count == p->game->role_count;
}

static Followed follow_moves(Tracker *p, const Message *m) {
    Text said = {0};
    bool legal = false;
    for (size_t i = 0; i < m->moves.count; i++)
        text_printf(&said, " %s", m->moves.items[i]);
    bool possible = read_joint(p, m, &legal);
    bool repeated = !legal && p->last_message && strcmp(p->last_message, text_string(&said)) == 0;
    if (repeated)
        log_warn(p->log, "the same moves again; nothing changes:%s", text_string(&said));
    else if (!legal)
        log_warn(p->log, "turn %u: the manager reports moves that are not legal:%s", p->turns,
                 text_string(&said));
    if (possible && !repeated) {
        free(p->last_message);
        p->last_message = memory_strdup(text_string(&said));
        game_next(p->work, &p->state, p->joint.items, &p->state);
        p->turns++;
    }
    vector_free(&said);
    return possible && !repeated ? FOLLOW_ADVANCED : FOLLOW_STAYED;
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

/* One random turn in which the player does its move; whether it would perceive the same. */
static bool guess_turn(Tracker *p, State *state, const TrackedTurn *turn) {
    vector_clear(&p->joint);
    for (uint32_t r = 0; r < p->game->role_count; r++) {
        uint32_t move = r == p->role && turn->move ? find_move(p, r, turn->move) : MOVE_NONE;
        move = move == MOVE_NONE ? some_move(p, state, r) : move;
        if (move == MOVE_NONE)
            return false;
        vector_push(&p->joint, move);
    }
    Text seen = {0};
    game_sees(p->work, state, p->joint.items, p->role, &seen);
    bool agrees = strcmp(text_string(&seen), turn->percepts) == 0;
    game_next(p->work, state, p->joint.items, state);
    vector_free(&seen);
    return agrees;
}

/* A whole match that explains all that was perceived, by trial; the state becomes its last one. */
static bool guess_match(Tracker *p, Deadline deadline) {
    State state = {0};
    bool agrees = false;
    while (!agrees && !deadline_passed(deadline)) {
        game_initial(p->work, &state);
        agrees = true;
        for (size_t i = 0; i < p->history.count && agrees; i++)
            agrees = guess_turn(p, &state, &p->history.items[i]);
    }
    if (agrees)
        state_copy(&p->state, &state);
    state_free(&state);
    return agrees;
}

static Followed follow_percepts(Tracker *p, const Message *m, Deadline deadline) {
    enum { TRIALS = 200 };
    if (m->turn <= p->turns && p->turns)
        return FOLLOW_STAYED;
    if (!m->own_move)
        return FOLLOW_STAYED;
    TrackedTurn turn = {memory_strdup(m->own_move), sorted_percepts(m)};
    vector_push(&p->history, turn);
    p->turns++;
    State state = {0};
    bool agrees = false;
    for (int i = 0; i < TRIALS && !agrees && !deadline_passed(deadline); i++) {
        state_copy(&state, &p->state);
        agrees = guess_turn(p, &state, &turn);
    }
    if (agrees)
        state_copy(&p->state, &state);
    else if (!guess_match(p, deadline)) {
        log_warn(p->log, "turn %u: no state found that explains the percepts", p->turns);
        if (state.word_count)
            state_copy(&p->state, &state);
    }
    state_free(&state);
    return agrees ? FOLLOW_ADVANCED : FOLLOW_JUMPED;
}

Followed tracker_follow(Tracker *p, const Message *message, Deadline deadline) {
    if (message->has_turn)
        return follow_percepts(p, message, deadline);
    return message->has_moves ? follow_moves(p, message) : FOLLOW_STAYED;
}
