#if defined(ASSAY_WITH_PYTHON)
#include "python_dicts.h"

#include <math.h>
#include <stdlib.h>

#include "grouped_gold.h"
#include "judged_lookup.h"
#include "ranker.h"

enum {
    LOOKUP_BATCH = 32,     /* documents looked up among the judged ones together */
    MAX_GRADE = 1000000000 /* grades have nine digits */
};

PyTypeObject *assay_defaultdict;

static inline int is_dict(PyObject *object) { return PyDict_CheckExact(object) || Py_TYPE(object) == assay_defaultdict; }

/* The bytes of an id; 0 where it is not a str, or contains a lone surrogate or a zero. */
static inline int read_id(PyObject *object, const char **id, size_t *length) {
    Py_ssize_t size;
    if (!PyUnicode_CheckExact(object)) return 0;
    *id = PyUnicode_AsUTF8AndSize(object, &size);
    if (*id == NULL) {
        PyErr_Clear();
        return 0;
    }
    *length = (size_t)size;
    return !assay_holds_zero(*id, *length);
}

/* A grade. CPython shares small ints: `previous` and `*grade` are those of the item before, and mostly serve again. */
static inline int read_grade(PyObject *value, PyObject **previous, int64_t *grade) {
    int overflow;
    if (value == *previous) return 1;
    *previous = value;
    if (!PyLong_CheckExact(value)) return 0;
    *grade = PyLong_AsLongLongAndOverflow(value, &overflow);
    return !overflow && *grade > -MAX_GRADE && *grade < MAX_GRADE;
}

/* Allocate for all topics before any is read; a code. */
static int announce(assay_grouped_gold *g, PyObject *judged) {
    Py_ssize_t position = 0;
    PyObject *topic, *documents;
    int code = ASSAY_OK;
    while (code == ASSAY_OK && PyDict_Next(judged, &position, &topic, &documents))
        code = is_dict(documents) ? assay_grouped_announce(g, PyDict_Size(documents)) : ASSAY_FOREIGN;
    return code ? code : assay_grouped_allocate(g);
}

/* Add the judgments of one topic; a code. */
static int add_topic(assay_grouped_gold *g, PyObject *topic, PyObject *judged) {
    PyObject *document, *value, *previous = NULL;
    Py_ssize_t position = 0;
    const char *id;
    size_t length;
    int64_t grade;
    if (!read_id(topic, &id, &length)) return ASSAY_FOREIGN;
    int code = assay_grouped_open_topic(g, id, length, PyDict_Size(judged));
    while (code == ASSAY_OK && PyDict_Next(judged, &position, &document, &value)) {
        if (!read_id(document, &id, &length) || !read_grade(value, &previous, &grade)) return ASSAY_FOREIGN;
        code = assay_grouped_add(g, id, length, grade);
    }
    if (code == ASSAY_OK) assay_grouped_close_topic(g);
    return code;
}

assay_gold *assay_gold_of_dicts(PyObject *judged, assay_error *error) {
    assay_grouped_gold g;
    memset(&g, 0, sizeof g);
    memset(error, 0, sizeof *error);
    Py_ssize_t position = 0;
    PyObject *topic, *documents;
    int code = announce(&g, judged);
    while (code == ASSAY_OK && PyDict_Next(judged, &position, &topic, &documents)) code = add_topic(&g, topic, documents);
    assay_gold *gold = assay_grouped_finish(&g, &code);
    error->code = code;
    return gold;
}

/* A score as a double that compares as the score does; 0 where only Python can compare it. */
static inline int read_score(PyObject *value, double *score) {
    if (PyFloat_Check(value)) { /* numpy's float64 is a subclass */
        *score = PyFloat_AsDouble(value);
        return 1;
    }
    if (!PyLong_CheckExact(value)) return 0;
    const long long exact = 1LL << 53;
    int overflow;
    long long whole = PyLong_AsLongLongAndOverflow(value, &overflow);
    *score = (double)whole;
    return !overflow && whole >= -exact && whole <= exact;
}

/* Add a document to the block of its topic; a code. */
static inline int add_document(const assay_ranker *r, block *k, PyObject *document, PyObject *value) {
    const char *id;
    size_t length;
    double score;
    if (!read_id(document, &id, &length) || !read_score(value, &score) || isnan(score)) return ASSAY_FOREIGN;
    return assay_add(k, id, length, r->float32 ? (double)(float)score : score, 0) ? ASSAY_OK : ASSAY_MEMORY;
}

/* Rank one topic; a code. */
static int rank_topic(assay_ranker *r, block *k, PyObject *topic, PyObject *documents) {
    PyObject *document, *value;
    Py_ssize_t position = 0;
    const char *id;
    size_t length;
    int64_t looked_up = 0;
    k->count = k->found_count = k->unsorted = 0;
    if (!read_id(topic, &id, &length) || !is_dict(documents)) return ASSAY_FOREIGN;
    if (!assay_find_topic(r, id, length, &k->topic)) return ASSAY_MEMORY;
    if (k->topic >= 0) assay_prefetch_judged(r->gold, &r->gold->topic[k->topic]);
    while (PyDict_Next(documents, &position, &document, &value)) {
        int code = add_document(r, k, document, value);
        if (code) return code;
        if (k->topic < 0 || k->count - looked_up < LOOKUP_BATCH) continue;
        if (!assay_look_up(r->gold, k, looked_up)) return ASSAY_MEMORY;
        looked_up = k->count;
    }
    r->data_lines += k->count;
    if (k->topic < 0) return ASSAY_OK;
    return assay_look_up(r->gold, k, looked_up) && assay_close_block(r, k) ? ASSAY_OK : ASSAY_MEMORY;
}

int assay_rank_dicts(assay_ranker *r, PyObject *run, Py_ssize_t *position, int64_t documents) {
    block k = {.ascending_ties = r->ascending_ties, .distinct = 1, .looked_up = 1};
    PyObject *topic, *ranked;
    Py_ssize_t next = *position;
    while (r->error.code == ASSAY_OK && documents > 0 && PyDict_Next(run, &next, &topic, &ranked)) {
        int64_t before = r->data_lines;
        r->error.code = rank_topic(r, &k, topic, ranked);
        documents -= r->data_lines - before + 1;
    }
    *position = documents > 0 ? -1 : next;
    free(k.document);
    free(k.found);
    return r->error.code;
}
#endif
