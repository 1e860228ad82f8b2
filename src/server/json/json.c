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

json_t *text_json(const char *text) {
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

json_t *texts_json(const char *const *texts, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        array_push(array, text_json(texts[i]));
    return array;
}

json_t *object_add_pairs(json_t *object, ...) {
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

json_t *take_text_json(Text *text) {
    json_t *string = text_json(text_string(text));
    vector_free(text);
    return string;
}

json_t *role_json(const Game *game, uint32_t role) {
    assert(role < game->role_count);
    return text_json(game->roles[role]);
}

json_t *fluent_json(const GameWork *work, uint32_t fluent) {
    Text text = {0};
    game_fluent_text(work, fluent, &text);
    return take_text_json(&text);
}

json_t *fluents_json(const GameWork *work, const U32Vector *fluents) {
    json_t *array = json_array();
    for (size_t i = 0; i < fluents->count; i++)
        array_push(array, fluent_json(work, fluents->items[i]));
    return array;
}

json_t *move_json(const GameWork *work, uint32_t role, uint32_t move) {
    Text text = {0};
    assert(move != MOVE_NONE);
    game_move_text(work, role, move, &text);
    return take_text_json(&text);
}

char *dump_json(json_t *value) {
    assert(value);
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(value);
    return text;
}

void write_json(Text *out, json_t *value) {
    char *text = dump_json(value);
    text_add(out, text);
    free(text);
}

static json_t *diagnostic_json(const Diagnostic *d) {
    return object_of("line", json_integer(d->line), "col", json_integer(d->column), "severity",
                     text_json(severity_name(d->severity)), "code", text_json(d->code), "message",
                     text_json(d->message), "hint", text_json(d->hint));
}

json_t *diagnostics_json(const Report *report) {
    json_t *array = json_array();
    for (size_t i = 0; i < report->items.count; i++)
        array_push(array, diagnostic_json(&report->items.items[i]));
    return array;
}

/* "(cell 1 1 b) (control x)" as "((true (cell 1 1 b)) (true (control x)))". */
static json_t *state_json(const char *facts) {
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
    return take_text_json(&text);
}

/* Writes one error as ggp.org does: the code, then words. */
static void write_error(Text *text, const MatchFault *error) {
    text_printf(text, "%s%s %s", text->count ? "; " : "", match_fault_code(error->kind),
                error->message);
}

/* Writes one string per turn and role, empty where nothing went wrong. Errors that no role is to
 * blame for are repeated for all roles. The array is empty if there were no errors at all. Errors
 * come in the order of turns. */
static json_t *errors_json(const MatchRecord *record) {
    json_t *steps = json_array();
    const MatchFault *errors = record->faults.items;
    size_t count = record->faults.count, first = 0;
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
            array_push(row, take_text_json(&text));
        }
        array_push(steps, row);
        first = end;
    }
    return steps;
}

static json_t *faults_json(const MatchRecord *record) {
    json_t *array = json_array();
    for (size_t i = 0; i < record->faults.count; i++) {
        const MatchFault *e = &record->faults.items[i];
        const char *role = e->role < record->role_count ? record->roles[e->role] : NULL;
        array_push(array, object_of("turn", json_integer(e->turn), "role", text_json(role), "code",
                                    text_json(match_fault_code(e->kind)), "message",
                                    text_json(e->message)));
    }
    return array;
}

/* Goals are known only at the end. A role without a goal has null. */
static void add_goals(json_t *object, const MatchRecord *record) {
    json_t *values = json_array(), *goals = json_object();
    for (uint32_t r = 0; r < record->role_count; r++) {
        if (record->is_completed)
            array_push(values, goal_json(record->goals[r]));
        object_add(goals, record->roles[r], goal_json(record->goals[r]));
    }
    object_add(object, "goalValues", values, "goals", goals);
}

static void add_turns(json_t *object, const MatchRecord *record) {
    json_t *moves = json_array(), *states = json_array(), *times = json_array();
    json_t *seconds = json_array(), *percepts = json_array();
    for (size_t i = 0; i < record->moves.count; i++) {
        json_t *row = json_array();
        for (uint32_t r = 0; r < record->role_count; r++)
            array_push(row, json_real(record->seconds.items[i * record->role_count + r]));
        array_push(seconds, row);
        array_push(moves, texts_json(record->moves.items[i], record->role_count));
    }
    for (size_t i = 0; i < record->percepts.count; i++)
        array_push(percepts, texts_json(record->percepts.items[i], record->role_count));
    for (size_t i = 0; i < record->states.count; i++) {
        array_push(states, state_json(record->states.items[i]));
        array_push(times, count_json(record->times.items[i]));
    }
    object_add(object, "moves", moves, "percepts", percepts, "states", states, "stateTimes", times,
               "answerSeconds", seconds);
}

json_t *match_json(const MatchRecord *record) {
    json_t *object = object_of(
        "matchId", text_json(record->id), "game", text_json(record->game), "rules",
        text_json(record->rules), "startTime", count_json(record->times.items[0]), "startClock",
        json_real(record->startclock), "playClock", json_real(record->playclock), "seed",
        count_json(record->seed), "roles", texts_json(record->roles, record->role_count),
        "playerNamesFromHost", texts_json(record->players, record->role_count), "choices",
        texts_json(record->method_choices, record->role_count));
    add_turns(object, record);
    json_object_set_new(object, "isCompleted", json_boolean(record->is_completed));
    add_goals(object, record);
    object_add(object, "errors", errors_json(record), "faults", faults_json(record));
    return object;
}
