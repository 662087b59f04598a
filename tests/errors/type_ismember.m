-- expect: 15:6: error: colour can never be a member of shade
--

type colour: enum { red, green };
     shade: enum { dark, light };
var c: colour;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  if ismember(c, shade) then x := 0; end;
end;
