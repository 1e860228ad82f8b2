/* Tests the normal forms of rules: sets of moves instead of one clause per move, auxiliary
 * predicates kept or expanded, and budgets that leave a literal in place of its form. */
#include "analysis/decompose/by_rules/dnf.h"

#include "../../../ground/ground_support.h"

static Atom next_of(const Grounded *d, const char *fluent) {
    return find_fluent(d->g, fluent)->next;
}

static uint32_t count_kind(const DnfClause *clause, bool moves) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < clause->count; i++)
        count += dnf_is_moves(clause->literals[i]) == moves;
    return count;
}

/* Two roles with ten moves each: a hundred pairs, one clause. */
Test(normal_form, moves_of_two_roles_are_two_sets) {
    Grounded d = ground("(role a) (role b) (init off) (n 1) (n 2) (n 3) (n 4) (n 5)"
                        "(n 6) (n 7) (n 8) (n 9) (n 0) (<= (legal ?r (m ?x)) (role ?r) (n ?x))"
                        "(<= (next on) (does a (m ?x)) (does b (m ?y)) (big ?x) (big ?y))"
                        "(big 6) (big 7) (big 8)");
    Deadline never = deadline_never();
    DnfForms *forms = dnf_create(d.g, DNF_SHORT, &never);
    const DnfFormula *form = dnf_of(forms, next_of(&d, "on"));
    cr_assert_not_null(form);
    cr_assert_eq(form->count, 1);
    cr_assert_eq(form->clauses[0].count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        cr_assert(dnf_is_moves(form->clauses[0].literals[i]));
        cr_assert(!dnf_is_negated(form->clauses[0].literals[i]));
        cr_assert_eq(dnf_moves(forms, dnf_subject(form->clauses[0].literals[i]))->count, 3);
    }
    dnf_free(forms);
    grounded_free(&d);
}

/* A set of all moves of a role is always true, so it is left out. */
Test(normal_form, a_set_of_all_moves_disappears) {
    Grounded d = ground("(role a) (init (step 1)) (succ 1 2) (legal a x) (legal a y)"
                        "(<= (next (step ?n)) (does a ?m) (true (step ?s)) (succ ?s ?n))");
    Deadline never = deadline_never();
    DnfForms *forms = dnf_create(d.g, DNF_SHORT, &never);
    const DnfFormula *form = dnf_of(forms, next_of(&d, "(step 2)"));
    cr_assert_eq(form->count, 1);
    cr_assert_eq(form->clauses[0].count, 1);
    cr_assert_eq(dnf_fluent(forms, dnf_subject(form->clauses[0].literals[0])),
                 (uint32_t)(find_fluent(d.g, "(step 1)") - d.g->fluents.items));
    dnf_free(forms);
    grounded_free(&d);
}

#define AUXILIARY                                                                                  \
    "(role a) (init p) (init q) (legal a x) (legal a y)"                                           \
    "(<= both (true p) (true q)) (<= (next r) (does a x) both)"                                    \
    "(<= (next s) (does a y) (not both)) (<= (next p) (true p)) (<= (next q) (not (true q)))"

Test(normal_form, predicates_are_kept_or_developed) {
    Grounded d = ground(AUXILIARY);
    Deadline never = deadline_never();
    DnfForms *brief = dnf_create(d.g, DNF_SHORT, &never);
    DnfForms *full = dnf_create(d.g, DNF_LONG, &never);
    const DnfFormula *r = dnf_of(brief, next_of(&d, "r"));
    cr_assert_eq(r->count, 1);
    cr_assert_eq(count_kind(&r->clauses[0], false), 1);
    r = dnf_of(full, next_of(&d, "r"));
    cr_assert_eq(r->count, 1);
    cr_assert_eq(count_kind(&r->clauses[0], false), 2);
    const DnfFormula *s = dnf_of(full, next_of(&d, "s"));
    cr_assert_eq(s->count, 2); /* not p, or not q */
    s = dnf_of(brief, next_of(&d, "s"));
    cr_assert_eq(s->count, 1);
    cr_assert_eq(count_kind(&s->clauses[0], false), 1); /* not both */
    dnf_free(brief);
    dnf_free(full);
    grounded_free(&d);
}

Test(normal_form, contradictions_and_repetitions_go) {
    Grounded d = ground("(role a) (init p) (init q) (legal a x) (legal a y) (legal a z)"
                        "(<= (next p) (true q) (not (true q)) (does a x))"
                        "(<= (next p) (does a x) (does a y))"
                        "(<= (next p) (does a x) (not (does a y)) (true q))"
                        "(<= (next p) (does a x) (true q) (true p))"
                        "(<= (next q) (not (does a x)) (not (does a y)))");
    Deadline never = deadline_never();
    DnfForms *forms = dnf_create(d.g, DNF_SHORT, &never);
    const DnfFormula *p = dnf_of(forms, next_of(&d, "p"));
    cr_assert_eq(p->count, 1);
    cr_assert_eq(p->clauses[0].count, 2);
    const DnfFormula *q = dnf_of(forms, next_of(&d, "q"));
    cr_assert_eq(q->count, 1);
    cr_assert_eq(q->clauses[0].count, 1); /* one negated set of two moves */
    cr_assert(dnf_is_negated(q->clauses[0].literals[0]));
    cr_assert_eq(dnf_moves(forms, dnf_subject(q->clauses[0].literals[0]))->count, 2);
    dnf_free(forms);
    grounded_free(&d);
}

/* The negation of forty disjunctions of two would have 2^40 clauses. */
Test(normal_form, what_grows_too_large_stays_a_literal) {
    Text game = {0};
    text_printf(&game, "(role a) (legal a x) (legal a y) (<= (next done) (does a x) (not any))");
    for (int i = 0; i < 40; i++)
        text_printf(&game,
                    "(init (p %d)) (init (q %d)) (<= any (true (p %d)) (true (q %d)))"
                    "(<= (next (p %d)) (not (true (q %d)))) (<= (next (q %d)) (not (true (p %d))))",
                    i, i, i, i, i, i, i, i);
    Grounded d = ground(text_string(&game));
    Deadline never = deadline_never();
    DnfForms *forms = dnf_create(d.g, DNF_LONG, &never);
    const DnfFormula *form = dnf_of(forms, next_of(&d, "done"));
    cr_assert_not_null(form);
    cr_assert_eq(form->count, 1);
    cr_assert_eq(form->clauses[0].count, 2);
    uint32_t other = dnf_is_moves(form->clauses[0].literals[0]);
    const DnfCone *cone = dnf_cone(forms, dnf_subject(form->clauses[0].literals[other]));
    cr_assert_eq(cone->fluents.count, 80);
    cr_assert_eq(cone->moves.count, 0);
    dnf_free(forms);
    grounded_free(&d);
    vector_free(&game);
}

Test(normal_form, no_time_no_form) {
    Grounded d = ground(AUXILIARY);
    Deadline now = deadline_in(0);
    DnfForms *forms = dnf_create(d.g, DNF_SHORT, &now);
    for (int i = 0; i < 200; i++) /* the clock is read only now and then */
        dnf_of(forms, next_of(&d, "s"));
    cr_assert_not_null(dnf_of(forms, ATOM_NONE));
    cr_assert_eq(dnf_of(forms, ATOM_NONE)->count, 0);
    dnf_free(forms);
    grounded_free(&d);
}
