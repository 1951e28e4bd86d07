/* Merge sort: stable, without a worst case, and without the comparison callback of qsort, which would cost a call each time. */
#ifndef ASSAY_MERGE_SORT_H
#define ASSAY_MERGE_SORT_H

#include <stdint.h>

#include "memory.h"

/* Sort `count` items of `from` with the room in `to`; the two are swapped until the sorted items are in `from`. `right_first` is an
 * expression of the pointers `left` and `right`. The choice between two items is branch-free, as it is unpredictable. */
#define ASSAY_MERGE_SORT(item, from, to, count, right_first)                                                        \
    for (int64_t width = 1; width < (count); width *= 2) {                                                          \
        for (int64_t start = 0; start < (count); start += 2 * width) {                                              \
            int64_t middle = start + width < (count) ? start + width : (count);                                     \
            int64_t end = start + 2 * width < (count) ? start + 2 * width : (count);                                \
            const item *left = from + start, *right = from + middle;                                                \
            item *next = to + start;                                                                                \
            while (left < from + middle && right < from + end) {                                                    \
                int take_right = right_first;                                                                       \
                *next++ = *(const item *)assay_select(left, right, take_right);                                     \
                right += take_right;                                                                                \
                left += !take_right;                                                                                \
            }                                                                                                       \
            while (left < from + middle) *next++ = *left++;                                                         \
            while (right < from + end) *next++ = *right++;                                                          \
        }                                                                                                           \
        item *swap = from;                                                                                          \
        from = to;                                                                                                  \
        to = swap;                                                                                                  \
    }

#endif
