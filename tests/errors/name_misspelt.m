-- expect: 14:8: error: unknown name "Stat"
-- hint: did you mean "State"?

var State: 0..3;
    s: 0..3;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  s := Stat;
end;
