/* Fluents and moves, compared by name and arity: each one that `true` or `does` tests must be
 * produced by `init`, `next` or `legal`, and a fluent that no rule tests is useless. */
#include "gdl/check/check_internal.h"
#include "gdl/check/suggest.h"

typedef struct {
    DiagnosticCode code;
    const char *kind, *writers;
} Question;

static void hint_other_arity(Check *check, const Functors *functors, const Functor *asked) {
    for (size_t i = 0; i < functors->items.count; i++) {
        const Functor *f = &functors->items.items[i];
        if (f->symbol != asked->symbol || f->written == SYNTAX_NODE_NONE)
            continue;
        report_hint(check->report, "it has %s at line %u", check_arguments(check, f->arity),
                    check_line(check, f->written));
        return;
    }
}

static void hint_nearest(Check *check, const Functors *functors, const Functor *asked) {
    const Symbols *symbols = &check->syntax->symbols;
    Suggestion suggestion = suggestion_for(symbols_name(symbols, asked->symbol));
    for (size_t i = 0; i < functors->items.count; i++)
        if (functors->items.items[i].written != SYNTAX_NODE_NONE)
            suggestion_offer(&suggestion, symbols_name(symbols, functors->items.items[i].symbol));
    if (suggestion.best)
        report_hint(check->report, "did you mean `%s`?", suggestion.best);
}

static void hint_relation(Check *check, const Functor *asked) {
    uint32_t p = predicates_find(&check->predicates, asked->symbol, asked->arity);
    if (p != PREDICATE_NONE && check->predicates.items.items[p].clauses.count)
        report_hint(check->report, "`%s` is a relation with rules of its own: it needs no `true`",
                    check_name(check, asked->symbol));
}

static void check_functors(Check *check, const Functors *functors, const Question *question) {
    for (size_t i = 0; i < functors->items.count; i++) {
        const Functor *f = &functors->items.items[i];
        if (functors->any_written || f->written != SYNTAX_NODE_NONE || f->read == SYNTAX_NODE_NONE)
            continue;
        if (!check_say(check, question->code, check_name_node(check, f->read),
                       "no %s rule produces the %s `%s` with %s: it never holds", question->writers,
                       question->kind, check_name(check, f->symbol),
                       check_arguments(check, f->arity)) ||
            !check->suggestions)
            continue;
        check->suggestions--;
        hint_nearest(check, functors, f);
        hint_relation(check, f);
        hint_other_arity(check, functors, f);
    }
}

void check_state(Check *check) {
    static const Question fluents = {CODE_UNKNOWN_FLUENT, "fluent", "`init` or `next`"};
    static const Question moves = {CODE_UNKNOWN_MOVE, "move", "`legal`"};
    check_functors(check, &check->fluents, &fluents);
    check_functors(check, &check->moves, &moves);
}

void check_unused_fluents(Check *check) {
    const Functors *fluents = &check->fluents;
    for (size_t i = 0; i < fluents->items.count && !fluents->any_read; i++) {
        const Functor *f = &fluents->items.items[i];
        if (f->read == SYNTAX_NODE_NONE)
            check_say(check, CODE_UNUSED_FLUENT, check_name_node(check, f->written),
                      "no premise ever reads the fluent `%s`", check_name(check, f->symbol));
    }
}
