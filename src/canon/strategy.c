#include "canon/strategy.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "canon/generated.h"

const char *const representative_names[] = {"auto",  "canonical", "sorted", "segmented", "enumerate", "local",
                                            "first", "markers",   "flood",  "nauty",     "greedy"};

const char *representative_refusal(const struct symmetry *symmetry, enum representative representative)
{
    bool is_generated = false;
    uint64_t order;
    struct bigint *exact = symmetry_order(symmetry);
    bool is_small = bigint_fits_u64(exact, &order) && order <= REPRESENTATIVE_ENUMERABLE;
    bigint_destroy(exact);
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        is_generated |= symmetry->factors[f].is_used && symmetry->factors[f].kind != SYMMETRY_FULL;
    if ((representative == REPRESENTATIVE_ENUMERATE || representative == REPRESENTATIVE_FLOOD) && !is_small)
        return "the group has more than 50,000 elements: too many to go through them for every state "
               "(--representative enumerate and flood do; canonical does not)";
    if (representative == REPRESENTATIVE_NAUTY && is_generated)
        return "the group is not a product of full symmetric groups: a labelling of the state's graph may leave it "
               "(--representative nauty needs such a product; canonical does not)";
    return NULL;
}

/* --- lists of permutations --- */

struct mover {
    uint32_t n;
    VEC(uint32_t) images;
};

static bool mover_push(void *user, const uint32_t *element)
{
    struct mover *mover = user;
    for (uint32_t e = 0; e < mover->n; e++)
        VEC_PUSH(&mover->images, element[e]);
    return true;
}

static struct strategy_moves mover_finish(struct mover *mover, bool is_all)
{
    struct strategy_moves moves = {mover->images.items, mover->n ? (uint32_t)(mover->images.count / mover->n) : 0,
                                   is_all};
    return moves;
}

static struct strategy_moves moves_of(const struct group *group)
{
    struct mover mover = {.n = group_degree(group)};
    uint64_t order;
    bool is_all = group_order_small(group, &order) && order <= REPRESENTATIVE_ENUMERABLE;
    if (is_all) {
        group_each(group, mover_push, &mover);
        return mover_finish(&mover, true);
    }
    uint32_t *inverse = memory_alloc(((size_t)mover.n + 1) * sizeof *inverse);
    for (uint32_t g = 0; g < group_strong_count(group); g++) {
        perm_invert(mover.n, group_strong(group, g), inverse);
        mover_push(&mover, group_strong(group, g));
        mover_push(&mover, inverse);
    }
    free(inverse);
    return mover_finish(&mover, false);
}

/* Of one factor, on the elements of all. */
static struct strategy_moves moves_of_factor(const struct canon *canon, uint32_t factor)
{
    struct symmetry alone = *canon->symmetry;
    alone.factors = memory_alloc(alone.factor_count * sizeof *alone.factors);
    memcpy(alone.factors, canon->symmetry->factors, alone.factor_count * sizeof *alone.factors);
    for (uint32_t f = 0; f < alone.factor_count; f++)
        alone.factors[f].is_used &= f == factor;
    struct group *group = structure_group(canon->structure, &alone);
    struct strategy_moves moves = moves_of(group);
    group_destroy(group);
    free(alone.factors);
    return moves;
}

static bool strategy_goes_through_all(enum representative kind)
{
    return kind == REPRESENTATIVE_ENUMERATE || kind == REPRESENTATIVE_FLOOD;
}

struct strategy *strategy_create(const struct canon *canon, enum representative kind)
{
    struct strategy *strategy = memory_zeroed(1, sizeof *strategy);
    const struct symmetry *symmetry = canon->symmetry;
    size_t n = (size_t)canon->structure->element_count + 1, cells = (size_t)canon->structure->cell_count + 1;
    strategy->kind = kind;
    strategy->order = memory_zeroed(n, sizeof *strategy->order);
    strategy->image = memory_zeroed(n, sizeof *strategy->image);
    strategy->shuffle = memory_zeroed(n, sizeof *strategy->shuffle);
    strategy->segments = memory_zeroed(n + 1, sizeof *strategy->segments);
    strategy->current = memory_zeroed(cells, sizeof *strategy->current);
    strategy->candidate = memory_zeroed(cells, sizeof *strategy->candidate);
    strategy->factor_count = symmetry->factor_count;
    strategy->factors = memory_zeroed((size_t)symmetry->factor_count + 1, sizeof *strategy->factors);
    if (strategy_goes_through_all(kind)) {
        struct group *group = structure_group(canon->structure, symmetry);
        strategy->all = moves_of(group);
        ENSURE(strategy->all.is_all);
        group_destroy(group);
    }
    for (uint32_t f = 0; f < symmetry->factor_count && !strategy_goes_through_all(kind); f++)
        if (symmetry->factors[f].is_used && !structure_is_full(canon->structure, f))
            strategy->factors[f] = moves_of_factor(canon, f);
    return strategy;
}

void strategy_destroy(struct strategy *strategy)
{
    if (!strategy)
        return;
    for (uint32_t f = 0; f < strategy->factor_count; f++)
        free(strategy->factors[f].images);
    free(strategy->factors);
    free(strategy->all.images);
    free(strategy->order);
    free(strategy->image);
    free(strategy->shuffle);
    free(strategy->segments);
    free(strategy->current);
    free(strategy->candidate);
    free(strategy);
}

/* --- steps down --- */

bool strategy_is_less(const struct canon *canon, const int32_t *a, const int32_t *b)
{
    for (uint32_t c = 0; c < canon->structure->cell_count; c++)
        if (a[c] != b[c])
            return a[c] < b[c];
    return false;
}

static void strategy_accept(struct strategy *strategy)
{
    int32_t *kept = strategy->current;
    strategy->current = strategy->candidate;
    strategy->candidate = kept;
}

/* strategy->current becomes its image, if that is less. */
static bool strategy_try(struct canon *canon, const uint32_t *image)
{
    struct strategy *strategy = canon->strategy;
    structure_act(canon->structure, image, strategy->current, strategy->candidate);
    if (!strategy_is_less(canon, strategy->candidate, strategy->current))
        return false;
    strategy_accept(strategy);
    return true;
}

/* The least image of the state: all elements are applied to the state itself, not to what was found. */
static void strategy_least(struct canon *canon, const struct strategy_moves *moves, const int32_t *cells)
{
    struct strategy *strategy = canon->strategy;
    uint32_t n = canon->structure->element_count;
    for (uint32_t m = 0; m < moves->count && !canon_cuts(canon); m++) {
        structure_act(canon->structure, moves->images + (size_t)m * n, cells, strategy->candidate);
        if (strategy_is_less(canon, strategy->candidate, strategy->current))
            strategy_accept(strategy);
    }
}

static bool strategy_descend_by(struct canon *canon, const struct strategy_moves *moves)
{
    bool is_better = false;
    for (uint32_t m = 0; m < moves->count && !canon_cuts(canon); m++)
        is_better |= strategy_try(canon, moves->images + (size_t)m * canon->structure->element_count);
    return is_better;
}

/* Exchanges of two elements of a full factor. */
static bool strategy_exchange(struct canon *canon, const struct moved_factor *factor)
{
    uint32_t *image = canon->strategy->image, end = factor->first + factor->degree;
    bool is_better = false;
    perm_set_identity(canon->structure->element_count, image);
    for (uint32_t a = factor->first; a < end; a++)
        for (uint32_t b = a + 1; b < end && !canon_cuts(canon); b++) {
            image[a] = b;
            image[b] = a;
            is_better |= strategy_try(canon, image);
            image[a] = a;
            image[b] = b;
        }
    return is_better;
}

static void strategy_descend(struct canon *canon)
{
    const struct structure *s = canon->structure;
    const struct strategy *strategy = canon->strategy;
    bool is_better = true;
    while (is_better && !canon_cuts(canon)) {
        is_better = false;
        for (uint32_t f = 0; f < s->factor_count; f++)
            if (s->factors[f].is_full)
                is_better |= strategy_exchange(canon, &s->factors[f]);
        for (uint32_t f = 0; f < strategy->factor_count; f++)
            is_better |= strategy_descend_by(canon, &strategy->factors[f]);
    }
}

/* Factors that are not full, one by one. */
static void strategy_reduce_rest(struct canon *canon, int32_t *spare)
{
    struct strategy *strategy = canon->strategy;
    for (uint32_t f = 0; f < strategy->factor_count; f++) {
        const struct strategy_moves *moves = &strategy->factors[f];
        if (moves->is_all && moves->count <= STRATEGY_SMALL) {
            memcpy(spare, strategy->current, canon->structure->cell_count * sizeof *spare);
            strategy_least(canon, moves, spare);
        } else {
            while (!canon_cuts(canon) && strategy_descend_by(canon, moves))
                continue;
        }
    }
}

void strategy_apply(struct canon *canon, const int32_t *cells, int32_t *out)
{
    struct strategy *strategy = canon->strategy;
    size_t bytes = canon->structure->cell_count * sizeof *cells;
    switch (strategy->kind) {
    case REPRESENTATIVE_ENUMERATE:
        memcpy(strategy->current, cells, bytes);
        strategy_least(canon, &strategy->all, cells);
        break;
    case REPRESENTATIVE_SEGMENTED:
        strategy_segment(canon, cells);
        strategy_reduce_rest(canon, out);
        break;
    default:
        strategy_sort(canon, cells);
        strategy_reduce_rest(canon, out);
    }
    if (strategy->kind == REPRESENTATIVE_LOCAL)
        strategy_descend(canon);
    memcpy(out, strategy->current, bytes);
}

void canon_each_image(struct canon *canon, const int32_t *cells, bool (*visit)(void *user, const int32_t *image),
                      void *user)
{
    struct strategy *strategy = canon->strategy;
    bool goes_on = true;
    for (uint32_t m = 0; m < strategy->all.count && goes_on; m++) {
        structure_act(canon->structure, strategy->all.images + (size_t)m * canon->structure->element_count, cells,
                      strategy->candidate);
        goes_on = visit(user, strategy->candidate);
    }
}
