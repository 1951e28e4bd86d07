/* Dice of any number of sides, a whole row of them at a time: what shuffles and draws with replacement roll. */
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

/* Dice with at most so many sides are rolled with 16 random bits each, larger ones with 32. */
#define NARROW 4096

/* The dice of one row: a die of s sides is (r · s) >> bits for `bits` random bits r, thrown away where the product's low
 * bits are under 2^bits mod s (Lemire, "Fast random integer generation in an interval", 2019). */
typedef struct {
    uint32_t *sides, *thresholds;
    uint16_t *narrow_sides, *narrow_thresholds;
    size_t count;
    int narrow;
} dice;

static void forget(dice *set) {
    free(set->sides);
    free(set->narrow_sides);
}

/* `falling`: count + 1, count, ..., 2 sides, as a shuffle needs them; otherwise `count` dice of `count` sides each. */
static int make_dice(dice *set, size_t count, int falling) {
    set->count = count;
    set->narrow = count + 1 <= NARROW;
    set->sides = malloc(2 * (count + 1) * sizeof(uint32_t));
    set->narrow_sides = malloc(2 * (count + 1) * sizeof(uint16_t));
    if (!set->sides || !set->narrow_sides) {
        forget(set);
        return ASSAY_MEMORY;
    }
    set->thresholds = set->sides + count + 1;
    set->narrow_thresholds = set->narrow_sides + count + 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t sides = (uint32_t)(falling ? count + 1 - i : count);
        set->sides[i] = sides;
        set->thresholds[i] = (uint32_t)((1ULL << 32) % sides);
        set->narrow_sides[i] = (uint16_t)sides;
        set->narrow_thresholds[i] = (uint16_t)((1UL << 16) % sides);
    }
    return ASSAY_OK;
}

/* Four 16-bit lanes of each word, lowest first, one a die. `lanes` has room for count + 3. */
static inline void roll_narrow(uint64_t *restrict state, const dice *set, uint16_t *restrict lanes, uint32_t *restrict picks) {
    const uint16_t *restrict sides = set->narrow_sides, *restrict thresholds = set->narrow_thresholds;
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
        uint16_t high = (uint16_t)((uint32_t)lanes[i] * sides[i] >> 16), low = (uint16_t)(lanes[i] * (uint32_t)sides[i]);
        picks[i] = high;
        biased |= (uint16_t)(low < thresholds[i]);
    }
    for (size_t i = 0; biased && i < count; i++) {
        uint32_t product = (uint32_t)lanes[i] * sides[i];
        while ((uint16_t)product < thresholds[i]) product = (uint32_t)(uint16_t)assay_bits(&here) * sides[i];
        picks[i] = product >> 16;
    }
    *state = here;
}

/* Two 32-bit lanes of each word, lowest first; a biased die is rolled again at once with the low lane of a new word. */
static inline void roll_wide(uint64_t *restrict state, const dice *set, uint32_t *restrict picks) {
    uint64_t here = *state, word = 0;
    for (size_t i = 0; i < set->count; i++) {
        word = i % 2 ? word >> 32 : assay_bits(&here);
        uint64_t product = (uint64_t)(uint32_t)word * set->sides[i];
        while ((uint32_t)product < set->thresholds[i]) product = (uint64_t)(uint32_t)assay_bits(&here) * set->sides[i];
        picks[i] = (uint32_t)(product >> 32);
    }
    *state = here;
}

static inline void roll_all(uint64_t *state, const dice *set, uint16_t *lanes, uint32_t *picks) {
    if (set->narrow)
        roll_narrow(state, set, lanes, picks);
    else
        roll_wide(state, set, picks);
}

#endif
