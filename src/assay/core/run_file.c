/* Read a run from an open file in C: the interpreter's lock is released once, not for every piece. */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdlib.h>
#include <string.h>

#include "ranker.h"

#if defined(_WIN32)
#include <windows.h>

static int64_t read_some(int64_t file, char *buffer, int64_t size) {
    DWORD got;
    return ReadFile((HANDLE)(intptr_t)file, buffer, (DWORD)size, &got, NULL) ? (int64_t)got : -1;
}
#else
#include <errno.h>
#include <unistd.h>

static int64_t read_some(int64_t file, char *buffer, int64_t size) {
    int64_t got;
    do got = (int64_t)read((int)file, buffer, (size_t)size);
    while (got < 0 && errno == EINTR);
    return got;
}
#endif

/* Whether a line begun in earlier pieces is too long; only such a line can be, as a piece is at most `longest`. */
static int is_too_long(const assay_ranker *r, const char *bytes, int64_t size, int64_t longest) {
    if (r->carry.length == 0) return 0;
    const char *newline = memchr(bytes, '\n', (size_t)size);
    return r->carry.length + (newline ? newline - bytes : size) > longest;
}

int assay_ranker_read(assay_ranker *r, int64_t file, int64_t size, int64_t piece, int64_t longest) {
    if (piece > longest) piece = longest;
    char *bytes = piece > 0 ? malloc((size_t)piece) : NULL;
    if (bytes == NULL) return r->error.code = ASSAY_MEMORY;
    int64_t got = 1;
    while (size > 0 && got > 0 && r->error.code == ASSAY_OK) {
        got = read_some(file, bytes, size < piece ? size : piece);
        if (got < 0 || (got > 0 && is_too_long(r, bytes, got, longest)))
            r->error.code = ASSAY_MEMORY;
        else if (got > 0)
            assay_ranker_feed(r, bytes, (size_t)got);
        size -= got;
    }
    free(bytes);
    return r->error.code;
}
