/* Judgments and runs that a program holds in the interpreter's dicts. */
#include <math.h>
#include <stdlib.h>

#include "interpreter.h"
#include "ranker.h"
#include "judged_lookup.h"
#include "grouped_gold.h"

enum {
    GROUP = 8,        /* items that are asked for at once, */
    AHEAD = 3,        /* and how many groups before they are looked at: by then they are at hand; one less than a power of two */
    TOGETHER = 32,    /* documents that are looked for among the judged ones at once */
    MOST = 1000000000 /* grades have nine digits */
};

typedef struct {
    void *key, *value;
} item;

typedef struct { /* through the items of a dict */
    const assay_python *python;
    void *dict;
    ptrdiff_t position;
    int group;
    int64_t count[AHEAD + 1];
    item items[AHEAD + 1][GROUP];
} walk;

/* The bytes of an id; 0 of what is no text, or holds half a character or a zero. */
static inline int read_id(const assay_python *python, void *object, const char **id, size_t *length) {
    ptrdiff_t size;
    if (!assay_is_text(python, object)) return 0;
    *id = python->utf8(object, &size);
    if (*id == NULL) python->clear();
    *length = (size_t)size;
    return *id != NULL && !assay_holds_zero(*id, *length);
}

static inline void ask(walk *w, int group) {
    const assay_python *python = w->python;
    item *next = w->items[group], *end = next + GROUP;
    for (; next < end && python->next(w->dict, &w->position, &next->key, &next->value); next++) {
        ASSAY_PREFETCH(next->key);
        ASSAY_PREFETCH(next->value);
        ASSAY_PREFETCH((const char *)next->value + python->real_at); /* every other float lies in two lines of the cache */
    }
    w->count[group] = next - w->items[group];
}

static inline void begin(walk *w, const assay_python *python, void *dict) {
    w->python = python;
    w->dict = dict;
    w->position = 0;
    for (w->group = 0; w->group < AHEAD; w->group++) ask(w, w->group);
}

/* The next items; how many. */
static inline int64_t next_items(walk *w, const item **items) {
    ask(w, w->group);
    w->group = (w->group + 1) & AHEAD;
    *items = w->items[w->group];
    return w->count[w->group];
}

/* A grade; where it is the object that was read before, it is there already: small numbers are the same objects everywhere. */
static inline int read_grade(const assay_python *python, void *value, void **before, int64_t *grade) {
    int overflow;
    if (value == *before) return 1;
    *before = value;
    if (assay_type_of(python, value) != python->int_type) return 0;
    *grade = python->whole(value, &overflow);
    return !overflow && *grade > -MOST && *grade < MOST;
}

/* All topics, before any is read; a code. */
static int announce(assay_grouped_gold *s, const assay_python *python, void *judged) {
    ptrdiff_t position = 0;
    void *topic, *documents;
    int code = ASSAY_OK;
    while (code == ASSAY_OK && python->next(judged, &position, &topic, &documents))
        code = assay_is_dict(python, documents) ? assay_grouped_announce(s, python->size(documents)) : ASSAY_FOREIGN;
    return code ? code : assay_grouped_allocate(s);
}

/* Judgments of one topic; a code. */
static int gather(assay_grouped_gold *s, const assay_python *python, void *topic, void *judged) {
    walk w;
    const item *items;
    const char *id;
    size_t length;
    int64_t grade;
    void *before = NULL;
    if (!read_id(python, topic, &id, &length)) return ASSAY_FOREIGN;
    int code = assay_grouped_open_topic(s, id, length, python->size(judged));
    begin(&w, python, judged);
    for (int64_t count = 1; code == ASSAY_OK && count;) {
        count = next_items(&w, &items);
        for (int64_t i = 0; code == ASSAY_OK && i < count; i++) {
            if (!read_id(python, items[i].key, &id, &length) || !read_grade(python, items[i].value, &before, &grade)) return ASSAY_FOREIGN;
            code = assay_grouped_add(s, id, length, grade);
        }
    }
    if (code == ASSAY_OK) assay_grouped_close_topic(s);
    return code;
}

assay_gold *assay_gold_walk(const assay_python *python, void *judged, assay_error *error) {
    assay_grouped_gold s;
    memset(&s, 0, sizeof s);
    memset(error, 0, sizeof *error);
    ptrdiff_t position = 0;
    void *topic, *documents;
    int code = announce(&s, python, judged);
    while (code == ASSAY_OK && python->next(judged, &position, &topic, &documents)) code = gather(&s, python, topic, documents);
    assay_gold *gold = assay_grouped_finish(&s, &code);
    error->code = code;
    return gold;
}

/* A score as a double that compares as the score does; 0 where only the interpreter can tell. */
static inline int read_score(const assay_python *python, void *value, double *score) {
    const void *type = assay_type_of(python, value);
    if (type == python->float_type || type == python->float64_type) {
        *score = assay_real_of(python, value);
        return 1;
    }
    if (type != python->int_type) return 0;
    const long long exact = 1LL << 53;
    int overflow;
    long long whole = python->whole(value, &overflow);
    *score = (double)whole;
    return !overflow && whole >= -exact && whole <= exact;
}

/* Some documents of a topic; a code. */
static inline int hold(const assay_ranker *r, const assay_python *python, block *k, const item *items, int64_t count) {
    if (!assay_reserve(&k->document, &k->room, k->count + count, sizeof *k->document)) return ASSAY_MEMORY;
    retrieved *d = k->document + k->count;
    for (int64_t i = 0; i < count; i++) {
        const char *id;
        size_t length;
        double score;
        if (!read_id(python, items[i].key, &id, &length) || !read_score(python, items[i].value, &score) || isnan(score)) return ASSAY_FOREIGN;
        if (length > UINT32_MAX) return ASSAY_MEMORY;
        d[i] = assay_document(id, length, r->float32 ? (double)(float)score : score, 0);
    }
    assay_added(k, count);
    return ASSAY_OK;
}

/* One topic of a run; a code. */
static int walk_topic(assay_ranker *r, const assay_python *python, block *k, void *topic, void *documents) {
    walk w;
    const item *items;
    const char *id;
    size_t length;
    k->count = k->found_count = k->unsorted = 0;
    if (!read_id(python, topic, &id, &length) || !assay_is_dict(python, documents)) return ASSAY_FOREIGN;
    if (!assay_find_topic(r, id, length, &k->topic)) return ASSAY_MEMORY;
    if (k->topic >= 0) assay_prefetch_judged(r->gold, &r->gold->topic[k->topic]);
    begin(&w, python, documents);
    for (int64_t count = 1, from = 0; count;) {
        count = next_items(&w, &items);
        int code = hold(r, python, k, items, count);
        if (code) return code;
        if (k->topic < 0 || (count && k->count - from < TOGETHER)) continue;
        if (!assay_look_up(r->gold, k, from)) return ASSAY_MEMORY;
        from = k->count;
    }
    r->data_lines += k->count;
    return k->topic < 0 || assay_close_block(r, k) ? ASSAY_OK : ASSAY_MEMORY;
}

int assay_ranker_walk(assay_ranker *r, const assay_python *python, void *run, int64_t *position, int64_t documents) {
    block k = {.ascending_ties = r->ascending_ties, .distinct = 1, .looked_up = 1};
    void *topic, *ranked;
    ptrdiff_t next = (ptrdiff_t)*position;
    while (r->error.code == ASSAY_OK && documents > 0 && python->next(run, &next, &topic, &ranked)) {
        int64_t before = r->data_lines;
        r->error.code = walk_topic(r, python, &k, topic, ranked);
        documents -= r->data_lines - before + 1;
    }
    *position = documents > 0 ? -1 : (int64_t)next;
    free(k.document);
    free(k.found);
    return r->error.code;
}
