-- expect: 6:1: error: expected a declaration, a rule or a property, found "rul"
-- hint: did you mean "rule"?
var x: boolean;
startstate begin x := false; end;

rul "flip" x = false ==>
begin
  x := !x;
end;
