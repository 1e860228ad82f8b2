/* The search methods and their options as JSON, read from their tables. */
#include "server/json/searches_json.h"

#include "server/json/json.h"
#include "strategy/solving.h"

const char *search_option_type(ValueType type) {
    static const char *const names[] = {
        [VALUE_FLAG] = "flag",   [VALUE_UINT32] = "whole number", [VALUE_COUNT] = "whole number",
        [VALUE_REAL] = "number", [VALUE_MEGABYTES] = "megabytes", [VALUE_WORD] = "word",
        [VALUE_FILE] = "file"};
    return names[type];
}

const char *search_option_range(const SearchOption *o, Text *text) {
    text_clear(text);
    if (o->type == VALUE_WORD)
        text_add(text, o->words);
    else if (o->type == VALUE_FLAG)
        text_add(text, "0 or 1");
    else if (o->type != VALUE_FILE && o->most < 0x1p64)
        text_printf(text, "%.10g to %.10g", o->least, o->most);
    return text_string(text);
}

static json_t *option_json(const SearchOption *o) {
    Text range = {0};
    json_t *json = json_pack("{s:s,s:s,s:s,s:s,s:s}", "key", o->key, "type",
                             search_option_type(o->type), "default", o->default_text, "range",
                             search_option_range(o, &range), "meaning", o->meaning);
    vector_free(&range);
    return json;
}

static json_t *search_options_json(const SearchMethod *method) {
    json_t *options = json_array();
    const SearchOption *o;
    for (size_t i = 0; (o = strategy_option(method, i)); i++)
        array_push(options, option_json(o));
    return options;
}

json_t *options_json(const SearchOption *table) {
    json_t *options = json_array();
    for (const SearchOption *o = table; o && o->key; o++)
        array_push(options, option_json(o));
    return options;
}

json_t *searches_json(void) {
    json_t *searches = json_array();
    for (const SearchMethod *const *m = strategy_methods; *m; m++)
        array_push(searches, json_pack("{s:s,s:s?,s:s,s:b,s:o}", "name", (*m)->name, "alias",
                                       (*m)->alias, "summary", (*m)->summary, "single_player",
                                       (*m)->for_one_role, "options", search_options_json(*m)));
    return json_pack("{s:o}", "searches", searches);
}

json_t *solving_methods_json(void) {
    json_t *methods = json_array();
    for (const SolvingMethod *const *m = solving_methods; *m; m++)
        array_push(methods,
                   json_pack("{s:s,s:s,s:b,s:b,s:o}", "name", (*m)->name, "summary", (*m)->summary,
                             "single_player", (*m)->for_one_role, "needs_circuit",
                             (*m)->needs_circuit, "options", options_json((*m)->options)));
    return json_pack("{s:o}", "methods", methods);
}
