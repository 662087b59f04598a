-- expect: 4:8: error: unknown type "boolen"
-- hint: did you mean "boolean"?
-- errors: 1
var x: boolen;
startstate begin x := false; end;
rule x ==> begin x := true; end;
