-- Records in records in arrays; whole records copied and compared field by field.
--
-- noether: verdict=holds states=2592 canonical=2592 rules=11124 canonical_rules=11124
-- noether: rumur=yes
type
  Point: record x: 0..2; y: 0..1; end;
  Box: record low, high: Point; full: boolean; end;
  Boxes: array [0..1] of Box;
var
  boxes: Boxes;
  spare: Box;
startstate begin
  clear boxes;
  clear spare;
end;
ruleset i: 0..1 do
  rule "grow" boxes[i].high.x < 2 ==> begin boxes[i].high.x := boxes[i].high.x + 1; end;
  rule "turn" begin boxes[i].low.y := 1 - boxes[i].low.y; boxes[i].full := boxes[i].low.y = 1; end;
end;
rule "take" boxes[0].full ==> begin spare := boxes[0]; boxes[0] := boxes[1]; end;
rule "give" spare.full ==> begin boxes[1] := spare; boxes[1].low := boxes[1].high; spare.full := false; end;
invariant "ordered" forall i: 0..1 do boxes[i].low.x <= boxes[i].high.x end;
