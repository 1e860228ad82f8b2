/* Compares exact fractions, for tests of policies and their values. */
#pragma once

#include "scsp/network/rational.h"

static inline bool fraction_is(Rational a, uint64_t numerator, uint64_t denominator) {
    Rational b = rational_of(numerator, denominator);
    return a.numerator == b.numerator && a.denominator == b.denominator;
}
