/* Rankings held in the interpreter's dicts, joined with judgments held there too: no id is copied.
 *
 * The interpreter's own tables find the judged documents, by hashes it has already. Only of these the order is settled; the
 * others are counted, each by the first of them that it stands above.
 */
#include <stdlib.h>
#include <string.h>

#include "assay.h"
#include "kernels.h"
#include "memory.h"

enum { UNJUDGED = -1, UNKNOWN = -2, HEAD = 3, COLUMNS = 5, LEVELS = 64 };

typedef struct {
    double score;
    void *id;
    int64_t grade; /* of a found one */
} document;

typedef struct {
    const assay_python *python;
    const assay_plan *plan;
    document *ranked, *found, *spare; /* what the run has, what of it the judgments name, and room to sort that */
    double *scores;                   /* of the found ones, side by side: they are searched for every document */
    int64_t *rank;                    /* of the found ones */
    int64_t *gain_rank, *gain, *zeros_above, *relevant_rank, *relevant_above; /* as assay_view has them */
    int64_t *columns;                 /* the memory of all these */
    int64_t *ideal;
    int64_t ranked_room, found_room, scores_room, column_room, ideal_room;
    int64_t retrieved, pooled, gains, relevant;
    int64_t level[LEVELS], count[LEVELS]; /* the grades that the judgments have, highest first, and how often */
    int levels;
} walk;

static inline const void *type_of(const assay_python *python, const void *object) {
    const void *type;
    memcpy(&type, (const char *)object + python->type_at, sizeof type);
    return type;
}

/* A score as a double that compares as the score does; 0 where there is none. */
static inline int read_score(const walk *w, void *value, double *score) {
    const assay_python *python = w->python;
    const long long exact = 1LL << 53;
    const void *type = type_of(python, value);
    int overflow = 0;
    if (type == python->float_type || type == python->float64_type) {
        *score = python->real(value);
    } else if (type == python->int_type) {
        long long whole = python->whole(value, &overflow);
        *score = (double)whole;
        overflow |= whole < -exact || whole > exact;
    } else {
        return 0;
    }
    if (w->plan->float32) *score = (double)(float)*score;
    return !overflow && *score == *score;
}

static inline int read_grade(const assay_python *python, void *value, int64_t *grade) {
    int overflow;
    if (type_of(python, value) != python->int_type) return 0;
    *grade = python->whole(value, &overflow);
    return !overflow;
}

/* All documents of a topic with their scores; UNKNOWN where one of them is not plain. */
static int read_ranked(walk *w, void *documents) {
    const assay_python *python = w->python;
    int64_t count = python->size(documents);
    if (!assay_reserve(&w->ranked, &w->ranked_room, count, sizeof *w->ranked)) return ASSAY_MEMORY;
    ptrdiff_t position = 0;
    void *id, *value;
    document *d = w->ranked;
    for (; d - w->ranked < count && python->next(documents, &position, &id, &value); d++) {
        if (type_of(python, id) != python->str_type || !read_score(w, value, &d->score)) return UNKNOWN;
        d->id = id;
    }
    w->retrieved = d - w->ranked;
    return ASSAY_OK;
}

/* One more document of a grade; 0 where there are too many grades to keep them in order like this. */
static int count_grade(walk *w, int64_t grade) {
    int i = 0;
    while (i < w->levels && w->level[i] > grade) i++;
    if (i == w->levels || w->level[i] != grade) {
        if (w->levels == LEVELS) return 0;
        memmove(w->level + i + 1, w->level + i, (size_t)(w->levels - i) * sizeof *w->level);
        memmove(w->count + i + 1, w->count + i, (size_t)(w->levels - i) * sizeof *w->count);
        w->level[i] = grade;
        w->count[i] = 0;
        w->levels++;
    }
    w->count[i]++;
    return 1;
}

/* Room for so many found documents. */
static int reserve_found(walk *w, int64_t most) {
    enum { SPARE = 2, EACH = 6 };
    if (!assay_reserve(&w->found, &w->found_room, SPARE * most, sizeof *w->found) ||
        !assay_reserve(&w->scores, &w->scores_room, most, sizeof *w->scores) ||
        !assay_reserve(&w->columns, &w->column_room, EACH * most + 1, sizeof *w->columns))
        return 0;
    w->spare = w->found + most;
    w->gain_rank = w->columns;
    w->gain = w->gain_rank + most;
    w->zeros_above = w->gain + most;
    w->relevant_rank = w->zeros_above + most;
    w->relevant_above = w->relevant_rank + most;
    w->rank = w->relevant_above + most; /* and one more, for what stands below all of them */
    return 1;
}

/* Which of the documents the judgments name. The fewer are looked up among the more. */
static int find_judged(walk *w, void *documents, void *judged) {
    const assay_python *python = w->python;
    int64_t count = python->size(judged), least = count < w->retrieved ? count : w->retrieved, grade;
    if (!reserve_found(w, least)) return ASSAY_MEMORY;
    w->pooled = 0;
    w->levels = 0;
    ptrdiff_t position = 0;
    void *id, *value;
    double score;
    while (python->next(judged, &position, &id, &value)) {
        /* An id of another type might compare by a program of its own. */
        if (type_of(python, id) != python->str_type || !read_grade(python, value, &grade) || !count_grade(w, grade)) return UNKNOWN;
        if (count > w->retrieved || (value = python->find(documents, id)) == NULL) continue;
        if (w->pooled == least || !read_score(w, value, &score)) return UNKNOWN;
        w->found[w->pooled++] = (document){score, id, grade};
    }
    for (int64_t i = 0; count > w->retrieved && i < w->retrieved; i++) {
        const document *d = &w->ranked[i];
        if ((value = python->find(judged, d->id)) == NULL) continue;
        if (!read_grade(python, value, &grade)) return UNKNOWN;
        w->found[w->pooled++] = (document){d->score, d->id, grade};
    }
    return ASSAY_OK;
}

/* assay's one tie rule: higher score, then the greater id. Text compares by code points, which is the order of its bytes. */
static inline int stands_above(const assay_python *python, const document *a, const document *b) {
    return a->score != b->score ? a->score > b->score : python->compare(a->id, b->id) > 0;
}

/* Merge sort of what was found, the best first. */
static void sort_found(walk *w) {
    int64_t n = w->pooled;
    document *from = w->found, *to = w->spare;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t start = 0; start < n; start += 2 * width) {
            int64_t middle = start + width < n ? start + width : n, end = start + 2 * width < n ? start + 2 * width : n;
            const document *left = from + start, *right = from + middle;
            document *next = to + start;
            while (left < from + middle && right < from + end) { /* no branch on what is taken: nothing could foresee it */
                int take_right = stands_above(w->python, right, left);
                *next++ = *(take_right ? right : left);
                right += take_right;
                left += !take_right;
            }
            while (left < from + middle) *next++ = *left++;
            while (right < from + end) *next++ = *right++;
        }
        document *swap = from;
        from = to;
        to = swap;
    }
    if (from != w->found) memcpy(w->found, from, (size_t)n * sizeof *from);
}

/* How many of those found stand above a document; half of them are passed by without a branch. */
static inline int64_t found_above(const walk *w, const document *d) {
    int64_t from = 0, to = w->pooled, half, tied = 1;
    for (int64_t left = w->pooled; left > 0; left -= half) {
        half = left - left / 2;
        from += half & -(int64_t)(w->scores[from + half - 1] > d->score);
    }
    if (from == to || w->scores[from] != d->score) return from;
    while (from + tied < to && w->scores[from + tied] == d->score) tied *= 2; /* mostly it is the only one of its score */
    if (to > from + tied) to = from + tied;
    while (from < to) { /* ids decide */
        int64_t middle = from + (to - from) / 2;
        if (stands_above(w->python, &w->found[middle], d))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The rank of each found document: how many stand above it or are it, that is how many have at most so many found ones above. */
static void rank_found(walk *w) {
    memset(w->rank, 0, ((size_t)w->pooled + 1) * sizeof *w->rank);
    for (int64_t i = 0; i < w->pooled; i++) w->scores[i] = w->found[i].score;
    for (int64_t i = 0; i < w->retrieved; i++) w->rank[found_above(w, &w->ranked[i])]++;
    for (int64_t i = 1; i < w->pooled; i++) w->rank[i] += w->rank[i - 1];
}

/* Documents without a judgment leave the ranking. */
static void keep_judged(walk *w) {
    int64_t kept = 0;
    for (int64_t i = 0; i < w->pooled; i++) {
        if (w->found[i].grade < 0) continue;
        w->found[kept++] = w->found[i];
        w->rank[kept - 1] = kept;
    }
    w->pooled = w->retrieved = kept;
}

/* The columns that measures see. */
static void note_columns(walk *w) {
    int64_t zeros = 0, nonrelevant = 0;
    w->gains = w->relevant = 0;
    for (int64_t i = 0; i < w->pooled; i++) {
        int64_t grade = w->found[i].grade, rank = w->rank[i];
        if (grade > 0) {
            w->gain_rank[w->gains] = rank;
            w->gain[w->gains] = grade;
            w->zeros_above[w->gains++] = zeros;
        }
        if (grade >= w->plan->level) {
            w->relevant_rank[w->relevant] = rank;
            w->relevant_above[w->relevant++] = nonrelevant;
        } else if (grade >= 0) {
            nonrelevant++;
        }
        zeros += grade == 0;
    }
}

static int measure(walk *w, double *values) {
    const assay_plan *plan = w->plan;
    int64_t positive = 0, relevant = 0, judged = 0;
    for (int i = 0; i < w->levels && w->level[i] >= 0; i++) {
        judged += w->count[i];
        if (w->level[i] >= plan->level) relevant += w->count[i];
        if (w->level[i] > 0) positive += w->count[i];
    }
    if (positive > plan->deepest || w->retrieved > plan->deepest) return UNKNOWN;
    if (!assay_reserve(&w->ideal, &w->ideal_room, positive, sizeof *w->ideal)) return ASSAY_MEMORY;
    for (int64_t i = 0, at = 0; at < positive; i++) {
        for (int64_t j = 0; j < w->count[i]; j++) w->ideal[at++] = w->level[i];
    }
    assay_view view = {
        .rank = w->relevant_rank, .above = w->relevant_above, .found = w->relevant,
        .gain_rank = w->gain_rank, .gain = w->gain, .gains = w->gains,
        .ideal = w->ideal, .ideals = positive, .relevant = relevant, .nonrelevant = judged - relevant, .logs = plan->logs,
    };
    for (int64_t i = 0; i < plan->kernels; i++) values[i] = assay_measured(plan->kernel[i], plan->cut[i], plan->undefined, &view);
    return ASSAY_OK;
}

static int64_t *put(int64_t *out, const int64_t *from, int64_t count) {
    if (count) memcpy(out, from, (size_t)count * sizeof *out);
    return out + count;
}

/* What was found, as the header says it is written; returns how many words. */
static int64_t write_topic(const walk *w, int64_t *out) {
    int64_t *at = out + HEAD;
    out[0] = w->retrieved;
    out[1] = out[2] = 0;
    if (!w->plan->ranks) return HEAD;
    out[1] = w->gains;
    out[2] = w->pooled;
    at = put(at, w->gain_rank, w->gains);
    at = put(at, w->gain, w->gains);
    at = put(at, w->zeros_above, w->gains);
    at = put(at, w->rank, w->pooled);
    for (int64_t i = 0; i < w->pooled; i++) *at++ = w->found[i].grade;
    return at - out;
}

static int64_t write_head(int64_t *out, int64_t kind) {
    out[0] = kind;
    out[1] = out[2] = 0;
    return HEAD;
}

/* One topic; how many words, 0 where they have no room and -1 without memory. */
static int64_t walk_topic(walk *w, void *topic, void *documents, void *all_judged, int64_t *out, int64_t room, double *values) {
    const assay_python *python = w->python;
    const void *type = type_of(python, documents);
    if (type_of(python, topic) != python->str_type || (type != python->dict_type && type != python->defaultdict_type))
        return write_head(out, UNKNOWN);
    int code = read_ranked(w, documents);
    if (code == ASSAY_OK) {
        void *judged = python->find(all_judged, topic);
        if (judged == NULL) return write_head(out, UNJUDGED);
        int64_t count = python->size(judged), least = count < w->retrieved ? count : w->retrieved;
        if (w->plan->ranks && least > (room - HEAD) / COLUMNS) return 0;
        code = find_judged(w, documents, judged);
    }
    if (code == ASSAY_OK) {
        sort_found(w);
        rank_found(w);
        if (w->plan->judged_only) keep_judged(w);
        note_columns(w);
        if (w->plan->kernels) code = measure(w, values);
    }
    return code == ASSAY_OK ? write_topic(w, out) : code == ASSAY_MEMORY ? -1 : write_head(out, UNKNOWN);
}

int64_t assay_walk(const assay_python *python, const assay_plan *plan, void *run, void *judged, int64_t *position, int64_t topics,
                   int64_t *out, int64_t room, double *values) {
    walk w = {.python = python, .plan = plan};
    int64_t used = 0;
    void *topic, *documents;
    ptrdiff_t next = (ptrdiff_t)*position;
    for (int64_t i = 0; i < topics && room - used >= HEAD && python->next(run, &next, &topic, &documents); i++) {
        int64_t written = walk_topic(&w, topic, documents, judged, out + used, room - used, values + i * plan->kernels);
        if (written == 0 && used == 0) written = write_head(out, UNKNOWN);
        if (written < 0) used = -1;
        if (written <= 0) break;
        used += written;
        *position = next;
    }
    free(w.ranked);
    free(w.found);
    free(w.scores);
    free(w.columns);
    free(w.ideal);
    return used;
}
