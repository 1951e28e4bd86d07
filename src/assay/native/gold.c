#include "rank.h"

#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "words.h"

uint64_t assay_hash(const char *bytes, size_t length) {
    uint64_t hash = 0x9E3779B97F4A7C15ULL ^ (uint64_t)length;
    uint64_t word = 0;
    for (; length > 8; bytes += 8, length -= 8) {
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * 0xBF58476D1CE4E5B9ULL;
        hash ^= hash >> 29;
    }
    if (length >= 4) { /* two loads that may overlap cover what is left */
        uint32_t first, last;
        memcpy(&first, bytes, 4);
        memcpy(&last, bytes + length - 4, 4);
        word = ((uint64_t)first << 32) | last;
    } else {
        word = 0;
        for (size_t i = 0; i < length; i++) word = (word << 8) | (unsigned char)bytes[i];
    }
    hash = (hash ^ word) * 0x94D049BB133111EBULL;
    return hash ^ (hash >> 31);
}

void assay_set_text(char *target, const char *bytes, size_t length) {
    if (length > ASSAY_TEXT - 1) length = ASSAY_TEXT - 1;
    memcpy(target, bytes, length);
    target[length] = '\0';
}

static uint32_t slots_for(uint64_t count) {
    uint32_t slots = 4;
    while (slots < 2 * count) slots *= 2;
    return slots;
}

static int same(const char *a, size_t la, const char *b, size_t lb) { return la == lb && memcmp(a, b, la) == 0; }

int64_t assay_find_topic(const assay_gold *gold, const char *id, size_t length, uint64_t hash) {
    for (uint32_t slot = (uint32_t)hash & gold->topic_mask;; slot = (slot + 1) & gold->topic_mask) {
        uint32_t entry = gold->topic_slots[slot];
        if (entry == 0) return -1;
        const assay_topic *topic = &gold->topic[entry - 1];
        if (topic->hash == hash && same(topic->id, topic->length, id, length)) return entry - 1;
    }
}

/* Rows as they are read, before topics are known to be complete. */
typedef struct {
    assay_judged *row;
    int64_t rows, row_room;
    assay_topic *topic;
    int64_t topics, topic_room;
    uint32_t *slots;
    uint32_t mask;
} builder;

static int grow(void **memory, int64_t *room, size_t size) {
    int64_t wanted = *room ? *room * 2 : 1024;
    void *bigger = realloc(*memory, (size_t)wanted * size);
    if (bigger == NULL) return 0;
    *memory = bigger;
    *room = wanted;
    return 1;
}

static int rehash_topics(builder *b) {
    uint32_t slots = slots_for((uint64_t)b->topics * 2 + 8);
    uint32_t *fresh = calloc(slots, sizeof *fresh);
    if (fresh == NULL) return 0;
    for (int64_t t = 0; t < b->topics; t++) {
        uint32_t slot = (uint32_t)b->topic[t].hash & (slots - 1);
        while (fresh[slot]) slot = (slot + 1) & (slots - 1);
        fresh[slot] = (uint32_t)t + 1;
    }
    free(b->slots);
    b->slots = fresh;
    b->mask = slots - 1;
    return 1;
}

/* The number of a topic in order of appearance, added if new; -1 without memory. */
static int64_t topic_number(builder *b, const char *id, size_t length) {
    if (b->rows) { /* most lines continue the topic of the line before */
        int64_t last = b->row[b->rows - 1].topic;
        if (same(b->topic[last].id, b->topic[last].length, id, length)) return last;
    }
    uint64_t hash = assay_hash(id, length);
    if (b->slots == NULL || (uint64_t)(b->topics + 1) * 2 > b->mask) {
        if (!rehash_topics(b)) return -1;
    }
    uint32_t slot = (uint32_t)hash & b->mask;
    for (; b->slots[slot]; slot = (slot + 1) & b->mask) {
        const assay_topic *topic = &b->topic[b->slots[slot] - 1];
        if (topic->hash == hash && same(topic->id, topic->length, id, length)) return b->slots[slot] - 1;
    }
    if (b->topics == b->topic_room && !grow((void **)&b->topic, &b->topic_room, sizeof *b->topic)) return -1;
    assay_topic *topic = &b->topic[b->topics];
    memset(topic, 0, sizeof *topic);
    topic->id = id;
    topic->length = (uint32_t)length;
    topic->hash = hash;
    b->slots[slot] = (uint32_t)++b->topics;
    return b->topics - 1;
}

static int add_row(builder *b, int64_t topic, const char *id, size_t length, int64_t grade, int64_t line) {
    if (b->rows == b->row_room && !grow((void **)&b->row, &b->row_room, sizeof *b->row)) return 0;
    assay_judged *row = &b->row[b->rows++];
    row->id = id;
    row->length = (uint32_t)length;
    row->hash = assay_hash(id, length);
    row->grade = grade;
    row->line = line;
    row->topic = (uint32_t)topic;
    b->topic[topic].count++;
    return 1;
}

static int by_id(const void *left, const void *right) {
    const assay_topic *a = left, *b = right;
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->id, b->id, shorter);
    if (order) return order;
    return a->length < b->length ? -1 : a->length > b->length;
}

static int highest_first(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a > b ? -1 : a < b;
}

EXPORT void assay_gold_free(assay_gold *gold) {
    if (gold == NULL) return;
    free(gold->topic);
    free(gold->document);
    free(gold->tables);
    free(gold->grades);
    free(gold->topic_slots);
    free(gold);
}

static void drop(builder *b) {
    free(b->row);
    free(b->topic);
    free(b->slots);
}

/* Put rows under their topics, topics in byte order, and index the documents; takes the builder's memory. */
static assay_gold *finish(builder *b, assay_error *error) {
    assay_gold *gold = calloc(1, sizeof *gold);
    int64_t *place = malloc(((size_t)b->topics + 1) * sizeof *place);
    uint32_t *renumber = malloc(((size_t)b->topics + 1) * sizeof *renumber);
    if (gold == NULL || place == NULL || renumber == NULL) goto no_memory;

    for (int64_t t = 0; t < b->topics; t++) b->topic[t].first = t; /* remember the order of appearance while sorting */
    if (b->topics) qsort(b->topic, (size_t)b->topics, sizeof *b->topic, by_id);
    int64_t start = 0, slots = 0;
    for (int64_t t = 0; t < b->topics; t++) {
        assay_topic *topic = &b->topic[t];
        renumber[topic->first] = (uint32_t)t;
        topic->first = place[t] = start;
        start += topic->count;
        topic->slots = slots_for((uint64_t)topic->count);
        topic->table = slots;
        slots += topic->slots;
    }
    gold->topics = b->topics;
    gold->documents = b->rows;
    gold->topic = b->topic;
    b->topic = NULL;
    gold->document = malloc(((size_t)b->rows + 1) * sizeof *gold->document);
    gold->grades = malloc(((size_t)b->rows + 1) * sizeof *gold->grades);
    gold->tables = calloc((size_t)slots + 1, sizeof *gold->tables);
    gold->topic_mask = slots_for((uint64_t)gold->topics) - 1;
    gold->topic_slots = calloc((size_t)gold->topic_mask + 1, sizeof *gold->topic_slots);
    if (gold->document == NULL || gold->grades == NULL || gold->tables == NULL || gold->topic_slots == NULL) goto no_memory;

    for (int64_t t = 0; t < gold->topics; t++) {
        uint32_t slot = (uint32_t)gold->topic[t].hash & gold->topic_mask;
        while (gold->topic_slots[slot]) slot = (slot + 1) & gold->topic_mask;
        gold->topic_slots[slot] = (uint32_t)t + 1;
    }
    error->line = 0;
    for (int64_t r = 0; r < b->rows; r++) { /* in file order, so a topic's documents keep it */
        assay_judged *row = &b->row[r];
        row->topic = renumber[row->topic];
        const assay_topic *topic = &gold->topic[row->topic];
        uint32_t *table = gold->tables + topic->table;
        uint32_t slot = (uint32_t)row->hash & (topic->slots - 1);
        for (; table[slot]; slot = (slot + 1) & (topic->slots - 1)) {
            const assay_judged *other = &gold->document[topic->first + table[slot] - 1];
            if (other->hash == row->hash && same(other->id, other->length, row->id, row->length)) {
                error->code = ASSAY_DUPLICATE;
                error->line = row->line;
                error->other = other->line;
                assay_set_text(error->text, row->id, row->length);
                assay_set_text(error->topic, topic->id, topic->length);
                goto failed;
            }
        }
        int64_t at = place[row->topic]++;
        table[slot] = (uint32_t)(at - topic->first) + 1;
        gold->document[at] = *row;
        gold->grades[at] = row->grade;
    }
    for (int64_t t = 0; t < gold->topics; t++)
        qsort(gold->grades + gold->topic[t].first, (size_t)gold->topic[t].count, sizeof *gold->grades, highest_first);
    free(place);
    free(renumber);
    drop(b);
    return gold;

no_memory:
    error->code = ASSAY_MEMORY;
failed:
    free(place);
    free(renumber);
    drop(b);
    assay_gold_free(gold);
    return NULL;
}

/* A whole number: an optional sign and up to nine digits, nothing else. */
static int parse_grade(const char *p, size_t length, int64_t *grade) {
    size_t i = length && (p[0] == '-' || p[0] == '+');
    if (i == length || length - i > 9) return 0;
    int64_t value = 0;
    for (; i < length; i++) {
        if (p[i] < '0' || p[i] > '9') return 0;
        value = value * 10 + (p[i] - '0');
    }
    *grade = p[0] == '-' ? -value : value;
    return 1;
}

/* Qrels: topic, iteration, document, grade. The gold keeps pointers into `bytes`, which must outlive it. */
EXPORT assay_gold *assay_gold_read(const char *bytes, size_t size, assay_error *error) {
    builder b;
    memset(&b, 0, sizeof b);
    memset(error, 0, sizeof *error);
    const char *p = bytes, *end = bytes + size;
    int64_t line = 0;
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) p += 3;
    while (p < end) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        if (stop == NULL) stop = end;
        line++;
        error->line = line;
        if (memchr(p, '\0', (size_t)(stop - p))) {
            error->code = ASSAY_BINARY;
            goto failed;
        }
        assay_word words[4];
        int fields = assay_split(p, stop, words, 4);
        p = stop < end ? stop + 1 : end;
        if (fields == 0) continue; /* blank or a comment */
        int64_t grade, topic;
        if (fields != 4) {
            error->code = ASSAY_FIELDS;
            error->fields = fields;
            goto failed;
        }
        if (!parse_grade(words[3].word, words[3].length, &grade)) {
            error->code = ASSAY_GRADE;
            assay_set_text(error->text, words[3].word, words[3].length);
            goto failed;
        }
        if ((topic = topic_number(&b, words[0].word, words[0].length)) < 0 ||
            !add_row(&b, topic, words[2].word, words[2].length, grade, line)) {
            error->code = ASSAY_MEMORY;
            goto failed;
        }
    }
    return finish(&b, error);
failed:
    drop(&b);
    return NULL;
}

/* Gold from columns: ids joined by zero bytes, `counts[t]` documents for topic t. Lines are document numbers from 1. */
EXPORT assay_gold *assay_gold_pack(const char *topics, const char *documents, int64_t count, const int64_t *counts,
                                   const int64_t *grades, assay_error *error) {
    builder b;
    memset(&b, 0, sizeof b);
    memset(error, 0, sizeof *error);
    int64_t row = 0;
    for (int64_t t = 0; t < count; t++) {
        size_t length = strlen(topics);
        int64_t number = topic_number(&b, topics, length);
        for (int64_t i = 0; number >= 0 && i < counts[t]; i++, row++) {
            size_t size = strlen(documents);
            if (!add_row(&b, number, documents, size, grades[row], row + 1)) number = -1;
            documents += size + 1;
        }
        if (number < 0) {
            error->code = ASSAY_MEMORY;
            drop(&b);
            return NULL;
        }
        topics += length + 1;
    }
    return finish(&b, error);
}
