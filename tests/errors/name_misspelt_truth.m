-- expect: 5:23: error: unknown name "fales"
-- hint: did you mean "false"?
-- errors: 1
var x: boolean;
startstate begin x := fales; end;
rule x ==> begin x := true; end;
