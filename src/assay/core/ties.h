/* The tie rule, once for the whole core: score descending, then document id descending by bytes. Only trec_eval's preference formats
 * ask for ascending ids. ties.py is the same in Python. */
#ifndef ASSAY_TIES_H
#define ASSAY_TIES_H

#include "ids.h"

/* Whether one of two documents of equal scores ranks above the other. */
static inline int assay_wins_tie(const char *id, size_t length, const char *other, size_t other_length, int ascending_ids) {
    int order = assay_compare_ids(id, length, other, other_length);
    return ascending_ids ? order < 0 : order > 0;
}

#endif
