/* Which scalarsets survive the discipline, and which do not: one small model for each form of loop and each breach. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/build.h"
#include "lang/murphi/murphi.h"
#include "symmetry/symmetry.h"

static const char declarations[] =
    "type N: scalarset(3); M: scalarset(2); E: enum {idle, busy}; U: union {N, E}; R: 0..3;\n"
    "  Rec: record p: N; s: E; end;\n"
    "  Net: multiset [3] of Rec; Msg: record src: N; dst: N; k: E; end; Note: record m: Msg; c: R; end;\n"
    "var a: array [N] of R; b: array [N] of R; ref: array [N] of N; mm: array [N] of array [N] of boolean;\n"
    "  nm: array [N] of array [M] of R; ar: array [N] of array [R] of R; seen: array [N] of boolean;\n"
    "  ua: array [U] of R; q: array [R] of N; rec: array [N] of Rec; net: Net;\n"
    "  bag: multiset [9] of Msg; box: array [N] of Msg; last: Msg; notes: multiset [3] of Note;\n"
    "  x: R; y: R; flag: boolean; owner: N; first: N; u: U; one: Rec;\n";

/* `body` is what a rule does, or rules; `more` stands before it. */
struct sample {
    const char *name, *more, *body;
    const char *excluded; /* names of the types, separated by a blank */
};

static bool is_rules(const struct sample *sample)
{
    return strncmp(sample->body, "choose", 6) == 0;
}

/* The types that are not used; whether a start state picks elements. */
static void check_text(const char *name, const char *model, const char *expected, bool *has_choice)
{
    struct source *source = source_from_text(name, model, strlen(model));
    struct diagnostics diagnostics = {0};
    struct reading options = {0};
    struct system *system = murphi_read(source, &options, &diagnostics);
    struct text problems = {0}, excluded = {0};
    diag_print(&diagnostics, &problems);
    if (!system)
        fail_msg("%s: %s", name, text_chars(&problems));
    struct symmetry *symmetry = symmetry_find(system);
    *has_choice = false;
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        const struct symmetry_factor *factor = &symmetry->factors[f];
        assert_true(factor->is_used == (factor->breach_count == 0));
        assert_true(!factor->start_choice || factor->is_used);
        *has_choice |= factor->start_choice != NULL;
        if (!factor->is_used)
            text_format(&excluded, "%s%s", excluded.length ? " " : "", factor->type->name);
    }
    if (strcmp(text_chars(&excluded), expected) != 0)
        fail_msg("%s: excluded \"%s\", expected \"%s\"", name, text_chars(&excluded), expected);
    symmetry_destroy(symmetry);
    system_destroy(system);
    diag_free(&diagnostics);
    source_free(source);
    text_free(&problems);
    text_free(&excluded);
}

/* In a rule, or in a start state: there it is spared. */
static void check_sample(const struct sample *sample, bool is_start)
{
    struct text text = {0};
    bool has_choice;
    text_format(&text, "%s%s\n", declarations, sample->more);
    if (is_start)
        text_format(&text, "startstate %s end; rule true ==> x := 0; end;\n", sample->body);
    else
        text_format(&text, is_rules(sample) ? "startstate end; %s\n" : "startstate end; rule true ==> %s end;\n",
                    sample->body);
    check_text(sample->name, text_chars(&text), is_start ? "" : sample->excluded, &has_choice);
    assert_true(has_choice == (is_start && sample->excluded[0]));
    text_free(&text);
}

/* Ways to send: by reference, by value, to a slot of the receiver. */
#define SEND "procedure send(var m: Msg); begin multisetadd(m, bag); end;"
#define POST "procedure post(m: Msg); begin assert m.src != m.dst; multisetadd(m, bag); end;"
#define PUT "procedure put_in(m: Msg); begin box[m.dst] := m; end;"

static const struct sample accepted[] = {
    {"own element", "", "for i: N do a[i] := 0; end;", ""},
    {"own element read and written", "", "for i: N do if a[i] = 1 then a[i] := b[i] + 1; b[i] := 0; end; end;", ""},
    {"own row", "", "for i: N do for j: N do mm[i][j] := false; end; end;", ""},
    {"own column", "", "for i: N do mm[owner][i] := mm[owner][i] & flag; end;", ""},
    {"two types", "", "for i: N do for j: M do nm[i][j] := 1; end; end;", ""},
    {"inner range", "", "for i: N do for k: R do ar[i][k] := k; end; end;", ""},
    {"the same constant", "", "for i: N do if a[i] = 1 then flag := true; end; end;", ""},
    {"the same value", "", "for i: N do if a[i] = 1 then x := y; end; end;", ""},
    {"the same constant anywhere", "", "for i: N do seen[ref[i]] := true; end;", ""},
    {"counting", "", "for i: N do if a[i] = 1 then x := x + 1; end; end;", ""},
    {"adding", "", "for i: N do x := x + a[i]; end;", ""},
    {"lowering", "", "for i: N do x := x - a[i]; end;", ""},
    {"counting in an element", "", "for i: N do b[ref[i]] := b[ref[i]] + 1; end;", ""},
    {"undefine", "", "for i: N do undefine rec[i]; end;", ""},
    {"clear of numbers", "", "clear a; for i: N do clear b[i]; end;", ""},
    {"copy", "", "for i: N do rec[i] := one; end;", ""},
    {"alias", "", "for i: N do alias r: rec[i]; c: a[i] do r.s := idle; c := 2; end; end;", ""},
    {"assert", "", "for i: N do assert a[i] = 0; put a[i]; end;", ""},
    {"guarded by equality", "", "for i: N do if i = owner & a[i] = 0 then first := i; x := a[i]; end; end;", ""},
    {"procedure", "procedure set(i: N; v: R); begin a[i] := v; b[i] := v; end;", "for i: N do set(i, 2); end;", ""},
    {"by reference", "procedure set(var r: R); begin r := 0; end;", "for i: N do set(a[i]); end;", ""},
    {"function", "function get(i: N): R; begin return a[i]; end;", "for i: N do b[i] := get(i); end;", ""},
    {"insertion", "", "for i: N do alias r: rec[i] do multisetadd(r, net); end; end;", ""},
    {"union", "", "for i: U do ua[i] := 0; end;", ""},
    {"pure quantifier", "function get(i: N): R; begin return a[i]; end;", "flag := forall i: N do get(i) = 0 end;", ""},
    {"early return of a certain body",
     "function is(o: N): boolean; begin for i: N do if i = o then return true; end; end; return false; end;",
     "for i: N do seen[i] := is(i); end;", ""},
    {"search", "function f(): boolean; begin for i: N do if a[i] = 0 then return true; end; end; return false; end;",
     "flag := f();", ""},
    {"search with a call by reference",
     "function g(var r: R): boolean; var t: R; begin t := r; return t = 0; end;"
     " function f(): boolean; begin for i: N do if g(a[i]) then return true; end; if b[i] = 0 then return true; end; "
     "end; return false; end;",
     "flag := f();", ""},
    {"nested search in a rule", "",
     "for i: N do for j: M do if nm[i][j] = 0 then return; end; end; if a[i] = 0 then return; end; end; x := 0;", ""},
    {"temporary", "procedure swap(); var t: R; begin for i: N do t := a[i]; a[i] := b[i]; b[i] := t; end; end;",
     "swap();", ""},
    {"temporary used again",
     "procedure p(); var t: R; begin for i: N do t := a[i]; b[i] := t; end; t := 0; x := t; end;", "p();", ""},
    {"flag in a local",
     "procedure p(); var t: boolean; begin t := false; for i: N do if a[i] = 0 then t := true; end; end; flag := t; "
     "end;",
     "p();", ""},
    {"insertion after removal", "",
     "choose m: net do rule net[m].s = idle ==> multisetremove(m, net);"
     " for i: N do alias r: rec[i] do multisetadd(r, net); end; end; x := multisetcount(k: net, net[k].s = idle); end; "
     "end;",
     ""},
    {"insertion before removal", "",
     "choose m: net do alias g: net[m] do rule g.s = idle ==> for i: N do alias r: rec[i] do multisetadd(r, net); end; "
     "end;"
     " owner := g.p; multisetremove(m, net); end; end; end;",
     ""},
    {"multicast",
     "procedure p(h: N); var m: Msg; begin m.src := h; m.k := busy; for i: N do m.dst := i; multisetadd(m, bag); end; "
     "end;",
     "p(owner);", ""},
    {"multicast by reference",
     SEND "procedure p(h: N); var m: Msg; begin m.src := h; for i: N do m.k := busy; m.dst := i; send(m); end; end;",
     "p(owner);", ""},
    {"multicast by value",
     POST "procedure p(h: N); var m: Msg; begin m.src := h; for i: N do if i != h then m.k := busy; m.dst := i; "
          "post(m); end; end; end;",
     "p(owner);", ""},
    {"multicast in both branches",
     SEND "procedure p(); var m: Msg; begin m.src := owner; m.k := idle; for i: N do if a[i] = 0 then m.dst := i; else "
          "m.dst := owner; end; send(m); end; end;",
     "p();", ""},
    {"multicast of the caller's message",
     SEND "procedure q_(var m: Msg); begin for i: N do m.dst := i; send(m); end; end;"
          " procedure p(); var m: Msg; begin m.src := owner; m.k := idle; q_(m); m.dst := owner; last := m; end;",
     "p();", ""},
    {"message undefined first",
     SEND "procedure p(); var m: Msg; begin for i: N do undefine m; m.dst := i; if a[i] = 0 then m.k := idle; end; "
          "send(m); end; end;",
     "p();", ""},
    {"message alias",
     SEND
     "procedure p(); var m: Msg; begin m.src := owner; alias d: m.dst do for i: N do d := i; send(m); end; end; end;",
     "p();", ""},
    {"nested records",
     "procedure p(); var t: Note; begin t.m.src := owner; t.c := 0; for i: N do t.m.dst := i; multisetadd(t, notes); "
     "end; end;",
     "p();", ""},
    {"record inside written whole",
     "procedure p(); var t: Note; begin t.c := 0; for i: N do t.m := box[i]; multisetadd(t, notes); end; end;", "p();",
     ""},
    {"at the receiver",
     "procedure p(); var m: Msg; begin m.src := owner; for i: N do m.dst := i; box[m.dst] := m; end; end;", "p();", ""},
    {"at the receiver, by value",
     PUT "procedure p(); var m: Msg; begin m.src := owner; for i: N do m.dst := i; put_in(m); end; end;", "p();", ""},
    {"at the receiver, copied",
     "procedure p(); var m: Msg; c: Msg; begin m.src := owner; for i: N do m.dst := i; c := m; box[c.dst] := m; end; "
     "end;",
     "p();", ""},
    {"at the receiver, after a search",
     PUT "procedure p(); var m: Msg; begin m.src := owner; for i: N do m.dst := i; if forall j: N do a[j] = 0 end then "
         "m.k := idle; else m.k := busy; end; put_in(m); end; end;",
     "p();", ""},
    {"fields not written by the loop",
     "procedure p(); var m: Msg; begin m.src := owner; for i: N do m.dst := i; m.k := busy; end; first := m.src; "
     "last.k := m.k; end;",
     "p();", ""},
    {"field written again",
     "procedure p(); var m: Msg; begin for i: N do m.dst := i; end; m.dst := owner; first := m.dst; end;", "p();", ""},
    {"field of a parameter",
     "procedure p(m: Msg); begin for i: N do if i = m.src then first := i; x := a[i]; end; end; end;", "p(last);", ""},
    {"value of a local", "procedure p(); var t: R; begin t := y; for i: N do if a[i] = 1 then x := t; end; end; end;",
     "p();", ""},
    {"while", "", "x := 0; while x < 3 do for i: N do a[i] := x; end; x := x + 1; end;", ""},
    {"all read one that is written", "", "for i: N do a[i] := a[owner]; end;", ""},
    {"written as it was", "", "for i: N do for j: M do nm[i][j] := x; x := nm[i][j]; end; end;", ""},
    {"alias of what is written", "", "alias r: a[owner] do for i: N do a[i] := r; end; end;", ""},
    {"maximum", "", "for i: N do if a[i] > x then x := a[i]; end; end;", ""},
    {"maximum, the other way round", "", "for i: N do if !(x >= a[i]) then x := a[i]; end; end;", ""},
    {"minimum", "", "for i: N do x := a[i] < x ? a[i] : x; end;", ""},
    {"maximum of those that count", "", "for i: N do if b[i] = 0 & a[i] > x then x := a[i]; end; end;", ""},
    {"maximum in a local",
     "procedure p(); var m: R; begin m := 0; for i: N do if a[i] > m then m := a[i]; end; end; x := m; end;", "p();",
     ""},
    {"maximum by a function", "function max(u: R; v: R): R; begin if u < v then return v; else return u; end; end;",
     "for i: N do x := max(x, a[i]); end;", ""},
    {"maximum by reference", "procedure up(var u: R; v: R); begin if u < v then u := v; end; end;",
     "for i: N do up(x, a[i]); end;", ""},
    {"maximum of an alias", "", "alias m: b[owner] do for i: N do if a[i] > m then m := a[i]; end; end; end;", ""},
    {"two maxima", "", "for i: N do if a[i] > x then x := a[i]; end; if b[i] > y then y := b[i]; end; end;", ""},
    {"maximum of sums", "", "for i: N do if a[i] + b[i] > x then x := a[i] + b[i]; end; end;", ""},
    {"disjunction under a condition", "", "for i: N do if seen[i] & a[i] = 2 then flag := flag | a[i] = 2; end; end;",
     ""},
    {"parity", "", "for i: N do flag := flag != seen[i]; end;", ""},
    {"toggle", "", "for i: N do if seen[i] then flag := !flag; end; end;", ""},
    {"sum of a function", "function f(v: R): R; begin if v = 1 then return 1; end; return 0; end;",
     "for i: N do x := x + f(a[i]); end;", ""},
    {"sum of conditions", "", "for i: N do x := x + (a[i] = 1 ? 1 : 0); end;", ""},
    {"sum, capped", "", "for i: N do if a[i] = 1 & x < 3 then x := x + 1; end; end;", ""},
    {"sum modulo", "", "for i: N do x := (x + a[i]) % 4; end;", ""},
    {"two sums", "", "for i: N do if a[i] = 0 then x := x + 1; else y := y + 1; end; end;", ""},
    {"in each row", "", "for i: N do for j: M do if nm[i][j] > x then x := nm[i][j]; end; end; end;", ""},
    {"maximum and a message",
     "procedure p(); var m: Msg; begin m.src := owner; m.k := busy; for i: N do if a[i] > x then x := a[i]; end; m.dst "
     ":= i; multisetadd(m, bag); end; end;",
     "p();", ""},
    {"maximum over a union", "", "for i: U do if ua[i] > x then x := ua[i]; end; end;", ""},
    {"last of a union wins", "", "for i: U do if ismember(i, E) then u := i; end; end;", ""},
    {"return, and failures of two kinds",
     "function f(): boolean; begin for i: N do assert a[i] = 1; if a[i] = 0 then return true; end; end; return false; "
     "end;",
     "flag := f();", ""},
    {"remove one's own", "", "for i: N do multisetremovepred(m: net, net[m].p = i); end;", ""},
    {"remove one's own, the other way round", "", "for i: N do multisetremovepred(m: bag, i = bag[m].dst); end;", ""},
    {"remove some of one's own", "",
     "for i: N do multisetremovepred(m: net, net[m].p = i & net[m].s = idle & a[i] = 0); end;", ""},
    {"remove one's own if there are any", "",
     "for i: N do if multisetcount(m: net, net[m].p = i) > 0 then multisetremovepred(m: net, net[m].p = i); a[i] := 0; "
     "end; end;",
     ""},
    {"remove one's own in a call", "procedure del(n: N); begin multisetremovepred(m: net, net[m].p = n); end;",
     "for i: N do if seen[i] then del(i); end; end;", ""},
    {"insert where there is room", "",
     "for i: N do assert multisetcount(k: net, true) < 3; rec[i].p := i; rec[i].s := idle; multisetadd(rec[i], net); "
     "end;",
     ""},
    {"insert what is not there", "",
     "for i: N do rec[i].p := i; rec[i].s := idle; if multisetcount(k: net, net[k].p = i) = 0 then "
     "multisetadd(rec[i], net); end; end;",
     ""},
    {"count what no iteration inserts", "",
     "for i: N do rec[i].p := i; rec[i].s := idle; if multisetcount(k: net, net[k].s = busy) > 1 then a[i] := 0; end; "
     "multisetadd(rec[i], net); end;",
     ""},
    {"insert in a call, where there is room",
     "procedure put_(n: N); begin assert multisetcount(k: net, true) < 3; rec[n].p := n; rec[n].s := idle; "
     "multisetadd(rec[n], net); end;",
     "for i: N do if seen[i] then put_(i); end; end;", ""},
};

static const struct sample refused[] = {
    {"clear of an element", "", "clear owner;", "N"},
    {"clear of elements inside", "", "clear rec;", "N"},
    {"last wins", "", "for i: N do first := i; end;", "N"},
    {"last match wins", "", "for i: N do if a[i] = 0 then first := i; end; end;", "N"},
    {"first match wins", "", "for i: N do if isundefined(first) & a[i] = 0 then first := i; end; end;", "N"},
    {"queue", "", "for i: N do q[x] := i; x := x + 1; end;", "N"},
    {"reads the sum", "", "for i: N do x := x + 1; a[i] := x; end;", "N"},
    {"writes where others are", "", "for i: N do a[ref[i]] := b[i]; end;", "N"},
    {"two constants", "", "for i: N do if a[i] = 0 then x := 1; else x := 2; end; end;", "N"},
    {"up and down", "", "for i: N do if a[i] = 0 then x := x + 1; else x := x - 1; end; end;", "N"},
    {"up and reset", "", "for i: N do if a[i] = 0 then x := x + 1; else x := 0; end; end;", "N"},
    {"row of a matrix by column", "", "for i: N do for j: N do mm[i][j] := mm[j][i]; end; end;", "N"},
    {"inner only", "", "for i: N do for j: M do a[i] := nm[i][j]; end; end;", "M"},
    {"union", "", "for i: U do if ua[i] = 0 then u := i; end; end;", "N"},
    {"guard that is changed", "", "for i: N do if i = owner then owner := ref[i]; end; end;", "N"},
    {"guard of an inner variable", "", "for i: N do for j: N do if i = j & a[i] = 0 then first := i; end; end; end;",
     "N"},
    {"return of the first",
     "function f(): N; begin for i: N do if a[i] = 0 then return i; end; end; return owner; end;", "first := f();",
     "N"},
    {"return hides an assertion",
     "function f(): boolean; begin for i: N do assert a[i] != 1; if a[i] = 0 then return true; end; end; return false; "
     "end;",
     "flag := f();", "N"},
    {"return hides an assertion in a call",
     "function g(i: N): boolean; begin assert a[i] = 1; return a[i] = 0; end;"
     " function f(): boolean; begin for i: N do if g(i) then return true; end; end; return false; end;",
     "flag := f();", "N"},
    {"return hides a write",
     "function f(): boolean; begin for i: N do if a[i] = 0 then return true; end; x := 0; end; return false; end;",
     "flag := f();", "N"},
    {"return hides a write by reference",
     "function f(var t: R; o: N): boolean; begin for i: N do if i = o then return true; end; undefine t; end; return "
     "false; end;"
     " procedure p(n: N); var t: R; begin t := 0; flag := f(t, n); if isundefined(t) then x := 0; end; end;",
     "p(owner);", "N"},
    {"return of two constants",
     "function f(): boolean; begin for i: N do if a[i] = 0 then return true; elsif a[i] = 1 then return false; end; "
     "end; return false; end;",
     "flag := f();", "N"},
    {"return from a loop with an order",
     "function f(): boolean; begin for i: N do for k := 0 to 2 do if a[i] = k then return true; end; end; end; return "
     "false; end;",
     "flag := f();", "N"},
    {"conjunction hides a fault", "", "for i: N do flag := flag & a[i] = 0; end;", "N"},
    {"by reference to one place", "procedure set(var n: N; i: N); begin n := i; end;",
     "for i: N do set(first, i); end;", "N"},
    {"alias to one place", "", "alias r: ref[owner] do for i: N do r := i; end; end;", "N"},
    {"writes in a quantifier", "function note(i: N): boolean; begin first := i; return true; end;",
     "flag := exists i: N do note(i) end;", "N"},
    {"assume", "", "for i: N do assume a[i] = 0; end;", "N"},
    {"local left over", "procedure p(); var t: R; begin for i: N do t := a[i]; end; x := t; end;", "p();", "N"},
    {"local left over, perhaps",
     "procedure p(); var t: R; begin for i: N do t := a[i]; end; if x = 0 then t := 0; end; x := t; end;", "p();", "N"},
    {"local left to the next round",
     "procedure p(); var t: R; begin t := 0; while x < 3 do x := x + t; for i: N do t := a[i]; end; end; end;", "p();",
     "N"},
    {"local not written first", "procedure p(); var t: R; begin t := 0; for i: N do b[i] := t; t := a[i]; end; end;",
     "p();", "N"},
    {"field written perhaps",
     SEND "procedure p(); var m: Msg; begin m.dst := owner; for i: N do if a[i] = 0 then m.dst := i; end; send(m); "
          "end; end;",
     "p();", "N"},
    {"field written after",
     SEND "procedure p(); var m: Msg; begin m.dst := owner; for i: N do send(m); m.dst := i; end; end;", "p();", "N"},
    {"field written after, by reference",
     "procedure send(var m: Msg; i: N); begin multisetadd(m, bag); m.dst := i; end;"
     " procedure p(); var m: Msg; begin m.dst := owner; for i: N do send(m, i); end; end;",
     "p();", "N"},
    {"field written unless it returns",
     SEND "procedure fill(var m: Msg; i: N); begin if a[i] = 0 then return; end; m.dst := i; end;"
          " procedure p(); var m: Msg; begin m.dst := owner; for i: N do fill(m, i); send(m); end; end;",
     "p();", "N"},
    {"field left over",
     "procedure p(); var m: Msg; begin m.src := owner; for i: N do m.dst := i; end; first := m.dst; end;", "p();", "N"},
    {"message left over",
     SEND "procedure p(); var m: Msg; begin m.src := owner; for i: N do m.dst := i; send(m); end; last := m; end;",
     "p();", "N"},
    {"field left over, perhaps",
     "procedure p(); var m: Msg; begin for i: N do m.dst := i; end; if x = 0 then m.dst := owner; end; first := m.dst; "
     "end;",
     "p();", "N"},
    {"field left over by a callee that returns",
     "procedure q_(var m: Msg); begin for i: N do m.dst := i; end; if x = 0 then return; end; m.dst := owner; end;"
     " procedure p(); var m: Msg; begin q_(m); first := m.dst; end;",
     "p();", "N"},
    {"field left over, next round",
     "procedure p(); var m: Msg; begin m.dst := owner; while x < 3 do first := m.dst; for i: N do m.dst := i; end; x "
     ":= x + 1; end; end;",
     "p();", "N"},
    {"field left over inside",
     "procedure p(); var m: Msg; begin for j: M do m.dst := owner; for i: N do m.dst := i; end; nm[m.dst][j] := 0; "
     "end; end;",
     "p();", "N"},
    {"one field counts",
     "procedure p(); var t: Note; begin t.c := 0; for i: N do t.m.dst := i; t.c := t.c + 1; multisetadd(t, notes); "
     "end; end;",
     "p();", "N"},
    {"first one differs",
     SEND "procedure p(); var m: Msg; begin m.k := busy; for i: N do m.dst := i; send(m); m.k := idle; end; end;",
     "p();", "N"},
    {"at the last receiver",
     "procedure p(); var m: Msg; begin m.dst := owner; for i: N do m.src := i; box[m.dst] := m; end; end;", "p();",
     "N"},
    {"at a changed receiver",
     "procedure p(); var m: Msg; begin for i: N do m.dst := i; m.src := i; if a[i] = 0 then m.dst := owner; end; "
     "box[m.dst] := m; end; end;",
     "p();", "N"},
    {"at a receiver changed by a callee",
     "procedure f(var m: Msg); begin if a[m.src] = 0 then return; end; m.dst := owner; end;"
     " procedure p(); var m: Msg; begin for i: N do m.dst := i; m.src := i; f(m); box[m.dst] := m; end; end;",
     "p();", "N"},
    {"at a receiver changed in a conjunction",
     "function f(var m: Msg): boolean; begin m.dst := owner; return true; end;"
     " procedure p(); var m: Msg; begin for i: N do m.dst := i; m.src := i; if x = 0 & f(m) then seen[i] := true; end; "
     "box[m.dst] := m; end; end;",
     "p();", "N"},
    {"at a receiver changed by an inner loop",
     "procedure p(); var m: Msg; begin for i: N do m.dst := i; m.src := i; for k: R do box[m.dst] := m; m.dst := "
     "owner; end; end; end;",
     "p();", "N"},
    {"at the receiver of another loop",
     "procedure p(); var m: Msg; begin for j: N do m.dst := j; for i: N do m.src := i; box[m.dst] := m; end; end; end;",
     "p();", "N"},
    {"value of a local of the iteration",
     "procedure p(); var t: R; begin for i: N do t := a[i]; for k: R do x := t; end; end; end;", "p();", "N"},
    {"guard of a local that is changed",
     "procedure p(); var t: N; begin t := owner; for i: N do if i = t then t := ref[i]; a[i] := 0; end; end; end;",
     "p();", "N"},
    {"disjunction with what may be undefined", "", "for i: N do flag := seen[i] | flag; end;", "N"},
    {"sum, capped, hides a fault", "", "for i: N do if x < 3 & a[i] = 1 then x := x + 1; end; end;", "N"},
    {"disjunction hides a fault", "", "for i: N do flag := flag | seen[i]; end;", "N"},
    {"who has the maximum", "", "for i: N do if a[i] > x then x := a[i]; owner := i; end; end;", "N"},
    {"who has it, without ties", "", "for i: N do if a[i] >= x then x := a[i]; owner := i; end; end;", "N"},
    {"maximum, then sum", "", "for i: N do if a[i] > x then x := x + 1; end; end;", "N"},
    {"maximum of the next", "", "for i: N do if a[i] > x then x := b[i]; end; end;", "N"},
    {"maximum or minimum", "", "for i: N do if a[i] > x | b[i] = 0 then x := a[i]; end; end;", "N"},
    {"maximum, all tell", "", "for i: N do if a[i] > x then x := a[i]; end; b[i] := x; end;", "N"},
    {"sum that may be reset", "", "for i: N do if x = 3 then x := 0; else x := a[i]; end; end;", "N"},
    {"sum with a step back", "", "for i: N do x := x + (a[i] = 1 ? 1 : -1); end;", "N"},
    {"sum, capped after", "", "for i: N do x := x + a[i]; if x = 3 then x := 0; end; end;", "N"},
    {"doubled", "", "for i: N do if a[i] = 1 then x := 2 * x; else x := x + 1; end; end;", "N"},
    {"difference", "", "for i: N do x := a[i] - x; end;", "N"},
    {"first of those that count", "", "for i: N do if !flag & seen[i] then flag := true; a[i] := 1; end; end;", "N"},
    {"maximum by a function that fails",
     "function max(u: R; v: R): R; begin if u < v then return v; elsif u > v then return u; end; end;",
     "for i: N do x := max(x, a[i]); end;", "N"},
    {"message with the maximum so far",
     "procedure p(); var m: Msg; begin m.src := owner; m.dst := owner; for i: N do if a[i] > x then x := a[i]; end; "
     "if x = 1 then m.k := busy; else m.k := idle; end; multisetadd(m, bag); end; end;",
     "p();", "N"},
    {"maximum in a local, left over",
     "procedure p(); var m: R; t: R; begin m := 0; for i: N do t := a[i]; if t > m then m := t; end; end; x := t; end;",
     "p();", "N"},
    {"slots freed and filled", "",
     "choose m: net do choose n: net do rule net[m].s = idle ==> multisetremove(m, net); multisetremove(n, net);"
     " multisetadd(rec[owner], net); x := net[m].s = idle ? 0 : 1; end; end; end;",
     "N M"},
    {"slots freed, filled and freed", "",
     "choose m: net do choose n: net do rule net[m].s = idle ==> multisetremove(m, net); multisetremove(n, net);"
     " multisetadd(rec[owner], net); multisetremove(m, net); end; end; end;",
     "N M"},
    {"slot of an emptied multiset", "",
     "choose m: net do rule net[m].s = idle ==> undefine net; multisetadd(rec[owner], net); multisetremove(m, net); "
     "end; end;",
     "N M"},
    {"slot filled again", "",
     "choose m: net do rule net[m].s = idle ==> multisetremove(m, net);"
     " for i: N do alias r: rec[i] do multisetadd(r, net); end; end; owner := net[m].p; end; end;",
     "N M"},
    {"slot filled again, by alias", "",
     "choose m: net do alias g: net[m] do rule g.s = idle ==> multisetremove(m, net);"
     " for i: N do alias r: rec[i] do multisetadd(r, net); end; end; owner := g.p; end; end; end;",
     "N M"},
    {"remove by a test that comes second", "",
     "for i: N do multisetremovepred(m: net, net[m].s = idle & net[m].p = i); end;", "N"},
    {"remove others", "", "for i: N do multisetremovepred(m: net, net[m].p != i); end;", "N"},
    {"remove one's own or others", "", "for i: N do multisetremovepred(m: net, net[m].p = i | a[i] = 0); end;", "N"},
    {"remove by two parts", "",
     "for i: N do multisetremovepred(m: bag, bag[m].src = i); x := x + multisetcount(m: bag, bag[m].dst = i); end;",
     "N"},
    {"remove and count all", "",
     "for i: N do multisetremovepred(m: net, net[m].p = i); a[i] := multisetcount(m: net, true); end;", "N"},
    {"remove by what another names", "",
     "for i: N do multisetremovepred(m: net, net[m].p = ref[i]); a[i] := "
     "multisetcount(m: net, net[m].p = i); end;",
     "N"},
    {"remove by the variable of another loop", "",
     "for i: N do for j: N do multisetremovepred(m: net, net[m].p = j & a[i] = 0); end; end;", "N"},
    {"remove one's own and insert", "",
     "for i: N do multisetremovepred(m: net, net[m].p = i); alias r: rec[i] do multisetadd(r, net); end; end;", "N"},
    {"insert if it is empty", "",
     "for i: N do rec[i].p := i; rec[i].s := idle; if multisetcount(k: net, true) = 0 then multisetadd(rec[i], net); "
     "end; end;",
     "N"},
    {"insert if others have nothing there", "",
     "for i: N do rec[i].p := i; rec[i].s := idle; if multisetcount(k: net, net[k].p != i) = 0 then "
     "multisetadd(rec[i], net); end; end;",
     "N"},
    {"count what was inserted", "",
     "for i: N do rec[i].p := i; rec[i].s := idle; multisetadd(rec[i], net); a[i] := multisetcount(k: net, true); "
     "end;",
     "N"},
    {"count by what an iteration changes", "",
     "for i: N do rec[i].p := i; rec[i].s := idle; a[i] := multisetcount(k: net, net[k].s = one.s); one.s := busy; "
     "multisetadd(rec[i], net); end;",
     "N"},
    {"count by a call", "function f_(n: N): boolean; begin return seen[n]; end;",
     "for i: N do rec[i].p := i; rec[i].s := idle; if multisetcount(k: net, f_(net[k].p)) = 0 then "
     "multisetadd(rec[i], net); end; end;",
     "N"},
    {"count by an array that an iteration changes", "",
     "for i: N do rec[i].p := i; rec[i].s := idle; if multisetcount(k: net, seen[net[k].p]) = 0 then seen[i] := true; "
     "multisetadd(rec[i], net); end; end;",
     "N"},
    {"remove and insert", "",
     "for i: N do multisetremovepred(m: net, net[m].s = idle); alias r: rec[i] do multisetadd(r, net); end; end;", "N"},
};

static void test_accepted(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof accepted / sizeof *accepted; s++)
        check_sample(&accepted[s], false);
}

static void test_refused(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof refused / sizeof *refused; s++)
        check_sample(&refused[s], false);
}

/* Cells that always have a value: the start state writes them all, and nothing undefines them. */
static void check_definite(const char *more, const char *start, const char *rule, const char *excluded)
{
    struct text text = {0};
    bool has_choice;
    text_format(&text, "%s%s startstate %s end; %s", declarations, more, start, rule);
    check_text(rule, text_chars(&text), excluded, &has_choice);
    text_free(&text);
}

#define ALL_SEEN "flag := false; for i: N do seen[i] := false; end;"
#define ANY_SEEN "rule true ==> for i: N do flag := flag | seen[i]; end; end;"

static void test_definite(void **state)
{
    (void)state;
    check_definite("", ALL_SEEN, ANY_SEEN, "");
    check_definite("", "clear seen; clear flag;", ANY_SEEN, "");
    check_definite("", ALL_SEEN, ANY_SEEN "rule true ==> seen[owner] := flag; end;", "");
    check_definite("", ALL_SEEN, ANY_SEEN "ruleset i: N; v: boolean do rule true ==> seen[i] := v; end; end;", "");
    check_definite("", "for i: N do seen[owner] := false; end;", ANY_SEEN, "N");
    check_definite("", "for i: N do if x = 0 then seen[i] := false; end; end;", ANY_SEEN, "N");
    check_definite("", "if x = 0 then return; end; for i: N do seen[i] := false; end;", ANY_SEEN, "N");
    check_definite("", ALL_SEEN, ANY_SEEN "rule true ==> undefine seen[owner]; end;", "N");
    check_definite("", ALL_SEEN, ANY_SEEN "rule true ==> seen[owner] := mm[owner][owner]; end;", "N");
    check_definite("", "flag := false; for i: N do seen[i] := mm[i][i]; end;", ANY_SEEN, "N");
    check_definite("procedure u_(var b_: boolean); begin undefine b_; end;", ALL_SEEN,
                   ANY_SEEN "rule true ==> u_(seen[owner]); end;", "N");
    check_definite("", ALL_SEEN, ANY_SEEN "rule true ==> alias s_: seen do undefine s_; end; end;", "N");
    check_definite("", ALL_SEEN, ANY_SEEN "rule true ==> seen := mm[owner]; end;", "N");
    check_definite("", "for i: N do for j: N do mm[i][i] := false; end; end;",
                   "rule true ==> for i: N do flag := flag | mm[owner][i]; end; end;", "N");
    check_definite("", "for i: N do for j: N do mm[i][j] := false; end; end;",
                   "rule true ==> for i: N do flag := flag | mm[owner][i]; end; end;", "");
}

/* What breaks the symmetry in a rule only picks one of symmetric start states. */
static void test_starts(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof accepted / sizeof *accepted; s++)
        if (!is_rules(&accepted[s]))
            check_sample(&accepted[s], true);
    for (size_t s = 0; s < sizeof refused / sizeof *refused; s++)
        if (!is_rules(&refused[s]))
            check_sample(&refused[s], true);
}

static const struct span nowhere;

static struct expr *read_variable(struct system *system, const struct variable *variable)
{
    return expr_read(system, place_variable(system, variable, nowhere), false, nowhere);
}

/* What the Murphi front end would refuse, straight in the IR. */
static void test_named_elements(void **state)
{
    (void)state;
    struct system *system = system_create("named");
    type_bool(system);
    const struct type *named = type_index(system, "Named", 3, nowhere);
    const struct type *single = type_index(system, "Single", 1, nowhere);
    const struct type *compared = type_index(system, "Compared", 3, nowhere);
    const struct type *nested = type_index(system, "Nested", 3, nowhere);
    const struct type *clean = type_index(system, "Clean", 3, nowhere);
    const struct variable *a = system_add_global(system, "a", named, nowhere);
    const struct variable *b = system_add_global(system, "b", single, nowhere);
    const struct variable *c = system_add_global(system, "c", compared, nowhere);
    const struct type *inner = type_multiset(system, NULL, nested, 2, nowhere);
    system_add_global(system, "d", type_multiset(system, NULL, inner, 2, nowhere), nowhere);
    const struct variable *e = system_add_global(system, "e", clean, nowhere);
    struct expr *first = expr_const(system, named, named->blocks->lo, nowhere);
    struct expr *only = expr_const(system, single, single->blocks->lo, nowhere);
    struct expr *formulas[] = {
        expr_binary(system, OP_EQ, read_variable(system, a), first, nowhere),
        expr_binary(system, OP_EQ, read_variable(system, b), only, nowhere),
        expr_binary(system, OP_LT, read_variable(system, c), read_variable(system, c), nowhere),
        expr_binary(system, OP_NE, read_variable(system, e), read_variable(system, e), nowhere),
    };
    for (size_t f = 0; f < sizeof formulas / sizeof *formulas; f++)
        system_add_property(system, PROPERTY_INVARIANT, "p", formulas[f], nowhere);
    system_finish(system);
    struct symmetry *symmetry = symmetry_find(system);
    static const bool used[] = {false, true, false, false, true};
    assert_int_equal(symmetry->factor_count, 5);
    for (uint32_t f = 0; f < 5; f++)
        assert_true(symmetry->factors[f].is_used == used[f]);
    assert_string_equal(symmetry->factors[0].breaches[0].message, "an element of Named is named");
    symmetry_destroy(symmetry);
    system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepted), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_starts), cmocka_unit_test(test_definite),
                                       cmocka_unit_test(test_named_elements)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
