-- Processes that take a lock in turn. Its certificate is what faults.py plants faults in.
const N: 3;
type
  Proc: scalarset(N);
  State: enum { Out, Wait, In };
var
  state: array [Proc] of State;
  holder: Proc;  -- undefined: nobody

startstate begin
  for p: Proc do state[p] := Out; end;
end;

ruleset p: Proc do
  rule "ask" state[p] = Out ==> begin state[p] := Wait; end;
  rule "take" state[p] = Wait & isundefined(holder) ==> begin holder := p; state[p] := In; end;
  rule "leave" state[p] = In ==> begin undefine holder; state[p] := Out; end;
end;

invariant "one at a time"
  forall p: Proc do forall q: Proc do state[p] = In & state[q] = In -> p = q end end;
