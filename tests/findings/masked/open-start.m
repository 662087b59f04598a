-- In the first start state the formula is true whatever the failing part is; in the second one it is not known. The run
-- must begin in the second.
type P: scalarset(2);
var at: array [P] of 0..1;
    owner: P;
    on: boolean;
startstate "on" begin for p: P do at[p] := 0 end; on := true; end;
startstate "off" begin for p: P do at[p] := 0 end; on := false; end;
rule "stay" begin on := on; end;
ctl "c" !A[isundefined(owner) U isundefined(at[owner])] -> EF on;
