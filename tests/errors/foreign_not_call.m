-- expect: 6:6: error: unknown name "not"
-- hint: "not" is written !
-- errors: 1
var b: boolean;
startstate b := true; end;
rule not(b) ==> b := true; end;
