/* The PRISM front end: what is read of a model, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lang/prism/prism.h"

struct read_model {
    struct source *model, *properties;
    struct diagnostics diagnostics;
    struct prism_reader *reader;
    const struct prism_network *network;
};

static struct read_model read_with(const char *model, const char *properties, struct define *defines, size_t count)
{
    struct read_model reading = {source_from_text("m.prism", model, strlen(model)),
                                 source_from_text("m.props", properties, strlen(properties)),
                                 {0},
                                 NULL,
                                 NULL};
    struct reading options = {.defines = defines, .define_count = count, .properties = reading.properties};
    reading.reader = prism_reader_create(reading.model, &options, &reading.diagnostics);
    if (reading.reader)
        reading.network = prism_reader_network(reading.reader);
    return reading;
}

static void end(struct read_model *reading)
{
    prism_reader_destroy(reading->reader);
    diag_free(&reading->diagnostics);
    source_free(reading->properties);
    source_free(reading->model);
}

/* Reads; it must succeed. */
static struct read_model read_good(const char *model, const char *properties)
{
    struct read_model reading = read_with(model, properties, NULL, 0);
    for (size_t i = 0; i < reading.diagnostics.count; i++)
        print_error("%s\n", reading.diagnostics.items[i].message);
    assert_non_null(reading.reader);
    return reading;
}

/* The first error must hold `part` and stand on that line. */
static void refuse(const char *model, const char *properties, const char *part, uint32_t line)
{
    struct read_model reading = read_with(model, properties, NULL, 0);
    assert_null(reading.reader);
    assert_true(reading.diagnostics.count > 0);
    if (!strstr(reading.diagnostics.items[0].message, part))
        fail_msg("\"%s\" does not say \"%s\"", reading.diagnostics.items[0].message, part);
    assert_int_equal(reading.diagnostics.items[0].span.line, line);
    end(&reading);
}

static double value_of(const struct prism_expr *expr)
{
    assert_int_equal(expr->kind, PRISM_EXPR_VALUE);
    return expr->value->type == PRISM_TYPE_REAL ? rational_to_double(expr->value->real) : (double)expr->value->integer;
}

static void constants_are_exact(void **state)
{
    (void)state;
    struct read_model reading = read_good("dtmc const int N = 2+3*2; const double p = 1/3; const q = mod(-7, 3);\n"
                                          "const double r = pow(0.5, 3); const int c = ceil(7/2) + floor(-0.5);\n"
                                          "module m x : [0..N] init q; [] x<c -> p:(x'=x+1) + 1-p:true; endmodule",
                                          "filter(max, N+p, true); r*8=1; 2^3^2; 1e-2; N>=7 ? 1 : 2");
    const struct prism_variable *x = reading.network->variables[0];
    assert_int_equal(x->high, 8);
    assert_int_equal(x->initial, 2);
    const struct prism_action_command *command = &reading.network->components[0].commands[0];
    assert_true(value_of(command->guard->right) == 3);
    struct rational *third = rational_create(1, 3), *rest = rational_create(2, 3);
    assert_int_equal(rational_compare(command->outcomes[0].weight->value->real, third), 0);
    assert_int_equal(rational_compare(command->outcomes[1].weight->value->real, rest), 0);
    rational_destroy(third);
    rational_destroy(rest);
    assert_true(value_of(reading.network->properties[1].formula) == 1);
    assert_true(value_of(reading.network->properties[2].formula) == 512);
    assert_true(value_of(reading.network->properties[3].formula) == 0.01);
    assert_true(value_of(reading.network->properties[4].formula) == 1);
    end(&reading);
}

static void operators_bind_as_in_prism(void **state)
{
    (void)state;
    struct read_model reading = read_good("dtmc module m x : [0..3]; b : bool; [] true -> true; endmodule",
                                          "!x=1 & b; b => b => b; x=1 <=> b | b & b; -x*2; b ? 1 : b ? 2 : 3");
    const struct prism_property *properties = reading.network->properties;
    assert_int_equal(properties[0].formula->op, PRISM_OP_AND);
    assert_int_equal(properties[0].formula->left->op, PRISM_OP_NOT);
    assert_int_equal(properties[0].formula->left->left->op, PRISM_OP_EQ);
    assert_int_equal(properties[1].formula->right->op, PRISM_OP_IMPLIES);
    assert_int_equal(properties[2].formula->op, PRISM_OP_IFF);
    assert_int_equal(properties[2].formula->right->op, PRISM_OP_OR);
    assert_int_equal(properties[3].formula->op, PRISM_OP_MUL);
    assert_int_equal(properties[4].formula->right->kind, PRISM_EXPR_COND);
    end(&reading);
}

/* Formulas are expanded before the module is renamed: the copy's guard speaks of y. */
static void copies_are_renamed(void **state)
{
    (void)state;
    struct read_model reading = read_good("mdp formula low = x < 2; const int k = 5; const int l = 7;\n"
                                          "module a x : [0..9]; [go] low -> (x'=min(x+1,k)); endmodule\n"
                                          "module b = a [x=y, go=stop, k=l, min=max] endmodule",
                                          "");
    const struct prism_component *copy = &reading.network->components[1];
    assert_int_equal(copy->original, 0);
    assert_string_equal(copy->variables[0]->name.text, "y");
    assert_string_equal(copy->commands[0].action, "stop");
    assert_ptr_equal(copy->commands[0].guard->left->variable, copy->variables[0]);
    const struct prism_expr *value = copy->commands[0].outcomes[0].writes[0].value;
    assert_int_equal(value->function, PRISM_MAX);
    assert_true(value_of(value->arguments.items[1]) == 7);
    assert_int_equal(reading.network->joint_count, 2);
    end(&reading);
}

static const char three[] = "dtmc module a x : bool; [s] true -> true; [] x -> true; endmodule\n"
                            "module b = a [x=y] endmodule\n"
                            "module c = a [x=z] endmodule\n";

static uint32_t joints_of(const char *process)
{
    char model[500];
    snprintf(model, sizeof model, "%s%s", three, process);
    struct read_model reading = read_good(model, "");
    uint32_t count = 0;
    for (uint32_t i = 0; i < reading.network->joint_count; i++)
        count = 10 * count + reading.network->joints[i].count;
    end(&reading);
    return count;
}

/* The number of participants of each joint, as digits. */
static void modules_are_composed(void **state)
{
    (void)state;
    assert_int_equal(joints_of(""), 3111);
    assert_int_equal(joints_of("system a || b || c endsystem"), 3111);
    assert_int_equal(joints_of("system a ||| b ||| c endsystem"), 111111);
    assert_int_equal(joints_of("system (a |[s]| b) ||| c endsystem"), 21111);
    assert_int_equal(joints_of("system a{s<-t} || b{s<-t} || c endsystem"), 21111);
    assert_int_equal(joints_of("system a/{s} || b/{s} || c endsystem"), 111111);
    assert_int_equal(joints_of("system (a/{s} |[s]| b) || c endsystem"), 1111); /* what is blocked blocks */
    assert_int_equal(joints_of("system (b |[s]| a/{s})/{s} || c endsystem"), 11111);
    assert_int_equal(joints_of("system (a/{s} |[s]| b){s<-t} || c endsystem"), 11111);
    refuse("dtmc module a x:bool; endmodule\nmodule b y:bool; endmodule\nsystem a endsystem", "", "leaves out", 2);
    refuse("dtmc module a x:bool; endmodule\nsystem a || a endsystem", "", "used twice", 2);
}

static void properties_are_read(void **state)
{
    (void)state;
    struct read_model reading =
        read_good("mdp module m x : [0..3]; [] true -> (x'=1); endmodule\n"
                  "label \"one\" = x=1; rewards \"r\" x=1 : 2; [] true : 1; endrewards",
                  "const int T = 4;\n// RESULT: 1/3\n\"first\": Pmax=? [ F<=T \"one\" ]\nR{\"r\"}min=? [ C<=T ];\n"
                  "P>=0.5 [ x=0 U x=1 {x=2}{min} ]; filter(forall, E [ F x=1 ] => A [ X x>0 ], x=0);\n"
                  "Pmin=? [ x<2 W x=3 ]; R{1}max=? [ I=3 ]; R{\"r\"}max=? [ F \"deadlock\" ]");
    const struct prism_property *properties = reading.network->properties;
    assert_int_equal(reading.network->property_count, 7);
    assert_string_equal(properties[0].name.text, "first");
    assert_string_equal(properties[0].result, "1/3");
    assert_int_equal(properties[0].formula->bound.extreme, PRISM_GREATEST);
    assert_true(value_of(properties[0].formula->left->window.upper) == 4);
    assert_int_equal(properties[1].formula->left->kind, PRISM_EXPR_CUMULATIVE);
    assert_string_equal(properties[2].formula->name.text, "forall");
    assert_int_equal(properties[4].formula->left->temporal, PRISM_WEAK_UNTIL);
    assert_true(value_of(properties[5].formula->reward_number) == 1);
    end(&reading);
}

static void values_come_from_outside(void **state)
{
    (void)state;
    const char *model =
        "dtmc const int N; const double p; const bool b;\nmodule m x : [0..N]; [] b -> p:true; endmodule";
    struct define defines[] = {{"N", "4"}, {"p", "1/8"}, {"b", "true"}};
    struct read_model reading = read_with(model, "", defines, 3);
    assert_non_null(reading.reader);
    assert_int_equal(reading.network->variables[0]->high, 4);
    end(&reading);
    refuse(model, "", "\"N\" has no value", 2);
    const char *bad[][2] = {{"N", "1:3"}, {"N", "0.5"}, {"b", "2"}, {"q", "1"}, {"p", "x"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct define all[] = {{"N", "4"}, {"p", "1"}, {"b", "true"}, {bad[i][0], bad[i][1]}};
        reading = read_with(model, "", all, 4);
        assert_null(reading.reader);
        end(&reading);
    }
}

static void mistakes_are_reported(void **state)
{
    (void)state;
    const char *m = "mdp module m x:[0..3]; [] true -> true; endmodule\n";
    refuse("dtmc\nmodule m x : [0..3] init 4; endmodule", "", "not in the range", 2);
    refuse("dtmc module m\n x : [3..0]; endmodule", "", "is empty", 2);
    refuse("dtmc module m x:bool;\n[] x -> (y'=1); endmodule", "", "unknown name \"y\"", 2);
    refuse("dtmc module m x:bool;\n[] x+1 -> true; endmodule", "", "expected a number here", 2);
    refuse("dtmc module m x:bool;\n[] x -> (x'=1); endmodule", "", "must be a bool", 2);
    refuse("dtmc module m x:bool;\n[] x -> 0.5 (x'=x); endmodule", "", "expected \":\"", 2);
    refuse("dtmc module m x:bool;\n[] x -> (x'=x)&(x'=x); endmodule", "", "written twice", 2);
    refuse("dtmc global g:bool; module m x:bool;\n[a] x -> (g'=x); endmodule", "", "cannot write the global", 2);
    refuse("dtmc module m x:bool; endmodule\nmodule n [] x -> (x'=x); endmodule", "", "another module", 2);
    refuse("dtmc module m x:bool; endmodule\nmodule n = m [a=b] endmodule", "", "must rename", 2);
    refuse("dtmc const int a = b;\nconst int b = a; module m x:bool; endmodule", "", "defined by itself", 1);
    refuse("dtmc formula f = f+1; module m x:bool;\n[] f>1 -> true; endmodule", "", "defined by itself", 1);
    refuse("dtmc module m\nx : int; endmodule", "", "without bounds", 2);
    refuse("pta\nmodule m x : clock; endmodule", "", "timed automata", 1);
    refuse("pomdp\nmodule m x : bool; endmodule", "", "partially observable", 1);
    refuse("dtmc const double c =\n1/0; module m x:bool; endmodule", "", "division by zero", 2);
    refuse("dtmc module m x:bool; [] x -> true; endmodule\nmodule m y:bool; endmodule", "", "two modules", 2);
    refuse(m, "P=? [ F x=1 ]", "over which schedulers", 1);
    refuse(m, "Pmax>=1 [ F x=1 ] & (F G x=1)", "only under P", 1);
    refuse(m, "Pmax=? [ x+1 ]", "expected a path formula", 1);
    refuse(m, "Pmax=? [ F \"y\" ]", "no label \"y\"", 1);
    refuse(m, "Rmax=? [ F x=1 ]", "no rewards", 1);
    refuse(m, "multi(Pmax=? [ X x=1 ])", "not supported in multi", 1);
    refuse(m, "Pmax=? [ F<=-1 x=1 ]", "negative", 1);
    refuse(m, "filter(mean, x)", "unknown filter", 1);
    refuse(m, "\"p\": \"p\"", "expand to more than", 1);
    refuse(m, "flor(x) = 1", "unknown function", 1);
    refuse(m, "mod(x) = 1", "takes 2 arguments", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_exact),   cmocka_unit_test(operators_bind_as_in_prism),
        cmocka_unit_test(copies_are_renamed),    cmocka_unit_test(modules_are_composed),
        cmocka_unit_test(properties_are_read),   cmocka_unit_test(values_come_from_outside),
        cmocka_unit_test(mistakes_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
