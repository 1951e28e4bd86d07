/* Split a line into words, 64 bytes at a time with SSE2 (every x86-64), one byte at a time elsewhere. */
#ifndef ASSAY_FIELDS_H
#define ASSAY_FIELDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>
#define ASSAY_BLOCKS 1
#endif

static inline int assay_is_space(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

typedef struct {
    const char *word;
    size_t length;
} assay_field;

#if ASSAY_BLOCKS
/* A bit for each of 16 bytes: white space, and newline. */
static inline void assay_classify(const char *p, uint64_t *space, uint64_t *newline, int shift) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)p);
    __m128i from_tab = _mm_sub_epi8(bytes, _mm_set1_epi8('\t'));
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(from_tab, _mm_set1_epi8('\r' - '\t')), from_tab);
    __m128i blank = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' '));
    *space |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_or_si128(control, blank)) << shift;
    *newline |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'))) << shift;
}

/* A line of exactly `wanted` words that ends within 64 bytes: its words, and where its newline is. NULL for any other. */
static inline const char *assay_short_line(const char *p, const char *limit, assay_field *words, int wanted) {
    if (limit - p < 64) return NULL;
    uint64_t space = 0, newline = 0;
    for (int shift = 0; shift < 64; shift += 16) assay_classify(p + shift, &space, &newline, shift);
    if (newline == 0) return NULL;
    uint64_t line = newline ^ (newline - 1); /* the newline and everything before it */
    uint64_t starts = ~space & ((space << 1) | 1) & line, ends = space & (~space << 1) & line;
    for (int i = 0; i < wanted; i++) {
        if (starts == 0) return NULL;
        int start = __builtin_ctzll(starts), end = __builtin_ctzll(ends);
        words[i].word = p + start;
        words[i].length = (size_t)(end - start);
        starts &= starts - 1;
        ends &= ends - 1;
    }
    return starts ? NULL : p + __builtin_ctzll(newline);
}
#endif

/* A whole number: an optional sign and at most so many digits; 0 for anything else. */
static inline int assay_parse_whole(const char *p, size_t length, size_t most, int64_t *number) {
    size_t i = length && (p[0] == '-' || p[0] == '+');
    if (i == length || length - i > most) return 0;
    int64_t value = 0;
    for (; i < length; i++) {
        if (p[i] < '0' || p[i] > '9') return 0;
        value = value * 10 + (p[i] - '0');
    }
    *number = p[0] == '-' ? -value : value;
    return 1;
}

/* The words of a line of any length, at most `room` of them kept; how many there are. A comment has none. */
static inline int assay_split(const char *p, const char *stop, assay_field *words, int room) {
    int count = 0;
    while (1) {
        while (p < stop && assay_is_space((unsigned char)*p)) p++;
        if (p == stop || (count == 0 && *p == '#')) return count;
        const char *start = p;
        while (p < stop && !assay_is_space((unsigned char)*p)) p++;
        if (count < room) words[count] = (assay_field){start, (size_t)(p - start)};
        count++;
    }
}

/* The words of the line at p, of which `wanted` are kept, how many there are, and where it ends: at its newline, or at the end of the
 * `last` bytes. NULL where it may go on behind them. */
static inline const char *assay_line(const char *p, const char *end, int last, assay_field *words, int wanted, int *fields) {
    const char *stop = NULL;
#if ASSAY_BLOCKS
    stop = assay_short_line(p, end, words, wanted);
    if (stop) {
        *fields = *words[0].word == '#' ? 0 : wanted;
        return stop;
    }
#endif
    stop = memchr(p, '\n', (size_t)(end - p));
    if (stop == NULL && !last) return NULL;
    if (stop == NULL) stop = end;
    *fields = assay_split(p, stop, words, wanted);
    return stop;
}

#endif
