-- expect: 6:12: error: a property must be boolean, not 0..3
--
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
rule x ==> begin x := false; end;
ctl "a" AF y;
