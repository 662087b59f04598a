-- expect: 5:5: error: "x" is declared twice
-- hint: the first declaration is in line 4

var x: 0..3;
    x: boolean;
startstate
  x := 0;
end;
