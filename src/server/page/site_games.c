/* Requests about games: the list, one game, its rules, looks inside, checking rules while somebody
 * types them, and uploading rules. */
#include <string.h>

#include "base/clock.h"
#include "gdl/check/check.h"
#include "server/page/site_internal.h"

enum { LARGEST_RULES = 1 << 20, LONGEST_NAME = 80 }; /* limits in bytes (guesses) */

static void answer_status(Visit *visit, HttpAnswer *answer) {
    Site *site = visit->site;
    SlotsLoad load = slots_load(site->slots);
    json_t *object = json_object(), *gate = json_object();
    json_add(object, "version", json_text(MARELLE_VERSION), "token",
             json_boolean(site->options.token != NULL), "trusted", json_boolean(visit->is_trusted));
    json_add(gate, "places", json_count(load.places), "busy", json_count(load.busy), "waiting",
             json_count(load.waiting));
    json_add(object, "searches", gate, "peak_mb", json_real(clock_peak_memory_mb()));
    site_write(answer, object);
}

static void answer_games(Visit *visit, HttpAnswer *answer) {
    text_add(&answer->body, "{\"games\":");
    library_list(visit->site->library, &answer->body);
    text_add_char(&answer->body, '}');
}

/* Answers the entry of the list, and the board with the initial position. The game is built for the
 * board. */
static void answer_game(Visit *visit, HttpAnswer *answer) {
    Library *library = visit->site->library;
    Report report = {0};
    Text about = {0};
    const OpenGame *open = library_open(library, visit->parts[0], &report);
    if (!open) {
        site_complain(answer, &report);
    } else {
        library_describe(library, visit->parts[0], &about);
        text_add_bytes(&answer->body, about.items, about.count - 1);
        text_printf(&answer->body, ",\"board\":%s,\"view\":%s,\"reasoner\":\"%s\"}",
                    open->board_json, open->initial_view,
                    game_has_circuit(open->game) ? "circuit" : "interpreter");
        library_close(library, open);
    }
    vector_free(&about);
    report_free(&report);
}

static void answer_rules(Visit *visit, HttpAnswer *answer) {
    answer->content_type = "text/plain; charset=utf-8";
    if (!library_rules(visit->site->library, visit->parts[0], &answer->body)) {
        answer->content_type = NULL;
        site_refuse(answer, 404, "no-game", "there is no such game");
    }
}

static void answer_inside(Visit *visit, HttpAnswer *answer) {
    Site *site = visit->site;
    Report report = {0};
    if (!library_inside(site->library, visit->parts[0], visit->parts[1], site->slots, &answer->body,
                        &report)) {
        text_clear(&answer->body);
        site_complain(answer, &report);
    }
    report_free(&report);
}

/* Returns the rules in the body; NULL if the request was refused. */
static const char *rules_of(const Visit *visit, HttpAnswer *answer) {
    const char *rules = site_text(visit, "rules");
    if (!rules)
        site_refuse(answer, 400, "bad-rules", "`rules` is missing, or has a zero byte in it");
    else if (strlen(rules) > LARGEST_RULES)
        site_refuse(answer, 413, "bad-rules", "the rules are too long");
    else
        return rules;
    return NULL;
}

static void answer_check(Visit *visit, HttpAnswer *answer) {
    const char *text = rules_of(visit, answer);
    if (!text)
        return;
    Report report = {0};
    Rules *rules = rules_read_text("rules", text, strlen(text), &report);
    if (rules)
        rules_check(rules, &report);
    report_sort(&report);
    site_write(answer, json_pack("{s:b,s:I,s:I,s:o}", "ok", !report_failed(&report), "errors",
                                 (json_int_t)report.counts[SEVERITY_ERROR], "warnings",
                                 (json_int_t)report.counts[SEVERITY_WARNING], "diagnostics",
                                 json_diagnostics(&report)));
    rules_free(rules);
    report_free(&report);
}

static void answer_upload(Visit *visit, HttpAnswer *answer) {
    const char *text = rules_of(visit, answer), *name = site_text(visit, "name");
    if (!text)
        return;
    if (!name || !*name || strlen(name) > LONGEST_NAME) {
        site_refuse(answer, 400, "bad-name", "`name` is a text of 1 to 80 bytes");
        return;
    }
    Report report = {0};
    Text id = {0};
    if (library_upload(visit->site->library, name, text, strlen(text), &id, &report)) {
        answer->status = 201;
        site_write(answer, json_pack("{s:o,s:o}", "id", json_text(text_string(&id)), "diagnostics",
                                     json_diagnostics(&report)));
    } else {
        site_complain(answer, &report);
    }
    vector_free(&id);
    report_free(&report);
}

const Route game_routes[] = {
    {"GET", "/api/status", answer_status},        {"GET", "/api/games", answer_games},
    {"POST", "/api/games", answer_upload},        {"GET", "/api/games/{}", answer_game},
    {"GET", "/api/games/{}/rules", answer_rules}, {"GET", "/api/games/{}/inside/{}", answer_inside},
    {"POST", "/api/check", answer_check},         {NULL, NULL, NULL},
};
