/* Measures of whole runs on resamples, against their definitions with nothing sorted: every pair of answers is looked at. */
#include <math.h>

#include "fuzz.h"

typedef struct {
    int64_t topics, size;
    const int32_t *drawn;
    const double *confidence; /* of a question; below 0 where there is none */
    const uint8_t *right, *answered, *enters;
} one_run;

static int is_answer(const one_run *r, int64_t i) { return r->enters[r->drawn[i]] && r->answered[r->drawn[i]]; }

static double stated(const one_run *r, int64_t i) { return r->confidence[r->drawn[i]]; }

static int is_right(const one_run *r, int64_t i) { return r->right[r->drawn[i]]; }

/* An answer at rank i adds 1/i + ... + 1/n where it is right; a tied one the mean of that over the ranks of its group. */
static double plain_cws(const one_run *r) {
    double sum = 0, highest = 0;
    int64_t n = 0;
    for (int64_t i = 0; i < r->size; i++) n += r->enters[r->drawn[i]];
    for (int64_t i = 0; i < r->size; i++) {
        if (!is_answer(r, i)) continue;
        highest = fmax(highest, stated(r, i));
        int64_t above = 0, tied = 0;
        for (int64_t j = 0; j < r->size; j++) {
            above += is_answer(r, j) && stated(r, j) > stated(r, i);
            tied += is_answer(r, j) && stated(r, j) == stated(r, i);
        }
        for (int64_t rank = above + 1; is_right(r, i) && rank <= above + tied; rank++)
            for (int64_t later = rank; later <= n; later++) sum += 1.0 / (double)later / (double)tied;
    }
    return highest > 0 ? sum / (double)n : NAN;
}

static double plain_auroc(const one_run *r) {
    double ordered = 0, pairs = 0;
    for (int64_t i = 0; i < r->size; i++) {
        for (int64_t j = 0; j < r->size; j++) {
            if (!is_answer(r, i) || !is_answer(r, j) || !is_right(r, i) || is_right(r, j)) continue;
            pairs++;
            ordered += stated(r, i) > stated(r, j) ? 1 : stated(r, i) == stated(r, j) ? 0.5 : 0;
        }
    }
    return pairs > 0 ? ordered / pairs : NAN;
}

static int64_t bin_of(double confidence, int64_t bins) {
    int64_t bin = (int64_t)(confidence * (double)bins);
    return bin < bins ? bin : bins - 1;
}

static double plain_ece(const one_run *r, int64_t bins) {
    double sum = 0, answers = 0;
    for (int64_t b = 0; b < bins; b++) {
        double gap = 0;
        for (int64_t i = 0; i < r->size; i++) {
            if (!is_answer(r, i) || bin_of(stated(r, i), bins) != b) continue;
            gap += is_right(r, i) - stated(r, i);
            answers++;
        }
        sum += fabs(gap);
    }
    return answers > 0 ? sum / answers : NAN;
}

static int is_undefined(const one_run *r) {
    for (int64_t i = 0; i < r->size; i++)
        if (is_answer(r, i) && stated(r, i) < 0) return 1;
    return 0;
}

/* The answers of one run, highest confidence first and those without one last, as the caller of the core sorts them. */
static void sort_answers(const one_run *r, uint32_t *order, int64_t *with, int64_t *all, int64_t *positive) {
    int32_t *place = exactly((size_t)r->topics, sizeof *place);
    *with = *all = *positive = 0;
    for (int32_t q = 0; q < r->topics; q++) {
        if (!r->enters[q] || !r->answered[q]) continue;
        int64_t at = (*all)++;
        *with += r->confidence[q] >= 0;
        *positive += r->confidence[q] > 0;
        for (; at > 0 && r->confidence[place[at - 1]] < r->confidence[q]; at--) place[at] = place[at - 1];
        place[at] = q;
    }
    for (int64_t i = 0; i < *all; i++) {
        int ends = i + 1 == *all || r->confidence[place[i]] != r->confidence[place[i + 1]];
        order[i] = (uint32_t)(4 * place[i] + 2 * r->right[place[i]] + ends);
    }
    free(place);
}

int fuzz_whole(choices *c) {
    int64_t runs = 1 + below(c, 3), topics = 1 + below(c, below(c, 30) ? 12 : 150), trials = below(c, 5), bins = 1 + below(c, 12);
    size_t cells = (size_t)(runs * topics);
    uint8_t *right = exactly(cells, 1), *answered = exactly(cells, 1), *enters = exactly(cells, 1);
    double *confidence = exactly(cells, sizeof *confidence), *hit = exactly(cells, sizeof *hit), *said = exactly(cells, sizeof *said);
    int32_t *bin = exactly(cells, sizeof *bin);
    uint32_t *order = exactly(cells, sizeof *order);
    int64_t *with = exactly((size_t)runs, 8), *all = exactly((size_t)runs, 8), *positive = exactly((size_t)runs, 8);
    int masked = (int)below(c, 2), gaps = below(c, 4) == 0;
    for (size_t i = 0; i < cells; i++) {
        answered[i] = below(c, 5) > 0;
        right[i] = (uint8_t)below(c, 2);
        enters[i] = !masked || below(c, 4) > 0;
        confidence[i] = gaps && below(c, 40) == 0 ? -1 : below(c, 11) / 10.0;
        int given = answered[i] && enters[i], known = given && confidence[i] >= 0;
        hit[i] = known ? right[i] : 1;
        said[i] = known ? confidence[i] : 0;
        bin[i] = (int32_t)(known ? bin_of(confidence[i], bins) : given ? bins + 1 : bins);
    }
    int64_t *ends = exactly((size_t)trials, sizeof *ends), longest = 2 * topics, size = 0;
    int32_t *drawn = exactly((size_t)(trials * longest), sizeof *drawn);
    for (int64_t t = 0; t < trials; t++) {
        for (int64_t left = below(c, (uint32_t)longest); left > 0; left--) drawn[size++] = (int32_t)below(c, (uint32_t)topics);
        ends[t] = size;
    }
    for (int64_t run = 0; run < runs; run++) {
        int64_t at = run * topics;
        one_run r = {topics, 0, drawn, confidence + at, right + at, answered + at, enters + at};
        sort_answers(&r, order + at, with + run, all + run, positive + run);
    }
    assay_answers answers = {order, with, all, positive, masked ? enters : NULL, bin, hit, said, runs, topics, bins};
    double *out = exactly((size_t)(trials * runs), sizeof *out);
    for (int64_t which = 0; which < 3; which++) {
        check(assay_whole(&answers, which, drawn, ends, trials, out) == ASSAY_OK, "a measure of a whole run is found");
        for (int64_t i = 0; i < trials * runs; i++) {
            int64_t trial = i / runs, start = trial ? ends[trial - 1] : 0, at = i % runs * topics;
            one_run r = {topics, ends[trial] - start, drawn + start, confidence + at, right + at, answered + at, enters + at};
            double expected = which == 0 ? plain_cws(&r) : which == 1 ? plain_auroc(&r) : plain_ece(&r, bins);
            if (is_undefined(&r)) expected = NAN;
            check(isnan(expected) ? isnan(out[i]) : fabs(out[i] - expected) < 1e-9, "a whole measure is as defined");
        }
    }
    void *used[] = {right, answered, enters, confidence, hit, said, bin, order, with, all, positive, ends, drawn, out};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) free(used[i]);
    return 1;
}
