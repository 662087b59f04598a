#include "exec/evaluate_symbolic.h"

#include <stdlib.h>
#include <string.h>

#include "ir/instance.h"

void symbolic_begin(struct symbolic *symbolic, struct diagrams *diagrams, const struct system *system)
{
    *symbolic = (struct symbolic){.diagrams = diagrams, .system = system};
    symbolic->memory = memory_zeroed((size_t)system->memory_cells + 1, sizeof *symbolic->memory);
}

static void drop_adds(struct symbolic *symbolic)
{
    for (size_t a = 0; a < symbolic->adds.count; a++)
        free(symbolic->adds.items[a].cells);
    VEC_CLEAR(&symbolic->adds);
}

void symbolic_end(struct symbolic *symbolic)
{
    drop_adds(symbolic);
    VEC_FREE(&symbolic->adds);
    free(symbolic->memory);
}

void symbolic_reset(struct symbolic *symbolic)
{
    diagram undefined = diagram_leaf(symbolic->diagrams, UNDEFINED), no = diagram_leaf(symbolic->diagrams, 0);
    for (uint32_t c = 0; c < symbolic->system->memory_cells; c++)
        symbolic->memory[c] = c < symbolic->system->state_cells ? diagram_cell(symbolic->diagrams, c) : undefined;
    symbolic->active = diagram_leaf(symbolic->diagrams, 1);
    symbolic->fault = symbolic->disabled = symbolic->dropped = symbolic->returned = no;
    symbolic->function = NULL;
    drop_adds(symbolic);
}

void symbolic_refuse(struct symbolic *symbolic, struct span where, const char *why)
{
    if (!symbolic->refusal)
        symbolic->where = where.line ? where : symbolic->at;
    symbolic->refusal = symbolic->refusal ? symbolic->refusal : why;
}

void symbolic_fail_where(struct symbolic *symbolic, diagram condition)
{
    struct diagrams *diagrams = symbolic->diagrams;
    symbolic->fault = diagram_or(diagrams, symbolic->fault, diagram_and(diagrams, symbolic->active, condition));
}

diagram symbolic_fire(struct symbolic *symbolic, const struct rule *rule, uint64_t instance)
{
    struct diagrams *diagrams = symbolic->diagrams;
    int32_t *values = memory_alloc((rule->parameter_count + 1) * sizeof *values);
    symbolic_reset(symbolic);
    instance_values(rule, instance, values);
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        symbolic->memory[rule->parameters[p].variable->address] = diagram_leaf(diagrams, values[p]);
    free(values);
    symbolic_block(symbolic, &rule->prelude);
    diagram guard = rule->guard ? symbolic_expr(symbolic, rule->guard) : diagram_leaf(diagrams, 1);
    symbolic->active = diagram_and(diagrams, symbolic->active, guard);
    diagram enabled = symbolic->active;
    symbolic_block(symbolic, &rule->body);
    return enabled;
}

/* Has something been added to the multiset that the address is in? Then its slots are not known. */
static bool is_changed(const struct symbolic *symbolic, int64_t address)
{
    for (size_t a = 0; a < symbolic->adds.count; a++)
        if (address >= symbolic->adds.items[a].address &&
            address < (int64_t)symbolic->adds.items[a].address + symbolic->adds.items[a].type->cells)
            return true;
    return false;
}

diagram symbolic_fetch(struct symbolic *symbolic, diagram address, uint32_t offset)
{
    struct diagrams *diagrams = symbolic->diagrams;
    size_t count;
    const int64_t *found = diagram_leaves(diagrams, address, &count);
    int64_t *addresses = memory_alloc((count + 1) * sizeof *addresses);
    memcpy(addresses, found, count * sizeof *addresses);
    diagram value = diagram_leaf(diagrams, UNDEFINED);
    for (size_t a = 0; a < count; a++) {
        int64_t at = addresses[a] + offset;
        if (at < 0 || at >= symbolic->system->memory_cells)
            continue;
        if (is_changed(symbolic, at))
            symbolic_refuse(symbolic, (struct span){0}, "a rule looks at a multiset after it has added to it");
        value = diagram_choose(diagrams, diagram_is(diagrams, address, addresses[a]), symbolic->memory[at], value);
    }
    free(addresses);
    return value;
}

void symbolic_store(struct symbolic *symbolic, diagram address, uint32_t offset, diagram value)
{
    struct diagrams *diagrams = symbolic->diagrams;
    size_t count;
    const int64_t *found = diagram_leaves(diagrams, address, &count);
    int64_t *addresses = memory_alloc((count + 1) * sizeof *addresses);
    memcpy(addresses, found, count * sizeof *addresses);
    for (size_t a = 0; a < count; a++) {
        int64_t at = addresses[a] + offset;
        if (at < 0 || at >= symbolic->system->memory_cells)
            continue;
        if (is_changed(symbolic, at))
            symbolic_refuse(symbolic, (struct span){0}, "a rule changes a multiset after it has added to it");
        diagram where = diagram_and(diagrams, symbolic->active, diagram_is(diagrams, address, addresses[a]));
        symbolic->memory[at] = diagram_choose(diagrams, where, value, symbolic->memory[at]);
    }
    free(addresses);
}

/* An address some cells further. */
static diagram shift(struct diagrams *diagrams, diagram address, diagram by)
{
    return diagram_apply(diagrams, OP_ADD, address, by);
}

static diagram outside(struct symbolic *symbolic, const struct type *type, diagram value)
{
    return diagram_apply(symbolic->diagrams, DIAGRAM_OUTSIDE, value, diagram_leaf(symbolic->diagrams, type->id));
}

static diagram element_place(struct symbolic *symbolic, const struct place *place)
{
    struct diagrams *diagrams = symbolic->diagrams;
    const struct type *type = place->base->type->index;
    diagram base = symbolic_place(symbolic, place->base), index = symbolic_expr(symbolic, place->index);
    symbolic_fail_where(symbolic, outside(symbolic, type, index));
    diagram position = diagram_apply(diagrams, DIAGRAM_POSITION, index, diagram_leaf(diagrams, type->id));
    return shift(diagrams, base, diagram_apply(diagrams, OP_MUL, position, diagram_leaf(diagrams, place->type->cells)));
}

/* The address of a slot: of its taken-flag. */
static diagram slot_place(struct symbolic *symbolic, const struct place *multiset, const struct expr *slot)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram base = symbolic_place(symbolic, multiset), number = symbolic_expr(symbolic, slot);
    diagram low = diagram_apply(diagrams, OP_LT, number, diagram_leaf(diagrams, 0));
    diagram high = diagram_apply(diagrams, OP_GE, number, diagram_leaf(diagrams, multiset->type->capacity));
    diagram missing = diagram_or(diagrams, low, high), nowhere = diagram_leaf(diagrams, DIAGRAM_NOWHERE);
    symbolic_fail_where(symbolic, missing);
    diagram offset = diagram_apply(diagrams, OP_MUL, number, diagram_leaf(diagrams, multiset_stride(multiset->type)));
    return shift(diagrams, base, diagram_choose(diagrams, missing, nowhere, offset));
}

diagram symbolic_place(struct symbolic *symbolic, const struct place *place)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram slot;
    switch (place->kind) {
    case PLACE_VARIABLE:
        return diagram_leaf(diagrams, place->variable->address);
    case PLACE_DEREF:
        return symbolic->memory[place->variable->address];
    case PLACE_ELEMENT:
        return element_place(symbolic, place);
    case PLACE_FIELD:
        return shift(diagrams, symbolic_place(symbolic, place->base), diagram_leaf(diagrams, place->field->offset));
    case PLACE_SLOT:
        slot = slot_place(symbolic, place->base, place->index);
        symbolic_fail_where(symbolic,
                            diagram_not(diagrams, diagram_is(diagrams, symbolic_fetch(symbolic, slot, 0), 1)));
        return shift(diagrams, slot, diagram_leaf(diagrams, 1));
    case PLACE_CALL:
        symbolic_call(symbolic, place->call);
        return diagram_leaf(diagrams, place->call->function->result->address);
    }
    UNREACHABLE("place kind");
}

diagram *symbolic_aggregate(struct symbolic *symbolic, const struct place *place)
{
    diagram *cells = memory_alloc((place->type->cells + 1) * sizeof *cells), address = symbolic_place(symbolic, place);
    for (uint32_t c = 0; c < place->type->cells; c++)
        cells[c] = symbolic_fetch(symbolic, address, c);
    return cells;
}

diagram symbolic_storable(struct symbolic *symbolic, const struct expr *expr, const struct type *type)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram value = symbolic_expr(symbolic, expr), wrong = outside(symbolic, type, value);
    if (expr->kind == EXPR_CONST || (expr->kind == EXPR_READ && expr->raw))
        wrong = diagram_and(diagrams, wrong, diagram_not(diagrams, diagram_is(diagrams, value, UNDEFINED)));
    symbolic_fail_where(symbolic, wrong);
    return value;
}

static diagram binary_expr(struct symbolic *symbolic, const struct expr *expr)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram left = symbolic_expr(symbolic, expr->left), before = symbolic->active;
    bool is_lazy = expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES;
    if (is_lazy)
        symbolic->active = diagram_and(diagrams, before, expr->op == OP_OR ? diagram_not(diagrams, left) : left);
    diagram right = symbolic_expr(symbolic, expr->right);
    symbolic_go_on(symbolic, before);
    symbolic_fail_where(symbolic, diagram_apply(diagrams, DIAGRAM_FAILS + expr->op, left, right));
    return diagram_apply(diagrams, expr->op, left, right);
}

static diagram quantifier_expr(struct symbolic *symbolic, const struct expr *expr)
{
    struct diagrams *diagrams = symbolic->diagrams;
    struct symbolic_range loop;
    diagram before = symbolic->active, decided = diagram_leaf(diagrams, 0);
    bool is_exhaustive = !expr->domain.from && type_has_index(expr->domain.type), is_some = expr->op == OP_EXISTS;
    symbolic_loop_begin(symbolic, &expr->domain, expr->span, &loop);
    while (symbolic_loop_next(symbolic, &loop, expr->variable)) {
        diagram inside = symbolic->active;
        if (!is_exhaustive)
            symbolic->active = diagram_and(diagrams, inside, diagram_not(diagrams, decided));
        diagram holds = symbolic_expr(symbolic, expr->left);
        holds = diagram_and(diagrams, inside, is_some ? holds : diagram_not(diagrams, holds));
        decided = diagram_or(diagrams, decided, holds);
        symbolic_go_on(symbolic, before);
    }
    return is_some ? decided : diagram_not(diagrams, decided);
}

static diagram count_expr(struct symbolic *symbolic, const struct expr *expr)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram address = symbolic_place(symbolic, expr->place), before = symbolic->active, sum = diagram_leaf(diagrams, 0);
    for (uint32_t s = 0; s < expr->place->type->capacity; s++) {
        diagram taken = symbolic_fetch(symbolic, address, s * multiset_stride(expr->place->type));
        symbolic->memory[expr->variable->address] = diagram_leaf(diagrams, s);
        symbolic->active = diagram_and(diagrams, before, taken);
        diagram holds = diagram_and(diagrams, taken, symbolic_expr(symbolic, expr->left));
        sum = diagram_apply(diagrams, OP_ADD, sum, holds);
        symbolic_go_on(symbolic, before);
    }
    return sum;
}

static diagram equal_expr(struct symbolic *symbolic, const struct expr *expr)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram *left = symbolic_aggregate(symbolic, expr->place), *right = symbolic_aggregate(symbolic, expr->other);
    diagram same = diagram_leaf(diagrams, 1);
    for (uint32_t c = 0; c < expr->place->type->cells; c++)
        same = diagram_and(diagrams, same, diagram_apply(diagrams, OP_EQ, left[c], right[c]));
    free(left);
    free(right);
    return same;
}

static diagram undefined_expr(struct symbolic *symbolic, const struct expr *expr)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram *cells = symbolic_aggregate(symbolic, expr->place), some = diagram_leaf(diagrams, 0);
    for (uint32_t c = 0; c < expr->place->type->cells; c++)
        some = diagram_or(diagrams, some, diagram_is(diagrams, cells[c], UNDEFINED));
    free(cells);
    return some;
}

static diagram cond_expr(struct symbolic *symbolic, const struct expr *expr)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram condition = symbolic_expr(symbolic, expr->condition), before = symbolic->active;
    symbolic->active = diagram_and(diagrams, before, condition);
    diagram left = symbolic_expr(symbolic, expr->left);
    symbolic->active = diagram_and(diagrams, before, diagram_not(diagrams, condition));
    diagram right = symbolic_expr(symbolic, expr->right);
    symbolic_go_on(symbolic, before);
    return diagram_choose(diagrams, condition, left, right);
}

diagram symbolic_expr(struct symbolic *symbolic, const struct expr *expr)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram value;
    if (symbolic->refusal || diagrams->is_full)
        return diagram_leaf(diagrams, 0);
    switch (expr->kind) {
    case EXPR_CONST:
        return diagram_leaf(diagrams, expr->value);
    case EXPR_READ:
        value = symbolic_fetch(symbolic, symbolic_place(symbolic, expr->place), 0);
        if (!expr->raw)
            symbolic_fail_where(symbolic, diagram_is(diagrams, value, UNDEFINED));
        return value;
    case EXPR_UNARY:
        value = symbolic_expr(symbolic, expr->left);
        symbolic_fail_where(symbolic, diagram_apply(diagrams, DIAGRAM_FAILS + expr->op, value, value));
        return diagram_apply(diagrams, expr->op, value, value);
    case EXPR_BINARY:
        return binary_expr(symbolic, expr);
    case EXPR_COND:
        return cond_expr(symbolic, expr);
    case EXPR_QUANTIFIER:
        return quantifier_expr(symbolic, expr);
    case EXPR_IS_UNDEFINED:
        return undefined_expr(symbolic, expr);
    case EXPR_IS_MEMBER:
        return diagram_not(diagrams, outside(symbolic, expr->member, symbolic_expr(symbolic, expr->left)));
    case EXPR_CALL:
        return symbolic_call(symbolic, expr);
    case EXPR_EQUAL:
        return equal_expr(symbolic, expr);
    case EXPR_SLOT_TAKEN:
        return symbolic_fetch(symbolic, slot_place(symbolic, expr->place, expr->left), 0);
    case EXPR_COUNT:
        return count_expr(symbolic, expr);
    default: /* a new kind may be too much for the verifier, but is never skipped */
        symbolic_refuse(symbolic, expr->span, "an expression of a kind that is not known here");
        return diagram_leaf(diagrams, 0);
    }
}
