#include "judged_index.h"

#include <stdlib.h>
#include <string.h>

/* One allocation for all of it. */
static int reserve(assay_gold *gold, int64_t starts) {
    size_t documents = (size_t)gold->documents, known = documents * sizeof *gold->known, start = (size_t)starts * sizeof *gold->starts;
    gold->index = malloc(ASSAY_LINE_OF_CACHE + known + start + documents + ASSAY_AT_ONCE);
    if (gold->index == NULL) return 0;
    gold->known = assay_index_aligned(gold->index);
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

/* Documents into their buckets, in the order given. */
void assay_index_fill(assay_gold *gold, const assay_topic *topic, const uint64_t *hash) {
    const assay_judged *document = gold->document + topic->first;
    assay_known *known = gold->known + topic->first;
    uint32_t *next = gold->starts + topic->start + 1, before = 0; /* of a bucket: where it begins, and when it is full, where it ends */
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

/* It occurs twice in one bucket. */
void assay_index_find_duplicates(const assay_gold *gold, const assay_topic *topic, assay_error *error) {
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
        topic->buckets = assay_buckets(topic->count);
        topic->start = starts;
        starts += (int64_t)topic->buckets + 1;
    }
    uint64_t *hash = malloc(((size_t)gold->largest + 1) * sizeof *hash);
    error->code = hash && reserve(gold, starts) ? ASSAY_OK : ASSAY_MEMORY;
    for (int64_t t = 0; error->code != ASSAY_MEMORY && t < gold->topics; t++) {
        const assay_topic *topic = &gold->topic[t];
        assay_index_begin(gold, topic);
        for (int64_t i = 0; i < topic->count; i++) {
            const assay_judged *document = &gold->document[topic->first + i];
            assay_index_count(gold, topic, hash[i] = assay_hash(document->id, document->length));
            ASSAY_PREFETCH(&gold->known[topic->first + i]); /* where all of them will be written, in another order */
        }
        assay_index_fill(gold, topic, hash);
        assay_index_find_duplicates(gold, topic, error);
    }
    free(hash);
    return error->code == ASSAY_OK;
}
