-- expect: 6:1: error: expected a declaration, a rule or a property, found "}"
-- hint: a body stands between begin and end
-- errors: 1
var x: 0..1; startstate begin x := 0; end;
rule "a" x = 0 ==> begin x := 1; end;
}
