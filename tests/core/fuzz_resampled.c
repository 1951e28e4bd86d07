/* Swaps of 16 bits and the studentised bootstrap, by every instruction set, against plain loops. */
#include <math.h>

#include "fuzz.h"

enum { EDGES = 22, KINDS = 3 };

int fuzz_swaps(choices *c) {
    int32_t runs = (int32_t)below(c, 6), trials = (int32_t)below(c, below(c, 20) ? 40 : 1000), most = 1 + (int32_t)below(c, 65535);
    int32_t raised = 1 + (int32_t)below(c, (uint32_t)(65535 / most)), offset = (int32_t)below(c, (uint32_t)(65536 - most * raised));
    int32_t factor = (int32_t)below(c, 65536);
    uint32_t spread = 1 + below(c, below(c, 2) ? 65536 : 50); /* few values, and zeros and equal differences are many */
    size_t cells = (size_t)(2 * runs * trials);
    uint16_t *values = exactly(cells, sizeof *values);
    for (size_t i = 0; i < cells; i++) values[i] = (uint16_t)below(c, spread);
    int64_t expected[EDGES * KINDS] = {0};
    for (int32_t x = 0; x < runs; x++) {
        for (int32_t y = x + 1; y < runs; y++) {
            for (int32_t t = 0; t < trials; t++) {
                int32_t first = values[x * trials + t] - values[y * trials + t];
                int32_t second = values[(runs + x) * trials + t] - values[(runs + y) * trials + t], gap = abs(first);
                uint32_t bin = ((uint32_t)((gap < most ? gap : most) * raised + offset) * (uint32_t)factor) >> 26;
                for (int k = 0; k < EDGES; k++) {
                    if (k > 0 && (first == 0 || (k > 1 && bin < (uint32_t)k - 1))) continue;
                    expected[KINDS * k]++;
                    expected[KINDS * k + 1] += (first > 0 && second < 0) || (first < 0 && second > 0);
                    expected[KINDS * k + 2] += (first == 0) != (second == 0);
                }
            }
        }
    }
    for (int32_t limit = 0; limit < 3; limit++) {
        int64_t edges[EDGES * KINDS] = {0};
        check(assay_swaps(values, runs, trials, most, raised, offset, factor, edges, limit) == ASSAY_OK, "swaps are counted");
        check(memcmp(edges, expected, sizeof edges) == 0, "swaps are those of the plain loop");
    }
    free(values);
    return 1;
}

int fuzz_studentised(choices *c) {
    enum { PAIRS = 8, WORDS = 16 };
    int64_t rows = 2 + below(c, below(c, 9) ? 40 : 600), pairs = below(c, 20), trials = below(c, below(c, 9) ? 20 : 150), runs = 1 + below(c, 4);
    int64_t blocks = (pairs + PAIRS - 1) / PAIRS, columns = 2 * pairs;
    uint64_t key = assay_bits(&c->state);
    double room = below(c, 2) ? 0.5 : 0;
    int64_t *table = exactly((size_t)(blocks * rows * WORDS), sizeof *table), *plain = exactly((size_t)(rows * columns), sizeof *plain);
    int64_t *sums = exactly((size_t)(trials * columns), sizeof *sums);
    int64_t *a = exactly((size_t)pairs, sizeof *a), *b = exactly((size_t)pairs, sizeof *b);
    double *scales = exactly((size_t)columns, sizeof *scales), *estimates = exactly((size_t)pairs, sizeof *estimates);
    double *values = exactly((size_t)(runs * trials), sizeof *values);
    memset(table, 0, (size_t)(blocks * rows * WORDS) * sizeof *table);
    int same = below(c, 5) == 0; /* without any spread */
    for (int64_t i = 0; i < pairs; i++) {
        a[i] = below(c, (uint32_t)runs), b[i] = below(c, (uint32_t)runs);
        scales[i] = ldexp(1, (int)below(c, 8)), scales[pairs + i] = ldexp(1, (int)below(c, 8));
        estimates[i] = below(c, 7) / 4.0;
        for (int64_t r = 0; r < rows; r++) {
            int64_t *block = table + (i / PAIRS * rows + r) * WORDS + i % PAIRS, difference = same ? 3 : (int64_t)below(c, 9) - 4;
            plain[r * columns + i] = block[0] = difference * (int64_t)scales[i];
            plain[r * columns + pairs + i] = block[PAIRS] = difference * difference * (int64_t)scales[pairs + i];
        }
    }
    for (int64_t i = 0; i < runs * trials; i++) values[i] = below(c, 30) / 4.0;
    const int64_t *others = below(c, 3) ? b : NULL;
    check(assay_bootstrap_sums(plain, rows, columns, key, 0, trials, 1, sums) == ASSAY_OK, "sums are found");
    for (int32_t limit = 0; limit < 3; limit++) {
        double *out = exactly((size_t)(pairs * trials), sizeof *out);
        check(assay_studentised(table, rows, pairs, scales, key, trials, values, a, others, estimates, &room, out, limit) == ASSAY_OK,
              "differences are studentised");
        for (int64_t i = 0; i < pairs; i++) {
            for (int64_t t = 0; t < trials; t++) {
                double m = (double)rows, sum = (double)sums[t * columns + i] / scales[i];
                double square = (double)sums[t * columns + pairs + i] / scales[pairs + i], mean = sum / m;
                double spread = square - 2 * mean * sum + mean * mean * m;
                double error = sqrt((spread > 1e-13 * square ? spread : 0) * (m / (m - 1))) / m;
                double star = values[a[i] * trials + t] - (others ? values[others[i] * trials + t] : 0) - estimates[i];
                double expected = fabs(star) <= room ? 0 : star / error;
                check(memcmp(&out[i * trials + t], &expected, sizeof expected) == 0, "pivots are those of the plain loop, to the last bit");
            }
        }
        free(out);
    }
    void *used[] = {table, plain, sums, a, b, scales, estimates, values};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) free(used[i]);
    return 1;
}
