/* Requests about tournaments: the list, one tournament, and new tournaments. */
#include "server/page/site_internal.h"

static bool answer_tournaments(Visit *visit, HttpAnswer *answer) {
    text_add(&answer->body, "{\"tournaments\":");
    hosted_list(visit->site->hosted, &answer->body);
    text_add_char(&answer->body, '}');
    return true;
}

static bool answer_tournament(Visit *visit, HttpAnswer *answer) {
    if (!hosted_describe(visit->site->hosted, visit->parts[0], &answer->body))
        site_refuse(answer, 404, "no-tournament", "there is no tournament of that name");
    return true;
}

static bool answer_begin(Visit *visit, HttpAnswer *answer) {
    Text name = {0}, owner = {0};
    if (!site_may_think(visit, answer))
        return true;
    char *text = json_dumps(visit->body, JSON_COMPACT);
    bool ok = hosted_add(visit->site->hosted, text, visit->client, visit->is_trusted, &name, &owner,
                         &visit->report);
    if (ok) {
        answer->status = 201;
        site_write(answer, object_of("name", text_json(text_string(&name)), "owner",
                                     text_json(text_string(&owner))));
    }
    free(text);
    vectors_free(&name, &owner);
    return ok;
}

static bool answer_cancel(Visit *visit, HttpAnswer *answer) {
    bool ok = hosted_cancel(visit->site->hosted, visit->parts[0], site_text(visit, "owner"),
                            visit->site->options.token && visit->is_trusted, &visit->report);
    if (ok)
        site_write(answer, object_of("ok", json_true()));
    return ok;
}

const Route tournament_routes[] = {
    {"GET", "/api/tournaments", answer_tournaments, NEEDS_NOTHING},
    {"POST", "/api/tournaments", answer_begin, NEEDS_NOTHING},
    {"GET", "/api/tournaments/{}", answer_tournament, NEEDS_NOTHING},
    {"POST", "/api/tournaments/{}/cancel", answer_cancel, NEEDS_NOTHING},
    {0},
};
