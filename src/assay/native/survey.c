/* A run looked at without judgments: its topics one after the other, and the lines of it that have a fault. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ids.h"
#include "memory.h"
#include "score.h"
#include "words.h"

enum { FEW = 1024 }; /* documents a topic has room for at first */

typedef struct { /* a document of the topic at hand; its id stands in `ids` */
    uint64_t hash;
    int64_t at, length, line;
} met;

typedef struct { /* a line whose rank and score are numbers */
    int64_t rank;
    double score;
    int64_t line;
} placed;

struct assay_surveyor {
    met *documents;
    placed *ranked, *scratch;
    char *ids, *topic, *tag;
    uint32_t *table;
    uint32_t mask;
    int64_t count, ranks, used, topic_length, tag_length;
    int64_t documents_room, ranked_room, scratch_room, ids_room, topic_room, tag_room;
    int64_t line;
    int sorted; /* whether the ranks rise as they come */
    int open;   /* whether there is a topic at hand */
    assay_surveyed block;
};

void assay_surveyor_free(assay_surveyor *s) {
    if (s == NULL) return;
    free(s->documents);
    free(s->ranked);
    free(s->scratch);
    free(s->ids);
    free(s->topic);
    free(s->tag);
    free(s->table);
    free(s);
}

assay_surveyor *assay_surveyor_new(int64_t line) {
    assay_surveyor *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->line = line;
    if (assay_reserve(&s->documents, &s->documents_room, FEW, sizeof *s->documents)) s->table = assay_table(&s->documents->hash, sizeof *s->documents, 0, &s->mask);
    if (s->table) return s;
    assay_surveyor_free(s);
    return NULL;
}

typedef struct {
    const met *documents;
    const char *ids;
} known;

static int is_met(const void *entries, uint32_t number, const void *wanted) {
    const known *k = entries;
    const met *m = &k->documents[number];
    const assay_key *key = wanted;
    return m->hash == key->hash && (size_t)m->length == key->length && assay_same_id(k->ids + m->at, key->id, key->length);
}

/* The line on which the document stands already in its topic, 0 where it is new; -1 without memory. */
static int64_t meet(assay_surveyor *s, assay_word word) {
    assay_key key = {word.word, word.length, assay_hash(word.word, word.length)};
    known k = {s->documents, s->ids};
    uint32_t *slot = assay_probe(s->table, s->mask, key.hash, is_met, &k, &key);
    if (*slot) return s->documents[*slot - 1].line;
    if (!assay_reserve(&s->documents, &s->documents_room, s->count + 1, sizeof *s->documents) ||
        !assay_reserve(&s->ids, &s->ids_room, s->used + (int64_t)word.length, 1))
        return -1;
    memcpy(s->ids + s->used, word.word, word.length);
    s->documents[s->count++] = (met){key.hash, s->used, (int64_t)word.length, s->line};
    s->used += (int64_t)word.length;
    *slot = (uint32_t)s->count;
    if (2 * s->count <= (int64_t)s->mask) return 0;
    uint32_t *table = assay_table(&s->documents->hash, sizeof *s->documents, s->count, &s->mask);
    if (table == NULL) return -1;
    free(s->table);
    s->table = table;
    return 0;
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

static int place(assay_surveyor *s, int64_t rank, double score) {
    if (!assay_reserve(&s->ranked, &s->ranked_room, s->ranks + 1, sizeof *s->ranked)) return 0;
    if (s->ranks && rank < s->ranked[s->ranks - 1].rank) s->sorted = 0;
    s->ranked[s->ranks++] = (placed){rank, score, s->line};
    return 1;
}

/* By rank; lines of the same rank stay as they came. */
static int sort_by_rank(assay_surveyor *s) {
    if (!assay_reserve(&s->scratch, &s->scratch_room, s->ranks, sizeof *s->scratch)) return 0;
    placed *from = s->ranked, *to = s->scratch;
    for (int64_t width = 1; width < s->ranks; width *= 2) {
        for (int64_t start = 0; start < s->ranks; start += 2 * width) {
            int64_t middle = start + width < s->ranks ? start + width : s->ranks;
            int64_t stop = start + 2 * width < s->ranks ? start + 2 * width : s->ranks;
            for (int64_t i = start, j = middle, k = start; k < stop; k++)
                to[k] = i < middle && (j == stop || from[i].rank <= from[j].rank) ? from[i++] : from[j++];
        }
        placed *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != s->ranked) memcpy(s->ranked, from, (size_t)s->ranks * sizeof *from);
    return 1;
}

/* The topic at hand has ended: what its ranks and scores say of each other. */
static int close_block(assay_surveyor *s) {
    if (!s->sorted && !sort_by_rank(s)) return 0;
    assay_surveyed *block = &s->block;
    int tied = 0;
    for (int64_t i = 1; i < s->ranks; i++) {
        const placed *above = &s->ranked[i - 1], *below = &s->ranked[i];
        int same = above->score == below->score;
        if (same) block->ties += tied ? 1 : 2;
        tied = same;
        if (above->rank < below->rank && below->score > above->score && block->contradictions++ == 0) block->contradicted = below->line;
    }
    for (int64_t i = 0; i < s->count; i++) {
        uint32_t slot = (uint32_t)s->documents[i].hash & s->mask;
        for (; s->table[slot]; slot = (slot + 1) & s->mask) s->table[slot] = 0;
    }
    s->count = s->ranks = s->used = 0;
    s->open = 0;
    return 1;
}

static int open_block(assay_surveyor *s, assay_word topic, int64_t at) {
    if (!assay_reserve(&s->topic, &s->topic_room, (int64_t)topic.length, 1)) return 0;
    memcpy(s->topic, topic.word, topic.length);
    s->topic_length = (int64_t)topic.length;
    s->block = (assay_surveyed){.at = at, .length = s->topic_length, .line = s->line};
    s->open = s->sorted = 1;
    return 1;
}

static void see(assay_sighting *sighting, int64_t line, int64_t at, int64_t length, int64_t before) {
    if (sighting->count == 0) {
        sighting->at = at;
        sighting->length = length;
        sighting->before = before;
    }
    if (sighting->count < ASSAY_NAMED) sighting->lines[sighting->count] = line;
    sighting->count++;
}

/* One line of six fields, which begins at `at` and is `length` bytes long; 0 without memory. */
static int look(assay_surveyor *s, const assay_word *w, int64_t at, int64_t length, assay_sighting *seen) {
    int64_t rank;
    double score;
    int64_t before = meet(s, w[2]);
    if (before < 0) return 0;
    if (before > 0) see(&seen[ASSAY_TWICE], s->line, at, length, before);
    int scored = assay_parse_score(w[4].word, w[4].length, &score) && isfinite(score);
    int ranked = parse_rank(w[3].word, w[3].length, &rank);
    if (!scored) see(&seen[ASSAY_UNSCORED], s->line, at, length, 0);
    if (!ranked) see(&seen[ASSAY_UNRANKED], s->line, at, length, 0);
    if (s->tag == NULL) {
        if (!assay_reserve(&s->tag, &s->tag_room, (int64_t)w[5].length, 1)) return 0;
        memcpy(s->tag, w[5].word, w[5].length);
        s->tag_length = (int64_t)w[5].length;
        see(&seen[ASSAY_TAGGED], s->line, at, length, 0);
    } else if ((size_t)s->tag_length != w[5].length || memcmp(s->tag, w[5].word, w[5].length) != 0) {
        see(&seen[ASSAY_OTHERWISE], s->line, at, length, 0);
    }
    s->block.count++;
    return !(scored && ranked) || place(s, rank, score);
}

int64_t assay_surveyor_feed(assay_surveyor *s, const char *bytes, size_t size, int last, assay_surveyed *blocks, int64_t most,
                            int64_t *count, assay_sighting *seen) {
    const char *p = bytes, *end = bytes + size;
    int zeros = size && memchr(bytes, 0, size) != NULL;
    memset(seen, 0, ASSAY_SIGHTINGS * sizeof *seen);
    *count = 0;
    if (s->open) s->block.at = -1;
    for (; p < end && *count < most; s->line++) {
        assay_word w[6];
        int fields;
        const char *stop = assay_line(p, end, last, w, 6, &fields);
        if (stop == NULL) break;
        int64_t at = p - bytes, length = stop - p;
        p = stop < end ? stop + 1 : end;
        if (fields == 0) continue;
        see(&seen[ASSAY_LINES], s->line, at, length, 0);
        if (zeros && memchr(bytes + at, 0, (size_t)length)) {
            see(&seen[ASSAY_ZERO], s->line, at, length, 0);
            continue;
        }
        if (fields != 6) {
            see(&seen[ASSAY_FEWER + (fields < ASSAY_MANY ? fields : ASSAY_MANY)], s->line, at, length, 0);
            continue;
        }
        if (!s->open || (size_t)s->topic_length != w[0].length || !assay_same_id(s->topic, w[0].word, w[0].length)) {
            if (s->open) {
                if (!close_block(s)) return -1;
                blocks[(*count)++] = s->block;
            }
            if (!open_block(s, w[0], w[0].word - bytes)) return -1;
        }
        if (!look(s, w, at, length, seen)) return -1;
    }
    if (last && p == end && s->open && *count < most) {
        if (!close_block(s)) return -1;
        blocks[(*count)++] = s->block;
    } else if (s->open && s->block.at >= 0) {
        see(&seen[ASSAY_OPEN], s->block.line, s->block.at, s->block.length, 0);
    }
    return p - bytes;
}
