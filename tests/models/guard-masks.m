-- Guards that native code evaluates for all instances at once: fields of the process that the first parameter names,
-- cells of nobody, the parameter itself, and what they are joined by. Values that are undefined are behind tests that
-- exclude them; ranges begin below and above zero, and some rules go over a part of an array.
--
-- noether: verdict=holds states=3564 canonical=968 rules=29556 canonical_rules=8128
-- noether: rumur=yes

const
  N: 3;

type
  Process: scalarset(N);
  Place: enum { Idle, Ask, Wait, Work };
  Level: -1..2;
  Slot: -2..2;
  Upper: 0..2;
  Local: record
    place: Place;
    level: Level;
    busy: boolean;
    peer: Process;
  end;

var
  local: array [Process] of Local;
  slots: array [Slot] of boolean;
  marks: array [Slot] of Level;
  owner: Process;                -- undefined: nobody
  phase: Place;
  open: boolean;

function is_high(l: Level): boolean;
begin
  return l > 0;
end;

startstate "Idle"
begin
  for p: Process do
    local[p].place := Idle;
    local[p].level := -1;
    local[p].busy := false;
  end;
  for s: Slot do
    slots[s] := false;
  end;
  phase := Idle;
  open := true;
end;

ruleset p: Process do
  rule "Ask" local[p].place = Idle & !local[p].busy & (open | phase != Idle) ==>
  begin
    local[p].place := Ask;
    local[p].level := 0;
  end;

  rule "Wait" local[p].place = Ask & isundefined(local[p].peer) & isundefined(owner) ==>
  begin
    local[p].place := Wait;
    local[p].peer := p;
    owner := p;
  end;

  -- The owner alone: compared with the parameter, and only where there is one.
  rule "Work" !isundefined(owner) & owner = p & local[p].place = Wait & local[p].level < 2 ==>
  begin
    local[p].place := Work;
    local[p].busy := true;
    local[p].level := local[p].level + 1;
  end;

  alias me: local[p] do
    rule "Rest" me.place = Work -> false | is_high(me.level) ==>
    begin
      if me.place = Work then
        me.place := Idle;
        me.busy := false;
        undefine me.peer;
        undefine owner;
      end;
    end;
  end;

  -- A quantifier whose variable hides the parameter.
  rule "Close" local[p].place = Idle & local[p].level + 1 = 0 & open & forall p: Process do local[p].place != Work end ==>
  begin
    open := false;
  end;

  -- Something else than the parameter in the index.
  rule "Peer" !isundefined(local[p].peer) & local[local[p].peer].busy & !open ==>
  begin
    open := true;
  end;

  ruleset q: Process do
    rule "Pass on" local[p].place = Wait & p != q & local[q].place = Ask & isundefined(local[q].peer) ==>
    begin
      local[p].place := Ask;
      undefine local[p].peer;
      local[q].place := Wait;
      local[q].peer := q;
      owner := q;
    end;
  end;
end;

ruleset s: Upper do
  rule "Mark above" slots[s] & isundefined(marks[s]) & s != 1 & phase = Ask ==>
  begin
    marks[s] := s;
  end;

  rule "Clear above" !isundefined(marks[s]) & marks[s] >= 0 & (slots[s] | s > 1) & slots[-2] ==>
  begin
    undefine marks[s];
    slots[s] := false;
  end;
end;

ruleset s: Slot do
  rule "Fill" !slots[s] & (s < 0 ? phase = Idle : phase = Ask) ==>
  begin
    slots[s] := true;
  end;
end;

rule "Go on" phase = Idle & (forall s: Slot do s < 0 -> slots[s] end) ==>
begin
  phase := Ask;
end;

rule "Go back" phase = Ask & exists s: Upper do !isundefined(marks[s]) & marks[s] = s & s = 2 end ==>
begin
  phase := Idle;
  for s: Slot do
    slots[s] := false;
    undefine marks[s];
  end;
end;

invariant "One works, and it is the owner"
  forall p: Process do local[p].place = Work -> !isundefined(owner) & owner = p end;
