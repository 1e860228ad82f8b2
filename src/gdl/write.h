/* Names, terms and clauses as text, in either notation. */
#pragma once

#include "base/text.h"
#include "gdl/rules.h"

void write_symbol(Text *out, const Symbols *symbols, Symbol symbol, Notation notation);
void write_term(Text *out, const Terms *terms, Term term, Notation notation);
/* Writes in lower case with single blanks, as recorded matches and protocol messages do. */
void write_term_lower(Text *out, const Terms *terms, Term term);

/* The context in infix notation: only a whole expression has `:-`, only a premise has operators. */
typedef enum { WRITE_EXPRESSION, WRITE_TERM, WRITE_PREMISE } WriteAs;

/* The pretty printer: writes a description in one fixed layout, with its comments, and translates
 * if that is not the notation of the text. Formatting is idempotent, and the result reads as the
 * same expressions. The text must have been read without errors. Ends early if all jobs have to
 * (base/clock.h). (format.c) */
void rules_format(Text *out, const Syntax *syntax, Notation notation);

/* Writes a subtree on one line, with names spelled as in the text. */
void write_node(Text *out, const Syntax *syntax, uint32_t node, Notation notation, WriteAs as);
/* The number of bytes that write_node would write; `limit` if it is at least that. */
size_t node_written_length(const Syntax *syntax, uint32_t node, Notation notation, WriteAs as,
                           size_t limit);
