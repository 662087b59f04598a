-- expect: 13:8: error: the procedure "p" has no value
--

procedure p(); begin end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  x := p();
end;
