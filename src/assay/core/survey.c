/* A run looked at without judgments: its topics, and the lines of it that have a fault. A topic is forgotten as another begins, or all
 * are kept until the run has ended. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ids.h"
#include "memory.h"
#include "merge_sort.h"
#include "score.h"
#include "fields.h"

enum {
    FEW = 16, /* lines a topic that is kept has room for at first */
    RANK_DIGITS = 18
};
#define NO_RANK INT64_MIN

typedef struct { /* a line; the id of its document is in the ids of its topic */
    double score;
    int64_t rank, line; /* no rank unless the score is a number too */
    uint32_t at, length;
} placed;

typedef struct { /* a topic whose lines are gathered */
    uint64_t hash;
    placed *lines;
    char *ids, *name;
    int64_t count, room, used, ids_room, name_room;
    int64_t highest;      /* the last rank */
    int sorted, unplaced; /* whether the ranks rise as they come, and some lines have none */
    assay_surveyed block;
} gathered;

struct assay_surveyor {
    gathered *topics, *current; /* one at a time, unless topics are kept */
    placed *scratch;
    char *names, *tag;
    uint32_t *slots, *table; /* of topics that are kept, and of the documents of the one that is closed */
    uint32_t mask;
    int64_t count, closed, used, tag_length;
    int64_t topics_room, scratch_room, names_room, table_room, tag_room;
    int64_t line;
    int keep;
};

void assay_surveyor_free(assay_surveyor *s) {
    if (s == NULL) return;
    for (int64_t i = 0; i < (s->keep ? s->count : s->topics != NULL); i++) {
        free(s->topics[i].lines);
        free(s->topics[i].ids);
        free(s->topics[i].name);
    }
    free(s->topics);
    free(s->scratch);
    free(s->names);
    free(s->tag);
    free(s->slots);
    free(s->table);
    free(s);
}

assay_surveyor *assay_surveyor_new(int64_t line, int keep) {
    assay_surveyor *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->line = line;
    s->keep = keep;
    int ready = assay_reserve(&s->topics, &s->topics_room, 1, sizeof *s->topics);
    if (ready) s->topics[0] = (gathered){0};
    if (ready && keep) ready = (s->slots = assay_table(&s->topics->hash, sizeof *s->topics, 0, &s->mask)) != NULL;
    if (ready) return s;
    assay_surveyor_free(s);
    return NULL;
}

const void *assay_surveyor_names(const assay_surveyor *s) { return s->names; }

/* Some bytes, behind the others that stay readable until the next call. */
static int tell(assay_surveyor *s, const char *bytes, int64_t length) {
    if (!assay_reserve(&s->names, &s->names_room, s->used + length, 1)) return 0;
    memcpy(s->names + s->used, bytes, (size_t)length);
    s->used += length;
    return 1;
}

/* By rank; lines of the same rank stay as they came. */
static int sort_by_rank(assay_surveyor *s, gathered *t) {
    if (!assay_reserve(&s->scratch, &s->scratch_room, t->count, sizeof *s->scratch)) return 0;
    placed *from = t->lines, *to = s->scratch;
    ASSAY_MERGE_SORT(placed, from, to, t->count, right->rank < left->rank)
    if (from != t->lines) memcpy(t->lines, from, (size_t)t->count * sizeof *from);
    return 1;
}

/* What ranks and scores say of each other. */
static int look_at_order(assay_surveyor *s, gathered *t) {
    if (t->unplaced) {
        int64_t ranks = 0;
        for (int64_t i = 0; i < t->count; i++) {
            if (t->lines[i].rank != NO_RANK) t->lines[ranks++] = t->lines[i];
        }
        t->count = ranks;
    }
    if (!t->sorted && !sort_by_rank(s, t)) return 0;
    assay_surveyed *block = &t->block;
    int tied = 0;
    for (int64_t i = 1; i < t->count; i++) {
        const placed *above = &t->lines[i - 1], *below = &t->lines[i];
        int same = above->score == below->score;
        if (same) block->ties += tied ? 1 : 2;
        tied = same;
        if (above->rank < below->rank && below->score > above->score && block->contradictions++ == 0) block->contradicted = below->line;
    }
    return 1;
}

static int is_met(const void *topic, uint32_t number, const void *wanted) {
    const gathered *t = topic;
    const placed *a = &t->lines[number], *b = wanted;
    return a->length == b->length && assay_same_id(t->ids + a->at, t->ids + b->at, a->length);
}

/* A document occurs in its topic a second time. Topics that are kept end in another order than their lines: the first lines stay. */
static int repeat(assay_surveyor *s, const gathered *t, const placed *first, const placed *again, assay_sighting *twice) {
    int64_t place = twice->count < ASSAY_NAMED ? twice->count : ASSAY_NAMED;
    while (place && twice->lines[place - 1] > again->line) place--;
    for (int64_t i = ASSAY_NAMED - 1; i > place; i--) twice->lines[i] = twice->lines[i - 1];
    if (place < ASSAY_NAMED) twice->lines[place] = again->line;
    twice->count++;
    if (place) return 1;
    twice->at = s->used;
    twice->before = first->line;
    int told = tell(s, t->name, t->block.length) && tell(s, " Q0 ", 4) && tell(s, t->ids + again->at, again->length);
    twice->length = s->used - twice->at;
    return told;
}

static int look_for_repeats(assay_surveyor *s, const gathered *t, assay_sighting *twice) {
    uint32_t slots = assay_slots(t->count);
    if (slots == 0 || !assay_reserve(&s->table, &s->table_room, slots, sizeof *s->table)) return 0;
    memset(s->table, 0, (size_t)slots * sizeof *s->table);
    for (int64_t i = 0; i < t->count; i++) {
        const placed *here = &t->lines[i];
        uint32_t *slot = assay_probe(s->table, slots - 1, assay_hash(t->ids + here->at, here->length), is_met, t, here);
        if (*slot == 0)
            *slot = (uint32_t)i + 1;
        else if (!repeat(s, t, &t->lines[*slot - 1], here, twice))
            return 0;
    }
    return 1;
}

/* A topic has ended. */
static int close_block(assay_surveyor *s, gathered *t, assay_surveyed *out, assay_sighting *seen) {
    t->block.count = t->count;
    t->block.at = s->used;
    if (!tell(s, t->name, t->block.length) || !look_for_repeats(s, t, &seen[ASSAY_TWICE]) || !look_at_order(s, t)) return 0;
    *out = t->block;
    if (s->keep) {
        free(t->lines);
        free(t->ids);
        t->lines = NULL;
        t->ids = NULL;
    }
    return 1;
}

static int is_topic(const void *topics, uint32_t number, const void *wanted) {
    const gathered *t = (const gathered *)topics + number;
    const assay_key *key = wanted;
    return t->hash == key->hash && (size_t)t->block.length == key->length && assay_same_id(t->name, key->id, key->length);
}

/* Room for a new topic: behind the others where they are kept, where there may be many with few lines each. */
static gathered *new_topic(assay_surveyor *s, uint64_t hash) {
    if (!s->keep) return s->topics;
    if (!assay_reserve(&s->topics, &s->topics_room, s->count + 1, sizeof *s->topics)) return NULL;
    gathered *t = &s->topics[s->count];
    *t = (gathered){.hash = hash, .room = FEW, .ids_room = FEW * FEW};
    t->lines = malloc((size_t)t->room * sizeof *t->lines);
    t->ids = malloc((size_t)t->ids_room);
    s->count++; /* so that it is given back whatever happens */
    if (t->lines == NULL || t->ids == NULL) return NULL;
    if (2 * s->count <= (int64_t)s->mask) return t;
    free(s->slots);
    s->slots = assay_table(&s->topics->hash, sizeof *s->topics, s->count - 1, &s->mask);
    return s->slots ? t : NULL;
}

/* A line names another topic than the line before: one that was kept, or a new one. */
static int open_block(assay_surveyor *s, assay_field topic) {
    assay_key key = {topic.word, topic.length, 0};
    if (s->keep) {
        key.hash = assay_hash(topic.word, topic.length);
        uint32_t number = *assay_probe(s->slots, s->mask, key.hash, is_topic, s->topics, &key);
        s->current = number ? &s->topics[number - 1] : NULL;
        if (number) return 1;
    }
    gathered *t = new_topic(s, key.hash);
    s->current = t;
    if (t == NULL) return 0;
    if (s->keep && (t->name = malloc(topic.length)) == NULL) return 0;
    if (!s->keep && !assay_reserve(&t->name, &t->name_room, (int64_t)topic.length, 1)) return 0;
    memcpy(t->name, topic.word, topic.length);
    t->block = (assay_surveyed){.length = (int64_t)topic.length, .line = s->line};
    t->count = t->used = t->unplaced = 0;
    t->highest = NO_RANK;
    t->sorted = 1;
    if (s->keep) *assay_probe(s->slots, s->mask, key.hash, is_topic, s->topics, &key) = (uint32_t)s->count;
    s->count = s->keep ? s->count : 1;
    return 1;
}

static int place(assay_surveyor *s, assay_field id, int64_t rank, double score) {
    gathered *t = s->current;
    if (id.length + (size_t)t->used > UINT32_MAX || !assay_reserve(&t->lines, &t->room, t->count + 1, sizeof *t->lines) ||
        !assay_reserve(&t->ids, &t->ids_room, t->used + (int64_t)id.length, 1))
        return 0;
    memcpy(t->ids + t->used, id.word, id.length);
    t->lines[t->count++] = (placed){score, rank, s->line, (uint32_t)t->used, (uint32_t)id.length};
    t->used += (int64_t)id.length;
    if (rank == NO_RANK) {
        t->unplaced = 1;
    } else {
        if (rank < t->highest) t->sorted = 0;
        t->highest = rank;
    }
    return 1;
}

static void see(assay_sighting *sighting, int64_t line, int64_t at, int64_t length) {
    if (sighting->count == 0) {
        sighting->at = at;
        sighting->length = length;
    }
    if (sighting->count < ASSAY_NAMED) sighting->lines[sighting->count] = line;
    sighting->count++;
}

/* One line of six fields, which begins at `at` and is `length` bytes long; 0 without memory. */
static int look(assay_surveyor *s, const assay_field *w, int64_t at, int64_t length, assay_sighting *seen) {
    int64_t rank = NO_RANK;
    double score = 0;
    int scored = assay_parse_score(w[4].word, w[4].length, &score) && isfinite(score);
    int ranked = assay_parse_whole(w[3].word, w[3].length, RANK_DIGITS, &rank);
    if (!scored) see(&seen[ASSAY_UNSCORED], s->line, at, length);
    if (!ranked) see(&seen[ASSAY_UNRANKED], s->line, at, length);
    if (s->tag == NULL) {
        if (!assay_reserve(&s->tag, &s->tag_room, (int64_t)w[5].length, 1)) return 0;
        memcpy(s->tag, w[5].word, w[5].length);
        s->tag_length = (int64_t)w[5].length;
        see(&seen[ASSAY_TAGGED], s->line, at, length);
    } else if ((size_t)s->tag_length != w[5].length || !assay_same_id(s->tag, w[5].word, w[5].length)) {
        see(&seen[ASSAY_OTHERWISE], s->line, at, length);
    }
    return place(s, w[2], scored ? rank : NO_RANK, score);
}

static int in_current_topic(const assay_surveyor *s, const assay_field *topic) {
    const gathered *t = s->current;
    return t && (size_t)t->block.length == topic->length && assay_same_id(t->name, topic->word, topic->length);
}

int64_t assay_surveyor_feed(assay_surveyor *s, const char *bytes, size_t size, int last, assay_surveyed *blocks, int64_t most,
                            int64_t *count, assay_sighting *seen) {
    const char *p = bytes, *end = bytes + size;
    int zeros = size && memchr(bytes, 0, size) != NULL;
    memset(seen, 0, ASSAY_SIGHTINGS * sizeof *seen);
    *count = s->used = 0;
    for (; p < end && *count < most; s->line++) {
        assay_field w[6];
        int fields;
        const char *stop = assay_line(p, end, last, w, 6, &fields);
        if (stop == NULL) break;
        int64_t at = p - bytes, length = stop - p;
        p = stop < end ? stop + 1 : end;
        if (fields == 0) continue;
        see(&seen[ASSAY_LINES], s->line, at, length);
        if (zeros && memchr(bytes + at, 0, (size_t)length)) {
            see(&seen[ASSAY_ZERO], s->line, at, length);
            continue;
        }
        if (fields != 6) {
            see(&seen[ASSAY_FEWER + (fields < ASSAY_MANY ? fields : ASSAY_MANY)], s->line, at, length);
            continue;
        }
        if (!in_current_topic(s, w)) {
            if (s->current && !s->keep && !close_block(s, s->current, &blocks[(*count)++], seen)) return -1;
            if (!open_block(s, w[0])) return -1;
        }
        if (!look(s, w, at, length, seen)) return -1;
    }
    seen[ASSAY_LINES].before = s->line;
    for (; last && p == end && s->closed < s->count && *count < most; s->closed++) {
        if (!close_block(s, &s->topics[s->closed], &blocks[(*count)++], seen)) return -1;
    }
    return p - bytes;
}
