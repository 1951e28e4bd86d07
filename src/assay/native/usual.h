/* Lines that begin as the line before did, by topic and Q0, and end as it did, by the tag: nearly all lines of nearly all runs. Only
 * the three words between are looked for. Any other line is read the long way, and is then what the next one is compared with. */
#ifndef ASSAY_USUAL_H
#define ASSAY_USUAL_H

#include <stddef.h>
#include <stdint.h>

#include "ids.h"
#include "words.h"

#if ASSAY_BLOCKS

enum {
    ASSAY_WINDOW = 64, /* bytes in which document, rank and score are looked for */
    ASSAY_BEHIND = 32  /* bytes that may be read behind them, whatever they are */
};

typedef struct {
    const char *document, *score;
    size_t document_length, score_length;
} assay_middle;

/* A bit for each of 16 bytes that is white space, or a zero, or any other control character. */
static inline uint64_t assay_low_bytes(const char *p) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)p);
    return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(' ')), bytes));
}

/* Document, rank and score, each ended by `blank` and by no other low byte; where the score ends, or NULL. */
static inline const char *assay_find_middle(const char *p, char blank, assay_middle *m) {
    uint64_t low = assay_low_bytes(p) | assay_low_bytes(p + 16) << 16, rest = low & (low - 1);
    if ((rest & (rest - 1)) == 0) { /* fewer than three: they are long */
        low |= assay_low_bytes(p + 32) << 32 | assay_low_bytes(p + 48) << 48;
        rest = low & (low - 1);
        if ((rest & (rest - 1)) == 0) return NULL;
    }
    int document = __builtin_ctzll(low), rank = __builtin_ctzll(rest), score = __builtin_ctzll(rest & (rest - 1));
    if (p[document] != blank || p[rank] != blank || document == 0 || rank == document + 1) return NULL;
    *m = (assay_middle){p, p + rank + 1, (size_t)document, (size_t)(score - rank - 1)};
    return p + score;
}

#endif
#endif
