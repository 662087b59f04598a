-- The invariant says nothing, so that -1 and 0 could be exchanged; its antecedent, which is reported on, names one of them.
type
  Small: -1..1;
  Box: record x: Small; end;
var
  box: Box;
startstate
  box.x := 1;
end;
ruleset i: Small do
  rule "put"
    box.x := i;
  end;
end;
invariant "nothing" ((0 = box.x) -> true);
