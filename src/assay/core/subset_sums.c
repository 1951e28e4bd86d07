/* Sums over the topics that a trial draws first: of the first 50, the first 100, and so on, all from one shuffle.
 *
 * A subset of a trial is the beginning of its shuffle, and the second subset is what follows, so that the sums after a few places of
 * one shuffle are those of subsets of several sizes. Sums are of integers, in any order. `resample_reference.py` is the same in numpy.
 *
 * `assay reliability` of 24 runs on 30 topics with 20,000 trials takes 0.7 s of processor time, 1.4 s in numpy; of the demo's answers 0.3 s,
 * 1.7 s in numpy. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assay.h"
#include "random.h"

#define TOGETHER 16 /* trials whose sums are written at once: a line of the cache for each column */
#define WIDTH 8     /* columns of a block, whose rows stay near each other */

typedef struct {
    const int64_t *table; /* [block][topic][WIDTH] */
    int32_t columns, topics, trials;
    uint64_t key, first;
    const int32_t *marks;
    int32_t count;
    uint32_t *thresholds, *identity, *pool, *picks;
    int64_t *kept; /* [mark][TOGETHER][column of a block] */
} drawing;

/* The topics of one trial in the order they are drawn. Numbers are rarely rejected; without a rejection none depends on another. */
static inline void shuffle(const drawing *d, uint64_t trial, uint32_t *restrict picks) {
    uint64_t start = assay_stream(d->key, trial);
    int32_t draws = d->marks[d->count - 1];
    const uint32_t *restrict thresholds = d->thresholds;
    uint32_t biased = 0, topics = (uint32_t)d->topics;
    for (int32_t i = 0; i < draws; i++) {
        uint64_t product = (assay_mix(start + (uint64_t)(i + 1) * ASSAY_GAMMA) >> 32) * (topics - (uint32_t)i);
        biased |= (uint32_t)product < thresholds[i];
        picks[i] = (uint32_t)i + (uint32_t)(product >> 32);
    }
    for (int32_t i = 0; biased && i < draws; i++) picks[i] = (uint32_t)i + assay_below(&start, topics - (uint32_t)i);
    memcpy(d->pool, d->identity, topics * sizeof *d->pool);
    uint32_t *pool = d->pool;
    for (int32_t i = 0; i < draws; i++) {
        uint32_t j = picks[i], chosen = pool[j];
        pool[j] = pool[i];
        picks[i] = chosen;
    }
}

/* One block of columns of one trial, its sums at every mark. */
static inline void add_block(const drawing *d, const int64_t *table, const uint32_t *picks, int32_t slot) {
    int64_t sum[WIDTH] = {0};
    for (int32_t m = 0, at = 0; m < d->count; m++) {
        for (; at < d->marks[m]; at++) {
            const int64_t *row = table + (size_t)picks[at] * WIDTH;
            for (int c = 0; c < WIDTH; c++) sum[c] += row[c];
        }
        memcpy(d->kept + ((size_t)m * TOGETHER + (size_t)slot) * WIDTH, sum, sizeof sum);
    }
}

static void add_drawn(const drawing *d, int64_t *sums) {
    int32_t draws = d->marks[d->count - 1];
    for (int32_t t = 0; t < d->trials; t += TOGETHER) {
        int32_t here = d->trials - t < TOGETHER ? d->trials - t : TOGETHER;
        for (int32_t i = 0; i < here; i++) shuffle(d, d->first + (uint64_t)(t + i), d->picks + (size_t)i * draws);
        const int64_t *table = d->table;
        for (int32_t base = 0; base < d->columns; base += WIDTH, table += (size_t)d->topics * WIDTH) {
            for (int32_t i = 0; i < here; i++) add_block(d, table, d->picks + (size_t)i * draws, i);
            for (int32_t m = 0; m < d->count; m++) {
                const int64_t *from = d->kept + (size_t)m * TOGETHER * WIDTH;
                for (int32_t c = 0; c < WIDTH && base + c < d->columns; c++) {
                    int64_t *to = sums + ((size_t)m * d->columns + base + c) * d->trials + t;
                    for (int32_t i = 0; i < here; i++) to[i] = from[i * WIDTH + c];
                }
            }
        }
    }
}

int assay_drawn(const int64_t *table, int32_t columns, uint64_t key, uint64_t first, int32_t trials, int32_t topics,
                const int32_t *marks, int32_t count, int64_t *sums) {
    drawing d = {.table = table, .columns = columns, .topics = topics, .trials = trials,
                 .key = key, .first = first, .marks = marks, .count = count};
    size_t draws = (size_t)marks[count - 1], all = (size_t)topics;
    d.thresholds = malloc((draws + 2 * all + TOGETHER * draws + 1) * sizeof *d.thresholds);
    d.kept = malloc((size_t)count * TOGETHER * WIDTH * sizeof *d.kept);
    int status = d.thresholds && d.kept ? ASSAY_OK : ASSAY_MEMORY;
    if (status == ASSAY_OK) {
        d.identity = d.thresholds + draws;
        d.pool = d.identity + all;
        d.picks = d.pool + all;
        for (size_t i = 0; i < draws; i++) d.thresholds[i] = (uint32_t)((1ULL << 32) % (all - i));
        for (size_t i = 0; i < all; i++) d.identity[i] = (uint32_t)i;
        add_drawn(&d, sums);
    }
    free(d.thresholds);
    free(d.kept);
    return status;
}
