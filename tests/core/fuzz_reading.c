/* Judgments and runs, as text and packed: any way of handing over the same run gives the same answer, which for packed runs is
 * that of plain loops. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>

#include "fuzz.h"

typedef struct {
    int64_t depth;
    int float32, judged_only, keep, any_fields, ascending, relevant_only;
} options;

static options any_options(choices *c) {
    int64_t depth = below(c, 2) ? -1 : (int64_t)below(c, 5);
    return (options){depth, (int)below(c, 2), (int)below(c, 2), (int)below(c, 2), (int)below(c, 2), (int)below(c, 2), 0};
}

static assay_ranker *ranker_for(const assay_gold *gold, options o) {
    assay_ranker *r = assay_ranker_new(gold, o.depth, o.float32, o.judged_only, o.keep, o.any_fields, o.ascending, o.relevant_only);
    check(r != NULL, "there is memory for a ranker");
    return r;
}

/* Every rank stands in order and within what was retrieved, and says of the gold what the gold says. */
static void check_ranked(const assay_gold *gold, const assay_ranked *found) {
    for (int64_t t = 0; t < gold->topics; t++) {
        const assay_topic *topic = &gold->topic[t];
        int64_t relevant = found->relevant_start[t], above = 0, before = 0;
        if (found->num_ret[t] < 0) continue;
        for (int64_t i = found->pooled_start[t]; i < found->pooled_start[t] + found->pooled_count[t]; i++) {
            int64_t rank = found->pooled_rank[i], number = found->pooled_document[i];
            check(rank > before && rank <= found->num_ret[t], "ranks ascend within the documents retrieved");
            check(number >= 0 && number < topic->count, "a document of the gold is one of its topic");
            int64_t grade = gold->document[topic->first + number].grade;
            before = rank;
            if (grade > 0) {
                check(relevant < found->relevant_start[t] + found->relevant_count[t], "every relevant document is counted");
                check(found->relevant_rank[relevant] == rank && found->relevant_grade[relevant] == grade, "it has its rank and grade");
                check(found->nonrelevant_above[relevant++] == above, "documents of grade 0 above it are counted");
            }
            above += grade == 0;
        }
        check(relevant == found->relevant_start[t] + found->relevant_count[t], "only relevant documents are counted");
    }
}

static int same_columns(const int32_t *a, int64_t from, const int32_t *b, int64_t at, int64_t count) {
    return count == 0 || memcmp(a + from, b + at, (size_t)count * sizeof *a) == 0;
}

static void check_same(const assay_gold *gold, const assay_ranked *a, const assay_ranked *b) {
    for (int64_t t = 0; t < gold->topics; t++) {
        check(a->num_ret[t] == b->num_ret[t], "as many documents are retrieved");
        if (a->num_ret[t] < 0) continue;
        check(a->pooled_count[t] == b->pooled_count[t] && a->relevant_count[t] == b->relevant_count[t], "as many are found");
        int64_t i = a->pooled_start[t], j = b->pooled_start[t], count = a->pooled_count[t];
        check(same_columns(a->pooled_rank, i, b->pooled_rank, j, count), "at the same ranks");
        check(same_columns(a->pooled_document, i, b->pooled_document, j, count), "the same documents");
    }
}

/* The same relevant documents, and no others. */
static void check_relevant(const assay_gold *gold, const assay_ranked *all, const assay_ranked *few) {
    for (int64_t t = 0; t < gold->topics; t++) {
        int64_t i = all->relevant_start[t], j = few->relevant_start[t], count = all->relevant_count[t];
        check(all->num_ret[t] == few->num_ret[t] && few->pooled_count[t] == 0, "as many are retrieved, and nothing is pooled");
        check(few->relevant_count[t] == count, "as many relevant ones are found");
        check(same_columns(all->relevant_rank, i, few->relevant_rank, j, count), "at the same ranks");
        check(same_columns(all->relevant_grade, i, few->relevant_grade, j, count), "with the same grades");
        check(same_columns(all->nonrelevant_above, i, few->nonrelevant_above, j, count), "below as many of grade 0");
    }
}

/* ---- texts ------------------------------------------------------------------------------------------------------------ */

typedef struct { /* one run, read by one of several threads that share the gold */
    const assay_gold *gold;
    const char *bytes;
    size_t size, piece;
    options how;
    int is_file; /* which the core reads itself */
    assay_ranker *ranker;
    int code;
} reading;

static int read_file(assay_ranker *ranker, const char *bytes, size_t size, size_t piece) {
    FILE *file = tmpfile();
    check(file != NULL && fwrite(bytes, 1, size, file) == size && fflush(file) == 0, "a file can be written");
    rewind(file);
    size_t half = size / 2;
    int code = assay_ranker_read(ranker, fileno(file), (int64_t)half, (int64_t)piece, 1 << 20);
    if (code == ASSAY_OK) code = assay_ranker_read(ranker, fileno(file), (int64_t)(size - half) + 9, (int64_t)piece, 1 << 20);
    fclose(file);
    return code;
}

static void *read_run(void *argument) {
    reading *r = argument;
    r->ranker = ranker_for(r->gold, r->how);
    r->code = r->is_file ? read_file(r->ranker, r->bytes, r->size, r->piece) : ASSAY_OK;
    for (size_t at = 0; !r->is_file && at < r->size; at += r->piece) {
        size_t here = r->size - at < r->piece ? r->size - at : r->piece;
        char *chunk = copied(r->bytes + at, here); /* gone after the call, as Python's are */
        r->code = assay_ranker_feed(r->ranker, chunk, here);
        free(chunk);
    }
    int last = assay_ranker_finish(r->ranker);
    check(r->code == ASSAY_OK || r->code == last, "an error stays the same");
    r->code = last;
    return NULL;
}

/* One run whole, in pieces, from a file and with topics kept open, by threads that share the gold: the same answer, or the same error on the same line. */
static int read_together(const assay_gold *gold, const char *bytes, size_t size, options how, size_t piece, int at_once) {
    enum { WHOLE, PIECES, FILED, KEPT, QUICK, READERS };
    reading several[READERS];
    assay_ranked found[READERS];
    for (int i = 0; i < READERS; i++) {
        several[i] = (reading){gold, bytes, size, i == WHOLE && size ? size : piece, how, i == FILED, NULL, 0};
        if (i == KEPT) several[i].how.keep = 1;
        if (i == QUICK) several[i].how.relevant_only = 1;
    }
    do_all(read_run, several, sizeof *several, READERS, at_once);
    for (int i = 0; i < READERS; i++) {
        assay_ranker_result(several[i].ranker, &found[i]);
        check(found[i].error->code == several[i].code, "a result holds its error");
        if (several[i].code == ASSAY_OK && i != QUICK) check_ranked(gold, &found[i]);
    }
    const assay_ranked *whole = &found[WHOLE], *pieces = &found[PIECES];
    check(memcmp(whole->error, found[FILED].error, sizeof *whole->error) == 0, "a file makes the same error");
    check(memcmp(whole->error, pieces->error, sizeof *whole->error) == 0, "pieces make the same error");
    check(memcmp(whole->error, found[QUICK].error, sizeof *whole->error) == 0, "who looks at relevant ones alone makes the same error");
    if (several[WHOLE].code == ASSAY_OK) check_relevant(gold, whole, &found[QUICK]);
    int code = several[WHOLE].code;
    if (code == ASSAY_OK) {
        check_same(gold, whole, pieces);
        check_same(gold, whole, &found[FILED]);
        check(whole->data_lines == pieces->data_lines && whole->ignored == pieces->ignored, "pieces make as many lines and topics");
        check(whole->tag_length == pieces->tag_length, "pieces have the same tag");
        check(whole->tag_length == 0 || memcmp(whole->tag, pieces->tag, (size_t)whole->tag_length) == 0, "pieces have the same tag");
        check(several[KEPT].code == ASSAY_OK, "what can be read in order can be read with topics kept open");
        check_same(gold, whole, &found[KEPT]);
    }
    if (how.keep) check(code != ASSAY_INTERLEAVED, "with topics kept open any may come back");
    for (int i = 0; i < READERS; i++) assay_ranker_free(several[i].ranker);
    return code;
}

static const char *words[] = {"1",    "2",  "301",  "Q0",   "0",     "d1",       "d2",   "D",   "x#y",      "#",    "-1",
                              "1.5",  "1e9", "nan", "inf",  "-0.0",  "1e-400",   "1e400", "tag", "\xc3\xa9", "\xff", "999999999",
                              "1e99", ".",  "+",    "e5",   "0x1p3", "infinity", "\xEF\xBB\xBF", "1234567890123456789012345678901234567890"};
static const char *separators[] = {" ", "\t", "  ", "\r", "\v"};
static const char *ends[] = {"\n", "\r\n", "\n\n", "", "\n# comment\n"};

/* Lines as nearly all runs have them, of a few topics, mostly in order, each document mostly once. */
static size_t usual_lines(choices *c, char *buffer, size_t room) {
    static const char *blanks[] = {" ", "\t"}, *shapes[] = {"%u.%02u", "%u", "%u.%06u", "-%u.%u", "%u.%ue1"}, *tags[] = {"t", "a-tag-of-some-length"};
    const char *blank = blanks[below(c, 2)], *shape = shapes[below(c, 5)], *tag = tags[below(c, 2)];
    uint32_t wild = below(c, 3) ? 0 : 1 + below(c, 9), score = 900;
    size_t length = 0;
    for (uint32_t line = 0, count = below(c, 60); line < count && length + 200 < room; line++) {
        int odd = wild && below(c, wild + 4) == 0;
        char number[40];
        score -= odd ? below(c, 2) * 70 : 1 + below(c, 9);
        snprintf(number, sizeof number, shape, score / 100, score % 100);
        uint32_t document = odd ? below(c, 60) : line, width = line % 11 ? 2 : 40;
        length += (size_t)snprintf(buffer + length, room - length, "t%u%sQ0%sd%0*u%s%u%s%s%s%s\n", line / 20, blank, blank, (int)width, document,
                                   odd && below(c, 2) ? "  " : blank, line, blank, odd && below(c, 3) == 0 ? "x" : number, blank, tag);
    }
    return length;
}

/* Lines that are mostly well formed, with some bytes flipped. */
static size_t lines(choices *c, char *buffer, size_t room, uint32_t fields) {
    size_t length = fields == 6 && below(c, 3) ? usual_lines(c, buffer, room / 2) : 0;
    if (length == 0 && below(c, 20) == 0) length += (size_t)snprintf(buffer, room, "\xEF\xBB\xBF");
    for (uint32_t line = below(c, 40); line > 0; line--) {
        uint32_t count = below(c, 30) ? fields : below(c, 9);
        for (uint32_t i = 0; i < count && length + 200 < room; i++) {
            const char *word = words[below(c, sizeof words / sizeof *words)];
            char small[24];
            if ((fields == 4 ? i == 3 : i == 4) && below(c, 20)) {
                snprintf(small, sizeof small, "%d", (int)below(c, 5) - 1);
                word = small;
            } else if (below(c, 4) && (i == 0 || i == 2)) {
                snprintf(small, sizeof small, "%c%u", i ? 'd' : 't', below(c, i ? 30 : 4));
                word = small;
            }
            length += (size_t)snprintf(buffer + length, room - length, "%s%s", i ? separators[below(c, 5)] : "", word);
        }
        if (length + 200 < room) length += (size_t)snprintf(buffer + length, room - length, "%s", ends[below(c, 8) ? 0 : below(c, 5)]);
    }
    for (uint32_t flips = below(c, 6) ? 0 : below(c, 4); flips > 0 && length; flips--) buffer[below(c, (uint32_t)length)] = (char)below(c, 256);
    return length;
}

/* After a byte for each option either `=`, the judgments, a record separator and the run as they are; or choices of lines. */
int fuzz_text(choices *c) {
    options how = any_options(c);
    size_t piece = 1 + below(c, 200);
    int at_once = below(c, 4) == 0;
    static char buffer[2][8192];
    const char *qrels = buffer[0], *run = buffer[1];
    size_t qrels_size, run_size;
    if (c->at < c->end && *c->at == '=') {
        const char *cut = memchr(c->at, 0x1e, (size_t)(c->end - c->at));
        qrels = (const char *)c->at + 1;
        run = cut ? cut + 1 : (const char *)c->end;
        qrels_size = (size_t)((cut ? cut : run) - qrels);
        run_size = (size_t)((const char *)c->end - run);
    } else {
        qrels_size = lines(c, buffer[0], sizeof buffer[0], 4);
        run_size = lines(c, buffer[1], sizeof buffer[1], 6);
    }
    char *judged = copied(qrels, qrels_size), *returned = copied(run, run_size);
    assay_error error;
    assay_gold *gold = assay_gold_read(judged, qrels_size, &error);
    check((gold == NULL) == (error.code != ASSAY_OK), "a gold is read, or an error is told");
    int64_t counts[] = {2, 0, 1}, grades[] = {1, 0, 2};
    if (gold == NULL) gold = assay_gold_pack("t0\0t1\0t2", "d1\0d2\0d1", 3, counts, grades, &error);
    check(gold != NULL, "a small gold can be packed");
    for (int64_t t = 1; t < gold->topics; t++) {
        const assay_topic *a = &gold->topic[t - 1], *b = &gold->topic[t];
        int order = memcmp(a->id, b->id, a->length < b->length ? a->length : b->length);
        check(order < 0 || (order == 0 && a->length < b->length), "topics stand in byte order, each once");
    }
    int code = read_together(gold, returned, run_size, how, piece, at_once);
    assay_gold_free(gold);
    free(judged);
    free(returned);
    return code == ASSAY_OK;
}

/* ---- packed ----------------------------------------------------------------------------------------------------------- */

enum { MOST = 12, GROUPS = 6 };

typedef struct { /* a topic of the gold, or a topic handed over of a run */
    const char *topic;
    int count;
    const char *document[MOST];
    double score[MOST];
    int64_t grade[MOST];
} group;

static const char *ids[] = {"", "a", "aa", "b", "ab", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "\xc3\xa9", "\xff",
                            "eight-id", "nine-byte", "a-document-id-that-is-longer-than-most-of-them-are-in-any-file",
                            "a-document-id-that-is-longer-than-most-of-them-are-in-any-filf"};
static const double scores[] = {0.0, -0.0, 1.0, 2.0, 0.1, 1e300, -1e300, 5e-324, 1e-46, 16777217.0, 16777216.0, INFINITY, -INFINITY};

/* Topics and documents that mostly differ: what is refused at the first repetition tries nothing else. */
static void any_group(choices *c, group *g, int number) {
    enum { IDS = sizeof ids / sizeof *ids };
    static const uint32_t steps[] = {1, 5, 7, 11, 13, 17}; /* none divides IDS */
    uint32_t at = below(c, IDS), step = steps[below(c, 6)];
    int careless = below(c, 10) == 0;
    g->topic = ids[careless ? below(c, 4) : (uint32_t)number];
    g->count = (int)below(c, MOST + 1);
    for (int i = 0; i < g->count; i++) {
        at = careless ? below(c, IDS) : (at + step) % IDS;
        g->document[i] = ids[at];
        g->score[i] = below(c, 100) ? scores[below(c, sizeof scores / sizeof *scores)] : NAN;
        g->grade[i] = below(c, 9) ? (int64_t)below(c, 4) - 1 : whole(c, 999999999);
    }
}

/* Ids with a zero byte behind each. */
static char *joined(const group *groups, int count, int topics) {
    size_t size = 0;
    char *text = exactly(1 + (size_t)count * (MOST + 1) * 70, 1);
    text[0] = 0;
    for (int g = 0; g < count; g++) {
        for (int i = 0; i < (topics ? 1 : groups[g].count); i++) {
            const char *id = topics ? groups[g].topic : groups[g].document[i];
            memcpy(text + size, id, strlen(id) + 1);
            size += strlen(id) + 1;
        }
    }
    char *exact = copied(text, size ? size : 1);
    free(text);
    return exact;
}

/* The first of equal ids in a group of the gold, looked for among all its groups of that topic; -1 where it has no grade. */
static int64_t grade_of(const group *gold, int groups, const char *topic, const char *document, int *times) {
    int64_t grade = -1;
    *times = 0;
    for (int g = 0; g < groups; g++) {
        for (int i = 0; strcmp(gold[g].topic, topic) == 0 && i < gold[g].count; i++) {
            if (strcmp(gold[g].document[i], document) == 0) grade = gold[g].grade[i], ++*times;
        }
    }
    return grade;
}

typedef struct {
    const char *document;
    double score;
} ranked;

static int stands_above(const ranked *a, const ranked *b, int ascending) {
    int order = strcmp(a->document, b->document);
    return a->score != b->score ? a->score > b->score : ascending ? order < 0 : order > 0;
}

/* What the run has of a topic, ordered by inserting; how many. */
static int gathered(const group *run, int groups, const char *topic, options how, ranked *into) {
    int count = 0;
    for (int g = 0; g < groups; g++) {
        for (int i = 0; strcmp(run[g].topic, topic) == 0 && i < run[g].count; i++) {
            ranked one = {run[g].document[i], how.float32 ? (double)(float)run[g].score[i] : run[g].score[i]};
            int at = count++;
            for (; at > 0 && stands_above(&one, &into[at - 1], how.ascending); at--) into[at] = into[at - 1];
            into[at] = one;
        }
    }
    return how.depth >= 0 && how.depth < count ? (int)how.depth : count;
}

static void check_topic(const assay_gold *gold, int64_t t, const group *judged, int groups, const ranked *top, int count, options how,
                        const assay_ranked *found) {
    int64_t rank = 0, nonrelevant = 0, relevant = found->relevant_start[t], last = relevant + found->relevant_count[t];
    for (int i = 0; i < count; i++) {
        int times;
        int64_t grade = grade_of(judged, groups, gold->topic[t].id, top[i].document, &times);
        if (grade < 0 && how.judged_only) continue;
        rank++;
        if (grade > 0) {
            check(relevant < last && found->relevant_rank[relevant] == rank, "a relevant document has the rank of the plain loop");
            check(found->relevant_grade[relevant] == grade, "and its grade");
            check(found->nonrelevant_above[relevant++] == nonrelevant, "and as many of grade 0 above it");
        }
        nonrelevant += grade == 0 && times > 0;
    }
    check(relevant == last && found->num_ret[t] == rank, "no more is found than by the plain loop");
}

/* Two kernels on all topics of a run, from where the core says that the relevant documents stand; -1 is undefined. */
static void check_measured(const assay_gold *gold, const assay_ranker *r, const assay_ranked *found, int64_t level) {
    static const int64_t kernel[] = {ASSAY_P, ASSAY_R}, cut[] = {2, (int64_t)1 << 53};
    double logs[] = {0, 1}, *values = malloc((2 * (size_t)gold->topics + 1) * sizeof *values);
    assay_plan plan = {.kernel = kernel, .cut = cut, .logs = logs, .kernels = 2, .level = level, .undefined = -1};
    for (int64_t i = 0; i < 2 * gold->topics; i++) values[i] = -2;
    check(assay_ranker_measure(r, &plan, 0, values) == ASSAY_OK, "a run that was read can be measured");
    for (int64_t t = 0; t < gold->topics; t++)
        check((values[t] == -2) == (found->num_ret[t] < 0), "measured are the topics that the run has");
    check(assay_ranker_measure(r, &plan, 1, values) == ASSAY_OK, "and so can all topics");
    for (int64_t t = 0; t < gold->topics; t++) {
        double relevant = 0, first = 0, all = 0;
        for (int64_t i = 0; i < gold->topic[t].count; i++) relevant += gold->grades[gold->topic[t].first + i] >= level;
        for (int64_t i = 0; i < found->relevant_count[t]; i++) {
            int64_t at = found->relevant_start[t] + i, counts = found->relevant_grade[at] >= level;
            all += (double)counts, first += (double)(counts && found->relevant_rank[at] <= 2);
        }
        check(values[t] == first / 2, "precision is that of the plain loop");
        check(values[gold->topics + t] == (relevant > 0 ? all / relevant : -1), "recall is that of the plain loop");
    }
    free(values);
}

static int has_repeats(const ranked *top, int count) {
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            if (strcmp(top[i].document, top[j].document) == 0) return 1;
        }
    }
    return 0;
}

/* What reading the groups one after the other must say: the first thing that is wrong, if anything is. */
static int expected_code(const assay_gold *gold, const group *run, int groups, options how) {
    ranked top[GROUPS * MOST];
    int closed[8] = {0}, open = -1, code = ASSAY_OK;
    for (int g = 0; g <= groups && code == ASSAY_OK; g++) {
        int next = -1;
        for (int64_t t = 0; g < groups && t < gold->topics; t++) {
            if (strcmp(gold->topic[t].id, run[g].topic) == 0) next = (int)t;
        }
        if (open >= 0 && !how.keep && (next != open || g == groups)) {
            if (has_repeats(top, gathered(run, g, gold->topic[open].id, how, top))) return ASSAY_DUPLICATE;
            closed[open] = 1;
        }
        if (g == groups || next < 0) {
            open = -1;
            continue;
        }
        if (closed[next]) return ASSAY_INTERLEAVED;
        open = next;
        for (int i = 0; i < run[g].count; i++) {
            if (isnan(run[g].score[i])) return ASSAY_SCORE;
        }
    }
    for (int64_t t = 0; how.keep && t < gold->topics; t++) {
        if (has_repeats(top, gathered(run, groups, gold->topic[t].id, how, top))) return ASSAY_DUPLICATE;
    }
    return code;
}

int fuzz_packed(choices *c) {
    group judged[GROUPS], run[GROUPS];
    int golds = (int)below(c, GROUPS + 1), groups = (int)below(c, GROUPS + 1), twice = 0, documents = 0;
    int64_t counts[GROUPS], grades[GROUPS * MOST];
    for (int g = 0; g < golds; g++) {
        any_group(c, &judged[g], g);
        counts[g] = judged[g].count;
        for (int i = 0; i < judged[g].count; i++) grades[documents++] = judged[g].grade[i];
    }
    for (int g = 0; g < golds; g++) {
        for (int i = 0, times; i < judged[g].count; i++) {
            grade_of(judged, golds, judged[g].topic, judged[g].document[i], &times);
            twice |= times > 1;
        }
    }
    for (int g = 0; g < groups; g++) any_group(c, &run[g], g);
    options how = any_options(c);
    char *topics = joined(judged, golds, 1), *names = joined(judged, golds, 0);
    assay_error error;
    assay_gold *gold = assay_gold_pack(topics, names, golds, counts, grades, &error);
    check((gold == NULL) == twice && error.code == (twice ? ASSAY_DUPLICATE : ASSAY_OK), "a document stands once in a topic of the gold");
    int code = ASSAY_DUPLICATE;
    if (gold != NULL) {
        check(gold->documents == documents, "a gold has the documents it was given");
        assay_ranker *r = ranker_for(gold, how);
        for (int g = 0; g < groups; g++) {
            char *returned = joined(&run[g], 1, 0);
            double *values = copied(run[g].score, (size_t)run[g].count * sizeof *values);
            assay_ranker_pack(r, run[g].topic, strlen(run[g].topic), returned, run[g].count, values);
            free(returned);
            free(values);
        }
        code = assay_ranker_finish(r);
        check(code == expected_code(gold, run, groups, how), "a packed run is refused where the plain loop refuses it");
        assay_ranked found;
        assay_ranker_result(r, &found);
        ranked top[GROUPS * MOST];
        for (int64_t t = 0; code == ASSAY_OK && t < gold->topics; t++) {
            int given = 0;
            for (int g = 0; g < groups; g++) given |= strcmp(run[g].topic, gold->topic[t].id) == 0;
            check((found.num_ret[t] >= 0) == given, "a topic is retrieved where the run has it");
            if (given) check_topic(gold, t, judged, golds, top, gathered(run, groups, gold->topic[t].id, how, top), how, &found);
        }
        if (code == ASSAY_OK) check_ranked(gold, &found);
        if (code == ASSAY_OK) check_measured(gold, r, &found, 1 + (int64_t)below(c, 2));
        assay_ranker_free(r);
    }
    assay_gold_free(gold);
    free(topics);
    free(names);
    return code == ASSAY_OK;
}

/* A run of few ids, tags and numbers, so that everything that can happen does. */
static size_t write_run(choices *c, char *text) {
    static const char *const scores[] = {"9", "9.0", "8.5", "8", "7e0", "nan", "inf", "x", "-1"};
    size_t size = 0;
    int lines = (int)below(c, 12), rank = (int)below(c, 3), level = below(c, 8) == 0;
    for (int i = 0; i < lines; i++) {
        if (below(c, 12) == 0) size += (size_t)sprintf(text + size, "%s\n", below(c, 2) ? "# a comment" : " ");
        rank += level ? 0 : below(c, 6) ? 1 : -1;
        int topic = i / 3 + (below(c, 9) == 0), document = below(c, 12) ? i : (int)below(c, 3);
        const char *score = scores[below(c, 4) ? (uint32_t)(i % 3) + below(c, 2) : below(c, 9)];
        size_t start = size;
        size += (size_t)sprintf(text + size, "q%d Q0 d%d%s %d%s %s", topic, document, below(c, 4) ? "" : "-a-document-with-a-long-name-so-that-its-line-does-not-end-soon", rank, below(c, 30) ? "" : "x", score);
        if (below(c, 20)) size += (size_t)sprintf(text + size, " %s%s", below(c, 20) ? "t" : "u", below(c, 20) ? "" : below(c, 2) ? " and" : " and so on");
        if (below(c, 40) == 0) text[start + 1 + below(c, (uint32_t)(size - start) - 1)] = '\0';
        size += (size_t)sprintf(text + size, "%s", i + 1 < lines || below(c, 3) ? "\n" : "");
    }
    return size;
}

typedef struct {
    char topic[8], document[100], tag[8], rest[8], rank[16], score[16];
} plain_line;

/* Whether a line stands above another: the number, and then the id. */
static int line_above(const plain_line *a, const plain_line *b) {
    double one = strtod(a->score, NULL), other = strtod(b->score, NULL);
    return one != other ? one > other : strcmp(a->document, b->document) > 0;
}

/* The lines of one topic as text, the best first; 0 where a document stands there twice. */
static int plain_topic(plain_line *lines, int count, int64_t depth, char *out, size_t *size, double **scores) {
    *size += (size_t)sprintf(out + *size, "%s\n", lines[0].topic);
    for (int i = 0; i < count; i++) { /* before any is moved */
        for (int j = 0; j < i; j++) {
            if (strcmp(lines[i].document, lines[j].document) == 0) return 0;
        }
    }
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            if (!line_above(&lines[j], &lines[i])) continue;
            plain_line moved = lines[j];
            lines[j] = lines[i];
            lines[i] = moved;
        }
        if (i >= depth) continue;
        *size += (size_t)sprintf(out + *size, "%s\n", lines[i].document);
        *(*scores)++ = strtod(lines[i].score, NULL);
    }
    *size += (size_t)sprintf(out + *size, "\n");
    return 1;
}

/* The first documents by a plain loop: how long the text of them is, or -1. */
static int64_t plain_top_documents(const char *text, int64_t depth, char *out, double *scores) {
    plain_line lines[16];
    size_t size = 0;
    int count = 0;
    char tag[8] = "";
    for (const char *p = text; *p;) {
        char one[200], *end;
        size_t length = strcspn(p, "\n");
        memcpy(one, p, length);
        one[length] = '\0';
        p += length + (p[length] == '\n');
        plain_line l;
        int fields = sscanf(one, "%7s Q0 %99s %15s %15s %7s %7s", l.topic, l.document, l.rank, l.score, l.tag, l.rest);
        if (fields <= 0 || l.topic[0] == '#') continue;
        if (fields != 5 || isnan(strtod(l.score, &end)) || *end) return -1;
        if (count && strcmp(lines[0].topic, l.topic) != 0) {
            if (!plain_topic(lines, count, depth, out, &size, &scores)) return -1;
            count = 0;
        }
        lines[count++] = l;
        strcpy(tag, l.tag);
    }
    if (count == 0 || !plain_topic(lines, count, depth, out, &size, &scores)) return -1;
    return (int64_t)(size + (size_t)sprintf(out + size, "%s\n", tag));
}

/* A run cut in two: what the first call leaves, the second reads with the rest. */
int fuzz_top_documents(choices *c) {
    char text[3000], expected[3000], whole_text[3000];
    double scores[300], whole_scores[300];
    size_t size = write_run(c, text);
    int put = size && below(c, 20) == 0, zero = put || memchr(text, '\0', size) != NULL;
    text[size] = '\0';
    int64_t depth = below(c, 3) ? INT64_MAX : (int64_t)below(c, 4), wanted = plain_top_documents(text, depth, expected, scores);
    if (put) text[below(c, (uint32_t)size)] = '\0';
    int64_t from = 0, total = 0, documents = 0, written = 0;
    for (int last = 0; last < 2 && written >= 0; last++) {
        size_t length = last ? size - (size_t)from : below(c, 2) ? below(c, (uint32_t)size + 1) : 0, room = length / 12 + 1, count = 0;
        char *bytes = copied(text + from, length), *out = exactly(length, 1);
        double *found = exactly(room, sizeof *found);
        for (size_t i = 0; i < room; i++) found[i] = NAN;
        int64_t used;
        written = assay_top_documents(bytes, length, last, depth, out, found, &used);
        check(used >= 0 && (size_t)used <= length, "no more bytes are used than there are");
        if (written > 0) memcpy(whole_text + total, out, (size_t)written);
        while (count < room && !isnan(found[count])) whole_scores[documents++] = found[count++];
        total += written;
        from += used;
        free(bytes);
        free(out);
        free(found);
    }
    check((written < 0) == (zero || wanted < 0), "a run is refused where a plain loop refuses it");
    if (written < 0) return 0;
    check(total == wanted && memcmp(whole_text, expected, (size_t)total) == 0, "the first documents are those of a plain loop");
    check(memcmp(whole_scores, scores, (size_t)documents * sizeof *scores) == 0, "and so are their scores");
    return 1;
}
