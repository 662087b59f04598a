-- expect: 11:14: error: unexpected "->"
-- hint: did you mean "==>"?

var
  x: 0..3;

startstate
  x := 0;
end;

rule (x = 1) -> begin
  x := 0;
end;
