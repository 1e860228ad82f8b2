/* Standings for people and programs: a table of text, JSON, CSV and a page of HTML that needs
 * nothing else. Names are whatever the file says, and escaped as each of these demands. */
#pragma once

#include "server/json/json.h"
#include "server/tournament/standings.h"

typedef struct {
    const Definition *definition;
    const Jobs *jobs;
    const Standings *standings;
    bool is_over;
} Results;

json_t *results_json(const Results *results);
void results_table(const Results *results, Text *text);
void results_csv(const Results *results, Text *text);
void results_html(const Results *results, Text *text);
