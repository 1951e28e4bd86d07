/* Rank one topic: sort its documents, refuse duplicates, and note the ranks of the judged ones. */
#include <stdlib.h>
#include <string.h>

#include "judged_index.h"
#include "ranker.h"
#include "judged_lookup.h"
#include "merge_sort.h"

int assay_begin_topic(assay_ranker *r, int64_t topic, int64_t most) {
    vector *columns[] = {&r->relevant_rank, &r->relevant_grade, &r->nonrelevant_above, &r->pooled_rank, &r->pooled_document, &r->pooled_grade};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        int64_t more = i > 2 && r->relevant_only ? 0 : most;
        if (!assay_reserve(&columns[i]->value, &columns[i]->room, columns[i]->count + more + 1, sizeof *columns[i]->value))
            return assay_out_of_memory(r);
    }
    r->relevant_start[topic] = r->relevant_rank.count;
    r->pooled_start[topic] = r->pooled_rank.count;
    r->zeros = 0;
    return 1;
}

void assay_end_topic(assay_ranker *r, int64_t topic, int64_t retrieved) {
    r->pooled_document.count = r->pooled_grade.count = r->pooled_rank.count;
    r->relevant_grade.count = r->nonrelevant_above.count = r->relevant_rank.count;
    r->relevant_count[topic] = r->relevant_rank.count - r->relevant_start[topic];
    r->pooled_count[topic] = r->pooled_rank.count - r->pooled_start[topic];
    r->num_ret[topic] = retrieved;
}

int assay_sort_block(block *k) {
    int64_t n = k->count;
    retrieved *from = k->document, *to = malloc((size_t)n * sizeof *to);
    if (to == NULL) return 0;
    ASSAY_MERGE_SORT(retrieved, from, to, n, assay_above(k, right, left))
    k->document = from;
    k->room = n;
    free(to);
    return 1;
}

static int by_line(const void *left, const void *right) {
    const retrieved *a = left, *b = right;
    return a->line < b->line ? -1 : a->line > b->line;
}

static inline int is_retrieved(const void *entries, uint32_t number, const void *wanted) {
    const block *k = entries;
    const retrieved *e = &k->document[number], *d = wanted;
    return e->hash == d->hash && e->length == d->length && assay_same_id(e->id, d->id, d->length);
}

int64_t assay_find_duplicate(const block *k, int64_t count, uint32_t *seen, uint32_t mask, int64_t *first) {
    memset(seen, 0, ((size_t)mask + 1) * sizeof *seen);
    for (int64_t i = 0; i < count; i++) {
        const retrieved *d = &k->document[i];
        uint32_t *slot = assay_probe(seen, mask, d->hash, is_retrieved, k, d);
        if (*slot) {
            *first = *slot - 1;
            return i;
        }
        *slot = (uint32_t)i + 1;
    }
    return -1;
}

enum { WORDS_EACH = 2 }; /* of the filter below, for each document, at least */

/* Whether one of `count` documents may repeat another, by a Bloom filter: no false negatives, few false positives. The hash of a
 * document selects a word and four bits of it. */
static int may_repeat(const block *k, int64_t count, uint64_t *filter, uint64_t words) {
    uint64_t twice = 0;
    memset(filter, 0, words * sizeof *filter);
    for (int64_t i = 0; i < count; i++) {
        uint64_t hash = k->document[i].hash, *word = &filter[hash & (words - 1)];
        uint64_t bits = 1ULL << (hash >> 58) | 1ULL << (hash >> 52 & 63) | 1ULL << (hash >> 46 & 63) | 1ULL << (hash >> 40 & 63);
        twice |= (*word & bits) == bits;
        *word |= bits;
    }
    return (int)twice;
}

int assay_has_duplicate(assay_ranker *r, const block *k, int64_t count) {
    uint32_t slots = assay_slots(count); /* at least twice as many as documents */
    int64_t first;
    if (slots == 0 || !assay_reserve(&r->seen, &r->seen_room, (int64_t)slots * 2, sizeof *r->seen)) return -1;
    return may_repeat(k, count, (uint64_t *)r->seen, slots) && assay_find_duplicate(k, count, r->seen, slots - 1, &first) >= 0;
}

enum { AT_A_TIME = 256 };

typedef struct { /* a document of a topic that may be among the judged ones */
    int64_t document;
    uint32_t place; /* where it would be among them, from 1 */
} sighting;

/* Which of the documents from `from` on, before `count` and at most so many at a time, may be judged. Branch-free, as
 * whether a document is judged is unpredictable; what its comparison reads is prefetched. */
static int64_t sight(const assay_gold *gold, const assay_topic *topic, const block *k, int64_t from, int64_t count, sighting *seen) {
    const assay_known *known = gold->known + topic->first;
    const assay_finder finder = assay_finder_of(gold, topic);
    int64_t to = count - from < AT_A_TIME ? count : from + AT_A_TIME, found = 0;
    for (int64_t i = from; i < to; i++) {
        uint32_t place = k->looked_up ? (uint32_t)k->document[i].line : assay_candidate(finder, k->document[i].hash);
        seen[found] = (sighting){i, place};
        found += place != 0;
        ASSAY_PREFETCH(&known[place - (place != 0)]);
    }
    return found;
}

/* The judged document that a sighted one is, or NULL where it only has the same mark. */
static inline const assay_known *judged(const assay_gold *gold, const assay_topic *topic, const block *k, sighting seen) {
    const assay_known *known = gold->known + topic->first + seen.place - 1;
    const retrieved *d = &k->document[seen.document];
    const assay_key key = {d->id, d->length, d->hash};
    if (k->looked_up || assay_is_known(known, gold->document + topic->first, &key, assay_ends_of(d->id, d->length))) return known;
    int64_t at = assay_find_judged(gold, topic, &key); /* another with the same mark */
    return at < 0 ? NULL : &gold->known[at];
}

static inline int goes_before(const void *block_of_both, const void *id, const void *other) {
    const retrieved *a = id, *b = other;
    return assay_wins_tie(a->id, a->length, b->id, b->length, ((const block *)block_of_both)->ascending_ties);
}

/* Rank a topic in no order: sort its judged documents only, and count the others. */
static int rank_unsorted(assay_ranker *r, block *k, const assay_topic *topic, int64_t most) {
    assay_rank_counter *p = &r->places;
    if (!assay_counter_reserve(p, most)) return assay_out_of_memory(r);
    for (int64_t i = 0; k->looked_up && i < k->found_count; i++) {
        retrieved *d = &k->document[k->found[i]];
        p->found[p->count++] = (assay_counted){d->score, d, r->gold->known[topic->first + d->line - 1].number};
    }
    for (int64_t from = 0; !k->looked_up && from < k->count; from += AT_A_TIME) {
        sighting seen[AT_A_TIME];
        int64_t sighted = sight(r->gold, topic, k, from, k->count, seen);
        for (int64_t i = 0; i < sighted; i++) {
            const assay_known *known = judged(r->gold, topic, k, seen[i]);
            retrieved *d = &k->document[seen[i].document];
            if (known) p->found[p->count++] = (assay_counted){d->score, d, known->number};
        }
    }
    assay_counter_sort(p, goes_before, k);
    for (int64_t i = 0; i < k->count; i++) assay_counter_add(p, k->document[i].score, &k->document[i], goes_before, k);
    assay_counter_finish(p);
    int64_t kept = 0;
    for (int64_t i = 0; i < p->count; i++) {
        int64_t grade = r->gold->document[topic->first + p->found[i].value].grade;
        if (grade < 0 && r->judged_only) continue;
        kept++;
        assay_note_found(r, r->judged_only ? kept : p->rank[i], p->found[i].value, grade);
    }
    assay_end_topic(r, k->topic, r->judged_only ? kept : k->count);
    return 1;
}

static void rank_sorted(assay_ranker *r, const block *k, const assay_topic *topic, int64_t count) {
    int64_t kept = 0;
    for (int64_t from = 0; from < count; from += AT_A_TIME) {
        sighting seen[AT_A_TIME];
        int64_t sighted = sight(r->gold, topic, k, from, count, seen);
        for (int64_t i = 0; i < sighted; i++) {
            const assay_known *known = judged(r->gold, topic, k, seen[i]);
            if (known == NULL || (r->judged_only && known->grade < 0)) continue;
            kept++;
            assay_note_found(r, r->judged_only ? kept : seen[i].document + 1, known->number, known->grade);
        }
    }
    assay_end_topic(r, k->topic, r->judged_only ? kept : count);
}

/* Rank a whole topic in order whose judged documents are known, without reading the others. */
static void rank_sought(assay_ranker *r, const block *k, const assay_topic *topic) {
    int64_t kept = 0;
    for (int64_t i = 0; i < k->found_count; i++) {
        const assay_known *known = &r->gold->known[topic->first + k->document[k->found[i]].line - 1];
        if (known->grade < 0 && r->judged_only) continue;
        kept++;
        assay_note_found(r, r->judged_only ? kept : k->found[i] + 1, known->number, known->grade);
    }
    assay_end_topic(r, k->topic, r->judged_only ? kept : k->count);
}

/* Whether sorting all documents is faster than counting those above the judged ones. */
static int many_judged(const block *k) { return k->looked_up && k->found_count > k->count / 4; }

int assay_close_block(assay_ranker *r, block *k) {
    const assay_topic *topic = &r->gold->topic[k->topic];
    int cut = r->depth >= 0 && r->depth < k->count;
    for (int64_t i = 0; k->unsorted && i < k->count; i++) assay_parse_deferred_score(&k->document[i]);
    int sort = k->unsorted && (cut || many_judged(k));
    if (sort && !assay_sort_block(k)) return assay_out_of_memory(r);
    int64_t count = cut ? r->depth : k->count;

    int twice = k->distinct ? 0 : assay_has_duplicate(r, k, count);
    if (twice < 0) return assay_out_of_memory(r);
    if (twice) {
        int64_t first;
        qsort(k->document, (size_t)count, sizeof *k->document, by_line); /* name the first repetition in the file */
        const retrieved *repeat = &k->document[assay_find_duplicate(k, count, r->seen, assay_slots(count) - 1, &first)];
        r->error.code = ASSAY_DUPLICATE;
        r->error.line = repeat->line;
        r->error.other = k->document[first].line;
        assay_set_text(r->error.text, repeat->id, repeat->length);
        assay_set_text(r->error.topic, topic->id, topic->length);
        return 0;
    }

    /* No more can be found than were retrieved, nor than the gold has. */
    int64_t most = count < topic->count ? count : topic->count;
    if (!assay_begin_topic(r, k->topic, most)) return 0;
    if (k->looked_up && !k->unsorted && !cut)
        rank_sought(r, k, topic);
    else if (!k->unsorted || sort)
        rank_sorted(r, k, topic, count);
    else if (!rank_unsorted(r, k, topic, most))
        return 0;
    k->count = 0;
    k->size = 0;
    k->kept = 0;
    k->unsorted = 0;
    return 1;
}
