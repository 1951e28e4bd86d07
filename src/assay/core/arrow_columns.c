#include "arrow_columns.h"

#include <stdlib.h>

#include "memory.h"

static const char TEXTS[] = "uUv", WHOLES[] = "cCsSiIlL", NUMBERS[] = "cCsSiIlLfg";

/* The letter of a format that the core reads; 0 of any other. */
static char letter(const struct ArrowSchema *schema) {
    const char *format = schema->format;
    if (strcmp(format, "vu") == 0) return 'v';
    return format[0] && format[1] == '\0' && format[0] != 'v' && (strchr(TEXTS, format[0]) || strchr(NUMBERS, format[0])) ? format[0] : '\0';
}

/* Read the types of the three columns; a code. */
static int look(assay_table_columns *t, const struct ArrowSchema *schema) {
    if (strcmp(schema->format, "+s") != 0 || schema->n_children < ASSAY_COLUMNS) return ASSAY_FOREIGN;
    for (int i = 0; i < ASSAY_COLUMNS; i++) {
        const struct ArrowSchema *column = schema->children[i];
        int is_id = i < ASSAY_COLUMNS - 1;
        t->index[i] = column->dictionary ? letter(column) : '\0';
        t->kind[i] = letter(column->dictionary ? column->dictionary : column);
        if (column->dictionary && (!is_id || !t->index[i] || !strchr(WHOLES, t->index[i]))) return ASSAY_FOREIGN;
        if (!t->kind[i] || (is_id ? t->kind[i] == 'f' || t->kind[i] == 'g' : assay_is_written(t->kind[i]) == 0)) return ASSAY_FOREIGN;
    }
    return ASSAY_OK;
}

static int has_nulls(const struct ArrowArray *array) {
    const uint8_t *valid = array->n_buffers ? array->buffers[0] : NULL;
    if (array->null_count == 0 || valid == NULL) return array->null_count > 0;
    for (int64_t i = array->offset; i < array->offset + array->length; i++) {
        if (!(valid[i >> 3] >> (i & 7) & 1)) return 1;
    }
    return 0;
}

/* The largest of `rows` indices taken as unsigned, so that a negative one is larger than any dictionary. A loop per type, as
 * compilers turn such into vector instructions. */
#define LARGEST(type)                                                                                     \
    {                                                                                                     \
        const type *index = (const type *)c->indices + c->index_offset;                                   \
        type largest = 0;                                                                                 \
        for (int64_t i = 0; i < rows; i++) largest = index[i] > largest ? index[i] : largest;             \
        return largest;                                                                                   \
    }

static uint64_t largest_index(const assay_column *c, int64_t rows) {
    switch (assay_width(c->index)) {
        case 1: LARGEST(uint8_t)
        case 2: LARGEST(uint16_t)
        case 4: LARGEST(uint32_t)
        default: LARGEST(uint64_t)
    }
}

/* Whether every row of a chunk refers to an entry of its dictionary, which a producer need not check. */
static int in_dictionary(const assay_column *c, int64_t rows, int64_t entries) {
    if (rows == 0) return 1;
    int has_sign = strchr("csil", c->index) != NULL;
    uint64_t largest = largest_index(c, rows), negative = (uint64_t)1 << (8 * assay_width(c->index) - 1);
    return largest < (uint64_t)entries && !(has_sign && largest >= negative);
}

/* Where the columns of a chunk lie; a code. */
static int open_chunk(const assay_table_columns *t, const struct ArrowArray *whole, assay_chunk *chunk) {
    chunk->rows = whole->length;
    if (whole->n_children < ASSAY_COLUMNS || has_nulls(whole)) return ASSAY_FOREIGN;
    for (int i = 0; i < ASSAY_COLUMNS; i++) {
        const struct ArrowArray *array = whole->children[i], *values = t->index[i] ? array->dictionary : array;
        if (array->length < whole->offset + whole->length || has_nulls(array) || has_nulls(values)) return ASSAY_FOREIGN;
        int64_t offset = whole->offset + array->offset;
        chunk->column[i] = (assay_column){t->kind[i], t->index[i], t->index[i] ? values->offset : offset, offset, values->n_buffers,
                                          values->buffers, array->buffers[1]};
        if (t->index[i] && !in_dictionary(&chunk->column[i], chunk->rows, values->length)) return ASSAY_FOREIGN;
    }
    return ASSAY_OK;
}

static int read_chunks(assay_table_columns *t, struct ArrowArrayStream *stream) {
    for (;;) {
        struct ArrowArray next = {.release = NULL};
        if (stream->get_next(stream, &next) != 0) return ASSAY_FOREIGN;
        if (next.release == NULL) return ASSAY_OK;
        if (!assay_reserve(&t->array, &t->array_room, t->chunks + 1, sizeof *t->array) ||
            !assay_reserve(&t->chunk, &t->chunk_room, t->chunks + 1, sizeof *t->chunk)) {
            next.release(&next);
            return ASSAY_MEMORY;
        }
        t->array[t->chunks] = next;
        int code = open_chunk(t, &next, &t->chunk[t->chunks++]);
        if (code) return code;
    }
}

int assay_columns_read(assay_table_columns *t, struct ArrowArrayStream *stream) {
    struct ArrowSchema schema = {.release = NULL};
    memset(t, 0, sizeof *t);
    int code = stream->get_schema(stream, &schema) == 0 ? look(t, &schema) : ASSAY_FOREIGN;
    if (schema.release) schema.release(&schema);
    if (code == ASSAY_OK) code = read_chunks(t, stream);
    stream->release(stream);
    return code;
}

void assay_columns_free(assay_table_columns *t) {
    for (int64_t i = 0; i < t->chunks; i++) t->array[i].release(&t->array[i]);
    free(t->array);
    free(t->chunk);
}
