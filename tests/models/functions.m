-- Functions: value parameters are copies, locals, early returns, calls of calls, a call in a guard.
--
-- noether: verdict=holds states=35 canonical=35 rules=100 canonical_rules=100
-- noether: rumur=yes
type T: 0..9;
var x: T; y: T;
function Double(a: T): 0..18; begin return a + a; end;
function Max(a: 0..18; b: 0..18): 0..18; begin if a > b then return a; end; return b; end;
function Wrap(n: 0..18): T; var r: 0..18; begin r := n; while r > 9 do r := r - 10; end; return r; end;
startstate begin x := 1; y := 0; end;
rule "double" Max(x, y) < 9 ==> begin x := Wrap(Double(x)); end;
rule "max" begin y := Wrap(Max(Double(y), x)); end;
rule "swap" x != y ==> var t: T; begin t := x; x := y; y := t; end;
