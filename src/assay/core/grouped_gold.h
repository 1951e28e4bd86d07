/* Judgments whose topics come whole, one after the other, and known beforehand how many documents each has: a document is indexed
 * while its id is at hand, and nothing is moved afterwards. From dicts (python_dicts.c) and the columns of data frames
 * (arrow_frames.c); lines of a file promise nothing, and are gathered first (gold_builder.h). */
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

/* One topic that will come, of so many documents; a code. */
int assay_grouped_announce(assay_grouped_gold *s, int64_t count);

/* Room for all that was announced; a code. */
int assay_grouped_allocate(assay_grouped_gold *s);

/* The next topic, which no other has been, of at most so many documents; a code. */
int assay_grouped_open_topic(assay_grouped_gold *s, const char *id, size_t length, int64_t count);

/* The open topic has all of its documents. */
void assay_grouped_close_topic(assay_grouped_gold *s);

/* The gold, and none where `code` says that something went wrong; the builder's memory is freed. */
assay_gold *assay_grouped_finish(assay_grouped_gold *s, int *code);

/* One document more of the open topic; a code. */
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
