/* Games for tests of networks, and their translations. */
#ifndef MARELLE_TESTS_SCSP_FIXTURES_H
#define MARELLE_TESTS_SCSP_FIXTURES_H

#include "../analysis/games.h"
#include "scsp/network/template.h"
#include "square_tic_tac_toe.h"

__attribute__((unused)) static Template *template_of(Game *game) {
    Report report = {0};
    TemplateOptions options = {0};
    Template *t = template_create(game, &options, &report);
    cr_assert_not_null(t, "%s", first_problem(&report));
    report_free(&report);
    return t;
}

#endif
