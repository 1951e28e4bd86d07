/* The core as an extension module of the stable ABI: `import assay.core._core` gives the two functions that read Python dicts.
 * dicts_and_frames.py calls them; ctypes loads the same file for everything else. */
#if defined(ASSAY_WITH_PYTHON) && !defined(ASSAY_PYTHON_STUB)
#include "python_dicts.h"

/* (judged, address of an assay_error) -> address of the gold, or 0 */
static PyObject *gold_of_dicts(PyObject *module, PyObject *args) {
    PyObject *judged, *error;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &judged, &error)) return NULL;
    void *address = PyLong_AsVoidPtr(error);
    if (address == NULL) return NULL;
    return PyLong_FromSize_t((size_t)assay_gold_of_dicts(judged, address));
}

/* (address of the ranker, run, position, documents) -> (code, next position) */
static PyObject *rank_dicts(PyObject *module, PyObject *args) {
    PyObject *ranker, *run;
    Py_ssize_t position, documents;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOnn", &ranker, &run, &position, &documents)) return NULL;
    void *address = PyLong_AsVoidPtr(ranker);
    if (address == NULL) return NULL;
    int code = assay_rank_dicts(address, run, &position, documents);
    return Py_BuildValue("in", code, position);
}

static PyMethodDef functions[] = {
    {"gold_of_dicts", gold_of_dicts, METH_VARARGS, "Join the judgments of {topic: {document: grade}}."},
    {"rank_dicts", rank_dicts, METH_VARARGS, "Rank the next topics of {topic: {document: score}}."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_core", "Python dicts read by assay's C core.", -1, functions, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__core(void) {
    PyObject *collections = PyImport_ImportModule("collections");
    if (collections == NULL) return NULL;
    assay_defaultdict = (PyTypeObject *)PyObject_GetAttrString(collections, "defaultdict"); /* never freed: a type of the interpreter */
    Py_DECREF(collections);
    return assay_defaultdict == NULL ? NULL : PyModule_Create(&definition);
}
#endif
