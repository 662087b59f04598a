/* Cells that always have a value: what start states write in time, and what copies lose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "ir/definite.h"
#include "text_model.h"

/* As many cells as wanted has '1' (always a value) and '0'. */
static void assert_definite(const char *text, const char *wanted)
{
    struct model *model = text_model("definite_test.m", text);
    struct arena *arena = arena_create();
    const bool *is_definite = definite_find(model->system, arena);
    assert_int_equal(model->system->state_cells, strlen(wanted));
    for (uint32_t c = 0; wanted[c]; c++)
        if (is_definite[c] != (wanted[c] == '1'))
            fail_msg("%s: cell %u is not %c", text, c, wanted[c]);
    arena_destroy(arena);
    model_destroy(model);
}

#define PAIR "type P: 0..1; R: record a, b: P end; var x, y: P; r: array [P] of R; "
#define TURN " rule \"Turn\" true ==> begin y := 1 - y; end;"

static void test_starts(void **unused)
{
    (void)unused;
    assert_definite(PAIR "startstate begin x := 0; y := 0; clear r; end;" TURN, "111111");
    assert_definite(PAIR "startstate begin x := 0; y := 0; for p: P do r[p].a := p; end; end;" TURN, "111010");
    assert_definite(PAIR "startstate begin x := 0; y := 0; r[1].b := 0; end;" TURN, "110001");
    assert_definite(PAIR "startstate begin x := 0; y := 0; end; startstate begin y := 0; end;" TURN, "010000");
    assert_definite(PAIR "startstate begin y := 0; if y = 0 then x := 0; end; end;" TURN, "010000");
}

static void test_multisets(void **unused)
{
    (void)unused;
    assert_definite("type P: 0..1; var x: P; r: record a: P; m: multiset [1] of P; end;"
                    "startstate begin x := 0; clear r; end;"
                    "rule true ==> begin multisetadd(x, r.m); x := r.a; end;",
                    "1100");
}

/* What is copied in a start state before it has a value is none. */
static void test_order(void **unused)
{
    (void)unused;
    assert_definite(PAIR "startstate begin x := 0; x := y; y := 0; end;" TURN, "010000");
    assert_definite(PAIR "startstate begin y := 0; x := y; end;" TURN, "110000");
    /* (what is lost once is lost, though it is written again) */
    assert_definite(PAIR "startstate begin y := 0; x := 0; r[0].a := r[0].b; clear r; r[0].b := r[0].a; end;" TURN,
                    "110011");
    /* the second element is copied before the loop has come to it */
    assert_definite(PAIR "startstate begin y := 0; clear r; for p: P do x := r[1].a; end; end;" TURN, "011111");
    /* and what a function copies may be copied too early */
    assert_definite(PAIR "procedure Copy(); begin x := y; end; startstate begin x := 0; Copy(); y := 0; end;" TURN,
                    "010000");
    assert_definite(PAIR "procedure Copy(); begin x := y; end; startstate begin x := 0; y := 0; end;"
                         "rule \"Turn\" true ==> begin Copy(); y := 1 - y; end;",
                    "110000");
}

static void test_rules(void **unused)
{
    (void)unused;
    const char *const start = PAIR "startstate begin x := 0; y := 0; for p: P do r[p].a := p; end; end; ";
    char text[512];
    const struct {
        const char *rule, *wanted;
    } cases[] = {
        {"rule true ==> begin x := r[y].a; end;", "111010"},              /* a part of what is not whole */
        {"rule true ==> begin x := r[y].b; end;", "011010"},              /* may be none */
        {"rule true ==> begin r[y].a := x; x := r[1].b; end;", "010000"}, /* and what is copied from there */
        {"rule true ==> begin undefine x; end;", "011010"},
        {"rule true ==> begin r[x].a := r[y].b; end;", "110000"},
        {"rule true ==> begin alias at: r[y] do at.a := x; end; end;", "111010"},
        {"rule true ==> begin r[0] := r[1]; end;", "110010"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "%s%s", start, cases[i].rule);
        assert_definite(text, cases[i].wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_multisets),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
