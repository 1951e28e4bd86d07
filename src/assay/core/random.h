/* The generator of assay/random.py, number for number. */
#ifndef ASSAY_RANDOM_H
#define ASSAY_RANDOM_H

#include <stdint.h>

#define ASSAY_GAMMA 0x9E3779B97F4A7C15ULL

static inline uint64_t assay_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

/* `key` is purpose_key(seed, purpose) of the Python side. */
static inline uint64_t assay_stream(uint64_t key, uint64_t trial) {
    return assay_mix(key + (trial + 1) * ASSAY_GAMMA);
}

static inline uint64_t assay_bits(uint64_t *state) {
    *state += ASSAY_GAMMA;
    return assay_mix(*state);
}

static inline uint32_t assay_below(uint64_t *state, uint32_t bound) {
    uint64_t product = (assay_bits(state) >> 32) * bound;
    uint32_t low = (uint32_t)product;
    if (low < bound) {
        uint32_t threshold = (uint32_t)((1ULL << 32) % bound);
        while (low < threshold) {
            product = (assay_bits(state) >> 32) * bound;
            low = (uint32_t)product;
        }
    }
    return (uint32_t)(product >> 32);
}

#endif
