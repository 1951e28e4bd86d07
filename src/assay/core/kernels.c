#include "kernels.h"

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* How many relevant documents are in the first `cut` ranks. */
static int64_t found_at(const assay_view *view, int64_t cut) {
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

static double precisions(const assay_view *view, int64_t cut) {
    double total = 0;
    for (int64_t i = 0; i < view->found && view->rank[i] <= cut; i++) total += (double)(i + 1) / (double)view->rank[i];
    return total;
}

static double ideal_gain(const assay_view *view, int64_t cut) {
    double total = 0;
    for (int64_t i = 0; i < least(view->ideals, cut); i++) total += (double)view->ideal[i] / view->logs[i + 1];
    return total;
}

static double gain(const assay_view *view, int64_t cut) {
    double total = 0;
    for (int64_t i = 0; i < view->gains && view->gain_rank[i] <= cut; i++) total += (double)view->gain[i] / view->logs[view->gain_rank[i]];
    return total;
}

static double preference(const assay_view *view) {
    double total = 0, bound = (double)least(view->nonrelevant, view->relevant);
    for (int64_t i = 0; i < view->found; i++)
        total += view->above[i] ? 1.0 - (double)least(view->above[i], view->relevant) / bound : 1.0;
    return total;
}

/* The highest precision from the point on where so many thousandths of the relevant documents are found. */
static double interpolated(const assay_view *view, int64_t thousandths) {
    double highest = 0;
    int64_t needed = (thousandths * view->relevant + 999) / 1000;
    for (int64_t i = needed ? needed - 1 : 0; i < view->found; i++) {
        double precision = (double)(i + 1) / (double)view->rank[i];
        if (precision > highest) highest = precision;
    }
    return highest;
}

double assay_measured(int64_t kernel, int64_t cut, double undefined, const assay_view *view) {
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
