-- expect: 12:7: error: expected the name of a variable, found "to"
-- hint: "to" is a keyword and cannot be used as a name

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  for to: 0..3 do x := 0; end;
end;
