/* Which cells a formula may read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ir/reads.h"
#include "ir_shorthand.h"

/* Cells: 0 x; 1..6 rows[3] of {a, b}; 7 y; 8..11 bag, two slots. */
struct world {
    struct system *system;
    const struct variable *x, *rows, *y, *bag;
};

static struct world world_create(void)
{
    struct world w = {.system = system_create("world")};
    struct system *s = w.system;
    const struct type *small = type_range(s, NULL, 0, 2, NOWHERE);
    struct field fields[] = {{.name = "a", .type = small}, {.name = "b", .type = small}};
    const struct type *row = type_record(s, NULL, fields, 2, NOWHERE);
    w.x = system_add_global(s, "x", small, NOWHERE);
    w.rows = system_add_global(s, "rows", type_array(s, NULL, small, row, NOWHERE), NOWHERE);
    w.y = system_add_global(s, "y", small, NOWHERE);
    w.bag = system_add_global(s, "bag", type_multiset(s, NULL, small, 2, NOWHERE), NOWHERE);
    return w;
}

static void assert_reads(struct world *w, struct expr *formula, const char *expected)
{
    bool cells[12] = {false};
    system_finish(w->system);
    reads_add(w->system, formula, cells);
    for (uint32_t c = 0; c < 12; c++)
        assert_int_equal(cells[c], expected[c] == '1');
    system_destroy(w->system);
}

static struct expr *is_one(struct world *w, struct expr *value)
{
    return ir_binary(w->system, OP_EQ, value, ir_number(w->system, 1));
}

static void test_variable(void **unused)
{
    (void)unused;
    struct world w = world_create();
    assert_reads(&w, is_one(&w, ir_get(w.system, w.y)), "000000010000");
}

/* The field of every element, and what the index reads; not the other field. */
static void test_field_of_elements(void **unused)
{
    (void)unused;
    struct world w = world_create();
    struct place *row = ir_element(w.system, ir_at(w.system, w.rows), ir_get(w.system, w.x));
    assert_reads(&w, is_one(&w, ir_read(w.system, ir_field(w.system, row, 1))), "101010100000");
}

/* An index within an index. */
static void test_index_of_index(void **unused)
{
    (void)unused;
    struct world w = world_create();
    struct system *s = w.system;
    struct place *inner = ir_field(s, ir_element(s, ir_at(s, w.rows), ir_get(s, w.y)), 0);
    struct place *outer = ir_field(s, ir_element(s, ir_at(s, w.rows), ir_read(s, inner)), 1);
    assert_reads(&w, is_one(&w, ir_read(s, outer)), "011111110000");
}

static void test_multiset(void **unused)
{
    (void)unused;
    struct world w = world_create();
    struct place *slot = ir_slot(w.system, ir_at(w.system, w.bag), ir_number(w.system, 0));
    assert_reads(&w, is_one(&w, ir_read(w.system, slot)), "000000001111");
}

/* f(var r) = r.a + y, called with rows[x]: what the reference is bound to, and what the body names. */
static void test_call(void **unused)
{
    (void)unused;
    struct world w = world_create();
    struct system *s = w.system;
    struct variable *r = system_add_reference(s, "r", w.rows->type->element, NOWHERE);
    struct variable *result = system_add_scratch(s, "result", s->integer, NOWHERE);
    struct function *f = ir_function(s, "f", result, 1, (const struct variable *const[]){r});
    struct place *field = ir_field(s, ir_at(s, r), 0);
    struct stmt *back = ir_stmt(s, STMT_RETURN, NULL, ir_binary(s, OP_ADD, ir_read(s, field), ir_get(s, w.y)));
    f->body = IR_BLOCK(s, back);
    struct argument argument = {.place = ir_element(s, ir_at(s, w.rows), ir_get(s, w.x))};
    assert_reads(&w, is_one(&w, ir_call(s, f, &argument)), "111111110000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variable),       cmocka_unit_test(test_field_of_elements),
        cmocka_unit_test(test_index_of_index), cmocka_unit_test(test_multiset),
        cmocka_unit_test(test_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
