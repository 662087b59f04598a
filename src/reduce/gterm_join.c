/* Operators with any number of parts, in one order, constants folded. */
#include <string.h>

#include "reduce/gterms.h"

int gterms_compare_ids(const void *a, const void *b)
{
    uint32_t x = (*(const struct gterm *const *)a)->id, y = (*(const struct gterm *const *)b)->id;
    return (x > y) - (x < y);
}

/* Of more parts, those that are the same operator stay as they are: sums of sums of what is shared double each time. */
enum { MOST_PARTS = 1 << 16 };

static bool is_flattened(enum gterm_kind kind, const struct gterm *const *parts, uint32_t count)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += parts[i]->kind == kind ? parts[i]->count : 1;
    return total <= MOST_PARTS || total == count;
}

/* All parts of parts of the same kind; constants together in *constant. */
static void flatten(struct gterms *terms, enum gterm_kind kind, const struct gterm *part, gterm_list *out,
                    const struct gterm **constant, bool is_deep)
{
    if (part->kind == kind && kind != TERM_BAG && is_deep) {
        for (uint32_t i = 0; i < part->count; i++)
            flatten(terms, kind, part->parts[i], out, constant, false);
        return;
    }
    int64_t both;
    if (kind == TERM_BAG || part->kind != TERM_VALUE)
        VEC_PUSH(out, part);
    else if (!*constant)
        *constant = part;
    else if (gterms_fold(kind, (*constant)->value, part->value, &both))
        *constant = part->is_bool ? gterm_bool(terms, both) : gterm_int(terms, both);
    else
        VEC_PUSH(out, part);
}

static bool is_idempotent(enum gterm_kind kind)
{
    return kind == TERM_AND || kind == TERM_OR || kind == TERM_MIN || kind == TERM_MAX;
}

static bool is_neutral(enum gterm_kind kind, const struct gterm *constant)
{
    return (kind == TERM_AND && gterm_is(constant, true)) || (kind == TERM_OR && gterm_is(constant, false)) ||
           (kind == TERM_ADD && gterm_is_number(constant, 0)) || (kind == TERM_MUL && gterm_is_number(constant, 1));
}

static bool is_absorbing(enum gterm_kind kind, const struct gterm *constant)
{
    return (kind == TERM_AND && gterm_is(constant, false)) || (kind == TERM_OR && gterm_is(constant, true)) ||
           (kind == TERM_MUL && gterm_is_number(constant, 0));
}

static const struct gterm *neutral(struct gterms *terms, enum gterm_kind kind)
{
    return kind == TERM_AND || kind == TERM_OR ? gterm_bool(terms, kind == TERM_AND)
                                               : gterm_int(terms, kind == TERM_MUL);
}

static const struct gterm *join_sorted(struct gterms *terms, enum gterm_kind kind, gterm_list *flat)
{
    if (flat->count)
        qsort(flat->items, flat->count, sizeof *flat->items, gterms_compare_ids);
    size_t kept = 0;
    for (size_t i = 0; i < flat->count; i++)
        if (!kept || !is_idempotent(kind) || flat->items[kept - 1] != flat->items[i])
            flat->items[kept++] = flat->items[i];
    if (!kept && kind != TERM_BAG)
        return neutral(terms, kind);
    if (kept == 1 && kind != TERM_BAG)
        return flat->items[0];
    return gterms_intern(terms, &(struct gterm){.kind = kind,
                                                .is_bool = kind == TERM_AND || kind == TERM_OR,
                                                .parts = flat->items,
                                                .count = (uint32_t)kept});
}

/* 2 (x + y) is 2 x + 2 y: so sums over modules stay sums over modules. */
static const struct gterm *distribute(struct gterms *terms, const struct gterm *factor, const struct gterm *sum)
{
    const struct gterm **parts = memory_alloc(sum->count * sizeof *parts);
    for (uint32_t i = 0; i < sum->count; i++)
        parts[i] = gterm_pair(terms, TERM_MUL, factor, sum->parts[i]);
    const struct gterm *result = gterm_join(terms, TERM_ADD, parts, sum->count);
    free(parts);
    return result;
}

const struct gterm *gterm_join(struct gterms *terms, enum gterm_kind kind, const struct gterm *const *parts,
                               uint32_t count)
{
    gterm_list flat = {0};
    const struct gterm *constant = NULL;
    bool is_deep = is_flattened(kind, parts, count);
    for (uint32_t i = 0; i < count; i++)
        flatten(terms, kind, parts[i], &flat, &constant, is_deep);
    const struct gterm *result = constant && is_absorbing(kind, constant) ? constant : NULL;
    bool is_kept = constant && !result && !is_neutral(kind, constant);
    if (is_kept && kind == TERM_MUL && flat.count == 1 && flat.items[0]->kind == TERM_ADD)
        result = distribute(terms, constant, flat.items[0]);
    else if (is_kept)
        VEC_PUSH(&flat, constant);
    if (!result)
        result = join_sorted(terms, kind, &flat);
    VEC_FREE(&flat);
    return result;
}
