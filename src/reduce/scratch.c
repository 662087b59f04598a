/* Local variables of rules and functions. What is known of them is kept in the run; the rest goes to a variable of the
 * reduced system (in a guard or formula, where there is none, it stays an expression). */
#include "ir/walk.h"
#include "reduce/inner.h"

struct reduce_listing {
    struct reducer *reducer;
    const struct function *function;
};

static void listing_own(struct reduce_listing *listing, const struct variable *variable)
{
    const struct reducer *reducer = listing->reducer;
    uint32_t cells = variable->is_reference ? 1 : variable->type->cells;
    for (uint32_t c = 0; c < cells && !variable->is_global; c++)
        reducer->owners[variable->address - reducer->system->state_cells + c] = listing->function;
}

static bool listing_on_place(void *user, const struct place *place, bool is_written)
{
    (void)is_written;
    if (place->variable)
        listing_own(user, place->variable);
    return true;
}

void scratch_list(struct reducer *reducer)
{
    const struct system *system = reducer->system;
    uint32_t count = system->memory_cells - system->state_cells;
    reducer->variables = ARENA_ARRAY(reducer->reduction->arena, const struct variable *, count + 1);
    reducer->owners = ARENA_ARRAY(reducer->reduction->arena, const struct function *, count + 1);
    for (size_t s = 0; s < system->scratch.count; s++) {
        const struct variable *variable = system->scratch.items[s];
        uint32_t cells = variable->is_reference ? 1 : variable->type->cells;
        for (uint32_t c = 0; c < cells; c++)
            reducer->variables[variable->address - system->state_cells + c] = variable;
    }
    for (size_t f = 0; f < system->functions.count; f++) {
        struct reduce_listing listing = {reducer, system->functions.items[f]};
        struct walker walker = {.on_place = listing_on_place, .user = &listing};
        walk_block(&walker, &listing.function->body);
        for (uint32_t p = 0; p < listing.function->parameter_count; p++)
            listing_own(&listing, listing.function->parameters[p]);
        if (listing.function->result)
            listing_own(&listing, listing.function->result);
    }
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
static struct place *scratch_place(struct reduce_run *run, const struct variable *variable, uint32_t offset)
{
    struct place *place = make_place(run, make_mirror(run->reducer, variable));
    while (!type_is_scalar(place->type)) {
        const struct type *type = place->type;
        if (type->kind == TYPE_ARRAY) {
            struct expr *index = expr_const(run->out, type->index,
                                            type_code(type->index, offset / type->element->cells), variable->span);
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

/* The condition under which a defined value is in the type; NULL: always. */
static struct expr *scratch_inside(struct reduce_run *run, const struct type *type, struct expr *value)
{
    int64_t low, high;
    if (type->kind != TYPE_RANGE || value->type->kind != TYPE_RANGE) {
        bool is_within = true;
        for (uint32_t b = 0; b < value->type->block_count; b++)
            is_within &= type_has(type, value->type->blocks[b].lo) && type_has(type, value->type->blocks[b].hi);
        return is_within ? NULL : expr_is_member(run->out, value, make_type(run->reducer, type), value->span);
    }
    scratch_bounds(value, &low, &high);
    struct expr *is_inside = NULL;
    if (low < type->blocks->lo)
        is_inside = make_binary(run, OP_GE, value, make_number(run, type->blocks->lo));
    if (high > type->blocks->hi)
        is_inside = make_and(run, is_inside, make_binary(run, OP_LE, value, make_number(run, type->blocks->hi)));
    return is_inside;
}

/* What is kept as an expression must be in the variable's type, or undefined where it is copied. */
static enum reduce_go scratch_check(struct reduce_run *run, const struct type *type, struct expr **kept,
                                    struct expr *otherwise, struct span span)
{
    struct expr *value = *kept, *taken = NULL;
    bool is_raw = value->kind == EXPR_READ && value->raw, is_ok = true;
    struct expr *is_inside =
        scratch_inside(run, type, is_raw ? expr_read(run->out, value->place, false, value->span) : value);
    if (is_inside)
        taken = touch_take(run, value, make_type(run->reducer, type), otherwise);
    if (taken)
        *kept = taken;
    if (taken || run->reducer->is_analysis)
        return GO_OK;
    if (is_inside && is_raw)
        is_inside = make_binary(run, OP_OR, expr_is_undefined(run->out, value->place, value->span), is_inside);
    enum reduce_go go = is_inside ? run_branch(run, is_inside, &is_ok) : GO_OK;
    return go == GO_OK && !is_ok ? run_fault(run, span, "value out of range") : go;
}

enum reduce_go scratch_write(struct reduce_run *run, uint32_t address, struct reduce_value value, bool is_kept,
                             struct span span)
{
    const struct system *system = run->reducer->system;
    uint32_t cell = address - system->state_cells;
    const struct variable *variable = run->reducer->variables[cell];
    const struct type *type = scratch_type(variable->type, address - variable->address);
    bool is_element = value.kind == VALUE_ELEMENT || value.kind == VALUE_ELSEWHERE;
    if (value.kind == VALUE_KNOWN && value.code != UNDEFINED && !type_has(type, value.code))
        return run_fault(run, span, "value out of range");
    if (is_element && !type_has(type, run->reducer->reduction->families[value.family].code))
        return run_fault(run, span, "value out of range");
    if (value.kind == VALUE_RESIDUAL && !is_kept) {
        /* A sum over no process stays as it was: it is not merged with what it was before (iteration_merge). */
        struct expr *otherwise = run_is_sum(run, 0, cell) ? value_expr(run, &run->memory[cell], type, span) : NULL;
        enum reduce_go go = scratch_check(run, type, &value.expr, otherwise, span);
        if (go != GO_OK)
            return go;
    }
    if (value.kind == VALUE_RESIDUAL && is_kept) {
        bool is_raw = value.expr->kind == EXPR_READ && value.expr->raw;
        if (families_mentions(variable->type))
            return run_refuse(run, span, "a local variable with elements of scalarsets beside other values");
        struct place *place = scratch_place(run, variable, address - variable->address);
        struct stmt *stmt = make_assign(run, place, value.expr);
        stmt->span = span;
        run_push_event(run, stmt);
        value = value_residual(expr_read(run->out, place, is_raw, span));
    }
    struct reduce_undo undo = {.cell = cell, .value = run->memory[cell]};
    VEC_PUSH(&run->log, undo);
    run->memory[cell] = value;
    return GO_OK;
}

/* What a function has returned depends on them; what a body has assigned is in variables of its own. */
enum reduce_go scratch_keep(struct reduce_run *run, const struct reduce_spot *spot)
{
    uint32_t cells = run->reducer->system->state_cells;
    enum reduce_go go = GO_OK;
    if (spot->residual || spot->address < cells || run->pure || run->reducer->is_analysis)
        return GO_OK;
    for (uint32_t c = spot->address - cells; c < spot->address - cells + spot->type->cells && go == GO_OK; c++) {
        struct reduce_value *value = &run->memory[c];
        if (value->kind != VALUE_RESIDUAL)
            continue;
        go = run_settle(run);
        if (go == GO_OK)
            value->expr = touch_take(run, value->expr, value->expr->type, NULL);
    }
    return go;
}
