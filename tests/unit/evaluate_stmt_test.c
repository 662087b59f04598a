/* The meaning of statements, functions and multisets: each kind, each fault. */
#include "evaluate_bench.h"

static struct stmt *return_value(struct system *s, struct expr *value)
{
    return ir_stmt(s, STMT_RETURN, NULL, value);
}

static void test_copy(void **state)
{
    (void)state;
    struct bench t = bench_create();
    bench_expect(t, t.p, 3, ir_assign(t.s, ir_field(t.s, ir_at(t.s, t.q), 0), ir_number(t.s, 3)),
                 ir_move(t.s, STMT_COPY, ir_at(t.s, t.p), ir_at(t.s, t.q)),
                 ir_assign(t.s, ir_field(t.s, ir_at(t.s, t.q), 0), ir_number(t.s, 4))); /* by value */
    t = bench_create();
    bench_expect(t, t.p, 3, ir_assign(t.s, ir_field(t.s, ir_at(t.s, t.p), 0), ir_number(t.s, 3)),
                 ir_move(t.s, STMT_COPY, ir_at(t.s, t.p), ir_at(t.s, t.p))); /* onto itself */
}

static void test_reset(void **state)
{
    (void)state;
    struct bench t = bench_create();
    bench_expect(t, t.p, 0, ir_stmt(t.s, STMT_CLEAR, ir_at(t.s, t.p), NULL));
    t = bench_create();
    bench_expect(t, t.p, UNDEFINED, ir_stmt(t.s, STMT_CLEAR, ir_at(t.s, t.p), NULL),
                 ir_stmt(t.s, STMT_UNDEFINE, ir_at(t.s, t.p), NULL));
    t = bench_create();
    bench_expect(t, t.net, 0, ir_stmt(t.s, STMT_MULTISET_ADD, ir_at(t.s, t.net), ir_number(t.s, 5)),
                 ir_stmt(t.s, STMT_CLEAR, ir_at(t.s, t.net), NULL));
    t = bench_create();
    bench_expect(t, t.net, 0, ir_stmt(t.s, STMT_MULTISET_ADD, ir_at(t.s, t.net), ir_number(t.s, 5)),
                 ir_stmt(t.s, STMT_UNDEFINE, ir_at(t.s, t.net), NULL));
}

static void test_if(void **state)
{
    (void)state;
    for (int y = 0; y < 2; y++) {
        struct bench t = bench_create();
        struct stmt *choice = ir_if(t.s, ir_binary(t.s, OP_EQ, ir_get(t.s, t.y), ir_number(t.s, 1)),
                                    IR_BLOCK(t.s, ir_set(t.s, t.x, ir_number(t.s, 10))));
        choice->otherwise = IR_BLOCK(t.s, ir_set(t.s, t.x, ir_number(t.s, 20)));
        bench_expect(t, t.x, y ? 10 : 20, ir_set(t.s, t.y, ir_number(t.s, y)), choice);
    }
}

/* x := 10 * x + i, for i over the domain */
static struct stmt *digits(const struct bench *t, struct domain domain)
{
    struct expr *shifted = ir_binary(t->s, OP_MUL, ir_get(t->s, t->x), ir_number(t->s, 10));
    return ir_for(t->s, t->i, domain,
                  IR_BLOCK(t->s, ir_set(t->s, t->x, ir_binary(t->s, OP_ADD, shifted, ir_get(t->s, t->i)))));
}

static void test_for(void **state)
{
    (void)state;
    struct bench t = bench_create();
    bench_expect(t, t.x, 123456789, ir_set(t.s, t.x, ir_number(t.s, 0)), digits(&t, (struct domain){.type = t.small}));
    t = bench_create();
    bench_expect(
        t, t.x, 741, ir_set(t.s, t.x, ir_number(t.s, 0)),
        digits(&t, (struct domain){.from = ir_number(t.s, 7), .to = ir_number(t.s, 0), .by = ir_number(t.s, -3)}));
    t = bench_create();
    bench_expect(t, t.x, 0, ir_set(t.s, t.x, ir_number(t.s, 0)),
                 digits(&t, (struct domain){.from = ir_number(t.s, 5), .to = ir_number(t.s, 4)}));
    t = bench_create(); /* the bound is evaluated once: raising x in the body does not matter */
    bench_expect(t, t.x, 5, ir_set(t.s, t.x, ir_number(t.s, 2)),
                 ir_for(t.s, t.i, (struct domain){.from = ir_number(t.s, 0), .to = ir_get(t.s, t.x)},
                        IR_BLOCK(t.s, ir_increment(t.s, t.x))));
    t = bench_create();
    bench_fault(
        t, FAULT_LOOP_LIMIT,
        digits(&t, (struct domain){.from = ir_number(t.s, 0), .to = ir_number(t.s, 1), .by = ir_number(t.s, 0)}));
    t = bench_create();
    bench_fault(t, FAULT_RANGE, ir_set(t.s, t.x, ir_number(t.s, 0)),
                digits(&t, (struct domain){.from = ir_number(t.s, 0), .to = ir_number(t.s, 10)}));
    t = bench_create();
    bench_fault(t, FAULT_UNDEFINED, digits(&t, (struct domain){.from = ir_number(t.s, 0), .to = ir_get(t.s, t.y)}));
}

static void test_while(void **state)
{
    (void)state;
    for (int is_over = 0; is_over < 2; is_over++) {
        struct bench t = bench_create();
        t.s->loop_limit = 50;
        struct expr *below = ir_binary(t.s, OP_LT, ir_get(t.s, t.x), ir_number(t.s, 50 + is_over));
        struct stmt *loop = ir_while(t.s, below, IR_BLOCK(t.s, ir_increment(t.s, t.x)));
        if (is_over)
            bench_fault(t, FAULT_LOOP_LIMIT, ir_set(t.s, t.x, ir_number(t.s, 0)), loop);
        else
            bench_expect(t, t.x, 50, ir_set(t.s, t.x, ir_number(t.s, 0)), loop);
    }
}

static void test_return_ends_rule(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct stmt *leave =
        ir_if(t.s, ir_binary(t.s, OP_EQ, ir_get(t.s, t.i), ir_number(t.s, 4)), IR_BLOCK(t.s, return_value(t.s, NULL)));
    bench_expect(
        t, t.x, 4,
        ir_for(t.s, t.i, (struct domain){.type = t.small}, IR_BLOCK(t.s, ir_set(t.s, t.x, ir_get(t.s, t.i)), leave)),
        ir_set(t.s, t.x, ir_number(t.s, 99)));
}

static void test_claims(void **state)
{
    (void)state;
    struct bench t = bench_create();
    bench_fault(t, FAULT_ASSERTION, ir_claim(t.s, STMT_ASSERT, ir_truth(t.s, false)));
    t = bench_create();
    bench_expect(t, t.x, 1, ir_claim(t.s, STMT_ASSERT, ir_truth(t.s, true)), ir_set(t.s, t.x, ir_number(t.s, 1)));
    t = bench_create();
    bench_fault(t, FAULT_ERROR, ir_claim(t.s, STMT_ERROR, NULL));
    t = bench_create();
    bench_expect(t, t.x, 1, ir_claim(t.s, STMT_ASSUME, ir_truth(t.s, true)), ir_set(t.s, t.x, ir_number(t.s, 1)));
    t = bench_create(); /* what is put is evaluated; an undefined value may be put */
    bench_expect(t, t.x, 1, ir_stmt(t.s, STMT_PUT, NULL, ir_raw(t.s, ir_at(t.s, t.y))),
                 ir_set(t.s, t.x, ir_number(t.s, 1)));
    t = bench_create();
    bench_fault(t, FAULT_UNDEFINED, ir_stmt(t.s, STMT_PUT, NULL, ir_get(t.s, t.y)));
}

static void test_discard_and_cover(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct stmt *met = ir_claim(t.s, STMT_COVER, ir_truth(t.s, true));
    struct stmt *missed = ir_claim(t.s, STMT_COVER, ir_truth(t.s, false));
    struct layout *layout =
        bench_finish(&t, IR_BLOCK(t.s, met, missed, ir_claim(t.s, STMT_ASSUME, ir_truth(t.s, false)),
                                  ir_claim(t.s, STMT_ERROR, NULL)));
    FOR_STEPPERS(stepper, t.s, layout)
    {
        struct step step;
        stepper_begin_starts(stepper);
        assert_int_equal(stepper_next(stepper, &step), STEP_DISCARDED);
        assert_int_equal(stepper_next(stepper, &step), STEP_END);
        assert_true(stepper->covered[met->property->id]);
        assert_false(stepper->covered[missed->property->id]);
    }
    layout_destroy(layout);
    system_destroy(t.s);
}

static void test_reference(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct variable *r = system_add_reference(t.s, "r", t.row, NOWHERE);
    bench_expect(t, t.a, 7, ir_bind(t.s, r, ir_at(t.s, t.a)), ir_assign(t.s, bench_at(&t, r, 0), ir_number(t.s, 7)));
    t = bench_create(); /* bound once: moving the index later does not move the reference */
    r = system_add_reference(t.s, "r", t.small, NOWHERE);
    bench_expect(t, t.a, 7, ir_set(t.s, t.n, bench_node(&t, 0)),
                 ir_bind(t.s, r, ir_element(t.s, ir_at(t.s, t.a), ir_get(t.s, t.n))),
                 ir_set(t.s, t.n, bench_node(&t, 1)), ir_assign(t.s, ir_at(t.s, r), ir_number(t.s, 7)));
}

/* f(u, v) = 2u - v, in small */
static struct function *make_f(const struct bench *t)
{
    struct system *s = t->s;
    const struct variable *parameters[] = {system_add_scratch(s, "u", t->small, NOWHERE),
                                           system_add_scratch(s, "v", t->small, NOWHERE)};
    struct function *f = ir_function(s, "f", system_add_scratch(s, "f.result", t->small, NOWHERE), 2, parameters);
    struct expr *twice = ir_binary(s, OP_MUL, ir_get(s, parameters[0]), ir_number(s, 2));
    f->body = IR_BLOCK(s, return_value(s, ir_binary(s, OP_SUB, twice, ir_get(s, parameters[1]))));
    return f;
}

static struct expr *call_f(const struct bench *t, const struct function *f, struct expr *u, struct expr *v)
{
    return ir_call(t->s, f, (struct argument[]){{.value = u}, {.value = v}});
}

static void test_call(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct function *f = make_f(&t);
    bench_expect(t, t.x, 5, ir_set(t.s, t.x, call_f(&t, f, ir_number(t.s, 4), ir_number(t.s, 3))));
    t = bench_create(); /* f(5, f(4, 3)): the inner call must not spoil the first argument */
    f = make_f(&t);
    bench_expect(
        t, t.x, 5,
        ir_set(t.s, t.x, call_f(&t, f, ir_number(t.s, 5), call_f(&t, f, ir_number(t.s, 4), ir_number(t.s, 3)))));
    t = bench_create();
    f = make_f(&t);
    bench_fault(t, FAULT_RANGE, ir_set(t.s, t.x, call_f(&t, f, ir_number(t.s, 10), ir_number(t.s, 3))));
    t = bench_create();
    f = make_f(&t);
    bench_fault(t, FAULT_RANGE, ir_set(t.s, t.x, call_f(&t, f, ir_number(t.s, 9), ir_number(t.s, 3)))); /* the result */
    t = bench_create(); /* an undefined argument may be passed, not used */
    f = make_f(&t);
    bench_fault(t, FAULT_UNDEFINED, ir_set(t.s, t.x, call_f(&t, f, ir_number(t.s, 1), ir_raw(t.s, ir_at(t.s, t.y)))));
    t = bench_create();
    f = make_f(&t);
    f->body = (struct block){0};
    bench_fault(t, FAULT_NO_RETURN, ir_set(t.s, t.x, call_f(&t, f, ir_number(t.s, 1), ir_number(t.s, 1))));
}

static void test_return_from_loops(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct function *f = make_f(&t);
    struct stmt *leave = ir_if(t.s, ir_binary(t.s, OP_EQ, ir_get(t.s, t.i), ir_get(t.s, f->parameters[0])),
                               IR_BLOCK(t.s, return_value(t.s, ir_get(t.s, t.i))));
    struct stmt *loop = ir_for(t.s, t.i, (struct domain){.type = t.small}, IR_BLOCK(t.s, leave));
    f->body = IR_BLOCK(t.s, ir_while(t.s, ir_truth(t.s, true), IR_BLOCK(t.s, loop)));
    bench_expect(t, t.x, 6, ir_set(t.s, t.x, call_f(&t, f, ir_number(t.s, 6), ir_number(t.s, 0))));
}

/* A procedure that writes through its reference and spoils its own copies. */
static void test_parameters(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct system *s = t.s;
    const struct variable *to = system_add_reference(s, "to", t.small, NOWHERE);
    const struct variable *row = system_add_scratch(s, "row", t.row, NOWHERE);
    const struct variable *parameters[] = {to, row};
    struct function *f = ir_function(s, "give", NULL, 2, parameters);
    f->body = IR_BLOCK(s, ir_assign(s, ir_at(s, to), ir_read(s, bench_at(&t, row, 2))),
                       ir_assign(s, bench_at(&t, row, 2), ir_number(s, 0)));
    struct argument arguments[] = {{.place = bench_at(&t, t.a, 0)}, {.place = ir_at(s, t.a)}};
    struct stmt *twice = ir_call_stmt(s, f, arguments);
    bench_expect(t, t.a, 8, ir_assign(s, bench_at(&t, t.a, 2), ir_number(s, 8)), twice, twice);
}

/* r(v): a row whose first element is v */
static struct function *make_row(const struct bench *t)
{
    struct system *s = t->s;
    const struct variable *v = system_add_scratch(s, "v", t->small, NOWHERE);
    struct variable *local = system_add_scratch(s, "local", t->row, NOWHERE);
    struct function *r = ir_function(s, "r", system_add_scratch(s, "r.result", t->row, NOWHERE), 1, &v);
    r->body =
        IR_BLOCK(s, ir_stmt(s, STMT_UNDEFINE, ir_at(s, local), NULL), ir_assign(s, bench_at(t, local, 0), ir_get(s, v)),
                 ir_move(s, STMT_RETURN, NULL, ir_at(s, local)));
    return r;
}

static struct place *call_row(const struct bench *t, const struct function *r, int64_t v)
{
    struct expr *call = ir_call(t->s, r, (struct argument[]){{.value = ir_number(t->s, v)}});
    return place_call(t->s, call, NOWHERE);
}

static void test_aggregate_result(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct function *r = make_row(&t);
    bench_expect(t, t.a, 6, ir_move(t.s, STMT_COPY, ir_at(t.s, t.a), call_row(&t, r, 6)));
    t = bench_create();
    r = make_row(&t);
    bench_expect(t, t.x, 6, ir_set(t.s, t.x, ir_read(t.s, ir_element(t.s, call_row(&t, r, 6), bench_node(&t, 0)))));
    for (int other = 6; other <= 7; other++) { /* the second call must not overwrite the first result */
        t = bench_create();
        r = make_row(&t);
        bench_expect(t, t.b, other == 6,
                     ir_set(t.s, t.b, expr_equal(t.s, call_row(&t, r, 6), call_row(&t, r, other), NOWHERE)));
    }
}

/* Two aggregates by value, both results of the same function; and one that a later argument changes. */
static void test_aggregates_are_taken_in_order(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct function *r = make_row(&t);
    const struct variable *parameters[] = {system_add_scratch(t.s, "l", t.row, NOWHERE),
                                           system_add_scratch(t.s, "m", t.row, NOWHERE)};
    struct function *same =
        ir_function(t.s, "same", system_add_scratch(t.s, "same.result", t.s->boolean, NOWHERE), 2, parameters);
    same->body = IR_BLOCK(
        t.s, return_value(t.s, expr_equal(t.s, ir_at(t.s, parameters[0]), ir_at(t.s, parameters[1]), NOWHERE)));
    struct argument arguments[] = {{.place = call_row(&t, r, 1)}, {.place = call_row(&t, r, 2)}};
    bench_expect(t, t.b, 0, ir_set(t.s, t.b, ir_call(t.s, same, arguments)));
    t = bench_create();
    r = make_row(&t);
    struct stmt *side_effect = ir_assign(t.s, bench_at(&t, t.a, 0), ir_number(t.s, 9));
    r->body = IR_BLOCK(t.s, side_effect, r->body.items[0], r->body.items[1], r->body.items[2]);
    bench_expect(t, t.b, 0, ir_stmt(t.s, STMT_UNDEFINE, ir_at(t.s, t.a), NULL),
                 ir_set(t.s, t.b, expr_equal(t.s, ir_at(t.s, t.a), call_row(&t, r, 9), NOWHERE)));
}

static struct stmt *add(const struct bench *t, int64_t value)
{
    return ir_stmt(t->s, STMT_MULTISET_ADD, ir_at(t->s, t->net), ir_number(t->s, value));
}

/* count of the slots whose element is at least `least` */
static struct expr *count_from(const struct bench *t, int64_t least)
{
    struct expr *element = ir_read(t->s, ir_slot(t->s, ir_at(t->s, t->net), ir_get(t->s, t->i)));
    struct expr *predicate = ir_binary(t->s, OP_GE, element, ir_number(t->s, least));
    return expr_count(t->s, ir_at(t->s, t->net), t->i, predicate, NOWHERE);
}

static void test_multiset(void **state)
{
    (void)state;
    struct bench t = bench_create();
    bench_expect(t, t.x, 2, add(&t, 5), add(&t, 3), add(&t, 4), ir_set(t.s, t.x, count_from(&t, 4)));
    t = bench_create();
    bench_fault(t, FAULT_MULTISET_FULL, add(&t, 5), add(&t, 3), add(&t, 4), add(&t, 4));
    t = bench_create(); /* full before out of range */
    bench_fault(t, FAULT_MULTISET_FULL, add(&t, 5), add(&t, 3), add(&t, 4), add(&t, 10));
    t = bench_create();
    bench_fault(t, FAULT_RANGE, add(&t, 10));
    t = bench_create(); /* slot 1 is freed, then taken again */
    bench_expect(t, t.x, 8, add(&t, 5), add(&t, 3),
                 ir_stmt(t.s, STMT_MULTISET_REMOVE, ir_at(t.s, t.net), ir_number(t.s, 1)), add(&t, 8),
                 ir_set(t.s, t.x, ir_read(t.s, ir_slot(t.s, ir_at(t.s, t.net), ir_number(t.s, 1)))));
    t = bench_create(); /* an undefined element is an element */
    bench_expect(t, t.net, 1, ir_stmt(t.s, STMT_MULTISET_ADD, ir_at(t.s, t.net), ir_raw(t.s, ir_at(t.s, t.y))));
}

static void test_slots(void **state)
{
    (void)state;
    static const int64_t absent[] = {-1, 1, 3, 1000};
    for (size_t c = 0; c < sizeof absent / sizeof *absent; c++) {
        struct bench t = bench_create();
        bench_fault(t, FAULT_SLOT_FREE, add(&t, 5),
                    ir_set(t.s, t.x, ir_read(t.s, ir_slot(t.s, ir_at(t.s, t.net), ir_number(t.s, absent[c])))));
        t = bench_create();
        bench_fault(t, FAULT_SLOT_FREE, add(&t, 5),
                    ir_stmt(t.s, STMT_MULTISET_REMOVE, ir_at(t.s, t.net), ir_number(t.s, absent[c])));
    }
    for (int slot = 0; slot < 3; slot++) {
        struct bench t = bench_create();
        bench_expect(t, t.b, slot == 0, add(&t, 5),
                     ir_set(t.s, t.b, expr_slot_taken(t.s, ir_at(t.s, t.net), ir_number(t.s, slot), NOWHERE)));
    }
    struct bench t = bench_create();
    bench_fault(t, FAULT_SLOT_FREE,
                ir_set(t.s, t.b, expr_slot_taken(t.s, ir_at(t.s, t.net), ir_number(t.s, 3), NOWHERE)));
}

/* The predicate is evaluated for all before any goes: "the multiset has 3 elements" is true of each of them. */
static void test_remove_if(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct variable *slot = system_add_scratch(t.s, "slot", t.small, NOWHERE);
    struct stmt *remove = ir_stmt(t.s, STMT_MULTISET_REMOVE_IF, ir_at(t.s, t.net),
                                  ir_binary(t.s, OP_EQ, count_from(&t, 0), ir_number(t.s, 3)));
    remove->variable = slot;
    bench_expect(t, t.net, 0, add(&t, 1), add(&t, 2), add(&t, 3), remove);
    t = bench_create();
    remove = ir_stmt(
        t.s, STMT_MULTISET_REMOVE_IF, ir_at(t.s, t.net),
        ir_binary(t.s, OP_LE, ir_read(t.s, ir_slot(t.s, ir_at(t.s, t.net), ir_get(t.s, t.i))), ir_number(t.s, 2)));
    remove->variable = t.i;
    bench_expect(t, t.x, 1, add(&t, 1), add(&t, 2), add(&t, 3), remove, ir_set(t.s, t.x, count_from(&t, 0)));
}

/* Taken slots first, in order; the rest undefined; as layout_normalise would have it. */
static void test_normal_form(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct layout *layout =
        bench_finish(&t, IR_BLOCK(t.s, add(&t, 9), add(&t, 3), add(&t, 7),
                                  ir_stmt(t.s, STMT_MULTISET_REMOVE, ir_at(t.s, t.net), ir_number(t.s, 1))));
    static const int32_t expected[] = {1, 7, 1, 9, 0, UNDEFINED};
    FOR_STEPPERS(stepper, t.s, layout)
    {
        struct step step;
        stepper_begin_starts(stepper);
        assert_int_equal(stepper_next(stepper, &step), STEP_STATE);
        assert_memory_equal(step.cells + t.net->address, expected, sizeof expected);
    }
    layout_destroy(layout);
    system_destroy(t.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_if),
        cmocka_unit_test(test_for),
        cmocka_unit_test(test_while),
        cmocka_unit_test(test_return_ends_rule),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_discard_and_cover),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_call),
        cmocka_unit_test(test_return_from_loops),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_aggregate_result),
        cmocka_unit_test(test_aggregates_are_taken_in_order),
        cmocka_unit_test(test_multiset),
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_remove_if),
        cmocka_unit_test(test_normal_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
