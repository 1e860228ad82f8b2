/* Well-formedness of a description that could be read: what no player could run (errors), what is
 * legal but hardly meant (warnings), what is worth knowing (notes). The codes are in codes.h. */
#pragma once

#include "gdl/rules.h"

/* Adds what it finds to the report and sorts it. */
void rules_check(const Rules *rules, Report *report);
