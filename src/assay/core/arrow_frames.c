/* Read judgments and runs from a data frame. */
#include <math.h>
#include <stdlib.h>

#include "gold_builder.h"
#include "arrow_columns.h"
#include "ranker.h"
#include "judged_lookup.h"
#include "grouped_gold.h"

enum { TOPIC, DOCUMENT, NUMBER };

typedef struct { /* rows of one topic that are together in a chunk */
    int64_t start, count;
    uint32_t chunk, topic;
} stretch;

typedef struct {
    assay_table_columns table;
    assay_builder topics; /* of the frame, in order of appearance, */
    assay_id_arena texts;    /* and their ids */
    stretch *stretches, *sorted;
    int64_t count, room;
    block block; /* the topic being ranked */
    char *written; /* the documents of a topic, where they are numbers */
    int64_t written_room;
} frame;

static void drop(frame *f) {
    assay_builder_free(&f->topics);
    assay_arena_free(f->texts.kept);
    assay_columns_free(&f->table);
    free(f->block.document);
    free(f->block.found);
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
    for (int64_t row = 0, end; row < chunk->rows; row = end) {
        end = assay_end_of_equal(column, row + 1, chunk->rows);
        if (!assay_id_at(column, row, room, &next, &next_length)) return ASSAY_FOREIGN;
        if (id && length == next_length && assay_same_id(id, next, length)) {
            f->stretches[f->count - 1].count += end - row;
            continue;
        }
        if (assay_holds_zero(next, next_length)) return ASSAY_FOREIGN;
        if (!assay_reserve(&f->stretches, &f->room, f->count + 1, sizeof *f->stretches)) return ASSAY_MEMORY;
        id = assay_copy_id(&f->texts, next, length = next_length);
        int64_t topic = id ? assay_builder_topic(&f->topics, id, length) : -1;
        if (topic < 0) return ASSAY_MEMORY;
        f->stretches[f->count++] = (stretch){row, end - row, (uint32_t)number, (uint32_t)topic};
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

/* A whole number below 10^9, of any type. */
static inline int read_grade(const assay_column *column, int64_t row, int64_t *grade) {
    enum { MOST = 1000000000 };
    if (column->kind != 'f' && column->kind != 'g')
        return assay_whole_at(column->kind, column->buffers[1], row + column->offset, grade) && *grade > -MOST && *grade < MOST;
    double number = assay_number_at(column, row);
    if (!(number > -MOST && number < MOST)) return 0;
    *grade = (int64_t)number;
    return (double)*grade == number;
}

/* Behind the stretches of the topic that one is of. */
static int64_t end_of(const frame *f, int64_t first) {
    int64_t end = first + 1;
    while (end < f->count && f->stretches[end].topic == f->stretches[first].topic) end++;
    return end;
}

static int64_t rows_of(const frame *f, int64_t first, int64_t end) {
    int64_t rows = 0;
    for (; first < end; first++) rows += f->stretches[first].count;
    return rows;
}

/* All topics, before any is read; a code. */
static int announce(assay_grouped_gold *s, const frame *f) {
    int code = ASSAY_OK;
    for (int64_t first = 0, end; code == ASSAY_OK && first < f->count; first = end) {
        end = end_of(f, first);
        code = assay_grouped_announce(s, rows_of(f, first, end));
    }
    return code ? code : assay_grouped_allocate(s);
}

/* The judgments of a stretch; a code. */
static int gather(assay_grouped_gold *s, const frame *f, const stretch *of) {
    const assay_chunk *chunk = &f->table.chunk[of->chunk];
    char room[ASSAY_DIGITS];
    const char *id;
    size_t length;
    int64_t grade;
    int code = ASSAY_OK;
    for (int64_t row = of->start; code == ASSAY_OK && row < of->start + of->count; row++) {
        if (!assay_id_at(&chunk->column[DOCUMENT], row, room, &id, &length) || assay_holds_zero(id, length)) return ASSAY_FOREIGN;
        if (!read_grade(&chunk->column[NUMBER], row, &grade)) return ASSAY_FOREIGN;
        code = assay_grouped_add(s, id, length, grade);
    }
    return code;
}

/* The judgments of one topic; a code. */
static int gather_topic(assay_grouped_gold *s, const frame *f, int64_t first, int64_t end) {
    const assay_topic *topic = &f->topics.topic[f->stretches[first].topic];
    int code = assay_grouped_open_topic(s, topic->id, topic->length, rows_of(f, first, end));
    for (; code == ASSAY_OK && first < end; first++) code = gather(s, f, &f->stretches[first]);
    if (code) return code;
    assay_grouped_close_topic(s);
    assay_error repeated = {.code = ASSAY_OK}; /* Python reports the rows */
    assay_index_find_duplicates(s->gold, s->topic, &repeated);
    return repeated.code ? ASSAY_FOREIGN : ASSAY_OK;
}

assay_gold *assay_gold_stream(struct ArrowArrayStream *stream, assay_error *error) {
    frame f;
    assay_grouped_gold s;
    memset(error, 0, sizeof *error);
    memset(&s, 0, sizeof s);
    int code = open_frame(&f, stream);
    if (code == ASSAY_OK) code = announce(&s, &f);
    for (int64_t first = 0, end; code == ASSAY_OK && first < f.count; first = end) {
        end = end_of(&f, first);
        code = gather_topic(&s, &f, first, end);
    }
    assay_gold *gold = assay_grouped_finish(&s, &code);
    error->code = code;
    drop(&f);
    return gold;
}

/* The documents of a stretch; a code. */
static int hold(assay_ranker *r, frame *f, const stretch *s) {
    enum { TOGETHER = 64 }; /* rows that are read before they are looked for */
    const assay_column *document = &f->table.chunk[s->chunk].column[DOCUMENT], *number = &f->table.chunk[s->chunk].column[NUMBER];
    int written = assay_is_written(f->table.kind[DOCUMENT]);
    block *k = &f->block;
    const char *id;
    size_t length;
    for (int64_t row = s->start, end = s->start + s->count, count; row < end; row += count) {
        int64_t from = k->count;
        count = end - row < TOGETHER ? end - row : TOGETHER;
        if (!assay_reserve(&k->document, &k->room, from + count, sizeof *k->document)) return ASSAY_MEMORY;
        for (int64_t i = 0; i < count; i++) {
            char *room = written ? f->written + (from + i) * ASSAY_DIGITS : NULL;
            double score = assay_number_at(number, row + i);
            if (!assay_id_at(document, row + i, room, &id, &length)) return ASSAY_FOREIGN;
            if (isnan(score) || assay_holds_zero(id, length)) return ASSAY_FOREIGN;
            if (length > UINT32_MAX) return ASSAY_MEMORY;
            k->document[from + i] = assay_document(id, length, r->float32 ? (double)(float)score : score, 0);
        }
        assay_added(k, count);
        if (k->topic >= 0 && !assay_look_up(r->gold, k, from)) return ASSAY_MEMORY;
    }
    return ASSAY_OK;
}

/* One topic: the documents of its stretches, ranked; a code. */
static int rank_topic(assay_ranker *r, frame *f, int64_t first, int64_t end) {
    const assay_topic *topic = &f->topics.topic[f->stretches[first].topic];
    block *k = &f->block;
    int code = ASSAY_OK;
    k->count = k->found_count = k->unsorted = 0;
    if (!assay_find_topic(r, topic->id, topic->length, &k->topic)) return ASSAY_MEMORY;
    if (!assay_reserve(&f->written, &f->written_room, assay_is_written(f->table.kind[DOCUMENT]) * rows_of(f, first, end) * ASSAY_DIGITS, 1)) return ASSAY_MEMORY;
    if (k->topic >= 0) assay_prefetch_judged(r->gold, &r->gold->topic[k->topic]);
    for (; code == ASSAY_OK && first < end; first++) code = hold(r, f, &f->stretches[first]);
    if (code) return code;
    int twice = assay_has_duplicate(r, k, k->count); /* also far down, or without judgments */
    if (twice) return twice < 0 ? ASSAY_MEMORY : ASSAY_FOREIGN;
    r->data_lines += k->count;
    return k->topic < 0 || assay_close_block(r, k) ? ASSAY_OK : ASSAY_MEMORY;
}

int assay_ranker_stream(assay_ranker *r, struct ArrowArrayStream *stream) {
    frame f;
    if (r->error.code) { /* without memory at its creation, or after an error */
        stream->release(stream);
        return r->error.code;
    }
    int code = open_frame(&f, stream);
    f.block = (block){.ascending_ties = r->ascending_ties, .distinct = 1, .looked_up = 1};
    for (int64_t first = 0, end; code == ASSAY_OK && first < f.count; first = end) {
        end = end_of(&f, first);
        code = rank_topic(r, &f, first, end);
    }
    drop(&f);
    return r->error.code = code;
}
