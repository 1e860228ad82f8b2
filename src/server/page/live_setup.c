/* Checks requests for matches. They come from anybody, so everything is checked before a match is
 * created, and strangers have no influence on threads and memory. */
#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "server/page/live.h"

static const double default_seconds = 1; /* default time per move (untuned) */
enum { MAX_NAME_LENGTH = 60 };           /* bytes of a player's name, at most (untuned) */

static bool refuse(Report *report, const char *why) {
    return report_error(report, "bad-match", "%s", why);
}

static json_t *new_key(void) {
    unsigned char bytes[LIVE_KEY_LENGTH / 2];
    char text[LIVE_KEY_LENGTH + 1];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return NULL;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return json_string(text);
}

/* Returns the player as it is stored in the setup, a search with its time per move; NULL with the
 * reason. */
static json_t *check_player(const json_t *wanted, double seconds, bool is_trusted, Report *report) {
    const char *text = json_is_string(wanted)
                           ? json_string_value(wanted)
                           : json_string_value(json_object_get(wanted, "player"));
    const char *name = json_string_value(json_object_get(wanted, "name"));
    Contestant c = {0};
    json_t *player = NULL;
    Text given = {0};
    if (!text || (name && strlen(name) > MAX_NAME_LENGTH))
        refuse(report, "a player is a text, or an object with `player` and a short `name`");
    else if (!contestant_read(&c, text, report))
        ;
    else if (c.kind == CONTESTANT_REMOTE && !is_trusted)
        refuse(report, "players on the network are not allowed here");
    else if (!(c.strategy.seconds <= LIVE_MAX_THINKING_SECONDS))
        refuse(report, "a search may think for a minute per move at most");
    else {
        text_add(&given, text);
        if (c.kind == CONTESTANT_SEARCH && !(c.strategy.seconds > 0))
            text_printf(&given, "%ctime=%g", strchr(text, ':') ? ',' : ':', seconds);
        player = json_pack("{s:o,s:o}", "player", text_json(text_string(&given)), "name",
                           text_json(name && *name ? name : text));
    }
    vector_free(&given);
    contestant_free(&c);
    return player;
}

/* People who meet each other are not helped by a search unless they want it; one who plays alone
 * is. */
static bool allows_help(const json_t *wanted, const json_t *keys) {
    const json_t *help = json_object_get(wanted, "help");
    size_t people = 0;
    for (size_t i = 0; i < json_array_size(keys); i++)
        people += json_is_string(json_array_get(keys, i));
    return json_is_boolean(help) ? json_is_true(help) : people < 2;
}

static bool check_players(json_t *setup, const json_t *wanted, size_t seats, double seconds,
                          bool is_trusted, Report *report) {
    const json_t *list = json_object_get(wanted, "players");
    json_t *players = json_array(), *keys = json_array();
    bool ok = json_array_size(list) == seats;
    object_add(setup, "players", players, "keys", keys);
    if (!ok)
        report_error(report, "bad-match", "the game needs %zu players", seats);
    for (size_t i = 0; ok && i < seats; i++) {
        json_t *player = check_player(json_array_get(list, i), seconds, is_trusted, report);
        const char *text = json_string_value(json_object_get(player, "player"));
        bool is_human = text && strcmp(text, "human") == 0;
        json_t *key = is_human ? new_key() : json_null();
        ok = player && key;
        array_push(players, player ? player : json_null());
        array_push(keys, key ? key : json_null());
    }
    object_add(setup, "help", json_boolean(allows_help(wanted, keys)));
    return ok;
}

static bool check_all(json_t *setup, const json_t *wanted, const OpenGame *open, bool is_trusted,
                      Report *report) {
    const json_t *seconds = json_object_get(wanted, "seconds"),
                 *seed = json_object_get(wanted, "seed");
    double thinking = json_is_number(seconds) ? json_number_value(seconds) : default_seconds;
    if (!(thinking > 0 && thinking <= LIVE_MAX_THINKING_SECONDS))
        return refuse(report, "`seconds` must be a number above 0 and at most 60");
    json_int_t chosen = json_integer_value(seed);
    uint64_t drawn = 0;
    if (!json_is_integer(seed) && getrandom(&drawn, sizeof drawn, 0) == sizeof drawn)
        chosen = (json_int_t)(drawn >> 16);
    object_add(setup, "game", text_json(open->id), "seconds", json_real(thinking), "seed",
               json_integer(chosen));
    return check_players(setup, wanted, game_count_players(open->game), thinking, is_trusted,
                         report);
}

json_t *live_check_setup(const json_t *wanted, const LiveServices *tools, const char *client,
                         bool is_trusted, Report *report) {
    const char *game = json_string_value(json_object_get(wanted, "game"));
    if (!game)
        refuse(report, "`game` is missing");
    const OpenGame *open = game ? library_acquire_game(tools->library, game, report) : NULL;
    if (!open)
        return NULL;
    json_t *setup = json_object();
    bool ok = check_all(setup, wanted, open, is_trusted, report);
    json_t *owner = new_key();
    object_add(setup, "owner", owner ? owner : json_null(), "client", text_json(client), "created",
               json_integer(time(NULL)));
    library_release_game(tools->library, open);
    if (ok)
        return setup;
    json_decref(setup);
    return NULL;
}
