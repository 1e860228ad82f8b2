/* Reads recorded matches. A file that starts with a brace is JSON, one object per match; any other
 * is a trace. Errors in JSON name the path of the value and the line where its match begins. */
#include "server/referee/played.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

#include "base/text.h"
#include "game/trace.h"

typedef struct {
    Played *played;
    PlayedMatch *match;
    Source *source;
    uint32_t start; /* offset of the object in the source */
    Report *report;
} Reader;

__attribute__((format(printf, 2, 3))) static bool fail(Reader *r, const char *format, ...) {
    Arena scratch = {0};
    va_list arguments;
    va_start(arguments, format);
    report_at(r->report, SEVERITY_ERROR, "bad-record", r->source, r->start, 1, "%s",
              arena_vprintf(&scratch, format, arguments));
    va_end(arguments);
    arena_free(&scratch);
    return false;
}

static const char *keep(Reader *r, const char *text) {
    return text ? arena_copy(&r->played->arena, text, strlen(text)) : NULL;
}

/* Returns the texts of an array with `count` texts; NULL with an error if it is anything else. */
static const char **read_texts(Reader *r, const json_t *array, const char *path, size_t count) {
    if (!json_is_array(array) || json_array_size(array) != count) {
        fail(r, "`%s` must be a list of %zu texts", path, count);
        return NULL;
    }
    const char **texts = arena_alloc(&r->played->arena, (count + 1) * sizeof *texts);
    for (size_t i = 0; i < count; i++) {
        texts[i] = keep(r, json_string_value(json_array_get(array, i)));
        if (!texts[i]) {
            fail(r, "`%s[%zu]` must be a text", path, i);
            return NULL;
        }
    }
    return texts;
}

static bool read_names(Reader *r, const json_t *object) {
    PlayedMatch *m = r->match;
    const json_t *roles = json_object_get(object, "roles");
    const json_t *players = json_object_get(object, "playerNamesFromHost");
    m->id = keep(r, json_string_value(json_object_get(object, "matchId")));
    m->game = keep(r, json_string_value(json_object_get(object, "game")));
    m->rules = keep(r, json_string_value(json_object_get(object, "rules")));
    if (!json_array_size(roles))
        return fail(r, "`roles` must be a list of texts");
    m->role_count = (uint32_t)json_array_size(roles);
    m->roles = read_texts(r, roles, "roles", m->role_count);
    if (m->roles && json_is_array(players))
        m->players = read_texts(r, players, "playerNamesFromHost", m->role_count);
    return m->roles && (m->players || !json_is_array(players));
}

static bool read_turns(Reader *r, const json_t *object) {
    const json_t *moves = json_object_get(object, "moves");
    const json_t *states = json_object_get(object, "states");
    if (!json_is_array(moves))
        return fail(r, "`moves` must be a list with the joint move of each turn");
    if (!json_is_array(states) || json_array_size(states) != json_array_size(moves) + 1)
        return fail(r, "`states` must be a list of %zu texts, one more than `moves` has turns",
                    json_array_size(moves) + 1);
    for (size_t i = 0; i < json_array_size(moves); i++) {
        char path[32];
        snprintf(path, sizeof path, "moves[%zu]", i);
        const char **joint = read_texts(r, json_array_get(moves, i), path, r->match->role_count);
        if (!joint)
            return false;
        vector_push(&r->match->moves, joint);
    }
    for (size_t i = 0; i < json_array_size(states); i++) {
        const char *state = json_string_value(json_array_get(states, i));
        if (!state)
            return fail(r, "`states[%zu]` must be a text", i);
        vector_push(&r->match->states, keep(r, state));
    }
    return true;
}

static bool read_goals(Reader *r, const json_t *object) {
    const json_t *goals = json_object_get(object, "goalValues");
    if (!json_is_true(json_object_get(object, "isCompleted")) || !json_array_size(goals))
        return true;
    if (json_array_size(goals) != r->match->role_count)
        return fail(r, "`goalValues` must have a value for each of %u roles", r->match->role_count);
    r->match->goals = arena_alloc(&r->played->arena, r->match->role_count * sizeof(int));
    for (uint32_t i = 0; i < r->match->role_count; i++) {
        const json_t *goal = json_array_get(goals, i);
        r->match->goals[i] = json_is_integer(goal) ? (int)json_integer_value(goal) : GOAL_NONE;
    }
    return true;
}

/* Faults are optional: malformed ones are skipped. */
static void read_faults(Reader *r, const json_t *object) {
    const json_t *faults = json_object_get(object, "faults");
    for (size_t i = 0; i < json_array_size(faults); i++) {
        const json_t *fault = json_array_get(faults, i);
        const json_t *turn = json_object_get(fault, "turn");
        const char *message = json_string_value(json_object_get(fault, "message"));
        if (!json_is_integer(turn) || !message)
            continue;
        PlayedFault read = {(uint32_t)json_integer_value(turn),
                            keep(r, json_string_value(json_object_get(fault, "role"))),
                            keep(r, message)};
        vector_push(&r->match->faults, read);
    }
}

static bool read_object(Reader *r, const json_t *object) {
    vector_push(&r->played->matches, (PlayedMatch){0});
    r->match = &vector_last(&r->played->matches);
    if (!json_is_object(object))
        return fail(r, "a record must be an object");
    if (!read_names(r, object) || !read_turns(r, object) || !read_goals(r, object))
        return false;
    read_faults(r, object);
    return true;
}

static bool read_json(Reader *r) {
    const char *text = r->source->text;
    size_t length = r->source->length, at = 0;
    bool ok = true;
    while (ok) {
        while (at < length && isspace((unsigned char)text[at]))
            at++;
        if (at == length)
            break;
        json_error_t error;
        json_t *object = json_loadb(text + at, length - at,
                                    JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);
        r->start = (uint32_t)at;
        if (!object) {
            size_t offset = error.position > 0 ? (size_t)error.position - 1 : 0;
            r->start = (uint32_t)(at + offset < length ? at + offset : length);
        }
        ok = object ? read_object(r, object) : fail(r, "%s", error.text);
        at += object ? (size_t)error.position : 0;
        json_decref(object);
    }
    return ok;
}

/* ---- traces ---- */

/* Joins the texts of a span, separated by blanks. */
static const char *join_span(Played *played, const Trace *trace, TraceSpan span) {
    Text text = {0};
    for (uint32_t i = 0; i < span.count; i++) {
        if (i)
            text_add_char(&text, ' ');
        text_add(&text, trace_text(trace, span, i));
    }
    const char *kept = arena_copy(&played->arena, text_string(&text), text.count);
    vector_free(&text);
    return kept;
}

static const char **copy_span(Played *played, const Trace *trace, TraceSpan span) {
    const char **texts = arena_alloc(&played->arena, (span.count + 1) * sizeof *texts);
    for (uint32_t i = 0; i < span.count; i++) {
        const char *text = trace_text(trace, span, i);
        texts[i] = arena_copy(&played->arena, text, strlen(text));
    }
    return texts;
}

/* Adds a match, unless it was cut before its first state. */
static void add_trace_match(Played *played, const Trace *trace, const TraceMatch *from) {
    if (!from->step_count)
        return;
    PlayedMatch m = {.id = arena_printf(&played->arena, "%u", from->number),
                     .role_count = trace->roles.count,
                     .roles = copy_span(played, trace, trace->roles)};
    for (uint32_t i = 0; i < from->step_count; i++) {
        const TraceStep *step = &trace->steps.items[from->first_step + i];
        vector_push(&m.states, join_span(played, trace, step->state));
        if (step->does.count)
            vector_push(&m.moves, copy_span(played, trace, step->does));
    }
    if (from->end == TRACE_TERMINAL) {
        m.goals = arena_alloc(&played->arena, m.role_count * sizeof *m.goals);
        for (uint32_t r = 0; r < m.role_count; r++) {
            int goal = trace->goals.items[from->first_goal + r];
            m.goals[r] = goal == GOAL_NONE ? GOAL_NONE : goal;
        }
    }
    vector_push(&played->matches, m);
}

static bool read_trace(Played *played, const char *path, Report *report) {
    Trace *trace = trace_read(path, report);
    if (!trace)
        return false;
    for (size_t i = 0; i < trace->matches.count; i++)
        add_trace_match(played, trace, &trace->matches.items[i]);
    trace_free(trace);
    return true;
}

static bool starts_with_brace(const Source *source) {
    size_t at = 0;
    while (at < source->length && isspace((unsigned char)source->text[at]))
        at++;
    return at < source->length && (source->text[at] == '{' || source->text[at] == '[');
}

Played *played_read(const char *path, Report *report) {
    Source *source = source_read(path, report);
    if (!source)
        return NULL;
    Played *played = memory_zalloc(sizeof *played);
    Reader r = {.played = played, .source = source, .report = report};
    bool ok = starts_with_brace(source) ? read_json(&r) : read_trace(played, path, report);
    if (ok && !played->matches.count) {
        report_error(report, "bad-record", "%s has no match", path);
        ok = false;
    }
    source_free(source);
    if (ok)
        return played;
    played_free(played);
    return NULL;
}

void played_free(Played *played) {
    if (!played)
        return;
    for (size_t i = 0; i < played->matches.count; i++)
        vectors_free(&played->matches.items[i].states, &played->matches.items[i].moves,
                     &played->matches.items[i].faults);
    vector_free(&played->matches);
    arena_free(&played->arena);
    free(played);
}
