/* A run looked at without judgments: its topics one after the other, or that a line of it needs a closer look. Nothing is
 * allocated, and nothing is kept between two calls. */
#include <math.h>
#include <string.h>

#include "ids.h"
#include "score.h"
#include "words.h"

enum { SLOTS = 1024 }; /* of the table of documents, at first */

/* The documents of one topic by their hashes: a table, and behind its room the hashes in the order they came. */
typedef struct {
    uint64_t *table, *list;
    int64_t slots, room, count;
} documents;

static int put(documents *d, uint64_t hash) {
    uint64_t slot = hash & (uint64_t)(d->slots - 1);
    while (d->table[slot] && d->table[slot] != hash) slot = (slot + 1) & (uint64_t)(d->slots - 1);
    if (d->table[slot]) return 0;
    d->table[slot] = hash;
    return 1;
}

/* Whether the document is new, as far as hashes tell, and there is room for it. */
static int is_new(documents *d, const char *id, size_t length) {
    uint64_t hash = assay_hash(id, length);
    hash += hash == 0; /* an empty slot is 0 */
    if (2 * (d->count + 1) > d->slots) {
        if (2 * d->slots > d->room) return 0;
        d->slots *= 2;
        memset(d->table, 0, (size_t)d->slots * sizeof *d->table);
        for (int64_t i = 0; i < d->count; i++) put(d, d->list[i]);
    }
    d->list[d->count++] = hash;
    return put(d, hash);
}

static void forget(documents *d) {
    memset(d->table, 0, (size_t)d->slots * sizeof *d->table);
    d->count = 0;
    d->slots = SLOTS;
}

/* A sign and at most 18 digits. */
static int parse_rank(const char *p, size_t length, int64_t *rank) {
    int negative = length && (*p == '-' || *p == '+') ? *p++ == '-' : -1;
    if (negative >= 0) length--;
    if (length == 0 || length > 18) return 0;
    int64_t value = 0;
    for (; length; p++, length--) {
        if (*p < '0' || *p > '9') return 0;
        value = value * 10 + (*p - '0');
    }
    *rank = negative == 1 ? -value : value;
    return 1;
}

/* How the ranks of one block agree with its scores, told line by line. Documents are in order of their ranks where those with
 * another score than the line before rank below all above them; within a tie the order tells nothing. */
typedef struct {
    int64_t first;   /* the rank of the first line */
    int64_t above;   /* the highest rank of documents with another score than the last line */
    int64_t highest; /* of those with its score */
    double score;    /* of the last line */
    int level;       /* all ranks are the same */
    int repeated;    /* and they have several scores */
    int tied, risen; /* whether the last line has the score of the one before; whether that score is a contradiction */
} order;

/* 0 where a rank comes out of order, and only sorting can tell what it contradicts. */
static int follows(order *o, assay_surveyed *block, int64_t rank, double score, int64_t line) {
    if (block->count == 0) {
        *o = (order){.first = rank, .above = INT64_MIN, .highest = rank, .score = score, .level = 1};
        return 1;
    }
    o->level = o->level && rank == o->first;
    if (o->repeated && !o->level) return 0;
    if (score == o->score) {
        block->ties += 2 - o->tied;
        o->tied = 1;
        if ((o->risen && rank < o->highest) || (rank <= o->above && !o->level)) return 0;
        if (rank > o->highest) o->highest = rank;
        return 1;
    }
    if (o->highest > o->above) o->above = o->highest;
    o->highest = rank;
    o->tied = 0;
    o->risen = rank > o->above && score > o->score;
    o->score = score;
    if (o->risen && block->contradictions++ == 0) block->contradicted = line;
    if (rank > o->above) return 1;
    o->repeated = 1;
    return o->level;
}

int64_t assay_survey(const char *bytes, size_t size, int last, const char *tag, size_t tag_length, int64_t line, uint64_t *seen,
                     int64_t room, assay_surveyed *blocks, int64_t most, int64_t *count) {
    const char *p = bytes, *end = bytes + size;
    documents d = {seen, seen + room, SLOTS, room, 0};
    assay_surveyed *block = NULL;
    order o = {0};
    *count = 0;
    blocks[0].line = line;
    for (; p < end; line++) {
        assay_word w[6];
        int fields;
        const char *stop = assay_line(p, end, last, w, 6, &fields);
        if (stop == NULL) break;
        p = stop < end ? stop + 1 : end;
        if (fields == 0) continue;
        int64_t rank;
        double score;
        if (fields != 6 || !assay_parse_score(w[4].word, w[4].length, &score) || !isfinite(score) ||
            !parse_rank(w[3].word, w[3].length, &rank) || w[5].length != tag_length || memcmp(w[5].word, tag, tag_length) != 0)
            return forget(&d), -1;
        if (block == NULL || (size_t)block->length != w[0].length || !assay_same_id(bytes + block->at, w[0].word, w[0].length)) {
            if (block) forget(&d), ++*count;
            block = &blocks[*count];
            *block = (assay_surveyed){.at = w[0].word - bytes, .length = (int64_t)w[0].length, .line = line};
            if (*count == most - 1) return block->at;
        }
        if (!follows(&o, block, rank, score, line) || !is_new(&d, w[2].word, w[2].length)) return forget(&d), -1;
        block->count++;
    }
    forget(&d);
    if (block == NULL) return last ? (int64_t)size : 0;
    if (!last) return block->at;
    ++*count;
    return (int64_t)size;
}
