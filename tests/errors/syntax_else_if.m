-- expect: 19:1: error: expected "end" for the rule of line 11, found "rule"
-- hint: "else if" needs an end of its own; "elsif" does not

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if x = 1 then
    x := 2;
  else if x = 2 then
    x := 3;
  end;
end;

rule begin
  x := 0;
end;
