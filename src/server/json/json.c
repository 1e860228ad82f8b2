/* JSON strings must be UTF-8, but file contents and names need not be. Invalid bytes are
 * replaced. */
#include "server/json/json.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"

/* Returns the length in bytes of the UTF-8 character that starts here; 0 if none does. */
static size_t character_length(const unsigned char *c) {
    static const struct {
        unsigned char mask, lead;
        uint32_t smallest;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t length = 1; length <= 4; length++) {
        if ((c[0] & forms[length - 1].mask) != forms[length - 1].lead)
            continue;
        uint32_t code = c[0] & (unsigned char)~forms[length - 1].mask;
        for (size_t i = 1; i < length; i++) {
            if ((c[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (c[i] & 0x3f);
        }
        bool surrogate = code >= 0xd800 && code < 0xe000;
        return code < forms[length - 1].smallest || code > 0x10ffff || surrogate ? 0 : length;
    }
    return 0;
}

json_t *json_text(const char *text) {
    if (!text)
        return json_null();
    json_t *string = json_string(text);
    if (string)
        return string;
    Text clean = {0};
    for (const char *c = text; *c;) {
        size_t length = character_length((const unsigned char *)c);
        if (length)
            text_add_bytes(&clean, c, length);
        else
            text_add(&clean, "\xef\xbf\xbd");
        c += length ? length : 1;
    }
    string = json_string(text_string(&clean));
    vector_free(&clean);
    return string;
}

json_t *json_texts(const char *const *texts, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_push(array, json_text(texts[i]));
    return array;
}

json_t *json_add_pairs(json_t *object, ...) {
    va_list pairs;
    va_start(pairs, object);
    for (const char *key; (key = va_arg(pairs, const char *));) {
        json_t *value = va_arg(pairs, json_t *);
        if (value)
            json_object_set_new(object, key, value);
    }
    va_end(pairs);
    return object;
}

json_t *json_take(Text *text) {
    json_t *string = json_text(text_string(text));
    vector_free(text);
    return string;
}

json_t *json_role(const Game *game, uint32_t role) {
    assert(role < game->role_count);
    return json_text(game->roles[role]);
}

json_t *json_fluent(const GameWork *work, uint32_t fluent) {
    Text text = {0};
    game_fluent_text(work, fluent, &text);
    return json_take(&text);
}

json_t *json_fluents(const GameWork *work, const U32Vector *fluents) {
    json_t *array = json_array();
    for (size_t i = 0; i < fluents->count; i++)
        json_push(array, json_fluent(work, fluents->items[i]));
    return array;
}

json_t *json_move(const GameWork *work, uint32_t role, uint32_t move) {
    Text text = {0};
    assert(move != MOVE_NONE);
    game_move_text(work, role, move, &text);
    return json_take(&text);
}

char *json_dump(json_t *value) {
    assert(value);
    char *text = json_dumps(value, JSON_COMPACT);
    json_decref(value);
    return text;
}

void json_write(Text *out, json_t *value) {
    char *text = json_dump(value);
    text_add(out, text);
    free(text);
}

static json_t *json_diagnostic(const Diagnostic *d) {
    return json_of("line", json_integer(d->line), "col", json_integer(d->column), "severity",
                   json_text(severity_name(d->severity)), "code", json_text(d->code), "message",
                   json_text(d->message), "hint", json_text(d->hint));
}

json_t *json_diagnostics(const Report *report) {
    json_t *array = json_array();
    for (size_t i = 0; i < report->items.count; i++)
        json_push(array, json_diagnostic(&report->items.items[i]));
    return array;
}

/* "(cell 1 1 b) (control x)" as "((true (cell 1 1 b)) (true (control x)))". */
static json_t *json_state(const char *facts) {
    Text text = {0};
    int depth = 0;
    text_add_char(&text, '(');
    for (const char *c = facts; *c; c++) {
        if (depth == 0 && *c == ' ')
            continue;
        if (depth == 0 && (c == facts || c[-1] == ' '))
            text_add(&text, text.count > 1 ? " (true " : "(true ");
        depth += (*c == '(') - (*c == ')');
        text_add_char(&text, *c);
        if (depth == 0 && (c[1] == ' ' || c[1] == '\0'))
            text_add_char(&text, ')');
    }
    text_add_char(&text, ')');
    return json_take(&text);
}

/* Writes one error as ggp.org does: the code, then words. */
static void write_error(Text *text, const MatchError *error) {
    text_printf(text, "%s%s %s", text->count ? "; " : "", match_error_code(error->kind),
                error->message);
}

/* Writes one string per turn and role, empty where nothing went wrong. Errors that no role is to
 * blame for are repeated for all roles. The array is empty if there were no errors at all. Errors
 * come in the order of turns. */
static json_t *json_errors(const MatchRecord *record) {
    json_t *steps = json_array();
    const MatchError *errors = record->errors.items;
    size_t count = record->errors.count, first = 0;
    for (size_t turn = 0; count && (turn < record->moves.count || first < count); turn++) {
        json_t *row = json_array();
        size_t end = first;
        while (end < count && errors[end].turn == turn)
            end++;
        for (uint32_t r = 0; r < record->role_count; r++) {
            Text text = {0};
            for (size_t i = first; i < end; i++)
                if (errors[i].role == r || errors[i].role == MATCH_NO_ROLE)
                    write_error(&text, &errors[i]);
            json_push(row, json_take(&text));
        }
        json_push(steps, row);
        first = end;
    }
    return steps;
}

static json_t *json_faults(const MatchRecord *record) {
    json_t *array = json_array();
    for (size_t i = 0; i < record->errors.count; i++) {
        const MatchError *e = &record->errors.items[i];
        const char *role = e->role < record->role_count ? record->roles[e->role] : NULL;
        json_push(array,
                  json_of("turn", json_integer(e->turn), "role", json_text(role), "code",
                          json_text(match_error_code(e->kind)), "message", json_text(e->message)));
    }
    return array;
}

/* Goals are known only at the end. A role without a goal has null. */
static void add_goals(json_t *object, const MatchRecord *record) {
    json_t *values = json_array(), *goals = json_object();
    for (uint32_t r = 0; r < record->role_count; r++) {
        if (record->is_completed)
            json_push(values, json_goal(record->goals[r]));
        json_add(goals, record->roles[r], json_goal(record->goals[r]));
    }
    json_add(object, "goalValues", values, "goals", goals);
}

static void add_turns(json_t *object, const MatchRecord *record) {
    json_t *moves = json_array(), *states = json_array(), *times = json_array();
    json_t *seconds = json_array(), *percepts = json_array();
    for (size_t i = 0; i < record->moves.count; i++) {
        json_t *row = json_array();
        for (uint32_t r = 0; r < record->role_count; r++)
            json_push(row, json_real(record->seconds.items[i * record->role_count + r]));
        json_push(seconds, row);
        json_push(moves, json_texts(record->moves.items[i], record->role_count));
    }
    for (size_t i = 0; i < record->percepts.count; i++)
        json_push(percepts, json_texts(record->percepts.items[i], record->role_count));
    for (size_t i = 0; i < record->states.count; i++) {
        json_push(states, json_state(record->states.items[i]));
        json_push(times, json_count(record->times.items[i]));
    }
    json_add(object, "moves", moves, "percepts", percepts, "states", states, "stateTimes", times,
             "answerSeconds", seconds);
}

json_t *json_match(const MatchRecord *record) {
    json_t *object = json_of(
        "matchId", json_text(record->id), "game", json_text(record->game), "rules",
        json_text(record->rules), "startTime", json_count(record->times.items[0]), "startClock",
        json_real(record->startclock), "playClock", json_real(record->playclock), "seed",
        json_count(record->seed), "roles", json_texts(record->roles, record->role_count),
        "playerNamesFromHost", json_texts(record->players, record->role_count), "choices",
        json_texts(record->choices, record->role_count));
    add_turns(object, record);
    json_object_set_new(object, "isCompleted", json_boolean(record->is_completed));
    add_goals(object, record);
    json_add(object, "errors", json_errors(record), "faults", json_faults(record));
    return object;
}
