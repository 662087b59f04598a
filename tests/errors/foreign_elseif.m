-- expect: 5:40: error: unexpected "elseif"
-- hint: did you mean "elsif"?
-- errors: 1
var x: 0..1;
startstate begin if x = 1 then x := 0; elseif x = 0 then x := 1; end; end;
