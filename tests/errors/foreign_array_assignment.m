-- expect: 5:31: error: cannot assign boolean to a variable of type array [P] of boolean
-- hint: an element at a time: for i: P do x[i] := ... end
-- errors: 1
type P: scalarset(2); var x: 0..1; s: array [P] of boolean;
startstate begin x := 0; s := true; end;
