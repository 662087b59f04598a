-- expect: 4:9: error: expected ":" after the name, found "x"
-- hint: the name stands before the type: NAME: TYPE;
-- errors: 1
var int x;
startstate begin x := 0; end;
rule "a" x = 0 ==> begin x := 1; end;
