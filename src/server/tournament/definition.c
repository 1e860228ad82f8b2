/* Every value is read by one of a few functions that know its path, such as games[1].playclock, so
 * that each error names it. Unknown keys are errors. */
#include "server/tournament/definition.h"

#include <assert.h>
#include <string.h>

#include "base/table.h"
#include "gdl/check/suggest.h"
#include "server/json/json.h"
#include "server/referee/match.h"

/* Limits and defaults (untuned); clocks in seconds. */
enum {
    MAX_PLAYERS = 1000,
    MAX_GAMES = 1000,
    MAX_MATCHES = 100000, /* matches per encounter and game, at most */
    MAX_PARALLEL = 256,   /* matches at the same time, at most */
    DEFAULT_REPLAYS = 2   /* replays of a drawn encounter */
};
static const double default_startclock = 10, default_playclock = 5, longest_clock = 86400;

static const char *const format_names[] = {"round-robin", "swiss", "knockout", "duel"};

const char *format_name(TournamentFormat format) {
    assert((size_t)format < sizeof format_names / sizeof *format_names);
    return format_names[format];
}

/* An object of the file. */
typedef struct {
    const json_t *object;
    const char *file;
    char place[40]; /* path of the object, such as "games[1]." */
    Report *report;
} Entry;

__attribute__((format(printf, 3, 4))) static bool
complain_about(const Entry *entry, const char *key, const char *format, ...) {
    Arena arena = {0};
    va_list arguments;
    va_start(arguments, format);
    report_error(entry->report, "bad-tournament", "%s: %s%s %s", entry->file, entry->place, key,
                 arena_vprintf(&arena, format, arguments));
    va_end(arguments);
    arena_free(&arena);
    return false;
}

static bool check_keys(const Entry *entry, const char *const *known, size_t count) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)entry->object, key, value) {
        Suggestion suggestion = suggestion_for(key);
        bool is_known = false;
        for (size_t i = 0; i < count; i++) {
            is_known = is_known || strcmp(key, known[i]) == 0;
            suggestion_offer(&suggestion, known[i]);
        }
        if (is_known)
            continue;
        if (suggestion.best)
            return complain_about(entry, key, "is no known key; did you mean `%s`?",
                                  suggestion.best);
        return complain_about(entry, key, "is no known key");
    }
    return true;
}

/* The functions below keep the default if there is no such key. */
static bool read_count(const Entry *entry, const char *key, uint64_t least, uint64_t most,
                       uint64_t *value) {
    const json_t *given = json_object_get(entry->object, key);
    json_int_t number = json_integer_value(given);
    if (!given)
        return true;
    if (!json_is_integer(given) || number < (json_int_t)least || (uint64_t)number > most)
        return complain_about(entry, key, "must be a whole number from %llu to %llu",
                              (unsigned long long)least, (unsigned long long)most);
    *value = (uint64_t)number;
    return true;
}

static bool read_small(const Entry *entry, const char *key, uint32_t least, uint32_t most,
                       uint32_t *value) {
    uint64_t wide = *value;
    bool ok = read_count(entry, key, least, most, &wide);
    *value = (uint32_t)wide;
    return ok;
}

static bool read_clock(const Entry *entry, const char *key, double *seconds) {
    const json_t *given = json_object_get(entry->object, key);
    double number = json_number_value(given);
    if (!given)
        return true;
    if (!json_is_number(given) || !(number > 0 && number <= longest_clock))
        return complain_about(entry, key, "must be a number of seconds above 0, a day at most");
    *seconds = number;
    return true;
}

static bool read_text(const Entry *entry, const char *key, char **text) {
    const json_t *given = json_object_get(entry->object, key);
    if (!given)
        return true;
    if (!json_string_length(given))
        return complain_about(entry, key, "must be a text that is not empty");
    free(*text);
    *text = memory_strdup(json_string_value(given));
    return true;
}

/* Returns the list under the key, if its length is in the range. */
static const json_t *read_list(const Entry *entry, const char *key, size_t least, size_t most) {
    const json_t *list = json_object_get(entry->object, key);
    size_t count = json_array_size(list);
    if (json_is_array(list) && count >= least && count <= most)
        return list;
    if (least == most)
        complain_about(entry, key, "must be a list of %zu entries", least);
    else
        complain_about(entry, key, "must be a list of %zu to %zu entries", least, most);
    return NULL;
}

/* Opens an entry of a list: an object, or a text that stands for an object with only that key. */
static bool open_entry(const Entry *parent, const char *list, size_t index, const json_t *value,
                       const char *short_key, Entry *entry, char **text) {
    *entry = (Entry){.object = value, .file = parent->file, .report = parent->report};
    snprintf(entry->place, sizeof entry->place, "%.16s[%zu]", list, index);
    if (json_is_object(value)) {
        strcat(entry->place, ".");
        if (json_object_get(value, short_key))
            return read_text(entry, short_key, text);
        return complain_about(entry, short_key, "is missing");
    }
    if (!json_string_length(value))
        return complain_about(entry, "", "must be a text or an object");
    *text = memory_strdup(json_string_value(value));
    return true;
}

static bool read_game(Definition *d, const Entry *top, const DefinedGame *defaults, size_t index,
                      const json_t *value) {
    static const char *const known[] = {"game", "startclock", "playclock", "matches"};
    Entry entry;
    vector_push(&d->games, *defaults);
    DefinedGame *game = &vector_last(&d->games);
    return open_entry(top, "games", index, value, "game", &entry, &game->name) &&
           (!json_is_object(value) ||
            (check_keys(&entry, known, sizeof known / sizeof *known) &&
             read_clock(&entry, "startclock", &game->startclock) &&
             read_clock(&entry, "playclock", &game->playclock) &&
             read_small(&entry, "matches", 1, MAX_MATCHES, &game->matches)));
}

static bool read_games(Definition *d, const Entry *top) {
    DefinedGame defaults = {.startclock = default_startclock, .playclock = default_playclock};
    const json_t *list = read_list(top, "games", 1, MAX_GAMES);
    bool ok = list && read_clock(top, "startclock", &defaults.startclock) &&
              read_clock(top, "playclock", &defaults.playclock) &&
              read_small(top, "matches", 1, MAX_MATCHES, &defaults.matches);
    for (size_t i = 0; ok && i < json_array_size(list); i++)
        ok = read_game(d, top, &defaults, i, json_array_get(list, i));
    return ok;
}

/* True if both are one player on the network, which could otherwise be in two matches at once. */
static bool is_same_address(const Contestant *a, const Contestant *b) {
    if (a->kind != CONTESTANT_REMOTE || b->kind != CONTESTANT_REMOTE)
        return false;
    size_t n = strlen(a->name), m = strlen(b->name);
    n -= a->name[n - 1] == '/';
    m -= b->name[m - 1] == '/';
    return n == m && strncasecmp(a->name, b->name, n) == 0;
}

static bool check_player(const Definition *d, const Entry *entry) {
    const Contestant *c = &vector_last(&d->players);
    if (c->kind == CONTESTANT_HUMAN)
        return complain_about(entry, "player", "is a human, who cannot play tournaments");
    for (size_t i = 0; i + 1 < d->players.count; i++) {
        const Contestant *other = &d->players.items[i];
        if (strcmp(contestant_label(other), contestant_label(c)) == 0)
            return complain_about(entry, "name", "`%s` is the name of another player",
                                  contestant_label(c));
        if (is_same_address(other, c))
            return complain_about(entry, "player", "`%s` is another player already", c->name);
    }
    return true;
}

static bool read_player(Definition *d, const Entry *top, size_t index, const json_t *value) {
    static const char *const known[] = {"player", "name"};
    Entry entry;
    char *text = NULL;
    Report report = {0};
    bool ok = open_entry(top, "players", index, value, "player", &entry, &text);
    if (ok) {
        Contestant *c = vector_extend(&d->players, 1);
        ok = contestant_read(c, text, &report);
        if (!ok)
            complain_about(&entry, "", "%s", report.items.items[0].message);
        ok = ok &&
             (!json_is_object(value) || (check_keys(&entry, known, sizeof known / sizeof *known) &&
                                         read_text(&entry, "name", &c->label))) &&
             check_player(d, &entry);
    }
    free(text);
    report_free(&report);
    return ok;
}

static bool read_players(Definition *d, const Entry *top) {
    bool is_duel = d->format == FORMAT_DUEL;
    const json_t *list = read_list(top, "players", 2, is_duel ? 2 : MAX_PLAYERS);
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < json_array_size(list); i++)
        ok = read_player(d, top, i, json_array_get(list, i));
    return ok;
}

static bool read_format(Definition *d, const Entry *top) {
    const char *given = json_string_value(json_object_get(top->object, "format"));
    for (size_t i = 0; given && i < sizeof format_names / sizeof *format_names; i++)
        if (strcmp(given, format_names[i]) == 0) {
            d->format = (TournamentFormat)i;
            return true;
        }
    return complain_about(top, "format", "must be round-robin, swiss, knockout or duel");
}

/* Returns the number of rounds after which only one player can have won all encounters. */
static uint32_t usual_rounds(size_t players) {
    uint32_t rounds = 1;
    while ((size_t)1 << rounds < players)
        rounds++;
    return rounds;
}

/* Keys that have no meaning in the format of the tournament are errors, too. */
static bool check_format_keys(const Definition *d, const Entry *top) {
    if (json_object_get(top->object, "rounds") && d->format != FORMAT_SWISS)
        return complain_about(top, "rounds", "is for the format swiss only");
    if (json_object_get(top->object, "replays") && d->format != FORMAT_KNOCKOUT)
        return complain_about(top, "replays", "is for the format knockout only");
    return true;
}

static bool read_all(Definition *d, const Entry *top) {
    static const char *const known[] = {"name",    "format",  "seed",       "parallel",
                                        "rounds",  "replays", "steps",      "games",
                                        "players", "matches", "startclock", "playclock"};
    if (!check_keys(top, known, sizeof known / sizeof *known) ||
        !read_text(top, "name", &d->name) || !read_format(d, top) || !check_format_keys(d, top) ||
        !read_games(d, top) || !read_players(d, top))
        return false;
    d->rounds = usual_rounds(d->players.count);
    d->replays = DEFAULT_REPLAYS;
    d->parallel = 1;
    return read_count(top, "seed", 0, INT64_MAX, &d->seed) &&
           read_small(top, "parallel", 1, MAX_PARALLEL, &d->parallel) &&
           read_small(top, "rounds", 1, MAX_PLAYERS, &d->rounds) &&
           read_small(top, "replays", 0, MAX_PLAYERS, &d->replays) &&
           read_small(top, "steps", 1, UINT32_MAX, &d->step_limit);
}

/* The name of the file without folders and suffix. */
static char *default_name(const char *path) {
    const char *slash = strrchr(path, '/');
    char *name = memory_strdup(slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    return name;
}

bool definition_parse(Definition *definition, Source *source, Report *report) {
    *definition = (Definition){.name = default_name(source->name)};
    json_error_t error;
    json_t *root = json_loadb(source->text, source->length, JSON_REJECT_DUPLICATES, &error);
    Entry top = {.object = root, .file = source->name, .report = report};
    bool ok = false;
    if (!root)
        report_at(report, SEVERITY_ERROR, "bad-json", source,
                  error.position > 0 ? (uint32_t)error.position - 1 : 0, 1, "%s", error.text);
    else if (!json_is_object(root))
        report_error(report, "bad-tournament", "%s: must be an object", source->name);
    else
        ok = read_all(definition, &top);
    json_decref(root);
    return ok;
}

bool definition_read(Definition *definition, const char *path, Report *report) {
    *definition = (Definition){0};
    Source *source = source_read(path, report);
    bool ok = source && definition_parse(definition, source, report);
    source_free(source);
    return ok;
}

void definition_free(Definition *definition) {
    for (size_t i = 0; i < definition->games.count; i++) {
        free(definition->games.items[i].name);
        game_free(definition->games.items[i].game);
    }
    for (size_t i = 0; i < definition->players.count; i++)
        contestant_free(&definition->players.items[i]);
    vectors_free(&definition->games, &definition->players);
    free(definition->name);
}

bool definition_set_game(Definition *definition, size_t index, Game *game, Report *report) {
    assert(index < definition->games.count && game);
    DefinedGame *entry = &definition->games.items[index];
    entry->game = game;
    entry->seats = game_count_players(game);
    if (!entry->seats)
        return report_error(report, "bad-tournament", "%s has no role for a player", entry->name);
    if (!entry->matches)
        entry->matches = entry->seats;
    return true;
}

static json_t *identify_game(const DefinedGame *game) {
    Text rules = {0};
    char hash[20];
    match_write_rules(game->game, &rules);
    snprintf(hash, sizeof hash, "%016llx",
             (unsigned long long)hash_bytes(text_string(&rules), rules.count));
    vector_free(&rules);
    return object_of("game", text_json(game->name), "rules", json_string(hash), "startclock",
                     json_real(game->startclock), "playclock", json_real(game->playclock),
                     "matches", json_integer(game->matches));
}

char *definition_identity(const Definition *definition) {
    json_t *games = json_array(), *players = json_array();
    for (size_t i = 0; i < definition->games.count; i++)
        array_push(games, identify_game(&definition->games.items[i]));
    for (size_t i = 0; i < definition->players.count; i++) {
        const Contestant *c = &definition->players.items[i];
        array_push(players,
                   object_of("name", text_json(contestant_label(c)), "player", text_json(c->name)));
    }
    json_t *object = object_of(
        "name", text_json(definition->name), "format", json_string(format_name(definition->format)),
        "seed", count_json(definition->seed), "rounds", json_integer(definition->rounds), "replays",
        json_integer(definition->replays), "steps", json_integer(definition->step_limit), "games",
        games, "players", players);
    char *text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(object);
    return text;
}
