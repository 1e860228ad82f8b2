/* marelle games: the built-in games, each with its roles and the title its file starts with. */
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "cli/games.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "gdl/write.h"

static void print_game(const BuiltinGame *game, const Rules *rules, bool as_json) {
    Text title = {0}, roles = {0};
    json_t *names = json_array();
    syntax_title(rules->syntax, &title);
    for (size_t i = 0; i < rules->roles.count; i++) {
        Text role = {0};
        write_term_lower(&role, &rules->terms, rules->roles.items[i]);
        text_printf(&roles, "%s%s", i ? " " : "", role.items);
        array_push(names, text_json(role.items));
        vector_free(&role);
    }
    if (as_json)
        print_json(object_of("name", text_json(game->name), "title", text_json(text_string(&title)),
                             "roles", json_incref(names), "path", text_json(game->path)));
    else
        printf("%-28s %-20s %s\n", game->name, text_string(&roles),
               title.count ? title.items : "(no title)");
    json_decref(names);
    vectors_free(&title, &roles);
}

static int run_games(const Command *command) {
    int status = STATUS_DONE;
    BuiltinGames games = {0};
    games_list(&games);
    for (size_t i = 0; i < games.count && !interrupt_requested(); i++) {
        Report report = {0};
        Rules *rules = rules_read(games.items[i].path, &report);
        if (rules) {
            print_game(&games.items[i], rules, command->common.json);
        } else {
            print_failure(&report);
            status = STATUS_USAGE;
        }
        rules_free(rules);
        report_free(&report);
    }
    if (!games.count) {
        complain("no built-in games found; $MARELLE_GAMES can name their folder");
        status = STATUS_USAGE;
    }
    games_free(&games);
    return status;
}

const Verb verb_games = {
    .name = "games",
    .arguments = "",
    .summary = "list the built-in games",
    .description =
        "Lists the built-in games with their roles. They are the rule files of games/ or\n"
        "of the installation; $MARELLE_GAMES adds a folder of your own.",
    .example = "games",
    .unused = "seed threads time playouts verbose kernel",
    .run = run_games,
};
