/* How fast rules are read into terms, and how much memory that takes: a real game's text repeated
 * to a given size (names of one copy in a hundred changed, so that symbols and terms keep coming).
 *
 *     bench_reader [GAME-FILE [MEGABYTES]]
 *
 * Ends with status 1 below 20 MB per CPU second or above 12 times the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "gdl/rules.h"

enum { ROUNDS = 5, SLOWEST_MB_PER_SECOND = 20, MAX_TIMES_FILE = 12, VARY_EVERY = 100 };

static size_t table_bytes(const Table *table) {
    return table->slots ? (table->mask + 1) * sizeof *table->slots : 0;
}

/* Bytes of the tree, its symbols and comments, without the text itself. */
static size_t syntax_bytes(const Syntax *syntax) {
    return syntax->nodes.capacity * sizeof(Node) + syntax->roots.capacity * sizeof(uint32_t) +
           syntax->comments.capacity * sizeof(Comment) + syntax->symbols.arena.bytes +
           syntax->symbols.names.capacity * sizeof(SymbolName) +
           table_bytes(&syntax->symbols.table);
}

static size_t rules_bytes(const Rules *rules) {
    return syntax_bytes(rules->syntax) + rules->terms.cells.capacity * sizeof(TermCell) +
           rules->terms.arguments.capacity * sizeof(Term) + table_bytes(&rules->terms.table) +
           rules->clauses.capacity * sizeof(Clause) + rules->literals.capacity * sizeof(Literal);
}

/* A copy with a number after each `(cell` or other name that follows a parenthesis. */
static void add_varied(Text *text, const Source *game, size_t number) {
    for (size_t i = 0; i < game->length; i++) {
        bool name_ends = i > 0 && game->text[i] == ' ' && game->text[i - 1] >= 'a';
        if (name_ends && number % VARY_EVERY == 0)
            text_printf(text, "-%zu", number / VARY_EVERY);
        text_add_char(text, game->text[i]);
    }
}

static void make_text(Text *text, const Source *game, size_t bytes) {
    for (size_t copy = 1; text->count < bytes; copy++) {
        if (copy % VARY_EVERY == 0)
            add_varied(text, game, copy);
        else
            text_add_bytes(text, game->text, game->length);
        text_add_char(text, '\n');
    }
}

int main(int count, char **words) {
    const char *path = count > 1 ? words[1] : MARELLE_TESTS "/../games/breakthrough.kif";
    size_t megabytes = count > 2 ? strtoul(words[2], NULL, 10) : 20;
    Report report = {0};
    Source *game = source_read(path, &report);
    if (!game) {
        report_print(&report, stderr, SEVERITY_ERROR);
        return 2;
    }
    Text text = {0};
    make_text(&text, game, megabytes * 1000000);
    double best = 0, times = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = clock_thread_cpu_seconds();
        Rules *rules = rules_read_text("bench", text.items, text.count, &report);
        double speed = (double)text.count / 1e6 / (clock_thread_cpu_seconds() - start);
        best = speed > best ? speed : best;
        times = rules ? (double)(rules_bytes(rules) + text.count) / (double)text.count : 0;
        rules_free(rules);
    }
    printf(
        "%.1f MB: %.1f MB per CPU second into terms, memory %.2f times the file (text included)\n",
        (double)text.count / 1e6, best, times);
    printf("peak of the process, which holds the text twice: %.2f times the file\n",
           clock_peak_memory_mb() * 1048576 / (double)text.count);
    bool ok = !report_failed(&report) && best >= SLOWEST_MB_PER_SECOND && times <= MAX_TIMES_FILE;
    source_free(game);
    vector_free(&text);
    report_free(&report);
    return ok ? 0 : 1;
}
