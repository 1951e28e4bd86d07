/* The swap method: what the difference of two runs on one subset says of that on another, of values of 16 bits or of 64.
 *
 * A comparison has one of 65 codes: 21 bins of the first difference by what the second says of it, and two for a first difference of
 * zero. Codes are made many at a time, and counted two at a time, which is one step through memory for two comparisons. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assay.h"
#include "instruction_sets.h"

#define KINDS 3 /* the second difference agrees; has the opposite sign; is the only one of the two that is zero */
#define BINS 21 /* of .00-.01 without 0, .01-.02 ... .20 and more */
#define ZERO (KINDS * BINS)
#define CODES (ZERO + 2) /* a first difference of zero, the second zero too or not */
#define PAIRS (CODES * CODES)
#define COPIES 4         /* of the counts, in turns: the same code often follows itself, and would wait for itself */

/* The bin of a difference, cut off at `most`, is (difference · raised + offset) · factor / 2^26 rounded down, the numbers such that it
 * is the bin, and no more than the last. */
typedef struct {
    uint16_t most, raised, offset, factor;
} scale;

INLINE uint16_t code_of(uint16_t a, uint16_t b, uint16_t c, uint16_t d, scale s) {
    uint16_t high = a > b ? a : b, low = a > b ? b : a, gap = (uint16_t)(high - low), capped = gap < s.most ? gap : s.most;
    uint16_t scaled = (uint16_t)((uint16_t)((uint32_t)capped * s.raised) + s.offset);
    uint16_t found = (uint16_t)((uint32_t)scaled * s.factor >> 16) >> 10, bin = found < BINS ? found : BINS - 1;
    uint16_t kind = c == d ? 2 : (uint16_t)((a > b) != (c > d));
    return a == b ? (uint16_t)(ZERO + (c != d)) : (uint16_t)(KINDS * bin + kind);
}

/* The same of values of any size. The bin is first guessed, off by far less than a half, and then held against the edge that is
 * nearest: 100 differences are at least so many units, or not. */
typedef struct {
    double guess; /* 100 over the unit */
    int64_t unit;
} hundredths;

INLINE int64_t wide_code_of(int64_t a, int64_t b, int64_t c, int64_t d, hundredths h) {
    int64_t first = a - b, second = c - d, gap = first < 0 ? -first : first;
    double near = (double)gap * h.guess;
    int64_t bin = (int64_t)((near < BINS - 1 ? near : BINS - 1) + 0.5);
    bin -= 100 * gap < bin * h.unit;
    int64_t kind = second == 0 ? 2 : (first > 0) != (second > 0);
    return first == 0 ? ZERO + (second != 0) : KINDS * bin + kind;
}

/* Two codes make a number `pair`, whose type is as wide as the values, so that making them is the same steps for all of them. */
#define COUNTED(name, type, pair, scale, code) \
    INLINE void name(const type *values, scale s, int32_t runs, int32_t trials, uint32_t *counts, pair *restrict both) { \
        const type *other = values + (size_t)runs * trials; \
        int32_t half = trials / 2; \
        for (int32_t x = 0; x < runs; x++) { \
            for (int32_t y = x + 1; y < runs; y++) { \
                const type *a = values + (size_t)x * trials, *b = values + (size_t)y * trials; \
                const type *c = other + (size_t)x * trials, *d = other + (size_t)y * trials; \
                for (int32_t t = 0; t < half; t++) { \
                    int32_t u = t + half; \
                    both[t] = (pair)(CODES * code(a[t], b[t], c[t], d[t], s) + code(a[u], b[u], c[u], d[u], s)); \
                } \
                int32_t t = 0; \
                for (; t + COPIES <= half; t += COPIES) { \
                    counts[both[t]]++; \
                    counts[PAIRS + both[t + 1]]++; \
                    counts[2 * PAIRS + both[t + 2]]++; \
                    counts[3 * PAIRS + both[t + 3]]++; \
                } \
                for (; t < half; t++) counts[both[t]]++; \
            } \
        } \
        for (int32_t x = 0; trials % 2 && x < runs; x++) { /* the last trial of an odd number has no other beside it */ \
            const type *first = values + trials - 1, *second = first + (size_t)runs * trials; \
            for (int32_t y = x + 1; y < runs; y++) { \
                size_t a = (size_t)x * trials, b = (size_t)y * trials; \
                counts[COPIES * PAIRS + code(first[a], first[b], second[a], second[b], s)]++; \
            } \
        } \
    } \
    VERSIONS(name, (const type *values, scale s, int32_t runs, int32_t trials, uint32_t *counts, pair *both), \
             (values, s, runs, trials, counts, both))

COUNTED(count_codes, uint16_t, uint16_t, scale, code_of)
COUNTED(count_wide_codes, int64_t, int64_t, hundredths, wide_code_of)

/* How many have each code, as how many reach each edge. */
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

/* How many reach each edge, from how many have each two codes, and each code of what was counted alone. */
static void add_counts(const uint32_t *counts, int64_t *edges) {
    int64_t codes[CODES] = {0};
    for (int i = 0; i < PAIRS; i++) {
        int64_t found = 0;
        for (int copy = 0; copy < COPIES; copy++) found += counts[copy * PAIRS + i];
        codes[i / CODES] += found;
        codes[i % CODES] += found;
    }
    for (int i = 0; i < CODES; i++) codes[i] += counts[COPIES * PAIRS + i];
    add_edges(codes, edges);
}

#define SWAPS(name, size, ...) \
    uint32_t *counts = calloc((size_t)COPIES * PAIRS + CODES, sizeof *counts); \
    void *both = malloc(((size_t)trials / 2 + 1) * (size)); \
    int there = counts != NULL && both != NULL; \
    if (there) { \
        DISPATCH(name, limit, (values, __VA_ARGS__, runs, trials, counts, both)); \
        add_counts(counts, edges); \
    } \
    free(counts); \
    free(both); \
    return there ? ASSAY_OK : ASSAY_MEMORY;

int assay_swaps(const uint16_t *values, int32_t runs, int32_t trials, int32_t most, int32_t raised, int32_t offset, int32_t factor,
                int64_t *edges, int32_t limit) {
    scale s = {(uint16_t)most, (uint16_t)raised, (uint16_t)offset, (uint16_t)factor};
    SWAPS(count_codes, sizeof(uint16_t), s)
}

int assay_wide_swaps(const int64_t *values, int32_t runs, int32_t trials, int64_t unit, int64_t *edges, int32_t limit) {
    hundredths h = {100.0 / (double)unit, unit};
    SWAPS(count_wide_codes, sizeof(int64_t), h)
}
