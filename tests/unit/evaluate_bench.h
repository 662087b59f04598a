/* Runs a block as a start state and looks at what comes out, with every stepper. */
#ifndef NOETHER_TESTS_EVALUATE_BENCH_H
#define NOETHER_TESTS_EVALUATE_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/stepper.h"
#include "ir/validate.h"
#include "ir_shorthand.h"

typedef struct stepper *(*stepper_maker)(const struct system *system, const struct layout *layout);

static const stepper_maker makers[] = {stepper_create_evaluator, stepper_create_vm};

#define FOR_STEPPERS(stepper, system, layout)                                                                          \
    for (size_t m_ = 0; m_ < sizeof makers / sizeof *makers; m_++)                                                     \
        for (struct stepper *stepper = makers[m_]((system), (layout)); stepper;                                        \
             stepper_destroy(stepper), stepper = NULL)

/* A system with a few variables to work on. */
struct bench {
    struct system *s;
    const struct type *small, *node, *row, *grid, *pair, *bag;
    struct variable *x, *y, *b, *n; /* integer, small, boolean, node */
    struct variable *a, *c, *g;     /* row, row, grid */
    struct variable *p, *q, *net;   /* pair, pair, bag of small */
    struct variable *i, *k;         /* scratch: small, node */
};

static inline struct bench bench_create(void)
{
    struct bench t = {.s = system_create("bench")};
    struct system *s = t.s;
    t.small = type_range(s, "Small", 0, 9, NOWHERE);
    t.node = type_index(s, "Node", 3, NOWHERE);
    t.row = type_array(s, "Row", t.node, t.small, NOWHERE);
    t.grid = type_array(s, "Grid", t.small, t.row, NOWHERE);
    struct field fields[] = {{.name = "first", .type = t.small}, {.name = "row", .type = t.row}};
    t.pair = type_record(s, "Pair", fields, 2, NOWHERE);
    t.bag = type_multiset(s, "Bag", t.small, 3, NOWHERE);
    t.x = system_add_global(s, "x", s->integer, NOWHERE);
    t.y = system_add_global(s, "y", t.small, NOWHERE);
    t.b = system_add_global(s, "b", s->boolean, NOWHERE);
    t.n = system_add_global(s, "n", t.node, NOWHERE);
    t.a = system_add_global(s, "a", t.row, NOWHERE);
    t.c = system_add_global(s, "c", t.row, NOWHERE);
    t.g = system_add_global(s, "g", t.grid, NOWHERE);
    t.p = system_add_global(s, "p", t.pair, NOWHERE);
    t.q = system_add_global(s, "q", t.pair, NOWHERE);
    t.net = system_add_global(s, "net", t.bag, NOWHERE);
    t.i = system_add_scratch(s, "i", t.small, NOWHERE);
    t.k = system_add_scratch(s, "k", t.node, NOWHERE);
    return t;
}

/* node e as a constant */
static inline struct expr *bench_node(const struct bench *t, uint32_t e)
{
    return expr_const(t->s, t->node, type_code(t->node, e), NOWHERE);
}

/* a[k] */
static inline struct place *bench_at_k(const struct bench *t, const struct variable *row)
{
    return ir_element(t->s, ir_at(t->s, row), ir_get(t->s, t->k));
}

static inline struct place *bench_at(const struct bench *t, const struct variable *row, uint32_t e)
{
    return ir_element(t->s, ir_at(t->s, row), bench_node(t, e));
}

static inline struct layout *bench_finish(const struct bench *t, struct block body)
{
    system_add_start(t->s, NULL, NOWHERE)->body = body;
    assert_true(system_finish(t->s));
    assert_null(ir_validate(t->s));
    return layout_create(t->s);
}

/* The body ends in a state in which the first cell of the variable has the code. */
static inline void bench_expect_block(struct bench t, struct block body, const struct variable *variable, int32_t code)
{
    struct layout *layout = bench_finish(&t, body);
    FOR_STEPPERS(stepper, t.s, layout)
    {
        struct step step;
        stepper_begin_starts(stepper);
        assert_int_equal(stepper_next(stepper, &step), STEP_STATE);
        assert_int_equal(step.cells[variable->address], code);
        assert_int_equal(stepper_next(stepper, &step), STEP_END);
    }
    layout_destroy(layout);
    system_destroy(t.s);
}

#define bench_expect(t, variable, code, ...) bench_expect_block((t), IR_BLOCK((t).s, __VA_ARGS__), (variable), (code))

static inline void bench_fault_block(struct bench t, struct block body, enum fault_kind kind)
{
    struct layout *layout = bench_finish(&t, body);
    FOR_STEPPERS(stepper, t.s, layout)
    {
        struct step step;
        stepper_begin_starts(stepper);
        assert_int_equal(stepper_next(stepper, &step), STEP_FAULT);
        assert_int_equal(step.fault.kind, kind);
        if (kind != FAULT_ASSERTION && kind != FAULT_ERROR)
            assert_ptr_equal(step.fault.property, t.s->properties.items[SYSTEM_RUNTIME]);
        struct text text = {0};
        fault_print(&step.fault, &text);
        assert_true(text.length > 0);
        text_free(&text);
    }
    layout_destroy(layout);
    system_destroy(t.s);
}

#define bench_fault(t, kind, ...) bench_fault_block((t), IR_BLOCK((t).s, __VA_ARGS__), (kind))

#endif
