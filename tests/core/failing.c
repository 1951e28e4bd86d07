/* Lets the k-th allocation of the core fail, for every k: the answer is then ASSAY_MEMORY, or the right one; never a crash, a
 * leak or another complaint. The core is compiled with -Dmalloc=failing_malloc and so on. */
#define _POSIX_C_SOURCE 200809L
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/assay/core/arrow.h"
#include "../../src/assay/core/assay.h"
#include "../../src/assay/core/memory.h"
#define PYTHON_STUB_DEFINITIONS
#include "../../src/assay/core/python_dicts.h"

#undef malloc
#undef calloc
#undef realloc
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);

static atomic_long made, failing;
static int onwards; /* whether those after the failing one fail too */

static int fails(void) {
    long number = atomic_fetch_add(&made, 1);
    return onwards ? number >= failing : number == failing;
}

void *failing_malloc(size_t size) { return fails() ? NULL : malloc(size); }
void *failing_calloc(size_t count, size_t size) { return fails() ? NULL : calloc(count, size); }
void *failing_realloc(void *memory, size_t size) { return fails() ? NULL : realloc(memory, size); }

enum { WRONG = 1000 };

static char qrels[400000], run[1600000];

/* Topics and documents enough for every table and column to grow, topics without judgments, scores of many digits. */
static void write_files(void) {
    size_t q = 0, r = 0;
    for (int t = 0; t < 60; t++) {
        for (int d = 0; d < 100; d++) {
            if (t % 3) q += (size_t)snprintf(qrels + q, sizeof qrels - q, "t%d 0 d%d %d\n", t, d, d % 3);
            r += (size_t)snprintf(run + r, sizeof run - r, "t%d Q0 d%d %d 0.%d123456789012345678901234567890123456789012345678901234567890123456789 tag%d\n", t, (d * 37) % 150, (d * 7) % 90, d % 7, t);
        }
    }
    for (int d = 0; d < 2000; d++) r += (size_t)snprintf(run + r, sizeof run - r, "t1%s Q0 a-long-document-id-%d 1 %d t\n", d ? "0" : "00", d, d);
}

static int same_code(int first, int second) { return first == second ? first : WRONG; }

static int rank(int keep, int filed, long *sum) {
    assay_error error;
    assay_gold *gold = assay_gold_read(qrels, strlen(qrels), &error);
    if (gold == NULL) return error.code;
    assay_ranker *ranker = assay_ranker_new(gold, -1, 0, 0, keep, 0, 0, 0);
    int code = ranker == NULL ? ASSAY_MEMORY : ASSAY_OK;
    size_t length = strlen(run);
    if (!keep) length = (size_t)(strstr(run, "t100 ") - run); /* what follows comes back to a topic */
    if (ranker && filed) {
        static FILE *file;
        if (file == NULL && ((file = tmpfile()) == NULL || fwrite(run, 1, length, file) != length || fflush(file))) return WRONG;
        rewind(file);
        code = assay_ranker_read(ranker, fileno(file), (int64_t)length, 4096, 1 << 20);
    }
    for (size_t at = 0; ranker && !filed && code == ASSAY_OK && at < length; at += 997)
        code = assay_ranker_feed(ranker, run + at, length - at < 997 ? length - at : 997);
    if (ranker) code = code ? same_code(code, assay_ranker_finish(ranker)) : assay_ranker_finish(ranker);
    if (ranker) {
        assay_ranked result;
        assay_ranker_result(ranker, &result);
        if (result.error->code != code) code = WRONG;
        if (code == ASSAY_OK) {
            *sum = (long)(result.ignored + 1000 * result.data_lines);
            for (int64_t t = 0; t < gold->topics; t++) *sum += (long)((t + 1) * result.num_ret[t] * result.relevant_count[t]);
        }
    }
    assay_ranker_free(ranker);
    assay_gold_free(gold);
    return code;
}

static int rank_in_order(long *sum) { return rank(0, 0, sum); }
static int rank_keeping(long *sum) { return rank(1, 0, sum); }
static int rank_file(long *sum) { return rank(0, 1, sum); }

static int pack(long *sum) {
    int64_t counts[] = {2, 0, 1}, grades[] = {1, 0, 2};
    double scores[] = {1, 2, 3};
    assay_error error;
    assay_gold *gold = assay_gold_pack("t0\0t1\0t2", "d1\0d2\0d1", 3, counts, grades, &error);
    if (gold == NULL) return error.code;
    assay_ranker *ranker = assay_ranker_new(gold, 2, 1, 1, 0, 0, 1, 1);
    int code = ranker ? assay_ranker_pack(ranker, "t0", 2, "d1\0d2\0d3", 3, scores) : ASSAY_MEMORY;
    if (ranker && code == ASSAY_OK) code = assay_ranker_pack(ranker, "none", 4, "d1", 1, scores);
    if (ranker && code == ASSAY_OK) code = assay_ranker_finish(ranker);
    if (code == ASSAY_OK) *sum = 7;
    assay_ranker_free(ranker);
    assay_gold_free(gold);
    return code;
}

/* Topics that grow from one to the next, so that every column grows too. */
static int walk(long *sum) {
    enum { TOPICS = 3, MOST = 4000 };
    static PyObject topic[TOPICS], run[TOPICS], gold[TOPICS], id[MOST], score[MOST], grade[MOST];
    static PyObject *topics[TOPICS], *runs[TOPICS], *golds[TOPICS], *ids[MOST], *numbers[MOST], *grades[MOST];
    static char text[MOST][8];
    static double logs[MOST + 1];
    for (int i = 0; i < MOST; i++) {
        snprintf(text[i], sizeof text[i], "%d", i);
        id[i] = (PyObject){.type = &stub_str, .text = text[i]};
        score[i] = (PyObject){.type = &stub_float, .real = i * 37 % 1000};
        grade[i] = (PyObject){.type = &stub_int, .whole = i % 3};
        ids[i] = &id[i], numbers[i] = &score[i], grades[i] = &grade[i], logs[i + 1] = i + 1;
    }
    for (int t = 0; t < TOPICS; t++) {
        int count = t == 0 ? 10 : t == 1 ? 900 : MOST;
        topic[t] = (PyObject){.type = &stub_str, .text = text[t]};
        run[t] = (PyObject){.type = &stub_dict, .count = count, .key = ids, .value = numbers};
        gold[t] = (PyObject){.type = &stub_dict, .count = count, .key = ids, .value = grades};
        topics[t] = &topic[t], runs[t] = &run[t], golds[t] = &gold[t];
    }
    PyObject all = {.type = &stub_dict, .count = TOPICS, .key = topics, .value = runs};
    PyObject judged = {.type = &stub_dict, .count = TOPICS, .key = topics, .value = golds};
    int64_t kernel[] = {ASSAY_NDCG}, cut[] = {MOST};
    Py_ssize_t position = 0;
    double values[TOPICS];
    assay_plan plan = {.kernel = kernel, .cut = cut, .logs = logs, .kernels = 1, .level = 1};
    assay_error error;
    assay_gold *known = assay_gold_of_dicts(&judged, &error);
    assay_ranker *ranker = known ? assay_ranker_new(known, -1, 0, 0, 0, 0, 0, 0) : NULL;
    int code = known == NULL ? error.code : ranker == NULL ? ASSAY_MEMORY : ASSAY_OK;
    while (code == ASSAY_OK && position >= 0) code = assay_rank_dicts(ranker, &all, &position, 1);
    if (code == ASSAY_OK) code = assay_ranker_finish(ranker);
    if (code == ASSAY_OK) code = assay_ranker_measure(ranker, &plan, 1, values);
    *sum = 0;
    for (int t = 0; code == ASSAY_OK && t < TOPICS; t++) *sum += (long)(1000 * values[t]);
    assay_ranker_free(ranker);
    assay_gold_free(known);
    return code;
}

/* A data frame in chunks, each of which names every topic, so that all stretches are sorted, and documents by numbers, which are
 * written down. */
enum { STREAM_ROWS = 400, STREAM_CHUNKS = 10 };
static struct ArrowSchema column_schemas[] = {{.format = "u"}, {.format = "l"}, {.format = "i"}};
static int64_t documents[STREAM_CHUNKS * STREAM_ROWS];
static int32_t numbers[STREAM_ROWS], text_ends[STREAM_ROWS + 1];
static char topic_texts[8 * STREAM_ROWS];
static int chunks_left, streams_live;

static void release_array(struct ArrowArray *array) { array->release = NULL, streams_live--; }
static void release_schema(struct ArrowSchema *schema) { schema->release = NULL, streams_live--; }
static void release_stream(struct ArrowArrayStream *stream) { stream->release = NULL, streams_live--; }

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    static struct ArrowSchema *columns[] = {column_schemas, column_schemas + 1, column_schemas + 2};
    (void)stream;
    *out = (struct ArrowSchema){.format = "+s", .n_children = 3, .children = columns, .release = release_schema};
    streams_live++;
    return 0;
}

static int next_chunk(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    static const void *buffers[STREAM_CHUNKS][3][3], *none[1];
    static struct ArrowArray column[STREAM_CHUNKS][3], *columns[STREAM_CHUNKS][3];
    (void)stream;
    *out = (struct ArrowArray){.release = NULL};
    if (chunks_left == 0) return 0;
    int n = --chunks_left;
    const void *filled[3][2] = {{text_ends, topic_texts}, {documents + n * STREAM_ROWS, NULL}, {numbers, NULL}};
    for (int i = 0; i < 3; i++) {
        memcpy(buffers[n][i] + 1, filled[i], sizeof filled[i]);
        column[n][i] = (struct ArrowArray){.length = STREAM_ROWS, .n_buffers = i ? 2 : 3, .buffers = buffers[n][i]};
        columns[n][i] = &column[n][i];
    }
    *out = (struct ArrowArray){.length = STREAM_ROWS, .n_buffers = 1, .n_children = 3, .buffers = none, .children = columns[n], .release = release_array};
    streams_live++;
    return 0;
}

static struct ArrowArrayStream new_stream(void) {
    int32_t size = 0;
    for (int i = 0; i < STREAM_ROWS; i++) {
        size += (int32_t)snprintf(topic_texts + size, sizeof topic_texts - (size_t)size, "t%d", i % 100);
        text_ends[i + 1] = size;
        numbers[i] = i % 3;
    }
    for (int i = 0; i < STREAM_CHUNKS * STREAM_ROWS; i++) documents[i] = 1000000000000000 + i;
    chunks_left = STREAM_CHUNKS;
    streams_live++;
    return (struct ArrowArrayStream){get_schema, next_chunk, NULL, release_stream, NULL};
}

static int streams(long *sum) {
    assay_error error;
    struct ArrowArrayStream judged = new_stream();
    assay_gold *gold = assay_gold_stream(&judged, &error);
    if (streams_live) return WRONG;
    if (gold == NULL) return error.code;
    assay_ranker *ranker = assay_ranker_new(gold, -1, 0, 0, 0, 0, 0, 0);
    int code = ASSAY_MEMORY;
    if (ranker) {
        struct ArrowArrayStream held = new_stream();
        code = assay_ranker_stream(ranker, &held);
        code = code ? same_code(code, assay_ranker_finish(ranker)) : assay_ranker_finish(ranker);
        if (streams_live) code = WRONG;
    }
    if (code == ASSAY_OK) {
        assay_ranked result;
        assay_ranker_result(ranker, &result);
        *sum = (long)result.data_lines;
        for (int64_t t = 0; t < gold->topics; t++) *sum += (long)((t + 1) * result.num_ret[t] * result.relevant_count[t]);
    }
    assay_ranker_free(ranker);
    assay_gold_free(gold);
    return code;
}

static int kernels(long *sum) {
    int64_t values[30], sums[200];
    uint32_t rows[10];
    for (int i = 0; i < 30; i++) values[i] = i;
    *sum = 0;
    int (*const functions[])(const int64_t *, int64_t, int64_t, uint64_t, int64_t, int64_t, int64_t *) = {
        assay_shuffled_sums, assay_bootstrap_sums, assay_half_sums};
    for (int f = 0; f < 3; f++) {
        int code = functions[f](values, 10, 3, 5, 0, 40, sums);
        if (code) return code;
        for (int i = 0; i < 120; i++) *sum += (long)(i * sums[i]);
    }
    int code = assay_bootstrap_rows(10, 5, 1, rows);
    if (code) return code;
    int64_t table[8 * 10];
    int32_t marks[] = {4, 9};
    for (int i = 0; i < 8 * 10; i++) table[i] = i;
    code = assay_drawn(table, 3, 5, 0, 10, 10, marks, 2, sums);
    if (code) return code;
    for (int i = 0; i < 60; i++) *sum += (long)(i * sums[i]);
    int32_t documents[] = {0, 1, 2, 2, 0};
    int64_t starts[] = {0, 3, 5}, shared[3];
    double terms[] = {0, 1, 1, 1}, shares[2];
    code = assay_overlaps(documents, starts, 2, 3, terms, shared, shares);
    for (int i = 0; i < 3; i++) *sum += code ? 0 : (long)(i * shared[i]);
    return code;
}

/* Without memory the core leaves the run to whoever asked. */
static int top_documents(long *sum) {
    size_t length = (size_t)(strstr(run, "t100 ") - run);
    static char out[sizeof run];
    static double scores[sizeof run / 12 + 1];
    int64_t used, written = assay_top_documents(run, length, 1, 20, out, scores, &used);
    if (written < 0) return ASSAY_MEMORY;
    *sum = 0;
    for (int64_t i = 0; i < written; i++) *sum += (long)(i * out[i]);
    return ASSAY_OK;
}


static int try_all(const char *name, int (*scenario)(long *)) {
    long right = 0;
    failing = 1L << 40;
    made = 0;
    if (scenario(&right) != ASSAY_OK) return printf("%s fails with all the memory it wants\n", name);
    long allocations = made;
    for (onwards = 0; onwards < 2; onwards++) {
        for (long k = 0; k < allocations; k++) {
            long sum = right;
            failing = k;
            made = 0;
            int code = scenario(&sum);
            if (code != ASSAY_MEMORY && (code != ASSAY_OK || sum != right))
                return printf("%s without allocation %ld: code %d\n", name, k, code);
            if (code == ASSAY_OK && onwards) return printf("%s did not notice that allocation %ld failed\n", name, k);
        }
    }
    printf("%s: %ld allocations\n", name, allocations);
    return 0;
}

/* More than there can be is refused at once. */
static int limits(void) {
    void *memory = NULL;
    int64_t room = 0;
    uint32_t mask;
    failing = 1L << 40;
    if (assay_grow(&memory, &room, INT64_MAX, 1) || assay_grow(&memory, &room, INT64_MAX / 8, 8)) return printf("grew beyond all memory\n");
    if (memory != NULL || room != 0) return printf("a refused growth left something behind\n");
    int64_t most = (int64_t)1 << 30;
    if (assay_slots(most) != 1u << 31 || assay_slots(most + 1) != 0 || assay_slots(INT64_MAX / 2) != 0) return printf("slots beyond 32 bits\n");
    if (assay_table(NULL, 8, most, &mask) != NULL) return printf("a table beyond 32 bits\n");
    return 0;
}

int main(void) {
    write_files();
    return limits() || try_all("a run in order", rank_in_order) || try_all("a run that comes back", rank_keeping) || try_all("a run in a file", rank_file) || try_all("a packed run", pack) || try_all("a run in dicts", walk) ||
           try_all("a run in a stream", streams) ||
           try_all("top documents", top_documents) ||
           try_all("kernels", kernels);
}
