-- expect: 6:1: error: expected a declaration, a rule or a property, found "AG"
-- hint: a formula of branching time begins with ctl: ctl "name" AG ...
-- errors: 1
var x: 0..1; startstate begin x := 0; end;
rule "a" x = 0 ==> begin x := 1; end;
AG (x = 0);
