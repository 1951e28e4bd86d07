/* Decimal text to the nearest double. Three steps, each tried where the one before cannot decide:
 * 1. One exact product or quotient of doubles (score.h): W. D. Clinger, "How to read floating point numbers accurately", PLDI 1990.
 * 2. 128-bit products and quotients by powers of five, with a bound on what was dropped, as in the extended-precision step of Clinger's
 *    Bellerophon.
 * 3. Long division of whole numbers of any size (D. E. Knuth, TAOCP 2, 4.3.1, bit by bit), which is exact.
 * The code is assay's own. `strtod` depends on the locale. Without step 2, a million scores of 17 digits take 0.25 s instead of 0.07 s. */
#include "score.h"

/* A number that is `leading`, or lies above it and below leading + 1 where `rest` says so, times 2^exponent; rounded to the
 * nearest double, a tie to the even one. The highest bit of `leading` is set. */
static double nearest(uint64_t leading, int rest, int64_t exponent) {
    int64_t lowest = exponent + 11; /* the power of the last of 53 bits */
    int dropped = 11;
    if (lowest > 1023 - 52) return INFINITY;
    if (lowest < -1074) { /* subnormal: fewer bits */
        if (lowest < -1074 - 54) return 0;
        dropped += (int)(-1074 - lowest);
        lowest = -1074;
    }
    uint64_t kept = dropped < 64 ? leading >> dropped : 0;
    uint64_t cut = dropped < 64 ? leading << (64 - dropped) : dropped == 64 ? leading : 1, half = 1ULL << 63;
    kept += cut > half || (cut == half && (rest || kept & 1));
    return ldexp((double)kept, (int)lowest); /* exact; 2^53 · 2^971 becomes infinity */
}

static int leading_zeros(uint64_t word) {
#if defined(__GNUC__)
    return __builtin_clzll(word);
#else
    int count = 0;
    while (!(word >> 63)) word <<= 1, count++;
    return count;
#endif
}

#if defined(__SIZEOF_INT128__)
typedef unsigned __int128 wide;

/* mantissa · 10^exponent by products and quotients of 128 bits, of which the leading 64 are kept. One step is exact, and serves
 * nearly every score; after more, what was dropped may matter, and 0 says that only long arithmetic can tell. */
static int quick_score(uint64_t mantissa, int64_t exponent, double *score) {
    static const uint64_t five[] = {
        1ULL, 5ULL, 25ULL, 125ULL, 625ULL, 3125ULL, 15625ULL, 78125ULL, 390625ULL, 1953125ULL, 9765625ULL, 48828125ULL,
        244140625ULL, 1220703125ULL, 6103515625ULL, 30517578125ULL, 152587890625ULL, 762939453125ULL, 3814697265625ULL,
        19073486328125ULL, 95367431640625ULL, 476837158203125ULL, 2384185791015625ULL, 11920928955078125ULL,
        59604644775390625ULL, 298023223876953125ULL, 1490116119384765625ULL, 7450580596923828125ULL};
    if (exponent < -400 || exponent > 400) return 0;
    int up = leading_zeros(mantissa), rest = 0;
    unsigned steps = 0;
    uint64_t leading = mantissa << up;
    int64_t power = exponent - up; /* 10^e is 5^e · 2^e */
    do {
        int step = (int)(exponent < -27 ? 27 : exponent < 0 ? -exponent : exponent > 27 ? 27 : exponent);
        wide value;
        if (exponent < 0) {
            wide above = (wide)leading << 64;
            value = above / five[step];
            rest |= value * five[step] != above;
            power -= 64;
            exponent += step;
        } else {
            value = (wide)leading * five[step];
            exponent -= step;
        }
        if (value >> 64) {
            up = leading_zeros((uint64_t)(value >> 64));
            rest |= (uint64_t)value << up != 0;
            leading = (uint64_t)(value << up >> 64);
            power += 64 - up;
        }
        steps++;
    } while (exponent);
    *score = nearest(leading, rest, power);
    if (steps == 1 || !rest) return 1;
    /* Each step dropped less than one part in 2^63, that is less than 2 of the last place. */
    uint64_t most = leading + 2 * steps;
    return most > leading && nearest(most, 1, power) == *score;
}

/* A number of more than 19 digits lies between its first 19 and one more in the last of them; mostly both round alike. */
static int quick_cut_score(const char *digits, const char *end, int64_t exponent, double *score) {
    uint64_t mantissa = 0;
    int64_t count = 0;
    for (; digits < end; digits++) {
        if (*digits == '.' || (count == 0 && *digits == '0')) continue;
        if (count++ < 19) mantissa = mantissa * 10 + (uint64_t)(*digits - '0');
    }
    double above;
    exponent += count - 19;
    return quick_score(mantissa, exponent, score) && quick_score(mantissa + 1, exponent, &above) && *score == above;
}
#endif

/* Whole numbers of any size a score can need: 800 digits over the smallest double. Little-endian words. */
enum { WORDS = 200, DIGITS = 800 };

typedef struct {
    uint32_t word[WORDS];
    int count;
} big;

static void multiply_add(big *b, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (int i = 0; i < b->count; i++) {
        carry += (uint64_t)b->word[i] * factor;
        b->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) b->word[b->count++] = (uint32_t)carry;
}

static void times_power_of_ten(big *b, int64_t power) {
    for (; power >= 9; power -= 9) multiply_add(b, 1000000000, 0);
    for (; power > 0; power--) multiply_add(b, 10, 0);
}

static int bits(const big *b) {
    if (b->count == 0) return 0;
    return 32 * b->count - (leading_zeros((uint64_t)b->word[b->count - 1]) - 32);
}

static void shift_left(big *b, int shift) {
    for (; shift >= 31; shift -= 31) multiply_add(b, 1u << 31, 0);
    multiply_add(b, 1u << shift, 0);
}

static int at_least(const big *a, const big *b) {
    if (a->count != b->count) return a->count > b->count;
    for (int i = a->count - 1; i >= 0; i--) {
        if (a->word[i] != b->word[i]) return a->word[i] > b->word[i];
    }
    return 1;
}

static void subtract(big *a, const big *b) { /* a is at least b */
    int64_t carry = 0;
    for (int i = 0; i < a->count; i++) {
        carry += (int64_t)a->word[i] - (i < b->count ? b->word[i] : 0);
        a->word[i] = (uint32_t)carry;
        carry >>= 32; /* 0 or -1 */
    }
    while (a->count && a->word[a->count - 1] == 0) a->count--;
}

/* top / bottom: bring both to the same number of bits, then 64 bits of the quotient one by one, as on paper. */
static double quotient(big *top, big *bottom) {
    int64_t exponent = bits(top) - bits(bottom);
    if (exponent > 0)
        shift_left(bottom, (int)exponent);
    else
        shift_left(top, (int)-exponent);
    if (!at_least(top, bottom)) {
        shift_left(top, 1);
        exponent--;
    }
    uint64_t leading = 0;
    for (int i = 0; i < 64; i++) {
        leading <<= 1;
        if (at_least(top, bottom)) {
            subtract(top, bottom);
            leading |= 1;
        }
        shift_left(top, 1);
    }
    return nearest(leading, top->count > 0, exponent - 63);
}

double assay_exact_score(uint64_t mantissa, int64_t exponent, const char *digits, const char *end) {
    if (digits == NULL && mantissa == 0) return 0;
#if defined(__SIZEOF_INT128__)
    double score;
    if (digits ? quick_cut_score(digits, end, exponent, &score) : quick_score(mantissa, exponent, &score)) return score;
#endif
    big top = {{0}, 0}, bottom = {{1}, 1};
    int64_t count = 0;
    if (digits == NULL) {
        top.word[0] = (uint32_t)mantissa;
        top.word[1] = (uint32_t)(mantissa >> 32);
        top.count = top.word[1] ? 2 : 1;
        for (uint64_t left = mantissa; left; left /= 10) count++;
    } else {
        /* No double, and no middle between two, has more than 767 digits: of what follows it matters only whether it is 0. */
        int rest = 0;
        for (; digits < end; digits++) {
            if (*digits == '.' || (count == 0 && *digits == '0')) continue;
            if (count++ < DIGITS)
                multiply_add(&top, 10, (uint32_t)(*digits - '0'));
            else
                rest |= *digits != '0';
        }
        if (count > DIGITS) {
            exponent += count - DIGITS - 1;
            count = DIGITS + 1;
            multiply_add(&top, 10, (uint32_t)rest);
        }
    }
    if (count + exponent > 310) return INFINITY; /* 10^310 at least */
    if (count + exponent < -325) return 0;
    if (exponent >= 0)
        times_power_of_ten(&top, exponent);
    else
        times_power_of_ten(&bottom, -exponent);
    return quotient(&top, &bottom);
}
