/* Requests about tournaments: the list, one tournament, and new tournaments. */
#include "server/page/site_internal.h"

static void answer_tournaments(Visit *visit, HttpAnswer *answer) {
    text_add(&answer->body, "{\"tournaments\":");
    hosted_list(visit->site->hosted, &answer->body);
    text_add_char(&answer->body, '}');
}

static void answer_tournament(Visit *visit, HttpAnswer *answer) {
    if (!hosted_describe(visit->site->hosted, visit->parts[0], &answer->body))
        site_refuse(answer, 404, "no-tournament", "there is no tournament of that name");
}

static void answer_begin(Visit *visit, HttpAnswer *answer) {
    Report report = {0};
    Text name = {0};
    const char *client = visit->request->client;
    if (!site_may_think(visit, answer))
        return;
    char *text = json_dumps(visit->body, JSON_COMPACT);
    if (hosted_add(visit->site->hosted, text, client, visit->is_trusted, &name, &report)) {
        answer->status = 201;
        site_write(answer, json_pack("{s:o}", "name", json_text(text_string(&name))));
    } else {
        site_complain(answer, &report);
    }
    free(text);
    vector_free(&name);
    report_free(&report);
}

const Route tournament_routes[] = {
    {"GET", "/api/tournaments", answer_tournaments},
    {"POST", "/api/tournaments", answer_begin},
    {"GET", "/api/tournaments/{}", answer_tournament},
    {NULL, NULL, NULL},
};
