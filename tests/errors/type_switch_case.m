-- expect: 13:17: error: the case is colour, but the switch is on 0..3
--

type colour: enum { red, green };
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  switch x case red: x := 0; end;
end;
