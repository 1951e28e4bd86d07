/* Rows of a table added up: what every sum over drawn topics comes down to. A table is cut into blocks of eight or sixteen columns of
 * 64 bits, so that the sums stay where they are added up, and the rows of a block near. */
#ifndef ASSAY_ROW_SUMS_H
#define ASSAY_ROW_SUMS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "instruction_sets.h"

#if defined(__GNUC__)
#define ADD_ROWS(words, width) \
    INLINE void add_rows_##words##_##width(const uint64_t *table, const uint32_t *rows, size_t count, uint64_t *sum) { \
        typedef uint64_t lane __attribute__((vector_size(width), aligned(8), may_alias)); \
        enum { LANES = 8 * words / width }; \
        lane at[LANES]; \
        memcpy(at, sum, sizeof at); \
        for (size_t i = 0; i < count; i++) { \
            const lane *row = (const lane *)(table + (size_t)rows[i] * words); \
            for (int l = 0; l < LANES; l++) at[l] += row[l]; \
        } \
        memcpy(sum, at, sizeof at); \
    }
ADD_ROWS(8, 16)
ADD_ROWS(8, 32)
ADD_ROWS(8, 64)
ADD_ROWS(16, 16)
ADD_ROWS(16, 32)
ADD_ROWS(16, 64)
#define BY_WIDTH(words, table, rows, count, sum, width) \
    if ((width) == 64) add_rows_##words##_64(table, rows, count, sum); \
    else if ((width) == 32) add_rows_##words##_32(table, rows, count, sum); \
    else add_rows_##words##_16(table, rows, count, sum)
#else
#define BY_WIDTH(words, table, rows, count, sum, width) \
    (void)(width); \
    for (size_t i = 0; i < (count); i++) { \
        for (int w = 0; w < (words); w++) (sum)[w] += (table)[(size_t)(rows)[i] * (words) + w]; \
    }
#endif

/* Adds rows of table[row][8] to sum[8], as many bytes at a time as a vector has. */
INLINE void add_eight(const uint64_t *table, const uint32_t *rows, size_t count, uint64_t *sum, int width) {
    BY_WIDTH(8, table, rows, count, sum, width);
}

/* The same of rows of sixteen. */
INLINE void add_sixteen(const uint64_t *table, const uint32_t *rows, size_t count, uint64_t *sum, int width) {
    BY_WIDTH(16, table, rows, count, sum, width);
}

#endif
