-- expect: 5:1: error: unexpected "startsate"
-- hint: did you mean "startstate"?
-- errors: 1
var x: 0..3;
startsate begin x := 0; end;
rule x = 0 ==> begin x := 1; end;
