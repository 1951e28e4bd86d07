/* Judgments as they are gathered, before their topics are known to be complete: by lines (gold.c), by dicts (held_dicts.c), by the
 * columns of a data frame (held_frames.c). */
#ifndef ASSAY_BUILDER_H
#define ASSAY_BUILDER_H

#include "assay.h"

/* A piece of memory for ids, which never moves. */
typedef struct assay_kept {
    struct assay_kept *before;
    char bytes[];
} assay_kept;

typedef struct {
    assay_judged *row;
    int64_t rows, row_room;
    assay_topic *topic;
    int64_t topics, topic_room;
    uint32_t *slots;
    uint32_t mask;
    assay_kept *kept;
    char *next; /* where the newest piece is free, */
    size_t left; /* and how far */
} assay_builder;

/* The number of a topic in order of appearance, added if new; -1 without memory. */
int64_t assay_builder_topic(assay_builder *b, const char *id, size_t length);

/* One judgment more; 0 without memory. */
int assay_builder_add(assay_builder *b, int64_t topic, const char *id, size_t length, int64_t grade, int64_t line);

/* A copy of an id that lives as long as the gold; NULL without memory. */
const char *assay_builder_keep(assay_builder *b, const char *id, size_t length);

/* The gold; takes the builder's memory, also where there is NULL and `error` says why. */
assay_gold *assay_builder_finish(assay_builder *b, assay_error *error);

void assay_builder_drop(assay_builder *b);

#endif
