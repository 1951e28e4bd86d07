/* Judgments and runs that a program holds in the interpreter's dicts. */
#include <math.h>
#include <stdlib.h>

#include "builder.h"
#include "interpreter.h"
#include "ranker.h"

typedef struct {
    void *key, *value;
} item;

typedef struct {
    item *item;
    int64_t count, room;
} items;

enum { BESIDE = 64 }; /* a text may end on the next line of the cache */

/* The bytes of an id; 0 of what is no text, or holds half a character. */
static inline int read_id(const assay_python *python, void *object, const char **id, ptrdiff_t *length) {
    if (!assay_is_text(python, object)) return 0;
    *id = python->utf8(object, length);
    if (*id == NULL) python->clear();
    return *id != NULL;
}

/* The items of a dict; 0 without memory. They are asked for all at once, and are on their way when the first is looked at. */
static int list_items(items *all, const assay_python *python, void *dict) {
    int64_t most = python->size(dict);
    ptrdiff_t position = 0;
    all->count = 0;
    if (!assay_reserve(&all->item, &all->room, most, sizeof *all->item)) return 0;
    for (item *next = all->item; all->count < most && python->next(dict, &position, &next->key, &next->value); all->count++, next++) {
        ASSAY_SOON(next->key);
        ASSAY_SOON((const char *)next->key + BESIDE);
        ASSAY_SOON(next->value);
    }
    return 1;
}

/* Judgments of one topic, after those before; a code. */
static int gather(assay_builder *b, const assay_python *python, items *all, int64_t topic, void *judged) {
    enum { MOST = 1000000000 };
    ptrdiff_t length;
    const char *id;
    if (!list_items(all, python, judged)) return ASSAY_MEMORY;
    for (int64_t i = 0; i < all->count; i++) {
        int overflow;
        if (!read_id(python, all->item[i].key, &id, &length) || assay_type_of(python, all->item[i].value) != python->int_type)
            return ASSAY_FOREIGN;
        int64_t grade = python->whole(all->item[i].value, &overflow);
        if (overflow || grade <= -MOST || grade >= MOST || assay_holds_zero(id, (size_t)length)) return ASSAY_FOREIGN;
        if ((id = assay_builder_keep(b, id, (size_t)length)) == NULL ||
            !assay_builder_add(b, topic, id, (size_t)length, grade, b->rows + 1))
            return ASSAY_MEMORY;
    }
    return ASSAY_OK;
}

assay_gold *assay_gold_walk(const assay_python *python, void *judged, assay_error *error) {
    assay_builder b;
    memset(&b, 0, sizeof b);
    memset(error, 0, sizeof *error);
    items all = {NULL, 0, 0};
    ptrdiff_t position = 0, length;
    void *key, *documents;
    const char *id;
    while (error->code == ASSAY_OK && python->next(judged, &position, &key, &documents)) {
        if (!read_id(python, key, &id, &length) || assay_holds_zero(id, (size_t)length) || !assay_is_dict(python, documents)) {
            error->code = ASSAY_FOREIGN;
            break;
        }
        id = assay_builder_keep(&b, id, (size_t)length);
        int64_t topic = id ? assay_builder_topic(&b, id, (size_t)length) : -1;
        error->code = topic < 0 ? ASSAY_MEMORY : gather(&b, python, &all, topic, documents);
    }
    free(all.item);
    if (error->code == ASSAY_OK) return assay_builder_finish(&b, error);
    assay_builder_drop(&b);
    return NULL;
}

/* A score as array("d", …) has it; 0 where only the interpreter can tell. */
static inline int read_score(const assay_python *python, void *value, double *score) {
    const void *type = assay_type_of(python, value);
    int overflow = 0;
    if (type == python->float_type || type == python->float64_type)
        *score = python->real(value);
    else if (type == python->int_type)
        *score = (double)python->whole(value, &overflow);
    else
        return 0;
    return !overflow;
}

/* One topic of a run; a code. */
static int walk_topic(assay_ranker *r, const assay_python *python, block *k, items *all, void *topic, void *documents) {
    ptrdiff_t length;
    const char *id;
    double score;
    k->count = k->unsorted = 0;
    if (!assay_is_dict(python, documents)) return ASSAY_FOREIGN;
    if (!list_items(all, python, documents)) return ASSAY_MEMORY;
    for (int64_t i = 0; i < all->count; i++) {
        if (!read_id(python, all->item[i].key, &id, &length) || !read_score(python, all->item[i].value, &score)) return ASSAY_FOREIGN;
        if (isnan(score) || assay_holds_zero(id, (size_t)length)) return ASSAY_FOREIGN;
        if (!assay_add(k, id, (size_t)length, r->float32 ? (double)(float)score : score, i + 1)) return ASSAY_MEMORY;
    }
    if (!read_id(python, topic, &id, &length) || assay_holds_zero(id, (size_t)length)) return ASSAY_FOREIGN;
    if (!assay_find_topic(r, id, (size_t)length, &k->topic)) return ASSAY_MEMORY;
    r->data_lines += all->count;
    return k->topic < 0 || assay_close_block(r, k) ? ASSAY_OK : ASSAY_MEMORY;
}

int assay_ranker_walk(assay_ranker *r, const assay_python *python, void *run, int64_t *position, int64_t documents) {
    block k = {.ascending_ties = r->ascending_ties, .distinct = 1};
    items all = {NULL, 0, 0};
    void *topic, *ranked;
    ptrdiff_t next = (ptrdiff_t)*position;
    while (r->error.code == ASSAY_OK && documents > 0 && python->next(run, &next, &topic, &ranked)) {
        r->error.code = walk_topic(r, python, &k, &all, topic, ranked);
        documents -= all.count + 1;
    }
    *position = documents > 0 ? -1 : (int64_t)next;
    free(k.document);
    free(all.item);
    return r->error.code;
}
