-- expect: 5:47: error: expected ":=" in a statement, found "x"
-- hint: did you mean "elsif"?
-- errors: 1
var x: 0..1;
startstate begin if x = 1 then x := 0; elseif x = 0 then x := 1; end; end;
