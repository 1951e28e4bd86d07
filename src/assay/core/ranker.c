/* Allocate, finish and free a ranker, and return its result. */
#include <stdlib.h>
#include <string.h>

#include "ranker.h"

assay_ranker *assay_ranker_new(const assay_gold *gold, int64_t depth, int float32, int judged_only, int keep, int any_fields,
                               int ascending_ties, int relevant_only) {
    assay_ranker *r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    size_t n = (size_t)gold->topics + 1;
    r->gold = gold;
    r->depth = depth;
    r->float32 = float32;
    r->judged_only = judged_only;
    r->keep = keep;
    r->any_fields = any_fields;
    r->ascending_ties = ascending_ties;
    r->relevant_only = relevant_only;
    r->num_ret = malloc(n * sizeof *r->num_ret);
    r->relevant_start = calloc(n, sizeof *r->relevant_start);
    r->relevant_count = calloc(n, sizeof *r->relevant_count);
    r->pooled_start = calloc(n, sizeof *r->pooled_start);
    r->pooled_count = calloc(n, sizeof *r->pooled_count);
    r->block_of = calloc(n, sizeof *r->block_of);
    if (!r->num_ret || !r->relevant_start || !r->relevant_count || !r->pooled_start || !r->pooled_count || !r->block_of) {
        r->error.code = ASSAY_MEMORY;
        return r;
    }
    for (size_t t = 0; t < n; t++) r->num_ret[t] = -1;
    return r;
}

/* Free what only reading needs: most of the memory of a thousand finished runs. */
static void free_reading_memory(assay_ranker *r) {
    for (int64_t i = 0; i < r->block_count; i++) {
        free(r->blocks[i].document);
        free(r->blocks[i].bytes);
    }
    free(r->blocks);
    free(r->carry.bytes);
    free(r->seen);
    assay_counter_free(&r->places);
    r->blocks = NULL;
    r->current = NULL;
    r->seen = NULL;
    r->carry = (text){0};
    r->places = (assay_rank_counter){0};
    r->block_count = r->block_room = r->seen_room = 0;
}

/* Copy a finished column to an allocation of its size; shrinking it in place would fragment the heap. 0 without memory. */
static int fit(vector *v) {
    if (v->count == 0) return 1;
    int32_t *moved = malloc((size_t)v->count * sizeof *moved);
    if (moved == NULL) return 0;
    memcpy(moved, v->value, (size_t)v->count * sizeof *moved);
    free(v->value);
    *v = (vector){moved, v->count, v->count};
    return 1;
}

void assay_ranker_free(assay_ranker *r) {
    if (r == NULL) return;
    free_reading_memory(r);
    free(r->block_of);
    free(r->num_ret);
    free(r->relevant_start);
    free(r->relevant_count);
    free(r->pooled_start);
    free(r->pooled_count);
    free(r->relevant_rank.value);
    free(r->relevant_grade.value);
    free(r->nonrelevant_above.value);
    free(r->pooled_rank.value);
    free(r->pooled_document.value);
    free(r->pooled_grade.value);
    free(r->other.bytes);
    free(r->ignored);
    free(r->ignored_slots);
    free(r->tag.bytes);
    free(r);
}

int assay_ranker_finish(assay_ranker *r) {
    if (r->error.code || !assay_read_rest(r)) return r->error.code;
    for (int64_t i = 0; r->keep && i < r->block_count; i++) {
        if (!assay_close_block(r, &r->blocks[i])) return r->error.code;
    }
    if (!r->keep && r->current) assay_close_block(r, r->current);
    free_reading_memory(r);
    vector *columns[] = {&r->relevant_rank, &r->relevant_grade,  &r->nonrelevant_above,
                         &r->pooled_rank,   &r->pooled_document, &r->pooled_grade};
    for (size_t i = 0; i < sizeof columns / sizeof *columns && !r->error.code; i++) {
        if (!fit(columns[i])) assay_out_of_memory(r);
    }
    return r->error.code;
}

void assay_ranker_result(const assay_ranker *r, assay_ranked *result) {
    *result = (assay_ranked){
        .num_ret = r->num_ret,
        .relevant_start = r->relevant_start,
        .relevant_count = r->relevant_count,
        .pooled_start = r->pooled_start,
        .pooled_count = r->pooled_count,
        .relevant_rank = r->relevant_rank.value,
        .relevant_grade = r->relevant_grade.value,
        .nonrelevant_above = r->nonrelevant_above.value,
        .pooled_rank = r->pooled_rank.value,
        .pooled_document = r->pooled_document.value,
        .pooled_grade = r->pooled_grade.value,
        .tag = r->tag.bytes,
        .other = r->other.bytes,
        .error = &r->error,
        .ignored_topics = r->ignored,
        .tag_length = r->tag.length,
        .other_length = r->other.length,
        .data_lines = r->data_lines,
        .ignored = r->ignored_count,
    };
}
