-- expect: 12:24: error: cannot assign to "next": it is an alias of an expression
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  alias next: x + 1 do next := 0; end;
end;
