/* Writes the names of variables and values for people. */
#include "scsp/network/template.h"

static const char *const kind_names[] = {"fluent", "atom",   "terminal", "score",
                                         "action", "chance", "next",     "percept"};

static void write_fluent(const Template *t, uint32_t fluent, Text *out) {
    GameWork *work = game_work_create(t->game, REASONER_AUTO);
    game_fluent_text(work, fluent, out);
    game_work_free(work);
}

/* Writes the name of a group, the common beginning of its fluents. */
static void write_group(const Template *t, uint32_t group, Text *out) {
    assert(group < t->groups.count);
    const U32Vector *fluents = &t->groups.items[group].fluents;
    Text first = {0}, other = {0};
    write_fluent(t, fluents->items[0], &first);
    size_t common = first.count;
    for (size_t i = 1; i < fluents->count; i++) {
        text_clear(&other);
        write_fluent(t, fluents->items[i], &other);
        size_t same = 0;
        while (same < common && same < other.count && first.items[same] == other.items[same])
            same++;
        common = same;
    }
    while (fluents->count > 1 && common > 0 && first.items[common - 1] != ' ')
        common--;
    if (fluents->count > 1 && common > 0)
        common--;
    text_add_bytes(out, first.items, common);
    text_add(out, fluents->count > 1 && first.items[0] == '(' ? " ...)" : "");
    vectors_free(&first, &other);
}

void template_write_variable(const Template *t, const ScspVariable *variable, Text *out) {
    text_add(out, kind_names[variable->kind]);
    if (variable->kind != VARIABLE_TERMINAL)
        text_add_char(out, ' ');
    switch (variable->kind) {
    case VARIABLE_FLUENT:
    case VARIABLE_NEXT:
        write_group(t, variable->index_in_kind, out);
        break;
    case VARIABLE_AUXILIARY:
        if (variable->index_in_kind < t->atoms.count)
            text_add(out, t->atoms.items[variable->index_in_kind]);
        else
            text_printf(out, "body %zu", variable->index_in_kind - t->atoms.count);
        break;
    case VARIABLE_TERMINAL:
        break;
    case VARIABLE_SCORE:
        text_add(out, t->game->roles[variable->role]);
        text_printf(out, " %d", t->scores.items[variable->index_in_kind].value);
        break;
    case VARIABLE_ACTION:
    case VARIABLE_CHANCE:
        text_add(out, t->game->roles[variable->role]);
        break;
    case VARIABLE_PERCEPT:
        text_add(out, t->game->roles[variable->role]);
        text_add_char(out, ' ');
        text_add(out, t->percepts.items[variable->index_in_kind].text);
        break;
    }
}

void template_write_value(const Template *t, const ScspVariable *variable, uint32_t value,
                          Text *out) {
    if (variable->kind == VARIABLE_FLUENT || variable->kind == VARIABLE_NEXT) {
        const U32Vector *fluents = &t->groups.items[variable->index_in_kind].fluents;
        if (value == 0)
            text_add(out, "none");
        else if (value > fluents->count)
            text_add(out, "undefined");
        else
            write_fluent(t, fluents->items[value - 1], out);
        return;
    }
    if (variable->kind != VARIABLE_ACTION && variable->kind != VARIABLE_CHANCE) {
        text_add(out, value ? "true" : "false");
        return;
    }
    const uint32_t *first = t->game->circuit->first_move;
    if (value >= first[variable->role + 1] - first[variable->role]) {
        text_add(out, "undefined");
        return;
    }
    GameWork *work = game_work_create(t->game, REASONER_AUTO);
    game_move_text(work, variable->role, value, out);
    game_work_free(work);
}
