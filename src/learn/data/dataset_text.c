/* The text format: one S-expression per state, the list of scores and then the facts. The reader of
 * GDL parses it, so facts may be nested or bare atoms and of any length. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gdl/syntax.h"
#include "gdl/write.h"
#include "learn/data/dataset.h"

bool dataset_recognise(const char *bytes, size_t length) {
    size_t i = 0, parentheses = 0;
    if (dataset_is_compact(bytes, length))
        return true;
    for (; i < length && parentheses < 2; i++) {
        if (bytes[i] == '(')
            parentheses++;
        else if (!isspace((unsigned char)bytes[i]))
            return false;
    }
    while (i < length && isspace((unsigned char)bytes[i]))
        i++;
    return i < length && isdigit((unsigned char)bytes[i]);
}

static bool read_score(const Syntax *syntax, uint32_t node, double *score) {
    if (node_is_list(syntax, node))
        return false;
    const char *name = symbols_name(&syntax->symbols, syntax->nodes.items[node].symbol);
    char *end;
    *score = strtod(name, &end);
    return end != name && *end == '\0' && *score >= 0 && *score <= DATASET_MAX_SCORE;
}

/* Returns the number of scores in the list; 0 if it is not a list of scores. */
static uint32_t read_scores(const Syntax *syntax, uint32_t list, double *scores) {
    uint32_t count = 0;
    if (!node_is_list(syntax, list))
        return 0;
    for (uint32_t n = list + 1; n < node_end(syntax, list); n = node_next(syntax, n)) {
        if (count == DATASET_MAX_ROLES || !read_score(syntax, n, &scores[count]))
            return 0;
        count++;
    }
    return count;
}

static bool complain_about(const Syntax *syntax, uint32_t node, Report *report, const char *what) {
    report_at(report, SEVERITY_ERROR, "bad-data", syntax->source, syntax->nodes.items[node].offset,
              node_width(syntax, node), "%s", what);
    return false;
}

typedef struct {
    const Syntax *syntax;
    DataSet *set; /* NULL before the first state */
    U32Vector facts;
    Text name;
    double scores[DATASET_MAX_ROLES];
} Reader;

static bool read_facts(Reader *reader, uint32_t first, uint32_t end, Report *report) {
    const Syntax *syntax = reader->syntax;
    vector_clear(&reader->facts);
    for (uint32_t n = first; n < end; n = node_next(syntax, n)) {
        text_clear(&reader->name);
        write_node(&reader->name, syntax, n, NOTATION_KIF, WRITE_TERM);
        Symbol fact = symbols_intern(&reader->set->facts, reader->name.items, reader->name.count);
        if (fact >= DATASET_MAX_FACTS)
            return complain_about(syntax, n, report, "too many different facts");
        vector_push(&reader->facts, fact);
    }
    return true;
}

static bool read_state(Reader *reader, uint32_t root, uint32_t number, Report *report) {
    const Syntax *syntax = reader->syntax;
    if (node_children(syntax, root) == 0)
        return complain_about(syntax, root, report, "a state is a list: ((SCORE...) FACT...)");
    uint32_t roles = read_scores(syntax, root + 1, reader->scores);
    if (!roles)
        return complain_about(syntax, root + 1, report, "scores are a list of numbers");
    if (!reader->set)
        reader->set = dataset_create(roles);
    if (roles != reader->set->role_count)
        return complain_about(syntax, root + 1, report, "not as many scores as in the first state");
    if (!read_facts(reader, node_next(syntax, root + 1), node_end(syntax, root), report))
        return false;
    dataset_add(reader->set, &(DataRow){reader->facts.items, reader->facts.count, reader->scores, 1,
                                        number, true});
    return true;
}

static DataSet *read_states(const Syntax *syntax, Report *report) {
    Reader reader = {.syntax = syntax};
    bool is_good = !report_failed(report);
    for (size_t i = 0; is_good && i < syntax->roots.count; i++)
        is_good = read_state(&reader, syntax->roots.items[i], (uint32_t)i, report);
    vectors_free(&reader.facts, &reader.name);
    if (is_good && !reader.set) {
        report_error(report, "bad-data", "there is no state");
        return NULL;
    }
    if (is_good)
        return reader.set;
    dataset_free(reader.set);
    return NULL;
}

DataSet *dataset_read(Source *source, Report *report) {
    if (dataset_is_compact(source->text, source->length)) {
        DataSet *set = dataset_read_compact(source, report);
        source_free(source);
        return set;
    }
    Syntax *syntax = syntax_read_kif(source, true, report);
    DataSet *set = read_states(syntax, report);
    syntax_free(syntax);
    return set;
}

void dataset_write_text(const DataSet *set, Text *out) {
    text_add(out, "");
    for (size_t i = 0; i < dataset_rows(set); i++)
        for (uint32_t k = 0; k < set->counts.items[i]; k++) {
            text_add(out, "((");
            for (uint32_t r = 0; r < set->role_count; r++)
                text_printf(out, r ? " %g" : "%g", dataset_scores(set, i)[r]);
            text_add(out, ")");
            for (uint32_t f = 0; f < dataset_size(set, i); f++)
                text_printf(out, " %s", symbols_name(&set->facts, dataset_facts(set, i)[f]));
            text_add(out, ")\n");
        }
}
