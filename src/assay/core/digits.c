/* Doubles as text, as the interpreter's repr writes them: the shortest digits that stand for the number, of those the nearest. */
#include <string.h>

#include "assay.h"

#if defined(__SIZEOF_INT128__)
typedef unsigned __int128 wide;

enum { PRECISION = 17 }; /* digits that are always enough */

/* Whether a whole number lies less than `half` from `scaled` / 2^shift, or is it: then it is read as the same double. */
static int stands_for(uint64_t number, wide scaled, wide half, int shift) {
    wide at = (wide)number << shift, off = at > scaled ? at - scaled : scaled - at;
    return off == 0 || off < half;
}

/* The nearest multiple of `step` to scaled / 2^shift; 0 where two are as near. */
static uint64_t nearest_multiple(wide scaled, int shift, uint64_t step) {
    uint64_t below = (uint64_t)(scaled >> shift) / step * step;
    wide over = scaled - ((wide)below << shift), middle = ((wide)step << shift) / 2;
    return over == middle ? 0 : over > middle ? below + step : below;
}

/* The digits of a double from 0.0001 to below 1, and how many places behind the point they end; 0 where the interpreter must look. With
 * 53 bits and at most 20 places all of it is whole numbers of 128 bits, and nothing is rounded. */
static int shortest(double value, uint64_t *digits, int *places) {
    static const uint64_t steps[] = {100, 10, 1}; /* 15 digits, 16 or 17; of 15 that do, fewer are the same with zeros behind them */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & ((1ULL << 52) - 1);
    int more = value < 0.001 ? 3 : value < 0.01 ? 2 : value < 0.1 ? 1 : 0;
    wide power = 762939453125ULL; /* 5^17; the powers of 2 in those of 10 only shift */
    for (int i = 0; i < more; i++) power *= 5;
    *places = PRECISION + more;
    /* Twice as much of both, as half a bit of the last place is not whole. Below a power of two the next double is nearer than above:
     * these are written as they are, which is short. */
    wide scaled = (wide)(fraction | 1ULL << 52) * power * 2, half = fraction ? power : 0;
    int shift = 1075 - (int)(bits >> 52) - *places + 1;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        uint64_t number = nearest_multiple(scaled, shift, steps[i]);
        if (number == 0) return 0;
        if (!stands_for(number, scaled, half, shift)) continue;
        for (; number % 10 == 0; number /= 10) --*places;
        *digits = number;
        return 1;
    }
    return 0;
}

static char *put(char *out, uint64_t digits, int places) {
    *out++ = '0';
    *out++ = '.';
    for (int i = places - 1; i >= 0; i--, digits /= 10) out[i] = (char)('0' + digits % 10);
    return out + places;
}
#endif

/* One double; NULL where the interpreter must write it. */
static char *write_double(double value, char *out) {
    static const double known[] = {0.0, 1.0};
    for (int one = 0; one < 2; one++) {
        if (memcmp(&value, &known[one], sizeof *known) == 0) return (char *)memcpy(out, one ? "1.0" : "0.0", 3) + 3;
    }
#if defined(__SIZEOF_INT128__)
    uint64_t digits;
    int places;
    if (value >= 0.0001 && value < 1 && shortest(value, &digits, &places)) return put(out, digits, places);
#endif
    return NULL;
}

int64_t assay_write_rows(const char *lead, int64_t rows, const double *const *columns, int64_t width, int separator, char *out,
                         int64_t *left) {
    char *start = out;
    int64_t *next = left + 1;
    for (int64_t row = 0; row < rows; row++) {
        size_t length = strlen(lead);
        memcpy(out, lead, length);
        out += length;
        lead += length + 1;
        for (int64_t column = 0; column < width; column++) {
            *out++ = (char)separator;
            char *end = write_double(columns[column][row], out);
            if (end == NULL) {
                *next++ = row * width + column;
                *next++ = out - start;
                continue;
            }
            out = end;
        }
        *out++ = '\n';
    }
    *left = (next - left) / 2;
    return out - start;
}
