-- expect: 6:8: error: expected "==>" after the guard, found "and"
-- hint: "and" is written &
-- errors: 1
var b: boolean;
startstate b := true; end;
rule b and !b ==> b := true; end;
