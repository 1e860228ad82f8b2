/* Standings for people and programs: a text table, JSON, CSV and a self-contained HTML page. Names
 * may contain anything and are escaped in each format. */
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
