/* Expressions. */
#include <stdlib.h>

#include "bits/machine.h"
#include "ir/arith.h"

bool machine_list(struct machine *machine, const struct number *number, struct span span, number_cases *cases)
{
    if (number_list(&machine->calculator, number, machine->live, cases))
        return true;
    machine_refuse(machine, span, "this has more than %d values, which %s would have to distinguish", NUMBER_MOST_CASES,
                   machine->algebra->engine);
    return false;
}

bit machine_condition(struct machine *machine, const struct expr *expr)
{
    return machine_truth(machine, machine_expr(machine, expr));
}

void machine_check_storable(struct machine *machine, const struct expr *expr, const struct type *type,
                            const struct number *value)
{
    bool may_be_undefined = expr->kind == EXPR_CONST || (expr->kind == EXPR_READ && expr->raw);
    bit good = machine_has(machine, type, value);
    if (may_be_undefined)
        good = calculate_or(&machine->calculator, good, value->undefined);
    machine_fault(machine, NULL, bit_not(good));
}

static const struct number *machine_read(struct machine *machine, const struct expr *expr)
{
    struct spots spots = machine_place(machine, expr->place);
    const struct number *value = machine_load(machine, &spots, 0);
    if (!expr->raw)
        machine_fault(machine, NULL, value->undefined);
    return value;
}

static const struct number *machine_constant(struct machine *machine, const struct expr *expr)
{
    return expr->value == UNDEFINED ? number_undefined(&machine->calculator)
                                    : number_constant(&machine->calculator, expr->value);
}

/* What arithmetic on single values says, value by value. */
struct tabulation {
    number_cases results;
    bit overflow; /* or a division by zero: the same property is violated */
};

static void tabulate(struct machine *machine, struct tabulation *table, enum arith_status status, int64_t value,
                     bit when)
{
    struct number_case result = {value, when};
    if (status == ARITH_OK)
        VEC_PUSH(&table->results, result);
    else
        table->overflow = calculate_or(&machine->calculator, table->overflow, when);
}

static const struct number *tabulation_end(struct machine *machine, struct tabulation *table)
{
    machine_fault(machine, NULL, table->overflow);
    const struct number *number = number_from_cases(&machine->calculator, table->results.items, table->results.count);
    VEC_FREE(&table->results);
    return number;
}

static const struct number *machine_tabulate(struct machine *machine, const struct expr *expr,
                                             const struct number *left, const struct number *right)
{
    struct tabulation table = {0};
    number_cases lefts = {0};
    bit before = machine->live;
    bool is_short = machine_list(machine, left, expr->left->span, &lefts);
    for (size_t i = 0; is_short && i < lefts.count; i++) {
        number_cases rights = {0};
        machine->live = lefts.items[i].when;
        is_short = machine_list(machine, right, expr->right->span, &rights);
        if (table.results.count + rights.count > NUMBER_MOST_CASES) {
            machine_refuse(machine, expr->span,
                           "the operands have more than %d pairs of values, which %s would have to distinguish",
                           NUMBER_MOST_CASES, machine->algebra->engine);
            is_short = false;
        }
        for (size_t j = 0; is_short && j < rights.count; j++) {
            int64_t value = 0;
            enum arith_status status = arith_binary(expr->op, lefts.items[i].value, rights.items[j].value, &value);
            tabulate(machine, &table, status, value, rights.items[j].when);
        }
        VEC_FREE(&rights);
    }
    VEC_FREE(&lefts);
    machine->live = is_short ? before : BIT_FALSE;
    return tabulation_end(machine, &table);
}

static const struct number *machine_tabulate_unary(struct machine *machine, const struct expr *expr,
                                                   const struct number *operand)
{
    struct tabulation table = {0};
    number_cases cases = {0};
    if (machine_list(machine, operand, expr->left->span, &cases))
        for (size_t i = 0; i < cases.count; i++) {
            int64_t value = 0;
            enum arith_status status = arith_unary(expr->op, cases.items[i].value, &value);
            tabulate(machine, &table, status, value, cases.items[i].when);
        }
    VEC_FREE(&cases);
    return tabulation_end(machine, &table);
}

static const struct number *machine_unary(struct machine *machine, const struct expr *expr)
{
    const struct number *operand = machine_expr(machine, expr->left);
    if (expr->op == OP_NOT)
        return number_boolean(&machine->calculator, bit_not(machine_truth(machine, operand)));
    return machine_tabulate_unary(machine, expr, operand);
}

/* The right operand only where the left one does not decide. */
static const struct number *machine_shortcut(struct machine *machine, const struct expr *expr)
{
    struct calculator *calculator = &machine->calculator;
    bit left = machine_condition(machine, expr->left);
    bit undecided = expr->op == OP_OR ? bit_not(left) : left;
    bit decided = calculate_and(calculator, machine->live, bit_not(undecided));
    machine_keep(machine, undecided);
    bit right = machine->live == BIT_FALSE ? BIT_FALSE : machine_condition(machine, expr->right);
    machine->live = calculate_or(calculator, machine->live, decided);
    if (expr->op == OP_AND)
        return number_boolean(calculator, calculate_and(calculator, left, right));
    bit implied = expr->op == OP_IMPLIES ? bit_not(left) : left;
    return number_boolean(calculator, calculate_or(calculator, implied, right));
}

/* The relation, or BIT_NONE when the operator is none. */
static bit machine_compare(struct machine *machine, enum operator op, const struct number *left,
                           const struct number *right)
{
    struct calculator *calculator = &machine->calculator;
    switch (op) {
    case OP_EQ:
        return number_equal(calculator, left, right);
    case OP_NE:
        return bit_not(number_equal(calculator, left, right));
    case OP_LT:
        return number_less(calculator, left, right);
    case OP_GE:
        return bit_not(number_less(calculator, left, right));
    case OP_GT:
        return number_less(calculator, right, left);
    case OP_LE:
        return bit_not(number_less(calculator, right, left));
    default:
        return BIT_NONE;
    }
}

/* Sums, differences, multiples and parts without looking at each value; NULL: not so, or it might overflow. */
static const struct number *machine_linear(struct machine *machine, enum operator op, const struct number *left,
                                           const struct number *right)
{
    struct calculator *calculator = &machine->calculator;
    int64_t factor;
    if (op == OP_ADD)
        return number_add(calculator, left, right);
    if (op == OP_SUB)
        return number_subtract(calculator, left, right);
    if (op == OP_MUL && number_is_constant(left, &factor))
        return number_scale(calculator, right, factor);
    if (op == OP_MUL && number_is_constant(right, &factor))
        return number_scale(calculator, left, factor);
    const struct number *quotient, *remainder;
    if ((op == OP_DIV || op == OP_MOD) && number_is_constant(right, &factor) && factor &&
        number_divide(calculator, left, factor, &quotient, &remainder))
        return op == OP_DIV ? quotient : remainder;
    return NULL;
}

static const struct number *machine_binary(struct machine *machine, const struct expr *expr)
{
    if (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES)
        return machine_shortcut(machine, expr);
    const struct number *left = machine_expr(machine, expr->left);
    const struct number *right = machine_expr(machine, expr->right);
    int64_t a, b;
    if (number_is_constant(left, &a) && number_is_constant(right, &b))
        return machine_tabulate(machine, expr, left, right);
    bit relation = machine_compare(machine, expr->op, left, right);
    if (relation != BIT_NONE)
        return number_boolean(&machine->calculator, relation);
    const struct number *linear = machine_linear(machine, expr->op, left, right);
    return linear ? linear : machine_tabulate(machine, expr, left, right);
}

static const struct number *machine_choice(struct machine *machine, const struct expr *expr)
{
    struct calculator *calculator = &machine->calculator;
    bit condition = machine_condition(machine, expr->condition), before = machine->live;
    machine_keep(machine, condition);
    const struct number *left = machine_expr(machine, expr->left);
    bit kept = machine->live;
    machine->live = calculate_and(calculator, before, bit_not(condition));
    const struct number *right = machine_expr(machine, expr->right);
    machine->live = calculate_or(calculator, machine->live, kept);
    return number_select(calculator, condition, left, right);
}

static const struct number *machine_is_undefined(struct machine *machine, const struct expr *expr)
{
    struct spots spots = machine_place(machine, expr->place);
    bit any = BIT_FALSE;
    for (uint32_t c = 0; c < expr->place->type->cells; c++)
        any = calculate_or(&machine->calculator, any, machine_load(machine, &spots, c)->undefined);
    return number_boolean(&machine->calculator, any);
}

static const struct number *machine_is_equal(struct machine *machine, const struct expr *expr)
{
    struct calculator *calculator = &machine->calculator;
    uint32_t cells = expr->place->type->cells;
    struct spots spots = machine_place(machine, expr->place);
    const struct number **left = machine_load_all(machine, &spots, cells);
    spots = machine_place(machine, expr->other);
    const struct number **right = machine_load_all(machine, &spots, cells);
    bit equal = BIT_TRUE;
    for (uint32_t c = 0; c < cells; c++) {
        bit same = number_equal(calculator, left[c], right[c]);
        same =
            calculate_and(calculator, same, bit_not(calculate_or(calculator, left[c]->undefined, right[c]->undefined)));
        same = calculate_or(calculator, same, calculate_and(calculator, left[c]->undefined, right[c]->undefined));
        equal = calculate_and(calculator, equal, same);
    }
    return number_boolean(calculator, equal);
}

static const struct number *machine_is_taken(struct machine *machine, const struct expr *expr)
{
    struct spots spots = machine_slot(machine, expr->place, expr->left);
    return machine_load(machine, &spots, 0);
}

static const struct number *machine_call_value(struct machine *machine, const struct expr *expr)
{
    machine_call(machine, expr);
    if (!expr->function->result || machine->live == BIT_FALSE)
        return number_constant(&machine->calculator, 0);
    return machine_cell(machine, expr->function->result->address);
}

const struct number *machine_expr(struct machine *machine, const struct expr *expr)
{
    const struct number *value;
    if (machine->live == BIT_FALSE)
        return number_constant(&machine->calculator, 0);
    switch (expr->kind) {
    case EXPR_CONST:
        return machine_constant(machine, expr);
    case EXPR_READ:
        return machine_read(machine, expr);
    case EXPR_UNARY:
        return machine_unary(machine, expr);
    case EXPR_BINARY:
        return machine_binary(machine, expr);
    case EXPR_COND:
        return machine_choice(machine, expr);
    case EXPR_QUANTIFIER:
        return machine_quantifier(machine, expr);
    case EXPR_IS_UNDEFINED:
        return machine_is_undefined(machine, expr);
    case EXPR_IS_MEMBER:
        value = machine_expr(machine, expr->left);
        return number_boolean(&machine->calculator, machine_has(machine, expr->member, value));
    case EXPR_CALL:
        return machine_call_value(machine, expr);
    case EXPR_EQUAL:
        return machine_is_equal(machine, expr);
    case EXPR_SLOT_TAKEN:
        return machine_is_taken(machine, expr);
    case EXPR_COUNT:
        return machine_count(machine, expr);
    default:
        machine_refuse(machine, expr->span, "the symbolic engine does not know this kind of expression");
        return number_constant(&machine->calculator, 0);
    }
}
