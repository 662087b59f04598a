-- expect: 6:12: error: unexpected "->"
-- hint: did you mean "==>"?
-- errors: 1
var x: 0..3;
startstate begin x := 0; end;
rule x = 0 -> x := 1; end;
