-- expect: 5:28: error: unknown operator "not"
-- hint: "not" is written !
-- errors: 1
var b: boolean;
startstate b := true; b := not b; end;
