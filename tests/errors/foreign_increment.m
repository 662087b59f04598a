-- expect: 6:17: error: expected ":=" in a statement, found "+"
-- hint: there is only :=, as in x := x + 1
-- errors: 2
var x: 0..3;
startstate x := 0; end;
rule x < 3 ==> x++; end;
rule x < 2 ==> x += 2; end;
