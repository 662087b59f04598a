/* The order of the variables.
 *
 * The shared cells stand above all others. The processes are the elements of the type by which most cells are indexed.
 * The bits of one process stand together, or, where processes are compared and exchanged (survey 5.4), each bit of all
 * of them: the cost of a comparison and of an exchange grows with the distance.
 *
 * The slots of a multiset stand bit by bit beside each other: they are compared, and elements move by one slot when one
 * is added or taken away, which would otherwise mean to remember whole elements on the way down. */
#include <stdlib.h>

#include "base/vec.h"
#include "engine/symbolic/encoding.h"

enum { ORDER_SHARED = -1 };
/* Two neighbouring processes are compared by a diagram with a node for each state of one of them, if they stand one
 * after the other; bit by bit that is cheap, but then it is dear to count those in a certain state. */
enum { ORDER_MOST_LOCAL_BITS = 10 };

struct order {
    const struct layout *layout;
    const struct type *family; /* NULL: first find out which */
    VEC(const struct type *) indices;
    uint64_t *weights; /* by position in `indices` */
    int64_t *process;  /* by cell: ordinal of the element of the family it belongs to, or ORDER_SHARED */
};

/* Ranges are the same family when they have the same bounds. */
static bool order_is_same(const struct type *a, const struct type *b)
{
    return a == b || (a->kind == TYPE_RANGE && b->kind == TYPE_RANGE && a->blocks[0].lo == b->blocks[0].lo &&
                      a->blocks[0].hi == b->blocks[0].hi);
}

static uint32_t order_index(struct order *order, const struct type *type)
{
    for (uint32_t i = 0; i < order->indices.count; i++)
        if (order_is_same(order->indices.items[i], type))
            return i;
    VEC_PUSH(&order->indices, type);
    order->weights = memory_resize(order->weights, order->indices.count * sizeof *order->weights);
    order->weights[order->indices.count - 1] = 0;
    return (uint32_t)order->indices.count - 1;
}

static void order_weigh(struct order *order, const struct type *array)
{
    uint32_t index = order_index(order, array->index);
    order->weights[index] += array->cells;
}

/* The cells of a value at `address`; `process` is the element of the family met so far. */
static void order_walk(struct order *order, const struct type *type, uint32_t address, int64_t process)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        if (!order->family && type->index->size > 1)
            order_weigh(order, type);
        for (uint32_t i = 0; i < type->index->size; i++) {
            bool is_process = order->family && process == ORDER_SHARED && order_is_same(type->index, order->family);
            order_walk(order, type->element, address + i * type->element->cells, is_process ? i : process);
        }
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            order_walk(order, type->fields[f].type, address + type->fields[f].offset, process);
        return;
    case TYPE_MULTISET:
        for (uint32_t s = 0; s < type->capacity; s++) {
            uint32_t slot = address + s * multiset_stride(type);
            order->process[slot] = process;
            order_walk(order, type->element, slot + 1, process);
        }
        return;
    default:
        order->process[address] = process;
        return;
    }
}

static void order_walk_all(struct order *order)
{
    const struct system *system = order->layout->system;
    for (size_t g = 0; g < system->globals.count; g++)
        order_walk(order, system->globals.items[g]->type, system->globals.items[g]->address, ORDER_SHARED);
}

static const struct type *order_family(const struct order *order)
{
    const struct type *family = NULL;
    uint64_t most = 0;
    for (uint32_t i = 0; i < order->indices.count; i++)
        if (order->weights[i] > most) {
            most = order->weights[i];
            family = order->indices.items[i];
        }
    return family;
}

/* The bits of one cell, the highest on top; of the slots of a multiset, the same bit of all of them. */
struct placing {
    const struct layout *layout;
    const uint32_t *first;
    uint32_t *pairs, next;
    bool *is_placed; /* by cell */
};

/* The same bit of all these cells, which have the same type, beside each other. */
static void order_place(struct placing *placing, const uint32_t *cells, uint32_t count)
{
    for (uint32_t b = placing->layout->cells[cells[0]].bits; b-- > 0;)
        for (uint32_t i = 0; i < count; i++)
            placing->pairs[placing->first[cells[i]] + b] = placing->next++;
    for (uint32_t i = 0; i < count; i++)
        placing->is_placed[cells[i]] = true;
}

/* The outermost multiset that begins here; inner ones are listed before it. */
static const struct multiset_site *order_site(const struct layout *layout, uint32_t cell)
{
    const struct multiset_site *site = NULL;
    for (uint32_t i = 0; i < layout->multiset_count; i++)
        if (layout->multisets[i].address == cell)
            site = &layout->multisets[i];
    return site;
}

static void order_place_site(struct placing *placing, const struct multiset_site *site)
{
    uint32_t stride = multiset_stride(site->type);
    uint32_t *cells = memory_alloc(site->type->capacity * sizeof *cells);
    for (uint32_t c = 0; c < stride; c++) {
        for (uint32_t s = 0; s < site->type->capacity; s++)
            cells[s] = site->address + s * stride + c;
        order_place(placing, cells, site->type->capacity);
    }
    free(cells);
}

static void order_place_process(struct placing *placing, const struct order *order, int64_t process)
{
    for (uint32_t c = 0; c < placing->layout->cell_count; c++) {
        if (order->process[c] != process || placing->is_placed[c])
            continue;
        const struct multiset_site *site = order_site(placing->layout, c);
        if (site)
            order_place_site(placing, site);
        else
            order_place(placing, &c, 1);
    }
}

/* The next cell of the process from `cell` on that has no place yet (a shared multiset has taken those of its
 * elements), or the number of cells. */
static uint32_t order_next_cell(const struct placing *placing, const struct order *order, int64_t process,
                                uint32_t cell)
{
    while (cell < order->layout->cell_count && (order->process[cell] != process || placing->is_placed[cell]))
        cell++;
    return cell;
}

/* All processes bit by bit beside each other. They have the same cells in the same order. */
static void order_place_slices(struct placing *placing, const struct order *order)
{
    uint32_t processes = order->family->size, all = order->layout->cell_count;
    uint32_t *cells = memory_alloc(processes * sizeof *cells);
    bool is_over = false;
    for (uint32_t p = 0; p < processes; p++) {
        cells[p] = order_next_cell(placing, order, p, 0);
        is_over |= cells[p] == all;
    }
    while (!is_over) {
        order_place(placing, cells, processes);
        for (uint32_t p = 0; p < processes; p++) {
            cells[p] = order_next_cell(placing, order, p, cells[p] + 1);
            is_over |= cells[p] == all;
        }
    }
    free(cells);
}

/* Bits of one process. */
static uint32_t order_local_bits(const struct order *order)
{
    uint32_t bits = 0;
    for (uint32_t c = 0; c < order->layout->cell_count; c++)
        if (order->process[c] == 0)
            bits += order->layout->cells[c].bits;
    return bits;
}

void order_pairs(const struct layout *layout, const uint32_t *first, enum order_kind kind, uint32_t *pairs)
{
    struct order order = {.layout = layout};
    struct placing placing = {.layout = layout, .first = first, .pairs = pairs};
    placing.is_placed = memory_zeroed((size_t)layout->cell_count + 1, sizeof *placing.is_placed);
    order.process = memory_zeroed((size_t)layout->cell_count + 1, sizeof *order.process);
    order_walk_all(&order);
    order.family = order_family(&order);
    if (order.family)
        order_walk_all(&order);
    order_place_process(&placing, &order, ORDER_SHARED);
    if (order.family &&
        (kind == ORDER_SLICED || (kind == ORDER_FOR_EXCHANGES && order_local_bits(&order) > ORDER_MOST_LOCAL_BITS)))
        order_place_slices(&placing, &order);
    for (int64_t process = 0; order.family && process < order.family->size; process++)
        order_place_process(&placing, &order, process);
    free(placing.is_placed);
    free(order.process);
    free(order.weights);
    VEC_FREE(&order.indices);
}
