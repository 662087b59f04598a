/* Folding: what is certain is computed, and no fault is lost or invented. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/arith.h"
#include "ir_shorthand.h"

static void assert_folds(const struct expr *expr, const struct type *type, int64_t value)
{
    assert_int_equal(expr->kind, EXPR_CONST);
    assert_ptr_equal(expr->type, type);
    assert_int_equal(expr->value, value);
}

static void test_arithmetic(void **state)
{
    struct system *s = *state;
    static const struct {
        enum operator op;
        int64_t left, right, result;
    } cases[] = {
        {OP_ADD, 2, 3, 5},    {OP_SUB, 2, 3, -1},    {OP_MUL, -4, 3, -12},       {OP_DIV, -7, 2, -3},
        {OP_MOD, -7, 2, -1},  {OP_MOD, 7, -2, 1},    {OP_MOD, INT64_MIN, -1, 0}, {OP_BIT_AND, 6, 3, 2},
        {OP_BIT_OR, 6, 3, 7}, {OP_BIT_XOR, 6, 3, 5}, {OP_SHL, 3, 4, 48},         {OP_SHL, -1, 63, INT64_MIN},
        {OP_SHL, 0, 63, 0},   {OP_SHR, -5, 1, -3},   {OP_SHR, 40, 3, 5},         {OP_SHL, 40, -3, 5},
        {OP_SHL, -5, -1, -3}, {OP_SHR, 3, -4, 48},   {OP_SHL, 1, 64, 0},         {OP_SHL, 7, -64, 0},
        {OP_SHR, -1, 64, 0},  {OP_SHR, -1, 63, -1},  {OP_SHL, 1, INT64_MIN, 0},  {OP_SHR, 1, INT64_MAX, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        assert_folds(ir_binary(s, cases[c].op, ir_number(s, cases[c].left), ir_number(s, cases[c].right)), s->integer,
                     cases[c].result);
    assert_folds(ir_unary(s, OP_NEGATE, ir_number(s, 5)), s->integer, -5);
    assert_folds(ir_unary(s, OP_BIT_NOT, ir_number(s, 5)), s->integer, -6);
    assert_folds(ir_unary(s, OP_NOT, ir_truth(s, true)), s->boolean, 0);
}

static void test_comparisons(void **state)
{
    struct system *s = *state;
    static const struct {
        enum operator op;
        int64_t less, same, more; /* the result when left is less, equal, greater */
    } cases[] = {{OP_EQ, 0, 1, 0}, {OP_NE, 1, 0, 1}, {OP_LT, 1, 0, 0},
                 {OP_LE, 1, 1, 0}, {OP_GT, 0, 0, 1}, {OP_GE, 0, 1, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        assert_folds(ir_binary(s, cases[c].op, ir_number(s, -1), ir_number(s, 1)), s->boolean, cases[c].less);
        assert_folds(ir_binary(s, cases[c].op, ir_number(s, 1), ir_number(s, 1)), s->boolean, cases[c].same);
        assert_folds(ir_binary(s, cases[c].op, ir_number(s, 1), ir_number(s, -1)), s->boolean, cases[c].more);
    }
}

static void test_faults_stay(void **state)
{
    struct system *s = *state;
    static const struct {
        enum operator op;
        int64_t left, right;
        enum arith_status status;
    } cases[] = {
        {OP_DIV, 1, 0, ARITH_DIVISION},         {OP_MOD, 1, 0, ARITH_DIVISION},
        {OP_ADD, INT64_MAX, 1, ARITH_OVERFLOW}, {OP_SUB, INT64_MIN, 1, ARITH_OVERFLOW},
        {OP_MUL, INT64_MAX, 2, ARITH_OVERFLOW}, {OP_DIV, INT64_MIN, -1, ARITH_OVERFLOW},
        {OP_SHL, 1, 63, ARITH_OVERFLOW},        {OP_SHL, 3, 62, ARITH_OVERFLOW},
        {OP_SHR, 1, -63, ARITH_OVERFLOW},       {OP_SHR, -2, -63, ARITH_OVERFLOW},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int64_t result;
        assert_int_equal(arith_binary(cases[c].op, cases[c].left, cases[c].right, &result), cases[c].status);
        struct expr *expr = ir_binary(s, cases[c].op, ir_number(s, cases[c].left), ir_number(s, cases[c].right));
        assert_int_equal(expr->kind, EXPR_BINARY);
    }
    assert_int_equal(ir_unary(s, OP_NEGATE, ir_number(s, INT64_MIN))->kind, EXPR_UNARY);
}

/* The number whose code stands for the undefined value. */
static void assert_least(const struct expr *expr)
{
    int64_t number = 0;
    assert_int_not_equal(expr->kind, EXPR_CONST);
    assert_true(expr_is_number(expr, &number));
    assert_int_equal(number, INT32_MIN);
}

static void test_least_number(void **state)
{
    struct system *s = *state;
    int64_t number;
    struct expr *least = ir_number(s, INT32_MIN);
    assert_least(least);
    assert_least(ir_binary(s, OP_SUB, ir_number(s, INT32_MIN + 1), ir_number(s, 1)));
    assert_least(ir_unary(s, OP_NEGATE, ir_number(s, (int64_t)INT32_MAX + 1)));
    assert_least(ir_unary(s, OP_BIT_NOT, ir_number(s, INT32_MAX)));
    assert_folds(ir_unary(s, OP_NEGATE, least), s->integer, (int64_t)INT32_MAX + 1);
    assert_folds(ir_unary(s, OP_BIT_NOT, least), s->integer, INT32_MAX);
    assert_folds(ir_binary(s, OP_LT, least, ir_number(s, INT32_MIN + 1)), s->boolean, 1);
    assert_folds(ir_binary(s, OP_EQ, least, ir_number(s, INT32_MIN)), s->boolean, 1);
    assert_false(expr_is_number(expr_undefined(s, s->integer, NOWHERE), &number));
}

static void test_undefined_is_not_computed_with(void **state)
{
    struct system *s = *state;
    struct expr *undefined = expr_undefined(s, s->boolean, NOWHERE);
    assert_int_equal(ir_binary(s, OP_AND, undefined, ir_truth(s, false))->kind, EXPR_BINARY);
    assert_int_equal(ir_unary(s, OP_NOT, undefined)->kind, EXPR_UNARY);
}

static void test_logic(void **state)
{
    struct system *s = *state;
    struct variable *b = system_add_global(s, "b", s->boolean, NOWHERE);
    struct expr *x = ir_get(s, b), *yes = ir_truth(s, true), *no = ir_truth(s, false);
    assert_folds(ir_binary(s, OP_AND, no, x), s->boolean, 0);
    assert_ptr_equal(ir_binary(s, OP_AND, yes, x), x);
    assert_ptr_equal(ir_binary(s, OP_AND, x, yes), x);
    assert_int_equal(ir_binary(s, OP_AND, x, no)->kind, EXPR_BINARY); /* reading x may fault */
    assert_folds(ir_binary(s, OP_OR, yes, x), s->boolean, 1);
    assert_ptr_equal(ir_binary(s, OP_OR, no, x), x);
    assert_ptr_equal(ir_binary(s, OP_OR, x, no), x);
    assert_int_equal(ir_binary(s, OP_OR, x, yes)->kind, EXPR_BINARY);
    assert_folds(ir_binary(s, OP_IMPLIES, no, x), s->boolean, 1);
    assert_ptr_equal(ir_binary(s, OP_IMPLIES, yes, x), x);
    assert_int_equal(ir_binary(s, OP_IMPLIES, x, yes)->kind, EXPR_BINARY);
    struct expr *not_x = ir_binary(s, OP_IMPLIES, x, no);
    assert_int_equal(not_x->op, OP_NOT);
    assert_ptr_equal(not_x->left, x);
    assert_ptr_equal(ir_unary(s, OP_NOT, not_x), x);
    assert_ptr_equal(expr_cond(s, yes, x, no, NOWHERE), x);
    assert_ptr_equal(expr_cond(s, no, x, yes, NOWHERE), yes);
    assert_int_equal(expr_cond(s, x, yes, yes, NOWHERE)->kind, EXPR_COND);
}

static void test_quantifier(void **state)
{
    struct system *s = *state;
    const struct type *node = type_index(s, "Node", 3, NOWHERE);
    struct variable *i = system_add_scratch(s, "i", node, NOWHERE);
    struct domain all = {.type = node};
    assert_folds(expr_quantifier(s, OP_EXISTS, i, all, ir_truth(s, true), NOWHERE), s->boolean, 1);
    assert_folds(expr_quantifier(s, OP_FORALL, i, all, ir_truth(s, false), NOWHERE), s->boolean, 0);
    /* From 1 to 0 is empty: the body says nothing. */
    struct domain none = {.from = ir_number(s, 1), .to = ir_number(s, 0)};
    struct variable *n = system_add_scratch(s, "n", s->integer, NOWHERE);
    assert_int_equal(expr_quantifier(s, OP_EXISTS, n, none, ir_truth(s, true), NOWHERE)->kind, EXPR_QUANTIFIER);
    assert_folds(expr_is_member(s, expr_const(s, node, type_code(node, 1), NOWHERE), node, NOWHERE), s->boolean, 1);
}

static int create(void **state)
{
    *state = system_create("test");
    return 0;
}

static int destroy(void **state)
{
    system_destroy(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_arithmetic, create, destroy),
        cmocka_unit_test_setup_teardown(test_comparisons, create, destroy),
        cmocka_unit_test_setup_teardown(test_faults_stay, create, destroy),
        cmocka_unit_test_setup_teardown(test_least_number, create, destroy),
        cmocka_unit_test_setup_teardown(test_undefined_is_not_computed_with, create, destroy),
        cmocka_unit_test_setup_teardown(test_logic, create, destroy),
        cmocka_unit_test_setup_teardown(test_quantifier, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
