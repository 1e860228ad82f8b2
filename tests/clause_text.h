/* Writes clauses as text, for tests of transformations of rules. */
#pragma once

#include "gdl/write.h"

static inline void write_clause(Text *out, const Rules *rules, const Clause *clause,
                                Notation notation) {
    bool infix = notation == NOTATION_INFIX, is_rule = clause->literal_count > 0;
    text_add(out, is_rule && !infix ? "(<= " : "");
    write_term(out, &rules->terms, clause->head, notation);
    for (uint32_t i = 0; i < clause->literal_count; i++) {
        const Literal *literal = &clause_literals(rules, clause)[i];
        bool negative = literal->kind == LITERAL_NEGATIVE;
        text_add(out, !infix ? " " : i ? " & " : " :- ");
        text_add(out, !negative ? "" : infix ? "~" : "(not ");
        write_term(out, &rules->terms, literal->atom, notation);
        text_add(out, negative && !infix ? ")" : "");
    }
    text_add(out, is_rule && !infix ? ")" : "");
}
