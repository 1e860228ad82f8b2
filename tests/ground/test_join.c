/* Tests that joins find every match exactly once, for all sizes and deltas. */
#include "ground/join.h"

#include "support.h"

typedef struct {
    FlatProgram *program;
    GroundRelations relations;
} World;

static World world(Rules *rules) {
    Report report = {0};
    World w = {.program = flat_create(rules, false, &report)};
    cr_assert_not_null(w.program);
    for (size_t i = 0; i < w.program->relations.count; i++)
        relations_add(&w.relations, w.program->relations.items[i].arity);
    return w;
}

static void world_free(World *w) {
    relations_free(&w->relations);
    flat_free(w->program);
}

static GroundRelation *relation(const World *w, const char *name, uint32_t arity) {
    Symbol symbol = symbols_find(w->program->terms->symbols, name, strlen(name));
    RelationId id = flat_find_relation(w->program, SYMBOL_NONE, symbol, arity, false);
    cr_assert_neq(id, RELATION_NONE);
    return w->relations.items[id];
}

static Term number(const World *w, int n) {
    char name[20];
    snprintf(name, sizeof name, "%d", n);
    Symbols *symbols = w->program->terms->symbols;
    return terms_constant(w->program->terms, symbols_intern(symbols, name, strlen(name)));
}

static void add_pair(const World *w, GroundRelation *r, int a, int b) {
    Term tuple[2] = {number(w, a), number(w, b)};
    if (relation_find(r, tuple) == TUPLE_NONE)
        relation_add(r, tuple, 0);
}

typedef struct {
    uint64_t matches, stop_after;
    bool *seen; /* by combination of tuples, to find duplicates */
} Count;

static bool count_match(void *context, const JoinClause *clause, const JoinMatch *match) {
    Count *count = context;
    (void)clause;
    if (count->seen) {
        size_t place = match->tuples[0] * 1000 + match->tuples[1];
        cr_assert(!count->seen[place], "a match was found twice");
        count->seen[place] = true;
    }
    return ++count->matches != count->stop_after;
}

#define PATHS "(role a) (init f) (p 0 0) (q 0 0) (<= (legal a (m ?x ?z)) (p ?x ?y) (q ?y ?z))"

static const ProgramClause *last_clause(const World *w) {
    return &vector_last(&w->program->clauses);
}

Test(join, all_matches) {
    Rules *rules = rules_of(PATHS);
    World w = world(rules);
    GroundRelation *p = relation(&w, "p", 2), *q = relation(&w, "q", 2);
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 5; j++) {
            add_pair(&w, p, i, j);
            if (i < 10)
                add_pair(&w, q, j, i);
        }
    bool *grows = memory_zalloc(w.relations.count);
    JoinClause clause = join_compile(w.program, last_clause(&w), grows);
    JoinData data = {w.program->terms, &w.relations, NULL};
    Count count = {.seen = memory_zalloc(1000 * 1000)};
    cr_assert(join_run(&clause, JOIN_NO_DELTA, &data, count_match, &count));
    cr_assert_eq(count.matches, 20 * 5 * 10);
    free(count.seen);
    Count stopped = {.stop_after = 7};
    cr_assert(!join_run(&clause, JOIN_NO_DELTA, &data, count_match, &stopped));
    cr_assert_eq(stopped.matches, 7);
    join_clause_free(&clause);
    free(grows);
    world_free(&w);
    rules_free(rules);
}

/* Both premises grow: over all rounds each match is found once. */
Test(join, semi_naive_rounds) {
    Rules *rules = rules_of(PATHS);
    World w = world(rules);
    GroundRelation *p = relation(&w, "p", 2), *q = relation(&w, "q", 2);
    bool *grows = memory_zalloc(w.relations.count);
    for (size_t i = 0; i < w.relations.count; i++)
        grows[i] = w.relations.items[i] == p || w.relations.items[i] == q;
    JoinClause clause = join_compile(w.program, last_clause(&w), grows);
    JoinData data = {w.program->terms, &w.relations, NULL};
    Count count = {.seen = memory_zalloc(1000 * 1000)};
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < round * 3 % 7 + 1; i++) {
            add_pair(&w, p, round, i % 4);
            add_pair(&w, q, i % 4, round * 2);
            add_pair(&w, q, i % 4, round * 2 + 1);
        }
        GroundRelation *both[] = {p, q};
        for (int i = 0; i < 2; i++) {
            both[i]->old_end = both[i]->delta_end;
            both[i]->delta_end = both[i]->tuples.count;
        }
        for (uint32_t delta = 0; delta < 2; delta++)
            cr_assert(join_run(&clause, delta, &data, count_match, &count));
    }
    uint64_t expected = 0;
    for (uint32_t i = 0; i < p->tuples.count; i++)
        for (uint32_t j = 0; j < q->tuples.count; j++)
            expected += relation_tuple(p, i)[1] == relation_tuple(q, j)[0];
    cr_assert_eq(count.matches, expected);
    free(count.seen);
    join_clause_free(&clause);
    free(grows);
    world_free(&w);
    rules_free(rules);
}

static uint64_t matches_of(const char *rule, void fill(const World *w)) {
    Rules *rules = rules_of(rule);
    World w = world(rules);
    fill(&w);
    bool *grows = memory_zalloc(w.relations.count);
    JoinClause clause = join_compile(w.program, last_clause(&w), grows);
    JoinData data = {w.program->terms, &w.relations, NULL};
    Count count = {0};
    cr_assert(join_run(&clause, JOIN_NO_DELTA, &data, count_match, &count));
    join_clause_free(&clause);
    free(grows);
    world_free(&w);
    rules_free(rules);
    return count.matches;
}

static void fill_p(const World *w) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++)
            add_pair(w, relation(w, "p", 2), i, j);
}

Test(join, tests_and_repeated_variables) {
    cr_assert_eq(matches_of("(role a) (init f) (p 0 0) (<= (legal a (m ?x ?y)) (p ?x ?y))", fill_p),
                 21);
    cr_assert_eq(matches_of("(role a) (init f) (p 0 0) (<= (legal a (m ?x)) (p ?x ?x))", fill_p),
                 6);
    cr_assert_eq(matches_of("(role a) (init f) (p 0 0) (<= (legal a (m ?x ?y)) (p ?x ?y) "
                            "(distinct ?x ?y))",
                            fill_p),
                 15);
    cr_assert_eq(matches_of("(role a) (init f) (p 0 0) (<= (legal a (m ?x ?y)) (p ?x ?y) "
                            "(not (p ?y ?x)))",
                            fill_p),
                 15);
    cr_assert_eq(matches_of("(role a) (init f) (p 0 0) (<= (legal a (m ?y)) (p 3 ?y))", fill_p), 4);
    cr_assert_eq(
        matches_of("(role a) (init f) (p 0 0) (<= (legal a (m ?y)) (p (g ?y) ?y))", fill_p), 0);
}
