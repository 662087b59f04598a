-- expect: 6:6: error: unknown name "isundefind"
-- hint: did you mean "isundefined"?
-- errors: 1
var x: boolean;
startstate begin x := false; end;
rule isundefind(x) ==> begin x := true; end;
