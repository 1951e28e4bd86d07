/* The resampling kernels against plain loops. */
#include <stdio.h>

#include "fuzz.h"

int fuzz_describe(choices *c) {
    int64_t room = 1 + (int64_t)below(c, 6000);
    char *text = exactly((size_t)room, 1);
    int64_t length = assay_describe(text, room);
    check(length >= 0 && length < room && strlen(text) == (size_t)length, "a description ends within its room");
    free(text);
    return 1;
}

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

/* Dice one by one: 16 bits each up to 4,096 sides, 32 beyond. Narrow ones that are biased are thrown again after all others,
 * wide ones at once. */
static void roll(uint64_t *state, const uint32_t *sides, int64_t count, int narrow, uint32_t *picks) {
    int bits = narrow ? 16 : 32, lanes = 64 / bits;
    uint64_t range = 1ULL << bits, word = 0;
    uint64_t *lane = exactly((size_t)count, sizeof *lane);
    for (int64_t i = 0; i < count; i++) {
        word = i % lanes ? word >> bits : assay_bits(state);
        lane[i] = word % range;
        while (!narrow && lane[i] * sides[i] % range < range % sides[i]) lane[i] = assay_bits(state) % range;
    }
    for (int64_t i = 0; i < count; i++) {
        while (narrow && lane[i] * sides[i] % range < range % sides[i]) lane[i] = assay_bits(state) % range;
        picks[i] = (uint32_t)(lane[i] * sides[i] / range);
    }
    free(lane);
}

enum { SHUFFLED, BOOTSTRAP, HALF };

static void plain_sums(int kind, const int64_t *values, int64_t rows, int64_t columns, uint64_t key, int64_t trial, int64_t *out) {
    uint64_t state = assay_stream(key, (uint64_t)trial), word = 0;
    int64_t dice = kind == SHUFFLED ? columns - 1 : rows;
    uint32_t *sides = exactly((size_t)dice, sizeof *sides), *picks = exactly((size_t)dice, sizeof *picks);
    int64_t *row = exactly((size_t)columns, sizeof *row);
    for (int64_t i = 0; i < dice; i++) sides[i] = (uint32_t)(kind == SHUFFLED ? columns - i : rows);
    for (int64_t j = 0; j < columns; j++) out[j] = 0;
    if (kind == BOOTSTRAP) roll(&state, sides, rows, rows < 4096, picks);
    for (int64_t i = 0; i < rows; i++) {
        memcpy(row, values + (kind == BOOTSTRAP ? picks[i] : i) * columns, (size_t)columns * sizeof *row);
        if (kind == SHUFFLED) {
            roll(&state, sides, dice, columns <= 4096, picks);
            for (int64_t k = 0; k < dice; k++) {
                int64_t last = columns - 1 - k, kept = row[last];
                row[last] = row[picks[k]];
                row[picks[k]] = kept;
            }
        }
        if (kind == HALF) word = i % 64 ? word >> 1 : assay_bits(&state);
        for (int64_t j = 0; j < columns; j++) out[j] += kind == HALF && !(word & 1) ? 0 : row[j];
    }
    free(sides);
    free(picks);
    free(row);
}

int fuzz_sums(choices *c) {
    int (*const kernels[])(const int64_t *, int64_t, int64_t, uint64_t, int64_t, int64_t, int64_t *) = {
        assay_shuffled_sums, assay_bootstrap_sums, assay_half_sums};
    int kind = (int)below(c, 3), wide = below(c, 200) == 0;
    int64_t rows = below(c, 90), columns = 1 + below(c, 20), trials = below(c, 40);
    if (wide) { /* dice of more than 4,096 sides */
        *(kind == SHUFFLED ? &columns : &rows) = 4090 + below(c, 20);
        *(kind == SHUFFLED ? &rows : &columns) = 3;
        trials = 2;
    }
    uint64_t key = assay_bits(&c->state);
    int64_t first = below(c, 9) ? below(c, 1000) : INT64_MAX - 100, most = INT64_MAX / (rows + 1);
    int64_t *values = exactly((size_t)(rows * columns), sizeof *values);
    for (int64_t i = 0; i < rows * columns; i++) values[i] = whole(c, most);
    int64_t *out = exactly((size_t)(trials * columns), sizeof *out), *expected = exactly((size_t)columns, sizeof *expected);
    check(kernels[kind](values, rows, columns, key, first, trials, out) == ASSAY_OK, "sums are found");
    for (int64_t t = 0; t < trials; t++) {
        plain_sums(kind, values, rows, columns, key, first + t, expected);
        check(memcmp(out + t * columns, expected, (size_t)columns * sizeof *out) == 0, "sums are those of the plain loop");
    }
    check(assay_shuffled_sums(values, rows, 0, key, first, trials, out) == ASSAY_OK, "no columns have no sums");
    if (kind == BOOTSTRAP && trials) {
        uint32_t *picks = exactly((size_t)rows, sizeof *picks);
        check(assay_bootstrap_rows(rows, key, first, picks) == ASSAY_OK, "rows are drawn");
        for (int64_t j = 0; j < columns; j++) {
            int64_t sum = 0;
            for (int64_t i = 0; i < rows; i++) sum += values[picks[i] * columns + j];
            check(sum == out[j], "the rows drawn are those that were added up");
        }
        free(picks);
    }
    free(values);
    free(out);
    free(expected);
    return 1;
}

/* ---- sums ---------------------------------------------------------------------------------------------------------- */

typedef struct { /* one call, as several threads make it at once */
    uint64_t key, first;
    int32_t trials, topics, columns, count;
    const int64_t *values;
    const int32_t *marks;
    int64_t *sums;
} drawing;

static void *draw(void *argument) {
    drawing *d = argument;
    size_t cells = (size_t)d->count * (size_t)d->columns * (size_t)d->trials;
    d->sums = exactly(cells, sizeof *d->sums);
    if (d->count == 0) return NULL;
    check(assay_drawn(d->values, d->columns, d->key, d->first, d->trials, d->topics, d->marks, d->count, d->sums) == ASSAY_OK,
          "values are added");
    return NULL;
}

/* Where a column of a topic is in a table of blocks of eight columns. */
static size_t cell(const drawing *d, int32_t topic, int32_t column) {
    return ((size_t)(column / 8) * (size_t)d->topics + (size_t)topic) * 8 + (size_t)(column % 8);
}

/* The sums of one trial are those of a shuffle that stops early. */
static void check_subsets(const drawing *d, int32_t t) {
    uint64_t state = assay_stream(d->key, d->first + (uint64_t)t);
    int32_t *pool = exactly((size_t)d->topics, sizeof *pool), *place = exactly((size_t)d->topics, sizeof *place);
    for (int32_t i = 0; i < d->topics; i++) pool[i] = i;
    for (int32_t i = 0; i < d->topics; i++) {
        int32_t j = i + (int32_t)assay_below(&state, (uint32_t)(d->topics - i)), chosen = pool[j];
        pool[j] = pool[i];
        place[chosen] = i;
    }
    for (int32_t m = 0; m < d->count; m++) {
        for (int32_t j = 0; j < d->columns; j++) {
            int64_t sum = 0;
            for (int32_t i = 0; i < d->topics; i++) {
                if (place[i] < d->marks[m]) sum += d->values[cell(d, i, j)];
            }
            check(d->sums[(m * d->columns + j) * d->trials + t] == sum, "sums of what was drawn are those of the plain loop");
        }
    }
    free(pool);
    free(place);
}

int fuzz_subsets(choices *c) {
    enum { TOGETHER = 3, MARKS = 4 };
    drawing d = {.key = assay_bits(&c->state), .first = below(c, 9) ? below(c, 1000) : UINT64_MAX - 3};
    d.topics = (int32_t)below(c, below(c, 20) ? 200 : 700); /* more than a byte counts to */
    d.trials = (int32_t)below(c, 20);
    d.columns = (int32_t)below(c, below(c, 9) ? 12 : 200);
    int32_t marks[MARKS], last = 0;
    for (int i = 0; i < MARKS && last < d.topics; i++) {
        last += 1 + (int32_t)below(c, (uint32_t)(d.topics - last));
        marks[d.count++] = last;
    }
    int32_t wide = (d.columns + 7) / 8 * 8;
    int64_t *values = exactly((size_t)(d.topics * wide), sizeof *values);
    for (int32_t i = 0; i < d.topics * wide; i++) values[i] = whole(c, INT64_MAX / (d.topics + 1));
    d.values = values;
    d.marks = marks;
    drawing several[TOGETHER];
    for (int i = 0; i < TOGETHER; i++) several[i] = d;
    do_all(draw, several, sizeof *several, TOGETHER, below(c, 4) == 0);
    for (int i = 0; i < TOGETHER; i++) {
        for (int32_t t = 0; t < d.trials; t++) check_subsets(&several[i], t);
        free(several[i].sums);
    }
    free(values);
    return 1;
}

/* ---- pairs ------------------------------------------------------------------------------------------------------------ */

enum { LEVELS = 10, EDGES = 22, KINDS = 3 };
typedef __int128 large;

static large size_of(large value) { return value < 0 ? -value : value; }

/* Four values over one unit: two runs on one subset, and the same two on the other. A fuzziness of j hundredths of the larger,
 * edges of k - 1 hundredths. */
static void plain_pair(const large value[4], large unit, int second, int64_t *outcomes, int64_t *edges) {
    large first = value[0] - value[1], other = value[2] - value[3];
    for (int j = 1; j <= LEVELS; j++) {
        int apart = first != 0 && 100 * size_of(first) >= j * size_of(first > 0 ? value[0] : value[1]);
        if (apart) outcomes[(first > 0 ? 0 : LEVELS) + j - 1]++;
    }
    for (int k = 0; second && k < EDGES; k++) {
        if (k == 1 ? first == 0 : k > 1 && 100 * size_of(first) < (k - 1) * unit) continue;
        edges[KINDS * k]++;
        edges[KINDS * k + 1] += (first > 0 && other < 0) || (first < 0 && other > 0);
        edges[KINDS * k + 2] += (first == 0) != (other == 0);
    }
}

enum { INT32, INT64, RATIO };

typedef struct {
    int kind;
    int32_t runs, trials, sets;
    int64_t unit, *top, *bottom; /* bottom is 1 everywhere where all share the unit */
    int32_t *narrow;
} table;

static void plain_pairs(const table *k, int64_t *outcomes, int64_t *edges) {
    for (int32_t x = 0; x < k->runs; x++) {
        for (int32_t y = x + 1; y < k->runs; y++, outcomes += 2 * LEVELS) {
            for (int32_t t = 0; t < k->trials; t++) {
                large value[4] = {0}, unit = k->unit;
                for (int32_t s = 0; s < k->sets; s++) {
                    int32_t a = (s * k->runs + x) * k->trials + t, b = (s * k->runs + y) * k->trials + t;
                    value[2 * s] = (large)k->top[a] * k->bottom[b];
                    value[2 * s + 1] = (large)k->top[b] * k->bottom[a];
                    if (s == 0) unit *= (large)k->bottom[a] * k->bottom[b];
                }
                plain_pair(value, unit, k->sets == 2, outcomes, edges);
            }
        }
    }
}

static void core_pairs(const table *k, int64_t *outcomes, int64_t *edges) {
    if (k->kind == INT32 && outcomes) assay_pairs_int32(k->narrow, k->runs, k->trials, outcomes);
    if (k->kind == INT64 && outcomes) assay_pairs_int64(k->top, k->runs, k->trials, outcomes);
    if (k->kind != RATIO && k->sets == 2)
        assay_swaps(k->top, k->runs, k->trials, k->unit, edges);
    if (k->kind == RATIO) assay_pairs_ratio(k->top, k->bottom, k->runs, k->trials, k->sets, outcomes, edges);
}

int fuzz_pairs(choices *c) {
    table k = {.kind = (int)below(c, 3), .runs = (int32_t)below(c, 5), .sets = 1 + (int32_t)below(c, 2)};
    k.trials = below(c, 40) ? (int32_t)below(c, 30) : 1023;
    /* What the callers keep to: 200 |value| and 21 unit within the type; over denominators of their own, within 63 bits. */
    int64_t room = k.kind == INT32 ? INT32_MAX : INT64_MAX;
    int64_t deepest = k.kind == RATIO ? 1 + (int64_t)size_of(whole(c, 600000000)) : 1; /* 21 of its squares are within 63 bits */
    k.unit = k.kind == RATIO ? 1 : 1 + (int64_t)size_of(whole(c, room / 21 - 1));
    if (k.kind != RATIO && below(c, 4) == 0) k.unit = 100; /* whose hundredths are whole: a difference is just one of them */
    int64_t most = room / 200 / deepest;
    if (below(c, 2) && k.unit < most) most = k.unit; /* as of values from 0 to 1 */
    size_t cells = (size_t)(k.sets * k.runs * k.trials), pairs = (size_t)(k.runs * (k.runs - 1) / 2) * 2 * LEVELS;
    k.top = exactly(cells, sizeof *k.top);
    k.bottom = exactly(cells, sizeof *k.bottom);
    k.narrow = exactly(cells, sizeof *k.narrow);
    for (size_t i = 0; i < cells; i++) {
        k.top[i] = i && below(c, 3) == 0 ? k.top[i - 1] : whole(c, most);
        k.narrow[i] = (int32_t)k.top[i];
        k.bottom[i] = k.kind == RATIO ? 1 + (int64_t)size_of(whole(c, deepest - 1)) : 1;
    }
    int64_t *expected = exactly(pairs, sizeof *expected), expected_edges[EDGES * KINDS] = {0};
    memset(expected, 0, pairs * sizeof *expected);
    plain_pairs(&k, expected, expected_edges);
    int64_t *outcomes = exactly(pairs, sizeof *outcomes), *edges = exactly(EDGES * KINDS, sizeof *edges);
    memset(outcomes, 0, pairs * sizeof *outcomes);
    memset(edges, 0, EDGES * KINDS * sizeof *edges);
    int asked = below(c, 4) > 0;
    core_pairs(&k, asked ? outcomes : NULL, edges);
    check(!asked || memcmp(outcomes, expected, pairs * sizeof *outcomes) == 0, "pairs are told apart as by the plain loop");
    check(memcmp(edges, expected_edges, sizeof expected_edges) == 0, "edges are reached as in the plain loop");
    free(outcomes);
    free(edges);
    free(k.top);
    free(k.bottom);
    free(k.narrow);
    free(expected);
    return 1;
}

/* ---- flips ------------------------------------------------------------------------------------------------------------ */

int fuzz_flipped(choices *c) {
    static const double units[] = {0.5, 0.1, 1e-9, 1e200};
    int64_t runs = 1 + below(c, 6), pairs = below(c, 16), flips = below(c, 9) ? below(c, 40) : 250 + below(c, 300);
    double unit = units[below(c, 4)];
    double *sums = exactly((size_t)(runs * flips), sizeof *sums), *scales = exactly((size_t)pairs, sizeof *scales);
    double *bounds = exactly((size_t)pairs, sizeof *bounds), *before = exactly((size_t)flips, sizeof *before);
    int64_t *a = exactly((size_t)pairs, sizeof *a), *b = exactly((size_t)pairs, sizeof *b);
    for (int64_t i = 0; i < runs * flips; i++) sums[i] = unit * ((double)below(c, 21) - 10);
    for (int64_t f = 0; f < flips; f++) before[f] = below(c, 3) ? 0 : unit * below(c, 300) * unit;
    for (int64_t i = 0; i < pairs; i++) {
        a[i] = below(c, (uint32_t)runs), b[i] = below(c, (uint32_t)runs);
        scales[i] = (1 + below(c, 5)) / 3.0;
        double d = flips && below(c, 4) ? sums[a[i] * flips] - sums[b[i] * flips] : unit * below(c, 20);
        bounds[i] = d * d * scales[i]; /* which the first flip then reaches, just */
    }
    int64_t *reached = exactly((size_t)pairs, sizeof *reached);
    double *largest = copied(before, (size_t)flips * sizeof *largest);
    for (int64_t i = 0; i < pairs; i++) reached[i] = i;
    int counted = below(c, 4) > 0;
    assay_flipped(sums, flips, a, b, scales, counted ? bounds : NULL, pairs, counted ? reached : NULL, largest);
    for (int64_t i = 0; i < pairs; i++) {
        int64_t expected = i;
        for (int64_t f = 0; f < flips; f++) {
            double d = sums[a[i] * flips + f] - sums[b[i] * flips + f];
            expected += counted && d * d * scales[i] >= bounds[i];
        }
        check(reached[i] == expected, "flips reach their bound as often as in the plain loop");
    }
    for (int64_t f = 0; f < flips; f++) {
        double high = before[f];
        for (int64_t i = 0; i < pairs; i++) {
            double d = sums[a[i] * flips + f] - sums[b[i] * flips + f];
            if (d * d * scales[i] > high) high = d * d * scales[i];
        }
        check(largest[f] == high, "the largest of a flip is that of the plain loop");
    }
    free(reached);
    free(largest);
    void *used[] = {sums, scales, bounds, before, a, b};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) free(used[i]);
    return 1;
}
