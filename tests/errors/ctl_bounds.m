-- expect: 6:16: error: the values of a variable around temporal operators must be constant
--
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
rule x ==> begin x := false; end;
ctl "a" forall i := 0 to y do AF y = i end;
