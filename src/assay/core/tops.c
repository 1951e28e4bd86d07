/* The documents of a run that may be among the first of their topics: what a person looks at, and no measure needs. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "assay.h"
#include "ids.h"
#include "score.h"
#include "words.h"

/* Whether a score is among the `depth` best so far, of which `held` are kept, best first; equal ones count. */
static int enters(double *best, int64_t depth, int64_t *held, double score) {
    if (*held == depth && score <= best[depth - 1]) return score == best[depth - 1];
    int64_t at = *held < depth ? (*held)++ : depth - 1;
    for (; at > 0 && best[at - 1] < score; at--) best[at] = best[at - 1];
    best[at] = score;
    return 1;
}

int64_t assay_tops(const char *bytes, size_t size, int last, int64_t depth, double *best, int64_t *places, double *scores, int64_t room,
                   int64_t *count) {
    const char *p = bytes, *end = bytes + size;
    assay_word topic = {NULL, 0};
    int64_t held = 0;
    *count = 0;
    while (p < end && *count < room) {
        assay_word w[6];
        int fields;
        const char *stop = assay_line(p, end, last, w, 6, &fields);
        if (stop == NULL) break;
        p = stop < end ? stop + 1 : end;
        if (fields == 0) continue;
        double score;
        if (fields != 6 || !assay_parse_score(w[4].word, w[4].length, &score)) return -1;
        if (topic.word == NULL || topic.length != w[0].length || !assay_same_id(topic.word, w[0].word, topic.length)) {
            topic = w[0];
            held = 0;
        }
        if (!enters(best, depth, &held, score)) continue;
        int64_t *place = places + 4 * *count;
        place[0] = topic.word - bytes;
        place[1] = place[0] + (int64_t)topic.length;
        place[2] = w[2].word - bytes;
        place[3] = place[2] + (int64_t)w[2].length;
        scores[(*count)++] = score;
    }
    return p - bytes;
}
