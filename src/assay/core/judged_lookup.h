/* Look up a topic's documents among the judged ones, several at a time, while their ids are cached: what one comparison reads is
 * prefetched during the others. */
#ifndef ASSAY_JUDGED_LOOKUP_H
#define ASSAY_JUDGED_LOOKUP_H

#include "judged_index.h"
#include "ranker.h"

enum { ASSAY_MANY_JUDGED = 1 << 13 }; /* whose buckets and marks exceed the first-level cache */

static inline void assay_prefetch_range(const void *memory, size_t size) {
    for (const char *at = memory, *end = at + size; at < end; at += ASSAY_LINE_OF_CACHE) ASSAY_PREFETCH(at);
}

/* Prefetch the buckets and marks of a judged topic, which every document needs. */
static inline void assay_prefetch_judged(const assay_gold *gold, const assay_topic *topic) {
    if (topic->count > ASSAY_MANY_JUDGED) return;
    assay_prefetch_range(gold->starts + topic->start, topic->buckets * sizeof *gold->starts);
    assay_prefetch_range(gold->marks + topic->first, (size_t)topic->count);
}

typedef struct { /* where a topic's documents are looked for */
    const uint32_t *start;
    const uint8_t *marks;
    uint32_t mask;
} assay_finder;

static inline assay_finder assay_finder_of(const assay_gold *gold, const assay_topic *topic) {
    return (assay_finder){gold->starts + topic->start, gold->marks + topic->first, topic->buckets - 1};
}

/* The first of a topic's judged documents, counted from 1, that may be one of this hash; 0 where there is none. Half of all documents
 * may be judged, so nothing here branches on whether one is; buckets of more than are compared at once are rare. */
static inline uint32_t assay_candidate(assay_finder f, uint64_t hash) {
    const uint32_t *start = f.start + ((uint32_t)hash & f.mask);
    uint32_t at = start[0], left = start[1] - start[0];
    unsigned found = assay_marked(f.marks + at, left, assay_mark(hash));
    while (left > ASSAY_AT_ONCE && found == 0) {
        at += ASSAY_AT_ONCE;
        left -= ASSAY_AT_ONCE;
        found = assay_marked(f.marks + at, left, assay_mark(hash));
    }
    return (at + assay_lowest(found | 1u << ASSAY_AT_ONCE) + 1) & (0u - (found != 0));
}

/* Documents from `from` on, of a topic that has judgments; the block then knows which of them are judged, and where. 0 without memory. */
static inline int assay_look_up(const assay_gold *gold, block *k, int64_t from) {
    if (!assay_reserve(&k->found, &k->found_room, k->found_count + k->count - from, sizeof *k->found)) return 0;
    const assay_topic *topic = &gold->topic[k->topic];
    const assay_known *known = gold->known + topic->first;
    const assay_finder finder = assay_finder_of(gold, topic);
    /* The judgments behind this topic's are probably those of the next topic: prefetch as many. */
    int64_t behind = gold->documents - topic->first - topic->count, soon = behind < topic->count ? behind : topic->count;
    int64_t *found = k->found + k->found_count, candidates = 0;
    for (int64_t i = from; i < k->count; i++) {
        retrieved *d = &k->document[i];
        uint32_t line = assay_candidate(finder, d->hash);
        d->line = line;
        found[candidates] = i;
        candidates += line > 0;
        ASSAY_PREFETCH(&known[line - (line > 0)]);
        if (i * 2 < soon) ASSAY_PREFETCH(&known[topic->count + i * 2]);
    }
    for (int64_t i = 0; i < candidates; i++) {
        retrieved *d = &k->document[found[i]];
        const assay_key key = {d->id, d->length, d->hash};
        if (!assay_is_known(&known[d->line - 1], gold->document + topic->first, &key, assay_ends_of(d->id, d->length))) {
            int64_t at = assay_find_judged(gold, topic, &key);
            d->line = at < 0 ? 0 : at - topic->first + 1;
            if (at < 0) continue;
        }
        k->found[k->found_count++] = found[i];
    }
    return 1;
}

#endif
