/* Expressions and places under partial evaluation. In step with exec/evaluate_expr.c, which is the meaning of it
 * all. */
#include <string.h>

#include "engine/adaptive/partial.h"
#include "ir/arith.h"

enum { TAG_UNARY = 1 << 17, TAG_BINARY, TAG_LOGIC, TAG_MEMBER, TAG_STRICT, TAG_UNDEFINED, TAG_RAW_EQUAL };

static int64_t entry_strict(int64_t user, const int64_t *entries)
{
    (void)user;
    return entries[0] == UNDEFINED ? UNARY_FAULT : entries[0];
}

static int64_t entry_is_undefined(int64_t user, const int64_t *entries)
{
    (void)user;
    return entries[0] == UNARY_FAULT ? UNARY_FAULT : entries[0] == UNDEFINED;
}

static int64_t entry_unary(int64_t user, const int64_t *entries)
{
    int64_t result;
    if (entries[0] == UNARY_FAULT || arith_unary((enum operator)user, entries[0], &result) != ARITH_OK)
        return UNARY_FAULT;
    return result;
}

static int64_t entry_binary(int64_t user, const int64_t *entries)
{
    int64_t result;
    if (entries[0] == UNARY_FAULT || entries[1] == UNARY_FAULT ||
        arith_binary((enum operator)user, entries[0], entries[1], &result) != ARITH_OK)
        return UNARY_FAULT;
    return result;
}

/* AND, OR, IMPLIES: what the left side decides, the right side cannot spoil. */
static int64_t entry_logic(int64_t user, const int64_t *entries)
{
    if (entries[0] == UNARY_FAULT)
        return UNARY_FAULT;
    if ((user == OP_AND && !entries[0]) || (user == OP_OR && entries[0]) || (user == OP_IMPLIES && !entries[0]))
        return user != OP_AND;
    return entries[1] == UNARY_FAULT ? UNARY_FAULT : entries[1] != 0;
}

static int64_t entry_raw_equal(int64_t user, const int64_t *entries)
{
    (void)user;
    return entries[0] == UNARY_FAULT || entries[1] == UNARY_FAULT ? UNARY_FAULT : entries[0] == entries[1];
}

static enum go partial_initial(struct partial *partial, uint32_t element, uint32_t slot, struct adaptive_value *value)
{
    struct operand made;
    if (!unary_slot(partial->unaries, partial->scene->roster->family_of[element], slot, &made))
        return GO_UNCLEAR;
    *value = value_of_operand(&made, element);
    return GO_OK;
}

enum go partial_raw(struct partial *partial, uint32_t cell, struct adaptive_value *value)
{
    const struct roster *roster = partial->scene->roster;
    switch ((enum mark)partial->marks[cell]) {
    case MARK_KNOWN:
        *value = value_known(partial->memory[cell]);
        return GO_OK;
    case MARK_HELD:
        *value = partial->values.items[partial->memory[cell]];
        return GO_OK;
    case MARK_INITIAL:
        return partial_initial(partial, roster->element_of[cell], roster->slot_of[cell], value);
    case MARK_BARRED:
        return GO_UNCLEAR;
    }
    UNREACHABLE("mark");
}

static enum go partial_read(struct partial *partial, const struct expr *expr, struct adaptive_value *value)
{
    uint32_t address;
    enum go go = partial_place(partial, expr->place, &address);
    if (go == GO_OK)
        go = partial_raw(partial, address, value);
    if (go != GO_OK || expr->raw || value->sort == SORT_FORMULA)
        return go;
    if (value->sort == SORT_UNARY)
        return partial_apply(partial, entry_strict, TAG_STRICT, 0, value, 1, value);
    return value->number == UNDEFINED ? partial_fault(partial, FAULT_UNDEFINED, expr->place->span) : GO_OK;
}

static enum go partial_element(struct partial *partial, const struct place *place, uint32_t *address)
{
    const struct type *range = place->base->type->index;
    struct adaptive_value index;
    enum go go = partial_place(partial, place->base, address);
    if (go == GO_OK)
        go = partial_expr(partial, place->index, &index);
    if (go != GO_OK)
        return go;
    if (index.sort != SORT_KNOWN)
        return GO_UNCLEAR;
    if (!type_has(range, index.number)) {
        go = partial_fault(partial, FAULT_INDEX, place->index->span);
        partial->fault.value = index.number;
        partial->fault.type = range;
        return go;
    }
    *address += (uint32_t)type_ordinal(range, index.number) * place->type->cells;
    return GO_OK;
}

enum go partial_place(struct partial *partial, const struct place *place, uint32_t *address)
{
    enum go go;
    switch (place->kind) {
    case PLACE_VARIABLE:
        *address = place->variable->address;
        return GO_OK;
    case PLACE_DEREF:
        if (partial->marks[place->variable->address] != MARK_KNOWN)
            return GO_UNCLEAR;
        *address = (uint32_t)partial->memory[place->variable->address];
        return GO_OK;
    case PLACE_ELEMENT:
        return partial_element(partial, place, address);
    case PLACE_FIELD:
        go = partial_place(partial, place->base, address);
        *address += place->field->offset;
        return go;
    case PLACE_CALL:
        *address = place->call->function->result->address;
        return partial_call(partial, place->call);
    case PLACE_SLOT:
        return GO_UNCLEAR;
    }
    UNREACHABLE("place kind");
}

static enum go partial_arith(struct partial *partial, enum arith_status status, struct span span)
{
    if (status == ARITH_OK)
        return GO_OK;
    return partial_fault(partial, status == ARITH_DIVISION ? FAULT_DIVISION : FAULT_OVERFLOW, span);
}

/* Both sides as formulas. */
static enum go partial_connect(struct partial *partial, enum operator op, struct adaptive_value left,
                               struct adaptive_value right, struct adaptive_value *result)
{
    struct formulas *formulas = partial->formulas;
    uint32_t a, b;
    if (partial_formula(partial, left, &a) != GO_OK || partial_formula(partial, right, &b) != GO_OK)
        return GO_UNCLEAR;
    uint32_t not_a = op == OP_AND || op == OP_OR ? a : formula_not(formulas, a);
    uint32_t not_b = op == OP_EQ || op == OP_NE ? formula_not(formulas, b) : b;
    uint32_t made;
    if (op == OP_AND)
        made = formula_and(formulas, a, b);
    else if (op == OP_OR || op == OP_IMPLIES)
        made = formula_or(formulas, not_a, b);
    else if (op == OP_EQ)
        made = formula_or(formulas, formula_and(formulas, a, b), formula_and(formulas, not_a, not_b));
    else
        made = formula_or(formulas, formula_and(formulas, a, not_b), formula_and(formulas, not_a, b));
    *result = (struct adaptive_value){.sort = SORT_FORMULA, .id = made};
    if (made == FORMULA_TRUE || made == FORMULA_FALSE)
        *result = value_known(made == FORMULA_TRUE);
    return GO_OK;
}

/* AND, OR, IMPLIES with a left side that is not known. The right side is evaluated as if it were due; where that
 * has an effect or goes wrong, it has to be decided first whether it is. */
static enum go partial_logic(struct partial *partial, const struct expr *expr, struct adaptive_value left,
                             struct adaptive_value *value)
{
    struct adaptive_value right, operands[2];
    bool outcome;
    enum go go = use_has_effect(expr->right) ? GO_FAULT : partial_expr(partial, expr->right, &right);
    if (go == GO_OK) {
        operands[0] = left;
        operands[1] = right;
        if (partial_apply(partial, entry_logic, TAG_LOGIC, expr->op, operands, 2, value) == GO_OK)
            return GO_OK;
        return partial_connect(partial, expr->op, left, right, value);
    }
    if (go != GO_FAULT)
        return go;
    go = partial_decide(partial, left, &outcome);
    if (go != GO_OK)
        return go;
    if (outcome != (expr->op != OP_OR)) {
        *value = value_known(expr->op != OP_AND);
        return GO_OK;
    }
    return partial_expr(partial, expr->right, value);
}

static enum go partial_binary(struct partial *partial, const struct expr *expr, struct adaptive_value *value)
{
    bool is_logic = expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES;
    struct adaptive_value left, right;
    enum go go = partial_expr(partial, expr->left, &left);
    if (go != GO_OK)
        return go;
    if (is_logic && left.sort != SORT_KNOWN)
        return partial_logic(partial, expr, left, value);
    if (is_logic) {
        if ((left.number != 0) != (expr->op != OP_OR)) {
            *value = value_known(expr->op != OP_AND);
            return GO_OK;
        }
        return partial_expr(partial, expr->right, value);
    }
    go = partial_expr(partial, expr->right, &right);
    if (go != GO_OK)
        return go;
    if (left.sort == SORT_KNOWN && right.sort == SORT_KNOWN) {
        *value = value_known(0);
        return partial_arith(partial, arith_binary(expr->op, left.number, right.number, &value->number), expr->span);
    }
    struct adaptive_value operands[] = {left, right};
    if (partial_apply(partial, entry_binary, TAG_BINARY, expr->op, operands, 2, value) == GO_OK)
        return GO_OK;
    bool is_truth = expr->left->type == partial->system->boolean && expr->right->type == partial->system->boolean;
    if (is_truth && (expr->op == OP_EQ || expr->op == OP_NE))
        return partial_connect(partial, expr->op, left, right, value);
    return GO_UNCLEAR;
}

static enum go partial_unary(struct partial *partial, const struct expr *expr, struct adaptive_value *value)
{
    enum go go = partial_expr(partial, expr->left, value);
    if (go != GO_OK)
        return go;
    if (value->sort == SORT_UNARY)
        return partial_apply(partial, entry_unary, TAG_UNARY, expr->op, value, 1, value);
    if (value->sort == SORT_KNOWN)
        return partial_arith(partial, arith_unary(expr->op, value->number, &value->number), expr->span);
    if (expr->op != OP_NOT)
        return GO_UNCLEAR;
    value->id = formula_not(partial->formulas, value->id);
    return GO_OK;
}

static enum go partial_cond(struct partial *partial, const struct expr *expr, struct adaptive_value *value)
{
    struct adaptive_value condition, yes, no;
    bool outcome;
    enum go go = partial_expr(partial, expr->condition, &condition);
    if (go != GO_OK)
        return go;
    if (condition.sort != SORT_KNOWN && !use_has_effect(expr->left) && !use_has_effect(expr->right) &&
        partial_expr(partial, expr->left, &yes) == GO_OK && partial_expr(partial, expr->right, &no) == GO_OK &&
        partial_choose(partial, condition, yes, no, value) == GO_OK)
        return GO_OK;
    go = partial_decide(partial, condition, &outcome);
    return go == GO_OK ? partial_expr(partial, outcome ? expr->left : expr->right, value) : go;
}

enum go partial_iteration(struct partial *partial, const struct domain *domain, struct span span,
                          struct iteration *iteration)
{
    struct adaptive_value from, to, by = value_known(1);
    *iteration = iteration_of(domain);
    if (!domain->from)
        return GO_OK;
    enum go go = partial_expr(partial, domain->from, &from);
    if (go == GO_OK)
        go = partial_expr(partial, domain->to, &to);
    if (go == GO_OK && domain->by)
        go = partial_expr(partial, domain->by, &by);
    if (go != GO_OK)
        return go;
    if (from.sort != SORT_KNOWN || to.sort != SORT_KNOWN || by.sort != SORT_KNOWN)
        return GO_UNCLEAR;
    iteration->next = from.number;
    iteration->to = to.number;
    iteration->by = by.number;
    return by.number ? GO_OK : partial_fault(partial, FAULT_LOOP_LIMIT, span);
}

/* A fault in an instance that may not be reached: only if the instances before it did not decide. */
static enum go partial_late_fault(struct partial *partial, struct junction *junction, struct adaptive_value *value)
{
    struct fault fault = partial->fault;
    bool is_conjunction = junction->kind == FORMULA_AND, outcome;
    struct adaptive_value before = {.sort = SORT_FORMULA, .id = junction_close(partial->formulas, junction)};
    if (before.id == (is_conjunction ? FORMULA_TRUE : FORMULA_FALSE))
        return GO_FAULT;
    enum go go = partial_decide(partial, before, &outcome);
    partial->fault = fault;
    if (go == GO_OK && outcome == is_conjunction)
        return GO_FAULT;
    *value = value_known(!is_conjunction);
    return go;
}

static enum go partial_quantifier(struct partial *partial, const struct expr *expr, struct adaptive_value *value)
{
    struct iteration iteration;
    struct junction junction = {.kind = expr->op == OP_FORALL ? FORMULA_AND : FORMULA_OR};
    bool is_exhaustive = !expr->domain.from && type_has_index(expr->domain.type);
    int64_t element;
    enum go go = partial_iteration(partial, &expr->domain, expr->span, &iteration);
    while (go == GO_OK && (is_exhaustive || !junction.is_decided) && iteration_next(&iteration, &element)) {
        struct adaptive_value holds;
        uint32_t formula;
        go = partial_set_variable(partial, expr->variable, value_known(element), expr->span);
        if (go == GO_OK)
            go = partial_expr(partial, expr->left, &holds);
        if (go == GO_FAULT && !is_exhaustive)
            return partial_late_fault(partial, &junction, value);
        if (go == GO_OK)
            go = partial_formula(partial, holds, &formula);
        if (go == GO_OK)
            junction_add(partial->formulas, &junction, formula);
    }
    uint32_t made = junction_close(partial->formulas, &junction);
    *value = (struct adaptive_value){.sort = SORT_FORMULA, .id = made};
    if (made == FORMULA_TRUE || made == FORMULA_FALSE)
        *value = value_known(made == FORMULA_TRUE);
    return go;
}

/* Joins truth values cell by cell. */
static enum go partial_gather(struct partial *partial, enum operator op, struct adaptive_value next,
                              struct adaptive_value *sum)
{
    struct adaptive_value operands[] = {*sum, next};
    if (partial_apply(partial, entry_logic, TAG_LOGIC, op, operands, 2, sum) == GO_OK)
        return GO_OK;
    return partial_connect(partial, op, operands[0], operands[1], sum);
}

static enum go partial_is_undefined(struct partial *partial, const struct expr *expr, struct adaptive_value *value)
{
    uint32_t address;
    enum go go = partial_place(partial, expr->place, &address);
    *value = value_known(0);
    for (uint32_t c = 0; go == GO_OK && c < expr->place->type->cells; c++) {
        struct adaptive_value cell;
        go = partial_raw(partial, address + c, &cell);
        if (go == GO_OK && cell.sort == SORT_FORMULA)
            cell = value_known(0);
        else if (go == GO_OK)
            go = partial_apply(partial, entry_is_undefined, TAG_UNDEFINED, 0, &cell, 1, &cell);
        if (go == GO_OK)
            go = partial_gather(partial, OP_OR, cell, value);
    }
    return go;
}

/* Cell by cell. The left side is a value: it is taken before the right side is evaluated. */
static enum go partial_equal(struct partial *partial, const struct expr *expr, struct adaptive_value *value)
{
    uint32_t left, right, cells = expr->place->type->cells;
    struct adaptive_value *taken = memory_alloc((cells + 1) * sizeof *taken);
    enum go go = partial_place(partial, expr->place, &left);
    for (uint32_t c = 0; go == GO_OK && c < cells; c++)
        go = partial_raw(partial, left + c, &taken[c]);
    if (go == GO_OK)
        go = partial_place(partial, expr->other, &right);
    *value = value_known(1);
    for (uint32_t c = 0; go == GO_OK && c < cells; c++) {
        struct adaptive_value pair[2] = {taken[c]}, is_same;
        go = partial_raw(partial, right + c, &pair[1]);
        if (go == GO_OK)
            go = partial_apply(partial, entry_raw_equal, TAG_RAW_EQUAL, 0, pair, 2, &is_same);
        if (go == GO_OK)
            go = partial_gather(partial, OP_AND, is_same, value);
    }
    free(taken);
    return go;
}

static int64_t entry_is_member(int64_t user, const int64_t *entries)
{
    const struct type *type = (const struct type *)(uintptr_t)user;
    return entries[0] == UNARY_FAULT ? UNARY_FAULT : type_has(type, entries[0]);
}

enum go partial_expr(struct partial *partial, const struct expr *expr, struct adaptive_value *value)
{
    enum go go;
    switch (expr->kind) {
    case EXPR_CONST:
        *value = value_known(expr->value);
        return GO_OK;
    case EXPR_READ:
        return partial_read(partial, expr, value);
    case EXPR_UNARY:
        return partial_unary(partial, expr, value);
    case EXPR_BINARY:
        return partial_binary(partial, expr, value);
    case EXPR_COND:
        return partial_cond(partial, expr, value);
    case EXPR_QUANTIFIER:
        return partial_quantifier(partial, expr, value);
    case EXPR_IS_UNDEFINED:
        return partial_is_undefined(partial, expr, value);
    case EXPR_IS_MEMBER:
        go = partial_expr(partial, expr->left, value);
        return go == GO_OK ? partial_apply(partial, entry_is_member, TAG_MEMBER, (int64_t)(uintptr_t)expr->member,
                                           value, 1, value)
                           : go;
    case EXPR_CALL:
        go = partial_call(partial, expr);
        return go == GO_OK && expr->function->result ? partial_raw(partial, expr->function->result->address, value)
                                                     : go;
    case EXPR_EQUAL:
        return partial_equal(partial, expr, value);
    default:
        return GO_UNCLEAR;
    }
}
