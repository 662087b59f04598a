-- expect: 6:31: error: a variable around temporal operators takes every value: the step cannot be 2
--
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
rule x ==> begin x := false; end;
ctl "a" forall i := 0 to 3 by 2 do AF y = i end;
