-- A token goes around a ring: rotations are its symmetry. Its certificate is what faults.py plants faults in.
const N: 3;
type
  Place: 0 .. N - 1;
var
  has, work: array [Place] of boolean;

ruleset s: Place do
  startstate begin
    for p: Place do has[p] := p = s; work[p] := false; end;
  end;
end;

ruleset p: Place do
  rule "pass" has[p] & !work[p] ==> begin has[p] := false; has[(p + 1) % N] := true; end;
  rule "begin" has[p] & !work[p] ==> begin work[p] := true; end;
  rule "end" work[p] ==> begin work[p] := false; end;
end;

invariant "one token"
  forall p: Place do forall q: Place do has[p] & has[q] -> p = q end end;
invariant "work needs the token"
  forall p: Place do work[p] -> has[p] end;
