/* Dicts of a made interpreter: the core ranks and measures them as plain loops do, and refuses what is not plain. */
#include <math.h>

#include "fuzz.h"
#define PYTHON_STUB_DEFINITIONS
#include "../../src/assay/core/python_dicts.h"

enum { TOPICS = 4, MOST = 12, NAMES = 16, KERNELS = 12, NOTHING = -99 };

static const char *names[NAMES] = {"", "a", "aa", "ab", "b", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "\xc3\xa9", "\xff"};
static const double scores[] = {0.0, -0.0, 1.0, 2.0, 0.1, 0.2, 0.3, 1e300, -1e300, 1e-46, 16777217.0, 16777216.0, INFINITY, -INFINITY};

typedef struct {
    PyObject dict, id[MOST], number[MOST], *key[MOST], *value[MOST];
} documents;

typedef struct {
    PyObject dict, id[TOPICS], *key[TOPICS], *value[TOPICS];
    documents of[TOPICS];
} topics;

/* Documents that all differ, mostly plain ones. */
static void any_documents(choices *c, documents *d, int judged) {
    uint32_t at = below(c, NAMES);
    d->dict = (PyObject){.type = below(c, 9) ? &stub_dict : &stub_defaultdict, .key = d->key, .value = d->value};
    d->dict.count = (int)below(c, MOST + 1);
    for (int i = 0; i < d->dict.count; i++) {
        at = (at + 5) % NAMES;
        d->id[i] = (PyObject){.type = below(c, 200) ? &stub_str : &stub_other, .text = names[at]};
        d->number[i] = (PyObject){.type = below(c, 9) ? &stub_float : &stub_float64, .real = below(c, 200) ? scores[below(c, 14)] : NAN};
        int64_t large = below(c, 2) ? INT64_MAX : (int64_t)1 << 53;
        if (judged || below(c, 5) == 0)
            d->number[i] = (PyObject){.type = &stub_int, .whole = below(c, 99) ? (int64_t)below(c, 5) - 1 : large};
        if (below(c, 300) == 0) d->number[i].type = &stub_other;
        d->key[i] = &d->id[i];
        d->value[i] = &d->number[i];
    }
}

static void any_topics(choices *c, topics *t, int judged) {
    t->dict = (PyObject){.type = &stub_dict, .count = (int)below(c, TOPICS + 1), .key = t->key, .value = t->value};
    for (int i = 0; i < t->dict.count; i++) {
        int later = judged ? 0 : (int)below(c, 2);
        t->id[i] = (PyObject){.type = judged || below(c, 50) ? &stub_str : &stub_other, .text = names[i + later]};
        if (i && strcmp(t->id[i].text, t->id[i - 1].text) == 0) t->id[i].text = names[i + 1];
        any_documents(c, &t->of[i], judged);
        if (!judged && below(c, 50) == 0) t->of[i].dict.type = &stub_other;
        t->key[i] = &t->id[i];
        t->value[i] = &t->of[i].dict;
    }
}

static void *find_document(void *dict, void *key) {
    PyObject *d = dict;
    for (int i = 0; i < d->count; i++) {
        if (d->key[i]->type == &stub_str && strcmp(d->key[i]->text, ((PyObject *)key)->text) == 0) return d->value[i];
    }
    return NULL;
}

static int is_score(const PyObject *m) {
    if (m->type == &stub_int) return m->whole <= (int64_t)1 << 53;
    return (m->type == &stub_float || m->type == &stub_float64) && !isnan(m->real);
}

static int all_plain(const documents *d, int judged) {
    for (int i = 0; i < d->dict.count; i++) {
        const PyObject *m = &d->number[i];
        if (d->id[i].type != &stub_str || !(judged ? m->type == &stub_int && m->whole != INT64_MAX : is_score(m))) return 0;
    }
    return 1;
}

static double score_of(const PyObject *m, int float32) {
    double score = m->type == &stub_int ? (double)m->whole : m->real;
    return float32 ? (double)(float)score : score;
}

/* The grade at each rank, NOTHING where the judgments do not name the document; how many ranks. */
static int plain_ranking(documents *run, documents *judged, int float32, int judged_only, int64_t *grade) {
    PyObject *order[MOST];
    double score[MOST];
    int count = 0;
    for (int i = 0; i < run->dict.count; i++) {
        double s = score_of(&run->number[i], float32);
        int at = count++;
        for (; at > 0 && (s > score[at - 1] || (s == score[at - 1] && strcmp(run->id[i].text, order[at - 1]->text) > 0)); at--)
            order[at] = order[at - 1], score[at] = score[at - 1];
        order[at] = &run->id[i], score[at] = s;
    }
    int ranks = 0;
    for (int i = 0; i < count; i++) {
        PyObject *found = find_document(&judged->dict, order[i]);
        if (judged_only && (found == NULL || found->whole < 0)) continue;
        grade[ranks++] = found ? found->whole : NOTHING;
    }
    return ranks;
}

static double plain_gain(const int64_t *grade, int ranks, int64_t cut) {
    double total = 0;
    for (int i = 0; i < ranks && i < cut; i++) total += grade[i] > 0 ? (double)grade[i] / log2(i + 2) : 0;
    return total;
}

/* A measure by its formula, from the grade at each rank. */
static double plain_measure(int64_t kernel, int64_t cut, const assay_plan *plan, const int64_t *grade, int ranks, documents *judged) {
    int64_t ideal[MOST];
    double hits = 0, at_cut = 0, at_r = 0, precisions = 0, first = 0, preferences = 0, highest = 0, r = 0, n = 0, above = 0;
    int count = judged->dict.count;
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && judged->number[i].whole > ideal[at - 1]; at--) ideal[at] = ideal[at - 1];
        ideal[at] = judged->number[i].whole;
        r += judged->number[i].whole >= plan->level;
        n += judged->number[i].whole >= 0 && judged->number[i].whole < plan->level;
    }
    for (int i = 0; i < ranks; i++) {
        if (grade[i] >= plan->level) {
            hits++;
            at_cut += i < cut;
            at_r += i < r;
            if (1000 * hits >= (double)cut * r) highest = fmax(highest, hits / (i + 1));
            if (i < cut) precisions += hits / (i + 1);
            if (i < cut && first == 0) first = 1.0 / (i + 1);
            preferences += above > 0 ? 1 - fmin(above, r) / fmin(n, r) : 1;
        }
        above += grade[i] >= 0 && grade[i] < plan->level;
    }
    double best = plain_gain(ideal, count, cut), u = plan->undefined;
    switch (kernel) {
        case ASSAY_AP: return r > 0 ? precisions / r : u;
        case ASSAY_NDCG: return best > 0 ? plain_gain(grade, ranks, cut) / best : u;
        case ASSAY_P: return at_cut / (double)cut;
        case ASSAY_R: return r > 0 ? at_cut / r : u;
        case ASSAY_RELP: return r > 0 ? at_cut / fmin((double)cut, r) : u;
        case ASSAY_SUCCESS: return first > 0;
        case ASSAY_RPREC: return r > 0 ? at_r / r : u;
        case ASSAY_RR: return first;
        case ASSAY_IPREC: return r > 0 ? highest : u;
        default: return r > 0 ? preferences / r : u;
    }
}

/* Half characters are many among so few names: most are made whole. */
static void mend(choices *c, topics *t) {
    for (int i = 0; i < t->dict.count; i++) {
        for (int j = 0; j < t->of[i].dict.count; j++) {
            if (strcmp(t->of[i].id[j].text, "\xff") == 0 && below(c, 20)) t->of[i].id[j].text = "\xc3\xbf";
        }
    }
}

static int all_written(const topics *t) { /* as bytes that could stand in a file */
    for (int i = 0; i < t->dict.count; i++) {
        for (int j = 0; j < t->of[i].dict.count; j++) {
            if (strcmp(t->of[i].id[j].text, "\xff") == 0) return 0;
        }
    }
    return 1;
}

static void any_kernels(choices *c, const assay_plan *plan, int64_t *kernel, int64_t *cut) {
    for (int i = 0; i < plan->kernels; i++) {
        kernel[i] = below(c, 10), cut[i] = below(c, 4) ? 1 + below(c, 12) : (int64_t)1 << 53;
        if (kernel[i] == ASSAY_IPREC) cut[i] = below(c, 2) ? 125 * (int64_t)below(c, 9) : below(c, 1001); /* thousandths */
    }
}

/* Dicts read into a gold and a ranker: ranks and measures are those of the plain loop. */
int fuzz_dicts(choices *c) {
    topics *run = exactly(1, sizeof *run), *judged = exactly(1, sizeof *judged);
    any_topics(c, judged, 1);
    any_topics(c, run, 0);
    mend(c, judged);
    mend(c, run);
    int float32 = (int)below(c, 2), judged_only = (int)below(c, 2);
    int64_t depth = below(c, 2) ? -1 : (int64_t)below(c, 6);
    Py_ssize_t position = 0;
    assay_defaultdict = &stub_defaultdict;
    int plain = all_written(judged), code = ASSAY_OK, ranked = 0;
    for (int i = 0; i < judged->dict.count; i++) {
        plain &= all_plain(&judged->of[i], 1);
        for (int j = 0; j < judged->of[i].dict.count; j++) plain &= judged->of[i].number[j].whole < 1000000000;
    }
    assay_error error;
    assay_gold *gold = assay_gold_of_dicts(&judged->dict, &error);
    check((gold != NULL) == plain && error.code == (plain ? ASSAY_OK : ASSAY_FOREIGN), "plain judgments are read, and no others");
    if (gold) {
        assay_ranker *r = assay_ranker_new(gold, depth, float32, judged_only, 0, 0, 0, 0);
        check(r != NULL, "there is memory for a ranker");
        plain = all_written(run);
        for (int i = 0; i < run->dict.count; i++) {
            documents *of = &run->of[i];
            plain &= run->id[i].type == &stub_str && of->dict.type != &stub_other;
            for (int j = 0; j < of->dict.count; j++) {
                plain &= of->id[j].type == &stub_str && is_score(&of->number[j]);
            }
        }
        while (code == ASSAY_OK && position >= 0) code = assay_rank_dicts(r, &run->dict, &position, 1 + below(c, 20));
        check(code == (plain ? ASSAY_OK : ASSAY_FOREIGN), "a plain run is ranked, and no other");
        if (plain) check(assay_ranker_finish(r) == ASSAY_OK, "it ends well");
        assay_ranked found;
        assay_ranker_result(r, &found);
        int64_t kernel[KERNELS], cut[KERNELS];
        double logs[MOST + 1];
        for (int i = 0; i <= MOST; i++) logs[i] = log2(i + 1);
        assay_plan plan = {.kernel = kernel, .cut = cut, .logs = logs, .kernels = below(c, KERNELS + 1), .level = 1 + below(c, 3), .undefined = -7};
        any_kernels(c, &plan, kernel, cut);
        double *values = exactly((size_t)(gold->topics * plan.kernels), sizeof *values);
        if (plain) check(assay_ranker_measure(r, &plan, 1, values) == ASSAY_OK, "there is memory to measure");
        for (int64_t t = 0; plain && t < gold->topics; t++) {
            documents *of = NULL, *known = NULL;
            for (int i = 0; i < run->dict.count; i++) {
                if (strlen(run->id[i].text) == gold->topic[t].length && memcmp(run->id[i].text, gold->topic[t].id, gold->topic[t].length) == 0) of = &run->of[i];
            }
            for (int i = 0; i < judged->dict.count; i++) {
                if (strlen(judged->id[i].text) == gold->topic[t].length && memcmp(judged->id[i].text, gold->topic[t].id, gold->topic[t].length) == 0) known = &judged->of[i];
            }
            check((found.num_ret[t] >= 0) == (of != NULL), "a topic that the run has is there");
            if (of == NULL || (depth >= 0 && judged_only)) continue;
            int64_t grade[MOST], at = found.pooled_start[t];
            int ranks = plain_ranking(of, known, float32, judged_only, grade);
            if (depth >= 0 && ranks > depth) ranks = (int)depth;
            check(found.num_ret[t] == ranks, "as many are retrieved as by the plain loop");
            for (int i = 0; i < ranks; i++) {
                if (grade[i] == NOTHING) continue;
                int64_t number = found.pooled_document[at];
                check(found.pooled_rank[at++] == i + 1, "a pooled document stands at its rank");
                check(gold->document[gold->topic[t].first + number].grade == grade[i], "with its grade");
            }
            check(at == found.pooled_start[t] + found.pooled_count[t], "no more is found than by the plain loop");
            for (int64_t i = 0; i < plan.kernels; i++) {
                double expected = plain_measure(kernel[i], cut[i], &plan, grade, ranks, known);
                check(values[i * gold->topics + t] == expected, "a kernel is its formula");
            }
            ranked++;
        }
        free(values);
        assay_ranker_free(r);
    }
    assay_gold_free(gold);
    free(judged);
    free(run);
    return ranked > 0;
}
