/* The library describes itself, so that its loader need not trust a version number that must be raised by hand. */
#include <stdio.h>

#include "assay.h"

/* Every declaration of a function, as it is in the header. */
#define ASSAY_FUNCTION(result, name, parameters) #result " " #name #parameters "\n"
static const char functions[] =
#include "assay.h"
    ;

/* The kind of a field, from the compiler; its size is a word of its own. */
#define KIND(field)                                                                                                         \
    _Generic((field), int32_t: "signed", int64_t: "signed", uint32_t: "unsigned", uint64_t: "unsigned", float: "real",      \
             double: "real", default: sizeof(field) == sizeof(void *) ? "pointer" : "array")

typedef struct {
    const char *type, *field, *kind;
    size_t at, size;
} place;

#define WHOLE(type) {#type, "", "struct", 0, sizeof(type)},
#define FIELD(type, field) {#type, "." #field, KIND(((type *)0)->field), offsetof(type, field), sizeof(((type *)0)->field)},

/* A field that is left out here and in binding.py is not checked; if it moved other fields, their offsets differ. */
static const place places[] = {
    WHOLE(assay_error)
    FIELD(assay_error, code) FIELD(assay_error, fields) FIELD(assay_error, line) FIELD(assay_error, other)
    FIELD(assay_error, text) FIELD(assay_error, topic)

    WHOLE(assay_judged)
    FIELD(assay_judged, id) FIELD(assay_judged, length) FIELD(assay_judged, grade) FIELD(assay_judged, line)
    FIELD(assay_judged, topic)

    WHOLE(assay_topic)
    FIELD(assay_topic, id) FIELD(assay_topic, hash) FIELD(assay_topic, length) FIELD(assay_topic, buckets)
    FIELD(assay_topic, first) FIELD(assay_topic, count) FIELD(assay_topic, start)

    WHOLE(assay_gold)
    FIELD(assay_gold, topics) FIELD(assay_gold, documents) FIELD(assay_gold, largest) FIELD(assay_gold, topic) FIELD(assay_gold, document)
    FIELD(assay_gold, known) FIELD(assay_gold, marks) FIELD(assay_gold, starts) FIELD(assay_gold, index) FIELD(assay_gold, grades) FIELD(assay_gold, names)
    FIELD(assay_gold, named) FIELD(assay_gold, topic_slots) FIELD(assay_gold, topic_mask) FIELD(assay_gold, one_allocation) FIELD(assay_gold, kept)

    WHOLE(assay_ranked)
    FIELD(assay_ranked, num_ret) FIELD(assay_ranked, relevant_start) FIELD(assay_ranked, relevant_count)
    FIELD(assay_ranked, pooled_start) FIELD(assay_ranked, pooled_count) FIELD(assay_ranked, relevant_rank)
    FIELD(assay_ranked, relevant_grade) FIELD(assay_ranked, nonrelevant_above) FIELD(assay_ranked, pooled_rank)
    FIELD(assay_ranked, pooled_document) FIELD(assay_ranked, pooled_grade) FIELD(assay_ranked, tag) FIELD(assay_ranked, other) FIELD(assay_ranked, error)
    FIELD(assay_ranked, ignored_topics) FIELD(assay_ranked, tag_length) FIELD(assay_ranked, other_length)
    FIELD(assay_ranked, data_lines) FIELD(assay_ranked, ignored)

    WHOLE(assay_plan)
    FIELD(assay_plan, kernel) FIELD(assay_plan, cut) FIELD(assay_plan, logs) FIELD(assay_plan, kernels)
    FIELD(assay_plan, level) FIELD(assay_plan, undefined)

    WHOLE(assay_answers)
    FIELD(assay_answers, order) FIELD(assay_answers, stated) FIELD(assay_answers, answered) FIELD(assay_answers, positive)
    FIELD(assay_answers, enters) FIELD(assay_answers, bin) FIELD(assay_answers, hit) FIELD(assay_answers, confidence)
    FIELD(assay_answers, runs) FIELD(assay_answers, topics) FIELD(assay_answers, bins)
};

int64_t assay_describe(char *text, int64_t room) {
    int64_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places && length < room; i++) {
        const place *p = &places[i];
        length += snprintf(text + length, (size_t)(room - length), "%s%s %s %d %d\n", p->type, p->field, p->kind, (int)p->at,
                           (int)p->size);
    }
    if (length < room) length += snprintf(text + length, (size_t)(room - length), "kernels " ASSAY_KERNELS "\nwholes " ASSAY_WHOLES "\n%s", functions);
    return length < room ? length : room - 1;
}
