/* Splits texts of facts at spaces and collects those that share a relation and an argument. */
#include "learn/data/factgroups.h"

#include <string.h>

/* Returns the length of the next word or list at depth one of a text, from *at on; 0 at the end. */
static size_t next_word(const char *text, size_t *at) {
    while (text[*at] == ' ' || text[*at] == '(')
        (*at)++;
    size_t start = *at, depth = 0;
    for (; text[*at]; (*at)++) {
        if (text[*at] == '(')
            depth++;
        else if (text[*at] == ')' && depth-- == 0)
            break;
        else if (text[*at] == ' ' && depth == 0)
            break;
    }
    return *at - start;
}

static FactGroup *group_of(FactGroups *g, Symbol name, Symbol word) {
    for (size_t i = 0; i < g->items.count; i++)
        if (g->items.items[i].name == name && g->items.items[i].word == word)
            return &g->items.items[i];
    if (g->items.count == MAX_FACT_GROUPS)
        return NULL;
    vector_push(&g->items, ((FactGroup){.name = name, .word = word}));
    return &vector_last(&g->items);
}

static void add_fact(FactGroups *g, const char *text, uint32_t fact) {
    Text name = {0};
    size_t at = 0, length = next_word(text, &at);
    for (uint32_t place = 1;; place++) {
        size_t from = at, size = text[at] == ' ' ? next_word(text, &at) : 0;
        if (!size)
            break;
        while (text[from] == ' ' || text[from] == '(')
            from++;
        text_clear(&name);
        text_add_bytes(&name, text + (text[0] == '('), length);
        text_printf(&name, " %u", place);
        FactGroup *group = group_of(g, symbols_intern(&g->names, name.items, name.count),
                                    symbols_intern(&g->names, text + from, size));
        if (group)
            vector_push(&group->facts, fact);
    }
    vector_free(&name);
}

void fact_groups_create(FactGroups *g, const Symbols *facts) {
    *g = (FactGroups){0};
    for (uint32_t f = 0; f < facts->names.count; f++)
        add_fact(g, symbols_name(facts, f), f);
}

void fact_groups_free(FactGroups *g) {
    for (size_t i = 0; i < g->items.count; i++)
        vector_free(&g->items.items[i].facts);
    vector_free(&g->items);
    symbols_free(&g->names);
}

void fact_groups_write(const FactGroups *g, size_t group, Text *text) {
    const char *name = symbols_name(&g->names, g->items.items[group].name);
    size_t head = strcspn(name, " ");
    text_printf(text, "(%.*s", (int)head, name);
    for (unsigned long place = strtoul(name + head, NULL, 10); place > 1; place--)
        text_add(text, " ?");
    text_printf(text, " %s ...)", symbols_name(&g->names, g->items.items[group].word));
}
