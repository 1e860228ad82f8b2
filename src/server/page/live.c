/* The thread of a match is the referee's: it calls back to ask humans, after each turn, and with
 * what searches thought. All else looks at copies of texts under the mutex. */
#include "server/page/live.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

static const double playclock = LIVE_LONGEST_THINKING + 15;
/* Somebody waits for the first move, so searches prepare for a second at most; but players on the
 * network have to read and compile the rules. */
static const double startclock = 2, remote_startclock = 10;

static const char *keep_text(LiveMatch *m, const char *text) {
    return arena_copy(&m->arena, text, strlen(text));
}

/* Under the mutex. */
static void announce(LiveMatch *m) {
    m->version++;
    pthread_cond_broadcast(&m->changed);
}

void live_wake(LiveMatch *m) {
    pthread_mutex_lock(&m->mutex);
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->mutex);
}

void live_settle(LiveMatch *m) {
    while (m->is_replaying)
        pthread_cond_wait(&m->changed, &m->mutex);
}

/* Turns. */

static LiveTurn new_turn(LiveMatch *m) {
    LiveTurn turn = {.moves = arena_alloc(&m->arena, m->role_count * sizeof *turn.moves),
                     .asked = arena_alloc(&m->arena, m->role_count * sizeof *turn.asked)};
    memset(turn.asked, 0, m->role_count * sizeof *turn.asked);
    return turn;
}

/* As the store keeps it: {"moves": [...], "asked": [roles]}. */
static char *turn_text(const LiveMatch *m, const LiveTurn *turn) {
    json_t *moves = json_array(), *asked = json_array();
    for (uint32_t r = 0; r < m->role_count; r++) {
        json_array_append_new(moves, json_text(turn->moves[r]));
        if (turn->asked[r])
            json_array_append_new(asked, json_integer(r));
    }
    json_t *object = json_pack("{s:o,s:o}", "moves", moves, "asked", asked);
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

static bool read_moves(LiveMatch *m, const json_t *moves, LiveTurn *turn) {
    bool well = json_array_size(moves) == m->role_count;
    *turn = new_turn(m);
    for (uint32_t r = 0; well && r < m->role_count; r++) {
        const char *move = json_string_value(json_array_get(moves, r));
        well = move != NULL;
        turn->moves[r] = well ? keep_text(m, move) : NULL;
    }
    return well;
}

static bool read_turn(LiveMatch *m, const char *text, LiveTurn *turn) {
    json_t *object = json_loads(text, 0, NULL);
    const json_t *asked = json_object_get(object, "asked");
    bool well = read_moves(m, json_object_get(object, "moves"), turn);
    for (size_t i = 0; i < json_array_size(asked); i++) {
        json_int_t role = json_integer_value(json_array_get(asked, i));
        if (role >= 0 && role < m->role_count)
            turn->asked[role] = true;
    }
    json_decref(object);
    return well;
}

static void observe(LiveMatch *m, const LiveTurn *turn) {
    for (uint32_t r = 0; m->filters && r < m->role_count; r++)
        if (m->filters[r])
            belief_observe(m->filters[r], turn->moves[r], turn->percepts[r], true, NULL,
                           deadline_in(1));
}

static void add_faults(LiveMatch *m, const MatchRecord *record) {
    for (size_t i = m->faults.count; i < record->errors.count; i++) {
        const MatchError *e = &record->errors.items[i];
        json_t *object = json_object();
        json_object_set_new(object, "turn", json_integer(e->turn));
        json_object_set_new(object, "role",
                            e->role < m->role_count ? json_text(m->roles[e->role]) : json_null());
        json_object_set_new(object, "message", json_text(e->message));
        vector_push(&m->faults, json_dumps(object, JSON_COMPACT));
        json_decref(object);
    }
}

/* The last turn of the record becomes one of the match. Under the mutex. */
static void take_turn(LiveMatch *m, const MatchRecord *record) {
    size_t index = record->moves.count - 1;
    LiveTurn turn = new_turn(m);
    if (record->percepts.count)
        turn.percepts = arena_alloc(&m->arena, m->role_count * sizeof *turn.percepts);
    for (uint32_t r = 0; r < m->role_count; r++) {
        turn.moves[r] = keep_text(m, record->moves.items[index][r]);
        if (turn.percepts)
            turn.percepts[r] = keep_text(m, record->percepts.items[index][r]);
        turn.asked[r] = m->asked[r];
        m->asked[r] = false;
    }
    if (index < m->opening.count)
        turn.asked = m->opening.items[index].asked;
    vector_push(&m->turns, turn);
    vector_push(&m->states, keep_text(m, vector_last(&record->states)));
    observe(m, &vector_last(&m->turns));
    add_faults(m, record);
}

/* Stored first, then shown. */
void live_hear_turn(void *context, const MatchRecord *record) {
    LiveMatch *m = context;
    Report report = {0};
    pthread_mutex_lock(&m->mutex);
    take_turn(m, record);
    size_t count = m->turns.count;
    if (count > m->opening.count && !m->is_elsewhere) {
        char *text = turn_text(m, &vector_last(&m->turns));
        store_add_turn(m->tools->store, m->id, (uint32_t)count - 1, text, &report);
        free(text);
    }
    if (count >= m->opening.count)
        m->is_replaying = false;
    announce(m);
    pthread_mutex_unlock(&m->mutex);
    report_free(&report);
}

static bool all_chose(const LiveMatch *m) {
    for (size_t i = 0; i < m->choice_count; i++)
        if (m->choices[i].chosen >= m->choices[i].legal_count)
            return false;
    return true;
}

static void on_question(void *context, MatchChoice *choices, size_t count) {
    LiveMatch *m = context;
    pthread_mutex_lock(&m->mutex);
    m->choices = choices;
    m->choice_count = count;
    for (size_t i = 0; i < count; i++)
        m->asked[choices[i].role_number] = true;
    announce(m);
    while (!all_chose(m) && !__atomic_load_n(&m->stopped, __ATOMIC_RELAXED))
        pthread_cond_wait(&m->changed, &m->mutex);
    m->choices = NULL;
    m->choice_count = 0;
    pthread_mutex_unlock(&m->mutex);
}

json_t *live_thought(const MatchThought *thought, const char *role, size_t most_moves) {
    const SearchResult *result = thought->result;
    json_t *object = json_object(), *moves = json_array();
    double best = 0;
    for (size_t i = 0; i < result->moves.count; i++) {
        const SearchMove *move = &result->moves.items[i];
        if (move->move == result->best)
            best = move->value;
        if (i >= most_moves)
            continue;
        json_t *entry = json_object();
        json_object_set_new(entry, "move", json_text(thought->moves[i]));
        json_object_set_new(entry, "value", json_real(move->value));
        json_object_set_new(entry, "visits", json_integer((json_int_t)move->visits));
        json_object_set_new(entry, "proven", json_boolean(move->is_proven));
        json_array_append_new(moves, entry);
    }
    json_object_set_new(object, "turn", json_integer(thought->turn));
    json_object_set_new(object, "role", json_text(role));
    json_object_set_new(object, "value", json_real(best));
    json_object_set_new(object, "playouts", json_integer((json_int_t)result->playouts));
    json_object_set_new(object, "nodes", json_integer((json_int_t)result->nodes));
    json_object_set_new(object, "depth", json_integer(result->depth));
    json_object_set_new(object, "seconds", json_real(thought->seconds));
    json_object_set_new(object, "moves", moves);
    return object;
}

/* Players who move without looking have nothing to tell. */
static bool is_worth_telling(const SearchResult *result) {
    for (size_t i = 0; i < result->moves.count; i++)
        if (result->moves.items[i].visits)
            return true;
    return false;
}

/* Thoughts of a match that others store are stored with its end, lest they be left without it. */
void live_hear_thought(void *context, const MatchThought *thought) {
    LiveMatch *m = context;
    Report report = {0};
    if (!is_worth_telling(thought->result))
        return;
    enum { SHOWN = 40 };
    json_t *object = live_thought(thought, m->roles[thought->role], SHOWN);
    LiveThought kept = {thought->turn, thought->role, json_dumps(object, JSON_COMPACT)};
    json_decref(object);
    const char *client = json_string_value(json_object_get(m->setup, "client"));
    if (client)
        limits_spend(m->tools->limits, client, thought->seconds, clock_wall_seconds());
    if (!m->is_elsewhere)
        store_add_thought(m->tools->store, m->id, kept.turn, kept.role, kept.json, &report);
    pthread_mutex_lock(&m->mutex);
    vector_push(&m->thoughts, kept);
    announce(m);
    pthread_mutex_unlock(&m->mutex);
    report_free(&report);
}

/* The run. */

static void forget_thoughts(LiveMatch *m, size_t from) {
    size_t kept = 0;
    for (size_t i = 0; i < m->thoughts.count; i++)
        if (m->thoughts.items[i].turn < from)
            m->thoughts.items[kept++] = m->thoughts.items[i];
        else
            free(m->thoughts.items[i].json);
    m->thoughts.count = kept;
}

static void forget_faults(LiveMatch *m) {
    for (size_t i = 0; i < m->faults.count; i++)
        free(m->faults.items[i]);
    vector_clear(&m->faults);
}

static void renew_filters(LiveMatch *m) {
    for (uint32_t r = 0; m->filters && r < m->role_count; r++)
        if (m->filters[r]) {
            belief_free(m->filters[r]);
            m->filters[r] = belief_create(m->open->game, r, NULL, r + 1);
        }
}

/* Before a run: no turns but those of the opening, which will be made again. Under the mutex. */
static void rewind_turns(LiveMatch *m) {
    vector_clear(&m->turns);
    m->states.count = 1;
    forget_faults(m);
    renew_filters(m);
    memset(m->asked, 0, m->role_count * sizeof *m->asked);
    m->is_replaying = m->opening.count > 0;
}

static void take_back_turns(LiveMatch *m) {
    Report report = {0};
    vector_clear(&m->opening);
    for (size_t i = 0; i < m->keep && i < m->turns.count; i++)
        vector_push(&m->opening, m->turns.items[i]);
    store_take_back(m->tools->store, m->id, (uint32_t)m->opening.count, &report);
    forget_thoughts(m, m->opening.count);
    m->wants_back = false;
    __atomic_store_n(&m->stopped, false, __ATOMIC_RELAXED);
    report_free(&report);
}

static bool has_remote(const LiveMatch *m) {
    for (size_t s = 0; s < m->seats; s++)
        if (m->contestants[s].kind == CONTESTANT_REMOTE)
            return true;
    return false;
}

static MatchRecord *referee(LiveMatch *m, Report *report) {
    const char *const **opening = memory_alloc((m->opening.count + 1) * sizeof *opening);
    const Contestant **contestants = memory_alloc((m->seats + 1) * sizeof *contestants);
    for (size_t i = 0; i < m->opening.count; i++)
        opening[i] = m->opening.items[i].moves;
    for (size_t i = 0; i < m->seats; i++)
        contestants[i] = &m->contestants[i];
    json_int_t seed = json_integer_value(json_object_get(m->setup, "seed"));
    MatchSetup plan = {.game = m->open->game,
                       .game_name = m->open->id,
                       .id = m->id,
                       .contestants = contestants,
                       .contestant_count = m->seats,
                       .startclock = has_remote(m) ? remote_startclock : startclock,
                       .playclock = playclock,
                       .seed = (uint64_t)seed + m->opening.count,
                       .stopped = &m->stopped,
                       .gate = m->tools->gate,
                       .opening = opening,
                       .opening_turns = m->opening.count,
                       .ask = on_question,
                       .watch = live_hear_turn,
                       .on_thought = live_hear_thought,
                       .context = m};
    MatchRecord *record = match_play(&plan, report);
    free(opening);
    free(contestants);
    return record;
}

/* Under the mutex. */
static void finish(LiveMatch *m, const MatchRecord *record, Report *report) {
    bool is_stored = store_end_live(m->tools->store, m->id, record, report);
    if (record) {
        add_faults(m, record);
        for (uint32_t r = 0; r < m->role_count; r++)
            m->goals[r] = record->goals[r];
    }
    m->is_over = record && record->is_completed;
    m->is_broken = !m->is_over || !is_stored;
}

static void *run(void *context) {
    LiveMatch *m = context;
    for (bool goes_on = true; goes_on;) {
        Report report = {0};
        MatchRecord *record = referee(m, &report);
        pthread_mutex_lock(&m->mutex);
        m->is_replaying = false;
        bool is_stopped =
            __atomic_load_n(&m->stopped, __ATOMIC_RELAXED) && !(record && record->is_completed);
        goes_on = is_stopped && m->wants_back;
        if (goes_on) {
            take_back_turns(m);
            rewind_turns(m);
        } else if (!is_stopped || m->wants_end) {
            finish(m, m->turns.count ? record : NULL, &report);
        }
        announce(m);
        pthread_mutex_unlock(&m->mutex);
        match_free(record);
        report_free(&report);
    }
    return NULL;
}

static void load_turn(void *context, const char *const *texts) {
    LiveMatch *m = context;
    LiveTurn turn;
    if (read_turn(m, texts[0], &turn))
        vector_push(&m->opening, turn);
}

static void load_thought(void *context, const char *const *texts) {
    LiveMatch *m = context;
    LiveThought thought = {(uint32_t)strtoul(texts[0], NULL, 10),
                           (uint32_t)strtoul(texts[1], NULL, 10), memory_strdup(texts[2])};
    vector_push(&m->thoughts, thought);
}

/* The turns of the match that this one goes on from. */
static void load_opening(LiveMatch *m) {
    const json_t *opening = json_object_get(m->setup, "opening");
    LiveTurn turn;
    for (size_t t = 0; t < json_array_size(opening); t++)
        if (read_moves(m, json_array_get(opening, t), &turn))
            vector_push(&m->opening, turn);
}

bool live_run(LiveMatch *m, Report *report) {
    load_opening(m);
    if (!store_visit_turns(m->tools->store, m->id, load_turn, m, report) ||
        !store_visit_thoughts(m->tools->store, m->id, load_thought, m, report))
        return false;
    pthread_mutex_lock(&m->mutex);
    rewind_turns(m);
    m->has_thread = pthread_create(&m->thread, NULL, run, m) == 0;
    m->is_replaying = m->is_replaying && m->has_thread;
    pthread_mutex_unlock(&m->mutex);
    if (!m->has_thread)
        report_error(report, "busy", "no thread could be started");
    return m->has_thread;
}

/* Matches of others. */

void live_conclude(LiveMatch *m, const MatchRecord *record) {
    Report report = {0};
    pthread_mutex_lock(&m->mutex);
    m->is_over = record && record->is_completed;
    m->is_broken = !m->is_over;
    for (uint32_t r = 0; record && r < m->role_count; r++)
        m->goals[r] = record->goals[r];
    for (size_t i = 0; record && i < m->thoughts.count; i++) {
        const LiveThought *t = &m->thoughts.items[i];
        store_add_thought(m->tools->store, m->id, t->turn, t->role, t->json, &report);
    }
    announce(m);
    pthread_mutex_unlock(&m->mutex);
    report_free(&report);
}

json_t *live_opening(LiveMatch *m, size_t turns, Report *report) {
    json_t *opening = NULL;
    pthread_mutex_lock(&m->mutex);
    live_settle(m);
    if (turns > m->turns.count || !live_shows_all(m)) {
        report_error(report, "no-turn", "there is no such turn, or it is not shown yet");
    } else {
        opening = json_array();
        for (size_t t = 0; t < turns; t++) {
            json_t *moves = json_array();
            for (uint32_t r = 0; r < m->role_count; r++)
                json_array_append_new(moves, json_text(m->turns.items[t].moves[r]));
            json_array_append_new(opening, moves);
        }
    }
    pthread_mutex_unlock(&m->mutex);
    return opening;
}

void live_stop(LiveMatch *m) {
    pthread_mutex_lock(&m->mutex);
    m->wants_back = false;
    __atomic_store_n(&m->stopped, true, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->mutex);
    gate_wake(m->tools->gate);
    if (m->has_thread)
        pthread_join(m->thread, NULL);
    m->has_thread = false;
}

/* What people do. */

/* Looked at in full, so that the time it takes tells nothing. */
static bool is_same_key(const char *wanted, const char *given) {
    if (!wanted || !given || strlen(wanted) != LIVE_KEY_LENGTH || strlen(given) != LIVE_KEY_LENGTH)
        return false;
    unsigned difference = 0;
    for (size_t i = 0; i < LIVE_KEY_LENGTH; i++)
        difference |= (unsigned char)(wanted[i] ^ given[i]);
    return !difference;
}

uint32_t live_role_of_key(const LiveMatch *m, const char *key) {
    for (uint32_t r = 0; r < m->role_count; r++)
        if (is_same_key(m->keys[r], key))
            return r;
    return LIVE_NOBODY;
}

static MatchChoice *choice_of(const LiveMatch *m, uint32_t role) {
    for (size_t i = 0; i < m->choice_count; i++)
        if (m->choices[i].role_number == role)
            return &m->choices[i];
    return NULL;
}

/* A match that has just begun, or was just brought back, is given a moment to ask. */
static void await_question(LiveMatch *m, uint32_t role) {
    struct timespec until;
    int failure = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    while (!failure && m->has_thread && !m->is_over && !m->is_broken && !choice_of(m, role) &&
           m->turns.count <= m->opening.count)
        failure = pthread_cond_timedwait(&m->changed, &m->mutex, &until);
}

bool live_move(LiveMatch *m, uint32_t role, const char *move, Report *report) {
    bool well = false;
    pthread_mutex_lock(&m->mutex);
    await_question(m, role);
    MatchChoice *choice = choice_of(m, role);
    if (!choice || choice->chosen < choice->legal_count) {
        report_error(report, "not-your-turn", "%s has no move to make now", m->roles[role]);
    } else {
        for (size_t i = 0; i < choice->legal_count && !well; i++)
            if (strcmp(choice->legal[i], move) == 0) {
                choice->chosen = i;
                well = true;
            }
        if (!well)
            report_error(report, "illegal", "`%.200s` is not legal", move);
    }
    if (well)
        announce(m);
    pthread_mutex_unlock(&m->mutex);
    return well;
}

bool live_take_back(LiveMatch *m, uint32_t role, Report *report) {
    pthread_mutex_lock(&m->mutex);
    live_settle(m);
    size_t turn = m->turns.count;
    while (turn && !m->turns.items[turn - 1].asked[role])
        turn--;
    bool well = turn && !m->is_over && !m->is_broken && m->has_thread && !has_remote(m);
    if (well) {
        m->wants_back = true;
        m->keep = turn - 1;
        __atomic_store_n(&m->stopped, true, __ATOMIC_RELAXED);
        pthread_cond_broadcast(&m->changed);
    } else {
        report_error(report, "no-way-back", "%s",
                     !turn           ? "there is no move to take back"
                     : has_remote(m) ? "players on the network take nothing back"
                                     : "the match is over");
    }
    pthread_mutex_unlock(&m->mutex);
    gate_wake(m->tools->gate);
    return well;
}

void live_end(LiveMatch *m) {
    pthread_mutex_lock(&m->mutex);
    m->wants_end = true;
    m->wants_back = false;
    __atomic_store_n(&m->stopped, true, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->mutex);
    gate_wake(m->tools->gate);
}

bool live_owns(const LiveMatch *m, const char *key) {
    const char *owner = json_string_value(json_object_get(m->setup, "owner"));
    return live_role_of_key(m, key) != LIVE_NOBODY || is_same_key(owner, key);
}

bool live_is_waiting(LiveMatch *m) {
    pthread_mutex_lock(&m->mutex);
    bool is_waiting = m->choice_count > 0 && !all_chose(m);
    pthread_mutex_unlock(&m->mutex);
    return is_waiting;
}

bool live_is_ended(LiveMatch *m) {
    pthread_mutex_lock(&m->mutex);
    bool is_ended = m->is_over || m->is_broken;
    pthread_mutex_unlock(&m->mutex);
    return is_ended;
}

bool live_wait(LiveMatch *m, uint64_t *seen, double seconds, const bool *stopped) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)seconds;
    pthread_mutex_lock(&m->mutex);
    int failure = 0;
    while ((m->version == *seen || m->is_replaying) && !failure &&
           !__atomic_load_n(stopped, __ATOMIC_RELAXED))
        failure = pthread_cond_timedwait(&m->changed, &m->mutex, &until);
    bool is_new = m->version != *seen;
    *seen = m->version;
    pthread_mutex_unlock(&m->mutex);
    return is_new;
}

bool live_shows_all(const LiveMatch *m) {
    return !m->has_secrets || m->is_over;
}

/* Beginning and end. */

static LiveMatch *new_match(const LiveTools *tools, const char *id, const OpenGame *open) {
    LiveMatch *m = memory_zalloc(sizeof *m);
    m->tools = tools;
    m->id = memory_strdup(id);
    m->open = open;
    m->role_count = open->game->role_count;
    m->roles = memory_zalloc(m->role_count * sizeof *m->roles);
    m->players = memory_zalloc(m->role_count * sizeof *m->players);
    m->keys = memory_zalloc(m->role_count * sizeof *m->keys);
    m->goals = memory_zalloc(m->role_count * sizeof *m->goals);
    m->asked = memory_zalloc(m->role_count * sizeof *m->asked);
    m->shown = memory_zalloc((m->role_count + 1) * sizeof *m->shown);
    m->shown_version = memory_zalloc((m->role_count + 1) * sizeof *m->shown_version);
    m->version = 1;
    pthread_mutex_init(&m->mutex, NULL);
    pthread_cond_init(&m->changed, NULL);
    for (uint32_t r = 0; r < m->role_count; r++) {
        Text role = {0};
        game_role_text(open->game, r, &role);
        m->roles[r] = memory_strdup(text_string(&role));
        m->goals[r] = GOAL_NONE;
        vector_free(&role);
    }
    vector_push(&m->states, keep_text(m, open->initial));
    return m;
}

static bool take_seat(LiveMatch *m, uint32_t role, const json_t *player, const json_t *key,
                      Report *report) {
    const char *text = json_string_value(json_object_get(player, "player"));
    const char *name = json_string_value(json_object_get(player, "name"));
    Contestant *c = &m->contestants[m->seats++];
    if (!text || !contestant_read(c, text, report))
        return false;
    if (name && *name)
        c->label = memory_strdup(name);
    m->players[role] = memory_strdup(contestant_label(c));
    if (c->kind == CONTESTANT_HUMAN) {
        m->keys[role] = memory_strdup(json_string_value(key));
        if (m->filters)
            m->filters[role] = belief_create(m->open->game, role, NULL, role + 1);
    }
    m->has_secrets = m->has_secrets || (game_hides(m->open->game) && c->kind != CONTESTANT_SEARCH);
    c->strategy.search.threads = 1;
    c->strategy.search.node_bytes = LIVE_TREE_BYTES;
    return true;
}

static bool take_seats(LiveMatch *m, Report *report) {
    const json_t *players = json_object_get(m->setup, "players");
    const json_t *keys = json_object_get(m->setup, "keys");
    bool well = json_array_size(players) == game_count_players(m->open->game);
    m->contestants = memory_zalloc(m->role_count * sizeof *m->contestants);
    if (game_hides(m->open->game))
        m->filters = memory_zalloc(m->role_count * sizeof *m->filters);
    for (uint32_t r = 0; well && r < m->role_count; r++)
        if (game_is_chance(m->open->game, r))
            m->players[r] = memory_strdup("random");
        else
            well = take_seat(m, r, json_array_get(players, m->seats),
                             json_array_get(keys, m->seats), report);
    return well;
}

LiveMatch *live_create(const LiveTools *tools, const char *id, json_t *setup, Report *report) {
    const char *game = json_string_value(json_object_get(setup, "game"));
    const OpenGame *open = game ? library_open(tools->library, game, report) : NULL;
    if (!open)
        return NULL;
    LiveMatch *m = new_match(tools, id, open);
    m->setup = json_incref(setup);
    if (take_seats(m, report))
        return m;
    if (!report_failed(report))
        report_error(report, "bad-match", "the players do not fit the game");
    live_free(m);
    return NULL;
}

LiveMatch *live_attend(const LiveTools *tools, const char *id, const MatchSetup *played,
                       const char *client, Report *report) {
    const OpenGame *open = library_open(tools->library, played->game_name, report);
    if (!open)
        return NULL;
    LiveMatch *m = new_match(tools, id, open);
    m->is_elsewhere = true;
    m->setup = json_object();
    if (client)
        json_object_set_new(m->setup, "client", json_text(client));
    for (uint32_t r = 0, seat = 0; r < m->role_count; r++) {
        bool is_chance = game_is_chance(open->game, r);
        const Contestant *c = is_chance ? NULL : played->contestants[seat++];
        m->players[r] = memory_strdup(is_chance ? "random" : contestant_label(c));
        m->has_secrets |= c && c->kind != CONTESTANT_SEARCH && game_hides(open->game);
    }
    return m;
}

/* "((true (cell 1 1 b)) (true (control x)))" as "(cell 1 1 b) (control x)". */
static const char *plain_state(LiveMatch *m, const char *text) {
    Text plain = {0};
    int depth = 0;
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        depth -= text[i] == ')';
        if (depth == 1 && strncmp(text + i, "(true ", 6) == 0) {
            text_add(&plain, plain.count ? " " : "");
            i += 5;
            depth++;
            continue;
        }
        if (depth >= 2)
            text_add_char(&plain, text[i]);
        depth += text[i] == '(';
    }
    const char *kept = keep_text(m, text_string(&plain));
    vector_free(&plain);
    return kept;
}

static bool read_record(LiveMatch *m, const json_t *record) {
    const json_t *moves = json_object_get(record, "moves");
    const json_t *states = json_object_get(record, "states");
    const json_t *players = json_object_get(record, "playerNamesFromHost");
    const json_t *goals = json_object_get(record, "goals");
    for (uint32_t r = 0; r < m->role_count; r++) {
        const char *player = json_string_value(json_array_get(players, r));
        const json_t *goal = json_object_get(goals, m->roles[r]);
        m->players[r] = memory_strdup(player ? player : "");
        m->goals[r] = json_is_integer(goal) ? (int)json_integer_value(goal) : GOAL_NONE;
    }
    if (json_array_size(states) != json_array_size(moves) + 1)
        return false;
    for (size_t t = 0; t < json_array_size(moves); t++) {
        LiveTurn turn = new_turn(m);
        const char *state = json_string_value(json_array_get(states, t + 1));
        for (uint32_t r = 0; r < m->role_count; r++) {
            const char *move = json_string_value(json_array_get(json_array_get(moves, t), r));
            if (!move || !state)
                return false;
            turn.moves[r] = keep_text(m, move);
        }
        vector_push(&m->turns, turn);
        vector_push(&m->states, plain_state(m, state));
    }
    return true;
}

LiveMatch *live_from_record(const LiveTools *tools, const char *id, json_t *record,
                            Report *report) {
    const char *game = json_string_value(json_object_get(record, "game"));
    const OpenGame *open = game ? library_open(tools->library, game, report) : NULL;
    if (!open)
        return NULL;
    LiveMatch *m = new_match(tools, id, open);
    m->setup = json_object();
    m->is_over = json_is_true(json_object_get(record, "isCompleted"));
    m->is_broken = !m->is_over;
    if (json_array_size(json_object_get(record, "roles")) == m->role_count &&
        read_record(m, record)) {
        store_visit_thoughts(tools->store, id, load_thought, m, report);
        return m;
    }
    report_error(report, "bad-match", "the record is of other rules");
    live_free(m);
    return NULL;
}

static void free_texts(char **texts, size_t count) {
    for (size_t i = 0; texts && i < count; i++)
        free(texts[i]);
    free(texts);
}

void live_free(LiveMatch *m) {
    if (!m)
        return;
    if (m->has_thread)
        live_stop(m);
    forget_thoughts(m, 0);
    forget_faults(m);
    for (uint32_t r = 0; m->filters && r < m->role_count; r++)
        belief_free(m->filters[r]);
    for (uint32_t r = 0; r <= m->role_count; r++)
        vector_free(&m->shown[r]);
    for (size_t s = 0; m->contestants && s < m->seats; s++)
        contestant_free(&m->contestants[s]);
    free_texts(m->roles, m->role_count);
    free_texts(m->players, m->role_count);
    free_texts(m->keys, m->role_count);
    vector_free(&m->opening);
    vector_free(&m->turns);
    vector_free(&m->states);
    vector_free(&m->thoughts);
    vector_free(&m->faults);
    arena_free(&m->arena);
    library_close(m->tools->library, m->open);
    json_decref(m->setup);
    pthread_mutex_destroy(&m->mutex);
    pthread_cond_destroy(&m->changed);
    free(m->filters);
    free(m->contestants);
    free(m->goals);
    free(m->asked);
    free(m->shown);
    free(m->shown_version);
    free(m->id);
    free(m);
}
