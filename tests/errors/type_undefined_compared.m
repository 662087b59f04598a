-- expect: 12:10: error: UNDEFINED cannot be an operand of "="
-- hint: it can be assigned or passed; isundefined(x) tests for it

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if x = undefined then x := 0; end;
end;
