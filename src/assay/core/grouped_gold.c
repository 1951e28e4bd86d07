#if defined(__linux__)
#define _DEFAULT_SOURCE
#include <sys/mman.h>
#endif
#include "grouped_gold.h"

#include "gold_builder.h"

enum { MOST = 1 << 30 }; /* documents of a topic */

int assay_grouped_announce(assay_grouped_gold *s, int64_t count) {
    if (count > MOST) return ASSAY_MEMORY;
    s->topics++;
    s->documents += count;
    s->starts += (int64_t)assay_buckets(count) + 1;
    if (count > s->largest) s->largest = count;
    return ASSAY_OK;
}

/* Ask Linux for pages of 2 MB: 1,450 faults for pages of 4 kB were much of the 4.5 ms that a first gold of 85,000 judgments took; it takes 3.2 ms. */
static void use_large_pages(void *memory, size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    enum { PAGE = 4096, LARGE = 4 << 20 };
    uintptr_t start = ((uintptr_t)memory + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    if (size >= LARGE) madvise((void *)start, ((uintptr_t)memory + size - start) & ~(size_t)(PAGE - 1), MADV_HUGEPAGE);
#else
    (void)memory, (void)size;
#endif
}

/* One allocation for documents, grades and index: the allocator keeps it for the next gold, while it returns several smaller ones to
 * the system, and then every page costs a fault. */
int assay_grouped_allocate(assay_grouped_gold *s) {
    enum { MOST_EACH = 128 }; /* bytes, so that no size below overflows */
    size_t documents = (size_t)s->documents, starts = (size_t)s->starts;
    assay_gold *gold = s->documents > PTRDIFF_MAX / MOST_EACH ? NULL : calloc(1, sizeof *gold);
    s->gold = gold;
    if (gold == NULL) return ASSAY_MEMORY;
    size_t each = sizeof *gold->known + sizeof *gold->document + sizeof *gold->grades + sizeof *gold->marks;
    gold->one_allocation = 1;
    gold->topic = malloc(((size_t)s->topics + 1) * sizeof *gold->topic);
    size_t size = ASSAY_LINE_OF_CACHE + documents * each + starts * sizeof *gold->starts + ASSAY_AT_ONCE;
    gold->index = malloc(size);
    s->hash = malloc(((size_t)s->largest + 1) * sizeof *s->hash);
    if (gold->topic == NULL || gold->index == NULL || s->hash == NULL) return ASSAY_MEMORY;
    use_large_pages(gold->index, size);
    gold->known = assay_index_aligned(gold->index);
    gold->document = (assay_judged *)(gold->known + documents);
    gold->grades = (int64_t *)(gold->document + documents);
    gold->starts = (uint32_t *)(gold->grades + documents);
    gold->marks = (uint8_t *)(gold->starts + starts);
    memset(gold->marks + documents, 0, ASSAY_AT_ONCE);
    return ASSAY_OK;
}

int assay_grouped_open_topic(assay_grouped_gold *s, const char *id, size_t length, int64_t count) {
    assay_gold *gold = s->gold;
    if (length > UINT32_MAX || (id = assay_copy_id(&s->texts, id, length)) == NULL) return ASSAY_MEMORY;
    s->topic = &gold->topic[gold->topics++];
    *s->topic = (assay_topic){
        .id = id, .hash = assay_hash(id, length), .length = (uint32_t)length, .buckets = assay_buckets(count), .first = gold->documents, .start = s->started,
    };
    s->started += (int64_t)s->topic->buckets + 1;
    assay_index_begin(gold, s->topic);
    memset(s->count, 0, sizeof s->count);
    s->others = 0;
    return ASSAY_OK;
}

static void note_grades(assay_grouped_gold *s) {
    const assay_topic *topic = s->topic;
    int64_t *grades = s->gold->grades + topic->first;
    if (s->others) {
        for (int64_t i = 0; i < topic->count; i++) grades[i] = s->gold->document[topic->first + i].grade;
        assay_sort_grades(grades, topic->count);
        return;
    }
    for (int level = ASSAY_LEVELS - 1; level >= 0; level--) {
        for (int64_t i = s->count[level]; i; i--) *grades++ = level + ASSAY_LOWEST;
    }
}

void assay_grouped_close_topic(assay_grouped_gold *s) {
    if (s->topic->count > s->gold->largest) s->gold->largest = s->topic->count;
    assay_index_fill(s->gold, s->topic, s->hash);
    note_grades(s);
}

assay_gold *assay_grouped_finish(assay_grouped_gold *s, int *code) {
    assay_gold *gold = s->gold;
    free(s->hash);
    if (gold)
        gold->kept = s->texts.kept;
    else
        assay_arena_free(s->texts.kept);
    if (*code == ASSAY_OK) {
        assay_sort_topics(gold->topic, gold->topics);
        if (assay_name_topics(gold)) return gold;
        *code = ASSAY_MEMORY;
    }
    assay_gold_free(gold);
    return NULL;
}
