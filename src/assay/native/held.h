/* A topic of a run that a program holds in memory: its documents are ranked where they lie, and no id is copied. */
#ifndef ASSAY_HELD_H
#define ASSAY_HELD_H

#include "places.h"
#include "ranker.h"

typedef struct {
    double score;
    const char *id;
    uint64_t hash;
    uint32_t length;
} assay_held_document;

typedef struct {
    assay_held_document *document;
    int64_t count, room;
    assay_places places;
} assay_held;

/* Begin a topic of at most so many documents; 0 without memory. */
static inline int assay_held_begin(assay_held *h, int64_t most) {
    h->count = 0;
    return assay_reserve(&h->document, &h->room, most, sizeof *h->document);
}

/* One document more; 0 where its score is NaN or its id nothing that a file could hold. */
static inline int assay_held_add(assay_held *h, const char *id, size_t length, double score) {
    if (score != score || length > UINT32_MAX || memchr(id, '\0', length)) return 0;
    h->document[h->count++] = (assay_held_document){score, id, assay_hash(id, length), (uint32_t)length};
    return 1;
}

/* Note where the topic's judged documents stand; 0 without memory. */
int assay_held_rank(assay_held *h, assay_ranker *r, int64_t topic);

static inline void assay_held_free(assay_held *h) {
    free(h->document);
    assay_places_free(&h->places);
}

#endif
