/* Searches that people watch while they think about a position of a match. Each call of
 * live_think_on thinks a little more, so that one ends as soon as nobody listens. Whoever may not
 * know the whole position is told what a search can find out from what the role knows. */
#include <assert.h>
#include <string.h>

#include "server/json/inside_json.h"
#include "server/page/live_internal.h"
#include "strategy/strategy.h"

enum {
    MOST_MOVES = 200, /* moves that are written, at most (untuned) */
    LINE_TURNS = 12   /* turns of the line, at most (untuned) */
};

struct LiveThinking {
    LiveMatch *match;
    GameWork *work;
    Search *search;
    uint32_t turn, role;
    double seconds;      /* thought so far */
    const char *nothing; /* why there is nothing to think about; otherwise NULL */
};

/* Computes the position after so many turns. */
static bool find_position(const LiveMatch *m, GameWork *work, size_t turns, State *state) {
    uint32_t *joint = memory_alloc(m->role_count * sizeof *joint);
    bool ok = true;
    game_initial(work, state);
    for (size_t t = 0; ok && t < turns; t++) {
        for (uint32_t r = 0; ok && r < m->role_count; r++) {
            const char *move = m->turns.items[t].moves[r];
            joint[r] = game_find_move(work, r, move, strlen(move));
            ok = joint[r] != MOVE_NONE;
        }
        if (ok)
            game_next(work, state, joint, state);
    }
    free(joint);
    return ok;
}

/* The first role that has a choice in the state; LIVE_NOBODY if none has. */
static uint32_t find_chooser(const LiveMatch *m, GameWork *work, const State *state) {
    uint32_t found = LIVE_NOBODY;
    U32Vector legal = {0};
    for (uint32_t r = 0; r < m->role_count && found == LIVE_NOBODY; r++) {
        if (game_is_chance(m->open->game, r))
            continue;
        game_legal(work, state, r, &legal);
        found = legal.count > 1 ? r : LIVE_NOBODY;
    }
    vector_free(&legal);
    return found;
}

/* What the search starts from: a state, or a belief with hidden information. */
typedef struct {
    State state;
    Belief belief;
    uint32_t role;
    const char *nothing; /* why there is nothing to think about; otherwise NULL */
} Position;

/* Copies the position that the reader may know. Returns why he may know none. Call inside the
 * monitor. */
static const char *copy_position(LiveMatch *m, uint32_t reader, size_t turn, uint32_t role,
                                 GameWork *work, Position *p) {
    p->role = role;
    if (!m->allows_help && !m->is_over)
        return "people play this match without the help of searches";
    if (turn > m->turns.count)
        return "there is no such turn";
    if (m->beliefs && reader != LIVE_NOBODY && m->keys[reader] && turn == m->turns.count) {
        p->role = reader;
        belief_copy(&p->belief, &m->beliefs[reader].belief, m->role_count);
        return p->belief.states.count ? NULL : "nothing explains what was perceived";
    }
    if (game_hides(m->open->game) || !live_shows_all(m))
        return "in a game with hidden information a search can only help a player";
    if (!find_position(m, work, turn, &p->state))
        return "the position cannot be found again";
    if (game_is_terminal(work, &p->state))
        p->nothing = "the match is over here; an earlier turn can be analysed";
    else if (p->role == LIVE_NOBODY)
        p->role = find_chooser(m, work, &p->state);
    if (p->role == LIVE_NOBODY && !p->nothing)
        p->nothing = "nobody has a choice here";
    return NULL;
}

static Search *create_search(const LiveMatch *m, const Position *p, Report *report) {
    SearchOptions options = {.seed = 1, .node_bytes = LIVE_TREE_BYTES};
    Search *search = strategy_create_named("auto", m->open->game, p->role, &options, report);
    if (search && p->belief.states.count)
        search_set_belief(search, &p->belief);
    else if (search)
        search_set_state(search, &p->state);
    return search;
}

LiveThinking *live_think(LiveMatch *m, uint32_t reader, size_t turn, uint32_t role,
                         Report *report) {
    LiveThinking *t = memory_zalloc(sizeof *t);
    Position position = {.belief = {.kind = BELIEF_LOST}};
    t->match = m;
    t->turn = (uint32_t)turn;
    t->work = game_work_create(m->open->game, REASONER_AUTO);
    monitor_enter(&m->monitor);
    live_settle(m);
    const char *why = copy_position(m, reader, turn, role, t->work, &position);
    monitor_leave(&m->monitor);
    t->nothing = position.nothing;
    if (why)
        report_error(report, "no-help", "%s", why);
    else if (!t->nothing)
        t->search = create_search(m, &position, report);
    t->role = position.role;
    state_free(&position.state);
    belief_clear(&position.belief);
    if (t->search || (t->nothing && !why))
        return t;
    live_think_free(t);
    return NULL;
}

void live_think_free(LiveThinking *t) {
    if (!t)
        return;
    search_free(t->search);
    game_work_free(t->work);
    free(t);
}

static json_t *line_json(const LiveThinking *t, const SearchResult *result) {
    const uint32_t roles = t->match->role_count;
    json_t *line = json_array();
    Text text = {0};
    for (size_t turn = 0; (turn + 1) * roles <= result->line.count && turn < LINE_TURNS; turn++) {
        json_t *row = json_array();
        for (uint32_t r = 0; r < roles; r++) {
            text_clear(&text);
            game_move_text(t->work, r, result->line.items[turn * roles + r], &text);
            array_push(row, text_json(text_string(&text)));
        }
        array_push(line, row);
    }
    vector_free(&text);
    return line;
}

/* Adds the squares that each move names. */
static void add_squares(const LiveThinking *t, json_t *moves) {
    for (size_t i = 0; i < json_array_size(moves); i++) {
        json_t *move = json_array_get(moves, i);
        json_t *named = board_move_json(t->match->open->board,
                                        json_string_value(json_object_get(move, "move")));
        json_object_set(move, "squares", json_object_get(named, "squares"));
        json_decref(named);
    }
}

static void write_result(const LiveThinking *t, const SearchResult *result, Text *json) {
    Arena arena = {0};
    const char **moves = match_move_texts(t->work, t->role, result, &arena);
    MatchThought thought = {t->turn, t->role, moves, result, t->seconds};
    json_t *object = live_thought(&thought, t->match->roles[t->role], MOST_MOVES);
    add_squares(t, json_object_get(object, "moves"));
    write_json(json, object_add(object, "line", line_json(t, result), "decided",
                                json_boolean(result->is_decided)));
    arena_free(&arena);
}

bool live_think_on(LiveThinking *t, double seconds, Text *json) {
    SearchResult result = {0};
    if (t->nothing) {
        write_json(json,
                   object_of("turn", json_integer(t->turn), "missing", text_json(t->nothing)));
        return false;
    }
    if (!slots_enter(t->match->tools->slots, &t->match->stopped))
        return false;
    double started = clock_wall_seconds();
    search_run(t->search, &(SearchBudget){.deadline = deadline_in(seconds)});
    search_result(t->search, &result);
    slots_leave(t->match->tools->slots);
    t->seconds += clock_wall_seconds() - started;
    write_result(t, &result, json);
    bool goes_on = !result.is_decided;
    search_result_free(&result);
    return goes_on;
}
