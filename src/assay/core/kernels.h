/* The commonest measures of one topic. Each is a Python function first (measures/ranked.py, graded.py), and the tests hold the two
 * to the same bits: the same terms, added in the same order. */
#ifndef ASSAY_KERNELS_H
#define ASSAY_KERNELS_H

#include "assay.h"

/* What they see of a ranking. */
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
} assay_view;

double assay_measured(int64_t kernel, int64_t cut, double undefined, const assay_view *view);

#endif
