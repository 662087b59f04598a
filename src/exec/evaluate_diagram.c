#include "exec/evaluate_diagram.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/watch.h"
#include "ir/arith.h"

enum { MOST_NODES = 1 << 23, MEMORY_SIZE = 1 << 18, CHOOSE = 1 << 30, LEAF = -1 };

void diagrams_begin(struct diagrams *diagrams, const struct layout *layout)
{
    *diagrams = (struct diagrams){.layout = layout, .table_size = 1 << 12};
    diagrams->table = memory_zeroed(diagrams->table_size, sizeof *diagrams->table);
    diagrams->memory = memory_zeroed(MEMORY_SIZE, sizeof *diagrams->memory);
    diagrams->domains = memory_zeroed((size_t)layout->cell_count + 1, sizeof *diagrams->domains);
}

void diagrams_end(struct diagrams *diagrams)
{
    for (uint32_t c = 0; c < diagrams->layout->cell_count; c++)
        VEC_FREE(&diagrams->domains[c]);
    free(diagrams->domains);
    VEC_FREE(&diagrams->nodes);
    VEC_FREE(&diagrams->children);
    VEC_FREE(&diagrams->seen);
    VEC_FREE(&diagrams->leaves);
    free(diagrams->table);
    free(diagrams->memory);
}

bool diagram_add_value(struct diagrams *diagrams, uint32_t cell, int32_t code)
{
    const int32_t *codes = diagrams->domains[cell].items;
    size_t low = 0, high = diagrams->domains[cell].count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (codes[middle] < code)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < diagrams->domains[cell].count && codes[low] == code)
        return false;
    VEC_PUSH(&diagrams->domains[cell], code);
    int32_t *place = diagrams->domains[cell].items + low;
    memmove(place + 1, place, (diagrams->domains[cell].count - 1 - low) * sizeof code);
    *place = code;
    return true;
}

static size_t child_count(const struct diagrams *diagrams, const struct diagram_node *node)
{
    return node->cell == (uint32_t)LEAF ? 0 : diagrams->domains[node->cell].count;
}

static uint64_t node_hash(const struct diagrams *diagrams, const struct diagram_node *node)
{
    uint64_t hash = hash_combine(node->cell, (uint64_t)node->number);
    for (size_t v = 0; v < child_count(diagrams, node); v++)
        hash = hash_combine(hash, diagrams->children.items[node->children + v]);
    return hash;
}

static bool is_same_node(const struct diagrams *diagrams, const struct diagram_node *a, const struct diagram_node *b)
{
    size_t size = child_count(diagrams, a) * sizeof(diagram);
    return a->cell == b->cell && a->number == b->number &&
           (!size || !memcmp(diagrams->children.items + a->children, diagrams->children.items + b->children, size));
}

static uint32_t *find_entry(struct diagrams *diagrams, const struct diagram_node *node)
{
    uint32_t at = (uint32_t)node_hash(diagrams, node) & (diagrams->table_size - 1);
    while (diagrams->table[at] && !is_same_node(diagrams, &diagrams->nodes.items[diagrams->table[at] - 1], node))
        at = (at + 1) & (diagrams->table_size - 1);
    return &diagrams->table[at];
}

static void widen_table(struct diagrams *diagrams)
{
    free(diagrams->table);
    diagrams->table_size *= 2;
    diagrams->table = memory_zeroed(diagrams->table_size, sizeof *diagrams->table);
    for (uint32_t n = 0; n < diagrams->nodes.count; n++)
        *find_entry(diagrams, &diagrams->nodes.items[n]) = n + 1;
}

/* Its children, if any, are the last ones in the list: they stay there if it is new. */
static diagram intern(struct diagrams *diagrams, struct diagram_node node)
{
    uint32_t *entry = find_entry(diagrams, &node);
    if (*entry) {
        diagrams->children.count -= child_count(diagrams, &node);
        return *entry - 1;
    }
    if (diagrams->nodes.count >= MOST_NODES || watch_is_up())
        diagrams->is_full = true;
    VEC_PUSH(&diagrams->nodes, node);
    *entry = (uint32_t)diagrams->nodes.count;
    if (diagrams->nodes.count * 2 > diagrams->table_size)
        widen_table(diagrams);
    return (diagram)diagrams->nodes.count - 1;
}

diagram diagram_leaf(struct diagrams *diagrams, int64_t number)
{
    return intern(diagrams, (struct diagram_node){.cell = (uint32_t)LEAF, .number = number});
}

/* A question about a cell; takes the children. */
static diagram make_node(struct diagrams *diagrams, uint32_t cell, const diagram *children)
{
    size_t count = diagrams->domains[cell].count;
    bool is_needed = false;
    for (size_t v = 1; v < count; v++)
        is_needed |= children[v] != children[0];
    if (!is_needed)
        return children[0];
    if (diagrams->children.count > UINT32_MAX - count) { /* numbers of children are 32-bit */
        diagrams->is_full = true;
        return children[0];
    }
    struct diagram_node node = {.cell = cell, .children = (uint32_t)diagrams->children.count};
    for (size_t v = 0; v < count; v++)
        VEC_PUSH(&diagrams->children, children[v]);
    return intern(diagrams, node);
}

static diagram *take_children(const struct diagrams *diagrams, uint32_t cell)
{
    return memory_alloc((diagrams->domains[cell].count + 1) * sizeof(diagram));
}

diagram diagram_cell(struct diagrams *diagrams, uint32_t cell)
{
    diagram *children = take_children(diagrams, cell);
    for (size_t v = 0; v < diagrams->domains[cell].count; v++)
        children[v] = diagram_leaf(diagrams, diagrams->domains[cell].items[v]);
    diagram made = make_node(diagrams, cell, children);
    free(children);
    return made;
}

bool diagram_is_leaf(const struct diagrams *diagrams, diagram d, int64_t *number)
{
    *number = diagrams->nodes.items[d].number;
    return diagrams->nodes.items[d].cell == (uint32_t)LEAF;
}

static int64_t compute(const struct diagrams *diagrams, uint32_t operation, int64_t left, int64_t right)
{
    int64_t result = 0;
    if (operation >= DIAGRAM_MAP)
        return diagrams->rename(diagrams->user, (uint32_t)right, (int32_t)left);
    if (operation == DIAGRAM_OUTSIDE || operation == DIAGRAM_POSITION) {
        int64_t position = type_ordinal(diagrams->layout->system->types.items[right], left);
        return operation == DIAGRAM_OUTSIDE ? position < 0 : position < 0 ? DIAGRAM_NOWHERE : position;
    }
    enum operator op =(enum operator)(operation % DIAGRAM_FAILS);
    bool is_unary = op == OP_NOT || op == OP_NEGATE || op == OP_BIT_NOT;
    enum arith_status status = is_unary ? arith_unary(op, left, &result) : arith_binary(op, left, right, &result);
    return operation >= DIAGRAM_FAILS ? status != ARITH_OK : status == ARITH_OK ? result : 0;
}

/* The part of a diagram for one value of a cell that it does not ask for an earlier one than. */
static diagram cofactor(const struct diagrams *diagrams, diagram d, uint32_t cell, size_t value)
{
    const struct diagram_node *node = &diagrams->nodes.items[d];
    return node->cell == cell ? diagrams->children.items[node->children + value] : d;
}

static diagram combine(struct diagrams *diagrams, uint32_t operation, diagram a, diagram b, diagram c)
{
    int64_t x, y;
    bool is_choice = operation == CHOOSE, is_leaf = diagram_is_leaf(diagrams, a, &x);
    if (is_choice && is_leaf)
        return x ? b : c;
    if (diagrams->is_full || (is_choice && b == c))
        return b;
    if (!is_choice && is_leaf && diagram_is_leaf(diagrams, b, &y))
        return diagram_leaf(diagrams, compute(diagrams, operation, x, y));
    uint64_t hash = hash_combine(hash_combine(operation, a), hash_combine(b, c));
    struct diagram_entry *entry = &diagrams->memory[hash % MEMORY_SIZE];
    if (entry->operation == operation + 1 && entry->a == a && entry->b == b && entry->c == c)
        return entry->result;
    uint32_t cell = diagrams->nodes.items[a].cell;
    cell = diagrams->nodes.items[b].cell < cell ? diagrams->nodes.items[b].cell : cell;
    cell = is_choice && diagrams->nodes.items[c].cell < cell ? diagrams->nodes.items[c].cell : cell;
    diagram *children = take_children(diagrams, cell);
    for (size_t v = 0; v < diagrams->domains[cell].count; v++)
        children[v] = combine(diagrams, operation, cofactor(diagrams, a, cell, v), cofactor(diagrams, b, cell, v),
                              is_choice ? cofactor(diagrams, c, cell, v) : 0);
    diagram result = make_node(diagrams, cell, children);
    free(children);
    *entry = (struct diagram_entry){operation + 1, a, b, c, result};
    return result;
}

diagram diagram_apply(struct diagrams *diagrams, uint32_t operation, diagram left, diagram right)
{
    return combine(diagrams, operation, left, right, 0);
}

diagram diagram_choose(struct diagrams *diagrams, diagram condition, diagram yes, diagram no)
{
    return combine(diagrams, CHOOSE, condition, yes, no);
}

static void collect_leaves(struct diagrams *diagrams, diagram d)
{
    const struct diagram_node *node = &diagrams->nodes.items[d];
    if (diagrams->seen.items[d] == diagrams->walk)
        return;
    diagrams->seen.items[d] = diagrams->walk;
    if (node->cell == (uint32_t)LEAF)
        VEC_PUSH(&diagrams->leaves, node->number);
    for (size_t v = 0; v < child_count(diagrams, node); v++)
        collect_leaves(diagrams, diagrams->children.items[node->children + v]);
}

static int compare_numbers(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

const int64_t *diagram_leaves(struct diagrams *diagrams, diagram d, size_t *count)
{
    while (diagrams->seen.count < diagrams->nodes.count)
        VEC_PUSH(&diagrams->seen, 0);
    diagrams->walk++;
    VEC_CLEAR(&diagrams->leaves);
    collect_leaves(diagrams, d);
    *count = diagrams->leaves.count;
    qsort(diagrams->leaves.items, *count, sizeof *diagrams->leaves.items, compare_numbers);
    return diagrams->leaves.items;
}

/* Built from the leaves: for each value of a cell, if the target has the image of the value. */
diagram diagram_move(struct diagrams *diagrams, diagram d)
{
    struct diagram_node node = diagrams->nodes.items[d];
    uint32_t operation = DIAGRAM_MAP + (diagrams->map_number << 1) + 1;
    struct diagram_entry *entry = &diagrams->memory[hash_combine(operation, d) % MEMORY_SIZE];
    if (node.cell == (uint32_t)LEAF || diagrams->is_full)
        return d;
    if (entry->operation == operation + 1 && entry->a == d)
        return entry->result;
    diagram target = diagram_cell(diagrams, diagrams->target(diagrams->user, node.cell)), result = 0;
    for (size_t v = 0; v < child_count(diagrams, &node); v++) {
        diagram part = diagram_move(diagrams, diagrams->children.items[node.children + v]);
        int32_t code = diagrams->rename(diagrams->user, node.cell, diagrams->domains[node.cell].items[v]);
        result = v ? diagram_choose(diagrams, diagram_is(diagrams, target, code), part, result) : part;
    }
    *entry = (struct diagram_entry){operation + 1, d, 0, 0, result};
    return result;
}
