/* The reader of Promela: the tree of a model, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/language.h"
#include "lang/promela/ast.h"
#include "promela_text.h"
#include "sanitized.h"

struct read_model {
    struct source *source;
    struct arena *arena;
    struct diagnostics diagnostics;
    struct pml_model *model;
};

static struct read_model read_with(const char *text, const struct define *defines, size_t count)
{
    struct read_model reading = {source_from_text("m.pml", text, strlen(text)), arena_create(), {0}, NULL};
    const struct reading options = {.defines = defines, .define_count = count};
    reading.model = pml_parse(reading.source, &options, reading.arena, &reading.diagnostics);
    assert_true((reading.model == NULL) == (reading.diagnostics.errors > 0));
    return reading;
}

static void end(struct read_model *reading)
{
    if (reading->model)
        pml_model_free(reading->model);
    diag_free(&reading->diagnostics);
    arena_destroy(reading->arena);
    source_free(reading->source);
}

static struct read_model read_good_with(const char *text, const struct define *defines, size_t count)
{
    struct read_model reading = read_with(text, defines, count);
    struct text printed = {0};
    diag_print(&reading.diagnostics, &printed);
    if (!reading.model)
        fail_msg("%s", text_chars(&printed));
    text_free(&printed);
    return reading;
}

static struct read_model read_good(const char *text)
{
    return read_good_with(text, NULL, 0);
}

/* Where it is wrong: line.column, and what the message and the hint say (NULL: there is none). */
static void refuse(const char *text, uint32_t line, uint32_t column, const char *message, const char *hint)
{
    struct read_model reading = read_with(text, NULL, 0);
    assert_null(reading.model);
    const struct diagnostic *first = &reading.diagnostics.items[0];
    for (size_t i = 0; i + 1 < reading.diagnostics.count && first->severity != SEVERITY_ERROR; i++)
        first++;
    if (!strstr(first->message, message) || first->span.line != line || first->span.column != column)
        fail_msg("%u.%u: %s; expected %u.%u: %s", first->span.line, first->span.column, first->message, line, column,
                 message);
    if (hint && (!first->hint || !strstr(first->hint, hint)))
        fail_msg("hint \"%s\", expected \"%s\"", first->hint ? first->hint : "", hint);
    end(&reading);
}

/* The body of the process `number` of the model. */
static void body_is(const char *model, size_t number, const char *expected)
{
    struct read_model reading = read_good(model);
    struct text out = {0};
    write_block(&out, &reading.model->proctypes.items[number]->body);
    assert_string_equal(text_chars(&out), expected);
    text_free(&out);
    end(&reading);
}

/* How `expr`, over byte a, b, c, d, is read. */
static void expr_is(const char *expr, const char *expected)
{
    char model[1024];
    snprintf(model, sizeof model, "byte a, b, c, d; active proctype P() { d = %s }", expr);
    struct read_model reading = read_good(model);
    struct text out = {0};
    write_expr(&out, reading.model->proctypes.items[0]->body.items[0]->value);
    assert_string_equal(text_chars(&out), expected);
    text_free(&out);
    end(&reading);
}

static void formula_is(const char *formula, const char *expected)
{
    char model[1024];
    snprintf(model, sizeof model, "ltl f { %s }\nbyte a, b, c, d; active proctype P() { skip }", formula);
    struct read_model reading = read_good(model);
    struct text out = {0};
    assert_string_equal(reading.model->formulas.items[0]->name, "f");
    write_formula(&out, reading.model->formulas.items[0]->formula);
    assert_string_equal(text_chars(&out), expected);
    text_free(&out);
    end(&reading);
}

static void operators_bind_as_in_spin(void **state)
{
    (void)state;
    expr_is("a + b * c - d", "((a+(b*c))-d)");
    expr_is("a | b ^ c & d", "(a|(b^(c&d)))");
    expr_is("a & b == c", "(a&(b==c))");
    expr_is("!a == b && c || d", "(((!a==b)&&c)||d)");
    expr_is("a < b == c > d", "((a<b)==(c>d))");
    expr_is("1 << 2 + 3", "(1<<(2+3))");
    expr_is("(a -> b : (c -> 1 : -2))", "[a->b:[c->1:-2]]");
    expr_is("-a % ~b / 'a'", "((-a%~b)/97)");
    expr_is("4294967295", "-1");
    expr_is("true + skip + false", "((1+1)+0)");
}

static void formulas_bind_as_in_spin(void **state)
{
    (void)state;
    formula_is("[] (a -> <> b)", "{[]{a -> {<>b}}}");
    formula_is("[] a -> <> b", "{{[]a} -> {<>b}}");
    formula_is("a U b && c", "{{a U b} && c}");
    formula_is("a U b U c", "{{a U b} U c}");
    formula_is("a -> b -> [] c", "{(!a||b) -> {[]c}}");
    formula_is("! <> (a == 1 || [] b)", "{!{<>{(a==1) || {[]b}}}}");
    formula_is("a <-> b", "(!a==!b)");
    formula_is("(a W b) equivalent (next c release d);", "{{a W b} <-> {{Xc} V d}}");
    formula_is("always (a implies eventually b) && (a+b) > c", "{{[]{a -> {<>b}}} && ((a+b)>c)}");
    formula_is("[]<>a stronguntil b", "{{[]{<>a}} U b}");
    refuse("byte a; active proctype P() { skip }\nltl { [] a == 1 }", 2, 7, "beside a temporal formula", "parentheses");
    refuse("byte a; active proctype P() { skip }\nltl { a ", 2, 1, "does not end", NULL);
    refuse("byte a; active proctype P() { skip }\nltl x { a } ltl x { !a }", 2, 17, "\"x\" already", NULL);
}

static void separators_may_be_left_out(void **state)
{
    (void)state;
    body_is("byte x; active proctype P() { x = 1\n x = 2;; x = 3 -> x = 4; }", 0, "{x = 1; x = 2; x = 3; x = 4}");
    body_is("byte x; active proctype P() { if :: x == 1 :: else fi\n do :: x++\n x-- :: else break; od }", 0,
            "{if{x == 1}{else}; do{x++; x--}{else; break}}");
    body_is("byte x; active proctype P() { { x = 1 } x = 2; atomic { x++ } -> skip\n{ x-- }\n unless x == 3 }", 0,
            "{block{x = 1}; x = 2; at{x++}; skip; {x--}unless{x == 3}}");
    body_is("byte x active proctype P() { (x == 0 ->\n 1 : 0)\n -> x =\n 1 } byte y;", 0, "{(x == 0 -> 1 : 0); x = 1}");
    refuse("byte x; active proctype P() { if :: x = 1 fi x = 2 }", 1, 46, "expected \";\"", "missing");
    refuse("byte x; active proctype P() { ; x = 2 }", 1, 31, "expected a statement", NULL);
    refuse("active proctype P() { }", 1, 23, "expected a statement", NULL);
}

static void late_declarations_are_steps(void **state)
{
    (void)state;
    body_is(
        "typedef R { byte a; bit b[2] };\nactive proctype P() { byte i = 2, j; i = 1; byte k, l = i; R r; byte v[3];\n"
        "  byte w[2] = 7; { short i2; i2++ }; { short i2 = 5; i2-- } }",
        0, "{i = 1; D:k = 0; D:l = i; r = 0; v = 0; w[2] = 7; block{D:i2 = 0; i2++}; block{D:i2 = 5; i2--}}");
    struct read_model reading =
        read_good("active proctype P(byte p) { byte i = 3; i++; byte k; byte v[3] = 2; { int i2 = 4; k++ } }");
    const struct pml_proctype *proctype = reading.model->proctypes.items[0];
    static const char *const names[] = {"p", "i", "k", "v", "i2"};
    assert_int_equal(proctype->locals.count, 5);
    assert_int_equal(proctype->parameter_count, 1);
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(proctype->locals.items[i]->name, names[i]);
        assert_int_equal(proctype->locals.items[i]->id, i);
        assert_int_equal(proctype->locals.items[i]->is_inner, i == 2 || i == 4);
    }
    assert_null(proctype->locals.items[3]->initial); /* SPIN sets v[0], when it comes there */
    const struct pml_stmt *set = proctype->body.items[2];
    assert_int_equal(set->kind, PML_ASSIGN);
    assert_int_equal(set->place->index->value, 0);
    assert_int_equal(set->value->value, 2);
    end(&reading);
}

static void names_belong_to_blocks(void **state)
{
    (void)state;
    struct read_model reading = read_good("byte g; active proctype P() { { byte x; x = g }; { byte x; x = 1 } }\n"
                                          "active proctype Q() { byte x = 1; x = g }");
    const struct pml_block *body = &reading.model->proctypes.items[0]->body;
    const struct pml_variable *one = body->items[0]->body.items[1]->place->variable;
    const struct pml_variable *two = body->items[1]->body.items[1]->place->variable;
    assert_ptr_not_equal(one, two);
    assert_ptr_equal(one->owner, reading.model->proctypes.items[0]);
    assert_null(body->items[0]->body.items[1]->value->place->variable->owner);
    end(&reading);
    refuse("byte x;\nactive proctype P() { byte x; x = 1 }", 2, 28, "declared already: it is a variable", "new");
    refuse("active proctype P() { byte x; { byte x; x = 1 } }", 1, 38, "declared already", NULL);
    refuse("mtype = { a }; active proctype P() { byte a; a = 1 }", 1, 43, "it is an mtype", NULL);
    refuse("active proctype P() { { byte x; x = 1 }; x = 2 }", 1, 42, "unknown name \"x\"", NULL);
    refuse("byte count; active proctype P() { coumt = 2 }", 1, 35, "unknown name \"coumt\"", "\"count\"");
}

static void loops_are_written_out(void **state)
{
    (void)state;
    body_is("byte i, a[3]; active proctype P() { L: for (i : 1 .. 3) { a[i] = i; break } }", 0,
            "{i = 1; L: do{else; break}{i <= 3; a[i] = i; break; i++}}");
    body_is("byte i, a[3]; active proctype P() { for (i in a)\n { skip } }", 0,
            "{i = 0; do{else; break}{i <= 2; skip; i++}}");
    body_is("typedef M { byte x }; chan q = [2] of { M }; active proctype P() { M m; for (m in q) { m.x++ } }", 0,
            "{for (m in q); do{else; break}{for (m in q); for (m in q); for (m in q); m.x++; for (m in q)}}");
    body_is("byte i; active proctype P() { L: select (i : 1..3) }", 0, "{L: if{i = 1}{i = 2}{i = 3}}");
    body_is("byte i; active proctype P() { L: select (i : 1..i) }", 0, "{i = 1; L: do{break}{i < i; i++}}");
    body_is("byte i_; active proctype P() { select (i_ : 1..2) }", 0, "{i_ = 1; do{break}{i_ < 2; i_++}}");
    body_is("byte i; active proctype P() { L: select (i : 0..33) }", 0, "{L: block{i = 0; do{i < 33; i++}{break}}}");
    body_is("byte i; inline f() { select (i : 1..2) } active proctype P() { f() }", 0,
            "{block{i = 1; do{break}{i < 2; i++}}}");
    refuse("byte i; active proctype P() { select (i : 3..1) }", 1, 31, "range is empty", NULL);
    refuse("byte i; active proctype P() { for (i in i) { skip } }", 1, 41, "expected an array", NULL);
}

static void skips_in_options_are_dropped(void **state)
{
    (void)state;
    body_is(
        "byte x; active proctype P() { skip; skip; if :: x -> skip; skip; 1; x = 1 :: skip; skip :: true; L: skip;\n"
        " printf(\"a\"); true; x = 1 fi }",
        0, "{skip; skip; if{x; skip; x = 1}{skip; skip}{true; L: skip; printf(\"a\"); x = 1}}");
}

static void inlines_are_blocks(void **state)
{
    (void)state;
    body_is("byte x, y; inline f(a, b) { if :: a == b -> goto done :: else\n fi\n done: a = b }\n"
            "inline g(c) { f(c, x+1); f(y, 2) }\nactive proctype P() { g(x); done: f(y, x) }",
            0,
            "{block{block{if{x == x+1; goto done}{else}; done: x = x+1}; block{if{y == 2; goto done}{else}; done@2: y "
            "= 2}}; "
            "done@3: block{if{y == x; goto done}{else}; done@4: y = x}}");
    struct read_model reading = read_good("byte x; inline f(a) { goto L; L: a++ } active proctype P() { f(x); f(x) }");
    const struct pml_block *body = &reading.model->proctypes.items[0]->body;
    assert_string_equal(body->items[0]->body.items[0]->label, "L");
    assert_string_equal(body->items[1]->body.items[0]->label, "L@2");
    end(&reading);
    body_is("byte x; inline f(a) { return a + 1 } active proctype P() { x = f(2) }", 0, "{block{return 2 + 1}}");
    refuse("inline f() { f() }\nactive proctype P() { f() }", 1, 14, "uses itself", NULL);
    refuse("inline f(a) { a = 1 }\nactive proctype P() { f() }", 2, 23, "has 1 parameter, and is given 0", NULL);
    refuse("inline f() { skip\nactive proctype P() { f() }", 1, 8, "does not end", NULL);
    refuse("inline f() { skip }\nactive proctype P() { fo() }", 2, 23, "unknown name \"fo\"", "\"f\"");
}

static void labels_are_of_their_block(void **state)
{
    (void)state;
    refuse("active proctype P() { goto end1; end2: skip }", 1, 23, "no label \"end1\"", "\"end2\"");
    refuse("active proctype P() { L: skip; L: skip }", 1, 32, "\"L\" is declared already", NULL);
    refuse("byte L; active proctype P() { L: skip }", 1, 31, "is a variable", NULL);
    refuse("active proctype P() { atomic { L: skip } }", 1, 32, "cannot stand at the start of atomic", "in front");
    refuse("active proctype P() { L: byte x; x = 1 }", 1, 23, "in front of a declaration", NULL);
    body_is("active proctype P() { if :: goto L :: L: fi; M: }", 0, "{if{goto L}{L: skip}; M: skip}");
    body_is("byte x; active proctype P() { L: { x = 1 } unless x == 2; M: atomic { x = 3 } unless { skip } }", 0,
            "{L: block{{x = 1}unless{x == 2}}; M: at{{x = 3}unless{skip}}}");
    refuse("active proctype P() { d_step { skip; goto L }; L: skip }", 1, 38, "enter or leave a d_step", NULL);
    refuse("active proctype P() { goto L; d_step { skip; L: skip } }", 1, 23, "enter or leave a d_step", NULL);
    refuse("byte x; active proctype P() { L: x = 1 unless x == 2 }", 1, 31, "cannot stand", NULL);
}

static void mtypes_count_down(void **state)
{
    (void)state;
    struct read_model reading = read_good("mtype = { a, b, c }; mtype:k = { x y }; mtype { d, e }\n"
                                          "mtype:k m = y; active proctype P() { (a == 3 && e == 4 && d == 5) }");
    const struct pml_model *model = reading.model;
    assert_int_equal(model->mtypes.count, 2);
    static const uint32_t plain[] = {3, 2, 1, 5, 4}, other[] = {2, 1};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(model->mtypes.items[0]->numbers.items[i], plain[i]);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(model->mtypes.items[1]->numbers.items[i], other[i]);
    assert_ptr_equal(model->globals.items[0]->type.set, model->mtypes.items[1]);
    assert_int_equal(model->globals.items[0]->initial->value, 1);
    assert_ptr_equal(model->globals.items[0]->initial->set, model->mtypes.items[1]);
    end(&reading);
    refuse("mtype = { a, b }; mtype = { a }; init { skip }", 1, 29, "an mtype already", NULL);
}

static void messages_have_arguments(void **state)
{
    (void)state;
    struct read_model reading =
        read_good("mtype = { a }; typedef R { byte x[2]; bit y }; chan q[2] = [3] of { mtype, R };\n"
                  "active proctype P() { R r; byte x, y; q[1]!a(r); q[0]!!a, 1, 2, 3; q[x]?a(_, eval(x+1), y);\n"
                  "q[0]?\?<-1, r>; q[0]?[a, r] && len(q[1]) > 0; full(q[0]) || nempty(q[1]) }");
    const struct pml_block *body = &reading.model->proctypes.items[0]->body;
    assert_int_equal(body->items[0]->argument_count, 2);
    assert_int_equal(body->items[0]->arguments[1].value->kind, PML_READ);
    assert_true(body->items[1]->is_sorted);
    const struct pml_stmt *receive = body->items[2];
    assert_int_equal(receive->argument_count, 4);
    assert_int_equal(receive->arguments[0].value->value, 1);
    assert_null(receive->arguments[1].value);
    assert_null(receive->arguments[1].place);
    assert_int_equal(receive->arguments[2].value->op, PML_ADD);
    assert_string_equal(receive->arguments[3].place->variable->name, "y");
    assert_true(body->items[3]->is_random && body->items[3]->is_peek);
    assert_int_equal(body->items[4]->value->left->kind, PML_POLL);
    const struct pml_channel *channel = reading.model->globals.items[0]->channel;
    assert_int_equal(channel->capacity, 3);
    assert_int_equal(channel->field_count, 2);
    end(&reading);
    refuse("chan q = [1] of { byte }; active proctype P() { q!1,2 }", 1, 49, "have 1 field, and 2 are sent", NULL);
    refuse("byte q; active proctype P() { q!1 }", 1, 31, "this is none", NULL);
    refuse("byte x; chan q = [1] of { byte, byte }; active proctype P() { q?x,x }", 1, 67, "twice", NULL);
    refuse("chan q = [1] of { byte }; active proctype P() { !full(q) -> skip }", 1, 50, "only with", "nfull");
    refuse("byte x; active proctype P() { x = 1; chan q = [1] of { byte }; q!1 }", 1, 43, "cannot be made here",
           "start");
}

static void processes_are_resolved(void **state)
{
    (void)state;
    struct read_model reading = read_good(
        "proctype Q(byte a, b; chan c) provided (a > 0) { byte z[2]; L: z[1] = a }\nchan c;\n"
        "init { pid p; p = run Q(1, 2, c); (Q[p]@L && Q[p]:z[1] == 1 && Q@L); _pid + _nr_pr > _last; timeout }\n"
        "active [3] proctype R() { enabled(1) -> skip } never { do :: np_ od }");
    const struct pml_model *model = reading.model;
    assert_int_equal(model->proctypes.count, 3);
    assert_int_equal(model->proctypes.items[0]->parameter_count, 3);
    assert_int_equal(model->proctypes.items[0]->active, 0);
    assert_non_null(model->proctypes.items[0]->provided);
    assert_true(model->proctypes.items[1]->is_init);
    assert_int_equal(model->proctypes.items[2]->active, 3);
    assert_int_equal(model->proctypes.items[2]->id, 2);
    assert_non_null(model->never);
    const struct pml_expr *run = model->proctypes.items[1]->body.items[0]->value;
    assert_ptr_equal(run->proctype, model->proctypes.items[0]);
    const struct pml_expr *remote = model->proctypes.items[1]->body.items[1]->value->left->right->left;
    assert_int_equal(remote->kind, PML_REMOTE);
    assert_ptr_equal(remote->place->variable, model->proctypes.items[0]->locals.items[3]);
    end(&reading);
    refuse("proctype Q(byte a) { skip }\ninit { run Q() }", 2, 12, "has 1 parameter, and is given 0", NULL);
    refuse("proctype Queue() { skip }\ninit { run Quene() }", 2, 12, "no proctype \"Quene\"", "\"Queue\"");
    refuse("proctype Q(byte a, byte b) { skip }\ninit { run Q(1,2) }", 1, 20, "found \"byte\"", "\";\"");
    refuse("proctype Q() { skip }\ninit { run Q() && run Q() }", 2, 19, "one process", NULL);
    refuse("proctype Q() { skip } chan q;\ninit { q!run Q() }", 2, 8, "message cannot", NULL);
    refuse("proctype Q() { skip }", 1, 21, "no process runs", "active");
    refuse("active proctype Q() { Q@M }", 1, 25, "has no label \"M\"", NULL);
    reading = read_good("active proctype Q() priority 3 { skip } init { set_priority(0, 1) }");
    assert_int_equal(reading.model->proctypes.items[0]->priority, 3);
    assert_int_equal(reading.model->proctypes.items[1]->body.items[0]->kind, PML_PRIORITIZE);
    end(&reading);
}

static void macros_expand(void **state)
{
    (void)state;
    static const char model[] = "#define N 3 /* three */\n#define inc(x, y) x = x + \\\n y // add\n#define f inc\n"
                                "#define cat(a, b) a##b\n#if defined(N) && N > 2 && !defined(M)\nbyte ab;\n#elif 1\n"
                                "#error no\n#else\nbyte ba\n#endif\n#undef N\n#ifdef N\n' \"\n#endif\n"
                                "active proctype P() { f(ab, 2); cat(a, b) = 1; inc(ab,\n  ab)\n ab = 1 }\n";
    body_is(model, 0, "{f(ab, 2); cat(a, b) = 1; inc(ab, ab); ab = 1}");
    struct read_model reading = read_good("#define x x + 1\n#define s(a) #a\nbyte y; byte z = y\n#define y 2\n"
                                          "active proctype P() { printf(s(a  \"b\")); z = y; }");
    assert_int_equal(reading.model->proctypes.items[0]->body.items[1]->value->value, 2);
    end(&reading);
    refuse("#define P1 y + 1\nbyte x;\nactive proctype P() { x = P1 }", 3, 27, "unknown name \"y\"", NULL);
    refuse("#define two(a, b) a\nbyte x = two(1);", 2, 10, "has 2 parameters, and is given 1", NULL);
    refuse("#define two(a, b) a\nbyte x = two(1, 2;", 2, 10, "do not end", NULL);
    refuse("#if 1\nbyte x;", 1, 2, "no #endif", NULL);
    refuse("#if 1 +\n#endif", 1, 2, "not an integer expression", NULL);
    refuse("#endif", 1, 2, "without #if", NULL);
    refuse("#include \"not there.pml\"\n", 1, 10, "cannot read", NULL);
    refuse("byte x; \x01", 1, 9, "unexpected byte 0x01", NULL);
    refuse("byte x = \"a;\n", 1, 10, "string does not end", NULL);
    refuse("/* a", 1, 1, "comment does not end", NULL);
}

static void expansion_is_bounded(void **state)
{
    (void)state;
    struct text text = {0};
    text_append(&text, "#define a0 \n");
    for (int i = 1; i < 40; i++)
        text_format(&text, "#define a%d a%d a%d\n", i, i - 1, i - 1);
    text_append(&text, "a39");
    refuse(text_chars(&text), 41, 1, "more than", NULL);
    text_clear(&text);
    text_append(&text, "byte x; inline i0() { x++; x++ }\n");
    for (int i = 1; i < 30; i++)
        text_format(&text, "inline i%d() { i%d(); i%d() }\n", i, i - 1, i - 1);
    text_append(&text, "active proctype P() { i29() }");
    struct read_model reading = read_with(text_chars(&text), NULL, 0);
    assert_null(reading.model);
    assert_non_null(strstr(reading.diagnostics.items[0].message, "expand to more than"));
    end(&reading);
    text_free(&text);
}

/* Very often `part`, after `before`. */
static void refuse_deep(const char *before, const char *part, const char *message)
{
    struct text text = {0};
    text_append(&text, before);
    for (int i = 0; i < FEWER(100000); i++)
        text_append(&text, part);
    struct read_model reading = read_with(text_chars(&text), NULL, 0);
    assert_null(reading.model);
    if (!strstr(reading.diagnostics.items[0].message, message))
        fail_msg("%s", reading.diagnostics.items[0].message);
    end(&reading);
    text_free(&text);
}

static void deep_nesting_is_an_error(void **state)
{
    (void)state;
    refuse_deep("byte x; init { x = ", "(", "nested more than");
    refuse_deep("byte x; init { x = ", "- ", "nested more than");
    refuse_deep("byte x; init { x = 1", "+1", "in a row");
    refuse_deep("byte x; init { x = ", "x[", "nested more than");
    refuse_deep("init ", "{", "nested more than");
    refuse_deep("init { ", "if :: ", "nested more than");
    refuse_deep("chan q = [0] of { byte }; init { q?", "(", "nested more than");
    refuse_deep("byte x; init { skip } ltl { ", "[]", "does not end");
    refuse_deep("#define f(x) x\n", "f(", "do not end");
    refuse_deep("#if ", "(", "too deep");
    struct text text = {0};
    text_append(&text, "#define f(x) x\nbyte x = ");
    for (int i = 0; i < 2000; i++)
        text_append(&text, i < 1000 ? "f(" : ")");
    refuse(text_chars(&text), 2, 410, "macros are nested more than", NULL);
    text_free(&text);
}

static void defines_override(void **state)
{
    (void)state;
    static const struct define given[] = {{"N", "5"}, {"EXTRA", "1"}};
    struct read_model reading =
        read_good_with("#define N 3\nbyte a[N];\n#ifdef EXTRA\nbyte b;\n#endif\ninit { a[0] = N }", given, 2);
    assert_int_equal(reading.model->globals.count, 2);
    assert_int_equal(reading.model->globals.items[0]->length, 5);
    assert_int_equal(reading.model->proctypes.items[0]->body.items[0]->value->value, 5);
    end(&reading);
    reading = read_with("byte a; init { a = 1 }", given, 1);
    assert_null(reading.model);
    assert_non_null(strstr(reading.diagnostics.items[0].message, "\"N\""));
    end(&reading);
}

static void declarations_are_checked(void **state)
{
    (void)state;
    struct read_model reading =
        read_good("unsigned u : 3 = 2; byte a[2+3*2] = 4, b[3] = { 1, 2 }; hidden int h; local short l;\n"
                  "typedef R { byte x = 3; chan c = [1] of { byte } }; R r[2]; show byte s = -1;\n"
                  "init { r[1].x = u; xr r[0].c; r[0].c!1; }");
    const struct pml_model *model = reading.model;
    assert_int_equal(model->globals.items[0]->type.width, 3);
    assert_int_equal(model->globals.items[1]->length, 8);
    assert_int_equal(model->globals.items[2]->initial_count, 2);
    assert_true(model->globals.items[3]->is_hidden);
    assert_ptr_equal(model->globals.items[5]->type.record, model->records.items[0]);
    const struct pml_place *place = model->proctypes.items[0]->body.items[0]->place;
    assert_int_equal(place->index->value, 1);
    assert_ptr_equal(place->below->variable, model->records.items[0]->fields.items[0]);
    end(&reading);
    refuse("unsigned u; init { skip }", 1, 10, "needs its width", NULL);
    refuse("byte a[0]; init { skip }", 1, 8, "at least 1", NULL);
    refuse("byte a = 0x10; init { skip }", 1, 10, "decimal", NULL);
    refuse("byte a[2]; init { a = 1 }", 1, 19, "needs an index", NULL);
    refuse("byte a; init { a[0] = 1 }", 1, 16, "no array", NULL);
    refuse("typedef R { byte x }; R r; init { r.y = 1 }", 1, 37, "no field \"y\"", NULL);
    refuse("typedef R { byte x }; R r; init { r = 1 }", 1, 35, "record is used as a value", NULL);
    refuse("byte a; init { (a = 1) -> skip }", 1, 19, "found \"=\"", "\"==\"");
    refuse("Foo x; init { skip }", 1, 1, "found \"Foo\"", "type that is not declared");
    refuse("init { Foo x; skip }", 1, 8, "unknown name \"Foo\"", NULL);
    refuse("byte do; init { skip }", 1, 6, "found \"do\"", "word of the language");
}

static void what_is_not_supported_is_said(void **state)
{
    (void)state;
    refuse("c_decl { int x; }", 1, 1, "embedded C (c_decl)", NULL);
    refuse("init { c_code { x = 1; } }", 1, 8, "embedded C (c_code)", NULL);
    refuse("init { c_expr { x } }", 1, 8, "embedded C (c_expr)", NULL);
    refuse("c_state \"int x\" \"Global\"", 1, 1, "embedded C (c_state)", NULL);
    refuse("byte x;\ntrace { skip }", 2, 9, "no event of a trace assertion", NULL);
}

static void unclosed_parts_are_named(void **state)
{
    (void)state;
    refuse("init {\n  do\n  :: skip\n}", 4, 1, "expected \"od\"", "line 2");
    refuse("init { if :: skip od }", 1, 19, "expected \"fi\"", NULL);
    refuse("init { skip;", 1, 12, "expected \"}\"", "line 1");
    refuse("init { do :: d_step { skip; break } od }", 1, 29, "loop of its d_step", NULL);
    refuse("init { break }", 1, 8, "outside of a loop", NULL);
    refuse("init { if :: else :: else fi }", 1, 22, "\"else\" already", NULL);
    refuse("init { do od }", 1, 11, "expected \"::\"", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_in_spin),
        cmocka_unit_test(formulas_bind_as_in_spin),
        cmocka_unit_test(separators_may_be_left_out),
        cmocka_unit_test(late_declarations_are_steps),
        cmocka_unit_test(names_belong_to_blocks),
        cmocka_unit_test(loops_are_written_out),
        cmocka_unit_test(skips_in_options_are_dropped),
        cmocka_unit_test(inlines_are_blocks),
        cmocka_unit_test(labels_are_of_their_block),
        cmocka_unit_test(mtypes_count_down),
        cmocka_unit_test(messages_have_arguments),
        cmocka_unit_test(processes_are_resolved),
        cmocka_unit_test(macros_expand),
        cmocka_unit_test(expansion_is_bounded),
        cmocka_unit_test(deep_nesting_is_an_error),
        cmocka_unit_test(defines_override),
        cmocka_unit_test(declarations_are_checked),
        cmocka_unit_test(what_is_not_supported_is_said),
        cmocka_unit_test(unclosed_parts_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
