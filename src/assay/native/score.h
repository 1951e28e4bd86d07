/* Decimal text to double, correctly rounded. */
#ifndef ASSAY_SCORE_H
#define ASSAY_SCORE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline int assay_is_infinity(const char *p, size_t length) {
    static const char word[] = "infinity";
    if (length != 3 && length != 8) return 0;
    for (size_t i = 0; i < length; i++) {
        if ((p[i] | 32) != word[i]) return 0;
    }
    return 1;
}

/* sign? (digits [. digits] | . digits) ([eE] sign? digits)? | sign? inf(inity)?; NaN and hexadecimal are refused. */
static inline int assay_parse_score(const char *p, size_t length, double *score) {
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *start = p, *end = p + length;
    int negative = 0, digits = 0, seen = 0, exponent = 0;
    uint64_t mantissa = 0;
    if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
    if (assay_is_infinity(p, (size_t)(end - p))) {
        *score = negative ? -strtod("inf", NULL) : strtod("inf", NULL);
        return 1;
    }
    for (; p < end && *p >= '0' && *p <= '9'; p++, seen = 1) {
        if (digits < 18) {
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
            digits += mantissa != 0;
        } else {
            digits = 99; /* too long to be exact here */
        }
    }
    if (p < end && *p == '.') {
        for (p++; p < end && *p >= '0' && *p <= '9'; p++, seen = 1) {
            if (digits < 18) {
                mantissa = mantissa * 10 + (uint64_t)(*p - '0');
                digits += mantissa != 0;
                exponent--;
            } else {
                digits = 99;
            }
        }
    }
    if (!seen) return 0;
    if (p < end && (*p == 'e' || *p == 'E')) {
        int down = 0, value = 0;
        p++;
        if (p < end && (*p == '-' || *p == '+')) down = *p++ == '-';
        if (p == end) return 0;
        for (; p < end && *p >= '0' && *p <= '9'; p++) {
            if (value < 100000) value = value * 10 + (*p - '0');
        }
        exponent += down ? -value : value;
    }
    if (p != end) return 0;
    /* A product or quotient of two exact doubles is rounded once, so it is the nearest double (Clinger 1990). */
    if (digits <= 18 && mantissa < (1ULL << 53) && exponent >= -22 && exponent <= 22) {
        double value = (double)mantissa;
        value = exponent < 0 ? value / power[-exponent] : value * power[exponent];
        *score = negative ? -value : value;
        return 1;
    }
    char small[64], *copy = length < sizeof small ? small : malloc(length + 1);
    if (copy == NULL) return 0;
    memcpy(copy, start, length);
    copy[length] = '\0';
    char *stop;
    *score = strtod(copy, &stop);
    int whole = stop == copy + length;
    if (copy != small) free(copy);
    return whole;
}

#endif
