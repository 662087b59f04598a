-- expect: 7:17: error: expected a declaration, a rule or a property, found "==>"
-- hint: did you mean "->"?
-- errors: 1
var x: 0..3;
startstate begin x := 0; end;
rule x = 0 ==> x := 1; end;
invariant x = 0 ==> x < 2;
