/* Creates a match from a setup, from the record of a finished match, or to watch a match that
 * others referee; and frees it. */
#include <assert.h>
#include <string.h>
#include <time.h>

#include "server/page/live_internal.h"

static LiveMatch *new_match(const LiveServices *tools, const char *id, const OpenGame *open) {
    LiveMatch *m = memory_zalloc(sizeof *m);
    m->tools = tools;
    m->id = memory_strdup(id);
    m->open = open;
    m->role_count = open->game->role_count;
    m->roles = open->game->roles;
    m->players = memory_zalloc(m->role_count * sizeof *m->players);
    m->keys = memory_zalloc(m->role_count * sizeof *m->keys);
    m->goals = memory_zalloc(m->role_count * sizeof *m->goals);
    m->asked = memory_zalloc(m->role_count * sizeof *m->asked);
    m->shown = memory_zalloc((m->role_count + 1) * sizeof *m->shown);
    m->shown_version = memory_zalloc((m->role_count + 1) * sizeof *m->shown_version);
    m->spent = memory_zalloc(m->role_count * sizeof *m->spent);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    m->version = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    m->allows_help = true;
    monitor_init(&m->monitor);
    for (uint32_t r = 0; r < m->role_count; r++)
        m->goals[r] = GOAL_NONE;
    vector_push(&m->states, live_keep_text(m, open->initial));
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
    if (c->kind == CONTESTANT_HUMAN)
        m->keys[role] = memory_strdup(json_string_value(key));
    m->has_secrets = m->has_secrets || (game_hides(m->open->game) && c->kind != CONTESTANT_SEARCH);
    c->strategy.search.threads = 1;
    c->strategy.search.node_bytes = LIVE_TREE_BYTES;
    return true;
}

static bool take_seats(LiveMatch *m, Report *report) {
    const json_t *players = json_object_get(m->setup, "players");
    const json_t *keys = json_object_get(m->setup, "keys");
    bool ok = json_array_size(players) == game_count_players(m->open->game);
    m->contestants = memory_zalloc(m->role_count * sizeof *m->contestants);
    if (game_hides(m->open->game)) {
        m->filters = memory_zalloc(m->role_count * sizeof *m->filters);
        m->beliefs = memory_zalloc(m->role_count * sizeof *m->beliefs);
    }
    for (uint32_t r = 0; ok && r < m->role_count; r++)
        if (game_is_chance(m->open->game, r))
            m->players[r] = memory_strdup("random");
        else
            ok = take_seat(m, r, json_array_get(players, m->seats), json_array_get(keys, m->seats),
                           report);
    return ok;
}

LiveMatch *live_create(const LiveServices *tools, const char *id, json_t *setup, Report *report) {
    const char *game = json_string_value(json_object_get(setup, "game"));
    const OpenGame *open = game ? library_acquire_game(tools->library, game, report) : NULL;
    if (!open)
        return NULL;
    LiveMatch *m = new_match(tools, id, open);
    m->setup = json_incref(setup);
    m->began = 1000 * json_integer_value(json_object_get(setup, "created"));
    m->allows_help = !json_is_false(json_object_get(setup, "help"));
    if (take_seats(m, report)) {
        live_renew_filters(m);
        return m;
    }
    if (!report_failed(report))
        report_error(report, "bad-match", "the players do not fit the game");
    live_free(m);
    return NULL;
}

LiveMatch *live_attend(const LiveServices *tools, const char *id, const MatchSetup *played,
                       const char *client, Report *report) {
    const OpenGame *open = library_acquire_game(tools->library, played->game_name, report);
    if (!open)
        return NULL;
    LiveMatch *m = new_match(tools, id, open);
    m->is_elsewhere = true;
    m->began = (int64_t)m->version; /* milliseconds, as yet */
    m->setup = json_object();
    if (client)
        json_object_set_new(m->setup, "client", text_json(client));
    for (uint32_t r = 0, seat = 0; r < m->role_count; r++) {
        bool is_chance = game_is_chance(open->game, r);
        const Contestant *c = is_chance ? NULL : played->contestants[seat++];
        m->players[r] = memory_strdup(is_chance ? "random" : contestant_label(c));
        m->has_secrets |= c && c->kind != CONTESTANT_SEARCH && game_hides(open->game);
    }
    return m;
}

/* Writes "((true (cell 1 1 b)) (true (control x)))" as "(cell 1 1 b) (control x)". */
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
    const char *kept = live_keep_text(m, text_string(&plain));
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
        LiveTurn turn = live_new_turn(m);
        const char *state = json_string_value(json_array_get(states, t + 1));
        for (uint32_t r = 0; r < m->role_count; r++) {
            const char *move = json_string_value(json_array_get(json_array_get(moves, t), r));
            if (!move || !state)
                return false;
            turn.moves[r] = live_keep_text(m, move);
        }
        vector_push(&m->turns, turn);
        vector_push(&m->states, plain_state(m, state));
    }
    return true;
}

LiveMatch *live_from_record(const LiveServices *tools, const char *id, json_t *record,
                            Report *report) {
    const char *game = json_string_value(json_object_get(record, "game"));
    const OpenGame *open = game ? library_acquire_game(tools->library, game, report) : NULL;
    if (!open)
        return NULL;
    LiveMatch *m = new_match(tools, id, open);
    m->setup = json_object();
    m->began = json_integer_value(json_object_get(record, "startTime"));
    m->is_over = json_is_true(json_object_get(record, "isCompleted"));
    m->is_broken = !m->is_over;
    if (json_array_size(json_object_get(record, "roles")) == m->role_count &&
        read_record(m, record)) {
        store_visit(tools->store, STORE_THOUGHTS, id, live_load_thought, m, report);
        return m;
    }
    report_error(report, "bad-match", "the record is of other rules");
    live_free(m);
    return NULL;
}

void live_belief_free(LiveBelief *belief) {
    belief_clear(&belief->belief);
    vector_free(&belief->facts);
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
    live_forget_thoughts(m, 0);
    live_forget_faults(m);
    for (uint32_t r = 0; m->filters && r < m->role_count; r++) {
        belief_free(m->filters[r]);
        live_belief_free(&m->beliefs[r]);
    }
    for (uint32_t r = 0; r <= m->role_count; r++)
        vector_free(&m->shown[r]);
    for (size_t s = 0; m->contestants && s < m->seats; s++)
        contestant_free(&m->contestants[s]);
    free_texts(m->players, m->role_count);
    free_texts(m->keys, m->role_count);
    vectors_free(&m->opening, &m->turns, &m->states, &m->thoughts, &m->faults);
    arena_free(&m->arena);
    library_release_game(m->tools->library, m->open);
    json_decref(m->setup);
    monitor_free(&m->monitor);
    memory_free(m->filters, m->beliefs, m->contestants, m->goals, m->asked, m->shown,
                m->shown_version, m->spent, m->id, m);
}
