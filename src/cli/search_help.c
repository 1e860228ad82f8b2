/* Writes the help on searches. Everything is read from the tables of the search methods. */
#include "cli/search_help.h"

#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "strategy/strategy.h"

static const char *type_name(ValueType type) {
    static const char *const names[] = {
        [VALUE_FLAG] = "flag",   [VALUE_SMALL] = "whole number",  [VALUE_COUNT] = "whole number",
        [VALUE_REAL] = "number", [VALUE_MEGABYTES] = "megabytes", [VALUE_WORD] = "word",
        [VALUE_FILE] = "file"};
    return names[type];
}

/* Writes the range of an option, such as "0 or 1", "0 to 1024" or "sum|sum10|best"; empty if any
 * value is allowed. */
static const char *range_of(const SearchOption *o, Text *text) {
    text_clear(text);
    if (o->type == VALUE_WORD)
        text_add(text, o->words);
    else if (o->type == VALUE_FLAG)
        text_add(text, "0 or 1");
    else if (o->type != VALUE_FILE && o->most < 0x1p64)
        text_printf(text, "%.10g to %.10g", o->least, o->most);
    return text_string(text);
}

static json_t *search_options_json(const SearchMethod *method) {
    json_t *options = json_array();
    const SearchOption *o;
    Text range = {0};
    for (size_t i = 0; (o = strategy_option(method, i)); i++)
        array_push(options, json_pack("{s:s,s:s,s:s,s:s,s:s}", "key", o->key, "type",
                                      type_name(o->type), "default", o->initial, "range",
                                      range_of(o, &range), "meaning", o->meaning));
    vector_free(&range);
    return options;
}

static void print_as_json(void) {
    json_t *searches = json_array();
    for (const SearchMethod *const *m = strategy_methods; *m; m++)
        array_push(searches, json_pack("{s:s,s:s?,s:s,s:b,s:o}", "name", (*m)->name, "alias",
                                       (*m)->alias, "summary", (*m)->summary, "single_player",
                                       (*m)->is_alone, "options", search_options_json(*m)));
    print_json(json_pack("{s:o}", "searches", searches));
}

/* True if no method before this one has an option of that name. */
static bool is_first(const SearchMethod *const *method, const char *key) {
    const SearchOption *o;
    for (const SearchMethod *const *m = strategy_methods; m < method; m++)
        for (size_t i = 0; (o = strategy_option(*m, i)); i++)
            if (strcmp(o->key, key) == 0)
                return false;
    return true;
}

static void print_methods(void) {
    const SearchOption *o;
    for (const SearchMethod *const *m = strategy_methods; *m; m++) {
        printf("  %-14s %s\n", (*m)->name, (*m)->summary);
        printf("  %-14s options:", "");
        for (size_t i = 0; (o = strategy_option(*m, i)); i++)
            printf(" %s", o->key);
        puts("");
        if ((*m)->alias)
            printf("  %-14s older name: %s\n", "", (*m)->alias);
    }
}

static void print_options(void) {
    const SearchOption *o;
    Text range = {0};
    for (const SearchMethod *const *m = strategy_methods; *m; m++)
        for (size_t i = 0; (o = strategy_option(*m, i)); i++) {
            if (!is_first(m, o->key))
                continue;
            range_of(o, &range);
            printf("  %-10s %s\n  %-10s %s%s%s; default: %s\n", o->key, o->meaning, "",
                   type_name(o->type), range.count ? ", " : "", text_string(&range), o->initial);
        }
    vector_free(&range);
}

void print_search_help(bool as_json) {
    if (as_json) {
        print_as_json();
        return;
    }
    puts("A search is NAME[:key=value,...], for example uct:playouts=1000,c=0.5.\n\nSearches:");
    print_methods();
    puts("\nOptions:");
    print_options();
}
