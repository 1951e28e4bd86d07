/* Arrow streams, as data frames hand them over: the core finds in them what it finds in the same rows packed, refuses those it is not
 * made for, and gives everything back. */
#include <math.h>
#include <stdio.h>

#include "../../src/assay/core/arrow.h"
#include "fuzz.h"

enum { CHUNKS = 4, ROWS = 12, MOST = CHUNKS * ROWS, TOPICS = 4, DOCUMENTS = 64, NAMED = 2, COLUMNS = 3, PIECES = 40, LONGEST = 40 };
enum { TEXTS, COUNTS, SIGNED, LOWEST, HIGHEST, STYLES };

/* Which kinds of columns can hold the names of a style. */
static const char *const kinds[STYLES] = {"uUv", "uUvcCsSiIlL", "uUvcsil", "uUvl", "uUvlL"};
static const char wholes[] = "cCsSiIlL", numbers[] = "cCsSiIlLfg";
static const int names[NAMED] = {TOPICS, DOCUMENTS};

typedef struct {
    char text[LONGEST];
    size_t length;
    int64_t whole;
} cell;

typedef struct {
    int name[NAMED];
    double number;
} row;

typedef struct { /* a stream, and what it has handed out so far */
    choices *c;
    int judged, style[NAMED];
    char kind[COLUMNS], index[COLUMNS];
    int chunks, count, fails; /* chunks that are still to come, rows that came, and whether the end is a failure */
    int refused, live;
    uint32_t first;
    row row[MOST];
} made;

typedef struct { /* memory that is given back together */
    void *piece[PIECES];
    int count, *live;
} memory;

static char one_of(choices *c, const char *letters) { return letters[below(c, (uint32_t)strlen(letters))]; }

/* ---- cells ------------------------------------------------------------------------------------------------------------ */

/* The name of a number; one behind the last is a text with a zero byte, or a number of more than 63 bits where a column has such. */
static cell named(int style, int column, int n) {
    cell e = {.whole = style == COUNTS ? n : style == SIGNED ? n - DOCUMENTS : style == LOWEST ? INT64_MIN + n : INT64_MAX - n};
    if (n == names[column] && style == HIGHEST) e.whole = INT64_MIN;
    int length = snprintf(e.text, LONGEST, "%lld", (long long)e.whole);
    if (style == TEXTS) { /* as long as a view has room for, shorter, longer, and none */
        const char *formats[] = {"d%d", "a-long-document-id-%d", "twelve-byt%02d", "\xc3\xa9%d"};
        length = snprintf(e.text, LONGEST, n ? formats[n % 4] : "", n);
        if (n == names[column]) e.text[n % length] = '\0';
    }
    e.length = (size_t)length;
    return e;
}

static int is_foreign(const made *s, int column, int n) {
    return n == names[column] && (s->style[column] == TEXTS || s->kind[column] == 'L') && s->style[column] != COUNTS;
}

static size_t width(char kind) {
    return strchr("cC", kind) ? 1 : strchr("sS", kind) ? 2 : strchr("iIf", kind) ? 4 : 8;
}

static void put_whole(char kind, void *values, int64_t at, int64_t value) {
    char *to = (char *)values + (size_t)at * width(kind);
    int8_t tiny = (int8_t)value;
    int16_t small = (int16_t)value;
    int32_t half = (int32_t)value;
    memcpy(to, width(kind) == 1 ? (void *)&tiny : width(kind) == 2 ? (void *)&small : width(kind) == 4 ? (void *)&half : (void *)&value, width(kind));
}

/* A grade or score that its column can hold, mostly one that is welcome; which number it is. */
static double put_number(choices *c, char kind, int judged, void *values, int64_t at) {
    static const double scores[] = {0.0, -0.0, 1.0, 2.0, 0.1, 0.2, 0.3, 1e300, -1e300, 1e-46, 16777217.0, INFINITY, -INFINITY, NAN};
    int64_t value = below(c, 5);
    if (kind == 'f' || kind == 'g') {
        double number = judged ? (double)value - 1 : scores[below(c, 13)];
        if (below(c, 400) == 0) number = judged ? scores[4 + below(c, 10)] : NAN;
        float single = (float)number;
        memcpy((char *)values + (size_t)at * width(kind), kind == 'f' ? (void *)&single : (void *)&number, width(kind));
        return kind == 'f' ? (double)single : number;
    }
    int has_sign = strchr("csil", kind) != NULL, unused = 64 - 8 * (int)width(kind);
    if (has_sign) value--;
    if (below(c, judged && width(kind) > 2 ? 300 : 20) == 0) { /* any of its bits */
        uint64_t bits = (uint64_t)whole(c, INT64_MAX) << unused;
        value = has_sign ? (int64_t)bits >> unused : (int64_t)(bits >> unused);
    }
    put_whole(kind, values, at, value);
    return kind == 'L' ? (double)(uint64_t)value : (double)value;
}

/* ---- arrays ----------------------------------------------------------------------------------------------------------- */

static void *piece(memory *m, size_t count, size_t size) {
    check(m->count < PIECES, "there are few pieces");
    return m->piece[m->count++] = memset(exactly(count, size), 0, count * size);
}

static memory *new_memory(made *s) {
    memory *m = exactly(1, sizeof *m);
    *m = (memory){.live = &s->live};
    s->live++;
    return m;
}

static void give_back(memory *m) {
    --*m->live;
    while (m->count) free(m->piece[--m->count]);
    free(m);
}

static void release_array(struct ArrowArray *array) {
    array->release = NULL;
    give_back(array->private_data);
}

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
    give_back(schema->private_data);
}

static void release_stream(struct ArrowArrayStream *stream) {
    stream->release = NULL;
    ((made *)stream->private_data)->live--;
}

/* Which cells of `count` are there: all of `rows` from `from` on, unless one is to be missing; beyond the array's own, any. */
static int set_valid(choices *c, memory *m, struct ArrowArray *array, int64_t count, int64_t from, int64_t rows, int missing) {
    int unknown = (int)below(c, 2);
    array->null_count = unknown ? -1 : 0;
    missing = missing && rows > 0;
    if (missing && below(c, 3) == 0) return (array->null_count = 1); /* somewhere */
    if (!missing && below(c, 2)) return 0;
    uint8_t *bits = piece(m, (size_t)(count + 7) / 8, 1);
    for (int64_t i = 0; i < count; i++) {
        int own = i >= array->offset && i < array->offset + array->length;
        bits[i / 8] |= (uint8_t)((own || below(c, 2)) << i % 8);
    }
    array->buffers[0] = bits;
    if (!missing) return 0;
    int64_t at = from + below(c, (uint32_t)rows);
    bits[at / 8] &= (uint8_t) ~(1 << at % 8);
    array->null_count = unknown ? -1 : 1;
    return 1;
}

static void fill_views(memory *m, const cell *cells, int64_t count, struct ArrowArray *array) {
    char *data[2] = {piece(m, (size_t)count * LONGEST, 1), piece(m, (size_t)count * LONGEST, 1)};
    int32_t *view = piece(m, (size_t)count, 16), used[2] = {0, 0};
    for (int64_t i = 0; i < count; i++, view += 4) {
        int which = (int)(i % 2), length = (int)cells[i].length;
        view[0] = length;
        memcpy(view + 1, cells[i].text, length > 12 ? 4 : (size_t)length);
        if (length <= 12) continue;
        view[2] = which, view[3] = used[which];
        memcpy(data[which] + used[which], cells[i].text, (size_t)length);
        used[which] += length;
    }
    array->n_buffers = 5;
    array->buffers[1] = view - 4 * count, array->buffers[2] = data[0], array->buffers[3] = data[1];
}

static void fill_cells(choices *c, memory *m, char kind, const cell *cells, int64_t count, struct ArrowArray *array) {
    size_t size = below(c, 3), at = size; /* texts may begin behind others */
    for (int64_t i = 0; i < count; i++) size += cells[i].length;
    if (kind == 'v') {
        fill_views(m, cells, count, array);
    } else if (kind == 'u' || kind == 'U') {
        char *texts = piece(m, size, 1), *ends = piece(m, (size_t)count + 1, kind == 'u' ? 4 : 8);
        for (int64_t i = 0; i <= count; i++) {
            put_whole(kind == 'u' ? 'i' : 'l', ends, i, (int64_t)at);
            if (i == count) break;
            memcpy(texts + at, cells[i].text, cells[i].length);
            at += cells[i].length;
        }
        array->n_buffers = 3;
        array->buffers[1] = ends, array->buffers[2] = size ? texts : NULL;
    } else {
        void *values = piece(m, (size_t)count, width(kind));
        for (int64_t i = 0; i < count; i++) put_whole(kind, values, i, cells[i].whole);
        array->buffers[1] = values;
    }
}

static struct ArrowArray *new_array(memory *m, int64_t offset, int64_t length) {
    struct ArrowArray *array = piece(m, 1, sizeof *array);
    *array = (struct ArrowArray){.offset = offset, .length = length, .n_buffers = 2, .buffers = piece(m, 5, sizeof *array->buffers)};
    return array;
}

/* An index that a dictionary of that size does not have: just behind it, far behind, or negative, as its type can hold. */
static int64_t beyond(choices *c, char kind, int64_t size) {
    static const char has_sign[] = "csil";
    int bits = 8 * (int)width(kind) - 1;
    int64_t most = (int64_t)(((uint64_t)1 << bits) - 1);
    if (strchr(has_sign, kind) && below(c, 2)) return below(c, 2) ? -1 : -most - 1;
    return below(c, 2) ? size : most;
}

/* A column of a chunk, its rows from `from` on; `missing` is 1 where one of its cells is to be, 2 where one of its dictionary. */
static struct ArrowArray *new_column(made *s, memory *m, int column, const row *rows, int64_t count, int64_t skipped, int missing) {
    choices *c = s->c;
    int64_t offset = below(c, 4), from = offset + skipped, all = from + count + below(c, 3);
    struct ArrowArray *array = new_array(m, offset, skipped + count);
    s->refused |= set_valid(c, m, array, all, from, count, missing == 1);
    if (column == NAMED) {
        void *values = piece(m, (size_t)all, width(s->kind[column]));
        for (int64_t i = 0; i < all; i++) {
            double number = put_number(c, s->kind[column], s->judged, values, i);
            if (i >= from && i < from + count) ((row *)rows)[i - from].number = number;
        }
        array->buffers[1] = values;
        return array;
    }
    int size = names[column] + 1, turn = (int)below(c, (uint32_t)size);
    cell cells[DOCUMENTS + ROWS + 16];
    int64_t *index = piece(m, (size_t)all, sizeof *index);
    for (int64_t i = 0; i < all; i++) {
        int own = i >= from && i < from + count, name = own ? rows[i - from].name[column] : (int)below(c, (uint32_t)size);
        if (own) s->refused |= is_foreign(s, column, name);
        cells[i] = named(s->style[column], column, name);
        index[i] = (name + turn) % size;
    }
    if (!s->index[column]) {
        fill_cells(c, m, s->kind[column], cells, all, array);
        return array;
    }
    void *indices = piece(m, (size_t)all, width(s->index[column]));
    for (int64_t i = 0; i < all; i++) put_whole(s->index[column], indices, i, index[i]);
    for (int64_t i = 0; i < all; i++) { /* an index out of range, which matters where a row has it */
        int own = i >= from && i < from + count;
        if (below(c, own ? 300 : 2)) continue;
        put_whole(s->index[column], indices, i, beyond(c, s->index[column], size));
        s->refused |= own;
    }
    array->buffers[1] = indices;
    int64_t before = below(c, 3);
    for (int64_t i = 0; i < before + size; i++) cells[i] = named(s->style[column], column, (int)(i - before - turn + 2 * size) % size);
    struct ArrowArray *values = array->dictionary = new_array(m, before, size);
    fill_cells(c, m, s->kind[column], cells, before + size, values);
    s->refused |= set_valid(c, m, values, before + size, before, size, missing == 2);
    return array;
}

static int next_chunk(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    made *s = stream->private_data;
    choices *c = s->c;
    *out = (struct ArrowArray){.release = NULL};
    check(stream->release != NULL, "a stream that was given back is not read");
    if (s->chunks-- == 0) {
        s->refused |= s->fails;
        return s->fails;
    }
    row *rows = s->row + s->count;
    int64_t count = below(c, ROWS + 1), skipped = below(c, 3);
    for (int64_t i = 0; i < count; i++, s->count++) {
        row *before = s->count && below(c, 100) ? &s->row[s->count - 1] : NULL;
        rows[i].name[0] = before && below(c, 3) ? before->name[0] : (int)below(c, TOPICS);
        rows[i].name[1] = (int)((s->first + 5 * (uint32_t)s->count) % DOCUMENTS);
        if (before && below(c, 250) == 0) rows[i].name[1] = before->name[1];
        if (below(c, 500) == 0) rows[i].name[0] = TOPICS;
        if (below(c, 500) == 0) rows[i].name[1] = DOCUMENTS;
    }
    int where = (int)below(c, 100), few = below(c, 200) == 0; /* which array misses a cell, if any */
    memory *m = new_memory(s);
    struct ArrowArray *whole = new_array(m, skipped, count);
    whole->children = piece(m, COLUMNS + 1, sizeof *whole->children);
    for (int i = 0; i < COLUMNS; i++) {
        int missing = where == i ? 1 : where == COLUMNS + i ? 2 : 0;
        whole->children[i] = new_column(s, m, i, rows, count, skipped, missing);
    }
    s->refused |= set_valid(c, m, whole, skipped + count, skipped, count, where == 2 * COLUMNS) | few;
    whole->n_buffers = 1;
    whole->n_children = COLUMNS - few + (few ? 0 : (int64_t)below(c, 2)); /* a column more is nobody's business */
    whole->children[COLUMNS] = whole->children[0];
    *out = *whole;
    out->release = release_array;
    out->private_data = m;
    return 0;
}

/* ---- schemas ---------------------------------------------------------------------------------------------------------- */

static struct ArrowSchema *new_schema(memory *m, char kind) {
    struct ArrowSchema *schema = piece(m, 1, sizeof *schema);
    char *format = piece(m, 3, 1);
    format[0] = kind;
    if (kind == 'v') format[1] = 'u';
    schema->format = format;
    return schema;
}

static void spoil(choices *c, memory *m, struct ArrowSchema *schema) {
    static const char *const unread[] = {"z", "vz", "b", "n", "e", "tdD", "", "uu", "+s", "w:4", "d:3,2", "v", "+l"};
    struct ArrowSchema *any = schema->children[below(c, COLUMNS)], *id = schema->children[below(c, NAMED)];
    switch (below(c, 7)) {
        case 0: schema->format = "+l"; break;
        case 1: schema->n_children = COLUMNS - 1; break;
        case 2:
        case 3: (any->dictionary ? any->dictionary : any)->format = unread[below(c, 13)]; break;
        case 4: schema->children[NAMED]->format = below(c, 2) ? "u" : "vu"; break;
        case 5: schema->children[NAMED]->dictionary = new_schema(m, 'g'); break;
        default:
            if (id->dictionary && below(c, 2)) id->dictionary->format = "g";
            else id->format = id->dictionary && below(c, 2) ? "u" : "f";
    }
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    made *s = stream->private_data;
    if (below(s->c, 200) == 0) return s->refused = 1;
    memory *m = new_memory(s);
    *out = (struct ArrowSchema){.format = "+s", .n_children = COLUMNS + (int)below(s->c, 2), .release = release_schema, .private_data = m};
    out->children = piece(m, COLUMNS + 1, sizeof *out->children);
    for (int i = 0; i < COLUMNS; i++) {
        out->children[i] = new_schema(m, s->index[i] ? s->index[i] : s->kind[i]);
        if (s->index[i]) out->children[i]->dictionary = new_schema(m, s->kind[i]);
    }
    out->children[COLUMNS] = out->children[0];
    if (below(s->c, 12) == 0) {
        spoil(s->c, m, out);
        s->refused = 1;
    }
    return 0;
}

/* A stream of names of these styles. */
static struct ArrowArrayStream any_stream(choices *c, made *s, const int *style, int judged) {
    *s = (made){.c = c, .judged = judged, .chunks = (int)below(c, CHUNKS + 1), .fails = below(c, 60) == 0, .live = 1, .first = below(c, DOCUMENTS)};
    for (int i = 0; i < NAMED; i++) {
        s->style[i] = style[i];
        s->kind[i] = one_of(c, kinds[style[i]]);
        s->index[i] = below(c, 3) ? '\0' : one_of(c, wholes);
    }
    s->kind[NAMED] = one_of(c, numbers);
    return (struct ArrowArrayStream){get_schema, next_chunk, NULL, release_stream, s};
}

/* ---- the same rows, packed -------------------------------------------------------------------------------------------- */

static int is_refused(const made *s) {
    int refused = s->refused;
    for (int i = 0; i < s->count; i++) {
        double number = s->row[i].number;
        refused |= s->judged ? !(fabs(number) < 1e9) || number != floor(number) : isnan(number);
        for (int j = 0; j < i; j++) refused |= memcmp(s->row[i].name, s->row[j].name, sizeof s->row[i].name) == 0;
    }
    return refused;
}

typedef struct {
    char topics[(TOPICS + 1) * LONGEST], documents[MOST * LONGEST];
    int64_t topic_count, counts[TOPICS + 1], grades[MOST], start[TOPICS + 1];
    cell topic[TOPICS + 1];
    double scores[MOST];
} packed;

/* Topics as they appear first, each with its documents as they stand. */
static packed *pack(const made *s) {
    packed *p = exactly(1, sizeof *p);
    char *topic = p->topics, *document = p->documents;
    p->topic_count = 0;
    for (int i = 0, rows = 0; i < s->count; i++) {
        int known = 0;
        for (int j = 0; j < i; j++) known |= s->row[j].name[0] == s->row[i].name[0];
        if (known) continue;
        int64_t t = p->topic_count++;
        p->topic[t] = named(s->style[0], 0, s->row[i].name[0]);
        topic += sprintf(topic, "%s", p->topic[t].text) + 1;
        p->counts[t] = 0;
        p->start[t] = document - p->documents;
        for (int j = i; j < s->count; j++) {
            if (s->row[j].name[0] != s->row[i].name[0]) continue;
            document += sprintf(document, "%s", named(s->style[1], 1, s->row[j].name[1]).text) + 1;
            p->counts[t]++;
            p->scores[rows] = s->row[j].number;
            p->grades[rows++] = s->judged ? (int64_t)s->row[j].number : 0;
        }
    }
    return p;
}

static void check_golds(const assay_gold *a, const assay_gold *b) {
    check(a->topics == b->topics && a->documents == b->documents && a->largest == b->largest, "a stream has the judgments of its rows");
    check(a->named == b->named && memcmp(a->names, b->names, (size_t)a->named) == 0, "and their topics");
    for (int64_t t = 0; t < a->topics; t++) {
        check(a->topic[t].count == b->topic[t].count, "and as many documents in each");
        for (int64_t i = 0; i < a->topic[t].count; i++) {
            const assay_judged *x = &a->document[a->topic[t].first + i], *y = &b->document[b->topic[t].first + i];
            check(x->length == y->length && memcmp(x->id, y->id, x->length) == 0 && x->grade == y->grade, "and each with its grade");
            check(a->grades[a->topic[t].first + i] == b->grades[b->topic[t].first + i], "and the grades in order");
        }
    }
}

static int same(const int32_t *a, int64_t at, const int32_t *b, int64_t other, int64_t count) {
    return count == 0 || memcmp(a + at, b + other, (size_t)count * sizeof *a) == 0;
}

static void check_rankings(const assay_ranked *a, const assay_ranked *b, int64_t topics) {
    for (int64_t t = 0; t < topics; t++) {
        int64_t relevant = a->relevant_count[t], pooled = a->pooled_count[t], x = a->relevant_start[t], y = b->relevant_start[t];
        check(a->num_ret[t] == b->num_ret[t] && relevant == b->relevant_count[t] && pooled == b->pooled_count[t], "as many are retrieved");
        check(same(a->relevant_rank, x, b->relevant_rank, y, relevant) && same(a->relevant_grade, x, b->relevant_grade, y, relevant) &&
                  same(a->nonrelevant_above, x, b->nonrelevant_above, y, relevant), "relevant documents stand where they do when packed");
        x = a->pooled_start[t], y = b->pooled_start[t];
        check(same(a->pooled_rank, x, b->pooled_rank, y, pooled) && same(a->pooled_document, x, b->pooled_document, y, pooled) &&
                  same(a->pooled_grade, x, b->pooled_grade, y, pooled), "and so do judged ones");
    }
    check(a->data_lines == b->data_lines && a->ignored == b->ignored, "as many rows are read, and topics ignored");
    check(a->ignored == 0 || memcmp(a->ignored_topics, b->ignored_topics, (size_t)a->ignored * 8) == 0, "the same topics are ignored");
    check(a->other_length == b->other_length && (a->other_length == 0 || memcmp(a->other, b->other, (size_t)a->other_length) == 0),
          "and the last of them is named");
}

static int rank_stream(choices *c, const int *style, const assay_gold *gold) {
    made *s = exactly(1, sizeof *s);
    struct ArrowArrayStream stream = any_stream(c, s, style, 0);
    int64_t depth = below(c, 2) ? -1 : (int64_t)below(c, 6);
    int float32 = (int)below(c, 2), judged_only = (int)below(c, 2), keep = (int)below(c, 2), ascending = (int)below(c, 2);
    assay_ranker *r = assay_ranker_new(gold, depth, float32, judged_only, keep, 0, ascending, 0);
    assay_ranker *plain = assay_ranker_new(gold, depth, float32, judged_only, keep, 0, ascending, 0);
    int code = assay_ranker_stream(r, &stream), refused = is_refused(s);
    check(code == (refused ? ASSAY_FOREIGN : ASSAY_OK), "a run in a stream is read where it is plain, and nowhere else");
    check(s->live == 0, "all of a run is given back");
    check(assay_ranker_finish(r) == code, "it ends as it was read");
    if (refused) {
        stream = any_stream(c, s, style, 0);
        check(assay_ranker_stream(r, &stream) == code && s->live == 0, "a ranker that refused a stream reads no other, but gives it back");
    } else {
        packed *p = pack(s);
        for (int64_t t = 0, rows = 0; t < p->topic_count; rows += p->counts[t++])
            assay_ranker_pack(plain, p->topic[t].text, p->topic[t].length, p->documents + p->start[t], p->counts[t], p->scores + rows);
        check(assay_ranker_finish(plain) == ASSAY_OK, "the same rows are ranked when they are packed");
        assay_ranked found, expected;
        assay_ranker_result(r, &found);
        assay_ranker_result(plain, &expected);
        check_rankings(&found, &expected, gold->topics);
        free(p);
    }
    assay_ranker_free(plain);
    assay_ranker_free(r);
    free(s);
    return !refused;
}

int fuzz_streams(choices *c) {
    made *s = exactly(1, sizeof *s);
    int style[NAMED] = {(int)below(c, STYLES), (int)below(c, STYLES)}, accepted = 0;
    struct ArrowArrayStream stream = any_stream(c, s, style, 1);
    assay_error error;
    assay_gold *gold = assay_gold_stream(&stream, &error);
    int refused = is_refused(s);
    check((gold == NULL) == refused && error.code == (refused ? ASSAY_FOREIGN : ASSAY_OK), "judgments in a stream are read where they are plain");
    check(s->live == 0, "all of the judgments' stream is given back");
    if (gold) {
        packed *p = pack(s);
        assay_gold *plain = assay_gold_pack(p->topics, p->documents, p->topic_count, p->counts, p->grades, &error);
        check(plain != NULL, "the same rows are judgments when they are packed");
        check_golds(gold, plain);
        accepted = rank_stream(c, style, gold);
        assay_gold_free(plain);
        free(p);
    }
    assay_gold_free(gold);
    free(s);
    return accepted;
}
