-- Quantifiers that every local state decides: a process that has no name yet is in one of them, so the counters need not be
-- asked (--engine counter, --method generic). Not so where no element is left (Only), or where one local state does not decide.
--
-- noether: verdict=holds states=54 canonical=20 rules=234 canonical_rules=85
-- noether: rumur=yes
type
  Process: scalarset(3);
  Only: scalarset(1);
  Place: 0..2;
var
  at: array [Process] of Place;
  on: array [Only] of boolean;
  seen: boolean;

startstate begin
  for p: Process do at[p] := 0; end;
  for o: Only do on[o] := false; end;
  seen := false;
end;

ruleset p: Process do
  -- another one is somewhere
  rule "go on" at[p] < 2 & exists q: Process do q != p & at[q] >= 0 end ==> begin at[p] := at[p] + 1; end;
  -- another one is not at 2
  rule "look" exists q: Process do q != p & at[q] < 2 end & !seen ==> begin seen := true; end;
  -- there is no other one: never
  rule "alone" forall q: Process do q = p end ==> begin at[p] := 0; seen := false; end;
  -- two others
  rule "back" at[p] = 2 & exists q: Process do exists r: Process do q != r & q != p & r != p end end
    ==> begin at[p] := 0; end;
  -- three others: never
  rule "many" exists q: Process do exists r: Process do exists s: Process do
      q != r & q != s & r != s & q != p & r != p & s != p end end end ==> begin seen := false; end;
end;
ruleset o: Only do
  rule "other" exists x: Only do x != o end ==> begin on[o] := true; end;
end;

invariant "Two are different" exists p: Process do exists q: Process do p != q end end;
invariant "Two add up to less than 5" forall p: Process do forall q: Process do p != q -> at[p] + at[q] < 5 end end;
invariant "Off" forall o: Only do !on[o] end;
