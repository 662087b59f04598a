-- A record becomes undefined after it was compared.
type
  id: scalarset(2);
  val: 0..1;
  rec: record x: val; end;

var
  at: array [id] of enum { idle, busy };
  a: rec;
  b: rec;

startstate "start"
begin
  for i: id do at[i] := idle; end;
  a.x := 1;
  b.x := 1;
end;

ruleset i: id do
  rule "work"
    at[i] = idle
  ==>
  begin
    at[i] := busy;
    undefine b;
    if a != b then a.x := 1; end;
  end;
end;

ruleset i: id do
  rule "rest"
    at[i] = busy & !(a = b)
  ==>
  begin
    at[i] := idle;
    b.x := 1;
  end;
end;
