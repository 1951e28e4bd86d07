/* Reading a run: lines, their words, and the topic each belongs to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judged_index.h"
#include "ranker.h"
#include "score.h"
#include "line_template.h"
#include "fields.h"

/* Topics without judgments are counted by their hashes, each once. */
static int is_ignored(const void *hashes, uint32_t number, const void *wanted) {
    return ((const uint64_t *)hashes)[number] == *(const uint64_t *)wanted;
}

static int note_ignored(assay_ranker *r, uint64_t hash) {
    if (r->ignored_slots == NULL || 2 * (r->ignored_count + 1) > (int64_t)r->ignored_mask + 1) {
        uint32_t *fresh = assay_table(r->ignored, sizeof *r->ignored, r->ignored_count, &r->ignored_mask);
        if (fresh == NULL) return assay_out_of_memory(r);
        free(r->ignored_slots);
        r->ignored_slots = fresh;
    }
    uint32_t *slot = assay_probe(r->ignored_slots, r->ignored_mask, hash, is_ignored, r->ignored, &hash);
    if (*slot) return 1;
    if (!assay_reserve(&r->ignored, &r->ignored_room, r->ignored_count + 1, sizeof *r->ignored)) return assay_out_of_memory(r);
    r->ignored[r->ignored_count++] = hash;
    *slot = (uint32_t)r->ignored_count;
    return 1;
}

/* Append bytes to a text. */
static int append(assay_ranker *r, text *t, const char *bytes, size_t length) {
    if (!assay_reserve(&t->bytes, &t->room, t->length + (int64_t)length + 1, 1)) return assay_out_of_memory(r);
    memcpy(t->bytes + t->length, bytes, length);
    t->length += (int64_t)length;
    return 1;
}

static block *new_block(assay_ranker *r, int64_t topic) {
    if (!assay_reserve(&r->blocks, &r->block_room, r->block_count + 1, sizeof *r->blocks)) return NULL;
    block *k = &r->blocks[r->block_count++];
    *k = (block){.topic = topic, .ascending_ties = r->ascending_ties};
    return k;
}

int assay_find_topic(assay_ranker *r, const char *id, size_t length, int64_t *topic) {
    assay_key key = {id, length, assay_hash(id, length)};
    *topic = (int64_t)*assay_probe(r->gold->topic_slots, r->gold->topic_mask, key.hash, assay_is_topic, r->gold->topic, &key) - 1;
    if (*topic >= 0) return 1;
    r->other.length = 0;
    return append(r, &r->other, id, length) && note_ignored(r, key.hash);
}

/* A line names another topic than the line before. */
static int change_topic(assay_ranker *r, const char *id, size_t length) {
    int64_t topic;
    r->head = 0;
    if (!r->keep && r->current && !assay_close_block(r, r->current)) return 0;
    if (!assay_find_topic(r, id, length, &topic)) return 0;
    if (topic < 0) {
        r->current = NULL;
        r->topic = r->other.bytes;
        r->topic_length = length;
        return 1;
    }
    r->topic = r->gold->topic[topic].id;
    r->topic_length = length;
    if (r->keep) {
        if (r->block_of[topic] == 0) {
            if (new_block(r, topic) == NULL) return assay_out_of_memory(r);
            r->block_of[topic] = r->block_count;
        }
        r->current = &r->blocks[r->block_of[topic] - 1];
        return 1;
    }
    if (r->num_ret[topic] >= 0) {
        r->error.code = ASSAY_INTERLEAVED;
        return 0;
    }
    if (r->block_count == 0 && new_block(r, topic) == NULL) return assay_out_of_memory(r);
    r->current = &r->blocks[0];
    r->current->topic = topic;
    return 1;
}

static inline int in_current_topic(const assay_ranker *r, const char *id, size_t length) {
    return r->topic != NULL && r->topic_length == length && assay_same_id(r->topic, id, length);
}

static inline int add_document(assay_ranker *r, const char *id, size_t length, double score, int64_t line) {
    return assay_add(r->current, id, length, score, line) || assay_out_of_memory(r);
}

/* Reserve bytes for the ids that a block keeps. */
static int make_room(assay_ranker *r, block *k, int64_t more) {
    uintptr_t before = (uintptr_t)k->bytes;
    if (!assay_reserve(&k->bytes, &k->byte_room, k->size + more, 1)) return assay_out_of_memory(r);
    for (int64_t i = 0; i < k->kept && (uintptr_t)k->bytes != before; i++)
        k->document[i].id = k->bytes + ((uintptr_t)k->document[i].id - before);
    return 1;
}

/* Copy the ids of an open block before its lines are freed. */
static int keep_ids(assay_ranker *r, block *k) {
    int64_t more = 0;
    for (int64_t i = k->kept; i < k->count; i++) more += k->document[i].length;
    if (!make_room(r, k, more + 1)) return 0;
    for (; k->kept < k->count; k->kept++) {
        retrieved *d = &k->document[k->kept];
        assay_parse_deferred_score(d);
        memcpy(k->bytes + k->size, d->id, d->length);
        d->id = k->bytes + k->size;
        k->size += d->length;
    }
    return 1;
}

/* The same for contiguous lines up to `end`, copied whole, which is faster than id by id. */
static int keep_lines(assay_ranker *r, block *k, const char *end) {
    enum { BEHIND = ASSAY_BEHIND_SCORE };
    const char *from = k->document[k->kept].id;
    int64_t size = end - from;
    if (!make_room(r, k, size + BEHIND)) return 0;
    char *to = k->bytes + k->size;
    memcpy(to, from, (size_t)size);
    memset(to + size, 0, BEHIND);
    for (; k->kept < k->count; k->kept++) k->document[k->kept].id = to + (k->document[k->kept].id - from);
    k->size += size;
    return 1;
}

/* Copy everything that points to bytes before `end`. Most topics begin and end within one piece of a run, and need no copy. */
static int keep_open(assay_ranker *r, const char *end) {
    for (int64_t i = 0; i < r->block_count; i++) {
        block *k = &r->blocks[i];
        if (k->kept < k->count && !(r->keep ? keep_ids(r, k) : keep_lines(r, k, end))) return 0;
    }
    return 1;
}

/* A line of six words: topic, Q0, document, rank, score, tag. */
static inline int read_words(assay_ranker *r, const assay_field *w) {
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
    r->tag.length = (int64_t)w[5].length;
    if (!in_current_topic(r, w[0].word, w[0].length) && !change_topic(r, w[0].word, w[0].length)) return 0;
    return r->current == NULL || add_document(r, w[2].word, w[2].length, score, r->lines);
}

static int read_line(assay_ranker *r, const char *p, const char *stop) {
    assay_field words[6];
    r->lines++;
    if (r->lines == 1 && stop - p >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) p += 3;
    if (p < stop && memchr(p, '\0', (size_t)(stop - p))) {
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

/* Copy the newest tag before its bytes are freed. */
static int keep_tag(assay_ranker *r) {
    if (r->tag_at == NULL) return 1;
    size_t length = (size_t)r->tag.length;
    r->tag.length = 0;
    if (!append(r, &r->tag, r->tag_at, length)) return 0;
    r->tag_at = NULL;
    return 1;
}

int assay_read_rest(assay_ranker *r) {
    if (r->carry.length == 0) return 1;
    const char *start = r->carry.bytes, *stop = start + r->carry.length;
    r->carry.length = 0;
    return read_line(r, start, stop) && keep_tag(r);
}

int assay_ranker_feed(assay_ranker *r, const char *bytes, size_t size) {
    if (r->error.code) return r->error.code;
    const char *p = bytes, *end = bytes + size;
    if (r->carry.length) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        if (!append(r, &r->carry, p, (size_t)((stop ? stop : end) - p))) return r->error.code;
        if (stop == NULL) return ASSAY_OK;
        if (!assay_read_rest(r)) return r->error.code;
        if (r->current && !keep_ids(r, r->current)) return r->error.code; /* its line is not contiguous with those that follow */
        p = stop + 1;
    }
    while (p < end) {
#if ASSAY_BLOCKS
        assay_field words[6];
        if ((p = assay_read_by_template(r, p, end)) == NULL) return r->error.code;
        const char *newline = r->lines == 0 ? NULL : assay_short_line(p, end, words, 6);
        if (newline && *words[0].word != '#' && memchr(p, '\0', (size_t)(newline - p)) == NULL) {
            r->lines++;
            if (!read_words(r, words)) return r->error.code;
            assay_learn_template(r, p, words, newline);
            p = newline + 1;
            continue;
        }
#endif
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        if (stop == NULL) break;
        if (!read_line(r, p, stop)) return r->error.code;
        p = stop + 1;
    }
    if (!keep_open(r, p)) return r->error.code;
    if (!keep_tag(r)) return r->error.code;
    if (p < end && !append(r, &r->carry, p, (size_t)(end - p))) return r->error.code;
    return ASSAY_OK;
}

int assay_ranker_pack(assay_ranker *r, const char *topic, size_t length, const char *documents, int64_t count,
                             const double *scores) {
    if (r->error.code) return r->error.code;
    r->data_lines += count;
    if (!in_current_topic(r, topic, length) && !change_topic(r, topic, length)) return r->error.code;
    if (r->current == NULL) return ASSAY_OK;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(scores[i])) {
            r->error.code = ASSAY_SCORE;
            r->error.line = i + 1;
            assay_set_text(r->error.text, "nan", 3);
            assay_set_text(r->error.topic, topic, length);
            return r->error.code;
        }
        double score = r->float32 ? (double)(float)scores[i] : scores[i];
        size_t size = strlen(documents);
        if (!add_document(r, documents, size, score, i + 1)) return r->error.code;
        documents += size + 1;
    }
    return keep_open(r, documents) ? ASSAY_OK : r->error.code;
}
