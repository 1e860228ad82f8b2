/* Writes the help on searches. Everything is read from the tables of the search methods. */
#include "cli/search_help.h"

#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "server/json/searches_json.h"

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
            search_option_range(o, &range);
            printf("  %-10s %s\n  %-10s %s%s%s; default: %s\n", o->key, o->meaning, "",
                   search_option_type(o->type), range.count ? ", " : "", text_string(&range),
                   o->default_text);
        }
    vector_free(&range);
}

void print_search_help(bool as_json) {
    if (as_json) {
        print_json(searches_json());
        return;
    }
    puts("A search is NAME[:key=value,...], for example uct:playouts=1000,c=0.5.\n\nSearches:");
    print_methods();
    puts("\nOptions:");
    print_options();
}
