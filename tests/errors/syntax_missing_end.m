-- expect: 13:9: error: expected "end" for the rule of line 11, found the end of the file
-- hint: "end" or "endrule" closes it

var
  x: 0..3;

startstate
  x := 0;
end;

rule x = 1 ==>
begin
  x := 0;
