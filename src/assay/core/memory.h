/* Growing arrays and hash tables, for all files of the core. Nothing here is exported. */
#ifndef ASSAY_MEMORY_H
#define ASSAY_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Make `*pointer` (the address of a pointer to items of `size` bytes) hold at least `wanted` items, by doubling; `room` is how
 * many it holds. 0 without memory, or where the size overflows; the old items then remain. */
int assay_grow(void *pointer, int64_t *room, int64_t wanted, size_t size);

static inline int assay_reserve(void *pointer, int64_t *room, int64_t wanted, size_t size) {
    return wanted <= *room || assay_grow(pointer, room, wanted, size);
}

/* Prefetch memory: lookups mostly wait for it. */
#if defined(__GNUC__)
#define ASSAY_PREFETCH(address) __builtin_prefetch(address)
#else
#define ASSAY_PREFETCH(address) (void)(address)
#endif

/* Select one of two addresses without a branch, where the choice is unpredictable. */
static inline const void *assay_select(const void *first, const void *second, int wants_second) {
    return (const void *)((uintptr_t)first ^ (((uintptr_t)first ^ (uintptr_t)second) & -(uintptr_t)wants_second));
}

/* How many slots a hash table of `count` entries gets: a power of two, at least twice as many; 0 beyond 2^30 entries, which
 * 32 bits cannot number. */
uint32_t assay_slots(int64_t count);

/* A new hash table of `count` entries, each with its number + 1 in a slot; `hash` is that of the first entry, the next ones
 * follow `stride` bytes apart. Room is left for as many again. NULL without memory. */
uint32_t *assay_table(const void *hash, size_t stride, int64_t count, uint32_t *mask);

/* Return the slot of the entry for which `same` holds, or the free slot where it would be. `same` is inlined too, so it costs no
 * call. */
typedef int (*assay_same)(const void *entries, uint32_t number, const void *wanted);

static inline uint32_t *assay_probe(uint32_t *table, uint32_t mask, uint64_t hash, assay_same same, const void *entries,
                                    const void *wanted) {
    uint32_t slot = (uint32_t)hash & mask;
    while (table[slot] && !same(entries, table[slot] - 1, wanted)) slot = (slot + 1) & mask;
    return &table[slot];
}

#endif
