/* Feeds the core random and mutated input under sanitizers: it may refuse, it may not read or write out of bounds.
 *
 *     make sanitize        (or: fuzz TRIES [SEED])
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/assay/native/assay.h"
#include "../../src/assay/native/random.h"

static uint64_t state;

static uint32_t below(uint32_t bound) { return assay_below(&state, bound); }

static const char *words[] = {"1",    "2",   "301", "Q0",  "0",      "d1",      "d2",     "D",    "x#y",      "#",   "-1",
                              "1.5",  "1e9", "nan", "inf", "-0.0",   "1e-400",  "1e400",  "tag",  "\xc3\xa9", "\xff", "999999999",
                              "1e99", ".",   "+",   "e5",  "0x1p3",  "infinity", "1234567890123456789012345678901234567890123456789012345678901234567890"};
static const char *separators[] = {" ", "\t", "  ", "\r", "\v"};
static const char *ends[] = {"\n", "\r\n", "\n\n", "", "\n# comment\n"};

/* A text of lines that are mostly well formed, with some bytes flipped. */
static size_t text(char *buffer, size_t room, int fields) {
    size_t length = 0;
    if (below(20) == 0) length += (size_t)snprintf(buffer, room, "\xEF\xBB\xBF");
    for (uint32_t line = below(40); line > 0; line--) {
        uint32_t count = below(30) ? (uint32_t)fields : below(9);
        for (uint32_t i = 0; i < count && length + 200 < room; i++) {
            const char *word = words[below(sizeof words / sizeof *words)];
            int number = (fields == 4 && i == 3) || (fields == 6 && i == 4);
            char small[24];
            if (number && below(20)) {
                snprintf(small, sizeof small, "%d", (int)below(5) - 1);
                word = small;
            } else if (below(4) && (i == 0 || i == 2)) {
                snprintf(small, sizeof small, "%c%u", i ? 'd' : 't', below(i ? 30 : 4));
                word = small;
            }
            length += (size_t)snprintf(buffer + length, room - length, "%s%s", i ? separators[below(5)] : "", word);
        }
        if (length + 200 < room) length += (size_t)snprintf(buffer + length, room - length, "%s", ends[below(5)]);
    }
    for (uint32_t flips = below(6) ? 0 : below(4); flips > 0 && length; flips--) buffer[below((uint32_t)length)] = (char)below(256);
    return length;
}

/* An exact-size copy, so that reading one byte too far is seen. */
static char *exactly(const char *bytes, size_t length) {
    char *copy = malloc(length ? length : 1);
    memcpy(copy, bytes, length);
    return copy;
}

int main(int argc, char **argv) {
    long tries = argc > 1 ? atol(argv[1]) : 10000, read = 0, ranked = 0;
    static char buffer[16384];
    for (long i = 0; i < tries; i++) {
        state = assay_stream(argc > 2 ? strtoull(argv[2], NULL, 10) : 1, (uint64_t)i);
        assay_error error;
        size_t length = text(buffer, sizeof buffer, 4);
        char *qrels = exactly(buffer, length);
        assay_gold *gold = assay_gold_read(qrels, length, &error);
        if (gold == NULL) {
            int64_t counts[] = {2, 0, 1}, grades[] = {1, 0, 2};
            gold = assay_gold_pack("t0\0t1\0t2", "d1\0d2\0d1", 3, counts, grades, &error);
        } else {
            read++;
        }
        assay_ranker *r = assay_ranker_new(gold, (int64_t)below(5) - 1, (int)below(2), (int)below(2), (int)below(2), (int)below(2), (int)below(2));
        length = text(buffer, sizeof buffer, 6);
        for (size_t at = 0; at < length;) {
            size_t piece = 1 + below(200);
            if (piece > length - at) piece = length - at;
            char *chunk = exactly(buffer + at, piece);
            assay_ranker_feed(r, chunk, piece);
            free(chunk);
            at += piece;
        }
        if (below(3) == 0) {
            double scores[] = {1.0, 0.0 / (below(2) ? 1.0 : 0.0), -1.0};
            assay_ranker_pack(r, "t1", 2, "d1\0d2\0d3", 3, scores);
        }
        ranked += assay_ranker_finish(r) == ASSAY_OK;
        assay_ranker_free(r);
        assay_gold_free(gold);
        free(qrels);
    }
    printf("%ld tries: %ld judgments and %ld runs were well formed; no sanitizer complaint\n", tries, read, ranked);
    return ranked == 0 || read == 0;
}
