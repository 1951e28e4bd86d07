/* Three columns of a data frame, read where they lie: topic, document, and a number. */
#ifndef ASSAY_ARROW_COLUMNS_H
#define ASSAY_ARROW_COLUMNS_H

#include <string.h>

#include "arrow.h"
#include "assay.h"
#include "ids.h"

enum { ASSAY_COLUMNS = 3, ASSAY_DIGITS = 20 }; /* digits of a whole number, with its sign */

typedef struct { /* one column of a chunk */
    char kind;  /* the letter of its format: u, U and v texts; c C s S i I l L whole numbers; f and g others */
    char index; /* the same of the indices into a dictionary, or 0 */
    int64_t offset, index_offset, n_buffers;
    const void **buffers;
    const void *indices;
} assay_column;

typedef struct {
    int64_t rows;
    assay_column column[ASSAY_COLUMNS];
} assay_chunk;

typedef struct {
    struct ArrowArray *array; /* holds the memory of the chunks */
    assay_chunk *chunk;
    int64_t chunks, array_room, chunk_room;
    char kind[ASSAY_COLUMNS], index[ASSAY_COLUMNS];
} assay_table_columns;

/* All chunks of a stream, which is released; a code. */
int assay_columns_read(assay_table_columns *t, struct ArrowArrayStream *stream);

void assay_columns_free(assay_table_columns *t);

/* A whole number of a column that has such; 0 where it is larger than 63 bits hold. */
static inline int assay_whole_at(char kind, const void *values, int64_t at, int64_t *value) {
    switch (kind) {
        case 'c': *value = ((const int8_t *)values)[at]; return 1;
        case 'C': *value = ((const uint8_t *)values)[at]; return 1;
        case 's': *value = ((const int16_t *)values)[at]; return 1;
        case 'S': *value = ((const uint16_t *)values)[at]; return 1;
        case 'i': *value = ((const int32_t *)values)[at]; return 1;
        case 'I': *value = ((const uint32_t *)values)[at]; return 1;
        case 'l': *value = ((const int64_t *)values)[at]; return 1;
        default: *value = (int64_t)((const uint64_t *)values)[at]; return *value >= 0;
    }
}

/* A number, as the interpreter would make a float of it. */
static inline double assay_number_at(const assay_column *c, int64_t row) {
    int64_t at = row + c->offset, value;
    if (c->kind == 'g') return ((const double *)c->buffers[1])[at];
    if (c->kind == 'f') return ((const float *)c->buffers[1])[at];
    if (!assay_whole_at(c->kind, c->buffers[1], at, &value)) return (double)((const uint64_t *)c->buffers[1])[at];
    return (double)value;
}

static inline int assay_is_written(char kind) { return kind != 'u' && kind != 'U' && kind != 'v'; }

/* A whole number as text, behind `room`; how long it is. */
static inline size_t assay_write_whole(int64_t value, char *room) {
    char digits[ASSAY_DIGITS];
    size_t count = 0, length = 0;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do digits[count++] = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0) room[length++] = '-';
    while (count) room[length++] = digits[--count];
    return length;
}

static inline size_t assay_width(char kind) {
    switch (kind) {
        case 'c': case 'C': return 1;
        case 's': case 'S': return 2;
        case 'i': case 'I': return 4;
        case 'l': case 'L': return 8;
        case 'v': return 16;
        default: return 0;
    }
}

/* Whether a cell is written as the one before it, and so is the same; others may be the same all the same. */
static inline int assay_as_before(const assay_column *c, int64_t row) {
    const char *cells = c->index ? c->indices : c->buffers[1];
    int64_t at = row + (c->index ? c->index_offset : c->offset);
    size_t width = assay_width(c->index ? c->index : c->kind);
    if (width == 16) { /* a call would cost more than all else */
        uint64_t here[2], before[2];
        memcpy(here, cells + at * 16, sizeof here);
        memcpy(before, cells + at * 16 - 16, sizeof before);
        return here[0] == before[0] && here[1] == before[1];
    }
    return width && memcmp(cells + at * (int64_t)width, cells + (at - 1) * (int64_t)width, width) == 0;
}

/* Where a text begins, of a column that holds them one behind the other. */
static inline int64_t assay_begins(const assay_column *c, int64_t at) {
    return c->kind == 'u' ? ((const int32_t *)c->buffers[1])[at] : ((const int64_t *)c->buffers[1])[at];
}

/* Behind the rows from `row` on that are the same as the one before it; the next may be the same all the same. */
static inline int64_t assay_end_of_equal(const assay_column *c, int64_t row, int64_t end) {
    if (c->index || (c->kind != 'u' && c->kind != 'U')) {
        while (row < end && assay_as_before(c, row)) row++;
        return row;
    }
    const char *texts = c->buffers[2];
    int64_t before = assay_begins(c, row + c->offset - 1), here = assay_begins(c, row + c->offset), length = here - before, next;
    for (; row < end; row++, here = next) {
        next = assay_begins(c, row + c->offset + 1);
        if (next - here != length || length < 0 || (length && !assay_same_id(texts + before, texts + here, (size_t)length))) break;
    }
    return row;
}

/* An id: text where it lies, a number written into `room`. 0 where it cannot be read. */
static inline int assay_id_at(const assay_column *c, int64_t row, char *room, const char **id, size_t *length) {
    int64_t at = row + c->offset, value, from, to;
    if (c->index) {
        if (!assay_whole_at(c->index, c->indices, row + c->index_offset, &value)) return 0;
        at = value + c->offset;
    }
    if (c->kind == 'u') {
        from = ((const int32_t *)c->buffers[1])[at];
        to = ((const int32_t *)c->buffers[1])[at + 1];
    } else if (c->kind == 'U') {
        from = ((const int64_t *)c->buffers[1])[at];
        to = ((const int64_t *)c->buffers[1])[at + 1];
    } else if (c->kind == 'v') { /* length, then the text itself, or its beginning, its buffer and where it is there */
        enum { WIDTH = 16, SHORT = 12 };
        const char *view = (const char *)c->buffers[1] + at * WIDTH;
        int32_t part[4];
        memcpy(part, view, WIDTH);
        if (part[0] < 0 || (part[0] > SHORT && (part[2] < 0 || part[2] + 3 >= c->n_buffers || part[3] < 0))) return 0;
        *length = (size_t)part[0];
        *id = part[0] <= SHORT ? view + sizeof *part : (const char *)c->buffers[2 + part[2]] + part[3];
        return 1;
    } else {
        if (!assay_whole_at(c->kind, c->buffers[1], at, &value)) return 0;
        *length = assay_write_whole(value, room);
        *id = room;
        return 1;
    }
    if (from < 0 || to < from) return 0;
    *length = (size_t)(to - from);
    *id = *length ? (const char *)c->buffers[2] + from : "";
    return 1;
}

#endif
