/* The swap method: what the difference of two runs on one subset says of that on another.
 *
 * A comparison has one of 65 codes: 21 bins of the first difference by what the second says of it, and two for a first difference of
 * zero. Codes are made many at a time, and counted two at a time, which is one step through memory for two comparisons. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assay.h"

#define KINDS 3 /* the second difference agrees; has the opposite sign; is the only one of the two that is zero */
#define BINS 21 /* of .00-.01 without 0, .01-.02 ... .20 and more */
#define ZERO (KINDS * BINS)
#define CODES (ZERO + 2) /* a first difference of zero, the second zero too or not */
#define PAIRS (CODES * CODES)
#define COPIES 4         /* of the counts, in turns: the same code often follows itself, and would wait for itself */

/* The bin is first guessed, off by far less than a half, and then held against the edge that is nearest: 100 differences are at
 * least so many units, or not. */
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

/* Count the codes of two trials together; `both` has room for half of the trials. */
static void count_codes(const int64_t *values, hundredths h, int32_t runs, int32_t trials, uint32_t *counts, int64_t *restrict both) {
    const int64_t *other = values + (size_t)runs * trials;
    int32_t half = trials / 2;
    for (int32_t x = 0; x < runs; x++) {
        for (int32_t y = x + 1; y < runs; y++) {
            const int64_t *a = values + (size_t)x * trials, *b = values + (size_t)y * trials;
            const int64_t *c = other + (size_t)x * trials, *d = other + (size_t)y * trials;
            for (int32_t t = 0; t < half; t++) {
                int32_t u = t + half;
                both[t] = CODES * code_of(a[t], b[t], c[t], d[t], h) + code_of(a[u], b[u], c[u], d[u], h);
            }
            for (int32_t t = 0; t < half; t++) counts[t % COPIES * PAIRS + both[t]]++;
            if (trials % 2) { /* the last trial of an odd number has no other beside it */
                int32_t t = trials - 1;
                counts[COPIES * PAIRS + code_of(a[t], b[t], c[t], d[t], h)]++;
            }
        }
    }
}

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

int assay_swaps(const int64_t *values, int32_t runs, int32_t trials, int64_t unit, int64_t *edges) {
    hundredths h = {100.0 / (double)unit, unit};
    uint32_t *counts = calloc((size_t)COPIES * PAIRS + CODES, sizeof *counts);
    int64_t *both = malloc(((size_t)trials / 2 + 1) * sizeof *both);
    int status = counts && both ? ASSAY_OK : ASSAY_MEMORY;
    if (status == ASSAY_OK) {
        count_codes(values, h, runs, trials, counts, both);
        add_counts(counts, edges);
    }
    free(counts);
    free(both);
    return status;
}
