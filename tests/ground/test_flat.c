/* Tests flattening: fluents and moves get relations of their own, and static and needed relations
 * are found. */
#include "ground/flat.h"

#include "support.h"

static FlatProgram *flat(Rules *rules) {
    Report report = {0};
    FlatProgram *program = flat_create(rules, false, &report);
    cr_assert_not_null(program, "%s", first_problem(&report));
    report_free(&report);
    return program;
}

static Symbol symbol(const FlatProgram *program, const char *name) {
    return symbols_find(program->terms->symbols, name, strlen(name));
}

static const FlatRelation *relation(const FlatProgram *program, Symbol keyword, const char *name,
                                    uint32_t arity) {
    RelationId id = flat_find_relation(program, keyword, name ? symbol(program, name) : SYMBOL_NONE,
                                       arity, name == NULL);
    return id == RELATION_NONE ? NULL : &program->relations.items[id];
}

Test(flat, fluents_and_moves_are_taken_apart) {
    Rules *rules = rules_of("(role a) (init (cell 1 2 b)) (legal a (mark 1 2)) (legal a noop)"
                            "(<= (next (cell ?x ?y x)) (does a (mark ?x ?y)))"
                            "(<= terminal (true (cell ?x ?y x)))");
    FlatProgram *p = flat(rules);
    cr_assert_not_null(relation(p, KEYWORD_INIT, "cell", 3));
    cr_assert_not_null(relation(p, KEYWORD_TRUE, "cell", 3));
    cr_assert_not_null(relation(p, KEYWORD_NEXT, "cell", 3));
    cr_assert_not_null(relation(p, KEYWORD_DOES, "mark", 3)); /* the role is the first argument */
    cr_assert_not_null(relation(p, KEYWORD_LEGAL, "noop", 1));
    cr_assert_null(relation(p, KEYWORD_TRUE, NULL, 1));
    flat_free(p);
    rules_free(rules);
}

Test(flat, whole_terms_have_a_view) {
    Rules *rules = rules_of("(role a) (init f) (legal a m) (<= (next ?f) (true ?f) (does a ?m))"
                            "(<= (next (did ?m)) (does ?r ?m))");
    FlatProgram *p = flat(rules);
    cr_assert(relation(p, KEYWORD_TRUE, NULL, 1)->is_whole);
    cr_assert(relation(p, KEYWORD_NEXT, NULL, 1)->is_whole);
    cr_assert(relation(p, KEYWORD_DOES, NULL, 2)->is_whole);
    flat_free(p);
    rules_free(rules);
}

/* Only relations that some output needs keep their clauses. */
static bool has_clauses(const FlatProgram *p, const FlatRelation *relation) {
    for (size_t c = 0; c < p->clauses.count; c++)
        if (&p->relations.items[p->clauses.items[c].head] == relation)
            return true;
    return false;
}

Test(flat, static_and_needed) {
    Rules *rules = rules_of("(role a) (init (f 1)) (legal a m) (succ 1 2)"
                            "(<= (less ?x ?y) (succ ?x ?y))"
                            "(<= (now ?x) (true (f ?x)) (less ?x ?y))"
                            "(<= (then ?x) (now ?x)) (<= (unused ?x) (less ?x ?y) (idle ?x))"
                            "(idle 1) (<= terminal (then ?x))");
    FlatProgram *p = flat(rules);
    cr_assert(relation(p, SYMBOL_NONE, "less", 2)->is_static);
    cr_assert(!relation(p, SYMBOL_NONE, "now", 1)->is_static);
    cr_assert(!relation(p, SYMBOL_NONE, "then", 1)->is_static);
    cr_assert(has_clauses(p, relation(p, SYMBOL_NONE, "less", 2)));
    cr_assert(has_clauses(p, relation(p, KEYWORD_TERMINAL, "terminal", 0)));
    cr_assert(!has_clauses(p, relation(p, SYMBOL_NONE, "unused", 1)));
    cr_assert(!has_clauses(p, relation(p, SYMBOL_NONE, "idle", 1)));
    flat_free(p);
    rules_free(rules);
}

Test(flat, loose_negations_are_projected) {
    Rules *rules = rules_of("(role a) (init (f 1 2)) (legal a m) (n 1)"
                            "(<= terminal (n ?x) (not (true (f ?x ?y))))");
    FlatProgram *p = flat(rules);
    cr_assert_eq(p->auxiliary_count, 1);
    flat_free(p);
    rules_free(rules);
}

Test(flat, unsafe_rules_are_refused) {
    Report report = {0};
    Rules *rules = rules_of("(role a) (init f)\n(<= (legal a (m ?x)) (true f))");
    cr_assert_null(flat_create(rules, true, &report));
    cr_assert_str_eq(first_problem(&report), "unsafe-variable 2:1");
    report_free(&report);
    rules_free(rules);
}

Test(flat, arities_and_keywords_are_told_apart) {
    Rules *rules = rules_of("(role a) (init (f 1)) (init (f 1 2)) (init f) (legal a f)"
                            "(<= (next f) (f 1)) (f 1) (<= terminal (true f) (true (f 1)))");
    FlatProgram *p = flat(rules);
    cr_assert_not_null(relation(p, KEYWORD_INIT, "f", 0));
    cr_assert_not_null(relation(p, KEYWORD_INIT, "f", 1));
    cr_assert_not_null(relation(p, KEYWORD_INIT, "f", 2));
    cr_assert_not_null(relation(p, SYMBOL_NONE, "f", 1));
    cr_assert_not_null(relation(p, KEYWORD_LEGAL, "f", 1));
    cr_assert_neq(relation(p, SYMBOL_NONE, "f", 1), relation(p, KEYWORD_TRUE, "f", 1));
    flat_free(p);
    rules_free(rules);
}
