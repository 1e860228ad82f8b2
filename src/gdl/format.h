/* The pretty printer: a description in the house layout, comments kept, in either notation. Writing
 * the other notation than the text's translates it. Formatting what was formatted changes nothing,
 * and reading it gives the same expressions. Defined for texts that were read without errors. */
#pragma once

#include "base/text.h"
#include "gdl/syntax.h"

void rules_format(Text *out, const Syntax *syntax, Notation notation);
