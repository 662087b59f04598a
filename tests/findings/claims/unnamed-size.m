-- The size of P has no name: nothing is proved for every size.
type P: scalarset(3);
var a: array [P] of boolean;
startstate begin for i: P do a[i] := false; end; end;
ruleset i: P do rule "flip" true ==> begin a[i] := !a[i]; end; end;
invariant "defined" forall i: P do !isundefined(a[i]) end;
