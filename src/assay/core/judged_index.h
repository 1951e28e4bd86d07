/* The judged documents of a topic, found by hash. Every line of every run is looked up here, and the time goes to cache misses: so each
 * document has a byte of its hash, those of a bucket are adjacent, and these bytes alone rule out an unjudged document. The fields that
 * are compared next fill half a cache line. */
#ifndef ASSAY_JUDGED_INDEX_H
#define ASSAY_JUDGED_INDEX_H

#include "assay.h"
#include "ids.h"
#include "fields.h"

typedef struct assay_known { /* a document as a run looks for it */
    assay_ends ends;
    uint32_t length;
    uint32_t number; /* within its topic, in the order given */
    int32_t grade;
    uint32_t unused; /* pads the struct to half a cache line */
} assay_known;

enum {
    ASSAY_LINE_OF_CACHE = 64,
    ASSAY_AT_ONCE = 16 /* bytes of hashes that are compared at once, and may be read behind the last of them */
};

/* The first cache line that begins within an allocation. */
static inline void *assay_index_aligned(void *memory) {
    return (void *)(((uintptr_t)memory + ASSAY_LINE_OF_CACHE - 1) & ~(uintptr_t)(ASSAY_LINE_OF_CACHE - 1));
}

/* How many buckets a topic of so many documents gets. */
static inline uint32_t assay_buckets(int64_t documents) {
    enum { IN_A_BUCKET = 4 };
    uint32_t buckets = 1;
    while ((int64_t)buckets * IN_A_BUCKET < documents) buckets *= 2;
    return buckets;
}

/* Index the documents of a gold by topic; 0 without memory, or where one occurs twice in its topic, with `error`. */
int assay_index_build(assay_gold *gold, assay_error *error);

static inline uint32_t assay_bucket(const assay_topic *topic, uint64_t hash) { return (uint32_t)hash & (topic->buckets - 1); }

/* The same for one topic: begin, count every document's hash, and fill the buckets. */
static inline void assay_index_begin(assay_gold *gold, const assay_topic *topic) {
    memset(gold->starts + topic->start, 0, ((size_t)topic->buckets + 1) * sizeof *gold->starts);
}

static inline void assay_index_count(assay_gold *gold, const assay_topic *topic, uint64_t hash) {
    gold->starts[topic->start + 1 + assay_bucket(topic, hash)]++;
}

void assay_index_fill(assay_gold *gold, const assay_topic *topic, const uint64_t *hash);

/* Set `error` where a document of a topic occurs twice. */
void assay_index_find_duplicates(const assay_gold *gold, const assay_topic *topic, assay_error *error);

static inline uint8_t assay_mark(uint64_t hash) { return (uint8_t)(hash >> 56); }

/* A bit for each of up to 16 marks that are the one wanted. */
static inline unsigned assay_marked(const uint8_t *marks, uint32_t count, uint8_t wanted) {
#if ASSAY_BLOCKS
    __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)marks), _mm_set1_epi8((char)wanted));
    return (unsigned)_mm_movemask_epi8(same) & (count < ASSAY_AT_ONCE ? (1u << count) - 1 : 0xFFFFu);
#else
    unsigned found = 0;
    for (uint32_t i = 0; i < count && i < ASSAY_AT_ONCE; i++) found |= (unsigned)(marks[i] == wanted) << i;
    return found;
#endif
}

static inline unsigned assay_lowest(unsigned bits) {
#if defined(__GNUC__)
    return (unsigned)__builtin_ctz(bits);
#else
    unsigned at = 0;
    while (!(bits >> at & 1)) at++;
    return at;
#endif
}

/* Whether a document is the one looked for, whose ends these are; `document` has those of its topic. */
static inline int assay_is_known(const assay_known *k, const assay_judged *document, const assay_key *key, assay_ends ends) {
    if (k->ends.first != ends.first || k->ends.last != ends.last || k->length != key->length) return 0;
    return key->length <= ASSAY_ENDS || assay_same_id(document[k->number].id, key->id, key->length);
}

/* Where in known[] a document is that `from` to `to` may hold, or -1. */
static inline int64_t assay_search(const assay_gold *gold, const assay_topic *topic, int64_t from, int64_t to, const assay_key *key) {
    for (; from < to; from += ASSAY_AT_ONCE) {
        unsigned found = assay_marked(gold->marks + from, (uint32_t)(to - from), assay_mark(key->hash));
        for (; found; found &= found - 1) {
            int64_t at = from + assay_lowest(found);
            if (assay_is_known(&gold->known[at], gold->document + topic->first, key, assay_ends_of(key->id, key->length))) return at;
        }
    }
    return -1;
}

/* The same among all of a topic. */
static inline int64_t assay_find_judged(const assay_gold *gold, const assay_topic *topic, const assay_key *key) {
    const uint32_t *start = gold->starts + topic->start + assay_bucket(topic, key->hash);
    return assay_search(gold, topic, topic->first + start[0], topic->first + start[1], key);
}

#endif
