/* Judgments and runs that a program holds in the interpreter's dicts. */
#include <stdlib.h>

#include "builder.h"
#include "held.h"
#include "interpreter.h"

typedef struct {
    void *key, *value;
} item;

typedef struct {
    item *item;
    int64_t room;
} items;

enum { BESIDE = 64 }; /* a text may end on the next line of the cache */

/* The bytes of an id; 0 of what is no text, or holds half a character. */
static inline int read_id(const assay_python *python, void *object, const char **id, ptrdiff_t *length) {
    if (!assay_is_text(python, object)) return 0;
    *id = python->utf8(object, length);
    if (*id == NULL) python->clear();
    return *id != NULL;
}

/* Judgments of one topic, after those before; a code. */
static int gather(assay_builder *b, const assay_python *python, int64_t topic, void *judged) {
    enum { MOST = 1000000000 };
    ptrdiff_t position = 0, length;
    void *key, *value;
    const char *id;
    while (python->next(judged, &position, &key, &value)) {
        int overflow;
        if (!read_id(python, key, &id, &length) || assay_type_of(python, value) != python->int_type) return ASSAY_FOREIGN;
        int64_t grade = python->whole(value, &overflow);
        if (overflow || grade <= -MOST || grade >= MOST || memchr(id, '\0', (size_t)length)) return ASSAY_FOREIGN;
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
    ptrdiff_t position = 0, length;
    void *key, *documents;
    const char *id;
    while (error->code == ASSAY_OK && python->next(judged, &position, &key, &documents)) {
        if (!read_id(python, key, &id, &length) || memchr(id, '\0', (size_t)length) || !assay_is_dict(python, documents)) {
            error->code = ASSAY_FOREIGN;
            break;
        }
        id = assay_builder_keep(&b, id, (size_t)length);
        int64_t topic = id ? assay_builder_topic(&b, id, (size_t)length) : -1;
        error->code = topic < 0 ? ASSAY_MEMORY : gather(&b, python, topic, documents);
    }
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

/* The items of a dict; -1 without memory. They are asked for all at once, and are on their way when the first is looked at. */
static int64_t list_items(items *all, const assay_python *python, void *dict) {
    int64_t count = python->size(dict), listed = 0;
    ptrdiff_t position = 0;
    if (!assay_reserve(&all->item, &all->room, count, sizeof *all->item)) return -1;
    for (item *next = all->item; listed < count && python->next(dict, &position, &next->key, &next->value); listed++, next++) {
        ASSAY_SOON(next->key);
        ASSAY_SOON((const char *)next->key + BESIDE);
        ASSAY_SOON(next->value);
    }
    return listed;
}

/* One topic of a run; a code. */
static int walk_topic(assay_ranker *r, const assay_python *python, assay_held *h, items *all, void *topic, void *documents) {
    ptrdiff_t length;
    const char *id;
    double score;
    if (!assay_is_dict(python, documents)) return ASSAY_FOREIGN;
    int64_t count = list_items(all, python, documents);
    if (count < 0 || !assay_held_begin(h, count)) return ASSAY_MEMORY;
    for (const item *next = all->item; h->count < count; next++) {
        if (!read_id(python, next->key, &id, &length) || !read_score(python, next->value, &score)) return ASSAY_FOREIGN;
        if (!assay_held_add(h, id, (size_t)length, r->float32 ? (double)(float)score : score)) return ASSAY_FOREIGN;
    }
    if (!read_id(python, topic, &id, &length) || memchr(id, '\0', (size_t)length)) return ASSAY_FOREIGN;
    int64_t number;
    if (!assay_find_topic(r, id, (size_t)length, &number)) return ASSAY_MEMORY;
    r->data_lines += h->count;
    return number < 0 || assay_held_rank(h, r, number) ? ASSAY_OK : ASSAY_MEMORY;
}

int assay_ranker_walk(assay_ranker *r, const assay_python *python, void *run, int64_t *position, int64_t documents) {
    assay_held h;
    items all = {NULL, 0};
    memset(&h, 0, sizeof h);
    void *topic, *ranked;
    ptrdiff_t next = (ptrdiff_t)*position;
    while (r->error.code == ASSAY_OK && documents > 0 && python->next(run, &next, &topic, &ranked)) {
        r->error.code = walk_topic(r, python, &h, &all, topic, ranked);
        documents -= h.count + 1;
    }
    *position = documents > 0 ? -1 : (int64_t)next;
    assay_held_free(&h);
    free(all.item);
    return r->error.code;
}
