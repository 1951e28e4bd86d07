#include "index.h"

#include <stdlib.h>
#include <string.h>

enum { IN_A_BUCKET = 4, LINE_OF_CACHE = 64 };

static uint32_t buckets_for(int64_t documents) {
    uint32_t buckets = 1;
    while ((int64_t)buckets * IN_A_BUCKET < documents) buckets *= 2;
    return buckets;
}

/* One allocation for all of it, what is looked at most often at the beginning of a line of the cache. */
static int reserve(assay_gold *gold, int64_t starts) {
    size_t documents = (size_t)gold->documents, known = documents * sizeof *gold->known, start = (size_t)starts * sizeof *gold->starts;
    gold->index = malloc(LINE_OF_CACHE + known + start + documents + ASSAY_AT_ONCE);
    if (gold->index == NULL) return 0;
    gold->known = (assay_known *)(((uintptr_t)gold->index + LINE_OF_CACHE - 1) & ~(uintptr_t)(LINE_OF_CACHE - 1));
    gold->starts = (uint32_t *)(gold->known + documents);
    gold->marks = (uint8_t *)(gold->starts + starts);
    memset(gold->marks + documents, 0, ASSAY_AT_ONCE);
    return 1;
}

static void note_repeat(assay_error *error, const assay_judged *row, const assay_judged *first, const assay_topic *topic) {
    if (error->code && error->line < row->line) return; /* another topic has one before */
    error->code = ASSAY_DUPLICATE;
    error->line = row->line;
    error->other = first->line;
    assay_set_text(error->text, row->id, row->length);
    assay_set_text(error->topic, topic->id, topic->length);
}

/* Documents into their buckets, in the order given; `hash` has room for one of each. */
static void fill_buckets(assay_gold *gold, const assay_topic *topic, uint64_t *hash) {
    const assay_judged *document = gold->document + topic->first;
    assay_known *known = gold->known + topic->first;
    uint32_t *next = gold->starts + topic->start + 1, before = 0; /* of a bucket: where it begins, and when it is full, where it ends */
    memset(next - 1, 0, ((size_t)topic->buckets + 1) * sizeof *next);
    for (int64_t i = 0; i < topic->count; i++) {
        hash[i] = assay_hash(document[i].id, document[i].length);
        next[assay_bucket(topic, hash[i])]++;
    }
    for (uint32_t b = 0; b < topic->buckets; b++) {
        uint32_t count = next[b];
        next[b] = before;
        before += count;
    }
    for (int64_t i = 0; i < topic->count; i++) {
        uint32_t at = next[assay_bucket(topic, hash[i])]++;
        gold->marks[topic->first + at] = assay_mark(hash[i]);
        known[at] = (assay_known){assay_ends_of(document[i].id, document[i].length), document[i].length, (uint32_t)i, document[i].grade, 0};
    }
}

static int is_same(const assay_known *a, const assay_known *b, const assay_judged *document) {
    const assay_key key = {document[b->number].id, b->length, 0};
    return assay_is_known(a, document, &key, b->ends);
}

/* Whether a document stands twice: it does in one bucket. */
static void find_repeats(const assay_gold *gold, const assay_topic *topic, assay_error *error) {
    const assay_judged *document = gold->document + topic->first;
    const assay_known *known = gold->known + topic->first;
    const uint8_t *marks = gold->marks + topic->first;
    const uint32_t *start = gold->starts + topic->start;
    for (uint32_t b = 0; b < topic->buckets; b++) {
        for (uint32_t at = start[b]; at < start[b + 1]; at++) {
            for (uint32_t first = start[b]; first < at; first++) {
                if (marks[first] != marks[at] || !is_same(&known[first], &known[at], document)) continue;
                note_repeat(error, &document[known[at].number], &document[known[first].number], topic);
                break;
            }
        }
    }
}

int assay_index_build(assay_gold *gold, assay_error *error) {
    int64_t starts = 0;
    for (int64_t t = 0; t < gold->topics; t++) {
        assay_topic *topic = &gold->topic[t];
        topic->buckets = buckets_for(topic->count);
        topic->start = starts;
        starts += (int64_t)topic->buckets + 1;
    }
    uint64_t *hash = malloc(((size_t)gold->largest + 1) * sizeof *hash);
    error->code = hash && reserve(gold, starts) ? ASSAY_OK : ASSAY_MEMORY;
    for (int64_t t = 0; error->code != ASSAY_MEMORY && t < gold->topics; t++) {
        fill_buckets(gold, &gold->topic[t], hash);
        find_repeats(gold, &gold->topic[t], error);
    }
    free(hash);
    return error->code == ASSAY_OK;
}
