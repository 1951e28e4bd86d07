/* Objects of the interpreter, as far as the core may look into them. */
#ifndef ASSAY_INTERPRETER_H
#define ASSAY_INTERPRETER_H

#include <string.h>

#include "assay.h"

static inline const void *assay_type_of(const assay_python *python, const void *object) {
    const void *type;
    memcpy(&type, (const char *)object + python->type_at, sizeof type);
    return type;
}

/* The value of a float. */
static inline double assay_real_of(const assay_python *python, const void *object) {
    double real;
    memcpy(&real, (const char *)object + python->real_at, sizeof real);
    return real;
}

static inline int assay_is_text(const assay_python *python, const void *object) {
    return assay_type_of(python, object) == python->str_type;
}

/* A dict that nobody has changed the ways of. */
static inline int assay_is_dict(const assay_python *python, const void *object) {
    const void *type = assay_type_of(python, object);
    return type == python->dict_type || type == python->defaultdict_type;
}

#endif
