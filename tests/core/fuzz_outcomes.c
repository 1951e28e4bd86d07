/* Outcomes in lines of JSON, against what the lines were made from. */
#include <stdio.h>

#include "fuzz.h"

enum { LINES = 12, WIDEST = 300, MOST = 4 };

typedef struct {
    const char *id, *outcome;
    int stated, foreign;
    double confidence;
} line;

static const char *gap(choices *c) {
    static const char *const blanks[] = {"", " ", "\t", " \r ", ""};
    return blanks[below(c, 5)];
}

/* A value that now and then is no plain text. */
static int write_text(choices *c, char *text, const char *word, int *foreign) {
    static const char *const others[] = {"7", "null", "\"a\\n\"", "\"\t\"", "\"open", "{}", ""};
    *foreign = below(c, 300) == 0;
    return *foreign ? sprintf(text, "%s", others[below(c, 7)]) : sprintf(text, "\"%s\"", word);
}

static int write_share(choices *c, char *text, double *share, int *foreign) {
    static const char *const shares[] = {"0", "1", "0.5", "0.758", "1.0", "1e-05", "9.5E-2", "5e+0", "0.1000000000000000055511151231257827"};
    static const double values[] = {0, 1, 0.5, 0.758, 1, 1e-05, 9.5e-2, 5, 0.1};
    static const char *const others[] = {"-0", "00", "01", "1.5", ".5", "0.", "1e", "1e-", "+1", "null", "0x0", "NaN", "0.5.5", "10e-2", ""};
    int number = below(c, 200) ? (int)below(c, 7) : 7 + (int)below(c, 2);
    *foreign = below(c, 300) == 0;
    if (*foreign) return sprintf(text, "%s", others[below(c, 15)]);
    *share = values[number];
    *foreign = *share > 1;
    return sprintf(text, "%s", shares[number]);
}

/* An object, its keys in any order. */
static int write_object(choices *c, char *text, line *l) {
    static const char *const ids[] = {"q1", "", "q10", "id", "{", "a: b", "\xc3\xa9", "\xff"};
    static const char *const words[] = {"correct", "C", "incorrect", "", "cor", "outcome"};
    static const char *const keys[] = {"id", "outcome", "confidence", "doc", "Id", "outcom", "i\\u0064"};
    int size = sprintf(text, "%s{", below(c, 300) ? "" : " "), first = (int)below(c, 3), step = 1 + (int)below(c, 2), wrong = 0, seen = 0;
    int with = below(c, 3) > 0 ? 7 : 3, count = below(c, 300) ? 3 : 4; /* of which one stands twice */
    *l = (line){.id = ids[below(c, 8)], .outcome = words[below(c, below(c, 4) ? 3 : 6)], .foreign = size > 1};
    for (int i = 0; i < count; i++) {
        int key = (first + i * step) % 3;
        if (!(with >> key & 1) || below(c, 400) == 0) continue;
        int name = below(c, 300) ? key : (int)below(c, 7);
        l->foreign |= name != key || seen >> key & 1;
        size += sprintf(text + size, "%s%s\"%s\"%s:%s", seen ? "," : "", gap(c), keys[name], gap(c), gap(c));
        seen |= 1 << key;
        if (key == 2)
            size += write_share(c, text + size, &l->confidence, &wrong);
        else
            size += write_text(c, text + size, key ? l->outcome : l->id, &wrong);
        l->foreign |= wrong;
        size += sprintf(text + size, "%s", gap(c));
    }
    l->foreign |= (seen & 3) != 3;
    l->stated = seen >> 2;
    static const char *const ends[] = {"", "}}", ",}", "} {}", "}\n\n "};
    wrong = below(c, 300) == 0;
    l->foreign |= wrong;
    return size + sprintf(text + size, "%s%s", wrong ? ends[below(c, 5)] : "}", gap(c));
}

int fuzz_outcomes(choices *c) {
    line lines[LINES];
    char text[LINES * WIDEST], expected[LINES * WIDEST];
    const char *known[LINES];
    int count = (int)below(c, LINES + 1), said = 0, stated = 0, foreign = 0, named = 0, size = 0;
    int64_t room = below(c, 30) ? LINES : (int64_t)below(c, LINES + 1), words[2 * MOST], tally[3] = {0};
    for (int i = 0; i < count; i++) {
        size += write_object(c, text + size, &lines[i]);
        if (i + 1 < count || below(c, 2)) text[size++] = '\n';
        foreign |= lines[i].foreign;
    }
    char *bytes = copied(text, (size_t)size), *ids = exactly((size_t)size, 1);
    uint8_t *outcomes = exactly((size_t)room, 1);
    double *confidences = exactly((size_t)room, sizeof *confidences);
    int64_t found = assay_outcomes(bytes, (size_t)size, room, MOST, ids, outcomes, confidences, words, tally);
    for (int i = 0; i < count; i++) {
        int number = 0;
        while (number < said && strcmp(known[number], lines[i].outcome) != 0) number++;
        if (number == said) known[said++] = lines[i].outcome;
    }
    if (found >= 0) {
        check(!foreign && found == count && count <= room && said <= MOST, "what needs a closer look gets it");
        for (int i = 0; i < count; i++) {
            named += sprintf(expected + named, "%s\n", lines[i].id);
            const int64_t *word = words + 2 * outcomes[i];
            check(outcomes[i] < tally[1] && word[1] == (int64_t)strlen(lines[i].outcome), "an outcome has its word");
            check(memcmp(bytes + word[0], lines[i].outcome, (size_t)word[1]) == 0, "which is what the line says");
            if (lines[i].stated) check(confidences[stated++] == lines[i].confidence, "a confidence is what the line says");
        }
        check(tally[0] == named && memcmp(ids, expected, (size_t)named) == 0, "the ids are those of the lines");
        check(tally[1] == said && tally[2] == stated, "no more words and confidences than there are");
    } else {
        check(foreign || count > room || said > MOST, "what is plain is read");
    }
    free(bytes);
    free(ids);
    free(outcomes);
    free(confidences);
    return found > 0;
}
