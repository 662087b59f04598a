-- Two runs show that the formula is false without the guard. Only the first of them is one of the model, where the formula
-- is true: one run is not enough.
type P: 1..2;
var marked: array [P] of boolean; x, y: boolean;
startstate begin for p: P do marked[p] := false; end; x := false; y := false; end;
ruleset p: P do
  rule "mark" !marked[p] & !y & !x & p = 2 ==> begin marked[p] := true; end;
end;
rule "x" !x & !y & forall p: P do marked[p] end ==> begin x := true; end;
rule "y" !x & !y ==> begin y := true; end;
ctl "one of them" (AF x) | (AF y);
ctl "the other" AF (y | AF x);
