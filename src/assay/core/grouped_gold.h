/* Judgments whose topics are contiguous, with known numbers of documents: each document is indexed while its id is cached, and nothing
 * is moved afterwards. From dicts (python_dicts.c) and columns of data frames (arrow_frames.c); the topics of a file may recur, and
 * are collected first (gold_builder.h). */
#ifndef ASSAY_GROUPED_GOLD_H
#define ASSAY_GROUPED_GOLD_H

#include "assay.h"
#include "ids.h"
#include "judged_index.h"
#include "id_arena.h"

enum { ASSAY_LEVELS = 64, ASSAY_LOWEST = -8 }; /* grades that are counted, and the lowest of them */

typedef struct {
    assay_gold *gold;
    assay_id_arena texts;
    assay_topic *topic; /* the open one */
    uint64_t *hash;     /* of its documents */
    int64_t topics, documents, largest, starts; /* that were announced */
    int64_t started; /* of the starts, those of the topics so far */
    int64_t count[ASSAY_LEVELS]; /* documents of the open topic by grade, */
    int64_t others;              /* and those of other grades */
} assay_grouped_gold;

/* Announce a topic of so many documents; a code. */
int assay_grouped_announce(assay_grouped_gold *s, int64_t count);

/* Allocate for all announced topics; a code. */
int assay_grouped_allocate(assay_grouped_gold *s);

/* Open the next topic, a new one of at most so many documents; a code. */
int assay_grouped_open_topic(assay_grouped_gold *s, const char *id, size_t length, int64_t count);

/* Close the open topic. */
void assay_grouped_close_topic(assay_grouped_gold *s);

/* Return the gold, or NULL where `code` is an error; the builder's memory is freed. */
assay_gold *assay_grouped_finish(assay_grouped_gold *s, int *code);

/* Add a document to the open topic; a code. */
static inline int assay_grouped_add(assay_grouped_gold *s, const char *id, size_t length, int64_t grade) {
    assay_gold *gold = s->gold;
    assay_topic *topic = s->topic;
    uint64_t hash = s->hash[topic->count] = assay_hash(id, length); /* of what was read: a copy just written is slow to read */
    if (length > UINT32_MAX || (id = assay_copy_id(&s->texts, id, length)) == NULL) return ASSAY_MEMORY;
    assay_index_count(gold, topic, hash);
    ASSAY_PREFETCH(&gold->known[gold->documents]); /* where all of them will be written, in another order */
    gold->document[gold->documents++] = (assay_judged){.id = id, .length = (uint32_t)length, .grade = (int32_t)grade};
    topic->count++;
    if (grade >= ASSAY_LOWEST && grade < ASSAY_LOWEST + ASSAY_LEVELS)
        s->count[grade - ASSAY_LOWEST]++;
    else
        s->others++;
    return ASSAY_OK;
}

#endif
