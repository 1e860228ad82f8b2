/* Tests data sets: both file formats, equal states, splits, hostile bytes. */
#include "../material.h"
#include "base/table.h"
#include "learn/data/audit.h"

TestSuite(dataset, .timeout = 600);

static DataSet *read_text(const char *text, Report *report) {
    Source *source = source_from_text("test", text, strlen(text), report);
    return dataset_read(source, report);
}

static DataSet *set_of(const char *text) {
    Report report = {0};
    DataSet *set = read_text(text, &report);
    cr_assert_not_null(set, "%s", report.items.count ? report.items.items[0].message : "");
    report_free(&report);
    return set;
}

static const char *problem_of_data(const char *text) {
    static char problem[100];
    Report report = {0};
    DataSet *set = read_text(text, &report);
    cr_assert_null(set, "%s", text);
    snprintf(problem, sizeof problem, "%s", first_problem(&report));
    report_free(&report);
    return problem;
}

Test(dataset, text_has_scores_and_any_facts) {
    DataSet *set = set_of("((100 0) (cell 1 1 (big x)) done (control a) )\n((50 50))\n"
                          "((0 100) (control a) done done)\n");
    cr_assert_eq(set->role_count, 2);
    cr_assert_eq(dataset_rows(set), 3);
    cr_assert_eq(dataset_fact_count(set), 3);
    cr_assert_eq(dataset_size(set, 1), 0);
    cr_assert_eq(dataset_size(set, 2), 2);
    cr_assert_eq(dataset_scores(set, 2)[1], 100);
    cr_assert_str_eq(symbols_name(&set->facts, 0), "(cell 1 1 (big x))");
    cr_assert(dataset_holds(set, 0, 1) && !dataset_holds(set, 1, 1));
    dataset_free(set);
}

Test(dataset, wrong_texts_are_refused_where_they_are_wrong) {
    cr_assert_str_eq(problem_of_data(""), "bad-data 0:0");
    cr_assert_str_eq(problem_of_data("((100 0) a)\n((1) a)"), "bad-data 2:2");
    cr_assert_str_eq(problem_of_data("((100 x) a)"), "bad-data 1:2");
    cr_assert_str_eq(problem_of_data("((100 -1) a)"), "bad-data 1:2");
    cr_assert_str_eq(problem_of_data("(a b)"), "bad-data 1:2");
    cr_assert_str_eq(problem_of_data("atom"), "bad-data 1:1");
    cr_assert_neq(strcmp(problem_of_data("((100) a"), ""), 0);
}

/* Returns the number in `b` of a fact of `a`: facts are numbered in order of appearance, so numbers
 * differ. */
static Symbol number_in(const DataSet *b, const DataSet *a, uint32_t fact) {
    return symbols_find(&b->facts, symbols_name(&a->facts, fact), symbols_length(&a->facts, fact));
}

static void assert_same(const DataSet *a, const DataSet *b) {
    cr_assert_eq(dataset_rows(a), dataset_rows(b));
    cr_assert_eq(a->role_count, b->role_count);
    cr_assert_eq(dataset_fact_count(a), dataset_fact_count(b));
    for (size_t i = 0; i < dataset_rows(a); i++) {
        cr_assert_eq(dataset_size(a, i), dataset_size(b, i));
        cr_assert_eq(a->counts.items[i], b->counts.items[i]);
        for (uint32_t k = 0; k < dataset_size(a, i); k++)
            cr_assert(dataset_holds(b, i, number_in(b, a, dataset_facts(a, i)[k])));
        for (uint32_t r = 0; r < a->role_count; r++)
            cr_assert_float_eq(dataset_scores(a, i)[r], dataset_scores(b, i)[r], 0.006);
    }
}

Test(dataset, what_is_written_reads_back) {
    DataSet *set = puzzle_tictactoe(), *again;
    Text text = {0};
    Report report = {0};
    dataset_write_text(set, &text);
    again = set_of(text.items);
    assert_same(set, again);
    dataset_free(again);
    text_clear(&text);
    set->counts.items[3] = 1000;
    set->scores.items[7] = 33.33;
    dataset_write_compact(set, &text);
    cr_assert_lt(text.count, 30000);
    again = dataset_read(source_from_text("c", text.items, text.count, &report), &report);
    cr_assert_not_null(again);
    assert_same(set, again);
    dataset_free(again);
    dataset_free(set);
    vector_free(&text);
}

/* The check sum detects every damage; if the sum is corrected, the reader detects it. */
Test(dataset, damaged_files_are_refused) {
    DataSet *set = puzzle_roshambo(1, 40);
    Text text = {0};
    Random random;
    random_seed(&random, 1);
    dataset_write_compact(set, &text);
    for (int i = 0; i < 3000; i++) {
        Text damaged = {0};
        Report report = {0};
        text_add_bytes(&damaged, text.items, text.count);
        size_t at = 15 + random_below(&random, text.count - 15);
        damaged.items[at] = (char)random_next(&random);
        if (i % 3 == 0)
            damaged.count = at + 8 < damaged.count ? at + 8 : damaged.count;
        bool sums_up = i % 2;
        uint64_t sum = hash_bytes(damaged.items, damaged.count - 8);
        for (int b = 0; b < 8 && sums_up; b++)
            damaged.items[damaged.count - 8 + (size_t)b] = (char)(sum >> (8 * b));
        DataSet *read =
            dataset_read(source_from_text("d", damaged.items, damaged.count, &report), &report);
        bool is_same =
            damaged.count == text.count && !memcmp(damaged.items, text.items, text.count);
        cr_assert(sums_up || is_same || !read);
        cr_assert_eq(read == NULL, report_failed(&report));
        dataset_free(read);
        report_free(&report);
        vector_free(&damaged);
    }
    vector_free(&text);
    dataset_free(set);
}

Test(dataset, equal_states_are_merged) {
    DataSet *set = set_of("((100 0) a b)\n((50 50) b a)\n((0 100) a)\n((100 0) a b)");
    DataSet *distinct = dataset_distinct(set);
    cr_assert_eq(dataset_rows(distinct), 2);
    cr_assert_eq(distinct->counts.items[0], 3);
    cr_assert_float_eq(dataset_scores(distinct, 0)[0], 250.0 / 3, 1e-9);
    dataset_free(distinct);
    dataset_free(set);
}

/* Rows that are too many to be kept are merged as they come. */
Test(dataset, pieces_are_merged_like_the_whole) {
    DataSet *set = puzzle_roshambo(3, 400), *whole = dataset_distinct(set);
    DataSet *into = dataset_create(set->role_count);
    Table known = {0};
    bool *keep = memory_zalloc(dataset_rows(set));
    for (size_t first = 0; first < dataset_rows(set); first += 70) {
        for (size_t i = 0; i < dataset_rows(set); i++)
            keep[i] = i >= first && i < first + 70;
        DataSet *piece = dataset_select(set, keep);
        dataset_merge(into, &known, piece);
        dataset_free(piece);
    }
    cr_assert_lt(dataset_rows(whole), dataset_rows(set));
    cr_assert_eq(dataset_rows(into), dataset_rows(whole));
    for (size_t i = 0; i < dataset_rows(whole); i++) {
        cr_assert_eq(dataset_size(into, i), dataset_size(whole, i));
        for (uint32_t k = 0; k < dataset_size(whole, i); k++)
            cr_assert_eq(dataset_facts(into, i)[k], dataset_facts(whole, i)[k]);
        for (uint32_t r = 0; r < set->role_count; r++)
            cr_assert_eq(dataset_scores(into, i)[r], dataset_scores(whole, i)[r]);
        cr_assert_eq(into->counts.items[i], whole->counts.items[i]);
        cr_assert_eq(into->matches.items[i], whole->matches.items[i]);
    }
    free(keep);
    table_free(&known);
    dataset_free(into);
    dataset_free(whole);
    dataset_free(set);
}

Test(dataset, matches_are_never_split) {
    DataSet *set = dataset_create(1), *train, *test;
    double score = 0;
    for (uint32_t i = 0; i < 4000; i++) {
        uint32_t fact = i;
        char text[16];
        snprintf(text, sizeof text, "(f %u)", i);
        fact_of(set, text);
        dataset_add(set, &(DataRow){&fact, 1, &score, 1, i / 4, false});
    }
    dataset_split(set, 0.25, 7, &train, &test);
    cr_assert_eq(dataset_rows(train) + dataset_rows(test), 4000);
    cr_assert(dataset_rows(test) > 800 && dataset_rows(test) < 1200);
    for (size_t i = 0; i < dataset_rows(test); i++)
        for (size_t k = 0; k < dataset_rows(train); k++)
            cr_assert_neq(test->matches.items[i], train->matches.items[k]);
    dataset_free(set);
    dataset_free(train);
    dataset_free(test);
}

/* The published files have the numbers of rows stated in their publication. */
Test(dataset, published_files_have_their_counts) {
    DataSet *set = published("tictactoe_P1"), *distinct = dataset_distinct(set);
    size_t wins[3] = {0}, distinct_wins[3] = {0};
    cr_assert_eq(dataset_rows(set), 1976);
    cr_assert_eq(dataset_rows(distinct), 625);
    cr_assert_eq(dataset_fact_count(set), 29);
    for (size_t i = 0; i < dataset_rows(set); i++)
        wins[(int)dataset_scores(set, i)[0] / 50]++;
    for (size_t i = 0; i < dataset_rows(distinct); i++)
        distinct_wins[(int)dataset_scores(distinct, i)[0] / 50]++;
    cr_assert(wins[2] == 1072 && wins[0] == 529 && wins[1] == 375);
    cr_assert(distinct_wins[2] == 393 && distinct_wins[0] == 216 && distinct_wins[1] == 16);
    dataset_free(distinct);
    dataset_free(set);
    set = published("nombre2_1player");
    DataSet *made = puzzle_paire();
    distinct = dataset_distinct(set);
    cr_assert_eq(dataset_rows(set), 3000);
    cr_assert_eq(dataset_rows(distinct), 6);
    cr_assert_eq(dataset_fact_count(set), 4);
    uint64_t counts[2] = {0};
    for (size_t i = 0; i < 6; i++) {
        counts[0] += dataset_scores(distinct, i)[0] > 0 ? distinct->counts.items[i] : 0;
        counts[1] += dataset_scores(made, i)[0] > 0 ? made->counts.items[i] : 0;
    }
    cr_assert(counts[0] == 1011 && counts[1] == 1011);
    dataset_free(distinct);
    dataset_free(made);
    dataset_free(set);
    set = published("xor");
    cr_assert_eq(dataset_rows(set), 4);
    dataset_free(set);
}

/* The audit finds trivial predictors: the turn marker, and a difference of two counts that equals
 * it. */
Test(dataset, audit_finds_the_turn_marker_and_its_disguise) {
    DataSet *set = puzzle_tictactoe();
    Audit audit;
    audit_create(set, &audit);
    cr_assert_eq(audit.rows, 958);
    cr_assert_float_eq(audit.roles[0].constant, 66.18, 0.01);
    cr_assert_float_eq(audit.roles[0].facts.items[0].fitness, 99.17, 0.01);
    cr_assert_not_null(strstr(audit.roles[0].facts.items[0].text, "control"));
    cr_assert_float_eq(audit.roles[0].counts.items[0].fitness, 99.17, 0.01);
    cr_assert_not_null(strstr(audit.roles[0].counts.items[0].text, "less"));
    audit_free(&audit);
    dataset_free(set);
    set = puzzle_paire();
    audit_create(set, &audit);
    cr_assert_float_eq(audit.roles[0].constant, 66.3, 0.001);
    cr_assert_float_eq(audit.roles[0].facts.items[0].fitness, 66.3, 0.001);
    audit_free(&audit);
    dataset_free(set);
}
