-- Violated with 8 of P and more.
const N: 8;
type P: scalarset(N);
var c: 0..8; s: array[P] of enum{A,B}; 
startstate begin c := 0; for i: P do s[i] := A; end; end;
ruleset i: P do rule "go" s[i]=A & c<8 ==> begin s[i]:=B; c := c+1; end; rule "stay" s[i]=B ==> begin s[i]:=B; end; end;
invariant "small" c < 8;
