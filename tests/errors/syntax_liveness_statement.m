-- expect: 12:3: error: liveness is not a statement
-- hint: a liveness property stands outside the rules

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  liveness x = 0;
end;
