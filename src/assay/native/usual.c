#include "usual.h"

#include <string.h>

#include "ids.h"
#include "score.h"

#if ASSAY_BLOCKS

enum {
    WINDOW = 64, /* bytes in which document, rank and score are looked for */
    BEHIND = ASSAY_BEHIND_SCORE
};

void assay_learn(assay_ranker *r, const char *line, const assay_word *w, const char *newline) {
    const char *behind = w[4].word + w[4].length;
    r->head_length = (size_t)(w[2].word - line);
    r->tail_length = (size_t)(newline + 1 - behind);
    if (r->head_length > sizeof r->head || r->tail_length > sizeof r->tail) {
        r->head_length = 0;
        return;
    }
    memcpy(r->head, line, r->head_length);
    memcpy(r->tail, behind, r->tail_length);
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

/* A score as text: of two that are alike, as long and with the point at the same place, the higher one is the one that is greater as a
 * number of these bytes. So their values need not be known while a topic is in order. */
typedef struct {
    size_t length;
    unsigned point; /* the bit of its point, or 0 */
    uint64_t high, low;
} written_score;

static const written_score LIKE_NO_OTHER = {SIZE_MAX, 0, 0, 0};

static inline uint64_t first_bytes(const char *p, size_t count) { /* 1 to 8 of them, as a number */
    uint64_t bytes;
    memcpy(&bytes, p, 8);
    return __builtin_bswap64(bytes) >> (64 - 8 * count);
}

static inline written_score look_at(const char *p, size_t length, unsigned point) {
    if (length <= 8) return (written_score){length, point, first_bytes(p, length), 0};
    return (written_score){length, point, first_bytes(p, 8), first_bytes(p + 8, length - 8)};
}

static inline int is_alike(const written_score *last, const char *p, size_t length) {
    return length == last->length && assay_not_digits(p, length) == last->point && (last->point == 0 || p[__builtin_ctz(last->point)] == '.');
}

const char *assay_read_usual(assay_ranker *r, const char *p, const char *end) {
    const size_t head = r->head_length, tail = r->tail_length, least = head + WINDOW + BEHIND + sizeof r->tail;
    if (head == 0) return p;
    const char blank = r->head[head - 1];
    written_score last = LIKE_NO_OTHER;
    block *k = r->current;
    int64_t line = r->lines;
    for (; (size_t)(end - p) >= least && assay_same_id(p, r->head, head); line++) {
        middle m;
        const char *behind = find_middle(p + head, blank, &m);
        if (behind == NULL || !assay_same_id(behind, r->tail, tail)) break;
        if (is_alike(&last, m.score, m.score_length)) {
            written_score here = look_at(m.score, m.score_length, last.point);
            int lower = here.high != last.high ? here.high < last.high : here.low < last.low;
            last = here;
            if (k && !assay_add_written(k, m.document, m.document_length, m.score, m.score_length, lower, line + 1)) goto no_memory;
        } else {
            double score;
            unsigned point = 0;
            int plain = assay_quick_score(m.score, m.score_length, &score, &point);
            if (!plain && !assay_parse_score(m.score, m.score_length, &score)) break;
            if (r->float32) score = (double)(float)score;
            last = plain && !r->float32 && *m.score != '-' ? look_at(m.score, m.score_length, point) : LIKE_NO_OTHER;
            if (k && !assay_add(k, m.document, m.document_length, score, line + 1)) goto no_memory;
        }
        p = behind + tail;
        if (r->soon < r->last) ASSAY_SOON(r->soon++);
    }
    r->data_lines += line - r->lines;
    r->lines = line;
    return p;
no_memory:
    assay_out_of_memory(r);
    return NULL;
}

#endif
