/* Cancels common factors before multiplication, so that only results can overflow. */
#include "scsp/network/rational.h"

#include <assert.h>

static const Rational TOO_LARGE = {0, 0};

RationalPart common_divisor(RationalPart a, RationalPart b) {
    while (b) {
        RationalPart rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static Rational reduced(RationalPart numerator, RationalPart denominator) {
    RationalPart common = common_divisor(numerator, denominator);
    return (Rational){numerator / common, denominator / common};
}

Rational rational_of(uint64_t numerator, uint64_t denominator) {
    assert(denominator > 0);
    return reduced(numerator, denominator);
}

bool rational_is_exact(Rational a) {
    return a.denominator != 0;
}

Rational rational_add(Rational a, Rational b) {
    RationalPart left, right, sum, denominator;
    if (!a.denominator || !b.denominator)
        return TOO_LARGE;
    RationalPart common = common_divisor(a.denominator, b.denominator);
    bool overflows = __builtin_mul_overflow(a.numerator, b.denominator / common, &left) ||
                     __builtin_mul_overflow(b.numerator, a.denominator / common, &right) ||
                     __builtin_add_overflow(left, right, &sum) ||
                     __builtin_mul_overflow(a.denominator, b.denominator / common, &denominator);
    return overflows ? TOO_LARGE : reduced(sum, denominator);
}

Rational rational_multiply(Rational a, Rational b) {
    Rational product;
    if (!a.denominator || !b.denominator)
        return TOO_LARGE;
    Rational x = reduced(a.numerator, b.denominator), y = reduced(b.numerator, a.denominator);
    bool overflows = __builtin_mul_overflow(x.numerator, y.numerator, &product.numerator) ||
                     __builtin_mul_overflow(x.denominator, y.denominator, &product.denominator);
    return overflows ? TOO_LARGE : product;
}

double rational_to_double(Rational a) {
    return (double)a.numerator / (double)a.denominator;
}

static void write_part(RationalPart part, Text *out) {
    char digits[40];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + (int)(part % 10));
    while ((part /= 10) != 0);
    while (count > 0)
        text_add_char(out, digits[--count]);
}

void rational_write(Rational a, Text *out) {
    if (!a.denominator) {
        text_add_char(out, '?');
        return;
    }
    write_part(a.numerator, out);
    if (a.denominator != 1) {
        text_add_char(out, '/');
        write_part(a.denominator, out);
    }
}
