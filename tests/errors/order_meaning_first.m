-- expect: 5:16: error: unknown type "nodes"
-- hint: did you mean "node"?
-- errors: 2
type node: scalarset(2);
var x: array [ nodes ] of boolean;
startstate for n: node do x[n] := true; end; end;
rule x[1 ==> x := x; end;
