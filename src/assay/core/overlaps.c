/* What each two rankings of one topic share, by rank: enough for rank-biased overlap, Kendall's tau and tau-AP. */
#include <stdlib.h>
#include <string.h>

#include "assay.h"

/* Ranks seen so far: a bit each, and per word of 64 how many are in the words before it. Counting the smaller ranks then takes one
 * lookup, and adding a rank a short loop that compilers vectorise. */
typedef struct {
    uint64_t *bits;
    uint32_t *before;
    int64_t words;
} ranks;

static int64_t ones(uint64_t word) {
#if defined(__GNUC__)
    return __builtin_popcountll(word);
#else
    int64_t count = 0;
    for (; word; word &= word - 1) count++;
    return count;
#endif
}

/* How many ranks below this one were seen; it now is seen too. */
static int64_t see(ranks *seen, int32_t rank) {
    int64_t word = rank >> 6;
    uint64_t bit = 1ULL << (rank & 63);
    int64_t below = seen->before[word] + ones(seen->bits[word] & (bit - 1));
    seen->bits[word] |= bit;
    for (int64_t i = word + 1; i < seen->words; i++) seen->before[i]++;
    return below;
}

int assay_overlaps(const int32_t *documents, const int64_t *starts, int64_t runs, int64_t count, const double *terms, int64_t *counts,
                   double *sums) {
    int64_t longest = 0;
    for (int64_t i = 0; i < runs; i++)
        if (starts[i + 1] - starts[i] > longest) longest = starts[i + 1] - starts[i];
    int64_t words = (longest + 63) / 64;
    uint64_t *room = malloc((size_t)words * sizeof(uint64_t) + (size_t)(words + longest + count + 1) * sizeof(uint32_t));
    if (room == NULL) return ASSAY_MEMORY;
    ranks seen = {room, (uint32_t *)(room + words), words};
    int32_t *meet = (int32_t *)(seen.before + words), *place = meet + longest;
    for (int64_t d = 0; d < count; d++) place[d] = -1;
    for (int64_t j = 1; j < runs; j++) {
        const int32_t *second = documents + starts[j];
        int64_t other = starts[j + 1] - starts[j];
        for (int64_t r = 0; r < other; r++) place[second[r]] = (int32_t)r;
        for (int64_t i = 0; i < j; i++) {
            const int32_t *first = documents + starts[i];
            int64_t length = starts[i + 1] - starts[i], deepest = length > other ? length : other;
            int64_t shorter = length < other ? length : other, shared = 0, ordered = 0, at_shorter = 0;
            double precision = 0, seen_so_far = 0;
            memset(meet, 0, (size_t)deepest * sizeof *meet);
            memset(seen.bits, 0, (size_t)words * sizeof *seen.bits);
            memset(seen.before, 0, (size_t)words * sizeof *seen.before);
            for (int64_t r = 0; r < length; r++) {
                int32_t rank = place[first[r]];
                if (rank < 0) continue;
                meet[rank > r ? rank : r]++;
                int64_t above = see(&seen, rank);
                ordered += above;
                if (shared) precision += (double)above / (double)shared;
                shared++;
            }
            int64_t both = 0;
            for (int64_t d = 1; d <= deepest; d++) {
                both += meet[d - 1];
                seen_so_far += (double)both * terms[d];
                if (d == shorter) at_shorter = both;
            }
            int64_t pair = i * (2 * runs - i - 1) / 2 + j - i - 1;
            counts[3 * pair] = shared, counts[3 * pair + 1] = at_shorter, counts[3 * pair + 2] = ordered;
            sums[2 * pair] = seen_so_far, sums[2 * pair + 1] = precision;
        }
        for (int64_t r = 0; r < other; r++) place[second[r]] = -1;
    }
    free(room);
    return ASSAY_OK;
}
