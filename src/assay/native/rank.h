/* Reading qrels and runs, and ranking: the part of assay that touches every byte.
 *
 * A gold is built once and shared by all runs. A ranker reads one run in any number of chunks, joins each topic with the
 * gold as soon as its last line has been seen, and keeps only where the judged documents stand: no measure needs more.
 * `twin.py` does the same in Python, and the tests hold the two identical.
 */
#ifndef ASSAY_RANK_H
#define ASSAY_RANK_H

#include <stddef.h>
#include <stdint.h>

enum { ASSAY_TEXT = 200 };

enum assay_code {
    ASSAY_OK = 0,
    ASSAY_FIELDS,      /* a line with the wrong number of fields */
    ASSAY_SCORE,       /* a score that is not a number */
    ASSAY_GRADE,       /* a grade that is not a whole number */
    ASSAY_DUPLICATE,   /* the same document twice in a topic */
    ASSAY_BINARY,      /* a zero byte */
    ASSAY_INTERLEAVED, /* a topic that comes back after another: read again, keeping all topics */
    ASSAY_MEMORY
};

typedef struct {
    int32_t code;
    int32_t fields;         /* how many fields the line has */
    int64_t line;           /* physical line, from 1 */
    int64_t other;          /* for a duplicate: where the document stood first */
    char text[ASSAY_TEXT];  /* the offending word or document id */
    char topic[ASSAY_TEXT];
} assay_error;

typedef struct { /* a document of the gold */
    const char *id;
    uint64_t hash;
    int64_t grade;
    int64_t line;
    uint32_t length;
    uint32_t topic;
} assay_judged;

typedef struct {
    const char *id;
    uint64_t hash;
    uint32_t length;
    uint32_t slots; /* a power of two, at least twice the documents */
    int64_t first;  /* its documents stand at documents[first .. first + count) */
    int64_t count;
    int64_t table;  /* its hash table starts at tables[table] */
} assay_topic;

typedef struct {
    int64_t topics; /* in byte order of their ids */
    int64_t documents;
    assay_topic *topic;
    assay_judged *document;
    uint32_t *tables;       /* per topic: document number within the topic + 1, or 0 */
    int64_t *grades;        /* per topic, highest first, aligned with its documents' range */
    uint32_t *topic_slots;  /* hash table of topics */
    uint32_t topic_mask;
} assay_gold;

uint64_t assay_hash(const char *bytes, size_t length);
int64_t assay_find_topic(const assay_gold *gold, const char *id, size_t length, uint64_t hash);

void assay_set_text(char *target, const char *bytes, size_t length);

#endif
