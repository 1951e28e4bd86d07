/* The documents of a run that may be among the first of their topics, against a plain loop over the lines as they were made. */
#include <stdio.h>

#include "fuzz.h"

enum { LINES = 40, WIDEST = 160 };

typedef struct {
    int64_t start, stop; /* where its newline stands, or would */
    int64_t topic_at, topic_end, document_at, document_end;
    int topic, speaks, foreign;
    double score;
} line;

/* Few topics and scores, so that all that can happen does. */
static size_t write_line(choices *c, char *text, line *l) {
    static const char *const topics[] = {"q1", "q10", "q2", "a-topic-of-a-name-that-is-longer-than-eight"};
    static const char *const scores[] = {"9", "9.0", "8.5", "-1", "7e0", "0", "1e400", "-inf", "nan", "x", "0x1"};
    static const double values[] = {9, 9, 8.5, -1, 7, 0, 1.0 / 0.0, -1.0 / 0.0};
    static const char *const between[] = {" ", "\t", "  ", " \v\f"};
    const char *gap = between[below(c, 4)];
    int score = (int)below(c, 8), missing = below(c, 150) == 0, more = !missing && below(c, 150) == 0, width = below(c, 9) ? 1 : 70;
    if (below(c, 150) == 0) score = 8 + (int)below(c, 3);
    *l = (line){.speaks = below(c, 12) > 0, .foreign = missing || more || score > 7, .topic = below(c, 5) ? l[-1].topic : (int)below(c, 4)};
    if (!l->speaks) return (size_t)sprintf(text, "%s", below(c, 3) == 0 ? "# a b c d e" : below(c, 2) ? " " : "");
    l->score = l->foreign ? 0 : values[score];
    int size = sprintf(text, "%s", below(c, 9) ? "" : gap);
    l->topic_at = size;
    l->topic_end = size += sprintf(text + size, "%s", topics[l->topic]);
    l->document_at = size += sprintf(text + size, "%sQ0%s", gap, gap);
    l->document_end = size += sprintf(text + size, "%0*d", width, (int)below(c, 100));
    size += sprintf(text + size, "%s1%s%s", gap, gap, scores[score]);
    if (!missing) size += sprintf(text + size, "%st", gap);
    if (more) size += sprintf(text + size, "%su", gap);
    return (size_t)(size + sprintf(text + size, "%s", below(c, 4) ? "" : below(c, 2) ? "\r" : " "));
}

/* The first line, from `from` on, of those of the topic of this one that stand together with it. */
static int first_of(const line *lines, int from, int at) {
    int found = at;
    for (int i = at - 1; i >= from; i--) {
        if (!lines[i].speaks) continue;
        if (lines[i].topic != lines[at].topic) break;
        found = i;
    }
    return found;
}

/* Whether fewer than `depth` lines of the same stretch before this one, from `from` on, have a higher score. */
static int may_be_first(const line *lines, int from, int at, int64_t depth) {
    int64_t higher = 0;
    for (int i = at - 1; i >= from; i--) {
        if (!lines[i].speaks) continue;
        if (lines[i].topic != lines[at].topic) break;
        higher += lines[i].score > lines[at].score;
    }
    return higher < depth;
}

int fuzz_tops(choices *c) {
    line room_for[LINES + 1] = {{.topic = 0}}, *lines = room_for + 1;
    char text[LINES * WIDEST + 1];
    int count = (int)below(c, LINES + 1), last = (int)below(c, 2), at = 0, kept = 0;
    int64_t size = 0, from = 0, depth = 1 + below(c, 5), room = 1 + below(c, below(c, 2) ? 4 : LINES);
    for (int i = 0; i < count; i++) {
        int64_t written = (int64_t)write_line(c, text + size, &lines[i]);
        lines[i].start = size;
        lines[i].stop = size += written;
        text[size++] = '\n';
    }
    if (count && below(c, 2)) size--; /* the last line has no newline */
    char *bytes = copied(text, (size_t)size);
    double *best = exactly((size_t)depth, sizeof *best);
    double *scores = exactly((size_t)room, sizeof *scores);
    int64_t *places = exactly((size_t)room, 4 * sizeof *places), found, used;
    do { /* as a caller goes on: from where the last call stopped, for lack of room */
        char *rest = copied(bytes + from, (size_t)(size - from));
        int first = at, foreign = 0;
        int64_t expected = 0, end = from;
        used = assay_tops(rest, (size_t)(size - from), last, depth, best, places, scores, room, &found);
        free(rest);
        for (; at < count && lines[at].start < size && expected < room && !foreign; at++) {
            if (lines[at].stop == size && !last) break;
            foreign = lines[at].speaks && lines[at].foreign;
            end = lines[at].stop < size ? lines[at].stop + 1 : size;
            if (foreign || !lines[at].speaks || !may_be_first(lines, first, at, depth)) continue;
            if (used >= 0) {
                check(expected < found, "a line that may be first is not passed by");
                const line *here = &lines[at], *head = &lines[first_of(lines, first, at)];
                const int64_t *place = places + 4 * expected, start = head->start - from, own = here->start - from;
                check(place[0] == start + head->topic_at && place[1] == start + head->topic_end, "and told where its topic stands");
                check(place[2] == own + here->document_at && place[3] == own + here->document_end, "and where its document does");
                check(scores[expected] == here->score, "and its score");
            }
            expected++;
        }
        check((used < 0) == foreign, "a line is looked at more closely where it must be");
        if (foreign) break;
        check(found == expected && used == end - from, "no more lines are told than may be first, and no more bytes used");
        kept += found > 0;
        from += used;
    } while (found == room);
    free(bytes);
    free(best);
    free(places);
    free(scores);
    return kept > 0 && used >= 0;
}
