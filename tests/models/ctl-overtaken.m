-- A process that tries may be overtaken for ever: the formula names a process, the counterexample goes round in a loop.
--
-- noether: verdict=violated kind=ctl property="whoever tries gets in" trace_length=4 states=20 canonical=7
-- noether: with N=2 verdict=violated kind=ctl property="whoever tries gets in" trace_length=4 states=8 canonical=5
-- noether: rumur=no
const N: 3;
type Process: scalarset(N); Location: enum {Rest, Try, In};
var state: array [Process] of Location; taken: boolean;
startstate begin for p: Process do state[p] := Rest; end; taken := false; end;
ruleset p: Process do
  rule "try" state[p] = Rest ==> begin state[p] := Try; end;
  rule "enter" state[p] = Try & !taken ==> begin state[p] := In; taken := true; end;
  rule "leave" state[p] = In ==> begin state[p] := Rest; taken := false; end;
end;
ctl "whoever tries gets in" AG forall p: Process do state[p] = Try -> AF state[p] = In end;
ctl "whoever tries can get in" AG forall p: Process do state[p] = Try -> E[state[p] = Try U state[p] = In] end;
ctl "nobody gets in without trying" AG forall p: Process do state[p] = In -> EP (state[p] = Try & EX state[p] = In) end;
ctl "two may try at once" exists p: Process do exists q: Process do
  p != q & EF (state[p] = Try & state[q] = Try & EX state[p] = In) end end;
ctl "while one is in, another may try" forall p: Process do EF (state[p] = In & exists q: Process do EX state[q] = Try end) end;
