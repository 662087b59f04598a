-- expect: 4:8: error: unknown type "int"
-- hint: "int" is written as a range
-- errors: 1
var i: int;
startstate i := 0; end;
