/* The meaning of expressions and simple statements: each kind, each fault. */
#include "evaluate_bench.h"

static void test_operators(void **state)
{
    (void)state;
    static const struct {
        enum operator op;
        int32_t left, right, result;
    } cases[] = {
        {OP_ADD, 3, 4, 7},   {OP_SUB, 3, 4, -1},    {OP_MUL, 3, 4, 12},   {OP_DIV, -7, 2, -3},
        {OP_MOD, -7, 2, -1}, {OP_BIT_AND, 6, 3, 2}, {OP_BIT_OR, 6, 3, 7}, {OP_BIT_XOR, 6, 3, 5},
        {OP_SHL, 3, 2, 12},  {OP_SHR, -5, 1, -3},   {OP_DIV, 7, -1, -7},  {OP_MOD, 7, -1, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct bench t = bench_create();
        struct variable *l = system_add_scratch(t.s, "l", t.s->integer, NOWHERE);
        struct variable *r = system_add_scratch(t.s, "r", t.s->integer, NOWHERE);
        bench_expect(t, t.x, cases[c].result, ir_set(t.s, l, ir_number(t.s, cases[c].left)),
                     ir_set(t.s, r, ir_number(t.s, cases[c].right)),
                     ir_set(t.s, t.x, ir_binary(t.s, cases[c].op, ir_get(t.s, l), ir_get(t.s, r))));
    }
}

static void test_truth(void **state)
{
    (void)state;
    static const struct {
        enum operator op;
        bool left, right, result;
    } cases[] = {
        {OP_AND, 1, 1, 1}, {OP_AND, 1, 0, 0},     {OP_AND, 0, 1, 0},     {OP_OR, 0, 0, 0},      {OP_OR, 0, 1, 1},
        {OP_OR, 1, 0, 1},  {OP_IMPLIES, 1, 0, 0}, {OP_IMPLIES, 1, 1, 1}, {OP_IMPLIES, 0, 0, 1}, {OP_EQ, 1, 1, 1},
        {OP_NE, 1, 1, 0},  {OP_LT, 0, 1, 1},      {OP_LE, 1, 1, 1},      {OP_GT, 1, 0, 1},      {OP_GE, 0, 1, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct bench t = bench_create();
        struct variable *l = system_add_scratch(t.s, "l", t.s->boolean, NOWHERE);
        struct variable *r = system_add_scratch(t.s, "r", t.s->boolean, NOWHERE);
        bench_expect(t, t.b, cases[c].result, ir_set(t.s, l, ir_truth(t.s, cases[c].left)),
                     ir_set(t.s, r, ir_truth(t.s, cases[c].right)),
                     ir_set(t.s, t.b, ir_binary(t.s, cases[c].op, ir_get(t.s, l), ir_get(t.s, r))));
    }
    struct bench t = bench_create();
    bench_expect(t, t.b, 0, ir_set(t.s, t.b, ir_truth(t.s, true)),
                 ir_set(t.s, t.b, ir_unary(t.s, OP_NOT, ir_get(t.s, t.b))));
    t = bench_create();
    bench_expect(t, t.x, -4, ir_set(t.s, t.x, ir_number(t.s, 4)),
                 ir_set(t.s, t.x, ir_unary(t.s, OP_NEGATE, ir_get(t.s, t.x))));
    t = bench_create();
    bench_expect(t, t.x, -5, ir_set(t.s, t.x, ir_number(t.s, 4)),
                 ir_set(t.s, t.x, ir_unary(t.s, OP_BIT_NOT, ir_get(t.s, t.x))));
}

/* b is undefined: evaluating it would fault. y is set first so that the left side is no constant. */
static void test_short_circuit(void **state)
{
    (void)state;
    static const struct {
        enum operator op;
        int32_t y, result; /* left is y = 1 */
    } cases[] = {{OP_AND, 0, 0}, {OP_OR, 1, 1}, {OP_IMPLIES, 0, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int is_reached = 0; is_reached < 2; is_reached++) {
            struct bench t = bench_create();
            struct expr *left = ir_binary(t.s, OP_EQ, ir_get(t.s, t.y), ir_number(t.s, 1));
            struct stmt *first = ir_set(t.s, t.y, ir_number(t.s, is_reached ? !cases[c].y : cases[c].y));
            struct stmt *second = ir_set(t.s, t.b, ir_binary(t.s, cases[c].op, left, ir_get(t.s, t.b)));
            if (is_reached)
                bench_fault(t, FAULT_UNDEFINED, first, second);
            else
                bench_expect(t, t.b, cases[c].result, first, second);
        }
    }
    struct bench t = bench_create();
    struct expr *is_one = ir_binary(t.s, OP_EQ, ir_get(t.s, t.y), ir_number(t.s, 1));
    bench_expect(t, t.y, 7, ir_set(t.s, t.y, ir_number(t.s, 1)),
                 ir_set(t.s, t.y, expr_cond(t.s, is_one, ir_number(t.s, 7), ir_get(t.s, t.x), NOWHERE)));
    t = bench_create();
    is_one = ir_binary(t.s, OP_EQ, ir_get(t.s, t.y), ir_number(t.s, 1));
    bench_fault(t, FAULT_UNDEFINED, ir_set(t.s, t.y, ir_number(t.s, 2)),
                ir_set(t.s, t.y, expr_cond(t.s, is_one, ir_number(t.s, 7), ir_get(t.s, t.x), NOWHERE)));
}

static void test_arithmetic_faults(void **state)
{
    (void)state;
    static const struct {
        enum operator op;
        int32_t right;
        enum fault_kind kind;
    } cases[] = {{OP_DIV, 0, FAULT_DIVISION},  {OP_MOD, 0, FAULT_DIVISION},   {OP_SHL, 62, FAULT_OVERFLOW},
                 {OP_SHL, 61, FAULT_OVERFLOW}, {OP_SHR, -62, FAULT_OVERFLOW}, {OP_SHL, 60, FAULT_OVERFLOW}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct bench t = bench_create();
        bench_fault(t, cases[c].kind, ir_set(t.s, t.x, ir_number(t.s, 100)),
                    ir_set(t.s, t.x, ir_binary(t.s, cases[c].op, ir_get(t.s, t.x), ir_number(t.s, cases[c].right))));
    }
    struct bench t = bench_create();
    struct expr *square = ir_binary(t.s, OP_MUL, ir_get(t.s, t.x), ir_get(t.s, t.x));
    bench_fault(t, FAULT_OVERFLOW, ir_set(t.s, t.x, ir_number(t.s, INT32_MAX)),
                ir_set(t.s, t.b, ir_binary(t.s, OP_EQ, ir_binary(t.s, OP_MUL, square, square), ir_number(t.s, 0))));
    t = bench_create(); /* 62 bits in between are no fault */
    square = ir_binary(t.s, OP_MUL, ir_get(t.s, t.x), ir_get(t.s, t.x));
    bench_expect(t, t.x, INT32_MAX, ir_set(t.s, t.x, ir_number(t.s, INT32_MAX)),
                 ir_set(t.s, t.x, ir_binary(t.s, OP_DIV, square, ir_get(t.s, t.x))));
}

static void test_undefined(void **state)
{
    (void)state;
    struct bench t = bench_create();
    bench_fault(t, FAULT_UNDEFINED, ir_set(t.s, t.y, ir_get(t.s, t.x)));
    t = bench_create();
    bench_expect(t, t.y, UNDEFINED, ir_set(t.s, t.y, ir_number(t.s, 1)),
                 ir_set(t.s, t.y, ir_raw(t.s, ir_at(t.s, t.x))));
    t = bench_create();
    bench_expect(t, t.y, UNDEFINED, ir_set(t.s, t.y, ir_number(t.s, 1)),
                 ir_set(t.s, t.y, expr_undefined(t.s, t.small, NOWHERE)));
    t = bench_create();
    bench_expect(t, t.b, 1, ir_set(t.s, t.b, expr_is_undefined(t.s, ir_at(t.s, t.x), NOWHERE)));
    t = bench_create();
    bench_expect(t, t.b, 0, ir_set(t.s, t.x, ir_number(t.s, 0)),
                 ir_set(t.s, t.b, expr_is_undefined(t.s, ir_at(t.s, t.x), NOWHERE)));
    t = bench_create(); /* one cell of an aggregate is enough */
    bench_expect(t, t.b, 1, ir_stmt(t.s, STMT_CLEAR, ir_at(t.s, t.p), NULL),
                 ir_stmt(t.s, STMT_UNDEFINE, ir_field(t.s, ir_at(t.s, t.p), 0), NULL),
                 ir_set(t.s, t.b, expr_is_undefined(t.s, ir_at(t.s, t.p), NOWHERE)));
    t = bench_create();
    bench_fault(t, FAULT_UNDEFINED, ir_set(t.s, t.b, expr_is_member(t.s, ir_get(t.s, t.n), t.node, NOWHERE)));
}

static void test_range(void **state)
{
    (void)state;
    struct bench t = bench_create();
    bench_fault(t, FAULT_RANGE, ir_set(t.s, t.y, ir_number(t.s, 10)));
    t = bench_create(); /* raw reads are checked too */
    bench_fault(t, FAULT_RANGE, ir_set(t.s, t.x, ir_number(t.s, -1)), ir_set(t.s, t.y, ir_raw(t.s, ir_at(t.s, t.x))));
    t = bench_create(); /* arithmetic may yield the number that encodes undefined: that is no undefined value */
    bench_fault(t, FAULT_RANGE, ir_set(t.s, t.x, ir_number(t.s, INT32_MIN + 1)),
                ir_set(t.s, t.x, ir_binary(t.s, OP_SUB, ir_get(t.s, t.x), ir_number(t.s, 1))));
    for (int is_defined = 0; is_defined < 2; is_defined++) { /* value, then place, then range */
        t = bench_create();
        struct place *row = ir_element(t.s, ir_at(t.s, t.g), ir_number(t.s, 10));
        bench_fault(t, is_defined ? FAULT_INDEX : FAULT_UNDEFINED,
                    ir_assign(t.s, ir_element(t.s, row, bench_node(&t, 0)),
                              is_defined ? ir_number(t.s, 99) : ir_get(t.s, t.x)));
    }
}

/* The cell written is the one the type says: 4 rows of 3, then 2; in a record after its first field. */
static void test_places(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct place *cell = ir_element(t.s, ir_element(t.s, ir_at(t.s, t.g), ir_get(t.s, t.y)), ir_get(t.s, t.n));
    struct variable after = {.address = 1 + 1 + 1 + 1 + 3 + 3 + 4 * 3 + 2}; /* the variables before g, then inside */
    bench_expect(t, &after, 5, ir_set(t.s, t.y, ir_number(t.s, 4)), ir_set(t.s, t.n, bench_node(&t, 2)),
                 ir_assign(t.s, cell, ir_number(t.s, 5)));
    t = bench_create();
    struct place *part = ir_element(t.s, ir_field(t.s, ir_at(t.s, t.p), 1), bench_node(&t, 1));
    after.address = 10 + 30 + 1 + 1;
    bench_expect(t, &after, 6, ir_assign(t.s, part, ir_number(t.s, 6)));
    t = bench_create();
    bench_fault(t, FAULT_UNDEFINED,
                ir_assign(t.s, ir_element(t.s, ir_at(t.s, t.a), ir_get(t.s, t.n)), ir_number(t.s, 1)));
}

static void test_equality(void **state)
{
    (void)state;
    for (int is_equal = 0; is_equal < 2; is_equal++) {
        struct bench t = bench_create();
        bench_expect(t, t.b, is_equal, ir_stmt(t.s, STMT_CLEAR, bench_at(&t, t.a, 1), NULL),
                     is_equal ? ir_move(t.s, STMT_COPY, ir_at(t.s, t.c), ir_at(t.s, t.a))
                              : ir_assign(t.s, bench_at(&t, t.c, 1), ir_number(t.s, 1)),
                     ir_set(t.s, t.b, expr_equal(t.s, ir_at(t.s, t.a), ir_at(t.s, t.c), NOWHERE)));
    }
}

/* exists k: Node do a[k] = 1, with a[0] = 1 and the others undefined */
static struct bench exists_one(struct expr **formula)
{
    struct bench t = bench_create();
    struct expr *body = ir_binary(t.s, OP_EQ, ir_read(t.s, bench_at_k(&t, t.a)), ir_number(t.s, 1));
    *formula = expr_quantifier(t.s, OP_EXISTS, t.k, (struct domain){.type = t.node}, body, NOWHERE);
    return t;
}

static void test_quantifier_over_index_is_exhaustive(void **state)
{
    (void)state;
    struct expr *formula;
    struct bench t = exists_one(&formula);
    bench_fault(t, FAULT_UNDEFINED, ir_assign(t.s, bench_at(&t, t.a, 0), ir_number(t.s, 1)), ir_set(t.s, t.b, formula));
    t = exists_one(&formula);
    bench_expect(t, t.b, 1, ir_stmt(t.s, STMT_CLEAR, ir_at(t.s, t.a), NULL),
                 ir_assign(t.s, bench_at(&t, t.a, 2), ir_number(t.s, 1)), ir_set(t.s, t.b, formula));
    t = exists_one(&formula);
    bench_expect(t, t.b, 0, ir_stmt(t.s, STMT_CLEAR, ir_at(t.s, t.a), NULL), ir_set(t.s, t.b, formula));
}

/* Over other types the first that decides ends it: 1 / (3 - i) faults at 3. */
static void test_quantifier_stops_early(void **state)
{
    (void)state;
    for (int stop = 2; stop <= 4; stop += 2) {
        struct bench t = bench_create();
        struct expr *three_less = ir_binary(t.s, OP_SUB, ir_number(t.s, 3), ir_get(t.s, t.i));
        struct expr *quotient =
            ir_binary(t.s, OP_GE, ir_binary(t.s, OP_DIV, ir_number(t.s, 1), three_less), ir_number(t.s, 0));
        struct expr *below = ir_binary(t.s, OP_LT, ir_get(t.s, t.i), ir_number(t.s, stop));
        struct expr *all = expr_quantifier(t.s, OP_FORALL, t.i, (struct domain){.type = t.small},
                                           ir_binary(t.s, OP_AND, below, quotient), NOWHERE);
        if (stop == 2)
            bench_expect(t, t.b, 0, ir_set(t.s, t.b, all));
        else
            bench_fault(t, FAULT_DIVISION, ir_set(t.s, t.b, all));
    }
}

static void test_bounded_quantifier(void **state)
{
    (void)state;
    static const struct {
        int64_t from, to, by;
        int32_t has_four; /* exists i in the domain: i = 4; -1: faults */
    } cases[] = {{0, 5, 1, 1}, {0, 3, 1, 0}, {5, 0, 1, 0}, {8, 0, -2, 1}, {9, 0, -2, 0}, {0, 5, 0, -1}, {0, 5, 4, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct bench t = bench_create();
        struct domain domain = {.from = ir_number(t.s, cases[c].from),
                                .to = ir_number(t.s, cases[c].to),
                                .by = ir_number(t.s, cases[c].by)};
        struct expr *is_four = ir_binary(t.s, OP_EQ, ir_get(t.s, t.i), ir_number(t.s, 4));
        struct stmt *stmt = ir_set(t.s, t.b, expr_quantifier(t.s, OP_EXISTS, t.i, domain, is_four, NOWHERE));
        if (cases[c].has_four < 0)
            bench_fault(t, FAULT_LOOP_LIMIT, stmt);
        else
            bench_expect(t, t.b, cases[c].has_four, stmt);
    }
    struct bench t = bench_create(); /* i cannot hold 10 */
    struct domain domain = {.from = ir_number(t.s, 8), .to = ir_number(t.s, 12)};
    struct expr *never = ir_binary(t.s, OP_LT, ir_get(t.s, t.i), ir_number(t.s, 0));
    bench_fault(t, FAULT_RANGE, ir_set(t.s, t.b, expr_quantifier(t.s, OP_EXISTS, t.i, domain, never, NOWHERE)));
}

static void test_member(void **state)
{
    (void)state;
    static const char *const labels[] = {"Home"};
    for (int is_node = 0; is_node < 2; is_node++) {
        struct bench t = bench_create();
        const struct type *home = type_enum(t.s, NULL, labels, 1, NOWHERE);
        const struct type *site = type_union(t.s, "Site", (const struct type *[]){t.node, home}, 2, NOWHERE);
        struct variable *u = system_add_global(t.s, "u", site, NOWHERE);
        bench_expect(t, t.b, is_node,
                     ir_set(t.s, u, is_node ? bench_node(&t, 1) : expr_const(t.s, home, type_code(home, 0), NOWHERE)),
                     ir_set(t.s, t.b, expr_is_member(t.s, ir_get(t.s, u), t.node, NOWHERE)));
    }
    struct bench t = bench_create(); /* a value of the union that is no node does not fit a node variable */
    const struct type *home = type_enum(t.s, NULL, labels, 1, NOWHERE);
    const struct type *site = type_union(t.s, "Site", (const struct type *[]){t.node, home}, 2, NOWHERE);
    struct variable *u = system_add_global(t.s, "u", site, NOWHERE);
    bench_fault(t, FAULT_RANGE, ir_set(t.s, u, expr_const(t.s, home, type_code(home, 0), NOWHERE)),
                ir_set(t.s, t.n, ir_get(t.s, u)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_truth),
        cmocka_unit_test(test_short_circuit),
        cmocka_unit_test(test_arithmetic_faults),
        cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_equality),
        cmocka_unit_test(test_quantifier_over_index_is_exhaustive),
        cmocka_unit_test(test_quantifier_stops_early),
        cmocka_unit_test(test_bounded_quantifier),
        cmocka_unit_test(test_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
