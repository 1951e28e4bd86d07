/* Read judgments, group them by topic, and index them. */
#include <stdlib.h>
#include <string.h>

#include "assay.h"
#include "gold_builder.h"
#include "ids.h"
#include "judged_index.h"
#include "memory.h"
#include "id_arena.h"
#include "fields.h"

int64_t assay_builder_topic(assay_builder *b, const char *id, size_t length) {
    if (b->rows) { /* most lines continue the topic of the line before */
        const assay_topic *last = &b->topic[b->row[b->rows - 1].topic];
        if (last->length == length && assay_same_id(last->id, id, length)) return last - b->topic;
    }
    if (length > UINT32_MAX) return -1;
    assay_key key = {id, length, assay_hash(id, length)};
    if (b->slots == NULL || 2 * (b->topics + 1) > (int64_t)b->mask + 1) {
        uint32_t *fresh = assay_table(b->topic ? &b->topic->hash : NULL, sizeof *b->topic, b->topics, &b->mask);
        if (fresh == NULL) return -1;
        free(b->slots);
        b->slots = fresh;
    }
    uint32_t *slot = assay_probe(b->slots, b->mask, key.hash, assay_is_topic, b->topic, &key);
    if (*slot) return *slot - 1;
    if (!assay_reserve(&b->topic, &b->topic_room, b->topics + 1, sizeof *b->topic)) return -1;
    b->topic[b->topics] = (assay_topic){.id = id, .length = (uint32_t)length, .hash = key.hash};
    *slot = (uint32_t)++b->topics;
    return b->topics - 1;
}

int assay_builder_add(assay_builder *b, int64_t topic, const char *id, size_t length, int64_t grade, int64_t line) {
    if (length > UINT32_MAX || line > UINT32_MAX || !assay_reserve(&b->row, &b->row_room, b->rows + 1, sizeof *b->row)) return 0;
    b->row[b->rows++] = (assay_judged){id, (uint32_t)length, (int32_t)grade, (uint32_t)line, (uint32_t)topic};
    b->topic[topic].count++;
    return 1;
}

static int by_id(const void *left, const void *right) {
    const assay_topic *a = left, *b = right;
    return assay_compare_ids(a->id, a->length, b->id, b->length);
}

static int highest_first(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a > b ? -1 : a < b;
}

enum { FEW_GRADES = 64, GRADE_DIGITS = 9, MOST = 1 << 30 }; /* documents of a topic: the 32 bits of a number hold them */

/* The grades of one topic, highest first. Mostly few different ones: a counting sort. */
void assay_sort_grades(int64_t *grades, int64_t count) {
    int64_t low = grades[0], high = grades[0], counts[FEW_GRADES] = {0};
    for (int64_t i = 1; i < count; i++) {
        if (grades[i] < low) low = grades[i];
        if (grades[i] > high) high = grades[i];
    }
    if (high - low >= FEW_GRADES) {
        qsort(grades, (size_t)count, sizeof *grades, highest_first);
        return;
    }
    for (int64_t i = 0; i < count; i++) counts[grades[i] - low]++;
    for (int64_t grade = high, at = 0; grade >= low; grade--) {
        for (int64_t i = counts[grade - low]; i; i--) grades[at++] = grade;
    }
}

/* Where each topic's first row is, if all its rows are together, as they are in most files; 0 if they do not. */
static int rows_together(const assay_builder *b, int64_t *first) {
    int64_t seen = 0;
    for (int64_t r = 0; r < b->rows; r++) {
        if (r && b->row[r].topic == b->row[r - 1].topic) continue;
        if ((int64_t)b->row[r].topic != seen) return 0;
        first[seen++] = r;
    }
    return seen == b->topics; /* a topic without rows has no first row */
}

void assay_gold_free(assay_gold *gold) {
    if (gold == NULL) return;
    assay_arena_free(gold->kept);
    free(gold->topic);
    if (!gold->one_allocation) free(gold->document);
    if (!gold->one_allocation) free(gold->grades);
    free(gold->index);
    free(gold->names);
    free(gold->topic_slots);
    free(gold);
}

void assay_builder_free(assay_builder *b) {
    free(b->row);
    free(b->topic);
    free(b->slots);
}

void assay_sort_topics(assay_topic *topics, int64_t count) {
    if (count) qsort(topics, (size_t)count, sizeof *topics, by_id);
}

static char *joined_names(const assay_gold *gold, int64_t *size) {
    *size = 0;
    for (int64_t t = 0; t < gold->topics; t++) *size += (int64_t)gold->topic[t].length + 1;
    char *names = malloc((size_t)*size + 1), *p = names;
    for (int64_t t = 0; names && t < gold->topics; t++) {
        memcpy(p, gold->topic[t].id, gold->topic[t].length);
        p += gold->topic[t].length;
        *p++ = '\0';
    }
    if (*size) --*size; /* between them, not behind the last */
    return names;
}

int assay_name_topics(assay_gold *gold) {
    gold->names = joined_names(gold, &gold->named);
    gold->topic_slots = assay_table(gold->topic ? &gold->topic->hash : NULL, sizeof *gold->topic, gold->topics, &gold->topic_mask);
    return gold->names != NULL && gold->topic_slots != NULL;
}

/* Put rows under their topics, topics in byte order, and index the documents; takes the builder's memory. */
assay_gold *assay_builder_finish(assay_builder *b, assay_error *error) {
    assay_gold *gold = calloc(1, sizeof *gold);
    int64_t *place = malloc(((size_t)b->topics + 1) * sizeof *place);
    uint32_t *renumber = malloc(((size_t)b->topics + 1) * sizeof *renumber);
    if (gold == NULL || place == NULL || renumber == NULL) goto no_memory;

    int together = rows_together(b, place);
    for (int64_t t = 0; t < b->topics; t++) b->topic[t].start = t; /* remember the order of appearance while sorting */
    for (int64_t t = 0; together && t < b->topics; t++) b->topic[t].first = place[t];
    assay_sort_topics(b->topic, b->topics);
    int64_t start = 0;
    for (int64_t t = 0; t < b->topics; t++) {
        assay_topic *topic = &b->topic[t];
        renumber[topic->start] = (uint32_t)t;
        if (!together) topic->first = start;
        start += topic->count;
        if (topic->count > gold->largest) gold->largest = topic->count;
        if (topic->count > MOST) goto no_memory;
        place[t] = topic->first;
    }
    gold->topics = b->topics;
    gold->documents = b->rows;
    gold->topic = b->topic;
    b->topic = NULL;
    gold->document = together ? b->row : malloc(((size_t)b->rows + 1) * sizeof *gold->document);
    gold->grades = malloc(((size_t)b->rows + 1) * sizeof *gold->grades);
    int named = assay_name_topics(gold);
    const assay_judged *rows = b->row;
    if (together) b->row = NULL; /* owned by the gold from here on */
    if ((gold->document == NULL && b->rows) || gold->grades == NULL || !named) goto no_memory;

    for (int64_t r = 0; r < gold->documents; r++) { /* in file order, so a topic's documents keep it */
        assay_judged row = rows[r];
        row.topic = renumber[row.topic];
        int64_t at = place[row.topic]++;
        gold->document[at] = row;
        gold->grades[at] = row.grade;
    }
    error->line = 0;
    if (!assay_index_build(gold, error)) goto failed;
    for (int64_t t = 0; t < gold->topics; t++) {
        if (gold->topic[t].count) assay_sort_grades(gold->grades + gold->topic[t].first, gold->topic[t].count);
    }
    free(place);
    free(renumber);
    assay_builder_free(b);
    return gold;

no_memory:
    error->code = ASSAY_MEMORY;
failed:
    free(place);
    free(renumber);
    assay_builder_free(b);
    assay_gold_free(gold);
    return NULL;
}

/* Reserve rows as if all lines were as long as the first. Unused memory costs nothing; without memory, rows grow later. */
static void reserve_rows(assay_builder *b, const char *bytes, size_t size) {
    enum { SHORTEST = 8 }; /* "1 0 d 1", and its end */
    const char *newline = size ? memchr(bytes, '\n', size) : NULL;
    size_t length = newline ? (size_t)(newline + 1 - bytes) : size;
    assay_reserve(&b->row, &b->row_room, (int64_t)(size / (length > SHORTEST ? length : SHORTEST)), sizeof *b->row);
}

/* A line of four words: topic, iteration, document, grade. */
static int read_judgment(assay_builder *b, const assay_field *words, int64_t line, assay_error *error) {
    int64_t grade, topic;
    if (!assay_parse_whole(words[3].word, words[3].length, GRADE_DIGITS, &grade)) {
        error->code = ASSAY_GRADE;
        assay_set_text(error->text, words[3].word, words[3].length);
        return 0;
    }
    if ((topic = assay_builder_topic(b, words[0].word, words[0].length)) < 0 ||
        !assay_builder_add(b, topic, words[2].word, words[2].length, grade, line)) {
        error->code = ASSAY_MEMORY;
        return 0;
    }
    return 1;
}

assay_gold *assay_gold_read(const char *bytes, size_t size, assay_error *error) {
    assay_builder b;
    memset(&b, 0, sizeof b);
    memset(error, 0, sizeof *error);
    const char *p = bytes, *end = bytes + size;
    const char *zero = size ? memchr(bytes, '\0', size) : NULL;
    int64_t line = 0;
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) p += 3;
    reserve_rows(&b, bytes, size);
    while (p < end) {
        assay_field words[4];
        int fields;
        const char *stop = assay_line(p, end, 1, words, 4, &fields);
        error->line = ++line;
        if (zero && zero < stop) {
            error->code = ASSAY_BINARY;
            goto failed;
        }
        p = stop < end ? stop + 1 : end;
        if (fields == 0) continue; /* blank or a comment */
        if (fields != 4) {
            error->code = ASSAY_FIELDS;
            error->fields = fields;
            goto failed;
        }
        if (!read_judgment(&b, words, line, error)) goto failed;
    }
    return assay_builder_finish(&b, error);
failed:
    assay_builder_free(&b);
    return NULL;
}

assay_gold *assay_gold_pack(const char *topics, const char *documents, int64_t count, const int64_t *counts,
                            const int64_t *grades, assay_error *error) {
    assay_builder b;
    memset(&b, 0, sizeof b);
    memset(error, 0, sizeof *error);
    int64_t row = 0;
    for (int64_t t = 0; t < count; t++) {
        size_t length = strlen(topics);
        int64_t number = assay_builder_topic(&b, topics, length);
        for (int64_t i = 0; number >= 0 && i < counts[t]; i++, row++) {
            size_t size = strlen(documents);
            if (!assay_builder_add(&b, number, documents, size, grades[row], row + 1)) number = -1;
            documents += size + 1;
        }
        if (number < 0) {
            error->code = ASSAY_MEMORY;
            assay_builder_free(&b);
            return NULL;
        }
        topics += length + 1;
    }
    return assay_builder_finish(&b, error);
}
