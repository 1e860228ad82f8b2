/* The thread of a match runs the referee, which calls back to ask humans, after each turn, and with
 * the thoughts of searches. Only this thread writes turns and filters beliefs. It does so outside
 * the monitor, because storing may wait for the disk and filtering takes up to a second. It then
 * publishes the results inside the monitor, where other threads read them. */
#include "server/page/live.h"

#include <assert.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "server/page/live_internal.h"
#include "server/referee/client.h"

/* Seconds. A search that exceeds its own limit by a few seconds is not to blame (untuned). */
static const double playclock = LIVE_MAX_THINKING_SECONDS + 15;
/* Seconds. Somebody waits for the first move, so searches prepare for a second at most. Players on
 * the network have to read and compile the rules (untuned). */
static const double startclock = 2, remote_startclock = 10;
/* Seconds to filter a belief, per turn and human (untuned). */
static const double filter_seconds = 1;
/* Seconds to wait until a match that has just begun asks its humans (untuned). */
static const double question_seconds = 2;

const char *live_keep_text(LiveMatch *m, const char *text) {
    return arena_copy(&m->arena, text, strlen(text));
}

/* Call inside the monitor. */
static void announce(LiveMatch *m) {
    m->version++;
    monitor_announce(&m->monitor);
}

void live_wake(LiveMatch *m) {
    monitor_wake(&m->monitor);
}

void live_settle(LiveMatch *m) {
    while (m->is_replaying)
        monitor_wait(&m->monitor, deadline_never());
}

/* Call inside the monitor. */
static void set_stopped(LiveMatch *m, bool stopped) {
    __atomic_store_n(&m->stopped, stopped, __ATOMIC_RELAXED);
    monitor_announce(&m->monitor);
}

/* ---- turns ---- */

LiveTurn live_new_turn(LiveMatch *m) {
    LiveTurn turn = {.moves = arena_alloc(&m->arena, m->role_count * sizeof *turn.moves),
                     .asked = arena_alloc(&m->arena, m->role_count * sizeof *turn.asked)};
    memset(turn.asked, 0, m->role_count * sizeof *turn.asked);
    return turn;
}

/* Writes the turn as it is stored: {"moves": [...], "asked": [roles]}. */
static char *turn_text(const LiveMatch *m, const LiveTurn *turn) {
    json_t *moves = json_array(), *asked = json_array();
    for (uint32_t r = 0; r < m->role_count; r++) {
        array_push(moves, text_json(turn->moves[r]));
        if (turn->asked[r])
            array_push(asked, json_integer(r));
    }
    return dump_json(json_pack("{s:o,s:o}", "moves", moves, "asked", asked));
}

static bool read_moves(LiveMatch *m, const json_t *moves, LiveTurn *turn) {
    bool ok = json_array_size(moves) == m->role_count;
    *turn = live_new_turn(m);
    for (uint32_t r = 0; ok && r < m->role_count; r++) {
        const char *move = json_string_value(json_array_get(moves, r));
        ok = move != NULL;
        turn->moves[r] = ok ? live_keep_text(m, move) : NULL;
    }
    return ok;
}

static bool read_turn(LiveMatch *m, const char *text, LiveTurn *turn) {
    json_t *object = json_loads(text, 0, NULL);
    const json_t *asked = json_object_get(object, "asked");
    bool ok = read_moves(m, json_object_get(object, "moves"), turn);
    for (size_t i = 0; i < json_array_size(asked); i++) {
        json_int_t role = json_integer_value(json_array_get(asked, i));
        if (role >= 0 && role < m->role_count)
            turn->asked[role] = true;
    }
    json_decref(object);
    return ok;
}

/* Writes the facts that hold in all states of the belief. */
static void write_certain(const BeliefFilter *filter, Text *facts) {
    const BeliefStates *states = &filter->belief.states;
    if (!states->count)
        return;
    State common = {0};
    state_copy(&common, &states->items[0].state);
    for (size_t i = 1; i < states->count; i++) {
        const State *s = &states->items[i].state;
        for (uint32_t w = 0; w < common.word_count; w++)
            common.words[w] &= w < s->word_count ? s->words[w] : 0;
    }
    game_state_text(filter->work, &common, facts);
    state_free(&common);
}

/* Publishes the belief of a human. */
static void publish_belief(LiveMatch *m, uint32_t role) {
    LiveBelief published = {.belief = {.kind = BELIEF_LOST}};
    belief_copy(&published.belief, &m->filters[role]->belief, m->role_count);
    write_certain(m->filters[role], &published.facts);
    monitor_enter(&m->monitor);
    LiveBelief old = m->beliefs[role];
    m->beliefs[role] = published;
    monitor_leave(&m->monitor);
    live_belief_free(&old);
}

void live_renew_filters(LiveMatch *m) {
    for (uint32_t r = 0; m->filters && r < m->role_count; r++) {
        if (!m->keys[r])
            continue;
        belief_free(m->filters[r]);
        m->filters[r] = belief_create(m->open->game, r, NULL, r + 1);
        publish_belief(m, r);
    }
}

static void observe(LiveMatch *m, const LiveTurn *turn) {
    for (uint32_t r = 0; m->filters && r < m->role_count; r++) {
        if (!m->filters[r])
            continue;
        belief_observe(m->filters[r], turn->moves[r], turn->percepts[r], true, NULL,
                       deadline_in(filter_seconds));
        publish_belief(m, r);
    }
}

/* Call inside the monitor. */
static void add_fault(LiveMatch *m, size_t turn, uint32_t role, const char *message) {
    vector_push(&m->faults,
                dump_json(object_of("turn", count_json(turn), "role",
                                    text_json(role < m->role_count ? m->roles[role] : NULL),
                                    "message", text_json(message))));
}

/* Call inside the monitor. */
static void add_faults(LiveMatch *m, const MatchRecord *record) {
    for (size_t i = m->faults.count; i < record->faults.count; i++) {
        const MatchFault *e = &record->faults.items[i];
        add_fault(m, e->turn, e->role, e->message);
    }
}

/* Reads the last turn of the record, with the roles that were asked in it. */
static LiveTurn read_last_turn(LiveMatch *m, const MatchRecord *record) {
    size_t index = record->moves.count - 1;
    LiveTurn turn = live_new_turn(m);
    if (record->percepts.count)
        turn.percepts = arena_alloc(&m->arena, m->role_count * sizeof *turn.percepts);
    for (uint32_t r = 0; r < m->role_count; r++) {
        turn.moves[r] = live_keep_text(m, record->moves.items[index][r]);
        if (turn.percepts)
            turn.percepts[r] = live_keep_text(m, record->percepts.items[index][r]);
        turn.asked[r] = m->asked[r];
        m->asked[r] = false;
    }
    if (index < m->opening.count)
        turn.asked = m->opening.items[index].asked;
    return turn;
}

static bool store_turn(LiveMatch *m, const LiveTurn *turn, Report *report) {
    char *text = turn_text(m, turn);
    bool is_stored = store_add_turn(m->tools->store, m->id, (uint32_t)m->turns.count, text, report);
    free(text);
    return is_stored;
}

/* Called if the match could not be stored, so that it must not go on: tells everybody why and ends
 * the run. */
static void fail(LiveMatch *m, const Report *report) {
    Text message = {0};
    text_printf(&message, "the match could not be stored and stops here: %s",
                report->items.count ? report->items.items[0].message : "no reason is known");
    monitor_enter(&m->monitor);
    add_fault(m, m->turns.count, LIVE_NOBODY, text_string(&message));
    m->has_failed = true;
    set_stopped(m, true);
    monitor_leave(&m->monitor);
    vector_free(&message);
}

static int64_t now_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Adds the time that the last turn took. Call inside the monitor. */
static void note_time(LiveMatch *m, const MatchRecord *record) {
    size_t last = (record->moves.count - 1) * m->role_count;
    for (uint32_t r = 0; r < m->role_count && last + r < record->seconds.count; r++)
        m->spent[r] += record->seconds.items[last + r];
    m->since = now_milliseconds();
}

/* Stores the turn first, and only then shows it. */
void live_hear_turn(void *context, const MatchRecord *record) {
    LiveMatch *m = context;
    Report report = {0};
    assert(record->moves.count && record->role_count == m->role_count);
    if (m->has_failed)
        return;
    LiveTurn turn = read_last_turn(m, record);
    bool is_new = m->turns.count >= m->opening.count && !m->is_elsewhere;
    if (!is_new || store_turn(m, &turn, &report)) {
        observe(m, &turn);
        monitor_enter(&m->monitor);
        vector_push(&m->turns, turn);
        vector_push(&m->states, live_keep_text(m, vector_last(&record->states)));
        note_time(m, record);
        add_faults(m, record);
        if (m->turns.count >= m->opening.count)
            m->is_replaying = false;
        announce(m);
        monitor_leave(&m->monitor);
    } else {
        fail(m, &report);
    }
    report_free(&report);
}

static bool all_chose(const LiveMatch *m) {
    for (size_t i = 0; i < m->choice_count; i++)
        if (m->choices[i].chosen >= m->choices[i].legal_count)
            return false;
    return true;
}

static void on_question(void *context, MatchQuestion *choices, size_t count) {
    LiveMatch *m = context;
    for (size_t i = 0; i < count; i++)
        m->asked[choices[i].role_number] = true;
    monitor_enter(&m->monitor);
    m->choices = choices;
    m->choice_count = count;
    announce(m);
    while (!all_chose(m) && !flag_is_set(&m->stopped))
        monitor_wait(&m->monitor, deadline_never());
    m->choices = NULL;
    m->choice_count = 0;
    monitor_leave(&m->monitor);
}

json_t *live_thought(const MatchThought *thought, const char *role, size_t max_moves) {
    const SearchResult *result = thought->result;
    json_t *moves = json_array();
    double best = 0;
    for (size_t i = 0; i < result->moves.count; i++) {
        const SearchMove *move = &result->moves.items[i];
        if (move->move == result->best)
            best = move->value;
        if (i >= max_moves)
            continue;
        array_push(moves, object_of("move", text_json(thought->moves[i]), "value",
                                    json_real(move->value), "visits", count_json(move->visits),
                                    "proven", json_boolean(move->is_proven)));
    }
    return object_of("turn", json_integer(thought->turn), "role", text_json(role), "value",
                     json_real(best), "playouts", count_json(result->playouts), "nodes",
                     count_json(result->nodes), "depth", json_integer(result->depth), "seconds",
                     json_real(thought->seconds), "moves", moves);
}

/* False for players that move without a search, which have no thoughts to show. */
static bool is_worth_telling(const SearchResult *result) {
    for (size_t i = 0; i < result->moves.count; i++)
        if (result->moves.items[i].visits)
            return true;
    return false;
}

/* A thought is shown even if it could not be stored. The thoughts of a match that others referee
 * are stored with its end, so that none is stored without its match. */
void live_hear_thought(void *context, const MatchThought *thought) {
    LiveMatch *m = context;
    Report report = {0};
    if (!is_worth_telling(thought->result))
        return;
    enum { SHOWN = 40 };
    json_t *object = live_thought(thought, m->roles[thought->role], SHOWN);
    LiveThought kept = {thought->turn, thought->role, dump_json(object)};
    const char *client = json_string_value(json_object_get(m->setup, "client"));
    if (client)
        limits_spend(m->tools->limits, client, thought->seconds, clock_wall_seconds());
    if (!m->is_elsewhere)
        store_add_thought(m->tools->store, m->id, kept.turn, kept.role, kept.json, &report);
    monitor_enter(&m->monitor);
    vector_push(&m->thoughts, kept);
    announce(m);
    monitor_leave(&m->monitor);
    report_free(&report);
}

/* ---- the run ---- */

void live_forget_thoughts(LiveMatch *m, size_t from) {
    size_t kept = 0;
    for (size_t i = 0; i < m->thoughts.count; i++)
        if (m->thoughts.items[i].turn < from)
            m->thoughts.items[kept++] = m->thoughts.items[i];
        else
            free(m->thoughts.items[i].json);
    m->thoughts.count = kept;
}

void live_forget_faults(LiveMatch *m) {
    for (size_t i = 0; i < m->faults.count; i++)
        free(m->faults.items[i]);
    vector_clear(&m->faults);
}

/* Prepares a run: drops all turns after the opening, which the referee will make again. */
static void rewind_turns(LiveMatch *m) {
    memset(m->asked, 0, m->role_count * sizeof *m->asked);
    live_renew_filters(m);
    monitor_enter(&m->monitor);
    vector_clear(&m->turns);
    m->states.count = 1;
    memset(m->spent, 0, m->role_count * sizeof *m->spent);
    m->since = now_milliseconds();
    live_forget_faults(m);
    m->is_replaying = m->opening.count > 0;
    announce(m);
    monitor_leave(&m->monitor);
}

/* Makes the first `keep` turns the opening of the next run. False if the store cannot delete the
 * others. Nobody else reads the match meanwhile, because it counts as replaying. */
static bool take_back_turns(LiveMatch *m, size_t keep) {
    Report report = {0};
    assert(keep <= m->turns.count);
    bool ok = store_take_back(m->tools->store, m->id, (uint32_t)keep, &report);
    if (ok) {
        monitor_enter(&m->monitor);
        vector_clear(&m->opening);
        for (size_t i = 0; i < keep; i++)
            vector_push(&m->opening, m->turns.items[i]);
        live_forget_thoughts(m, keep);
        monitor_leave(&m->monitor);
        rewind_turns(m);
    } else {
        fail(m, &report);
    }
    report_free(&report);
    return ok;
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
                       .hurried = &m->hurried,
                       .slots = m->tools->slots,
                       .opening = opening,
                       .opening_turns = m->opening.count,
                       .ask = on_question,
                       .post = client_post,
                       .watch = live_hear_turn,
                       .on_thought = live_hear_thought,
                       .context = m};
    MatchRecord *record = match_play(&plan, report);
    memory_free(opening, contestants);
    return record;
}

/* Stores the record and shows the end. A match that could not be stored before stays in the store
 * as far as it got, and can be resumed after a restart. */
static void finish(LiveMatch *m, const MatchRecord *record, Report *report) {
    bool is_stored = !m->has_failed && store_end_live(m->tools->store, m->id, record, report);
    monitor_enter(&m->monitor);
    if (record && !m->has_failed) {
        add_faults(m, record);
        memcpy(m->goals, record->goals, m->role_count * sizeof *m->goals);
    }
    m->is_over = record && record->is_completed && !m->has_failed;
    m->is_broken = !m->is_over || !is_stored;
    m->is_replaying = false;
    announce(m);
    monitor_leave(&m->monitor);
}

typedef enum { AFTER_RUN_GO_BACK, AFTER_RUN_END, AFTER_RUN_PARK } AfterRun;

/* Decides what follows a run of the referee: another one with `keep` turns of the last, the end, or
 * nothing until the match is resumed. */
static AfterRun decide(LiveMatch *m, bool is_completed, size_t *keep) {
    monitor_enter(&m->monitor);
    AfterRun next = is_completed || !flag_is_set(&m->stopped) || m->has_failed ? AFTER_RUN_END
                    : m->wants_take_back                                       ? AFTER_RUN_GO_BACK
                    : m->wants_end                                             ? AFTER_RUN_END
                                                                               : AFTER_RUN_PARK;
    m->is_replaying = next == AFTER_RUN_GO_BACK;
    if (next == AFTER_RUN_GO_BACK) {
        *keep = m->kept_turns;
        m->wants_take_back = false;
        set_stopped(m, false);
    }
    announce(m);
    monitor_leave(&m->monitor);
    return next;
}

static void *run(void *context) {
    LiveMatch *m = context;
    for (bool goes_on = true; goes_on;) {
        Report report = {0};
        size_t keep = 0;
        MatchRecord *record = referee(m, &report);
        AfterRun next = decide(m, record && record->is_completed, &keep);
        goes_on = next == AFTER_RUN_GO_BACK && take_back_turns(m, keep);
        if (!goes_on && next != AFTER_RUN_PARK)
            finish(m, m->turns.count ? record : NULL, &report);
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

void live_load_thought(void *context, const char *const *texts) {
    LiveMatch *m = context;
    LiveThought thought = {(uint32_t)strtoul(texts[0], NULL, 10),
                           (uint32_t)strtoul(texts[1], NULL, 10), memory_strdup(texts[2])};
    vector_push(&m->thoughts, thought);
}

/* Loads the turns of the match that this one continues. */
static void load_opening(LiveMatch *m) {
    const json_t *opening = json_object_get(m->setup, "opening");
    LiveTurn turn;
    for (size_t t = 0; t < json_array_size(opening); t++)
        if (read_moves(m, json_array_get(opening, t), &turn))
            vector_push(&m->opening, turn);
}

bool live_run(LiveMatch *m, Report *report) {
    assert(!m->has_thread && !m->is_elsewhere);
    load_opening(m);
    if (!store_visit(m->tools->store, STORE_TURNS, m->id, load_turn, m, report) ||
        !store_visit(m->tools->store, STORE_THOUGHTS, m->id, live_load_thought, m, report))
        return false;
    rewind_turns(m);
    monitor_enter(&m->monitor);
    m->has_thread = pthread_create(&m->thread, NULL, run, m) == 0;
    m->is_replaying = m->is_replaying && m->has_thread;
    monitor_leave(&m->monitor);
    if (!m->has_thread)
        report_error(report, "busy", "no thread could be started");
    return m->has_thread;
}

/* ---- matches that others referee ---- */

void live_conclude(LiveMatch *m, const MatchRecord *record) {
    Report report = {0};
    assert(m->is_elsewhere);
    for (size_t i = 0; record && i < m->thoughts.count; i++) {
        const LiveThought *t = &m->thoughts.items[i];
        store_add_thought(m->tools->store, m->id, t->turn, t->role, t->json, &report);
    }
    monitor_enter(&m->monitor);
    m->is_over = record && record->is_completed;
    m->is_broken = !m->is_over;
    if (record)
        memcpy(m->goals, record->goals, m->role_count * sizeof *m->goals);
    announce(m);
    monitor_leave(&m->monitor);
    report_free(&report);
}

json_t *live_opening(LiveMatch *m, size_t turns, Report *report) {
    json_t *opening = NULL;
    monitor_enter(&m->monitor);
    live_settle(m);
    if (turns > m->turns.count || !live_shows_all(m)) {
        report_error(report, "no-turn", "there is no such turn, or it is not shown yet");
    } else {
        opening = json_array();
        for (size_t t = 0; t < turns; t++)
            array_push(opening, texts_json(m->turns.items[t].moves, m->role_count));
    }
    monitor_leave(&m->monitor);
    return opening;
}

/* Ends the run of the referee. Call inside the monitor, which is left. */
static void interrupt(LiveMatch *m, bool wants_back) {
    m->wants_take_back = wants_back;
    set_stopped(m, true);
    monitor_leave(&m->monitor);
    slots_wake(m->tools->slots);
}

void live_stop(LiveMatch *m) {
    monitor_enter(&m->monitor);
    interrupt(m, false);
    if (m->has_thread)
        pthread_join(m->thread, NULL);
    m->has_thread = false;
}

/* ---- actions of people ---- */

bool live_is_same_secret(const char *wanted, const char *given) {
    if (!wanted || !given || strlen(wanted) != strlen(given))
        return false;
    unsigned difference = 0;
    for (size_t i = 0; wanted[i]; i++)
        difference |= (unsigned char)(wanted[i] ^ given[i]);
    return !difference;
}

uint32_t live_role_of_key(const LiveMatch *m, const char *key) {
    for (uint32_t r = 0; r < m->role_count; r++)
        if (live_is_same_secret(m->keys[r], key))
            return r;
    return LIVE_NOBODY;
}

static MatchQuestion *choice_of(const LiveMatch *m, uint32_t role) {
    for (size_t i = 0; i < m->choice_count; i++)
        if (m->choices[i].role_number == role)
            return &m->choices[i];
    return NULL;
}

/* Waits a moment for a match that has just begun or was just resumed to ask its humans. */
static void await_question(LiveMatch *m, uint32_t role) {
    Deadline deadline = deadline_in(question_seconds);
    while (m->has_thread && !m->is_over && !m->is_broken && !choice_of(m, role) &&
           m->turns.count <= m->opening.count && monitor_wait(&m->monitor, deadline))
        ;
}

bool live_move(LiveMatch *m, uint32_t role, const char *move, Report *report) {
    bool ok = false;
    monitor_enter(&m->monitor);
    await_question(m, role);
    MatchQuestion *choice = choice_of(m, role);
    if (!choice || choice->chosen < choice->legal_count) {
        report_error(report, "not-your-turn", "%s has no move to make now", m->roles[role]);
    } else {
        for (size_t i = 0; i < choice->legal_count && !ok; i++)
            if (strcmp(choice->legal[i], move) == 0) {
                choice->chosen = i;
                ok = true;
            }
        if (!ok)
            report_error(report, "illegal", "`%.200s` is not legal", move);
    }
    if (ok)
        announce(m);
    monitor_leave(&m->monitor);
    return ok;
}

bool live_take_back(LiveMatch *m, uint32_t role, Report *report) {
    monitor_enter(&m->monitor);
    live_settle(m);
    size_t turn = m->turns.count;
    while (turn && !m->turns.items[turn - 1].asked[role])
        turn--;
    bool ok = turn && !m->is_over && !m->is_broken && m->has_thread && !has_remote(m);
    if (ok) {
        m->kept_turns = turn - 1;
        interrupt(m, true);
        return true;
    }
    monitor_leave(&m->monitor);
    return report_error(report, "no-way-back", "%s",
                        !turn           ? "there is no move to take back"
                        : has_remote(m) ? "players on the network take nothing back"
                                        : "the match is over");
}

void live_hurry(LiveMatch *m) {
    __atomic_store_n(&m->hurried, true, __ATOMIC_RELAXED);
}

void live_end(LiveMatch *m) {
    monitor_enter(&m->monitor);
    m->wants_end = true;
    interrupt(m, false);
}

bool live_owns(const LiveMatch *m, const char *key) {
    const char *owner = json_string_value(json_object_get(m->setup, "owner"));
    return live_role_of_key(m, key) != LIVE_NOBODY || live_is_same_secret(owner, key);
}

bool live_is_waiting(LiveMatch *m) {
    monitor_enter(&m->monitor);
    bool is_waiting = m->choice_count > 0 && !all_chose(m);
    monitor_leave(&m->monitor);
    return is_waiting;
}

bool live_is_ended(LiveMatch *m) {
    monitor_enter(&m->monitor);
    bool is_ended = m->is_over || m->is_broken;
    monitor_leave(&m->monitor);
    return is_ended;
}

bool live_wait(LiveMatch *m, uint64_t *seen, double seconds, const bool *stopped) {
    Deadline deadline = deadline_in(seconds);
    monitor_enter(&m->monitor);
    while ((m->version == *seen || m->is_replaying) &&
           !__atomic_load_n(stopped, __ATOMIC_RELAXED) && monitor_wait(&m->monitor, deadline))
        ;
    bool is_new = m->version != *seen;
    *seen = m->version;
    monitor_leave(&m->monitor);
    return is_new;
}

bool live_shows_all(const LiveMatch *m) {
    return !m->has_secrets || m->is_over;
}
