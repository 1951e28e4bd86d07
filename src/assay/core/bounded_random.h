/* Random integers below a bound, a whole row at a time, for shuffles and draws with replacement. */
#ifndef ASSAY_BOUNDED_RANDOM_H
#define ASSAY_BOUNDED_RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "assay.h"
#include "random.h"

/* Products of 64-bit numbers are slower in vectors than one by one before AVX-512; this keeps compilers from it. */
#if defined(__GNUC__)
#define ONE_BY_ONE(word) __asm__("" : "+r"(word))
#else
#define ONE_BY_ONE(word) ((void)0)
#endif

/* Up to this bound an integer takes 16 random bits, above it 32. */
#define NARROW 4096

/* The bounds of one row: an integer below s is (r · s) >> bits for `bits` random bits r, rejected where the product's low
 * bits are under 2^bits mod s (Lemire, "Fast random integer generation in an interval", 2019). */
typedef struct {
    uint32_t *bounds, *thresholds;
    uint16_t *narrow_bounds, *narrow_thresholds;
    size_t count;
    int narrow;
} ranges;

static void free_ranges(ranges *set) {
    free(set->bounds);
    free(set->narrow_bounds);
}

/* `falling`: the bounds count + 1, count, ..., 2 of a shuffle; otherwise `count` times the bound `count`. */
static int make_ranges(ranges *set, size_t count, int falling) {
    set->count = count;
    set->narrow = count + 1 <= NARROW;
    set->bounds = malloc(2 * (count + 1) * sizeof(uint32_t));
    set->narrow_bounds = malloc(2 * (count + 1) * sizeof(uint16_t));
    if (!set->bounds || !set->narrow_bounds) {
        free_ranges(set);
        return ASSAY_MEMORY;
    }
    set->thresholds = set->bounds + count + 1;
    set->narrow_thresholds = set->narrow_bounds + count + 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t bound = (uint32_t)(falling ? count + 1 - i : count);
        set->bounds[i] = bound;
        set->thresholds[i] = (uint32_t)((1ULL << 32) % bound);
        set->narrow_bounds[i] = (uint16_t)bound;
        set->narrow_thresholds[i] = (uint16_t)((1UL << 16) % bound);
    }
    return ASSAY_OK;
}

/* Four 16-bit lanes of each word, lowest first, one an integer. `lanes` has room for count + 3. */
static inline void draw_narrow(uint64_t *restrict state, const ranges *set, uint16_t *restrict lanes, uint32_t *restrict picks) {
    const uint16_t *restrict bounds = set->narrow_bounds, *restrict thresholds = set->narrow_thresholds;
    size_t count = set->count;
    uint64_t here = *state;
    uint16_t biased = 0;
    for (size_t i = 0; i < count; i += 4) {
        uint64_t word = assay_bits(&here);
        ONE_BY_ONE(word);
        lanes[i] = (uint16_t)word;
        lanes[i + 1] = (uint16_t)(word >> 16);
        lanes[i + 2] = (uint16_t)(word >> 32);
        lanes[i + 3] = (uint16_t)(word >> 48);
    }
    for (size_t i = 0; i < count; i++) {
        uint16_t high = (uint16_t)((uint32_t)lanes[i] * bounds[i] >> 16), low = (uint16_t)(lanes[i] * (uint32_t)bounds[i]);
        picks[i] = high;
        biased |= (uint16_t)(low < thresholds[i]);
    }
    for (size_t i = 0; biased && i < count; i++) {
        uint32_t product = (uint32_t)lanes[i] * bounds[i];
        while ((uint16_t)product < thresholds[i]) product = (uint32_t)(uint16_t)assay_bits(&here) * bounds[i];
        picks[i] = product >> 16;
    }
    *state = here;
}

/* Two 32-bit lanes of each word, lowest first; a biased integer is drawn again at once with the low lane of a new word. */
static inline void draw_wide(uint64_t *restrict state, const ranges *set, uint32_t *restrict picks) {
    uint64_t here = *state, word = 0;
    for (size_t i = 0; i < set->count; i++) {
        word = i % 2 ? word >> 32 : assay_bits(&here);
        uint64_t product = (uint64_t)(uint32_t)word * set->bounds[i];
        while ((uint32_t)product < set->thresholds[i]) product = (uint64_t)(uint32_t)assay_bits(&here) * set->bounds[i];
        picks[i] = (uint32_t)(product >> 32);
    }
    *state = here;
}

static inline void draw_all(uint64_t *state, const ranges *set, uint16_t *lanes, uint32_t *picks) {
    if (set->narrow)
        draw_narrow(state, set, lanes, picks);
    else
        draw_wide(state, set, picks);
}

#endif
