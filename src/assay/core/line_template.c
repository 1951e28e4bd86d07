#include "line_template.h"

#include <string.h>

#include "ids.h"
#include "score.h"

#if ASSAY_BLOCKS

enum {
    WINDOW = 64, /* bytes in which document, rank and score are looked for */
    AT_ONCE = 16, /* bytes that are compared at once */
    LEAST = WINDOW + ASSAY_BEHIND_SCORE + ASSAY_TEMPLATE + AT_ONCE /* bytes behind the beginning of a document that may be looked at */
};

void assay_learn_template(assay_ranker *r, const char *line, const assay_field *w, const char *newline) {
    const char *behind = w[4].word + w[4].length;
    r->head = (size_t)(w[2].word - line);
    r->tail = (size_t)(newline + 1 - behind);
    if (r->head + r->tail > sizeof r->template) {
        r->head = 0;
        return;
    }
    memcpy(r->template, behind, r->tail);
    memcpy(r->template + r->tail, line, r->head);
}

typedef struct {
    const char *document, *score;
    size_t document_length, score_length;
} middle;

/* A bit for each of 16 bytes that is white space, or a zero, or any other control character. */
static inline uint64_t low_bytes(const char *p) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)p);
    return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(' ')), bytes));
}

/* Document, rank and score, each ended by `blank` and by no other low byte; where the score ends, or NULL. */
static inline const char *find_middle(const char *p, char blank, middle *m) {
    uint64_t low = low_bytes(p) | low_bytes(p + 16) << 16, rest = low & (low - 1);
    if ((rest & (rest - 1)) == 0) { /* fewer than three: they are long */
        low |= low_bytes(p + 32) << 32 | low_bytes(p + 48) << 48;
        rest = low & (low - 1);
        if ((rest & (rest - 1)) == 0) return NULL;
    }
    size_t document = (size_t)__builtin_ctzll(low), rank = (size_t)__builtin_ctzll(rest), score = (size_t)__builtin_ctzll(rest & (rest - 1));
    if (p[document] != blank || p[rank] != blank || document == 0 || rank == document + 1) return NULL;
    *m = (middle){p, p + rank + 1, document, score - rank - 1};
    return p + score;
}

/* Which of 16 bytes are the same. */
static inline unsigned same_bytes(const char *a, const char *b) {
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)a), _mm_loadu_si128((const __m128i *)b)));
}

typedef struct { /* some bytes to compare with: whole blocks, and the bits of what is left */
    const char *bytes;
    size_t whole;
    unsigned rest;
} pattern;

static inline pattern pattern_of(const char *bytes, size_t length) {
    return (pattern){bytes, length / AT_ONCE * AT_ONCE, (1u << length % AT_ONCE) - 1};
}

static inline int begins_with(const char *p, const pattern *wanted) {
    for (size_t i = 0; i < wanted->whole; i += AT_ONCE) {
        if (same_bytes(p + i, wanted->bytes + i) != 0xFFFF) return 0;
    }
    return (~same_bytes(p + wanted->whole, wanted->bytes + wanted->whole) & wanted->rest) == 0;
}

/* A score as text: of two that are alike, as long and with the point at the same place, the higher one is the one whose first byte
 * that differs is the greater. So their values need not be known while a topic is in order. */
typedef struct {
    const char *text;
    size_t length;
    unsigned point; /* the bit of its point, or 0 */
} written_score;

static const written_score LIKE_NO_OTHER = {NULL, SIZE_MAX, 0};

/* Whether a score is like the last one; `lower` then says whether it is below. What follows them is the same. */
static inline int is_alike(const written_score *last, const char *p, size_t length, int *lower) {
    if (length != last->length) return 0;
    unsigned different = ~same_bytes(p, last->text) & ((1u << length) - 1);
    if (assay_not_digits(p, length) != last->point || (different & last->point)) return 0;
    unsigned first = (unsigned)__builtin_ctz(different | 1u << length);
    *lower = (unsigned char)p[first] < (unsigned char)last->text[first];
    return 1;
}

const char *assay_read_by_template(assay_ranker *r, const char *p, const char *end) {
    const size_t head = r->head, tail = r->tail;
    const pattern template = pattern_of(r->template, tail + head), ending = pattern_of(r->template, tail);
    if (head == 0 || (size_t)(end - p) < head || memcmp(p, r->template + tail, head) != 0) return p;
    const char blank = r->template[tail + head - 1];
    written_score last = LIKE_NO_OTHER;
    block *k = r->current;
    int64_t line = r->lines;
    int goes_on = 1;
    for (p += head; goes_on && end - p >= LEAST; line++) {
        middle m;
        const char *behind = find_middle(p, blank, &m);
        if (behind == NULL) break;
        goes_on = begins_with(behind, &template);
        if (!goes_on && !begins_with(behind, &ending)) break;
        int lower;
        if (is_alike(&last, m.score, m.score_length, &lower)) {
            last.text = m.score;
            if (k && !assay_add_deferred(k, m.document, m.document_length, m.score, m.score_length, lower, line + 1)) goto no_memory;
        } else {
            double score;
            unsigned point = 0;
            int plain = assay_quick_score(m.score, m.score_length, &score, &point);
            if (!plain && !assay_parse_score(m.score, m.score_length, &score)) break;
            if (r->float32) score = (double)(float)score;
            last = plain && !r->float32 && *m.score != '-' ? (written_score){m.score, m.score_length, point} : LIKE_NO_OTHER;
            if (k && !assay_add(k, m.document, m.document_length, score, line + 1)) goto no_memory;
        }
        p = behind + tail + head;
    }
    r->data_lines += line - r->lines;
    r->lines = line;
    return p - head;
no_memory:
    assay_out_of_memory(r);
    return NULL;
}

#endif
