/* Tests the facts that are collected about a description. */
#include "gdl/info.h"
#include "support.h"

Test(info, counts) {
    Rules *rules = rules_of("(role x) (role o)\n(<= (p ?x) (or (q ?x) (r ?x)))\n(<= s)\n");
    Info info;
    info_collect(&info, rules);
    cr_assert_eq(info.rules, 2);
    cr_assert_eq(info.facts, 2);
    cr_assert_eq(info.clauses, 5);
    cr_assert_eq(info.lines, 3);
    cr_assert_eq(info.bytes, 56);
    cr_assert_eq(info.deepest_nesting, 3);
    info_free(&info);
    rules_free(rules);
}

Test(info, recursion) {
    Rules *rules = rules_of("(<= a b) (<= b c) (<= c b) (<= c d) (<= d d) (<= (e ?x) (true ?x)) f");
    Info info;
    info_collect(&info, rules);
    cr_assert_eq(info.recursive_predicates, 3);
    cr_assert_eq(info.largest_recursive_component, 2);
    cr_assert_eq(info.longest_chain, 3);
    info_free(&info);
    rules_free(rules);
}

Test(info, empty) {
    Rules *rules = rules_of("");
    Info info;
    info_collect(&info, rules);
    cr_assert_eq(info.rules + info.facts + info.clauses + info.lines + info.longest_chain, 0);
    info_free(&info);
    rules_free(rules);
}

static void collect_info(const char *path) {
    Report report = {0};
    Rules *rules = rules_read(path, &report);
    if (rules) {
        Info info;
        info_collect(&info, rules);
        cr_assert_leq(info.longest_chain, info.predicates.component_count, "%s", path);
        cr_assert_leq(info.largest_recursive_component, info.recursive_predicates, "%s", path);
        info_free(&info);
    }
    rules_free(rules);
    report_free(&report);
}

Test(info, of_all_games) {
    visit_games(collect_info);
}

Test(info, of_the_corpus) {
    visit_corpus(collect_info);
}
