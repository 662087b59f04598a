-- A part of the local state that has one value only is no function of the local state: its negation was none, either.
type
  P: 0 .. 2;
  Q: 1 .. 2;
  mode: enum { idle, busy };
  only: 1 .. 1;
var
  at: array [P] of mode;
  loose: array [Q] of mode;
  one: array [Q] of only;

procedure follow();
begin
  at[1] := loose[2];
end;

startstate
begin
  for p: P do at[p] := idle; end;
  for q: Q do one[q] := 1; end;
end;

ruleset p: P do
  rule "stay" true ==> begin end;
end;

ruleset q: Q do
  rule "set again" true ==>
  begin
    if at[1] = busy then one[2] := 1; end;
  end;
end;
