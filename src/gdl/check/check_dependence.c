/* Forbidden dependencies. Moves are chosen after `legal`, `goal` and `terminal` are known, so these
 * must not depend on `does`. What is known before the match starts must depend on neither `true`
 * nor `does`. One backward search from the forbidden keyword finds the shortest chain of every
 * relation. */
#include "base/graph.h"
#include "base/text.h"
#include "gdl/check/check_internal.h"

enum { MAX_CHAIN_LENGTH = 12 }; /* steps that are printed (untuned) */

typedef struct {
    Check *check;
    uint32_t forbidden;        /* predicate */
    const Dependency **chains; /* by predicate: the first step to the forbidden one, or NULL */
    uint32_t *said_for; /* by predicate: 1 + the last keyword predicate for which it was reported */
} Dependence;

static void find_chains(Dependence *d) {
    const Predicates *predicates = &d->check->predicates;
    uint32_t count = (uint32_t)predicates->items.count;
    Edges edges = {0};
    VECTOR(const Dependency *) steps = {0};
    for (uint32_t p = 0; p < count; p++)
        for (size_t i = 0; i < predicates->items.items[p].dependencies.count; i++) {
            const Dependency *step = &predicates->items.items[p].dependencies.items[i];
            vector_push(&edges, ((Edge){step->target, p}));
            vector_push(&steps, step);
        }
    Graph graph;
    graph_build(&graph, count, &edges);
    U32Vector queue = {0};
    vector_push(&queue, d->forbidden);
    for (size_t head = 0; head < queue.count; head++) {
        uint32_t node = queue.items[head];
        for (uint32_t e = graph.starts[node]; e < graph.starts[node + 1]; e++) {
            uint32_t from = graph.targets[e];
            if (from == d->forbidden || d->chains[from])
                continue;
            d->chains[from] = steps.items[graph.edges[e]];
            vector_push(&queue, from);
        }
    }
    vectors_free(&queue, &edges, &steps);
    graph_free(&graph);
}

static uint32_t node_of(const Check *check, const Dependency *step) {
    const Clause *clause = &check->rules->clauses.items[step->clause];
    return clause_literals(check->rules, clause)[step->literal].node;
}

static void write_chain(Dependence *d, Text *text, const Dependency *step) {
    Check *check = d->check;
    for (unsigned length = 0;; length++) {
        if (length == MAX_CHAIN_LENGTH) {
            text_printf(text, " -> ... -> %s",
                        check_name(check, predicate_at(check, d->forbidden)->symbol));
            return;
        }
        text_printf(text, " -> %s (line %u)",
                    check_name(check, predicate_at(check, step->target)->symbol),
                    check_line(check, node_of(check, step)));
        if (step->target == d->forbidden)
            return;
        step = d->chains[step->target];
    }
}

static void report_chain(Dependence *d, uint32_t keyword, const Dependency *step) {
    Check *check = d->check;
    const char *name = check_name(check, predicate_at(check, keyword)->symbol);
    const char *forbidden = check_name(check, predicate_at(check, d->forbidden)->symbol);
    Text text = {0};
    text_add(&text, name);
    write_chain(d, &text, step);
    bool on_move = predicate_at(check, d->forbidden)->symbol == KEYWORD_DOES;
    if (check_say(check, CODE_FORBIDDEN_DEPENDENCY, check_name_node(check, node_of(check, step)),
                  "`%s` must not depend on `%s`: %s", name, forbidden, text_string(&text)))
        report_hint(check->report, on_move ? "moves are known only when the next state is made"
                                           : "nothing of a state is known before the game starts");
    vector_free(&text);
}

static void check_keyword(Dependence *d, Keyword keyword) {
    Check *check = d->check;
    uint32_t p = predicates_find(&check->predicates, keyword, (uint32_t)keyword_arity(keyword));
    if (p == PREDICATE_NONE)
        return;
    const Predicate *predicate = predicate_at(check, p);
    for (size_t i = 0; i < predicate->dependencies.count; i++) {
        const Dependency *step = &predicate->dependencies.items[i];
        bool reaches = step->target == d->forbidden || d->chains[step->target];
        if (!reaches || d->said_for[step->target] == p + 1)
            continue;
        d->said_for[step->target] = p + 1;
        report_chain(d, p, step);
    }
}

static void check_forbidden(Check *check, Keyword forbidden, const Keyword *keywords,
                            size_t keyword_count) {
    Dependence d = {.check = check};
    d.forbidden =
        predicates_find(&check->predicates, forbidden, (uint32_t)keyword_arity(forbidden));
    if (d.forbidden == PREDICATE_NONE)
        return;
    size_t count = check->predicates.items.count;
    d.chains = check_zalloc(check, count, sizeof *d.chains);
    d.said_for = check_zalloc(check, count, sizeof *d.said_for);
    find_chains(&d);
    for (size_t i = 0; i < keyword_count; i++)
        check_keyword(&d, keywords[i]);
}

void check_dependence(Check *check) {
    static const Keyword before_the_move[] = {KEYWORD_LEGAL, KEYWORD_GOAL, KEYWORD_TERMINAL,
                                              KEYWORD_INIT,  KEYWORD_BASE, KEYWORD_INPUT};
    static const Keyword before_the_game[] = {KEYWORD_INIT, KEYWORD_BASE, KEYWORD_INPUT};
    check_forbidden(check, KEYWORD_DOES, before_the_move, 6);
    check_forbidden(check, KEYWORD_TRUE, before_the_game, 3);
}
