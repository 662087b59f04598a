-- expect: 6:12: error: unknown name "z"
--
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
rule x ==> begin x := false; end;
ctl "a" AF z;
