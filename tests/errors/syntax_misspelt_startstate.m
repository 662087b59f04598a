-- expect: 6:1: error: expected a declaration, a rule or a property, found "starstate"
-- hint: did you mean "startstate"?
var
  x: boolean;

starstate "off"
begin
  x := false;
end;

rule begin x := !x; end;
