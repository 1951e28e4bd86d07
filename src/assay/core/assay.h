/* The compiled core, as its callers see it: every struct, every code and every function the library exports.
 *
 * A gold is built once and shared by all runs. A ranker reads one run in any number of chunks, joins each topic with the gold
 * as soon as its last line has been seen, and keeps only where the judged documents are: no measure needs more. The
 * resampling kernels draw topics, add up integer columns and compare pairs of runs; every trial has a random stream of its own,
 * so the answer depends neither on the threads nor on the order of the work.
 *
 * `binding.py` declares the same in ctypes. The library describes itself (layout.c), and the loader compares the two: a core built
 * from other declarations is refused. `reference.py` and `resample_reference.py` do the same work in Python, and the tests compare
 * the two. Two functions for Python dicts are not here: they belong to the extension module in the same file (python_module.c).
 */
#ifndef ASSAY_H
#define ASSAY_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

enum { ASSAY_TEXT = 200 }; /* room for an offending word, with its final zero */

/* Status codes. Kernels return only ASSAY_OK and ASSAY_MEMORY. */
enum assay_code {
    ASSAY_OK = 0,
    ASSAY_FIELDS,      /* a line with the wrong number of fields */
    ASSAY_SCORE,       /* a score that is not a number */
    ASSAY_GRADE,       /* a grade that is not a whole number */
    ASSAY_DUPLICATE,   /* the same document twice in a topic */
    ASSAY_BINARY,      /* a zero byte */
    ASSAY_INTERLEAVED, /* a topic that recurs after another: read again, keeping all topics */
    ASSAY_MEMORY,      /* no memory, or more of something than 32 bits can number */
    ASSAY_FOREIGN      /* an object or a column that the core does not read: Python reads it, and reports any fault */
};

/* What is wrong with the input, and where. */
typedef struct {
    int32_t code;           /* of assay_code */
    int32_t fields;         /* how many fields the line has */
    int64_t line;           /* physical line, from 1 */
    int64_t other;          /* for a duplicate: where the document stood first */
    char text[ASSAY_TEXT];  /* the offending word or document id */
    char topic[ASSAY_TEXT]; /* the topic it is in */
} assay_error;

/* A document of the gold. */
typedef struct {
    const char *id; /* in the bytes the gold was read from */
    uint32_t length; /* of the id */
    int32_t grade;
    uint32_t line;
    uint32_t topic; /* its number, until the gold is complete */
} assay_judged;

/* A topic of the gold. */
typedef struct {
    const char *id;
    uint64_t hash;
    uint32_t length; /* of the id */
    uint32_t buckets; /* of its documents: a power of two */
    int64_t first;   /* its documents are at document[first .. first + count) */
    int64_t count;
    int64_t start;   /* where its buckets begin, and the last ends, is from starts[start] on */
} assay_topic;

/* The judgments. */
typedef struct {
    int64_t topics;        /* in byte order of their ids */
    int64_t documents;     /* of all topics */
    int64_t largest;       /* of the largest topic */
    assay_topic *topic;
    assay_judged *document;
    struct assay_known *known; /* the documents of each topic by buckets: judged_index.h */
    uint8_t *marks;        /* a byte of the hash of each document */
    uint32_t *starts;      /* per topic: where each of its buckets begins */
    void *index;           /* the allocation of known, marks and starts */
    int64_t *grades;       /* per topic, highest first, aligned with its documents' range */
    char *names;           /* the topics' ids joined by zero bytes */
    int64_t named;         /* bytes of the names */
    uint32_t *topic_slots; /* hash table of topics: number + 1, or 0 */
    uint32_t topic_mask;
    uint32_t one_allocation; /* whether the index also holds documents and grades: grouped_gold.h */
    struct assay_arena_piece *kept; /* copied ids, where their bytes do not outlive the gold */
} assay_gold;

/* One run being read; opaque to callers. */
typedef struct assay_ranker assay_ranker;

/* The judged documents of each topic in one run. The ranker owns all of it. */
typedef struct {
    const int64_t *num_ret;        /* per topic of the gold: documents retrieved, or -1 where the run has none */
    const int64_t *relevant_start; /* per topic: where its relevant documents are in the three columns below */
    const int64_t *relevant_count;
    const int64_t *pooled_start;   /* per topic: where its judged documents are in the last two columns */
    const int64_t *pooled_count;
    const int32_t *relevant_rank;  /* rank of a document with a grade above 0 */
    const int32_t *relevant_grade;
    const int32_t *nonrelevant_above; /* documents of grade 0 above it */
    const int32_t *pooled_rank;    /* rank of a document the gold names, whatever its grade */
    const int32_t *pooled_document; /* its number in the gold's topic */
    const int32_t *pooled_grade;
    const char *tag;               /* of the last line, or NULL */
    const char *other;             /* the last topic without judgments, or NULL */
    const assay_error *error;
    const uint64_t *ignored_topics; /* hashes of the topics without judgments */
    int64_t tag_length;
    int64_t other_length;
    int64_t data_lines; /* lines other than blank ones and comments */
    int64_t ignored;    /* how many topics without judgments */
} assay_ranked;

/* Measures that the core computes too. Their definitions are the Python functions that are declared with these names. */
#define ASSAY_KERNELS "AP nDCG P R RelP Success Rprec RR Bpref IPrec"
enum assay_kernel { ASSAY_AP, ASSAY_NDCG, ASSAY_P, ASSAY_R, ASSAY_RELP, ASSAY_SUCCESS, ASSAY_RPREC, ASSAY_RR, ASSAY_BPREF, ASSAY_IPREC };

/* Columns of a data frame of any library, as the Arrow C stream interface hands them over (arrow.h). */
struct ArrowArrayStream;

/* Measures of a whole run that the core computes on resamples too, their definitions Python functions as well. */
#define ASSAY_WHOLES "CWS AUROC ECE"

/* The answers of several runs to the same questions, [run][topics] each. The first three hold for CWS and AUROC, the others for ECE. */
typedef struct {
    const uint32_t *order;    /* the answers that enter, highest confidence first, those without one last: question · 4 + right · 2 +
                               * whether its group of equal confidences ends here */
    const int64_t *stated, *answered, *positive; /* [run]: answers with a confidence, all answers, answers with one above 0 */
    const uint8_t *enters;    /* whether a question enters a run's measure; NULL where all do */
    const int32_t *bin;       /* that the confidence is in; `bins` of what is no answer, `bins` + 1 of an answer without a confidence */
    const double *hit;        /* 1 or 0; 1 of what is no answer, or one without a confidence */
    const double *confidence; /* 0 where there is none */
    int64_t runs, topics, bins;
} assay_answers;

/* The kernels to compute on every topic of a run. */
typedef struct {
    const int64_t *kernel; /* of assay_kernel */
    const int64_t *cut;    /* cut off at this rank */
    const double *logs;    /* log2(rank + 1), as the interpreter has it, of every rank and every judged document */
    int64_t kernels;       /* how many */
    int64_t level;         /* lowest grade that is relevant, at least 1 */
    double undefined;      /* the value where there is none */
} assay_plan;

#endif

/* The functions. layout.c includes this part a second time, to print each declaration as it is here. */
#ifndef ASSAY_FUNCTION
#define ASSAY_FUNCTION(result, name, parameters) EXPORT result name parameters;
#endif

/* The layout of the structs above and the functions below as text, a line each, ended by a zero; returns its length, at most
 * `room` - 1. */
ASSAY_FUNCTION(int64_t, assay_describe, (char *text, int64_t room))

/* Judgments from the text of a qrels file: topic, iteration, document, grade. The gold keeps pointers into `bytes`, which must
 * outlive it. NULL where something is wrong, which `error` then says. */
ASSAY_FUNCTION(assay_gold *, assay_gold_read, (const char *bytes, size_t size, assay_error *error))

/* Judgments from columns: ids joined by zero bytes, `counts[t]` documents for topic t. Lines are document numbers from 1. */
ASSAY_FUNCTION(assay_gold *, assay_gold_pack,
               (const char *topics, const char *documents, int64_t count, const int64_t *counts, const int64_t *grades, assay_error *error))

/* Judgments from an Arrow stream of three columns: topic, document, grade. It is read to its end and released. ASSAY_FOREIGN where a cell
 * is null, no text or no number, or a document occurs twice. */
ASSAY_FUNCTION(assay_gold *, assay_gold_stream, (struct ArrowArrayStream *stream, assay_error *error))

/* Free a gold; NULL is ignored. */
ASSAY_FUNCTION(void, assay_gold_free, (assay_gold *gold))

/* A ranker for one run. `depth`: documents looked at per topic, or -1. `float32`: scores rounded to single precision.
 * `judged_only`: documents without a judgment leave the ranking. `keep`: a topic may come back after another.
 * `any_fields`: a line may have more than six fields. `ascending_ties`: ties break by ascending id. `relevant_only`: of the documents the
 * gold names, those of a grade above 0 are noted, and none are pooled. NULL without memory. */
ASSAY_FUNCTION(assay_ranker *, assay_ranker_new,
               (const assay_gold *gold, int64_t depth, int float32, int judged_only, int keep, int any_fields, int ascending_ties, int relevant_only))

/* Read the next bytes of the run; they may end anywhere. Returns a code, as do the next three. */
ASSAY_FUNCTION(int, assay_ranker_feed, (assay_ranker *ranker, const char *bytes, size_t size))

/* The same of up to `size` bytes of an open file, from where it is, by pieces of so many: a descriptor, on Windows a handle. A line of
 * more than `longest` bytes, and a file that cannot be read, are ASSAY_MEMORY: reading in Python reports the cause. */
ASSAY_FUNCTION(int, assay_ranker_read, (assay_ranker *ranker, int64_t file, int64_t size, int64_t piece, int64_t longest))

/* One topic from memory: ids joined by zero bytes. Lines are document numbers from 1. */
ASSAY_FUNCTION(int, assay_ranker_pack,
               (assay_ranker *ranker, const char *topic, size_t length, const char *documents, int64_t count, const double *scores))

/* A whole run from an Arrow stream of three columns: topic, document, score. As assay_gold_stream. */
ASSAY_FUNCTION(int, assay_ranker_stream, (assay_ranker *ranker, struct ArrowArrayStream *stream))

/* End the run: read a last line without newline, and close open topics. */
ASSAY_FUNCTION(int, assay_ranker_finish, (assay_ranker *ranker))

/* The result so far, with the error. */
ASSAY_FUNCTION(void, assay_ranker_result, (const assay_ranker *ranker, assay_ranked *result))

/* The kernels of a plan on every topic of the gold: values[kernel · topics + topic]. Without `every`, of the run's topics
 * only. Returns a code; the plan has logarithms for the longest ranking, and for the topic with most documents. */
ASSAY_FUNCTION(int, assay_ranker_measure, (const assay_ranker *ranker, const assay_plan *plan, int every, double *values))

/* Free a ranker; NULL is ignored. */
ASSAY_FUNCTION(void, assay_ranker_free, (assay_ranker *ranker))

/* The first documents of the topics of a run, by descending score and then by descending id as bytes. For each topic that ends within
 * these bytes, in file order: a line with its id, a line for each of at most `depth` documents, an empty line; `scores` has the scores of
 * these documents. With the `last` bytes every topic ends, and a line with the tag of the run's last line follows. `out` has room for
 * `size` bytes, `scores` for the score of every line. `used` is where the topic begins that goes on behind these bytes. Returns the
 * bytes written, or -1 where Python must read the run: a zero byte, a line without six fields, a score that is not a number, a
 * document twice in a topic, no documents at the end of the run, no memory. */
ASSAY_FUNCTION(int64_t, assay_top_documents,
               (const char *bytes, size_t size, int last, int64_t depth, char *out, double *scores, int64_t *used))

/* Column sums of values[row][column] after an independent shuffle of every row: out[trial][column], for the trials from `first`
 * on. `key` is purpose_key(seed, purpose) of assay/random.py. Returns ASSAY_OK or ASSAY_MEMORY, as do the next three. */
ASSAY_FUNCTION(int, assay_shuffled_sums,
               (const int64_t *values, int64_t rows, int64_t columns, uint64_t key, int64_t first, int64_t trials, int64_t *out))

/* The same for `rows` rows drawn with replacement. */
ASSAY_FUNCTION(int, assay_bootstrap_sums,
               (const int64_t *values, int64_t rows, int64_t columns, uint64_t key, int64_t first, int64_t trials, int64_t *out))

/* The same for a random part of the rows, each taken with probability one half. */
ASSAY_FUNCTION(int, assay_half_sums,
               (const int64_t *values, int64_t rows, int64_t columns, uint64_t key, int64_t first, int64_t trials, int64_t *out))

/* The rows one trial of assay_bootstrap_sums draws: out holds `rows` of them. */
ASSAY_FUNCTION(int, assay_bootstrap_rows, (int64_t rows, uint64_t key, int64_t trial, uint32_t *out))

/* Sums over the topics that each trial draws first, in the order of a partial Fisher-Yates
 * shuffle: sums[mark][column][trial] is of the
 * first marks[mark] topics; `count` marks, rising and at most `topics`, at least one of them. Columns are in blocks of 8,
 * table[block][topic][8], the last filled with zeros. Returns ASSAY_OK or ASSAY_MEMORY. */
ASSAY_FUNCTION(int, assay_drawn,
               (const int64_t *table, int32_t columns, uint64_t key, uint64_t first, int32_t trials, int32_t topics, const int32_t *marks, int32_t count, int64_t *sums))

/* sums[run][flip], and pairs of runs a[i], b[i]: with r = (sums[a] - sums[b])² scales[i], adds to reached[i] how many flips have an r of
 * at least bounds[i], and raises largest[flip] to the largest r of any pair. `reached` may be NULL: for no counts. */
ASSAY_FUNCTION(void, assay_flipped,
               (const double *sums, int64_t flips, const int64_t *a, const int64_t *b, const double *scales, const double *bounds, int64_t pairs, int64_t *reached, double *largest))

/* A measure of ASSAY_WHOLES, by its number, on the questions that each trial draws: out[trial][run], NaN where it is undefined. A trial's
 * draw ends before drawn[ends[trial]], and the next begins there; it is shorter than 2^26. Returns ASSAY_OK or ASSAY_MEMORY. */
ASSAY_FUNCTION(int, assay_whole,
               (const assay_answers *all, int64_t which, const int32_t *drawn, const int64_t *ends, int64_t trials, double *out))

/* What each two of several rankings of one topic share. documents[starts[run]] is where a run's ranking begins; each document is a number
 * below `count`, and is in a ranking once. terms[d] weighs depth d, from 1 to the length of the longest. Pairs (i, j) with i < j in
 * order: counts[pair] has how many documents both have, how many of them both have down to the end of the shorter one, and how many pairs
 * of shared documents are in the same order in both; sums[pair] has Σ terms[d] · shared(d), and over the shared documents from the second
 * on in the order of i, the share of those before it that j too has before it. Returns ASSAY_OK or ASSAY_MEMORY. */
ASSAY_FUNCTION(int, assay_overlaps,
               (const int32_t *documents, const int64_t *starts, int64_t runs, int64_t count, const double *terms, int64_t *counts, double *sums))

/* values[run][trial] over a common denominator: adds to outcomes[pair][20], pairs (x, y) with x < y in order. The caller keeps
 * 200 |value| within the type, and trials below 1024. */
ASSAY_FUNCTION(void, assay_pairs_int32, (const int32_t *values, int32_t runs, int32_t trials, int64_t *outcomes))
ASSAY_FUNCTION(void, assay_pairs_int64, (const int64_t *values, int32_t runs, int32_t trials, int64_t *outcomes))

/* As above for values that do not share a denominator: top and bottom[set][run][trial]; of two sets, adds to edges[22][3] of all pairs
 * too. `outcomes` may be NULL: for none. The caller keeps 200 |top| bottom and 21 bottom² within 63 bits. */
ASSAY_FUNCTION(void, assay_pairs_ratio,
               (const int64_t *top, const int64_t *bottom, int32_t runs, int32_t trials, int32_t sets, int64_t *outcomes, int64_t *edges))

/* The edges alone, of values[2][run][trial] over the denominator `unit`. The caller keeps 200 |value| and 21 unit within 63 bits. */
ASSAY_FUNCTION(void, assay_swaps, (const int64_t *values, int32_t runs, int32_t trials, int64_t unit, int64_t *edges))

#undef ASSAY_FUNCTION
