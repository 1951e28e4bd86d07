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

typedef struct { /* what of an id is compared first */
    uint64_t first, last;
} assay_ends;

enum { ASSAY_ENDS = 16 }; /* ids of so many bytes are the same where their ends and lengths are */

/* An id by its first and last bytes; a short one wholly, by loads that may overlap and no branch on how long it is. */
static inline assay_ends assay_ends_of(const char *id, size_t length) {
    assay_ends ends = {0, 0};
    if (length > ASSAY_ENDS) {
        memcpy(&ends.first, id, 8);
        memcpy(&ends.last, id + length - 8, 8);
    } else if (length >= 4) {
        uint32_t word[4];
        size_t inner = length / 8 * 4;
        memcpy(word, id, 4);
        memcpy(word + 1, id + inner, 4);
        memcpy(word + 2, id + length - 4, 4);
        memcpy(word + 3, id + length - 4 - inner, 4);
        ends.first = (uint64_t)word[0] << 32 | word[1];
        ends.last = (uint64_t)word[2] << 32 | word[3];
    } else {
        for (size_t i = 0; i < length; i++) ends.first = ends.first << 8 | (unsigned char)id[i];
    }
    return ends;
}

static inline uint64_t assay_mixed(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9ULL;
    return hash ^ (hash >> 29);
}

static inline uint64_t assay_hash(const char *id, size_t length) {
    uint64_t hash = 0x9E3779B97F4A7C15ULL ^ (uint64_t)length;
    for (; length > ASSAY_ENDS; id += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, id, 8);
        hash = assay_mixed(hash, word);
    }
    const assay_ends ends = assay_ends_of(id, length);
    /* Without the second mixing, ids that differ in their last letters only, as in TREC, would share a few buckets: products carry bits upwards. */
    hash = assay_mixed(assay_mixed(hash, ends.first), ends.last) * 0x94D049BB133111EBULL;
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

/* The highest bit of each byte of a word that is zero, up to one that is; no bit where none is. */
static inline uint64_t assay_zeros(uint64_t word) {
    const uint64_t ones = 0x0101010101010101ULL;
    return (word - ones) & ~word & ones << 7;
}

/* Whether an id has a zero byte, by the words of its hash; no branch on its length. */
static inline int assay_holds_zero(const char *id, size_t length) {
    uint64_t found = 0;
    for (; length > ASSAY_ENDS; id += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, id, 8);
        found |= assay_zeros(word);
    }
    if (length < 4) {
        for (; length; id++, length--) found |= *id == '\0';
        return found != 0;
    }
    const assay_ends ends = assay_ends_of(id, length);
    return (found | assay_zeros(ends.first) | assay_zeros(ends.last)) != 0;
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

/* Copy bytes into an error, cut to its size. */
static inline void assay_set_text(char *target, const char *bytes, size_t length) {
    if (length > ASSAY_TEXT - 1) length = ASSAY_TEXT - 1;
    memcpy(target, bytes, length);
    target[length] = '\0';
}

#endif
