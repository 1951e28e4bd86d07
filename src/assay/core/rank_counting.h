/* Rank some documents without sorting all: these are sorted, and every document is counted at the first of them that it ranks
 * above. */
#ifndef ASSAY_RANK_COUNTING_H
#define ASSAY_RANK_COUNTING_H

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "merge_sort.h"

typedef struct {
    double score;
    void *id;
    int64_t value; /* its grade, or whatever else its owner knows of it */
} assay_counted;

typedef struct {
    assay_counted *found, *spare; /* the documents that are looked for, and room to sort them */
    double *scores;             /* of them, side by side: they are searched for every document */
    int64_t *rank;              /* of them, and one more, for what is below all of them */
    int64_t count, found_room, scores_room, rank_room;
} assay_rank_counter;

/* Whether one id ranks above another among equal scores; inlined, so it costs no call. */
typedef int (*assay_id_order)(const void *context, const void *id, const void *other);

static inline int assay_counter_reserve(assay_rank_counter *p, int64_t most) {
    enum { SPARE = 2 };
    if (!assay_reserve(&p->found, &p->found_room, SPARE * most + 1, sizeof *p->found) ||
        !assay_reserve(&p->scores, &p->scores_room, most, sizeof *p->scores) ||
        !assay_reserve(&p->rank, &p->rank_room, most + 1, sizeof *p->rank))
        return 0;
    p->spare = p->found + most;
    p->count = 0;
    return 1;
}

static inline void assay_counter_free(assay_rank_counter *p) {
    free(p->found);
    free(p->scores);
    free(p->rank);
}

static inline int assay_stands_above(const assay_counted *a, const assay_counted *b, assay_id_order before, const void *context) {
    return a->score != b->score ? a->score > b->score : before(context, a->id, b->id);
}

/* Sort the found documents, the best first, and set all counts to 0. */
static inline void assay_counter_sort(assay_rank_counter *p, assay_id_order before, const void *context) {
    int64_t n = p->count;
    assay_counted *from = p->found, *to = p->spare;
    ASSAY_MERGE_SORT(assay_counted, from, to, n, assay_stands_above(right, left, before, context))
    if (from != p->found) memcpy(p->found, from, (size_t)n * sizeof *from);
    for (int64_t i = 0; i < n; i++) p->scores[i] = p->found[i].score;
    memset(p->rank, 0, ((size_t)n + 1) * sizeof *p->rank);
}

/* Count one document, found or not, at its place among the found ones: a branch-free binary search. */
static inline void assay_counter_add(assay_rank_counter *p, double score, void *id, assay_id_order before, const void *context) {
    int64_t from = 0, to = p->count, half, tied = 1;
    for (int64_t left = p->count; left > 0; left -= half) {
        half = left - left / 2;
        from += half & -(int64_t)(p->scores[from + half - 1] > score);
    }
    if (from < to && p->scores[from] == score) { /* ids decide */
        const assay_counted here = {score, id, 0};
        while (from + tied < to && p->scores[from + tied] == score) tied *= 2; /* mostly it is the only one of its score */
        if (to > from + tied) to = from + tied;
        while (from < to) {
            int64_t middle = from + (to - from) / 2;
            if (assay_stands_above(&p->found[middle], &here, before, context))
                from = middle + 1;
            else
                to = middle;
        }
    }
    p->rank[from]++;
}

/* The rank of each found document: how many are above it or are it, that is how many have at most so many found ones above. */
static inline void assay_counter_finish(assay_rank_counter *p) {
    for (int64_t i = 1; i < p->count; i++) p->rank[i] += p->rank[i - 1];
}

#endif
