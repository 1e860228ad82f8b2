/* Exact non-negative fractions of 128-bit integers, for probabilities and expected values. A result
 * that does not fit is marked as too large, and so is everything computed from it. A fraction that
 * is shown is therefore always exact. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

__extension__ typedef unsigned __int128 RationalPart;

typedef struct {
    /* Without common factors; the denominator is 0 if the fraction is too large. */
    RationalPart numerator, denominator;
} Rational;

RationalPart common_divisor(RationalPart a, RationalPart b);
/* The denominator must not be 0. */
Rational rational_of(uint64_t numerator, uint64_t denominator);
Rational rational_add(Rational a, Rational b);
Rational rational_multiply(Rational a, Rational b);
bool rational_is_exact(Rational a);
double rational_to_double(Rational a);
/* Writes "3/8", "1", or "?" if the fraction is too large. */
void rational_write(Rational a, Text *out);
