-- The words of CTL are names like any other elsewhere, and even inside where no operand follows.
--
-- noether: verdict=holds deadlock=off states=4 canonical=4 rules=3 canonical_rules=3
-- noether: rumur=no
type T: 0..1;
var A, E: array [T] of boolean; AF, U, ctl: boolean; X: array [T] of array [T] of boolean;
startstate begin
  for i: T do A[i] := false; E[i] := true; for j: T do X[i][j] := false; end; end;
  AF := false; U := false; ctl := true;
end;
rule "one" !A[0] ==> begin A[0] := true; end;
rule "two" A[0] & !AF ==> begin AF := true; U := true; end;
rule "three" AF & !X[0][1] ==> begin X[0][1] := true; end;
ctl "an array" AG (A[0] | !AF) & EF A[0];
ctl "an until" A[!A[0] U A[0]] & E[E[1] U AF & U] & A[A[1] | ctl U A[0]];
ctl "a variable" AG (AF -> U) & AF AF & AG (AF = U);
ctl "nested" AF AG (X[0][1] & !A[1]);
ruleset i: T do alias e: E[i] do ctl "in a ruleset" AG e; end; end;
