/* Resampling kernels: sums of integer columns under shuffles, label swaps and bootstrap draws.
 *
 * Every trial has its own stream, so trial b is the same whichever thread computes it, and sums are of 64-bit integers, so
 * they do not depend on the order of addition. native/permute.py is the same arithmetic in numpy. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "random.h"

#if !defined(_WIN32)
#include <pthread.h>
#endif

#define MAX_THREADS 64
/* Up to three dice share one 32-bit half of a random word, while the product of their sides is at most this. */
#define MAX_DICE 3
#define MAX_PRODUCT (1ULL << 28)
/* Columns are summed in blocks so that the rows of one block stay in the cache. */
#define BLOCK_BYTES 196608

/* All dice of one row, in order. Batch b is the counts[b] dice from sides[firsts[b]] on, and a draw whose remainder is under
 * thresholds[b] would be biased. Batches 2w and 2w + 1 share word w; `full` words from the front hold two full batches. */
typedef struct {
    uint32_t *sides, *firsts, *counts, *thresholds;
    size_t words, full;
} schedule;

static void forget(schedule *plan) {
    free(plan->sides);
    free(plan->firsts);
}

/* `falling`: sides `dice`+1, `dice`, ..., 2, as a shuffle needs them; otherwise `dice` dice of `dice` sides each. */
static int schedule_dice(schedule *plan, size_t dice, int falling) {
    size_t batches = 0;
    plan->sides = malloc((dice + 1) * sizeof(uint32_t));
    plan->firsts = calloc(3 * (dice + 2), sizeof(uint32_t));
    if (!plan->sides || !plan->firsts) {
        forget(plan);
        return -1;
    }
    plan->counts = plan->firsts + dice + 2;
    plan->thresholds = plan->counts + dice + 2;
    for (size_t i = 0; i < dice; i++) plan->sides[i] = (uint32_t)(falling ? dice + 1 - i : dice);
    for (size_t i = 0; i < dice; batches++) {
        uint64_t product = plan->sides[i];
        uint32_t count = 1;
        while (i + count < dice && count < MAX_DICE && product * plan->sides[i + count] <= MAX_PRODUCT)
            product *= plan->sides[i + count++];
        plan->firsts[batches] = (uint32_t)i;
        plan->counts[batches] = count;
        plan->thresholds[batches] = (uint32_t)((1ULL << 32) % product);
        i += count;
    }
    plan->words = (batches + 1) / 2;
    plan->full = 0;
    while (plan->full < plan->words && plan->counts[2 * plan->full] == MAX_DICE && plan->counts[2 * plan->full + 1] == MAX_DICE)
        plan->full++;
    return 0;
}

/* Several unbiased dice from one draw: Brackett-Rozinsky and Lemire, "Batched ranged random integer generation" (2024). */
static inline uint32_t roll(uint32_t rest, const uint32_t *restrict sides, uint32_t count, uint32_t *restrict picks) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t product = (uint64_t)rest * sides[i];
        picks[i] = (uint32_t)(product >> 32);
        rest = (uint32_t)product;
    }
    return rest;
}

/* Roll every die of a plan; a word with a biased half is thrown away whole. */
static inline void roll_all(uint64_t *restrict state, const schedule *plan, uint32_t *restrict picks) {
    uint64_t here = *state;
    const uint32_t *restrict sides = plan->sides, *restrict thresholds = plan->thresholds;
    size_t full = plan->full;
    for (size_t w = 0; w < full; w++) { /* nearly all words, with constants the compiler can unroll */
        const uint32_t *restrict faces = sides + 2 * MAX_DICE * w;
        uint32_t *restrict mine = picks + 2 * MAX_DICE * w, above, below;
        do {
            uint64_t word = assay_bits(&here);
            above = roll((uint32_t)(word >> 32), faces, MAX_DICE, mine);
            below = roll((uint32_t)word, faces + MAX_DICE, MAX_DICE, mine + MAX_DICE);
        } while (above < thresholds[2 * w] || below < thresholds[2 * w + 1]);
    }
    for (size_t w = full; w < plan->words; w++) {
        uint32_t high = plan->firsts[2 * w], low = plan->firsts[2 * w + 1], above, below;
        do {
            uint64_t word = assay_bits(&here);
            above = roll((uint32_t)(word >> 32), sides + high, plan->counts[2 * w], picks + high);
            below = roll((uint32_t)word, sides + low, plan->counts[2 * w + 1], picks + low);
        } while (above < thresholds[2 * w] || below < thresholds[2 * w + 1]);
    }
    *state = here;
}

typedef struct {
    const int64_t *values;
    size_t rows, columns;
    uint64_t key;
    int64_t first, trials;
    const schedule *plan;
    int64_t *out;
    int failed;
} job;

/* Fisher and Yates from the last place down, on two rows at a time since each waits for its own memory. A place once
 * filled goes straight into its sum. */
static inline void shuffle_two(int64_t *restrict sums, int64_t *restrict one, int64_t *restrict two, size_t columns,
                               const uint32_t *restrict picks, const uint32_t *restrict others) {
    for (size_t i = 0; i + 1 < columns; i++) {
        size_t last = columns - 1 - i, x = picks[i], y = others[i];
        sums[last] += one[x] + two[y];
        one[x] = one[last];
        two[y] = two[last];
    }
    sums[0] += one[0] + two[0];
}

/* Shuffle the columns of every row independently and add the rows up; an odd last row is paired with a row of zeros. */
static void shuffled_sums(job *work) {
    size_t columns = work->columns, bytes = columns * sizeof(int64_t);
    int64_t *rows = malloc(2 * bytes);
    uint32_t *picks = malloc(2 * columns * sizeof(uint32_t));
    if (!rows || !picks) {
        work->failed = 1;
        free(rows);
        free(picks);
        return;
    }
    for (int64_t trial = 0; trial < work->trials; trial++) {
        uint64_t state = assay_stream(work->key, (uint64_t)(work->first + trial));
        int64_t *sums = work->out + (size_t)trial * columns;
        memset(sums, 0, bytes);
        for (size_t r = 0; r < work->rows; r += 2) {
            int paired = r + 1 < work->rows;
            memcpy(rows, work->values + r * columns, paired ? 2 * bytes : bytes);
            if (!paired) memset(rows + columns, 0, bytes);
            roll_all(&state, work->plan, picks);
            roll_all(&state, work->plan, picks + columns);
            shuffle_two(sums, rows, rows + columns, columns, picks, picks + columns);
        }
    }
    free(rows);
    free(picks);
}

static size_t block_width(size_t rows, size_t columns) {
    size_t width = BLOCK_BYTES / (8 * (rows ? rows : 1));
    if (width < 32) width = 32;
    return width < columns ? width : columns;
}

static inline void add_row(int64_t *restrict sums, const int64_t *restrict row, size_t width) {
    for (size_t c = 0; c < width; c++) sums[c] += row[c];
}

/* Draw as many rows as there are, with replacement, and add them up. */
static void bootstrap_sums(job *work) {
    size_t rows = work->rows, columns = work->columns, width = block_width(rows, columns);
    const schedule *plan = work->plan;
    uint32_t *picks = malloc((rows + 1) * sizeof(uint32_t));
    if (!picks) {
        work->failed = 1;
        return;
    }
    for (int64_t trial = 0; trial < work->trials; trial++) {
        uint64_t state = assay_stream(work->key, (uint64_t)(work->first + trial));
        int64_t *sums = work->out + (size_t)trial * columns;
        memset(sums, 0, columns * sizeof(int64_t));
        roll_all(&state, plan, picks);
        for (size_t at = 0; at < columns; at += width) {
            size_t here = at + width < columns ? width : columns - at;
            for (size_t i = 0; i < rows; i++) add_row(sums + at, work->values + picks[i] * columns + at, here);
        }
    }
    free(picks);
}

/* Take each row or leave it, with probability one half, and add up those taken. Bit i of word w is row 64w + i. */
static void half_sums(job *work) {
    size_t rows = work->rows, columns = work->columns, width = block_width(rows, columns);
    for (int64_t trial = 0; trial < work->trials; trial++) {
        uint64_t start = assay_stream(work->key, (uint64_t)(work->first + trial));
        int64_t *sums = work->out + (size_t)trial * columns;
        memset(sums, 0, columns * sizeof(int64_t));
        for (size_t at = 0; at < columns; at += width) {
            size_t here = at + width < columns ? width : columns - at;
            uint64_t state = start;
            for (size_t base = 0; base < rows; base += 64) {
                uint64_t word = assay_bits(&state);
                size_t stop = rows - base < 64 ? rows - base : 64;
                for (size_t i = 0; i < stop; i++)
                    if (word >> i & 1) add_row(sums + at, work->values + (base + i) * columns + at, here);
            }
        }
    }
}

typedef void (*kernel)(job *);

typedef struct {
    kernel run;
    job *work;
} task;

#if !defined(_WIN32)
static void *start(void *argument) {
    task *mine = argument;
    mine->run(mine->work);
    return NULL;
}
#endif

static int spread(kernel run, job whole, int threads) {
    job parts[MAX_THREADS];
    task tasks[MAX_THREADS];
    if (threads < 1) threads = 1;
    if (threads > MAX_THREADS) threads = MAX_THREADS;
    if (threads > whole.trials) threads = whole.trials > 0 ? (int)whole.trials : 1;
#if defined(_WIN32)
    threads = 1;
#else
    pthread_t handles[MAX_THREADS];
    int started[MAX_THREADS] = {0};
#endif
    int64_t done = 0;
    int failed = 0;
    for (int t = 0; t < threads; t++) {
        int64_t share = whole.trials / threads + (t < whole.trials % threads ? 1 : 0);
        parts[t] = whole;
        parts[t].first = whole.first + done;
        parts[t].trials = share;
        parts[t].out = whole.out + (size_t)done * whole.columns;
        tasks[t] = (task){run, &parts[t]};
        done += share;
#if !defined(_WIN32)
        started[t] = t > 0 && pthread_create(&handles[t], NULL, start, &tasks[t]) == 0;
#endif
    }
    for (int t = 0; t < threads; t++) {
#if !defined(_WIN32)
        if (started[t]) continue;
#endif
        run(&parts[t]);
    }
#if !defined(_WIN32)
    for (int t = 0; t < threads; t++)
        if (started[t]) pthread_join(handles[t], NULL);
#endif
    for (int t = 0; t < threads; t++) failed |= parts[t].failed;
    return failed ? -1 : 0;
}

/* The sums after an independent shuffle of every row: out is trials × columns. */
EXPORT int assay_shuffled_sums(const int64_t *values, int64_t rows, int64_t columns, uint64_t key, int64_t first, int64_t trials,
                               int threads, int64_t *out) {
    schedule plan;
    if (schedule_dice(&plan, (size_t)columns - 1, 1) != 0) return -1;
    job whole = {values, (size_t)rows, (size_t)columns, key, first, trials, &plan, out, 0};
    int status = spread(shuffled_sums, whole, threads);
    forget(&plan);
    return status;
}

/* The sums of `rows` rows drawn with replacement: out is trials × columns. */
EXPORT int assay_bootstrap_sums(const int64_t *values, int64_t rows, int64_t columns, uint64_t key, int64_t first, int64_t trials,
                                int threads, int64_t *out) {
    schedule plan;
    if (schedule_dice(&plan, (size_t)rows, 0) != 0) return -1;
    job whole = {values, (size_t)rows, (size_t)columns, key, first, trials, &plan, out, 0};
    int status = spread(bootstrap_sums, whole, threads);
    forget(&plan);
    return status;
}

/* The rows one trial of assay_bootstrap_sums draws: out holds `rows` of them. */
EXPORT int assay_bootstrap_rows(int64_t rows, uint64_t key, int64_t trial, uint32_t *out) {
    schedule plan;
    if (schedule_dice(&plan, (size_t)rows, 0) != 0) return -1;
    uint64_t state = assay_stream(key, (uint64_t)trial);
    roll_all(&state, &plan, out);
    forget(&plan);
    return 0;
}

/* The sums of a random half of the rows, each taken with probability one half: out is trials × columns. */
EXPORT int assay_half_sums(const int64_t *values, int64_t rows, int64_t columns, uint64_t key, int64_t first, int64_t trials,
                           int threads, int64_t *out) {
    job whole = {values, (size_t)rows, (size_t)columns, key, first, trials, NULL, out, 0};
    return spread(half_sums, whole, threads);
}
