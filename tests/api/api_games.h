/* Games for the tests of the public interface, built through it. */
#pragma once

#include <criterion/criterion.h>
#include <marelle/marelle.h>
#include <string.h>

#define GAME(NAME) MARELLE_TESTS "/../games/" NAME ".kif"

static inline MarelleRules *rules_of(const char *text) {
    MarelleRules *rules;
    MarelleStatus status = marelle_rules_read_text("test", text, strlen(text), &rules);
    cr_assert_eq(status, MARELLE_OK, "%s", marelle_status_text(status));
    return rules;
}

/* Builds a game and frees its rules. */
static inline MarelleGame *game_of(MarelleRules *rules, bool interpreter_only) {
    MarelleGameOptions options = {.interpreter_only = interpreter_only};
    MarelleGame *game;
    cr_assert_eq(marelle_game_build(rules, &options, &game), MARELLE_OK);
    marelle_rules_free(rules);
    return game;
}

static inline MarelleGame *game_from_file(const char *path, bool interpreter_only) {
    MarelleRules *rules;
    cr_assert_eq(marelle_rules_read_file(path, &rules), MARELLE_OK);
    return game_of(rules, interpreter_only);
}
