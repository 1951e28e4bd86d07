/* The swap method: what the difference of two runs on one subset says of that on another.
 *
 * A comparison has one of 65 codes: 21 bins of the first difference by what the second says of it, and two for a first difference of
 * zero. Codes are counted first; how many comparisons reach each edge follows. */
#include <stddef.h>
#include <stdint.h>

#include "assay.h"

#define KINDS 3 /* the second difference agrees; has the opposite sign; is the only one of the two that is zero */
#define BINS 21 /* of .00-.01 without 0, .01-.02 ... .20 and more */
#define ZERO (KINDS * BINS)
#define CODES (ZERO + 2) /* a first difference of zero, the second zero too or not */

/* The bin is estimated in floating point, off by far less than a half, and corrected by an integer comparison with the nearest
 * edge. */
typedef struct {
    double guess; /* 100 over the unit */
    int64_t unit;
} hundredths;

static inline int64_t code_of(int64_t a, int64_t b, int64_t c, int64_t d, hundredths h) {
    int64_t first = a - b, second = c - d, gap = first < 0 ? -first : first;
    double near = (double)gap * h.guess;
    int64_t bin = (int64_t)((near < BINS - 1 ? near : BINS - 1) + 0.5);
    bin -= 100 * gap < bin * h.unit;
    int64_t kind = second == 0 ? 2 : (first > 0) != (second > 0);
    return first == 0 ? ZERO + (second != 0) : KINDS * bin + kind;
}

/* Convert counts by code to counts by edge reached. */
static void add_edges(const int64_t *codes, int64_t *edges) {
    int64_t reached[KINDS] = {0};
    for (int bin = BINS - 1; bin >= 0; bin--) {
        const int64_t *here = codes + KINDS * bin;
        reached[0] += here[0] + here[1] + here[2];
        reached[1] += here[1];
        reached[2] += here[2];
        for (int kind = 0; kind < KINDS; kind++) edges[KINDS * (bin + 1) + kind] += reached[kind];
    }
    edges[0] += reached[0] + codes[ZERO] + codes[ZERO + 1];
    edges[1] += reached[1];
    edges[2] += reached[2] + codes[ZERO + 1];
}

void assay_swaps(const int64_t *values, int32_t runs, int32_t trials, int64_t unit, int64_t *edges) {
    const int64_t *other = values + (size_t)runs * trials;
    hundredths h = {100.0 / (double)unit, unit};
    int64_t codes[CODES] = {0};
    for (int32_t x = 0; x < runs; x++) {
        for (int32_t y = x + 1; y < runs; y++) {
            size_t a = (size_t)x * trials, b = (size_t)y * trials;
            for (int32_t t = 0; t < trials; t++) codes[code_of(values[a + t], values[b + t], other[a + t], other[b + t], h)]++;
        }
    }
    add_edges(codes, edges);
}
