/* Finds games by name. Names are compared ignoring case, `-` and `_`: tictactoe finds
 * tic_tac_toe. */
#include "cli/games.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "gdl/check/suggest.h"

#ifndef MARELLE_GAMES_DIR
#define MARELLE_GAMES_DIR "/usr/local/share/marelle/games"
#endif

/* Length of the name without .kif or .gdl; 0 for other files. */
static size_t stem_length(const char *file) {
    const char *dot = strrchr(file, '.');
    bool is_rules = dot && dot > file && (strcmp(dot, ".kif") == 0 || strcmp(dot, ".gdl") == 0);
    return is_rules ? (size_t)(dot - file) : 0;
}

static bool is_listed(const BuiltinGames *games, const char *name, size_t length) {
    for (size_t i = 0; i < games->count; i++)
        if (strlen(games->items[i].name) == length && !memcmp(games->items[i].name, name, length))
            return true;
    return false;
}

void games_list_folder(BuiltinGames *games, const char *folder) {
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));) {
        size_t length = stem_length(entry->d_name);
        if (!length || is_listed(games, entry->d_name, length))
            continue;
        Text path = {0};
        text_printf(&path, "%s/%s", folder, entry->d_name);
        BuiltinGame game = {memory_strdup(entry->d_name), path.items};
        game.name[length] = '\0';
        vector_push(games, game);
    }
    closedir(directory);
}

/* Lists games/ of the source tree. The program is built one folder below the root of the tree. */
static void list_source_tree(BuiltinGames *games) {
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return;
    program[length] = '\0';
    for (int level = 0; level < 2; level++) {
        char *slash = strrchr(program, '/');
        if (!slash)
            return;
        *slash = '\0';
    }
    Text folder = {0};
    text_printf(&folder, "%s/games", program);
    games_list_folder(games, folder.items);
    vector_free(&folder);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const BuiltinGame *)a)->name, ((const BuiltinGame *)b)->name);
}

void games_list(BuiltinGames *games) {
    const char *chosen = getenv("MARELLE_GAMES");
    if (chosen && *chosen)
        games_list_folder(games, chosen);
    list_source_tree(games);
    games_list_folder(games, MARELLE_GAMES_DIR);
    if (games->count)
        qsort(games->items, games->count, sizeof *games->items, compare_names);
}

void games_free(BuiltinGames *games) {
    for (size_t i = 0; i < games->count; i++)
        memory_free(games->items[i].name, games->items[i].path);
    vector_free(games);
}

static char plain(const char **c) {
    while (**c == '-' || **c == '_')
        (*c)++;
    char byte = **c;
    *c += byte != '\0';
    return byte >= 'A' && byte <= 'Z' ? (char)(byte + 32) : byte;
}

static bool same_name(const char *a, const char *b) {
    for (;;) {
        char x = plain(&a), y = plain(&b);
        if (x != y)
            return false;
        if (!x)
            return true;
    }
}

static void report_unknown(const BuiltinGames *games, const char *name, Report *report) {
    Suggestion suggestion = suggestion_for(name);
    Text near = {0};
    for (size_t i = 0; i < games->count; i++) {
        const char *candidate = games->items[i].name;
        bool is_part = *name && (strcasestr(candidate, name) || strcasestr(name, candidate));
        if (is_part)
            text_printf(&near, "%s`%s`", near.count ? ", " : "", candidate);
        suggestion_offer(&suggestion, candidate);
    }
    if (!near.count && suggestion.best)
        text_printf(&near, "`%s`", suggestion.best);
    if (near.count)
        report_error(report, "unreadable",
                     "there is no file and no built-in game `%s`; did you mean %s?", name,
                     near.items);
    else
        report_error(report, "unreadable",
                     "there is no file and no built-in game `%s`; `marelle games` lists the games",
                     name);
    vector_free(&near);
}

char *game_path(const char *game, Report *report) {
    struct stat status;
    bool exists = stat(game, &status) == 0;
    bool is_file = exists && !S_ISDIR(status.st_mode);
    if (strcmp(game, "-") == 0 || is_file)
        return memory_strdup(game);
    BuiltinGames games = {0};
    games_list(&games);
    char *path = NULL;
    for (size_t i = 0; i < games.count && !path; i++)
        if (same_name(games.items[i].name, game))
            path = memory_strdup(games.items[i].path);
    /* The reader has a better message for a path that cannot be read. */
    if (!path && (exists || strchr(game, '/') || stem_length(game)))
        path = memory_strdup(game);
    if (!path)
        report_unknown(&games, game, report);
    games_free(&games);
    return path;
}

Syntax *game_read_syntax(const char *game, Report *report) {
    char *path = game_path(game, report);
    Source *source = path ? source_read(path, report) : NULL;
    free(path);
    return source ? syntax_read(source, report) : NULL;
}

Rules *game_read(const char *game, Report *report) {
    Syntax *syntax = game_read_syntax(game, report);
    return syntax ? rules_lower(syntax, report) : NULL;
}
