-- expect: 5:26: error: unexpected "endd"
-- hint: did you mean "end"?
-- errors: 1
var x: 0..3;
startstate begin x := 0; endd;
rule x = 0 ==> begin x := 1; end;
