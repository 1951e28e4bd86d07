/* What the fuzzer's files share: choices made by the bytes of an input, and how a broken promise is told. */
#ifndef ASSAY_FUZZ_H
#define ASSAY_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/assay/core/assay.h"
#include "../../src/assay/core/random.h"

/* The input decides as long as it lasts; then a generator started from it does. The same bytes always mean the same case. */
typedef struct {
    const uint8_t *at, *end;
    uint64_t state;
} choices;

static inline uint32_t below(choices *c, uint32_t bound) {
    size_t wanted = bound <= 256 ? 1 : bound <= 65536 ? 2 : 4;
    if ((size_t)(c->end - c->at) < wanted) return assay_below(&c->state, bound);
    uint32_t value = 0;
    for (size_t i = 0; i < wanted; i++) value = value << 8 | *c->at++;
    return value % bound;
}

/* A whole number of at most so many, its size as likely small as large. */
static inline int64_t whole(choices *c, int64_t most) {
    uint64_t bits = assay_bits(&c->state) >> below(c, 64);
    int64_t value = (int64_t)(bits % ((uint64_t)most + 1));
    return below(c, 2) ? -value : value;
}

/* Ends the program where the core broke its word. */
void check(int holds, const char *promise);

/* Memory of exactly this size, so that one byte too far is seen. */
static inline void *exactly(size_t count, size_t size) {
    size_t bytes = count * size;
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) abort();
    return memory;
}

static inline void *copied(const void *bytes, size_t size) {
    void *copy = exactly(size, 1);
    if (size) memcpy(copy, bytes, size);
    return copy;
}

/* work(item) for each of `count` items of `size` bytes, one after the other or all at once, each by a thread of its own. */
void do_all(void *(*work)(void *), void *items, size_t size, int count, int at_once);

/* fuzz_reading.c, fuzz_dicts.c, fuzz_streams.c, fuzz_kernels.c, fuzz_resampled.c, fuzz_whole.c and fuzz_overlaps.c; each returns
 * whether the core accepted its case. */
int fuzz_text(choices *c);
int fuzz_packed(choices *c);
int fuzz_dicts(choices *c);
int fuzz_sums(choices *c);
int fuzz_subsets(choices *c);
int fuzz_pairs(choices *c);
int fuzz_describe(choices *c);
int fuzz_top_documents(choices *c);
int fuzz_whole(choices *c);
int fuzz_streams(choices *c);
int fuzz_flipped(choices *c);
int fuzz_overlaps(choices *c);

#endif
