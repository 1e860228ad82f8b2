/* Tests strategies as texts: names and aliases, options of the right method within their ranges,
 * and error messages. */
#include "strategy/strategy.h"

#include "../support.h"
#include "scsp/macucb/macucb.h"
#include "search/sums/uct_relevant.h"

static Strategy read_strategy(const char *text) {
    Strategy strategy;
    Report report = {0};
    cr_assert(strategy_read(&strategy, text, &report), "%s: %s", text,
              report_failed(&report) ? report.items.items[0].message : "");
    report_free(&report);
    return strategy;
}

static void expect_refusal(const char *text, const char *message) {
    Strategy strategy;
    Report report = {0};
    cr_assert_not(strategy_read(&strategy, text, &report), "%s", text);
    cr_expect_str_eq(report.items.items[0].message, message);
    strategy_free(&strategy);
    report_free(&report);
}

Test(strategy, every_method_has_a_name_and_its_options_can_be_set) {
    for (const SearchMethod *const *m = strategy_methods; *m; m++) {
        const SearchOption *option;
        cr_expect_eq(strategy_find_method((*m)->name), *m);
        cr_expect(!(*m)->alias || strategy_find_method((*m)->alias) == *m);
        cr_expect_gt(strlen((*m)->summary), 0);
        Strategy strategy = read_strategy((*m)->name);
        Report report = {0};
        for (size_t i = 0; (option = strategy_option(*m, i)); i++) {
            char word[16] = "1";
            if (option->type == VALUE_WORD)
                snprintf(word, sizeof word, "%.*s", (int)strcspn(option->words, "|"),
                         option->words);
            cr_expect_gt(strlen(option->meaning), 0);
            cr_expect_gt(strlen(option->default_text), 0);
            cr_expect(option->place != FIELD_OWN || option->field < (*m)->own_size);
            if (option->type != VALUE_FILE)
                cr_expect(strategy_set(&strategy, option->key, word, &report), "%s:%s=%s",
                          (*m)->name, option->key, word);
        }
        strategy_free(&strategy);
        report_free(&report);
    }
    cr_expect_null(strategy_find_method("divination"));
}

Test(strategy, no_key_stands_twice_in_a_method) {
    for (const SearchMethod *const *m = strategy_methods; *m; m++)
        for (size_t i = 0; strategy_option(*m, i); i++)
            for (size_t k = 0; k < i; k++)
                cr_expect_str_neq(strategy_option(*m, i)->key, strategy_option(*m, k)->key);
}

Test(strategy, old_names_stay) {
    static const char *const names[][2] = {{"solo", "single-player"},
                                           {"parts", "uct-relevant"},
                                           {"trees", "multitree"},
                                           {"rivals", "challenge"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_str_eq(strategy_find_method(names[i][0])->name, names[i][1]);
}

Test(strategy, options_go_where_they_belong) {
    Strategy s =
        read_strategy("uct:seed=7,playouts=100,c=0.5,memory=2,time=1.5,merge=vote,novirtual=1");
    cr_expect(s.has_seed && s.search.seed == 7 && s.playouts == 100 && s.seconds == 1.5);
    cr_expect(s.search.exploration == 0.5 && s.search.node_bytes == 2 << 20);
    cr_expect_eq(s.search.merge, MERGE_VOTE);
    cr_expect(((const UctOptions *)s.search.own)->no_virtual_losses);
    strategy_free(&s);
    s = read_strategy("parts:again=1,threads=2,parallel=tree");
    cr_expect(((const UctRelevantOptions *)s.search.own)->looks_again);
    cr_expect(s.search.threads == 2 && s.search.parallel == PARALLEL_TREE && !s.has_seed);
    strategy_free(&s);
    s = read_strategy("mac-ucb:halves=1,solving=0.25");
    const MacUcbOptions *mac = s.search.own;
    cr_expect(mac->halves_unknown_fluents && mac->solve_share == 0.25 && !mac->is_tree);
    strategy_free(&s);
}

Test(strategy, unknown_methods_and_options_are_refused) {
    expect_refusal(
        "divination:c=1",
        "there is no search called `divination`; there are auto, uct, grave, mast, cfr, "
        "challenge, uct-relevant, single-player, mtmcts, multitree, mac-ucb, mac-ucb-sym, "
        "baseline-uct, baseline-grave, baseline-cfr, random, legal");
    expect_refusal("random:x=1", "`random:x=1`: random has no option `x`; "
                                 "there are seed, time, playouts, sampled");
    expect_refusal("random:halves=1",
                   "`random:halves=1`: random has no option `halves`; it belongs to mac-ucb, "
                   "mac-ucb-sym; there are seed, time, playouts, sampled");
    Strategy strategy;
    Report report = {0};
    cr_expect_not(strategy_read(&strategy, "uct:halves=1", &report));
    strategy_free(&strategy);
    cr_expect_not(strategy_read(&strategy, "cfr:gpu=1", &report));
    strategy_free(&strategy);
    cr_expect_not(strategy_read(&strategy, "mtmcts:model=x", &report));
    strategy_free(&strategy);
    report_free(&report);
}

Test(strategy, bad_values_are_told_type_and_range) {
    expect_refusal("uct:merge=most", "`uct:merge=most`: merge takes sum, sum10, best, raw or vote");
    expect_refusal("uct:threads=100000",
                   "`uct:threads=100000`: threads takes a whole number from 0 to 1024");
    expect_refusal("uct:threads=1.5",
                   "`uct:threads=1.5`: threads takes a whole number from 0 to 1024");
    expect_refusal("uct:c=-1", "`uct:c=-1`: c takes a number from 0.001 to 1000");
    expect_refusal("uct:c=0", "`uct:c=0`: c takes a number from 0.001 to 1000");
    expect_refusal("uct:c=nan", "`uct:c=nan`: c takes a number from 0.001 to 1000");
    expect_refusal("uct:novirtual=2", "`uct:novirtual=2`: novirtual takes 0 or 1");
    expect_refusal("uct:seed=x", "`uct:seed=x`: seed takes a whole number");
    expect_refusal("uct:seed=", "`uct:seed=`: seed takes a whole number");
    expect_refusal("uct:seed=99999999999999999999",
                   "`uct:seed=99999999999999999999`: seed takes a whole number");
    expect_refusal("uct:seed", "`uct:seed`: seed takes a whole number");
    expect_refusal("uct:model=", "`uct:model=`: model takes a file");
    expect_refusal("mac-ucb:solving=1.5",
                   "`mac-ucb:solving=1.5`: solving takes a number from 0 to 1");
}
