/* The kernels on every topic of a run that was read. */
#include <stdlib.h>

#include "kernels.h"
#include "ranker.h"

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

static assay_view view_of(const assay_ranker *r, const assay_plan *plan, int64_t t, const columns *c) {
    const assay_topic *topic = &r->gold->topic[t];
    const int64_t *grades = r->gold->grades + topic->first;
    assay_view view = {.rank = c->rank, .above = c->above, .gain_rank = c->gain_rank, .gain = c->gain, .ideal = grades, .logs = plan->logs};
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
        assay_view view = view_of(r, plan, t, &c);
        for (int64_t k = 0; k < plan->kernels; k++) values[k * topics + t] = assay_measured(plan->kernel[k], plan->cut[k], plan->undefined, &view);
    }
    free(room);
    return ASSAY_OK;
}
