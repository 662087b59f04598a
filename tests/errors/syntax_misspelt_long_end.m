-- expect: 6:46: error: unexpected "ENFIF"
-- hint: did you mean "endif"?
-- errors: 1
var x: 0..3;
startstate begin x := 0; end;
rule x = 0 ==> begin if x = 0 then x := 1;   ENFIF; end;
