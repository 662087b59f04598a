-- Records without fields have one value, defined always: as variables, elements, fields, parameters and results.
--
-- noether: verdict=holds states=512 canonical=120 rules=1536 canonical_rules=360
-- noether: rumur=wrong
type N: scalarset(3); r: record end; q: record a: array [N] of r; b: 0..3; end;
     w: array [N] of array [0..1] of r;
var x: r; y: array [N] of r; z: array [N] of q; m: w; p: array [N] of boolean;
function f(a: r): r; begin return a; end;
function g(a: w; n: N): r; begin return a[n][0]; end;
procedure h(var a: r); begin clear a; undefine a; end;
startstate begin for n: N do z[n].b := 0; p[n] := false; end; clear y; undefine m; end;
ruleset n: N do
  rule "a" z[n].b < 3 ==> begin
    z[n].b := z[n].b + 1;
    x := y[n];
    y[n] := f(x);
    h(y[n]);
    if f(x) = g(m, n) then p[n] := !p[n]; end;
  end;
  rule "b" z[n].b = 3 & exists k: N do y[k] = x end ==> var l: r; v: q; begin
    l := x; v := z[n]; undefine v.a; z[n] := v; z[n].b := 0; y[n] := l; m[n][1] := l;
  end;
end;
invariant forall i: N do forall j: N do y[i] = y[j] & f(y[i]) = f(y[j]) end end;
