/* What rankings share, against plain loops over every depth and every pair of documents. */
#include "fuzz.h"

static int64_t place_of(const int32_t *ranking, int64_t length, int32_t document) {
    for (int64_t r = 0; r < length; r++)
        if (ranking[r] == document) return r;
    return -1;
}

int fuzz_overlaps(choices *c) {
    int64_t runs = below(c, 4), count = 1 + below(c, below(c, 9) ? 12 : 200), size = 0, longest = 0;
    int32_t *documents = exactly((size_t)(runs * count), sizeof *documents), *order = exactly((size_t)count, sizeof *order);
    int64_t *starts = exactly((size_t)runs + 1, sizeof *starts);
    starts[0] = 0;
    for (int64_t i = 0; i < runs; i++) {
        int64_t length = below(c, (uint32_t)count + 1);
        for (int64_t d = 0; d < count; d++) order[d] = (int32_t)d;
        for (int64_t r = 0; r < length; r++) {
            int64_t other = r + below(c, (uint32_t)(count - r));
            int32_t document = order[other];
            order[other] = order[r], order[r] = document;
            documents[size++] = document;
        }
        starts[i + 1] = size;
        if (length > longest) longest = length;
    }
    double *terms = exactly((size_t)longest + 1, sizeof *terms);
    for (int64_t d = 0; d <= longest; d++) terms[d] = 1 + below(c, 9);
    size_t pairs = (size_t)(runs * (runs - 1) / 2);
    int64_t *counts = exactly(3 * pairs, sizeof *counts), *found = counts;
    double *sums = exactly(2 * pairs, sizeof *sums), *sum = sums;
    check(assay_overlaps(documents, starts, runs, count, terms, counts, sums) == ASSAY_OK, "overlaps are counted");
    for (int64_t i = 0; i < runs; i++) {
        for (int64_t j = i + 1; j < runs; j++, found += 3, sum += 2) {
            const int32_t *first = documents + starts[i], *second = documents + starts[j];
            int64_t length = starts[i + 1] - starts[i], other = starts[j + 1] - starts[j], shared = 0, ordered = 0, down_to_shorter = 0;
            double precision = 0, weighed = 0;
            for (int64_t d = 1; d <= (length > other ? length : other); d++) {
                int64_t both = 0;
                for (int64_t r = 0; r < d && r < length; r++) {
                    int64_t at = place_of(second, other, first[r]);
                    both += at >= 0 && at < d;
                }
                weighed += (double)both * terms[d];
                if (d == (length < other ? length : other)) down_to_shorter = both;
            }
            for (int64_t r = 0; r < length; r++) {
                int64_t at = place_of(second, other, first[r]), above = 0;
                if (at < 0) continue;
                for (int64_t q = 0; q < r; q++) {
                    int64_t before = place_of(second, other, first[q]);
                    above += before >= 0 && before < at;
                }
                ordered += above;
                if (shared) precision += (double)above / (double)shared;
                shared++;
            }
            check(found[0] == shared && found[1] == down_to_shorter && found[2] == ordered, "shared documents are those of the plain loop");
            check(sum[0] == weighed && sum[1] == precision, "sums over shared documents are those of the plain loop");
        }
    }
    void *used[] = {documents, order, starts, terms, counts, sums};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) free(used[i]);
    return 1;
}
