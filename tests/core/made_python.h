/* A made interpreter: dicts, texts and numbers enough for the core to walk, without Python. */
#ifndef ASSAY_MADE_PYTHON_H
#define ASSAY_MADE_PYTHON_H

#include <stddef.h>
#include <string.h>

#include "../../src/assay/core/assay.h"

typedef struct made_object {
    int64_t references;
    const void *type;
    double real;
    int64_t whole;
    const char *text;
    int count; /* of a dict */
    struct made_object **key, **value;
} made_object;

static const char made_dict = 'd', made_defaultdict = 'D', made_text = 't', made_whole = 'w', made_real = 'r', made_real64 = 'R',
                  made_other = 'o';

static int made_next(void *dict, ptrdiff_t *position, void **key, void **value) {
    made_object *d = dict;
    if (*position < 0 || *position >= d->count) return 0;
    *key = d->key[*position];
    *value = d->value[(*position)++];
    return 1;
}

static ptrdiff_t made_size(void *dict) { return ((made_object *)dict)->count; }

static long long made_as_whole(void *number, int *overflow) {
    *overflow = ((made_object *)number)->whole == INT64_MAX; /* stands for all that is larger; CPython returns -1 */
    return *overflow ? -1 : ((made_object *)number)->whole;
}

static const char *made_utf8(void *text, ptrdiff_t *length) {
    const char *bytes = ((made_object *)text)->text;
    *length = (ptrdiff_t)strlen(bytes);
    return strcmp(bytes, "\xff") == 0 ? NULL : bytes; /* stands for half a character */
}

static void made_clear(void) {}

static const assay_python made_python = {
    made_next, made_size, made_as_whole, made_utf8, made_clear, &made_dict, &made_defaultdict, &made_text, &made_whole,
    &made_real, &made_real64, offsetof(made_object, type), offsetof(made_object, real),
};

#endif
