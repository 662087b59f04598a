/* Expressions. */
#include "ir/arith.h"
#include "smt/machine.h"

/* -- Reading -- */

/* Undefined is a fault; all that matters from now on is defined. */
static const struct smt_value *expect_defined(struct smt_machine *machine, const struct smt_value *value,
                                              struct span span)
{
    struct smt_cases cases = {.undefined = TERM_FALSE};
    smt_fault(machine, NULL, span, value->undefined);
    for (uint32_t i = 0; i < value->count; i++) {
        struct smt_case one = value->cases[i];
        if (value->count == 1)
            one.when = TERM_TRUE;
        cases_add(machine, &cases, &one);
    }
    return cases_take(machine, &cases);
}

static const struct smt_value *expr_read(struct smt_machine *machine, const struct expr *expr)
{
    struct smt_spots spots = smt_place(machine, expr->place);
    const struct smt_value *value = smt_load(machine, &spots, 0, NULL, 0);
    return expr->raw ? value : expect_defined(machine, value, expr->span);
}

static const struct smt_value *expr_constant(struct smt_machine *machine, const struct expr *expr)
{
    if (expr->value == UNDEFINED)
        return smt_undefined(machine);
    for (uint32_t b = 0; b < expr->type->block_count; b++) {
        const struct code_block *block = &expr->type->blocks[b];
        if (block->owner->kind == TYPE_INDEX && expr->value >= block->lo && expr->value <= block->hi)
            smt_refuse(machine, expr->span, "a certain element of an index type");
    }
    return smt_code(machine, expr->value);
}

/* -- Operators -- */

static void add_pair(struct smt_machine *machine, struct smt_cases *cases, const struct expr *expr,
                     const struct smt_case *left, const struct smt_case *right)
{
    struct smt_case one = {.when = fol_and(machine->terms, left->when, right->when)};
    if (left->sort || right->sort) {
        smt_refuse(machine, expr->span, "arithmetic on, or an order of, elements of an index type");
        return;
    }
    if (arith_binary(expr->op, left->code, right->code, &one.code) == ARITH_OK)
        cases_add(machine, cases, &one);
    else
        smt_fault(machine, NULL, expr->span, one.when);
}

static const struct smt_value *expr_arithmetic(struct smt_machine *machine, const struct expr *expr,
                                               const struct smt_value *left, const struct smt_value *right)
{
    struct smt_cases cases = {.undefined = TERM_FALSE};
    for (uint32_t i = 0; i < left->count && !machine->is_refused; i++)
        for (uint32_t j = 0; j < right->count && !machine->is_refused; j++) {
            add_pair(machine, &cases, expr, &left->cases[i], &right->cases[j]);
            if (cases.list.count > (size_t)SMT_MOST_CODES * SMT_MOST_CODES)
                smt_refuse(machine, expr->span, "the result has too many values");
        }
    return cases_take(machine, &cases);
}

/* The right operand is evaluated where the left one does not decide. */
static const struct smt_value *expr_lazy(struct smt_machine *machine, const struct expr *expr)
{
    struct fol_store *terms = machine->terms;
    term left = smt_condition(machine, expr->left);
    smt_push_path(machine, expr->op == OP_OR ? fol_not(terms, left) : left);
    term right = smt_condition(machine, expr->right);
    machine->paths.count--;
    return smt_boolean(machine, expr->op == OP_AND  ? fol_and(terms, left, right)
                                : expr->op == OP_OR ? fol_or(terms, left, right)
                                                    : fol_implies(terms, left, right));
}

static const struct smt_value *expr_binary(struct smt_machine *machine, const struct expr *expr)
{
    if (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES)
        return expr_lazy(machine, expr);
    const struct smt_value *left = smt_expr(machine, expr->left);
    const struct smt_value *right = smt_expr(machine, expr->right);
    if (expr->op == OP_EQ || expr->op == OP_NE) {
        term equal = smt_equal(machine, left, right);
        return smt_boolean(machine, expr->op == OP_EQ ? equal : fol_not(machine->terms, equal));
    }
    return expr_arithmetic(machine, expr, left, right);
}

static const struct smt_value *expr_unary(struct smt_machine *machine, const struct expr *expr)
{
    struct smt_cases cases = {.undefined = TERM_FALSE};
    if (expr->op == OP_NOT)
        return smt_boolean(machine, fol_not(machine->terms, smt_condition(machine, expr->left)));
    const struct smt_value *operand = smt_expr(machine, expr->left);
    for (uint32_t i = 0; i < operand->count; i++) {
        struct smt_case one = operand->cases[i];
        if (one.sort)
            smt_refuse(machine, expr->span, "arithmetic on elements of an index type");
        else if (arith_unary(expr->op, operand->cases[i].code, &one.code) == ARITH_OK)
            cases_add(machine, &cases, &one);
        else
            smt_fault(machine, NULL, expr->span, one.when);
    }
    return cases_take(machine, &cases);
}

static const struct smt_value *expr_choice(struct smt_machine *machine, const struct expr *expr)
{
    term condition = smt_condition(machine, expr->condition);
    smt_push_path(machine, condition);
    const struct smt_value *left = smt_expr(machine, expr->left);
    machine->paths.count--;
    smt_push_path(machine, fol_not(machine->terms, condition));
    const struct smt_value *right = smt_expr(machine, expr->right);
    machine->paths.count--;
    return smt_select(machine, condition, left, right);
}

/* -- Questions about values -- */

static const struct smt_value *expr_is_undefined(struct smt_machine *machine, const struct expr *expr)
{
    struct smt_spots spots = smt_place(machine, expr->place);
    term any = TERM_FALSE, variables[SMT_MOST_DIMENSIONS];
    uint32_t leaves = leaf_count_of(expr->place->type);
    for (uint32_t l = 0; spots.count && l < leaves && !machine->is_refused; l++) {
        uint32_t count = spot_open(machine, &spots.items[0], l, variables);
        term undefined = smt_load(machine, &spots, l, variables, count)->undefined;
        while (count-- > 0)
            undefined = fol_exists(machine->terms, variables[count], undefined);
        any = fol_or(machine->terms, any, undefined);
    }
    return smt_boolean(machine, any);
}

/* The left value is taken before what stands to its right. */
static const struct smt_value *expr_same(struct smt_machine *machine, const struct expr *expr)
{
    struct smt_spots left = smt_place(machine, expr->place);
    term all = TERM_TRUE, variables[SMT_MOST_DIMENSIONS];
    uint32_t leaves = left.count ? leaf_count_of(expr->place->type) : 0;
    const struct content **then = ARENA_ARRAY(machine->terms->arena, const struct content *, leaves *left.count);
    for (uint32_t l = 0; l < leaves; l++)
        for (uint32_t s = 0; s < left.count; s++)
            then[l * left.count + s] = machine->contents[left.items[s].leaf + l];
    struct smt_spots right = smt_place(machine, expr->other);
    for (uint32_t l = 0; l < leaves; l++)
        for (uint32_t s = 0; s < left.count; s++)
            if (then[l * left.count + s] != machine->contents[left.items[s].leaf + l])
                smt_refuse(machine, expr->span, "a comparison with a function that changes what is compared");
    for (uint32_t l = 0; l < leaves && !machine->is_refused; l++) {
        uint32_t count = spot_open(machine, &left.items[0], l, variables);
        const struct smt_value *one = smt_load(machine, &left, l, variables, count);
        const struct smt_value *two = smt_load(machine, &right, l, variables, count);
        term same = smt_same(machine, one, two);
        while (count-- > 0)
            same = fol_forall(machine->terms, variables[count], same);
        all = fol_and(machine->terms, all, same);
    }
    return smt_boolean(machine, all);
}

static bool type_has_case(const struct smt_machine *machine, const struct type *type, const struct smt_case *one)
{
    return one->sort ? leaf_position_of_sort(machine, type, one->sort) != UINT32_MAX : type_has(type, one->code);
}

static const struct smt_value *expr_is_member(struct smt_machine *machine, const struct expr *expr)
{
    const struct smt_value *value = smt_expr(machine, expr->left);
    term any = TERM_FALSE;
    for (uint32_t i = 0; i < value->count; i++)
        if (type_has_case(machine, expr->member, &value->cases[i]))
            any = fol_or(machine->terms, any, value->cases[i].when);
    return smt_boolean(machine, any);
}

const struct smt_value *smt_storable(struct smt_machine *machine, const struct smt_value *value,
                                     const struct type *type, struct span span)
{
    struct smt_cases cases = {.undefined = value->undefined};
    for (uint32_t i = 0; i < value->count; i++)
        if (type_has_case(machine, type, &value->cases[i]))
            cases_add(machine, &cases, &value->cases[i]);
        else
            smt_fault(machine, NULL, span, value->cases[i].when);
    return cases_take(machine, &cases);
}

static const struct smt_value *expr_call(struct smt_machine *machine, const struct expr *expr)
{
    const struct variable *result = expr->function->result;
    smt_call(machine, expr);
    if (!result || machine->is_refused)
        return smt_undefined(machine);
    struct smt_spots spots = {&(struct smt_spot){.leaf = machine->first[result->address], .when = TERM_TRUE}, 1};
    return smt_load(machine, &spots, 0, NULL, 0); /* defined, since it was returned */
}

const struct smt_value *smt_expr(struct smt_machine *machine, const struct expr *expr)
{
    if (!smt_goes_on(machine, expr->span))
        return smt_undefined(machine);
    switch (expr->kind) {
    case EXPR_CONST:
        return expr_constant(machine, expr);
    case EXPR_READ:
        return expr_read(machine, expr);
    case EXPR_UNARY:
        return expr_unary(machine, expr);
    case EXPR_BINARY:
        return expr_binary(machine, expr);
    case EXPR_COND:
        return expr_choice(machine, expr);
    case EXPR_QUANTIFIER:
        return smt_quantifier(machine, expr);
    case EXPR_IS_UNDEFINED:
        return expr_is_undefined(machine, expr);
    case EXPR_IS_MEMBER:
        return expr_is_member(machine, expr);
    case EXPR_CALL:
        return expr_call(machine, expr);
    case EXPR_EQUAL:
        return expr_same(machine, expr);
    default: /* what is not known is refused */
        smt_refuse(machine, expr->span, "a question about a multiset");
        return smt_undefined(machine);
    }
}

term smt_condition(struct smt_machine *machine, const struct expr *expr)
{
    return smt_truth(machine, smt_expr(machine, expr));
}

/* Also where execution has ended: nothing else reads it there. */
void smt_set_variable(struct smt_machine *machine, const struct variable *variable, const struct smt_value *value)
{
    content_write(machine, machine->first[variable->address], NULL, NULL, 0, TERM_TRUE, value);
}
