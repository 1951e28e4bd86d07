/* Feeds every function of the core random and mutated input under sanitizers, and holds its answers against plain loops: it may
 * refuse, it may not read or write out of bounds, race with itself or answer otherwise.
 *
 *     fuzz TRIES SEED LAST   random cases, as `make sanitize` runs them; the file LAST holds the one being tried
 *     fuzz FILE ...          the cases of these files: a crash again, or a corpus
 *
 * Built with libFuzzer (-DLIBFUZZER, `make fuzz`) the cases come from there. The first byte of an input chooses what is tried,
 * the others decide its details; tests/core/seeds/ has one of each kind.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "fuzz.h"

typedef struct {
    char letter;
    const char *name;
    int (*run)(choices *);
} trial;

static const trial trials[] = {
    {'T', "texts", fuzz_text},     {'P', "packed", fuzz_packed}, {'S', "sums", fuzz_sums},
    {'U', "subsets", fuzz_subsets}, {'V', "pairs", fuzz_pairs},   {'D', "describe", fuzz_describe},
    {'F', "top_documents", fuzz_top_documents},
#ifndef WITHOUT_DICTS
    {'H', "dicts", fuzz_dicts},
#endif
    {'A', "whole", fuzz_whole},   {'R', "streams", fuzz_streams},
    {'L', "flipped", fuzz_flipped},
    {'Q', "overlaps", fuzz_overlaps},
};
enum { TRIALS = sizeof trials / sizeof *trials };

static long tried[TRIALS], accepted[TRIALS];

void check(int holds, const char *promise) {
    if (holds) return;
    fprintf(stderr, "the core broke its word: %s\n", promise);
    abort();
}

void do_all(void *(*work)(void *), void *items, size_t size, int count, int at_once) {
    enum { MOST = 8 };
    pthread_t threads[MOST];
    check(count <= MOST, "there are few threads");
    for (int i = 0; i < count; i++) {
        char *item = (char *)items + (size_t)i * size;
        if (at_once)
            check(pthread_create(&threads[i], NULL, work, item) == 0, "a thread starts");
        else
            work(item);
    }
    for (int i = 0; at_once && i < count; i++) pthread_join(threads[i], NULL);
}

static int one(const uint8_t *bytes, size_t size) {
    if (size == 0) return 0;
    int which = bytes[0] % TRIALS;
    for (int i = 0; i < TRIALS; i++) {
        if (bytes[0] == (uint8_t)trials[i].letter) which = i;
    }
    choices c = {bytes + 1, bytes + size, size};
    for (size_t i = 0; i < size; i++) c.state = assay_mix(c.state ^ bytes[i]);
    tried[which]++;
    accepted[which] += trials[which].run(&c);
    return 0;
}

#ifdef LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) { return one(bytes, size); }
#else
/* Written before it is tried: a sanitizer ends the program without asking. */
static void keep(FILE *last, const uint8_t *bytes, size_t size) {
    if (last == NULL) return;
    rewind(last);
    check(ftruncate(fileno(last), 0) == 0 && fwrite(bytes, 1, size, last) == size && fflush(last) == 0, "the case can be kept");
}

static int read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    static uint8_t bytes[1 << 20];
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 2;
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    uint8_t *copy = copied(bytes, size);
    one(copy, size);
    free(copy);
    return 0;
}

int main(int argc, char **argv) {
    char *rest = "";
    long tries = argc > 1 ? strtol(argv[1], &rest, 10) : 10000;
    if (*rest) {
        for (int i = 1; i < argc; i++) {
            int problem = read_file(argv[i]);
            if (problem) return problem;
        }
        printf("%d inputs: no complaint\n", argc - 1);
        return 0;
    }
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    FILE *last = argc > 3 ? fopen(argv[3], "wb") : NULL;
    uint8_t bytes[600];
    for (long i = 0; i < tries; i++) {
        uint64_t state = assay_stream(seed, (uint64_t)i);
        size_t size = 1 + assay_below(&state, sizeof bytes);
        for (size_t k = 0; k < size; k++) bytes[k] = (uint8_t)assay_bits(&state);
        keep(last, bytes, size);
        uint8_t *copy = copied(bytes, size);
        one(copy, size);
        free(copy);
    }
    if (last != NULL) {
        fclose(last);
        remove(argv[3]);
    }
    int dull = 0;
    for (int i = 0; i < TRIALS; i++) {
        printf("%s: %ld tried, %ld accepted\n", trials[i].name, tried[i], accepted[i]);
        dull |= accepted[i] == 0;
    }
    if (dull) printf("too few tries: of some kind none was well formed\n");
    return dull;
}
#endif
