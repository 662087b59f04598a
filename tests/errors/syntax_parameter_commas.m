-- expect: 4:23: error: expected ";" between parameters, found ","
-- hint: parameters of different types are separated by semicolons

procedure p(a: boolean, b: boolean); begin end;
var
  x: 0..3;

startstate
  x := 0;
end;
