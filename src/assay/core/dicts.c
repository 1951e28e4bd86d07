/* Rankings held in the interpreter's dicts, joined with judgments held there too: no id is copied.
 *
 * The interpreter's own tables find the judged documents, by hashes it has already, and only these are put in order (places.h).
 */
#include <stdlib.h>
#include <string.h>

#include "assay.h"
#include "interpreter.h"
#include "kernels.h"
#include "memory.h"
#include "places.h"

enum { UNJUDGED = -1, UNKNOWN = -2, HEAD = 3, COLUMNS = 5, LEVELS = 64 };

typedef struct {
    const assay_python *python;
    const assay_plan *plan;
    assay_place *ranked; /* what the run has, */
    assay_places found;  /* and what of it the judgments name, with its grade */
    int64_t *gain_rank, *gain, *zeros_above, *relevant_rank, *relevant_above; /* as assay_view has them */
    int64_t *columns; /* the memory of all these */
    int64_t *ideal;
    int64_t ranked_room, column_room, ideal_room;
    int64_t retrieved, gains, relevant;
    int64_t level[LEVELS], count[LEVELS]; /* the grades that the judgments have, highest first, and how often */
    int levels;
} walk;

/* A score as a double that compares as the score does; 0 where there is none. */
static inline int read_score(const walk *w, void *value, double *score) {
    const assay_python *python = w->python;
    const long long exact = 1LL << 53;
    const void *type = assay_type_of(python, value);
    int overflow = 0;
    if (type == python->float_type || type == python->float64_type) {
        *score = assay_real_of(python, value);
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
    if (assay_type_of(python, value) != python->int_type) return 0;
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
    assay_place *d = w->ranked;
    for (; d - w->ranked < count && python->next(documents, &position, &id, &value); d++) {
        if (!assay_is_text(python, id) || !read_score(w, value, &d->score)) return UNKNOWN;
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
    enum { EACH = 5 };
    if (!assay_places_reserve(&w->found, most) || !assay_reserve(&w->columns, &w->column_room, EACH * most + 1, sizeof *w->columns))
        return 0;
    w->gain_rank = w->columns;
    w->gain = w->gain_rank + most;
    w->zeros_above = w->gain + most;
    w->relevant_rank = w->zeros_above + most;
    w->relevant_above = w->relevant_rank + most;
    return 1;
}

/* Which of the documents the judgments name. The fewer are looked up among the more. */
static int find_judged(walk *w, void *documents, void *judged) {
    const assay_python *python = w->python;
    int64_t count = python->size(judged), least = count < w->retrieved ? count : w->retrieved, grade;
    if (!reserve_found(w, least)) return ASSAY_MEMORY;
    w->levels = 0;
    ptrdiff_t position = 0;
    void *id, *value;
    double score;
    while (python->next(judged, &position, &id, &value)) {
        /* An id of another type might compare by a program of its own. */
        if (!assay_is_text(python, id) || !read_grade(python, value, &grade) || !count_grade(w, grade)) return UNKNOWN;
        if (count > w->retrieved || (value = python->find(documents, id)) == NULL) continue;
        if (w->found.count == least || !read_score(w, value, &score)) return UNKNOWN;
        w->found.found[w->found.count++] = (assay_place){score, id, grade};
    }
    for (int64_t i = 0; count > w->retrieved && i < w->retrieved; i++) {
        const assay_place *d = &w->ranked[i];
        if ((value = python->find(judged, d->id)) == NULL) continue;
        if (!read_grade(python, value, &grade)) return UNKNOWN;
        w->found.found[w->found.count++] = (assay_place){d->score, d->id, grade};
    }
    return ASSAY_OK;
}

/* assay's one tie rule: the greater id. Text compares by code points, which is the order of its bytes. */
static inline int goes_before(const void *python, const void *id, const void *other) {
    return ((const assay_python *)python)->compare((void *)id, (void *)other) > 0;
}

static void rank_found(walk *w) {
    assay_places_sort(&w->found, goes_before, w->python);
    for (int64_t i = 0; i < w->retrieved; i++) assay_places_count(&w->found, w->ranked[i].score, w->ranked[i].id, goes_before, w->python);
    assay_places_settle(&w->found);
}

/* Documents without a judgment leave the ranking. */
static void keep_judged(walk *w) {
    int64_t kept = 0;
    for (int64_t i = 0; i < w->found.count; i++) {
        if (w->found.found[i].value < 0) continue;
        w->found.found[kept++] = w->found.found[i];
        w->found.rank[kept - 1] = kept;
    }
    w->found.count = w->retrieved = kept;
}

/* The columns that measures see. */
static void note_columns(walk *w) {
    int64_t zeros = 0, nonrelevant = 0;
    w->gains = w->relevant = 0;
    for (int64_t i = 0; i < w->found.count; i++) {
        int64_t grade = w->found.found[i].value, rank = w->found.rank[i];
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
    out[2] = w->found.count;
    at = put(at, w->gain_rank, w->gains);
    at = put(at, w->gain, w->gains);
    at = put(at, w->zeros_above, w->gains);
    at = put(at, w->found.rank, w->found.count);
    for (int64_t i = 0; i < w->found.count; i++) *at++ = w->found.found[i].value;
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
    if (!assay_is_text(python, topic) || !assay_is_dict(python, documents)) return write_head(out, UNKNOWN);
    int code = read_ranked(w, documents);
    if (code == ASSAY_OK) {
        void *judged = python->find(all_judged, topic);
        if (judged == NULL) return write_head(out, UNJUDGED);
        int64_t count = python->size(judged), least = count < w->retrieved ? count : w->retrieved;
        if (w->plan->ranks && least > (room - HEAD) / COLUMNS) return 0;
        code = find_judged(w, documents, judged);
    }
    if (code == ASSAY_OK) {
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
    assay_places_free(&w.found);
    free(w.columns);
    free(w.ideal);
    return used;
}
