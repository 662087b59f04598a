-- expect: 7:35: error: expected "end" for the forall of line 7, found "ennd"
-- hint: did you mean "end"?
-- errors: 1
var x: array [0..3] of boolean;
startstate begin for i: 0..3 do x[i] := false; end; end;
rule begin x[0] := !x[0]; end;
invariant forall i: 0..3 do !x[i] ennd;
