/* Ids of topics and documents: bytes, hashed, compared and shown. */
#ifndef ASSAY_IDS_H
#define ASSAY_IDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "assay.h"
#include "memory.h"

typedef struct { /* an id that is looked for */
    const char *id;
    size_t length;
    uint64_t hash;
} assay_key;

static inline uint64_t assay_hash(const char *bytes, size_t length) {
    uint64_t hash = 0x9E3779B97F4A7C15ULL ^ (uint64_t)length;
    uint64_t word = 0;
    for (; length > 8; bytes += 8, length -= 8) {
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * 0xBF58476D1CE4E5B9ULL;
        hash ^= hash >> 29;
    }
    if (length >= 4) { /* two loads that may overlap cover what is left */
        uint32_t first, last;
        memcpy(&first, bytes, 4);
        memcpy(&last, bytes + length - 4, 4);
        word = ((uint64_t)first << 32) | last;
    } else {
        word = 0;
        for (size_t i = 0; i < length; i++) word = (word << 8) | (unsigned char)bytes[i];
    }
    hash = (hash ^ word) * 0x94D049BB133111EBULL;
    return hash ^ (hash >> 31);
}

/* Ids are short: comparing eight bytes at a time in place beats a call of memcmp. */
static inline int assay_same_id(const char *a, const char *b, size_t length) {
    for (; length >= 8; a += 8, b += 8, length -= 8) {
        uint64_t x, y;
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        if (x != y) return 0;
    }
    if (length >= 4) { /* two loads that may overlap, as above */
        uint32_t x, y, u, v;
        memcpy(&x, a, 4);
        memcpy(&y, b, 4);
        memcpy(&u, a + length - 4, 4);
        memcpy(&v, b + length - 4, 4);
        return x == y && u == v;
    }
    for (; length; a++, b++, length--) {
        if (*a != *b) return 0;
    }
    return 1;
}

/* Whether an id holds a zero byte; eight at a time, as above. */
static inline int assay_holds_zero(const char *id, size_t length) {
    const uint64_t ones = 0x0101010101010101ULL;
    for (; length >= 8; id += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, id, 8);
        if ((word - ones) & ~word & (ones << 7)) return 1;
    }
    for (; length; id++, length--) {
        if (*id == '\0') return 1;
    }
    return 0;
}

static inline int assay_compare_ids(const char *a, size_t la, const char *b, size_t lb) {
    int order = memcmp(a, b, la < lb ? la : lb);
    return order ? order : (la > lb) - (la < lb);
}

/* A test that assay_probe takes, for the topics of a gold. */
static inline int assay_is_topic(const void *topics, uint32_t number, const void *wanted) {
    const assay_topic *topic = (const assay_topic *)topics + number;
    const assay_key *key = wanted;
    return topic->hash == key->hash && topic->length == key->length && assay_same_id(topic->id, key->id, key->length);
}

/* The documents of a topic are looked up for every line of every run, and memory is what that waits for. So a slot holds, beside
 * the number that its low bits have room for, high bits of the hash: a document that nobody judged is told from the others by the
 * table alone. The next slot that may be the one looked for, from `slot` on; an empty one where there is none. */
static inline uint32_t assay_candidate(const uint32_t *table, uint32_t mask, uint64_t hash, uint32_t slot) {
    uint32_t high = (uint32_t)(hash >> 32);
    while (table[slot] && (table[slot] ^ high) & ~mask) slot = (slot + 1) & mask;
    return slot;
}

static inline uint32_t assay_entry(uint32_t mask, uint64_t hash, uint32_t number) {
    return ((uint32_t)(hash >> 32) & ~mask) | (number + 1);
}

static inline int assay_is_judged(const assay_judged *judged, const assay_key *key) {
    return judged->length == key->length && assay_same_id(judged->id, key->id, key->length);
}

/* The slot of a document, given the first that may be its own, or the empty one where it would stand. */
static inline uint32_t assay_judged_slot(const uint32_t *table, uint32_t mask, const assay_judged *documents, const assay_key *key,
                                         uint32_t slot) {
    while (table[slot] && !assay_is_judged(&documents[(table[slot] & mask) - 1], key))
        slot = assay_candidate(table, mask, key->hash, (slot + 1) & mask);
    return slot;
}

/* As much of some bytes as an error has room for. */
static inline void assay_set_text(char *target, const char *bytes, size_t length) {
    if (length > ASSAY_TEXT - 1) length = ASSAY_TEXT - 1;
    memcpy(target, bytes, length);
    target[length] = '\0';
}

#endif
