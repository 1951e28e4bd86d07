#include "held.h"

static inline int goes_before(const void *ranker, const void *id, const void *other) {
    const assay_held_document *a = id, *b = other;
    int order = assay_compare_ids(a->id, a->length, b->id, b->length);
    return ((const assay_ranker *)ranker)->ascending_ties ? order < 0 : order > 0;
}

/* The documents that the judgments name, each with its number among them. */
static void find_judged(assay_held *h, const assay_gold *gold, const assay_topic *topic) {
    enum { AHEAD = 8 };
    const assay_judged *judged = gold->document + topic->first;
    uint32_t *table = gold->tables + topic->table, mask = topic->slots - 1, number;
    for (int64_t i = 0; i < h->count; i++) {
        assay_held_document *d = &h->document[i];
        assay_key key = {d->id, d->length, d->hash};
        /* A slot names a document, which says where its id stands. */
        if (i + 2 * AHEAD < h->count && (number = table[d[2 * AHEAD].hash & mask])) ASSAY_SOON(&judged[number - 1]);
        if (i + AHEAD < h->count && (number = table[d[AHEAD].hash & mask])) ASSAY_SOON(judged[number - 1].id);
        uint32_t slot = *assay_probe(table, mask, d->hash, assay_is_judged, judged, &key);
        if (slot) h->places.found[h->places.count++] = (assay_place){d->score, d, (int64_t)slot - 1};
    }
}

static int in_order(const assay_held *h, const assay_ranker *r) {
    for (int64_t i = 1; i < h->count; i++) {
        const assay_held_document *a = &h->document[i - 1], *b = &h->document[i];
        if (!(a->score > b->score || (a->score == b->score && goes_before(r, a, b)))) return 0;
    }
    return 1;
}

int assay_held_rank(assay_held *h, assay_ranker *r, int64_t number) {
    const assay_topic *topic = &r->gold->topic[number];
    assay_places *p = &h->places;
    int64_t most = h->count < topic->count ? h->count : topic->count;
    if (!assay_places_reserve(p, most) || !assay_begin_topic(r, number, most)) return assay_out_of_memory(r);
    find_judged(h, r->gold, topic);
    if (in_order(h, r)) {
        for (int64_t i = 0; i < p->count; i++) p->rank[i] = (assay_held_document *)p->found[i].id - h->document + 1;
    } else {
        assay_places_sort(p, goes_before, r);
        for (int64_t i = 0; i < h->count; i++) assay_places_count(p, h->document[i].score, &h->document[i], goes_before, r);
        assay_places_settle(p);
    }
    int64_t looked_at = r->depth >= 0 && r->depth < h->count ? r->depth : h->count, kept = 0;
    for (int64_t i = 0; i < p->count && p->rank[i] <= looked_at; i++) {
        int64_t grade = r->gold->document[topic->first + p->found[i].value].grade;
        if (grade < 0 && r->judged_only) continue;
        kept++;
        assay_note_found(r, r->judged_only ? kept : p->rank[i], p->found[i].value, grade);
    }
    assay_end_topic(r, number, r->judged_only ? kept : looked_at);
    return 1;
}
