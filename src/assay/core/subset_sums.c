/* Sums over the topics that a trial draws first: of the first 50, the first 100, and so on, all from one shuffle.
 *
 * A subset of a trial is the beginning of its shuffle, and the second subset is what follows, so that the sums after a few places of
 * one shuffle are those of subsets of several sizes. Sums are of integers, in any order. Zeros and ones are added up as halves of
 * bytes, sixteen to a word, up to 15 of them, and those as bytes, up to 240. `resample_reference.py` is the same in numpy. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assay.h"
#include "random.h"
#include "row_sums.h"
#include "instruction_sets.h"

#define TOGETHER 16 /* trials whose sums are written at once: a line of the cache for each column */
#define WORDS 8     /* of 64 bits, in a block of columns */
#define BYTES 64
#define HALVES 128
#define FEW 15
#define MOST 240

typedef struct {
    const uint64_t *table; /* [block][topic][WORDS] */
    int32_t columns, topics, trials;
    uint64_t key, first;
    const int32_t *marks;
    int32_t count;
    uint32_t *thresholds, *identity, *pool, *picks;
    void *kept; /* [mark][TOGETHER][column of a block] */
} drawing;

/* The topics of one trial in the order they are drawn. Nearly always no number is thrown away, and then none waits for another. */
INLINE void shuffle(const drawing *d, uint64_t trial, uint32_t *restrict picks) {
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

/* Rows of zeros and ones, two columns to a byte, added to totals[column]. */
INLINE void add_halves(const uint64_t *table, const uint32_t *picks, int32_t count, uint16_t *total, int width) {
    uint8_t low[BYTES] = {0}, high[BYTES] = {0};
    for (int32_t at = 0; at < count; at += FEW) {
        uint64_t sum[WORDS] = {0};
        add_eight(table, picks + at, (size_t)(count - at < FEW ? count - at : FEW), sum, width);
        uint8_t both[BYTES];
        memcpy(both, sum, BYTES);
        for (int b = 0; b < BYTES; b++) {
            low[b] = (uint8_t)(low[b] + (both[b] & 15));
            high[b] = (uint8_t)(high[b] + (both[b] >> 4));
        }
    }
    for (int b = 0; b < BYTES; b++) {
        total[b] = (uint16_t)(total[b] + low[b]);
        total[BYTES + b] = (uint16_t)(total[BYTES + b] + high[b]);
    }
}

/* One block of columns of one trial, its sums at every mark. */
INLINE void add_block(const drawing *d, const uint64_t *table, const uint32_t *picks, int32_t slot, int bits, int width) {
    uint64_t sum[WORDS] = {0};
    uint16_t total[HALVES] = {0};
    for (int32_t m = 0, at = 0; m < d->count; m++) {
        int32_t mark = d->marks[m];
        size_t place = (size_t)m * TOGETHER + (size_t)slot;
        if (bits) {
            for (; at < mark; at += MOST) add_halves(table, picks + at, mark - at < MOST ? mark - at : MOST, total, width);
            memcpy((uint16_t *)d->kept + place * HALVES, total, sizeof total);
        } else {
            add_eight(table, picks + at, (size_t)(mark - at), sum, width);
            memcpy((uint64_t *)d->kept + place * WORDS, sum, sizeof sum);
        }
        at = mark;
    }
}

#define STORE(inner, type, width) \
    for (int32_t m = 0; m < d->count; m++) { \
        const inner *from = (const inner *)d->kept + (size_t)m * TOGETHER * (width); \
        for (int32_t c = 0; c < (width) && base + c < d->columns; c++) { \
            type *to = (type *)sums + ((size_t)m * d->columns + base + c) * d->trials + t; \
            for (int32_t i = 0; i < here; i++) to[i] = from[i * (width) + c]; \
        } \
    }

INLINE void add_drawn(const drawing *d, void *sums, int bits, int width) {
    int32_t draws = d->marks[d->count - 1], columns = bits ? HALVES : WORDS;
    for (int32_t t = 0; t < d->trials; t += TOGETHER) {
        int32_t here = d->trials - t < TOGETHER ? d->trials - t : TOGETHER;
        for (int32_t i = 0; i < here; i++) shuffle(d, d->first + (uint64_t)(t + i), d->picks + (size_t)i * draws);
        const uint64_t *table = d->table;
        for (int32_t base = 0; base < d->columns; base += columns, table += (size_t)d->topics * WORDS) {
            for (int32_t i = 0; i < here; i++) add_block(d, table, d->picks + (size_t)i * draws, i, bits, width);
            if (bits) {
                STORE(uint16_t, int32_t, HALVES)
            } else {
                STORE(int64_t, int64_t, WORDS)
            }
        }
    }
}

VERSIONS(add_drawn, (const drawing *d, void *sums, int bits), (d, sums, bits, WIDTH))

static int drawn(drawing d, void *sums, int bits, int32_t limit) {
    size_t draws = (size_t)d.marks[d.count - 1], topics = (size_t)d.topics;
    d.thresholds = malloc((draws + 2 * topics + TOGETHER * draws + 1) * sizeof *d.thresholds);
    d.kept = malloc((size_t)d.count * TOGETHER * HALVES * sizeof(uint16_t)); /* more than WORDS of 64 bits */
    if (d.thresholds == NULL || d.kept == NULL) {
        free(d.thresholds);
        free(d.kept);
        return ASSAY_MEMORY;
    }
    d.identity = d.thresholds + draws;
    d.pool = d.identity + topics;
    d.picks = d.pool + topics;
    for (size_t i = 0; i < draws; i++) d.thresholds[i] = (uint32_t)((1ULL << 32) % (topics - i));
    for (size_t i = 0; i < topics; i++) d.identity[i] = (uint32_t)i;
    DISPATCH(add_drawn, limit, (&d, sums, bits));
    free(d.thresholds);
    free(d.kept);
    return ASSAY_OK;
}

int assay_drawn_bits(const uint8_t *table, int32_t columns, uint64_t key, uint64_t first, int32_t trials, int32_t topics,
                     const int32_t *marks, int32_t count, int32_t *sums, int32_t limit) {
    drawing d = {.table = (const void *)table, .columns = columns, .topics = topics, .trials = trials,
                 .key = key, .first = first, .marks = marks, .count = count};
    return drawn(d, sums, 1, limit);
}

int assay_drawn_values(const int64_t *table, int32_t columns, uint64_t key, uint64_t first, int32_t trials, int32_t topics,
                       const int32_t *marks, int32_t count, int64_t *sums, int32_t limit) {
    drawing d = {.table = (const void *)table, .columns = columns, .topics = topics, .trials = trials,
                 .key = key, .first = first, .marks = marks, .count = count};
    return drawn(d, sums, 0, limit);
}
