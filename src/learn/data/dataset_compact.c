/* The compact format: numbers with seven bits per byte, facts of a row as gaps, a check sum at the
 * end. The reader checks every count against the bytes that are left. */
#include <string.h>

#include "base/table.h"
#include "learn/data/dataset.h"

static const char MAGIC[] = "marelle-data 1\n";
enum { MAGIC_BYTES = sizeof MAGIC - 1, SUM_BYTES = 8 };
/* Scores are written in hundredths. */
static const double SCORE_UNIT = 0.01;

bool dataset_is_compact(const char *bytes, size_t length) {
    return length >= MAGIC_BYTES && memcmp(bytes, MAGIC, MAGIC_BYTES) == 0;
}

/* ---- writing ---- */

static void put_number(Text *out, uint64_t number) {
    for (; number >= 128; number >>= 7)
        text_add_char(out, (char)(number | 128));
    text_add_char(out, (char)number);
}

static void put_row(const DataSet *set, size_t row, Text *out) {
    uint32_t before = 0;
    put_number(out, set->matches.items[row]);
    put_number(out, set->counts.items[row]);
    put_number(out, set->ends.items[row]);
    for (uint32_t r = 0; r < set->role_count; r++)
        put_number(out, (uint64_t)(dataset_scores(set, row)[r] / SCORE_UNIT + 0.5));
    put_number(out, dataset_size(set, row));
    for (uint32_t i = 0; i < dataset_size(set, row); i++) {
        put_number(out, dataset_facts(set, row)[i] - before);
        before = dataset_facts(set, row)[i];
    }
}

void dataset_write_compact(const DataSet *set, Text *out) {
    size_t start = out->count;
    text_add_bytes(out, MAGIC, MAGIC_BYTES);
    put_number(out, set->role_count);
    put_number(out, dataset_fact_count(set));
    put_number(out, dataset_rows(set));
    for (uint32_t f = 0; f < dataset_fact_count(set); f++) {
        put_number(out, symbols_length(&set->facts, f));
        text_add_bytes(out, symbols_name(&set->facts, f), symbols_length(&set->facts, f));
    }
    for (size_t i = 0; i < dataset_rows(set); i++)
        put_row(set, i, out);
    uint64_t sum = hash_bytes(out->items + start, out->count - start);
    for (int i = 0; i < SUM_BYTES; i++)
        text_add_char(out, (char)(sum >> (8 * i)));
}

/* ---- reading ---- */

typedef struct {
    const unsigned char *at, *end;
    bool is_good;
} Bytes;

/* Reads a number up to `most`. Returns 0 and clears is_good if there is no such number. */
static uint64_t take_number(Bytes *bytes, uint64_t most) {
    uint64_t number = 0;
    for (unsigned shift = 0; bytes->is_good && shift < 63; shift += 7) {
        if (bytes->at == bytes->end)
            break;
        unsigned char byte = *bytes->at++;
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            bytes->is_good = number <= most;
            return bytes->is_good ? number : 0;
        }
    }
    bytes->is_good = false;
    return 0;
}

static size_t left(const Bytes *bytes) {
    return (size_t)(bytes->end - bytes->at);
}

static void take_facts(Bytes *bytes, DataSet *set, uint32_t count) {
    for (uint32_t f = 0; f < count && bytes->is_good; f++) {
        size_t length = take_number(bytes, left(bytes));
        if (length > left(bytes) || length == 0 || memchr(bytes->at, 0, length)) {
            bytes->is_good = false;
            return;
        }
        Symbol symbol = symbols_intern(&set->facts, (const char *)bytes->at, length);
        bytes->is_good = bytes->is_good && symbol == f;
        bytes->at += length;
    }
}

static void take_row(Bytes *bytes, DataSet *set, U32Vector *facts) {
    double scores[DATASET_MAX_ROLES];
    DataRow row = {.scores = scores};
    row.match = (uint32_t)take_number(bytes, UINT32_MAX);
    row.count = (uint32_t)take_number(bytes, UINT32_MAX);
    row.is_end = take_number(bytes, 1);
    for (uint32_t r = 0; r < set->role_count; r++)
        scores[r] = (double)take_number(bytes, (uint64_t)DATASET_MAX_SCORE * 100) * SCORE_UNIT;
    uint64_t count = take_number(bytes, dataset_fact_count(set)), fact = 0;
    vector_clear(facts);
    for (uint64_t i = 0; i < count && bytes->is_good; i++) {
        fact += take_number(bytes, dataset_fact_count(set));
        bytes->is_good = bytes->is_good && fact < dataset_fact_count(set);
        vector_push(facts, (uint32_t)fact);
    }
    row.facts = facts->items;
    row.fact_count = facts->count;
    bytes->is_good = bytes->is_good && row.count > 0;
    if (bytes->is_good)
        dataset_add(set, &row);
}

static bool sum_is_right(const Source *source) {
    size_t length = source->length - SUM_BYTES;
    uint64_t sum = hash_bytes(source->text, length), written = 0;
    for (int i = 0; i < SUM_BYTES; i++)
        written |= (uint64_t)(unsigned char)source->text[length + (size_t)i] << (8 * i);
    return sum == written;
}

DataSet *dataset_read_compact(const Source *source, Report *report) {
    if (source->length < MAGIC_BYTES + SUM_BYTES || !sum_is_right(source)) {
        report_error(report, "bad-data", "%s: damaged: its check sum is wrong", source->name);
        return NULL;
    }
    const unsigned char *text = (const unsigned char *)source->text;
    Bytes bytes = {text + MAGIC_BYTES, text + source->length - SUM_BYTES, true};
    uint32_t roles = (uint32_t)take_number(&bytes, DATASET_MAX_ROLES);
    uint32_t facts = (uint32_t)take_number(&bytes, DATASET_MAX_FACTS);
    uint64_t rows = take_number(&bytes, left(&bytes));
    DataSet *set = dataset_create(roles);
    U32Vector members = {0};
    bytes.is_good = bytes.is_good && roles > 0;
    take_facts(&bytes, set, facts);
    for (uint64_t i = 0; i < rows && bytes.is_good; i++)
        take_row(&bytes, set, &members);
    vector_free(&members);
    if (bytes.is_good && bytes.at == bytes.end)
        return set;
    report_error(report, "bad-data", "%s: no data set, or one of another version", source->name);
    dataset_free(set);
    return NULL;
}
