/* A document is made once for each version and audience and then sent as text to everybody who
 * watches. In a game with hidden information, a role is shown the facts that hold in every state it
 * considers possible. */
#include <assert.h>
#include <string.h>

#include "server/json/inside_json.h"
#include "server/page/live_internal.h"

/* Returns the view of a whole state, or of some of its facts. */
static json_t *view_json(const LiveMatch *m, const char *state, bool is_whole) {
    Report report = {0};
    BoardView *view = is_whole ? board_view(m->open->board, state, &report)
                               : board_view_facts(m->open->board, state, &report);
    json_t *json = view ? board_view_json(m->open->board, view) : json_null();
    board_view_free(view);
    report_free(&report);
    return json;
}

/* Returns an object from squares, as JSON texts, to the pieces on them. */
static json_t *contents_json(const BoardView *view) {
    json_t *contents = json_object();
    Text key = {0}, all = {0};
    for (size_t i = 0; view && i < view->pieces.count; i++) {
        const PlacedPiece *p = &view->pieces.items[i];
        text_clear(&key);
        text_printf(&key, "[%u,%u,%u,%u]", p->grid, p->plane, p->x, p->y);
        const char *before = json_string_value(json_object_get(contents, text_string(&key)));
        text_clear(&all);
        text_printf(&all, "%s;%s", before ? before : "", p->text);
        object_add(contents, text_string(&key), text_json(text_string(&all)));
    }
    vectors_free(&key, &all);
    return contents;
}

/* Lists the squares that the turn before this state changed. */
static json_t *changes_json(const LiveMatch *m, size_t turn) {
    json_t *array = json_array(), *pieces;
    const char *square;
    if (!turn)
        return array;
    Report report = {0};
    BoardView *old = board_view(m->open->board, m->states.items[turn - 1], &report);
    BoardView *new = board_view(m->open->board, m->states.items[turn], &report);
    json_t *before = contents_json(old), *after = contents_json(new);
    json_object_foreach(before, square, pieces) {
        if (!json_equal(pieces, json_object_get(after, square)))
            array_push(array, json_loads(square, 0, NULL));
    }
    json_object_foreach(after, square, pieces) {
        if (!json_object_get(before, square))
            array_push(array, json_loads(square, 0, NULL));
    }
    json_decref(before);
    json_decref(after);
    board_view_free(old);
    board_view_free(new);
    report_free(&report);
    return array;
}

static json_t *moves_json(const LiveMatch *m, const LiveTurn *turn, uint32_t role) {
    json_t *row = json_array();
    for (uint32_t r = 0; r < m->role_count; r++)
        array_push(row, live_shows_all(m) || r == role ? text_json(turn->moves[r]) : json_null());
    return row;
}

/* Lists the moves of the turn before this state that may be shown, with the squares they name. */
static json_t *last_json(const LiveMatch *m, size_t turn, uint32_t role) {
    json_t *array = json_array();
    for (uint32_t r = 0; turn && r < m->role_count; r++)
        if (live_shows_all(m) || r == role)
            array_push(array, object_add(board_move_json(m->open->board,
                                                         m->turns.items[turn - 1].moves[r]),
                                         "role", text_json(m->roles[r])));
    return array;
}

static json_t *spent_json(const LiveMatch *m) {
    json_t *array = json_array();
    for (uint32_t r = 0; r < m->role_count; r++)
        array_push(array, json_real(m->spent[r]));
    return array;
}

static void add_position(const LiveMatch *m, uint32_t role, json_t *object) {
    if (live_shows_all(m)) {
        object_add(object, "state", text_json(vector_last(&m->states)), "view",
                   view_json(m, vector_last(&m->states), true), "changed",
                   changes_json(m, m->states.count - 1));
        return;
    }
    const LiveBelief *known =
        role != LIVE_NOBODY && m->beliefs && m->keys[role] ? &m->beliefs[role] : NULL;
    const char *facts = known ? text_string(&known->facts) : NULL;
    object_add(object, "state", text_json(facts), "view",
               known ? view_json(m, facts, false) : json_null(), "possible",
               known ? count_json(known->belief.states.count) : json_null(), "certain",
               json_boolean(known && known->belief.kind == BELIEF_EXACT));
}

static void add_turns(const LiveMatch *m, uint32_t role, json_t *object) {
    json_t *moves = json_array(), *percepts = json_array();
    for (size_t t = 0; t < m->turns.count; t++) {
        const LiveTurn *turn = &m->turns.items[t];
        if (live_shows_all(m) || role != LIVE_NOBODY)
            array_push(moves, moves_json(m, turn, role));
        if (turn->percepts && role != LIVE_NOBODY)
            array_push(percepts, text_json(turn->percepts[role]));
    }
    object_add(object, "moves", moves, "percepts", percepts, "last",
               last_json(m, m->turns.count, role));
}

static json_t *goals_json(const LiveMatch *m) {
    json_t *goals = json_object();
    for (uint32_t r = 0; r < m->role_count; r++)
        object_add(goals, m->roles[r], goal_json(m->goals[r]));
    return goals;
}

/* Adds the roles that the match waits for, and the moves that the reader may choose from. */
static void add_choices(const LiveMatch *m, uint32_t role, json_t *object) {
    json_t *waiting = json_array(), *legal = json_array();
    for (size_t i = 0; i < m->choice_count; i++) {
        const MatchQuestion *choice = &m->choices[i];
        if (choice->chosen < choice->legal_count)
            continue;
        array_push(waiting, text_json(choice->role));
        for (size_t k = 0; choice->role_number == role && k < choice->legal_count; k++)
            array_push(legal, board_move_json(m->open->board, choice->legal[k]));
    }
    object_add(object, "waiting", waiting, "legal", legal);
}

/* Adds all thoughts without their lists of moves, and the last one with it. */
static void add_thoughts(const LiveMatch *m, json_t *object) {
    json_t *all = json_array();
    for (size_t i = 0; live_shows_all(m) && i < m->thoughts.count; i++) {
        json_t *thought = json_loads(m->thoughts.items[i].json, 0, NULL);
        if (i + 1 == m->thoughts.count)
            json_object_set(object, "thought", thought);
        json_t *brief = json_copy(thought);
        json_object_del(brief, "moves");
        array_push(all, brief);
        json_decref(thought);
    }
    json_object_set_new(object, "thoughts", all);
}

static const char *status_of(const LiveMatch *m) {
    return m->is_over                           ? "over"
           : m->is_broken                       ? "broken"
           : m->choice_count                    ? "waiting"
           : !m->has_thread && !m->is_elsewhere ? "parked"
                                                : "thinking";
}

static json_t *faults_json(const LiveMatch *m) {
    json_t *array = json_array();
    for (size_t i = 0; i < m->faults.count; i++)
        array_push(array, json_loads(m->faults.items[i], 0, NULL));
    return array;
}

static json_t *humans_json(const LiveMatch *m) {
    json_t *array = json_array();
    for (uint32_t r = 0; r < m->role_count; r++)
        array_push(array, json_boolean(m->keys[r] != NULL));
    return array;
}

/* The match as an entry of a list. */
static json_t *entry_json(const LiveMatch *m) {
    return object_of("id", text_json(m->id), "game", text_json(m->open->id), "name",
                     text_json(m->open->name), "players",
                     texts_json((const char *const *)m->players, m->role_count), "status",
                     text_json(status_of(m)), "turn", count_json(m->turns.count), "started",
                     m->began ? json_integer(m->began) : json_null(), "goals",
                     m->is_over ? goals_json(m) : json_null());
}

static void write_document(const LiveMatch *m, uint32_t role, Text *json) {
    json_t *object = object_add(entry_json(m), "version", count_json(m->version), "roles",
                                texts_json(m->roles, m->role_count), "humans", humans_json(m),
                                "you", text_json(role == LIVE_NOBODY ? NULL : m->roles[role]),
                                "secrets", json_boolean(!live_shows_all(m)), "help",
                                json_boolean(m->allows_help || m->is_over), "spent", spent_json(m),
                                "since", json_integer(m->since), "faults", faults_json(m));
    add_turns(m, role, object);
    add_position(m, role, object);
    add_choices(m, role, object);
    add_thoughts(m, object);
    text_clear(json);
    write_json(json, object);
}

void live_document(LiveMatch *m, uint32_t role, Text *json) {
    assert(role < m->role_count || role == LIVE_NOBODY);
    uint32_t audience = role == LIVE_NOBODY ? m->role_count : role;
    monitor_enter(&m->monitor);
    live_settle(m);
    if (m->shown_version[audience] != m->version) {
        write_document(m, role, &m->shown[audience]);
        m->shown_version[audience] = m->version;
    }
    text_add_bytes(json, m->shown[audience].items, m->shown[audience].count);
    monitor_leave(&m->monitor);
}

bool live_turn_document(LiveMatch *m, uint32_t role, size_t turn, Text *json) {
    monitor_enter(&m->monitor);
    live_settle(m);
    bool ok = turn < m->states.count && live_shows_all(m);
    if (ok) {
        json_t *thoughts = json_array();
        for (size_t i = 0; i < m->thoughts.count; i++)
            if (m->thoughts.items[i].turn + 1 == turn)
                array_push(thoughts, json_loads(m->thoughts.items[i].json, 0, NULL));
        write_json(json,
                   object_of("turn", count_json(turn), "state", text_json(m->states.items[turn]),
                             "view", view_json(m, m->states.items[turn], true), "changed",
                             changes_json(m, turn), "moves",
                             turn ? moves_json(m, &m->turns.items[turn - 1], role) : json_null(),
                             "last", last_json(m, turn, role), "thoughts", thoughts));
    }
    monitor_leave(&m->monitor);
    return ok;
}

json_t *live_summary(LiveMatch *m) {
    monitor_enter(&m->monitor);
    json_t *object = entry_json(m);
    monitor_leave(&m->monitor);
    return object;
}
