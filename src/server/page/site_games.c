/* Requests about games: the list, one game, its rules, looks inside, checking rules while somebody
 * types them, and uploading rules. */
#include <string.h>

#include "base/clock.h"
#include "gdl/check/check.h"
#include "server/page/site_internal.h"

enum { MAX_RULES_SIZE = 1 << 20, MAX_NAME_LENGTH = 80 }; /* limits in bytes (untuned) */

static bool answer_status(Visit *visit, HttpAnswer *answer) {
    Site *site = visit->site;
    SlotsLoad load = slots_load(site->slots);
    LooksLoad looks = site->looks ? looks_load(site->looks) : (LooksLoad){0};
    site_write(answer,
               object_of("version", text_json(MARELLE_VERSION), "token",
                         json_boolean(site->options.token != NULL), "trusted",
                         json_boolean(visit->is_trusted), "searches",
                         object_of("places", count_json(load.places), "busy", count_json(load.busy),
                                   "waiting", count_json(load.waiting)),
                         "looks",
                         object_of("places", count_json(looks.places), "busy",
                                   count_json(looks.busy), "waiting", count_json(looks.waiting)),
                         "games_mb", count_json(library_bytes(site->library) >> 20), "memory_mb",
                         count_json(site->options.bytes >> 20), "peak_mb",
                         json_real(clock_peak_memory_mb())));
    return true;
}

static bool answer_games(Visit *visit, HttpAnswer *answer) {
    text_add(&answer->body, "{\"games\":");
    library_list(visit->site->library, &answer->body);
    text_add_char(&answer->body, '}');
    site_tag(visit->request, answer);
    return true;
}

/* Answers what is known; nothing is built for it. */
static bool answer_game(Visit *visit, HttpAnswer *answer) {
    if (!library_describe(visit->site->library, visit->parts[0], &answer->body))
        return site_refuse(answer, 404, "no-game", "there is no such game");
    site_tag(visit->request, answer);
    return true;
}

static bool answer_rules(Visit *visit, HttpAnswer *answer) {
    if (library_rules(visit->site->library, visit->parts[0], &answer->body))
        answer->content_type = "text/plain; charset=utf-8";
    else
        site_refuse(answer, 404, "no-game", "there is no such game");
    return true;
}

static bool answer_inside(Visit *visit, HttpAnswer *answer) {
    return library_look(visit->site->library, visit->parts[0], visit->parts[1], LOOK_ASK,
                        &answer->body, &visit->report);
}

static bool answer_look(Visit *visit, HttpAnswer *answer) {
    bool again = json_is_true(json_object_get(visit->body, "again"));
    return library_look(visit->site->library, visit->parts[0], visit->parts[1],
                        again ? LOOK_AGAIN : LOOK_BEGIN, &answer->body, &visit->report);
}

/* Returns the rules in the body; NULL if the request was refused. */
static const char *rules_of(const Visit *visit, HttpAnswer *answer) {
    const char *rules = site_text(visit, "rules");
    if (!rules)
        site_refuse(answer, 400, "bad-rules", "`rules` is missing, or has a zero byte in it");
    else if (strlen(rules) > MAX_RULES_SIZE)
        site_refuse(answer, 413, "bad-rules", "the rules are too long");
    else
        return rules;
    return NULL;
}

static bool answer_check(Visit *visit, HttpAnswer *answer) {
    const char *text = rules_of(visit, answer);
    Report *report = &visit->report;
    if (!text)
        return true;
    Rules *rules = rules_read_text("rules", text, strlen(text), report);
    if (rules)
        rules_check(rules, report);
    report_sort(report);
    site_write(answer, object_of("ok", json_boolean(!report_failed(report)), "errors",
                                 count_json(report->counts[SEVERITY_ERROR]), "warnings",
                                 count_json(report->counts[SEVERITY_WARNING]), "diagnostics",
                                 diagnostics_json(report)));
    rules_free(rules);
    return true;
}

static bool answer_preview(Visit *visit, HttpAnswer *answer) {
    const char *text = rules_of(visit, answer);
    return !text ||
           library_preview(visit->site->library, text, strlen(text), &answer->body, &visit->report);
}

static bool answer_upload(Visit *visit, HttpAnswer *answer) {
    const char *text = rules_of(visit, answer), *name = site_text(visit, "name");
    if (!text)
        return true;
    if (!name || !*name || strlen(name) > MAX_NAME_LENGTH)
        return site_refuse(answer, 400, "bad-name", "`name` is a text of 1 to 80 bytes");
    Text id = {0}, owner = {0};
    bool is_ok =
        library_upload(visit->site->library, name, text, strlen(text), &id, &owner, &visit->report);
    if (is_ok) {
        answer->status = 201;
        site_write(answer, object_of("id", text_json(text_string(&id)), "owner",
                                     owner.count ? text_json(text_string(&owner)) : json_null(),
                                     "diagnostics", diagnostics_json(&visit->report)));
    }
    vectors_free(&id, &owner);
    return is_ok;
}

static bool answer_delete(Visit *visit, HttpAnswer *answer) {
    bool ok = library_delete(visit->site->library, visit->parts[0], site_text(visit, "owner"),
                             visit->site->options.token && visit->is_trusted, &visit->report);
    if (ok)
        site_write(answer, object_of("ok", json_true()));
    return ok;
}

const Route game_routes[] = {
    {"GET", "/api/status", answer_status, NEEDS_NOTHING},
    {"GET", "/api/games", answer_games, NEEDS_NOTHING},
    {"POST", "/api/games", answer_upload, NEEDS_NOTHING},
    {"GET", "/api/games/{}", answer_game, NEEDS_NOTHING},
    {"GET", "/api/games/{}/rules", answer_rules, NEEDS_NOTHING},
    {"POST", "/api/games/{}/delete", answer_delete, NEEDS_NOTHING},
    {"GET", "/api/games/{}/inside/{}", answer_inside, NEEDS_NOTHING},
    {"POST", "/api/games/{}/inside/{}", answer_look, NEEDS_NOTHING},
    {"POST", "/api/check", answer_check, NEEDS_NOTHING},
    {"POST", "/api/preview", answer_preview, NEEDS_NOTHING},
    {0},
};
