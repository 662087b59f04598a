-- A quorum: the number of processes is compared with, so that a proof for every size does not understand the model.
const N: 4; MISSING: 1;
type P: scalarset(N);
var voted: array [P] of boolean; votes: 0..N; decided: boolean;
startstate for p: P do voted[p] := false end; votes := 0; decided := false; end;
ruleset p: P do rule "vote" !voted[p] ==> voted[p] := true; votes := votes + 1; end; end;
rule "decide" votes >= N - MISSING & !decided ==> decided := true; end;
invariant "quorum" decided -> votes >= N - MISSING;
