#include "rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "score.h"
#include "words.h"

typedef struct { /* a retrieved document of the topic being read */
    double score;
    uint64_t id; /* where its bytes start in the block */
    uint64_t hash;
    int64_t line;
    uint32_t length;
} retrieved;

typedef struct { /* one topic's lines of the run */
    int64_t topic;
    retrieved *document;
    int64_t count, room;
    char *bytes;
    uint64_t size, byte_room;
    int unsorted, ascending_ties;
} block;

typedef struct {
    int32_t *value;
    int64_t count, room;
} vector;

typedef struct {
    const assay_gold *gold;
    int64_t depth; /* documents looked at per topic, or -1 */
    int float32, judged_only, keep, any_fields, ascending_ties;

    int64_t *num_ret; /* per topic of the gold: documents retrieved, or -1 where the run has none */
    int64_t *relevant_start, *relevant_count, *pooled_start, *pooled_count;
    vector relevant_rank, relevant_grade, nonrelevant_above;
    vector pooled_rank, pooled_document;

    block *blocks; /* one, reused, or in keep mode one per topic seen */
    int64_t block_count, block_room;
    int64_t *block_of; /* keep mode: topic → block + 1 */
    block *current;    /* NULL while in a topic without judgments */

    char *other; /* the unjudged topic being skipped */
    size_t other_length, other_room;
    uint64_t *ignored; /* hashes of unjudged topics, a set */
    int64_t ignored_count, ignored_mask;

    char *carry; /* a line cut by the end of a chunk */
    size_t carry_length, carry_room;
    char *tag;
    size_t tag_length, tag_room;
    const char *tag_at; /* the newest tag, in the chunk being read */

    uint32_t *seen; /* hash table for duplicates */
    int64_t seen_room;
    int64_t lines, data_lines;
    assay_error error;
} ranker;

static int out_of_memory(ranker *r) {
    r->error.code = ASSAY_MEMORY;
    return 0;
}

static int reserve(void **memory, size_t *room, size_t wanted) {
    if (wanted <= *room) return 1;
    size_t bigger = *room ? *room * 2 : 256;
    while (bigger < wanted) bigger *= 2;
    void *grown = realloc(*memory, bigger);
    if (grown == NULL) return 0;
    *memory = grown;
    *room = bigger;
    return 1;
}

/* Room for `more` further values, so that adding them needs no check. */
static int make_room(vector *v, int64_t more) {
    if (v->count + more <= v->room) return 1;
    int64_t room = v->room ? v->room * 2 : 1024;
    while (room < v->count + more) room *= 2;
    int32_t *bigger = realloc(v->value, (size_t)room * sizeof *bigger);
    if (bigger == NULL) return 0;
    v->value = bigger;
    v->room = room;
    return 1;
}

static inline void push(vector *v, int64_t value) { v->value[v->count++] = (int32_t)value; }

/* Ids are short: comparing eight bytes at a time in place beats a call of memcmp. */
static inline int same_id(const char *a, const char *b, size_t length) {
    for (; length >= 8; a += 8, b += 8, length -= 8) {
        uint64_t x, y;
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        if (x != y) return 0;
    }
    for (; length; a++, b++, length--) {
        if (*a != *b) return 0;
    }
    return 1;
}

static int compare_ids(const char *a, size_t la, const char *b, size_t lb) {
    int order = memcmp(a, b, la < lb ? la : lb);
    return order ? order : (la > lb) - (la < lb);
}

/* Whether a stands above b: higher score, then the id that is greater as bytes. This is assay's one tie rule; only
 * trec_eval's preference formats, which break ties the other way, ask for ascending ids. */
static int above(const block *k, const retrieved *a, const retrieved *b) {
    if (a->score != b->score) return a->score > b->score;
    int order = compare_ids(k->bytes + a->id, a->length, k->bytes + b->id, b->length);
    return k->ascending_ties ? order < 0 : order > 0;
}

/* Merge sort: stable, no worst case, and no comparison callback that would need the block passed by GNU's qsort_r. */
static int sort_block(block *k) {
    int64_t n = k->count;
    retrieved *from = k->document, *to = malloc((size_t)n * sizeof *to);
    if (to == NULL) return 0;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t start = 0; start < n; start += 2 * width) {
            int64_t middle = start + width < n ? start + width : n, end = start + 2 * width < n ? start + 2 * width : n;
            int64_t left = start, right = middle;
            for (int64_t i = start; i < end; i++) {
                int take_left = left < middle && (right >= end || !above(k, &from[right], &from[left]));
                to[i] = take_left ? from[left++] : from[right++];
            }
        }
        retrieved *swap = from;
        from = to;
        to = swap;
    }
    k->document = from;
    k->room = n;
    free(to);
    return 1;
}

static int by_line(const void *left, const void *right) {
    const retrieved *a = left, *b = right;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* Which of `count` documents repeats an earlier one, or -1; `seen` holds numbers + 1. */
static int64_t find_repeat(const block *k, int64_t count, uint32_t *seen, uint32_t mask, int64_t *first) {
    memset(seen, 0, ((size_t)mask + 1) * sizeof *seen);
    for (int64_t i = 0; i < count; i++) {
        const retrieved *d = &k->document[i];
        uint32_t slot = (uint32_t)d->hash & mask;
        for (; seen[slot]; slot = (slot + 1) & mask) {
            const retrieved *e = &k->document[seen[slot] - 1];
            if (e->hash == d->hash && e->length == d->length && same_id(k->bytes + e->id, k->bytes + d->id, d->length)) {
                *first = seen[slot] - 1;
                return i;
            }
        }
        seen[slot] = (uint32_t)i + 1;
    }
    return -1;
}

static int64_t judged_number(const assay_gold *gold, const assay_topic *topic, const block *k, const retrieved *d) {
    const uint32_t *table = gold->tables + topic->table;
    for (uint32_t slot = (uint32_t)d->hash & (topic->slots - 1);; slot = (slot + 1) & (topic->slots - 1)) {
        if (table[slot] == 0) return -1;
        const assay_judged *judged = &gold->document[topic->first + table[slot] - 1];
        if (judged->hash == d->hash && judged->length == d->length && same_id(judged->id, k->bytes + d->id, d->length))
            return table[slot] - 1;
    }
}

/* A topic is complete: order it, check it, note where its judged documents stand. */
static int close_block(ranker *r, block *k) {
    const assay_topic *topic = &r->gold->topic[k->topic];
    if (k->unsorted && !sort_block(k)) return out_of_memory(r);
    int64_t count = r->depth >= 0 && r->depth < k->count ? r->depth : k->count;

    uint32_t slots = 16;
    while (slots < 2 * (uint64_t)count) slots *= 2;
    if ((int64_t)slots > r->seen_room) {
        free(r->seen);
        r->seen_room = 0;
        r->seen = malloc(slots * sizeof *r->seen);
        if (r->seen == NULL) return out_of_memory(r);
        r->seen_room = slots;
    }
    int64_t first;
    if (find_repeat(k, count, r->seen, slots - 1, &first) >= 0) {
        qsort(k->document, (size_t)count, sizeof *k->document, by_line); /* name the first repetition in the file */
        const retrieved *repeat = &k->document[find_repeat(k, count, r->seen, slots - 1, &first)];
        r->error.code = ASSAY_DUPLICATE;
        r->error.line = repeat->line;
        r->error.other = k->document[first].line;
        assay_set_text(r->error.text, k->bytes + repeat->id, repeat->length);
        assay_set_text(r->error.topic, topic->id, topic->length);
        return 0;
    }

    /* No more can be found than were retrieved, nor than the gold has. */
    int64_t most = count < topic->count ? count : topic->count;
    vector *columns[] = {&r->pooled_rank, &r->pooled_document, &r->relevant_rank, &r->relevant_grade, &r->nonrelevant_above};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (!make_room(columns[i], most)) return out_of_memory(r);
    }

    int64_t rank = 0, nonrelevant = 0;
    r->relevant_start[k->topic] = r->relevant_rank.count;
    r->pooled_start[k->topic] = r->pooled_rank.count;
    for (int64_t i = 0; i < count; i++) {
        int64_t number = judged_number(r->gold, topic, k, &k->document[i]);
        int64_t grade = number < 0 ? -1 : r->gold->document[topic->first + number].grade;
        if (grade < 0 && r->judged_only) continue;
        rank++;
        if (number < 0) continue;
        push(&r->pooled_rank, rank);
        push(&r->pooled_document, number);
        if (grade > 0) {
            push(&r->relevant_rank, rank);
            push(&r->relevant_grade, grade);
            push(&r->nonrelevant_above, nonrelevant);
        } else if (grade == 0) {
            nonrelevant++;
        }
    }
    r->relevant_count[k->topic] = r->relevant_rank.count - r->relevant_start[k->topic];
    r->pooled_count[k->topic] = r->pooled_rank.count - r->pooled_start[k->topic];
    r->num_ret[k->topic] = rank;
    k->count = 0;
    k->size = 0;
    k->unsorted = 0;
    return 1;
}

static int note_ignored(ranker *r, uint64_t hash) {
    if (2 * (r->ignored_count + 1) > r->ignored_mask + 1) {
        int64_t slots = r->ignored_mask ? 2 * (r->ignored_mask + 1) : 64;
        uint64_t *fresh = calloc((size_t)slots, sizeof *fresh);
        if (fresh == NULL) return out_of_memory(r);
        for (int64_t i = 0; r->ignored && i <= r->ignored_mask; i++) {
            if (r->ignored[i] == 0) continue;
            int64_t slot = (int64_t)(r->ignored[i] & (uint64_t)(slots - 1));
            while (fresh[slot]) slot = (slot + 1) & (slots - 1);
            fresh[slot] = r->ignored[i];
        }
        free(r->ignored);
        r->ignored = fresh;
        r->ignored_mask = slots - 1;
    }
    if (hash == 0) hash = 1;
    int64_t slot = (int64_t)(hash & (uint64_t)r->ignored_mask);
    for (; r->ignored[slot]; slot = (slot + 1) & r->ignored_mask) {
        if (r->ignored[slot] == hash) return 1;
    }
    r->ignored[slot] = hash;
    r->ignored_count++;
    return 1;
}

static block *new_block(ranker *r, int64_t topic) {
    if (r->block_count == r->block_room) {
        int64_t room = r->block_room ? r->block_room * 2 : 1;
        block *bigger = realloc(r->blocks, (size_t)room * sizeof *bigger);
        if (bigger == NULL) return NULL;
        r->blocks = bigger;
        r->block_room = room;
    }
    block *k = &r->blocks[r->block_count++];
    memset(k, 0, sizeof *k);
    k->topic = topic;
    k->ascending_ties = r->ascending_ties;
    return k;
}

/* A line names another topic than the line before. */
static int change_topic(ranker *r, const char *id, size_t length) {
    if (!r->keep && r->current && !close_block(r, r->current)) return 0;
    uint64_t hash = assay_hash(id, length);
    int64_t topic = assay_find_topic(r->gold, id, length, hash);
    if (topic < 0) {
        r->current = NULL;
        if (!reserve((void **)&r->other, &r->other_room, length + 1)) return out_of_memory(r);
        memcpy(r->other, id, length);
        r->other_length = length;
        return note_ignored(r, hash);
    }
    if (r->keep) {
        if (r->block_of[topic] == 0) {
            if (new_block(r, topic) == NULL) return out_of_memory(r);
            r->block_of[topic] = r->block_count;
        }
        r->current = &r->blocks[r->block_of[topic] - 1];
        return 1;
    }
    if (r->num_ret[topic] >= 0) {
        r->error.code = ASSAY_INTERLEAVED;
        return 0;
    }
    if (r->block_count == 0 && new_block(r, topic) == NULL) return out_of_memory(r);
    r->current = &r->blocks[0];
    r->current->topic = topic;
    return 1;
}

static int in_current_topic(const ranker *r, const char *id, size_t length) {
    if (r->current) {
        const assay_topic *topic = &r->gold->topic[r->current->topic];
        return topic->length == length && memcmp(topic->id, id, length) == 0;
    }
    return r->other != NULL && r->other_length == length && memcmp(r->other, id, length) == 0;
}

static int add_document(ranker *r, const char *id, size_t length, double score, int64_t line) {
    block *k = r->current;
    if (k->count == k->room) {
        int64_t room = k->room ? k->room * 2 : 1024;
        retrieved *bigger = realloc(k->document, (size_t)room * sizeof *bigger);
        if (bigger == NULL) return out_of_memory(r);
        k->document = bigger;
        k->room = room;
    }
    if (k->size + length > k->byte_room) {
        uint64_t room = k->byte_room ? k->byte_room * 2 : 16384;
        while (room < k->size + length) room *= 2;
        char *bigger = realloc(k->bytes, room);
        if (bigger == NULL) return out_of_memory(r);
        k->bytes = bigger;
        k->byte_room = room;
    }
    retrieved *d = &k->document[k->count];
    memcpy(k->bytes + k->size, id, length);
    d->id = k->size;
    d->length = (uint32_t)length;
    d->hash = assay_hash(id, length);
    d->score = score;
    d->line = line;
    if (k->count && !k->unsorted && !above(k, d - 1, d)) k->unsorted = 1;
    k->size += length;
    k->count++;
    return 1;
}

/* A line of six words: topic, Q0, document, rank, score, tag. */
static int read_words(ranker *r, const assay_word *w) {
    double score;
    if (!assay_parse_score(w[4].word, w[4].length, &score)) {
        r->error.code = ASSAY_SCORE;
        r->error.line = r->lines;
        assay_set_text(r->error.text, w[4].word, w[4].length);
        return 0;
    }
    if (r->float32) score = (double)(float)score;
    r->data_lines++;
    r->tag_at = w[5].word;
    r->tag_length = w[5].length;
    if (!in_current_topic(r, w[0].word, w[0].length) && !change_topic(r, w[0].word, w[0].length)) return 0;
    return r->current == NULL || add_document(r, w[2].word, w[2].length, score, r->lines);
}

static int read_line(ranker *r, const char *p, const char *stop, int may_hold_zero) {
    assay_word words[6];
    r->lines++;
    if (r->lines == 1 && stop - p >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) p += 3;
    if (may_hold_zero && memchr(p, '\0', (size_t)(stop - p))) {
        r->error.code = ASSAY_BINARY;
        r->error.line = r->lines;
        return 0;
    }
    int fields = assay_split(p, stop, words, 6);
    if (fields == 0) return 1; /* blank or a comment */
    if (fields < 6 || (fields > 6 && !r->any_fields)) {
        r->error.code = ASSAY_FIELDS;
        r->error.fields = fields;
        r->error.line = r->lines;
        return 0;
    }
    return read_words(r, words);
}

static int keep_tag(ranker *r) {
    if (r->tag_at == NULL) return 1;
    if (!reserve((void **)&r->tag, &r->tag_room, r->tag_length + 1)) return out_of_memory(r);
    memcpy(r->tag, r->tag_at, r->tag_length);
    r->tag_at = NULL;
    return 1;
}

static int append_carry(ranker *r, const char *bytes, size_t size) {
    if (!reserve((void **)&r->carry, &r->carry_room, r->carry_length + size)) return out_of_memory(r);
    memcpy(r->carry + r->carry_length, bytes, size);
    r->carry_length += size;
    return 1;
}

EXPORT ranker *assay_ranker_new(const assay_gold *gold, int64_t depth, int float32, int judged_only, int keep,
                                int any_fields, int ascending_ties) {
    ranker *r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    size_t n = (size_t)gold->topics + 1;
    r->gold = gold;
    r->depth = depth;
    r->float32 = float32;
    r->judged_only = judged_only;
    r->keep = keep;
    r->any_fields = any_fields;
    r->ascending_ties = ascending_ties;
    r->num_ret = malloc(n * sizeof *r->num_ret);
    r->relevant_start = calloc(n, sizeof *r->relevant_start);
    r->relevant_count = calloc(n, sizeof *r->relevant_count);
    r->pooled_start = calloc(n, sizeof *r->pooled_start);
    r->pooled_count = calloc(n, sizeof *r->pooled_count);
    r->block_of = calloc(n, sizeof *r->block_of);
    if (!r->num_ret || !r->relevant_start || !r->relevant_count || !r->pooled_start || !r->pooled_count || !r->block_of) {
        r->error.code = ASSAY_MEMORY;
        return r;
    }
    for (size_t t = 0; t < n; t++) r->num_ret[t] = -1;
    return r;
}

EXPORT void assay_ranker_free(ranker *r) {
    if (r == NULL) return;
    for (int64_t i = 0; i < r->block_count; i++) {
        free(r->blocks[i].document);
        free(r->blocks[i].bytes);
    }
    free(r->blocks);
    free(r->block_of);
    free(r->num_ret);
    free(r->relevant_start);
    free(r->relevant_count);
    free(r->pooled_start);
    free(r->pooled_count);
    free(r->relevant_rank.value);
    free(r->relevant_grade.value);
    free(r->nonrelevant_above.value);
    free(r->pooled_rank.value);
    free(r->pooled_document.value);
    free(r->other);
    free(r->ignored);
    free(r->carry);
    free(r->tag);
    free(r->seen);
    free(r);
}

/* Read the next bytes of the run; they may end anywhere. Returns a code of assay_code. */
EXPORT int assay_ranker_feed(ranker *r, const char *bytes, size_t size) {
    if (r->error.code) return r->error.code;
    const char *p = bytes, *end = bytes + size;
    int may_hold_zero = size && memchr(bytes, '\0', size) != NULL;
    if (r->carry_length) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        if (!append_carry(r, p, (size_t)((stop ? stop : end) - p))) return r->error.code;
        if (stop == NULL) return ASSAY_OK;
        /* The carried piece may itself hold a zero byte from an earlier chunk. */
        size_t length = r->carry_length;
        r->carry_length = 0;
        if (!read_line(r, r->carry, r->carry + length, 1) || !keep_tag(r)) return r->error.code;
        p = stop + 1;
    }
    while (p < end) {
#if ASSAY_BLOCKS
        assay_word words[6];
        const char *newline = may_hold_zero || r->lines == 0 ? NULL : assay_short_line(p, end, words, 6);
        if (newline && *words[0].word != '#') {
            r->lines++;
            if (!read_words(r, words)) return r->error.code;
            p = newline + 1;
            continue;
        }
#endif
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        if (stop == NULL) break;
        if (!read_line(r, p, stop, may_hold_zero)) return r->error.code;
        p = stop + 1;
    }
    if (!keep_tag(r)) return r->error.code;
    if (p < end && !append_carry(r, p, (size_t)(end - p))) return r->error.code;
    return ASSAY_OK;
}

/* One topic from memory: ids joined by zero bytes. Lines are document numbers from 1. */
EXPORT int assay_ranker_pack(ranker *r, const char *topic, size_t topic_length, const char *documents, int64_t count,
                             const double *scores) {
    if (r->error.code) return r->error.code;
    r->data_lines += count;
    if (!in_current_topic(r, topic, topic_length) && !change_topic(r, topic, topic_length)) return r->error.code;
    if (r->current == NULL) return ASSAY_OK;
    for (int64_t i = 0; i < count; i++) {
        size_t length = strlen(documents);
        if (isnan(scores[i])) {
            r->error.code = ASSAY_SCORE;
            r->error.line = i + 1;
            assay_set_text(r->error.text, "nan", 3);
            assay_set_text(r->error.topic, topic, topic_length);
            return r->error.code;
        }
        double score = r->float32 ? (double)(float)scores[i] : scores[i];
        if (!add_document(r, documents, length, score, i + 1)) return r->error.code;
        documents += length + 1;
    }
    return ASSAY_OK;
}

/* The run has ended: read a last line without newline, and close what is open. */
EXPORT int assay_ranker_finish(ranker *r) {
    if (r->error.code) return r->error.code;
    if (r->carry_length && (!read_line(r, r->carry, r->carry + r->carry_length, 1) || !keep_tag(r))) return r->error.code;
    if (r->keep) {
        for (int64_t i = 0; i < r->block_count; i++) {
            if (!close_block(r, &r->blocks[i])) return r->error.code;
        }
    } else if (r->current && !close_block(r, r->current)) {
        return r->error.code;
    }
    return ASSAY_OK;
}

typedef struct {
    const int64_t *num_ret, *relevant_start, *relevant_count, *pooled_start, *pooled_count;
    const int32_t *relevant_rank, *relevant_grade, *nonrelevant_above, *pooled_rank, *pooled_document;
    const char *tag, *other;
    const assay_error *error;
    const uint64_t *ignored_topics; /* hashes, 0 where a slot is free */
    int64_t tag_length, other_length, data_lines, ignored, ignored_slots;
} ranked;

EXPORT void assay_ranker_result(const ranker *r, ranked *result) {
    *result = (ranked){r->num_ret,
                       r->relevant_start,
                       r->relevant_count,
                       r->pooled_start,
                       r->pooled_count,
                       r->relevant_rank.value,
                       r->relevant_grade.value,
                       r->nonrelevant_above.value,
                       r->pooled_rank.value,
                       r->pooled_document.value,
                       r->tag,
                       r->other,
                       &r->error,
                       r->ignored,
                       (int64_t)r->tag_length,
                       (int64_t)r->other_length,
                       r->data_lines,
                       r->ignored_count,
                       r->ignored ? r->ignored_mask + 1 : 0};
}
