-- A start state that breaks the invariant: a trace without steps.
--
-- noether: verdict=violated kind=invariant property="never" trace_length=0
-- noether: rumur=yes
var x: boolean;
startstate "good" begin x := false; end;
startstate "bad" begin x := true; end;
rule "flip" begin x := !x; end;
invariant "never" !x;
