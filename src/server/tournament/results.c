/* Writes standings. All formats have the same rows. Only the HTML page shows more: results by
 * opponent and by game, and every match. */
#include "server/tournament/results.h"

#include <assert.h>

#include "base/text.h"

enum { MAX_MATCHES_SHOWN = 2000 }; /* matches listed in the HTML page, at most (untuned) */

static const char *player_name(const Results *r, uint32_t player) {
    assert(player == JOB_NOBODY || player < r->definition->players.count);
    return player == JOB_NOBODY ? "(random)"
                                : contestant_label(&r->definition->players.items[player]);
}

static json_t *standing_json(const Results *r, const Standing *s) {
    return object_of(
        "place", json_integer(s->place), "player", text_json(player_name(r, s->player)), "score",
        json_integer((json_int_t)s->score), "matches", json_integer(s->matches), "wins",
        json_integer(s->wins), "draws", json_integer(s->draws), "losses", json_integer(s->losses),
        "points", json_real(s->points), "mean", json_real(s->mean), "low", json_real(s->low),
        "high", json_real(s->high), "errors", json_integer(s->errors), "rating",
        json_real(s->rating.rating), "rating_error", json_real(s->rating.error));
}

json_t *results_json(const Results *results) {
    const Definition *d = results->definition;
    const Standings *s = results->standings;
    json_t *list = json_array();
    for (size_t i = 0; i < s->player_count; i++)
        array_push(list, standing_json(results, &s->items[i]));
    return object_of("name", text_json(d->name), "format", text_json(format_name(d->format)),
                     "complete", json_boolean(results->is_over), "played", count_json(s->played),
                     "planned", count_json(results->is_over ? s->played : pairing_total(d)), "void",
                     count_json(s->void_matches), "standings", list);
}

/* Returns the number of characters, not bytes, so that columns are aligned. */
static size_t width_of(const char *text) {
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

void results_table(const Results *results, Text *text) {
    const Standings *s = results->standings;
    size_t widest = 6;
    for (uint32_t p = 0; p < s->player_count; p++) {
        size_t width = width_of(player_name(results, p));
        widest = width > widest ? width : widest;
    }
    text_add(text, "      player");
    text_add_spaces(text, widest - 6);
    text_add(text, "  matches   wins  draws losses  points    score   mean      95 %    "
                   "  rating\n");
    for (size_t i = 0; i < s->player_count; i++) {
        const Standing *row = &s->items[i];
        const char *name = player_name(results, row->player);
        text_printf(text, "%4u  %s", row->place, name);
        text_add_spaces(text, widest - width_of(name));
        text_printf(text, "  %7u %6u %6u %6u %7.1f %8.0f %6.1f  %5.1f-%-5.1f %6.0f +- %.0f\n",
                    row->matches, row->wins, row->draws, row->losses, row->points, row->score,
                    row->mean, row->low, row->high, row->rating.rating, row->rating.error);
    }
}

void results_csv(const Results *results, Text *text) {
    const Standings *s = results->standings;
    text_add(text, "place,player,matches,wins,draws,losses,points,score,mean,low,high,errors,"
                   "rating,rating_error\r\n");
    for (size_t i = 0; i < s->player_count; i++) {
        const Standing *row = &s->items[i];
        text_printf(text, "%u,", row->place);
        text_add_csv(text, player_name(results, row->player));
        text_printf(text, ",%u,%u,%u,%u,%g,%g,%.4f,%.4f,%.4f,%u,%.2f,%.2f\r\n", row->matches,
                    row->wins, row->draws, row->losses, row->points, row->score, row->mean,
                    row->low, row->high, row->errors, row->rating.rating, row->rating.error);
    }
}

/* ---- the HTML page ---- */

static const char page_style[] =
    ":root{color-scheme:light dark;--ink:#1d2430;--soft:#66707f;--line:#dfe3e8;--back:#fff;"
    "--bar:#3f7fd0;--range:#a9c8ef;--good:#d9efdc;--bad:#f6dcd9}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#98a2b0;--line:#333b47;"
    "--back:#161a20;--bar:#6ea6ec;--range:#2d4a70;--good:#1f3d28;--bad:#472624}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);"
    "max-width:76rem;margin:2rem auto;padding:0 1rem}\n"
    "h1{margin:0}h2{margin:2.5rem 0 .5rem;font-size:1.2rem}p{color:var(--soft);margin:.3rem 0 "
    "1rem}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:right;"
    "white-space:nowrap}th{color:var(--soft);font-weight:600}\n"
    ".name{text-align:left}.good{background:var(--good)}.bad{background:var(--bad)}\n"
    ".bar{position:relative;width:8rem;height:.9rem;background:var(--line);border-radius:3px}\n"
    ".bar i,.bar b{position:absolute;top:0;bottom:0;border-radius:3px}.bar "
    "i{background:var(--range)}"
    ".bar b{width:3px;margin-left:-1px;background:var(--bar)}\n";

static void add_name_cell(Text *text, const char *tag, const char *name) {
    text_printf(text, "<%s class=\"name\">", tag);
    text_add_markup(text, name);
    text_printf(text, "</%s>", tag);
}

/* Adds the heading of a column of numbers. */
static void add_heading(Text *text, const char *name) {
    text_add(text, "<th>");
    text_add_markup(text, name);
    text_add(text, "</th>");
}

static void add_standings(const Results *r, Text *text) {
    const Standings *s = r->standings;
    text_add(text, "<div class=\"wide\"><table>\n<tr><th></th><th class=\"name\">player</th>"
                   "<th>rating</th><th>mean goal</th><th>0 to 100</th><th>wins</th>"
                   "<th>draws</th><th>losses</th><th>points</th><th>score</th><th>matches</th>"
                   "<th>errors</th></tr>\n");
    for (size_t i = 0; i < s->player_count; i++) {
        const Standing *row = &s->items[i];
        text_printf(text, "<tr><td>%u</td>", row->place);
        add_name_cell(text, "td", player_name(r, row->player));
        text_printf(text,
                    "<td>%.0f &plusmn; %.0f</td><td>%.1f</td><td title=\"%.1f to %.1f\">"
                    "<div class=\"bar\"><i style=\"left:%.1f%%;width:%.1f%%\"></i>"
                    "<b style=\"left:%.1f%%\"></b></div></td>",
                    row->rating.rating, row->rating.error, row->mean, row->low, row->high, row->low,
                    row->high - row->low, row->mean);
        text_printf(text,
                    "<td>%u</td><td>%u</td><td>%u</td><td>%g</td><td>%.0f</td><td>%u</td>"
                    "<td>%u</td></tr>\n",
                    row->wins, row->draws, row->losses, row->points, row->score, row->matches,
                    row->errors);
    }
    text_add(text, "</table></div>\n");
}

static void add_pairs(const Results *r, Text *text) {
    const Standings *s = r->standings;
    text_add(text, "<h2>Against each other</h2>\n<p>Wins, with draws as halves, of the row against "
                   "the column.</p>\n<div class=\"wide\"><table>\n<tr><th></th>");
    for (size_t i = 0; i < s->player_count; i++)
        add_heading(text, player_name(r, s->items[i].player));
    text_add(text, "</tr>\n");
    for (size_t i = 0; i < s->player_count; i++) {
        uint32_t a = s->items[i].player;
        text_add(text, "<tr>");
        add_name_cell(text, "th", player_name(r, a));
        for (size_t k = 0; k < s->player_count; k++) {
            const StandingCell *cell = &s->against[a * s->player_count + s->items[k].player];
            double share = cell->matches ? cell->score / cell->matches : 0.5;
            if (!cell->matches)
                text_add(text, "<td></td>");
            else
                text_printf(text, "<td%s>%g of %u</td>",
                            share > 0.5   ? " class=\"good\""
                            : share < 0.5 ? " class=\"bad\""
                                          : "",
                            cell->score, cell->matches);
        }
        text_add(text, "</tr>\n");
    }
    text_add(text, "</table></div>\n");
}

static void add_games(const Results *r, Text *text) {
    const Standings *s = r->standings;
    text_add(text, "<h2>Game by game</h2>\n<p>Mean goals.</p>\n<div class=\"wide\"><table>\n"
                   "<tr><th></th>");
    for (size_t g = 0; g < s->game_count; g++)
        add_heading(text, r->definition->games.items[g].name);
    text_add(text, "</tr>\n");
    for (size_t i = 0; i < s->player_count; i++) {
        uint32_t player = s->items[i].player;
        text_add(text, "<tr>");
        add_name_cell(text, "th", player_name(r, player));
        for (size_t g = 0; g < s->game_count; g++) {
            const StandingCell *cell = &s->in_game[player * s->game_count + g];
            if (cell->matches)
                text_printf(text, "<td>%.1f</td>", cell->score / cell->matches);
            else
                text_add(text, "<td></td>");
        }
        text_add(text, "</tr>\n");
    }
    text_add(text, "</table></div>\n");
}

static void add_match(const Results *r, const Job *job, Text *text) {
    text_printf(text, "<tr><td>%u</td><td>%u</td>", job->number + 1, job->round + 1);
    add_name_cell(text, "td", r->definition->games.items[job->game].name);
    text_add(text, "<td class=\"name\">");
    for (uint32_t s = 0; s < job->seat_count; s++) {
        text_add(text, s ? ", " : "");
        text_add_markup(text, player_name(r, job->players[s]));
        if (job->is_completed && job->goals[s] >= 0)
            text_printf(text, " <strong>%d</strong>", job->goals[s]);
        if (job->errors[s])
            text_printf(text, " (%u error%s)", job->errors[s], job->errors[s] == 1 ? "" : "s");
    }
    text_add(text, job->is_completed ? "</td></tr>\n" : " did not end</td></tr>\n");
}

static void add_matches(const Results *r, Text *text) {
    size_t shown = 0;
    text_add(text, "<h2>Matches</h2>\n");
    if (r->standings->played > MAX_MATCHES_SHOWN)
        text_printf(text, "<p>The first %d of them; the database has all.</p>\n",
                    MAX_MATCHES_SHOWN);
    text_add(text, "<div class=\"wide\"><table>\n<tr><th></th><th>round</th>"
                   "<th class=\"name\">game</th><th class=\"name\">players and goals</th></tr>\n");
    for (size_t i = 0; i < r->jobs->items.count && shown < MAX_MATCHES_SHOWN; i++)
        if (r->jobs->items.items[i].is_played) {
            add_match(r, &r->jobs->items.items[i], text);
            shown++;
        }
    text_add(text, "</table></div>\n");
}

void results_html(const Results *results, Text *text) {
    const Definition *d = results->definition;
    text_add(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    text_add_markup(text, d->name);
    text_printf(text, "</title>\n<style>\n%s</style>\n<h1>", page_style);
    text_add_markup(text, d->name);
    text_printf(text, "</h1>\n<p>%s, %zu players, %zu game%s, %llu matches played%s.</p>\n",
                format_name(d->format), d->players.count, d->games.count,
                d->games.count == 1 ? "" : "s", (unsigned long long)results->standings->played,
                results->is_over ? "" : ", not over yet");
    add_standings(results, text);
    text_add(text, "<p>Ratings: Bradley and Terry's model on Elo's scale, mean 0, with standard "
                   "errors; each player has besides drawn one match against an average player. "
                   "Bars: Wilson's 95 % interval of the mean goal.</p>\n");
    add_pairs(results, text);
    add_games(results, text);
    add_matches(results, text);
    text_add(text, "</html>\n");
}
