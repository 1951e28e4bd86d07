/* Copies of ids whose source is freed before them. */
#ifndef ASSAY_ID_ARENA_H
#define ASSAY_ID_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A piece of memory for ids, which never moves. */
typedef struct assay_arena_piece {
    struct assay_arena_piece *before;
    char bytes[];
} assay_arena_piece;

typedef struct {
    assay_arena_piece *kept;
    char *next;  /* where the newest piece is free, */
    size_t left; /* and how far */
} assay_id_arena;

static inline int assay_arena_grow(assay_id_arena *t, size_t length) {
    enum { PIECE = 1 << 16 };
    size_t room = length > PIECE ? length : PIECE;
    assay_arena_piece *fresh = malloc(sizeof *fresh + room);
    if (fresh == NULL) return 0;
    fresh->before = t->kept;
    t->kept = fresh;
    t->left = room;
    t->next = fresh->bytes;
    return 1;
}

/* A copy of an id; NULL without memory. */
static inline const char *assay_copy_id(assay_id_arena *t, const char *id, size_t length) {
    if ((t->kept == NULL || length > t->left) && !assay_arena_grow(t, length)) return NULL;
    char *copy = t->next;
    if (length >= 4 && length <= 16) { /* four words that may overlap: ids are short, and a call, or a branch on how short, costs more */
        size_t inner = length / 8 * 4;
        uint32_t word[4];
        memcpy(word, id, 4);
        memcpy(word + 1, id + inner, 4);
        memcpy(word + 2, id + length - 4 - inner, 4);
        memcpy(word + 3, id + length - 4, 4);
        memcpy(copy, word, 4);
        memcpy(copy + inner, word + 1, 4);
        memcpy(copy + length - 4 - inner, word + 2, 4);
        memcpy(copy + length - 4, word + 3, 4);
    } else {
        memcpy(copy, id, length);
    }
    t->next += length;
    t->left -= length;
    return copy;
}

static inline void assay_arena_free(assay_arena_piece *kept) {
    while (kept) {
        assay_arena_piece *before = kept->before;
        free(kept);
        kept = before;
    }
}

#endif
