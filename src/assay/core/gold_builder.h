/* Collect judgments whose topics may recur. Where topics are contiguous and their sizes known, grouped_gold.h is faster. */
#ifndef ASSAY_GOLD_BUILDER_H
#define ASSAY_GOLD_BUILDER_H

#include "assay.h"

typedef struct {
    assay_judged *row;
    int64_t rows, row_room;
    assay_topic *topic;
    int64_t topics, topic_room;
    uint32_t *slots;
    uint32_t mask;
} assay_builder;

/* The number of a topic in order of appearance, added if new; -1 without memory. */
int64_t assay_builder_topic(assay_builder *b, const char *id, size_t length);

/* Add a judgment; 0 without memory. */
int assay_builder_add(assay_builder *b, int64_t topic, const char *id, size_t length, int64_t grade, int64_t line);

/* Return the gold, or NULL with `error`; takes the builder's memory either way. */
assay_gold *assay_builder_finish(assay_builder *b, assay_error *error);

void assay_builder_free(assay_builder *b);

/* Grades of one topic, highest first. */
void assay_sort_grades(int64_t *grades, int64_t count);

/* Topics in byte order of their ids, with their names and how they are found; 0 without memory. */
void assay_sort_topics(assay_topic *topics, int64_t count);
int assay_name_topics(assay_gold *gold);

#endif
