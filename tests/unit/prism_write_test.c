/* A PRISM model, read, written and read again: the same text when it is written once more, and the same values of the
 * properties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "driver/check.h"
#include "ir/validate.h"
#include "lang/prism/prism.h"
#include "reduce/census.h"

struct round_trip {
    struct source *model, *properties;
    struct system *system;
    struct text model_text, property_text;
};

static struct round_trip take(const char *model, const char *properties)
{
    struct round_trip trip = {.model = source_from_text("m.prism", model, strlen(model)),
                              .properties = source_from_text("m.props", properties, strlen(properties))};
    struct diagnostics diagnostics = {0};
    struct reading reading = {.properties = trip.properties, .most_combined = UINT32_MAX};
    trip.system = prism_read(trip.model, &reading, &diagnostics);
    if (!trip.system)
        fail_msg("%s in\n%s\n%s", diagnostics.items[0].message, model, properties);
    assert_null(ir_validate(trip.system));
    assert_true(prism_write(trip.system, NULL, &trip.model_text, &trip.property_text, &diagnostics));
    assert_int_equal(diagnostics.count, 0);
    return trip;
}

static void leave(struct round_trip *trip)
{
    system_destroy(trip->system);
    source_free(trip->model);
    source_free(trip->properties);
    text_free(&trip->model_text);
    text_free(&trip->property_text);
}

static struct result *values_of(const struct system *system, struct layout **layout)
{
    struct engine_options options = {0};
    *layout = layout_create(system);
    struct symmetry *none = symmetry_none(system);
    struct result *result = engine_probabilistic.run(*layout, none, &options);
    symmetry_destroy(none);
    return result;
}

static void compare_values(const struct system *one, const struct system *other)
{
    struct layout *layouts[2];
    struct result *a = values_of(one, &layouts[0]), *b = values_of(other, &layouts[1]);
    assert_int_equal(one->properties.count, other->properties.count);
    for (size_t i = 0; i < one->properties.count; i++) {
        const struct property_result *x = &a->properties[i], *y = &b->properties[i];
        assert_int_equal(x->verdict, y->verdict);
        assert_int_equal(x->has_value, y->has_value);
        if (x->has_value)
            assert_true(x->lower <= y->upper && y->lower <= x->upper);
    }
    result_destroy(a);
    result_destroy(b);
    layout_destroy(layouts[0]);
    layout_destroy(layouts[1]);
}

static void expect_round_trip(const char *model, const char *properties)
{
    struct round_trip once = take(model, properties);
    struct round_trip twice = take(text_chars(&once.model_text), text_chars(&once.property_text));
    assert_string_equal(text_chars(&once.model_text), text_chars(&twice.model_text));
    assert_int_equal(once.system->chain->choice_count, twice.system->chain->choice_count);
    compare_values(once.system, twice.system);
    leave(&once);
    leave(&twice);
}

static const char DICE[] = "dtmc\n"
                           "const double p = 1/3;\n"
                           "module die\n s : [0..3] init 0; d : [-2..6]; b : bool init true;\n"
                           " [] s=0 -> p:(s'=1)&(d'=d-2) + 1-p:(s'=2)&(b'=!b);\n"
                           " [] s=1 & (b | !(d>0)) -> 1e-18:(s'=3) + 1-1e-18:(d'=mod(s+2,3))&(s'=0);\n"
                           " [] s=2 & (b => d=s) -> (d'=min(d+1, max(s, 3), 6)+floor(s/2)-ceil(d/3))&(s'=d>2?3:0);\n"
                           " [] s=3 -> true;\n"
                           "endmodule\n"
                           "label \"done\" = s=3;\n"
                           "rewards \"steps\"\n true : 0.25*(s+1)/2;\n [] s!=3 : 1;\nendrewards\n"
                           "rewards\n s=0 : -2;\nendrewards\n";
static const char DICE_PROPERTIES[] =
    "\"goal\": P=? [ F \"done\" ];\n"
    "P>=0.5 [ (s=0|b) U<=10 (s=3 & d<=6) ]; P<0.25 [ X s=1 ]; P=? [ G<4 s!=3 ];\n"
    "R{\"steps\"}=? [ C<=7 ]; R{2}=? [ I=3 ]; R{\"steps\"}=? [ F s>=1 ]; S=? [ s=3 ];\n"
    "filter(max, P=? [ F s=3 ], s<2); filter(forall, P>0 [ F s=3 ] | \"deadlock\");\n"
    "E [ F s=3 ]; A [ F s=3 ]; 2*P=? [ F s=3 ]-1; P>0 [ F s=3 ] <=> s=0;\n";

static const char TOGETHER[] = "mdp\n"
                               "module a\n x : [0..2];\n [go] x<2 -> 0.5:(x'=x+1) + 0.5:(x'=y);\n [] x=2 -> (x'=0);\n"
                               "endmodule\n"
                               "module b\n y : [0..2];\n [go] y<2 -> (y'=x);\n [go] y=1 -> 0.1:(y'=0) + 0.9:true;\n"
                               "endmodule\n"
                               "init x+y<=1 & x>=0 endinit\n";
static const char TOGETHER_PROPERTIES[] =
    "filter(min, Pmin=? [ F x=2 ], \"init\"); filter(max, Pmax=? [ F x=2&y=2 ], \"init\");\n"
    "Pmax>=0.5 [ F x=2 ]; Pmin<0.5 [ F y=2 ];\n";

static const char RATES[] = "ctmc\n"
                            "module q\n n : [0..5];\n [up] n<5 -> 2.5:(n'=n+1);\n [down] n>0 -> 3*n/(n+1):(n'=n-1);\n"
                            "endmodule\n"
                            "rewards \"queue\"\n true : n;\n [up] true : 12345678901.0;\nendrewards\n";
static const char RATES_PROPERTIES[] = "P=? [ F[0.5,2] n=5 ]; P=? [ true U>=1.5 n=0 ]; S=? [ n>=3 ];\n"
                                       "R{\"queue\"}=? [ S ]; R{\"queue\"}=? [ C<=1.5 ];\n";

static void test_dtmc(void **unused)
{
    (void)unused;
    expect_round_trip(DICE, DICE_PROPERTIES);
}

static void test_mdp(void **unused)
{
    (void)unused;
    expect_round_trip(TOGETHER, TOGETHER_PROPERTIES);
}

static void test_ctmc(void **unused)
{
    (void)unused;
    expect_round_trip(RATES, RATES_PROPERTIES);
}

/* What is made of counters keeps the promises of the IR, and is what its text says. */
static const char COPIES[] = "dtmc\n"
                             "global g : [0..3];\n"
                             "module p1\n s1 : [0..2]; c1 : bool;\n"
                             " [] s1=0 & g<3 -> (s1'=1)&(g'=g+(s1=0&s2=0&s3=0?1:0));\n"
                             " [tick] s1=1 & min(s1,s2,s3)>0 -> 0.5:(s1'=2) + 0.5:(c1'=!c1);\n"
                             " [] s1=2 & mod(s1+s2+s3,2)=0 -> (s1'=0)&(g'=max(g-1,0));\n"
                             "endmodule\n"
                             "module p2 = p1 [s1=s2, s2=s1, c1=c2, c2=c1] endmodule\n"
                             "module p3 = p1 [s1=s3, s3=s1, c1=c3, c3=c1] endmodule\n"
                             "init g=0 & s1+s2+s3<=1 & !c1 & !c2 & !c3 endinit\n"
                             "label \"all\" = s1=2&s2=2&s3=2;\n"
                             "rewards\n s1=1 : 1;\n s2=1 : 1;\n s3=1 : 1;\nendrewards\n";
static const char COPIES_PROPERTIES[] = "filter(max, P=? [ F<=20 \"all\" ], \"init\");\n"
                                        "filter(min, R=? [ C<=9 ], \"init\");\n"
                                        "filter(exists, P>0 [ F g=3 ]);\n";

static void test_counters(void **unused)
{
    (void)unused;
    struct round_trip plain = take(COPIES, COPIES_PROPERTIES);
    struct diagnostics diagnostics = {0};
    struct census *census = census_reduce(plain.system, &diagnostics);
    if (!census)
        fail_msg("%s", diagnostics.items[0].message);
    assert_null(ir_validate((struct system *)census_system(census)));
    compare_values(plain.system, census_system(census));
    struct text model = {0}, properties = {0};
    assert_true(prism_write(census_system(census), NULL, &model, &properties, &diagnostics));
    assert_int_equal(diagnostics.count, 0);
    struct round_trip written = take(text_chars(&model), text_chars(&properties));
    assert_string_equal(text_chars(&written.model_text), text_chars(&model));
    compare_values(census_system(census), written.system);
    leave(&written);
    text_free(&model);
    text_free(&properties);
    census_destroy(census);
    leave(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dtmc),
        cmocka_unit_test(test_mdp),
        cmocka_unit_test(test_ctmc),
        cmocka_unit_test(test_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
