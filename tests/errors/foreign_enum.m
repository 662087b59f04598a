-- expect: 4:9: error: expected a type, found "{"
-- hint: a type of names is written enum {A, B}
-- errors: 1
type S: {A, B}; var x: 0..1;
startstate begin x := 0; end;
rule "a" x = 0 ==> begin x := 1; end;
