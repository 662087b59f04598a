/* Every promise a front end makes is checked; and walking and printing see every node. */
#include "evaluate_bench.h"

#include <string.h>

#include "ir/print.h"
#include "ir/walk.h"

static void assert_broken(struct bench t, struct block body, const char *problem)
{
    system_add_start(t.s, NULL, NOWHERE)->body = body;
    assert_true(system_finish(t.s));
    const char *found = ir_validate(t.s);
    assert_non_null(found);
    if (!strstr(found, problem))
        fail_msg("\"%s\" is reported as \"%s\"", problem, found);
    system_destroy(t.s);
}

#define BROKEN(t, problem, ...) assert_broken((t), IR_BLOCK((t).s, __VA_ARGS__), (problem))

static void test_types(void **state)
{
    (void)state;
    struct bench t = bench_create();
    BROKEN(t, "wrong type", ir_set(t.s, t.y, ir_truth(t.s, true)));
    t = bench_create();
    BROKEN(t, "wrong type", ir_set(t.s, t.n, ir_number(t.s, 1)));
    t = bench_create();
    BROKEN(t, "wrong type", ir_set(t.s, t.b, ir_binary(t.s, OP_EQ, ir_get(t.s, t.n), ir_get(t.s, t.y))));
    t = bench_create();
    BROKEN(t, "wrong type", ir_set(t.s, t.x, ir_binary(t.s, OP_ADD, ir_get(t.s, t.n), ir_get(t.s, t.y))));
    t = bench_create();
    BROKEN(t, "wrong type", ir_if(t.s, ir_get(t.s, t.y), (struct block){0}));
    t = bench_create();
    BROKEN(t, "wrong type", ir_set(t.s, t.y, ir_read(t.s, ir_element(t.s, ir_at(t.s, t.a), ir_get(t.s, t.y)))));
    t = bench_create();
    BROKEN(t, "aggregate", ir_set(t.s, t.a, ir_number(t.s, 1)));
    t = bench_create();
    BROKEN(t, "no scalar", ir_set(t.s, t.y, ir_get(t.s, t.a)));
    t = bench_create();
    BROKEN(t, "different types", ir_move(t.s, STMT_COPY, ir_at(t.s, t.a), ir_at(t.s, t.p)));
    t = bench_create();
    BROKEN(t, "different types", ir_set(t.s, t.b, expr_equal(t.s, ir_at(t.s, t.a), ir_at(t.s, t.p), NOWHERE)));
    t = bench_create();
    BROKEN(t, "multisets", ir_set(t.s, t.b, expr_equal(t.s, ir_at(t.s, t.net), ir_at(t.s, t.net), NOWHERE)));
    t = bench_create();
    BROKEN(t, "never undefined", ir_set(t.s, t.b, expr_is_undefined(t.s, ir_at(t.s, t.net), NOWHERE)));
    t = bench_create();
    BROKEN(t, "outside its type", ir_set(t.s, t.y, expr_const(t.s, t.small, 10, NOWHERE)));
    t = bench_create();
    struct place *stray = ir_field(t.s, ir_at(t.s, t.p), 0);
    stray->field = &(struct field){.name = "stray", .type = t.small};
    BROKEN(t, "another record", ir_assign(t.s, stray, ir_number(t.s, 1)));
}

static void test_undefined(void **state)
{
    (void)state;
    struct bench t = bench_create();
    BROKEN(t, "raw read", ir_set(t.s, t.x, ir_binary(t.s, OP_ADD, ir_raw(t.s, ir_at(t.s, t.y)), ir_number(t.s, 1))));
    t = bench_create();
    BROKEN(t, "raw read", ir_if(t.s, ir_raw(t.s, ir_at(t.s, t.b)), (struct block){0}));
    t = bench_create();
    BROKEN(t, "undefined is used",
           ir_set(t.s, t.x, ir_binary(t.s, OP_ADD, expr_undefined(t.s, t.small, NOWHERE), ir_number(t.s, 1))));
}

static void test_stores(void **state)
{
    (void)state;
    struct domain all;
    struct bench t = bench_create();
    all = (struct domain){.type = t.small};
    BROKEN(t, "loop variable", ir_for(t.s, t.i, all, IR_BLOCK(t.s, ir_set(t.s, t.i, ir_number(t.s, 1)))));
    t = bench_create();
    all = (struct domain){.type = t.small};
    BROKEN(t, "bound twice", ir_for(t.s, t.i, all, IR_BLOCK(t.s, ir_for(t.s, t.i, all, (struct block){0}))));
    t = bench_create();
    BROKEN(t, "cannot be a loop variable", ir_for(t.s, t.y, (struct domain){.type = t.small}, (struct block){0}));
    t = bench_create();
    BROKEN(t, "cannot hold its domain",
           ir_for(t.s, system_add_scratch(t.s, "j", t.small, NOWHERE), (struct domain){.type = t.s->integer},
                  (struct block){0}));
    t = bench_create();
    BROKEN(t, "no one", ir_stmt(t.s, STMT_RETURN, NULL, ir_number(t.s, 1)));
    t = bench_create();
    BROKEN(t, "outside a prelude", ir_stmt(t.s, STMT_REQUIRE, NULL, ir_truth(t.s, true)));
    t = bench_create();
    BROKEN(t, "without a reference", ir_bind(t.s, t.i, ir_at(t.s, t.y)));
    t = bench_create();
    BROKEN(t, "without a property", ir_stmt(t.s, STMT_ASSERT, NULL, ir_truth(t.s, true)));
    t = bench_create();
    struct stmt *claim = ir_claim(t.s, STMT_ASSERT, ir_truth(t.s, true));
    claim->kind = STMT_COVER;
    BROKEN(t, "something else", claim);
    t = bench_create();
    struct variable *narrow = system_add_scratch(t.s, "narrow", type_range(t.s, NULL, 0, 1, NOWHERE), NOWHERE);
    BROKEN(t, "slot number",
           ir_set(t.s, t.x, expr_count(t.s, ir_at(t.s, t.net), narrow, ir_truth(t.s, true), NOWHERE)));
    t = bench_create();
    BROKEN(t, "on something else", ir_stmt(t.s, STMT_MULTISET_ADD, ir_at(t.s, t.a), ir_number(t.s, 1)));
    t = bench_create();
    BROKEN(t, "multiset of scalars", ir_move(t.s, STMT_MULTISET_ADD, ir_at(t.s, t.net), ir_at(t.s, t.a)));
}

static void test_functions(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct function *f = ir_function(t.s, "f", NULL, 0, NULL), *g = ir_function(t.s, "g", NULL, 0, NULL);
    f->body = IR_BLOCK(t.s, ir_call_stmt(t.s, g, NULL));
    g->body = IR_BLOCK(t.s, ir_call_stmt(t.s, f, NULL));
    BROKEN(t, "recursive", ir_call_stmt(t.s, f, NULL));
    t = bench_create();
    const struct variable *row = system_add_reference(t.s, "row", t.row, NOWHERE);
    f = ir_function(t.s, "f", NULL, 1, &row);
    BROKEN(t, "another type", ir_call_stmt(t.s, f, (struct argument[]){{.place = ir_at(t.s, t.p)}}));
    t = bench_create();
    row = system_add_reference(t.s, "row", t.row, NOWHERE);
    f = ir_function(t.s, "f", NULL, 1, &row);
    BROKEN(t, "needs a place", ir_call_stmt(t.s, f, (struct argument[]){{.value = ir_number(t.s, 1)}}));
    t = bench_create();
    f = ir_function(t.s, "f", NULL, 0, NULL);
    BROKEN(t, "no scalar", ir_set(t.s, t.y, ir_call(t.s, f, NULL)));
}

static void test_system(void **state)
{
    (void)state;
    struct bench t = bench_create();
    assert_string_equal(ir_validate(t.s), "the system is not finished");
    system_destroy(t.s);
    t = bench_create();
    struct rule *rule = system_add_rule(t.s, "r", NOWHERE);
    rule->body = (struct block){0};
    rule->prelude = IR_BLOCK(t.s, ir_set(t.s, t.y, ir_number(t.s, 1)));
    assert_broken(t, (struct block){0}, "prelude changes the state");
    t = bench_create();
    system_add_property(t.s, PROPERTY_INVARIANT, "i", NULL, NOWHERE);
    assert_broken(t, (struct block){0}, "missing");
    t = bench_create();
    rule = system_add_rule(t.s, "r", NOWHERE);
    ir_add_parameter(t.s, rule, t.i, t.small);
    rule->body = IR_BLOCK(t.s, ir_set(t.s, t.i, ir_number(t.s, 1)));
    assert_broken(t, (struct block){0}, "parameter i");
}

/* A system that has one of everything, and what it prints as. */
static struct bench make_example(void)
{
    struct bench t = bench_create();
    struct system *s = t.s;
    const struct variable *r = system_add_reference(s, "r", t.row, NOWHERE);
    struct function *f = ir_function(s, "touch", NULL, 1, &r);
    f->body = IR_BLOCK(s, ir_assign(s, bench_at(&t, r, 0), ir_number(s, 1)));
    struct rule *rule = system_add_rule(s, "go", NOWHERE);
    ir_add_parameter(s, rule, t.k, t.node);
    struct expr *all =
        expr_quantifier(s, OP_FORALL, t.i, (struct domain){.from = ir_number(s, 0), .to = ir_number(s, 3)},
                        ir_binary(s, OP_NE, ir_get(s, t.i), ir_get(s, t.y)), NOWHERE);
    rule->guard = ir_binary(s, OP_AND, ir_binary(s, OP_EQ, ir_get(s, t.n), ir_get(s, t.k)), all);
    struct stmt *choice =
        ir_if(s, expr_is_undefined(s, ir_at(s, t.y), NOWHERE), IR_BLOCK(s, ir_set(s, t.y, ir_raw(s, ir_at(s, t.x)))));
    choice->otherwise = IR_BLOCK(s, ir_stmt(s, STMT_CLEAR, ir_at(s, t.net), NULL));
    struct place *slot = ir_slot(s, ir_at(s, t.net), ir_number(s, 0));
    rule->body =
        IR_BLOCK(s, choice, ir_call_stmt(s, f, (struct argument[]){{.place = ir_at(s, t.a)}}),
                 ir_set(s, t.y, ir_read(s, slot)), ir_stmt(s, STMT_MULTISET_REMOVE, ir_at(s, t.net), ir_number(s, 0)));
    system_add_property(s, PROPERTY_INVARIANT, "same", expr_equal(s, ir_at(s, t.a), ir_at(s, t.c), NOWHERE), NOWHERE);
    return t;
}

static void test_print(void **state)
{
    (void)state;
    struct bench t = make_example();
    assert_true(system_finish(t.s));
    assert_null(ir_validate(t.s));
    struct text text = {0};
    ir_print_system(t.s, &text);
    const char *body = strstr(text_chars(&text), "\nfunction");
    assert_non_null(body);
    assert_string_equal(body, "\nfunction touch(var r: Row)\n"
                              "  *r[Node_1] := 1\n"
                              "end\n"
                              "\nrule \"go\" (k: Node)\n"
                              "  guard ((n = k) & (forall i: 0 to 3 do (i != y)))\n"
                              "begin\n"
                              "  if isundefined(y)\n"
                              "    y := raw x\n"
                              "  else\n"
                              "    clear net\n"
                              "  end\n"
                              "  call touch(var a)\n"
                              "  y := net{0}\n"
                              "  remove slot 0 of net\n"
                              "end\n"
                              "\n"
                              "deadlock \"deadlock\"\n"
                              "runtime \"runtime\"\n"
                              "invariant \"same\": (a == c)\n");
    text_free(&text);
    system_destroy(t.s);
}

struct census {
    int stmts, exprs, reads, writes;
};

static bool count_stmt(void *user, const struct stmt *stmt)
{
    (void)stmt;
    ((struct census *)user)->stmts++;
    return true;
}

static bool count_expr(void *user, const struct expr *expr)
{
    struct census *census = user;
    census->exprs++;
    return expr->kind != EXPR_QUANTIFIER; /* not entered */
}

static bool count_place(void *user, const struct place *place, bool is_written)
{
    (void)place;
    struct census *census = user;
    *(is_written ? &census->writes : &census->reads) += 1;
    return true;
}

static void test_walk(void **state)
{
    (void)state;
    struct bench t = make_example();
    struct census census = {0};
    struct walker walker = {count_stmt, count_expr, count_place, &census};
    walk_rule(&walker, t.s->rules.items[0]);
    assert_int_equal(census.stmts, 6);
    /* guard: &, =, n, k, forall; body: isundefined, raw x, call, net{0}, its index, slot number */
    assert_int_equal(census.exprs, 11);
    assert_int_equal(census.writes, 5); /* y, net, a (by reference), y, net */
    assert_int_equal(census.reads, 6);  /* n, k, y, x, net{0}, net */
    system_destroy(t.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),     cmocka_unit_test(test_undefined), cmocka_unit_test(test_stores),
        cmocka_unit_test(test_functions), cmocka_unit_test(test_system),    cmocka_unit_test(test_print),
        cmocka_unit_test(test_walk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
