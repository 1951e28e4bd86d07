/* The commonest measures, computed on every topic of a run. Each is a Python function first (measures/ranked.py, graded.py), and the tests
 * hold the two to the same bits: the same terms, added in the same order. */
#include <stdlib.h>

#include "ranker.h"

/* One topic of a run, as the measures need it. */
typedef struct {
    const int64_t *rank;     /* of each relevant document retrieved, */
    const int64_t *above;    /* and how many judged non-relevant ones are above it */
    int64_t found;
    const int64_t *gain_rank; /* of each document with a grade above 0, */
    const int64_t *gain;      /* and that grade */
    int64_t gains;
    const int64_t *ideal; /* the grades above 0 of the judgments, highest first */
    int64_t ideals;
    int64_t relevant, nonrelevant; /* documents of the judgments */
    const double *logs;
} view_of_topic;

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* How many relevant documents are in the first `cut` ranks. */
static int64_t found_at(const view_of_topic *view, int64_t cut) {
    int64_t from = 0, to = view->found;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (view->rank[middle] <= cut)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static double precisions(const view_of_topic *view, int64_t cut) {
    double total = 0;
    for (int64_t i = 0; i < view->found && view->rank[i] <= cut; i++) total += (double)(i + 1) / (double)view->rank[i];
    return total;
}

static double ideal_gain(const view_of_topic *view, int64_t cut) {
    double total = 0;
    for (int64_t i = 0; i < least(view->ideals, cut); i++) total += (double)view->ideal[i] / view->logs[i + 1];
    return total;
}

static double gain(const view_of_topic *view, int64_t cut) {
    double total = 0;
    for (int64_t i = 0; i < view->gains && view->gain_rank[i] <= cut; i++) total += (double)view->gain[i] / view->logs[view->gain_rank[i]];
    return total;
}

static double preference(const view_of_topic *view) {
    double total = 0, bound = (double)least(view->nonrelevant, view->relevant);
    for (int64_t i = 0; i < view->found; i++)
        total += view->above[i] ? 1.0 - (double)least(view->above[i], view->relevant) / bound : 1.0;
    return total;
}

/* The highest precision from the point on where so many thousandths of the relevant documents are found. */
static double interpolated(const view_of_topic *view, int64_t thousandths) {
    double highest = 0;
    int64_t needed = (thousandths * view->relevant + 999) / 1000;
    for (int64_t i = needed ? needed - 1 : 0; i < view->found; i++) {
        double precision = (double)(i + 1) / (double)view->rank[i];
        if (precision > highest) highest = precision;
    }
    return highest;
}

static double measure_topic(int64_t kernel, int64_t cut, double undefined, const view_of_topic *view) {
    int seen = view->found && view->rank[0] <= cut;
    double relevant = (double)view->relevant, ideal;
    switch (kernel) {
        case ASSAY_P: return (double)found_at(view, cut) / (double)cut;
        case ASSAY_SUCCESS: return seen;
        case ASSAY_RR: return seen ? 1.0 / (double)view->rank[0] : 0.0;
        case ASSAY_NDCG: return (ideal = ideal_gain(view, cut)) > 0 ? gain(view, cut) / ideal : undefined;
        default: break;
    }
    if (view->relevant == 0) return undefined;
    switch (kernel) {
        case ASSAY_AP: return precisions(view, cut) / relevant;
        case ASSAY_R: return (double)found_at(view, cut) / relevant;
        case ASSAY_RELP: return (double)found_at(view, cut) / (double)least(cut, view->relevant);
        case ASSAY_RPREC: return (double)found_at(view, view->relevant) / relevant;
        case ASSAY_BPREF: return preference(view) / relevant;
        case ASSAY_IPREC: return interpolated(view, cut);
        default: return undefined;
    }
}

/* Room for what the kernels see of one topic: as many documents as the gold has for any. */
typedef struct {
    int64_t *rank, *above, *gain_rank, *gain;
} columns;

static int64_t at_least(const int64_t *grades, int64_t count, int64_t grade) { /* of grades that fall */
    int64_t from = 0, to = count;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (grades[middle] >= grade)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static view_of_topic view_of(const assay_ranker *r, const assay_plan *plan, int64_t t, const columns *c) {
    const assay_topic *topic = &r->gold->topic[t];
    const int64_t *grades = r->gold->grades + topic->first;
    view_of_topic view = {.rank = c->rank, .above = c->above, .gain_rank = c->gain_rank, .gain = c->gain, .ideal = grades, .logs = plan->logs};
    view.ideals = at_least(grades, topic->count, 1);
    view.relevant = at_least(grades, topic->count, plan->level);
    view.nonrelevant = at_least(grades, topic->count, 0) - view.relevant;
    if (r->num_ret[t] < 0) return view;
    /* The documents with a grade above 0, and only where others are asked for all that the gold names. */
    for (int64_t i = r->relevant_start[t], end = i + r->relevant_count[t]; i < end; i++, view.gains++) {
        c->gain_rank[view.gains] = r->relevant_rank.value[i];
        c->gain[view.gains] = r->relevant_grade.value[i];
        c->above[view.gains] = r->nonrelevant_above.value[i];
    }
    if (plan->level == 1) {
        view.rank = c->gain_rank;
        view.found = view.gains;
        return view;
    }
    int64_t nonrelevant = 0;
    for (int64_t i = r->pooled_start[t], end = i + r->pooled_count[t]; i < end; i++) {
        int64_t grade = r->pooled_grade.value[i];
        if (grade >= plan->level) {
            c->rank[view.found] = r->pooled_rank.value[i];
            c->above[view.found++] = nonrelevant;
        } else if (grade >= 0) {
            nonrelevant++;
        }
    }
    return view;
}

int assay_ranker_measure(const assay_ranker *r, const assay_plan *plan, int every, double *values) {
    int64_t topics = r->gold->topics, most = r->gold->largest;
    int64_t *room = malloc((4 * (size_t)most + 1) * sizeof *room);
    if (room == NULL) return ASSAY_MEMORY;
    columns c = {room, room + most, room + 2 * most, room + 3 * most};
    for (int64_t t = 0; t < topics; t++) {
        if (!every && r->num_ret[t] < 0) continue;
        view_of_topic view = view_of(r, plan, t, &c);
        for (int64_t k = 0; k < plan->kernels; k++) values[k * topics + t] = measure_topic(plan->kernel[k], plan->cut[k], plan->undefined, &view);
    }
    free(room);
    return ASSAY_OK;
}
