-- expect: 4:1: error: expected a declaration, a rule or a property, found "ype"
-- hint: did you mean "type"?
-- errors: 2
ype Count: 0..3;
var x: Count;
proceure zero(); begin x := 0; end;
startstate begin zero(); end;
rule begin x := x; end;
