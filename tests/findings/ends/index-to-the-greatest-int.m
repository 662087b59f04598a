-- Two index ranges share a carrier, and the carrier ends at the greatest value of 32 bits.
type
  wide: 2147483646..2147483647;
  narrow: 2147483647..2147483647;
  id: scalarset(2);

var
  owner: array [id] of boolean;
  level: 0..1;

startstate "start"
begin
  for i: id do owner[i] := false; end;
  level := 0;
end;

ruleset i: id; n: narrow do
  rule "take" !forall w: wide do n != w end & !owner[i] ==>
  begin
    owner[i] := true;
  end;
end;

rule "up" level = 0 ==> begin level := 1; end;

invariant "one level" level <= 1;
