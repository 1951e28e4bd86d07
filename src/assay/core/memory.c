#include "memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 16384 }; /* the first allocation */

int assay_grow(void *pointer, int64_t *room, int64_t wanted, size_t size) {
    int64_t most = (int64_t)(PTRDIFF_MAX / 2 / size); /* so that neither doubling nor the size in bytes can overflow */
    if (wanted > most) return 0;
    int64_t bigger = *room ? *room : (int64_t)(FIRST_BYTES / size) + 1;
    while (bigger < wanted) bigger *= 2;
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    memory = realloc(memory, (size_t)bigger * size);
    if (memory == NULL) return 0;
    memcpy(pointer, &memory, sizeof memory);
    *room = bigger;
    return 1;
}

uint32_t assay_slots(int64_t count) {
    uint32_t slots = 4;
    if (count > (int64_t)1 << 30) return 0;
    while (slots < 2 * count) slots *= 2;
    return slots;
}

static int never_same(const void *entries, uint32_t number, const void *wanted) {
    (void)entries, (void)number, (void)wanted;
    return 0;
}

uint32_t *assay_table(const void *hash, size_t stride, int64_t count, uint32_t *mask) {
    uint32_t slots = assay_slots(2 * count);
    uint32_t *table = slots ? calloc(slots, sizeof *table) : NULL;
    if (table == NULL) return NULL;
    *mask = slots - 1;
    for (int64_t i = 0; i < count; i++) {
        uint64_t here;
        memcpy(&here, (const char *)hash + (size_t)i * stride, sizeof here);
        *assay_probe(table, slots - 1, here, never_same, NULL, NULL) = (uint32_t)i + 1;
    }
    return table;
}
