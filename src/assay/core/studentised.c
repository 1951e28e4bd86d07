/* The studentised bootstrap of differences between runs: each resample's difference over the standard error it has there.
 *
 * The sums of differences and of their squares are of 64-bit integers, in any order; what follows is arithmetic of doubles in the one
 * order that `error_of_means` in resampling/arithmetic.py has, whose bits it gives. A topic drawn three times is added once as it is
 * and once doubled: the topics of a draw are sorted by the bits of how often they came, which is fewer rows to add, and in order. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assay.h"
#include "bounded_random.h"
#include "random.h"
#include "row_sums.h"
#include "instruction_sets.h"

#define TOGETHER 64 /* trials whose rows are known at a time */
#define BITS 4      /* once, twice, four times, and eight times as often as it takes */
#define RANGE 256   /* rows added up for all these trials before the next: they stay in the first-level cache */
#define PAIRS 8     /* in a block */
#define WORDS 16    /* their sums, then their squares */

typedef struct {
    const uint64_t *table; /* [block][row][WORDS] */
    size_t rows, ranges, pairs, trials;
    const double *scales; /* of the sums, then of the squares */
    const double *values; /* [run][trial] */
    const int64_t *a, *b;
    const double *estimates;
    double room;
    double *out; /* [pair][trial] */
    uint32_t *lists; /* [trial][bit][row] */
    uint32_t *ends;  /* [trial][range][bit], where the rows of a range end in each list */
} work;

/* The rows that a trial draws, by the bits of how often. */
static void sort_rows(const uint32_t *picks, size_t rows, uint32_t *often, uint32_t *lists, uint32_t *ends) {
    memset(often, 0, rows * sizeof *often);
    for (size_t i = 0; i < rows; i++) often[picks[i]]++;
    uint32_t *once = lists, *twice = once + rows, *fourfold = twice + rows, *eightfold = fourfold + rows;
    uint32_t n[BITS] = {0};
    for (size_t i = 0; i < rows; i++) {
        uint32_t times = often[i];
        once[n[0]] = twice[n[1]] = fourfold[n[2]] = (uint32_t)i;
        n[0] += times & 1;
        n[1] += times >> 1 & 1;
        n[2] += times >> 2 & 1;
        for (times >>= 3; times; times--) eightfold[n[3]++] = (uint32_t)i;
        if (i % RANGE == RANGE - 1 || i == rows - 1) memcpy(ends + i / RANGE * BITS, n, sizeof n);
    }
}

/* Adds the rows of one range to the sums of one trial. */
INLINE void add_range(const work *w, const uint64_t *block, size_t trial, size_t range, uint64_t *sum, int width) {
    const uint32_t *end = w->ends + (trial * w->ranges + range) * BITS, *lists = w->lists + trial * BITS * w->rows;
    uint64_t part[WORDS] = {0};
    for (int bit = BITS - 1; bit >= 0; bit--) {
        uint32_t from = range ? end[bit - BITS] : 0;
        for (int i = 0; i < WORDS; i++) part[i] *= 2;
        add_sixteen(block, lists + (size_t)bit * w->rows + from, end[bit] - from, part, width);
    }
    for (int i = 0; i < WORDS; i++) sum[i] += part[i];
}

/* One pair on the trials from `first` on. */
INLINE void pivots_of(const work *w, size_t pair, const int64_t *sums, const int64_t *squares, size_t first, size_t here) {
    /* A quotient by a power of two is the product with its inverse, to the last bit. */
    double m = (double)w->rows, ratio = m / (m - 1.0), one = 1 / w->scales[pair], two = 1 / w->scales[w->pairs + pair];
    double errors[TOGETHER];
    for (size_t t = 0; t < here; t++) {
        double sum = (double)sums[t] * one, square = (double)squares[t] * two, mean = sum / m;
        double spread = square - 2 * mean * sum + mean * mean * m;
        errors[t] = (spread > 1e-13 * square ? spread : 0.0) * ratio;
    }
    for (size_t t = 0; t < here; t++) errors[t] = sqrt(errors[t]);
    const double *x = w->values + (size_t)w->a[pair] * w->trials + first;
    const double *y = w->b ? w->values + (size_t)w->b[pair] * w->trials + first : NULL;
    double *out = w->out + pair * w->trials + first, estimate = w->estimates[pair], room = w->room;
    for (size_t t = 0; t < here; t++) {
        double star = (y ? x[t] - y[t] : x[t]) - estimate;
        out[t] = fabs(star) <= room ? 0.0 : star / (errors[t] / m);
    }
}

/* All pairs on the trials from `first` on, whose rows are known. */
INLINE void pivots(const work *w, size_t first, size_t here, int width) {
    uint64_t sums[TOGETHER][WORDS];
    int64_t found[WORDS][TOGETHER];
    const uint64_t *block = w->table;
    for (size_t base = 0; base < w->pairs; base += PAIRS, block += w->rows * WORDS) {
        size_t pairs = w->pairs - base < PAIRS ? w->pairs - base : PAIRS;
        memset(sums, 0, sizeof sums);
        for (size_t range = 0; range < w->ranges; range++) {
            for (size_t t = 0; t < here; t++) add_range(w, block, t, range, sums[t], width);
        }
        for (size_t t = 0; t < here; t++) {
            for (int i = 0; i < WORDS; i++) found[i][t] = (int64_t)sums[t][i];
        }
        for (size_t i = 0; i < pairs; i++) pivots_of(w, base + i, found[i], found[PAIRS + i], first, here);
    }
}

VERSIONS(pivots, (const work *w, size_t first, size_t here), (w, first, here, WIDTH))

int assay_studentised(const int64_t *table, int64_t rows, int64_t pairs, const double *scales, uint64_t key, int64_t trials,
                      const double *values, const int64_t *a, const int64_t *b, const double *estimates, const double *room, double *out,
                      int32_t limit) {
    ranges set;
    work w = {.table = (const void *)table, .rows = (size_t)rows, .ranges = ((size_t)rows + RANGE - 1) / RANGE, .pairs = (size_t)pairs, .trials = (size_t)trials,
              .scales = scales, .values = values, .a = a, .b = b, .estimates = estimates, .room = *room, .out = out};
    if (make_ranges(&set, w.rows, 0) != ASSAY_OK) return ASSAY_MEMORY;
    uint32_t *picks = malloc(2 * (w.rows + 1) * sizeof *picks);
    uint16_t *lanes = malloc((w.rows + 4) * sizeof *lanes);
    w.lists = malloc((TOGETHER * BITS * w.rows + 1) * sizeof *w.lists);
    w.ends = malloc((TOGETHER * w.ranges + 1) * BITS * sizeof *w.ends);
    int failed = !picks || !lanes || !w.lists || !w.ends;
    for (size_t first = 0; !failed && first < w.trials; first += TOGETHER) {
        size_t here = w.trials - first < TOGETHER ? w.trials - first : TOGETHER;
        for (size_t t = 0; t < here; t++) {
            uint64_t state = assay_stream(key, first + t);
            draw_all(&state, &set, lanes, picks);
            sort_rows(picks, w.rows, picks + w.rows, w.lists + t * BITS * w.rows, w.ends + t * w.ranges * BITS);
        }
        DISPATCH(pivots, limit, (&w, first, here));
    }
    free(picks);
    free(lanes);
    free(w.lists);
    free(w.ends);
    free_ranges(&set);
    return failed ? ASSAY_MEMORY : ASSAY_OK;
}
