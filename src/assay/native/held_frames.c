/* Judgments and runs that a program holds in a data frame. */
#include <math.h>
#include <stdlib.h>

#include "builder.h"
#include "columns.h"
#include "ranker.h"

enum { TOPIC, DOCUMENT, NUMBER };

typedef struct { /* rows of one topic that stand together in a chunk */
    int64_t start, count;
    uint32_t chunk, topic;
} stretch;

typedef struct {
    assay_table_columns table;
    assay_builder topics; /* of the frame, in order of appearance, and judgments where it holds such */
    stretch *stretches, *sorted;
    int64_t count, room;
    block block; /* the topic being ranked */
    char *written; /* the documents of a topic, where they are numbers */
    int64_t written_room;
} frame;

static void drop(frame *f) {
    assay_builder_drop(&f->topics);
    assay_columns_free(&f->table);
    free(f->block.document);
    free(f->stretches);
    free(f->sorted);
    free(f->written);
}

/* The stretches of a chunk; a code. */
static int stretch_chunk(frame *f, int64_t number) {
    const assay_chunk *chunk = &f->table.chunk[number];
    const assay_column *column = &chunk->column[TOPIC];
    char room[ASSAY_DIGITS];
    const char *id = NULL, *next;
    size_t length = 0, next_length;
    if (number > INT32_MAX) return ASSAY_MEMORY;
    for (int64_t row = 0; row < chunk->rows; row++) {
        if (!assay_id_at(column, row, room, &next, &next_length)) return ASSAY_FOREIGN;
        if (id && length == next_length && memcmp(id, next, length) == 0) {
            f->stretches[f->count - 1].count++;
            continue;
        }
        if (assay_holds_zero(next, next_length)) return ASSAY_FOREIGN;
        if (!assay_reserve(&f->stretches, &f->room, f->count + 1, sizeof *f->stretches)) return ASSAY_MEMORY;
        id = assay_builder_keep(&f->topics, next, length = next_length);
        int64_t topic = id ? assay_builder_topic(&f->topics, id, length) : -1;
        if (topic < 0) return ASSAY_MEMORY;
        f->stretches[f->count++] = (stretch){row, 1, (uint32_t)number, (uint32_t)topic};
    }
    return ASSAY_OK;
}

/* Stretches of the same topic side by side, and topics in order of appearance. */
static int sort_stretches(frame *f) {
    int sorted = 1;
    for (int64_t i = 1; i < f->count; i++) sorted &= f->stretches[i - 1].topic <= f->stretches[i].topic;
    if (sorted) return ASSAY_OK;
    int64_t *place = calloc((size_t)f->topics.topics + 1, sizeof *place);
    f->sorted = malloc((size_t)f->count * sizeof *f->sorted);
    if (place == NULL || f->sorted == NULL) {
        free(place);
        return ASSAY_MEMORY;
    }
    for (int64_t i = 0; i < f->count; i++) place[f->stretches[i].topic + 1]++;
    for (int64_t t = 0; t < f->topics.topics; t++) place[t + 1] += place[t];
    for (int64_t i = 0; i < f->count; i++) f->sorted[place[f->stretches[i].topic]++] = f->stretches[i];
    stretch *swap = f->stretches;
    f->stretches = f->sorted;
    f->sorted = swap;
    free(place);
    return ASSAY_OK;
}

static int open_frame(frame *f, struct ArrowArrayStream *stream) {
    memset(f, 0, sizeof *f);
    int code = assay_columns_read(&f->table, stream);
    for (int64_t i = 0; i < f->table.chunks && code == ASSAY_OK; i++) code = stretch_chunk(f, i);
    return code == ASSAY_OK ? sort_stretches(f) : code;
}

/* A whole number below a milliard, whatever the type it is held in. */
static int read_grade(const assay_column *column, int64_t row, int64_t *grade) {
    double number = assay_number_at(column, row);
    if (!(number > -1e9 && number < 1e9)) return 0;
    *grade = (int64_t)number;
    return (double)*grade == number;
}

static int gather(frame *f, const stretch *s) {
    const assay_chunk *chunk = &f->table.chunk[s->chunk];
    char room[ASSAY_DIGITS];
    const char *id;
    size_t length;
    int64_t grade;
    for (int64_t row = s->start; row < s->start + s->count; row++) {
        if (!assay_id_at(&chunk->column[DOCUMENT], row, room, &id, &length) || assay_holds_zero(id, length)) return ASSAY_FOREIGN;
        if (!read_grade(&chunk->column[NUMBER], row, &grade)) return ASSAY_FOREIGN;
        if ((id = assay_builder_keep(&f->topics, id, length)) == NULL ||
            !assay_builder_add(&f->topics, s->topic, id, length, grade, row + 1))
            return ASSAY_MEMORY;
    }
    return ASSAY_OK;
}

assay_gold *assay_gold_stream(struct ArrowArrayStream *stream, assay_error *error) {
    frame f;
    assay_gold *gold = NULL;
    memset(error, 0, sizeof *error);
    int code = open_frame(&f, stream);
    for (int64_t i = 0; i < f.count && code == ASSAY_OK; i++) code = gather(&f, &f.stretches[i]);
    error->code = code;
    if (code == ASSAY_OK) {
        gold = assay_builder_finish(&f.topics, error);
        memset(&f.topics, 0, sizeof f.topics);
    }
    if (error->code == ASSAY_DUPLICATE) error->code = ASSAY_FOREIGN; /* its rows are not known here */
    drop(&f);
    return gold;
}

/* The documents of some stretches; a code. */
static int hold(assay_ranker *r, frame *f, const stretch *first, const stretch *end) {
    int64_t most = 0;
    const char *id;
    size_t length;
    for (const stretch *s = first; s < end; s++) most += s->count;
    int written = assay_is_written(f->table.kind[DOCUMENT]);
    f->block.count = f->block.unsorted = 0;
    if (written && !assay_reserve(&f->written, &f->written_room, most * ASSAY_DIGITS, 1)) return ASSAY_MEMORY;
    for (const stretch *s = first; s < end; s++) {
        const assay_chunk *chunk = &f->table.chunk[s->chunk];
        for (int64_t row = s->start; row < s->start + s->count; row++) {
            char *room = written ? f->written + f->block.count * ASSAY_DIGITS : NULL;
            double score = assay_number_at(&chunk->column[NUMBER], row);
            if (!assay_id_at(&chunk->column[DOCUMENT], row, room, &id, &length)) return ASSAY_FOREIGN;
            if (isnan(score) || assay_holds_zero(id, length)) return ASSAY_FOREIGN;
            if (!assay_add(&f->block, id, length, r->float32 ? (double)(float)score : score, row + 1)) return ASSAY_MEMORY;
        }
    }
    return ASSAY_OK;
}

/* One topic: the documents of its stretches, ranked; a code. */
static int rank_topic(assay_ranker *r, frame *f, const stretch *first, const stretch *end) {
    const assay_topic *topic = &f->topics.topic[first->topic];
    block *k = &f->block;
    int code = hold(r, f, first, end);
    if (code) return code;
    int twice = assay_repeats(r, k, k->count); /* also far down, or where nobody judged anything */
    if (twice) return twice < 0 ? ASSAY_MEMORY : ASSAY_FOREIGN;
    r->data_lines += k->count;
    if (!assay_find_topic(r, topic->id, topic->length, &k->topic)) return ASSAY_MEMORY;
    return k->topic < 0 || assay_close_block(r, k) ? ASSAY_OK : ASSAY_MEMORY;
}

int assay_ranker_stream(assay_ranker *r, struct ArrowArrayStream *stream) {
    frame f;
    if (r->error.code) { /* a ranker that did not get all of its memory, or has met something already */
        stream->release(stream);
        return r->error.code;
    }
    int code = open_frame(&f, stream);
    f.block = (block){.ascending_ties = r->ascending_ties, .distinct = 1};
    for (int64_t i = 0, next; code == ASSAY_OK && i < f.count; i = next) {
        for (next = i + 1; next < f.count && f.stretches[next].topic == f.stretches[i].topic;) next++;
        code = rank_topic(r, &f, f.stretches + i, f.stretches + next);
    }
    drop(&f);
    return r->error.code = code;
}
