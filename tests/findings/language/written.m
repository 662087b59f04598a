-- Counters of P; beside them a record, the subject of a switch and an alias of a number, all of which are written again.
type P: scalarset(3);
  Rec: record x: boolean; y: 0..1; end;
var at: array [P] of boolean;
  r: Rec;
startstate begin
  for p: P do at[p] := false; end;
  r.x := false; r.y := 0;
end;
ruleset p: P do
  rule "go" !at[p] ==> begin
    at[p] := true;
    alias a: r.y + 1 do
      switch a
      case 1: r.y := 1;
      else r.x := true;
      end;
    end;
  end;
end;
invariant "late" r.x -> r.y = 1;
