-- expect: 14:3: error: expected "end" for the for of line 12, found "endif"
-- hint: "end" or "endfor" closes it

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  for i: 0..3 do
    x := i;
  endif;
end;
