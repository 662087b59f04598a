type S: enum {A, B, C, D};
P: scalarset(2);
var
sP: array [P] of S;
v: boolean;
function number(): 0..20; var c: 0..20; begin c := 0; for inside: P do if sP[inside] = D then c := c + 1; end; end; return c; end;
startstate begin for i: P do sP[i] := D; end; v := true; end;
ruleset p0: P do rule "r1" v ==> begin v := false; sP[p0] := B;  end; end;
invariant "i0" (forall q0: P do (exists q1: P do number() = 3 end) end);
