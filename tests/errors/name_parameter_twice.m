-- expect: 4:25: error: "a" is declared twice
-- hint: the first declaration is in line 4

procedure p(a: boolean; a: boolean); begin end;
var
  x: 0..3;

startstate
  x := 0;
end;
