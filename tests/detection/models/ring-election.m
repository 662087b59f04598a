-- Leader election on a ring (Chang and Roberts, 1979): positions turn, numbers are compared and stay.
--
-- detect: order=4 Position{*}=cyclic
const n: 4;
type
  Position: 0..n - 1;
  Number: 0..n - 1;
  Rank: enum {unknown, lost, leads};
var
  number: array [Position] of Number;
  inbox: array [Position] of array [Number] of boolean;
  rank: array [Position] of Rank;
function Next(i: Position): Position; begin return (i + 1) % n; end;
ruleset first: Position; upwards: boolean do
  startstate begin
    for i: Position do
      number[i] := upwards ? (first + i) % n : (first + n - i) % n;
      rank[i] := unknown;
      for k: Number do inbox[i][k] := false; end;
    end;
    for i: Position do inbox[Next(i)][number[i]] := true; end;
  end;
end;
ruleset i: Position; k: Number do
  rule "receive" inbox[i][k] ==> begin
    inbox[i][k] := false;
    if k > number[i] then inbox[Next(i)][k] := true; rank[i] := lost;
    elsif k = number[i] then rank[i] := leads; end;
  end;
end;
invariant "one leader at most"
  forall i: Position do forall j: Position do rank[i] = leads & rank[j] = leads -> i = j end end;
