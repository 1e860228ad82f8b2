/* The list of methods, and calls through their tables. */
#include "search/search.h"

#include <string.h>

extern const SearchMethod auto_search, random_search, legal_search, uct_search, grave_search,
    mast_search, solo_search;

const SearchMethod *const search_methods[] = {
    &auto_search,  &random_search, &legal_search, &uct_search,
    &grave_search, &mast_search,   &solo_search,  NULL};

const SearchMethod *search_method(const char *name) {
    for (const SearchMethod *const *m = search_methods; *m; m++)
        if (strcmp((*m)->name, name) == 0)
            return *m;
    return NULL;
}

Search *search_create(const char *method, Game *game, uint32_t role, const SearchOptions *options,
                      Report *report) {
    const SearchMethod *found = search_method(method);
    if (!found) {
        report_error(report, "unknown-search", "there is no search called `%s`", method);
        return NULL;
    }
    Search *search = found->create(game, role, options);
    if (!search)
        report_error(report, "unfit-search", "`%s` cannot play this game", method);
    return search;
}

void search_free(Search *search) {
    if (search)
        search->method->free(search);
}

void search_set_state(Search *search, const State *state) {
    search->method->set_state(search, state);
}

void search_advance(Search *search, const uint32_t *joint, const State *next) {
    search->method->advance(search, joint, next);
}

void search_run(Search *search, const SearchBudget *budget) {
    search->method->run(search, budget);
}

void search_result(Search *search, SearchResult *result) {
    search->method->result(search, result);
}

void search_result_free(SearchResult *result) {
    vector_free(&result->moves);
    vector_free(&result->line);
    *result = (SearchResult){0};
}
