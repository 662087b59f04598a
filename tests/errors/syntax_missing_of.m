-- expect: 4:21: error: expected "of" after the index type, found "boolean"
--

var a: array [0..1] boolean;
startstate
  x := 0;
end;
