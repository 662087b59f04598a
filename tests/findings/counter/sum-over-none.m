-- A sum over the processes of a local state where there is none stays as it was. It was 0 there, and the error was missed.
type
  P: scalarset(2);
  C: 0..3;
var
  mode: array [P] of C;
  owner: P;

function count(): C;
var c: C;
begin
  c := 1;
  for p: P do
    if p != owner then c := c + 2; end;
  end;
  return c;
end;

startstate "undefined" begin end;
startstate "defined" begin for p: P do mode[p] := 0; end; end;

rule "look" true ==>
begin
  switch count()
    case 0: error "none";
    case 3: error "three";
  end;
end;

ruleset p: P do
  rule "own" true ==> begin owner := p; end;
end;
