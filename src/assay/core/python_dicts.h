/* Judgments and runs in Python dicts, for the extension module (python_module.c). Compiled only where setup.py finds Python.h, and by
 * the fuzzer against a stub of it. The caller has the interpreter's lock. */
#ifndef ASSAY_PYTHON_DICTS_H
#define ASSAY_PYTHON_DICTS_H

#include <Python.h>

#include "assay.h"

/* collections.defaultdict: read like a dict. Any other subclass may override what its items are, and is ASSAY_FOREIGN. */
extern PyTypeObject *assay_defaultdict;

/* The judgments of {topic: {document: grade}}; NULL with ASSAY_FOREIGN in `error` where ids are not plain text, or grades not ints of at
 * most nine digits. */
assay_gold *assay_gold_of_dicts(PyObject *judged, assay_error *error);

/* Rank the next topics of {topic: {document: score}}, about so many documents of them: from `position` on, which is 0 at first and -1
 * after the last topic. Returns a code: ASSAY_FOREIGN where ids are not plain text, or scores neither floats nor ints of at most 53 bits. */
int assay_rank_dicts(assay_ranker *ranker, PyObject *run, Py_ssize_t *position, int64_t documents);

#endif
