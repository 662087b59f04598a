-- expect: 6:13: error: expected "]" after the index, found "W"
--
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
rule x ==> begin x := false; end;
ctl "a" A[x W x];
