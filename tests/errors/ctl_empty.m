-- expect: 6:10: error: expected an expression, found ";"
--
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
rule x ==> begin x := false; end;
ctl "a" !;
