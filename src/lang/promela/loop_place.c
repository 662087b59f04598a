#include "lang/promela/loop_place.h"

#include <stdlib.h>

#include "lang/promela/guards.h"

bool pml_writes(const struct pml_stmt *stmt, const struct pml_variable *variable)
{
    bool found = (stmt->kind == PML_ASSIGN && stmt->place->variable == variable) ||
                 (stmt->kind == PML_DECLARE && stmt->variable == variable);
    for (uint32_t i = 0; stmt->kind == PML_RECEIVE && i < stmt->argument_count; i++)
        found |= stmt->arguments[i].place && stmt->arguments[i].place->variable == variable;
    return found;
}

uint32_t pml_last_node(const struct pml_stmt *stmt)
{
    uint32_t last = stmt->node + (stmt->kind == PML_IF || stmt->kind == PML_DO);
    for (uint32_t o = 0; o <= stmt->option_count; o++) {
        const struct pml_block *block = o < stmt->option_count ? &stmt->options[o] : &stmt->body;
        for (uint32_t i = 0; i < block->count; i++) {
            uint32_t inner = pml_last_node(block->items[i]);
            last = inner > last ? inner : last;
        }
    }
    return last;
}

/* The value of a local variable where control comes to a node from outside of the loop there: that which all ways
 * there have given it. */
struct value_search {
    const struct pml_flow *flow;
    const struct pml_variable *variable;
    bool *is_seen; /* by node */
    bool has_value;
    int64_t value;
};

static bool note_value(struct value_search *search, int64_t value)
{
    bool is_same = !search->has_value || search->value == value;
    search->has_value = true;
    search->value = value;
    return is_same;
}

static bool value_at_entry(struct value_search *search)
{
    const struct pml_variable *variable = search->variable;
    int64_t value = 0;
    bool is_given = variable->is_parameter || (variable->initial && !pml_is_number(variable->initial, &value));
    return !is_given && note_value(search, variable->is_inner ? 0 : value);
}

static bool value_at(struct value_search *search, uint32_t node, uint32_t from, uint32_t to);

/* ... behind a move from a node. */
static bool value_behind(struct value_search *search, uint32_t node, const struct pml_move *move)
{
    int64_t value;
    if (move->stmt && move->stmt->kind == PML_ASSIGN && pml_scalar_of(move->stmt->place) == search->variable)
        return pml_is_number(move->stmt->value, &value) && note_value(search, value);
    if (!search->variable->owner || (move->stmt && pml_writes(move->stmt, search->variable)))
        return false;
    if (search->is_seen[node])
        return true;
    search->is_seen[node] = true;
    return value_at(search, node, 1, 0);
}

/* ... at a node, leaving out moves from the nodes from .. to. */
static bool value_at(struct value_search *search, uint32_t node, uint32_t from, uint32_t to)
{
    const struct pml_flow *flow = search->flow;
    bool is_known = node != flow->entry || value_at_entry(search);
    for (uint32_t n = 0; n < flow->nodes.count && is_known; n++) {
        if (n >= from && n <= to)
            continue;
        for (size_t m = 0; m < flow->nodes.items[n].moves.count && is_known; m++)
            if (flow->nodes.items[n].moves.items[m].target == node)
                is_known = value_behind(search, n, &flow->nodes.items[n].moves.items[m]);
    }
    return is_known;
}

bool pml_value_before(const struct pml_flow *flow, uint32_t begin, uint32_t end, const struct pml_variable *counter,
                      int64_t *first)
{
    struct value_search values = {.flow = flow, .variable = counter};
    values.is_seen = memory_zeroed(flow->nodes.count, sizeof *values.is_seen);
    bool is_known = value_at(&values, begin, begin, end) && values.has_value;
    free(values.is_seen);
    *first = values.value;
    return is_known;
}

bool pml_is_closed(const struct pml_flow *flow, uint32_t begin, uint32_t end)
{
    for (uint32_t n = 0; n < flow->nodes.count; n++) {
        const struct pml_node *node = &flow->nodes.items[n];
        bool is_inner = n >= begin && n <= end;
        if (is_inner && (node->is_end || node->is_accept || node->is_progress))
            return false;
        for (size_t m = 0; m < node->moves.count; m++) {
            const struct pml_move *move = &node->moves.items[m];
            bool is_message = move->stmt && (move->stmt->kind == PML_SEND || move->stmt->kind == PML_RECEIVE);
            bool comes_in = !is_inner && move->target >= begin && move->target <= end;
            if (comes_in && (move->target != begin || !move->keeps || is_message || move->is_shadowed))
                return false;
            bool stays = is_inner && move->target >= begin && move->target <= end;
            if ((is_inner && move->rank) || (stays && !move->keeps))
                return false;
        }
    }
    return flow->entry != begin;
}

uint32_t pml_move_of(const struct pml_node *node, const struct pml_stmt *stmt)
{
    for (uint32_t m = 0; m < node->moves.count; m++)
        if (node->moves.items[m].stmt == stmt)
            return m;
    return UINT32_MAX;
}
