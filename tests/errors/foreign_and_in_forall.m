-- expect: 6:32: error: expected "end" for the forall of line 6, found "and"
-- hint: "and" is written &
-- errors: 1
type P: scalarset(2); var x: 0..1; startstate begin x := 0; end;
rule "a" x = 0 ==> begin x := 1; end;
invariant forall p: P do x = 0 and x = 1 end;
