-- The last of those with the greatest number: the order of the loop decides.
type P: scalarset(3); R: 0..2;
var x: array [P] of R; most: R; owner: P;
startstate begin for p: P do x[p] := 0; end; most := 0; undefine owner; end;
ruleset p: P; v: R do rule "set" begin x[p] := v; end; end;
rule "find" begin most := 0; for p: P do if x[p] >= most then most := x[p]; owner := p; end; end; end;
