/* Decimal text to double, correctly rounded, whatever the locale: the C library's strtod wants a comma in some of them. */
#ifndef ASSAY_SCORE_H
#define ASSAY_SCORE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fields.h"

/* The nearest double to mantissa · 10^exponent, or, where the digits are too many for `mantissa`, to the number whose digits
 * are at `digits` (with one point, before `end`): then `exponent` is that of the last digit. score.c. */
double assay_exact_score(uint64_t mantissa, int64_t exponent, const char *digits, const char *end);

static inline int assay_is_infinity(const char *p, size_t length) {
    static const char word[] = "infinity";
    if (length != 3 && length != 8) return 0;
    for (size_t i = 0; i < length; i++) {
        if ((p[i] | 32) != word[i]) return 0;
    }
    return 1;
}

static const double assay_power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* What nearly every score is: up to 15 digits, a point among them or none. 0 for any other, which may be a number all the same. */
static inline int assay_plain_score(const char *p, size_t length, double *score) {
    if (length > 16) return 0;
    const char *end = p + length, *point = end;
    uint64_t mantissa = 0;
    int negative = p < end && *p == '-';
    p += negative;
    const char *start = p;
    for (; p < end; p++) {
        unsigned digit = (unsigned)((unsigned char)*p - '0');
        if (digit > 9) break;
        mantissa = mantissa * 10 + digit;
    }
    if (p == start) return 0;
    if (p < end) {
        if (*p != '.') return 0;
        point = ++p;
        for (; p < end; p++) {
            unsigned digit = (unsigned)((unsigned char)*p - '0');
            if (digit > 9) return 0;
            mantissa = mantissa * 10 + digit;
        }
    }
    if (mantissa > 1ULL << 53) return 0;
    double value = (double)mantissa / assay_power[end - point];
    *score = negative ? -value : value;
    return 1;
}

/* Eight digits by their values, the first in the lowest byte: added up in pairs, in fours, in eights. */
static inline uint64_t assay_eight_digits(uint64_t digits) {
    digits = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FFULL;
    digits = (digits * 100 + (digits >> 16)) & 0x0000FFFF0000FFFFULL;
    return (digits * 10000 + (digits >> 32)) & 0xFFFFFFFFULL;
}

/* The first `count` (up to 8) of the digits that are at p, where eight bytes can be read. */
static inline uint64_t assay_digits(const char *p, unsigned count) {
    uint64_t digits;
    memcpy(&digits, p, 8);
    /* In two steps, as no word is shifted by all its bits. */
    return assay_eight_digits((digits ^ 0x3030303030303030ULL) << (32 - 4 * count) << (32 - 4 * count));
}

enum { ASSAY_BEHIND_SCORE = 32 }; /* bytes that are read behind the beginning of a score, whatever they are */

#if ASSAY_BLOCKS
/* A bit for each of up to 15 bytes that is no digit. */
static inline unsigned assay_not_digits(const char *p, size_t length) {
    __m128i digits = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)p), _mm_set1_epi8('0'));
    unsigned is_digit = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits));
    return ~is_digit & ((1u << length) - 1);
}

/* The same of a score in bytes that go on: up to eight digits before the point, and as many behind it. The bit of its point, or 0. */
static inline int assay_quick_score(const char *p, size_t length, double *score, unsigned *point) {
    static const uint64_t power[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    unsigned negative = *p == '-';
    p += negative;
    length -= negative;
    if (length > 15) return 0; /* so many bytes, a point among them or none, are less than 2^53 */
    unsigned others = *point = assay_not_digits(p, length);
    unsigned whole = others ? (unsigned)__builtin_ctz(others) : (unsigned)length;
    if ((others & (others - 1)) || (others && p[whole] != '.')) return 0;
    unsigned behind = (unsigned)length - whole - (others != 0);
    if (whole == 0 || whole > 8 || behind > 8) return 0;
    uint64_t mantissa = assay_digits(p, whole) * power[behind] + assay_digits(p + whole + 1, behind);
    double value = (double)mantissa / assay_power[behind];
    *score = negative ? -value : value;
    return 1;
}
#endif

/* sign? (digits [. digits] | . digits) ([eE] sign? digits)? | sign? inf(inity)?; NaN and hexadecimal are refused. */
static inline int assay_parse_score(const char *p, size_t length, double *score) {
    if (assay_plain_score(p, length, score)) return 1;
    const char *end = p + length;
    int negative = 0, seen = 0;
    int64_t exponent = 0, digits = 0; /* digits from the first that is not 0 */
    uint64_t mantissa = 0;
    if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
    if (assay_is_infinity(p, (size_t)(end - p))) {
        *score = negative ? -INFINITY : INFINITY;
        return 1;
    }
    const char *start = p;
    for (; p < end && *p >= '0' && *p <= '9'; p++, seen = 1) {
        mantissa = mantissa * 10 + (uint64_t)(*p - '0'); /* 19 digits fit; of more, the mantissa is not used */
        digits += digits || mantissa;
    }
    if (p < end && *p == '.') {
        const char *point = p++;
        for (; p < end && *p >= '0' && *p <= '9'; p++, seen = 1) {
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
            digits += digits || mantissa;
        }
        exponent = point + 1 - p;
    }
    if (!seen) return 0;
    const char *stop = p;
    if (p < end && (*p == 'e' || *p == 'E')) {
        int down = 0;
        int64_t value = 0;
        p++;
        if (p < end && (*p == '-' || *p == '+')) down = *p++ == '-';
        if (p == end) return 0;
        for (; p < end && *p >= '0' && *p <= '9'; p++) {
            if (value < INT64_MAX / 20) value = value * 10 + (*p - '0');
        }
        exponent += down ? -value : value;
    }
    if (p != end) return 0;
    double value;
    if (digits <= 19 && mantissa <= 1ULL << 53 && exponent >= -22 && exponent <= 22) {
        /* A product or quotient of two exact doubles is rounded once, so it is the nearest double (Clinger 1990). */
        value = exponent < 0 ? (double)mantissa / assay_power[-exponent] : (double)mantissa * assay_power[exponent];
    } else {
        value = assay_exact_score(mantissa, exponent, digits <= 19 ? NULL : start, stop);
    }
    *score = negative ? -value : value;
    return 1;
}

#endif
