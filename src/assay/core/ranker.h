/* The ranker, shared by the files that read a run (run_lines.c), rank a topic (rank_topic.c) and return the result (ranker.c). */
#ifndef ASSAY_RANKER_H
#define ASSAY_RANKER_H

#include "assay.h"
#include "ids.h"
#include "memory.h"
#include "rank_counting.h"
#include "score.h"
#include "ties.h"

typedef struct { /* a retrieved document of the topic being read */
    double score;
    const char *id; /* in the bytes being read, or in those the block keeps */
    uint64_t hash;
    int64_t line; /* where the block was looked_up (judged_lookup.h), its place among the topic's judged ones instead, from 1; 0 of others */
    uint32_t length;
    uint16_t score_at, score_length; /* where behind the id its score is as text, while its value is not known; 0 where it is */
} retrieved;

typedef struct { /* one topic's lines of the run */
    int64_t topic;
    retrieved *document;
    int64_t count, room;
    char *bytes; /* copies of the ids of the first `kept` documents */
    int64_t size, byte_room, kept;
    int unsorted, ascending_ties;
    int distinct; /* no document can occur twice */
    int looked_up;   /* each document says already where it is among the judged ones, */
    int64_t *found, found_count, found_room; /* and these are the numbers of those that do */
} block;

typedef struct {
    int32_t *value;
    int64_t count, room;
} vector;

typedef struct {
    char *bytes;
    int64_t length, room;
} text;

enum { ASSAY_TEMPLATE = 128 }; /* bytes of a line that are compared with the next, on either side of what differs */

struct assay_ranker {
    const assay_gold *gold;
    int64_t depth; /* documents looked at per topic, or -1 */
    int float32, judged_only, keep, any_fields, ascending_ties, relevant_only;

    int64_t *num_ret; /* per topic of the gold: documents retrieved, or -1 where the run has none */
    int64_t *relevant_start, *relevant_count, *pooled_start, *pooled_count;
    vector relevant_rank, relevant_grade, nonrelevant_above;
    vector pooled_rank, pooled_document, pooled_grade;

    block *blocks; /* one, reused, or in keep mode one per topic seen */
    int64_t block_count, block_room;
    int64_t *block_of; /* keep mode: topic → block + 1 */
    block *current;    /* NULL while in a topic without judgments */
    const char *topic; /* the id of the topic being read, judged or not */
    size_t topic_length;

    text other;        /* the unjudged topic being skipped */
    uint64_t *ignored; /* hashes of unjudged topics, each once */
    int64_t ignored_count, ignored_room;
    uint32_t *ignored_slots; /* hash table of them: number + 1, or 0 */
    uint32_t ignored_mask;

    char template[ASSAY_TEMPLATE + 16]; /* how the last line ends, behind its score, and begins, up to its document: line_template.h */
    size_t tail, head;          /* bytes of these; no head where the next line may not be compared with it */
    text carry;         /* a line cut by the end of a chunk */
    text tag;           /* of the last line read */
    const char *tag_at; /* the newest tag, in the chunk being read */

    uint32_t *seen; /* hash table for duplicates */
    int64_t seen_room;
    int64_t lines, data_lines;
    assay_rank_counter places; /* of a topic in no order */
    int64_t zeros; /* documents of grade 0 that were noted of a topic */
    assay_error error;
};

static inline int assay_out_of_memory(assay_ranker *r) {
    r->error.code = ASSAY_MEMORY;
    return 0;
}

/* Whether a ranks above b. */
static inline int assay_above(const block *k, const retrieved *a, const retrieved *b) {
    if (a->score != b->score) return a->score > b->score;
    return assay_wins_tie(a->id, a->length, b->id, b->length, k->ascending_ties);
}

/* Put the documents of a topic in order; 0 without memory. */
int assay_sort_block(block *k);

/* Which of the first `count` documents repeats an earlier one, or -1; `seen` holds numbers + 1, and `mask` + 1 of them. */
int64_t assay_find_duplicate(const block *k, int64_t count, uint32_t *seen, uint32_t mask, int64_t *first);


/* Parse a score that was kept as text, before it is compared by value and before the text is freed. */
static inline void assay_parse_deferred_score(retrieved *d) {
    if (d->score_length == 0) return;
#if ASSAY_BLOCKS
    unsigned point; /* the bytes behind it, which are read too, were kept with it */
    assay_quick_score(d->id + d->score_at, d->score_length, &d->score, &point);
#endif
    d->score_length = 0;
}

/* Note whether the last document is in order; `lower`: its score is known to be below the one before. */
static inline void assay_check_order(block *k, int lower) {
    retrieved *d = &k->document[k->count];
    if (!lower && k->count && !k->unsorted) {
        assay_parse_deferred_score(d - 1);
        assay_parse_deferred_score(d);
        k->unsorted = !assay_above(k, d - 1, d);
    }
    k->count++;
}

static inline int assay_has_room(block *k, size_t length) {
    return length <= UINT32_MAX && assay_reserve(&k->document, &k->room, k->count + 1, sizeof *k->document);
}

/* A document of a known score, its id where it lies. */
static inline retrieved assay_document(const char *id, size_t length, double score, int64_t line) {
    return (retrieved){score, id, assay_hash(id, length), line, (uint32_t)length, 0, 0};
}

/* Add a document to a topic; 0 without memory. */
static inline int assay_add(block *k, const char *id, size_t length, double score, int64_t line) {
    if (!assay_has_room(k, length)) return 0;
    k->document[k->count] = assay_document(id, length, score, line);
    assay_check_order(k, 0);
    return 1;
}

/* Add documents that were written behind the others, with known scores. Mostly each is lower than the one before, which one branch
 * checks for all. */
static inline void assay_added(block *k, int64_t count) {
    const retrieved *d = k->document + k->count;
    int lower = 1;
    for (int64_t i = k->count == 0; i < count; i++) lower &= d[i - 1].score > d[i].score;
    for (int64_t i = k->count == 0; !lower && !k->unsorted && i < count; i++) k->unsorted = !assay_above(k, &d[i - 1], &d[i]);
    k->count += count;
}

/* The same with a score kept as text behind the id, of at most 15 digits. */
static inline int assay_add_deferred(block *k, const char *id, size_t length, const char *score, size_t score_length, int lower,
                                    int64_t line) {
    if (!assay_has_room(k, length)) return 0;
    k->document[k->count] =
        (retrieved){0, id, assay_hash(id, length), line, (uint32_t)length, (uint16_t)(score - id), (uint16_t)score_length};
    assay_check_order(k, lower);
    return 1;
}

/* Begin to note the judged documents of a topic, at most so many; 0 without memory. */
int assay_begin_topic(assay_ranker *r, int64_t topic, int64_t most);

/* The next document that the gold names, in order of rank. */
static inline void assay_note_found(assay_ranker *r, int64_t rank, int64_t number, int64_t grade) {
    if (!r->relevant_only) {
        int64_t at = r->pooled_rank.count++;
        r->pooled_rank.value[at] = (int32_t)rank;
        r->pooled_document.value[at] = (int32_t)number;
        r->pooled_grade.value[at] = (int32_t)grade;
    }
    int64_t next = r->relevant_rank.count;
    r->relevant_rank.value[next] = (int32_t)rank; /* overwritten by the next if it is not relevant: no branch */
    r->relevant_grade.value[next] = (int32_t)grade;
    r->nonrelevant_above.value[next] = (int32_t)r->zeros;
    r->relevant_rank.count += grade > 0;
    r->zeros += grade == 0;
}

void assay_end_topic(assay_ranker *r, int64_t topic, int64_t retrieved);

/* The number of a topic in the gold; -1 where it has none, and it is counted as ignored. 0 without memory. */
int assay_find_topic(assay_ranker *r, const char *id, size_t length, int64_t *topic);

/* Whether one of the first `count` documents of a topic occurs there twice; -1 without memory. */
int assay_has_duplicate(assay_ranker *r, const block *k, int64_t count);

/* Close a complete topic: sort it, check it, and note the ranks of its judged documents. */
int assay_close_block(assay_ranker *r, block *k);

/* The last line of a run, without its newline. */
int assay_read_rest(assay_ranker *r);

#endif
