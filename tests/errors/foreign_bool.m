-- expect: 4:8: error: unknown type "bool"
-- hint: "bool" is written boolean
-- errors: 1
var b: bool;
startstate b := true; end;
rule b ==> b := !b; end;
