/* How questions ended, as a run states it in JSON, an object a line. Only the commonest shape is read here. */
#include <string.h>

#include "assay.h"
#include "score.h"
#include "words.h"

enum { ID = 1, OUTCOME = 2, CONFIDENCE = 4 };

typedef struct {
    assay_word id, outcome;
    double confidence;
    int seen; /* which of the three */
} question;

static inline const char *past_blanks(const char *p, const char *end) {
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r')) p++;
    return p;
}

/* Behind this character and blanks around it; NULL where another stands there. */
static inline const char *past(const char *p, const char *end, char wanted) {
    p = past_blanks(p, end);
    return p < end && *p == wanted ? past_blanks(p + 1, end) : NULL;
}

/* Behind the text in quotes; NULL where there is none, or one with an escape or a control character. */
static inline const char *past_text(const char *p, const char *end, assay_word *text) {
    if (p == end || *p != '"') return NULL;
    const char *start = ++p;
    while (p < end && *p != '"') {
        if (*p == '\\' || (unsigned char)*p < ' ') return NULL;
        p++;
    }
    *text = (assay_word){start, (size_t)(p - start)};
    return p < end ? p + 1 : NULL;
}

static inline const char *past_digits(const char *p, const char *end) {
    while (p < end && *p >= '0' && *p <= '9') p++;
    return p;
}

/* Behind a number from 0 to 1 as JSON writes them, with one digit before the point; NULL where there is none. */
static inline const char *past_share(const char *p, const char *end, double *number) {
    const char *start = p, *digits;
    if (p == end || *p < '0' || *p > '9') return NULL;
    p++;
    if (p < end && *p == '.') {
        p = past_digits(digits = p + 1, end);
        if (p == digits) return NULL;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        p = past_digits(digits = p, end);
        if (p == digits) return NULL;
    }
    return assay_parse_score(start, (size_t)(p - start), number) && *number <= 1 ? p : NULL;
}

static inline int is(const assay_word *key, const char *name, size_t length) {
    return key->length == length && memcmp(key->word, name, length) == 0;
}

/* Behind the line of one object; NULL where it needs a closer look. */
static inline const char *past_object(const char *p, const char *end, question *q) {
    q->seen = 0;
    if (*p != '{') return NULL;
    do {
        assay_word key;
        int field;
        p = past_text(past_blanks(p + 1, end), end, &key);
        if (p == NULL || (p = past(p, end, ':')) == NULL) return NULL;
        if (is(&key, "id", 2)) {
            field = ID;
            p = past_text(p, end, &q->id);
        } else if (is(&key, "outcome", 7)) {
            field = OUTCOME;
            p = past_text(p, end, &q->outcome);
        } else if (is(&key, "confidence", 10)) {
            field = CONFIDENCE;
            p = past_share(p, end, &q->confidence);
        } else {
            return NULL;
        }
        if (p == NULL || q->seen & field) return NULL;
        q->seen |= field;
        p = past_blanks(p, end);
    } while (p < end && *p == ',');
    if (p == end || *p != '}') return NULL;
    p = past_blanks(p + 1, end);
    if (p == end) return p;
    return *p == '\n' ? p + 1 : NULL;
}

/* The number of a word among the `count` that were met, which is `count` for a new one. */
static inline int64_t numbered(const assay_word *word, const char *bytes, const int64_t *words, int64_t count) {
    int64_t i = 0;
    while (i < count && (words[2 * i + 1] != (int64_t)word->length || memcmp(bytes + words[2 * i], word->word, word->length) != 0)) i++;
    return i;
}

int64_t assay_outcomes(const char *bytes, size_t size, int64_t room, int64_t most, char *ids, uint8_t *outcomes, double *confidences,
                       int64_t *words, int64_t *tally) {
    const char *p = bytes, *end = bytes + size;
    char *id = ids;
    int64_t lines = 0, said = 0, stated = 0;
    question q;
    for (; p < end; lines++) {
        p = past_object(p, end, &q);
        if (p == NULL || lines == room || (q.seen | CONFIDENCE) != (ID | OUTCOME | CONFIDENCE)) return -1;
        int64_t number = numbered(&q.outcome, bytes, words, said);
        if (number == most) return -1;
        if (number == said) {
            words[2 * said] = q.outcome.word - bytes;
            words[2 * said++ + 1] = (int64_t)q.outcome.length;
        }
        memcpy(id, q.id.word, q.id.length);
        id += q.id.length;
        *id++ = '\n';
        outcomes[lines] = (uint8_t)number;
        if (q.seen & CONFIDENCE) confidences[stated++] = q.confidence;
    }
    tally[0] = id - ids;
    tally[1] = said;
    tally[2] = stated;
    return lines;
}
