/* As much of Python's C API as python_dicts.c needs, over plain structs: dicts, strs and numbers of the fuzzer's choosing. One file of a
 * program defines PYTHON_STUB_DEFINITIONS. */
#ifndef Py_PYTHON_H
#define Py_PYTHON_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef ptrdiff_t Py_ssize_t;
typedef struct {
    char name;
} PyTypeObject;

typedef struct stub_object {
    Py_ssize_t references;
    const PyTypeObject *type;
    double real;
    int64_t whole;
    const char *text;
    int count; /* of a dict */
    struct stub_object **key, **value;
} PyObject;

extern PyTypeObject stub_dict, stub_defaultdict, stub_str, stub_int, stub_float, stub_float64, stub_other;
#define Py_TYPE(object) ((object)->type)
#define PyDict_CheckExact(object) ((object)->type == &stub_dict)
#define PyUnicode_CheckExact(object) ((object)->type == &stub_str)
#define PyLong_CheckExact(object) ((object)->type == &stub_int)
#define PyFloat_Check(object) ((object)->type == &stub_float || (object)->type == &stub_float64)
int PyDict_Next(PyObject *dict, Py_ssize_t *position, PyObject **key, PyObject **value);
Py_ssize_t PyDict_Size(PyObject *dict);
const char *PyUnicode_AsUTF8AndSize(PyObject *text, Py_ssize_t *size);
long long PyLong_AsLongLongAndOverflow(PyObject *number, int *overflow);
double PyFloat_AsDouble(PyObject *number);
void PyErr_Clear(void);

#ifdef PYTHON_STUB_DEFINITIONS
PyTypeObject stub_dict = {'d'}, stub_defaultdict = {'D'}, stub_str = {'s'}, stub_int = {'i'}, stub_float = {'f'}, stub_float64 = {'F'},
             stub_other = {'o'};

int PyDict_Next(PyObject *dict, Py_ssize_t *position, PyObject **key, PyObject **value) {
    if (*position < 0 || *position >= dict->count) return 0;
    *key = dict->key[*position];
    *value = dict->value[(*position)++];
    return 1;
}

Py_ssize_t PyDict_Size(PyObject *dict) { return dict->count; }

const char *PyUnicode_AsUTF8AndSize(PyObject *text, Py_ssize_t *size) {
    *size = (Py_ssize_t)strlen(text->text);
    return strcmp(text->text, "\xff") == 0 ? NULL : text->text; /* stands for a lone surrogate */
}

long long PyLong_AsLongLongAndOverflow(PyObject *number, int *overflow) {
    *overflow = number->whole == INT64_MAX; /* stands for all that is larger; CPython returns -1 */
    return *overflow ? -1 : number->whole;
}

double PyFloat_AsDouble(PyObject *number) { return number->real; }

void PyErr_Clear(void) {}
#endif
#endif
