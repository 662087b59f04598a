/* How many states the reached ones stand for, when some of their cells count (result/counting.h): a sum over all of
 * them of a product over the cells, cell by cell down the diagram. */
#include <stdlib.h>

#include "base/hash.h"
#include "engine/symbolic/chance.h"

struct summand {
    dd node;
    uint32_t place;     /* of the next cell in the order */
    struct bigint *sum; /* NULL: free */
};

struct summation {
    struct symbolic_model *model;
    const struct counting *counting;
    struct counter_weights *weights;
    uint32_t *order; /* the cells from the root down */
    struct summand *table;
    size_t size, count;
};

enum { MOST_BITS = 16 };

/* The bits of a cell must stand together, the highest first. */
static bool find_order(struct summation *all)
{
    const struct encoding *encoding = all->model->encoding;
    uint32_t cells = all->model->layout->cell_count, placed = 0;
    all->order = memory_zeroed(cells + 1, sizeof *all->order);
    for (uint32_t pair = 0; pair < encoding->pair_count;) {
        uint32_t c = 0, width = 0;
        for (; c < cells; c++) {
            width = encoding_width(encoding, c);
            if (width && encoding_pair(encoding, c, width - 1) == pair)
                break;
        }
        if (c == cells || width > MOST_BITS)
            return false;
        for (uint32_t b = width; b-- > 0;)
            if (encoding_pair(encoding, c, b) != pair++)
                return false;
        all->order[placed++] = c;
    }
    return placed == cells;
}

static struct summand *find(struct summation *all, dd node, uint32_t place)
{
    size_t at = hash_combine(node, place) & (all->size - 1);
    while (all->table[at].sum && (all->table[at].node != node || all->table[at].place != place))
        at = (at + 1) & (all->size - 1);
    return &all->table[at];
}

static void grow(struct summation *all)
{
    struct summand *old = all->table;
    size_t size = all->size;
    all->size *= 2;
    all->table = memory_zeroed(all->size, sizeof *all->table);
    for (size_t i = 0; i < size; i++)
        if (old[i].sum)
            *find(all, old[i].node, old[i].place) = old[i];
    free(old);
}

static dd follow(const struct summation *all, dd node, uint32_t cell, uint32_t code)
{
    const struct encoding *encoding = all->model->encoding;
    struct dd_manager *m = all->model->m;
    for (uint32_t b = encoding_width(encoding, cell); b-- > 0;)
        if (!dd_is_constant(m, node) && dd_top(m, node) == encoding_variable(encoding, cell, b))
            node = code >> b & 1 ? dd_high(m, node) : dd_low(m, node);
    return node;
}

/* The sum over all ways from here down. */
static const struct bigint *sum_from(struct summation *all, dd node, uint32_t place)
{
    struct summand *known = find(all, node, place);
    if (known->sum)
        return known->sum;
    bool is_end = place == all->model->layout->cell_count;
    struct bigint *sum = bigint_create(is_end), *part = bigint_create(0);
    uint32_t cell = all->order[place], codes = is_end ? 0 : 1u << encoding_width(all->model->encoding, cell);
    for (uint32_t code = 0; code < codes; code++) {
        dd next = follow(all, node, cell, code);
        if (next == DD_FALSE)
            continue;
        bigint_copy(part, sum_from(all, next, place + 1));
        const struct bigint *weight = code ? counting_weight(all->counting, all->weights, cell, code - 1) : NULL;
        if (weight)
            bigint_multiply(part, weight);
        bigint_add(sum, part);
    }
    bigint_destroy(part);
    if (2 * ++all->count > all->size)
        grow(all);
    *find(all, node, place) = (struct summand){node, place, sum};
    return sum;
}

void chance_count_represented(struct symbolic_model *model, const struct counting *counting,
                              struct statistics *statistics)
{
    statistics->represented_is_exact = false;
    struct summation all = {.model = model, .counting = counting, .size = 1 << 12};
    if (!find_order(&all)) {
        free(all.order);
        return;
    }
    all.weights = counting_weights(counting);
    all.table = memory_zeroed(all.size, sizeof *all.table);
    bigint_copy(statistics->represented, sum_from(&all, model->reached, 0));
    counting_settle(counting, all.weights, statistics->represented);
    statistics->represented_is_exact = counting->is_exact;
    for (size_t i = 0; i < all.size; i++)
        if (all.table[i].sum)
            bigint_destroy(all.table[i].sum);
    free(all.table);
    free(all.order);
    counting_free(counting, all.weights);
}
