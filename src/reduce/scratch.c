/* Local variables of rules and functions. What is known of them is kept in the run; the rest goes to a variable of the
 * reduced system (in a guard or formula, where there is none, it stays an expression). */
#include "reduce/inner.h"

const struct variable *scratch_variable(const struct system *system, uint32_t address)
{
    for (size_t s = 0; s < system->scratch.count; s++) {
        const struct variable *variable = system->scratch.items[s];
        uint32_t cells = variable->is_reference ? 1 : variable->type->cells;
        if (address >= variable->address && address - variable->address < cells)
            return variable;
    }
    UNREACHABLE("a cell of no variable");
}

/* The scalar type at an offset of a value. */
static const struct type *scratch_type(const struct type *type, uint32_t offset)
{
    while (!type_is_scalar(type)) {
        if (type->kind == TYPE_ARRAY) {
            offset %= type->element->cells;
            type = type->element;
            continue;
        }
        uint32_t f = 0;
        while (offset - type->fields[f].offset >= type->fields[f].type->cells)
            f++;
        offset -= type->fields[f].offset;
        type = type->fields[f].type;
    }
    return type;
}

/* The same cell of the variable's counterpart. */
static struct place *scratch_place(struct run *run, const struct variable *variable, uint32_t offset)
{
    struct place *place = make_place(run, make_mirror(run->reducer, variable));
    while (!type_is_scalar(place->type)) {
        const struct type *type = place->type;
        if (type->kind == TYPE_ARRAY) {
            struct expr *index = expr_const(run->out, type->index, type_code(type->index, offset / type->element->cells),
                                            variable->span);
            offset %= type->element->cells;
            place = place_element(run->out, place, index, variable->span);
            continue;
        }
        uint32_t f = 0;
        while (offset - type->fields[f].offset >= type->fields[f].type->cells)
            f++;
        offset -= type->fields[f].offset;
        place = place_field(run->out, place, &type->fields[f], variable->span);
    }
    return place;
}

/* Bounds of a residual number, where they are easy to see. */
static void scratch_bounds(const struct expr *expr, int64_t *low, int64_t *high)
{
    int64_t a, b, c, d;
    *low = expr->type->blocks[0].lo;
    *high = expr->type->blocks[expr->type->block_count - 1].hi;
    if (expr->kind == EXPR_CONST)
        *low = *high = expr->value;
    if (expr->kind == EXPR_BINARY && (expr->op == OP_ADD || expr->op == OP_SUB)) {
        scratch_bounds(expr->left, &a, &b);
        scratch_bounds(expr->right, &c, &d);
        *low = expr->op == OP_ADD ? a + c : a - d;
        *high = expr->op == OP_ADD ? b + d : b - c;
    }
    if (expr->kind == EXPR_COND) {
        scratch_bounds(expr->left, &a, &b);
        scratch_bounds(expr->right, &c, &d);
        *low = a < c ? a : c;
        *high = b > d ? b : d;
    }
}

/* A number that is kept as an expression must be in the variable's type. */
static enum go scratch_check(struct run *run, const struct type *type, struct expr *value, struct span span)
{
    int64_t low, high;
    if (type->kind != TYPE_RANGE || value->type->kind != TYPE_RANGE || (value->kind == EXPR_READ && value->raw))
        return GO_OK;
    scratch_bounds(value, &low, &high);
    struct expr *is_inside = NULL;
    if (low < type->blocks->lo)
        is_inside = make_binary(run, OP_GE, value, make_number(run, type->blocks->lo));
    if (high > type->blocks->hi)
        is_inside = make_and(run, is_inside, make_binary(run, OP_LE, value, make_number(run, type->blocks->hi)));
    bool is_ok = true;
    enum go go = is_inside ? run_branch(run, is_inside, &is_ok) : GO_OK;
    return go == GO_OK && !is_ok ? run_fault(run, span, "value out of range") : go;
}

enum go scratch_write(struct run *run, uint32_t address, struct value value, struct span span)
{
    const struct system *system = run->reducer->system;
    const struct variable *variable = scratch_variable(system, address);
    const struct type *type = scratch_type(variable->type, address - variable->address);
    uint32_t cell = address - system->state_cells;
    bool is_element = value.kind == VALUE_ELEMENT || value.kind == VALUE_ELSEWHERE;
    if (value.kind == VALUE_KNOWN && value.code != UNDEFINED && !type_has(type, value.code))
        return run_fault(run, span, "value out of range");
    if (is_element && !type_has(type, run->reducer->reduction->families[value.family].code))
        return run_fault(run, span, "value out of range");
    if (value.kind == VALUE_RESIDUAL && run->pure) {
        enum go go = scratch_check(run, type, value.expr, span);
        if (go != GO_OK)
            return go;
    }
    if (value.kind == VALUE_RESIDUAL && !run->pure) {
        if (families_mentions(variable->type))
            return run_refuse(run, span, "a local variable with elements of scalarsets beside other values");
        struct place *place = scratch_place(run, variable, address - variable->address);
        struct stmt *stmt = make_assign(run, place, value.expr);
        stmt->span = span;
        run_push_event(run, stmt);
        value = value_residual(expr_read(run->out, place, true, span));
    }
    struct undo undo = {.cell = cell, .value = run->memory[cell]};
    VEC_PUSH(&run->log, undo);
    run->memory[cell] = value;
    return GO_OK;
}
