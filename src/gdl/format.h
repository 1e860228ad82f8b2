/* The pretty printer: writes a description in one fixed layout, with its comments, in either
 * notation. It translates if that is not the notation of the text. Formatting is idempotent, and
 * the result reads as the same expressions. The text must have been read without errors. */
#pragma once

#include "base/text.h"
#include "gdl/syntax.h"

void rules_format(Text *out, const Syntax *syntax, Notation notation);
