-- expect: 13:1: error: expected "end" for the if of line 12, found "rule"
-- hint: "end" or "endif" closes it

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if x = 1 then x := 0;
rule begin x := 1; end;
