/* Lines that begin as the line before did, by topic and Q0, and end as it did, by the tag: nearly all lines of nearly all runs. Only
 * the three words between are looked for. Any other line is read the long way, and is then what the next one is compared with. */
#ifndef ASSAY_LINE_TEMPLATE_H
#define ASSAY_LINE_TEMPLATE_H

#include "ranker.h"
#include "fields.h"

#if ASSAY_BLOCKS

/* How a line of six words that was read begins and ends, for the next to be compared with. */
void assay_learn_template(assay_ranker *r, const char *line, const assay_field *words, const char *newline);

/* The lines that begin and end as the last one did; where the first other one begins, or NULL without memory. */
const char *assay_read_by_template(assay_ranker *r, const char *p, const char *end);

#endif
#endif
