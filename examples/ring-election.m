-- Leader election on a ring (Chang and Roberts, 1979).
--
-- Every process sends its number to its neighbour; a process passes on numbers greater than its own and drops
-- smaller ones. The greatest number alone travels all the way round.
--
--   noether check examples/ring-election.m
--   noether check examples/ring-election.m -D N=4
--
-- What to expect: the properties hold. Positions are a range with arithmetic (the neighbour of i is
-- (i + 1) % N), not a scalarset; `noether symmetry` says that they can be rotated. Numbers have the same range, but are
-- compared: they stay. The start states: any position
-- comes first, and the numbers grow or fall along the ring (the best and the worst case for the number of messages).
--
-- noether: verdict=holds states=4080 canonical=816 rules=14150 canonical_rules=2830
-- noether: rumur=yes

const
  N: 5;

type
  Position: 0..N-1;
  Number: 0..N-1;
  Mail: array [Number] of boolean;   -- the numbers under way to a process

var
  number: array [Position] of Number;
  inbox: array [Position] of Mail;
  leader: array [Position] of boolean;

function Next(i: Position): Position;
begin
  return (i + 1) % N;
end;

function Quiet(): boolean;
begin
  return forall i: Position do forall n: Number do !inbox[i][n] end end;
end;

ruleset first: Position; upwards: boolean do
  startstate "Everyone nominates itself"
  begin
    for i: Position do
      number[i] := upwards ? (first + i) % N : (first + N - i) % N;
      leader[i] := false;
      for n: Number do inbox[i][n] := false; end;
    end;
    for i: Position do
      inbox[Next(i)][number[i]] := true;
    end;
  end;
end;

ruleset i: Position; n: Number do
  rule "Receive" inbox[i][n] ==>
  begin
    inbox[i][n] := false;
    if n > number[i] then
      inbox[Next(i)][n] := true;
    elsif n = number[i] then
      leader[i] := true;
    end;
  end;
end;

ruleset i: Position do
  rule "The leader abdicates" leader[i] & Quiet() ==>
  begin
    leader[i] := false;
    for j: Position do inbox[Next(j)][number[j]] := true; end;
  end;
end;

invariant "One leader at most"
  forall i: Position do forall j: Position do leader[i] & leader[j] -> i = j end end;

invariant "The leader has the greatest number"
  forall i: Position do leader[i] -> forall j: Position do number[j] <= number[i] end end;
